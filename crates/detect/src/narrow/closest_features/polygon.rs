//! Convex polygons of the plane, what is cut off them, and linear functions over them.

/// Of faces with more corners so many are taken, evenly.
pub(super) const CORNERS: usize = 24;
/// A polygon of so many corners may be cut by as many sides, and once more.
const ROOM: usize = 2 * CORNERS + 2;

/// A linear function of the plane.
#[derive(Clone, Copy)]
pub(super) struct Linear {
    pub slope: [f64; 2],
    pub at_zero: f64,
}

impl Linear {
    #[inline(always)]
    pub(super) fn at(&self, point: [f64; 2]) -> f64 {
        self.slope[0] * point[0] + self.slope[1] * point[1] + self.at_zero
    }
}

/// A convex polygon, to the left.
#[derive(Clone, Copy)]
pub(super) struct Polygon {
    points: [[f64; 2]; ROOM],
    pub count: usize,
}

/// A side of a polygon.
pub(super) struct Side {
    from: [f64; 2],
    way: [f64; 2],
}

impl Side {
    #[inline(always)]
    pub(super) fn left_of(&self, point: [f64; 2]) -> f64 {
        cross(self.way, minus(point, self.from))
    }
}

impl Polygon {
    /// Turns it to the left if it is to the right.
    pub(super) fn turn_left(&mut self) {
        if self.triangles().map(|(_, area)| area).sum::<f64>() < 0.0 {
            self.points[..self.count].reverse();
        }
    }

    #[inline(always)]
    pub(super) fn empty() -> Self {
        Polygon { points: [[0.0; 2]; ROOM], count: 0 }
    }

    /// The least and the largest coordinates; none without corners.
    #[inline(always)]
    pub(super) fn bounds(&self) -> Option<[[f64; 2]; 2]> {
        let mut points = self.points[..self.count].iter();
        let first = *points.next()?;
        Some(points.fold([first, first], |[low, high], point| {
            let either = |choose: fn(f64, f64) -> f64, bound: [f64; 2]| {
                [0, 1].map(|axis| choose(bound[axis], point[axis]))
            };
            [either(f64::min, low), either(f64::max, high)]
        }))
    }

    #[inline(always)]
    pub(super) fn push(&mut self, point: [f64; 2]) {
        if self.count < ROOM {
            self.points[self.count] = point;
            self.count += 1;
        }
    }

    #[inline(always)]
    pub(super) fn sides(&self) -> impl Iterator<Item = Side> {
        (0..self.count).map(|k| {
            let (from, to) = (self.points[k], self.points[(k + 1) % self.count]);
            Side { from, way: minus(to, from) }
        })
    }

    /// What has a positive value becomes another polygon (Sutherland and Hodgman, 1974).
    #[inline(always)]
    pub(super) fn clip_into(&self, clipped: &mut Polygon, value: impl Fn([f64; 2]) -> f64) {
        clipped.count = 0;
        let Some(&first) = self.points[..self.count].first() else { return };
        let value_of_first = value(first);
        let (mut from, mut at_from) = (first, value_of_first);
        for k in 1..=self.count {
            let (to, at_to) = match self.points[..self.count].get(k) {
                Some(&to) => (to, value(to)),
                None => (first, value_of_first),
            };
            if at_from >= 0.0 {
                clipped.push(from);
            }
            if (at_from > 0.0 && at_to < 0.0) || (at_from < 0.0 && at_to > 0.0) {
                let part = at_from / (at_from - at_to);
                clipped.push([0, 1].map(|axis| from[axis] + part * (to[axis] - from[axis])));
            }
            (from, at_from) = (to, at_to);
        }
    }

    /// Triangles that it is made of, and twice the area of each.
    #[inline(always)]
    pub(super) fn triangles(&self) -> impl Iterator<Item = ([[f64; 2]; 3], f64)> {
        (1..self.count.max(2) - 1).map(|k| {
            let corners = [self.points[0], self.points[k], self.points[k + 1]];
            (corners, cross(minus(corners[1], corners[0]), minus(corners[2], corners[0])))
        })
    }
}

#[inline(always)]
fn minus(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

#[inline(always)]
fn cross(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}
