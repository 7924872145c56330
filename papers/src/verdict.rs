//! Measured numbers held against the rules of a paper's claims, and what they say together of a claim.
//!
//! The rules of a paper stand beside its page, one line of a CSV file each: the claim, the quantities that bear on it,
//! in which `*` stands for any words, what is published of them, and between which bounds they bear out the claim.

use crate::digits::brief;
use crate::records::{Record, Records, Value, record};
use std::fmt;

/// Measured numbers by name; what was not measured is not among them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Quantities(Vec<(String, f64)>);

impl Quantities {
    /// Adds a number, if it is one.
    pub fn add(&mut self, name: impl Into<String>, measured: f64) {
        if !measured.is_nan() {
            self.0.push((name.into(), measured));
        }
    }

    /// Adds a number of each of some records, under a name in which `{CELL}` stands for the cell.
    pub fn add_each<'a>(
        &mut self,
        records: impl IntoIterator<Item = &'a Record>,
        name: &str,
        measured: impl Fn(&Record) -> f64,
    ) {
        for record in records {
            self.add(record.filled(name), measured(record));
        }
    }

    /// The verdicts on some claims of a paper.
    #[cfg(test)]
    pub fn verdicts<const N: usize>(&self, paper: &str, claims: [&str; N]) -> [Verdict; N] {
        let [_, rules] = crate::Paper::numbered(paper).expect("the paper is there").page;
        let judged = judged(&Records::parse(rules), self);
        claims.map(|claim| Verdict::on(claim, &judged))
    }
}

/// Every quantity with each of its rules: claim, quantity, the measured number, what is expected of it, and whether it
/// holds.
///
/// # Panics
///
/// If there is a quantity without a rule.
pub(crate) fn judged(rules: &Records, quantities: &Quantities) -> Records {
    for (name, _) in &quantities.0 {
        let has_rule = rules.iter().any(|rule| selects(&rule.text("quantity"), name));
        assert!(has_rule, "no rule is about {name:?}");
    }
    let of_rule = |rule: &Record| {
        let own = quantities.0.iter().filter(|one| selects(&rule.text("quantity"), &one.0));
        own.map(|(name, measured)| row(rule, name, *measured)).collect::<Vec<_>>()
    };
    rules.iter().flat_map(of_rule).collect()
}

fn row(rule: &Record, name: &str, measured: f64) -> Record {
    let [least, most] = ["at least", "at most"].map(|side| rule.number(side));
    // A bound that is missing is not a number, and nothing is beyond it.
    let holds = !(measured < least || measured > most);
    record! {
        "claim": rule.text("claim"), "quantity": name, "measured": brief(measured),
        "published or expected": expected(rule), "holds": if holds { "yes" } else { "no" },
    }
}

/// The published value of a claim, and its bounds.
fn expected(rule: &Record) -> String {
    let [least, most] = ["at least", "at most"].map(|side| rule.number(side));
    let bounds = match [least.is_nan(), most.is_nan()] {
        [false, true] => format!("at least {}", brief(least)),
        [true, false] => format!("at most {}", brief(most)),
        _ if least == most => format!("exactly {}", brief(most)),
        _ => format!("{} to {}", brief(least), brief(most)),
    };
    match rule.value("published") {
        Value::Missing => bounds,
        published => format!("{published} ({bounds})"),
    }
}

/// Whether a name has the parts of a pattern between its stars, in their order.
fn selects(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((before, after)) => name.strip_prefix(before).is_some_and(|rest| {
            rest.char_indices()
                .map(|(at, _)| &rest[at..])
                .chain([""])
                .any(|end| selects(after, end))
        }),
    }
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

    /// The verdict of everything that was judged of a claim.
    pub(crate) fn on(claim: &str, judged: &Records) -> Self {
        let own = judged.of("claim", claim);
        match own.of("holds", "yes").len() {
            _ if own.is_empty() => Verdict::NotMeasured,
            0 => Verdict::DoesNotAgree,
            count if count == own.len() => Verdict::Agrees,
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

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: &str = "claim,quantity,published,at least,at most\n\
                         good,ratio of *,,,1\nmixed,time of * in 2D,87,80,90\nbad,time of a in 2D,,95,\n\
                         none,never measured,,1,\n";

    fn judged_rules() -> Records {
        let mut quantities = Quantities::default();
        quantities.add("ratio of times", 1.0);
        quantities.add("time of a in 2D", 85.0);
        quantities.add("time of b in 2D", 95.0);
        quantities.add("ratio of nothing", f64::NAN);
        judged(&Records::parse(RULES), &quantities)
    }

    #[test]
    fn a_claim_is_borne_out_by_all_some_or_none_of_its_quantities() {
        let verdicts =
            ["good", "mixed", "bad", "none"].map(|claim| Verdict::on(claim, &judged_rules()));
        assert_eq!(verdicts, Verdict::ALL);
    }

    #[test]
    fn what_is_published_stands_beside_the_bounds() {
        let expected: Vec<String> =
            judged_rules().iter().map(|one| one.text("published or expected")).collect();
        assert_eq!(expected, ["at most 1", "87 (80 to 90)", "87 (80 to 90)", "at least 95"]);
    }

    #[test]
    fn stars_stand_for_any_words() {
        assert!(selects("a * of *", "a time of b of c") && selects("*", "") && selects("a*", "a"));
        assert!(!selects("a * of b", "a time of c") && !selects("a", "a b"));
    }

    #[test]
    #[should_panic(expected = "no rule is about \"tim\"")]
    fn a_quantity_without_a_rule_is_a_mistake() {
        let mut quantities = Quantities::default();
        quantities.add("tim", 1.0);
        judged(&Records::parse(RULES), &quantities);
    }
}
