//! The JSON schema refuses what the checks refuse.

use super::*;
use serde_json::Value;

/// Whether a value conforms to a schema: as much of JSON Schema as ours uses.
fn fits(root: &Value, schema: &Value, value: &Value) -> bool {
    let Some(rules) = schema.as_object() else { return schema != &Value::Bool(false) };
    rules.iter().all(|(rule, schema)| keeps(root, rules, (rule, schema), value))
}

fn keeps(
    root: &Value,
    rules: &serde_json::Map<String, Value>,
    (rule, schema): (&str, &Value),
    value: &Value,
) -> bool {
    let number = |compare: fn(f64, f64) -> bool| {
        value.as_f64().is_none_or(|value| compare(value, schema.as_f64().unwrap()))
    };
    let any = || schema.as_array().unwrap().iter().filter(|it| fits(root, it, value)).count();
    match rule {
        "$ref" => {
            let pointer = schema.as_str().unwrap().strip_prefix('#').unwrap();
            fits(root, root.pointer(pointer).unwrap(), value)
        }
        "type" => match schema {
            Value::Array(types) => types.iter().any(|name| is_of(name, value)),
            name => is_of(name, value),
        },
        "anyOf" => any() > 0,
        "oneOf" => any() == 1,
        "allOf" => any() == schema.as_array().unwrap().len(),
        "const" => value == schema,
        "enum" => schema.as_array().unwrap().contains(value),
        "minimum" => number(|value, bound| value >= bound),
        "exclusiveMinimum" => number(|value, bound| value > bound),
        "maximum" => number(|value, bound| value <= bound),
        "exclusiveMaximum" => number(|value, bound| value < bound),
        "items" => value.as_array().is_none_or(|list| list.iter().all(|it| fits(root, schema, it))),
        "required" => value.as_object().is_none_or(|table| {
            schema.as_array().unwrap().iter().all(|key| table.contains_key(key.as_str().unwrap()))
        }),
        "properties" => value.as_object().is_none_or(|table| {
            let known = table.iter().filter_map(|(key, value)| Some((schema.get(key)?, value)));
            known.into_iter().all(|(schema, value)| fits(root, schema, value))
        }),
        "additionalProperties" => value.as_object().is_none_or(|table| {
            let named = |key: &str| rules.get("properties").is_some_and(|it| it.get(key).is_some());
            let mut others = table.iter().filter(|(key, _)| !named(key));
            others.all(|(_, value)| fits(root, schema, value))
        }),
        "description" | "title" | "default" | "format" | "$schema" | "$defs" => true,
        other => panic!("the schema has {other}, which this test does not know"),
    }
}

fn is_of(name: &Value, value: &Value) -> bool {
    match name.as_str().unwrap() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "number" => value.is_number(),
        other => panic!("{other}"),
    }
}

fn schema_takes(schema: &Value, text: &str) -> bool {
    let scene: Value = toml::from_str(text).unwrap();
    fits(schema, schema, &scene)
}

const EVENT_DRIVEN: &str = r#"engine = "event-driven"
dimension = 2
until = 5.0
[box]
size = 30.0
boundary = "wall"
wall_restitution = 0.9
[field]
period = 0.125
drag = 0.25
trap = { stiffness = 2.5, center = [5, 5] }
[materials.default]
density = 3.5
restitution = { at_rest = 0.95, at_speed = 0.75, speed = 1.5, exponent = 0.15 }
[[bodies]]
position = [5, 5]
radius = 0.5
mass = 4.5
[[generate]]
kind = "random"
count = 11
radius = { min = 0.35, max = 0.45 }
temperature = 5.5
mass = 6.5
[[generate]]
kind = "random"
count = 12
radius = { values = [0.15, 0.16], weights = [1.25, 2.25] }
[growth]
rate = 0.0625
until_packing_fraction = 0.2
[thermostat]
kind = "rescale"
temperature = 7.5
interval = 8.5
[collapse]
contact_time = 0.0078125
[neighbors]
shell = 0.3125
[observe]
radial_distribution = { to = 9.5, bins = 15 }
[output]
interval = 0.55
log_interval = 0.65
"#;

