//! Mixing rules: the contact law of two materials from what each of them says.
//!
//! | of both materials | counts |
//! |---|---|
//! | friction, rolling friction, adhesion | the smaller value |
//! | damping, coefficient of restitution | the more dissipative one, see [`damping`] |
//! | stiffness | two springs in series, see [`stiffness_in_series`] |
//! | tangential stiffness of springs | the mean of the fractions of the normal one |
//! | Young's modulus, Poisson's ratio | the reduced moduli, see [`reduced_modulus`] and [`reduced_shear_modulus`] |
//!
//! [`contact_law`] applies them all; a [`MaterialPairContact`] overrides them for one pair.

use super::contact_law::{
    Cohesion, CompositeLaw, Damping, NormalForceLaw, RollingResistance, TangentialForceLaw,
};
use super::simulation::Settings;
use crate::material::{DEFAULT_POISSONS_RATIO, DEFAULT_TANGENTIAL_STIFFNESS};
use crate::{Error, Material, Restitution};

/// Tangential damping over normal damping.
const TANGENTIAL_DAMPING: f64 = 0.5;

/// Contact parameters of a pair of materials, which override those mixed from both materials.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MaterialPairContact {
    /// Indices of the materials, in any order.
    pub materials: [u32; 2],
    /// Coefficient of restitution: separation speed over approach speed.
    pub restitution: Option<f64>,
    /// Normal damping rate, in 1 / time; takes the place of restitution.
    pub damping: Option<f64>,
    /// Normal stiffness, in mass / time².
    pub stiffness: Option<f64>,
    /// Tangential stiffness over the normal one; [`DEFAULT_TANGENTIAL_STIFFNESS`] if `None`.
    pub tangential_stiffness: Option<f64>,
    /// Coulomb friction coefficient.
    pub friction: Option<f64>,
    /// Rolling friction coefficient.
    pub rolling_friction: Option<f64>,
    /// Work of adhesion per contact area, in mass / time².
    pub adhesion: Option<f64>,
}

/// Returns the contact law of two materials, which may be the same. What `pair` gives has precedence; a material without
/// elasticity takes that of the other, and springs of `default_stiffness` are taken where both have none.
///
/// Errors if there is no elasticity at all, if one material has a stiffness and the other a Young's modulus, if a
/// coefficient of restitution is not from 0 to 1 or depends on the speed, and if another number is negative or not finite.
///
/// ```
/// use carom_simulate::Material;
/// use carom_simulate::dem::{NormalForceLaw, mixing};
/// let rubber = Material { stiffness: Some(1e3), friction: 0.9, ..Material::default() };
/// let glass = Material { stiffness: Some(3e3), friction: 0.2, ..Material::default() };
/// let law = mixing::contact_law([&rubber, &glass], None, None)?;
/// assert_eq!(law.normal, NormalForceLaw::Spring { stiffness: 1500.0 });
/// assert_eq!(law.friction_coefficient, 0.2);
/// // For these two the friction has been measured.
/// let pair = mixing::MaterialPairContact { friction: Some(0.5), ..Default::default() };
/// let law = mixing::contact_law([&rubber, &glass], Some(&pair), None)?;
/// assert_eq!(law.friction_coefficient, 0.5);
/// # Ok::<(), carom_simulate::Error>(())
/// ```
pub fn contact_law(
    materials: [&Material; 2],
    pair: Option<&MaterialPairContact>,
    default_stiffness: Option<f64>,
) -> Result<CompositeLaw, Error> {
    let own = pair.copied().unwrap_or_default();
    let smaller = |what, own: Option<f64>, of: fn(&Material) -> f64| {
        let [one, two] = materials.map(of);
        for value in [one, two].into_iter().chain(own) {
            if !(value.is_finite() && value >= 0.0) {
                let rule = "it must be finite and not negative";
                return Err(Error::Setting { what, value: value.to_string(), rule });
            }
        }
        Ok(own.unwrap_or(one.min(two)))
    };
    let friction = smaller("friction", own.friction, |material| material.friction)?;
    let rolling =
        smaller("rolling friction", own.rolling_friction, |material| material.rolling_friction)?;
    let work = smaller("adhesion", own.adhesion, |material| material.adhesion)?;
    let (normal, tangential) = match own.elasticity() {
        Some(elasticity) => Elasticity::mix([elasticity; 2]),
        None => Elasticity::mix(elasticities(materials, default_stiffness)?),
    }
    .ok_or_else(|| mixed_elasticity_error(materials))?;
    Ok(CompositeLaw {
        normal,
        damping: match (own.damping, own.restitution) {
            (Some(rate), _) => Damping::Rate(rate),
            (None, Some(coefficient)) => {
                Restitution::Constant(coefficient).check()?;
                restitution_damping(coefficient)
            }
            (None, None) => damping(materials)?,
        },
        tangential: if friction > 0.0 { tangential } else { TangentialForceLaw::None },
        friction_coefficient: friction,
        rolling: if rolling > 0.0 {
            RollingResistance::Constant(rolling)
        } else {
            RollingResistance::None
        },
        cohesion: if work > 0.0 {
            Cohesion::Dmt { work_of_adhesion: work }
        } else {
            Cohesion::None
        },
    })
}

