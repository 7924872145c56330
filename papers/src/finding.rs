//! Sentences about what agrees with a paper and what does not, chosen by measured figures.

use std::fmt;

/// Whether measured figures bear out what a paper says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimVerdict {
    /// They do.
    Agrees,
    /// Some do.
    InPart,
    /// They do not.
    DoesNotAgree,
    /// There are none yet.
    NotMeasured,
}

impl ClaimVerdict {
    /// Every one, the best first.
    pub const ALL: [ClaimVerdict; 4] = [
        ClaimVerdict::Agrees,
        ClaimVerdict::InPart,
        ClaimVerdict::DoesNotAgree,
        ClaimVerdict::NotMeasured,
    ];

    /// The one that is written so.
    pub fn named(name: &str) -> Option<Self> {
        ClaimVerdict::ALL.into_iter().find(|verdict| verdict.to_string() == name)
    }

    /// Agrees if `holds`, else does not.
    pub fn of(holds: bool) -> Self {
        if holds { ClaimVerdict::Agrees } else { ClaimVerdict::DoesNotAgree }
    }

    /// Agrees if all hold, does not if none does (or nothing was measured), in part otherwise.
    pub fn of_all(parts: impl IntoIterator<Item = bool>) -> Self {
        let parts: Vec<bool> = parts.into_iter().collect();
        match parts.iter().filter(|&&holds| holds).count() {
            0 => ClaimVerdict::DoesNotAgree,
            count if count == parts.len() => ClaimVerdict::Agrees,
            _ => ClaimVerdict::InPart,
        }
    }
}

impl fmt::Display for ClaimVerdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            ClaimVerdict::Agrees => "agrees",
            ClaimVerdict::InPart => "agrees in part",
            ClaimVerdict::DoesNotAgree => "does not agree",
            ClaimVerdict::NotMeasured => "not measured",
        })
    }
}

/// One claim, the verdict on it, and the figures and reasons behind the verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What the measured figures say about the claim.
    pub verdict: ClaimVerdict,
    /// What the paper, or the theory beside it, says; a phrase without a full stop.
    pub claim: String,
    /// Sentences with the figures.
    pub evidence: String,
}

impl Finding {
    /// As an item of a Markdown list.
    pub fn markdown(&self) -> String {
        format!("- **{}**: {}. {}\n", self.verdict, self.claim, self.evidence)
    }

    /// From the line that [`markdown`](Finding::markdown) gives; the claim ends at the first full stop
    /// before a space.
    pub fn from_markdown(line: &str) -> Option<Finding> {
        let (verdict, words) = line.strip_prefix("- **")?.split_once("**: ")?;
        let (claim, evidence) = words.split_once(". ")?;
        let verdict = ClaimVerdict::named(verdict)?;
        Some(Finding { verdict, claim: claim.into(), evidence: evidence.trim_end().into() })
    }

    /// As plain text, lines broken at `width` and set in by two spaces.
    pub fn text(&self, width: usize) -> String {
        let verdict = self.verdict.to_string().to_uppercase();
        let whole = format!("{verdict}: {}. {}", self.claim, self.evidence);
        let mut text = String::new();
        let mut line = String::from("-");
        for word in whole.split_whitespace() {
            if line.chars().count() + 1 + word.chars().count() > width {
                text += &line;
                text.push('\n');
                line = String::from(" ");
            }
            line.push(' ');
            line += word;
        }
        text + &line + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_of_many_parts() {
        assert_eq!(ClaimVerdict::of_all([true, true]), ClaimVerdict::Agrees);
        assert_eq!(ClaimVerdict::of_all([true, false]), ClaimVerdict::InPart);
        assert_eq!(ClaimVerdict::of_all([false, false]), ClaimVerdict::DoesNotAgree);
    }

    #[test]
    fn text_is_broken_between_words() {
        let finding = Finding {
            verdict: ClaimVerdict::Agrees,
            claim: "all is well".into(),
            evidence: "It is 1.".into(),
        };
        assert_eq!(finding.text(16), "- AGREES: all is\n  well. It is 1.\n");
        assert_eq!(finding.markdown(), "- **agrees**: all is well. It is 1.\n");
        assert_eq!(Finding::from_markdown(&finding.markdown()), Some(finding));
        assert_eq!(Finding::from_markdown("- **maybe**: all is well. It is 1."), None);
    }
}
