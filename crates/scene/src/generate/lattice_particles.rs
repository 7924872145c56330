//! Equal particles on the sites of a lattice.

use super::{check_count, setting};
use crate::Error;
use carom_detect::LARGEST_NUMBER;
use carom_geometry::{Sphere, Vector, math};
use carom_io::ParticleSet;
use schemars::JsonSchema;
use serde::Deserialize;

/// A lattice and its number of nearest neighbors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "Lattice")]
pub enum LatticeKind {
    /// In 2D, 4 neighbors.
    Square,
    /// In 2D, 6 neighbors: the densest packing.
    Triangular,
    /// In 3D, simple cubic, 6 neighbors.
    Cubic,
    /// In 3D, face-centered cubic, 12 neighbors: the densest packing.
    #[serde(rename = "fcc")]
    FaceCenteredCubic,
}

impl LatticeKind {
    /// Returns 2 or 3.
    pub fn dimension(self) -> usize {
        match self {
            LatticeKind::Square | LatticeKind::Triangular => 2,
            LatticeKind::Cubic | LatticeKind::FaceCenteredCubic => 3,
        }
    }

    /// Returns the lattice in words.
    pub fn name(self) -> &'static str {
        match self {
            LatticeKind::Square => "square lattice",
            LatticeKind::Triangular => "triangular lattice",
            LatticeKind::Cubic => "cubic lattice",
            LatticeKind::FaceCenteredCubic => "face-centered cubic lattice",
        }
    }

    /// Returns the edges of the rectangular cell in units of the distance between neighbors.
    pub(super) fn cell(self) -> [f64; 3] {
        match self {
            LatticeKind::Square | LatticeKind::Cubic => [1.0; 3],
            LatticeKind::Triangular => [1.0, 3f64.sqrt(), 1.0],
            LatticeKind::FaceCenteredCubic => [2f64.sqrt(); 3],
        }
    }

    /// Returns the sites of the cell, in units of its edges.
    pub(super) fn sites(self) -> &'static [[f64; 3]] {
        match self {
            LatticeKind::Square | LatticeKind::Cubic => &[[0.0; 3]],
            LatticeKind::Triangular => &[[0.0; 3], [0.5, 0.5, 0.0]],
            LatticeKind::FaceCenteredCubic => {
                &[[0.0; 3], [0.5, 0.5, 0.0], [0.5, 0.0, 0.5], [0.0, 0.5, 0.5]]
            }
        }
    }
}

/// Settings of a lattice; [`LatticeParticles::make`] checks them.
///
/// Neighbors touch when `spacing` is twice the radius. Rounding may leave a tiny gap or overlap; powers of two on the
/// square and cubic lattices are exact.
///
/// ```
/// use carom_scene::generate::{LatticeParticles, LatticeKind};
/// let lattice = LatticeParticles { kind: LatticeKind::Square, count: 4, spacing: 1.0, radius: 0.5 };
/// let set = lattice.make::<2>()?;
/// assert_eq!((set.spheres[3].center.x, set.spheres[3].center.y), (1.0, 1.0));
/// # Ok::<(), carom_scene::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LatticeParticles {
    /// Arrangement of the sites, such as square or hexagonal.
    pub kind: LatticeKind,
    /// Exact number of particles; the last layer may be incomplete.
    pub count: usize,
    /// Distance between the centers of neighbors.
    pub spacing: f64,
    /// Radius of every particle, a length.
    pub radius: f64,
}

impl LatticeParticles {
    /// Returns the particles, cell by cell with x running fastest; together about a square or a cube with its first
    /// site at the origin. The region is open.
    pub fn make<const D: usize>(&self) -> Result<ParticleSet<D>, Error> {
        self.check(D)?;
        let cells = self.cells();
        let sites = self.kind.sites();
        let sphere = |index: usize| {
            let cell = index / sites.len();
            let place = [cell % cells[0], cell / cells[0] % cells[1], cell / (cells[0] * cells[1])];
            let site = sites[index % sites.len()];
            let center = Vector::from_fn(|axis, _| {
                (place[axis] as f64 + site[axis]) * self.kind.cell()[axis] * self.spacing
            });
            Sphere { center, radius: self.radius }
        };
        Ok(ParticleSet::open((0..self.count).map(sphere).collect()))
    }

