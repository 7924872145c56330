use super::body::{Bodies, Body, Load, Motion};
use super::checks;
use super::forces::{self, Laws, Tally, taken};
use super::gravity::Gravity;
use super::law::ContactLaw;
use super::neighbours::{Memories, Neighbours};
use super::row::Row;
use super::shape::Shape;
use super::step_size;
use super::turn::Turn;
use super::wall::{self, Wall};
use crate::Error;
use carom_geometry::{Boundary, Vector};
use rayon::prelude::*;

/// What does not change in a run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Whether bodies are discs in the plane, whose third coordinates stay zero.
    pub flat: bool,
    /// Periods for distances between bodies.
    pub boundary: Boundary<3>,
    /// Plane walls.
    pub walls: Vec<Wall>,
    /// The same acceleration everywhere, which may turn.
    pub gravity: Gravity,
    /// How many materials there are.
    pub materials: usize,
    /// How each of them touches each, by the first, then by the second.
    pub laws: Vec<ContactLaw>,
    /// The shapes of bodies that are no spheres.
    pub shapes: Vec<Shape>,
    /// The length of a step; without it, what the stiffest contact allows.
    pub step: Option<f64>,
    /// Bodies are searched for contacts as if so much wider, and again once one has moved half of it;
    /// without it, a part of the smallest diameter.
    pub skin: Option<f64>,
}

impl Settings {
    /// One material, open space, no walls, no gravity.
    pub fn of(law: ContactLaw) -> Self {
        Settings {
            flat: false,
            boundary: Boundary::open(),
            walls: Vec::new(),
            gravity: Gravity::none(),
            materials: 1,
            laws: vec![law],
            shapes: Vec::new(),
            step: None,
            skin: None,
        }
    }
}

/// Energies of a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// Of motion.
    pub moving: f64,
    /// Of turning.
    pub turning: f64,
    /// Of height.
    pub height: f64,
    /// In contacts.
    pub stored: f64,
    /// Lost along normals, up to now.
    pub damped: f64,
    /// Lost across normals, by friction and rolling, up to now.
    pub rubbed: f64,
    /// Given from outside, up to now: by moving walls, by gravity that turns, with bodies that come in.
    pub driven: f64,
}

impl Energy {
    /// What stays the same: all that is there and all that was lost, less what was given.
    pub fn total(&self) -> f64 {
        let there = self.moving + self.turning + self.height + self.stored;
        there + self.damped + self.rubbed - self.driven
    }
}

/// Many bodies that overlap a little and repel each other, in steps of time.
///
/// ```
/// use carom_simulate::steps::{Body, ContactLaw, Damping, Settings, Simulation};
/// let law = ContactLaw { damping: Damping::restitution(0.5), ..ContactLaw::spring(1e4) };
/// let bodies = [
///     Body { velocity: [1., 0., 0.].into(), ..Body::at_rest([0., 0., 0.], 0.5, 1.0) },
///     Body::at_rest([1.01, 0., 0.], 0.5, 1.0),
/// ];
/// let mut simulation = Simulation::new(&bodies, Settings::of(law))?;
/// while simulation.now() < 0.1 {
///     simulation.advance(10)?;
/// }
/// let [first, second] = [simulation.body(0), simulation.body(1)];
/// assert!((second.velocity.x - first.velocity.x - 0.5).abs() < 1e-3);
/// # Ok::<(), carom_simulate::Error>(())
/// ```
pub struct Simulation {
    pub(super) settings: Settings,
    pub(super) laws: Laws,
    step: f64,
    pub(super) skin: f64,
    pub(super) bodies: Bodies,
    pub(super) neighbours: Neighbours,
    /// Where each body lies in memory, by its number.
    index: Vec<u32>,
    /// What blocks put down for each other.
    put_down: Vec<Load>,
    /// Whether what was put down is yet to be taken up.
    is_put_down: bool,
    /// No body and wall have come nearer to each other since the last search.
    pub(super) moved: f64,
    /// No wall comes nearer faster.
    wall_speed: f64,
    /// The step of the last search.
    pub(super) searched: u64,
    pub(super) steps: u64,
    pub(super) searches: u64,
    pub(super) tally: Tally,
    pub(super) lost: [f64; 2],
    /// Energy given from outside.
    pub(super) driven: f64,
    /// The integral of the virial over time.
    pub(super) virial: f64,
}

/// The part of the smallest diameter by which bodies are searched as if wider.
pub const SKIN: f64 = 0.15;

