//! Scenes with bonded solids.

use super::*;
use carom_geometry::Aabb;
use std::fs;

/// Before the tables that a test adds; line 6 is the first of those.
const PLANE: &str = "engine = 'bonded'\ndimension = 2\nuntil = 1\n[box]\nsize = 10\n";
const SPACE: &str = "engine = 'bonded'\ndimension = 3\nuntil = 1\n[box]\nsize = 10\n";
const STIFF: &str = "[materials.default]\nyoungs_modulus = 2\n";
const CIRCLE: &str = "[[solids]]\ncircle = { center = [5, 5], radius = 2 }\nspacing = 0.5\n";
const SPHERE: &str = "[[solids]]\nsphere = { center = [5, 5, 5], radius = 2 }\nspacing = 0.5\n";

/// The message about a solid with these keys besides its spacing, which is in line 9.
fn refused_solid(keys: &str) -> String {
    refused(&format!("{PLANE}{STIFF}[[solids]]\nspacing = 0.5\n{keys}"))
}

fn refused_in_space(keys: &str) -> String {
    refused(&format!("{SPACE}{STIFF}[[solids]]\nspacing = 0.5\n{keys}"))
}

/// The message about springs with these keys.
fn refused_springs(keys: &str) -> String {
    refused(&format!("{PLANE}{CIRCLE}{STIFF}[materials.default.springs]\n{keys}"))
}

fn check(cases: &[(&str, &str)], refused: fn(&str) -> String) {
    for (keys, said) in cases {
        let message = refused(keys);
        assert!(message.contains(said), "{keys}\n{message}");
        assert!(message.starts_with("a.toml:"), "{message}");
    }
}

#[test]
fn what_a_solid_leaves_out_has_its_documented_value() {
    let scene = plane(&format!("{PLANE}{STIFF}{CIRCLE}"));
    assert_eq!((scene.engine, scene.bodies.len()), (Engine::Bonded, 0));
    assert_eq!(
        (scene.region.boundary_conditions, scene.output.color),
        ([BoundaryCondition::Open; 2], ColorQuantity::Strain)
    );
    let material = &scene.materials[0];
    assert_eq!((material.youngs_modulus, material.poissons_ratio), (Some(2.0), None));
    assert_eq!((material.springs, material.density), (Springs::default(), None));
    let center = Vector::from([5.0, 5.0]);
    let expected = Solid {
        material: 0,
        shape: SolidShape::Ball { center, radius: 2.0 },
        holes: Vec::new(),
        lattice: SpringLattice::Square8,
        spacing: 0.5,
        lattice_rotation: Vector::zeros(),
        velocity: Vector::zeros(),
        angular_velocity: Vector::zeros(),
        cracks: Vec::new(),
        fixed: false,
        velocity_constraints: Vec::new(),
    };
    assert_eq!(scene.solids, [expected]);
    assert_eq!(scene.solids[0].lattice_site_count(), 64.0);
    assert_eq!(space(&format!("{SPACE}{STIFF}{SPHERE}")).solids[0].lattice, SpringLattice::Cubic18);
    assert_eq!(plane(&format!("{HEAD}{DISC}")).output.color, ColorQuantity::Speed);
}

