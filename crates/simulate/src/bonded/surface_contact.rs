//! Contacts of bonded bodies: particles of a surface (nodes) against facets of a surface (faces).
//!
//! Each node is pushed away from the closest point of the surface of each other body, or of another part of its own,
//! once both outlines touch; the corners of that facet are pushed back by their barycentric shares. Forces act along
//! the line between both points, so that momentum and angular momentum are conserved, and derive from a barrier energy
//! that grows ever faster as the distance shrinks. Two flat surfaces on each other are as stiff as the lattice itself.
//!
//! Breaking springs uncover facets, which may be within reach of particles that did not move there. To keep these from
//! being thrown off, their reach is shortened to their distance at that moment, and grows as they move away.

use super::body::Body;
use super::lattice_surface::{LatticeSurface, SurfaceFacet};
use super::node_face_contact::{FaceProjection, NodeFaceContact, NodeFriction, barrier_stiffness};
use crate::{Error, Wall};
use carom_geometry::{Vector, embed_in_3d};
use std::collections::HashMap;
use std::ops::Range;

/// Least and greatest Verlet skin, in spacings; between these it is what particles move in `SKIN_LIFETIME_STEPS` steps.
const SKIN_RANGE: [f64; 2] = [0.4, 0.8];
const SKIN_LIFETIME_STEPS: f64 = 4.0;

/// A new search for contacts of crack faces is made when particles have moved by this many spacings since a break.
const CRACK_SEARCH_DISPLACEMENT: f64 = 0.1;

/// A node that is uncovered nearer to a face than this fraction of its reach does not touch it until it is farther
/// away.
const MIN_REACH_FRACTION: f64 = 0.3;

/// A particle of one of the bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct BodyParticleId {
    pub body: usize,
    pub number: u32,
}

/// A surface particle that may touch something.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ContactNode {
    pub id: BodyParticleId,
    /// Row and lattice coordinates of the particle.
    pub row: u32,
    pub coordinates: [i32; 3],
    /// Depth below the outline of its body.
    pub outline_depth: f64,
    /// Fraction of the reach that counts; 1 unless it was uncovered by a break.
    pub reach_fraction: f64,
}

/// A facet that may be touched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ContactFace {
    pub body: usize,
    pub facet: SurfaceFacet,
    pub outline_depths: [f64; 3],
    /// Lattice coordinates of its first corner.
    pub coordinates: [i32; 3],
}

/// Candidate contacts, valid until the next search.
#[derive(Default)]
pub(super) struct SurfaceContacts<const D: usize> {
    pub nodes: Vec<ContactNode>,
    pub faces: Vec<ContactFace>,
    /// Candidate pairs: index of a node and of a face, ascending.
    pub pairs: Vec<[u32; 2]>,
    /// For each pair, the displacement bound below which it cannot touch.
    pub dormant_until: Vec<f64>,
    /// Ranges of `pairs` with one node and the faces of one body.
    pub groups: Vec<Range<usize>>,
    /// Candidate wall contacts: index of a node and of a wall.
    pub wall_pairs: Vec<[u32; 2]>,
    /// Verlet skin of the search.
    pub skin: f64,
    /// Upper bound of the particles' displacements since the search, and since springs broke after it.
    pub displacement_bound: f64,
    pub displacement_since_break: Option<f64>,
    pub is_searched: bool,
    /// Buffers of the last step, kept for reuse.
    pub forces: SurfaceContactForces<D>,
}

/// Totals over the contacts of one time step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceContactTotals {
    /// Number of nodes in contact.
    pub contacts: u64,
    /// Energy stored in contacts.
    pub contact_energy: f64,
    /// Sum of normal forces.
    pub force_sum: f64,
    /// Energy that contacts passed to held particles; negative where it came from them.
    pub constraint_loss: f64,
    /// Longest time step in which no node passes through a face.
    pub longest_time_step: f64,
}

impl Default for SurfaceContactTotals {
    fn default() -> Self {
        let longest_time_step = f64::INFINITY;
        SurfaceContactTotals {
            contacts: 0,
            contact_energy: 0.0,
            force_sum: 0.0,
            constraint_loss: 0.0,
            longest_time_step,
        }
    }
}

