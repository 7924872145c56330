//! Neighbor lists with analytic expiry: each body has a list of all bodies it can collide with before it
//! leaves a ball around the position where the list was built.
//!
//! The radius of that ball is the free travel, a Verlet skin per body. Leaving it is an event of its own
//! and renews the list of this body only. Two bodies are neighbors when the centers of their balls are
//! closer than the sum of their reaches, a reach being radius plus free travel. The lists are those of
//! Smallenburg, "Efficient event-driven simulations of hard spheres" (2022); the grid of centers has a
//! level per size class, so that mixtures of any ratio cost little.

use super::body_bit_set::BodyBitSet;
use super::list_pool::ListPool;
use super::size_class_grid::SizeClassGrid;
use super::{
    AffectedBodies, HardSpheres, KineticNeighborStructure, MARGIN, PrefetchStage, UpcomingEvent,
};
use crate::event_driven::gap_closing_time::gap_closing_time;
use crate::event_driven::huge_pages::advise_huge_pages;
use crate::event_driven::prefetch::prefetch;
use carom_geometry::Vector;

/// Neighbor lists; see the module.
#[derive(Debug)]
pub struct NeighborLists<const D: usize> {
    /// The free travel that is wanted; less where a period is short.
    wanted_free_travel: f64,
    free_travel: f64,
    centers: Vec<NeighborListCenter<D>>,
    grid: SizeClassGrid<D>,
    lists: ListPool,
    reach: f64,
    valid_until: f64,
    found: Vec<u32>,
    dropped: Vec<u32>,
    is_found: BodyBitSet,
}

#[derive(Clone, Copy, Debug)]
struct NeighborListCenter<const D: usize> {
    position: Vector<D>,
    /// Radius when the list was built plus free travel.
    reach: f64,
}

impl<const D: usize> NeighborLists<D> {
    /// Makes lists in which every body may travel by `free_travel`, or less where a period is short.
    pub fn new(free_travel: f64) -> Self {
        NeighborLists {
            wanted_free_travel: free_travel,
            free_travel,
            centers: Vec::new(),
            grid: SizeClassGrid::default(),
            lists: ListPool::default(),
            reach: 0.0,
            valid_until: f64::INFINITY,
            found: Vec::new(),
            dropped: Vec::new(),
            is_found: BodyBitSet::default(),
        }
    }

    fn reach_of(&self, body: u32, bodies: &HardSpheres<D>, now: f64) -> f64 {
        bodies.radius_at(body, now) * (1.0 + MARGIN) + self.free_travel
    }

    /// Fills `found` with all neighbors of a body whose list is centered at `center`.
    fn find_neighbors(
        &mut self,
        body: u32,
        bodies: &HardSpheres<D>,
        center: &NeighborListCenter<D>,
    ) {
        let NeighborLists { grid, centers, found, .. } = self;
        found.clear();
        let mut keep = |other: u32, separation: Vector<D>, partner: &NeighborListCenter<D>| {
            let reach = center.reach + partner.reach;
            if separation.norm_squared() < reach * reach && other != body {
                found.push(other);
            }
        };
        for (class, reach) in grid.reaches().enumerate() {
            let far = center.reach + reach;
            // Far from periodic faces the minimum image is the plain difference; most bodies are.
            let inner = (0..D).all(|axis| {
                let (x, period) = (center.position[axis], bodies.images.period[axis]);
                (period == 0.0) | ((x > far) & (x < period - far))
            });
            if inner {
                grid.visit(class, &center.position, center.reach, |other| {
                    let partner = &centers[other as usize];
                    keep(other, partner.position - center.position, partner);
                });
            } else {
                grid.visit(class, &center.position, center.reach, |other| {
                    let partner = &centers[other as usize];
                    keep(
                        other,
                        bodies.minimum_image_displacement(&center.position, &partner.position),
                        partner,
                    );
                });
            }
        }
    }
}

/// Factor by which radii may grow before the grid must be rebuilt, but never by more than half of what
/// the box has room for.
const HEADROOM: f64 = 1.1;

impl<const D: usize> KineticNeighborStructure<D> for NeighborLists<D> {
    fn start(&mut self, bodies: &HardSpheres<D>, now: f64) {
        let count = bodies.count() as u32;
        let widest_now =
            2.0 * (0..count).map(|body| bodies.radius_at(body, now)).fold(0.0, f64::max);
        let periods = (0..D).filter_map(|axis| bodies.boundary.period(axis));
        let half_period = 0.5 * periods.fold(f64::INFINITY, f64::min);
        let headroom = match bodies.growth.rate > 0.0 {
            true => HEADROOM.min(0.5 + 0.5 * half_period / widest_now),
            false => 1.0,
        };
        let widest = headroom * widest_now;
        // Neighbors must stay closer than half a period wherever they travel, so that images are unique.
        self.free_travel = self.wanted_free_travel.min(0.2 * (half_period - widest));
        // A body farther than this from all faces meets neither a face nor a neighbor through one before its list
        // is renewed.
        self.reach = widest * (1.0 + MARGIN) + 4.0 * self.free_travel;
        self.valid_until = if headroom > 1.0 {
            now + 0.99 * (headroom - 1.0) * bodies.growth.at(now) / bodies.growth.rate
        } else {
            f64::INFINITY
        };
        self.is_found.reset(count as usize);
        self.centers.clear();
        for body in 0..count {
            let reach = self.reach_of(body, bodies, now);
            self.centers.push(NeighborListCenter {
                position: bodies.wrapped_position_at(body, now),
                reach,
            });
        }
        let NeighborLists { grid, centers, .. } = self;
        let center = |body: u32| &centers[body as usize];
        grid.start(bodies, |body| center(body).reach, headroom, |body| center(body).position);
        self.lists.clear();
        for body in 0..count {
            let center = self.centers[body as usize];
            self.find_neighbors(body, bodies, &center);
            self.lists.add(&self.found);
        }
    }