impl Simulation {
    /// At the start; numbers must be finite, radii and masses greater than zero.
    pub fn new(bodies: &[Body], settings: Settings) -> Result<Self, Error> {
        checks::check(bodies, &settings)?;
        checks::check_start(bodies, &settings, &wall::placed(&settings.walls, 0.0))?;
        let mut simulation = Simulation::prepared(bodies, settings);
        simulation.search(&Memories::default())?;
        simulation.refuse_deep_shapes()?;
        simulation.find_forces();
        simulation.each_block(|_| ());
        // What is lost in a step is counted at its end.
        (simulation.lost, simulation.driven, simulation.virial) = ([0.0; 2], 0.0, 0.0);
        Ok(simulation)
    }

    /// With bodies in memory as they are given, before a search.
    pub(super) fn prepared(bodies: &[Body], mut settings: Settings) -> Self {
        if settings.shapes.iter().any(Shape::is_mesh) {
            settings.shapes.iter_mut().for_each(Shape::get_ready_for_meshes);
        }
        let laws = Laws { materials: settings.materials, all: settings.laws.clone() };
        let smallest = bodies.iter().map(|body| body.radius).fold(f64::INFINITY, f64::min);
        let skin = settings.skin.unwrap_or(SKIN * 2.0 * smallest);
        let step = match settings.step {
            Some(step) => step,
            None => step_size::choose(bodies, &settings).step,
        };
        Simulation {
            laws,
            step,
            skin,
            bodies: Bodies::new(bodies, settings.flat, &settings.shapes),
            neighbours: Neighbours::new(),
            index: Vec::new(),
            put_down: Vec::new(),
            is_put_down: false,
            moved: 0.0,
            wall_speed: 0.0,
            searched: 0,
            steps: 0,
            searches: 0,
            tally: Tally::default(),
            lost: [0.0; 2],
            driven: 0.0,
            virial: 0.0,
            settings,
        }
    }

    /// Goes on by so many steps.
    pub fn advance(&mut self, steps: u64) -> Result<(), Error> {
        for number in 0..steps {
            self.kick_and_drift(if number == 0 { 1 } else { 2 })?;
            if self.moved > 0.5 * self.skin {
                self.moved = self.farthest_moved() + self.walls_moved();
                if self.moved > 0.5 * self.skin {
                    let memories = self.neighbours.memories(&self.bodies);
                    self.search(&memories)?;
                }
            }
            self.find_forces();
        }
        if steps > 0 {
            self.last_kick();
        }
        Ok(())
    }

    fn find_forces(&mut self) {
        let walls = wall::placed(&self.settings.walls, self.steps as f64 * self.step);
        self.tally = forces::find(
            &mut self.bodies,
            &mut self.neighbours,
            &mut self.put_down,
            &self.laws,
            &self.settings.shapes,
            &walls,
            self.step,
        );
        self.driven += self.tally.driven;
        self.virial += self.tally.virial * self.step;
        self.is_put_down = true;
        (0..2).for_each(|kind| self.lost[kind] += self.tally.lost[kind]);
    }

    /// Half a step of acceleration, once or twice (that left over from the step before), and then a
    /// step of motion.
    fn kick_and_drift(&mut self, kicks: u32) -> Result<(), Error> {
        let step = self.step;
        let (gravity, flat) = (self.settings.gravity.at(self.now()), self.settings.flat);
        let fastest = self.each_block(|block| {
            let mut fastest = 0.0_f64;
            let mut sum = 0.0;
            for k in 0..block.places.len() {
                let (motion, load) = (&mut block.motions[k], &block.loads[k]);
                (0..kicks).for_each(|_| kick(motion, load, gravity, 0.5 * step));
                if let Some(turn) = block.turns.get_mut(k).filter(|turn| turn.shape().is_some()) {
                    (0..kicks).for_each(|_| twist(turn, load, flat, 0.5 * step));
                    turn.go_on(step);
                    motion.spin.vector = turn.spin();
                }
                let place = &mut block.places[k];
                place.vector += motion.velocity.vector * step;
                let squared = motion.velocity.vector.norm_squared();
                fastest = fastest.max(squared);
                sum += squared + motion.spin.vector.norm_squared();
            }
            [fastest, sum]
        });
        let sum: f64 = fastest.iter().map(|[_, sum]| sum).sum();
        if !sum.is_finite() {
            return Err(self.name_lost(&self.neighbours.memories(&self.bodies)));
        }
        let fastest = fastest.iter().map(|[fastest, _]| *fastest).fold(0.0, f64::max);
        self.moved += fastest.sqrt() * step + self.wall_speed * step;
        self.steps += 1;
        if self.settings.gravity.turns() {
            self.driven -=
                (self.settings.gravity.at(self.now()) - gravity).dot(&self.middle_moment());
        }
        Ok(())
    }

