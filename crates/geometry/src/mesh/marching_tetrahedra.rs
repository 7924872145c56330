//! Marching tetrahedra: the isosurface of a sampled field.
//!
//! Every cube of eight samples is cut into six tetrahedra around its diagonal (Freudenthal, Annals of
//! Mathematics 43, 1942), all cubes alike, so that the faces of neighbors match. In a tetrahedron the
//! surface is one triangle or two, determined by which corners are inside; there are no ambiguous cases as
//! in marching cubes. The price is about twice as many triangles on the same grid.

use super::triangle_mesh::MAX_COUNT;
use super::{TriangleMesh, TriangleMeshError};
use crate::Vector;

/// A vertex keeps this fraction of an edge's length away from its ends, so that no triangle is degenerate
/// and no two vertices coincide where a sample equals the level.
const CLEARANCE: f64 = 0.02;

/// Edges that start at a sample: along the axes, the face diagonals and the cube diagonal. The bits of an
/// edge's number, plus one, are the axes along which it runs.
const EDGES_PER_SAMPLE: usize = 7;

/// Marks an edge without a vertex yet.
const NO_VERTEX: u32 = u32::MAX;

/// The tetrahedra of a cube by their corners; the bits of a corner are its offsets along x, y and z. All
/// have the same orientation.
const TETRAHEDRA: [[usize; 4]; 6] =
    [[0, 1, 3, 7], [0, 3, 2, 7], [0, 2, 6, 7], [0, 6, 4, 7], [0, 4, 5, 7], [0, 5, 1, 7]];

/// A regular grid of samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampleGrid {
    /// Position of the first sample.
    pub origin: Vector<3>,
    /// Distance from a sample to the next, along each axis.
    pub spacing: Vector<3>,
    /// Number of samples along each axis.
    pub counts: [usize; 3],
}

impl SampleGrid {
    /// Returns the isosurface around all samples below `level`.
    ///
    /// `fill` is called for each layer of equal z with its number and a buffer for its samples, x fastest.
    /// Every edge belongs to two triangles of consistent orientation (larger values are outside), no triangle
    /// is degenerate and no two vertices coincide, except by rounding. The surface is open only where it
    /// reaches a side of the grid, so the outermost samples should not be below `level`. Costs a few
    /// nanoseconds per sample in addition to `fill`, and memory for the mesh and two layers.
    ///
    /// Fails if no cube of samples is cut, or if there are too many triangles.
    ///
    /// ```
    /// use carom_geometry::{Vector, mesh::{SampleGrid, MeshTopology}};
    /// let (origin, spacing) = (Vector::repeat(-1.25), Vector::repeat(0.25));
    /// let grid = SampleGrid { origin, spacing, counts: [11; 3] };
    /// let ball = grid.isosurface(1.0, |layer, samples| {
    ///     for (number, sample) in samples.iter_mut().enumerate() {
    ///         let place = grid.position([number % 11, number / 11, layer]);
    ///         *sample = place.norm();
    ///     }
    /// })?;
    /// assert!(MeshTopology::of(&ball.to_polygons()).is_closed());
    /// # Ok::<(), carom_geometry::mesh::TriangleMeshError>(())
    /// ```
    pub fn isosurface(
        &self,
        level: f64,
        mut fill: impl FnMut(usize, &mut [f64]),
    ) -> Result<TriangleMesh, TriangleMeshError> {
        let [width, height, depth] = self.counts;
        if width.min(height).min(depth) < 2 {
            return Err(TriangleMeshError::Empty);
        }
        let mut march = MarchingTetrahedra::new(*self, level);
        fill(0, &mut march.layers[0].samples);
        for z in 1..depth {
            fill(z, &mut march.layers[1].samples);
            march.march_layer(z - 1);
            // Vertex indices would no longer fit; `TriangleMesh::new` reports the error.
            if march.triangles.len() > MAX_COUNT {
                break;
            }
            march.advance_layer();
        }
        TriangleMesh::new(march.vertices, march.triangles)
    }

    /// Returns the position of a sample.
    pub fn position(&self, sample: [usize; 3]) -> Vector<3> {
        self.origin + self.spacing.component_mul(&Vector::from(sample.map(|k| k as f64)))
    }
}

/// Samples of equal z, and the vertices on the edges that start at them.
struct IsosurfaceSampleLayer {
    samples: Vec<f64>,
    vertices: Vec<[u32; EDGES_PER_SAMPLE]>,
}

