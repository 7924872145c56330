//! The event loop, the only place that knows in which order things happen.

use super::calendar::Calendar;
use super::collision_prediction::{BoundaryProximity, PredictedCollision};
use super::collision_rule::{CollidingPair, CollisionRule};
use super::counters::Counters;
use super::hard_spheres::{FieldAcceleration, HardSpheres};
use super::huge_pages::advise_huge_pages;
use super::neighbors::{AffectedBodies, KineticNeighborStructure, PrefetchStage, UpcomingEvent};
use super::prefetch::prefetch;
use super::properties::CollisionProperties;
use super::region_face::RegionFace;
use super::schedule::{EventPartner, EventSchedule, NO_PARTNER, PREDICTION};
use super::settings::{FieldBody, Settings};
use crate::{BoundaryCondition, Restitution, WallLoad};
use carom_geometry::{Vector, embed_in_3d};

/// Number of events that each stage is prefetched ahead: schedule and record, list and partner, neighbors, and
/// the partner's neighbors. Each stage needs what the one before has loaded.
const PREFETCH_DISTANCES: [usize; 4] = [9, 6, 3, 1];
/// Up to this many bodies everything stays in the processor's caches, and prefetching is skipped.
const CACHE_RESIDENT_BODIES: usize = 12_000;

/// Number of events after which a run pauses, so that its caller can stop it.
const EVENTS_PER_PAUSE: u32 = 1 << 20;

/// Why a run returned.
///
/// ```
/// use carom_simulate::event_driven::{BodyStart, PauseReason, Region, Settings, Simulation};
/// let bodies = [
///     BodyStart::new([2.0, 5.0], [1.0, 0.0], 1.0),
///     BodyStart::new([6.0, 5.0], [-1.0, 0.0], 1.0),
/// ];
/// let mut simulation = Simulation::new(&bodies, Settings::new(Region::periodic([10.0, 10.0])))?;
/// assert_eq!(simulation.advance(1.5, 1), PauseReason::Collisions);
/// assert_eq!(simulation.now(), 1.0);
/// assert_eq!(simulation.advance(1.5, 1), PauseReason::Time);
/// # Ok::<(), carom_simulate::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PauseReason {
    /// The requested time is reached.
    Time,
    /// The requested number of collisions has happened.
    Collisions,
    /// About a million events of any kind were handled.
    Events,
}

/// Everything an event loop works on, except the neighbor structure.
pub struct EventLoopState<const D: usize> {
    pub bodies: HardSpheres<D>,
    pub properties: CollisionProperties<D>,
    pub schedules: Vec<EventSchedule>,
    pub settings: Settings<D>,
    pub contact_time: f64,
    /// Time for which bodies at rest on each other are apart between two collisions.
    pub rest_time: f64,
    pub counters: Counters,
    /// Impulses of collisions on both faces of each axis, the lower one first; see [`RegionFace::number`].
    pub face_impulses: Vec<WallLoad>,
    pub now: f64,
    pub calendar: Calendar,
    /// Id and time of the first body whose acceleration by the field was not finite.
    pub field_failure: Option<(u32, f64)>,
}

impl<const D: usize> EventLoopState<D> {
    /// Sets the acceleration of a body to that of the field at the midpoint of the next period.
    pub fn update_field_acceleration(&mut self, body: u32) {
        let Some(field) = &self.settings.field else { return };
        let record = &self.bodies.records[body as usize];
        let (mass, material) = (self.properties.mass(body), self.properties.material(body));
        let acts = |position: Vector<D>, velocity: Vector<D>, time: f64| {
            let (position, radius) =
                (self.bodies.image_in_box(position), self.bodies.radius_at(body, time));
            let body = FieldBody { position, velocity, time, mass, radius, material };
            self.settings.gravity + (field.acceleration)(&body)
        };
        let half = 0.5 * field.period;
        let now = acts(record.position, record.velocity, record.clock);
        // Midpoint rule: the error of a period is of third order, that of the acceleration at its start of second.
        let middle = record.position + record.velocity * half + now * (0.5 * half * half);
        let acceleration = acts(middle, record.velocity + now * half, record.clock + half);
        let valid_until = record.clock + field.period;
        let stored = &mut self.bodies.accelerations[body as usize];
        *stored = FieldAcceleration { acceleration, valid_until };
        // An infinite acceleration may lead to a middle so far away that it vanishes there.
        if now.iter().chain(&stored.acceleration).any(|part| !part.is_finite()) {
            // Without it no event of the body could be predicted; the caller of the loop ends the run.
            stored.acceleration = Vector::zeros();
            let failure = (self.schedules[body as usize].id, record.clock);
            self.field_failure.get_or_insert(failure);
        }
    }

