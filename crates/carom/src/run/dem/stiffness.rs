//! Contact stiffness for scenes that do not give one, and the softest one that would do.

use super::setup;
use carom_geometry::{Vector, math};
use carom_scene::Scene;
use carom_simulate::dem::{Body, ContactLaw, NormalForceLaw, Settings};

/// Overlap aimed at where the scene gives no stiffness, over the smallest radius.
const OVERLAP: f64 = 0.01;
/// Overlap of the fastest collision with the softest stiffness that is suggested, over the smallest radius.
const IMPACT: f64 = 0.05;
/// Packing fraction of a heap of bodies, about.
const HEAP: f64 = 0.6;

/// A contact stiffness and its reason.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StiffnessChoice {
    /// Stiffness, force per overlap.
    pub stiffness: f64,
    /// Reason for this stiffness.
    pub reason: StiffnessReason,
}

/// Reason for a stiffness.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StiffnessReason {
    /// A collision of the heaviest bodies with this relative speed.
    Impact {
        /// Twice the fastest speed at the start plus that of a fall through the box.
        speed: f64,
    },
    /// A column of the heaviest bodies as high as the box, which rests on the lowest.
    Column,
    /// Nothing: no body moves and no force acts.
    Nothing,
}

impl StiffnessChoice {
    /// The reason in words, after "so that".
    pub fn reason(&self) -> String {
        let overlap = 100.0 * OVERLAP;
        match self.reason {
            StiffnessReason::Impact { speed } => format!(
                "the heaviest bodies overlap by {overlap} % of the smallest radius when they meet with \
                 {speed:.3}"
            ),
            StiffnessReason::Column => format!(
                "a column of bodies as high as the box overlaps by {overlap} % of the smallest radius \
                 at its foot"
            ),
            StiffnessReason::Nothing => "there is one, though nothing moves".to_owned(),
        }
    }
}

/// Chooses a stiffness with which bodies overlap by about a hundredth of the smallest radius when two as fast as the
/// fastest at the start collide, when one falls through the box, and under a column of bodies.
pub(super) fn choose<const D: usize>(scene: &Scene<D>) -> StiffnessChoice {
    let load = ContactLoad::of(scene);
    let overlap = OVERLAP * load.radius;
    let impact = load.impact_stiffness(overlap);
    let column = load.mass * load.potential / (2.0 * load.radius * overlap);
    if impact.max(column) == 0.0 {
        let stiffness = load.mass / (load.radius * load.radius);
        return StiffnessChoice { stiffness, reason: StiffnessReason::Nothing };
    }
    if impact >= column {
        let reason = StiffnessReason::Impact { speed: load.impact_speed };
        return StiffnessChoice { stiffness: impact, reason };
    }
    StiffnessChoice { stiffness: column, reason: StiffnessReason::Column }
}

/// Largest loads on the contacts of a scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ContactLoad {
    /// Mass of the heaviest body.
    mass: f64,
    /// Radius of the smallest body.
    radius: f64,
    /// Fastest speed at the start.
    pub speed: f64,
    /// Speed of a fall through the box.
    pub fall_speed: f64,
    /// Largest relative speed of a collision.
    impact_speed: f64,
    /// Gravity times the height of the box.
    potential: f64,
    /// Force on a body at the base of the heap of all bodies, or of a column as high as the box if that is lower.
    pub force_at_base: f64,
    /// Mean radius.
    mean_radius: f64,
}

impl ContactLoad {
    pub(super) fn of<const D: usize>(scene: &Scene<D>) -> Self {
        let bodies = setup::all_bodies(scene);
        let largest = |of: fn(&Body<D>) -> f64| bodies.iter().map(of).fold(0.0, f64::max);
        let speed = largest(|body| body.velocity.norm());
        let mass = largest(|body| body.mass);
        let radius = bodies.iter().map(|body| body.radius).fold(f64::INFINITY, f64::min);
        let maximum_gravity: Vector<D> = scene.maximum_gravity();
        let fall = 2.0 * maximum_gravity.dot(&scene.region.size);
        let count = bodies.len().max(1) as f64;
        let mean_radius = bodies.iter().map(|body| body.radius).sum::<f64>() / count;
        ContactLoad {
            mass,
            radius,
            speed,
            fall_speed: fall.sqrt(),
            impact_speed: 2.0 * speed + fall.sqrt(),
            potential: 0.5 * fall,
            force_at_base: force_at_base(scene, &bodies, mean_radius),
            mean_radius,
        }
    }

    fn impact_stiffness(&self, overlap: f64) -> f64 {
        0.5 * self.mass * (self.impact_speed / overlap).powi(2)
    }

    /// Overlap at the base of a heap with the softest law of the bodies, over the mean radius; none if one of them is not
    /// the built-in law.
    pub(super) fn overlap_at_rest<const D: usize, L: ContactLaw>(
        &self,
        bodies: &[Body<D>],
        settings: &Settings<D, L>,
    ) -> Option<f64> {
        let mut used = vec![false; settings.material_count];
        bodies.iter().for_each(|body| used[body.material as usize] = true);
        let materials = (0..settings.material_count).filter(|&material| used[material]);
        let overlap = |material: usize| {
            let law = &settings.contact_laws[material * (settings.material_count + 1)];
            Some(match law.as_composite()?.normal {
                NormalForceLaw::Spring { stiffness } => self.force_at_base / stiffness,
                NormalForceLaw::Hertz { modulus } => {
                    let radius = 0.5 * self.mean_radius;
                    math::powf(0.75 * self.force_at_base / (modulus * radius.sqrt()), 2.0 / 3.0)
                }
            })
        };
        let overlaps: Option<Vec<f64>> = materials.map(overlap).collect();
        Some(overlaps?.into_iter().fold(0.0, f64::max) / self.mean_radius)
    }

    /// The softest stiffness with which overlaps at rest stay below a hundredth of a radius and those of the fastest
    /// collision below a twentieth; rounded up to two digits.
    pub(super) fn softest_stiffness(&self) -> f64 {
        let at_rest = self.force_at_base / (OVERLAP * self.radius);
        let stiffness = at_rest.max(self.impact_stiffness(IMPACT * self.radius));
        let unit = math::powf(10.0, math::log10(stiffness).floor() - 1.0);
        (stiffness / unit).ceil() * unit
    }
}

/// Weight of a column of mean bodies as high as the heap of all bodies in the box.
fn force_at_base<const D: usize>(scene: &Scene<D>, bodies: &[Body<D>], mean_radius: f64) -> f64 {
    let maximum_gravity = scene.maximum_gravity();
    let gravity = maximum_gravity.norm();
    if gravity == 0.0 || bodies.is_empty() {
        return 0.0;
    }
    let height = maximum_gravity.dot(&scene.region.size) / gravity;
    let poured: f64 =
        (scene.pours.iter()).flat_map(|pour| &pour.radii).map(|radius| volume::<D>(*radius)).sum();
    let filled = scene.packing_fraction() * scene.region.volume() + poured;
    let heap = (filled / HEAP / (scene.region.volume() / height))
        .clamp(2.0 * mean_radius, height.max(2.0 * mean_radius));
    let mass = bodies.iter().map(|body| body.mass).sum::<f64>() / bodies.len() as f64;
    mass * gravity * heap / (2.0 * mean_radius)
}

fn volume<const D: usize>(radius: f64) -> f64 {
    use std::f64::consts::PI;
    if D == 2 { PI * radius * radius } else { 4.0 / 3.0 * PI * radius.powi(3) }
}
