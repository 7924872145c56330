//! The data files of S. Koti's thesis (1989), in the order in which the listing's `readdata` takes their fields.
//!
//! Text stands before a line that is a lone `$`. Then come, each group at the start of a line whose rest is a comment:
//! the lower extents of the scene (three numbers), the upper extents, the number of objects, the number of intervals of
//! an impact, and 1 to show pictures at once or 0 to store them. Each object follows a `$` of its own: name and number;
//! center and radius; red, green and blue; grid; stiffness of springs in compression and in extension; velocity; mass;
//! Poisson's ratio; modulus of elasticity.
//!
//! As with `fscanf`, a group may run over several lines. Unlike in the original, what is missing or cannot be used is
//! reported with its line and field, and an object must begin with its `$`; otherwise a missing number would shift all
//! others.

mod tokenizer;

use super::error::Koti1989Error;
use std::path::Path;
use tokenizer::Koti1989Tokenizer;

/// The contents of a data file of the thesis.
#[derive(Clone, Debug, PartialEq)]
pub struct Koti1989Scene {
    /// Lower extents of the scene.
    pub lower: [f64; 3],
    /// Upper extents of the scene.
    pub upper: [f64; 3],
    /// Number of intervals into which an impact is divided.
    pub intervals: u32,
    /// Whether pictures are shown at once; otherwise they are stored on a disk.
    pub is_shown_at_once: bool,
    /// Objects, in the order of the file.
    pub objects: Vec<Koti1989Object>,
}

/// A disc of particles, as a data file of the thesis gives it.
#[derive(Clone, Debug, PartialEq)]
pub struct Koti1989Object {
    /// Name, which the original does not use.
    pub name: String,
    /// Number of the object.
    pub id: i64,
    /// Center of the disc.
    pub center: [f64; 3],
    /// Radius of the disc.
    pub radius: f64,
    /// Color: red, green and blue.
    pub color: [f64; 3],
    /// Number of lattice spacings along a diameter; an odd number becomes the next even one where particles are
    /// created.
    pub grid: u32,
    /// Stiffness of compressed springs.
    pub stiffness_compressed: f64,
    /// Stiffness of extended springs.
    pub stiffness_extended: f64,
    /// Initial velocity.
    pub velocity: [f64; 3],
    /// Mass of the object.
    pub mass: f64,
    /// Poisson's ratio, used in the duration of impacts only.
    pub poisson_ratio: f64,
    /// Young's modulus, used in the duration of impacts only.
    pub young_modulus: f64,
}

/// A field with a value that breaks a rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Koti1989InvalidField {
    /// Name of the field.
    pub name: &'static str,
    /// Value of the field.
    pub value: f64,
    /// Rule for the value.
    pub rule: &'static str,
}

/// The numbers that a field may have: between two bounds, both included.
#[derive(Clone, Copy)]
struct Koti1989Rule {
    least: f64,
    most: f64,
    is_whole: bool,
    words: &'static str,
}

impl Koti1989Rule {
    const fn real(least: f64, most: f64, words: &'static str) -> Self {
        Koti1989Rule { least, most, is_whole: false, words }
    }

    const fn whole(least: f64, most: f64, words: &'static str) -> Self {
        Koti1989Rule { least, most, is_whole: true, words }
    }

    /// Returns the rule in words if a number breaks it.
    fn violated_by(self, number: f64) -> Option<&'static str> {
        let is_kept =
            (self.least..=self.most).contains(&number) && (!self.is_whole || number.fract() == 0.0);
        (!is_kept).then_some(self.words)
    }
}

// Squares and products of numbers within these bounds are finite and not zero: those of `carom::detect`.
const ANY: Koti1989Rule =
    Koti1989Rule::real(-1e100, 1e100, "it must be a number between -1e100 and 1e100");
const POSITIVE: Koti1989Rule =
    Koti1989Rule::real(1e-100, 1e100, "it must be a number between 1e-100 and 1e100");
const NOT_NEGATIVE: Koti1989Rule =
    Koti1989Rule::real(0.0, 1e100, "it must be a number between 0 and 1e100");
const POISSON: Koti1989Rule =
    Koti1989Rule::real((-1.0_f64).next_up(), 0.5, "it must be a number above -1 and at most 0.5");
const OBJECTS: Koti1989Rule =
    Koti1989Rule::whole(1.0, 1000.0, "it must be a whole number between 1 and 1000");
const INTERVALS: Koti1989Rule =
    Koti1989Rule::whole(1.0, 1e9, "it must be a whole number between 1 and 1000000000");
const GRID: Koti1989Rule =
    Koti1989Rule::whole(2.0, 2000.0, "it must be a whole number between 2 and 2000");
