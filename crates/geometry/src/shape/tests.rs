use super::*;
use crate::mesh::{HullError, PolygonMesh};
use crate::test_points::{GeometrySampleRandom, lattice, prism};
use crate::{Pose, Vector};
use nalgebra::{Matrix3, Rotation3};
use proptest::prelude::*;

fn body(points: &[Vector<3>]) -> ConvexPolyhedron {
    let body = ConvexPolyhedron::hull(points).unwrap();
    body.check().unwrap();
    body
}

fn scaled_points(random: &mut GeometrySampleRandom, count: usize, by: [f64; 3]) -> Vec<Vector<3>> {
    let turn = random.rotation();
    let mut point = || turn * random.on_sphere().component_mul(&Vector::from(by));
    (0..count).map(|_| point()).collect()
}

/// Returns random bodies, plates, needles, lattices and prisms.
fn bodies() -> Vec<ConvexPolyhedron> {
    let mut random = GeometrySampleRandom::new(11);
    let mut bodies = vec![body(&lattice(4, 0.3)), body(&prism(7)), body(&prism(300))];
    for by in [[1.0; 3], [1.0, 1.0, 1e-3], [1.0, 1e-3, 1e-3], [1.0, 1e-4, 1e-8], [1.0, 1.0, 1e-9]] {
        for count in [4, 6, 8, 9, 20, 200, 2000] {
            bodies.push(body(&scaled_points(&mut random, count, by)));
        }
    }
    bodies
}

#[test]
fn the_map_of_directions_reaches_as_far_as_a_look_at_all_vertices() {
    let mut random = GeometrySampleRandom::new(12);
    for body in bodies() {
        for _ in 0..200 {
            let direction = random.on_sphere();
            let found = body.vertices()[body.support(&direction) as usize];
            let lacking = |vertex: &Vector<3>| direction.dot(&(vertex - found));
            let most = body.vertices().iter().map(lacking).fold(0.0, f64::max);
            assert!(most <= 1e-15, "in {direction:?} {most:e} is lacking");
        }
    }
}

/// Heights of close vertices are equal when rounded, though the far end of the face is higher.
#[test]
fn close_vertices_do_not_hide_one_that_is_higher() {
    let mut points = lattice(2, 1.0);
    points.retain(|point| *point != Vector::<3>::repeat(1.0));
    for k in 0..12 {
        let angle = std::f64::consts::FRAC_PI_2 * f64::from(k) / 11.0;
        let (sin, cos) = angle.sin_cos();
        points.push(Vector::from([1.0 - 1e-8 * (1.0 - cos), 1.0 - 1e-8 * (1.0 - sin), 1.0]));
    }
    let body = body(&points);
    assert!(body.vertices().len() > 15);
    let direction = Vector::from([-1e-9, -1e-9, 1.0]);
    let found = body.vertices()[body.support(&direction) as usize];
    assert_eq!(found, Vector::from([0.0, 0.0, 1.0]));
}

#[test]
fn the_box_holds_all_vertices_and_touches_them() {
    let mut random = GeometrySampleRandom::new(13);
    for body in bodies() {
        for _ in 0..5 {
            let rotation = *random.rotation().matrix();
            let pose = Pose { rotation, position: random.in_cube() };
            let bounds = body.bounds(&pose);
            let places = body.vertices().iter().map(|vertex| pose.transform_point(vertex));
            let expected =
                places.fold(crate::Aabb::empty(), |bounds, place| bounds.including(&place));
            assert!((bounds.low - expected.low).amax() < 1e-15);
            assert!((bounds.high - expected.high).amax() < 1e-15);
        }
    }
}

#[test]
fn half_edges_leave_a_vertex_to_the_right() {
    for body in bodies() {
        for vertex in 0..body.vertices().len() as u32 {
            let leaving: Vec<u32> = body.outgoing(vertex).collect();
            for pair in leaving.windows(2) {
                assert_eq!(body.left_face(body.twin(pair[0])), body.left_face(pair[1]));
            }
            let neighbors: Vec<u32> = body.neighbors(vertex).collect();
            assert!(neighbors.len() >= 3 && !neighbors.contains(&vertex));
        }
    }
}

fn assert_mass(mass: &MassProperties, volume: f64, center: Vector<3>, inertia: Matrix3<f64>) {
    assert!((mass.volume - volume).abs() <= 1e-13 * volume, "volume {}", mass.volume);
    assert!(
        (mass.center_of_mass - center).norm() <= 1e-13 * (1.0 + center.norm()),
        "{}",
        mass.center_of_mass
    );
    assert!((mass.inertia - inertia).norm() <= 1e-12 * inertia.norm(), "{}", mass.inertia);
}

