//! The world: bodies in their poses, which are inserted, moved and removed.
//!
//! Queries are in the files beside it, one for each question. All of them find the bodies that may matter by the bounding
//! volume hierarchy over the boxes of bodies (`body_bvh.rs`).

use super::body_bvh::BodyBvh;
use super::error::LARGEST_LENGTH;
use super::{BodyShape, WorldError};
use carom_geometry::{Aabb, Pose, Vector};

/// Bodies in their poses, and what can be asked about them.
///
/// Bodies are numbered in the order of their insertion, from zero; a number is never used again. Queries take `&self`,
/// so that threads may share a world.
///
/// ```
/// use carom_detect::world::{BodyShape, World};
/// use carom_geometry::{Pose, Vector};
/// let mut world = World::new();
/// let ball = BodyShape::sphere(1.0)?;
/// let left = world.add(ball.clone(), Pose::identity())?;
/// let right = world.add(ball, Pose::at([5.0, 0.0, 0.0].into()))?;
///
/// let nearest = world.nearest(&Vector::from([3.0, 0.0, 0.0]))?.expect("there are bodies");
/// assert_eq!((nearest.body, nearest.distance), (right, 1.0));
/// world.set_pose(right, Pose::at([2.5, 0.0, 0.0].into()))?;
/// assert_eq!(world.distance(left, right)?.distance, 0.5);
/// # Ok::<(), carom_detect::world::WorldError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct World {
    /// Bodies by number; `None` for those that were removed.
    bodies: Vec<Option<PlacedBody>>,
    pub(super) bvh: BodyBvh,
    count: usize,
}

#[derive(Clone, Debug)]
pub(super) struct PlacedBody {
    pub(super) shape: BodyShape,
    pub(super) pose: Pose,
    /// The bounding box; that in the hierarchy is larger.
    pub(super) bounds: Aabb<3>,
}

/// The largest error of the distance from a shape in units of its size: boxes in the hierarchy are larger by this, so
/// that no body is passed over that a test of all bodies would report.
const SHAPE_MARGIN: f64 = 1e-11;

impl World {
    /// Creates a world without bodies.
    pub fn new() -> Self {
        Self::default()
    }

    /// Inserts a body and returns its number. Fails if the pose is not usable.
    ///
    /// Costs about a microsecond, and the vertices of a mesh, on average.
    pub fn add(&mut self, shape: BodyShape, pose: Pose) -> Result<u32, WorldError> {
        let body = u32::try_from(self.bodies.len()).ok().filter(|&body| body < u32::MAX);
        let body = body.ok_or(WorldError::TooMany)?;
        let placed = PlacedBody::new(body, shape, &pose)?;
        self.bvh.push(placed.box_with_margin());
        self.bodies.push(Some(placed));
        self.count += 1;
        Ok(body)
    }

    /// Removes a body. Others keep their numbers.
    ///
    /// ```
    /// use carom_detect::world::{BodyShape, World};
    /// use carom_geometry::Pose;
    /// let mut world = World::new();
    /// let first = world.add(BodyShape::sphere(1.0)?, Pose::identity())?;
    /// let second = world.add(BodyShape::sphere(1.0)?, Pose::identity())?;
    /// world.remove(first)?;
    /// assert_eq!(world.bodies().collect::<Vec<_>>(), [second]);
    /// # Ok::<(), carom_detect::world::WorldError>(())
    /// ```
    pub fn remove(&mut self, body: u32) -> Result<(), WorldError> {
        self.body(body)?;
        self.bodies[body as usize] = None;
        self.bvh.set(body, Aabb::empty());
        self.count -= 1;
        Ok(())
    }

    /// Moves a body. Fails, and moves nothing, if there is no such body or the pose is not usable.
    pub fn set_pose(&mut self, body: u32, pose: Pose) -> Result<(), WorldError> {
        self.set_poses(&[(body, pose)])
    }

