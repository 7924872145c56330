//! Measured numbers held against published ones by a rule, and what they say together of a paper's claim.

use crate::digits::significant;
use crate::table::{TextTable, row};
use std::fmt;

/// The rule that a measured number has to keep, with the published or expected number in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Expectation {
    /// Not greater than this.
    AtMost(f64),
    /// Not smaller than this.
    AtLeast(f64),
    /// Greater than this.
    Above(f64),
    /// Smaller than this.
    Below(f64),
    /// Not farther from the first number than by the second.
    Near(f64, f64),
    /// Not farther from the first number than by the second part of it.
    Within(f64, f64),
    /// From the first number to the second, both included.
    Between(f64, f64),
    /// Greater than one, or not, as this number is.
    SameSideOfOne(f64),
}

impl Expectation {
    /// Whether a measured number keeps the rule; one that is not a number never does.
    pub fn holds(self, measured: f64) -> bool {
        match self {
            Expectation::AtMost(bound) => measured <= bound,
            Expectation::AtLeast(bound) => measured >= bound,
            Expectation::Above(bound) => measured > bound,
            Expectation::Below(bound) => measured < bound,
            Expectation::Near(value, apart) => (measured - value).abs() <= apart,
            Expectation::Within(value, part) => (measured / value - 1.0).abs() <= part,
            Expectation::Between(low, high) => (low..=high).contains(&measured),
            Expectation::SameSideOfOne(value) => {
                !measured.is_nan() && (measured > 1.0) == (value > 1.0)
            }
        }
    }
}

impl fmt::Display for Expectation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Expectation::AtMost(bound) => write!(formatter, "at most {}", number(bound)),
            Expectation::AtLeast(bound) => write!(formatter, "at least {}", number(bound)),
            Expectation::Above(bound) => write!(formatter, "more than {}", number(bound)),
            Expectation::Below(bound) => write!(formatter, "less than {}", number(bound)),
            Expectation::Near(value, 0.0) => write!(formatter, "{}", number(value)),
            Expectation::Near(value, apart) => {
                write!(formatter, "{} ± {}", number(value), number(apart))
            }
            Expectation::Within(value, part) => {
                write!(formatter, "{} within {} %", number(value), number(100.0 * part))
            }
            Expectation::Between(low, high) => {
                write!(formatter, "{} to {}", number(low), number(high))
            }
            Expectation::SameSideOfOne(value) => {
                write!(formatter, "on the side of 1 of {}", number(value))
            }
        }
    }
}

/// A measured number beside what is published or expected of it.
#[derive(Clone, Debug, PartialEq)]
pub struct VerdictRow {
    /// The claim that it bears on, as the page names it.
    pub claim: &'static str,
    /// What was measured.
    pub quantity: String,
    /// The measured number.
    pub measured: f64,
    /// What is published or expected of it.
    pub expectation: Expectation,
}

/// Whether measured numbers bear out what a paper says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// They do.
    Agrees,
    /// Some do.
    InPart,
    /// They do not.
    DoesNotAgree,
    /// There are none yet.
    NotMeasured,
}

impl Verdict {
    /// Every one, the best first.
    pub const ALL: [Verdict; 4] =
        [Verdict::Agrees, Verdict::InPart, Verdict::DoesNotAgree, Verdict::NotMeasured];

    /// The one that is written so.
    pub fn named(name: &str) -> Option<Self> {
        Verdict::ALL.into_iter().find(|verdict| verdict.to_string() == name)
    }

    /// The verdict of all rows of a claim.
    pub fn on(claim: &str, rows: &[VerdictRow]) -> Self {
        let own = || rows.iter().filter(|row| row.claim == claim);
        let kept = own().filter(|row| row.expectation.holds(row.measured)).count();
        match own().count() {
            0 => Verdict::NotMeasured,
            count if kept == count => Verdict::Agrees,
            _ if kept == 0 => Verdict::DoesNotAgree,
            _ => Verdict::InPart,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Verdict::Agrees => "agrees",
            Verdict::InPart => "agrees in part",
            Verdict::DoesNotAgree => "does not agree",
            Verdict::NotMeasured => "not measured",
        })
    }
}

/// All rows as one table.
pub fn table(rows: &[VerdictRow]) -> TextTable {
    let columns = "claim | quantity | measured | published or expected | holds";
    let cells = |one: &VerdictRow| {
        let holds = if one.expectation.holds(one.measured) { "yes" } else { "no" };
        row![one.claim, one.quantity, number(one.measured), one.expectation, holds]
    };
    TextTable::new(columns, rows.iter().map(cells))
}

/// A number of any size with three digits, whole numbers with all of theirs.
fn number(value: f64) -> String {
    match value.abs() {
        0.0 => "0".into(),
        size if value.fract() == 0.0 && size < 1e9 => value.to_string(),
        size if (1e-3..1e6).contains(&size) => significant(value, 3),
        _ => format!("{value:.2e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_holds_on_one_side_and_breaks_on_the_other() {
        let cases = [
            (Expectation::AtMost(2.0), 2.0, 2.1),
            (Expectation::AtLeast(2.0), 2.0, 1.9),
            (Expectation::Above(2.0), 2.1, 2.0),
            (Expectation::Below(2.0), 1.9, 2.0),
            (Expectation::Near(2.0, 0.5), 2.5, 2.6),
            (Expectation::Within(2.0, 0.25), 1.5, 1.4),
            (Expectation::Between(1.0, 2.0), 1.0, 2.1),
            (Expectation::SameSideOfOne(0.5), 0.9, 1.1),
        ];
        for (rule, inside, outside) in cases {
            assert!(rule.holds(inside), "{rule}");
            assert!(!rule.holds(outside) && !rule.holds(f64::NAN), "{rule}");
        }
    }

    #[test]
    fn a_claim_is_borne_out_by_all_some_or_none_of_its_rows() {
        let row = |claim, measured| VerdictRow {
            claim,
            quantity: "a ratio".into(),
            measured,
            expectation: Expectation::AtMost(1.0),
        };
        let rows = [row("good", 1.0), row("mixed", 0.5), row("mixed", 2.0), row("bad", 2.0)];
        let verdicts = ["good", "mixed", "bad", "none"].map(|claim| Verdict::on(claim, &rows));
        assert_eq!(verdicts, Verdict::ALL);
        let csv = table(&rows[1..]).csv();
        assert!(csv.contains("mixed,a ratio,0.500,at most 1,yes\n"), "{csv}");
    }
}