    /// The sum of masses times places in the middle of the step just made. As gravity turns, every
    /// height becomes another, and the mean over the step is what velocity Verlet makes of it.
    fn middle_moment(&self) -> Vector<3> {
        let Bodies { places, motions, masses, .. } = &self.bodies;
        let half = 0.5 * self.step;
        let blocks: Vec<_> = (self.neighbours.blocks.par_iter())
            .map(|block| {
                let moment =
                    |k: usize| (places[k].vector - motions[k].velocity.vector * half) * masses[k];
                block.bodies.clone().map(moment).sum::<Vector<3>>()
            })
            .collect();
        blocks.iter().sum()
    }

    /// The half step of acceleration that is left over.
    fn last_kick(&mut self) {
        let (half, flat) = (0.5 * self.step, self.settings.flat);
        let gravity = self.settings.gravity.at(self.now());
        self.each_block(|block| {
            for (motion, load) in block.motions.iter_mut().zip(&*block.loads) {
                kick(motion, load, gravity, half);
            }
            for (k, turn) in block.turns.iter_mut().enumerate() {
                if turn.shape().is_some() {
                    twist(turn, &block.loads[k], flat, half);
                    block.motions[k].spin.vector = turn.spin();
                }
            }
        });
    }

    /// Does something for every block, having taken up what was put down for it.
    fn each_block<T: Send>(&mut self, act: impl Fn(BlockMotion) -> T + Sync) -> Vec<T> {
        let (mut places, mut motions, mut loads) =
            (&mut self.bodies.places[..], &mut self.bodies.motions[..], &mut self.bodies.loads[..]);
        let mut turns = &mut self.bodies.turns[..];
        let (put_down, is_put_down) = (&self.put_down, self.is_put_down);
        let mut works = Vec::with_capacity(self.neighbours.blocks.len());
        for block in &self.neighbours.blocks {
            let count = block.bodies.len();
            let motion = BlockMotion {
                places: taken(&mut places, count),
                motions: taken(&mut motions, count),
                turns: if turns.is_empty() { &mut [] } else { taken(&mut turns, count) },
                loads: taken(&mut loads, count),
            };
            works.push((block, motion));
        }
        // Backwards, because of what forces were found for last is still in caches.
        let results = works.into_par_iter().rev().map(|(block, motion)| {
            if is_put_down {
                for incoming in &block.incoming {
                    let load = &mut motion.loads[incoming.body as usize - block.bodies.start];
                    let more = &put_down[incoming.slot as usize];
                    load.force += more.force;
                    load.torque += more.torque;
                }
            }
            act(motion)
        });
        let results = results.collect();
        self.is_put_down = false;
        results
    }

    /// How far the body has moved that moved farthest since the last search.
    fn farthest_moved(&self) -> f64 {
        let moved = (self.bodies.places.par_iter().zip(&self.neighbours.searched_at))
            .map(|(place, before)| (place.vector - before).norm_squared());
        moved.reduce(|| 0.0, f64::max).sqrt()
    }

    /// How far any wall has come nearer since the last search, at most.
    fn walls_moved(&self) -> f64 {
        self.wall_speed * self.step * (self.steps - self.searched) as f64
    }

    pub(super) fn search(&mut self, memories: &Memories) -> Result<(), Error> {
        let walls = wall::placed(&self.settings.walls, self.now());
        let Settings { boundary, shapes, .. } = &self.settings;
        let skin = self.skin;
        let falls_round = self.falls_round();
        let before = if falls_round { self.height() } else { 0.0 };
        let found =
            self.neighbours.search(&mut self.bodies, boundary, shapes, &walls, skin, memories);
        // Places that are no places are what a search refuses.
        found.map_err(|_| self.name_lost(memories))?;
        if falls_round {
            self.driven += self.height() - before;
        }
        self.after_search();
        self.searches += 1;
        Ok(())
    }

    /// Whether bodies that leave on one side and come in on the other change their height.
    fn falls_round(&self) -> bool {
        let gravity = self.settings.gravity.at(self.now());
        (0..3).any(|axis| gravity[axis] != 0.0 && self.settings.boundary.period(axis).is_some())
    }

    /// The energy of height.
    fn height(&self) -> f64 {
        let gravity = self.settings.gravity.at(self.now());
        let all = self.bodies.places.iter().zip(&self.bodies.masses);
        all.map(|(place, mass)| -mass * gravity.dot(&place.vector)).sum()
    }

