use super::{Ending, Error, RunProgress, Runner};
use carom_scene::Frame;

/// Takes what a run of one engine gives. Everything but what you need may be left out.
pub trait Sink<const D: usize, R: Runner<D>> {
    /// A row of the log.
    fn log(&mut self, _row: &R::Row) -> Result<(), Error> {
        Ok(())
    }

    /// All bodies at a moment for which the scene wants a frame; `frame` makes it.
    fn frame(&mut self, _frame: &dyn Fn() -> Frame<D>) -> Result<(), Error> {
        Ok(())
    }

    /// Does `work`, which measures what a row needs; for sinks that want to know how long it takes.
    fn measure(&mut self, work: &mut dyn FnMut()) {
        work();
    }

    /// Called again and again, some ten times a second; the answer says how to go on.
    fn progress(&mut self, _progress: &RunProgress) -> Control {
        Control::Continue
    }

    /// The run as it was wished for by [`Control::Checkpoint`] or [`Control::Stop`], and at start and end;
    /// [`Runner::checkpoint`] gives what to keep.
    fn checkpoint(&mut self, _run: &R) -> Result<(), Error> {
        Ok(())
    }

    /// Something that may not be meant, in a sentence.
    fn warn(&mut self, _warning: &str) {}

    /// The last call.
    fn end(&mut self, _run: &R, _ending: Ending) -> Result<(), Error> {
        Ok(())
    }
}

/// How a run is to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// As before.
    Continue,
    /// After a checkpoint.
    Checkpoint,
    /// Not at all, after a checkpoint.
    Stop,
}

/// A sink that takes nothing.
impl<const D: usize, R: Runner<D>> Sink<D, R> for () {}
