//! The discrete element method (DEM): time-stepped soft bodies that overlap a little and repel each other.
//!
//! In every time step, bodies in contact exert forces on each other by a law ([`CompositeLaw`], or your own), and
//! all bodies move by velocity Verlet. Contacts keep their tangential displacement (contact history), so
//! that piles stand still. Results are the same to the bit for any number of threads.
//!
//! | want | take |
//! |---|---|
//! | to run a simulation | [`Simulation`] with [`Settings`] and [`Body`] |
//! | to choose the forces of a contact | [`CompositeLaw`], or [`Settings::with_materials`] by mixing rules ([`mixing`]) |
//! | a contact law of your own | [`ContactLaw`] |
//! | bodies that are no spheres | [`Shape`] |
//! | walls, at rest or moving | [`Wall`], [`WallMotion`] |
//! | energies, pressures, clusters, warnings | [`Energy`], [`BodyContacts`], [`Warning`] |
//! | to checkpoint and resume | [`SavedState`] |
//!
//! Cost: about a hundred nanoseconds per sphere of a dense bed and time step; the Verlet neighbor list is
//! rebuilt only when a body has moved half the skin.

mod body;
mod body_contacts;
mod checks;
mod contact_history;
mod contact_lanes;
mod contact_law;
mod contact_losses;
mod contact_point;
mod contacts;
mod energy;
mod energy_guard;
mod external_force;
mod forces;
mod gravity;
mod insert;
mod lost_body;
pub mod mixing;
mod neighbor_list;
mod pair_force;
mod present_bodies;
mod rotation_state;
mod saved;
mod saved_arrays;
mod shape;
mod shaped_contact;
mod simulation;
mod state;
mod time_step;
mod velocity_verlet;
mod wall;
mod warnings;

#[cfg(test)]
mod passage_tests;
#[cfg(test)]
mod repose_tests;
#[cfg(test)]
mod rest_tests;
#[cfg(test)]
mod state_tests;
#[cfg(test)]
mod tests;

pub use crate::shape::Shape;
pub use crate::wall::{MeshSurface, Wall, WallMotion, WallSurface};
pub use body::Body;
pub use body_contacts::BodyContacts;
pub use checks::check_periods;
pub use contact_history::ContactHistory;
pub use contact_law::{
    Cohesion, CompositeLaw, ContactForce, ContactKinematics, ContactLaw, Damping, LawHistory,
    NormalForceLaw, RollingResistance, TangentialForceLaw,
};
pub use contact_losses::ContactLosses;
pub use energy::Energy;
pub use external_force::{ForceFunction, ForceSum, INFINITE_FORCE};
pub use forces::StepTotals;
pub use gravity::Gravity;
pub use mixing::MaterialPairContact;
pub use pair_force::NearPair;
pub use present_bodies::PresentBodies;
pub use saved::{SavedRotation, SavedState};
pub use saved_arrays::HistoryNames;
pub use simulation::{DEFAULT_SKIN_RATIO, Settings, Simulation};
pub use time_step::{TimeStepChoice, choose_time_step};
pub use warnings::Warning;
