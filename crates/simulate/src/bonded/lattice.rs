//! Spring lattices: which particles springs join, their lengths and stiffnesses, and the solid that they make.

use carom_geometry::Vector;

/// Arrangement of particles and of the springs between them.
///
/// | lattice | dimension | neighbors | Poisson's ratio | |
/// |---|---|---|---|---|
/// | `Square4` | 2 | 4 | 0 | no resistance to shear: the choice of S. Koti's thesis |
/// | `Square8` | 2 | 8 | 1/3 | isotropic, for diagonals are half as stiff |
/// | `Triangular` | 2 | 6 | 1/3 | isotropic |
/// | `Cubic6` | 3 | 6 | 0 | no resistance to shear |
/// | `Cubic18` | 3 | 18 | 1/4 | isotropic, all springs equally stiff |
/// | `Cubic26` | 3 | 26 | 1/4 | isotropic: stiffnesses 1, 1/2 and 3/16 |
///
/// Springs with central forces only allow no other Poisson's ratio (the Cauchy relations); see
/// [`Material::poissons_ratio`](crate::Material::poissons_ratio) for others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(schemars::JsonSchema, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    schemars(
        rename = "SolidLattice",
        description = "Arrangement of the particles of a solid, and number of neighbors that each is bonded to."
    )
)]
pub enum SpringLattice {
    /// In 2D: squares without diagonals; nothing resists shear.
    #[cfg_attr(feature = "serde", serde(rename = "square-4"))]
    Square4,
    /// In 2D: squares with diagonals.
    #[cfg_attr(feature = "serde", serde(rename = "square-8"))]
    Square8,
    /// In 2D: equilateral triangles.
    #[cfg_attr(feature = "serde", serde(rename = "triangular"))]
    Triangular,
    /// In 3D: cubes without diagonals; nothing resists shear.
    #[cfg_attr(feature = "serde", serde(rename = "cubic-6"))]
    Cubic6,
    /// In 3D: cubes with face diagonals.
    #[cfg_attr(feature = "serde", serde(rename = "cubic-18"))]
    Cubic18,
    /// In 3D: cubes with face and body diagonals.
    #[cfg_attr(feature = "serde", serde(rename = "cubic-26"))]
    Cubic26,
}

/// A spring from a particle to a neighbor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link<const D: usize> {
    /// Offset along the axes of the lattice, in steps.
    pub offset: [i32; D],
    /// Rest length, in spacings.
    pub length: f64,
    /// Stiffness, relative to the shortest springs.
    pub stiffness: f64,
}

/// Elastic properties of a spring lattice with unit spacing, unit particle mass and unit stiffness of the shortest
/// springs; stresses are forces per length in the plane and per area in space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solid {
    /// Young's modulus along an axis of the lattice.
    pub youngs_modulus: f64,
    /// Poisson's ratio.
    pub poissons_ratio: f64,
    /// Volume per particle.
    pub particle_volume: f64,
    /// Longest stable time step.
    pub stable_time_step: f64,
    /// Speed of longitudinal waves along an axis.
    pub longitudinal_wave_speed: f64,
    /// Speed of transverse waves along an axis; zero if nothing resists shear.
    pub transverse_wave_speed: f64,
}

impl SpringLattice {
    /// All lattices.
    pub const ALL: [SpringLattice; 6] = [
        SpringLattice::Square4,
        SpringLattice::Square8,
        SpringLattice::Triangular,
        SpringLattice::Cubic6,
        SpringLattice::Cubic18,
        SpringLattice::Cubic26,
    ];

    /// Number of dimensions.
    pub fn dimension(self) -> usize {
        match self {
            SpringLattice::Square4 | SpringLattice::Square8 | SpringLattice::Triangular => 2,
            SpringLattice::Cubic6 | SpringLattice::Cubic18 | SpringLattice::Cubic26 => 3,
        }
    }

    /// Relative stiffness of a spring with this squared length in squared spacings, if the lattice has one.
    fn stiffness(self, squared: i32) -> Option<f64> {
        let by_squares: &[f64] = match self {
            SpringLattice::Square4 | SpringLattice::Cubic6 | SpringLattice::Triangular => &[1.0],
            SpringLattice::Square8 => &[1.0, 0.5],
            SpringLattice::Cubic18 => &[1.0, 1.0],
            SpringLattice::Cubic26 => &[1.0, 0.5, 3.0 / 16.0],
        };
        by_squares.get(squared as usize - 1).copied()
    }