    pub(super) fn after_search(&mut self) {
        self.index.resize(self.bodies.len(), 0);
        for (index, &id) in (0..).zip(&self.bodies.ids) {
            self.index[id as usize] = index;
        }
        let places = &self.bodies.places;
        let reach = |center: &Vector<3>| {
            let far = |place: &Row| (place.vector - center).norm() + place.fourth + self.skin;
            places.iter().map(far).fold(0.0, f64::max)
        };
        self.wall_speed = wall::fastest(&self.settings.walls, reach);
        self.searched = self.steps;
        self.moved = 0.0;
    }

    /// Bodies with shapes that are deep in each other at the start would fly apart.
    fn refuse_deep_shapes(&self) -> Result<(), Error> {
        if self.bodies.turns.is_empty() {
            return Ok(());
        }
        let walls = wall::placed(&self.settings.walls, self.now());
        let depths = forces::depths(
            &self.bodies,
            &self.neighbours,
            &self.laws,
            &self.settings.shapes,
            &walls,
        );
        match depths {
            Some((first, second, overlap)) => Err(Error::Deep { first, second, overlap }),
            None => Ok(()),
        }
    }

    /// The time of now.
    pub fn now(&self) -> f64 {
        self.steps as f64 * self.step
    }

    /// How many steps were made.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The length of a step.
    pub fn step(&self) -> f64 {
        self.step
    }

    /// By how much wider bodies are taken in a search.
    pub fn skin(&self) -> f64 {
        self.skin
    }

    /// How often all bodies were searched for contacts.
    pub fn searches(&self) -> u64 {
        self.searches
    }

    /// What the contacts of the last step amounted to.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The integral over time of the virial of all pairs: the force times the distance of the centres.
    pub fn virial(&self) -> f64 {
        self.virial
    }

    /// How many pairs of bodies are looked at in every step.
    pub fn pairs(&self) -> usize {
        self.neighbours.pairs.len()
    }

    /// How many bodies there are.
    pub fn count(&self) -> usize {
        self.bodies.len()
    }

    /// A body by the number by which it was given; on periodic axes it may be somewhat outside the box.
    pub fn body(&self, number: usize) -> Body {
        self.bodies.body(self.index[number] as usize, &self.settings.shapes)
    }

    /// What does not change.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The energies of now.
    pub fn energy(&self) -> Energy {
        let mut energy = Energy {
            stored: forces::stored(
                &self.bodies,
                &self.neighbours,
                &self.laws,
                &self.settings.shapes,
                &wall::placed(&self.settings.walls, self.now()),
            ),
            damped: self.lost[0],
            rubbed: self.lost[1],
            driven: self.driven,
            height: self.height(),
            ..Energy::default()
        };
        let Bodies { motions, masses, turns, .. } = &self.bodies;
        for (k, (motion, mass)) in motions.iter().zip(masses).enumerate() {
            energy.moving += 0.5 * mass * motion.velocity.vector.norm_squared();
            let spin = &motion.spin.vector;
            energy.turning += 0.5
                * match turns.get(k).filter(|turn| turn.shape().is_some()) {
                    Some(turn) => spin.dot(&turn.momentum),
                    None => spin.norm_squared() / motion.agility(),
                };
        }
        energy
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let each = size_of::<Row>()
            + size_of::<f64>()
            + size_of::<Motion>()
            + size_of::<Load>()
            + 3 * size_of::<u32>()
            + if self.settings.shapes.is_empty() { 0 } else { size_of::<Turn>() };
        each * self.count() + self.put_down.capacity() * size_of::<Load>() + self.neighbours.bytes()
    }
}

/// The bodies of a block.
struct BlockMotion<'a> {
    places: &'a mut [Row],
    motions: &'a mut [Motion],
    /// Empty if all bodies are spheres.
    turns: &'a mut [Turn],
    loads: &'a mut [Load],
}

/// Acceleration over some time.
#[inline(always)]
fn kick(motion: &mut Motion, load: &Load, gravity: Vector<3>, time: f64) {
    let (lightness, agility) = (motion.lightness(), motion.agility());
    motion.velocity.vector += (load.force * lightness + gravity) * time;
    motion.spin.vector += load.torque * (agility * time);
}

/// The same for the turning of a body with a shape, in the plane about the third axis only.
fn twist(turn: &mut Turn, load: &Load, flat: bool, time: f64) {
    let torque = if flat { Vector::z() * load.torque.z } else { load.torque };
    turn.momentum += torque * time;
}
