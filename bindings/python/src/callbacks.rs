//! What Python gives to a run: forces, observables and functions to be called.
//!
//! The interpreter's lock is taken for a call and no longer. What a call raises is kept, since the interfaces of the
//! library know no exceptions, and is raised again once the run has paused.

use crate::present_state::{KeptArrays, PresentState, is_only_reference};
use crate::state::{OfDimension, State};
use crate::{arrays, errors};
use carom::geometry::{Vector, points_from_rows};
use carom::simulate::dem::{ForceSum, PresentBodies};
use carom::simulate::observe::{Observable, ObservableTable, Sample};
use carom::simulate::{State as EngineState, Value, Values};
use numpy::{PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::{PyAttributeError, PyKeyboardInterrupt};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyInt, PyTuple};
use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};

/// What was raised in calls of Python.
#[derive(Clone, Default)]
pub struct CallbackErrors(Arc<Mutex<RaisedErrors>>);

#[derive(Default)]
struct RaisedErrors {
    /// What a force or an observable has raised: the run cannot continue.
    fault: Option<PyErr>,
    /// Ctrl-C in a call that was repeated and then returned.
    interrupt: Option<PyErr>,
}

impl CallbackErrors {
    fn lock(&self) -> std::sync::MutexGuard<'_, RaisedErrors> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set_fault(&self, error: PyErr) {
        self.lock().fault.get_or_insert(error);
    }

    /// Takes what ends the run.
    pub fn take_fault(&self) -> Option<PyErr> {
        self.lock().fault.take()
    }

    /// Whether something ends the run.
    pub fn has_fault(&self) -> bool {
        self.lock().fault.is_some()
    }

    /// Takes Ctrl-C, after which the run may continue.
    pub fn take_interrupt(&self) -> Option<PyErr> {
        self.lock().interrupt.take()
    }

    /// Calls a function that must not be left out: where Ctrl-C is raised in it, it is called again.
    fn insist<R>(&self, py: Python<'_>, call: impl Fn() -> PyResult<R>) -> Option<R> {
        let result = call().or_else(|error| {
            if !error.is_instance_of::<PyKeyboardInterrupt>(py) {
                return Err(error);
            }
            self.lock().interrupt = Some(error);
            call()
        });
        result.map_err(|error| self.set_fault(error)).ok()
    }
}

/// Returns a force on every body by a function of Python, which returns an array of shape (N, D), or a tuple of such an
/// array and one of torques.
pub fn force<const D: usize>(
    function: Py<PyAny>,
    raised: CallbackErrors,
) -> impl Fn(&Arc<PresentBodies<D>>, &mut ForceSum<'_, D>) + Send + Sync + 'static
where
    State: OfDimension<D>,
{
    let kept = Arc::new(KeptArrays::default());
    move |bodies, sum| {
        let added = !raised.has_fault()
            && Python::attach(|py| {
                let call = || {
                    let state = PresentState::new(bodies.clone(), kept.clone());
                    let state = Bound::new(py, State::from(state))?;
                    let forces = forces_of::<D>(&function, state.as_any(), bodies.count());
                    // The frames of an exception have it, and so may anything else.
                    if !is_only_reference(state.as_any()) {
                        state.get().leave_present();
                    }
                    forces
                };
                let Some(Returned { forces, torques }) = raised.insist(py, call) else {
                    return false;
                };
                let forces = forces.as_slice().expect("rows stand one after the other");
                let forces = points_from_rows::<D>(forces).expect("a row is D coordinates");
                let torques = torques.as_ref().map(Torques::vectors).unwrap_or_default();
                // The pool is not waited for with the interpreter's lock: its threads may do work that needs it.
                py.detach(|| sum.add_with_torques(forces, &torques));
                true
            });
        if !added {
            // A force that is no number ends the step with an error, in whose place the exception is raised.
            sum.add(&[Vector::repeat(f64::NAN)]);
        }
    }
}

/// Returns what a force raises, if it raises anything or returns no forces.
pub fn check_force<const D: usize>(
    py: Python<'_>,
    function: &Py<PyAny>,
    state: &Arc<EngineState<D>>,
) -> PyResult<()>
where
    State: OfDimension<D>,
{
    let count = state.positions.len();
    let state = Bound::new(py, State::from(state.clone()))?;
    forces_of::<D>(function, state.as_any(), count).map(drop)
}

/// What a force has returned.
struct Returned<'py> {
    forces: PyReadonlyArray2<'py, f64>,
    torques: Option<Torques<'py>>,
}

