use super::{Body, Energy, Grid, Lattice, Material, Simulation, Touch};
use carom_geometry::Vector;
use std::collections::HashMap;
use std::f64::consts::TAU;

/// With a spacing, a mass of each particle and a stiffness of one.
fn unit(lattice: Lattice) -> Material {
    Material::elastic(lattice.solid().young, 1.0 / lattice.solid().volume)
}

/// The energy of a body by itself.
fn energy<const D: usize>(body: &Body<D>, kick: f64) -> Energy {
    body.energy(&Vector::zeros(), &HashMap::new(), kick)
}

/// All places of a lattice in a box from zero.
fn boxed<const D: usize>(lattice: Lattice, size: [f64; D]) -> Grid<D> {
    let widest = size.iter().fold(0.0, |widest: f64, &size| widest.max(size)) as i32 + 2;
    let is_inside = |steps: &[i32; D]| {
        let place = lattice.place(steps);
        (0..D).all(|axis| (-1e-9..=size[axis] + 1e-9).contains(&place[axis]))
    };
    Grid::fill(lattice, [[-2 * widest; D], [2 * widest; D]], is_inside)
}

/// The particle nearest to a place.
fn nearest<const D: usize>(body: &Body<D>, place: &Vector<D>) -> usize {
    let distance = |&number: &usize| (body.position(number) - place).norm_squared();
    let all = body.grid().particles();
    all.min_by(|one, two| distance(one).total_cmp(&distance(two))).unwrap()
}

/// Waves are so many spacings long.
const WAVE: f64 = 64.0;

/// The speed of a wave along the first axis with displacements along an axis, from when the middle of a block first
/// comes back to rest; by then nothing has come there from its sides.
fn speed<const D: usize>(lattice: Lattice, axis: usize) -> f64 {
    let mut size = [36.0; D];
    (size[0], size[1]) = (100.0, 60.0);
    let mut body = Body::new(boxed(lattice, size), unit(lattice), 1.0, |place| *place).unwrap();
    let middle = nearest(&body, &Vector::from(size.map(|size| 0.5 * size)));
    let rest = body.position(middle);
    for number in body.grid().particles().collect::<Vec<_>>() {
        let phase = TAU * (body.position(number)[0] - rest[0]) / WAVE;
        let mut way = Vector::zeros();
        way[axis] = 1e-4 * phase.cos();
        body.displace(number, &way);
    }
    let (step, mut now) = (0.1, 0.0);
    loop {
        let before = body.position(middle)[axis] - rest[axis];
        // The first kick is of half a step, from rest.
        body.step(&Vector::zeros(), if now == 0.0 { 0.5 * step } else { step }, step);
        let after = body.position(middle)[axis] - rest[axis];
        if after <= 0.0 {
            return 0.25 * WAVE / (now + step * before / (before - after));
        }
        now += step;
    }
}

#[test]
fn waves_are_as_fast_as_the_lattice_says() {
    for lattice in Lattice::ALL {
        let solid = lattice.solid();
        let measure = |axis| match lattice.dimension() {
            2 => speed::<2>(lattice, axis),
            _ => speed::<3>(lattice, axis),
        };
        let longitudinal = measure(0) / solid.longitudinal;
        assert!((longitudinal - 1.0).abs() < 1e-3, "{lattice:?} {longitudinal}");
        if solid.transverse > 0.0 {
            let transverse = measure(1) / solid.transverse;
            assert!((transverse - 1.0).abs() < 1e-3, "{lattice:?} {transverse}");
        }
    }
}

/// A ball with a hole, turned, struck at one particle.
fn struck(threads: usize, whole: bool) -> Body<3> {
    let lattice = Lattice::Cubic18;
    let is_inside = |steps: &[i32; 3]| {
        let square: i32 = steps.iter().map(|step| step * step).sum();
        (10..=150).contains(&square)
    };
    let grid = Grid::fill(lattice, [[-13; 3], [13; 3]], is_inside);
    let turn = nalgebra::Rotation3::from_euler_angles(0.3, 0.7, -0.4);
    let material = Material { pushed: 1.5, ..unit(lattice) };
    let mut body = Body::new(grid, material, 1.0, |place| turn * place).unwrap();
    body.set_velocity([0.1, 0.0, 0.2].into());
    if whole {
        body.reach_all();
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let number = nearest(&body, &[12.0, 0.0, 0.0].into());
        body.push(number, &[-0.3, 0.1, 0.0].into());
        for _ in 0..10 {
            body.step(&[0.0, 0.0, -1e-3].into(), 0.2, 0.2);
        }
    });
    body
}

