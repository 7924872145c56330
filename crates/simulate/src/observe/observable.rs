//! The trait for measurements of your own.

use crate::{Engine, State, Value, Values};
use std::cell::OnceCell;

/// A measurement in a run beside the quantities of its engine: built in, or of a program's own.
///
/// It is sampled at every row of the log, where its columns stand behind those of the engine. What it has to remember is
/// saved in checkpoints, so that a run that was cut gives the results of the uncut one.
///
/// ```
/// use carom_simulate::observe::{Observable, Sample};
/// use carom_simulate::{State, Value};
///
/// /// The largest height that a body has reached.
/// struct Peak(f64);
///
/// impl Observable<2> for Peak {
///     fn name(&self) -> &str {
///         "peak"
///     }
///     fn columns(&self) -> Vec<String> {
///         vec!["peak".to_owned()]
///     }
///     fn sample(&mut self, sample: &Sample<2>) -> Vec<Value> {
///         let heights = sample.state().positions.iter().map(|position| position.y);
///         self.0 = heights.fold(self.0, f64::max);
///         vec![self.0.into()]
///     }
///     fn save(&self) -> Vec<f64> {
///         vec![self.0]
///     }
///     fn restore(&mut self, saved: &[f64]) -> Result<(), String> {
///         self.0 = *saved.first().ok_or("the peak is missing")?;
///         Ok(())
///     }
/// }
///
/// use carom_simulate::Region;
/// use carom_simulate::event_driven::{BodyStart, Settings, Simulation};
/// // A ball thrown upwards, seen at the start, on its way up and on its way down.
/// let ball = BodyStart::new([4.0, 4.0], [0.0, 2.0], 0.5);
/// let settings = Settings { gravity: [0.0, -1.0].into(), ..Settings::new(Region::walled([9.0, 9.0])) };
/// let mut simulation = Simulation::new(&[ball], settings)?;
/// let mut peak = Peak(f64::NEG_INFINITY);
/// assert_eq!(peak.sample(&Sample::at_start(&simulation)), [4.0.into()]);
/// for (time, expected) in [(1.0, 5.5), (2.0, 6.0), (3.0, 6.0)] {
///     simulation.advance(time, u64::MAX);
///     assert_eq!(peak.sample(&Sample::of(&simulation)), [expected.into()]);
/// }
/// # Ok::<(), carom_simulate::Error>(())
/// ```
pub trait Observable<const D: usize>: Send + Sync {
    /// Returns its name, by which it is found in checkpoints and files; no other of the run may have it.
    fn name(&self) -> &str;

    /// Returns the names of its columns in the log, always the same.
    fn columns(&self) -> Vec<String>;

    /// Measures the present moment: one value for each column.
    fn sample(&mut self, sample: &Sample<'_, D>) -> Vec<Value>;

    /// Returns what `summary.json` has of it at the end; nothing by default. Names that the summary has already are left
    /// out.
    fn summary(&self, _sample: &Sample<'_, D>) -> Values {
        Values::default()
    }

    /// Returns a table that is written at the end, as `NAME.csv`; none by default.
    fn table(&self, _sample: &Sample<'_, D>) -> Option<ObservableTable> {
        None
    }

    /// Returns the numbers that it has to remember; none by default.
    fn save(&self) -> Vec<f64> {
        Vec::new()
    }

    /// Takes the numbers back that [`Observable::save`] has returned. They may come from a damaged file.
    ///
    /// Errors with a sentence if they do not fit.
    fn restore(&mut self, saved: &[f64]) -> Result<(), String> {
        match saved {
            [] => Ok(()),
            _ => Err(format!("the observable {:?} has nothing to remember", self.name())),
        }
    }
}

/// A moment of a run, as observables see it.
pub struct Sample<'a, const D: usize> {
    /// The engine.
    pub engine: &'a dyn Engine<D>,
    /// Whether the observable begins here: at the start of the run, or of a stage.
    pub is_start: bool,
    /// The state, once it was asked for.
    state: OnceCell<State<D>>,
}

impl<'a, const D: usize> Sample<'a, D> {
    /// Makes a sample of the moment at which observables begin.
    pub fn at_start(engine: &'a dyn Engine<D>) -> Self {
        Sample { engine, is_start: true, state: OnceCell::new() }
    }

    /// Makes a sample of a later moment.
    pub fn of(engine: &'a dyn Engine<D>) -> Self {
        Sample { engine, is_start: false, state: OnceCell::new() }
    }

    /// Returns the state of all bodies, which is copied once for all that ask for it.
    pub fn state(&self) -> &State<D> {
        self.state.get_or_init(|| self.engine.state())
    }

    /// Returns the simulation, if it is of this type.
    pub fn simulation<S: 'static>(&self) -> Option<&S> {
        (self.engine as &dyn std::any::Any).downcast_ref()
    }
}

/// Rows of numbers with the names of their columns.
#[derive(Clone, Debug, PartialEq)]
pub struct ObservableTable {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<f64>>,
}
