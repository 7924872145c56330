//! Contact laws for every pair of materials of a scene.

use super::stiffness;
use carom_scene::Scene;
use carom_scene::scene::{BoundaryCondition, ContactParameters, Elasticity, Material, Restitution};
use carom_simulate::Error;
use carom_simulate::dem::{
    Cohesion, CompositeLaw, Damping, NormalForceLaw, RollingResistance, TangentialForceLaw,
};

/// Tangential damping over normal damping.
const TANGENTIAL_DAMPING: f64 = 0.5;

/// Contact laws of all pairs of materials, row by row. After the materials of the scene come the sides of the box, one
/// per axis, and walls without a material, all of which are like the body that touches them.
pub(super) fn laws<const D: usize>(scene: &Scene<D>) -> Result<Vec<CompositeLaw>, Error> {
    let spring = Elasticity::Spring {
        stiffness: stiffness::choose(scene).stiffness,
        tangential_ratio: 2.0 / 7.0,
    };
    let (count, all) = (scene.materials.len(), scene.materials.len() + D);
    let mut laws = Vec::with_capacity(all * all);
    for first in 0..all {
        for second in 0..all {
            let (body, other) = (first.min(second), first.max(second));
            // A side is like the body that touches it, and two sides never touch.
            let like = if other < count { other } else { body.min(count - 1) };
            let mut law = pair_law(scene, [body.min(count - 1), like], spring)?;
            if let Some(restitution) = side_restitution(scene, other.wrapping_sub(count)) {
                law.damping = damping(restitution);
            }
            laws.push(law);
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

/// The law between two materials: from the table of the pair if the scene has one, else combined from both.
fn pair_law<const D: usize>(
    scene: &Scene<D>,
    materials: [usize; 2],
    otherwise: Elasticity,
) -> Result<CompositeLaw, Error> {
    let [one, two] = materials.map(|index| &scene.materials[index]);
    let numbers = materials.map(|index| index as u32);
    let table = scene.contacts.iter().find(|table| table.materials == numbers);
    let own = table.map_or(ContactParameters::default(), |table| table.contact);
    let smaller = |own: Option<f64>, of: fn(&ContactParameters) -> Option<f64>| {
        own.unwrap_or(of(&one.contact).unwrap_or(0.0).min(of(&two.contact).unwrap_or(0.0)))
    };
    let friction = smaller(own.friction, |touch| touch.friction);
    let rolling = smaller(own.rolling_friction, |touch| touch.rolling_friction);
    let work = smaller(own.adhesion, |touch| touch.adhesion);
    let (normal, tangential) = match own.elasticity {
        Some(elasticity) => elastic([elasticity; 2]),
        None => {
            let [first, second] = [one, two].map(|material| material.contact.elasticity);
            let first = first.or(second).unwrap_or(otherwise);
            elastic([first, second.unwrap_or(first)])
        }
    }
    .ok_or_else(|| mixed_elasticity_error(one, two))?;
    Ok(CompositeLaw {
        normal,
        damping: match (own.damping, table.and_then(|table| table.restitution)) {
            (Some(rate), _) => Damping::Rate(rate),
            (None, Some(part)) => damping(part),
            (None, None) => more_damped(one, two),
        },
        tangential: if friction > 0.0 { tangential } else { TangentialForceLaw::None },
        friction_coefficient: friction,
        rolling: if rolling > 0.0 {
            RollingResistance::Constant(rolling)
        } else {
            RollingResistance::None
        },
        cohesion: if work > 0.0 {
            Cohesion::Dmt { work_of_adhesion: work }
        } else {
            Cohesion::None
        },
    })
}

fn mixed_elasticity_error(one: &Material, two: &Material) -> Error {
    Error::Setting {
        what: "the elasticity of two materials",
        value: format!(
            "a stiffness of one and a Young's modulus of the other, {} and {}",
            one.name, two.name
        ),
        rule: "give both the same key, or a [[contacts]] table with a stiffness for the pair",
    }
}

/// Normal and tangential law of two materials with the same kind of elasticity.
fn elastic(both: [Elasticity; 2]) -> Option<(NormalForceLaw, TangentialForceLaw)> {
    match both {
        [
            Elasticity::Spring { stiffness: a, tangential_ratio: s },
            Elasticity::Spring { stiffness: b, tangential_ratio: t },
        ] => {
            // Two springs in series, one per body, each twice as stiff as a contact of two bodies of its material.
            let stiffness = 2.0 / (1.0 / a + 1.0 / b);
            let tangential = 0.5 * (s + t) * stiffness;
            let spring =
                TangentialForceLaw::Spring { stiffness: tangential, damping: TANGENTIAL_DAMPING };
            let none = tangential == 0.0;
            Some((
                NormalForceLaw::Spring { stiffness },
                if none { TangentialForceLaw::None } else { spring },
            ))
        }
        [
            Elasticity::Hertz { youngs_modulus: y, poissons_ratio: n },
            Elasticity::Hertz { youngs_modulus: z, poissons_ratio: m },
        ] => {
            let shear = |modulus: f64, ratio: f64| modulus / (2.0 * (1.0 + ratio));
            let normal = 1.0 / ((1.0 - n * n) / y + (1.0 - m * m) / z);
            let tangential_modulus = 1.0 / ((2.0 - n) / shear(y, n) + (2.0 - m) / shear(z, m));
            let tangential = TangentialForceLaw::Mindlin {
                modulus: tangential_modulus,
                damping: TANGENTIAL_DAMPING,
            };
            Some((NormalForceLaw::Hertz { modulus: normal }, tangential))
        }
        _ => None,
    }
}

fn damping(restitution: f64) -> Damping {
    if restitution == 1.0 { Damping::None } else { Damping::restitution(restitution) }
}

/// The damping of the more dissipative material; a rate takes precedence over a coefficient of restitution.
fn more_damped(one: &Material, two: &Material) -> Damping {
    let rates = [one.contact.damping, two.contact.damping];
    match rates.into_iter().flatten().reduce(f64::max) {
        Some(rate) => Damping::Rate(rate),
        None => {
            let part = |material: &Material| match material.restitution {
                Restitution::Constant(part) => part,
                Restitution::Speed { at_rest, .. } => at_rest,
            };
            damping(part(one).min(part(two)))
        }
    }
}

/// Whether bodies of a material touch each other with the stiffness that carom chooses.
pub(super) fn is_stiffness_chosen<const D: usize>(scene: &Scene<D>, material: u32) -> bool {
    let own = scene.materials.get(material as usize).map(|material| material.contact.elasticity);
    let pair = (scene.contacts.iter()).find(|table| table.materials == [material; 2]);
    let of_pair = pair.and_then(|table| table.contact.elasticity);
    own.flatten().is_none() && of_pair.is_none()
}
