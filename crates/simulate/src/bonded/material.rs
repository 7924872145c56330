//! What bodies are made of.

use super::lattice::{Link, SpringLattice};

/// What springs are made to behave like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Young's modulus: force per area in space, per length in the plane.
    pub young_modulus: f64,
    /// Mass per volume in space, per area in the plane.
    pub density: f64,
    /// Poisson's ratio; none for what springs alone have.
    pub poisson_ratio: Option<f64>,
    /// How many times as stiff springs are when pushed as when pulled.
    pub compression_ratio: f64,
    /// Coulomb's coefficient; of two materials the smaller one counts.
    pub friction_coefficient: f64,
    /// How strongly springs are damped, in parts of what lets two particles on the shortest spring just not swing.
    pub damping_ratio: f64,
    /// The stretch, in parts of the length at rest, beyond which a spring keeps a set, pulled or pushed.
    pub yield_strain: Option<f64>,
    /// The stretch, in parts of the first length at rest, at which springs break.
    pub breaking_strain: Option<f64>,
}

/// Springs and surroundings of a solid, for a lattice and a spacing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stiffness {
    /// Of the shortest springs, when pulled.
    pub spring: f64,
    /// Of the surroundings of a particle against swelling: energy for a swelling of one, twice.
    pub dilatation: f64,
    /// The part of the lattice's longest stable step that is left.
    pub time_step_factor: f64,
}

/// What is called rigid gives by this part of its length.
const RIGID_BREAKING_STRAIN: f64 = 1e-3;

impl Material {
    /// Elastic without end.
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

    /// As an egg's shell: as good as rigid until the force in a shortest spring reaches a limit, when it breaks. Springs
    /// are so stiff that they have given by a thousandth then.
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

    /// Young's modulus of a solid whose shortest springs have a stiffness.
    pub fn young_modulus_of_springs(lattice: SpringLattice, spacing: f64, stiffness: f64) -> f64 {
        stiffness * lattice.solid().young_modulus / spacing.powi(lattice.dimension() as i32 - 2)
    }

    /// The stretch at which the force in the shortest springs is so large.
    pub fn strain_at_force(&self, lattice: SpringLattice, spacing: f64, force: f64) -> f64 {
        force / (self.stiffness(lattice, spacing).spring * spacing)
    }

    /// Poisson's ratio comes from springs that resist shear as the material does and from surroundings that resist
    /// swelling by what then lacks of its first constant of G. Lame.
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
                // Longitudinal waves are faster by what swelling adds.
                (
                    shear * spacing.powi(power) / unit,
                    missing * volume,
                    1.0 + missing.max(0.0) / (3.0 * shear),
                )
            }
        };
        // Dampers in proportion to stiffness take most of the fastest swings (T. Belytschko).
        let stiffer = stiffer * self.compression_ratio.max(1.0);
        let damped = self.damping_ratio * (2.0 * stiffer).sqrt() / solid.stable_time_step;
        let time_step_factor = ((1.0 + damped * damped).sqrt() - damped) / stiffer.sqrt();
        Stiffness { spring, dilatation, time_step_factor }
    }

    /// The stretch at which springs break so that a straight cut along an axis of the lattice costs an energy per area.
    ///
    /// Just before the cut all springs that cross it are stretched alike.
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

/// The sum of stiffness times squared length over springs that cross a unit of a plane of the lattice.
fn crossing_stiffness<const D: usize>(lattice: SpringLattice) -> f64 {
    let last = D - 1;
    let cross = |link: &Link<D>| {
        f64::from(link.offset[last].abs()) * link.stiffness * link.length * link.length
    };
    lattice.half_links::<D>().iter().map(cross).sum()
}
