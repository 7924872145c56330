//! Convex polygons cut by half-planes: the cells of a diagram, inside its frame.

/// A convex polygon, its corners in order around it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct DiagramPolygon {
    pub corners: Vec<[f64; 2]>,
}

impl DiagramPolygon {
    /// Creates the rectangle from the origin to `size`.
    pub(super) fn rectangle([width, height]: [f64; 2]) -> Self {
        DiagramPolygon { corners: vec![[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]] }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.corners.is_empty()
    }

    /// Clips it to `normal . x <= offset` (Sutherland and Hodgman 1974); `space` is reused.
    pub(super) fn clip(&mut self, normal: [f64; 2], offset: f64, space: &mut Vec<[f64; 2]>) {
        let beyond = |[x, y]: [f64; 2]| normal[0] * x + normal[1] * y - offset;
        space.clear();
        for (index, &corner) in self.corners.iter().enumerate() {
            let next = self.corners[(index + 1) % self.corners.len()];
            let (here, there) = (beyond(corner), beyond(next));
            if here <= 0.0 {
                space.push(corner);
            }
            if (here <= 0.0) != (there <= 0.0) {
                let share = here / (here - there);
                space.push([0, 1].map(|axis| corner[axis] + share * (next[axis] - corner[axis])));
            }
        }
        std::mem::swap(&mut self.corners, space);
        if self.corners.len() < 3 {
            self.corners.clear();
        }
    }

    #[cfg(test)]
    pub(super) fn area(&self) -> f64 {
        let count = self.corners.len();
        let cross = |index: usize| {
            let ([a, b], [c, d]) = (self.corners[index], self.corners[(index + 1) % count]);
            a * d - b * c
        };
        0.5 * (0..count).map(cross).sum::<f64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_is_cut_to_a_triangle_and_to_nothing() {
        let mut polygon = DiagramPolygon::rectangle([2.0, 2.0]);
        let mut space = Vec::new();
        polygon.clip([1.0, 1.0], 2.0, &mut space);
        assert_eq!(polygon.area(), 2.0);
        polygon.clip([1.0, 0.0], 5.0, &mut space);
        assert_eq!(polygon.area(), 2.0);
        polygon.clip([1.0, 0.0], -1.0, &mut space);
        assert!(polygon.is_empty());
        polygon.clip([1.0, 0.0], 1.0, &mut space);
        assert!(polygon.is_empty());
    }
}
