//! How bodies touch where they may overlap: of a material, and of a pair of materials.

use super::bounds::{NotNegative, Positive, ZeroToOne};
use super::material::{Materials, RESTITUTION};
use super::problem::{SceneProblem, SceneValidationError, ValidationResult};
use super::values::{LocatedValue, POSITIVE};
use schemars::JsonSchema;
use serde::Deserialize;
use std::ops::Range;

/// What counts where bodies overlap; what a material leaves out is for the engine to choose.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactParameters {
    /// How it resists being pressed.
    pub elasticity: Option<Elasticity>,
    /// Damping as a rate times the reduced mass, instead of a restitution.
    pub damping: Option<f64>,
    /// Coulomb's coefficient.
    pub friction: Option<f64>,
    /// Torque against rolling, in parts of the force along the normal times the reduced radius.
    pub rolling_friction: Option<f64>,
    /// Energy to part a unit of touching area.
    pub adhesion: Option<f64>,
}

/// How a material resists being pressed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Elasticity {
    /// By a force in proportion to the overlap.
    Spring {
        /// Force for an overlap of one, of two bodies of the material.
        stiffness: f64,
        /// The same across the normal, in parts of it.
        tangential_ratio: f64,
    },
    /// As elastic spheres (Hertz and Mindlin).
    Hertz {
        /// Young's modulus.
        youngs_modulus: f64,
        /// Poisson's ratio.
        poissons_ratio: f64,
    },
}

/// How two materials touch, where that does not follow from each of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MaterialPairContact {
    /// Indices of the materials.
    pub materials: [u32; 2],
    /// Part of the speed of approach that is left.
    pub restitution: Option<f64>,
    /// Everything else.
    pub contact: ContactParameters,
}

/// The keys that materials and pairs have in common.
pub(super) struct ContactParameterKeys<'a> {
    pub stiffness: &'a Option<LocatedValue<f64>>,
    pub tangential_stiffness: &'a Option<LocatedValue<f64>>,
    pub damping: &'a Option<LocatedValue<f64>>,
    pub friction: &'a Option<LocatedValue<f64>>,
    pub rolling_friction: &'a Option<LocatedValue<f64>>,
    pub adhesion: &'a Option<LocatedValue<f64>>,
}

/// Two sevenths: then a spring across the normal swings as fast as one along it for solid spheres
/// (P. Cundall and O. Strack's ratio in the common form of L. Silbert et al., 2001).
const TANGENTIAL_STIFFNESS_RATIO: f64 = 2.0 / 7.0;

impl ContactParameterKeys<'_> {
    pub(super) fn check(&self) -> ValidationResult<ContactParameters> {
        let number = |key: &Option<LocatedValue<f64>>| {
            key.as_ref().map(LocatedValue::not_negative).transpose()
        };
        let stiffness = self.stiffness.as_ref().map(|key| key.positive(POSITIVE)).transpose()?;
        let tangential = number(self.tangential_stiffness)?;
        if let (None, Some(key)) = (stiffness, self.tangential_stiffness) {
            return Err(key.refuse("it is a part of stiffness, which is not given; add it"));
        }
        Ok(ContactParameters {
            elasticity: stiffness.map(|stiffness| Elasticity::Spring {
                stiffness,
                tangential_ratio: tangential.unwrap_or(TANGENTIAL_STIFFNESS_RATIO),
            }),
            damping: number(self.damping)?,
            friction: number(self.friction)?,
            rolling_friction: number(self.rolling_friction)?,
            adhesion: number(self.adhesion)?,
        })
    }
}

/// How two materials touch, where that does not follow from each of them.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Contact")]
pub(super) struct WrittenContact {
    /// The names of two materials.
    between: LocatedValue<Vec<String>>,
    /// Part of the speed of approach that is left after a collision, from 0 to 1.
    #[schemars(with = "Option<ZeroToOne>")]
    restitution: Option<LocatedValue<f64>>,
    /// Damping along the normal, as a rate times the reduced mass, instead of a restitution.
    #[schemars(with = "Option<NotNegative>")]
    damping: Option<LocatedValue<f64>>,
    /// Force for an overlap of one.
    #[schemars(with = "Option<Positive>")]
    stiffness: Option<LocatedValue<f64>>,
    /// The same across the normal, in parts of stiffness; 2/7 if left out.
    #[schemars(with = "Option<NotNegative>")]
    tangential_stiffness: Option<LocatedValue<f64>>,
    /// Coulomb's coefficient of friction.
    #[schemars(with = "Option<NotNegative>")]
    friction: Option<LocatedValue<f64>>,
    /// Torque against rolling, in parts of the force along the normal times the reduced radius.
    #[schemars(with = "Option<NotNegative>")]
    rolling_friction: Option<LocatedValue<f64>>,
    /// Energy to part a unit of touching area.
    #[schemars(with = "Option<NotNegative>")]
    adhesion: Option<LocatedValue<f64>>,
}

impl WrittenContact {
    /// All pairs, each of which may stand there once.
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
        Ok(MaterialPairContact { materials: numbers, restitution, contact: touch })
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
