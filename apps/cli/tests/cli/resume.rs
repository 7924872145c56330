//! Runs that stop and continue.

use crate::program::{assert_ends, assert_refused, carom, folder, text};
use crate::results::{assert_same_results, contents};
use crate::scenes::write_gas;
use std::fs;

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
        let report = text(&output.stderr);
        assert!(report.contains("stopped by --max-walltime with a checkpoint"), "{report}");
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
        "nothing was left to do: the run ended at the time asked for\nsee it with carom view short\n"
    );
    assert_same_results(&long, &short);
}

#[test]
fn a_refused_resume_leaves_a_finished_run_as_it_is() {
    let folder = folder();
    write_gas(folder.path());
    assert_ends(&carom(folder.path(), &["run", "gas.toml", "-q", "--until", "2"]), 0);
    let results = folder.path().join("gas.run");
    let log = fs::read(results.join("log.csv")).unwrap();
    for is_log in [true, false] {
        if is_log {
            fs::write(results.join("log.csv"), "time\n").unwrap();
        } else {
            fs::write(results.join("log.csv"), [&log[..], b"half a row"].concat()).unwrap();
            fs::remove_file(results.join("frames/frame_000001.vtp")).unwrap();
        }
        let before = contents(&results);
        for until in [&["--until", "3"][..], &[]] {
            let resume = [&["run", "--out", "gas.run", "--resume"][..], until].concat();
            let output = carom(folder.path(), &resume);
            assert_ends(&output, 2);
            let report = text(&output.stderr);
            assert!(!report.contains("nothing was left"), "{report}");
            assert!(contents(&results) == before, "{resume:?} {report}");
        }
    }
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
fn the_command_given_at_a_stop_continues() {
    let folder = folder();
    write_gas(folder.path());
    let stop = ["run", "gas.toml", "--set", "seed=7", "--until", "2", "--out", "my runs"];
    let stop: Vec<&str> = stop.into_iter().chain(["--max-walltime", "0", "-q"]).collect();
    let output = carom(folder.path(), &stop);
    assert_ends(&output, 3);
    assert_eq!(
        text(&output.stderr),
        "stopped by --max-walltime with a checkpoint; continue with carom run --out 'my runs' \
         --resume\n"
    );
    assert_ends(&carom(folder.path(), &["run", "--out", "my runs", "--resume", "-q"]), 0);
    let summary = fs::read_to_string(folder.path().join("my runs/summary.json")).unwrap();
    assert!(summary.contains("\"time\": 2.0"), "{summary}");
    // An end that is behind it.
    let back = carom(folder.path(), &["run", "--out", "my runs", "--resume", "--until", "1"]);
    assert_ends(&back, 2);
    let report = text(&back.stderr);
    assert!(
        report.contains("my runs/checkpoint.bin is at time 2, beyond the end until = 1;"),
        "{report}"
    );
}

#[test]
fn a_resume_without_scene_and_folder_is_that_of_the_billiard() {
    let folder = folder();
    assert_refused(
        folder.path(),
        &["run", "--resume"],
        "billiard.run holds no checkpoint to continue from; start the run without --resume",
    );
    let stop = ["run", "-q", "--until", "0.01", "--max-walltime", "0"];
    assert_ends(&carom(folder.path(), &stop), 3);
    assert_ends(&carom(folder.path(), &["run", "--resume", "-q"]), 0);
    let summary = fs::read_to_string(folder.path().join("billiard.run/summary.json")).unwrap();
    assert!(summary.contains("\"time\": 0.01"), "{summary}");
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
fn a_damaged_checkpoint_is_replaced_by_the_one_before() {
    let folder = folder();
    write_gas(folder.path());
    assert_ends(&carom(folder.path(), &["run", "gas.toml", "-q", "--out", "uncut"]), 0);
    let checkpoint = folder.path().join("cut/checkpoint.bin");
    for is_gone in [false, true] {
        let stop = ["run", "gas.toml", "--out", "cut", "--force", "--max-walltime", "5ms"];
        assert_ends(&carom(folder.path(), &stop), 3);
        match is_gone {
            true => fs::remove_file(&checkpoint).unwrap(),
            false => fs::write(&checkpoint, "damaged").unwrap(),
        }
        let output = carom(folder.path(), &["run", "--out", "cut", "--resume"]);
        assert_ends(&output, 0);
        assert!(
            text(&output.stderr).starts_with(
                "warning: cut/checkpoint.bin cannot be used; the run continues from \
                 cut/checkpoint.previous.bin\n"
            ),
            "{}",
            text(&output.stderr)
        );
        assert_same_results(&folder.path().join("uncut"), &folder.path().join("cut"));
    }
}

#[test]
fn a_run_whose_log_and_frames_are_lost_goes_on_in_a_new_folder() {
    let folder = folder();
    write_gas(folder.path());
    let run = |arguments: &[&str], code| {
        let arguments: Vec<&str> = ["run", "-q"].iter().chain(arguments).copied().collect();
        let output = carom(folder.path(), &arguments);
        assert_ends(&output, code);
        text(&output.stderr)
    };
    let pace = ["--set", "output.log_interval=0.3"];
    run(&[&["gas.toml", "--until", "5", "--out", "uncut"][..], &pace].concat(), 0);
    run(&[&["gas.toml", "--until", "2", "--out", "old"][..], &pace].concat(), 0);
    fs::remove_file(folder.path().join("old/log.csv")).unwrap();
    fs::remove_file(folder.path().join("old/frames/frame_000001.vtp")).unwrap();
    let old = contents(&folder.path().join("old"));
    run(&["--out", "old", "--resume", "--until", "5"], 2);
    run(&["--out", "old", "--resume", "--until", "3", "--new-folder", "new"], 0);
    // It continues there, and there again.
    run(&["--out", "new", "--resume", "--until", "5"], 0);
    assert!(contents(&folder.path().join("old")) == old);
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let (uncut, new) = (read("uncut/log.csv"), read("new/log.csv"));
    let (header, rows) = new.split_once('\n').unwrap();
    assert!(uncut.starts_with(header) && uncut.ends_with(rows), "{new}");
    assert!(rows.starts_with("2.1,") || rows.starts_with("2.09"), "{rows}");
    assert_eq!(read("uncut/frames/frame_000004.xyz"), read("new/frames/frame_000004.xyz"));
    assert_eq!(
        run(&["--out", "old", "--resume", "--new-folder", "new"], 2),
        "error: new holds results of this scene; continue them by --resume, name another folder by \
         --out, or replace them by --force\n"
    );
}

#[test]
fn results_say_what_made_them() {
    let folder = folder();
    write_gas(folder.path());
    let run = ["run", "gas.toml", "-q", "--set", "seed=7", "--set", "collisions=100"];
    assert_ends(&carom(folder.path(), &run), 0);
    let read = |name: &str| fs::read_to_string(folder.path().join("gas.run").join(name)).unwrap();
    let summary: serde_json::Value = serde_json::from_str(&read("summary.json")).unwrap();
    let made = &summary["provenance"];
    let version = made["version"].as_str().unwrap();
    assert_eq!((version, &made["seed"]), (env!("CARGO_PKG_VERSION"), &7.into()));
    assert!(made["threads"].as_u64().unwrap() > 0 && made["features"].is_array(), "{made}");
    let long = text(&carom(folder.path(), &["--version"]).stdout);
    let inputs = made["inputs"].as_str().unwrap();
    let signed = format!("# Run by {}, seed 7, digest of inputs {inputs}.\n", long.trim_end());
    assert!(read("scene.toml").ends_with(&signed), "{}", read("scene.toml"));
    // A checkpoint of another version is reported, and taken.
    let path = folder.path().join("gas.run/checkpoint.bin");
    let mut checkpoint = carom::io::Checkpoint::read(&path).unwrap();
    assert_eq!(checkpoint.writer, long.trim_end());
    checkpoint.writer = "carom 0.0.9".to_owned();
    checkpoint.write(&path).unwrap();
    let output = carom(folder.path(), &["run", "--out", "gas.run", "--resume"]);
    assert_ends(&output, 0);
    let report = text(&output.stderr);
    assert!(
        report.starts_with("warning: the checkpoint is by carom 0.0.9, and this is carom "),
        "{report}"
    );
    assert!(read("scene.toml").ends_with(&signed), "{}", read("scene.toml"));
}

#[test]
fn a_run_whose_last_stage_has_ended_says_how_to_continue() {
    let folder = folder();
    let scene = "engine = 'dem'\ndimension = 2\nstep = 0.015625\nbox = { size = 9, boundary = 'wall' }\n\
        output.picture = false\n[[bodies]]\nposition = [5, 5]\nradius = 0.5\n\
        [[stages]]\nname = 'fall'\nduration = 0.25\n[[stages]]\nname = 'rest'\nduration = 0.25\n";
    fs::write(folder.path().join("two.toml"), scene).unwrap();
    assert_ends(&carom(folder.path(), &["run", "two.toml", "-q"]), 0);
    let resume = |more: &[&str]| {
        let output = carom(folder.path(), &[&["run", "two.toml", "--resume"], more].concat());
        assert_ends(&output, 0);
        text(&output.stderr)
    };
    assert_eq!(
        resume(&["--until", "3"]).lines().next().unwrap(),
        "nothing was left to do: the last stage, rest, ended at time 0.5, and --until only ends a run in stages \
         earlier; to continue, start a scene from its end by --from two.run, or start this one again with a longer stage"
    );
    let sentence = "nothing was left to do: the run ended at the time asked for";
    assert_eq!(resume(&[]).lines().next().unwrap(), sentence);
    assert_eq!(resume(&["--until", "0.5"]).lines().next().unwrap(), sentence);
    // It is as good as it says.
    let from = ["run", "two.toml", "--from", "two.run", "--out", "next", "-q"];
    assert_ends(&carom(folder.path(), &from), 0);
}
