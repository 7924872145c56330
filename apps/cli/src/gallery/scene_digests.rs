//! Digests of the scenes from which the folders of a gallery were run.

use crate::failure::CommandFailure;
use carom::io::{digest, write_atomically};
use carom::scene::{AnyScene, Scene};
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

/// A digest of every scene as it was run, by name; stored in the folder of the gallery.
pub struct SceneDigestStore {
    file: PathBuf,
    digests: Map<String, Value>,
}

impl SceneDigestStore {
    /// Reads the digests of a folder; empty if its file is missing or foreign.
    pub fn of(folder: &Path) -> Self {
        let file = folder.join("gallery.json");
        let digests = std::fs::read(&file).ok().and_then(|text| serde_json::from_slice(&text).ok());
        SceneDigestStore { file, digests: digests.unwrap_or_default() }
    }

    /// Whether the run of this name was made from this scene.
    pub fn matches(&self, name: &str, scene: &AnyScene) -> bool {
        self.digests.get(name).is_some_and(|known| *known == scene_digest(scene))
    }

    /// Whether the run of this name was made for the gallery at all.
    pub fn contains(&self, name: &str) -> bool {
        self.digests.contains_key(name)
    }

    /// Records the scene from which the run of this name is made; returns the earlier digest.
    pub fn record(
        &mut self,
        name: &str,
        scene: &AnyScene,
    ) -> Result<Option<Value>, CommandFailure> {
        let before = self.digests.insert(name.to_owned(), scene_digest(scene).into());
        self.write()?;
        Ok(before)
    }

    /// Restores the earlier digest.
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

/// Digest of every key, and of the bodies and meshes that come from files; comments do not count.
fn scene_digest(scene: &AnyScene) -> String {
    fn whole<const D: usize>(scene: &Scene<D>) -> String {
        format!("{:016x}{:016x}", scene.fingerprint(), digest(scene.as_run.as_bytes()))
    }
    match scene {
        AnyScene::TwoD(scene) => whole(scene),
        AnyScene::ThreeD(scene) => whole(scene),
    }
}
