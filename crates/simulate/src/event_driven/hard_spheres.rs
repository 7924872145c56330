//! Hard spheres: their records, their free flight between events, and their contact times.

use super::body::Body;
use super::contact_time_simd::MinimumImage;
use super::gap_closing_time::gap_closing_time;
use super::quartic::Quartic;
use super::region_face::RegionFace;
use super::settings::Settings;
use crate::{BoundaryCondition, Region};
use carom_geometry::simd::Avx2Fma;
use carom_geometry::{Boundary, Vector};

/// All bodies in storage order, and everything that their motion depends on.
#[derive(Clone, Debug)]
pub struct HardSpheres<const D: usize> {
    pub records: Vec<Body<D>>,
    pub region: Region<D>,
    pub boundary: Boundary<D>,
    pub gravity: Vector<D>,
    /// Acceleration of each body in a force field, gravity included; empty without a field.
    pub accelerations: Vec<FieldAcceleration<D>>,
    pub growth: RadiusScale,
    pub images: MinimumImage<D>,
    /// Proof that the processor has AVX2 and fused multiply-add, if it has.
    pub avx2: Option<Avx2Fma>,
    /// Whether there is neither gravity nor field nor growth: straight paths and constant radii.
    pub uniform_motion: bool,
}

/// The constant acceleration that stands for the force field over one period.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FieldAcceleration<const D: usize> {
    /// Acceleration, gravity included, in length / time².
    pub acceleration: Vector<D>,
    /// Time at which the field must be evaluated again.
    pub valid_until: f64,
}

/// The scale of all radii, `value + rate (t - since)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RadiusScale {
    /// Scale at the time `since`.
    pub value: f64,
    /// Growth rate of the scale, per time.
    pub rate: f64,
    /// Time for which `value` is given.
    pub since: f64,
}

impl RadiusScale {
    /// Scale one, without growth.
    pub(crate) const CONSTANT: RadiusScale = RadiusScale { value: 1.0, rate: 0.0, since: 0.0 };

    /// Returns the scale at a time.
    ///
    /// ```
    /// use carom_simulate::event_driven::RadiusScale;
    /// let scale = RadiusScale { value: 1.5, rate: 0.25, since: 2.0 };
    /// assert_eq!((scale.at(2.0), scale.at(4.0)), (1.5, 2.0));
    /// ```
    #[inline]
    pub fn at(&self, time: f64) -> f64 {
        self.value + self.rate * (time - self.since)
    }
}

impl<const D: usize> HardSpheres<D> {
    pub fn new(
        records: Vec<Body<D>>,
        settings: &Settings<D>,
        growth: RadiusScale,
        accelerations: Vec<FieldAcceleration<D>>,
    ) -> Self {
        let region = settings.region;
        let boundary = region.boundary().expect("the region was checked");
        let period = std::array::from_fn(|axis| boundary.period(axis).unwrap_or(0.0));
        let half = period.map(|period| if period > 0.0 { 0.5 * period } else { f64::INFINITY });
        let mut bodies = HardSpheres {
            records,
            region,
            boundary,
            gravity: settings.gravity,
            accelerations,
            growth,
            images: MinimumImage { half, period },
            avx2: Avx2Fma::detect(),
            uniform_motion: false,
        };
        bodies.update_uniform_motion();
        bodies.uniform_motion &= settings.field.is_none();
        bodies
    }

    /// Updates `uniform_motion`; must be called when growth begins or ends.
    pub fn update_uniform_motion(&mut self) {
        let pulled = self.gravity.norm_squared() > 0.0 || !self.accelerations.is_empty();
        self.uniform_motion = !pulled && self.growth.rate == 0.0;
    }

    pub fn count(&self) -> usize {
        self.records.len()
    }

    #[inline]
    pub fn acceleration(&self, body: u32) -> Vector<D> {
        match self.accelerations.get(body as usize) {
            Some(field) => field.acceleration,
            None => self.gravity,
        }
    }

