//! Messages about broken rules.

use super::*;

#[test]
fn unknown_keys_are_named_with_their_line_and_the_nearest_key() {
    assert_eq!(
        refused_with("radius", "radis"),
        "a.toml:8: unknown key \"radis\"; did you mean radius?"
    );
    assert_eq!(
        refused_with("until", "untill"),
        "a.toml:3: unknown key \"untill\"; did you mean until?"
    );
    assert_eq!(
        refused_table("[gravity]\nqqq = 1"),
        "a.toml:10: unknown key \"qqq\"; possible here: acceleration, angular_velocity"
    );
}

#[test]
fn wrong_types_are_named_with_what_is_expected() {
    for (from, to, message) in [
        ("0.5", "'big'", "a.toml:8: bodies.0.radius is 'big'; it must be a number"),
        (
            "[5, 5]",
            "5",
            "a.toml:7: bodies.0.position is 5; it must be a list, such as [1, 2] or several [[tables]]",
        ),
        ("[5, 5]", "[5, true]", "a.toml:7: bodies.0.position.1 is true; it must be a number"),
        ("= 2", "= 2.5", "a.toml:2: dimension is 2.5; it must be 2 or 3"),
        ("= 2", "= -2", "a.toml:2: dimension is -2; it must be 2 or 3"),
        ("= 2", "= '2'", "a.toml:2: dimension is '2'; it must be 2 or 3"),
        ("'event-driven'", "3", "a.toml:1: engine is 3; it must be a text in quotes"),
        (
            "size = 10",
            "size = true",
            "a.toml:5: box.size is true; it must be one value or a list with one per axis",
        ),
        (
            "[[bodies]]",
            "[bodies]",
            "a.toml:6: bodies is [bodies]; it must be a list, such as [1, 2] or several [[tables]]",
        ),
    ] {
        assert_eq!(refused_with(from, to), message);
    }
    assert_eq!(
        refused_table("[neighbors]\nmethod = 'celltree'"),
        "a.toml:10: neighbors.method is 'celltree'; did you mean cell-tree? it must be one of auto, \
         all-pairs, cell-grid, cell-tree, segment-trees, neighbor-lists, laguerre-delaunay"
    );
}

#[test]
fn values_out_of_range_are_named_with_their_rule() {
    for (from, to, message) in [
        (
            "0.5",
            "-0.2",
            "a.toml:8: bodies.0.radius is -0.2; a radius must be finite and greater than zero",
        ),
        (
            "0.5",
            "nan",
            "a.toml:8: bodies.0.radius is nan; a radius must be finite and greater than zero",
        ),
        (
            "0.5",
            "1e300",
            "a.toml:8: bodies.0.radius is 1e300; it must lie between 1e-100 and 1e100",
        ),
        (
            "[5, 5]",
            "[5, inf]",
            "a.toml:7: bodies.0.position is [5, inf]; every number must be finite",
        ),
        (
            "[5, 5]",
            "[5, 5, 5]",
            "a.toml:7: bodies.0.position is [5, 5, 5]; in 2 dimensions it must hold 2 numbers, one per axis",
        ),
        ("= 2", "= 4", "a.toml:2: dimension is 4; it must be 2 or 3"),
        ("until = 1", "until = -1", "a.toml:3: until is -1; it must be finite and not negative"),
        (
            "'event-driven'",
            "'event'",
            "a.toml:1: engine is 'event'; did you mean event-driven? it must be one of event-driven, dem, bonded",
        ),
        (
            "'event-driven'",
            "'steps'",
            "a.toml:1: engine is 'steps'; did you mean dem? it must be one of event-driven, dem, bonded",
        ),
        (
            "size = 10",
            "size = [10]",
            "a.toml:5: box.size is [10]; it must be one value or a list of 2, one per axis",
        ),
        (
            "size = 10",
            "size = 0",
            "a.toml:5: box.size is 0; every edge must be greater than zero and at most 1e100",
        ),
        (
            "0.5",
            "0.5\nmass = 0",
            "a.toml:9: bodies.0.mass is 0; a mass must be finite and greater than zero",
        ),
        (
            "0.5",
            "0.5\nvelocity = [nan, 0]",
            "a.toml:9: bodies.0.velocity is [nan, 0]; every number must be finite",
        ),
    ] {
        assert_eq!(refused_with(from, to), message);
    }
    assert_eq!(
        refused_table("[materials.m]\nrestitution = 1.1"),
        "a.toml:10: materials.m.restitution is 1.1; a restitution must lie between 0 and 1"
    );
}

