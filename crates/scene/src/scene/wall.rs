//! Walls besides the sides of the box: planes, cylinders and meshes, at rest or moving.

use super::bounds::{NotNegative, Positive};
use super::material::Materials;
use super::problem::{SceneProblem, SceneValidationError, ValidationResult};
use super::values::{LocatedValue, OneOrEach, POSITIVE};
use super::{Region, check_name};
use carom_geometry::mesh::TriangleMesh;
use carom_geometry::{Vector, embed_in_3d};
use carom_simulate::{MeshSurface, Wall, WallMotion, WallSurface};
use schemars::JsonSchema;
use serde::Deserialize;
use std::path::Path;
use std::sync::Arc;

/// A wall, which bodies bounce off but cannot move.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Wall")]
pub(super) struct WrittenWall {
    /// Kind of surface.
    kind: WallKind,
    /// Name, of letters, digits and _, by which stages and columns of the log know it.
    name: Option<LocatedValue<String>>,
    /// For plane and cylinder: a point of the plane or of the axis, in length. For mesh: where the origin of the file
    /// is placed; at 0 if left out.
    point: Option<LocatedValue<Vec<f64>>>,
    /// For plane: normal, which points to the side of the bodies.
    normal: Option<LocatedValue<Vec<f64>>>,
    /// For cylinder in 3D: direction of its axis.
    axis: Option<LocatedValue<Vec<f64>>>,
    /// For cylinder: radius, in length.
    #[schemars(with = "Option<Positive>")]
    radius: Option<LocatedValue<f64>>,
    /// For line: its points in order, one coordinate per axis, in length.
    points: Option<LocatedValue<Vec<Vec<f64>>>>,
    /// For mesh: an STL, OBJ, PLY or OFF file, found from the scene's folder.
    file: Option<LocatedValue<String>>,
    /// For mesh: factor of its coordinates; 1 if left out.
    #[schemars(with = "Option<Positive>")]
    scale: Option<LocatedValue<f64>>,
    /// Name of a material; if left out, that of the body that touches the wall.
    material: Option<LocatedValue<String>>,
    /// Constant velocity, one component per axis, in length / time; 0 if left out.
    velocity: Option<LocatedValue<Vec<f64>>>,
    /// Amplitude of an oscillation about the start, one component per axis, in length.
    amplitude: Option<LocatedValue<Vec<f64>>>,
    /// Frequency of the oscillation, in cycles / time.
    #[schemars(with = "Option<NotNegative>")]
    frequency: Option<LocatedValue<f64>>,
    /// Angular velocity, in radians / time: one number in 2D, one per axis in 3D; 0 if left out.
    angular_velocity: Option<LocatedValue<OneOrEach<f64>>>,
    /// A point on the axis of rotation, in length; if left out, on that of a cylinder, or the origin.
    center: Option<LocatedValue<Vec<f64>>>,
}

/// Kind of surface of a wall.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum WallKind {
    /// An infinite plane (3D) or line (2D).
    Plane,
    /// An infinite cylinder (3D) or a circle (2D) with bodies inside.
    Cylinder,
    /// In 3D: triangles of a file, touched from both sides.
    Mesh,
    /// In 2D: a polyline, touched from both sides.
    Line,
}

impl WrittenWall {
    pub(super) fn check_all<const D: usize>(
        tables: &[LocatedValue<Self>],
        materials: &Materials,
        folder: &Path,
    ) -> ValidationResult<Vec<Wall>> {
        for (number, table) in tables.iter().enumerate() {
            let Some(name) = &table.value.name else { continue };
            check_name(name)?;
            // Columns of the log name walls without a name by numbers, and the sides of the box.
            let is_side = |side: &str| {
                name.value.strip_suffix(side).is_some_and(|axis| ["x", "y", "z"].contains(&axis))
            };
            let is_number = name.value.bytes().all(|letter| letter.is_ascii_digit());
            if is_number || is_side("_low") || is_side("_high") {
                return Err(name.refuse("the log knows another wall by it; take another name"));
            }
            if tables[..number].iter().any(|other| other.value.is_named(&name.value)) {
                return Err(name.refuse("another wall has this name"));
            }
        }
        tables.iter().map(|table| table.value.check::<D>(table, materials, folder)).collect()
    }

    pub(super) fn is_named(&self, name: &str) -> bool {
        self.name.as_ref().is_some_and(|own| own.value == name)
    }

