//! Queries of points and boxes.

use super::WorldError;
use super::bodies::{World, check_length, check_point};
use super::body_bvh::signed_distance;
use carom_geometry::{Aabb, Vector};

/// A body near a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearestBody {
    /// The number of the body.
    pub body: u32,
    /// The distance of the point from its surface: positive outside, **negative inside**.
    pub distance: f64,
    /// The closest point of its surface.
    pub point: Vector<3>,
}

/// The largest rounding of the distance between a point and a body in units of the largest coordinate.
const POSITION_MARGIN: f64 = 1e-14;

impl World {
    /// Returns the bodies whose bounding boxes ([`World::bounds`]) meet a box, ascending; touching counts. Fails if
    /// the box is not finite or its corners are exchanged.
    ///
    /// ```
    /// use carom_detect::world::{BodyShape, World};
    /// use carom_geometry::{Aabb, Pose, Vector};
    /// let mut world = World::new();
    /// for place in [0.0, 4.0, 8.0] {
    ///     world.add(BodyShape::sphere(1.0)?, Pose::at([place, 0.0, 0.0].into()))?;
    /// }
    /// let low = Vector::from([1.0, -1.0, -1.0]);
    /// let bounds = Aabb { low, high: Vector::from([3.5, 1.0, 1.0]) };
    /// assert_eq!(world.bodies_in(&bounds)?, [0, 1]);
    /// # Ok::<(), carom_detect::world::WorldError>(())
    /// ```
    pub fn bodies_in(&self, bounds: &Aabb<3>) -> Result<Vec<u32>, WorldError> {
        check_point("box", &bounds.low)?;
        check_point("box", &bounds.high)?;
        for (axis, name) in crate::error::AXES.into_iter().enumerate() {
            let (low, high) = (bounds.low[axis], bounds.high[axis]);
            if low > high {
                return Err(WorldError::BoxExchanged { axis: name, low, high });
            }
        }
        let mut found = Vec::new();
        self.bvh.visit(
            |other| meet(bounds, other),
            |body| {
                if meet(bounds, &self.placed(body).bounds) {
                    found.push(body);
                }
            },
        );
        found.sort_unstable();
        Ok(found)
    }

    /// Returns the bodies at most `distance` from a point, ascending; bodies that contain the point have negative
    /// distances. The distance is that of the body, not of its box.
    ///
    /// ```
    /// use carom_detect::world::{BodyShape, World};
    /// use carom_geometry::{Pose, Vector};
    /// let mut world = World::new();
    /// for place in [0.0, 4.0, 8.0] {
    ///     world.add(BodyShape::sphere(1.0)?, Pose::at([place, 0.0, 0.0].into()))?;
    /// }
    /// let near = world.bodies_near(&Vector::from([2.0, 0.0, 0.0]), 1.0)?;
    /// assert_eq!(near.iter().map(|near| near.body).collect::<Vec<_>>(), [0, 1]);
    /// assert_eq!(near[1].point, Vector::from([3.0, 0.0, 0.0]));
    /// # Ok::<(), carom_detect::world::WorldError>(())
    /// ```
    pub fn bodies_near(
        &self,
        point: &Vector<3>,
        distance: f64,
    ) -> Result<Vec<NearestBody>, WorldError> {
        check_point("point", point)?;
        check_length("distance", distance)?;
        let bound = self.lower_bound(point);
        let mut found = Vec::new();
        self.bvh.visit(
            |bounds| bound(bounds) <= distance,
            |body| {
                let near = self.near(body, point);
                if near.distance <= distance {
                    found.push(near);
                }
            },
        );
        found.sort_unstable_by_key(|near| near.body);
        Ok(found)
    }

    /// Returns the body nearest to a point; none if there are no bodies. If bodies contain the point it is the one
    /// that it is deepest in. Of equally near bodies it is the one with the smallest number.
    ///
    /// ```
    /// use carom_detect::world::{BodyShape, World};
    /// use carom_geometry::{Pose, Vector};
    /// let mut world = World::new();
    /// world.add(BodyShape::sphere(1.0)?, Pose::identity())?;
    /// let nearest = world.nearest(&Vector::from([0.0, 0.25, 0.0]))?.expect("there is a body");
    /// assert_eq!((nearest.distance, nearest.point), (-0.75, Vector::y()));
    /// # Ok::<(), carom_detect::world::WorldError>(())
    /// ```
    pub fn nearest(&self, point: &Vector<3>) -> Result<Option<NearestBody>, WorldError> {
        Ok(self.nearest_bodies(point, 1)?.pop())
    }

