//! Runs that are stopped from outside, and the lock that keeps others out meanwhile.

use crate::program::{assert_ends, assert_refused, carom, command, folder, text};
use crate::results::contents;
use crate::scenes::write_gas;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

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

#[test]
fn a_signal_writes_a_checkpoint_that_goes_on() {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.map_or(1, |mask| u64::from_str_radix(mask.trim(), 16).unwrap());
    // Where the tests themselves are not to hear that the terminal was closed, nor is what they start.
    let hang_up = (ignored & 1 == 0).then_some("-HUP");
    for signal in ["-INT", "-TERM"].into_iter().chain(hang_up) {
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
fn a_folder_in_use_is_refused_until_its_run_ends_or_is_killed() {
    let folder = folder();
    let mut child = long_run(folder.path());
    for more in ["--resume", "--force"] {
        let setting = "collisions=1000000000";
        assert_refused(
            folder.path(),
            &["run", "gas.toml", "--set", setting, more, "--max-walltime", "0"],
            "gas.run is in use by another run; wait until it ends, or name another folder by --out",
        );
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let resume = ["run", "--out", "gas.run", "--resume", "-q", "--max-walltime", "0"];
    assert_ends(&carom(folder.path(), &resume), 3);
}

#[test]
fn a_signal_while_old_results_are_removed_leaves_a_checkpoint() {
    let folder = folder();
    write_gas(folder.path());
    let run = ["run", "gas.toml", "-q", "--set", "collisions=100"];
    assert_ends(&carom(folder.path(), &run), 0);
    let results = folder.path().join("gas.run");
    // This many that removing them takes a while.
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

#[test]
fn a_signal_ends_the_search_for_random_places() {
    let folder = folder();
    let scene = "engine = 'event-driven'\ndimension = 3\nuntil = 1.0\n[[generate]]\nkind = 'random'\n\
        count = 300_000\nradius = 0.5\npacking_fraction = 0.36\n";
    fs::write(folder.path().join("dense.toml"), scene).unwrap();
    let mut command = command(folder.path(), &["run", "dense.toml"]);
    let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(500));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert_ends(&child.wait_with_output().unwrap(), 3);
    // A search that went on to its end would have been followed by a run and its folder.
    assert!(!folder.path().join("dense.run").exists());
}
