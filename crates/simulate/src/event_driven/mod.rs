//! Event-driven simulation of hard discs and spheres.
//!
//! Nothing happens between events, so bodies are moved from event to event: collisions with each
//! other and with walls, passages through periodic sides, new predictions of their path in a force
//! field, and changes of the structure that knows their neighbors. Gavrilova and Rokne, "Collision
//! detection optimization in a multi-particle system", section 2.
//!
//! | want | take |
//! |---|---|
//! | to run | [`Simulation`] |
//! | to say how | [`Settings`], [`Region`] |
//! | to choose a neighbor structure | [`Structure`]; `Auto` is right nearly always |

mod body;
mod calendar;
mod checks;
mod collision_prediction;
mod collision_rule;
mod contact_time_simd;
mod counters;
mod defaults;
mod event_loop;
mod event_loop_dispatch;
mod gap_closing_time;
mod hard_spheres;
mod huge_pages;
mod memory;
mod neighbors;
mod prefetch;
mod properties;
mod quartic;
mod region_face;
mod saved;
mod schedule;
mod settings;
mod simulation;
mod storage_order;
mod thermostat;

pub use body::{Body, BodyStart};
pub use carom_scene::scene::{
    BoundaryCondition, GrowthTarget, LubachevskyStillingerGrowth, Region, Restitution, Thermostat,
};
pub use counters::Counters;
pub use event_loop::PauseReason;
pub use hard_spheres::{FieldAcceleration, RadiusScale};
pub use memory::EventDrivenMemory;
pub use properties::CollisionProperties;
pub use saved::{PressureBlock, Saved};
pub use settings::{AccelerationFunction, ForceField, NeighborStructure, Settings};
pub use simulation::Simulation;
