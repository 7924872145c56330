//! How far a polyhedron reaches: from vertex to vertex, uphill.
//!
//! On a convex body a vertex that none of its neighbours surpasses is surpassed by none. The
//! neighbours' coordinates are kept in packets of eight, so that a look at all of them is a few
//! operations in wide registers on one or two pages of memory.

use super::ConvexPolyhedron;
use crate::Vector;

/// The neighbours of all vertices.
#[derive(Clone, Debug, Default)]
pub struct Climb {
    /// Where the packets of each vertex begin, and where those of the last end.
    first: Vec<u32>,
    packets: Vec<Packet>,
    /// Whether every packet holds all vertices, so that one look is enough.
    sees_all: bool,
}

const LANES: usize = 8;

#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Packet {
    along: [[f64; LANES]; 3],
    vertices: [u32; LANES],
}

impl Climb {
    /// Of a polyhedron whose half edges are joined.
    pub fn over(polyhedron: &ConvexPolyhedron) -> Self {
        let vertices = polyhedron.vertices();
        let sees_all = vertices.len() <= LANES;
        let mut climb = Climb { first: vec![0], packets: Vec::new(), sees_all };
        for vertex in 0..vertices.len() as u32 {
            let around: Vec<u32> = if sees_all {
                (0..vertices.len() as u32).collect()
            } else {
                polyhedron.neighbours(vertex).collect()
            };
            for few in around.chunks(LANES) {
                // A place to spare holds the vertex itself.
                let number = |lane: usize| few.get(lane).copied().unwrap_or(vertex);
                climb.packets.push(Packet {
                    along: std::array::from_fn(|axis| {
                        std::array::from_fn(|lane| vertices[number(lane) as usize][axis])
                    }),
                    vertices: std::array::from_fn(number),
                });
            }
            climb.first.push(climb.packets.len() as u32);
        }
        climb
    }

    /// The vertex farthest in a direction, climbed to from another.
    #[inline]
    pub fn farthest(&self, vertices: &[Vector<3>], direction: &Vector<3>, start: u32) -> u32 {
        let mut here = start;
        let mut height = direction.dot(&vertices[here as usize]);
        loop {
            let at = here as usize;
            let mut higher = here;
            for packet in &self.packets[self.first[at] as usize..self.first[at + 1] as usize] {
                let heights = packet.heights(direction);
                let highest =
                    heights.iter().fold(f64::NEG_INFINITY, |a, &b| if b > a { b } else { a });
                if highest > height {
                    height = highest;
                    let lane = heights.iter().position(|&one| one == highest).unwrap_or(0);
                    higher = packet.vertices[lane];
                }
            }
            if higher == here || self.sees_all {
                return higher;
            }
            here = higher;
        }
    }
}

impl Packet {
    #[inline(always)]
    fn heights(&self, direction: &Vector<3>) -> [f64; LANES] {
        let [x, y, z] = &self.along;
        std::array::from_fn(|lane| {
            x[lane] * direction.x + y[lane] * direction.y + z[lane] * direction.z
        })
    }
}