    /// Moves bodies; of several poses of one body the last counts. Fails, and moves nothing, if one cannot be moved.
    ///
    /// ```
    /// use carom_detect::world::{BodyShape, World};
    /// use carom_geometry::{Pose, Vector};
    /// let mut world = World::new();
    /// for _ in 0..3 {
    ///     world.add(BodyShape::sphere(0.5)?, Pose::identity())?;
    /// }
    /// let place = |body: u32| Pose::at([2.0 * f64::from(body), 0.0, 0.0].into());
    /// world.set_poses(&[0, 1, 2].map(|body| (body, place(body))))?;
    /// assert_eq!(world.containing(&Vector::from([4.0, 0.0, 0.25]))?, [2]);
    /// # Ok::<(), carom_detect::world::WorldError>(())
    /// ```
    pub fn set_poses(&mut self, poses: &[(u32, Pose)]) -> Result<(), WorldError> {
        let placed = |&(body, ref pose): &(u32, Pose)| {
            let shape = self.body(body)?.shape.clone();
            Ok((body, PlacedBody::new(body, shape, pose)?))
        };
        let placed: Vec<_> = poses.iter().map(placed).collect::<Result<_, WorldError>>()?;
        self.bvh.set_many(placed.iter().map(|(body, placed)| (*body, placed.box_with_margin())));
        for (body, placed) in placed {
            self.bodies[body as usize] = Some(placed);
        }
        Ok(())
    }

    /// Returns the number of bodies.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns whether there are no bodies.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the number that the next body gets: that of all bodies that have ever been added.
    ///
    /// ```
    /// use carom_detect::world::{BodyShape, World};
    /// use carom_geometry::Pose;
    /// let mut world = World::new();
    /// let body = world.add(BodyShape::sphere(1.0)?, Pose::identity())?;
    /// world.remove(body)?;
    /// assert_eq!((world.len(), world.next_number()), (0, 1));
    /// # Ok::<(), carom_detect::world::WorldError>(())
    /// ```
    pub fn next_number(&self) -> u32 {
        self.bodies.len() as u32
    }

    /// Iterates over the numbers of the bodies, ascending.
    pub fn bodies(&self) -> impl Iterator<Item = u32> + '_ {
        (0..).zip(&self.bodies).filter(|(_, body)| body.is_some()).map(|(number, _)| number)
    }

    /// Returns the pose of a body.
    pub fn pose(&self, body: u32) -> Result<Pose, WorldError> {
        Ok(self.body(body)?.pose)
    }

    /// Returns the shape of a body, which clones share.
    pub fn shape(&self, body: u32) -> Result<&BodyShape, WorldError> {
        Ok(&self.body(body)?.shape)
    }

    /// Returns the bounding box of a body.
    pub fn bounds(&self, body: u32) -> Result<Aabb<3>, WorldError> {
        Ok(self.body(body)?.bounds)
    }

    pub(super) fn body(&self, body: u32) -> Result<&PlacedBody, WorldError> {
        let placed = self.bodies.get(body as usize).and_then(Option::as_ref);
        placed.ok_or(WorldError::NoSuchBody { body })
    }

    /// Returns a body that the hierarchy has reported.
    pub(super) fn placed(&self, body: u32) -> &PlacedBody {
        self.bodies[body as usize].as_ref().expect("the hierarchy has only bodies that there are")
    }
}

impl PlacedBody {
    fn new(body: u32, shape: BodyShape, pose: &Pose) -> Result<Self, WorldError> {
        let position = pose.position;
        if let Some(&value) = position.iter().find(|place| !is_usable(**place)) {
            return Err(WorldError::Position { body, value });
        }
        let columns = [0, 1, 2].map(|axis| pose.rotation.column(axis).into_owned());
        let pose =
            Pose::from_columns(columns, position).ok_or(WorldError::NotARotation { body })?;
        let bounds = shape.bounds(&pose);
        Ok(PlacedBody { shape, pose, bounds })
    }

    fn box_with_margin(&self) -> Aabb<3> {
        let Aabb { low, high } = self.bounds;
        // Distances are computed from the origin of the body, which may be far from its surface.
        let reach = (low - self.pose.position).amax().max((high - self.pose.position).amax());
        let margin = SHAPE_MARGIN * reach;
        Aabb { low: low.add_scalar(-margin), high: high.add_scalar(margin) }
    }
}

/// Whether a coordinate is in the range of those that a world accepts.
fn is_usable(value: f64) -> bool {
    (-LARGEST_LENGTH..=LARGEST_LENGTH).contains(&value)
}

/// Checks a point of a query; `what` is its name in the message.
pub(super) fn check_point(what: &'static str, point: &Vector<3>) -> Result<(), WorldError> {
    match point.iter().find(|value| !is_usable(**value)) {
        None => Ok(()),
        Some(&value) => Err(WorldError::Coordinate { what, value }),
    }
}

/// Checks a length of a query, which may be infinite.
pub(super) fn check_length(what: &'static str, value: f64) -> Result<(), WorldError> {
    if value >= 0.0 { Ok(()) } else { Err(WorldError::Length { what, value, is_bounded: false }) }
}
