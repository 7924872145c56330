//! Convex polyhedra: regular solids, round polyhedra of many faces, prisms and boxes.

use super::{SplitMix64, setting};
use crate::Error;
use carom_geometry::mesh::{PolygonMesh, convex_hull};
use carom_geometry::{Vector, math};
use schemars::JsonSchema;
use serde::Deserialize;
use std::f64::consts::{PI, TAU};

/// Smallest and largest length; between them volumes neither overflow nor underflow.
const LENGTHS: std::ops::RangeInclusive<f64> = 1e-30..=1e30;

const LENGTH_RULE: &str = "a length must lie between 1e-30 and 1e30";

/// Largest number of faces of a round polyhedron, and of sides of a prism.
const MOST: usize = 100_000_000;

/// Displacement of points of the Fibonacci lattice, in units of about their distance, so that no four are coplanar.
const JITTER: f64 = 0.02;

/// The regular (Platonic) solids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RegularSolid {
    /// Four triangles.
    Tetrahedron,
    /// Six squares.
    Cube,
    /// Eight triangles.
    Octahedron,
    /// Twelve pentagons.
    Dodecahedron,
    /// Twenty triangles.
    Icosahedron,
}

/// Settings of a convex polyhedron about the origin; [`Polyhedron::make`] checks them.
///
/// The radius is that of the sphere through the corners. Round polyhedra have `faces / 2 + 2` corners and triangular
/// faces: exactly `faces`, unless four corners happen to be coplanar to within rounding.
///
/// ```
/// use carom_scene::generate::Polyhedron;
/// let mesh = Polyhedron::Sphere { faces: 100, radius: 2.0, seed: 7 }.make()?;
/// assert_eq!((mesh.vertices.len(), mesh.faces.len()), (52, 100));
/// # Ok::<(), carom_scene::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Polyhedron {
    /// A regular solid.
    Regular {
        /// Which solid.
        solid: RegularSolid,
        /// Radius of the circumscribed sphere.
        radius: f64,
    },
    /// Corners spread evenly over a sphere: a Fibonacci lattice with small random displacements.
    Sphere {
        /// Number of faces, even.
        faces: usize,
        /// Radius of the circumscribed sphere.
        radius: f64,
        /// Seed; equal seeds give equal meshes.
        seed: u64,
    },
    /// Corners on a sphere, independent of each other.
    Random {
        /// Number of faces, even.
        faces: usize,
        /// Radius of the circumscribed sphere.
        radius: f64,
        /// Seed; equal seeds give equal meshes.
        seed: u64,
    },
    /// As [`Polyhedron::Sphere`], stretched along the axes.
    Ellipsoid {
        /// Number of faces, even.
        faces: usize,
        /// Semi-axes along x, y and z.
        semi_axes: [f64; 3],
        /// Seed; equal seeds give equal meshes.
        seed: u64,
    },
    /// A regular polygon extruded along z.
    Prism {
        /// Number of sides of the polygon.
        sides: usize,
        /// Radius of the circumscribed circle of the polygon.
        radius: f64,
        /// Height from bottom to top.
        height: f64,
    },
    /// An axis-aligned box.
    Box {
        /// Edge lengths.
        size: [f64; 3],
    },
}

impl Polyhedron {
    /// Returns the surface, with one polygon for each plane.
    pub fn make(&self) -> Result<PolygonMesh, Error> {
        match *self {
            Polyhedron::Regular { solid, radius } => {
                check_length("radius", radius)?;
                let scaled = |corner: Vector<3>| corner.normalize() * radius;
                hull(solid.corners().into_iter().map(scaled).collect())
            }
            Polyhedron::Sphere { faces, radius, seed } => {
                check_length("radius", radius)?;
                hull(scaled(fibonacci_points(faces, seed)?, [radius; 3]))
            }
            Polyhedron::Random { faces, radius, seed } => {
                check_length("radius", radius)?;
                hull(scaled(random_points(faces, seed)?, [radius; 3]))
            }
            Polyhedron::Ellipsoid { faces, semi_axes, seed } => {
                semi_axes.iter().try_for_each(|&axis| check_length("semi-axis", axis))?;
                hull(scaled(fibonacci_points(faces, seed)?, semi_axes))
            }
            Polyhedron::Prism { sides, radius, height } => {
                check_length("radius", radius)?;
                check_length("height", height)?;
                prism(sides, radius, height)
            }
            Polyhedron::Box { size } => {
                size.iter().try_for_each(|&edge| check_length("edge", edge))?;
                hull(scaled(cube_corners(), size.map(|edge| edge / 2.0)))
            }
        }
    }
}

