use super::*;
use crate::Vector;
use crate::mesh::{MeshTopology, octahedron_sphere};
use crate::random::SplitMix64;
use crate::shape::MassProperties;

const FILL: RepairOptions = RepairOptions { weld_distance: 0.0, fill_holes_up_to: 100 };

fn sphere(refinements: u32, scale: f64) -> PolygonMesh {
    let mut mesh = octahedron_sphere(refinements).to_polygons();
    mesh.vertices.iter_mut().for_each(|vertex| *vertex *= scale);
    mesh
}

fn volume(mesh: &PolygonMesh) -> f64 {
    MassProperties::of(&mesh.vertices, &mesh.faces).volume
}

fn below(random: &mut SplitMix64, count: usize) -> usize {
    (random.uniform() * count as f64) as usize
}

/// Gives every face vertices of its own, each off by at most `off` along each axis.
fn soup(mesh: &PolygonMesh, off: f64, random: &mut SplitMix64) -> PolygonMesh {
    let mut apart = PolygonMesh::default();
    for face in &mesh.faces {
        let first = apart.vertices.len() as u32;
        for &vertex in face {
            let shift = Vector::from_fn(|_, _| off * (2.0 * random.uniform() - 1.0));
            apart.vertices.push(mesh.vertices[vertex as usize] + shift);
        }
        apart.faces.push((first..apart.vertices.len() as u32).collect());
    }
    apart
}

#[test]
fn a_sound_mesh_stays_as_it_is() {
    for mesh in [sphere(0, 1.0), sphere(3, 1e-6), sphere(2, 1e6)] {
        let (repaired, report) = mesh.repaired(&FILL).unwrap();
        assert_eq!((repaired, report), (mesh, RepairReport::default()));
    }
}

#[test]
fn faces_with_vertices_of_their_own_are_joined() {
    for (seed, scale) in (0..6).zip([1e-6, 1.0, 1e6].into_iter().cycle()) {
        let mut random = SplitMix64::new(seed);
        let whole = sphere(2, scale);
        let apart = soup(&whole, 1e-7 * scale, &mut random);
        let exact = apart.repaired(&FILL).unwrap();
        assert!(exact.1.open_edges > 0, "without a distance nothing is near enough");
        let options = RepairOptions { weld_distance: 1e-6 * scale, ..RepairOptions::default() };
        let (repaired, report) = apart.repaired(&options).unwrap();
        assert_eq!(repaired.vertices.len(), whole.vertices.len(), "seed {seed}");
        assert_eq!(report.welded_vertices, apart.vertices.len() - whole.vertices.len());
        assert_eq!((report.removed_vertices, report.open_edges), (report.welded_vertices, 0));
        assert!(MeshTopology::of(&repaired).is_closed());
        assert!((volume(&repaired) / volume(&whole) - 1.0).abs() < 1e-5, "seed {seed}");
    }
}

#[test]
fn turned_faces_agree_and_the_outside_is_out() {
    for seed in 0..10 {
        let mut random = SplitMix64::new(seed);
        let whole = sphere(2, 1.0);
        let mut turned = whole.clone();
        // From none to all faces.
        let part = seed as f64 / 9.0;
        let mut count = 0;
        for face in &mut turned.faces {
            if random.uniform() < part || seed == 9 {
                face.reverse();
                count += 1;
            }
        }
        let (repaired, report) = turned.repaired(&FILL).unwrap();
        assert_eq!(report.reversed_faces, count, "seed {seed}");
        assert!((volume(&repaired) - volume(&whole)).abs() < 1e-12, "seed {seed}");
        assert_eq!(MeshTopology::of(&repaired).misoriented_edges.count, 0);
    }
}

#[test]
fn a_hollow_stays_a_hollow() {
    let mut shells = sphere(2, 2.0);
    let first = shells.vertices.len() as u32;
    let inner = sphere(2, 1.0);
    shells.vertices.extend(&inner.vertices);
    shells.faces.extend(
        inner.faces.iter().map(|face| face.iter().rev().map(|k| first + k).collect::<Vec<_>>()),
    );
    let (repaired, report) = shells.repaired(&FILL).unwrap();
    assert_eq!((repaired, report.reversed_faces), (shells, 0));
}

#[test]
fn repeated_faces_are_removed() {
    let whole = sphere(1, 1.0);
    let mut repeated = whole.clone();
    for (number, face) in whole.faces.iter().enumerate().step_by(3) {
        let mut again = face.clone();
        again.rotate_left(number % 3);
        if number % 2 == 0 {
            again.reverse();
        }
        repeated.faces.push(again);
    }
    let (repaired, report) = repeated.repaired(&FILL).unwrap();
    assert_eq!(
        (repaired, report.duplicate_faces),
        (whole.clone(), repeated.faces.len() - whole.faces.len())
    );
}

