//! Laguerre Delaunay triangulation: the dynamic Delaunay method of Gavrilova and Rokne (paper 000,
//! section 3.1), for spheres at rest and with overlaps.
//!
//! Two spheres that touch without overlap are neighbors in the triangulation, but two that overlap need
//! not be, and a hidden one has no neighbors at all. So each sphere searches for those that are no larger
//! than itself by walking from simplex to simplex through all that meet the ball of twice its radius.
//! This finds every contact:
//!
//! - A partner that is no larger has its center in that ball, and so has the whole segment between the two
//!   centers.
//! - The simplices fill the convex hull of all centers, so the segment runs through simplices only. Those
//!   that contain one point of it are connected through facets, and so are those of all its points, since
//!   closed simplices share the point where the segment passes from one to the next.
//! - The walk starts in a simplex that contains the first center. It therefore reaches one that contains
//!   the second, of which the partner is a corner or, if hidden, an entry in the list of hidden spheres.
//!
//! The proof does not depend on the weights, only on the simplices filling the hull, which is exact. A
//! simplex is taken to meet the ball if its bounding box does.
//!
//! Cost: mostly that of the triangulation, which is rebuilt on one thread for every search.

use super::periodic_images::{PeriodicSphereImage, for_each_image};
use super::{BroadPhase, Candidates, SphereSystem, TaskCandidates};
use crate::BodyPair;
use crate::error::Error;
use crate::laguerre::{DelaunaySimplex, INFINITE_VERTEX, Triangulation};
use crate::narrow::may_touch;
use carom_geometry::{Boundary, Sphere, math};
use std::sync::Mutex;

/// The Laguerre Delaunay triangulation as a broad phase; see the [module](self).
///
/// ```
/// use carom_detect::{ContactSearch, broad::DelaunayBroadPhase};
/// use carom_geometry::{Boundary, Sphere};
/// let outer = [[5.0, 0.0], [-5.0, 0.0], [0.0, 5.0], [0.0, -5.0]].map(|at| Sphere::new(at, 1.0));
/// // The small disc deep in the large one has no Laguerre cell, but it has a contact.
/// let mut discs = outer.to_vec();
/// discs.extend([Sphere::new([0.0, 0.0], 2.0), Sphere::new([0.5, 0.0], 0.1)]);
/// let mut search = ContactSearch::with(DelaunayBroadPhase::new());
/// assert_eq!(search.find(&discs, &Boundary::open())?[0].overlap, 2.0 + 0.1 - 0.5);
/// # Ok::<(), carom_detect::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct DelaunayBroadPhase<const D: usize> {
    /// The spheres and, in a periodic box, the images that they may touch; all treated as in open space.
    images: Vec<PeriodicSphereImage<D>>,
    /// The images, scaled to numbers that can be triangulated.
    spheres: Vec<Sphere<D>>,
    triangulation: Option<Triangulation<D>>,
    /// A simplex that contains the center of each vertex.
    containing_simplices: Vec<u32>,
    hidden_vertices: HiddenVertexLists,
    buffers: Mutex<Vec<SimplexWalkBuffers>>,
}

/// The hidden vertices whose centers lie in each simplex, as linked lists.
#[derive(Debug, Default)]
struct HiddenVertexLists {
    /// First hidden vertex of each simplex; empty if no vertex is hidden.
    first: Vec<u32>,
    /// Next hidden vertex in the same simplex, by vertex.
    next: Vec<u32>,
}

const NONE: u32 = u32::MAX;

/// Buffers reused from walk to walk.
#[derive(Debug, Default)]
struct SimplexWalkBuffers {
    /// Number of the last walk that visited each simplex.
    simplex_marks: Vec<u32>,
    /// Number of the last walk that visited each vertex.
    vertex_marks: Vec<u32>,
    walk_number: u32,
    /// Simplices that the current walk visited, in this order.
    visited_simplices: Vec<u32>,
}

impl<const D: usize> DelaunayBroadPhase<D> {
    /// Makes an empty structure; it grows with the first search.
    pub fn new() -> Self {
        Self::default()
    }