/// A contact of a particle with a face or a wall.
pub(super) struct NodeContact<const D: usize> {
    pub node: BodyParticleId,
    pub partner: NodeContactPartner,
    /// Unit normal, toward the particle.
    pub normal: Vector<D>,
    /// Distance of the particle from the face or wall.
    pub distance: f64,
    /// Depth below the distance at which the contact begins.
    pub overlap: f64,
    /// Force on the particle.
    pub force: Vector<D>,
}

/// The partner of a particle in contact.
pub(super) enum NodeContactPartner {
    /// A face, by its corner that is nearest to the contact point.
    Particle(BodyParticleId),
    /// A wall, by its number.
    Wall(u32),
}

/// Contact forces on nodes and corners, and what follows from them.
#[derive(Default)]
pub(super) struct SurfaceContactForces<const D: usize> {
    pub totals: SurfaceContactTotals,
    pub node_forces: Vec<(BodyParticleId, Vector<D>)>,
    /// For nodes with a shortened reach, the index and the distance over the full reach.
    reach_fractions: Vec<(usize, f64)>,
    /// Pairs that are apart, and the displacement bound until which they are skipped.
    dormant_pairs: Vec<(usize, f64)>,
    frictions: Vec<NodeFriction<D>>,
}

impl<const D: usize> SurfaceContactForces<D> {
    fn clear(&mut self) {
        self.totals = SurfaceContactTotals::default();
        self.node_forces.clear();
        self.reach_fractions.clear();
        self.dormant_pairs.clear();
        self.frictions.clear();
    }
}

/// The face of one body that is nearest to a node, relative to its reach.
struct NearestContactFace<const D: usize> {
    projection: FaceProjection<D>,
    body: usize,
    /// Distance at which node and face begin to touch.
    reach: f64,
}

impl<const D: usize> SurfaceContacts<D> {
    /// Requests a new search.
    pub(super) fn invalidate(&mut self) {
        self.is_searched = false;
    }

    /// Notes that springs have broken.
    pub(super) fn note_broken_springs(&mut self) {
        self.displacement_since_break.get_or_insert(0.0);
    }

    /// Adds an upper bound of the particles' displacements in a step.
    pub(super) fn add_displacement(&mut self, displacement: f64) {
        self.displacement_bound += displacement;
        self.displacement_since_break =
            self.displacement_since_break.map(|opened| opened + displacement);
    }

    /// Searches candidate contacts if particles have left the Verlet skin or cracks have opened since the last search.
    pub(super) fn update(
        &mut self,
        bodies: &[Body<D>],
        surfaces: &[LatticeSurface<D>],
        walls: &[Wall],
        time_step: f64,
    ) -> Result<(), Error> {
        let spacing = bodies.iter().map(|body| body.spacing).fold(f64::INFINITY, f64::min);
        let is_open = self
            .displacement_since_break
            .is_some_and(|opened| opened >= CRACK_SEARCH_DISPLACEMENT * spacing);
        // Twice the bound, since both sides of a pair may have moved.
        if self.is_searched && 2.0 * self.displacement_bound < self.skin && !is_open {
            return Ok(());
        }
        let before = self.displacement_since_break.is_some().then(|| self.relative_gaps(bodies));
        let short = self.nodes.iter().filter(|node| node.reach_fraction < 1.0);
        let reach_fractions: HashMap<BodyParticleId, f64> =
            short.map(|node| (node.id, node.reach_fraction)).collect();
        let fastest = bodies.iter().map(|body| body.max_speed).fold(0.0, f64::max);
        // Faster particles get a wider skin, so that a search serves for about the same number of steps.
        let skin = (2.0 * SKIN_LIFETIME_STEPS * fastest * time_step)
            .clamp(SKIN_RANGE[0] * spacing, SKIN_RANGE[1] * spacing);
        let forces = std::mem::take(&mut self.forces);
        *self = SurfaceContacts { is_searched: true, skin, forces, ..SurfaceContacts::default() };
        let spheres = self.gather_nodes_and_faces(bodies, surfaces, &reach_fractions);
        for (number, node) in (0..).zip(&self.nodes) {
            let place = bodies[node.id.body].position(node.id.number as usize);
            let far = node.outline_depth + skin;
            let is_near = |wall: &Wall| {
                let closest = wall.surface.closest_point(&embed_in_3d(&place));
                closest.is_some_and(|closest| closest.distance < far)
            };
            let near = (0..walls.len()).filter(|&wall| is_near(&walls[wall]));
            self.wall_pairs.extend(near.map(|wall| [number, wall as u32]));
        }
        self.find_pairs(bodies, &spheres)?;
        self.group_pairs();
        // Faces that a crack uncovers may be nearer than the reach: their force would come from no work.
        if let Some(before) = before {
            self.shorten_uncovered_reaches(bodies, &before);
        }
        Ok(())
    }

