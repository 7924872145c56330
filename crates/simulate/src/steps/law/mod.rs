//! What happens where two bodies touch, composed of parts: one file each.
//!
//! The force along the normal is elastic ([`Normal`]), loses energy ([`Damping`]) and may hold
//! ([`Cohesion`]); across it a spring with a memory ([`Tangential`]) slides at Coulomb's limit; and
//! rolling meets a resistance of its own ([`Rolling`]).

mod cohesion;
mod damping;
mod lasting;
mod normal;
mod number;
mod rolling;
mod tangential;

pub use cohesion::Cohesion;
pub use damping::Damping;
pub use normal::Normal;
pub use rolling::Rolling;
pub use tangential::Tangential;

pub(super) use lasting::{Lasting, Push};
pub(super) use number::{Arrow, Four, LANES, Number};

use carom_geometry::Vector;
use normal::Elastic;

/// How two materials touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactLaw {
    /// The elastic force along the normal.
    pub normal: Normal,
    /// What is lost along the normal.
    pub damping: Damping,
    /// The force across the normal, as long as nothing slides.
    pub tangential: Tangential,
    /// Coulomb's coefficient: bodies slide where the force across the normal would be larger than so
    /// much of that along it.
    pub friction: f64,
    /// What resists rolling.
    pub rolling: Rolling,
    /// What holds bodies together.
    pub cohesion: Cohesion,
}

impl ContactLaw {
    /// Springs without friction or losses.
    pub fn spring(stiffness: f64) -> Self {
        ContactLaw {
            normal: Normal::Spring { stiffness },
            damping: Damping::None,
            tangential: Tangential::None,
            friction: 0.0,
            rolling: Rolling::None,
            cohesion: Cohesion::None,
        }
    }

    /// Elastic spheres of a reduced modulus, without friction or losses.
    pub fn hertz(modulus: f64) -> Self {
        ContactLaw { normal: Normal::Hertz { modulus }, ..ContactLaw::spring(0.0) }
    }
}

/// Two bodies that touch, or a body and a wall. Vectors are of the first relative to the second.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    /// From the first to the second, of length one.
    pub normal: Vector<3>,
    /// How deep they are in each other; zero or less where they have just parted.
    pub overlap: f64,
    /// Whether they touched a step ago.
    pub touched: bool,
    /// The velocity of the first at the point of contact, half a step ago.
    pub velocity: Vector<3>,
    /// How much it has changed until now, by all forces.
    pub change: Vector<3>,
    /// How fast the first turns now.
    pub spin: Vector<3>,
    /// One over each mass, summed.
    pub lightness: f64,
    /// One over each moment of inertia, summed.
    pub agility: f64,
    /// How fast the point of contact becomes across the normal by a push of one: one over each mass and
    /// the square of each arm over its moment of inertia, summed.
    pub give: f64,
    /// Of both; infinite for a wall.
    pub radii: [f64; 2],
}

impl Touch {
    /// `r1 r2 / (r1 + r2)`, that of the first at a wall.
    #[inline(always)]
    fn radius(&self) -> f64 {
        reduced_radius(self.radii)
    }
}

/// `r1 r2 / (r1 + r2)`, the first if the second is infinite.
#[inline(always)]
pub(super) fn reduced_radius<N: Number>([first, second]: [N; 2]) -> N {
    first / (N::of(1.0) + first / second)
}

/// What a touch does to the first body, and what it cost.
#[derive(Clone, Copy, Debug)]
pub(super) struct Response {
    pub force: Vector<3>,
    /// The part of it across the normal, which turns both bodies.
    pub across: Vector<3>,
    /// The torque against rolling.
    pub rolling: Vector<3>,
    /// Energy lost in this step to damping along the normal, and across it with friction and rolling.
    pub lost: [f64; 2],
    /// How hard both are pressed together, and how much of it damping adds for a speed of one.
    pub pressing: f64,
    pub rate: f64,
}

