//! Which particles springs join, how long and how stiff these are, and what a solid of them is like.

use carom_geometry::Vector;

/// The arrangement of particles and the springs between them.
///
/// | lattice | dimension | neighbors | Poisson's ratio | |
/// |---|---|---|---|---|
/// | `Square4` | 2 | 4 | 0 | no resistance to shear: the choice of S. Koti's thesis |
/// | `Square8` | 2 | 8 | 1/3 | the same in all directions, for diagonals are half as stiff |
/// | `Triangular` | 2 | 6 | 1/3 | the same in all directions |
/// | `Cubic6` | 3 | 6 | 0 | no resistance to shear |
/// | `Cubic18` | 3 | 18 | 1/4 | the same in all directions, all springs equally stiff |
/// | `Cubic26` | 3 | 26 | 1/4 | the same in all directions: 1, 1/2 and 3/16 |
///
/// Springs that only pull and push along themselves have no other Poisson's ratio (Cauchy).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SpringLattice {
    /// Squares without diagonals.
    Square4,
    /// Squares with diagonals.
    Square8,
    /// Equilateral triangles.
    Triangular,
    /// Cubes without diagonals.
    Cubic6,
    /// Cubes with diagonals of their faces.
    Cubic18,
    /// Cubes with all diagonals.
    Cubic26,
}

/// A spring from a particle to a neighbor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link<const D: usize> {
    /// Steps along the axes of the lattice.
    pub offset: [i32; D],
    /// Its length, in spacings.
    pub length: f64,
    /// Its stiffness, in those of the shortest springs.
    pub stiffness: f64,
}

/// What a solid of springs is like, with a spacing, a mass of each particle and a stiffness of the shortest springs of
/// one: stresses are forces per length in the plane and per area in space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solid {
    /// Young's modulus along an axis of the lattice.
    pub young_modulus: f64,
    /// Poisson's ratio.
    pub poisson_ratio: f64,
    /// Volume of a particle.
    pub particle_volume: f64,
    /// The longest stable step.
    pub stable_time_step: f64,
    /// The speed of longitudinal waves along an axis.
    pub longitudinal_wave_speed: f64,
    /// The speed of transverse waves along an axis; zero where nothing resists shear.
    pub transverse_wave_speed: f64,
}

impl SpringLattice {
    /// All of them.
    pub const ALL: [SpringLattice; 6] = [
        SpringLattice::Square4,
        SpringLattice::Square8,
        SpringLattice::Triangular,
        SpringLattice::Cubic6,
        SpringLattice::Cubic18,
        SpringLattice::Cubic26,
    ];

    /// The number of its dimensions.
    pub fn dimension(self) -> usize {
        match self {
            SpringLattice::Square4 | SpringLattice::Square8 | SpringLattice::Triangular => 2,
            SpringLattice::Cubic6 | SpringLattice::Cubic18 | SpringLattice::Cubic26 => 3,
        }
    }

    /// How stiff a spring is whose offset has so many steps along axes (as the square of its length), if there is one.
    fn stiffness(self, squared: i32) -> Option<f64> {
        let by_squares: &[f64] = match self {
            SpringLattice::Square4 | SpringLattice::Cubic6 | SpringLattice::Triangular => &[1.0],
            SpringLattice::Square8 => &[1.0, 0.5],
            SpringLattice::Cubic18 => &[1.0, 1.0],
            SpringLattice::Cubic26 => &[1.0, 0.5, 3.0 / 16.0],
        };
        by_squares.get(squared as usize - 1).copied()
    }

    /// Half of the springs of a particle: those to neighbors that come later, row by row. The others are opposite to
    /// them.
    pub fn half_links<const D: usize>(self) -> Vec<Link<D>> {
        let mut links = Vec::new();
        for code in 0..3i32.pow(D as u32) {
            let offset: [i32; D] = std::array::from_fn(|axis| code / 3i32.pow(axis as u32) % 3 - 1);
            let later = offset.iter().rev().find(|&&step| step != 0).is_some_and(|&step| step > 0);
            let squared = self.squared_length(&offset);
            if let Some(stiffness) = self.stiffness(squared.max(1)).filter(|_| later) {
                links.push(Link { offset, length: f64::from(squared).sqrt(), stiffness });
            }
        }
        links
    }

    /// The square of the length of an offset, in squares of the spacing.
    fn squared_length<const D: usize>(self, offset: &[i32; D]) -> i32 {
        let squares: i32 = offset.iter().map(|step| step * step).sum();
        match self {
            SpringLattice::Triangular => squares + offset[0] * offset[1],
            _ => squares,
        }
    }

