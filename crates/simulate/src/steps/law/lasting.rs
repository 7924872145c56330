//! What a contact does that has begun and goes on, as nearly all do: one, or four at once.

use super::number::{Arrow, Number};
use super::{Cohesion, ContactLaw, Rolling, normal::Elastic};

/// A contact that goes on. Vectors are of the first body relative to the second.
#[derive(Clone, Copy, Debug)]
pub(in crate::steps) struct Lasting<N> {
    /// From the first to the second, of length one.
    pub normal: Arrow<N>,
    /// The velocity of the first at the point of contact, half a step ago.
    pub velocity: Arrow<N>,
    /// How much it has changed until now, by all forces.
    pub change: Arrow<N>,
    /// How deep they are in each other.
    pub overlap: N,
    /// One over each mass, summed.
    pub lightness: N,
    /// How fast the point of contact becomes across the normal by a push of one.
    pub give: N,
}

/// What it does to the first body, and what it cost.
#[derive(Clone, Copy, Debug)]
pub(in crate::steps) struct Push<N> {
    /// Along the normal, that which presses.
    pub pressing: N,
    /// Across the normal.
    pub across: Arrow<N>,
    /// Energy lost in this step to damping along the normal, and across it.
    pub lost: [N; 2],
}

impl ContactLaw {
    /// Whether nothing resists rolling or holds: then [`Self::press`] is all that happens.
    pub(in crate::steps) fn only_presses(&self) -> bool {
        self.rolling == Rolling::None && self.cohesion == Cohesion::None
    }

    /// The elastic force and the damping for a speed of one.
    #[inline(always)]
    pub(in crate::steps) fn elastic<N: Number>(
        &self,
        overlap: N,
        lightness: N,
        radius: impl Fn() -> N,
    ) -> (Elastic<N>, N) {
        let elastic = self.normal.force(overlap, radius);
        (elastic, self.damping.rate(&elastic, lightness))
    }

    /// What presses and rubs within a step, of bodies that come nearer so fast now; `memory` is how far
    /// the first has been displaced across the normal, and is brought up to date.
    #[inline(always)]
    pub(in crate::steps) fn press<N: Number>(
        &self,
        touch: &Lasting<N>,
        (elastic, rate): (Elastic<N>, N),
        approach: N,
        memory: &mut Arrow<N>,
        step: f64,
    ) -> Push<N> {
        let (normal, step, zero, one) = (&touch.normal, N::of(step), N::of(0.0), N::of(1.0));
        let pressing = elastic.force + rate * approach;
        let mut lost = [rate * approach * approach * step, zero];
        let mut across = Arrow([zero; 3]);
        if let Some(spring) = self.tangential.spring(&elastic, rate) {
            let before = touch.velocity.dot(normal);
            let slip = touch.velocity.minus(&normal.times(before));
            let stiffened = self.tangential.stiffened(touch.overlap, before * step);
            let stored = memory.dot(memory) / stiffened;
            // The plane of contact turns with the bodies, and the memory with it. What has become
            // stiffer pushes as hard as before, so it is displaced less.
            let kept = memory.minus(&normal.times(normal.dot(memory)));
            let kept = kept.times(one / stiffened.max(one));
            // Energy that the spring lost by this; never negative.
            lost[1] = N::of(0.5) * spring.stiffness * (stored - kept.dot(&kept)).max(zero);
            // Positions moved with velocities of half a step ago, and so is the spring displaced: it
            // swings without loss or gain, as springs along normals do.
            *memory = kept.plus(&slip.times(step));
            // Damping that is so strong that it would turn the slip round within a step only stops it.
            let damped = spring.rate * step * touch.give;
            let rate = match damped.any_above(one) {
                true => spring.rate / damped.max(one),
                false => spring.rate,
            };
            let change = touch.change.minus(&normal.times(touch.change.dot(normal)));
            let change = change.times(one - damped.min(one));
            let slip_now = slip.plus(&change);
            let pull = memory.times(-spring.stiffness);
            across = pull.minus(&slip_now.times(rate));
            let most = N::of(self.friction) * pressing.max(zero);
            // The spring by itself keeps to the limit too. Where damping holds it back, it would else
            // keep what it stored until the bodies part, and that would be lost unseen.
            let (square, bound) = (pull.dot(&pull), most * most);
            let size = across.dot(&across).max(square);
            let mut rubbed = rate * slip_now.dot(&slip_now) * step;
            if size.any_above(bound) {
                // The spring gives way where it alone pulls harder than friction can, and damping has
                // what room is left. To put the whole limit into the spring would store what damping
                // has lost.
                let part = (most / (square + N::of(f64::MIN_POSITIVE)).sqrt()).min(one);
                let (held, pull) = (memory.times(part), pull.times(part));
                let damping = slip_now.times(-rate);
                let (square, along) = (damping.dot(&damping), pull.dot(&damping));
                let room = (bound - pull.dot(&pull)).max(zero);
                let root = (along * along + square * room).sqrt();
                let damped = ((root - along) / (square + N::of(f64::MIN_POSITIVE))).min(one);
                let slid = pull.plus(&damping.times(damped));
                // How far the spring gave way in the step around now. It changed from what was kept to
                // what is held, by the force at the end of that; hence the square of the change.
                let gave_way = part.choose(N::of(1.0 - f64::EPSILON), zero, one);
                let way = memory.minus(&held).plus(&change.times(gave_way * step));
                let moved = held.minus(&kept);
                let relaxed = gave_way * N::of(0.5) * spring.stiffness * moved.dot(&moved);
                let friction = (-pull.dot(&way)).max(zero) + relaxed + damped * rubbed;
                rubbed = size.choose(bound, friction, rubbed);
                across = Arrow::choose(size, bound, &slid, &across);
                *memory = Arrow::choose(size, bound, &held, memory);
            }
            lost[1] = lost[1] + rubbed;
        }
        Push { pressing, across, lost }
    }
}

impl<N: Number> Lasting<N> {
    /// How fast the bodies come nearer now: as half a step ago, and changed by all forces of the step
    /// before and by what has changed in this contact's own force since.
    ///
    /// The latter makes losses of a contact right to the third order in the step, and keeps strong
    /// damping from growing without bound.
    #[inline(always)]
    pub fn approach(&self, (elastic, rate): &(Elastic<N>, N), step: f64) -> N {
        let (step, one) = (N::of(step), N::of(1.0));
        let before = self.velocity.dot(&self.normal);
        let pushed = step * self.lightness;
        let deeper = (before * step).min(self.overlap);
        let change = self.change.dot(&self.normal) * (one - (pushed * *rate).min(one));
        before + change - N::of(0.5) * pushed * elastic.stiffness * deeper
    }

    /// The same of a contact that has just begun: it had no part in the forces of the step before.
    pub fn first_approach(&self, (elastic, rate): &(Elastic<N>, N), step: f64) -> N {
        let half = N::of(0.5 * step) * self.lightness;
        let free = self.velocity.plus(&self.change).dot(&self.normal);
        (free - half * elastic.force) / (N::of(1.0) + half * *rate)
    }
}
