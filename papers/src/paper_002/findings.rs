//! What agrees with the paper and what does not, decided by the measured figures.

mod contacts;
mod growth;
mod methods;
mod unequal;

use super::ContactDetectionResults;
use crate::finding::Finding;

/// Every finding, in the order of the paper.
pub fn all(results: &ContactDetectionResults) -> Vec<Finding> {
    let mut findings = contacts::findings(&results.contact_ratios);
    findings.extend(growth::findings(&results.figure_2));
    findings.extend(methods::findings(&results.figure_2));
    findings.extend(unequal::findings(&results.tables, &results.dispersion));
    findings.extend(unequal::origin(&results.origins));
    findings.push(methods::own_choice(&results.figure_2, &results.tables));
    findings
}

/// Texts as an enumeration: `a, b and c`.
fn listed(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_end_with_and() {
        let parts = ["a", "b", "c"].map(String::from);
        assert_eq!(listed(&parts[..1]), "a");
        assert_eq!(listed(&parts), "a, b and c");
    }
}
