//! Generated bodies keep clear of walls and stay in their regions.

use super::*;
use carom_detect::inside::closest_on_triangle;
use carom_geometry::mesh::{PolygonMesh, octahedron_sphere};
use carom_geometry::{Sphere, embed_in_3d};
use nalgebra::{Rotation3, Unit};
use std::f64::consts::{PI, TAU};
use std::fmt::Write as _;
use std::fs;

const SPACE: &str =
    "engine = 'dem'\ndimension = 3\nuntil = 1\n[box]\nsize = 12\nboundary = 'wall'\n";
const PLANE: &str =
    "engine = 'dem'\ndimension = 2\nuntil = 1\n[box]\nsize = 12\nboundary = 'wall'\n";
const MIDDLE: [f64; 3] = [6.0, 6.0, 6.0];

/// Half the height of the bottle, its radius, and how thick its glass is.
const HALF: f64 = 4.0;
const RADIUS: f64 = 3.0;
const GLASS: f64 = 0.8;

/// Three orientations: upright, leaning, upside down and rotated.
fn orientations() -> [Rotation3<f64>; 3] {
    let about = |axis: [f64; 3], angle| {
        Rotation3::from_axis_angle(&Unit::new_normalize(axis.into()), angle)
    };
    [Rotation3::identity(), about([1.0, 2.0, 0.5], 0.7), about([1.0, 0.3, -0.2], PI - 0.4)]
}

/// A round vessel with thick walls and an open top, about the middle of the box: a closed mesh.
fn bottle(turn: &Rotation3<f64>) -> PolygonMesh {
    let profile =
        [[RADIUS, -HALF], [RADIUS, HALF], [RADIUS - GLASS, HALF], [RADIUS - GLASS, GLASS - HALF]];
    let (around, rings) = (24, profile.len());
    let mut vertices: Vec<Vector<3>> = Vec::new();
    for step in 0..around {
        let (sin, cos) = (TAU * step as f64 / around as f64).sin_cos();
        vertices.extend(profile.map(|[r, z]| Vector::from([r * cos, r * sin, z])));
    }
    let [below, above] = [-HALF, GLASS - HALF].map(|z| Vector::from([0.0, 0.0, z]));
    vertices.extend([below, above]);
    let [below, above] = [around * rings, around * rings + 1].map(|vertex| vertex as u32);
    let mut faces = Vec::new();
    for step in 0..around {
        let [here, there] = [step, (step + 1) % around].map(|step| (step * rings) as u32);
        for ring in 0..3 {
            faces.push(vec![here + ring, there + ring, there + ring + 1]);
            faces.push(vec![here + ring, there + ring + 1, here + ring + 1]);
        }
        faces.push(vec![below, there, here]);
        faces.push(vec![above, here + 3, there + 3]);
    }
    let middle = Vector::from(MIDDLE);
    vertices.iter_mut().for_each(|vertex| *vertex = turn * *vertex + middle);
    PolygonMesh { vertices, faces }
}

/// A scene with the mesh as `mesh.off` next to it.
fn beside(mesh: &PolygonMesh, text: &str, seed: u64) -> Result<Scene<3>, Error> {
    let folder = tempfile::tempdir().unwrap();
    let mut file = format!("OFF\n{} {} 0\n", mesh.vertices.len(), mesh.faces.len());
    for place in &mesh.vertices {
        writeln!(file, "{:?} {:?} {:?}", place.x, place.y, place.z).unwrap();
    }
    for face in &mesh.faces {
        writeln!(file, "3 {} {} {}", face[0], face[1], face[2]).unwrap();
    }
    fs::write(folder.path().join("mesh.off"), file).unwrap();
    match AnyScene::parse(text, "a.toml", folder.path(), &[format!("seed={seed}")])? {
        AnyScene::ThreeD(scene) => Ok(scene),
        AnyScene::TwoD(_) => panic!("the scene is in space"),
    }
}

fn corners(mesh: &PolygonMesh) -> impl Iterator<Item = [&Vector<3>; 3]> {
    mesh.faces.iter().map(|face| [0, 1, 2].map(|k| &mesh.vertices[face[k] as usize]))
}

/// The distance of a point from a mesh, by checking every triangle.
fn distance(mesh: &PolygonMesh, point: &Vector<3>) -> f64 {
    let distances =
        corners(mesh).map(|corners| (closest_on_triangle(point, corners) - point).norm());
    distances.fold(f64::INFINITY, f64::min)
}

