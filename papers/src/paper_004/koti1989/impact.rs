//! Duration and force of the impact of two spheres: equations (2.1) and (2.4), after W. Goldsmith.

use super::data_file::Koti1989Object;
use carom::geometry::{Vector, math};
use std::f64::consts::PI;

/// Duration and force of an impact, as the thesis prescribes them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Koti1989Impact {
    /// Relative speed v₀, tangential part included.
    pub speed: f64,
    /// Effective mass, m₁m₂/(m₁+m₂).
    pub mass: f64,
    /// Largest approach of the centers, α_m.
    pub max_approach: f64,
    /// δ₁ + δ₂ = (1−μ₁²)/(πE₁) + (1−μ₂²)/(πE₂).
    compliance: f64,
    /// (R₁+R₂)/(R₁R₂).
    curvature: f64,
}

impl Koti1989Impact {
    /// The impact of two objects at their current velocities.
    pub fn of(one: &Koti1989Object, two: &Koti1989Object) -> Self {
        let velocity = |object: &Koti1989Object| Vector::from(object.velocity);
        Koti1989Impact::at_speed((velocity(one) - velocity(two)).norm(), one, two)
    }

    /// The impact at another relative speed.
    pub fn at_speed(speed: f64, one: &Koti1989Object, two: &Koti1989Object) -> Self {
        let delta = |object: &Koti1989Object| {
            (1.0 - object.poisson_ratio.powi(2)) / (PI * object.young_modulus)
        };
        let mass = one.mass * two.mass / (one.mass + two.mass);
        let compliance = delta(one) + delta(two);
        let curvature = (one.radius + two.radius) / (one.radius * two.radius);
        let squeezed = math::powf(15.0 * PI / 16.0 * speed.powi(2) * compliance * mass, 0.4);
        Koti1989Impact {
            speed,
            mass,
            max_approach: squeezed * math::powf(curvature, 0.2),
            compliance,
            curvature,
        }
    }

    /// τ as the listing has it: 2.9432 α_m/v₀.
    pub fn duration(&self) -> f64 {
        2.9432 * self.max_approach / self.speed
    }

    /// τ as equation (2.1) has it, with 4.53.
    pub fn duration_as_printed(&self) -> f64 {
        4.53 * math::powf(self.compliance * self.mass, 0.4)
            * math::powf(self.curvature / self.speed, 0.2)
    }

    /// Largest force of equation (2.4).
    pub fn largest_force(&self) -> f64 {
        1.14 * self.mass * self.speed.powi(2) / self.max_approach
    }

    /// Force of equation (2.4) after a fraction of the duration, as the listing has it: a sine that ends with the
    /// impact.
    pub fn force(&self, part: f64) -> f64 {
        self.largest_force() * math::sin(PI * part)
    }
}