#[test]
fn every_key_of_a_solid_in_the_plane_is_read() {
    let scene = plane(&format!(
        "{PLANE}boundary = ['wall', 'open']\n\
         [materials.glass]\ndensity = 3\npoissons_ratio = 0.2\nfriction = 0.1\n\
         springs = {{ stiffness = 4, compression_ratio = 2, damping = 0.1, yield_stretch = 0.01, \
         break_stretch = 0.02 }}\n\
         [[solids]]\nmaterial = 'glass'\npolygon = [[1, 1], [9, 1], [9, 9], [5, 5], [1, 9]]\n\
         holes = [{{ circle = {{ center = [5, 3], radius = 1 }} }}, \
         {{ block = {{ low = [2, 2], high = [3, 3] }} }}]\n\
         lattice = 'triangular'\nspacing = 0.1\nturn = 750\nvelocity = [1, 2]\nangular_velocity = 3\n\
         cracks = [{{ from = [1, 2], to = [4, 2] }}]\n\
         hold = [{{ block = {{ low = [0, 0], high = [2, 9] }}, velocity = [0, 1] }}, \
         {{ block = {{ low = [8, 0], high = [11, 9] }} }}]\n[output]\ncolor = 'damage'\n"
    ));
    assert_eq!(
        scene.region.boundary_conditions,
        [BoundaryCondition::Wall { restitution: None }, BoundaryCondition::Open]
    );
    let glass = &scene.materials[1];
    let breaking = Some(SpringFailureCriterion::Stretch(0.02));
    let springs = Springs {
        stiffness: Some(4.0),
        compression_ratio: 2.0,
        damping: 0.1,
        yield_stretch: Some(0.01),
        failure_criterion: breaking,
        rigid_brittle: false,
    };
    assert_eq!((glass.springs, glass.poissons_ratio), (springs, Some(0.2)));
    assert_eq!((glass.density, glass.friction), (Some(3.0), 0.1));
    let solid = &scene.solids[0];
    assert_eq!((solid.material, solid.lattice), (1, SpringLattice::Triangular));
    assert!((solid.lattice_rotation - Vector::from([0.0, 0.0, 30f64.to_radians()])).norm() < 1e-15);
    assert_eq!((solid.velocity.y, solid.angular_velocity), (2.0, Vector::from([0.0, 0.0, 3.0])));
    assert_eq!(solid.cracks, [[Vector::from([1.0, 2.0]), Vector::from([4.0, 2.0])]]);
    let block = Aabb { low: Vector::zeros(), high: Vector::from([2.0, 9.0]) };
    assert_eq!(
        solid.velocity_constraints[0],
        VelocityConstraint { block, velocity: Vector::from([0.0, 1.0]) }
    );
    assert_eq!(solid.velocity_constraints[1].velocity, Vector::<2>::zeros());
    assert_eq!(scene.output.color, ColorQuantity::Damage);
    let is_inside = solid.inside_test();
    for (place, inside) in [
        ([1.5, 1.5], true),
        ([5.0, 8.0], false),
        ([5.0, 3.5], false),
        ([2.5, 2.5], false),
        ([8.5, 8.0], true),
        ([0.5, 5.0], false),
    ] {
        assert_eq!(is_inside(&Vector::from(place)), inside, "{place:?}");
    }
}

#[test]
fn every_key_of_a_solid_in_space_is_read() {
    let scene = space(&format!(
        "{SPACE}{STIFF}springs = {{ rigid_brittle = true, break_force = 5 }}\n\
         [[solids]]\nblock = {{ low = [1, 1, 1], high = [3, 4, 5] }}\nlattice = 'cubic-26'\n\
         spacing = 0.5\nturn = [0, 90, 0]\nangular_velocity = [1, 2, 3]\nfixed = true\n\
         cracks = [{{ corner = [1, 1, 2], first = [2, 1, 2], second = [1, 2, 2] }}]\n\
         holes = [{{ sphere = {{ center = [2, 2, 3], radius = 0.5 }} }}]\n\
         [gravity]\nacceleration = [0, 0, -1]\n"
    ));
    let springs = scene.materials[0].springs;
    assert_eq!(
        (springs.rigid_brittle, springs.failure_criterion),
        (true, Some(SpringFailureCriterion::Force(5.0)))
    );
    let solid = &scene.solids[0];
    assert!((solid.lattice_rotation.y - 90f64.to_radians()).abs() < 1e-15);
    assert!(solid.fixed && solid.cracks[0][2] == Vector::from([1.0, 2.0, 2.0]));
    assert_eq!(solid.lattice_site_count(), 4.0 * 6.0 * 8.0);
    let is_inside = solid.inside_test();
    assert!(
        is_inside(&Vector::from([1.0, 4.0, 5.0])) && !is_inside(&Vector::from([2.0, 2.0, 3.4]))
    );
    let energy = format!("{SPACE}{STIFF}springs = {{ break_energy = 7 }}\n{SPHERE}");
    let springs = space(&energy).materials[0].springs;
    assert_eq!(
        springs,
        Springs {
            failure_criterion: Some(SpringFailureCriterion::Energy(7.0)),
            ..Springs::default()
        }
    );
}

