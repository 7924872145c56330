//! `carom sweep`.

use crate::program::{assert_ends, assert_refused, carom, command, folder, text};
use crate::results::{assert_same_results, contents};
use crate::scenes::write_gas;
use std::fs;
use std::path::Path;

/// What makes the runs of the gas quick.
const QUICK: [&str; 2] = ["--set", "collisions=2000"];

fn sweep(folder: &Path, arguments: &[&str]) -> std::process::Output {
    carom(folder, &[&["sweep", "gas.toml"], &QUICK[..], arguments].concat())
}

fn table(folder: &Path) -> String {
    fs::read_to_string(folder.join("sweep.csv")).unwrap()
}

#[test]
fn each_run_has_the_bytes_of_carom_run_with_the_same_settings() {
    let folder = folder();
    write_gas(folder.path());
    let over = ["--over", "materials.default.restitution=0.9,1", "--over", "seed=1..2"];
    let output = sweep(folder.path(), &[&over[..], &["--jobs", "2", "--out", "swept"]].concat());
    assert_ends(&output, 0);
    assert_eq!(text(&output.stdout), "4 runs: 4 finished\n  table     swept/sweep.csv\n");
    for restitution in ["0.9", "1"] {
        for seed in 1..=2 {
            let settings =
                [format!("materials.default.restitution={restitution}"), format!("seed={seed}")];
            let run = ["run", "gas.toml", "-q", "--force", "--out", "alone"];
            let set = ["--set", &settings[0], "--set", &settings[1]];
            assert_ends(&carom(folder.path(), &[&run[..], &QUICK, &set].concat()), 0);
            let swept = folder.path().join("swept").join(settings.join("+"));
            assert_same_results(&folder.path().join("alone"), &swept);
        }
    }
}

#[test]
fn a_sweep_is_listed_and_printed_as_json() {
    let folder = folder();
    write_gas(folder.path());
    let over = ["--over", "seed=1..3"];
    let list = |more: &[&str]| {
        let output = sweep(folder.path(), &[&over[..], &["--list"], more].concat());
        assert_ends(&output, 0);
        text(&output.stdout)
    };
    let missing = "missing     seed=1\nmissing     seed=2\nmissing     seed=3\n3 runs: 3 missing\n";
    assert_eq!(list(&[]), missing);
    assert!(!folder.path().join("gas.sweep").exists());
    let output = sweep(folder.path(), &[&over[..], &["--shard", "2/3", "--json"]].concat());
    assert_ends(&output, 0);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let [first, second] = [0, 1].map(|run| &json["runs"][run]);
    assert_eq!((&first["ending"], &first["numbers"]), (&"missing".into(), &().into()));
    assert_eq!(second["settings"]["seed"], 2);
    assert_eq!(second["numbers"]["collisions"], 2000);
    assert_eq!(second["folder"], "seed=2");
    let lines = list(&[]);
    assert!(lines.contains("collisions  seed=2\nmissing     seed=3\n"), "{lines}");
    assert!(lines.ends_with("3 runs: 1 finished, 2 missing\n  table     gas.sweep/sweep.csv\n"));
    assert_eq!(list(&["--json"]), text(&output.stdout));
}

#[test]
fn a_failing_run_is_reported_at_the_end_and_the_others_end() {
    let folder = folder();
    write_gas(folder.path());
    let over = ["--over", "generate.0.packing_fraction=0.2,0.88,0.3", "-q"];
    let output = sweep(folder.path(), &over);
    assert_ends(&output, 1);
    let report = text(&output.stderr);
    assert!(report.starts_with("error: generate.0.packing_fraction=0.88: "), "{report}");
    assert!(report.contains(" of 300 bodies found a place without overlap"), "{report}");
    assert_eq!((report.lines().count(), text(&output.stdout).as_str()), (1, ""));
    let table = table(&folder.path().join("gas.sweep"));
    let endings: Vec<_> =
        table.lines().skip(1).map(|line| line.split(',').nth(1).unwrap()).collect();
    assert_eq!(endings, ["collisions", "failed", "collisions"]);
}

#[test]
fn wrong_values_end_in_one_sentence_and_nothing_is_written() {
    let folder = folder();
    write_gas(folder.path());
    let refused = |arguments: &[&str], sentence: &str| {
        assert_refused(folder.path(), &[&["sweep", "gas.toml"], arguments].concat(), sentence);
        assert_eq!(contents(folder.path()).len(), 1, "{arguments:?}");
    };
    refused(&[], "a sweep needs a setting to vary, such as --over seed=1..20");
    refused(&["--over", "seed=5..1"], "seed=5..1: the range must ascend");
    refused(
        &["--over", "seed=1..3", "--over", "generate.0.count=100,-1"],
        "generate.0.count=-1: generate.0.count is -1; it must be a whole number from 1 to 9223372036854775807",
    );
    refused(&["--over", "seed=1..2", "--shard", "3"], "--shard is \"3\"; it must be such as 3/100");
    refused(
        &["--over", "seed=1..2", "--until", "soon"],
        "--until is \"soon\"; it must be a time from 0 to 1e100",
    );
    refused(
        &["--over", "until=1,2", "--until", "3"],
        "until is swept and set to 3.0; give one of them",
    );
    refused(
        &["--zip", "seed=1..2", "--zip", "generate.0.count=1..3"],
        "seed has 2 values and generate.0.count has 3; settings that advance together must have the same number",
    );
    assert_refused(
        folder.path(),
        &["sweep", "scenes/hopper.toml", "--over", "seed=1..2"],
        "scenes/hopper.toml cannot be read: there is no such file; the program carries such a scene, named :hopper",
    );
}

