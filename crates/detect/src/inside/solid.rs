//! Bodies bounded by triangles: signed distances, and which vertices of one penetrate another.

use super::winding_cells::BoundaryPointBuffers;
use super::{ClosestPointOnSurface, Containment, FillRule, InsideTest, TriangleBvh, WindingCells};
use carom_geometry::mesh::TriangleMesh;
use carom_geometry::{Aabb, Pose, Vector};

/// A body bounded by triangles, prepared once in its own frame for all queries.
#[derive(Clone, Debug)]
pub struct Solid {
    cells: WindingCells,
    bvh: TriangleBvh,
    nodes: Vec<SolidSurfaceNode>,
    bounds: Aabb<3>,
}

/// A vertex of the surface.
#[derive(Clone, Copy, Debug)]
struct SolidSurfaceNode {
    vertex: u32,
    position: Vector<3>,
    area: f64,
    normal: Vector<3>,
}

/// A vertex of one body that is inside another; positions and directions are in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PenetratingNode {
    /// The index of the vertex.
    pub vertex: u32,
    /// The position of the vertex.
    pub position: Vector<3>,
    /// The penetration depth: its distance from the surface of the other body.
    pub depth: f64,
    /// The unit direction of the shortest way out of the other body; zero if the depth is. It points from the vertex
    /// to the closest point of the surface, `position + depth * exit_direction`.
    pub exit_direction: Vector<3>,
    /// A triangle of the other body that this closest point is on.
    pub triangle: u32,
    /// Surface area of its own body that belongs to it: a third of the triangles around it.
    pub area: f64,
}

/// The vertices of two bodies that penetrate each other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PenetratingNodes {
    /// Vertices of the first body inside the second.
    pub of_first: Vec<PenetratingNode>,
    /// Vertices of the second body inside the first.
    pub of_second: Vec<PenetratingNode>,
}

impl PenetratingNodes {
    fn clear(&mut self) {
        self.of_first.clear();
        self.of_second.clear();
    }
}

/// Buffers for [`Solid::find_penetrating_nodes`], reused from pair to pair and from time step to time step.
#[derive(Clone, Debug, Default)]
pub struct PenetratingNodeBuffers {
    /// The vertices within the box around the other body: their indices among all, and their positions.
    node_indices: Vec<u32>,
    positions: Vec<Vector<3>>,
    containments: Vec<Containment>,
    boundary: BoundaryPointBuffers,
}

impl Solid {
    /// Prepares a closed surface for about `points` points.
    ///
    /// ```
    /// use carom_detect::inside::{FillRule, Solid};
    /// use carom_geometry::{Pose, Vector, mesh::octahedron_sphere};
    /// let sphere = Solid::new(octahedron_sphere(4), FillRule::EvenOdd, 1000);
    /// assert!((sphere.signed_distance(&Vector::from([0.5, 0.0, 0.0])) + 0.5).abs() < 0.01);
    ///
    /// let far = Pose::at([3., 0., 0.].into());
    /// let apart = sphere.penetrating_nodes(&Pose::identity(), &sphere, &far);
    /// assert!(apart.of_first.is_empty() && apart.of_second.is_empty());
    /// let near = Pose::at([1.9, 0., 0.].into());
    /// let touching = sphere.penetrating_nodes(&Pose::identity(), &sphere, &near);
    /// let deepest = touching.of_first.iter().map(|node| node.depth).fold(0.0, f64::max);
    /// assert!((deepest - 0.1).abs() < 0.01);
    /// ```
    pub fn new(surface: TriangleMesh, rule: FillRule, points: usize) -> Self {
        let bvh = TriangleBvh::new(&surface);
        let node = |(vertex, &place)| SolidSurfaceNode {
            vertex,
            position: place,
            area: 0.0,
            normal: Vector::zeros(),
        };
        let mut nodes: Vec<SolidSurfaceNode> = (0..).zip(surface.vertices()).map(node).collect();
        let mut used = vec![false; nodes.len()];
        for (triangle, corners) in surface.triangles().iter().enumerate() {
            let [a, b, c] = surface.corners(triangle);
            // A third of the triangle's area to each corner, as a vector along its normal.
            let third = (b - a).cross(&(c - a)) / 6.0;
            for &corner in corners {
                used[corner as usize] = true;
                nodes[corner as usize].area += third.norm();
                nodes[corner as usize].normal += third;
            }
        }
        nodes.retain(|node| used[node.vertex as usize]);
        for node in &mut nodes {
            node.normal = node.normal.try_normalize(0.0).unwrap_or_else(Vector::zeros);
        }
        let bounds = bvh.bounds();
        Solid { cells: WindingCells::new(surface, rule, points), bvh, nodes, bounds }
    }

