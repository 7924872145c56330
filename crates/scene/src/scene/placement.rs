//! Positions of generated bodies: in their region, clear of walls, and without overlap.

use super::Region;
use super::fill_region::FillRegion;
use super::generator::{
    PlacementCallback, PlacementKind, RandomStreamPurpose, UnplacedBodies, random_stream,
};
use super::initial_bodies::InitialBodies;
use super::obstacles::{Obstacles, PlacementDomain};
use super::pour::Pour;
use super::problem::{SceneProblem, SceneValidationError, ValidationResult};
use super::written_scene::Engine;
use crate::generate::{
    InsertionRegion, LatticeFilling, LatticeKind, PlacedSpheres, PlacementPredicate, SplitMix64,
    choose_sites, insert,
};
use carom_geometry::{Sphere, Vector};
use std::path::Path;

const NO_PLACE: &str = "lower the packing fraction or the count, take kind = \"lattice\", or start \
                        small and let the bodies grow by [growth]";
const NO_PLACE_IN_DEM: &str = "lower the packing fraction or the count, enlarge the region or the \
                                 box, take kind = \"lattice\", or let the bodies come in by [[pour]] \
                                 and settle";
const NO_SITES: &str = "the lattice would have to be denser than the largest body allows: lower the \
                        count or the radius, or enlarge the box or the region";

/// If this many times the requested number of sites are not enough, the free part has too few of them.
const MOST_SITES_PER_BODY: usize = 64;
/// Lattices of fewer sites are tried in any case.
const FEW_SITES: usize = 1 << 22;

/// The surroundings that bodies are placed into.
pub(super) struct PlacementContainer<'a, const D: usize> {
    pub region: Region<D>,
    pub obstacles: Obstacles<D>,
    pub engine: Engine,
    /// Folder from which files are found.
    pub folder: &'a Path,
}

/// Finds positions for the bodies of all tables and adds the bodies in the order of the tables.
///
/// The table with the largest body is placed first, whatever the order, so that large bodies need not find room
/// between small ones.
pub(super) fn place_all<const D: usize>(
    crowds: &[UnplacedBodies],
    vessel: &PlacementContainer<D>,
    start: &mut InitialBodies<D>,
    watch: PlacementCallback,
) -> ValidationResult<()> {
    let mut order: Vec<usize> = (0..crowds.len()).collect();
    let largest = |table: usize| crowds[table].largest_radius();
    order.sort_by(|&a, &b| largest(b).total_cmp(&largest(a)));
    let mut occupied = start.spheres();
    let mut places = vec![Vec::new(); crowds.len()];
    for table in order {
        let found = crowds[table].find_positions(vessel, &occupied, watch)?;
        let spheres = found.iter().zip(&crowds[table].radii);
        occupied.extend(spheres.map(|(&center, &radius)| Sphere { center, radius }));
        places[table] = found;
    }
    crowds.iter().zip(places).try_for_each(|(crowd, places)| crowd.add(places, start))
}

/// Returns which closed walls are filled by bodies of a region, sampled by the random numbers of `key`; none without
/// a region.
fn filled_walls<const D: usize>(
    obstacles: &Obstacles<D>,
    places: Option<PlacementDomain<D>>,
    key: (u64, u64),
) -> Vec<bool> {
    let sample = |places: PlacementDomain<D>| {
        obstacles.filled_walls(&places, &mut random_stream(key, RandomStreamPurpose::FilledWalls))
    };
    places.map_or_else(Vec::new, sample)
}

/// Sets for every pour which closed walls its bodies are placed in.
pub(super) fn find_filled_walls<const D: usize>(
    pours: &mut [Pour<D>],
    has_region: impl Iterator<Item = bool>,
    vessel: &PlacementContainer<D>,
    seed: u64,
) {
    for ((number, pour), has_region) in (0..).zip(pours).zip(has_region) {
        let boundary = vessel.region.boundary().expect("the region was checked");
        let size = vessel.region.size;
        let space = &InsertionRegion { size, boundary, part: pour.region.bounds() };
        let in_region = &*pour.region.sphere_test(pour.radii.len());
        let radius = pour.radii.iter().copied().fold(f64::INFINITY, f64::min);
        let places = has_region.then_some(PlacementDomain { space, in_region, radius });
        pour.filled_walls = filled_walls(&vessel.obstacles, places, (seed, number));
    }
}