    fn build(&mut self, system: &SphereSystem<'_, D>) {
        self.images.clear();
        for_each_image(system, |image| self.images.push(image));
        let scale = scale(self.images.iter().map(|image| &image.sphere));
        let scaled = |image: &PeriodicSphereImage<D>| Sphere {
            center: image.sphere.center * scale,
            radius: image.sphere.radius * scale,
        };
        self.spheres.clear();
        self.spheres.extend(self.images.iter().map(scaled));
        let triangulation = Triangulation::of(&self.spheres, &Boundary::open())
            .expect("spheres were checked, counted and scaled");
        self.containing_simplices = triangulation.containing_simplices();
        self.hidden_vertices.fill(&triangulation, &self.containing_simplices);
        self.triangulation = Some(triangulation);
    }
}

/// Returns a power of two that scales very large or very small numbers to about one, where products of
/// five neither overflow nor underflow. What underflows by the scaling is far smaller than the margin by
/// which the radii of images are enlarged.
fn scale<'a, const D: usize>(spheres: impl Iterator<Item = &'a Sphere<D>>) -> f64 {
    const USUAL: std::ops::RangeInclusive<f64> = 1e-30..=1e30;
    let size = |sphere: &Sphere<D>| sphere.center.amax().max(sphere.radius);
    let largest = spheres.map(size).fold(0.0, f64::max);
    if largest == 0.0 || USUAL.contains(&largest) {
        1.0
    } else {
        // A power of two, so that scaling is exact.
        2f64.powi(-math::log2(largest) as i32)
    }
}

impl HiddenVertexLists {
    fn fill<const D: usize>(&mut self, triangulation: &Triangulation<D>, holders: &[u32]) {
        self.first.clear();
        self.next.clear();
        for (vertex, &holder) in (0..).zip(holders) {
            if holder == NONE || !triangulation.is_hidden_vertex(vertex) {
                continue;
            }
            if self.first.is_empty() {
                self.first.resize(triangulation.complex().slot_count(), NONE);
                self.next.resize(holders.len(), NONE);
            }
            let first = std::mem::replace(&mut self.first[holder as usize], vertex);
            self.next[vertex as usize] = first;
        }
    }

    fn in_simplex(&self, simplex: u32) -> impl Iterator<Item = u32> + '_ {
        let known = |&vertex: &u32| vertex != NONE;
        let first = self.first.get(simplex as usize).copied().filter(known);
        std::iter::successors(first, move |&vertex| Some(self.next[vertex as usize]).filter(known))
    }

    fn count(&self) -> usize {
        (0..self.first.len() as u32).map(|simplex| self.in_simplex(simplex).count()).sum()
    }
}

/// A search in progress.
struct SimplexWalkSearch<'a, const D: usize> {
    images: &'a [PeriodicSphereImage<D>],
    triangulation: &'a Triangulation<D>,
    containing_simplices: &'a [u32],
    hidden_vertices: &'a HiddenVertexLists,
}

impl<const D: usize> SimplexWalkSearch<'_, D> {
    /// Reports all spheres no larger than that of `vertex` that it may touch.
    fn walk_from(&self, vertex: u32, space: &mut SimplexWalkBuffers, found: &mut TaskCandidates) {
        let Some(id) = self.triangulation.sites().id(vertex) else { return };
        // What an image touches, an original inside the box touches too.
        if self.images[id as usize].is_copy {
            return;
        }
        let sphere = self.triangulation.sites().sphere(vertex);
        let reach = 2.0 * sphere.radius;
        // The same margin for rounding as in `may_touch`.
        let reach_squared = reach * reach * (1.0 + 1e-12) + f64::MIN_POSITIVE;
        space.begin(self.containing_simplices[vertex as usize], vertex);
        let mut next = 0;
        while let Some(&simplex) = space.visited_simplices.get(next) {
            next += 1;
            let DelaunaySimplex { vertices, mirror_facets: across } =
                self.triangulation.complex().simplex(simplex);
            for &other in vertices[..=D].iter() {
                if space.is_new_vertex(other) {
                    self.compare(id, sphere, other, found);
                }
            }
            for other in self.hidden_vertices.in_simplex(simplex).filter(|&other| other != vertex) {
                self.compare(id, sphere, other, found);
            }
            for facet in &across[..=D] {
                let beyond = facet.simplex();
                if space.is_new_simplex(beyond)
                    && self.reaches_simplex(beyond, sphere, reach_squared)
                {
                    space.visited_simplices.push(beyond);
                }
            }
        }
    }

    fn compare(&self, id: u32, sphere: &Sphere<D>, other: u32, found: &mut TaskCandidates) {
        let sites = self.triangulation.sites();
        let Some(other_id) = sites.id(other) else { return };
        let other = sites.sphere(other);
        found.tests += 1;
        if other.radius <= sphere.radius && may_touch(sphere, other, &Boundary::open()) {
            let (own, partner) = (self.images[id as usize].id, self.images[other_id as usize].id);
            if own != partner {
                found.pairs.push(BodyPair::new(own, partner));
            }
        }
    }

    /// Returns whether the bounding box of a simplex meets the ball around a sphere's center.
    fn reaches_simplex(&self, simplex: u32, sphere: &Sphere<D>, reach_squared: f64) -> bool {
        let vertices = &self.triangulation.complex().simplex(simplex).vertices[..=D];
        if vertices.contains(&INFINITE_VERTEX) {
            return false;
        }
        let sites = self.triangulation.sites();
        let corner = |k: usize| &sites.sphere(vertices[k]).center;
        let mut squared = 0.0;
        for axis in 0..D {
            let first = corner(0)[axis];
            let (low, high) = (1..=D).fold((first, first), |(low, high), k| {
                let value = corner(k)[axis];
                (low.min(value), high.max(value))
            });
            let away = (low - sphere.center[axis]).max(sphere.center[axis] - high).max(0.0);
            squared += away * away;
        }
        squared <= reach_squared
    }
}

