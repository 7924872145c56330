//! Contacts of bonded bodies.

use super::*;

/// Both halves of a strip that is cut at the start are pressed together: the faces of the cut hold them apart.
#[test]
fn the_faces_of_a_crack_that_was_cut_touch() {
    let lattice = SpringLattice::Square8;
    let grid = boxed(lattice, [8.0, 9.0]);
    let mut body = Body::new(grid, &unit(lattice), 1.0, |place| *place).unwrap();
    body.cut_springs(|one, two| (one.y < 4.5) != (two.y < 4.5));
    for number in body.grid().particles().collect::<Vec<_>>() {
        let way = if body.position(number).y < 4.5 { 0.02 } else { -0.02 };
        body.set_particle_velocity(number, &[0.0, way].into()).unwrap();
    }
    let mut simulation = Simulation::new(vec![body]).unwrap();
    let mut touched = 0;
    while simulation.now() < 60.0 {
        simulation.advance(1).unwrap();
        touched = touched.max(simulation.contact_totals().contacts);
    }
    let body = &simulation.bodies()[0];
    let upper = body.grid().particles().filter(|&number| body.position(number).y > 4.5);
    let momentum: f64 = upper.map(|number| body.velocity(number).y).sum();
    // They have bounced off each other.
    assert!(touched >= 9 && momentum > 0.8 * 0.02 * 45.0, "{touched} {momentum}");
}

#[test]
fn a_body_falls_into_what_springs_still_join() {
    let lattice = SpringLattice::Square8;
    let mut body =
        Body::new(boxed(lattice, [20.0, 9.0]), &unit(lattice), 1.0, |place| *place).unwrap();
    assert_eq!(body.fragments().list.len(), 1);
    body.cut_springs(|one, two| (one.x < 7.5) != (two.x < 7.5));
    body.cut_springs(|one, two| [one, two].iter().any(|place| place.norm() < 0.1));
    for number in body.grid().particles().collect::<Vec<_>>() {
        let place = body.position(number);
        let turned = Vector::from([-place.y, place.x - 14.0]) * 0.01 + Vector::from([0.0, 0.2]);
        body.set_particle_velocity(number, &turned).unwrap();
    }
    let fragments = body.fragments();
    let counts: Vec<usize> = fragments.list.iter().map(|fragment| fragment.count).collect();
    assert_eq!(counts, [130, 79, 1]);
    let largest = &fragments.list[0];
    assert!((largest.center - Vector::from([14.0, 4.5])).norm() < 1e-12);
    assert!((largest.velocity - Vector::from([-0.045, 0.2])).norm() < 1e-12);
    assert!((largest.angular_velocity - Vector::from([0.0, 0.0, 0.01])).norm() < 1e-12);
    assert_eq!(fragments.list[2].angular_velocity, Vector::<3>::zeros());
}

/// Two discs of rough lattices with smooth outlines slide along each other without friction: energy is conserved.
#[test]
fn sliding_along_outlines_keeps_energy() {
    let lattice = SpringLattice::Square8;
    let disc = |place: [f64; 2], angle: f64| {
        let is_inside = |steps: &[i32; 2]| steps[0].pow(2) + steps[1].pow(2) <= 144;
        let grid = LatticeGrid::fill(lattice, [[-12; 2], [12; 2]], is_inside).unwrap();
        let (turn, middle) = (nalgebra::Rotation2::new(angle), Vector::from(place));
        let mut body = Body::new(grid, &unit(lattice), 1.0, |place| turn * place + middle).unwrap();
        body.set_outline(|place| 12.0 - (place - middle).norm()).unwrap();
        body
    };
    let mut bodies = vec![disc([0.0, 0.0], 0.0), disc([16.0, 17.9], 0.4)];
    bodies[0].set_velocity([0.1, 0.05].into()).unwrap();
    let mut simulation = Simulation::new(bodies).unwrap();
    simulation.set_time_step(0.3 * simulation.time_step()).unwrap();
    let (before, mut touched) = (simulation.energy().total(), 0);
    while simulation.now() < 250.0 {
        simulation.advance(1).unwrap();
        touched += simulation.contact_totals().contacts;
    }
    let change = simulation.energy().total() / before - 1.0;
    assert!(touched > 1000 && change.abs() < 2e-4, "{touched} {change}");
}

