//! Bodies face to face, from a little apart to a little inside each other: who computes the distance right.
//!
//! A box, a plate, a needle and a prism over a polygon of a hundred corners, each above a copy of itself
//! by its height and the gap, so that the gap is the distance. Half of the copies are turned about the
//! common axis; the others have exactly parallel edges. Then both are moved and rotated at random.

use super::contender::{parry_body, parry_pose};
use super::proof::LARGEST_ERROR;
use crate::error::Error;
use crate::race::{Contender, Contenders, Run};
use carom::detect::narrow::ClosestFeatures;
use carom::geometry::{Pose, Vector, shape::ConvexPolyhedron};
use carom::scene::generate::{DEFAULT_SEED, SplitMix64};
use parry3d_f64::query;
use std::f64::consts::TAU;

/// Apart if greater than zero, else how deep.
const GAPS: [f64; 8] = [0.1, 1e-3, 1e-6, 1e-9, 1e-12, -1e-9, -1e-6, -1e-3];

/// A body with two flat ends, one above the other along `z`.
#[derive(Clone, Copy, Debug)]
struct Block {
    name: &'static str,
    height: f64,
    /// Largest sideways shift of the copy.
    shift: f64,
    base: Base,
}

#[derive(Clone, Copy, Debug)]
enum Base {
    Rectangle(f64, f64),
    Polygon { corners: u32, radius: f64 },
}

const BLOCKS: [Block; 4] = [
    Block { name: "cube", height: 1.0, shift: 0.4, base: Base::Rectangle(1.0, 1.0) },
    Block { name: "plate", height: 1e-4, shift: 0.4, base: Base::Rectangle(1.0, 1.0) },
    Block { name: "needle", height: 1e-3, shift: 0.0, base: Base::Rectangle(1.0, 1e-3) },
    Block {
        name: "prism",
        height: 1.0,
        shift: 0.3,
        base: Base::Polygon { corners: 100, radius: 0.5 },
    },
];

impl Block {
    fn body(&self) -> Result<ConvexPolyhedron, Error> {
        let base: Vec<[f64; 2]> = match self.base {
            Base::Rectangle(x, y) => [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]
                .map(|corner| [corner[0] * x, corner[1] * y])
                .to_vec(),
            Base::Polygon { corners, radius } => (0..corners)
                .map(|corner| TAU * f64::from(corner) / f64::from(corners))
                .map(|angle| [radius * angle.cos(), radius * angle.sin()])
                .collect(),
        };
        let ends = [-0.5 * self.height, 0.5 * self.height];
        let corners: Vec<Vector<3>> = ends
            .into_iter()
            .flat_map(|z| base.iter().map(move |&[x, y]| Vector::from([x, y, z])))
            .collect();
        Ok(ConvexPolyhedron::hull(&corners)?)
    }

    /// Largest depth in its copy at which the ends are still the closest faces.
    fn takes(&self, gap: f64) -> bool {
        gap > 0.0 || -gap < 0.5 * self.height
    }

    fn poses(&self, gap: f64, count: usize) -> Vec<[Pose; 2]> {
        let keys = [self.height.to_bits(), gap.to_bits()];
        let random = &mut SplitMix64::keyed(DEFAULT_SEED, &keys);
        (0..count).map(|number| self.pose(gap, number % 2 == 1, random)).collect()
    }

    fn pose(&self, gap: f64, askew: bool, random: &mut SplitMix64) -> [Pose; 2] {
        let symmetric = |random: &mut SplitMix64, most: f64| most * (2.0 * random.uniform() - 1.0);
        let quaternion = Vector::<4>::from_fn(|_, _| random.normal()).normalize();
        let position = Vector::from_fn(|_, _| symmetric(random, 1.0));
        let first = turned(position, quaternion.into());
        let mut shift = Vector::from([symmetric(random, self.shift), 0.0, self.height + gap]);
        let half = if askew {
            shift.y = symmetric(random, self.shift);
            0.5 * TAU * random.uniform()
        } else {
            0.0
        };
        let second = turned(shift, [half.cos(), 0.0, 0.0, half.sin()]);
        let rotation = first.rotation * second.rotation;
        [first, Pose { rotation, position: first.transform_point(&second.position) }]
    }
}

