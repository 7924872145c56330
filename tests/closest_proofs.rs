//! A million answers about closest features, each with its proof.

use carom::detect::narrow::{ClosestFeatures, ClosestPoints};
use carom::geometry::{Pose, Vector, shape::ConvexPolyhedron};
use carom::scene::generate::SplitMix64;
use carom_tests::polyhedra::{PosedPolyhedron, random_rotation, rotation_about, shapes};
use carom_tests::proof::prove;

/// Queries both ways, and proves the answer.
fn proved(
    a: &PosedPolyhedron<'_>,
    b: &PosedPolyhedron<'_>,
    beside: f64,
    what: &dyn Fn() -> String,
) -> ClosestPoints {
    let found = ClosestFeatures::new().query(a.shape, &a.pose, b.shape, &b.pose);
    let back = ClosestFeatures::new().query(b.shape, &b.pose, a.shape, &a.pose);
    let same = found.distance.to_bits() == back.distance.to_bits();
    // Two copies in one place cannot be distinguished.
    let same =
        same && (a.pose == b.pose || (found.normal, found.on_a) == (-back.normal, back.on_b));
    assert!(same, "{}: {found:?} and, exchanged, {back:?}", what());
    if let Err(fault) = prove(a, b, &found, beside) {
        panic!("{}: {fault}", what());
    }
    found
}

/// From touching to apart or penetrating by a thousandth.
const GAPS: [f64; 11] = [1e-3, 1e-6, 1e-9, 1e-10, 1e-11, 1e-12, 0.0, -1e-12, -1e-9, -1e-6, -1e-3];

/// Calls a function for every pair of bodies a number of times.
fn for_all_pairs(
    seed: u64,
    beside: f64,
    place: impl Fn(&mut SplitMix64, usize, &ConvexPolyhedron, &ConvexPolyhedron) -> Pose,
) {
    let shapes = shapes();
    let random = &mut SplitMix64::new(seed);
    for round in 0..ROUNDS {
        for (name_a, first) in &shapes {
            for (name_b, second) in &shapes {
                let pose = random_rotation(random);
                let relative = place(random, round, first, second);
                let b = Pose {
                    rotation: pose.rotation * relative.rotation,
                    position: pose.transform_point(&relative.position),
                };
                let a = PosedPolyhedron { shape: first, pose };
                let mut b = PosedPolyhedron { shape: second, pose: b };
                let what = || format!("{name_a} and {name_b}, seed {seed}, round {round}");
                let found = proved(&a, &b, beside, &what);
                let gap = GAPS[round % GAPS.len()];
                b.pose.position += found.normal * (gap - found.distance);
                proved(&a, &b, beside, &|| format!("{}, gap {gap:e}", what()));
            }
        }
    }
}

fn pick<'a, T>(random: &mut SplitMix64, of: &'a [T]) -> &'a T {
    &of[(random.uniform() * of.len() as f64) as usize]
}

#[test]
fn anywhere() {
    for_all_pairs(21, 1e-11, |random, _, _, _| {
        let position = random_rotation(random).rotation.column(1) * (2.0 * random.uniform());
        Pose { position, ..random_rotation(random) }
    });
}

#[test]
fn deep_in_each_other() {
    for_all_pairs(22, 1e-11, |random, _, _, _| {
        let position =
            random_rotation(random).rotation.column(1) * (0.1 * random.uniform().powi(4));
        Pose { position, ..random_rotation(random) }
    });
}

#[test]
fn face_on_face() {
    for_all_pairs(23, 1e-11, |random, round, a, b| {
        let (up, down) = (*pick(random, &normals(a)), *pick(random, &normals(b)));
        let turn = onto(&-down, &up);
        let side = up.cross(&random_rotation(random).rotation.column(0)) * (0.5 * random.uniform());
        let highest = |body: &ConvexPolyhedron, along: &Vector<3>| {
            body.vertices().iter().map(|vertex| along.dot(vertex)).fold(f64::MIN, f64::max)
        };
        let height = highest(a, &up) + highest(b, &down) + GAPS[round % GAPS.len()];
        Pose { position: side + up * height, ..turn }
    });
}

#[test]
fn vertex_on_vertex() {
    for_all_pairs(24, 1e-11, |random, round, a, b| {
        let rotation =
            if round % 2 == 0 { Pose::identity() } else { random_rotation(random) }.rotation;
        let position = pick(random, a.vertices()) - rotation * pick(random, b.vertices());
        Pose { rotation, position }
    });
}

/// Plates and needles that are parallel up to a millionth touch nearly everywhere: their contact points are less
/// precise, their distance is not.
#[test]
fn copies_hardly_moved() {
    for_all_pairs(25, 1e-8, |random, round, _, _| {
        let step = 10f64.powi(-(round as i32 % 10));
        let axis: Vector<3> = random_rotation(random).rotation.column(0).into();
        let turn = if round % 3 == 0 { 0.0 } else { 10f64.powi(-(round as i32 % 7)) };
        let position =
            random_rotation(random).rotation.column(1) * if round % 3 == 1 { 0.0 } else { step };
        Pose { position, ..rotation_about(&axis, turn) }
    });
}

/// Warm-started queries, as bodies tumble next to and through each other.
#[test]
fn from_answer_to_answer() {
    let shapes = shapes();
    let random = &mut SplitMix64::new(26);
    for (name_a, first) in &shapes {
        for (name_b, second) in &shapes {
            let mut query = ClosestFeatures::new();
            let mut a = PosedPolyhedron { shape: first, pose: random_rotation(random) };
            let mut b = PosedPolyhedron { shape: second, pose: random_rotation(random) };
            let side: Vector<3> = random_rotation(random).rotation.column(1).into();
            for step in 0..ROUNDS {
                let angle = [0.001, 0.01, 0.1][step / 50 % 3];
                a.pose.rotation = rotation_about(&side, angle).rotation * a.pose.rotation;
                let axis: Vector<3> = b.pose.rotation.column(step / 200 % 3).into();
                b.pose.rotation = rotation_about(&axis, angle).rotation * b.pose.rotation;
                b.pose.position = side * (1.2 + (0.01 * step as f64).sin());
                let found = query.query(a.shape, &a.pose, b.shape, &b.pose);
                if let Err(fault) = prove(&a, &b, &found, 1e-11) {
                    panic!("{name_a} and {name_b}, step {step}: {fault}");
                }
            }
        }
    }
}

/// Forty-nine pairs in five ways, two queries each: a million.
const ROUNDS: usize = 2050;

fn normals(body: &ConvexPolyhedron) -> Vec<Vector<3>> {
    body.faces().map(|face| face.normal).collect()
}

/// Returns the shortest rotation that takes one direction to another.
fn onto(from: &Vector<3>, to: &Vector<3>) -> Pose {
    let axis = from.cross(to);
    if axis.norm() < 1e-6 {
        // Directions that are equal, or opposite: about any perpendicular axis.
        let across = from.cross(&if from.x.abs() < 0.5 { Vector::x() } else { Vector::y() });
        let angle = if from.dot(to) > 0.0 { 0.0 } else { std::f64::consts::PI };
        return rotation_about(&across, angle);
    }
    rotation_about(&axis, axis.norm().atan2(from.dot(to)))
}
