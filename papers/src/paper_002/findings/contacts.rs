//! The contact ratios of section 3.

use crate::digits::significant;
use crate::finding::{ClaimVerdict, Finding};
use crate::paper_002::contact_ratios::ContactRatio;
use crate::paper_002::particles::DiameterTest;
use carom::scene::group_thousands;

/// Whether a printed ratio is that of the particles: within one of the whole percents it is
/// printed in, or within a twentieth, which the sides of a small box can make.
pub(crate) fn agrees(ratio: &ContactRatio) -> bool {
    let apart = (ratio.printed_percent - ratio.measured_percent).abs();
    apart <= 1.0 || apart <= 0.05 * ratio.measured_percent
}

pub(super) fn findings(ratios: &[ContactRatio]) -> Vec<Finding> {
    let most = ratios.iter().map(|ratio| ratio.count).max().unwrap_or(0);
    let largest: Vec<_> = ratios.iter().filter(|ratio| ratio.count == most).collect();
    let (well, ill): (Vec<&ContactRatio>, Vec<_>) = largest.iter().partition(|ratio| agrees(ratio));
    let mut findings = Vec::new();
    if !well.is_empty() {
        let figures: Vec<_> = well.iter().map(|ratio| compared(ratio)).collect();
        findings.push(Finding {
            verdict: ClaimVerdict::Agrees,
            claim: "the printed numbers of contacts per hundred particles".into(),
            evidence: format!(
                "With {} particles: {}. {}",
                group_thousands(most as u64),
                figures.join("; "),
                sides_of_the_box(ratios, most)
            ),
        });
    }
    findings.extend(ill.into_iter().map(contradiction));
    findings
}

fn compared(ratio: &ContactRatio) -> String {
    format!(
        "{} in {}D {} measured, {} expected, {} printed",
        ratio.test,
        ratio.dimension,
        significant(ratio.measured_percent, 3),
        significant(ratio.expected_percent, 3),
        ratio.printed_percent
    )
}

/// What the sides of a small box take away, from the densest test.
fn sides_of_the_box(ratios: &[ContactRatio], most: usize) -> String {
    let few = ratios.iter().map(|ratio| ratio.count).min().unwrap_or(0);
    // In space, where more particles are beside a side.
    let of = |count: usize| {
        let matches = |ratio: &&ContactRatio| ratio.test == DiameterTest::A && ratio.count == count;
        ratios.iter().rfind(matches)
    };
    match (of(few), of(most)) {
        (Some(small), Some(large)) if small.measured_percent < large.measured_percent => format!(
            "A particle beside a side of the box has fewer neighbors: with {} particles {} in \
             {}D has {}, so that the printed values may be those of smaller systems.",
            group_thousands(few as u64),
            small.test,
            small.dimension,
            significant(small.measured_percent, 3)
        ),
        _ => "For how many particles they were printed the paper does not say.".into(),
    }
}

fn contradiction(ratio: &ContactRatio) -> Finding {
    let factor = ratio.printed_percent / ratio.expected_percent;
    let explanation = match (8.0..12.0).contains(&factor) {
        true => {
            format!(" A lost decimal point ({}) would explain it.", ratio.printed_percent / 10.0)
        }
        false => String::new(),
    };
    Finding {
        verdict: ClaimVerdict::DoesNotAgree,
        claim: format!(
            "the printed {} contacts per hundred particles of test {} in {}D",
            ratio.printed_percent, ratio.test, ratio.dimension
        ),
        evidence: format!(
            "The paper's own density and diameters give {} (expected) and {} (measured with {} \
             particles); the printed value is {} times the expected one and contradicts \
             them.{explanation}",
            significant(ratio.expected_percent, 2),
            significant(ratio.measured_percent, 2),
            group_thousands(ratio.count as u64),
            significant(factor, 2),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paper_002::contact_ratios::measure;

    #[test]
    fn only_test_c_in_space_contradicts_the_paper() {
        let ratios = measure(&[10_000]);
        let ill: Vec<_> = ratios.iter().filter(|ratio| !agrees(ratio)).collect();
        assert_eq!(ill.len(), 1);
        assert_eq!((ill[0].test, ill[0].dimension), (DiameterTest::C, 3));
        let findings = findings(&ratios);
        assert_eq!(findings[0].verdict, ClaimVerdict::Agrees);
        assert_eq!(findings[1].verdict, ClaimVerdict::DoesNotAgree);
        assert!(findings[1].evidence.contains("0.48 (expected)"), "{}", findings[1].evidence);
    }

    #[test]
    fn a_false_print_would_be_noticed() {
        let mut ratio = measure(&[1000])[0];
        assert!(agrees(&ratio));
        ratio.printed_percent = 70.0;
        assert!(!agrees(&ratio));
    }
}
