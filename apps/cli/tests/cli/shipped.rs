//! The scenes that the program carries: `carom scenes`, `carom new`, `carom run :NAME`.

use crate::program::{assert_ends, assert_refused, carom, folder, text};
use crate::scenes::examples;
use std::fs;

fn names() -> Vec<String> {
    let output = carom(folder().path(), &["scenes", "--json"]);
    assert_ends(&output, 0);
    let list = text(&output.stdout);
    let name =
        |line: &str| Some(line.trim().strip_prefix("\"name\": \"")?.split('"').next()?.into());
    list.lines().filter_map(name).collect()
}

#[test]
fn all_scenes_of_the_sources_are_listed_with_their_first_line() {
    let output = carom(folder().path(), &["scenes"]);
    assert_ends(&output, 0);
    let list = text(&output.stdout);
    for entry in fs::read_dir(examples()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|it| it == "toml") {
            let name = path.file_stem().unwrap().to_str().unwrap();
            let scene = fs::read_to_string(&path).unwrap();
            let sentence = scene.lines().next().unwrap().strip_prefix("# ").unwrap();
            let is_line =
                |line: &&str| line.contains(&format!(":{name} ")) && line.ends_with(sentence);
            let line = list.lines().find(is_line).unwrap_or_else(|| panic!("{name} in\n{list}"));
            assert!(line.contains(" s  "), "{line}");
        }
    }
}

#[test]
fn no_shipped_scene_is_warned_of() {
    let folder = folder();
    let names = names();
    assert!(names.len() >= 27);
    for name in names {
        let output = carom(folder.path(), &["check", &format!(":{name}")]);
        assert_ends(&output, 0);
        let report = text(&output.stdout);
        assert!(report.starts_with(&format!(":{name} is a scene that runs\n")), "{report}");
        assert!(!report.contains("warning") && output.stderr.is_empty(), "{report}");
    }
    // What check needs for a moment does not stay.
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
#[ignore = "takes half a minute: cargo xtask test --all"]
fn hopper_and_shaker_are_stiff_enough_for_their_fastest_discs() {
    let folder = folder();
    for (name, until) in [(":hopper", "2.1"), (":shaker", "1.4")] {
        let output = carom(folder.path(), &["run", name, "--until", until]);
        assert_ends(&output, 0);
        assert!(!text(&output.stderr).contains("warning"), "{}", text(&output.stderr));
    }
}

#[test]
fn a_copy_is_the_scene_itself_and_replaces_nothing() {
    let folder = folder();
    let scene = fs::read_to_string(examples().join("hopper.toml")).unwrap();
    let output = carom(folder.path(), &["new", "hopper"]);
    assert_ends(&output, 0);
    assert_eq!(text(&output.stdout), scene);
    assert_ends(&carom(folder.path(), &["new", ":hopper", "--out", "my.toml"]), 0);
    assert_eq!(fs::read_to_string(folder.path().join("my.toml")).unwrap(), scene);
    fs::write(folder.path().join("my.toml"), "mine").unwrap();
    assert_refused(
        folder.path(),
        &["new", "drum", "--out", "my.toml"],
        "my.toml is there already; name another file by --out",
    );
    assert_eq!(fs::read_to_string(folder.path().join("my.toml")).unwrap(), "mine");
    let unknown = carom(folder.path(), &["new", "hoper"]);
    assert_ends(&unknown, 2);
    assert!(text(&unknown.stderr).contains("the scene is \"hoper\"; did you mean hopper?"));
}

#[test]
fn a_mesh_that_a_copy_needs_is_written_beside_it() {
    let folder = folder();
    assert_refused(
        folder.path(),
        &["new", "foams"],
        "the scene foams needs foam.ply beside it, which standard output cannot take; write both by \
         carom new foams --out foams.toml",
    );
    let output = carom(folder.path(), &["new", "foams", "--out", "foams.toml"]);
    assert_ends(&output, 0);
    let report = text(&output.stderr);
    assert!(
        report.starts_with("foam.ply, which the scene needs, is written beside it\n"),
        "{report}"
    );
    let mesh = folder.path().join("foam.ply");
    assert_eq!(fs::read(&mesh).unwrap(), fs::read(examples().join("foam.ply")).unwrap());
    assert_ends(&carom(folder.path(), &["check", "foams.toml"]), 0);
    // The same mesh serves another copy; a file that is something else stays.
    assert_ends(&carom(folder.path(), &["new", "stairs", "--out", "stairs.toml"]), 0);
    fs::write(&mesh, "mine").unwrap();
    let refused = carom(folder.path(), &["new", "foams", "--out", "again.toml"]);
    assert_ends(&refused, 2);
    assert_eq!(fs::read_to_string(&mesh).unwrap(), "mine");
    assert!(!folder.path().join("again.toml").exists());
}

#[test]
fn a_shipped_scene_runs_and_continues_in_an_empty_folder() {
    let folder = folder();
    let run = |more: &[&str]| {
        let arguments: Vec<&str> = ["run", ":foams", "-q"].iter().chain(more).copied().collect();
        carom(folder.path(), &arguments)
    };
    assert_ends(&run(&["--until", "0.2"]), 0);
    assert!(folder.path().join("foams.run/foam.ply").exists());
    assert_ends(&run(&["--resume", "--until", "0.3"]), 0);
    // The folder alone is enough.
    let alone = ["run", "--out", "foams.run", "--resume", "--until", "0.4", "-q"];
    assert_ends(&carom(folder.path(), &alone), 0);
    let unknown = carom(folder.path(), &["run", ":foam"]);
    assert_ends(&unknown, 2);
    assert!(text(&unknown.stderr).contains("did you mean foams?"), "{}", text(&unknown.stderr));
    let missing = carom(folder.path(), &["run", "scenes/drum.toml"]);
    assert_ends(&missing, 2);
    let report = text(&missing.stderr);
    assert!(report.ends_with("; the program carries such a scene, named :drum\n"), "{report}");
    let gallery = carom(folder.path(), &["gallery", ":chain", "--quick"]);
    assert_ends(&gallery, 0);
    let index = fs::read_to_string(folder.path().join("gallery/index.html")).unwrap();
    assert!(index.contains("carom run :chain --set") && index.contains("Newton"), "{index}");
}

#[test]
fn a_mistyped_command_is_guessed() {
    let output = carom(folder().path(), &["rnu"]);
    assert_ends(&output, 2);
    assert!(text(&output.stderr).contains("'run'"), "{}", text(&output.stderr));
}