impl<const D: usize> Settings<D> {
    /// Makes settings for materials, whose indices bodies and walls have, with the contact law of every pair of them as
    /// [`contact_law`] gives it; in open space, without walls or gravity.
    ///
    /// ```
    /// use carom_simulate::Material;
    /// use carom_simulate::dem::{Body, Settings, Simulation};
    /// let [soft, hard] = [1024.0, 3072.0]
    ///     .map(|stiffness| Material { stiffness: Some(stiffness), ..Material::default() });
    /// let settings = Settings::with_materials(&[soft, hard], &[])?;
    /// let body = |x: f64, material| Body { material, ..Body::at_rest([x, 0.0], 0.5, 1.0) };
    /// let simulation = Simulation::new(&[body(0.0, 0), body(0.9375, 1)], settings)?;
    /// // An overlap of 1/16 of two springs in series.
    /// assert_eq!(simulation.contacts()[0].normal_force, 96.0);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn with_materials(
        materials: &[Material],
        pairs: &[MaterialPairContact],
    ) -> Result<Self, Error> {
        let unknown = |pair: &&MaterialPairContact| {
            pair.materials.iter().any(|&number| number as usize >= materials.len())
        };
        if let Some(pair) = pairs.iter().find(unknown) {
            let (what, rule) = ("a pair of materials", "there is no material of this number");
            return Err(Error::Setting { what, value: format!("{:?}", pair.materials), rule });
        }
        let mut contact_laws = Vec::with_capacity(materials.len() * materials.len());
        for (first, one) in (0u32..).zip(materials) {
            for (second, two) in (0u32..).zip(materials) {
                let is_of_both =
                    |numbers: [u32; 2]| numbers == [first, second] || numbers == [second, first];
                let pair = pairs.iter().find(|pair| is_of_both(pair.materials));
                // A law does not depend on the order of the materials; its bits may.
                let both = if first <= second { [one, two] } else { [two, one] };
                contact_laws.push(contact_law(both, pair, None)?);
            }
        }
        let nothing = Settings::with_law(CompositeLaw::spring(0.0));
        Ok(Settings { material_count: materials.len(), contact_laws, ..nothing })
    }
}

/// Returns the stiffness of a contact of two bodies from the stiffnesses of contacts within each material. Each body is
/// a spring twice as stiff as a contact of two such bodies; both are in series: `2 / (1 / a + 1 / b)`.
///
/// ```
/// use carom_simulate::dem::mixing::stiffness_in_series;
/// assert_eq!(stiffness_in_series([1000.0, 3000.0]), 1500.0);
/// assert_eq!(stiffness_in_series([1000.0, f64::INFINITY]), 2000.0);
/// ```
pub fn stiffness_in_series([a, b]: [f64; 2]) -> f64 {
    2.0 / (1.0 / a + 1.0 / b)
}

