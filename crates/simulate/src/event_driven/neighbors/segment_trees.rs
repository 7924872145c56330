//! Segment trees, a kinetic sweep and prune: two bodies are neighbors while their bounding boxes overlap.
//!
//! The set of segment trees of Gavrilova and Rokne, section 3.4. Along each axis the endpoints of all
//! bounding boxes are sorted; when two adjacent ones meet they are exchanged, and where an upper endpoint
//! has met a lower one the two boxes begin or cease to overlap on that axis. The paper keeps the endpoints
//! in a balanced tree whose shape never changes, because an exchange only swaps two references. Such a tree
//! without its links is a sorted array, and the index of an endpoint is its path from the root: that is
//! what is stored here. Whether two bodies overlap on another axis follows from four indices.
//!
//! On a periodic axis the order is circular, the last endpoint being adjacent to the first, and boxes are
//! arcs. A passage through the periodic face changes nothing.
//!
//! The order of endpoints needs no search, and the lists are short whatever the sizes of the bodies; but
//! all bodies that pass each other on one axis exchange their endpoints, however far apart they are on the
//! others, so exchanges far outnumber collisions where bodies are many. Good for a few hundred bodies.

use super::list_pool::ListPool;
use super::{AffectedBodies, HardSpheres, KineticNeighborStructure, MARGIN};
use crate::event_driven::gap_closing_time::gap_closing_time;

/// Segment trees; see the module.
#[derive(Debug)]
pub struct SegmentTrees<const D: usize> {
    axes: [SegmentTreeAxis; D],
    lists: ListPool,
    /// The endpoint of each body that is exchanged next.
    pending: Vec<PendingExchange>,
    /// Smallest radius at the start; the two endpoints of a body are never closer than this.
    smallest_radius: f64,
}

/// An endpoint of a body on an axis.
#[derive(Clone, Copy, Debug)]
struct PendingExchange {
    axis: u8,
    upper: bool,
}

/// The endpoints of all boxes along an axis.
#[derive(Debug, Default)]
struct SegmentTreeAxis {
    endpoints: Vec<SegmentTreeEndpoint>,
    /// Indices of the lower and the upper endpoint of each body.
    endpoint_indices: Vec<[u32; 2]>,
    period: Option<f64>,
}

/// An endpoint of the box of a body: twice its index, plus one for the upper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct SegmentTreeEndpoint(u32);

impl SegmentTreeEndpoint {
    fn new(body: u32, upper: bool) -> Self {
        SegmentTreeEndpoint(2 * body + u32::from(upper))
    }

    #[inline]
    fn body(self) -> u32 {
        self.0 / 2
    }

    #[inline]
    fn is_upper(self) -> bool {
        self.0 % 2 == 1
    }

    #[inline]
    fn motion<const D: usize>(
        self,
        axis: usize,
        bodies: &HardSpheres<D>,
        now: f64,
    ) -> EndpointMotion {
        let body = self.body();
        let radius = bodies.records[body as usize].radius * (1.0 + MARGIN);
        let outwards = if self.is_upper() { radius } else { -radius };
        EndpointMotion {
            position: bodies.position_at(body, now)[axis] + outwards * bodies.growth.at(now),
            speed: bodies.velocity_at(body, now)[axis] + outwards * bodies.growth.rate,
            acceleration: bodies.acceleration(body)[axis],
        }
    }
}

/// Motion of an endpoint along its axis.
#[derive(Clone, Copy, Debug)]
struct EndpointMotion {
    position: f64,
    speed: f64,
    acceleration: f64,
}

