//! The mean depth of what is pressed, from integrals of powers of linear functions over polygons.

use super::caps::Cap;
use super::polygon::Polygon;
use carom_geometry::Vector;

/// The mean is that of depths weighted by a power one lower than this.
pub(super) const POWER: usize = 8;

/// Of the depth over all that is pressed.
pub(super) struct Mean {
    /// Across the normal and along it.
    pub middle: [f64; 3],
    pub squares: [f64; 3],
    pub depth: f64,
    pub rate: f64,
}

/// What is summed over all parts that press on each other. Areas are twice as large as they are.
#[derive(Default)]
pub(super) struct Sums {
    /// The largest depth that there can be, in parts of which others are told.
    largest: f64,
    /// Integrals of the depth in the mean's power, and in those one and two lower.
    pub powers: [f64; 3],
    /// The same of the two lower ones times the place.
    moments: [Vector<3>; 2],
    /// The area, places and squares of places.
    area: f64,
    places: [f64; 2],
    squares: [f64; 3],
}

impl Sums {
    #[inline(always)]
    pub(super) fn new(largest: f64) -> Self {
        Sums { largest, ..Sums::default() }
    }

    /// Adds where one cap lies over another and is nearer than the reach. What is cut off goes from one room to
    /// the other, so that polygons are not moved.
    #[inline(always)]
    pub(super) fn add(
        &mut self,
        below: &Cap,
        above: &Cap,
        reach: f64,
        [one, two]: &mut [Polygon; 2],
    ) {
        let (mut polygon, mut clipped) = (one, two);
        let depth = |point| reach - (above.height.at(point) - below.height.at(point));
        below.polygon.clip_into(polygon, depth);
        for side in above.polygon.sides() {
            if polygon.count < 3 {
                return;
            }
            polygon.clip_into(clipped, |point| side.left_of(point));
            std::mem::swap(&mut polygon, &mut clipped);
        }
        for (corners, area) in polygon.triangles() {
            let values = corners.map(|corner| (depth(corner) / self.largest).max(0.0));
            let complete = Complete::of(values);
            for lower in 0..3 {
                let n = (POWER - lower) as f64;
                self.powers[lower] += area * complete.all[lower] / ((n + 1.0) * (n + 2.0));
            }
            for (number, &corner) in corners.iter().enumerate() {
                let height = 0.5 * (above.height.at(corner) + below.height.at(corner));
                for lower in 1..3 {
                    let n = (POWER - lower) as f64;
                    let share =
                        area * complete.with[lower][number] / ((n + 1.0) * (n + 2.0) * (n + 3.0));
                    self.moments[lower - 1] += Vector::from([corner[0], corner[1], height]) * share;
                }
            }
            self.add_squares(&corners, area);
        }
    }

    /// Points in the middles of the sides of a triangle give its mean squares exactly.
    #[inline(always)]
    fn add_squares(&mut self, corners: &[[f64; 2]; 3], area: f64) {
        self.area += area;
        for (from, to) in [(0, 1), (1, 2), (2, 0)] {
            let [x, y] = [0, 1].map(|axis| 0.5 * (corners[from][axis] + corners[to][axis]));
            let share = area / 3.0;
            self.places = [self.places[0] + share * x, self.places[1] + share * y];
            let [xx, xy, yy] = self.squares;
            self.squares = [xx + share * x * x, xy + share * x * y, yy + share * y * y];
        }
    }

    /// None where nothing of any area is pressed.
    #[inline(always)]
    pub(super) fn mean(&self) -> Option<Mean> {
        let [highest, middle, lowest] = self.powers;
        let n = POWER as f64;
        let depth = highest / middle;
        // How the mean grows with the depth of a place: n d^(n-1) less (n-1) d^(n-2) times the mean.
        let lower = (n - 1.0) * depth;
        let rate = (n * middle - lower * lowest) / middle;
        let moment = (self.moments[0] * n - self.moments[1] * lower) / middle;
        let middle = moment / rate;
        let about = |square: f64, x: usize, y: usize| {
            (square - self.places[x] * middle[y] - self.places[y] * middle[x]) / self.area
                + middle[x] * middle[y]
        };
        let [xx, xy, yy] = self.squares;
        let squares = [about(xx, 0, 0).max(0.0), about(xy, 0, 1), about(yy, 1, 1).max(0.0)];
        let mut numbers = middle.iter().chain(&squares).chain([&depth, &rate]);
        let usable = rate > 0.0 && numbers.all(|number| number.is_finite());
        usable.then_some(Mean { middle: middle.into(), squares, depth: depth * self.largest, rate })
    }
}

/// Complete homogeneous polynomials of the values of a linear function in the corners of a triangle. The
/// integral of a power of the function is that of this degree over a binomial; with a coordinate before
/// it, that of these values and that corner's once more.
struct Complete {
    /// Of degree `POWER`, one less and two less.
    all: [f64; 3],
    /// The same with the value of each corner once more.
    with: [[f64; 3]; 3],
}

impl Complete {
    /// Those of one more value follow from those of one degree less. All go on together from degree to degree, so
    /// that none waits for more than the degree before.
    #[inline(always)]
    fn of([x, y, z]: [f64; 3]) -> Self {
        let (mut of_x, mut of_two) = (1.0, 1.0);
        let (mut all, mut with) = ([1.0; 3], [[1.0; 3]; 3]);
        for _ in 0..POWER {
            of_x *= x;
            of_two = of_x + y * of_two;
            all = [of_two + z * all[0], all[0], all[1]];
            let [before, ..] = with;
            let next = [all[0] + x * before[0], all[0] + y * before[1], all[0] + z * before[2]];
            with = [next, with[0], with[1]];
        }
        Complete { all, with }
    }
}
