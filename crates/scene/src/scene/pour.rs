//! Bodies that are poured in over time.

use super::Region;
use super::body::{IDENTITY_ORIENTATION, MassRule};
use super::bounds::{BoundedOr, NotNegative, Positive};
use super::fill_region::{FillRegion, WrittenFillRegion};
use super::generator::{
    RandomStreamPurpose, check_count, no_size, random_orientation, random_stream,
};
use super::material::Materials;
use super::problem::{SceneValidationError, ValidationResult};
use super::radii::WrittenRadii;
use super::shape::Shapes;
use super::values::{LocatedValue, NumberOr, POSITIVE, PositiveWholeNumber};
use crate::generate::SplitMix64;
use carom_detect::LARGEST_NUMBER;
use carom_geometry::Vector;
use schemars::JsonSchema;
use serde::Deserialize;
use std::path::Path;

/// Bodies that are inserted one after the other, at random free positions.
#[derive(Clone, Debug, PartialEq)]
pub struct Pour<const D: usize> {
    /// Radii, in order of insertion.
    pub radii: Vec<f64>,
    /// Masses, in the same order.
    pub masses: Vec<f64>,
    /// Index into the scene's shapes; discs and spheres have none. Radii are then those of the bounding spheres.
    pub shape: Option<u32>,
    /// Orientations of shapes in the same order: unit quaternions w, x, y, z.
    pub orientations: Vec<[f64; 4]>,
    /// Index of the material of the poured bodies.
    pub material: u32,
    /// Number of bodies per time.
    pub rate: f64,
    /// Time at which the first is inserted.
    pub from: f64,
    /// Region into which they are inserted, completely inside.
    pub region: FillRegion<D>,
    /// For every wall of the scene whether they are inserted inside of it, as in a closed container; inside of none
    /// if this is empty.
    pub filled_walls: Vec<bool>,
    /// Velocity with which bodies are inserted, in length / time.
    pub velocity: Vector<D>,
}

/// Bodies that are inserted one after the other, at random free positions of a region.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Pour")]
pub(super) struct WrittenPour {
    /// Number of bodies in all.
    pub count: LocatedValue<PositiveWholeNumber>,
    /// Radius of all bodies, in length, or the distribution of radii.
    #[schemars(with = "Option<BoundedOr<Positive, WrittenRadii>>")]
    radius: Option<LocatedValue<NumberOr<WrittenRadii>>>,
    /// Name of the shape of all bodies, instead of a radius. A body is inserted where its bounding sphere is free.
    shape: Option<LocatedValue<String>>,
    /// Whether bodies with a shape get random orientations, uniformly distributed; true if left out.
    turned: Option<LocatedValue<bool>>,
    /// Number of bodies per time.
    #[schemars(with = "Positive")]
    rate: LocatedValue<f64>,
    /// Time at which the first body is inserted; 0 if left out.
    #[schemars(with = "Option<NotNegative>")]
    from: Option<LocatedValue<f64>>,
    /// Part of the box into which bodies are inserted, completely inside; the whole box if left out.
    pub region: Option<LocatedValue<WrittenFillRegion>>,
    /// Initial velocity, one component per axis, in length / time; 0 if left out.
    velocity: Option<LocatedValue<Vec<f64>>>,
    /// Mass of every body; if left out, the density of the material times the volume, or 1 without a density.
    #[schemars(with = "Option<Positive>")]
    mass: Option<LocatedValue<f64>>,
    /// Name of a material; default if left out.
    material: Option<LocatedValue<String>>,
}

impl WrittenPour {
    /// Checks the tables of a scene; each has its own random numbers.
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

    /// Draws an orientation for each body if it has a shape.
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