    /// Where the particle at whole steps along the axes is, with a spacing of one.
    pub fn position<const D: usize>(self, coordinates: &[i32; D]) -> Vector<D> {
        let mut position = Vector::from(coordinates.map(f64::from));
        if self == SpringLattice::Triangular {
            position[0] += 0.5 * position[1];
            position[1] *= 0.75_f64.sqrt();
        }
        position
    }

    /// What a solid of it is like.
    pub fn solid(self) -> Solid {
        match self.dimension() {
            2 => self.solid_in::<2>(),
            _ => self.solid_in::<3>(),
        }
    }

    /// The elastic constants are sums over springs (M. Born, K. Huang); the longest stable step is two over the largest
    /// frequency, that of neighbors that swing against each other along an axis.
    fn solid_in<const D: usize>(self) -> Solid {
        let particle_volume = if self == SpringLattice::Triangular { 0.75_f64.sqrt() } else { 1.0 };
        let [mut axial_stiffness, mut coupling_stiffness, mut fastest] = [0.0; 3];
        for link in self.half_links::<D>() {
            let separation = self.position(&link.offset);
            let stretch = link.stiffness / (link.length * link.length) / particle_volume;
            axial_stiffness += stretch * separation[0].powi(4);
            coupling_stiffness += stretch * separation[0].powi(2) * separation[1].powi(2);
            // Along the first axis every other particle swings back; along the second axis in a triangular lattice.
            let swings =
                if self == SpringLattice::Triangular { link.offset[1] } else { link.offset[0] };
            let axis = usize::from(self == SpringLattice::Triangular);
            if swings % 2 != 0 {
                fastest += 4.0 * link.stiffness * (separation[axis] / link.length).powi(2);
            }
        }
        // Springs that pull along themselves resist shear by what couples the axes.
        let shear = coupling_stiffness;
        let poisson_ratio = match D {
            2 => coupling_stiffness / axial_stiffness,
            _ => coupling_stiffness / (axial_stiffness + coupling_stiffness),
        };
        let young_modulus = match D {
            2 => axial_stiffness - coupling_stiffness * coupling_stiffness / axial_stiffness,
            _ => {
                axial_stiffness
                    - 2.0 * coupling_stiffness * coupling_stiffness
                        / (axial_stiffness + coupling_stiffness)
            }
        };
        Solid {
            young_modulus,
            poisson_ratio,
            particle_volume,
            stable_time_step: 2.0 / fastest.sqrt(),
            longitudinal_wave_speed: (axial_stiffness * particle_volume).sqrt(),
            transverse_wave_speed: (shear * particle_volume).sqrt(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Young's modulus, Poisson's ratio, speeds and step from the dynamical matrix, worked out by hand.
    #[test]
    fn solids_are_what_their_dynamical_matrices_say() {
        let known = [
            (SpringLattice::Square4, 1.0, 0.0, 1.0, 0.0, 1.0),
            (SpringLattice::Square8, 4.0 / 3.0, 1.0 / 3.0, 1.224745, 0.5_f64.sqrt(), 0.816497),
            (SpringLattice::Triangular, 1.154701, 1.0 / 3.0, 1.060660, 0.612372, 0.816497),
            (SpringLattice::Cubic6, 1.0, 0.0, 1.0, 0.0, 1.0),
            (SpringLattice::Cubic18, 2.5, 0.25, 1.732051, 1.0, 0.577350),
            (SpringLattice::Cubic26, 1.875, 0.25, 1.5, 0.866025, 0.666667),
        ];
        for (lattice, young, poisson, longitudinal, transverse, step) in known {
            let solid = lattice.solid();
            let near = |found: f64, value: f64| (found - value).abs() < 1e-5;
            assert!(
                near(solid.young_modulus, young) && near(solid.poisson_ratio, poisson),
                "{lattice:?} {solid:?}"
            );
            assert!(near(solid.longitudinal_wave_speed, longitudinal), "{lattice:?} {solid:?}");
            assert!(near(solid.transverse_wave_speed, transverse), "{lattice:?} {solid:?}");
            assert!(near(solid.stable_time_step, step), "{lattice:?} {solid:?}");
        }
    }

    #[test]
    fn springs_are_as_many_and_as_long_as_their_names_say() {
        let springs = [4, 8, 6, 6, 18, 26];
        for (lattice, springs) in SpringLattice::ALL.into_iter().zip(springs) {
            let lengths: Vec<[f64; 2]> = match lattice.dimension() {
                2 => (lattice.half_links::<2>().iter())
                    .map(|link| [link.length, lattice.position(&link.offset).norm()])
                    .collect(),
                _ => (lattice.half_links::<3>().iter())
                    .map(|link| [link.length, lattice.position(&link.offset).norm()])
                    .collect(),
            };
            assert_eq!(2 * lengths.len(), springs);
            assert!(lengths.iter().all(|[length, way]| (length - way).abs() < 1e-15));
        }
    }
}
