//! The table of quantities: one name, one unit and one sentence for everything that engines and observables measure.
//!
//! Columns of logs, keys of summaries, reports and documentation use these names, the same for the same thing in all
//! engines.

use crate::observe;
use carom_geometry::Vector;
use std::fmt;

/// A quantity that is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quantity {
    /// Name of the quantity. Words in capitals stand for what differs from scene to scene: `AXIS` for x, y or z, `N` for a number,
    /// `NAME` for a name that the scene gives.
    pub name: &'static str,
    /// Unit in terms of length, time, mass and their products, such as energy; empty for a pure number.
    pub unit: &'static str,
    /// When it is measured.
    pub kind: QuantityKind,
    /// Meaning of the quantity, in a sentence.
    pub meaning: &'static str,
}

/// When a quantity is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuantityKind {
    /// At the time of the row.
    Instantaneous,
    /// A mean over the time since the previous row.
    Window,
    /// Accumulated since the start of the run.
    Accumulated,
}

impl fmt::Display for QuantityKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            QuantityKind::Instantaneous => "now",
            QuantityKind::Window => "since the row before",
            QuantityKind::Accumulated => "so far",
        })
    }
}

pub(crate) const fn now(name: &'static str, unit: &'static str, meaning: &'static str) -> Quantity {
    Quantity { name, unit, kind: QuantityKind::Instantaneous, meaning }
}

pub(crate) const fn window(
    name: &'static str,
    unit: &'static str,
    meaning: &'static str,
) -> Quantity {
    Quantity { name, unit, kind: QuantityKind::Window, meaning }
}

pub(crate) const fn so_far(
    name: &'static str,
    unit: &'static str,
    meaning: &'static str,
) -> Quantity {
    Quantity { name, unit, kind: QuantityKind::Accumulated, meaning }
}

/// All quantities that the engines and the observables of this crate measure.
pub const QUANTITIES: &[Quantity] = &joined::<{ count(TABLES) }>(TABLES);

/// The table of engines, and those that observables have in their files.
const TABLES: &[&[Quantity]] =
    &[OF_ENGINES, &joined::<{ count(observe::TABLES) }>(observe::TABLES)];

const fn count(tables: &[&[Quantity]]) -> usize {
    let (mut table, mut count) = (0, 0);
    while table < tables.len() {
        count += tables[table].len();
        table += 1;
    }
    count
}

const fn joined<const N: usize>(tables: &[&[Quantity]]) -> [Quantity; N] {
    let mut all = [so_far("", "", ""); N];
    let (mut table, mut place) = (0, 0);
    while table < tables.len() {
        let mut row = 0;
        while row < tables[table].len() {
            all[place] = tables[table][row];
            (row, place) = (row + 1, place + 1);
        }
        table += 1;
    }
    all
}

