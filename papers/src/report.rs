//! A paper's report: a page of Markdown written by hand, with slots that are filled with what was measured.
//!
//! | slot | becomes |
//! |---|---|
//! | `{{table:NAME: COLUMNS}}` | a table of these columns ([`TextTable`]), or of all; also printed in the terminal, under the heading before it |
//! | `{{long table:NAME: COLUMNS}}` | a table of the page only |
//! | `{{figure:NAME}}` | the file name of a drawing, for `![caption]({{figure:NAME}})` |
//! | `{{chart:NAME: PARTS}}` | the file name of a chart of the table of this name ([`chart::svg`]) under the caption as its title; `{{chart:NAME of TABLE: PARTS}}` is one of another table |
//! | `{{verdict:CLAIM}}` | the verdict on a claim; a line `- {{verdict:CLAIM}}: …` is also printed in the terminal |
//! | `{{value:NAME}}` | a number |
//! | `{{command}}` | the command that makes the page |
//! | `{{quick:WORDS}}` | the words, in a quick run only |
//!
//! The table `verdicts` has every number that a verdict rests on.

use crate::Paper;
use crate::chart;
use crate::records::Records;
use crate::table::TextTable;
use crate::verdict::{self, Quantities, Verdict};

/// Effort of the measurements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Small systems and short measurements: seconds instead of minutes.
    pub quick: bool,
}

impl Settings {
    /// One of two values: for a quick run, or for a thorough one.
    pub(crate) fn either<T>(&self, quick: T, thorough: T) -> T {
        if self.quick { quick } else { thorough }
    }

    /// Numbers of bodies over which growth is fitted: one and three times each power of ten, from a hundred to the
    /// highest number of such a run.
    pub(crate) fn counts(&self, quick: usize, thorough: usize) -> Vec<usize> {
        let highest = self.either(quick, thorough);
        let decades = (2..).map(|power| 10usize.pow(power)).take_while(|&count| count <= highest);
        decades.flat_map(|count| [count, 3 * count]).filter(|&count| count <= highest).collect()
    }
}

/// The result of reproducing a paper: files to be written by the caller, and a text to print.
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

/// Width of the summary's lines.
const WIDTH: usize = 96;

/// A page and what fills its slots.
pub(crate) struct ReportPage {
    paper: &'static str,
    text: &'static str,
    rules: Records,
    quick: bool,
    tables: Vec<(String, Records)>,
    values: Vec<(&'static str, String)>,
    verdicts: Records,
    files: Vec<ReportFile>,
}

impl ReportPage {
    /// The page of a paper by its number, nothing filled yet.
    pub fn new(number: &str, settings: &Settings) -> Self {
        let paper = Paper::numbered(number).expect("only papers in the list have pages");
        ReportPage::with_text(paper.number, paper.page, settings)
    }

