//! The saved state of a simulation, from which it continues to the bit.

use super::body::{Body, BodyArrays, ForceTorque};
use super::contact_law::{ContactLaw, LawHistory};
use super::contact_losses::ContactLosses;
use super::energy_guard::EnergyGuard;
use super::forces::StepTotals;
use super::neighbor_list::{ContactHistoryEntry, ContactHistoryTable};
use super::rotation_state::RotationState;
use super::shaped_contact::restore_warm_start;
use super::simulation::{Settings, Simulation};
use super::wall::{self, WallHistoryEntry};
use crate::Error;
use crate::body_ids::BodyIds;
use carom_detect::narrow::ClosestFeatures;
use carom_geometry::Vector;

/// Everything on which the rest of a run depends, with bodies in storage order.
///
/// That order and the positions at the last search belong to it: forces are summed in the order in which
/// that search found the pairs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SavedState {
    /// Time step.
    pub time_step: f64,
    /// Verlet skin.
    pub skin: f64,
    /// Number of time steps so far.
    pub steps: u64,
    /// Number of neighbor searches so far.
    pub searches: u64,
    /// Step number of the last neighbor search.
    pub last_search_step: u64,
    /// The user's number of each body.
    pub order: Vec<u32>,
    /// The bodies, in storage order.
    pub bodies: Vec<Body>,
    /// Position of each body at the last search.
    pub positions_at_search: Vec<Vector<3>>,
    /// Force and torque on each body.
    pub forces_torques: Vec<[Vector<3>; 2]>,
    /// Force and torque from outside on each body; empty if there are none.
    pub external_loads: Vec<[Vector<3>; 2]>,
    /// Storage indices of bodies that are held at their places, ascending.
    pub fixed_bodies: Vec<u32>,
    /// Rotation state of each body; empty if all are spheres.
    pub rotation_states: Vec<SavedRotation>,
    /// Contacts of two bodies: their numbers and the contact key, ascending.
    pub contact_keys: Vec<[u32; 3]>,
    /// Histories of these contacts, as numbers; with the built-in law tangential displacements.
    pub histories: Vec<f64>,
    /// Warm start of the narrow phase for each pair, in the order of the neighbor list; empty if all bodies are
    /// spheres.
    pub warm_starts: Vec<[u32; 8]>,
    /// Contacts with walls: the numbers of the body, the wall and its triangle, ascending.
    pub wall_contact_keys: Vec<[u32; 3]>,
    /// Histories of these contacts, as numbers.
    pub wall_histories: Vec<f64>,
    /// Upper bound on how far any body or wall has moved since the last search.
    pub displacement_bound: f64,
    /// Energy lost so far.
    pub losses: ContactLosses,
    /// Work done from outside.
    pub external_work: f64,
    /// Power of forces from outside.
    pub external_power: f64,
    /// Integral of the virial over time.
    pub virial_integral: f64,
    /// Sums over all contacts of the last time step.
    pub step_totals: StepTotals,
    /// Number of passages of each body through the periodic sides of each axis, upwards minus downwards; empty in an open
    /// box.
    pub passages: Vec<[i32; 3]>,
    /// Id of each body, by its number; empty if no body was removed.
    pub ids: Vec<u32>,
    /// Id of the next body to be inserted.
    pub next_id: u32,
}

/// Orientation of a body's principal axes, and its angular momentum.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SavedRotation {
    /// Unit quaternion `w, x, y, z` from the principal axes to the world frame.
    pub orientation: [f64; 4],
    /// Angular momentum in the world frame.
    pub angular_momentum: Vector<3>,
}

impl<const D: usize, L: ContactLaw> Simulation<D, L> {
    /// Returns the present state, from which [`resume`](Self::resume) continues to the bit.
    pub fn saved_state(&self) -> SavedState {
        let count = self.body_count();
        let history = self.neighbors.contact_history(&self.bodies);
        let (ids, next_id) = self.body_ids.saved();
        SavedState {
            ids,
            next_id,
            time_step: self.time_step(),
            skin: self.skin,
            steps: self.steps,
            searches: self.searches,
            last_search_step: self.last_search_step,
            order: self.bodies.ids.clone(),
            bodies: (0..count).map(|index| self.bodies.body(index, &self.shapes)).collect(),
            positions_at_search: self.neighbors.positions_at_search.clone(),
            forces_torques: self
                .bodies
                .forces_torques
                .iter()
                .map(|load| [load.force, load.torque])
                .collect(),
            external_loads: (self.bodies.external.iter())
                .map(|load| [load.force, load.torque])
                .collect(),
            fixed_bodies: (0..)
                .zip(&self.bodies.motions)
                .filter(|(_, motion)| motion.is_held())
                .map(|(index, _)| index)
                .collect(),
            rotation_states: self
                .bodies
                .rotation_states
                .iter()
                .map(RotationState::saved_rotation)
                .collect(),
            contact_keys: (history.pairs.iter())
                .map(|one| [one.bodies[0], one.bodies[1], one.contact_key])
                .collect(),
            warm_starts: self.neighbors.warm_starts.iter().map(ClosestFeatures::to_words).collect(),
            histories: numbers(history.pairs.iter().map(|one| one.history)),
            wall_contact_keys: history.walls.iter().map(|one| one.contact_key).collect(),
            wall_histories: numbers(history.walls.iter().map(|one| one.history)),
            displacement_bound: self.displacement_bound,
            losses: self.losses,
            external_work: self.external_work,
            external_power: self.external_power,
            virial_integral: self.virial_integral,
            step_totals: self.step_totals,
            passages: self.bodies.passages.clone(),
        }
    }

