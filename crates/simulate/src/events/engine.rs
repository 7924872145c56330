//! The loop of events, the only place that knows the order of things.

use super::bodies::Bodies;
use super::calendar::Calendar;
use super::collision::{Impact, Rule};
use super::counters::Counters;
use super::end::End;
use super::fetch::fetch;
use super::neighbours::{Coming, FetchStage, KineticNeighbours, Touched};
use super::pages::ask_for_large_pages;
use super::predict::{Meeting, Surroundings};
use super::properties::Properties;
use super::schedule::{NOTHING, PREDICTION, Partner, Schedule};
use super::settings::Settings;
use carom_geometry::Vector;
use carom_scene::scene::{Restitution, Side};

/// How many events ahead memory is asked for what.
const LOOK_AHEAD: [usize; 4] = [9, 6, 3, 1];
/// So many bodies are near the processor anyway.
const FEW_BODIES: usize = 12_000;

/// After so many events a run pauses, so that whoever runs it can stop it.
const EVENTS_PER_PAUSE: u32 = 1 << 20;

/// Why a run came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pause {
    /// The time asked for is reached.
    Time,
    /// As many collisions as asked for have happened.
    Collisions,
    /// About a million events of any kind were handled.
    Events,
}

/// Everything but the neighbour structure.
pub struct Core<const D: usize> {
    pub bodies: Bodies<D>,
    pub properties: Properties<D>,
    pub schedules: Vec<Schedule>,
    pub settings: Settings<D>,
    pub contact_time: f64,
    /// How long bodies at rest on each other are apart between two collisions.
    pub rest_time: f64,
    pub counters: Counters,
    pub now: f64,
    pub calendar: Calendar,
}

impl<const D: usize> Core<D> {
    /// The field's acceleration in the middle of the next period.
    pub fn pull(&mut self, body: u32) {
        let Some(field) = &self.settings.field else { return };
        let record = &self.bodies.records[body as usize];
        let acts = |position: Vector<D>, velocity: Vector<D>, time: f64| {
            self.settings.gravity + (field.acceleration)(position, velocity, time)
        };
        let half = 0.5 * field.period;
        let now = acts(record.position, record.velocity, record.clock);
        let middle = record.position + record.velocity * half + now * (0.5 * half * half);
        let pull = &mut self.bodies.pulls[body as usize];
        pull.acceleration = acts(middle, record.velocity + now * half, record.clock + half);
        pull.until = record.clock + field.period;
    }

    /// The field's acceleration of all bodies, whose records are at the present.
    pub fn pull_all(&mut self) {
        (0..self.bodies.count() as u32).for_each(|body| self.pull(body));
    }

    /// Acceleration of two bodies towards each other.
    #[inline]
    fn push(&self, a: u32, b: u32, step: &Vector<D>) -> f64 {
        if self.bodies.pulls.is_empty() {
            return 0.0;
        }
        let pull = self.bodies.acceleration(b) - self.bodies.acceleration(a);
        -pull.dot(step) / step.norm()
    }

    /// Acceleration that holds two bodies in a lasting contact together.
    ///
    /// In a pile it is the weight of others, of which the two know nothing, so it is at least that
    /// of one. And they must part faster than their velocities are rounded, or they meet again at
    /// the same time for ever.
    fn hold(&self, a: u32, b: u32, step: &Vector<D>) -> f64 {
        let speed = |body: u32| self.bodies.records[body as usize].velocity.norm();
        let rounding = ROUNDING * (speed(a) + speed(b)) / self.contact_time;
        self.push(a, b, step).max(self.settings.gravity.norm()).max(rounding)
    }
}

/// Velocities that differ by less of their size are the same.
const ROUNDING: f64 = 1e-12;

/// A neighbour structure and all it works on.
pub struct Engine<const D: usize, S> {
    core: Core<D>,
    neighbours: S,
    found: Vec<u32>,
    touched: Touched,
}

