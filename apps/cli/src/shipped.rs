//! Built-in scenes, so that there is something to run wherever the program is installed: `:hopper` names one in place
//! of a file.

use crate::failure::CommandFailure;
use crate::numbers;
use carom::io::Error;
use carom::io::write_atomically;
use std::path::{Path, PathBuf};

/// A scene of the folder `scenes` of carom's sources.
pub struct ShippedScene {
    /// Name, without the colon.
    pub name: &'static str,
    /// Text; the first line is a comment of one sentence.
    pub text: &'static str,
    /// Duration of a run on one processor, about, in seconds.
    pub seconds: u32,
}

/// A mesh file that scenes need.
pub struct ShippedMesh {
    /// Name of the file, which must be beside the scene.
    pub name: &'static str,
    /// Content of the file.
    pub bytes: &'static [u8],
}

const MESHES: [ShippedMesh; 1] =
    [ShippedMesh { name: "foam.ply", bytes: include_bytes!("../../../scenes/foam.ply") }];

macro_rules! scenes {
    ($($name:literal takes $seconds:literal,)*) => {
        [$(ShippedScene {
            name: $name,
            text: include_str!(concat!("../../../scenes/", $name, ".toml")),
            seconds: $seconds,
        }),*]
    };
}

/// All built-in scenes, by name.
pub const SCENES: [ShippedScene; 28] = scenes! {
    "billiard" takes 1,
    "brazilian" takes 8,
    "chain" takes 1,
    "clumps" takes 9,
    "collapse" takes 20,
    "cooling" takes 10,
    "cradle" takes 3,
    "crystal" takes 3,
    "cubes" takes 3,
    "dice" takes 20,
    "discs" takes 5,
    "drum" takes 25,
    "ductile" takes 12,
    "eggshell" takes 3,
    "fluid" takes 8,
    "foams" takes 1,
    "gate" takes 10,
    "glass" takes 13,
    "hopper" takes 30,
    "kalthoff" takes 25,
    "mixture" takes 5,
    "oblique" takes 3,
    "packing" takes 3,
    "plate" takes 10,
    "sediment" takes 4,
    "shaker" takes 10,
    "stairs" takes 17,
    "trap" takes 7,
};

/// The scene with a name, with or without its colon.
pub(crate) fn find(name: &str) -> Result<&'static ShippedScene, CommandFailure> {
    let plain = name.strip_prefix(':').unwrap_or(name);
    let found = SCENES.iter().find(|scene| scene.name == plain);
    found.ok_or_else(|| numbers::unknown("the scene", name, SCENES.iter().map(|it| it.name)))
}

/// The built-in scene that a path names, if it starts with a colon; any other path is that of a file.
pub(crate) fn of_path(path: &Path) -> Result<Option<&'static ShippedScene>, CommandFailure> {
    match path.to_str().filter(|name| name.starts_with(':')) {
        Some(name) => find(name).map(Some),
        None => Ok(None),
    }
}

/// The built-in scene that has the name of a missing file, such as `:drum` for `scenes/drum.toml`.
pub(crate) fn matching_scene(path: &Path) -> Option<&'static ShippedScene> {
    let name = path.file_stem()?.to_str()?;
    SCENES.iter().find(|scene| scene.name == name)
}

impl ShippedScene {
    /// The path that names it.
    pub fn path(&self) -> PathBuf {
        format!(":{}", self.name).into()
    }

    /// Description of the scene, one sentence.
    pub fn sentence(&self) -> &'static str {
        self.text.lines().next().unwrap_or_default().trim_start_matches(['#', ' '])
    }

    /// Name of its engine.
    pub fn engine(&self) -> &'static str {
        let lines = self.text.lines().filter_map(|line| line.strip_prefix("engine = \""));
        lines.filter_map(|line| line.split('"').next()).next().unwrap_or_default()
    }

    /// Names of the mesh files that must be beside it.
    pub fn mesh_names(&self) -> impl Iterator<Item = &'static str> {
        self.meshes().map(|mesh| mesh.name)
    }

    /// The mesh files that must be beside it.
    pub fn meshes(&self) -> impl Iterator<Item = &'static ShippedMesh> {
        MESHES.iter().filter(|mesh| self.text.contains(&format!("\"{}\"", mesh.name)))
    }

    /// Writes the mesh files that it needs into a folder, unless they exist; returns what was written. Refuses another
    /// file of the same name and leaves it alone.
    pub(crate) fn write_meshes(&self, folder: &Path) -> Result<Vec<PathBuf>, CommandFailure> {
        let mut written = Vec::new();
        for mesh in self.meshes() {
            let path = folder.join(mesh.name);
            match std::fs::read(&path) {
                Ok(bytes) if bytes == mesh.bytes => continue,
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                _ => {
                    return Err(CommandFailure::input(format!(
                        "{} is there and is not the mesh of the scene {}; move it away or name \
                         another folder",
                        path.display(),
                        self.name
                    )));
                }
            }
            std::fs::create_dir_all(folder)
                .map_err(|source| Error::cannot_write(folder, source))?;
            write_atomically(&path, |out| out.write_all(mesh.bytes))?;
            written.push(path);
        }
        Ok(written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn all_files_of_the_folder_are_carried() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
        let files: BTreeSet<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        let scenes = SCENES.iter().map(|scene| format!("{}.toml", scene.name));
        let carried = scenes.chain(MESHES.iter().map(|mesh| mesh.name.to_owned())).collect();
        assert_eq!(files, carried);
    }

    #[test]
    fn the_first_line_of_a_scene_is_a_sentence() {
        for scene in &SCENES {
            let sentence = scene.sentence();
            assert!(scene.text.starts_with(&format!("# {sentence}\n")), "{}", scene.name);
            assert!(sentence.ends_with('.') && sentence.len() <= 110, "{sentence}");
            assert!(["event-driven", "dem", "bonded"].contains(&scene.engine()), "{}", scene.name);
            assert!(scene.seconds > 0);
        }
        assert!(SCENES.is_sorted_by(|a, b| a.name < b.name));
    }

    #[test]
    fn a_path_with_a_colon_is_a_shipped_scene() {
        let name = |path: &str| of_path(Path::new(path)).map(|found| found.map(|scene| scene.name));
        assert_eq!(name(":hopper").unwrap(), Some("hopper"));
        assert_eq!(name("hopper").unwrap(), None);
        assert!(name(":hoper").is_err());
        assert_eq!(matching_scene(Path::new("scenes/drum.toml")).unwrap().name, "drum");
    }
}
