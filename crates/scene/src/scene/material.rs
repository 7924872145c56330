//! Materials as scenes write them.

use super::bounds::{BoundedOr, NotNegative, PoissonsRatio, Positive, ZeroToOne};
use super::contact_parameters::{ContactParameterKeys, refuse_both};
use super::problem::{SceneProblem, SceneValidationError, ValidationResult};
use super::reading::one_of;
use super::springs::WrittenSprings;
use super::values::{LocatedValue, NumberOr, POSITIVE};
use carom_simulate::dem::MaterialPairContact;
use carom_simulate::{DEFAULT_TANGENTIAL_STIFFNESS, Material, Restitution, Springs};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ops::Range;

/// A material of bodies and walls.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Material")]
pub(super) struct WrittenMaterial {
    /// Density, in mass / length³ (2D: mass / length²); gives bodies without a mass theirs. Of solids 1 if left out.
    #[schemars(with = "Option<Positive>")]
    density: Option<LocatedValue<f64>>,
    /// Coefficient of restitution, separation speed over approach speed, from 0 to 1; 1 if left out. Two materials
    /// collide with the smaller of their values.
    #[schemars(with = "Option<BoundedOr<ZeroToOne, WrittenRestitution>>")]
    restitution: Option<LocatedValue<NumberOr<WrittenRestitution>>>,
    /// Normal damping rate, in 1 / time, times the reduced mass; takes the place of restitution (engine dem).
    #[schemars(with = "Option<NotNegative>")]
    damping: Option<LocatedValue<f64>>,
    /// Normal contact stiffness between two bodies of the material, in mass / time² (engine dem). Without it and
    /// youngs_modulus the engine chooses one for a penetration depth of about a hundredth of a radius.
    #[schemars(with = "Option<Positive>")]
    stiffness: Option<LocatedValue<f64>>,
    /// Tangential stiffness as a fraction of stiffness; 2/7 if left out.
    #[schemars(with = "Option<NotNegative>")]
    tangential_stiffness: Option<LocatedValue<f64>>,
    /// Young's modulus, in mass / (length time²): of Hertz-Mindlin contacts (engine dem), or of solids (engine
    /// bonded, in 2D in mass / time²).
    #[schemars(with = "Option<Positive>")]
    youngs_modulus: Option<LocatedValue<f64>>,
    /// Poisson's ratio, above -1 and at most 0.5; if left out, 0.3 in engine dem and that of the lattice in engine
    /// bonded.
    #[schemars(with = "Option<PoissonsRatio>")]
    poissons_ratio: Option<LocatedValue<f64>>,
    /// Coulomb friction coefficient (engines dem and bonded); 0 if left out. Of two materials the smaller value
    /// counts.
    #[schemars(with = "Option<NotNegative>")]
    friction: Option<LocatedValue<f64>>,
    /// Rolling friction coefficient: the largest rolling torque over normal force times reduced radius (engine dem);
    /// 0 if left out. Of two materials the smaller value counts.
    #[schemars(with = "Option<NotNegative>")]
    rolling_friction: Option<LocatedValue<f64>>,
    /// Work of adhesion per contact area, in mass / time² (engine dem); 0 if left out. Of two materials the smaller
    /// value counts.
    #[schemars(with = "Option<NotNegative>")]
    adhesion: Option<LocatedValue<f64>>,
    /// Springs of solids (engine bonded).
    springs: Option<LocatedValue<WrittenSprings>>,
}

/// A constant coefficient of restitution, or one that falls with the approach speed v:
/// at_rest - (at_rest - at_speed) (v / speed)^exponent, clamped to 0 and 1.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Restitution")]
pub(super) struct WrittenRestitution {
    /// Coefficient at every speed; excludes the other keys.
    #[schemars(with = "Option<ZeroToOne>")]
    constant: Option<LocatedValue<f64>>,
    /// Coefficient in the limit of zero speed; 1 if left out.
    #[schemars(with = "Option<ZeroToOne>")]
    at_rest: Option<LocatedValue<f64>>,
    /// Coefficient at the approach speed `speed`.
    #[schemars(with = "Option<ZeroToOne>")]
    at_speed: Option<LocatedValue<f64>>,
    /// Approach speed at which `at_speed` holds, in length / time; 1 if left out.
    #[schemars(with = "Option<Positive>")]
    speed: Option<LocatedValue<f64>>,
    /// Exponent of the approach speed; 0.2, that of viscoelastic spheres, if left out.
    #[schemars(with = "Option<Positive>")]
    exponent: Option<LocatedValue<f64>>,
}

