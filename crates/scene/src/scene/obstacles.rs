//! Walls as bodies see them that are put into a scene: no body may touch one, and none may be in what is
//! solid.
//!
//! What a closed mesh bounds is solid: the glass of a bottle, whose inside and outside are both free. Only
//! where a region leaves no room outside of it, as that of the bodies in a closed container does, are
//! bodies put inside.

use super::polygon;
use super::region::Region;
use super::wall::{Wall, WallSurface};
use crate::generate::{MayBe, Space, SplitMix64};
use carom_detect::inside::{Cells, InsideTest, Rule, Side, SurfaceTree};
use carom_geometry::mesh::{Survey, TriangleMesh};
use carom_geometry::{Vector, in_space};

/// The walls of a scene at the start.
pub struct Obstacles<const D: usize> {
    walls: Vec<Obstacle>,
    /// Periodic axes, with their lengths.
    periods: [Option<f64>; D],
}

enum Obstacle {
    Plane { point: Vector<3>, normal: Vector<3> },
    Cylinder { point: Vector<3>, axis: Vector<3>, radius: f64 },
    Surface { tree: SurfaceTree, inside: Option<Inside> },
}

/// What is inside of a closed surface.
enum Inside {
    Mesh(Box<Cells>),
    /// In the plane: inside of a line that ends where it starts.
    Line(Vec<Vector<2>>),
}

/// Where bodies are put.
pub(super) struct Places<'a, const D: usize> {
    pub space: &'a Space<D>,
    pub in_region: MayBe<'a, D>,
    /// Of the smallest body.
    pub radius: f64,
}

/// So many places are looked at to tell whether there is room outside of a closed wall.
const SAMPLES: usize = 4_096;
const MOST_DRAWN: usize = 200_000;

impl<const D: usize> Obstacles<D> {
    /// Prepares the walls for about this number of bodies.
    pub fn new(walls: &[Wall], region: &Region<D>, bodies: usize) -> Self {
        let walls = walls.iter().map(|wall| Obstacle::of::<D>(&wall.surface, bodies)).collect();
        let period = |axis: usize| region.is_periodic(axis).then_some(region.size[axis]);
        Obstacles { walls, periods: std::array::from_fn(period) }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.walls.is_empty()
    }

    /// For every wall whether bodies go into what it bounds: if it is closed and no place that is drawn from
    /// the region has room for a body outside of it.
    pub(super) fn filled_walls(&self, places: &Places<D>, random: &mut SplitMix64) -> Vec<bool> {
        let mut into: Vec<bool> = self.walls.iter().map(Obstacle::is_closed).collect();
        let (radius, mut found) = (places.radius, 0);
        for _ in 0..MOST_DRAWN {
            if found == SAMPLES || !into.contains(&true) {
                break;
            }
            let place = places
                .space
                .draw(radius, random)
                .filter(|place| (places.in_region)(place, radius) && self.is_off(place, radius));
            let Some(place) = place.map(|place| in_space(&place)) else { continue };
            found += 1;
            into.iter_mut().zip(&self.walls).for_each(|(into, wall)| *into &= wall.holds(&place));
        }
        if found > 0 { into } else { vec![false; self.walls.len()] }
    }

    /// Whether a point, as seen by a wall at the start, is inside of it; never if the wall is not closed.
    pub fn is_inside(&self, wall: usize, point: &Vector<3>) -> bool {
        self.walls[wall].holds(point)
    }

    /// Whether a sphere touches no wall, is on the open side of planes and cylinders and on the right side
    /// of closed ones.
    pub(super) fn clears(&self, center: &Vector<D>, radius: f64, into: &[bool]) -> bool {
        let place = in_space(center);
        let is_right = |(wall, obstacle): (usize, &Obstacle)| {
            obstacle.holds(&place) == into.get(wall).is_some_and(|into| *into)
        };
        self.is_off(center, radius) && self.walls.iter().enumerate().all(is_right)
    }

    fn is_off(&self, center: &Vector<D>, radius: f64) -> bool {
        let place = in_space(center);
        self.walls.iter().all(|wall| match wall {
            Obstacle::Surface { tree, .. } => self.is_off_surface(tree, center, radius),
            Obstacle::Plane { point, normal } => normal.dot(&(place - point)) >= radius,
            Obstacle::Cylinder { point, axis, radius: width } => {
                let way = place - point;
                (way - axis * axis.dot(&way)).norm() + radius <= *width
            }
        })
    }

    /// A sphere that lies across the end of a periodic axis is at both ends.
    fn is_off_surface(&self, tree: &SurfaceTree, center: &Vector<D>, radius: f64) -> bool {
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
            tree.each_near(&in_space(image), radius, |_| off = false);
            off
        })
    }
}

impl Obstacle {
    fn of<const D: usize>(surface: &WallSurface, bodies: usize) -> Self {
        match surface {
            WallSurface::Plane { point, normal } => {
                Obstacle::Plane { point: *point, normal: *normal }
            }
            WallSurface::Cylinder { point, axis, radius } => {
                Obstacle::Cylinder { point: *point, axis: *axis, radius: *radius }
            }
            WallSurface::Mesh(mesh) => {
                let inside = if D == 2 { Inside::of_line(mesh) } else { Inside::of(mesh, bodies) };
                Obstacle::Surface { tree: SurfaceTree::new(mesh), inside }
            }
        }
    }

    fn is_closed(&self) -> bool {
        matches!(self, Obstacle::Surface { inside: Some(_), .. })
    }

    /// Whether a point is inside of a closed wall.
    fn holds(&self, point: &Vector<3>) -> bool {
        match self {
            Obstacle::Surface { inside: Some(Inside::Mesh(cells)), .. } => {
                cells.side(point) != Side::Outside
            }
            Obstacle::Surface { inside: Some(Inside::Line(corners)), .. } => {
                polygon::holds(corners, &point.xy())
            }
            _ => false,
        }
    }
}

impl Inside {
    /// Of a mesh none of whose edges is open. Parts that overlap are solid where they do, and parts within
    /// that are turned round are holes.
    fn of(mesh: &TriangleMesh, bodies: usize) -> Option<Self> {
        let survey = Survey::of(&mesh.to_polygons());
        if survey.edges == 0 || survey.odd.count > 0 {
            return None;
        }
        let rule = if survey.unbalanced.count == 0 { Rule::Nonzero } else { Rule::Parity };
        Some(Inside::Mesh(Box::new(Cells::new(mesh.clone(), rule, bodies))))
    }

    /// Of a line, made of triangles with two equal corners, that ends where it starts.
    fn of_line(mesh: &TriangleMesh) -> Option<Self> {
        let segments = mesh.triangles();
        let (first, last) = (segments.first()?, segments.last()?);
        let corner = |segment: &[u32; 3]| mesh.vertices()[segment[0] as usize].xy();
        (first[0] == last[1]).then(|| Inside::Line(segments.iter().map(corner).collect()))
    }
}
