//! Contacts of bodies with walls: neighbor pairs, forces and history.

use super::PosedWall;
use crate::dem::body::{BodyArrays, BodyMotion, ForceTorque, PositionRadius};
use crate::dem::contact_law::{
    ContactForce, ContactKinematics, ContactLaw, LawHistory, advance_contact,
};
use crate::dem::contact_point::DemContactPoint;
use crate::dem::forces::{ContactLawTable, StepTotals};
use crate::dem::rotation_state::RotationState;
use crate::dem::shape::{ContactShape, ShapeGeometry};
use crate::wall::WallClosestPoint;
use carom_geometry::Sphere;
use std::ops::Range;

/// A body and a wall, or one of its triangles, that may touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::dem) struct WallPair<H> {
    pub history: H,
    pub body: u32,
    /// Triangle of a mesh; zero for other walls.
    pub triangle: u32,
    pub wall: u16,
    /// Sphere of a clump; zero for other bodies.
    pub clump_sphere: u16,
    pub is_touching: bool,
}

/// History of a contact with a wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::dem) struct WallHistoryEntry<H> {
    /// Numbers of the body, of the wall with the sphere of a clump in its upper 16 bits, and of the triangle.
    pub contact_key: [u32; 3],
    pub history: H,
}

/// Packs the numbers of a wall and of a sphere of a clump into one key.
fn wall_member_key(wall: u16, clump_sphere: u16) -> u32 {
    u32::from(wall) | u32::from(clump_sphere) << 16
}

/// Everything that the forces of walls depend on.
pub(in crate::dem) struct WallForceContext<'a, L> {
    pub positions: &'a [PositionRadius],
    pub motions: &'a [BodyMotion],
    pub rotation_states: &'a [RotationState],
    pub materials: &'a [u32],
    pub contact_laws: &'a ContactLawTable<L>,
    pub shapes: &'a [ContactShape],
    pub walls: &'a [PosedWall<'a>],
    pub time_step: f64,
}

/// Finds all bodies and walls that may touch until they have moved by half the skin, sorted by body, wall and
/// triangle.
pub(in crate::dem) fn find_wall_pairs<H: LawHistory>(
    bodies: &BodyArrays,
    shapes: &[ContactShape],
    walls: &[PosedWall],
    skin: f64,
    histories: &[WallHistoryEntry<H>],
    pairs: &mut Vec<WallPair<H>>,
) {
    let mut near = Vec::new();
    pairs.clear();
    for (body, position) in (0u32..).zip(&bodies.positions) {
        let reach = position.radius + skin;
        for (number, wall) in (0u16..).zip(walls) {
            near.clear();
            match (wall.mesh(), wall.closest_point(&position.position)) {
                (Some(mesh), _) => {
                    mesh.each_near(
                        &wall.point_in_initial_frame(&position.position),
                        reach,
                        |part| near.push(part),
                    );
                    // Ascending, so that the search structure of the mesh does not decide the order of sums.
                    near.sort_unstable();
                }
                (None, Some(foot)) if foot.distance <= reach => near.push(0),
                _ => {}
            }
            let members = clump_spheres(bodies.shape(body as usize, shapes));
            for (clump_sphere, &triangle) in
                members.flat_map(|member| near.iter().map(move |p| (member, p)))
            {
                let contact_key =
                    [bodies.ids[body as usize], wall_member_key(number, clump_sphere), triangle];
                let found =
                    histories.binary_search_by_key(&contact_key, |one| one.contact_key).ok();
                let history = found.map_or_else(H::at_start, |index| histories[index].history);
                let is_touching = found.is_some();
                pairs.push(WallPair {
                    history,
                    body,
                    triangle,
                    wall: number,
                    clump_sphere,
                    is_touching,
                });
            }
        }
    }
}

/// Returns the parts of a body that may touch a wall separately: every sphere of a clump, else one.
fn clump_spheres(shape: Option<&ContactShape>) -> Range<u16> {
    match shape.map(ContactShape::geometry) {
        Some(ShapeGeometry::Clump(spheres)) => 0..spheres.len() as u16,
        _ => 0..1,
    }
}

