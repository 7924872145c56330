//! Contacts of a convex body with the triangles of a wall.
//!
//! A triangle whose closest point to the body lies on a side or corner that a nearer one shares is no contact
//! of its own: the body touches the nearer one first. Triangles with nearly the same contact normal are one
//! contact, over whose area the depth is integrated; so results do not depend on how a flat surface is
//! triangulated.

use super::wall_contact::WallPair;
use crate::dem::contact_point::{DemContactPoint, PosedBody};
use crate::dem::shape::RoundedPolyhedron;
use crate::wall::MeshSurface;
use carom_detect::narrow::{ClosestFeatures, Tile, contact_patch_on_tiles};
use carom_geometry::{Pose, Vector};
use nalgebra::Matrix3;

/// A contact with one or several triangles.
pub(super) struct TileContact {
    pub contact_point: DemContactPoint,
    /// The pairs of these triangles, as indices into the group, the nearest first.
    pub pairs: Vec<usize>,
}

/// A triangle near the core of a body.
struct TileCandidate {
    pair: usize,
    triangle: u32,
    distance: f64,
    /// Unit normal from the body to the triangle.
    normal: Vector<3>,
    /// Midpoint of the closest points.
    midpoint: Vector<3>,
    /// Whether the normal is that of the triangle.
    has_triangle_normal: bool,
    /// The vertices that support the closest point.
    supporting_vertices: [Option<u32>; 3],
}

/// Normals whose dot product differs from one by less than this are equal up to rounding.
const SAME_NORMAL: f64 = 1e-8;
/// Smallest dot product of the normals of triangles that are one contact: ten degrees.
const MERGE_COSINE: f64 = 0.985;

/// Returns all contacts of a body, in the frame of the wall at time zero, with triangles that may touch it; also
/// those that touched a step ago and no longer do.
pub(super) fn tile_contacts<H>(
    body: &PosedBody,
    convex: &RoundedPolyhedron,
    mesh: &MeshSurface,
    group: &[WallPair<H>],
) -> Vec<TileContact> {
    let all = group.iter().enumerate();
    let mut candidates: Vec<TileCandidate> = all
        .filter_map(|(pair, it)| TileCandidate::find(body, convex, mesh, pair, it.triangle))
        .collect();
    candidates.sort_unstable_by(|a, b| a.distance.total_cmp(&b.distance).then(a.pair.cmp(&b.pair)));
    let touching = candidates.partition_point(|it| it.distance < convex.rounding_radius);
    let groups = merge_tiles(&mut candidates[..touching], mesh);
    let meet = |contact: &Vec<usize>| TileContact {
        contact_point: merged_contact_point(body, convex, mesh, &candidates, contact),
        pairs: contact.iter().map(|&index| candidates[index].pair).collect(),
    };
    let mut found: Vec<TileContact> = groups.iter().map(meet).collect();
    for it in candidates[touching..].iter().filter(|it| group[it.pair].is_touching) {
        found.push(TileContact {
            contact_point: it.contact_point(body, convex, mesh),
            pairs: vec![it.pair],
        });
    }
    found
}

impl TileCandidate {
    fn find(
        body: &PosedBody,
        convex: &RoundedPolyhedron,
        mesh: &MeshSurface,
        pair: usize,
        triangle: u32,
    ) -> Option<TileCandidate> {
        let closest_to_center = mesh.closest_point_on_triangle(triangle, &body.pose.position);
        // The bounding sphere first: it spares GJK for most triangles of a group.
        if closest_to_center.is_some_and(|(foot, _)| foot.distance > body.radius) {
            return None;
        }
        let tile = mesh.tile(triangle)?;
        let closest =
            ClosestFeatures::new().query(&convex.core, &body.pose, tile, &Pose::identity());
        let triangle_normal = tile.face(0).normal;
        let along = closest.normal.dot(&triangle_normal);
        let has_triangle_normal = along.abs() > 1.0 - SAME_NORMAL;
        let mut normal =
            if has_triangle_normal { triangle_normal * along.signum() } else { closest.normal };
        if mesh.is_line(triangle) {
            normal = Vector::from([normal.x, normal.y, 0.0]).try_normalize(0.0)?;
        }
        let is_finite = normal.iter().all(|part| part.is_finite());
        is_finite.then(|| TileCandidate {
            pair,
            triangle,
            distance: closest.distance,
            normal,
            midpoint: (closest.on_a + closest.on_b) * 0.5,
            has_triangle_normal,
            supporting_vertices: mesh.supporting_vertices(triangle, &closest.on_b),
        })
    }

    /// Returns the contact as a single point.
    fn contact_point(
        &self,
        body: &PosedBody,
        convex: &RoundedPolyhedron,
        mesh: &MeshSurface,
    ) -> DemContactPoint {
        let mut position = self.midpoint;
        if mesh.is_line(self.triangle) {
            position.z = 0.0;
        }
        DemContactPoint {
            contact_key: 0,
            normal: self.normal,
            overlap: convex.rounding_radius - self.distance,
            overlap_rate: 1.0,
            position,
            radii: [body.equivalent_radius(), f64::INFINITY],
            patch_covariance: Matrix3::zeros(),
        }
    }
}

/// Groups triangles, which come nearest first, into contacts.
fn merge_tiles(candidates: &mut [TileCandidate], mesh: &MeshSurface) -> Vec<Vec<usize>> {
    let mut contacts: Vec<Vec<usize>> = Vec::new();
    let mut of = vec![0; candidates.len()];
    for index in 0..candidates.len() {
        let nearer = |other: &usize| {
            let corners = mesh.corners(candidates[*other].triangle);
            candidates[index]
                .supporting_vertices
                .iter()
                .flatten()
                .all(|corner| corners.contains(corner))
        };
        let nearer =
            if candidates[index].has_triangle_normal { None } else { (0..index).find(nearer) };
        if let Some(other) = nearer {
            // Touched at an edge or corner of a nearer triangle; with a normal of its own, bodies would catch on
            // the inner edges of a flat surface.
            candidates[index].normal = candidates[other].normal;
            of[index] = of[other];
        } else {
            let alike = |contact: &Vec<usize>| {
                candidates[contact[0]].normal.dot(&candidates[index].normal) > MERGE_COSINE
            };
            of[index] = contacts.iter().position(alike).unwrap_or(contacts.len());
        }
        match contacts.get_mut(of[index]) {
            Some(contact) => contact.push(index),
            None => contacts.push(vec![index]),
        }
    }
    contacts
}

fn merged_contact_point(
    body: &PosedBody,
    convex: &RoundedPolyhedron,
    mesh: &MeshSurface,
    candidates: &[TileCandidate],
    contact: &[usize],
) -> DemContactPoint {
    let nearest = &candidates[contact[0]];
    let tile = |&index: &usize| {
        let TileCandidate { triangle, normal, .. } = candidates[index];
        mesh.tile(triangle).map(|tile| Tile { corners: tile.vertices(), direction: normal })
    };
    let tiles: Vec<Tile> = contact.iter().filter_map(tile).collect();
    let point = nearest.contact_point(body, convex, mesh);
    let patch_pressure = contact_patch_on_tiles(
        &convex.core,
        &body.pose,
        &nearest.normal,
        &tiles,
        convex.rounding_radius,
        point.overlap,
    );
    match patch_pressure {
        Some((normal, pressure)) => DemContactPoint {
            normal,
            overlap: pressure.depth,
            overlap_rate: pressure.depth_rate,
            position: pressure.center,
            patch_covariance: pressure.second_moment,
            ..point
        },
        None => point,
    }
}
