//! The DEM simulation: its settings, its start, and the loop over time steps.

use super::body::{Body, BodyArrays, ForceTorque, PositionRadius};
use super::checks;
use super::contact_history::ContactHistory;
use super::contact_law::{CompositeLaw, ContactLaw};
use super::contact_losses::ContactLosses;
use super::energy;
use super::energy_guard::EnergyGuard;
use super::external_force::{ForceFunction, FunctionForces};
use super::forces::{ContactLawTable, ForceStep, StepTotals};
use super::gravity::Gravity;
use super::neighbor_list::{ContactHistoryTable, HistorySnapshot, VerletNeighborList};
use super::shape::ContactShape;
use super::time_step;
use super::wall;
use crate::body_ids::BodyIds;
use crate::{ContactObstacle, Error, Shape, State, Wall};
use carom_geometry::{Boundary, Vector};
use rayon::prelude::*;

/// Settings of a DEM simulation, beside its bodies; [`Simulation::change_settings`] replaces them.
///
/// ```
/// use carom_simulate::dem::{Body, CompositeLaw, Settings, Simulation};
/// // Two materials, and a law for each pair of them.
/// let [soft, mixed, hard] = [1024.0, 1536.0, 4096.0].map(CompositeLaw::spring);
/// let settings = Settings {
///     material_count: 2,
///     contact_laws: vec![soft, mixed, mixed, hard],
///     ..Settings::with_law(soft)
/// };
/// let body = |x: f64, material| Body { material, ..Body::at_rest([x, 0.0], 0.5, 1.0) };
/// let bodies = [body(0.0, 0), body(0.9375, 0), body(1.875, 1)];
/// let simulation = Simulation::new(&bodies, settings)?;
/// // Both overlaps are 1/16.
/// let forces: Vec<f64> = simulation.contacts().iter().map(|one| one.normal_force).collect();
/// assert_eq!(forces, [64.0, 96.0]);
/// # Ok::<(), carom_simulate::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Settings<const D: usize = 3, L = CompositeLaw> {
    /// Periodic boundary of the box.
    pub boundary: Boundary<D>,
    /// Planes, cylinders and meshes, at rest or driven.
    pub walls: Vec<Wall>,
    /// Gravity, uniform in space, whose direction may rotate.
    pub gravity: Gravity<D>,
    /// Number of materials.
    pub material_count: usize,
    /// Contact law of every pair of materials, by the first, then by the second: `material_count` squared.
    pub contact_laws: Vec<L>,
    /// Shapes of the bodies that are no spheres.
    pub shapes: Vec<Shape>,
    /// Time step; `None` chooses it by the shortest collision, see [`choose_time_step`](super::choose_time_step).
    pub time_step: Option<f64>,
    /// Verlet skin, a length: pairs within it are in the neighbor list, which is rebuilt once a body has moved
    /// half of it. `None` takes [`DEFAULT_SKIN_RATIO`] of the smallest diameter.
    pub skin: Option<f64>,
}

impl<const D: usize, L: ContactLaw> Settings<D, L> {
    /// Makes settings for one material with a contact law, in open space, without walls or gravity.
    pub fn with_law(law: L) -> Self {
        Settings {
            boundary: Boundary::open(),
            walls: Vec::new(),
            gravity: Gravity::none(),
            material_count: 1,
            contact_laws: vec![law],
            shapes: Vec::new(),
            time_step: None,
            skin: None,
        }
    }

    /// Returns these settings with other contact laws, each made from the one in its place.
    ///
    /// ```
    /// use carom_simulate::dem::{CompositeLaw, Settings};
    /// let soft = Settings::<2>::with_law(CompositeLaw::spring(1e3));
    /// let rough = soft.map_laws(|law| CompositeLaw { friction_coefficient: 0.5, ..law });
    /// assert_eq!(rough.contact_laws[0].friction_coefficient, 0.5);
    /// ```
    pub fn map_laws<M: ContactLaw>(self, law: impl FnMut(L) -> M) -> Settings<D, M> {
        let Settings { boundary, walls, gravity, material_count, shapes, time_step, skin, .. } =
            self;
        let contact_laws = self.contact_laws.into_iter().map(law).collect();
        Settings { boundary, walls, gravity, material_count, contact_laws, shapes, time_step, skin }
    }
}

