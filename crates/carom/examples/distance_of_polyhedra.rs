//! Finds how far two cubes are apart, or how deep they penetrate each other.

use carom::geometry::{Pose, shape::ConvexPolyhedron};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let corner = |k: u32| [k & 1, k >> 1 & 1, k >> 2].map(f64::from).into();
    let cube = ConvexPolyhedron::hull(&(0..8).map(corner).collect::<Vec<_>>())?;
    for (along, expected) in [(1.5, 0.5), (0.75, -0.25)] {
        let pose = Pose::at([along, 0.0, 0.0].into());
        let closest = carom::distance(&cube, &Pose::identity(), &cube, &pose);
        println!("{} along {:?}", closest.distance, closest.normal.as_slice());
        assert_eq!(closest.distance, expected);
    }
    Ok(())
}
