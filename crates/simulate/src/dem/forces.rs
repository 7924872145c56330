//! Contact forces of a time step, computed block by block in parallel.

use super::body::{BodyArrays, BodyMotion, ForceTorque, PositionRadius};
use super::contact_lanes::{ContactLanes, LaneStepTotals};
use super::contact_law::{
    CompositeLaw, ContactForce, ContactKinematics, ContactLaw, LawHistory, advance_contact,
};
use super::contact_losses::ContactLosses;
use super::contact_point::DemContactPoint;
use super::neighbor_list::{BodyBlock, NeighborPair, VerletNeighborList};
use super::rotation_state::RotationState;
use super::shape::ContactShape;
use super::shaped_contact::{MultiContactHistory, ShapedPairHistory};
use super::wall::{self, PosedWall, WallForceContext, WallPair};
use carom_detect::narrow::ClosestFeatures;
use carom_geometry::Vector;
use carom_geometry::simd::{F64_LANES, SimdKernel, run_with_widest_simd};
use rayon::prelude::*;
use std::ops::Range;

/// Sums over all contacts of a time step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepTotals {
    /// Number of contacts between bodies; clumps may have several per pair.
    pub contacts: u64,
    /// Number of contacts with walls.
    pub wall_contacts: u64,
    /// Energy lost in this step.
    pub losses: ContactLosses,
    /// Work done by driven walls in this step.
    pub external_work: f64,
    /// Virial: the sum over pairs of force times center distance, positive for repulsion, and over contacts
    /// with walls of force times the arm from the center.
    pub virial: f64,
    /// Deepest overlap, in units of the smaller radius.
    pub max_relative_overlap: f64,
}

impl StepTotals {
    fn add(&mut self, other: &StepTotals) {
        self.contacts += other.contacts;
        self.wall_contacts += other.wall_contacts;
        self.losses += other.losses;
        self.external_work += other.external_work;
        self.virial += other.virial;
        self.max_relative_overlap = self.max_relative_overlap.max(other.max_relative_overlap);
    }

    #[inline(always)]
    pub(super) fn add_contact(&mut self, losses: ContactLosses, overlap: f64, radius: f64) {
        self.losses += losses;
        if overlap > self.max_relative_overlap * radius {
            self.max_relative_overlap = overlap / radius;
        }
    }
}

/// Contact laws of all pairs of materials.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ContactLawTable<L> {
    /// Number of materials.
    pub material_count: usize,
    /// The laws, by the first material, then by the second.
    pub laws: Vec<L>,
}

impl<L> ContactLawTable<L> {
    #[inline(always)]
    pub(super) fn between(&self, first: u32, second: u32) -> &L {
        &self.laws[first as usize * self.material_count + second as usize]
    }
}

/// Everything that does not change while forces are computed.
pub(super) struct ForceContext<'a, L> {
    pub positions: &'a [PositionRadius],
    pub motions: &'a [BodyMotion],
    /// Empty if all bodies are spheres.
    pub rotation_states: &'a [RotationState],
    materials: &'a [u32],
    image_shifts: &'a [Vector<3>],
    contact_laws: &'a ContactLawTable<L>,
    pub shapes: &'a [ContactShape],
    walls: &'a [PosedWall<'a>],
    pub time_step: f64,
}

/// The force computation of a time step.
pub struct ForceStep<'a, L: ContactLaw> {
    pub(super) bodies: &'a mut BodyArrays,
    pub(super) neighbors: &'a mut VerletNeighborList<L::History>,
    pub(super) deferred: &'a mut Vec<ForceTorque>,
    pub(super) contact_laws: &'a ContactLawTable<L>,
    pub(super) shapes: &'a [ContactShape],
    pub(super) walls: &'a [PosedWall<'a>],
    pub(super) time_step: f64,
}

