//! Time in steps (DEM): bodies that overlap a little and repel each other.
//!
//! Every step, bodies that touch push each other by a law made of parts ([`ContactLaw`]), and all
//! bodies move by velocity Verlet. Contacts remember how far they were displaced, so that piles stand
//! still. Results are the same to the bit for any number of threads.
//!
//! Cost: about a hundred nanoseconds for a sphere of a dense bed and a step; neighbours are found
//! again only when a body has moved half the skin.

mod body;
mod body_contacts;
mod checks;
mod energy_guard;
mod figures;
mod forces;
mod four;
mod gravity;
mod history;
mod insert;
mod law;
mod lost;
mod meeting;
mod motion;
mod neighbours;
mod row;
mod saved;
mod shape;
mod shaped;
mod simulation;
mod step_size;
mod turn;
mod wall;
mod warnings;

#[cfg(test)]
mod repose_tests;
#[cfg(test)]
mod rest_tests;
#[cfg(test)]
mod tests;

pub use body::Body;
pub use body_contacts::BodyContacts;
pub use checks::check_periods;
pub use figures::Energy;
pub use forces::Tally;
pub use gravity::Gravity;
pub use history::History;
pub use law::{Cohesion, ContactLaw, Damping, Normal, Rolling, Tangential};
pub use saved::{Saved, SavedTurn};
pub use shape::Shape;
pub use simulation::{SKIN, Settings, Simulation};
pub use step_size::{StepChoice, choose};
pub use wall::{Drive, MeshSurface, Surface, Wall};
pub use warnings::{Obstacle, Warning};