    pub(crate) fn bvh(&self) -> &TriangleBvh {
        &self.bvh
    }

    /// Returns the closest point of the surface.
    pub fn closest_point(&self, point: &Vector<3>) -> ClosestPointOnSurface {
        self.bvh.closest_point(point)
    }

    /// Returns the distance from the surface: positive outside, **negative inside**, zero on it. The sign is exact.
    ///
    /// ```
    /// use carom_detect::inside::{FillRule, Solid};
    /// use carom_geometry::{Vector, mesh::octahedron_sphere};
    /// let octahedron = Solid::new(octahedron_sphere(0), FillRule::EvenOdd, 100);
    /// // The faces x + y + z = 1 are 1/√3 from the center, the vertices on the axes 1.
    /// assert!((octahedron.signed_distance(&Vector::zeros()) + 3f64.sqrt().recip()).abs() < 1e-12);
    /// assert_eq!(octahedron.signed_distance(&Vector::from([3.0, 0.0, 0.0])), 2.0);
    /// assert_eq!(octahedron.signed_distance(&Vector::from([0.5, 0.25, 0.25])), 0.0);
    /// ```
    pub fn signed_distance(&self, point: &Vector<3>) -> f64 {
        self.cells.classify(point).signed_distance(self.closest_point(point).distance)
    }

    /// Returns the unit vertex normals, each the area-weighted mean over the triangles around it.
    ///
    /// ```
    /// use carom_detect::inside::{FillRule, Solid};
    /// use carom_geometry::mesh::octahedron_sphere;
    /// // The vertices of an octahedron point along the axes, and by symmetry so do their normals.
    /// let octahedron = Solid::new(octahedron_sphere(0), FillRule::EvenOdd, 100);
    /// for ((position, _), normal) in octahedron.nodes().zip(octahedron.node_normals()) {
    ///     assert!((normal - position).norm() < 1e-12);
    /// }
    /// ```
    pub fn node_normals(&self) -> impl ExactSizeIterator<Item = Vector<3>> {
        self.nodes.iter().map(|node| node.normal)
    }

    /// Returns the positions of the vertices of the surface, each with its share of the area.
    ///
    /// ```
    /// use carom_detect::inside::{FillRule, Solid};
    /// use carom_geometry::mesh::octahedron_sphere;
    /// let octahedron = Solid::new(octahedron_sphere(0), FillRule::EvenOdd, 100);
    /// // Eight equilateral triangles with edges of length √2.
    /// let area: f64 = octahedron.nodes().map(|(_, area)| area).sum();
    /// assert!((area - 4.0 * 3f64.sqrt()).abs() < 1e-12);
    /// ```
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = (Vector<3>, f64)> {
        self.nodes.iter().map(|node| (node.position, node.area))
    }

    /// Returns which vertices of this body, in its pose, are inside another, and which of the other are inside this
    /// one.
    ///
    /// Costs little if the boxes around the bodies are apart. Vertices on the other's surface are not inside. In the
    /// time steps of a simulation use [`Solid::find_penetrating_nodes`].
    pub fn penetrating_nodes(
        &self,
        pose: &Pose,
        other: &Solid,
        other_pose: &Pose,
    ) -> PenetratingNodes {
        let mut found = PenetratingNodes::default();
        let room = &mut PenetratingNodeBuffers::default();
        self.find_penetrating_nodes(pose, other, other_pose, room, &mut found);
        found
    }

