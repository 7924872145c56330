mod collected;
mod colors;
mod dem;
mod files;
mod generators;
mod placement;
mod reference;
mod refusals;
mod schema;
mod shapes;
mod solids;
mod unused_materials;

use super::*;

/// Before the tables that a test adds; line 6 is the first of those.
const HEAD: &str = "engine = 'event-driven'\ndimension = 2\nuntil = 1\n[box]\nsize = 10\n";
const DISC: &str = "[[bodies]]\nposition = [5, 5]\nradius = 0.5\n";

fn parse(text: &str, settings: &[&str]) -> Result<AnyScene, Error> {
    let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
    AnyScene::parse(text, "a.toml", Path::new(""), &settings)
}

fn plane(text: &str) -> Scene<2> {
    match parse(text, &[]) {
        Ok(AnyScene::TwoD(scene)) => scene,
        other => panic!("{other:?}"),
    }
}

fn space(text: &str) -> Scene<3> {
    match parse(text, &[]) {
        Ok(AnyScene::ThreeD(scene)) => scene,
        other => panic!("{other:?}"),
    }
}

fn refused(text: &str) -> String {
    parse(text, &[]).unwrap_err().to_string()
}

/// The message about a valid scene with one disc after a replacement.
fn refused_with(from: &str, to: &str) -> String {
    let text = format!("{HEAD}{DISC}");
    assert!(text.contains(from), "{from}");
    refused(&text.replacen(from, to, 1))
}

/// The message about a valid scene with a table added.
fn refused_table(table: &str) -> String {
    refused(&format!("{HEAD}{DISC}{table}"))
}

#[test]
fn every_example_scene_is_valid() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        // Meshes lie next to the scenes that name them.
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let scene = AnyScene::read(&path, &[]).unwrap_or_else(|error| panic!("{error}"));
        assert!(scene.body_count() > 0, "{}", path.display());
        count += 1;
    }
    assert!(count >= 8);
}

#[test]
fn what_is_left_out_has_its_documented_value() {
    let scene = plane(&format!("{HEAD}{DISC}"));
    assert_eq!((scene.engine, scene.seed), (Engine::EventDriven, 1));
    assert_eq!(scene.region.boundary_conditions, [BoundaryCondition::Periodic; 2]);
    assert_eq!(scene.bodies[0].mass, 1.0);
    assert_eq!(scene.bodies[0].velocity, Vector::<2>::zeros());
    assert_eq!(scene.materials[0].restitution, Restitution::Constant(1.0));
    assert_eq!((scene.output.log_interval, scene.output.log_collisions), (None, None));
    assert_eq!(scene.output.formats, [FrameFormat::Vtk]);
    assert_eq!(scene.output.checkpoint_interval.as_secs(), 60);
    assert_eq!((scene.contact_time, scene.growth, scene.thermostat), (None, None, None));
}

#[test]
fn every_table_is_read() {
    let scene = space(
        r#"
        engine = "event-driven"
        dimension = 3
        seed = 7
        collisions = 1e6
        [box]
        size = [10, 20, 30]
        boundary = ["periodic", "wall", "open"]
        wall_restitution = 0.5
        [gravity]
        acceleration = [0, 0, -9.81]
        [field]
        period = 0.01
        drag = 0.1
        trap = { stiffness = 2, center = [5, 5, 5] }
        [materials.glass]
        density = 2
        restitution = { at_speed = 0.8, speed = 3.0 }
        [[bodies]]
        position = [1, 2, 3]
        velocity = [0, 1, 0]
        radius = 0.5
        material = "glass"
        [[bodies]]
        position = [5, 5, 5]
        radius = 1
        mass = 3
        material = "glass"
        [growth]
        rate = 0.01
        until_pressure = 1e6
        [thermostat]
        kind = "kicks"
        temperature = 2
        rate = 4
        [collapse]
        contact_time = 0
        [neighbors]
        method = "cell-tree"
        shell = 0.3
        [observe]
        radial_distribution = { to = 3.0, bins = 150 }
        mean_square_displacement = true
        [output]
        interval = 2
        formats = ["xyz", "lammps"]
        picture = false
        checkpoint_interval = "2min"
        "#,
    );
    assert_eq!(scene.limits, Limits { until: None, collisions: Some(1_000_000) });
    let wall = BoundaryCondition::Wall { restitution: Some(0.5) };
    assert_eq!(
        scene.region.boundary_conditions,
        [BoundaryCondition::Periodic, wall, BoundaryCondition::Open]
    );
    assert_eq!(scene.gravity, Vector::from([0.0, 0.0, -9.81]));
    let trap = HarmonicTrap { stiffness: 2.0, center: Vector::repeat(5.0) };
    assert_eq!(scene.field, Some(DragAndTrapField { period: 0.01, drag: 0.1, trap: Some(trap) }));
    assert!((scene.bodies[0].mass - std::f64::consts::PI / 3.0).abs() < 1e-12);
    assert_eq!((scene.bodies[1].mass, scene.bodies[1].material), (3.0, 1));
    assert_eq!(scene.growth.unwrap().until, Some(GrowthTarget::Pressure(1e6)));
    assert_eq!(scene.thermostat, Some(Thermostat::Kicks { temperature: 2.0, rate: 4.0 }));
    assert_eq!(scene.contact_time, Some(0.0));
    assert_eq!(scene.neighbors.method, NeighborStructure::CellTree);
    assert_eq!(scene.observe.radial_distribution.unwrap().bins, 150);
    assert_eq!(scene.output.checkpoint_interval.as_secs(), 120);
    assert_eq!((scene.output.log_interval, scene.output.picture), (None, false));
}

#[test]
fn the_schema_describes_every_table_and_allows_no_other_keys() {
    let schema = schema();
    let properties = schema["properties"].as_object().unwrap();
    for name in
        ["engine", "box", "bodies", "generate", "materials", "shapes", "solids", "growth", "output"]
    {
        assert!(properties[name]["description"].is_string(), "{name}");
    }
    for (name, table) in schema["$defs"].as_object().unwrap() {
        let closed = table["properties"].is_null() || table["additionalProperties"] == false;
        assert!(closed, "{name}");
        assert!(table["description"].is_string(), "{name}");
    }
    assert_eq!(schema["required"], serde_json::json!(["engine", "dimension"]));
}