    /// Continues from a saved state, with the settings it was saved under; time step and skin are the saved
    /// ones.
    ///
    /// Errors if the state is inconsistent or does not fit the settings.
    ///
    /// ```
    /// use carom_simulate::dem::{Body, CompositeLaw, Settings, Simulation};
    /// let settings = Settings::with_law(CompositeLaw::spring(1e4));
    /// let bodies = [
    ///     Body { velocity: [1.0, 0.2, 0.0].into(), ..Body::at_rest([0.0, 0.0, 0.0], 0.5, 1.0) },
    ///     Body::at_rest([1.01, 0.0, 0.0], 0.5, 1.0),
    /// ];
    /// let mut simulation = Simulation::new(&bodies, settings.clone())?;
    /// simulation.advance(30)?;
    /// let mut resumed = Simulation::resume(&simulation.saved_state(), settings)?;
    /// simulation.advance(100)?;
    /// resumed.advance(100)?;
    /// assert_eq!(resumed.state(), simulation.state());
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn resume(saved: &SavedState, settings: Settings<D, L>) -> Result<Self, Error> {
        check_saved::<L::History>(saved)?;
        let settings =
            Settings { time_step: Some(saved.time_step), skin: Some(saved.skin), ..settings };
        super::checks::check_settings(&saved.bodies, &settings)?;
        let counted = if settings.boundary.is_periodic() { saved.bodies.len() } else { 0 };
        if saved.passages.len() != counted {
            let reason =
                "its passages through periodic sides are not those of its bodies in this box";
            return Err(Error::Saved(reason.to_owned()));
        }
        let mut bodies = saved.bodies.clone();
        for (body, position) in bodies.iter_mut().zip(&saved.positions_at_search) {
            body.position = *position;
        }
        let mut simulation = Simulation::without_search(&bodies, settings)?;
        simulation.bodies.ids.clone_from(&saved.order);
        simulation.body_ids = BodyIds::restore(saved.ids.clone(), saved.next_id, bodies.len())?;
        simulation.steps = saved.last_search_step;
        simulation.find_pairs(&contact_history(saved))?;
        simulation.fill_in(saved)?;
        simulation.has_saved_forces = true;
        simulation.energy_guard = EnergyGuard::start(&simulation)?;
        Ok(simulation)
    }

    /// Continues from a saved state with the settings of this simulation, its force functions, and its energy guard on or
    /// off; time step and skin are the saved ones. What it did before is forgotten.
    ///
    /// Errors as [`resume`](Self::resume) does; then nothing changes.
    ///
    /// ```
    /// use carom_simulate::dem::{Body, CompositeLaw, Settings, Simulation};
    /// let body = Body { velocity: [1.0, 0.0].into(), ..Body::at_rest([0.0, 0.0], 0.5, 1.0) };
    /// let mut grain = Simulation::new(&[body], Settings::with_law(CompositeLaw::spring(1e4)))?;
    /// let start = grain.saved_state();
    /// grain.advance(30)?;
    /// grain.restore_state(&start)?;
    /// assert_eq!((grain.steps(), grain.body(0).position.x), (0, 0.0));
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn restore_state(&mut self, saved: &SavedState) -> Result<(), Error> {
        let mut restored = Simulation::resume(saved, self.settings.clone())?;
        restored.allow_energy_gain(self.energy_guard.is_off);
        restored.force_functions = std::mem::take(&mut self.force_functions);
        *self = restored;
        Ok(())
    }

    /// Finds the pairs of the last search again; bodies must be at their positions of that search.
    fn find_pairs(&mut self, history: &ContactHistoryTable<L::History>) -> Result<(), Error> {
        let walls = wall::posed_walls(&self.settings.walls, self.now());
        let (boundary, skin) = (&self.boundary, self.skin);
        let shapes = &self.shapes;
        self.neighbors.find_pairs(&self.bodies, boundary, shapes, &walls, skin, history)?;
        self.finish_search();
        Ok(())
    }

    /// Takes over what does not follow from bodies and pairs.
    fn fill_in(&mut self, saved: &SavedState) -> Result<(), Error> {
        self.restore_rotations(saved)?;
        let BodyArrays { positions, forces_torques, .. } = &mut self.bodies;
        for (position, body) in positions.iter_mut().zip(&saved.bodies) {
            position.position = body.position;
        }
        for (force_torque, [force, torque]) in forces_torques.iter_mut().zip(&saved.forces_torques)
        {
            *force_torque = ForceTorque { force: *force, torque: *torque };
        }
        self.bodies.external = (saved.external_loads.iter())
            .map(|&[force, torque]| ForceTorque { force, torque })
            .collect();
        self.bodies.passages.clone_from(&saved.passages);
        for &index in &saved.fixed_bodies {
            self.bodies.hold(index as usize, true);
        }
        (self.steps, self.searches, self.last_search_step) =
            (saved.steps, saved.searches, saved.last_search_step);
        (self.displacement_bound, self.losses) = (saved.displacement_bound, saved.losses);
        (self.external_work, self.virial_integral, self.step_totals) =
            (saved.external_work, saved.virial_integral, saved.step_totals);
        self.external_power = saved.external_power;
        Ok(())
    }