const TETRAHEDRON: &str =
    "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n";

#[test]
fn meshes_are_filled_if_they_are_closed() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.off"), TETRAHEDRON).unwrap();
    let open = TETRAHEDRON.replace("4 4 0", "4 3 0").replace("3 2 0 3\n", "");
    fs::write(folder.path().join("open.off"), open).unwrap();
    let read = |mesh: &str| {
        let text = format!(
            "{SPACE}{STIFF}[[solids]]\nspacing = 0.5\n\
             mesh = {{ file = '{mesh}', scale = 4, position = [1, 2, 3] }}\n\
             holes = [{{ mesh = {{ file = 'a.off', position = [1.1, 2.1, 3.1] }} }}]\n"
        );
        AnyScene::parse(&text, "a.toml", folder.path(), &[])
    };
    let Ok(AnyScene::ThreeD(scene)) = read("a.off") else { panic!() };
    let bounds = scene.solids[0].shape.bounds();
    assert_eq!((bounds.low.y, bounds.high.z), (2.0, 7.0));
    let is_inside = scene.solids[0].inside_test();
    for (place, inside) in [
        ([1.05, 2.05, 3.05], true),
        ([1.3, 2.3, 3.3], false),
        ([2.0, 3.0, 4.0], true),
        ([3.0, 4.0, 5.0], false),
    ] {
        assert_eq!(is_inside(&Vector::from(place)), inside, "{place:?}");
    }
    let message = read("open.off").unwrap_err().to_string();
    assert!(message.starts_with("a.toml:10: solids.0.mesh.file is 'open.off'; it bounds no body"));
    // Absolute, and the same run wherever the file is, but not with another surface.
    let again = AnyScene::parse(&scene.as_run, "again", Path::new("/"), &[]).unwrap();
    assert_eq!(again, AnyScene::ThreeD(scene.clone()));
    let fingerprint = |name: &str| match read(name) {
        Ok(AnyScene::ThreeD(scene)) => scene.fingerprint(),
        other => panic!("{other:?}"),
    };
    fs::write(folder.path().join("b.off"), TETRAHEDRON).unwrap();
    fs::write(folder.path().join("c.off"), TETRAHEDRON.replace("0 0 1\n", "0 0 1.5\n")).unwrap();
    assert_eq!(scene.fingerprint(), fingerprint("b.off"));
    assert_ne!(scene.fingerprint(), fingerprint("c.off"));
}

#[test]
fn colors_do_not_make_another_run_but_solids_do() {
    let text = format!("{PLANE}{STIFF}{CIRCLE}");
    let fingerprint = |text: &str| plane(text).fingerprint();
    assert_eq!(fingerprint(&text), fingerprint(&format!("{text}[output]\ncolor = 'speed'\n")));
    assert_ne!(fingerprint(&text), fingerprint(&text.replace("spacing = 0.5", "spacing = 0.4")));
}

