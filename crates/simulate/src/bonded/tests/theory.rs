//! Comparisons with the theory of waves, impacts, bars, beams and cuts.

use super::*;

/// Wavelength, in spacings.
const WAVE: f64 = 64.0;

/// The speed of a wave along the first axis with displacements along `axis`, from when the middle of a block first
/// returns to its rest position; by then nothing has come there from its sides.
fn speed<const D: usize>(lattice: SpringLattice, axis: usize) -> f64 {
    let mut size = [36.0; D];
    (size[0], size[1]) = (100.0, 60.0);
    let mut body = Body::new(boxed(lattice, size), &unit(lattice), 1.0, |place| *place).unwrap();
    let middle = nearest(&body, &Vector::from(size.map(|size| 0.5 * size)));
    let rest = body.position(middle);
    for number in body.grid().particles().collect::<Vec<_>>() {
        let phase = TAU * (body.position(number)[0] - rest[0]) / WAVE;
        let mut way = Vector::zeros();
        way[axis] = 1e-4 * phase.cos();
        body.displace(number, &way).unwrap();
    }
    let (step, mut now) = (0.1, 0.0);
    loop {
        let before = body.position(middle)[axis] - rest[axis];
        // The first kick is of half a step, from rest.
        body.advance(&Vector::zeros(), if now == 0.0 { 0.5 * step } else { step }, step);
        let after = body.position(middle)[axis] - rest[axis];
        if after <= 0.0 {
            return 0.25 * WAVE / (now + step * before / (before - after));
        }
        now += step;
    }
}

#[test]
fn waves_are_as_fast_as_the_lattice_says() {
    for lattice in SpringLattice::ALL {
        let solid = lattice.solid();
        let measure = |axis| match lattice.dimension() {
            2 => speed::<2>(lattice, axis),
            _ => speed::<3>(lattice, axis),
        };
        let longitudinal = measure(0) / solid.longitudinal_wave_speed;
        assert!((longitudinal - 1.0).abs() < 1e-3, "{lattice:?} {longitudinal}");
        if solid.transverse_wave_speed > 0.0 {
            let transverse = measure(1) / solid.transverse_wave_speed;
            assert!((transverse - 1.0).abs() < 1e-3, "{lattice:?} {transverse}");
        }
    }
}

/// Both halves of a strip move apart: the springs between them break with the energy asked for.
#[test]
fn a_cut_costs_the_energy_asked_for_and_nothing_is_lost() {
    for lattice in [SpringLattice::Square4, SpringLattice::Square8, SpringLattice::Triangular] {
        let asked = 2e-3;
        let failure_criterion = Some(SpringFailureCriterion::Energy(asked));
        let springs = Springs { failure_criterion, ..Springs::default() };
        let material = Material { springs, ..unit(lattice) };
        let grid = boxed(lattice, [60.0, 8.0 * 0.75_f64.sqrt()]);
        let mut body = Body::new(grid, &material, 1.0, |place| *place).unwrap();
        body.activate_all();
        let particles: Vec<usize> = body.grid().particles().collect();
        let width = 60.0;
        let halves: Vec<bool> =
            particles.iter().map(|&number| body.position(number)[1] > 3.2).collect();
        for (&number, &upper) in particles.iter().zip(&halves) {
            let way = if upper { 0.05 } else { -0.05 };
            body.set_particle_velocity(number, &[0.0, way].into()).unwrap();
        }
        let before = energy(&body, 0.0).total();
        for _ in 0..1000 {
            body.advance(&Vector::zeros(), 0.005, 0.005);
        }
        let energy = energy(&body, 0.005);
        let cost = energy.fracture_loss / width;
        assert!((energy.total() / before - 1.0).abs() < 1e-2, "{lattice:?} {energy:?} {before}");
        assert!((cost / asked - 1.0).abs() < 0.03, "{lattice:?} {cost}");
    }
}

