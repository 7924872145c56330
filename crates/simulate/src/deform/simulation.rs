//! Bodies of springs that move, meet and break.

use super::body::Body;
use super::contact::{Contacts, Touch, Touched};
use super::energy::Energy;
use super::surface::Surface;
use crate::Error;
use carom_geometry::Vector;

/// Many bodies of springs, in steps of time.
///
/// ```
/// use carom_simulate::deform::{Body, Grid, Lattice, Material, Simulation, Touch};
/// let disc = |x: f64| {
///     let is_inside = |steps: &[i32; 2]| steps[0].pow(2) + steps[1].pow(2) <= 100;
///     let grid = Grid::fill(Lattice::Square8, [[-10; 2], [10; 2]], is_inside);
///     let shift = carom_geometry::Vector::from([x, 0.0]);
///     Body::new(grid, Material::elastic(1.0, 1.0), 1.0, |place| place + shift)
/// };
/// let (mut one, two) = (disc(0.0)?, disc(21.2)?);
/// one.set_velocity([0.02, 0.0].into());
/// let mut simulation = Simulation::new(vec![one, two], Touch::default())?;
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
    bodies: Vec<Body<D>>,
    surfaces: Vec<Surface<D>>,
    contacts: Contacts,
    touch: Touch,
    gravity: Vector<D>,
    step: f64,
    steps: u64,
    touched: Touched,
    rubbed: f64,
}

/// The part of the longest stable step that is taken.
const SAFETY: f64 = 0.4;

impl<const D: usize> Simulation<D> {
    /// At the start, with a step of two fifths of the longest that is stable; there must be a body.
    pub fn new(bodies: Vec<Body<D>>, touch: Touch) -> Result<Self, Error> {
        if bodies.is_empty() {
            let (what, rule) = ("the number of bodies", "there must be one at least");
            return Err(Error::Setting { what, value: "0".to_owned(), rule });
        }
        let step = SAFETY * bodies.iter().map(Body::longest_step).fold(f64::INFINITY, f64::min);
        Ok(Simulation {
            surfaces: bodies.iter().map(Surface::new).collect(),
            bodies,
            contacts: Contacts::default(),
            touch,
            gravity: Vector::zeros(),
            step,
            steps: 0,
            touched: Touched::default(),
            rubbed: 0.0,
        })
    }

    /// Lets all bodies fall.
    pub fn set_gravity(&mut self, gravity: Vector<D>) {
        self.gravity = gravity;
    }

    /// Goes on by so many steps.
    pub fn advance(&mut self, steps: u64) -> Result<(), Error> {
        for _ in 0..steps {
            self.contacts.find(&self.bodies, &self.surfaces)?;
            self.touched = self.contacts.push(&mut self.bodies, &self.touch, self.step);
            self.rubbed += self.touched.rubbed;
            for (body, surface) in self.bodies.iter_mut().zip(&mut self.surfaces) {
                body.step(&self.gravity, self.step, self.step);
                let fresh = std::mem::take(&mut body.fresh);
                if !fresh.is_empty() {
                    surface.update(body, fresh.iter().map(|end| end[0]));
                    self.contacts.forget();
                }
            }
            let fastest = self.bodies.iter().map(Body::fastest).fold(0.0, f64::max);
            self.contacts.move_on(fastest * self.step);
            self.steps += 1;
        }
        Ok(())
    }

    /// All bodies.
    pub fn bodies(&self) -> &[Body<D>] {
        &self.bodies
    }

    /// The time since the start.
    pub fn now(&self) -> f64 {
        self.steps as f64 * self.step
    }

    /// The length of a step.
    pub fn step(&self) -> f64 {
        self.step
    }

    /// What touched in the last step.
    pub fn touched(&self) -> &Touched {
        &self.touched
    }

    /// The energy of all bodies without that in contacts, and what friction has taken.
    pub fn energy(&self) -> (Energy, f64) {
        let mut sum = Energy::default();
        for energy in self.bodies.iter().map(|body| body.energy(self.step)) {
            sum.moving += energy.moving;
            sum.stretched += energy.stretched;
            sum.fractured += energy.fractured;
        }
        (sum, self.rubbed)
    }
}