    fn check<const D: usize>(
        &self,
        table: &LocatedValue<Self>,
        materials: &Materials,
        folder: &Path,
    ) -> ValidationResult<Wall> {
        self.check_keys()?;
        let material = self.material.as_ref().map(|name| materials.find(Some(name))).transpose()?;
        let surface = match self.kind {
            WallKind::Plane => self.plane::<D>(table)?,
            WallKind::Cylinder => self.cylinder::<D>(table)?,
            WallKind::Mesh => self.mesh::<D>(table, folder)?,
            WallKind::Line => self.line::<D>(table)?,
        };
        let motion = self.motion::<D>(&surface)?;
        let name = self.name.as_ref().map(|name| name.value.clone());
        Ok(Wall { surface, motion, material, name })
    }

    /// Refuses a plane or cylinder that a periodic side cuts off: bodies that leave the box there would enter behind
    /// it.
    pub(super) fn check_periods<const D: usize>(
        table: &LocatedValue<Self>,
        wall: &Wall,
        region: &Region<D>,
    ) -> ValidationResult<()> {
        let crosses = |axis: usize| wall.surface.crosses_period(axis, region.size[axis]);
        if !(0..D).any(|axis| region.is_periodic(axis) && crosses(axis)) {
            return Ok(());
        }
        let key = if table.value.kind == WallKind::Plane {
            &table.value.normal
        } else {
            &table.value.axis
        };
        let rule = "bodies that leave a periodic box would come in behind this wall; a plane must be along every \
                    periodic axis, and a cylinder along it or inside of the box: turn it, or make the axis \
                    open by box.boundary";
        match key {
            Some(key) => Err(key.refuse(rule)),
            None => Err(table
                .value
                .radius
                .as_ref()
                .map_or_else(|| missing(table, "radius"), |it| it.refuse(rule))),
        }
    }

    /// Refuses keys that the kind does not use.
    fn check_keys(&self) -> ValidationResult<()> {
        let is = |kind: WallKind| self.kind == kind;
        let vectors = [
            (&self.normal, is(WallKind::Plane), "only kind = \"plane\" has a normal"),
            (&self.axis, is(WallKind::Cylinder), "only kind = \"cylinder\" has an axis"),
        ];
        for (key, fits, rule) in vectors {
            if let (Some(key), false) = (key, fits) {
                return Err(key.refuse(rule));
            }
        }
        if let (Some(points), false) = (&self.points, is(WallKind::Line)) {
            return Err(points.refuse("only kind = \"line\" has points"));
        }
        if let (Some(point), true) = (&self.point, is(WallKind::Line)) {
            return Err(point.refuse("a line has points, a list of them"));
        }
        let numbers = [
            (&self.radius, is(WallKind::Cylinder), "only kind = \"cylinder\" has a radius"),
            (&self.scale, is(WallKind::Mesh), "only kind = \"mesh\" has a scale"),
            (
                &self.frequency,
                self.amplitude.is_some(),
                "nothing is shaken without an amplitude; add it",
            ),
        ];
        for (key, fits, rule) in numbers {
            if let (Some(key), false) = (key, fits) {
                return Err(key.refuse(rule));
            }
        }
        match &self.file {
            Some(file) if !is(WallKind::Mesh) => {
                Err(file.refuse("only kind = \"mesh\" has a file"))
            }
            _ => Ok(()),
        }
    }

    fn needed_point<const D: usize>(
        &self,
        table: &LocatedValue<Self>,
    ) -> ValidationResult<Vector<3>> {
        let point = self.point.as_ref().ok_or_else(|| missing(table, "point"))?;
        Ok(embed_in_3d(&point.vector::<D>()?))
    }

    fn plane<const D: usize>(&self, table: &LocatedValue<Self>) -> ValidationResult<WallSurface> {
        let point = self.needed_point::<D>(table)?;
        let Some(normal) = &self.normal else { return Err(missing(table, "normal")) };
        let normal = unit_vector(&embed_in_3d(&normal.vector::<D>()?), normal)?;
        Ok(WallSurface::Plane { point, normal })
    }

    fn cylinder<const D: usize>(
        &self,
        table: &LocatedValue<Self>,
    ) -> ValidationResult<WallSurface> {
        let point = self.needed_point::<D>(table)?;
        let radius = match &self.radius {
            Some(radius) => radius.positive(POSITIVE)?,
            None => return Err(missing(table, "radius")),
        };
        let axis = match (&self.axis, D) {
            (None, 2) => Vector::z(),
            (Some(axis), 2) => return Err(axis.refuse("in the plane it is a circle; leave it out")),
            (None, _) => return Err(missing(table, "axis")),
            (Some(axis), _) => unit_vector(&axis.vector::<3>()?, axis)?,
        };
        Ok(WallSurface::Cylinder { point, axis, radius })
    }