    /// Distances of nodes to their nearest face, over their reach.
    fn relative_gaps(&self, bodies: &[Body<D>]) -> HashMap<BodyParticleId, f64> {
        let mut gaps = HashMap::new();
        for group in &self.groups {
            let Some(NearestContactFace { projection, reach, .. }) =
                self.nearest_face(bodies, group, None)
            else {
                continue;
            };
            let gap = gaps.entry(self.node_of_group(group).1.id).or_insert(f64::INFINITY);
            *gap = gap.min(projection.distance / reach);
        }
        gaps
    }

    /// Shortens the reach of nodes that are suddenly nearer to a face than before the search.
    fn shorten_uncovered_reaches(
        &mut self,
        bodies: &[Body<D>],
        before: &HashMap<BodyParticleId, f64>,
    ) {
        let mut reach_fractions = Vec::new();
        for group in &self.groups {
            let (number, node) = self.node_of_group(group);
            let Some(NearestContactFace { projection, reach, .. }) =
                self.nearest_face(bodies, group, None)
            else {
                continue;
            };
            let was = before.get(&node.id).copied().unwrap_or(f64::INFINITY);
            let reach_fraction = projection.distance / reach;
            if reach_fraction < node.reach_fraction && reach_fraction < was * (1.0 - 1e-9) {
                reach_fractions.push((
                    number,
                    if reach_fraction < MIN_REACH_FRACTION { 0.0 } else { reach_fraction },
                ));
            }
        }
        for (node, part) in reach_fractions {
            self.nodes[node].reach_fraction = self.nodes[node].reach_fraction.min(part);
        }
    }

    /// Applies contact forces for the time `kick`, and returns their totals.
    pub(super) fn apply_forces(
        &mut self,
        bodies: &mut [Body<D>],
        walls: &[Wall],
        kick: f64,
    ) -> SurfaceContactTotals {
        let mut forces = std::mem::take(&mut self.forces);
        self.compute_forces(bodies, walls, kick, &mut forces, &mut |_| ());
        let SurfaceContactForces { totals, node_forces, reach_fractions, dormant_pairs, .. } =
            &mut forces;
        for (BodyParticleId { body, number }, force) in node_forces {
            let (body, number) = (&mut bodies[*body], *number as usize);
            if body.is_held(number) {
                totals.constraint_loss += force.dot(&body.velocity(number)) * kick;
            }
            let change = *force * (kick / body.particle_mass);
            body.kick_particle(number, &change);
        }
        for fractions in reach_fractions.chunk_by(|one, two| one.0 == two.0) {
            let node = &mut self.nodes[fractions[0].0];
            let nearest = fractions.iter().map(|part| part.1).fold(1.0, f64::min);
            if nearest >= MIN_REACH_FRACTION {
                node.reach_fraction = node.reach_fraction.max(nearest);
            }
        }
        for &mut (pair, rests) in dormant_pairs {
            self.dormant_until[pair] = rests;
        }
        self.forces = forces;
        self.forces.totals
    }

    /// Energy that friction took in the step since the last forces.
    pub(super) fn friction_loss(&self, bodies: &[Body<D>], kick: f64) -> f64 {
        self.forces.frictions.iter().map(|friction| friction.friction_loss(bodies, kick)).sum()
    }

