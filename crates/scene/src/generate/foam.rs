//! An open-cell foam: struts along the edges of a random Voronoi diagram, cut out of a cube.

use super::{DEFAULT_SEED, SplitMix64, setting};
use crate::Error;
use carom_geometry::mesh::{SampleGrid, TriangleMesh};
use carom_geometry::{Vector, math};
use rayon::prelude::*;

/// Largest displacement of a site from its position in the body-centered cubic lattice, along each axis, in lattice
/// constants.
const JITTER: f64 = 0.12;

/// A point belongs to a strut if its third-nearest site is farther than its nearest by less than this, in lattice
/// constants.
const STRUT: f64 = 0.22;

/// Value of that difference outside of the cube; far above [`STRUT`], so that the foam ends there.
const BEYOND: f64 = 4.0;

/// Cells along an edge of the cube; with fewer, possible numbers of triangles lie far apart.
const CELLS: std::ops::RangeInclusive<usize> = 2..=50;

/// Smallest number of triangles per lattice cube: samples are then as far apart as struts are wide.
const LEAST_TRIANGLES: usize = 500;

/// Largest number of triangles.
const MOST_TRIANGLES: usize = 100_000_000;

/// Accepted relative deviation from the requested number of triangles.
const CLOSE: f64 = 0.03;

/// Largest number of corrections of the number of samples.
const CORRECTIONS: usize = 6;

/// Settings of an open-cell foam in the cube from -1 to 1; [`Foam::make`] checks them.
///
/// The struts lie along the edges of the Voronoi diagram of a body-centered cubic lattice whose sites are displaced a
/// little at random: two pores for each cube of the lattice. About 0.36 of the cube is solid. Small parts may be
/// disconnected from the rest; `carom check` reports the number of parts.
///
/// ```
/// use carom_scene::generate::Foam;
/// let mesh = Foam { triangles: 20_000, cells: 3, seed: 7 }.make()?;
/// assert!((18_000..22_000).contains(&mesh.triangles().len()));
/// # Ok::<(), carom_scene::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Foam {
    /// Requested number of triangles, which is met to within a tenth.
    pub triangles: usize,
    /// Number of lattice cubes along an edge.
    pub cells: usize,
    /// Seed; equal seeds give equal foams.
    pub seed: u64,
}

impl Default for Foam {
    fn default() -> Self {
        Foam { triangles: 500_000, cells: 4, seed: DEFAULT_SEED }
    }
}

impl Foam {
    /// Returns the surface of the struts: closed, with outward normals and no triangle without area. It reaches beyond
    /// the cube by less than a tenth of the sample spacing.
    ///
    /// Computes 54 distances for each sample, on all threads, once or twice; the mesh does not depend on the number of
    /// threads. There are about 600,000 samples for a million triangles and four cells.
    pub fn make(&self) -> Result<TriangleMesh, Error> {
        self.check()?;
        let sites = FoamSites::new(self.cells, self.seed);
        let wanted = self.triangles as f64;
        let mut best = ClosestFoamMesh { miss: f64::INFINITY, mesh: None };
        let mut samples = samples_for(wanted, self.cells);
        // Bracket: more samples than made too few triangles, fewer than made too many.
        let (mut least, mut most) = (1, usize::MAX);
        for _ in 0..=CORRECTIONS {
            let mesh = sites.surface(samples);
            let count = mesh.as_ref().map_or(1.0, |mesh| mesh.triangles().len() as f64);
            let miss = math::ln(count / wanted).abs();
            if miss < best.miss {
                best = ClosestFoamMesh { miss, mesh };
            }
            if count < wanted {
                least = samples + 1;
            } else {
                most = samples - 1;
            }
            if miss < CLOSE || least > most {
                break;
            }
            // A surface has triangles as the square of the samples along an edge.
            let factor = (wanted / count).sqrt().clamp(0.5, 2.0);
            samples = ((samples as f64 * factor).round() as usize).clamp(least, most);
        }
        best.mesh.ok_or_else(|| setting("seed", self.seed, "its foam is empty; take another"))
    }

