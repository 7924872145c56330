//! A moment of a simulation, from which it goes on to the bit.

use super::body::{Bodies, Body, Load};
use super::energy_guard::EnergyGuard;
use super::forces::Tally;
use super::neighbours::{Memories, Remembered};
use super::shaped::tracked_again;
use super::simulation::{Settings, Simulation};
use super::turn::Turn;
use super::wall::{self, WallRemembered};
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
    pub step: f64,
    /// By how much wider bodies are taken in a search.
    pub skin: f64,
    /// Steps so far.
    pub steps: u64,
    /// Searches so far.
    pub searches: u64,
    /// The step of the last search.
    pub searched: u64,
    /// The number of each body.
    pub order: Vec<u32>,
    /// The bodies.
    pub bodies: Vec<Body>,
    /// Where they were at the last search.
    pub searched_at: Vec<Vector<3>>,
    /// What acts on each: force and torque.
    pub loads: Vec<[Vector<3>; 2]>,
    /// How each is turned; empty if all are spheres.
    pub turns: Vec<SavedTurn>,
    /// Contacts of bodies by their numbers and the number of the contact, ascending.
    pub touching: Vec<[u32; 3]>,
    /// What each of these contacts remembers.
    pub memories: Vec<Vector<3>>,
    /// What pairs remember of closest features, in the order of the pairs; empty if all bodies are
    /// spheres.
    pub tracked: Vec<[u32; 8]>,
    /// Bodies that touch walls: the numbers of the body, the wall and its triangle, ascending.
    pub touching_walls: Vec<[u32; 3]>,
    /// What each of these contacts remembers.
    pub wall_memories: Vec<Vector<3>>,
    /// How far bodies and walls have come nearer since the last search, at most.
    pub moved: f64,
    /// Energy lost along normals and across them.
    pub lost: [f64; 2],
    /// Energy given from outside.
    pub driven: f64,
    /// The integral of the virial over time.
    pub virial: f64,
    /// What the contacts of the last step amounted to.
    pub tally: Tally,
}

/// How a body is turned, by its principal axes, and its angular momentum.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SavedTurn {
    /// A quaternion of length one: `w, x, y, z`.
    pub orientation: [f64; 4],
    /// The angular momentum.
    pub momentum: Vector<3>,
}

impl Simulation {
    /// The moment of now.
    pub fn save(&self) -> Saved {
        let count = self.count();
        let memories = self.neighbours.memories(&self.bodies);
        Saved {
            step: self.step(),
            skin: self.skin,
            steps: self.steps,
            searches: self.searches,
            searched: self.searched,
            order: self.bodies.ids.clone(),
            bodies: (0..count)
                .map(|index| self.bodies.body(index, &self.settings.shapes))
                .collect(),
            searched_at: self.neighbours.searched_at.clone(),
            loads: self.bodies.loads.iter().map(|load| [load.force, load.torque]).collect(),
            turns: self.bodies.turns.iter().map(Turn::saved).collect(),
            touching: (memories.pairs.iter())
                .map(|one| [one.bodies[0], one.bodies[1], one.key])
                .collect(),
            tracked: self.neighbours.tracked.iter().map(ClosestFeatures::to_words).collect(),
            memories: memories.pairs.iter().map(|one| one.memory).collect(),
            touching_walls: memories.walls.iter().map(|one| one.key).collect(),
            wall_memories: memories.walls.iter().map(|one| one.memory).collect(),
            moved: self.moved,
            lost: self.lost,
            driven: self.driven,
            virial: self.virial,
            tally: self.tally,
        }
    }

    /// Goes on from a moment, with the settings with which it was reached; its step and skin are those
    /// that were saved.
    pub fn resume(saved: &Saved, settings: Settings) -> Result<Self, Error> {
        check(saved)?;
        let settings = Settings { step: Some(saved.step), skin: Some(saved.skin), ..settings };
        super::checks::check(&saved.bodies, &settings)?;
        let mut bodies = saved.bodies.clone();
        for (body, place) in bodies.iter_mut().zip(&saved.searched_at) {
            body.position = *place;
        }
        let mut simulation = Simulation::prepared(&bodies, settings);
        simulation.bodies.ids.clone_from(&saved.order);
        simulation.steps = saved.searched;
        simulation.find_pairs(&memories(saved))?;
        simulation.put_back(saved)?;
        simulation.guard = EnergyGuard::start(&simulation);
        Ok(simulation)
    }

