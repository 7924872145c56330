//! Support function of a few vertices by SIMD: coordinates are stored in packets of eight, so that the
//! farthest vertex is found by a few operations in wide registers, almost without branches.

use crate::Vector;

/// Number of vertices per packet.
pub const LANES: usize = 8;

/// Up to eight vertices.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub struct VertexPacket {
    /// Positions relative to the first vertex of all packets, by axis: so heights of close vertices are as
    /// accurate as the distance between them.
    offsets: [[f64; LANES]; 3],
    /// Indices of the vertices.
    vertices: [u32; LANES],
}

/// Packs one vertex or more.
pub fn vertex_packets(vertices: &[Vector<3>], among: &[u32]) -> impl Iterator<Item = VertexPacket> {
    let base = vertices[among[0] as usize];
    among.chunks(LANES).map(move |few| VertexPacket::new(vertices, &base, few))
}

/// Returns the farthest vertex of some packets; of equally far ones, the first.
#[inline(always)]
pub fn support_in(packets: &[VertexPacket], direction: &Vector<3>) -> u32 {
    let Some((first, more)) = packets.split_first() else { return 0 };
    let (mut most, mut vertex) = first.support(direction);
    for packet in more {
        let (height, other) = packet.support(direction);
        vertex = if height > most { other } else { vertex };
        most = larger(most, height);
    }
    vertex
}

/// Returns the larger number by one instruction; `f64::max` takes more because of NaN.
#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

impl VertexPacket {
    /// Packs one to eight vertices; unused lanes repeat the first.
    fn new(vertices: &[Vector<3>], base: &Vector<3>, few: &[u32]) -> Self {
        let number = |lane: usize| few.get(lane).copied().unwrap_or(few[0]);
        let step = |lane: usize| vertices[number(lane) as usize] - base;
        VertexPacket {
            offsets: std::array::from_fn(|axis| std::array::from_fn(|lane| step(lane)[axis])),
            vertices: std::array::from_fn(number),
        }
    }

    /// Returns the height of the farthest vertex and the vertex. Finding the lane by a mask avoids
    /// unpredictable branches.
    #[inline(always)]
    fn support(&self, direction: &Vector<3>) -> (f64, u32) {
        let [x, y, z] = &self.offsets;
        let mut heights = [0.0; LANES];
        for lane in 0..LANES {
            heights[lane] = x[lane] * direction.x + y[lane] * direction.y + z[lane] * direction.z;
        }
        // Reduction by halves: a chain of eight comparisons would wait for each result.
        let [mut four, mut two] = [[0.0; 4], [0.0; 4]];
        for lane in 0..4 {
            four[lane] = larger(heights[lane], heights[lane + 4]);
        }
        for lane in 0..2 {
            two[lane] = larger(four[lane], four[lane + 2]);
        }
        let most = larger(two[0], two[1]);
        let mut highest = 0;
        for lane in 0..LANES {
            highest |= u32::from(heights[lane] == most) << lane;
        }
        // The remainder spares a bounds check, and keeps the index valid where NaN leaves the mask empty.
        (most, self.vertices[highest.trailing_zeros() as usize % LANES])
    }
}
