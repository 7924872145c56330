//! Bodies that are poured in over time.

use super::setup::quaternion;
use crate::run::Error;
use carom_geometry::random::SplitMix64;
use carom_geometry::{Aabb, Boundary, Vector, embed_in_3d};
use carom_scene::Scene;
use carom_scene::scene::{Obstacles, Pour, SphereContainmentTest};
use carom_simulate::dem::{Body, ContactLaw, Simulation};
use carom_simulate::{Wall, WallMotion};
use nalgebra::UnitQuaternion;

/// The pours of a scene and their progress.
pub(super) struct PourState<const D: usize> {
    pours: Vec<Pour<D>>,
    /// For each pour, a test whether a sphere is in its region.
    in_region: Vec<SphereContainmentTest<D>>,
    closed_walls: MovingClosedWalls<D>,
    seed: u64,
    /// Number of bodies of each pour that have been inserted.
    pub poured: Vec<u64>,
    /// For each pour, a report that it falls behind its rate, given once.
    lag_reports: Vec<PourLagReport>,
}

/// Whether a pour has fallen behind its rate.
enum PourLagReport {
    OnTime,
    Behind(String),
    Reported,
}

/// Bodies are inserted at time steps whose number is a multiple of this, all that are due by then at once, because
/// every insertion needs a new neighbor search.
const STEPS_BETWEEN_POURS: u64 = 32;
/// Number of random positions tried for a body at each of these steps.
const PLACEMENT_ATTEMPTS: usize = 100;
/// Number of waiting bodies at which a pour is reported to fall behind.
const REPORTED_BACKLOG: u64 = 10;
/// Key of the random stream for positions, beside the keys that scenes use.
const PLACEMENT_STREAM: u64 = 100;

impl<const D: usize> PourState<D> {
    pub(super) fn new(scene: &Scene<D>, poured: Vec<u64>) -> Self {
        let lag_reports = scene.pours.iter().map(|_| PourLagReport::OnTime).collect();
        let test = |pour: &Pour<D>| pour.region.sphere_test(pour.radii.len());
        let in_region = scene.pours.iter().map(test).collect();
        let closed_walls = MovingClosedWalls::of(scene);
        PourState {
            pours: scene.pours.clone(),
            in_region,
            closed_walls,
            seed: scene.seed,
            poured,
            lag_reports,
        }
    }

    /// The next step after `now` at which a body is due.
    pub(super) fn next(&self, now: u64, step: f64) -> u64 {
        let waiting = self.pours.iter().zip(&self.poured);
        let due = waiting.filter(|(pour, poured)| **poured < pour.radii.len() as u64).map(
            |(pour, &poured)| {
                let due = ((pour.from + poured as f64 / pour.rate) / step).ceil() as u64;
                due.max(now + 1).checked_next_multiple_of(STEPS_BETWEEN_POURS).unwrap_or(u64::MAX)
            },
        );
        due.min().unwrap_or(u64::MAX)
    }

    /// Inserts the bodies that are due at this step and find room.
    pub(super) fn pour<L: ContactLaw>(
        &mut self,
        simulation: &mut Simulation<D, L>,
    ) -> Result<(), Error> {
        if !simulation.steps().is_multiple_of(STEPS_BETWEEN_POURS) {
            return Ok(());
        }
        let mut bodies = Vec::new();
        for number in 0..self.pours.len() {
            self.pour_one(number, simulation, &mut bodies);
        }
        if !bodies.is_empty() {
            simulation.insert(&bodies)?;
        }
        Ok(())
    }

    /// Finds positions for the bodies of one pour that are due.
    fn pour_one<L: ContactLaw>(
        &mut self,
        number: usize,
        simulation: &Simulation<D, L>,
        bodies: &mut Vec<Body<D>>,
    ) {
        let pour = &self.pours[number];
        let now = simulation.now();
        let most = pour.radii.len() as u64;
        let after_first = |time: f64| (time * pour.rate) as u64;
        let due = if now < pour.from { 0 } else { after_first(now - pour.from).saturating_add(1) };
        let due = due.min(most);
        if self.poured[number] >= due {
            return;
        }
        let mut near = PourNeighborhood::of(&pour.region.bounds(), simulation);
        bodies.iter().for_each(|body| near.add(body.position, body.radius));
        while self.poured[number] < due {
            let body = self.poured[number];
            let keys = [number as u64, PLACEMENT_STREAM, body, simulation.steps()];
            let random = &mut SplitMix64::keyed(self.seed, &keys);
            let search = FreePlaceSearch {
                bounds: pour.region.bounds(),
                in_region: &self.in_region[number],
                simulation,
                near: &near,
            };
            let (walls, now) = (&self.closed_walls, simulation.now());
            let is_allowed =
                |place: &Vector<D>| walls.is_on_filled_side(place, now, &pour.filled_walls);
            let radius = pour.radii[body as usize];
            let Some(position) = search.find(radius, random, is_allowed) else { break };
            near.add(position, radius);
            bodies.push(Body { position, ..poured_body(pour, body as usize) });
            self.poured[number] += 1;
        }
        let waiting = due - self.poured[number];
        if waiting >= REPORTED_BACKLOG && matches!(self.lag_reports[number], PourLagReport::OnTime)
        {
            self.lag_reports[number] = PourLagReport::Behind(format!(
                "pour.{number} falls behind at time {now:.4}: {waiting} bodies find no room in its \
                 region; a larger region, a lower rate or a faster velocity would make room"
            ));
        }
    }

