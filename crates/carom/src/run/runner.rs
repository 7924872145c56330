use super::{Control, Ending, Error, OutputSchedule, RunProgress, Sink, Timing};
use carom_io::{Checkpoint, Frame, LogValue};
use carom_scene::Scene;

/// A run of one of the engines: its simulation, its measurements, and its output schedule.
///
/// A run can be cut anywhere: one that was stopped and resumed gives the results of the uncut run, to the bit.
pub trait Runner<const D: usize>: Sized {
    /// One row of the log.
    type Row;
    /// Numbers of a run at its end or pause.
    type Summary: Clone;

    /// Creates a run at the start of a scene.
    fn new(scene: &Scene<D>) -> Result<Self, Error>;

    /// Continues from a checkpoint of the same scene; only the end, the neighbor structure and the output formats may
    /// differ.
    fn resume(scene: &Scene<D>, checkpoint: Checkpoint) -> Result<Self, Error>;

    /// Everything that is needed to continue later.
    fn checkpoint(&self) -> Checkpoint;

    /// Names of the columns of `log.csv` for a scene.
    fn columns(scene: &Scene<D>) -> Vec<String>;

    /// Values of these columns.
    fn values(row: &Self::Row, scene: &Scene<D>) -> Vec<LogValue>;

    /// When rows and frames are due; kept through every resume.
    fn output_schedule(&self) -> OutputSchedule;

    /// Number of log rows that a checkpoint made now counts.
    fn rows(&self) -> u64;

    /// Times of the frames that a checkpoint made now counts.
    fn frame_times(&self) -> &[f64];

    /// All bodies at the current time.
    fn frame(&self) -> Frame<D>;

    /// Current progress.
    fn progress(&self) -> RunProgress;

    /// The summary at the current time.
    fn summary(&self, ending: Ending, timing: Timing) -> Self::Summary;

    /// Content of `summary.json`.
    fn summary_json(summary: &Self::Summary) -> serde_json::Value;

    /// Distances and the radial distribution function there, if the scene asks for it.
    fn radial_distribution(&self) -> Option<Vec<[f64; 2]>>;

    /// Warnings about a scene, and the reason why it should not be run, if there is one.
    fn preflight(&self, scene: &Scene<D>) -> Preflight;

    /// Verifies the neighbor structure from now on, at every tenth log row and at the end; slow.
    fn check_structure(&mut self);

    /// Continues from now on where energy appears without a source, at which runs end otherwise. Event-driven runs have
    /// no such end: there energy changes in collisions only, by the collision rule.
    fn force_energy(&mut self);

    /// The reason why the run is at its end, if it is.
    fn is_over(&mut self) -> Option<Ending>;

    /// Advances for some hundredths of a second, or less if output is due before. Results do not depend on where a run
    /// pauses.
    fn advance(&mut self) -> Result<(), Error>;

    /// Passes the rows and frames that are due now to the sink.
    fn emit_due_output(&mut self, sink: &mut impl Sink<D, Self>) -> Result<(), Error>;

    /// Passes the last row and the last frame to the sink, unless these exist for the current time.
    fn emit_final_output(&mut self, sink: &mut impl Sink<D, Self>) -> Result<(), Error>;

    /// Runs to the end of the scene, or until the sink stops it.
    fn run_to_end(&mut self, sink: &mut impl Sink<D, Self>) -> Result<Ending, Error> {
        if self.rows() == 0 {
            // A checkpoint before anything else, so that a kill at any moment leaves something to continue from.
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
        // The checkpoint before the last row and frame, which belong to this end and not to a longer run.
        sink.checkpoint(self)?;
        self.emit_final_output(sink)?;
        sink.end(self, ending)?;
        Ok(ending)
    }
}

/// What is known about a run before it starts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Preflight {
    /// Warnings about what may not be intended, in sentences.
    pub warnings: Vec<String>,
    /// Reason why the scene should not be run, if there is one.
    pub refusal: Option<String>,
}