#[test]
fn shapes_that_cannot_be_filled_are_refused() {
    check(
        &[
            ("", "a.toml:8: solids.0 is [[solids]]; it must have one of circle, polygon and block"),
            (
                "circle = { center = [5, 5], radius = 1 }\nblock = { low = [1, 1], high = [2, 2] }",
                "a.toml:11: this solid has \"circle\" and \"block\"; keep one of them",
            ),
            (
                "circle = { center = [5, 5], radius = 0 }",
                "a.toml:10: solids.0.circle.radius is 0; a radius must be finite and greater than zero",
            ),
            ("circle = { center = [5, 5, 5], radius = 1 }", "it must hold 2 numbers, one per axis"),
            (
                "circle = { center = [5, 8.5], radius = 2 }",
                "solids.0.circle is { center = [5, 8.5], radius = 2 }; it reaches from 6.5 to 10.5 \
                 along y, but the box from 0.0 to 10.0",
            ),
            ("sphere = { center = [5, 5, 5], radius = 1 }", "in the plane take circle"),
            ("mesh = { file = 'a.off' }", "in the plane take polygon"),
            ("block = { low = [1, 1], high = [2, 1] }", "low must be below high on every axis"),
            ("polygon = [[1, 1], [2, 2]]", "a polygon must have at least three corners"),
            (
                "polygon = [[1, 1], [2, 2], [3, 3]]",
                "its corners lie on a line, so that it has no area",
            ),
            ("polygon = [[1, 1], [2, 2, 2], [3, 1]]", "each corner must have two numbers, x and y"),
            (
                "polygon = [[1, 1], [9, 9], [9, 1], [1, 9]]",
                "its edges after corners 0 and 2, from 0, meet; a polygon must not cross or touch itself",
            ),
            (
                "polygon = [[1, 1], [9, 1], [5, 1], [5, 9]]",
                "it turns back on itself at corner 1, [9.0, 1.0], from 0",
            ),
            ("polygon = [[1, 1], [1, 1], [9, 1], [5, 9]]", "it turns back on itself at corner 0"),
        ],
        refused_solid,
    );
    check(
        &[
            ("", "it must have one of sphere, block and mesh"),
            ("circle = { center = [5, 5, 5], radius = 1 }", "in space take sphere"),
            ("polygon = [[1, 1], [2, 2], [3, 1]]", "in space take mesh or block"),
        ],
        refused_in_space,
    );
    let missing = refused_in_space("mesh = { file = 'none.off' }");
    assert!(missing.starts_with("none.off cannot be read"), "{missing}");
}

#[test]
fn lattices_holes_cracks_and_holds_that_cannot_be_are_refused() {
    let circle =
        |keys: &str| refused_solid(&format!("circle = {{ center = [5, 5], radius = 2 }}\n{keys}"));
    for (keys, said) in [
        (
            "lattice = 'square8'",
            "a.toml:11: solids.0.lattice is 'square8'; did you mean square-8? it must be one of square-4, \
             square-8, triangular, cubic-6, cubic-18, cubic-26",
        ),
        ("lattice = 'cubic-6'", "in the plane it must be square-4, square-8 or triangular"),
        ("turn = [1, 2, 3]", "solids.0.turn is [1, 2, 3]; in 2 dimensions it must be one number"),
        ("turn = inf", "every number must be finite"),
        ("velocity = 1", "it must be a list"),
        (
            "holes = [{ circle = { center = [8, 8], radius = 0.5 } }]",
            "a.toml:11: solids.0.holes.0.circle is { center = [8, 8], radius = 0.5 }; the hole lies \
             outside of the solid",
        ),
        (
            "holes = [{ block = { low = [2, 2], high = [8, 8] } }]",
            "the hole leaves nothing of the solid",
        ),
        ("holes = [{}]", "it must have one of circle, polygon and block"),
        (
            "cracks = [{ from = [5, 5], to = [5, 5] }]",
            "solids.0.cracks.0 is { from = [5, 5], to = [5, 5] }; it has no length",
        ),
        ("cracks = [{ from = [5, 5] }]", "this crack has no \"to\"; add it"),
        ("cracks = [{ corner = [5, 5] }]", "in the plane a crack has from and to"),
        ("cracks = [{ from = [1, 1], to = [2, 2] }]", "it lies outside of the solid"),
        (
            "hold = [{ block = { low = [0, 0], high = [3, 9] } }]",
            "solids.0.hold.0.block is { low = [0, 0], high = [3, 9] }; nothing of the solid is there to be \
             held",
        ),
        (
            "fixed = true\nhold = [{ block = { low = [0, 0], high = [5, 9] } }]",
            "a.toml:12: this solid has \"fixed\" and \"hold\"; keep one of them",
        ),
        ("material = 'glass'", "it must be one of default"),
    ] {
        let message = circle(keys);
        assert!(message.contains(said), "{keys}\n{message}");
    }
    let text = format!("{PLANE}{STIFF}{CIRCLE}");
    assert_eq!(
        refused(&text.replace("spacing = 0.5", "spacing = 2.5")),
        "a.toml:10: solids.0.spacing is 2.5; it is too coarse for the shape, whose smallest extent is \
         4.0: it must be at most half of that"
    );
    assert!(refused(&text.replace("spacing = 0.5", "spacing = -1")).contains("greater than zero"));
    assert!(refused(&text.replace("spacing = 0.5\n", "")).contains("has no \"spacing\"; add it"));
    let many = refused(&text.replace("spacing = 0.5", "spacing = 1e-4"));
    assert!(many.contains("about 1.6e9 places; more than 2e8 are too many"), "{many}");
    let flat = "sphere = { center = [5, 5, 5], radius = 2 }\n\
                cracks = [{ corner = [5, 5, 5], first = [5, 5, 6], second = [5, 5, 7] }]";
    assert!(refused_in_space(flat).contains("it has no area"));
    let cubic = "sphere = { center = [5, 5, 5], radius = 2 }\nlattice = 'triangular'";
    assert!(refused_in_space(cubic).contains("in space it must be cubic-6, cubic-18 or cubic-26"));
}

