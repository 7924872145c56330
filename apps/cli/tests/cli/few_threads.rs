//! The program where the system lets it have few threads, or none.

use crate::program::{assert_ends, carom, folder, text};
use crate::results::contents;
use crate::scenes::write_gas;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The program in a folder, as a user who may have `n` threads in all; the superuser would not be held to it.
fn limited(folder: &Path, threads: u32, arguments: &[&str]) -> Child {
    let program = folder.join("carom");
    if !program.exists() {
        // Where others may start it.
        fs::set_permissions(folder, PermissionsExt::from_mode(0o777)).unwrap();
        fs::copy(env!("CARGO_BIN_EXE_carom"), &program).unwrap();
    }
    let script = format!("ulimit -u {threads}; exec ./carom \"$@\"");
    let mut command = Command::new("bash");
    if fs::metadata("/proc/self").unwrap().uid() == 0 {
        command = Command::new("setpriv");
        // A user without any other process.
        let user = (20_000 + std::process::id() % 40_000).to_string();
        command.args(["--reuid", &user, "--regid", &user, "--clear-groups", "bash"]);
    }
    command.args(["-c", &script, "bash"]).args(arguments).current_dir(folder);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

#[test]
fn without_threads_to_be_had_one_does_the_work_and_says_so() {
    let folder = folder();
    let arguments = ["contacts", "case:3B:20000", "--threads", "4"];
    let output = limited(folder.path(), 1, &arguments).wait_with_output().unwrap();
    assert_ends(&output, 0);
    let report = text(&output.stderr);
    let line = report.lines().next().unwrap();
    assert!(line.starts_with("warning: 4 threads cannot be started ("), "{report}");
    assert!(line.ends_with("; the work is done by one"), "{report}");
    assert!(output.stdout == carom(folder.path(), &arguments).stdout);
}

#[test]
fn a_run_without_threads_is_the_same_and_hears_signals() {
    let folder = folder();
    write_gas(folder.path());
    let run =
        |out, threads| limited(folder.path(), threads, &["run", "gas.toml", "-q", "--out", out]);
    for (out, threads) in [("none.run", 1), ("all.run", 1000)] {
        assert_ends(&run(out, threads).wait_with_output().unwrap(), 0);
    }
    let frames = |run: &str| contents(&folder.path().join(run).join("frames"));
    assert!(frames("none.run") == frames("all.run"));
    let long = ["run", "gas.toml", "--out", "long.run", "--set", "collisions=1000000000"];
    let child = limited(folder.path(), 1, &long);
    let start = Instant::now();
    while !folder.path().join("long.run/frames/frame_000001.xyz").exists() {
        assert!(start.elapsed() < Duration::from_secs(60), "the run does not begin");
        std::thread::sleep(Duration::from_millis(5));
    }
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_ends(&output, 3);
    assert!(text(&output.stderr).contains("stopped by a signal with a checkpoint"));
}

#[test]
fn a_viewer_without_a_thread_to_answer_says_so() {
    let folder = folder();
    write_gas(folder.path());
    assert_ends(&carom(folder.path(), &["run", "gas.toml", "-q", "--out", "gas.run"]), 0);
    let view = ["view", "gas.run", "--no-browser", "-q"];
    let output = limited(folder.path(), 1, &view).wait_with_output().unwrap();
    assert_ends(&output, 1);
    let sentence = "error: no thread can be started to answer the browser: ";
    assert!(text(&output.stderr).starts_with(sentence), "{}", text(&output.stderr));
}
