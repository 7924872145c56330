//! Shapes of bonded solids and their holes.

use super::bounds::Positive;
use super::generator::WrittenBlock;
use super::problem::{SceneProblem, SceneValidationError, ValidationResult};
use super::values::{LocatedValue, POSITIVE};
use super::{body, closed_mesh, polygon};
use carom_detect::inside::{Containment, FillRule, InsideTest, WindingCells};
use carom_geometry::mesh::TriangleMesh;
use carom_geometry::{Aabb, Vector, embed_in_3d};
use carom_io::excerpt;
use schemars::JsonSchema;
use serde::Deserialize;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// The shape of a solid or a hole, in the coordinates of the scene.
#[derive(Clone, Debug, PartialEq)]
pub enum SolidShape<const D: usize> {
    /// A disc (2D) or a ball (3D).
    Ball {
        /// Center of the ball.
        center: Vector<D>,
        /// Radius of the ball.
        radius: f64,
    },
    /// In 2D: the corners in order of a simple polygon.
    Polygon(Vec<Vector<D>>),
    /// An axis-aligned rectangle (2D) or box (3D).
    Block {
        /// Corner with the smallest coordinates.
        low: Vector<D>,
        /// Corner with the largest coordinates.
        high: Vector<D>,
    },
    /// In 3D: the inside of a closed surface.
    Mesh(Arc<TriangleMesh>),
}

/// Whether a point is inside; points on the surface are.
pub type PointContainmentTest<'a, const D: usize> = Box<dyn Fn(&Vector<D>) -> bool + Sync + 'a>;

impl<const D: usize> SolidShape<D> {
    /// Returns its bounding box.
    pub fn bounds(&self) -> Aabb<D> {
        match self {
            SolidShape::Ball { center, radius } => {
                let reach = Vector::repeat(*radius);
                Aabb { low: center - reach, high: center + reach }
            }
            SolidShape::Polygon(corners) => corners.iter().fold(Aabb::empty(), Aabb::including),
            SolidShape::Block { low, high } => Aabb { low: *low, high: *high },
            SolidShape::Mesh(mesh) => {
                let Aabb { low, high } = mesh.bounds();
                Aabb {
                    low: Vector::from_fn(|axis, _| low[axis]),
                    high: Vector::from_fn(|axis, _| high[axis]),
                }
            }
        }
    }

    /// Returns a test whether points are inside, exact up to the rounding of a ball's radius. A mesh prepares it for
    /// about `points` points.
    ///
    /// ```
    /// use carom_geometry::Vector;
    /// use carom_scene::scene::SolidShape;
    /// let disc = SolidShape::Ball { center: Vector::from([1.0, 1.0]), radius: 0.5 };
    /// let is_inside = disc.inside_test(100);
    /// assert!(is_inside(&Vector::from([1.5, 1.0])) && !is_inside(&Vector::from([1.5, 1.1])));
    /// ```
    pub fn inside_test(&self, points: usize) -> PointContainmentTest<'_, D> {
        match self {
            SolidShape::Ball { center, radius } => {
                let square = radius * radius;
                Box::new(move |point| (point - center).norm_squared() <= square)
            }
            SolidShape::Polygon(corners) => Box::new(|point| polygon::contains(corners, point)),
            SolidShape::Block { .. } => {
                let block = self.bounds();
                Box::new(move |point| block.contains(point))
            }
            SolidShape::Mesh(mesh) => {
                let cells = WindingCells::new(TriangleMesh::clone(mesh), FillRule::EvenOdd, points);
                Box::new(move |point| cells.classify(&embed_in_3d(point)) != Containment::Outside)
            }
        }
    }
}

/// A disc or a ball.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Ball")]
pub(super) struct WrittenBall {
    /// Center, one coordinate per axis, in length.
    #[serde(alias = "center")]
    center: LocatedValue<Vec<f64>>,
    /// Radius, in length.
    #[schemars(with = "Positive")]
    radius: LocatedValue<f64>,
}

/// The closed surface in a file.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "SolidMesh")]
pub(super) struct WrittenSolidMesh {
    /// STL, OBJ, PLY or OFF file, found from the scene's folder.
    file: LocatedValue<String>,
    /// Where the origin of the file is placed, one coordinate per axis, in length; at 0 if left out.
    position: Option<LocatedValue<Vec<f64>>>,
    /// Factor of its coordinates; 1 if left out.
    #[schemars(with = "Option<Positive>")]
    scale: Option<LocatedValue<f64>>,
}

/// A hole in a solid: one of circle, polygon, sphere, block and mesh.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Hole")]
pub(super) struct WrittenHole {
    /// In 2D: a disc.
    circle: Option<LocatedValue<WrittenBall>>,
    /// In 2D: a polygon, given by its corners in order, each x and y.
    polygon: Option<LocatedValue<Vec<Vec<f64>>>>,
    /// In 3D: a ball.
    sphere: Option<LocatedValue<WrittenBall>>,
    /// An axis-aligned rectangle (2D) or box (3D).
    block: Option<LocatedValue<WrittenBlock>>,
    /// In 3D: the inside of a closed surface.
    mesh: Option<LocatedValue<WrittenSolidMesh>>,
}