impl<L: ContactLaw> ForceStep<'_, L> {
    /// Computes force and torque on every body, and returns the sums over all contacts.
    ///
    /// Forces on bodies of later blocks go into `deferred`, which those blocks apply later, in a fixed order:
    /// so results have the same bits for any number of threads.
    pub(super) fn compute(self) -> StepTotals {
        let ForceStep { bodies, neighbors, deferred, contact_laws, shapes, walls, time_step } =
            self;
        deferred.resize(neighbors.deferred_count(), ForceTorque::zero());
        let BodyArrays { positions, motions, forces_torques, materials, rotation_states, .. } =
            bodies;
        let VerletNeighborList {
            blocks,
            pair_ends,
            pairs,
            histories,
            warm_starts,
            multi_contact_histories,
            wall_pairs,
            image_shifts,
            ..
        } = neighbors;
        let context = ForceContext {
            positions,
            motions,
            rotation_states,
            materials,
            image_shifts,
            contact_laws,
            shapes,
            walls,
            time_step,
        };
        let (mut warm_starts, mut multi_contact_histories) =
            (&mut warm_starts[..], &mut multi_contact_histories[..]);
        let mut jobs = Vec::with_capacity(blocks.len());
        let (mut forces_torques, mut pairs, mut histories, mut wall_pairs, mut deferred_rest) = (
            &mut forces_torques[..],
            &mut pairs[..],
            &mut histories[..],
            &mut wall_pairs[..],
            &mut deferred[..],
        );
        // Every block gets disjoint slices, so that threads need neither locks nor atomics.
        for block in &*blocks {
            let count = block.pairs.len();
            jobs.push(BlockForceJob {
                context: &context,
                block,
                pair_ends: &pair_ends[block.bodies.clone()],
                forces_torques: split_off_front(&mut forces_torques, block.bodies.len()),
                pairs: split_off_front(&mut pairs, count),
                histories: split_off_front(&mut histories, count),
                warm_starts: split_off_front_if_any(&mut warm_starts, count),
                multi_contact_histories: split_off_front_if_any(
                    &mut multi_contact_histories,
                    count,
                ),
                wall_pairs: split_off_front(&mut wall_pairs, block.wall_pairs.len()),
                deferred: split_off_front(&mut deferred_rest, block.deferred_slots.len()),
            });
        }
        let totals: Vec<StepTotals> = jobs.into_par_iter().map(run_with_widest_simd).collect();
        // Summed in the order of blocks, not in the order in which threads finish.
        let mut sum = StepTotals::default();
        totals.iter().for_each(|totals| sum.add(totals));
        sum
    }
}

/// Splits the first `count` elements off a slice.
pub(super) fn split_off_front<'a, T>(some: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    some.split_off_mut(..count).expect("blocks partition the arrays")
}

/// Splits the first `count` elements off a slice that is empty or has an element for every pair.
fn split_off_front_if_any<'a, T>(some: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    if some.is_empty() { &mut [] } else { split_off_front(some, count) }
}

/// The force computation of a block: its slices of all arrays.
struct BlockForceJob<'a, L: ContactLaw> {
    context: &'a ForceContext<'a, L>,
    block: &'a BodyBlock,
    pair_ends: &'a [u32],
    forces_torques: &'a mut [ForceTorque],
    pairs: &'a mut [NeighborPair],
    histories: &'a mut [L::History],
    /// Empty if all bodies are spheres.
    warm_starts: &'a mut [ClosestFeatures],
    /// Empty if there are no clumps, which touch in several points.
    multi_contact_histories: &'a mut [MultiContactHistory<L::History>],
    wall_pairs: &'a mut [WallPair<L::History>],
    deferred: &'a mut [ForceTorque],
}

/// Two bodies in contact.
#[derive(Clone, Copy, Default)]
struct TouchingPair {
    /// Indices of the first body and of the pair, from the first of the block.
    body: u32,
    pair: u32,
    /// Slot for the force on a body of another block.
    deferred_slot: u32,
}

