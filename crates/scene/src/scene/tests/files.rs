//! Files, settings beside them, and the text as run.

use super::*;

#[test]
fn settings_replace_and_add_values_before_the_checks() {
    let text = format!("{HEAD}{DISC}");
    let settings =
        ["seed = 9", "bodies.0.radius=0.25", "box.boundary=open", "output.picture=false"];
    let Ok(Scene::Plane(scene)) = parse(&text, &settings) else { panic!() };
    assert_eq!((scene.seed, scene.bodies[0].radius), (9, 0.25));
    assert_eq!((scene.region.sides[0], scene.output.picture), (Side::Open, false));
    assert_eq!(parse(&scene.as_run, &[]).unwrap().to_toml(), scene.as_run);
    let Ok(Scene::Plane(again)) = parse(&scene.as_run, &[]) else { panic!() };
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
fn bodies_come_from_files_beside_the_scene() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("p.csv"), "x,y,r\n1,1,0.5\n3,1,0.5\n").unwrap();
    std::fs::write(folder.path().join("q.csv"), "x,y,z,r\n1,1,1,0.5\n").unwrap();
    let path = folder.path().join("a.toml");
    let write = |table: &str| std::fs::write(&path, format!("{HEAD}{table}")).unwrap();
    write("[[bodies]]\nfile = 'p.csv'\nvelocity = [1, 2]\n");
    let scene = Scene::read(&path, &[]).unwrap();
    assert_eq!(scene.body_count(), 2);
    assert_eq!(parse(scene.to_toml(), &[]).unwrap(), scene);
    let refused = |table: &str| {
        write(table);
        let message = Scene::read(&path, &[]).unwrap_err().to_string();
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
fn a_particle_without_size_is_named_with_its_file() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("p.csv"), "x,y,r\n1,1,0.5\n3,1,0\n").unwrap();
    let path = folder.path().join("a.toml");
    std::fs::write(&path, format!("{HEAD}{DISC}[[bodies]]\nfile = 'p.csv'\n")).unwrap();
    let message = Scene::read(&path, &[]).unwrap_err().to_string();
    assert_eq!(
        message.replace(folder.path().to_str().unwrap(), "DIR"),
        "DIR/a.toml:9: body 2, particle 1 of DIR/p.csv, has radius 0.0; a radius must lie between \
         1e-100 and 1e100"
    );
}

#[test]
fn files_that_are_no_text_are_refused() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), b"engine = '\xff'").unwrap();
    let message = Scene::read(file.path(), &[]).unwrap_err().to_string();
    assert!(message.ends_with(": this does not look like text; a scene is TOML in UTF-8"));
    let message = Scene::read(Path::new("none.toml"), &[]).unwrap_err().to_string();
    assert_eq!(message, "none.toml cannot be read: there is no such file");
}
