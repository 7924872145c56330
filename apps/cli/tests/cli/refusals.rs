//! What `carom run` and `carom check` refuse, and what stays as it was.

use crate::program::{assert_ends, assert_refused, carom, folder, text};
use crate::results::contents;
use crate::scenes::{GAS, write_gas};
use std::fs;

#[test]
fn results_are_never_overwritten_unasked() {
    let folder = folder();
    write_gas(folder.path());
    let short = ["run", "gas.toml", "-q", "--set", "collisions=100"];
    let with = |more: &[&str]| -> Vec<String> {
        short.iter().chain(more).map(|&it| it.to_owned()).collect()
    };
    let run = |more: &[&str]| {
        let arguments = with(more);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        carom(folder.path(), &arguments)
    };
    assert_ends(&run(&[]), 0);
    let before = contents(&folder.path().join("gas.run"));
    assert_refused(
        folder.path(),
        &short,
        "gas.run holds results of this scene; continue them by --resume, name another folder by \
         --out, or replace them by --force",
    );
    let other = run(&["--set", "seed=5"]);
    assert_ends(&other, 2);
    assert!(
        text(&other.stderr).starts_with(
            "error: gas.run holds results of another scene: seed is 5 here and 1 there;"
        )
    );
    let other = run(&["--set", "seed=5", "--resume"]);
    assert_ends(&other, 2);
    let report = text(&other.stderr);
    let part = "gas.run/checkpoint.bin belongs to another scene: seed is 5 here and 1 there;";
    assert!(report.contains(part), "{report}");
    let other = run(&["--set", "output.log_collisions=7", "--resume"]);
    let report = text(&other.stderr);
    let part = "output.log_collisions is 7 here, and there log_collisions = 1;";
    assert!(report.contains(part), "{report}");
    let none = run(&["--resume", "--out", "nowhere"]);
    assert_ends(&none, 2);
    assert!(text(&none.stderr).contains("nowhere holds no checkpoint to continue from"));
    assert!(!folder.path().join("nowhere").exists());
    assert!(before == contents(&folder.path().join("gas.run")));
    assert_ends(&run(&["--set", "seed=5", "--force"]), 0);
    assert!(before != contents(&folder.path().join("gas.run")));
    // A folder with other things in it is welcome, and they stay.
    fs::create_dir(folder.path().join("mine")).unwrap();
    fs::write(folder.path().join("mine/notes.txt"), "precious").unwrap();
    assert_ends(&run(&["--out", "mine", "--force"]), 0);
    assert_eq!(fs::read_to_string(folder.path().join("mine/notes.txt")).unwrap(), "precious");
}

#[test]
fn the_scene_itself_is_never_replaced() {
    let folder = folder();
    fs::create_dir(folder.path().join("work")).unwrap();
    let scene = folder.path().join("work/scene.toml");
    fs::write(&scene, GAS).unwrap();
    for more in [&[][..], &["--force"]] {
        let arguments = ["run", "work/scene.toml", "--out", "work"];
        let arguments: Vec<&str> = arguments.iter().chain(more).copied().collect();
        assert_refused(
            folder.path(),
            &arguments,
            "work holds the scene itself as scene.toml, which the results would replace; name \
             another folder by --out",
        );
        assert_eq!(fs::read_to_string(&scene).unwrap(), GAS);
    }
    // Of another scene in that folder it is not said that it holds results.
    write_gas(folder.path());
    assert_refused(
        folder.path(),
        &["run", "gas.toml", "--out", "work"],
        "work has a file scene.toml but no checkpoint of a run; name another folder by --out, or \
         replace the file by --force",
    );
    assert_eq!(fs::read_to_string(&scene).unwrap(), GAS);
}

