use thiserror::Error;

/// Why a simulation was refused; the message is one sentence.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A number of a body breaks a rule.
    #[error("body {body} has {what} {value}; {rule}")]
    Body {
        /// Its number, from zero.
        body: usize,
        /// Which property.
        what: &'static str,
        /// What it is.
        value: String,
        /// What is allowed.
        rule: &'static str,
    },
    /// A body does not lie between the walls, or not in the periodic box.
    #[error(
        "body {body} with radius {radius} is at {coordinate} on axis {axis}, outside the box from 0 to {size}; move it inside or make the box larger"
    )]
    OutsideBox {
        /// Its number, from zero.
        body: usize,
        /// Its radius.
        radius: f64,
        /// Where it is.
        coordinate: f64,
        /// On which axis.
        axis: char,
        /// Length of the box.
        size: f64,
    },
    /// Two bodies overlap at the start.
    #[error(
        "bodies {first} and {second} overlap by {overlap} at the start; an event-driven run needs a start without overlap"
    )]
    Overlap {
        /// The smaller number, from zero.
        first: u32,
        /// The other.
        second: u32,
        /// How deep.
        overlap: f64,
    },
    /// A setting breaks a rule.
    #[error("{what} is {value}; {rule}")]
    Setting {
        /// Its name.
        what: &'static str,
        /// What it is.
        value: String,
        /// What is allowed.
        rule: &'static str,
    },
    /// Collisions without end at one moment.
    #[error(
        "time stands still at {time}: {collisions} collisions in a row did not bring it on{}; bodies that touch from end to end \
         of the box or of a group pass their motion on for ever: start them a little apart, by smaller radii or a \
         larger box",
        named(bodies)
    )]
    TimeStandsStill {
        /// Simulated time.
        time: f64,
        /// How many.
        collisions: u64,
        /// Whose collision is the next.
        bodies: Vec<usize>,
    },
    /// A run that ends by its collisions has none.
    #[error(
        "no two bodies have met from time {since} to {time}, while walls and periodic sides were reached {passages} \
         times: the run would not come to its end after more than {collisions} collisions; give it an end in time by \
         until"
    )]
    NoCollisions {
        /// Simulated time.
        time: f64,
        /// When the last two met.
        since: f64,
        /// Walls hit and periodic sides passed since.
        passages: u64,
        /// Collisions so far.
        collisions: u64,
    },
    /// A solid breaks a rule.
    #[error("of solid {solid}, {error}")]
    Solid {
        /// Its number, from zero.
        solid: usize,
        /// Which rule.
        error: Box<Error>,
    },
    /// Bodies would meet themselves through a periodic box.
    #[error(
        "the period {size} of axis {axis} is too short for bodies {widest} wide; it must be more than twice as long"
    )]
    ShortPeriod {
        /// Which axis.
        axis: char,
        /// Its length.
        size: f64,
        /// The largest diameter.
        widest: f64,
    },
    /// The box has too few cells for a structure.
    #[error(
        "the box is {size} long on axis {axis}, too short for the {structure} with bodies {widest} wide; it needs five cells along a periodic axis, so choose neighbor-lists or auto"
    )]
    TooFewCells {
        /// Which axis.
        axis: char,
        /// Its length.
        size: f64,
        /// The structure.
        structure: &'static str,
        /// The largest diameter.
        widest: f64,
    },
    /// A step with which no packing is stable.
    #[error(
        "the step is {step:?}, but the shortest collision takes {collision:.3e}; it must be below {:.3e} \
         to be stable, and a fiftieth of that collision is taken if it is left out",
        0.3 * collision
    )]
    UnstableTimeStep {
        /// As it was given.
        step: f64,
        /// How long the shortest collision takes.
        collision: f64,
    },
    /// A body is behind a wall at the start, or deep in it.
    #[error(
        "body {body} is {overlap:?} deep in wall {wall} at the start; it may be at most a fifth of its \
         radius deep, and must be on the side to which a plane or a cylinder is open: move the body or the \
         wall"
    )]
    WallOverlap {
        /// Its number, from zero.
        body: usize,
        /// That of the wall.
        wall: usize,
        /// How deep.
        overlap: f64,
    },
    /// More energy appeared in a step than there was.
    #[error(
        "the energy grows by {gained:.3e} at time {time:.6}, more than the {known:.3e} that was there: \
         {body}, which {contact}, is thrown off; let no body start in a wall or be carried through one, \
         take a shorter step or a stiffer law, or continue all the same with --force-energy"
    )]
    EnergyJump {
        /// The fastest body, such as `body 7`.
        body: String,
        /// When.
        time: f64,
        /// What it touches, after "which".
        contact: String,
        /// Energy that appeared.
        gained: f64,
        /// Energy that there was, or that was exchanged.
        known: f64,
    },
    /// A plane or cylinder that periodic images do not continue.
    #[error(
        "wall {wall} lies across the periodic axis {axis}: bodies that leave the box there come in on its other side; \
         a plane must be along every periodic axis and a cylinder along it or inside of the box, so make the axis open"
    )]
    WallAcrossPeriod {
        /// The number of the wall.
        wall: usize,
        /// Which axis.
        axis: char,
    },
    /// A body that is nowhere or infinitely fast.
    #[error(
        "body {body} is lost at time {time}: its place or velocity is no usable number, after {contact}; \
         take a shorter step, a stiffer law or a slower start"
    )]
    LostBody {
        /// Its number, from zero.
        body: usize,
        /// When.
        time: f64,
        /// What it touched last, in words.
        contact: String,
    },
    /// Two bodies are deep in each other at the start.
    #[error(
        "bodies {first} and {second} are {overlap:?} deep in each other at the start; more than a fifth of \
         their size would throw them apart, so move them"
    )]
    DeepOverlap {
        /// The smaller number, from zero.
        first: u32,
        /// The other.
        second: u32,
        /// How deep.
        overlap: f64,
    },
    /// A particle of a body of springs is nowhere.
    #[error(
        "particle {particle} of solid {solid} is nowhere at time {time:?}; take a shorter step, or slower or stiffer solids"
    )]
    LostParticle {
        /// Its number, from zero.
        particle: usize,
        /// The number of its body.
        solid: usize,
        /// When.
        time: f64,
    },
    /// A body of springs is where numbers are too coarse for its lattice.
    #[error(
        "solid {solid} is {distance:.3e} from the origin at time {time:?}, where numbers are too coarse for its spacing {spacing:?}; keep it nearer, by a slower velocity or an earlier end"
    )]
    FarAway {
        /// Its number, from zero.
        solid: usize,
        /// Along an axis.
        distance: f64,
        /// Of its lattice.
        spacing: f64,
        /// When.
        time: f64,
    },
    /// A shape cannot be used.
    #[error("a shape cannot be used: {0}")]
    Shape(String),
    /// What the search for contacts refused.
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

/// ", the next of bodies 3 and 4", as far as they are known.
fn named(bodies: &[usize]) -> String {
    match bodies {
        [] => String::new(),
        [body] => format!(", the next of body {body} with a wall"),
        [first, second, ..] => format!(", the next of bodies {first} and {second}"),
    }
}