    /// Computes contact forces at the current positions without applying them.
    pub(super) fn forces(
        &self,
        bodies: &[Body<D>],
        walls: &[Wall],
        kick: f64,
    ) -> SurfaceContactForces<D> {
        let mut forces = SurfaceContactForces::default();
        self.compute_forces(bodies, walls, kick, &mut forces, &mut |_| ());
        forces
    }

    /// Calls `visit` with every contact at the current positions.
    pub(super) fn visit(
        &self,
        bodies: &[Body<D>],
        walls: &[Wall],
        kick: f64,
        visit: &mut impl FnMut(NodeContact<D>),
    ) {
        self.compute_forces(bodies, walls, kick, &mut SurfaceContactForces::default(), visit);
    }

    fn compute_forces(
        &self,
        bodies: &[Body<D>],
        walls: &[Wall],
        kick: f64,
        forces: &mut SurfaceContactForces<D>,
        visit: &mut impl FnMut(NodeContact<D>),
    ) {
        forces.clear();
        let SurfaceContactForces { totals, node_forces, reach_fractions, dormant_pairs, frictions } =
            forces;
        for group in &self.groups {
            // Most groups are apart; each is skipped until displacements can have closed its gap.
            if self.dormant_until[group.clone()]
                .iter()
                .all(|&rests| self.displacement_bound < rests)
            {
                continue;
            }
            let (number, node) = self.node_of_group(group);
            let body = &bodies[node.id.body];
            // Nodes with a shortened reach are tracked even out of contact, so that their reach can grow.
            let resting = if node.reach_fraction < 1.0 { None } else { Some(&mut *dormant_pairs) };
            let Some(nearest) = self.nearest_face(bodies, group, resting) else { continue };
            let NearestContactFace { projection, body: other, reach } = nearest;
            // On the face itself there is no normal.
            if projection.distance == 0.0 {
                continue;
            }
            if node.reach_fraction < 1.0 {
                reach_fractions.push((number, projection.distance / reach));
            }
            let contact = NodeFaceContact {
                normal: projection.separation / projection.distance,
                distance: projection.distance,
                reach: reach * node.reach_fraction,
                barrier_stiffness: barrier_stiffness(body, &bodies[other]),
                relative_velocity: body.velocity(node.id.number as usize)
                    - projection.velocity(&bodies[other]),
                inverse_effective_mass: 1.0 / body.particle_mass
                    + projection.inverse_effective_mass() / bodies[other].particle_mass,
            };
            // The smaller coefficient counts where materials differ.
            let friction =
                body.springs.friction_coefficient.min(bodies[other].springs.friction_coefficient);
            let Some(contact_force) = contact.contact_force(friction, kick, totals) else {
                continue;
            };
            let nearest = (0..projection.facet.corners().len()).max_by(|&one, &two| {
                projection.barycentric[one].total_cmp(&projection.barycentric[two])
            });
            visit(NodeContact {
                node: node.id,
                partner: NodeContactPartner::Particle(BodyParticleId {
                    body: other,
                    number: projection.facet.corners()[nearest.unwrap_or(0)],
                }),
                normal: contact.normal,
                distance: contact.distance,
                overlap: contact.reach - contact.distance,
                force: contact_force.force,
            });
            // Within one body the reach is the same everywhere, so it has no gradient.
            let is_own = other == node.id.body;
            let reach_gradient =
                if is_own { 0.0 } else { contact_force.reach_gradient * node.reach_fraction };
            let outline_gradient = projection.outline_gradient(&bodies[other]);
            node_forces
                .push((node.id, contact_force.force - outline_gradient.gradient * reach_gradient));
            // The reaction is shared by the corners as their barycentric coordinates say, which keeps momentum.
            for (corner, &number) in projection.facet.corners().iter().enumerate() {
                let force = projection.corner_reach_force(&outline_gradient, corner)
                    * reach_gradient
                    - contact_force.force * projection.barycentric[corner];
                node_forces.push((BodyParticleId { body: other, number }, force));
            }
            if friction > 0.0 {
                let (relative_velocity, force) =
                    (contact.relative_velocity, contact_force.friction);
                frictions.push(NodeFriction {
                    node: node.id,
                    partner: Some((other, projection)),
                    force,
                    relative_velocity,
                });
            }
        }
        for &[node, wall_number] in &self.wall_pairs {
            let (node, wall) = (&self.nodes[node as usize], &walls[wall_number as usize]);
            let (body, number) = (&bodies[node.id.body], node.id.number as usize);
            let place = embed_in_3d(&body.position(number));
            let Some(closest) = wall.surface.closest_point(&place) else { continue };
            let contact = NodeFaceContact {
                normal: Vector::from_fn(|axis, _| closest.normal[axis]),
                distance: closest.distance,
                reach: node.outline_depth,
                // One layer, pressed from one side only: the wall has no particles that push back.
                barrier_stiffness: 2.0 * barrier_stiffness(body, body),
                relative_velocity: body.velocity(number),
                inverse_effective_mass: 1.0 / body.particle_mass,
            };
            let friction = body.springs.friction_coefficient;
            let Some(contact_force) = contact.contact_force(friction, kick, totals) else {
                continue;
            };
            visit(NodeContact {
                node: node.id,
                partner: NodeContactPartner::Wall(wall_number),
                normal: contact.normal,
                distance: contact.distance,
                overlap: contact.reach - contact.distance,
                force: contact_force.force,
            });
            node_forces.push((node.id, contact_force.force));
            let (relative_velocity, force) = (contact.relative_velocity, contact_force.friction);
            frictions.push(NodeFriction { node: node.id, partner: None, force, relative_velocity });
        }
    }

