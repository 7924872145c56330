//! Files, settings besides them, and the text as run.

use super::*;

#[test]
fn settings_replace_and_add_values_before_the_checks() {
    let text = format!("{HEAD}{DISC}");
    let settings =
        ["seed = 9", "bodies.0.radius=0.25", "box.boundary=open", "output.picture=false"];
    let Ok(AnyScene::TwoD(scene)) = parse(&text, &settings) else { panic!() };
    assert_eq!((scene.seed, scene.bodies[0].radius), (9, 0.25));
    assert_eq!(
        (scene.region.boundary_conditions[0], scene.output.picture),
        (BoundaryCondition::Open, false)
    );
    assert_eq!(parse(&scene.as_run, &[]).unwrap().to_toml(), scene.as_run);
    let Ok(AnyScene::TwoD(again)) = parse(&scene.as_run, &[]) else { panic!() };
    assert_eq!(again, scene);
}

#[test]
fn a_bad_setting_is_named_instead_of_a_line() {
    let message = |setting: &str| {
        parse(&format!("{HEAD}{DISC}"), &["seed=1", setting]).unwrap_err().to_string()
    };
    for (setting, rule) in [
        (
            "bodies.0.radius=-1",
            "bodies.0.radius is -1; a radius must be finite and greater than zero",
        ),
        (
            "bodies.0.position=[1, nan]",
            "bodies.0.position is [1, nan]; every number must be finite",
        ),
        ("bodies.7.radius=1", "bodies holds 1 entries; name one of them from zero"),
        ("until.x=1", "until is a plain value; nothing can stand below it"),
        ("seed=", "its value is empty; write it like seed=3"),
        ("seed= ", "its value is empty; write it like seed=3"),
        ("generate.0.radius=1", "the scene has no [[generate]], so entry 0 does not exist"),
        ("seed", "it must be written key=value, for example seed=3"),
        ("a..b=1", "its key has an empty part; write it like bodies.0.radius=1"),
        (
            "a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a=1",
            "its key has too many parts; write it like bodies.0.radius=1",
        ),
        ("untl=3", "unknown key \"untl\"; did you mean until?"),
        ("until=soon", "until is soon; it must be a number"),
        ("box.edge=3", "unknown key \"edge\"; possible here: size, boundary, wall_restitution"),
    ] {
        assert_eq!(message(setting), format!("--set {setting}: {rule}"));
    }
}

#[test]
fn the_text_as_run_keeps_comments_and_has_the_seed() {
    let text = format!("# A comment.\n{HEAD}{DISC}");
    assert_eq!(parse(&text, &[]).unwrap().to_toml(), format!("seed = 1\n{text}"));
    let seeded = format!("seed = 4\n{text}");
    assert_eq!(parse(&seeded, &[]).unwrap().to_toml(), seeded);
    let settings = ["bodies.0.radius = 0.25", "collisions=7", "box.size=[20, 20]", "seed=8"];
    let changed = seeded.replace("= 0.5", "= 0.25").replace("= 10", "= [20, 20]");
    let changed = format!("collisions = 7\n{}", changed.replace("seed = 4", "seed = 8"));
    assert_eq!(parse(&seeded, &settings).unwrap().to_toml(), changed);
}

#[test]
fn the_pace_of_the_log_can_be_written_into_the_text_as_run() {
    let text = format!("# A comment.\n{HEAD}{DISC}");
    let interval = |text: &str| {
        let written = plane(text).as_run_with_log_interval(0.25);
        assert_eq!(plane(&written).output.log_interval, Some(0.25), "{written}");
        assert_eq!(plane(&written).fingerprint(), plane(text).fingerprint());
        written
    };
    assert_eq!(interval(&text), format!("output.log_interval = 0.25\nseed = 1\n{text}"));
    let table = format!("{text}[output] # what is kept\npicture = false # none\n");
    let written = interval(&table);
    assert!(
        written.contains("[output] # what is kept\nlog_interval = 0.25\npicture = false # none"),
        "{written}"
    );
    interval(&format!("output = {{ picture = false }}\n{text}"));
    let own = format!("{text}[output]\nlog_collisions = 7\n");
    assert_eq!(plane(&own).as_run_with_log_interval(0.25), plane(&own).as_run);
    let counted = plane(&text).as_run_with_log_collisions(12);
    assert_eq!(plane(&counted).output.log_collisions, Some(12));
}

#[test]
fn the_first_key_that_two_scenes_differ_in_is_reported() {
    let text = format!("{HEAD}{DISC}");
    let scene = plane(&text);
    let difference =
        |from: &str, to: &str| scene.difference(&plane(&text.replacen(from, to, 1)).as_run);
    let is = |found: Option<String>, sentence: &str| assert_eq!(found.as_deref(), Some(sentence));
    is(difference("size = 10", "size = 12"), "box.size is 10 here and 12 there");
    is(difference("size = 10", "size = [10, 9]"), "box.size is 10 here and [10, 9] there");
    is(difference("radius = 0.5", "radius = 0.25"), "bodies.0.radius is 0.5 here and 0.25 there");
    is(
        difference("radius = 0.5", "radius = 0.5\nmass = 2"),
        "bodies.0.mass is not given here and 2 there",
    );
    is(difference("until", "seed = 9\nuntil"), "seed is 1 here and 9 there");
    assert_eq!(difference("until = 1", "until = 2"), None);
    assert_eq!(difference("size = 10", "size = 10.0"), None);
}

