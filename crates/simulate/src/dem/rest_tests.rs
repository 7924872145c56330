//! Bodies at rest under load: their overlap is that of their weight, and they lose no energy.

use super::shape::tests::cube;
use super::*;
use carom_geometry::mesh::TriangleMesh;
use carom_geometry::random::SplitMix64;
use carom_geometry::shape::ConvexPolyhedron;
use carom_geometry::{Vector, embed_in_3d};
use std::sync::Arc;

/// Every kind of normal and tangential law, for a coefficient of restitution.
fn laws(restitution: f64) -> [CompositeLaw; 4] {
    let damping = Damping::restitution(restitution);
    let spring = CompositeLaw { damping, friction_coefficient: 0.5, ..CompositeLaw::spring(1e4) };
    let hertz = CompositeLaw { damping, friction_coefficient: 0.5, ..CompositeLaw::hertz(1e5) };
    let across = TangentialForceLaw::Spring { stiffness: 3e3, damping: 0.5 };
    let mindlin = TangentialForceLaw::Mindlin { modulus: 3e4, damping: 1.0 };
    [
        spring,
        CompositeLaw { tangential: across, ..spring },
        CompositeLaw { tangential: mindlin, ..hertz },
        CompositeLaw { rolling: RollingResistance::Constant(0.1), tangential: across, ..spring },
    ]
}

/// Returns the overlap of a sphere at rest under a weight.
fn depth(law: &CompositeLaw, radius: f64, weight: f64) -> f64 {
    match law.normal {
        NormalForceLaw::Spring { stiffness } => weight / stiffness,
        NormalForceLaw::Hertz { modulus } => {
            (0.75 * weight / (modulus * radius.sqrt())).powf(2.0 / 3.0)
        }
    }
}

fn tiles() -> WallSurface {
    let corners = [[-2.0, -2.0, 0.0], [2.0, -2.0, 0.0], [2.0, 2.0, 0.0], [-2.0, 2.0, 0.0]];
    let corners = corners.map(Vector::from).to_vec();
    let mesh = TriangleMesh::new(corners, vec![[0, 1, 2], [0, 2, 3]]).unwrap();
    WallSurface::Mesh(Arc::new(MeshSurface::new(mesh)))
}

#[test]
fn a_sphere_at_rest_sinks_by_its_weight_over_the_stiffness() {
    for restitution in [0.0, 0.1, 0.5, 0.9] {
        for law in laws(restitution) {
            sinks_by_its_weight::<3>(&law, restitution, None);
            sinks_by_its_weight::<2>(&law, restitution, None);
            sinks_by_its_weight::<3>(&law, restitution, Some(tiles()));
        }
    }
}

/// Returns a vector along the last axis.
fn upward<const D: usize>(part: f64) -> Vector<D> {
    Vector::from_fn(|axis, _| if axis + 1 == D { part } else { 0.0 })
}

fn sinks_by_its_weight<const D: usize>(
    law: &CompositeLaw,
    restitution: f64,
    surface: Option<WallSurface>,
) {
    let (radius, mass, gravity) = (0.5, 1.0, 10.0);
    let mut wall = Wall::plane(embed_in_3d(&upward::<D>(1.0)), 0.0);
    let case = format!("{law:?} {D}D tiles {}", surface.is_some());
    if let Some(surface) = surface {
        wall.surface = surface;
    }
    let mut settings = Settings { walls: vec![wall], ..Settings::<D>::with_law(*law) };
    settings.gravity = upward::<D>(-gravity).into();
    let mut start = upward(radius);
    [0.3, 0.2].iter().zip(0..D - 1).for_each(|(&aside, axis)| start[axis] = aside);
    let mut simulation = Simulation::new(&[Body::at_rest(start, radius, mass)], settings).unwrap();
    let energy = simulation.energy().total();
    simulation.advance(if restitution > 0.8 { 60_000 } else { 20_000 }).unwrap();
    let wanted = depth(law, radius, mass * gravity);
    let sunk = radius - simulation.body(0).position[D - 1];
    assert!((sunk / wanted - 1.0).abs() < 1e-6, "{case}: {sunk} {wanted}");
    let before = simulation.energy();
    assert!((before.total() - energy).abs() < 0.01 * before.damping_loss, "{case} {before:?}");
    simulation.advance(50_000).unwrap();
    let after = simulation.energy();
    assert!(after.damping_loss - before.damping_loss < 1e-12, "{case}: {before:?} {after:?}");
    assert!(after.friction_loss - before.friction_loss < 1e-12, "{case}: {before:?} {after:?}");
}