/// The materials of a scene by index; the first is that of bodies that name none.
pub(super) struct Materials(Vec<Material>);

pub(super) const RESTITUTION: &str = "a restitution must lie between 0 and 1";

impl Materials {
    pub(super) fn check(
        written: &BTreeMap<String, LocatedValue<WrittenMaterial>>,
    ) -> ValidationResult<Self> {
        let mut list = vec![Material::default()];
        for (name, material) in written {
            let material = material.value.check(name, &material.span)?;
            if *name == list[0].name { list[0] = material } else { list.push(material) }
        }
        Ok(Materials(list))
    }

    /// Returns the index of the material that a body names.
    pub(super) fn find(&self, name: Option<&LocatedValue<String>>) -> ValidationResult<u32> {
        let Some(name) = name else { return Ok(0) };
        let index = self.0.iter().position(|material| material.name == name.value);
        index.map(|index| index as u32).ok_or_else(|| {
            let names: Vec<&str> = self.0.iter().map(|material| material.name.as_str()).collect();
            name.refuse(carom_io::excerpt::escape_control_characters(&one_of(&name.value, &names)))
        })
    }

    pub(super) fn density(&self, index: u32) -> Option<f64> {
        self.0[index as usize].density
    }

    pub(super) fn list(&self) -> &[Material] {
        &self.0
    }

    pub(super) fn into_list(self) -> Vec<Material> {
        self.0
    }
}

impl WrittenMaterial {
    pub(super) fn written_density(&self) -> Option<&LocatedValue<f64>> {
        self.density.as_ref()
    }

    fn check(&self, name: &str, span: &Range<usize>) -> ValidationResult<Material> {
        let density =
            self.density.as_ref().map(|density| density.positive(POSITIVE)).transpose()?;
        let restitution = match &self.restitution {
            None => Restitution::Constant(1.0),
            Some(restitution) => check_restitution(restitution)?,
        };
        let contact = self.check_contact_keys(span)?;
        let springs = self.springs.as_ref().map(|springs| springs.value.check()).transpose()?;
        if let (Some(modulus), Some(_)) = (&self.youngs_modulus, self.springs_stiffness()) {
            let rule = "springs.stiffness says how stiff solids are; keep one of them";
            return Err(modulus.refuse(rule));
        }
        Ok(Material {
            name: name.to_owned(),
            density,
            restitution,
            damping: contact.damping,
            stiffness: contact.stiffness,
            tangential_stiffness: contact
                .tangential_stiffness
                .unwrap_or(DEFAULT_TANGENTIAL_STIFFNESS),
            youngs_modulus: self.youngs_modulus.as_ref().map(|modulus| modulus.value),
            poissons_ratio: self.poissons_ratio.as_ref().map(|ratio| ratio.value),
            friction: contact.friction.unwrap_or(0.0),
            rolling_friction: contact.rolling_friction.unwrap_or(0.0),
            adhesion: contact.adhesion.unwrap_or(0.0),
            springs: springs.unwrap_or_else(Springs::default),
        })
    }

    fn springs_stiffness(&self) -> Option<&LocatedValue<f64>> {
        self.springs.as_ref().and_then(|springs| springs.value.stiffness.as_ref())
    }

    /// Refuses keys that only solids have.
    pub(super) fn check_without_springs(&self) -> ValidationResult<()> {
        let rule = "only engine = \"bonded\" has solids with springs";
        self.springs.as_ref().map_or(Ok(()), |springs| Err(springs.refuse(rule)))
    }

    /// Refuses keys that bonded solids do not have.
    pub(super) fn check_bonded(&self) -> ValidationResult<()> {
        const LOST: &str = "what a collision of solids leaves follows from their springs; leave it \
                            out, or give springs.damping";
        const ONLY: &str = "only engine = \"dem\" has it; leave it out";
        if let Some(restitution) = &self.restitution {
            return Err(restitution.refuse(LOST));
        }
        let numbers = [
            (&self.damping, LOST),
            (&self.stiffness, "in engine = \"bonded\" give youngs_modulus or springs.stiffness"),
            (&self.tangential_stiffness, ONLY),
            (&self.rolling_friction, ONLY),
            (&self.adhesion, ONLY),
        ];
        let given = numbers.into_iter().find_map(|(key, rule)| Some((key.as_ref()?, rule)));
        given.map_or(Ok(()), |(key, rule)| Err(key.refuse(rule)))
    }
}

