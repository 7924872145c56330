//! Each vertex of a polyhedron beside those it shares an edge with: whether it is the farthest in a direction
//! is seen at once, without looking elsewhere.

use super::ConvexPolyhedron;
use super::packet::{Packet, farthest_in, packed};
use crate::Vector;

/// The neighbours of all vertices.
#[derive(Clone, Debug, Default)]
pub struct Neighbourhoods {
    /// Where the packets of each vertex begin, and where those of the last end.
    first: Vec<u32>,
    packets: Vec<Packet>,
}

impl Neighbourhoods {
    /// Of a polyhedron whose half edges are joined.
    pub fn of(polyhedron: &ConvexPolyhedron) -> Self {
        let count = polyhedron.vertices().len();
        let (mut first, mut packets) = (Vec::with_capacity(count + 1), Vec::with_capacity(count));
        let mut around = Vec::new();
        for vertex in 0..count as u32 {
            first.push(packets.len() as u32);
            around.clear();
            around.push(vertex);
            around.extend(polyhedron.neighbours(vertex));
            packets.extend(packed(polyhedron.vertices(), &around));
        }
        first.push(packets.len() as u32);
        Neighbourhoods { first, packets }
    }

    /// The farthest of a vertex and its neighbours.
    #[inline(always)]
    pub fn farthest(&self, vertex: u32, direction: &Vector<3>) -> u32 {
        let [first, end] = [0, 1].map(|next| self.first[vertex as usize + next] as usize);
        farthest_in(&self.packets[first..end], direction)
    }
}