    /// One link for each spring of a particle to a neighbor that comes later in row order; the others are opposite to
    /// these.
    ///
    /// ```
    /// use carom_simulate::bonded::SpringLattice;
    /// // Four of the eight neighbors: two beside, two across the diagonals.
    /// let links = SpringLattice::Square8.half_links::<2>();
    /// assert_eq!(links.iter().filter(|link| link.length == 1.0).count(), 2);
    /// assert_eq!(links.iter().filter(|link| link.length == 2f64.sqrt()).count(), 2);
    /// assert_eq!(SpringLattice::Cubic26.half_links::<3>().len(), 13);
    /// ```
    pub fn half_links<const D: usize>(self) -> Vec<Link<D>> {
        let mut links = Vec::new();
        for code in 0..3i32.pow(D as u32) {
            let offset: [i32; D] = std::array::from_fn(|axis| code / 3i32.pow(axis as u32) % 3 - 1);
            // Of a link and its opposite only one: the one that points to the later particle.
            let later = offset.iter().rev().find(|&&step| step != 0).is_some_and(|&step| step > 0);
            let squared = self.squared_length(&offset);
            if let Some(stiffness) = self.stiffness(squared.max(1)).filter(|_| later) {
                links.push(Link { offset, length: f64::from(squared).sqrt(), stiffness });
            }
        }
        links
    }

    /// Squared length of an offset, in squared spacings.
    fn squared_length<const D: usize>(self, offset: &[i32; D]) -> i32 {
        let squares: i32 = offset.iter().map(|step| step * step).sum();
        match self {
            // In oblique coordinates the axes enclose 60 degrees: |a u + b v|² = a² + b² + a b.
            SpringLattice::Triangular => squares + offset[0] * offset[1],
            _ => squares,
        }
    }

    /// Position of the site at integer lattice coordinates, with unit spacing.
    ///
    /// ```
    /// use carom_simulate::bonded::SpringLattice;
    /// // All six neighbors in a triangular lattice are one spacing away.
    /// for link in SpringLattice::Triangular.half_links::<2>() {
    ///     assert!((SpringLattice::Triangular.position(&link.offset).norm() - 1.0).abs() < 1e-12);
    /// }
    /// ```
    pub fn position<const D: usize>(self, coordinates: &[i32; D]) -> Vector<D> {
        let mut position = Vector::from(coordinates.map(f64::from));
        if self == SpringLattice::Triangular {
            position[0] += 0.5 * position[1];
            position[1] *= 0.75_f64.sqrt();
        }
        position
    }

    /// Computes the elastic properties of the lattice.
    ///
    /// ```
    /// use carom_simulate::bonded::SpringLattice;
    /// // Cauchy's relation: central forces give Poisson's ratio 1/3 in the plane, 1/4 in space.
    /// assert!((SpringLattice::Triangular.solid().poissons_ratio - 1.0 / 3.0).abs() < 1e-12);
    /// assert!((SpringLattice::Cubic18.solid().poissons_ratio - 0.25).abs() < 1e-12);
    /// assert_eq!(SpringLattice::Square4.solid().transverse_wave_speed, 0.0);
    /// ```
    pub fn solid(self) -> Solid {
        match self.dimension() {
            2 => self.solid_in::<2>(),
            _ => self.solid_in::<3>(),
        }
    }

    /// Elastic constants are sums over springs (M. Born, K. Huang); the longest stable time step is two over the
    /// largest frequency, that of neighbors that vibrate in antiphase along an axis.
    fn solid_in<const D: usize>(self) -> Solid {
        let particle_volume = if self == SpringLattice::Triangular { 0.75_f64.sqrt() } else { 1.0 };
        let [mut axial_stiffness, mut coupling_stiffness, mut fastest] = [0.0; 3];
        for link in self.half_links::<D>() {
            let separation = self.position(&link.offset);
            let stretch = link.stiffness / (link.length * link.length) / particle_volume;
            // Homogenized over the springs of a particle: C₁₁ = Σ k x⁴ / (l² V), C₁₂ = Σ k x² y² / (l² V).
            axial_stiffness += stretch * separation[0].powi(4);
            coupling_stiffness += stretch * separation[0].powi(2) * separation[1].powi(2);
            // The fastest mode has antiphase along the first axis, or along the second in a triangular lattice.
            let swings =
                if self == SpringLattice::Triangular { link.offset[1] } else { link.offset[0] };
            let axis = usize::from(self == SpringLattice::Triangular);
            if swings % 2 != 0 {
                fastest += 4.0 * link.stiffness * (separation[axis] / link.length).powi(2);
            }
        }
        // Cauchy relation: with central forces the shear modulus equals the coupling of the axes.
        let shear = coupling_stiffness;
        let poissons_ratio = match D {
            2 => coupling_stiffness / axial_stiffness,
            _ => coupling_stiffness / (axial_stiffness + coupling_stiffness),
        };
        let youngs_modulus = match D {
            2 => axial_stiffness - coupling_stiffness * coupling_stiffness / axial_stiffness,
            _ => {
                axial_stiffness
                    - 2.0 * coupling_stiffness * coupling_stiffness
                        / (axial_stiffness + coupling_stiffness)
            }
        };
        Solid {
            youngs_modulus,
            poissons_ratio,
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

    /// Young's modulus, Poisson's ratio, wave speeds and stable step from the dynamical matrix, derived by hand.
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
                near(solid.youngs_modulus, young) && near(solid.poissons_ratio, poisson),
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
