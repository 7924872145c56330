//! The mean depth of what is pressed, from integrals of powers of linear functions over polygons.

use super::clip_polygon::{AffineFunction, ClipVertex, fan_triangles};
use carom_geometry::Vector;

/// The mean is that of depths weighted by a power one lower than this.
pub(super) const POWER: usize = 8;

/// Of the depth over all that is pressed.
pub(super) struct MeanDepth {
    /// Across the normal and along it.
    pub center: [f64; 3],
    pub second_moments: [f64; 3],
    pub depth: f64,
    pub depth_rate: f64,
}

/// So many triangles are dealt with at once.
const LANES: usize = 4;
/// One number of each of them.
type DepthLanes = Vector<LANES>;

/// What is summed over all parts that press on each other, each lane for itself. Areas are twice as large as they are,
/// and constants are left to the end.
#[derive(Default)]
pub(super) struct DepthIntegrals {
    /// The largest depth that there can be, in parts of which others are told.
    max_depth: f64,
    /// Integrals of the depth in the mean's power, and in those one and two lower.
    power_integrals: [DepthLanes; 3],
    /// The same of the two lower ones times the place.
    power_moments: [[DepthLanes; 3]; 2],
    /// The area, places and squares of places.
    area: DepthLanes,
    first_moments: [DepthLanes; 2],
    second_moments: [DepthLanes; 3],
    pending: DepthTriangleBatch,
}

/// Triangles that wait until there are enough: coordinates of their corners across the normal and along it, their
/// depths, and twice their areas.
#[derive(Default)]
struct DepthTriangleBatch {
    positions: [[DepthLanes; 3]; 3],
    depths: [DepthLanes; 3],
    areas: DepthLanes,
    count: usize,
}

impl DepthIntegrals {
    #[inline(always)]
    pub(super) fn new(max_depth: f64) -> Self {
        DepthIntegrals { max_depth, ..DepthIntegrals::default() }
    }

    /// Adds a polygon over which the bodies are so deep in each other, and midway between them it is so high.
    #[inline(always)]
    pub(super) fn add(
        &mut self,
        corners: &[ClipVertex],
        depth: &AffineFunction,
        height: &AffineFunction,
    ) {
        let part = 1.0 / self.max_depth;
        for (corners, area) in fan_triangles(corners) {
            let DepthTriangleBatch { positions: places, depths, areas, count: lane } =
                &mut self.pending;
            for (number, &corner) in corners.iter().enumerate() {
                places[0][number][*lane] = corner[0];
                places[1][number][*lane] = corner[1];
                places[2][number][*lane] = height.evaluate(corner);
                let depth = depth.evaluate(corner) * part;
                depths[number][*lane] = if depth > 0.0 { depth } else { 0.0 };
            }
            // Of a patch as thin as rounding some triangles are turned over. Areas of both signs would cancel in the sum
            // but not in the moments, and the middle would lie anywhere.
            areas[*lane] = area.max(0.0);
            *lane += 1;
            if *lane == LANES {
                self.add_pending();
            }
        }
    }

    /// Adds those that wait.
    #[inline(always)]
    fn add_pending(&mut self) {
        let DepthTriangleBatch { positions: places, depths, areas, .. } = &self.pending;
        let complete = HomogeneousPolynomials::from_values(depths);
        for lower in 0..3 {
            self.power_integrals[lower] += areas.component_mul(&complete.values[lower]);
        }
        for number in 0..3 {
            for lower in 0..2 {
                let share = areas.component_mul(&complete.with_repeated_corner[lower][number]);
                for axis in 0..3 {
                    self.power_moments[lower][axis] += share.component_mul(&places[axis][number]);
                }
            }
        }
        self.area += areas;
        let [xs, ys, _] = places;
        let [x, y] = [xs, ys].map(|all| all[0] + all[1] + all[2]);
        self.first_moments[0] += areas.component_mul(&x);
        self.first_moments[1] += areas.component_mul(&y);
        // The mean of a product over a triangle: that of its corners and of their sums.
        let product = |one: &[DepthLanes; 3], two: &[DepthLanes; 3], sums: [&DepthLanes; 2]| {
            let corners = (0..3).map(|k| one[k].component_mul(&two[k]));
            areas.component_mul(&corners.fold(sums[0].component_mul(sums[1]), |a, b| a + b))
        };
        self.second_moments[0] += product(xs, xs, [&x, &x]);
        self.second_moments[1] += product(xs, ys, [&x, &y]);
        self.second_moments[2] += product(ys, ys, [&y, &y]);
        self.pending.areas = DepthLanes::zeros();
        self.pending.count = 0;
    }

    /// How hard all that was added presses, in the power in which it is weighted.
    pub(super) fn total_weight(&mut self) -> f64 {
        self.add_pending();
        self.power_integrals[1].sum()
    }