/// The layers below and above the current cubes, and the surface made so far.
struct MarchingTetrahedra {
    grid: SampleGrid,
    level: f64,
    layers: [IsosurfaceSampleLayer; 2],
    vertices: Vec<Vector<3>>,
    triangles: Vec<[u32; 3]>,
}

impl MarchingTetrahedra {
    fn new(grid: SampleGrid, level: f64) -> Self {
        let count = grid.counts[0] * grid.counts[1];
        let layer = || IsosurfaceSampleLayer {
            samples: vec![0.0; count],
            vertices: vec![[NO_VERTEX; EDGES_PER_SAMPLE]; count],
        };
        let (vertices, triangles) = (Vec::new(), Vec::new());
        MarchingTetrahedra { grid, level, layers: [layer(), layer()], vertices, triangles }
    }

    /// Makes the upper layer the lower one.
    fn advance_layer(&mut self) {
        self.layers.swap(0, 1);
        self.layers[1].vertices.fill([NO_VERTEX; EDGES_PER_SAMPLE]);
    }

    /// Cuts the cubes between the two layers.
    fn march_layer(&mut self, z: usize) {
        let [width, height, _] = self.grid.counts;
        for y in 0..height - 1 {
            for x in 0..width - 1 {
                let values = self.cube_values(x + y * width);
                let inside = values.map(|value| value < self.level);
                // The surface crosses few cubes; the others end here.
                if inside != [inside[0]; 8] {
                    self.polygonize_cube(&IsosurfaceCube { low: [x, y, z], values });
                }
            }
        }
    }

    /// Returns the samples of a cube given by its lowest sample within the layer.
    fn cube_values(&self, first: usize) -> [f64; 8] {
        let width = self.grid.counts[0];
        std::array::from_fn(|corner| {
            let [right, back, up] = corner_offsets(corner);
            self.layers[up].samples[first + right + back * width]
        })
    }

    fn polygonize_cube(&mut self, cube: &IsosurfaceCube) {
        for tetrahedron in TETRAHEDRA {
            let inside = tetrahedron.map(|corner| cube.values[corner] < self.level);
            let mask = (0..4).fold(0, |mask, k| mask | usize::from(inside[k]) << k);
            let mut vertex =
                |(a, b): (usize, usize)| self.edge_vertex(cube, tetrahedron[a], tetrahedron[b]);
            // Even permutations of the corners, so the orientation is that of the tetrahedron; seen from
            // outside, the triangle between the first corner and the others, in their order, is
            // counterclockwise.
            let [i, j, k, l] = match mask {
                0b0000 | 0b1111 => continue,
                0b0001 | 0b1110 | 0b0011 => [0, 1, 2, 3],
                0b0010 | 0b1101 => [1, 0, 3, 2],
                0b0100 | 0b1011 => [2, 0, 1, 3],
                0b1000 | 0b0111 => [3, 0, 2, 1],
                0b0101 => [0, 2, 3, 1],
                0b1001 => [0, 3, 1, 2],
                0b0110 => [1, 2, 0, 3],
                0b1010 => [1, 3, 2, 0],
                _ => [2, 3, 0, 1],
            };
            match mask.count_ones() {
                1 => {
                    let triangle = [(i, j), (i, k), (i, l)].map(&mut vertex);
                    self.triangles.push(triangle);
                }
                3 => {
                    let triangle = [(i, j), (i, l), (i, k)].map(&mut vertex);
                    self.triangles.push(triangle);
                }
                _ => {
                    let [a, b, c, d] = [(i, k), (i, l), (j, l), (j, k)].map(&mut vertex);
                    self.triangles.extend([[a, b, c], [a, c, d]]);
                }
            }
        }
    }

    /// Returns the vertex on the edge between two corners of a cube, which is made if it does not exist.
    fn edge_vertex(&mut self, cube: &IsosurfaceCube, a: usize, b: usize) -> u32 {
        // Of two corners of a tetrahedron one has all bits of the other, so the edge starts at `a & b`.
        let (start, end) = (a & b, a | b);
        let [right, back, up] = corner_offsets(start);
        let [x, y, z] = cube.low;
        let sample = (x + right) + (y + back) * self.grid.counts[0];
        let number = &mut self.layers[up].vertices[sample][(start ^ end) - 1];
        if *number == NO_VERTEX {
            *number = self.vertices.len() as u32;
            let (from, to) = (cube.values[start], cube.values[end]);
            let part = ((self.level - from) / (to - from)).clamp(CLEARANCE, 1.0 - CLEARANCE);
            let along = Vector::from(corner_offsets(start ^ end).map(|bit| bit as f64 * part));
            let from = self.grid.position([x + right, y + back, z + up]);
            self.vertices.push(from + self.grid.spacing.component_mul(&along));
        }
        *number
    }
}

