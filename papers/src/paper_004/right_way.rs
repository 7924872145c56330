//! The same collision with springs along diagonals, a stable step and contact of surfaces: nothing is prescribed.

use super::encounter::{Course, Outcome, Start};
use super::snapshot::{Flight, MOMENTS, Snapshot};
use carom::geometry::Vector;
use carom::scene::files::{Koti1989Object, Koti1989Scene};
use carom::simulate::Error;
use carom::simulate::deform::{Body, Grid, Lattice, Material, Simulation};

const LATTICE: Lattice = Lattice::Square8;
/// Discs start so many spacings before their foremost particles touch.
const GAP: f64 = 0.25;
/// Discs that have not parted after a wave could cross them so often never will.
const PATIENCE: f64 = 60.0;
/// Discs must come nearer at this part of the speed of waves at the least.
const SLOWEST: f64 = 1e-6;
/// Steps between rows of the course.
const STEPS_PER_ROW: u64 = 5;

/// The collision, from just before the discs touch until they have parted.
pub(super) fn run(scene: &Koti1989Scene, start: &Start) -> Result<Outcome, Error> {
    let objects = start.objects.map(|number| &scene.objects[number]);
    let early = early(start, objects);
    let mut bodies = Vec::new();
    for (object, flight) in objects.into_iter().zip(&start.flights) {
        bodies.push(disc(object, flight, early)?);
    }
    let wave_speed = bodies[0].wave_speed();
    check_speed(start, wave_speed)?;
    let crossing = 2.0 * objects[0].radius / wave_speed;
    let masses = [bodies[0].total_mass(), bodies[1].total_mass()];
    let mut simulation = Simulation::new(bodies)?;
    let before = simulation.energy().total();
    let mut watch = Watch::default();
    let mut steps = 0;
    while watch.is_going_on(simulation.now(), early, crossing) {
        simulation.advance(1)?;
        steps += 1;
        watch.look(&simulation, start, early, crossing, steps);
    }
    let first = watch.first.ok_or_else(passed)?;
    let after = [0, 1].map(|side| simulation.bodies()[side].momentum() / masses[side]);
    let energy = simulation.energy().total();
    Ok(Outcome {
        duration: watch.last - first,
        largest_force: watch.largest_force,
        touching: watch.touching,
        restitution: start.restitution(after),
        momentum_error: start.momentum_error(masses, after),
        energy_error: (energy - before) / start.energy(),
        work: 0.0,
        wave_speed,
        snapshots: watch.snapshots,
        course: watch.course,
    })
}

/// Slower discs take very many steps to come near each other.
fn check_speed(start: &Start, wave_speed: f64) -> Result<(), Error> {
    let part = start.approach().dot(&start.line()) / wave_speed;
    if part >= SLOWEST {
        return Ok(());
    }
    let what = "the speed of approach in speeds of waves";
    Err(Error::Setting { what, value: format!("{part:e}"), rule: "it must be 1e-6 at least" })
}

fn passed() -> Error {
    let (what, rule) = ("the number of contacts in the right way", "the discs pass each other");
    Error::Setting { what, value: "0".to_owned(), rule }
}

/// How long before the start of the old way discs that move as then have a gap between their foremost particles.
fn early(start: &Start, objects: [&Koti1989Object; 2]) -> f64 {
    let spacing = 0.5 * (start.flights[0].spacing + start.flights[1].spacing);
    let [one, two] = start.flights.map(|flight| Vector::from(flight.centre));
    let wanted = objects[0].radius + objects[1].radius + (1.0 + GAP) * spacing;
    let missing = (wanted - (two - one).norm()).max(0.0);
    missing / start.approach().dot(&start.line()).abs().max(f64::MIN_POSITIVE)
}

/// A disc of the same particles, with springs as stiff along the axes and half as stiff along diagonals.
///
/// Its outline follows the particles: with a round one the contact of figure 3 adds 4 % to the energy.
fn disc(object: &Koti1989Object, flight: &Flight, early: f64) -> Result<Body<2>, Error> {
    let spacing = flight.spacing;
    let half = (object.grid + object.grid % 2) as i32 / 2;
    let is_inside = |steps: &[i32; 2]| steps[0].pow(2) + steps[1].pow(2) <= half * half;
    let grid = Grid::fill(LATTICE, [[-half; 2], [half; 2]], is_inside);
    let particle_mass = object.mass / grid.particles().count() as f64;
    let solid = LATTICE.solid();
    let young = Material::young_of_springs(LATTICE, spacing, object.stiffness_extended);
    let density = particle_mass / (spacing * spacing * solid.volume);
    let pushed = object.stiffness_compressed / object.stiffness_extended;
    let material = Material { pushed, ..Material::elastic(young, density) };
    let velocity = Vector::from(flight.velocity);
    let centre = Vector::from(flight.centre) - velocity * early;
    let mut body = Body::new(grid, material, spacing, |place| centre + place * spacing)?;
    body.set_velocity(velocity);
    Ok(body)
}

/// What is seen of the collision.
#[derive(Default)]
struct Watch {
    first: Option<f64>,
    last: f64,
    largest_force: f64,
    touching: u64,
    snapshots: Vec<Snapshot>,
    course: Vec<Course>,
}

impl Watch {
    /// Until the discs have not touched for as long as two crossings, or did not when they should have.
    fn is_going_on(&self, now: f64, early: f64, crossing: f64) -> bool {
        match self.first {
            None => now < 4.0 * early + PATIENCE * crossing,
            Some(first) => now < self.last + 2.0 * crossing && now < first + PATIENCE * crossing,
        }
    }

    fn look(
        &mut self,
        simulation: &Simulation<2>,
        start: &Start,
        early: f64,
        crossing: f64,
        steps: u64,
    ) {
        let touched = simulation.touched();
        let now = simulation.now();
        if touched.contacts > 0 {
            self.first.get_or_insert(now);
            self.last = now;
            self.largest_force = self.largest_force.max(touched.push);
            self.touching = self.touching.max(touched.contacts);
        }
        let Some(first) = self.first else { return };
        let time = now - first;
        if steps.is_multiple_of(STEPS_PER_ROW) {
            let energy = simulation.energy();
            let (moving, stretched) = (energy.moving, energy.stretched);
            self.course.push(Course { time, force: touched.push, moving, stretched });
        }
        let crossings = time / crossing;
        if MOMENTS.get(self.snapshots.len()).is_some_and(|&moment| crossings >= moment) {
            self.snapshots.push(snapshot(simulation, start, now - early, crossings));
        }
    }
}

fn snapshot(simulation: &Simulation<2>, start: &Start, time: f64, crossings: f64) -> Snapshot {
    let mut spots = Vec::new();
    for (number, body) in simulation.bodies().iter().enumerate() {
        let grid = body.grid();
        for particle in grid.particles() {
            let site = grid.steps(grid.row_of(particle), particle);
            let now = (body.position(particle), body.velocity(particle));
            spots.push(start.flights[number].spot(number, site, now, time));
        }
    }
    Snapshot { crossings, spacings: start.flights.map(|flight| flight.spacing), spots }
}