/// An engine whatever its structure, for all that is not in the inner loop.
pub trait AnyEngine<const D: usize> {
    fn core(&self) -> &Core<D>;
    fn core_mut(&mut self) -> &mut Core<D>;
    /// Makes structure, predictions and calendar anew for the bodies as they are.
    fn restart(&mut self);
    /// Handles all events up to `until`, but stops after so many collisions, and pauses after very many
    /// events of any kind.
    fn run(&mut self, until: f64, collisions: u64) -> Pause;
    /// Gives a body a new velocity now.
    fn kick(&mut self, body: u32, velocity: Vector<D>);
    /// When the structure must be started anew.
    fn valid_until(&self) -> f64;
    /// Neighbours of all bodies together, twice the number of neighbour pairs.
    fn neighbour_count(&self) -> u64;
    /// The most neighbours of one body.
    fn most_neighbours(&self) -> usize;
    /// The neighbours of a body.
    fn neighbours(&self, body: u32) -> Vec<u32>;
    fn structure_memory(&self) -> usize;
    /// Work of the structure's own kind.
    fn structure_statistics(&self) -> Vec<(&'static str, u64)>;
    /// Verifies the structure wholly.
    fn check(&self) -> Result<(), String>;
}

impl<const D: usize, S: KineticNeighbours<D>> Engine<D, S> {
    pub fn new(core: Core<D>, neighbours: S) -> Self {
        Engine { core, neighbours, found: Vec::new(), touched: Touched::default() }
    }
}

impl<const D: usize, S: KineticNeighbours<D>> AnyEngine<D> for Engine<D, S> {
    fn core(&self) -> &Core<D> {
        &self.core
    }

    fn core_mut(&mut self) -> &mut Core<D> {
        &mut self.core
    }

    fn restart(&mut self) {
        self.core.counters.restarts += 1;
        self.neighbours.start(&self.core.bodies, self.core.now);
        for body in 0..self.core.bodies.count() as u32 {
            self.core.schedules[body as usize].change =
                self.neighbours.next_change(body, &self.core.bodies, self.core.now);
            self.predict(body);
        }
        self.core.calendar.fill(&self.core.schedules, self.core.now);
        ask_for_large_pages(&self.core.bodies.records);
        ask_for_large_pages(&self.core.schedules);
        self.neighbours.ask_for_large_pages();
    }

    fn run(&mut self, until: f64, collisions: u64) -> Pause {
        let last = self.core.counters.collisions.saturating_add(collisions);
        let mut events = 0;
        while self.core.counters.collisions < last {
            if events == EVENTS_PER_PAUSE {
                return Pause::Events;
            }
            events += 1;
            let Some(entry) = self.core.calendar.take(&self.core.schedules, until) else {
                if until < f64::INFINITY {
                    self.core.now = self.core.now.max(until);
                }
                return Pause::Time;
            };
            self.core.now = entry.time;
            self.fetch_ahead();
            self.handle(entry.body);
        }
        Pause::Collisions
    }

    fn kick(&mut self, body: u32, velocity: Vector<D>) {
        self.core.bodies.advance(body, self.core.now);
        self.core.bodies.records[body as usize].velocity = velocity;
        self.deflected(body);
    }

    fn valid_until(&self) -> f64 {
        self.neighbours.valid_until()
    }

    fn neighbour_count(&self) -> u64 {
        let mut found = Vec::new();
        let bodies = 0..self.core.bodies.count() as u32;
        bodies.map(|body| self.neighbours.neighbours(body, &mut found).len() as u64).sum()
    }

    fn most_neighbours(&self) -> usize {
        let mut found = Vec::new();
        let bodies = 0..self.core.bodies.count() as u32;
        bodies.map(|body| self.neighbours.neighbours(body, &mut found).len()).max().unwrap_or(0)
    }

    fn neighbours(&self, body: u32) -> Vec<u32> {
        self.neighbours.neighbours(body, &mut Vec::new()).to_vec()
    }

    fn structure_memory(&self) -> usize {
        self.neighbours.memory()
    }