    /// Returns the time until which the acceleration of a body is known; infinite without a field.
    #[inline]
    pub fn acceleration_valid_until(&self, body: u32) -> f64 {
        self.accelerations.get(body as usize).map_or(f64::INFINITY, |field| field.valid_until)
    }

    #[inline]
    pub fn position_at(&self, body: u32, time: f64) -> Vector<D> {
        let record = &self.records[body as usize];
        let passed = time - record.clock;
        let straight = record.position + record.velocity * passed;
        if self.uniform_motion {
            return straight;
        }
        straight + self.acceleration(body) * (0.5 * passed * passed)
    }

    #[inline]
    pub fn velocity_at(&self, body: u32, time: f64) -> Vector<D> {
        let record = &self.records[body as usize];
        if self.uniform_motion {
            return record.velocity;
        }
        record.velocity + self.acceleration(body) * (time - record.clock)
    }

    /// Returns the image of a position in the box, to the bit itself if it is there; faces are in the box.
    pub fn image_in_box(&self, position: Vector<D>) -> Vector<D> {
        let wrapped = self.boundary.wrap(position);
        Vector::from_fn(|axis, _| {
            let is_inside = (0.0..=self.region.size[axis]).contains(&position[axis]);
            if is_inside { position[axis] } else { wrapped[axis] }
        })
    }

    /// Returns the position at a time, wrapped into the box on periodic axes.
    #[inline]
    pub fn wrapped_position_at(&self, body: u32, time: f64) -> Vector<D> {
        self.boundary.wrap(self.position_at(body, time))
    }

    #[inline]
    pub fn radius_at(&self, body: u32, time: f64) -> f64 {
        self.records[body as usize].radius * self.growth.at(time)
    }

    /// Returns the minimum-image displacement between two positions in the box.
    #[inline]
    pub fn minimum_image_displacement(&self, from: &Vector<D>, to: &Vector<D>) -> Vector<D> {
        let separation = to - from;
        separation + Vector::from_fn(|axis, _| self.images.shift(axis, separation[axis]))
    }

    /// Advances the record of a body to `time`.
    ///
    /// Only the body's own events may do so: another split of a free flight would round differently, and
    /// collisions would then depend on the neighbor structure.
    #[inline]
    pub fn advance(&mut self, body: u32, time: f64) {
        let (position, velocity) = (self.position_at(body, time), self.velocity_at(body, time));
        let record = &mut self.records[body as usize];
        record.position = position;
        record.velocity = velocity;
        record.clock = time;
    }

    /// Returns the next contact time of two bodies; infinite if never, or not while both trajectories are known.
    ///
    /// `now` only decides which periodic images are nearest. Otherwise the result depends on the two records
    /// alone, to the bit, and not on their order.
    pub fn time_of_contact(&self, a: u32, b: u32, now: f64) -> f64 {
        let (first, second) = (&self.records[a as usize], &self.records[b as usize]);
        let start = first.clock.max(second.clock);
        let mut separation = self.position_at(b, start) - self.position_at(a, start);
        if self.boundary.is_periodic() {
            let current_separation = self.position_at(b, now) - self.position_at(a, now);
            separation +=
                Vector::from_fn(|axis, _| self.images.shift(axis, current_separation[axis]));
        }
        let velocity = self.velocity_at(b, start) - self.velocity_at(a, start);
        let sum = first.radius + second.radius;
        let (contact_distance, widening) = (sum * self.growth.at(start), sum * self.growth.rate);
        let gap = separation.norm_squared() - contact_distance * contact_distance;
        let half_speed = separation.dot(&velocity) - contact_distance * widening;
        let curvature = velocity.norm_squared() - widening * widening;
        if self.accelerations.is_empty() {
            // Equal accelerations cancel: |x + v t|² − (d + w t)² is a parabola, like a gap of constant
            // acceleration.
            return start + gap_closing_time(gap, 2.0 * half_speed, 2.0 * curvature);
        }
        let relative_acceleration = self.acceleration(b) - self.acceleration(a);
        let horizon =
            self.acceleration_valid_until(a).min(self.acceleration_valid_until(b)) - start;
        // Most pairs cannot touch before the field is evaluated again; a bound on the distance traveled
        // spares them the quartic.
        let farthest =
            velocity.norm() * horizon + 0.5 * relative_acceleration.norm() * horizon * horizon;
        let widest = contact_distance + widening * horizon;
        if horizon < 0.0 || separation.norm_squared() > (farthest + widest) * (farthest + widest) {
            return f64::INFINITY;
        }
        // |x + v t + a t² / 2|² - (d + w t)², constant first: different accelerations make it a quartic.
        let coefficients = [
            gap,
            2.0 * half_speed,
            curvature + separation.dot(&relative_acceleration),
            velocity.dot(&relative_acceleration),
            0.25 * relative_acceleration.norm_squared(),
        ];
        start + Quartic { coefficients }.closing_time(horizon)
    }

