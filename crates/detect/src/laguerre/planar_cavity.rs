//! The cavity of a new vertex in the plane, found and filled in one pass.
//!
//! The boundary of a cavity in the plane is a ring of edges. A depth-first search that takes each
//! triangle's edges in turn meets them in order, so each new triangle is linked to the previous one when it
//! is made, without a second pass. With cheaper Hilbert keys this took a third off planar triangulations.

use super::bowyer_watson::{BowyerWatsonBuilder, CavityMembership};
use super::simplicial_complex::{INFINITE_VERTEX, MAX_CORNERS, SimplexFacet};

impl<const D: usize> BowyerWatsonBuilder<'_, D> {
    /// Replaces the cavity that contains the triangle `home` by triangles at the vertex.
    pub(super) fn replace_cavity_in_plane(&mut self, home: u32, vertex: u32) {
        let [first, second, third, _] = self.complex.simplex(home).mirror_facets;
        self.begin_cavity(home);
        // A stack: the first edge is examined first.
        self.cavity_boundary.extend([third, second, first]);
        let (mut first, mut before) = (SimplexFacet::NONE, SimplexFacet::NONE);
        while let Some(facet) = self.cavity_boundary.pop() {
            let (next, last) = AROUND[facet.corner()];
            let simplex = self.complex.simplex(facet.simplex());
            let (from, to) = (simplex.vertices[last], simplex.vertices[next]);
            let ahead = [simplex.mirror_facets[last], simplex.mirror_facets[next]];
            match self.classify(facet.simplex(), vertex) {
                // Around a vertex that becomes hidden the search comes back to the cavity.
                CavityMembership::AlreadyInside => continue,
                CavityMembership::Added => {
                    self.cavity_boundary.extend(ahead);
                    continue;
                }
                CavityMembership::Outside => {}
            }
            let made = self.add_simplex([from, to, vertex, INFINITE_VERTEX]);
            self.complex.link_facets(SimplexFacet::new(made, VERTEX), facet);
            if before == SimplexFacet::NONE {
                first = SimplexFacet::new(made, TO);
            } else {
                self.complex.link_facets(before, SimplexFacet::new(made, TO));
            }
            before = SimplexFacet::new(made, FROM);
        }
        self.complex.link_facets(before, first);
        self.last_simplex = before.simplex();
        self.release_cavity();
    }
}

/// The two corners that follow each one, counterclockwise.
const AROUND: [(usize, usize); MAX_CORNERS] = [(1, 2), (2, 0), (0, 1), (0, 0)];

// Corners of a new triangle: the ends of its boundary edge, and the new vertex.
const FROM: usize = 0;
const TO: usize = 1;
const VERTEX: usize = 2;
