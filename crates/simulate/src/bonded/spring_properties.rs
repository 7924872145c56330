//! Elastic, plastic and fracture properties of the springs that stand for a material.

use super::lattice::{Link, SpringLattice};
use crate::Error;
use crate::material::{Material, SpringFailureCriterion, Springs};

/// Properties of the springs of a lattice that stand for a material.
///
/// ```
/// use carom_simulate::bonded::{SpringLattice, SpringProperties};
/// use carom_simulate::{Material, SpringFailureCriterion, Springs};
/// // Springs of stiffness 4 and length 0.5 that break at a force of 0.02.
/// let failure_criterion = Some(SpringFailureCriterion::Force(0.02));
/// let springs = Springs { stiffness: Some(4.0), failure_criterion, ..Springs::default() };
/// let material = Material { springs, ..Material::default() };
/// let properties = SpringProperties::of(&material, SpringLattice::Square4, 0.5)?;
/// assert!((properties.youngs_modulus - 4.0).abs() < 1e-12);
/// assert!((properties.breaking_strain.unwrap_or(0.0) - 0.01).abs() < 1e-12);
/// # Ok::<(), carom_simulate::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringProperties {
    /// Young's modulus, E: force per area in space, force per length in the plane.
    pub youngs_modulus: f64,
    /// Density, ρ: mass per volume in space, mass per area in the plane.
    pub density: f64,
    /// Poisson's ratio, ν; none if it is that of the spring lattice.
    pub poissons_ratio: Option<f64>,
    /// Stiffness of springs in compression over that in tension.
    pub compression_ratio: f64,
    /// Coulomb friction coefficient, μ; of two materials in contact the smaller one counts.
    pub friction_coefficient: f64,
    /// Damping ratio of springs, ζ: 1 is critical damping of two particles joined by the shortest spring.
    pub damping_ratio: f64,
    /// Elastic strain beyond which a spring yields, in tension and in compression; if none, springs do not yield.
    pub yield_strain: Option<f64>,
    /// Strain, by the initial rest length, at which springs break; if none, they do not break.
    pub breaking_strain: Option<f64>,
}

/// Stiffnesses of a solid for a lattice and a spacing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stiffness {
    /// Stiffness of the shortest springs in tension.
    pub spring: f64,
    /// Stiffness κ of a particle's neighborhood against dilatation θ; its energy is ½ κ θ².
    pub dilatation: f64,
    /// Fraction of the lattice's stable time step that dilatation, compression ratio and damping leave.
    pub time_step_factor: f64,
}

/// Strain at which the springs of a material that is called rigid break.
const RIGID_BREAKING_STRAIN: f64 = 1e-3;

/// Poisson's ratios that differ by less are equal.
const SAME: f64 = 1e-9;

impl SpringProperties {
    /// Returns the springs of a lattice with a spacing that stand for a material. Errors if the material has neither a
    /// Young's modulus nor a stiffness of springs, or both.
    pub fn of(material: &Material, lattice: SpringLattice, spacing: f64) -> Result<Self, Error> {
        let springs = &material.springs;
        let own_poissons_ratio = lattice.solid().poissons_ratio;
        let elastic = SpringProperties {
            youngs_modulus: youngs_modulus(material, lattice, spacing)?,
            density: material.density.unwrap_or(1.0),
            poissons_ratio: material
                .poissons_ratio
                .filter(|ratio| (ratio - own_poissons_ratio).abs() > SAME),
            compression_ratio: springs.compression_ratio,
            friction_coefficient: material.friction,
            damping_ratio: springs.damping,
            yield_strain: springs.yield_stretch,
            breaking_strain: None,
        };
        let breaking_strain = springs.failure_criterion.map(|criterion| match criterion {
            SpringFailureCriterion::Stretch(stretch) => stretch,
            SpringFailureCriterion::Force(force) => {
                elastic.strain_at_force(lattice, spacing, force)
            }
            SpringFailureCriterion::Energy(energy) => {
                elastic.breaking_strain_for_energy(lattice, spacing, energy)
            }
        });
        let properties = SpringProperties { breaking_strain, ..elastic };
        if springs.rigid_brittle {
            Ok(properties.rigid_brittle(springs, lattice, spacing))
        } else {
            Ok(properties)
        }
    }

    /// Returns springs that break at the same force, but so stiff that their strain is then a thousandth.
    fn rigid_brittle(self, springs: &Springs, lattice: SpringLattice, spacing: f64) -> Self {
        let force = match springs.failure_criterion {
            Some(SpringFailureCriterion::Force(force)) => force,
            _ => self.breaking_strain.unwrap_or(0.0) / self.strain_at_force(lattice, spacing, 1.0),
        };
        let stiffness = force / (RIGID_BREAKING_STRAIN * spacing);
        SpringProperties {
            breaking_strain: Some(RIGID_BREAKING_STRAIN),
            youngs_modulus: Self::youngs_modulus_of_springs(lattice, spacing, stiffness),
            ..self
        }
    }

