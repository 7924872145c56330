//! Drops grains with a contact law of one's own (DEM): plastic springs (O. Walton and R. Braun, 1986).

use carom::simulate::dem::*;

/// The stiffness with which contacts are loaded, and the larger one with which they are unloaded.
#[derive(Clone)]
struct PlasticSpring(f64, f64);

impl ContactLaw for PlasticSpring {
    /// The deepest overlap so far.
    type History = [f64; 1];

    fn contact_force(&self, at: &ContactKinematics, held: &mut [f64; 1], _: f64) -> ContactForce {
        let (before, deepest) = (held[0], held[0].max(at.overlap));
        *held = [deepest];
        let normal_force = (self.1 * (at.overlap - deepest) + self.0 * deepest).max(0.0);
        let mut force = ContactForce { normal_force, ..ContactForce::default() };
        let work = 0.5 * self.0 * (deepest.powi(2) - before.powi(2));
        force.losses.damping_loss = work * (1.0 - self.0 / self.1);
        force
    }

    fn stored_energy(&self, overlap: f64, radius: f64, held: &[f64; 1]) -> f64 {
        self.static_normal_force(overlap, radius, held).powi(2) / (2.0 * self.1)
    }
}

fn main() -> Result<(), carom::simulate::Error> {
    let grains = [1.0, 2.5, 4.0, 5.5, 7.0].map(|y| Body::at_rest([0.05 * y, y], 0.5, 1.0));
    let (walls, gravity) = (vec![Wall::plane([0.0, 1.0, 0.0], 0.0)], [0.0, -9.8].into());
    let settings = Settings { walls, gravity, ..Settings::with_law(PlasticSpring(1e4, 4e4)) };
    let mut simulation = Simulation::new(&grains, settings)?;
    let before = simulation.energy().total();
    simulation.advance(10_000)?;
    let after = simulation.energy();
    println!("{:.1} of {before:.1} lost in contacts", after.damping_loss);
    assert!(after.damping_loss > 0.3 * before && (after.total() / before - 1.0).abs() < 1e-3);
    Ok(())
}
