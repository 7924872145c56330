use super::*;
use crate::Vector;
use crate::shape::ConvexPolyhedron;

fn is_convex(mesh: &PolygonMesh) -> bool {
    ConvexPolyhedron::from_mesh(mesh).is_ok()
}

fn fills_its_hull(mesh: &PolygonMesh) -> bool {
    (hull_volume_fraction(mesh).unwrap() - 1.0).abs() <= 1e-9
}

/// Returns a pyramid on a square; its tip is below the base if `height` is negative.
fn pyramid(height: f64) -> PolygonMesh {
    let corners = [[0., 0., 0.], [1., 0., 0.], [1., 1., 0.], [0., 1., 0.], [0.5, 0.5, height]];
    let triangles = [[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]];
    let mut faces = vec![vec![3, 2, 1, 0]];
    faces.extend(triangles.map(|triangle| triangle.to_vec()));
    PolygonMesh { vertices: corners.map(Vector::from).to_vec(), faces }
}

/// Returns a cube with the pyramid of that height on its top.
fn house(height: f64) -> PolygonMesh {
    let mut mesh = pyramid(height);
    mesh.vertices
        .extend([[0., 0.], [1., 0.], [1., 1.], [0., 1.]].map(|[x, y]| Vector::from([x, y, -1.0])));
    mesh.faces[0] = vec![8, 7, 6, 5];
    mesh.faces.extend((0..4).map(|k| vec![5 + k, 5 + (k + 1) % 4, (k + 1) % 4, k]));
    mesh
}

#[test]
fn a_pyramid_is_closed_and_convex() {
    let mesh = pyramid(0.7);
    let topology = MeshTopology::of(&mesh);
    assert_eq!(
        topology,
        MeshTopology { edge_count: 8, component_count: 1, ..MeshTopology::default() }
    );
    assert!(topology.is_closed() && is_convex(&mesh) && fills_its_hull(&mesh));
}

#[test]
fn a_dent_is_reported_by_its_edges_and_what_is_missing() {
    let (full, dented) = (house(0.5), house(-0.5));
    assert_eq!(MeshTopology::of(&full).reflex_edges, Defects::default());
    assert!(is_convex(&full) && fills_its_hull(&full));
    let topology = MeshTopology::of(&dented);
    assert!(topology.is_closed());
    assert_eq!(topology.reflex_edges, Defects { count: 4, first: Some([0, 4]) });
    let part = hull_volume_fraction(&dented).unwrap();
    assert!((part - 5.0 / 6.0).abs() < 1e-12);
    assert!(!is_convex(&dented));
}

#[test]
fn two_bodies_are_not_convex_though_each_is() {
    let mut mesh = pyramid(1.0);
    let far = pyramid(1.0);
    mesh.vertices.extend(far.vertices.iter().map(|vertex| vertex + Vector::repeat(3.0)));
    mesh.faces.extend(far.faces.iter().map(|face| face.iter().map(|v| v + 5).collect()));
    let topology = MeshTopology::of(&mesh);
    assert!(topology.is_closed() && topology.reflex_edges.count == 0);
    assert!(!is_convex(&mesh) && !fills_its_hull(&mesh));
}

#[test]
fn faults_are_counted_and_the_first_is_named() {
    let mut mesh = pyramid(1.0);
    mesh.faces.pop();
    mesh.faces[1].reverse();
    mesh.vertices.push(Vector::repeat(9.0));
    let topology = MeshTopology::of(&mesh);
    assert_eq!(topology.boundary_edges, Defects { count: 3, first: Some([0, 3]) });
    assert_eq!(topology.misoriented_edges, Defects { count: 2, first: Some([0, 1]) });
    assert_eq!(topology.unreferenced_vertices, Defects { count: 1, first: Some(5) });
    assert!(!topology.is_closed());
    let mut mesh = pyramid(1.0);
    mesh.faces.push(vec![0, 1, 2]);
    assert_eq!(
        MeshTopology::of(&mesh).non_manifold_edges,
        Defects { count: 2, first: Some([0, 1]) }
    );
    mesh.faces[5] = vec![0, 1, 0];
    assert_eq!(MeshTopology::of(&mesh).self_touching_faces, Defects { count: 1, first: Some(5) });
    assert!(!MeshTopology::of(&mesh).is_closed());
}