#[test]
fn a_built_in_scene_with_a_mesh_is_swept_and_its_runs_can_be_taken_anywhere() {
    let folder = folder();
    let arguments = ["sweep", ":foams", "--until", "0.02", "--over", "seed=1..2", "-q"];
    assert_ends(&carom(folder.path(), &arguments), 0);
    let run = folder.path().join("foams.sweep/seed=1");
    let scene = fs::read_to_string(run.join("scene.toml")).unwrap();
    assert!(scene.contains("inputs/foam-"), "{scene}");
    fs::rename(&run, folder.path().join("moved")).unwrap();
    let resume = ["run", "--out", "moved", "--resume", "--until", "0.03", "-q"];
    assert_ends(&carom(folder.path(), &resume), 0);
    // What was taken away is run again.
    assert_ends(&carom(folder.path(), &arguments), 0);
    assert!(run.join("summary.json").exists());
}

#[test]
fn plots_are_drawn_over_numbers() {
    let folder = folder();
    write_gas(folder.path());
    let over = ["--over", "materials.default.restitution=0.9,0.95,1", "--over", "seed=1,2"];
    let output = sweep(folder.path(), &[&over[..], &["--plot", "kinetic_energy"]].concat());
    assert_ends(&output, 0);
    let name = "gas.sweep/kinetic_energy_over_materials.default.restitution.svg";
    assert!(text(&output.stdout).ends_with(&format!("  plot      {name}\n")));
    let svg = fs::read_to_string(folder.path().join(name)).unwrap();
    assert!(svg.contains("mean and standard error of 2 runs"), "{svg}");
    let wrong = sweep(folder.path(), &[&over[..], &["--plot", "kinetik_energy"]].concat());
    assert_ends(&wrong, 2);
    assert_eq!(
        text(&wrong.stderr),
        "error: no run has the quantity \"kinetik_energy\"; did you mean kinetic_energy?\n"
    );
}

#[test]
fn a_limit_of_time_stops_and_the_same_command_goes_on() {
    let folder = folder();
    write_gas(folder.path());
    let long = ["sweep", "gas.toml", "--over", "seed=1..3", "--jobs", "2", "--out"];
    let uncut = [&long[..], &["uncut", "-q"]].concat();
    assert_ends(&carom(folder.path(), &uncut), 0);
    let mut stops = 0;
    loop {
        let limit = format!("{}ms", 20 * stops);
        let output =
            carom(folder.path(), &[&long[..], &["cut", "--max-walltime", &limit]].concat());
        if output.status.code() == Some(0) {
            break;
        }
        assert_ends(&output, 3);
        let report = text(&output.stderr);
        assert!(
            report.starts_with("stopped by --max-walltime with checkpoints, ")
                && report.ends_with(" of 3 runs finished; the same command continues\n"),
            "{report}"
        );
        stops += 1;
    }
    assert!(stops > 1, "stopped {stops} times");
    assert_same_results(&folder.path().join("uncut"), &folder.path().join("cut"));
}

#[cfg(unix)]
#[test]
fn a_signal_stops_all_runs_with_checkpoints_and_the_table_is_that_of_the_uncut_sweep() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};
    let folder = folder();
    write_gas(folder.path());
    let arguments = ["sweep", "gas.toml", "--over", "seed=1..3", "--jobs", "2"];
    // Elastic, so that time and the number of frames do not grow without bound.
    let settings = ["materials.default.restitution=1", "collisions=150000", "output.interval=20"];
    let settings = settings.into_iter().flat_map(|setting| ["--set", setting]);
    let arguments: Vec<&str> = arguments.into_iter().chain(settings).collect();
    let of_jobs = |out: &'static str| [&arguments[..], &["--out", out]].concat();
    for signal in ["-INT", "-TERM"] {
        let _ = fs::remove_dir_all(folder.path().join("cut"));
        let mut command = command(folder.path(), &of_jobs("cut"));
        let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let start = Instant::now();
        let is_begun =
            |run: &str| folder.path().join(format!("cut/{run}/frames/frame_000001.xyz")).exists();
        while !(is_begun("seed=1") && is_begun("seed=2")) {
            assert!(start.elapsed() < Duration::from_secs(60), "the runs do not begin");
            std::thread::sleep(Duration::from_millis(5));
        }
        Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        let output = child.wait_with_output().unwrap();
        assert_ends(&output, 3);
        let report = text(&output.stderr);
        assert!(report.contains("stopped by a signal with checkpoints, "), "{report}");
        let stopped = table(&folder.path().join("cut"));
        assert!(stopped.contains("\n3,missing,"), "{stopped}");
    }
    assert_ends(&carom(folder.path(), &of_jobs("cut")), 0);
    assert_ends(&carom(folder.path(), &of_jobs("uncut")), 0);
    assert_eq!(table(&folder.path().join("cut")), table(&folder.path().join("uncut")));
    assert_same_results(&folder.path().join("cut"), &folder.path().join("uncut"));
}

