//! Bodies that leave at outlets, or are put back.

use super::pour::{FreePlaceSearch, PourNeighborhood};
use crate::run::Error;
use carom_geometry::Vector;
use carom_geometry::random::SplitMix64;
use carom_scene::Scene;
use carom_scene::scene::{Outlet, SphereContainmentTest};
use carom_simulate::dem::{ContactLaw, Simulation};
use carom_simulate::{BodyChange, BodyProperty};

/// The outlets of a scene, and how many bodies have left.
pub(super) struct OutletState<const D: usize> {
    outlets: Vec<Outlet<D>>,
    /// For each outlet that puts bodies back, a test whether a sphere is in its region.
    in_region: Vec<Option<SphereContainmentTest<D>>>,
    seed: u64,
    /// Number of bodies that have left at each outlet, also of those that were put back.
    pub left: Vec<u64>,
    /// Warnings that have not been reported yet.
    pub warnings: Vec<String>,
    /// For each outlet whether it was reported that bodies wait.
    is_reported: Vec<bool>,
}

/// Bodies leave at time steps whose number is a multiple of this, since every change needs a new neighbor search.
const STEPS_BETWEEN_LOOKS: u64 = 32;
/// Number of bodies that wait to be put back at which a warning is given.
const REPORTED_BACKLOG: u64 = 10;
/// Key of the random stream for places, beside the keys that scenes and pours use.
const RETURN_STREAM: u64 = 101;

impl<const D: usize> OutletState<D> {
    pub(super) fn new(scene: &Scene<D>, left: Vec<u64>) -> Self {
        let test = |outlet: &Outlet<D>| {
            outlet.return_to.as_ref().map(|region| region.sphere_test(scene.bodies.len()))
        };
        OutletState {
            in_region: scene.outlets.iter().map(test).collect(),
            outlets: scene.outlets.clone(),
            seed: scene.seed,
            left,
            warnings: Vec::new(),
            is_reported: vec![false; scene.outlets.len()],
        }
    }

    /// Names of the outlets, and the number of bodies that have left at each.
    pub(super) fn named_counts(&self) -> Vec<(String, u64)> {
        let names = self.outlets.iter().map(|outlet| outlet.name.clone());
        names.zip(self.left.iter().copied()).collect()
    }

    /// The next step after `now` at which bodies may leave.
    pub(super) fn next(&self, now: u64) -> u64 {
        if self.outlets.is_empty() {
            return u64::MAX;
        }
        (now + 1).checked_next_multiple_of(STEPS_BETWEEN_LOOKS).unwrap_or(u64::MAX)
    }

    /// Removes the bodies that are at an outlet now, or puts them back where there is room.
    pub(super) fn release<L: ContactLaw>(
        &mut self,
        simulation: &mut Simulation<D, L>,
    ) -> Result<(), Error> {
        if self.outlets.is_empty() || !simulation.steps().is_multiple_of(STEPS_BETWEEN_LOOKS) {
            return Ok(());
        }
        let state = simulation.state();
        let mut removed = Vec::new();
        let mut changes = Vec::new();
        let mut has_left = vec![false; state.ids.len()];
        let mut returned: Vec<(Vector<D>, f64)> = Vec::new();
        for (number, outlet) in self.outlets.iter().enumerate() {
            let boundary = simulation.settings().boundary;
            let leaving = (0..state.ids.len())
                .filter(|&body| outlet.place.contains(&boundary.wrap(state.positions[body])));
            let leaving: Vec<usize> = leaving.filter(|&body| !has_left[body]).collect();
            if leaving.is_empty() {
                continue;
            }
            let (Some(region), Some(in_region)) = (&outlet.return_to, &self.in_region[number])
            else {
                self.left[number] += leaving.len() as u64;
                leaving.iter().for_each(|&body| has_left[body] = true);
                removed.extend(leaving.iter().map(|&body| state.ids[body]));
                continue;
            };
            let mut near = PourNeighborhood::of(&region.bounds(), simulation);
            returned.iter().for_each(|&(place, radius)| near.add(place, radius));
            let mut waiting = leaving.len() as u64;
            for body in leaving {
                let (id, radius) = (state.ids[body], state.radii[body]);
                let keys = [number as u64, RETURN_STREAM, u64::from(id), simulation.steps()];
                let random = &mut SplitMix64::keyed(self.seed, &keys);
                let search =
                    FreePlaceSearch { bounds: region.bounds(), in_region, simulation, near: &near };
                let Some(place) = search.find(radius, random, |_| true) else { continue };
                near.add(place, radius);
                returned.push((place, radius));
                has_left[body] = true;
                waiting -= 1;
                self.left[number] += 1;
                let to = [
                    BodyProperty::Position(place),
                    BodyProperty::Velocity(Vector::zeros()),
                    BodyProperty::AngularVelocity(Vector::zeros()),
                ];
                changes.extend(to.map(|to| BodyChange { body: id, to }));
            }
            if waiting >= REPORTED_BACKLOG
                && !std::mem::replace(&mut self.is_reported[number], true)
            {
                let (name, now) = (&outlet.name, simulation.now());
                self.warnings.push(format!(
                    "outlets.{number} ({name}) falls behind at time {now:.4}: {waiting} bodies find no room in \
                     return_to and stay beyond the outlet; a larger region would make room"
                ));
            }
        }
        if !changes.is_empty() {
            simulation.apply(&changes)?;
        }
        removed.sort_unstable();
        Ok(simulation.remove(&removed)?)
    }
}
