//! Neighbour shells: each body has a list of those it can meet before it leaves a small ball.
//!
//! A body is free to travel a certain distance from the centre where its list was made; leaving that
//! ball is an event of its own and renews this body's list only. Two bodies are neighbours when
//! their centres are nearer than the sum of their reaches, a reach being radius plus free travel. The
//! lists are those of Smallenburg, "Efficient event-driven simulations of hard spheres" (2022); the
//! grid of centres below has a level per class of sizes, so that mixtures of any ratio cost little.

use super::grid::SizedGrid;
use super::lists::Lists;
use super::marks::Marks;
use super::{Bodies, Coming, FetchStage, KineticNeighbours, MARGIN, Touched};
use crate::events::fetch::fetch;
use crate::events::first_touch::first_touch;
use crate::events::pages::ask_for_large_pages;
use carom_geometry::Vector;

/// See the module.
#[derive(Debug)]
pub struct Shells<const D: usize> {
    /// How far bodies may travel where the box has room for it.
    wanted_travel: f64,
    travel: f64,
    centres: Vec<Centre<D>>,
    grid: SizedGrid<D>,
    lists: Lists,
    reach: f64,
    valid_until: f64,
    found: Vec<u32>,
    dropped: Vec<u32>,
    is_found: Marks,
}

#[derive(Clone, Copy, Debug)]
struct Centre<const D: usize> {
    place: Vector<D>,
    /// Radius when the list was made, and free travel.
    reach: f64,
}

impl<const D: usize> Shells<D> {
    /// Shells in which every body may travel so far, or a little less where the box is small.
    pub fn new(travel: f64) -> Self {
        Shells {
            wanted_travel: travel,
            travel,
            centres: Vec::new(),
            grid: SizedGrid::default(),
            lists: Lists::default(),
            reach: 0.0,
            valid_until: f64::INFINITY,
            found: Vec::new(),
            dropped: Vec::new(),
            is_found: Marks::default(),
        }
    }

    fn reach_of(&self, body: u32, bodies: &Bodies<D>, now: f64) -> f64 {
        bodies.radius_at(body, now) * (1.0 + MARGIN) + self.travel
    }

    /// Fills `found` with all bodies near a place.
    fn find(&mut self, body: u32, bodies: &Bodies<D>, centre: &Centre<D>) {
        let Shells { grid, centres, found, .. } = self;
        found.clear();
        let mut keep = |other: u32, step: Vector<D>, partner: &Centre<D>| {
            let reach = centre.reach + partner.reach;
            if step.norm_squared() < reach * reach && other != body {
                found.push(other);
            }
        };
        for (class, reach) in grid.reaches().enumerate() {
            let far = centre.reach + reach;
            let inner = (0..D).all(|axis| {
                let (x, period) = (centre.place[axis], bodies.images.period[axis]);
                (period == 0.0) | ((x > far) & (x < period - far))
            });
            if inner {
                grid.visit(class, &centre.place, centre.reach, |other| {
                    let partner = &centres[other as usize];
                    keep(other, partner.place - centre.place, partner);
                });
            } else {
                grid.visit(class, &centre.place, centre.reach, |other| {
                    let partner = &centres[other as usize];
                    keep(other, bodies.shortest(&centre.place, &partner.place), partner);
                });
            }
        }
    }
}

/// Radii may grow by so much before the grid must be made anew, but never by more than half of what
/// the box has room for.
const HEADROOM: f64 = 1.1;

impl<const D: usize> KineticNeighbours<D> for Shells<D> {
    fn start(&mut self, bodies: &Bodies<D>, now: f64) {
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
        // Neighbours must be nearer than half a period whatever they do.
        self.travel = self.wanted_travel.min(0.2 * (half_period - widest));
        self.reach = widest * (1.0 + MARGIN) + 4.0 * self.travel;
        self.valid_until = if headroom > 1.0 {
            now + 0.99 * (headroom - 1.0) * bodies.growth.at(now) / bodies.growth.rate
        } else {
            f64::INFINITY
        };
        self.is_found.start(count as usize);
        self.centres.clear();
        for body in 0..count {
            let reach = self.reach_of(body, bodies, now);
            self.centres.push(Centre { place: bodies.place_at(body, now), reach });
        }
        let Shells { grid, centres, .. } = self;
        let centre = |body: u32| &centres[body as usize];
        grid.start(bodies, |body| centre(body).reach, headroom, |body| centre(body).place);
        self.lists.clear();
        for body in 0..count {
            let centre = self.centres[body as usize];
            self.find(body, bodies, &centre);
            self.lists.add(&self.found);
        }
    }

