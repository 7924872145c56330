//! Ray crossing (paper 003, section 2.2): the winding number from the crossings of a ray that leaves the surface.
//!
//! The ray is axis-aligned and takes the shortest way out of the box around the surface; points outside of that box
//! are decided at once. Crossings are decided exactly, so no ray is cast again where the paper takes a new random
//! direction: see `segment_crossing.rs`.

use super::segment_crossing::signed_crossings;
use super::simd_inside_test::{SimdInsideTest, classify_all_simd, classify_simd};
use super::triangle_bvh::TriangleBvh;
use super::{Containment, FillRule, InsideTest};
use carom_geometry::mesh::TriangleMesh;
use carom_geometry::{Aabb, Vector};

/// A surface prepared for ray crossing.
///
/// With a BVH over its faces a point costs some microseconds; the test of every face, which needs no preparation,
/// some nanoseconds for each.
#[derive(Clone, Debug)]
pub struct RayCrossing {
    rule: FillRule,
    faces: RayFaces,
    bounds: Aabb<3>,
}

#[derive(Clone, Debug)]
enum RayFaces {
    Bvh(TriangleBvh),
    All(TriangleMesh),
}

impl RayCrossing {
    /// Prepares a surface with a BVH over its faces.
    ///
    /// ```
    /// use carom_detect::inside::{Containment, FillRule, InsideTest, RayCrossing};
    /// use carom_geometry::{Vector, mesh::{TriangleMesh, convex_hull}};
    /// let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]].map(Vector::from);
    /// let mesh = TriangleMesh::from_polygons(&convex_hull(&corners)?)?;
    /// let ray = RayCrossing::new(&mesh, FillRule::EvenOdd);
    /// assert_eq!(ray.classify(&Vector::from([0.1, 0.2, 0.3])), Containment::Inside);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(surface: &TriangleMesh, rule: FillRule) -> Self {
        let tree = TriangleBvh::new(surface);
        RayCrossing { rule, bounds: tree.bounds(), faces: RayFaces::Bvh(tree) }
    }

    /// Prepares a surface to test every face, as the paper does.
    ///
    /// ```
    /// use carom_detect::inside::{Containment, FillRule, InsideTest, RayCrossing};
    /// use carom_geometry::{Vector, mesh::octahedron_sphere};
    /// let octahedron = RayCrossing::brute_force(octahedron_sphere(0), FillRule::EvenOdd);
    /// assert_eq!(octahedron.classify(&Vector::from([0.5, 0.25, 0.125])), Containment::Inside);
    /// assert_eq!(octahedron.classify(&Vector::from([0.5, 0.25, 0.25])), Containment::Surface);
    /// assert_eq!(octahedron.classify(&Vector::from([0.5, 0.25, 0.375])), Containment::Outside);
    /// ```
    pub fn brute_force(surface: TriangleMesh, rule: FillRule) -> Self {
        RayCrossing { rule, bounds: surface.bounds(), faces: RayFaces::All(surface) }
    }

    #[inline(always)]
    fn classify_point(&self, point: &Vector<3>) -> Containment {
        let Some(ray) = AxisRay::leaving_box(&self.bounds, point) else {
            return Containment::Outside;
        };
        let winding = match &self.faces {
            RayFaces::Bvh(tree) => ray.winding_by_bvh(tree),
            RayFaces::All(surface) => ray.winding_by_brute_force(surface),
        };
        winding.map_or(Containment::Surface, |winding| self.rule.containment(winding))
    }
}

/// An axis-aligned segment from a point to the outside.
struct AxisRay {
    start: Vector<3>,
    end: Vector<3>,
}

impl AxisRay {
    /// Returns the ray by the shortest way out; `None` if the point is not in the box.
    #[inline(always)]
    fn leaving_box(bounds: &Aabb<3>, start: &Vector<3>) -> Option<Self> {
        let is_in =
            |axis: usize| bounds.low[axis] <= start[axis] && start[axis] <= bounds.high[axis];
        if !(is_in(0) && is_in(1) && is_in(2)) {
            return None;
        }
        let (down, up) = (start - bounds.low, bounds.high - start);
        // The shortest way out of the box crosses the fewest triangles.
        let (downwards, upwards) = (down.imin(), up.imin());
        let mut end = *start;
        // Beyond the box by its own length, so that the end is outside whatever rounding does.
        if down[downwards] <= up[upwards] {
            end[downwards] = bounds.low[downwards] - overshoot(bounds, downwards);
        } else {
            end[upwards] = bounds.high[upwards] + overshoot(bounds, upwards);
        }
        Some(AxisRay { start: *start, end })
    }

    #[inline(always)]
    fn may_intersect(&self, bounds: &Aabb<3>) -> bool {
        // All but one coordinate of the ray are those of its start: the test compares numbers and rounds nothing.
        (0..3).fold(true, |meets, axis| {
            let (start, end) = (self.start[axis], self.end[axis]);
            let (low, high) = if start < end { (start, end) } else { (end, start) };
            meets & (low <= bounds.high[axis]) & (bounds.low[axis] <= high)
        })
    }

    /// Returns the winding number at the start; `None` on the surface.
    #[inline(always)]
    fn winding_by_bvh(&self, tree: &TriangleBvh) -> Option<i32> {
        let mut winding = Some(0);
        tree.visit_leaves(
            |bounds| self.may_intersect(bounds),
            |triangles| {
                let here = signed_crossings(&self.start, &self.end, tree.vertices(), triangles);
                // Without a number the point is on the surface, and the search ends.
                winding = winding.zip(here).map(|(before, here)| before + here);
                winding.is_some()
            },
        );
        winding
    }

    #[inline(always)]
    fn winding_by_brute_force(&self, surface: &TriangleMesh) -> Option<i32> {
        let vertices = surface.vertices();
        let mut winding = 0;
        for triangle in surface.triangles() {
            let [a, b, c] = triangle.map(|corner| &vertices[corner as usize]);
            if self.may_intersect(&Aabb { low: a.inf(b).inf(c), high: a.sup(b).sup(c) }) {
                winding += signed_crossings(&self.start, &self.end, vertices, &[*triangle])?;
            }
        }
        Some(winding)
    }
}

fn overshoot(bounds: &Aabb<3>, axis: usize) -> f64 {
    let farthest = bounds.low[axis].abs().max(bounds.high[axis].abs());
    bounds.size().max() + farthest * 1e-6 + f64::MIN_POSITIVE
}

impl SimdInsideTest for RayCrossing {
    #[inline(always)]
    fn classify_batch(&self, points: &[Vector<3>], sides: &mut [Containment]) {
        for (side, point) in sides.iter_mut().zip(points) {
            *side = self.classify_point(point);
        }
    }
}

impl InsideTest for RayCrossing {
    fn classify(&self, point: &Vector<3>) -> Containment {
        classify_simd(self, point)
    }

    fn classify_all(&self, points: &[Vector<3>]) -> Vec<Containment> {
        classify_all_simd(self, points)
    }

    fn bytes(&self) -> usize {
        match &self.faces {
            RayFaces::Bvh(tree) => tree.bytes(),
            RayFaces::All(_) => 0,
        }
    }
}
