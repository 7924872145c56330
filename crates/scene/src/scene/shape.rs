//! Shapes that bodies may have, by name.

use super::bounds::Positive;
use super::closed_mesh;
use super::problem::{SceneProblem, SceneValidationError, ValidationResult};
use super::reading::one_of;
use super::values::{LocatedValue, POSITIVE, PositiveWholeNumber, optional_positive};
use crate::Error;
use crate::generate::{DEFAULT_SEED, Polyhedron, RegularSolid};
use carom_geometry::mesh::{PolygonMesh, TriangleMesh, TriangleMeshError};
use carom_geometry::shape::ConvexPolyhedron;
use carom_geometry::{Sphere, Vector};
use carom_io::excerpt;
use carom_simulate::shape::{MOST_SPHERES, Shape, ShapeRepresentation};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// A shape that bodies may have, given by one of solid, box, faces, points, file, spheres and polygon. Bodies rotate
/// about its center of mass, wherever its origin is.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Shape")]
pub(super) struct WrittenShape {
    /// A regular solid, of the size given by radius.
    solid: Option<LocatedValue<RegularSolid>>,
    /// A box, by its edge lengths along x, y and z.
    #[serde(rename = "box")]
    #[schemars(with = "Option<Vec<Positive>>")]
    edges: Option<LocatedValue<Vec<f64>>>,
    /// A round polyhedron of this number of triangles, an even number, with corners spread evenly over the sphere of
    /// radius, or over the ellipsoid of semi_axes.
    faces: Option<LocatedValue<PositiveWholeNumber>>,
    /// The convex hull of points, each x, y and z, in length.
    points: Option<LocatedValue<Vec<Vec<f64>>>>,
    /// The surface in an STL, OBJ, PLY or OFF file, found from the scene's folder.
    file: Option<LocatedValue<String>>,
    /// A clump of spheres, each x, y, z and radius, or (2D) of discs, each x, y and radius. Overlaps count once.
    spheres: Option<LocatedValue<Vec<Vec<f64>>>>,
    /// In 2D: a convex polygon, given by its corners in order, each x and y.
    polygon: Option<LocatedValue<Vec<Vec<f64>>>>,
    /// For solid and faces: radius of the sphere through the corners, in length.
    #[schemars(with = "Option<Positive>")]
    radius: Option<LocatedValue<f64>>,
    /// For faces: semi-axes of the ellipsoid along x, y and z, in length.
    #[schemars(with = "Option<Vec<Positive>>")]
    semi_axes: Option<LocatedValue<Vec<f64>>>,
    /// For file: whether it is a convex body or any closed mesh; if left out, convex if it is.
    kind: Option<LocatedValue<MeshKind>>,
    /// For file: factor of its coordinates; 1 if left out.
    #[schemars(with = "Option<Positive>")]
    scale: Option<LocatedValue<f64>>,
    /// For convex bodies: rounding radius of edges and corners, in length; the engine chooses a small one if left out.
    #[schemars(with = "Option<Positive>")]
    rounding: Option<LocatedValue<f64>>,
}

/// Representation of a closed surface.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum MeshKind {
    /// A convex body: fast, and refused if it is not convex.
    Convex,
    /// A closed mesh, convex or not.
    Mesh,
}

/// Sizes at which volumes and inertia tensors neither overflow nor underflow.
const SIZES: std::ops::RangeInclusive<f64> = 1e-30..=1e30;
const SIZE: &str = "the shape it makes must be between 1e-30 and 1e30 large";
const MOST_FACES: u64 = 100_000;
/// Faces of all round polyhedra of a scene together: a few bytes of text could ask for hours of work.
const MOST_FACES_IN_ALL: u64 = 400_000;
const KINDS: &str = "a shape must have one of solid, box, faces, points, file, spheres and polygon";

/// The shapes of a scene by index.
pub(super) struct Shapes(Vec<Shape>);

impl Shapes {
    pub(super) fn check<const D: usize>(
        written: &BTreeMap<String, LocatedValue<WrittenShape>>,
        folder: &Path,
    ) -> ValidationResult<Self> {
        check_faces(written)?;
        let shape = |(name, table): (&String, &LocatedValue<WrittenShape>)| {
            table.value.check::<D>(name, table, folder)
        };
        written.iter().map(shape).collect::<ValidationResult<_>>().map(Shapes)
    }

    /// Returns the shape that a body names, and its index.
    pub(super) fn find(&self, name: &LocatedValue<String>) -> ValidationResult<(u32, &Shape)> {
        let index = self.0.iter().position(|shape| shape.name == name.value);
        let index = index.ok_or_else(|| {
            if self.0.is_empty() {
                return name.refuse("the scene has no shapes; add a table [shapes.NAME]");
            }
            let names: Vec<&str> = self.0.iter().map(|shape| shape.name.as_str()).collect();
            name.refuse(excerpt::escape_control_characters(&one_of(&name.value, &names)))
        })?;
        Ok((index as u32, &self.0[index]))
    }