#[test]
fn bodies_come_from_files_beside_the_scene() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("p.csv"), "x,y,r\n1,1,0.5\n3,1,0.5\n").unwrap();
    std::fs::write(folder.path().join("q.csv"), "x,y,z,r\n1,1,1,0.5\n").unwrap();
    let path = folder.path().join("a.toml");
    let write = |table: &str| std::fs::write(&path, format!("{HEAD}{table}")).unwrap();
    write("[[bodies]]\nfile = 'p.csv'\nvelocity = [1, 2]\n");
    let scene = AnyScene::read(&path, &[]).unwrap();
    assert_eq!(scene.body_count(), 2);
    assert_eq!(parse(scene.to_toml(), &[]).unwrap(), scene);
    let refused = |table: &str| {
        write(table);
        let message = AnyScene::read(&path, &[]).unwrap_err().to_string();
        message.replace(folder.path().to_str().unwrap(), "DIR")
    };
    assert_eq!(
        refused("[[bodies]]\nfile = 'q.csv'"),
        "DIR/a.toml:7: DIR/q.csv has 3 dimensions, but the scene has 2"
    );
    assert_eq!(
        refused("[[bodies]]\nfile = 'r.csv'"),
        "DIR/r.csv cannot be read: there is no such file"
    );
    assert_eq!(
        refused("[[bodies]]\nfile = 'p.csv'\nradius = 1"),
        "DIR/a.toml:6: this body has \"file\" and \"radius\"; the file gives positions and radii; leave one out"
    );
}

#[test]
fn bodies_of_a_file_may_move() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.toml");
    let read = |file: &str, text: &str, more: &str| {
        std::fs::write(folder.path().join(file), text).unwrap();
        std::fs::write(&path, format!("{HEAD}[[bodies]]\nfile = '{file}'\n{more}")).unwrap();
        let scene = AnyScene::read(&path, &[])
            .map_err(|error| error.to_string().replace(folder.path().to_str().unwrap(), "DIR"))?;
        let AnyScene::TwoD(scene) = scene else { panic!() };
        Ok::<_, String>(
            scene.bodies.iter().map(|body| body.velocity.into()).collect::<Vec<[f64; 2]>>(),
        )
    };
    let expected = Ok(vec![[0.25, -1.0], [0.0, 3.0]]);
    assert_eq!(read("p.csv", "vy,x,y,r,VX\n-1,1,1,0.5,0.25\n3,3,1,0.5,0\n", ""), expected);
    let head = "Properties=species:S:1:pos:R:3:radius:R:1:velo:R:3 dimension=2";
    let text = format!("2\n{head}\nA 1 1 0 0.5 0.25 -1 0\nA 3 1 0 0.5 0 3 0\n");
    assert_eq!(read("p.xyz", &text, ""), expected);
    assert_eq!(read("q.csv", "x,y,r\n1,1,0.5\n", ""), Ok(vec![[0.0; 2]]));
    // Columns that cannot be used are named.
    for (file, text, more, sentence) in [
        (
            "p.csv",
            "x,y,r,Charge\n1,1,0.5,2\n",
            "",
            "DIR/p.csv:1: column \"Charge\" is not read by scenes, which take x, y, z, r or d, vx, \
             vy, vz, mass and id; leave it out",
        ),
        (
            "p.xyz",
            "1\nProperties=pos:R:2:r:R:1:charge:R:1\n1 1 0.5 0\n",
            "",
            "DIR/p.xyz:2: column \"charge\" is not read by scenes, which take species, pos, radius or \
             diameter, velo, mass or masses, shape, orientation, angular_velocity (in space \
             angular_velocity_x, angular_velocity_y and angular_velocity_z), momenta, material, id, type, \
             pressure, contacts and cluster; leave it out",
        ),
        (
            "p.csv",
            "x,y,r,mass\n1,1,0.5,-2\n",
            "",
            "DIR/p.csv:2: column \"mass\" is \"-2\"; a mass must be finite and greater than zero",
        ),
        (
            "p.csv",
            "x,y,r,mass\n1,1,0.5,2\n",
            "mass = 1",
            "DIR/a.toml:6: this body has \"file\" and \"mass\"; the file gives masses too; leave one \
             out",
        ),
        (
            "p.csv",
            "x,y,r\n",
            "",
            "DIR/a.toml:7: bodies.0.file is 'p.csv'; the file holds no particles",
        ),
        (
            "p.csv",
            "# a\nx,y,r\n1,1,0.5\n5,5,0.5\n5.5,5,0.5\n",
            "",
            "DIR/a.toml:6: bodies 1, line 4 of DIR/p.csv, and 2, line 5 of DIR/p.csv, overlap by 0.5 at \
             the start; an event-driven run needs a start without overlap: move them apart or make them \
             smaller",
        ),
        (
            "p.xyz",
            "2\nProperties=pos:R:2:r:R:1\n1 1 0.5\n3 11 0.5\n",
            "",
            "DIR/a.toml:6: body 1, line 4 of DIR/p.xyz, has y 11.0; its center must be in the box, \
             between 0.0 and 10.0",
        ),
        (
            "p.csv",
            "x,y,r,vx\n1,1,0.5,2\n",
            "",
            "DIR/p.csv:1: no column \"vy\" (found \"x\", \"y\", \"r\", \"vx\"); velocities need one \
             column per axis: vx, vy and, in space, vz",
        ),
        (
            "p.csv",
            "x,y,r,vx,vy\n1,1,0.5,2,fast\n",
            "",
            "DIR/p.csv:2: column \"vy\" is \"fast\"; a velocity must be a number",
        ),
        (
            "p.xyz",
            "1\nProperties=pos:R:2:r:R:1:velo:R:2\n1 1 0.5 0 inf\n",
            "",
            "DIR/p.xyz:3: column \"velo y\" is \"inf\"; a velocity must be finite",
        ),
        (
            "p.xyz",
            "1\nProperties=pos:R:2:r:R:1:velo:R:1\n1 1 0.5 0\n",
            "",
            "DIR/p.xyz:2: Properties is \"pos:R:2:r:R:1:velo:R:1\"; velo must have as many columns as \
             pos",
        ),
        (
            "p.csv",
            "x,y,r,vx,vy\n1,1,0.5,2,0\n",
            "velocity = [1, 0]",
            "DIR/a.toml:6: this body has \"file\" and \"velocity\"; the file gives velocities too; \
             leave one out",
        ),
    ] {
        assert_eq!(read(file, text, more), Err(sentence.to_owned()));
    }
}

