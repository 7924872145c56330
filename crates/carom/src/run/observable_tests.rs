#![allow(clippy::unwrap_used)]

use super::*;
use crate::Results;
use carom_io::Checkpoint;
use carom_scene::scene::AnyScene;
use carom_simulate::observe::{Observable, ObservableTable, Sample};
use carom_simulate::{Value, Values};

const FALLING: &str = "engine = 'dem'\ndimension = 2\nuntil = 1\nstep = 1e-4\nbox.size = 90\n\
    box.boundary = 'open'\ngravity.acceleration = [0, -2]\noutput.log_interval = 0.25\n\
    output.formats = []\noutput.picture = false\n\
    [[bodies]]\nposition = [5, 50]\nvelocity = [0, 1]\nradius = 0.5\n";

fn scene() -> Scene<2> {
    match AnyScene::parse(FALLING, "fall.toml", "".as_ref(), &[]).unwrap() {
        AnyScene::TwoD(scene) => scene,
        AnyScene::ThreeD(_) => unreachable!("it is of the plane"),
    }
}

/// The largest height so far, and all heights as a table.
#[derive(Default)]
struct Peak(Vec<f64>);

impl Observable<2> for Peak {
    fn name(&self) -> &str {
        "peak"
    }

    fn columns(&self) -> Vec<String> {
        vec!["peak".to_owned()]
    }

    fn sample(&mut self, sample: &Sample<'_, 2>) -> Vec<Value> {
        self.0.push(sample.state().positions[0].y);
        vec![self.0.iter().copied().fold(0.0, f64::max).into()]
    }

    fn summary(&self, _: &Sample<'_, 2>) -> Values {
        [("samples".to_owned(), self.0.len() as u64)].into_iter().collect()
    }

    fn table(&self, _: &Sample<'_, 2>) -> Option<ObservableTable> {
        let rows = self.0.iter().map(|&height| vec![height]).collect();
        Some(ObservableTable { columns: vec!["height".to_owned()], rows })
    }

    fn save(&self) -> Vec<f64> {
        self.0.clone()
    }

    fn restore(&mut self, saved: &[f64]) -> Result<(), String> {
        self.0 = saved.to_vec();
        Ok(())
    }
}

#[test]
fn an_observable_of_ones_own_is_in_log_summary_and_table() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fall.run");
    let run = SceneRun::parse(FALLING).unwrap().observe(Peak::default()).unwrap();
    let outcome = run.into_folder(&path).unwrap();
    assert_eq!(outcome.summary["samples"], 5);
    let peaks = Results::open(&path).unwrap().log().unwrap();
    let peaks = peaks.column("peak").unwrap().to_vec();
    // It turns at half a second, a quarter above its start.
    assert!((peaks[4] - 50.25).abs() < 1e-2 && peaks[0] == 50.0, "{peaks:?}");
    let table = std::fs::read_to_string(path.join("peak.csv")).unwrap();
    assert_eq!(table.lines().count(), 6);
}

#[test]
fn an_observable_of_ones_own_continues_after_a_cut() {
    let scene = scene();
    let mut run = Run::new(&scene).unwrap();
    run.observe(Box::new(Peak::default())).unwrap();
    run.emit_due_output(&mut ()).unwrap();
    while run.rows() < 3 {
        run.advance().unwrap();
        run.emit_due_output(&mut ()).unwrap();
    }
    let stored = Checkpoint::decode(&run.checkpoint().encode(), "a checkpoint").unwrap();
    // Without it the run would lose what it has measured.
    let refused = Run::resume(&scene, stored.clone()).unwrap().run_to_end(&mut ()).unwrap_err();
    assert!(refused.to_string().contains("must add that observable"), "{refused}");
    let mut run = Run::resume(&scene, stored).unwrap();
    run.observe(Box::new(Peak::default())).unwrap();
    run.run_to_end(&mut ()).unwrap();
    let summary = run.summary(Ending::Time, Timing::default());
    assert_eq!(summary.number("samples"), Some(5.0));
}

