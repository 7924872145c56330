//! Who touches whom in a frame of grains: the number of contacts of each, and the cluster it belongs to.

use carom::detect::{ContactSearch, Method};
use carom::geometry::{Boundary, Sphere};
use carom::scene::Frame;

/// Adds the columns `contacts` and `cluster` to a frame of spheres or discs. Clusters are bodies that hang together by
/// contacts; the largest is 0. Nothing is added if the frame has such columns, or bodies too wide for its box.
pub fn add_columns(frame: &mut Frame<3>, periods: [Option<f64>; 3]) {
    let names = ["contacts", "cluster"];
    if frame.columns.iter().any(|(name, _)| names.contains(&name.as_str())) {
        return;
    }
    let Ok(boundary) = Boundary::periodic(periods) else { return };
    let sphere = |(&center, &radius)| Sphere { center, radius };
    let spheres: Vec<Sphere<3>> = frame.positions.iter().zip(&frame.radii).map(sphere).collect();
    let mut search = ContactSearch::new(Method::Auto);
    let Ok(found) = search.find(&spheres, &boundary) else { return };
    let mut counts = vec![0.0; frame.len()];
    let mut clusters = Clusters::new(frame.len());
    for contact in found {
        let ends = [contact.pair.first(), contact.pair.second()].map(|body| body as usize);
        ends.iter().for_each(|&body| counts[body] += 1.0);
        clusters.join(ends);
    }
    let columns = [counts, clusters.ranks()];
    frame.columns.extend(names.map(str::to_owned).into_iter().zip(columns));
}

/// Bodies that hang together; each points to one with a smaller number, the first of a cluster to itself.
struct Clusters(Vec<u32>);

impl Clusters {
    fn new(bodies: usize) -> Self {
        Clusters((0..bodies as u32).collect())
    }

    fn first(&mut self, mut body: usize) -> usize {
        while self.0[body] as usize != body {
            // Half the way from now on.
            self.0[body] = self.0[self.0[body] as usize];
            body = self.0[body] as usize;
        }
        body
    }

    fn join(&mut self, bodies: [usize; 2]) {
        let [one, other] = bodies.map(|body| self.first(body));
        self.0[one.max(other)] = one.min(other) as u32;
    }

    /// Of each body the place of its cluster in the order of sizes, the largest first, those of equal size by
    /// their first bodies.
    fn ranks(mut self) -> Vec<f64> {
        let count = self.0.len();
        let firsts: Vec<usize> = (0..count).map(|body| self.first(body)).collect();
        let mut sizes = vec![0usize; count];
        firsts.iter().for_each(|&first| sizes[first] += 1);
        let mut order: Vec<usize> = (0..count).filter(|&body| sizes[body] > 0).collect();
        order.sort_by_key(|&first| (usize::MAX - sizes[first], first));
        let mut ranks = vec![0.0; count];
        for (rank, first) in order.into_iter().enumerate() {
            ranks[first] = rank as f64;
        }
        firsts.into_iter().map(|first| ranks[first]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::scattered;
    use carom::geometry::Vector;

    #[test]
    fn bodies_that_hang_together_are_a_cluster_across_periodic_sides_too() {
        // A pair, a loner, and three in a row, of which the last is beyond the side.
        let places = [2.0, 2.9, 5.0, 8.0, 9.0, 0.0].map(|x| Vector::from([x, 1.0, 1.0]));
        let whole =
            Frame { positions: places.to_vec(), radii: vec![0.5; 6], ..scattered::<3>(6, 0.0) };
        let column = |frame: &Frame<3>, name: &str| {
            frame.columns.iter().find(|(known, _)| known == name).unwrap().1.clone()
        };
        let mut frame = whole.clone();
        add_columns(&mut frame, [Some(10.0), None, None]);
        assert_eq!(column(&frame, "contacts"), [1.0, 1.0, 0.0, 1.0, 2.0, 1.0]);
        assert_eq!(column(&frame, "cluster"), [1.0, 1.0, 2.0, 0.0, 0.0, 0.0]);
        let mut open = whole.clone();
        add_columns(&mut open, [None; 3]);
        assert_eq!(column(&open, "contacts"), [1.0, 1.0, 0.0, 1.0, 1.0, 0.0]);
        assert_eq!(column(&open, "cluster"), [0.0, 0.0, 2.0, 1.0, 1.0, 3.0]);
        let before = open.clone();
        add_columns(&mut open, [None; 3]);
        assert_eq!(open, before);
    }
}
