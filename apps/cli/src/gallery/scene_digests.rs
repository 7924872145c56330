//! Which scenes the folders of a gallery were run from.

use crate::failure::CommandFailure;
use carom::scene::files::{digest, write_atomically};
use carom::scene::{AnyScene, Scene};
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

/// A digest of every scene as it was run, by name; kept in the folder of the gallery.
pub struct SceneDigestStore {
    file: PathBuf,
    digests: Map<String, Value>,
}

impl SceneDigestStore {
    /// What is known of a folder; nothing if its file is not there or not ours.
    pub fn of(folder: &Path) -> Self {
        let file = folder.join("gallery.json");
        let digests = std::fs::read(&file).ok().and_then(|text| serde_json::from_slice(&text).ok());
        SceneDigestStore { file, digests: digests.unwrap_or_default() }
    }

    /// Whether the folder of that name was run from this scene.
    pub fn matches(&self, name: &str, scene: &AnyScene) -> bool {
        self.digests.get(name).is_some_and(|known| *known == scene_digest(scene))
    }

    /// Whether the folder of that name was run for the gallery at all.
    pub fn contains(&self, name: &str) -> bool {
        self.digests.contains_key(name)
    }

    /// Remembers from which scene the folder of that name is run; what was remembered before is given back.
    pub fn record(
        &mut self,
        name: &str,
        scene: &AnyScene,
    ) -> Result<Option<Value>, CommandFailure> {
        let before = self.digests.insert(name.to_owned(), scene_digest(scene).into());
        self.write()?;
        Ok(before)
    }

    /// Remembers what was remembered before.
    pub fn restore(&mut self, name: &str, before: Option<Value>) -> Result<(), CommandFailure> {
        match before {
            Some(digest) => self.digests.insert(name.to_owned(), digest),
            None => self.digests.remove(name),
        };
        self.write()
    }

    fn write(&self) -> Result<(), CommandFailure> {
        let text = format!("{:#}\n", Value::Object(self.digests.clone()));
        Ok(write_atomically(&self.file, |out| out.write_all(text.as_bytes()))?)
    }
}

/// Of every key, and of the bodies and meshes that come from files; comments do not count.
fn scene_digest(scene: &AnyScene) -> String {
    fn whole<const D: usize>(scene: &Scene<D>) -> String {
        format!("{:016x}{:016x}", scene.fingerprint(), digest(scene.as_run.as_bytes()))
    }
    match scene {
        AnyScene::TwoD(scene) => whole(scene),
        AnyScene::ThreeD(scene) => whole(scene),
    }
}