/// A name and columns, and as many values as it likes.
struct Odd(&'static str, &'static str, usize);

impl Observable<2> for Odd {
    fn name(&self) -> &str {
        self.0
    }

    fn columns(&self) -> Vec<String> {
        vec![self.1.to_owned()]
    }

    fn sample(&mut self, _: &Sample<'_, 2>) -> Vec<Value> {
        vec![Value::Count(1); self.2]
    }
}

#[test]
fn observables_that_do_not_fit_are_refused_in_a_sentence() {
    let scene = scene();
    let mut run = Run::new(&scene).unwrap();
    run.observe(Box::new(Odd("mine", "mine", 2))).unwrap();
    for (odd, says) in [
        (Odd("mine", "other", 1), "another one has that name"),
        (Odd("other", "mine", 1), "another column has that name"),
        (Odd("other", "time", 1), "another column has that name"),
        (Odd("a/b", "x", 1), "letters, digits and _"),
    ] {
        let refused = run.observe(Box::new(odd)).unwrap_err().to_string();
        assert!(refused.contains(says), "{refused}");
    }
    let refused = run.run_to_end(&mut ()).unwrap_err().to_string();
    assert!(refused.contains("one value for each of its columns"), "{refused}");
    let mut late = Run::new(&scene).unwrap();
    late.emit_due_output(&mut ()).unwrap();
    let refused = late.observe(Box::new(Odd("late", "late", 1))).unwrap_err().to_string();
    assert!(refused.contains("rows without it"), "{refused}");
    let space = FALLING.replace("dimension = 2", "dimension = 3").replace("[0, -2]", "[0, -2, 0]");
    let space = space.replace("[5, 50]", "[5, 50, 5]").replace("[0, 1]", "[0, 1, 0]");
    let refused = SceneRun::parse(&space).unwrap().observe(Peak::default()).err().unwrap();
    assert!(refused.to_string().contains("the dimension of the scene"), "{refused}");
}

/// Two grains that fly side by side through the sides of a periodic box.
fn flight(velocity: [f64; 2]) -> Scene<2> {
    let [x, y] = velocity;
    let text = format!(
        "engine = 'dem'\ndimension = 2\nuntil = 4\nstep = 1e-3\nbox.size = [6, 7]\n\
         box.boundary = 'periodic'\noutput.log_interval = 0.5\n\
         observe.mean_square_displacement = true\n[materials.default]\nstiffness = 1\n\
         [[bodies]]\nposition = [1, 1]\nvelocity = [{x}, {y}]\nradius = 0.5\n\
         [[bodies]]\nposition = [4, 5]\nvelocity = [{x}, {y}]\nradius = 0.5\n"
    );
    match AnyScene::parse(&text, "flight.toml", "".as_ref(), &[]).unwrap() {
        AnyScene::TwoD(scene) => scene,
        AnyScene::ThreeD(_) => unreachable!("it is of the plane"),
    }
}

#[test]
fn grains_are_followed_through_periodic_sides_and_cuts() {
    for velocity in [[3.0, 4.0], [-3.0, -4.0], [4.0, -3.0], [-5.0, 0.0]] {
        let scene = flight(velocity);
        let end = |mut run: Run<2>| {
            run.run_to_end(&mut ()).unwrap();
            let summary = run.summary(Ending::Time, Timing::default());
            summary.number("mean_square_displacement").unwrap()
        };
        let uncut = end(Run::new(&scene).unwrap());
        assert!((uncut / 400.0 - 1.0).abs() < 1e-9, "{velocity:?}: {uncut}");
        let mut cut = Run::new(&scene).unwrap();
        cut.emit_due_output(&mut ()).unwrap();
        while cut.rows() < 5 {
            cut.advance().unwrap();
            cut.emit_due_output(&mut ()).unwrap();
        }
        let stored = Checkpoint::decode(&cut.checkpoint().encode(), "a checkpoint").unwrap();
        let resumed = end(Run::resume(&scene, stored).unwrap());
        assert_eq!(resumed.to_bits(), uncut.to_bits(), "{velocity:?}");
    }
}
