//! The surface of a body: facets of intact lattice cells, and loose particles that belong to none.
//!
//! A cell is intact while all springs along its edges are. When a spring breaks only the cells around it are updated,
//! so that the cost per broken spring does not depend on the size of the body, and the faces of a crack are known at
//! once.

use super::body::Body;
use super::lattice::{Link, SpringLattice};
use std::collections::HashMap;

/// A facet of the surface: a side of a cell, half of a square side, or a loose particle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurfaceFacet {
    corners: [u32; 3],
    count: usize,
}

impl SurfaceFacet {
    pub(super) fn new(corners: &[u32]) -> Self {
        let mut all = [0; 3];
        all[..corners.len()].copy_from_slice(corners);
        SurfaceFacet { corners: all, count: corners.len() }
    }

    /// Numbers of the particles at its corners: two in the plane, three in space, one for a loose particle.
    pub fn corners(&self) -> &[u32] {
        &self.corners[..self.count]
    }
}

/// Shape of one kind of lattice cell.
struct LatticeCellKind<const D: usize> {
    /// Offsets of the corners from the cell's coordinates.
    corners: Vec<[i32; D]>,
    /// Edges: the index of a corner, and the bit of the spring to another corner.
    edges: Vec<(usize, usize)>,
    /// Sides: corners, then offset, kind and side index of the cell beyond.
    sides: Vec<(Vec<usize>, [i32; D], usize, usize)>,
}

/// A cell: its coordinates and the index of its kind.
type LatticeCell<const D: usize> = ([i32; D], usize);

/// The surface of a body, updated as springs break.
pub(super) struct LatticeSurface<const D: usize> {
    kinds: Vec<LatticeCellKind<D>>,
    sides: Vec<(u64, SurfaceFacet)>,
    /// Index of a side in `sides`, by its key.
    side_indices: HashMap<u64, usize>,
    /// Number of sides that meet at a particle; only particles of the surface have an entry above 0.
    side_counts: HashMap<u32, u32>,
}

impl<const D: usize> LatticeSurface<D> {
    /// Builds the surface of a body from scratch.
    pub(super) fn new(body: &Body<D>) -> Self {
        let mut surface = LatticeSurface {
            kinds: cell_kinds(body.grid.lattice, &body.links),
            sides: Vec::new(),
            side_indices: HashMap::new(),
            side_counts: HashMap::new(),
        };
        let boundary = body.grid.particles().filter(|&number| body.is_boundary(number));
        surface.update(body, boundary.map(|number| number as u32));
        surface
    }

    /// Updates the cells around particles whose springs have broken.
    pub(super) fn update(&mut self, body: &Body<D>, particles: impl Iterator<Item = u32>) {
        for number in particles {
            let steps = body.grid.coordinates(body.grid.row_of(number as usize), number as usize);
            for cell in self.cells_at(&steps) {
                for side in 0..self.kinds[cell.1].sides.len() {
                    let (_, far, kind, other) = &self.kinds[cell.1].sides[side];
                    let (beyond, other) = ((add_offsets(&cell.0, far), *kind), *other);
                    self.update_side(body, &cell, side, &beyond);
                    // As seen from both cells, since either may be the intact one.
                    self.update_side(body, &beyond, other, &cell);
                }
            }
        }
    }

    /// All facets, sorted by key, so that their order does not depend on the history of breaks.
    pub(super) fn sides(&self) -> impl Iterator<Item = SurfaceFacet> {
        let mut sides = self.sides.clone();
        // By name: the order of updates, and with it the history of cracks, must not show.
        sides.sort_unstable_by_key(|(name, _)| *name);
        sides.into_iter().map(|(_, side)| side)
    }

    /// Describes how it differs from a rebuilt surface, if it does.
    pub(super) fn fault(&self, body: &Body<D>) -> Option<String> {
        let rebuilt: Vec<SurfaceFacet> = LatticeSurface::new(body).sides().collect();
        let kept: Vec<SurfaceFacet> = self.sides().collect();
        let counts = [kept.len(), rebuilt.len()];
        (kept != rebuilt).then(|| {
            format!("its updated surface has {} facets, a rebuilt one {}", counts[0], counts[1])
        })
    }

    /// Whether a particle is a corner of a facet.
    pub(super) fn contains(&self, number: u32) -> bool {
        self.side_counts.get(&number).is_some_and(|&count| count > 0)
    }

