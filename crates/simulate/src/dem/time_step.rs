//! Choice and stability of the time step.

use super::body::Body;
use super::contact_law::ContactLaw;
use super::simulation::Settings;
use crate::Error;
use std::f64::consts::PI;

/// A time step and the collision that determines it.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeStepChoice {
    /// Time step.
    pub time_step: f64,
    /// Duration of the shortest collision.
    pub collision_duration: f64,
    /// Materials of that collision.
    pub materials: [u32; 2],
}

impl TimeStepChoice {
    /// Refuses a time step with which no dense packing is stable.
    pub fn check_stability(&self, time_step: f64) -> Result<(), Error> {
        if time_step > STABILITY_LIMIT * self.collision_duration {
            return Err(Error::UnstableTimeStep {
                step: time_step,
                collision: self.collision_duration,
            });
        }
        Ok(())
    }
}

/// Largest stable time step, in units of the shortest collision. Modes of a dense packing oscillate up to
/// twice as fast as two bodies alone (a face-centered cubic lattice of springs); beyond this limit they
/// grow without bound.
const STABILITY_LIMIT: f64 = 0.3;

/// Number of time steps per collision that is chosen by default.
const STEPS_PER_COLLISION: f64 = 50.0;

/// Returns a fiftieth of the shortest collision between any two materials.
///
/// The duration of a collision is half the period of the contact's spring, `pi sqrt(m / k)`, with the
/// [`stiffness`](ContactLaw::stiffness) of the law; for Hertz's law, of a spring as stiff as spheres that overlap by a
/// twentieth of their reduced radius.
///
/// `S` is the dimension in which the bodies are given: that of the simulation, or 3 as they are stored.
///
/// ```
/// use carom_simulate::dem::{Body, CompositeLaw, Settings, choose_time_step};
/// // Two bodies of mass 2 on a spring of stiffness 1e4: half a period lasts π / 100.
/// let settings = Settings::<3>::with_law(CompositeLaw::spring(1e4));
/// let choice = choose_time_step(&[Body::at_rest([0.0, 0.0, 0.0], 0.5, 2.0)], &settings);
/// assert!((choice.collision_duration - std::f64::consts::PI / 100.0).abs() < 1e-12);
/// assert_eq!(choice.time_step, choice.collision_duration / 50.0);
/// assert!(choice.check_stability(choice.collision_duration).is_err());
/// ```
pub fn choose_time_step<const S: usize, const D: usize, L: ContactLaw>(
    bodies: &[Body<S>],
    settings: &Settings<D, L>,
) -> TimeStepChoice {
    let mut lightest: Vec<Option<&Body<S>>> = vec![None; settings.material_count];
    for body in bodies {
        let best = &mut lightest[body.material as usize];
        // The shortest collisions of a material are those of its lightest body.
        if best.is_none_or(|best| contact_mass(body) < contact_mass(best)) {
            *best = Some(body);
        }
    }
    let mut choice = TimeStepChoice {
        time_step: f64::INFINITY,
        collision_duration: f64::INFINITY,
        materials: [0, 0],
    };
    for (first, one) in (0u32..).zip(&lightest) {
        for (second, two) in (0u32..).zip(&lightest) {
            let Some(one) = one else { continue };
            let law =
                &settings.contact_laws[first as usize * settings.material_count + second as usize];
            let [mass, radius] = match two {
                Some(two) => {
                    [reduced(contact_mass(one), contact_mass(two)), reduced(one.radius, two.radius)]
                }
                // No body has this material, but a wall may; its mass is infinite.
                None => [contact_mass(one), one.radius],
            };
            let collision_duration = PI * (mass / law.stiffness(radius)).sqrt();
            if collision_duration < choice.collision_duration {
                choice = TimeStepChoice {
                    time_step: collision_duration / STEPS_PER_COLLISION,
                    collision_duration,
                    materials: [first, second],
                };
            }
        }
    }
    choice
}

/// Returns a lower bound on the effective mass at a contact point. A force beside the center of mass also
/// rotates the body, so that its effective mass is smaller: by up to four times at the end of a rod.
fn contact_mass<const D: usize>(body: &Body<D>) -> f64 {
    if body.shape.is_some() { 0.25 * body.mass } else { body.mass }
}

fn reduced(a: f64, b: f64) -> f64 {
    a * b / (a + b)
}