    fn check(&self, asked: usize) -> Result<(), Error> {
        let is = self.kind.dimension();
        if is != asked {
            return Err(Error::Dimension { what: self.kind.name(), is, asked });
        }
        check_count(self.count)?;
        // So that the far corner of the largest lattice can still be searched.
        let largest = LARGEST_NUMBER / 1e10;
        if !(self.spacing > 0.0 && self.spacing <= largest) {
            let rule = "it must be greater than zero and at most 1e90";
            return Err(setting("spacing", self.spacing, rule));
        }
        if !(self.radius >= 0.0 && self.radius <= LARGEST_NUMBER) {
            return Err(setting("radius", self.radius, "a radius must be finite and not negative"));
        }
        Ok(())
    }

    /// Returns the cells along x and y such that the whole is about as wide as high.
    fn cells(&self) -> [usize; 2] {
        let cell = self.kind.cell();
        let dimension = self.kind.dimension();
        let needed = self.count.div_ceil(self.kind.sites().len()) as f64;
        let volume = needed * cell[..dimension].iter().product::<f64>();
        let side = if dimension == 2 { volume.sqrt() } else { math::cbrt(volume) };
        // The cube root of 1000 is rounded to slightly above 10.
        let along = |axis: usize| ((side / cell[axis] - 1e-9).ceil() as usize).max(1);
        [along(0), if dimension == 2 { usize::MAX / along(0) } else { along(1) }]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lattice(kind: LatticeKind, count: usize) -> LatticeParticles {
        LatticeParticles { kind, count, spacing: 2.0, radius: 1.0 }
    }

    /// Neighbors of the particle nearest to the middle.
    fn count_neighbors<const D: usize>(kind: LatticeKind) -> usize {
        let spheres = lattice(kind, 2000).make::<D>().unwrap().spheres;
        let middle = spheres.iter().map(|s| s.center).sum::<Vector<D>>() / spheres.len() as f64;
        let distance = |s: &&Sphere<D>| (s.center - middle).norm();
        let center =
            spheres.iter().min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap().center;
        let shortest = spheres.iter().map(|s| (s.center - center).norm()).filter(|&d| d > 1e-9);
        assert!((shortest.fold(f64::INFINITY, f64::min) - 2.0).abs() < 1e-12);
        spheres.iter().filter(|s| (s.center - center).norm() < 2.001).count() - 1
    }

    #[test]
    fn every_lattice_has_its_number_of_neighbors() {
        assert_eq!(count_neighbors::<2>(LatticeKind::Square), 4);
        assert_eq!(count_neighbors::<2>(LatticeKind::Triangular), 6);
        assert_eq!(count_neighbors::<3>(LatticeKind::Cubic), 6);
        assert_eq!(count_neighbors::<3>(LatticeKind::FaceCenteredCubic), 12);
    }

    #[test]
    fn the_count_is_exact_and_the_shape_about_a_cube() {
        for kind in [LatticeKind::Cubic, LatticeKind::FaceCenteredCubic] {
            for count in [0, 1, 7, 64, 1000, 5324] {
                let spheres = lattice(kind, count).make::<3>().unwrap().spheres;
                assert_eq!(spheres.len(), count);
                let high = spheres.iter().map(|s| s.center).reduce(|a, b| a.sup(&b));
                let Some(high) = high else { continue };
                assert!(high.max() - high.min() < 6.0, "{count}: {high}");
            }
        }
    }

    #[test]
    fn a_thousand_on_the_cubic_lattice_are_ten_cubed() {
        let spheres = lattice(LatticeKind::Cubic, 1000).make::<3>().unwrap().spheres;
        assert_eq!(spheres[999], Sphere::new([18.0, 18.0, 18.0], 1.0));
        assert_eq!(spheres[10], Sphere::new([0.0, 2.0, 0.0], 1.0));
    }

    #[test]
    fn senseless_settings_are_refused_in_a_sentence() {
        let refused =
            |lattice: LatticeParticles| lattice.make::<2>().map(|_| ()).unwrap_err().to_string();
        let square = lattice(LatticeKind::Square, 9);
        assert_eq!(
            refused(lattice(LatticeKind::Cubic, 9)),
            "cubic lattice has 3 dimensions, but 2 were asked for"
        );
        assert_eq!(
            refused(LatticeParticles { spacing: 0.0, ..square }),
            "spacing is 0; it must be greater than zero and at most 1e90"
        );
        assert_eq!(
            refused(LatticeParticles { radius: f64::NAN, ..square }),
            "radius is NaN; a radius must be finite and not negative"
        );
    }
}
