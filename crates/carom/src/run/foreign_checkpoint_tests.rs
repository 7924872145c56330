//! Checkpoints of another engine, dimension or contact law than the scene asks for.

#![allow(clippy::unwrap_used)]

use super::*;
use carom_io::Checkpoint;
use carom_scene::scene::AnyScene;
use carom_simulate::dem::CompositeLaw;

const ENGINES: [&str; 3] = ["event-driven", "dem", "bonded"];

/// One moving body of an engine.
fn one_body(engine: &str, dimension: usize) -> AnyScene {
    let place = &[4.0, 4.0, 4.0][..dimension];
    let body = match engine {
        "bonded" => format!(
            "[[solids]]\nblock = {{ low = {:?}, high = {:?} }}\nspacing = 0.5\n",
            &[3.0, 3.0, 3.0][..dimension],
            &[5.0, 5.0, 5.0][..dimension]
        ),
        _ => format!("[[bodies]]\nposition = {place:?}\nradius = 0.5\n"),
    };
    let material = match engine {
        "bonded" => "materials.default = { density = 1, youngs_modulus = 100 }\n",
        _ => "",
    };
    let text = format!(
        "engine = '{engine}'\ndimension = {dimension}\nuntil = 0.1\nbox = {{ size = 9, boundary = 'open' }}\n\
         {material}{body}"
    );
    AnyScene::parse(&text, "a.toml", "".as_ref(), &[]).unwrap()
}

fn checkpoint(scene: &AnyScene) -> Checkpoint {
    match scene {
        AnyScene::TwoD(scene) => Run::new(scene).unwrap().checkpoint(),
        AnyScene::ThreeD(scene) => Run::new(scene).unwrap().checkpoint(),
    }
}

fn resume(scene: &AnyScene, checkpoint: Checkpoint) -> Result<(), Error> {
    match scene {
        AnyScene::TwoD(scene) => Run::resume(scene, checkpoint).map(|_| ()),
        AnyScene::ThreeD(scene) => Run::resume(scene, checkpoint).map(|_| ()),
    }
}

fn is_a_sentence(text: &str) -> bool {
    !text.contains('\n') && !text.contains(". ") && text.contains(' ') && !text.ends_with('.')
}

#[test]
fn a_checkpoint_of_another_engine_or_dimension_is_refused_in_a_sentence() {
    let all = || ENGINES.into_iter().flat_map(|engine| [(engine, 2), (engine, 3)]);
    for (engine, dimension) in all() {
        let here = one_body(engine, dimension);
        let own = checkpoint(&here);
        resume(&here, own.clone()).unwrap();
        for other in all().filter(|other| *other != (engine, dimension)) {
            let foreign = checkpoint(&one_body(other.0, other.1));
            let refused = resume(&here, foreign.clone()).unwrap_err().to_string();
            let expected = match other.0 == engine {
                true => format!("has {} dimensions, and the scene has {dimension}", other.1),
                false => format!(
                    "was written by the engine \"{}\", and the scene asks for \"{engine}\"",
                    other.0
                ),
            };
            assert!(is_a_sentence(&refused) && refused.contains(&expected), "{refused}");

            // Even under the name of this scene its arrays are not taken for those of another engine.
            let mut forged = foreign;
            (forged.arrays.engine, forged.arrays.dimension) = (engine.to_owned(), dimension);
            forged.scene_digest = own.scene_digest;
            match resume(&here, forged) {
                Ok(()) => assert_eq!((engine, other.0), ("dem", "dem"), "{other:?}"),
                Err(error) => assert!(is_a_sentence(&error.to_string()), "{error}"),
            }
        }
    }
}

#[test]
fn a_checkpoint_of_another_contact_law_is_refused_in_a_sentence() {
    let AnyScene::TwoD(scene) = one_body("dem", 2) else { unreachable!("it is of the plane") };
    let law = |_: [&carom_scene::scene::Material; 2], law: CompositeLaw| law;
    let own = Run::with_contact_law(&scene, law).unwrap().checkpoint();
    let built_in = Run::new(&scene).unwrap().checkpoint();
    Run::resume_with_contact_law(&scene, own.clone(), law).unwrap();
    for refused in
        [Run::resume(&scene, own).err(), Run::resume_with_contact_law(&scene, built_in, law).err()]
    {
        let sentence = refused.unwrap().to_string();
        let names_an_array = ["contact_histories", "tangential_displacements"]
            .iter()
            .any(|name| sentence.contains(name));
        assert!(is_a_sentence(&sentence) && names_an_array, "{sentence}");
    }
    for engine in ["event-driven", "bonded"] {
        let AnyScene::TwoD(scene) = one_body(engine, 2) else { unreachable!("it is of the plane") };
        let checkpoint = Run::new(&scene).unwrap().checkpoint();
        let refused = Run::resume_with_contact_law(&scene, checkpoint, law).err().unwrap();
        let sentence = refused.to_string();
        assert!(is_a_sentence(&sentence) && sentence.contains(engine), "{sentence}");
    }
}
