//! What solids do to walls: weight at rest, momentum in impacts, for walls in any direction.

use super::*;

/// Unit normals in any direction of the plane or of space.
fn normals<const D: usize>() -> Vec<Vector<D>> {
    let all = [[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.6, 0.8, 0.0], [-0.48, 0.6, 0.64]];
    let flat = all.into_iter().filter(|normal| D == 3 || normal[2] == 0.0);
    flat.map(|normal| Vector::from_fn(|axis, _| normal[axis])).collect()
}

/// A block, turned so that its last axis is along a normal, whose outline is a gap above the plane through the origin.
fn above_a_wall<const D: usize>(
    lattice: SpringLattice,
    material: &Material,
    normal: &Vector<D>,
    gap: f64,
) -> Simulation<D> {
    let up = carom_geometry::embed_in_3d(normal);
    let from = if D == 2 { Vector::y() } else { Vector::z() };
    let half_turn = nalgebra::Rotation3::from_scaled_axis(Vector::x() * std::f64::consts::PI);
    let turn = nalgebra::Rotation3::rotation_between(&from, &up).unwrap_or(half_turn);
    let mut size = [3.0; D];
    size[0] = 5.0;
    let place = |place: &Vector<D>| {
        let turned = turn * carom_geometry::embed_in_3d(place);
        Vector::from_fn(|axis, _| turned[axis]) + normal * (0.5 + gap)
    };
    let body = Body::new(boxed(lattice, size), material, 1.0, place).unwrap();
    let mut simulation = Simulation::new(vec![body]).unwrap();
    let far = Wall::plane(-up, -100.0);
    simulation.set_walls(vec![far, Wall::plane(up, 0.0)]).unwrap();
    simulation
}

fn weighs_on_the_wall<const D: usize>(lattice: SpringLattice) {
    for normal in normals::<D>() {
        let springs = Springs { damping: 0.3, ..Springs::default() };
        let material = Material { springs, friction: 0.5, ..unit(lattice) };
        let mut simulation = above_a_wall(lattice, &material, &normal, 0.0);
        simulation.set_gravity(normal * -1e-3).unwrap();
        // Contacts have no dampers: what is stored in them goes into the springs and from there.
        simulation.advance(20_000).unwrap();
        let body = &simulation.bodies()[0];
        let weight = carom_geometry::embed_in_3d(&(normal * (-1e-3 * body.total_mass())));
        let [far, load] = simulation.wall_loads()[..] else { panic!("there are two walls") };
        assert_eq!(far, crate::WallLoad::default());
        assert!((load.force - weight).norm() < 0.02 * weight.norm(), "{normal} {load:?} {weight}");
        // The weight acts at the center of mass.
        let center = crate::bonded::SolidMotion::of(body).center;
        let torque = carom_geometry::embed_in_3d(&center).cross(&weight);
        assert!(
            (load.torque - torque).norm() < 0.05 * torque.norm().max(weight.norm()),
            "{load:?}"
        );
        let under = boxed::<D>(lattice, [0.0; D]).particles().count() as u64;
        assert!(load.contacts >= 4 * under && load.power == 0.0, "{load:?}");
    }
}

#[test]
fn a_block_at_rest_loads_the_wall_below_it_with_its_weight() {
    weighs_on_the_wall::<2>(SpringLattice::Square8);
    weighs_on_the_wall::<3>(SpringLattice::Cubic18);
}

fn gives_its_momentum_to_the_wall<const D: usize>(lattice: SpringLattice, friction: f64) {
    for normal in normals::<D>() {
        let material = Material { friction, ..unit(lattice) };
        let mut simulation = above_a_wall(lattice, &material, &normal, 0.05);
        let mut aside = Vector::zeros();
        (aside[0], aside[1]) = (normal[1], -normal[0]);
        simulation.bodies[0].set_velocity(normal * -0.05 + aside * 0.03).unwrap();
        let start = simulation.bodies()[0].momentum();
        let (mut impulse, mut last_step, mut touched) = (Vector::<3>::zeros(), 0.0, 0);
        for _ in 0..400 {
            let load = simulation.wall_loads()[1];
            let before = simulation.now();
            simulation.advance(1).unwrap();
            let step = simulation.now() - before;
            impulse += load.force * (0.5 * (last_step + step));
            touched += u32::from(load.contacts > 0);
            last_step = step;
        }
        let lost = carom_geometry::embed_in_3d(&(start - simulation.bodies()[0].momentum()));
        assert!(touched > 10 && simulation.wall_loads()[1].contacts == 0, "{touched}");
        assert!((impulse - lost).norm() < 1e-9 * lost.norm(), "{normal} {impulse} {lost}");
        let across = impulse
            - carom_geometry::embed_in_3d(&normal)
                .scale(impulse.dot(&carom_geometry::embed_in_3d(&normal)));
        assert_eq!(across.norm() > 1e-3 * lost.norm(), friction > 0.0, "{impulse}");
    }
}

#[test]
fn the_impulse_on_a_wall_is_the_change_of_momentum() {
    for friction in [0.0, 0.4] {
        gives_its_momentum_to_the_wall::<2>(SpringLattice::Square8, friction);
        gives_its_momentum_to_the_wall::<2>(SpringLattice::Triangular, friction);
        gives_its_momentum_to_the_wall::<3>(SpringLattice::Cubic18, friction);
    }
}
