//! Bodies of particles and springs that deform and break.

mod body;
mod front;
mod grid;
mod lattice;
mod material;
mod particles;
mod springs;

#[cfg(test)]
mod tests;

pub use body::Body;
pub use grid::{Grid, Row};
pub use lattice::{Lattice, Link, Solid};
pub use material::Material;
