//! `carom gallery`.

use crate::program::{assert_ends, carom, folder, text};
use crate::scenes::PARTING;
use std::fs;

#[test]
fn a_gallery_runs_every_scene_once_and_again_if_it_has_changed() {
    let folder = folder();
    let scenes = folder.path().join("scenes");
    fs::create_dir(&scenes).unwrap();
    let scene = format!("# Two <discs> meet, once and never again. They part.\n{PARTING}");
    fs::write(scenes.join("parting.toml"), &scene).unwrap();
    let gallery = || carom(folder.path(), &["gallery", "scenes"]);
    let report =
        |output: &std::process::Output| text(&output.stderr).lines().next().unwrap().to_owned();

    let first = gallery();
    assert_ends(&first, 0);
    assert_eq!(report(&first), "parting: running");
    let index = fs::read_to_string(folder.path().join("gallery/index.html")).unwrap();
    for part in [
        "<p>Two &lt;discs&gt; meet, once and never again.</p>",
        "<a href=\"parting.html\"><img loading=\"lazy\" src=\"parting.run/picture.png\"",
        "<dt>collisions</dt><dd>1</dd>",
        "carom run scenes/parting.toml --out gallery/parting.run\n\
         carom export gallery/parting.run --html gallery/parting.html",
    ] {
        assert!(index.contains(part), "{part} in\n{index}");
    }
    assert!(folder.path().join("gallery/parting.html").exists());

    let again = gallery();
    assert_ends(&again, 0);
    assert_eq!(report(&again), "parting: has been run");
    // As after a stop: there is a checkpoint and no end.
    let summary = folder.path().join("gallery/parting.run/summary.json");
    fs::remove_file(&summary).unwrap();
    let resumed = gallery();
    assert_ends(&resumed, 0);
    assert!(report(&resumed) == "parting: running" && summary.exists());

    fs::write(scenes.join("parting.toml"), scene.replace("[1, 0]", "[2, 0]")).unwrap();
    let changed = gallery();
    assert_ends(&changed, 0);
    assert_eq!(report(&changed), "parting: running");
    let written = fs::read_to_string(folder.path().join("gallery/parting.run/scene.toml")).unwrap();
    assert!(written.contains('2'), "{written}");
    let quick = carom(folder.path(), &["gallery", "scenes", "--quick"]);
    assert_ends(&quick, 0);
    assert_eq!(report(&quick), "parting: running");
    assert_eq!(report(&gallery()), "parting: has been run");
}

#[test]
fn results_that_are_not_the_gallerys_own_are_not_replaced() {
    let folder = folder();
    fs::write(folder.path().join("parting.toml"), PARTING).unwrap();
    assert_ends(&carom(folder.path(), &["run", "parting.toml", "-q"]), 0);
    let summary = folder.path().join("parting.run/summary.json");
    let before = fs::read(&summary).unwrap();
    let changed = PARTING.replace("[1, 0]", "[2, 0]");
    fs::write(folder.path().join("parting.toml"), changed).unwrap();
    for _ in 0..2 {
        let output = carom(folder.path(), &["gallery", "parting.toml", "--out", "."]);
        assert_ends(&output, 2);
        assert!(text(&output.stderr).contains("holds results of another scene"));
        assert_eq!(fs::read(&summary).unwrap(), before);
    }
    fs::write(folder.path().join("index.toml"), PARTING).unwrap();
    assert_ends(&carom(folder.path(), &["gallery", "index.toml"]), 2);
}

#[test]
fn a_scene_that_fails_keeps_no_other_from_the_gallery() {
    let folder = folder();
    fs::write(folder.path().join("good.toml"), PARTING).unwrap();
    fs::write(folder.path().join("bad.toml"), "engine = '<b>'\ndimension = 2").unwrap();
    let output = carom(folder.path(), &["gallery", "bad.toml", "good.toml", "--out", "both"]);
    assert_ends(&output, 2);
    assert!(text(&output.stderr).ends_with("error: these scenes failed: bad\n"));
    let index = fs::read_to_string(folder.path().join("both/index.html")).unwrap();
    assert!(index.contains("<p class=\"fault\">bad.toml:1: "), "{index}");
    assert!(index.contains("<a href=\"good.html\">") && !index.contains("<b>"), "{index}");
}

#[test]
fn scenes_that_cannot_be_distinguished_or_are_not_there_are_refused() {
    let folder = folder();
    for name in ["a", "b"] {
        fs::create_dir(folder.path().join(name)).unwrap();
        fs::write(folder.path().join(name).join("gas.toml"), PARTING).unwrap();
    }
    fs::create_dir(folder.path().join("empty")).unwrap();
    let twice = carom(folder.path(), &["gallery", "a", "b"]);
    assert_ends(&twice, 2);
    assert!(text(&twice.stderr).contains("must have different names"));
    let none = carom(folder.path(), &["gallery", "empty"]);
    assert_ends(&none, 2);
    assert_eq!(
        text(&none.stderr),
        "error: empty holds no scene; scenes are files that end in .toml\n"
    );
    let missing = carom(folder.path(), &["gallery", "a/gas.toml", "missing.toml"]);
    assert_ends(&missing, 2);
    assert!(text(&missing.stderr).contains("missing.toml"));
    assert!(!folder.path().join("gallery").exists());
    // A page of somebody else is not replaced.
    let page = folder.path().join("empty/index.html");
    fs::write(&page, "mine").unwrap();
    let other = carom(folder.path(), &["gallery", "a", "--out", "empty"]);
    assert_ends(&other, 2);
    assert_eq!(
        text(&other.stderr),
        "error: empty/index.html is there and no page of a gallery; name another folder by --out\n"
    );
    assert_eq!(fs::read_to_string(page).unwrap(), "mine");
}