/// The winding number of a mesh about a point, by the solid angles of its triangles (Van Oosterom and Strackee).
fn winding(mesh: &PolygonMesh, point: &Vector<3>) -> f64 {
    let angle = |corners: [&Vector<3>; 3]| {
        let [a, b, c] = corners.map(|corner| corner - point);
        let [x, y, z] = [a.norm(), b.norm(), c.norm()];
        let below = x * y * z + a.dot(&b) * z + b.dot(&c) * x + c.dot(&a) * y;
        2.0 * a.dot(&b.cross(&c)).atan2(below)
    };
    corners(mesh).map(angle).sum::<f64>() / (4.0 * PI)
}

/// Whether a point is in the hollow of the bottle.
fn in_hollow(turn: &Rotation3<f64>, point: &Vector<3>) -> bool {
    let own = turn.inverse() * (point - Vector::from(MIDDLE));
    own.xy().norm() < RADIUS - GLASS && own.z.abs() < HALF
}

fn check_off(mesh: &PolygonMesh, bodies: &[Body<3>], inside: f64) {
    for body in bodies {
        let far = distance(mesh, &body.position);
        assert!(far >= body.radius - 1e-12, "{body:?} is {far} from the wall");
        assert!(
            (winding(mesh, &body.position) - inside).abs() < 1e-6,
            "{body:?} is on the wrong side"
        );
    }
}

const BEADS: &str = "[[walls]]\nkind = 'mesh'\nfile = 'mesh.off'\n[[generate]]\nkind = 'KIND'\ncount = 600\nradius = 0.2\n";

#[test]
fn beads_are_never_in_the_glass_of_a_bottle_nor_across_it() {
    for turn in orientations() {
        let mesh = bottle(&turn);
        for (seed, kind) in [(1, "random"), (2, "random"), (3, "lattice")] {
            let text = format!("{SPACE}{}", BEADS.replace("KIND", kind));
            let bodies = beside(&mesh, &text, seed).unwrap().bodies;
            assert_eq!(bodies.len(), 600);
            check_off(&mesh, &bodies, 0.0);
            let within = bodies.iter().filter(|body| in_hollow(&turn, &body.position)).count();
            assert!((10..300).contains(&within), "{kind}: {within} in the hollow");
        }
    }
}

#[test]
fn a_region_decides_whether_beads_are_in_the_bottle_or_in_its_glass() {
    for turn in orientations() {
        let mesh = bottle(&turn);
        let [low, axis] = [Vector::from([0.0, 0.0, GLASS - HALF]), Vector::z()];
        let (low, axis) = (turn * low + Vector::from(MIDDLE), turn * axis);
        let region = format!(
            "region = {{ cylinder = {{ point = {:?}, axis = {:?}, radius = 2.2, length = 7.2 }} }}\n",
            low.as_slice(),
            axis.as_slice()
        );
        for kind in ["random", "lattice"] {
            let text = format!("{SPACE}{}{region}", BEADS.replace("KIND", kind));
            let bodies = beside(&mesh, &text, 4).unwrap().bodies;
            check_off(&mesh, &bodies, 0.0);
            assert!(bodies.iter().all(|body| in_hollow(&turn, &body.position)), "{kind}");
        }
        let glass = "region = { mesh = { file = 'mesh.off' } }\n";
        let text = format!("{SPACE}{}{glass}", BEADS.replace("KIND", "random"));
        check_off(&mesh, &beside(&mesh, &text, 5).unwrap().bodies, 1.0);
    }
}

#[test]
fn a_closed_container_is_filled_if_the_region_is_in_it() {
    let ball = octahedron_sphere(3).to_polygons();
    let vertices = ball.vertices.iter().map(|at| at * 4.0 + Vector::from(MIDDLE)).collect();
    let mesh = PolygonMesh { vertices, faces: ball.faces };
    let text = format!("{SPACE}{}", BEADS.replace("KIND", "random"));
    check_off(&mesh, &beside(&mesh, &text, 1).unwrap().bodies, 0.0);
    // The ball reaches beyond the flat faces of the mesh by less than a bead.
    for region in [
        "{ sphere = { center = [6, 6, 6], radius = 4 } }",
        "{ mesh = { file = 'mesh.off' } }",
        "{ low = [4, 4, 4], high = [8, 8, 8] }",
    ] {
        let text = format!("{text}region = {region}\n");
        check_off(&mesh, &beside(&mesh, &text, 2).unwrap().bodies, 1.0);
    }
}

