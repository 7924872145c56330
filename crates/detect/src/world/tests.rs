//! Every query against a test of all bodies, and bodies against what is known of their shapes.

use super::*;
use crate::BodyPair;
use crate::inside::FillRule;
use carom_geometry::mesh::{TriangleMesh, octahedron_sphere};
use carom_geometry::random::SplitMix64;
use carom_geometry::{Aabb, Pose, Vector, shape::ConvexPolyhedron};

const SCALES: [f64; 3] = [1e-6, 1.0, 1e6];

fn vector(random: &mut SplitMix64, size: f64) -> Vector<3> {
    Vector::from_fn(|_, _| size * (2.0 * random.uniform() - 1.0))
}

fn pose(random: &mut SplitMix64, size: f64) -> Pose {
    let quaternion = [(); 4].map(|()| random.normal());
    let norm = quaternion.iter().map(|part| part * part).sum::<f64>().sqrt();
    Pose::new(vector(random, size), quaternion.map(|part| part / norm)).unwrap()
}

/// A sphere with bumps, which is not convex, with a spherical hollow if it is asked for.
fn bumpy(scale: f64, is_hollow: bool) -> TriangleMesh {
    let sphere = octahedron_sphere(2);
    let bump = |vertex: &Vector<3>| vertex * (scale * (1.0 + 0.3 * (7.0 * vertex.x).sin()));
    let mut vertices: Vec<_> = sphere.vertices().iter().map(bump).collect();
    let mut triangles = sphere.triangles().to_vec();
    if is_hollow {
        let first = vertices.len() as u32;
        vertices.extend(sphere.vertices().iter().map(|vertex| vertex * (0.5 * scale)));
        triangles.extend(sphere.triangles().iter().map(|&[a, b, c]| [a, c, b].map(|k| first + k)));
    }
    TriangleMesh::new(vertices, triangles).unwrap()
}

fn cube(scale: f64) -> BodyShape {
    let corner =
        |k: i32| Vector::from([k & 1, k >> 1 & 1, k >> 2].map(|bit| scale * f64::from(bit)));
    let cube = ConvexPolyhedron::hull(&(0..8).map(corner).collect::<Vec<_>>()).unwrap();
    BodyShape::polyhedron(cube).unwrap()
}

/// Shapes of all kinds, about as large as `scale`.
fn shapes(random: &mut SplitMix64, scale: f64) -> Vec<BodyShape> {
    let points: Vec<_> = (0..20).map(|_| vector(random, scale)).collect();
    vec![
        BodyShape::sphere(0.7 * scale).unwrap(),
        BodyShape::sphere(0.0).unwrap(),
        cube(scale),
        BodyShape::polyhedron(ConvexPolyhedron::hull(&points).unwrap()).unwrap(),
        BodyShape::mesh(&bumpy(scale, false), FillRule::EvenOdd).unwrap(),
        BodyShape::mesh(&bumpy(scale, true), FillRule::Nonzero).unwrap(),
    ]
}

/// A world of bodies of all kinds with moved and removed ones.
fn crowd(seed: u64, count: u32, scale: f64) -> World {
    let mut random = SplitMix64::new(seed);
    let shapes = shapes(&mut random, scale);
    let size = scale * 1.2 * f64::from(count).cbrt();
    let mut world = World::new();
    for body in 0..count {
        let shape = shapes[(random.bits() % 6) as usize].clone();
        assert_eq!(world.add(shape, pose(&mut random, size)), Ok(body));
    }
    for body in (0..count).step_by(3) {
        world.set_pose(body, pose(&mut random, size)).unwrap();
    }
    (0..count).step_by(11).for_each(|body| world.remove(body).unwrap());
    let moved: Vec<_> = world
        .bodies()
        .filter(|body| body % 2 == 0)
        .map(|body| (body, pose(&mut random, size)))
        .collect();
    world.set_poses(&moved).unwrap();
    world
}

/// A world with one body of another, at its place.
fn alone(world: &World, body: u32) -> World {
    let mut one = World::new();
    one.add(world.shape(body).unwrap().clone(), world.pose(body).unwrap()).unwrap();
    one
}

/// The answer of each body by itself, with its number.
fn by_body(world: &World, point: &Vector<3>) -> Vec<NearestBody> {
    let nearest = |body| {
        let found = alone(world, body).nearest(point).unwrap().unwrap();
        NearestBody { body, ..found }
    };
    world.bodies().map(nearest).collect()
}