/// Torques on all bodies: about each axis in space, about the third in the plane.
enum Torques<'py> {
    InSpace(PyReadonlyArray2<'py, f64>),
    InPlane(PyReadonlyArray1<'py, f64>),
}

impl<'py> Torques<'py> {
    fn of(value: &Bound<'py, PyAny>, count: usize, dimension: usize) -> PyResult<Self> {
        let wrong = |shape: &[usize]| {
            let wanted =
                if dimension == 2 { format!("({count},)") } else { format!("({count}, 3)") };
            let shape = shape.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
            let sentence = format!("the torque has shape ({shape}); it must have {wanted}");
            errors::INPUT.with(value.py(), sentence)
        };
        if dimension == 2 {
            let row = arrays::row("the torque", value)?;
            return match row.len() == count {
                true => Ok(Torques::InPlane(arrays::read1(&row)?)),
                false => Err(wrong(row.shape())),
            };
        }
        let rows = arrays::rows("the torque", "each body", value)?;
        match rows.shape() == [count, 3] {
            true => Ok(Torques::InSpace(arrays::read2(&rows)?)),
            false => Err(wrong(rows.shape())),
        }
    }

    fn vectors(&self) -> Cow<'_, [Vector<3>]> {
        match self {
            Torques::InSpace(rows) => {
                let numbers = rows.as_slice().expect("rows stand one after the other");
                points_from_rows(numbers).expect("a row is three components").into()
            }
            Torques::InPlane(row) => {
                row.as_array().iter().map(|&torque| [0.0, 0.0, torque].into()).collect()
            }
        }
    }
}

fn forces_of<'py, const D: usize>(
    function: &Py<PyAny>,
    state: &Bound<'py, PyAny>,
    count: usize,
) -> PyResult<Returned<'py>> {
    let py = state.py();
    let returned = function.bind(py).call1((state,))?;
    let (forces, torques) = match with_torques(&returned)? {
        Some((forces, torques)) => (forces, Some(Torques::of(&torques, count, D)?)),
        None => (returned, None),
    };
    let rows = arrays::rows("the force", "each body", &forces)?;
    if rows.shape() != [count, D] {
        let &[rows, columns] = rows.shape() else { unreachable!("rows have two axes") };
        let sentence =
            format!("the force has shape ({rows}, {columns}); it must have ({count}, {D})");
        return Err(errors::INPUT.with(py, sentence));
    }
    Ok(Returned { forces: arrays::read2(&rows)?, torques })
}

/// Forces and torques, where a force has returned a tuple of both: a tuple of the rows of two bodies has rows of one axis.
fn with_torques<'py>(
    returned: &Bound<'py, PyAny>,
) -> PyResult<Option<(Bound<'py, PyAny>, Bound<'py, PyAny>)>> {
    let Ok(both) = returned.cast::<PyTuple>() else { return Ok(None) };
    let Ok((forces, torques)) = both.extract::<(Bound<'py, PyAny>, Bound<'py, PyAny>)>() else {
        return Ok(None);
    };
    let axes = arrays::numpy(returned.py())?.call_method1("ndim", (&forces,))?;
    Ok((axes.extract::<usize>()? == 2).then_some((forces, torques)))
}

/// An observable that is an object of Python.
pub struct PythonObservable {
    object: Py<PyAny>,
    name: String,
    columns: Vec<String>,
    /// What it has to remember, taken after each sample, so that what it raises then ends the run before anything of it
    /// is written.
    saved: Vec<f64>,
    raised: CallbackErrors,
}

impl PythonObservable {
    /// Takes an object with `name`, `columns` and `sample(state)`, and perhaps `save()` and `restore(numbers)`,
    /// `summary(state)` and `table(state)`.
    pub fn of(object: &Bound<'_, PyAny>, raised: CallbackErrors) -> PyResult<Self> {
        let py = object.py();
        let required = |name: &str| {
            object.getattr(name).map_err(|error| {
                if !error.is_instance_of::<PyAttributeError>(py) {
                    return error;
                }
                let class = object.get_type();
                let sentence = format!(
                    "an observable of class {class} has no {name}; it needs name, columns and sample(state)"
                );
                errors::INPUT.with(py, sentence)
            })
        };
        let name = required("name")?;
        let columns = required("columns")?;
        required("sample")?;
        let wrong = |what: &str, rule: &str| {
            errors::INPUT.with(py, format!("{what} of an observable must be {rule}"))
        };
        let name: String = name.extract().map_err(|_| wrong("name", "a text"))?;
        if columns.extract::<String>().is_ok() {
            return Err(wrong("columns", "a list of texts"));
        }
        let columns = columns.extract().map_err(|_| wrong("columns", "a list of texts"))?;
        if object.hasattr("save")? != object.hasattr("restore")? {
            let sentence = format!(
                "the observable {name:?} needs both save() and restore(numbers), or none of them"
            );
            return Err(errors::INPUT.with(py, sentence));
        }
        let saved = saved(object)?;
        Ok(PythonObservable { object: object.clone().unbind(), name, columns, saved, raised })
    }

