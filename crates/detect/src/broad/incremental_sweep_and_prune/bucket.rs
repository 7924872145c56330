//! The bodies of one bucket and their endpoints, one sorted list per axis.

use super::bounds;
use super::endpoints::{self, EndpointTag, IncrementalSortAbandoned, SweepEndpoint};
use crate::BodyPair;
use carom_geometry::{Aabb, Boundary, Vector};

/// The bodies that reach into one bucket.
#[derive(Clone, Debug)]
pub(super) struct SweepBucket<const D: usize> {
    /// Body number in the upper bits; in the lowest `D`, the axes along which the member is the body's
    /// image one period below.
    members: Vec<u32>,
    endpoints: [Vec<SweepEndpoint>; D],
    quantization: EndpointQuantization<D>,
}

/// All boxes and the boundary of the region.
#[derive(Clone, Copy)]
pub(super) struct SweepBoxes<'a, const D: usize> {
    pub boxes: &'a [Aabb<D>],
    pub boundary: &'a Boundary<D>,
}

/// Low and high endpoint of every member as 32-bit integers, per axis.
#[derive(Clone, Debug)]
pub(super) struct EndpointKeys<const D: usize>([Vec<[u32; 2]>; D]);

/// The key at the middle of the quantized range.
const MIDDLE: f64 = (1u64 << 31) as f64;
/// Doubles from 2^52 to 2^53 are the integers, so adding this rounds a smaller number to an integer in the
/// lowest mantissa bits: cheaper than a saturating conversion, and monotonic.
const TO_LOWEST_BITS: f64 = (1u64 << 52) as f64;

/// Linear map from coordinates to 32-bit keys.
#[derive(Clone, Copy, Debug)]
struct EndpointQuantization<const D: usize> {
    middle: Vector<D>,
    scale: Vector<D>,
}

impl<const D: usize> SweepBoxes<'_, D> {
    /// Returns whether the boxes of two bodies overlap.
    #[inline(always)]
    pub fn boxes_overlap(&self, a: u32, b: u32) -> bool {
        bounds::overlap(&self.boxes[a as usize], &self.boxes[b as usize], self.boundary)
    }

    /// Returns two bodies as a pair if their boxes overlap. Not inlined into the insertion loop, since few
    /// exchanges come this far.
    // Called for the few pairs whose keys overlap; inlined, it would crowd the registers of the sort.
    #[inline(never)]
    fn overlapping_pair(&self, a: u32, b: u32) -> Option<BodyPair> {
        self.boxes_overlap(a, b).then(|| BodyPair::new(a, b))
    }

    /// Returns the box of a member, shifted if the member is an image.
    #[inline(always)]
    fn member_box(&self, member: u32) -> Aabb<D> {
        let mut bounds = self.boxes[body_of::<D>(member) as usize];
        if is_image::<D>(member) {
            for axis in (0..D).filter(|axis| member >> axis & 1 == 1) {
                let period = self.boundary.period(axis).unwrap_or(0.0);
                bounds.low[axis] -= period;
                bounds.high[axis] -= period;
            }
        }
        bounds
    }
}

/// Packs a body and the axes along which its image one period below is meant.
pub(super) fn member<const D: usize>(body: u32, below: u32) -> u32 {
    body << D | below
}

fn body_of<const D: usize>(member: u32) -> u32 {
    member >> D
}

/// Returns whether the member is a shifted image along any axis.
fn is_image<const D: usize>(member: u32) -> bool {
    member & ((1 << D) - 1) != 0
}

impl<const D: usize> Default for EndpointKeys<D> {
    fn default() -> Self {
        EndpointKeys(std::array::from_fn(|_| Vec::new()))
    }
}

impl<const D: usize> EndpointKeys<D> {
    /// Returns the bytes held.
    pub fn memory(&self) -> usize {
        self.0.iter().map(|keys| keys.capacity() * size_of::<[u32; 2]>()).sum()
    }

    /// Returns the keys of every axis, with the given axis last.
    fn with_last(&self, axis: usize) -> [&[[u32; 2]]; D] {
        std::array::from_fn(|place| &self.0[(axis + 1 + place) % D][..])
    }
}

/// Returns whether two members may overlap along every axis but the last. Keys are monotonic, so members
/// whose keys are apart are apart; equal keys say nothing.
#[inline(always)]
fn may_overlap<const D: usize>(keys: &[&[[u32; 2]]; D], a: u32, b: u32) -> bool {
    (0..D - 1).all(|axis| {
        let ([a_low, a_high], [b_low, b_high]) = (keys[axis][a as usize], keys[axis][b as usize]);
        // Not `&&`: both are loaded already, and one branch is predicted better than two.
        (a_low <= b_high) & (b_low <= a_high)
    })
}

