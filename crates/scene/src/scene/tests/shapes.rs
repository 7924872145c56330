use super::*;
use carom_geometry::shape::ConvexPolyhedron;
use std::f64::consts::PI;
use std::fs;

/// Before the tables that a test adds; line 7 is the first of those.
const SPACE: &str =
    "engine = 'dem'\ndimension = 3\nuntil = 1\n[box]\nsize = 10\nboundary = 'wall'\n";
const PLANE: &str =
    "engine = 'dem'\ndimension = 2\nuntil = 1\n[box]\nsize = 10\nboundary = 'wall'\n";
const DIE: &str = "[shapes.die]\nbox = [1, 1, 1]\n";
const BODY: &str = "[[bodies]]\nposition = [5, 5, 5]\nshape = 'die'\n";

fn refused_shape(table: &str) -> String {
    refused(&format!("{SPACE}{BODY}[shapes.die]\n{table}"))
}

fn shape_of(table: &str) -> Shape {
    space(&format!("{SPACE}{BODY}[shapes.die]\n{table}")).shapes[0].clone()
}

fn flat_shape_of(table: &str) -> Shape {
    let body = "[[bodies]]\nposition = [5, 5]\nshape = 'die'\n";
    plane(&format!("{PLANE}{body}[shapes.die]\n{table}")).shapes[0].clone()
}

fn polyhedron(shape: &Shape) -> &ConvexPolyhedron {
    let ShapeRepresentation::Convex(polyhedron) = &shape.representation else {
        panic!("{shape:?}")
    };
    polyhedron
}

#[test]
fn every_kind_of_shape_is_made() {
    for (name, faces) in [
        ("tetrahedron", 4),
        ("cube", 6),
        ("octahedron", 8),
        ("dodecahedron", 12),
        ("icosahedron", 20),
    ] {
        let shape = shape_of(&format!("solid = '{name}'\nradius = 0.5"));
        assert_eq!(polyhedron(&shape).face_count(), faces, "{name}");
        assert!((shape.radius - 0.5).abs() < 1e-12, "{name}");
    }
    let brick = shape_of("box = [1, 2, 3]\nrounding = 0.1");
    assert!((brick.volume - 6.0).abs() < 1e-12);
    assert_eq!((brick.rounding, brick.name.as_str()), (Some(0.1), "die"));
    let round = shape_of("faces = 100\nradius = 2");
    assert_eq!(polyhedron(&round).face_count(), 100);
    let egg = shape_of("faces = 200\nsemi_axes = [1, 2, 3]");
    assert!((egg.volume / (8.0 * PI) - 1.0).abs() < 0.1, "{}", egg.volume);
    let wedge = shape_of("points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.1, 0.1, 0.1]]");
    assert!((wedge.volume - 1.0 / 6.0).abs() < 1e-12);
    let clump = shape_of("spheres = [[0, 0, 0, 1], [2, 0, 0, 1]]");
    let ShapeRepresentation::Spheres(spheres) = &clump.representation else { panic!() };
    assert_eq!((spheres[0].center.x, spheres[1].center.x, clump.radius), (-1.0, 1.0, 2.0));
}

#[test]
fn shapes_of_the_plane_have_areas() {
    let square = flat_shape_of("polygon = [[0, 0], [2, 0], [2, 2], [0, 2]]");
    assert!((square.volume - 4.0).abs() < 1e-12);
    assert!((square.inertia[(2, 2)] - 4.0 * 8.0 / 12.0).abs() < 1e-12);
    assert!((square.radius - 2f64.sqrt()).abs() < 1e-12);
    let heights = polyhedron(&square).vertices().iter().map(|vertex| vertex.z.abs());
    assert!(heights.into_iter().all(|height| (height - 2f64.sqrt()).abs() < 1e-12));
    // Tiny ones are valid too, and the orientation of the corners does not matter.
    let tiny = flat_shape_of("polygon = [[0, 0], [0, 1e-9], [1e-9, 0]]");
    assert!((tiny.volume / 0.5e-18 - 1.0).abs() < 1e-9, "{}", tiny.volume);
    let discs = flat_shape_of("spheres = [[0, 0, 1], [2, 0, 1]]");
    assert!((discs.volume - 2.0 * PI).abs() < 1e-12);
}

