//! Bodies of springs that move, meet and break.

use super::body::Body;
use super::energy::Energy;
use super::lattice_surface::LatticeSurface;
use super::surface_contact::{SurfaceContactForces, SurfaceContactTotals, SurfaceContacts};
use super::wall::Wall;
use crate::Error;
use carom_geometry::Vector;
use std::collections::HashMap;

/// Many bodies of springs, in steps of time.
///
/// ```
/// use carom_simulate::bonded::{Body, LatticeGrid, Material, Simulation, SpringLattice};
/// let disc = |x: f64| {
///     let is_inside = |steps: &[i32; 2]| steps[0].pow(2) + steps[1].pow(2) <= 100;
///     let grid = LatticeGrid::fill(SpringLattice::Square8, [[-10; 2], [10; 2]], is_inside);
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
    pub(super) surfaces: Vec<LatticeSurface<D>>,
    pub(super) contacts: SurfaceContacts<D>,
    pub(super) walls: Vec<Wall>,
    pub(super) gravity: Vector<D>,
    /// The longest step that is made.
    pub(super) time_step: f64,
    /// The step before: velocities are known half of it ago.
    pub(super) last_time_step: f64,
    pub(super) now: f64,
    pub(super) steps: u64,
    pub(super) contact_totals: SurfaceContactTotals,
    pub(super) friction_loss: f64,
    pub(super) constraint_loss: f64,
    pub(super) shortest_time_step: f64,
}

/// The part of the longest stable step that is taken.
const TIME_STEP_SAFETY: f64 = 0.4;

/// At more spacings from the origin, stretches would have less than four digits.
const MAX_COORDINATE: f64 = 1e11;

/// A step is halved so often at most.
const MAX_HALVINGS: u32 = 6;

/// No particle moves farther in a step, in spacings.
const MAX_DISPLACEMENT: f64 = 0.2;

impl<const D: usize> Simulation<D> {
    /// At the start, with a step of two fifths of the longest that is stable; there must be a body.
    pub fn new(bodies: Vec<Body<D>>) -> Result<Self, Error> {
        if bodies.is_empty() {
            let (what, rule) = ("the number of bodies", "there must be one at least");
            return Err(Error::Setting { what, value: "0".to_owned(), rule });
        }
        let time_step = TIME_STEP_SAFETY
            * bodies.iter().map(Body::longest_stable_step).fold(f64::INFINITY, f64::min);
        Ok(Simulation {
            surfaces: bodies.iter().map(LatticeSurface::new).collect(),
            bodies,
            contacts: SurfaceContacts::default(),
            walls: Vec::new(),
            gravity: Vector::zeros(),
            time_step,
            last_time_step: 0.0,
            now: 0.0,
            steps: 0,
            contact_totals: SurfaceContactTotals::default(),
            friction_loss: 0.0,
            constraint_loss: 0.0,
            shortest_time_step: f64::INFINITY,
        })
    }

    /// Lets all bodies fall.
    pub fn set_gravity(&mut self, gravity: Vector<D>) {
        self.gravity = gravity;
    }

    /// Puts up walls that nothing moves.
    pub fn set_walls(&mut self, walls: Vec<Wall>) {
        self.walls = walls;
        self.contacts.invalidate();
    }

    /// Takes a step of so long at most, which must be at most nine tenths of the longest stable one.
    pub fn set_time_step(&mut self, time_step: f64) -> Result<(), Error> {
        let longest =
            self.bodies.iter().map(Body::longest_stable_step).fold(f64::INFINITY, f64::min);
        if !(time_step > 0.0 && time_step <= 0.9 * longest) {
            let value = format!("{time_step:?}, and the longest stable one is {longest:?}");
            let rule = "it must be above zero and at most nine tenths of that";
            return Err(Error::Setting { what: "the step", value, rule });
        }
        self.time_step = time_step;
        Ok(())
    }