    /// Whether a particle belongs to no intact cell.
    pub(super) fn is_loose(&self, body: &Body<D>, number: usize) -> bool {
        let steps = body.grid.coordinates(body.grid.row_of(number), number);
        !self.cells_at(&steps).iter().any(|cell| self.is_intact(body, cell))
    }

    /// All cells that have a site as a corner.
    fn cells_at(&self, coordinates: &[i32; D]) -> Vec<LatticeCell<D>> {
        let all = self.kinds.iter().enumerate().flat_map(|(kind, shape)| {
            shape.corners.iter().map(move |corner| {
                (std::array::from_fn(|axis| coordinates[axis] - corner[axis]), kind)
            })
        });
        all.collect()
    }

    /// Whether a cell has all of its particles and the springs along its edges.
    fn is_intact(&self, body: &Body<D>, cell: &LatticeCell<D>) -> bool {
        let kind = &self.kinds[cell.1];
        let number =
            |corner: usize| body.grid.particle_at(&add_offsets(&cell.0, &kind.corners[corner]));
        (0..kind.corners.len()).all(|corner| number(corner).is_some())
            && kind.edges.iter().all(|&(corner, bit)| {
                number(corner).is_some_and(|number| body.spring_holds(number, bit))
            })
    }

    /// Inserts the side of an intact cell if the cell beyond is not intact, removes it otherwise.
    fn update_side(
        &mut self,
        body: &Body<D>,
        cell: &LatticeCell<D>,
        side: usize,
        beyond: &LatticeCell<D>,
    ) {
        let kind = &self.kinds[cell.1];
        let corners: Option<Vec<u32>> = (kind.sides[side].0.iter())
            .map(|&corner| body.grid.particle_at(&add_offsets(&cell.0, &kind.corners[corner])))
            .map(|number| number.map(|number| number as u32))
            .collect();
        // A side that lacks particles was never on the surface.
        let Some(corners) = corners else { return };
        // A facet is on the surface where an intact cell borders on one that is not.
        let is_outside = self.is_intact(body, cell) && !self.is_intact(body, beyond);
        // The key names first corner, kind and side of a cell, and which half of a square.
        let first = u64::from(corners[0]) << 8 | (cell.1 as u64) << 5 | (side as u64) << 1;
        let pieces: &[&[usize]] =
            if corners.len() == 4 { &[&[0, 1, 2], &[0, 2, 3]] } else { &[&[0, 1]] };
        for (number, piece) in (0..).zip(pieces) {
            let piece: Vec<u32> = piece.iter().map(|&corner| corners[corner]).collect();
            match (is_outside, self.side_indices.contains_key(&(first | number))) {
                (true, false) => self.insert_side(first | number, SurfaceFacet::new(&piece)),
                (false, true) => self.remove_side(first | number),
                _ => {}
            }
        }
    }

    fn insert_side(&mut self, name: u64, side: SurfaceFacet) {
        self.side_indices.insert(name, self.sides.len());
        self.sides.push((name, side));
        side.corners().iter().for_each(|&corner| *self.side_counts.entry(corner).or_default() += 1);
    }

    fn remove_side(&mut self, name: u64) {
        let place = self.side_indices.remove(&name).expect("a side that is taken away is there");
        let (_, side) = self.sides.swap_remove(place);
        for corner in side.corners() {
            *self.side_counts.get_mut(corner).expect("its corners are counted") -= 1;
        }
        if let Some((moved, _)) = self.sides.get(place) {
            self.side_indices.insert(*moved, place);
        }
    }
}

/// The facet of a loose particle.
pub(super) fn single_particle(number: u32) -> SurfaceFacet {
    SurfaceFacet::new(&[number])
}

fn add_offsets<const D: usize>(one: &[i32; D], other: &[i32; D]) -> [i32; D] {
    std::array::from_fn(|axis| one[axis] + other[axis])
}

/// Corners of a side, then offset, kind and side index of the cell beyond.
type CellSideTopology = (Vec<usize>, [i32; 2], usize, usize);