impl SegmentTreeAxis {
    /// Sorts all endpoints. Equal positions are sorted as they will be shortly after, so that bodies on a
    /// lattice do not begin with a flood of exchanges.
    fn start<const D: usize>(&mut self, axis: usize, bodies: &HardSpheres<D>, now: f64) {
        self.period = bodies.boundary.period(axis);
        let count = bodies.count() as u32;
        let mut sorted: Vec<(EndpointMotion, SegmentTreeEndpoint)> = (0..2 * count)
            .map(|code| {
                let mut motion = SegmentTreeEndpoint(code).motion(axis, bodies, now);
                if let Some(period) = self.period {
                    motion.position = motion.position.rem_euclid(period);
                }
                (motion, SegmentTreeEndpoint(code))
            })
            .collect();
        sorted.sort_unstable_by(|(a, end_a), (b, end_b)| {
            a.position
                .total_cmp(&b.position)
                .then(a.speed.total_cmp(&b.speed))
                .then(a.acceleration.total_cmp(&b.acceleration))
                .then(end_a.is_upper().cmp(&end_b.is_upper()))
                .then(end_a.cmp(end_b))
        });
        self.endpoints = sorted.into_iter().map(|(_, end)| end).collect();
        self.endpoint_indices = vec![[0; 2]; count as usize];
        for place in 0..self.endpoints.len() {
            self.set_endpoint(place, self.endpoints[place]);
        }
    }

    #[inline]
    fn set_endpoint(&mut self, place: usize, end: SegmentTreeEndpoint) {
        self.endpoints[place] = end;
        self.endpoint_indices[end.body() as usize][usize::from(end.is_upper())] = place as u32;
    }

    #[inline]
    fn index_of(&self, end: SegmentTreeEndpoint) -> usize {
        self.endpoint_indices[end.body() as usize][usize::from(end.is_upper())] as usize
    }

    /// Returns the index after another; none after the last on an axis without a period.
    #[inline]
    fn next_index(&self, place: usize) -> Option<usize> {
        if place + 1 < self.endpoints.len() { Some(place + 1) } else { self.period.map(|_| 0) }
    }

    /// Returns the endpoint before an index; none before the first on an axis without a period.
    #[inline]
    fn previous_endpoint(&self, place: usize) -> Option<SegmentTreeEndpoint> {
        if place > 0 {
            return Some(self.endpoints[place - 1]);
        }
        self.period.and_then(|_| self.endpoints.last().copied())
    }

    /// Returns whether two bodies overlap on this axis.
    #[inline]
    fn overlaps(&self, a: u32, b: u32) -> bool {
        let ([low_a, high_a], [low_b, high_b]) =
            (self.endpoint_indices[a as usize], self.endpoint_indices[b as usize]);
        if self.period.is_none() {
            return low_a < high_b && low_b < high_a;
        }
        self.circular_distance(low_a, low_b) < self.circular_distance(low_a, high_a)
            || self.circular_distance(low_b, low_a) < self.circular_distance(low_b, high_b)
    }

    /// Returns the number of indices from one to another, around the circle if need be.
    #[inline]
    fn circular_distance(&self, from: u32, to: u32) -> u32 {
        if to < from { to + self.endpoints.len() as u32 - from } else { to - from }
    }

    /// Returns the distance from one endpoint to the next; negative only by rounding.
    ///
    /// On a circle it may be more than half the period. It is always less than the period by at least the
    /// width of a body, which distinguishes such a distance from a slightly negative one.
    #[inline]
    fn gap(&self, left: f64, right: f64, smallest: f64) -> f64 {
        let mut gap = right - left;
        let Some(period) = self.period else { return gap };
        // Loops and not a remainder: one period is nearly always enough, and the sign near zero must stay.
        while gap < -smallest {
            gap += period;
        }
        while gap > period - smallest {
            gap -= period;
        }
        gap
    }

    /// Returns the time at which an endpoint is exchanged with the next; infinite if never.
    #[inline]
    fn next_exchange<const D: usize>(
        &self,
        end: SegmentTreeEndpoint,
        motion: &EndpointMotion,
        axis: usize,
        bodies: &HardSpheres<D>,
        now: f64,
        smallest: f64,
    ) -> f64 {
        let Some(place) = self.next_index(self.index_of(end)) else { return f64::INFINITY };
        let next = self.endpoints[place];
        if next.body() == end.body() {
            return f64::INFINITY;
        }
        let other = next.motion(axis, bodies, now);
        exchange_time(
            self.gap(motion.position, other.position, smallest),
            other.speed - motion.speed,
            other.acceleration - motion.acceleration,
            now,
        )
    }

