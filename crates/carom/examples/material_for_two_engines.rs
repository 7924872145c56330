//! Describes a material once: contacts of balls (DEM) and the springs of a bar (bonded particles) follow from it.

use carom::simulate::{Material, Restitution, bonded, dem};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let steel = Material {
        restitution: Restitution::Constant(0.9),
        friction: 0.3,
        ..Material::elastic(2e11, 7800.0)
    };

    // Two balls of a centimeter, by the law of Hertz.
    let settings = dem::Settings::with_materials(std::slice::from_ref(&steel), &[])?;
    let mass = 7800.0 * 4.0 / 3.0 * std::f64::consts::PI * 0.01_f64.powi(3);
    let at_rest = dem::Body::at_rest([0.0200001, 0.0, 0.0], 0.01, mass);
    let moving = dem::Body { velocity: [1.0, 0.0, 0.0].into(), ..at_rest };
    let balls = [dem::Body { position: [0.0, 0.0, 0.0].into(), ..moving }, at_rest];
    let mut balls = dem::Simulation::new(&balls, settings)?;
    while balls.now() < 1e-4 {
        balls.advance(100)?;
    }
    let parted = balls.body(1).velocity.x - balls.body(0).velocity.x;
    println!("the balls part at {parted:.3}");
    assert!((parted - 0.9).abs() < 1e-2);

    // A bar of a lattice of springs.
    let lattice = bonded::SpringLattice::Cubic18;
    let spacing = 0.001;
    let springs = bonded::SpringProperties::of(&steel, lattice, spacing)?;
    let force = 1e-3 / springs.strain_at_force(lattice, spacing, 1.0);
    let grid = bonded::LatticeGrid::fill(lattice, [[0; 3], [99, 9, 9]], |_| true)?;
    let bar = bonded::Body::new(grid, &steel, spacing, |place| place * spacing)?;
    println!(
        "a bar of {:.3} kg, whose springs pull with {force:.0} at a stretch of 0.001",
        bar.total_mass()
    );
    assert!((bar.total_mass() - 7800.0 * 1e-5).abs() < 1e-9);
    Ok(())
}
