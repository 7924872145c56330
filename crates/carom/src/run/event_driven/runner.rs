use super::estimate::dilute_gas_collision_rate;
use super::polling_interval::PollingInterval;
use super::stall_detector::StallDetector;
use super::{Estimate, Row, Summary, rest, setup};
use crate::run::{
    Ending, Error, OutputInterval, OutputSchedule, Preflight, RunProgress, Runner, Sink, Timing,
};
use carom_io::{AxisExtent, Checkpoint, Frame, LogValue};
use carom_scene::Scene;
use carom_scene::scene::{GrowthTarget, Limits};
use carom_simulate::event_driven::{Counters, Simulation};
use carom_simulate::observe::{
    CumulativeObservables, DistanceHistogram, ExternalPotential, MeanSquareDisplacement,
    ThermodynamicSnapshot, WindowAverages,
};

/// An event-driven run of a scene: the simulation, its measurements, and its output schedule.
///
/// ```
/// use carom::run::event_driven::Run;
/// use carom::run::{Runner, Ending};
/// use carom::scene::scene::AnyScene;
/// let text = "engine = 'event-driven'\ndimension = 2\nuntil = 2.0\nbox.size = 9\n\
///             [[bodies]]\nposition = [5, 5]\nvelocity = [1, 0]\nradius = 0.5";
/// let AnyScene::TwoD(scene) = AnyScene::parse(text, "one.toml", "".as_ref(), &[])? else { panic!() };
/// let mut run = Run::new(&scene)?;
/// assert_eq!(run.run_to_end(&mut ())?, Ending::Time);
/// assert_eq!(run.simulation().position(0).x, 7.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Run<const D: usize> {
    pub(super) simulation: Simulation<D>,
    pub(super) potential: ExternalPotential<D>,
    pub(super) limits: Limits,
    /// Material of every body, if the scene has several.
    materials: Option<Vec<u32>>,
    pub(super) fingerprint: u64,
    /// Whether to verify the neighbor structure now and then.
    checks: bool,
    pub(super) measured: Measured<D>,
    /// Whether nothing will ever happen again; checked only in runs without an end in time.
    at_rest: bool,
    /// Counters when this process started or resumed the run.
    pub(super) counters_at_resume: Counters,
    polling_interval: PollingInterval,
    stall_detector: StallDetector,
}

/// Times that differ by less than this fraction are equal but for rounding.
const ROUNDING: f64 = 1e-9;

/// Accumulated measurements; all of them go into a checkpoint.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Measured<const D: usize> {
    pub output_schedule: OutputSchedule,
    /// Number of rows so far, and index of the next one.
    pub rows: u64,
    /// Times of the frames so far.
    pub frame_times: Vec<f64>,
    /// State at the last row.
    pub window_start: CumulativeObservables,
    /// Rates between the last two rows.
    pub last_window: Option<WindowAverages>,
    /// Integral of the temperature over time up to the last row.
    pub temperature_integral: f64,
    /// Integral of the mean speed over time up to the last row.
    pub speed_integral: f64,
    pub displacement: Option<MeanSquareDisplacement<D>>,
    pub distances: Option<DistanceHistogram>,
}

impl<const D: usize> Measured<D> {
    /// Integrals of temperature and mean speed up to a time, by the trapezoidal rule between rows.
    pub(super) fn integrals_until(&self, mark: &CumulativeObservables) -> [f64; 2] {
        let half = 0.5 * (mark.time - self.window_start.time);
        [
            self.temperature_integral + half * (self.window_start.temperature + mark.temperature),
            self.speed_integral + half * (self.window_start.mean_speed + mark.mean_speed),
        ]
    }
}

impl<const D: usize> Run<D> {
    pub(super) fn of(scene: &Scene<D>, simulation: Simulation<D>, measured: Measured<D>) -> Self {
        let trap = scene.field.as_ref().and_then(|field| field.trap.clone());
        Run {
            counters_at_resume: *simulation.counters(),
            polling_interval: PollingInterval::new(&simulation),
            stall_detector: StallDetector::watch(
                &simulation,
                measured.rows,
                dilute_gas_collision_rate(scene, &simulation),
            ),
            simulation,
            potential: ExternalPotential { trap },
            limits: scene.limits,
            materials: (scene.materials.len() > 1)
                .then(|| scene.bodies.iter().map(|body| body.material).collect()),
            fingerprint: scene.fingerprint(),
            checks: false,
            at_rest: false,
            measured,
        }
    }

    /// The simulation in its current state.
    pub fn simulation(&self) -> &Simulation<D> {
        &self.simulation
    }

    /// Histogram of distances so far, if the scene asks for the radial distribution: sampled at every row but the
    /// first, and not while bodies grow.
    pub fn distances(&self) -> Option<&DistanceHistogram> {
        self.measured.distances.as_ref()
    }

