//! `carom scenes` and `carom new`.

use crate::arguments::{CommonArguments, NewArguments, ScenesArguments};
use crate::failure::{CommandFailure, print};
use crate::run::for_shell;
use crate::shipped::{SCENES, ShippedScene, find};
use carom::io::write_atomically;
use std::fmt::Write as _;
use std::path::Path;

/// Lists the built-in scenes.
pub fn list(options: &ScenesArguments) -> Result<(), CommandFailure> {
    if options.json {
        let scenes: Vec<_> = SCENES.iter().map(json).collect();
        return print(&format!("{:#}\n", serde_json::Value::from(scenes)));
    }
    let mut text = String::new();
    for engine in ["event-driven", "dem", "bonded"] {
        let _ = writeln!(text, "engine = \"{engine}\"");
        for scene in SCENES.iter().filter(|scene| scene.engine() == engine) {
            let time = duration(scene.seconds);
            let _ = writeln!(text, "  :{:<10} {time:>6}  {}", scene.name, scene.sentence());
        }
    }
    text += "\nA time is about what a run takes on one processor.\n\
             carom run :NAME runs a scene, carom new NAME copies it so that you can change it.\n";
    print(&text)
}

fn json(scene: &ShippedScene) -> serde_json::Value {
    serde_json::json!({
        "name": scene.name,
        "engine": scene.engine(),
        "description": scene.sentence(),
        "seconds": scene.seconds,
        "meshes": scene.mesh_names().collect::<Vec<_>>(),
    })
}

fn duration(seconds: u32) -> String {
    if seconds < 100 { format!("{seconds} s") } else { format!("{} min", seconds.div_ceil(60)) }
}

/// Copies a built-in scene, and the meshes that it needs.
pub fn copy(options: &NewArguments, common: &CommonArguments) -> Result<(), CommandFailure> {
    let scene = find(&options.name)?;
    let Some(path) = options.out.as_deref().filter(|path| *path != Path::new("-")) else {
        return to_standard_output(scene);
    };
    // `symlink_metadata` also finds a dangling link.
    if path.symlink_metadata().is_ok() {
        return Err(CommandFailure::input(format!(
            "{} is there already; name another file by --out",
            path.display()
        )));
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let meshes = scene.write_meshes(folder)?;
    write_atomically(path, |out| out.write_all(scene.text.as_bytes()))?;
    for mesh in meshes {
        common.report(format!("{}, which the scene needs, is written beside it", mesh.display()));
    }
    let word = for_shell(&path.display().to_string());
    common.report(format!("run it with carom run {word}"));
    Ok(())
}

fn to_standard_output(scene: &ShippedScene) -> Result<(), CommandFailure> {
    let Some(mesh) = scene.mesh_names().next() else { return print(scene.text) };
    let name = scene.name;
    Err(CommandFailure::input(format!(
        "the scene {name} needs {mesh} beside it, which standard output cannot take; write both by \
         carom new {name} --out {name}.toml"
    )))
}
