//! Where two bodies touch, once a broad phase has named them.

pub mod closest_features;
mod sphere;

pub use closest_features::{
    Closest, ClosestFeatures, ClosestToPoint, Feature, Manifold, Pressure, Tile, pressure_on_tiles,
};
pub use sphere::{may_touch, overlap};