    pub(super) fn list(&self) -> &[Shape] {
        &self.0
    }

    pub(super) fn into_list(self) -> Vec<Shape> {
        self.0
    }
}

/// Refuses round polyhedra that have too many faces together. The whole scene is refused, so that no other mistakes
/// are searched for, which would generate the shapes again for each.
fn check_faces(written: &BTreeMap<String, LocatedValue<WrittenShape>>) -> ValidationResult<()> {
    let mut total = 0u64;
    for faces in written.values().filter_map(|table| table.value.faces.as_ref()) {
        total = total.saturating_add(faces.value.0);
        // A single one with too many faces is refused by the rule for one.
        if total > MOST_FACES_IN_ALL && faces.value.0 <= MOST_FACES {
            return Err(SceneValidationError::whole(
                "the shapes of the scene have more than 400000 faces together; take fewer faces or fewer shapes",
            ));
        }
    }
    Ok(())
}

impl WrittenShape {
    fn check<const D: usize>(
        &self,
        name: &str,
        table: &LocatedValue<Self>,
        folder: &Path,
    ) -> ValidationResult<Shape> {
        self.check_keys::<D>(table)?;
        let (form, key) = self.form::<D>(table, folder)?;
        let rounding = optional_positive(&self.rounding)?;
        let refuse =
            |rule: String| SceneValidationError::Value { span: key.clone(), rule: rule.into() };
        if !SIZES.contains(&form.radius::<D>()) {
            return Err(refuse(SIZE.to_owned()));
        }
        let shape = Shape::centered::<D>(name.to_owned(), form, rounding)
            .map_err(|error| refuse(format!("its hull cannot be used: {error}")))?;
        if !(shape.volume > 0.0 && SIZES.contains(&shape.radius)) {
            return Err(refuse(SIZE.to_owned()));
        }
        self.check_rounding(&shape)?;
        Ok(shape)
    }

    /// Refuses none or several of the keys that give the kind of shape, and keys that this kind does not use.
    fn check_keys<const D: usize>(&self, table: &LocatedValue<Self>) -> ValidationResult<()> {
        let kinds = [
            ("solid", self.solid.is_some()),
            ("box", self.edges.is_some()),
            ("faces", self.faces.is_some()),
            ("points", self.points.is_some()),
            ("file", self.file.is_some()),
            ("spheres", self.spheres.is_some()),
            ("polygon", self.polygon.is_some()),
        ];
        let mut given = kinds.iter().filter(|(_, given)| *given).map(|(name, _)| *name);
        let Some(first) = given.next() else { return Err(table.refuse(KINDS)) };
        if let Some(second) = given.next() {
            let (table_name, remedy) = ("this shape".to_owned(), "keep one of them");
            let problem = SceneProblem::Conflict { table: table_name, first, second, remedy };
            return Err(SceneValidationError::at(&table.span, problem));
        }
        let allowed = |keys: &[&str]| keys.contains(&first);
        let numbers = [
            (&self.radius, allowed(&["solid", "faces"]), "only solid and faces have a radius"),
            (&self.scale, allowed(&["file"]), "only file has a scale"),
            (
                &self.rounding,
                !allowed(&["spheres"]),
                "spheres have no edges or corners; leave it out",
            ),
        ];
        for (key, fits, rule) in numbers {
            if let (Some(key), false) = (key, fits) {
                return Err(key.refuse(rule));
            }
        }
        if let (Some(axes), false) = (&self.semi_axes, allowed(&["faces"])) {
            return Err(axes.refuse("only faces has semi_axes"));
        }
        if let (Some(kind), false) = (&self.kind, allowed(&["file"])) {
            return Err(kind.refuse("only file has a kind"));
        }
        match (D, first) {
            (2, "polygon" | "spheres") => Ok(()),
            (2, _) => Err(table.refuse("in the plane a shape must be a polygon or spheres")),
            (_, "polygon") => {
                Err(table.refuse("polygons are for scenes in the plane; take points or a file"))
            }
            _ => Ok(()),
        }
    }

