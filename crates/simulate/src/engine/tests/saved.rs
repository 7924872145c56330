//! What every engine must do with a saved state.

use super::*;
use crate::SavedArray;

/// The state of an engine, bit for bit.
fn saved<const D: usize>(engine: &dyn Engine<D>) -> SavedArrays {
    let mut arrays = SavedArrays::default();
    engine.save(&mut arrays);
    arrays
}

fn has_bits<const D: usize>(engine: &dyn Engine<D>, of: &SavedArrays) -> bool {
    saved(engine) == *of && engine.time() == engine.state().time
}

/// Saved, an engine continues; restored into a fresh one and into one that has gone elsewhere, it continues to the same bits.
fn continues_to_the_same_bits<const D: usize>(
    start: impl Fn() -> Box<dyn Engine<D>>,
    changes: &[BodyChange<D>],
) {
    let mut whole = start();
    let name = whole.name();
    whole.apply(changes).unwrap();
    whole.advance_to(1.1).unwrap();
    let middle = saved(&*whole);
    let mut elsewhere = start();
    elsewhere.apply(&[velocity(1, -0.2)]).unwrap();
    elsewhere.advance_to(0.3).unwrap();
    let mut restored = [start(), elsewhere];
    for engine in &mut restored {
        let mut arrays = middle.clone();
        arrays.put_f64("of_the_program", [1.0]);
        engine.restore(&mut arrays).unwrap();
        assert!(has_bits(&**engine, &middle), "{name}");
        assert_eq!(arrays.iter().map(|(name, _)| name).last(), Some("of_the_program"));
        engine.check().unwrap();
    }
    for time in [1.2, 3.0] {
        whole.advance_to(time).unwrap();
        for engine in &mut restored {
            engine.advance_to(time).unwrap();
            assert!(has_bits(&**engine, &saved(&*whole)), "{name} at {time}");
            assert_eq!(engine.state(), whole.state(), "{name} at {time}");
            assert_eq!(engine.quantities(), whole.quantities(), "{name} at {time}");
        }
    }
    assert!(saved(&*whole) != middle, "{name}");
}

/// The arrays with another one under a name, or without it.
fn replaced(arrays: &SavedArrays, name: &str, by: Option<SavedArray>) -> SavedArrays {
    let others = arrays.iter().filter(|(other, _)| *other != name);
    let others = others.map(|(name, array)| (name.to_owned(), array.clone()));
    let by = by.map(|array| (name.to_owned(), array));
    SavedArrays::of_engine(&arrays.engine, arrays.dimension).with_arrays(others.chain(by))
}

fn truncated(array: &SavedArray) -> Option<SavedArray> {
    let mut array = array.clone();
    match &mut array {
        SavedArray::F64(values) => values.pop().map(drop),
        SavedArray::U64(values) => values.pop().map(drop),
        SavedArray::U32(values) => values.pop().map(drop),
    }?;
    Some(array)
}

/// All arrays that differ from right ones in one array: missing, too short, of another type, with NaN.
fn damaged(arrays: &SavedArrays) -> Vec<(String, SavedArrays)> {
    let mut all = Vec::new();
    let mut add = |what: &str, name: &str, by| {
        all.push((format!("{what} {name}"), replaced(arrays, name, by)));
    };
    for (name, array) in arrays.iter() {
        // Work that is zero is not stored, so that it may be missing.
        if name != "external_work" {
            add("without", name, None);
        }
        let of_another_type = match array {
            SavedArray::F64(values) => SavedArray::U64(vec![1; values.len()]),
            other => SavedArray::F64(vec![1.0; other.len()]),
        };
        add("of another type", name, Some(of_another_type));
        if let Some(shorter) = truncated(array) {
            add("too short", name, Some(shorter));
        }
        if let SavedArray::F64(values) = array {
            for place in 0..values.len() {
                let mut values = values.clone();
                values[place] = f64::NAN;
                add("NaN in", name, Some(SavedArray::F64(values)));
            }
            // Other arrays may have infinite numbers, such as a smallest gap before the first collision.
            if name.ends_with("positions") || name.ends_with("velocities") {
                let mut values = values.clone();
                values[0] = f64::INFINITY;
                add("infinity in", name, Some(SavedArray::F64(values)));
            }
        }
    }
    all
}

