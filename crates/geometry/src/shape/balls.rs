//! Volume, centre of mass and inertia of a clump of spheres: what they share counts once.

use super::MassProperties;
use crate::{Aabb, Sphere, Vector, unit_ball_volume};
use nalgebra::Matrix3;

/// Lines through the clump, in all.
const LINES: usize = 1 << 16;

impl MassProperties {
    /// Of spheres, or for `D = 2` of discs of height one, which lie at z = 0.
    ///
    /// Exact if no two overlap. Else the clump is cut by 65536 parallel lines: along each the part
    /// inside is exact, and the lines stand for what lies between them, which is true to about 1e-4 in
    /// space and to 1e-6 in the plane.
    ///
    /// ```
    /// use carom_geometry::{Sphere, shape::MassProperties};
    /// let one = Sphere::new([1.0, 2.0, 3.0], 0.5);
    /// let mass = MassProperties::of_spheres::<3>(&[one, one]);
    /// assert!((mass.volume - std::f64::consts::PI / 6.0).abs() < 1e-4);
    /// ```
    pub fn of_spheres<const D: usize>(spheres: &[Sphere<3>]) -> Self {
        let mut sum = Moments::default();
        if overlap(spheres) {
            add_lines::<D>(spheres, &mut sum);
        } else {
            spheres.iter().for_each(|sphere| sum.add_ball::<D>(sphere));
        }
        sum.mass()
    }
}

fn overlap(spheres: &[Sphere<3>]) -> bool {
    let meet = |a: &Sphere<3>, b: &Sphere<3>| (a.center - b.center).norm() < a.radius + b.radius;
    (1..spheres.len()).any(|k| spheres[..k].iter().any(|other| meet(other, &spheres[k])))
}

/// Sums of one, of places and of products of places over a volume.
#[derive(Default)]
struct Moments {
    volume: f64,
    first: Vector<3>,
    second: Matrix3<f64>,
}

impl Moments {
    fn add_ball<const D: usize>(&mut self, ball: &Sphere<3>) {
        let volume = unit_ball_volume(D) * ball.radius.powi(D as i32);
        let square = ball.radius * ball.radius / (D + 2) as f64;
        let own = if D == 2 { [square, square, 1.0 / 12.0] } else { [square; 3] };
        let at = ball.center;
        self.volume += volume;
        self.first += at * volume;
        self.second += (at * at.transpose() + Matrix3::from_diagonal(&Vector::from(own))) * volume;
    }

    /// A piece of a line along an axis, of a cross section.
    fn add_piece(&mut self, at: &Vector<3>, axis: usize, [low, high]: [f64; 2], section: f64) {
        let volume = (high - low) * section;
        let mut middle = *at;
        middle[axis] = 0.5 * (low + high);
        self.volume += volume;
        self.first += middle * volume;
        self.second += middle * middle.transpose() * volume;
        self.second[(axis, axis)] += volume * (high - low) * (high - low) / 12.0;
    }

    fn mass(&self) -> MassProperties {
        let centre = self.first / self.volume;
        let central = self.second - centre * centre.transpose() * self.volume;
        let inertia = Matrix3::identity() * central.trace() - central;
        MassProperties { volume: self.volume, centre, inertia }
    }
}

/// Adds lines along the last axis, evenly spread over the box around the clump.
fn add_lines<const D: usize>(spheres: &[Sphere<3>], sum: &mut Moments) {
    let bounds = spheres.iter().fold(Aabb::empty(), |bounds, sphere| {
        let reach = Vector::repeat(sphere.radius);
        bounds.including(&(sphere.center - reach)).including(&(sphere.center + reach))
    });
    let across = if D == 2 { LINES } else { LINES.isqrt() };
    let axis = D - 1;
    let step = bounds.size() / across as f64;
    let section = (0..axis).map(|axis| step[axis]).product();
    let mut pieces = Vec::new();
    for line in 0..LINES {
        let places = [line % across, line / across];
        let mut at = Vector::zeros();
        for axis in 0..axis {
            at[axis] = bounds.low[axis] + (places[axis] as f64 + 0.5) * step[axis];
        }
        pieces.clear();
        pieces.extend(spheres.iter().filter_map(|sphere| piece(sphere, &at, axis)));
        visit_union(&mut pieces, |piece| sum.add_piece(&at, axis, piece, section));
    }
    if D == 2 {
        // Of height one.
        sum.second[(2, 2)] += sum.volume / 12.0;
    }
}

