//! ARCHITECTURE.md must be true: the paths it names exist, and crates have only the dependencies it allows.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn page() -> String {
    fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap()
}

/// Words in backticks that look like a path.
fn paths(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2).filter(|word| {
        let plain = word.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c));
        plain && (word.contains('/') || word.ends_with(".md"))
    })
}

/// Rows of the table of crates: name, folder, dependencies allowed.
fn crates(text: &str) -> Vec<(String, String, Vec<String>)> {
    text.lines()
        .filter_map(|line| {
            let cells: Vec<_> = line.split('|').map(str::trim).collect();
            let [_, name, folder, uses, _, _] = cells[..] else { return None };
            if name.contains(' ') {
                return None;
            }
            let folder = folder.strip_prefix('`')?.strip_suffix('`')?;
            let uses = uses.split(',').map(str::trim).filter(|name| !name.is_empty());
            Some((name.to_owned(), folder.to_owned(), uses.map(str::to_owned).collect()))
        })
        .collect()
}

/// Dependencies of a crate on other crates of this repository, without those for tests.
fn internal_dependencies(folder: &str) -> Vec<String> {
    let manifest = fs::read_to_string(root().join(folder).join("Cargo.toml")).unwrap();
    let section = manifest.split("\n[dependencies]").nth(1).unwrap_or_default();
    let section = section.split("\n[").next().unwrap_or_default();
    section
        .lines()
        .filter_map(|line| line.split(['.', '=', ' ']).next())
        .filter(|name| name.starts_with("carom"))
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_path_it_names_exists() {
    let page = page();
    let named: Vec<_> = paths(&page).collect();
    assert!(named.len() > 30, "paths are found at all: {named:?}");
    for path in named {
        assert!(
            root().join(path).exists(),
            "{path} is named in ARCHITECTURE.md and does not exist"
        );
    }
}

#[test]
fn crates_use_only_what_it_allows() {
    let crates = crates(&page());
    assert_eq!(crates.len(), 16);
    for (name, folder, allowed) in crates {
        for used in internal_dependencies(&folder) {
            assert!(
                allowed.contains(&used),
                "{name} uses {used}; ARCHITECTURE.md does not allow it"
            );
        }
    }
}

#[test]
fn every_member_of_the_workspace_is_in_the_table() {
    let crates = crates(&page());
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let members = manifest.split("members = [").nth(1).unwrap().split(']').next().unwrap();
    let mut folders = Vec::new();
    for member in members.split(',').map(|member| member.trim().trim_matches('"')) {
        match member.strip_suffix("/*") {
            None => folders.push(member.to_owned()),
            Some(parent) => {
                let entries = fs::read_dir(root().join(parent)).unwrap().flatten();
                folders.extend(
                    entries
                        .map(|entry| format!("{parent}/{}", entry.file_name().to_string_lossy())),
                );
            }
        }
    }
    assert!(folders.len() >= 9, "{folders:?}");
    for folder in folders {
        assert!(
            crates.iter().any(|(_, known, _)| *known == folder),
            "{folder} is not in the table"
        );
    }
}

/// Every file below a folder that ends in `.rs`, without build output.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        let is_hidden = name.to_string_lossy().starts_with('.');
        if path.is_dir() && !is_hidden && name != "target" {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn unsafe_code_is_allowed_where_it_says_and_nowhere_else() {
    let page = page();
    let line = page.lines().find(|line| line.starts_with("- `unsafe` is denied")).unwrap();
    let mut named: Vec<_> = paths(line).map(str::to_owned).collect();
    let mut files = Vec::new();
    sources(&root(), &mut files);
    // In two pieces, so that this file does not count.
    let mark = concat!("allow(", "unsafe_code");
    let mut allowed: Vec<_> = files
        .iter()
        .filter(|file| fs::read_to_string(file).unwrap().contains(mark))
        .map(|file| file.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/"))
        .collect();
    named.sort_unstable();
    allowed.sort_unstable();
    assert!(allowed.len() > 3, "sources are found at all: {allowed:?}");
    assert_eq!(named, allowed, "left: named in ARCHITECTURE.md; right: files that allow it");
}

#[test]
fn examples_are_shorter_than_forty_lines() {
    let mut files = Vec::new();
    sources(&root().join("crates/carom/examples"), &mut files);
    assert!(files.len() > 20, "examples are found at all: {files:?}");
    for file in files {
        let lines = fs::read_to_string(&file).unwrap().lines().count();
        assert!(lines < 40, "{} has {lines} lines", file.display());
    }
}
