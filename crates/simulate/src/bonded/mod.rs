//! Bodies of particles and springs that deform, yield and break.
//!
//! A body is a piece of a lattice ([`SpringLattice`], [`LatticeGrid`]) whose particles are joined by springs ([`Material`]); waves
//! run through it with the speed that its Young's modulus and density give ([`SpringLattice::solid`]). A step is one of
//! velocity Verlet's, each particle summing over its own springs, so that results are the same to the bit for any number
//! of threads. Springs may be stiffer when pushed than when pulled, be damped, keep sets and break; surroundings of
//! particles may resist swelling, for any Poisson's ratio. Only what a wave can have reached is stepped.
//!
//! Bodies meet by the particles and sides of their surfaces, of cracks too ([`Simulation`]), at the outlines that they
//! stand for ([`Body::set_outline`]): two balls of twenty spacings touch each other as long and push as hard as H. Hertz
//! says for round ones, within 4 per cent, at a hundredth of the speed of sound, and part with 0.999 of their speed.
//! Steps are halved where something would pass unseen.
//!
//! What falls short: while springs break, contacts of new faces come and go with the surface, so that the energies of
//! crushed stuff add up to some per cent only; cracks prefer the directions of the lattice; contact of some thousand
//! loose particles takes longer than their springs; a body in one piece does not touch itself.
//!
//! Cost: some nanoseconds for a spring and a step.

mod body;
mod contact_search;
mod energy;
mod fragments;
mod inelastic;
pub mod koti1989;
mod lattice;
mod lattice_grid;
mod lattice_surface;
mod material;
mod node_face_contact;
mod particles;
mod saved;
mod saved_contacts;
mod simulation;
mod spring_forces;
mod stepping;
mod surface_contact;
mod wall;
mod wave_front;

#[cfg(test)]
mod tests;

pub use body::Body;
pub use energy::{Energy, LatticeSpring};
pub use fragments::{Fragment, Fragments};
pub use lattice::{Link, Solid, SpringLattice};
pub use lattice_grid::{LatticeGrid, LatticeRow};
pub use material::Material;
pub use saved::{Saved, SavedBody};
pub use saved_contacts::SavedContacts;
pub use simulation::Simulation;
pub use surface_contact::SurfaceContactTotals;
pub use wall::Wall;
