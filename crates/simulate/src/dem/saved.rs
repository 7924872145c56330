//! A moment of a simulation, from which it goes on to the bit.

use super::body::{Body, BodyArrays, ForceTorque};
use super::energy_guard::EnergyGuard;
use super::forces::StepTotals;
use super::neighbor_list::{ContactHistoryEntry, ContactHistoryTable};
use super::rotation_state::RotationState;
use super::shaped_contact::restore_warm_start;
use super::simulation::{Settings, Simulation};
use super::wall::{self, WallHistoryEntry};
use crate::Error;
use carom_detect::narrow::ClosestFeatures;
use carom_geometry::Vector;

/// Everything on which the rest of a run depends, bodies in the order of memory.
///
/// That order and the places of the last search belong to it: forces are summed in the order in which
/// that search found them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Saved {
    /// The length of a step.
    pub time_step: f64,
    /// By how much wider bodies are taken in a search.
    pub skin: f64,
    /// Steps so far.
    pub steps: u64,
    /// Searches so far.
    pub searches: u64,
    /// The step of the last search.
    pub last_search_step: u64,
    /// The number of each body.
    pub order: Vec<u32>,
    /// The bodies.
    pub bodies: Vec<Body>,
    /// Where they were at the last search.
    pub positions_at_search: Vec<Vector<3>>,
    /// What acts on each: force and torque.
    pub forces_torques: Vec<[Vector<3>; 2]>,
    /// How each is turned; empty if all are spheres.
    pub rotation_states: Vec<SavedRotation>,
    /// Contacts of bodies by their numbers and the number of the contact, ascending.
    pub contact_keys: Vec<[u32; 3]>,
    /// What each of these contacts remembers.
    pub tangential_displacements: Vec<Vector<3>>,
    /// What pairs remember of closest features, in the order of the pairs; empty if all bodies are
    /// spheres.
    pub warm_starts: Vec<[u32; 8]>,
    /// Bodies that touch walls: the numbers of the body, the wall and its triangle, ascending.
    pub wall_contact_keys: Vec<[u32; 3]>,
    /// What each of these contacts remembers.
    pub wall_tangential_displacements: Vec<Vector<3>>,
    /// How far bodies and walls have come nearer since the last search, at most.
    pub displacement_bound: f64,
    /// Energy lost along normals and across them.
    pub losses: [f64; 2],
    /// Energy given from outside.
    pub external_work: f64,
    /// The integral of the virial over time.
    pub virial_integral: f64,
    /// What the contacts of the last step amounted to.
    pub step_totals: StepTotals,
}

/// How a body is turned, by its principal axes, and its angular momentum.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SavedRotation {
    /// A quaternion of length one: `w, x, y, z`.
    pub orientation: [f64; 4],
    /// The angular momentum.
    pub angular_momentum: Vector<3>,
}

impl Simulation {
    /// The moment of now.
    pub fn save(&self) -> Saved {
        let count = self.body_count();
        let history = self.neighbors.contact_history(&self.bodies);
        Saved {
            time_step: self.time_step(),
            skin: self.skin,
            steps: self.steps,
            searches: self.searches,
            last_search_step: self.last_search_step,
            order: self.bodies.ids.clone(),
            bodies: (0..count)
                .map(|index| self.bodies.body(index, &self.settings.shapes))
                .collect(),
            positions_at_search: self.neighbors.positions_at_search.clone(),
            forces_torques: self
                .bodies
                .forces_torques
                .iter()
                .map(|load| [load.force, load.torque])
                .collect(),
            rotation_states: self
                .bodies
                .rotation_states
                .iter()
                .map(RotationState::to_saved)
                .collect(),
            contact_keys: (history.pairs.iter())
                .map(|one| [one.bodies[0], one.bodies[1], one.contact_key])
                .collect(),
            warm_starts: self.neighbors.warm_starts.iter().map(ClosestFeatures::to_words).collect(),
            tangential_displacements: history
                .pairs
                .iter()
                .map(|one| one.tangential_displacement)
                .collect(),
            wall_contact_keys: history.walls.iter().map(|one| one.contact_key).collect(),
            wall_tangential_displacements: history
                .walls
                .iter()
                .map(|one| one.tangential_displacement)
                .collect(),
            displacement_bound: self.displacement_bound,
            losses: self.losses,
            external_work: self.external_work,
            virial_integral: self.virial_integral,
            step_totals: self.step_totals,
        }
    }

    /// Goes on from a moment, with the settings with which it was reached; its step and skin are those
    /// that were saved.
    pub fn resume(saved: &Saved, settings: Settings) -> Result<Self, Error> {
        check_saved(saved)?;
        let settings =
            Settings { time_step: Some(saved.time_step), skin: Some(saved.skin), ..settings };
        super::checks::check_settings(&saved.bodies, &settings)?;
        let mut bodies = saved.bodies.clone();
        for (body, position) in bodies.iter_mut().zip(&saved.positions_at_search) {
            body.position = *position;
        }
        let mut simulation = Simulation::without_search(&bodies, settings);
        simulation.bodies.ids.clone_from(&saved.order);
        simulation.steps = saved.last_search_step;
        simulation.find_pairs(&contact_history(saved))?;
        simulation.restore_state(saved)?;
        simulation.energy_guard = EnergyGuard::start(&simulation);
        Ok(simulation)
    }

