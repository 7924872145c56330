use super::{Ending, Error, Progress, Row, Run};
use carom_scene::Frame;

/// Takes what a run gives. Everything but what you need may be left out.
pub trait Sink<const D: usize> {
    /// A row of the log.
    fn log(&mut self, _row: &Row<D>) -> Result<(), Error> {
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
    fn progress(&mut self, _progress: &Progress) -> Wish {
        Wish::GoOn
    }

    /// The run as it was wished for by [`Wish::Checkpoint`] or [`Wish::Stop`], and at start and end;
    /// [`Run::checkpoint`] gives what to keep.
    fn checkpoint(&mut self, _run: &Run<D>) -> Result<(), Error> {
        Ok(())
    }

    /// The last call.
    fn end(&mut self, _run: &Run<D>, _ending: Ending) -> Result<(), Error> {
        Ok(())
    }
}

/// How a run is to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// As before.
    GoOn,
    /// After a checkpoint.
    Checkpoint,
    /// Not at all, after a checkpoint.
    Stop,
}

/// A sink that takes nothing.
impl<const D: usize> Sink<D> for () {}