/// Pairs found by a scan, by whether they touched a step ago. Only the first ones hold: see [`TouchingCounts`].
#[derive(Default)]
struct TouchingPairs {
    /// Pairs that touch now and did a step ago.
    persisting: Vec<TouchingPair>,
    /// Pairs whose contact has just begun or ended.
    changed: Vec<TouchingPair>,
}

impl TouchingPairs {
    /// Makes both lists at least this long.
    fn make_room(&mut self, room: usize) {
        for list in [&mut self.persisting, &mut self.changed] {
            if list.len() < room {
                list.resize(room, TouchingPair::default());
            }
        }
    }
}

/// Numbers of valid entries in the lists of [`TouchingPairs`].
#[derive(Clone, Copy, Default)]
struct TouchingCounts {
    persisting: usize,
    changed: usize,
}

/// Progress of the scan through the pairs of a block.
#[derive(Clone, Copy, Default)]
struct BlockScanCursor {
    next_pair: usize,
    next_deferred_slot: usize,
}

/// Number of bodies that are scanned before the contacts found are computed, so that their data stay in
/// the L1 cache.
const BODIES_PER_CHUNK: usize = 64;

impl<L: ContactLaw> SimdKernel for BlockForceJob<'_, L> {
    type Output = StepTotals;
    #[inline(always)]
    fn run(mut self) -> StepTotals {
        let mut totals = StepTotals::default();
        // Cleared here, by the thread that is about to add to them, so that they are in its cache.
        self.forces_torques.fill(ForceTorque::zero());
        self.deferred.fill(ForceTorque::zero());
        let mut lane_totals = LaneStepTotals::default();
        let mut touching = TouchingPairs::default();
        let mut cursor = BlockScanCursor::default();
        for bodies in (0..self.pair_ends.len()).step_by(BODIES_PER_CHUNK) {
            let until = (bodies + BODIES_PER_CHUNK).min(self.pair_ends.len());
            let counts = self.find_touching_pairs(bodies..until, &mut cursor, &mut touching);
            // Persisting contacts are computed four at a time; new and ended ones need other formulas and
            // are few.
            let (groups, rest) = touching.persisting[..counts.persisting].as_chunks();
            for found in groups {
                // No closure: it would be compiled for narrow registers.
                let in_lanes = match self.common_law(found) {
                    Some(law) => self.apply_four_contacts(law, found, &mut lane_totals),
                    None => false,
                };
                if !in_lanes {
                    found.iter().for_each(|found| self.apply_contact(found, &mut totals));
                }
            }
            for found in rest.iter().chain(&touching.changed[..counts.changed]) {
                self.apply_contact(found, &mut totals);
            }
        }
        lane_totals.add_to(&mut totals);
        let first = self.block.bodies.start;
        wall::apply_wall_contacts(
            &self.context.wall_force_context(),
            first,
            self.wall_pairs,
            self.forces_torques,
            &mut totals,
        );
        totals
    }
}

impl<'a, L: ContactLaw> BlockForceJob<'a, L> {
    /// Scans the pairs of some bodies for contacts: lists those that persist, and those that have just begun
    /// or ended, and returns both counts.
    ///
    /// Whether a pair touches is unpredictable for the branch predictor, so nothing branches on it: every pair
    /// is written to both lists, and the counts decide whether it stays.
    #[inline(always)]
    fn find_touching_pairs(
        &self,
        bodies: Range<usize>,
        cursor: &mut BlockScanCursor,
        touching: &mut TouchingPairs,
    ) -> TouchingCounts {
        let last = self.pair_ends[bodies.end - 1] as usize - self.block.pairs.start;
        let room = last - cursor.next_pair + 1;
        touching.make_room(room);
        let persisting = &mut touching.persisting[..room];
        let changed = &mut touching.changed[..room];
        let (positions, image_shifts) = (self.context.positions, self.context.image_shifts);
        let mut counts = TouchingCounts::default();
        for local in bodies {
            let here = &positions[self.block.bodies.start + local];
            let end = self.pair_ends[local] as usize - self.block.pairs.start;
            let pairs = &self.pairs[cursor.next_pair..end];
            for (pair, number) in pairs.iter().zip(cursor.next_pair..) {
                let there = &positions[pair.other as usize];
                let separation =
                    there.position - here.position + image_shifts[usize::from(pair.image)];
                let reach = there.radius + here.radius;
                // Squares are compared: most pairs are apart and need no root.
                let touches = separation.norm_squared() < reach * reach;
                // Slots are counted for all pairs, touching or not, as they were when the list was built.
                let deferred_slot = cursor.next_deferred_slot as u32;
                let found = TouchingPair { body: local as u32, pair: number as u32, deferred_slot };
                persisting[counts.persisting] = found;
                counts.persisting += usize::from(touches & pair.is_touching);
                // A contact that has just ended is computed once more: its damping for the last part of a
                // step, and the energy its tangential spring still holds.
                changed[counts.changed] = found;
                counts.changed += usize::from(touches ^ pair.is_touching);
                cursor.next_deferred_slot +=
                    usize::from(pair.other as usize >= self.block.bodies.end);
            }
            cursor.next_pair = end;
        }
        counts
    }