    /// The reason why the run is at its end, if it is.
    fn ending(&self) -> Option<Ending> {
        let simulation = &self.simulation;
        let collisions = simulation.counters().collisions;
        if self.limits.until.is_some_and(|until| simulation.now() >= until) {
            Some(Ending::Time)
        } else if self.limits.collisions.is_some_and(|most| collisions >= most) {
            Some(Ending::Collisions)
        } else if simulation.settings().growth.is_some() && !simulation.is_growing() {
            Some(Ending::Growth)
        } else if self.at_rest {
            Some(Ending::Rest)
        } else {
            None
        }
    }

    fn check_at_rest(&mut self) {
        let now = self.simulation.now();
        if self.limits.until.is_none() && rest::is_rest_check_time(now) {
            self.at_rest = now >= rest::LATEST || rest::is_at_rest(&self.simulation);
        }
    }

    fn frame_due(&self) -> f64 {
        let next = self.measured.frame_times.len() as f64;
        match self.measured.output_schedule.frames {
            Some(interval) => self.snap_to_end_of_growth(next * interval),
            None if next == 0.0 => 0.0,
            None => f64::INFINITY,
        }
    }

    /// Replaces a time that differs from the end of growth by rounding only with that end, so that output due then sees
    /// the bodies in their final size.
    fn snap_to_end_of_growth(&self, time: f64) -> f64 {
        let (end, _) = self.simulation.growth_may_end();
        let same = end.is_finite() && (end - time).abs() <= ROUNDING * end;
        if same { end } else { time }
    }

    fn emit_row(&mut self, sink: &mut impl Sink<D, Self>) -> Result<(), Error> {
        let mut row = None;
        sink.measure(&mut || row = Some(self.measure()));
        match row {
            Some(row) => sink.log(&row?),
            None => Ok(()),
        }
    }

    /// Measures a row, and starts the next averaging window.
    fn measure(&mut self) -> Result<Row<D>, Error> {
        if self.checks && (self.measured.rows.is_multiple_of(10) || self.ending().is_some()) {
            let time = self.simulation.now();
            self.simulation.check().map_err(|fault| Error::Structure { time, fault })?;
        }
        let row = self.row();
        let measured = &mut self.measured;
        let mark = CumulativeObservables::with(&self.simulation, &row.snapshot);
        [measured.temperature_integral, measured.speed_integral] = measured.integrals_until(&mark);
        measured.window_start = mark;
        let first = mark.time == 0.0 && mark.collisions == 0;
        if let Some(distances) = &mut measured.distances
            && !first
            && !self.simulation.is_growing()
        {
            distances.sample(&self.simulation);
        }
        if !first {
            measured.last_window = Some(row.window);
        }
        Ok(row)
    }

    /// The row that would be logged now.
    pub fn row(&self) -> Row<D> {
        let simulation = &self.simulation;
        let snapshot = ThermodynamicSnapshot::of(simulation, &self.potential);
        let (counters, mark) =
            (simulation.counters(), CumulativeObservables::with(simulation, &snapshot));
        Row {
            time: simulation.now(),
            collisions: counters.collisions,
            wall_collisions: counters.wall_collisions,
            dissipated: counters.dissipated,
            smallest_gap: counters.smallest_gap,
            snapshot,
            window: WindowAverages::between(&self.measured.window_start, &mark, simulation),
            mean_square_displacement: (self.measured.displacement.as_ref())
                .map(|displacement| displacement.mean_square(simulation)),
        }
    }
}

impl<const D: usize> Runner<D> for Run<D> {
    type Row = Row<D>;
    type Summary = Summary;

    fn new(scene: &Scene<D>) -> Result<Self, Error> {
        let simulation = Simulation::new(&setup::bodies(scene)?, setup::settings(scene))?;
        simulation.check_field()?;
        let distances = scene.observe.radial_distribution;
        let measured = Measured {
            output_schedule: OutputSchedule::of(scene),
            rows: 0,
            frame_times: Vec::new(),
            window_start: CumulativeObservables::of(&simulation),
            last_window: None,
            temperature_integral: 0.0,
            speed_integral: 0.0,
            displacement: (scene.observe.mean_square_displacement)
                .then(|| MeanSquareDisplacement::from_now(&simulation)),
            distances: distances.map(|it| DistanceHistogram::new(it.to, it.bins as usize)),
        };
        Ok(Run::of(scene, simulation, measured))
    }

    fn resume(scene: &Scene<D>, checkpoint: Checkpoint) -> Result<Self, Error> {
        Run::of_checkpoint(scene, checkpoint)
    }

    fn checkpoint(&self) -> Checkpoint {
        self.to_checkpoint()
    }

    fn columns(scene: &Scene<D>) -> Vec<String> {
        Row::columns(scene).into_iter().map(str::to_owned).collect()
    }

    fn values(row: &Row<D>, scene: &Scene<D>) -> Vec<LogValue> {
        row.values(scene)
    }

    fn output_schedule(&self) -> OutputSchedule {
        self.measured.output_schedule
    }

    fn rows(&self) -> u64 {
        self.measured.rows
    }

    fn frame_times(&self) -> &[f64] {
        &self.measured.frame_times
    }