const DEM: &str = r#"engine = "dem"
dimension = 3
until = 5.0
step = 0.001
[box]
size = [30.0, 31.0, 32.0]
boundary = "wall"
[materials.default]
density = 3.5
stiffness = 1500.0
tangential_stiffness = 0.35
restitution = 0.75
friction = 0.45
rolling_friction = 0.015
adhesion = 0.025
[materials.steel]
youngs_modulus = 1e6
poissons_ratio = 0.28
damping = 0.85
[[contacts]]
between = ["default", "steel"]
restitution = 0.65
friction = 0.55
rolling_friction = 0.035
adhesion = 0.045
stiffness = 1600.0
tangential_stiffness = 0.36
[shapes.die]
solid = "cube"
radius = 1.25
rounding = 0.0625
[shapes.egg]
faces = 100
semi_axes = [1.0, 1.5, 1.75]
[[walls]]
kind = "cylinder"
point = [15, 15, 15]
axis = [0, 0, 1]
radius = 14.5
amplitude = [0, 0, 1]
frequency = 2.5
[[bodies]]
position = [15, 15, 5]
radius = 0.5
[[pour]]
count = 13
radius = 0.95
rate = 10.5
from = 0.05
mass = 11.5
[neighbors]
skin = 0.125
"#;

const BONDED: &str = r#"engine = "bonded"
dimension = 2
until = 5.0
[box]
size = 40.0
[materials.default]
youngs_modulus = 100.5
friction = 0.45
[materials.default.springs]
compression_ratio = 1.125
damping = 0.35
yield_stretch = 0.015
break_stretch = 0.025
[[solids]]
circle = { center = [10, 10], radius = 5.5 }
spacing = 1.25
"#;

/// A scene, values in it, and invalid values for their places.
const BAD: &[(&str, &[(&str, &str)])] = &[
    (
        EVENT_DRIVEN,
        &[
            ("dimension = 2", "dimension = 4"),
            ("until = 5.0", "until = -1.0"),
            ("size = 30.0", "size = -30.0"),
            ("size = 30.0", "size = [30, 0]"),
            ("wall_restitution = 0.9", "wall_restitution = 1.9"),
            ("period = 0.125", "period = 0"),
            ("drag = 0.25", "drag = -0.25"),
            ("stiffness = 2.5", "stiffness = -2.5"),
            ("density = 3.5", "density = 0.0"),
            ("at_rest = 0.95", "at_rest = 1.95"),
            ("at_speed = 0.75", "at_speed = -0.75"),
            ("speed = 1.5", "speed = -1.5"),
            ("exponent = 0.15", "exponent = 0"),
            ("radius = 0.5", "radius = -0.5"),
            ("radius = 0.5", "radius = 1e101"),
            ("mass = 4.5", "mass = 0"),
            ("count = 11", "count = 0"),
            ("count = 11", "count = -3"),
            ("min = 0.35", "min = -0.35"),
            ("max = 0.45", "max = 0"),
            ("temperature = 5.5", "temperature = -5.5"),
            ("mass = 6.5", "mass = -6.5"),
            ("values = [0.15,", "values = [-0.15,"),
            ("weights = [1.25,", "weights = [-1.25,"),
            ("rate = 0.0625", "rate = 0"),
            ("until_packing_fraction = 0.2", "until_packing_fraction = 1.2"),
            ("until_packing_fraction = 0.2", "until_pressure = -1"),
            ("temperature = 7.5", "temperature = 0"),
            ("interval = 8.5", "interval = -8.5"),
            ("contact_time = 0.0078125", "contact_time = -1"),
            ("shell = 0.3125", "shell = 0"),
            ("to = 9.5", "to = -9.5"),
            ("bins = 15", "bins = 0"),
            ("interval = 0.55", "interval = 0"),
            ("log_interval = 0.65", "log_interval = -0.65"),
            ("kind = \"rescale\"", "kind = \"rescal\""),
            ("boundary = \"wall\"", "boundary = 5"),
        ],
    ),
    (
        DEM,
        &[
            ("step = 0.001", "step = 0"),
            ("stiffness = 1500.0", "stiffness = -1500.0"),
            ("tangential_stiffness = 0.35", "tangential_stiffness = -0.35"),
            ("restitution = 0.75", "restitution = -0.75"),
            ("restitution = 0.75", "restitution = 1.75"),
            ("friction = 0.45", "friction = -0.4"),
            ("rolling_friction = 0.015", "rolling_friction = -0.015"),
            ("adhesion = 0.025", "adhesion = -0.025"),
            ("youngs_modulus = 1e6", "youngs_modulus = 0"),
            ("poissons_ratio = 0.28", "poissons_ratio = 0.51"),
            ("poissons_ratio = 0.28", "poissons_ratio = -1"),
            ("damping = 0.85", "damping = -0.85"),
            ("restitution = 0.65", "restitution = 1.65"),
            ("friction = 0.55", "friction = -0.55"),
            ("stiffness = 1600.0", "stiffness = 0"),
            ("radius = 1.25", "radius = -1.25"),
            ("rounding = 0.0625", "rounding = 0"),
            ("faces = 100", "faces = 0"),
            ("semi_axes = [1.0,", "semi_axes = [-1.0,"),
            ("radius = 14.5", "radius = 0"),
            ("frequency = 2.5", "frequency = -2.5"),
            ("radius = 0.95", "radius = -0.95"),
            ("rate = 10.5", "rate = 0"),
            ("from = 0.05", "from = -0.05"),
            ("mass = 11.5", "mass = 0"),
            ("skin = 0.125", "skin = 0"),
        ],
    ),
    (
        BONDED,
        &[
            ("youngs_modulus = 100.5", "youngs_modulus = -100.5"),
            ("friction = 0.45", "friction = -0.4"),
            ("compression_ratio = 1.125", "compression_ratio = 0"),
            ("damping = 0.35", "damping = 1.0"),
            ("damping = 0.35", "damping = -0.35"),
            ("yield_stretch = 0.015", "yield_stretch = -0.015"),
            ("break_stretch = 0.025", "break_stretch = 0"),
            ("break_stretch = 0.025", "break_force = -1"),
            ("break_stretch = 0.025", "break_energy = -1"),
            ("radius = 5.5", "radius = -5.5"),
            ("spacing = 1.25", "spacing = 0"),
        ],
    ),
];

