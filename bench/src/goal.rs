//! A goal: a figure, a bound it must keep, and a line that says whether it does.

use std::fmt::Write;

/// What a goal asks of a figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// It must not be smaller.
    AtLeast(f64),
    /// It must not be larger.
    AtMost(f64),
}

/// A figure that was measured, and where it is not obvious, of what.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// What was measured.
    pub value: f64,
    /// Of what; empty if obvious.
    pub note: String,
}

/// A goal and the figure measured for it, if there is one.
#[derive(Clone, Debug, PartialEq)]
pub struct Goal {
    /// What is asked for.
    pub name: &'static str,
    /// How much of it.
    pub bound: Bound,
    /// What was measured.
    pub figure: Option<Figure>,
}

/// One line per goal.
pub fn text(goals: &[Goal]) -> String {
    let mut text = String::from("goals\n");
    for goal in goals {
        writeln!(text, "{}", goal.line()).expect("writing to a string cannot fail");
    }
    text
}

impl Goal {
    /// Whether the figure keeps the bound; nothing if there is no figure.
    pub fn is_met(&self) -> Option<bool> {
        self.figure.as_ref().map(|figure| match self.bound {
            Bound::AtLeast(bound) => figure.value >= bound,
            Bound::AtMost(bound) => figure.value <= bound,
        })
    }

    /// The verdict, the figure and the bound.
    pub fn line(&self) -> String {
        let word = match self.is_met() {
            Some(true) => "pass",
            Some(false) => "falls short",
            None => "not measured",
        };
        let (side, bound) = match self.bound {
            Bound::AtLeast(bound) => ("at least", bound),
            Bound::AtMost(bound) => ("at most", bound),
        };
        let figure = match &self.figure {
            Some(figure) if figure.note.is_empty() => format!("{}, ", shown(figure.value)),
            Some(figure) => format!("{} ({}), ", shown(figure.value), figure.note),
            None => String::new(),
        };
        format!("{word:<12} {}: {figure}goal {side} {}", self.name, shown_bound(bound))
    }
}

impl Figure {
    /// A figure that needs no note.
    pub fn new(value: f64) -> Self {
        Figure { value, note: String::new() }
    }
}

/// Two decimals, but powers of ten where these would hide everything.
fn shown(value: f64) -> String {
    if is_tiny(value) { format!("{value:.1e}") } else { format!("{value:.2}") }
}

fn shown_bound(bound: f64) -> String {
    if is_tiny(bound) { format!("{bound:e}") } else { bound.to_string() }
}

fn is_tiny(value: f64) -> bool {
    value != 0.0 && value.abs() < 5e-3
}

/// The line of the goal whose name starts so.
#[cfg(test)]
pub fn line_of(goals: &[Goal], name: &str) -> String {
    goals.iter().find(|goal| goal.name.starts_with(name)).expect("a goal of that name").line()
}

/// Asserts that every goal has a figure that keeps its bound.
#[cfg(test)]
pub fn assert_all_met(goals: &[Goal]) {
    for goal in goals {
        assert_eq!(goal.is_met(), Some(true), "{}", goal.line());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(bound: Bound, value: f64) -> String {
        Goal { name: "gap", bound, figure: Some(Figure::new(value)) }.line()
    }

    #[test]
    fn tiny_figures_are_shown_as_powers_of_ten() {
        assert_eq!(
            line(Bound::AtLeast(-1e-9), -2.5e-16),
            "pass         gap: -2.5e-16, goal at least -1e-9"
        );
        assert_eq!(line(Bound::AtMost(0.0), 3.0), "falls short  gap: 3.00, goal at most 0");
    }

    #[test]
    fn what_is_not_measured_is_neither_met_nor_missed() {
        let goal = Goal { name: "gap", bound: Bound::AtMost(1.0), figure: None };
        assert_eq!((goal.is_met(), goal.line()), (None, "not measured gap: goal at most 1".into()));
    }
}
