//! The part of the box that is filled with bodies: a box, a ball, a cylinder, a polygon, or the inside of a closed
//! mesh.

use super::Region;
use super::problem::{SceneProblem, SceneValidationError, ValidationResult};
use super::solid_shape::{WrittenBall, WrittenSolidMesh};
use super::values::{LocatedValue, POSITIVE};
use super::wall::unit_vector;
use super::{body, polygon};
use crate::generate::ball_volume;
use carom_detect::inside::{Containment, FillRule, InsideTest, TriangleBvh, WindingCells};
use carom_geometry::mesh::TriangleMesh;
use carom_geometry::shape::MassProperties;
use carom_geometry::{Aabb, Vector, embed_in_3d};
use carom_io::six_significant_digits;
use schemars::JsonSchema;
use serde::Deserialize;
use std::f64::consts::PI;
use std::path::Path;
use std::sync::Arc;

/// The part of the box that is filled with bodies, which lie completely inside.
#[derive(Clone, Debug, PartialEq)]
pub struct FillRegion<const D: usize> {
    shape: FillShape<D>,
    /// Bounding box of its intersection with the scene's box.
    bounds: Aabb<D>,
    /// Name in messages.
    name: String,
}

#[derive(Clone, Debug, PartialEq)]
enum FillShape<const D: usize> {
    Block,
    Ball {
        center: Vector<D>,
        radius: f64,
    },
    /// From `point` along `axis`, of length one, for a length; infinite if there is none.
    Cylinder {
        point: Vector<3>,
        axis: Vector<3>,
        radius: f64,
        length: Option<f64>,
    },
    Polygon(Vec<Vector<D>>),
    Mesh(Arc<TriangleMesh>),
}

/// Whether a sphere with this center and radius lies completely in a region.
pub type SphereContainmentTest<const D: usize> = Box<dyn Fn(&Vector<D>, f64) -> bool + Send + Sync>;

impl<const D: usize> FillRegion<D> {
    /// Returns the whole box.
    pub(super) fn whole(region: &Region<D>) -> Self {
        let bounds = Aabb { low: Vector::zeros(), high: region.size };
        FillRegion { shape: FillShape::Block, bounds, name: "the box".to_owned() }
    }

    /// Returns the bounding box of its intersection with the scene's box.
    pub fn bounds(&self) -> Aabb<D> {
        self.bounds
    }

    /// Returns its name in messages, such as "the ball of radius 2 around [5, 5, 5]".
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns its volume (3D) or area (2D) as written; `None` for an infinite cylinder.
    pub(super) fn volume(&self) -> Option<f64> {
        match &self.shape {
            FillShape::Block => Some(self.bounds.size().product()),
            FillShape::Ball { radius, .. } => Some(ball_volume::<D>(2.0 * radius)),
            FillShape::Cylinder { radius, length, .. } => {
                length.map(|length| PI * radius * radius * length)
            }
            FillShape::Polygon(corners) => Some(polygon::area(corners)),
            FillShape::Mesh(mesh) => {
                let mesh = mesh.to_polygons();
                Some(MassProperties::of(&mesh.vertices, &mesh.faces).volume)
            }
        }
    }

    /// Returns a test whether spheres with a center in [`bounds`](Self::bounds) lie completely in the region. It
    /// leaves out what follows from these bounds, and is prepared once for about `spheres` spheres.
    pub fn sphere_test(&self, spheres: usize) -> SphereContainmentTest<D> {
        match &self.shape {
            FillShape::Block => Box::new(|_, _| true),
            &FillShape::Ball { center, radius } => {
                Box::new(move |point, reach| (point - center).norm() + reach <= radius)
            }
            &FillShape::Cylinder { point: start, axis, radius, length } => {
                let length = length.unwrap_or(f64::INFINITY);
                let endless = length.is_infinite();
                Box::new(move |point, reach| {
                    let displacement = embed_in_3d(point) - start;
                    let along = axis.dot(&displacement);
                    let between = endless || along >= reach && along + reach <= length;
                    between && (displacement - axis * along).norm() + reach <= radius
                })
            }
            FillShape::Polygon(corners) => {
                let corners = corners.clone();
                Box::new(move |point, reach| {
                    polygon::contains(&corners, point)
                        && polygon::distance(&corners, point) >= reach
                })
            }
            FillShape::Mesh(mesh) => {
                let tree = TriangleBvh::new(mesh);
                let cells =
                    WindingCells::new(TriangleMesh::clone(mesh), FillRule::EvenOdd, spheres);
                Box::new(move |point, reach| {
                    let point = embed_in_3d(point);
                    let mut clear = cells.classify(&point) == Containment::Inside;
                    if clear {
                        tree.for_each_within(&point, reach, |_| clear = false);
                    }
                    clear
                })
            }
        }
    }
}