    /// Sets the field accelerations of all bodies, whose records must be at the present.
    pub fn update_all_field_accelerations(&mut self) {
        (0..self.bodies.count() as u32).for_each(|body| self.update_field_acceleration(body));
    }

    /// Returns the acceleration of two bodies toward each other.
    #[inline]
    fn closing_acceleration(&self, a: u32, b: u32, separation: &Vector<D>) -> f64 {
        if self.bodies.accelerations.is_empty() {
            return 0.0;
        }
        let relative_acceleration = self.bodies.acceleration(b) - self.bodies.acceleration(a);
        -relative_acceleration.dot(separation) / separation.norm()
    }

    /// Returns the acceleration that holds two bodies in a lasting contact together.
    ///
    /// In a pile it is the weight of the bodies above, of which the two know nothing, so it is at least that
    /// of one body. And they must separate faster than their velocities are rounded, or they would collide
    /// again at the same time for ever.
    fn holding_acceleration(&self, a: u32, b: u32, separation: &Vector<D>) -> f64 {
        let speed = |body: u32| self.bodies.records[body as usize].velocity.norm();
        let rounding = VELOCITY_ROUNDING * (speed(a) + speed(b)) / self.contact_time;
        self.closing_acceleration(a, b, separation).max(self.settings.gravity.norm()).max(rounding)
    }
}

/// Relative difference below which two velocities count as equal.
const VELOCITY_ROUNDING: f64 = 1e-12;

/// The event loop with one neighbor structure, monomorphized for it.
pub struct EventLoop<const D: usize, S> {
    state: EventLoopState<D>,
    neighbors: S,
    neighbor_buffer: Vec<u32>,
    affected: AffectedBodies,
}

/// An event loop with any neighbor structure; dynamic dispatch happens outside the inner loop only.
pub trait AnyEventLoop<const D: usize>: Send + Sync {
    fn state(&self) -> &EventLoopState<D>;
    fn state_mut(&mut self) -> &mut EventLoopState<D>;
    /// Rebuilds neighbor structure, predictions and calendar for the bodies as they are.
    fn restart(&mut self);
    /// Handles all events up to `until`, but stops after `collisions` collisions, and pauses after about a
    /// million events of any kind.
    fn run(&mut self, until: f64, collisions: u64) -> PauseReason;
    /// Gives a body a new velocity now.
    fn kick(&mut self, body: u32, velocity: Vector<D>);
    /// Time at which the structure must be rebuilt.
    fn valid_until(&self) -> f64;
    /// Sum of the numbers of neighbors of all bodies: twice the number of neighbor pairs.
    fn neighbor_count(&self) -> u64;
    /// Largest number of neighbors of one body.
    fn max_neighbors(&self) -> usize;
    /// The neighbors of a body.
    fn neighbors(&self, body: u32) -> Vec<u32>;
    fn structure_memory(&self) -> usize;
    /// Counts of work that are specific to the structure, with their names.
    fn structure_statistics(&self) -> Vec<(&'static str, u64)>;
    /// Verifies the complete structure.
    fn check(&self) -> Result<(), String>;
}

impl<const D: usize, S: KineticNeighborStructure<D>> EventLoop<D, S> {
    pub fn new(state: EventLoopState<D>, neighbors: S) -> Self {
        EventLoop {
            state,
            neighbors,
            neighbor_buffer: Vec::new(),
            affected: AffectedBodies::default(),
        }
    }
}

impl<const D: usize, S: KineticNeighborStructure<D>> AnyEventLoop<D> for EventLoop<D, S> {
    fn state(&self) -> &EventLoopState<D> {
        &self.state
    }

    fn state_mut(&mut self) -> &mut EventLoopState<D> {
        &mut self.state
    }

    fn restart(&mut self) {
        self.state.counters.restarts += 1;
        self.neighbors.start(&self.state.bodies, self.state.now);
        for body in 0..self.state.bodies.count() as u32 {
            self.state.schedules[body as usize].change_time =
                self.neighbors.next_change(body, &self.state.bodies, self.state.now);
            self.predict(body);
        }
        self.state.calendar.rebuild(&self.state.schedules, self.state.now);
        advise_huge_pages(&self.state.bodies.records);
        advise_huge_pages(&self.state.schedules);
        self.neighbors.advise_huge_pages();
    }

