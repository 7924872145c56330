//! Random places for unit spheres that do not touch, one after the other.

use carom::geometry::{Boundary, Vector};
use carom::scene::generate::SplitMix64;

/// Spheres in a periodic cube, kept in cells at least as wide as a sphere.
pub(super) struct Insertion {
    boundary: Boundary<3>,
    side: f64,
    /// Cells along a side.
    along: usize,
    cells: Vec<Vec<Vector<3>>>,
}

const RADIUS: f64 = 1.0;
/// With fewer cells along a side a cell would be its own neighbour.
const FEWEST: usize = 3;

impl Insertion {
    /// An empty cube with this side, which must be at least three spheres wide.
    pub fn new(boundary: Boundary<3>, side: f64) -> Self {
        let along = ((side / (2.0 * RADIUS)) as usize).max(FEWEST);
        Insertion { boundary, side, along, cells: vec![Vec::new(); along.pow(3)] }
    }

    /// Takes a place that is still free. Never ends if there is none: only for cubes that remain mostly
    /// empty.
    pub fn insert(&mut self, random: &mut SplitMix64) {
        loop {
            let place = Vector::from_fn(|_, _| self.side * random.uniform());
            if self.is_free(&place) {
                let cell = self.cell(self.of(&place));
                self.cells[cell].push(place);
                return;
            }
        }
    }

    /// All places, neighbours near each other.
    pub fn in_order(&self) -> impl Iterator<Item = Vector<3>> + '_ {
        self.cells.iter().flatten().copied()
    }

    fn is_free(&self, place: &Vector<3>) -> bool {
        let here = self.of(place);
        let apart = |other: &Vector<3>| {
            self.boundary.shortest(*place, *other).norm_squared() > 4.0 * RADIUS * RADIUS
        };
        (0..27).all(|number: usize| {
            let step = [number % 3, number / 3 % 3, number / 9];
            let near = |axis: usize| (here[axis] + self.along + step[axis] - 1) % self.along;
            self.cells[self.cell([near(0), near(1), near(2)])].iter().all(apart)
        })
    }

    fn of(&self, place: &Vector<3>) -> [usize; 3] {
        let scale = self.along as f64 / self.side;
        std::array::from_fn(|axis| ((place[axis] * scale) as usize).min(self.along - 1))
    }

    fn cell(&self, [x, y, z]: [usize; 3]) -> usize {
        (z * self.along + y) * self.along + x
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_spheres_touch() {
        let boundary = Boundary::periodic([Some(10.0); 3]).unwrap();
        let mut insertion = Insertion::new(boundary, 10.0);
        let random = &mut SplitMix64::new(5);
        (0..50).for_each(|_| insertion.insert(random));
        let places: Vec<Vector<3>> = insertion.in_order().collect();
        assert_eq!(places.len(), 50);
        for (number, one) in places.iter().enumerate() {
            for other in &places[..number] {
                assert!(boundary.shortest(*one, *other).norm() > 2.0);
            }
        }
    }
}