#[test]
fn triangles_without_area_leave_no_gap() {
    let whole = sphere(0, 1.0);
    let mut flat = whole.clone();
    // A vertex in the middle of each edge of the first face, which its neighbor does not have: between them is a
    // triangle without area.
    let [a, b, c] = flat.faces[0][..] else { panic!("a triangle") };
    let middles: Vec<u32> = [(a, b), (b, c), (c, a)]
        .into_iter()
        .map(|(from, to)| {
            let middle = (flat.vertices[from as usize] + flat.vertices[to as usize]) / 2.0;
            flat.vertices.push(middle);
            let middle = flat.vertices.len() as u32 - 1;
            flat.faces.push(vec![from, to, middle]);
            middle
        })
        .collect();
    let &[ab, bc, ca] = &middles[..] else { panic!("three edges") };
    flat.faces[0] = vec![ab, bc, ca];
    flat.faces.extend([vec![a, ab, ca], vec![b, bc, ab], vec![c, ca, bc]]);
    assert!(MeshTopology::of(&flat).is_closed());
    assert_eq!(MeshTopology::of(&flat).degenerate_faces.count, 3);
    let (repaired, report) = flat.repaired(&RepairOptions::default()).unwrap();
    let topology = MeshTopology::of(&repaired);
    assert_eq!((report.flat_triangles, report.open_edges), (3, 0));
    assert!(topology.is_closed() && topology.degenerate_faces.count == 0, "{topology:?}");
    assert!((volume(&repaired) - volume(&whole)).abs() < 1e-12);
}

#[test]
fn holes_are_filled_up_to_the_size_that_is_asked_for() {
    for scale in [1e-6, 1.0, 1e6] {
        let whole = sphere(2, scale);
        let mut open = whole.clone();
        // All faces around one vertex: an outline of four or six edges; and two single faces elsewhere.
        open.faces.retain(|face| !face.contains(&0));
        let removed = whole.faces.len() - open.faces.len();
        // The last two face each other across the sphere.
        let count = open.faces.len();
        let is_far = |face: &Vec<u32>| {
            let middle: Vector<3> = face.iter().map(|&k| whole.vertices[k as usize]).sum();
            middle.dot(&whole.vertices[0]) < 0.0
        };
        let far: Vec<usize> = (0..count).filter(|&k| is_far(&open.faces[k])).collect();
        open.faces.remove(far[far.len() - 1]);
        open.faces.remove(far[0]);
        let fill = |most| open.repaired(&RepairOptions { fill_holes_up_to: most, ..FILL }).unwrap();
        assert_eq!(fill(0).1.open_edges, removed + 6);
        assert_eq!((fill(3).1.filled_holes, fill(3).1.open_edges), (2, removed));
        let (repaired, report) = fill(100);
        assert_eq!((report.filled_holes, report.added_faces), (3, removed - 2 + 2));
        assert_eq!((report.open_edges, report.misoriented_edges), (0, 0));
        assert!(MeshTopology::of(&repaired).is_closed());
        let lost = 1.0 - volume(&repaired) / volume(&whole);
        assert!((0.0..0.03).contains(&lost), "{lost}");
    }
}

#[test]
fn holes_that_meet_at_a_vertex_are_filled_apart() {
    let mut mesh = sphere(1, 1.0);
    let whole = volume(&mesh);
    // Two faces at a vertex of six that have no edge in common.
    let at = |vertex: u32| -> Vec<usize> {
        (0..mesh.faces.len()).filter(|&k| mesh.faces[k].contains(&vertex)).collect()
    };
    let around = (0..18).map(at).find(|around| around.len() == 6).unwrap();
    let shares = |a: usize, b: usize| {
        mesh.faces[a].iter().filter(|vertex| mesh.faces[b].contains(vertex)).count()
    };
    let other = *around.iter().find(|&&face| shares(around[0], face) == 1).unwrap();
    let mut number = 0;
    let gone = [around[0], other];
    mesh.faces.retain(|_| {
        number += 1;
        !gone.contains(&(number - 1))
    });
    let (repaired, report) = mesh.repaired(&FILL).unwrap();
    assert_eq!((report.filled_holes, report.added_faces, report.open_edges), (2, 2, 0));
    assert!((volume(&repaired) - whole).abs() < 1e-12);
}