    /// Calls a method that may be missing, with the state.
    fn ask<'py, const D: usize>(
        &self,
        py: Python<'py>,
        method: &str,
        sample: &Sample<'_, D>,
    ) -> PyResult<Option<Bound<'py, PyAny>>>
    where
        State: From<Arc<EngineState<D>>>,
    {
        let object = self.object.bind(py);
        if !object.hasattr(method)? {
            return Ok(None);
        }
        let state = State::from(Arc::new(sample.state().clone()));
        object.call_method1(method, (state,)).map(Some)
    }

    fn values(&self, answer: &Bound<'_, PyAny>) -> PyResult<Vec<Value>> {
        let py = answer.py();
        let values: Vec<Value> = match answer.cast::<PyDict>() {
            Ok(dict) => {
                let value = |column: &String| match dict.get_item(column)? {
                    Some(value) => number(&value),
                    None => {
                        let sentence = format!("the observable {:?} gave no {column:?}", self.name);
                        Err(errors::INPUT.with(py, sentence))
                    }
                };
                self.columns.iter().map(value).collect::<PyResult<_>>()?
            }
            Err(_) if answer.extract::<f64>().is_ok() => vec![number(answer)?],
            Err(_) => answer.try_iter()?.map(|value| number(&value?)).collect::<PyResult<_>>()?,
        };
        if values.len() != self.columns.len() {
            let (name, given, wanted) = (&self.name, values.len(), self.columns.len());
            let sentence = format!(
                "the observable {name:?} gave {given} values; it must give {wanted}, one for each of its columns"
            );
            return Err(errors::INPUT.with(py, sentence));
        }
        Ok(values)
    }
}

/// What an observable has to remember.
fn saved(object: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
    if !object.hasattr("save")? {
        return Ok(Vec::new());
    }
    let saved = object.call_method0("save")?;
    saved.try_iter()?.map(|value| value?.extract::<f64>()).collect()
}

fn number(value: &Bound<'_, PyAny>) -> PyResult<Value> {
    match value.is_instance_of::<PyInt>() {
        true => Ok(value.extract::<u64>().map_or(Value::Number(value.extract()?), Value::Count)),
        false => Ok(Value::Number(value.extract()?)),
    }
}

/// Returns values as a dict of numbers.
pub fn values_to_python<'py>(py: Python<'py>, values: &Values) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, value) in values.iter() {
        match value {
            Value::Number(number) => dict.set_item(name, PyFloat::new(py, number))?,
            Value::Count(count) => dict.set_item(name, count)?,
        }
    }
    Ok(dict)
}

impl<const D: usize> Observable<D> for PythonObservable
where
    State: From<Arc<EngineState<D>>>,
{
    fn name(&self) -> &str {
        &self.name
    }

    fn columns(&self) -> Vec<String> {
        self.columns.clone()
    }

    fn sample(&mut self, sample: &Sample<'_, D>) -> Vec<Value> {
        let sampled = Python::attach(|py| {
            let call = || {
                let values = match self.ask(py, "sample", sample)? {
                    Some(answer) => self.values(&answer)?,
                    None => Vec::new(),
                };
                Ok((values, saved(self.object.bind(py))?))
            };
            self.raised.insist(py, call)
        });
        match sampled {
            Some((values, saved)) => {
                self.saved = saved;
                values
            }
            // It is not written: the run ends before.
            None => vec![Value::Number(f64::NAN); self.columns.len()],
        }
    }

    fn summary(&self, sample: &Sample<'_, D>) -> Values {
        Python::attach(|py| {
            let call = || {
                let Some(answer) = self.ask(py, "summary", sample)? else {
                    return Ok(Values::default());
                };
                let mut values = Values::default();
                for item in answer.cast::<PyDict>()?.items() {
                    let (name, value): (String, Bound<'_, PyAny>) = item.extract()?;
                    values.push(name, number(&value)?);
                }
                Ok(values)
            };
            self.raised.insist(py, call).unwrap_or_default()
        })
    }

    fn table(&self, sample: &Sample<'_, D>) -> Option<ObservableTable> {
        Python::attach(|py| {
            let call = || {
                let Some(answer) = self.ask(py, "table", sample)? else { return Ok(None) };
                let (mut columns, mut lists) = (Vec::new(), Vec::new());
                for item in answer.cast::<PyDict>()?.items() {
                    let (name, values): (String, Bound<'_, PyAny>) = item.extract()?;
                    let values = values.try_iter()?.map(|value| value?.extract::<f64>());
                    lists.push(values.collect::<PyResult<Vec<f64>>>()?);
                    columns.push(name);
                }
                let count = lists.first().map_or(0, Vec::len);
                if lists.iter().any(|list| list.len() != count) {
                    let name = &self.name;
                    let sentence = format!("columns of the table of {name:?} differ in length");
                    return Err(errors::INPUT.with(py, sentence));
                }
                let row = |row: usize| lists.iter().map(|list| list[row]).collect();
                Ok(Some(ObservableTable { columns, rows: (0..count).map(row).collect() }))
            };
            self.raised.insist(py, call).flatten()
        })
    }

    fn save(&self) -> Vec<f64> {
        self.saved.clone()
    }

    fn restore(&mut self, saved: &[f64]) -> Result<(), String> {
        Python::attach(|py| {
            let object = self.object.bind(py);
            let restore = || -> PyResult<bool> {
                if !object.hasattr("restore")? {
                    return Ok(saved.is_empty());
                }
                object.call_method1("restore", (saved.to_vec(),)).map(|_| true)
            };
            match restore() {
                Ok(true) => {
                    self.saved = saved.to_vec();
                    Ok(())
                }
                Ok(false) => Err(format!("the observable {:?} has nothing to remember", self.name)),
                Err(error) => Err(error.value(py).to_string()),
            }
        })
    }
}
