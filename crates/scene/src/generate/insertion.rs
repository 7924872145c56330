//! Random sequential insertion: random positions without overlap.
//!
//! Large spheres come first; each tries random positions until one is free. Spheres of similar size share a grid of
//! cells about as wide as they are, so that a try checks only a few neighbors, however unequal the sizes. The method
//! saturates at a packing fraction of 0.547 for equal discs and 0.384 for equal spheres (Torquato and Stillinger, Rev.
//! Mod. Phys. 82, 2633, 2010) and becomes slow shortly before.

use super::SplitMix64;
use carom_geometry::{Aabb, Boundary, Sphere, Vector, math};

/// Number of tries of one sphere before it counts as having no place.
const MOST_TRIES: usize = 100_000;
/// Number of positions drawn for one sphere, including those where it may not be at all.
const MOST_DRAWN: usize = 1_000_000;
/// Number of placed spheres between two calls of the watcher.
const PLACED_PER_REPORT: usize = 256;
const NONE: u32 = u32::MAX;

/// The region into which spheres are inserted.
#[derive(Clone, Debug)]
pub(crate) struct InsertionRegion<const D: usize> {
    /// Size of the whole box, from the origin.
    pub size: Vector<D>,
    /// The periodic axes of the box in which bodies are placed.
    pub boundary: Boundary<D>,
    /// Part of the box to fill.
    pub part: Aabb<D>,
}

impl<const D: usize> InsertionRegion<D> {
    /// Whether the part spans a periodic axis, so that spheres may lie across its ends.
    pub(crate) fn spans_period(&self, axis: usize) -> bool {
        let whole = self.part.low[axis] == 0.0 && self.part.high[axis] == self.size[axis];
        whole && self.boundary.period(axis).is_some()
    }

    /// Returns the range of the center of a sphere; `None` if it is too large.
    pub(crate) fn range(&self, axis: usize, radius: f64) -> Option<(f64, f64)> {
        let margin = if self.spans_period(axis) { 0.0 } else { radius };
        let (low, high) = (self.part.low[axis] + margin, self.part.high[axis] - margin);
        (low <= high).then_some((low, high))
    }

    /// Returns a random center for a sphere; `None` if it is too large.
    pub(crate) fn draw(&self, radius: f64, random: &mut SplitMix64) -> Option<Vector<D>> {
        let mut ranges = [(0.0, 0.0); D];
        for axis in 0..D {
            ranges[axis] = self.range(axis, radius)?;
        }
        Some(Vector::from_fn(|axis, _| interpolate(ranges[axis], random.uniform())))
    }
}

/// Whether a sphere of this center and radius is allowed there, whatever other spheres there are.
pub(crate) type PlacementPredicate<'a, const D: usize> = &'a dyn Fn(&Vector<D>, f64) -> bool;

/// Returns centers for spheres of these radii, in their order, such that all are allowed and none overlaps another or
/// an `occupied` sphere. Large ones are placed first. Fails with the number of spheres that were placed, early if the
/// rest has no prospect. `watch` is called now and then with the number placed.
pub(crate) fn insert<const D: usize>(
    (space, may_be): (&InsertionRegion<D>, PlacementPredicate<D>),
    occupied: &[Sphere<D>],
    radii: &[f64],
    random: &mut SplitMix64,
    watch: &mut dyn FnMut(usize),
) -> Result<Vec<Vector<D>>, usize> {
    let mut order: Vec<usize> = (0..radii.len()).collect();
    // Large bodies first, since they find no room among small ones; equal ones in their order.
    order.sort_by(|&a, &b| radii[b].total_cmp(&radii[a]).then(a.cmp(&b)));
    let mut crowd = PlacedSpheres::of(space, occupied, radii.len());
    let mut centers = vec![Vector::zeros(); radii.len()];
    let alike = radii.iter().all(|&radius| radius == radii[0]);
    let mut prospect = alike.then(|| SaturationMonitor::new(D, radii.len()));
    for (placed, &index) in order.iter().enumerate() {
        let (center, tries) =
            free_center((space, may_be), &crowd, radii[index], random).ok_or(placed)?;
        crowd.add(Sphere { center, radius: radii[index] });
        centers[index] = center;
        if prospect.as_mut().is_some_and(|prospect| prospect.is_saturated(placed + 1, tries)) {
            return Err(placed + 1);
        }
        if placed.is_multiple_of(PLACED_PER_REPORT) {
            watch(placed);
        }
    }
    Ok(centers)
}