/// Layers of bodies on a floor between walls; round ones lie in the hollows of those below, so that none keeps
/// rotating.
fn bed<const D: usize>(
    shape: Option<Shape>,
    law: CompositeLaw,
    layers: u32,
) -> (Vec<Body<D>>, Settings<D>) {
    let wide: u32 = if shape.is_some() { 2 } else { 4 };
    let mut random = SplitMix64::new(7);
    let mut shift = || 0.03 * (random.uniform() - 0.5);
    let mut bodies = Vec::new();
    for layer in 0..layers {
        let row = if shape.is_some() { wide } else { wide - layer };
        let first = 0.55 + 0.53 * f64::from(wide - row);
        for number in 0..row.pow(D as u32 - 1) {
            let site = [number % row, number / row];
            let mut position = Vector::<D>::zeros();
            (0..D - 1)
                .for_each(|axis| position[axis] = first + 1.06 * f64::from(site[axis]) + shift());
            position[D - 1] = 0.55 + 1.06 * f64::from(layer) + shift();
            bodies.push(match &shape {
                Some(shape) => Body::shaped(position, 0, shape, 1.0),
                None => Body::at_rest(position, 0.5, 1.0),
            });
        }
    }
    let width = 1.06 * f64::from(wide) + 0.05;
    let mut walls = Vec::new();
    for axis in 0..D {
        let normal = Vector::<3>::from_fn(|k, _| if k == axis { 1.0 } else { 0.0 });
        walls.push(Wall::plane(normal, 0.0));
        if axis + 1 != D {
            walls.push(Wall::plane(-normal, -width));
        }
    }
    let (gravity, shapes) = (upward::<D>(-10.0).into(), shape.into_iter().collect());
    (bodies, Settings { walls, gravity, shapes, ..Settings::with_law(law) })
}

/// Asserts that a bed at rest loses no energy in a million steps, and that its losses never decrease.
fn stays_at_rest<const D: usize>(
    (bodies, settings): (Vec<Body<D>>, Settings<D>),
    law: CompositeLaw,
    [settling, steps]: [u64; 2],
) {
    let mut simulation = Simulation::new(&bodies, settings).unwrap();
    let start = simulation.energy();
    let mut last = start;
    let mut check = |simulation: &Simulation<D>, still: bool| {
        let now = simulation.energy();
        assert!(
            now.damping_loss >= last.damping_loss && now.friction_loss >= last.friction_loss,
            "{last:?} {now:?}"
        );
        if still {
            let lost = start.potential_energy - now.potential_energy;
            let more =
                [now.damping_loss - last.damping_loss, now.friction_loss - last.friction_loss];
            assert!(more[0] + more[1] < 1e-9 * lost, "{last:?} {now:?} {law:?}");
        }
        last = now;
        now
    };
    for _ in 0..10 {
        simulation.advance(settling / 10).unwrap();
        check(&simulation, false);
    }
    for _ in 0..10 {
        simulation.advance(steps / 10).unwrap();
        check(&simulation, true);
    }
    let now = check(&simulation, true);
    let lost = start.potential_energy - now.potential_energy;
    assert!(now.contact_energy > 0.0 && now.kinetic_energy < 1e-9 * lost, "{now:?}");
    assert!((now.total() - start.total()).abs() < 0.01 * lost, "{start:?} {now:?} {lost}");
}

#[test]
fn a_bed_of_discs_at_rest_loses_nothing_in_a_million_steps() {
    laws(0.3)[1..3].iter().for_each(|&law| {
        stays_at_rest(bed::<2>(None, law, 3), law, [400_000, 1_000_000]);
    });
}

#[test]
fn a_bed_of_spheres_at_rest_loses_nothing() {
    let law = laws(0.3)[2];
    stays_at_rest(bed::<3>(None, law, 3), law, [200_000, 400_000]);
}

#[test]
#[ignore = "takes a minute: cargo xtask test --all"]
fn a_bed_of_spheres_at_rest_loses_nothing_in_a_million_steps() {
    laws(0.3)[1..3].iter().for_each(|&law| {
        stays_at_rest(bed::<3>(None, law, 3), law, [400_000, 1_000_000]);
    });
}

#[test]
fn a_bed_of_cubes_at_rest_loses_nothing() {
    let law = laws(0.3)[1];
    stays_at_rest(bed::<3>(Some(cube()), law, 2), law, [200_000, 300_000]);
}

