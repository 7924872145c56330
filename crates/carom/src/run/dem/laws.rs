//! Contact laws for every pair of materials of a scene.

use super::scene_law::SceneLaw;
use super::stiffness;
use carom_scene::Scene;
use carom_scene::scene::BoundaryCondition;
use carom_simulate::Error;
use carom_simulate::dem::{ContactLaw, mixing};

/// Contact laws of all pairs of materials, row by row. After the materials of the scene come the sides of the box, one
/// per axis, which are like the body that touches them but for their restitution.
pub(super) fn laws<const D: usize, L: ContactLaw>(
    scene: &Scene<D>,
    scene_law: &SceneLaw<L>,
) -> Result<Vec<L>, Error> {
    let stiffness = Some(stiffness::choose(scene).stiffness);
    let (count, all) = (scene.materials.len(), scene.materials.len() + D);
    let mut laws = Vec::with_capacity(all * all);
    for first in 0..all {
        for second in 0..all {
            let (body, other) = (first.min(second), first.max(second));
            // A side is like the body that touches it, and two sides never touch.
            let like = if other < count { other } else { body.min(count - 1) };
            let numbers = [body.min(count - 1) as u32, like as u32];
            let pair = scene.contacts.iter().find(|pair| pair.materials == numbers);
            let materials = numbers.map(|number| &scene.materials[number as usize]);
            let mut law = mixing::contact_law(materials, pair, stiffness)?;
            if let Some(restitution) = side_restitution(scene, other.wrapping_sub(count)) {
                law.damping = mixing::restitution_damping(restitution);
            }
            laws.push(scene_law.of(materials, law));
        }
    }
    Ok(laws)
}

/// The coefficient of restitution of the walls of an axis, if the scene gives one.
fn side_restitution<const D: usize>(scene: &Scene<D>, axis: usize) -> Option<f64> {
    match scene.region.boundary_conditions.get(axis) {
        Some(BoundaryCondition::Wall { restitution }) => *restitution,
        _ => None,
    }
}

/// Whether bodies of a material touch each other with the stiffness that carom chooses.
pub(super) fn is_stiffness_chosen<const D: usize>(scene: &Scene<D>, material: u32) -> bool {
    let known = scene.materials.get(material as usize);
    let own = known.and_then(|material| material.stiffness.or(material.youngs_modulus));
    let pair = (scene.contacts.iter()).find(|pair| pair.materials == [material; 2]);
    own.or(pair.and_then(|pair| pair.stiffness)).is_none()
}
