use super::{
    Body, Energy, LatticeGrid, Material, Simulation, SpringFailureCriterion, SpringLattice, Springs,
};
use crate::{MeshSurface, Wall, WallMotion, WallSurface};
use carom_geometry::Vector;
use carom_geometry::mesh::octahedron_sphere;
use std::collections::HashMap;
use std::f64::consts::TAU;

mod changes;
mod contact;
mod same_bits;
mod theory;
mod wall_loads;

/// A material of unit particle mass and unit stiffness for a unit spacing.
fn unit(lattice: SpringLattice) -> Material {
    Material::elastic(lattice.solid().youngs_modulus, 1.0 / lattice.solid().particle_volume)
}

/// Springs that break at a stretch.
fn breaking_at(stretch: f64) -> Springs {
    let failure_criterion = Some(SpringFailureCriterion::Stretch(stretch));
    Springs { failure_criterion, ..Springs::default() }
}

/// The energy of a body without contacts and gravity.
fn energy<const D: usize>(body: &Body<D>, kick: f64) -> Energy {
    body.energy(&Vector::zeros(), &HashMap::new(), kick)
}

/// All sites of a lattice in a box from zero.
fn boxed<const D: usize>(lattice: SpringLattice, size: [f64; D]) -> LatticeGrid<D> {
    let widest = size.iter().fold(0.0, |widest: f64, &size| widest.max(size)) as i32 + 2;
    let is_inside = |steps: &[i32; D]| {
        let place = lattice.position(steps);
        (0..D).all(|axis| (-1e-9..=size[axis] + 1e-9).contains(&place[axis]))
    };
    LatticeGrid::fill(lattice, [[-2 * widest; D], [2 * widest; D]], is_inside).unwrap()
}

/// The particle nearest to a position.
fn nearest<const D: usize>(body: &Body<D>, place: &Vector<D>) -> usize {
    let distance = |&number: &usize| (body.position(number) - place).norm_squared();
    let all = body.grid().particles();
    all.min_by(|one, two| distance(one).total_cmp(&distance(two))).unwrap()
}

#[test]
fn energy_and_momentum_are_kept() {
    let lattice = SpringLattice::Square8;
    let mut body =
        Body::new(boxed(lattice, [30.0, 20.0]), &unit(lattice), 1.0, |place| *place).unwrap();
    body.kick_particle(100, &[0.3, 0.2].into());
    let (momentum, start) = (body.momentum(), energy(&body, 0.0).total());
    for _ in 0..2000 {
        body.advance(&Vector::zeros(), 0.1, 0.1);
        let change = energy(&body, 0.1).total() / start - 1.0;
        assert!(change.abs() < 1e-2, "{change}");
    }
    assert!((body.momentum() - momentum).norm() < 1e-13);
}

#[test]
fn a_step_pulls_as_springs_do() {
    let lattice = SpringLattice::Square8;
    let mut body =
        Body::new(boxed(lattice, [100.0, 20.0]), &unit(lattice), 1.0, |place| *place).unwrap();
    for number in body.grid().particles().collect::<Vec<_>>() {
        let phase = number as f64;
        body.displace(number, &[1e-2 * phase.sin(), 1e-2 * (1.7 * phase).cos()].into()).unwrap();
    }
    let mut after = Vec::new();
    for row in 0..body.grid.rows().len() {
        for number in body.grid.rows()[row].numbers() {
            after.push(body.velocity(number) + body.spring_force(row, number, &[]).0 * 0.1);
        }
    }
    body.advance(&Vector::zeros(), 0.1, 0.1);
    for (number, expected) in after.iter().enumerate() {
        let wrong = (body.velocity(number) - expected).norm();
        assert!(wrong < 1e-15, "{number} {wrong:e} {:?} {expected:?}", body.velocity(number));
    }
}

