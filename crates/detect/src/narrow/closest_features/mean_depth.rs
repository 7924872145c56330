//! The mean depth of a contact patch, from exact integrals of powers of affine functions over polygons.

use super::clip_polygon::{AffineFunction, ClipVertex, fan_triangles};
use carom_geometry::Vector;

/// The power n of the mean depth ∫dⁿ / ∫dⁿ⁻¹.
pub(super) const POWER: usize = 8;

/// Means of the depth over a contact patch.
pub(super) struct MeanDepth {
    /// The center of pressure: two coordinates across the normal and one along it.
    pub center: [f64; 3],
    /// The second moments xx, xy, yy about the center, as means, in length².
    pub second_moments: [f64; 3],
    /// The mean depth, a length.
    pub depth: f64,
    /// The rate of the mean depth when the bodies approach at the center with unit speed.
    pub depth_rate: f64,
}

/// The number of triangles that are integrated at once.
const LANES: usize = 4;
/// One value per triangle.
type DepthLanes = Vector<LANES>;

/// The sums over all parts of a patch, lane by lane. Areas are doubled, and constant factors are applied at the end.
#[derive(Default)]
pub(super) struct DepthIntegrals {
    /// The largest depth, the unit in which depths are summed, so that their powers stay in range.
    max_depth: f64,
    /// The integrals of dⁿ, dⁿ⁻¹ and dⁿ⁻².
    power_integrals: [DepthLanes; 3],
    /// The integrals of dⁿ⁻¹ and dⁿ⁻² times the position.
    power_moments: [[DepthLanes; 3]; 2],
    /// The area and the first and second moments of the positions.
    area: DepthLanes,
    first_moments: [DepthLanes; 2],
    second_moments: [DepthLanes; 3],
    pending: DepthTriangleBatch,
}

/// Triangles that wait until all lanes are full: the coordinates of their corners across the normal and along it,
/// the depths there, and twice the areas.
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

    /// Adds a polygon, with the depth over it and the height midway between the bodies.
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
            // Of a patch as thin as rounding some triangles are reversed. Areas of both signs would cancel in the
            // sum but not in the moments, and the center could lie anywhere.
            areas[*lane] = area.max(0.0);
            *lane += 1;
            if *lane == LANES {
                self.add_pending();
            }
        }
    }

    /// Integrates the waiting triangles.
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
        // The mean of a product over a triangle, times 12: the products at the corners plus the product of the sums.
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

    /// Returns the weight of all that was added, the integral of dⁿ⁻¹ up to a constant.
    pub(super) fn total_weight(&mut self) -> f64 {
        self.add_pending();
        self.power_integrals[1].sum()
    }

    /// Returns the means, or `None` if the patch has no area.
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
        // The gradient of the mean with respect to the depth at a point: n dⁿ⁻¹ - (n - 1) dⁿ⁻² times the mean, over
        // ∫dⁿ⁻¹. The force acts in its center, so that it follows a potential.
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

/// Returns the product of the `count` integers that follow `POWER - lower`.
fn rising_product(lower: usize, count: usize) -> f64 {
    (1..=count).map(|k| (POWER - lower + k) as f64).product()
}

/// Complete homogeneous polynomials of the values of an affine function at the corners of a triangle. The integral
/// of the n-th power of the function is the polynomial of degree n divided by a binomial coefficient; for the power
/// times a coordinate, one corner's value enters twice.
struct HomogeneousPolynomials {
    /// The polynomials of degree `POWER`, `POWER - 1` and `POWER - 2`.
    values: [DepthLanes; 3],
    /// The polynomials of degree `POWER - 1` and `POWER - 2`, with the value of each corner entering twice.
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

/// The complete homogeneous polynomials of one degree: of the first value, of the first two, of all three, and of all
/// three with each one repeated.
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

    /// Returns those of the next degree, by h_k(x, …, z) = h_k(x, …) + z h_(k-1)(x, …, z). All advance degree by
    /// degree together, which keeps the chains of dependent operations short.
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

    /// A patch as thin as rounding, of which one triangle is reversed and nearly as large as the other.
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
