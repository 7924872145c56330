//! Whether a triangulation is what it says it is, wholly and exactly.

use super::complex::{Complex, Facet, OUTSIDE, Simplex};
use super::locate::{conflicts, locate};
use super::sites::Sites;
use std::cmp::Ordering;

/// Verifies topology, orientation, that no vertex lies inside the orthogonal sphere of any simplex and
/// that spheres which are no vertex are rightly hidden.
///
/// It is enough to look at the vertex across each facet: if all these are outside, all are.
pub fn check<const D: usize>(
    complex: &Complex<D>,
    sites: &Sites<D>,
    is_vertex: impl Fn(u32) -> bool,
) -> Result<(), String> {
    complex.check()?;
    for (number, simplex) in complex.inner() {
        if sites.orientation(&simplex.vertices) != Ordering::Greater {
            return Err(format!("simplex {number} is flat or turned inside out"));
        }
    }
    for number in complex.numbers() {
        let Simplex { vertices, across } = complex.simplex(number);
        for corner in 0..=D {
            let beyond = complex.apex(across[corner]);
            // The simplex across sees an outer vertex as a corner of its own.
            if beyond != OUTSIDE && conflicts(complex, sites, number, beyond) {
                let facet = Facet::new(number, corner);
                return Err(format!(
                    "vertex {beyond} conflicts with {vertices:?} across {facet:?}"
                ));
            }
        }
    }
    let Some((mut start, _)) = complex.inner().next() else { return Ok(()) };
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