#[test]
fn bodies_have_shapes_orientations_and_angular_velocities() {
    let body = "orientation = [0, 0, 1, 0]\nangular_velocity = [1, 2, 3]\nmaterial = 'm'\n";
    let scene = space(&format!("{SPACE}{BODY}{body}{DIE}[materials.m]\ndensity = 3\n"));
    let die = &scene.bodies[0];
    assert_eq!((die.shape, die.orientation), (Some(0), [0.0, 0.0, 1.0, 0.0]));
    assert_eq!(die.angular_velocity, Vector::from([1.0, 2.0, 3.0]));
    assert!((die.mass - 3.0).abs() < 1e-14);
    assert!((die.radius - 0.75f64.sqrt()).abs() < 1e-12);
    assert!((scene.packing_fraction() - 1e-3).abs() < 1e-15);
    let flat = "[[bodies]]\nposition = [5, 5]\nshape = 's'\nangle = 90\nangular_velocity = 2\n\
                [shapes.s]\npolygon = [[0, 0], [2, 0], [2, 1], [0, 1]]\n";
    let scene = plane(&format!("{PLANE}{flat}"));
    let half = std::f64::consts::FRAC_1_SQRT_2;
    assert_eq!(scene.bodies[0].angular_velocity, Vector::from([0.0, 0.0, 2.0]));
    assert!((scene.bodies[0].orientation[3] - half).abs() < 1e-15);
    // A plain sphere may rotate too.
    let ball = "[[bodies]]\nposition = [5, 5, 5]\nradius = 1\nangular_velocity = [0, 0, 1]\n";
    assert_eq!(space(&format!("{SPACE}{ball}")).bodies[0].angular_velocity.z, 1.0);
}

#[test]
fn generated_shapes_are_turned_at_random() {
    let crowd = "[[generate]]\nkind = 'random'\ncount = 50\nshape = 'die'\n";
    let scene = space(&format!("{SPACE}{crowd}{DIE}"));
    let turns: Vec<_> = scene.bodies.iter().map(|body| body.orientation).collect();
    assert!((1..50).all(|k| turns[k] != turns[k - 1]));
    assert!(turns.iter().all(|q| (q.iter().map(|x| x * x).sum::<f64>() - 1.0).abs() < 1e-12));
    assert_eq!(space(&format!("{SPACE}{crowd}{DIE}")).bodies, scene.bodies);
    let straight = space(&format!("{SPACE}{crowd}turned = false\n{DIE}"));
    assert!(straight.bodies.iter().all(|body| body.orientation == [1.0, 0.0, 0.0, 0.0]));
    assert_eq!(straight.bodies[7].position, scene.bodies[7].position);
    // The box of a packing fraction is filled by true volumes.
    let text = SPACE.replace("size = 10\n", "");
    let scene = space(&format!("{text}{crowd}packing_fraction = 0.05\n{DIE}"));
    assert!((scene.packing_fraction() - 0.05).abs() < 1e-12);
}

#[test]
fn walls_are_kept_by_the_shape_and_not_by_the_sphere_around_it() {
    let at = |x: f64| format!("{SPACE}{DIE}[[bodies]]\nposition = [{x}, 5, 5]\nshape = 'die'\n");
    assert_eq!(space(&at(0.5)).bodies.len(), 1);
    let message = refused(&at(0.2));
    assert!(message.contains("body 0 has x 0.2; to be completely between the walls"), "{message}");
    assert!(message.contains("0.5 and 9.5"), "{message}");
    // The overlap of dice side by side is checked by the engine, not by the scene.
    let two = format!("{}[[bodies]]\nposition = [1.5, 5, 5]\nshape = 'die'\n", at(0.5));
    assert_eq!(space(&two).bodies.len(), 2);
}