impl SimplexWalkBuffers {
    fn resize(&mut self, simplices: usize, vertices: usize) {
        let fits = self.simplex_marks.len() >= simplices && self.vertex_marks.len() >= vertices;
        // Walk numbers must not wrap around, or a walk would take marks of an older one for its own.
        if !fits || self.walk_number > u32::MAX / 2 {
            self.simplex_marks.clear();
            self.simplex_marks.resize(simplices, 0);
            self.vertex_marks.clear();
            self.vertex_marks.resize(vertices, 0);
            self.walk_number = 0;
        }
    }

    fn begin(&mut self, simplex: u32, vertex: u32) {
        self.walk_number += 1;
        self.visited_simplices.clear();
        self.visited_simplices.push(simplex);
        self.simplex_marks[simplex as usize] = self.walk_number;
        self.vertex_marks[vertex as usize] = self.walk_number;
    }

    fn is_new_simplex(&mut self, simplex: u32) -> bool {
        std::mem::replace(&mut self.simplex_marks[simplex as usize], self.walk_number)
            != self.walk_number
    }

    fn is_new_vertex(&mut self, vertex: u32) -> bool {
        std::mem::replace(&mut self.vertex_marks[vertex as usize], self.walk_number)
            != self.walk_number
    }
}

impl<const D: usize> BroadPhase<D> for DelaunayBroadPhase<D> {
    fn accepts(&self, system: &SphereSystem<'_, D>) -> Result<(), Error> {
        let most = Triangulation::<D>::MAX_SPHERES;
        let mut count = 0;
        for_each_image(system, |_| count += 1);
        if count > most { Err(Error::TooManyToTriangulate { count, most }) } else { Ok(()) }
    }

    fn find_candidates(&mut self, system: &SphereSystem<'_, D>, candidates: &mut Candidates) {
        self.build(system);
        let Some(triangulation) = &self.triangulation else { return };
        let walks = SimplexWalkSearch {
            images: &self.images,
            triangulation,
            containing_simplices: &self.containing_simplices,
            hidden_vertices: &self.hidden_vertices,
        };
        let vertices = self.containing_simplices.len();
        candidates.collect_with(
            vertices,
            &self.buffers,
            |range, space: &mut SimplexWalkBuffers, found| {
                space.resize(triangulation.complex().slot_count(), vertices);
                for vertex in range {
                    walks.walk_from(vertex as u32, space, found);
                }
            },
        );
    }

    fn memory(&self) -> usize {
        let of_space = |space: &SimplexWalkBuffers| {
            4 * (space.simplex_marks.capacity()
                + space.vertex_marks.capacity()
                + space.visited_simplices.capacity())
        };
        let spaces = self.buffers.lock().map_or(0, |spaces| spaces.iter().map(of_space).sum());
        self.images.capacity() * size_of::<PeriodicSphereImage<D>>()
            + self.spheres.capacity() * size_of::<Sphere<D>>()
            + self.triangulation.as_ref().map_or(0, Triangulation::memory)
            + 4 * (self.containing_simplices.capacity()
                + self.hidden_vertices.first.capacity()
                + self.hidden_vertices.next.capacity())
            + spaces
    }

