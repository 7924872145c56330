//! The errors of pictures.

use thiserror::Error;

/// Why a picture was refused; the message is one sentence on one line.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A picture of this many items would show nothing and overload its viewer.
    #[error("{count} {what} are too many for a picture; at most {most} can be drawn")]
    TooManyToDraw {
        /// Particles or contacts.
        what: &'static str,
        /// Number of items given.
        count: usize,
        /// Largest number allowed.
        most: usize,
    },
    /// A contact names a particle that does not exist.
    #[error("a contact names particle {index}, but there are only {count} (counted from zero)")]
    NoSuchParticle {
        /// Index of the particle.
        index: u32,
        /// Number of particles.
        count: usize,
    },
    /// The picture cannot be encoded.
    #[error(transparent)]
    Io(#[from] carom_io::Error),
}