impl UnplacedBodies<'_> {
    /// Finds positions for the bodies of one table.
    fn find_positions<const D: usize>(
        &self,
        vessel: &PlacementContainer<D>,
        occupied: &[Sphere<D>],
        watch: PlacementCallback,
    ) -> ValidationResult<Vec<Vector<D>>> {
        let fill = self.fill_region(&vessel.region, vessel.folder)?;
        self.check_fraction(&fill)?;
        let boundary = vessel.region.boundary().expect("the region was checked");
        let space = InsertionRegion { size: vessel.region.size, boundary, part: fill.bounds() };
        let in_region = fill.sphere_test(self.radii.len());
        let into = self.filled_walls(vessel, &space, &*in_region);
        let may_be = |center: &Vector<D>, radius: f64| {
            in_region(center, radius) && vessel.obstacles.is_clear(center, radius, &into)
        };
        let random = &mut random_stream(self.key, RandomStreamPurpose::Positions);
        let found = match self.written.value.kind {
            PlacementKind::Random => {
                insert((&space, &may_be), occupied, &self.radii, random, &mut |placed| {
                    watch(placed, self.radii.len());
                })
            }
            PlacementKind::Lattice => {
                let kind = self.written.value.lattice::<D>()?;
                self.lattice_sites(kind, (&space, &may_be), occupied, random)
            }
        };
        found.map_err(|placed| self.does_not_fit(placed, &fill, vessel))
    }

    /// Returns which closed walls the bodies fill; none without a region.
    fn filled_walls<const D: usize>(
        &self,
        vessel: &PlacementContainer<D>,
        space: &InsertionRegion<D>,
        in_region: PlacementPredicate<D>,
    ) -> Vec<bool> {
        let asked = self.written.value.region.is_some();
        let radius = self.radii.iter().copied().fold(f64::INFINITY, f64::min);
        filled_walls(
            &vessel.obstacles,
            asked.then_some(PlacementDomain { space, in_region, radius }),
            self.key,
        )
    }

    fn fill_region<const D: usize>(
        &self,
        region: &Region<D>,
        folder: &Path,
    ) -> ValidationResult<FillRegion<D>> {
        let written = self.written.value.region.as_ref();
        written.map_or_else(|| Ok(FillRegion::whole(region)), |part| part.check(region, folder))
    }

    /// Refuses a packing fraction that is not that of the bodies in their region.
    fn check_fraction<const D: usize>(&self, fill: &FillRegion<D>) -> ValidationResult<()> {
        let table = &self.written.value;
        let (Some(fraction), Some(value)) = (&table.packing_fraction, table.fraction()?) else {
            return Ok(());
        };
        let Some(volume) = fill.volume() else {
            return Err(fraction.refuse("but its region is a cylinder without ends; give a length"));
        };
        let actual = self.volume::<D>() / volume;
        if (actual / value - 1.0).abs() <= 1e-3 {
            return Ok(());
        }
        Err(fraction.refuse(format!(
            "but count, radius and size of the box make it {actual:.6}; leave one of them out"
        )))
    }

    /// Returns the free sites of the sparsest lattice that has enough of them.
    fn lattice_sites<const D: usize>(
        &self,
        kind: LatticeKind,
        (space, may_be): (&InsertionRegion<D>, PlacementPredicate<D>),
        occupied: &[Sphere<D>],
        random: &mut SplitMix64,
    ) -> Result<Vec<Vector<D>>, usize> {
        let (count, radius) = (self.radii.len(), self.largest_radius());
        let placed = PlacedSpheres::of(space, occupied, 0);
        let is_free = |center: &Vector<D>| {
            may_be(center, radius) && placed.is_free(&Sphere { center: *center, radius })
        };
        let (mut wanted, mut most_found) = (count, 0);
        loop {
            let filling = LatticeFilling::widest(kind, space, wanted, radius).ok_or(most_found)?;
            let too_dense = filling.nearest_distance() < 2.0 * radius * (1.0 - 1e-12);
            let most = FEW_SITES.max(count.saturating_mul(MOST_SITES_PER_BODY));
            if too_dense || filling.sites() > most {
                return Err(most_found);
            }
            let free = filling.free_sites(is_free);
            if free.len() >= count {
                return Ok(choose_sites(&free, count, random));
            }
            most_found = most_found.max(free.len());
            // As many more as are missing, with a bound so that the lattice gets hardly denser than it must.
            let factor = (count as f64 / free.len().max(1) as f64).clamp(1.02, 2.0);
            wanted = (filling.sites().max(wanted) as f64 * factor).ceil() as usize;
        }
    }

    fn does_not_fit<const D: usize>(
        &self,
        placed: usize,
        fill: &FillRegion<D>,
        vessel: &PlacementContainer<D>,
    ) -> SceneValidationError {
        let remedy = match (self.written.value.kind, vessel.engine) {
            (PlacementKind::Lattice, _) => NO_SITES,
            (PlacementKind::Random, Engine::Dem) => NO_PLACE_IN_DEM,
            (PlacementKind::Random, _) => NO_PLACE,
        };
        let off_walls = if vessel.obstacles.is_empty() { "" } else { " off the walls" };
        let (count, region) = (self.radii.len(), format!("{}{off_walls}", fill.name()));
        let problem = SceneProblem::DoesNotFit { placed, count, region, remedy };
        SceneValidationError::at(&self.written.span, problem)
    }
}
