//! Queries of pairs of bodies.

use super::bodies::{World, check_length};
use super::body_to_body::gap;
use super::{PairHistory, WorldError};
use crate::BodyPair;
use crate::narrow::ClosestFeatures;
use carom_geometry::{Aabb, Vector};
use rayon::prelude::*;

/// The distance of two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyDistance {
    /// The numbers of the bodies.
    pub pair: BodyPair,
    /// The distance between the bodies, zero if they touch. If they overlap it is minus the penetration depth for two
    /// spheres and for two polyhedra, the signed distance of the center minus the radius for a sphere and another
    /// body, and zero for a mesh and anything but a sphere.
    pub distance: f64,
    /// The closest point of each body, in the order of the pair. If a mesh overlaps something but a sphere, both are a
    /// point that the bodies have in common.
    pub points: [Vector<3>; 2],
}

/// The largest rounding of the distance of two bodies in units of the largest coordinate.
const POSITION_MARGIN: f64 = 1e-14;

/// A pair with its distance and what is to be remembered of it.
type MeasuredPair = (BodyDistance, ClosestFeatures);

impl World {
    /// Returns the distance and the closest points of two bodies. Fails if one does not exist or both are the same.
    ///
    /// Spheres are measured in closed form, polyhedra by [`ClosestFeatures`], meshes triangle by triangle through
    /// their trees; all to rounding.
    ///
    /// ```
    /// use carom_detect::inside::FillRule;
    /// use carom_detect::world::{BodyShape, World};
    /// use carom_geometry::{Pose, Vector, mesh::octahedron_sphere};
    /// let mut world = World::new();
    /// let octahedron = BodyShape::mesh(&octahedron_sphere(0), FillRule::EvenOdd)?;
    /// let mesh = world.add(octahedron, Pose::identity())?;
    /// let ball = world.add(BodyShape::sphere(0.5)?, Pose::at([3.0, 0.0, 0.0].into()))?;
    /// let gap = world.distance(ball, mesh)?;
    /// assert_eq!((gap.distance, gap.points[0]), (1.5, Vector::x()));
    /// # Ok::<(), carom_detect::world::WorldError>(())
    /// ```
    pub fn distance(&self, a: u32, b: u32) -> Result<BodyDistance, WorldError> {
        self.body(a)?;
        self.body(b)?;
        if a == b {
            return Err(WorldError::SameBody { body: a });
        }
        let measured = self.measure(BodyPair::new(a, b), f64::INFINITY, ClosestFeatures::new());
        let (distance, _) = measured.expect("two bodies are at most infinitely far apart");
        Ok(distance)
    }

    /// Returns the distances of a body from all others at most `distance` from it, by the numbers of the others,
    /// ascending.
    ///
    /// ```
    /// use carom_detect::world::{BodyShape, World};
    /// use carom_geometry::Pose;
    /// let mut world = World::new();
    /// for place in [0.0, 2.5, 9.0] {
    ///     world.add(BodyShape::sphere(1.0)?, Pose::at([place, 0.0, 0.0].into()))?;
    /// }
    /// let near = world.neighbors(1, 1.0)?;
    /// assert_eq!((near.len(), near[0].pair.first(), near[0].distance), (1, 0, 0.5));
    /// # Ok::<(), carom_detect::world::WorldError>(())
    /// ```
    pub fn neighbors(&self, body: u32, distance: f64) -> Result<Vec<BodyDistance>, WorldError> {
        self.body(body)?;
        check_length("distance", distance)?;
        let found = self.candidates(body, 0, distance).into_iter().filter_map(|other| {
            let pair = BodyPair::new(body, other);
            Some(self.measure(pair, distance, ClosestFeatures::new())?.0)
        });
        Ok(found.filter(|found| found.distance <= distance).collect())
    }

