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
use crate::fit;
use carom::detect::BodyPair;
use carom::detect::broad::{BucketDivision, IncrementalSweepAndPrune};
use carom::detect::narrow::ClosestFeatures;
use carom::geometry::space_filling_curve::{CELLS_PER_AXIS, hilbert_index};
use carom::geometry::{Aabb, Boundary, Pose, Vector, shape::ConvexPolyhedron, unit_ball_volume};
use carom::scene::generate::{DEFAULT_SEED, SplitMix64, nonoverlapping_centers};
use std::time::Duration;

/// The part of the box that the circumscribed spheres take.
pub const SPHERE_FRACTION: f64 = 0.2;
/// How far a body moves per step, in radii.
pub const DISPLACEMENT_PER_STEP: f64 = 0.005;
/// How far a body turns per step, in degrees.
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

/// What a step, or several on average, cost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepCost {
    /// Seconds for the boxes and for which of them overlap.
    pub broad_phase_seconds: f64,
    /// Seconds for the distances.
    pub narrow_phase_seconds: f64,
    /// Pairs whose boxes overlap.
    pub pairs: f64,
    /// Iterations of all distances.
    pub iterations: f64,
    /// How often two ends of boxes changed places in a list.
    pub exchanges: f64,
    /// Pairs of boxes that began or ceased to overlap.
    pub pair_changes: f64,
    /// The smallest distance found; infinite if there was no pair.
    pub nearest: f64,
}

impl StepCost {
    /// Seconds in all.
    pub fn seconds(&self) -> f64 {
        self.broad_phase_seconds + self.narrow_phase_seconds
    }
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

    /// Moves by one step and finds all distances.
    pub fn step(&mut self) -> StepCost {
        for mover in &mut self.bodies {
            mover.pose.position = self.boundary.wrap(mover.pose.position + mover.velocity);
            mover.pose.rotation = mover.rotation_step.rotation * mover.pose.rotation;
        }
        let (broad, ()) = timed(|| self.run_broad_phase());
        let (narrow, mut cost) = timed(|| self.run_narrow_phase());
        self.collide_elastically();
        let work = self.broad_phase.work();
        cost.broad_phase_seconds = broad.as_secs_f64();
        cost.narrow_phase_seconds = narrow.as_secs_f64();
        cost.exchanges = work.exchanges as f64;
        cost.pair_changes = work.pair_changes as f64;
        cost
    }

    fn run_broad_phase(&mut self) {
        for (bounds, mover) in self.bounds.iter_mut().zip(&self.bodies) {
            *bounds = self.shape.bounds(&mover.pose);
        }
        self.broad_phase.update(&self.bounds).expect("boxes of unit bodies fit into the period");
    }

    fn run_narrow_phase(&mut self) -> StepCost {
        self.carry_over_queries();
        let mut cost = StepCost {
            pairs: self.tracked.len() as f64,
            nearest: f64::INFINITY,
            ..StepCost::default()
        };
        for TrackedPair { pair, query } in &mut self.tracked {
            let [first, mut second] =
                [pair.first(), pair.second()].map(|number| self.bodies[number as usize].pose);
            let separation = self.boundary.minimum_image(first.position, second.position);
            second.position = first.position + separation;
            let closest = query.query(&self.shape, &first, &self.shape, &second);
            cost.iterations += f64::from(closest.iterations);
            cost.nearest = cost.nearest.min(closest.distance);
        }
        cost
    }

    /// Takes what is known of pairs that go on; both lists ascend.
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

fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let clock = Clock::start();
    let result = work();
    (clock.elapsed(), result)
}

/// A crowd of bodies of one kind, for several numbers of them.
#[derive(Clone, Debug, PartialEq)]
pub struct CrowdCurve {
    /// How many faces a body has.
    pub faces: usize,
    /// How the ends of the boxes are divided into lists.
    pub division: BucketDivision,
    /// From few bodies to many.
    pub points: Vec<CrowdPoint>,
}