#[test]
fn beads_across_a_periodic_end_keep_clear_of_meshes_at_the_other() {
    let square = [[11.9, 2.0, 2.0], [11.9, 10.0, 2.0], [11.9, 10.0, 10.0], [11.9, 2.0, 10.0]];
    let faces = vec![vec![0, 1, 2], vec![0, 2, 3]];
    let mesh = PolygonMesh { vertices: square.map(Vector::from).to_vec(), faces };
    let text =
        format!("{SPACE}{}", BEADS.replace("KIND", "random")).replace("'wall'", "'periodic'");
    for body in beside(&mesh, &text.replace("600", "3000"), 1).unwrap().bodies {
        for shift in [-12.0, 0.0, 12.0] {
            let image = body.position + Vector::x() * shift;
            assert!(distance(&mesh, &image) >= body.radius, "{body:?}");
        }
    }
}

#[test]
fn planes_cylinders_and_lines_are_kept_clear_of_by_every_kind_of_body() {
    let walls = "[[walls]]\nkind = 'plane'\npoint = [0, 0, 3]\nnormal = [0, 0.6, 0.8]\n\
                 [[walls]]\nkind = 'cylinder'\npoint = [6, 6, 6]\naxis = [1, 1, 1]\nradius = 4\n";
    let shapes = "[shapes.die]\nbox = [0.4, 0.4, 0.4]\n\
                  [shapes.pair]\nspheres = [[0, 0, 0, 0.2], [0.3, 0, 0, 0.2]]\n";
    let axis = Vector::<3>::repeat(1.0 / 3f64.sqrt());
    for size in ["radius = { min = 0.1, max = 0.4 }", "shape = 'die'", "shape = 'pair'"] {
        for kind in ["random", "lattice"] {
            let crowd = format!("[[generate]]\nkind = '{kind}'\ncount = 100\n{size}\n");
            for body in space(&format!("{SPACE}{walls}{shapes}{crowd}")).bodies {
                let above = (body.position - Vector::z() * 3.0).dot(&Vector::from([0.0, 0.6, 0.8]));
                let way = body.position - Vector::from(MIDDLE);
                let across = (way - axis * axis.dot(&way)).norm();
                assert!(above >= body.radius && across + body.radius <= 4.0 + 1e-12, "{body:?}");
            }
        }
    }
    let line = "[[walls]]\nkind = 'line'\npoints = [[2, 2], [6, 9], [10, 2]]\n";
    let crowd = "[[generate]]\nkind = 'random'\ncount = 200\nradius = 0.2\n";
    let wall = [[2.0, 2.0], [6.0, 9.0], [10.0, 2.0]].map(|[x, y]| Vector::from([x, y, 0.0]));
    for body in plane(&format!("{PLANE}{line}{crowd}")).bodies {
        for ends in wall.windows(2) {
            let place = embed_in_3d(&body.position);
            let foot = closest_on_triangle(&place, [&ends[0], &ends[1], &ends[1]]);
            assert!((place - foot).norm() >= body.radius, "{body:?}");
        }
    }
}

#[test]
fn a_closed_line_is_solid_unless_the_region_lies_in_it() {
    let line = "[[walls]]\nkind = 'line'\npoints = [[3, 3], [9, 3], [9, 9], [3, 9], [3, 3]]\n";
    let crowd = "[[generate]]\nkind = 'random'\ncount = 60\nradius = 0.2\n";
    let inside = |body: &Body<2>| (body.position - Vector::from([6.0, 6.0])).amax() < 3.0;
    let outside = plane(&format!("{PLANE}{line}{crowd}")).bodies;
    assert!(!outside.iter().any(inside));
    for region in [
        "{ low = [3, 3], high = [9, 9] }",
        "{ circle = { center = [6, 6], radius = 3 } }",
        "{ polygon = [[3, 3], [9, 3], [6, 9]] }",
    ] {
        let within = plane(&format!("{PLANE}{line}{crowd}region = {region}\n")).bodies;
        assert!(within.iter().all(inside), "{region}");
    }
}

