//! A frame in memory: what a run writes, what viewers and pictures are made from.

use carom_geometry::{Aabb, Boundary, Pose, Vector};
use carom_simulate::shape::Shape;
use carom_simulate::{BoundaryCondition, ContactObstacle, EngineContact, Region, State, WallLoad};
use thiserror::Error;

/// All bodies of a run at one instant, in the order of their ids. As long as none has left, the index of a body is its id.
///
/// ```
/// use carom_geometry::Vector;
/// use carom_io::{AxisExtent, Frame};
/// let frame = Frame {
///     time: 2.5,
///     step: 12,
///     number: 3,
///     region: [AxisExtent::Periodic(10.0), AxisExtent::Walls(4.0)],
///     positions: vec![Vector::from([1.0, 2.0])],
///     velocities: vec![Vector::from([3.0, -4.0])],
///     radii: vec![0.5],
///     masses: None,
///     materials: None,
///     shapes: None,
///     springs: None,
///     contacts: None,
///     walls: None,
///     ids: None,
///     color_by: None,
///     columns: vec![("charge".to_owned(), vec![1.0])],
/// };
/// assert!(frame.check().is_ok());
/// assert_eq!(frame.speed(0), 5.0);
/// assert_eq!(frame.bounds().high, Vector::from([10.0, 4.0]));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Frame<const D: usize> {
    /// Simulated time, in the units of the scene.
    pub time: f64,
    /// Collisions so far in an event-driven run, time steps so far in a time-stepped one.
    pub step: u64,
    /// Number among the frames of the run, from zero.
    pub number: u64,
    /// Extent of the region along each axis.
    pub region: [AxisExtent; D],
    /// Centers; an image outside a periodic box is allowed.
    pub positions: Vec<Vector<D>>,
    /// Velocities of the centers, in length / time.
    pub velocities: Vec<Vector<D>>,
    /// Radii; those of the bounding spheres of bodies with a shape.
    pub radii: Vec<f64>,
    /// Masses, if they are to be written.
    pub masses: Option<Vec<f64>>,
    /// Indices of the materials, from zero, if there are several.
    pub materials: Option<Vec<u32>>,
    /// Shapes and their orientations, if some bodies have one.
    pub shapes: Option<FrameShapes>,
    /// Springs between particles, if there are any.
    pub springs: Option<FrameSprings>,
    /// Contacts with their forces, if they are to be written.
    pub contacts: Option<Vec<FrameContact<D>>>,
    /// Walls that are meshes, with the loads on their triangles, if they are to be written.
    pub walls: Option<FrameWalls>,
    /// Id of each body, where bodies may have left; otherwise ids are the indices.
    pub ids: Option<Vec<u32>>,
    /// Column that colors of pictures show; without one they show speeds.
    pub color_by: Option<String>,
    /// Additional numbers per body under a name of letters, digits and `_`.
    pub columns: Vec<(String, Vec<f64>)>,
}

/// The triangles of walls that are meshes, where they are at the time of a frame, with what contacts do to them. In 2D
/// they are lines, whose second and third corners are equal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameWalls {
    /// The three corners of each triangle, in the order of the mesh.
    pub corners: Vec<[Vector<3>; 3]>,
    /// Number of the wall of each triangle.
    pub walls: Vec<u32>,
    /// Forces and contacts on each triangle, in the same order as the corners.
    pub loads: Vec<WallLoad>,
}

/// A contact of a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameContact<const D: usize> {
    /// Id of the first body.
    pub body: u32,
    /// Id of the other body; none at a wall.
    pub other: Option<u32>,
    /// Number of the wall; none between two bodies.
    pub wall: Option<u32>,
    /// Center of the first body, contact point, and center of the other body; at a wall the contact point again.
    pub line: [Vector<D>; 3],
    /// Penetration depth δ: how far the two bodies overlap, a length.
    pub overlap: f64,
    /// Normal force, positive where it pushes apart.
    pub normal_force: f64,
    /// Magnitude of the tangential force.
    pub tangential_force: f64,
}

impl<const D: usize> FrameContact<D> {
    /// Returns a contact of a simulation in the frame of its first body; none if a body is not in the state.
    pub fn of(
        contact: &EngineContact<D>,
        state: &State<D>,
        boundary: &Boundary<D>,
    ) -> Option<Self> {
        let place = |id: u32| state.number(id).map(|number| state.positions[number]);
        let (center, point) = (place(contact.body)?, contact.position);
        let (other, wall) = match contact.obstacle {
            ContactObstacle::Body(other) => (Some(other), None),
            ContactObstacle::Wall(wall) => (None, Some(wall)),
        };
        let end = match other {
            Some(other) => center + boundary.minimum_image(center, place(other)?),
            None => point,
        };
        Some(FrameContact {
            body: contact.body,
            other,
            wall,
            line: [center, point, end],
            overlap: contact.overlap,
            normal_force: contact.normal_force,
            tangential_force: contact.tangential_force.norm(),
        })
    }
}

