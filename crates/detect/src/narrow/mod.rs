//! Narrow phase: distance, penetration depth and contact points of a pair that a broad phase has reported.
//!
//! [`overlap`] and [`may_touch`] test two spheres; [`ClosestFeatures`] answers for two convex polyhedra
//! (GJK and EPA with a warm start), [`ContactManifold`] and [`ContactPatch`] give where forces act between
//! them, [`ClosestToPoint`] answers for a point or a sphere against a polyhedron.

pub mod closest_features;
mod sphere;

pub use closest_features::{
    ClosestFeatures, ClosestPoints, ClosestToPoint, ContactManifold, ContactPatch,
    PolyhedronFeature, Tile, contact_patch_on_tiles,
};
pub use sphere::{may_touch, overlap};
