//! carom beside its peers on the same work.
//!
//! A benchmark is a named system and a unit of work: to find all contacts, to make a collision happen,
//! to triangulate a point, to keep up with boxes for a step, to compute the distance of two bodies, whether a
//! point is inside of one, or to advance by a step of time, by body or by spring. All contenders do the
//! same work in one race and must come to the same result; what is reported is a ratio.

mod bonded;
mod boxes;
mod cases;
mod contacts;
mod convex;
mod cpp_driver;
mod dem;
mod error;
mod event_driven;
mod figure;
mod inside;
mod machine;
mod memory;
mod process;
mod python;
mod questions;
mod race;
mod record;
mod session;
mod tables;
mod timing;
mod triangulate;
mod verdict;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Measures carom against its peers on the same work.
#[derive(Parser)]
#[command(version, after_help = "Example: carom-bench contacts --tiny")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// All contacts: carom, its methods, Rust libraries and the textbook; or Python libraries if asked for
    Contacts(contacts::Settings),
    /// Event-driven runs: carom, its structures and the textbook
    EventDriven(event_driven::Settings),
    /// Weighted Delaunay triangulations: carom, spade and CGAL
    Triangulate(session::SessionSettings),
    /// Distances of convex bodies: carom with and without memory, and parry
    Convex(session::SettingsWithPeers),
    /// Overlapping pairs of moving boxes: carom with one list and with buckets, and parry
    Boxes(session::SessionSettings),
    /// Points inside of meshes: carom and parry; CGAL and Python libraries if asked for
    Inside(session::SettingsWithPeers),
    /// Beds of spheres and polyhedra in steps of time: carom, rapier; LAMMPS and LIGGGHTS if asked for
    Dem(dem::Settings),
    /// Lattices of springs that break: carom; LAMMPS BPM and Taichi if asked for
    Bonded(session::SettingsWithPeers),
    /// The tables of a document from the kept results
    Tables(tables::Settings),
}

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Contacts(settings) => contacts::run(&settings),
        Command::EventDriven(settings) => event_driven::run(&settings),
        Command::Triangulate(settings) => triangulate::run(&settings),
        Command::Convex(settings) => convex::run(&settings),
        Command::Boxes(settings) => boxes::run(&settings),
        Command::Inside(settings) => inside::run(&settings),
        Command::Dem(settings) => dem::run(&settings),
        Command::Bonded(settings) => bonded::run(&settings),
        Command::Tables(settings) => tables::run(&settings),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(error.exit_code())
        }
    }
}