    /// Returns the representation and the place of the key that gives it.
    fn form<const D: usize>(
        &self,
        table: &LocatedValue<Self>,
        folder: &Path,
    ) -> ValidationResult<(ShapeRepresentation, std::ops::Range<usize>)> {
        if let Some(solid) = &self.solid {
            let radius = self.needed_radius(table)?;
            let polyhedron = Polyhedron::Regular { solid: solid.value, radius };
            return Ok((generated(polyhedron, solid)?, solid.span.clone()));
        }
        if let Some(edges) = &self.edges {
            let size = lengths(edges)?;
            return Ok((generated(Polyhedron::Box { size }, edges)?, edges.span.clone()));
        }
        if let Some(faces) = &self.faces {
            return Ok((self.round(faces, table)?, faces.span.clone()));
        }
        if let Some(points) = &self.points {
            return Ok((hull(points)?, points.span.clone()));
        }
        if let Some(file) = &self.file {
            return Ok((self.surface(file, folder)?, file.span.clone()));
        }
        if let Some(spheres) = &self.spheres {
            return Ok((clump::<D>(spheres)?, spheres.span.clone()));
        }
        let polygon = self.polygon.as_ref().ok_or_else(|| table.refuse(KINDS))?;
        Ok((prism(polygon)?, polygon.span.clone()))
    }

    fn needed_radius(&self, table: &LocatedValue<Self>) -> ValidationResult<f64> {
        let missing = || {
            let (table_name, key) = ("this shape".to_owned(), "radius".to_owned());
            let remedy = "add that of the sphere through its corners".into();
            SceneValidationError::at(
                &table.span,
                SceneProblem::Missing { table: table_name, key, remedy },
            )
        };
        let radius = self.radius.as_ref().ok_or_else(missing)?;
        let value = radius.positive(POSITIVE)?;
        if SIZES.contains(&value) { Ok(value) } else { Err(radius.refuse(SIZE)) }
    }

    fn round(
        &self,
        faces: &LocatedValue<PositiveWholeNumber>,
        table: &LocatedValue<Self>,
    ) -> ValidationResult<ShapeRepresentation> {
        let count = faces.value.0;
        if !(count >= 4 && count.is_multiple_of(2) && count <= MOST_FACES) {
            return Err(faces.refuse("it must be an even number from 4 to 100000"));
        }
        let (faces_count, seed) = (count as usize, DEFAULT_SEED);
        let polyhedron = match (&self.semi_axes, &self.radius) {
            (Some(_), Some(radius)) => {
                return Err(radius.refuse("semi_axes say how large it is; leave one out"));
            }
            (Some(axes), None) => {
                Polyhedron::Ellipsoid { faces: faces_count, semi_axes: lengths(axes)?, seed }
            }
            _ => {
                Polyhedron::Sphere { faces: faces_count, radius: self.needed_radius(table)?, seed }
            }
        };
        generated(polyhedron, faces)
    }

    fn surface(
        &self,
        file: &LocatedValue<String>,
        folder: &Path,
    ) -> ValidationResult<ShapeRepresentation> {
        let scale = self.scale.as_ref().map_or(Ok(1.0), |scale| scale.positive(POSITIVE))?;
        let mesh = closed_mesh::read(file, folder, scale)?;
        let kind = self.kind.as_ref().map(|kind| kind.value);
        match closed_mesh::convex(&mesh, file)? {
            Ok(hull) if kind != Some(MeshKind::Mesh) => {
                Ok(ShapeRepresentation::Convex(Arc::new(hull)))
            }
            Err(error) if kind == Some(MeshKind::Convex) => {
                Err(file.refuse(format!("{error}; take kind = \"mesh\" for such a body")))
            }
            _ => Ok(ShapeRepresentation::Mesh(Arc::new(closed_mesh::surface(&mesh, file)?))),
        }
    }

    /// Refuses a rounding that would leave nothing of a face.
    fn check_rounding(&self, shape: &Shape) -> ValidationResult<()> {
        let Some(rounding) = &self.rounding else { return Ok(()) };
        let ShapeRepresentation::Convex(polyhedron) = &shape.representation else {
            return Err(rounding.refuse("only convex bodies are rounded"));
        };
        let nearest = polyhedron.faces().map(|face| face.offset).fold(f64::INFINITY, f64::min);
        if rounding.value < nearest {
            return Ok(());
        }
        let rule = "it must be less than the distance of the nearest face from the center of mass";
        Err(rounding.refuse(format!("{rule}, {nearest:?}")))
    }
}

/// Returns three lengths of usable size.
fn lengths(key: &LocatedValue<Vec<f64>>) -> ValidationResult<[f64; 3]> {
    let lengths = key.vector::<3>()?;
    if !lengths.iter().all(|length| SIZES.contains(length)) {
        return Err(key.refuse("every length must lie between 1e-30 and 1e30"));
    }
    Ok(lengths.into())
}

