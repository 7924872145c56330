//! Each vertex of a polyhedron beside those it shares an edge with: whether it is the farthest in a direction
//! is seen at once, without looking elsewhere.

use super::ConvexPolyhedron;
use super::vertex_packet::{VertexPacket, support_in, vertex_packets};
use crate::Vector;

/// The neighbors of all vertices.
#[derive(Clone, Debug, Default)]
pub struct VertexNeighborhoods {
    /// Where the packets of each vertex begin, and where those of the last end.
    packet_starts: Vec<u32>,
    packets: Vec<VertexPacket>,
}

impl VertexNeighborhoods {
    /// Of a polyhedron whose half edges are joined.
    pub fn of(polyhedron: &ConvexPolyhedron) -> Self {
        let count = polyhedron.vertices().len();
        let (mut packet_starts, mut packets) =
            (Vec::with_capacity(count + 1), Vec::with_capacity(count));
        let mut around = Vec::new();
        for vertex in 0..count as u32 {
            packet_starts.push(packets.len() as u32);
            around.clear();
            around.push(vertex);
            around.extend(polyhedron.neighbors(vertex));
            packets.extend(vertex_packets(polyhedron.vertices(), &around));
        }
        packet_starts.push(packets.len() as u32);
        VertexNeighborhoods { packet_starts, packets }
    }

    /// The farthest of a vertex and its neighbors.
    #[inline(always)]
    pub fn local_support(&self, vertex: u32, direction: &Vector<3>) -> u32 {
        let [first, end] = [0, 1].map(|next| self.packet_starts[vertex as usize + next] as usize);
        support_in(&self.packets[first..end], direction)
    }
}