/// Adds the forces of walls on the bodies of a block, whose first body has the index `first`.
pub(in crate::dem) fn apply_wall_contacts<L: ContactLaw>(
    context: &WallForceContext<L>,
    first: usize,
    pairs: &mut [WallPair<L::History>],
    forces_torques: &mut [ForceTorque],
    totals: &mut StepTotals,
) {
    for group in pairs.chunk_by_mut(is_same_group) {
        let WallPair { body, wall, .. } = group[0];
        let wall = &context.walls[usize::from(wall)];
        let force_torque = &mut forces_torques[body as usize - first];
        if context.is_shaped(body as usize) {
            context.apply_shaped_contacts(wall, group, force_torque, totals);
            continue;
        }
        let position = &context.positions[body as usize];
        match wall.closest_point(&position.position) {
            Some(closest) => {
                context.apply_sphere_contact(wall, &mut group[0], &closest, force_torque, totals)
            }
            None => {
                let ball = Sphere { center: position.position, radius: position.radius };
                context.apply_triangle_contacts(wall, group, &ball, force_torque, totals);
            }
        }
    }
}

/// Returns whether two pairs are of the same body, or sphere of a clump, with the same wall.
fn is_same_group<H>(one: &WallPair<H>, two: &WallPair<H>) -> bool {
    (one.body, one.wall, one.clump_sphere) == (two.body, two.wall, two.clump_sphere)
}

/// A triangle that a sphere touches.
#[derive(Clone, Copy)]
struct TriangleCandidate {
    pair: usize,
    closest: WallClosestPoint,
    /// The vertices that support the closest point.
    supporting_vertices: [Option<u32>; 3],
}

/// Largest number of triangles of one wall that a sphere touches at once; of more the deepest count.
const MAX_TRIANGLES: usize = 16;

