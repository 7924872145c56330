//! Which colors pictures of an engine can have.

use super::*;

const SOLID: &str = "[materials.default]\nyoungs_modulus = 2\n\
                     [[solids]]\ncircle = { center = [5, 5], radius = 2 }\nspacing = 0.5\n";

#[test]
fn every_engine_has_the_colors_of_what_it_knows() {
    let all = ["speed", "pressure", "cluster", "strain", "damage", "fragment"];
    let of_deform = "only engine = \"bonded\" has it; take \"speed\"";
    let of_touching = "only bodies that touch have it; take \"speed\"";
    for (engine, bodies, known, said) in [
        ("event-driven", DISC, &["speed"][..], [of_touching, of_deform]),
        ("dem", DISC, &["speed", "pressure", "cluster"], [of_touching, of_deform]),
        (
            "bonded",
            SOLID,
            &["speed", "pressure", "strain", "damage", "fragment"],
            ["engine = \"bonded\" has no clusters; take \"fragment\"", of_deform],
        ),
    ] {
        for name in all {
            let head = HEAD.replace("event-driven", engine);
            let text = format!("{head}{bodies}[output]\ncolor = '{name}'\n");
            if known.contains(&name) {
                assert_eq!(plane(&text).output.color.name(), name, "{engine}");
            } else {
                let message = refused(&text);
                let kind = usize::from(!["pressure", "cluster"].contains(&name));
                assert!(message.contains(said[kind]), "{engine} {name}: {message}");
            }
        }
    }
}
