//! Many tumbling polyhedra in a periodic box: the whole algorithm of the paper, step after step.
//!
//! Every step the bodies move and turn, their boxes are found from the corners that touched them last, the
//! boxes are brought into order again, and of every pair whose boxes overlap the distance is found from the
//! features that were closest last.
//!
//! Bodies whose circumscribed spheres touch bounce off like smooth spheres, as granular particles hardly
//! penetrate each other; without that the depth of penetration would be measured, which the paper leaves
//! out.

use super::pair_table::round_polyhedron;
use crate::clock::Clock;
use crate::records::{Record, Records, record};
use carom::detect::BodyPair;
use carom::detect::broad::{BucketDivision, IncrementalSweepAndPrune};
use carom::detect::narrow::ClosestFeatures;
use carom::geometry::space_filling_curve::{CELLS_PER_AXIS, hilbert_index};
use carom::geometry::{Aabb, Boundary, Pose, Vector, shape::ConvexPolyhedron, unit_ball_volume};
use carom::scene::generate::{DEFAULT_SEED, SplitMix64, nonoverlapping_centers};
use std::time::Duration;

/// The part of the box that the circumscribed spheres take.
pub const SPHERE_FRACTION: f64 = 0.2;
/// Displacement of a body per step, in radii.
pub const DISPLACEMENT_PER_STEP: f64 = 0.005;
/// Rotation of a body per step, in degrees.
pub const ROTATION_PER_STEP: f64 = 0.5;

/// A crowd of equal bodies with corners on the unit sphere.
pub struct TumblingCrowd {
    shape: ConvexPolyhedron,
    boundary: Boundary<3>,
    bodies: Vec<TumblingBody>,
    bounds: Vec<Aabb<3>>,
    broad_phase: IncrementalSweepAndPrune<3>,
    /// Ascending.
    tracked: Vec<TrackedPair>,
    /// The list of the step before, whose room is used again.
    earlier: Vec<TrackedPair>,
}

struct TumblingBody {
    pose: Pose,
    velocity: Vector<3>,
    /// Turns the body by one step.
    rotation_step: Pose,
}

/// A pair whose boxes overlap, with what is known of its features.
#[derive(Clone, Copy)]
struct TrackedPair {
    pair: BodyPair,
    query: ClosestFeatures,
}

/// Total cost of steps.
#[derive(Clone, Copy, Debug, Default)]
pub struct StepCost {
    /// For the boxes and for which of them overlap.
    broad_phase: Duration,
    /// For the distances.
    narrow_phase: Duration,
    /// Pairs whose boxes overlap.
    pairs: usize,
    /// Iterations of all distances.
    iterations: u64,
    /// Number of exchanges of two endpoints in a list.
    exchanges: u64,
    /// Pairs of boxes that began or ceased to overlap.
    pair_changes: u64,
    /// The smallest distance found, if there was a pair.
    nearest: Option<f64>,
}

impl TumblingCrowd {
    /// This many bodies of this many faces, at random places where their circumscribed spheres do not
    /// touch, with random directions.
    pub fn new(faces: usize, count: usize, division: BucketDivision) -> Self {
        let shape = round_polyhedron(faces);
        let side = (count as f64 * unit_ball_volume(3) / SPHERE_FRACTION).cbrt();
        let boundary = Boundary::periodic([Some(side); 3]).expect("the side of a box is positive");
        let random = &mut SplitMix64::keyed(DEFAULT_SEED, &[count as u64]);
        let mut places: Vec<Vector<3>> = nonoverlapping_centers(side, 1.0, count, random)
            .expect("a fifth of a box is easy to fill");
        // Neighbors in space are to be neighbors in memory.
        places.sort_by_key(|place| {
            hilbert_index::<3>(
                (place * (f64::from(CELLS_PER_AXIS - 1) / side)).map(|part| part as u32).into(),
            )
        });
        let bodies = places.into_iter().map(|place| TumblingBody::new(place, random)).collect();
        TumblingCrowd {
            shape,
            broad_phase: IncrementalSweepAndPrune::new(boundary, division),
            boundary,
            bounds: vec![Aabb::empty(); count],
            bodies,
            tracked: Vec::new(),
            earlier: Vec::new(),
        }
    }

