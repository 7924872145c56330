//! What agrees with the paper and what does not, decided by the measured figures.

mod choice;
mod growth;
mod today;

use super::PointInclusionResults;
use super::comparison::Comparison;
use crate::digits::significant;
use crate::finding::{ClaimVerdict, Finding};

/// Every finding, in the order of the paper.
pub fn all(results: &PointInclusionResults) -> Vec<Finding> {
    let mut findings = growth::findings(&results.comparisons);
    findings.extend(choice::findings(&results.comparisons));
    findings.extend(today::findings(results));
    findings
}

/// A verdict on parts of a claim; none if nothing was measured.
fn verdict_of(parts: &[bool]) -> ClaimVerdict {
    if parts.is_empty() {
        ClaimVerdict::NotMeasured
    } else {
        ClaimVerdict::of_all(parts.iter().copied())
    }
}

/// Seconds for readers.
fn seconds(value: f64) -> String {
    format!("{} s", significant(value, 2))
}

/// The largest grid of points as a text, such as `80³`.
fn largest_grid(comparison: &Comparison) -> String {
    format!("{}³", comparison.largest_grid())
}

/// The smallest grid of points as a text.
fn smallest_grid(comparison: &Comparison) -> String {
    format!("{}³", comparison.smallest_grid())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paper_003::approach::Approach;
    use crate::paper_003::samples::comparison;

    fn verdicts(results: &PointInclusionResults) -> Vec<ClaimVerdict> {
        all(results).iter().map(|finding| finding.verdict).collect()
    }

    /// Both bodies with these times.
    fn results(
        seconds: impl Fn(&crate::paper_003::comparison::ApproachCase) -> f64,
    ) -> PointInclusionResults {
        let sphere = comparison(&seconds);
        let mut foam = comparison(&seconds);
        foam.body = crate::paper_003::bodies::MeshSeries::Foam;
        // The paper's foams have many triangles.
        foam.triangles = foam.triangles.split_off(5);
        PointInclusionResults { comparisons: [sphere, foam], accuracy: Vec::new() }
    }

    fn verdict_on(results: &PointInclusionResults, part: &str) -> ClaimVerdict {
        let found = all(results);
        let finding = found.iter().find(|finding| finding.claim.contains(part));
        finding.unwrap_or_else(|| panic!("{part}")).verdict
    }

    #[test]
    fn times_as_the_paper_tells_them_agree() {
        let results = results(|case| {
            let (triangles, points) = (case.triangles as f64, case.points() as f64);
            match case.approach {
                Approach::RayCrossing => 1e-8 * triangles * points,
                Approach::WellChosen => 2e-8 * triangles + 3e-6 * points,
                _ => 4e-8 * triangles + 4e-6 * points,
            }
        });
        for part in [
            "for fine meshes the fast multipole method",
            "ray crossing is faster for coarse spheres",
            "a well-chosen depth (WC)",
            "the largest grid the multipole method",
            "evaluation part is almost independent",
        ] {
            assert_eq!(verdict_on(&results, part), ClaimVerdict::Agrees, "{part}");
        }
    }

    #[test]
    fn a_multipole_method_slower_than_rays_does_not_agree() {
        let results = results(|case| {
            let pairs = case.triangles as f64 * case.points() as f64;
            if case.approach == Approach::RayCrossing { 1e-9 * pairs } else { 1e-8 * pairs }
        });
        let verdict = |part: &str| verdict_on(&results, part);
        assert_eq!(
            verdict("for fine meshes the fast multipole method"),
            ClaimVerdict::DoesNotAgree
        );
        assert_eq!(verdict("ray crossing is linear"), ClaimVerdict::Agrees);
        assert_eq!(verdict("evaluation part is almost independent"), ClaimVerdict::DoesNotAgree);
    }

    #[test]
    fn what_was_not_measured_is_reported_so() {
        let mut results = results(|_| 1.0);
        for comparison in &mut results.comparisons {
            comparison.cases.clear();
        }
        assert!(verdicts(&results).iter().all(|&verdict| verdict == ClaimVerdict::NotMeasured));
    }
}