#[test]
fn an_outline_that_bends_back_is_filled_exactly() {
    // A prism over an L without its lid.
    let outline = [[0., 0.], [2., 0.], [2., 1.], [1., 1.], [1., 2.], [0., 2.]];
    let at = |z: f64| outline.map(|[x, y]| Vector::from([x, y, z]));
    let mut mesh = PolygonMesh { vertices: [at(0.0), at(1.0)].concat(), faces: Vec::new() };
    for k in 0..6_u32 {
        let next = (k + 1) % 6;
        mesh.faces.extend([vec![k, next, 6 + next], vec![k, 6 + next, 6 + k]]);
    }
    let (repaired, report) = mesh.repaired(&FILL).unwrap();
    assert_eq!((report.filled_holes, report.added_faces, report.open_edges), (2, 8, 0));
    assert!((volume(&repaired) - 3.0).abs() < 1e-12, "{}", volume(&repaired));
}

#[test]
fn what_cannot_be_repaired_is_counted() {
    // A strip of an odd number of quadrilaterals, twisted once.
    let mut strip = PolygonMesh::default();
    for k in 0..7_u32 {
        let angle = f64::from(k) * std::f64::consts::TAU / 7.0;
        let (sin, cos) = angle.sin_cos();
        for side in [-0.3, 0.3] {
            let (lift, out) = (side * (angle / 2.0).sin(), side * (angle / 2.0).cos());
            strip.vertices.push(Vector::from([cos * (1.0 + out), sin * (1.0 + out), lift]));
        }
        let next = if k == 6 { [1, 0] } else { [2 * k + 2, 2 * k + 3] };
        strip.faces.push(vec![2 * k, next[0], next[1]]);
        strip.faces.push(vec![2 * k, next[1], 2 * k + 1]);
    }
    let (_, report) = strip.repaired(&RepairOptions::default()).unwrap();
    assert_eq!((report.misoriented_edges, report.open_edges), (1, 14));
    // Three triangles at one edge, and a triangle alone, whose back is no hole.
    let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.], [0., -1., 0.]];
    let vertices = corners.map(Vector::from).to_vec();
    let fan =
        PolygonMesh { vertices: vertices.clone(), faces: (2..5).map(|k| vec![0, 1, k]).collect() };
    assert_eq!(fan.repaired(&RepairOptions::default()).unwrap().1.non_manifold_edges, 1);
    let lone = PolygonMesh { vertices, faces: vec![vec![0, 1, 2]] };
    let report = lone.repaired(&FILL).unwrap().1;
    assert_eq!((report.filled_holes, report.open_edges, report.removed_vertices), (0, 3, 2));
}

#[test]
fn all_damages_at_once_are_repaired() {
    for (seed, scale) in (0..9).zip([1e-6, 1.0, 1e6].into_iter().cycle()) {
        let mut random = SplitMix64::new(seed);
        let whole = sphere(3, scale);
        let mut mesh = soup(&whole, 1e-8 * scale, &mut random);
        for _ in 0..40 {
            let face = below(&mut random, mesh.faces.len());
            mesh.faces[face].reverse();
        }
        for _ in 0..10 {
            let face = mesh.faces[below(&mut random, mesh.faces.len())].clone();
            mesh.faces.push(face.clone());
            mesh.faces.push(vec![face[0], face[1], face[0]]);
        }
        for _ in 0..5 {
            mesh.faces.remove(below(&mut random, whole.faces.len() - 5));
        }
        let options = RepairOptions { weld_distance: 1e-6 * scale, fill_holes_up_to: 20 };
        let (repaired, report) = mesh.repaired(&options).unwrap();
        let topology = MeshTopology::of(&repaired);
        assert!(topology.is_closed(), "seed {seed}: {report:?}");
        let lost = 1.0 - volume(&repaired) / volume(&whole);
        assert!(lost.abs() < 0.01, "seed {seed}: {lost} {report:?}");
        assert_eq!(repaired.repaired(&options).unwrap(), (repaired, RepairReport::default()));
    }
}

#[test]
fn nonsense_is_refused_in_one_sentence() {
    let mesh = sphere(0, 1.0);
    let weld = |weld_distance| mesh.repaired(&RepairOptions { weld_distance, ..FILL }).unwrap_err();
    for distance in [-1.0, f64::NAN, f64::INFINITY, 2.0] {
        assert!(matches!(weld(distance), RepairError::WeldDistance { .. }), "{distance}");
        assert!(!weld(distance).to_string().contains('\n'));
    }
    let mut damaged = mesh.clone();
    damaged.vertices[3].y = f64::NAN;
    assert!(matches!(damaged.repaired(&FILL), Err(RepairError::Mesh(_))));
    let mut damaged = mesh.clone();
    damaged.faces[2][1] = 6;
    assert!(matches!(damaged.repaired(&FILL), Err(RepairError::Mesh(_))));
    let collapsed = PolygonMesh { faces: vec![vec![0, 1, 0], vec![1, 1, 1], vec![]], ..mesh };
    assert_eq!(collapsed.repaired(&FILL), Err(RepairError::NothingLeft));
    assert_eq!(PolygonMesh::default().repaired(&FILL), Err(RepairError::NothingLeft));
}
