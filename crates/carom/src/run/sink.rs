//! Where rows, frames and checkpoints of a run go: the trait for sinks of your own.

use super::{Ending, Error, Run, RunProgress};
use carom_io::Frame;
use carom_simulate::Values;

/// Receives the output of a run. Every method has a default that does nothing.
pub trait Sink<const D: usize> {
    /// Receives a row of the log: the values of [`Run::columns`].
    fn log(&mut self, _row: &Values) -> Result<(), Error> {
        Ok(())
    }

    /// Called when a frame is due; `frame` builds it.
    fn frame(&mut self, _frame: &dyn Fn() -> Frame<D>) -> Result<(), Error> {
        Ok(())
    }

    /// Calls `work`, which computes a row; for sinks that measure its time.
    fn measure(&mut self, work: &mut dyn FnMut()) {
        work();
    }

    /// Calls `work`, which advances the run for some hundredths of a second; for sinks that give it to other threads.
    fn advance(&mut self, work: &mut (dyn FnMut() + Send)) {
        work();
    }

    /// Called some ten times a second; the returned value controls the run.
    fn progress(&mut self, _progress: &RunProgress) -> Control {
        Control::Continue
    }

    /// Called at start and end and after [`Control::Checkpoint`] or [`Control::Stop`]; [`Run::checkpoint`] gives the
    /// data to be stored.
    fn checkpoint(&mut self, _run: &Run<D>) -> Result<(), Error> {
        Ok(())
    }

    /// Receives a warning about something that may not be intended, one sentence.
    fn warn(&mut self, _warning: &str) {}

    /// Called last.
    fn end(&mut self, _run: &Run<D>, _ending: Ending) -> Result<(), Error> {
        Ok(())
    }
}

/// Continuation of a run after a progress call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// It continues.
    Continue,
    /// It hands over a checkpoint and continues.
    Checkpoint,
    /// It hands over a checkpoint and stops.
    Stop,
}

/// A sink that ignores everything.
impl<const D: usize> Sink<D> for () {}
