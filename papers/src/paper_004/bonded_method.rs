//! The same collision with springs along diagonals, a stable step and contact of surfaces: nothing is prescribed.

use super::disc_collision::{ImpactOutcome, ImpactStart};
use super::koti1989::{Koti1989Object, Koti1989Scene};
use super::snapshot::{ImpactHistory, UndisturbedDiscMotion};
use crate::records::record;
use carom::geometry::Vector;
use carom::simulate::Error;
use carom::simulate::bonded::{Body, LatticeGrid, Material, Simulation, SpringLattice, Springs};

const LATTICE: SpringLattice = SpringLattice::Square8;
/// Discs start this many spacings before their foremost particles touch.
const GAP: f64 = 0.25;
/// Discs that have not parted after a wave could cross them so often never will.
const MOST_WAVE_CROSSINGS: f64 = 60.0;
/// Discs must come nearer at this part of the speed of waves at the least.
const SLOWEST: f64 = 1e-6;
/// Steps between rows of the history.
const STEPS_PER_ROW: u64 = 5;

/// The collision, from just before the discs touch until they have parted.
pub(super) fn run(scene: &Koti1989Scene, start: &ImpactStart) -> Result<ImpactOutcome, Error> {
    let objects = start.objects.map(|number| &scene.objects[number]);
    let early = lead_time(start, objects);
    let mut bodies = Vec::new();
    for (object, flight) in objects.into_iter().zip(&start.motions) {
        bodies.push(disc(object, flight, early)?);
    }
    let wave_speed = bodies[0].wave_speed();
    check_speed(start, wave_speed)?;
    let crossing = 2.0 * objects[0].radius / wave_speed;
    let masses = [bodies[0].total_mass(), bodies[1].total_mass()];
    let mut simulation = Simulation::new(bodies)?;
    let before = simulation.energy().total();
    let mut watch = ContactImpactObserver::default();
    let mut steps = 0;
    while watch.is_in_progress(simulation.now(), early, crossing) {
        simulation.advance(1)?;
        steps += 1;
        watch.observe(&simulation, start, early, crossing, steps);
    }
    let first = watch.first_contact.ok_or_else(no_contact_error)?;
    let after = [0, 1].map(|side| simulation.bodies()[side].momentum() / masses[side]);
    let energy = simulation.energy().total();
    let names = record! {
        "way": "right", "duration": watch.last_contact - first,
        "largest force": watch.largest_force, "touching": watch.most_contacts,
    };
    let measured = names
        .and(start.balance(masses, after, [0.0, energy - before]))
        .and(record! { "wave speed": wave_speed });
    Ok(ImpactOutcome { measured, history: watch.history })
}

/// Slower discs take very many steps to come near each other.
fn check_speed(start: &ImpactStart, wave_speed: f64) -> Result<(), Error> {
    let part = start.relative_velocity().dot(&start.line_of_centers()) / wave_speed;
    if part >= SLOWEST {
        return Ok(());
    }
    let what = "the speed of approach in speeds of waves";
    Err(Error::Setting { what, value: format!("{part:e}"), rule: "it must be 1e-6 at least" })
}

fn no_contact_error() -> Error {
    let (what, rule) = ("the number of contacts in the right way", "the discs pass each other");
    Error::Setting { what, value: "0".to_owned(), rule }
}

/// Time before the start of the 1989 method at which the foremost particles of the discs still have a gap.
fn lead_time(start: &ImpactStart, objects: [&Koti1989Object; 2]) -> f64 {
    let spacing = 0.5 * (start.motions[0].spacing + start.motions[1].spacing);
    let [one, two] = start.motions.map(|flight| Vector::from(flight.center));
    let wanted = objects[0].radius + objects[1].radius + (1.0 + GAP) * spacing;
    let missing = (wanted - (two - one).norm()).max(0.0);
    missing / start.relative_velocity().dot(&start.line_of_centers()).abs().max(f64::MIN_POSITIVE)
}

/// A disc of the same particles, with springs as stiff along the axes and half as stiff along diagonals.
///
/// Its outline follows the particles: with a round one the contact of figure 3 adds 4 % to the energy.
fn disc(
    object: &Koti1989Object,
    flight: &UndisturbedDiscMotion,
    early: f64,
) -> Result<Body<2>, Error> {
    let spacing = flight.spacing;
    let half = (object.grid + object.grid % 2) as i32 / 2;
    let is_inside = |steps: &[i32; 2]| steps[0].pow(2) + steps[1].pow(2) <= half * half;
    let grid = LatticeGrid::fill(LATTICE, [[-half; 2], [half; 2]], is_inside)?;
    let particle_mass = object.mass / grid.particles().count() as f64;
    let solid = LATTICE.solid();
    let density = particle_mass / (spacing * spacing * solid.particle_volume);
    let compression_ratio = object.stiffness_compressed / object.stiffness_extended;
    let stiffness = Some(object.stiffness_extended);
    let springs = Springs { stiffness, compression_ratio, ..Springs::default() };
    let material = Material { density: Some(density), springs, ..Material::default() };
    let velocity = Vector::from(flight.velocity);
    let center = Vector::from(flight.center) - velocity * early;
    let mut body = Body::new(grid, &material, spacing, |place| center + place * spacing)?;
    body.set_velocity(velocity)?;
    Ok(body)
}

/// Records the collision.
#[derive(Default)]
struct ContactImpactObserver {
    first_contact: Option<f64>,
    last_contact: f64,
    largest_force: f64,
    most_contacts: u64,
    history: ImpactHistory,
}

impl ContactImpactObserver {
    /// Runs until the discs have not touched for two crossing times of a wave, or fail to touch when they should have.
    fn is_in_progress(&self, now: f64, early: f64, crossing: f64) -> bool {
        match self.first_contact {
            None => now < 4.0 * early + MOST_WAVE_CROSSINGS * crossing,
            Some(first) => {
                now < self.last_contact + 2.0 * crossing
                    && now < first + MOST_WAVE_CROSSINGS * crossing
            }
        }
    }

    fn observe(
        &mut self,
        simulation: &Simulation<2>,
        start: &ImpactStart,
        early: f64,
        crossing: f64,
        steps: u64,
    ) {
        let touched = simulation.contact_totals();
        let now = simulation.now();
        if touched.contacts > 0 {
            self.first_contact.get_or_insert(now);
            self.last_contact = now;
            self.largest_force = self.largest_force.max(touched.force_sum);
            self.most_contacts = self.most_contacts.max(touched.contacts);
        }
        let Some(first) = self.first_contact else { return };
        let time = now - first;
        if steps.is_multiple_of(STEPS_PER_ROW) {
            let energy = simulation.energy();
            let energies = [energy.kinetic_energy, energy.bond_energy];
            self.history.add_row("right", time, touched.force_sum, energies);
        }
        let particles = simulation.bodies().iter().enumerate().flat_map(|(number, body)| {
            let grid = body.grid();
            grid.particles().map(move |particle| {
                let site = grid.coordinates(grid.row_of(particle), particle);
                (number, site, body.position(particle), body.velocity(particle))
            })
        });
        self.history.add_snapshot(&start.motions, time / crossing, now - early, particles);
    }
}