    fn run(&mut self, until: f64, collisions: u64) -> PauseReason {
        let last = self.state.counters.collisions.saturating_add(collisions);
        let mut events = 0;
        while self.state.counters.collisions < last {
            // Events are counted and not collisions: a dilute system may have none for very long.
            if events == EVENTS_PER_PAUSE {
                return PauseReason::Events;
            }
            events += 1;
            let Some(entry) = self.state.calendar.pop(&self.state.schedules, until) else {
                if until < f64::INFINITY {
                    self.state.now = self.state.now.max(until);
                }
                return PauseReason::Time;
            };
            self.state.now = entry.time;
            self.prefetch_ahead();
            self.handle_event(entry.body);
        }
        PauseReason::Collisions
    }

    fn kick(&mut self, body: u32, velocity: Vector<D>) {
        self.state.bodies.advance(body, self.state.now);
        // Up to now the body flew at its old velocity, so the record is advanced first.
        self.state.bodies.records[body as usize].velocity = velocity;
        self.reschedule_deflected(body);
    }

    fn valid_until(&self) -> f64 {
        self.neighbors.valid_until()
    }

    fn neighbor_count(&self) -> u64 {
        let mut found = Vec::new();
        let bodies = 0..self.state.bodies.count() as u32;
        bodies.map(|body| self.neighbors.neighbors(body, &mut found).len() as u64).sum()
    }

    fn max_neighbors(&self) -> usize {
        let mut found = Vec::new();
        let bodies = 0..self.state.bodies.count() as u32;
        bodies.map(|body| self.neighbors.neighbors(body, &mut found).len()).max().unwrap_or(0)
    }

    fn neighbors(&self, body: u32) -> Vec<u32> {
        self.neighbors.neighbors(body, &mut Vec::new()).to_vec()
    }

    fn structure_memory(&self) -> usize {
        self.neighbors.memory()
    }

    fn structure_statistics(&self) -> Vec<(&'static str, u64)> {
        self.neighbors.statistics()
    }

    fn check(&self) -> Result<(), String> {
        self.neighbors.check(&self.state.bodies, self.state.now)
    }
}

impl<const D: usize, S: KineticNeighborStructure<D>> EventLoop<D, S> {
    /// Handles the next event of a body.
    #[inline]
    fn handle_event(&mut self, body: u32) {
        let schedule = self.state.schedules[body as usize];
        // Neighbors first: a body that becomes a neighbor now may be hit at this very time.
        if schedule.changes_first() {
            return self.change_neighbors(body);
        }
        match EventPartner::of(schedule.partner) {
            EventPartner::Body(partner) => {
                if self.state.schedules[partner as usize].deflections
                    == schedule.partner_deflections
                {
                    self.collide(body, partner);
                } else {
                    // Lazy invalidation: the partner was deflected after this prediction. Nothing was deleted then;
                    // the next event of the body is found again now.
                    self.state.counters.stale_events += 1;
                    self.predict(body);
                    self.insert_in_calendar(body);
                }
            }
            EventPartner::Face(end) => self.handle_face_crossing(body, end),
            EventPartner::Prediction => {
                self.state.counters.predictions += 1;
                self.state.bodies.advance(body, self.state.now);
                self.reschedule_deflected(body);
            }
        }
    }

    /// Prefetches what the coming events will read, in stages: first the schedule, which names the partner,
    /// then lists and neighbors.
    #[inline]
    fn prefetch_ahead(&self) {
        let EventLoopState { calendar, schedules, bodies, .. } = &self.state;
        if schedules.len() < CACHE_RESIDENT_BODIES {
            return;
        }
        let [farthest, far, near, nearest] = PREFETCH_DISTANCES;
        let ask = |body: u32, stage: PrefetchStage| {
            let schedule = &schedules[body as usize];
            let coming = if schedule.change_time <= schedule.event_time {
                UpcomingEvent::NeighborChange
            } else {
                UpcomingEvent::Prediction
            };
            self.neighbors.prefetch(body, bodies, stage, coming);
        };
        let ask_of_body = |body: u32| {
            prefetch(schedules, body as usize);
            prefetch(&bodies.records, body as usize);
            self.neighbors.prefetch(body, bodies, PrefetchStage::Body, UpcomingEvent::Prediction);
        };
        let partner = |body: u32| schedules[body as usize].next_body_partner(schedules.len());
        if let Some(body) = calendar.peek_ahead(farthest) {
            ask_of_body(body);
        }
        if let Some(body) = calendar.peek_ahead(far) {
            ask(body, PrefetchStage::List);
            partner(body).inspect(|&partner| ask_of_body(partner));
        }
        if let Some(body) = calendar.peek_ahead(near) {
            ask(body, PrefetchStage::Neighbors);
            partner(body).inspect(|&partner| {
                self.neighbors.prefetch(
                    partner,
                    bodies,
                    PrefetchStage::List,
                    UpcomingEvent::Prediction,
                );
            });
        }
        calendar.peek_ahead(nearest).and_then(partner).inspect(|&partner| {
            self.neighbors.prefetch(
                partner,
                bodies,
                PrefetchStage::Neighbors,
                UpcomingEvent::Prediction,
            );
        });
    }