    /// Returns the time at which a body next reaches a wall or a periodic face, and which.
    #[inline]
    pub fn next_face_crossing(&self, body: u32) -> (f64, RegionFace) {
        let record = &self.records[body as usize];
        let mut soonest = (f64::INFINITY, RegionFace { axis: 0, high: false });
        for axis in 0..D {
            let inset = match self.region.boundary_conditions[axis] {
                BoundaryCondition::Open => continue,
                BoundaryCondition::Periodic => 0.0,
                BoundaryCondition::Wall { .. } => record.radius * self.growth.value,
            };
            let high = record.velocity[axis] > 0.0;
            if !self.uniform_motion {
                let wait = self.next_face_crossing_on(body, axis);
                if record.clock + wait.0 < soonest.0 {
                    soonest = (record.clock + wait.0, RegionFace { axis, high: wait.1 });
                }
                continue;
            }
            // A velocity of zero would give 0 / 0 or a wait of minus infinity, and so an event at once.
            if record.velocity[axis] == 0.0 {
                continue;
            }
            let end = if high { self.region.size[axis] - inset } else { inset };
            let wait = (end - record.position[axis]) / record.velocity[axis];
            let time = record.clock + wait.max(0.0);
            if time < soonest.0 {
                soonest = (time, RegionFace { axis, high });
            }
        }
        soonest
    }

    /// Returns how long it takes a body to reach a face of one axis if paths are curved or radii grow, and
    /// whether it is the high one.
    fn next_face_crossing_on(&self, body: u32, axis: usize) -> (f64, bool) {
        let record = &self.records[body as usize];
        let walled = !matches!(self.region.boundary_conditions[axis], BoundaryCondition::Periodic);
        let inset = if walled { record.radius } else { 0.0 };
        let (radius, widening) = (inset * self.growth.at(record.clock), inset * self.growth.rate);
        let acceleration = self.acceleration(body)[axis];
        let wait = |high: bool| {
            let outwards = if high { 1.0 } else { -1.0 };
            let x = record.position[axis];
            let gap = if high { self.region.size[axis] - x } else { x } - radius;
            let speed = -outwards * record.velocity[axis] - widening;
            gap_closing_time(gap, speed, -outwards * acceleration)
        };
        let (low, high) = (wait(false), wait(true));
        if high < low { (high, true) } else { (low, false) }
    }
}

#[cfg(test)]
mod tests {
    use super::Vector;
    use crate::event_driven::{BodyStart, Region, Settings, Simulation};

    #[test]
    fn a_body_at_rest_on_an_axis_never_meets_its_ends() {
        for region in [Region::periodic([8.0, 8.0]), Region::walled([8.0, 8.0])] {
            for rest in [0.0, -0.0] {
                let body = BodyStart::new([2.0, 3.0], [1.0, rest], 0.25);
                let mut simulation = Simulation::new(&[body], Settings::new(region)).unwrap();
                simulation.advance(3.0, u64::MAX);
                assert_eq!(simulation.position(0), Vector::from([5.0, 3.0]));
                let counters = simulation.counters();
                assert_eq!((counters.passages, counters.wall_collisions), (0, 0));
            }
        }
    }
}
