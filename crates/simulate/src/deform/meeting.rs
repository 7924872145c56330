//! How hard a particle and a side push each other.

use super::body::Body;
use super::contact::{Place, Touched};
use super::surface::Side;
use carom_geometry::{Vector, math};

/// The part of the way to a surface that a particle goes in a step at most; a step is at most twice this part of the longest
/// stable one of a contact by itself.
const CAUTION: f64 = 0.2;

/// Nearer than this part of its reach, a contact stiffens no more, so that steps need not become ever shorter.
const STIFFEST: f64 = 0.2;

/// Half of what a spacing of the lattice resists with, for particles of both surfaces push; of two lattices, halves of
/// layers one behind the other.
pub(super) fn hardness<const D: usize>(one: &Body<D>, two: &Body<D>) -> f64 {
    let (a, b) = (one.layer, two.layer);
    a * b / (a + b) * 0.5 * (one.spacing + two.spacing)
}

/// A particle before a side or a wall.
pub(super) struct Meeting<const D: usize> {
    /// Towards the particle.
    pub normal: Vector<D>,
    pub distance: f64,
    /// How deep both are below the outlines of their bodies.
    pub reach: f64,
    pub hardness: f64,
    /// Of the particle, as seen from the side.
    pub speed: Vector<D>,
    /// How fast both move apart by a push of one in a time of one.
    pub give: f64,
}

/// What acts where a particle meets something.
pub(super) struct Pushed<const D: usize> {
    /// On the particle, and against it on what it meets.
    pub force: Vector<D>,
    /// What of it is friction.
    pub rub: Vector<D>,
    /// The energy that a larger reach would bring, per length.
    pub per_reach: f64,
}

/// Friction in a step.
pub(super) struct Rub<const D: usize> {
    pub node: Place,
    /// The body that it rubs along, and where; a wall if there is none.
    pub along: Option<(usize, Near<D>)>,
    /// On the particle.
    pub force: Vector<D>,
    /// Before the step.
    pub speed: Vector<D>,
}

impl<const D: usize> Rub<D> {
    /// The energy that it took in a step of which bodies have the velocities now.
    pub(super) fn taken(&self, bodies: &[Body<D>], kick: f64) -> f64 {
        let own = bodies[self.node.body].velocity(self.node.number as usize);
        let other = self.along.as_ref().map(|(body, near)| near.velocity(&bodies[*body]));
        let after = own - other.unwrap_or_else(Vector::zeros);
        -0.5 * self.force.dot(&(self.speed + after)) * kick
    }
}

impl<const D: usize> Meeting<D> {
    /// What pushes the particle, if it is near enough, and what that does, added to `sum`.
    pub(super) fn push(&self, friction: f64, kick: f64, sum: &mut Touched) -> Option<Pushed<D>> {
        let Meeting { normal, distance, reach, hardness, speed, give } = self;
        if *distance >= *reach {
            return None;
        }
        let closing = -normal.dot(speed);
        if closing > 0.0 {
            sum.longest_step =
                sum.longest_step.min(CAUTION * distance.max(STIFFEST * reach) / closing);
        }
        // A barrier, and from its stiffest place on a straight line.
        let near = distance.max(STIFFEST * reach);
        let (stiffness, beyond) = (hardness * reach / (near * near), near - distance);
        let push = hardness * (reach / near - 1.0) + stiffness * beyond;
        let stored = hardness * (reach * math::ln(reach / near) - reach + near)
            + (push - 0.5 * stiffness * beyond) * beyond;
        let per_reach = match beyond > 0.0 {
            false => hardness * math::ln(reach / near),
            // The straight line begins at a part of the reach, and moves with it.
            true => {
                let at_start = math::ln(1.0 / STIFFEST) + STIFFEST - 1.0;
                let steep = (1.0 / STIFFEST - 1.0) * STIFFEST;
                hardness * (at_start + steep)
                    + stiffness * beyond * (STIFFEST - 0.5 * beyond / reach)
            }
        };
        sum.longest_step = sum.longest_step.min(4.0 * CAUTION / (stiffness * give).sqrt());
        let slip = speed + normal * closing;
        // At most a quarter of the slip is stopped in a step, so that nothing trembles.
        let stopped = 0.25 * slip.norm() / (give * kick);
        let rub = (friction * push).min(stopped);
        let rubbed = slip.try_normalize(0.0).map_or_else(Vector::zeros, |slip| -slip * rub);
        sum.contacts += 1;
        sum.push += push;
        sum.stored += stored;
        Some(Pushed { force: normal * push + rubbed, rub: rubbed, per_reach })
    }
}

/// The nearest point of a side.
pub(super) struct Near<const D: usize> {
    pub side: Side,
    /// The shares of its corners.
    pub shares: [f64; 3],
    /// From there to the particle.
    pub way: Vector<D>,
    pub distance: f64,
    /// How far the outline of the body is before it.
    pub depth: f64,
    /// The same at its corners.
    pub depths: [f64; 3],
}

/// How the outline of a body rises along a side.
pub(super) struct Slope<const D: usize> {
    pub way: Vector<D>,
    /// How the shares of corners change along it.
    pub along: [f64; 3],
}