    fn structure_statistics(&self) -> Vec<(&'static str, u64)> {
        self.neighbours.statistics()
    }

    fn check(&self) -> Result<(), String> {
        self.neighbours.check(&self.core.bodies, self.core.now)
    }
}

impl<const D: usize, S: KineticNeighbours<D>> Engine<D, S> {
    #[inline]
    fn handle(&mut self, body: u32) {
        let schedule = self.core.schedules[body as usize];
        if schedule.changes_first() {
            return self.change_neighbours(body);
        }
        match Partner::of(schedule.partner) {
            Partner::Body(partner) => {
                if self.core.schedules[partner as usize].turns == schedule.partner_turns {
                    self.collide(body, partner);
                } else {
                    self.core.counters.stale += 1;
                    self.predict(body);
                    self.note(body);
                }
            }
            Partner::End(end) => self.meet_end(body, end),
            Partner::Prediction => {
                self.core.counters.predictions += 1;
                self.core.bodies.advance(body, self.core.now);
                self.deflected(body);
            }
        }
    }

    /// Asks memory for the bodies of coming events: first what says with whom, then the rest.
    #[inline]
    fn fetch_ahead(&self) {
        let Core { calendar, schedules, bodies, .. } = &self.core;
        if schedules.len() < FEW_BODIES {
            return;
        }
        let [farthest, far, near, nearest] = LOOK_AHEAD;
        let ask = |body: u32, stage: FetchStage| {
            let schedule = &schedules[body as usize];
            let coming =
                if schedule.change <= schedule.time { Coming::Change } else { Coming::Prediction };
            self.neighbours.fetch(body, bodies, stage, coming);
        };
        let ask_of_body = |body: u32| {
            fetch(schedules, body as usize);
            fetch(&bodies.records, body as usize);
            self.neighbours.fetch(body, bodies, FetchStage::Body, Coming::Prediction);
        };
        let partner = |body: u32| schedules[body as usize].coming_partner(schedules.len());
        if let Some(body) = calendar.ahead(farthest) {
            ask_of_body(body);
        }
        if let Some(body) = calendar.ahead(far) {
            ask(body, FetchStage::List);
            partner(body).inspect(|&partner| ask_of_body(partner));
        }
        if let Some(body) = calendar.ahead(near) {
            ask(body, FetchStage::Neighbours);
            partner(body).inspect(|&partner| {
                self.neighbours.fetch(partner, bodies, FetchStage::List, Coming::Prediction);
            });
        }
        calendar.ahead(nearest).and_then(partner).inspect(|&partner| {
            self.neighbours.fetch(partner, bodies, FetchStage::Neighbours, Coming::Prediction);
        });
    }

    fn note(&mut self, body: u32) {
        self.core.calendar.note(body, self.core.schedules[body as usize].next());
    }

    /// The neighbour structure changes for this body.
    fn change_neighbours(&mut self, body: u32) {
        self.core.counters.changes += 1;
        self.found.clear();
        let (bodies, now) = (&self.core.bodies, self.core.now);
        self.neighbours.change(body, bodies, now, &mut self.found, &mut self.touched);
        self.core.counters.fresh_neighbours += self.found.len() as u64;
        self.core.counters.pair_tests += self.found.len() as u64;
        let fresh = std::mem::take(&mut self.found);
        let schedule = &self.core.schedules[body as usize];
        let known = Meeting { time: schedule.time, partner: schedule.partner };
        let surroundings = self.surroundings(body);
        let mut best = known;
        if surroundings == Surroundings::NearEnds {
            // Until now the change may have been certain to come first.
            let end = self.next_end(body);
            best = if end.time < best.time { end } else { best };
        }
        best = self.earliest(body, &fresh, surroundings, best);
        if best != known {
            self.set_meeting(body, best);
        }
        self.found = fresh;
        self.core.schedules[body as usize].change =
            self.neighbours.next_change(body, &self.core.bodies, now);
        self.note(body);
        self.renew_touched();
    }