fn generated<T>(
    polyhedron: Polyhedron,
    key: &LocatedValue<T>,
) -> ValidationResult<ShapeRepresentation> {
    let refuse = |rule: String| key.refuse(format!("it cannot be made: {rule}"));
    let mesh = polyhedron.make().map_err(|error: Error| refuse(error.to_string()))?;
    let body = ConvexPolyhedron::hull(&mesh.vertices).map_err(|error| refuse(error.to_string()))?;
    Ok(ShapeRepresentation::Convex(Arc::new(body)))
}

fn hull(points: &LocatedValue<Vec<Vec<f64>>>) -> ValidationResult<ShapeRepresentation> {
    let body = ConvexPolyhedron::hull(&rows::<3>(points, "each point must have three numbers")?);
    Ok(ShapeRepresentation::Convex(Arc::new(
        body.map_err(|error| points.refuse(error.to_string()))?,
    )))
}

/// Returns the rows of a list as vectors.
pub(super) fn rows<const N: usize>(
    key: &LocatedValue<Vec<Vec<f64>>>,
    rule: &'static str,
) -> ValidationResult<Vec<Vector<N>>> {
    let row = |row: &Vec<f64>| {
        let numbers: Option<[f64; N]> = row.as_slice().try_into().ok();
        let usable = |number: &f64| number.abs() <= 1e60;
        match numbers {
            None => Err(key.refuse(rule)),
            Some(numbers) if numbers.iter().all(usable) => Ok(numbers.into()),
            Some(_) => Err(key.refuse("every number must lie between -1e60 and 1e60")),
        }
    };
    key.value.iter().map(row).collect()
}

fn clump<const D: usize>(
    spheres: &LocatedValue<Vec<Vec<f64>>>,
) -> ValidationResult<ShapeRepresentation> {
    let count = spheres.value.len();
    if !(1..=MOST_SPHERES).contains(&count) {
        return Err(spheres.refuse(format!("there must be 1 to {MOST_SPHERES} of them")));
    }
    let balls: Vec<Sphere<3>> = if D == 2 {
        let rows =
            rows::<3>(spheres, "in the plane each must have three numbers, x, y and radius")?;
        rows.iter().map(|row| Sphere::new([row[0], row[1], 0.0], row[2])).collect()
    } else {
        let rows = rows::<4>(spheres, "each must have four numbers, x, y, z and radius")?;
        rows.iter().map(|row| Sphere::new([row[0], row[1], row[2]], row[3])).collect()
    };
    if !balls.iter().all(|ball| SIZES.contains(&ball.radius)) {
        return Err(spheres.refuse("every radius must lie between 1e-30 and 1e30"));
    }
    Ok(ShapeRepresentation::Spheres(balls))
}

/// Returns the polygon extruded along z by the diameter of its bounding circle.
fn prism(polygon: &LocatedValue<Vec<Vec<f64>>>) -> ValidationResult<ShapeRepresentation> {
    let corners = rows::<2>(polygon, "each corner must have two numbers, x and y")?;
    check_convex(&corners, polygon)?;
    ShapeRepresentation::prism(&corners).map_err(|error| polygon.refuse(error.to_string()))
}

/// Refuses a polygon with a reflex corner, or one that winds more than once.
fn check_convex(
    corners: &[Vector<2>],
    polygon: &LocatedValue<Vec<Vec<f64>>>,
) -> ValidationResult<()> {
    let count = corners.len();
    if count < 3 {
        return Err(polygon.refuse("a polygon must have at least three corners"));
    }
    let turn = |k: usize| {
        let [a, b, c] = [0, 1, 2].map(|next| corners[(k + next) % count]);
        (b - a).perp(&(c - b))
    };
    let turns: Vec<f64> = (0..count).map(turn).collect();
    let total: f64 = (1..count - 1)
        .map(|k| (corners[k] - corners[0]).perp(&(corners[k + 1] - corners[0])))
        .sum();
    if total == 0.0 {
        return Err(polygon.refuse("its corners lie on a line"));
    }
    if let Some(k) = turns.iter().position(|turn| turn * total < 0.0) {
        let corner = (k + 1) % count;
        let [x, y] = corners[corner].into();
        return Err(polygon.refuse(format!(
            "it must be convex, but turns inwards at corner {corner}, [{x:?}, {y:?}], from 0"
        )));
    }
    let vertices = corners.iter().map(|at| Vector::from([at.x, at.y, 0.0])).collect();
    let faces = vec![(0..count as u32).collect()];
    match TriangleMesh::from_polygons(&PolygonMesh { vertices, faces }) {
        Err(TriangleMeshError::NotConvex { .. }) => {
            Err(polygon.refuse("it must be convex and go round once"))
        }
        _ => Ok(()),
    }
}
