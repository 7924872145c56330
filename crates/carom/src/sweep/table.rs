//! The table of a sweep: a row for each run.

use super::axis::SweepValue;
use super::summary_numbers::{SummaryNumbers, sort_names, summary_numbers};
use carom_io::excerpt;
use serde_json::{Map, Number, Value, json};
use std::collections::BTreeSet;

/// Columns behind the numbers; the first of the table are the settings and `ending`.
const LAST_COLUMNS: [&str; 3] = ["final_state", "folder", "failure"];
const ENDING: &str = "ending";

/// The table of a sweep: for each run, in the order of the product, its settings, how it ended, and the numbers of its
/// summary.
///
/// Runs of the same scene give the same row, whatever the machine, the number of threads and jobs, and wherever they were
/// cut: wall-clock times, memory, and work of the neighbor structure are in the summaries of the runs alone.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepTable {
    pub(super) keys: Vec<String>,
    pub(super) rows: Vec<SweepRow>,
}

/// A run in the table of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepRow {
    pub(super) settings: Vec<SweepValue>,
    pub(super) folder: String,
    pub(super) state: SweepRunState,
    /// Numbers of its summary, once it is finished.
    pub(super) results: Option<SweepResults>,
}

/// Results of a finished run.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SweepResults {
    ending: String,
    final_state: String,
    numbers: SummaryNumbers,
}

/// Where a run of a sweep stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SweepRunState {
    /// It has not begun.
    Missing,
    /// It was stopped or killed, and can be continued.
    Stopped,
    /// Another program runs it now.
    Running,
    /// It failed.
    Failed {
        /// Why, in a sentence.
        failure: String,
    },
    /// It has come to its end.
    Finished,
}

impl SweepTable {
    /// Returns the keys of the swept settings.
    pub fn keys(&self) -> &[String] {
        &self.keys
    }

    /// Returns the rows, in the order of the product.
    pub fn rows(&self) -> &[SweepRow] {
        &self.rows
    }

    /// Returns the names of the numbers that any run has: quantities in the order of their table, then all others.
    pub fn quantities(&self) -> Vec<String> {
        let results = self.rows.iter().filter_map(|row| row.results.as_ref());
        let names: BTreeSet<&String> = results.flat_map(|it| it.numbers.keys()).collect();
        let mut names: Vec<String> = names.into_iter().cloned().collect();
        sort_names(&mut names);
        names
    }

    /// Returns the table as CSV: the settings, `ending`, the numbers, `final_state`, `folder` and `failure`.
    ///
    /// `ending` is time, collisions, growth or rest for a run at its end, else missing, stopped, running or failed; such
    /// a run has no numbers. What is not finite is `nan`. No cell has a comma, a quote or `#`, so that the plainest
    /// readers take it: `;` and `'` stand for the first two in texts, and a blank for the last. A number with the name
    /// of a swept setting is called `summary.NAME`.
    pub fn csv(&self) -> String {
        let quantities = self.quantities();
        let of_summary = |name: &String| match self.keys.contains(name) {
            true => format!("summary.{name}"),
            false => name.clone(),
        };
        let header: Vec<String> = self
            .keys
            .iter()
            .map(|key| plain(key))
            .chain([ENDING.to_owned()])
            .chain(quantities.iter().map(of_summary))
            .chain(LAST_COLUMNS.map(str::to_owned))
            .collect();
        let mut text = header.join(",");
        text.push('\n');
        for row in &self.rows {
            text += &row.cells(&quantities).join(",");
            text.push('\n');
        }
        text
    }

    /// Whether a text begins as the table of some sweep does.
    pub(super) fn is_one(text: &str) -> bool {
        let header: Vec<&str> = text.lines().next().unwrap_or_default().split(',').collect();
        header.contains(&ENDING) && header.ends_with(&LAST_COLUMNS)
    }

    /// Returns the keys of the settings and the folders of the runs of a table that was written, which may be cut short.
    pub(super) fn keys_and_folders(text: &str) -> (Vec<&str>, Vec<&str>) {
        let mut lines = text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
        let header = lines.next().unwrap_or_default().split(',');
        let keys = header.take_while(|column| *column != ENDING).collect();
        // No cell has a comma.
        (keys, lines.filter_map(|line| line.rsplit(',').nth(1)).collect())
    }

    /// Returns the table as JSON: a list of runs with their settings, state, numbers, final state, folder and failure.
    pub fn json(&self) -> Value {
        let runs: Vec<Value> = self.rows.iter().map(|row| row.json(&self.keys)).collect();
        json!({ "settings": self.keys, "runs": runs })
    }
}

impl SweepRow {
    /// Returns the values of the settings, in the order of the keys of the table.
    pub fn settings(&self) -> &[SweepValue] {
        &self.settings
    }

    /// Returns the name of the folder of its results.
    pub fn folder(&self) -> &str {
        &self.folder
    }

    /// Returns where the run stands.
    pub fn state(&self) -> &SweepRunState {
        &self.state
    }

    /// Returns a number of the summary of a finished run, such as `kinetic_energy` or `means.temperature.error`; not a
    /// number where it was not finite.
    pub fn number(&self, name: &str) -> Option<f64> {
        let number = self.results.as_ref()?.numbers.get(name)?;
        Some(number.as_ref().and_then(Number::as_f64).unwrap_or(f64::NAN))
    }

    /// Returns the digest of the final state of a finished run: time, positions and velocities of all bodies.
    pub fn final_state(&self) -> Option<&str> {
        self.results.as_ref().map(|results| results.final_state.as_str())
    }

