//! Bodies that come in over time.

use super::body::{IDENTITY_ORIENTATION, MassRule};
use super::bounds::{BoundedOr, NotNegative, Positive};
use super::fill_region::{FillRegion, WrittenFillRegion};
use super::generator::{
    RandomStreamPurpose, check_count, no_size, random_orientation, random_stream,
};
use super::material::Materials;
use super::problem::{SceneValidationError, ValidationResult};
use super::radii::WrittenRadii;
use super::region::Region;
use super::shape::Shapes;
use super::values::{LocatedValue, NumberOr, POSITIVE, PositiveWholeNumber};
use crate::generate::SplitMix64;
use carom_detect::LARGEST_NUMBER;
use carom_geometry::Vector;
use schemars::JsonSchema;
use serde::Deserialize;
use std::path::Path;

/// Bodies that come in one after the other, at random places that are free.
#[derive(Clone, Debug, PartialEq)]
pub struct Pour<const D: usize> {
    /// Radii, in the order in which bodies come.
    pub radii: Vec<f64>,
    /// Masses, in the same order.
    pub masses: Vec<f64>,
    /// Index into the scene's shapes; discs and spheres have none. Radii are then those of the spheres
    /// around them.
    pub shape: Option<u32>,
    /// How shapes are turned, in the same order: quaternions w, x, y, z of length one.
    pub orientations: Vec<[f64; 4]>,
    /// The number of their material.
    pub material: u32,
    /// Bodies per time.
    pub rate: f64,
    /// When the first comes.
    pub from: f64,
    /// Where they come, wholly inside.
    pub region: FillRegion<D>,
    /// For every wall of the scene whether they come inside of it, as in a closed container; into none if
    /// this is empty.
    pub filled_walls: Vec<bool>,
    /// How fast they come.
    pub velocity: Vector<D>,
}

/// Bodies that come in one after the other, at random places of a region that are free.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Pour")]
pub(super) struct WrittenPour {
    /// How many bodies in all.
    pub count: LocatedValue<PositiveWholeNumber>,
    /// The radius of all, or how the radii are spread.
    #[schemars(with = "Option<BoundedOr<Positive, WrittenRadii>>")]
    radius: Option<LocatedValue<NumberOr<WrittenRadii>>>,
    /// The name of the shape of all, instead of a radius. A body comes where the sphere around it is free.
    shape: Option<LocatedValue<String>>,
    /// Whether bodies with a shape are turned at random, every way being equally likely; true if left out.
    turned: Option<LocatedValue<bool>>,
    /// Bodies per time.
    #[schemars(with = "Positive")]
    rate: LocatedValue<f64>,
    /// When the first comes; 0 if left out.
    #[schemars(with = "Option<NotNegative>")]
    from: Option<LocatedValue<f64>>,
    /// The part of the box where they come, wholly inside; the whole box if left out.
    pub region: Option<LocatedValue<WrittenFillRegion>>,
    /// How fast they come, one number per axis; at rest if left out.
    velocity: Option<LocatedValue<Vec<f64>>>,
    /// Mass of every body; left out, it comes from the density of the material, and is 1 without one.
    #[schemars(with = "Option<Positive>")]
    mass: Option<LocatedValue<f64>>,
    /// The name of a material.
    material: Option<LocatedValue<String>>,
}

impl WrittenPour {
    /// The tables of a scene; each has its own random numbers.
    pub(super) fn check_all<const D: usize>(
        tables: &[LocatedValue<Self>],
        kinds: (&Materials, &Shapes),
        (region, folder): (&Region<D>, &Path),
        seed: u64,
    ) -> ValidationResult<Vec<Pour<D>>> {
        let tables = (0..).zip(tables);
        tables.map(|(number, table)| table.check(kinds, (region, folder), (seed, number))).collect()
    }
}

impl LocatedValue<WrittenPour> {
    fn check<const D: usize>(
        &self,
        (materials, shapes): (&Materials, &Shapes),
        (region, folder): (&Region<D>, &Path),
        key: (u64, u64),
    ) -> ValidationResult<Pour<D>> {
        let table = &self.value;
        let weight = MassRule::check(&table.mass, &table.material, materials)?;
        let count = check_count(&table.count)?;
        let random = &mut random_stream(key, RandomStreamPurpose::PouredSizes);
        let (radii, shape, masses): (Vec<f64>, _, Vec<f64>) = match (&table.radius, &table.shape) {
            (Some(radius), None) => {
                let radii = WrittenRadii::draw::<D>(radius, count, random)?;
                let masses = radii.iter().map(|&radius| weight.ball_mass::<D>(radius)).collect();
                (radii, None, masses)
            }
            (None, Some(name)) => {
                let (index, shape) = shapes.find(name)?;
                let mass = weight.mass_of_volume(shape.volume);
                (vec![shape.radius; count], Some(index), vec![mass; count])
            }
            (radius, _) => return Err(no_size(&self.span, radius.is_some())),
        };
        let orientations = self
            .orientations::<D>(&mut random_stream(key, RandomStreamPurpose::PouredOrientations))?;
        let usable = 1.0 / LARGEST_NUMBER..=LARGEST_NUMBER;
        if !masses.iter().all(|mass| usable.contains(mass)) {
            return Err(self.refuse("masses must lie between 1e-100 and 1e100"));
        }
        Ok(Pour {
            region: self.region((region, folder), radii.iter().copied().fold(0.0, f64::max))?,
            filled_walls: Vec::new(),
            radii,
            masses,
            shape,
            orientations,
            material: weight.material,
            rate: table.rate.positive(POSITIVE)?,
            from: table.from.as_ref().map_or(Ok(0.0), LocatedValue::not_negative)?,
            velocity: (table.velocity.as_ref())
                .map_or(Ok(Vector::zeros()), |velocity| velocity.vector())?,
        })
    }

    /// One for each body if it has a shape.
    fn orientations<const D: usize>(
        &self,
        random: &mut SplitMix64,
    ) -> ValidationResult<Vec<[f64; 4]>> {
        let table = &self.value;
        if table.shape.is_none() {
            let rule = "only bodies with a shape are turned";
            let refused = |turned: &LocatedValue<bool>| Err(turned.refuse(rule));
            return table.turned.as_ref().map_or(Ok(Vec::new()), refused);
        }
        let turned = table.turned.as_ref().is_none_or(|turned| turned.value);
        let mut turn =
            |_| if turned { random_orientation::<D>(random) } else { IDENTITY_ORIENTATION };
        Ok((0..check_count(&table.count)?).map(&mut turn).collect())
    }

    fn region<const D: usize>(
        &self,
        (region, folder): (&Region<D>, &Path),
        largest: f64,
    ) -> ValidationResult<FillRegion<D>> {
        let part = match &self.value.region {
            Some(part) => part.check(region, folder)?,
            None => FillRegion::whole(region),
        };
        let width = part.bounds().size().min();
        if width >= 2.0 * largest {
            return Ok(part);
        }
        let rule = format!(
            "bodies of radius {largest} find no room in a region {width} wide; widen it, or take smaller \
             bodies"
        );
        let span = self.value.region.as_ref().map_or(&self.span, |part| &part.span);
        Err(SceneValidationError::Value { span: span.clone(), rule: rule.into() })
    }
}
