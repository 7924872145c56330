//! Bodies bounded by triangles, and which corners of one are inside another.

use super::{Cells, InsideTest, Nearest, Rule, Side, SurfaceTree};
use carom_geometry::mesh::TriangleMesh;
use carom_geometry::{Aabb, Pose, Vector};

/// A body bounded by triangles, prepared once in its own frame for all that can be asked of it.
#[derive(Clone, Debug)]
pub struct Solid {
    cells: Cells,
    tree: SurfaceTree,
    nodes: Vec<Node>,
    bounds: Aabb<3>,
}

/// A corner of the surface.
#[derive(Clone, Copy, Debug)]
struct Node {
    vertex: u32,
    place: Vector<3>,
    area: f64,
}

/// A corner of one body that is inside another; places and directions in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeInside {
    /// The number of the vertex.
    pub vertex: u32,
    /// Where it is.
    pub place: Vector<3>,
    /// How far it is from the surface of the other body.
    pub depth: f64,
    /// The shortest way out of the other body, of length one; zero if the depth is.
    pub way_out: Vector<3>,
    /// Its share of the surface of its own body: a third of the triangles around it.
    pub area: f64,
}

/// Which corners of two bodies are inside each other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodesInside {
    /// Corners of the first body inside the second.
    pub of_first: Vec<NodeInside>,
    /// Corners of the second body inside the first.
    pub of_second: Vec<NodeInside>,
}

impl Solid {
    /// Prepares a closed surface for about so many points.
    ///
    /// ```
    /// use carom_detect::inside::{Rule, Solid};
    /// use carom_geometry::{Pose, Vector, mesh::octahedron_sphere};
    /// let sphere = Solid::new(octahedron_sphere(4), Rule::Parity, 1000);
    /// assert!((sphere.signed_distance(&Vector::from([0.5, 0.0, 0.0])) + 0.5).abs() < 0.01);
    ///
    /// let apart = sphere.nodes_inside(&Pose::identity(), &sphere, &Pose::at([3., 0., 0.].into()));
    /// assert!(apart.of_first.is_empty() && apart.of_second.is_empty());
    /// let touching =
    ///     sphere.nodes_inside(&Pose::identity(), &sphere, &Pose::at([1.9, 0., 0.].into()));
    /// let deepest = touching.of_first.iter().map(|node| node.depth).fold(0.0, f64::max);
    /// assert!((deepest - 0.1).abs() < 0.01);
    /// ```
    pub fn new(surface: TriangleMesh, rule: Rule, points: usize) -> Self {
        let tree = SurfaceTree::new(&surface);
        let mut areas = vec![0.0; surface.vertices().len()];
        for (triangle, corners) in surface.triangles().iter().enumerate() {
            let [a, b, c] = surface.corners(triangle);
            let third = (b - a).cross(&(c - a)).norm() / 6.0;
            corners.iter().for_each(|&corner| areas[corner as usize] += third);
        }
        let mut used = vec![false; areas.len()];
        surface.triangles().iter().flatten().for_each(|&corner| used[corner as usize] = true);
        let nodes = (0..)
            .zip(surface.vertices().iter().zip(&areas))
            .filter(|(vertex, _)| used[*vertex as usize])
            .map(|(vertex, (&place, &area))| Node { vertex, place, area })
            .collect();
        let bounds = tree.bounds();
        Solid { cells: Cells::new(surface, rule, points), tree, nodes, bounds }
    }

    /// The closest point of the surface.
    pub fn nearest(&self, point: &Vector<3>) -> Nearest {
        self.tree.nearest(point)
    }

    /// The distance from the surface: positive outside, **negative inside**, zero on it. The sign is
    /// exact.
    pub fn signed_distance(&self, point: &Vector<3>) -> f64 {
        self.cells.side(point).signed(self.nearest(point).distance)
    }

    /// The corners of the surface, each with its share of it.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = (Vector<3>, f64)> {
        self.nodes.iter().map(|node| (node.place, node.area))
    }

    /// Which corners of this body, in its pose, are inside another, and the other way round.
    ///
    /// Costs little if the boxes around the bodies are apart. Corners on the other's surface are not
    /// inside.
    pub fn nodes_inside(&self, pose: &Pose, other: &Solid, other_pose: &Pose) -> NodesInside {
        NodesInside {
            of_first: other.nodes_of(other_pose, self, pose),
            of_second: self.nodes_of(pose, other, other_pose),
        }
    }

    /// The corners of another body in this one.
    fn nodes_of(&self, pose: &Pose, other: &Solid, other_pose: &Pose) -> Vec<NodeInside> {
        let seen = pose.relative(other_pose);
        let corners = (0..8).map(|corner| seen.apply(&other.bounds.corner(corner)));
        let around = corners.fold(Aabb::empty(), |bounds, corner| bounds.including(&corner));
        let apart = |axis: usize| {
            around.low[axis] > self.bounds.high[axis] || around.high[axis] < self.bounds.low[axis]
        };
        if (0..3).any(apart) {
            return Vec::new();
        }
        let places: Vec<Vector<3>> =
            other.nodes.iter().map(|node| seen.apply(&node.place)).collect();
        let inside = |side: &Side| *side == Side::Inside;
        let sides = self.cells.sides(&places);
        (other.nodes.iter().zip(&places).zip(&sides))
            .filter(|(_, side)| inside(side))
            .map(|((node, place), _)| {
                let nearest = self.tree.nearest(place);
                let way_out = (nearest.place - place).try_normalize(0.0);
                NodeInside {
                    vertex: node.vertex,
                    place: pose.apply(place),
                    depth: nearest.distance,
                    way_out: pose.rotation * way_out.unwrap_or_else(Vector::zeros),
                    area: node.area,
                }
            })
            .collect()
    }
}

impl InsideTest for Solid {
    fn side(&self, point: &Vector<3>) -> Side {
        self.cells.side(point)
    }

    fn sides(&self, points: &[Vector<3>]) -> Vec<Side> {
        self.cells.sides(points)
    }

    fn bytes(&self) -> usize {
        self.cells.bytes() + self.tree.bytes() + size_of_val(&*self.nodes)
    }
}
