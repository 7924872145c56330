//! All mistakes of a scene are reported at once.

use super::*;

/// The lines of the message about a scene.
fn messages(text: &str) -> Vec<String> {
    refused(text).lines().map(str::to_owned).collect()
}

#[test]
fn unknown_keys_wrong_types_and_bad_values_are_reported_together() {
    let text = "engine = 'dem'\ndimension = 2\nuntil = -1\nsped = 3\n[box]\nsize = 10\n\
        boundary = 'wal'\n[materials.default]\nfriction = -0.4\nrestitution = 1.5\ndensity = 'high'\n\
        [[bodies]]\nposition = [5, 5]\nradius = -1\nmass = -2\n\
        [[bodies]]\nposition = [3, 3]\nradius = 0.5\nmaterial = 'stell'\n\
        [[generate]]\nkind = 'random'\ncount = 'many'\nradius = 0.1\n";
    let messages = messages(text);
    let starts = [
        "a.toml:3: until is -1; ",
        "a.toml:4: unknown key \"sped\"",
        "a.toml:7: box.boundary is 'wal'; did you mean wall?",
        "a.toml:9: materials.default.friction is -0.4; ",
        "a.toml:10: materials.default.restitution is 1.5; ",
        "a.toml:11: materials.default.density is 'high'; it must be a number",
        "a.toml:14: bodies.0.radius is -1; ",
        "a.toml:15: bodies.0.mass is -2; ",
        "a.toml:19: bodies.1.material is 'stell'; ",
        "a.toml:22: generate.0.count is 'many'; ",
    ];
    assert_eq!(messages.len(), starts.len(), "{messages:#?}");
    for (line, start) in messages.iter().zip(starts) {
        assert!(line.starts_with(start), "{line}");
    }
}

#[test]
fn a_number_that_must_be_there_does_not_hide_what_stands_beside_it() {
    let text = "engine = 'dem'\ndimension = 3\nuntil = 1\n[box]\nsize = 10\n[[generate]]\n\
        kind = 'random'\ncount = 0\nradius = -0.5\nmaterial = 'steal'\ntemperature = -1\n";
    let messages = messages(text);
    let keys = ["count is 0", "radius is -0.5", "material is 'steal'", "temperature is -1"];
    assert_eq!(messages.len(), keys.len(), "{messages:#?}");
    for (line, key) in messages.iter().zip(keys) {
        assert!(line.contains(&format!("generate.0.{key}; ")), "{line}");
    }
    // Bounds are compared with each other, so that only what is written can be wrong.
    let text = text.replace("-0.5", "{ min = -0.5, max = 0.2 }");
    assert_eq!(self::messages(&text).len(), keys.len(), "{:#?}", self::messages(&text));
}

#[test]
fn what_follows_from_a_mistake_is_not_reported_too() {
    // Without its radius the body would lack one, and without the body the scene would have none.
    assert_eq!(refused_with("0.5", "'big'").lines().count(), 1);
    assert_eq!(refused_with("radius", "radis").lines().count(), 1);
    assert_eq!(refused_with("until", "untill").lines().count(), 1);
    // Bodies of a material that is no table.
    let text = format!("{HEAD}{DISC}material = 'glass'\n[materials]\nglass = 5\n");
    assert_eq!(messages(&text), ["a.toml:11: materials.glass is 5; it must be a table"]);
}

#[test]
fn a_scene_with_several_mistakes_is_an_error_of_its_own() {
    let text = format!("{HEAD}{DISC}").replace("0.5", "-1").replace("until = 1", "until = -1");
    let Err(Error::SceneProblems { problems, more: 0 }) = parse(&text, &[]) else { panic!() };
    assert_eq!(problems.len(), 2);
    // Settings too, and files that are not there.
    let text = format!("{HEAD}{DISC}[[bodies]]\nfile = 'missing.csv'\n[output]\ninterval = 0\n");
    let error = parse(&text, &["seed=x", "bodies.0.mass=0"]).unwrap_err().to_string();
    let lines: Vec<&str> = error.lines().collect();
    assert_eq!(lines.len(), 4, "{error}");
    assert!(lines[0].starts_with("a.toml:12: output.interval is 0; "), "{error}");
    for part in ["--set seed=x: ", "--set bodies.0.mass=0: ", "missing.csv cannot be read"] {
        assert!(error.contains(part), "{part} in {error}");
    }
}