#[test]
fn springs_that_cannot_be_are_refused() {
    check(
        &[
            (
                "stiffness = 3",
                "materials.default.youngs_modulus is 2; springs.stiffness says how stiff solids are",
            ),
            (
                "compression_ratio = 0",
                "a.toml:12: materials.default.springs.compression_ratio is 0; it must be finite and greater",
            ),
            ("damping = 1", "it must be at least 0 and below 1"),
            ("damping = -0.1", "it must be at least 0 and below 1"),
            ("yield_stretch = 0", "it must be finite and greater than zero"),
            ("break_force = nan", "it must be finite and greater than zero"),
            (
                "break_stretch = 1\nbreak_energy = 2",
                "springs has \"break_stretch\" and \"break_energy\"",
            ),
            ("yield_stretch = 0.2\nbreak_stretch = 0.2", "it must be below 0.2"),
            ("rigid_brittle = true", "add break_force or break_stretch"),
            ("rigid_brittle = true\nbreak_energy = 1", "rigid springs store no energy"),
            (
                "rigid_brittle = true\nbreak_force = 1\nyield_stretch = 1",
                "springs has \"rigid_brittle\" and \"yield_stretch\"",
            ),
            ("break = 1", "unknown key \"break\"; did you mean break_force?"),
        ],
        refused_springs,
    );
    let soft = refused(&format!("{PLANE}{CIRCLE}"));
    assert_eq!(
        soft,
        "a.toml:6: the material default of this solid has no \"youngs_modulus\"; add it, or \
         springs.stiffness"
    );
    let ratio = format!("{PLANE}{CIRCLE}[materials.default]\npoissons_ratio = 0.2\n");
    assert!(refused(&ratio).contains("has no \"youngs_modulus\""));
    plane(&format!("{ratio}springs.stiffness = 1\n"));
}