/// Two balls of a radius in spacings, rotated against each other, meet at a fraction of the speed of sound: contact
/// duration and peak force over those of H. Hertz's theory, and the coefficient of restitution.
fn balls(radius: f64, part: f64) -> [f64; 3] {
    let lattice = SpringLattice::Cubic18;
    let solid = lattice.solid();
    let speed = part * solid.longitudinal_wave_speed;
    let high = radius as i32 + 1;
    let ball = |number: usize| {
        let aside = Vector::from([0.31, 0.217, 0.093]);
        let is_inside = |steps: &[i32; 3]| (lattice.position(steps) + aside).norm() <= radius;
        let grid = LatticeGrid::fill(lattice, [[-high; 3], [high; 3]], is_inside).unwrap();
        let angles = [0.7 + 0.9 * number as f64, 0.5 - 0.8 * number as f64];
        let turn = nalgebra::Rotation3::from_euler_angles(0.0, angles[1], angles[0]);
        let side = if number == 0 { -1.0 } else { 1.0 };
        let place = move |place: &Vector<3>| {
            turn * (place + aside) + Vector::from([side * (radius + 0.7), 0.0, 0.0])
        };
        let mut body = Body::new(grid, &unit(lattice), 1.0, place).unwrap();
        let middle = Vector::from([side * (radius + 0.7), 0.0, 0.0]);
        body.set_outline(|place| radius - (place - middle).norm()).unwrap();
        body.set_velocity([-0.5 * side * speed, 0.0, 0.0].into()).unwrap();
        body
    };
    let bodies = vec![ball(0), ball(1)];
    let count = bodies[0].particle_count() as f64;
    let round = 0.5 * (3.0 * count / (4.0 * std::f64::consts::PI)).cbrt();
    let (mass, modulus) =
        (0.5 * count, 0.5 * solid.youngs_modulus / (1.0 - solid.poissons_ratio.powi(2)));
    let deepest = (15.0 * mass * speed * speed / (16.0 * modulus * round.sqrt())).powf(0.4);
    let (lasts, hardest) = (2.943275 * deepest / speed, 1.25 * mass * speed * speed / deepest);
    let mut simulation = Simulation::new(bodies).unwrap();
    let (mut first, mut last, mut most) = (None, 0.0, 0.0_f64);
    while simulation.now() < 3.0 * lasts + 2.0 / speed {
        let (before, then) = (simulation.bodies()[0].momentum().x, simulation.now());
        simulation.advance(1).unwrap();
        let change = simulation.bodies()[0].momentum().x - before;
        let touched = simulation.contact_totals();
        if touched.contacts > 0 {
            first.get_or_insert(simulation.now());
            last = simulation.now();
            most = most.max(-change / (simulation.now() - then));
        }
    }
    let parted = |number: usize| simulation.bodies()[number].momentum().x / count;
    [(last - first.unwrap()) / lasts, most / hardest, (parted(1) - parted(0)) / speed]
}

/// Faster balls are compressed beyond the range of Hertz's law, which holds for small indentations.
#[test]
#[ignore = "takes half a minute: cargo xtask test --all"]
fn balls_meet_as_hertz_says_and_keep_their_speed() {
    let [lasts, hardest, parted] = balls(20.0, 0.009);
    assert!((lasts - 1.0).abs() < 0.04 && (hardest - 1.0).abs() < 0.04, "{lasts} {hardest}");
    assert!((parted - 1.0).abs() < 0.01, "{parted}");
}

/// The ratio of transverse to axial strain in the middle of a bar that is slowly pulled at both ends.
fn pulled<const D: usize>(lattice: SpringLattice, poisson: Option<f64>) -> f64 {
    let (long, wide) = (60.0, if D == 2 { 24.0 } else { 14.0 });
    let mut size = [wide; D];
    size[0] = long;
    let springs = Springs { damping: 0.3, ..Springs::default() };
    let material = Material { poissons_ratio: poisson, springs, ..unit(lattice) };
    let mut body = Body::new(boxed(lattice, size), &material, 1.0, |place| *place).unwrap();
    let particles: Vec<usize> = body.grid().particles().collect();
    let places: Vec<Vector<D>> = particles.iter().map(|&number| body.position(number)).collect();
    let speed = 2e-5 * long;
    for (&number, place) in particles.iter().zip(&places) {
        let mut velocity = Vector::zeros();
        velocity[0] = speed * (place[0] / long - 0.5);
        body.set_particle_velocity(number, &velocity).unwrap();
        if place[0] < 0.1 || place[0] > long - 0.6 {
            body.hold(number).unwrap();
        }
    }
    let mut simulation = Simulation::new(vec![body]).unwrap();
    while simulation.now() <= 250.0 {
        simulation.advance(10).unwrap();
    }
    let body = &simulation.bodies()[0];
    let change = |axis: usize, is_in: &dyn Fn(&Vector<D>) -> bool| {
        // Slope of displacements over positions, by least squares.
        let (mut sums, mut count) = ([0.0; 4], 0.0);
        for (&number, place) in particles.iter().zip(&places).filter(|(_, place)| is_in(place)) {
            let (at, way) = (place[axis], body.position(number)[axis] - place[axis]);
            sums = [sums[0] + at, sums[1] + way, sums[2] + at * at, sums[3] + at * way];
            count += 1.0;
        }
        (count * sums[3] - sums[0] * sums[1]) / (count * sums[2] - sums[0] * sums[0])
    };
    let middle = |place: &Vector<D>| (place[0] - 0.5 * long).abs() < 6.0;
    let (along, across) = (change(0, &middle), change(1, &middle));
    -across / along
}

