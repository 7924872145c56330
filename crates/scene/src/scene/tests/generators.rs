//! Generated bodies.

use super::*;

const GENERATED: &str = "engine = 'event-driven'\ndimension = 3\nuntil = 1\n[[generate]]\n\
                     kind = 'random'\ncount = 300\nradius = 0.5\npacking_fraction = 0.2\n\
                     temperature = 2\n";

#[test]
fn a_packing_fraction_gives_the_box_its_size() {
    let scene = space(GENERATED);
    assert_eq!(scene.bodies.len(), 300);
    assert!((scene.packing_fraction() - 0.2).abs() < 1e-12);
    let energy: f64 =
        scene.bodies.iter().map(|body| body.mass * body.velocity.norm_squared()).sum();
    // No total momentum: three degrees of freedom less.
    assert!((energy / 897.0 - 2.0).abs() < 1e-12);
}

#[test]
fn a_packing_fraction_must_agree_with_a_size() {
    let sized = |size: f64| format!("{GENERATED}[box]\nsize = {size}");
    assert_eq!(
        refused(&sized(10.0)),
        "a.toml:8: generate.0.packing_fraction is 0.2; but count, radius and size of the box make \
         it 0.157080; leave one of them out"
    );
    space(&sized(9.2265));
}

#[test]
fn equal_seeds_give_equal_bits_and_others_do_not() {
    let bodies = |seed: &str| match parse(GENERATED, &[seed]).unwrap() {
        AnyScene::ThreeD(scene) => scene.bodies,
        AnyScene::TwoD(_) => unreachable!("the scene is in space"),
    };
    assert_eq!(bodies("seed=5"), bodies("seed=5"));
    assert_ne!(bodies("seed=5"), bodies("seed=6"));
}

#[test]
fn the_first_bodies_of_a_seed_are_frozen() {
    let body = space(GENERATED).bodies[0];
    let digits = |vector: Vector<3>| vector.iter().map(|x| format!("{x:.12}")).collect::<Vec<_>>();
    assert_eq!(digits(body.position), FROZEN_POSITION);
    assert_eq!(digits(body.velocity), FROZEN_VELOCITY);
}

const FROZEN_POSITION: [&str; 3] = ["8.862508402377", "2.954521333631", "0.158893151625"];
const FROZEN_VELOCITY: [&str; 3] = ["0.293631052641", "0.653583036070", "-0.856800840615"];

#[test]
fn bodies_that_do_not_fit_say_what_to_do() {
    let message = refused(&GENERATED.replace("0.2", "0.5"));
    let start = "a.toml:4: ";
    let end = " of 300 bodies found a place without overlap in the box; lower the packing fraction or the \
               count, take kind = \"lattice\", or start small and let the bodies grow by [growth]";
    assert!(message.starts_with(start) && message.ends_with(end), "{message}");
    let dense = GENERATED.replace("random", "lattice").replace("0.2", "0.74");
    assert!(refused(&dense).contains("denser than the largest body allows"));
    space(&dense.replace("0.74", "0.6"));
}

#[test]
fn sizes_may_be_spread_and_shared() {
    let radii = |spread: &str| {
        let scene = space(&GENERATED.replace("radius = 0.5", &format!("radius = {spread}")));
        scene.bodies.iter().map(|body| body.radius).collect::<Vec<_>>()
    };
    let uniform = radii("{ min = 0.2, max = 0.4 }");
    assert!(uniform.iter().all(|radius| (0.2..=0.4).contains(radius)));
    let shared = radii("{ values = [0.5, 0.25], weights = [1, 2] }");
    assert_eq!(shared.iter().filter(|&&radius| radius == 0.5).count(), 100);
    let by_volume = radii("{ values = [0.5, 0.25], by = 'volume' }");
    assert_eq!(by_volume.iter().filter(|&&radius| radius == 0.5).count(), 33);
    for spread in ["{ min = 1 }", "{ values = [1], min = 1, max = 2 }", "{}"] {
        let text = GENERATED.replace("radius = 0.5", &format!("radius = {spread}"));
        assert!(
            refused(&text).ends_with("it must be a number, { min, max } or { values, weights }")
        );
    }
}

#[test]
fn a_part_of_the_box_can_be_filled() {
    let table = "[[generate]]\nkind = 'random'\ncount = 10\nradius = 0.25\n\
                 region = { low = [0, 0], high = [4, 10] }\n";
    let scene = plane(&format!("{HEAD}{DISC}{table}"));
    for body in &scene.bodies[1..] {
        assert!((0.25..3.75).contains(&body.position.x));
    }
    assert_eq!(
        refused(&format!("{HEAD}{}", table.replace("[4, 10]", "[4, 11]"))),
        "a.toml:10: generate.0.region is { low = [0, 0], high = [4, 11] }; low must be below high \
         on every axis, and both in the box"
    );
}