/// The part of the box that is filled with bodies, which lie completely inside: a box by low and high, or one of
/// circle, polygon, sphere, cylinder and mesh.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "FillRegion")]
pub(super) struct WrittenFillRegion {
    /// Corner of a box with the smallest coordinates, in length.
    low: Option<LocatedValue<Vec<f64>>>,
    /// Corner of a box with the largest coordinates, in length.
    high: Option<LocatedValue<Vec<f64>>>,
    /// In 2D: a disc.
    circle: Option<LocatedValue<WrittenBall>>,
    /// In 2D: a polygon, given by its corners in order, each x and y.
    polygon: Option<LocatedValue<Vec<Vec<f64>>>>,
    /// In 3D: a ball.
    sphere: Option<LocatedValue<WrittenBall>>,
    /// In 3D: a cylinder.
    cylinder: Option<LocatedValue<WrittenFillCylinder>>,
    /// In 3D: the inside of a closed mesh.
    mesh: Option<LocatedValue<WrittenSolidMesh>>,
}

/// A cylinder with flat ends, or an infinite one.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "FillCylinder")]
pub(super) struct WrittenFillCylinder {
    /// Point on the axis, in length: the middle of the first end if there is a length.
    point: LocatedValue<Vec<f64>>,
    /// Direction of the axis, from the first end to the other.
    axis: LocatedValue<Vec<f64>>,
    /// Radius of the cylinder, in length.
    radius: LocatedValue<f64>,
    /// Distance between the ends, in length; without ends, up to the sides of the box, if left out.
    length: Option<LocatedValue<f64>>,
}

const ONE: [&str; 2] = [
    "a region must have low and high, or one of circle and polygon",
    "a region must have low and high, or one of sphere, cylinder and mesh",
];

impl LocatedValue<WrittenFillRegion> {
    /// Returns the part of the region that lies in the box, if there is one.
    pub(super) fn check<const D: usize>(
        &self,
        region: &Region<D>,
        folder: &Path,
    ) -> ValidationResult<FillRegion<D>> {
        self.check_one::<D>()?;
        let (shape, bounds, name) = self.shape::<D>(region, folder)?;
        let whole = Aabb { low: Vector::zeros(), high: region.size };
        let bounds = Aabb { low: bounds.low.sup(&whole.low), high: bounds.high.inf(&whole.high) };
        if (0..D).any(|axis| bounds.low[axis] >= bounds.high[axis]) {
            return Err(self.refuse("it must reach into the box, which starts at the origin"));
        }
        Ok(FillRegion { shape, bounds, name })
    }

    fn shape<const D: usize>(
        &self,
        region: &Region<D>,
        folder: &Path,
    ) -> ValidationResult<(FillShape<D>, Aabb<D>, String)> {
        let table = &self.value;
        if let Some(ball) = table.circle.as_ref().or(table.sphere.as_ref()) {
            let (center, radius) = ball.value.check::<D>()?;
            let reach = Vector::repeat(radius);
            let bounds = Aabb { low: center - reach, high: center + reach };
            let kind = if D == 2 { "circle" } else { "ball" };
            let name = format!(
                "the {kind} of radius {} around {}",
                six_significant_digits(radius),
                place(&center)
            );
            return Ok((FillShape::Ball { center, radius }, bounds, name));
        }
        if let Some(cylinder) = &table.cylinder {
            return cylinder.shape(region);
        }
        if let Some(polygon) = &table.polygon {
            let corner = |corner: &Vector<2>| Vector::from_fn(|axis, _| corner[axis]);
            let corners: Vec<Vector<D>> = polygon::simple(polygon)?.iter().map(corner).collect();
            let bounds = corners.iter().fold(Aabb::empty(), Aabb::including);
            let name = format!("the polygon of {} corners", corners.len());
            return Ok((FillShape::Polygon(corners), bounds, name));
        }
        if let Some(mesh) = &table.mesh {
            let surface = mesh.value.surface(folder)?;
            let Aabb { low, high } = surface.bounds();
            let [low, high] = [low, high].map(|end| Vector::from_fn(|axis, _| end[axis]));
            let name = format!("the inside of {}", mesh.value.file_name());
            return Ok((FillShape::Mesh(Arc::new(surface)), Aabb { low, high }, name));
        }
        let bounds = self.block(region)?;
        let name = format!("the region from {} to {}", place(&bounds.low), place(&bounds.high));
        Ok((FillShape::Block, bounds, name))
    }