    /// None where nothing of any area is pressed.
    #[inline(always)]
    pub(super) fn mean(&mut self) -> Option<MeanDepth> {
        self.add_pending();
        let n = POWER as f64;
        let [highest, power, lowest] =
            [0, 1, 2].map(|lower| self.power_integrals[lower].sum() / rising_product(lower, 2));
        let [moments, lower_moments] = [0, 1].map(|which| {
            Vector::from(self.power_moments[which].map(|lanes| lanes.sum()))
                / rising_product(which + 1, 3)
        });
        let depth = highest / power;
        // How the mean grows with the depth of a place: n d^(n-1) less (n-1) d^(n-2) times the mean.
        let lower = (n - 1.0) * depth;
        let rate = (n * power - lower * lowest) / power;
        let moment = (moments * n - lower_moments * lower) / power;
        let middle = moment / rate;
        let area = self.area.sum();
        let places = self.first_moments.map(|lanes| lanes.sum() / 3.0);
        let about = |square: f64, x: usize, y: usize| {
            (square - places[x] * middle[y] - places[y] * middle[x]) / area + middle[x] * middle[y]
        };
        let [xx, xy, yy] = self.second_moments.map(|lanes| lanes.sum() / 12.0);
        let squares = [about(xx, 0, 0).max(0.0), about(xy, 0, 1), about(yy, 1, 1).max(0.0)];
        let mut numbers = middle.iter().chain(&squares).chain([&depth, &rate]);
        let usable = rate > 0.0 && numbers.all(|number| number.is_finite());
        usable.then_some(MeanDepth {
            center: middle.into(),
            second_moments: squares,
            depth: depth * self.max_depth,
            depth_rate: rate,
        })
    }
}

/// The product of so many numbers that follow a power so much lower than the mean's.
fn rising_product(lower: usize, count: usize) -> f64 {
    (1..=count).map(|k| (POWER - lower + k) as f64).product()
}

/// Complete homogeneous polynomials of the values of a linear function in the corners of a triangle. The
/// integral of a power of the function is that of this degree over a binomial; with a coordinate before
/// it, that of these values and that corner's once more.
struct HomogeneousPolynomials {
    /// Of degree `POWER`, one less and two less.
    values: [DepthLanes; 3],
    /// Of one and of two less, with the value of each corner once more.
    with_repeated_corner: [[DepthLanes; 3]; 2],
}

impl HomogeneousPolynomials {
    #[inline(always)]
    fn from_values(values: &[DepthLanes; 3]) -> Self {
        let mut degree = HomogeneousDegree::zeroth();
        for _ in 0..POWER - 2 {
            degree = degree.next(values);
        }
        let one_less = degree.next(values);
        let highest = one_less.next(values);
        HomogeneousPolynomials {
            values: [highest.of_three, one_less.of_three, degree.of_three],
            with_repeated_corner: [one_less.with_repeated_corner, degree.with_repeated_corner],
        }
    }
}

/// Those of one degree: of the first value alone, of two, of all three, and of these with each once more.
#[derive(Clone, Copy)]
struct HomogeneousDegree {
    of_one: DepthLanes,
    of_two: DepthLanes,
    of_three: DepthLanes,
    with_repeated_corner: [DepthLanes; 3],
}

impl HomogeneousDegree {
    #[inline(always)]
    fn zeroth() -> Self {
        let one = DepthLanes::repeat(1.0);
        HomogeneousDegree {
            of_one: one,
            of_two: one,
            of_three: one,
            with_repeated_corner: [one; 3],
        }
    }

    /// Those of one more value follow from those of one degree less. All go on together from degree to degree, so
    /// that none waits for more than the degree before.
    #[inline(always)]
    fn next(&self, [x, y, z]: &[DepthLanes; 3]) -> Self {
        let of_one = self.of_one.component_mul(x);
        let of_two = of_one + self.of_two.component_mul(y);
        let of_three = of_two + self.of_three.component_mul(z);
        let [with_x, with_y, with_z] = &self.with_repeated_corner;
        let with = [
            of_three + with_x.component_mul(x),
            of_three + with_y.component_mul(y),
            of_three + with_z.component_mul(z),
        ];
        HomogeneousDegree { of_one, of_two, of_three, with_repeated_corner: with }
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
            let corners = places.map(|place| ClipVertex { position: place, edge: 0 });
            let mut sums = DepthIntegrals::new(1.0);
            let depth = AffineFunction { gradient: [0.2, 0.1], constant: 0.5 };
            sums.add(&corners, &depth, &AffineFunction { gradient: [1.0, 0.0], constant: 0.0 });
            let mean = sums.mean().expect("some of it has an area");
            let [x, y, z] = mean.center;
            assert!((0.0..=1.0).contains(&x) && (-height..=height).contains(&y), "{x} {y}");
            assert!((0.0..=1.0).contains(&z), "{z}");
            assert!((0.5..=0.7).contains(&mean.depth), "{}", mean.depth);
        }
    }
}
