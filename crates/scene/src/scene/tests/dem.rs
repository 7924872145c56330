//! Scenes of the engine dem.

use super::*;

/// The message about a DEM scene with more added.
fn refused_in_dem(more: &str) -> String {
    refused(&format!("{}{DISC}{more}", HEAD.replace("event-driven", "dem")))
}

#[test]
fn materials_pairs_and_walls_are_read() {
    let scene = space(
        "engine = 'dem'\ndimension = 3\nuntil = 1\nstep = 1e-4\nbox = { size = 10, boundary = 'open' }\n\
         [materials.default]\nstiffness = 1e4\nfriction = 0.5\n\
         [materials.steel]\nyoungs_modulus = 2e11\nadhesion = 1\n\
         [[contacts]]\nbetween = ['steel', 'default']\nstiffness = 5e4\nrestitution = 0.3\n\
         [[walls]]\nkind = 'plane'\npoint = [0, 0, 1]\nnormal = [0, 3, 4]\namplitude = [1, 0, 0]\n\
         frequency = 2\n\
         [[walls]]\nkind = 'cylinder'\npoint = [5, 5, 5]\naxis = [0, 0, 2]\nradius = 5\n\
         angular_velocity = [0, 0, 1]\nmaterial = 'steel'\n\
         [[bodies]]\nposition = [5, 5, 5]\nradius = 1",
    );
    assert_eq!(scene.step, Some(1e-4));
    let [default, steel] = [&scene.materials[0], &scene.materials[1]];
    let expected = Material { stiffness: Some(1e4), friction: 0.5, ..Material::default() };
    assert_eq!((default, default.tangential_stiffness), (&expected, 2.0 / 7.0));
    let expected = Material {
        name: "steel".to_owned(),
        youngs_modulus: Some(2e11),
        adhesion: 1.0,
        ..Material::default()
    };
    assert_eq!(*steel, expected);
    let pair = MaterialPairContact {
        materials: [0, 1],
        restitution: Some(0.3),
        stiffness: Some(5e4),
        ..MaterialPairContact::default()
    };
    assert_eq!(scene.contacts, [pair]);
    let WallSurface::Plane { normal, .. } = scene.walls[0].surface else { panic!() };
    assert!((normal - Vector::from([0.0, 0.6, 0.8])).norm() < 1e-15);
    assert_eq!(scene.walls[1].motion.center, Vector::from([5.0; 3]));
    assert_eq!((scene.walls[0].material, scene.walls[1].material), (None, Some(1)));
}

#[test]
fn pours_and_turning_gravity_are_read() {
    let text = "engine = 'dem'\ndimension = 2\nuntil = 1\nbox.size = 10\n\
                [gravity]\nacceleration = [0, -2]\nangular_velocity = 0.5\n\
                [[pour]]\ncount = 5\nradius = { min = 0.1, max = 0.2 }\nrate = 3\nfrom = 1\n\
                region = { low = [1, 8], high = [9, 10] }\nvelocity = [0, -1]\nmass = 2";
    let scene = plane(text);
    assert_eq!(scene.gravity_angular_velocity, Vector::from([0.0, 0.0, 0.5]));
    assert_eq!(scene.maximum_gravity(), Vector::from([2.0, 2.0]));
    let pour = &scene.pours[0];
    assert_eq!((pour.radii.len(), pour.masses.len(), pour.masses[0]), (5, 5, 2.0));
    assert_eq!((pour.rate, pour.from, pour.velocity.y), (3.0, 1.0, -1.0));
    assert!(pour.radii.iter().all(|radius| (0.1..=0.2).contains(radius)));
    let narrow = text.replace("[1, 8]", "[1, 9.7]");
    assert!(refused(&narrow).contains("find no room in a region"), "{}", refused(&narrow));
    assert!(refused(&text.replace("rate = 3", "rate = 0")).contains("pour.0.rate is 0"));
    assert!(
        refused(&text.replace("angular_velocity = 0.5", "angular_velocity = [0, 1]"))
            .contains("one number")
    );
    let events = text.replace("'dem'", "'event-driven'");
    assert!(refused(&events).contains("inserts bodies during a run"), "{}", refused(&events));
    let still = events.split("[[pour]]").next().unwrap().to_owned() + DISC;
    assert!(refused(&still).contains("has rotating gravity"), "{}", refused(&still));
}

#[test]
fn bodies_may_overlap_a_little() {
    let two = |x: f64| format!("[[bodies]]\nposition = [{x}, 5]\nradius = 0.5\n");
    let text = format!("{}{DISC}{}", HEAD.replace("event-driven", "dem"), two(5.95));
    assert_eq!(plane(&text).bodies.len(), 2);
    assert!(refused_in_dem(&two(5.8)).contains("more than a fifth of the smaller radius"));
}

