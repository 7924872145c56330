//! The textbook: a list of particles in every cell of a lattice (Allen and Tildesley, "Computer
//! Simulation of Liquids", section 5.3.2), in `f64`.
//!
//! Cells are as wide as the largest sphere; every cell is compared with itself and with the half of
//! its neighbors that follow it. A layer of empty cells around the box spares the tests at its
//! faces.

use super::{largest_radius, touch};
use carom::geometry::Vector;
use carom::{BodyPair, Sphere};

/// The end of a list.
const NOBODY: u32 = u32::MAX;

pub fn pairs<const D: usize>(spheres: &[Sphere<D>]) -> Vec<BodyPair> {
    let lattice = Lattice::around(spheres);
    let lists = Lists::new(&lattice, spheres);
    let neighbors = lattice.following_neighbors();
    let mut pairs = Vec::new();
    for (cell, &first) in lists.head.iter().enumerate() {
        let mut a = first;
        while a != NOBODY {
            lists.compare(spheres, a, lists.next[a as usize], &mut pairs);
            for offset in &neighbors {
                lists.compare(spheres, a, lists.head[cell + offset], &mut pairs);
            }
            a = lists.next[a as usize];
        }
    }
    pairs
}

struct Lattice<const D: usize> {
    low: Vector<D>,
    width: f64,
    /// Distance in the array between neighbors along each axis.
    strides: [usize; D],
    cells: usize,
}

impl<const D: usize> Lattice<D> {
    fn around(spheres: &[Sphere<D>]) -> Self {
        let start = Vector::<D>::repeat(f64::INFINITY);
        let low = spheres.iter().fold(start, |low, sphere| low.inf(&sphere.center));
        let high = spheres.iter().fold(-start, |high, sphere| high.sup(&sphere.center));
        // A little wider, so that rounding never puts touching spheres two cells apart.
        let width = (2.0 * largest_radius(spheres) * (1.0 + 1e-9)).max(f64::MIN_POSITIVE);
        let mut cells = 1;
        let strides = std::array::from_fn(|axis| {
            let stride = cells;
            cells *= ((high[axis] - low[axis]) / width) as usize + 3;
            stride
        });
        Lattice { low, width, strides, cells }
    }

    fn cell_of(&self, position: &Vector<D>) -> usize {
        let along = |axis| ((position[axis] - self.low[axis]) / self.width) as usize + 1;
        (0..D).map(|axis| along(axis) * self.strides[axis]).sum()
    }

    /// The half of the neighbors that come later in the array.
    fn following_neighbors(&self) -> Vec<usize> {
        let mut offsets = vec![0isize];
        for &stride in &self.strides {
            let stride = stride as isize;
            offsets = offsets.iter().flat_map(|&o| [o - stride, o, o + stride]).collect();
        }
        offsets.into_iter().filter(|&offset| offset > 0).map(|offset| offset as usize).collect()
    }
}

/// The first sphere of every cell and, for every sphere, the next one of its cell.
struct Lists {
    head: Vec<u32>,
    next: Vec<u32>,
}

impl Lists {
    fn new<const D: usize>(lattice: &Lattice<D>, spheres: &[Sphere<D>]) -> Self {
        let mut lists =
            Lists { head: vec![NOBODY; lattice.cells], next: Vec::with_capacity(spheres.len()) };
        for (index, sphere) in spheres.iter().enumerate() {
            let cell = lattice.cell_of(&sphere.center);
            lists.next.push(lists.head[cell]);
            lists.head[cell] = index as u32;
        }
        lists
    }

    /// Compares `a` with `b` and all that follow it in its list.
    #[inline(always)]
    fn compare<const D: usize>(
        &self,
        spheres: &[Sphere<D>],
        a: u32,
        mut b: u32,
        pairs: &mut Vec<BodyPair>,
    ) {
        while b != NOBODY {
            if touch(&spheres[a as usize], &spheres[b as usize]) {
                pairs.push(BodyPair::new(a, b));
            }
            b = self.next[b as usize];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_neighbors_follow() {
        let spheres = [Sphere::new([0.0, 0.0, 0.0], 0.5), Sphere::new([9.0, 9.0, 9.0], 0.5)];
        assert_eq!(Lattice::around(&spheres).following_neighbors().len(), 13);
    }
}