impl<const D: usize> Default for SweepBucket<D> {
    fn default() -> Self {
        let frame = EndpointQuantization { middle: Vector::zeros(), scale: Vector::zeros() };
        SweepBucket {
            members: Vec::new(),
            endpoints: std::array::from_fn(|_| Vec::new()),
            quantization: frame,
        }
    }
}

impl<const D: usize> SweepBucket<D> {
    /// Returns the number of members.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Returns the members.
    pub fn members(&self) -> &[u32] {
        &self.members
    }

    /// Removes all members and keeps the memory.
    pub fn clear(&mut self) {
        self.members.clear();
        self.endpoints.iter_mut().for_each(Vec::clear);
    }

    /// Appends a member's endpoints to the lists; the next [`resort`](Self::resort) moves them into order.
    pub fn add_member(&mut self, member: u32) {
        let tag = 2 * self.members.len() as EndpointTag;
        self.members.push(member);
        for ends in &mut self.endpoints {
            ends.extend([endpoints::unkeyed_endpoint(tag), endpoints::unkeyed_endpoint(tag + 1)]);
        }
    }

    /// Removes the members for which `is_leaving` holds and renumbers the others.
    pub fn remove_members(&mut self, is_leaving: impl Fn(u32) -> bool, numbers: &mut Vec<u32>) {
        const GONE: u32 = u32::MAX;
        numbers.clear();
        let mut next = 0;
        self.members.retain(|&member| {
            let stays = !is_leaving(member);
            numbers.push(if stays { next } else { GONE });
            next += u32::from(stays);
            stays
        });
        for ends in &mut self.endpoints {
            ends.retain_mut(|end| {
                let tag = endpoints::tag(*end);
                let number = numbers[endpoints::member(tag) as usize];
                *end = endpoints::unkeyed_endpoint(2 * (number & (GONE >> 1)) + (tag & 1));
                number != GONE
            });
        }
    }

    /// Restores the order of every list by insertion sort. Pairs that overlap now and did not before are
    /// among those added to `found`. Returns the number of exchanges; fails if it exceeds `allowed`.
    pub fn resort(
        &mut self,
        world: SweepBoxes<'_, D>,
        keys: &mut EndpointKeys<D>,
        allowed: u64,
        found: &mut Vec<BodyPair>,
    ) -> Result<u64, IncrementalSortAbandoned> {
        self.quantize_endpoints(world, keys);
        let (members, keys) = (&self.members[..], &*keys);
        let mut exchanges = 0;
        for (axis, ends) in self.endpoints.iter_mut().enumerate() {
            let coordinate = |tag| coordinate(world, members, axis, tag);
            let others = keys.with_last(axis);
            let passed = |low: u32, high: u32| {
                if may_overlap(&others, low, high) {
                    let body = |member: u32| body_of::<D>(members[member as usize]);
                    found.extend(world.overlapping_pair(body(low), body(high)));
                }
            };
            let keys = keys.0[axis].as_flattened();
            exchanges += endpoints::insertion_sort(ends, keys, allowed, coordinate, passed)?;
        }
        Ok(exchanges)
    }

    /// Sorts every list from any order.
    pub fn sort(&mut self, world: SweepBoxes<'_, D>, keys: &mut EndpointKeys<D>) {
        self.quantization = self.fitting_quantization(world);
        self.quantize_endpoints(world, keys);
        let members = &self.members[..];
        for (axis, ends) in self.endpoints.iter_mut().enumerate() {
            let keys = keys.0[axis].as_flattened();
            ends.iter_mut().for_each(|end| *end = endpoints::with_key(*end, keys));
            ends.sort_unstable_by(|&one, &other| {
                endpoints::compare_endpoints(one, other, &|tag| {
                    coordinate(world, members, axis, tag)
                })
            });
        }
    }

    /// Sweeps along the first axis and visits every pair of bodies whose intervals overlap.
    ///
    /// A low endpoint opens an interval, which overlaps all active ones; a high endpoint closes it.
    pub fn sweep(&self, active: &mut Vec<u32>, mut visit: impl FnMut(u32, u32)) {
        active.clear();
        for &end in &self.endpoints[0] {
            let tag = endpoints::tag(end);
            let body = body_of::<D>(self.members[endpoints::member(tag) as usize]);
            if endpoints::is_high(tag) {
                // A scan: buckets are small, and only a rebuild sweeps them.
                active.retain(|&other| other != body);
            } else {
                active.iter().for_each(|&other| visit(body, other));
                active.push(body);
            }
        }
    }

