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

mod field;
mod tokenizer;

pub use field::Koti1989InvalidField;

use super::error::Koti1989Error;
use field::{OBJECT_GROUPS, OBJECT_NUMBERS, SCENE_GROUPS, SCENE_NUMBERS};
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

/// Reads the data file of the thesis at a path, or from standard input if it is `-`.
pub fn read_koti1989(path: &Path) -> Result<Koti1989Scene, Koti1989Error> {
    let (bytes, name) = carom::io::read_input(path)?;
    parse_koti1989(&bytes, &name)
}

/// Reads a data file of the thesis given by its bytes; `name` is its name in messages.
pub fn parse_koti1989(bytes: &[u8], name: &str) -> Result<Koti1989Scene, Koti1989Error> {
    let mut words = Koti1989Tokenizer::after_introduction(bytes, name)?;
    let mut numbers = [0.0; SCENE_NUMBERS];
    words.take_groups(&SCENE_GROUPS, None, &mut numbers)?;
    let [lx, ly, lz, ux, uy, uz, count, intervals, at_once] = numbers;
    let mut objects = Vec::new();
    for number in 1..=count as usize {
        objects.push(object(&mut words, number)?);
    }
    Ok(Koti1989Scene {
        lower: [lx, ly, lz],
        upper: [ux, uy, uz],
        intervals: intervals as u32,
        is_shown_at_once: at_once != 0.0,
        objects,
    })
}

fn object(words: &mut Koti1989Tokenizer, number: usize) -> Result<Koti1989Object, Koti1989Error> {
    words.take_dollar(number)?;
    let (name, id) = words.take_name(number)?;
    let mut numbers = [0.0; OBJECT_NUMBERS];
    words.take_groups(&OBJECT_GROUPS, Some(number), &mut numbers)?;
    Ok(Koti1989Object::of_numbers(name, id, &numbers))
}

impl Koti1989Scene {
    /// Returns the first field that breaks a rule, with the number of its object from one; a scene that was read has
    /// none.
    pub fn invalid_field(&self) -> Option<(Option<usize>, Koti1989InvalidField)> {
        let own = field::first_invalid(&SCENE_GROUPS, &self.numbers()).map(|broken| (None, broken));
        let mut objects = self.objects.iter().enumerate();
        own.or_else(|| {
            objects.find_map(|(number, object)| {
                let broken = field::first_invalid(&OBJECT_GROUPS, &object.numbers())?;
                Some((Some(number + 1), broken))
            })
        })
    }

    fn numbers(&self) -> [f64; SCENE_NUMBERS] {
        let ([lx, ly, lz], [ux, uy, uz]) = (self.lower, self.upper);
        let counts = [self.objects.len() as f64, f64::from(self.intervals)];
        let at_once = f64::from(u8::from(self.is_shown_at_once));
        [lx, ly, lz, ux, uy, uz, counts[0], counts[1], at_once]
    }
}

impl Koti1989Object {
    fn of_numbers(name: String, id: i64, numbers: &[f64; OBJECT_NUMBERS]) -> Self {
        let [x, y, z, radius, red, green, blue, grid, compressed, extended, ..] = *numbers;
        let [.., vx, vy, vz, mass, poisson_ratio, young_modulus] = *numbers;
        Koti1989Object {
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
        }
    }

    fn numbers(&self) -> [f64; OBJECT_NUMBERS] {
        let ([x, y, z], [red, green, blue]) = (self.center, self.color);
        let [vx, vy, vz] = self.velocity;
        let (compressed, extended) = (self.stiffness_compressed, self.stiffness_extended);
        let grid = f64::from(self.grid);
        let first = [x, y, z, self.radius, red, green, blue, grid, compressed, extended];
        let last = [vx, vy, vz, self.mass, self.poisson_ratio, self.young_modulus];
        std::array::from_fn(|at| if at < 10 { first[at] } else { last[at - 10] })
    }
}

#[cfg(test)]
mod tests;
