//! Bonded solids: lattices of particles and springs that deform and break.

use super::Region;
use super::bounds::Positive;
use super::crack::WrittenCrack;
use super::generator::WrittenBlock;
use super::initial_bodies::ROUNDING;
use super::material::Materials;
use super::problem::{SceneProblem, SceneValidationError, ValidationResult};
use super::region::AXES;
use super::solid_shape::{
    PointContainmentTest, SolidShape, SolidShapeKeys, WrittenBall, WrittenHole, WrittenSolidMesh,
};
use super::values::{LocatedValue, OneOrEach, POSITIVE};
use carom_geometry::{Aabb, Vector};
use carom_io::memory;
use carom_simulate::bonded::SpringLattice;
use schemars::JsonSchema;
use serde::Deserialize;
use std::ops::Range;
use std::path::Path;

/// A bonded solid at the start: a shape filled with particles on a lattice, joined by springs.
#[derive(Clone, Debug, PartialEq)]
pub struct Solid<const D: usize> {
    /// Index into the scene's materials; that material has Young's modulus or a spring stiffness.
    pub material: u32,
    /// Shape that is filled with particles.
    pub shape: SolidShape<D>,
    /// Holes of the shape, in which there are no particles.
    pub holes: Vec<SolidShape<D>>,
    /// Lattice on which the particles stand.
    pub lattice: SpringLattice,
    /// Distance between nearest particles (lattice spacing).
    pub spacing: f64,
    /// Orientation of the lattice: a rotation vector in radians, along z in 2D.
    pub lattice_rotation: Vector<3>,
    /// Velocity of the center of mass.
    pub velocity: Vector<D>,
    /// Angular velocity about the center of mass, in radians per time about each axis; about z in 2D.
    pub angular_velocity: Vector<3>,
    /// Initial cracks, whose springs are cut: in 2D the ends of a line segment, in 3D a corner of a parallelogram and
    /// the two adjacent corners.
    pub cracks: Vec<[Vector<D>; D]>,
    /// Whether all its particles keep their velocity.
    pub fixed: bool,
    /// Parts whose particles keep a velocity.
    pub velocity_constraints: Vec<VelocityConstraint<D>>,
}

/// A velocity that particles which start in a box keep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VelocityConstraint<const D: usize> {
    /// Box in which they start.
    pub block: Aabb<D>,
    /// Velocity that they keep.
    pub velocity: Vector<D>,
}

impl<const D: usize> Solid<D> {
    /// Returns the approximate number of lattice sites in its bounding box.
    pub fn lattice_site_count(&self) -> f64 {
        let cell = if self.lattice == SpringLattice::Triangular { 0.75_f64.sqrt() } else { 1.0 };
        // Divided edge by edge, so that no product overflows.
        let edges = self.shape.bounds().size().map(|edge| edge / self.spacing);
        edges.product() / cell
    }

    /// Returns a test whether points are in the shape and in none of its holes.
    pub fn inside_test(&self) -> PointContainmentTest<'_, D> {
        let points = self.lattice_site_count() as usize;
        let within = self.shape.inside_test(points);
        let holes: Vec<PointContainmentTest<D>> =
            self.holes.iter().map(|hole| hole.inside_test(points)).collect();
        Box::new(move |point| within(point) && !holes.iter().any(|hole| hole(point)))
    }
}

/// A bonded solid: a shape filled with particles that springs join; the shape is one of circle, polygon, sphere, block
/// and mesh.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Solid")]
pub(super) struct WrittenSolid {
    /// Name of a material, which must have youngs_modulus or springs.stiffness; default if left out.
    material: Option<LocatedValue<String>>,
    /// In 2D: a disc.
    circle: Option<LocatedValue<WrittenBall>>,
    /// In 2D: a simple polygon, given by its corners in order, each x and y.
    polygon: Option<LocatedValue<Vec<Vec<f64>>>>,
    /// In 3D: a ball.
    sphere: Option<LocatedValue<WrittenBall>>,
    /// An axis-aligned rectangle (2D) or box (3D).
    block: Option<LocatedValue<WrittenBlock>>,
    /// In 3D: the inside of a closed surface.
    mesh: Option<LocatedValue<WrittenSolidMesh>>,
    /// Holes in the solid.
    #[serde(default)]
    holes: Vec<LocatedValue<WrittenHole>>,
    /// Arrangement of the particles; square-8 in 2D and cubic-18 in 3D if left out.
    lattice: Option<LocatedValue<SpringLattice>>,
    /// Distance between nearest particles (lattice spacing), in length.
    #[schemars(with = "Positive")]
    spacing: LocatedValue<f64>,
    /// Orientation of the lattice, in degrees: one angle in 2D, a rotation vector in 3D; 0 if left out.
    turn: Option<LocatedValue<OneOrEach<f64>>>,
    /// Velocity of the center of mass, one component per axis, in length / time; 0 if left out.
    velocity: Option<LocatedValue<Vec<f64>>>,
    /// Angular velocity about the center of mass, in radians / time: one number in 2D, one per axis in 3D; 0 if left
    /// out.
    angular_velocity: Option<LocatedValue<OneOrEach<f64>>>,
    /// Initial cracks.
    #[serde(default)]
    cracks: Vec<LocatedValue<WrittenCrack>>,
    /// Whether all its particles keep their velocity; false if left out.
    fixed: Option<LocatedValue<bool>>,
    /// Parts whose particles keep a velocity.
    #[serde(default)]
    hold: Vec<LocatedValue<WrittenHold>>,
}

