//! Which of some vertices is the farthest in a direction: their coordinates lie side by side in packets of
//! eight, so that it takes a few operations in wide registers and hardly a branch.

use crate::Vector;

pub const LANES: usize = 8;

/// Up to eight vertices of some.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub struct VertexPacket {
    /// From the first vertex of all, by axis: thus heights of close vertices are as precise as the distance
    /// between them.
    offsets: [[f64; LANES]; 3],
    vertices: [u32; LANES],
}

/// One vertex or more, in packets.
pub fn vertex_packets(vertices: &[Vector<3>], among: &[u32]) -> impl Iterator<Item = VertexPacket> {
    let base = vertices[among[0] as usize];
    among.chunks(LANES).map(move |few| VertexPacket::new(vertices, &base, few))
}

/// The farthest of some packets' vertices; of equally far ones, the first.
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

/// Other than that of the standard library, it is one instruction.
#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

impl VertexPacket {
    /// Of one to eight vertices. A place to spare holds the first again.
    fn new(vertices: &[Vector<3>], base: &Vector<3>, few: &[u32]) -> Self {
        let number = |lane: usize| few.get(lane).copied().unwrap_or(few[0]);
        let step = |lane: usize| vertices[number(lane) as usize] - base;
        VertexPacket {
            offsets: std::array::from_fn(|axis| std::array::from_fn(|lane| step(lane)[axis])),
            vertices: std::array::from_fn(number),
        }
    }

    /// Its farthest vertex and how high that is. Finding the lane by a mask avoids branches that no one
    /// could predict.
    #[inline(always)]
    fn support(&self, direction: &Vector<3>) -> (f64, u32) {
        let [x, y, z] = &self.offsets;
        let mut heights = [0.0; LANES];
        for lane in 0..LANES {
            heights[lane] = x[lane] * direction.x + y[lane] * direction.y + z[lane] * direction.z;
        }
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
        (most, self.vertices[highest.trailing_zeros() as usize % LANES])
    }
}
