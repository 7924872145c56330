//! Two bodies that rotate next to each other: the benchmark of closest-feature queries.

use super::SplitMix64;
use carom_geometry::{Pose, Vector, math, shape::ConvexPolyhedron};

/// The rotation of the bodies from one pose to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TumblingRotation {
    /// Both bodies rotate by this angle in radians, about axes that wander.
    ByAngle(f64),
    /// Both bodies take random orientations.
    Random,
}

/// An endless sequence of poses of two copies of a body. The first is at the origin, the second next to it along `x`,
/// at a position for which their extents along `x` are `gap` apart: a lower bound of their distance.
///
/// ```
/// use carom_scene::generate::{RoundBody, RoundKind, TumblingPair, TumblingRotation};
/// let body = RoundBody { kind: RoundKind::Even, faces: 8, seed: 1 }.make()?;
/// let poses = TumblingPair::new(&body, TumblingRotation::ByAngle(0.5f64.to_radians()), 0.1, 1);
/// assert!(poses.take(100).all(|[_, second]| (1.0..2.1 + 1e-9).contains(&second.position.x)));
/// # Ok::<(), carom_scene::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct TumblingPair<'a> {
    body: &'a ConvexPolyhedron,
    rotation: TumblingRotation,
    gap: f64,
    random: SplitMix64,
    /// Unit quaternions, real part first.
    orientations: [Quaternion; 2],
    step: u32,
}

type Quaternion = [f64; 4];

impl<'a> TumblingPair<'a> {
    /// Begins with two random orientations.
    pub fn new(
        body: &'a ConvexPolyhedron,
        rotation: TumblingRotation,
        gap: f64,
        seed: u64,
    ) -> Self {
        let mut random = SplitMix64::new(seed);
        let orientations = [0; 2].map(|_| random_rotation(&mut random));
        TumblingPair { body, rotation, gap, random, orientations, step: 0 }
    }

    fn rotate(&mut self) {
        self.step += 1;
        match self.rotation {
            TumblingRotation::Random => {
                self.orientations = [0; 2].map(|_| random_rotation(&mut self.random))
            }
            TumblingRotation::ByAngle(angle) => {
                let time = 0.01 * f64::from(self.step);
                // Frequencies without a common period, so that no pose comes again.
                let axes = [
                    [math::cos(time), math::sin(1.37 * time), 0.5 * math::cos(0.71 * time) + 0.1],
                    [math::sin(0.9 * time), 0.6, math::cos(1.13 * time)],
                ];
                for (turned, axis) in self.orientations.iter_mut().zip(axes) {
                    *turned = product(&from_axis_angle(axis, angle), turned);
                }
            }
        }
    }
}

impl Iterator for TumblingPair<'_> {
    type Item = [Pose; 2];

    fn next(&mut self) -> Option<[Pose; 2]> {
        let [first, mut second] = self.orientations.map(|turned| {
            Pose::new(Vector::zeros(), turned).expect("rotations are normalized after each step")
        });
        let right = along_x(self.body, &first).fold(f64::NEG_INFINITY, f64::max);
        let left = along_x(self.body, &second).fold(f64::INFINITY, f64::min);
        second.position.x = right - left + self.gap;
        self.rotate();
        Some([first, second])
    }
}

fn along_x(body: &ConvexPolyhedron, pose: &Pose) -> impl Iterator<Item = f64> {
    let x = pose.rotation.row(0).transpose();
    body.vertices().iter().map(move |vertex| x.dot(vertex))
}

/// Returns a uniformly distributed rotation.
pub(crate) fn random_rotation(random: &mut SplitMix64) -> Quaternion {
    // Normal numbers have no preferred direction: the quaternion is uniform among rotations.
    normalized([0; 4].map(|_| random.normal()))
}

fn from_axis_angle(axis: [f64; 3], angle: f64) -> Quaternion {
    let along = math::sin(0.5 * angle) / Vector::from(axis).norm();
    [math::cos(0.5 * angle), along * axis[0], along * axis[1], along * axis[2]]
}

/// Returns the rotation `q` followed by `p`.
fn product(p: &Quaternion, q: &Quaternion) -> Quaternion {
    normalized([
        p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
        p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
        p[0] * q[2] + p[2] * q[0] + p[3] * q[1] - p[1] * q[3],
        p[0] * q[3] + p[3] * q[0] + p[1] * q[2] - p[2] * q[1],
    ])
}

fn normalized(q: Quaternion) -> Quaternion {
    let length = q.iter().map(|part| part * part).sum::<f64>().sqrt();
    q.map(|part| part / length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{RoundBody, RoundKind};

    fn poses(rotation: TumblingRotation) -> Vec<[Pose; 2]> {
        let body = RoundBody { kind: RoundKind::Even, faces: 20, seed: 1 }.make().unwrap();
        TumblingPair::new(&body, rotation, 0.1, 7).take(2000).collect()
    }

    #[test]
    fn both_turn_by_the_angle_at_each_step() {
        for few in poses(TumblingRotation::ByAngle(0.2)).windows(2) {
            for body in 0..2 {
                let turn = few[1][body].rotation * few[0][body].rotation.transpose();
                assert!((turn.trace() - (1.0 + 2.0 * 0.2f64.cos())).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn random_rotation_has_no_direction() {
        let sum = |body: usize| {
            let rotations = poses(TumblingRotation::Random);
            rotations.iter().map(|poses| poses[body].rotation.trace()).sum::<f64>() / 2000.0
        };
        assert!(sum(0).abs() < 0.07 && sum(1).abs() < 0.07, "{} {}", sum(0), sum(1));
    }
}
