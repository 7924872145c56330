use super::region::Region;
use carom_geometry::Vector;
use std::fmt;
use std::sync::Arc;

/// All that a run depends on but the bodies.
#[derive(Clone, Debug)]
pub struct Settings<const D: usize> {
    /// Box and what its sides do.
    pub region: Region<D>,
    /// Constant acceleration of every body.
    pub gravity: Vector<D>,
    /// A force field beside gravity.
    pub field: Option<Field<D>>,
    /// Of two materials, row by row; its length is the square of the number of materials.
    pub restitutions: Vec<Restitution>,
    /// A collision within this time of the last one of a body is elastic, so that inelastic collapse
    /// cannot stall the run. `None` chooses it, 0 turns the rule off.
    pub contact_time: Option<f64>,
    /// All radii grow.
    pub growth: Option<Growth>,
    /// Keeps the temperature.
    pub thermostat: Option<Thermostat>,
    /// Of all random numbers.
    pub seed: u64,
    /// How neighbours are found; the collisions do not depend on it.
    pub structure: Structure,
    /// Free travel of a body in its shell, in units of the mean diameter; `None` chooses it.
    pub shell: Option<f64>,
    /// Whether passages through periodic sides are counted per body, for the mean square
    /// displacement.
    pub count_passages: bool,
}

impl<const D: usize> Settings<D> {
    /// Elastic, without gravity, everything else by itself.
    pub fn new(region: Region<D>) -> Self {
        Settings {
            region,
            gravity: Vector::zeros(),
            field: None,
            restitutions: vec![Restitution::ELASTIC],
            contact_time: None,
            growth: None,
            thermostat: None,
            seed: 1,
            structure: Structure::Auto,
            shell: None,
            count_passages: false,
        }
    }
}

/// How neighbours are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Structure {
    /// By density and sizes.
    #[default]
    Auto,
    /// Every body is a neighbour of every other.
    AllPairs,
    /// Cells in an array.
    CellGrid,
    /// Occupied cells in a balanced tree.
    CellTree,
    /// End points of bounding boxes, sorted along each axis.
    SegmentTrees,
    /// A list per body.
    Shells,
}

impl Structure {
    /// Every structure, without `Auto`.
    pub const ALL: [Structure; 5] = [
        Structure::AllPairs,
        Structure::CellGrid,
        Structure::CellTree,
        Structure::SegmentTrees,
        Structure::Shells,
    ];

    /// The name used in scenes.
    pub fn name(self) -> &'static str {
        match self {
            Structure::Auto => "auto",
            Structure::AllPairs => "all-pairs",
            Structure::CellGrid => "cell-grid",
            Structure::CellTree => "cell-tree",
            Structure::SegmentTrees => "segment-trees",
            Structure::Shells => "shells",
        }
    }
}

/// Ratio of the normal speeds after and before a collision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Restitution {
    /// The same at any speed, from 0 to 1.
    Constant(f64),
    /// `1 - loss (v / speed)^exponent`, at least 0.
    Falling {
        /// What is missing to 1 at `speed`.
        loss: f64,
        /// The speed for which `loss` is given.
        speed: f64,
        /// 1/5 for viscoelastic spheres.
        exponent: f64,
    },
}

impl Restitution {
    /// Nothing is lost.
    pub const ELASTIC: Restitution = Restitution::Constant(1.0);

    /// At a normal speed of approach.
    #[inline]
    pub fn at(&self, approach: f64) -> f64 {
        match *self {
            Restitution::Constant(value) => value,
            Restitution::Falling { loss, speed, exponent } => {
                (1.0 - loss * (approach / speed).powf(exponent)).clamp(0.0, 1.0)
            }
        }
    }

    /// Whether energy can be lost.
    pub fn is_elastic(&self) -> bool {
        match *self {
            Restitution::Constant(value) => value == 1.0,
            Restitution::Falling { loss, .. } => loss == 0.0,
        }
    }
}

/// Lubachevsky and Stillinger's compression: every radius is multiplied by `1 + rate t`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Growth {
    /// Per time, relative to the radii at the start.
    pub rate: f64,
    /// When it ends.
    pub until: GrowthTarget,
}

/// When growth ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GrowthTarget {
    /// Part of the box that bodies fill.
    PackingFraction(f64),
    /// Reduced pressure, `P V / (N k T)`, over the last check interval.
    Pressure(f64),
}

/// Keeps the temperature; acts at whole multiples of its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thermostat {
    /// How.
    pub kind: ThermostatKind,
    /// Mean kinetic energy per degree of freedom, times two.
    pub temperature: f64,
    /// Time between two actions.
    pub interval: f64,
}

/// How a thermostat acts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ThermostatKind {
    /// All velocities are multiplied by one factor.
    Rescale,
    /// Random bodies get a new velocity from Maxwell's distribution, each so often per time.
    Kicks {
        /// Per body and time.
        rate: f64,
    },
}

/// Acceleration of a body, gravity not included, as a function of position, velocity and time.
pub type Acceleration<const D: usize> =
    dyn Fn(Vector<D>, Vector<D>, f64) -> Vector<D> + Send + Sync;

/// A force field. Bodies move ballistically for one period with the acceleration at its middle.
#[derive(Clone)]
pub struct Field<const D: usize> {
    /// Time between two predictions of a body's path.
    pub period: f64,
    /// What acts.
    pub acceleration: Arc<Acceleration<D>>,
    /// Whether the field takes energy, as drag does; the contact time is then chosen as for
    /// inelastic bodies.
    pub dissipative: bool,
}

impl<const D: usize> Field<D> {
    /// Linear drag, `-drag v`, and a harmonic trap, `-stiffness (x - center)`.
    pub fn drag_and_trap(period: f64, drag: f64, stiffness: f64, center: Vector<D>) -> Self {
        Field {
            period,
            acceleration: Arc::new(move |position: Vector<D>, velocity: Vector<D>, _| {
                velocity * -drag + (center - position) * stiffness
            }),
            dissipative: drag > 0.0,
        }
    }
}

impl<const D: usize> fmt::Debug for Field<D> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Field {{ period: {} }}", self.period)
    }
}