    /// Returns the common law of four contacts if it is one that four lanes can compute: neither rolling
    /// resistance nor cohesion, and all bodies are spheres.
    #[inline(always)]
    fn common_law(&self, touching: &[TouchingPair; F64_LANES]) -> Option<&'a CompositeLaw> {
        // Warm starts exist only where some body is no sphere.
        if !self.warm_starts.is_empty() {
            return None;
        }
        let laws = touching.map(|found| {
            let other = self.pairs[found.pair as usize].other as usize;
            self.context.law(self.block.bodies.start + found.body as usize, other)
        });
        // Compared by address: laws of equal parameters in two places of the table only cost the lanes.
        let same = laws.iter().all(|law| std::ptr::eq(*law, laws[0]));
        let law = laws[0].as_composite()?;
        (same && law.has_only_normal_and_friction()).then_some(law)
    }

    /// Computes four persisting contacts and adds their forces; does nothing and returns false if their histories have
    /// no tangential displacement.
    #[inline(always)]
    fn apply_four_contacts(
        &mut self,
        law: &CompositeLaw,
        touching: &[TouchingPair; F64_LANES],
        totals: &mut LaneStepTotals,
    ) -> bool {
        let histories = self
            .histories
            .get_disjoint_mut(touching.map(|found| found.pair as usize))
            .expect("each pair is found once");
        let [one, two, three, four] = histories;
        let (Some(one), Some(two), Some(three), Some(four)) = (
            one.tangential_displacement(),
            two.tangential_displacement(),
            three.tangential_displacement(),
            four.tangential_displacement(),
        ) else {
            return false;
        };
        let start = self.block.bodies.start;
        let context = self.context;
        let pairs = touching.map(|found| self.pairs[found.pair as usize]);
        let bodies = [
            touching.map(|found| start + found.body as usize),
            pairs.map(|pair| pair.other as usize),
        ];
        let lanes = ContactLanes {
            positions: bodies.map(|bodies| bodies.map(|body| &context.positions[body])),
            motions: bodies.map(|bodies| bodies.map(|body| &context.motions[body])),
            image_shifts: pairs.map(|pair| &context.image_shifts[usize::from(pair.image)]),
        };
        let forces = lanes.contact_forces(law, [one, two, three, four], context.time_step, totals);
        // Forces are added one by one in the order of pairs: two of the four may share a body.
        for (lane, found) in touching.iter().enumerate() {
            self.add_pair_force(found, bodies[1][lane], &forces.lane(lane));
        }
        true
    }

    /// Computes one contact and adds its forces.
    #[inline(always)]
    fn apply_contact(&mut self, found: &TouchingPair, totals: &mut StepTotals) {
        let start = self.block.bodies.start;
        let pair = &mut self.pairs[found.pair as usize];
        let (local, other) = (found.body as usize, pair.other as usize);
        let image = &self.context.image_shifts[usize::from(pair.image)];
        let single = &mut self.histories[found.pair as usize];
        let bodies = [start + local, other];
        let pair_force = match self.warm_starts.get_mut(found.pair as usize) {
            Some(warm_start) if self.context.is_shaped(bodies) => {
                let multi = self.multi_contact_histories.get_mut(found.pair as usize);
                let was_touching = pair.is_touching;
                let history = ShapedPairHistory { warm_start, was_touching, single, multi };
                self.context.shaped_pair_force(bodies, image, history, totals)
            }
            _ => self.context.sphere_pair_force(bodies, image, pair.is_touching, single, totals),
        };
        pair.is_touching = pair_force.is_touching;
        self.add_pair_force(found, other, &pair_force);
    }

    /// Adds a contact force and its reaction to both bodies.
    #[inline(always)]
    fn add_pair_force(&mut self, found: &TouchingPair, other: usize, pair_force: &PairForce) {
        let start = self.block.bodies.start;
        let force_torque = &mut self.forces_torques[found.body as usize];
        force_torque.force += pair_force.force;
        force_torque.torque += pair_force.torque;
        let force_torque = match other < self.block.bodies.end {
            true => &mut self.forces_torques[other - start],
            false => &mut self.deferred[found.deferred_slot as usize],
        };
        force_torque.force -= pair_force.force;
        force_torque.torque += pair_force.other_torque;
    }
}

