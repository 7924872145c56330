//! The reports of all papers as one HTML page that holds its figures and needs nothing beside it.
//!
//! A report is Markdown, as the papers write it. What stands in it is shown as text, whatever it is: no
//! HTML passes through, links lead nowhere, and the only pictures are those that the caller has.

mod chapter;
mod overview;

use crate::Paper;
use crate::verdict::Verdict;
use carom_view::html::HtmlDocument;

const STYLE: &str = include_str!("page/style.css");

/// One paper's report.
#[derive(Clone, Debug)]
pub struct Chapter {
    /// The paper of the report.
    pub paper: Paper,
    /// Text of the report, `report.md`.
    pub markdown: String,
    /// The SVG files that it shows, by name; those that are not here are reported to be missing.
    pub figures: Vec<(String, String)>,
}

impl Chapter {
    /// Names of the figures that a report shows, in its order.
    pub fn figures_in(markdown: &str) -> Vec<String> {
        chapter::figures(markdown)
    }

    /// What the report says of the paper's claims: lines such as `- **agrees**: the claim. Further words.`
    fn findings(&self) -> impl Iterator<Item = (Verdict, &str)> {
        fn finding(line: &str) -> Option<(Verdict, &str)> {
            let (verdict, words) = line.strip_prefix("- **")?.split_once("**: ")?;
            let claim = words.split_once(". ").map_or(words.trim_end_matches('.'), |parts| parts.0);
            Some((Verdict::named(verdict)?, claim))
        }
        self.markdown.lines().filter_map(finding)
    }
}

/// The page: an overview of all claims, then the reports in the order given.
///
/// ```
/// use carom_papers::{Paper, page};
/// let chapter = page::Chapter {
///     paper: Paper::numbered("002").expect("paper 002 is there"),
///     markdown: "# Paper 002\n\n- **agrees**: all is well. It is 1.\n".into(),
///     figures: Vec::new(),
/// };
/// assert!(page::html(&[chapter]).contains("1 claim"));
/// ```
pub fn html(chapters: &[Chapter]) -> String {
    let overview = overview::html(chapters);
    let chapters: String = chapters.iter().map(chapter::html).collect();
    let body = overview + &chapters;
    HtmlDocument { title: "Published and measured", style: STYLE, images: "data:", body: &body }
        .html()
}

#[cfg(test)]
mod tests;