#[test]
fn a_former_name_is_refused_with_that_of_today() {
    for (table, former, today) in [
        ("[neighbours]", "neighbours", "neighbors"),
        ("[output]\ncolour = 'speed'", "colour", "color"),
        ("[gravity]\nacceleration = [0, 0]\nspin = 1", "spin", "angular_velocity"),
        ("[materials.m]\nsprings = { egg_shell = true }", "egg_shell", "rigid_brittle"),
        ("[materials.m]\nsprings = { pushed = 0.5 }", "pushed", "compression_ratio"),
        ("[[generate]]\nkind = 'random'\nregion = { ball = 1 }", "ball", "sphere"),
    ] {
        let message = refused_table(table);
        let expected = format!("unknown key \"{former}\"; did you mean {today}?");
        assert!(message.contains(&expected), "{message}");
    }
    assert_eq!(
        refused_table("[neighbors]\nmethod = 'shells'"),
        "a.toml:10: neighbors.method is 'shells'; did you mean neighbor-lists? it must be one of auto, \
         all-pairs, cell-grid, cell-tree, segment-trees, neighbor-lists, laguerre-delaunay"
    );
}

#[test]
fn a_scene_that_lacks_something_says_what_to_write() {
    let message = refused("dimension = 2");
    assert!(message.starts_with("a.toml: the scene has no \"engine\"; add it\n"), "{message}");
    assert_eq!(
        refused_with("until = 1\n", ""),
        "a.toml: the scene never ends; give it until = a time or collisions = a number"
    );
    assert_eq!(refused(HEAD), "a.toml: the scene has no bodies; add [[bodies]] or [[generate]]");
    assert_eq!(
        refused_with("size = 10", ""),
        "a.toml: the box has no size; give box.size, a packing_fraction in [[generate]], or a \
         particle file with a Lattice"
    );
    assert_eq!(
        refused_with("radius = 0.5", ""),
        "a.toml:6: this body has no \"radius\"; add it, or name a file"
    );
    assert_eq!(
        refused_with("'event-driven'", "'event-driven"),
        "a.toml:1: this is not valid TOML: invalid literal string, expected `'`"
    );
}

#[test]
fn bodies_outside_the_box_are_named() {
    assert_eq!(
        refused_with("[5, 5]", "[5, 10]"),
        "a.toml:6: body 0 has y 10.0; its center must be in the box, between 0.0 and 10.0"
    );
    let walled = format!("{HEAD}boundary = 'wall'\n{DISC}");
    plane(&walled.replace("[5, 5]", "[0.5, 9.5]"));
    assert_eq!(
        refused(&walled.replace("[5, 5]", "[0.4, 5]")),
        "a.toml:7: body 0 has x 0.4; to be completely between the walls it must lie between 0.5 and 9.5"
    );
}

#[test]
fn overlapping_bodies_are_named_with_their_depth() {
    let second = "[[bodies]]\nposition = [5.75, 5]\nradius = 0.5\n";
    assert_eq!(
        refused_table(second),
        "a.toml:9: bodies 0 and 1 overlap by 0.25 at the start; an event-driven run needs a start \
         without overlap: move them apart or make them smaller"
    );
    plane(&format!("{HEAD}{DISC}{}", second.replace("5.75", "6")));
}

#[test]
fn a_period_must_exceed_twice_the_largest_diameter() {
    assert_eq!(
        refused_with("size = 10", "size = [10, 2]"),
        "a.toml:5: the box is 2.0 long on the periodic axis y, but the largest diameter of a body is \
         1.0; a period must exceed twice that: enlarge the box or take smaller bodies"
    );
}