    /// Exchanges an endpoint with the next and returns the latter.
    fn exchange(&mut self, end: SegmentTreeEndpoint) -> SegmentTreeEndpoint {
        let place = self.index_of(end);
        let after = self.next_index(place).expect("an end is exchanged with one that follows");
        let next = self.endpoints[after];
        self.set_endpoint(place, next);
        self.set_endpoint(after, end);
        next
    }

    /// Verifies order, indices and, on a circle, that the endpoints wind around once.
    fn check<const D: usize>(
        &self,
        axis: usize,
        bodies: &HardSpheres<D>,
        now: f64,
        smallest: f64,
    ) -> Result<(), String> {
        let tolerance = TOLERANCE * smallest;
        let mut round = 0.0;
        for (place, &end) in self.endpoints.iter().enumerate() {
            if self.index_of(end) != place {
                return Err(format!("{end:?} is not at place {place} of axis {axis}"));
            }
            let Some(after) = self.next_index(place) else { continue };
            let [left, right] =
                [end, self.endpoints[after]].map(|end| end.motion(axis, bodies, now).position);
            let gap = self.gap(left, right, smallest);
            if gap < -tolerance {
                return Err(format!("ends {place} and {after} of axis {axis} overlap by {}", -gap));
            }
            round += gap;
        }
        match self.period {
            Some(period) if (round - period).abs() > 0.5 * period => {
                Err(format!("the ends of axis {axis} go round {} times", round / period))
            }
            _ => Ok(()),
        }
    }
}

/// Endpoints closer than this fraction of the smallest radius may be in either order: well above rounding
/// and well below the margin.
const TOLERANCE: f64 = 0.1 * MARGIN;

/// Returns the time at which two adjacent endpoints are to be exchanged; infinite if never.
///
/// Two endpoints that pass each other back and forth within the resolution of time would be exchanged for
/// ever. They are exchanged at once only if the order thereafter is the one they will have a moment
/// later; that can hold for one of the two orders only.
#[inline]
fn exchange_time(gap: f64, speed: f64, acceleration: f64, now: f64) -> f64 {
    let time = now + gap_closing_time(gap, speed, acceleration);
    if time > now {
        return time;
    }
    let moment = (now.next_up() - now).max(MIN_TIME_RESOLUTION);
    let soon = gap + (speed * moment + 0.5 * acceleration * moment * moment);
    if soon < 0.0 { now } else { now + moment }
}

/// Smallest resolution of time: near time zero doubles resolve so finely that products of times vanish.
const MIN_TIME_RESOLUTION: f64 = 1e-100;

impl<const D: usize> SegmentTrees<D> {
    pub fn new() -> Self {
        SegmentTrees {
            axes: std::array::from_fn(|_| SegmentTreeAxis::default()),
            lists: ListPool::default(),
            pending: Vec::new(),
            smallest_radius: 0.0,
        }
    }

    fn overlaps(&self, a: u32, b: u32) -> bool {
        self.axes.iter().all(|axis| axis.overlaps(a, b))
    }

    /// Builds the lists by a sweep along the axis on which boxes contain the fewest endpoints of others.
    fn list_neighbors(&mut self, count: u32) {
        self.lists.clear();
        (0..count).for_each(|_| self.lists.add(&[]));
        let ends_inside = |axis: &SegmentTreeAxis| -> u64 {
            axis.endpoint_indices
                .iter()
                .map(|&[low, high]| u64::from(axis.circular_distance(low, high)))
                .sum()
        };
        let shortest = (0..D).min_by_key(|&axis| ends_inside(&self.axes[axis]));
        let axis = shortest.expect("space has axes");
        for body in 0..count {
            let mut place = self.axes[axis].endpoint_indices[body as usize][0] as usize;
            loop {
                place = self.axes[axis].next_index(place).expect("the upper end is ahead");
                let end = self.axes[axis].endpoints[place];
                if end == SegmentTreeEndpoint::new(body, true) {
                    break;
                }
                let other = end.body();
                // Each of two arcs may begin in the other; then the pair is found twice.
                if !end.is_upper()
                    && self.overlaps(body, other)
                    && !self.lists.of(body).contains(&other)
                {
                    self.lists.push(body, other);
                    self.lists.push(other, body);
                }
            }
        }
    }
}

