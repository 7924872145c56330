use carom_geometry::Vector;
use carom_scene::scene::{LubachevskyStillingerGrowth, Region, Restitution, Thermostat};
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
    pub field: Option<ForceField<D>>,
    /// Of each material; two collide with the smaller at their speed of approach.
    pub restitutions: Vec<Restitution>,
    /// A collision within this time of the last one of a body is elastic, so that inelastic collapse
    /// cannot stall the run. `None` chooses it, 0 turns the rule off.
    pub contact_time: Option<f64>,
    /// All radii grow.
    pub growth: Option<LubachevskyStillingerGrowth>,
    /// Keeps the temperature.
    pub thermostat: Option<Thermostat>,
    /// Of all random numbers.
    pub seed: u64,
    /// How neighbors are found; the collisions do not depend on it.
    pub structure: NeighborStructure,
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
            restitutions: vec![Restitution::Constant(1.0)],
            contact_time: None,
            growth: None,
            thermostat: None,
            seed: 1,
            structure: NeighborStructure::Auto,
            shell: None,
            count_passages: false,
        }
    }
}

/// How neighbors are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum NeighborStructure {
    /// By density and sizes.
    #[default]
    Auto,
    /// Every body is a neighbor of every other.
    AllPairs,
    /// Cells in an array.
    CellGrid,
    /// Occupied cells in a balanced tree.
    CellTree,
    /// End points of bounding boxes, sorted along each axis.
    SegmentTrees,
    /// A list per body.
    NeighborLists,
    /// The Laguerre Delaunay triangulation.
    Laguerre,
}

impl NeighborStructure {
    /// Every structure, without `Auto`.
    pub const ALL: [NeighborStructure; 6] = [
        NeighborStructure::AllPairs,
        NeighborStructure::CellGrid,
        NeighborStructure::CellTree,
        NeighborStructure::SegmentTrees,
        NeighborStructure::NeighborLists,
        NeighborStructure::Laguerre,
    ];

    /// The name used in scenes.
    pub fn name(self) -> &'static str {
        match self {
            NeighborStructure::Auto => "auto",
            NeighborStructure::AllPairs => "all-pairs",
            NeighborStructure::CellGrid => "cell-grid",
            NeighborStructure::CellTree => "cell-tree",
            NeighborStructure::SegmentTrees => "segment-trees",
            NeighborStructure::NeighborLists => "neighbor-lists",
            NeighborStructure::Laguerre => "laguerre-delaunay",
        }
    }
}

/// Acceleration of a body, gravity not included, as a function of position, velocity and time.
pub type AccelerationFunction<const D: usize> =
    dyn Fn(Vector<D>, Vector<D>, f64) -> Vector<D> + Send + Sync;

/// A force field. Bodies move ballistically for one period with the acceleration at its middle.
#[derive(Clone)]
pub struct ForceField<const D: usize> {
    /// Time between two predictions of a body's path.
    pub period: f64,
    /// What acts.
    pub acceleration: Arc<AccelerationFunction<D>>,
    /// Whether the field takes energy, as drag does; the contact time is then chosen as for
    /// inelastic bodies.
    pub dissipative: bool,
}

impl<const D: usize> ForceField<D> {
    /// Linear drag, `-drag v`, and a harmonic trap, `-stiffness (x - center)`.
    pub fn drag_and_trap(period: f64, drag: f64, stiffness: f64, center: Vector<D>) -> Self {
        ForceField {
            period,
            acceleration: Arc::new(move |position: Vector<D>, velocity: Vector<D>, _| {
                velocity * -drag + (center - position) * stiffness
            }),
            dissipative: drag > 0.0,
        }
    }
}

impl<const D: usize> fmt::Debug for ForceField<D> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "ForceField {{ period: {} }}", self.period)
    }
}
