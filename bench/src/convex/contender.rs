//! carom and parry, who answer in this process.

use super::proof::LARGEST_ERROR;
use crate::error::Error;
use crate::race::{Contender, Run};
use carom::detect::narrow::ClosestFeatures;
use carom::geometry::{Pose, Vector, shape::ConvexPolyhedron};
use carom_papers::clock::Clock;
use parry3d_f64::glamx::{DMat3, DPose3, DQuat};
use parry3d_f64::math::Vector as ParryVector;
use parry3d_f64::query::gjk::{GJKResult, VoronoiSimplex};
use parry3d_f64::query::{self, details};
use parry3d_f64::shape;
use std::time::Duration;

/// A peer of whose answers a larger part is wrong was asked something else.
const MOST_WRONG: f64 = 0.01;

/// Returns the run of a contender that found these distances, with answers that are wrong by more than rounding
/// counted; an error if there are any of carom's, or very many of a peer's.
///
/// All are wrong if there are not as many as true ones; what is no number differs infinitely.
pub fn answered(
    contender: &str,
    elapsed: Duration,
    found: &[f64],
    truth: &[f64],
) -> Result<Run, Error> {
    let all = truth.len();
    let error = |(expected, found): (&f64, &f64)| match (expected - found).abs() {
        error if error.is_nan() => f64::INFINITY,
        error => error,
    };
    let errors = || truth.iter().zip(found).map(error);
    let (wrong, largest) = match found.len() == all {
        true => {
            let wrong = errors().filter(|&error| error >= LARGEST_ERROR).count();
            (wrong, errors().fold(0.0, f64::max))
        }
        false => (all, f64::INFINITY),
    };
    let allowed = if contender.starts_with("carom") { 0.0 } else { MOST_WRONG * all as f64 };
    if wrong as f64 > allowed {
        return Err(Error::WrongAnswers { contender: contender.into(), wrong, all, largest });
    }
    Ok(Run::new(elapsed)
        .compared("time per query", elapsed.as_secs_f64() * 1e9 / all as f64, "ns")
        .with("largest error", largest, "")
        .with("wrong answers", wrong as f64, "")
        .with("queries", all as f64, ""))
}

/// State that a contender keeps from one query to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueryStart {
    /// A state of the contender's own.
    Warm,
    /// Nothing.
    Cold,
}

/// Queries of one, two, three, four, and more iterations.
const HISTOGRAM: [&str; 5] = [
    "queries of 1 iteration",
    "queries of 2 iterations",
    "queries of 3 iterations",
    "queries of 4 iterations",
    "queries of more iterations",
];

/// carom, with or without the pair's last answer as a warm start.
///
/// The iterations of all poses are counted, which are the same on every machine; only those with a true distance
/// are timed.
pub fn carom<'a>(
    body: &'a ConvexPolyhedron,
    poses: &'a [[Pose; 2]],
    truth: &'a [f64],
    memory: QueryStart,
) -> Contender<'a> {
    let ask = move |pair: &mut ClosestFeatures, [pose_a, pose_b]: &[Pose; 2]| {
        if memory == QueryStart::Cold {
            pair.reset();
        }
        pair.query(body, pose_a, body, pose_b)
    };
    let (mut pair, mut sum, mut histogram) = (ClosestFeatures::new(), 0, [0; 5]);
    for pose in poses {
        let iterations = ask(&mut pair, pose).iterations as usize;
        sum += iterations;
        histogram[iterations.clamp(1, 5) - 1] += 1;
    }
    let mean = sum as f64 / poses.len() as f64;
    let name = if memory == QueryStart::Warm { "carom" } else { "carom cold" };
    Contender::new(name, move || {
        let mut found = Vec::with_capacity(truth.len());
        let mut pair = ClosestFeatures::new();
        let clock = Clock::start();
        found.extend(poses[..truth.len()].iter().map(|pose| ask(&mut pair, pose).distance));
        let run = answered(name, clock.elapsed(), &found, truth)?;
        let run = run.with("iterations per query", mean, "");
        let counts = HISTOGRAM.into_iter().zip(histogram);
        Ok(counts.fold(run, |run, (name, count)| run.with(name, f64::from(count), "")))
    })
}

/// parry3d-f64: `query::distance`, or its GJK started along the normal that it found last.
pub fn parry<'a>(
    body: &ConvexPolyhedron,
    poses: &[[Pose; 2]],
    truth: &'a [f64],
    memory: QueryStart,
) -> Result<Contender<'a>, Error> {
    let body = parry_body(body)?;
    let poses: Vec<[DPose3; 2]> =
        poses.iter().map(|pair| pair.each_ref().map(parry_pose)).collect();
    let name = if memory == QueryStart::Warm { "parry3d-f64 warm" } else { "parry3d-f64" };
    Ok(Contender::new(name, move || {
        let mut found = Vec::with_capacity(truth.len());
        let (mut simplex, mut last) = (VoronoiSimplex::new(), None);
        let clock = Clock::start();
        for [pose_a, pose_b] in &poses {
            found.push(match memory {
                QueryStart::Warm => {
                    let relative = pose_a.inv_mul(pose_b);
                    match details::contact_support_map_support_map_with_params(
                        &relative,
                        &body,
                        &body,
                        f64::MAX,
                        &mut simplex,
                        last,
                    ) {
                        GJKResult::ClosestPoints(on_a, on_b, normal) => {
                            last = Some(normal);
                            (on_b - on_a).dot(normal)
                        }
                        _ => f64::NAN,
                    }
                }
                QueryStart::Cold => {
                    query::distance(pose_a, &body, pose_b, &body)
                        .map_err(|unsupported| failed(&unsupported.to_string()))?
                        .distance
                }
            });
        }
        answered(name, clock.elapsed(), &found, truth)
    }))
}

/// A point as parry takes it.
pub fn in_parry(point: &Vector<3>) -> ParryVector {
    ParryVector::new(point.x, point.y, point.z)
}

/// The body as parry takes it.
pub fn parry_body(body: &ConvexPolyhedron) -> Result<shape::ConvexPolyhedron, Error> {
    let points = body.vertices().iter().map(in_parry).collect();
    shape::ConvexPolyhedron::from_convex_mesh(points, &triangles(body))
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
    let column = |number: usize| in_parry(&pose.rotation.column(number).into());
    let rotation = DMat3::from_cols(column(0), column(1), column(2));
    DPose3::from_parts(in_parry(&pose.position), DQuat::from_mat3(&rotation))
}

fn failed(problem: &str) -> Error {
    Error::Peer { name: "parry3d-f64", problem: problem.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(truth: &[f64], found: &[f64], contender: &str) -> Result<Run, Error> {
        answered(contender, Duration::from_secs(1), found, truth)
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