#[test]
fn points_find_what_a_test_of_all_bodies_finds() {
    for (seed, scale) in (0..6).zip(SCALES.into_iter().cycle()) {
        let world = crowd(seed, 90, scale);
        let mut random = SplitMix64::new(100 + seed);
        let (mut near_count, mut inside_count) = (0, 0);
        for _ in 0..60 {
            let point = vector(&mut random, 4.0 * scale);
            let mut all = by_body(&world, &point);
            let reach = 3.0 * scale;
            let near: Vec<_> = all.iter().copied().filter(|near| near.distance <= reach).collect();
            assert_eq!(world.bodies_near(&point, reach).unwrap(), near, "seed {seed}");
            let containing = |body: &u32| alone(&world, *body).containing(&point).unwrap() == [0];
            let inside: Vec<_> = world.bodies().filter(containing).collect();
            assert_eq!(world.containing(&point).unwrap(), inside, "seed {seed}");
            for near in &all {
                let is_inside = inside.contains(&near.body);
                assert!(is_inside == (near.distance <= 0.0) || near.distance.abs() < 1e-12 * scale);
            }
            (near_count, inside_count) = (near_count + near.len(), inside_count + inside.len());
            all.sort_by(|a, b| a.distance.total_cmp(&b.distance).then(a.body.cmp(&b.body)));
            assert_eq!(world.nearest(&point).unwrap(), Some(all[0]), "seed {seed}");
            for count in [0, 1, 7, 1000] {
                let expected = &all[..count.min(all.len())];
                assert_eq!(world.nearest_bodies(&point, count).unwrap(), expected, "seed {seed}");
            }
        }
        assert!(near_count > 100 && inside_count > 3, "seed {seed}: {near_count} {inside_count}");
    }
}

#[test]
fn rays_meet_what_a_test_of_all_bodies_meets() {
    for (seed, scale) in (0..6).zip(SCALES.into_iter().cycle()) {
        let world = crowd(seed, 90, scale);
        let mut random = SplitMix64::new(200 + seed);
        let mut count = 0;
        for round in 0..100 {
            let origin = vector(&mut random, 15.0 * scale);
            let mut direction = vector(&mut random, 2.0 * scale) - origin;
            if round % 4 == 0 {
                direction[round % 3] = 0.0;
            }
            let reach = if round % 2 == 0 { f64::INFINITY } else { 8.0 * scale };
            let meets = |body| {
                let hit = alone(&world, body).cast_ray(&origin, &direction, reach).unwrap()?;
                Some(RayHit { body, ..hit })
            };
            let mut all: Vec<RayHit> = world.bodies().filter_map(meets).collect();
            all.sort_by(|a, b| a.distance.total_cmp(&b.distance).then(a.body.cmp(&b.body)));
            let found = world.cast_ray(&origin, &direction, reach).unwrap();
            assert_eq!(found, all.first().copied(), "seed {seed}");
            let through = world.cast_ray_through(&origin, &direction, reach).unwrap();
            assert_eq!(through, all, "seed {seed}");
            for hit in &all {
                let near = alone(&world, hit.body).nearest(&hit.point).unwrap().unwrap();
                assert!(
                    near.distance.abs() < 1e-12 * 30.0 * scale,
                    "seed {seed}: {hit:?} {near:?}"
                );
                assert!((hit.normal.norm() - 1.0).abs() < 1e-12);
                // Just before the surface the ray is on the side that the normal says.
                let before = hit.point - direction.normalize() * (1e-7 * scale);
                let was_outside = hit.normal.dot(&direction) < 0.0;
                let grazing = hit.normal.dot(&direction.normalize()).abs() < 1e-3;
                let is_outside = alone(&world, hit.body).containing(&before).unwrap().is_empty();
                assert!(grazing || was_outside == is_outside, "seed {seed}: {hit:?}");
            }
            count += all.len();
        }
        assert!(count > 40, "seed {seed}: {count}");
    }
}

#[test]
fn boxes_find_what_a_test_of_all_boxes_finds() {
    for (seed, scale) in (0..6).zip(SCALES.into_iter().cycle()) {
        let world = crowd(seed, 200, scale);
        let mut random = SplitMix64::new(300 + seed);
        for _ in 0..60 {
            let (a, b) = (vector(&mut random, 15.0 * scale), vector(&mut random, 15.0 * scale));
            let asked = Aabb { low: a.inf(&b), high: a.sup(&b) };
            let meets = |body: &u32| {
                let own = world.bounds(*body).unwrap();
                (0..3).all(|axis| {
                    own.low[axis] <= asked.high[axis] && asked.low[axis] <= own.high[axis]
                })
            };
            let expected: Vec<u32> = world.bodies().filter(meets).collect();
            assert_eq!(world.bodies_in(&asked).unwrap(), expected, "seed {seed}");
        }
    }
}