#[test]
fn a_box_has_the_textbook_mass_wherever_it_is() {
    let mut random = GeometrySampleRandom::new(14);
    let sides: Vector<3> = Vector::from([1.0, 2.0, 3.0]);
    let squares = sides.component_mul(&sides);
    let volume = 6.0;
    let diagonal = Vector::from_fn(|axis, _| (squares.sum() - squares[axis]) * volume / 12.0);
    for _ in 0..20 {
        let (turn, shift) = (random.rotation(), random.in_cube() * 5.0);
        let place = |point: &Vector<3>| turn * (point.component_mul(&sides) - sides * 0.5) + shift;
        let points: Vec<_> = lattice(2, 1.0).iter().map(place).collect();
        let inertia = turn.matrix() * Matrix3::from_diagonal(&diagonal) * turn.matrix().transpose();
        assert_mass(body(&points).mass_properties(), volume, shift, inertia);
    }
}

#[test]
fn a_tetrahedron_has_the_textbook_mass() {
    let mut points = vec![Vector::zeros()];
    points.extend((0..3).map(|axis| Vector::ith(axis, 1.0)));
    // The second moments of the tetrahedron about its right-angled corner are 1/60 and 1/120.
    let moments = Matrix3::from_fn(|i, j| if i == j { 1.0 / 60.0 } else { 1.0 / 120.0 });
    let center = Vector::<3>::repeat(0.25);
    let central = moments - center * center.transpose() / 6.0;
    let inertia = Matrix3::identity() * central.trace() - central;
    assert_mass(body(&points).mass_properties(), 1.0 / 6.0, center, inertia);
}

#[test]
fn the_center_of_mass_is_right_at_any_scale() {
    let cube = body(&lattice(2, 1.0)).mesh();
    for size in [1e-300, 1e-100, 1e-80, 1e-60, 1.0, 1e30, 1e60, 1e100, 1e300] {
        let vertices: Vec<_> = cube.vertices.iter().map(|vertex| vertex * size).collect();
        let mass = MassProperties::of(&vertices, &cube.faces);
        let center = mass.center_of_mass / size;
        assert!((center - Vector::<3>::repeat(0.5)).amax() < 1e-13, "{size:e}: {center}");
    }
    let vertices: Vec<_> = cube.vertices.iter().map(|vertex| vertex * 1e-61).collect();
    let mass = MassProperties::of(&vertices, &cube.faces);
    assert!(
        (mass.volume / 1e-183 - 1.0).abs() < 1e-13 && (mass.inertia.m11 * 6e305 - 1.0).abs() < 1e-2
    );
}

#[test]
fn a_prism_has_the_mass_of_its_polygon() {
    for corners in [3, 6, 50] {
        let angle = std::f64::consts::TAU / corners as f64;
        let area = 0.5 * corners as f64 * angle.sin();
        // The polar moment of a regular polygon of circumradius one.
        let polar = area * (2.0 + angle.cos()) / 6.0;
        let flat = 0.5 * polar + area / 12.0;
        let inertia = Matrix3::from_diagonal(&Vector::from([flat, flat, polar]));
        let points = prism(corners);
        assert_mass(body(&points).mass_properties(), area, Vector::from([0.0, 0.0, 0.5]), inertia);
    }
}

/// Returns the triangles of a body without shared vertices, as in STL files, with few digits.
fn soup(body: &ConvexPolyhedron) -> PolygonMesh {
    let mut soup = PolygonMesh::default();
    for face in body.faces() {
        for k in 1..face.vertices.len() - 1 {
            let first = soup.vertices.len() as u32;
            for corner in [0, k, k + 1] {
                let place = body.vertices()[face.vertices[corner] as usize];
                soup.vertices.push(place.map(|x| f64::from(x as f32)));
            }
            soup.faces.push((first..first + 3).collect());
        }
    }
    soup
}

#[test]
fn a_soup_of_triangles_in_short_numbers_is_taken_either_way_round() {
    for body in bodies().iter().filter(|body| body.mass_properties().volume > 1e-2) {
        let mut soup = soup(body);
        for _ in 0..2 {
            let again = ConvexPolyhedron::from_mesh(&soup).unwrap();
            again.check().unwrap();
            assert!((again.mass_properties().volume - body.mass_properties().volume).abs() < 1e-5);
            soup.faces.iter_mut().for_each(|face| face.reverse());
        }
    }
}

fn cube_mesh() -> PolygonMesh {
    body(&lattice(2, 1.0)).mesh()
}

fn refusal(mesh: &PolygonMesh) -> ShapeError {
    ConvexPolyhedron::from_mesh(mesh).unwrap_err()
}

#[test]
fn a_mesh_with_a_hole_is_refused_with_the_edge() {
    let mut mesh = cube_mesh();
    mesh.faces.remove(0);
    let error = refusal(&mesh);
    assert_eq!(error, ShapeError::Open { count: 4, from: 0, to: 1 });
    let text = "the mesh is not closed: 4 edges belong to one face only (first: vertices 0 and 1)";
    assert_eq!(error.to_string(), text);
}

#[test]
fn a_mesh_with_a_wall_inside_is_refused_with_the_edge() {
    let mut mesh = cube_mesh();
    mesh.faces.push(mesh.faces[0].clone());
    assert_eq!(refusal(&mesh), ShapeError::NotManifold { count: 4, from: 0, to: 1 });
}