    fn frame(&self) -> Frame<D> {
        let simulation = &self.simulation;
        let (region, all) = (&simulation.settings().region, 0..simulation.count());
        let masses: Vec<f64> = all.clone().map(|body| simulation.mass(body)).collect();
        Frame {
            time: simulation.now(),
            step: simulation.counters().collisions,
            number: self.measured.frame_times.len() as u64,
            region: AxisExtent::of_region(region),
            positions: all.clone().map(|body| simulation.position(body)).collect(),
            velocities: all.clone().map(|body| simulation.velocity(body)).collect(),
            radii: all.map(|body| simulation.radius(body)).collect(),
            masses: Some(masses),
            materials: self.materials.clone(),
            shapes: None,
            springs: None,
            contacts: None,
            ids: None,
            color_by: None,
            columns: Vec::new(),
        }
    }

    fn progress(&self) -> RunProgress {
        let simulation = &self.simulation;
        let collisions = simulation.counters().collisions;
        let by_time = self.limits.until.map_or(0.0, |until| simulation.now() / until);
        let by_collisions =
            self.limits.collisions.map_or(0.0, |most| collisions as f64 / most as f64);
        let target = simulation.settings().growth.and_then(|growth| growth.until);
        let by_growth = match target {
            Some(GrowthTarget::PackingFraction(_)) => {
                simulation.now() / simulation.growth_may_end().0
            }
            _ => 0.0,
        };
        let part = by_time.max(by_collisions).max(by_growth).min(1.0);
        RunProgress { time: simulation.now(), count: collisions, counted: "collisions", part }
    }
    fn summary(&self, ending: Ending, timing: Timing) -> Summary {
        Summary::of(self, ending, timing)
    }

    fn summary_json(summary: &Summary) -> serde_json::Value {
        summary.json()
    }

    fn radial_distribution(&self) -> Option<Vec<[f64; 2]>> {
        let volume = self.simulation.settings().region.volume();
        let distances = self.measured.distances.as_ref()?;
        Some(distances.distribution::<D>(self.simulation.count(), volume))
    }

    fn check_structure(&mut self) {
        self.checks = true;
    }

    fn preflight(&self, scene: &Scene<D>) -> Preflight {
        let estimate = Estimate::of(scene, self);
        Preflight { refusal: estimate.refusal(), warnings: estimate.warnings }
    }

    fn force_energy(&mut self) {}

    fn is_over(&mut self) -> Option<Ending> {
        self.check_at_rest();
        self.ending()
    }

    fn advance(&mut self) -> Result<(), Error> {
        let measured = &self.measured;
        let (row_time, row_collisions) = measured.output_schedule.log.due(measured.rows);
        let row_time = self.snap_to_end_of_growth(row_time);
        let (growth_time, growth_collisions) = self.simulation.growth_may_end();
        let (now, done) = (self.simulation.now(), self.simulation.counters().collisions);
        let time = [
            self.limits.until.unwrap_or_else(|| rest::next_rest_check(now)),
            row_time,
            self.frame_due(),
            growth_time,
            now + self.polling_interval.time,
        ];
        let collisions = [
            self.limits.collisions.unwrap_or(u64::MAX),
            row_collisions,
            growth_collisions,
            done.saturating_add(PollingInterval::COLLISIONS_PER_POLL),
        ];
        let until = time.into_iter().fold(f64::INFINITY, f64::min);
        let most = collisions.into_iter().fold(u64::MAX, u64::min);
        self.simulation.advance_bounded(until, most.saturating_sub(done));
        self.simulation.check_field()?;
        self.polling_interval.adapt(&self.simulation);
        self.check_at_rest();
        let interval = match self.measured.output_schedule.log {
            OutputInterval::Time(interval) => Some(interval),
            OutputInterval::Collisions(_) => None,
        };
        let (simulation, rows) = (&mut self.simulation, self.measured.rows);
        Ok(self.stall_detector.check(simulation, &self.limits, rows, interval)?)
    }

    fn emit_due_output(&mut self, sink: &mut impl Sink<D, Self>) -> Result<(), Error> {
        let (now, collisions) = (self.simulation.now(), self.simulation.counters().collisions);
        let (time, count) = self.measured.output_schedule.log.due(self.measured.rows);
        if now >= self.snap_to_end_of_growth(time) || collisions >= count {
            self.emit_row(sink)?;
            self.measured.rows += 1;
        }
        if now >= self.frame_due() {
            sink.frame(&|| self.frame())?;
            self.measured.frame_times.push(now);
        }
        Ok(())
    }

    fn emit_final_output(&mut self, sink: &mut impl Sink<D, Self>) -> Result<(), Error> {
        let now = self.simulation.now();
        // A multiple of an interval may be rounded to just before the end.
        let just = |time: f64| now - time <= ROUNDING * now;
        let logged = self.measured.window_start.collisions == self.simulation.counters().collisions
            && just(self.measured.window_start.time);
        if !logged {
            self.emit_row(sink)?;
        }
        if !self.measured.frame_times.last().is_some_and(|&time| just(time)) {
            sink.frame(&|| self.frame())?;
        }
        Ok(())
    }
}
