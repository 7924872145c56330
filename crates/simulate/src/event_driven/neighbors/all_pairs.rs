//! The kinetic structure without any: every body is a neighbor.

use super::{AffectedBodies, HardSpheres, KineticNeighborStructure};
use crate::event_driven::gap_closing_time::gap_closing_time;

/// All pairs: every body is a neighbor of every other. The baseline, and best for a handful of bodies.
///
/// It changes only in periodic boxes, when a body has moved so far that another image of a partner
/// may be the nearest.
#[derive(Debug)]
pub struct KineticAllPairs<const D: usize> {
    all_bodies: Vec<u32>,
    /// Position of each body when its nearest images were last determined.
    centers: Vec<[f64; D]>,
    /// Distance that a body may travel from there along each axis; infinite on axes without a period.
    free_travel: [f64; D],
}

impl<const D: usize> KineticAllPairs<D> {
    pub fn new() -> Self {
        KineticAllPairs {
            all_bodies: Vec::new(),
            centers: Vec::new(),
            free_travel: [f64::INFINITY; D],
        }
    }
}

impl<const D: usize> KineticNeighborStructure<D> for KineticAllPairs<D> {
    fn start(&mut self, bodies: &HardSpheres<D>, now: f64) {
        let count = bodies.count() as u32;
        self.all_bodies = (0..count).collect();
        self.centers = (0..count).map(|body| bodies.position_at(body, now).into()).collect();
        let radii = (0..count).map(|body| bodies.radius_at(body, now));
        let widest = 2.0 * radii.fold(0.0, f64::max);
        self.free_travel = std::array::from_fn(|axis| match bodies.boundary.period(axis) {
            // Each of two bodies may travel from one end of its range to the other after its images
            // were determined; both together must not bring the second nearest image into contact.
            Some(period) => 0.24 * (0.5 * period - widest),
            None => f64::INFINITY,
        });
    }

    fn next_change(&mut self, body: u32, bodies: &HardSpheres<D>, now: f64) -> f64 {
        if !bodies.boundary.is_periodic() {
            return f64::INFINITY;
        }
        let position = bodies.position_at(body, now);
        let velocity = bodies.velocity_at(body, now);
        let acceleration = bodies.acceleration(body);
        let mut soonest = f64::INFINITY;
        for axis in 0..D {
            let Some(period) = bodies.boundary.period(axis) else { continue };
            let gone = position[axis] - self.centers[body as usize][axis];
            // A passage through the periodic face is no travel.
            let gone = gone - period * (gone / period).round();
            for direction in [1.0, -1.0] {
                let left = self.free_travel[axis] - direction * gone;
                let speed = -direction * velocity[axis]
                    - bodies.records[body as usize].radius * bodies.growth.rate;
                let wait = gap_closing_time(left, speed, -direction * acceleration[axis]);
                soonest = soonest.min(now + wait);
            }
        }
        soonest
    }

    fn apply_change(
        &mut self,
        body: u32,
        bodies: &HardSpheres<D>,
        now: f64,
        fresh: &mut Vec<u32>,
        _touched: &mut AffectedBodies,
    ) {
        self.centers[body as usize] = bodies.position_at(body, now).into();
        fresh.extend(self.all_bodies.iter().filter(|&&other| other != body));
    }

    fn update_deflected(&mut self, _: u32, _: &HardSpheres<D>, _: f64, _: &mut AffectedBodies) {}

    fn neighbors<'a>(&'a self, body: u32, found: &'a mut Vec<u32>) -> &'a [u32] {
        found.clear();
        found.extend(self.all_bodies.iter().filter(|&&other| other != body));
        found
    }

    fn check(&self, bodies: &HardSpheres<D>, _: f64) -> Result<(), String> {
        match self.all_bodies.len() == bodies.count() {
            true => Ok(()),
            false => Err(format!("{} of {} bodies known", self.all_bodies.len(), bodies.count())),
        }
    }

    fn memory(&self) -> usize {
        self.all_bodies.capacity() * 4 + self.centers.capacity() * size_of::<[f64; D]>()
    }
}
