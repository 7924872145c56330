//! Workload: the bounding boxes of the spheres of test 3A, each moving in a direction of its own.

use crate::error::Error;
use carom::Sphere;
use carom::geometry::{Aabb, Vector};
use carom::scene::generate::{DEFAULT_SEED, PaperCase, paper_case_particles};

/// Spheres that fly straight on and turn round at the walls.
#[derive(Clone)]
pub struct Motion {
    spheres: Vec<Sphere<3>>,
    velocities: Vec<Vector<3>>,
    side: f64,
}

impl Motion {
    /// This many spheres that move by the given part of the mean radius per step, the same everywhere.
    pub fn new(count: usize, step: f64) -> Result<Self, Error> {
        let spheres: Vec<Sphere<3>> = paper_case_particles(PaperCase::ThreeA, count, DEFAULT_SEED)?;
        let mean_radius = spheres.iter().map(|sphere| sphere.radius).sum::<f64>() / count as f64;
        let side = spheres.iter().map(|sphere| sphere.center.max()).fold(0.0, f64::max);
        let mut numbers = Numbers(count as u64);
        let velocities = (0..count).map(|_| numbers.direction() * step * mean_radius);
        Ok(Motion { velocities: velocities.collect(), spheres, side })
    }

    /// Moves everything by one step.
    pub fn advance(&mut self) {
        for (sphere, velocity) in self.spheres.iter_mut().zip(&mut self.velocities) {
            sphere.center += *velocity;
            for axis in 0..3 {
                let outside = !(0.0..=self.side).contains(&sphere.center[axis]);
                let outward = (velocity[axis] > 0.0) == (sphere.center[axis] > 0.0);
                if outside && outward {
                    velocity[axis] = -velocity[axis];
                }
            }
        }
    }

    /// The boxes as they are now.
    pub fn boxes(&self) -> Vec<Aabb<3>> {
        let bounds = |sphere: &Sphere<3>| {
            let reach = Vector::repeat(sphere.radius);
            Aabb { low: sphere.center - reach, high: sphere.center + reach }
        };
        self.spheres.iter().map(bounds).collect()
    }
}

/// A generator that is the same everywhere (an LCG).
struct Numbers(u64);

impl Numbers {
    fn draw(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Returns a unit vector, uniformly distributed.
    fn direction(&mut self) -> Vector<3> {
        loop {
            let vector: Vector<3> = Vector::from_fn(|_, _| 2.0 * self.draw() - 1.0);
            let length = vector.norm();
            if (0.1..=1.0).contains(&length) {
                return vector / length;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spheres_stay_within_a_step_of_the_box() {
        let mut motion = Motion::new(200, 0.5).unwrap();
        let side = motion.side;
        (0..500).for_each(|_| motion.advance());
        let inside = |sphere: &Sphere<3>| {
            sphere.center.iter().all(|&place| (-0.05..side + 0.05).contains(&place))
        };
        assert!(motion.spheres.iter().all(inside));
    }
}