/// A time-stepped simulation of soft bodies (DEM).
///
/// ```
/// use carom_simulate::dem::{Body, CompositeLaw, Damping, Settings, Simulation};
/// let law = CompositeLaw { damping: Damping::restitution(0.5), ..CompositeLaw::spring(1e4) };
/// let bodies = [
///     Body { velocity: [1., 0., 0.].into(), ..Body::at_rest([0., 0., 0.], 0.5, 1.0) },
///     Body::at_rest([1.01, 0., 0.], 0.5, 1.0),
/// ];
/// let mut simulation = Simulation::new(&bodies, Settings::with_law(law))?;
/// while simulation.now() < 0.1 {
///     simulation.advance(10)?;
/// }
/// let [first, second] = [simulation.body(0), simulation.body(1)];
/// assert!((second.velocity.x - first.velocity.x - 0.5).abs() < 1e-3);
/// # Ok::<(), carom_simulate::Error>(())
/// ```
pub struct Simulation<const D: usize = 3, L: ContactLaw = CompositeLaw> {
    pub(super) settings: Settings<D, L>,
    /// Periodic boundary of the box, in 2D with an open third axis.
    pub(super) boundary: Boundary<3>,
    pub(super) contact_laws: ContactLawTable<L>,
    /// Shapes of the settings, prepared for contacts.
    pub(super) shapes: Vec<ContactShape>,
    pub(super) time_step: f64,
    pub(super) skin: f64,
    pub(super) bodies: BodyArrays,
    pub(super) neighbors: VerletNeighborList<L::History>,
    /// Storage index of each body, by the user's number.
    pub(super) index_of_body: Vec<u32>,
    /// Forces and torques on bodies of other blocks, buffered until those blocks apply them.
    pub(super) deferred: Vec<ForceTorque>,
    /// Whether deferred forces are still to be applied.
    pub(super) has_deferred: bool,
    /// Upper bound on how far any body or wall has moved since the last search.
    pub(super) displacement_bound: f64,
    /// Upper bound on the speed at which a wall approaches bodies.
    pub(super) max_wall_speed: f64,
    /// Step number of the last neighbor search.
    pub(super) last_search_step: u64,
    pub(super) steps: u64,
    pub(super) searches: u64,
    pub(super) step_totals: StepTotals,
    pub(super) losses: ContactLosses,
    /// Work done from outside: by driven walls, rotating gravity, inserted bodies.
    pub(super) external_work: f64,
    /// Power of forces from outside at the present.
    pub(super) external_power: f64,
    /// Integral of the virial over time.
    pub(super) virial_integral: f64,
    pub(super) energy_guard: EnergyGuard,
    pub(super) force_functions: Vec<Box<ForceFunction<D>>>,
    pub(super) force_sums: FunctionForces<D>,
    /// Memory for the state that functions are given, kept from step to step.
    pub(super) spare_state: State<D>,
    /// Whether forces are those of a saved state, with all force functions that there were.
    pub(super) has_saved_forces: bool,
    /// Ids of the bodies, by their numbers.
    pub(super) body_ids: BodyIds,
}

/// Default Verlet skin, in units of the smallest diameter.
pub const DEFAULT_SKIN_RATIO: f64 = 0.15;

impl<const D: usize, L: ContactLaw> Simulation<D, L> {
    /// Checks bodies and settings and builds the simulation at time zero.
    ///
    /// Errors name the first body, wall or setting that breaks a rule: numbers that are not finite, radii and
    /// masses that are not positive, time steps that are not stable, overlaps that are too deep.
    pub fn new(bodies: &[Body<D>], settings: Settings<D, L>) -> Result<Self, Error> {
        Simulation::with_history(bodies, settings, &ContactHistory::default())
    }

    /// Builds a simulation like [`new`](Self::new), with the contact history of another one, so that friction
    /// that held bodies there continues to hold them.
    pub fn with_history(
        bodies: &[Body<D>],
        settings: Settings<D, L>,
        history: &ContactHistory<L::History>,
    ) -> Result<Self, Error> {
        let bodies: &[Body<3>] = &bodies.iter().map(Body::embedded).collect::<Vec<_>>();
        checks::check_settings(bodies, &settings)?;
        let contact_history = history.to_table(bodies.len(), settings.walls.len())?;
        checks::check_start(bodies, &settings, &wall::posed_walls(&settings.walls, 0.0))?;
        let mut simulation = Simulation::without_search(bodies, settings)?;
        checks::check_periods(0, bodies, &simulation.boundary, simulation.skin)?;
        simulation.rebuild_neighbor_list(&contact_history)?;
        simulation.refuse_deep_overlaps()?;
        let snapshot =
            (!contact_history.is_empty()).then(|| simulation.neighbors.history_snapshot());
        simulation.compute_present_forces(snapshot)?;
        simulation.energy_guard = EnergyGuard::start(&simulation)?;
        Ok(simulation)
    }

