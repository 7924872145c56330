//! Elastic, plastic and fracture properties of bonded bodies.

use super::lattice::{Link, SpringLattice};

/// Material that the springs of a body represent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Young's modulus, E: force per area in space, force per length in the plane.
    pub young_modulus: f64,
    /// Density, ρ: mass per volume in space, mass per area in the plane.
    pub density: f64,
    /// Poisson's ratio, ν; if none, that of the spring lattice.
    pub poisson_ratio: Option<f64>,
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

impl Material {
    /// Creates a linear elastic material without friction, damping, yield and fracture.
    pub fn elastic(young_modulus: f64, density: f64) -> Self {
        Material {
            young_modulus,
            density,
            poisson_ratio: None,
            compression_ratio: 1.0,
            friction_coefficient: 0.0,
            damping_ratio: 0.0,
            yield_strain: None,
            breaking_strain: None,
        }
    }

    /// Creates a nearly rigid, brittle material, such as an eggshell: a shortest spring breaks when its force reaches
    /// `force`. Springs are so stiff that their strain is then a thousandth.
    ///
    /// ```
    /// use carom_simulate::bonded::{Material, SpringLattice};
    /// let (lattice, spacing) = (SpringLattice::Square8, 0.01);
    /// let shell = Material::rigid_brittle(lattice, spacing, 1.0, 25.0);
    /// let strain = shell.strain_at_force(lattice, spacing, 25.0);
    /// assert!((strain - 1e-3).abs() < 1e-12 && shell.breaking_strain == Some(1e-3));
    /// ```
    pub fn rigid_brittle(lattice: SpringLattice, spacing: f64, density: f64, force: f64) -> Self {
        let young_modulus = Material::young_modulus_of_springs(
            lattice,
            spacing,
            force / (RIGID_BREAKING_STRAIN * spacing),
        );
        Material {
            breaking_strain: Some(RIGID_BREAKING_STRAIN),
            ..Material::elastic(young_modulus, density)
        }
    }

    /// Young's modulus of a solid whose shortest springs have this stiffness.
    ///
    /// ```
    /// use carom_simulate::bonded::{Material, SpringLattice};
    /// // Cubes 0.5 wide with a spring along each edge: the force k h ε per area h² is the stress E ε.
    /// let modulus = Material::young_modulus_of_springs(SpringLattice::Cubic6, 0.5, 3.0);
    /// assert!((modulus - 6.0).abs() < 1e-12);
    /// ```
    pub fn young_modulus_of_springs(lattice: SpringLattice, spacing: f64, stiffness: f64) -> f64 {
        stiffness * lattice.solid().young_modulus / spacing.powi(lattice.dimension() as i32 - 2)
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
        let spring = self.young_modulus * spacing.powi(power) / solid.young_modulus;
        let (spring, dilatation, stiffer) = match self.poisson_ratio {
            None => (spring, 0.0, 1.0),
            Some(poisson) => {
                let shear = 0.5 * self.young_modulus / (1.0 + poisson);
                let room = 1.0 - poisson * f64::from(power + 1);
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
    /// use carom_simulate::bonded::{Material, SpringLattice};
    /// // One spring of stiffness E crosses each spacing h of a cut: ½ E h² ε² = energy · h.
    /// let material = Material::elastic(8.0, 1.0);
    /// let strain = material.breaking_strain_for_energy(SpringLattice::Square4, 0.5, 1e-4);
    /// assert!((strain * strain - 2.0 * 1e-4 / (8.0 * 0.5)).abs() < 1e-12);
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
        (2.0 * energy * area / (stiffness * crossing)).sqrt()
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