fn assert_poissons_ratio<const D: usize>(cases: &[(SpringLattice, Option<f64>)], of_springs: f64) {
    for &(lattice, poisson) in cases {
        // Particles at the surface, one in seven in these bars, have a one-sided neighborhood.
        let near = if poisson.is_some() { 0.02 } else { 0.012 };
        let (found, expected) = (pulled::<D>(lattice, poisson), poisson.unwrap_or(of_springs));
        assert!((found - expected).abs() < near, "{lattice:?} {poisson:?} {found}");
    }
}

#[test]
fn poissons_ratio_is_that_of_springs_or_what_was_asked_for() {
    let cases = [
        (SpringLattice::Square8, None),
        (SpringLattice::Triangular, None),
        (SpringLattice::Square8, Some(0.0)),
        (SpringLattice::Square8, Some(0.6)),
    ];
    assert_poissons_ratio::<2>(&cases, 1.0 / 3.0);
}

#[test]
#[ignore = "takes a minute: cargo xtask test --all"]
fn poissons_ratio_in_space_is_that_of_springs_or_what_was_asked_for() {
    let cases = [
        (SpringLattice::Cubic18, None),
        (SpringLattice::Cubic26, None),
        (SpringLattice::Cubic18, Some(0.1)),
        (SpringLattice::Cubic18, Some(0.4)),
    ];
    assert_poissons_ratio::<3>(&cases, 0.25);
}

/// The pressure in the middle of a body that was shrunk isotropically, over Young's modulus and the strain.
fn shrunk<const D: usize>(lattice: SpringLattice, poisson: Option<f64>) -> f64 {
    let (part, young, spacing) = (1e-6, 3e5, 0.25);
    let material = Material { poissons_ratio: poisson, ..Material::elastic(young, 7.0) };
    let grid = boxed(lattice, [12.0; D]);
    let mut body = Body::new(grid, &material, spacing, |place| place * spacing).unwrap();
    assert!(body.pressures().iter().all(|&pressure| pressure == 0.0));
    let particles: Vec<usize> = body.grid().particles().collect();
    for &number in &particles {
        body.displace(number, &(body.position(number) * -part)).unwrap();
    }
    let middle = nearest(&body, &Vector::repeat(6.0 * spacing));
    let at = particles.iter().position(|&number| number == middle).unwrap();
    body.pressures()[at] / (young * part)
}

#[test]
fn a_body_that_is_shrunk_presses_back_by_its_bulk_modulus() {
    let near = |found: f64, expected: f64| (found / expected - 1.0).abs() < 1e-5;
    for (lattice, poisson) in [
        (SpringLattice::Square8, None),
        (SpringLattice::Triangular, None),
        (SpringLattice::Square8, Some(0.6)),
    ] {
        let found = shrunk::<2>(lattice, poisson);
        let expected = 1.0 / (1.0 - poisson.unwrap_or(1.0 / 3.0));
        assert!(near(found, expected), "{lattice:?} {poisson:?} {found} {expected}");
    }
    for (lattice, poisson) in [
        (SpringLattice::Cubic18, None),
        (SpringLattice::Cubic26, None),
        (SpringLattice::Cubic18, Some(0.4)),
    ] {
        let found = shrunk::<3>(lattice, poisson);
        let expected = 1.0 / (1.0 - 2.0 * poisson.unwrap_or(0.25));
        assert!(near(found, expected), "{lattice:?} {poisson:?} {found} {expected}");
    }
}