    /// Moves by this many steps and finds all distances in each.
    pub fn advance(&mut self, steps: usize) -> StepCost {
        let mut cost = StepCost::default();
        for _ in 0..steps {
            self.step(&mut cost);
        }
        cost
    }

    fn step(&mut self, cost: &mut StepCost) {
        for mover in &mut self.bodies {
            mover.pose.position = self.boundary.wrap(mover.pose.position + mover.velocity);
            mover.pose.rotation = mover.rotation_step.rotation * mover.pose.rotation;
        }
        let clock = Clock::start();
        self.run_broad_phase();
        cost.broad_phase += clock.elapsed();
        let clock = Clock::start();
        self.run_narrow_phase(cost);
        cost.narrow_phase += clock.elapsed();
        self.collide_elastically();
        let work = self.broad_phase.work();
        cost.exchanges += work.exchanges;
        cost.pair_changes += work.pair_changes;
    }

    fn run_broad_phase(&mut self) {
        for (bounds, mover) in self.bounds.iter_mut().zip(&self.bodies) {
            *bounds = self.shape.bounds(&mover.pose);
        }
        self.broad_phase.update(&self.bounds).expect("boxes of unit bodies fit into the period");
    }

    fn run_narrow_phase(&mut self, cost: &mut StepCost) {
        self.carry_over_queries();
        cost.pairs += self.tracked.len();
        for TrackedPair { pair, query } in &mut self.tracked {
            let [first, mut second] =
                [pair.first(), pair.second()].map(|number| self.bodies[number as usize].pose);
            let separation = self.boundary.minimum_image(first.position, second.position);
            second.position = first.position + separation;
            let closest = query.query(&self.shape, &first, &self.shape, &second);
            cost.iterations += u64::from(closest.iterations);
            let nearest =
                cost.nearest.map_or(closest.distance, |least| least.min(closest.distance));
            cost.nearest = Some(nearest);
        }
    }

    /// Takes what is known of pairs that remain; both lists ascend.
    fn carry_over_queries(&mut self) {
        std::mem::swap(&mut self.tracked, &mut self.earlier);
        self.tracked.clear();
        let mut earlier = self.earlier.iter().peekable();
        for &pair in self.broad_phase.pairs() {
            while earlier.next_if(|one| one.pair < pair).is_some() {}
            let known = earlier.next_if(|one| one.pair == pair);
            let query = known.map_or_else(ClosestFeatures::new, |one| one.query);
            self.tracked.push(TrackedPair { pair, query });
        }
    }

    /// Equal smooth spheres exchange their velocities along the line of centers.
    fn collide_elastically(&mut self) {
        for TrackedPair { pair, .. } in &self.tracked {
            let numbers = [pair.first() as usize, pair.second() as usize];
            let Ok([first, second]) = self.bodies.get_disjoint_mut(numbers) else { continue };
            let between = self.boundary.minimum_image(first.pose.position, second.pose.position);
            let approach = (second.velocity - first.velocity).dot(&between);
            if approach < 0.0 && between.norm_squared() < 4.0 {
                let exchanged = between * (approach / between.norm_squared());
                first.velocity += exchanged;
                second.velocity -= exchanged;
            }
        }
    }
}

impl TumblingBody {
    fn new(position: Vector<3>, random: &mut SplitMix64) -> Self {
        let mut direction = || Vector::<3>::from_fn(|_, _| random.normal()).normalize();
        let (axis, half) = (direction(), 0.5 * ROTATION_PER_STEP.to_radians());
        let along = axis * half.sin();
        let velocity = direction() * DISPLACEMENT_PER_STEP;
        let start = Vector::<4>::from_fn(|_, _| random.normal()).normalize();
        let turned = |position, quaternion| {
            Pose::new(position, quaternion).expect("a normalized quaternion is of length one")
        };
        TumblingBody {
            pose: turned(position, start.into()),
            velocity,
            rotation_step: turned(Vector::zeros(), [half.cos(), along.x, along.y, along.z]),
        }
    }
}

/// Steps before the clock counts: the first sorts everything and starts every query.
const WARM_UP: usize = 3;
const SERIES: usize = 5;

