//! The contact law of a scene: the built-in one, or a program's own.

use carom_scene::scene::Material;
use carom_simulate::dem::{CompositeLaw, ContactLaw, HistoryNames};
use std::sync::Arc;

/// Makes the contact law of two materials, from them and from the law that the scene gives them.
type LawOfMaterials<L> = dyn Fn([&Material; 2], CompositeLaw) -> L + Send + Sync;

/// Construction of contact laws from the materials of a scene.
pub(in crate::run) struct SceneLaw<L> {
    law: Arc<LawOfMaterials<L>>,
    /// Arrays of a checkpoint that have what the law keeps of contacts.
    pub(super) history_names: HistoryNames,
}

impl<L> Clone for SceneLaw<L> {
    fn clone(&self) -> Self {
        SceneLaw { law: Arc::clone(&self.law), history_names: self.history_names }
    }
}

impl SceneLaw<CompositeLaw> {
    pub(in crate::run) fn built_in() -> Self {
        SceneLaw { law: Arc::new(|_, law| law), history_names: HistoryNames::BUILT_IN_LAW }
    }
}

impl<L: ContactLaw> SceneLaw<L> {
    pub(in crate::run) fn own(
        law: impl Fn([&Material; 2], CompositeLaw) -> L + Send + Sync + 'static,
    ) -> Self {
        // Also where it is of the built-in type: the scene alone does not say what it is.
        SceneLaw { law: Arc::new(law), history_names: HistoryNames::OWN_LAW }
    }

    /// The law of two materials.
    pub(super) fn of(&self, materials: [&Material; 2], law: CompositeLaw) -> L {
        (self.law)(materials, law)
    }
}