/// Two rods of square lattices without diagonals are chains side by side: A. J. C. Barré de Saint-Venant's theory.
#[test]
fn rods_touch_for_twice_the_way_of_a_wave_and_part_by_their_lengths() {
    for (lengths, restitution) in [([100, 100], 1.0), ([100, 200], 0.5), ([100, 400], 0.25)] {
        let lattice = SpringLattice::Square4;
        let rod = |length: i32, from: f64| {
            let grid = LatticeGrid::fill(lattice, [[0, 0], [length - 1, 2]], |_| true).unwrap();
            Body::new(grid, &unit(lattice), 1.0, |place| place + Vector::from([from, 0.0])).unwrap()
        };
        let (mut first, second) = (rod(lengths[0], 0.0), rod(lengths[1], f64::from(lengths[0])));
        let speed = 1e-3;
        first.set_velocity([speed, 0.0].into()).unwrap();
        let mut simulation = Simulation::new(vec![first, second]).unwrap();
        let mut last = 0.0;
        while simulation.now() < 4.0 * f64::from(lengths[0]) {
            simulation.advance(1).unwrap();
            if simulation.contact_totals().contacts > 0 {
                last = simulation.now();
            }
        }
        let speeds = [0, 1].map(|number: usize| {
            let body = &simulation.bodies()[number];
            body.momentum().x / body.total_mass()
        });
        let parted = (speeds[1] - speeds[0]) / speed;
        assert!((last / (2.0 * f64::from(lengths[0])) - 1.0).abs() < 0.03, "{lengths:?} {last}");
        assert!((parted - restitution).abs() < 0.02, "{lengths:?} {parted}");
    }
}

#[test]
fn a_beam_bends_as_theory_says() {
    assert_bending(32.0);
}

#[test]
#[ignore = "takes a minute: cargo xtask test --all"]
fn a_beam_of_many_rows_bends_as_theory_says() {
    assert_bending(48.0);
}

/// A cantilever of four times its height bends under its weight as S. P. Timoshenko's theory says.
fn assert_bending(high: f64) {
    let lattice = SpringLattice::Square8;
    // Diagonals end half a spacing below the surface, which makes beams of few rows more compliant.
    let long = 4.0 * high;
    let grid =
        LatticeGrid::fill(lattice, [[0, 0], [long as i32, high as i32 - 1]], |_| true).unwrap();
    let mut body = Body::new(grid, &unit(lattice), 1.0, |place| *place).unwrap();
    let particles: Vec<usize> = body.grid().particles().collect();
    let end = nearest(&body, &[long, 0.5 * high].into());
    for &number in &particles {
        if body.position(number).x < 0.5 {
            body.hold(number).unwrap();
        }
    }
    let start = body.position(end);
    let mut simulation = Simulation::new(vec![body]).unwrap();
    let fall = 1e-7;
    simulation.set_gravity([0.0, -fall].into()).unwrap();
    let solid = lattice.solid();
    let (load, shear) = (fall * high, solid.youngs_modulus / (2.0 * (1.0 + solid.poissons_ratio)));
    let free = long + 0.5;
    let inertia = high.powi(3) / 12.0;
    let bent = load * free.powi(4) / (8.0 * solid.youngs_modulus * inertia);
    let sheared = load * free * free / (2.0 * shear * high * 5.0 / 6.0);
    // It vibrates about its equilibrium: a weighted mean over three periods has none of that.
    let period = 2.0 * std::f64::consts::PI / 3.516
        * free
        * free
        * (high / (solid.youngs_modulus * inertia)).sqrt();
    let (mut sum, mut weights) = (0.0, 0.0);
    while simulation.now() < 3.0 * period {
        simulation.advance(50).unwrap();
        let weight = 1.0 - (TAU * simulation.now() / (3.0 * period)).cos();
        sum += weight * (start.y - simulation.bodies()[0].position(end).y);
        weights += weight;
    }
    let found = sum / weights / (bent + sheared);
    assert!((found - 1.0).abs() < 0.02, "{found}");
}

/// Contact durations and peak forces scale with powers of the speed.
#[test]
#[ignore = "takes a minute: cargo xtask test --all"]
fn impacts_scale_with_the_speed_as_hertz_says() {
    // Both are relative to theory, so that only deviations from its powers are left.
    let [slow, fast] = [0.009, 0.018].map(|part| balls(16.0, part));
    assert!((slow[0] / fast[0] - 1.0).abs() < 0.03, "{slow:?} {fast:?}");
    assert!((slow[1] / fast[1] - 1.0).abs() < 0.05, "{slow:?} {fast:?}");
}
