//! Simulations that a program of Python advances.

use crate::callbacks::{self, CallbackErrors, PythonObservable, values_to_python};
use crate::frame::Frame;
use crate::run::FEW_BODIES;
use crate::run_errors::{self, SceneName};
use crate::scene::CheckedScene;
use crate::state::{OfDimension, State};
use crate::state_arrays::{ARRAYS, NewArray, read_array};
use crate::{arrays, errors, names, thread_pool};
use carom::geometry::{Vector, points_from_rows};
use carom::io::Checkpoint;
use carom::run::{Ending, Error, Goal, Pause, Provenance, Run};
use carom::scene::{AnyScene, Scene};
use carom::simulate::{
    BodyChange, BodyProperty, ContactObstacle, EngineContact, NewBody, State as EngineState,
};
use numpy::{PyArray1, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

/// The compiled part of `carom.Simulation`.
#[pyclass(frozen, subclass, module = "carom._carom", name = "_Simulation")]
pub struct Simulation {
    scene: Arc<AnyScene>,
    name: SceneName,
    inner: Mutex<Inner>,
    raised: CallbackErrors,
}

struct Inner {
    run: AnyRun,
    /// Memory of the arrays that are asked for.
    spare: SpareState,
    /// Why it cannot continue, once a step has failed.
    fault: Option<String>,
}

/// A state whose arrays are read one at a time.
#[derive(Default)]
struct SpareState {
    plane: EngineState<2>,
    space: EngineState<3>,
}

/// A run whose dimension is known only while the program runs.
enum AnyRun {
    TwoD(Box<Run<2>>),
    ThreeD(Box<Run<3>>),
}

/// Calls something for the run of whichever dimension.
macro_rules! with_run {
    ($any:expr, $run:ident => $body:expr) => {
        match $any {
            AnyRun::TwoD($run) => $body,
            AnyRun::ThreeD($run) => $body,
        }
    };
}

impl AnyRun {
    fn body_count(&self) -> usize {
        with_run!(self, run => run.engine().body_count())
    }
}

impl Simulation {
    /// The simulation, unless it is at work.
    fn lock(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, Inner>> {
        match self.inner.try_lock() {
            Ok(inner) => Ok(inner),
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => {
                let sentence = "this simulation is at work in another thread or in the call that called this function; \
                                wait until that has returned, and take what a callback needs from its argument";
                Err(errors::RUN.with(py, sentence))
            }
        }
    }

    /// The simulation, to be changed; an error once a step has failed.
    fn lock_intact(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, Inner>> {
        let inner = self.lock(py)?;
        match &inner.fault {
            None => Ok(inner),
            Some(fault) => {
                let sentence = format!(
                    "this simulation has failed in the middle of a step ({fault}); load a saved one"
                );
                Err(errors::RUN.with(py, sentence))
            }
        }
    }

    /// Does work with the simulation without the interpreter's lock.
    fn work<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut AnyRun) -> R + Send,
    ) -> PyResult<R> {
        let mut inner = self.lock_intact(py)?;
        let run = &mut inner.run;
        match run.body_count() > FEW_BODIES {
            true => thread_pool::run(py, || work(run)),
            false => thread_pool::run_here(py, || work(run)),
        }
    }

    /// Looks at the simulation without the interpreter's lock.
    fn look<R: Send>(
        &self,
        py: Python<'_>,
        look: impl FnOnce(&mut AnyRun) -> R + Send,
    ) -> PyResult<R> {
        let mut inner = self.lock(py)?;
        let run = &mut inner.run;
        match run.body_count() > FEW_BODIES {
            true => thread_pool::run(py, || look(run)),
            false => thread_pool::run_here(py, || look(run)),
        }
    }

    /// Changes bodies; the change of each is made of its row of the numbers.
    fn change(
        &self,
        py: Python<'_>,
        property: &str,
        values: &Bound<'_, PyAny>,
        ids: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let ids = self.ids(py, ids)?;
        let numbers = Numbers::of(property, values, ids.len())?;
        let changed = self.work(py, |run| match run {
            AnyRun::TwoD(run) => change_bodies(run, property, &ids, &numbers),
            AnyRun::ThreeD(run) => change_bodies(run, property, &ids, &numbers),
        })?;
        self.finish_change(py, changed)
    }

    fn finish_change(&self, py: Python<'_>, changed: Result<(), ChangeError>) -> PyResult<()> {
        if let Some(exception) = self.raised.take_fault() {
            return Err(exception);
        }
        changed.map_err(|error| match error {
            ChangeError::Engine(error) => run_errors::change(py, error),
            ChangeError::Shape(sentence) => errors::INPUT.with(py, sentence),
        })
    }

    /// The ids that an argument names, or all.
    fn ids(&self, py: Python<'_>, ids: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<u32>> {
        match ids {
            Some(ids) => {
                let array = arrays::indices("ids", ids)?;
                let flat = array.call_method0("ravel")?.cast_into::<PyArray1<u32>>()?;
                Ok(flat.to_vec()?)
            }
            None => {
                let inner = self.lock(py)?;
                Ok(with_run!(&inner.run, run => run.engine().state().ids))
            }
        }
    }
}

/// Numbers for bodies: a row for each, or one for all.
struct Numbers {
    numbers: Vec<f64>,
    rows: usize,
    columns: usize,
    /// Whether it is one number for all components of all bodies.
    is_scalar: bool,
    name: String,
}

impl Numbers {
    fn of(name: &str, values: &Bound<'_, PyAny>, bodies: usize) -> PyResult<Self> {
        let py = values.py();
        let numpy = arrays::numpy(py)?;
        let array = numpy.call_method1("asarray", (values,))?;
        let axes: usize = array.getattr("ndim")?.extract()?;
        let array = match axes {
            0 => array.call_method1("reshape", ((1, 1),))?,
            // One vector for all bodies, or one number for each.
            1 if is_vector(name) => array.call_method1("reshape", ((1, -1),))?,
            1 => array.call_method1("reshape", ((-1, 1),))?,
            _ => array,
        };
        let rows = arrays::rows(name, "each body", &array)?;
        let &[count, columns] = rows.shape() else { unreachable!("rows have two axes") };
        if count != bodies && count != 1 {
            let sentence = format!(
                "{name} has {count} rows; there are {bodies} bodies, so it must have as many, or one"
            );
            return Err(errors::INPUT.with(py, sentence));
        }
        let numbers = arrays::read2(&rows)?.as_array().iter().copied().collect();
        Ok(Numbers { numbers, rows: count, columns, is_scalar: axes == 0, name: name.to_owned() })
    }

    fn row(&self, body: usize) -> &[f64] {
        let row = if self.rows == 1 { 0 } else { body };
        &self.numbers[row * self.columns..(row + 1) * self.columns]
    }

    fn vector<const D: usize>(&self, body: usize) -> Result<Vector<D>, ChangeError> {
        if self.is_scalar {
            return Ok(Vector::repeat(self.numbers[0]));
        }
        match points_from_rows::<D>(self.row(body)) {
            Some([vector]) => Ok(*vector),
            _ => Err(self.wrong(D)),
        }
    }

    /// About each axis; in the plane one number is enough.
    fn angular<const D: usize>(&self, body: usize) -> Result<Vector<3>, ChangeError> {
        match *self.row(body) {
            [z] if D == 2 => Ok([0.0, 0.0, z].into()),
            [x, y, z] => Ok([x, y, z].into()),
            _ => Err(self.wrong(if D == 2 { 1 } else { 3 })),
        }
    }

    fn number(&self, body: usize) -> Result<f64, ChangeError> {
        match *self.row(body) {
            [number] => Ok(number),
            _ => Err(self.wrong(1)),
        }
    }

    fn wrong(&self, columns: usize) -> ChangeError {
        let (name, given) = (&self.name, self.columns);
        ChangeError::Shape(format!("{name} has {given} columns; it must have {columns}"))
    }
}

fn is_vector(name: &str) -> bool {
    !["materials", "fixed", "radii", "masses"].contains(&name)
}

/// Why bodies are not changed.
enum ChangeError {
    Engine(carom::simulate::Error),
    Shape(String),
}

fn change_bodies<const D: usize>(
    run: &mut Run<D>,
    property: &str,
    ids: &[u32],
    numbers: &Numbers,
) -> Result<(), ChangeError> {
    let change = |(row, &body): (usize, &u32)| {
        let to = match property {
            "positions" => BodyProperty::Position(numbers.vector(row)?),
            "velocities" => BodyProperty::Velocity(numbers.vector(row)?),
            "angular_velocities" => BodyProperty::AngularVelocity(numbers.angular::<D>(row)?),
            "forces" => BodyProperty::Force(numbers.vector(row)?),
            "torques" => BodyProperty::Torque(numbers.angular::<D>(row)?),
            "materials" => {
                let number = numbers.number(row)?;
                if number < 0.0 || number.fract() != 0.0 || number > f64::from(u32::MAX) {
                    let sentence = format!(
                        "materials has {number}; it must be the index or the name of a material"
                    );
                    return Err(ChangeError::Shape(sentence));
                }
                BodyProperty::Material(number as u32)
            }
            _ => BodyProperty::Fixed(numbers.number(row)? != 0.0),
        };
        Ok(BodyChange { body, to })
    };
    let changes = ids.iter().enumerate().map(change).collect::<Result<Vec<_>, _>>()?;
    run.engine_mut().apply(&changes).map_err(ChangeError::Engine)
}

fn insert_bodies<const D: usize>(
    run: &mut Run<D>,
    count: usize,
    [positions, radii, velocities, masses, materials]: &[Option<Numbers>; 5],
    densities: &[Option<f64>],
) -> Result<(u32, u32), ChangeError> {
    let body = |row: usize| {
        let radius = radii.as_ref().map_or(Ok(0.0), |radii| radii.number(row))?;
        let material = materials.as_ref().map_or(Ok(0.0), |materials| materials.number(row))?;
        let material = material.max(0.0) as u32;
        let volume = match D {
            2 => std::f64::consts::PI * radius * radius,
            _ => std::f64::consts::PI * radius * radius * radius * 4.0 / 3.0,
        };
        let density = densities.get(material as usize).copied().flatten();
        let mass = match (masses, density) {
            (Some(masses), _) => masses.number(row)?,
            (None, Some(density)) => density * volume,
            (None, None) => 1.0,
        };
        let position = match positions {
            Some(positions) => positions.vector(row)?,
            None => Vector::zeros(),
        };
        let velocity = match velocities {
            Some(velocities) => velocities.vector(row)?,
            None => Vector::zeros(),
        };
        Ok(NewBody { velocity, material, ..NewBody::at_rest(position, radius, mass) })
    };
    let bodies = (0..count).map(body).collect::<Result<Vec<_>, ChangeError>>()?;
    let new = run.engine_mut().insert(&bodies).map_err(ChangeError::Engine)?;
    Ok((new.start, new.end))
}

fn new_run<const D: usize>(
    scene: &Scene<D>,
    checkpoint: Option<Checkpoint>,
    observables: Vec<PythonObservable>,
) -> Result<Run<D>, Error>
where
    State: OfDimension<D>,
{
    let mut run = match checkpoint {
        Some(checkpoint) => Run::resume_stepping(scene, checkpoint)?,
        None => Run::new(scene)?,
    };
    for observable in observables {
        run.observe(Box::new(observable))?;
    }
    Ok(run)
}

#[pymethods]
impl Simulation {
    #[new]
    #[pyo3(signature = (scene, checkpoint, observables))]
    fn new(
        py: Python<'_>,
        scene: &CheckedScene,
        checkpoint: Option<&[u8]>,
        observables: Vec<Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let raised = CallbackErrors::default();
        let observables = observables.iter().map(|it| PythonObservable::of(it, raised.clone()));
        let observables = observables.collect::<PyResult<Vec<_>>>()?;
        let inner = scene.scene.clone();
        let checkpoint = checkpoint.map(<[u8]>::to_vec);
        let run = thread_pool::run_owned(py, move || {
            let checkpoint = checkpoint.map(|bytes| Checkpoint::decode(&bytes, "the checkpoint"));
            let checkpoint = checkpoint.transpose()?;
            Ok(match inner.as_ref() {
                AnyScene::TwoD(scene) => {
                    AnyRun::TwoD(Box::new(new_run(scene, checkpoint, observables)?))
                }
                AnyScene::ThreeD(scene) => {
                    AnyRun::ThreeD(Box::new(new_run(scene, checkpoint, observables)?))
                }
            })
        })?;
        let run = run.map_err(|error| run_errors::start(py, error, &scene.name))?;
        let (scene, name) = (scene.scene.clone(), scene.name.clone());
        Ok(Simulation {
            scene,
            name,
            inner: Mutex::new(Inner { run, spare: SpareState::default(), fault: None }),
            raised,
        })
    }

    /// Advances to a time or a number of steps or collisions, and says which.
    #[pyo3(signature = (time, count))]
    fn _advance(&self, py: Python<'_>, time: f64, count: u64) -> PyResult<&'static str> {
        let mut inner = self.lock_intact(py)?;
        let goal = Goal { time, count };
        let counted = with_run!(&inner.run, run => run.progress().counted);
        loop {
            let run = &mut inner.run;
            let has_pool = run.body_count() > FEW_BODIES;
            let advanced = thread_pool::run_beside(py, has_pool, |pool| {
                let mut work = || with_run!(run, run => run.advance_toward(goal));
                match pool {
                    Some(pool) => pool.install(work),
                    None => work(),
                }
            });
            let advanced = match advanced {
                Ok(advanced) => advanced,
                Err(error) => {
                    inner.fault = Some(error.value(py).to_string());
                    return Err(error);
                }
            };
            if let Some(exception) = self.raised.take_fault() {
                let class = exception.get_type(py).name().map(|name| name.to_string());
                inner.fault = Some(format!("a function has raised {}", class.unwrap_or_default()));
                return Err(exception);
            }
            let pause = match advanced {
                Ok(pause) => pause,
                Err(error) => {
                    inner.fault = Some(error.to_string());
                    return Err(run_errors::during(py, error));
                }
            };
            // Nothing is lost where this is raised: the simulation is between two steps.
            py.check_signals()?;
            if let Some(interrupt) = self.raised.take_interrupt() {
                return Err(interrupt);
            }
            return Ok(match pause {
                None => continue,
                Some(Pause::Time) => "time",
                Some(Pause::Count) => counted,
                Some(Pause::Ended(Ending::Growth)) => "growth",
                Some(Pause::Ended(Ending::Rest)) => "rest",
                Some(_) => "end",
            });
        }
    }

    /// Adds a force on bodies, a function of the state that returns an array.
    fn _add_force(&self, py: Python<'_>, function: Py<PyAny>) -> PyResult<()> {
        // Once before it counts, so that a mistake in it leaves the simulation as it is.
        match &self.lock_intact(py)?.run {
            AnyRun::TwoD(run) => {
                callbacks::check_force(py, &function, &Arc::new(run.engine().state()))?
            }
            AnyRun::ThreeD(run) => {
                callbacks::check_force(py, &function, &Arc::new(run.engine().state()))?
            }
        }
        let raised = self.raised.clone();
        let added = self.work(py, |run| match run {
            AnyRun::TwoD(run) => run.add_force_of_bodies(callbacks::force::<2>(function, raised)),
            AnyRun::ThreeD(run) => run.add_force_of_bodies(callbacks::force::<3>(function, raised)),
        })?;
        if let Some(exception) = self.raised.take_fault() {
            self.lock(py)?.fault = Some("a force has raised an exception".to_owned());
            return Err(exception);
        }
        added.map_err(|error| run_errors::start(py, error, &self.name))
    }

    /// Name of the engine: "event-driven", "dem" or "bonded".
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.Simulation(":hopper").engine
    /// 'dem'
    #[getter]
    fn engine(&self, py: Python<'_>) -> PyResult<&'static str> {
        Ok(with_run!(&self.lock(py)?.run, run => run.engine().name()))
    }

    /// Number of dimensions, the D of the shapes of arrays: 2 or 3.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.Simulation(":hopper").dimension
    /// 2
    #[getter]
    fn dimension(&self) -> usize {
        self.scene.dimension()
    }

    /// Simulated time.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> simulation = carom.Simulation(":hopper")
    /// >>> simulation.advance(until=0.5)
    /// 'time'
    /// >>> round(simulation.time, 3)
    /// 0.5
    #[getter]
    fn time(&self, py: Python<'_>) -> PyResult<f64> {
        Ok(with_run!(&self.lock(py)?.run, run => run.engine().time()))
    }

    #[getter]
    fn _progress(&self, py: Python<'_>) -> PyResult<(&'static str, u64)> {
        let progress = with_run!(&self.lock(py)?.run, run => run.progress());
        Ok((progress.counted, progress.count))
    }

    /// Number of bodies now, the N of the shapes of arrays.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> simulation = carom.Simulation(":hopper")
    /// >>> simulation.remove([0, 1, 2])
    /// >>> simulation.count
    /// 997
    #[getter]
    fn count(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.lock(py)?.run.body_count())
    }

    /// Index of the present stage; 0 in scenes without stages.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.Simulation(":hopper").stage
    /// 0
    #[getter]
    fn stage(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(with_run!(&self.lock(py)?.run, run => run.stage()))
    }

    /// Time step, in simulated time; None in the engine "event-driven", which has none.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.Simulation(":hopper", step=1e-4).time_step
    /// 0.0001
    /// >>> carom.Simulation(":billiard").time_step is None
    /// True
    #[getter]
    fn time_step(&self, py: Python<'_>) -> PyResult<Option<f64>> {
        Ok(with_run!(&self.lock(py)?.run, run => run.time_step()))
    }

    /// Returns a copy of one of the arrays of bodies, in the memory of `out` if it is given.
    #[pyo3(signature = (name, out=None))]
    fn _array<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if !ARRAYS.contains(&name) {
            return Err(names::unknown(py, "name", name, ARRAYS));
        }
        let mut inner = self.lock(py)?;
        let Inner { run, spare, .. } = &mut *inner;
        let mut filled = NewArray::of(py, name, run.body_count(), self.dimension(), out)?;
        let is_large = run.body_count() > FEW_BODIES;
        let numbers = filled.numbers()?;
        let read = || match run {
            AnyRun::TwoD(run) => read_array(run, &mut spare.plane, name, numbers),
            AnyRun::ThreeD(run) => read_array(run, &mut spare.space, name, numbers),
        };
        let read = match is_large {
            true => thread_pool::run(py, read)?,
            false => thread_pool::run_here(py, read)?,
        };
        read.map_err(|engine| {
            let sentence =
                format!("bodies of the engine \"{engine}\" in this scene have no {name}");
            errors::INPUT.with(py, sentence)
        })?;
        filled.finish()
    }

    /// Return a copy of the state of all bodies, with all its arrays.
    ///
    /// Returns
    /// -------
    /// State
    ///     What forces and observables are given: positions and velocities of shape (N, D), radii and masses of shape (N,),
    ///     and the other arrays of `get`, at the time of the call.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> simulation = carom.Simulation(":hopper")
    /// >>> state = simulation.state()
    /// >>> state.positions.shape, state.masses.shape, state.time
    /// ((1000, 2), (1000,), 0.0)
    fn state(&self, py: Python<'_>) -> PyResult<State> {
        self.look(py, |run| match run {
            AnyRun::TwoD(run) => State::from(Arc::new(run.engine().state())),
            AnyRun::ThreeD(run) => State::from(Arc::new(run.engine().state())),
        })
    }

    /// Changes a property of bodies.
    fn _set(
        &self,
        py: Python<'_>,
        property: &str,
        values: &Bound<'_, PyAny>,
        ids: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        self.change(py, property, values, ids)
    }

    /// Inserts discs or spheres, and returns the ids of the first and behind the last.
    #[expect(clippy::too_many_arguments, reason = "one for each property of a body")]
    fn _insert(
        &self,
        py: Python<'_>,
        count: usize,
        positions: &Bound<'_, PyAny>,
        radii: &Bound<'_, PyAny>,
        velocities: Option<&Bound<'_, PyAny>>,
        masses: Option<&Bound<'_, PyAny>>,
        materials: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<(u32, u32)> {
        let numbers = |name: &str, values: Option<&Bound<'_, PyAny>>| {
            values.map(|values| Numbers::of(name, values, count)).transpose()
        };
        let columns = [
            numbers("positions", Some(positions))?,
            numbers("radii", Some(radii))?,
            numbers("velocities", velocities)?,
            numbers("masses", masses)?,
            numbers("materials", materials)?,
        ];
        let materials = match self.scene.as_ref() {
            AnyScene::TwoD(scene) => &scene.materials,
            AnyScene::ThreeD(scene) => &scene.materials,
        };
        let densities: Vec<_> = materials.iter().map(|material| material.density).collect();
        let inserted = self.work(py, |run| match run {
            AnyRun::TwoD(run) => insert_bodies(run, count, &columns, &densities),
            AnyRun::ThreeD(run) => insert_bodies(run, count, &columns, &densities),
        })?;
        let (new, changed) = match inserted {
            Ok(new) => (new, Ok(())),
            Err(error) => ((0, 0), Err(error)),
        };
        self.finish_change(py, changed).map(|()| new)
    }

    /// Removes the bodies with these ids.
    fn _remove(&self, py: Python<'_>, ids: &Bound<'_, PyAny>) -> PyResult<()> {
        let ids = self.ids(py, Some(ids))?;
        let removed = self.work(py, |run| with_run!(run, run => run.engine_mut().remove(&ids)))?;
        self.finish_change(py, removed.map_err(ChangeError::Engine))
    }

    /// Returns all contacts now, as arrays.
    fn _contacts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let columns = self.look(py, |run| match run {
            AnyRun::TwoD(run) => ContactColumns::of(&run.engine().contacts()),
            AnyRun::ThreeD(run) => ContactColumns::of(&run.engine().contacts()),
        })?;
        columns.into_python(py, self.dimension())
    }

    /// Returns force, torque, power and number of contacts of every wall, by their names.
    fn _walls<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let loads = with_run!(&self.lock(py)?.run, run => run.wall_loads());
        let dimension = self.dimension();
        let walls = PyDict::new(py);
        for (name, load) in loads {
            let force = PyArray1::from_slice(py, &load.force.as_slice()[..dimension]);
            let torque = match dimension {
                2 => pyo3::types::PyFloat::new(py, load.torque.z).into_any(),
                _ => PyArray1::from_slice(py, load.torque.as_slice()).into_any(),
            };
            walls.set_item(name, (force, torque, load.power, load.contacts))?;
        }
        Ok(walls)
    }

    /// Return the quantities of the present moment, by the names that columns have, without those of observables.
    ///
    /// Returns
    /// -------
    /// dict of str to float or int
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> quantities = carom.Simulation(":hopper").quantities()
    /// >>> quantities["time"], quantities["kinetic_energy"]
    /// (0.0, 0.0)
    fn quantities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let values = with_run!(&self.lock(py)?.run, run => run.quantities());
        values_to_python(py, &values)
    }

    /// Measure a row of the log: quantities and observables. Means of observables are those since the last row.
    ///
    /// Returns
    /// -------
    /// dict of str to float or int
    ///     A value for each of `columns`.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> simulation = carom.Simulation(":hopper")
    /// >>> row = simulation.row()
    /// >>> list(row) == simulation.columns
    /// True
    fn row<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let row = {
            let mut inner = self.lock_intact(py)?;
            let run = &mut inner.run;
            // Observables of Python are called on this thread.
            thread_pool::run_beside(py, false, |_| with_run!(run, run => run.measure_row()))?
        };
        if let Some(exception) = self.raised.take_fault() {
            return Err(exception);
        }
        values_to_python(py, &row.map_err(|error| run_errors::during(py, error))?)
    }

    /// Names of the columns of a row: a list of str.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.Simulation(":hopper").columns[:2]
    /// ['time', 'steps']
    #[getter]
    fn columns(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        Ok(with_run!(&self.lock(py)?.run, run => run.columns()))
    }

    /// Return a frame of all bodies, as those of results.
    ///
    /// Returns
    /// -------
    /// Frame
    ///     Positions and velocities of shape (N, D), radii of shape (N,), and what else pictures are colored by.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> frame = carom.Simulation(":hopper").frame()
    /// >>> frame.positions.shape, frame.radii.shape
    /// ((1000, 2), (1000,))
    fn frame(&self, py: Python<'_>) -> PyResult<Frame> {
        self.work(py, |run| match run {
            AnyRun::TwoD(run) => Frame::from(run.frame()),
            AnyRun::ThreeD(run) => Frame::from(run.frame()),
        })
    }

    /// Return sixteen hexadecimal digits of the state: of everything that the rest of the simulation depends on. Equal
    /// states have equal digits.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> simulation = carom.Simulation(":hopper")
    /// >>> len(simulation.digest())
    /// 16
    /// >>> simulation.digest() == carom.Simulation(":hopper").digest()
    /// True
    fn digest(&self, py: Python<'_>) -> PyResult<String> {
        self.look(py, |run| with_run!(run, run => run.state_digest()))
    }

    /// Returns everything that is needed to continue later.
    fn _checkpoint<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.work(py, |run| {
            let mut checkpoint = with_run!(run, run => run.checkpoint());
            checkpoint.writer = Provenance::program();
            checkpoint.encode()
        })?;
        if let Some(exception) = self.raised.take_fault() {
            return Err(exception);
        }
        Ok(PyBytes::new(py, &bytes))
    }

    /// Verify the neighbor structure, and raise `carom.InternalError` if it is damaged. It is slow: as a test of all pairs.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.Simulation(":hopper", generate__0__count=50).check()
    fn check(&self, py: Python<'_>) -> PyResult<()> {
        let checked = self.work(py, |run| with_run!(run, run => run.engine().check()))?;
        checked.map_err(|fault| {
            errors::INTERNAL.with(py, format!("the neighbor structure is damaged: {fault}"))
        })
    }
}

