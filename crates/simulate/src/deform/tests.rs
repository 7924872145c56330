//! Waves and front of a single body.

use super::{Body, Grid, Lattice, Material};
use carom_geometry::Vector;

/// A block of so many particles along each axis.
fn block<const D: usize>(lattice: Lattice, counts: [i32; D]) -> Body<D> {
    let high = counts.map(|count| count - 1);
    let grid = Grid::fill(lattice, [[0; D], high], |_| true);
    let material = Material::elastic(lattice.solid().young, 1.0 / lattice.solid().volume);
    Body::new(grid, material, 1.0, |place| *place)
}

#[test]
fn speed() {
    let mut body = block(Lattice::Square8, [1000, 1000]);
    body.displace(500_500, &Vector::from([1e-3, 0.0]));
    let start = std::time::Instant::now();
    let steps = 50;
    for _ in 0..steps {
        body.step(&Vector::zeros(), 0.2, 0.2);
    }
    let rate = f64::from(steps) * 1e6 * 4.0 / start.elapsed().as_secs_f64();
    println!("square8 {rate:.3e}");
    let mut body = block(Lattice::Square4, [316, 316]);
    body.displace(500, &Vector::from([1e-3, 0.0]));
    let start = std::time::Instant::now();
    let steps = 500;
    for _ in 0..steps {
        body.step(&Vector::zeros(), 0.2, 0.2);
    }
    let rate = f64::from(steps) * 1e5 * 2.0 / start.elapsed().as_secs_f64();
    println!("square4 1e5 {rate:.3e}");
    let mut body = block(Lattice::Cubic18, [46, 46, 46]);
    body.displace(50_000, &Vector::from([1e-3, 0.0, 0.0]));
    let start = std::time::Instant::now();
    let steps = 50;
    for _ in 0..steps {
        body.step(&Vector::zeros(), 0.2, 0.2);
    }
    let rate = f64::from(steps) * 46.0f64.powi(3) * 9.0 / start.elapsed().as_secs_f64();
    println!("cubic18 {rate:.3e}");
}