    /// Groups pairs of one node with the faces of one body.
    pub(super) fn group_pairs(&mut self) {
        let body = |pair: &[u32; 2]| self.faces[pair[1] as usize].body;
        let are_one = |one: &[u32; 2], two: &[u32; 2]| one[0] == two[0] && body(one) == body(two);
        let mut end = 0;
        let groups = self.pairs.chunk_by(are_one).map(|pairs| {
            end += pairs.len();
            end - pairs.len()..end
        });
        self.groups = groups.collect();
        self.dormant_until = vec![0.0; self.pairs.len()];
    }

    /// The node of a group, with its index.
    fn node_of_group(&self, group: &Range<usize>) -> (usize, &ContactNode) {
        let number = self.pairs[group.start][0] as usize;
        (number, &self.nodes[number])
    }

    /// Finds, among the faces of one body, the nearest to a node relative to its reach. Pairs found to be out of reach
    /// are added to `dormant_pairs` and skipped while dormant, if it is given.
    fn nearest_face(
        &self,
        bodies: &[Body<D>],
        group: &Range<usize>,
        mut dormant_pairs: Option<&mut Vec<(usize, f64)>>,
    ) -> Option<NearestContactFace<D>> {
        let (_, node) = self.node_of_group(group);
        let here = bodies[node.id.body].position(node.id.number as usize);
        let mut nearest: Option<NearestContactFace<D>> = None;
        for pair in group.clone() {
            if dormant_pairs.is_some() && self.displacement_bound < self.dormant_until[pair] {
                continue;
            }
            let ContactFace { body, facet, outline_depths, .. } =
                &self.faces[self.pairs[pair][1] as usize];
            let projection = FaceProjection::new(&bodies[*body], facet, outline_depths, &here);
            let [reach, farthest] = match *body == node.id.body {
                true => [2.0 * bodies[*body].crack_depth(); 2],
                false => [
                    projection.outline_depth,
                    outline_depths[0].max(outline_depths[1]).max(outline_depths[2]),
                ]
                .map(|depth| node.outline_depth + depth),
            };
            if projection.distance > farthest
                && let Some(dormant_pairs) = &mut dormant_pairs
            {
                // Half of the gap, for both may move.
                dormant_pairs
                    .push((pair, self.displacement_bound + 0.5 * (projection.distance - farthest)));
                continue;
            }
            let reach_fraction = projection.distance / reach;
            if nearest
                .as_ref()
                .is_none_or(|best| reach_fraction < best.projection.distance / best.reach)
            {
                nearest = Some(NearestContactFace { projection, body: *body, reach });
            }
        }
        nearest
    }
}
