//! Many bodies from a rule: how many, how large, where, how fast.

use super::body::{Body, IDENTITY_ORIENTATION, MassRule, rotation_about_z};
use super::bounds::{BoundedOr, NotNegative, OpenFraction, Positive};
use super::fill_region::WrittenFillRegion;
use super::initial_bodies::InitialBodies;
use super::material::Materials;
use super::problem::{SceneProblem, SceneValidationError, ValidationResult};
use super::radii::WrittenRadii;
use super::region::BoxSize;
use super::shape::Shapes;
use super::values::{LocatedValue, NumberOr, POSITIVE, PositiveWholeNumber};
use crate::generate::{LatticeKind, SplitMix64, ball_volume, maxwellian, random_rotation};
use crate::memory;
use carom_detect::LARGEST_NUMBER;
use carom_geometry::{Aabb, Vector, math};
use schemars::JsonSchema;
use serde::Deserialize;
use std::f64::consts::TAU;
use std::ops::Range;

/// Bodies made by a rule.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Generate")]
pub(super) struct WrittenGenerator {
    /// Where the bodies go.
    pub kind: PlacementKind,
    /// For kind lattice: which one; fcc in space and triangular in the plane if left out.
    lattice: Option<LocatedValue<LatticeName>>,
    /// How many bodies.
    pub count: LocatedValue<PositiveWholeNumber>,
    /// The radius of all, or how the radii are spread.
    #[schemars(with = "Option<BoundedOr<Positive, WrittenRadii>>")]
    radius: Option<LocatedValue<NumberOr<WrittenRadii>>>,
    /// The name of the shape of all, instead of a radius (engine dem). Places are chosen so that the
    /// spheres around the bodies do not overlap.
    shape: Option<LocatedValue<String>>,
    /// Whether bodies with a shape are turned at random, every way being equally likely; true if left out.
    turned: Option<LocatedValue<bool>>,
    /// The part of the box (or of `region`) that these bodies cover; gives the box its size if it
    /// has none.
    #[schemars(with = "Option<OpenFraction>")]
    pub packing_fraction: Option<LocatedValue<f64>>,
    /// kT of Gaussian velocities, without motion as a whole and scaled so that the kinetic energy is
    /// exactly kT/2 per body and axis; at rest if left out.
    #[schemars(with = "Option<NotNegative>")]
    temperature: Option<LocatedValue<f64>>,
    /// The part of the box to fill; the whole box if left out. Walls are kept clear of.
    pub region: Option<LocatedValue<WrittenFillRegion>>,
    /// Mass of every body; left out, it comes from the density of the material, and is 1 without one.
    #[schemars(with = "Option<Positive>")]
    mass: Option<LocatedValue<f64>>,
    /// The name of a material.
    material: Option<LocatedValue<String>>,
}

/// Where generated bodies go.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum PlacementKind {
    /// At random places without overlap, one after the other, large ones first, and off the walls.
    Random,
    /// On a lattice stretched to fill the box evenly, without sites that touch walls or other bodies; sites
    /// too many are left out at random.
    Lattice,
}

/// A lattice.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "Lattice")]
enum LatticeName {
    /// In the plane, 4 neighbors.
    Square,
    /// In the plane, 6 neighbors.
    Triangular,
    /// In space, 6 neighbors.
    Cubic,
    /// In space, 12 neighbors: face-centerd cubic.
    Fcc,
}

/// A part of the box.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Part")]
pub(super) struct WrittenBlock {
    /// The corner with the smallest coordinates.
    low: LocatedValue<Vec<f64>>,
    /// The corner with the largest coordinates.
    high: LocatedValue<Vec<f64>>,
}

/// Is told now and then how many bodies of how many have their place.
pub(super) type PlacementCallback<'a> = &'a mut dyn FnMut(usize, usize);

/// Bodies whose sizes are known but not their places.
pub(super) struct UnplacedBodies<'a> {
    pub(super) written: &'a LocatedValue<WrittenGenerator>,
    weight: MassRule,
    temperature: f64,
    pub(super) radii: Vec<f64>,
    /// The index of the shape of all, and its volume.
    shape: Option<(u32, f64)>,
    /// The seed of the scene and the number of this table.
    pub(super) key: (u64, u64),
}