/// The quantities of engines, and those that several observables share.
const OF_ENGINES: &[Quantity] = &[
    now("time", "time", "Simulated time."),
    so_far("steps", "", "Time steps."),
    so_far("collisions", "", "Collisions of two bodies."),
    now("stage", "", "Number of the stage of the scene, from zero; only if the scene has stages."),
    now("kinetic_energy", "energy", "Translational kinetic energy, ½ Σ m v²."),
    now("rotational_energy", "energy", "Rotational kinetic energy, ½ Σ ω·I ω."),
    now(
        "potential_energy",
        "energy",
        "Energy in gravity, −Σ m g·x (zero at the origin), and in a harmonic trap, ½ Σ m k (x − x₀)².",
    ),
    now(
        "contact_energy",
        "energy",
        "Energy stored in contacts, along and across the normal, less that of adhesion.",
    ),
    now(
        "bond_energy",
        "energy",
        "Energy in springs, and in the surroundings of particles that resist swelling.",
    ),
    so_far(
        "damping_loss",
        "energy",
        "Energy lost by damping: along the normal of contacts, where a contact that ends within a step gives back what \
         the rest of that step had too much, and in the dampers of springs.",
    ),
    so_far(
        "friction_loss",
        "energy",
        "Energy lost across the normal: friction, damping across, rolling resistance. In `dem` it never falls; in \
         `bonded` friction acts along the slip of half a step ago, so that it may fall a little (1e-6 of the energy in \
         collisions) where the slip turns round within a step.",
    ),
    so_far("fracture_loss", "energy", "Energy that springs had when they broke."),
    so_far("plastic_loss", "energy", "Energy that went into sets of springs that yielded."),
    so_far(
        "constraint_loss",
        "energy",
        "Work done on what holds particles in place or moves them at a velocity; negative where that gives energy to \
         the solids.",
    ),
    so_far("collision_loss", "energy", "Kinetic energy lost in collisions with bodies and walls."),
    so_far(
        "external_work",
        "energy",
        "Work done from outside: by moving walls, by forces of the scene, by gravity that turns, with bodies that \
         are poured in or leave, and by stages or programs that change walls, gravity, materials or bodies.",
    ),
    now(
        "temperature",
        "energy",
        "kT, twice the translational kinetic energy about the motion of the whole per degree of freedom: \
         Σ m |v − V|² / (D (N − 1)) for N bodies in D dimensions, with the velocity V of the center of mass; 0 for one \
         body.",
    ),
    now(
        "granular_temperature",
        "length²/time²",
        "The same without masses: Σ |v − V|² / (D (N − 1)).",
    ),
    window(
        "collision_rate",
        "1/time",
        "Collisions of one body per time, 2 n / (N t) for n collisions in the time t; in summaries over the whole \
         run.",
    ),
    window(
        "mean_free_path",
        "length",
        "Mean speed relative to the center of mass over the collision rate; the mean speed is the mean of both \
         ends; in summaries over the whole run.",
    ),
    window(
        "reduced_pressure",
        "",
        "Compressibility factor Z = PV/NkT = 1 + W / (D N kT t), with the virial W = Σ (momentum exchanged × \
         distance of centers) over the collisions of two bodies and Σ (momentum × radius) over those with walls; in \
         summaries over the whole run.",
    ),
    window(
        "pressure",
        "energy/volume",
        "Pressure by the virial, with the volume V of the box: Z N kT / V in event-driven runs, (D N kT + Σ f·r) / \
         (D V) with forces f of contacts and distances r of centers (with walls the arm from the center) in DEM. \
         Where all sides are walls it is the pressure on the walls. With walls on some sides only it is the mean \
         over all directions, some per cent below `wall_pressure` in a small box, for bodies leave room at the \
         walls. In summaries of event-driven runs it is that over the whole run.",
    ),
    window(
        "wall_pressure",
        "energy/volume",
        "Momentum given to the walls per area (length in the plane) and time; only if the box has walls.",
    ),
    now("packing_fraction", "", "The part of the box that the bodies cover."),
    now(
        "velocity_moment",
        "",
        "⟨u⁴⟩/⟨u²⟩² of u = v − V, not weighted by masses: 2 in the plane and 5/3 in space for a Maxwell distribution.",
    ),
    so_far(
        "smallest_gap",
        "",
        "The smallest gap at a collision, in parts of the smaller radius; rounding makes it some 1e-16 below zero.",
    ),
    so_far("wall_collisions", "", "Collisions with walls of the box; only if it has walls."),
    now(
        "contacts",
        "",
        "Contacts: in `dem` points in which two bodies touch, in `bonded` particles that touch a surface or a wall.",
    ),
    now("wall_contacts", "", "Bodies that touch walls, once for each wall."),
    now("deepest_overlap", "", "The deepest overlap of a contact, in parts of the smaller radius."),
    now("contact_force", "force", "The sum of the normal forces of all contacts."),
    so_far("broken_springs", "", "Springs that have broken."),
    now("fragments", "", "Pieces of all solids."),
    now(
        "reached",
        "",
        "The part of all particles that waves have reached; only those are computed.",
    ),
    now("momentum_AXIS", "mass · length/time", "Total momentum Σ m v; `momentum_z` in space only."),
    now("center_AXIS", "length", "Center of mass of all bodies; `center_z` in space only."),
    now("solid_N_AXIS", "length", "Center of mass of solid N."),
    now("solid_N_vAXIS", "length/time", "Velocity of the center of mass of solid N."),
    now("solid_N_fragments", "", "Pieces of solid N."),
    so_far(
        "outlet_NAME",
        "",
        "Bodies that have left at the outlet NAME; one column for each of `[[outlets]]`.",
    ),
];

/// Returns the quantity of a column, if it is in the table.
///
/// ```
/// use carom_simulate::{QuantityKind, quantity};
/// let force = quantity("wall_x_low_force_y").unwrap();
/// assert_eq!((force.unit, force.kind), ("force", QuantityKind::Instantaneous));
/// assert_eq!(quantity("weather"), None);
/// ```
pub fn quantity(column: &str) -> Option<&'static Quantity> {
    QUANTITIES.iter().find(|quantity| matches(quantity.name, column))
}

