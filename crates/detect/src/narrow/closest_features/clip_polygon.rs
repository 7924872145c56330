//! Convex polygons in the plane, clipping, and affine functions over them.

/// An affine function of the plane, `gradient . x + constant`.
#[derive(Clone, Copy, Default)]
pub(super) struct AffineFunction {
    pub gradient: [f64; 2],
    pub constant: f64,
}

impl AffineFunction {
    #[inline(always)]
    pub(super) fn evaluate(&self, point: [f64; 2]) -> f64 {
        self.gradient[0] * point[0] + self.gradient[1] * point[1] + self.constant
    }

    /// Returns by how much this surface, under another one, is nearer to it than a reach, and the height midway
    /// between them.
    #[inline(always)]
    pub(super) fn depth_and_mid_height(
        &self,
        other: &AffineFunction,
        reach: f64,
    ) -> [AffineFunction; 2] {
        let ([x, y], [other_x, other_y]) = (self.gradient, other.gradient);
        let depth = AffineFunction {
            gradient: [x - other_x, y - other_y],
            constant: reach - (other.constant - self.constant),
        };
        let middle = AffineFunction {
            gradient: [0.5 * (x + other_x), 0.5 * (y + other_y)],
            constant: 0.5 * (self.constant + other.constant),
        };
        [depth, middle]
    }
}

/// A corner of a polygon.
#[derive(Clone, Copy, Default)]
pub(super) struct ClipVertex {
    pub position: [f64; 2],
    /// The label of the edge that starts at it.
    pub edge: u32,
}

/// The label of an edge made by a cut across which nothing continues.
pub(super) const CUT_EDGE: u32 = 0;

/// A convex polygon, counterclockwise.
#[derive(Clone, Default)]
pub(super) struct ClipPolygon {
    /// The first `count` entries are its corners; the others are spare capacity.
    buffer: Vec<ClipVertex>,
    count: usize,
}

/// An edge of a polygon.
#[derive(Clone, Copy, Default)]
pub(super) struct ClipEdge {
    start: [f64; 2],
    direction: [f64; 2],
}

impl ClipEdge {
    #[inline(always)]
    pub(super) fn between(start: [f64; 2], to: [f64; 2]) -> Self {
        ClipEdge { start, direction: minus(to, start) }
    }

    #[inline(always)]
    pub(super) fn orientation(&self, point: [f64; 2]) -> f64 {
        cross(self.direction, minus(point, self.start))
    }

    /// Returns whether a part of a box may be to the right of the edge.
    #[inline(always)]
    pub(super) fn may_clip(&self, [low, high]: [[f64; 2]; 2]) -> bool {
        // The corner of the box that is farthest to the outer side: if it is inside, all are.
        let x = if self.direction[1] > 0.0 { high[0] } else { low[0] };
        let y = if self.direction[0] > 0.0 { low[1] } else { high[1] };
        self.orientation([x, y]) < 0.0
    }
}

impl ClipPolygon {
    #[inline(always)]
    pub(super) fn corners(&self) -> &[ClipVertex] {
        &self.buffer[..self.count]
    }

    /// Reverses a clockwise polygon.
    pub(super) fn make_counterclockwise(&mut self) {
        if fan_triangles(self.corners()).map(|(_, area)| area).sum::<f64>() < 0.0 {
            self.buffer[..self.count].reverse();
        }
    }

    #[inline(always)]
    pub(super) fn push(&mut self, place: [f64; 2]) {
        if self.buffer.len() == self.count {
            self.buffer.push(ClipVertex::default());
        }
        self.buffer[self.count] = ClipVertex { position: place, edge: CUT_EDGE };
        self.count += 1;
    }

    #[inline(always)]
    pub(super) fn edges(&self) -> impl Iterator<Item = ClipEdge> {
        let corners = self.corners();
        (0..self.count).map(|k| {
            let next = if k + 1 == corners.len() { 0 } else { k + 1 };
            ClipEdge::between(corners[k].position, corners[next].position)
        })
    }

    /// Replaces this polygon by the part of another with nonnegative values (Sutherland and Hodgman, 1974); the edge
    /// along the cut gets a label. Which corners stay is unpredictable, so nothing branches on it: every candidate
    /// is written, and the count advances by the test.
    #[inline(always)]
    pub(super) fn clip_from(
        &mut self,
        corners: &[ClipVertex],
        number: u32,
        value: impl Fn([f64; 2]) -> f64,
    ) {
        self.count = 0;
        if self.buffer.len() < 2 * corners.len() + 1 {
            self.buffer.resize(2 * corners.len() + 1, ClipVertex::default());
        }
        let Some(first) = corners.first() else { return };
        let value_of_first = value(first.position);
        let (mut from, mut at_from) = (*first, value_of_first);
        let room = &mut self.buffer[..2 * corners.len() + 1];
        let mut count = 0;
        for k in 1..=corners.len() {
            let (to, at_to) = match corners.get(k) {
                Some(to) => (*to, value(to.position)),
                None => (*first, value_of_first),
            };
            let leaves = at_to < 0.0;
            let along = if leaves { number } else { from.edge };
            let on_line = (at_from == 0.0) & leaves;
            // Both candidates are written and the count decides, so that nothing branches on unpredictable signs.
            room[count] = ClipVertex { edge: if on_line { number } else { from.edge }, ..from };
            count += usize::from(at_from >= 0.0);
            let part = at_from / (at_from - at_to);
            let [x, y] = from.position;
            let place = [x + part * (to.position[0] - x), y + part * (to.position[1] - y)];
            room[count] = ClipVertex { position: place, edge: along };
            count += usize::from((at_from > 0.0) & leaves | (at_from < 0.0) & (at_to > 0.0));
            (from, at_from) = (to, at_to);
        }
        self.count = count;
    }
}

/// Returns the least and the largest coordinates; `None` without corners.
#[inline(always)]
pub(super) fn bounds(corners: &[ClipVertex]) -> Option<[[f64; 2]; 2]> {
    let (first, rest) = corners.split_first()?;
    let (mut low, mut high) = (first.position, first.position);
    for corner in rest {
        for axis in 0..2 {
            low[axis] = smaller(low[axis], corner.position[axis]);
            high[axis] = -smaller(-high[axis], -corner.position[axis]);
        }
    }
    Some([low, high])
}

/// Returns the triangles of a fan over a polygon, with twice the area of each.
#[inline(always)]
pub(super) fn fan_triangles(corners: &[ClipVertex]) -> impl Iterator<Item = ([[f64; 2]; 3], f64)> {
    (1..corners.len().max(2) - 1).map(|k| {
        let corners = [corners[0].position, corners[k].position, corners[k + 1].position];
        (corners, cross(minus(corners[1], corners[0]), minus(corners[2], corners[0])))
    })
}

// `f64::min` also handles NaN; this is one instruction.
#[inline(always)]
fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

#[inline(always)]
fn minus(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

#[inline(always)]
fn cross(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}
