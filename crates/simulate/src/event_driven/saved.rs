//! The state from which an event-driven run continues to the bit.

use super::body::{Body, BodyStart};
use super::counters::Counters;
use super::hard_spheres::{FieldAcceleration, RadiusScale};
use super::properties::CollisionProperties;
use super::settings::Settings;
use super::storage_order::reorder;
use crate::event_driven::GrowthTarget;
use crate::{BoundaryCondition, WallLoad};
use crate::{Error, ThermalMotion};
use carom_geometry::{math, unit_ball_volume};

/// The state of a run at one moment, with bodies in the order of their numbers: enough to continue to
/// the bit.
///
/// Neighbor structure and calendar are not part of it; they are rebuilt and lead to the same collisions.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedState<const D: usize> {
    /// Simulated time.
    pub now: f64,
    /// The record of each body, at the time of its own last event.
    pub records: Vec<Body<D>>,
    /// Masses, materials, times of last contacts, and passages through periodic faces.
    pub properties: CollisionProperties<D>,
    /// Acceleration of each body in a force field; empty without one.
    pub accelerations: Vec<FieldAcceleration<D>>,
    /// Scale of all radii.
    pub growth: RadiusScale,
    /// Counts of events and of work.
    pub counters: Counters,
    /// Number of thermostat actions so far, or as many as there would have been under the present settings.
    pub thermostat_actions: u64,
    /// Number that keyed the random numbers of the last kicks; unlike that of actions it never falls.
    pub last_kicks: u64,
    /// The block of collisions over which the pressure is measured during growth.
    pub pressure_block: PressureBlock,
    /// Temperature at the start, kT, in mass · length² / time².
    pub start_temperature: f64,
    /// Contact time: collisions of a body that are closer in time than this are one lasting contact.
    pub contact_time: f64,
    /// Impulses of collisions on both faces of each axis, the lower one first: momentum, angular momentum and energy in
    /// the place of force, torque and power.
    pub face_impulses: Vec<WallLoad>,
    /// Id of each body; empty if no body was removed.
    pub ids: Vec<u32>,
    /// Id of the next body to be inserted.
    pub next_id: u32,
}

/// A block of collisions over which the pressure is measured while radii grow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PressureBlock {
    /// Time at which the block began.
    pub time: f64,
    /// Virial at that time.
    pub virial: f64,
    /// Total number of collisions at which the block ends.
    pub end: u64,
    /// Scale of radii at which growth ends.
    pub largest_scale: f64,
}

impl PressureBlock {
    pub(super) fn next(&self, now: f64, counters: &Counters, count: usize, growing: bool) -> Self {
        let end = counters.collisions + COLLISIONS_PER_BLOCK * count as u64;
        PressureBlock {
            time: now,
            virial: counters.virial,
            // Without growth no block ever ends.
            end: if growing { end } else { u64::MAX },
            largest_scale: self.largest_scale,
        }
    }
}

/// Length of a pressure block, in collisions per body.
const COLLISIONS_PER_BLOCK: u64 = 10;

impl<const D: usize> SavedState<D> {
    /// Returns the state at time zero; errors if growth cannot reach its target.
    pub(super) fn start(
        bodies: &[BodyStart<D>],
        settings: &Settings<D>,
        now: f64,
        counters: Counters,
    ) -> Result<Self, Error> {
        let record = |body: &BodyStart<D>| Body {
            position: body.position,
            velocity: body.velocity,
            clock: now,
            radius: body.radius,
        };
        let rate = settings.growth.map_or(0.0, |growth| growth.rate);
        let largest_scale = largest_scale(bodies, settings)?;
        let none = PressureBlock { time: now, virial: 0.0, end: u64::MAX, largest_scale };
        let motion = ThermalMotion::of(bodies.iter().map(|body| (body.mass, body.velocity)));
        Ok(SavedState {
            now,
            records: bodies.iter().map(record).collect(),
            properties: CollisionProperties::of(bodies, settings.count_passages),
            accelerations: Vec::new(),
            growth: RadiusScale { rate, since: now, ..RadiusScale::CONSTANT },
            counters,
            thermostat_actions: 0,
            last_kicks: 0,
            pressure_block: none.next(now, &counters, bodies.len(), rate > 0.0),
            start_temperature: motion.temperature,
            contact_time: 0.0,
            face_impulses: vec![WallLoad::default(); 2 * D],
            ids: Vec::new(),
            next_id: bodies.len() as u32,
        })
    }

