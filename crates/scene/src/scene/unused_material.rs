//! Materials of a scene that nothing uses: kept for later, or misspelt.

use super::Scene;
use super::written_scene::WrittenScene;
use carom_io::excerpt;
use std::collections::BTreeSet;
use std::fmt;

/// A material that a scene gives and that no body, generator, pour, solid, wall, force or pair of materials names, in any
/// stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnusedMaterial {
    /// Name of the material that nothing uses.
    pub name: String,
    /// The name of a material that is used and was perhaps meant.
    pub nearest: Option<String>,
}

impl UnusedMaterial {
    /// Returns those of a scene, whether its generated bodies are placed or not.
    pub(super) fn all<const D: usize>(written: &WrittenScene, scene: &Scene<D>) -> Vec<Self> {
        let bodies = scene.bodies.iter().map(|body| body.material);
        let of_bodies = bodies.chain(scene.pours.iter().map(|pour| pour.material));
        let numbers: BTreeSet<u32> = of_bodies
            .chain(scene.solids.iter().map(|solid| solid.material))
            .chain(named_apart_from_bodies(scene))
            .chain(scene.stages.iter().flat_map(|stage| named_apart_from_bodies(&stage.scene)))
            .collect();
        let default = scene.materials[0].name.as_str();
        let generators = written.generate.iter();
        let generators = generators.map(|table| table.value.material_name().unwrap_or(default));
        let used: BTreeSet<&str> = (scene.materials.iter().zip(0_u32..))
            .filter(|(_, number)| numbers.contains(number))
            .map(|(material, _)| material.name.as_str())
            .chain(generators)
            .collect();
        let unused = written.materials.keys().filter(|name| !used.contains(name.as_str()));
        unused
            .map(|name| UnusedMaterial {
                name: name.clone(),
                nearest: excerpt::nearest_name(name, used.iter().copied()).map(str::to_owned),
            })
            .collect()
    }

    /// Returns the question for the material that was perhaps meant, to be appended to a sentence; empty if there is none.
    pub fn guess(&self) -> String {
        let escaped = |name: &String| excerpt::escape_control_characters(name);
        self.nearest
            .as_ref()
            .map_or(String::new(), |name| format!("; did you mean {}?", escaped(name)))
    }
}

impl fmt::Display for UnusedMaterial {
    /// Writes a sentence.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "nothing uses the material {}: no body, generator, pour, solid, wall, force or pair of materials names it{}",
            excerpt::escape_control_characters(&self.name),
            self.guess()
        )
    }
}

/// Numbers of the materials of walls, forces and pairs.
fn named_apart_from_bodies<const D: usize>(scene: &Scene<D>) -> impl Iterator<Item = u32> {
    let walls = scene.walls.iter().filter_map(|wall| wall.material);
    let forces = scene.forces.iter().filter_map(|force| force.material);
    walls.chain(forces).chain(scene.contacts.iter().flat_map(|pair| pair.materials))
}
