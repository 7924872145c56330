/// How thoroughly to measure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Small systems and short measurements: seconds instead of minutes.
    pub quick: bool,
}

/// What a reproduced paper gives: files to be written by the caller, and a text to print.
#[derive(Clone, Debug, PartialEq)]
pub struct PaperReport {
    /// The files, with names relative to the directory of results, such as `002/report.md`.
    pub files: Vec<ReportFile>,
    /// Short tables and findings, as plain text.
    pub summary: String,
}

/// One file of a report.
#[derive(Clone, Debug, PartialEq)]
pub struct ReportFile {
    /// Relative name, with `/` between directory and file.
    pub name: String,
    /// All of its text.
    pub content: String,
}

impl ReportFile {
    /// A file of that name and content.
    pub fn new(name: impl Into<String>, content: impl Into<String>) -> Self {
        ReportFile { name: name.into(), content: content.into() }
    }
}
