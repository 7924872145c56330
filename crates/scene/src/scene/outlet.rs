//! Outlets: where bodies leave the simulation while it runs.

use super::Region;
use super::fill_region::{FillRegion, WrittenFillRegion};
use super::problem::ValidationResult;
use super::values::LocatedValue;
use carom_geometry::{Aabb, Vector};
use schemars::JsonSchema;
use serde::Deserialize;
use std::path::Path;

/// A place where bodies leave the simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct Outlet<const D: usize> {
    /// Name, by which the log counts the bodies that left.
    pub name: String,
    /// Bodies whose centers are here leave.
    pub place: OutletPlace<D>,
    /// Region to which they are put back instead of being removed.
    pub return_to: Option<FillRegion<D>>,
}

/// Where bodies leave.
#[derive(Clone, Debug, PartialEq)]
pub enum OutletPlace<const D: usize> {
    /// In a box.
    Block(Aabb<D>),
    /// Beyond a plane, on the side to which its normal points.
    HalfSpace {
        /// A point on the plane.
        point: Vector<D>,
        /// Normal, of any length.
        normal: Vector<D>,
    },
}

impl<const D: usize> OutletPlace<D> {
    /// Returns whether a body with its center in a box may leave.
    fn meets(&self, bounds: &Aabb<D>) -> bool {
        match self {
            OutletPlace::Block(own) => (0..D).all(|axis| {
                own.low[axis] <= bounds.high[axis] && bounds.low[axis] <= own.high[axis]
            }),
            OutletPlace::HalfSpace { point, normal } => {
                // The corner that lies farthest along the normal.
                let corner = Vector::from_fn(|axis, _| {
                    if normal[axis] > 0.0 { bounds.high[axis] } else { bounds.low[axis] }
                });
                (corner - point).dot(normal) > 0.0
            }
        }
    }

    /// Returns whether a body with this center leaves.
    pub fn contains(&self, center: &Vector<D>) -> bool {
        match self {
            OutletPlace::Block(bounds) => bounds.contains(center),
            OutletPlace::HalfSpace { point, normal } => (center - point).dot(normal) > 0.0,
        }
    }
}

/// An outlet, where bodies leave the simulation: those whose centers are in a box, by low and high, or beyond a plane, by
/// point and normal. The log counts them in the column outlet_NAME.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Outlet")]
pub(super) struct WrittenOutlet {
    /// Name, by which the log counts the bodies that left.
    name: LocatedValue<String>,
    /// Corner of a box with the smallest coordinates, in length; it may lie outside of the scene's box.
    low: Option<LocatedValue<Vec<f64>>>,
    /// Corner of a box with the largest coordinates, in length.
    high: Option<LocatedValue<Vec<f64>>>,
    /// Point on a plane, in length.
    point: Option<LocatedValue<Vec<f64>>>,
    /// Normal of a plane, toward the side where bodies leave.
    normal: Option<LocatedValue<Vec<f64>>>,
    /// Region in which they are put back at rest, each at a random free place, as soon as there is room; if left out,
    /// they are removed.
    return_to: Option<LocatedValue<WrittenFillRegion>>,
}

impl WrittenOutlet {
    pub(super) fn check_all<const D: usize>(
        tables: &[LocatedValue<Self>],
        region: &Region<D>,
        folder: &Path,
        largest_radius: f64,
    ) -> ValidationResult<Vec<Outlet<D>>> {
        let mut outlets: Vec<Outlet<D>> = Vec::new();
        for table in tables {
            let outlet = table.check(region, folder, largest_radius)?;
            if outlets.iter().any(|other| other.name == outlet.name) {
                return Err(table.value.name.refuse("another outlet has this name"));
            }
            outlets.push(outlet);
        }
        for (outlet, table) in outlets.iter().zip(tables) {
            let (Some(part), Some(written)) = (&outlet.return_to, &table.value.return_to) else {
                continue;
            };
            if outlets.iter().any(|other| other.place.meets(&part.bounds())) {
                return Err(written.refuse("bodies put back there would leave again at an outlet"));
            }
        }
        Ok(outlets)
    }
}

impl LocatedValue<WrittenOutlet> {
    fn check<const D: usize>(
        &self,
        region: &Region<D>,
        folder: &Path,
        largest_radius: f64,
    ) -> ValidationResult<Outlet<D>> {
        let table = &self.value;
        let name = table.name.value.clone();
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        if name.is_empty() || !name.chars().all(is_word) {
            return Err(table.name.refuse("it must be letters, digits, - and _"));
        }
        let place = match (&table.low, &table.high, &table.point, &table.normal) {
            (Some(low), Some(high), None, None) => {
                let bounds = Aabb { low: low.vector()?, high: high.vector()? };
                if (0..D).any(|axis| bounds.low[axis] >= bounds.high[axis]) {
                    return Err(high.refuse("it must be larger than low on every axis"));
                }
                OutletPlace::Block(bounds)
            }
            (None, None, Some(point), Some(normal)) => {
                let direction: Vector<D> = normal.vector()?;
                if direction.amax() == 0.0 {
                    let rule = "it must point somewhere, so not all its numbers may be zero";
                    return Err(normal.refuse(rule));
                }
                OutletPlace::HalfSpace { point: point.vector()?, normal: direction }
            }
            _ => return Err(self.refuse("it must have low and high, or point and normal")),
        };
        let return_to = match &table.return_to {
            Some(part) => Some(part.check(region, folder)?),
            None => None,
        };
        if let (Some(part), Some(written)) = (&return_to, &table.return_to)
            && part.bounds().size().min() < 2.0 * largest_radius
        {
            let width = part.bounds().size().min();
            return Err(written.refuse(format!(
                "bodies of radius {largest_radius} find no room in a region {width} wide"
            )));
        }
        Ok(Outlet { name, place, return_to })
    }
}
