use super::{Row, Run};
use crate::run::{Ending, Timing};
use carom_simulate::dem::Energy;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The figures of a run in steps of time at its end or pause.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Why it ended.
    pub ending: Ending,
    /// 2 or 3.
    pub dimension: usize,
    /// Bodies.
    pub bodies: usize,
    /// Simulated time.
    pub time: f64,
    /// Steps, all of the run.
    pub steps: u64,
    /// Steps since the run was started or resumed.
    pub steps_since_resume: u64,
    /// Searches for neighbors since then.
    pub searches_since_resume: u64,
    /// The length of a step.
    pub step: f64,
    /// Energies now.
    pub energy: Energy,
    /// Temperature now.
    pub temperature: f64,
    /// Pairs that touch now.
    pub contacts: u64,
    /// Bodies that touch walls now.
    pub wall_contacts: u64,
    /// The deepest overlap now, in parts of the smaller radius.
    pub deepest_overlap: f64,
    /// The center of mass now.
    pub center: Vec<f64>,
    /// Bodies in each of the regions that the scene observes, by name.
    pub regions: Vec<(String, u64)>,
    /// Bodies of each pour that have come.
    pub poured: Vec<u64>,
    /// Where the bodies are that the scene observes.
    pub observed: Vec<(u32, Vec<f64>)>,
    /// Pairs looked at in a step.
    pub pairs: usize,
    /// Bytes of bodies and neighbors.
    pub bytes: usize,
    /// Wall-clock time.
    pub timing: Timing,
}

impl Summary {
    /// Of a run as it stands.
    pub fn of<const D: usize>(run: &Run<D>, ending: Ending, timing: Timing) -> Self {
        let simulation = run.simulation();
        let row: Row<D> = run.row();
        Summary {
            ending,
            dimension: D,
            bodies: simulation.body_count(),
            time: row.time,
            steps: row.steps,
            steps_since_resume: row.steps - run.counts_at_resume[0],
            searches_since_resume: simulation.searches() - run.counts_at_resume[1],
            step: simulation.time_step(),
            energy: row.energy,
            temperature: row.thermal.temperature,
            contacts: row.contacts,
            wall_contacts: row.wall_contacts,
            deepest_overlap: row.deepest_overlap,
            center: row.center.iter().copied().collect(),
            regions: (run.observe.regions.iter().zip(&row.regions))
                .map(|(region, &count)| (region.name.clone(), count))
                .collect(),
            poured: run.pour_state.poured.clone(),
            observed: (run.observe.bodies.iter().zip(&row.observed))
                .map(|(&body, place)| (body, place.iter().copied().collect()))
                .collect(),
            pairs: simulation.neighbor_pair_count(),
            bytes: simulation.bytes(),
            timing,
        }
    }

    /// Steps of one body per second of wall-clock time since the run was started or resumed.
    pub fn body_steps_per_second(&self) -> f64 {
        (self.steps_since_resume * self.bodies as u64) as f64 / self.timing.running.as_secs_f64()
    }

    /// Contacts of a body with others, on average.
    pub fn mean_coordination_number(&self) -> f64 {
        2.0 * self.contacts as f64 / self.bodies.max(1) as f64
    }

    /// What stands in `summary.json`; what is not a number is null there.
    pub fn json(&self) -> Value {
        let energy = &self.energy;
        json!({
            "finished": self.ending != Ending::Stopped,
            "ending": self.ending,
            "engine": "dem",
            "dimension": self.dimension,
            "bodies": self.bodies,
            "time": self.time,
            "steps": self.steps,
            "step": self.step,
            "temperature": self.temperature,
            "contacts": self.contacts,
            "wall_contacts": self.wall_contacts,
            "coordination": self.mean_coordination_number(),
            "deepest_overlap": self.deepest_overlap,
            "center": self.center,
            "regions": self.regions.iter().cloned().collect::<BTreeMap<String, u64>>(),
            "poured": self.poured,
            "observed": (self.observed.iter())
                .map(|(body, place)| (body.to_string(), place.clone()))
                .collect::<BTreeMap<String, Vec<f64>>>(),
            "energy": {
                "kinetic_energy": energy.kinetic_energy,
                "rotational_energy": energy.rotational_energy,
                "potential_energy": energy.potential_energy,
                "contact_energy": energy.contact_energy,
                "damping_loss": energy.damping_loss,
                "friction_loss": energy.friction_loss,
                "external_work": energy.external_work,
                "total": energy.total(),
            },
            "work": {
                "steps": self.steps_since_resume,
                "searches": self.searches_since_resume,
                "body_steps_per_second": self.body_steps_per_second(),
                "pairs": self.pairs,
            },
            "memory": { "total": self.bytes },
            "seconds": {
                "initialization": self.timing.initialization.as_secs_f64(),
                "running": self.timing.running.as_secs_f64(),
                "measuring": self.timing.measuring.as_secs_f64(),
                "output": self.timing.output.as_secs_f64(),
            },
        })
    }
}
