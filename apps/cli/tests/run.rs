//! `carom run`, `carom check` and `carom schema` as their users meet them.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    command
}

fn carom(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().expect("the program starts")
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder for the test")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("output is text")
}

fn assert_ends(output: &Output, code: i32) {
    assert_eq!(output.status.code(), Some(code), "{}", text(&output.stderr));
}

/// Asserts this exit code, nothing on standard output, and exactly this one sentence.
fn assert_refused(folder: &Path, arguments: &[&str], code: i32, sentence: &str) {
    let output = carom(folder, arguments);
    assert_eq!(text(&output.stderr), format!("error: {sentence}\n"), "{arguments:?}");
    assert_ends(&output, code);
    assert!(output.stdout.is_empty(), "{arguments:?}");
}

fn scenes() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes")
}

const GAS: &str = r#"engine = "events"
dimension = 2
collisions = 20_000

[materials.default]
restitution = 0.99

[[generate]]
kind = "random"
count = 300
radius = { min = 0.3, max = 0.5 }
packing_fraction = 0.4
temperature = 1.0

[observe]
mean_square_displacement = true
radial_distribution = { to = 3.0, bins = 60 }

[output]
interval = 1.0
formats = ["vtk", "xyz"]
"#;

fn write_gas(folder: &Path) {
    fs::write(folder.join("gas.toml"), GAS).unwrap();
}

/// Every file below a folder but the one with times in it.
fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(
                contents(&path)
                    .into_iter()
                    .map(|(name, bytes)| (Path::new(path.file_name().unwrap()).join(name), bytes)),
            );
        } else if !path.ends_with("summary.json") {
            files.insert(path.file_name().unwrap().into(), fs::read(&path).unwrap());
        }
    }
    files
}

fn assert_same_results(left: &Path, right: &Path) {
    let (left, right) = (contents(left), contents(right));
    let names = |files: &BTreeMap<PathBuf, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&left), names(&right));
    for (name, bytes) in &left {
        assert!(*bytes == right[name], "{} differs", name.display());
    }
}