#[test]
fn damaged_and_foreign_checkpoints_are_refused() {
    let folder = folder();
    write_gas(folder.path());
    let run = ["run", "gas.toml", "-q", "--set", "collisions=100"];
    assert_ends(&carom(folder.path(), &run), 0);
    let path = folder.path().join("gas.run/checkpoint.bin");
    let whole = fs::read(&path).unwrap();
    let resume: Vec<&str> = run.iter().copied().chain(["--resume"]).collect();
    fs::remove_file(folder.path().join("gas.run/checkpoint.previous.bin")).unwrap();
    let refused = |bytes: &[u8], part: &str| {
        fs::write(&path, bytes).unwrap();
        let output = carom(folder.path(), &resume);
        assert_ends(&output, 2);
        let report = text(&output.stderr);
        let sentence = format!("error: gas.run/checkpoint.bin {part}");
        assert!(report.starts_with(&sentence) && report.lines().count() == 1, "{report}");
    };
    refused(b"", "is empty and no checkpoint");
    refused(b"something else", "is not a checkpoint of carom");
    refused(&whole[..whole.len() / 2], "is cut short");
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 1;
    refused(&damaged, "is damaged");
    fs::write(&path, &whole).unwrap();
    fs::write(folder.path().join("gas.run/log.csv"), "other,columns\n").unwrap();
    let output = carom(folder.path(), &resume);
    assert!(text(&output.stderr).contains("log.csv starts with"), "{}", text(&output.stderr));
    assert_ends(&output, 2);
}

#[test]
fn a_lost_frame_is_reported_before_anything_goes_on() {
    let folder = folder();
    write_gas(folder.path());
    assert_ends(&carom(folder.path(), &["run", "gas.toml", "-q", "--until", "2"]), 0);
    fs::remove_file(folder.path().join("gas.run/frames/frame_000001.vtp")).unwrap();
    assert_refused(
        folder.path(),
        &["run", "--out", "gas.run", "--resume", "--until", "3"],
        "gas.run/frames/frame_000001.vtp is not there, and the checkpoint counts 3 frames; put it \
         back, or continue in another folder by --resume --new-folder",
    );
}