    fn renew_touched(&mut self) {
        while let Some([body, other]) = self.touched.joined.pop() {
            self.core.counters.fresh_neighbours += 1;
            self.core.counters.pair_tests += 1;
            let schedule = &self.core.schedules[body as usize];
            let known = Meeting { time: schedule.time, partner: schedule.partner };
            let best = self.earliest(body, &[other], Surroundings::NearEnds, known);
            if best != known {
                self.set_meeting(body, best);
                self.note(body);
            }
        }
        while let Some(body) = self.touched.rescheduled.pop() {
            self.core.schedules[body as usize].change =
                self.neighbours.next_change(body, &self.core.bodies, self.core.now);
            self.note(body);
        }
    }

    /// Finds the next own event of a body.
    #[inline]
    fn predict(&mut self, body: u32) {
        let surroundings = self.surroundings(body);
        let mut best = match surroundings {
            Surroundings::Clear => Meeting::NONE,
            Surroundings::NearEnds => self.next_end(body),
        };
        let known_until = self.core.bodies.known_until(body);
        if known_until <= best.time && known_until < f64::INFINITY {
            best = Meeting { time: known_until, partner: PREDICTION };
        }
        let mut found = std::mem::take(&mut self.found);
        let list = self.neighbours.neighbours(body, &mut found);
        self.core.counters.pair_tests += list.len() as u64;
        best = self.earliest(body, list, surroundings, best);
        self.found = found;
        self.set_meeting(body, best);
    }

    #[inline]
    fn surroundings(&self, body: u32) -> Surroundings {
        match self.neighbours.is_clear(body, &self.core.bodies, self.core.now) {
            true => Surroundings::Clear,
            false => Surroundings::NearEnds,
        }
    }

    fn next_end(&self, body: u32) -> Meeting {
        let (time, end) = self.core.bodies.next_end(body);
        let partner = if time < f64::INFINITY { Partner::end_code(end) } else { NOTHING };
        Meeting { time, partner }
    }

    #[inline]
    fn earliest(
        &self,
        body: u32,
        list: &[u32],
        surroundings: Surroundings,
        best: Meeting,
    ) -> Meeting {
        // Equal times go to the smaller number of the user.
        let number = |partner: u32| match self.core.schedules.get(partner as usize) {
            Some(schedule) => schedule.id,
            None => partner,
        };
        let before = |a: u32, b: u32| number(a) < number(b);
        self.core.bodies.earliest_meeting(body, list, self.core.now, surroundings, best, before)
    }

    fn set_meeting(&mut self, body: u32, meeting: Meeting) {
        let turns =
            self.core.schedules.get(meeting.partner as usize).map_or(0, |partner| partner.turns);
        let schedule = &mut self.core.schedules[body as usize];
        schedule.time = meeting.time;
        schedule.partner = meeting.partner;
        schedule.partner_turns = turns;
    }

    /// The body's motion has changed: everything about it is predicted anew.
    fn deflected(&mut self, body: u32) {
        self.turn(body);
        self.renew(body);
        self.renew_touched();
    }

    fn turn(&mut self, body: u32) {
        self.core.schedules[body as usize].turns =
            self.core.schedules[body as usize].turns.wrapping_add(1);
        self.core.pull(body);
    }

    fn renew(&mut self, body: u32) {
        self.neighbours.redirect(body, &self.core.bodies, self.core.now, &mut self.touched);
        self.core.schedules[body as usize].change =
            self.neighbours.next_change(body, &self.core.bodies, self.core.now);
        self.predict(body);
        self.note(body);
    }

    /// Whether a body has collided so recently that this contact counts as lasting.
    fn lasting(&mut self, body: u32) -> bool {
        let Some(last) = self.core.properties.last_contacts.get_mut(body as usize) else {
            return false;
        };
        let lasting = self.core.now - *last < self.core.contact_time;
        *last = self.core.now;
        lasting
    }