    fn with_text(
        paper: &'static str,
        [text, rules]: [&'static str; 2],
        settings: &Settings,
    ) -> Self {
        ReportPage {
            paper,
            text,
            rules: Records::parse(rules),
            quick: settings.quick,
            tables: Vec::new(),
            values: Vec::new(),
            verdicts: Records::default(),
            files: Vec::new(),
        }
    }

    /// Adds records for tables of the page.
    pub fn table(&mut self, name: impl Into<String>, records: Records) {
        self.tables.push((name.into(), records));
    }

    /// Adds records that are a CSV file, and on the page where they have a slot.
    pub fn data(&mut self, name: impl Into<String>, records: Records) {
        let name = name.into();
        self.file(&format!("{name}.csv"), TextTable::of_all(&records).csv());
        self.table(name, records);
    }

    /// Adds a drawing.
    pub fn figure(&mut self, name: &str, svg: String) {
        self.file(&format!("{name}.svg"), svg);
    }

    /// Adds a number of the text.
    pub fn value(&mut self, name: &'static str, value: impl ToString) {
        self.values.push((name, value.to_string()));
    }

    /// Holds measured numbers against the rules of the paper's claims.
    ///
    /// # Panics
    ///
    /// If a rule is about a claim that the page does not have, or a number has no rule: then the page would say less
    /// than was measured.
    pub fn judge(&mut self, quantities: &Quantities) {
        for rule in self.rules.iter() {
            let claim = rule.text("claim");
            assert!(self.text.contains(&format!("{{{{verdict:{claim}}}}}")), "no claim {claim:?}");
        }
        self.verdicts = verdict::judged(&self.rules, quantities);
    }

    fn file(&mut self, name: &str, content: String) {
        self.files.push(ReportFile { name: format!("{}/{name}", self.paper), content });
    }

    /// Fills the page.
    ///
    /// # Panics
    ///
    /// If the page has a slot that nothing fills.
    pub fn finish(mut self) -> PaperReport {
        self.data("verdicts", self.verdicts.clone());
        self.draw_charts();
        let markdown = self.filled(self.text, |verdict| format!("**{verdict}**"));
        let summary = self.summary();
        self.file("report.md", markdown);
        PaperReport { files: self.files, summary }
    }

    /// Draws the charts of all slots.
    fn draw_charts(&mut self) {
        let mut parts = self.text.split("({{chart:");
        let mut before = parts.next().unwrap_or_default();
        for part in parts {
            let title =
                before.rsplit_once("![").map_or("", |(_, title)| title.trim_end_matches(']'));
            let (slot, _) = part.split_once("}})").expect("every slot of a page ends");
            let (name, parts) = slot.split_once(": ").unwrap_or((slot, ""));
            let (file, table) = name.split_once(" of ").unwrap_or((name, name));
            let svg = chart::svg(self.find_table(table), title, parts);
            self.figure(file, svg);
            before = part;
        }
    }

    fn filled(&self, text: &str, verdict: impl Fn(Verdict) -> String) -> String {
        let mut filled = String::new();
        let mut rest = text;
        while let Some((before, slot)) = rest.split_once("{{") {
            let (slot, after) = slot.split_once("}}").expect("every slot of a page ends");
            let (kind, name) = slot.split_once(':').unwrap_or((slot, ""));
            filled += before;
            filled += &match kind {
                "table" | "long table" => self.filled_table(name).markdown().trim_end().to_owned(),
                "figure" => self.figure_file(name),
                "chart" => self.figure_file(name.split([':', ' ']).next().unwrap_or_default()),
                "verdict" => verdict(Verdict::on(name, &self.verdicts)),
                "value" => self.find_value(name).to_owned(),
                "command" => self.command(),
                "quick" if self.quick => name.to_owned(),
                "quick" => String::new(),
                _ => panic!("the page has an unknown slot {slot:?}"),
            };
            rest = after;
        }
        filled + rest
    }

    /// The title, the tables that are not long, and the findings, as plain text.
    fn summary(&self) -> String {
        let (mut text, mut findings, mut heading) = (String::new(), String::new(), None);
        for line in self.text.lines() {
            if let Some(title) = line.strip_prefix("# ") {
                text += title;
                text += if self.quick { " (quick run)\n" } else { "\n" };
            } else if line.starts_with('#') {
                heading = Some(line.trim_start_matches(['#', ' ']));
            } else if let Some(slot) = line.strip_prefix("{{table:") {
                let title = heading.take().map_or(String::new(), |title| {
                    self.filled(title, |verdict| verdict.to_string()) + "\n"
                });
                let table = self.filled_table(slot.trim_end_matches("}}")).text();
                text += &format!("\n{title}{table}");
            } else if line.starts_with("- {{verdict:") {
                let finding = self.filled(line, |verdict| verdict.to_string().to_uppercase());
                findings += &wrapped(&finding);
            }
        }
        text + "\nFindings\n" + &findings
    }

    /// The table of a slot: a name, and columns behind a colon.
    fn filled_table(&self, slot: &str) -> TextTable {
        let (name, columns) = slot.split_once(": ").unwrap_or((slot, ""));
        match columns {
            "" => TextTable::of_all(self.find_table(name)),
            _ => TextTable::new(self.find_table(name), columns),
        }
    }

    /// The records of a name.
    ///
    /// # Panics
    ///
    /// If there are none.
    pub fn find_table(&self, name: &str) -> &Records {
        let found = self.tables.iter().find(|table| table.0 == name);
        &found.unwrap_or_else(|| panic!("no table fills the slot {name:?}")).1
    }

    fn find_value(&self, name: &str) -> &str {
        let found = self.values.iter().find(|value| value.0 == name);
        &found.unwrap_or_else(|| panic!("no value fills the slot {name:?}")).1
    }

    fn figure_file(&self, name: &str) -> String {
        let file = format!("{name}.svg");
        let path = format!("{}/{file}", self.paper);
        assert!(self.files.iter().any(|file| file.name == path), "no figure fills {name:?}");
        file
    }

    fn command(&self) -> String {
        let quick = if self.quick { " --quick" } else { "" };
        format!("carom reproduce {}{quick}", self.paper)
    }
}

/// An item of a list with its lines broken between words and set in by two spaces.
fn wrapped(item: &str) -> String {
    let mut text = String::new();
    let mut line = String::new();
    for word in item.split_whitespace() {
        if line.chars().count() + 1 + word.chars().count() > WIDTH {
            text += &line;
            text.push('\n');
            line = String::from(" ");
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line += word;
    }
    text + &line + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::record;

    const PAGE: &str = "# Paper 002: a title\n\nMade by `{{command}}`.{{quick: Small.}}\n\n## Findings\n\n\
                        - {{verdict:a}}: all is well. It is {{value:one}}.\n\n### Numbers\n\n\
                        {{table:verdicts}}\n\n![Time]({{chart:time of times: x N as N | y ms as ms}})\n\n{{long table:times: N:, as bodies}}\n";

    fn page(rule: &str) -> ReportPage {
        let rules = format!("claim,quantity,published,at least,at most\n{rule}").leak();
        let mut page = ReportPage::with_text("002", [PAGE, rules], &Settings { quick: true });
        page.value("one", 1);
        page.data("times", Records::from_iter([record! { "N": 1000, "ms": 7 }]));
        let mut quantities = Quantities::default();
        quantities.add("a ratio", 0.5);
        page.judge(&quantities);
        page
    }

    #[test]
    fn slots_are_filled_on_the_page_and_in_the_terminal() {
        let report = page("a,a ratio,,,1").finish();
        let names: Vec<_> = report.files.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(names, ["002/times.csv", "002/verdicts.csv", "002/time.svg", "002/report.md"]);
        assert!(report.files[2].content.contains(">Time<"), "{}", report.files[2].content);
        let markdown = &report.files[3].content;
        for part in [
            "`carom reproduce 002 --quick`. Small.\n",
            "- **agrees**: all is well. It is 1.\n",
            "| a | a ratio | 0.500 | at most 1 | yes |\n\n![Time](time.svg)\n\n| bodies |\n| --- |\n| 1,000 |",
        ] {
            assert!(markdown.contains(part), "{part} in\n{markdown}");
        }
        assert!(report.summary.starts_with("Paper 002: a title (quick run)\n\nNumbers\n  claim"));
        assert!(report.summary.ends_with("\nFindings\n- AGREES: all is well. It is 1.\n"));
        assert!(!report.summary.contains("bodies"));
    }

    #[test]
    fn long_findings_are_broken_between_words() {
        let text = wrapped(&format!("- {}", "word ".repeat(30)));
        assert!(text.lines().count() == 2 && text.lines().all(|line| line.len() <= WIDTH));
        assert!(text.lines().nth(1).is_some_and(|line| line.starts_with("  word")));
    }

    #[test]
    #[should_panic(expected = "no claim \"b\"")]
    fn a_rule_for_a_claim_that_the_page_does_not_have_is_a_mistake() {
        page("b,a ratio,,,1");
    }

    #[test]
    fn a_quick_run_stops_early() {
        assert_eq!(Settings { quick: true }.counts(1000, 3000), [100, 300, 1000]);
        assert_eq!(Settings { quick: false }.counts(1000, 3000), [100, 300, 1000, 3000]);
    }
}
