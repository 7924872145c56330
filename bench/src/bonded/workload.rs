//! Workloads: full lattices of springs, colliding blocks, and a block that is hit.

use crate::cases::Case;
use crate::error::Error;
use carom::geometry::Vector;
use carom::scene::generate::SplitMix64;
use carom::simulate::bonded::{
    Body, LatticeGrid, Material, SpringFailureCriterion, SpringLattice, Springs,
};

/// The length of a step; spacing, mass and stiffness are one.
pub const STEP: f64 = 0.2;
/// The stretch at which springs break.
pub const BREAKS_AT: f64 = 0.2;
/// Stiffness ratio of springs in compression.
pub const COMPRESSION_RATIO: f64 = 1.5;
/// Particles are displaced by so much at most along each axis.
const DISPLACED: f64 = 1e-3;
/// Particles along the sides of blocks that bump.
const BLOCK: i32 = 20;
/// Blocks that bump are so far apart, from the middle of one to that of the next, in spacings.
const PITCH: f64 = BLOCK as f64 + 0.05;
/// Largest speed of blocks along each axis.
const SPEED: f64 = 0.02;
/// Speed with which a block is hit.
const HIT: f64 = 0.05;
const SEED: u64 = 8;

/// What is stepped: lattices with springs along the axes of the plane, along its diagonals too, and in space along axes
/// and the diagonals of faces; blocks that bump into each other; and a block hit by a small one, until the wave has
/// crossed it.
#[derive(Clone, Copy, Debug)]
pub struct SpringBodies<'a> {
    /// Name of the workload, such as `square-4`, `blocks` or `front`.
    pub workload: &'a str,
    /// Particles along a side of a lattice; blocks along one of their array.
    pub side: i32,
}

impl SpringBodies<'_> {
    /// Returns what is stepped in a case.
    pub fn of(case: &Case) -> SpringBodies<'_> {
        SpringBodies { workload: &case.workload, side: case.size as i32 }
    }

    /// Returns the lattice that its particles are on.
    pub fn springs(&self) -> SpringLattice {
        match self.workload {
            "square-4" => SpringLattice::Square4,
            "cubic-18" => SpringLattice::Cubic18,
            _ => SpringLattice::Square8,
        }
    }

    /// Returns how many steps a wave needs to cross a lattice.
    pub fn steps_to_cross(&self) -> u64 {
        let speed = self.springs().solid().longitudinal_wave_speed;
        (f64::from(self.side) / (speed * STEP)).ceil() as u64
    }

    /// Displacements of the particles of a lattice from rest, by number.
    pub fn displacements<const D: usize>(&self) -> Vec<Vector<D>> {
        let mut random = SplitMix64::new(SEED);
        let count = (self.side as usize).pow(D as u32);
        let mut one = || DISPLACED * (2.0 * random.uniform() - 1.0);
        (0..count).map(|_| Vector::from(std::array::from_fn(|_| one()))).collect()
    }

    /// The lattice with its particles displaced.
    pub fn lattice<const D: usize>(&self) -> Result<Body<D>, Error> {
        let mut body = self.block([self.side; D], Vector::zeros())?;
        for (number, by) in self.displacements().iter().enumerate() {
            body.displace(number, by)?;
        }
        Ok(body)
    }

    /// A thousand blocks side by side, or all of a small array; each has a velocity of its own.
    pub fn blocks(&self) -> Result<Vec<Body<2>>, Error> {
        let mut random = SplitMix64::new(SEED);
        let mut one = || SPEED * (2.0 * random.uniform() - 1.0);
        let places = (0..self.side * self.side).take(1000);
        let blocks = places.map(|place| {
            let step = [place % self.side, place / self.side];
            let mut block = self.block([BLOCK; 2], Vector::from(step.map(f64::from)) * PITCH)?;
            block.set_velocity(Vector::from([one(), one()]))?;
            block.activate_all();
            Ok(block)
        });
        blocks.collect()
    }

    /// A block at rest, and a small one that is about to hit the middle of its side.
    pub fn hit(&self) -> Result<Vec<Body<2>>, Error> {
        let small = (self.side / 30).max(3);
        let beside = [-f64::from(small) - 0.05, f64::from(self.side / 2)];
        let mut hitting = self.block([small; 2], Vector::from(beside))?;
        hitting.set_velocity(Vector::from([HIT, 0.0]))?;
        Ok(vec![self.block([self.side; 2], Vector::zeros())?, hitting])
    }

    fn block<const D: usize>(&self, sides: [i32; D], corner: Vector<D>) -> Result<Body<D>, Error> {
        let lattice = self.springs();
        let springs = Springs {
            stiffness: Some(1.0),
            compression_ratio: COMPRESSION_RATIO,
            failure_criterion: Some(SpringFailureCriterion::Stretch(BREAKS_AT)),
            ..Springs::default()
        };
        let material = Material { density: Some(1.0), springs, ..Material::default() };
        let grid = LatticeGrid::fill(lattice, [[0; D], sides.map(|side| side - 1)], |_| true)?;
        Ok(Body::new(grid, &material, 1.0, |place| place + corner)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases;

    #[test]
    fn springs_and_particles_are_units() {
        let body = SpringBodies::of(&cases::tiny("square-4")).lattice::<2>().unwrap();
        assert!((body.particle_mass() - 1.0).abs() < 1e-12);
        // Two neighbors that swing against each other on springs of one, pushed ones stiffer.
        assert!((body.longest_stable_step() * COMPRESSION_RATIO.sqrt() - 1.0).abs() < 1e-12);
        assert_eq!(body.spring_count(), 2 * 12 * 11);
    }
}