impl RegularSolid {
    /// Returns corners at any distance from the origin.
    fn corners(self) -> Vec<Vector<3>> {
        let golden = 0.5 * (1.0 + 5f64.sqrt());
        match self {
            RegularSolid::Tetrahedron => {
                // Every other corner of a cube.
                let even = |corner: &Vector<3>| corner.iter().product::<f64>() > 0.0;
                cube_corners().into_iter().filter(even).collect()
            }
            RegularSolid::Cube => cube_corners(),
            RegularSolid::Octahedron => rectangles(1.0, 0.0),
            RegularSolid::Dodecahedron => {
                [cube_corners(), rectangles(golden, 1.0 / golden)].concat()
            }
            RegularSolid::Icosahedron => rectangles(golden, 1.0),
        }
    }
}

fn cube_corners() -> Vec<Vector<3>> {
    let side = |k: u32, bit: u32| if k & bit == 0 { -1.0 } else { 1.0 };
    (0..8).map(|k| Vector::from([side(k, 1), side(k, 2), side(k, 4)])).collect()
}

/// Returns the corners of three rectangles of half edges `long` and `short`, one normal to each axis.
fn rectangles(long: f64, short: f64) -> Vec<Vector<3>> {
    let signs = [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]];
    let corner = |axis: usize, [a, b]: [f64; 2]| {
        let mut corner = Vector::zeros();
        corner[axis] = a * long;
        corner[(axis + 1) % 3] += b * short;
        corner
    };
    (0..3).flat_map(|axis| signs.map(|signs| corner(axis, signs))).collect()
}

/// Returns a Fibonacci lattice on the unit sphere (Swinbank and Purser, Quarterly Journal of the Royal Meteorological
/// Society 132, 2006), from the top down.
fn fibonacci_points(faces: usize, seed: u64) -> Result<Vec<Vector<3>>, Error> {
    let count = corner_count(faces)?;
    let mut random = SplitMix64::new(seed);
    let width = JITTER / (count as f64).sqrt();
    let point = |i: usize| {
        let step = i as f64 + 0.5;
        let z = 1.0 - 2.0 * step / count as f64;
        let (sine, cosine) = math::sin_cos(PI * (1.0 + 5f64.sqrt()) * step);
        let across = (1.0 - z * z).sqrt();
        let place = Vector::from([across * cosine, across * sine, z]);
        (place + gaussian(&mut random) * width).normalize()
    };
    Ok((0..count).map(point).collect())
}

fn random_points(faces: usize, seed: u64) -> Result<Vec<Vector<3>>, Error> {
    let count = corner_count(faces)?;
    let mut random = SplitMix64::new(seed);
    Ok((0..count).map(|_| gaussian(&mut random).normalize()).collect())
}

fn gaussian(random: &mut SplitMix64) -> Vector<3> {
    Vector::from_fn(|_, _| random.normal())
}

/// Returns the number of corners by Euler's formula, if all faces are triangles.
fn corner_count(faces: usize) -> Result<usize, Error> {
    match faces {
        4..=MOST if faces.is_multiple_of(2) => Ok(faces / 2 + 2),
        _ => {
            let rule = "a body of triangles has an even number of them, here from 4 to 1e8";
            Err(setting("number of faces", faces, rule))
        }
    }
}

fn scaled(mut points: Vec<Vector<3>>, factors: [f64; 3]) -> Vec<Vector<3>> {
    let factors = Vector::from(factors);
    points.iter_mut().for_each(|point| point.component_mul_assign(&factors));
    points
}