    fn next_change(&mut self, body: u32, bodies: &Bodies<D>, now: f64) -> f64 {
        let centre = &self.centres[body as usize];
        if bodies.straight {
            let left = (centre.reach - bodies.records[body as usize].radius * bodies.growth.value)
                * (1.0 - MARGIN);
            let gone = bodies.shortest(&centre.place, &bodies.position_at(body, now));
            let velocity = bodies.records[body as usize].velocity;
            let speed = velocity.norm_squared();
            let (outwards, room) = (gone.dot(&velocity), left * left - gone.norm_squared());
            // At rest it never leaves.
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
        let left = (centre.reach - bodies.radius_at(body, now)) * (1.0 - MARGIN);
        let gone = bodies.shortest(&centre.place, &bodies.position_at(body, now));
        let velocity = bodies.velocity_at(body, now);
        let widening = bodies.records[body as usize].radius * bodies.growth.rate;
        let acceleration = bodies.acceleration(body).norm_squared();
        let wait = if acceleration == 0.0 {
            first_touch(
                left * left - gone.norm_squared(),
                -2.0 * (gone.dot(&velocity) + widening * left),
                -2.0 * (velocity.norm_squared() - widening * widening),
            )
        } else {
            // Never too late: as if the pull acted outwards.
            let speed = velocity.norm() + widening;
            first_touch(left - gone.norm(), -speed, -acceleration.sqrt())
        };
        now + wait
    }

    fn change(
        &mut self,
        body: u32,
        bodies: &Bodies<D>,
        now: f64,
        fresh: &mut Vec<u32>,
        _touched: &mut Touched,
    ) {
        let place = bodies.place_at(body, now);
        let centre = Centre { place, reach: self.reach_of(body, bodies, now) };
        self.grid.recentre(body, &place);
        self.centres[body as usize] = centre;
        self.find(body, bodies, &centre);
        let Shells { lists, found, dropped, is_found, .. } = self;
        let known = lists.of(body);
        dropped.clear();
        found.iter().for_each(|&other| is_found.set(other));
        for &other in known {
            if !is_found.take(other) {
                dropped.push(other);
            }
        }
        for &other in &*found {
            if is_found.take(other) {
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

    fn redirect(&mut self, _: u32, _: &Bodies<D>, _: f64, _: &mut Touched) {}

    #[inline]
    fn neighbours<'a>(&'a self, body: u32, _: &'a mut Vec<u32>) -> &'a [u32] {
        self.lists.of(body)
    }

    #[inline]
    fn fetch(&self, body: u32, bodies: &Bodies<D>, stage: FetchStage, _: Coming) {
        match stage {
            FetchStage::Body => {
                fetch(&self.centres, body as usize);
                self.lists.fetch_place(body);
            }
            FetchStage::List => self.lists.fetch_list(body),
            FetchStage::Neighbours => {
                for &other in self.lists.of(body) {
                    fetch(&bodies.records, other as usize);
                }
            }
        }
    }

    fn ask_for_large_pages(&self) {
        ask_for_large_pages(&self.centres);
        self.lists.ask_for_large_pages();
    }

    #[inline]
    fn is_clear(&self, body: u32, bodies: &Bodies<D>, now: f64) -> bool {
        bodies.is_clear(body, now, self.reach)
    }

    fn valid_until(&self) -> f64 {
        self.valid_until
    }

    fn check(&self, bodies: &Bodies<D>, now: f64) -> Result<(), String> {
        for body in 0..bodies.count() as u32 {
            let centre = &self.centres[body as usize];
            let gone = bodies.shortest(&centre.place, &bodies.position_at(body, now)).norm();
            if gone + bodies.radius_at(body, now) > centre.reach {
                return Err(format!("body {body} has left its shell"));
            }
            let mut expected = Vec::new();
            for other in 0..bodies.count() as u32 {
                let partner = &self.centres[other as usize];
                let step = bodies.shortest(&centre.place, &partner.place).norm();
                if other != body && step < centre.reach + partner.reach {
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
            + self.centres.capacity() * size_of::<Centre<D>>()
            + self.grid.memory()
            + self.lists.memory()
    }
}
