//! The state of a simulation within a step: arrays are gathered when a function of Python asks for them.

use crate::state::{angular, array_of};
use carom::simulate::State as EngineState;
use carom::simulate::dem::PresentBodies;
use numpy::{Element, PyArray1, PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Arrays that a function was given in earlier steps, by their names.
///
/// To fetch as much new memory from the system takes longer than to fill it.
#[derive(Default)]
pub struct KeptArrays(Mutex<BTreeMap<String, Py<PyAny>>>);

impl KeptArrays {
    /// Takes the array of a name, if nothing but this has it.
    fn take<'py>(&self, py: Python<'py>, name: &str) -> Option<Bound<'py, PyAny>> {
        let mut arrays = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let array = arrays.remove(name);
        drop(arrays);
        // A view of an array counts as one that has it.
        array.map(|array| array.into_bound(py)).filter(is_only_reference)
    }

    fn keep(&self, name: &str, array: &Bound<'_, PyAny>) {
        let array = array.clone().unbind();
        let mut arrays = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let replaced = arrays.insert(name.to_owned(), array);
        drop(arrays);
        drop(replaced);
    }
}

/// The state of all bodies within a step, and a copy of it after that.
pub struct PresentState<const D: usize> {
    /// Simulated time.
    pub time: f64,
    /// Number of bodies.
    pub count: usize,
    source: Mutex<Source<D>>,
    kept: Arc<KeptArrays>,
}

#[derive(Clone)]
enum Source<const D: usize> {
    /// The bodies of the simulation, which waits.
    Present(Arc<PresentBodies<D>>),
    /// A copy, since the simulation continues.
    Copy(Arc<EngineState<D>>),
}

impl<const D: usize> PresentState<D> {
    /// Makes the state of these bodies, whose arrays are put into the memory of those that are kept.
    pub fn new(bodies: Arc<PresentBodies<D>>, kept: Arc<KeptArrays>) -> Self {
        let (time, count) = (bodies.time(), bodies.count());
        PresentState { time, count, source: Mutex::new(Source::Present(bodies)), kept }
    }

    /// Copies everything, so that the bodies can be moved while Python has the state.
    pub fn leave(&self) {
        if let Source::Present(bodies) = self.source() {
            let copy = Source::Copy(Arc::new(bodies.state().clone()));
            *self.source.lock().unwrap_or_else(PoisonError::into_inner) = copy;
        }
    }

    fn source(&self) -> Source<D> {
        self.source.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns one of the arrays, if bodies have it.
    pub fn array<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let bodies = match self.source() {
            Source::Present(bodies) => bodies,
            Source::Copy(state) => return array_of(py, &state, name),
        };
        let array = match name {
            "ids" => return Ok(Some(PyArray1::from_vec(py, bodies.ids()).into_any())),
            "orientations" => {
                return match bodies.has_orientations() {
                    true => array_of(py, py.detach(|| bodies.state()), name),
                    false => Ok(None),
                };
            }
            "angular_velocities" if D == 2 => {
                let mut vectors = vec![[0.0; 3]; self.count];
                py.detach(|| bodies.angular_velocities_into(&mut vectors));
                let vectors: Vec<_> = vectors.into_iter().map(Into::into).collect();
                return angular(py, &vectors, D).map(Some);
            }
            "positions" => self.rows(py, name, |out| bodies.positions_into(out)),
            "velocities" => self.rows(py, name, |out| bodies.velocities_into(out)),
            "angular_velocities" => self.rows(py, name, |out| bodies.angular_velocities_into(out)),
            "radii" => self.row(py, name, |out| bodies.radii_into(out)),
            "masses" => self.row(py, name, |out| bodies.masses_into(out)),
            "materials" => self.row(py, name, |out| bodies.materials_into(out)),
            _ => return Ok(None),
        };
        self.kept.keep(name, &array);
        Ok(Some(array))
    }

    /// An array with a row of this width for each body, filled without the interpreter's lock.
    fn rows<'py, const WIDTH: usize>(
        &self,
        py: Python<'py>,
        name: &str,
        fill: impl FnOnce(&mut [[f64; WIDTH]]) + Send,
    ) -> Bound<'py, PyAny> {
        let kept = self.kept.take(py, name).and_then(|array| array.cast_into().ok());
        let shape = [self.count, WIDTH];
        let array = match kept {
            Some(array) if is_ours::<PyArray2<f64>>(&array, &shape) => array,
            _ => PyArray2::<f64>::zeros(py, shape, false),
        };
        {
            let mut filled = array.readwrite();
            let numbers = filled.as_slice_mut().expect("the array is contiguous");
            py.detach(|| fill(numbers.as_chunks_mut().0));
        }
        array.into_any()
    }

    /// An array with a number for each body, filled without the interpreter's lock.
    fn row<'py, T: Element + Send>(
        &self,
        py: Python<'py>,
        name: &str,
        fill: impl FnOnce(&mut [T]) + Send,
    ) -> Bound<'py, PyAny> {
        let kept = self.kept.take(py, name).and_then(|array| array.cast_into().ok());
        let array = match kept {
            Some(array) if is_ours::<PyArray1<T>>(&array, &[self.count]) => array,
            _ => PyArray1::<T>::zeros(py, [self.count], false),
        };
        {
            let mut filled = array.readwrite();
            let numbers = filled.as_slice_mut().expect("the array is contiguous");
            py.detach(|| fill(numbers));
        }
        array.into_any()
    }
}

/// Whether nothing else has the object.
#[expect(
    deprecated,
    reason = "what replaces it is unsafe; there are no builds without the interpreter's lock"
)]
pub fn is_only_reference(object: &Bound<'_, PyAny>) -> bool {
    object.get_refcnt() == 1
}

/// Whether an array is still as it was made: a function may have changed its shape or made it read-only.
fn is_ours<A>(array: &Bound<'_, A>, shape: &[usize]) -> bool
where
    for<'py> Bound<'py, A>: PyUntypedArrayMethods<'py>,
{
    let is_writeable = || array.as_any().getattr("flags")?.getattr("writeable")?.is_truthy();
    array.shape() == shape && array.is_c_contiguous() && is_writeable().unwrap_or(false)
}
