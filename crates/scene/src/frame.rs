use crate::Shape;
use carom_geometry::{Aabb, Pose, Vector};
use thiserror::Error;

/// All bodies of a run at one moment; the index of a body is the user's number for it.
///
/// ```
/// use carom_geometry::Vector;
/// use carom_scene::{Frame, AxisExtent};
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
    /// Collisions so far in an event-driven run, steps so far in a time-stepped one.
    pub step: u64,
    /// Its number among the frames of the run, from zero.
    pub number: u64,
    /// What the region is along each axis.
    pub region: [AxisExtent; D],
    /// Centers; an image outside a periodic box is allowed.
    pub positions: Vec<Vector<D>>,
    /// Velocities of the centers.
    pub velocities: Vec<Vector<D>>,
    /// Radii; of bodies with a shape those of the spheres around them.
    pub radii: Vec<f64>,
    /// Masses, if they are to be written.
    pub masses: Option<Vec<f64>>,
    /// Numbers of the materials, from zero, if there are several.
    pub materials: Option<Vec<u32>>,
    /// Shapes and how they are turned, if some bodies have one.
    pub shapes: Option<FrameShapes>,
    /// Springs between bodies, if there are any.
    pub springs: Option<FrameSprings>,
    /// The column that colors of pictures show; without one they show speeds.
    pub color_by: Option<String>,
    /// Further numbers per body under a name of letters, digits and `_`.
    pub columns: Vec<(String, Vec<f64>)>,
}

/// The springs of a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameSprings {
    /// Indices of the bodies at both ends.
    pub ends: Vec<[u32; 2]>,
    /// Their stretch: length over that at rest, less one.
    pub strains: Vec<f64>,
    /// Whether they have broken.
    pub are_broken: Vec<bool>,
}

/// The shapes of the bodies of a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameShapes {
    /// The shapes there are.
    pub list: Vec<Shape>,
    /// Of each body the index of its shape; discs and spheres have none.
    pub shape_of_body: Vec<Option<u32>>,
    /// How each body is turned: a quaternion `w, x, y, z` of length one.
    pub orientations: Vec<[f64; 4]>,
}

/// The region along one axis; where it has a length it goes from zero to there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AxisExtent {
    /// Without an end.
    Open,
    /// Between two walls.
    Walls(f64),
    /// Periodic.
    Periodic(f64),
}

impl AxisExtent {
    /// Its length, if it has one.
    pub fn length(self) -> Option<f64> {
        match self {
            AxisExtent::Open => None,
            AxisExtent::Walls(length) | AxisExtent::Periodic(length) => Some(length),
        }
    }

    /// The period, if it is periodic.
    pub fn period(self) -> Option<f64> {
        if let AxisExtent::Periodic(length) = self { Some(length) } else { None }
    }
}

/// Why a frame does not hold together.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum FrameProblem {
    /// Not one value per body.
    #[error("the frame has {bodies} bodies but {found} values of \"{column}\"; give one per body")]
    Length {
        /// The column that is too long or too short.
        column: String,
        /// Positions in the frame.
        bodies: usize,
        /// Values in the column.
        found: usize,
    },
    /// A body has a shape that there is not.
    #[error("body {body} of the frame has shape {shape}, but there are {count}, from 0")]
    Shape {
        /// The body.
        body: usize,
        /// Its shape.
        shape: u32,
        /// How many there are.
        count: usize,
    },
    /// Not one value per spring.
    #[error(
        "the frame has {springs} springs but {found} values of \"{column}\"; give one per spring"
    )]
    SpringLength {
        /// What is too long or too short.
        column: &'static str,
        /// Springs in the frame.
        springs: usize,
        /// Values there are.
        found: usize,
    },
    /// A spring ends at a body that there is not.
    #[error("spring {spring} of the frame ends at body {body}, but there are {bodies}, from 0")]
    SpringEnd {
        /// The spring.
        spring: usize,
        /// The body at its end.
        body: u32,
        /// How many there are.
        bodies: usize,
    },
    /// Colors are to show a column that there is not.
    #[error("colors of the frame show \"{name}\"; that must be the name of one of its columns")]
    ColorColumn {
        /// The name, shortened.
        name: String,
    },
    /// A name that a format could not hold or that is taken.
    #[error(
        "a column of the frame is called \"{name}\"; a name must be made of letters, digits and _ \
         and used once"
    )]
    Name {
        /// The name, shortened.
        name: String,
    },
}

/// Names of what every frame has, in one format or another.
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
    /// How many bodies there are.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there is no body at all.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// The length of a body's velocity.
    pub fn speed(&self, index: usize) -> f64 {
        self.velocities[index].norm()
    }

    /// The shape of a body and where it is; none of discs, spheres and bodies whose orientation is none.
    pub fn shape(&self, index: usize) -> Option<(&Shape, Pose)> {
        let shaped = self.shapes.as_ref()?;
        let shape = &shaped.list[shaped.shape_of_body[index]? as usize];
        let position = &self.positions[index];
        let place = Vector::from_fn(|axis, _| if axis < D { position[axis] } else { 0.0 });
        Some((shape, Pose::new(place, shaped.orientations[index])?))
    }

    /// The region; along an open axis it is what the bodies take up.
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

    /// The numbers of the column that colors of pictures show; none where they show speeds.
    pub(crate) fn color_values(&self) -> Option<&[f64]> {
        self.column(self.color_by.as_ref()?)
    }

    /// The numbers of a further column.
    pub(crate) fn column(&self, wanted: &str) -> Option<&[f64]> {
        let found = self.columns.iter().find(|(name, _)| name == wanted);
        found.map(|(_, values)| values.as_slice())
    }

    /// The way along a spring, from one end to the nearest image of the other.
    pub(crate) fn spring_separation(&self, [from, to]: [u32; 2]) -> Vector<D> {
        let way = self.positions[to as usize] - self.positions[from as usize];
        Vector::from_fn(|axis, _| match self.region[axis] {
            AxisExtent::Periodic(period) => way[axis] - period * (way[axis] / period).round(),
            _ => way[axis],
        })
    }

    /// An error unless every column has one value per body and a name that can be written, and bodies,
    /// shapes and columns that are spoken of are there.
    pub fn check(&self) -> Result<(), FrameProblem> {
        let bodies = self.len();
        let lengths = [("velocity", self.velocities.len()), ("radius", self.radii.len())];
        let materials = self.materials.iter().map(|materials| ("material", materials.len()));
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

    /// The masses if there are any, then the further columns.
    pub(crate) fn scalars(&self) -> impl Iterator<Item = (&str, &[f64])> {
        let masses = self.masses.iter().map(|masses| ("mass", masses.as_slice()));
        masses.chain(self.columns.iter().map(|(name, values)| (name.as_str(), values.as_slice())))
    }
}

#[cfg(test)]
pub(crate) mod tests;
