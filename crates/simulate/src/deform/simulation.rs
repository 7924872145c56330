//! Bodies of springs that move, meet and break.

use super::body::Body;
use super::contact::{Contacts, Forces, Touched};
use super::energy::Energy;
use super::surface::Surface;
use super::wall::Wall;
use crate::Error;
use carom_geometry::Vector;
use std::collections::HashMap;

/// Many bodies of springs, in steps of time.
///
/// ```
/// use carom_simulate::deform::{Body, Grid, Lattice, Material, Simulation};
/// let disc = |x: f64| {
///     let is_inside = |steps: &[i32; 2]| steps[0].pow(2) + steps[1].pow(2) <= 100;
///     let grid = Grid::fill(Lattice::Square8, [[-10; 2], [10; 2]], is_inside);
///     let shift = carom_geometry::Vector::from([x, 0.0]);
///     Body::new(grid, Material::elastic(1.0, 1.0), 1.0, |place| place + shift)
/// };
/// let (mut one, two) = (disc(0.0)?, disc(21.2)?);
/// one.set_velocity([0.02, 0.0].into());
/// let mut simulation = Simulation::new(vec![one, two])?;
/// while simulation.now() < 150.0 {
///     simulation.advance(10)?;
/// }
/// // The first has given most of its speed to the second, the rest makes both swing.
/// let bodies = simulation.bodies();
/// let speeds = [0, 1].map(|number| bodies[number].momentum().x / bodies[number].total_mass());
/// assert!(speeds[0].abs() < 0.004 && speeds[1] > 0.016);
/// # Ok::<(), carom_simulate::Error>(())
/// ```
pub struct Simulation<const D: usize> {
    pub(super) bodies: Vec<Body<D>>,
    pub(super) surfaces: Vec<Surface<D>>,
    pub(super) contacts: Contacts<D>,
    pub(super) walls: Vec<Wall>,
    pub(super) gravity: Vector<D>,
    /// The longest step that is made.
    pub(super) step: f64,
    /// The step before: velocities are known half of it ago.
    pub(super) last: f64,
    pub(super) now: f64,
    pub(super) steps: u64,
    pub(super) touched: Touched,
    pub(super) rubbed: f64,
    pub(super) held: f64,
    pub(super) shortest: f64,
}

/// The part of the longest stable step that is taken.
const SAFETY: f64 = 0.4;

/// At more spacings from the origin, stretches would have less than four digits.
const FINEST: f64 = 1e11;

/// A step is halved so often at most.
const HALVINGS: u32 = 6;

/// No particle moves farther in a step, in spacings.
const FARTHEST: f64 = 0.2;

impl<const D: usize> Simulation<D> {
    /// At the start, with a step of two fifths of the longest that is stable; there must be a body.
    pub fn new(bodies: Vec<Body<D>>) -> Result<Self, Error> {
        if bodies.is_empty() {
            let (what, rule) = ("the number of bodies", "there must be one at least");
            return Err(Error::Setting { what, value: "0".to_owned(), rule });
        }
        let step = SAFETY * bodies.iter().map(Body::longest_step).fold(f64::INFINITY, f64::min);
        Ok(Simulation {
            surfaces: bodies.iter().map(Surface::new).collect(),
            bodies,
            contacts: Contacts::default(),
            walls: Vec::new(),
            gravity: Vector::zeros(),
            step,
            last: 0.0,
            now: 0.0,
            steps: 0,
            touched: Touched::default(),
            rubbed: 0.0,
            held: 0.0,
            shortest: f64::INFINITY,
        })
    }

    /// Lets all bodies fall.
    pub fn set_gravity(&mut self, gravity: Vector<D>) {
        self.gravity = gravity;
    }

    /// Puts up walls that nothing moves.
    pub fn set_walls(&mut self, walls: Vec<Wall>) {
        self.walls = walls;
        self.contacts.forget();
    }

    /// Takes a step of so long at most, which must be at most nine tenths of the longest stable one.
    pub fn set_step(&mut self, step: f64) -> Result<(), Error> {
        let longest = self.bodies.iter().map(Body::longest_step).fold(f64::INFINITY, f64::min);
        if !(step > 0.0 && step <= 0.9 * longest) {
            let value = format!("{step:?}, and the longest stable one is {longest:?}");
            let rule = "it must be above zero and at most nine tenths of that";
            return Err(Error::Setting { what: "the step", value, rule });
        }
        self.step = step;
        Ok(())
    }

