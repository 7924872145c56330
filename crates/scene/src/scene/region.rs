//! The box: its size and boundary conditions.

use super::bounds::{Positive, ZeroToOne};
use super::problem::{SceneProblem, SceneValidationError, ValidationResult};
use super::values::{LocatedValue, OneOrEach};
use super::written_scene::Engine;
use carom_detect::LARGEST_NUMBER;
use carom_geometry::Vector;
use carom_simulate::{BoundaryCondition, Region};
use schemars::JsonSchema;
use serde::Deserialize;
use std::ops::Range;

/// The box of the scene, which starts at the origin.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Box")]
pub(super) struct WrittenBox {
    /// Edge length of all axes, or one per axis, in length; may be left out if a [[generate]] table gives a
    /// packing_fraction, or if a particle file has a Lattice.
    #[schemars(with = "Option<OneOrEach<Positive>>")]
    pub size: Option<LocatedValue<OneOrEach<f64>>>,
    /// Boundary condition of all axes, or one per axis; if left out, periodic, and open in engine bonded, which has no
    /// periodic boundaries.
    boundary: Option<LocatedValue<OneOrEach<WrittenBoundaryCondition>>>,
    /// Coefficient of restitution of collisions with walls, for all axes or one per axis, from 0 to 1; if left out,
    /// that of the body's material.
    #[schemars(with = "Option<OneOrEach<ZeroToOne>>")]
    wall_restitution: Option<LocatedValue<OneOrEach<f64>>>,
}

/// The boundary condition of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "Boundary")]
pub(super) enum WrittenBoundaryCondition {
    /// A body that leaves on one side enters on the other.
    Periodic,
    /// Bodies bounce off.
    Wall,
    /// Bodies leave the box and continue.
    Open,
}

/// A size and the place of the key that gave it.
pub(super) struct BoxSize<const D: usize> {
    pub edges: Vector<D>,
    pub span: Range<usize>,
}

impl WrittenBox {
    /// Returns the size if it is written here.
    pub(super) fn size<const D: usize>(&self) -> ValidationResult<Option<BoxSize<D>>> {
        let Some(size) = &self.size else { return Ok(None) };
        let edges: [f64; D] = size.per_axis()?;
        let usable = 1.0 / LARGEST_NUMBER..=LARGEST_NUMBER;
        if !edges.iter().all(|edge| usable.contains(edge)) {
            return Err(size.refuse("every edge must be greater than zero and at most 1e100"));
        }
        if !usable.contains(&edges.iter().product()) {
            return Err(size.refuse("the volume of the box must lie between 1e-100 and 1e100"));
        }
        Ok(Some(BoxSize { edges: edges.into(), span: size.span.clone() }))
    }

    /// Returns the boundary conditions of every axis.
    pub(super) fn boundary_conditions<const D: usize>(
        &self,
        engine: Engine,
    ) -> ValidationResult<[BoundaryCondition; D]> {
        let kinds = self.boundary.as_ref().map(|kinds| kinds.per_axis()).transpose()?;
        let kinds: [WrittenBoundaryCondition; D] = match engine {
            Engine::Bonded => kinds.unwrap_or([WrittenBoundaryCondition::Open; D]),
            _ => kinds.unwrap_or([WrittenBoundaryCondition::Periodic; D]),
        };
        if engine == Engine::Bonded {
            self.check_bonded(&kinds)?;
        }
        let restitution = self.wall_restitution::<D>(&kinds)?;
        Ok(std::array::from_fn(|axis| match kinds[axis] {
            WrittenBoundaryCondition::Periodic => BoundaryCondition::Periodic,
            WrittenBoundaryCondition::Wall => {
                BoundaryCondition::Wall { restitution: restitution[axis] }
            }
            WrittenBoundaryCondition::Open => BoundaryCondition::Open,
        }))
    }

    /// Refuses keys that bonded solids do not have.
    fn check_bonded(&self, kinds: &[WrittenBoundaryCondition]) -> ValidationResult<()> {
        if let (Some(boundary), true) =
            (&self.boundary, kinds.contains(&WrittenBoundaryCondition::Periodic))
        {
            return Err(boundary.refuse(
                "solids cannot come in on the other side; in engine = \"bonded\" every side must \
                 be \"wall\" or \"open\"",
            ));
        }
        let rule =
            "what a wall leaves of the speed of a solid follows from its springs; leave it out";
        self.wall_restitution.as_ref().map_or(Ok(()), |key| Err(key.refuse(rule)))
    }

    fn wall_restitution<const D: usize>(
        &self,
        kinds: &[WrittenBoundaryCondition; D],
    ) -> ValidationResult<[Option<f64>; D]> {
        let Some(restitution) = &self.wall_restitution else { return Ok([None; D]) };
        let values: [f64; D] = restitution.per_axis()?;
        if !values.iter().all(|value| (0.0..=1.0).contains(value)) {
            return Err(restitution.refuse("a restitution must lie between 0 and 1"));
        }
        if !kinds.contains(&WrittenBoundaryCondition::Wall) {
            return Err(restitution.refuse("there is no wall; set box.boundary to \"wall\""));
        }
        Ok(values.map(Some))
    }
}

/// Refuses a period in which a body could collide with two images of another at once.
pub(super) fn check_periods<const D: usize>(
    region: &Region<D>,
    largest_radius: f64,
    growth: f64,
    span: &Range<usize>,
) -> ValidationResult<()> {
    let diameter = 2.0 * largest_radius * growth;
    for axis in (0..D).filter(|&axis| region.is_periodic(axis)) {
        let period = region.size[axis];
        if period <= 2.0 * diameter {
            let (axis, grown) = (AXES[axis], growth > 1.0);
            let problem = SceneProblem::ShortPeriod { axis, period, diameter, grown };
            return Err(SceneValidationError::at(span, problem));
        }
    }
    Ok(())
}

/// Names of the axes in messages.
pub(super) const AXES: [&str; 3] = ["x", "y", "z"];