#[test]
fn threads_do_not_change_a_bit_and_a_front_hardly_one() {
    let [one, two, whole] = [struck(1, false), struck(2, false), struck(1, true)];
    let reached = one.front.count(&one.grid);
    assert!(reached < one.grid.room() * 3 / 4, "{reached}");
    for number in one.grid.particles() {
        assert_eq!(one.position(number), two.position(number));
        assert_eq!(one.velocity(number), two.velocity(number));
        // A body that is stepped all over also steps what rounding has stretched.
        assert!((one.position(number) - whole.position(number)).norm() < 1e-13);
        assert!((one.velocity(number) - whole.velocity(number)).norm() < 1e-13);
    }
}

#[test]
fn energy_and_momentum_are_kept() {
    let lattice = Lattice::Square8;
    let mut body =
        Body::new(boxed(lattice, [30.0, 20.0]), unit(lattice), 1.0, |place| *place).unwrap();
    body.push(100, &[0.3, 0.2].into());
    let (momentum, start) = (body.momentum(), energy(&body, 0.0).total());
    for _ in 0..2000 {
        body.step(&Vector::zeros(), 0.1, 0.1);
        let change = energy(&body, 0.1).total() / start - 1.0;
        assert!(change.abs() < 1e-2, "{change}");
    }
    assert!((body.momentum() - momentum).norm() < 1e-13);
}

/// Both halves of a strip fly apart: the springs between them break with the energy that was asked for.
#[test]
fn a_cut_costs_the_energy_asked_for_and_nothing_is_lost() {
    for lattice in [Lattice::Square4, Lattice::Square8, Lattice::Triangular] {
        let asked = 2e-3;
        let mut material = unit(lattice);
        material.breaks_at = Some(material.breaking_stretch(lattice, 1.0, asked));
        let grid = boxed(lattice, [60.0, 8.0 * 0.75_f64.sqrt()]);
        let mut body = Body::new(grid, material, 1.0, |place| *place).unwrap();
        body.reach_all();
        let particles: Vec<usize> = body.grid().particles().collect();
        let width = 60.0;
        let halves: Vec<bool> =
            particles.iter().map(|&number| body.position(number)[1] > 3.2).collect();
        for (&number, &upper) in particles.iter().zip(&halves) {
            let way = if upper { 0.05 } else { -0.05 };
            body.set_particle_velocity(number, &[0.0, way].into());
        }
        let before = energy(&body, 0.0).total();
        for _ in 0..1000 {
            body.step(&Vector::zeros(), 0.005, 0.005);
        }
        let energy = energy(&body, 0.005);
        let cost = energy.fractured / width;
        assert!((energy.total() / before - 1.0).abs() < 1e-2, "{lattice:?} {energy:?} {before}");
        assert!((cost / asked - 1.0).abs() < 0.03, "{lattice:?} {cost}");
    }
}

#[test]
fn a_step_pulls_as_springs_do() {
    let lattice = Lattice::Square8;
    let mut body =
        Body::new(boxed(lattice, [100.0, 20.0]), unit(lattice), 1.0, |place| *place).unwrap();
    for number in body.grid().particles().collect::<Vec<_>>() {
        let phase = number as f64;
        body.displace(number, &[1e-2 * phase.sin(), 1e-2 * (1.7 * phase).cos()].into());
    }
    let mut after = Vec::new();
    for row in 0..body.grid.rows().len() {
        for number in body.grid.rows()[row].numbers() {
            after.push(body.velocity(number) + body.pull(row, number, &[]).0 * 0.1);
        }
    }
    body.step(&Vector::zeros(), 0.1, 0.1);
    for (number, expected) in after.iter().enumerate() {
        let wrong = (body.velocity(number) - expected).norm();
        assert!(wrong < 1e-15, "{number} {wrong:e} {:?} {expected:?}", body.velocity(number));
    }
}