/// Discs with rotated lattices meet at a tenth of the wave speed: no particle ends up in the other.
#[test]
fn nothing_passes_through_anything() {
    let lattice = SpringLattice::Square8;
    for (turned, friction) in [(0.0, 0.0), (0.4, 0.0), (0.8, 0.5)] {
        let disc = |x: f64, angle: f64| {
            let is_inside = |steps: &[i32; 2]| steps[0].pow(2) + steps[1].pow(2) <= 100;
            let grid = LatticeGrid::fill(lattice, [[-10; 2], [10; 2]], is_inside).unwrap();
            let (turn, middle) = (nalgebra::Rotation2::new(angle), Vector::from([x, 0.0]));
            let material = Material { friction, ..unit(lattice) };
            let mut body = Body::new(grid, &material, 1.0, |place| turn * place + middle).unwrap();
            body.set_outline(|place| 10.0 - (place - middle).norm()).unwrap();
            body
        };
        let mut bodies = vec![disc(0.0, 0.0), disc(21.0, turned)];
        bodies[0]
            .set_velocity([0.1 * lattice.solid().longitudinal_wave_speed, 0.0].into())
            .unwrap();
        let mut simulation = Simulation::new(bodies).unwrap();
        while simulation.now() < 250.0 {
            simulation.advance(10).unwrap();
            // Along the line of centers, the foremost particle of one disc stays before that of the other.
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
        assert!(
            two > 0.9 * 0.1 * lattice.solid().longitudinal_wave_speed && one < 0.1 * two,
            "{one} {two}"
        );
    }
}

/// Lattices of different spacings touch: a disc of small spacing bounces off a block of a large one.
#[test]
fn spacings_may_differ() {
    let lattice = SpringLattice::Square8;
    let block = LatticeGrid::fill(lattice, [[0, 0], [5, 3]], |_| true).unwrap();
    let coarse = Material::elastic(10.0, 1.0);
    let mut block = Body::new(block, &coarse, 10.0, |place| place * 10.0).unwrap();
    for number in block.grid().particles().collect::<Vec<_>>() {
        block.hold(number).unwrap();
    }
    let is_inside = |steps: &[i32; 2]| steps[0].pow(2) + steps[1].pow(2) <= 144;
    let disc = LatticeGrid::fill(lattice, [[-12; 2], [12; 2]], is_inside).unwrap();
    let middle = Vector::from([23.0, 42.0]);
    let mut disc =
        Body::new(disc, &Material::elastic(1.0, 1.0), 0.25, |place| place * 0.25 + middle).unwrap();
    disc.set_velocity([0.01, -0.1].into()).unwrap();
    let mut simulation = Simulation::new(vec![block, disc]).unwrap();
    let before = simulation.energy().total();
    while simulation.now() < 150.0 {
        simulation.advance(20).unwrap();
    }
    let change = simulation.energy().total() / before - 1.0;
    let disc = &simulation.bodies()[1];
    assert!(change.abs() < 0.01 && disc.momentum().y > 0.0, "{change} {}", disc.momentum());
}

/// A ring at rest on a wall under gravity keeps its time step: neither its earlier fall nor holes count as fast.
#[test]
fn what_rests_is_not_fast() {
    let lattice = SpringLattice::Square8;
    let is_inside = |steps: &[i32; 2]| (36..=100).contains(&(steps[0].pow(2) + steps[1].pow(2)));
    let grid = LatticeGrid::fill(lattice, [[-10; 2], [10; 2]], is_inside).unwrap();
    let springs = Springs { damping: 0.2, ..Springs::default() };
    let material = Material { springs, ..unit(lattice) };
    let shift = Vector::from([0.0, 10.6]);
    let body = Body::new(grid, &material, 1.0, |place| place + shift).unwrap();
    let mut simulation = Simulation::new(vec![body]).unwrap();
    simulation.set_gravity([0.0, -1e-3].into()).unwrap();
    simulation.set_walls(vec![Wall::plane([0.0, 1.0, 0.0], 0.0)]).unwrap();
    while simulation.now() < 1000.0 {
        simulation.advance(50).unwrap();
    }
    let body = &simulation.bodies()[0];
    assert!(body.max_speed < 0.1, "{}", body.max_speed);
    let lowest = body.grid().particles().map(|number| body.position(number).y);
    let lowest = lowest.min_by(f64::total_cmp).unwrap();
    assert!((0.1..0.6).contains(&lowest), "{lowest}");
    assert_eq!(simulation.shortest_time_step(), simulation.time_step());
}

/// A disc that is shot along a direction is thrown back by an inclined plane and by a circle around it.
#[test]
fn walls_throw_back_along_their_normals() {
    let lattice = SpringLattice::Square8;
    for (x, y) in [(1.0, 0.0), (0.6, 0.8), (-0.8, 0.6)] {
        let along = Vector::from([x, y]);
        let plane = Wall::plane([-x, -y, 0.0], -10.7);
        let (point, axis) = ([0.0; 3].into(), [0.0, 0.0, 1.0].into());
        let circle = Wall::at_rest(WallSurface::Cylinder { point, axis, radius: 10.7 });
        for wall in [plane, circle] {
            let is_inside = |steps: &[i32; 2]| steps[0].pow(2) + steps[1].pow(2) <= 100;
            let grid = LatticeGrid::fill(lattice, [[-10; 2], [10; 2]], is_inside).unwrap();
            let mut body = Body::new(grid, &unit(lattice), 1.0, |place| *place).unwrap();
            body.set_outline(|place| 10.5 - place.norm()).unwrap();
            body.set_velocity(along * 0.01).unwrap();
            let mut simulation = Simulation::new(vec![body]).unwrap();
            simulation.set_walls(vec![wall.clone()]).unwrap();
            while simulation.now() < 90.0 {
                simulation.advance(1).unwrap();
            }
            let body = &simulation.bodies()[0];
            let velocity = body.momentum() / body.total_mass();
            let back = velocity.dot(&along) / -0.01;
            let aside = velocity.perp(&along).abs() / 0.01;
            assert!((0.85..1.01).contains(&back) && aside < 0.05, "{wall:?} {back} {aside}");
        }
    }
}

#[test]
fn walls_that_solids_do_not_know_are_refused() {
    let plane = Wall::plane([0.0, 1.0, 0.0], 0.0);
    let mesh = WallSurface::Mesh(MeshSurface::new(octahedron_sphere(0)).into());
    let motion = WallMotion { velocity: [0.0, 1.0, 0.0].into(), ..WallMotion::none() };
    let walls = [
        (Wall::at_rest(mesh), "the mesh of a wall"),
        (Wall { motion, ..plane.clone() }, "the motion of a wall"),
        (Wall { material: Some(0), ..plane.clone() }, "the material of a wall"),
        (Wall::plane([0.0, 2.0, 0.0], 0.0), "must be a unit vector"),
        (Wall::plane([0.0, 1.0, 0.0], f64::INFINITY), "a number of a wall"),
    ];
    let lattice = SpringLattice::Square8;
    let body = Body::new(boxed(lattice, [4.0, 4.0]), &unit(lattice), 1.0, |place| *place).unwrap();
    let mut simulation = Simulation::new(vec![body]).unwrap();
    for (wall, said) in walls {
        let sentence = simulation.set_walls(vec![plane.clone(), wall]).unwrap_err().to_string();
        assert!(sentence.contains(said) && sentence.contains("wall 1"), "{sentence}");
    }
}

/// Discs with a negative pressure against dilatation break each other without gaining energy.
#[test]
fn small_ratios_of_poisson_do_not_throw_pieces_apart() {
    let lattice = SpringLattice::Square8;
    for poisson in [0.0, 0.2, 0.6] {
        let disc = |x: f64| {
            let is_inside = |steps: &[i32; 2]| steps[0].pow(2) + steps[1].pow(2) <= 36;
            let grid = LatticeGrid::fill(lattice, [[-6; 2], [6; 2]], is_inside).unwrap();
            let shift = Vector::from([x, 0.0]);
            let material = Material {
                poissons_ratio: Some(poisson),
                springs: breaking_at(0.01),
                ..unit(lattice)
            };
            Body::new(grid, &material, 1.0, |place| place + shift).unwrap()
        };
        let mut bodies = vec![disc(0.0), disc(13.5)];
        bodies[0].set_velocity([0.06, 0.0].into()).unwrap();
        let mut simulation = Simulation::new(bodies).unwrap();
        let before = simulation.energy().total();
        simulation.advance(1500).unwrap();
        let energy = simulation.energy();
        assert!(energy.fracture_loss > 0.0 && energy.bond_energy > 0.0, "{poisson} {energy:?}");
        assert!((energy.total() / before - 1.0).abs() < 0.1, "{poisson} {energy:?} {before}");
    }
}
