use super::history::history;
use super::pour::Pouring;
use super::row::Mark;
use super::start::{self, in_scene};
use super::{Forecast, Row, Summary};
use crate::run::{Course, Ending, Error, Every, Outlook, Pace, Progress, Sink, Timing};
use carom_geometry::Vector;
use carom_scene::files::{Checkpoint, LogValue};
use carom_scene::scene::{Colour, Observe, Region, Shape, Side};
use carom_scene::{Frame, SceneOf, Shaped};
use carom_simulate::steps::{Body, BodyContacts, Simulation, Warning};

/// A run of a scene in steps of time: the simulation, what it has measured, and when what is due.
///
/// ```
/// use carom::run::steps::Run;
/// use carom::run::{Course, Ending};
/// use carom::scene::scene::Scene;
/// let text = "engine = 'steps'\ndimension = 2\nuntil = 2.0\nstep = 0.001\nbox.size = 9\n\
///             [[bodies]]\nposition = [5, 5]\nvelocity = [1, 0]\nradius = 0.5";
/// let Scene::Plane(scene) = Scene::parse(text, "one.toml", "".as_ref(), &[])? else { panic!() };
/// let mut run = Run::new(&scene)?;
/// assert_eq!(run.go(&mut ())?, Ending::Time);
/// assert!((run.simulation().body(0).position.x - 7.0).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Run<const D: usize> {
    pub(super) simulation: Simulation,
    pub(super) region: Region<D>,
    until: f64,
    pub(super) observe: Observe,
    /// Whether there are several materials.
    mixed: bool,
    /// What pictures show.
    colour: Colour,
    pub(super) pouring: Pouring<D>,
    /// The shapes of the scene.
    shapes: Vec<Shape>,
    pub(super) fingerprint: u64,
    /// Verify that no contact is missed, now and then.
    checks: bool,
    pub(super) measured: Measured,
    /// Steps and searches when this process took the run up.
    pub(super) taken_up: [u64; 2],
    /// What walls are called.
    wall_names: Vec<String>,
    /// Kinds of warnings that were given.
    warned: Vec<&'static str>,
}

/// What adds up over a run; all of it goes into a checkpoint.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Measured {
    pub pace: Pace,
    /// Rows that were due so far; the next has this number.
    pub rows: u64,
    /// Times of the frames that were due so far.
    pub frame_times: Vec<f64>,
    /// At the last row.
    pub mark: Mark,
}

/// Times that differ by so little of a step are the same but for rounding.
const ROUNDING: f64 = 1e-6;

/// So many steps of one body are made between two looks at signals and clocks: some tens of
/// milliseconds.
const SLICE: u64 = 300_000;

impl<const D: usize> Run<D> {
    pub(super) fn of(
        scene: &SceneOf<D>,
        simulation: Simulation,
        measured: Measured,
        poured: Vec<u64>,
    ) -> Self {
        Run {
            taken_up: [simulation.steps(), simulation.searches()],
            simulation,
            region: scene.region,
            observe: scene.observe.clone(),
            until: scene.limits.until.unwrap_or(0.0),
            mixed: scene.materials.len() > 1,
            colour: scene.output.colour,
            pouring: Pouring::new(scene, poured),
            shapes: scene.shapes.clone(),
            fingerprint: scene.fingerprint(),
            checks: false,
            measured,
            wall_names: start::wall_names(scene),
            warned: Vec::new(),
        }
    }

    /// The simulation as it stands.
    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// What would be logged now.
    pub fn row(&self) -> Row<D> {
        Row::of(&self.simulation, &self.measured.mark, self.region.volume(), &self.observe)
    }

    /// The shapes of bodies and how they are turned, if there are any.
    fn shaped(&self, bodies: &[Body]) -> Option<Shaped> {
        let orientation = |body: &Body| {
            let [x, y, z, w] = body.orientation.coords.into();
            [w, x, y, z]
        };
        (!self.shapes.is_empty()).then(|| Shaped {
            list: self.shapes.clone(),
            of_body: bodies.iter().map(|body| body.shape).collect(),
            orientations: bodies.iter().map(orientation).collect(),
        })
    }