/// The contacts of a simulation as columns.
struct ContactColumns {
    bodies: Vec<i64>,
    walls: Vec<i32>,
    positions: Vec<f64>,
    normals: Vec<f64>,
    overlaps: Vec<f64>,
    forces: Vec<f64>,
    normal_forces: Vec<f64>,
}

impl ContactColumns {
    fn of<const D: usize>(contacts: &[EngineContact<D>]) -> Self {
        let bodies = contacts.iter().flat_map(|contact| match contact.obstacle {
            ContactObstacle::Body(other) => [i64::from(contact.body), i64::from(other)],
            ContactObstacle::Wall(_) => [i64::from(contact.body), -1],
        });
        let walls = contacts.iter().map(|contact| match contact.obstacle {
            ContactObstacle::Body(_) => -1,
            ContactObstacle::Wall(wall) => wall as i32,
        });
        let vectors = |of: fn(&EngineContact<D>) -> Vector<D>| {
            let rows = contacts.iter().flat_map(|contact| <[f64; D]>::from(of(contact)));
            rows.collect()
        };
        ContactColumns {
            bodies: bodies.collect(),
            walls: walls.collect(),
            positions: vectors(|contact| contact.position),
            normals: vectors(|contact| contact.normal),
            overlaps: contacts.iter().map(|contact| contact.overlap).collect(),
            forces: vectors(EngineContact::force),
            normal_forces: contacts.iter().map(|contact| contact.normal_force).collect(),
        }
    }

    fn into_python(self, py: Python<'_>, dimension: usize) -> PyResult<Bound<'_, PyTuple>> {
        (
            arrays::from_rows(py, self.bodies, 2)?,
            PyArray1::from_vec(py, self.walls),
            arrays::from_rows(py, self.positions, dimension)?,
            arrays::from_rows(py, self.normals, dimension)?,
            PyArray1::from_vec(py, self.overlaps),
            arrays::from_rows(py, self.forces, dimension)?,
            PyArray1::from_vec(py, self.normal_forces),
        )
            .into_pyobject(py)
    }
}