/// Returns random centers for equal spheres in a periodic cube such that none overlaps another; `None` if some find no
/// place.
pub fn nonoverlapping_centers<const D: usize>(
    side: f64,
    radius: f64,
    count: usize,
    random: &mut SplitMix64,
) -> Option<Vec<Vector<D>>> {
    let size = Vector::repeat(side);
    let boundary = Boundary::periodic([Some(side); D]).ok()?;
    let space = InsertionRegion { size, boundary, part: Aabb { low: Vector::zeros(), high: size } };
    insert((&space, &|_, _| true), &[], &vec![radius; count], random, &mut |_| ()).ok()
}

/// Predicts whether all spheres of one size will find a place, from the number of tries of the last ones.
///
/// Near saturation the acceptance probability of a try falls as the power `D + 1` of the distance to saturation (Feder,
/// J. Theor. Biol. 87, 237, 1980), so its root of that order falls linearly with the number of spheres. Before, it
/// falls faster and faster: the line through two points leads to a probability above the true one, and if even that is
/// too small the last spheres will find no place.
struct SaturationMonitor {
    dimension: usize,
    count: usize,
    /// Number of spheres per window, enough to know the probability to a few percent.
    window: usize,
    tries: usize,
    /// Root of the probability in the previous window, and how often in a row the line led too low.
    root: f64,
    warnings: u32,
}

impl SaturationMonitor {
    /// Only probabilities below this are judged.
    const DENSE: f64 = 0.01;

    fn new(dimension: usize, count: usize) -> Self {
        let window = (count / 50).max(1000);
        SaturationMonitor { dimension, count, window, tries: 0, root: 1.0, warnings: 0 }
    }

    /// Whether the region is saturated, after one more sphere was placed.
    fn is_saturated(&mut self, placed: usize, tries: usize) -> bool {
        self.tries += tries;
        if !placed.is_multiple_of(self.window) {
            return false;
        }
        let chance = self.window as f64 / self.tries as f64;
        let root = math::powf(chance, 1.0 / (self.dimension + 1) as f64);
        // The probability belongs to the middle of the window.
        let windows_left = (self.count - placed) as f64 / self.window as f64 + 0.5;
        let last_root = (root + (root - self.root) * windows_left).max(0.0);
        let last_chance = last_root.powi(self.dimension as i32 + 1);
        let low = chance < Self::DENSE && last_chance * (MOST_TRIES as f64) < 1.0;
        self.warnings = if low { self.warnings + 1 } else { 0 };
        (self.root, self.tries) = (root, 0);
        self.warnings >= 2
    }
}

/// Returns a free center and the number of tries, counting positions where the sphere is allowed.
fn free_center<const D: usize>(
    (space, may_be): (&InsertionRegion<D>, PlacementPredicate<D>),
    crowd: &PlacedSpheres<D>,
    radius: f64,
    random: &mut SplitMix64,
) -> Option<(Vector<D>, usize)> {
    let place = |_| space.draw(radius, random);
    let drawn = (0..MOST_DRAWN).map_while(place).filter(|center| may_be(center, radius));
    let mut places = drawn.take(MOST_TRIES).zip(1..);
    places.find(|&(center, _)| crowd.is_free(&Sphere { center, radius }))
}

/// Interpolates between two bounds; the upper bound is excluded unless they are equal.
fn interpolate((low, high): (f64, f64), fraction: f64) -> f64 {
    let number = low + (high - low) * fraction;
    if number < high { number } else { low }
}

/// Spheres placed so far, in a hierarchical grid.
pub(crate) struct PlacedSpheres<'a, const D: usize> {
    space: &'a InsertionRegion<D>,
    /// Number of spheres to come, for the number of cells.
    capacity: usize,
    spheres: Vec<Sphere<D>>,
    /// The next sphere in the same cell.
    next: Vec<u32>,
    levels: Vec<InsertionGridLevel<D>>,
}

/// The cells of spheres with radii between two powers of two.
struct InsertionGridLevel<const D: usize> {
    /// Exponent of the upper power.
    exponent: f64,
    /// Largest radius so far.
    largest_radius: f64,
    cells: [usize; D],
    /// The last sphere that was added to each cell.
    heads: Vec<u32>,
}

impl<'a, const D: usize> PlacedSpheres<'a, D> {
    /// Adds the spheres that exist, and reserves for those to come.
    pub(crate) fn of(space: &'a InsertionRegion<D>, spheres: &[Sphere<D>], to_come: usize) -> Self {
        let mut crowd = PlacedSpheres::new(space, spheres.len() + to_come);
        spheres.iter().for_each(|sphere| crowd.add(*sphere));
        crowd
    }