    fn restore_rotations(&mut self, saved: &SavedState) -> Result<(), Error> {
        let counts = [saved.rotation_states.len(), saved.warm_starts.len()];
        if counts != [self.bodies.rotation_states.len(), self.neighbors.warm_starts.len()] {
            return Err(Error::Saved(
                "it lacks the rotation state or the warm start of a body".to_owned(),
            ));
        }
        // The angular velocity stays as it was saved: the one that follows from the angular momentum has the
        // same value but not the same bits before the first step (-0.0 for 0.0).
        for (rotation_state, saved) in
            self.bodies.rotation_states.iter_mut().zip(&saved.rotation_states)
        {
            if rotation_state.shape().is_some() {
                rotation_state.restore(saved)?;
            }
        }
        let shapes = &self.shapes;
        let pairs: Vec<_> = self.neighbors.each_pair().collect();
        for (bodies, number) in pairs {
            let shapes = bodies.map(|body| self.bodies.shape(body, shapes));
            if let Some(warm_start) = self.neighbors.warm_starts.get_mut(number) {
                *warm_start = restore_warm_start(saved.warm_starts[number], shapes);
            }
        }
        Ok(())
    }
}

pub(super) fn contact_history<H: LawHistory>(saved: &SavedState) -> ContactHistoryTable<H> {
    let pairs = saved.contact_keys.iter().enumerate();
    let walls = saved.wall_contact_keys.iter().enumerate();
    ContactHistoryTable {
        pairs: pairs
            .map(|(number, &[first, second, contact_key])| ContactHistoryEntry {
                bodies: [first, second],
                contact_key,
                history: H::restore(numbers_of::<H>(&saved.histories, number)),
            })
            .collect(),
        walls: walls
            .map(|(number, &contact_key)| WallHistoryEntry {
                contact_key,
                history: H::restore(numbers_of::<H>(&saved.wall_histories, number)),
            })
            .collect(),
    }
}

/// Returns the numbers of histories, one history after the other.
fn numbers<H: LawHistory>(histories: impl Iterator<Item = H>) -> Vec<f64> {
    let mut numbers = Vec::new();
    histories.for_each(|history| history.save(&mut numbers));
    numbers
}

/// Returns the numbers of one of several histories.
pub(super) fn numbers_of<H: LawHistory>(numbers: &[f64], history: usize) -> &[f64] {
    &numbers[history * H::NUMBERS..][..H::NUMBERS]
}

/// Refuses an inconsistent state: array lengths, body numbers, contact keys, numbers that are not finite.
fn check_saved<H: LawHistory>(saved: &SavedState) -> Result<(), Error> {
    let refused = |reason: &str| Err(Error::Saved(reason.to_owned()));
    let count = saved.bodies.len();
    let lengths = [saved.order.len(), saved.positions_at_search.len(), saved.forces_torques.len()];
    if lengths != [count; 3] {
        return refused("its arrays have different lengths");
    }
    let is_whole = [0, count].contains(&saved.external_loads.len());
    if !is_whole || saved.fixed_bodies.iter().any(|&index| index as usize >= count) {
        return refused("its forces from outside or held bodies are not those of its bodies");
    }
    let mut seen = vec![false; count];
    for &number in &saved.order {
        match seen.get_mut(number as usize) {
            Some(seen) if !*seen => *seen = true,
            _ => return refused("its body numbers are not 0 to n - 1, each once"),
        }
    }
    let is_pair = |pair: &[u32; 3]| pair[0] < pair[1] && (pair[1] as usize) < count;
    if saved.contact_keys.len() * H::NUMBERS != saved.histories.len()
        || !saved.contact_keys.iter().all(is_pair)
        || !saved.contact_keys.is_sorted()
        || saved.wall_contact_keys.len() * H::NUMBERS != saved.wall_histories.len()
        || !saved.wall_contact_keys.is_sorted()
        || !saved.wall_contact_keys.iter().all(|key| (key[0] as usize) < count)
    {
        return refused("its contacts are not those of its bodies");
    }
    let loads = saved.forces_torques.iter().chain(&saved.external_loads).flatten();
    let vectors = saved.positions_at_search.iter().chain(loads).flatten();
    let mut numbers = vectors.chain(&saved.histories).chain(&saved.wall_histories);
    if !numbers.all(|number| number.is_finite()) {
        return refused("it has a number that is not finite");
    }
    if saved.last_search_step > saved.steps
        || !(saved.displacement_bound >= 0.0 && saved.displacement_bound.is_finite())
    {
        return refused("its last neighbor search is later than its last step");
    }
    Ok(())
}
