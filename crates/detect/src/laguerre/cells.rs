//! The dual of the triangulation: power centers, Laguerre cells and their volumes.

use super::simplicial_complex::{DelaunaySimplex, INFINITE_VERTEX, MAX_CORNERS, SimplicialComplex};
use super::sites::LaguerreSites;
use super::visited_index_set::VisitedIndexSet;
use carom_geometry::{Sphere, Vector};

/// Returns the point of equal power to all corners of a simplex, unless this is so flat that rounding moves
/// the point by more than about 1e-16 / `flattest` of its size.
pub fn power_center_unless_flat<const D: usize>(
    corners: [&Sphere<D>; MAX_CORNERS],
    flattest: f64,
) -> Option<Vector<D>> {
    let (center, flatness) = center_and_flatness(corners);
    (flatness > flattest).then_some(center)
}

/// Power centers of flatter simplices are computed exactly.
const MIN_FLATNESS: f64 = 1e-4;

/// Returns the power center, and the volume in units of the product of the edges at the first corner.
fn center_and_flatness<const D: usize>(corners: [&Sphere<D>; MAX_CORNERS]) -> (Vector<D>, f64) {
    let origin = corners[0];
    // In the plane the third edge is the unit normal, so that the center stays in the plane.
    let mut steps = [nalgebra::Vector3::z(); 3];
    let mut heights = [0.0; 3];
    for row in 0..D {
        let (corner, step) = (corners[row + 1], corners[row + 1].center - origin.center);
        // r² - r'² as a product, which does not cancel for nearly equal radii.
        let weight = (origin.radius - corner.radius) * (origin.radius + corner.radius);
        heights[row] = 0.5 * (step.norm_squared() + weight);
        steps[row] = nalgebra::Vector3::from_fn(|axis, _| if axis < D { step[axis] } else { 0.0 });
    }
    let [a, b, c] = steps;
    let across = [b.cross(&c), c.cross(&a), a.cross(&b)];
    let sum = across[0] * heights[0] + across[1] * heights[1] + across[2] * heights[2];
    let volume = a.dot(&across[0]);
    let center = sum / volume;
    let flatness = volume.abs() / (a.norm() * b.norm() * c.norm());
    (origin.center + Vector::from_fn(|axis, _| center[axis]), flatness)
}

/// Computes the Laguerre cells of a triangulation, one vertex at a time.
pub struct LaguerreCells<'a, const D: usize> {
    complex: &'a SimplicialComplex<D>,
    sites: &'a LaguerreSites<D>,
    visited: VisitedIndexSet,
    star: Vec<u32>,
    neighbors: Vec<u32>,
}

/// Size and number of facets of one Laguerre cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LaguerreCellMeasures {
    /// Volume, in 2D area, of the cell; infinite if the cell is unbounded.
    pub volume: f64,
    /// Number of facets of the cell, each with another sphere's cell beyond it.
    pub facet_count: usize,
}

impl<'a, const D: usize> LaguerreCells<'a, D> {
    pub fn new(complex: &'a SimplicialComplex<D>, sites: &'a LaguerreSites<D>) -> Self {
        LaguerreCells {
            complex,
            sites,
            visited: VisitedIndexSet::default(),
            star: Vec::new(),
            neighbors: Vec::new(),
        }
    }

    fn is_bounded(&self, simplex: &DelaunaySimplex) -> bool {
        simplex.vertices[..=D].iter().all(|&vertex| self.is_sphere(vertex))
    }

    fn is_sphere(&self, vertex: u32) -> bool {
        vertex != INFINITE_VERTEX && self.sites.id(vertex).is_some()
    }

    /// Returns the corner of the Laguerre diagram that is dual to a simplex. On the sides of rotated crystals
    /// simplices have no volume but for the rounding of their corners; they still have a power center.
    pub fn power_center(&self, simplex: u32) -> Vector<D> {
        let vertices = &self.complex.simplex(simplex).vertices;
        let corners = std::array::from_fn(|k| self.sites.sphere(vertices[k.min(D)]));
        power_center_unless_flat(corners, MIN_FLATNESS)
            .unwrap_or_else(|| self.sites.exact_power_center(vertices))
    }

    /// Returns the vertices that share an edge with one, in no particular order.
    pub fn neighbors(&mut self, vertex: u32, simplex: u32) -> &[u32] {
        self.complex.star(vertex, simplex, &mut self.visited, &mut self.star);
        self.neighbors.clear();
        for &simplex in &self.star {
            let vertices = self.complex.simplex(simplex).vertices;
            let others = vertices.into_iter().take(D + 1);
            self.neighbors
                .extend(others.filter(|&other| other != vertex && other != INFINITE_VERTEX));
        }
        self.neighbors.sort_unstable();
        self.neighbors.dedup();
        let sites = self.sites;
        self.neighbors.retain(|&other| sites.id(other).is_some());
        &self.neighbors
    }

