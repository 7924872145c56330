//! How far a polyhedron reaches: from vertex to vertex, uphill.
//!
//! On a convex body a vertex that none of its neighbours surpasses is surpassed by none. The
//! steps to the neighbours are kept in packets of eight, so that a look at all of them is a few
//! operations in wide registers on one or two pages of memory.
//!
//! A step counts as uphill only if rounding cannot have made it so. Thus every climb rises in real
//! arithmetic too, and ends. Steps, other than heights, are precise however short they are, so that
//! close vertices are no trap in which a climb would end early.

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
    /// The largest edge of the box around the body.
    extent: f64,
}

const LANES: usize = 8;

/// Rounding of the height of a step is less than this, times the sum of the direction's coordinates,
/// times the largest coordinate of the step: one rounding each for the step, the products and two sums,
/// and room for that of the margins.
const ROUNDING: f64 = 3.0 * f64::EPSILON;

#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Packet {
    steps: [[f64; LANES]; 3],
    /// The largest coordinate of each step in parts of the body's extent; short numbers, so that a
    /// packet takes four lines of memory.
    margins: [f32; LANES],
    vertices: [u32; LANES],
}

impl Climb {
    /// Of a polyhedron whose half edges are joined.
    pub fn over(polyhedron: &ConvexPolyhedron) -> Self {
        let count = polyhedron.vertices().len() as u32;
        let (sees_all, extent) = (count as usize <= LANES, polyhedron.extent());
        let mut climb = Climb { first: vec![0], packets: Vec::new(), sees_all, extent };
        let mut around: Vec<u32> = Vec::new();
        for vertex in 0..count {
            around.clear();
            if sees_all {
                around.extend(0..count);
            } else {
                around.extend(polyhedron.neighbours(vertex));
            }
            for few in around.chunks(LANES) {
                climb.packets.push(Packet::new(polyhedron.vertices(), vertex, few, extent));
            }
            climb.first.push(climb.packets.len() as u32);
        }
        climb
    }

    /// The vertex farthest in a direction, climbed to from another.
    #[inline]
    pub fn farthest(&self, direction: &Vector<3>, start: u32) -> u32 {
        let margin = ROUNDING * self.extent * direction.abs().sum();
        let mut here = start;
        loop {
            let (first, end) = (self.first[here as usize], self.first[here as usize + 1]);
            let (mut higher, mut most) = (here, 0.0);
            for packet in &self.packets[first as usize..end as usize] {
                let rises = packet.rises(direction, margin);
                let highest =
                    rises.iter().fold(f64::NEG_INFINITY, |a, &b| if b > a { b } else { a });
                if highest > most {
                    most = highest;
                    let lane = rises.iter().position(|&rise| rise == highest).unwrap_or(0);
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
    /// Of at most eight neighbours. A place to spare holds the vertex itself.
    fn new(vertices: &[Vector<3>], vertex: u32, few: &[u32], extent: f64) -> Self {
        let number = |lane: usize| few.get(lane).copied().unwrap_or(vertex);
        let step = |lane: usize| vertices[number(lane) as usize] - vertices[vertex as usize];
        Packet {
            steps: std::array::from_fn(|axis| std::array::from_fn(|lane| step(lane)[axis])),
            margins: std::array::from_fn(|lane| (step(lane).amax() / extent) as f32),
            vertices: std::array::from_fn(number),
        }
    }

    /// By how much each neighbour is higher at least.
    #[inline(always)]
    fn rises(&self, direction: &Vector<3>, margin: f64) -> [f64; LANES] {
        let [x, y, z] = &self.steps;
        std::array::from_fn(|lane| {
            let rise = x[lane] * direction.x + y[lane] * direction.y + z[lane] * direction.z;
            rise - margin * f64::from(self.margins[lane])
        })
    }
}