/// Whether a column has the name of a pattern.
fn matches(pattern: &str, column: &str) -> bool {
    let Some(start) = pattern.find(|letter: char| letter.is_ascii_uppercase()) else {
        return pattern == column;
    };
    let (literal, rest) = pattern.split_at(start);
    let end = rest.find(|letter: char| !letter.is_ascii_uppercase()).unwrap_or(rest.len());
    let (placeholder, rest) = rest.split_at(end);
    let Some(column) = column.strip_prefix(literal) else { return false };
    let is_value = |text: &str| match placeholder {
        "AXIS" => matches!(text, "x" | "y" | "z"),
        "N" => !text.is_empty() && text.bytes().all(|letter| letter.is_ascii_digit()),
        _ => !text.is_empty(),
    };
    let ends = column.char_indices().map(|(at, letter)| at + letter.len_utf8());
    ends.map(|at| column.split_at(at)).any(|(value, after)| is_value(value) && matches(rest, after))
}

/// A measured value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A number; logs have the fewest digits that read back to the same bits.
    Number(f64),
    /// A count.
    Count(u64),
}

impl Value {
    /// Returns the value as a number.
    pub fn number(self) -> f64 {
        match self {
            Value::Number(number) => number,
            Value::Count(count) => count as f64,
        }
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Value::Number(number)
    }
}

impl From<u64> for Value {
    fn from(count: u64) -> Self {
        Value::Count(count)
    }
}

/// Measured values with the names of their quantities, in order.
///
/// ```
/// use carom_simulate::Values;
/// let mut row = Values::default();
/// row.push("time", 0.5);
/// row.push("contacts", 12);
/// row.push_vector("momentum", &[0.0, 3.0].into());
/// assert_eq!(row.number("momentum_y"), Some(3.0));
/// assert_eq!(row.names().collect::<Vec<_>>(), ["time", "contacts", "momentum_x", "momentum_y"]);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values {
    entries: Vec<(String, Value)>,
}

impl Values {
    /// Appends a value.
    pub fn push(&mut self, name: impl Into<String>, value: impl Into<Value>) {
        self.entries.push((name.into(), value.into()));
    }

    /// Appends the components of a vector as `NAME_x`, `NAME_y` and so on.
    pub fn push_vector<const D: usize>(&mut self, name: &str, vector: &Vector<D>) {
        for (axis, &component) in AXES.iter().zip(vector.iter()) {
            self.push(format!("{name}_{axis}"), component);
        }
    }

    /// Returns the value of a quantity.
    pub fn get(&self, name: &str) -> Option<Value> {
        self.entries.iter().find(|entry| entry.0 == name).map(|entry| entry.1)
    }

    /// Returns the value of a quantity as a number.
    pub fn number(&self, name: &str) -> Option<f64> {
        self.get(name).map(Value::number)
    }

    /// Returns the names in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| entry.0.as_str())
    }

    /// Returns the names with their values in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Value)> {
        self.entries.iter().map(|(name, value)| (name.as_str(), *value))
    }

    /// Appends all of `others`.
    pub fn append(&mut self, others: Values) {
        self.entries.extend(others.entries);
    }
}

impl<V: Into<Value>> FromIterator<(String, V)> for Values {
    fn from_iter<I: IntoIterator<Item = (String, V)>>(entries: I) -> Self {
        Values { entries: entries.into_iter().map(|(name, value)| (name, value.into())).collect() }
    }
}

/// Names of the axes.
pub(crate) const AXES: [&str; 3] = ["x", "y", "z"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_found_by_patterns() {
        for (column, name) in [
            ("time", "time"),
            ("momentum_z", "momentum_AXIS"),
            ("solid_12_vx", "solid_N_vAXIS"),
            ("solid_12_x", "solid_N_AXIS"),
            ("in_the_low_part", "in_NAME"),
            ("wall_x_low_torque_z", "wall_NAME_torque_AXIS"),
            ("wall_3_power", "wall_NAME_power"),
            ("wall_contacts", "wall_contacts"),
            ("wall_pressure", "wall_pressure"),
        ] {
            assert_eq!(quantity(column).map(|it| it.name), Some(name), "{column}");
        }
        for column in ["", "solid_x_x", "momentum_w", "in_", "time_"] {
            assert_eq!(quantity(column), None, "{column}");
        }
    }

    #[test]
    fn every_name_is_there_once_with_a_sentence() {
        for (place, quantity) in QUANTITIES.iter().enumerate() {
            let same = QUANTITIES[..place].iter().find(|other| other.name == quantity.name);
            assert_eq!(same, None);
            assert!(quantity.meaning.ends_with('.'), "{}", quantity.name);
        }
    }
}
