//! Triangulated sphere, refined from an octahedron.
//!
//! Vertices are identified by integers: before projection onto the sphere, those of `k` refinements are the
//! lattice points `|x| + |y| + |z| = 2^k`. This numbers them without a search for equal edges, so the cost
//! is that of writing the mesh.

use super::TriangleMesh;
use crate::Vector;

/// Largest number of refinements: a mesh of 134,217,728 triangles and 3 GB.
pub const MAX_REFINEMENTS: u32 = 12;

/// Marks a vertex without a new index.
const NO_INDEX: u32 = u32::MAX;

/// Returns the unit octahedron, refined: each step splits every triangle into four and projects the
/// midpoints of its edges onto the unit sphere.
///
/// The mesh has `8 * 4^refinements` triangles and half as many vertices, plus two; it is closed, with
/// counterclockwise triangles seen from outside. Neighbors in the lists of triangles and vertices are mostly
/// neighbors in space. More than [`MAX_REFINEMENTS`] count as that many.
///
/// ```
/// use carom_geometry::mesh::octahedron_sphere;
/// let mesh = octahedron_sphere(4);
/// assert_eq!((mesh.triangles().len(), mesh.vertices().len()), (2048, 1026));
/// ```
pub fn octahedron_sphere(refinements: u32) -> TriangleMesh {
    let lattice = OctahedronLattice { side: 1 << refinements.min(MAX_REFINEMENTS) };
    let triangles = lattice.triangles();
    reindexed_by_first_use(&lattice.positions(), triangles)
}

/// The points with integer coordinates whose absolute values sum up to `side`, a power of two.
#[derive(Clone, Copy)]
struct OctahedronLattice {
    side: i32,
}

type OctahedronLatticePoint = [i32; 3];

impl OctahedronLattice {
    fn count(self) -> usize {
        let side = self.side as usize;
        4 * side * side + 2
    }

    /// Returns the index of a point: for each `x`, from `-side` up, comes a ring of `4 (side - |x|)` points.
    fn index(self, [x, y, z]: OctahedronLatticePoint) -> u32 {
        let ring = self.side - x.abs();
        // The rings of the lower half are counted from below, those of the upper half from above.
        let before = match x {
            _ if ring == 0 && x < 0 => 0,
            _ if x <= 0 => 1 + 2 * ring * (ring - 1),
            _ => 4 * self.side * self.side + 1 - 2 * ring * (ring + 1),
        };
        let along = if z >= 0 { ring - y } else { 3 * ring + y };
        (before + along) as u32
    }

    /// Returns all positions on the unit sphere, by index.
    fn positions(self) -> Vec<Vector<3>> {
        let mut places = vec![Vector::zeros(); self.count()];
        for axis in 0..3 {
            for sign in [-1, 1] {
                let mut corner = [0; 3];
                corner[axis] = sign * self.side;
                places[self.index(corner) as usize][axis] = f64::from(sign);
            }
        }
        let mut step = self.side;
        while step > 1 {
            step /= 2;
            self.place_edge_midpoints(step, &mut places);
        }
        places
    }

    /// Computes the vertices that appear when triangles with an edge of `2 * step` are split.
    fn place_edge_midpoints(self, step: i32, places: &mut [Vector<3>]) {
        let reach = self.side / step;
        for x in -reach..=reach {
            let width = reach - x.abs();
            for y in -width..=width {
                let height = width - y.abs();
                // Either none or two of the coordinates are odd, because their sum is even. If none is, the
                // point exists already; if one of x and y is odd, the point is an edge midpoint.
                if x % 2 == 0 && y % 2 == 0 {
                    continue;
                }
                self.place_edge_midpoint([x, y, height], step, places);
                if height > 0 {
                    self.place_edge_midpoint([x, y, -height], step, places);
                }
            }
        }
    }

    /// Computes one midpoint. Its edge runs along the two axes with odd coordinates, up one and down the
    /// other.
    fn place_edge_midpoint(
        self,
        middle: OctahedronLatticePoint,
        step: i32,
        places: &mut [Vector<3>],
    ) {
        let mut along = middle.map(|x| x % 2);
        if let Some(axis) = (0..3).find(|&axis| along[axis] != 0) {
            along[axis] = -along[axis];
        }
        let place = |sign: i32| {
            let end = std::array::from_fn(|axis| (middle[axis] + sign * along[axis]) * step);
            places[self.index(end) as usize]
        };
        let pushed = (place(-1) + place(1)).normalize();
        places[self.index(middle.map(|x| x * step)) as usize] = pushed;
    }

