use super::Run;
use crate::run::{Ending, Timing};
use carom_io::six_significant_digits;
use carom_scene::scene::GrowthTarget;
use carom_simulate::event_driven::Simulation;
use carom_simulate::observe::{
    CumulativeObservables, ExternalPotential, NeighborStructureStatistics, ThermodynamicSnapshot,
    WindowAverages,
};
use serde_json::{Value, json};

/// The neighbor structure of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChosenStructure {
    /// Name of the structure in scenes.
    pub name: &'static str,
    /// Why it was chosen.
    pub reason: &'static str,
}

impl ChosenStructure {
    /// The structure of a simulation.
    pub(super) fn of<const D: usize>(simulation: &Simulation<D>) -> Self {
        let (structure, reason) = simulation.structure();
        ChosenStructure { name: structure.name(), reason }
    }
}

/// Numbers of events other than collisions of two bodies, over the whole run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OtherEvents {
    /// Collisions with walls.
    pub wall_collisions: u64,
    /// Passages through the sides of a periodic box.
    pub passages: u64,
    /// Evaluations of the acceleration in the field.
    pub predictions: u64,
    /// Collisions made elastic by the contact-time rule.
    pub collapse_prevented: u64,
}

/// Work of neighbor structure and event calendar since the run was started or resumed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EventDrivenWork {
    /// Changes of the structure.
    pub structure_changes: u64,
    /// Neighbors found by these changes.
    pub fresh_neighbors: u64,
    /// Events whose partner had been deflected before.
    pub stale_events: u64,
    /// Pairs whose collision time was computed.
    pub pair_tests: u64,
    /// Times at which structure and calendar were rebuilt.
    pub restarts: u64,
}

/// Numbers of an event-driven run at its end or pause.
///
/// Energy, temperature and packing fraction are those at the end; pressure, mean free path and rates are means over the
/// whole run, beside the mean temperature and the rates up to the last row of the log. Work and speed are those since
/// the run was started or resumed.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Why it ended.
    pub ending: Ending,
    /// Dimension, 2 or 3.
    pub dimension: usize,
    /// Number of bodies.
    pub bodies: usize,
    /// Simulated time.
    pub time: f64,
    /// Number of collisions of two bodies, over the whole run.
    pub collisions: u64,
    /// Number of collisions since the run was started or resumed.
    pub collisions_since_resume: u64,
    /// Kinetic energy at the end, ½ Σ m v².
    pub kinetic_energy: f64,
    /// Temperature at the end.
    pub temperature: f64,
    /// Packing fraction at the end.
    pub packing_fraction: f64,
    /// Packing fraction that growth was to reach, if the scene gives one.
    pub wanted_packing_fraction: Option<f64>,
    /// `<v^4> / <v^2>^2` at the end.
    pub velocity_moment: f64,
    /// Mean temperature over the run.
    pub mean_temperature: f64,
    /// Collisions of one body per time, mean over the run.
    pub collision_rate: f64,
    /// Mean speed over collision rate, both means over the run.
    pub mean_free_path: f64,
    /// `Z = PV / NkT` with pressure and temperature as means over the run.
    pub reduced_pressure: f64,
    /// Pressure by the virial, mean over the run.
    pub pressure: f64,
    /// Pressure and rates of the last row of the log, if there is one.
    pub last_row: Option<WindowAverages>,
    /// Smallest gap at a collision, in units of the smaller radius.
    pub smallest_gap: f64,
    /// Energy lost in collisions.
    pub dissipated: f64,
    /// Fingerprint of all collisions: times and pairs in order.
    pub digest: u64,
    /// Mean square displacement, if the scene asks for it.
    pub mean_square_displacement: Option<f64>,
    /// Other events than collisions of two bodies.
    pub other_events: OtherEvents,
    /// Work behind these events.
    pub work: EventDrivenWork,
    /// Neighbor structure and why it was chosen.
    pub structure: ChosenStructure,
    /// Cost of the neighbor structure.
    pub figures: NeighborStructureStatistics,
    /// Work specific to the neighbor structure since the run was started or resumed: names and counts. Only
    /// `laguerre-delaunay` reports some.
    pub structure_work: Vec<(&'static str, u64)>,
    /// Contact time: collisions of a body nearer in time count as one lasting contact.
    pub contact_time: f64,
    /// Wall-clock time by phase.
    pub timing: Timing,
}

impl Summary {
    /// Summarizes a run at its current time.
    pub fn of<const D: usize>(run: &Run<D>, ending: Ending, timing: Timing) -> Self {
        let simulation = run.simulation();
        let (counters, before) = (simulation.counters(), &run.counters_at_resume);
        let snapshot = ThermodynamicSnapshot::of(simulation, &ExternalPotential::default());
        let (count, time) = (simulation.count() as f64, simulation.now());
        let now = CumulativeObservables::with(simulation, &snapshot);
        let [temperature_time, speed_time] = run.measured.integrals_until(&now);
        let target = simulation.settings().growth.and_then(|growth| growth.until);
        let virial = counters.virial / D as f64;
        let collision_rate = 2.0 * counters.collisions as f64 / (count * time);
        let volume = simulation.settings().region.volume();
        Summary {
            ending,
            dimension: D,
            bodies: simulation.count(),
            time,
            collisions: counters.collisions,
            collisions_since_resume: counters.collisions - before.collisions,
            kinetic_energy: snapshot.kinetic_energy,
            temperature: snapshot.temperature,
            packing_fraction: snapshot.packing_fraction,
            wanted_packing_fraction: match target {
                Some(GrowthTarget::PackingFraction(wanted)) => Some(wanted),
                _ => None,
            },
            velocity_moment: snapshot.velocity_moment,
            mean_temperature: temperature_time / time,
            collision_rate,
            mean_free_path: speed_time / time / collision_rate,
            reduced_pressure: 1.0 + virial / (count * temperature_time),
            pressure: (count * temperature_time + virial) / (time * volume),
            last_row: run.measured.last_window,
            smallest_gap: counters.smallest_gap,
            dissipated: counters.dissipated,
            digest: counters.digest,
            mean_square_displacement: (run.measured.displacement.as_ref())
                .map(|displacement| displacement.mean_square(simulation)),
            other_events: OtherEvents {
                wall_collisions: counters.wall_collisions,
                passages: counters.passages,
                predictions: counters.predictions,
                collapse_prevented: counters.collapse_prevented,
            },
            work: EventDrivenWork {
                structure_changes: counters.structure_changes - before.structure_changes,
                fresh_neighbors: counters.fresh_neighbors - before.fresh_neighbors,
                stale_events: counters.stale_events - before.stale_events,
                pair_tests: counters.pair_tests - before.pair_tests,
                restarts: counters.restarts - before.restarts,
            },
            structure: ChosenStructure::of(simulation),
            figures: NeighborStructureStatistics::since(before, simulation),
            structure_work: simulation.structure_statistics(),
            contact_time: simulation.contact_time(),
            timing,
        }
    }