    fn insert_in_calendar(&mut self, body: u32) {
        self.state.calendar.insert(body, self.state.schedules[body as usize].next_time());
    }

    /// Makes the due change of the neighbor structure for a body and tests its new neighbors.
    fn change_neighbors(&mut self, body: u32) {
        self.state.counters.structure_changes += 1;
        self.neighbor_buffer.clear();
        let (bodies, now) = (&self.state.bodies, self.state.now);
        self.neighbors.apply_change(
            body,
            bodies,
            now,
            &mut self.neighbor_buffer,
            &mut self.affected,
        );
        self.state.counters.fresh_neighbors += self.neighbor_buffer.len() as u64;
        self.state.counters.pair_tests += self.neighbor_buffer.len() as u64;
        // Taken out while methods of `self` read it, and put back below with its memory.
        let fresh = std::mem::take(&mut self.neighbor_buffer);
        let schedule = &self.state.schedules[body as usize];
        let known = PredictedCollision { time: schedule.event_time, partner: schedule.partner };
        let surroundings = self.boundary_proximity(body);
        let mut best = known;
        if surroundings == BoundaryProximity::NearFaces {
            // An interior body predicts no face crossing, since its neighbors change before it reaches a
            // face; now it may reach one.
            let end = self.next_face_crossing(body);
            best = if end.time < best.time { end } else { best };
        }
        best = self.earliest_collision(body, &fresh, surroundings, best);
        if best != known {
            self.set_predicted_collision(body, best);
        }
        self.neighbor_buffer = fresh;
        self.state.schedules[body as usize].change_time =
            self.neighbors.next_change(body, &self.state.bodies, now);
        self.insert_in_calendar(body);
        self.update_affected();
    }

    /// Predicts new pairs and reschedules bodies that a change of the structure has affected.
    fn update_affected(&mut self) {
        while let Some([body, other]) = self.affected.new_pairs.pop() {
            self.state.counters.fresh_neighbors += 1;
            self.state.counters.pair_tests += 1;
            let schedule = &self.state.schedules[body as usize];
            let known = PredictedCollision { time: schedule.event_time, partner: schedule.partner };
            // Whether faces are near is not known here; the general variant is right everywhere, and this is rare.
            let best = self.earliest_collision(body, &[other], BoundaryProximity::NearFaces, known);
            if best != known {
                self.set_predicted_collision(body, best);
                self.insert_in_calendar(body);
            }
        }
        while let Some(body) = self.affected.rescheduled.pop() {
            self.state.schedules[body as usize].change_time =
                self.neighbors.next_change(body, &self.state.bodies, self.state.now);
            self.insert_in_calendar(body);
        }
    }

    /// Finds the earliest event of a body: collision, face crossing or trajectory prediction.
    #[inline]
    fn predict(&mut self, body: u32) {
        let surroundings = self.boundary_proximity(body);
        let mut best = match surroundings {
            BoundaryProximity::Interior => PredictedCollision::NONE,
            BoundaryProximity::NearFaces => self.next_face_crossing(body),
        };
        let known_until = self.state.bodies.acceleration_valid_until(body);
        // Beyond this time the trajectory in the field is unknown, so nothing later may be predicted.
        if known_until <= best.time && known_until < f64::INFINITY {
            best = PredictedCollision { time: known_until, partner: PREDICTION };
        }
        let mut found = std::mem::take(&mut self.neighbor_buffer);
        let list = self.neighbors.neighbors(body, &mut found);
        self.state.counters.pair_tests += list.len() as u64;
        best = self.earliest_collision(body, list, surroundings, best);
        self.neighbor_buffer = found;
        self.set_predicted_collision(body, best);
    }