impl<L: ContactLaw> WallForceContext<'_, L> {
    fn apply_sphere_contact(
        &self,
        wall: &PosedWall,
        pair: &mut WallPair<L::History>,
        closest: &WallClosestPoint,
        force_torque: &mut ForceTorque,
        totals: &mut StepTotals,
    ) {
        let body = pair.body as usize;
        let (position, motion) = (&self.positions[body], &self.motions[body]);
        let (normal, overlap) = (-closest.normal, position.radius - closest.distance);
        if overlap <= 0.0 && !pair.is_touching {
            return;
        }
        let at = position.position + normal * closest.distance;
        let (wall_velocity, wall_angular_velocity) = (wall.velocity(&at), wall.angular_velocity());
        let rotational_velocity = (motion.angular_velocity * closest.distance).cross(&normal);
        let rotation_change = (motion.angular_velocity_change * closest.distance).cross(&normal);
        let kinematics = ContactKinematics {
            normal,
            overlap,
            was_touching: pair.is_touching,
            velocity: motion.velocity - wall_velocity + rotational_velocity,
            velocity_change: motion.velocity_change + rotation_change,
            angular_velocity: motion.current_angular_velocity() - wall_angular_velocity,
            inverse_mass: motion.inverse_mass,
            inverse_inertia: motion.inverse_inertia,
            inverse_effective_mass: motion.inverse_mass
                + closest.distance * closest.distance * motion.inverse_inertia,
            // Walls count as flat, cylinders too: lengths of Hertz's law are small beside their radius.
            radii: [position.radius, f64::INFINITY],
            overlap_rate: 1.0,
        };
        let material = self.materials[body];
        let law = self.contact_laws.between(material, wall.material(material));
        let contact_force = advance_contact(law, &kinematics, &mut pair.history, self.time_step);
        let ContactForce { tangential_force, rolling_torque, losses, .. } = contact_force;
        let force = contact_force.on_first(&normal);
        pair.is_touching = overlap > 0.0;
        totals.wall_contacts += u64::from(pair.is_touching);
        totals.add_contact(losses, overlap, position.radius);
        totals.virial -= closest.distance * force.dot(&normal);
        totals.external_work += (force.dot(&wall_velocity)
            + rolling_torque.dot(&wall_angular_velocity))
            * self.time_step;
        force_torque.force += force;
        force_torque.torque += normal.cross(&tangential_force) * closest.distance + rolling_torque;
    }

    /// Adds the forces of triangles on a sphere. The deepest triangle comes first; one that is touched on a side
    /// or corner that it shares with a deeper one is the same contact. So a body rolls over internal edges of a
    /// mesh without a bump.
    pub(super) fn apply_triangle_contacts(
        &self,
        wall: &PosedWall,
        group: &mut [WallPair<L::History>],
        ball: &Sphere<3>,
        force_torque: &mut ForceTorque,
        totals: &mut StepTotals,
    ) {
        let Some(mesh) = wall.mesh() else { return };
        let mut candidates: [Option<TriangleCandidate>; MAX_TRIANGLES] = [None; MAX_TRIANGLES];
        let mut count = 0;
        for (pair, WallPair { triangle, .. }) in group.iter().enumerate() {
            let Some((closest, supports)) = wall.closest_point_on_triangle(*triangle, &ball.center)
            else {
                continue;
            };
            if closest.distance < ball.radius {
                let corners = mesh.corners(*triangle);
                let supporting_vertices = [0, 1, 2].map(|k| supports[k].then_some(corners[k]));
                insert_by_distance(
                    &mut candidates,
                    &mut count,
                    TriangleCandidate { pair, closest, supporting_vertices },
                );
            }
        }
        let mut chosen: [bool; MAX_TRIANGLES] = [false; MAX_TRIANGLES];
        for index in 0..count {
            let Some(one) = candidates[index] else { continue };
            let shares = |other: usize| {
                let corners =
                    candidates[other].map(|other| mesh.corners(group[other.pair].triangle));
                let has = |corner: u32| corners.is_some_and(|corners| corners.contains(&corner));
                chosen[other] && one.supporting_vertices.iter().flatten().all(|&corner| has(corner))
            };
            // A triangle that is touched only where it joins a nearer chosen one is the same contact.
            chosen[index] = !(0..index).any(shares);
        }
        let is_chosen = |pair: usize| {
            (0..count).any(|k| chosen[k] && candidates[k].is_some_and(|near| near.pair == pair))
        };
        for index in (0..count).filter(|&index| chosen[index]) {
            let Some(TriangleCandidate { pair, closest, .. }) = candidates[index] else { continue };
            if !group[pair].is_touching {
                let corners = mesh.corners(group[pair].triangle);
                let beside = |other: &usize| {
                    let pair = &group[*other];
                    let meets = mesh.corners(pair.triangle).iter().any(|one| corners.contains(one));
                    pair.is_touching && meets && !is_chosen(*other)
                };
                // The contact has moved over an edge: the new triangle inherits the displacement.
                if let Some(other) = (0..group.len()).find(beside) {
                    (group[pair].history, group[pair].is_touching) = (group[other].history, true);
                    (group[other].history, group[other].is_touching) =
                        (L::History::at_start(), false);
                }
            }
            self.apply_ball_contact(wall, &mut group[pair], ball, &closest, force_torque, totals);
        }
        // Contacts that have ended are computed once more, like those between bodies.
        for pair in 0..group.len() {
            if group[pair].is_touching && !is_chosen(pair) {
                self.end_contact(wall, &mut group[pair], ball, force_torque, totals);
            }
        }
    }

    /// Computes a contact that has just ended once more, for its last losses.
    fn end_contact(
        &self,
        wall: &PosedWall,
        pair: &mut WallPair<L::History>,
        ball: &Sphere<3>,
        force_torque: &mut ForceTorque,
        totals: &mut StepTotals,
    ) {
        match wall.closest_point_on_triangle(pair.triangle, &ball.center) {
            Some((closest, _)) if closest.distance >= ball.radius => {
                self.apply_ball_contact(wall, pair, ball, &closest, force_torque, totals);
            }
            _ => (pair.is_touching, pair.history) = (false, L::History::at_start()),
        }
    }

    /// Adds the force of a contact on a sphere, or on the clump it belongs to.
    fn apply_ball_contact(
        &self,
        wall: &PosedWall,
        pair: &mut WallPair<L::History>,
        ball: &Sphere<3>,
        closest: &WallClosestPoint,
        force_torque: &mut ForceTorque,
        totals: &mut StepTotals,
    ) {
        match self.is_shaped(pair.body as usize) {
            true => self.apply_contact_point(
                wall,
                pair,
                Some(sphere_contact_point(ball, closest)),
                force_torque,
                totals,
            ),
            false => self.apply_sphere_contact(wall, pair, closest, force_torque, totals),
        }
    }
}

/// Returns the contact point of a sphere with a wall.
pub(super) fn sphere_contact_point(
    ball: &Sphere<3>,
    closest: &WallClosestPoint,
) -> DemContactPoint {
    let position = ball.center - closest.normal * closest.distance;
    let (overlap, radii) = (ball.radius - closest.distance, [ball.radius, f64::INFINITY]);
    DemContactPoint::at_point(-closest.normal, overlap, position, radii)
}

/// Inserts a triangle into a list sorted by distance; the farthest is dropped if there is no room.
fn insert_by_distance(
    candidates: &mut [Option<TriangleCandidate>; MAX_TRIANGLES],
    count: &mut usize,
    one: TriangleCandidate,
) {
    let farther = |other: &Option<TriangleCandidate>| {
        other.is_none_or(|other| other.closest.distance > one.closest.distance)
    };
    let at = candidates.iter().position(farther).unwrap_or(MAX_TRIANGLES);
    if at < MAX_TRIANGLES {
        candidates[at..].rotate_right(1);
        candidates[at] = Some(one);
        *count = (*count + 1).min(MAX_TRIANGLES);
    }
}