#[test]
fn shapes_that_cannot_be_are_refused_in_a_sentence() {
    for (table, said) in [
        ("", "a shape must have one of solid, box, faces"),
        ("solid = 'cube'\nbox = [1, 1, 1]", "\"solid\" and \"box\"; keep one"),
        ("solid = 'cube'", "this shape has no \"radius\"; add that of the sphere"),
        ("solid = 'cubes'\nradius = 1", "did you mean cube?"),
        ("solid = 'cube'\nradius = 0", "shapes.die.radius is 0; it must be finite and greater"),
        ("solid = 'cube'\nradius = 1e31", "between 1e-30 and 1e30"),
        ("solid = 'cube'\nradius = 1\nscale = 2", "only file has a scale"),
        ("box = [1, 1]", "in 3 dimensions it must hold 3 numbers"),
        ("box = [1, 1, -1]", "every length must lie between"),
        ("box = [1, 1, 1]\nradius = 1", "only solid and faces have a radius"),
        (
            "box = [1, 1, 1]\nrounding = 0.6",
            "it must be less than the distance of the nearest face",
        ),
        ("box = [1, 1, 1]\nkind = 'mesh'", "only file has a kind"),
        ("faces = 7\nradius = 1", "it must be an even number from 4 to 100000"),
        ("faces = 8\nradius = 1\nsemi_axes = [1, 1, 1]", "leave one out"),
        ("points = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]", "at least four points, but there are 3"),
        ("points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]", "all points lie in one plane"),
        ("points = [[0, 0]]", "each point must have three numbers"),
        ("points = [[0, 0, nan]]", "every number must lie between"),
        ("spheres = []", "there must be 1 to 1000 of them"),
        ("spheres = [[0, 0, 1]]", "each must have four numbers"),
        ("spheres = [[0, 0, 1, 0]]", "every radius must lie between"),
        ("spheres = [[0, 0, 1, 1]]\nrounding = 1", "spheres have no edges"),
        ("polygon = [[0, 0], [1, 0], [0, 1]]", "polygons are for scenes in the plane"),
        ("file = 'no.stl'", "no.stl"),
        ("radius = 1\nsized = 3", "unknown key \"sized\""),
    ] {
        let message = refused_shape(table);
        assert!(message.contains(said), "{message}");
        assert!(message.starts_with("a.toml:") || table.contains("file"), "{message}");
    }
    let flat = |table: &str| {
        let body = "[[bodies]]\nposition = [5, 5]\nshape = 'die'\n";
        refused(&format!("{PLANE}{body}[shapes.die]\n{table}"))
    };
    for (table, said) in [
        ("box = [1, 1, 1]", "in the plane a shape must be a polygon or spheres"),
        ("polygon = [[0, 0], [1, 0]]", "at least three corners"),
        ("polygon = [[0, 0], [1, 0], [2, 0]]", "its corners lie on a line"),
        ("polygon = [[0, 0], [2, 0], [0.5, 0.5], [0, 2]]", "turns inwards at corner 2, [0.5, 0.5]"),
        (
            "polygon = [[0, 1], [0.588, -0.809], [-0.951, 0.309], [0.951, 0.309], [-0.588, -0.809]]",
            "go round once",
        ),
        ("spheres = [[0, 0, 1, 1]]", "in the plane each must have three numbers"),
    ] {
        let message = flat(table);
        assert!(message.contains(said), "{message}");
    }
}

