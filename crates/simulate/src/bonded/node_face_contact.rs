//! How hard a particle and a side push each other.

use super::body::Body;
use super::lattice_surface::SurfaceFacet;
use super::surface_contact::{BodyParticleId, SurfaceContactTotals};
use carom_geometry::{Vector, math};

/// The part of the way to a surface that a particle goes in a step at most; a step is at most twice this part of the longest
/// stable one of a contact by itself.
const STEP_CAUTION: f64 = 0.2;

/// Nearer than this part of its reach, a contact stiffens no more, so that steps need not become ever shorter.
const STIFFEST_FRACTION: f64 = 0.2;

/// Half of what a spacing of the lattice resists with, for particles of both surfaces push; of two lattices, halves of
/// layers one behind the other.
pub(super) fn barrier_stiffness<const D: usize>(one: &Body<D>, two: &Body<D>) -> f64 {
    let (a, b) = (one.layer_stiffness, two.layer_stiffness);
    a * b / (a + b) * 0.5 * (one.spacing + two.spacing)
}

/// A particle before a side or a wall.
pub(super) struct NodeFaceContact<const D: usize> {
    /// Towards the particle.
    pub normal: Vector<D>,
    pub distance: f64,
    /// How deep both are below the outlines of their bodies.
    pub reach: f64,
    pub barrier_stiffness: f64,
    /// Of the particle, as seen from the side.
    pub relative_velocity: Vector<D>,
    /// How fast both move apart by a push of one in a time of one.
    pub inverse_effective_mass: f64,
}

/// What acts where a particle meets something.
pub(super) struct NodeContactForce<const D: usize> {
    /// On the particle, and against it on what it meets.
    pub force: Vector<D>,
    /// What of it is friction.
    pub friction: Vector<D>,
    /// The energy that a larger reach would bring, per length.
    pub reach_gradient: f64,
}

/// Friction in a step.
pub(super) struct NodeFriction<const D: usize> {
    pub node: BodyParticleId,
    /// The body that it rubs along, and where; a wall if there is none.
    pub partner: Option<(usize, FaceProjection<D>)>,
    /// On the particle.
    pub force: Vector<D>,
    /// Before the step.
    pub relative_velocity: Vector<D>,
}

impl<const D: usize> NodeFriction<D> {
    /// The energy that it took in a step of which bodies have the velocities now.
    pub(super) fn friction_loss(&self, bodies: &[Body<D>], kick: f64) -> f64 {
        let own = bodies[self.node.body].velocity(self.node.number as usize);
        let other =
            self.partner.as_ref().map(|(body, projection)| projection.velocity(&bodies[*body]));
        let after = own - other.unwrap_or_else(Vector::zeros);
        -0.5 * self.force.dot(&(self.relative_velocity + after)) * kick
    }
}

impl<const D: usize> NodeFaceContact<D> {
    /// What pushes the particle, if it is near enough, and what that does, added to `totals`.
    pub(super) fn contact_force(
        &self,
        friction_coefficient: f64,
        kick: f64,
        totals: &mut SurfaceContactTotals,
    ) -> Option<NodeContactForce<D>> {
        let NodeFaceContact {
            normal,
            distance,
            reach,
            barrier_stiffness,
            relative_velocity,
            inverse_effective_mass,
        } = self;
        if *distance >= *reach {
            return None;
        }
        let closing_speed = -normal.dot(relative_velocity);
        if closing_speed > 0.0 {
            totals.longest_time_step = totals
                .longest_time_step
                .min(STEP_CAUTION * distance.max(STIFFEST_FRACTION * reach) / closing_speed);
        }
        // A barrier, and from its stiffest place on a straight line.
        let near = distance.max(STIFFEST_FRACTION * reach);
        let (stiffness, beyond) = (barrier_stiffness * reach / (near * near), near - distance);
        let normal_force = barrier_stiffness * (reach / near - 1.0) + stiffness * beyond;
        let contact_energy = barrier_stiffness * (reach * math::ln(reach / near) - reach + near)
            + (normal_force - 0.5 * stiffness * beyond) * beyond;
        let reach_gradient = match beyond > 0.0 {
            false => barrier_stiffness * math::ln(reach / near),
            // The straight line begins at a part of the reach, and moves with it.
            true => {
                let at_start = math::ln(1.0 / STIFFEST_FRACTION) + STIFFEST_FRACTION - 1.0;
                let steep = (1.0 / STIFFEST_FRACTION - 1.0) * STIFFEST_FRACTION;
                barrier_stiffness * (at_start + steep)
                    + stiffness * beyond * (STIFFEST_FRACTION - 0.5 * beyond / reach)
            }
        };
        totals.longest_time_step = totals
            .longest_time_step
            .min(4.0 * STEP_CAUTION / (stiffness * inverse_effective_mass).sqrt());
        let slip = relative_velocity + normal * closing_speed;
        // At most a quarter of the slip is stopped in a step, so that nothing trembles.
        let stopped = 0.25 * slip.norm() / (inverse_effective_mass * kick);
        let friction_limit = (friction_coefficient * normal_force).min(stopped);
        let friction =
            slip.try_normalize(0.0).map_or_else(Vector::zeros, |slip| -slip * friction_limit);
        totals.contacts += 1;
        totals.force_sum += normal_force;
        totals.contact_energy += contact_energy;
        Some(NodeContactForce { force: normal * normal_force + friction, friction, reach_gradient })
    }
}