/// Returns the reduced modulus of Hertz's law, `1 / ((1 - ν₁²) / E₁ + (1 - ν₂²) / E₂)`, from Young's modulus and
/// Poisson's ratio of both materials.
///
/// ```
/// use carom_simulate::dem::mixing::reduced_modulus;
/// assert_eq!(reduced_modulus([[2.0, 0.0], [2.0, 0.0]]), 1.0);
/// // Against a rigid body.
/// assert_eq!(reduced_modulus([[3.0, 0.5], [f64::INFINITY, 0.5]]), 4.0);
/// ```
pub fn reduced_modulus([[y, n], [z, m]]: [[f64; 2]; 2]) -> f64 {
    1.0 / ((1.0 - n * n) / y + (1.0 - m * m) / z)
}

/// Returns the reduced shear modulus of Mindlin's law, `1 / ((2 - ν₁) / G₁ + (2 - ν₂) / G₂)` with the shear moduli
/// `G = E / (2 (1 + ν))`, from Young's modulus and Poisson's ratio of both materials.
///
/// ```
/// use carom_simulate::dem::mixing::reduced_shear_modulus;
/// assert_eq!(reduced_shear_modulus([[4.0, 0.0], [4.0, 0.0]]), 0.5);
/// ```
pub fn reduced_shear_modulus([[y, n], [z, m]]: [[f64; 2]; 2]) -> f64 {
    let shear = |modulus: f64, ratio: f64| modulus / (2.0 * (1.0 + ratio));
    1.0 / ((2.0 - n) / shear(y, n) + (2.0 - m) / shear(z, m))
}

/// Returns the damping of the more dissipative of two materials: the larger damping rate if one has any, else that of
/// the smaller coefficient of restitution. Errors if that depends on the speed.
///
/// ```
/// use carom_simulate::dem::{Damping, mixing};
/// use carom_simulate::{Material, Restitution};
/// let steel = Material { restitution: Restitution::Constant(0.9), ..Material::default() };
/// let wood = Material { restitution: Restitution::Constant(0.5), ..Material::default() };
/// assert_eq!(mixing::damping([&steel, &wood])?, Damping::restitution(0.5));
/// let clay = Material { damping: Some(20.0), ..Material::default() };
/// assert_eq!(mixing::damping([&clay, &wood])?, Damping::Rate(20.0));
/// # Ok::<(), carom_simulate::Error>(())
/// ```
pub fn damping(materials: [&Material; 2]) -> Result<Damping, Error> {
    let rates = materials.map(|material| material.damping);
    if let Some(rate) = rates.into_iter().flatten().reduce(f64::max) {
        return Ok(Damping::Rate(rate));
    }
    let mut smaller = 1.0_f64;
    for material in materials {
        material.restitution.check()?;
        match material.restitution {
            Restitution::Constant(coefficient) => smaller = smaller.min(coefficient),
            Restitution::Speed { .. } => {
                return Err(Error::Setting {
                    what: "the coefficient of restitution of a material",
                    value: format!("that of {} and depends on the speed", material.name),
                    rule: "a contact law has a constant one",
                });
            }
        }
    }
    Ok(restitution_damping(smaller))
}

/// Returns the damping with a coefficient of restitution, none for 1.
///
/// ```
/// use carom_simulate::dem::{Damping, mixing::restitution_damping};
/// assert_eq!(restitution_damping(1.0), Damping::None);
/// assert_eq!(restitution_damping(0.5), Damping::restitution(0.5));
/// ```
pub fn restitution_damping(coefficient: f64) -> Damping {
    if coefficient == 1.0 { Damping::None } else { Damping::restitution(coefficient) }
}

/// Elasticity of the contacts of a material.
#[derive(Clone, Copy)]
enum Elasticity {
    /// Linear springs.
    Spring { stiffness: f64, tangential: f64 },
    /// Elastic spheres after Hertz (normal) and Mindlin (tangential): Young's modulus and Poisson's ratio.
    Hertz([f64; 2]),
}

impl MaterialPairContact {
    fn elasticity(&self) -> Option<Elasticity> {
        let tangential = self.tangential_stiffness.unwrap_or(DEFAULT_TANGENTIAL_STIFFNESS);
        self.stiffness.map(|stiffness| Elasticity::Spring { stiffness, tangential })
    }
}