/// A part of a solid whose particles keep a velocity.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Hold")]
struct WrittenHold {
    /// Box in which the particles are at the start.
    block: LocatedValue<WrittenBlock>,
    /// Velocity that they keep, one component per axis, in length / time; 0 if left out.
    velocity: Option<LocatedValue<Vec<f64>>>,
}

/// Largest number of lattice sites of all solids together.
const MOST_SITES: f64 = 2e8;
/// Bytes per lattice site in 2D and 3D. Measured: 400 and 870 per particle; a ball fills half of the sites in its
/// bounding box.
const BYTES_PER_SITE: [f64; 2] = [300.0, 450.0];

impl WrittenSolid {
    /// Checks all solids; they must lie in the region, if one is given.
    pub(super) fn check_all<const D: usize>(
        tables: &[LocatedValue<Self>],
        materials: &Materials,
        region: Option<&Region<D>>,
        folder: &Path,
    ) -> ValidationResult<Vec<Solid<D>>> {
        let (mut solids, mut places) = (Vec::new(), 0.0);
        for table in tables {
            let solid = table.value.check(table, materials, region, folder)?;
            places += solid.lattice_site_count();
            if places.is_nan() || places > MOST_SITES {
                return Err(table.value.spacing.refuse(format!(
                    "the lattices of all solids so far have about {places:.1e} places; more than \
                     {MOST_SITES:e} are too many"
                )));
            }
            let needed =
                memory::check("lattices of all solids so far", places * BYTES_PER_SITE[D - 2]);
            needed.map_err(|error| table.value.spacing.refuse(error.to_string()))?;
            solids.push(solid);
        }
        Ok(solids)
    }

    fn check<const D: usize>(
        &self,
        table: &LocatedValue<Self>,
        materials: &Materials,
        region: Option<&Region<D>>,
        folder: &Path,
    ) -> ValidationResult<Solid<D>> {
        let material = self.check_material(table, materials)?;
        let (shape, place) = self.keys().check::<D>(&table.span, folder)?;
        let bounds = shape.bounds();
        region.map_or(Ok(()), |region| check_in_box(&bounds, region, &place))?;
        let velocity = self.velocity.as_ref().map_or(Ok(Vector::zeros()), LocatedValue::vector)?;
        Ok(Solid {
            material,
            lattice: self.check_lattice::<D>()?,
            spacing: self.check_spacing(&bounds)?,
            lattice_rotation: self
                .turn
                .as_ref()
                .map_or(Ok(Vector::zeros()), rotation_vector::<D>)?,
            velocity,
            angular_velocity: self
                .angular_velocity
                .as_ref()
                .map_or(Ok(Vector::zeros()), LocatedValue::axial_vector::<D>)?,
            holes: self.check_holes(&bounds, folder)?,
            cracks: self
                .cracks
                .iter()
                .map(|crack| WrittenCrack::check(crack, &bounds))
                .collect::<ValidationResult<_>>()?,
            fixed: self.check_fixed()?,
            velocity_constraints: self
                .hold
                .iter()
                .map(|hold| hold.value.check(&bounds))
                .collect::<ValidationResult<_>>()?,
            shape,
        })
    }

    /// Whether some of its particles keep a velocity.
    pub(super) fn has_held_particles(&self) -> bool {
        !self.hold.is_empty() || self.fixed.as_ref().is_some_and(|fixed| fixed.value)
    }