#[test]
fn nothing_is_not_closed() {
    assert!(!MeshTopology::of(&PolygonMesh::default()).is_closed());
}

#[test]
fn a_face_that_is_there_twice_is_reported_in_any_order_and_orientation() {
    let mut mesh = pyramid(1.0);
    mesh.faces.push(vec![4, 3, 2]);
    mesh.faces.push(vec![1, 3, 0, 2]);
    mesh.faces.push(vec![3, 4, 2]);
    // Different faces may share their three smallest vertices.
    mesh.faces.push(vec![0, 1, 2, 4]);
    let topology = MeshTopology::of(&mesh);
    assert_eq!(topology.duplicate_faces, Defects { count: 3, first: Some([0, 6]) });
}

#[test]
fn a_body_that_is_there_twice_is_reported_though_each_has_vertices_of_its_own() {
    let mut mesh = pyramid(1.0);
    mesh.vertices.extend(pyramid(1.0).vertices);
    mesh.faces.extend(pyramid(1.0).faces.iter().map(|face| face.iter().map(|v| v + 5).collect()));
    let topology = MeshTopology::of(&mesh);
    assert_eq!(topology.duplicate_faces, Defects { count: 5, first: Some([0, 5]) });
    // A face that degenerates to a line is no duplicate.
    mesh.faces = vec![vec![0, 1, 5], vec![0, 1, 6]];
    assert_eq!(MeshTopology::of(&mesh).duplicate_faces, Defects::default());
}

#[test]
fn faces_folded_as_given_and_faces_folded_where_vertices_are_equal_are_both_reported() {
    let mut mesh = pyramid(1.0);
    mesh.vertices.push(mesh.vertices[0]);
    mesh.faces.extend([vec![0, 1, 0], vec![0, 1, 5, 2]]);
    assert_eq!(MeshTopology::of(&mesh).self_touching_faces, Defects { count: 2, first: Some(5) });
}

/// Returns a prism of height one over a counterclockwise polygon.
fn prism(outline: &[[f64; 2]]) -> PolygonMesh {
    let count = outline.len() as u32;
    let level = |z: f64| outline.iter().map(move |[x, y]| Vector::from([*x, *y, z]));
    let vertices = level(0.0).chain(level(1.0)).collect();
    let mut faces = vec![(0..count).rev().collect(), (count..2 * count).collect()];
    faces.extend((0..count).map(|k| {
        let next = (k + 1) % count;
        vec![k, next, next + count, k + count]
    }));
    PolygonMesh { vertices, faces }
}

#[test]
fn only_the_edges_of_notches_are_bent_inwards_whatever_the_polygons_around() {
    let angle = prism(&[[0., 0.], [2., 0.], [2., 1.], [1., 1.], [1., 2.], [0., 2.]]);
    assert_eq!(MeshTopology::of(&angle).reflex_edges, Defects { count: 1, first: Some([3, 9]) });
    let star: Vec<[f64; 2]> = (0..10)
        .map(|k| {
            let (sin, cos) = (std::f64::consts::TAU * f64::from(k) / 10.0).sin_cos();
            let radius = if k % 2 == 0 { 1.0 } else { 0.4 };
            [radius * cos, radius * sin]
        })
        .collect();
    assert_eq!(
        MeshTopology::of(&prism(&star)).reflex_edges,
        Defects { count: 5, first: Some([1, 11]) }
    );
}

#[test]
fn a_bend_is_one_from_a_millionth_of_the_extent_on() {
    // A square cut along a diagonal, with one of its corners displaced.
    for (depth, count) in [(-1e-3, 0), (0.0, 0), (0.9e-6, 0), (1.5e-6, 1), (1e-3, 1)] {
        let mut mesh = prism(&[[0., 0.], [1., 0.], [1., 1.], [0., 1.]]);
        mesh.faces[1] = vec![4, 5, 6];
        mesh.faces.push(vec![4, 6, 7]);
        // The walls stay planar, since the corner moves along the axis of the prism.
        mesh.vertices[7].z += depth;
        assert_eq!(MeshTopology::of(&mesh).reflex_edges.count, count, "{depth:e}");
    }
}