/// Force on the first body of a pair, torques on both, and whether they still touch.
#[derive(Default)]
pub(super) struct PairForce {
    pub force: Vector<3>,
    pub torque: Vector<3>,
    pub other_torque: Vector<3>,
    pub is_touching: bool,
}

impl<'a, L: ContactLaw> ForceContext<'a, L> {
    /// Returns the contact force of two spheres. The four-lane version in `contact_lanes.rs` does the same
    /// operations in the same order.
    #[inline(always)]
    fn sphere_pair_force(
        &self,
        [first, other]: [usize; 2],
        image: &Vector<3>,
        was_touching: bool,
        history: &mut L::History,
        totals: &mut StepTotals,
    ) -> PairForce {
        let (here, there) = (&self.positions[first], &self.positions[other]);
        let separation = there.position - here.position + image;
        let (radius, other_radius) = (here.radius, there.radius);
        let distance = separation.norm();
        // Coinciding centers have no normal; the smallest number turns 0 / 0 into zero.
        let normal = separation * (1.0 / (distance + f64::MIN_POSITIVE));
        let overlap = radius + other_radius - distance;
        let is_touching = overlap > 0.0;
        let (one, two) = (&self.motions[first], &self.motions[other]);
        // Lever arms from each center to the middle of the overlap; their sum is the distance.
        let (arm, other_arm) = (radius - 0.5 * overlap, other_radius - 0.5 * overlap);
        // Relative surface velocity by rotation, (w1 a1 + w2 a2) x n.
        let rotation = one.angular_velocity * arm + two.angular_velocity * other_arm;
        let rotation_change =
            one.angular_velocity_change * arm + two.angular_velocity_change * other_arm;
        let kinematics = ContactKinematics {
            normal,
            overlap,
            was_touching,
            velocity: one.velocity - two.velocity + rotation.cross(&normal),
            velocity_change: one.velocity_change - two.velocity_change
                + rotation_change.cross(&normal),
            angular_velocity: one.current_angular_velocity() - two.current_angular_velocity(),
            inverse_mass: one.inverse_mass + two.inverse_mass,
            inverse_inertia: one.inverse_inertia + two.inverse_inertia,
            // Tangentially a force also rotates both bodies: 1/m + a²/I of each.
            inverse_effective_mass: one.inverse_mass
                + two.inverse_mass
                + arm * arm * one.inverse_inertia
                + other_arm * other_arm * two.inverse_inertia,
            radii: [radius, other_radius],
            overlap_rate: 1.0,
        };
        let law = self.law(first, other);
        let contact_force = advance_contact(law, &kinematics, history, self.time_step);
        let ContactForce { tangential_force, rolling_torque, losses, .. } = contact_force;
        let force = contact_force.on_first(&normal);
        totals.contacts += u64::from(is_touching);
        // The force is on the first body, away from the second in repulsion; hence the minus.
        totals.virial -= force.dot(&separation);
        totals.add_contact(losses, overlap, radius.min(other_radius));
        let torque_per_arm = normal.cross(&tangential_force);
        PairForce {
            force,
            torque: torque_per_arm * arm + rolling_torque,
            other_torque: torque_per_arm * other_arm - rolling_torque,
            is_touching,
        }
    }

