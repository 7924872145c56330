//! Each vertex of a polyhedron packed with its neighbors, so that one contiguous read decides whether it is
//! the support vertex of a direction.

use super::ConvexPolyhedron;
use super::vertex_packet::{VertexPacket, support_in, vertex_packets};
use crate::Vector;

/// Packets of each vertex and its neighbors.
#[derive(Clone, Debug, Default)]
pub struct VertexNeighborhoods {
    /// Start of each vertex in `packets`, and the end of the last.
    packet_starts: Vec<u32>,
    packets: Vec<VertexPacket>,
}

impl VertexNeighborhoods {
    /// Packs the vertices of a polyhedron whose half edges are linked.
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

    /// Returns the farthest in a direction among a vertex and its neighbors.
    #[inline(always)]
    pub fn local_support(&self, vertex: u32, direction: &Vector<3>) -> u32 {
        let [first, end] = [0, 1].map(|next| self.packet_starts[vertex as usize + next] as usize);
        support_in(&self.packets[first..end], direction)
    }
}