    #[inline]
    fn boundary_proximity(&self, body: u32) -> BoundaryProximity {
        match self.neighbors.is_interior(body, &self.state.bodies, self.state.now) {
            true => BoundaryProximity::Interior,
            false => BoundaryProximity::NearFaces,
        }
    }

    fn next_face_crossing(&self, body: u32) -> PredictedCollision {
        let (time, end) = self.state.bodies.next_face_crossing(body);
        let partner = if time < f64::INFINITY { EventPartner::face_code(end) } else { NO_PARTNER };
        PredictedCollision { time, partner }
    }

    #[inline]
    fn earliest_collision(
        &self,
        body: u32,
        list: &[u32],
        surroundings: BoundaryProximity,
        best: PredictedCollision,
    ) -> PredictedCollision {
        // Ties go to the smaller user's number; otherwise the order would depend on storage and structure.
        let number = |partner: u32| match self.state.schedules.get(partner as usize) {
            Some(schedule) => schedule.id,
            None => partner,
        };
        let before = |a: u32, b: u32| number(a) < number(b);
        self.state.bodies.earliest_collision(body, list, self.state.now, surroundings, best, before)
    }

    fn set_predicted_collision(&mut self, body: u32, collision: PredictedCollision) {
        let partner_deflections = self
            .state
            .schedules
            .get(collision.partner as usize)
            // Codes of faces and of predictions lie beyond the array: nothing deflects them.
            .map_or(0, |partner| partner.deflections);
        let schedule = &mut self.state.schedules[body as usize];
        schedule.event_time = collision.time;
        schedule.partner = collision.partner;
        schedule.partner_deflections = partner_deflections;
    }

    /// Predicts everything about a body again after its motion has changed.
    fn reschedule_deflected(&mut self, body: u32) {
        self.record_deflection(body);
        self.reschedule(body);
        self.update_affected();
    }

    /// Makes all events with this body as partner stale.
    fn record_deflection(&mut self, body: u32) {
        // Wraps around: a stale event passes for a current one only if exactly 2^32 deflections lie between.
        self.state.schedules[body as usize].deflections =
            self.state.schedules[body as usize].deflections.wrapping_add(1);
        self.state.update_field_acceleration(body);
    }

    fn reschedule(&mut self, body: u32) {
        // The structure first, since predictions read the neighbors from it.
        self.neighbors.update_deflected(
            body,
            &self.state.bodies,
            self.state.now,
            &mut self.affected,
        );
        self.state.schedules[body as usize].change_time =
            self.neighbors.next_change(body, &self.state.bodies, self.state.now);
        self.predict(body);
        self.insert_in_calendar(body);
    }

    /// Returns whether the last collision of a body is less than the contact time ago, and records this one.
    fn update_lasting_contact(&mut self, body: u32) -> bool {
        let Some(last) = self.state.properties.last_contacts.get_mut(body as usize) else {
            return false;
        };
        let lasting = self.state.now - *last < self.state.contact_time;
        *last = self.state.now;
        lasting
    }

    fn collision_rule(&mut self, restitutions: [Restitution; 2], lasting: bool) -> CollisionRule {
        self.state.counters.collapse_prevented += u64::from(lasting);
        CollisionRule {
            restitutions,
            lasting,
            rest_time: self.state.rest_time,
            time_resolution: match self.state.contact_time > 0.0 {
                true => f64::NEG_INFINITY,
                // Times of events are of the order of `now`, so its last digits are the shortest time that can
                // pass.
                false => 4.0 * f64::EPSILON * self.state.now,
            },
        }
    }