#[test]
fn pairs_are_those_of_a_test_of_all_pairs() {
    for (seed, scale) in (0..3).zip(SCALES) {
        let world = crowd(seed, 60, scale);
        let bodies: Vec<u32> = world.bodies().collect();
        let mut all = Vec::new();
        for (place, &one) in bodies.iter().enumerate() {
            for &other in &bodies[place + 1..] {
                all.push(world.distance(one, other).unwrap());
            }
        }
        for reach in [0.0, 0.5 * scale, 2.0 * scale, f64::INFINITY] {
            let near = all.iter().copied().filter(|found| found.distance <= reach);
            let near: Vec<BodyDistance> = near.collect();
            assert_eq!(world.pairs_within(reach).unwrap(), near, "seed {seed}");
            for &body in bodies.iter().step_by(7) {
                let of_body: Vec<_> = near
                    .iter()
                    .copied()
                    .filter(|found| [found.pair.first(), found.pair.second()].contains(&body))
                    .collect();
                assert_eq!(world.neighbors(body, reach).unwrap(), of_body, "seed {seed}");
            }
        }
    }
}

#[test]
fn closest_points_are_on_the_bodies_and_as_far_apart_as_is_said() {
    for (seed, scale) in (0..3).zip(SCALES) {
        let world = crowd(40 + seed, 60, scale);
        let mut overlapping = 0;
        for found in world.pairs_within(3.0 * scale).unwrap() {
            let between = found.points[1] - found.points[0];
            if found.distance > 0.0 {
                let error = (between.norm() - found.distance).abs();
                assert!(error < 1e-9 * scale, "seed {seed}: {found:?}");
            } else {
                overlapping += 1;
            }
            for (body, point) in
                [found.pair.first(), found.pair.second()].into_iter().zip(found.points)
            {
                let near = alone(&world, body).nearest(&point).unwrap().unwrap();
                let is_common = found.distance == 0.0 && near.distance < 1e-9 * scale;
                assert!(is_common || near.distance.abs() < 1e-9 * scale, "seed {seed}: {found:?}");
            }
        }
        assert!(overlapping > 3, "seed {seed}: {overlapping}");
    }
}

#[test]
fn answers_do_not_depend_on_the_order_of_insertion() {
    for (seed, scale) in (0..3).zip(SCALES) {
        let world = crowd(50 + seed, 60, scale);
        let bodies: Vec<u32> = world.bodies().collect();
        let mut reversed = World::new();
        for &body in bodies.iter().rev() {
            reversed.add(world.shape(body).unwrap().clone(), world.pose(body).unwrap()).unwrap();
        }
        let renamed = |body: u32| bodies[bodies.len() - 1 - body as usize];
        let mut random = SplitMix64::new(seed);
        for _ in 0..50 {
            let point = vector(&mut random, 4.0 * scale);
            let (here, there) = (world.nearest(&point).unwrap(), reversed.nearest(&point).unwrap());
            let there = there.map(|near| NearestBody { body: renamed(near.body), ..near });
            assert_eq!(here, there, "seed {seed}");
        }
        let mut pairs: Vec<BodyDistance> = reversed.pairs_within(scale).unwrap();
        for found in &mut pairs {
            let names = [found.pair.first(), found.pair.second()].map(renamed);
            // The order of insertion is reversed, so the first of a pair was the second.
            (found.pair, found.points) =
                (BodyPair::new(names[0], names[1]), [found.points[1], found.points[0]]);
        }
        pairs.sort_by_key(|found| found.pair);
        assert_eq!(world.pairs_within(scale).unwrap(), pairs, "seed {seed}");
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let world = crowd(60, 80, 1.0);
    let by = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| world.pairs_within(1.0).unwrap())
    };
    let one = by(1);
    assert!(one.len() > 20, "{}", one.len());
    assert!([2, 3, 7].into_iter().all(|threads| by(threads) == one));
}