    fn next_change(&mut self, body: u32, bodies: &HardSpheres<D>, now: f64) -> f64 {
        let center = &self.centers[body as usize];
        if bodies.uniform_motion {
            let left = (center.reach - bodies.records[body as usize].radius * bodies.growth.value)
                * (1.0 - MARGIN);
            let gone =
                bodies.minimum_image_displacement(&center.position, &bodies.position_at(body, now));
            let velocity = bodies.records[body as usize].velocity;
            let speed = velocity.norm_squared();
            let (outwards, room) = (gone.dot(&velocity), left * left - gone.norm_squared());
            // Root of |gone + v t|² = left² in the form without cancellation for either sign of `outwards`. At
            // rest it is not a number: the body never leaves.
            let root = (outwards * outwards + speed * room).max(0.0).sqrt();
            let wait =
                if outwards > 0.0 { room / (root + outwards) } else { (root - outwards) / speed };
            return if wait >= 0.0 {
                now + wait
            } else if speed > 0.0 {
                now
            } else {
                f64::INFINITY
            };
        }
        let left = (center.reach - bodies.radius_at(body, now)) * (1.0 - MARGIN);
        let gone =
            bodies.minimum_image_displacement(&center.position, &bodies.position_at(body, now));
        let velocity = bodies.velocity_at(body, now);
        let widening = bodies.records[body as usize].radius * bodies.growth.rate;
        let acceleration = bodies.acceleration(body).norm_squared();
        let wait = if acceleration == 0.0 {
            gap_closing_time(
                left * left - gone.norm_squared(),
                -2.0 * (gone.dot(&velocity) + widening * left),
                -2.0 * (velocity.norm_squared() - widening * widening),
            )
        } else {
            // A conservative bound, as if the acceleration pointed outwards: early, never late.
            let speed = velocity.norm() + widening;
            gap_closing_time(left - gone.norm(), -speed, -acceleration.sqrt())
        };
        now + wait
    }

    fn apply_change(
        &mut self,
        body: u32,
        bodies: &HardSpheres<D>,
        now: f64,
        fresh: &mut Vec<u32>,
        _touched: &mut AffectedBodies,
    ) {
        let place = bodies.wrapped_position_at(body, now);
        let center =
            NeighborListCenter { position: place, reach: self.reach_of(body, bodies, now) };
        self.grid.recenter(body, &place);
        self.centers[body as usize] = center;
        self.find_neighbors(body, bodies, &center);
        // Old and new list are compared through a bit set, in time linear in their lengths: mixtures, whose
        // large bodies have long lists, ran a tenth faster than by searching.
        let NeighborLists { lists, found, dropped, is_found, .. } = self;
        let known = lists.of(body);
        dropped.clear();
        found.iter().for_each(|&other| is_found.insert(other));
        for &other in known {
            if !is_found.remove(other) {
                dropped.push(other);
            }
        }
        for &other in &*found {
            if is_found.remove(other) {
                fresh.push(other);
            }
        }
        for &other in &*dropped {
            lists.remove(other, body);
        }
        for &other in &*fresh {
            lists.push(other, body);
        }
        lists.replace(body, found);
    }

    fn update_deflected(&mut self, _: u32, _: &HardSpheres<D>, _: f64, _: &mut AffectedBodies) {}

    #[inline]
    fn neighbors<'a>(&'a self, body: u32, _: &'a mut Vec<u32>) -> &'a [u32] {
        self.lists.of(body)
    }

    #[inline]
    fn prefetch(&self, body: u32, bodies: &HardSpheres<D>, stage: PrefetchStage, _: UpcomingEvent) {
        match stage {
            PrefetchStage::Body => {
                prefetch(&self.centers, body as usize);
                self.lists.prefetch_span(body);
            }
            PrefetchStage::List => self.lists.prefetch_list(body),
            PrefetchStage::Neighbors => {
                for &other in self.lists.of(body) {
                    prefetch(&bodies.records, other as usize);
                }
            }
        }
    }

    fn advise_huge_pages(&self) {
        advise_huge_pages(&self.centers);
        self.lists.advise_huge_pages();
    }

    #[inline]
    fn is_interior(&self, body: u32, bodies: &HardSpheres<D>, now: f64) -> bool {
        bodies.is_interior(body, now, self.reach)
    }

    fn valid_until(&self) -> f64 {
        self.valid_until
    }

    fn check(&self, bodies: &HardSpheres<D>, now: f64) -> Result<(), String> {
        for body in 0..bodies.count() as u32 {
            let center = &self.centers[body as usize];
            let gone = bodies
                .minimum_image_displacement(&center.position, &bodies.position_at(body, now))
                .norm();
            if gone + bodies.radius_at(body, now) > center.reach {
                return Err(format!("body {body} has left the ball of its neighbor list"));
            }
            let mut expected = Vec::new();
            for other in 0..bodies.count() as u32 {
                let partner = &self.centers[other as usize];
                let separation =
                    bodies.minimum_image_displacement(&center.position, &partner.position).norm();
                if other != body && separation < center.reach + partner.reach {
                    expected.push(other);
                }
            }
            let mut listed = self.lists.of(body).to_vec();
            listed.sort_unstable();
            if listed != expected {
                return Err(format!("the list of body {body} is {listed:?}, not {expected:?}"));
            }
        }
        Ok(())
    }

    fn memory(&self) -> usize {
        self.is_found.memory()
            + self.centers.capacity() * size_of::<NeighborListCenter<D>>()
            + self.grid.memory()
            + self.lists.memory()
    }
}