    /// Computes the forces at this moment outside of a step: no time passes, so that neither losses nor work are counted
    /// and histories of contacts stay as in the snapshot.
    pub(super) fn compute_present_forces(
        &mut self,
        snapshot: Option<HistorySnapshot<L::History>>,
    ) -> Result<(), Error> {
        // Forces at the start belong to no step: what they would add to the sums over time is taken back.
        let (losses, work, virial) = (self.losses, self.external_work, self.virial_integral);
        self.compute_forces()?;
        self.apply_deferred();
        snapshot.iter().for_each(|kept| self.neighbors.restore_histories(kept));
        self.add_external_forces()?;
        (self.losses, self.external_work, self.virial_integral) = (losses, work, virial);
        Ok(())
    }

    /// Builds a simulation with bodies in the order given, before the first neighbor search.
    pub(super) fn without_search(
        bodies: &[Body<3>],
        settings: Settings<D, L>,
    ) -> Result<Self, Error> {
        let shapes = ContactShape::prepare_all::<D>(&settings.shapes)?;
        let contact_laws = ContactLawTable {
            material_count: settings.material_count,
            laws: settings.contact_laws.clone(),
        };
        let smallest = bodies.iter().map(|body| body.radius).fold(f64::INFINITY, f64::min);
        // By the smallest body: a wider skin would give small ones a multiple of the neighbors they need.
        let skin = settings.skin.unwrap_or(DEFAULT_SKIN_RATIO * 2.0 * smallest);
        let time_step = match settings.time_step {
            Some(step) => step,
            None => time_step::choose_time_step(bodies, &settings).time_step,
        };
        Ok(Simulation {
            contact_laws,
            time_step,
            skin,
            bodies: BodyArrays::new(bodies, D == 2, &shapes),
            neighbors: VerletNeighborList::new(),
            index_of_body: Vec::new(),
            deferred: Vec::new(),
            has_deferred: false,
            displacement_bound: 0.0,
            max_wall_speed: 0.0,
            last_search_step: 0,
            steps: 0,
            searches: 0,
            step_totals: StepTotals::default(),
            losses: ContactLosses::default(),
            external_work: 0.0,
            external_power: 0.0,
            virial_integral: 0.0,
            energy_guard: EnergyGuard::default(),
            force_functions: Vec::new(),
            force_sums: FunctionForces::default(),
            spare_state: State::default(),
            has_saved_forces: false,
            body_ids: BodyIds::new(bodies.len()),
            boundary: settings.boundary.embedded(),
            shapes,
            settings,
        })
    }

