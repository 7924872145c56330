//! How far points are from a surface, and where two convex bodies touch.

use carom::detect::inside::{FillRule, Solid};
use carom::detect::narrow::{ClosestFeatures, ContactManifold};
use carom::geometry::{Pose, Vector, mesh::octahedron_sphere, shape::ConvexPolyhedron};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ball = Solid::new(octahedron_sphere(5), FillRule::EvenOdd, 1000);
    for (along, expected) in [(0.5, -0.5), (1.0, 0.0), (3.0, 2.0)] {
        let distance = ball.signed_distance(&Vector::from([0.0, along, 0.0]));
        println!("{distance:.4} from the surface");
        assert!((distance - expected).abs() < 1e-3);
    }

    // A cube that stands with a half of its face on another, one thousandth deep.
    let corner = |k: u32| [k & 1, k >> 1 & 1, k >> 2].map(f64::from).into();
    let cube = ConvexPolyhedron::hull(&(0..8).map(corner).collect::<Vec<_>>())?;
    let (low, high) = (Pose::identity(), Pose::at([0.5, 0.0, 0.999].into()));
    let closest = ClosestFeatures::new().query(&cube, &low, &cube, &high);
    let manifold = ContactManifold::between(&cube, &low, &cube, &high, &closest, 0.01);
    println!("{} points along {:?}", manifold.points().len(), manifold.normal.as_slice());
    assert_eq!(manifold.points().len(), 4);
    assert!((manifold.normal - Vector::z()).norm() < 1e-9);
    assert!(manifold.points().iter().all(|point| (point.distance + 0.001).abs() < 1e-9));
    Ok(())
}