#[test]
#[ignore = "takes a minute: cargo xtask test --all"]
fn a_bed_of_cubes_at_rest_loses_nothing_in_a_million_steps() {
    let law = laws(0.3)[1];
    stays_at_rest(bed::<3>(Some(cube()), law, 2), law, [200_000, 1_000_000]);
}

#[test]
fn a_bed_of_meshes_at_rest_loses_nothing() {
    let corner = |k: u32| Vector::from([k & 1, k >> 1 & 1, k >> 2].map(|bit| f64::from(bit) - 0.5));
    let hull = ConvexPolyhedron::hull(&(0..8).map(corner).collect::<Vec<_>>()).unwrap();
    let block = Shape::mesh(&TriangleMesh::from_polygons(&hull.mesh()).unwrap()).unwrap();
    // Side by side on the floor: a mesh on a mesh has one mean contact point, on which it turns for a long time.
    let law = laws(0.3)[1];
    stays_at_rest(bed::<3>(Some(block), law, 1), law, [100_000, 1_000_000]);
}

/// Spheres in a box are pressed together by a lid: the work of the lid is stored or lost.
#[test]
fn the_ledger_of_an_oedometer_closes() {
    let mut random = SplitMix64::new(3);
    let (wide, layers, spacing) = (5, 8, 1.02);
    let bodies: Vec<Body> = (0..wide * wide * layers)
        .map(|number| {
            let site = [number % wide, number / wide % wide, number / wide / wide];
            let place = site.map(|k| spacing * (f64::from(k) + 0.5));
            let position = Vector::from(place.map(|along| along + 0.01 * random.uniform()));
            Body::at_rest(position, 0.42 + 0.06 * random.uniform(), 1.0)
        })
        .collect();
    let (width, height) = (spacing * f64::from(wide), spacing * f64::from(layers));
    for law in [laws(0.3)[1], laws(0.3)[2]] {
        let mut walls = Vec::new();
        for axis in 0..3 {
            let normal = Vector::<3>::from_fn(|k, _| if k == axis { 1.0 } else { 0.0 });
            walls.push(Wall::plane(normal, 0.0));
            let far = if axis == 2 { height } else { width };
            walls.push(Wall::plane(-normal, -far));
        }
        let speed = -0.5;
        walls[5].motion = WallMotion { velocity: [0.0, 0.0, speed].into(), ..WallMotion::none() };
        let mut simulation =
            Simulation::new(&bodies, Settings { walls, ..Settings::with_law(law) }).unwrap();
        let start = simulation.energy().total();
        let mut last = simulation.energy();
        while simulation.now() < 5.0 {
            simulation.advance(500).unwrap();
            let now = simulation.energy();
            assert!(
                now.damping_loss >= last.damping_loss && now.friction_loss >= last.friction_loss,
                "{last:?} {now:?}"
            );
            last = now;
        }
        assert!(
            last.external_work > 10.0 && last.friction_loss > 0.1 * last.external_work,
            "{last:?}"
        );
        let off = (last.total() - start).abs() / last.external_work;
        assert!(off < 0.01, "{off} {last:?}");
    }
}

/// A ball that rests in a groove is held by friction on both sides, whatever the angle of the groove.
#[test]
fn what_lies_in_a_groove_loses_nothing() {
    for angle in [0.3_f64, 0.8, 1.2] {
        let (sine, cosine) = angle.sin_cos();
        let sides = [[sine, 0.0, cosine], [-sine, 0.0, cosine]];
        let walls = sides.map(|normal| Wall::plane(normal, 0.0)).to_vec();
        for law in laws(0.2) {
            let gravity = [0.0, 0.0, -10.0].into();
            let settings = Settings { walls: walls.clone(), gravity, ..Settings::with_law(law) };
            let ball = Body::at_rest([0.0, 0.0, 0.5 / cosine], 0.5, 1.0);
            let mut simulation = Simulation::new(&[ball], settings).unwrap();
            simulation.advance(50_000).unwrap();
            let before = simulation.energy();
            simulation.advance(200_000).unwrap();
            let after = simulation.energy();
            let more = [
                after.damping_loss - before.damping_loss,
                after.friction_loss - before.friction_loss,
            ];
            assert!(more.iter().all(|&more| (0.0..1e-12).contains(&more)), "{angle} {more:?}");
        }
    }
}
