//! A run that a program advances itself, in place of the schedule of its scene.

use super::engine_run::{self, NextOutput};
use super::{Ending, Error, Run};
use carom_io::Checkpoint;
use carom_scene::Scene;
use carom_scene::scene::Limits;
use carom_simulate::Values;

/// Where a run pauses that a program advances: at a time, or at a number of steps or collisions, whichever is first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goal {
    /// Simulated time.
    pub time: f64,
    /// Number of steps or collisions since the start, whichever the engine counts.
    pub count: u64,
}

/// Why a run pauses that a program advances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Pause {
    /// The time of the goal is reached.
    Time,
    /// The number of steps or collisions of the goal is reached.
    Count,
    /// Nothing more happens in the scene: its last stage or its growth has ended, or nothing moves any more.
    Ended(Ending),
}

impl Goal {
    /// Makes the goal of a time.
    pub fn time(time: f64) -> Self {
        Goal { time, count: u64::MAX }
    }

    /// Makes the goal of a number of steps or collisions since the start.
    pub fn count(count: u64) -> Self {
        Goal { time: f64::INFINITY, count }
    }
}

impl<const D: usize> Run<D> {
    /// Continues from a checkpoint as [`resume`](Self::resume) does, also from one beyond the end of the scene.
    pub fn resume_stepping(scene: &Scene<D>, mut checkpoint: Checkpoint) -> Result<Self, Error> {
        Run::take_from(&mut checkpoint, scene, engine_run::resume)
    }

