//! Where a convex body touches the triangles of a wall.
//!
//! A triangle whose closest point to the body lies on a side or corner that a nearer one has too is no
//! contact of its own: the body does not touch it first. Triangles that are pushed at in about the same
//! direction are one contact, over whose area the depth is summed; so it does not matter into which
//! triangles something flat is cut.

use super::surface::MeshSurface;
use super::touch::WallPair;
use crate::steps::meeting::{Meeting, Placed};
use crate::steps::shape::Convex;
use carom_detect::narrow::{ClosestFeatures, Tile, pressure_on_tiles};
use carom_geometry::{Pose, Vector};
use nalgebra::Matrix3;

/// A contact with some triangles.
pub(super) struct OnTiles {
    pub meeting: Meeting,
    /// The pairs of these triangles, by their places in the group, the nearest first.
    pub pairs: Vec<usize>,
}

/// A triangle near the core of a body.
struct Near {
    pair: usize,
    part: u32,
    distance: f64,
    /// From the body to the triangle.
    normal: Vector<3>,
    /// Between the closest points.
    at: Vector<3>,
    /// Whether the normal is that of the triangle.
    is_own: bool,
    /// The vertices that have a part in the closest point.
    held_by: [Option<u32>; 3],
}

/// Normals whose product is nearer to one are the same but for rounding.
const SAME: f64 = 1e-8;
/// Triangles that are pushed at in directions of such a product are one contact: ten degrees.
const ALIKE: f64 = 0.985;

/// All contacts of a body, in the frame of the wall at time zero, with triangles that may touch it; also
/// what touched a step ago and does no more.
pub(super) fn on_tiles(
    body: &Placed,
    convex: &Convex,
    mesh: &MeshSurface,
    group: &[WallPair],
) -> Vec<OnTiles> {
    let all = group.iter().enumerate();
    let mut near: Vec<Near> =
        all.filter_map(|(pair, it)| Near::find(body, convex, mesh, pair, it.part)).collect();
    near.sort_unstable_by(|a, b| a.distance.total_cmp(&b.distance).then(a.pair.cmp(&b.pair)));
    let touching = near.partition_point(|it| it.distance < convex.rounding);
    let contacts = contacts(&mut near[..touching], mesh);
    let meet = |contact: &Vec<usize>| OnTiles {
        meeting: meeting(body, convex, mesh, &near, contact),
        pairs: contact.iter().map(|&index| near[index].pair).collect(),
    };
    let mut met: Vec<OnTiles> = contacts.iter().map(meet).collect();
    for it in near[touching..].iter().filter(|it| group[it.pair].touches) {
        met.push(OnTiles { meeting: it.meeting(body, convex, mesh), pairs: vec![it.pair] });
    }
    met
}

impl Near {
    fn find(
        body: &Placed,
        convex: &Convex,
        mesh: &MeshSurface,
        pair: usize,
        part: u32,
    ) -> Option<Near> {
        let foot = mesh.foot(part, &body.pose.position);
        if foot.is_some_and(|(foot, _)| foot.distance > body.radius) {
            return None;
        }
        let tile = mesh.tile(part)?;
        let closest =
            ClosestFeatures::new().query(&convex.core, &body.pose, tile, &Pose::identity());
        let across = tile.face(0).normal;
        let along = closest.normal.dot(&across);
        let is_own = along.abs() > 1.0 - SAME;
        let mut normal = if is_own { across * along.signum() } else { closest.normal };
        if mesh.is_line(part) {
            normal = Vector::from([normal.x, normal.y, 0.0]).try_normalize(0.0)?;
        }
        let is_finite = normal.iter().all(|part| part.is_finite());
        is_finite.then(|| Near {
            pair,
            part,
            distance: closest.distance,
            normal,
            at: (closest.on_a + closest.on_b) * 0.5,
            is_own,
            held_by: mesh.held_by(part, &closest.on_b),
        })
    }

    /// In a point.
    fn meeting(&self, body: &Placed, convex: &Convex, mesh: &MeshSurface) -> Meeting {
        let mut position = self.at;
        if mesh.is_line(self.part) {
            position.z = 0.0;
        }
        Meeting {
            key: 0,
            normal: self.normal,
            overlap: convex.rounding - self.distance,
            rate: 1.0,
            position,
            radii: [body.roundness(), f64::INFINITY],
            spread: Matrix3::zeros(),
        }
    }
}

/// Which triangles, the nearest first, are one contact.
fn contacts(near: &mut [Near], mesh: &MeshSurface) -> Vec<Vec<usize>> {
    let mut contacts: Vec<Vec<usize>> = Vec::new();
    let mut of = vec![0; near.len()];
    for index in 0..near.len() {
        let nearer = |other: &usize| {
            let corners = mesh.corners(near[*other].part);
            near[index].held_by.iter().flatten().all(|corner| corners.contains(corner))
        };
        let nearer = if near[index].is_own { None } else { (0..index).find(nearer) };
        if let Some(other) = nearer {
            near[index].normal = near[other].normal;
            of[index] = of[other];
        } else {
            let alike =
                |contact: &Vec<usize>| near[contact[0]].normal.dot(&near[index].normal) > ALIKE;
            of[index] = contacts.iter().position(alike).unwrap_or(contacts.len());
        }
        match contacts.get_mut(of[index]) {
            Some(contact) => contact.push(index),
            None => contacts.push(vec![index]),
        }
    }
    contacts
}

fn meeting(
    body: &Placed,
    convex: &Convex,
    mesh: &MeshSurface,
    near: &[Near],
    contact: &[usize],
) -> Meeting {
    let nearest = &near[contact[0]];
    let tile = |&index: &usize| {
        let Near { part, normal, .. } = near[index];
        mesh.tile(part).map(|tile| Tile { corners: tile.vertices(), direction: normal })
    };
    let tiles: Vec<Tile> = contact.iter().filter_map(tile).collect();
    let point = nearest.meeting(body, convex, mesh);
    let pressed = pressure_on_tiles(
        &convex.core,
        &body.pose,
        &nearest.normal,
        &tiles,
        convex.rounding,
        point.overlap,
    );
    match pressed {
        Some((normal, pressure)) => Meeting {
            normal,
            overlap: pressure.depth,
            rate: pressure.rate,
            position: pressure.middle,
            spread: pressure.spread,
            ..point
        },
        None => point,
    }
}