    fn check(&self) -> Result<(), Error> {
        if !CELLS.contains(&self.cells) {
            let rule = "a foam has from 2 to 50 along an edge";
            return Err(setting("number of cells", self.cells, rule));
        }
        let least = LEAST_TRIANGLES * self.cells.pow(3);
        if !(least..=MOST_TRIANGLES).contains(&self.triangles) {
            let rule = "a foam has from 500 times the cube of its number of cells to 1e8";
            return Err(setting("number of triangles", self.triangles, rule));
        }
        Ok(())
    }
}

/// The mesh whose number of triangles is closest so far.
struct ClosestFoamMesh {
    miss: f64,
    mesh: Option<TriangleMesh>,
}

/// Returns the number of samples, summed over the three axes, that make about this number of triangles.
///
/// The number of triangles grows with the area of struts and of their ends on the sides of the cube, and where samples
/// are far apart some of it is lost. The factors are measured, for 2 to 8 cells.
fn samples_for(triangles: f64, cells: usize) -> usize {
    let cells = cells as f64;
    let along_an_edge = (triangles / (35.0 * cells + 14.3)).sqrt() + 0.38 * cells + 0.5;
    (3.0 * along_an_edge).round() as usize
}

/// The centers of the pores.
struct FoamSites {
    cells: usize,
    /// Two sites for each lattice cube, with one more layer of cubes on every side, x fastest.
    positions: Vec<Vector<3>>,
}

impl FoamSites {
    fn new(cells: usize, seed: u64) -> Self {
        let mut random = SplitMix64::new(seed);
        let across = cells + 2;
        let mut positions = Vec::with_capacity(2 * across.pow(3));
        for number in 0..across.pow(3) {
            let cube = [number % across, number / across % across, number / across.pow(2)];
            // Cells of body-centered cubic sites are truncated octahedra, as in Kelvin's foam.
            for place in [0.25, 0.75] {
                let jitter = Vector::from_fn(|_, _| JITTER * (2.0 * random.uniform() - 1.0));
                let cube = Vector::from(cube.map(|k| k as f64 - 1.0));
                positions.push(cube + Vector::repeat(place) + jitter);
            }
        }
        FoamSites { cells, positions }
    }

    /// Returns the surface for a sum of samples over the three axes; `None` if they miss all struts.
    fn surface(&self, samples: usize) -> Option<TriangleMesh> {
        // Sums that are no multiples of three make one axis finer, so that fewer numbers of triangles fall between two
        // grids.
        let inner: [usize; 3] = std::array::from_fn(|axis| ((samples + axis) / 3).max(2));
        let spacing = Vector::from(inner.map(|count| 2.0 / (count - 1) as f64));
        let origin = Vector::repeat(-1.0) - spacing;
        let grid = SampleGrid { origin, spacing, counts: inner.map(|count| count + 2) };
        let made = grid.isosurface(STRUT, |layer, samples| {
            let width = grid.counts[0];
            samples.par_chunks_mut(width).enumerate().for_each(|(row, samples)| {
                for (column, sample) in samples.iter_mut().enumerate() {
                    *sample = self.sample(&grid, [column, row, layer]);
                }
            });
        });
        // The numbers are finite, and the settings were checked for too many triangles.
        made.ok()
    }

    fn sample(&self, grid: &SampleGrid, at: [usize; 3]) -> f64 {
        if (0..3).any(|axis| at[axis] == 0 || at[axis] == grid.counts[axis] - 1) {
            return BEYOND;
        }
        let cells = self.cells as f64;
        // The first and last samples lie on sides of the cube up to rounding.
        let place = grid.position(at).map(|x| ((x + 1.0) * 0.5 * cells).clamp(0.0, cells));
        self.third_minus_first(&place)
    }

