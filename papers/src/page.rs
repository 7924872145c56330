//! The reports of all papers as one HTML page that holds its figures and needs nothing beside it.
//!
//! A report is Markdown, as the papers write it. What stands in it is shown as text, whatever it is: no
//! HTML passes through, links lead nowhere, and the only pictures are those that the caller has.

mod base64;
mod chapter;
mod overview;

use crate::Paper;
use crate::chart::escaped;
use crate::finding::Finding;

const STYLE: &str = include_str!("page/style.css");

/// One paper's report.
#[derive(Clone, Debug)]
pub struct Chapter {
    /// Of which paper.
    pub paper: Paper,
    /// Its `report.md`.
    pub markdown: String,
    /// The SVG files that it shows, by name; those that are not here are told to be missing.
    pub figures: Vec<(String, String)>,
}

impl Chapter {
    /// Names of the figures that a report shows, in its order.
    pub fn figures_in(markdown: &str) -> Vec<String> {
        chapter::figures(markdown)
    }

    /// What the report says of the paper's claims.
    fn findings(&self) -> impl Iterator<Item = Finding> {
        self.markdown.lines().filter_map(Finding::from_markdown)
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
    // No script can run, and nothing is loaded from anywhere.
    let policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>carom: published and measured</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         {overview}{chapters}<footer>Made by carom {}.</footer>\n</body>\n</html>\n",
        escaped(policy),
        env!("CARGO_PKG_VERSION")
    )
}

#[cfg(test)]
mod tests;