#[test]
fn what_no_material_can_be_is_refused() {
    let grid = || boxed(SpringLattice::Square8, [3.0, 3.0]);
    let said = |grid: LatticeGrid<2>, material: Material, spacing: f64| {
        Body::new(grid, &material, spacing, |place| *place).err().unwrap().to_string()
    };
    let good = unit(SpringLattice::Square8);
    let stretch = Material { springs: breaking_at(0.0), ..good.clone() };
    assert!(said(grid(), stretch, 1.0).contains("the breaking strain of springs is 0"));
    let soft = Material { youngs_modulus: Some(f64::NAN), ..good.clone() };
    assert!(said(grid(), soft, 1.0).contains("Young's modulus is NaN"));
    let unknown = Material { youngs_modulus: None, ..good.clone() };
    assert!(said(grid(), unknown, 1.0).contains("not given, of default; give it, or the stiff"));
    let springs = Springs { stiffness: Some(2.0), ..Springs::default() };
    let twice = Material { springs, ..good.clone() };
    assert!(said(grid(), twice, 1.0).contains("beside a stiffness of springs of 2.0"));
    assert!(said(grid(), good.clone(), -1.0).contains("the spacing is -1"));
    // Sites whose number no integer holds, and sites that no memory holds.
    for range in [[[i32::MIN; 2], [i32::MAX; 2]], [[0; 2], [99_999; 2]]] {
        let error = LatticeGrid::fill(SpringLattice::Square8, range, |_| true).unwrap_err();
        assert!(error.to_string().contains("at most 1e9 are tested"), "{error}");
    }
    let empty = LatticeGrid::fill(SpringLattice::Square8, [[0; 2], [3; 2]], |_| false).unwrap();
    assert!(said(empty, good.clone(), 1.0).contains("take a shorter spacing"));
    let solid = LatticeGrid::fill(SpringLattice::Cubic6, [[0; 2], [3; 2]], |_| true).unwrap();
    assert!(said(solid, good, 1.0).contains("the dimension of the body"));
    assert!(Simulation::<2>::new(Vec::new()).is_err());
}

/// The energies of a vibrating block of a material, before and after.
fn swinging<const D: usize>(
    lattice: SpringLattice,
    material: &Material,
    steps: u64,
) -> [Energy; 2] {
    let mut size = [7.0; D];
    size[0] = 12.0;
    let mut body = Body::new(boxed(lattice, size), material, 1.0, |place| *place).unwrap();
    body.activate_all();
    for number in body.grid().particles().collect::<Vec<_>>() {
        let mut velocity = Vector::zeros();
        velocity[0] = 0.05 * (body.position(number)[0] - 6.0) / 6.0;
        velocity[1] = 0.04 * (body.position(number)[0] / 12.0 * TAU).sin();
        body.set_particle_velocity(number, &velocity).unwrap();
    }
    let mut simulation = Simulation::new(vec![body]).unwrap();
    simulation.set_time_step(0.25 * simulation.time_step()).unwrap();
    let before = simulation.energy();
    simulation.advance(steps).unwrap();
    [before, simulation.energy()]
}