    /// Finds the pairs of the last search again; the bodies are where they were then.
    fn find_pairs(&mut self, history: &ContactHistoryTable) -> Result<(), Error> {
        let walls = wall::posed_walls(&self.settings.walls, self.now());
        let (boundary, skin) = (&self.settings.boundary, self.skin);
        let shapes = &self.settings.shapes;
        self.neighbors.find_pairs(&self.bodies, boundary, shapes, &walls, skin, history)?;
        self.finish_search();
        Ok(())
    }

    fn restore_state(&mut self, saved: &Saved) -> Result<(), Error> {
        self.restore_rotations(saved)?;
        let BodyArrays { positions, forces_torques, .. } = &mut self.bodies;
        for (position, body) in positions.iter_mut().zip(&saved.bodies) {
            position.vector = body.position;
        }
        for (force_torque, [force, torque]) in forces_torques.iter_mut().zip(&saved.forces_torques)
        {
            *force_torque = ForceTorque { force: *force, torque: *torque };
        }
        (self.steps, self.searches, self.last_search_step) =
            (saved.steps, saved.searches, saved.last_search_step);
        (self.displacement_bound, self.losses) = (saved.displacement_bound, saved.losses);
        (self.external_work, self.virial_integral, self.step_totals) =
            (saved.external_work, saved.virial_integral, saved.step_totals);
        Ok(())
    }

    fn restore_rotations(&mut self, saved: &Saved) -> Result<(), Error> {
        let counts = [saved.rotation_states.len(), saved.warm_starts.len()];
        if counts != [self.bodies.rotation_states.len(), self.neighbors.warm_starts.len()] {
            return Err(Error::Saved(
                "it lacks the rotation state or the warm start of a body".to_owned(),
            ));
        }
        // The spin of a body stays as it was saved: what follows from its momentum has the same value but
        // not the same bits before the first step (-0.0 for 0.0).
        for (rotation_state, saved) in
            self.bodies.rotation_states.iter_mut().zip(&saved.rotation_states)
        {
            if rotation_state.shape().is_some() {
                rotation_state.restore(saved)?;
            }
        }
        let shapes = &self.settings.shapes;
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

fn contact_history(saved: &Saved) -> ContactHistoryTable {
    let pairs = saved.contact_keys.iter().zip(&saved.tangential_displacements);
    let walls = saved.wall_contact_keys.iter().zip(&saved.wall_tangential_displacements);
    ContactHistoryTable {
        pairs: pairs
            .map(|(&[first, second, contact_key], &tangential_displacement)| ContactHistoryEntry {
                bodies: [first, second],
                contact_key,
                tangential_displacement,
            })
            .collect(),
        walls: walls
            .map(|(&contact_key, &tangential_displacement)| WallHistoryEntry {
                contact_key,
                tangential_displacement,
            })
            .collect(),
    }
}

/// Refuses what could not have been saved.
fn check_saved(saved: &Saved) -> Result<(), Error> {
    let refused = |reason: &str| Err(Error::Saved(reason.to_owned()));
    let count = saved.bodies.len();
    let lengths = [saved.order.len(), saved.positions_at_search.len(), saved.forces_torques.len()];
    if lengths != [count; 3] {
        return refused("it does not have everything of every body");
    }
    let mut seen = vec![false; count];
    for &number in &saved.order {
        match seen.get_mut(number as usize) {
            Some(seen) if !*seen => *seen = true,
            _ => return refused("the numbers of its bodies are not in order"),
        }
    }
    let numbers = |pair: &[u32; 3]| pair[0] < pair[1] && (pair[1] as usize) < count;
    if saved.contact_keys.len() != saved.tangential_displacements.len()
        || !saved.contact_keys.iter().all(numbers)
        || !saved.contact_keys.is_sorted()
        || saved.wall_contact_keys.len() != saved.wall_tangential_displacements.len()
        || !saved.wall_contact_keys.is_sorted()
        || !saved.wall_contact_keys.iter().all(|key| (key[0] as usize) < count)
    {
        return refused("its contacts are not those of its bodies");
    }
    let vectors = saved.positions_at_search.iter().chain(saved.forces_torques.iter().flatten());
    let mut vectors =
        vectors.chain(&saved.tangential_displacements).chain(&saved.wall_tangential_displacements);
    if !vectors.all(|vector| vector.iter().all(|number| number.is_finite())) {
        return refused("it has a number that is not finite");
    }
    if saved.last_search_step > saved.steps
        || !(saved.displacement_bound >= 0.0 && saved.displacement_bound.is_finite())
    {
        return refused("its last search is not before it");
    }
    Ok(())
}