#[test]
fn a_run_leaves_all_its_results() {
    let folder = folder();
    write_gas(folder.path());
    let output = carom(folder.path(), &["run", "gas.toml", "--check"]);
    assert_ends(&output, 0);
    let told = text(&output.stdout);
    for part in ["300 discs", "20,000", "PV/NkT", "smallest gap", "gas.run/picture.png"] {
        assert!(told.contains(part), "{told}");
    }
    let results = folder.path().join("gas.run");
    for name in ["scene.toml", "checkpoint.bin", "frames/frames.pvd", "frames/frame_000001.xyz"] {
        assert!(results.join(name).exists(), "{name}");
    }
    assert!(fs::read(results.join("picture.png")).unwrap().starts_with(b"\x89PNG"));
    let log = fs::read_to_string(results.join("log.csv")).unwrap();
    assert!(log.starts_with("time,collisions,kinetic_energy"));
    assert_eq!(log.lines().count(), 102, "a header and a hundred and one rows");
    let distribution = fs::read_to_string(results.join("radial_distribution.csv")).unwrap();
    assert_eq!(distribution.lines().count(), 61);
    let far: f64 = distribution.lines().last().unwrap().split(',').nth(1).unwrap().parse().unwrap();
    assert!((far - 1.0).abs() < 0.1, "{far}");
    let summary = fs::read(results.join("summary.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_slice(&summary).unwrap();
    assert_eq!((&summary["collisions"], &summary["finished"]), (&20_000.into(), &true.into()));
    // What it wrote as scene runs again.
    let again = carom(folder.path(), &["run", "gas.run/scene.toml", "--out", "again", "-q"]);
    assert_ends(&again, 0);
    assert!(again.stdout.is_empty());
    assert_same_results(&results, &folder.path().join("again"));
}

#[test]
fn a_run_stopped_again_and_again_gives_the_same_files() {
    let folder = folder();
    write_gas(folder.path());
    let uncut = ["run", "gas.toml", "--out", "uncut", "--json"];
    let output = carom(folder.path(), &uncut);
    assert_ends(&output, 0);
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["ending"], "collisions");
    assert!(summary["seconds"]["measuring"].as_f64().unwrap() > 0.0, "{summary}");
    let mut stops = 0;
    loop {
        // Longer and longer, so that it comes to an end on any machine.
        let limit = format!("{}ms", 5 * stops);
        let mut arguments = vec!["run", "gas.toml", "--out", "cut", "--max-walltime", &limit];
        arguments.extend((stops > 0).then_some("--resume"));
        let output = carom(folder.path(), &arguments);
        if output.status.code() == Some(0) {
            break;
        }
        assert_ends(&output, 3);
        let told = text(&output.stderr);
        assert!(told.contains("stopped by --max-walltime with a checkpoint"), "{told}");
        stops += 1;
        // What a kill may leave behind the checkpoint.
        let log = folder.path().join("cut/log.csv");
        let mut rows = fs::read_to_string(&log).unwrap();
        rows.push_str("1,2,half a r");
        fs::write(&log, rows).unwrap();
        fs::write(folder.path().join("cut/frames/frame_000999.vtp"), "later").unwrap();
    }
    assert!(stops > 3, "stopped {stops} times");
    assert_same_results(&folder.path().join("uncut"), &folder.path().join("cut"));
}

#[test]
fn a_finished_run_can_be_made_longer() {
    let folder = folder();
    write_gas(folder.path());
    let run = |arguments: &[&str]| {
        let arguments: Vec<&str> = ["run", "-q"].iter().chain(arguments).copied().collect();
        assert_ends(&carom(folder.path(), &arguments), 0);
    };
    let pace = "output.log_interval=0.3";
    run(&["gas.toml", "--set", pace, "--until", "5", "--out", "long"]);
    run(&["gas.toml", "--set", pace, "--until", "2", "--out", "short"]);
    run(&["--resume", "--until", "5", "--out", "short"]);
    let (long, short) = (folder.path().join("long"), folder.path().join("short"));
    assert_same_results(&long, &short);
    // With nothing left to do, nothing changes.
    run(&["--resume", "--out", "short"]);
    let again = carom(folder.path(), &["run", "--resume", "--out", "short"]);
    assert_eq!(
        text(&again.stderr),
        "nothing was left to do: the run ended at the time asked for\n"
    );
    assert_same_results(&long, &short);
}

#[test]
fn the_scene_as_run_runs_again_to_the_bit_after_an_extension() {
    let folder = folder();
    write_gas(folder.path());
    let run = |arguments: &[&str]| {
        let arguments: Vec<&str> = ["run", "-q"].iter().chain(arguments).copied().collect();
        assert_ends(&carom(folder.path(), &arguments), 0);
    };
    for (short, long) in [("until=1", "until=2"), ("collisions=300", "collisions=700")] {
        run(&["gas.toml", "--set", short, "--out", "short", "--force"]);
        run(&["--resume", "--set", long, "--out", "short"]);
        run(&["short/scene.toml", "--out", "again", "--force"]);
        assert_same_results(&folder.path().join("short"), &folder.path().join("again"));
    }
}

#[test]
fn a_frame_of_one_run_starts_another() {
    let folder = folder();
    write_gas(folder.path());
    let run = ["run", "gas.toml", "-q", "--until", "1", "--set", "materials.default.density=2"];
    assert_ends(&carom(folder.path(), &run), 0);
    let scene = "engine = 'events'\ndimension = 2\nuntil = 1.0\n\
        [[bodies]]\nfile = 'gas.run/frames/frame_000001.xyz'\n";
    fs::write(folder.path().join("next.toml"), scene).unwrap();
    let output = carom(folder.path(), &["run", "next.toml", "--json"]);
    assert_ends(&output, 0);
    let first = |run: &str, row: usize| {
        let log = fs::read_to_string(folder.path().join(run).join("log.csv")).unwrap();
        let row: Vec<f64> =
            log.lines().nth(row).unwrap().split(',').map(|it| it.parse().unwrap()).collect();
        (row[2], row[9])
    };
    let (next, before) = (first("next.run", 1), first("gas.run", 101));
    assert!((next.0 / before.0 - 1.0).abs() < 1e-12, "{next:?} {before:?}");
    assert!((next.1 / before.1 - 1.0).abs() < 1e-12, "{next:?} {before:?}");
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
        assert_refused(folder.path(), &arguments, 2, sentence);
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

/// A run that has begun and has far to go.
fn long_run(folder: &Path) -> Child {
    write_gas(folder);
    let arguments = ["run", "gas.toml", "--set", "collisions=1000000000", "--set"];
    let arguments: Vec<&str> =
        arguments.into_iter().chain(["output.checkpoint_interval=1"]).collect();
    let mut command = command(folder, &arguments);
    let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let (log, start) = (folder.join("gas.run/frames/frame_000001.xyz"), Instant::now());
    while !log.exists() {
        assert!(start.elapsed() < Duration::from_secs(60), "the run does not begin");
        std::thread::sleep(Duration::from_millis(5));
    }
    child
}

#[cfg(unix)]
#[test]
fn a_signal_writes_a_checkpoint_that_goes_on() {
    for signal in ["-INT", "-TERM"] {
        let folder = folder();
        let child = long_run(folder.path());
        Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        let output = child.wait_with_output().unwrap();
        assert_ends(&output, 3);
        assert!(text(&output.stderr).contains("stopped by a signal with a checkpoint"));
        let summary = fs::read_to_string(folder.path().join("gas.run/summary.json")).unwrap();
        assert!(summary.contains("\"finished\": false"), "{summary}");
        let resume = ["run", "--out", "gas.run", "--resume", "--max-walltime", "0"];
        assert_ends(&carom(folder.path(), &resume), 3);
    }
}

#[cfg(unix)]
#[test]
fn a_killed_run_goes_on_as_if_nothing_had_been() {
    let folder = folder();
    let mut child = long_run(folder.path());
    std::thread::sleep(Duration::from_millis(1300));
    child.kill().unwrap();
    child.wait().unwrap();
    // Frames come at whole times; some are written after the last checkpoint.
    let frames = fs::read_dir(folder.path().join("gas.run/frames")).unwrap().count() / 2;
    let until = format!("until={frames}");
    let setting = "collisions=1000000000";
    let resume = ["run", "gas.toml", "--resume", "-q", "--set", setting, "--set", &until];
    assert_ends(&carom(folder.path(), &resume), 0);
    let uncut = ["run", "gas.toml", "--out", "uncut", "-q", "--set", setting, "--set", &until];
    assert_ends(&carom(folder.path(), &uncut), 0);
    let frames = |run: &str| contents(&folder.path().join(run).join("frames"));
    assert!(frames("gas.run") == frames("uncut"));
    let leftovers = contents(&folder.path().join("gas.run"));
    assert!(leftovers.keys().all(|name| !name.to_string_lossy().ends_with(".partial")));
}

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
        2,
        "gas.run holds results of this scene; go on with them by --resume, name another folder by \
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
    let told = text(&other.stderr);
    let part = "gas.run/checkpoint.bin belongs to another scene: seed is 5 here and 1 there;";
    assert!(told.contains(part), "{told}");
    let other = run(&["--set", "output.log_collisions=7", "--resume"]);
    let told = text(&other.stderr);
    let part = "output.log_collisions is 7 here, and there log_collisions = 1;";
    assert!(told.contains(part), "{told}");
    let none = run(&["--resume", "--out", "nowhere"]);
    assert_ends(&none, 2);
    assert!(text(&none.stderr).contains("nowhere holds no checkpoint to go on from"));
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
fn damaged_and_foreign_checkpoints_are_refused() {
    let folder = folder();
    write_gas(folder.path());
    let run = ["run", "gas.toml", "-q", "--set", "collisions=100"];
    assert_ends(&carom(folder.path(), &run), 0);
    let path = folder.path().join("gas.run/checkpoint.bin");
    let whole = fs::read(&path).unwrap();
    let resume: Vec<&str> = run.iter().copied().chain(["--resume"]).collect();
    let refused = |bytes: &[u8], part: &str| {
        fs::write(&path, bytes).unwrap();
        let output = carom(folder.path(), &resume);
        assert_ends(&output, 2);
        let told = text(&output.stderr);
        let sentence = format!("error: gas.run/checkpoint.bin {part}");
        assert!(told.starts_with(&sentence) && told.lines().count() == 1, "{told}");
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
fn bad_scenes_are_refused_in_one_sentence() {
    let folder = folder();
    let two = |first: &str, second: &str, more: &str| {
        format!(
            "engine = 'events'\ndimension = 2\nuntil = 1.0\n{more}\n[box]\nsize = 10\n\
             boundary = 'wall'\n[[bodies]]\n{first}\n[[bodies]]\n{second}\n"
        )
    };
    let (good, far) = ("position = [2, 2]\nradius = 0.5", "position = [7, 7]\nradius = 0.5");
    let near = "position = [2.5, 2]\nradius = 0.5";
    let table = [
        (two(good, near, ""), "bodies 0 and 1 overlap by 0.5"),
        (two(good, "position = [9.9, 2]\nradius = 0.5", ""), "wholly between the walls"),
        (two(good, "position = [7, 7]\nradius = -1", ""), "radius is -1; a radius must be finite"),
        (two(good, far, "materials.default.restitution = 1.5"), "must lie between 0 and 1"),
        (two(good, far, "untill = 3"), "until"),
        (two(good, far, "engine = 'steps'"), "duplicate key"),
        (two(good, far, "").replace("events", "steps"), "this engine is not there yet"),
        (two(good, far, "").replace("'wall'", "'periodic'").replace("= 10", "= 1.5"), "period"),
        (two(good, far, "").replace("until = 1.0", ""), "never ends"),
        ("not toml".to_owned(), "bad.toml:1"),
        (String::new(), "engine"),
    ];
    for (scene, part) in table {
        fs::write(folder.path().join("bad.toml"), &scene).unwrap();
        for command in ["run", "check"] {
            let output = carom(folder.path(), &[command, "bad.toml"]);
            let told = text(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{scene}\n{told}");
            assert!(told.starts_with("error: bad.toml") && told.contains(part), "{told}");
            assert_eq!(told.lines().count(), 1, "{told}");
            assert!(!folder.path().join("bad.run").exists());
        }
    }
    let refused = |arguments: &[&str], sentence: &str| {
        assert_refused(folder.path(), arguments, 2, sentence);
    };
    refused(&["run", "none.toml"], "none.toml cannot be read: there is no such file");
    refused(
        &["run", "--max-walltime", "soon"],
        "--max-walltime is \"soon\"; it must be a time such as 10s, 5min or 2h",
    );
    refused(&["run", "--until", "soon"], "--until is \"soon\"; it must be a time from 0 to 1e100");
}

#[test]
fn a_folder_that_cannot_be_written_is_told_in_one_sentence() {
    let folder = folder();
    write_gas(folder.path());
    fs::write(folder.path().join("file"), "").unwrap();
    assert_refused(
        folder.path(),
        &["run", "gas.toml", "--out", "file"],
        2,
        "file is a file; name a folder by --out",
    );
    assert_refused(
        folder.path(),
        &["run", "gas.toml", "--out", "file/run"],
        2,
        "file/run cannot be written: a part of its path is not a folder",
    );
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
            2,
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
        2,
        "work has a file scene.toml but no checkpoint of a run; name another folder by --out, or \
         replace the file by --force",
    );
    assert_eq!(fs::read_to_string(&scene).unwrap(), GAS);
}

#[cfg(unix)]
#[test]
fn a_folder_in_use_is_refused_until_its_run_ends_or_is_killed() {
    let folder = folder();
    let mut child = long_run(folder.path());
    for more in ["--resume", "--force"] {
        let setting = "collisions=1000000000";
        assert_refused(
            folder.path(),
            &["run", "gas.toml", "--set", setting, more, "--max-walltime", "0"],
            2,
            "gas.run is in use by another run; wait until it ends, or name another folder by --out",
        );
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let resume = ["run", "--out", "gas.run", "--resume", "-q", "--max-walltime", "0"];
    assert_ends(&carom(folder.path(), &resume), 3);
}

#[test]
fn the_command_told_at_a_stop_goes_on() {
    let folder = folder();
    write_gas(folder.path());
    let stop = ["run", "gas.toml", "--set", "seed=7", "--until", "2", "--out", "my runs"];
    let stop: Vec<&str> = stop.into_iter().chain(["--max-walltime", "0", "-q"]).collect();
    let output = carom(folder.path(), &stop);
    assert_ends(&output, 3);
    assert_eq!(
        text(&output.stderr),
        "stopped by --max-walltime with a checkpoint; go on with carom run --out 'my runs' \
         --resume\n"
    );
    assert_ends(&carom(folder.path(), &["run", "--out", "my runs", "--resume", "-q"]), 0);
    let summary = fs::read_to_string(folder.path().join("my runs/summary.json")).unwrap();
    assert!(summary.contains("\"time\": 2.0"), "{summary}");
    // An end that is behind it.
    let back = carom(folder.path(), &["run", "--out", "my runs", "--resume", "--until", "1"]);
    assert_ends(&back, 2);
    let told = text(&back.stderr);
    assert!(
        told.contains("my runs/checkpoint.bin is at time 2, beyond the end until = 1;"),
        "{told}"
    );
}

#[test]
fn a_resume_without_scene_and_folder_is_that_of_the_billiard() {
    let folder = folder();
    assert_refused(
        folder.path(),
        &["run", "--resume"],
        2,
        "billiard.run holds no checkpoint to go on from; start the run without --resume",
    );
    let stop = ["run", "-q", "--until", "0.01", "--max-walltime", "0"];
    assert_ends(&carom(folder.path(), &stop), 3);
    assert_ends(&carom(folder.path(), &["run", "--resume", "-q"]), 0);
    let summary = fs::read_to_string(folder.path().join("billiard.run/summary.json")).unwrap();
    assert!(summary.contains("\"time\": 0.01"), "{summary}");
}

#[cfg(unix)]
#[test]
fn a_signal_while_old_results_are_removed_leaves_a_checkpoint() {
    let folder = folder();
    write_gas(folder.path());
    let run = ["run", "gas.toml", "-q", "--set", "collisions=100"];
    assert_ends(&carom(folder.path(), &run), 0);
    let results = folder.path().join("gas.run");
    // So many that removing them takes a while.
    for index in 100..20_000 {
        fs::write(results.join(format!("frames/frame_{index:06}.xyz")), "").unwrap();
    }
    let force = ["run", "gas.toml", "--force", "--set", "collisions=1000000000"];
    let mut command = command(folder.path(), &force);
    let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let start = Instant::now();
    while results.join("checkpoint.bin").exists() && results.join("log.csv").exists() {
        assert!(start.elapsed() < Duration::from_secs(60), "nothing is removed");
    }
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_ends(&output, 3);
    assert!(text(&output.stderr).contains("stopped by a signal with a checkpoint"));
    assert!(results.join("checkpoint.bin").exists());
}

#[cfg(unix)]
#[test]
fn a_signal_ends_the_search_for_random_places() {
    let folder = folder();
    let scene = "engine = 'events'\ndimension = 3\nuntil = 1.0\n[[generate]]\nkind = 'random'\n\
        count = 300_000\nradius = 0.5\npacking_fraction = 0.36\n";
    fs::write(folder.path().join("dense.toml"), scene).unwrap();
    let mut command = command(folder.path(), &["run", "dense.toml"]);
    let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(500));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let start = Instant::now();
    assert_ends(&child.wait_with_output().unwrap(), 3);
    assert!(start.elapsed() < Duration::from_secs(5));
    assert!(!folder.path().join("dense.run").exists());
}

#[test]
fn what_an_earlier_end_has_left_goes_when_the_run_goes_on() {
    let folder = folder();
    write_gas(folder.path());
    assert_ends(&carom(folder.path(), &["run", "gas.toml", "-q", "--until", "1"]), 0);
    let resume = ["run", "--out", "gas.run", "--resume", "--until", "1e6", "-q"];
    let resume: Vec<&str> = resume.into_iter().chain(["--set", "collisions=1000000000"]).collect();
    let stop: Vec<&str> = resume.iter().copied().chain(["--max-walltime", "0"]).collect();
    assert_ends(&carom(folder.path(), &stop), 3);
    for name in ["picture.png", "radial_distribution.csv"] {
        assert!(!folder.path().join("gas.run").join(name).exists(), "{name}");
    }
    let summary = fs::read_to_string(folder.path().join("gas.run/summary.json")).unwrap();
    assert!(summary.contains("\"finished\": false"), "{summary}");
}

#[test]
fn force_leaves_nothing_of_the_run_before() {
    let folder = folder();
    write_gas(folder.path());
    assert_ends(&carom(folder.path(), &["run", "gas.toml", "-q", "--until", "1"]), 0);
    let force = ["run", "gas.toml", "-q", "--until", "0.5", "--force"];
    let none: Vec<&str> = force.into_iter().chain(["--set", "output.formats=[]"]).collect();
    assert_ends(&carom(folder.path(), &none), 0);
    let frames = contents(&folder.path().join("gas.run/frames"));
    assert!(frames.is_empty(), "{:?}", frames.keys());
}

/// A pipe that nobody reads.
#[cfg(unix)]
fn closed() -> Stdio {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    writer.into()
}

#[cfg(unix)]
#[test]
fn a_stopped_run_says_so_by_its_code_though_nobody_listens() {
    let folder = folder();
    write_gas(folder.path());
    let stop = ["run", "gas.toml", "--max-walltime", "0"];
    let mut command = command(folder.path(), &stop);
    assert_eq!(command.stdout(closed()).stderr(closed()).status().unwrap().code(), Some(3));
}

#[cfg(unix)]
#[test]
fn a_failure_keeps_its_code_though_nobody_listens() {
    let folder = folder();
    for arguments in [&["run", "none.toml"][..], &["contacts", "none.csv"], &["man", "none"]] {
        let mut command = command(folder.path(), arguments);
        assert_eq!(command.stderr(closed()).status().unwrap().code(), Some(2), "{arguments:?}");
    }
    let mut command = command(folder.path(), &["contacts", "case:2A:50", "--stats", "--out", "c"]);
    assert_eq!(command.stderr(closed()).status().unwrap().code(), Some(0));
}

/// Two bodies that meet once.
const PARTING: &str = "engine = 'events'\ndimension = 2\ncollisions = 1000\n\
    box = { size = 20, boundary = 'open' }\noutput.interval = 0.5\n\
    [[bodies]]\nposition = [5, 5]\nvelocity = [1, 0]\nradius = 0.5\n\
    [[bodies]]\nposition = [9, 5]\nvelocity = [-1, 0]\nradius = 0.5\n";

/// The program where no file may be larger than so many half kilobytes, which stands for a full disk.
#[cfg(unix)]
fn limited(folder: &Path, blocks: u32, arguments: &[&str]) -> Output {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\"");
    Command::new("sh")
        .args(["-c", &script, "sh", env!("CARGO_BIN_EXE_carom")])
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

#[cfg(unix)]
#[test]
fn a_picture_that_cannot_be_written_does_not_cost_the_figures() {
    let folder = folder();
    fs::write(folder.path().join("apart.toml"), PARTING).unwrap();
    let output = limited(folder.path(), 12, &["run", "apart.toml", "-q"]);
    let told = text(&output.stderr);
    assert!(told.contains("apart.run/picture.png cannot be written"), "{told}");
    assert_ends(&output, 1);
    let summary = fs::read_to_string(folder.path().join("apart.run/summary.json")).unwrap();
    assert!(summary.contains("\"finished\": true"), "{summary}");
}

#[test]
fn bodies_that_fly_apart_end_the_run() {
    let folder = folder();
    fs::write(folder.path().join("apart.toml"), PARTING).unwrap();
    let output = carom(folder.path(), &["run", "apart.toml"]);
    assert_ends(&output, 0);
    assert!(text(&output.stderr).starts_with("warning: all axes are open"));
    let told = text(&output.stdout);
    assert!(told.contains("to time 2; ended because nothing will happen any more"), "{told}");
}

#[test]
fn figures_that_do_not_exist_are_left_out() {
    let folder = folder();
    let scene = "engine = 'events'\ndimension = 2\nuntil = 1.0\nbox.size = 1e6\n\
        [[bodies]]\nposition = [1, 1]\nvelocity = [1e-5, 0]\nradius = 0.5\n";
    fs::write(folder.path().join("one.toml"), scene).unwrap();
    let told = text(&carom(folder.path(), &["run", "one.toml"]).stdout);
    for part in ["NaN", "inf", "0.000000", "smallest gap", "mean free path"] {
        assert!(!told.contains(part), "{part}: {told}");
    }
    for part in ["temperature     5e-11 at the end", "packing         7.85398e-13", "s measuring"] {
        assert!(told.contains(part), "{part}: {told}");
    }
}

#[test]
fn the_engine_names_the_scene_that_it_refuses() {
    let folder = folder();
    let scene = "engine = 'events'\ndimension = 2\nuntil = 1.0\nbox.size = 4\n\
        [[bodies]]\nposition = [1, 1]\nvelocity = [1, 0]\nradius = 0.5\n";
    fs::write(folder.path().join("few.toml"), scene).unwrap();
    for command in ["run", "check"] {
        let grid = ["few.toml", "--set", "neighbours.method=cell-grid"];
        let grid: Vec<&str> = [command].into_iter().chain(grid).collect();
        let output = carom(folder.path(), &grid);
        let told = text(&output.stderr);
        assert!(told.starts_with("error: few.toml: the box is"), "{told}");
        assert_ends(&output, 2);
    }
}

#[test]
fn a_lost_frame_is_told_before_anything_goes_on() {
    let folder = folder();
    write_gas(folder.path());
    assert_ends(&carom(folder.path(), &["run", "gas.toml", "-q", "--until", "2"]), 0);
    fs::remove_file(folder.path().join("gas.run/frames/frame_000001.vtp")).unwrap();
    assert_refused(
        folder.path(),
        &["run", "--out", "gas.run", "--resume", "--until", "3"],
        2,
        "gas.run/frames/frame_000001.vtp is not there, and the checkpoint counts 3 frames; put it \
         back, or start the run again from its scene",
    );
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_told_in_one_sentence_and_the_checkpoint_stays() {
    let folder = folder();
    write_gas(folder.path());
    let stop = ["run", "gas.toml", "-q", "--max-walltime", "0"];
    assert_ends(&carom(folder.path(), &stop), 3);
    let checkpoint = fs::read(folder.path().join("gas.run/checkpoint.bin")).unwrap();
    let output = limited(folder.path(), 8, &["run", "gas.toml", "--resume"]);
    let told = text(&output.stderr);
    assert!(told.contains("cannot be written") && told.lines().count() == 1, "{told}");
    assert_ends(&output, 1);
    assert_eq!(fs::read(folder.path().join("gas.run/checkpoint.bin")).unwrap(), checkpoint);
    assert_ends(&carom(folder.path(), &["run", "gas.toml", "--resume", "-q"]), 0);
}

#[test]
fn every_example_scene_runs() {
    let mut names: Vec<String> = fs::read_dir(scenes())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert!(names.len() >= 8, "{names:?}");
    let folder = folder();
    for name in names {
        let path = scenes().join(&name);
        let path = path.to_str().unwrap();
        let checked = carom(folder.path(), &["check", path, "--json"]);
        assert_ends(&checked, 0);
        let checked: serde_json::Value = serde_json::from_slice(&checked.stdout).unwrap();
        assert!(checked["warnings"].as_array().unwrap().is_empty(), "{name}: {checked}");
        let run = ["run", path, "--set", "collisions=2000", "--json"];
        let output = carom(folder.path(), &run);
        assert_ends(&output, 0);
        let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(summary["collisions"], 2000, "{name}");
        assert!(summary["smallest_gap"].as_f64().unwrap() > -1e-9, "{name}: {summary}");
    }
}

#[test]
fn without_a_scene_a_billiard_is_played() {
    let folder = folder();
    let output = carom(folder.path(), &["run", "--until", "0.5"]);
    assert_ends(&output, 0);
    let told = text(&output.stdout);
    let last: Vec<&str> = told.lines().rev().take(4).collect();
    assert_eq!(last[0], "the picture is billiard.run/picture.png");
    assert!(last[1].starts_with("body ") && last[1].contains(" was thrown farthest, "), "{told}");
    assert!(last[2].ends_with(" collisions a second"), "{told}");
    assert!(last[3].ends_with(" % of the energy is kept"), "{told}");
    assert!(folder.path().join("billiard.run/picture.png").exists());
}

#[test]
fn warnings_and_the_schema_are_printed() {
    let folder = folder();
    write_gas(folder.path());
    let gravity = ["check", "gas.toml", "--set", "gravity.acceleration=[0,-1]"];
    let told = text(&carom(folder.path(), &gravity).stdout);
    assert!(told.contains("warning: gravity acts along the periodic axis y"), "{told}");
    let growth =
        text(&carom(folder.path(), &["check", "gas.toml", "--set", "growth.rate=0.1"]).stdout);
    assert!(growth.contains("velocities are scaled back to the start's temperature"), "{growth}");
    let schema = carom(folder.path(), &["schema"]);
    let schema: serde_json::Value = serde_json::from_slice(&schema.stdout).unwrap();
    assert_eq!(schema["title"], "carom scene");
}