    /// The reason why the run ended, after "ended", with the packing fraction that growth has reached.
    pub fn reason(&self) -> String {
        let reason = self.ending.reason();
        let is = six_significant_digits(self.packing_fraction);
        match self.wanted_packing_fraction {
            _ if self.ending == Ending::Stopped => reason.to_owned(),
            Some(wanted) if self.packing_fraction < wanted * (1.0 - 1e-9) => {
                let end =
                    if self.ending == Ending::Growth { "jammed at" } else { "packing fraction" };
                format!("{reason}: {end} {is}, target {}", six_significant_digits(wanted))
            }
            _ if self.ending == Ending::Growth => format!("{reason}, at packing fraction {is}"),
            _ => reason.to_owned(),
        }
    }

    /// Collisions per second of wall-clock time since the run was started or resumed, without output and measuring.
    pub fn collisions_per_second(&self) -> f64 {
        self.collisions_since_resume as f64 / self.timing.running.as_secs_f64()
    }

    /// Count of one kind of work specific to the structure, if it reports it.
    pub fn structure_count(&self, what: &str) -> Option<u64> {
        self.structure_work.iter().find(|(name, _)| *name == what).map(|&(_, count)| count)
    }

    /// Content of `summary.json`; numbers that are not finite are null there.
    pub fn json(&self) -> Value {
        let (other, work) = (&self.other_events, &self.work);
        let figures = &self.figures;
        json!({
            "finished": self.ending != Ending::Stopped,
            "ending": self.ending,
            "dimension": self.dimension,
            "bodies": self.bodies,
            "time": self.time,
            "collisions": self.collisions,
            "kinetic_energy": self.kinetic_energy,
            "temperature": self.temperature,
            "packing_fraction": self.packing_fraction,
            "wanted_packing_fraction": self.wanted_packing_fraction,
            "velocity_moment": self.velocity_moment,
            "mean_temperature": self.mean_temperature,
            "collision_rate": self.collision_rate,
            "mean_free_path": self.mean_free_path,
            "reduced_pressure": self.reduced_pressure,
            "pressure": self.pressure,
            "last_row": self.last_row.map(|row| json!({
                "collision_rate": row.collision_rate,
                "mean_free_path": row.mean_free_path,
                "reduced_pressure": row.reduced_pressure,
                "pressure": row.pressure,
            })),
            "smallest_gap": self.smallest_gap,
            "dissipated": self.dissipated,
            "mean_square_displacement": self.mean_square_displacement,
            "contact_time": self.contact_time,
            "digest": format!("{:016x}", self.digest),
            "events": {
                "collisions": self.collisions,
                "wall_collisions": other.wall_collisions,
                "passages": other.passages,
                "predictions": other.predictions,
                "collapse_prevented": other.collapse_prevented,
            },
            "work": {
                "collisions": self.collisions_since_resume,
                "collisions_per_second": self.collisions_per_second(),
                "structure_changes": work.structure_changes,
                "fresh_neighbors": work.fresh_neighbors,
                "stale_events": work.stale_events,
                "pair_tests": work.pair_tests,
                "restarts": work.restarts,
            },
            "neighbors": {
                "structure": self.structure.name,
                "reason": self.structure.reason,
                "pairs": figures.neighbor_pairs,
                "mean_per_body": figures.mean_neighbors,
                "most_of_one_body": figures.max_neighbors,
                "changes_per_collision": figures.changes_per_collision,
                "fresh_per_change": figures.fresh_neighbors_per_change,
                "pair_tests_per_collision": figures.pair_tests_per_collision,
                "work": self.structure_work_json(),
            },
            "memory": {
                "bodies": figures.memory.bodies,
                "calendar": figures.memory.calendar,
                "structure": figures.memory.structure,
                "total": figures.memory.total(),
            },
            "seconds": {
                "initialization": self.timing.initialization.as_secs_f64(),
                "running": self.timing.running.as_secs_f64(),
                "measuring": self.timing.measuring.as_secs_f64(),
                "output": self.timing.output.as_secs_f64(),
            },
        })
    }

    /// Work specific to the structure, such as `{"flips": 12, "certificates_bounded": 345}`.
    fn structure_work_json(&self) -> Value {
        let entry = |&(what, count): &(&str, u64)| (what.replace(' ', "_"), Value::from(count));
        Value::Object(self.structure_work.iter().map(entry).collect())
    }
}
