//! The contact law of a scene: the built-in one, or a program's own.

use carom_scene::scene::Material;
use carom_simulate::dem::{CompositeLaw, ContactLaw};
use std::sync::Arc;

/// Makes the contact law of two materials, from them and from the law that the scene gives them.
type LawOfMaterials<L> = dyn Fn([&Material; 2], CompositeLaw) -> L + Send + Sync;

/// Construction of contact laws from the materials of a scene.
pub(in crate::run) struct SceneLaw<L> {
    law: Arc<LawOfMaterials<L>>,
    /// Sections of a checkpoint that have what the law keeps of contacts of bodies, and with walls.
    pub(super) history_sections: [&'static str; 2],
}

impl<L> Clone for SceneLaw<L> {
    fn clone(&self) -> Self {
        SceneLaw { law: Arc::clone(&self.law), history_sections: self.history_sections }
    }
}

impl SceneLaw<CompositeLaw> {
    pub(in crate::run) fn built_in() -> Self {
        SceneLaw {
            law: Arc::new(|_, law| law),
            history_sections: ["tangential_displacements", "wall_tangential_displacements"],
        }
    }
}

impl<L: ContactLaw> SceneLaw<L> {
    pub(in crate::run) fn own(
        law: impl Fn([&Material; 2], CompositeLaw) -> L + Send + Sync + 'static,
    ) -> Self {
        // Other names than those of the built-in law, so that neither continues from a checkpoint of the other.
        let history_sections = ["contact_histories", "wall_contact_histories"];
        SceneLaw { law: Arc::new(law), history_sections }
    }

    /// The law of two materials.
    pub(super) fn of(&self, materials: [&Material; 2], law: CompositeLaw) -> L {
        (self.law)(materials, law)
    }
}
