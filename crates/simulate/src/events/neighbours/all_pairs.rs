use super::{Bodies, KineticNeighbours, Touched};
use crate::events::first_touch::first_touch;

/// Every body is a neighbour of every other: the baseline.
///
/// It changes only in periodic boxes, when a body has moved so far that another image of a partner
/// may be the nearest.
#[derive(Debug)]
pub struct AllPairs<const D: usize> {
    everyone: Vec<u32>,
    /// Where each body was when its images were last settled.
    centres: Vec<[f64; D]>,
    /// How far a body may go on each axis; infinite on axes without images.
    travel: [f64; D],
}

impl<const D: usize> AllPairs<D> {
    pub fn new() -> Self {
        AllPairs { everyone: Vec::new(), centres: Vec::new(), travel: [f64::INFINITY; D] }
    }
}

impl<const D: usize> KineticNeighbours<D> for AllPairs<D> {
    fn start(&mut self, bodies: &Bodies<D>, now: f64) {
        let count = bodies.count() as u32;
        self.everyone = (0..count).collect();
        self.centres = (0..count).map(|body| bodies.position_at(body, now).into()).collect();
        let radii = (0..count).map(|body| bodies.radius_at(body, now));
        let widest = 2.0 * radii.fold(0.0, f64::max);
        self.travel = std::array::from_fn(|axis| match bodies.boundary.period(axis) {
            // Each may go from one end of its travel to the other after the images were settled; all
            // that together must not bring the second nearest image into contact.
            Some(period) => 0.24 * (0.5 * period - widest),
            None => f64::INFINITY,
        });
    }

    fn next_change(&mut self, body: u32, bodies: &Bodies<D>, now: f64) -> f64 {
        if !bodies.boundary.is_periodic() {
            return f64::INFINITY;
        }
        let position = bodies.position_at(body, now);
        let velocity = bodies.velocity_at(body, now);
        let acceleration = bodies.acceleration(body);
        let mut soonest = f64::INFINITY;
        for axis in 0..D {
            let Some(period) = bodies.boundary.period(axis) else { continue };
            let gone = position[axis] - self.centres[body as usize][axis];
            let gone = gone - period * (gone / period).round();
            for way in [1.0, -1.0] {
                let left = self.travel[axis] - way * gone;
                let speed = -way * velocity[axis]
                    - bodies.records[body as usize].radius * bodies.growth.rate;
                let wait = first_touch(left, speed, -way * acceleration[axis]);
                soonest = soonest.min(now + wait);
            }
        }
        soonest
    }

    fn change(
        &mut self,
        body: u32,
        bodies: &Bodies<D>,
        now: f64,
        fresh: &mut Vec<u32>,
        _touched: &mut Touched,
    ) {
        self.centres[body as usize] = bodies.position_at(body, now).into();
        fresh.extend(self.everyone.iter().filter(|&&other| other != body));
    }

    fn redirect(&mut self, _: u32, _: &Bodies<D>, _: f64, _: &mut Touched) {}

    fn neighbours<'a>(&'a self, body: u32, found: &'a mut Vec<u32>) -> &'a [u32] {
        found.clear();
        found.extend(self.everyone.iter().filter(|&&other| other != body));
        found
    }

    fn check(&self, bodies: &Bodies<D>, _: f64) -> Result<(), String> {
        match self.everyone.len() == bodies.count() {
            true => Ok(()),
            false => Err(format!("{} of {} bodies known", self.everyone.len(), bodies.count())),
        }
    }

    fn memory(&self) -> usize {
        self.everyone.capacity() * 4 + self.centres.capacity() * size_of::<[f64; D]>()
    }
}
