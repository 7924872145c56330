//! The sites of a triangulation: spheres, their periodic images, and exact predicates on them.

use super::insertion_order::insertion_order;
use super::simplicial_complex::{INFINITE_VERTEX, MAX_CORNERS};
use carom_geometry::predicates::{
    WeightedSite, orientation_estimate, orientation_exact, power_center, power_estimate,
    power_exact,
};
use carom_geometry::{Boundary, Sphere, Vector};
use std::cmp::Ordering;

/// Spheres and images of some of them, in the order of their insertion.
#[derive(Clone, Debug)]
pub struct LaguerreSites<const D: usize> {
    /// Sphere at each vertex; centers of images are rounded.
    spheres: Vec<Sphere<D>>,
    /// Index of each sphere in the input.
    ids: Vec<u32>,
    /// Origin of each image; empty without images.
    images: Vec<LaguerreSiteImage<D>>,
    /// Period of each axis, zero for open ones.
    period: Vector<D>,
    /// Largest rounding error of a coordinate.
    rounding: f64,
}

/// A sphere seen through the sides of a periodic box.
#[derive(Clone, Copy, Debug)]
struct LaguerreSiteImage<const D: usize> {
    /// Vertex of the sphere in the box.
    home: u32,
    /// Shift in whole periods along each axis.
    shift: [i8; D],
}

impl<const D: usize> LaguerreSites<D> {
    /// Takes the spheres without images.
    pub fn open(spheres: &[Sphere<D>]) -> Self {
        let order = insertion_order(spheres);
        LaguerreSites {
            spheres: order.iter().map(|&id| spheres[id as usize]).collect(),
            ids: order,
            images: Vec::new(),
            period: Vector::zeros(),
            rounding: 0.0,
        }
    }

    /// Takes spheres whose centers are in a periodic box, and all images whose centers are no farther from
    /// it than `margins`, which are at most one period on each periodic axis.
    pub fn periodic(spheres: &[Sphere<D>], boundary: &Boundary<D>, margins: &Vector<D>) -> Self {
        let period = Vector::from_fn(|axis, _| boundary.period(axis).unwrap_or(0.0));
        let farthest: [i8; D] = std::array::from_fn(|axis| i8::from(period[axis] > 0.0));
        let (mut seen, mut sources) = (Vec::new(), Vec::new());
        for (id, sphere) in (0..).zip(spheres) {
            for_each_shift(&farthest, |shift| {
                let mut image = *sphere;
                let mut near = true;
                for axis in 0..D {
                    image.center[axis] += f64::from(shift[axis]) * period[axis];
                    let (x, margin) = (image.center[axis], margins[axis]);
                    near &= shift[axis] == 0 || (-margin..=period[axis] + margin).contains(&x);
                }
                if near {
                    seen.push(image);
                    sources.push((id, shift));
                }
            });
        }
        // Images are inserted among the others, near their neighbors, and not after all of them.
        let order = insertion_order(&seen);
        let mut homes = vec![0; spheres.len()];
        for (vertex, &place) in (0..).zip(&order) {
            let (id, shift): (u32, _) = sources[place as usize];
            if shift == [0; D] {
                homes[id as usize] = vertex;
            }
        }
        let source = |&place: &u32| sources[place as usize];
        let image = |(id, shift): (u32, _)| LaguerreSiteImage { home: homes[id as usize], shift };
        let largest = seen.iter().map(|sphere| sphere.center.amax()).fold(0.0, f64::max);
        LaguerreSites {
            ids: order.iter().map(|place| source(place).0).collect(),
            images: order.iter().map(|place| image(source(place))).collect(),
            spheres: order.iter().map(|&place| seen[place as usize]).collect(),
            period,
            rounding: largest * f64::EPSILON,
        }
    }

    /// Adds an auxiliary vertex that is none of the spheres: a point that makes collinear or coplanar
    /// spheres span space.
    pub fn add_auxiliary_vertex(&mut self, place: Vector<D>) -> u32 {
        let vertex = self.spheres.len() as u32;
        self.spheres.push(Sphere { center: place, radius: 0.0 });
        self.ids.push(AUXILIARY);
        vertex
    }

    /// Returns the number of vertices.
    pub fn count(&self) -> usize {
        self.spheres.len()
    }

    /// Returns the index of a vertex's sphere in the input, unless it is auxiliary.
    pub fn id(&self, vertex: u32) -> Option<u32> {
        let id = *self.ids.get(vertex as usize)?;
        (id != AUXILIARY).then_some(id)
    }

    /// Returns whether the box is periodic, so that there are images.
    pub fn has_images(&self) -> bool {
        !self.images.is_empty()
    }

    /// Returns whether a vertex is a sphere of the box, not an image or auxiliary.
    pub fn is_home(&self, vertex: u32) -> bool {
        match self.images.get(vertex as usize) {
            Some(image) => image.home == vertex,
            None => self.images.is_empty() && self.id(vertex).is_some(),
        }
    }

    /// Returns the vertex that comes first in the order of the input, the same one for all images of a set;
    /// `None` if one of them is auxiliary.
    pub fn first_in_input(&self, vertices: &[u32]) -> Option<u32> {
        let all = vertices.iter().all(|&vertex| self.id(vertex).is_some());
        vertices
            .iter()
            .copied()
            .min_by_key(|&vertex| self.perturbation_rank(vertex))
            .filter(|_| all)
    }

    /// Returns an axis along which two of the vertices are farther apart than `part` times its period.
    pub fn axis_of_long_edge(&self, vertices: &[u32], part: f64) -> Option<usize> {
        (0..D).filter(|&axis| self.period[axis] > 0.0).find(|&axis| {
            let places = || vertices.iter().map(|&vertex| self.sphere(vertex).center[axis]);
            let (low, high) = (
                places().fold(f64::INFINITY, f64::min),
                places().fold(f64::NEG_INFINITY, f64::max),
            );
            high - low > part * self.period[axis]
        })
    }

