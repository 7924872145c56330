//! What a contact does that has begun and goes on, as nearly all do: one, or four at once.

use super::number::{Arrow, Number};
use super::{Cohesion, ContactLaw, Rolling, normal::Elastic};

/// A contact that goes on. Vectors are of the first body relative to the second.
#[derive(Clone, Copy, Debug)]
pub(in crate::steps) struct Lasting<N> {
    /// From the first to the second, of length one.
    pub normal: Arrow<N>,
    /// The velocity of the first at the point of contact.
    pub velocity: Arrow<N>,
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

    /// What presses and rubs within a step; `memory` is how far the first has been displaced across the
    /// normal, and is brought up to date.
    #[inline(always)]
    pub(in crate::steps) fn press<N: Number>(
        &self,
        touch: &Lasting<N>,
        (elastic, rate): (Elastic<N>, N),
        memory: &mut Arrow<N>,
        step: f64,
    ) -> Push<N> {
        let (normal, step, zero) = (&touch.normal, N::of(step), N::of(0.0));
        // Velocities are those of half a step ago; what they are by now, as far as this contact
        // changes them along the normal, makes losses right to the second order in the step.
        let before = touch.velocity.dot(normal);
        let half = N::of(0.5) * step * touch.lightness;
        let approach = (before - half * elastic.force) / (N::of(1.0) + half * rate);
        let pressing = elastic.force + rate * approach;
        let mut lost = [rate * approach * approach * step, zero];
        let mut across = Arrow([zero; 3]);
        if let Some(spring) = self.tangential.spring(&elastic, rate) {
            let slip = touch.velocity.minus(&normal.times(before));
            let stiffened = self.tangential.stiffened(touch.overlap, before * step);
            let stored = memory.dot(memory) / stiffened;
            // The plane of contact turns with the bodies, and the memory with it. What has become
            // stiffer pushes as hard as before, so it is displaced less.
            let kept = memory.minus(&normal.times(normal.dot(memory)));
            let kept = kept.times(N::of(1.0) / stiffened.max(N::of(1.0)));
            *memory = kept.plus(&slip.times(step));
            // Damping that is so strong that it would turn the slip round within a step only stops it.
            let damped = spring.rate * step * touch.give;
            let rate = match damped.any_above(N::of(1.0)) {
                true => spring.rate / damped.max(N::of(1.0)),
                false => spring.rate,
            };
            across = memory.times(-spring.stiffness).minus(&slip.times(rate));
            let most = N::of(self.friction) * pressing.max(zero);
            let (size, bound) = (across.dot(&across), most * most);
            if size.any_above(bound) {
                // While it slides, only the spring pulls, or it would store what is lost.
                let slid = across.times(most / size.sqrt());
                let back = slid.times(N::of(-1.0) / spring.stiffness);
                across = Arrow::choose(size, bound, &slid, &across);
                *memory = Arrow::choose(size, bound, &back, memory);
            }
            let more = N::of(0.5) * spring.stiffness * (memory.dot(memory) - stored);
            // The push makes the slip smaller; in the middle of the step it is so large.
            let slip = slip.plus(&across.times(N::of(0.5) * step * touch.give));
            lost[1] = -(across.dot(&slip)) * step - more;
        }
        Push { pressing, across, lost }
    }
}