/// What does not fit is refused with one sentence, and the simulation stays as it was.
fn refuses_what_does_not_fit<const D: usize>(
    start: impl Fn() -> Box<dyn Engine<D>>,
    foreign: &[SavedArrays],
) {
    let mut engine = start();
    let name = engine.name();
    engine.apply(&[velocity(0, 1.0)]).unwrap();
    engine.advance_to(1.1).unwrap();
    let right = saved(&*engine);
    let mut engine = start();
    engine.apply(&[velocity(2, 0.3)]).unwrap();
    engine.advance_to(0.4).unwrap();
    let before = saved(&*engine);
    let refused = |engine: &mut Box<dyn Engine<D>>, what: &str, mut arrays: SavedArrays| {
        let error = engine.restore(&mut arrays).err().unwrap_or_else(|| panic!("{name} {what}"));
        let sentence = error.to_string();
        assert!(!sentence.contains('\n') && sentence.len() > 20, "{name} {what}: {sentence}");
        assert!(has_bits(&**engine, &before), "{name} {what}: {sentence}");
        sentence
    };
    let all = damaged(&right);
    assert!(all.len() > 60, "{name} {}", all.len());
    for (what, arrays) in all {
        let sentence = refused(&mut engine, &what, arrays);
        // Infinite numbers are refused by the rules for bodies, too.
        let is_named = sentence.starts_with("the saved state does not fit: ");
        assert!(is_named || what.starts_with("infinity"), "{what}: {sentence}");
    }
    for other in foreign.iter().filter(|it| it.engine != name || it.dimension != D) {
        let sentence = refused(&mut engine, &other.engine, other.clone());
        let expected = match other.engine == name {
            true => format!("it has {} dimensions", other.dimension),
            false => format!("of the engine {:?}", other.engine),
        };
        assert!(sentence.contains(&expected), "{name}: {sentence}");
        // Under its name they are no arrays of this engine either; those of grains are in space in both dimensions.
        if other.engine != name {
            let mut forged = other.clone();
            (forged.engine, forged.dimension) = (name.to_owned(), D);
            refused(&mut engine, &other.engine, forged);
        }
    }
    let sentence = refused(&mut engine, "nothing", SavedArrays::default());
    assert!(sentence.contains("it is of no engine"), "{sentence}");
    engine.advance_to(2.0).unwrap();
    engine.restore(&mut right.clone()).unwrap();
    assert!(has_bits(&*engine, &right), "{name}");
}

fn lattice<const D: usize>() -> SpringLattice {
    if D == 2 { SpringLattice::Square8 } else { SpringLattice::Cubic18 }
}

/// Four spheres between walls, under gravity.
fn spheres_between_walls<const D: usize>() -> event_driven::Simulation<D> {
    let engine = spheres::<D>();
    let starts = (0..4).map(|number| BodyStart {
        mass: engine.mass(number),
        ..BodyStart::new(engine.position(number), Vector::zeros(), 0.5)
    });
    let mut settings = event_driven::Settings::new(Region::walled(Vector::repeat(8.0)));
    settings.gravity = Vector::repeat(-1.0);
    event_driven::Simulation::new(&starts.collect::<Vec<_>>(), settings).unwrap()
}

fn rotating_blocks<const D: usize>() -> dem::Simulation<D> {
    let shape = block::<D>();
    let body = |k: usize| {
        let place = Vector::from_fn(|axis, _| if axis == 0 { 2.0 * k as f64 + 1.0 } else { 4.0 });
        dem::Body {
            angular_velocity: [0.0, 0.0, 1.0].into(),
            ..dem::Body::shaped(place, 0, &shape, 1.0)
        }
    };
    let settings = dem::Settings {
        shapes: vec![shape.clone()],
        time_step: Some(1e-3),
        skin: Some(0.1),
        boundary: Boundary::periodic([Some(9.0); D]).unwrap(),
        ..dem::Settings::with_law(dem::CompositeLaw::spring(1e3))
    };
    dem::Simulation::new(&(0..4).map(body).collect::<Vec<_>>(), settings).unwrap()
}

#[test]
fn every_engine_is_saved_and_restored_to_the_bit() {
    fn all<const D: usize>() {
        let moved = [velocity(0, 1.0), velocity(3, -0.7)];
        let pushed = [
            BodyChange { body: 2, to: BodyProperty::Force(Vector::repeat(0.1)) },
            BodyChange { body: 3, to: BodyProperty::Fixed(true) },
        ];
        let both = [moved, pushed].concat();
        continues_to_the_same_bits::<D>(|| Box::new(spheres()), &moved);
        continues_to_the_same_bits::<D>(|| Box::new(spheres_between_walls()), &moved);
        continues_to_the_same_bits::<D>(|| Box::new(grains()), &both);
        continues_to_the_same_bits::<D>(|| Box::new(rotating_blocks()), &both);
        continues_to_the_same_bits::<D>(|| Box::new(particles(lattice::<D>())), &both);
    }
    all::<2>();
    all::<3>();
    continues_to_the_same_bits::<2>(
        || Box::new(blocks(0.3)),
        &[velocity(0, 0.5), velocity(7, -0.5)],
    );
}