/// What random numbers are for; each has its own stream.
#[derive(Clone, Copy)]
pub(super) enum RandomStreamPurpose {
    Sizes,
    Positions,
    Velocities,
    Orientations,
    PouredSizes,
    PouredOrientations,
    FilledWalls,
}

pub(super) fn random_stream((seed, table): (u64, u64), purpose: RandomStreamPurpose) -> SplitMix64 {
    SplitMix64::keyed(seed, &[table, purpose as u64])
}

/// What a body needs while it is placed and checked, roughly.
const BYTES_PER_BODY: f64 = 256.0;
const FRACTION: &str = "a packing fraction must lie between 0 and 1";

impl<'a> UnplacedBodies<'a> {
    /// The sizes and weights of the table number `table`.
    pub(super) fn draw<const D: usize>(
        written: &'a LocatedValue<WrittenGenerator>,
        (materials, shapes): (&Materials, &Shapes),
        key: (u64, u64),
    ) -> ValidationResult<Self> {
        let table = &written.value;
        let count = check_count(&table.count)?;
        let weight = MassRule::check(&table.mass, &table.material, materials)?;
        let temperature = table.temperature.as_ref().map_or(Ok(0.0), LocatedValue::not_negative)?;
        let random = &mut random_stream(key, RandomStreamPurpose::Sizes);
        let (radii, shape) = match (&table.radius, &table.shape) {
            (Some(radius), None) => (WrittenRadii::draw::<D>(radius, count, random)?, None),
            (None, Some(name)) => {
                let (index, shape) = shapes.find(name)?;
                (vec![shape.radius; count], Some((index, shape.volume)))
            }
            (radius, _) => return Err(no_size(&written.span, radius.is_some())),
        };
        Ok(UnplacedBodies { written, weight, temperature, radii, shape, key })
    }

    pub(super) fn largest_radius(&self) -> f64 {
        self.radii.iter().copied().fold(0.0, f64::max)
    }

    pub(super) fn volume<const D: usize>(&self) -> f64 {
        self.volumes::<D>().sum()
    }

    fn volumes<const D: usize>(&self) -> impl Iterator<Item = f64> {
        let of_shape = self.shape.map(|(_, volume)| volume);
        let radii = self.radii.iter();
        radii.map(move |radius| of_shape.unwrap_or_else(|| ball_volume::<D>(2.0 * radius)))
    }

    /// The size of the square or cubic box that the packing fraction asks for.
    pub(super) fn box_size<const D: usize>(&self) -> ValidationResult<Option<BoxSize<D>>> {
        let table = &self.written.value;
        let Some(fraction) = &table.packing_fraction else { return Ok(None) };
        if let Some(part) = &table.region {
            let rule = "a region needs a box of known size; give box.size";
            return Err(part.refuse(rule));
        }
        let volume = self.volume::<D>() / table.fraction()?.unwrap_or(1.0);
        let side = if D == 2 { volume.sqrt() } else { math::cbrt(volume) };
        if !(1.0 / LARGEST_NUMBER..=LARGEST_NUMBER).contains(&volume) {
            let rule = "the box it asks for is too small or too large; give box.size";
            return Err(fraction.refuse(rule));
        }
        Ok(Some(BoxSize { edges: Vector::repeat(side), span: fraction.span.clone() }))
    }

    /// Adds the bodies at their places.
    pub(super) fn add<const D: usize>(
        &self,
        positions: Vec<Vector<D>>,
        start: &mut InitialBodies<D>,
    ) -> ValidationResult<()> {
        let masses: Vec<f64> =
            self.volumes::<D>().map(|volume| self.weight.mass_of_volume(volume)).collect();
        let random = &mut random_stream(self.key, RandomStreamPurpose::Velocities);
        let velocities = maxwellian(&masses, self.temperature, random);
        let turns = &mut random_stream(self.key, RandomStreamPurpose::Orientations);
        let material = self.weight.material;
        let shape = self.shape.map(|(index, _)| index);
        start.begin(&self.written.span, None);
        for (index, position) in positions.into_iter().enumerate() {
            let (radius, mass) = (self.radii[index], masses[index]);
            let velocity = velocities[index];
            let (orientation, angular_velocity) = (self.orientation::<D>(turns), Vector::zeros());
            let body = Body {
                position,
                velocity,
                radius,
                mass,
                material,
                shape,
                orientation,
                angular_velocity,
            };
            start.push(body)?;
        }
        Ok(())
    }