#[test]
fn a_kept_history_changes_distances_by_rounding_alone() {
    let mut world = crowd(70, 60, 1.0);
    let mut random = SplitMix64::new(70);
    let mut history = PairHistory::new();
    for _ in 0..5 {
        let moved: Vec<_> = world
            .bodies()
            .map(|body| {
                let before = world.pose(body).unwrap();
                (body, Pose { position: before.position + vector(&mut random, 0.01), ..before })
            })
            .collect();
        world.set_poses(&moved).unwrap();
        let warm = world.pairs_within_from(2.0, &mut history).unwrap();
        let cold = world.pairs_within(2.0).unwrap();
        assert_eq!(warm.len(), cold.len());
        for (warm, cold) in warm.iter().zip(&cold) {
            assert_eq!(warm.pair, cold.pair);
            assert!((warm.distance - cold.distance).abs() < 1e-11, "{warm:?} {cold:?}");
        }
    }
}

#[test]
fn touching_bodies_are_at_distance_zero() {
    for scale in [2f64.powi(-20), 1.0, 2f64.powi(20)] {
        let octahedron = octahedron_sphere(0);
        let vertices = octahedron.vertices().iter().map(|vertex| vertex * scale).collect();
        let octahedron = TriangleMesh::new(vertices, octahedron.triangles().to_vec()).unwrap();
        let octahedron = BodyShape::mesh(&octahedron, FillRule::EvenOdd).unwrap();
        let at = |x: f64, y: f64| Pose::at([x * scale, y * scale, 0.0].into());
        let mut world = World::new();
        world.add(BodyShape::sphere(scale).unwrap(), at(0.0, 0.0)).unwrap();
        world.add(BodyShape::sphere(scale).unwrap(), at(2.0, 0.0)).unwrap();
        world.add(octahedron.clone(), at(4.0, 0.0)).unwrap();
        world.add(octahedron, at(6.0, 0.0)).unwrap();
        world.add(cube(scale), at(7.0, 0.0)).unwrap();
        world.add(cube(scale), at(8.0, 0.5)).unwrap();
        let pairs = world.pairs_within(0.0).unwrap();
        let chain: Vec<_> = (0..5).map(|body| BodyPair::new(body, body + 1)).collect();
        assert_eq!(pairs.iter().map(|found| found.pair).collect::<Vec<_>>(), chain, "{scale}");
        assert!(pairs.iter().all(|found| found.distance.abs() <= 1e-15 * scale), "{pairs:?}");
        let touching = Vector::from([5.0 * scale, 0.0, 0.0]);
        assert_eq!(world.containing(&touching).unwrap(), [2, 3]);
    }
}

#[test]
fn nested_bodies_overlap_and_a_hollow_is_outside() {
    let mesh = |is_hollow| BodyShape::mesh(&bumpy(8.0, is_hollow), FillRule::Nonzero).unwrap();
    let place = Pose::at([0.25, 0.5, 0.125].into());
    for (is_hollow, expected) in [(false, 0.0), (true, 1.0)] {
        for inner in [cube(1.0), BodyShape::mesh(&bumpy(1.0, false), FillRule::EvenOdd).unwrap()] {
            for is_first in [false, true] {
                let mut world = World::new();
                let mut bodies = [(mesh(is_hollow), Pose::identity()), (inner.clone(), place)];
                if is_first {
                    bodies.reverse();
                }
                for (shape, pose) in bodies {
                    world.add(shape, pose).unwrap();
                }
                let found = world.distance(0, 1).unwrap();
                assert_eq!(found.distance > 0.0, expected > 0.0, "{found:?}");
                assert_eq!(world.pairs_within(0.0).unwrap().len(), usize::from(!is_hollow));
            }
        }
    }
    let mut world = World::new();
    world.add(mesh(true), Pose::identity()).unwrap();
    world.add(BodyShape::sphere(1.0).unwrap(), place).unwrap();
    assert_eq!(world.containing(&place.position).unwrap(), [1]);
    let gap = world.distance(0, 1).unwrap().distance;
    assert!(gap > 1.0 && gap < 3.0, "{gap}");
}

#[test]
fn ties_go_to_the_smaller_number() {
    let mut world = World::new();
    for place in [2.0, -2.0, 2.0, -2.0] {
        world.add(BodyShape::sphere(1.0).unwrap(), Pose::at([place, 0.0, 0.0].into())).unwrap();
    }
    let numbers = |count| {
        let found = world.nearest_bodies(&Vector::zeros(), count).unwrap();
        found.iter().map(|near| near.body).collect::<Vec<_>>()
    };
    assert_eq!(numbers(1), [0]);
    assert_eq!(numbers(3), [0, 1, 2]);
    let hit = world.cast_ray(&Vector::zeros(), &-Vector::x(), 9.0).unwrap().unwrap();
    assert_eq!(hit.body, 1);
}