/// The springs of a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameSprings {
    /// Indices of the particles at both ends.
    pub ends: Vec<[u32; 2]>,
    /// Strains: length over rest length, minus one.
    pub strains: Vec<f64>,
    /// Whether each spring has broken, in the order of the pairs.
    pub are_broken: Vec<bool>,
}

/// The shapes of the bodies of a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameShapes {
    /// The different shapes, to which bodies refer by index.
    pub list: Vec<Shape>,
    /// Index of the shape of each body; discs and spheres have none.
    pub shape_of_body: Vec<Option<u32>>,
    /// Orientation of each body: a unit quaternion `w, x, y, z`.
    pub orientations: Vec<[f64; 4]>,
}

/// The extent of the region along one axis; where it has a length it starts at zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AxisExtent {
    /// Unbounded.
    Open,
    /// Between two walls at this distance.
    Walls(f64),
    /// Periodic with this period.
    Periodic(f64),
}

impl AxisExtent {
    /// Returns the extents of a simulated box.
    pub fn of_region<const D: usize>(region: &Region<D>) -> [AxisExtent; D] {
        std::array::from_fn(|axis| match region.boundary_conditions[axis] {
            BoundaryCondition::Periodic => AxisExtent::Periodic(region.size[axis]),
            BoundaryCondition::Wall { .. } => AxisExtent::Walls(region.size[axis]),
            BoundaryCondition::Open => AxisExtent::Open,
        })
    }

    /// Returns its length, if it has one.
    pub fn length(self) -> Option<f64> {
        match self {
            AxisExtent::Open => None,
            AxisExtent::Walls(length) | AxisExtent::Periodic(length) => Some(length),
        }
    }

    /// Returns the period, if it is periodic.
    pub fn period(self) -> Option<f64> {
        if let AxisExtent::Periodic(length) = self { Some(length) } else { None }
    }
}

/// Why a frame is inconsistent.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum FrameProblem {
    /// A column does not have one value per body.
    #[error("the frame has {bodies} bodies but {found} values of \"{column}\"; give one per body")]
    Length {
        /// Column that is too long or too short.
        column: String,
        /// Number of bodies in the frame.
        bodies: usize,
        /// Number of values in the column.
        found: usize,
    },
    /// A body has a shape that does not exist.
    #[error("body {body} of the frame has shape {shape}, but there are {count}, from 0")]
    Shape {
        /// Index of the body.
        body: usize,
        /// Index of its shape.
        shape: u32,
        /// Number of shapes.
        count: usize,
    },
    /// A column does not have one value per spring.
    #[error(
        "the frame has {springs} springs but {found} values of \"{column}\"; give one per spring"
    )]
    SpringLength {
        /// Column that is too long or too short.
        column: &'static str,
        /// Number of springs in the frame.
        springs: usize,
        /// Number of values in the column.
        found: usize,
    },
    /// A spring ends at a body that does not exist.
    #[error("spring {spring} of the frame ends at body {body}, but there are {bodies}, from 0")]
    SpringEnd {
        /// Index of the spring.
        spring: usize,
        /// Index of the body at its end.
        body: u32,
        /// Number of bodies.
        bodies: usize,
    },
    /// Colors are to show a column that does not exist.
    #[error("colors of the frame show \"{name}\"; that must be the name of one of its columns")]
    ColorColumn {
        /// Name, shortened.
        name: String,
    },
    /// A column has a name that a format cannot hold or that is reserved.
    #[error(
        "a column of the frame is called \"{name}\"; a name must be made of letters, digits and _ \
         and used once"
    )]
    Name {
        /// Name, shortened.
        name: String,
    },
}

/// Names of the columns of every frame, in one format or another.
const RESERVED_NAMES: [&str; 29] = [
    "species",
    "pos",
    "position",
    "radius",
    "r",
    "diameter",
    "d",
    "velo",
    "velocity",
    "speed",
    "mass",
    "masses",
    "momenta",
    "material",
    "id",
    "type",
    "x",
    "y",
    "z",
    "vx",
    "vy",
    "vz",
    "box",
    "shape",
    "orientation",
    "quatw",
    "quati",
    "quatj",
    "quatk",
];

impl<const D: usize> Frame<D> {
    /// Returns the id of the body at an index.
    pub fn id(&self, index: usize) -> u32 {
        self.ids.as_ref().map_or(index as u32, |ids| ids[index])
    }

    /// Returns the number of bodies.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there is no body at all.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Returns the magnitude of a body's velocity.
    pub fn speed(&self, index: usize) -> f64 {
        self.velocities[index].norm()
    }

    /// Returns the shape and the pose of a body; `None` for discs, spheres and bodies without a valid orientation.
    pub fn shape(&self, index: usize) -> Option<(&Shape, Pose)> {
        let shaped = self.shapes.as_ref()?;
        let shape = &shaped.list[shaped.shape_of_body[index]? as usize];
        let position = &self.positions[index];
        let place = Vector::from_fn(|axis, _| if axis < D { position[axis] } else { 0.0 });
        Some((shape, Pose::new(place, shaped.orientations[index])?))
    }