    /// Returns the vertex indices of all triangles; in Gray-code order each face of the octahedron is adjacent
    /// to the previous one.
    fn triangles(self) -> Vec<[u32; 3]> {
        let side = self.side as usize;
        let mut triangles = Vec::with_capacity(8 * side * side);
        for face in 0..8 {
            let gray = face ^ (face >> 1);
            let sign = |axis: i32| if gray >> axis & 1 == 0 { 1 } else { -1 };
            let mut corners = [[0; 3]; 3];
            (0..3).for_each(|axis| corners[axis as usize][axis as usize] = sign(axis) * self.side);
            if sign(0) * sign(1) * sign(2) < 0 {
                corners.swap(0, 2);
            }
            self.subdivide(corners, self.side, &mut triangles);
        }
        triangles
    }

    /// Splits a triangle recursively down to an edge of one.
    fn subdivide(
        self,
        corners: [OctahedronLatticePoint; 3],
        side: i32,
        triangles: &mut Vec<[u32; 3]>,
    ) {
        if side == 1 {
            triangles.push(corners.map(|corner| self.index(corner)));
            return;
        }
        let [a, b, c] = corners;
        let middle = |p: OctahedronLatticePoint, q: OctahedronLatticePoint| {
            std::array::from_fn(|axis| (p[axis] + q[axis]) / 2)
        };
        let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
        for part in [[a, ab, ca], [bc, ca, ab], [ab, b, bc], [ca, bc, c]] {
            self.subdivide(part, side / 2, triangles);
        }
    }
}

/// Renumbers vertices in the order in which triangles first use them.
fn reindexed_by_first_use(places: &[Vector<3>], mut triangles: Vec<[u32; 3]>) -> TriangleMesh {
    let mut numbers = vec![NO_INDEX; places.len()];
    let mut vertices = Vec::with_capacity(places.len());
    for corner in triangles.iter_mut().flatten() {
        let number = &mut numbers[*corner as usize];
        if *number == NO_INDEX {
            *number = vertices.len() as u32;
            vertices.push(places[*corner as usize]);
        }
        *corner = *number;
    }
    TriangleMesh::new(vertices, triangles).expect("corners are vertices on the unit sphere")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::MeshTopology;
    use crate::shape::MassProperties;

    const VOLUMES: [f64; 8] =
        [1.333333, 2.942809, 3.817730, 4.091601, 4.164204, 4.182625, 4.187248, 4.188405];

    #[test]
    fn refined_octahedra_are_closed_and_have_their_volume_and_counts() {
        for (refinements, expected) in (0..).zip(VOLUMES) {
            let mesh = octahedron_sphere(refinements);
            let count = 8 << (2 * refinements);
            assert_eq!(mesh.triangles().len(), count);
            assert_eq!(mesh.vertices().len(), count / 2 + 2);
            let mesh = mesh.to_polygons();
            let topology = MeshTopology::of(&mesh);
            assert!(topology.is_closed() && topology.reflex_edges.count == 0, "{refinements}");
            assert_eq!(topology.edge_count, count / 2 * 3);
            assert_eq!(topology.unreferenced_vertices.count, 0);
            let volume = MassProperties::of(&mesh.vertices, &mesh.faces).volume;
            assert!((volume - expected).abs() < 6e-7, "{refinements}: {volume}");
        }
    }

    #[test]
    fn every_vertex_is_on_the_unit_sphere_and_no_two_are_the_same() {
        let mut vertices = octahedron_sphere(5).vertices().to_vec();
        assert!(vertices.iter().all(|vertex| (vertex.norm() - 1.0).abs() < 1e-15));
        vertices.sort_unstable_by(|a, b| a.as_slice().partial_cmp(b.as_slice()).unwrap());
        assert!(vertices.windows(2).all(|pair| (pair[1] - pair[0]).norm() > 0.01));
    }

    #[test]
    fn points_of_the_lattice_are_numbered_one_by_one() {
        let lattice = OctahedronLattice { side: 8 };
        let mut numbers = Vec::new();
        for x in -8..=8i32 {
            for y in -8..=8i32 {
                let height = 8 - x.abs() - y.abs();
                if height >= 0 {
                    numbers.push(lattice.index([x, y, height]));
                }
                if height > 0 {
                    numbers.push(lattice.index([x, y, -height]));
                }
            }
        }
        numbers.sort_unstable();
        assert_eq!(numbers, (0..lattice.count() as u32).collect::<Vec<_>>());
    }

    #[test]
    fn a_vertex_is_near_the_one_before() {
        let mesh = octahedron_sphere(6);
        let steps = mesh.vertices().windows(2).map(|pair| (pair[1] - pair[0]).norm());
        let mean = steps.sum::<f64>() / mesh.vertices().len() as f64;
        // An edge is about 0.025 long.
        assert!(mean < 0.06, "{mean}");
    }
}