#[test]
fn what_no_material_can_be_is_refused() {
    let grid = || boxed(Lattice::Square8, [3.0, 3.0]);
    let said = |grid: Grid<2>, material: Material, spacing: f64| {
        Body::new(grid, material, spacing, |place| *place).err().unwrap().to_string()
    };
    let good = unit(Lattice::Square8);
    let stretch = Material { breaks_at: Some(0.0), ..good };
    assert!(said(grid(), stretch, 1.0).contains("the stretch at which springs break is 0"));
    let soft = Material { young: f64::NAN, ..good };
    assert!(said(grid(), soft, 1.0).contains("Young's modulus is NaN"));
    assert!(said(grid(), good, -1.0).contains("the spacing is -1"));
    let empty = Grid::fill(Lattice::Square8, [[0; 2], [3; 2]], |_| false);
    assert!(said(empty, good, 1.0).contains("take a shorter spacing"));
    let solid = Grid::fill(Lattice::Cubic6, [[0; 2], [3; 2]], |_| true);
    assert!(said(solid, good, 1.0).contains("the dimension of the body"));
    assert!(Simulation::<2>::new(Vec::new(), Touch::default()).is_err());
}

/// Both halves of a strip that is cut across at the start are pressed together: the faces of the cut hold them apart.
#[test]
fn the_faces_of_a_crack_that_was_cut_touch() {
    let lattice = Lattice::Square8;
    let grid = boxed(lattice, [8.0, 9.0]);
    let mut body = Body::new(grid, unit(lattice), 1.0, |place| *place).unwrap();
    body.cut(|one, two| (one.y < 4.5) != (two.y < 4.5));
    for number in body.grid().particles().collect::<Vec<_>>() {
        let way = if body.position(number).y < 4.5 { 0.02 } else { -0.02 };
        body.set_particle_velocity(number, &[0.0, way].into());
    }
    let mut simulation = Simulation::new(vec![body], Touch::default()).unwrap();
    let mut touched = 0;
    while simulation.now() < 60.0 {
        simulation.advance(1).unwrap();
        touched = touched.max(simulation.touched().contacts);
    }
    let body = &simulation.bodies()[0];
    let upper = body.grid().particles().filter(|&number| body.position(number).y > 4.5);
    let momentum: f64 = upper.map(|number| body.velocity(number).y).sum();
    // They have bounced off each other.
    assert!(touched >= 9 && momentum > 0.8 * 0.02 * 45.0, "{touched} {momentum}");
}

/// Two balls of a radius in spacings, turned against each other, meet at a part of the speed of sound: how long they
/// touch and how hard they push, in parts of what H. Hertz says, and the part of the speed with which they part.
fn balls(radius: f64, part: f64) -> [f64; 3] {
    let lattice = Lattice::Cubic18;
    let solid = lattice.solid();
    let speed = part * solid.longitudinal;
    let high = radius as i32 + 1;
    let ball = |number: usize| {
        let aside = Vector::from([0.31, 0.217, 0.093]);
        let is_inside = |steps: &[i32; 3]| (lattice.place(steps) + aside).norm() <= radius;
        let grid = Grid::fill(lattice, [[-high; 3], [high; 3]], is_inside);
        let angles = [0.7 + 0.9 * number as f64, 0.5 - 0.8 * number as f64];
        let turn = nalgebra::Rotation3::from_euler_angles(0.0, angles[1], angles[0]);
        let side = if number == 0 { -1.0 } else { 1.0 };
        let place = move |place: &Vector<3>| {
            turn * (place + aside) + Vector::from([side * (radius + 0.7), 0.0, 0.0])
        };
        let mut body = Body::new(grid, unit(lattice), 1.0, place).unwrap();
        let middle = Vector::from([side * (radius + 0.7), 0.0, 0.0]);
        body.set_outline(|place| radius - (place - middle).norm());
        body.set_velocity([-0.5 * side * speed, 0.0, 0.0].into());
        body
    };
    let bodies = vec![ball(0), ball(1)];
    let count = bodies[0].count() as f64;
    let round = 0.5 * (3.0 * count / (4.0 * std::f64::consts::PI)).cbrt();
    let (mass, modulus) = (0.5 * count, 0.5 * solid.young / (1.0 - solid.poisson.powi(2)));
    let deepest = (15.0 * mass * speed * speed / (16.0 * modulus * round.sqrt())).powf(0.4);
    let (lasts, hardest) = (2.943275 * deepest / speed, 1.25 * mass * speed * speed / deepest);
    let mut simulation = Simulation::new(bodies, Touch::default()).unwrap();
    let (mut first, mut last, mut most) = (None, 0.0, 0.0_f64);
    while simulation.now() < 3.0 * lasts + 2.0 / speed {
        let (before, then) = (simulation.bodies()[0].momentum().x, simulation.now());
        simulation.advance(1).unwrap();
        let change = simulation.bodies()[0].momentum().x - before;
        let touched = simulation.touched();
        if touched.contacts > 0 {
            first.get_or_insert(simulation.now());
            last = simulation.now();
            most = most.max(-change / (simulation.now() - then));
        }
    }
    let parted = |number: usize| simulation.bodies()[number].momentum().x / count;
    [(last - first.unwrap()) / lasts, most / hardest, (parted(1) - parted(0)) / speed]
}

