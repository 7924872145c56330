//! Mass properties of a clump of spheres; overlaps count once.

use super::MassProperties;
use crate::{Aabb, Sphere, Vector, math, unit_ball_volume};
use nalgebra::Matrix3;
use std::ops::Range;

/// Sampling lines per smallest radius, in 3D and in 2D.
const LINES_PER_RADIUS: [f64; 2] = [128.0, 32768.0];
/// Largest total number of crossings of lines with spheres; beyond it, lines are farther apart.
const MAX_CROSSINGS: f64 = 2_097_152.0;

impl MassProperties {
    /// Computes the mass properties of spheres, or for `D = 2` of discs of height one at z = 0.
    ///
    /// Exact if no two overlap. Otherwise the clump is sampled by parallel lines: along each the part inside
    /// is exact, and each line represents its cross section. Relative errors are about 1e-4 in 3D and 1e-6 in
    /// 2D, for clumps of hundreds of spheres about 1e-3 and 1e-5.
    ///
    /// ```
    /// use carom_geometry::{Sphere, shape::MassProperties};
    /// let one = Sphere::new([1.0, 2.0, 3.0], 0.5);
    /// let mass = MassProperties::of_spheres::<3>(&[one, one]);
    /// assert!((mass.volume - std::f64::consts::PI / 6.0).abs() < 1e-4);
    /// ```
    pub fn of_spheres<const D: usize>(spheres: &[Sphere<3>]) -> Self {
        let mut sum = ClumpVolumeMoments::default();
        if any_overlap(spheres) {
            add_line_samples::<D>(spheres, &mut sum);
        } else {
            spheres.iter().for_each(|sphere| sum.add_ball::<D>(sphere));
        }
        sum.mass_properties()
    }
}

fn any_overlap(spheres: &[Sphere<3>]) -> bool {
    let meet = |a: &Sphere<3>, b: &Sphere<3>| (a.center - b.center).norm() < a.radius + b.radius;
    (1..spheres.len()).any(|k| spheres[..k].iter().any(|other| meet(other, &spheres[k])))
}

/// Moments of a volume of order zero, one and two: ∫ dV, ∫ x dV and ∫ x xᵀ dV.
#[derive(Default)]
struct ClumpVolumeMoments {
    volume: f64,
    first: Vector<3>,
    second: Matrix3<f64>,
}

impl ClumpVolumeMoments {
    fn add_ball<const D: usize>(&mut self, ball: &Sphere<3>) {
        let volume = unit_ball_volume(D) * ball.radius.powi(D as i32);
        let square = ball.radius * ball.radius / (D + 2) as f64;
        let own = if D == 2 { [square, square, 1.0 / 12.0] } else { [square; 3] };
        let at = ball.center;
        self.volume += volume;
        self.first += at * volume;
        self.second += (at * at.transpose() + Matrix3::from_diagonal(&Vector::from(own))) * volume;
    }

    /// Adds a segment of a line along an axis, with a cross section.
    fn add_segment(&mut self, at: &Vector<3>, axis: usize, [low, high]: [f64; 2], section: f64) {
        let volume = (high - low) * section;
        let mut middle = *at;
        middle[axis] = 0.5 * (low + high);
        self.volume += volume;
        self.first += middle * volume;
        self.second += middle * middle.transpose() * volume;
        self.second[(axis, axis)] += volume * (high - low) * (high - low) / 12.0;
    }

    fn mass_properties(&self) -> MassProperties {
        let center = self.first / self.volume;
        let central = self.second - center * center.transpose() * self.volume;
        let inertia = Matrix3::identity() * central.trace() - central;
        MassProperties { volume: self.volume, center_of_mass: center, inertia }
    }
}

