//! The program as its users meet it.

#![allow(clippy::unwrap_used)]

mod check;
mod columns;
mod contacts;
mod corpus;
mod distance;
#[cfg(target_os = "linux")]
mod few_threads;
#[cfg(unix)]
mod foreign_results;
#[cfg(unix)]
mod full_disk;
mod gallery;
#[cfg(unix)]
mod help_examples;
mod inside;
mod meshes;
mod program;
mod refusals;
mod reports;
mod reproduce;
mod results;
mod resume;
mod run;
mod scenes;
mod shipped;
#[cfg(unix)]
mod signals;
mod steps;
mod triangulate;
mod view;