    fn orientation<const D: usize>(&self, random: &mut SplitMix64) -> [f64; 4] {
        let asked = self.written.value.turned.as_ref().is_none_or(|turned| turned.value);
        if self.shape.is_some() && asked {
            random_orientation::<D>(random)
        } else {
            IDENTITY_ORIENTATION
        }
    }
}

/// A random orientation, every one being equally likely.
pub(super) fn random_orientation<const D: usize>(random: &mut SplitMix64) -> [f64; 4] {
    if D == 2 { rotation_about_z(TAU * random.uniform()) } else { random_rotation(random) }
}

/// A number of bodies that this machine can hold.
pub(super) fn check_count(written: &LocatedValue<PositiveWholeNumber>) -> ValidationResult<usize> {
    let count = usize::try_from(written.value.0).unwrap_or(usize::MAX);
    if count == 0 {
        return Err(written.refuse("it must be at least 1"));
    }
    let rule = "so many bodies fit neither 32-bit indices nor the memory of this machine";
    let room =
        memory::available_bytes().is_none_or(|bytes| count as f64 * BYTES_PER_BODY <= bytes as f64);
    let enough = u32::try_from(count).is_ok() && room;
    if enough { Ok(count) } else { Err(written.refuse(rule)) }
}

impl WrittenGenerator {
    pub(super) fn fraction(&self) -> ValidationResult<Option<f64>> {
        let Some(fraction) = &self.packing_fraction else { return Ok(None) };
        let value = fraction.positive(POSITIVE)?;
        if value < 1.0 { Ok(Some(value)) } else { Err(fraction.refuse(FRACTION)) }
    }

    pub(super) fn lattice<const D: usize>(&self) -> ValidationResult<LatticeKind> {
        let densest = if D == 2 { LatticeKind::Triangular } else { LatticeKind::FaceCenteredCubic };
        let Some(name) = &self.lattice else { return Ok(densest) };
        let kind = match name.value {
            LatticeName::Square => LatticeKind::Square,
            LatticeName::Triangular => LatticeKind::Triangular,
            LatticeName::Cubic => LatticeKind::Cubic,
            LatticeName::Fcc => LatticeKind::FaceCenteredCubic,
        };
        let rule = if D == 2 {
            "in 2 dimensions it must be triangular or square"
        } else {
            "in 3 dimensions it must be fcc or cubic"
        };
        if kind.dimension() == D { Ok(kind) } else { Err(name.refuse(rule)) }
    }

    /// Refuses what hard discs and spheres do not have.
    pub(super) fn check_event_driven(&self) -> ValidationResult<()> {
        let rule = "only engine = \"dem\" has bodies with shapes";
        self.shape.as_ref().map_or(Ok(()), |shape| Err(shape.refuse(rule)))
    }

    /// Refuses keys that the kind has no use for.
    pub(super) fn check_keys(&self) -> ValidationResult<()> {
        if let (Some(turned), None) = (&self.turned, &self.shape) {
            return Err(turned.refuse("only bodies with a shape are turned"));
        }
        match &self.lattice {
            Some(name) if self.kind != PlacementKind::Lattice => {
                Err(name.refuse("only kind = \"lattice\" has one"))
            }
            _ => Ok(()),
        }
    }
}

/// Bodies have a radius or a shape, not both.
pub(super) fn no_size(span: &Range<usize>, has_radius: bool) -> SceneValidationError {
    let table = "this table".to_owned();
    let problem = if has_radius {
        let remedy = "the shape has a size; leave one out";
        SceneProblem::Conflict { table, first: "radius", second: "shape", remedy }
    } else {
        let remedy = "add it, or the name of a shape".into();
        SceneProblem::Missing { table, key: "radius".to_owned(), remedy }
    };
    SceneValidationError::at(span, problem)
}

impl WrittenBlock {
    /// The corners wherever they are.
    pub(super) fn corners<const D: usize>(part: &LocatedValue<Self>) -> ValidationResult<Aabb<D>> {
        let (low, high) = (part.value.low.vector()?, part.value.high.vector()?);
        if (0..D).all(|axis| low[axis] < high[axis]) {
            return Ok(Aabb { low, high });
        }
        Err(part.refuse("low must be below high on every axis"))
    }
}
