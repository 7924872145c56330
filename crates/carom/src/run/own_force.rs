//! Forces that a program adds to a run of a scene.

use super::{Error, Run};
use carom_geometry::Vector;
use carom_simulate::{State, dem};
use std::sync::Arc;

/// Force on the first body of a pair; the other gets the opposite one.
type PairForceFunction<const D: usize> =
    dyn Fn(&State<D>, &dem::NearPair<D>) -> Vector<D> + Send + Sync;

/// A force that a program has added.
pub(super) enum OwnForce<const D: usize> {
    /// Forces and torques on all bodies.
    OfBodies(Arc<dem::ForceFunction<D>>),
    /// A force between bodies whose centers are not farther from each other than the cutoff.
    OfPairs { cutoff: f64, force: Arc<PairForceFunction<D>> },
}

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
        self.add(OwnForce::OfBodies(Arc::new(force)))
    }

    /// Adds a force as [`add_force`](Self::add_force) does, of a function that gives torques, too; see
    /// [`dem::Simulation::add_force_and_torque`].
    pub fn add_force_and_torque(
        &mut self,
        force: impl Fn(&State<D>, &mut [Vector<D>], &mut [Vector<3>]) + Send + Sync + 'static,
    ) -> Result<(), Error> {
        self.add_force_of_bodies(move |bodies, sum| {
            let (forces, torques) = sum.forces_and_torques_mut();
            force(bodies.state(), forces, torques);
        })
    }

    /// Adds a force between bodies that need not touch, such as electric charges, to a DEM run; see
    /// [`dem::Simulation::add_pair_force`]. Otherwise it is as [`add_force`](Self::add_force).
    ///
    /// Errors if the engine is another one, or if the cutoff is not greater than zero or longer than half of a period.
    ///
    /// ```
    /// use carom::run::Run;
    /// use carom::scene::scene::AnyScene;
    /// let text = "engine = 'dem'\ndimension = 2\nuntil = 1\nstep = 0.001\nbox.size = 9\n\
    ///             [[bodies]]\nposition = [3, 5]\nradius = 0.5\n[[bodies]]\nposition = [6, 5]\nradius = 0.5";
    /// let AnyScene::TwoD(scene) = AnyScene::parse(text, "two.toml", "".as_ref(), &[])? else { panic!() };
    /// let mut run = Run::new(&scene)?;
    /// run.add_pair_force(4.0, |_, pair| -pair.separation / pair.distance)?;
    /// run.run_to_end(&mut ())?;
    /// let velocities = run.engine().state().velocities;
    /// assert!(velocities[0].x < 0.0 && velocities[1].x == -velocities[0].x);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add_pair_force(
        &mut self,
        cutoff: f64,
        force: impl Fn(&State<D>, &dem::NearPair<D>) -> Vector<D> + Send + Sync + 'static,
    ) -> Result<(), Error> {
        self.add(OwnForce::OfPairs { cutoff, force: Arc::new(force) })
    }

    fn add(&mut self, force: OwnForce<D>) -> Result<(), Error> {
        self.engine.add_force(&force)?;
        self.own_forces.push(force);
        Ok(())
    }

    /// Adds the forces to a simulation whose settings have changed.
    pub(super) fn add_own_forces_again(&mut self) -> Result<(), Error> {
        self.own_forces.iter().try_for_each(|force| self.engine.add_force(force))
    }
}

/// The refusal of an engine that takes no forces of a program, with what it takes instead.
pub(super) fn no_forces(engine: &str) -> Error {
    let rule = match engine {
        "event-driven" => {
            "between collisions its bodies move on paths that are known before: give a force as an expression of \
             position, velocity and time in [[forces]] of the scene, or take the engine \"dem\""
        }
        _ => {
            "its particles take no forces of a program: change their velocities between steps, or take the engine \
             \"dem\""
        }
    };
    let (what, value) = ("the engine", format!("{engine:?}"));
    carom_simulate::Error::Setting { what, value, rule }.into()
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
    fn pair_forces_and_torques_act_through_all_stages_and_after_a_resume() {
        let text = format!("{STAGED}\n[[bodies]]\nposition = [7, 5]\nradius = 0.5");
        let scene = plane(&text);
        let add = |run: &mut Run<2>| {
            run.add_pair_force(4.0, |_, pair| -pair.separation / pair.distance).unwrap();
            run.add_force_and_torque(|_, _, torques| torques[0].z += 0.5).unwrap();
        };
        let mut run = Run::new(&scene).unwrap();
        add(&mut run);
        run.run_to_end(&mut ()).unwrap();
        let state = run.engine().state();
        // A disc of unit density under a unit force and half a unit of torque, for three quarters of a unit of time.
        let mass = state.masses[0];
        assert!((state.velocities[0].x + 0.75 / mass).abs() < 1e-9, "{}", state.velocities[0]);
        let turn = 0.75 * 0.5 / (0.5 * mass * 0.25);
        assert!((state.angular_velocities[0].z - turn).abs() < 1e-9);
        assert_eq!(state.velocities[1].x, -state.velocities[0].x);

        let mut cut = Run::new(&scene).unwrap();
        add(&mut cut);
        cut.emit_due_output(&mut ()).unwrap();
        cut.advance().unwrap();
        let mut resumed = Run::resume(&scene, cut.checkpoint()).unwrap();
        add(&mut resumed);
        resumed.run_to_end(&mut ()).unwrap();
        assert_eq!(resumed.engine().state(), state);
        assert!(run.add_pair_force(-1.0, |_, pair| pair.separation).is_err());
        assert!(run.add_pair_force(f64::NAN, |_, pair| pair.separation).is_err());
    }

    #[test]
    fn engines_without_forces_of_programs_say_what_they_take() {
        let hard = "engine = 'event-driven'\ndimension = 2\nuntil = 1\nbox.size = 9\n\
            [[bodies]]\nposition = [5, 5]\nradius = 0.5";
        let solid = "engine = 'bonded'\ndimension = 2\nuntil = 1\nbox.size = 9\nmaterials.default = { density = 1, \
            youngs_modulus = 9 }\n[[solids]]\ncircle = { center = [5, 5], radius = 1 }\nspacing = 0.5";
        for (text, name, instead) in
            [(hard, "event-driven", "[[forces]]"), (solid, "bonded", "velocities between steps")]
        {
            let mut run = Run::new(&plane(text)).unwrap();
            let refused = [
                run.add_force(lift).unwrap_err(),
                run.add_pair_force(1.0, |_, pair| pair.separation).unwrap_err(),
                run.add_force_and_torque(|_, _, _| {}).unwrap_err(),
            ];
            for error in refused.map(|error| error.to_string()) {
                let has = |part| error.contains(part);
                assert!(has(name) && has(instead) && has("\"dem\""), "{error}");
            }
            run.run_to_end(&mut ()).unwrap();
        }
    }
}