#[test]
fn what_does_not_fit_is_refused_by_every_engine_and_changes_nothing() {
    let foreign = [
        saved::<2>(&grains()),
        saved::<3>(&grains()),
        saved::<2>(&spheres()),
        saved::<3>(&spheres()),
        saved::<2>(&particles(SpringLattice::Square8)),
        saved::<3>(&particles(SpringLattice::Cubic18)),
    ];
    fn all<const D: usize>(foreign: &[SavedArrays]) {
        refuses_what_does_not_fit::<D>(|| Box::new(spheres()), foreign);
        refuses_what_does_not_fit::<D>(|| Box::new(grains()), foreign);
        refuses_what_does_not_fit::<D>(|| Box::new(rotating_blocks()), foreign);
        refuses_what_does_not_fit::<D>(|| Box::new(particles(lattice::<D>())), foreign);
    }
    all::<2>(&foreign);
    all::<3>(&foreign);
    refuses_what_does_not_fit::<2>(|| Box::new(blocks(0.3)), &foreign);
    let mut eight = blocks(0.3);
    let sentence = eight.restore(&mut foreign[4].clone()).unwrap_err().to_string();
    assert!(sentence.starts_with("the saved state does not fit: it has "), "{sentence}");
}

/// Functions of a program are settings: they act in a restored simulation that has them, added before or after.
#[test]
fn force_functions_are_added_to_a_restored_simulation() {
    let start = |is_pushed: bool| {
        let mut engine = grains::<2>();
        if is_pushed {
            engine.add_force(|_, forces| forces[0].x += 0.3);
        }
        engine
    };
    let mut whole = start(true);
    whole.advance(500).unwrap();
    let mut arrays = saved(&whole);
    let (mut before, mut after) = (start(true), start(false));
    before.restore(&mut arrays.clone()).unwrap();
    after.restore(&mut arrays).unwrap();
    after.add_force(|_, forces| forces[0].x += 0.3);
    for engine in [&mut whole, &mut before, &mut after] {
        engine.advance(500).unwrap();
    }
    assert!(whole.body(0).velocity.x > 0.0);
    assert!(has_bits(&before, &saved(&whole)) && has_bits(&after, &saved(&whole)));
}

/// A contact law of a program's own, which keeps nothing of contacts.
#[derive(Clone)]
struct Spring(f64);

impl dem::ContactLaw for Spring {
    type History = ();

    fn contact_force(
        &self,
        contact: &dem::ContactKinematics,
        _: &mut (),
        _: f64,
    ) -> dem::ContactForce {
        dem::ContactForce { normal_force: self.0 * contact.overlap, ..Default::default() }
    }

    fn stored_energy(&self, overlap: f64, _: f64, _: &()) -> f64 {
        0.5 * self.0 * overlap * overlap
    }
}

#[test]
fn a_state_is_restored_under_the_kind_of_law_that_it_was_saved_under() {
    let bodies = [0.0, 0.95].map(|x| dem::Body::at_rest([x, 0.0], 0.5, 1.0));
    let own = || dem::Simulation::new(&bodies, dem::Settings::with_law(Spring(1e3))).unwrap();
    let law = dem::CompositeLaw::spring(1e3);
    let mut built_in = dem::Simulation::new(&bodies, dem::Settings::with_law(law)).unwrap();
    let mut whole = own();
    whole.advance(50).unwrap();
    let (mut arrays, mut resumed) = (saved(&whole), own());
    let sentence = built_in.restore(&mut arrays.clone()).unwrap_err().to_string();
    assert!(sentence.ends_with("it has no array \"tangential_displacements\""), "{sentence}");
    resumed.restore(&mut arrays).unwrap();
    whole.advance(500).unwrap();
    resumed.advance(500).unwrap();
    assert!(whole.body(1).velocity.x > 0.1 && has_bits(&resumed, &saved(&whole)));
}

/// Springs that have broken do not come back.
#[test]
fn solids_get_no_springs_back() {
    let material = Material::elastic(1.0, 1.0);
    let grid = LatticeGrid::fill(SpringLattice::Square8, [[0, 0], [1, 1]], |_| true).unwrap();
    let body = bonded::Body::new(grid, &material, 1.0, |place| *place);
    let mut cut = body.unwrap();
    cut.cut_springs(|_, _| true);
    let mut cut = bonded::Simulation::new(vec![cut]).unwrap();
    let start = saved(&cut);
    let whole = replaced(&start, "springs_0", Some(SavedArray::U32(vec![1; 4])));
    let sentence = cut.restore(&mut whole.clone()).unwrap_err().to_string();
    assert!(sentence.contains("springs that the scene has not"), "{sentence}");
    assert!(has_bits(&cut, &start));
}
