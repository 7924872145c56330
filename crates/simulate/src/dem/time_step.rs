//! How long a step may be.

use super::body::Body;
use super::contact_law::NormalForceLaw;
use super::simulation::Settings;
use crate::Error;
use std::f64::consts::PI;

/// A step, and why it is so long.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeStepChoice {
    /// Its length.
    pub time_step: f64,
    /// How long the shortest collision takes.
    pub collision_duration: f64,
    /// The materials of that collision.
    pub materials: [u32; 2],
}

impl TimeStepChoice {
    /// Refuses a step with which no dense packing is stable.
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

/// Bodies of a dense packing swing faster than two alone, by up to twice (a face-centerd cubic lattice
/// of springs): with a longer step than this part of the shortest collision it grows without bound.
const STABILITY_LIMIT: f64 = 0.3;

/// A collision takes so many steps.
const STEPS_PER_COLLISION: f64 = 50.0;

/// The law of Hertz is taken as stiff as at an overlap of this part of the radius.
const HERTZ_REFERENCE_OVERLAP: f64 = 0.05;

/// A step of which the shortest collision takes fifty: with springs half their period, with the law of
/// Hertz that of a spring as stiff as spheres that overlap by a twentieth of their radius.
pub fn choose_time_step(bodies: &[Body], settings: &Settings) -> TimeStepChoice {
    let mut lightest: Vec<Option<&Body>> = vec![None; settings.material_count];
    for body in bodies {
        let best = &mut lightest[body.material as usize];
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
                // Walls may be of a material of which no body is.
                None => [contact_mass(one), one.radius],
            };
            let stiffness = match law.normal {
                NormalForceLaw::Spring { stiffness } => stiffness,
                NormalForceLaw::Hertz { modulus } => {
                    2.0 * modulus * radius * HERTZ_REFERENCE_OVERLAP.sqrt()
                }
            };
            let collision_duration = PI * (mass / stiffness).sqrt();
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

/// A push beside the center of mass turns a body too, so that where it touches it is felt to be lighter:
/// by up to four times at the end of a rod.
fn contact_mass(body: &Body) -> f64 {
    if body.shape.is_some() { 0.25 * body.mass } else { body.mass }
}

fn reduced(a: f64, b: f64) -> f64 {
    a * b / (a + b)
}