    fn rule(&mut self, restitutions: [Restitution; 2], lasting: bool) -> Rule {
        self.core.counters.collapse_prevented += u64::from(lasting);
        Rule {
            restitutions,
            lasting,
            rest_time: self.core.rest_time,
            shortest_time: match self.core.contact_time > 0.0 {
                true => f64::NEG_INFINITY,
                false => 4.0 * f64::EPSILON * self.core.now,
            },
        }
    }

    fn collide(&mut self, a: u32, b: u32) {
        let now = self.core.now;
        self.core.bodies.advance(a, now);
        self.core.bodies.advance(b, now);
        let lasting = self.lasting(a) | self.lasting(b);
        let restitutions =
            [a, b].map(|body| self.core.properties.restitution(&self.core.settings, body));
        let rule = self.rule(restitutions, lasting);
        let (first, second) =
            (self.core.bodies.records[a as usize], self.core.bodies.records[b as usize]);
        let step = self.core.bodies.shortest(&first.position, &second.position);
        let sum = first.radius + second.radius;
        let outcome = rule.collide(&Impact {
            step,
            velocity: second.velocity - first.velocity,
            widening: sum * self.core.bodies.growth.rate,
            push: if lasting { self.core.hold(a, b, &step) } else { self.core.push(a, b, &step) },
            masses: [self.core.properties.mass(a), self.core.properties.mass(b)],
        });
        self.core.bodies.records[a as usize].velocity += outcome.changes[0];
        self.core.bodies.records[b as usize].velocity += outcome.changes[1];
        let scale = self.core.bodies.growth.at(now);
        let gap = (outcome.distance - sum * scale) / (first.radius.min(second.radius) * scale);
        self.core.counters.smallest_gap = self.core.counters.smallest_gap.min(gap);
        self.core.counters.virial += outcome.momentum * outcome.distance;
        self.core.counters.dissipated += outcome.lost;
        let ids = [a, b].map(|body| self.core.schedules[body as usize].id);
        self.core.counters.log_collision(now, ids[0], ids[1]);
        self.turn(a);
        self.turn(b);
        self.renew(a);
        self.renew(b);
        self.renew_touched();
    }

    fn meet_end(&mut self, body: u32, end: End) {
        self.core.bodies.advance(body, self.core.now);
        let size = self.core.settings.region.size[end.axis];
        match self.core.settings.region.sides[end.axis] {
            Side::Periodic => self.pass(body, end, size),
            Side::Wall { restitution } => {
                let own = self.core.properties.restitution(&self.core.settings, body);
                self.bounce(body, end, restitution.map_or(own, Restitution::Constant));
            }
            Side::Open => unreachable!("open axes have no ends"),
        }
        self.deflected(body);
    }

    /// Out at one end, in at the other.
    fn pass(&mut self, body: u32, end: End, size: f64) {
        self.core.counters.passages += 1;
        self.core.bodies.records[body as usize].position[end.axis] =
            if end.high { 0.0 } else { size };
        if let Some(passages) = self.core.properties.passages.get_mut(body as usize) {
            passages[end.axis] += if end.high { 1 } else { -1 };
        }
    }

    fn bounce(&mut self, body: u32, end: End, restitution: Restitution) {
        let lasting = self.lasting(body);
        let rule = self.rule([restitution; 2], lasting);
        let outwards = if end.high { 1.0 } else { -1.0 };
        let push = outwards * self.core.bodies.acceleration(body)[end.axis];
        let mass = self.core.properties.mass(body);
        let record = &mut self.core.bodies.records[body as usize];
        let widening = record.radius * self.core.bodies.growth.rate;
        let approach = (outwards * record.velocity[end.axis] + widening).max(0.0);
        let rebound = rule.rebound(approach, push);
        record.velocity[end.axis] -= outwards * (approach + rebound);
        let radius = record.radius * self.core.bodies.growth.at(self.core.now);
        self.core.counters.wall_collisions += 1;
        self.core.counters.wall_momentum += mass * (approach + rebound);
        self.core.counters.virial += radius * mass * (approach + rebound);
        self.core.counters.dissipated += 0.5 * mass * (approach * approach - rebound * rebound);
    }
}
