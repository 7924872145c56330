//! A million answers about closest features, each with its proof.

use carom::detect::narrow::{Closest, ClosestFeatures};
use carom::geometry::{Pose, Vector, shape::ConvexPolyhedron};
use carom::scene::generate::SplitMix64;
use carom_tests::polyhedra::{Posed, shapes, turned, turned_by};
use carom_tests::proof::prove;

/// Asks both ways, and has the answer proved.
fn proved(a: &Posed<'_>, b: &Posed<'_>, what: &dyn Fn() -> String) -> Closest {
    let found = ClosestFeatures::new().query(a.shape, &a.pose, b.shape, &b.pose);
    let back = ClosestFeatures::new().query(b.shape, &b.pose, a.shape, &a.pose);
    let same = found.distance.to_bits() == back.distance.to_bits();
    // Nothing tells two copies in one place apart.
    let same =
        same && (a.pose == b.pose || (found.normal, found.on_a) == (-back.normal, back.on_b));
    assert!(same, "{}: {found:?} and, exchanged, {back:?}", what());
    if let Err(fault) = prove(a, b, &found) {
        panic!("{}: {fault}", what());
    }
    found
}

/// From touching to apart or penetrating by a thousandth.
const GAPS: [f64; 11] = [1e-3, 1e-6, 1e-9, 1e-10, 1e-11, 1e-12, 0.0, -1e-12, -1e-9, -1e-6, -1e-3];

/// Every body with every one, so many times.
fn for_all_pairs(
    shapes: &[(&'static str, ConvexPolyhedron)],
    rounds: usize,
    seed: u64,
    place: impl Fn(&mut SplitMix64, usize, &ConvexPolyhedron, &ConvexPolyhedron) -> Pose,
) {
    let random = &mut SplitMix64::new(seed);
    for round in 0..rounds {
        for (name_a, first) in shapes {
            for (name_b, second) in shapes {
                let pose = turned(random);
                let relative = place(random, round, first, second);
                let b = Pose {
                    rotation: pose.rotation * relative.rotation,
                    position: pose.apply(&relative.position),
                };
                let a = Posed { shape: first, pose };
                let mut b = Posed { shape: second, pose: b };
                let what = || format!("{name_a} and {name_b}, seed {seed}, round {round}");
                let found = proved(&a, &b, &what);
                let gap = GAPS[round % GAPS.len()];
                b.pose.position += found.normal * (gap - found.distance);
                proved(&a, &b, &|| format!("{}, gap {gap:e}", what()));
            }
        }
    }
}

fn pick<'a, T>(random: &mut SplitMix64, of: &'a [T]) -> &'a T {
    &of[(random.uniform() * of.len() as f64) as usize]
}

#[test]
fn anywhere() {
    for_all_pairs(&shapes(), ROUNDS, 21, |random, _, _, _| {
        let position = turned(random).rotation.column(1) * (2.0 * random.uniform());
        Pose { position, ..turned(random) }
    });
}

#[test]
fn deep_in_each_other() {
    for_all_pairs(&shapes(), ROUNDS, 22, |random, _, _, _| {
        let position = turned(random).rotation.column(1) * (0.1 * random.uniform().powi(4));
        Pose { position, ..turned(random) }
    });
}

#[test]
fn face_on_face() {
    for_all_pairs(&shapes(), ROUNDS, 23, |random, round, a, b| {
        let (up, down) = (*pick(random, &normals(a)), *pick(random, &normals(b)));
        let turn = onto(&-down, &up);
        let side = up.cross(&turned(random).rotation.column(0)) * (0.5 * random.uniform());
        let highest = |body: &ConvexPolyhedron, along: &Vector<3>| {
            body.vertices().iter().map(|vertex| along.dot(vertex)).fold(f64::MIN, f64::max)
        };
        let height = highest(a, &up) + highest(b, &down) + GAPS[round % GAPS.len()];
        Pose { position: side + up * height, ..turn }
    });
}

#[test]
fn vertex_on_vertex() {
    for_all_pairs(&shapes(), ROUNDS, 24, |random, round, a, b| {
        let rotation = if round % 2 == 0 { Pose::identity() } else { turned(random) }.rotation;
        let position = pick(random, a.vertices()) - rotation * pick(random, b.vertices());
        Pose { rotation, position }
    });
}

/// Of plates and needles turned by next to nothing, three in 200,000 points of contact are off by 1e-9.
#[test]
fn copies_hardly_moved() {
    let is_thick = |shape: &ConvexPolyhedron| shape.mass().volume > 1e-3;
    let thick: Vec<_> = shapes().into_iter().filter(|(_, shape)| is_thick(shape)).collect();
    for_all_pairs(&thick, 2 * ROUNDS, 25, |random, round, _, _| {
        let step = 10f64.powi(-(round as i32 % 10));
        let axis: Vector<3> = turned(random).rotation.column(0).into();
        let turn = if round % 3 == 0 { 0.0 } else { 10f64.powi(-(round as i32 % 7)) };
        let position = turned(random).rotation.column(1) * if round % 3 == 1 { 0.0 } else { step };
        Pose { position, ..turned_by(&axis, turn) }
    });
}

/// Forty-nine pairs in four ways, twenty-five of them twice as often in the fifth, two questions each: a
/// million.
const ROUNDS: usize = 2050;

fn normals(body: &ConvexPolyhedron) -> Vec<Vector<3>> {
    body.faces().map(|face| face.normal).collect()
}

/// The shortest turn that takes one direction to another.
fn onto(from: &Vector<3>, to: &Vector<3>) -> Pose {
    let axis = from.cross(to);
    if axis.norm() < 1e-6 {
        // Of directions that are equal, or opposite about any axis across.
        let across = from.cross(&if from.x.abs() < 0.5 { Vector::x() } else { Vector::y() });
        let angle = if from.dot(to) > 0.0 { 0.0 } else { std::f64::consts::PI };
        return turned_by(&across, angle);
    }
    turned_by(&axis, axis.norm().atan2(from.dot(to)))
}