impl<const D: usize> Near<D> {
    pub(super) fn of(body: &Body<D>, side: &Side, depths: &[f64; 3], here: &Vector<D>) -> Self {
        let mut corners = [*here; 3];
        for (corner, &number) in corners.iter_mut().zip(side.corners()) {
            *corner = body.position(number as usize);
        }
        let shares = shares(&corners[..side.corners().len()], here);
        let point: Vector<D> =
            corners.iter().zip(shares).map(|(corner, share)| corner * share).sum();
        let way = here - point;
        let depth = depths.iter().zip(shares).map(|(depth, share)| depth * share).sum();
        Near { side: *side, shares, way, distance: way.norm(), depth, depths: *depths }
    }

    pub(super) fn slope(&self, body: &Body<D>) -> Slope<D> {
        let corners = self.side.corners().len();
        if self.depths[1..corners].iter().all(|depth| *depth == self.depths[0]) {
            return Slope { way: Vector::zeros(), along: [0.0; 3] };
        }
        let mut corners = [Vector::zeros(); 3];
        for (corner, &number) in corners.iter_mut().zip(self.side.corners()) {
            *corner = body.position(number as usize);
        }
        let gradients = gradients(&corners, self.shares);
        let way: Vector<D> =
            gradients.iter().zip(self.depths).map(|(gradient, depth)| gradient * depth).sum();
        Slope { way, along: gradients.map(|gradient| gradient.dot(&way)) }
    }

    /// What acts on a corner if what is stored grows by one with the reach: the outline has a slope, and the side can
    /// turn.
    pub(super) fn on_corner(&self, slope: &Slope<D>, corner: usize) -> Vector<D> {
        slope.way * self.shares[corner] - self.way * slope.along[corner]
    }

    pub(super) fn velocity(&self, body: &Body<D>) -> Vector<D> {
        let corners = self.side.corners().iter().zip(self.shares);
        corners.map(|(&number, share)| body.velocity(number as usize) * share).sum()
    }

    /// How fast the point becomes by a push of one, with a mass of one of each corner.
    pub(super) fn give(&self) -> f64 {
        self.shares.iter().map(|share| share * share).sum()
    }
}

/// How shares change as the nearest point moves along the point, edge or triangle it is on.
fn gradients<const D: usize>(corners: &[Vector<D>; 3], shares: [f64; 3]) -> [Vector<D>; 3] {
    let mut gradients = [Vector::zeros(); 3];
    let mut counting = (0..3).filter(|&corner| shares[corner] > 0.0);
    match [counting.next(), counting.next(), counting.next()] {
        [Some(a), Some(b), None] => {
            let way = corners[b] - corners[a];
            let gradient = way / way.norm_squared().max(f64::MIN_POSITIVE);
            (gradients[a], gradients[b]) = (-gradient, gradient);
        }
        [Some(_), Some(_), Some(_)] => {
            for corner in 0..3 {
                // From the opposite edge straight to the corner.
                let [from, to] = [corners[(corner + 1) % 3], corners[(corner + 2) % 3]];
                let (edge, way) = (to - from, corners[corner] - from);
                let part = way.dot(&edge) / edge.norm_squared().max(f64::MIN_POSITIVE);
                let height = way - edge * part;
                gradients[corner] = height / height.norm_squared().max(f64::MIN_POSITIVE);
            }
        }
        _ => {}
    }
    gradients
}

/// The shares of corners in the point nearest to a place: of a point, a segment or a triangle (C. Ericson, 2004).
fn shares<const D: usize>(corners: &[Vector<D>], place: &Vector<D>) -> [f64; 3] {
    let part = |from: &Vector<D>, to: &Vector<D>| {
        let way = to - from;
        (way.dot(&(place - from)) / way.norm_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0)
    };
    match corners {
        [_] => [1.0, 0.0, 0.0],
        [a, b] => [1.0 - part(a, b), part(a, b), 0.0],
        [a, b, c] => {
            let (ab, ac, ap) = (b - a, c - a, place - a);
            let (d00, d01, d11) = (ab.dot(&ab), ab.dot(&ac), ac.dot(&ac));
            let (d20, d21) = (ap.dot(&ab), ap.dot(&ac));
            let area = d00 * d11 - d01 * d01;
            let [v, w] = [(d11 * d20 - d01 * d21) / area, (d00 * d21 - d01 * d20) / area];
            if v >= 0.0 && w >= 0.0 && v + w <= 1.0 {
                return [1.0 - v - w, v, w];
            }
            let edges = [(0, 1), (1, 2), (2, 0)].map(|(from, to)| {
                let part = part(&corners[from], &corners[to]);
                let mut shares = [0.0; 3];
                (shares[from], shares[to]) = (1.0 - part, part);
                let point = corners[from] * (1.0 - part) + corners[to] * part;
                ((place - point).norm_squared(), shares)
            });
            let best = edges.into_iter().min_by(|one, two| one.0.total_cmp(&two.0));
            best.map_or([1.0, 0.0, 0.0], |(_, shares)| shares)
        }
        _ => unreachable!("a side has one to three corners"),
    }
}
