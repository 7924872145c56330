//! Where in a triangulation a vertex belongs, and which simplices cannot stand beside it.

use super::simplicial_complex::{DelaunaySimplex, INFINITE_VERTEX, SimplicialComplex};
use super::sites::LaguerreSites;
use std::cmp::Ordering;

/// The simplex that a vertex lies in, or one outside whose facet it lies beyond; found by walking from
/// simplex to simplex across facets that have the vertex on their other side. In a Laguerre Delaunay
/// triangulation such a walk never comes back to where it was.
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
            if next != from && sites.side_of_facet(vertices, corner, vertex) == Ordering::Less {
                (current, from) = (next, current);
                continue 'walk;
            }
        }
        return current;
    }
}

/// Whether a simplex cannot be part of the triangulation once a vertex is.
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
        // In the plane of the facet the sphere of the simplex within decides.
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
