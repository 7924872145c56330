//! Bodies that come in over time.

use super::body::Weight;
use super::crowd::{Purpose, WrittenPart, check_count, stream};
use super::material::Materials;
use super::problem::{Checked, Refusal};
use super::radii::WrittenRadii;
use super::region::Region;
use super::values::{At, CountFromOne, NumberOr, POSITIVE};
use carom_detect::LARGEST_NUMBER;
use carom_geometry::{Aabb, Vector};
use schemars::JsonSchema;
use serde::Deserialize;

/// Bodies that come in one after the other, at random places that are free.
#[derive(Clone, Debug, PartialEq)]
pub struct Pour<const D: usize> {
    /// Radii, in the order in which bodies come.
    pub radii: Vec<f64>,
    /// Masses, in the same order.
    pub masses: Vec<f64>,
    /// The number of their material.
    pub material: u32,
    /// Bodies per time.
    pub rate: f64,
    /// When the first comes.
    pub from: f64,
    /// Where they come, wholly inside.
    pub region: Aabb<D>,
    /// How fast they come.
    pub velocity: Vector<D>,
}

/// Bodies that come in one after the other, at random places of a region that are free.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Pour")]
pub(super) struct WrittenPour {
    /// How many bodies in all.
    pub count: At<CountFromOne>,
    /// The radius of all, or how the radii are spread.
    radius: At<NumberOr<WrittenRadii>>,
    /// Bodies per time.
    rate: At<f64>,
    /// When the first comes; 0 if left out.
    from: Option<At<f64>>,
    /// The part of the box where they come, wholly inside; the whole box if left out.
    region: Option<At<WrittenPart>>,
    /// How fast they come, one number per axis; at rest if left out.
    velocity: Option<At<Vec<f64>>>,
    /// Mass of every body; left out, it comes from the density of the material, and is 1 without one.
    mass: Option<At<f64>>,
    /// The name of a material.
    material: Option<At<String>>,
}

impl WrittenPour {
    /// The tables of a scene; each has its own random numbers.
    pub(super) fn check_all<const D: usize>(
        tables: &[At<Self>],
        materials: &Materials,
        region: &Region<D>,
        seed: u64,
    ) -> Checked<Vec<Pour<D>>> {
        let tables = (0..).zip(tables);
        tables.map(|(number, table)| table.check(materials, region, (seed, number))).collect()
    }
}

impl At<WrittenPour> {
    fn check<const D: usize>(
        &self,
        materials: &Materials,
        region: &Region<D>,
        key: (u64, u64),
    ) -> Checked<Pour<D>> {
        let table = &self.value;
        let weight = Weight::check(&table.mass, &table.material, materials)?;
        let random = &mut stream(key, Purpose::PouredSizes);
        let radii = WrittenRadii::draw::<D>(&table.radius, check_count(&table.count)?, random)?;
        let masses: Vec<f64> = radii.iter().map(|&radius| weight.of::<D>(radius)).collect();
        let usable = 1.0 / LARGEST_NUMBER..=LARGEST_NUMBER;
        if !masses.iter().all(|mass| usable.contains(mass)) {
            return Err(self.refuse("masses must lie between 1e-100 and 1e100"));
        }
        Ok(Pour {
            region: self.region(region, radii.iter().copied().fold(0.0, f64::max))?,
            radii,
            masses,
            material: weight.material,
            rate: table.rate.positive(POSITIVE)?,
            from: table.from.as_ref().map_or(Ok(0.0), At::not_negative)?,
            velocity: (table.velocity.as_ref())
                .map_or(Ok(Vector::zeros()), |velocity| velocity.vector())?,
        })
    }

    fn region<const D: usize>(&self, region: &Region<D>, largest: f64) -> Checked<Aabb<D>> {
        let part = match &self.value.region {
            Some(part) => WrittenPart::check(part, region)?,
            None => Aabb { low: Vector::zeros(), high: region.size },
        };
        if part.size().min() >= 2.0 * largest {
            return Ok(part);
        }
        let rule = format!(
            "bodies of radius {largest} find no room in a region {} wide; widen it, or take smaller \
             bodies",
            part.size().min()
        );
        let span = self.value.region.as_ref().map_or(&self.span, |part| &part.span);
        Err(Refusal::Value { span: span.clone(), rule: rule.into() })
    }
}