/// Faster balls are pressed so far that Hertz's law for small indentations is left behind.
#[test]
fn balls_meet_as_hertz_says_and_keep_their_speed() {
    let [lasts, hardest, parted] = balls(20.0, 0.009);
    assert!((lasts - 1.0).abs() < 0.04 && (hardest - 1.0).abs() < 0.04, "{lasts} {hardest}");
    assert!((parted - 1.0).abs() < 0.01, "{parted}");
}

/// A block that swings, with a material.
fn swinging<const D: usize>(lattice: Lattice, material: Material, steps: u64) -> [Energy; 2] {
    let mut size = [7.0; D];
    size[0] = 12.0;
    let mut body = Body::new(boxed(lattice, size), material, 1.0, |place| *place).unwrap();
    body.reach_all();
    for number in body.grid().particles().collect::<Vec<_>>() {
        let mut velocity = Vector::zeros();
        velocity[0] = 0.05 * (body.position(number)[0] - 6.0) / 6.0;
        velocity[1] = 0.04 * (body.position(number)[0] / 12.0 * TAU).sin();
        body.set_particle_velocity(number, &velocity);
    }
    let mut simulation = Simulation::new(vec![body], Touch::default()).unwrap();
    simulation.set_step(0.25 * simulation.step()).unwrap();
    let before = simulation.energy();
    simulation.advance(steps).unwrap();
    [before, simulation.energy()]
}

/// What dampers take, sets keep and springs lose when they break is all that motion and springs lose, also with a
/// pressure of surroundings.
#[test]
fn the_ledger_closes_whatever_springs_do() {
    for lattice in [Lattice::Square8, Lattice::Triangular, Lattice::Cubic18] {
        let plain = unit(lattice);
        let materials = [
            Material { damping: 0.1, ..plain },
            Material { yields_at: Some(0.01), ..plain },
            Material { poisson: Some(0.1), ..plain },
            Material { poisson: Some(0.4), breaks_at: Some(0.03), ..plain },
            Material {
                damping: 0.05,
                yields_at: Some(0.01),
                breaks_at: Some(0.05),
                pushed: 1.5,
                ..plain
            },
        ];
        for material in materials {
            let [before, after] = match lattice.dimension() {
                2 => swinging::<2>(lattice, material, 1500),
                _ => swinging::<3>(lattice, material, 1500),
            };
            let change = after.total() / before.total() - 1.0;
            // While springs break, what a pressure loses is known to the first order of the step only, and new faces
            // may find themselves near each other.
            let near = if material.breaks_at.is_some() { 2e-2 } else { 2e-3 };
            assert!(change.abs() < near, "{lattice:?} {material:?} {change} {after:?}");
            let spent = [
                (material.damping > 0.0, after.damped),
                (material.yields_at.is_some(), after.yielded),
                (material.breaks_at.is_some(), after.fractured),
            ];
            for (is_asked, spent) in spent {
                let part = spent / before.total();
                assert!(if is_asked { part > 0.02 } else { part == 0.0 }, "{material:?} {after:?}");
            }
        }
    }
}