fn hull(points: Vec<Vector<3>>) -> Result<PolygonMesh, Error> {
    Ok(convex_hull(&points)?)
}

/// Builds the prism without a convex hull, so that a thousand sides of a flat prism stay sides.
fn prism(sides: usize, radius: f64, height: f64) -> Result<PolygonMesh, Error> {
    if !(3..=MOST).contains(&sides) {
        return Err(setting("number of sides", sides, "a prism has from 3 to 1e8"));
    }
    let corner = |number: usize| {
        let (sine, cosine) = math::sin_cos(TAU * (number % sides) as f64 / sides as f64);
        let z = if number < sides { -height / 2.0 } else { height / 2.0 };
        Vector::from([radius * cosine, radius * sine, z])
    };
    let count = sides as u32;
    let next = |k: u32| (k + 1) % count;
    let mut faces = vec![(0..count).rev().collect(), (count..2 * count).collect()];
    faces.extend((0..count).map(|k| vec![k, next(k), count + next(k), count + k]));
    Ok(PolygonMesh { vertices: (0..2 * sides).map(corner).collect(), faces })
}

pub(super) fn check_length(what: &'static str, length: f64) -> Result<(), Error> {
    if LENGTHS.contains(&length) { Ok(()) } else { Err(setting(what, length, LENGTH_RULE)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_geometry::mesh::{MeshTopology, hull_volume_fraction};
    use carom_geometry::shape::{ConvexPolyhedron, MassProperties};

    fn volume(mesh: &PolygonMesh) -> f64 {
        MassProperties::of(&mesh.vertices, &mesh.faces).volume
    }

    fn assert_convex(mesh: &PolygonMesh) {
        let part = hull_volume_fraction(mesh).unwrap();
        assert!((part - 1.0).abs() <= 1e-9, "{part}");
        let topology = MeshTopology::of(mesh);
        assert!(topology.is_closed() && topology.reflex_edges.count == 0);
        assert!(ConvexPolyhedron::from_mesh(mesh).is_ok());
        // No corner of a face next to another rises above it.
        let extent = mesh.vertices.iter().map(|vertex| vertex.amax()).fold(0.0, f64::max);
        for face in &mesh.faces {
            let [a, b, c] = [0, 1, 2].map(|k| mesh.vertices[face[k] as usize]);
            let normal = (b - a).cross(&(c - a)).normalize();
            for vertex in &mesh.vertices {
                assert!(normal.dot(&(vertex - a)) <= 1e-11 * extent, "{face:?} {vertex}");
            }
        }
    }

    #[test]
    fn regular_solids_have_their_faces_edges_corners_and_volume() {
        let golden = 0.5 * (1.0 + 5f64.sqrt());
        // By their edges, of which the radius of the sphere around is a known multiple.
        let pentagonal = (15.0 + 7.0 * 5f64.sqrt()) / 4.0 * (2.0 / (3f64.sqrt() * golden)).powi(3);
        let triangular =
            5.0 * (3.0 + 5f64.sqrt()) / 12.0 * (4.0 / (golden * 5f64.sqrt())).powf(1.5);
        for (solid, faces, edges, corners, expected) in [
            (RegularSolid::Tetrahedron, 4, 6, 4, 8.0 / 27.0 * 3f64.sqrt()),
            (RegularSolid::Cube, 6, 12, 8, 8.0 / 9.0 * 3f64.sqrt()),
            (RegularSolid::Octahedron, 8, 12, 6, 4.0 / 3.0),
            (RegularSolid::Dodecahedron, 12, 30, 20, pentagonal),
            (RegularSolid::Icosahedron, 20, 30, 12, triangular),
        ] {
            let mesh = Polyhedron::Regular { solid, radius: 1.0 }.make().unwrap();
            let counts =
                (mesh.faces.len(), MeshTopology::of(&mesh).edge_count, mesh.vertices.len());
            assert_eq!(counts, (faces, edges, corners), "{solid:?}");
            assert!(mesh.vertices.iter().all(|corner| (corner.norm() - 1.0).abs() < 1e-12));
            assert!((volume(&mesh) / expected - 1.0).abs() < 1e-9, "{solid:?}: {}", volume(&mesh));
            assert_convex(&mesh);
        }
    }

    #[test]
    fn round_polyhedra_have_exactly_the_faces_asked_for() {
        for faces in [4, 6, 20, 1000, 20_000] {
            for body in [
                Polyhedron::Sphere { faces, radius: 2.0, seed: 1 },
                Polyhedron::Random { faces, radius: 2.0, seed: 1 },
                Polyhedron::Ellipsoid { faces, semi_axes: [1.0, 2.0, 0.1], seed: 1 },
            ] {
                let mesh = body.make().unwrap();
                let counts = (mesh.faces.len(), mesh.vertices.len());
                assert_eq!(counts, (faces, faces / 2 + 2), "{body:?}");
                assert!(mesh.faces.iter().all(|face| face.len() == 3));
                assert_convex(&mesh);
            }
        }
    }

    #[test]
    fn many_faces_fill_the_sphere_and_the_ellipsoid() {
        let sphere = Polyhedron::Sphere { faces: 20_000, radius: 2.0, seed: 3 }.make().unwrap();
        assert!((volume(&sphere) / (4.0 / 3.0 * PI * 8.0) - 1.0).abs() < 1e-3);
        let semi_axes = [1.0, 2.0, 3.0];
        let body = Polyhedron::Ellipsoid { faces: 20_000, semi_axes, seed: 3 }.make().unwrap();
        assert!((volume(&body) / (4.0 / 3.0 * PI * 6.0) - 1.0).abs() < 1e-3);
    }

    #[test]
    fn a_seed_is_a_mesh() {
        let make = |seed| Polyhedron::Random { faces: 50, radius: 1.0, seed }.make().unwrap();
        assert_eq!(make(1), make(1));
        assert_ne!(make(1), make(2));
    }

    #[test]
    fn prisms_and_boxes_have_their_volume() {
        for sides in [3, 4, 6, 1000] {
            let mesh = Polyhedron::Prism { sides, radius: 2.0, height: 3.0 }.make().unwrap();
            assert_eq!((mesh.faces.len(), mesh.vertices.len()), (sides + 2, 2 * sides));
            let area = 0.5 * sides as f64 * 4.0 * (TAU / sides as f64).sin();
            assert!((volume(&mesh) / (3.0 * area) - 1.0).abs() < 1e-12);
            assert_convex(&mesh);
        }
        let mesh = Polyhedron::Box { size: [1.0, 2.0, 3.0] }.make().unwrap();
        assert_eq!((mesh.faces.len(), volume(&mesh)), (6, 6.0));
    }

    #[test]
    fn senseless_settings_are_refused_in_a_sentence() {
        let refused = |body: Polyhedron| body.make().unwrap_err().to_string();
        for faces in [0, 2, 7, 100_000_002] {
            assert_eq!(
                refused(Polyhedron::Sphere { faces, radius: 1.0, seed: 1 }),
                format!(
                    "number of faces is {faces}; a body of triangles has an even number of them, here \
                     from 4 to 1e8"
                )
            );
        }
        assert_eq!(
            refused(Polyhedron::Prism { sides: 2, radius: 1.0, height: 1.0 }),
            "number of sides is 2; a prism has from 3 to 1e8"
        );
        assert_eq!(
            refused(Polyhedron::Box { size: [1.0, -1.0, 1.0] }),
            "edge is -1; a length must lie between 1e-30 and 1e30"
        );
        assert_eq!(
            refused(Polyhedron::Regular { solid: RegularSolid::Cube, radius: f64::NAN }),
            "radius is NaN; a length must lie between 1e-30 and 1e30"
        );
        let flat =
            refused(Polyhedron::Ellipsoid { faces: 20, semi_axes: [1.0, 1.0, 1e-20], seed: 1 });
        assert!(flat.starts_with("all points lie in one plane to within"), "{flat}");
    }
}