    /// Returns all pairs of bodies at most `distance` apart, ascending, by all threads.
    ///
    /// ```
    /// use carom_detect::world::{BodyShape, World};
    /// use carom_detect::BodyPair;
    /// use carom_geometry::Pose;
    /// let mut world = World::new();
    /// for place in [0.0, 2.5, 9.0, 11.0] {
    ///     world.add(BodyShape::sphere(1.0)?, Pose::at([place, 0.0, 0.0].into()))?;
    /// }
    /// let pairs = world.pairs_within(0.5)?;
    /// let numbers: Vec<_> = pairs.iter().map(|found| (found.pair, found.distance)).collect();
    /// assert_eq!(numbers, [(BodyPair::new(0, 1), 0.5), (BodyPair::new(2, 3), 0.0)]);
    /// # Ok::<(), carom_detect::world::WorldError>(())
    /// ```
    pub fn pairs_within(&self, distance: f64) -> Result<Vec<BodyDistance>, WorldError> {
        self.pairs_within_from(distance, &mut PairHistory::new())
    }

    /// Returns the same as [`World::pairs_within`], faster for polyhedra that have moved little since the last call
    /// with the same history; to rounding, answers may depend on it.
    ///
    /// ```
    /// use carom_detect::world::{BodyShape, PairHistory, World};
    /// use carom_geometry::{Pose, Vector, shape::ConvexPolyhedron};
    /// let corner = |k: i32| Vector::from([k & 1, k >> 1 & 1, k >> 2].map(f64::from));
    /// let cube = ConvexPolyhedron::hull(&(0..8).map(corner).collect::<Vec<_>>())?;
    /// let cube = BodyShape::polyhedron(cube)?;
    /// let mut world = World::new();
    /// world.add(cube.clone(), Pose::identity())?;
    /// let other = world.add(cube, Pose::identity())?;
    /// let mut history = PairHistory::new();
    /// for step in 0..10 {
    ///     let place = 1.5 - 0.125 * f64::from(step);
    ///     world.set_pose(other, Pose::at([place, 0.0, 0.0].into()))?;
    ///     let pairs = world.pairs_within_from(1.0, &mut history)?;
    ///     assert!((pairs[0].distance - (place - 1.0)).abs() < 1e-12);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pairs_within_from(
        &self,
        distance: f64,
        history: &mut PairHistory,
    ) -> Result<Vec<BodyDistance>, WorldError> {
        check_length("distance", distance)?;
        let bodies: Vec<u32> = self.bodies().collect();
        let known = &*history;
        let of_body = |&body: &u32| {
            let later = self.candidates(body, body + 1, distance);
            later.into_iter().filter_map(move |other| {
                let pair = BodyPair::new(body, other);
                self.measure(pair, distance, known.of(pair))
            })
        };
        // In the order of the bodies, whatever thread has measured them.
        let measured: Vec<MeasuredPair> = bodies.par_iter().flat_map_iter(of_body).collect();
        history.replace(measured.iter().map(|(found, features)| (found.pair, *features)));
        let found = measured.into_iter().map(|(found, _)| found);
        Ok(found.filter(|found| found.distance <= distance).collect())
    }

    /// Returns the bodies from `first` on whose boxes are at most `distance` from that of a body, ascending, without
    /// itself.
    fn candidates(&self, body: u32, first: u32, distance: f64) -> Vec<u32> {
        let own = self.bvh.bounds(body);
        let all = self.bvh.all_bounds();
        let reach = distance + POSITION_MARGIN * all.low.amax().max(all.high.amax());
        let mut found = Vec::new();
        self.bvh.visit(
            |bounds| separation(own, bounds) <= reach,
            |other| {
                if other != body && other >= first {
                    found.push(other);
                }
            },
        );
        found.sort_unstable();
        found
    }

    /// Measures a pair of bodies that may be `reach` apart; pairs farther apart may be left out.
    fn measure(
        &self,
        pair: BodyPair,
        reach: f64,
        mut history: ClosestFeatures,
    ) -> Option<MeasuredPair> {
        let (a, b) = (self.placed(pair.first()), self.placed(pair.second()));
        let gap = gap(a, b, reach, &mut history)?;
        Some((BodyDistance { pair, distance: gap.distance, points: gap.points }, history))
    }
}

/// Returns the distance of two boxes.
fn separation(a: &Aabb<3>, b: &Aabb<3>) -> f64 {
    (a.low - b.high).sup(&(b.low - a.high)).sup(&Vector::zeros()).norm()
}