    /// Advances by a number of time steps.
    ///
    /// Errors if a position or velocity is no longer finite, or if more energy appears than there was.
    ///
    /// ```
    /// use carom_simulate::dem::{Body, CompositeLaw, Settings, Simulation};
    /// // Velocity Verlet is exact for a body that falls freely.
    /// let law = CompositeLaw::spring(1e4);
    /// let settings = Settings { gravity: [0.0, -10.0].into(), ..Settings::with_law(law) };
    /// let mut simulation = Simulation::new(&[Body::at_rest([0.0, 0.0], 0.5, 1.0)], settings)?;
    /// simulation.advance(1000)?;
    /// let time = 1000.0 * simulation.time_step();
    /// assert!((simulation.body(0).position.y + 5.0 * time * time).abs() < 1e-9);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn advance(&mut self, steps: u64) -> Result<(), Error> {
        for number in 0..steps {
            // The second half kick of a step and the first of the next are done in one pass over memory; the
            // last one is done at the end, so that velocities are at the same time as positions.
            let speeds = self.kick_and_drift(if number == 0 { 1 } else { 2 })?;
            if self.displacement_bound > 0.5 * self.skin {
                // The bound sums the fastest speed of every step; the true displacement is only computed
                // when the bound is used up.
                self.displacement_bound =
                    self.max_body_displacement() + self.wall_displacement_bound();
                if self.displacement_bound > 0.5 * self.skin {
                    let history = self.neighbors.contact_history(&self.bodies);
                    self.rebuild_neighbor_list(&history)?;
                }
            }
            self.compute_forces()?;
            self.add_external_forces()?;
            self.check_energy_jump(speeds)?;
        }
        if steps > 0 {
            self.final_kick()?;
        }
        Ok(())
    }

    /// Computes the forces of contacts; errors if they are not finite.
    fn compute_forces(&mut self) -> Result<(), Error> {
        let walls = wall::posed_walls(&self.settings.walls, self.steps as f64 * self.time_step);
        self.step_totals = L::compute_forces(ForceStep {
            bodies: &mut self.bodies,
            neighbors: &mut self.neighbors,
            deferred: &mut self.deferred,
            contact_laws: &self.contact_laws,
            shapes: &self.shapes,
            walls: &walls,
            time_step: self.time_step,
        });
        self.external_work += self.step_totals.external_work;
        self.virial_integral += self.step_totals.virial * self.time_step;
        self.has_deferred = true;
        self.losses += self.step_totals.losses;
        self.check_contact_forces()
    }

    /// Returns the largest displacement of a body since the last search.
    fn max_body_displacement(&self) -> f64 {
        let moved = (self.bodies.positions.par_iter().zip(&self.neighbors.positions_at_search))
            .map(|(place, before)| (place.position - before).norm_squared());
        moved.reduce(|| 0.0, f64::max).sqrt()
    }

    /// Returns an upper bound on how far any wall has approached since the last search.
    fn wall_displacement_bound(&self) -> f64 {
        self.max_wall_speed * self.time_step * (self.steps - self.last_search_step) as f64
    }

    /// Wraps and reorders bodies and rebuilds the neighbor list, keeping the contact history.
    pub(super) fn rebuild_neighbor_list(
        &mut self,
        history: &ContactHistoryTable<L::History>,
    ) -> Result<(), Error> {
        let walls = wall::posed_walls(&self.settings.walls, self.now());
        let (boundary, shapes) = (&self.boundary, &self.shapes);
        let skin = self.skin;
        let falls_round = self.wraps_along_gravity();
        let before = if falls_round { self.potential_energy() } else { 0.0 };
        let found =
            self.neighbors.rebuild(&mut self.bodies, boundary, shapes, &walls, skin, history);
        // A search refuses positions that are not finite, and bodies too wide for the box.
        found.map_err(|error| match error {
            carom_detect::Error::LargerThanHalfTheBox { .. } => error.into(),
            _ => self.lost_body_error(history),
        })?;
        if falls_round {
            self.external_work += self.potential_energy() - before;
        }
        self.finish_search();
        self.searches += 1;
        Ok(())
    }

    /// Returns whether wrapping a body into the periodic box changes its potential energy.
    fn wraps_along_gravity(&self) -> bool {
        let gravity = self.settings.gravity.at(self.now());
        (0..3).any(|axis| gravity[axis] != 0.0 && self.boundary.period(axis).is_some())
    }

    /// Updates everything that depends on the order of bodies and on their positions at the search.
    pub(super) fn finish_search(&mut self) {
        self.index_of_body.resize(self.bodies.len(), 0);
        for (index, &id) in (0..).zip(&self.bodies.ids) {
            self.index_of_body[id as usize] = index;
        }
        let positions = &self.bodies.positions;
        let reach = |center: &Vector<3>| {
            let far = |place: &PositionRadius| {
                (place.position - center).norm() + place.radius + self.skin
            };
            positions.iter().map(far).fold(0.0, f64::max)
        };
        self.max_wall_speed = wall::max_approach_speed(&self.settings.walls, self.now(), reach);
        self.last_search_step = self.steps;
        self.displacement_bound = 0.0;
    }

    /// Refuses bodies with shapes that penetrate each other or walls so deeply that they would fly apart.
    fn refuse_deep_overlaps(&self) -> Result<(), Error> {
        if self.bodies.rotation_states.is_empty() {
            return Ok(());
        }
        let walls = wall::posed_walls(&self.settings.walls, self.now());
        let (bodies, shapes) = (&self.bodies, &self.shapes);
        match energy::first_too_deep(bodies, &self.neighbors, &self.contact_laws, shapes, &walls) {
            Some((body, ContactObstacle::Body(second), overlap)) => {
                Err(Error::DeepOverlap { first: body, second, overlap })
            }
            Some((body, ContactObstacle::Wall(wall), overlap)) => {
                Err(Error::WallOverlap { body: body as usize, wall: wall as usize, overlap })
            }
            None => Ok(()),
        }
    }
}