    /// Returns the box between low and high.
    fn block<const D: usize>(&self, region: &Region<D>) -> ValidationResult<Aabb<D>> {
        let table = &self.value;
        let (Some(low), Some(high)) = (&table.low, &table.high) else {
            return Err(self.refuse(ONE[D - 2]));
        };
        let (low, high) = (low.vector()?, high.vector()?);
        let inside = |axis: usize| {
            0.0 <= low[axis] && low[axis] < high[axis] && high[axis] <= region.size[axis]
        };
        match (0..D).all(inside) {
            true => Ok(Aabb { low, high }),
            false => Err(self.refuse("low must be below high on every axis, and both in the box")),
        }
    }

    /// Refuses several shapes at once, and those of the other dimension.
    fn check_one<const D: usize>(&self) -> ValidationResult<()> {
        let table = &self.value;
        let kinds = [
            ("low", table.low.as_ref().map(|key| &key.span)),
            ("high", table.high.as_ref().filter(|_| table.low.is_none()).map(|key| &key.span)),
            ("circle", table.circle.as_ref().map(|key| &key.span)),
            ("polygon", table.polygon.as_ref().map(|key| &key.span)),
            ("sphere", table.sphere.as_ref().map(|key| &key.span)),
            ("cylinder", table.cylinder.as_ref().map(|key| &key.span)),
            ("mesh", table.mesh.as_ref().map(|key| &key.span)),
        ];
        let mut given = kinds.into_iter().filter_map(|(name, span)| Some((name, span?)));
        let Some((first, span)) = given.next() else { return Err(self.refuse(ONE[D - 2])) };
        if let Some((second, span)) = given.next() {
            let (table, remedy) = ("this region".to_owned(), "keep one of them");
            let problem = SceneProblem::Conflict { table, first, second, remedy };
            return Err(SceneValidationError::at(span, problem));
        }
        let rule = match (D, first) {
            (2, "sphere") => "spheres are for scenes in space; in the plane take circle",
            (2, "cylinder") => "cylinders are for scenes in space; in the plane take circle",
            (2, "mesh") => "meshes are for scenes in space; in the plane take polygon",
            (3, "circle") => {
                "circles are for scenes in the plane; in space take sphere or cylinder"
            }
            (3, "polygon") => "polygons are for scenes in the plane; in space take mesh",
            _ => return Ok(()),
        };
        Err(SceneValidationError::Value { span: span.clone(), rule: rule.into() })
    }
}

impl LocatedValue<WrittenFillCylinder> {
    fn shape<const D: usize>(
        &self,
        region: &Region<D>,
    ) -> ValidationResult<(FillShape<D>, Aabb<D>, String)> {
        let table = &self.value;
        let point = embed_in_3d(&table.point.vector::<D>()?);
        let axis = unit_vector(&table.axis.vector::<3>()?, &table.axis)?;
        let radius = table.radius.positive(body::RADIUS)?;
        let length = table.length.as_ref().map(|it| it.positive(POSITIVE)).transpose()?;
        let ends = self.ends(&point, &axis, [radius, length.unwrap_or(f64::INFINITY)], region)?;
        let mut bounds = Aabb::empty();
        for end in ends {
            // A disc reaches as far along an axis as its normal is off that axis.
            let reach = axis.map(|part| radius * (1.0 - part * part).max(0.0).sqrt());
            let corner = |at: Vector<3>| Vector::from_fn(|axis, _| at[axis]);
            bounds = bounds.including(&corner(end - reach)).including(&corner(end + reach));
        }
        let from = Vector::<D>::from_fn(|axis, _| point[axis]);
        let name = format!(
            "the cylinder of radius {} through {}",
            six_significant_digits(radius),
            place(&from)
        );
        Ok((FillShape::Cylinder { point, axis, radius, length }, bounds, name))
    }

    /// Returns the points where the axis ends, or leaves the neighborhood of the box.
    fn ends<const D: usize>(
        &self,
        point: &Vector<3>,
        axis: &Vector<3>,
        [radius, length]: [f64; 2],
        region: &Region<D>,
    ) -> ValidationResult<[Vector<3>; 2]> {
        let mut along = [if length.is_finite() { 0.0 } else { f64::NEG_INFINITY }, length];
        for k in (0..D).filter(|&k| axis[k] != 0.0) {
            let [one, two] = [-radius, region.size[k] + radius].map(|at| (at - point[k]) / axis[k]);
            along = [along[0].max(one.min(two)), along[1].min(one.max(two))];
        }
        if along[0] > along[1] {
            return Err(self.refuse("it must reach into the box, which starts at the origin"));
        }
        Ok(along.map(|length| point + axis * length))
    }
}

/// Formats a point for messages.
fn place<const D: usize>(point: &Vector<D>) -> String {
    let numbers: Vec<String> = point.iter().map(|&number| six_significant_digits(number)).collect();
    format!("[{}]", numbers.join(", "))
}