#[test]
fn tables_with_contradictions_are_refused() {
    for (table, message) in [
        (
            "[growth]\nrate = 0.1\nuntil_packing_fraction = 0.001",
            "a.toml:11: growth.until_packing_fraction is 0.001; the bodies cover 0.007854 of the \
             box at the start already; grow further or start from less",
        ),
        (
            "[growth]\nrate = 0.1\nuntil_packing_fraction = 0.9",
            "a.toml:5: the box is 10.0 long on the periodic axis x, but the largest diameter after \
             growth is 10.704744696916627; a period must exceed twice that: enlarge the box or take \
             smaller bodies",
        ),
        (
            "[growth]\nrate = 1\nuntil_packing_fraction = 0.1\nuntil_pressure = 9",
            "a.toml:9: growth has \"until_packing_fraction\" and \"until_pressure\"; keep one of them",
        ),
        (
            "[thermostat]\nkind = 'kicks'\ntemperature = 1\ninterval = 1",
            "a.toml:12: thermostat.interval is 1; only rescale has an interval; kicks have a rate",
        ),
        (
            "[thermostat]\nkind = 'rescale'\ntemperature = 1",
            "a.toml:9: thermostat has no \"interval\"; add it",
        ),
        (
            "[field]\nperiod = 1",
            "a.toml:9: field is [field]; it has no effect; give it a drag, a trap or both",
        ),
        (
            "[observe]\nradial_distribution = { to = 6 }",
            "a.toml:10: observe.radial_distribution.to is 6; it must not exceed half the shortest \
             period of the box, 5.0",
        ),
        (
            "[materials.m]\nrestitution = { constant = 1, at_speed = 1 }",
            "a.toml:10: restitution has \"constant\" and \"at_speed\"; keep one of them",
        ),
        (
            "[output]\ncheckpoint_interval = '3 weeks'",
            "a.toml:10: output.checkpoint_interval is '3 weeks'; it must be a time such as 30, \
             \"30s\", \"5min\" or \"1h\"",
        ),
        (
            "[[bodies]]\nposition = [1, 1]\nradius = 0.1\nmaterial = 'glas'\n[materials.glass]",
            "a.toml:12: bodies.1.material is 'glas'; did you mean glass? it must be one of default, \
             glass",
        ),
    ] {
        assert_eq!(refused_table(table), message);
    }
}

#[test]
fn tables_within_values_are_checked_too() {
    assert_eq!(
        refused_table("[materials.m]\nrestitution = { constnt = 1 }"),
        "a.toml:10: unknown key \"constnt\"; did you mean constant?"
    );
    assert_eq!(
        refused_table("[materials.m]\nrestitution = { at_speed = 'a' }"),
        "a.toml:10: materials.m.restitution.at_speed is 'a'; it must be a number"
    );
}

#[test]
fn integers_beyond_those_of_toml_are_refused() {
    assert_eq!(
        refused_with("until = 1", "collisions = 10000000000000000000"),
        "a.toml:3: collisions is 10000000000000000000; it must be a whole number from 0 to \
         9223372036854775807"
    );
    assert!(refused_with("until = 1", "until = 10000000000000000000").contains("decimal point"));
}

#[test]
fn a_crowd_of_bodies_too_large_for_a_period_is_refused_before_it_is_placed() {
    let table = "[[generate]]\nkind = 'random'\ncount = 9\nradius = 4\n";
    assert!(refused_table(table).contains("a period must exceed twice that"));
}

#[test]
fn a_count_of_bodies_starts_at_one_and_a_key_that_stands_twice_is_named() {
    assert_eq!(
        refused_table("[[generate]]\nkind = 'random'\ncount = -5\nradius = 0.1"),
        "a.toml:11: generate.0.count is -5; it must be a whole number from 1 to 9223372036854775807"
    );
    assert_eq!(
        refused_with("until = 1", "until = 1\nuntil = 2"),
        "a.toml:4: this is not valid TOML: duplicate key until"
    );
}