    /// A place as told: on periodic axes inside the box, where other runs may start from.
    fn in_box(&self, place: &Vector<3>) -> Vector<D> {
        let wrapped = self.simulation.settings().boundary.wrap(*place);
        Vector::from_fn(|axis, _| match self.region.sides[axis] {
            // What is just below zero may be rounded up to the whole size.
            Side::Periodic if wrapped[axis] >= self.region.size[axis] => 0.0,
            Side::Periodic => wrapped[axis],
            _ => place[axis],
        })
    }

    /// The first step at or after a time.
    fn step_of(&self, time: f64) -> u64 {
        (time / self.simulation.step() - ROUNDING).ceil().max(0.0) as u64
    }

    /// The step at which the next row is due.
    fn row_due(&self) -> u64 {
        match self.measured.pace.log {
            Every::Time(interval) => self.step_of(self.measured.rows as f64 * interval),
            Every::Collisions(_) => u64::MAX,
        }
    }

    fn frame_due(&self) -> u64 {
        let next = self.measured.frame_times.len() as f64;
        match self.measured.pace.frames {
            Some(interval) => self.step_of(next * interval),
            None if next == 0.0 => 0,
            None => u64::MAX,
        }
    }

    fn give_row(&mut self, sink: &mut impl Sink<D, Self>) -> Result<(), Error> {
        let mut row = None;
        sink.measure(&mut || row = Some(self.measure()));
        match row {
            Some(row) => sink.log(&row?),
            None => Ok(()),
        }
    }

    /// The row of now, after which everything that adds up is up to now.
    fn measure(&mut self) -> Result<Row<D>, Error> {
        if self.checks && self.measured.rows.is_multiple_of(10) {
            let time = self.simulation.now();
            self.simulation.check().map_err(|fault| Error::Structure { time, fault })?;
        }
        let row = self.row();
        self.measured.mark = Mark::of::<D>(&self.simulation);
        Ok(row)
    }

    /// Tells of what had better not be, once for each kind.
    fn warn(&mut self, sink: &mut impl Sink<D, Self>) {
        self.pouring.warnings().iter().for_each(|warning| sink.warn(warning));
        for warning in self.simulation.warnings() {
            let kind = match warning {
                Warning::Deep { .. } => "deep",
                _ => "fast",
            };
            if !self.warned.contains(&kind) {
                self.warned.push(kind);
                sink.warn(&warning.told(|wall| self.wall_names[wall as usize].clone()));
            }
        }
    }
}

/// The error with the wall that it names called as in the scene.
fn with_wall_name<const D: usize>(scene: &SceneOf<D>, error: carom_simulate::Error) -> Error {
    match error {
        carom_simulate::Error::InWall { body, wall, overlap } => {
            let wall = start::wall_names(scene).swap_remove(wall);
            Error::InWall { body, wall, overlap }
        }
        error => error.into(),
    }
}

/// A run is at least one step long, or ends where it begins.
fn check_length<const D: usize>(scene: &SceneOf<D>, step: f64) -> Result<(), Error> {
    match scene.limits.until {
        Some(until) if until > 0.0 && step > until * (1.0 + ROUNDING) => {
            let value = format!("{until:?}, but a step takes {step:?}");
            let rule = "it must be at least as long: give a later end or a shorter step";
            Err(carom_simulate::Error::Setting { what: "until", value, rule }.into())
        }
        _ => Ok(()),
    }
}

impl<const D: usize> Course<D> for Run<D> {
    type Row = Row<D>;
    type Summary = Summary;

    fn new(scene: &SceneOf<D>) -> Result<Self, Error> {
        let history = history(scene)?;
        let (bodies, settings) = (start::bodies(scene), start::settings(scene)?);
        let simulation = Simulation::with_history(&bodies, settings, &history)
            .map_err(|error| with_wall_name(scene, error))?;
        check_length(scene, simulation.step())?;
        let mark = Mark::of::<D>(&simulation);
        let pace = Pace::of_steps(scene, simulation.step())?;
        let measured = Measured { pace, rows: 0, frame_times: Vec::new(), mark };
        Ok(Run::of(scene, simulation, measured, vec![0; scene.pours.len()]))
    }

    fn resume(scene: &SceneOf<D>, checkpoint: Checkpoint) -> Result<Self, Error> {
        Run::of_checkpoint(scene, checkpoint)
    }

    fn checkpoint(&self) -> Checkpoint {
        self.to_checkpoint()
    }

    fn columns(scene: &SceneOf<D>) -> Vec<String> {
        Row::<D>::columns(&scene.observe)
    }