    /// Refuses a state that cannot belong to these settings: array lengths, finite numbers, positions in the
    /// box.
    pub(super) fn check(&self, settings: &Settings<D>) -> Result<(), Error> {
        let refuse = |reason: &str| Err(Error::Saved(reason.to_owned()));
        let count = self.records.len();
        let fits = |length: usize| length == 0 || length == count;
        let properties = &self.properties;
        if count == 0
            || ![
                properties.masses.len(),
                properties.materials.len(),
                properties.last_contacts.len(),
                properties.passages.len(),
                self.accelerations.len(),
            ]
            .into_iter()
            .all(fits)
        {
            return refuse("its arrays have different lengths");
        }
        let numbers = |load: &WallLoad| {
            let vectors = load.force.iter().chain(&load.torque).copied();
            vectors.chain([load.power]).collect::<Vec<f64>>()
        };
        let are_finite = self.face_impulses.iter().flat_map(numbers).all(f64::is_finite);
        if self.face_impulses.len() != 2 * D || !are_finite {
            return refuse("what collisions have given to its walls is incomplete or not finite");
        }
        if self.accelerations.is_empty() != settings.field.is_none() {
            return refuse("it and the settings differ in whether there is a force field");
        }
        if self.growth.rate > 0.0 && settings.growth.is_none() {
            return refuse("its bodies grow, and by the settings they do not");
        }
        if properties.passages.is_empty() == settings.count_passages {
            return refuse("it and the settings differ in whether passages are counted");
        }
        if properties.last_contacts.is_empty() != (self.contact_time == 0.0) {
            return refuse("last contacts are kept if there is a contact time, and only then");
        }
        let finite = |record: &Body<D>| {
            record.position.iter().chain(&record.velocity).all(|number| number.is_finite())
                && (0.0..=self.now).contains(&record.clock)
                && record.radius > 0.0
                && record.radius.is_finite()
        };
        if !self.records.iter().all(finite) || !self.has_usable_numbers() {
            return refuse("it holds a number that is not finite or out of range");
        }
        if !self.records.iter().all(|record| is_inside(record, settings)) {
            return refuse("bodies are outside the box");
        }
        let materials = settings.restitutions.len();
        if !properties.materials.iter().all(|&material| usize::from(material) < materials) {
            return refuse("it has a material that the settings do not have");
        }
        Ok(())
    }

    /// Returns whether all numbers outside the records are finite and in range.
    fn has_usable_numbers(&self) -> bool {
        let positive = |number: f64| number > 0.0 && number.is_finite();
        let not_negative = |number: f64| number >= 0.0 && number.is_finite();
        let SavedState { properties, growth, pressure_block: block, counters, .. } = self;
        let is_valid = |field: &FieldAcceleration<D>| {
            field.valid_until >= self.now
                && field.valid_until.is_finite()
                && field.acceleration.iter().all(|number| number.is_finite())
        };
        not_negative(self.now)
            && not_negative(self.contact_time)
            && not_negative(self.start_temperature)
            && positive(growth.value)
            && not_negative(growth.rate)
            && growth.since.is_finite()
            && block.time.is_finite()
            && block.virial.is_finite()
            && block.largest_scale > 0.0
            && positive(properties.common_mass)
            && properties.masses.iter().copied().all(positive)
            && properties.last_contacts.iter().all(|time| *time <= self.now)
            && [counters.virial, counters.wall_momentum, counters.dissipated]
                .iter()
                .all(|number| number.is_finite())
            && self.accelerations.iter().all(is_valid)
    }

    pub(super) fn reorder(&mut self, order: &[u32]) {
        reorder(&mut self.records, order);
        reorder(&mut self.accelerations, order);
        self.properties.reorder(order);
    }
}

/// Returns whether a center is in the box, up to rounding.
fn is_inside<const D: usize>(record: &Body<D>, settings: &Settings<D>) -> bool {
    let region = &settings.region;
    (0..D).all(|axis| {
        let margin = 1e-6 * region.size[axis];
        let inside = -margin..=region.size[axis] + margin;
        region.boundary_conditions[axis] == BoundaryCondition::Open
            || inside.contains(&record.position[axis])
    })
}

/// Returns the scale of radii at which growth ends: that of the target packing fraction, or else that at
/// which the widest body fills the space between two walls.
///
/// Errors if the target is below the present packing fraction or beyond what walls leave room for.
fn largest_scale<const D: usize>(
    bodies: &[BodyStart<D>],
    settings: &Settings<D>,
) -> Result<f64, Error> {
    let region = &settings.region;
    let walled =
        |axis: &usize| matches!(region.boundary_conditions[*axis], BoundaryCondition::Wall { .. });
    let room = (0..D).filter(walled).map(|axis| region.size[axis]).fold(f64::INFINITY, f64::min);
    let widest = 2.0 * bodies.iter().map(|body| body.radius).fold(0.0, f64::max);
    let largest = room / widest * (1.0 - WALL_CLEARANCE);
    let Some(GrowthTarget::PackingFraction(wanted)) =
        settings.growth.and_then(|growth| growth.until)
    else {
        return Ok(largest);
    };
    let filled =
        bodies.iter().map(|body| body.radius.powi(D as i32)).sum::<f64>() * unit_ball_volume(D);
    let fraction = filled / region.volume();
    let refuse = |rule: &'static str| {
        let what = "packing fraction to reach";
        Err(Error::Setting { what, value: wanted.to_string(), rule })
    };
    if wanted < fraction {
        return refuse("radii only grow, so it must be larger than that of the start");
    }
    let scale = math::powf(wanted / fraction, 1.0 / D as f64);
    if scale > largest {
        return refuse("the widest body would fill the room between two walls before");
    }
    Ok(scale)
}

/// Fraction of the distance of two walls that stays free beside the widest body.
const WALL_CLEARANCE: f64 = 1e-3;
