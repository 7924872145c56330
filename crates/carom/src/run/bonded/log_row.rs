use carom_geometry::Vector;
use carom_io::LogValue;
use carom_scene::Scene;
use carom_simulate::bonded::{Energy, Fragments, Simulation};

/// One row of the log. Nothing in it depends on where the run was cut.
#[derive(Clone, Debug, PartialEq)]
pub struct Row<const D: usize> {
    /// Simulated time.
    pub time: f64,
    /// Number of time steps so far.
    pub steps: u64,
    /// Energies at this time, and losses so far.
    pub energy: Energy,
    /// Number of particles in contact with a surface or a wall.
    pub contacts: u64,
    /// Sum of the normal forces of these contacts.
    pub contact_force_sum: f64,
    /// Number of broken springs.
    pub broken_springs: u64,
    /// Number of fragments of all solids.
    pub fragments: u64,
    /// Fraction of all particles that waves have reached.
    pub reached: f64,
    /// Momentum, Σ m v.
    pub momentum: Vector<D>,
    /// One entry per solid.
    pub solids: Vec<SolidRow<D>>,
}

/// What is logged of a solid.
#[derive(Clone, Debug, PartialEq)]
pub struct SolidRow<const D: usize> {
    /// Velocity of the center of mass.
    pub velocity: Vector<D>,
    /// Center of mass.
    pub center: Vector<D>,
    /// Mass.
    pub mass: f64,
    /// Number of fragments.
    pub fragments: u64,
    /// Mass of the largest fragment over the mass of the solid.
    pub largest_fragment: f64,
    /// Number of broken springs.
    pub broken_springs: u64,
}

impl<const D: usize> Row<D> {
    /// Names of the columns of `log.csv`.
    pub(super) fn columns(scene: &Scene<D>) -> Vec<String> {
        let mut names: Vec<String> = [
            "time",
            "steps",
            "kinetic_energy",
            "bond_energy",
            "contact_energy",
            "potential_energy",
            "fracture_loss",
            "plastic_loss",
            "damping_loss",
            "friction_loss",
            "constraint_loss",
            "contacts",
            "contact_force",
            "broken_springs",
            "fragments",
            "reached",
        ]
        .map(str::to_owned)
        .into();
        let axes = &["x", "y", "z"][..D];
        names.extend(axes.iter().map(|axis| format!("momentum_{axis}")));
        for solid in 0..scene.solids.len() {
            names.extend(axes.iter().map(|axis| format!("solid_{solid}_{axis}")));
            names.extend(axes.iter().map(|axis| format!("solid_{solid}_v{axis}")));
            names.push(format!("solid_{solid}_fragments"));
        }
        names
    }

    /// The values of these columns.
    pub(super) fn values(&self) -> Vec<LogValue> {
        let energy = &self.energy;
        let mut values: Vec<LogValue> = vec![
            self.time.into(),
            self.steps.into(),
            energy.kinetic_energy.into(),
            energy.bond_energy.into(),
            energy.contact_energy.into(),
            energy.potential_energy.into(),
            energy.fracture_loss.into(),
            energy.plastic_loss.into(),
            energy.damping_loss.into(),
            energy.friction_loss.into(),
            energy.constraint_loss.into(),
            self.contacts.into(),
            self.contact_force_sum.into(),
            self.broken_springs.into(),
            self.fragments.into(),
            self.reached.into(),
        ];
        values.extend(self.momentum.iter().map(|&part| LogValue::from(part)));
        for solid in &self.solids {
            values.extend(solid.center.iter().map(|&part| LogValue::from(part)));
            values.extend(solid.velocity.iter().map(|&part| LogValue::from(part)));
            values.push(solid.fragments.into());
        }
        values
    }

    /// Measures a simulation.
    pub(super) fn of(simulation: &Simulation<D>) -> Self {
        let solids: Vec<SolidRow<D>> = (simulation.bodies().iter())
            .map(|body| SolidRow::of(&body.fragments(), body.broken_springs()))
            .collect();
        let bodies = simulation.bodies();
        let room: usize = bodies.iter().map(|body| body.grid().slot_count()).sum();
        let reached: usize = bodies.iter().map(|body| body.reached_count()).sum();
        Row {
            time: simulation.now(),
            steps: simulation.steps(),
            energy: simulation.energy(),
            contacts: simulation.contact_totals().contacts,
            contact_force_sum: simulation.contact_totals().force_sum,
            broken_springs: solids.iter().map(|solid| solid.broken_springs).sum(),
            fragments: solids.iter().map(|solid| solid.fragments).sum(),
            reached: reached as f64 / room.max(1) as f64,
            momentum: solids.iter().map(|solid| solid.velocity * solid.mass).sum(),
            solids,
        }
    }
}

impl<const D: usize> SolidRow<D> {
    fn of(fragments: &Fragments<D>, broken_springs: u64) -> Self {
        let list = &fragments.list;
        let mass: f64 = list.iter().map(|fragment| fragment.mass).sum();
        let mean = |of: &dyn Fn(usize) -> Vector<D>| {
            let parts = (0..list.len()).map(|name| of(name) * (list[name].mass / mass));
            parts.sum::<Vector<D>>()
        };
        SolidRow {
            velocity: mean(&|name| list[name].velocity),
            center: mean(&|name| list[name].center),
            mass,
            fragments: list.len() as u64,
            largest_fragment: list.first().map_or(0.0, |largest| largest.mass / mass),
            broken_springs,
        }
    }
}
