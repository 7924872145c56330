//! Finds the neighbors of discs of different sizes: those whose Laguerre cells share an edge.

use carom::detect::laguerre::Triangulation;
use carom::{Boundary, Sphere};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let discs: Vec<Sphere<2>> = (0..9)
        .map(|k| {
            let (x, y) = (f64::from(k % 3), f64::from(k / 3));
            Sphere::new([x + 0.1 * y, y], if k == 4 { 0.6 } else { 0.3 })
        })
        .collect();
    let triangulation = Triangulation::of(&discs, &Boundary::open())?;
    let mut neighbors = triangulation.neighbors(4);
    neighbors.sort_unstable();
    println!("neighbors of the large disc: {neighbors:?}");
    assert_eq!(neighbors, [0, 1, 2, 3, 5, 6, 7, 8]);
    Ok(())
}
