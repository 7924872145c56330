//! Names that are no text, names that command a terminal, and pipes under the names of results.

use crate::program::{assert_ends, carom, folder, text};
use crate::scenes::PARTING;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Command, Output};

fn with(folder: &Path, arguments: &[&OsStr]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
    command.args(arguments).current_dir(folder).output().unwrap()
}

#[test]
fn names_of_files_need_not_be_text() {
    let folder = folder();
    let path = |bytes: &'static [u8]| OsStr::from_bytes(bytes);
    let put = |bytes: &'static [u8], content: &str| {
        fs::write(folder.path().join(path(bytes)), content).unwrap();
    };
    put(b"p\xff.csv", "x,y,z,r\n0,0,0,1\n1,0,0,1\n5,5,5,1\n7,9,5,1\n9,2,1,1\n");
    put(b"s\xff.toml", PARTING);
    put(
        b"m\xff.off",
        "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n",
    );
    let (points, scene, mesh) = (path(b"p\xff.csv"), path(b"s\xff.toml"), path(b"m\xff.off"));
    let out = path(b"o\xff.csv");
    let calls: [&[&OsStr]; 8] = [
        &["contacts".as_ref(), points, "--out".as_ref(), out],
        &["triangulate".as_ref(), points],
        &["inside".as_ref(), mesh, points],
        &["distance".as_ref(), mesh, mesh],
        &["check".as_ref(), mesh],
        &["check".as_ref(), scene],
        &["run".as_ref(), scene],
        &[
            "generate".as_ref(),
            "particles".as_ref(),
            "--out".as_ref(),
            out,
            "--count".as_ref(),
            "9".as_ref(),
        ],
    ];
    for arguments in calls {
        let output = with(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?} {}", text(&output.stderr));
    }
    assert!(folder.path().join(path(b"s\xff.run")).is_dir() && folder.path().join(out).is_file());
    let output = with(folder.path(), &["contacts".as_ref(), path(b"none\xff.csv")]);
    let sentence = "error: none\u{fffd}.csv cannot be read: there is no such file\n";
    assert_eq!(text(&output.stderr), sentence);
    assert_ends(&output, 2);
}

#[test]
fn no_name_commands_the_terminal() {
    let folder = folder();
    fs::write(folder.path().join("apart.toml"), PARTING).unwrap();
    let red = "r\u{1b}[31m";
    let frame = format!("1\nProperties=species:S:1:pos:R:3:radius:R:1:{red}:R:1\nH 1 2 3 .5 1\n");
    fs::write(folder.path().join("red.xyz"), frame).unwrap();
    let scene = "engine = 'event-driven'\ndimension = 3\nuntil = 1\nbox.size = 9\n[[bodies]]\nfile = 'red.xyz'\n";
    fs::write(folder.path().join("red.toml"), scene).unwrap();
    for arguments in [
        &["run", "apart.toml", "--out", red][..],
        &["run", "apart.toml", "--out", red],
        &["check", "red.toml"],
        &["contacts", red],
        &["check", red],
        &["contacts", "case:3B", "--method", red],
        &["run", "apart.toml", "--set", red],
        &["view", "missing\u{1b}[31m"],
        &["export", red, "--html", "page.html"],
    ] {
        let output = carom(folder.path(), arguments);
        let report = [output.stdout, output.stderr].concat();
        assert!(!report.contains(&0x1b), "{arguments:?}: {}", text(&report));
    }
}

#[test]
fn pipes_in_place_of_results_are_refused_and_a_scene_may_come_by_one() {
    let folder = folder();
    fs::write(folder.path().join("apart.toml"), PARTING).unwrap();
    let script = "\"$0\" run /dev/stdin --out a.run -q < apart.toml && cat apart.toml | \"$0\" run /dev/stdin --out b.run -q";
    let shell = |script: &str| {
        let mut command = Command::new("sh");
        command.args(["-c", script, env!("CARGO_BIN_EXE_carom")]).current_dir(folder.path());
        command.output().unwrap()
    };
    assert_ends(&shell(script), 0);
    for name in ["checkpoint.bin", "scene.toml", "log.csv"] {
        let put = format!("rm -rf p.run; cp -r a.run p.run; rm p.run/{name}; mkfifo p.run/{name}");
        assert_ends(&shell(&put), 0);
        let resume = "timeout 20 \"$0\" run --out p.run --resume --until 99";
        let output = shell(resume);
        assert_ends(&output, 2);
        let sentence = format!("error: p.run/{name} cannot be read: it is not a regular file\n");
        assert_eq!(text(&output.stderr), sentence);
        let again = shell("timeout 20 \"$0\" run apart.toml --out p.run");
        assert_ends(&again, 2);
    }
}