impl Elasticity {
    /// Returns the elasticity of contacts within a material, none if it gives none.
    fn of(material: &Material) -> Result<Option<Self>, Error> {
        let tangential = material.tangential_stiffness;
        let poissons_ratio = material.poissons_ratio.unwrap_or(DEFAULT_POISSONS_RATIO);
        match (material.stiffness, material.youngs_modulus) {
            (Some(stiffness), Some(modulus)) => Err(Error::Setting {
                what: "the stiffness of a material",
                value: format!(
                    "{stiffness:?} beside a Young's modulus of {modulus:?}, of {}",
                    material.name
                ),
                rule: "both say how hard its contacts are; keep one of them",
            }),
            (Some(stiffness), None) => Ok(Some(Elasticity::Spring { stiffness, tangential })),
            (None, Some(modulus)) => Ok(Some(Elasticity::Hertz([modulus, poissons_ratio]))),
            (None, None) => Ok(None),
        }
    }

    /// Returns the normal and the tangential law of two materials with the same kind of elasticity, else none.
    fn mix(both: [Elasticity; 2]) -> Option<(NormalForceLaw, TangentialForceLaw)> {
        match both {
            [
                Elasticity::Spring { stiffness: a, tangential: s },
                Elasticity::Spring { stiffness: b, tangential: t },
            ] => {
                let stiffness = stiffness_in_series([a, b]);
                let tangential = match 0.5 * (s + t) * stiffness {
                    0.0 => TangentialForceLaw::None,
                    stiffness => {
                        TangentialForceLaw::Spring { stiffness, damping: TANGENTIAL_DAMPING }
                    }
                };
                Some((NormalForceLaw::Spring { stiffness }, tangential))
            }
            [Elasticity::Hertz(one), Elasticity::Hertz(two)] => {
                let tangential = TangentialForceLaw::Mindlin {
                    modulus: reduced_shear_modulus([one, two]),
                    damping: TANGENTIAL_DAMPING,
                };
                Some((NormalForceLaw::Hertz { modulus: reduced_modulus([one, two]) }, tangential))
            }
            _ => None,
        }
    }
}

/// Returns the elasticity of each of two materials; one without any takes that of the other.
fn elasticities(
    materials: [&Material; 2],
    default_stiffness: Option<f64>,
) -> Result<[Elasticity; 2], Error> {
    let [first, second] = [Elasticity::of(materials[0])?, Elasticity::of(materials[1])?];
    let default = default_stiffness.map(|stiffness| Elasticity::Spring {
        stiffness,
        tangential: DEFAULT_TANGENTIAL_STIFFNESS,
    });
    let Some(first) = first.or(second).or(default) else {
        let [one, two] = materials.map(|material| material.name.as_str());
        return Err(Error::Setting {
            what: "the elasticity of two materials",
            value: format!("not given, of {one} and {two}"),
            rule: "give one of them a stiffness or a Young's modulus",
        });
    };
    Ok([first, second.unwrap_or(first)])
}