/// A bar is pulled slowly at both ends: how much thinner it becomes in its middle, and what it resists with.
fn pulled<const D: usize>(lattice: Lattice, poisson: Option<f64>) -> [f64; 2] {
    let (long, wide) = (60.0, if D == 2 { 24.0 } else { 14.0 });
    let mut size = [wide; D];
    size[0] = long;
    let material = Material { poisson, damping: 0.3, ..unit(lattice) };
    let mut body = Body::new(boxed(lattice, size), material, 1.0, |place| *place).unwrap();
    let particles: Vec<usize> = body.grid().particles().collect();
    let places: Vec<Vector<D>> = particles.iter().map(|&number| body.position(number)).collect();
    let speed = 2e-5 * long;
    for (&number, place) in particles.iter().zip(&places) {
        let mut velocity = Vector::zeros();
        velocity[0] = speed * (place[0] / long - 0.5);
        body.set_particle_velocity(number, &velocity);
        if place[0] < 0.1 || place[0] > long - 0.6 {
            body.hold(number);
        }
    }
    let mut simulation = Simulation::new(vec![body], Touch::default()).unwrap();
    let halfway = |simulation: &Simulation<D>| simulation.now() > 250.0;
    while !halfway(&simulation) {
        simulation.advance(10).unwrap();
    }
    let body = &simulation.bodies()[0];
    let change = |axis: usize, is_in: &dyn Fn(&Vector<D>) -> bool| {
        // The slope of displacements over places.
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
    // The energy of the bar tells the stiffness, if it is the same all over.
    let energy = simulation.energy();
    let stretch = speed * simulation.now() / long;
    let volume = particles.len() as f64 * lattice.solid().volume;
    [-across / along, 2.0 * energy.stretched / (volume * stretch * stretch) / material.young]
}

#[test]
fn poissons_ratio_is_that_of_springs_or_what_was_asked_for() {
    // Particles at the surface have surroundings on one side only, one in seven in these bars.
    let near = |poisson: Option<f64>| if poisson.is_some() { 0.02 } else { 0.012 };
    for (lattice, poisson) in [
        (Lattice::Square8, None),
        (Lattice::Triangular, None),
        (Lattice::Square8, Some(0.0)),
        (Lattice::Square8, Some(0.6)),
    ] {
        let [found, _] = pulled::<2>(lattice, poisson);
        let expected = poisson.unwrap_or(1.0 / 3.0);
        assert!((found - expected).abs() < near(poisson), "{lattice:?} {poisson:?} {found}");
    }
    for (lattice, poisson) in [
        (Lattice::Cubic18, None),
        (Lattice::Cubic26, None),
        (Lattice::Cubic18, Some(0.1)),
        (Lattice::Cubic18, Some(0.4)),
    ] {
        let [found, _] = pulled::<3>(lattice, poisson);
        let expected = poisson.unwrap_or(0.25);
        assert!((found - expected).abs() < near(poisson), "{lattice:?} {poisson:?} {found}");
    }
}

/// Two rods of square lattices without diagonals are chains side by side: the theory of A. J. C. Barre de Saint-Venant.
#[test]
fn rods_touch_for_twice_the_way_of_a_wave_and_part_by_their_lengths() {
    for (lengths, restitution) in [([100, 100], 1.0), ([100, 200], 0.5), ([100, 400], 0.25)] {
        let lattice = Lattice::Square4;
        let rod = |length: i32, from: f64| {
            let grid = Grid::fill(lattice, [[0, 0], [length - 1, 2]], |_| true);
            Body::new(grid, unit(lattice), 1.0, |place| place + Vector::from([from, 0.0])).unwrap()
        };
        let (mut first, second) = (rod(lengths[0], 0.0), rod(lengths[1], f64::from(lengths[0])));
        let speed = 1e-3;
        first.set_velocity([speed, 0.0].into());
        let mut simulation = Simulation::new(vec![first, second], Touch::default()).unwrap();
        let mut last = 0.0;
        while simulation.now() < 4.0 * f64::from(lengths[0]) {
            simulation.advance(1).unwrap();
            if simulation.touched().contacts > 0 {
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
fn a_body_falls_into_what_springs_still_join() {
    let lattice = Lattice::Square8;
    let mut body =
        Body::new(boxed(lattice, [20.0, 9.0]), unit(lattice), 1.0, |place| *place).unwrap();
    assert_eq!(body.fragments().list.len(), 1);
    body.cut(|one, two| (one.x < 7.5) != (two.x < 7.5));
    body.cut(|one, two| [one, two].iter().any(|place| place.norm() < 0.1));
    for number in body.grid().particles().collect::<Vec<_>>() {
        let place = body.position(number);
        let turned = Vector::from([-place.y, place.x - 14.0]) * 0.01 + Vector::from([0.0, 0.2]);
        body.set_particle_velocity(number, &turned);
    }
    let fragments = body.fragments();
    let counts: Vec<usize> = fragments.list.iter().map(|fragment| fragment.count).collect();
    assert_eq!(counts, [130, 79, 1]);
    let largest = &fragments.list[0];
    assert!((largest.center - Vector::from([14.0, 4.5])).norm() < 1e-12);
    assert!((largest.velocity - Vector::from([-0.045, 0.2])).norm() < 1e-12);
    assert!((largest.spin - Vector::from([0.0, 0.0, 0.01])).norm() < 1e-12);
    assert_eq!(fragments.list[2].spin, Vector::<3>::zeros());
}

/// Two discs that break each other, one of them ductile; cut anywhere, they go on to the same bits.
#[test]
fn a_saved_moment_goes_on_to_the_same_bits() {
    let lattice = Lattice::Square8;
    let start = || {
        let disc = |x: f64, material: Material| {
            let is_inside = |steps: &[i32; 2]| steps[0].pow(2) + steps[1].pow(2) <= 64;
            let grid = Grid::fill(lattice, [[-8; 2], [8; 2]], is_inside);
            let shift = Vector::from([x, 0.1 * x]);
            Body::new(grid, material, 1.0, |place| place + shift).unwrap()
        };
        let brittle = Material { breaks_at: Some(0.04), friction: 0.3, ..unit(lattice) };
        let ductile = Material { yields_at: Some(0.01), damping: 0.05, ..brittle };
        let mut bodies =
            vec![disc(0.0, brittle), disc(18.0, Material { breaks_at: None, ..ductile })];
        bodies[0].set_velocity([0.25, 0.0].into());
        Simulation::new(bodies, Touch::default()).unwrap()
    };
    let mut uncut = start();
    let mut cut = start();
    for _ in 0..12 {
        uncut.advance(37).unwrap();
        cut.advance(37).unwrap();
        let saved = cut.save();
        cut = start();
        cut.restore(saved).unwrap();
    }
    assert!(uncut.bodies()[0].broken_springs() > 20 && uncut.energy().yielded > 0.0);
    assert_eq!(uncut.save(), cut.save());
}

/// Two discs of rough lattices with smooth outlines rub along each other without friction: nothing is lost or won.
#[test]
fn sliding_along_outlines_keeps_energy() {
    let lattice = Lattice::Square8;
    let disc = |place: [f64; 2], angle: f64| {
        let is_inside = |steps: &[i32; 2]| steps[0].pow(2) + steps[1].pow(2) <= 144;
        let grid = Grid::fill(lattice, [[-12; 2], [12; 2]], is_inside);
        let (turn, middle) = (nalgebra::Rotation2::new(angle), Vector::from(place));
        let mut body = Body::new(grid, unit(lattice), 1.0, |place| turn * place + middle).unwrap();
        body.set_outline(|place| 12.0 - (place - middle).norm());
        body
    };
    let mut bodies = vec![disc([0.0, 0.0], 0.0), disc([16.0, 17.9], 0.4)];
    bodies[0].set_velocity([0.1, 0.05].into());
    let mut simulation = Simulation::new(bodies, Touch::default()).unwrap();
    simulation.set_step(0.3 * simulation.step()).unwrap();
    let (before, mut touched) = (simulation.energy().total(), 0);
    while simulation.now() < 250.0 {
        simulation.advance(1).unwrap();
        touched += simulation.touched().contacts;
    }
    let change = simulation.energy().total() / before - 1.0;
    assert!(touched > 1000 && change.abs() < 2e-4, "{touched} {change}");
}

/// A cantilever of four times its height bends under its weight as S. P. Timoshenko says.
#[test]
fn a_beam_bends_as_theory_says() {
    let lattice = Lattice::Square8;
    // Diagonals end half a spacing below the surface, which makes beams of few rows softer.
    let (long, high) = (192.0, 48.0);
    let grid = Grid::fill(lattice, [[0, 0], [long as i32, high as i32 - 1]], |_| true);
    let mut body = Body::new(grid, unit(lattice), 1.0, |place| *place).unwrap();
    let particles: Vec<usize> = body.grid().particles().collect();
    let end = nearest(&body, &[long, 0.5 * high].into());
    for &number in &particles {
        if body.position(number).x < 0.5 {
            body.hold(number);
        }
    }
    let start = body.position(end);
    let mut simulation = Simulation::new(vec![body], Touch::default()).unwrap();
    let fall = 1e-7;
    simulation.set_gravity([0.0, -fall].into());
    let solid = lattice.solid();
    let (load, shear) = (fall * high, solid.young / (2.0 * (1.0 + solid.poisson)));
    let free = long + 0.5;
    let inertia = high.powi(3) / 12.0;
    let bent = load * free.powi(4) / (8.0 * solid.young * inertia);
    let sheared = load * free * free / (2.0 * shear * high * 5.0 / 6.0);
    // It swings about what counts: a mean that has none of it.
    let period =
        2.0 * std::f64::consts::PI / 3.516 * free * free * (high / (solid.young * inertia)).sqrt();
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

/// Durations, forces and indentations grow with powers of the speed.
#[test]
fn impacts_scale_with_the_speed_as_hertz_says() {
    // Both are told in parts of theory, so that only what differs from its powers is left.
    let [slow, fast] = [0.009, 0.018].map(|part| balls(16.0, part));
    assert!((slow[0] / fast[0] - 1.0).abs() < 0.03, "{slow:?} {fast:?}");
    assert!((slow[1] / fast[1] - 1.0).abs() < 0.05, "{slow:?} {fast:?}");
}

/// Discs with some turns of their lattices meet at a tenth of the speed of waves: no particle ends up in the other.
#[test]
fn nothing_passes_through_anything() {
    let lattice = Lattice::Square8;
    for (turned, friction) in [(0.0, 0.0), (0.4, 0.0), (0.8, 0.5)] {
        let disc = |x: f64, angle: f64| {
            let is_inside = |steps: &[i32; 2]| steps[0].pow(2) + steps[1].pow(2) <= 100;
            let grid = Grid::fill(lattice, [[-10; 2], [10; 2]], is_inside);
            let (turn, middle) = (nalgebra::Rotation2::new(angle), Vector::from([x, 0.0]));
            let material = Material { friction, ..unit(lattice) };
            let mut body = Body::new(grid, material, 1.0, |place| turn * place + middle).unwrap();
            body.set_outline(|place| 10.0 - (place - middle).norm());
            body
        };
        let mut bodies = vec![disc(0.0, 0.0), disc(21.0, turned)];
        bodies[0].set_velocity([0.1 * lattice.solid().longitudinal, 0.0].into());
        let mut simulation = Simulation::new(bodies, Touch::default()).unwrap();
        while simulation.now() < 250.0 {
            simulation.advance(10).unwrap();
            // The foremost of one stays before the foremost of the other, along the line of their middles.
            let reach = |number: usize, sign: f64| {
                let body = &simulation.bodies()[number];
                let row = body.grid().particles().filter(|&at| body.position(at).y.abs() < 0.6);
                let reach = row.map(|at| sign * body.position(at).x);
                reach.max_by(f64::total_cmp).unwrap()
            };
            assert!(reach(0, 1.0) < -reach(1, -1.0), "{turned} {friction} {}", simulation.now());
        }
        let [one, two] = [0, 1].map(|number: usize| {
            let body = &simulation.bodies()[number];
            body.momentum().x / body.total_mass()
        });
        assert!(two > 0.9 * 0.1 * lattice.solid().longitudinal && one < 0.1 * two, "{one} {two}");
    }
}

/// Fine and coarse lattices find each other: a disc of small spacing bounces off a block of a large one.
#[test]
fn spacings_may_differ() {
    let lattice = Lattice::Square8;
    let block = Grid::fill(lattice, [[0, 0], [5, 3]], |_| true);
    let coarse = Material::elastic(10.0, 1.0);
    let mut block = Body::new(block, coarse, 10.0, |place| place * 10.0).unwrap();
    for number in block.grid().particles().collect::<Vec<_>>() {
        block.hold(number);
    }
    let is_inside = |steps: &[i32; 2]| steps[0].pow(2) + steps[1].pow(2) <= 144;
    let disc = Grid::fill(lattice, [[-12; 2], [12; 2]], is_inside);
    let middle = Vector::from([23.0, 42.0]);
    let mut disc =
        Body::new(disc, Material::elastic(1.0, 1.0), 0.25, |place| place * 0.25 + middle).unwrap();
    disc.set_velocity([0.01, -0.1].into());
    let mut simulation = Simulation::new(vec![block, disc], Touch::default()).unwrap();
    let before = simulation.energy().total();
    while simulation.now() < 150.0 {
        simulation.advance(20).unwrap();
    }
    let change = simulation.energy().total() / before - 1.0;
    let disc = &simulation.bodies()[1];
    assert!(change.abs() < 0.01 && disc.momentum().y > 0.0, "{change} {}", disc.momentum());
}

/// A ring that lies on a wall under gravity keeps its step: neither what fell before nor places without particles count.
#[test]
fn what_rests_is_not_fast() {
    let lattice = Lattice::Square8;
    let is_inside = |steps: &[i32; 2]| (36..=100).contains(&(steps[0].pow(2) + steps[1].pow(2)));
    let grid = Grid::fill(lattice, [[-10; 2], [10; 2]], is_inside);
    let material = Material { damping: 0.2, ..unit(lattice) };
    let shift = Vector::from([0.0, 10.6]);
    let body = Body::new(grid, material, 1.0, |place| place + shift).unwrap();
    let mut simulation = Simulation::new(vec![body], Touch::default()).unwrap();
    simulation.set_gravity([0.0, -1e-3].into());
    simulation.set_walls(vec![super::Wall { axis: 1, at: 0.0, is_low: true }]);
    while simulation.now() < 1000.0 {
        simulation.advance(50).unwrap();
    }
    let body = &simulation.bodies()[0];
    assert!(body.fastest < 0.1, "{}", body.fastest);
    let lowest = body.grid().particles().map(|number| body.position(number).y);
    let lowest = lowest.min_by(f64::total_cmp).unwrap();
    assert!((0.1..0.6).contains(&lowest), "{lowest}");
    assert_eq!(simulation.shortest_step(), simulation.step());
}

/// Breaking, yielding, damping, pressure and contact in many shares: threads change nothing.
#[test]
fn threads_do_not_change_a_bit_of_anything() {
    let lattice = Lattice::Square8;
    let run = |threads: usize| {
        let disc = |x: f64, material: Material| {
            let is_inside = |steps: &[i32; 2]| steps[0].pow(2) + steps[1].pow(2) <= 1600;
            let grid = Grid::fill(lattice, [[-40; 2], [40; 2]], is_inside);
            let shift = Vector::from([x, 0.2 * x]);
            Body::new(grid, material, 1.0, |place| place + shift).unwrap()
        };
        let brittle = Material { breaks_at: Some(0.03), friction: 0.3, ..unit(lattice) };
        let ductile =
            Material { yields_at: Some(0.01), damping: 0.05, poisson: Some(0.2), ..brittle };
        let mut bodies =
            vec![disc(0.0, brittle), disc(80.0, Material { breaks_at: None, ..ductile })];
        bodies[0].set_velocity([0.3, 0.0].into());
        let mut simulation = Simulation::new(bodies, Touch::default()).unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| simulation.advance(300)).unwrap();
        simulation
    };
    let [one, three] = [1, 3].map(run);
    assert!(one.bodies()[0].broken_springs() > 10 && one.energy().yielded > 0.0);
    assert_eq!(one.save(), three.save());
}

/// Discs whose surroundings help springs to stretch break each other without winning energy.
#[test]
fn small_ratios_of_poisson_do_not_throw_pieces_apart() {
    let lattice = Lattice::Square8;
    for poisson in [0.0, 0.2, 0.6] {
        let disc = |x: f64| {
            let is_inside = |steps: &[i32; 2]| steps[0].pow(2) + steps[1].pow(2) <= 36;
            let grid = Grid::fill(lattice, [[-6; 2], [6; 2]], is_inside);
            let shift = Vector::from([x, 0.0]);
            let material =
                Material { poisson: Some(poisson), breaks_at: Some(0.01), ..unit(lattice) };
            Body::new(grid, material, 1.0, |place| place + shift).unwrap()
        };
        let mut bodies = vec![disc(0.0), disc(13.5)];
        bodies[0].set_velocity([0.06, 0.0].into());
        let mut simulation = Simulation::new(bodies, Touch::default()).unwrap();
        let before = simulation.energy().total();
        simulation.advance(1500).unwrap();
        let energy = simulation.energy();
        assert!(energy.fractured > 0.0 && energy.stretched > 0.0, "{poisson} {energy:?}");
        assert!((energy.total() / before - 1.0).abs() < 0.1, "{poisson} {energy:?} {before}");
    }
}
