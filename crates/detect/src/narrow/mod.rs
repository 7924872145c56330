//! Where two bodies touch, once a broad phase has named them.

mod sphere;

pub use sphere::{may_touch, overlap};
