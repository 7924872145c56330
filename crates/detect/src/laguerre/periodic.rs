//! Periodic boxes: triangulates the spheres in the box together with as many images around it as are needed
//! for the simplices at the former to be those of the infinite periodic pattern.
//!
//! One period on each side always suffices, whatever the shape of the box and the radii. Proof: Let `p` be
//! a sphere of the box, a corner of a simplex whose orthogonal sphere has the center `c`. The two images
//! of `p` next to it along a periodic axis do not conflict, so `c` is at most half a period from `p` along
//! that axis. Among all images of another sphere the one nearest to `c` along every periodic axis has the
//! smallest power; it is at most half a period from `c`, hence at most one from `p`, and so is among the
//! triangulated images. If it does not conflict, no image does. Likewise a facet of the hull at `p` has an
//! image of `p` before and behind it along every periodic axis unless it is parallel to that axis, as the
//! hull of the infinite pattern is. Ties are broken alike, since images as near as the nearest are
//! triangulated too.
//!
//! Usually far less suffices: images as far around the box as the orthogonal spheres reach. If some axes
//! are open, nothing is known about the hull in advance, and its facets stretch from image to image of the
//! few outermost spheres; so in a box with open axes the whole period is triangulated, three times as many
//! spheres for one periodic axis and nine times as many for two.

use super::bowyer_watson::triangulate;
use super::cells::power_center_unless_flat;
use super::simplicial_complex::{INFINITE_VERTEX, SimplicialComplex};
use super::sites::LaguerreSites;
use super::triangulation::Triangulation;
use crate::error::Error;
use carom_geometry::{Aabb, Boundary, Sphere, Vector, math};

/// Triangulates spheres whose centers are in the box, with images around them. Fails if there are too many.
pub fn triangulate_periodic<const D: usize>(
    spheres: &[Sphere<D>],
    boundary: &Boundary<D>,
    hull: HullAssumption,
) -> Result<(LaguerreSites<D>, SimplicialComplex<D>), Error> {
    let bounds = spheres.iter().fold(Aabb::empty(), |all, sphere| all.including(&sphere.center));
    let largest = spheres.iter().map(|sphere| sphere.radius).fold(0.0, f64::max);
    let mut margin = initial_margin(spheres.len(), boundary, &bounds, hull);
    loop {
        let reach = PeriodicImageCoverage { boundary, bounds, margin, largest_radius: largest };
        let mut sites = LaguerreSites::periodic(spheres, boundary, &reach.margins());
        if sites.count() > Triangulation::<D>::MAX_SPHERES {
            return Err(Error::TooManyToTriangulate {
                count: sites.count(),
                most: Triangulation::<D>::MAX_SPHERES,
            });
        }
        let complex = triangulate(&mut sites);
        if reach.is_complete() || reach.covers(&complex, &sites) {
            return Ok((sites, complex));
        }
        margin *= 2.0;
    }
}

/// Assumption about the outermost spheres along open axes.
///
/// ```
/// use carom_detect::laguerre::{HullAssumption, Triangulation};
/// use carom_geometry::{Boundary, Sphere};
/// // Three rows of discs between flat walls, periodic along the rows.
/// let at = |k: i32| [f64::from(k % 16) + 0.5 * f64::from(k / 16 % 2), f64::from(k / 16)];
/// let discs: Vec<_> = (0..48).map(|k| Sphere::new(at(k), 0.4)).collect();
/// let boundary = Boundary::periodic([Some(16.0), None])?;
/// let fast = Triangulation::with_hull(&discs, &boundary, HullAssumption::Flat)?;
/// assert_eq!(fast.edges(), Triangulation::of(&discs, &boundary)?.edges());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HullAssumption {
    /// Nothing is known: facets of the hull may stretch from image to image, so that all images within one
    /// period are triangulated.
    Any,
    /// They lie in planes perpendicular to the open axes, as dense as the others, so that facets of the
    /// hull are small.
    Flat,
}

