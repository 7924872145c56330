//! Where two bodies touch, once a broad phase has named them.

pub mod closest_features;
mod sphere;

pub use closest_features::{
    ClosestFeatures, ClosestPoints, ClosestToPoint, ContactManifold, ContactPatch,
    PolyhedronFeature, Tile, contact_patch_on_tiles,
};
pub use sphere::{may_touch, overlap};
