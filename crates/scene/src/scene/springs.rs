//! Springs between the particles of bonded solids, as scenes write them.

use super::bounds::{BelowOne, Positive};
use super::problem::{SceneProblem, SceneValidationError, ValidationResult};
use super::values::{LocatedValue, POSITIVE, optional_positive};
use carom_simulate::{SpringFailureCriterion, Springs};
use schemars::JsonSchema;
use serde::Deserialize;

/// Springs of solids of the material.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Springs")]
pub(super) struct WrittenSprings {
    /// Stiffness of the shortest springs, in mass / time², instead of youngs_modulus.
    #[schemars(with = "Option<Positive>")]
    pub stiffness: Option<LocatedValue<f64>>,
    /// Stiffness in compression over stiffness in tension; 1 if left out.
    #[schemars(with = "Option<Positive>")]
    compression_ratio: Option<LocatedValue<f64>>,
    /// Damping ratio of the shortest springs, as a fraction of critical damping: at least 0 and below 1; 0 if left out.
    #[schemars(with = "Option<BelowOne>")]
    damping: Option<LocatedValue<f64>>,
    /// Stretch (change of length over length) beyond which deformation is plastic; none if left out.
    #[schemars(with = "Option<Positive>")]
    yield_stretch: Option<LocatedValue<f64>>,
    /// Stretch at which a spring breaks; at most one of break_stretch, break_force and break_energy.
    #[schemars(with = "Option<Positive>")]
    break_stretch: Option<LocatedValue<f64>>,
    /// Force at which a spring breaks, in mass length / time².
    #[schemars(with = "Option<Positive>")]
    break_force: Option<LocatedValue<f64>>,
    /// Fracture energy: energy per area of a cut (2D: per length) that breaking its springs takes.
    #[schemars(with = "Option<Positive>")]
    break_energy: Option<LocatedValue<f64>>,
    /// Whether springs are rigid up to break_stretch or break_force and then fail; false if left out.
    rigid_brittle: Option<LocatedValue<bool>>,
}

impl WrittenSprings {
    pub(super) fn check(&self) -> ValidationResult<Springs> {
        let springs = Springs {
            stiffness: optional_positive(&self.stiffness)?,
            compression_ratio: self
                .compression_ratio
                .as_ref()
                .map_or(Ok(1.0), |pushed| pushed.positive(POSITIVE))?,
            damping: self.damping.as_ref().map_or(Ok(0.0), below_one)?,
            yield_stretch: optional_positive(&self.yield_stretch)?,
            failure_criterion: self.failure_criterion()?,
            rigid_brittle: self.rigid_brittle.as_ref().is_some_and(|it| it.value),
        };
        self.check_yield(&springs)?;
        self.check_rigid_brittle(&springs)?;
        Ok(springs)
    }

    fn failure_criterion(&self) -> ValidationResult<Option<SpringFailureCriterion>> {
        let kinds = [
            (
                "break_stretch",
                &self.break_stretch,
                SpringFailureCriterion::Stretch as fn(f64) -> SpringFailureCriterion,
            ),
            ("break_force", &self.break_force, SpringFailureCriterion::Force),
            ("break_energy", &self.break_energy, SpringFailureCriterion::Energy),
        ];
        let given = |(name, key, kind): (_, &'_ Option<LocatedValue<f64>>, _)| {
            key.clone().map(|key: LocatedValue<f64>| (name, key, kind))
        };
        let mut given = kinds.into_iter().filter_map(given);
        let Some((first, key, kind)) = given.next() else { return Ok(None) };
        if let Some((second, other, _)) = given.next() {
            return Err(conflict(first, second, &other, "keep one of them"));
        }
        key.positive(POSITIVE).map(|limit| Some(kind(limit)))
    }

    fn check_yield(&self, springs: &Springs) -> ValidationResult<()> {
        let (Some(key), Some(SpringFailureCriterion::Stretch(broken))) =
            (&self.yield_stretch, springs.failure_criterion)
        else {
            return Ok(());
        };
        if key.value < broken {
            return Ok(());
        }
        Err(key.refuse(format!("springs break before they yield; it must be below {broken:?}")))
    }

    fn check_rigid_brittle(&self, springs: &Springs) -> ValidationResult<()> {
        let Some(key) = self.rigid_brittle.as_ref().filter(|key| key.value) else { return Ok(()) };
        if self.yield_stretch.is_some() {
            let remedy = "a rigid-brittle solid does not yield: keep one of them";
            return Err(conflict("rigid_brittle", "yield_stretch", key, remedy));
        }
        match springs.failure_criterion {
            Some(SpringFailureCriterion::Stretch(_) | SpringFailureCriterion::Force(_)) => Ok(()),
            Some(SpringFailureCriterion::Energy(_)) => Err(key.refuse(
                "rigid springs store no energy to break by; give break_force or break_stretch \
                 instead of break_energy",
            )),
            None => {
                Err(key.refuse("it needs a failure criterion; add break_force or break_stretch"))
            }
        }
    }
}

fn below_one(damping: &LocatedValue<f64>) -> ValidationResult<f64> {
    let fits = (0.0..1.0).contains(&damping.value);
    if fits { Ok(damping.value) } else { Err(damping.refuse("it must be at least 0 and below 1")) }
}

fn conflict<T>(
    first: &'static str,
    second: &'static str,
    at: &LocatedValue<T>,
    remedy: &'static str,
) -> SceneValidationError {
    let table = "springs".to_owned();
    SceneValidationError::at(&at.span, SceneProblem::Conflict { table, first, second, remedy })
}
