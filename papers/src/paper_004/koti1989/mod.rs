//! The method of S. Koti's thesis ("Simulation of deformation of colliding objects using particle systems", Montana
//! State University, 1989), kept with its faults, so that its figures can be reproduced.
//!
//! Circles are filled with particles on a grid, each joined to four neighbors. While nothing collides, objects move
//! rigidly; when two particles of their boundaries come near, an impact is played: its duration (2.1) and force (2.4)
//! are prescribed by H. Hertz's theory of spheres, the force is divided among the pairs that were near, and particles
//! that the impact can have reached follow their springs.
//!
//! For anything but a comparison take [`Simulation`](carom::simulate::bonded::Simulation). Its faults, each shown by a test:
//!
//! | part | fault |
//! |---|---|
//! | boundary: the first and last particle of each row | 29 % of the particles that lack a neighbor are missed, those of flat parts of the rim |
//! | four neighbors | nothing resists shear: rows slide through the body |
//! | boxes | particles in boxes side by side are not compared |
//! | step halved until no pair has crossed, a pair having crossed when both dx and dy change signs | motion along an axis changes one sign only, so a head-on collision is never seen to cross |
//! | force (2.4), a sine | its impulse is 2.135 times mass and speed, so bodies part with 1.135 times their speed |
//! | speed of the impact: length of the relative velocity | sliding counts as hitting |
//! | shares of pairs | a particle of several pairs gets the share of the last only, so that momentum is not kept |
//! | update w = ut + at²/2, v = u + at | unstable with any step: the energy of an oscillation of frequency ω grows by 1 + (ωt)²/2 in each |
//! | velocity of an object after its impact | the listing changes a copy, so that objects continue as before; see [`Recovery`] |
//!
//! Of the listing, `globals.h`, `compute_time_step`, `get_neighbor`, `external_acceleration` and parts of others are
//! lost. The constants of the first are [`Koti1989Constants`]; the others are what the text says of them: pairs for the
//! crossing test are those in the same box before the step, the intervals of an impact are numbered from 1, and the
//! front spreads for twice the grid. Numbers are `f64` where the original had `float`.

mod boxes;
mod constants;
mod data_file;
mod error;
mod impact;
mod object;
mod run;
mod update;

#[cfg(test)]
mod tests;

pub use constants::{Koti1989Constants, Recovery};
pub use data_file::{
    Koti1989InvalidField, Koti1989Object, Koti1989Scene, parse_koti1989, read_koti1989,
};
pub use error::Koti1989Error;
pub use impact::Koti1989Impact;
pub use object::{Koti1989Energy, Koti1989Particle, Object, Status};
pub use run::{Collision, Koti1989Event, Run};
pub use update::{has_crossed, update};