    /// Returns the bounds of the region; along an open axis those of the bodies.
    pub fn bounds(&self) -> Aabb<D> {
        let mut sides = Aabb::empty();
        if self.region.contains(&AxisExtent::Open) {
            for (position, &radius) in self.positions.iter().zip(&self.radii) {
                let reach = Vector::repeat(radius);
                sides = sides.including(&(position - reach)).including(&(position + reach));
            }
        }
        for axis in 0..D {
            let empty = sides.low[axis] > sides.high[axis];
            if let Some(length) = self.region[axis].length().or(empty.then_some(0.0)) {
                (sides.low[axis], sides.high[axis]) = (0.0, length);
            }
        }
        sides
    }

    /// Returns the column that colors of pictures show; `None` where they show speeds.
    pub fn color_values(&self) -> Option<&[f64]> {
        self.column(self.color_by.as_ref()?)
    }

    /// Returns the numbers of an additional column.
    pub fn column(&self, wanted: &str) -> Option<&[f64]> {
        let found = self.columns.iter().find(|(name, _)| name == wanted);
        found.map(|(_, values)| values.as_slice())
    }

    /// Returns the separation along a spring, from one end to the nearest image of the other.
    pub fn spring_separation(&self, [from, to]: [u32; 2]) -> Vector<D> {
        let way = self.positions[to as usize] - self.positions[from as usize];
        Vector::from_fn(|axis, _| match self.region[axis] {
            AxisExtent::Periodic(period) => way[axis] - period * (way[axis] / period).round(),
            _ => way[axis],
        })
    }

    /// Returns an error unless every column has one value per body and a valid name, and all bodies, shapes and columns
    /// that are referred to exist.
    pub fn check(&self) -> Result<(), FrameProblem> {
        let bodies = self.len();
        let lengths = [("velocity", self.velocities.len()), ("radius", self.radii.len())];
        let materials = self.materials.iter().map(|materials| ("material", materials.len()));
        let materials = materials.chain(self.ids.iter().map(|ids| ("id", ids.len())));
        let shapes = self.shapes.iter().flat_map(|shaped| {
            [("shape", shaped.shape_of_body.len()), ("orientation", shaped.orientations.len())]
        });
        let further = self.scalars().map(|(name, values)| (name, values.len()));
        for (column, found) in lengths.into_iter().chain(materials).chain(shapes).chain(further) {
            if found != bodies {
                let column = column.to_owned();
                return Err(FrameProblem::Length { column, bodies, found });
            }
        }
        self.check_shapes()?;
        self.check_springs()?;
        let names: Vec<_> = self.columns.iter().map(|(name, _)| name.as_str()).collect();
        for (index, name) in names.iter().enumerate() {
            let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
            let taken = |other: &&str| other.eq_ignore_ascii_case(name);
            let twice = RESERVED_NAMES.iter().chain(&names[..index]).any(taken);
            if name.is_empty() || !name.chars().all(plain) || twice {
                return Err(FrameProblem::Name { name: crate::excerpt::value(name.as_bytes()) });
            }
        }
        match &self.color_by {
            Some(name) if self.column(name).is_none() => {
                Err(FrameProblem::ColorColumn { name: crate::excerpt::value(name.as_bytes()) })
            }
            _ => Ok(()),
        }
    }

    fn check_shapes(&self) -> Result<(), FrameProblem> {
        let Some(FrameShapes { list, shape_of_body: of_body, .. }) = &self.shapes else {
            return Ok(());
        };
        let count = list.len();
        for (body, shape) in of_body.iter().enumerate() {
            if let Some(shape) = shape.filter(|&shape| shape as usize >= count) {
                return Err(FrameProblem::Shape { body, shape, count });
            }
        }
        Ok(())
    }

    fn check_springs(&self) -> Result<(), FrameProblem> {
        let Some(FrameSprings { ends, strains, are_broken }) = &self.springs else {
            return Ok(());
        };
        let (springs, bodies) = (ends.len(), self.len());
        for (column, found) in [("strain", strains.len()), ("broken", are_broken.len())] {
            if found != springs {
                return Err(FrameProblem::SpringLength { column, springs, found });
            }
        }
        for (spring, ends) in ends.iter().enumerate() {
            if let Some(&body) = ends.iter().find(|&&body| body as usize >= bodies) {
                return Err(FrameProblem::SpringEnd { spring, body, bodies });
            }
        }
        Ok(())
    }

    /// Returns the masses if there are any, then the additional columns.
    pub(crate) fn scalars(&self) -> impl Iterator<Item = (&str, &[f64])> {
        let masses = self.masses.iter().map(|masses| ("mass", masses.as_slice()));
        masses.chain(self.columns.iter().map(|(name, values)| (name.as_str(), values.as_slice())))
    }
}

#[cfg(test)]
pub(crate) mod examples;
#[cfg(test)]
mod tests;
