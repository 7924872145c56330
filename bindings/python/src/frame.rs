//! Frames of a run: all bodies at one instant.

use crate::{arrays, errors, frame_parts};
use carom::geometry::Vector;
use carom::io::{AxisExtent, Frame as IoFrame, FrameContact};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// All bodies of a run at one instant, in the order of their ids.
///
/// Arrays are copies, made when they are asked for.
///
/// Examples
/// --------
/// >>> import carom
/// >>> frame = carom.Simulation(":hopper").frame()
/// >>> frame
/// <carom.Frame: 1000 bodies at time 0>
/// >>> frame.positions.shape
/// (1000, 2)
#[pyclass(frozen, module = "carom")]
pub struct Frame(AnyFrame);

/// A frame of either dimension.
pub enum AnyFrame {
    TwoD(IoFrame<2>),
    ThreeD(IoFrame<3>),
}

impl From<AnyFrame> for Frame {
    fn from(frame: AnyFrame) -> Self {
        Frame(frame)
    }
}

impl From<IoFrame<2>> for Frame {
    fn from(frame: IoFrame<2>) -> Self {
        Frame(AnyFrame::TwoD(frame))
    }
}

impl From<IoFrame<3>> for Frame {
    fn from(frame: IoFrame<3>) -> Self {
        Frame(AnyFrame::ThreeD(frame))
    }
}

/// Calls something for the frame of whichever dimension.
macro_rules! with_frame {
    ($frame:expr, $inner:ident => $body:expr) => {
        match &$frame.0 {
            AnyFrame::TwoD($inner) => $body,
            AnyFrame::ThreeD($inner) => $body,
        }
    };
}

impl Frame {
    /// The frame of a file, where discs lie at z = 0, of a scene of this dimension.
    pub fn of_file(frame: IoFrame<3>, dimension: usize) -> Self {
        if dimension == 3 {
            return Frame::from(frame);
        }
        let flat = |vectors: &[Vector<3>]| vectors.iter().map(|it| [it.x, it.y].into()).collect();
        Frame::from(IoFrame::<2> {
            time: frame.time,
            step: frame.step,
            number: frame.number,
            region: [frame.region[0], frame.region[1]],
            positions: flat(&frame.positions),
            velocities: flat(&frame.velocities),
            radii: frame.radii,
            masses: frame.masses,
            materials: frame.materials,
            shapes: frame.shapes,
            springs: frame.springs,
            contacts: None,
            walls: frame.walls,
            ids: frame.ids,
            color_by: frame.color_by,
            columns: frame.columns,
        })
    }

    /// The frame, in whichever dimension.
    pub fn inner(&self) -> &AnyFrame {
        &self.0
    }

    fn vectors<'py>(
        &self,
        py: Python<'py>,
        flat: impl Fn(&IoFrame<2>) -> &[Vector<2>],
        spatial: impl Fn(&IoFrame<3>) -> &[Vector<3>],
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        match &self.0 {
            AnyFrame::TwoD(frame) => arrays::from_points(py, flat(frame)),
            AnyFrame::ThreeD(frame) => arrays::from_points(py, spatial(frame)),
        }
    }

    fn region(&self) -> &[AxisExtent] {
        match &self.0 {
            AnyFrame::TwoD(frame) => &frame.region,
            AnyFrame::ThreeD(frame) => &frame.region,
        }
    }
}

#[pymethods]
impl Frame {
    /// Simulated time.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.Simulation(":hopper").frame().time
    /// 0.0
    #[getter]
    fn time(&self) -> f64 {
        with_frame!(self, frame => frame.time)
    }

    /// Number of steps or collisions so far; 0 where the format of its file does not say.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.Simulation(":hopper").frame().step
    /// 0
    #[getter]
    fn step(&self) -> u64 {
        with_frame!(self, frame => frame.step)
    }

    /// Number among the frames of the run, from zero.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.Simulation(":hopper").frame().number
    /// 0
    #[getter]
    fn number(&self) -> u64 {
        with_frame!(self, frame => frame.number)
    }

    /// Number of dimensions, 2 or 3.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.Simulation(":hopper").frame().dimension
    /// 2
    #[getter]
    fn dimension(&self) -> usize {
        self.region().len()
    }

