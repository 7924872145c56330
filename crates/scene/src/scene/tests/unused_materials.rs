//! Materials that nothing uses.

use super::*;

fn unused(text: &str) -> Vec<String> {
    plane(text).warnings()
}

#[test]
fn a_material_that_nothing_names_is_reported() {
    let gas = "engine = 'event-driven'\ndimension = 2\nuntil = 1\n\
        [[generate]]\nkind = 'random'\ncount = 5\nradius = 1\npacking_fraction = 0.1\n";
    let misspelt = format!("{gas}[materials.defalt]\nrestitution = 0.5\n[materials.ice]\n");
    let start = "nothing uses the material";
    let rule = "no body, generator, pour, solid, wall, force or pair of materials names it";
    assert_eq!(
        unused(&misspelt),
        [format!("{start} defalt: {rule}; did you mean default?"), format!("{start} ice: {rule}")]
    );
    let named = format!("{misspelt}[materials.default]\nrestitution = 0.9\n")
        .replace("kind = 'random'", "kind = 'random'\nmaterial = 'ice'");
    assert_eq!(
        unused(&named),
        [format!("{start} defalt: {rule}"), format!("{start} default: {rule}")]
    );
    // As a sweep reads it, which places no bodies.
    let outline = SceneOutline::parse(&named, "named", "".as_ref(), &[]).unwrap();
    let AnyScene::TwoD(scene) = outline.without_generated_bodies().unwrap() else { panic!() };
    assert_eq!(scene.warnings(), unused(&named));
}

#[test]
fn whatever_names_a_material_uses_it() {
    let text = "engine = 'dem'\ndimension = 2\nbox = { size = 20, boundary = 'wall' }\n\
        [materials.body]\n[materials.poured]\n[materials.wall]\n[materials.force]\n[materials.one]\n\
        [materials.other]\n[materials.later]\n\
        [[bodies]]\nposition = [5, 5]\nradius = 1\nmaterial = 'body'\n\
        [[pour]]\ncount = 2\nradius = 0.2\nrate = 3\nmaterial = 'poured'\n\
        [[walls]]\nname = 'floor'\nkind = 'plane'\npoint = [0, 1]\nnormal = [0, 1]\nmaterial = 'wall'\n\
        [[forces]]\nforce = [1, 0]\nmaterial = 'force'\n\
        [[contacts]]\nbetween = ['one', 'other']\nfriction = 0.2\n\
        [[stages]]\nname = 'a'\nduration = 1\n\
        [[stages]]\nname = 'b'\nduration = 1\nwalls.floor.material = 'later'\n";
    assert_eq!(unused(text), Vec::<String>::new());
    let stay = unused(&text.replace("walls.floor.material = 'later'", ""));
    assert_eq!(stay.len(), 1, "{stay:?}");
    assert!(stay[0].starts_with("nothing uses the material later: "), "{stay:?}");
    let solid = "engine = 'bonded'\ndimension = 2\nuntil = 1\nbox.size = 9\n\
        [materials.glass]\nyoungs_modulus = 1e3\n\
        [[solids]]\nblock = { low = [1, 1], high = [4, 4] }\nspacing = 0.5\nmaterial = 'glass'\n";
    assert_eq!(unused(solid), Vec::<String>::new());
}