    /// Returns the sphere at a vertex; an image at its shifted position.
    #[inline]
    pub fn sphere(&self, vertex: u32) -> &Sphere<D> {
        &self.spheres[vertex as usize]
    }

    /// Returns on which side of a facet a vertex lies: the orientation of the simplex with the vertex in
    /// the place of the corner opposite to the facet.
    #[inline]
    pub fn side_of_facet(
        &self,
        vertices: &[u32; MAX_CORNERS],
        corner: usize,
        vertex: u32,
    ) -> Ordering {
        let mut corners = *vertices;
        corners[corner] = vertex;
        self.orientation(&corners)
    }

    /// Returns the orientation of a simplex, `Greater` if positive.
    #[inline]
    pub fn orientation(&self, vertices: &[u32; MAX_CORNERS]) -> Ordering {
        // Floating-point filter: exact arithmetic only where the estimate's error bound includes zero.
        let points: [_; MAX_CORNERS] =
            std::array::from_fn(|k| &self.spheres[vertices[k.min(D)] as usize].center);
        orientation_estimate(points, self.rounding)
            .unwrap_or_else(|| self.exact_orientation(vertices))
    }

    #[cold]
    fn exact_orientation(&self, vertices: &[u32; MAX_CORNERS]) -> Ordering {
        let sites: [_; MAX_CORNERS] = std::array::from_fn(|k| self.site(vertices[k.min(D)]));
        orientation_exact(&sites, &self.period)
    }

    /// Returns whether a vertex conflicts with a positively oriented simplex: its power with respect to the
    /// orthogonal sphere of the simplex is negative.
    ///
    /// Never undecided, by simulation of simplicity: the radius of every sphere is enlarged by an
    /// infinitesimal, and infinitely more for smaller indices in the input. So of coincident equal spheres
    /// the first is visible and the others are hidden.
    #[inline]
    pub fn conflicts(&self, vertices: &[u32; MAX_CORNERS], vertex: u32) -> bool {
        let spheres: [_; MAX_CORNERS + 1] = std::array::from_fn(|k| {
            &self.spheres[if k > D { vertex } else { vertices[k] } as usize]
        });
        match power_estimate(spheres, self.rounding) {
            Some(side) => side == Ordering::Less,
            None => self.exact_conflict(vertices, vertex),
        }
    }

    #[cold]
    fn exact_conflict(&self, vertices: &[u32; MAX_CORNERS], vertex: u32) -> bool {
        let sites: [_; MAX_CORNERS + 1] =
            std::array::from_fn(|k| self.site(if k > D { vertex } else { vertices[k] }));
        match power_exact(&sites, &self.period) {
            Ordering::Equal => self.perturbed_conflict(vertices, vertex),
            side => side == Ordering::Less,
        }
    }

    /// Decides a tie. In the lifting to a paraboloid, a corner that grows lowers the simplex's plane at the
    /// vertex in proportion to the vertex's barycentric coordinate, whose sign is the orientation of the
    /// simplex with the vertex in the corner's place.
    fn perturbed_conflict(&self, vertices: &[u32; MAX_CORNERS], vertex: u32) -> bool {
        let mut corners: [usize; MAX_CORNERS] = std::array::from_fn(|corner| corner);
        let corners = &mut corners[..=D];
        corners.sort_unstable_by_key(|&corner| self.perturbation_rank(vertices[corner]));
        for &mut corner in corners {
            if self.perturbation_rank(vertex) < self.perturbation_rank(vertices[corner]) {
                break;
            }
            match self.side_of_facet(vertices, corner, vertex) {
                Ordering::Equal => {}
                side => return side == Ordering::Less,
            }
        }
        true
    }

    /// Returns the point of equal power to all corners of a simplex, however flat it is.
    #[cold]
    pub fn exact_power_center(&self, vertices: &[u32; MAX_CORNERS]) -> Vector<D> {
        let sites: [_; MAX_CORNERS] = std::array::from_fn(|k| self.site(vertices[k.min(D)]));
        let center = power_center(&sites, &self.period).expect("simplices have a volume");
        self.sphere(vertices[D]).center + center
    }

    /// Returns the order in which radii are perturbed, the same for all images of a set.
    fn perturbation_rank(&self, vertex: u32) -> (u32, [i8; D]) {
        let shift = self.images.get(vertex as usize).map_or([0; D], |image| image.shift);
        (self.ids[vertex as usize], shift)
    }

    fn site(&self, vertex: u32) -> WeightedSite<D> {
        let (home, shift) = match self.images.get(vertex as usize) {
            Some(image) => (image.home, image.shift),
            None => (vertex, [0; D]),
        };
        let Sphere { center, radius } = self.spheres[home as usize];
        WeightedSite { center, radius, shift }
    }

    /// Returns the bytes held.
    pub fn memory(&self) -> usize {
        self.spheres.capacity() * size_of::<Sphere<D>>()
            + self.ids.capacity() * 4
            + self.images.capacity() * size_of::<LaguerreSiteImage<D>>()
    }
}

/// The id of auxiliary vertices, which are not in the input.
const AUXILIARY: u32 = INFINITE_VERTEX - 1;

fn for_each_shift<const D: usize>(farthest: &[i8; D], mut visit: impl FnMut([i8; D])) {
    let mut shift = farthest.map(|far| -far);
    loop {
        visit(shift);
        let Some(axis) = (0..D).find(|&axis| shift[axis] < farthest[axis]) else { return };
        shift[axis] += 1;
        for lower in 0..axis {
            shift[lower] = -farthest[lower];
        }
    }
}