    fn new(space: &'a InsertionRegion<D>, capacity: usize) -> Self {
        PlacedSpheres { space, capacity, spheres: Vec::new(), next: Vec::new(), levels: Vec::new() }
    }

    fn add(&mut self, sphere: Sphere<D>) {
        let level = self.level(sphere.radius);
        let level = &mut self.levels[level];
        level.largest_radius = level.largest_radius.max(sphere.radius);
        let index = self.spheres.len() as u32;
        let cell = level.cell(std::array::from_fn(|axis| {
            level.column(self.space, axis, sphere.center[axis]).clamp(0, level.last(axis)) as usize
        }));
        self.next.push(std::mem::replace(&mut level.heads[cell], index));
        self.spheres.push(sphere);
    }

    /// Returns the level of a radius, a new one if there is none yet.
    fn level(&mut self, radius: f64) -> usize {
        let exponent = math::log2(radius).ceil();
        let found = self.levels.iter().position(|level| level.exponent == exponent);
        found.unwrap_or_else(|| {
            self.levels.push(InsertionGridLevel::new(self.space, radius, self.capacity));
            self.levels.len() - 1
        })
    }

    /// Whether a sphere would overlap none of them.
    pub(crate) fn is_free(&self, sphere: &Sphere<D>) -> bool {
        self.levels.iter().all(|level| self.is_free_at(level, sphere))
    }

    fn is_free_at(&self, level: &InsertionGridLevel<D>, sphere: &Sphere<D>) -> bool {
        let ranges: [_; D] = std::array::from_fn(|axis| level.columns(self.space, axis, sphere));
        let mut columns: [i64; D] = ranges.map(|(low, _)| low);
        loop {
            let cell = level.cell(std::array::from_fn(|axis| {
                columns[axis].rem_euclid(level.cells[axis] as i64) as usize
            }));
            if !self.is_free_in(level.heads[cell], sphere) {
                return false;
            }
            let Some(axis) = (0..D).find(|&axis| columns[axis] < ranges[axis].1) else {
                return true;
            };
            columns[axis] += 1;
            (0..axis).for_each(|axis| columns[axis] = ranges[axis].0);
        }
    }

    fn is_free_in(&self, mut member: u32, sphere: &Sphere<D>) -> bool {
        while member != NONE {
            let other = &self.spheres[member as usize];
            let distance = self.space.boundary.minimum_image(sphere.center, other.center);
            let reach = sphere.radius + other.radius;
            if distance.norm_squared() < reach * reach {
                return false;
            }
            member = self.next[member as usize];
        }
        true
    }
}

impl<const D: usize> InsertionGridLevel<D> {
    /// Creates a level without spheres, with cells as wide as the first sphere.
    fn new(space: &InsertionRegion<D>, radius: f64, capacity: usize) -> Self {
        // Not many more cells than spheres, however small these are.
        let most = math::powf(4.0 * capacity as f64 + 8.0, 1.0 / D as f64);
        let along = |axis: usize| (space.size[axis] / (2.0 * radius)).clamp(1.0, most) as usize;
        let cells: [usize; D] = std::array::from_fn(along);
        let exponent = math::log2(radius).ceil();
        InsertionGridLevel {
            exponent,
            largest_radius: radius,
            cells,
            heads: vec![NONE; cells.iter().product()],
        }
    }

    fn last(&self, axis: usize) -> i64 {
        self.cells[axis] as i64 - 1
    }

    fn cell(&self, columns: [usize; D]) -> usize {
        (0..D).rev().fold(0, |cell, axis| cell * self.cells[axis] + columns[axis])
    }

    fn column(&self, space: &InsertionRegion<D>, axis: usize, coordinate: f64) -> i64 {
        (coordinate / space.size[axis] * self.cells[axis] as f64).floor() as i64
    }

