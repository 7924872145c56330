//! Random and regular points for tests.

use crate::Vector;
use crate::random::SplitMix64;
use nalgebra::Rotation3;

/// Random points and rotations.
pub struct GeometrySampleRandom(SplitMix64);

impl GeometrySampleRandom {
    pub fn new(seed: u64) -> Self {
        GeometrySampleRandom(SplitMix64::new(seed))
    }

    pub fn next(&mut self) -> u64 {
        self.0.bits()
    }

    pub fn centered(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub fn in_cube(&mut self) -> Vector<3> {
        Vector::from_fn(|_, _| self.centered())
    }

    pub fn in_ball(&mut self) -> Vector<3> {
        loop {
            let point = self.in_cube();
            if point.norm_squared() <= 1.0 {
                return point;
            }
        }
    }

    pub fn on_sphere(&mut self) -> Vector<3> {
        self.in_ball().normalize()
    }

    pub fn rotation(&mut self) -> Rotation3<f64> {
        Rotation3::new(self.in_ball() * 3.0)
    }
}

/// Returns the points of a cubic lattice, `count` along each edge.
pub fn lattice(count: usize, spacing: f64) -> Vec<Vector<3>> {
    let place = |i: usize| {
        Vector::from([i % count, i / count % count, i / count / count].map(|k| k as f64 * spacing))
    };
    (0..count.pow(3)).map(place).collect()
}

/// Returns the corners of a prism of height one over a regular polygon.
pub fn prism(corners: usize) -> Vec<Vector<3>> {
    let angle = |k: usize| std::f64::consts::TAU * k as f64 / corners as f64;
    let corner = |k: usize, z: f64| Vector::from([angle(k).cos(), angle(k).sin(), z]);
    (0..2 * corners).map(|k| corner(k / 2, (k % 2) as f64)).collect()
}
