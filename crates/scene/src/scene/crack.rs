//! Cracks that bonded solids have at the start.

use super::problem::{SceneProblem, SceneValidationError, ValidationResult};
use super::values::LocatedValue;
use carom_geometry::{Aabb, Vector};
use schemars::JsonSchema;
use serde::Deserialize;

/// A crack at the start, whose springs are cut: a line segment in 2D, a parallelogram in 3D.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Crack")]
pub(super) struct WrittenCrack {
    /// In 2D: one end, x and y, in length.
    from: Option<LocatedValue<Vec<f64>>>,
    /// In 2D: the other end.
    to: Option<LocatedValue<Vec<f64>>>,
    /// In 3D: a corner of the parallelogram, x, y and z, in length.
    corner: Option<LocatedValue<Vec<f64>>>,
    /// In 3D: one of the two adjacent corners.
    first: Option<LocatedValue<Vec<f64>>>,
    /// In 3D: the other adjacent corner.
    second: Option<LocatedValue<Vec<f64>>>,
}

impl WrittenCrack {
    pub(super) fn check<const D: usize>(
        table: &LocatedValue<Self>,
        bounds: &Aabb<D>,
    ) -> ValidationResult<[Vector<D>; D]> {
        let WrittenCrack { from, to, corner, first, second } = &table.value;
        let line = [("from", from), ("to", to)];
        let parallelogram = [("corner", corner), ("first", first), ("second", second)];
        let (needed, others) =
            if D == 2 { (&line[..], &parallelogram[..]) } else { (&parallelogram[..], &line[..]) };
        if let Some(key) = others.iter().find_map(|(_, key)| key.as_ref()) {
            return Err(key.refuse(match D {
                2 => "in the plane a crack has from and to",
                _ => "in space a crack has corner, first and second",
            }));
        }
        let mut points = [Vector::zeros(); D];
        for (point, (name, key)) in points.iter_mut().zip(needed) {
            let missing = || {
                let (table_name, key) = ("this crack".to_owned(), (*name).to_owned());
                let problem =
                    SceneProblem::Missing { table: table_name, key, remedy: "add it".into() };
                SceneValidationError::at(&table.span, problem)
            };
            *point = key.as_ref().ok_or_else(missing)?.vector()?;
        }
        if is_degenerate(&points) {
            return Err(table.refuse(if D == 2 { "it has no length" } else { "it has no area" }));
        }
        let edges = points.map(|point| point - points[0]).into_iter().skip(1);
        let farthest = edges.fold(points[0], |sum, edge| sum + edge);
        let around = points.iter().fold(Aabb::empty().including(&farthest), Aabb::including);
        if (0..D).any(|axis| {
            around.low[axis] > bounds.high[axis] || around.high[axis] < bounds.low[axis]
        }) {
            return Err(table.refuse("it lies outside of the solid"));
        }
        Ok(points)
    }
}

/// Whether a crack has no length (2D) or no area (3D).
fn is_degenerate<const D: usize>(points: &[Vector<D>; D]) -> bool {
    let first = points[1] - points[0];
    let Some(second) = points.get(2).map(|corner| corner - points[0]) else {
        return first == Vector::<D>::zeros();
    };
    let size = first.amax().max(second.amax());
    let [first, second] = [first / size, second / size];
    let area = first.norm_squared() * second.norm_squared() - first.dot(&second).powi(2);
    // This also holds where the size is zero; an area this small is zero up to rounding.
    area.is_nan() || area <= 1e-12 * first.norm_squared() * second.norm_squared()
}