/// Calls `visit` with every contact, its pair, and its contact point.
fn each_contact_point<L: ContactLaw>(
    context: &WallForceContext<L>,
    pairs: &[WallPair<L::History>],
    mut visit: impl FnMut(&WallPair<L::History>, &DemContactPoint),
) {
    for group in pairs.chunk_by(is_same_group) {
        let wall = &context.walls[usize::from(group[0].wall)];
        let body = group[0].body as usize;
        if context.is_shaped(body) {
            context.each_shaped_contact_point(wall, group, &mut visit);
            continue;
        }
        let position = &context.positions[body];
        let ball = Sphere { center: position.position, radius: position.radius };
        for pair in group.iter().filter(|pair| pair.is_touching) {
            if let Some(closest) = wall.closest_point_on_part(pair.triangle, &ball.center) {
                visit(pair, &sphere_contact_point(&ball, &closest));
            }
        }
    }
}

/// Calls `visit` with every contact with a wall: its pair, which has its history, the contact law and the contact point.
pub(in crate::dem) fn each_contact<L: ContactLaw>(
    context: &WallForceContext<L>,
    pairs: &[WallPair<L::History>],
    mut visit: impl FnMut(&WallPair<L::History>, &L, &DemContactPoint),
) {
    each_contact_point(context, pairs, |pair, contact_point| {
        let (body, wall) = (pair.body as usize, &context.walls[usize::from(pair.wall)]);
        let material = context.materials[body];
        let law = context.contact_laws.between(material, wall.material(material));
        visit(pair, law, contact_point);
    });
}

/// Returns the energy stored in contacts with walls.
pub(in crate::dem) fn contact_energy<L: ContactLaw>(
    context: &WallForceContext<L>,
    pairs: &[WallPair<L::History>],
) -> f64 {
    let mut sum = 0.0;
    each_contact(context, pairs, |pair, law, contact_point| {
        sum += law.stored_energy(contact_point.overlap, contact_point.radii[0], &pair.history);
    });
    sum
}

/// Returns the deepest contact with a wall: penetration depth in units of a radius, storage index of the body,
/// and the wall.
pub(in crate::dem) fn deepest_contact<L: ContactLaw>(
    context: &WallForceContext<L>,
    pairs: &[WallPair<L::History>],
) -> Option<(f64, u32, u16)> {
    let mut deepest: Option<(f64, u32, u16)> = None;
    each_contact_point(context, pairs, |pair, contact_point| {
        let part = contact_point.overlap / contact_point.radii[0];
        if deepest.is_none_or(|(most, ..)| part > most) {
            deepest = Some((part, pair.body, pair.wall));
        }
    });
    deepest
}

/// Returns the first body with a shape that penetrates a plane or cylinder by more than a fraction of its size,
/// the wall, and the penetration depth.
pub(in crate::dem) fn first_deeper_than<L: ContactLaw>(
    context: &WallForceContext<L>,
    pairs: &[WallPair<L::History>],
    part: f64,
) -> Option<(u32, u32, f64)> {
    pairs.iter().filter(|pair| context.is_shaped(pair.body as usize)).find_map(|pair| {
        let wall = &context.walls[usize::from(pair.wall)];
        let contact_point =
            context.plane_contact_point(wall, pair).filter(|_| wall.mesh().is_none())?;
        let is_deep = contact_point.overlap > part * contact_point.radii[0];
        is_deep.then_some((pair.body, u32::from(pair.wall), contact_point.overlap))
    })
}

/// Returns the history of contacts with walls by the numbers of bodies, ascending.
pub(in crate::dem) fn wall_history<H: LawHistory>(
    pairs: &[WallPair<H>],
    ids: &[u32],
) -> Vec<WallHistoryEntry<H>> {
    let touching = pairs.iter().filter(|pair| pair.is_touching);
    let mut all: Vec<WallHistoryEntry<H>> = touching
        .map(|pair| WallHistoryEntry {
            contact_key: [
                ids[pair.body as usize],
                wall_member_key(pair.wall, pair.clump_sphere),
                pair.triangle,
            ],
            history: pair.history,
        })
        .collect();
    all.sort_unstable_by_key(|one| one.contact_key);
    all
}

/// Returns the pairs of all bodies before `end`, starting at the pair `from`.
pub(in crate::dem) fn pairs_of_bodies<H>(
    pairs: &[WallPair<H>],
    from: usize,
    end: usize,
) -> Range<usize> {
    // Pairs are in the order of bodies, so that a block's are in one piece.
    let met = pairs[from..].partition_point(|pair| (pair.body as usize) < end);
    from..from + met
}
