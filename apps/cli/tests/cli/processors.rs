//! The same bits, and runs that continue, whatever the processor.

use crate::program::{assert_ends, command, folder};
use crate::results::assert_same_results;
use crate::scenes::{GAS, examples};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// A name, the text of a scene with generated velocities or turned bodies, and settings that make it short.
fn scenes() -> Vec<(&'static str, String, Vec<&'static str>)> {
    let example = |name: &str| fs::read_to_string(examples().join(name)).unwrap();
    vec![
        ("gas", GAS.to_owned(), vec!["collisions=2000"]),
        ("laguerre", GAS.to_owned(), vec!["collisions=500", "neighbors.method=laguerre-delaunay"]),
        ("dice", example("dice.toml"), vec!["until=0.02", "output.interval=0.01"]),
        ("drum", example("drum.toml"), vec!["until=0.05", "output.interval=0.02"]),
        ("cradle", example("cradle.toml"), vec!["until=2", "output.interval=1"]),
    ]
}

/// Runs a scene to its end in a folder of its own.
fn run(program: impl Fn(&[&str]) -> Command, folder: &Path, name: &str, out: &str, more: &[&str]) {
    let (_, _, settings) = scenes().into_iter().find(|scene| scene.0 == name).unwrap();
    let file = format!("{name}.toml");
    let mut arguments = vec!["run", &file, "--out", out, "-q"];
    settings.iter().for_each(|setting| arguments.extend(["--set", setting]));
    arguments.extend(more);
    let mut command = program(&arguments);
    let stopped = more.contains(&"--max-walltime");
    assert_ends(&command.current_dir(folder).output().unwrap(), if stopped { 3 } else { 0 });
}

fn write_scenes(folder: &Path) {
    for (name, text, _) in scenes() {
        fs::write(folder.join(format!("{name}.toml")), text).unwrap();
    }
}

/// As on a processor without FMA and AVX2, as far as the C library is concerned.
fn with_plain_c_library(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = command(folder, arguments);
    command.env("GLIBC_TUNABLES", "glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2,-AVX2_Usable,-FMA_Usable");
    command
}

#[test]
fn a_run_has_the_same_bits_and_goes_on_with_another_c_library() {
    assert_same_with_another_c_library(|name| name == "cradle");
}

#[test]
#[ignore = "takes ten seconds: cargo xtask test --all"]
fn runs_of_all_engines_have_the_same_bits_with_another_c_library() {
    assert_same_with_another_c_library(|_| true);
}

fn assert_same_with_another_c_library(is_chosen: impl Fn(&str) -> bool) {
    let folder = folder();
    let path = folder.path();
    write_scenes(path);
    for (name, ..) in scenes().into_iter().filter(|(name, ..)| is_chosen(name)) {
        let [here, there, both] = ["here", "there", "both"].map(|it| format!("{name}.{it}"));
        run(|arguments| command(path, arguments), path, name, &here, &[]);
        run(|arguments| with_plain_c_library(path, arguments), path, name, &there, &[]);
        assert_same_results(&path.join(&here), &path.join(&there));
        run(|arguments| command(path, arguments), path, name, &both, &["--max-walltime", "0"]);
        run(|arguments| with_plain_c_library(path, arguments), path, name, &both, &["--resume"]);
        assert_same_results(&path.join(&here), &path.join(&both));
    }
}

#[test]
#[ignore = "takes a minute: cargo xtask test --all"]
fn emulated_processors_give_the_same_bits_of_all_engines() {
    assert_same_on_emulated_processors(|_| true);
}

/// Emulated processors: Nehalem knows neither AVX nor FMA, Haswell knows AVX2 and FMA.
fn assert_same_on_emulated_processors(is_chosen: impl Fn(&str) -> bool) {
    const EMULATOR: &str = "qemu-x86_64";
    let found = Command::new(EMULATOR).arg("--version").stdout(Stdio::null()).status();
    if !found.is_ok_and(|status| status.success()) {
        println!("skipped: {EMULATOR} is not installed (Debian: apt-get install qemu-user)");
        return;
    }
    let folder = folder();
    let path = folder.path();
    write_scenes(path);
    let emulated = |processor: &str, arguments: &[&str]| {
        let mut command = Command::new(EMULATOR);
        command.args(["-cpu", processor, env!("CARGO_BIN_EXE_carom")]).args(arguments);
        command
    };
    for (name, ..) in scenes().into_iter().filter(|scene| is_chosen(scene.0)) {
        let here = format!("{name}.here");
        run(|arguments| command(path, arguments), path, name, &here, &[]);
        for processor in ["Nehalem", "Haswell"] {
            let there = format!("{name}.{processor}");
            run(|arguments| emulated(processor, arguments), path, name, &there, &[]);
            assert_same_results(&path.join(&here), &path.join(&there));
        }
        let both = format!("{name}.both");
        run(|arguments| command(path, arguments), path, name, &both, &["--max-walltime", "0"]);
        run(|arguments| emulated("Nehalem", arguments), path, name, &both, &["--resume"]);
        assert_same_results(&path.join(&here), &path.join(&both));
    }
}
