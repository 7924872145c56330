//! Queries of rays.

use super::WorldError;
use super::bodies::{World, check_length, check_point};
use crate::ray_and_box::RayAndBox;
use carom_geometry::Vector;

/// The point where a ray meets the surface of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// The number of the body.
    pub body: u32,
    /// The distance from the origin of the ray.
    pub distance: f64,
    /// The point.
    pub point: Vector<3>,
    /// The outward unit normal of the surface, also where the ray leaves the body.
    pub normal: Vector<3>,
    /// The index of the face of a polyhedron or of the triangle of a mesh; none on a sphere.
    pub face: Option<u32>,
}

impl World {
    /// Returns where a ray first meets the surface of a body no farther than `reach`, which may be infinite; none if
    /// it meets nothing. A ray that starts inside of a body meets its surface where it leaves. Of bodies met at the
    /// same distance it is the one with the smallest number.
    ///
    /// The direction may have any length but zero. No ray passes between two triangles of a mesh.
    ///
    /// ```
    /// use carom_detect::world::{BodyShape, World};
    /// use carom_geometry::{Pose, Vector};
    /// let mut world = World::new();
    /// for place in [9.0, 5.0] {
    ///     world.add(BodyShape::sphere(1.0)?, Pose::at([place, 0.0, 0.0].into()))?;
    /// }
    /// let hit = world.cast_ray(&Vector::zeros(), &Vector::x(), f64::INFINITY)?.expect("two balls");
    /// assert_eq!((hit.body, hit.distance, hit.normal), (1, 4.0, -Vector::x()));
    /// let inside = Vector::from([5.0, 0.0, 0.0]);
    /// let hit = world.cast_ray(&inside, &Vector::y(), 2.0)?.expect("the ball around it");
    /// assert_eq!((hit.body, hit.distance, hit.normal), (1, 1.0, Vector::y()));
    /// # Ok::<(), carom_detect::world::WorldError>(())
    /// ```
    pub fn cast_ray(
        &self,
        origin: &Vector<3>,
        direction: &Vector<3>,
        reach: f64,
    ) -> Result<Option<RayHit>, WorldError> {
        let direction = check_ray(origin, direction, reach)?;
        let entry = RayAndBox::new(origin, &direction, &self.bvh.all_bounds());
        let mut best: Option<RayHit> = None;
        self.bvh.visit_nearest_first(
            reach.next_up(),
            |bounds| entry.distance(bounds),
            |body| {
                let limit = best.map_or(reach, |hit| hit.distance);
                if let Some(hit) = self.hit(body, origin, &direction, limit)
                    && best.is_none_or(|best| (hit.distance, body) < (best.distance, best.body))
                {
                    best = Some(hit);
                }
                best.map_or(reach, |hit| hit.distance).next_up()
            },
        );
        Ok(best)
    }

    /// Returns where a ray first meets the surface of each body that it meets no farther than `reach`, the nearest
    /// first; equally far ones by their numbers.
    ///
    /// ```
    /// use carom_detect::world::{BodyShape, World};
    /// use carom_geometry::{Pose, Vector};
    /// let mut world = World::new();
    /// for place in [9.0, 5.0] {
    ///     world.add(BodyShape::sphere(1.0)?, Pose::at([place, 0.0, 0.0].into()))?;
    /// }
    /// let hits = world.cast_ray_through(&Vector::zeros(), &Vector::x(), 100.0)?;
    /// assert_eq!(hits.iter().map(|hit| (hit.body, hit.distance)).collect::<Vec<_>>(), [(1, 4.0), (0, 8.0)]);
    /// # Ok::<(), carom_detect::world::WorldError>(())
    /// ```
    pub fn cast_ray_through(
        &self,
        origin: &Vector<3>,
        direction: &Vector<3>,
        reach: f64,
    ) -> Result<Vec<RayHit>, WorldError> {
        let direction = check_ray(origin, direction, reach)?;
        let entry = RayAndBox::new(origin, &direction, &self.bvh.all_bounds());
        let mut hits = Vec::new();
        self.bvh.visit(
            |bounds| entry.distance(bounds) < reach.next_up(),
            |body| hits.extend(self.hit(body, origin, &direction, reach)),
        );
        hits.sort_unstable_by(|one, other| {
            one.distance.total_cmp(&other.distance).then(one.body.cmp(&other.body))
        });
        Ok(hits)
    }

    fn hit(
        &self,
        body: u32,
        origin: &Vector<3>,
        direction: &Vector<3>,
        reach: f64,
    ) -> Option<RayHit> {
        let hit = self.placed(body).first_hit(origin, direction, reach)?;
        Some(RayHit {
            body,
            distance: hit.distance,
            point: origin + direction * hit.distance,
            normal: hit.normal,
            face: hit.face,
        })
    }
}

/// Returns the unit vector along a direction.
fn check_ray(
    origin: &Vector<3>,
    direction: &Vector<3>,
    reach: f64,
) -> Result<Vector<3>, WorldError> {
    check_point("origin", origin)?;
    check_length("reach", reach)?;
    let longest = direction.amax();
    // Scaled first, so that no square overflows or vanishes.
    let unit = (direction / longest).try_normalize(0.5);
    unit.filter(|_| direction.iter().all(|part| part.is_finite()) && longest > 0.0)
        .ok_or(WorldError::Direction { direction: (*direction).into() })
}
