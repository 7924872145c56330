//! The settings of event-driven simulations.

use crate::event_driven::{LubachevskyStillingerGrowth, Thermostat};
use crate::{HarmonicTrap, Region, Restitution};
use carom_geometry::Vector;
use std::fmt;
use std::sync::Arc;

/// Everything that an event-driven run depends on, except the bodies.
///
/// ```
/// use carom_simulate::event_driven::{BodyStart, Region, Restitution, Settings, Simulation};
/// // A ball falls by 4 onto the floor, and rises to a quarter of that.
/// let settings = Settings {
///     gravity: [0.0, -2.0].into(),
///     restitutions: vec![Restitution::Constant(0.5)],
///     ..Settings::new(Region::walled([10.0, 10.0]))
/// };
/// let mut simulation = Simulation::new(&[BodyStart::new([5.0, 5.0], [0.0, 0.0], 1.0)], settings)?;
/// simulation.advance(3.0, u64::MAX);
/// assert!((simulation.position(0).y - 2.0).abs() < 1e-9 && simulation.velocity(0).y.abs() < 1e-9);
/// # Ok::<(), carom_simulate::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Settings<const D: usize> {
    /// The box and its boundary conditions.
    pub region: Region<D>,
    /// Constant acceleration of every body, in length / time².
    pub gravity: Vector<D>,
    /// A force field in addition to gravity.
    pub field: Option<ForceField<D>>,
    /// Coefficient of restitution of each material; a pair collides with the smaller one at its approach speed.
    pub restitutions: Vec<Restitution>,
    /// Contact time of the TC model: a collision within this time of the last one of a body is elastic, so
    /// that inelastic collapse cannot stall the run. `None` chooses it, 0 turns the rule off.
    pub contact_time: Option<f64>,
    /// Growth of all radii (Lubachevsky-Stillinger).
    pub growth: Option<LubachevskyStillingerGrowth>,
    /// A thermostat.
    pub thermostat: Option<Thermostat>,
    /// Seed of all random numbers.
    pub seed: u64,
    /// The neighbor structure; the collisions do not depend on it.
    pub structure: NeighborStructure,
    /// Distance that a body may travel before its neighbor list is renewed (the Verlet skin per body), in
    /// units of the mean diameter; `None` chooses it.
    pub shell: Option<f64>,
    /// Whether passages through periodic faces are counted per body, for the mean square displacement.
    pub count_passages: bool,
}

impl<const D: usize> Settings<D> {
    /// Makes settings for elastic bodies without gravity in a box; all else is chosen automatically.
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

/// The kinetic neighbor structure: how the bodies that may collide soon are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(schemars::JsonSchema, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(rename_all = "kebab-case"),
    schemars(rename = "NeighborMethod")
)]
pub enum NeighborStructure {
    /// Chosen by packing fraction and size distribution.
    #[default]
    Auto,
    /// Every body is a neighbor of every other; for a handful of bodies.
    AllPairs,
    /// Cell list in an array; for dilute bodies of similar size.
    CellGrid,
    /// Cell list of the occupied cells, in a balanced tree; for large empty boxes.
    CellTree,
    /// Kinetic sweep and prune: sorted endpoints of bounding boxes along each axis; for a few hundred bodies.
    SegmentTrees,
    /// Neighbor lists with a Verlet skin per body; for dense systems and mixtures of sizes.
    NeighborLists,
    /// Kinetic Laguerre Delaunay triangulation (power diagram); fewest neighbors at any ratio of sizes.
    #[cfg_attr(feature = "serde", serde(rename = "laguerre-delaunay"))]
    Laguerre,
}

impl NeighborStructure {
    /// All structures except `Auto`.
    ///
    /// ```
    /// use carom_simulate::event_driven::{BodyStart, NeighborStructure, Region, Settings, Simulation};
    /// # let at = |k: i32| [f64::from(k % 6) * 2.0 + 1.0, f64::from(k / 6) * 2.0 + 1.0];
    /// # let velocity = |k: i32| [f64::from(k * 7 % 5 - 2), f64::from(k * 3 % 7 - 3)];
    /// let bodies: Vec<_> = (0..36).map(|k| BodyStart::new(at(k), velocity(k), 0.5)).collect();
    /// // The digest of all collisions, their times and pairs.
    /// let digest = |structure| {
    ///     let settings = Settings { structure, ..Settings::new(Region::periodic([12.0, 12.0])) };
    ///     let mut simulation = Simulation::new(&bodies, settings)?;
    ///     simulation.advance(f64::INFINITY, 100);
    ///     Ok::<_, carom_simulate::Error>(simulation.counters().digest)
    /// };
    /// for structure in NeighborStructure::ALL {
    ///     assert_eq!(digest(structure)?, digest(NeighborStructure::Auto)?, "{}", structure.name());
    /// }
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub const ALL: [NeighborStructure; 6] = [
        NeighborStructure::AllPairs,
        NeighborStructure::CellGrid,
        NeighborStructure::CellTree,
        NeighborStructure::SegmentTrees,
        NeighborStructure::NeighborLists,
        NeighborStructure::Laguerre,
    ];

    /// Returns the name used in scenes.
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

/// A body at a moment, as a force field sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FieldBody<const D: usize> {
    /// Position of its center, in the box on periodic axes.
    pub position: Vector<D>,
    /// Velocity of its center.
    pub velocity: Vector<D>,
    /// Simulated time.
    pub time: f64,
    /// Mass.
    pub mass: f64,
    /// Radius then.
    pub radius: f64,
    /// Index of its material.
    pub material: u16,
}

/// Acceleration of a body, gravity not included.
pub type AccelerationFunction<const D: usize> = dyn Fn(&FieldBody<D>) -> Vector<D> + Send + Sync;