#[test]
fn bodies_with_shapes_are_held_to_rules() {
    let body = |more: &str| refused(&format!("{SPACE}{DIE}{BODY}{more}"));
    assert!(body("radius = 1\n").contains("\"shape\" and \"radius\""));
    assert!(body("angle = 3\n").contains("in space give orientation"));
    assert!(body("orientation = [1, 0, 0]\n").contains("four numbers"));
    let long = body("orientation = [1, 0, 0, 0.1]\n");
    assert!(long.contains("it must be of length one, but is 1.00498"), "{long}");
    assert!(body("angular_velocity = 3\n").contains("in 3 dimensions it must hold 3 numbers"));
    let named = refused(&format!("{SPACE}{DIE}{}", BODY.replace("'die'", "'dice'")));
    assert!(named.contains("bodies.0.shape is 'dice'; did you mean die?"), "{named}");
    let none = refused(&format!("{SPACE}{BODY}"));
    assert!(none.contains("the scene has no shapes; add a table [shapes.NAME]"), "{none}");
    let ball = "[[bodies]]\nposition = [5, 5, 5]\nradius = 1\norientation = [1, 0, 0, 0]\n";
    assert!(refused(&format!("{SPACE}{ball}")).contains("give the body a shape"));
    let crowd = |keys: &str| {
        refused(&format!("{SPACE}{DIE}[[generate]]\nkind = 'random'\ncount = 2\n{keys}"))
    };
    assert!(crowd("").contains("this table has no \"radius\"; add it, or the name of a shape"));
    assert!(crowd("radius = 1\nshape = 'die'").contains("\"radius\" and \"shape\""));
    assert!(crowd("radius = 1\nturned = false").contains("only bodies with a shape are turned"));
}

#[test]
fn hard_bodies_have_no_shapes_or_angular_velocities() {
    let text = |more: &str| format!("{}{more}", SPACE.replace("dem", "event-driven"));
    let ball = "[[bodies]]\nposition = [5, 5, 5]\nradius = 1\n";
    for (more, said) in [
        (format!("{ball}{DIE}"), "only engine = \"dem\" has bodies with shapes"),
        (BODY.to_owned(), "only engine = \"dem\" has bodies with shapes"),
        (format!("{ball}angular_velocity = [0, 0, 1]\n"), "do not turn: take engine = \"dem\""),
    ] {
        let message = refused(&text(&more));
        assert!(message.contains(said), "{message}");
    }
}

/// A cube with a corner moved in, as OFF.
fn notched(corner: f64) -> String {
    let mut text = "OFF\n8 6 0\n".to_owned();
    for bits in 0..8 {
        let place = [0, 1, 2].map(|axis| f64::from(bits >> axis & 1));
        let place = if bits == 7 { [corner; 3] } else { place };
        text += &format!("{} {} {}\n", place[0], place[1], place[2]);
    }
    for face in ["0 2 3 1", "4 5 7 6", "0 1 5 4", "2 6 7 3", "0 4 6 2", "1 3 7 5"] {
        text += &format!("4 {face}\n");
    }
    text
}

/// Triangles, since a notched face is not flat.
fn cut(text: &str) -> String {
    let mut lines: Vec<String> = vec!["OFF".to_owned(), "8 12 0".to_owned()];
    for line in text.lines().skip(2) {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            // From the corner that is moved, if the face has it.
            ["4", a, b, c, d] if b == "7" || d == "7" => {
                lines.push(format!("3 {b} {c} {d}"));
                lines.push(format!("3 {b} {d} {a}"));
            }
            ["4", a, b, c, d] => {
                lines.push(format!("3 {a} {b} {c}"));
                lines.push(format!("3 {a} {c} {d}"));
            }
            _ => lines.push(line.to_owned()),
        }
    }
    lines.join("\n") + "\n"
}

