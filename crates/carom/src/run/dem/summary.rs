use super::{Row, Run};
use crate::run::{Ending, Timing};
use carom_simulate::dem::Energy;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Numbers of a time-stepped (DEM) run at its end or pause.
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
    /// Number of time steps of the whole run.
    pub steps: u64,
    /// Number of time steps since the run was started or resumed.
    pub steps_since_resume: u64,
    /// Number of neighbor searches since then.
    pub searches_since_resume: u64,
    /// Time step.
    pub step: f64,
    /// Energies at the end, and losses and external work of the run.
    pub energy: Energy,
    /// Temperature at the end.
    pub temperature: f64,
    /// Number of pairs in contact at the end.
    pub contacts: u64,
    /// Number of contacts with walls at the end.
    pub wall_contacts: u64,
    /// Largest overlap at the end, over the smaller radius.
    pub deepest_overlap: f64,
    /// Center of mass at the end.
    pub center: Vec<f64>,
    /// Number of bodies in each observed region, by name.
    pub regions: Vec<(String, u64)>,
    /// Number of bodies of each pour that have been inserted.
    pub poured: Vec<u64>,
    /// Names of the outlets, and the number of bodies that have left at each.
    pub outlets: Vec<(String, u64)>,
    /// Numbers and positions of the observed bodies.
    pub observed: Vec<(u32, Vec<f64>)>,
    /// Number of pairs in the neighbor list.
    pub pairs: usize,
    /// Memory of bodies and neighbor list, in bytes.
    pub bytes: usize,
    /// Wall-clock time by phase.
    pub timing: Timing,
}

impl Summary {
    /// Summarizes a run at its current time.
    pub fn of<const D: usize>(run: &Run<D>, ending: Ending, timing: Timing) -> Self {
        let simulation = run.simulation();
        let row: Row<D> = run.row();
        Summary {
            ending,
            dimension: D,
            bodies: simulation.body_count(),
            time: row.time,
            steps: row.steps,
            steps_since_resume: row.steps - run.steps_at_resume,
            searches_since_resume: simulation.searches() - run.searches_at_resume,
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
            outlets: run.outlet_state.named_counts(),
            observed: (run.observe.bodies.iter().zip(&row.observed))
                .map(|(&body, place)| (body, place.iter().copied().collect()))
                .collect(),
            pairs: simulation.neighbor_pair_count(),
            bytes: simulation.bytes(),
            timing,
        }
    }

    /// Body steps (time steps times bodies) per second of wall-clock time since the run was started or resumed.
    pub fn body_steps_per_second(&self) -> f64 {
        (self.steps_since_resume * self.bodies as u64) as f64 / self.timing.running.as_secs_f64()
    }

    /// Mean coordination number: contacts of a body with other bodies.
    pub fn mean_coordination_number(&self) -> f64 {
        2.0 * self.contacts as f64 / self.bodies.max(1) as f64
    }

    /// Content of `summary.json`; numbers that are not finite are null there.
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
            "outlets": self.outlets.iter().cloned().collect::<BTreeMap<String, u64>>(),
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