/// A step of this many bodies on average: counts of the first of a few series of steps, times of the fastest.
pub fn measure(faces: usize, count: usize, division: BucketDivision) -> Record {
    let mut crowd = TumblingCrowd::new(faces, count, division);
    crowd.advance(WARM_UP);
    let steps = (100_000 / count).clamp(5, 200);
    let series = [(); SERIES].map(|()| crowd.advance(steps));
    let [cost, ..] = series;
    let fastest = series.into_iter().min_by_key(|cost| cost.broad_phase + cost.narrow_phase);
    let StepCost { broad_phase, narrow_phase, .. } = fastest.unwrap_or(cost);
    let per_step = |number: f64| number / steps as f64;
    let milliseconds = |time: Duration| per_step(1e3 * time.as_secs_f64());
    let pairs = per_step(cost.pairs as f64);
    record! {
        "lists": match division {
            BucketDivision::One => "one list per axis",
            BucketDivision::ByDensity => "lists for parts",
        },
        "faces": faces, "bodies": count,
        "broad ms": milliseconds(broad_phase),
        "narrow ms": milliseconds(narrow_phase),
        "total ms": milliseconds(broad_phase + narrow_phase),
        "pairs": pairs, "iterations per pair": per_step(cost.iterations as f64) / pairs.max(1.0),
        "exchanges": per_step(cost.exchanges as f64),
        "pair changes": per_step(cost.pair_changes as f64), "smallest distance": cost.nearest,
    }
}

/// A step of the most bodies of each kind, and how it grows with their number.
pub fn growth(crowds: &Records) -> Records {
    let of_kind = |crowd: &Records| {
        let last = crowd.last()?;
        Some(last.clone().and(record! {
            "broad N^": crowd.power("bodies", "broad ms"),
            "narrow N^": crowd.power("bodies", "narrow ms"),
            "total N^": crowd.power("bodies", "total ms"),
            "exchanges N^": crowd.power("bodies", "exchanges"),
        }))
    };
    crowds.each("lists | faces").iter().filter_map(of_kind).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tracked_distances_are_those_of_all_pairs() {
        let mut crowd = TumblingCrowd::new(20, 60, BucketDivision::One);
        crowd.advance(50);
        let mut near = f64::INFINITY;
        for first in 0..60 {
            for second in first + 1..60 {
                let [one, mut other] = [first, second].map(|number| crowd.bodies[number].pose);
                let between = crowd.boundary.minimum_image(one.position, other.position);
                other.position = one.position + between;
                // Bodies may be nearer than any whose boxes overlap.
                let [a, b] = [one, other].map(|pose| crowd.shape.bounds(&pose));
                if (0..3).any(|axis| a.high[axis] < b.low[axis] || b.high[axis] < a.low[axis]) {
                    continue;
                }
                let mut query = ClosestFeatures::new();
                let closest = query.query(&crowd.shape, &one, &crowd.shape, &other);
                near = near.min(closest.distance);
            }
        }
        let mut cost = crowd.advance(0);
        crowd.run_narrow_phase(&mut cost);
        let found = cost.nearest.unwrap();
        assert!((found - near).abs() < 1e-12, "{found} {near}");
    }

    #[test]
    fn bodies_keep_their_energy_and_out_of_each_other() {
        let mut crowd = TumblingCrowd::new(100, 100, BucketDivision::ByDensity);
        let energy = |crowd: &TumblingCrowd| -> f64 {
            crowd.bodies.iter().map(|mover| mover.velocity.norm_squared()).sum()
        };
        let before = energy(&crowd);
        let nearest = crowd.advance(400).nearest.unwrap();
        assert!((energy(&crowd) / before - 1.0).abs() < 1e-9);
        assert!(nearest > -2.0 * DISPLACEMENT_PER_STEP, "{nearest}");
    }

    #[test]
    fn the_division_of_the_lists_does_not_change_what_is_found() {
        let counts = [BucketDivision::One, BucketDivision::ByDensity].map(|division| {
            let mut crowd = TumblingCrowd::new(4, 500, division);
            let costs = (0..20).map(|_| crowd.advance(1));
            costs.map(|cost| (cost.pairs, cost.iterations)).collect::<Vec<_>>()
        });
        assert_eq!(counts[0], counts[1]);
        assert!(counts[0].iter().all(|&(pairs, iterations)| iterations >= pairs as u64));
    }
}