impl WrittenMaterial {
    /// Returns the keys that a pair of materials has too, and checks those of Hertz's law.
    fn check_contact_keys(&self, span: &Range<usize>) -> ValidationResult<MaterialPairContact> {
        refuse_both("this material", self.restitution.is_some() && self.damping.is_some(), span)?;
        let keys = ContactParameterKeys {
            stiffness: &self.stiffness,
            tangential_stiffness: &self.tangential_stiffness,
            damping: &self.damping,
            friction: &self.friction,
            rolling_friction: &self.rolling_friction,
            adhesion: &self.adhesion,
        };
        let contact = keys.check()?;
        self.check_hertz(span)?;
        if let (Some(_), Some(modulus)) = (contact.stiffness, &self.youngs_modulus) {
            let (first, second) = ("stiffness", "youngs_modulus");
            let (table, remedy) = ("this material".to_owned(), "keep one of them");
            let problem = SceneProblem::Conflict { table, first, second, remedy };
            return Err(SceneValidationError::at(&modulus.span, problem));
        }
        Ok(contact)
    }

    fn check_hertz(&self, span: &Range<usize>) -> ValidationResult<()> {
        match &self.poissons_ratio {
            Some(ratio) if !(ratio.value > -1.0 && ratio.value <= 0.5) => {
                return Err(ratio.refuse("it must be above -1 and at most 0.5"));
            }
            _ => {}
        }
        match &self.youngs_modulus {
            Some(modulus) => modulus.positive(POSITIVE).map(drop),
            None if self.poissons_ratio.is_some() && self.springs_stiffness().is_none() => {
                let (table, key) = ("this material".to_owned(), "youngs_modulus".to_owned());
                let remedy = "add it, or leave out poissons_ratio".into();
                Err(SceneValidationError::at(span, SceneProblem::Missing { table, key, remedy }))
            }
            None => Ok(()),
        }
    }
}

fn check_restitution(
    written: &LocatedValue<NumberOr<WrittenRestitution>>,
) -> ValidationResult<Restitution> {
    match &written.value {
        NumberOr::Number(value) => {
            let value = LocatedValue { value: *value, span: written.span.clone() };
            Ok(Restitution::Constant(value.zero_to_one(RESTITUTION)?))
        }
        NumberOr::Table(table) => table.check(written),
    }
}

impl WrittenRestitution {
    fn check(&self, written: &LocatedValue<NumberOr<Self>>) -> ValidationResult<Restitution> {
        let Some(constant) = &self.constant else { return self.check_law(written) };
        if self.at_rest.is_some() || self.at_speed.is_some() {
            let (first, second) = if self.at_rest.is_some() {
                ("constant", "at_rest")
            } else {
                ("constant", "at_speed")
            };
            let (table, remedy) = ("restitution".to_owned(), "keep one of them");
            let problem = SceneProblem::Conflict { table, first, second, remedy };
            return Err(SceneValidationError::at(&written.span, problem));
        }
        Ok(Restitution::Constant(constant.zero_to_one(RESTITUTION)?))
    }

    fn check_law(&self, written: &LocatedValue<NumberOr<Self>>) -> ValidationResult<Restitution> {
        let part = |number: &Option<LocatedValue<f64>>| {
            let number = number.as_ref();
            number.map(|number| number.zero_to_one(RESTITUTION)).transpose()
        };
        let positive = |number: &Option<LocatedValue<f64>>, otherwise: f64| {
            number.as_ref().map_or(Ok(otherwise), |number| number.positive(POSITIVE))
        };
        let rule = "it must have constant, or at_speed and speed";
        Ok(Restitution::Speed {
            at_rest: part(&self.at_rest)?.unwrap_or(1.0),
            at_speed: part(&self.at_speed)?.ok_or_else(|| written.refuse(rule))?,
            speed: positive(&self.speed, 1.0)?,
            exponent: positive(&self.exponent, 0.2)?,
        })
    }
}
