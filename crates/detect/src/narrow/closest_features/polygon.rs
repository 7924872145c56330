//! Convex polygons of the plane, what is cut off them, and linear functions over them.

/// A linear function of the plane.
#[derive(Clone, Copy, Default)]
pub(super) struct Linear {
    pub slope: [f64; 2],
    pub at_zero: f64,
}

impl Linear {
    #[inline(always)]
    pub(super) fn at(&self, point: [f64; 2]) -> f64 {
        self.slope[0] * point[0] + self.slope[1] * point[1] + self.at_zero
    }

    /// Under another one: how much nearer than a reach they are, and how high the middle between them is.
    #[inline(always)]
    pub(super) fn under(&self, other: &Linear, reach: f64) -> [Linear; 2] {
        let ([x, y], [other_x, other_y]) = (self.slope, other.slope);
        let depth = Linear {
            slope: [x - other_x, y - other_y],
            at_zero: reach - (other.at_zero - self.at_zero),
        };
        let middle = Linear {
            slope: [0.5 * (x + other_x), 0.5 * (y + other_y)],
            at_zero: 0.5 * (self.at_zero + other.at_zero),
        };
        [depth, middle]
    }
}

/// A corner of a polygon.
#[derive(Clone, Copy, Default)]
pub(super) struct Corner {
    pub place: [f64; 2],
    /// The number of the side that leads on from it.
    pub side: u32,
}

/// The number of a side along which something was cut off that nobody asks for.
pub(super) const CUT: u32 = 0;

/// A convex polygon, to the left.
#[derive(Clone, Default)]
pub(super) struct Polygon {
    /// The first of them are its corners, the others are room.
    room: Vec<Corner>,
    count: usize,
}

/// A side of a polygon.
#[derive(Clone, Copy, Default)]
pub(super) struct Side {
    from: [f64; 2],
    way: [f64; 2],
}

impl Side {
    #[inline(always)]
    pub(super) fn between(from: [f64; 2], to: [f64; 2]) -> Self {
        Side { from, way: minus(to, from) }
    }

    #[inline(always)]
    pub(super) fn left_of(&self, point: [f64; 2]) -> f64 {
        cross(self.way, minus(point, self.from))
    }

    /// Whether some of a box may be to the right of it.
    #[inline(always)]
    pub(super) fn may_cut(&self, [low, high]: [[f64; 2]; 2]) -> bool {
        let x = if self.way[1] > 0.0 { high[0] } else { low[0] };
        let y = if self.way[0] > 0.0 { low[1] } else { high[1] };
        self.left_of([x, y]) < 0.0
    }
}

impl Polygon {
    #[inline(always)]
    pub(super) fn corners(&self) -> &[Corner] {
        &self.room[..self.count]
    }

    /// Turns it to the left if it is to the right.
    pub(super) fn turn_left(&mut self) {
        if triangles(self.corners()).map(|(_, area)| area).sum::<f64>() < 0.0 {
            self.room[..self.count].reverse();
        }
    }

    #[inline(always)]
    pub(super) fn push(&mut self, place: [f64; 2]) {
        if self.room.len() == self.count {
            self.room.push(Corner::default());
        }
        self.room[self.count] = Corner { place, side: CUT };
        self.count += 1;
    }

    #[inline(always)]
    pub(super) fn sides(&self) -> impl Iterator<Item = Side> {
        let corners = self.corners();
        (0..self.count).map(|k| {
            let next = if k + 1 == corners.len() { 0 } else { k + 1 };
            Side::between(corners[k].place, corners[next].place)
        })
    }

    /// What of corners has a positive value becomes this polygon (Sutherland and Hodgman, 1974); the side along which
    /// the rest is cut off has a number. Which corners stay cannot be foreseen, so nothing branches on it.
    #[inline(always)]
    pub(super) fn cut_from(
        &mut self,
        corners: &[Corner],
        number: u32,
        value: impl Fn([f64; 2]) -> f64,
    ) {
        self.count = 0;
        if self.room.len() < 2 * corners.len() + 1 {
            self.room.resize(2 * corners.len() + 1, Corner::default());
        }
        let Some(first) = corners.first() else { return };
        let value_of_first = value(first.place);
        let (mut from, mut at_from) = (*first, value_of_first);
        let room = &mut self.room[..2 * corners.len() + 1];
        let mut count = 0;
        for k in 1..=corners.len() {
            let (to, at_to) = match corners.get(k) {
                Some(to) => (*to, value(to.place)),
                None => (*first, value_of_first),
            };
            let leaves = at_to < 0.0;
            let along = if leaves { number } else { from.side };
            let on_line = (at_from == 0.0) & leaves;
            room[count] = Corner { side: if on_line { number } else { from.side }, ..from };
            count += usize::from(at_from >= 0.0);
            let part = at_from / (at_from - at_to);
            let [x, y] = from.place;
            let place = [x + part * (to.place[0] - x), y + part * (to.place[1] - y)];
            room[count] = Corner { place, side: along };
            count += usize::from((at_from > 0.0) & leaves | (at_from < 0.0) & (at_to > 0.0));
            (from, at_from) = (to, at_to);
        }
        self.count = count;
    }
}

/// The least and the largest coordinates; none without corners.
#[inline(always)]
pub(super) fn bounds(corners: &[Corner]) -> Option<[[f64; 2]; 2]> {
    let (first, rest) = corners.split_first()?;
    let (mut low, mut high) = (first.place, first.place);
    for corner in rest {
        for axis in 0..2 {
            low[axis] = smaller(low[axis], corner.place[axis]);
            high[axis] = -smaller(-high[axis], -corner.place[axis]);
        }
    }
    Some([low, high])
}

/// Triangles that it is made of, and twice the area of each.
#[inline(always)]
pub(super) fn triangles(corners: &[Corner]) -> impl Iterator<Item = ([[f64; 2]; 3], f64)> {
    (1..corners.len().max(2) - 1).map(|k| {
        let corners = [corners[0].place, corners[k].place, corners[k + 1].place];
        (corners, cross(minus(corners[1], corners[0]), minus(corners[2], corners[0])))
    })
}

// Other than that of the standard library, this is one instruction.
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
