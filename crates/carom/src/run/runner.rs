use super::{Control, Ending, Error, OutputSchedule, RunProgress, Sink, Timing};
use carom_scene::files::{Checkpoint, LogValue};
use carom_scene::{Frame, Scene};

/// A run of one of the engines: its simulation, what it has measured, and when what is due.
///
/// A run can be cut anywhere: one that was stopped and resumed gives what the uncut run gives, to the
/// bit.
pub trait Runner<const D: usize>: Sized {
    /// What is logged at one moment.
    type Row;
    /// The figures of a run at its end or pause.
    type Summary: Clone;

    /// At the start of a scene.
    fn new(scene: &Scene<D>) -> Result<Self, Error>;

    /// From a checkpoint of the same scene; only the end, the neighbor structure and the formats of
    /// the output may be others.
    fn resume(scene: &Scene<D>, checkpoint: Checkpoint) -> Result<Self, Error>;

    /// All that is needed to go on later.
    fn checkpoint(&self) -> Checkpoint;

    /// Names of the columns of `log.csv` for a scene.
    fn columns(scene: &Scene<D>) -> Vec<String>;

    /// The values of these columns.
    fn values(row: &Self::Row, scene: &Scene<D>) -> Vec<LogValue>;

    /// When rows and frames are due; kept through every resume.
    fn output_schedule(&self) -> OutputSchedule;

    /// Rows of the log that a checkpoint of now counts.
    fn rows(&self) -> u64;

    /// Times of the frames that a checkpoint of now counts.
    fn frame_times(&self) -> &[f64];

    /// All bodies now.
    fn frame(&self) -> Frame<D>;

    /// How far the run is.
    fn progress(&self) -> RunProgress;

    /// The figures of now.
    fn summary(&self, ending: Ending, timing: Timing) -> Self::Summary;

    /// What stands in `summary.json`.
    fn summary_json(summary: &Self::Summary) -> serde_json::Value;

    /// Distances and the radial distribution there, if the scene asks for it.
    fn radial_distribution(&self) -> Option<Vec<[f64; 2]>>;

    /// What may not be meant by a scene, in sentences, and why it had better not be run at all.
    fn preflight(&self, scene: &Scene<D>) -> Preflight;

    /// Verifies from now on, at every tenth row of the log and at the end, that the neighbor structure
    /// is whole; slow.
    fn check_structure(&mut self);

    /// Continues from now on where energy appears out of nothing, at which runs end otherwise. Event-driven runs
    /// have no such end: energy changes in collisions only, by their rule.
    fn force_energy(&mut self);

    /// Why nothing is left to do, if the run is at its end.
    fn is_over(&mut self) -> Option<Ending>;

    /// Goes on for some hundredths of a second, or less if something is due before. Where a run pauses
    /// changes nothing in it.
    fn advance(&mut self) -> Result<(), Error>;

    /// Gives the rows and frames that are due now.
    fn emit_due_output(&mut self, sink: &mut impl Sink<D, Self>) -> Result<(), Error>;

    /// Gives the last row and the last frame, unless they were given for this moment.
    fn emit_final_output(&mut self, sink: &mut impl Sink<D, Self>) -> Result<(), Error>;

    /// Goes on to the end of the scene, or until the sink wants to stop.
    fn run_to_end(&mut self, sink: &mut impl Sink<D, Self>) -> Result<Ending, Error> {
        if self.rows() == 0 {
            // Before anything else, so that a kill at any moment leaves something to go on from.
            sink.checkpoint(self)?;
        }
        self.emit_due_output(sink)?;
        let ending = loop {
            if let Some(ending) = self.is_over() {
                break ending;
            }
            self.advance()?;
            self.emit_due_output(sink)?;
            match sink.progress(&self.progress()) {
                Control::Continue => {}
                Control::Checkpoint => sink.checkpoint(self)?,
                Control::Stop if self.is_over().is_some() => {}
                Control::Stop => {
                    sink.checkpoint(self)?;
                    sink.end(self, Ending::Stopped)?;
                    return Ok(Ending::Stopped);
                }
            }
        };
        // Before the last row and frame, which belong to this end and not to a longer run.
        sink.checkpoint(self)?;
        self.emit_final_output(sink)?;
        sink.end(self, ending)?;
        Ok(ending)
    }
}

/// What can be told of a run before it starts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Preflight {
    /// What may not be meant, in sentences.
    pub warnings: Vec<String>,
    /// Why the scene had better not be run at all, if there is a reason.
    pub refusal: Option<String>,
}
