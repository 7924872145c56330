//! The surface of a body: sides of whole cells of its lattice, and particles that belong to none.
//!
//! A cell is whole while all springs along its edges hold. When one breaks only the cells around it are looked at, so
//! that the surface costs the same for each broken spring, however large the body, and the faces of a crack are known
//! at once.

use super::body::Body;
use super::lattice::{Lattice, Link};
use std::collections::HashMap;

/// A side of a cell, or a particle by itself: what other particles may touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    corners: [u32; 3],
    count: usize,
}

impl Side {
    pub(super) fn new(corners: &[u32]) -> Self {
        let mut all = [0; 3];
        all[..corners.len()].copy_from_slice(corners);
        Side { corners: all, count: corners.len() }
    }

    /// Numbers of the particles at its corners: two in the plane, three in space, one of a loose particle.
    pub fn corners(&self) -> &[u32] {
        &self.corners[..self.count]
    }
}

/// A kind of cell of a lattice.
struct Kind<const D: usize> {
    /// In steps from where the cell is.
    corners: Vec<[i32; D]>,
    /// A corner and the bit of a spring that leads to another one.
    edges: Vec<(usize, usize)>,
    /// Corners, and the cell beyond: how far it is, its kind and its side.
    sides: Vec<(Vec<usize>, [i32; D], usize, usize)>,
}

/// A cell: where it is, and its kind.
type Cell<const D: usize> = ([i32; D], usize);

/// The surface of a body, kept up to date.
pub(super) struct Surface<const D: usize> {
    kinds: Vec<Kind<D>>,
    sides: Vec<(u64, Side)>,
    /// Where a side is in the list, by its name.
    places: HashMap<u64, usize>,
    /// How many sides meet in a particle; none of particles that are not on the surface.
    meeting: HashMap<u32, u32>,
}

impl<const D: usize> Surface<D> {
    /// Of a body as it is.
    pub(super) fn new(body: &Body<D>) -> Self {
        let mut surface = Surface {
            kinds: kinds(body.grid.lattice, &body.links),
            sides: Vec::new(),
            places: HashMap::new(),
            meeting: HashMap::new(),
        };
        let boundary = body.grid.particles().filter(|&number| body.is_boundary(number));
        surface.update(body, boundary.map(|number| number as u32));
        surface
    }

    /// Brings it up to date after springs of these particles have broken.
    pub(super) fn update(&mut self, body: &Body<D>, particles: impl Iterator<Item = u32>) {
        for number in particles {
            let steps = body.grid.steps(body.grid.row_of(number as usize), number as usize);
            for cell in self.cells_with(&steps) {
                for side in 0..self.kinds[cell.1].sides.len() {
                    let (_, far, kind, other) = &self.kinds[cell.1].sides[side];
                    let (beyond, other) = ((sum(&cell.0, far), *kind), *other);
                    self.set(body, &cell, side, &beyond);
                    self.set(body, &beyond, other, &cell);
                }
            }
        }
    }

    /// All sides, in an order that does not depend on how it became what it is.
    pub(super) fn sides(&self) -> impl Iterator<Item = Side> {
        let mut sides = self.sides.clone();
        sides.sort_unstable_by_key(|(name, _)| *name);
        sides.into_iter().map(|(_, side)| side)
    }

    /// What differs from the surface of a body found anew, if anything.
    pub(super) fn fault(&self, body: &Body<D>) -> Option<String> {
        let anew: Vec<Side> = Surface::new(body).sides().collect();
        let kept: Vec<Side> = self.sides().collect();
        let counts = [kept.len(), anew.len()];
        (kept != anew).then(|| {
            format!("{} sides are kept, and found anew there are {}", counts[0], counts[1])
        })
    }

    /// Whether a particle is at a side.
    pub(super) fn has(&self, number: u32) -> bool {
        self.meeting.get(&number).is_some_and(|&count| count > 0)
    }