#[test]
fn meshes_are_convex_bodies_or_closed_ones() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("cube.off", &notched(1.0));
    write("notched.off", &cut(&notched(0.4)));
    let open: String = notched(1.0).replace("8 6 0", "8 5 0").replace("4 1 3 7 5\n", "");
    write("open.off", &open);
    let read = |keys: &str| {
        let text = format!("{SPACE}{BODY}[shapes.die]\n{keys}");
        AnyScene::parse(&text, "a.toml", folder.path(), &[])
    };
    let shape = |keys: &str| match read(keys) {
        Ok(AnyScene::ThreeD(scene)) => scene.shapes[0].clone(),
        other => panic!("{other:?}"),
    };
    let cube = shape("file = 'cube.off'\nscale = 2");
    assert_eq!(polyhedron(&cube).face_count(), 6);
    assert!((cube.volume - 8.0).abs() < 1e-9);
    assert!(matches!(
        shape("file = 'cube.off'\nkind = 'mesh'").representation,
        ShapeRepresentation::Mesh(_)
    ));
    let notched = shape("file = 'notched.off'");
    let ShapeRepresentation::Mesh(mesh) = &notched.representation else { panic!("{notched:?}") };
    assert_eq!(mesh.triangles().len(), 12);
    assert!(notched.volume > 0.3 && notched.volume < 0.9, "{}", notched.volume);
    let message = read("file = 'notched.off'\nkind = 'convex'").unwrap_err().to_string();
    assert!(message.starts_with("a.toml:11: shapes.die.file is 'notched.off'; "), "{message}");
    assert!(message.contains("the mesh is not convex: "), "{message}");
    assert!(message.contains("under the hull of all vertices"), "{message}");
    assert!(message.ends_with("take kind = \"mesh\" for such a body"), "{message}");
    let message = read("file = 'open.off'").unwrap_err().to_string();
    assert!(message.contains("it bounds no body: the mesh is not closed: 4 edges"), "{message}");
    let message = read("file = 'notched.off'\nrounding = 0.01").unwrap_err().to_string();
    assert!(message.contains("only convex bodies are rounded"), "{message}");

    // Absolute, and identified by its content.
    let scene = read("file = 'notched.off'").unwrap();
    let elsewhere = AnyScene::parse(scene.to_toml(), "a.toml", Path::new("/nowhere"), &[]).unwrap();
    assert_eq!(elsewhere, scene);
    let print = |scene: &AnyScene| match scene {
        AnyScene::ThreeD(scene) => scene.fingerprint(),
        AnyScene::TwoD(scene) => scene.fingerprint(),
    };
    write("same.off", &cut(&self::notched(0.4)));
    write("other.off", &cut(&self::notched(0.3)));
    assert_eq!(print(&read("file = 'same.off'").unwrap()), print(&scene));
    assert_ne!(print(&read("file = 'other.off'").unwrap()), print(&scene));
}

