//! The Python package carom: arrays in, the libraries' answers out as arrays.
//!
//! A file for each noun of the package. What they share: [`arrays`] (NumPy in and out), [`boundary`] and [`pose`]
//! (arguments in the forms that people write them in), [`thread_pool`] (work without the interpreter's lock),
//! [`errors`] (one sentence, one class). There are no decisions here: what can be decided is decided by the crates.
//!
//! The classes of errors and everything that is simpler in Python are in `python/carom`.

mod answers;
mod arrays;
mod boundary;
mod callbacks;
mod contacts;
mod errors;
mod frame;
mod frame_parts;
mod generate;
mod memory;
mod mesh;
mod names;
mod pair_memory;
mod particles;
mod polyhedron;
mod pose;
mod present_state;
mod program;
mod results;
mod run;
mod run_errors;
mod rust_calls;
mod saved_bodies;
mod scene;
mod simulation;
mod spheres;
mod state;
mod state_arrays;
mod sweep;
mod thread_pool;
mod toml_tables;
mod triangulation;
mod world;

#[global_allocator]
static ALLOCATOR: carom_cli::ExitingAllocator = carom_cli::ExitingAllocator;

/// carom's compiled part; import carom instead.
#[pyo3::pymodule(gil_used = false)]
mod _carom {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::contacts::{ContactSearch, Contacts, contacts, contacts_from_parts};
    #[pymodule_export]
    use crate::frame::Frame;
    #[pymodule_export]
    use crate::frame_parts::frame_of_parts;
    #[pymodule_export]
    use crate::generate::{case, foam, lattice, particles, polyhedron, sphere};
    #[pymodule_export]
    use crate::memory::set_memory;
    #[pymodule_export]
    use crate::mesh::Mesh;
    #[pymodule_export]
    use crate::names::unknown_name;
    #[pymodule_export]
    use crate::particles::{read_particles, write_particles};
    #[pymodule_export]
    use crate::polyhedron::{ClosestFeatures, Distance, Polyhedron, distance};
    #[pymodule_export]
    use crate::program::run_program;
    #[pymodule_export]
    use crate::results::{ResultsReader, export_page, read_checkpoint, write_results};
    #[pymodule_export]
    use crate::run::{parse_duration, run};
    #[pymodule_export]
    use crate::rust_calls::{time_contacts, time_contains};
    #[pymodule_export]
    use crate::scene::{
        CheckedScene, as_run, format_toml, format_toml_value, parse_toml, plain_tables, schema,
        shipped_scenes,
    };
    #[pymodule_export]
    use crate::simulation::Simulation;
    #[pymodule_export]
    use crate::state::State;
    #[pymodule_export]
    use crate::sweep::sweep;
    #[pymodule_export]
    use crate::thread_pool::{panic_on_purpose, set_threads, threads};
    #[pymodule_export]
    use crate::triangulation::{Triangulation, triangulate};
    #[pymodule_export]
    use crate::world::World;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
