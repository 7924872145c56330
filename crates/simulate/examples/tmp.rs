use carom_simulate::deform::{Body, Grid, Lattice, Material};
use carom_geometry::Vector;
fn block<const D: usize>(lattice: Lattice, counts: [i32; D]) -> Body<D> {
    let high = counts.map(|count| count - 1);
    let grid = Grid::fill(lattice, [[0; D], high], |_| true);
    let material = Material { pushed: 1.5, breaks_at: Some(0.2), ..Material::elastic(lattice.solid().young, 1.0 / lattice.solid().volume)};
    Body::new(grid, material, 1.0, |place| *place)
}
fn time<const D: usize>(lattice: Lattice, counts: [i32; D], steps: u32) {
    let mut body = block(lattice, counts);
    for n in 0..body.grid().len() { let mut v = Vector::zeros(); v[0] = 1e-3*(0.37*n as f64).sin(); body.displace(n, &v); }
    let mut best = 0.0f64;
    for _ in 0..4 {
        let t = std::time::Instant::now();
        for _ in 0..steps { body.step(&Vector::zeros(), 0.2, 0.2); }
        let n = counts.iter().map(|c| f64::from(*c)).product::<f64>() * lattice.half::<D>().len() as f64;
        best = best.max(f64::from(steps) * n / t.elapsed().as_secs_f64());
    }
    println!("{lattice:?} {counts:?} {best:.3e}");
}
fn main() {
    time(Lattice::Square4, [316, 316], 200);
    time(Lattice::Square4, [1000, 1000], 40);
    time(Lattice::Square8, [316, 316], 200);
    time(Lattice::Square8, [1000, 1000], 40);
    time(Lattice::Cubic18, [46, 46, 46], 100);
    time(Lattice::Cubic18, [100, 100, 100], 20);
}