impl WrittenHole {
    pub(super) fn keys(&self) -> SolidShapeKeys<'_> {
        SolidShapeKeys {
            table: "this hole",
            circle: &self.circle,
            polygon: &self.polygon,
            sphere: &self.sphere,
            block: &self.block,
            mesh: &self.mesh,
        }
    }
}

/// The keys that solids and holes have in common.
pub(super) struct SolidShapeKeys<'a> {
    /// Name of the table in messages.
    pub table: &'static str,
    pub circle: &'a Option<LocatedValue<WrittenBall>>,
    pub polygon: &'a Option<LocatedValue<Vec<Vec<f64>>>>,
    pub sphere: &'a Option<LocatedValue<WrittenBall>>,
    pub block: &'a Option<LocatedValue<WrittenBlock>>,
    pub mesh: &'a Option<LocatedValue<WrittenSolidMesh>>,
}

impl SolidShapeKeys<'_> {
    /// Returns the shape and the place of the key that gives it, if the table at `span` has one.
    pub(super) fn check<const D: usize>(
        &self,
        span: &Range<usize>,
        folder: &Path,
    ) -> ValidationResult<(SolidShape<D>, Range<usize>)> {
        self.check_one::<D>(span)?;
        if let Some(ball) = self.circle.as_ref().or(self.sphere.as_ref()) {
            let (center, radius) = ball.value.check()?;
            return Ok((SolidShape::Ball { center, radius }, ball.span.clone()));
        }
        if let Some(block) = self.block {
            let Aabb { low, high } = WrittenBlock::corners(block)?;
            return Ok((SolidShape::Block { low, high }, block.span.clone()));
        }
        if let Some(mesh) = self.mesh {
            let surface = mesh.value.surface(folder)?;
            return Ok((SolidShape::Mesh(Arc::new(surface)), mesh.value.file.span.clone()));
        }
        let polygon = self.polygon.as_ref().ok_or_else(|| self.none::<D>(span))?;
        let corner = |corner: &Vector<2>| Vector::from_fn(|axis, _| corner[axis]);
        let corners = polygon::simple(polygon)?.iter().map(corner).collect();
        Ok((SolidShape::Polygon(corners), polygon.span.clone()))
    }

    /// Refuses none or several shapes, and those of the other dimension.
    fn check_one<const D: usize>(&self, span: &Range<usize>) -> ValidationResult<()> {
        let kinds = [
            ("circle", self.circle.as_ref().map(|key| &key.span)),
            ("polygon", self.polygon.as_ref().map(|key| &key.span)),
            ("sphere", self.sphere.as_ref().map(|key| &key.span)),
            ("block", self.block.as_ref().map(|key| &key.span)),
            ("mesh", self.mesh.as_ref().map(|key| &key.span)),
        ];
        let mut given = kinds.into_iter().filter_map(|(name, span)| Some((name, span?)));
        let Some((first, place)) = given.next() else { return Err(self.none::<D>(span)) };
        if let Some((second, place)) = given.next() {
            let (table, remedy) = (self.table.to_owned(), "keep one of them");
            let problem = SceneProblem::Conflict { table, first, second, remedy };
            return Err(SceneValidationError::at(place, problem));
        }
        let rule = match (D, first) {
            (2, "sphere") => "spheres are for scenes in space; in the plane take circle",
            (2, "mesh") => "meshes are for scenes in space; in the plane take polygon",
            (3, "circle") => "circles are for scenes in the plane; in space take sphere",
            (3, "polygon") => "polygons are for scenes in the plane; in space take mesh or block",
            _ => return Ok(()),
        };
        Err(SceneValidationError::Value { span: place.clone(), rule: rule.into() })
    }

    fn none<const D: usize>(&self, span: &Range<usize>) -> SceneValidationError {
        let rule = match D {
            2 => "it must have one of circle, polygon and block",
            _ => "it must have one of sphere, block and mesh",
        };
        SceneValidationError::Value { span: span.clone(), rule: rule.into() }
    }
}

impl WrittenBall {
    /// Returns the center and the radius.
    pub(super) fn check<const D: usize>(&self) -> ValidationResult<(Vector<D>, f64)> {
        Ok((self.center.vector()?, self.radius.positive(body::RADIUS)?))
    }
}

impl WrittenSolidMesh {
    /// Returns the file name for messages.
    pub(super) fn file_name(&self) -> String {
        excerpt::escape_control_characters(&self.file.value)
    }

    /// Returns the closed surface, scaled and placed.
    pub(super) fn surface(&self, folder: &Path) -> ValidationResult<TriangleMesh> {
        let scale = self.scale.as_ref().map_or(Ok(1.0), |scale| scale.positive(POSITIVE))?;
        let shift =
            self.position.as_ref().map_or(Ok(Vector::zeros()), LocatedValue::vector::<3>)?;
        let mut mesh = closed_mesh::read(&self.file, folder, scale)?;
        mesh.vertices.iter_mut().for_each(|vertex| *vertex += shift);
        // Whether it is convex does not matter here, but whether it is closed does.
        drop(closed_mesh::convex(&mesh, &self.file)?);
        closed_mesh::surface(&mesh, &self.file)
    }
}
