//! The state of all bodies, as functions of Python see it.

use crate::arrays;
use crate::present_state::PresentState;
use carom::geometry::Vector;
use carom::simulate::State as EngineState;
use numpy::PyArray1;
use pyo3::prelude::*;
use std::sync::Arc;

/// The state of all bodies at one moment, in the order of their numbers: what forces and observables are given.
///
/// Arrays are copies, made when they are asked for: a force that needs one array twice takes it once. Their memory is used
/// again in the next step, unless something still has them.
///
/// Examples
/// --------
/// >>> import carom
/// >>> simulation = carom.Simulation(":hopper")
/// >>> def upwards(state):
/// ...     force = 0 * state.positions
/// ...     force[:, -1] = 0.1 * state.masses
/// ...     return force
/// >>> simulation.add_force(upwards)
#[pyclass(frozen, module = "carom")]
pub struct State(AnyState);

enum AnyState {
    TwoD(Arc<EngineState<2>>),
    ThreeD(Arc<EngineState<3>>),
    PresentTwoD(PresentState<2>),
    PresentThreeD(PresentState<3>),
}

/// The state of a simulation of one of both dimensions, as a function of Python is given it.
pub trait OfDimension<const D: usize>: From<Arc<EngineState<D>>> + From<PresentState<D>> {
    /// Makes what the state has been given at the present its own, before the simulation continues.
    fn leave_present(&self);
}

impl OfDimension<2> for State {
    fn leave_present(&self) {
        if let AnyState::PresentTwoD(state) = &self.0 {
            state.leave();
        }
    }
}

impl OfDimension<3> for State {
    fn leave_present(&self) {
        if let AnyState::PresentThreeD(state) = &self.0 {
            state.leave();
        }
    }
}

impl From<PresentState<2>> for State {
    fn from(state: PresentState<2>) -> Self {
        State(AnyState::PresentTwoD(state))
    }
}

impl From<PresentState<3>> for State {
    fn from(state: PresentState<3>) -> Self {
        State(AnyState::PresentThreeD(state))
    }
}

impl From<Arc<EngineState<2>>> for State {
    fn from(state: Arc<EngineState<2>>) -> Self {
        State(AnyState::TwoD(state))
    }
}

impl From<Arc<EngineState<3>>> for State {
    fn from(state: Arc<EngineState<3>>) -> Self {
        State(AnyState::ThreeD(state))
    }
}

/// Returns an array of one of the arrays of a state, if the engine has it.
pub fn array_of<'py, const D: usize>(
    py: Python<'py>,
    state: &EngineState<D>,
    name: &str,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let has = |count: usize| count > 0 || state.positions.is_empty();
    Ok(Some(match name {
        "ids" => PyArray1::from_slice(py, &state.ids).into_any(),
        "positions" => arrays::from_points(py, &state.positions)?.into_any(),
        "velocities" => arrays::from_points(py, &state.velocities)?.into_any(),
        "radii" => PyArray1::from_slice(py, &state.radii).into_any(),
        "masses" => PyArray1::from_slice(py, &state.masses).into_any(),
        "materials" => PyArray1::from_slice(py, &state.materials).into_any(),
        "angular_velocities" if has(state.angular_velocities.len()) => {
            angular(py, &state.angular_velocities, D)?
        }
        "orientations" if has(state.orientations.len()) => {
            let rows = state.orientations.iter().flat_map(|it| [it.w, it.i, it.j, it.k]);
            arrays::from_rows(py, rows.collect(), 4)?.into_any()
        }
        _ => return Ok(None),
    }))
}

/// Angular velocities or torques: about each axis in space, shape (N, 3), about the third in the plane, shape (N,).
pub fn angular<'py>(
    py: Python<'py>,
    vectors: &[Vector<3>],
    dimension: usize,
) -> PyResult<Bound<'py, PyAny>> {
    Ok(match dimension {
        2 => PyArray1::from_vec(py, vectors.iter().map(|vector| vector.z).collect()).into_any(),
        _ => arrays::from_points(py, vectors)?.into_any(),
    })
}

impl State {
    fn array<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        match &self.0 {
            AnyState::TwoD(state) => array_of(py, state, name),
            AnyState::ThreeD(state) => array_of(py, state, name),
            AnyState::PresentTwoD(state) => state.array(py, name),
            AnyState::PresentThreeD(state) => state.array(py, name),
        }
    }
}

#[pymethods]
impl State {
    /// Simulated time.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.Simulation(":hopper").state().time
    /// 0.0
    #[getter]
    fn time(&self) -> f64 {
        match &self.0 {
            AnyState::TwoD(state) => state.time,
            AnyState::ThreeD(state) => state.time,
            AnyState::PresentTwoD(state) => state.time,
            AnyState::PresentThreeD(state) => state.time,
        }
    }

    /// Ids, ascending. Shape (N,), uint32.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.Simulation(":hopper").state().ids[:3]
    /// array([0, 1, 2], dtype=uint32)
    #[getter]
    fn ids<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.array(py, "ids")
    }

    /// Positions of the centers of mass. Shape (N, D).
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.Simulation(":hopper").state().positions.shape
    /// (1000, 2)
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.array(py, "positions")
    }

    /// Velocities of the centers of mass. Shape (N, D).
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.Simulation(":hopper").state().velocities.shape
    /// (1000, 2)
    #[getter]
    fn velocities<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.array(py, "velocities")
    }

    /// Angular velocities: about each axis, shape (N, 3), in 2D shape (N,); None where bodies do not rotate.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.Simulation(":hopper").state().angular_velocities.shape
    /// (1000,)
    #[getter]
    fn angular_velocities<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.array(py, "angular_velocities")
    }

    /// Orientations as unit quaternions w, x, y, z, shape (N, 4); None where all bodies are round.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.Simulation(":hopper").state().orientations is None
    /// True
    #[getter]
    fn orientations<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.array(py, "orientations")
    }

    /// Radii, of bodies with a shape those of their bounding spheres. Shape (N,).
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.Simulation(":hopper").state().radii.shape
    /// (1000,)
    #[getter]
    fn radii<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.array(py, "radii")
    }

    /// Masses. Shape (N,).
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.Simulation(":hopper").state().masses.shape
    /// (1000,)
    #[getter]
    fn masses<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.array(py, "masses")
    }

    /// Indices of the materials. Shape (N,), uint32.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.Simulation(":hopper").state().materials.max()
    /// np.uint32(0)
    #[getter]
    fn materials<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.array(py, "materials")
    }

    fn __len__(&self) -> usize {
        match &self.0 {
            AnyState::TwoD(state) => state.positions.len(),
            AnyState::ThreeD(state) => state.positions.len(),
            AnyState::PresentTwoD(state) => state.count,
            AnyState::PresentThreeD(state) => state.count,
        }
    }

    fn __repr__(&self) -> String {
        format!("<carom.State: {} bodies at time {}>", self.__len__(), self.time())
    }
}
