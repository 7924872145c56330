//! Force, energy and friction of one node-face contact: a surface particle against a facet or a wall.

use super::body::Body;
use super::lattice_surface::SurfaceFacet;
use super::surface_contact::{BodyParticleId, SurfaceContactTotals};
use carom_geometry::{Vector, math};

/// Fraction of its distance to a face by which a particle approaches in a time step at most. Steps are also kept to
/// twice this fraction of the stable time step of a contact by itself.
const STEP_CAUTION: f64 = 0.2;

/// Below this fraction of the reach the barrier continues as a straight line, so that its stiffness, and with it the
/// time step, stays bounded.
const STIFFEST_FRACTION: f64 = 0.2;

/// Stiffness of the contact barrier. It is half of a lattice spacing's, for the particles of both surfaces push; layers
/// of two lattices count as springs in series.
pub(super) fn barrier_stiffness<const D: usize>(one: &Body<D>, two: &Body<D>) -> f64 {
    let (a, b) = (one.layer_stiffness, two.layer_stiffness);
    a * b / (a + b) * 0.5 * (one.spacing + two.spacing)
}

/// A particle before a facet or a wall.
pub(super) struct NodeFaceContact<const D: usize> {
    /// Unit normal, toward the particle.
    pub normal: Vector<D>,
    pub distance: f64,
    /// Distance at which the contact begins: the sum of both depths below the outlines.
    pub reach: f64,
    pub barrier_stiffness: f64,
    /// Velocity of the particle relative to the face.
    pub relative_velocity: Vector<D>,
    /// Inverse effective mass of particle and face at the contact point.
    pub inverse_effective_mass: f64,
}

/// Force of a node-face contact.
pub(super) struct NodeContactForce<const D: usize> {
    /// Force on the particle; its opposite acts on the face.
    pub force: Vector<D>,
    /// Frictional part of the force.
    pub friction: Vector<D>,
    /// Derivative of the contact energy with respect to the reach.
    pub reach_gradient: f64,
}

/// Friction of one contact in a time step.
pub(super) struct NodeFriction<const D: usize> {
    pub node: BodyParticleId,
    /// Body that the particle slides on, and its contact point; none for a wall.
    pub partner: Option<(usize, FaceProjection<D>)>,
    /// Friction force on the particle.
    pub force: Vector<D>,
    /// Relative velocity before the step.
    pub relative_velocity: Vector<D>,
}

impl<const D: usize> NodeFriction<D> {
    /// Energy that friction took in the step after which bodies have their current velocities.
    pub(super) fn friction_loss(&self, bodies: &[Body<D>], kick: f64) -> f64 {
        let own = bodies[self.node.body].velocity(self.node.number as usize);
        let other =
            self.partner.as_ref().map(|(body, projection)| projection.velocity(&bodies[*body]));
        let after = own - other.unwrap_or_else(Vector::zeros);
        // The mean of the velocities before and after gives the work of the kick exactly.
        -0.5 * self.force.dot(&(self.relative_velocity + after)) * kick
    }
}

impl<const D: usize> NodeFaceContact<D> {
    /// Computes the force on the particle, none if it is out of reach, and adds count, energy and step limits to
    /// `totals`.
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
        // A node that crosses a face in one step would be pushed on to the far side; the step is limited by the
        // gap.
        let closing_speed = -normal.dot(relative_velocity);
        if closing_speed > 0.0 {
            totals.longest_time_step = totals
                .longest_time_step
                .min(STEP_CAUTION * distance.max(STIFFEST_FRACTION * reach) / closing_speed);
        }
        // Barrier force κ (reach/d - 1) with the energy κ (reach ln(reach/d) - reach + d); from its stiffest point on
        // it continues along its tangent.
        let near = distance.max(STIFFEST_FRACTION * reach);
        let (stiffness, beyond) = (barrier_stiffness * reach / (near * near), near - distance);
        let normal_force = barrier_stiffness * (reach / near - 1.0) + stiffness * beyond;
        let contact_energy = barrier_stiffness * (reach * math::ln(reach / near) - reach + near)
            + (normal_force - 0.5 * stiffness * beyond) * beyond;
        let reach_gradient = match beyond > 0.0 {
            false => barrier_stiffness * math::ln(reach / near),
            // The tangent begins at a fraction of the reach, so its start moves with the reach.
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
        // At most a quarter of the slip is removed in a step; more could reverse it from step to step.
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

/// Closest point of a facet to a particle.
pub(super) struct FaceProjection<const D: usize> {
    pub facet: SurfaceFacet,
    /// Barycentric coordinates of the point; unused corners have 0.
    pub barycentric: [f64; 3],
    /// Vector from the point to the particle.
    pub separation: Vector<D>,
    pub distance: f64,
    /// Depth of the point below the outline of its body.
    pub outline_depth: f64,
    /// Depths of the corners below the outline.
    pub outline_depths: [f64; 3],
}

/// Gradient of the outline depth along a facet.
pub(super) struct OutlineGradient<const D: usize> {
    pub gradient: Vector<D>,
    /// Rates of the barycentric coordinates along the gradient.
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

    /// Force on a corner per unit of `reach_gradient`. The reach varies along the facet, so contact energy also depends
    /// on where the closest point is; without this term sliding along an outline would gain or lose energy.
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

    /// Inverse effective mass of the point, in units of one over the mass of a corner.
    pub(super) fn inverse_effective_mass(&self) -> f64 {
        self.barycentric.iter().map(|share| share * share).sum()
    }
}

/// Gradients of the barycentric coordinates as the closest point moves along its vertex, edge or triangle.
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
                // From the opposite edge perpendicularly to the corner.
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

/// Barycentric coordinates of the closest point of a vertex, segment or triangle (C. Ericson, Real-Time Collision
/// Detection, 2004).
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