#[test]
fn an_empty_world_has_no_answers() {
    let mut world = World::new();
    for first in [0, 40] {
        assert!(world.is_empty() && world.bodies().next().is_none());
        let (point, bounds) =
            (Vector::zeros(), Aabb { low: Vector::zeros(), high: Vector::zeros() });
        assert_eq!(world.nearest(&point), Ok(None));
        assert_eq!(world.bodies_near(&point, f64::INFINITY), Ok(Vec::new()));
        assert_eq!(world.containing(&point), Ok(Vec::new()));
        assert_eq!(world.bodies_in(&bounds), Ok(Vec::new()));
        assert_eq!(world.cast_ray(&point, &Vector::x(), f64::INFINITY), Ok(None));
        assert_eq!(world.pairs_within(f64::INFINITY), Ok(Vec::new()));
        // And so has one whose bodies were removed.
        for body in first..first + 40 {
            assert_eq!(world.add(cube(1.0), Pose::identity()), Ok(body));
        }
        (first..first + 40).for_each(|body| world.remove(body).unwrap());
    }
}

#[test]
fn what_cannot_be_used_is_refused_in_one_sentence() {
    let mut world = World::new();
    let ball = BodyShape::sphere(1.0).unwrap();
    for position in [[f64::NAN, 0.0, 0.0], [0.0, f64::INFINITY, 0.0], [0.0, 0.0, -1e61]] {
        let refused = world.add(ball.clone(), Pose::at(position.into())).unwrap_err();
        assert!(matches!(refused, WorldError::Position { body: 0, .. }), "{refused}");
    }
    let mut scaled = Pose::identity();
    scaled.rotation[(0, 0)] = 1.1;
    let mut reflection = Pose::identity();
    reflection.rotation[(2, 2)] = -1.0;
    let mut no_number = Pose::identity();
    no_number.rotation[(1, 0)] = f64::NAN;
    for pose in [scaled, reflection, no_number] {
        let refused = world.add(ball.clone(), pose).unwrap_err();
        assert_eq!(refused, WorldError::NotARotation { body: 0 });
    }
    assert!(world.is_empty());
    let body = world.add(ball.clone(), Pose::identity()).unwrap();
    let other = world.add(ball, Pose::at([5.0, 0.0, 0.0].into())).unwrap();
    assert!(world.set_poses(&[(body, Pose::at([1.0, 0.0, 0.0].into())), (other, scaled)]).is_err());
    assert_eq!(world.pose(body).unwrap(), Pose::identity(), "nothing has moved");
    let (zero, bad) = (Vector::zeros(), Vector::from([0.0, f64::NAN, 0.0]));
    let refusals = [
        BodyShape::sphere(f64::NAN).err(),
        BodyShape::sphere(f64::INFINITY).err(),
        world.nearest(&bad).err(),
        world.containing(&bad).err(),
        world.bodies_near(&zero, -1.0).err(),
        world.bodies_near(&zero, f64::NAN).err(),
        world.cast_ray(&bad, &Vector::x(), 1.0).err(),
        world.cast_ray(&zero, &bad, 1.0).err(),
        world.cast_ray(&zero, &zero, 1.0).err(),
        world.cast_ray(&zero, &Vector::from([f64::INFINITY, 0.0, 0.0]), 1.0).err(),
        world.cast_ray(&zero, &Vector::x(), f64::NAN).err(),
        world.bodies_in(&Aabb { low: Vector::x(), high: zero }).err(),
        world.bodies_in(&Aabb { low: zero, high: bad }).err(),
        world.pairs_within(-1.0).err(),
        world.neighbors(9, 1.0).err(),
        world.distance(body, body).err(),
        world.distance(body, 9).err(),
        world.set_pose(9, Pose::identity()).err(),
        world.remove(9).err(),
    ];
    for refusal in refusals {
        let sentence = refusal.expect("it is refused").to_string();
        assert!(!sentence.contains('\n') && sentence.len() > 20, "{sentence}");
    }
    let sphere = octahedron_sphere(1);
    let open = TriangleMesh::new(sphere.vertices().to_vec(), sphere.triangles()[1..].to_vec());
    for rule in FillRule::ALL {
        let refused = BodyShape::mesh(open.as_ref().unwrap(), rule).unwrap_err().to_string();
        assert!(refused.contains("no inside"), "{refused}");
    }
    let square = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.]].map(Vector::from);
    let flat = ConvexPolyhedron::from_planar_polygon(&square).unwrap();
    assert_eq!(BodyShape::polyhedron(flat).unwrap_err(), WorldError::Flat);
}