#[test]
fn what_cannot_be_is_refused_in_a_sentence() {
    for (more, said) in [
        (
            "[materials.default]\nfriction = -1",
            "friction is -1; it must be finite and not negative",
        ),
        ("[materials.default]\nstiffness = 0", "stiffness is 0; it must be finite and greater"),
        ("[materials.default]\nyoungs_modulus = 1\npoissons_ratio = 0.6", "at most 0.5"),
        ("[materials.default]\npoissons_ratio = 0.2", "has no \"youngs_modulus\"; add it"),
        (
            "[materials.default]\nyoungs_modulus = 1\nstiffness = 1",
            "\"stiffness\" and \"youngs_modulus\"",
        ),
        (
            "[materials.default]\nrestitution = 1\ndamping = 1",
            "\"restitution\" and \"damping\"; both",
        ),
        (
            "[materials.default]\ntangential_stiffness = 1",
            "a part of stiffness, which is not given",
        ),
        (
            "[materials.default]\nrestitution = { at_speed = 0.5 }",
            "only engine = \"event-driven\" knows",
        ),
        ("[[contacts]]\nbetween = ['default']", "it must name two materials"),
        ("[[contacts]]\nbetween = ['default', 'glas']", "it must be one of default"),
        (
            "[[contacts]]\nbetween = ['default', 'default']\n[[contacts]]\nbetween = ['default', 'default']",
            "have a table already",
        ),
        ("[[walls]]\nkind = 'plane'\npoint = [0, 0]", "this wall has no \"normal\"; add it"),
        ("[[walls]]\nkind = 'plane'\npoint = [0, 0]\nnormal = [0, 0]", "it must point somewhere"),
        ("[[walls]]\nkind = 'plane'\nradius = 1", "only kind = \"cylinder\" has a radius"),
        (
            "[[walls]]\nkind = 'cylinder'\npoint = [5, 5]\nradius = -5",
            "walls.0.radius is -5; it must be",
        ),
        (
            "[[walls]]\nkind = 'cylinder'\npoint = [5, 5]\nradius = 5\nangular_velocity = [1, 2]",
            "it must be one number",
        ),
        ("[[walls]]\nkind = 'mesh'", "this wall has no \"file\"; add it"),
        ("[[walls]]\nkind = 'mesh'\nfile = 'a.stl'", "meshes are for scenes in space"),
        (
            "[[walls]]\nkind = 'plane'\npoint = [0, 0]\nnormal = [0, 1]\nfrequency = 1",
            "without an amplitude",
        ),
        (
            "[[walls]]\nkind = 'plane'\npoint = [0, 0]\nnormal = [0, 1]\namplitude = [0, 1]",
            "it needs a frequency",
        ),
        ("[growth]\nrate = 1", "only engine = \"event-driven\" has it"),
        (
            "[neighbors]\nmethod = 'neighbor-lists'",
            "neighbors are found by the search for contacts",
        ),
        ("[[walls]]\nkind = 'line'\npoints = [[1, 1]]", "it needs two points or more"),
        ("[[walls]]\nkind = 'line'\npoint = [1, 1]", "a line has points"),
        ("[observe]\nbodies = [0, 0]", "body 0 is named twice"),
        ("[observe]\nbodies = [1]", "there is no body 1 among the 1 of the start"),
        ("[[observe.regions]]\nname = 'a b'", "it must be at most 40 letters, digits and _"),
        ("[[observe.regions]]\nname = 'a'\nlow = [1, 1]\nhigh = [2, 1]", "above low on every axis"),
        ("[output]\nlog_collisions = 5", "give log_interval instead"),
    ] {
        let message = refused_in_dem(more);
        assert!(message.contains(said), "{message}");
        assert!(message.starts_with("a.toml:"), "{message}");
    }
}

#[test]
fn event_driven_refuses_lasting_contacts() {
    for (more, said) in [
        ("[materials.default]\nfriction = 0.1", "take engine = \"dem\""),
        (
            "[[walls]]\nkind = 'plane'\npoint = [0, 0]\nnormal = [0, 1]",
            "only engine = \"dem\" has walls",
        ),
        (
            "[[contacts]]\nbetween = ['default', 'default']",
            "only engine = \"dem\" has lasting contacts",
        ),
        ("[neighbors]\nskin = 0.1", "only engine = \"dem\" has it; give shell"),
    ] {
        let message = refused_table(more);
        assert!(message.contains(said), "{message}");
    }
    // Hard bodies are the limit of stiff ones.
    let stiff = format!("{HEAD}{DISC}[materials.default]\nstiffness = 1e6\n");
    assert_eq!(plane(&stiff).bodies.len(), 1);
    let step = refused(&format!("step = 1\n{HEAD}{DISC}"));
    assert!(step.contains("only engine = \"dem\" or \"bonded\" has one"), "{step}");
}

#[test]
fn a_wall_across_a_periodic_axis_is_refused_with_its_line() {
    let refused = |boundary: &str, wall: &str| {
        let text = format!(
            "engine = 'dem'\ndimension = 3\nuntil = 1\n[box]\nsize = 10\nboundary = {boundary}\n\
             [[bodies]]\nposition = [5, 5, 5]\nradius = 1\n[[walls]]\n{wall}"
        );
        AnyScene::parse(&text, "wall.toml", "".as_ref(), &[]).err().map(|error| error.to_string())
    };
    let plane = |normal: &str| format!("kind = 'plane'\npoint = [0, 0, 0]\nnormal = {normal}");
    let flat = "['periodic', 'periodic', 'open']";
    assert_eq!(refused(flat, &plane("[0, 0, 1]")), None);
    let sentence = refused(flat, &plane("[0, 1, 0]")).unwrap();
    assert!(sentence.starts_with("wall.toml:13: walls.0.normal is [0, 1, 0]"), "{sentence}");
    assert!(refused(flat, &plane("[1, 0, 1]")).is_some());
    let drum = |radius: f64| {
        format!("kind = 'cylinder'\npoint = [5, 5, 5]\naxis = [0, 0, 1]\nradius = {radius}")
    };
    assert_eq!(refused("['open', 'open', 'periodic']", &drum(9.0)), None);
    assert_eq!(refused(flat, &drum(4.0)), None);
    assert!(refused(flat, &drum(6.0)).is_some());
}