    /// Calls `visit` with every contact point of two bodies: the bodies, the image shift of the second, the
    /// contact point and its history.
    pub(super) fn each_contact(
        &self,
        neighbors: &VerletNeighborList<L::History>,
        mut visit: impl FnMut([usize; 2], &Vector<3>, &DemContactPoint, &L::History),
    ) {
        for (bodies, number) in neighbors.each_pair() {
            let NeighborPair { image, is_touching, .. } = neighbors.pairs[number];
            let image = &neighbors.image_shifts[usize::from(image)];
            match neighbors.warm_starts.get(number) {
                _ if !is_touching => {}
                Some(&warm_start) if self.is_shaped(bodies) => {
                    let contact_points = self.contact_points(bodies, image, warm_start);
                    for contact_point in
                        contact_points.iter().filter(|contact| contact.overlap > 0.0)
                    {
                        visit(
                            bodies,
                            image,
                            contact_point,
                            &neighbors.history(number, contact_point.contact_key),
                        );
                    }
                }
                _ => {
                    let [here, there] = bodies.map(|body| &self.positions[body]);
                    let separation = there.position - here.position + image;
                    let (radii, distance) = ([here.radius, there.radius], separation.norm());
                    let normal = separation * (1.0 / (distance + f64::MIN_POSITIVE));
                    let overlap = radii[0] + radii[1] - distance;
                    let position = here.position + normal * (radii[0] - 0.5 * overlap);
                    let contact_point = DemContactPoint::at_point(normal, overlap, position, radii);
                    visit(bodies, image, &contact_point, &neighbors.histories[number]);
                }
            }
        }
    }

    /// Returns whether at least one of two bodies is no sphere.
    #[inline(always)]
    pub(super) fn is_shaped(&self, bodies: [usize; 2]) -> bool {
        bodies.into_iter().any(|body| self.rotation_states[body].shape().is_some())
    }

    #[inline(always)]
    pub(super) fn law(&self, first: usize, other: usize) -> &'a L {
        match self.contact_laws.material_count {
            // The common case reads the materials of neither body.
            1 => &self.contact_laws.laws[0],
            _ => self.contact_laws.between(self.materials[first], self.materials[other]),
        }
    }

    pub(super) fn wall_force_context(&self) -> WallForceContext<'_, L> {
        let ForceContext {
            positions,
            motions,
            rotation_states,
            materials,
            contact_laws,
            shapes,
            walls,
            time_step,
            ..
        } = *self;
        WallForceContext {
            positions,
            motions,
            rotation_states,
            materials,
            contact_laws,
            shapes,
            walls,
            time_step,
        }
    }
}

/// Returns a context for reading contacts at one moment, outside of a time step.
pub(super) fn force_context<'a, L: ContactLaw>(
    bodies: &'a BodyArrays,
    neighbors: &'a VerletNeighborList<L::History>,
    contact_laws: &'a ContactLawTable<L>,
    shapes: &'a [ContactShape],
    walls: &'a [PosedWall<'a>],
) -> ForceContext<'a, L> {
    let BodyArrays { positions, motions, materials, rotation_states, .. } = bodies;
    ForceContext {
        positions,
        motions,
        rotation_states,
        materials,
        image_shifts: &neighbors.image_shifts,
        contact_laws,
        shapes,
        walls,
        time_step: 0.0,
    }
}
