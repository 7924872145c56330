//! Results that somebody else has made: nothing outside of their folder is read, shown or quoted.

use crate::program::{assert_ends, assert_refused, carom, command, folder, text};
use crate::view::write_run;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// What the program says within seconds; a pipe would keep it waiting for ever.
fn promptly(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = command(folder, arguments);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let end = Instant::now() + Duration::from_secs(60);
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > end {
            child.kill().unwrap();
            panic!("{arguments:?} does not end");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    child.wait_with_output().unwrap()
}

/// Puts in the place of a file a link to one elsewhere, a pipe, and a device.
fn foreign(folder: &Path, file: &Path, kind: &str) {
    if file.is_dir() {
        fs::rename(file, folder.join("elsewhere")).unwrap();
    } else {
        let _ = fs::remove_file(file);
    }
    let secret = folder.join("secret.csv");
    fs::write(&secret, "secret,words\n= [secret\n").unwrap();
    match kind {
        "link" => symlink(secret, file).unwrap(),
        "folder" => symlink(folder.join("elsewhere"), file).unwrap(),
        "device" => symlink("/dev/zero", file).unwrap(),
        _ => assert!(Command::new("mkfifo").arg(file).status().unwrap().success()),
    }
}

#[test]
fn links_out_of_the_folder_pipes_and_devices_are_refused_by_export() {
    for (kind, reason) in [
        ("link", "it is a symbolic link that leads out of the results folder"),
        ("device", "it is a symbolic link that leads out of the results folder"),
        ("pipe", "it is not a regular file"),
    ] {
        for name in ["scene.toml", "log.csv", "frames/frame_000001.vtp"] {
            let folder = folder();
            write_run(folder.path());
            foreign(folder.path(), &folder.path().join("parting.run").join(name), kind);
            let output = promptly(folder.path(), &["export", "parting.run", "--html", "page.html"]);
            assert_ends(&output, 0);
            let report = text(&output.stderr);
            let sentence = format!("warning: parting.run/{name} cannot be read: {reason}\n");
            assert!(report.contains(&sentence), "{report}");
            let page = fs::read_to_string(folder.path().join("page.html")).unwrap();
            assert!(!report.contains("secret") && !page.contains("secret"), "{report}");
        }
    }
    let folder = folder();
    write_run(folder.path());
    foreign(folder.path(), &folder.path().join("parting.run/frames"), "folder");
    let sentence = "parting.run/frames cannot be read: it is a symbolic link that leads out of the results folder";
    assert_refused(folder.path(), &["export", "parting.run", "--html", "page.html"], sentence);
    assert_refused(folder.path(), &["view", "parting.run", "--no-browser"], sentence);
}

#[test]
fn links_out_of_the_folder_pipes_and_devices_are_refused_by_a_resumed_run() {
    for (kind, reason) in [
        ("link", "it is a symbolic link that leads out of the results folder"),
        ("device", "it is a symbolic link that leads out of the results folder"),
        ("pipe", "it is not a regular file"),
    ] {
        for name in [
            "scene.toml",
            "log.csv",
            "checkpoint.bin",
            "frames/frame_000000.vtp",
            "frames/frames.pvd",
            ".carom.lock",
        ] {
            let folder = folder();
            write_run(folder.path());
            foreign(folder.path(), &folder.path().join("parting.run").join(name), kind);
            let arguments = ["run", "--out", "parting.run", "--resume", "--until", "20"];
            let output = promptly(folder.path(), &arguments);
            assert_ends(&output, 2);
            let report = text(&output.stderr);
            let sentence = format!("error: parting.run/{name} cannot be read: {reason}\n");
            // What is about to be written is refused before anything is read.
            let written =
                format!("error: parting.run has a symbolic link {name} where results are written");
            assert!(report == sentence || report.starts_with(&written), "{name}: {report}");
            assert_eq!(report.lines().count(), 1, "{report}");
        }
    }
}

/// A sphere above a triangle of a file.
const FLOOR: &str = "engine = 'dem'\ndimension = 3\nuntil = 0.02\nbox = { size = 4, boundary = 'open' }\n\
    output.interval = 0.01\n\
    [[walls]] # of glass\nkind = 'mesh'\nfile = 'floor.off'\n\
    [[bodies]]\nfile = 'grains.csv'\n";

fn write_floor(folder: &Path) {
    let mesh = "OFF\n3 1 0\n0 0 0\n4 0 0\n0 4 0\n3 0 1 2\n";
    fs::write(folder.join("floor.off"), mesh).unwrap();
    fs::write(folder.join("grains.csv"), "x,y,z,r,vx,vy,vz\n1,1,1,0.25,0,0,-1\n").unwrap();
    fs::write(folder.join("floor.toml"), FLOOR).unwrap();
    assert_ends(&carom(folder, &["run", "floor.toml"]), 0);
}

#[test]
fn a_results_folder_has_all_that_its_scene_names() {
    let folder = folder();
    write_floor(folder.path());
    let scene = fs::read_to_string(folder.path().join("floor.run/scene.toml")).unwrap();
    assert!(scene.contains("[[walls]] # of glass") && scene.contains("\"inputs/floor-"), "{scene}");
    assert!(scene.contains("\"inputs/grains-"), "{scene}");
    // On another machine the files are not where they were.
    for name in ["floor.toml", "floor.off", "grains.csv"] {
        fs::remove_file(folder.path().join(name)).unwrap();
    }
    fs::rename(folder.path().join("floor.run"), folder.path().join("moved")).unwrap();
    let output = carom(folder.path(), &["export", "moved", "--html", "page.html"]);
    assert_ends(&output, 0);
    assert!(!text(&output.stderr).contains("warning"), "{}", text(&output.stderr));
    let resumed = carom(folder.path(), &["run", "--out", "moved", "--resume", "--until", "0.04"]);
    assert_ends(&resumed, 0);
    let after = fs::read_to_string(folder.path().join("moved/scene.toml")).unwrap();
    assert_eq!(after, scene.replace("until = 0.02", "until = 0.04"));
    assert_eq!(fs::read_dir(folder.path().join("moved/inputs")).unwrap().count(), 2);
    assert_ends(&carom(folder.path(), &["run", "moved/scene.toml", "--out", "again"]), 0);
}

#[test]
fn files_outside_that_a_foreign_scene_names_are_not_read() {
    let folder = folder();
    write_floor(folder.path());
    let path = folder.path().join("floor.run/scene.toml");
    let scene = fs::read_to_string(&path).unwrap();
    let secret = folder.path().join("secret.off");
    fs::write(&secret, "OFF\n1 1 0\nxyzzy 0 0\n").unwrap();
    symlink(&secret, folder.path().join("floor.run/link.off")).unwrap();
    let line = scene.lines().position(|line| line.starts_with("file = \"inputs/floor-")).unwrap();
    for file in ["link.off", "../secret.off", secret.to_str().unwrap()] {
        let named: Vec<String> = (scene.lines().enumerate())
            .map(|(index, text)| match index == line {
                true => format!("file = '{file}'"),
                false => text.to_owned(),
            })
            .collect();
        fs::write(&path, named.join("\n")).unwrap();
        let rule = "the scene of a results folder may name no file outside of it; copy the file there, or give the \
                    scene that was run";
        let arguments = ["export", "floor.run", "--html", "page.html"];
        let output = carom(folder.path(), &arguments);
        assert_ends(&output, 0);
        let report = text(&output.stderr);
        let place = format!("warning: floor.run/scene.toml:{}: walls.0.file is ", line + 1);
        assert!(report.contains(&place) && report.contains(rule), "{report}");
        let page = fs::read_to_string(folder.path().join("page.html")).unwrap();
        assert!(!report.contains("xyzzy") && !page.contains("xyzzy"));
        let output = carom(folder.path(), &["run", "--out", "floor.run", "--resume"]);
        assert_ends(&output, 2);
        let report = text(&output.stderr);
        assert!(report.contains(rule) && !report.contains("xyzzy"), "{report}");
        assert_eq!(report.lines().count(), 1);
        // Nor are they when other mistakes of the scene are looked for.
        fs::write(&path, named.join("\n").replace("seed = 1", "sede = 1")).unwrap();
        let output = carom(folder.path(), &["run", "--out", "floor.run", "--resume"]);
        assert_ends(&output, 2);
        let report = text(&output.stderr);
        assert!(report.contains("sede") && !report.contains("xyzzy"), "{report}");
    }
    // The scene that was run may name what it likes.
    let own = ["run", "floor.toml", "--resume", "--until", "0.03"];
    assert_ends(&carom(folder.path(), &own), 0);
    assert!(fs::read_to_string(&path).unwrap().contains("\"inputs/floor-"));
}