#[cfg(unix)]
#[test]
fn a_killed_sweep_goes_on_as_if_nothing_had_been() {
    use std::process::Stdio;
    use std::time::Duration;
    let folder = folder();
    write_gas(folder.path());
    let long = ["sweep", "gas.toml", "--over", "seed=1..4", "--jobs", "2", "-q", "--out"];
    assert_ends(&carom(folder.path(), &[&long[..], &["uncut"]].concat()), 0);
    // At moments of all kinds: before the first checkpoint, within a run, between runs.
    for milliseconds in [5, 20, 40, 80, 160] {
        let mut command = command(folder.path(), &[&long[..], &["cut"]].concat());
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(milliseconds));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    // As if the kills had been an hour ago: what they have left of files is removed once nobody can be writing it.
    let left = fs::read_dir(folder.path().join("cut")).into_iter().flatten();
    for file in left.map(|entry| entry.unwrap().path()).filter(|path| path.is_file()) {
        let hour = std::time::SystemTime::now() - Duration::from_secs(3600);
        fs::File::options().append(true).open(file).unwrap().set_modified(hour).unwrap();
    }
    assert_ends(&carom(folder.path(), &[&long[..], &["cut"]].concat()), 0);
    assert_same_results(&folder.path().join("uncut"), &folder.path().join("cut"));
}

#[test]
fn a_material_that_nothing_uses_is_reported_by_every_command_and_not_swept() {
    let folder = folder();
    write_gas(folder.path());
    let set = ["--set", "materials.defalt.restitution=0.5"];
    let sentence = "nothing uses the material defalt: no body, generator, pour, solid, wall, force or pair of materials \
                    names it; did you mean default?\n";
    let run = carom(folder.path(), &[&["run", "gas.toml"], &QUICK[..], &set].concat());
    assert_ends(&run, 0);
    assert!(
        text(&run.stderr).starts_with(&format!("warning: {sentence}")),
        "{}",
        text(&run.stderr)
    );
    let check = carom(folder.path(), &[&["check", "gas.toml"], &QUICK[..], &set].concat());
    assert_ends(&check, 0);
    assert!(
        text(&check.stdout).contains(&format!("\nwarning: {sentence}")),
        "{}",
        text(&check.stdout)
    );
    let swept = sweep(folder.path(), &[&["--over", "seed=1,2"], &set[..]].concat());
    assert_ends(&swept, 0);
    let warning = format!("warning: seed=1: {sentence}");
    assert!(text(&swept.stderr).starts_with(&warning), "{}", text(&swept.stderr));
    let over =
        ["sweep", "gas.toml", "--over", "materials.defalt.restitution=0.5,0.9", "--out", "over"];
    assert_refused(
        folder.path(),
        &over,
        "materials.defalt.restitution: nothing uses the material defalt, so that every run would be the same; did \
         you mean default?",
    );
    assert!(!folder.path().join("over").exists());
}

#[test]
fn folders_of_runs_and_sweeps_and_earlier_ends_are_refused() {
    let folder = folder();
    write_gas(folder.path());
    let seeds = ["sweep", "gas.toml", "--over", "seed=1,2", "--out"];
    let until = |end: &'static str| [&seeds[..], &["seeds", "-q", "--until", end]].concat();
    assert_ends(&carom(folder.path(), &until("2")), 0);
    let run = ["run", "gas.toml", "--until", "1", "-q", "--out"];
    assert_ends(&carom(folder.path(), &[&run[..], &["one"]].concat()), 0);
    let before = contents(folder.path());
    for force in [&[][..], &["--force"]] {
        assert_refused(
            folder.path(),
            &[&run[..], &["seeds"], force].concat(),
            "seeds is the folder of a sweep, which has a folder for each of its runs; name another folder by --out",
        );
    }
    assert_refused(
        folder.path(),
        &[&seeds[..], &["one"]].concat(),
        "one holds results of a run, and not of a sweep; name another folder by --out",
    );
    assert_refused(
        folder.path(),
        &until("1"),
        "seeds/seed=1/checkpoint.bin is at time 2, beyond the end until = 1; ask for a later end, or start the run \
         again in a new folder",
    );
    let unknown = carom(folder.path(), &[&seeds[..], &["plots", "--plot", "nope"]].concat());
    assert_ends(&unknown, 2);
    let report = text(&unknown.stderr);
    assert!(
        report.starts_with("error: no run has the quantity \"nope\"; there are time, collisions, "),
        "{report}"
    );
    assert!(contents(folder.path()) == before);
}
