//! Two bodies that turn beside each other: what queries of closest features are measured on.

use super::SplitMix64;
use carom_geometry::{Pose, Vector, math, shape::ConvexPolyhedron};

/// How the bodies turn from one pose to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Turning {
    /// Both by this angle in radians, about axes that wander.
    By(f64),
    /// Both anyhow.
    Anyhow,
}

/// An endless series of poses of two copies of a body. The first is at the origin, the second beside it
/// along `x`, so far that their extents along `x` are the gap apart: a bound of their distance from
/// below.
///
/// ```
/// use carom_scene::generate::{RoundBody, RoundKind, TumblingPair, Turning};
/// let body = RoundBody { kind: RoundKind::Even, faces: 8, seed: 1 }.make()?;
/// let poses = TumblingPair::new(&body, Turning::By(0.5f64.to_radians()), 0.1, 1);
/// assert!(poses.take(100).all(|[_, second]| (1.0..2.1 + 1e-9).contains(&second.position.x)));
/// # Ok::<(), carom_scene::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct TumblingPair<'a> {
    body: &'a ConvexPolyhedron,
    turning: Turning,
    gap: f64,
    random: SplitMix64,
    /// Real part first, of length one.
    turned: [Quaternion; 2],
    step: u32,
}

type Quaternion = [f64; 4];

impl<'a> TumblingPair<'a> {
    /// Begins with two random rotations.
    pub fn new(body: &'a ConvexPolyhedron, turning: Turning, gap: f64, seed: u64) -> Self {
        let mut random = SplitMix64::new(seed);
        let turned = [0; 2].map(|_| any_rotation(&mut random));
        TumblingPair { body, turning, gap, random, turned, step: 0 }
    }

    fn turn(&mut self) {
        self.step += 1;
        match self.turning {
            Turning::Anyhow => self.turned = [0; 2].map(|_| any_rotation(&mut self.random)),
            Turning::By(angle) => {
                let time = 0.01 * f64::from(self.step);
                let axes = [
                    [math::cos(time), math::sin(1.37 * time), 0.5 * math::cos(0.71 * time) + 0.1],
                    [math::sin(0.9 * time), 0.6, math::cos(1.13 * time)],
                ];
                for (turned, axis) in self.turned.iter_mut().zip(axes) {
                    *turned = product(&about(axis, angle), turned);
                }
            }
        }
    }
}

impl Iterator for TumblingPair<'_> {
    type Item = [Pose; 2];

    fn next(&mut self) -> Option<[Pose; 2]> {
        let [first, mut second] = self.turned.map(|turned| {
            Pose::new(Vector::zeros(), turned).expect("rotations are normalised after each step")
        });
        let right = along_x(self.body, &first).fold(f64::NEG_INFINITY, f64::max);
        let left = along_x(self.body, &second).fold(f64::INFINITY, f64::min);
        second.position.x = right - left + self.gap;
        self.turn();
        Some([first, second])
    }
}

fn along_x(body: &ConvexPolyhedron, pose: &Pose) -> impl Iterator<Item = f64> {
    let x = pose.rotation.row(0).transpose();
    body.vertices().iter().map(move |vertex| x.dot(vertex))
}

/// Every rotation is equally likely.
pub(crate) fn any_rotation(random: &mut SplitMix64) -> Quaternion {
    normalised([0; 4].map(|_| random.normal()))
}

fn about(axis: [f64; 3], angle: f64) -> Quaternion {
    let along = math::sin(0.5 * angle) / Vector::from(axis).norm();
    [math::cos(0.5 * angle), along * axis[0], along * axis[1], along * axis[2]]
}

/// The second rotation, followed by the first.
fn product(p: &Quaternion, q: &Quaternion) -> Quaternion {
    normalised([
        p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
        p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
        p[0] * q[2] + p[2] * q[0] + p[3] * q[1] - p[1] * q[3],
        p[0] * q[3] + p[3] * q[0] + p[1] * q[2] - p[2] * q[1],
    ])
}

fn normalised(q: Quaternion) -> Quaternion {
    let length = q.iter().map(|part| part * part).sum::<f64>().sqrt();
    q.map(|part| part / length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{RoundBody, RoundKind};

    fn poses(turning: Turning) -> Vec<[Pose; 2]> {
        let body = RoundBody { kind: RoundKind::Even, faces: 20, seed: 1 }.make().unwrap();
        TumblingPair::new(&body, turning, 0.1, 7).take(2000).collect()
    }

    #[test]
    fn both_turn_by_the_angle_at_each_step() {
        for few in poses(Turning::By(0.2)).windows(2) {
            for body in 0..2 {
                let turn = few[1][body].rotation * few[0][body].rotation.transpose();
                assert!((turn.trace() - (1.0 + 2.0 * 0.2f64.cos())).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn any_rotation_has_no_direction() {
        let sum = |body: usize| {
            let rotations = poses(Turning::Anyhow);
            rotations.iter().map(|poses| poses[body].rotation.trace()).sum::<f64>() / 2000.0
        };
        assert!(sum(0).abs() < 0.07 && sum(1).abs() < 0.07, "{} {}", sum(0), sum(1));
    }
}
