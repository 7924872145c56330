//! carom and parry, who answer in this process.

use super::proof::LARGEST_ERROR;
use crate::error::Error;
use crate::race::{Contender, Run};
use carom::detect::narrow::ClosestFeatures;
use carom::geometry::{Pose, shape::ConvexPolyhedron};
use carom_papers::clock::Clock;
use parry3d_f64::glamx::{DMat3, DPose3, DQuat};
use parry3d_f64::math::Vector;
use parry3d_f64::query::gjk::{GJKResult, VoronoiSimplex};
use parry3d_f64::query::{self, details};
use parry3d_f64::shape;
use std::time::Duration;

/// A peer of whose answers a larger part is wrong was asked something else.
const MOST_WRONG: f64 = 0.01;

/// Distances that were found, and the true ones.
pub struct Distances<'a> {
    /// The time of the processor for all of them.
    pub elapsed: Duration,
    /// The answers.
    pub found: &'a [f64],
    /// The true distances.
    pub truth: &'a [f64],
}

impl Distances<'_> {
    /// Returns the run, with answers that are wrong by more than rounding counted; an error if there
    /// are any of carom's, or very many of a peer's.
    pub fn run(&self, contender: &str) -> Result<Run, Error> {
        let (wrong, largest) = self.wrong();
        let all = self.truth.len();
        let allowed = if contender.starts_with("carom") { 0.0 } else { MOST_WRONG * all as f64 };
        if wrong as f64 > allowed {
            return Err(Error::WrongAnswers { contender: contender.into(), wrong, all, largest });
        }
        Ok(Run::new(self.elapsed)
            .compared("time per query", self.elapsed.as_secs_f64() * 1e9 / all as f64, "ns")
            .with("largest error", largest, "")
            .with("wrong answers", wrong as f64, "")
            .with("queries", all as f64, ""))
    }

    /// How many answers are wrong, and the largest error. All are wrong if there are not as many; what
    /// is no number differs infinitely.
    fn wrong(&self) -> (usize, f64) {
        if self.truth.len() != self.found.len() {
            return (self.truth.len(), f64::INFINITY);
        }
        let mut counted = (0, 0f64);
        for (expected, found) in self.truth.iter().zip(self.found) {
            let error = (expected - found).abs();
            let error = if error.is_nan() { f64::INFINITY } else { error };
            counted = (counted.0 + usize::from(error >= LARGEST_ERROR), counted.1.max(error));
        }
        counted
    }
}

/// What a contender knows of the question before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// What it chose to keep.
    Warm,
    /// Nothing.
    Cold,
}

/// carom, with or without the pair's last answer as a warm start.
pub struct Carom<'a> {
    body: &'a ConvexPolyhedron,
    /// Those that are timed, and more of which iterations are counted.
    poses: &'a [[Pose; 2]],
    /// The true distances of those that are timed.
    truth: &'a [f64],
    memory: Memory,
    iterations: Iterations,
}

/// Queries by the number of their iterations; the same on every machine.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Iterations {
    mean: f64,
    /// Queries of one, two, three, four, and more iterations.
    histogram: [usize; 5],
}

const HISTOGRAM: [&str; 5] = [
    "queries of 1 iteration",
    "queries of 2 iterations",
    "queries of 3 iterations",
    "queries of 4 iterations",
    "queries of more iterations",
];

impl<'a> Carom<'a> {
    /// Counts the iterations of all poses; only those with a true distance will be timed.
    pub fn new(
        body: &'a ConvexPolyhedron,
        poses: &'a [[Pose; 2]],
        truth: &'a [f64],
        memory: Memory,
    ) -> Self {
        let mut pair = ClosestFeatures::new();
        let mut counted = Iterations::default();
        for [pose_a, pose_b] in poses {
            if memory == Memory::Cold {
                pair.reset();
            }
            let iterations = pair.query(body, pose_a, body, pose_b).iterations as usize;
            counted.mean += iterations as f64 / poses.len() as f64;
            counted.histogram[iterations.clamp(1, 5) - 1] += 1;
        }
        Carom { body, poses, truth, memory, iterations: counted }
    }
}

impl Contender for Carom<'_> {
    fn name(&self) -> String {
        if self.memory == Memory::Warm { "carom".into() } else { "carom cold".into() }
    }

    fn run(&mut self) -> Result<Run, Error> {
        let mut found = Vec::with_capacity(self.truth.len());
        let mut pair = ClosestFeatures::new();
        let clock = Clock::start();
        for [pose_a, pose_b] in &self.poses[..self.truth.len()] {
            if self.memory == Memory::Cold {
                pair.reset();
            }
            found.push(pair.query(self.body, pose_a, self.body, pose_b).distance);
        }
        let elapsed = clock.elapsed();
        let run = Distances { elapsed, found: &found, truth: self.truth }.run(&self.name())?;
        let Iterations { mean, histogram } = self.iterations;
        let run = run.with("iterations per query", mean, "");
        let histogram = HISTOGRAM.into_iter().zip(histogram);
        Ok(histogram.fold(run, |run, (name, count)| run.with(name, count as f64, "")))
    }
}

/// parry3d-f64: `query::distance`, or its GJK started along the normal that it found last.
pub struct Parry<'a> {
    body: shape::ConvexPolyhedron,
    poses: Vec<[DPose3; 2]>,
    truth: &'a [f64],
    memory: Memory,
}

impl<'a> Parry<'a> {
    /// Takes the same body and the poses that are timed.
    pub fn new(
        body: &ConvexPolyhedron,
        poses: &[[Pose; 2]],
        truth: &'a [f64],
        memory: Memory,
    ) -> Result<Self, Error> {
        let body = parry_body(body)?;
        let poses = poses.iter().map(|pair| pair.map(|pose| parry_pose(&pose))).collect();
        Ok(Parry { body, poses, truth, memory })
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

impl Contender for Parry<'_> {
    fn name(&self) -> String {
        let warm = if self.memory == Memory::Warm { " warm" } else { "" };
        format!("parry3d-f64{warm}")
    }

    fn run(&mut self) -> Result<Run, Error> {
        let mut found = Vec::with_capacity(self.truth.len());
        let clock = Clock::start();
        match self.memory {
            Memory::Warm => self.warm(&mut found),
            Memory::Cold => self.cold(&mut found)?,
        }
        let elapsed = clock.elapsed();
        Distances { elapsed, found: &found, truth: self.truth }.run(&self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(truth: &[f64], found: &[f64], contender: &str) -> Result<Run, Error> {
        Distances { elapsed: Duration::from_secs(1), found, truth }.run(contender)
    }

    #[test]
    fn whoever_answers_otherwise_is_named() {
        for wrong in [1.0 + 1e-8, f64::NAN] {
            let error = run(&[1.0], &[wrong], "peer").unwrap_err().to_string();
            assert!(error.starts_with("peer gives 1 wrong answers of 1"), "{error}");
        }
        assert!(run(&[1.0], &[1.0 + 1e-12], "peer").is_ok());
    }

    #[test]
    fn a_wrong_answer_in_a_thousand_is_counted_but_not_of_carom() {
        let (truth, mut found) = (vec![1.0; 1000], vec![1.0; 1000]);
        found[7] = 1.5;
        let counted = run(&truth, &found, "peer").unwrap();
        assert_eq!(counted.number("wrong answers"), Some(1.0));
        assert_eq!(counted.number("largest error"), Some(0.5));
        assert!(run(&truth, &found, "carom cold").is_err());
        assert!(run(&truth, &found[1..], "peer").is_err());
    }
}
