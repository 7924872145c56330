//! Event-driven simulation of hard discs and spheres.
//!
//! Nothing happens between events, so bodies are moved from event to event: collisions with each
//! other and with walls, passages through periodic sides, new predictions of their path in a force
//! field, and changes of the structure that knows their neighbours. Gavrilova and Rokne, "Collision
//! detection optimization in a multi-particle system", section 2.
//!
//! | want | take |
//! |---|---|
//! | to run | [`Simulation`] |
//! | to say how | [`Settings`], [`Region`] |
//! | to choose a neighbour structure | [`Structure`]; `Auto` is right nearly always |

mod bodies;
mod body;
mod calendar;
mod checks;
mod choose;
mod collision;
mod counters;
mod end;
mod engine;
mod engines;
mod fetch;
mod first_touch;
mod lanes;
mod memory;
mod neighbours;
mod order;
mod pages;
mod predict;
mod properties;
mod quartic;
mod saved;
mod schedule;
mod settings;
mod simulation;
mod thermostat;

pub use bodies::{Pull, Scale};
pub use body::{Body, BodyStart};
pub use carom_scene::scene::{Growth, GrowthTarget, Region, Restitution, Side, Thermostat};
pub use counters::Counters;
pub use engine::Pause;
pub use memory::Memory;
pub use properties::Properties;
pub use saved::{Block, Saved};
pub use settings::{Acceleration, Field, Settings, Structure};
pub use simulation::Simulation;