const FLAG: Koti1989Rule = Koti1989Rule::whole(0.0, 1.0, "it must be 1 or 0");

/// A group of fields at the start of a line, whose rest is a comment.
type Koti1989Group = &'static [(&'static str, Koti1989Rule)];

const SCENE: [Koti1989Group; 5] = [
    &[
        ("lower extent x of the scene", ANY),
        ("lower extent y of the scene", ANY),
        ("lower extent z of the scene", ANY),
    ],
    &[
        ("upper extent x of the scene", ANY),
        ("upper extent y of the scene", ANY),
        ("upper extent z of the scene", ANY),
    ],
    &[("number of objects", OBJECTS)],
    &[("number of intervals", INTERVALS)],
    &[("real-time flag", FLAG)],
];

const OBJECT: [Koti1989Group; 8] = [
    &[("center x", ANY), ("center y", ANY), ("center z", ANY), ("radius", POSITIVE)],
    &[("red", ANY), ("green", ANY), ("blue", ANY)],
    &[("grid", GRID)],
    &[("stiffness in compression", NOT_NEGATIVE), ("stiffness in extension", NOT_NEGATIVE)],
    &[("velocity x", ANY), ("velocity y", ANY), ("velocity z", ANY)],
    &[("mass", POSITIVE)],
    &[("Poisson's ratio", POISSON)],
    &[("modulus of elasticity", POSITIVE)],
];

/// Returns the first of the numbers that breaks the rule of its field.
fn first_invalid(groups: &[Koti1989Group], numbers: &[f64]) -> Option<Koti1989InvalidField> {
    groups.iter().copied().flatten().zip(numbers).find_map(|(&(name, rule), &value)| {
        Some(Koti1989InvalidField { name, value, rule: rule.violated_by(value)? })
    })
}

/// Reads the data file of the thesis at a path, or from standard input if it is `-`.
pub fn read_koti1989(path: &Path) -> Result<Koti1989Scene, Koti1989Error> {
    let (bytes, name) = carom::io::read_input(path)?;
    parse_koti1989(&bytes, &name)
}

/// Reads a data file of the thesis given by its bytes; `name` is its name in messages.
pub fn parse_koti1989(bytes: &[u8], name: &str) -> Result<Koti1989Scene, Koti1989Error> {
    let mut words = Koti1989Tokenizer::after_introduction(bytes, name)?;
    let [lx, ly, lz, ux, uy, uz, count, intervals, at_once] = words.take_groups(&SCENE, "")?;
    let objects = (1..=count as usize).map(|number| object(&mut words, number));
    Ok(Koti1989Scene {
        lower: [lx, ly, lz],
        upper: [ux, uy, uz],
        intervals: intervals as u32,
        is_shown_at_once: at_once != 0.0,
        objects: objects.collect::<Result<_, _>>()?,
    })
}

fn object(words: &mut Koti1989Tokenizer, number: usize) -> Result<Koti1989Object, Koti1989Error> {
    let (name, id) = words.take_heading(number)?;
    let numbers: [f64; 16] = words.take_groups(&OBJECT, &format!(" of object {number}"))?;
    let [x, y, z, radius, red, green, blue, grid, compressed, extended, ..] = numbers;
    let [.., vx, vy, vz, mass, poisson_ratio, young_modulus] = numbers;
    Ok(Koti1989Object {
        name,
        id,
        center: [x, y, z],
        radius,
        color: [red, green, blue],
        grid: grid as u32,
        stiffness_compressed: compressed,
        stiffness_extended: extended,
        velocity: [vx, vy, vz],
        mass,
        poisson_ratio,
        young_modulus,
    })
}

impl Koti1989Scene {
    /// Returns the first field that breaks a rule, with the number of its object from one; a scene that was read has
    /// none.
    pub fn invalid_field(&self) -> Option<(Option<usize>, Koti1989InvalidField)> {
        let counts = [self.objects.len() as f64, f64::from(self.intervals)];
        let numbers = [&self.lower[..], &self.upper, &counts].concat();
        let own = first_invalid(&SCENE, &numbers).map(|invalid| (None, invalid));
        let mut objects = (1..).zip(&self.objects);
        own.or_else(|| {
            objects.find_map(|(number, object)| {
                Some((Some(number), first_invalid(&OBJECT, &object.numbers())?))
            })
        })
    }
}

impl Koti1989Object {
    /// Returns the numbers in the order of the fields.
    fn numbers(&self) -> Vec<f64> {
        let springs = [f64::from(self.grid), self.stiffness_compressed, self.stiffness_extended];
        let material = [self.mass, self.poisson_ratio, self.young_modulus];
        [&self.center[..], &[self.radius], &self.color, &springs, &self.velocity, &material]
            .concat()
    }
}

#[cfg(test)]
mod tests;
