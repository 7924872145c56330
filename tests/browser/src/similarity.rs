//! The similarity transformation that maps points of a page to positions of the plane.

/// Position = origin + scale · point, with the second axis of the page downwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Similarity {
    pub scale: f64,
    origin: [f64; 2],
}

impl Similarity {
    /// Returns the distance of a position from the image of a point.
    pub fn distance(&self, [x, y]: [f64; 2], place: [f64; 2]) -> f64 {
        let [right, up] = [self.origin[0] + self.scale * x, self.origin[1] - self.scale * y];
        (place[0] - right).hypot(place[1] - up)
    }
}

/// Returns the best fit to pairs of point and position; `None` if all points coincide.
pub fn fitted(pairs: &[([f64; 2], [f64; 2])]) -> Option<Similarity> {
    let mean = |numbers: &dyn Fn(usize) -> f64| {
        (0..pairs.len()).map(numbers).sum::<f64>() / pairs.len() as f64
    };
    let point = [0, 1].map(|axis| mean(&|index| pairs[index].0[axis]));
    let place = [0, 1].map(|axis| mean(&|index| pairs[index].1[axis]));
    let (mut product, mut square) = (0.0, 0.0);
    for (at, is) in pairs {
        let [x, y] = [at[0] - point[0], at[1] - point[1]];
        product += x * (is[0] - place[0]) - y * (is[1] - place[1]);
        square += x * x + y * y;
    }
    let scale = product / square;
    let origin = [place[0] - scale * point[0], place[1] + scale * point[1]];
    (square > 0.0).then_some(Similarity { scale, origin })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_is_found_from_its_points_and_a_mirrored_one_does_not_fit() {
        let points = [[0.0, 0.0], [10.0, 0.0], [0.0, 10.0], [10.0, 30.0]];
        let place = |[x, y]: [f64; 2], up: f64| [5.0 + 0.5 * x, 7.0 + 0.5 * up * y];
        let upright = points.map(|point| (point, place(point, -1.0)));
        let map = fitted(&upright).expect("points differ");
        assert!((map.scale - 0.5).abs() < 1e-12);
        assert!(upright.iter().all(|(point, place)| map.distance(*point, *place) < 1e-12));
        let mirrored = points.map(|point| (point, place(point, 1.0)));
        let map = fitted(&mirrored).expect("points differ");
        assert!(mirrored.iter().any(|(point, place)| map.distance(*point, *place) > 1.0));
        assert_eq!(fitted(&upright[..1]), None);
    }
}