    /// Returns size and number of facets of a vertex's cell, `simplex` being one of its simplices.
    pub fn measures(&mut self, vertex: u32, simplex: u32) -> LaguerreCellMeasures {
        let facets = self.neighbors(vertex, simplex).len();
        let bounded =
            self.star.iter().all(|&simplex| self.is_bounded(self.complex.simplex(simplex)));
        if !bounded {
            return LaguerreCellMeasures { volume: f64::INFINITY, facet_count: facets };
        }
        let volume = (0..facets).map(|k| self.pyramid_volume(vertex, self.neighbors[k])).sum();
        LaguerreCellMeasures { volume, facet_count: facets }
    }

    /// Returns the volume of the pyramid between a sphere's center and one facet of its cell; negative if the
    /// center lies beyond the facet.
    fn pyramid_volume(&self, vertex: u32, other: u32) -> f64 {
        let (own, partner) = (self.sites.sphere(vertex), self.sites.sphere(other));
        let step = partner.center - own.center;
        let length = step.norm();
        let weight = (own.radius - partner.radius) * (own.radius + partner.radius);
        // Distance of the radical plane from the center; negative where the cell does not contain it, and then the
        // pyramid is subtracted.
        let height = (step.norm_squared() + weight) / (2.0 * length);
        let along = step / length;
        let corners = self.facet(vertex, other);
        height * facet_area(&corners, &along) / D as f64
    }

    /// Returns the corners of the facet between two cells, in order around it.
    pub fn facet(&self, vertex: u32, other: u32) -> Vec<Vector<D>> {
        let has = |&&simplex: &&u32| self.complex.simplex(simplex).corner_of(other).is_some();
        let Some(&first) = self.star.iter().find(has) else { return Vec::new() };
        if D == 2 {
            let sides = self.star.iter().filter(has);
            return sides.map(|&simplex| self.power_center(simplex)).collect();
        }
        let DelaunaySimplex { vertices, .. } = self.complex.simplex(first);
        let mut rest = (0..=D).filter(|&k| vertices[k] != vertex && vertices[k] != other);
        let (back, ahead) = (rest.next().unwrap_or(0), rest.next().unwrap_or(0));
        let (mut simplex, mut back, mut ahead) = (first, back, ahead);
        let mut corners = Vec::with_capacity(8);
        loop {
            corners.push(self.power_center(simplex));
            let DelaunaySimplex { vertices, mirror_facets: across } = self.complex.simplex(simplex);
            let next = across[ahead];
            if next.simplex() == first {
                return corners;
            }
            let turned = self.complex.simplex(next.simplex()).corner_of(vertices[back]);
            (simplex, back) = (next.simplex(), next.corner());
            ahead = turned.expect("simplices around an edge share its facets");
        }
    }

    /// Returns the corners of a cell, one for each simplex around it; `None` if it is unbounded.
    pub fn corners(&mut self, vertex: u32, simplex: u32) -> Option<Vec<Vector<D>>> {
        self.complex.star(vertex, simplex, &mut self.visited, &mut self.star);
        let is_bounded = |&simplex: &u32| self.is_bounded(self.complex.simplex(simplex));
        let corners = self.star.iter().map(|&simplex| self.power_center(simplex));
        self.star.iter().all(is_bounded).then(|| corners.collect())
    }

    /// Returns the corners of a planar cell in order around it; `None` if it is unbounded.
    pub fn polygon(&mut self, vertex: u32, simplex: u32) -> Option<Vec<Vector<D>>> {
        self.complex.star(vertex, simplex, &mut self.visited, &mut self.star);
        if !self.star.iter().all(|&simplex| self.is_bounded(self.complex.simplex(simplex))) {
            return None;
        }
        let mut corners = Vec::with_capacity(self.star.len());
        let mut current = simplex;
        loop {
            corners.push(self.power_center(current));
            let DelaunaySimplex { vertices, mirror_facets: across } = self.complex.simplex(current);
            let own = vertices[..=D].iter().position(|&v| v == vertex)?;
            // Across the facet opposite to the next corner, always in the same direction of rotation.
            current = across[(own + 1) % (D + 1)].simplex();
            if current == simplex {
                return Some(corners);
            }
        }
    }
}

/// Returns the length of a segment or the area of a polygon, never negative.
fn facet_area<const D: usize>(corners: &[Vector<D>], along: &Vector<D>) -> f64 {
    match corners {
        [one, other] => (other - one).norm(),
        _ => {
            let first = corners[0];
            let cross = |a: Vector<D>, b: Vector<D>| {
                let part = |i: usize, j: usize| a[i] * b[j] - a[j] * b[i];
                part(1, 2) * along[0] + part(2, 0) * along[1] + part(0, 1) * along[2]
            };
            let fan = corners.windows(2).map(|two| cross(two[0] - first, two[1] - first));
            0.5 * fan.sum::<f64>().abs()
        }
    }
}