impl<const D: usize> KineticNeighborStructure<D> for SegmentTrees<D> {
    fn start(&mut self, bodies: &HardSpheres<D>, now: f64) {
        let radii = (0..bodies.count() as u32).map(|body| bodies.radius_at(body, now));
        self.smallest_radius = radii.fold(f64::INFINITY, f64::min);
        for axis in 0..D {
            self.axes[axis].start(axis, bodies, now);
        }
        self.pending.clear();
        self.pending.resize(bodies.count(), PendingExchange { axis: 0, upper: false });
        self.list_neighbors(bodies.count() as u32);
    }

    fn next_change(&mut self, body: u32, bodies: &HardSpheres<D>, now: f64) -> f64 {
        let mut soonest = f64::INFINITY;
        for axis in 0..D {
            for upper in [false, true] {
                let end = SegmentTreeEndpoint::new(body, upper);
                let motion = end.motion(axis, bodies, now);
                let time = self.axes[axis].next_exchange(
                    end,
                    &motion,
                    axis,
                    bodies,
                    now,
                    self.smallest_radius,
                );
                if time < soonest {
                    soonest = time;
                    self.pending[body as usize] = PendingExchange { axis: axis as u8, upper };
                }
            }
        }
        soonest
    }

    fn apply_change(
        &mut self,
        body: u32,
        _bodies: &HardSpheres<D>,
        _now: f64,
        fresh: &mut Vec<u32>,
        touched: &mut AffectedBodies,
    ) {
        let PendingExchange { axis, upper } = self.pending[body as usize];
        let (axis, end) = (usize::from(axis), SegmentTreeEndpoint::new(body, upper));
        let place = self.axes[axis].index_of(end);
        let next = self.axes[axis].exchange(end);
        let other = next.body();
        // Three endpoints have another one after them now: this one, the one it was exchanged with, and the one
        // before both.
        touched.rescheduled.push(other);
        touched.rescheduled.extend(
            self.axes[axis]
                .previous_endpoint(place)
                .map(SegmentTreeEndpoint::body)
                .filter(|&b| b != body),
        );
        // Two lower or two upper endpoints that pass each other change no overlap.
        if end.is_upper() == next.is_upper() {
            return;
        }
        let neighbors = self.overlaps(body, other);
        let known = self.lists.of(body).contains(&other);
        if neighbors && !known {
            self.lists.push(body, other);
            self.lists.push(other, body);
            fresh.push(other);
        } else if known && !neighbors {
            self.lists.remove(body, other);
            self.lists.remove(other, body);
        }
    }

    fn update_deflected(
        &mut self,
        body: u32,
        _: &HardSpheres<D>,
        _: f64,
        touched: &mut AffectedBodies,
    ) {
        for axis in &self.axes {
            for place in axis.endpoint_indices[body as usize] {
                // The endpoint before each of the body's own waits for it, at a time that no longer holds.
                let before = axis.previous_endpoint(place as usize).map(SegmentTreeEndpoint::body);
                touched.rescheduled.extend(before.filter(|&owner| owner != body));
            }
        }
    }

    #[inline]
    fn neighbors<'a>(&'a self, body: u32, _: &'a mut Vec<u32>) -> &'a [u32] {
        self.lists.of(body)
    }

    /// Verifies order and lists. `is_interior` stays false: a body may travel any distance before its
    /// endpoints meet others, so that it could fly through a wall unnoticed.
    fn check(&self, bodies: &HardSpheres<D>, now: f64) -> Result<(), String> {
        for axis in 0..D {
            self.axes[axis].check(axis, bodies, now, self.smallest_radius)?;
        }
        let boxes: Vec<_> = (0..bodies.count() as u32)
            .map(|body| {
                (
                    bodies.wrapped_position_at(body, now),
                    bodies.radius_at(body, now) * (1.0 + MARGIN),
                )
            })
            .collect();
        let tolerance = TOLERANCE * self.smallest_radius;
        for a in 0..boxes.len() {
            let list = self.lists.of(a as u32);
            for b in (0..boxes.len()).filter(|&b| b != a) {
                let step = bodies.minimum_image_displacement(&boxes[a].0, &boxes[b].0);
                let apart = step.amax() - (boxes[a].1 + boxes[b].1);
                let listed = list.iter().filter(|&&other| other as usize == b).count();
                let right = match listed {
                    0 => apart >= -tolerance,
                    1 => apart <= tolerance,
                    _ => false,
                };
                if !right {
                    let fault = "but the number of times they are listed is";
                    return Err(format!(
                        "the boxes of {a} and {b} are {apart} apart {fault} {listed}"
                    ));
                }
            }
        }
        Ok(())
    }