    fn mesh<const D: usize>(
        &self,
        table: &LocatedValue<Self>,
        folder: &Path,
    ) -> ValidationResult<WallSurface> {
        let Some(file) = &self.file else { return Err(missing(table, "file")) };
        if D == 2 {
            return Err(
                file.refuse("meshes are for scenes in space; in the plane take kind = \"line\"")
            );
        }
        let scale = self.scale.as_ref().map_or(Ok(1.0), |scale| scale.positive(POSITIVE))?;
        let point = self.point.as_ref().map(LocatedValue::vector::<3>).transpose()?;
        let point = point.unwrap_or_else(Vector::zeros);
        // Triangles are joined at their shared vertices.
        let mesh = carom_io::read_mesh(&folder.join(&file.value));
        let mesh = mesh.map_err(|error| file.refuse_file(error))?;
        let mut mesh = mesh.with_welded_vertices();
        mesh.vertices.iter_mut().for_each(|vertex| *vertex = *vertex * scale + point);
        let mesh = TriangleMesh::from_polygons(&mesh)
            .map_err(|error| file.refuse(format!("its faces cannot be used: {error}")))?;
        Ok(WallSurface::Mesh(Arc::new(MeshSurface::new(mesh))))
    }

    /// Returns the segments as triangles with two equal corners.
    fn line<const D: usize>(&self, table: &LocatedValue<Self>) -> ValidationResult<WallSurface> {
        let Some(points) = &self.points else { return Err(missing(table, "points")) };
        if D == 3 {
            return Err(points.refuse("lines are for scenes in the plane; take kind = \"mesh\""));
        }
        let point = |point: &Vec<f64>| {
            let point = LocatedValue { value: point.clone(), span: points.span.clone() };
            point.vector::<D>().map(|point| embed_in_3d(&point))
        };
        let vertices =
            points.value.iter().map(point).collect::<ValidationResult<Vec<Vector<3>>>>()?;
        if vertices.len() < 2 || vertices.windows(2).any(|ends| ends[0] == ends[1]) {
            return Err(points.refuse("it needs two points or more, each different from the last"));
        }
        // Equal points share one vertex, so that a line that returns to a point is joined there.
        let first = |corner: usize| {
            let same = |other: &Vector<3>| *other == vertices[corner];
            vertices.iter().position(same).unwrap_or(corner) as u32
        };
        let segment = |end: usize| [first(end - 1), first(end), first(end)];
        let segments = (1..vertices.len()).map(segment).collect();
        let mesh = TriangleMesh::new(vertices.clone(), segments)
            .map_err(|error| points.refuse(format!("it cannot be used: {error}")))?;
        Ok(WallSurface::Mesh(Arc::new(MeshSurface::new(mesh))))
    }

    fn motion<const D: usize>(&self, surface: &WallSurface) -> ValidationResult<WallMotion> {
        let vector = |key: &Option<LocatedValue<Vec<f64>>>| {
            let vector = key.as_ref().map(LocatedValue::vector::<D>).transpose();
            vector.map(|vector| vector.map(|vector| embed_in_3d(&vector)))
        };
        let frequency = self.frequency.as_ref().map(LocatedValue::not_negative).transpose()?;
        if let (Some(amplitude), None) = (&self.amplitude, frequency) {
            return Err(amplitude.refuse("it needs a frequency; add it"));
        }
        let axis = match surface {
            WallSurface::Cylinder { point, .. } => *point,
            _ => Vector::zeros(),
        };
        Ok(WallMotion {
            velocity: vector(&self.velocity)?.unwrap_or_else(Vector::zeros),
            amplitude: vector(&self.amplitude)?.unwrap_or_else(Vector::zeros),
            frequency: frequency.unwrap_or(0.0),
            angular_velocity: self
                .angular_velocity
                .as_ref()
                .map_or(Ok(Vector::zeros()), LocatedValue::axial_vector::<D>)?,
            center: vector(&self.center)?.unwrap_or(axis),
            ..WallMotion::none()
        })
    }
}

fn missing(table: &LocatedValue<WrittenWall>, key: &str) -> SceneValidationError {
    let problem = SceneProblem::Missing {
        table: "this wall".to_owned(),
        key: key.to_owned(),
        remedy: "add it".into(),
    };
    SceneValidationError::at(&table.span, problem)
}

/// Returns the direction scaled to length one.
pub(super) fn unit_vector(
    vector: &Vector<3>,
    key: &LocatedValue<Vec<f64>>,
) -> ValidationResult<Vector<3>> {
    // Scaled by the largest component first, so that no square overflows or underflows.
    let scaled = vector / vector.amax();
    let length = scaled.norm();
    if length.is_finite() && length > 0.0 {
        Ok(scaled / length)
    } else {
        Err(key.refuse("it must point somewhere, so not all its numbers may be zero"))
    }
}
