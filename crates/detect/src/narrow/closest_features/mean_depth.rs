//! The mean depth of what is pressed, from integrals of powers of linear functions over polygons.

use super::polygon::{Corner, Linear, triangles};
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

/// So many triangles are dealt with at once.
const LANES: usize = 4;
/// One number of each of them.
type Lanes = Vector<LANES>;

/// What is summed over all parts that press on each other, each lane for itself. Areas are twice as large as they are,
/// and constants are left to the end.
#[derive(Default)]
pub(super) struct Sums {
    /// The largest depth that there can be, in parts of which others are told.
    largest: f64,
    /// Integrals of the depth in the mean's power, and in those one and two lower.
    powers: [Lanes; 3],
    /// The same of the two lower ones times the place.
    moments: [[Lanes; 3]; 2],
    /// The area, places and squares of places.
    area: Lanes,
    places: [Lanes; 2],
    squares: [Lanes; 3],
    waiting: Triangles,
}

/// Triangles that wait until there are enough: coordinates of their corners across the normal and along it, their
/// depths, and twice their areas.
#[derive(Default)]
struct Triangles {
    places: [[Lanes; 3]; 3],
    depths: [Lanes; 3],
    areas: Lanes,
    count: usize,
}

impl Sums {
    #[inline(always)]
    pub(super) fn new(largest: f64) -> Self {
        Sums { largest, ..Sums::default() }
    }

    /// Adds a polygon over which the bodies are so deep in each other, and midway between them it is so high.
    #[inline(always)]
    pub(super) fn add(&mut self, corners: &[Corner], depth: &Linear, height: &Linear) {
        let part = 1.0 / self.largest;
        for (corners, area) in triangles(corners) {
            let Triangles { places, depths, areas, count: lane } = &mut self.waiting;
            for (number, &corner) in corners.iter().enumerate() {
                places[0][number][*lane] = corner[0];
                places[1][number][*lane] = corner[1];
                places[2][number][*lane] = height.at(corner);
                let depth = depth.at(corner) * part;
                depths[number][*lane] = if depth > 0.0 { depth } else { 0.0 };
            }
            // Of a patch as thin as rounding some triangles are turned over. Areas of both signs would cancel in the sum
            // but not in the moments, and the middle would lie anywhere.
            areas[*lane] = area.max(0.0);
            *lane += 1;
            if *lane == LANES {
                self.add_waiting();
            }
        }
    }

    /// Adds those that wait.
    #[inline(always)]
    fn add_waiting(&mut self) {
        let Triangles { places, depths, areas, .. } = &self.waiting;
        let complete = Complete::of(depths);
        for lower in 0..3 {
            self.powers[lower] += areas.component_mul(&complete.all[lower]);
        }
        for number in 0..3 {
            for lower in 0..2 {
                let share = areas.component_mul(&complete.with[lower][number]);
                for axis in 0..3 {
                    self.moments[lower][axis] += share.component_mul(&places[axis][number]);
                }
            }
        }
        self.area += areas;
        let [xs, ys, _] = places;
        let [x, y] = [xs, ys].map(|all| all[0] + all[1] + all[2]);
        self.places[0] += areas.component_mul(&x);
        self.places[1] += areas.component_mul(&y);
        // The mean of a product over a triangle: that of its corners and of their sums.
        let product = |one: &[Lanes; 3], two: &[Lanes; 3], sums: [&Lanes; 2]| {
            let corners = (0..3).map(|k| one[k].component_mul(&two[k]));
            areas.component_mul(&corners.fold(sums[0].component_mul(sums[1]), |a, b| a + b))
        };
        self.squares[0] += product(xs, xs, [&x, &x]);
        self.squares[1] += product(xs, ys, [&x, &y]);
        self.squares[2] += product(ys, ys, [&y, &y]);
        self.waiting.areas = Lanes::zeros();
        self.waiting.count = 0;
    }

    /// How hard all that was added presses, in the power in which it is weighted.
    pub(super) fn weight(&mut self) -> f64 {
        self.add_waiting();
        self.powers[1].sum()
    }