/// Samples the clump by lines along the last axis, evenly spaced over its bounding box, row by row.
fn add_line_samples<const D: usize>(spheres: &[Sphere<3>], sum: &mut ClumpVolumeMoments) {
    let axis = D - 1;
    let grid = ClumpLineGrid::around::<D>(spheres);
    let mut rows: Vec<(u64, usize)> = Vec::new();
    for (number, sphere) in spheres.iter().enumerate() {
        let within = if D == 2 { 0..1 } else { grid.lines(1, sphere.center.y, sphere.radius) };
        rows.extend(within.map(|row| (row, number)));
    }
    rows.sort_unstable();
    let mut pieces = Vec::new();
    for row in rows.chunk_by(|one, two| one.0 == two.0) {
        let mut at = Vector::<3>::zeros();
        if D == 3 {
            at.y = grid.line_coordinate(1, row[0].0);
        }
        pieces.clear();
        for sphere in row.iter().map(|&(_, number)| &spheres[number]) {
            let offset = if D == 3 { sphere.center.y - at.y } else { 0.0 };
            let half = (sphere.radius * sphere.radius - offset * offset).max(0.0).sqrt();
            for line in grid.lines(0, sphere.center.x, half) {
                at.x = grid.line_coordinate(0, line);
                pieces.extend(chord(sphere, &at, axis).map(|piece| (line, piece)));
            }
        }
        pieces
            .sort_unstable_by(|(a, [low, _]), (b, [other, _])| a.cmp(b).then(low.total_cmp(other)));
        for line in pieces.chunk_by(|one, two| one.0 == two.0) {
            at.x = grid.line_coordinate(0, line[0].0);
            visit_union(line, |piece| sum.add_segment(&at, axis, piece, grid.cross_section));
        }
    }
    if D == 2 {
        // Discs have height one.
        sum.second[(2, 2)] += sum.volume / 12.0;
    }
}

/// The grid of sampling lines.
struct ClumpLineGrid {
    low: Vector<3>,
    spacing: Vector<3>,
    /// Cross section that one line represents.
    cross_section: f64,
}

impl ClumpLineGrid {
    fn around<const D: usize>(spheres: &[Sphere<3>]) -> Self {
        let bounds = spheres.iter().fold(Aabb::empty(), |bounds, sphere| {
            let reach = Vector::repeat(sphere.radius);
            bounds.including(&(sphere.center - reach)).including(&(sphere.center + reach))
        });
        let smallest = spheres.iter().map(|sphere| sphere.radius).fold(f64::INFINITY, f64::min);
        let across = (D - 1) as i32;
        let sections = spheres.iter().map(|sphere| sphere.radius.powi(across));
        let crossed = unit_ball_volume(D - 1) * sections.sum::<f64>();
        let widest = math::powf(crossed / MAX_CROSSINGS, 1.0 / f64::from(across));
        let step = (smallest / LINES_PER_RADIUS[3 - D]).max(widest);
        // A whole number of steps fits into the box, so that symmetric clumps stay symmetric.
        let spacing = bounds.size().map(|size| size / (size / step).ceil());
        ClumpLineGrid {
            low: bounds.low,
            spacing,
            cross_section: spacing.iter().take(D - 1).product(),
        }
    }

    /// Returns the coordinate of a line on an axis.
    fn line_coordinate(&self, axis: usize, line: u64) -> f64 {
        self.low[axis] + (line as f64 + 0.5) * self.spacing[axis]
    }

    /// Returns the lines within a distance `near` of a coordinate on an axis.
    fn lines(&self, axis: usize, place: f64, near: f64) -> Range<u64> {
        let line = |place: f64| ((place - self.low[axis]) / self.spacing[axis] - 0.5).ceil() as u64;
        line(place - near)..line(place + near)
    }
}

/// Returns the part of a line inside a sphere.
fn chord(sphere: &Sphere<3>, at: &Vector<3>, axis: usize) -> Option<[f64; 2]> {
    let mut offset = sphere.center - at;
    offset[axis] = 0.0;
    let square = sphere.radius * sphere.radius - offset.norm_squared();
    (square > 0.0).then(|| {
        let half = square.sqrt();
        [sphere.center[axis] - half, sphere.center[axis] + half]
    })
}