#[test]
fn a_face_that_is_inside_out_is_refused_with_the_edge() {
    let mut mesh = cube_mesh();
    mesh.faces[0].reverse();
    assert_eq!(refusal(&mesh), ShapeError::InsideOut { count: 4, from: 0, to: 1 });
}

#[test]
fn numbers_that_name_no_vertex_are_refused() {
    let mut mesh = cube_mesh();
    mesh.faces[2][1] = 8;
    assert_eq!(refusal(&mesh), ShapeError::NoSuchVertex { face: 2, vertex: 8, count: 8 });
}

#[test]
fn too_little_for_a_body_is_refused() {
    assert_eq!(refusal(&PolygonMesh::default()), ShapeError::TooSmall { faces: 0, vertices: 0 });
    let mut mesh = cube_mesh();
    mesh.vertices.iter_mut().for_each(|vertex| *vertex = Vector::zeros());
    assert_eq!(refusal(&mesh), ShapeError::TooSmall { faces: 0, vertices: 0 });
}

#[test]
fn flat_and_infinite_meshes_are_refused_by_the_hull() {
    let mut mesh = cube_mesh();
    // Eight different points of one plane.
    for vertex in &mut mesh.vertices {
        let sheared = [vertex.x + 0.25 * vertex.z, vertex.y + 0.5 * vertex.z];
        *vertex = Vector::from([sheared[0], sheared[1], 1.0 + sheared[0]]);
    }
    let error = refusal(&mesh);
    assert!(matches!(error, ShapeError::Hull(HullError::Coplanar { .. })), "{error}");
    mesh = cube_mesh();
    mesh.vertices[3].y = f64::NAN;
    let error = refusal(&mesh);
    assert!(matches!(error, ShapeError::Hull(HullError::NotFinite { point: 3, .. })), "{error}");
}

#[test]
fn an_infinite_vertex_is_named_as_in_the_mesh_though_equal_ones_are_joined() {
    let mut mesh = soup(&body(&lattice(2, 1.0)));
    mesh.vertices[30].x = f64::INFINITY;
    let expected = HullError::NotFinite { point: 30, value: f64::INFINITY };
    assert_eq!(refusal(&mesh), ShapeError::Hull(expected));
}

#[test]
fn a_dent_is_refused_with_the_vertex_and_its_depth() {
    let mut mesh = cube_mesh();
    let face = mesh.faces.remove(0);
    let tip = mesh.vertices.len() as u32;
    let center: Vector<3> = face.iter().map(|&vertex| mesh.vertices[vertex as usize]).sum();
    let to_inside = Vector::repeat(0.5) - center / 4.0;
    mesh.vertices.push(center / 4.0 + to_inside * 0.2);
    for k in 0..4 {
        mesh.faces.push(vec![face[k], face[(k + 1) % 4], tip]);
    }
    let ShapeError::VertexInside { vertex, depth, .. } = refusal(&mesh) else {
        panic!("{}", refusal(&mesh))
    };
    assert_eq!(vertex, tip);
    assert!((depth - 0.1).abs() < 1e-12);
    mesh.vertices[tip as usize] = center / 4.0 + to_inside * 1e-6;
    assert!(ConvexPolyhedron::from_mesh(&mesh).is_ok());
}

#[test]
fn a_fold_along_the_wrong_diagonal_is_refused_with_the_face() {
    let mut mesh = cube_mesh();
    let top = mesh.faces.iter().position(|face| face[..] == [4, 5, 7, 6]).unwrap();
    mesh.vertices[4].z = 1.1;
    mesh.vertices[7].z = 1.1;
    mesh.faces[top] = vec![4, 5, 7];
    mesh.faces.push(vec![4, 7, 6]);
    assert_eq!(ConvexPolyhedron::from_mesh(&mesh).unwrap().face_count(), 7);
    mesh.faces[top] = vec![4, 5, 6];
    mesh.faces[6] = vec![5, 7, 6];
    assert!(matches!(refusal(&mesh), ShapeError::FaceInside { .. }), "{}", refusal(&mesh));
}

proptest! {
    #[test]
    fn bodies_of_any_points_pass_their_check(
        points in prop::collection::vec([-4i32..5, -4..5, -4..5], 4..60),
        noise in prop::sample::select(vec![0.0, 1e-16, 1e-13, 1e-11, 1e-9, 1e-3]),
        seed in any::<u64>(),
    ) {
        let mut random = GeometrySampleRandom::new(seed);
        let turn = Rotation3::new(random.in_ball());
        let place = |point: &[i32; 3]| turn * Vector::from(point.map(f64::from));
        let points: Vec<_> =
            points.iter().map(|point| place(point) + random.in_cube() * noise).collect();
        match ConvexPolyhedron::hull(&points) {
            Ok(body) => {
                prop_assert_eq!(body.check(), Ok(()));
                let again = ConvexPolyhedron::from_mesh(&body.mesh());
                prop_assert!(again.is_ok(), "{:?}", again.err());
            }
            Err(
                HullError::Coplanar { .. }
                | HullError::Collinear { .. }
                | HullError::Coincident { .. },
            ) => (),
            Err(error) => prop_assert!(false, "{}", error),
        }
    }
}
