//! Contact law parameters that a material and a pair of materials have in common, as scenes write them (DEM).

use super::bounds::{NotNegative, Positive, ZeroToOne};
use super::material::{Materials, RESTITUTION};
use super::problem::{SceneProblem, SceneValidationError, ValidationResult};
use super::values::{LocatedValue, POSITIVE};
use carom_simulate::dem::MaterialPairContact;
use schemars::JsonSchema;
use serde::Deserialize;
use std::ops::Range;

/// The keys that materials and pairs of materials have in common.
pub(super) struct ContactParameterKeys<'a> {
    pub stiffness: &'a Option<LocatedValue<f64>>,
    pub tangential_stiffness: &'a Option<LocatedValue<f64>>,
    pub damping: &'a Option<LocatedValue<f64>>,
    pub friction: &'a Option<LocatedValue<f64>>,
    pub rolling_friction: &'a Option<LocatedValue<f64>>,
    pub adhesion: &'a Option<LocatedValue<f64>>,
}

impl ContactParameterKeys<'_> {
    pub(super) fn check(&self) -> ValidationResult<MaterialPairContact> {
        let number = |key: &Option<LocatedValue<f64>>| {
            key.as_ref().map(LocatedValue::not_negative).transpose()
        };
        let stiffness = self.stiffness.as_ref().map(|key| key.positive(POSITIVE)).transpose()?;
        let tangential = number(self.tangential_stiffness)?;
        if let (None, Some(key)) = (stiffness, self.tangential_stiffness) {
            return Err(key.refuse("it is a part of stiffness, which is not given; add it"));
        }
        Ok(MaterialPairContact {
            stiffness,
            tangential_stiffness: tangential,
            damping: number(self.damping)?,
            friction: number(self.friction)?,
            rolling_friction: number(self.rolling_friction)?,
            adhesion: number(self.adhesion)?,
            ..MaterialPairContact::default()
        })
    }
}

/// Contact law of two materials, in place of what follows from each of them (engine dem).
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Contact")]
pub(super) struct WrittenContact {
    /// Names of two materials, which may be the same.
    between: LocatedValue<Vec<String>>,
    /// Coefficient of restitution: separation speed over approach speed, from 0 to 1.
    #[schemars(with = "Option<ZeroToOne>")]
    restitution: Option<LocatedValue<f64>>,
    /// Normal damping rate, in 1 / time, times the reduced mass; takes the place of restitution.
    #[schemars(with = "Option<NotNegative>")]
    damping: Option<LocatedValue<f64>>,
    /// Normal stiffness, in mass / time²: force per penetration depth.
    #[schemars(with = "Option<Positive>")]
    stiffness: Option<LocatedValue<f64>>,
    /// Tangential stiffness as a fraction of stiffness; 2/7 if left out.
    #[schemars(with = "Option<NotNegative>")]
    tangential_stiffness: Option<LocatedValue<f64>>,
    /// Coulomb friction coefficient.
    #[schemars(with = "Option<NotNegative>")]
    friction: Option<LocatedValue<f64>>,
    /// Rolling friction coefficient: the largest rolling torque over normal force times reduced radius.
    #[schemars(with = "Option<NotNegative>")]
    rolling_friction: Option<LocatedValue<f64>>,
    /// Work of adhesion per contact area, in mass / time².
    #[schemars(with = "Option<NotNegative>")]
    adhesion: Option<LocatedValue<f64>>,
}

impl WrittenContact {
    /// Checks all pairs, each of which may have one table.
    pub(super) fn check_all(
        tables: &[LocatedValue<Self>],
        materials: &Materials,
    ) -> ValidationResult<Vec<MaterialPairContact>> {
        let mut pairs: Vec<MaterialPairContact> = Vec::new();
        for table in tables {
            let pair = table.value.check(&table.span, materials)?;
            if pairs.iter().any(|other| other.materials == pair.materials) {
                let rule = "these two have a table already; put everything into one";
                return Err(table.value.between.refuse(rule));
            }
            pairs.push(pair);
        }
        Ok(pairs)
    }

    fn check(
        &self,
        span: &Range<usize>,
        materials: &Materials,
    ) -> ValidationResult<MaterialPairContact> {
        let [first, second] = self.between.value.as_slice() else {
            return Err(self.between.refuse("it must name two materials"));
        };
        let mut numbers = [0; 2];
        for (number, name) in numbers.iter_mut().zip([first, second]) {
            let name = LocatedValue { value: name.clone(), span: self.between.span.clone() };
            *number = materials.find(Some(&name))?;
        }
        numbers.sort_unstable();
        let restitution = self.restitution.as_ref();
        let restitution = restitution.map(|part| part.zero_to_one(RESTITUTION)).transpose()?;
        let touch = ContactParameterKeys {
            stiffness: &self.stiffness,
            tangential_stiffness: &self.tangential_stiffness,
            damping: &self.damping,
            friction: &self.friction,
            rolling_friction: &self.rolling_friction,
            adhesion: &self.adhesion,
        };
        let touch = touch.check()?;
        refuse_both("this contact", restitution.is_some() && touch.damping.is_some(), span)?;
        Ok(MaterialPairContact { materials: numbers, restitution, ..touch })
    }
}

/// Refuses a restitution beside a damping.
pub(super) fn refuse_both(table: &str, both: bool, span: &Range<usize>) -> ValidationResult<()> {
    if !both {
        return Ok(());
    }
    let problem = SceneProblem::Conflict {
        table: table.to_owned(),
        first: "restitution",
        second: "damping",
        remedy: "both say what a collision loses; keep one of them",
    };
    Err(SceneValidationError::at(span, problem))
}