    fn values(row: &Row<D>, _: &SceneOf<D>) -> Vec<LogValue> {
        row.values()
    }

    fn pace(&self) -> Pace {
        self.measured.pace
    }

    fn rows(&self) -> u64 {
        self.measured.rows
    }

    fn frame_times(&self) -> &[f64] {
        &self.measured.frame_times
    }

    fn frame(&self) -> Frame<D> {
        let bodies: Vec<_> =
            (0..self.simulation.count()).map(|number| self.simulation.body(number)).collect();
        let BodyContacts { pressures, contacts, clusters } = self.simulation.body_contacts();
        let spin = |axis: usize| bodies.iter().map(|body| body.spin[axis]).collect();
        let whole = |numbers: Vec<u32>| numbers.into_iter().map(f64::from).collect();
        let mut columns = match D {
            2 => vec![("spin", spin(2))],
            _ => vec![("spin_x", spin(0)), ("spin_y", spin(1)), ("spin_z", spin(2))],
        };
        columns.extend([
            ("pressure", pressures),
            ("contacts", whole(contacts)),
            ("cluster", whole(clusters)),
        ]);
        Frame {
            time: self.simulation.now(),
            step: self.simulation.steps(),
            number: self.measured.frame_times.len() as u64,
            region: self.region.spans(),
            positions: bodies.iter().map(|body| self.in_box(&body.position)).collect(),
            velocities: bodies.iter().map(|body| in_scene(&body.velocity)).collect(),
            radii: bodies.iter().map(|body| body.radius).collect(),
            masses: Some(bodies.iter().map(|body| body.mass).collect()),
            materials: self.mixed.then(|| bodies.iter().map(|body| body.material).collect()),
            shapes: self.shaped(&bodies),
            springs: None,
            shown: self.colour.column(),
            columns: (columns.into_iter())
                .map(|(name, values)| (name.to_owned(), values))
                .collect(),
        }
    }

    fn progress(&self) -> Progress {
        let part = (self.simulation.now() / self.until).min(1.0);
        let (time, count) = (self.simulation.now(), self.simulation.steps());
        Progress { time, count, counted: "steps", part }
    }

    fn summary(&self, ending: Ending, timing: Timing) -> Summary {
        Summary::of(self, ending, timing)
    }

    fn summary_json(summary: &Summary) -> serde_json::Value {
        summary.json()
    }

    fn radial_distribution(&self) -> Option<Vec<[f64; 2]>> {
        None
    }

    fn outlook(&self, scene: &SceneOf<D>) -> Outlook {
        let forecast = Forecast::of(scene, self);
        Outlook { refusal: forecast.refusal(), warnings: forecast.warnings }
    }

    fn check_structure(&mut self) {
        self.checks = true;
    }

    fn force_energy(&mut self) {
        self.simulation.force_energy(true);
    }

    fn is_over(&mut self) -> Option<Ending> {
        (self.simulation.steps() >= self.step_of(self.until)).then_some(Ending::Time)
    }

    fn advance(&mut self) -> Result<(), Error> {
        self.pouring.pour(&mut self.simulation)?;
        let now = self.simulation.steps();
        let slice = SLICE / (self.simulation.count() as u64).clamp(1, SLICE);
        let poured = self.pouring.next(now, self.simulation.step());
        let due = self.row_due().min(self.frame_due()).min(self.step_of(self.until)).min(poured);
        Ok(self.simulation.advance(due.saturating_sub(now).min(slice))?)
    }

    fn give_due(&mut self, sink: &mut impl Sink<D, Self>) -> Result<(), Error> {
        let now = self.simulation.steps();
        if now >= self.row_due() {
            self.give_row(sink)?;
            self.measured.rows += 1;
        }
        if now >= self.frame_due() {
            sink.frame(&|| self.frame())?;
            self.measured.frame_times.push(self.simulation.now());
        }
        self.warn(sink);
        Ok(())
    }

    fn give_last(&mut self, sink: &mut impl Sink<D, Self>) -> Result<(), Error> {
        let now = self.simulation.now();
        if self.measured.mark.time != now || self.measured.rows == 0 {
            self.give_row(sink)?;
        }
        if self.measured.frame_times.last() != Some(&now) {
            sink.frame(&|| self.frame())?;
        }
        Ok(())
    }
}
