//! Point location by a visibility walk, and the conflict test of a simplex with a vertex.

use super::simplicial_complex::{DelaunaySimplex, INFINITE_VERTEX, SimplicialComplex};
use super::sites::LaguerreSites;
use std::cmp::Ordering;

/// Returns the simplex that contains a vertex, or one outside the hull whose facet it lies beyond, by
/// walking from simplex to simplex across facets that have the vertex on their other side. In a Laguerre
/// Delaunay triangulation such a walk never returns to a simplex, so it ends.
pub fn locate<const D: usize>(
    complex: &SimplicialComplex<D>,
    sites: &LaguerreSites<D>,
    start: u32,
    vertex: u32,
) -> u32 {
    let (mut current, mut from) = (start, u32::MAX);
    'walk: loop {
        let DelaunaySimplex { vertices, mirror_facets: across } = complex.simplex(current);
        if let Some(corner) = infinite_corner::<D>(vertices) {
            if sites.side_of_facet(vertices, corner, vertex) == Ordering::Greater {
                return current;
            }
            (current, from) = (across[corner].simplex(), current);
            continue;
        }
        for corner in 0..=D {
            let next = across[corner].simplex();
            // Never back through the facet it came by; a visibility walk in a regular triangulation ends (H.
            // Edelsbrunner, 1990).
            if next != from && sites.side_of_facet(vertices, corner, vertex) == Ordering::Less {
                (current, from) = (next, current);
                continue 'walk;
            }
        }
        return current;
    }
}

/// Returns whether a simplex conflicts with a vertex, so that both cannot be in the triangulation.
#[inline]
pub fn conflicts<const D: usize>(
    complex: &SimplicialComplex<D>,
    sites: &LaguerreSites<D>,
    simplex: u32,
    vertex: u32,
) -> bool {
    let DelaunaySimplex { vertices, mirror_facets: across } = complex.simplex(simplex);
    let Some(corner) = infinite_corner::<D>(vertices) else {
        return sites.conflicts(vertices, vertex);
    };
    match sites.side_of_facet(vertices, corner, vertex) {
        Ordering::Greater => true,
        Ordering::Less => false,
        // In the plane of the facet the orthogonal sphere of the simplex inside decides.
        Ordering::Equal => {
            let inner = complex.simplex(across[corner].simplex());
            sites.conflicts(&inner.vertices, vertex)
        }
    }
}

#[inline]
fn infinite_corner<const D: usize>(vertices: &[u32; 4]) -> Option<usize> {
    vertices[..=D].iter().position(|&vertex| vertex == INFINITE_VERTEX)
}
