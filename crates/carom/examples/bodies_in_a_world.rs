//! Asks a world of spheres, polyhedra and meshes what is near, what a ray meets and which bodies are close together.

use carom::detect::inside::FillRule;
use carom::geometry::mesh::octahedron_sphere;
use carom::geometry::{Pose, Vector, shape::ConvexPolyhedron};
use carom::{BodyPair, BodyShape, World};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let corner = |k: u32| [k & 1, k >> 1 & 1, k >> 2].map(f64::from).into();
    let cube = ConvexPolyhedron::hull(&(0..8).map(corner).collect::<Vec<_>>())?;
    let mut world = World::new();
    let at = |x: f64| Pose::at([x, 0.0, 0.0].into());
    let ball = world.add(BodyShape::sphere(1.0)?, at(0.0))?;
    let cube = world.add(BodyShape::polyhedron(cube)?, at(2.0))?;
    let mesh = world.add(BodyShape::mesh(&octahedron_sphere(3), FillRule::EvenOdd)?, at(9.0))?;

    let nearest = world.nearest(&Vector::from([4.0, 0.5, 0.5]))?.expect("there are bodies");
    assert_eq!((nearest.body, nearest.distance), (cube, 1.0));
    assert_eq!(world.containing(&Vector::from([9.0, 0.0, 0.5]))?, [mesh]);

    let origin = Vector::from([20.0, 0.0, 0.0]);
    let hit = world.cast_ray(&origin, &-Vector::x(), f64::INFINITY)?.expect("three bodies");
    assert_eq!((hit.body, hit.distance), (mesh, 10.0));

    // Bodies move; the tree of their boxes follows.
    world.set_pose(mesh, at(4.25))?;
    let pairs = world.pairs_within(0.5)?;
    let found: Vec<_> = pairs.iter().map(|found| (found.pair, found.distance)).collect();
    println!("{found:?}");
    assert_eq!(found, [(BodyPair::new(cube, mesh), 0.25)]);
    assert_eq!(world.distance(ball, cube)?.distance, 1.0);
    Ok(())
}
