//! The scene divided into boxes, each with the peripheral particles of every object in it.

use super::object::Object;
use carom::geometry::Vector;

/// A particle of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ObjectParticleId {
    pub object: usize,
    pub particle: usize,
}

/// Boxes and the particles in them.
pub(super) struct Boxes {
    count: usize,
    low: [f64; 2],
    /// Boxes per length.
    scale: [f64; 2],
    /// Particles of each box, row by row, in the order of objects and particles.
    members: Vec<Vec<ObjectParticleId>>,
}

impl Boxes {
    pub(super) fn new(lower: &[f64; 3], upper: &[f64; 3], count: usize) -> Self {
        let scale = [0, 1].map(|axis| count as f64 / (upper[axis] - lower[axis]));
        // One row more for particles on the upper sides.
        let members = vec![Vec::new(); (count + 1) * (count + 1)];
        Boxes { count, low: [lower[0], lower[1]], scale, members }
    }

    /// Rebuilds all lists.
    pub(super) fn fill(&mut self, objects: &[Object]) {
        self.members.iter_mut().for_each(Vec::clear);
        for (object, body) in objects.iter().enumerate() {
            for (particle, one) in body.particles.iter().enumerate() {
                if one.is_peripheral {
                    let place = self.box_of(&one.position);
                    self.members[place].push(ObjectParticleId { object, particle });
                }
            }
        }
    }

    /// Calls `visit` for every pair of peripheral particles of different objects in the same box, the object with the
    /// smaller number first; pairs across the sides of boxes are not found.
    pub(super) fn visit_pairs(&self, mut visit: impl FnMut(ObjectParticleId, ObjectParticleId)) {
        for members in &self.members {
            for (number, &one) in members.iter().enumerate() {
                let others = &members[number + 1..];
                others
                    .iter()
                    .filter(|two| two.object != one.object)
                    .for_each(|&two| visit(one, two));
            }
        }
    }

    /// The box of a position; positions outside of the scene, where the original read beyond its arrays, go to the
    /// nearest.
    fn box_of(&self, position: &Vector<3>) -> usize {
        let [column, row] = [0, 1].map(|axis| {
            let steps = (position[axis] - self.low[axis]) * self.scale[axis];
            steps.clamp(0.0, self.count as f64) as usize
        });
        row * (self.count + 1) + column
    }
}