/// A cube of eight samples.
struct IsosurfaceCube {
    /// The sample with the lowest coordinates.
    low: [usize; 3],
    values: [f64; 8],
}

/// Returns the offset of a cube's corner along x, y and z, zero or one.
fn corner_offsets(corner: usize) -> [usize; 3] {
    [corner & 1, corner >> 1 & 1, corner >> 2]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::MeshTopology;
    use crate::shape::MassProperties;
    use proptest::prelude::*;

    const GRID: SampleGrid = SampleGrid {
        origin: Vector::<3>::new(0., 0., 0.),
        spacing: Vector::<3>::new(1., 1., 1.),
        counts: [6; 3],
    };

    fn surface(samples: &[f64]) -> Result<TriangleMesh, TriangleMeshError> {
        GRID.isosurface(1.0, |layer, room| room.copy_from_slice(&samples[36 * layer..][..36]))
    }

    fn volume(mesh: &TriangleMesh) -> f64 {
        let mesh = mesh.to_polygons();
        MassProperties::of(&mesh.vertices, &mesh.faces).volume
    }

    fn smallest_area(mesh: &TriangleMesh) -> f64 {
        let area = |triangle| {
            let [a, b, c] = mesh.corners(triangle);
            (b - a).cross(&(c - a)).norm() / 2.0
        };
        (0..mesh.triangles().len()).map(area).fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn a_ball_has_its_volume() {
        let count = 41;
        let (origin, spacing) =
            (Vector::<3>::new(-1., -2., -3.) * 1.1, Vector::<3>::new(1., 2., 3.) * 0.055);
        let grid = SampleGrid { origin, spacing, counts: [count; 3] };
        let ellipsoid = grid.isosurface(1.0, |layer, samples| {
            for (number, sample) in samples.iter_mut().enumerate() {
                let place = grid.position([number % count, number / count, layer]);
                *sample = place.component_div(&Vector::<3>::new(1., 2., 3.)).norm();
            }
        });
        let part = volume(&ellipsoid.unwrap()) / (8.0 * std::f64::consts::PI);
        assert!((part - 1.0).abs() < 2e-3, "{part}");
    }

    #[test]
    fn no_sample_inside_is_no_surface_and_a_thin_grid_neither() {
        assert_eq!(surface(&[1.0; 216]), Err(TriangleMeshError::Empty));
        assert_eq!(surface(&[0.0; 216]), Err(TriangleMeshError::Empty));
        for counts in [[0; 3], [5, 5, 1], [1, 5, 5], [0, 5, 5]] {
            let thin = SampleGrid { counts, ..GRID };
            let made = thin.isosurface(1.0, |_, samples| samples.fill(0.0));
            assert_eq!(made, Err(TriangleMeshError::Empty));
        }
    }

    #[test]
    fn a_sample_that_is_no_number_is_refused() {
        let mut samples = [2.0; 216];
        samples[86] = 0.0;
        samples[87] = f64::NAN;
        assert!(matches!(surface(&samples), Err(TriangleMeshError::NotUsable { .. })));
    }

    /// Generates samples of few values, one of them the level itself, and none below it on the sides.
    fn samples() -> impl Strategy<Value = Vec<f64>> {
        let value = prop::sample::select(vec![0.0, 0.999, 1.0 - 1e-16, 1.0, 1.0 + 1e-15, 1.7, 1e9]);
        prop::collection::vec(value, 216).prop_map(|mut samples| {
            for (number, sample) in samples.iter_mut().enumerate() {
                let place = [number % 6, number / 6 % 6, number / 36];
                if place.iter().any(|&k| k == 0 || k == 5) {
                    *sample = f64::max(*sample, 1.0);
                }
            }
            samples
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn any_samples_have_a_closed_surface_around_them(samples in samples()) {
            let Ok(mesh) = surface(&samples) else {
                prop_assert!(samples.iter().all(|&sample| sample >= 1.0));
                return Ok(());
            };
            let topology = MeshTopology::of(&mesh.to_polygons());
            prop_assert!(topology.is_closed() && topology.unreferenced_vertices.count == 0, "{:?}", topology);
            prop_assert!(volume(&mesh) > 0.0);
            prop_assert!(smallest_area(&mesh) > 1e-4);
            let mut vertices = mesh.vertices().to_vec();
            vertices.sort_unstable_by(|a, b| a.as_slice().partial_cmp(b.as_slice()).unwrap());
            prop_assert!(vertices.windows(2).all(|pair| pair[0] != pair[1]));
        }
    }
}