    /// Goes on by so many steps.
    pub fn advance(&mut self, steps: u64) -> Result<(), Error> {
        for _ in 0..steps {
            self.contacts.find(&self.bodies, &self.surfaces, &self.walls, self.step)?;
            let step = self.next_step();
            let kick = 0.5 * (self.last + step);
            let Simulation { contacts, bodies, walls, .. } = self;
            self.touched = contacts.push(bodies, walls, kick);
            self.held += self.touched.held;
            for (body, surface) in self.bodies.iter_mut().zip(&mut self.surfaces) {
                body.step(&self.gravity, kick, step);
                let fresh = std::mem::take(&mut body.fresh);
                if !fresh.is_empty() {
                    surface.update(body, fresh.iter().map(|end| end[0]));
                    self.contacts.open();
                }
            }
            self.rubbed += self.contacts.rubbed(&self.bodies, kick);
            let fastest = self.bodies.iter().map(|body| body.fastest).fold(0.0, f64::max);
            self.contacts.move_on(fastest * step);
            self.last = step;
            self.now += step;
            self.steps += 1;
            self.shortest = self.shortest.min(step);
        }
        Ok(())
    }

    /// An error if a particle is nowhere, or where numbers are too coarse to tell it from its neighbours.
    pub fn check(&self) -> Result<(), Error> {
        for (solid, body) in self.bodies.iter().enumerate() {
            let spacing = body.spacing;
            let places = body.grid.particles().map(|number| body.position(number));
            let distance = places.map(|place| place.amax()).fold(0.0, f64::max);
            if distance > FINEST * spacing {
                return Err(Error::FarAway { solid, distance, spacing, time: self.now });
            }
            let is_lost = |&number: &usize| {
                let numbers = [body.position(number), body.velocity(number)];
                numbers.iter().any(|vector| !vector.norm_squared().is_finite())
            };
            if let Some(particle) = body.grid.particles().find(is_lost) {
                return Err(Error::LostParticle { particle, solid, time: self.now });
            }
        }
        Ok(())
    }

    /// What is wrong with the surfaces that are kept while springs break, if anything; slow.
    pub fn fault(&self) -> Option<String> {
        let mut all = self.bodies.iter().zip(&self.surfaces).enumerate();
        let fault = |(number, (body, surface)): (usize, (&Body<D>, &Surface<D>))| {
            Some(format!("of solid {number} {}", surface.fault(body)?))
        };
        all.find_map(fault)
    }

    /// The longest step, halved until nothing passes through anything unseen, as far as the last step can tell.
    fn next_step(&self) -> f64 {
        let per_spacing = |body: &Body<D>| FARTHEST * body.spacing / body.fastest;
        let farthest = self.bodies.iter().map(per_spacing).fold(f64::INFINITY, f64::min);
        let longest = self.touched.longest_step.min(farthest);
        let mut step = self.step;
        for _ in 0..HALVINGS {
            if step <= longest {
                break;
            }
            step *= 0.5;
        }
        step
    }

    /// All bodies.
    pub fn bodies(&self) -> &[Body<D>] {
        &self.bodies
    }

    /// The time since the start.
    pub fn now(&self) -> f64 {
        self.now
    }

    /// The length of a step, where nothing asks for a shorter one.
    pub fn step(&self) -> f64 {
        self.step
    }

    /// The shortest step that was made; before the first, what it will be at most.
    pub fn shortest_step(&self) -> f64 {
        self.shortest.min(self.step)
    }

    /// How many steps were made.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// What touched in the last step.
    pub fn touched(&self) -> &Touched {
        &self.touched
    }

    /// The energy of all bodies and contacts.
    pub fn energy(&self) -> Energy {
        let Simulation { contacts, bodies, walls, .. } = self;
        let Forces { sum: touched, pushes: forces, .. } = contacts.forces(bodies, walls, self.last);
        let mut pushes = vec![HashMap::new(); bodies.len()];
        for (place, force) in forces {
            *pushes[place.body].entry(place.number).or_insert_with(Vector::zeros) += force;
        }
        let mut sum = Energy {
            touching: touched.stored,
            rubbed: self.rubbed,
            held: self.held,
            ..Energy::default()
        };
        for (body, pushes) in bodies.iter().zip(&pushes) {
            sum = sum.plus(&body.energy(&self.gravity, pushes, self.last));
        }
        sum
    }
}
