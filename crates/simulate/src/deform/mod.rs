//! Bodies of particles and springs that deform and break.
//!
//! A body is a piece of a lattice ([`Lattice`], [`Grid`]) whose particles are joined by springs ([`Material`]); waves
//! run through it with the speed that its Young's modulus and density give ([`Lattice::solid`]). A step is one of
//! velocity Verlet's, each particle summing over its own springs, so that results are the same to the bit for any number
//! of threads. Springs may be stiffer when pushed than when pulled and break when stretched too far. Only what a wave
//! can have reached is stepped.
//!
//! Bodies meet by the particles and sides of their surfaces, of cracks too ([`Simulation`]).
//!
//! Two balls of twenty spacings touch each other 6 per cent shorter than H. Hertz says for round ones, push 7 per cent
//! harder and part with 0.99 of their speed; with fourteen, see the tests. Lattices of surfaces have steps.
//!
//! Still to come: yield, damping, fragments, a volumetric term, a step that follows fast impacts, scenes.
//!
//! Cost: some nanoseconds for a spring and a step.

mod body;
mod contact;
mod energy;
mod fragments;
mod front;
mod grid;
mod inelastic;
mod lattice;
mod material;
mod particles;
mod saved;
mod simulation;
mod springs;
mod stepping;
mod surface;

#[cfg(test)]
mod tests;

pub use body::Body;
pub use contact::{Touch, Touched, Wall};
pub use energy::{Energy, Spring};
pub use fragments::{Fragment, Fragments};
pub use grid::{Grid, Row};
pub use lattice::{Lattice, Link, Solid};
pub use material::Material;
pub use saved::{Saved, SavedBody};
pub use simulation::Simulation;