    /// Finds the same and replaces the content of `found`: by one thread, and without allocating once the buffers
    /// have grown. Vertices are in ascending order.
    ///
    /// Bodies whose boxes are apart cost half a microsecond. Otherwise a vertex outside of the box around the other
    /// body costs some nanoseconds, one in it some tens, and one inside the body 1 to 4 microseconds for its closest
    /// point where bodies overlap by a fortieth of their size: two spheres of 2048 triangles then take 14 ns for
    /// each of all their vertices, of 131072 triangles 59 ns (a busy EPYC). Deep inside of round bodies every
    /// triangle is about as close, and a vertex costs ten times as much.
    ///
    /// ```
    /// use carom_detect::inside::{FillRule, PenetratingNodeBuffers, PenetratingNodes, Solid};
    /// use carom_geometry::{Pose, Vector, mesh::octahedron_sphere};
    /// let ball = Solid::new(octahedron_sphere(4), FillRule::EvenOdd, 1000);
    /// let (mut buffers, mut found) = (PenetratingNodeBuffers::default(), PenetratingNodes::default());
    /// let mut force = Vector::zeros();
    /// for step in 0..10 {
    ///     let pose = Pose::at([1.95 - 0.01 * f64::from(step), 0.0, 0.0].into());
    ///     ball.find_penetrating_nodes(&Pose::identity(), &ball, &pose, &mut buffers, &mut found);
    ///     // A penalty force for every vertex of the first ball inside the second, by depth and area.
    ///     for node in &found.of_first {
    ///         force += node.exit_direction * (node.depth * node.area);
    ///     }
    /// }
    /// // Of faces that are equally near any may be reported, so a little is left across.
    /// assert!(force.x < 0.0 && force.yz().norm() < -0.1 * force.x);
    /// ```
    pub fn find_penetrating_nodes(
        &self,
        pose: &Pose,
        other: &Solid,
        other_pose: &Pose,
        room: &mut PenetratingNodeBuffers,
        found: &mut PenetratingNodes,
    ) {
        found.clear();
        other.find_nodes_of_other((self, pose), other_pose, room, &mut found.of_first);
        self.find_nodes_of_other((other, other_pose), pose, room, &mut found.of_second);
    }

    /// Finds the vertices of another body inside this one, which is in this pose.
    fn find_nodes_of_other(
        &self,
        (other, other_pose): (&Solid, &Pose),
        pose: &Pose,
        room: &mut PenetratingNodeBuffers,
        found: &mut Vec<PenetratingNode>,
    ) {
        let seen = pose.relative(other_pose);
        let corners = (0..8).map(|corner| seen.transform_point(&other.bounds.corner(corner)));
        let around = corners.fold(Aabb::empty(), |bounds, corner| bounds.including(&corner));
        let Aabb { low, high } = self.bounds;
        if (0..3).any(|axis| around.low[axis] > high[axis] || around.high[axis] < low[axis]) {
            return;
        }
        room.node_indices.clear();
        room.positions.clear();
        for (number, node) in (0..).zip(&other.nodes) {
            let place = seen.transform_point(&node.position);
            // The box first: it leaves few nodes for the inside test.
            let within = |axis: usize| (low[axis] <= place[axis]) & (place[axis] <= high[axis]);
            if within(0) & within(1) & within(2) {
                room.node_indices.push(number);
                room.positions.push(place);
            }
        }
        room.containments.clear();
        room.containments.resize(room.positions.len(), Containment::Outside);
        self.cells.classify_with_buffers(
            &room.positions,
            &mut room.containments,
            &mut room.boundary,
        );
        let tested = room.node_indices.iter().zip(&room.positions).zip(&room.containments);
        found.extend(tested.filter(|(_, side)| **side == Containment::Inside).map(
            |((&number, place), _)| {
                let SolidSurfaceNode { vertex, area, .. } = other.nodes[number as usize];
                // Only for nodes inside, which are few: this query costs far more than the containment test.
                let nearest = self.bvh.closest_point(place);
                let way_out = (nearest.position - place).try_normalize(0.0);
                PenetratingNode {
                    vertex,
                    position: pose.transform_point(place),
                    depth: nearest.distance,
                    exit_direction: pose.rotation * way_out.unwrap_or_else(Vector::zeros),
                    triangle: nearest.triangle as u32,
                    area,
                }
            },
        ));
    }
}

impl InsideTest for Solid {
    fn classify(&self, point: &Vector<3>) -> Containment {
        self.cells.classify(point)
    }

    fn classify_all(&self, points: &[Vector<3>]) -> Vec<Containment> {
        self.cells.classify_all(points)
    }

    fn bytes(&self) -> usize {
        let tree = self.bvh.bytes() + self.bvh.copied_bytes();
        self.cells.bytes() + tree + size_of_val(&*self.nodes)
    }
}