    /// None where nothing of any area is pressed.
    #[inline(always)]
    pub(super) fn mean(&mut self) -> Option<Mean> {
        self.add_waiting();
        let n = POWER as f64;
        let [highest, power, lowest] =
            [0, 1, 2].map(|lower| self.powers[lower].sum() / binomial(lower, 2));
        let [moments, lower_moments] = [0, 1].map(|which| {
            Vector::from(self.moments[which].map(|lanes| lanes.sum())) / binomial(which + 1, 3)
        });
        let depth = highest / power;
        // How the mean grows with the depth of a place: n d^(n-1) less (n-1) d^(n-2) times the mean.
        let lower = (n - 1.0) * depth;
        let rate = (n * power - lower * lowest) / power;
        let moment = (moments * n - lower_moments * lower) / power;
        let middle = moment / rate;
        let area = self.area.sum();
        let places = self.places.map(|lanes| lanes.sum() / 3.0);
        let about = |square: f64, x: usize, y: usize| {
            (square - places[x] * middle[y] - places[y] * middle[x]) / area + middle[x] * middle[y]
        };
        let [xx, xy, yy] = self.squares.map(|lanes| lanes.sum() / 12.0);
        let squares = [about(xx, 0, 0).max(0.0), about(xy, 0, 1), about(yy, 1, 1).max(0.0)];
        let mut numbers = middle.iter().chain(&squares).chain([&depth, &rate]);
        let usable = rate > 0.0 && numbers.all(|number| number.is_finite());
        usable.then_some(Mean { middle: middle.into(), squares, depth: depth * self.largest, rate })
    }
}

/// The product of so many numbers that follow a power so much lower than the mean's.
fn binomial(lower: usize, count: usize) -> f64 {
    (1..=count).map(|k| (POWER - lower + k) as f64).product()
}

/// Complete homogeneous polynomials of the values of a linear function in the corners of a triangle. The
/// integral of a power of the function is that of this degree over a binomial; with a coordinate before
/// it, that of these values and that corner's once more.
struct Complete {
    /// Of degree `POWER`, one less and two less.
    all: [Lanes; 3],
    /// Of one and of two less, with the value of each corner once more.
    with: [[Lanes; 3]; 2],
}

impl Complete {
    #[inline(always)]
    fn of(values: &[Lanes; 3]) -> Self {
        let mut degree = Degree::none();
        for _ in 0..POWER - 2 {
            degree = degree.next(values);
        }
        let one_less = degree.next(values);
        let highest = one_less.next(values);
        Complete {
            all: [highest.of_three, one_less.of_three, degree.of_three],
            with: [one_less.with, degree.with],
        }
    }
}

/// Those of one degree: of the first value alone, of two, of all three, and of these with each once more.
#[derive(Clone, Copy)]
struct Degree {
    of_one: Lanes,
    of_two: Lanes,
    of_three: Lanes,
    with: [Lanes; 3],
}

impl Degree {
    #[inline(always)]
    fn none() -> Self {
        let one = Lanes::repeat(1.0);
        Degree { of_one: one, of_two: one, of_three: one, with: [one; 3] }
    }

    /// Those of one more value follow from those of one degree less. All go on together from degree to degree, so
    /// that none waits for more than the degree before.
    #[inline(always)]
    fn next(&self, [x, y, z]: &[Lanes; 3]) -> Self {
        let of_one = self.of_one.component_mul(x);
        let of_two = of_one + self.of_two.component_mul(y);
        let of_three = of_two + self.of_three.component_mul(z);
        let [with_x, with_y, with_z] = &self.with;
        let with = [
            of_three + with_x.component_mul(x),
            of_three + with_y.component_mul(y),
            of_three + with_z.component_mul(z),
        ];
        Degree { of_one, of_two, of_three, with }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A patch as thin as rounding, of which one triangle is turned over and nearly as large as the other.
    #[test]
    fn the_middle_of_a_patch_without_width_lies_within_it() {
        for height in [1e-16, 1e-12, 1e-3] {
            let places = [[0.0, 0.0], [1.0, 0.0], [1.0, height], [0.3, -0.699_999 * height]];
            let corners = places.map(|place| Corner { place, side: 0 });
            let mut sums = Sums::new(1.0);
            let depth = Linear { slope: [0.2, 0.1], at_zero: 0.5 };
            sums.add(&corners, &depth, &Linear { slope: [1.0, 0.0], at_zero: 0.0 });
            let mean = sums.mean().expect("some of it has an area");
            let [x, y, z] = mean.middle;
            assert!((0.0..=1.0).contains(&x) && (-height..=height).contains(&y), "{x} {y}");
            assert!((0.0..=1.0).contains(&z), "{z}");
            assert!((0.5..=0.7).contains(&mean.depth), "{}", mean.depth);
        }
    }
}
