//! What the measured figures say about table 1 and about the guidelines of section 4.

mod guidelines;
mod sizes;
mod table;

use super::KineticStructureResults;
use crate::finding::Finding;

/// Every finding: the table first, then the guidelines.
pub fn all(results: &KineticStructureResults) -> Vec<Finding> {
    let mut findings = table::findings(results);
    findings.push(guidelines::delaunay(results));
    findings.push(guidelines::memory(results));
    findings.push(guidelines::dense(results));
    findings.push(sizes::radii(results));
    findings.push(guidelines::known_in_advance(results));
    findings
}
