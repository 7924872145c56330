//! Exact verification of a triangulation.

use super::locate::{conflicts, locate};
use super::simplicial_complex::{
    DelaunaySimplex, INFINITE_VERTEX, SimplexFacet, SimplicialComplex,
};
use super::sites::LaguerreSites;
use std::cmp::Ordering;

/// Verifies topology and orientation, that no vertex conflicts with any simplex, and that spheres which are
/// no vertex are rightly hidden.
///
/// It suffices to test the vertex across each facet: a triangulation that is locally regular is regular.
pub fn check<const D: usize>(
    complex: &SimplicialComplex<D>,
    sites: &LaguerreSites<D>,
    is_vertex: impl Fn(u32) -> bool,
) -> Result<(), String> {
    complex.check()?;
    for (number, simplex) in complex.finite_simplices() {
        if sites.orientation(&simplex.vertices) != Ordering::Greater {
            return Err(format!("simplex {number} is flat or turned inside out"));
        }
    }
    for number in complex.indices() {
        let DelaunaySimplex { vertices, mirror_facets: across } = complex.simplex(number);
        for corner in 0..=D {
            let beyond = complex.apex(across[corner]);
            // A facet with the infinite vertex beyond is tested from the simplex on its other side.
            if beyond != INFINITE_VERTEX && conflicts(complex, sites, number, beyond) {
                let facet = SimplexFacet::new(number, corner);
                return Err(format!(
                    "vertex {beyond} conflicts with {vertices:?} across {facet:?}"
                ));
            }
        }
    }
    let Some((mut start, _)) = complex.finite_simplices().next() else { return Ok(()) };
    for vertex in (0..sites.count() as u32).filter(|&vertex| sites.id(vertex).is_some()) {
        if !is_vertex(vertex) {
            start = locate(complex, sites, start, vertex);
            if conflicts(complex, sites, start, vertex) {
                return Err(format!("sphere {vertex} is not hidden and yet no vertex"));
            }
        }
    }
    Ok(())
}