    /// Returns the `count` bodies nearest to a point, or all if there are fewer, the nearest first; equally near ones
    /// by their numbers.
    ///
    /// ```
    /// use carom_detect::world::{BodyShape, World};
    /// use carom_geometry::{Pose, Vector};
    /// let mut world = World::new();
    /// for place in [0.0, 4.0, 8.0] {
    ///     world.add(BodyShape::sphere(1.0)?, Pose::at([place, 0.0, 0.0].into()))?;
    /// }
    /// let nearest = world.nearest_bodies(&Vector::from([6.0, 0.0, 0.0]), 2)?;
    /// assert_eq!(nearest.iter().map(|near| near.body).collect::<Vec<_>>(), [1, 2]);
    /// # Ok::<(), carom_detect::world::WorldError>(())
    /// ```
    pub fn nearest_bodies(
        &self,
        point: &Vector<3>,
        count: usize,
    ) -> Result<Vec<NearestBody>, WorldError> {
        check_point("point", point)?;
        let mut found: Vec<NearestBody> = Vec::new();
        if count == 0 {
            return Ok(found);
        }
        self.bvh.visit_nearest_first(f64::INFINITY, self.lower_bound(point), |body| {
            let near = self.near(body, point);
            let key = |near: &NearestBody| (near.distance, near.body);
            let place = found.partition_point(|other| key(other) < key(&near));
            if place < count {
                found.truncate(count - 1);
                found.insert(place, near);
            }
            // An equally near body with a smaller number goes first.
            let is_full = found.len() == count;
            found.last().filter(|_| is_full).map_or(f64::INFINITY, |last| last.distance.next_up())
        });
        Ok(found)
    }

    /// Returns the bodies that contain a point, ascending; the surface belongs to the body. Meshes are decided
    /// exactly in the frame of the body, spheres and polyhedra to rounding.
    ///
    /// ```
    /// use carom_detect::world::{BodyShape, World};
    /// use carom_geometry::{Pose, Vector};
    /// let mut world = World::new();
    /// for radius in [1.0, 2.0, 3.0] {
    ///     world.add(BodyShape::sphere(radius)?, Pose::identity())?;
    /// }
    /// assert_eq!(world.containing(&Vector::from([2.0, 0.0, 0.0]))?, [1, 2]);
    /// # Ok::<(), carom_detect::world::WorldError>(())
    /// ```
    pub fn containing(&self, point: &Vector<3>) -> Result<Vec<u32>, WorldError> {
        check_point("point", point)?;
        let bound = self.lower_bound(point);
        let mut found = Vec::new();
        self.bvh.visit(
            |bounds| bound(bounds) <= 0.0,
            |body| {
                if self.placed(body).contains(point) {
                    found.push(body);
                }
            },
        );
        found.sort_unstable();
        Ok(found)
    }

    fn near(&self, body: u32, point: &Vector<3>) -> NearestBody {
        let closest = self.placed(body).closest_to(point);
        NearestBody { body, distance: closest.distance, point: closest.point }
    }

    /// Returns a function that gives a number below the computed distance of the point from any body in a box.
    fn lower_bound(&self, point: &Vector<3>) -> impl Fn(&Aabb<3>) -> f64 + use<> {
        let all = self.bvh.all_bounds();
        let farthest =
            if all.low.x > all.high.x { 0.0 } else { all.low.amax().max(all.high.amax()) };
        let margin = POSITION_MARGIN * farthest.max(point.amax());
        let point = *point;
        move |bounds| signed_distance(bounds, &point) - margin
    }
}

fn meet(a: &Aabb<3>, b: &Aabb<3>) -> bool {
    (0..3).all(|axis| a.low[axis] <= b.high[axis] && b.low[axis] <= a.high[axis])
}