    /// Finds the pairs of the last search again; the bodies are where they were then.
    fn find_pairs(&mut self, memories: &Memories) -> Result<(), Error> {
        let walls = wall::placed(&self.settings.walls, self.now());
        let (boundary, skin) = (&self.settings.boundary, self.skin);
        let shapes = &self.settings.shapes;
        self.neighbours.find(&self.bodies, boundary, shapes, &walls, skin, memories)?;
        self.after_search();
        Ok(())
    }

    fn put_back(&mut self, saved: &Saved) -> Result<(), Error> {
        self.put_back_turns(saved)?;
        let Bodies { places, loads, .. } = &mut self.bodies;
        for (place, body) in places.iter_mut().zip(&saved.bodies) {
            place.vector = body.position;
        }
        for (load, [force, torque]) in loads.iter_mut().zip(&saved.loads) {
            *load = Load { force: *force, torque: *torque };
        }
        (self.steps, self.searches, self.searched) = (saved.steps, saved.searches, saved.searched);
        (self.moved, self.lost) = (saved.moved, saved.lost);
        (self.driven, self.virial, self.tally) = (saved.driven, saved.virial, saved.tally);
        Ok(())
    }

    fn put_back_turns(&mut self, saved: &Saved) -> Result<(), Error> {
        let counts = [saved.turns.len(), saved.tracked.len()];
        if counts != [self.bodies.turns.len(), self.neighbours.tracked.len()] {
            return Err(Error::Saved("it does not say how every body is turned".to_owned()));
        }
        // The spin of a body stays as it was saved: what follows from its momentum has the same value but
        // not the same bits before the first step (-0.0 for 0.0).
        for (turn, saved) in self.bodies.turns.iter_mut().zip(&saved.turns) {
            if turn.shape().is_some() {
                turn.put_back(saved)?;
            }
        }
        let shapes = &self.settings.shapes;
        let pairs: Vec<_> = self.neighbours.each_pair().collect();
        for (bodies, number) in pairs {
            let shapes = bodies.map(|body| self.bodies.shape(body, shapes));
            if let Some(tracked) = self.neighbours.tracked.get_mut(number) {
                *tracked = tracked_again(saved.tracked[number], shapes);
            }
        }
        Ok(())
    }
}

fn memories(saved: &Saved) -> Memories {
    let pairs = saved.touching.iter().zip(&saved.memories);
    let walls = saved.touching_walls.iter().zip(&saved.wall_memories);
    Memories {
        pairs: pairs
            .map(|(&[first, second, key], &memory)| Remembered {
                bodies: [first, second],
                key,
                memory,
            })
            .collect(),
        walls: walls.map(|(&key, &memory)| WallRemembered { key, memory }).collect(),
    }
}

/// Refuses what could not have been saved.
fn check(saved: &Saved) -> Result<(), Error> {
    let refused = |reason: &str| Err(Error::Saved(reason.to_owned()));
    let count = saved.bodies.len();
    let lengths = [saved.order.len(), saved.searched_at.len(), saved.loads.len()];
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
    if saved.touching.len() != saved.memories.len()
        || !saved.touching.iter().all(numbers)
        || !saved.touching.is_sorted()
        || saved.touching_walls.len() != saved.wall_memories.len()
        || !saved.touching_walls.is_sorted()
        || !saved.touching_walls.iter().all(|key| (key[0] as usize) < count)
    {
        return refused("its contacts are not those of its bodies");
    }
    let vectors = saved.searched_at.iter().chain(saved.loads.iter().flatten());
    let mut vectors = vectors.chain(&saved.memories).chain(&saved.wall_memories);
    if !vectors.all(|vector| vector.iter().all(|number| number.is_finite())) {
        return refused("it has a number that is none");
    }
    if saved.searched > saved.steps || !(saved.moved >= 0.0 && saved.moved.is_finite()) {
        return refused("its last search is not before it");
    }
    Ok(())
}