/// The part of a line in a sphere.
fn piece(sphere: &Sphere<3>, at: &Vector<3>, axis: usize) -> Option<[f64; 2]> {
    let mut way = sphere.center - at;
    way[axis] = 0.0;
    let square = sphere.radius * sphere.radius - way.norm_squared();
    (square > 0.0).then(|| {
        let half = square.sqrt();
        [sphere.center[axis] - half, sphere.center[axis] + half]
    })
}

/// Joins pieces that overlap.
fn visit_union(pieces: &mut [[f64; 2]], mut visit: impl FnMut([f64; 2])) {
    pieces.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    let Some((&first, rest)) = pieces.split_first() else { return };
    let mut joined = first;
    for &[low, high] in rest {
        if low <= joined[1] {
            joined[1] = joined[1].max(high);
        } else {
            visit(joined);
            joined = [low, high];
        }
    }
    visit(joined);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    fn close(found: f64, exact: f64, part: f64) {
        assert!((found / exact - 1.0).abs() < part, "{found} is not {exact}");
    }

    #[test]
    fn spheres_apart_are_summed_exactly() {
        let pair = [Sphere::new([1.0, 0.0, 0.0], 1.0), Sphere::new([-1.0, 0.0, 0.0], 1.0)];
        let mass = MassProperties::of_spheres::<3>(&pair);
        close(mass.volume, 8.0 * PI / 3.0, 1e-15);
        close(mass.inertia[(0, 0)], 0.4 * mass.volume, 1e-15);
        close(mass.inertia[(1, 1)], 1.4 * mass.volume, 1e-15);
        assert_eq!(mass.centre, Vector::<3>::zeros());
    }

    #[test]
    fn what_spheres_share_counts_once() {
        // Two caps of height 1/2 and volume pi h^2 (3 - h) / 3 are counted twice by a sum.
        let pair = [Sphere::new([0.5, 0.0, 0.0], 1.0), Sphere::new([-0.5, 0.0, 0.0], 1.0)];
        let found = MassProperties::of_spheres::<3>(&pair);
        close(found.volume, 8.0 * PI / 3.0 - 2.0 * PI * 0.25 * 2.5 / 3.0, 1e-4);
        assert!(found.centre.norm() < 1e-12, "{}", found.centre);
        // A sphere within a sphere adds nothing.
        let inner = [Sphere::new([1.0, 2.0, 3.0], 1.0), Sphere::new([1.1, 2.0, 3.0], 0.5)];
        let found = MassProperties::of_spheres::<3>(&inner);
        close(found.volume, 4.0 * PI / 3.0, 1e-4);
        close(found.inertia[(2, 2)], 0.4 * found.volume, 1e-4);
        assert!((found.centre - Vector::from([1.0, 2.0, 3.0])).norm() < 1e-4);
    }

    #[test]
    fn discs_have_areas() {
        let inner = [Sphere::new([1.0, 2.0, 0.0], 1.0), Sphere::new([1.1, 2.0, 0.0], 0.5)];
        let found = MassProperties::of_spheres::<2>(&inner);
        close(found.volume, PI, 1e-6);
        close(found.inertia[(2, 2)], 0.5 * PI, 1e-6);
        let apart = MassProperties::of_spheres::<2>(&inner[..1]);
        close(apart.inertia[(2, 2)], 0.5 * PI, 1e-14);
        close(apart.inertia[(0, 0)], PI * (0.25 + 1.0 / 12.0), 1e-14);
    }
}