#[test]
fn a_particle_without_size_is_named_with_its_file() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("p.csv"), "x,y,r\n1,1,0.5\n3,1,0\n").unwrap();
    let path = folder.path().join("a.toml");
    std::fs::write(&path, format!("{HEAD}{DISC}[[bodies]]\nfile = 'p.csv'\n")).unwrap();
    let message = AnyScene::read(&path, &[]).unwrap_err().to_string();
    assert_eq!(
        message.replace(folder.path().to_str().unwrap(), "DIR"),
        "DIR/a.toml:9: body 2, line 3 of DIR/p.csv, has radius 0.0; a radius must lie between \
         1e-100 and 1e100"
    );
}

#[test]
fn files_that_are_no_text_are_refused() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), b"engine = '\xff'").unwrap();
    let message = AnyScene::read(file.path(), &[]).unwrap_err().to_string();
    assert!(message.ends_with(": this does not look like text; a scene is TOML in UTF-8"));
    let message = AnyScene::read(Path::new("none.toml"), &[]).unwrap_err().to_string();
    assert_eq!(message, "none.toml cannot be read: there is no such file");
}

#[test]
fn masses_and_the_box_may_come_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.toml");
    let head = "engine = 'event-driven'\ndimension = 2\nuntil = 1\n";
    let read = |file: &str, text: &str| {
        std::fs::write(folder.path().join(file), text).unwrap();
        std::fs::write(&path, format!("{head}[[bodies]]\nfile = '{file}'\n")).unwrap();
        let scene = AnyScene::read(&path, &["materials.default.density=7".to_owned()])
            .map_err(|error| error.to_string().replace(folder.path().to_str().unwrap(), "DIR"))?;
        let AnyScene::TwoD(scene) = scene else { panic!() };
        let masses: Vec<f64> = scene.bodies.iter().map(|body| body.mass).collect();
        Ok::<_, String>((masses, [scene.region.size.x, scene.region.size.y]))
    };
    let atoms = "\nA 1 1 0 0.5 2\nA 3 1 0 0.5 0.25\n";
    let properties = "Properties=species:S:1:pos:R:3:radius:R:1:mass:R:1 dimension=2";
    let lattice = |edges: &str| format!("2\n{properties} Lattice=\"{edges}\"{atoms}");
    assert_eq!(read("p.xyz", &lattice("9 0 0 0 5 0 0 0 1")), Ok((vec![2.0, 0.25], [9.0, 5.0])));
    assert_eq!(
        read("p.xyz", &format!("2\n{properties}{atoms}")).unwrap_err(),
        "DIR/a.toml: the box has no size; give box.size, a packing_fraction in [[generate]], or a \
         particle file with a Lattice"
    );
    assert_eq!(
        read("p.xyz", &lattice("9 0 0 0 0 0 0 0 1").replace("Lattice", "pbc=\"F F F\" Lattice"))
            .unwrap_err(),
        "DIR/a.toml:5: bodies.0.file is 'p.xyz'; its Lattice gives the box no size that can be used; \
         give box.size"
    );
}

#[cfg(unix)]
#[test]
fn a_file_without_an_end_is_not_read() {
    let message = refused(&format!("{HEAD}[[bodies]]\nfile = '/dev/zero'"));
    assert_eq!(message, "/dev/zero cannot be read: it is not a regular file");
}
