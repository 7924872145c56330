//! Faces reversed until neighbors agree, and closed parts until they are not inside out.

use crate::mesh::PolygonMesh;
use crate::mesh::topology::half_edges::{MeshHalfEdge, sorted_half_edges};
use crate::predicates::triangle_normal;
use crate::{Aabb, Vector};

/// A connected part of the surface: faces joined by edges of two faces.
struct SurfacePart {
    faces: Vec<u32>,
    is_closed: bool,
    bounds: Aabb<3>,
    /// Six times the volume, once faces are reversed as they are marked.
    volume: f64,
}

/// Reverses faces and returns their number.
pub(super) fn orient(mesh: &mut PolygonMesh) -> usize {
    let sides = sorted_half_edges(mesh, &mut Vec::new());
    let mut is_reversed = vec![false; mesh.faces.len()];
    let mut parts = consistent_parts(mesh, &sides, &mut is_reversed);
    for part in &mut parts {
        part.volume = six_volumes(mesh, part, &is_reversed);
    }
    for (number, part) in parts.iter().enumerate() {
        // It may bound a hollow of the larger part; whether it does is not decided here.
        let is_within = parts.iter().enumerate().any(|(other, larger)| {
            other != number
                && larger.is_closed
                && larger.volume.abs() > part.volume.abs()
                && larger.bounds.contains(&part.bounds.low)
                && larger.bounds.contains(&part.bounds.high)
        });
        if part.is_closed && part.volume < 0.0 && !is_within {
            invert(&part.faces, &mut is_reversed);
        }
    }
    let reversed = mesh.faces.iter_mut().zip(&is_reversed).filter(|(_, reversed)| **reversed);
    reversed.map(|(face, _)| face.reverse()).count()
}

/// Marks the faces to be reversed so that neighbors agree, in each part as few as possible.
fn consistent_parts(
    mesh: &PolygonMesh,
    sides: &[MeshHalfEdge],
    is_reversed: &mut [bool],
) -> Vec<SurfacePart> {
    let mut neighbors: Vec<Vec<(u32, bool)>> = vec![Vec::new(); mesh.faces.len()];
    let mut is_open = vec![false; mesh.faces.len()];
    for edge in sides.chunk_by(|a, b| a.ends == b.ends) {
        match edge {
            [one] => is_open[one.face as usize] = true,
            [one, other] => {
                let agree = one.is_ascending != other.is_ascending;
                neighbors[one.face as usize].push((other.face, agree));
                neighbors[other.face as usize].push((one.face, agree));
            }
            // At an edge of more faces neighbors say nothing about orientation.
            _ => {}
        }
    }
    let mut is_known = vec![false; mesh.faces.len()];
    let mut parts = Vec::new();
    for first in 0..mesh.faces.len() as u32 {
        if std::mem::replace(&mut is_known[first as usize], true) {
            continue;
        }
        let mut faces = vec![first];
        let mut next = 0;
        while let Some(&face) = faces.get(next) {
            next += 1;
            for &(other, agree) in &neighbors[face as usize] {
                if !std::mem::replace(&mut is_known[other as usize], true) {
                    is_reversed[other as usize] = is_reversed[face as usize] == agree;
                    faces.push(other);
                }
            }
        }
        let count = faces.iter().filter(|&&face| is_reversed[face as usize]).count();
        // The majority of a part keeps its orientation, so that as few faces as possible are reversed.
        if 2 * count > faces.len() {
            invert(&faces, is_reversed);
        }
        let corners = faces.iter().flat_map(|&face| &mesh.faces[face as usize]);
        let bounds = corners.fold(Aabb::empty(), |bounds, &vertex| {
            bounds.including(&mesh.vertices[vertex as usize])
        });
        let is_closed = !faces.iter().any(|&face| is_open[face as usize]);
        parts.push(SurfacePart { faces, is_closed, bounds, volume: 0.0 });
    }
    parts
}

fn invert(faces: &[u32], is_reversed: &mut [bool]) {
    faces.iter().for_each(|&face| is_reversed[face as usize] ^= true);
}

fn six_volumes(mesh: &PolygonMesh, part: &SurfacePart, is_reversed: &[bool]) -> f64 {
    let origin = part.bounds.low;
    let volume = |face: &[u32]| -> f64 {
        let place = |k: usize| mesh.vertices[face[k] as usize] - origin;
        let triangle = |k: usize| {
            let normal: Vector<3> = triangle_normal(&place(0), &place(k), &place(k + 1));
            normal.dot(&place(0))
        };
        (1..face.len() - 1).map(triangle).sum()
    };
    let signed = |&face: &u32| {
        let volume = volume(&mesh.faces[face as usize]);
        if is_reversed[face as usize] { -volume } else { volume }
    };
    part.faces.iter().map(signed).sum()
}
