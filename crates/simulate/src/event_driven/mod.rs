//! Event-driven molecular dynamics (EDMD) of hard discs and spheres.
//!
//! Bodies move freely between events, so time advances from one event to the next: collisions of two
//! bodies, collisions with walls, passages through periodic faces, new trajectory predictions in a force
//! field, and changes of the kinetic neighbor structure. Gavrilova and Rokne, "Collision detection
//! optimization in a multi-particle system", section 2.
//!
//! | want | take |
//! |---|---|
//! | to run a simulation | [`Simulation`] |
//! | to describe box, gravity, restitution, thermostat, growth | [`Settings`], [`Region`] |
//! | to choose a neighbor structure | [`NeighborStructure`]; `Auto` is right nearly always |
//! | to checkpoint and resume | [`SavedState`] |

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
mod growth;
mod hard_spheres;
mod huge_pages;
mod memory;
mod neighbors;
mod prefetch;
mod properties;
mod quartic;
mod region_face;
mod saved;
mod saved_arrays;
mod schedule;
mod settings;
mod simulation;
mod state;
mod storage_order;
mod thermostat;

pub use crate::{BoundaryCondition, Region, Restitution};
pub use body::{Body, BodyStart};
pub use counters::Counters;
pub use event_loop::PauseReason;
pub use growth::{GrowthTarget, LubachevskyStillingerGrowth};
pub use hard_spheres::{FieldAcceleration, RadiusScale};
pub use memory::EventDrivenMemory;
pub use properties::CollisionProperties;
pub use saved::{PressureBlock, SavedState};
pub use settings::{AccelerationFunction, FieldBody, ForceField, NeighborStructure, Settings};
pub use simulation::Simulation;
pub use thermostat::Thermostat;
