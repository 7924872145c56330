//! The cavity of a new vertex in the plane, emptied and filled in one go.
//!
//! The rim of a cavity in the plane is a ring. Dug depth first, each triangle's edges in turn, the
//! cavity shows its rim edge by edge in order; so each new triangle is joined to the one before it when
//! it is made, and nothing need be remembered or searched for.

use super::build::{Builder, Found};
use super::complex::{CORNERS, Facet, OUTSIDE};

impl<const D: usize> Builder<'_, D> {
    /// Replaces the cavity that a triangle belongs to by triangles at the vertex.
    pub(super) fn replace_in_plane(&mut self, home: u32, vertex: u32) {
        let [first, second, third, _] = self.complex.simplex(home).across;
        self.begin_cavity(home);
        self.rim.extend([third, second, first]);
        let (mut first, mut before) = (Facet::NONE, Facet::NONE);
        while let Some(facet) = self.rim.pop() {
            let (next, last) = AROUND[facet.corner()];
            let simplex = self.complex.simplex(facet.simplex());
            let (from, to) = (simplex.vertices[last], simplex.vertices[next]);
            let ahead = [simplex.across[last], simplex.across[next]];
            match self.look_at(facet.simplex(), vertex) {
                // Around a vertex that becomes hidden the cavity comes back to itself.
                Found::Before => continue,
                Found::Cavity => {
                    self.rim.extend(ahead);
                    continue;
                }
                Found::Beyond => {}
            }
            let made = self.make([from, to, vertex, OUTSIDE]);
            self.complex.join(Facet::new(made, VERTEX), facet);
            if before == Facet::NONE {
                first = Facet::new(made, TO);
            } else {
                self.complex.join(before, Facet::new(made, TO));
            }
            before = Facet::new(made, FROM);
        }
        self.complex.join(before, first);
        self.last = before.simplex();
        self.release_cavity();
    }
}

/// The corners after each one, counter-clockwise.
const AROUND: [(usize, usize); CORNERS] = [(1, 2), (2, 0), (0, 1), (0, 0)];

/// Corners of a new triangle: the ends of its edge of the rim, and the vertex.
const FROM: usize = 0;
const TO: usize = 1;
const VERTEX: usize = 2;
