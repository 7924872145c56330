//! What pairs remember of which one body at least is no sphere, and what they do.

use super::body::Motion;
use super::forces::{Pushed, Scene, Tally};
use super::law::{ContactLaw, Touch};
use super::meeting::{MOST, Meeting, Meetings, Placed, meet};
use super::shape::{Form, Shape};
use super::turn::Turn;
use carom_detect::narrow::ClosestFeatures;
use carom_geometry::Vector;

/// What a pair remembers of which one at least is no sphere.
pub(super) struct Past<'a> {
    pub tracked: &'a mut ClosestFeatures,
    /// Whether they touched a step ago.
    pub touched: bool,
    /// What their contact remembers, if they touch in one point at most.
    pub memory: &'a mut Vector<3>,
    /// What their contacts remember, if they may touch in many points.
    pub many: Option<&'a mut Held>,
}

impl Past<'_> {
    fn find(&self, key: u32) -> Option<Vector<3>> {
        match &self.many {
            Some(held) => held.find(key),
            None => self.touched.then_some(*self.memory),
        }
    }
}

/// What the contacts of a pair remember, by their keys.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Held {
    keys: [u32; MOST],
    memories: [Vector<3>; MOST],
    count: usize,
}

impl Held {
    pub(super) fn find(&self, key: u32) -> Option<Vector<3>> {
        let at = self.keys[..self.count].iter().position(|&held| held == key)?;
        Some(self.memories[at])
    }

    pub(super) fn push(&mut self, key: u32, memory: Vector<3>) {
        if self.count < MOST {
            (self.keys[self.count], self.memories[self.count]) = (key, memory);
            self.count += 1;
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, Vector<3>)> {
        self.keys.into_iter().zip(self.memories).take(self.count)
    }
}

/// What a pair remembered, for bodies that are the same; nothing of spheres and meshes.
pub(super) fn tracked_again(words: [u32; 8], shapes: [Option<&Shape>; 2]) -> ClosestFeatures {
    match shapes.map(|shape| shape.map(Shape::form)) {
        [Some(Form::Convex(a)), Some(Form::Convex(b))] => {
            ClosestFeatures::from_words(words, &a.core, &b.core)
        }
        _ => ClosestFeatures::new(),
    }
}

/// How easily a body is moved at a point.
#[derive(Clone, Copy)]
pub(super) struct Grip<'a> {
    pub motion: &'a Motion,
    pub turn: &'a Turn,
    /// From the centre to the point.
    pub arm: Vector<3>,
}

impl Grip<'_> {
    /// The velocity of the point, half a step ago.
    pub(super) fn velocity(&self) -> Vector<3> {
        self.motion.velocity.vector + self.motion.spin.vector.cross(&self.arm)
    }

    /// How much it has changed until now.
    pub(super) fn velocity_change(&self) -> Vector<3> {
        self.motion.velocity_change.vector + self.motion.spin_change.vector.cross(&self.arm)
    }

    /// How fast the point becomes in a direction by a push of one along it.
    pub(super) fn give(&self, direction: &Vector<3>) -> f64 {
        let moment = self.arm.cross(direction);
        let turned = match self.turn.shape() {
            Some(_) => self.turn.eased(&moment),
            None => moment * self.motion.agility(),
        };
        self.motion.lightness() + moment.dot(&turned)
    }
}

/// A direction across the normal: that of the slip, if there is one.
pub(super) fn across(normal: &Vector<3>, velocity: &Vector<3>) -> Vector<3> {
    let slip = velocity - normal * normal.dot(velocity);
    let any = || normal.cross(&Vector::ith(normal.iamin(), 1.0)).normalize();
    slip.try_normalize(0.0).unwrap_or_else(any)
}