/// This many bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrowdPoint {
    /// How many.
    pub count: usize,
    /// A step on average, in the fastest of a few series of steps.
    pub cost: StepCost,
}

impl CrowdCurve {
    /// The power of the number of bodies with which a figure grows.
    pub fn exponent(&self, figure: impl Fn(&StepCost) -> f64) -> Option<f64> {
        fit::upper_exponent(&self.points_of(figure))
    }

    /// Number of bodies and figure.
    pub fn points_of(&self, figure: impl Fn(&StepCost) -> f64) -> Vec<(f64, f64)> {
        self.points.iter().map(|point| (point.count as f64, figure(&point.cost))).collect()
    }
}

/// Steps before the clock counts: the first sorts everything and starts every query.
const WARM_UP: usize = 3;
const SERIES: usize = 5;

/// A step of this many bodies on average.
pub fn measure(faces: usize, count: usize, division: BucketDivision) -> CrowdPoint {
    let mut crowd = TumblingCrowd::new(faces, count, division);
    for _ in 0..WARM_UP {
        crowd.step();
    }
    let steps = (100_000 / count).clamp(5, 200);
    let series = (0..SERIES).map(|_| mean(&mut crowd, steps));
    let fastest = series.min_by(|a, b| a.seconds().total_cmp(&b.seconds()));
    CrowdPoint { count, cost: fastest.unwrap_or_default() }
}

fn mean(crowd: &mut TumblingCrowd, steps: usize) -> StepCost {
    let mut sum = StepCost { nearest: f64::INFINITY, ..StepCost::default() };
    for _ in 0..steps {
        let cost = crowd.step();
        sum.broad_phase_seconds += cost.broad_phase_seconds;
        sum.narrow_phase_seconds += cost.narrow_phase_seconds;
        sum.pairs += cost.pairs;
        sum.iterations += cost.iterations;
        sum.exchanges += cost.exchanges;
        sum.pair_changes += cost.pair_changes;
        sum.nearest = sum.nearest.min(cost.nearest);
    }
    let part = 1.0 / steps as f64;
    StepCost {
        broad_phase_seconds: sum.broad_phase_seconds * part,
        narrow_phase_seconds: sum.narrow_phase_seconds * part,
        pairs: sum.pairs * part,
        iterations: sum.iterations * part,
        exchanges: sum.exchanges * part,
        pair_changes: sum.pair_changes * part,
        nearest: sum.nearest,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tracked_distances_are_those_of_all_pairs() {
        let mut crowd = TumblingCrowd::new(20, 60, BucketDivision::One);
        for _ in 0..50 {
            crowd.step();
        }
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
        let found = crowd.run_narrow_phase().nearest;
        assert!((found - near).abs() < 1e-12, "{found} {near}");
    }

    #[test]
    fn bodies_keep_their_energy_and_out_of_each_other() {
        let mut crowd = TumblingCrowd::new(100, 100, BucketDivision::ByDensity);
        let energy = |crowd: &TumblingCrowd| -> f64 {
            crowd.bodies.iter().map(|mover| mover.velocity.norm_squared()).sum()
        };
        let before = energy(&crowd);
        let nearest = (0..400).map(|_| crowd.step().nearest).fold(f64::INFINITY, f64::min);
        assert!((energy(&crowd) / before - 1.0).abs() < 1e-9);
        assert!(nearest > -2.0 * DISPLACEMENT_PER_STEP, "{nearest}");
    }

    #[test]
    fn the_division_of_the_lists_does_not_change_what_is_found() {
        let counts = [BucketDivision::One, BucketDivision::ByDensity].map(|division| {
            let mut crowd = TumblingCrowd::new(4, 500, division);
            let costs = (0..20).map(|_| crowd.step());
            costs.map(|cost| (cost.pairs, cost.iterations)).collect::<Vec<_>>()
        });
        assert_eq!(counts[0], counts[1]);
    }
}
