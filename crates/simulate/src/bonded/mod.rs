//! Bonded particles: solids of particles joined by springs that deform, yield and break.
//!
//! A [`Body`] is a piece of a lattice ([`SpringLattice`], [`LatticeGrid`]) whose particles are joined by springs with
//! the properties that stand for a [`Material`] ([`SpringProperties`]); waves travel through it at the speed that its Young's modulus and density give
//! ([`SpringLattice::solid`]). A [`Simulation`] steps many bodies and their contacts.
//!
//! The time integration is velocity Verlet in its leapfrog form. Each particle sums over its own springs, so that
//! results are the same to the bit for any number of threads. Springs may be stiffer in compression than in tension, be
//! damped, yield and break; a resistance of each particle's neighborhood to dilatation allows any Poisson's ratio. Only
//! the particles that a wave can have reached are stepped.
//!
//! Bodies touch by node-face contacts of their surfaces, faces of cracks included, at the outlines of the shapes that
//! they stand for ([`Body::set_outline`]). Two balls with a radius of twenty spacings that meet at a hundredth of the
//! speed of sound follow the contact duration and peak force of H. Hertz within 4 percent, with a coefficient of
//! restitution of 0.999. The time step is halved where a particle would pass through a face.
//!
//! Limits: while springs break, contacts of new faces appear and vanish with the surface, so that the energy balance of
//! crushed material closes to some percent only; cracks prefer the directions of the lattice; contacts of some thousand
//! loose particles take longer than their springs; an uncracked body does not touch itself.
//!
//! Cost: some nanoseconds per spring and time step.

mod body;
mod contact_search;
mod continuation;
mod energy;
mod external_force;
mod fragments;
mod inelastic;
mod lattice;
mod lattice_grid;
mod lattice_surface;
mod node_face_contact;
mod particles;
mod saved;
mod saved_arrays;
mod saved_contacts;
mod simulation;
mod spring_forces;
mod spring_properties;
mod state;
mod stepping;
mod surface_contact;
mod wall_loads;
mod wave_front;

#[cfg(test)]
mod tests;

pub use crate::material::{Material, SpringFailureCriterion, Springs};
pub use body::{Body, DissipatedEnergy};
pub use energy::{Energy, LatticeSpring};
pub use fragments::{Fragment, Fragments, SolidMotion};
pub use lattice::{Link, Solid, SpringLattice};
pub use lattice_grid::{LatticeGrid, LatticeRow};
pub use saved::{SavedBody, SavedState};
pub use saved_contacts::SavedContacts;
pub use simulation::Simulation;
pub use spring_properties::SpringProperties;
pub use surface_contact::SurfaceContactTotals;