fn mixed_elasticity_error([one, two]: [&Material; 2]) -> Error {
    Error::Setting {
        what: "the elasticity of two materials",
        value: format!(
            "a stiffness of one and a Young's modulus of the other, {} and {}",
            one.name, two.name
        ),
        rule: "give both the same key, or a [[contacts]] table with a stiffness for the pair",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_material_without_elasticity_takes_that_of_the_other_before_the_default() {
        let plain = Material::default();
        let stiff = Material { stiffness: Some(4.0), ..Material::default() };
        let rough = Material { friction: 1.0, tangential_stiffness: 0.5, ..stiff.clone() };
        let rubs = Material { friction: 1.0, ..Material::default() };
        for both in [[&plain, &stiff], [&stiff, &plain]] {
            let law = contact_law(both, None, Some(100.0)).unwrap();
            assert_eq!(law, CompositeLaw::spring(4.0));
        }
        assert_eq!(
            contact_law([&plain; 2], None, Some(100.0)).unwrap(),
            CompositeLaw::spring(100.0)
        );
        let law = contact_law([&rubs, &rough], None, Some(100.0)).unwrap();
        assert_eq!(law.tangential, TangentialForceLaw::Spring { stiffness: 2.0, damping: 0.5 });
    }

    #[test]
    fn what_a_pair_gives_overrides_both_materials() {
        let glass = Material { friction: 0.3, adhesion: 2.0, ..Material::elastic(1e9, 1.0) };
        let clay = Material { damping: Some(7.0), stiffness: Some(9.0), ..Material::default() };
        let pair = MaterialPairContact {
            stiffness: Some(8.0),
            tangential_stiffness: Some(0.25),
            restitution: Some(0.5),
            friction: Some(0.1),
            rolling_friction: Some(0.2),
            adhesion: Some(3.0),
            ..MaterialPairContact::default()
        };
        let expected = CompositeLaw {
            damping: Damping::restitution(0.5),
            tangential: TangentialForceLaw::Spring { stiffness: 2.0, damping: 0.5 },
            friction_coefficient: 0.1,
            rolling: RollingResistance::Constant(0.2),
            cohesion: Cohesion::Dmt { work_of_adhesion: 3.0 },
            ..CompositeLaw::spring(8.0)
        };
        assert_eq!(contact_law([&glass, &clay], Some(&pair), None).unwrap(), expected);
        let damped = MaterialPairContact { damping: Some(1.0), ..pair };
        let law = contact_law([&glass, &clay], Some(&damped), None).unwrap();
        assert_eq!(law.damping, Damping::Rate(1.0));
        // Pairs are found in either order of the materials, also where they name them in the other one.
        let both = [Material { stiffness: Some(1.0), ..glass.clone() }, clay];
        let both = both.map(|material| Material { youngs_modulus: None, ..material });
        let pair = MaterialPairContact { materials: [0, 1], ..pair };
        let settings = Settings::<2>::with_materials(&both, &[pair]).unwrap();
        assert_eq!((settings.contact_laws[1], settings.contact_laws[2]), (expected, expected));
        assert_eq!(settings.contact_laws[3].damping, Damping::Rate(7.0));
        let reversed = MaterialPairContact { materials: [1, 0], ..pair };
        let same = Settings::<2>::with_materials(&both, &[reversed]).unwrap();
        assert_eq!(same.contact_laws, settings.contact_laws);
        let unknown = MaterialPairContact { materials: [0, 2], ..pair };
        let sentence = Settings::<2>::with_materials(&both, &[unknown]).unwrap_err().to_string();
        assert_eq!(sentence, "a pair of materials is [0, 2]; there is no material of this number");
    }

    #[test]
    fn materials_whose_law_is_not_known_are_refused() {
        let named = |name: &str, material: Material| Material { name: name.to_owned(), ..material };
        let soft = named("soft", Material { stiffness: Some(4.0), ..Material::default() });
        let hard = named("hard", Material::elastic(1e9, 1.0));
        let both = named("both", Material { stiffness: Some(4.0), ..hard.clone() });
        let plain = named("plain", Material::default());
        let restitution =
            Restitution::Speed { at_rest: 1.0, at_speed: 0.8, speed: 1.0, exponent: 0.2 };
        let fast = named("fast", Material { restitution, ..soft.clone() });
        let [gains, lost] = [2.0, f64::NAN]
            .map(|value| Material { restitution: Restitution::Constant(value), ..soft.clone() });
        let [rolls, sticks] = [f64::NAN, -1.0].map(|value| Material {
            rolling_friction: value.abs(),
            adhesion: value.min(0.0),
            ..soft.clone()
        });
        for (pair, said) in [
            ([&soft, &hard], "a Young's modulus of the other, soft and hard; give both the same"),
            ([&both, &hard], "4.0 beside a Young's modulus of 1000000000.0, of both; both say"),
            ([&plain, &plain], "not given, of plain and plain; give one of them"),
            ([&soft, &fast], "that of fast and depends on the speed"),
            ([&soft, &gains], "restitution is 2; it must be from 0 to 1"),
            ([&lost, &soft], "restitution is NaN; it must be from 0 to 1"),
            ([&soft, &rolls], "rolling friction is NaN; it must be finite and not negative"),
            ([&soft, &sticks], "adhesion is -1; it must be finite and not negative"),
        ] {
            let sentence = contact_law(pair, None, None).unwrap_err().to_string();
            assert!(sentence.contains(said), "{sentence}");
        }
    }
}