impl Scene<'_> {
    /// A body where it is now; the second of a pair is where its image is.
    fn placed(&self, body: usize, shift: &Vector<3>) -> Placed<'_> {
        let turn = &self.turns[body];
        let place = &self.places[body];
        Placed {
            shape: turn.shape().map(|number| &self.shapes[number]),
            pose: turn.pose(place.vector + shift),
            radius: place.fourth,
        }
    }

    /// What the contacts of two bodies do, all together.
    pub(super) fn touch_shaped(
        &self,
        [first, other]: [usize; 2],
        image: &Vector<3>,
        past: Past,
        tally: &mut Tally,
    ) -> Pushed {
        let bodies = [self.placed(first, &Vector::zeros()), self.placed(other, image)];
        let mut sum = Pushed::default();
        let mut held = past.many.is_some().then(Held::default);
        for meeting in meet(&bodies[0], &bodies[1], past.tracked).iter() {
            let before = past.find(meeting.key);
            if meeting.overlap <= 0.0 && before.is_none() {
                continue;
            }
            let mut memory = before.unwrap_or_else(Vector::zeros);
            let grips = [(first, 0), (other, 1)].map(|(body, which)| Grip {
                motion: &self.motions[body],
                turn: &self.turns[body],
                arm: meeting.position - bodies[which].pose.position,
            });
            let touch = touch(meeting, grips, before.is_some());
            let law = self.law(first, other);
            let Wide { force, torque, lost } =
                respond(law, meeting, &touch, &mut memory, self.step);
            if meeting.overlap > 0.0 {
                match &mut held {
                    Some(held) => held.push(meeting.key, memory),
                    None => *past.memory = memory,
                }
                tally.contacts += 1;
            }
            let way = bodies[1].pose.position - bodies[0].pose.position;
            tally.virial -= force.dot(&way);
            tally.count(lost, meeting.overlap, meeting.radii[0].min(meeting.radii[1]));
            sum.force += force;
            sum.torque += grips[0].arm.cross(&force) + torque;
            sum.other_torque -= grips[1].arm.cross(&force) + torque;
            sum.touches |= meeting.overlap > 0.0;
        }
        if let (Some(before), Some(held)) = (past.many, held) {
            *before = held;
        }
        sum
    }

    /// The points in which two bodies touch, or nearly do.
    pub(super) fn meetings(
        &self,
        [first, other]: [usize; 2],
        image: &Vector<3>,
        mut tracked: ClosestFeatures,
    ) -> Meetings {
        let bodies = [self.placed(first, &Vector::zeros()), self.placed(other, image)];
        meet(&bodies[0], &bodies[1], &mut tracked)
    }

    /// How deep two bodies are in each other.
    pub(super) fn depth_shaped(&self, bodies: [usize; 2], image: &Vector<3>) -> f64 {
        let meetings = self.meetings(bodies, image, ClosestFeatures::new());
        meetings.iter().map(|meeting| meeting.overlap).fold(0.0, f64::max)
    }
}

/// What a touch that may be wider than a point does to the first body, and what it loses.
pub(super) struct Wide {
    pub force: Vector<3>,
    pub torque: Vector<3>,
    pub lost: [f64; 2],
}

/// At most this part of a relative turn about the normal is stopped within a step, so that a body does
/// not tremble.
const STOPPED: f64 = 0.1;

/// What a law makes of a touch whose depth grows at a rate: the push is as much less or more as the depth
/// grows slower or faster than bodies come nearer, so that it does the work that is stored.
///
/// A touch that is wider than a point also damps rocking, as it damps where its parts come nearer, and
/// rubs against turning about the normal, as hard as friction at the mean distance of its parts does.
pub(super) fn respond(
    law: &ContactLaw,
    meeting: &Meeting,
    touch: &Touch,
    memory: &mut Vector<3>,
    step: f64,
) -> Wide {
    let (normal, rate) = (&meeting.normal, meeting.rate);
    let closing = touch.velocity.dot(normal);
    let closing_change = touch.change.dot(normal);
    let seen = Touch {
        velocity: touch.velocity + normal * (closing * (rate - 1.0)),
        change: touch.change + normal * (closing_change * (rate - 1.0)),
        lightness: touch.lightness * rate * rate,
        ..*touch
    };
    let law = ContactLaw { friction: law.friction * rate, ..*law };
    let response = law.respond(&seen, memory, step);
    let mut wide = Wide {
        force: response.across + (response.force - response.across) * rate,
        torque: response.rolling,
        lost: response.lost,
    };
    if meeting.overlap <= 0.0 || meeting.spread.trace() <= 0.0 {
        return wide;
    }
    let rocking = normal.cross(&touch.spin);
    let damped = meeting.spread * rocking * response.rate;
    wide.torque -= damped.cross(normal);
    wide.lost[0] += damped.dot(&rocking) * step;
    let turning = touch.spin.dot(normal);
    let most = law.friction * response.pressing.max(0.0) * meeting.spread.trace().sqrt();
    let stopped = STOPPED * turning.abs() / (touch.agility * step);
    let rubbed = most.min(stopped).copysign(turning);
    wide.torque -= normal * rubbed;
    wide.lost[1] += rubbed * turning * step;
    wide
}

/// What a law needs to know of a meeting.
fn touch(meeting: &Meeting, [one, two]: [Grip; 2], touched: bool) -> Touch {
    let velocity = one.velocity() - two.velocity();
    let slip = across(&meeting.normal, &velocity);
    Touch {
        normal: meeting.normal,
        overlap: meeting.overlap,
        touched,
        velocity,
        change: one.velocity_change() - two.velocity_change(),
        spin: one.motion.spin_now() - two.motion.spin_now(),
        lightness: one.give(&meeting.normal) + two.give(&meeting.normal),
        agility: one.motion.agility() + two.motion.agility(),
        give: one.give(&slip) + two.give(&slip),
        radii: meeting.radii,
    }
}