    /// Returns the first and last column that may hold an overlapping sphere of this level; on a periodic axis they
    /// continue beyond the ends.
    fn columns(&self, space: &InsertionRegion<D>, axis: usize, sphere: &Sphere<D>) -> (i64, i64) {
        let reach = sphere.radius + self.largest_radius;
        let low = self.column(space, axis, sphere.center[axis] - reach);
        let high = self.column(space, axis, sphere.center[axis] + reach);
        let last = self.last(axis);
        if space.boundary.period(axis).is_none() {
            return (low.clamp(0, last), high.clamp(0, last));
        }
        if high.saturating_sub(low) >= last { (0, last) } else { (low, high) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_detect::{BroadPhaseMethod, ContactSearch};

    fn space<const D: usize>(side: f64, periodic: bool) -> InsertionRegion<D> {
        let period = periodic.then_some(side);
        InsertionRegion {
            size: Vector::repeat(side),
            boundary: Boundary::periodic([period; D]).unwrap(),
            part: Aabb { low: Vector::zeros(), high: Vector::repeat(side) },
        }
    }

    fn deepest<const D: usize>(space: &InsertionRegion<D>, spheres: &[Sphere<D>]) -> f64 {
        let mut deepest = 0.0;
        ContactSearch::new(BroadPhaseMethod::Auto)
            .visit(spheres, &space.boundary, |contact| deepest = contact.overlap.max(deepest))
            .unwrap();
        deepest
    }

    #[test]
    fn unequal_spheres_are_put_apart_in_both_dimensions() {
        for periodic in [true, false] {
            let radii: Vec<f64> = (0..1500).map(|i| if i % 50 == 0 { 1.0 } else { 0.1 }).collect();
            let space = space::<3>(10.0, periodic);
            let occupied = [Sphere::new([0.5, 0.5, 0.5], 1.5)];
            let centers = insert(
                (&space, &|_, _| true),
                &occupied,
                &radii,
                &mut SplitMix64::new(3),
                &mut |_| {},
            )
            .expect("they fit");
            let mut spheres = occupied.to_vec();
            spheres.extend(centers.iter().zip(&radii).map(|(&center, &radius)| {
                assert!(periodic || center.min() >= radius && center.max() <= 10.0 - radius);
                Sphere { center, radius }
            }));
            assert_eq!(deepest(&space, &spheres), 0.0);
        }
        let space = space::<2>(20.0, true);
        let radii = vec![0.5; 200];
        let centers =
            insert((&space, &|_, _| true), &[], &radii, &mut SplitMix64::new(4), &mut |_| {})
                .unwrap();
        let spheres: Vec<_> =
            centers.iter().map(|&center| Sphere { center, radius: 0.5 }).collect();
        assert_eq!(deepest(&space, &spheres), 0.0);
    }

    #[test]
    fn spheres_are_only_where_they_may_be() {
        let space = space::<2>(10.0, false);
        let may_be = |center: &Vector<2>, radius: f64| center.norm() + radius < 5.0;
        let radii: Vec<f64> = (1..=20).map(|i| 0.02 * f64::from(i)).collect();
        let random = &mut SplitMix64::new(7);
        let centers = insert((&space, &may_be), &[], &radii, random, &mut |_| {}).unwrap();
        assert!(centers.iter().zip(&radii).all(|(center, radius)| may_be(center, *radius)));
        let nowhere = |_: &Vector<2>, _: f64| false;
        assert_eq!(insert((&space, &nowhere), &[], &radii, random, &mut |_| {}), Err(0));
    }

    #[test]
    fn too_many_are_counted_as_far_as_they_fit() {
        let insert = |space: &InsertionRegion<2>, radii: &[f64]| {
            insert((space, &|_, _| true), &[], radii, &mut SplitMix64::new(1), &mut |_| {})
        };
        let placed = insert(&space::<2>(4.0, true), &[0.5; 100]);
        assert!((5..20).contains(&placed.unwrap_err()));
        let too_large = insert(&space::<2>(4.0, false), &[3.0]);
        assert_eq!(too_large.unwrap_err(), 0);
    }

    #[test]
    fn it_is_given_up_early_where_the_rest_has_no_prospect() {
        let covered = |fraction: f64| {
            let (count, mut reported) = (20_000, 0);
            let side = (count as f64 * std::f64::consts::PI * 0.25 / fraction).sqrt();
            let radii = vec![0.5; count];
            let space = space::<2>(side, true);
            let placed = insert(
                (&space, &|_, _| true),
                &[],
                &radii,
                &mut SplitMix64::new(2),
                &mut |placed| {
                    assert!(placed == 0 || placed > reported);
                    reported = placed;
                },
            );
            assert!(reported > 10_000);
            placed.map(|_| 1.0).map_err(|placed| fraction * placed as f64 / count as f64)
        };
        // Discs saturate at 0.547.
        assert_eq!(covered(0.52), Ok(1.0));
        assert!(covered(0.57).unwrap_err() < 0.53, "{:?}", covered(0.57));
    }
}
