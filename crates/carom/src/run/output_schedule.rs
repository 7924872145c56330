//! When log rows and frames are due.

use super::Error;
use carom_geometry::math;
use carom_scene::Scene;
use carom_scene::scene::{Engine, GrowthTarget, OutputSettings};
use carom_simulate::SavedArrays;

/// Interval between outputs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OutputInterval {
    /// Integer multiples of a time.
    Time(f64),
    /// Integer multiples of a number of collisions.
    Collisions(u64),
}

impl OutputInterval {
    /// When output number `index`, from zero, is due: a time and a number of collisions, one of which is infinite.
    pub(super) fn due(self, index: u64) -> (f64, u64) {
        match self {
            OutputInterval::Time(interval) => (index as f64 * interval, u64::MAX),
            OutputInterval::Collisions(count) => (f64::INFINITY, index.saturating_mul(count)),
        }
    }
}

/// When log rows and frames are due; fixed at the start of a run and kept through every resume.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutputSchedule {
    /// Interval of log rows.
    pub log: OutputInterval,
    /// Time interval of frames; if none, only start and end have one.
    pub frames: Option<f64>,
}

/// Where rows and frames are counted from: the start of the run, or of the present stage.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct OutputOrigin {
    pub time: f64,
    pub collisions: u64,
    pub row: u64,
    pub frame: u64,
}

impl OutputOrigin {
    pub(super) fn put_into(&self, arrays: &mut SavedArrays) {
        arrays.put_u64("origin_counts", [self.collisions, self.row, self.frame]);
        arrays.put_f64("origin_time", [self.time]);
    }

    pub(super) fn take_from(arrays: &mut SavedArrays) -> Result<Self, carom_simulate::Error> {
        let counts = arrays.take_u64("origin_counts", 3)?;
        let time = arrays.take_numbers("origin_time", 1)?[0];
        Ok(OutputOrigin { time, collisions: counts[0], row: counts[1], frame: counts[2] })
    }
}

/// Times that differ by less than this fraction of a time step are equal but for rounding.
const ROUNDING: f64 = 1e-6;

/// Number of log rows, about, where the scene does not say.
const ROWS: u64 = 100;
/// Collisions per body between two rows where neither the scene nor its end says.
const COLLISIONS_PER_ROW: u64 = 10;

impl OutputSchedule {
    /// The schedule of a scene; without a log interval, a hundredth of its time, its growth or its collisions.
    pub fn of<const D: usize>(scene: &Scene<D>) -> Self {
        OutputSchedule::from(scene, None)
    }

    /// As [`of`](Self::of), from a packing fraction on; that of the start where there is none.
    fn from<const D: usize>(scene: &Scene<D>, packing_fraction: Option<f64>) -> Self {
        let OutputSettings { log_interval, log_collisions, .. } = scene.output;
        let own = log_interval
            .map(OutputInterval::Time)
            .or(log_collisions.map(OutputInterval::Collisions));
        OutputSchedule {
            log: own
                .unwrap_or_else(|| OutputSchedule::default_log_interval(scene, packing_fraction)),
            frames: scene.output.interval,
        }
    }

    /// Time and number of collisions at which the next row is due after a number of rows, one of them infinite.
    pub(super) fn row_due(&self, origin: &OutputOrigin, rows: u64) -> (f64, u64) {
        let (after, number) = self.log.due(rows - origin.row);
        (origin.time + after, number.saturating_add(origin.collisions))
    }

    /// Time at which the next frame is due after a number of frames.
    pub(super) fn frame_due(&self, origin: &OutputOrigin, frames: u64) -> f64 {
        match self.frames {
            Some(interval) => origin.time + (frames - origin.frame) as f64 * interval,
            // A run has a frame of its start and one of its end, whatever the interval.
            None if frames == 0 => 0.0,
            None => f64::INFINITY,
        }
    }

    /// The schedule of a scene for an engine with this time step, if it has one, from a packing fraction on; that of the
    /// start where there is none.
    pub(super) fn for_steps_of<const D: usize>(
        scene: &Scene<D>,
        step: Option<f64>,
        packing_fraction: Option<f64>,
    ) -> Result<Self, Error> {
        match step {
            Some(step) => OutputSchedule::for_time_steps(scene, step),
            None => Ok(OutputSchedule::from(scene, packing_fraction)),
        }
    }

    /// As [`of`](Self::of), for time-stepped engines. More than one output per time step would repeat the same moment:
    /// a scene that asks for that is refused, and one that does not say gets a row for every step.
    fn for_time_steps<const D: usize>(scene: &Scene<D>, step: f64) -> Result<Self, Error> {
        let OutputSettings { interval, log_interval, .. } = scene.output;
        for (what, asked) in [("output.log_interval", log_interval), ("output.interval", interval)]
        {
            if let Some(asked) = asked.filter(|asked| *asked < step * (1.0 - ROUNDING)) {
                let value = format!("{asked:?}, but a step takes {step:?}");
                let rule = "it must be at least as long, or the same moment would be written again";
                return Err(carom_simulate::Error::Setting { what, value, rule }.into());
            }
        }
        let schedule = OutputSchedule::of(scene);
        Ok(match schedule.log {
            OutputInterval::Time(interval) => {
                OutputSchedule { log: OutputInterval::Time(interval.max(step)), ..schedule }
            }
            OutputInterval::Collisions(_) => schedule,
        })
    }

    fn default_log_interval<const D: usize>(
        scene: &Scene<D>,
        packing_fraction: Option<f64>,
    ) -> OutputInterval {
        let hundredth = |time: f64| time / ROWS as f64;
        let time = scene.limits.until.map(hundredth).filter(|&interval| interval > 0.0);
        match (
            time.or(growth_duration(scene, packing_fraction).map(hundredth)),
            scene.limits.collisions,
        ) {
            (Some(interval), _) => OutputInterval::Time(interval),
            // Time-stepped engines count no collisions; a run that ends where it begins has one row anyway.
            (None, _) if scene.engine != Engine::EventDriven => OutputInterval::Time(1.0),
            (None, Some(collisions)) => OutputInterval::Collisions((collisions / ROWS).max(1)),
            (None, None) => {
                OutputInterval::Collisions(COLLISIONS_PER_ROW * scene.bodies.len() as u64)
            }
        }
    }
}

/// Duration of growth from a packing fraction on, or from that of the start, if a packing fraction ends it.
pub(super) fn growth_duration<const D: usize>(
    scene: &Scene<D>,
    packing_fraction: Option<f64>,
) -> Option<f64> {
    let growth = scene.growth?;
    let Some(GrowthTarget::PackingFraction(wanted)) = growth.until else { return None };
    let present = packing_fraction.unwrap_or_else(|| scene.packing_fraction());
    let factor = math::powf(wanted / present, 1.0 / D as f64);
    Some((factor - 1.0) / growth.rate)
}
