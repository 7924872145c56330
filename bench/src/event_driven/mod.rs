//! `carom-bench event-driven`: event-driven runs on one thread, with every structure and beside the
//! textbook.
//!
//! The unit of work is a collision of two bodies; the result is collisions per second of the
//! processor, counted work per collision and memory per body.

mod contender;
mod start;
mod system;
mod textbook;

use crate::cases::Case;
use crate::error::Error;
use crate::race::Plan;
use crate::session::{self, Session};
use contender::contenders;
use system::FluidRun;

/// Settings of the command.
#[derive(Debug, clap::Args)]
pub struct Settings {
    #[command(flatten)]
    session: session::SessionSettings,
    /// Only systems of this many bodies; writes nothing unless --out is given
    #[arg(long, value_name = "N")]
    bodies: Vec<usize>,
}

/// Measures every case.
pub fn run(settings: &Settings) -> Result<(), Error> {
    let mut session = Session::new("event-driven", &settings.session)?;
    session.is_partial = !settings.bodies.is_empty();
    let is_wanted = |case: &Case| !session.is_partial || settings.bodies.contains(&case.size);
    for case in session.cases().into_iter().filter(is_wanted).collect::<Vec<_>>() {
        let fluid = FluidRun::of(&case);
        let contenders = match fluid.system.dimension {
            2 => contenders::<2>(&fluid)?,
            _ => contenders::<3>(&fluid)?,
        };
        session.measure(&case.name(), contenders, &Plan::warm(case.rounds))?;
    }
    let bodies = settings.bodies.iter().map(|bodies| format!(" --bodies {bodies}"));
    session.finish("event_driven", &bodies.collect::<String>())
}