    /// Young's modulus of a solid whose shortest springs have this stiffness.
    ///
    /// ```
    /// use carom_simulate::bonded::{SpringLattice, SpringProperties};
    /// // Cubes 0.5 wide with a spring along each edge: the force k h ε per area h² is the stress E ε.
    /// let modulus =
    ///     SpringProperties::youngs_modulus_of_springs(SpringLattice::Cubic6, 0.5, 3.0);
    /// assert!((modulus - 6.0).abs() < 1e-12);
    /// ```
    pub fn youngs_modulus_of_springs(lattice: SpringLattice, spacing: f64, stiffness: f64) -> f64 {
        stiffness * lattice.solid().youngs_modulus / spacing.powi(lattice.dimension() as i32 - 2)
    }

    /// Strain at which the force in the shortest springs is `force`.
    pub fn strain_at_force(&self, lattice: SpringLattice, spacing: f64, force: f64) -> f64 {
        force / (self.stiffness(lattice, spacing).spring * spacing)
    }

    /// Computes the stiffnesses of springs and dilatation. For a given Poisson's ratio, springs are chosen to have the
    /// material's shear modulus; dilatation supplies what its first Lamé constant then lacks.
    pub(super) fn stiffness(&self, lattice: SpringLattice, spacing: f64) -> Stiffness {
        let solid = lattice.solid();
        let power = lattice.dimension() as i32 - 2;
        let spring = self.youngs_modulus * spacing.powi(power) / solid.youngs_modulus;
        let (spring, dilatation, stiffer) = match self.poissons_ratio {
            None => (spring, 0.0, 1.0),
            Some(poisson) => {
                let shear = 0.5 * self.youngs_modulus / (1.0 + poisson);
                let room = 1.0 - poisson * f64::from(power + 1);
                // Lamé's first parameter less the shear modulus, which springs alone give (Cauchy's relation).
                let missing = 2.0 * shear * poisson / room - shear;
                let unit = solid.transverse_wave_speed.powi(2) / solid.particle_volume;
                let volume = solid.particle_volume * spacing.powi(power + 2);
                // Dilatation makes longitudinal waves faster.
                (
                    shear * spacing.powi(power) / unit,
                    missing * volume,
                    1.0 + missing.max(0.0) / (3.0 * shear),
                )
            }
        };
        // Stiffness-proportional damping shortens the stable time step of explicit integration (T. Belytschko).
        let stiffer = stiffer * self.compression_ratio.max(1.0);
        let damped = self.damping_ratio * (2.0 * stiffer).sqrt() / solid.stable_time_step;
        let time_step_factor = ((1.0 + damped * damped).sqrt() - damped) / stiffer.sqrt();
        Stiffness { spring, dilatation, time_step_factor }
    }

    /// Strain at which springs must break so that a straight cut along an axis of the lattice costs `energy` per area.
    ///
    /// All springs that cross the cut are assumed to have the same strain just before it.
    ///
    /// ```
    /// use carom_simulate::Material;
    /// use carom_simulate::bonded::{SpringLattice, SpringProperties};
    /// // One spring of stiffness E crosses each spacing h of a cut: ½ E h² ε² = energy · h.
    /// let lattice = SpringLattice::Square4;
    /// let springs = SpringProperties::of(&Material::elastic(8.0, 1.0), lattice, 0.5)?;
    /// let strain = springs.breaking_strain_for_energy(lattice, 0.5, 1e-4);
    /// assert!((strain * strain - 2.0 * 1e-4 / (8.0 * 0.5)).abs() < 1e-12);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn breaking_strain_for_energy(
        &self,
        lattice: SpringLattice,
        spacing: f64,
        energy: f64,
    ) -> f64 {
        let crossing = match lattice.dimension() {
            2 => crossing_stiffness::<2>(lattice),
            _ => crossing_stiffness::<3>(lattice),
        };
        let stiffness = self.stiffness(lattice, spacing).spring;
        let area = spacing.powi(lattice.dimension() as i32 - 3);
        // Griffith: half the stiffness of all springs across a unit of area, times the squared strain, is the
        // energy of the cut.
        (2.0 * energy * area / (stiffness * crossing)).sqrt()
    }
}

/// Returns Young's modulus of a material, or that which its springs give it.
fn youngs_modulus(material: &Material, lattice: SpringLattice, spacing: f64) -> Result<f64, Error> {
    let (what, name) = ("Young's modulus of a solid", &material.name);
    match (material.youngs_modulus, material.springs.stiffness) {
        (Some(modulus), None) => Ok(modulus),
        (None, Some(stiffness)) => {
            Ok(SpringProperties::youngs_modulus_of_springs(lattice, spacing, stiffness))
        }
        (None, None) => {
            let value = format!("not given, of {name}");
            Err(Error::Setting { what, value, rule: "give it, or the stiffness of springs" })
        }
        (Some(modulus), Some(stiffness)) => {
            let value =
                format!("{modulus:?} beside a stiffness of springs of {stiffness:?}, of {name}");
            let rule = "both say how stiff the solid is; keep one of them";
            Err(Error::Setting { what, value, rule })
        }
    }
}

/// Sum of stiffness times squared length over the springs that cross a unit area of a lattice plane.
fn crossing_stiffness<const D: usize>(lattice: SpringLattice) -> f64 {
    let last = D - 1;
    let cross = |link: &Link<D>| {
        f64::from(link.offset[last].abs()) * link.stiffness * link.length * link.length
    };
    lattice.half_links::<D>().iter().map(cross).sum()
}
