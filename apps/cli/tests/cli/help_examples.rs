//! Every example in every `--help` works in an empty folder.

use crate::program::{carom, folder, text};
use std::path::Path;
use std::process::{Command, Stdio};

/// Examples that no test waits for: servers, and measurements of minutes.
const NOT_RUN: [&str; 2] = ["carom view", "carom reproduce"];

/// Words of examples beside what makes them quick; what an example shows stays the same.
const QUICK: [(&str, &str); 11] = [
    ("--until 20", "--until 0.5"),
    ("--until 1", "--until 0.1"),
    ("case:3B:1e6", "case:3B:1e4"),
    ("case:3B:1e5", "case:3B:1e4"),
    ("--count 1e6", "--count 1e4"),
    ("--count 1e5", "--count 1e4"),
    ("--faces 1e5", "--faces 1e3"),
    ("--triangles 1e6", "--triangles 1e4"),
    ("--triangles 5e5", "--triangles 5e4"),
    ("--refinements 7", "--refinements 4"),
    ("grid:40", "grid:10"),
];

/// Starts of examples beside what is added to make them quick.
const SHORTER: [(&str, &str); 5] = [
    ("carom run :fluid", " --set collisions=20000 --set output.log_collisions=10000"),
    ("carom sweep gas.toml", " --set generate.0.count=500 --set output.log_collisions=100"),
    ("carom run :drum", " --until 0.26 --set output.interval=0.0026"),
    ("carom run dice.toml", " --until 0.05"),
    ("carom run :sediment --max", " --set until=0.3"),
];

/// The commands that have a help text of their own; the first is the program.
fn commands() -> Vec<Vec<String>> {
    let mut found = vec![Vec::new()];
    let mut next = 0;
    while let Some(command) = found.get(next).cloned() {
        let help = help(&command);
        let list = help.lines().skip_while(|line| *line != "Commands:").skip(1);
        for line in list.take_while(|line| !line.is_empty()) {
            let name = line.strip_prefix("  ").and_then(|line| line.split(' ').next());
            if let Some(name) = name.filter(|name| !name.is_empty() && *name != "help") {
                found.push(command.iter().cloned().chain([name.to_owned()]).collect());
            }
        }
        next += 1;
    }
    found
}

fn help(command: &[String]) -> String {
    let arguments: Vec<&str> = command.iter().map(String::as_str).chain(["--help"]).collect();
    text(&carom(folder().path(), &arguments).stdout)
}

/// The examples of a help text; a line that is wrapped continues in the same column.
fn examples(help: &str) -> Vec<String> {
    let mut examples: Vec<String> = Vec::new();
    for line in help.lines().skip_while(|line| !line.starts_with("Example")).skip(1) {
        match line.strip_prefix("  ") {
            Some(line) if line.starts_with("carom ") || line.starts_with(". ") => {
                examples.push(line.to_owned());
            }
            Some(line) => {
                let last = examples.last_mut().expect("an example comes before its second line");
                *last = format!("{last} {}", line.trim());
            }
            None => break,
        }
    }
    examples
}

fn quicker(example: &str) -> String {
    let mut example = QUICK.iter().fold(example.to_owned(), |it, (a, b)| it.replace(a, b));
    if let Some((_, more)) = SHORTER.iter().find(|(start, _)| example.starts_with(start)) {
        example += more;
    }
    // All scenes of a gallery take long, and there need be no reader of manuals.
    match example.as_str() {
        "carom gallery" => "carom gallery :chain --quick".to_owned(),
        _ => example.replace("--out two", "--out two --quick").replace("man -l -", "cat"),
    }
}

fn run(example: &str, folder: &Path) {
    let program = Path::new(env!("CARGO_BIN_EXE_carom")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let shell = if example.starts_with(". ") { "bash" } else { "sh" };
    let output = Command::new(shell)
        .args(["-ec", example])
        .env("PATH", path)
        .env("HOME", folder)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("a shell starts");
    let code = output.status.code();
    let stopped = example.contains("--max-walltime") && code == Some(3);
    assert!(code == Some(0) || stopped, "{example}: {code:?}\n{}", text(&output.stderr));
}

#[test]
fn every_example_of_every_help_works_in_an_empty_folder() {
    let commands = commands();
    assert!(commands.len() >= 18, "{commands:?}");
    for command in &commands {
        let folder = folder();
        let examples = examples(&help(command));
        let has_own = !command.is_empty() && command != &["generate"];
        assert!(!has_own || !examples.is_empty(), "{command:?} has no example");
        for example in examples {
            if !NOT_RUN.iter().any(|start| example.starts_with(start)) {
                run(&quicker(&example), folder.path());
            }
        }
    }
}