    fn keys(&self) -> SolidShapeKeys<'_> {
        SolidShapeKeys {
            table: "this solid",
            circle: &self.circle,
            polygon: &self.polygon,
            sphere: &self.sphere,
            block: &self.block,
            mesh: &self.mesh,
        }
    }

    fn check_material(
        &self,
        table: &LocatedValue<Self>,
        materials: &Materials,
    ) -> ValidationResult<u32> {
        let index = materials.find(self.material.as_ref())?;
        let material = &materials.list()[index as usize];
        if material.youngs_modulus.or(material.springs.stiffness).is_some() {
            return Ok(index);
        }
        let span = self.material.as_ref().map_or(&table.span, |name| &name.span);
        let name = carom_io::excerpt::escape_control_characters(&material.name);
        let (table, key) =
            (format!("the material {name} of this solid"), "youngs_modulus".to_owned());
        let remedy = "add it, or springs.stiffness".into();
        Err(SceneValidationError::at(span, SceneProblem::Missing { table, key, remedy }))
    }

    fn check_lattice<const D: usize>(&self) -> ValidationResult<SpringLattice> {
        match &self.lattice {
            None if D == 2 => Ok(SpringLattice::Square8),
            None => Ok(SpringLattice::Cubic18),
            Some(lattice) if lattice.value.dimension() == D => Ok(lattice.value),
            Some(lattice) if D == 2 => {
                Err(lattice.refuse("in the plane it must be square-4, square-8 or triangular"))
            }
            Some(lattice) => {
                Err(lattice.refuse("in space it must be cubic-6, cubic-18 or cubic-26"))
            }
        }
    }

    fn check_spacing<const D: usize>(&self, bounds: &Aabb<D>) -> ValidationResult<f64> {
        let (spacing, extent) = (self.spacing.positive(POSITIVE)?, bounds.size().min());
        if spacing <= 0.5 * extent {
            return Ok(spacing);
        }
        Err(self.spacing.refuse(format!(
            "it is too coarse for the shape, whose smallest extent is {extent:?}: it must be at most \
             half of that"
        )))
    }

    fn check_holes<const D: usize>(
        &self,
        bounds: &Aabb<D>,
        folder: &Path,
    ) -> ValidationResult<Vec<SolidShape<D>>> {
        let check = |table: &LocatedValue<WrittenHole>| {
            let (hole, place) = table.value.keys().check::<D>(&table.span, folder)?;
            let refuse = |rule: &'static str| SceneValidationError::Value {
                span: place.clone(),
                rule: rule.into(),
            };
            if !boxes_overlap(&hole.bounds(), bounds) {
                return Err(refuse("the hole lies outside of the solid"));
            }
            if covers_box(&hole, bounds) {
                return Err(refuse("the hole leaves nothing of the solid"));
            }
            Ok(hole)
        };
        self.holes.iter().map(check).collect()
    }

    fn check_fixed(&self) -> ValidationResult<bool> {
        let fixed = self.fixed.as_ref().is_some_and(|fixed| fixed.value);
        match self.hold.first() {
            Some(hold) if fixed => {
                let (table, remedy) = ("this solid".to_owned(), "keep one of them");
                let (first, second) = ("fixed", "hold");
                let problem = SceneProblem::Conflict { table, first, second, remedy };
                Err(SceneValidationError::at(&hold.span, problem))
            }
            _ => Ok(fixed),
        }
    }
}

impl WrittenHold {
    fn check<const D: usize>(&self, bounds: &Aabb<D>) -> ValidationResult<VelocityConstraint<D>> {
        let block = WrittenBlock::corners(&self.block)?;
        if !boxes_overlap(&block, bounds) {
            return Err(self.block.refuse("nothing of the solid is there to be held"));
        }
        let velocity = self.velocity.as_ref().map_or(Ok(Vector::zeros()), LocatedValue::vector)?;
        Ok(VelocityConstraint { block, velocity })
    }
}

fn check_in_box<const D: usize>(
    bounds: &Aabb<D>,
    region: &Region<D>,
    place: &Range<usize>,
) -> ValidationResult<()> {
    for (axis, name) in AXES.iter().enumerate().take(D) {
        let (low, high, size) = (bounds.low[axis], bounds.high[axis], region.size[axis]);
        let slack = ROUNDING * size;
        if !(low >= -slack && high <= size + slack) {
            let rule = format!(
                "it reaches from {low:?} to {high:?} along {name}, but the box from 0.0 to {size:?}"
            );
            return Err(SceneValidationError::Value { span: place.clone(), rule: rule.into() });
        }
    }
    Ok(())
}

/// Returns the orientation of the lattice as a rotation vector in radians.
fn rotation_vector<const D: usize>(
    written: &LocatedValue<OneOrEach<f64>>,
) -> ValidationResult<Vector<3>> {
    let degrees = written.axial_vector::<D>()?;
    // Whole turns are removed first, since degrees are exact and radians are not.
    Ok(if D == 2 { degrees.map(|angle| angle % 360.0) } else { degrees }.map(f64::to_radians))
}

/// Whether two boxes have more than sides in common.
fn boxes_overlap<const D: usize>(a: &Aabb<D>, b: &Aabb<D>) -> bool {
    (0..D).all(|axis| a.low[axis] < b.high[axis] && b.low[axis] < a.high[axis])
}

/// Whether a ball or a block contains all of a box.
fn covers_box<const D: usize>(hole: &SolidShape<D>, bounds: &Aabb<D>) -> bool {
    let convex = matches!(hole, SolidShape::Ball { .. } | SolidShape::Block { .. });
    let is_inside = convex.then(|| hole.inside_test(0));
    is_inside.is_some_and(|is_inside| (0..1 << D).all(|corner| is_inside(&bounds.corner(corner))))
}