/// Visits the union of segments of one line, which are given in ascending order.
fn visit_union(pieces: &[(u64, [f64; 2])], mut visit: impl FnMut([f64; 2])) {
    let Some((&(_, first), rest)) = pieces.split_first() else { return };
    let mut joined = first;
    for &(_, [low, high]) in rest {
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
        assert_eq!(mass.center_of_mass, Vector::<3>::zeros());
    }

    #[test]
    fn what_spheres_share_counts_once() {
        // Two caps of height 1/2 and volume pi h^2 (3 - h) / 3 are counted twice by a sum.
        let pair = [Sphere::new([0.5, 0.0, 0.0], 1.0), Sphere::new([-0.5, 0.0, 0.0], 1.0)];
        let found = MassProperties::of_spheres::<3>(&pair);
        close(found.volume, 8.0 * PI / 3.0 - 2.0 * PI * 0.25 * 2.5 / 3.0, 1e-4);
        assert!(found.center_of_mass.norm() < 1e-12, "{}", found.center_of_mass);
        // A sphere within a sphere adds nothing.
        let inner = [Sphere::new([1.0, 2.0, 3.0], 1.0), Sphere::new([1.1, 2.0, 3.0], 0.5)];
        let found = MassProperties::of_spheres::<3>(&inner);
        close(found.volume, 4.0 * PI / 3.0, 1e-4);
        close(found.inertia[(2, 2)], 0.4 * found.volume, 1e-4);
        assert!((found.center_of_mass - Vector::from([1.0, 2.0, 3.0])).norm() < 1e-4);
    }

    #[test]
    fn long_chains_weigh_as_much_as_their_spheres_less_their_lenses() {
        for (count, direction, part) in [
            (1000, [1.0, 1.0, 1.0], 1e-3),
            (1000, [0.0, 0.0, 1.0], 1e-3),
            (1000, [1.0, 0.3, 0.0], 1e-3),
            (30, [1.0, 1.0, 0.2], 1e-4),
        ] {
            let along = Vector::from(direction).normalize();
            let (distance, radius) = (0.6, 0.5);
            let middle = 0.5 * f64::from(count - 1);
            let place = |k: i32| along * (distance * (f64::from(k) - middle));
            let chain: Vec<_> = (0..count).map(|k| Sphere::new(place(k), radius)).collect();
            let found = MassProperties::of_spheres::<3>(&chain);
            let ball = 4.0 / 3.0 * PI * f64::powi(radius, 3);
            let apart = f64::powi(2.0 * radius - distance, 2);
            let lens = PI / 12.0 * (4.0 * radius + distance) * apart;
            let volume = f64::from(count) * ball - f64::from(count - 1) * lens;
            close(found.volume, volume, part);
            let length = distance * f64::from(count);
            assert!(found.center_of_mass.norm() < 1e-4 * length, "{}", found.center_of_mass);
            // Moments of the spheres minus those of the lenses about a perpendicular axis, without their own
            // moments, which are less than a thousandth.
            let squares = |count: i32| f64::from(count) * (f64::from(count).powi(2) - 1.0) / 12.0;
            let moment = distance * distance * (squares(count) * ball - squares(count - 1) * lens);
            let across =
                (found.inertia * along.cross(&Vector::from([0.3, -0.5, 0.8])).normalize()).norm();
            close(across, moment, 1e-3 + 3.0 / f64::from(count * count));
        }
    }

    #[test]
    fn a_chain_of_discs_has_the_area_of_discs_less_their_lenses() {
        let along = Vector::from([0.8, 0.6, 0.0]);
        let chain: Vec<_> =
            (0..1000).map(|k| Sphere::new(along * (1.2 * f64::from(k)), 1.0)).collect();
        let found = MassProperties::of_spheres::<2>(&chain);
        let lens = 2.0 * 0.6_f64.acos() - 1.2 * 0.8;
        close(found.volume, 1000.0 * PI - 999.0 * lens, 1e-5);
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
