//! The closest points of two surfaces of triangles: both trees are descended at once, nearer pairs of boxes first.

use super::triangle_to_triangle::{ClosestPair, closest_points_of_triangles};
use crate::aabb_tree::AabbTreeNode;
use crate::inside::TriangleBvh;
use carom_geometry::{Aabb, Pose, Vector};

/// Returns the closest points of two surfaces in the frame of the first, given the pose of the second in it; a common
/// point if they intersect. Of surfaces more than `reach` apart there may be nothing.
pub(super) fn closest_points_of_surfaces(
    a: &TriangleBvh,
    b: &TriangleBvh,
    pose: &Pose,
    reach: f64,
) -> Option<ClosestPair> {
    // A distance that rounds to `reach` is within it.
    let limit = (reach * reach * (1.0 + 8.0 * f64::EPSILON)).next_up();
    let [low, high] = [b.bounds().low, b.bounds().high].map(|corner| corner.amax());
    let margin = POSITION_MARGIN * (pose.position.amax() + 2.0 * low.max(high));
    let mut search = SurfaceSearch { a, b, pose, margin, limit, best: None };
    let roots = [a.tree().root(), b.tree().root()];
    search.descend(roots, search.bound(roots));
    search.best
}

/// The largest rounding of the place of a box in units of the largest coordinate.
const POSITION_MARGIN: f64 = 1e-14;

struct SurfaceSearch<'a> {
    a: &'a TriangleBvh,
    b: &'a TriangleBvh,
    pose: &'a Pose,
    /// Turned boxes are larger by this, so that rounding excludes nothing.
    margin: f64,
    /// Square of the distance that is to be undercut.
    limit: f64,
    best: Option<ClosestPair>,
}

impl SurfaceSearch<'_> {
    fn descend(&mut self, nodes: [AabbTreeNode; 2], bound: f64) {
        if bound >= self.limit {
            return;
        }
        let [a, b] = nodes;
        if a.0 == 0 && b.0 == 0 {
            self.compare_leaves(a.1, b.1);
            return;
        }
        // The node of the higher level is split: it is mostly the larger one.
        let splits_a = a.0 > 0 && (a.0 >= b.0 || b.0 == 0);
        let (first, second) = if splits_a {
            let (first, second) = self.a.tree().children(a);
            ([first, b], second.map(|second| [second, b]))
        } else {
            let (first, second) = self.b.tree().children(b);
            ([a, first], second.map(|second| [a, second]))
        };
        let first = (self.bound(first), first);
        let Some(second) = second.map(|second| (self.bound(second), second)) else {
            self.descend(first.1, first.0);
            return;
        };
        let (near, far) = if second.0 < first.0 { (second, first) } else { (first, second) };
        self.descend(near.1, near.0);
        self.descend(far.1, far.0);
    }

    /// Returns the square of the distance of two boxes, the second of which is turned, from below.
    fn bound(&self, [a, b]: [AabbTreeNode; 2]) -> f64 {
        let (a, b) = (self.a.tree().aabb(a), self.b.tree().aabb(b));
        let half = (b.high - b.low) / 2.0;
        let middle = self.pose.transform_point(&(b.low + half));
        let half = (self.pose.rotation.abs() * half).add_scalar(self.margin);
        let gap = (a.low - middle - half).sup(&(middle - half - a.high)).sup(&Vector::zeros());
        gap.norm_squared()
    }

    fn compare_leaves(&mut self, a: usize, b: usize) {
        for (_, other) in self.b.leaf_triangles(b) {
            let other = other.map(|corner| self.pose.transform_point(corner));
            let bounds = other.iter().fold(Aabb::empty(), Aabb::including);
            for (_, one) in self.a.leaf_triangles(a) {
                let low = one[0].inf(one[1]).inf(one[2]);
                let high = one[0].sup(one[1]).sup(one[2]);
                let gap = (low - bounds.high).sup(&(bounds.low - high)).sup(&Vector::zeros());
                if gap.norm_squared() >= self.limit {
                    continue;
                }
                let found = closest_points_of_triangles(one, other.each_ref());
                if found.squared < self.limit {
                    (self.limit, self.best) = (found.squared, Some(found));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_geometry::mesh::{TriangleMesh, octahedron_sphere};
    use carom_geometry::random::SplitMix64;

    /// A sphere with bumps, which is not convex.
    fn bumpy(refinements: u32) -> TriangleMesh {
        let sphere = octahedron_sphere(refinements);
        let bump = |vertex: &Vector<3>| vertex * (1.0 + 0.3 * (7.0 * vertex.x).sin());
        let vertices = sphere.vertices().iter().map(bump).collect();
        TriangleMesh::new(vertices, sphere.triangles().to_vec()).unwrap()
    }

    #[test]
    fn the_trees_give_what_all_pairs_of_triangles_give() {
        let meshes = [bumpy(2), bumpy(1)];
        let bvhs = meshes.each_ref().map(TriangleBvh::new);
        let mut random = SplitMix64::new(5);
        let mut crossing = 0;
        for round in 0..40 {
            let place = Vector::from_fn(|_, _| random.normal()) * 1.5;
            let quaternion = [(); 4].map(|()| random.normal());
            let norm = quaternion.iter().map(|part| part * part).sum::<f64>().sqrt();
            let pose = Pose::new(place, quaternion.map(|part| part / norm)).unwrap();
            let found = closest_points_of_surfaces(&bvhs[0], &bvhs[1], &pose, f64::INFINITY);
            let mut least = f64::INFINITY;
            for k in 0..meshes[1].triangles().len() {
                let other = meshes[1].corners(k).map(|corner| pose.transform_point(corner));
                for j in 0..meshes[0].triangles().len() {
                    let pair = closest_points_of_triangles(meshes[0].corners(j), other.each_ref());
                    least = least.min(pair.squared);
                }
            }
            let found = found.unwrap();
            assert_eq!(found.squared, least, "{round}");
            crossing += usize::from(least == 0.0);
            let within = |reach| closest_points_of_surfaces(&bvhs[0], &bvhs[1], &pose, reach);
            assert_eq!(within(least.sqrt()), Some(found));
            assert!(least == 0.0 || within(least.sqrt() * 0.999).is_none());
        }
        assert!((5..35).contains(&crossing), "{crossing}");
    }
}
