//! The errors of simulations.

use thiserror::Error;

/// Why a simulation was refused or stopped.
///
/// Each message is one sentence that names the thing, its value and the rule it breaks.
///
/// ```
/// use carom_simulate::event_driven::{BodyStart, Region, Settings, Simulation};
/// let bodies = [4.0, 5.5].map(|x| BodyStart::new([x, 5.0], [0.0, 0.0], 1.0));
/// let refused = Simulation::new(&bodies, Settings::new(Region::periodic([10.0, 10.0])));
/// assert_eq!(
///     refused.err().map(|error| error.to_string()).as_deref(),
///     Some(
///         "bodies 0 and 1 overlap by 0.5 at the start; an event-driven run needs a start without overlap"
///     )
/// );
/// ```
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A property of a body breaks a rule.
    #[error("body {body} has {what} {value}; {rule}")]
    Body {
        /// Index of the body, from zero.
        body: usize,
        /// Name of the property.
        what: &'static str,
        /// Value of the property.
        value: String,
        /// The rule that the value breaks.
        rule: &'static str,
    },
    /// A body is not between the walls, or its center is outside the periodic box.
    #[error(
        "body {body} with radius {radius} is at {coordinate} on axis {axis}, outside the box from 0 to {size}; move it inside or make the box larger"
    )]
    OutsideBox {
        /// Index of the body, from zero.
        body: usize,
        /// Radius of the body.
        radius: f64,
        /// Coordinate of its center on the axis.
        coordinate: f64,
        /// The axis: `x`, `y` or `z`.
        axis: char,
        /// Length of the box along the axis.
        size: f64,
    },
    /// Two bodies overlap at the start of an event-driven run.
    #[error(
        "bodies {first} and {second} overlap by {overlap} at the start; an event-driven run needs a start without overlap"
    )]
    Overlap {
        /// The smaller index of the two bodies, from zero.
        first: u32,
        /// The larger index of the two bodies.
        second: u32,
        /// Penetration depth.
        overlap: f64,
    },
    /// A setting breaks a rule.
    #[error("{what} is {value}; {rule}")]
    Setting {
        /// Name of the setting.
        what: &'static str,
        /// Value of the setting.
        value: String,
        /// The rule that the value breaks.
        rule: &'static str,
    },
    /// Collisions follow each other without end at one moment (inelastic collapse or a closed chain of contacts).
    #[error(
        "the simulated time does not advance beyond {time}, after {collisions} collisions in a row{}; in a chain of touching \
         bodies across the box or around a group collisions never end: start them a little apart, by smaller radii or a \
         larger box",
        named(bodies)
    )]
    TimeStandsStill {
        /// Simulated time of the error.
        time: f64,
        /// Number of collisions at this time.
        collisions: u64,
        /// The bodies of the next collision: two, or one that hits a wall.
        bodies: Vec<usize>,
    },
    /// A run that is to end after a number of collisions has none.
    #[error(
        "no two bodies have collided from time {since} to {time}, while walls and periodic faces were reached {passages} \
         times: the run would not get beyond {collisions} collisions; end it at a time by until"
    )]
    NoCollisions {
        /// Simulated time of the error.
        time: f64,
        /// Time of the last collision of two bodies.
        since: f64,
        /// Wall collisions and passages through periodic faces since then.
        passages: u64,
        /// Number of collisions of two bodies so far.
        collisions: u64,
    },
    /// A bonded solid breaks a rule.
    #[error("of solid {solid}, {error}")]
    Solid {
        /// Index of the solid, from zero.
        solid: usize,
        /// The rule that it breaks.
        error: Box<Error>,
    },
    /// Bodies would collide with their own images through a periodic box.
    #[error(
        "the period {size} of axis {axis} is too short for bodies of diameter {widest}; it must be more than twice the diameter"
    )]
    ShortPeriod {
        /// The axis: `x`, `y` or `z`.
        axis: char,
        /// Period of the box along the axis.
        size: f64,
        /// The largest diameter of a body.
        widest: f64,
    },
    /// The box has too few cells for a neighbor structure.
    #[error(
        "the box is {size} long on axis {axis}, too short for the {structure} with bodies {widest} wide; it needs five cells along a periodic axis, so choose neighbor-lists or auto"
    )]
    TooFewCells {
        /// The axis: `x`, `y` or `z`.
        axis: char,
        /// Length of the box along the axis.
        size: f64,
        /// Name of the neighbor structure.
        structure: &'static str,
        /// The largest diameter of a body.
        widest: f64,
    },
    /// A time step with which no dense packing is stable.
    #[error(
        "the time step is {step:?}, but the shortest collision takes {collision:.3e}; it must be below {:.3e} \
         to be stable, and a fiftieth of that collision is taken if it is left out",
        0.3 * collision
    )]
    UnstableTimeStep {
        /// The time step as it was given.
        step: f64,
        /// Duration of the shortest collision.
        collision: f64,
    },
    /// A body is behind a wall at the start, or penetrates it too deeply.
    #[error(
        "body {body} penetrates wall {wall} by {overlap:?} at the start; it may do so by at most a fifth of its \
         radius, and its center must be on the open side of a plane or cylinder: move the body or the \
         wall"
    )]
    WallOverlap {
        /// Index of the body, from zero.
        body: usize,
        /// Index of the wall, from zero.
        wall: usize,
        /// Penetration depth.
        overlap: f64,
    },
    /// More energy appeared in a time step than there was.
    #[error(
        "the energy grows by {gained:.3e} at time {time:.6}, more than the {known:.3e} that was there: \
         {body}, which {contact}, is ejected; start no body inside a wall, move no wall through a body, \
         take a shorter time step or a stiffer law, or accept the gain by --force-energy"
    )]
    EnergyJump {
        /// The fastest body, such as `body 7`.
        body: String,
        /// Simulated time of the error.
        time: f64,
        /// What the body touches, as a clause that follows "which".
        contact: String,
        /// Energy that appeared.
        gained: f64,
        /// Energy that was there before, or was exchanged with walls and gravity.
        known: f64,
    },
    /// A plane or cylinder whose periodic images do not continue it.
    #[error(
        "wall {wall} does not continue across the periodic axis {axis}: bodies that leave the box there enter on the other side; \
         a plane must be parallel to every periodic axis, a cylinder parallel to it or inside of the box: make the axis open"
    )]
    WallAcrossPeriod {
        /// Index of the wall, from zero.
        wall: usize,
        /// The axis: `x`, `y` or `z`.
        axis: char,
    },
    /// A body whose position or velocity is no longer finite.
    #[error(
        "body {body} is lost at time {time}: its position or velocity is not finite or far too large, after {contact}; \
         take a shorter time step, a stiffer law or a slower start"
    )]
    LostBody {
        /// Index of the body, from zero.
        body: usize,
        /// Simulated time of the error.
        time: f64,
        /// What the body touched last, in words.
        contact: String,
    },
    /// A contact law has parameters that cannot be used.
    #[error("the contact law of materials {} and {} cannot be used: {reason}", materials[0], materials[1])]
    ContactLaw {
        /// The materials.
        materials: [u32; 2],
        /// The parameter, its value and the rule that it breaks.
        reason: String,
    },
    /// A contact law returned a number that is not finite.
    #[error("the contact law gives {what} of {value} at time {time}; it must be finite")]
    ContactForce {
        /// What is not finite, and where, such as `body 7 a force` or `a loss`.
        what: String,
        /// The number.
        value: f64,
        /// Simulated time of the error.
        time: f64,
    },
    /// Two bodies penetrate each other too deeply at the start of a DEM run.
    #[error(
        "bodies {first} and {second} overlap by {overlap:?} at the start; more than a fifth of their size \
         would eject them: move them apart"
    )]
    DeepOverlap {
        /// The smaller index of the two bodies, from zero.
        first: u32,
        /// The larger index of the two bodies.
        second: u32,
        /// Penetration depth.
        overlap: f64,
    },
    /// The position of a bonded particle is no longer finite.
    #[error(
        "the position of particle {particle} of solid {solid} is not finite at time {time:?}; take a shorter time step, or slower or stiffer solids"
    )]
    LostParticle {
        /// Index of the particle, from zero.
        particle: usize,
        /// Index of its solid, from zero.
        solid: usize,
        /// Simulated time of the error.
        time: f64,
    },
    /// A bonded solid is so far from the origin that rounding is too coarse for its lattice.
    #[error(
        "solid {solid} is {distance:.3e} from the origin at time {time:?}, where rounding is too coarse for its lattice spacing {spacing:?}; keep it nearer, by a slower velocity or an earlier end"
    )]
    FarAway {
        /// Index of the solid, from zero.
        solid: usize,
        /// Largest distance of the solid from the origin along an axis.
        distance: f64,
        /// Spacing of its lattice.
        spacing: f64,
        /// Simulated time of the error.
        time: f64,
    },
    /// A shape cannot be used.
    #[error("a shape cannot be used: {0}")]
    Shape(String),
    /// A period of the box cannot be used.
    #[error(transparent)]
    Boundary(#[from] carom_geometry::BoundaryError),
    /// The broad phase refused the bodies.
    #[error(transparent)]
    Search(#[from] carom_detect::Error),
    /// A saved state does not belong to these settings.
    #[error("the saved state does not fit: {0}")]
    Saved(String),
}

/// The name of an axis.
pub(crate) fn axis_name(axis: usize) -> char {
    ['x', 'y', 'z'][axis]
}

/// Returns ", the next of bodies 3 and 4", or less if fewer bodies are known.
fn named(bodies: &[usize]) -> String {
    match bodies {
        [] => String::new(),
        [body] => format!(", the next of body {body} with a wall"),
        [first, second, ..] => format!(", the next of bodies {first} and {second}"),
    }
}