#[test]
fn bodies_of_an_xyz_file_may_have_shapes_and_turn() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.toml");
    let read = |head: &str, properties: &str, row: &str, more: &str| {
        let text = format!("1\nProperties=pos:R:3:radius:R:1:{properties}\n5 5 5 {row}\n");
        fs::write(folder.path().join("p.xyz"), text).unwrap();
        let table = format!("{head}{DIE}[[bodies]]\nfile = 'p.xyz'\n{more}");
        fs::write(&path, table).unwrap();
        let scene = AnyScene::read(&path, &[]).map_err(|error| error.to_string())?;
        let AnyScene::ThreeD(scene) = scene else { panic!() };
        Ok::<_, String>(scene)
    };
    let all = "shape:I:1:orientation:R:4:mass:R:1:angular_velocity_x:R:1:angular_velocity_y:R:1:angular_velocity_z:R:1";
    let radius = 0.75f64.sqrt();
    let row = format!("{radius:?} 0 0.6 0 0 0.8 7 1 2 3");
    let scene = read(SPACE, all, &row, "").unwrap();
    let body = scene.bodies[0];
    assert_eq!((body.shape, body.orientation), (Some(0), [0.8, 0.6, 0.0, 0.0]));
    assert_eq!((body.mass, body.angular_velocity), (7.0, Vector::from([1.0, 2.0, 3.0])));
    let ball =
        read(SPACE, "shape:I:1", "0.5 -1", "angular_velocity = [0, 0, 9]").unwrap().bodies[0];
    assert_eq!((ball.shape, ball.angular_velocity.z), (None, 9.0));
    for (row, said) in [
        (
            format!("{radius:?} 1 0 0 0 1 7 1 2 3"),
            "line 3: it has shape 1, but the scene has 1 shapes",
        ),
        (
            "0.5 0 0 0 0 1 7 1 2 3".to_owned(),
            "line 3: its radius is 0.5, but that of shape 0, die, is",
        ),
        (format!("{radius:?} 0 0 0 0 2 7 1 2 3"), "length one, but is 2.0 long"),
        (format!("{radius:?} 0.5 0 0 0 1 7 1 2 3"), "column \"shape\" is \"0.5\""),
        (format!("{radius:?} 0 0 nan 0 1 7 1 2 3"), "it must be finite"),
    ] {
        let message = read(SPACE, all, &row, "").unwrap_err();
        assert!(message.contains(said), "{message}");
    }
    let message = read(SPACE, all, &row, "angular_velocity = [0, 0, 1]").unwrap_err();
    assert!(message.contains("the file gives angular velocities too"), "{message}");
    let message = read(SPACE, "orientation:R:3", "0.5 0 0 0", "").unwrap_err();
    assert!(message.contains("an orientation must have four columns"), "{message}");
    let hard =
        "engine = 'event-driven'\ndimension = 3\nuntil = 1\n[box]\nsize = 10\nboundary = 'wall'\n";
    let table = format!("{hard}[[bodies]]\nfile = 'p.xyz'\n");
    let text = "1\nProperties=pos:R:3:radius:R:1:angular_velocity_x:R:1\n5 5 5 0.5 1\n";
    fs::write(folder.path().join("p.xyz"), text).unwrap();
    fs::write(&path, table).unwrap();
    let message = AnyScene::read(&path, &[]).unwrap_err().to_string();
    assert!(message.contains("hard balls that do not turn"), "{message}");
}

#[test]
fn shapes_may_be_poured() {
    let text = format!("{SPACE}{DIE}[[pour]]\ncount = 3\nshape = 'die'\nrate = 1\n");
    let pour = &space(&text).pours[0];
    assert_eq!((pour.shape, pour.masses[0]), (Some(0), 1.0));
    assert!(pour.radii.iter().all(|radius| (radius - 0.75f64.sqrt()).abs() < 1e-12));
    assert!(pour.orientations.len() == 3 && pour.orientations[0] != pour.orientations[1]);
    assert_eq!(space(&text).pours[0], *pour);
    let upright = space(&format!("{text}turned = false\n"));
    assert_eq!(upright.pours[0].orientations, [[1.0, 0.0, 0.0, 0.0]; 3]);
    for (old, new, said) in [
        ("'die'\nrate", "'dye'\nrate", "did you mean die?"),
        ("shape = 'die'\n", "", "this table has no \"radius\""),
        ("shape = 'die'\n", "shape = 'die'\nradius = 1\n", "\"radius\" and \"shape\""),
        ("shape = 'die'\n", "radius = 1\nturned = true\n", "only bodies with a shape are turned"),
    ] {
        let message = refused(&text.replace(old, new));
        assert!(message.contains(said), "{message}");
    }
}

#[test]
fn no_remedy_is_named_that_the_engine_does_not_have() {
    let text = format!("{SPACE}{DIE}[[generate]]\nkind = 'random'\ncount = 900\nshape = 'die'\n");
    let message = refused(&text);
    assert!(message.ends_with("or let the bodies come in by [[pour]] and settle"), "{message}");
}

#[test]
fn shapes_may_not_have_too_many_faces_together() {
    let shapes: String = (0..40)
        .map(|number| format!("[shapes.s{number:02}]\nfaces = 100000\nradius = 1\n"))
        .collect();
    let message = refused(&format!("{SPACE}{shapes}{}", BODY.replace("'die'", "'s00'")));
    let rule = "the shapes of the scene have more than 400000 faces together; take fewer faces or fewer shapes";
    assert_eq!(message, format!("a.toml: {rule}"));
}
