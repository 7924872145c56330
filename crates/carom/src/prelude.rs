//! What most programs need: `use carom::prelude::*;`.

pub use crate::run::{RunOutcome, SceneRun, Sink};
pub use crate::{
    BodyShape, Boundary, BroadPhaseMethod, Contact, ContactSearch, Mesh, Results, Sphere, World,
    contacts, distance,
};
pub use carom_detect::inside::Containment;
pub use carom_geometry::shape::ConvexPolyhedron;
pub use carom_geometry::{Pose, Vector};
pub use carom_scene::AnyScene;
pub use carom_scene::scene::{SceneBuilder, SceneTable};
pub use carom_simulate::{
    BodyChange, BodyProperty, Engine, EngineContact, NewBody, State, StateArray,
};