    /// Applies the collision of two bodies.
    fn collide(&mut self, a: u32, b: u32) {
        let now = self.state.now;
        self.state.bodies.advance(a, now);
        self.state.bodies.advance(b, now);
        // `|` and not `||`: both records must be updated.
        let lasting = self.update_lasting_contact(a) | self.update_lasting_contact(b);
        let restitutions =
            [a, b].map(|body| self.state.properties.restitution(&self.state.settings, body));
        let rule = self.collision_rule(restitutions, lasting);
        let (first, second) =
            (self.state.bodies.records[a as usize], self.state.bodies.records[b as usize]);
        let separation =
            self.state.bodies.minimum_image_displacement(&first.position, &second.position);
        let sum = first.radius + second.radius;
        let outcome = rule.collide(&CollidingPair {
            separation,
            relative_velocity: second.velocity - first.velocity,
            contact_distance_rate: sum * self.state.bodies.growth.rate,
            closing_acceleration: if lasting {
                self.state.holding_acceleration(a, b, &separation)
            } else {
                self.state.closing_acceleration(a, b, &separation)
            },
            masses: [self.state.properties.mass(a), self.state.properties.mass(b)],
        });
        self.state.bodies.records[a as usize].velocity += outcome.velocity_changes[0];
        self.state.bodies.records[b as usize].velocity += outcome.velocity_changes[1];
        let scale = self.state.bodies.growth.at(now);
        let gap = (outcome.distance - sum * scale) / (first.radius.min(second.radius) * scale);
        self.state.counters.smallest_gap = self.state.counters.smallest_gap.min(gap);
        // Clausius' virial: the impulse along the normal times the distance of the centers.
        self.state.counters.virial += outcome.impulse * outcome.distance;
        self.state.counters.dissipated += outcome.energy_loss;
        let ids = [a, b].map(|body| self.state.schedules[body as usize].id);
        self.state.counters.log_collision(now, ids[0], ids[1]);
        // Both are marked before either is predicted, so that neither takes up the other's stale event.
        self.record_deflection(a);
        self.record_deflection(b);
        self.reschedule(a);
        self.reschedule(b);
        self.update_affected();
    }

    fn handle_face_crossing(&mut self, body: u32, end: RegionFace) {
        self.state.bodies.advance(body, self.state.now);
        let size = self.state.settings.region.size[end.axis];
        match self.state.settings.region.boundary_conditions[end.axis] {
            BoundaryCondition::Periodic => self.cross_periodic_face(body, end, size),
            BoundaryCondition::Wall { restitution } => {
                let own = self.state.properties.restitution(&self.state.settings, body);
                self.bounce_off_wall(body, end, restitution.map_or(own, Restitution::Constant));
            }
            BoundaryCondition::Open => unreachable!("open axes have no faces"),
        }
        self.reschedule_deflected(body);
    }

    /// Moves a body from a periodic face to the opposite one.
    fn cross_periodic_face(&mut self, body: u32, end: RegionFace, size: f64) {
        self.state.counters.passages += 1;
        // Set and not shifted by a period: after rounding the body could be outside of the box.
        self.state.bodies.records[body as usize].position[end.axis] =
            if end.high { 0.0 } else { size };
        if let Some(passages) = self.state.properties.passages.get_mut(body as usize) {
            passages[end.axis] += if end.high { 1 } else { -1 };
        }
    }

    /// Applies the collision of a body with a wall.
    fn bounce_off_wall(&mut self, body: u32, end: RegionFace, restitution: Restitution) {
        let lasting = self.update_lasting_contact(body);
        let rule = self.collision_rule([restitution; 2], lasting);
        let outwards = if end.high { 1.0 } else { -1.0 };
        let push = outwards * self.state.bodies.acceleration(body)[end.axis];
        let mass = self.state.properties.mass(body);
        let record = &mut self.state.bodies.records[body as usize];
        // A growing body approaches the wall even at rest.
        let widening = record.radius * self.state.bodies.growth.rate;
        let before = record.velocity[end.axis];
        let approach = (outwards * before + widening).max(0.0);
        let rebound = rule.rebound_speed(approach, push);
        record.velocity[end.axis] -= outwards * (approach + rebound);
        let after = record.velocity[end.axis];
        let mut place = embed_in_3d(&record.position);
        place[end.axis] = if end.high { self.state.settings.region.size[end.axis] } else { 0.0 };
        let mut momentum = Vector::<3>::zeros();
        momentum[end.axis] = outwards * (mass * (approach + rebound));
        // Faces of the box do not move; their torque is about the origin.
        self.state.face_impulses[end.number()].add(&WallLoad {
            contacts: 1,
            force: momentum,
            torque: place.cross(&momentum),
            power: 0.5 * mass * (after * after - before * before),
        });
        let radius = record.radius * self.state.bodies.growth.at(self.state.now);
        self.state.counters.wall_collisions += 1;
        self.state.counters.wall_momentum += mass * (approach + rebound);
        self.state.counters.virial += radius * mass * (approach + rebound);
        self.state.counters.dissipated += 0.5 * mass * (approach * approach - rebound * rebound);
    }
}