fn cell_kinds<const D: usize>(
    lattice: SpringLattice,
    links: &[Link<D>],
) -> Vec<LatticeCellKind<D>> {
    let in_plane = |steps: [i32; 2]| -> [i32; D] { std::array::from_fn(|axis| steps[axis]) };
    let mut kinds: Vec<LatticeCellKind<D>> = Vec::new();
    if lattice == SpringLattice::Triangular {
        let upright: [CellSideTopology; 3] =
            [(vec![0, 1], [0, -1], 1, 1), (vec![1, 2], [0, 0], 1, 2), (vec![2, 0], [-1, 0], 1, 0)];
        let turned: [CellSideTopology; 3] =
            [(vec![0, 1], [1, 0], 0, 2), (vec![1, 2], [0, 1], 0, 0), (vec![2, 0], [0, 0], 0, 1)];
        let corners = [[[0, 0], [1, 0], [0, 1]], [[1, 0], [1, 1], [0, 1]]];
        for (corners, sides) in corners.into_iter().zip([upright, turned]) {
            let sides =
                sides.map(|(corners, far, kind, side)| (corners, in_plane(far), kind, side));
            let corners = corners.map(in_plane).to_vec();
            kinds.push(LatticeCellKind { corners, edges: Vec::new(), sides: sides.to_vec() });
        }
    } else {
        let corner = |code: usize| std::array::from_fn(|axis| (code >> axis & 1) as i32);
        let mut sides = Vec::new();
        for axis in 0..D {
            for high in [0, 1] {
                let mut corners: Vec<usize> =
                    (0..1 << D).filter(|code| code >> axis & 1 == high).collect();
                if D == 3 {
                    // In the order around the square.
                    corners.swap(2, 3);
                }
                let mut far = [0; D];
                far[axis] = 2 * high as i32 - 1;
                sides.push((corners, far, 0, 2 * axis + 1 - high));
            }
        }
        kinds.push(LatticeCellKind {
            corners: (0..1 << D).map(corner).collect(),
            edges: Vec::new(),
            sides,
        });
    }
    for kind in &mut kinds {
        let mut edges = Vec::new();
        for (number, corner) in kind.corners.iter().enumerate() {
            for (bit, link) in links.iter().enumerate().filter(|(_, link)| link.length < 1.1) {
                if kind.corners.contains(&add_offsets(corner, &link.offset)) {
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
    use crate::bonded::{LatticeGrid, Material};

    fn block<const D: usize>(lattice: SpringLattice, counts: [i32; D]) -> Body<D> {
        let grid =
            LatticeGrid::fill(lattice, [[0; D], counts.map(|count| count - 1)], |_| true).unwrap();
        Body::new(grid, &Material::elastic(1.0, 1.0), 1.0, |place| *place).unwrap()
    }

    fn count<const D: usize>(body: &Body<D>) -> usize {
        LatticeSurface::new(body).sides.len()
    }

    #[test]
    fn blocks_have_as_many_sides_as_their_faces() {
        assert_eq!(count(&block(SpringLattice::Square8, [6, 4])), 2 * (5 + 3));
        assert_eq!(count(&block(SpringLattice::Triangular, [6, 4])), 2 * (5 + 3));
        assert_eq!(count(&block(SpringLattice::Cubic6, [6, 4, 3])), 4 * (5 * 3 + 3 * 2 + 5 * 2));
    }

    #[test]
    fn it_is_the_same_after_each_cut_as_a_rebuilt_one() {
        for lattice in [SpringLattice::Square8, SpringLattice::Triangular] {
            let mut body = block(lattice, [9, 9]);
            let mut kept = LatticeSurface::new(&body);
            for place in [[4.2, 3.7], [5.1, 3.9], [3.0, 4.4], [2.1, 2.2], [4.4, 5.0]] {
                let near = |one: &carom_geometry::Vector<2>, two: &carom_geometry::Vector<2>| {
                    ((one + two) * 0.5 - carom_geometry::Vector::from(place)).norm() < 0.8
                };
                body.cut_springs(near);
                let all: Vec<u32> = body.grid.particles().map(|number| number as u32).collect();
                kept.update(&body, all.into_iter());
                let rebuilt = LatticeSurface::new(&body);
                let names = |surface: &LatticeSurface<2>| {
                    let mut names: Vec<u64> = surface.sides.iter().map(|side| side.0).collect();
                    names.sort_unstable();
                    names
                };
                assert_eq!(names(&kept), names(&rebuilt));
                for number in body.grid.particles() {
                    assert_eq!(kept.contains(number as u32), rebuilt.contains(number as u32));
                }
            }
        }
    }
}