    /// Whether a particle belongs to no whole cell.
    pub(super) fn is_loose(&self, body: &Body<D>, number: usize) -> bool {
        let steps = body.grid.steps(body.grid.row_of(number), number);
        !self.cells_with(&steps).iter().any(|cell| self.is_whole(body, cell))
    }

    /// All cells of which a place is a corner.
    fn cells_with(&self, steps: &[i32; D]) -> Vec<Cell<D>> {
        let all = self.kinds.iter().enumerate().flat_map(|(kind, shape)| {
            shape
                .corners
                .iter()
                .map(move |corner| (std::array::from_fn(|axis| steps[axis] - corner[axis]), kind))
        });
        all.collect()
    }

    /// Whether all particles of a cell are there and the springs along its edges hold.
    fn is_whole(&self, body: &Body<D>, cell: &Cell<D>) -> bool {
        let kind = &self.kinds[cell.1];
        let number = |corner: usize| body.grid.at(&sum(&cell.0, &kind.corners[corner]));
        (0..kind.corners.len()).all(|corner| number(corner).is_some())
            && kind
                .edges
                .iter()
                .all(|&(corner, bit)| number(corner).is_some_and(|number| body.holds(number, bit)))
    }

    /// Puts the side of a cell on the surface if nothing whole is beyond it, or takes it away.
    fn set(&mut self, body: &Body<D>, cell: &Cell<D>, side: usize, beyond: &Cell<D>) {
        let kind = &self.kinds[cell.1];
        let corners: Option<Vec<u32>> = (kind.sides[side].0.iter())
            .map(|&corner| body.grid.at(&sum(&cell.0, &kind.corners[corner])))
            .map(|number| number.map(|number| number as u32))
            .collect();
        // A side whose particles are not all there was never on the surface.
        let Some(corners) = corners else { return };
        let is_outside = self.is_whole(body, cell) && !self.is_whole(body, beyond);
        let first = u64::from(corners[0]) << 8 | (cell.1 as u64) << 5 | (side as u64) << 1;
        let pieces: &[&[usize]] =
            if corners.len() == 4 { &[&[0, 1, 2], &[0, 2, 3]] } else { &[&[0, 1]] };
        for (number, piece) in (0..).zip(pieces) {
            let piece: Vec<u32> = piece.iter().map(|&corner| corners[corner]).collect();
            match (is_outside, self.places.contains_key(&(first | number))) {
                (true, false) => self.put(first | number, Side::new(&piece)),
                (false, true) => self.take(first | number),
                _ => {}
            }
        }
    }

    fn put(&mut self, name: u64, side: Side) {
        self.places.insert(name, self.sides.len());
        self.sides.push((name, side));
        side.corners().iter().for_each(|&corner| *self.meeting.entry(corner).or_default() += 1);
    }

    fn take(&mut self, name: u64) {
        let place = self.places.remove(&name).expect("a side that is taken away is there");
        let (_, side) = self.sides.swap_remove(place);
        for corner in side.corners() {
            *self.meeting.get_mut(corner).expect("its corners are counted") -= 1;
        }
        if let Some((moved, _)) = self.sides.get(place) {
            self.places.insert(*moved, place);
        }
    }
}

/// A particle by itself.
pub(super) fn alone(number: u32) -> Side {
    Side::new(&[number])
}

fn sum<const D: usize>(one: &[i32; D], other: &[i32; D]) -> [i32; D] {
    std::array::from_fn(|axis| one[axis] + other[axis])
}

/// Corners of a side, steps to the cell beyond it, that cell's kind and side.
type Beyond = (Vec<usize>, [i32; 2], usize, usize);