#[test]
fn the_schema_refuses_what_the_checks_refuse() {
    let schema = schema();
    for (scene, changes) in BAD {
        parse(scene, &[]).unwrap_or_else(|error| panic!("{error}"));
        assert!(schema_takes(&schema, scene), "{scene}");
        for (good, bad) in *changes {
            assert!(scene.contains(good), "{good}");
            let text = scene.replacen(good, bad, 1);
            assert!(parse(&text, &[]).is_err(), "{bad}");
            assert!(!schema_takes(&schema, &text), "{bad}");
        }
    }
}

#[test]
fn the_schema_takes_every_example_scene() {
    let schema = schema();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            let text = std::fs::read_to_string(&path).unwrap();
            assert!(schema_takes(&schema, &text), "{}", path.display());
        }
    }
}

/// Every value of the scenes above is replaced by one of each kind of TOML.
#[test]
fn no_message_names_a_type_of_the_program() {
    let types =
        ["enum", "struct", "variant", "newtype", "tuple", "unit", "sequence", "map", "Option"];
    let numbers = ["f64", "u64", "i64", "u32", "usize", "f32", "u8"];
    let mut count = 0;
    for (scene, _) in BAD {
        for (start, line) in lines_of(scene).filter(|(_, line)| line.contains(" = ")) {
            let place = start + line.find(" = ").unwrap() + 3;
            let end = start + line.len();
            for value in [
                "5",
                "-7",
                "1.5",
                "'word'",
                "true",
                "[1]",
                "[[1]]",
                "['a']",
                "{}",
                "{ x = 1 }",
                "1979-05-27",
                "nan",
            ] {
                let text = format!("{}{value}{}", &scene[..place], &scene[end..]);
                let Err(error) = parse(&text, &[]) else { continue };
                let message = error.to_string();
                let words =
                    message.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
                for word in words {
                    let camel = word.chars().skip(1).any(char::is_uppercase)
                        && word.chars().any(char::is_lowercase);
                    let foreign = types.contains(&word) || numbers.contains(&word) || camel;
                    assert!(!foreign || word == "TOML", "{word} in: {message}");
                }
                count += 1;
            }
        }
    }
    assert!(count > 500, "{count}");
    assert_eq!(
        refused_with("size = 10", "size = 10\nboundary = 5"),
        "a.toml:6: box.boundary is 5; it must be a word in quotes"
    );
}

/// The lines of a text and where they start.
fn lines_of(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().map(move |line| (line.as_ptr() as usize - text.as_ptr() as usize, line))
}
