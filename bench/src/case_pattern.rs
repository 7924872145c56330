//! Patterns that select cases by the parts of their names.

/// A pattern of as many parts as a case has: `*` for any, `a|b` for one of several, `>=n` for
/// numbers from there on, or the part itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CasePattern<'a>(pub &'a str);

impl CasePattern<'_> {
    /// Whether a case is selected.
    pub fn selects(&self, case: &str) -> bool {
        let (patterns, parts) = (self.0.split(' '), case.split(' '));
        patterns.clone().count() == parts.clone().count()
            && patterns.zip(parts).all(|(pattern, part)| fits(pattern, part))
    }
}

fn fits(pattern: &str, part: &str) -> bool {
    match pattern.strip_prefix(">=") {
        Some(least) => match (part.parse::<f64>(), least.parse::<f64>()) {
            (Ok(part), Ok(least)) => part >= least,
            _ => false,
        },
        None => pattern == "*" || pattern.split('|').any(|one| one == part),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_must_fit() {
        let selects = |pattern, case| CasePattern(pattern).selects(case);
        assert!(selects("3B 1000000", "3B 1000000"));
        assert!(selects("2A|3B *", "3B 1000") && !selects("2A|3C *", "3B 1000"));
        assert!(selects("* >=400", "even 920") && !selects("* >=400", "even 20"));
        assert!(!selects("* >=400", "even odd"));
        assert!(!selects("*", "3B 1000") && !selects("3B * *", "3B 1000"));
    }
}