    /// Writes the keys of all endpoints of the boxes as they are now.
    fn quantize_endpoints(&mut self, world: SweepBoxes<'_, D>, keys: &mut EndpointKeys<D>) {
        for keys in &mut keys.0 {
            keys.resize(self.members.len().max(keys.len()), [0; 2]);
        }
        if !self.quantization.quantize(&self.members, world, keys) {
            self.quantization = self.fitting_quantization(world);
            self.quantization.quantize(&self.members, world, keys);
        }
    }

    /// Returns a quantization whose range extends beyond all members by a quarter of their extent on each
    /// side, so that it lasts for many steps.
    fn fitting_quantization(&self, world: SweepBoxes<'_, D>) -> EndpointQuantization<D> {
        let mut around = Aabb::empty();
        for &member in &self.members {
            let bounds = world.member_box(member);
            around = around.including(&bounds.low).including(&bounds.high);
        }
        let middle = 0.5 * around.low + 0.5 * around.high;
        let scale = (around.high - around.low).map(|extent| {
            let scale = MIDDLE / (0.75 * extent);
            if scale.is_finite() { scale } else { 0.0 }
        });
        EndpointQuantization { middle, scale }
    }

    /// Returns the bytes held.
    pub fn memory(&self) -> usize {
        let ends: usize =
            self.endpoints.iter().map(|ends| ends.capacity() * size_of::<SweepEndpoint>()).sum();
        ends + self.members.capacity() * size_of::<u32>()
    }

    /// Verifies that every list is sorted and holds both endpoints of every member.
    pub fn check(&self, world: SweepBoxes<'_, D>) -> Result<(), String> {
        for (axis, ends) in self.endpoints.iter().enumerate() {
            let coordinate = |tag| coordinate(world, &self.members, axis, tag);
            let is_sorted = ends.is_sorted_by(|&one, &other| {
                !endpoints::is_after(endpoints::tag(one), endpoints::tag(other), &coordinate)
            });
            if !is_sorted {
                return Err(format!("the ends along axis {axis} are not sorted"));
            }
            let mut tags: Vec<EndpointTag> = ends.iter().map(|&end| endpoints::tag(end)).collect();
            tags.sort_unstable();
            if !tags.into_iter().eq(0..2 * self.members.len() as EndpointTag) {
                return Err(format!("not every box has its two ends along axis {axis}"));
            }
        }
        Ok(())
    }
}

fn coordinate<const D: usize>(
    world: SweepBoxes<'_, D>,
    members: &[u32],
    axis: usize,
    tag: EndpointTag,
) -> f64 {
    let seen = world.member_box(members[endpoints::member(tag) as usize]);
    if endpoints::is_high(tag) { seen.high[axis] } else { seen.low[axis] }
}

impl<const D: usize> EndpointQuantization<D> {
    /// Writes the keys of all members and returns whether they all lie within the quantized range.
    fn quantize(
        &self,
        members: &[u32],
        world: SweepBoxes<'_, D>,
        keys: &mut EndpointKeys<D>,
    ) -> bool {
        let (mut least, mut most) = (u32::MAX, 0);
        let keys = keys.0.each_mut().map(|keys| &mut keys[..members.len()]);
        for (number, &member) in members.iter().enumerate() {
            let shifted;
            let bounds = if is_image::<D>(member) {
                shifted = world.member_box(member);
                &shifted
            } else {
                &world.boxes[body_of::<D>(member) as usize]
            };
            for axis in 0..D {
                let low = self.key(axis, bounds.low[axis]);
                let high = self.key(axis, bounds.high[axis]);
                keys[axis][number] = [low, high];
                least = least.min(low);
                most = most.max(high);
            }
        }
        least > 0 && most < u32::MAX
    }

    /// Returns the key of a coordinate. Monotonic: where coordinates ascend, keys never descend.
    #[inline(always)]
    fn key(&self, axis: usize, value: f64) -> u32 {
        let key = (value - self.middle[axis]) * self.scale[axis] + MIDDLE;
        let key = if key > 0.0 { key } else { 0.0 };
        let key = if key < u32::MAX as f64 { key } else { u32::MAX as f64 };
        (key + TO_LOWEST_BITS).to_bits() as u32
    }
}
