//! How long a step may be.

use super::body::Body;
use super::law::Normal;
use super::simulation::Settings;
use crate::Error;
use std::f64::consts::PI;

/// A step, and why it is so long.
#[derive(Clone, Debug, PartialEq)]
pub struct StepChoice {
    /// Its length.
    pub step: f64,
    /// How long the shortest collision takes.
    pub collision: f64,
    /// The materials of that collision.
    pub materials: [u32; 2],
}

impl StepChoice {
    /// Refuses a step with which no dense packing is stable.
    pub fn check(&self, step: f64) -> Result<(), Error> {
        if step > UNSTABLE * self.collision {
            return Err(Error::Step { step, collision: self.collision });
        }
        Ok(())
    }
}

/// Bodies of a dense packing swing faster than two alone, by up to twice (a face-centred cubic lattice
/// of springs): with a longer step than this part of the shortest collision it grows without bound.
const UNSTABLE: f64 = 0.3;

/// A collision takes so many steps.
const STEPS: f64 = 50.0;

/// The law of Hertz is taken as stiff as at an overlap of this part of the radius.
const OVERLAP: f64 = 0.05;

/// A step of which the shortest collision takes fifty: with springs half their period, with the law of
/// Hertz that of a spring as stiff as spheres that overlap by a twentieth of their radius.
pub fn choose(bodies: &[Body], settings: &Settings) -> StepChoice {
    let mut lightest: Vec<Option<&Body>> = vec![None; settings.materials];
    for body in bodies {
        let best = &mut lightest[body.material as usize];
        if best.is_none_or(|best| felt_mass(body) < felt_mass(best)) {
            *best = Some(body);
        }
    }
    let mut choice =
        StepChoice { step: f64::INFINITY, collision: f64::INFINITY, materials: [0, 0] };
    for (first, one) in (0u32..).zip(&lightest) {
        for (second, two) in (0u32..).zip(&lightest) {
            let Some(one) = one else { continue };
            let law = &settings.laws[first as usize * settings.materials + second as usize];
            let [mass, radius] = match two {
                Some(two) => {
                    [reduced(felt_mass(one), felt_mass(two)), reduced(one.radius, two.radius)]
                }
                // Walls may be of a material of which no body is.
                None => [felt_mass(one), one.radius],
            };
            let stiffness = match law.normal {
                Normal::Spring { stiffness } => stiffness,
                Normal::Hertz { modulus } => 2.0 * modulus * radius * OVERLAP.sqrt(),
            };
            let collision = PI * (mass / stiffness).sqrt();
            if collision < choice.collision {
                choice =
                    StepChoice { step: collision / STEPS, collision, materials: [first, second] };
            }
        }
    }
    choice
}

/// A push beside the centre of mass turns a body too, so that where it touches it is felt to be lighter:
/// by up to four times at the end of a rod.
fn felt_mass(body: &Body) -> f64 {
    if body.shape.is_some() { 0.25 * body.mass } else { body.mass }
}

fn reduced(a: f64, b: f64) -> f64 {
    a * b / (a + b)
}