/// Losses to damping, yielding and fracture balance the energy of motion and springs, also with dilatation.
#[test]
fn the_ledger_closes_whatever_springs_do() {
    for lattice in [SpringLattice::Square8, SpringLattice::Triangular, SpringLattice::Cubic18] {
        let (plain, none) = (unit(lattice), Springs::default());
        let materials = [
            Material { springs: Springs { damping: 0.1, ..none }, ..plain.clone() },
            Material { springs: Springs { yield_stretch: Some(0.01), ..none }, ..plain.clone() },
            Material { poissons_ratio: Some(0.1), ..plain.clone() },
            Material { poissons_ratio: Some(0.4), springs: breaking_at(0.03), ..plain.clone() },
            Material {
                springs: Springs {
                    damping: 0.05,
                    yield_stretch: Some(0.01),
                    compression_ratio: 1.5,
                    ..breaking_at(0.05)
                },
                ..plain
            },
        ];
        for material in materials {
            let springs = material.springs;
            let [before, after] = match lattice.dimension() {
                2 => swinging::<2>(lattice, &material, 1500),
                _ => swinging::<3>(lattice, &material, 1500),
            };
            let change = after.total() / before.total() - 1.0;
            // While springs break, the lost dilatation energy is exact to the first order of the step only, and new
            // faces may find themselves in contact.
            let near = if springs.failure_criterion.is_some() { 2e-2 } else { 2e-3 };
            assert!(change.abs() < near, "{lattice:?} {material:?} {change} {after:?}");
            let spent = [
                (springs.damping > 0.0, after.damping_loss),
                (springs.yield_stretch.is_some(), after.plastic_loss),
                (springs.failure_criterion.is_some(), after.fracture_loss),
            ];
            for (is_asked, spent) in spent {
                let part = spent / before.total();
                assert!(if is_asked { part > 0.02 } else { part == 0.0 }, "{material:?} {after:?}");
            }
        }
    }
}

/// A ring of particles with a hole in the middle, or the same in space.
fn hollow<const D: usize>(lattice: SpringLattice) -> Body<D> {
    let is_inside = |steps: &[i32; D]| steps.iter().any(|&step| step != 0);
    let grid = LatticeGrid::fill(lattice, [[-2; D], [2; D]], is_inside).unwrap();
    Body::new(grid, &unit(lattice), 1.0, |place| *place).unwrap()
}

fn setters_refuse_and_leave_all_as_it_was<const D: usize>(lattice: SpringLattice) {
    let mut body = hollow::<D>(lattice);
    let count = body.grid().slot_count();
    let hole = (0..count).find(|&number| !body.grid().is_occupied(number)).unwrap();
    let state = |body: &Body<D>| -> Vec<(Vector<D>, Vector<D>, bool)> {
        let all = body.grid().particles();
        all.map(|it| (body.position(it), body.velocity(it), body.is_held(it))).collect()
    };
    let depths = |body: &Body<D>| -> Vec<f64> {
        body.grid().particles().map(|number| body.outline_depth(number)).collect()
    };
    let (before, depths_before) = (state(&body), depths(&body));
    for number in [hole, count, usize::MAX] {
        let refused = [
            body.set_particle_velocity(number, &Vector::zeros()),
            body.displace(number, &Vector::zeros()),
            body.hold(number),
            body.release(number),
        ];
        for error in refused.map(|result| result.unwrap_err().to_string()) {
            assert!(error.contains(&format!("the number of a particle is {number}; ")), "{error}");
        }
    }
    for wrong in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for axis in 0..D {
            let mut vector = Vector::<D>::zeros();
            vector[axis] = wrong;
            let refused = [
                body.set_velocity(vector),
                body.set_particle_velocity(0, &vector),
                body.displace(0, &vector),
            ];
            for error in refused.map(|result| result.unwrap_err().to_string()) {
                assert!(error.ends_with("; it must be finite"), "{error}");
            }
            let grid = body.grid().clone();
            let placed = Body::<D>::new(grid, &unit(lattice), 1.0, |place| place + vector);
            let error = placed.err().unwrap().to_string();
            assert!(error.contains("the position of a particle is ["), "{error}");
        }
    }
    let outline = |place: &Vector<D>| if place[0] > 1.0 { f64::NAN } else { 0.3 };
    let error = body.set_outline(outline).unwrap_err().to_string();
    assert!(error.contains("below the outline is NaN; it must be a number"), "{error}");
    assert_eq!((state(&body), depths(&body)), (before, depths_before));
}

#[test]
fn setters_of_bodies_refuse_numbers_that_they_cannot_use() {
    setters_refuse_and_leave_all_as_it_was::<2>(SpringLattice::Square8);
    setters_refuse_and_leave_all_as_it_was::<2>(SpringLattice::Triangular);
    setters_refuse_and_leave_all_as_it_was::<3>(SpringLattice::Cubic18);
}