    /// Goes on by so many steps.
    pub fn advance(&mut self, steps: u64) -> Result<(), Error> {
        for _ in 0..steps {
            self.contacts.update(&self.bodies, &self.surfaces, &self.walls, self.time_step)?;
            let time_step = self.next_time_step();
            let kick = 0.5 * (self.last_time_step + time_step);
            let Simulation { contacts, bodies, walls, .. } = self;
            self.contact_totals = contacts.apply_forces(bodies, walls, kick);
            self.constraint_loss += self.contact_totals.constraint_loss;
            for (body, surface) in self.bodies.iter_mut().zip(&mut self.surfaces) {
                body.advance(&self.gravity, kick, time_step);
                let newly_broken = std::mem::take(&mut body.newly_broken);
                if !newly_broken.is_empty() {
                    surface.update(body, newly_broken.iter().map(|end| end[0]));
                    self.contacts.note_broken_springs();
                }
            }
            self.friction_loss += self.contacts.friction_loss(&self.bodies, kick);
            let max_speed = self.bodies.iter().map(|body| body.max_speed).fold(0.0, f64::max);
            self.contacts.add_displacement(max_speed * time_step);
            self.last_time_step = time_step;
            self.now += time_step;
            self.steps += 1;
            self.shortest_time_step = self.shortest_time_step.min(time_step);
        }
        Ok(())
    }

    /// An error if a particle is nowhere, or where numbers are too coarse to tell it from its neighbors.
    pub fn check_positions(&self) -> Result<(), Error> {
        for (solid, body) in self.bodies.iter().enumerate() {
            let spacing = body.spacing;
            let places = body.grid.particles().map(|number| body.position(number));
            let distance = places.map(|place| place.amax()).fold(0.0, f64::max);
            if distance > MAX_COORDINATE * spacing {
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
    pub fn surface_fault(&self) -> Option<String> {
        let mut all = self.bodies.iter().zip(&self.surfaces).enumerate();
        let fault = |(number, (body, surface)): (usize, (&Body<D>, &LatticeSurface<D>))| {
            Some(format!("of solid {number} {}", surface.fault(body)?))
        };
        all.find_map(fault)
    }

    /// The longest step, halved until nothing passes through anything unseen, as far as the last step can tell.
    fn next_time_step(&self) -> f64 {
        let per_spacing = |body: &Body<D>| MAX_DISPLACEMENT * body.spacing / body.max_speed;
        let farthest = self.bodies.iter().map(per_spacing).fold(f64::INFINITY, f64::min);
        let longest = self.contact_totals.longest_time_step.min(farthest);
        let mut time_step = self.time_step;
        for _ in 0..MAX_HALVINGS {
            if time_step <= longest {
                break;
            }
            time_step *= 0.5;
        }
        time_step
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
    pub fn time_step(&self) -> f64 {
        self.time_step
    }

    /// The shortest step that was made; before the first, what it will be at most.
    pub fn shortest_time_step(&self) -> f64 {
        self.shortest_time_step.min(self.time_step)
    }

    /// How many steps were made.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// What touched in the last step.
    pub fn contact_totals(&self) -> &SurfaceContactTotals {
        &self.contact_totals
    }

    /// The energy of all bodies and contacts.
    pub fn energy(&self) -> Energy {
        let Simulation { contacts, bodies, walls, .. } = self;
        let SurfaceContactForces { totals: contact_totals, node_forces, .. } =
            contacts.forces(bodies, walls, self.last_time_step);
        let mut force_on_particle = vec![HashMap::new(); bodies.len()];
        for (place, force) in node_forces {
            *force_on_particle[place.body].entry(place.number).or_insert_with(Vector::zeros) +=
                force;
        }
        let mut sum = Energy {
            contact_energy: contact_totals.contact_energy,
            friction_loss: self.friction_loss,
            constraint_loss: self.constraint_loss,
            ..Energy::default()
        };
        for (body, pushes) in bodies.iter().zip(&force_on_particle) {
            sum = sum.plus(&body.energy(&self.gravity, pushes, self.last_time_step));
        }
        sum
    }
}