    /// Length of the box on each axis, None where it is open.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.Simulation(":hopper").frame().box
    /// (24.0, 40.0)
    #[getter]
    fn r#box<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.region().iter().map(|extent| extent.length()))
    }

    /// Whether the box is periodic on each axis.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.Simulation(":hopper").frame().periodic
    /// (False, False)
    #[getter]
    fn periodic<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.region().iter().map(|extent| extent.period().is_some()))
    }

    /// Positions of the centers. Shape (N, D).
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.Simulation(":hopper").frame().positions.shape
    /// (1000, 2)
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.vectors(py, |frame| &frame.positions, |frame| &frame.positions)
    }

    /// Velocities of the centers. Shape (N, D).
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.Simulation(":hopper").frame().velocities[0]
    /// array([0., 0.])
    #[getter]
    fn velocities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.vectors(py, |frame| &frame.velocities, |frame| &frame.velocities)
    }

    /// Radii, of bodies with a shape those of their bounding spheres. Shape (N,).
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> bool((carom.Simulation(":hopper").frame().radii >= 0.2).all())
    /// True
    #[getter]
    fn radii<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        with_frame!(self, frame => PyArray1::from_slice(py, &frame.radii))
    }

    /// Masses, if the frame has them. Shape (N,).
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.Simulation(":hopper").frame().masses.shape
    /// (1000,)
    #[getter]
    fn masses<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<f64>>> {
        let masses = with_frame!(self, frame => frame.masses.as_deref());
        masses.map(|masses| PyArray1::from_slice(py, masses))
    }

    /// Indices of the materials, if there are several. Shape (N,), uint32.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.Simulation(":hopper").frame().materials is None
    /// True
    #[getter]
    fn materials<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<u32>>> {
        let materials = with_frame!(self, frame => frame.materials.as_deref());
        materials.map(|materials| PyArray1::from_slice(py, materials))
    }

    /// Id of each body, which it keeps when others leave. Shape (N,), uint32.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.Simulation(":hopper").frame().ids[:3]
    /// array([0, 1, 2], dtype=uint32)
    #[getter]
    fn ids<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        let ids = with_frame!(self, frame => frame.ids.as_deref());
        match ids {
            Some(ids) => PyArray1::from_slice(py, ids),
            None => PyArray1::from_vec(py, (0..self.__len__() as u32).collect()),
        }
    }

    /// Orientations as unit quaternions w, x, y, z, if some bodies have a shape. Shape (N, 4).
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.Simulation(":dice").frame().orientations.shape[1]
    /// 4
    #[getter]
    fn orientations<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray2<f64>>>> {
        let shapes = with_frame!(self, frame => frame.shapes.as_ref());
        let rows = shapes.map(|shapes| shapes.orientations.as_flattened().to_vec());
        rows.map(|rows| arrays::from_rows(py, rows, 4)).transpose()
    }

    /// Index of the shape of each body, -1 for discs and spheres; None if no body has a shape. Shape (N,), int32.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.Simulation(":dice").frame().shapes.min() >= 0
    /// np.True_
    #[getter]
    fn shapes<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<i32>>> {
        let shapes = with_frame!(self, frame => frame.shapes.as_ref())?;
        let number = |shape: &Option<u32>| shape.map_or(-1, |shape| shape as i32);
        Some(PyArray1::from_vec(py, shapes.shape_of_body.iter().map(number).collect()))
    }

    /// Further numbers of each body by their names, such as "pressure". A dict of arrays of shape (N,).
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> sorted(carom.Simulation(":hopper").frame().columns)
    /// ['angular_velocity', 'cluster', 'contacts', 'pressure']
    #[getter]
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = with_frame!(self, frame => &frame.columns);
        let dict = PyDict::new(py);
        for (name, values) in columns {
            dict.set_item(name, PyArray1::from_slice(py, values))?;
        }
        Ok(dict)
    }

    /// Springs of bonded solids, None if there are none: a dict of "ends" (S, 2), "strains" (S,) and "broken" (S,).
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> sorted(carom.Simulation(":cradle").frame().springs)
    /// ['broken', 'ends', 'strains']
    #[getter]
    fn springs<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(springs) = with_frame!(self, frame => frame.springs.as_ref()) else {
            return Ok(None);
        };
        let dict = PyDict::new(py);
        dict.set_item("ends", arrays::from_rows(py, springs.ends.as_flattened().to_vec(), 2)?)?;
        dict.set_item("strains", PyArray1::from_slice(py, &springs.strains))?;
        dict.set_item("broken", PyArray1::from_slice(py, &springs.are_broken))?;
        Ok(Some(dict))
    }

    /// Contacts, where the scene has `output.contacts` and the frame is in memory: a dict of "bodies" (M, 2) with -1 at
    /// walls, "walls" (M,) with -1 between bodies, "points" (M, D), "overlap", "normal_force" and "tangential_force" (M,).
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.Simulation(":hopper").frame().contacts is None
    /// True
    #[getter]
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        match &self.0 {
            AnyFrame::TwoD(frame) => contacts(py, frame.contacts.as_deref()),
            AnyFrame::ThreeD(frame) => contacts(py, frame.contacts.as_deref()),
        }
    }

    /// Return a DataFrame of pandas with a row for each body, whose index is its id.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> list(carom.Simulation(":hopper").frame().to_pandas())[:4]  # doctest: +SKIP
    /// ['x', 'y', 'vx', 'vy']
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        convert(slf, "to_pandas")
    }

    /// Return PolyData of PyVista with a point for each body.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.Simulation(":hopper").frame().to_pyvista().n_points  # doctest: +SKIP
    /// 1000
    fn to_pyvista<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        convert(slf, "to_pyvista")
    }

    /// Return ASE's Atoms, whose arrays have radii and columns.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> len(carom.Simulation(":hopper").frame().to_ase())  # doctest: +SKIP
    /// 1000
    fn to_ase<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        convert(slf, "to_ase")
    }

    /// Return a DataCollection of OVITO with particles and a cell.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.Simulation(":hopper").frame().to_ovito().particles.count  # doctest: +SKIP
    /// 1000
    fn to_ovito<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        convert(slf, "to_ovito")
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        convert(slf, "to_html")
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let parts = PyDict::new(py);
        parts.set_item("time", self.time())?;
        parts.set_item("step", self.step())?;
        parts.set_item("number", self.number())?;
        parts.set_item("box", self.r#box(py)?)?;
        parts.set_item("periodic", self.periodic(py)?)?;
        parts.set_item("positions", self.positions(py)?)?;
        parts.set_item("velocities", self.velocities(py)?)?;
        parts.set_item("radii", self.radii(py))?;
        parts.set_item("masses", self.masses(py))?;
        parts.set_item("materials", self.materials(py))?;
        parts.set_item("ids", self.ids(py))?;
        let shapes = with_frame!(self, frame => frame.shapes.as_ref());
        let shapes = shapes.map(|shapes| frame_parts::parts_of_shapes(py, shapes));
        parts.set_item("shapes", shapes.transpose()?)?;
        parts.set_item("springs", self.springs(py)?)?;
        let contacts = with_frame!(self, frame => {
            let contacts = frame.contacts.as_deref();
            contacts.map(|contacts| frame_parts::parts_of_contacts(py, contacts))
        });
        parts.set_item("contacts", contacts.transpose()?)?;
        let walls = with_frame!(self, frame => frame.walls.as_ref());
        let walls = walls.map(|walls| frame_parts::parts_of_walls(py, walls));
        parts.set_item("walls", walls.transpose()?)?;
        parts.set_item("columns", self.columns(py)?)?;
        parts.set_item("color_by", with_frame!(self, frame => frame.color_by.clone()))?;
        (py.import("carom._carom")?.getattr("_frame_of_parts")?, (parts,)).into_pyobject(py)
    }

    fn __len__(&self) -> usize {
        with_frame!(self, frame => frame.positions.len())
    }

    fn __repr__(&self) -> String {
        let count = self.__len__();
        let bodies = if count == 1 { "body" } else { "bodies" };
        format!("<carom.Frame: {count} {bodies} at time {}>", self.time())
    }

    /// The picture of the frame, as the bytes of a PNG.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.Simulation(":hopper").frame().picture()[:4]
    /// b'\x89PNG'
    fn picture<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyBytes>> {
        let image = crate::thread_pool::run(
            py,
            || with_frame!(self, frame => carom::render::png(frame, None)),
        )?;
        let image = image.map_err(|error| errors::file(py, error))?;
        Ok(pyo3::types::PyBytes::new(py, &image))
    }
}