/// Returns the width of the layer of images to try first: a few neighbor distances, or infinity.
fn initial_margin<const D: usize>(
    count: usize,
    boundary: &Boundary<D>,
    bounds: &Aabb<D>,
    hull: HullAssumption,
) -> f64 {
    if hull == HullAssumption::Any && (0..D).any(|axis| boundary.period(axis).is_none()) {
        return f64::INFINITY;
    }
    let lengths = (0..D).map(|axis| boundary.period(axis).unwrap_or(bounds.size()[axis]));
    // An axis along which the spheres have no extent does not count as a dimension.
    let lengths = lengths.filter(|&length| length > 0.0);
    let dimension = lengths.clone().count() as f64;
    MARGIN * math::powf(lengths.product::<f64>() / count.max(1) as f64, 1.0 / dimension)
}

/// First margin in neighbor distances; enough for most fluids.
const MARGIN: f64 = 2.5;

/// The region around the box in which images are triangulated.
struct PeriodicImageCoverage<'a, const D: usize> {
    boundary: &'a Boundary<D>,
    bounds: Aabb<D>,
    /// Width of the layer of images; on axes with a shorter period, that period.
    margin: f64,
    largest_radius: f64,
}

impl<const D: usize> PeriodicImageCoverage<'_, D> {
    /// Returns the width of the layer of images along each axis; zero on open ones.
    fn margins(&self) -> Vector<D> {
        let margin =
            |axis| self.boundary.period(axis).map_or(0.0, |period| period.min(self.margin));
        Vector::from_fn(|axis, _| margin(axis))
    }

    /// Iterates over the axes, and their periods, along which less than a period of images is triangulated.
    fn partially_covered_axes(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        let periods = (0..D).filter_map(|axis| Some((axis, self.boundary.period(axis)?)));
        periods.filter(|&(_, period)| period > self.margin)
    }

    /// Returns whether all images within one period are triangulated, which always suffices.
    fn is_complete(&self) -> bool {
        self.partially_covered_axes().next().is_none()
    }

    /// Returns whether no missing image could conflict with a simplex at a sphere of the box.
    ///
    /// The power center of a nearly flat simplex is inaccurate; but its orthogonal sphere is no larger than
    /// the largest of the others, and passes through its corners.
    fn covers(&self, complex: &SimplicialComplex<D>, sites: &LaguerreSites<D>) -> bool {
        let mut widest = 0.0f64;
        let mut flat = Vec::new();
        for number in complex.indices() {
            let vertices = complex.simplex(number).vertices;
            if !vertices[..=D]
                .iter()
                .any(|&vertex| vertex != INFINITE_VERTEX && sites.is_home(vertex))
            {
                continue;
            }
            if vertices[..=D].contains(&INFINITE_VERTEX) {
                if (0..D).all(|axis| self.boundary.period(axis).is_some()) {
                    return false;
                }
                continue;
            }
            let corners = std::array::from_fn(|k| sites.sphere(vertices[k.min(D)]));
            let Some(center) = power_center_unless_flat(corners, 1e-7) else {
                flat.push(corners[0].center);
                continue;
            };
            let distance = (corners[0].center - center).norm_squared();
            // A site conflicts with the simplex within √(power + r²) of its center; the largest radius bounds all.
            let power = distance - corners[0].radius * corners[0].radius;
            let square = power + self.largest_radius * self.largest_radius;
            widest = widest.max(square);
            // An image left out could be in conflict: the margin is doubled.
            if !self.is_inside(&center, square) {
                return false;
            }
        }
        // If all simplices are flat, nothing is known.
        let nothing_known = widest == 0.0 && !flat.is_empty();
        !nothing_known && flat.iter().all(|corner| self.is_inside(corner, 4.0 * widest))
    }

    /// Returns whether a ball, its radius given squared, does not reach beyond the triangulated images.
    fn is_inside(&self, center: &Vector<D>, square: f64) -> bool {
        let away = |axis: usize| {
            let (low, high) = (self.bounds.low[axis], self.bounds.high[axis]);
            (low - center[axis]).max(center[axis] - high).max(0.0)
        };
        let open = (0..D).filter(|&axis| self.boundary.period(axis).is_none());
        let beside: f64 = open.map(|axis| away(axis).powi(2)).sum();
        self.partially_covered_axes().all(|(axis, period)| {
            let left = center[axis] + self.margin;
            let right = period + self.margin - center[axis];
            let nearest = left.min(right).max(0.0);
            nearest * nearest + beside > square * (1.0 + 1e-9)
        })
    }
}