/// A force field. Bodies move ballistically for one period with the acceleration at its midpoint. Positions that it is
/// asked for are in the box on periodic axes.
///
/// ```
/// use carom_simulate::event_driven::{BodyStart, ForceField, Region, Settings, Simulation};
/// // A wind along x that grows with time, a = 6 t: the way is t³.
/// let field = ForceField::new(0.01, |_position, _velocity, time| [6.0 * time, 0.0].into());
/// let settings = Settings { field: Some(field), ..Settings::new(Region::periodic([10.0, 10.0])) };
/// let mut simulation = Simulation::new(&[BodyStart::new([1.0, 5.0], [0.0, 0.0], 0.5)], settings)?;
/// simulation.advance(1.0, u64::MAX);
/// assert!((simulation.position(0).x - 2.0).abs() < 1e-3);
/// # Ok::<(), carom_simulate::Error>(())
/// ```
#[derive(Clone)]
pub struct ForceField<const D: usize> {
    /// Time between two trajectory predictions of a body.
    pub period: f64,
    /// The acceleration by the field.
    pub acceleration: Arc<AccelerationFunction<D>>,
    /// Whether the field dissipates energy, as drag does; the contact time is then chosen as for inelastic
    /// bodies.
    pub dissipative: bool,
    /// The part of the field that is a harmonic trap, whose energy is potential energy.
    pub trap: Option<HarmonicTrap<D>>,
}

impl<const D: usize> ForceField<D> {
    /// Makes a field of an acceleration as a function of position, velocity and time. It counts as one that may
    /// dissipate energy.
    pub fn new(
        period: f64,
        acceleration: impl Fn(Vector<D>, Vector<D>, f64) -> Vector<D> + Send + Sync + 'static,
    ) -> Self {
        ForceField::of_bodies(period, move |body| {
            acceleration(body.position, body.velocity, body.time)
        })
    }

    /// Makes a field of an acceleration that may also depend on mass, radius and material of the body. It counts as one that
    /// may dissipate energy.
    ///
    /// ```
    /// use carom_simulate::event_driven::{BodyStart, ForceField, Region, Settings, Simulation};
    /// // A force of 3 on every body: the heavier one is slower.
    /// let field = ForceField::of_bodies(0.1, |body| [3.0 / body.mass, 0.0].into());
    /// let settings = Settings { field: Some(field), ..Settings::new(Region::periodic([10.0, 10.0])) };
    /// let body = |y: f64, mass: f64| BodyStart { mass, ..BodyStart::new([1.0, y], [0.0, 0.0], 0.5) };
    /// let mut simulation = Simulation::new(&[body(3.0, 1.0), body(6.0, 2.0)], settings)?;
    /// simulation.advance(1.0, u64::MAX);
    /// assert!((simulation.velocity(0).x - 3.0).abs() < 1e-12);
    /// assert!((simulation.velocity(1).x - 1.5).abs() < 1e-12);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn of_bodies(
        period: f64,
        acceleration: impl Fn(&FieldBody<D>) -> Vector<D> + Send + Sync + 'static,
    ) -> Self {
        ForceField { period, acceleration: Arc::new(acceleration), dissipative: true, trap: None }
    }

    /// Makes a field of linear drag, `-drag v`, and a harmonic trap, `-stiffness (x - center)`.
    ///
    /// ```
    /// use carom_simulate::event_driven::{BodyStart, ForceField, Region, Settings, Simulation};
    /// // Drag alone: the velocity falls as exp(-t).
    /// let field = ForceField::drag_and_trap(0.01, 1.0, 0.0, [0.0, 0.0].into());
    /// let settings = Settings { field: Some(field), ..Settings::new(Region::periodic([10.0, 10.0])) };
    /// let mut simulation = Simulation::new(&[BodyStart::new([1.0, 5.0], [1.0, 0.0], 0.5)], settings)?;
    /// simulation.advance(1.0, u64::MAX);
    /// assert!((simulation.velocity(0).x - (-1f64).exp()).abs() < 1e-3);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn drag_and_trap(period: f64, drag: f64, stiffness: f64, center: Vector<D>) -> Self {
        ForceField {
            period,
            acceleration: Arc::new(move |body: &FieldBody<D>| {
                body.velocity * -drag + (center - body.position) * stiffness
            }),
            dissipative: drag > 0.0,
            trap: (stiffness != 0.0).then_some(HarmonicTrap { stiffness, center }),
        }
    }
}

impl<const D: usize> fmt::Debug for ForceField<D> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "ForceField {{ period: {} }}", self.period)
    }
}

#[cfg(test)]
mod tests {
    use super::{ForceField, Settings};
    use crate::event_driven::{BodyStart, Region, Simulation};
    use carom_geometry::Vector;

    #[test]
    fn a_field_is_asked_for_places_in_a_periodic_box_only() {
        for (x, speed) in [(3.003, -1.0), (7.0, 1.0), (1.0, -1.0)] {
            let field = ForceField::new(0.05, |at: Vector<2>, _, _| {
                // Not a number outside of the box, on either side.
                [0.0, 0.1 * (at.x * (10.0 - at.x)).sqrt()].into()
            });
            let settings =
                Settings { field: Some(field), ..Settings::new(Region::periodic([10.0; 2])) };
            let body = BodyStart::new([x, 5.0], [speed, 0.0], 0.5);
            let mut simulation = Simulation::new(&[body], settings).unwrap();
            simulation.advance(12.0, u64::MAX);
            assert!(simulation.check_field().is_ok(), "{:?}", simulation.check_field());
            // On its way through the whole box it gains the mean of the field over it, and on the rest at least nothing.
            assert!(simulation.velocity(0).y > 0.1 * std::f64::consts::PI / 8.0 * 100.0 * 0.999);
        }
    }
}
