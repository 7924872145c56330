//! Pulls grains together by a force of one's own (DEM) and lists the strongest contacts.

use carom::geometry::Vector;
use carom::simulate::dem::{Body, CompositeLaw, Damping, Settings, Simulation};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let site = |k: usize| Body::at_rest([(k % 10) as f64, (k / 10) as f64], 0.48, 1.0);
    let bodies: Vec<Body<2>> = (0..100).map(site).collect();
    let law = CompositeLaw { damping: Damping::restitution(0.5), ..CompositeLaw::spring(1e4) };
    let mut simulation = Simulation::new(&bodies, Settings::with_law(law))?;

    // A pull to the center and drag, as a function of the state; called once per time step.
    let center = Vector::from([4.5, 4.5]);
    simulation.add_force(move |state, forces| {
        for (body, force) in forces.iter_mut().enumerate() {
            *force -= (state.positions[body] - center) * 2.0 + state.velocities[body];
        }
    });
    while simulation.now() < 5.0 {
        simulation.advance(100)?;
    }

    let mut contacts = simulation.contacts();
    contacts.sort_by(|a, b| b.normal_force.total_cmp(&a.normal_force));
    for contact in &contacts[..3] {
        println!("{} on {}: {:.2}", contact.body, contact.obstacle, contact.normal_force);
    }
    assert!(contacts.len() > 100 && contacts[0].normal_force > 10.0);
    Ok(())
}
