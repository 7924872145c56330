//! Materials: what bodies, walls and bonded solids are made of.

use crate::Restitution;

/// A material, given once for all engines; each takes from it what its contacts know.
///
/// | engine | takes |
/// |---|---|
/// | event-driven | [`restitution`](Self::restitution) |
/// | DEM | the contact law of two materials, [`mixing::contact_law`](crate::dem::mixing::contact_law) |
/// | bonded | the springs of a lattice, [`SpringProperties::of`](crate::bonded::SpringProperties::of) |
///
/// ```
/// use carom_simulate::dem::{NormalForceLaw, mixing};
/// use carom_simulate::{Material, Restitution};
/// let steel = Material {
///     restitution: Restitution::Constant(0.9),
///     friction: 0.3,
///     poissons_ratio: Some(0.0),
///     ..Material::elastic(2e11, 7800.0)
/// };
/// let law = mixing::contact_law([&steel, &steel], None, None)?;
/// // Hertz's contact of two bodies of one material: half of its Young's modulus.
/// assert_eq!(law.normal, NormalForceLaw::Hertz { modulus: 1e11 });
/// assert_eq!(law.friction_coefficient, 0.3);
/// # Ok::<(), carom_simulate::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(remote = "Self", rename_all = "snake_case", default, deny_unknown_fields)
)]
pub struct Material {
    /// Name, by which messages know it; that of bodies that name none is `default` in scenes.
    pub name: String,
    /// Density ρ, in mass / length³ (2D: mass / length²). A bonded solid without one has density 1; of other bodies the
    /// mass is stated.
    pub density: Option<f64>,
    /// Coefficient of restitution (event-driven and DEM).
    pub restitution: Restitution,
    /// Normal damping rate γ, in 1 / time: the damping force is γ times the reduced mass times the approach speed. It
    /// takes the place of the coefficient of restitution (DEM).
    pub damping: Option<f64>,
    /// Normal contact stiffness between two bodies of the material, in mass / time², where contacts are linear springs
    /// (DEM).
    pub stiffness: Option<f64>,
    /// Tangential contact stiffness over the normal one, where contacts are linear springs (DEM).
    pub tangential_stiffness: f64,
    /// Young's modulus, E, in mass / (length · time²), where contacts are those of elastic spheres (DEM); of a solid
    /// (bonded), in the plane in mass / time².
    pub youngs_modulus: Option<f64>,
    /// Poisson's ratio, ν. Without one it is [`DEFAULT_POISSONS_RATIO`] in contacts (DEM), and that of its lattice in a
    /// solid (bonded).
    pub poissons_ratio: Option<f64>,
    /// Coulomb friction coefficient, μ (DEM and bonded); of two materials the smaller one counts.
    pub friction: f64,
    /// Rolling friction coefficient: the largest rolling torque over normal force times reduced radius (DEM).
    pub rolling_friction: f64,
    /// Work of adhesion per contact area, in mass / time² (DEM).
    pub adhesion: f64,
    /// Springs of solids (bonded).
    pub springs: Springs,
}

/// Tangential over normal stiffness of a contact where none is given: with 2/7 the tangential and the normal spring of
/// solid spheres oscillate at the same frequency (P. Cundall and O. Strack's ratio in the common form of L. Silbert et
/// al., 2001).
pub const DEFAULT_TANGENTIAL_STIFFNESS: f64 = 2.0 / 7.0;

/// Poisson's ratio of contacts of elastic spheres where none is given.
pub const DEFAULT_POISSONS_RATIO: f64 = 0.3;

impl Default for Material {
    /// Returns an elastic material without friction and adhesion, whose stiffness is not given.
    fn default() -> Self {
        Material {
            name: "default".to_owned(),
            density: None,
            restitution: Restitution::Constant(1.0),
            damping: None,
            stiffness: None,
            tangential_stiffness: DEFAULT_TANGENTIAL_STIFFNESS,
            youngs_modulus: None,
            poissons_ratio: None,
            friction: 0.0,
            rolling_friction: 0.0,
            adhesion: 0.0,
            springs: Springs::default(),
        }
    }
}

impl Material {
    /// Returns whether the material has friction, rolling friction, adhesion or a damping rate, which need contacts that last.
    ///
    /// ```
    /// use carom_simulate::Material;
    /// assert!(Material { friction: 0.5, ..Material::default() }.needs_lasting_contacts());
    /// assert!(!Material::elastic(1e9, 1000.0).needs_lasting_contacts());
    /// ```
    pub fn needs_lasting_contacts(&self) -> bool {
        let Material { friction, rolling_friction, adhesion, damping, .. } = *self;
        let lasting = [friction, rolling_friction, adhesion, damping.unwrap_or(0.0)];
        lasting.into_iter().any(|number| number > 0.0)
    }

    /// Returns a linear elastic material without friction and losses, of which springs neither yield nor break.
    pub fn elastic(youngs_modulus: f64, density: f64) -> Self {
        Material {
            youngs_modulus: Some(youngs_modulus),
            density: Some(density),
            ..Material::default()
        }
    }
}

/// The springs of a bonded solid.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", default, deny_unknown_fields))]
pub struct Springs {
    /// Stiffness of the shortest springs in tension, in mass / time², in place of Young's modulus of the material.
    pub stiffness: Option<f64>,
    /// Stiffness in compression over stiffness in tension.
    pub compression_ratio: f64,
    /// Damping ratio, ζ: 1 is critical damping of two particles joined by the shortest spring.
    pub damping: f64,
    /// Elastic stretch (change of length over length) beyond which a spring yields, in tension and in compression; none
    /// if springs do not yield.
    pub yield_stretch: Option<f64>,
    /// Failure criterion; none if springs do not break.
    pub failure_criterion: Option<SpringFailureCriterion>,
    /// Whether springs are so stiff that they hardly stretch until they break at their stretch or force, as those of an
    /// eggshell.
    pub rigid_brittle: bool,
}

/// When a spring fails.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum SpringFailureCriterion {
    /// At this stretch, the change of length over length.
    Stretch(f64),
    /// At the stretch at which the shortest springs have this force.
    Force(f64),
    /// At the stretch for which a cut takes this energy per area (2D: per length).
    Energy(f64),
}

#[cfg(feature = "serde")]
impl SpringFailureCriterion {
    /// Returns the number at which a spring fails, whatever it measures.
    pub(crate) fn value(self) -> f64 {
        let (Self::Stretch(value) | Self::Force(value) | Self::Energy(value)) = self;
        value
    }
}

impl Default for Springs {
    /// Returns springs that are equally stiff in compression, undamped, and neither yield nor break.
    fn default() -> Self {
        Springs {
            stiffness: None,
            compression_ratio: 1.0,
            damping: 0.0,
            yield_stretch: None,
            failure_criterion: None,
            rigid_brittle: false,
        }
    }
}