/// What a function of `carom.frames` makes of a frame.
fn convert<'py>(frame: &Bound<'py, Frame>, function: &str) -> PyResult<Bound<'py, PyAny>> {
    frame.py().import("carom.frames")?.call_method1(function, (frame,))
}

fn contacts<'py, const D: usize>(
    py: Python<'py>,
    contacts: Option<&[FrameContact<D>]>,
) -> PyResult<Option<Bound<'py, PyDict>>> {
    let Some(contacts) = contacts else { return Ok(None) };
    let dict = PyDict::new(py);
    let bodies =
        contacts.iter().flat_map(|it| [i64::from(it.body), it.other.map_or(-1, i64::from)]);
    dict.set_item("bodies", arrays::from_rows(py, bodies.collect(), 2)?)?;
    let walls = contacts.iter().map(|it| it.wall.map_or(-1, |wall| wall as i32));
    dict.set_item("walls", PyArray1::from_vec(py, walls.collect()))?;
    let points: Vec<Vector<D>> = contacts.iter().map(|it| it.line[1]).collect();
    dict.set_item("points", arrays::from_points(py, &points)?)?;
    let column =
        |of: fn(&FrameContact<D>) -> f64| PyArray1::from_vec(py, contacts.iter().map(of).collect());
    dict.set_item("overlap", column(|it| it.overlap))?;
    dict.set_item("normal_force", column(|it| it.normal_force))?;
    dict.set_item("tangential_force", column(|it| it.tangential_force))?;
    Ok(Some(dict))
}