    /// Returns how the run ended, in a word: time, collisions, growth or rest, else missing, stopped, running or failed.
    pub fn ending(&self) -> &str {
        match (&self.state, &self.results) {
            (SweepRunState::Finished, Some(results)) => &results.ending,
            (SweepRunState::Finished, None) | (SweepRunState::Missing, _) => "missing",
            (SweepRunState::Stopped, _) => "stopped",
            (SweepRunState::Running, _) => "running",
            (SweepRunState::Failed { .. }, _) => "failed",
        }
    }

    fn failure(&self) -> Option<&str> {
        match &self.state {
            SweepRunState::Failed { failure } => Some(failure),
            _ => None,
        }
    }

    fn cells(&self, quantities: &[String]) -> Vec<String> {
        let number = |name: &String| {
            let number = self.results.as_ref().and_then(|results| results.numbers.get(name));
            match number {
                Some(Some(number)) => number.to_string(),
                Some(None) => "nan".to_owned(),
                None => String::new(),
            }
        };
        let settings = self.settings.iter().map(|value| match value.number() {
            Some(_) => value.to_string().replace('_', ""),
            None => plain(&value.to_string()),
        });
        settings
            .chain([self.ending().to_owned()])
            .chain(quantities.iter().map(number))
            .chain([self.final_state().unwrap_or_default().to_owned(), self.folder.clone()])
            .chain([plain(self.failure().unwrap_or_default())])
            .collect()
    }

    fn json(&self, keys: &[String]) -> Value {
        let value = |value: &SweepValue| match value.to_string().replace('_', "").parse::<Number>()
        {
            Ok(number) => Value::Number(number),
            Err(_) => Value::String(value.to_string()),
        };
        let settings: Map<String, Value> =
            keys.iter().cloned().zip(self.settings.iter().map(value)).collect();
        let mut json = json!({
            "settings": settings,
            "ending": self.ending(),
            "final_state": self.final_state(),
            "folder": self.folder,
            "failure": self.failure(),
        });
        if let Some(results) = &self.results {
            json["numbers"] = json!(results.numbers);
        }
        json
    }
}

impl SweepResults {
    /// Takes from the summary of a finished run what the table has of it.
    pub fn of_summary(summary: &Value) -> Self {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        SweepResults {
            ending: plain(&text(&summary["ending"])),
            final_state: plain(&text(&summary["provenance"]["final_state"])),
            numbers: summary_numbers(summary),
        }
    }
}

/// A text as a cell that the plainest readers of CSV take.
fn plain(text: &str) -> String {
    let lines = text.lines().collect::<Vec<_>>().join("; ");
    let letter = |letter: char| match letter {
        ',' => ';',
        '"' => '\'',
        '#' => ' ',
        letter => letter,
    };
    excerpt::escape_control_characters(&lines.chars().map(letter).collect::<String>())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::sweep::SweepAxis;

    /// A table of a setting, with these values of a quantity; none for a run that failed.
    pub(crate) fn table(axis: &str, quantity: &str, values: &[Option<f64>]) -> SweepTable {
        let axis = SweepAxis::parse(axis).unwrap();
        let row = |(index, (setting, value)): (usize, (&SweepValue, &Option<f64>))| SweepRow {
            settings: vec![setting.clone()],
            folder: format!("run-{index}"),
            state: match value {
                Some(_) => SweepRunState::Finished,
                None => SweepRunState::Failed { failure: "a, b\n\"c\" #1".to_owned() },
            },
            results: value.map(|value| {
                let summary = json!({
                    "ending": "time", "step": 1, quantity: value, "none": null,
                    "provenance": { "final_state": "00ff" },
                });
                SweepResults::of_summary(&summary)
            }),
        };
        let rows = axis.values().iter().zip(values).enumerate().map(row).collect();
        SweepTable { keys: vec![axis.key().to_owned()], rows }
    }

    #[test]
    fn the_table_is_plain_csv() {
        let table = table("step=1_000,[2,3]", "kinetic_energy", &[Some(0.1), None]);
        assert_eq!(
            table.csv(),
            "step,ending,kinetic_energy,none,summary.step,final_state,folder,failure\n\
             1000,time,0.1,nan,1,00ff,run-0,\n\
             [2;3],failed,,,,,run-1,a; b; 'c'  1\n"
        );
        assert!(SweepTable::is_one(&table.csv()));
        assert!(!SweepTable::is_one("step,ending,kinetic_energy\n1,time,3\n"));
        assert!(table.rows()[0].number("none").unwrap().is_nan());
        assert_eq!(table.rows()[1].number("kinetic_energy"), None);
    }

    #[test]
    fn the_table_is_json() {
        let json = table("step=1_000,wall", "kinetic_energy", &[Some(0.1), None]).json();
        assert_eq!(json["runs"][0]["settings"]["step"], 1000);
        assert_eq!(json["runs"][0]["numbers"]["kinetic_energy"], 0.1);
        assert_eq!(json["runs"][1]["settings"]["step"], "wall");
        assert_eq!(json["runs"][1]["failure"], "a, b\n\"c\" #1");
    }

    #[test]
    fn numbers_of_summaries_are_read_to_the_last_bit() {
        // Without care in reading, some of these come back one digit beside.
        let mut bits = 1_u64;
        for _ in 0..10_000 {
            bits = bits
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let number = f64::from_bits(bits);
            if number.is_finite() {
                let text = format!("{{\"a\":{}}}", json!(number));
                let read: Value = serde_json::from_str(&text).unwrap();
                assert_eq!(read["a"].as_f64().map(f64::to_bits), Some(bits), "{text}");
            }
        }
    }
}
