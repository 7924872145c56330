//! Lets charged grains repel each other by a pair force of one's own (DEM), until they are spread over a disc.

use carom::simulate::dem::{Body, CompositeLaw, Settings, Simulation};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let site = |k: usize| Body::at_rest([(k % 5) as f64 * 0.5, (k / 5) as f64 * 0.5], 0.1, 1.0);
    let bodies: Vec<Body<2>> = (0..25).map(site).collect();
    let settings =
        Settings { time_step: Some(1e-3), ..Settings::with_law(CompositeLaw::spring(1e4)) };
    let mut simulation = Simulation::new(&bodies, settings)?;

    // Like charges, up to a distance of 10; and a trap with drag that keeps them together.
    simulation.add_pair_force(10.0, |_, pair| -pair.separation / pair.distance.powi(3))?;
    simulation.add_force(|state, forces| {
        for (body, force) in forces.iter_mut().enumerate() {
            *force -= state.positions[body] + state.velocities[body] * 2.0;
        }
    });
    simulation.advance(20_000)?;

    let state = simulation.state();
    let radius = state.positions.iter().map(|place| place.norm()).fold(0.0, f64::max);
    println!("{} grains on a disc of radius {radius:.2}", state.ids.len());
    assert!(state.kinetic_energy() < 1e-3 && radius > 1.5);
    assert!(state.center_of_mass().norm() < 1e-3);
    Ok(())
}