#[test]
fn bad_scenes_are_refused_in_one_sentence() {
    let folder = folder();
    let two = |first: &str, second: &str, more: &str| {
        format!(
            "engine = 'event-driven'\ndimension = 2\nuntil = 1.0\n{more}\n[box]\nsize = 10\n\
             boundary = 'wall'\n[[bodies]]\n{first}\n[[bodies]]\n{second}\n"
        )
    };
    let (good, far) = ("position = [2, 2]\nradius = 0.5", "position = [7, 7]\nradius = 0.5");
    let one = |body: &str| {
        let scene = two(body, far, "");
        scene[..scene.rfind("[[bodies]]").unwrap()].to_owned()
    };
    let near = "position = [2.5, 2]\nradius = 0.5";
    let table = [
        (two(good, near, ""), "bodies 0 and 1 overlap by 0.5"),
        (two(good, "position = [9.9, 2]\nradius = 0.5", ""), "completely between the walls"),
        (two(good, "position = [7, 7]\nradius = -1", ""), "radius is -1; a radius must be finite"),
        (two(good, far, "materials.default.restitution = 1.5"), "must lie between 0 and 1"),
        (two(good, far, "untill = 3"), "until"),
        (two(good, far, "engine = 'dem'"), "duplicate key"),
        (one(good).replace("event-driven", "bonded"), "has [[solids]] instead"),
        (two(good, far, "").replace("'wall'", "'periodic'").replace("= 10", "= 1.5"), "period"),
        (two(good, far, "").replace("until = 1.0", ""), "never ends"),
        ("not toml".to_owned(), "bad.toml:1"),
        (two(good, far, "").replace("engine = 'event-driven'", ""), "no \"engine\"; add it"),
    ];
    for (scene, part) in table {
        fs::write(folder.path().join("bad.toml"), &scene).unwrap();
        for command in ["run", "check"] {
            let output = carom(folder.path(), &[command, "bad.toml"]);
            let report = text(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{scene}\n{report}");
            assert!(report.starts_with("error: bad.toml") && report.contains(part), "{report}");
            assert_eq!(report.lines().count(), 1, "{report}");
            assert!(!folder.path().join("bad.run").exists());
        }
    }
    // An empty file lacks several things, and each has a sentence.
    fs::write(folder.path().join("bad.toml"), "").unwrap();
    let report = text(&carom(folder.path(), &["check", "bad.toml"]).stderr);
    for missing in ["engine", "dimension", "size"] {
        let is_named = |line: &str| line.starts_with("error: bad.toml") && line.contains(missing);
        assert!(report.lines().any(is_named), "{missing}: {report}");
    }
    let refused = |arguments: &[&str], sentence: &str| {
        assert_refused(folder.path(), arguments, sentence);
    };
    refused(&["run", "none.toml"], "none.toml cannot be read: there is no such file");
    refused(
        &["run", "--max-walltime", "soon"],
        "--max-walltime is \"soon\"; it must be a time such as 10s, 5min or 2h",
    );
    refused(&["run", "--until", "soon"], "--until is \"soon\"; it must be a time from 0 to 1e100");
}

#[test]
fn the_engine_names_the_scene_that_it_refuses() {
    let folder = folder();
    let scene = "engine = 'event-driven'\ndimension = 2\nuntil = 1.0\nbox.size = 4\n\
        [[bodies]]\nposition = [1, 1]\nvelocity = [1, 0]\nradius = 0.5\n";
    fs::write(folder.path().join("few.toml"), scene).unwrap();
    for command in ["run", "check"] {
        let grid = ["few.toml", "--set", "neighbors.method=cell-grid"];
        let grid: Vec<&str> = [command].into_iter().chain(grid).collect();
        let output = carom(folder.path(), &grid);
        let report = text(&output.stderr);
        assert!(report.starts_with("error: few.toml: the box is"), "{report}");
        assert_ends(&output, 2);
    }
}

#[test]
fn more_frames_than_a_disk_can_hold_are_refused() {
    let folder = folder();
    write_gas(folder.path());
    let sentence = "gas.toml: output.interval is 1e-12, which would give about 5.0e11 frames; at \
        most 1e7 are written: take a longer interval";
    for command in ["check", "run"] {
        let set = ["gas.toml", "--set", "output.interval=1e-12", "--set", "until=0.5"];
        let arguments: Vec<&str> = [command].into_iter().chain(set).collect();
        assert_refused(folder.path(), &arguments, sentence);
        assert!(!folder.path().join("gas.run").exists());
    }
    for (setting, part) in [
        ("output.interval=1e-7", "about 5.0e6 frames will be written; is output.interval meant"),
        ("output.log_interval=1e-9", "about 5.0e8 rows of the log will be written; is output.log_"),
    ] {
        let warned =
            carom(folder.path(), &["check", "gas.toml", "--set", setting, "--set", "until=0.5"]);
        assert!(text(&warned.stdout).contains(part), "{}", text(&warned.stdout));
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_reported_in_one_sentence() {
    let folder = folder();
    write_gas(folder.path());
    fs::write(folder.path().join("file"), "").unwrap();
    for command in [["run", "gas.toml"], ["gallery", "gas.toml"], ["reproduce", "001"]] {
        let arguments = [&command[..], &["--out", "file"]].concat();
        assert_refused(folder.path(), &arguments, "file is a file; name a folder by --out");
    }
    assert_refused(
        folder.path(),
        &["run", "gas.toml", "--out", "file/run"],
        "file/run cannot be written: a part of its path is not a folder",
    );
}

#[test]
fn all_mistakes_of_a_scene_are_reported_a_line_each() {
    let folder = folder();
    let bad = GAS.replace("restitution = 0.99", "restitution = 1.99").replace("300", "-3");
    fs::write(folder.path().join("bad.toml"), bad).unwrap();
    for command in ["check", "run"] {
        assert_refused(
            folder.path(),
            &[command, "bad.toml"],
            "bad.toml:6: materials.default.restitution is 1.99; a restitution must lie between 0 and 1\n\
             error: bad.toml:10: generate.0.count is -3; it must be a whole number from 1 to \
             9223372036854775807",
        );
    }
}

#[test]
fn frames_alone_are_results_too() {
    let folder = folder();
    write_gas(folder.path());
    let frame = folder.path().join("old/frames/frame_000003.xyz");
    fs::create_dir_all(frame.parent().unwrap()).unwrap();
    fs::write(&frame, "of a run").unwrap();
    let run = ["run", "gas.toml", "--out", "old", "-q", "--set", "collisions=100"];
    assert_refused(
        folder.path(),
        &run,
        "old holds frames of a run but no checkpoint; name another folder by --out, or replace them by \
         --force",
    );
    assert_eq!(fs::read(&frame).unwrap(), b"of a run");
    assert_ends(&carom(folder.path(), &[&run[..], &["--force"]].concat()), 0);
    assert!(!frame.exists());
}

#[cfg(unix)]
#[test]
fn links_in_the_folder_of_results_are_not_followed() {
    use std::os::unix::fs::symlink;
    let folder = folder();
    write_gas(folder.path());
    fs::write(folder.path().join("precious"), "kept").unwrap();
    fs::create_dir(folder.path().join("elsewhere")).unwrap();
    for (index, name) in [
        "log.csv",
        "scene.toml",
        "checkpoint.bin",
        "picture.png",
        ".carom.lock",
        "frames/frames.pvd",
    ]
    .into_iter()
    .enumerate()
    {
        let out = format!("run{index}");
        let link = folder.path().join(&out).join(name);
        fs::create_dir_all(link.parent().unwrap()).unwrap();
        symlink(folder.path().join("precious"), &link).unwrap();
        let sentence = format!(
            "{out} has a symbolic link {name} where results are written, and links are not followed; \
             remove the link, or name another folder by --out"
        );
        assert_refused(folder.path(), &["run", "gas.toml", "--out", &out, "--force"], &sentence);
        assert_eq!(fs::read(folder.path().join("precious")).unwrap(), b"kept");
    }
    let run = ["run", "gas.toml", "--out", "linked", "-q", "--set", "collisions=100"];
    fs::create_dir(folder.path().join("linked")).unwrap();
    symlink(folder.path().join("elsewhere"), folder.path().join("linked/frames")).unwrap();
    let output = carom(folder.path(), &run);
    assert_ends(&output, 2);
    assert!(
        text(&output.stderr).contains("symbolic link frames where"),
        "{}",
        text(&output.stderr)
    );
    assert_eq!(fs::read_dir(folder.path().join("elsewhere")).unwrap().count(), 0);
    // The folder itself may be one: its owner has chosen it.
    fs::remove_file(folder.path().join("linked/frames")).unwrap();
    symlink(folder.path().join("linked"), folder.path().join("scratch")).unwrap();
    let scratch: Vec<&str> =
        run.iter().map(|it| if *it == "linked" { "scratch" } else { it }).collect();
    assert_ends(&carom(folder.path(), &scratch), 0);
}

#[test]
fn options_that_contradict_each_other_are_refused_in_one_sentence() {
    let folder = folder();
    for (options, sentence) in [
        (
            &["--resume", "--force"][..],
            "--resume keeps the results in the folder and --force replaces them; give one of them",
        ),
        (
            &["--resume", "--from", "other.run"],
            "--resume has its bodies from the checkpoint in --out and --from has them from another run; give one of \
             them",
        ),
        (
            &["--new-folder", "new"],
            "--new-folder is where a run continues; give --resume too, or name the folder by --out",
        ),
    ] {
        assert_refused(folder.path(), &[&["run", "gas.toml"], options].concat(), sentence);
    }
}
