//! Walls as obstacles for bodies that are placed: no body may touch one, and none may lie in a solid.
//!
//! The inside of a closed mesh is solid, as the glass of a bottle, whose hollow and outside are both free. Only where
//! a region leaves no room outside of the mesh, as for the bodies in a closed container, are bodies placed inside.

use super::Region;
use super::polygon;
use super::{Wall, WallSurface};
use crate::generate::{InsertionRegion, PlacementPredicate, SplitMix64};
use carom_detect::inside::{Containment, FillRule, InsideTest, WindingCells};
use carom_geometry::mesh::{MeshTopology, TriangleMesh};
use carom_geometry::{Vector, embed_in_3d};
use carom_simulate::MeshSurface;

/// The walls of a scene at the start.
pub struct Obstacles<const D: usize> {
    walls: Vec<WallObstacle>,
    /// Periods of the periodic axes.
    periods: [Option<f64>; D],
}

/// A wall, and its inside if it is closed.
struct WallObstacle {
    surface: WallSurface,
    inside: Option<ClosedWallInterior>,
}

/// The inside of a closed surface.
enum ClosedWallInterior {
    Mesh(Box<WindingCells>),
    /// In 2D: the inside of a closed line.
    Line(Vec<Vector<2>>),
}

/// Where bodies are placed.
pub(super) struct PlacementDomain<'a, const D: usize> {
    pub space: &'a InsertionRegion<D>,
    pub in_region: PlacementPredicate<'a, D>,
    /// Radius of the smallest body.
    pub radius: f64,
}

/// Number of points that are sampled for room outside of a closed wall.
const SAMPLES: usize = 4_096;
const MOST_DRAWN: usize = 200_000;

impl<const D: usize> Obstacles<D> {
    /// Prepares the walls for about this number of bodies.
    pub fn new(walls: &[Wall], region: &Region<D>, bodies: usize) -> Self {
        let walls = walls.iter().map(|wall| WallObstacle::of::<D>(&wall.surface, bodies)).collect();
        let period = |axis: usize| region.is_periodic(axis).then_some(region.size[axis]);
        Obstacles { walls, periods: std::array::from_fn(period) }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.walls.is_empty()
    }

    /// Returns for every wall whether bodies are placed inside: if it is closed and no sampled point of the region
    /// has room for a body outside of it.
    pub(super) fn filled_walls(
        &self,
        places: &PlacementDomain<D>,
        random: &mut SplitMix64,
    ) -> Vec<bool> {
        let mut into: Vec<bool> = self.walls.iter().map(WallObstacle::is_closed).collect();
        let (radius, mut found) = (places.radius, 0);
        for _ in 0..MOST_DRAWN {
            if found == SAMPLES || !into.contains(&true) {
                break;
            }
            let place = places.space.draw(radius, random).filter(|place| {
                (places.in_region)(place, radius) && self.is_clear_of_walls(place, radius)
            });
            let Some(place) = place.map(|place| embed_in_3d(&place)) else { continue };
            found += 1;
            into.iter_mut()
                .zip(&self.walls)
                .for_each(|(into, wall)| *into &= wall.contains(&place));
        }
        // A closed wall is filled if every place that was found lies inside of it.
        if found > 0 { into } else { vec![false; self.walls.len()] }
    }

    /// Whether a point, relative to a wall at the start, is inside of it; never if the wall is not closed.
    pub fn is_inside(&self, wall: usize, point: &Vector<3>) -> bool {
        self.walls[wall].contains(point)
    }

    /// Whether a sphere touches no wall, is on the open side of planes and cylinders and on the right side of closed
    /// walls.
    pub(super) fn is_clear(&self, center: &Vector<D>, radius: f64, into: &[bool]) -> bool {
        let place = embed_in_3d(center);
        let is_right = |(wall, obstacle): (usize, &WallObstacle)| {
            obstacle.contains(&place) == into.get(wall).is_some_and(|into| *into)
        };
        self.is_clear_of_walls(center, radius) && self.walls.iter().enumerate().all(is_right)
    }

    fn is_clear_of_walls(&self, center: &Vector<D>, radius: f64) -> bool {
        let place = embed_in_3d(center);
        self.walls.iter().all(|wall| match &wall.surface {
            WallSurface::Mesh(mesh) => self.is_clear_of_mesh(mesh, center, radius),
            WallSurface::Plane { point, normal } => normal.dot(&(place - point)) >= radius,
            WallSurface::Cylinder { point, axis, radius: width } => {
                let displacement = place - point;
                (displacement - axis * axis.dot(&displacement)).norm() + radius <= *width
            }
        })
    }

    /// Whether a sphere touches no triangle; one across the end of a periodic axis is at both ends.
    fn is_clear_of_mesh(&self, mesh: &MeshSurface, center: &Vector<D>, radius: f64) -> bool {
        let mut images = vec![*center];
        for axis in 0..D {
            let Some(period) = self.periods[axis] else { continue };
            let shift = if center[axis] < radius {
                period
            } else if center[axis] + radius > period {
                -period
            } else {
                continue;
            };
            for number in 0..images.len() {
                let mut image = images[number];
                image[axis] += shift;
                images.push(image);
            }
        }
        images.iter().all(|image| {
            let mut off = true;
            mesh.each_near(&embed_in_3d(image), radius, |_| off = false);
            off
        })
    }
}

impl WallObstacle {
    fn of<const D: usize>(surface: &WallSurface, bodies: usize) -> Self {
        let inside = match surface {
            WallSurface::Mesh(mesh) if D == 2 => ClosedWallInterior::of_line(mesh.mesh()),
            WallSurface::Mesh(mesh) => ClosedWallInterior::of(mesh.mesh(), bodies),
            _ => None,
        };
        WallObstacle { surface: surface.clone(), inside }
    }

    fn is_closed(&self) -> bool {
        self.inside.is_some()
    }

    /// Whether a point is inside of a closed wall.
    fn contains(&self, point: &Vector<3>) -> bool {
        match &self.inside {
            Some(ClosedWallInterior::Mesh(cells)) => cells.classify(point) != Containment::Outside,
            Some(ClosedWallInterior::Line(corners)) => polygon::contains(corners, &point.xy()),
            None => false,
        }
    }
}

impl ClosedWallInterior {
    /// Returns the inside of a mesh none of whose edges is open. Overlaps of parts are solid, and parts within that
    /// are oriented inwards are holes.
    fn of(mesh: &TriangleMesh, bodies: usize) -> Option<Self> {
        let topology = MeshTopology::of(&mesh.to_polygons());
        if topology.edge_count == 0 || topology.odd_edges.count > 0 {
            return None;
        }
        let rule = if topology.unbalanced_edges.count == 0 {
            FillRule::Nonzero
        } else {
            FillRule::EvenOdd
        };
        Some(ClosedWallInterior::Mesh(Box::new(WindingCells::new(mesh.clone(), rule, bodies))))
    }

    /// Returns the inside of a closed line, made of triangles with two equal corners.
    fn of_line(mesh: &TriangleMesh) -> Option<Self> {
        let segments = mesh.triangles();
        let (first, last) = (segments.first()?, segments.last()?);
        let corner = |segment: &[u32; 3]| mesh.vertices()[segment[0] as usize].xy();
        (first[0] == last[1])
            .then(|| ClosedWallInterior::Line(segments.iter().map(corner).collect()))
    }
}
