//! Where a ray first meets a surface.
//!
//! The test of a ray and a triangle is that of Woop, Benthin and Wald, Watertight ray/triangle intersection (Journal
//! of Computer Graphics Techniques 2, 2013): two triangles with a common edge compute the same bits for the side of it
//! that the ray is on, so that no ray passes between them.

use super::TriangleBvh;
use crate::ray_and_box::RayAndBox;
use carom_geometry::Vector;
use carom_geometry::mesh::polygon_normal;

/// The point where a ray meets a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceHit {
    /// The index of the triangle; of several met at the same distance, as at an edge, the smallest.
    pub triangle: usize,
    /// The distance along the ray.
    pub distance: f64,
    /// The unit normal of the triangle, outward whichever side the ray comes from.
    pub normal: Vector<3>,
}

impl TriangleBvh {
    /// Returns where a ray from `origin` along a unit vector first meets the surface, from either side, no farther
    /// than `reach`. Triangles that the ray runs along are met at their neighbors; those without area are not met.
    ///
    /// ```
    /// use carom_detect::inside::TriangleBvh;
    /// use carom_geometry::{Vector, mesh::octahedron_sphere};
    /// let octahedron = TriangleBvh::new(&octahedron_sphere(0));
    /// let origin = Vector::from([0.25, 0.25, 3.0]);
    /// let hit = octahedron.cast_ray(&origin, &-Vector::z(), 10.0).expect("the ray meets a face");
    /// assert!((hit.distance - 2.5).abs() < 1e-12 && hit.normal.z > 0.5);
    /// assert_eq!(octahedron.cast_ray(&origin, &-Vector::z(), 2.0), None);
    /// assert_eq!(octahedron.cast_ray(&origin, &Vector::z(), 10.0), None);
    /// ```
    pub fn cast_ray(
        &self,
        origin: &Vector<3>,
        direction: &Vector<3>,
        reach: f64,
    ) -> Option<SurfaceHit> {
        let ray = ShearedRay::new(origin, direction);
        let entry = RayAndBox::new(origin, direction, &self.bounds());
        let mut best: Option<(f64, u32, [&Vector<3>; 3])> = None;
        self.tree().visit_nearest_first(
            reach.next_up(),
            |bounds| entry.distance(bounds),
            |leaf| {
                for (number, corners) in self.leaf_triangles(leaf) {
                    let limit = best.map_or(reach, |(distance, ..)| distance);
                    let Some(distance) = ray.distance(corners).filter(|it| *it <= limit) else {
                        continue;
                    };
                    if best.is_none_or(|(least, first, _)| (distance, number) < (least, first)) {
                        best = Some((distance, number, corners));
                    }
                }
                best.map_or(reach, |(distance, ..)| distance).next_up()
            },
        );
        best.map(|(distance, number, [a, b, c])| SurfaceHit {
            triangle: number as usize,
            distance,
            normal: polygon_normal(&[*a, *b, *c], &[0, 1, 2])
                .try_normalize(0.0)
                .unwrap_or(-direction),
        })
    }
}

/// A ray in coordinates that are sheared so that it runs along the last axis.
struct ShearedRay {
    origin: Vector<3>,
    axes: [usize; 3],
    shear: [f64; 3],
}

impl ShearedRay {
    fn new(origin: &Vector<3>, direction: &Vector<3>) -> Self {
        let along = direction.iamax();
        let axes = [(along + 1) % 3, (along + 2) % 3, along];
        let longest = direction[along];
        let shear = [direction[axes[0]] / longest, direction[axes[1]] / longest, 1.0 / longest];
        ShearedRay { origin: *origin, axes, shear }
    }

    /// Returns how far along the ray a triangle is, from either side.
    fn distance(&self, corners: [&Vector<3>; 3]) -> Option<f64> {
        let [across, up, along] = self.axes;
        let [a, b, c] = corners.map(|corner| {
            let seen = corner - self.origin;
            let height = seen[along];
            [
                seen[across] - self.shear[0] * height,
                seen[up] - self.shear[1] * height,
                self.shear[2] * height,
            ]
        });
        // A common edge gives its two triangles the same product, but for the sign.
        let weights =
            [c[0] * b[1] - c[1] * b[0], a[0] * c[1] - a[1] * c[0], b[0] * a[1] - b[1] * a[0]];
        let is_apart = weights.iter().any(|weight| *weight < 0.0)
            && weights.iter().any(|weight| *weight > 0.0);
        let sum = weights[0] + weights[1] + weights[2];
        if is_apart || sum == 0.0 {
            return None;
        }
        let distance = (weights[0] * a[2] + weights[1] * b[2] + weights[2] * c[2]) / sum;
        (distance >= 0.0).then_some(distance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_geometry::mesh::octahedron_sphere;
    use carom_geometry::random::SplitMix64;

    #[test]
    fn the_bvh_meets_what_all_triangles_meet() {
        let mesh = octahedron_sphere(3);
        let bvh = TriangleBvh::new(&mesh);
        let mut random = SplitMix64::new(7);
        let mut hits = 0;
        for _ in 0..2000 {
            let [origin, target] = [3.0, 1.2]
                .map(|size| Vector::<3>::from_fn(|_, _| size * (2.0 * random.uniform() - 1.0)));
            let direction: Vector<3> = (target - origin).normalize();
            let ray = ShearedRay::new(&origin, &direction);
            let all = (0..mesh.triangles().len())
                .filter_map(|k| Some((ray.distance(mesh.corners(k))?, k)))
                .min_by(|a, b| a.partial_cmp(b).unwrap());
            let found = bvh.cast_ray(&origin, &direction, f64::INFINITY);
            assert_eq!(found.map(|hit| (hit.distance, hit.triangle)), all, "{origin:?}");
            hits += usize::from(all.is_some());
        }
        assert!(hits > 500 && hits < 1900, "{hits}");
    }

    #[test]
    fn no_ray_from_inside_escapes_through_an_edge_or_a_vertex() {
        let mesh = octahedron_sphere(3);
        let bvh = TriangleBvh::new(&mesh);
        let corners = mesh.triangles().iter().flat_map(|&[a, b, _]| {
            let [a, b] = [a, b].map(|k| mesh.vertices()[k as usize]);
            [a, (a + b) / 2.0, a * 0.3 + b * 0.7]
        });
        for origin in [[0.0; 3], [0.1, -0.2, 0.05]].map(Vector::from) {
            for target in corners.clone() {
                let hit = bvh.cast_ray(&origin, &(target - origin).normalize(), 3.0);
                let distance = hit.expect("the surface is closed").distance;
                assert!((distance - (target - origin).norm()).abs() < 1e-12, "{target:?}");
            }
        }
    }
}