fn kinds<const D: usize>(lattice: Lattice, links: &[Link<D>]) -> Vec<Kind<D>> {
    let in_plane = |steps: [i32; 2]| -> [i32; D] { std::array::from_fn(|axis| steps[axis]) };
    let mut kinds: Vec<Kind<D>> = Vec::new();
    if lattice == Lattice::Triangular {
        let upright: [Beyond; 3] =
            [(vec![0, 1], [0, -1], 1, 1), (vec![1, 2], [0, 0], 1, 2), (vec![2, 0], [-1, 0], 1, 0)];
        let turned: [Beyond; 3] =
            [(vec![0, 1], [1, 0], 0, 2), (vec![1, 2], [0, 1], 0, 0), (vec![2, 0], [0, 0], 0, 1)];
        let corners = [[[0, 0], [1, 0], [0, 1]], [[1, 0], [1, 1], [0, 1]]];
        for (corners, sides) in corners.into_iter().zip([upright, turned]) {
            let sides =
                sides.map(|(corners, far, kind, side)| (corners, in_plane(far), kind, side));
            let corners = corners.map(in_plane).to_vec();
            kinds.push(Kind { corners, edges: Vec::new(), sides: sides.to_vec() });
        }
    } else {
        let corner = |code: usize| std::array::from_fn(|axis| (code >> axis & 1) as i32);
        let mut sides = Vec::new();
        for axis in 0..D {
            for high in [0, 1] {
                let mut corners: Vec<usize> =
                    (0..1 << D).filter(|code| code >> axis & 1 == high).collect();
                if D == 3 {
                    // Around the square.
                    corners.swap(2, 3);
                }
                let mut far = [0; D];
                far[axis] = 2 * high as i32 - 1;
                sides.push((corners, far, 0, 2 * axis + 1 - high));
            }
        }
        kinds.push(Kind { corners: (0..1 << D).map(corner).collect(), edges: Vec::new(), sides });
    }
    for kind in &mut kinds {
        let mut edges = Vec::new();
        for (number, corner) in kind.corners.iter().enumerate() {
            for (bit, link) in links.iter().enumerate().filter(|(_, link)| link.length < 1.1) {
                if kind.corners.contains(&sum(corner, &link.offset)) {
                    edges.push((number, bit));
                }
            }
        }
        kind.edges = edges;
    }
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deform::{Grid, Material};

    fn block<const D: usize>(lattice: Lattice, counts: [i32; D]) -> Body<D> {
        let grid = Grid::fill(lattice, [[0; D], counts.map(|count| count - 1)], |_| true);
        Body::new(grid, Material::elastic(1.0, 1.0), 1.0, |place| *place).unwrap()
    }

    fn count<const D: usize>(body: &Body<D>) -> usize {
        Surface::new(body).sides.len()
    }

    #[test]
    fn blocks_have_as_many_sides_as_their_faces() {
        assert_eq!(count(&block(Lattice::Square8, [6, 4])), 2 * (5 + 3));
        assert_eq!(count(&block(Lattice::Triangular, [6, 4])), 2 * (5 + 3));
        assert_eq!(count(&block(Lattice::Cubic6, [6, 4, 3])), 4 * (5 * 3 + 3 * 2 + 5 * 2));
    }

    #[test]
    fn it_is_the_same_after_each_cut_as_found_anew() {
        for lattice in [Lattice::Square8, Lattice::Triangular] {
            let mut body = block(lattice, [9, 9]);
            let mut kept = Surface::new(&body);
            for place in [[4.2, 3.7], [5.1, 3.9], [3.0, 4.4], [2.1, 2.2], [4.4, 5.0]] {
                let near = |one: &carom_geometry::Vector<2>, two: &carom_geometry::Vector<2>| {
                    ((one + two) * 0.5 - carom_geometry::Vector::from(place)).norm() < 0.8
                };
                body.cut(near);
                let all: Vec<u32> = body.grid.particles().map(|number| number as u32).collect();
                kept.update(&body, all.into_iter());
                let anew = Surface::new(&body);
                let names = |surface: &Surface<2>| {
                    let mut names: Vec<u64> = surface.sides.iter().map(|side| side.0).collect();
                    names.sort_unstable();
                    names
                };
                assert_eq!(names(&kept), names(&anew));
                for number in body.grid.particles() {
                    assert_eq!(kept.has(number as u32), anew.has(number as u32));
                }
            }
        }
    }
}
