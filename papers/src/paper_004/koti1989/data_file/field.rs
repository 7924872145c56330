//! The fields of a data file, in their order, and their rules.

use carom::detect::LARGEST_NUMBER;

/// A number of a data file.
pub(super) struct Koti1989Field {
    pub name: &'static str,
    pub rule: Koti1989FieldRule,
}

/// The numbers that a field may have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Koti1989FieldRule {
    Number,
    Positive,
    NonNegative,
    /// A whole number between two bounds, both included.
    IntegerRange(u32, u32),
    /// Poisson's ratio of a stable material.
    PoissonRatio,
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

pub(super) const SCENE_NUMBERS: usize = 9;
pub(super) const OBJECT_NUMBERS: usize = 16;

/// Groups of fields; behind each the rest of the line is a comment.
type Koti1989FieldGroups<const N: usize> = [&'static [Koti1989Field]; N];

pub(super) const SCENE_GROUPS: Koti1989FieldGroups<5> = [
    &[
        any("lower extent x of the scene"),
        any("lower extent y of the scene"),
        any("lower extent z of the scene"),
    ],
    &[
        any("upper extent x of the scene"),
        any("upper extent y of the scene"),
        any("upper extent z of the scene"),
    ],
    &[Koti1989Field { name: "number of objects", rule: Koti1989FieldRule::IntegerRange(1, 1000) }],
    &[Koti1989Field {
        name: "number of intervals",
        rule: Koti1989FieldRule::IntegerRange(1, 1_000_000_000),
    }],
    &[Koti1989Field { name: "real-time flag", rule: Koti1989FieldRule::IntegerRange(0, 1) }],
];

pub(super) const OBJECT_GROUPS: Koti1989FieldGroups<8> = [
    &[
        any("center x"),
        any("center y"),
        any("center z"),
        Koti1989Field { name: "radius", rule: Koti1989FieldRule::Positive },
    ],
    &[any("red"), any("green"), any("blue")],
    &[Koti1989Field { name: "grid", rule: Koti1989FieldRule::IntegerRange(2, 2000) }],
    &[
        Koti1989Field { name: "stiffness in compression", rule: Koti1989FieldRule::NonNegative },
        Koti1989Field { name: "stiffness in extension", rule: Koti1989FieldRule::NonNegative },
    ],
    &[any("velocity x"), any("velocity y"), any("velocity z")],
    &[Koti1989Field { name: "mass", rule: Koti1989FieldRule::Positive }],
    &[Koti1989Field { name: "Poisson's ratio", rule: Koti1989FieldRule::PoissonRatio }],
    &[Koti1989Field { name: "modulus of elasticity", rule: Koti1989FieldRule::Positive }],
];

const fn any(name: &'static str) -> Koti1989Field {
    Koti1989Field { name, rule: Koti1989FieldRule::Number }
}

impl Koti1989FieldRule {
    fn allows(self, number: f64) -> bool {
        number.abs() <= LARGEST_NUMBER
            && match self {
                Koti1989FieldRule::Number => true,
                Koti1989FieldRule::Positive => number >= 1.0 / LARGEST_NUMBER,
                Koti1989FieldRule::NonNegative => number >= 0.0,
                Koti1989FieldRule::IntegerRange(least, most) => {
                    number.fract() == 0.0 && (f64::from(least)..=f64::from(most)).contains(&number)
                }
                Koti1989FieldRule::PoissonRatio => number > -1.0 && number <= 0.5,
            }
    }

    /// Returns the rule in words.
    fn words(self) -> &'static str {
        match self {
            Koti1989FieldRule::Number => "it must be a number between -1e100 and 1e100",
            Koti1989FieldRule::Positive => "it must be a number between 1e-100 and 1e100",
            Koti1989FieldRule::NonNegative => "it must be a number between 0 and 1e100",
            Koti1989FieldRule::IntegerRange(0, 1) => "it must be 1 or 0",
            Koti1989FieldRule::IntegerRange(1, 1000) => {
                "it must be a whole number between 1 and 1000"
            }
            Koti1989FieldRule::IntegerRange(2, 2000) => {
                "it must be a whole number between 2 and 2000"
            }
            Koti1989FieldRule::IntegerRange(..) => {
                "it must be a whole number between 1 and 1000000000"
            }
            Koti1989FieldRule::PoissonRatio => "it must be a number above -1 and at most 0.5",
        }
    }

    /// Returns the rule that a number breaks.
    pub(super) fn violated_by(self, number: f64) -> Option<&'static str> {
        (!self.allows(number)).then(|| self.words())
    }
}

/// Returns the first of the numbers that breaks the rule of its field.
pub(super) fn first_invalid(
    groups: &[&'static [Koti1989Field]],
    numbers: &[f64],
) -> Option<Koti1989InvalidField> {
    let fields = groups.iter().copied().flatten().zip(numbers);
    fields.into_iter().find_map(|(field, &value)| {
        Some(Koti1989InvalidField { name: field.name, value, rule: field.rule.violated_by(value)? })
    })
}