    fn memory(&self) -> usize {
        let axis = |axis: &SegmentTreeAxis| {
            axis.endpoints.capacity() * 4 + axis.endpoint_indices.capacity() * 8
        };
        self.axes.iter().map(axis).sum::<usize>()
            + self.lists.memory()
            + self.pending.capacity() * size_of::<PendingExchange>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_ends_are_never_due_in_both_orders() {
        for now in [0.0, 1e-200, 1.0, 1e6] {
            for gap in [0.0, 1e-17, -1e-17] {
                for speed in [0.0, 1e-25, -1e-25, 1.0, -1.0] {
                    for acceleration in [0.0, 1.0, -1.0] {
                        let due = exchange_time(gap, speed, acceleration, now) <= now;
                        let due_back = exchange_time(-gap, -speed, -acceleration, now) <= now;
                        assert!(!(due && due_back), "{gap} {speed} {acceleration} at {now}");
                    }
                }
            }
        }
    }

    #[test]
    fn ends_at_one_place_are_exchanged_at_once_if_they_close_in() {
        assert_eq!(exchange_time(0.0, -1.0, 0.0, 3.0), 3.0);
        assert_eq!(exchange_time(0.0, -1.0, 0.0, 0.0), 0.0);
        assert_eq!(exchange_time(-1e-17, -1e-3, 0.0, 3.0), 3.0);
        assert_eq!(exchange_time(0.0, 1.0, 0.0, 3.0), f64::INFINITY);
        assert_eq!(exchange_time(0.5, -1.0, 0.0, 3.0), 3.5);
    }

    fn circle(ends: &[(u32, bool)]) -> SegmentTreeAxis {
        let mut axis = SegmentTreeAxis { period: Some(10.0), ..SegmentTreeAxis::default() };
        axis.endpoints =
            ends.iter().map(|&(body, upper)| SegmentTreeEndpoint::new(body, upper)).collect();
        axis.endpoint_indices = vec![[0; 2]; ends.len() / 2];
        (0..ends.len()).for_each(|place| axis.set_endpoint(place, axis.endpoints[place]));
        axis
    }

    #[test]
    fn arcs_overlap_across_the_seam() {
        let axis = circle(&[(0, true), (1, false), (1, true), (2, false), (0, false), (2, true)]);
        assert!(!axis.overlaps(0, 1) && !axis.overlaps(1, 2));
        assert!(axis.overlaps(0, 2) && axis.overlaps(2, 0));
    }

    #[test]
    fn an_exchange_across_the_seam_is_like_any_other() {
        let mut axis = circle(&[(0, false), (0, true), (1, false), (1, true)]);
        assert!(!axis.overlaps(0, 1));
        assert_eq!(
            axis.exchange(SegmentTreeEndpoint::new(1, true)),
            SegmentTreeEndpoint::new(0, false)
        );
        assert!(axis.overlaps(0, 1));
        assert_eq!(
            axis.exchange(SegmentTreeEndpoint::new(0, false)),
            SegmentTreeEndpoint::new(1, true)
        );
        assert!(!axis.overlaps(0, 1));
    }

    #[test]
    fn the_gap_on_a_circle_may_be_more_than_half_of_it() {
        let axis = circle(&[(0, false), (0, true)]);
        assert_eq!(axis.gap(1.0, 8.0, 0.5), 7.0);
        assert_eq!(axis.gap(8.0, 1.0, 0.5), 3.0);
        assert_eq!(axis.gap(-0.5, 10.5, 0.5), 1.0);
        assert_eq!(axis.gap(10.5, -0.5, 0.5), 9.0);
        assert_eq!(axis.gap(0.25, 0.0, 0.5), -0.25);
        assert_eq!(axis.gap(0.0, 9.75, 0.5), -0.25);
    }
}
