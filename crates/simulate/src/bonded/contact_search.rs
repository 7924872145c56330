//! Broad phase of node-face contacts: which particles may touch which facets until the next search.

use super::body::Body;
use super::lattice_surface::{LatticeSurface, SurfaceFacet, single_particle};
use super::surface_contact::{BodyParticleId, ContactFace, ContactNode, SurfaceContacts};
use crate::Error;
use carom_detect::{BroadPhaseMethod, ContactSearch};
use carom_geometry::{Aabb, Boundary, Sphere, Vector};
use std::collections::HashMap;

impl<const D: usize> SurfaceContacts<D> {
    /// Collects all nodes and faces that may touch something, and returns spheres around them, nodes first.
    pub(super) fn gather_nodes_and_faces(
        &mut self,
        bodies: &[Body<D>],
        surfaces: &[LatticeSurface<D>],
        reach_fractions: &HashMap<BodyParticleId, f64>,
    ) -> Vec<Sphere<D>> {
        let mut spheres: Vec<Sphere<D>> = Vec::new();
        let mut around: Vec<Sphere<D>> = Vec::new();
        let boxes: Vec<Aabb<D>> = bodies.iter().map(|body| reach_bounds(body, self.skin)).collect();
        for (number, (body, surface)) in bodies.iter().zip(surfaces).enumerate() {
            let skin = 0.5 * self.skin;
            // An uncracked body touches others only, so nodes and faces outside of their bounds are left out.
            let is_few = boxes.len() <= FEW_BODIES && !body.is_cracked;
            let is_apart = |middle: &Vector<D>, radius: f64| {
                let meets = |near: &Aabb<D>| {
                    let off = middle - middle.inf(&near.high).sup(&near.low);
                    off.norm() <= radius
                };
                let mut others = boxes.iter().enumerate().filter(|(other, _)| *other != number);
                is_few && !others.any(|(_, near)| meets(near))
            };
            let mut add_face = |facet: SurfaceFacet| {
                let mut outline_depths = [0.0; 3];
                let (mut middle, share) = (Vector::zeros(), 1.0 / facet.corners().len() as f64);
                for (depth, &corner) in outline_depths.iter_mut().zip(facet.corners()) {
                    *depth = body.outline_depth(corner as usize);
                    middle += body.position(corner as usize) * share;
                }
                let corners = facet.corners().iter().zip(outline_depths);
                let reach = |(&corner, depth): (&u32, f64)| {
                    (body.position(corner as usize) - middle).norm() + depth
                };
                let radius = corners.map(reach).fold(0.0, f64::max);
                if is_apart(&middle, radius + skin) {
                    return;
                }
                around.push(Sphere::new(middle, radius + skin));
                let coordinates = coordinates_in_space(body, facet.corners()[0] as usize);
                self.faces.push(ContactFace { body: number, facet, outline_depths, coordinates });
            };
            surface.sides().for_each(&mut add_face);
            let rows = body.grid.rows().iter().enumerate();
            let all = rows.flat_map(|(row, it)| it.numbers().map(move |number| (row, number)));
            for (row, particle) in all.filter(|&(_, particle)| body.is_boundary(particle)) {
                let is_at_side = surface.contains(particle as u32);
                if !is_at_side && !surface.is_loose(body, particle) {
                    continue;
                }
                let id = BodyParticleId { body: number, number: particle as u32 };
                let (outline_depth, reach_fraction) =
                    (body.outline_depth(particle), reach_fractions.get(&id).copied());
                spheres.push(Sphere::new(body.position(particle), outline_depth + skin));
                let (row, coordinates) =
                    (row as u32, padded_coordinates(body.grid.coordinates(row, particle)));
                self.nodes.push(ContactNode {
                    id,
                    row,
                    coordinates,
                    outline_depth,
                    reach_fraction: reach_fraction.unwrap_or(1.0),
                });
                if !is_at_side {
                    add_face(single_particle(particle as u32));
                }
            }
        }
        spheres.extend(around);
        spheres
    }

    /// Finds pairs of nodes and nearby faces, without faces that a node belongs to or is bonded to.
    pub(super) fn find_pairs(
        &mut self,
        bodies: &[Body<D>],
        spheres: &[Sphere<D>],
    ) -> Result<(), Error> {
        let SurfaceContacts { nodes, faces, pairs, .. } = self;
        let count = nodes.len() as u32;
        ContactSearch::new(BroadPhaseMethod::HierarchicalGrid).visit(
            spheres,
            &Boundary::open(),
            |contact| {
                let [first, second] = [contact.pair.first(), contact.pair.second()];
                // Nodes are the first spheres and faces the others; pairs of one kind do not touch.
                if first < count && second >= count {
                    let node = &nodes[first as usize];
                    let face = &faces[(second - count) as usize];
                    let body = &bodies[face.body];
                    let may_meet = node.id.body != face.body
                        || (body.is_cracked
                            && !is_adjacent(body, node, face)
                            && !is_bonded(body, node.row, node.id.number, &face.facet));
                    if may_meet {
                        pairs.push([first, second - count]);
                    }
                }
            },
        )?;
        Ok(())
    }
}

/// With more bodies than this, faces are not compared with the bounds of every body.
const FEW_BODIES: usize = 16;

/// Bounds of a body, extended by its deepest outline depth and the Verlet skin.
fn reach_bounds<const D: usize>(body: &Body<D>, skin: f64) -> Aabb<D> {
    let places = body.grid.particles().map(|number| body.position(number));
    let around = places.fold(Aabb::empty(), |bounds, place| bounds.including(&place));
    let reach = Vector::repeat(body.max_outline_depth() + skin);
    Aabb { low: around.low - reach, high: around.high + reach }
}

/// Within this many lattice steps, nodes and faces whose springs are all intact are taken to be adjacent.
const ADJACENT_STEPS: i32 = 3;

/// Whether a particle is a corner of a face, or so near to it in intact surroundings that they cannot touch.
fn is_adjacent<const D: usize>(body: &Body<D>, node: &ContactNode, face: &ContactFace) -> bool {
    let corners = face.facet.corners();
    if corners.contains(&node.id.number) {
        return true;
    }
    let is_near = (0..3)
        .all(|axis| (node.coordinates[axis] - face.coordinates[axis]).abs() <= ADJACENT_STEPS);
    let is_torn = |number: &u32| body.has_lost_springs[*number as usize];
    is_near && !is_torn(&node.id.number) && !corners.iter().any(is_torn)
}

pub(super) fn coordinates_in_space<const D: usize>(body: &Body<D>, number: usize) -> [i32; 3] {
    padded_coordinates(body.grid.coordinates(body.grid.row_of(number), number))
}

fn padded_coordinates<const D: usize>(steps: [i32; D]) -> [i32; 3] {
    std::array::from_fn(|axis| if axis < D { steps[axis] } else { 0 })
}

/// Whether an intact spring joins a particle of a row to a corner of a facet.
fn is_bonded<const D: usize>(body: &Body<D>, row: u32, number: u32, facet: &SurfaceFacet) -> bool {
    let springs = body.particles.spring_bits(number as usize);
    let neighbor_offsets =
        &body.neighbor_offsets[row as usize * 2 * body.links.len()..][..2 * body.links.len()];
    let holds = neighbor_offsets.iter().enumerate().filter(|(bit, _)| springs >> bit & 1 == 1);
    holds.map(|(_, offset)| offset).any(|&offset| {
        let there = (number as usize).strict_add_signed(offset) as u32;
        facet.corners().contains(&there)
    })
}