impl ContactLaw {
    /// What a touch does within a step; `memory` is how far the first has been displaced across the
    /// normal, and is brought up to date.
    #[inline(always)]
    pub(super) fn respond(&self, touch: &Touch, memory: &mut Vector<3>, step: f64) -> Response {
        let normal = touch.normal;
        let way = touch.velocity.dot(&normal).abs() * step;
        let elastic = self.normal.force(touch.overlap.max(0.0), || touch.radius());
        let rate = self.rate(touch, &elastic, way);
        let arrow = |vector: &Vector<3>| Arrow([vector.x, vector.y, vector.z]);
        let lasting = Lasting {
            normal: arrow(&normal),
            velocity: arrow(&touch.velocity),
            change: arrow(&touch.change),
            overlap: touch.overlap.max(0.0),
            lightness: touch.lightness,
            give: touch.give,
        };
        let approach = match self.lasts(touch, way) {
            true => lasting.approach(&(elastic, rate), step),
            false => lasting.first_approach(&(elastic, rate), step),
        };
        let mut displaced = arrow(memory);
        let pushed = self.press(&lasting, (elastic, rate), approach, &mut displaced, step);
        let Push { pressing, mut lost, .. } = pushed;
        let mut rolling = Vector::zeros();
        if touch.overlap <= 0.0 {
            // What the spring across the normal still held is lost with it.
            let left = self.tangential.spring(&elastic, 0.0).map_or(0.0, |spring| spring.stiffness);
            let (across, lost) = (Vector::zeros(), [lost[0], 0.5 * left * memory.norm_squared()]);
            *memory = Vector::zeros();
            return Response { force: -normal * pressing, across, rolling, lost, pressing, rate };
        }
        *memory = Vector::from(displaced.0);
        let across = Vector::from(pushed.across.0);
        if let Rolling::Constant(part) = self.rolling {
            rolling = rolling::torque(part, touch, pressing.max(0.0), step);
            lost[1] -= rolling.dot(&touch.spin) * step;
        }
        let held = self.cohesion.force(|| touch.radius());
        let force = across - normal * (pressing - held);
        Response { force, across, rolling, lost, pressing, rate }
    }

    /// Whether a contact had its part in the forces of the step before. Deeper than bodies come in a step, they touched
    /// before, or were put there.
    #[inline(always)]
    fn lasts(&self, touch: &Touch, way: f64) -> bool {
        touch.touched | (touch.overlap > way)
    }

    /// Damping for a speed of one, on the average over the step around now; the bodies come so far in a
    /// step.
    ///
    /// A contact damps from the moment in which it begins to that in which it ends. A force acts from
    /// half a step before to half a step after; so what acts first acts for less than a step, or for
    /// more, and after the last one something is to be added or taken back.
    #[inline(always)]
    fn rate(&self, touch: &Touch, elastic: &Elastic<f64>, way: f64) -> f64 {
        let way = way + f64::MIN_POSITIVE;
        if self.lasts(touch, way) & (touch.overlap > 0.0) {
            return self.damping.rate(elastic, touch.lightness);
        }
        let growth = self.damping.growth(elastic);
        let (overlap, part) = if touch.overlap > 0.0 {
            let since = touch.overlap / way + 0.5;
            (since * way, since / (1.0 + growth))
        } else {
            let since = (touch.overlap / way).max(-1.0) + 1.0;
            (since * way, since / (1.0 + growth) - 0.5)
        };
        let then = self.normal.force(overlap, || touch.radius());
        part * self.damping.rate(&then, touch.lightness)
    }

    /// The force that presses two bodies together along the normal that are at rest; negative where they hold each other.
    pub(super) fn pressing(&self, overlap: f64, radius: f64) -> f64 {
        self.normal.force(overlap, || radius).force - self.cohesion.force(|| radius)
    }

    /// The energy stored in a touch of this overlap and memory.
    pub(super) fn stored(&self, overlap: f64, radius: f64, memory: &Vector<3>) -> f64 {
        let elastic = self.normal.force(overlap, || radius);
        let spring = self.tangential.spring(&elastic, 0.0).map_or(0.0, |spring| spring.stiffness);
        let pulled = self.cohesion.force(|| radius) * overlap;
        elastic.energy + 0.5 * spring * memory.norm_squared() - pulled
    }
}