    /// Advances toward a goal for some hundredths of a second, and says why it pauses; `None` if there is more to do.
    ///
    /// Stages begin when they are due. Rows and frames are not: measure them by [`measure_row`](Self::measure_row) and
    /// [`frame`](Self::frame). The end of a scene without stages (`until`, `collisions`) does not count.
    ///
    /// Errors if the engine cannot continue, or if the checkpoint of a resumed run has an observable that was not added.
    ///
    /// ```
    /// use carom::run::{Goal, Pause, Run};
    /// use carom::scene::scene::AnyScene;
    /// let text = "engine = 'dem'\ndimension = 2\nuntil = 1.0\nbox.size = 9\nstep = 0.0009765625\n\
    ///             [[bodies]]\nposition = [5, 5]\nvelocity = [1, 0]\nradius = 0.5";
    /// let AnyScene::TwoD(scene) = AnyScene::parse(text, "one.toml", "".as_ref(), &[])? else { panic!() };
    /// let mut run = Run::new(&scene)?;
    /// let pause = |run: &mut Run<2>, goal: Goal| loop {
    ///     if let Some(pause) = run.advance_toward(goal)? {
    ///         break Ok::<_, carom::run::Error>(pause);
    ///     }
    /// };
    /// assert_eq!(pause(&mut run, Goal::count(3))?, Pause::Count);
    /// assert_eq!(pause(&mut run, Goal::time(2.0))?, Pause::Time);
    /// assert_eq!(run.measure_row()?.number("time"), Some(2.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn advance_toward(&mut self, goal: Goal) -> Result<Option<Pause>, Error> {
        self.check_observables()?;
        if goal.time.is_nan() {
            let (what, rule) = ("the time to advance to", "it must be a number");
            let value = goal.time.to_string();
            return Err(carom_simulate::Error::Setting { what, value, rule }.into());
        }
        if self.staged.is_none() {
            self.engine.set_limits(Limits {
                until: Some(goal.time).filter(|time| time.is_finite()),
                collisions: Some(goal.count).filter(|&count| count < u64::MAX),
            });
        }
        if let Some(pause) = self.pause(goal) {
            return Ok(Some(pause));
        }
        let Goal { time, count } = goal;
        let count = count.min(self.next_own_pause());
        self.engine.advance(&NextOutput { time, count, rows: self.rows, log_interval: None })?;
        while self.has_next_stage() && !self.is_at_latest_end() && self.engine.ending().is_some() {
            self.enter_next_stage()?;
        }
        Ok(self.pause(goal))
    }

    fn pause(&mut self, goal: Goal) -> Option<Pause> {
        if self.engine.has_reached(goal.time) {
            return Some(Pause::Time);
        }
        if self.engine.counted().1 >= goal.count {
            return Some(Pause::Count);
        }
        self.is_over().map(Pause::Ended)
    }

    /// Measures a row of the log now: the values of [`columns`](Self::columns). Means of observables are those since the
    /// last such row.
    ///
    /// Errors if an observable does not give a value for each of its columns, or if energy has appeared without a source.
    pub fn measure_row(&mut self) -> Result<Values, Error> {
        let row = self.measure()?;
        self.rows += 1;
        self.engine.check_row(&row)?;
        Ok(self.with_all_columns(row))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_scene::scene::AnyScene;

    fn plane(text: &str) -> Scene<2> {
        match AnyScene::parse(text, "a.toml", "".as_ref(), &[]).unwrap() {
            AnyScene::TwoD(scene) => scene,
            AnyScene::ThreeD(_) => panic!("the scene is in the plane"),
        }
    }

    fn advance(run: &mut Run<2>, goal: Goal) -> Pause {
        loop {
            if let Some(pause) = run.advance_toward(goal).unwrap() {
                return pause;
            }
        }
    }

    const GAS: &str = "engine = 'event-driven'\ndimension = 2\nuntil = 1.0\n[[generate]]\nkind = 'random'\n\
        count = 60\nradius = 0.5\npacking_fraction = 0.3\ntemperature = 1.0";
    const HEAP: &str = "engine = 'dem'\ndimension = 2\nuntil = 1\nbox.size = 6\nbox.boundary = 'wall'\n\
        gravity.acceleration = [0, -1]\n[[generate]]\nkind = 'random'\ncount = 20\nradius = 0.3\n";

    #[test]
    fn a_run_advanced_in_pieces_has_the_bits_of_the_whole() {
        for text in [GAS, HEAP] {
            let scene = plane(text);
            let mut whole = Run::new(&scene).unwrap();
            whole.run_to_end(&mut ()).unwrap();
            let mut pieces = Run::new(&scene).unwrap();
            for piece in 1..=7 {
                assert_eq!(advance(&mut pieces, Goal::time(f64::from(piece) / 7.0)), Pause::Time);
            }
            assert_eq!(pieces.engine().state(), whole.engine().state(), "{text}");
        }
    }

    #[test]
    fn steps_and_collisions_are_counted_from_the_start() {
        for text in [GAS, HEAP] {
            let mut run = Run::new(&plane(text)).unwrap();
            for count in [1, 10, 11] {
                assert_eq!(advance(&mut run, Goal::count(count)), Pause::Count);
                assert_eq!(run.progress().count, count, "{text}");
            }
        }
    }

    #[test]
    fn the_end_of_a_scene_is_no_end_but_that_of_its_last_stage_is() {
        let mut run = Run::new(&plane(HEAP)).unwrap();
        assert_eq!(advance(&mut run, Goal::time(1.5)), Pause::Time);
        assert!(run.engine().time() >= 1.5 - 1e-6);
        assert!(Run::resume(&plane(HEAP), run.checkpoint()).is_err());
        let mut resumed = Run::resume_stepping(&plane(HEAP), run.checkpoint()).unwrap();
        assert_eq!(advance(&mut resumed, Goal::time(1.6)), advance(&mut run, Goal::time(1.6)));
        assert_eq!(resumed.engine().state(), run.engine().state());
        let staged = HEAP.replace("until = 1\n", "")
            + "[[stages]]\nname = 'a'\nduration = 0.5\n[[stages]]\nname = 'b'\nduration = 0.25\n\
            gravity.acceleration = [0, 0]\n";
        let mut run = Run::new(&plane(&staged)).unwrap();
        assert_eq!(advance(&mut run, Goal::time(0.6)), Pause::Time);
        assert_eq!(run.stage(), 1);
        assert_eq!(advance(&mut run, Goal::time(9.0)), Pause::Ended(Ending::Time));
        assert!((run.engine().time() - 0.75).abs() < 2e-2);
    }

    #[test]
    fn what_is_at_rest_ends_only_where_no_time_is_asked_for() {
        let text = "engine = 'event-driven'\ndimension = 2\nuntil = 1.0\nbox.size = 9\nbox.boundary = 'open'\n\
            [[bodies]]\nposition = [5, 5]\nvelocity = [1, 0]\nradius = 0.5\n\
            [[bodies]]\nposition = [2, 5]\nvelocity = [-1, 0]\nradius = 0.5";
        let mut run = Run::new(&plane(text)).unwrap();
        assert_eq!(advance(&mut run, Goal::time(1e6)), Pause::Time);
        assert_eq!(advance(&mut run, Goal::count(1)), Pause::Ended(Ending::Rest));
        assert_eq!(advance(&mut run, Goal::time(1e9)), Pause::Time);
        assert!(run.advance_toward(Goal::time(f64::NAN)).is_err());
    }
}