#[test]
fn only_faces_exactly_on_a_line_are_without_area() {
    let line = |height: f64| [[0.1, 0.1, 0.1], [0.3, 0.3, 0.3], [0.7, 0.7, height]];
    let mesh = |corners: &[[f64; 3]]| PolygonMesh {
        vertices: corners.iter().copied().map(Vector::from).collect(),
        faces: vec![(0..corners.len() as u32).collect()],
    };
    let without_area = |corners: &[[f64; 3]]| MeshTopology::of(&mesh(corners)).degenerate_faces;
    let found = Defects { count: 1, first: Some(0) };
    assert_eq!(without_area(&line(0.7)), found);
    assert_eq!(without_area(&line(0.7f64.next_up())), Defects::default());
    assert_eq!(without_area(&[[0.1, 0.2, 0.3]; 3]), found);
    // In a plane perpendicular to each axis, very large, and so small that products underflow.
    for (scale, axis) in
        [1e60, 1.0, 1e-170].into_iter().flat_map(|s| [0, 1, 2].map(|axis| (s, axis)))
    {
        let flat = |z: f64| {
            [[1.0, 2.0, 1.0], [1.0, 4.0, 2.0], [1.0, 8.0, z]].map(|mut place: [f64; 3]| {
                place.rotate_right(axis);
                place.map(|x| x * scale)
            })
        };
        assert_eq!(without_area(&flat(4.0)), found);
        assert_eq!(without_area(&flat(5.0)), Defects::default());
    }
    let mut square = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [3.0, 0.0, 0.0]];
    assert_eq!(without_area(&square), found);
    square[3] = [0.0, 1.0, 0.0];
    assert_eq!(without_area(&square), Defects::default());
}

#[test]
fn parts_are_joined_by_edges_and_not_by_vertices() {
    let mut mesh = pyramid(1.0);
    assert_eq!(MeshTopology::of(&mesh).component_count, 1);
    // A second pyramid above, joined at the tip only.
    mesh.faces.extend(
        pyramid(1.0).faces.iter().map(|face| {
            face.iter().map(|&vertex| if vertex == 4 { 4 } else { vertex + 5 }).collect()
        }),
    );
    let above = Vector::from([0.0, 0.0, 2.0]);
    mesh.vertices.extend(pyramid(1.0).vertices[..4].iter().map(|vertex| vertex + above));
    let topology = MeshTopology::of(&mesh);
    assert_eq!(topology.component_count, 2);
    assert_eq!(MeshTopology::of(&PolygonMesh::default()).component_count, 0);
}

#[test]
fn odd_and_unbalanced_edges_show_which_sums_of_crossings_mean_something() {
    let counts = |mesh: &PolygonMesh| {
        let topology = MeshTopology::of(mesh);
        (
            topology.odd_edges.count,
            topology.unbalanced_edges.count,
            topology.non_manifold_edges.count,
        )
    };
    let mut mesh = pyramid(1.0);
    assert_eq!(counts(&mesh), (0, 0, 0));
    // Every face twice: winding number two.
    mesh.faces.extend(pyramid(1.0).faces);
    assert_eq!(counts(&mesh), (0, 0, 8));
    // With one face reversed the parity is still even.
    mesh.faces[3].reverse();
    assert_eq!(counts(&mesh), (0, 3, 8));
    mesh.faces.pop();
    assert_eq!(counts(&mesh).0, 3);
}

#[test]
fn faces_with_vertices_of_their_own_hang_together_all_the_same() {
    let shared = pyramid(0.7);
    let mut mesh = PolygonMesh::default();
    for face in &shared.faces {
        let first = mesh.vertices.len() as u32;
        mesh.vertices.extend(face.iter().map(|&vertex| shared.vertices[vertex as usize]));
        mesh.faces.push((first..mesh.vertices.len() as u32).collect());
    }
    // One more face that is a line, and a far vertex on no face.
    mesh.faces.push(vec![0, 1, 1 + 3 * 4]);
    mesh.vertices.push(Vector::repeat(9.0));
    let topology = MeshTopology::of(&mesh);
    assert!(topology.is_closed(), "{topology:?}");
    assert_eq!((topology.edge_count, topology.component_count), (8, 1));
    assert!(is_convex(&mesh) && fills_its_hull(&mesh));
    assert_eq!(topology.unreferenced_vertices.count, 1);
    mesh.faces.remove(2);
    assert_eq!(MeshTopology::of(&mesh).boundary_edges.count, 3);
}