#[test]
fn solids_refuse_what_other_engines_have() {
    fn refused_more(more: &str) -> String {
        refused(&format!("{PLANE}{CIRCLE}{STIFF}{more}"))
    }
    check(
        &[
            ("restitution = 0.5", "follows from their springs"),
            ("damping = 0.5", "follows from their springs"),
            ("rolling_friction = 0.5", "only engine = \"dem\" has it"),
            ("adhesion = 0.5", "only engine = \"dem\" has it"),
            (DISC, "bodies.0 is [[bodies]]; engine = \"bonded\" has [[solids]] instead"),
            ("[[generate]]\nkind = 'random'\ncount = 5\nradius = 1", "has [[solids]] instead"),
            ("[[pour]]\ncount = 5\nradius = 1\nrate = 1", "has [[solids]] instead"),
            ("[shapes.a]\npolygon = [[0, 0], [1, 0], [0, 1]]", "has [[solids]] instead"),
            (
                "[[walls]]\nkind = 'plane'\npoint = [0, 0]\nnormal = [0, 1]",
                "take a solid with fixed = true",
            ),
            (
                "[[contacts]]\nbetween = ['default', 'default']",
                "friction of solids is that of their materials",
            ),
            ("[field]\nperiod = 1\ndrag = 1", "only engine = \"event-driven\" has it"),
            ("[growth]\nrate = 1", "only engine = \"event-driven\" has it"),
            (
                "[thermostat]\nkind = 'kicks'\ntemperature = 1\nrate = 1",
                "only engine = \"event-driven\" has it",
            ),
            ("[collapse]\ncontact_time = 1", "only engine = \"event-driven\" has it"),
            (
                "[gravity]\nacceleration = [0, 1]\nangular_velocity = 1",
                "only engine = \"dem\" has rotating gravity",
            ),
            ("[neighbors]\nmethod = 'neighbor-lists'", "solids find their contacts by themselves"),
            ("[neighbors]\nskin = 1", "solids find their contacts by themselves"),
            ("[output]\nlog_collisions = 5", "give log_interval instead"),
        ],
        refused_more,
    );
    let stiff = format!("{PLANE}{CIRCLE}[materials.default]\nstiffness = 1\n");
    assert!(refused(&stiff).contains("give youngs_modulus or springs.stiffness"));
    for (from, to, said) in [
        ("size = 10\n", "size = 10\nboundary = 'periodic'\n", "must be \"wall\" or \"open\""),
        ("size = 10\n", "size = 10\nboundary = 'wall'\nwall_restitution = 1\n", "leave it out"),
        ("size = 10\n", "", "a.toml: the box has no size; give box.size"),
        ("until = 1\n", "", "a.toml: the scene never ends; give it until = a time"),
        ("until = 1\n", "until = 1\ncollisions = 9\n", "contacts last in a time-stepped run"),
        (CIRCLE, "", "a.toml: the scene has no solids; add [[solids]]"),
    ] {
        let message = refused(&format!("{PLANE}{CIRCLE}{STIFF}").replace(from, to));
        assert!(message.contains(said), "{message}");
    }
}

#[test]
fn stages_release_only_solids_that_are_held() {
    let stage = |release: &str| {
        format!("{PLANE}{CIRCLE}{STIFF}[[stages]]\nname = 'a'\nduration = 1\nrelease = {release}\n")
    };
    assert!(refused(&stage("[1]")).contains("the scene has 1 solids; their numbers begin at zero"));
    let message = refused(&stage("[0]"));
    assert!(message.contains("neither fixed nor has it held parts"), "{message}");
    let dem = "engine = 'dem'\ndimension = 2\nbox.size = 9\n[[bodies]]\nposition = [1, 1]\nradius = 0.5\n\
               [[stages]]\nname = 'a'\nduration = 1\nrelease = [0]\n";
    let message = refused(dem);
    assert!(message.contains("only engine = \"bonded\" has solids"), "{message}");
}

#[test]
fn other_engines_refuse_solids() {
    for engine in ["event-driven", "dem"] {
        let text = format!("{}{DISC}", HEAD.replace("event-driven", engine));
        for (more, said) in [
            (CIRCLE, "only engine = \"bonded\" has solids"),
            (
                "[materials.a.springs]\ncompression_ratio = 2",
                "only engine = \"bonded\" has solids with springs",
            ),
        ] {
            let message = refused(&format!("{text}{more}"));
            assert!(message.contains(said), "{message}");
        }
    }
}
