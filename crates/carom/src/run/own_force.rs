//! Forces that a program adds to a run of a scene.

use super::{Error, Run};
use carom_geometry::Vector;
use carom_simulate::{State, dem};
use std::sync::Arc;

/// A force on every body as a function of the state: adds to the forces, which stand in the order of the bodies.
pub(super) type OwnForce<const D: usize> = Arc<dem::ForceFunction<D>>;

/// Steps between two polls of signals and clocks: functions of a program may take any time.
const STEPS_PER_POLL: u64 = 10;

impl<const D: usize> Run<D> {
    /// The number of steps at which a run with forces of a program pauses.
    pub(super) fn next_own_pause(&self) -> u64 {
        match self.own_forces.is_empty() {
            true => u64::MAX,
            false => self.engine.counted().1.saturating_add(STEPS_PER_POLL),
        }
    }

    /// Adds a force of your own to the bodies of a DEM run, as a function of their state, which is called once per time
    /// step; see [`dem::Simulation::add_force`]. It acts in all stages from now on.
    ///
    /// Functions are not part of a checkpoint: add them again to a run that was resumed, before it continues.
    ///
    /// Errors if the engine is another one.
    ///
    /// ```
    /// use carom::run::{Goal, Run};
    /// use carom::scene::scene::AnyScene;
    /// let text = "engine = 'dem'\ndimension = 2\nuntil = 1\nstep = 0.001\nbox.size = 9\n\
    ///             [[bodies]]\nposition = [5, 5]\nradius = 0.5\nmass = 2";
    /// let AnyScene::TwoD(scene) = AnyScene::parse(text, "one.toml", "".as_ref(), &[])? else { panic!() };
    /// let mut run = Run::new(&scene)?;
    /// run.add_force(|state, forces| {
    ///     forces.iter_mut().zip(&state.masses).for_each(|(force, mass)| force.y += 3.0 * mass);
    /// })?;
    /// run.run_to_end(&mut ())?;
    /// assert!((run.engine().state().velocities[0].y - 3.0).abs() < 1e-9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add_force(
        &mut self,
        force: impl Fn(&State<D>, &mut [Vector<D>]) + Send + Sync + 'static,
    ) -> Result<(), Error> {
        self.add_force_of_bodies(move |bodies, sum| force(bodies.state(), sum.forces_mut()))
    }

    /// Adds a force as [`add_force`](Self::add_force) does, of a function that gathers only the arrays that it needs; see
    /// [`dem::Simulation::add_force_of_bodies`].
    pub fn add_force_of_bodies(
        &mut self,
        force: impl Fn(&Arc<dem::PresentBodies<D>>, &mut dem::ForceSum<'_, D>) + Send + Sync + 'static,
    ) -> Result<(), Error> {
        let force: OwnForce<D> = Arc::new(force);
        if !self.engine.add_force(&force) {
            let (what, value) = ("the engine", self.engine().name().to_owned());
            let rule = "only in \"dem\" bodies take forces of a program";
            return Err(carom_simulate::Error::Setting { what, value, rule }.into());
        }
        self.own_forces.push(force);
        Ok(())
    }

    /// Adds the forces to a simulation whose settings have changed.
    pub(super) fn add_own_forces_again(&mut self) {
        for force in &self.own_forces {
            self.engine.add_force(force);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_scene::Scene;
    use carom_scene::scene::AnyScene;

    fn plane(text: &str) -> Scene<2> {
        match AnyScene::parse(text, "a.toml", "".as_ref(), &[]).unwrap() {
            AnyScene::TwoD(scene) => scene,
            AnyScene::ThreeD(_) => panic!("the scene is in the plane"),
        }
    }

    fn lift(state: &State<2>, forces: &mut [Vector<2>]) {
        forces.iter_mut().zip(&state.masses).for_each(|(force, mass)| force.y += 3.0 * mass);
    }

    const STAGED: &str = "engine = 'dem'\ndimension = 2\nstep = 0.001\nbox.size = 9\n\
        [[stages]]\nname = 'a'\nduration = 0.25\n[[stages]]\nname = 'b'\nduration = 0.5\ngravity.acceleration = [0, -1]\n\
        [[bodies]]\nposition = [5, 5]\nradius = 0.5";

    #[test]
    fn a_force_acts_through_all_stages_and_after_a_resume() {
        let scene = plane(STAGED);
        let mut run = Run::new(&scene).unwrap();
        run.add_force(lift).unwrap();
        run.run_to_end(&mut ()).unwrap();
        let speed = run.engine().state().velocities[0].y;
        assert!((speed - (0.25 * 3.0 + 0.5 * 2.0)).abs() < 1e-9, "{speed}");

        // With a contact law of the program's own, too.
        let mut own = Run::with_contact_law(&scene, |_, law| law).unwrap();
        own.add_force(lift).unwrap();
        own.run_to_end(&mut ()).unwrap();
        assert_eq!(own.engine().state(), run.engine().state());

        let mut cut = Run::new(&scene).unwrap();
        cut.add_force(lift).unwrap();
        cut.emit_due_output(&mut ()).unwrap();
        cut.advance().unwrap();
        let mut resumed = Run::resume(&scene, cut.checkpoint()).unwrap();
        resumed.add_force(lift).unwrap();
        resumed.run_to_end(&mut ()).unwrap();
        assert_eq!(resumed.engine().state(), run.engine().state());
    }

    #[test]
    fn hard_spheres_take_no_forces() {
        let text = "engine = 'event-driven'\ndimension = 2\nuntil = 1\nbox.size = 9\n\
            [[bodies]]\nposition = [5, 5]\nradius = 0.5";
        let error = Run::new(&plane(text)).unwrap().add_force(lift).unwrap_err().to_string();
        assert!(error.contains("event-driven") && error.contains("dem"), "{error}");
    }
}