    /// Returns how much farther than the nearest site the third-nearest is.
    ///
    /// That one is at most 1.08 away: half a diagonal in the lattice, and each site is displaced by 0.21 at most. Two
    /// cubes away the nearest site is at 1.13, so the adjacent cubes are enough.
    fn third_minus_first(&self, place: &Vector<3>) -> f64 {
        let across = self.cells + 2;
        let [x, y, z] = std::array::from_fn(|axis| (place[axis] as usize).min(self.cells - 1));
        let mut nearest = [f64::INFINITY; 3];
        for up in z..z + 3 {
            for back in y..y + 3 {
                let first = 2 * (x + across * (back + across * up));
                for site in &self.positions[first..first + 6] {
                    insert(&mut nearest, (site - place).norm_squared());
                }
            }
        }
        nearest[2].sqrt() - nearest[0].sqrt()
    }
}

/// Inserts a value into the three smallest, in ascending order.
fn insert(least: &mut [f64; 3], value: f64) {
    let [a, b, c] = *least;
    *least = [a.min(value), b.min(a.max(value)), c.min(b.max(value))];
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_geometry::mesh::MeshTopology;
    use carom_geometry::shape::MassProperties;

    fn assert_sound(mesh: &TriangleMesh) {
        let mesh = mesh.to_polygons();
        let topology = MeshTopology::of(&mesh);
        assert!(topology.is_closed(), "{topology:?}");
        let faults = [
            topology.unreferenced_vertices.count,
            topology.duplicate_faces.count,
            topology.degenerate_faces.count,
        ];
        assert_eq!(faults, [0; 3]);
        assert!(MassProperties::of(&mesh.vertices, &mesh.faces).volume > 0.0);
    }

    #[test]
    fn foams_are_closed_and_have_about_the_triangles_wanted() {
        for (triangles, cells) in
            [(4000, 2), (5000, 2), (13_500, 3), (20_000, 2), (32_000, 4), (63_000, 5), (90_000, 4)]
        {
            for seed in 0..10 {
                let mesh = Foam { triangles, cells, seed }.make().unwrap();
                let count = mesh.triangles().len();
                let part = count as f64 / triangles as f64;
                assert!((0.9..1.1).contains(&part), "{triangles} {cells} {seed}: {count}");
                assert_sound(&mesh);
            }
        }
    }

    #[test]
    fn a_fine_foam_has_the_solid_part_of_its_recipe() {
        let mesh = Foam { triangles: 300_000, cells: 4, seed: 7 }.make().unwrap();
        assert_sound(&mesh);
        let mesh = mesh.to_polygons();
        let part = MassProperties::of(&mesh.vertices, &mesh.faces).volume / 8.0;
        assert!((0.34..0.37).contains(&part), "{part}");
    }

    #[test]
    fn the_cubes_around_have_the_three_nearest_sites() {
        let sites = FoamSites::new(3, 11);
        let mut random = SplitMix64::new(1);
        for _ in 0..2000 {
            let place = Vector::from_fn(|_, _| 3.0 * random.uniform());
            let mut all: Vec<f64> =
                sites.positions.iter().map(|site| (site - place).norm()).collect();
            all.sort_unstable_by(f64::total_cmp);
            let found = sites.third_minus_first(&place);
            assert!((found - (all[2] - all[0])).abs() < 1e-14, "{place:?}");
        }
    }

    #[test]
    fn a_seed_is_a_foam_on_any_number_of_threads() {
        let make = |seed| Foam { triangles: 5000, cells: 2, seed }.make().unwrap();
        let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        assert_eq!(make(1), alone.install(|| make(1)));
        assert_ne!(make(1), make(2));
    }

    #[test]
    fn senseless_settings_are_refused_in_a_sentence() {
        let refused = |foam: Foam| foam.make().unwrap_err().to_string();
        for (triangles, cells) in [(0, 4), (31_999, 4), (100_000_001, 4), (usize::MAX, 50)] {
            let expected = format!(
                "number of triangles is {triangles}; a foam has from 500 times the cube of its number \
                 of cells to 1e8"
            );
            assert_eq!(refused(Foam { triangles, cells, seed: 1 }), expected);
        }
        for cells in [0, 1, 51, usize::MAX] {
            let expected =
                format!("number of cells is {cells}; a foam has from 2 to 50 along an edge");
            assert_eq!(refused(Foam { triangles: 100_000, cells, seed: 1 }), expected);
        }
    }
}