/// The nearest point of a side.
pub(super) struct FaceProjection<const D: usize> {
    pub facet: SurfaceFacet,
    /// The shares of its corners.
    pub barycentric: [f64; 3],
    /// From there to the particle.
    pub separation: Vector<D>,
    pub distance: f64,
    /// How far the outline of the body is before it.
    pub outline_depth: f64,
    /// The same at its corners.
    pub outline_depths: [f64; 3],
}

/// How the outline of a body rises along a side.
pub(super) struct OutlineGradient<const D: usize> {
    pub gradient: Vector<D>,
    /// How the shares of corners change along it.
    pub barycentric_rates: [f64; 3],
}

impl<const D: usize> FaceProjection<D> {
    pub(super) fn new(
        body: &Body<D>,
        facet: &SurfaceFacet,
        outline_depths: &[f64; 3],
        here: &Vector<D>,
    ) -> Self {
        let mut corners = [*here; 3];
        for (corner, &number) in corners.iter_mut().zip(facet.corners()) {
            *corner = body.position(number as usize);
        }
        let barycentric = barycentric_coordinates(&corners[..facet.corners().len()], here);
        let point: Vector<D> =
            corners.iter().zip(barycentric).map(|(corner, share)| corner * share).sum();
        let separation = here - point;
        let outline_depth =
            outline_depths.iter().zip(barycentric).map(|(depth, share)| depth * share).sum();
        FaceProjection {
            facet: *facet,
            barycentric,
            separation,
            distance: separation.norm(),
            outline_depth,
            outline_depths: *outline_depths,
        }
    }

    pub(super) fn outline_gradient(&self, body: &Body<D>) -> OutlineGradient<D> {
        let corners = self.facet.corners().len();
        if self.outline_depths[1..corners].iter().all(|depth| *depth == self.outline_depths[0]) {
            return OutlineGradient { gradient: Vector::zeros(), barycentric_rates: [0.0; 3] };
        }
        let mut corners = [Vector::zeros(); 3];
        for (corner, &number) in corners.iter_mut().zip(self.facet.corners()) {
            *corner = body.position(number as usize);
        }
        let gradients = barycentric_gradients(&corners, self.barycentric);
        let outline_gradient: Vector<D> = gradients
            .iter()
            .zip(self.outline_depths)
            .map(|(gradient, depth)| gradient * depth)
            .sum();
        OutlineGradient {
            gradient: outline_gradient,
            barycentric_rates: gradients.map(|gradient| gradient.dot(&outline_gradient)),
        }
    }

    /// What acts on a corner if what is stored grows by one with the reach: the outline has a slope, and the side can
    /// turn.
    pub(super) fn corner_reach_force(
        &self,
        outline: &OutlineGradient<D>,
        corner: usize,
    ) -> Vector<D> {
        outline.gradient * self.barycentric[corner]
            - self.separation * outline.barycentric_rates[corner]
    }

    pub(super) fn velocity(&self, body: &Body<D>) -> Vector<D> {
        let corners = self.facet.corners().iter().zip(self.barycentric);
        corners.map(|(&number, share)| body.velocity(number as usize) * share).sum()
    }

    /// How fast the point becomes by a push of one, with a mass of one of each corner.
    pub(super) fn inverse_effective_mass(&self) -> f64 {
        self.barycentric.iter().map(|share| share * share).sum()
    }
}

/// How shares change as the nearest point moves along the point, edge or triangle it is on.
fn barycentric_gradients<const D: usize>(
    corners: &[Vector<D>; 3],
    barycentric: [f64; 3],
) -> [Vector<D>; 3] {
    let mut gradients = [Vector::zeros(); 3];
    let mut counting = (0..3).filter(|&corner| barycentric[corner] > 0.0);
    match [counting.next(), counting.next(), counting.next()] {
        [Some(a), Some(b), None] => {
            let edge = corners[b] - corners[a];
            let gradient = edge / edge.norm_squared().max(f64::MIN_POSITIVE);
            (gradients[a], gradients[b]) = (-gradient, gradient);
        }
        [Some(_), Some(_), Some(_)] => {
            for corner in 0..3 {
                // From the opposite edge straight to the corner.
                let [from, to] = [corners[(corner + 1) % 3], corners[(corner + 2) % 3]];
                let (edge, to_corner) = (to - from, corners[corner] - from);
                let part = to_corner.dot(&edge) / edge.norm_squared().max(f64::MIN_POSITIVE);
                let height = to_corner - edge * part;
                gradients[corner] = height / height.norm_squared().max(f64::MIN_POSITIVE);
            }
        }
        _ => {}
    }
    gradients
}

/// The shares of corners in the point nearest to a place: of a point, a segment or a triangle (C. Ericson, 2004).
fn barycentric_coordinates<const D: usize>(corners: &[Vector<D>], place: &Vector<D>) -> [f64; 3] {
    let part = |from: &Vector<D>, to: &Vector<D>| {
        let edge = to - from;
        (edge.dot(&(place - from)) / edge.norm_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0)
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