#[test]
fn bodies_are_completely_in_their_region() {
    let holds = |region: &str, is_in: &dyn Fn(&Sphere<3>) -> bool| {
        for kind in ["random", "lattice"] {
            let crowd = format!("[[generate]]\nkind = '{kind}'\ncount = 150\nradius = 0.25\n");
            let scene = space(&format!("{SPACE}{crowd}region = {region}\n"));
            assert!(scene.bodies.iter().all(|body| is_in(&body.sphere())), "{kind} {region}");
        }
    };
    holds("{ sphere = { center = [3, 6, 6], radius = 4 } }", &|sphere| {
        let in_box = sphere.center.x >= sphere.radius;
        in_box && (sphere.center - Vector::from([3.0, 6.0, 6.0])).norm() + sphere.radius <= 4.0
    });
    holds("{ cylinder = { point = [6, 6, 0], axis = [0, 0, 5], radius = 3 } }", &|sphere| {
        (sphere.center.xy() - Vector::from([6.0, 6.0])).norm() + sphere.radius <= 3.0
    });
    let polygon = "region = { polygon = [[1, 1], [11, 1], [11, 11], [6, 3]] }\n";
    let crowd = "[[generate]]\nkind = 'random'\ncount = 60\nradius = 0.2\n";
    let corners = [[1.0, 1.0], [11.0, 1.0], [11.0, 11.0], [6.0, 3.0]].map(Vector::from);
    for body in plane(&format!("{PLANE}{crowd}{polygon}")).bodies {
        assert!(super::super::polygon::contains(&corners, &body.position));
        assert!(super::super::polygon::distance(&corners, &body.position) >= 0.2);
    }
}

#[test]
fn a_region_that_makes_no_sense_is_refused() {
    let refused = |dimension: usize, region: &str| {
        let head = if dimension == 2 { PLANE } else { SPACE };
        let crowd = "[[generate]]\nkind = 'random'\ncount = 9\nradius = 0.2\n";
        refused(&format!("{head}{crowd}region = {region}\n"))
    };
    for (dimension, region, rule) in [
        (3, "{}", "must have low and high, or one of sphere, cylinder and mesh"),
        (3, "{ low = [0, 0, 0] }", "must have low and high"),
        (2, "{ high = [1, 1] }", "must have low and high, or one of circle and polygon"),
        (2, "{ sphere = { center = [1, 1], radius = 1 } }", "in the plane take circle"),
        (3, "{ polygon = [[0, 0], [1, 0], [0, 1]] }", "in space take mesh"),
        (3, "{ sphere = { center = [30, 0, 0], radius = 1 } }", "it must reach into the box"),
        (
            3,
            "{ cylinder = { point = [0, 30, 0], axis = [1, 0, 0], radius = 1 } }",
            "it must reach into the box",
        ),
        (
            3,
            "{ cylinder = { point = [0, 3, 0], axis = [0, 0, 0], radius = 1 } }",
            "point somewhere",
        ),
        (3, "{ mesh = { file = 'lost.stl' } }", "lost.stl"),
        (
            3,
            "{ low = [0, 0, 0], high = [1, 1, 1], mesh = { file = 'a.stl' } }",
            "this region has \"low\" and \"mesh\"; keep one of them",
        ),
    ] {
        let message = refused(dimension, region);
        assert!(message.contains(rule), "{region}: {message}");
    }
}

#[test]
fn without_room_off_the_walls_the_count_the_region_and_a_remedy_are_reported() {
    let wall = "[[walls]]\nkind = 'plane'\npoint = [0, 0, 11]\nnormal = [0, 0, 1]\n";
    let ball = "region = { sphere = { center = [6, 6, 10], radius = 2 } }\n";
    for (kind, remedy) in [("random", "enlarge the region"), ("lattice", "the lattice would have")]
    {
        let crowd = format!("[[generate]]\nkind = '{kind}'\ncount = 900\nradius = 0.2\n{ball}");
        let message = refused(&format!("{SPACE}{wall}{crowd}"));
        let place = " of 900 bodies found a place without overlap in the ball of radius 2 around \
                     [6, 6, 10] off the walls; ";
        assert!(message.contains(place) && message.contains(remedy), "{message}");
    }
}

#[test]
fn large_bodies_are_placed_first_and_numbers_follow_the_tables() {
    let table = |count: usize, radius: f64| {
        format!("[[generate]]\nkind = 'random'\ncount = {count}\nradius = {radius}\n")
    };
    // Of small discs alone, placed first, hardly a large one would find room.
    let scene = plane(&format!("{PLANE}{}{}", table(800, 0.12), table(6, 1.5)));
    assert!(scene.bodies[..800].iter().all(|body| body.radius == 0.12));
    assert!(scene.bodies[800..].iter().all(|body| body.radius == 1.5));
}