fn turned(position: Vector<3>, quaternion: [f64; 4]) -> Pose {
    Pose::new(position, quaternion).expect("a normalized quaternion is of length one")
}

/// Computes the distances of a body and its copy, which are the gap, all without memory.
type Distances = fn(&ConvexPolyhedron, &[[Pose; 2]], f64) -> Result<Vec<f64>, Error>;

/// Returns the cases by name, each with carom and parry, who get this many questions per body and gap.
pub fn cases(questions: usize) -> Result<Vec<(String, Contenders<'static>)>, Error> {
    let mut cases = Vec::new();
    for block in BLOCKS {
        let body = block.body()?;
        for gap in GAPS.into_iter().filter(|&gap| block.takes(gap)) {
            let poses = block.poses(gap, questions);
            let contender = |name: &str, distances: Distances| {
                let (body, poses) = (body.clone(), poses.clone());
                Contender::new(name, move || Ok(counted(gap, &distances(&body, &poses, gap)?)))
            };
            let contenders = vec![contender("carom", carom), contender("parry3d-f64", parry)];
            cases.push((format!("{} {gap:e}", block.name), contenders));
        }
    }
    Ok(cases)
}

/// Counts answers that are wrong by more than rounding or no numbers, and those that call apart what is
/// not or the other way round.
fn counted(gap: f64, answers: &[f64]) -> Run {
    let error = |&answer: &f64| match answer.is_finite() {
        true => (answer - gap).abs(),
        false => f64::INFINITY,
    };
    let wrong = answers.iter().filter(|answer| error(answer) > LARGEST_ERROR).count();
    let wrong_signs = answers.iter().filter(|&&answer| (answer > 0.0) != (gap > 0.0)).count();
    Run::default()
        .with("queries", answers.len() as f64, "")
        .with("wrong answers", wrong as f64, "")
        .with("wrong signs", wrong_signs as f64, "")
        .with("largest error", answers.iter().map(error).fold(0.0, f64::max), "")
}

fn carom(body: &ConvexPolyhedron, poses: &[[Pose; 2]], _: f64) -> Result<Vec<f64>, Error> {
    let distance = |[a, b]: &[Pose; 2]| ClosestFeatures::new().query(body, a, body, b).distance;
    Ok(poses.iter().map(distance).collect())
}

/// Its distance where the bodies are apart, its depth of contact where they are not.
fn parry(body: &ConvexPolyhedron, poses: &[[Pose; 2]], gap: f64) -> Result<Vec<f64>, Error> {
    let body = parry_body(body)?;
    let answer = |pair: &[Pose; 2]| {
        let [a, b] = pair.map(|pose| parry_pose(&pose));
        let answer = if gap > 0.0 {
            query::distance(&a, &body, &b, &body).ok().map(|answer| answer.distance)
        } else {
            let contact = query::contact(&a, &body, &b, &body, 0.0).ok().flatten();
            contact.map(|contact| contact.dist)
        };
        answer.unwrap_or(f64::NAN)
    };
    Ok(poses.iter().map(answer).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_corner_of_the_copy_is_above_the_first_by_the_gap() {
        for block in BLOCKS {
            let body = block.body().unwrap();
            for [first, second] in block.poses(1e-3, 20) {
                let height = |corner: &Vector<3>| {
                    first.inverse_transform_point(&second.transform_point(corner)).z
                };
                let lowest = body.vertices().iter().map(height).fold(f64::INFINITY, f64::min);
                assert!((lowest - 0.5 * block.height - 1e-3).abs() < 1e-14, "{block:?}");
            }
        }
    }

    #[test]
    fn thin_bodies_are_not_pushed_through_each_other() {
        let combinations = BLOCKS.map(|block| GAPS.iter().filter(|&&gap| block.takes(gap)).count());
        assert_eq!(combinations, [8, 7, 7, 8]);
    }

    #[test]
    fn what_is_no_number_is_wrong() {
        let run = counted(1e-6, &[1e-6, 0.0, f64::NAN, 1e-6 + 1e-12]);
        let number = |name| run.number(name).unwrap();
        assert_eq!(["queries", "wrong answers", "wrong signs"].map(number), [4.0, 2.0, 2.0]);
        assert_eq!(number("largest error"), f64::INFINITY);
    }
}
