//! The program as its users meet it.

#![allow(clippy::unwrap_used)]

mod bodies_of_a_run;
mod check;
#[cfg(target_os = "linux")]
mod closed_output;
mod columns;
mod contacts;
mod corpus;
mod dem;
mod distance;
mod endless;
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
#[cfg(target_os = "linux")]
mod little_memory;
mod meshes;
#[cfg(unix)]
mod odd_names;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod processors;
mod program;
mod refusals;
mod repair;
mod reports;
mod reproduce;
mod results;
mod resume;
mod run;
mod scenes;
mod shipped;
#[cfg(unix)]
mod signals;
mod sweep;
mod triangulate;
mod view;