    /// Warnings that have not been reported yet.
    pub(super) fn warnings(&mut self) -> Vec<String> {
        let behind =
            self.lag_reports.iter_mut().filter(|report| matches!(report, PourLagReport::Behind(_)));
        let taken =
            behind.filter_map(|report| match std::mem::replace(report, PourLagReport::Reported) {
                PourLagReport::Behind(warning) => Some(warning),
                _ => None,
            });
        taken.collect()
    }
}

/// Search for a place in a region where a sphere touches nothing.
pub(super) struct FreePlaceSearch<'a, const D: usize, L: ContactLaw> {
    pub bounds: Aabb<D>,
    pub in_region: &'a SphereContainmentTest<D>,
    pub simulation: &'a Simulation<D, L>,
    pub near: &'a PourNeighborhood<D>,
}

impl<const D: usize, L: ContactLaw> FreePlaceSearch<'_, D, L> {
    /// Finds a random free place for a sphere, which `is_allowed` may refuse.
    pub(super) fn find(
        &self,
        radius: f64,
        random: &mut SplitMix64,
        is_allowed: impl Fn(&Vector<D>) -> bool,
    ) -> Option<Vector<D>> {
        let FreePlaceSearch { bounds, in_region, simulation, near } = self;
        if bounds.size().min() < 2.0 * radius {
            return None;
        }
        (0..PLACEMENT_ATTEMPTS).find_map(|_| {
            let position = Vector::<D>::from_fn(|axis, _| {
                let [low, high] = [bounds.low[axis] + radius, bounds.high[axis] - radius];
                low + (high - low) * random.uniform()
            });
            let free = in_region(&position, radius)
                && near.is_free(&position, radius)
                && simulation.clears_walls(&position, radius)
                && is_allowed(&position);
            free.then_some(position)
        })
    }
}

/// A body to be poured, in a corner of the region.
pub(super) fn poured_body<const D: usize>(pour: &Pour<D>, number: usize) -> Body<D> {
    Body {
        velocity: pour.velocity,
        material: pour.material,
        shape: pour.shape,
        orientation: pour
            .orientations
            .get(number)
            .map_or_else(UnitQuaternion::identity, quaternion),
        ..Body::at_rest(pour.region.bounds().low, pour.radii[number], pour.masses[number])
    }
}

/// Walls that enclose a volume, and their motions.
struct MovingClosedWalls<const D: usize> {
    obstacles: Obstacles<D>,
    motions: Vec<WallMotion>,
}

impl<const D: usize> MovingClosedWalls<D> {
    fn of(scene: &Scene<D>) -> Self {
        // Pours know the walls of the first stage.
        let first = scene.stages.first().map_or(&scene.walls, |stage| &stage.scene.walls);
        let walls: &[Wall] = if scene.pours.is_empty() { &[] } else { first };
        let bodies = scene.pours.iter().map(|pour| pour.radii.len()).sum();
        MovingClosedWalls {
            obstacles: Obstacles::new(walls, &scene.region, bodies),
            motions: walls.iter().map(|wall| wall.motion).collect(),
        }
    }

    /// Whether a body that touches no wall is inside the walls that are to be filled, and inside no other.
    fn is_on_filled_side(&self, position: &Vector<D>, now: f64, into: &[bool]) -> bool {
        let position = embed_in_3d(position);
        self.motions.iter().enumerate().all(|(wall, motion)| {
            let inside = self
                .obstacles
                .is_inside(wall, &motion.pose(now).inverse_transform_point(&position));
            inside == into.get(wall).is_some_and(|into| *into)
        })
    }
}

/// Bodies in and around a region.
pub(super) struct PourNeighborhood<const D: usize> {
    boundary: Boundary<D>,
    center: Vector<D>,
    half_size: Vector<D>,
    bodies: Vec<(Vector<D>, f64)>,
}

impl<const D: usize> PourNeighborhood<D> {
    pub(super) fn of<L: ContactLaw>(bounds: &Aabb<D>, simulation: &Simulation<D, L>) -> Self {
        let mut near = PourNeighborhood {
            boundary: simulation.settings().boundary,
            center: (bounds.low + bounds.high) * 0.5,
            half_size: bounds.size() * 0.5,
            bodies: Vec::new(),
        };
        for number in 0..simulation.body_count() {
            let body = simulation.body(number);
            near.add(body.position, body.radius);
        }
        near
    }

    /// Adds a body if it reaches into the region.
    pub(super) fn add(&mut self, position: Vector<D>, radius: f64) {
        let separation = self.boundary.minimum_image(self.center, position);
        if (0..D).all(|axis| separation[axis].abs() <= self.half_size[axis] + radius) {
            self.bodies.push((position, radius));
        }
    }

    fn is_free(&self, place: &Vector<D>, radius: f64) -> bool {
        self.bodies.iter().all(|(other, other_radius)| {
            let separation = self.boundary.minimum_image(*place, *other);
            separation.norm_squared() > (radius + other_radius).powi(2)
        })
    }
}
