//! The fields of a data file, in their order, and the rules they keep.

use carom_detect::LARGEST_NUMBER;

/// A number of a data file.
pub(super) struct Field {
    pub name: &'static str,
    pub rule: Rule,
}

/// What numbers a field may have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Rule {
    Number,
    Positive,
    NotNegative,
    /// A whole number between two others.
    Whole(u32, u32),
    /// Of materials that are stable.
    Poisson,
}

/// A field with a value that breaks a rule.
#[derive(Clone, Debug, PartialEq)]
pub struct BrokenField {
    /// Which field.
    pub name: &'static str,
    /// What it is.
    pub value: f64,
    /// What is allowed.
    pub rule: &'static str,
}

pub(super) const SCENE_NUMBERS: usize = 9;
pub(super) const OBJECT_NUMBERS: usize = 16;

/// Groups of fields; behind each the rest of the line is a comment.
type Groups<const N: usize> = [&'static [Field]; N];

pub(super) const SCENE_GROUPS: Groups<5> = [
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
    &[Field { name: "number of objects", rule: Rule::Whole(1, 1000) }],
    &[Field { name: "number of intervals", rule: Rule::Whole(1, 1_000_000_000) }],
    &[Field { name: "real-time flag", rule: Rule::Whole(0, 1) }],
];

pub(super) const OBJECT_GROUPS: Groups<8> = [
    &[
        any("centre x"),
        any("centre y"),
        any("centre z"),
        Field { name: "radius", rule: Rule::Positive },
    ],
    &[any("red"), any("green"), any("blue")],
    &[Field { name: "grid", rule: Rule::Whole(2, 2000) }],
    &[
        Field { name: "stiffness in compression", rule: Rule::NotNegative },
        Field { name: "stiffness in extension", rule: Rule::NotNegative },
    ],
    &[any("velocity x"), any("velocity y"), any("velocity z")],
    &[Field { name: "mass", rule: Rule::Positive }],
    &[Field { name: "Poisson's ratio", rule: Rule::Poisson }],
    &[Field { name: "modulus of elasticity", rule: Rule::Positive }],
];

const fn any(name: &'static str) -> Field {
    Field { name, rule: Rule::Number }
}

impl Rule {
    fn allows(self, number: f64) -> bool {
        number.abs() <= LARGEST_NUMBER
            && match self {
                Rule::Number => true,
                Rule::Positive => number >= 1.0 / LARGEST_NUMBER,
                Rule::NotNegative => number >= 0.0,
                Rule::Whole(least, most) => {
                    number.fract() == 0.0 && (f64::from(least)..=f64::from(most)).contains(&number)
                }
                Rule::Poisson => number > -1.0 && number <= 0.5,
            }
    }

    /// The rule in words.
    fn words(self) -> &'static str {
        match self {
            Rule::Number => "it must be a number between -1e100 and 1e100",
            Rule::Positive => "it must be a number between 1e-100 and 1e100",
            Rule::NotNegative => "it must be a number between 0 and 1e100",
            Rule::Whole(0, 1) => "it must be 1 or 0",
            Rule::Whole(1, 1000) => "it must be a whole number between 1 and 1000",
            Rule::Whole(2, 2000) => "it must be a whole number between 2 and 2000",
            Rule::Whole(..) => "it must be a whole number between 1 and 1000000000",
            Rule::Poisson => "it must be a number above -1 and at most 0.5",
        }
    }

    /// The rule that a number breaks.
    pub(super) fn broken_by(self, number: f64) -> Option<&'static str> {
        (!self.allows(number)).then(|| self.words())
    }
}

/// The first of the numbers that breaks the rule of its field.
pub(super) fn broken(groups: &[&'static [Field]], numbers: &[f64]) -> Option<BrokenField> {
    let fields = groups.iter().copied().flatten().zip(numbers);
    fields.into_iter().find_map(|(field, &value)| {
        Some(BrokenField { name: field.name, value, rule: field.rule.broken_by(value)? })
    })
}
