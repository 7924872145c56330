//! carom and parry, who answer in this process.

use super::race::{Contender, Run};
use crate::error::Error;
use crate::results::Kind;
use carom::detect::narrow::ClosestFeatures;
use carom::geometry::{Pose, shape::ConvexPolyhedron};
use carom_papers::clock::Clock;
use parry3d_f64::glamx::{DMat3, DPose3, DQuat};
use parry3d_f64::math::Vector;
use parry3d_f64::query::gjk::{GJKResult, VoronoiSimplex};
use parry3d_f64::query::{self, details};
use parry3d_f64::shape;

/// carom, with or without the pair's last answer as a warm start.
pub struct Carom<'a> {
    /// The body and its copy.
    pub body: &'a ConvexPolyhedron,
    /// Where they are.
    pub poses: &'a [[Pose; 2]],
    /// Whether it may keep what it found.
    pub memory: Memory,
}

/// What a contender knows of the question before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// What it chose to keep.
    Kept,
    /// Nothing.
    None,
}

impl Contender for Carom<'_> {
    fn name(&self) -> &'static str {
        match self.memory {
            Memory::Kept => "carom",
            Memory::None => "carom cold",
        }
    }

    fn kind(&self) -> Kind {
        match self.memory {
            Memory::Kept => Kind::Own,
            Memory::None => Kind::OwnCold,
        }
    }

    fn run(&mut self, distances: &mut Vec<f64>) -> Result<Run, Error> {
        let mut pair = ClosestFeatures::new();
        let clock = Clock::start();
        for [pose_a, pose_b] in self.poses {
            if self.memory == Memory::None {
                pair.reset();
            }
            distances.push(pair.query(self.body, pose_a, self.body, pose_b).distance);
        }
        Ok(Run { elapsed: clock.elapsed() })
    }
}

/// parry3d-f64: `query::distance`, or its GJK started along the normal that it found last.
pub struct Parry {
    body: shape::ConvexPolyhedron,
    poses: Vec<[DPose3; 2]>,
    memory: Memory,
}

impl Parry {
    /// Takes the same body and poses.
    pub fn new(
        body: &ConvexPolyhedron,
        poses: &[[Pose; 2]],
        memory: Memory,
    ) -> Result<Self, Error> {
        let body = parry_body(body)?;
        let poses = poses.iter().map(|pair| pair.map(|pose| parry_pose(&pose))).collect();
        Ok(Parry { body, poses, memory })
    }

    fn cold(&self, distances: &mut Vec<f64>) -> Result<(), Error> {
        for [pose_a, pose_b] in &self.poses {
            let answer = query::distance(pose_a, &self.body, pose_b, &self.body);
            let answer = answer.map_err(|unsupported| failed(&unsupported.to_string()))?;
            distances.push(answer.distance);
        }
        Ok(())
    }

    fn warm(&self, distances: &mut Vec<f64>) {
        let (mut simplex, mut last) = (VoronoiSimplex::new(), None);
        for [pose_a, pose_b] in &self.poses {
            let relative = pose_a.inv_mul(pose_b);
            let found = details::contact_support_map_support_map_with_params(
                &relative,
                &self.body,
                &self.body,
                f64::MAX,
                &mut simplex,
                last,
            );
            distances.push(match found {
                GJKResult::ClosestPoints(on_a, on_b, normal) => {
                    last = Some(normal);
                    (on_b - on_a).dot(normal)
                }
                _ => f64::NAN,
            });
        }
    }
}

/// The body as parry takes it.
pub fn parry_body(body: &ConvexPolyhedron) -> Result<shape::ConvexPolyhedron, Error> {
    let points = body.vertices().iter().map(|&vertex| Vector::new(vertex.x, vertex.y, vertex.z));
    shape::ConvexPolyhedron::from_convex_mesh(points.collect(), &triangles(body))
        .ok_or_else(|| failed("it does not take the body"))
}

/// The faces as fans of triangles.
pub fn triangles(body: &ConvexPolyhedron) -> Vec<[u32; 3]> {
    let fan = |around: &[u32]| -> Vec<[u32; 3]> {
        around[1..].windows(2).map(|edge| [around[0], edge[0], edge[1]]).collect()
    };
    body.faces().flat_map(|face| fan(face.vertices)).collect()
}

/// The pose as parry takes it.
pub fn parry_pose(pose: &Pose) -> DPose3 {
    let column = |number: usize| {
        let column = pose.rotation.column(number);
        Vector::new(column[0], column[1], column[2])
    };
    let rotation = DMat3::from_cols(column(0), column(1), column(2));
    let Pose { position, .. } = pose;
    let position = Vector::new(position.x, position.y, position.z);
    DPose3::from_parts(position, DQuat::from_mat3(&rotation))
}

fn failed(problem: &str) -> Error {
    Error::Peer { name: "parry3d-f64", problem: problem.to_string() }
}

impl Contender for Parry {
    fn name(&self) -> &'static str {
        match self.memory {
            Memory::Kept => "parry3d-f64 warm",
            Memory::None => "parry3d-f64",
        }
    }

    fn kind(&self) -> Kind {
        Kind::Peer
    }

    fn run(&mut self, distances: &mut Vec<f64>) -> Result<Run, Error> {
        let clock = Clock::start();
        match self.memory {
            Memory::Kept => self.warm(distances),
            Memory::None => self.cold(distances)?,
        }
        Ok(Run { elapsed: clock.elapsed() })
    }
}
