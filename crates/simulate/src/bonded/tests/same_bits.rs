//! Results have the same bits for any number of threads, and after a restart.

use super::*;

fn yielding() -> Springs {
    Springs { yield_stretch: Some(0.01), damping: 0.05, ..Springs::default() }
}

/// A hollow ball, rotated, struck at one particle.
fn struck(threads: usize, whole: bool) -> Body<3> {
    let lattice = SpringLattice::Cubic18;
    let is_inside = |steps: &[i32; 3]| {
        let square: i32 = steps.iter().map(|step| step * step).sum();
        (10..=150).contains(&square)
    };
    let grid = LatticeGrid::fill(lattice, [[-13; 3], [13; 3]], is_inside).unwrap();
    let turn = nalgebra::Rotation3::from_euler_angles(0.3, 0.7, -0.4);
    let springs = Springs { compression_ratio: 1.5, ..Springs::default() };
    let material = Material { springs, ..unit(lattice) };
    let mut body = Body::new(grid, &material, 1.0, |place| turn * place).unwrap();
    body.set_velocity([0.1, 0.0, 0.2].into()).unwrap();
    if whole {
        body.activate_all();
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let number = nearest(&body, &[12.0, 0.0, 0.0].into());
        body.kick_particle(number, &[-0.3, 0.1, 0.0].into());
        for _ in 0..10 {
            body.advance(&[0.0, 0.0, -1e-3].into(), 0.2, 0.2);
        }
    });
    body
}

#[test]
fn threads_do_not_change_a_bit_and_a_front_hardly_one() {
    let [one, two, whole] = [struck(1, false), struck(2, false), struck(1, true)];
    let reached = one.wave_front.count(&one.grid);
    assert!(reached < one.grid.slot_count() * 3 / 4, "{reached}");
    for number in one.grid.particles() {
        assert_eq!(one.position(number), two.position(number));
        assert_eq!(one.velocity(number), two.velocity(number));
        // Stepping the whole body also steps what rounding has strained.
        assert!((one.position(number) - whole.position(number)).norm() < 1e-13);
        assert!((one.velocity(number) - whole.velocity(number)).norm() < 1e-13);
    }
}

/// Two discs that break each other, one of them ductile; saved and restored anywhere, they continue to the same bits.
#[test]
fn a_saved_moment_continues_to_the_same_bits() {
    let lattice = SpringLattice::Square8;
    let start = || {
        let disc = |x: f64, material: Material| {
            let is_inside = |steps: &[i32; 2]| steps[0].pow(2) + steps[1].pow(2) <= 64;
            let grid = LatticeGrid::fill(lattice, [[-8; 2], [8; 2]], is_inside).unwrap();
            let shift = Vector::from([x, 0.1 * x]);
            Body::new(grid, &material, 1.0, |place| place + shift).unwrap()
        };
        let brittle = Material { springs: breaking_at(0.04), friction: 0.3, ..unit(lattice) };
        let ductile = Material { springs: yielding(), ..brittle.clone() };
        let mut bodies = vec![disc(0.0, brittle), disc(18.0, ductile)];
        bodies[0].set_velocity([0.25, 0.0].into()).unwrap();
        Simulation::new(bodies).unwrap()
    };
    let mut uncut = start();
    let mut cut = start();
    for _ in 0..12 {
        uncut.advance(37).unwrap();
        cut.advance(37).unwrap();
        let saved = cut.saved_state();
        cut = start();
        cut.restore_state(saved).unwrap();
    }
    assert!(uncut.bodies()[0].broken_springs() > 20 && uncut.energy().plastic_loss > 0.0);
    assert_eq!(uncut.saved_state(), cut.saved_state());
}

/// Breaking, yielding, damping, dilatation and contact in many chunks: threads change nothing.
#[test]
fn threads_do_not_change_a_bit_of_anything() {
    let lattice = SpringLattice::Square8;
    let run = |threads: usize| {
        let disc = |x: f64, material: Material| {
            let is_inside = |steps: &[i32; 2]| steps[0].pow(2) + steps[1].pow(2) <= 1600;
            let grid = LatticeGrid::fill(lattice, [[-40; 2], [40; 2]], is_inside).unwrap();
            let shift = Vector::from([x, 0.2 * x]);
            Body::new(grid, &material, 1.0, |place| place + shift).unwrap()
        };
        let brittle = Material { springs: breaking_at(0.03), friction: 0.3, ..unit(lattice) };
        let ductile =
            Material { springs: yielding(), poissons_ratio: Some(0.2), ..brittle.clone() };
        let mut bodies = vec![disc(0.0, brittle), disc(80.0, ductile)];
        bodies[0].set_velocity([0.3, 0.0].into()).unwrap();
        let mut simulation = Simulation::new(bodies).unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| simulation.advance(300)).unwrap();
        simulation
    };
    let [one, three] = [1, 3].map(run);
    assert!(one.bodies()[0].broken_springs() > 10 && one.energy().plastic_loss > 0.0);
    assert_eq!(one.saved_state(), three.saved_state());
}