#[test]
fn twenty_mistakes_are_listed_and_the_others_counted() {
    let bodies: String = (0..30).map(|_| DISC.replace("0.5", "-1")).collect();
    let messages = messages(&format!("{HEAD}{bodies}"));
    assert_eq!(messages.len(), 21);
    assert_eq!(
        messages[0],
        "a.toml:8: bodies.0.radius is -1; a radius must be finite and greater than zero"
    );
    assert_eq!(messages[20], "and 10 more");
}

#[test]
fn mistakes_of_values_are_reported_before_bodies_find_their_places() {
    // The bodies overlap, which is reported when everything else is right.
    let text = format!("{HEAD}{DISC}{DISC}[output]\ninterval = 0\n");
    assert_eq!(messages(&text).len(), 1);
    assert!(messages(&text)[0].contains("output.interval"));
    assert!(refused(&text.replace("interval = 0", "interval = 1")).contains("overlap"));
}

#[test]
fn tables_that_an_engine_does_not_know_are_reported_once() {
    let text = format!("{HEAD}{DISC}{DISC}{DISC}").replace("event-driven", "bonded");
    assert_eq!(
        messages(&text),
        ["a.toml:6: bodies.0 is [[bodies]]; engine = \"bonded\" has [[solids]] instead"]
    );
}

/// A scene with three mistakes besides the tables that `head` gives.
fn three_mistakes_behind(head: &str) -> Vec<String> {
    let text = format!(
        "{head}until = -1\n[materials.default]\nfriction = -0.4\n\
         [[bodies]]\nposition = [3, 3]\nradius = 0.5\nmaterial = 'stell'\n"
    );
    messages(&text)
}

#[test]
fn a_wrong_engine_dimension_or_box_does_not_hide_other_mistakes() {
    let heads = [
        "engine = 'dme'\ndimension = 2\nbox.size = 10\n",
        "engine = 3\ndimension = 2\nbox.size = 10\n",
        "dimension = 2\nbox.size = 10\n",
        "engine = 'dem'\ndimension = 4\nbox.size = 10\n",
        "engine = 'dem'\ndimension = '2D'\nbox.size = 10\n",
        "engine = 'dem'\nbox.size = 10\n",
        "engine = 'dem'\ndimension = 2\nbox.size = -10\n",
        "engine = 'dem'\ndimension = 2\nbox.size = [10, 10, 10]\n",
        "engine = 'dem'\ndimension = 2\nbox.size = [10, 'ten']\n",
    ];
    for head in heads {
        let messages = three_mistakes_behind(head);
        assert_eq!(messages.len(), 4, "{head}: {messages:#?}");
        for part in ["until is -1", "friction is -0.4", "material is 'stell'"] {
            assert!(messages.iter().any(|line| line.contains(part)), "{part}: {messages:#?}");
        }
    }
    // All three together.
    let messages = three_mistakes_behind("engine = 'dme'\ndimension = 5\nbox.size = 0\n");
    assert_eq!(messages.len(), 6, "{messages:#?}");
}

#[test]
fn a_wrong_engine_is_taken_for_the_one_that_has_the_tables() {
    let text = "engine = 'spring'\ndimension = 3\nuntil = 1\n[[solids]]\nlattice = 'fcc'\n\
        shape = 'block'\nsize = [4, 4, 4]\nspacing = 1\n";
    let messages = messages(text);
    assert!(messages[0].starts_with("a.toml:1: engine is 'spring'; "), "{messages:#?}");
    assert!(messages.iter().all(|line| !line.contains("[[solids]]")), "{messages:#?}");
}

#[test]
fn all_unknown_columns_of_frames_are_named() {
    let text = format!("{HEAD}{DISC}[output]\ncolumns = ['weight', 'radius', 'hue']\n");
    assert!(refused(&text).contains("frames have no column weight, hue; there are position"));
}
