//! Which particles springs join, how long and how stiff these are, and what a solid of them is like.

use carom_geometry::Vector;

/// The arrangement of particles and the springs between them.
///
/// | lattice | dimension | neighbours | Poisson's ratio | |
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
pub enum Lattice {
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

/// A spring from a particle to a neighbour.
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
    pub young: f64,
    /// Poisson's ratio.
    pub poisson: f64,
    /// Volume of a particle.
    pub volume: f64,
    /// The longest stable step.
    pub step: f64,
    /// The speed of longitudinal waves along an axis.
    pub longitudinal: f64,
    /// The speed of transverse waves along an axis; zero where nothing resists shear.
    pub transverse: f64,
}

impl Lattice {
    /// All of them.
    pub const ALL: [Lattice; 6] = [
        Lattice::Square4,
        Lattice::Square8,
        Lattice::Triangular,
        Lattice::Cubic6,
        Lattice::Cubic18,
        Lattice::Cubic26,
    ];

    /// The number of its dimensions.
    pub fn dimension(self) -> usize {
        match self {
            Lattice::Square4 | Lattice::Square8 | Lattice::Triangular => 2,
            Lattice::Cubic6 | Lattice::Cubic18 | Lattice::Cubic26 => 3,
        }
    }

    /// How stiff a spring is whose offset has so many steps along axes (as the square of its length), if there is one.
    fn stiffness(self, squared: i32) -> Option<f64> {
        let by_squares: &[f64] = match self {
            Lattice::Square4 | Lattice::Cubic6 | Lattice::Triangular => &[1.0],
            Lattice::Square8 => &[1.0, 0.5],
            Lattice::Cubic18 => &[1.0, 1.0],
            Lattice::Cubic26 => &[1.0, 0.5, 3.0 / 16.0],
        };
        by_squares.get(squared as usize - 1).copied()
    }

    /// Half of the springs of a particle: those to neighbours that come later, row by row. The others are opposite to
    /// them.
    pub fn half<const D: usize>(self) -> Vec<Link<D>> {
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
            Lattice::Triangular => squares + offset[0] * offset[1],
            _ => squares,
        }
    }

    /// Where the particle at whole steps along the axes is, with a spacing of one.
    pub fn place<const D: usize>(self, steps: &[i32; D]) -> Vector<D> {
        let mut place = Vector::from(steps.map(f64::from));
        if self == Lattice::Triangular {
            place[0] += 0.5 * place[1];
            place[1] *= 0.75_f64.sqrt();
        }
        place
    }

    /// What a solid of it is like.
    pub fn solid(self) -> Solid {
        match self.dimension() {
            2 => self.solid_in::<2>(),
            _ => self.solid_in::<3>(),
        }
    }

    /// The elastic constants are sums over springs (M. Born, K. Huang); the longest stable step is two over the largest
    /// frequency, that of neighbours that swing against each other along an axis.
    fn solid_in<const D: usize>(self) -> Solid {
        let volume = if self == Lattice::Triangular { 0.75_f64.sqrt() } else { 1.0 };
        let [mut along, mut across, mut fastest] = [0.0; 3];
        for link in self.half::<D>() {
            let way = self.place(&link.offset);
            let stretch = link.stiffness / (link.length * link.length) / volume;
            along += stretch * way[0].powi(4);
            across += stretch * way[0].powi(2) * way[1].powi(2);
            // Along the first axis every other particle swings back; along the second axis in a triangular lattice.
            let swings = if self == Lattice::Triangular { link.offset[1] } else { link.offset[0] };
            let axis = usize::from(self == Lattice::Triangular);
            if swings % 2 != 0 {
                fastest += 4.0 * link.stiffness * (way[axis] / link.length).powi(2);
            }
        }
        // Springs that pull along themselves resist shear by what couples the axes.
        let shear = across;
        let poisson = match D {
            2 => across / along,
            _ => across / (along + across),
        };
        let young = match D {
            2 => along - across * across / along,
            _ => along - 2.0 * across * across / (along + across),
        };
        Solid {
            young,
            poisson,
            volume,
            step: 2.0 / fastest.sqrt(),
            longitudinal: (along * volume).sqrt(),
            transverse: (shear * volume).sqrt(),
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
            (Lattice::Square4, 1.0, 0.0, 1.0, 0.0, 1.0),
            (Lattice::Square8, 4.0 / 3.0, 1.0 / 3.0, 1.224745, 0.5_f64.sqrt(), 0.816497),
            (Lattice::Triangular, 1.154701, 1.0 / 3.0, 1.060660, 0.612372, 0.816497),
            (Lattice::Cubic6, 1.0, 0.0, 1.0, 0.0, 1.0),
            (Lattice::Cubic18, 2.5, 0.25, 1.732051, 1.0, 0.577350),
            (Lattice::Cubic26, 1.875, 0.25, 1.5, 0.866025, 0.666667),
        ];
        for (lattice, young, poisson, longitudinal, transverse, step) in known {
            let solid = lattice.solid();
            let near = |found: f64, value: f64| (found - value).abs() < 1e-5;
            assert!(
                near(solid.young, young) && near(solid.poisson, poisson),
                "{lattice:?} {solid:?}"
            );
            assert!(near(solid.longitudinal, longitudinal), "{lattice:?} {solid:?}");
            assert!(near(solid.transverse, transverse), "{lattice:?} {solid:?}");
            assert!(near(solid.step, step), "{lattice:?} {solid:?}");
        }
    }

    #[test]
    fn springs_are_as_many_and_as_long_as_their_names_say() {
        let springs = [4, 8, 6, 6, 18, 26];
        for (lattice, springs) in Lattice::ALL.into_iter().zip(springs) {
            let lengths: Vec<[f64; 2]> = match lattice.dimension() {
                2 => (lattice.half::<2>().iter())
                    .map(|link| [link.length, lattice.place(&link.offset).norm()])
                    .collect(),
                _ => (lattice.half::<3>().iter())
                    .map(|link| [link.length, lattice.place(&link.offset).norm()])
                    .collect(),
            };
            assert_eq!(2 * lengths.len(), springs);
            assert!(lengths.iter().all(|[length, way]| (length - way).abs() < 1e-15));
        }
    }
}