    /// Verifies that the triangulation is that of the system's spheres and their images.
    fn check(&self, system: &SphereSystem<'_, D>) -> Result<(), String> {
        let Some(triangulation) = &self.triangulation else { return Ok(()) };
        let (mut place, mut same) = (0, true);
        for_each_image(system, |image| {
            let here = self.images.get(place);
            same &= here.is_some_and(|here| here.sphere == image.sphere && here.id == image.id);
            place += 1;
        });
        if !same || place != self.images.len() {
            return Err("the triangulation is of other spheres".into());
        }
        triangulation.check()
    }

    fn describe(&self) -> String {
        let Some(triangulation) = &self.triangulation else { return "nothing yet".into() };
        format!(
            "{} simplices among {} spheres and {} images, {} of them hidden",
            triangulation.simplices().count(),
            self.images.iter().filter(|image| !image.is_copy).count(),
            self.images.iter().filter(|image| image.is_copy).count(),
            self.hidden_vertices.count()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BroadPhaseMethod, ContactSearch};

    /// Returns quasi-random spheres in the unit box, with radii up to `largest`.
    fn scattered<const D: usize>(count: usize, largest: f64) -> Vec<Sphere<D>> {
        let part = |index: usize, step: f64| (index as f64 * step).fract();
        let sphere = |index: usize| {
            let center: [f64; D] =
                std::array::from_fn(|axis| part(index, [0.754_877, 0.569_840, 0.430_159][axis]));
            Sphere::new(center, largest * part(index, 0.618_034).powi(3))
        };
        (0..count).map(sphere).collect()
    }

    fn assert_agrees<const D: usize>(
        spheres: &[Sphere<D>],
        boundary: &Boundary<D>,
    ) -> DelaunayBroadPhase<D> {
        let mut all_pairs = ContactSearch::new(BroadPhaseMethod::AllPairs);
        let expected = all_pairs.find(spheres, boundary).unwrap();
        let mut search = ContactSearch::new(BroadPhaseMethod::Delaunay);
        assert_eq!(search.find(spheres, boundary).unwrap(), expected);
        let mut structure = DelaunayBroadPhase::new();
        structure.build(&SphereSystem::new(spheres, boundary).unwrap());
        structure
    }

    #[test]
    fn contacts_of_hidden_spheres_are_found() {
        for largest in [0.02, 0.1, 0.25] {
            let discs = scattered::<2>(700, largest);
            let spheres = scattered::<3>(700, largest);
            let square = Boundary::periodic([Some(1.0); 2]).unwrap();
            let cube = Boundary::periodic([Some(1.0), None, Some(1.0)]).unwrap();
            let hidden = [
                assert_agrees(&discs, &Boundary::open()).hidden_vertices.count(),
                assert_agrees(&discs, &square).hidden_vertices.count(),
                assert_agrees(&spheres, &Boundary::open()).hidden_vertices.count(),
                assert_agrees(&spheres, &cube).hidden_vertices.count(),
            ];
            assert!(largest < 0.1 || hidden.iter().all(|&count| count > 50), "{hidden:?}");
        }
    }

    #[test]
    fn overlapping_spheres_that_are_no_neighbors_are_found() {
        // The large discs overlap across the small ones between them.
        let discs = [
            Sphere::new([-1.0, 0.0], 1.2),
            Sphere::new([1.0, 0.0], 1.2),
            Sphere::new([0.0, 0.4], 1.1),
            Sphere::new([0.0, -0.4], 1.1),
        ];
        let structure = assert_agrees(&discs, &Boundary::open());
        let triangulation = structure.triangulation.unwrap();
        assert!(!triangulation.neighbors(0).contains(&1));
    }

    #[test]
    fn numbers_of_any_size_are_scaled_to_be_triangulated() {
        for unit in [1e-95, 1e-40, 1.0, 1e40, 1e95] {
            let mut spheres = scattered::<3>(60, 0.2);
            for sphere in &mut spheres {
                sphere.center *= unit;
                sphere.radius *= unit;
            }
            assert_agrees(&spheres, &Boundary::open());
        }
    }
}
