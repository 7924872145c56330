use super::{Row, Run};
use crate::run::{Ending, Timing};
use carom_simulate::bonded::Energy;
use serde_json::{Value, json};

/// Numbers of a run of bonded particles at its end or pause.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Why it ended.
    pub ending: Ending,
    /// Dimension, 2 or 3.
    pub dimension: usize,
    /// Number of particles of all solids.
    pub particles: usize,
    /// Number of springs, intact or broken.
    pub springs: u64,
    /// Simulated time.
    pub time: f64,
    /// Number of time steps of the whole run.
    pub steps: u64,
    /// Number of time steps since the run was started or resumed.
    pub steps_since_resume: u64,
    /// Longest time step, which the material allows.
    pub step: f64,
    /// Shortest time step taken.
    pub shortest_step: f64,
    /// Energies at the end, and losses of the run.
    pub energy: Energy,
    /// Number of particles in contact at the end.
    pub contacts: u64,
    /// Number of broken springs.
    pub broken_springs: u64,
    /// Number of fragments of all solids.
    pub fragments: u64,
    /// Fraction of all particles that waves have reached.
    pub reached: f64,
    /// One entry per solid.
    pub solids: Vec<SolidSummary>,
    /// Memory of bodies, in bytes.
    pub bytes: usize,
    /// Wall-clock time by phase.
    pub timing: Timing,
}

/// Numbers of a solid.
#[derive(Clone, Debug, PartialEq)]
pub struct SolidSummary {
    /// Mass.
    pub mass: f64,
    /// Center of mass at the end.
    pub center: Vec<f64>,
    /// Velocity of the center of mass.
    pub velocity: Vec<f64>,
    /// Number of fragments.
    pub fragments: u64,
    /// Mass of the largest fragment over the mass of the solid.
    pub largest_fragment: f64,
    /// Number of broken springs.
    pub broken_springs: u64,
}

impl Summary {
    /// Summarizes a run at its current time.
    pub fn of<const D: usize>(run: &Run<D>, ending: Ending, timing: Timing) -> Self {
        let (simulation, row): (_, Row<D>) = (run.simulation(), run.row());
        let bodies = simulation.bodies();
        let solid = |solid: &super::SolidRow<D>| SolidSummary {
            mass: solid.mass,
            center: solid.center.iter().copied().collect(),
            velocity: solid.velocity.iter().copied().collect(),
            fragments: solid.fragments,
            largest_fragment: solid.largest_fragment,
            broken_springs: solid.broken_springs,
        };
        Summary {
            ending,
            dimension: D,
            particles: bodies.iter().map(|body| body.particle_count()).sum(),
            springs: bodies.iter().map(|body| body.spring_count()).sum(),
            time: row.time,
            steps: row.steps,
            steps_since_resume: row.steps - run.steps_at_resume,
            step: simulation.time_step(),
            shortest_step: simulation.shortest_time_step(),
            energy: row.energy,
            contacts: row.contacts,
            broken_springs: row.broken_springs,
            fragments: row.fragments,
            reached: row.reached,
            solids: row.solids.iter().map(solid).collect(),
            bytes: bodies.iter().map(|body| body.bytes()).sum(),
            timing,
        }
    }

    /// Springs stepped per second of wall-clock time since the run was started or resumed, as if waves had reached all
    /// of them from the start.
    pub fn springs_per_second(&self) -> f64 {
        self.steps_since_resume as f64 * self.springs as f64 / self.timing.running.as_secs_f64()
    }

    /// Content of `summary.json`; numbers that are not finite are null there.
    pub fn json(&self) -> Value {
        let energy = &self.energy;
        let solid = |solid: &SolidSummary| {
            json!({
                "mass": solid.mass,
                "center": solid.center,
                "velocity": solid.velocity,
                "fragments": solid.fragments,
                "largest_fragment": solid.largest_fragment,
                "broken_springs": solid.broken_springs,
            })
        };
        json!({
            "finished": self.ending != Ending::Stopped,
            "ending": self.ending,
            "engine": "bonded",
            "dimension": self.dimension,
            "particles": self.particles,
            "springs": self.springs,
            "time": self.time,
            "steps": self.steps,
            "step": self.step,
            "shortest_step": self.shortest_step,
            "contacts": self.contacts,
            "broken_springs": self.broken_springs,
            "fragments": self.fragments,
            "reached": self.reached,
            "solids": self.solids.iter().map(solid).collect::<Vec<Value>>(),
            "energy": {
                "kinetic_energy": energy.kinetic_energy,
                "bond_energy": energy.bond_energy,
                "contact_energy": energy.contact_energy,
                "potential_energy": energy.potential_energy,
                "fracture_loss": energy.fracture_loss,
                "plastic_loss": energy.plastic_loss,
                "damping_loss": energy.damping_loss,
                "friction_loss": energy.friction_loss,
                "constraint_loss": energy.constraint_loss,
                "total": energy.total(),
            },
            "work": {
                "steps": self.steps_since_resume,
                "springs_per_second": self.springs_per_second(),
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
