//! Measured numbers: one record per case, contender and quantity, kept as CSV.
//!
//! The first line of a file says which command, machine and compiler made it.

use crate::error::Error;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// One quantity of one contender in one case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The workload and its sizes, separated by spaces.
    pub case: String,
    /// Who was measured: carom's own methods begin with "carom".
    pub contender: String,
    /// Name of the quantity.
    pub quantity: String,
    /// The value, or a word where it is no number, such as the structure that was chosen.
    pub value: String,
    /// The unit, empty for counts and fractions.
    pub unit: String,
}

/// The records of a file and the line about where they come from.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Results {
    /// Command, machine and compiler.
    pub origin: String,
    /// The records, in the order of their cases.
    pub records: Vec<Record>,
}

/// Writes a measured number with six significant digits; whole numbers stay as they are.
pub fn rounded(value: f64) -> String {
    let rounded = format!("{value:.5e}").parse().unwrap_or(value);
    match if value.fract() == 0.0 { value } else { rounded } {
        value if value != 0.0 && value.abs() < 1e-3 => format!("{value:e}"),
        value => value.to_string(),
    }
}

/// Whether a unit is one of time, of which the least counts.
pub fn is_time(unit: &str) -> bool {
    ["ns", "ms", "s"].contains(&unit)
}

/// Whether a unit is one of work per time, of which the most counts.
pub fn is_rate(unit: &str) -> bool {
    unit.ends_with("/s")
}

impl Record {
    /// Returns the value, if it is a number.
    pub fn number(&self) -> Option<f64> {
        self.value.parse().ok()
    }

    /// Returns how this quantity compares with another of the same unit: the quotient of times, or of
    /// the times that two rates stand for, so that more than one always means slower or larger.
    pub fn ratio_to(&self, other: &Record) -> Option<f64> {
        let quotient = self.number()? / other.number()?;
        Some(if is_rate(&self.unit) { 1.0 / quotient } else { quotient })
    }

    /// Whether the contender is one of carom's own.
    pub fn is_own(&self) -> bool {
        self.contender.starts_with("carom")
    }

    /// Whether the contender is another library, on one thread.
    pub fn is_peer(&self) -> bool {
        !self.is_own() && self.contender != "textbook" && !self.contender.ends_with("threads")
    }
}

impl Results {
    /// Returns the different cases that a pattern selects, in their order: it has as many parts as the name of a case, `*`
    /// for any, `a|b` for one of several, `>=n` for numbers from there on, or the part itself.
    pub fn cases(&self, pattern: &str) -> Vec<&str> {
        let mut cases: Vec<&str> = Vec::new();
        for record in self.records.iter().filter(|record| selects(pattern, &record.case)) {
            if cases.last() != Some(&record.case.as_str()) && !cases.contains(&&*record.case) {
                cases.push(&record.case);
            }
        }
        cases
    }

    /// Returns the records of a quantity in a case, one per contender.
    pub fn of<'a>(&'a self, case: &str, quantity: &str) -> impl Iterator<Item = &'a Record> {
        self.records.iter().filter(move |record| record.case == case && record.quantity == quantity)
    }

    /// Returns the record of the contender that a word of the tables stands for: the fastest library
    /// ("fastest peer"), the fastest one that starts without memory ("fastest cold peer"), the fastest
    /// of carom's own methods but its choice ("fastest own"), or a name.
    pub fn find(&self, case: &str, contender: &str, quantity: &str) -> Option<&Record> {
        let fastest = |wanted: fn(&Record) -> bool| {
            let records = self.of(case, quantity).filter(|record| wanted(record));
            records.min_by(|a, b| a.ratio_to(b).unwrap_or(1.0).total_cmp(&1.0))
        };
        match contender {
            "fastest peer" => fastest(Record::is_peer),
            "fastest cold peer" => {
                fastest(|record| record.is_peer() && !record.contender.ends_with("warm"))
            }
            "fastest own" => fastest(|record| {
                let other = ["carom", "carom cold"].contains(&record.contender.as_str());
                record.is_own() && !other && !record.contender.ends_with("threads")
            }),
            name => self.of(case, quantity).find(|record| record.contender == name),
        }
    }

    /// Writes the records as CSV, making the folder if need be.
    pub fn write(&self, path: &Path) -> Result<(), Error> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(Error::in_file(folder))?;
        }
        let mut writer = csv::Writer::from_writer(format!("# {}\n", self.origin).into_bytes());
        for record in &self.records {
            writer.serialize(record).map_err(Error::in_results(path))?;
        }
        let text = writer.into_inner().map_err(|error| error.into_error());
        std::fs::write(path, text.map_err(Error::in_file(path))?).map_err(Error::in_file(path))
    }

    /// Reads records that were written.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let text = std::fs::read_to_string(path).map_err(Error::in_file(path))?;
        let origin = text.lines().next().and_then(|line| line.strip_prefix("# "));
        let origin = origin.unwrap_or("unknown").to_string();
        let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
        let records: Result<_, _> = reader.deserialize().collect();
        Ok(Results { origin, records: records.map_err(Error::in_results(path))? })
    }
}

fn selects(pattern: &str, case: &str) -> bool {
    let (patterns, parts) = (pattern.split(' '), case.split(' '));
    patterns.clone().count() == parts.clone().count()
        && patterns.zip(parts).all(|(pattern, part)| fits(pattern, part))
}

fn fits(pattern: &str, part: &str) -> bool {
    match pattern.strip_prefix(">=") {
        Some(least) => match (part.parse::<f64>(), least.parse::<f64>()) {
            (Ok(part), Ok(least)) => part >= least,
            _ => false,
        },
        None => pattern == "*" || pattern.split('|').any(|one| one == part),
    }
}

/// Makes up results for tests: lines of "case; contender; quantity; value; unit".
#[cfg(test)]
pub fn made_up(lines: &str) -> Results {
    let record = |line: &str| {
        let fields: Vec<String> = line.split(';').map(|field| field.trim().into()).collect();
        let [case, contender, quantity, value, unit] = fields.try_into().unwrap();
        Record { case, contender, quantity, value, unit }
    };
    let lines = lines.lines().filter(|line| !line.trim().is_empty());
    Results { origin: "a command; a machine".into(), records: lines.map(record).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Results {
        made_up(
            "3B 1000; carom; time per particle; 20.5; ns
             3B 1000; carom cold; time per particle; 19; ns
             3B 1000; parry3d; time per particle; 250; ns
             3B 1000; parry3d 2 threads; time per particle; 150; ns
             3B 1000; kiddo; time per particle; 210; ns
             mono-0.3 500; carom; structure; cell-grid;
             mono-0.3 500; carom; digest; 0x12e4;
             mono-0.3 500; carom; smallest gap; -1e-17; radii
             mono-0.3 500; carom; collisions per second; 400; 1/s
             mono-0.3 500; textbook; collisions per second; 100; 1/s",
        )
    }

    #[test]
    fn results_survive_writing_and_reading() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/results.csv");
        example().write(&path).unwrap();
        assert_eq!(Results::read(&path).unwrap(), example());
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("# a command; a machine\ncase,contender,quantity,value,unit\n"));
        assert!(text.contains("\n3B 1000,parry3d,time per particle,250,ns\n"), "{text}");
    }

    #[test]
    fn a_bad_record_is_named_by_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.csv");
        std::fs::write(&path, "# origin\ncase,contender,quantity,value,unit\n3B,carom\n").unwrap();
        let error = Results::read(&path).unwrap_err().to_string();
        assert!(error.contains("results.csv") && error.contains("line: 3"), "{error}");
    }

    #[test]
    fn more_than_one_means_slower_for_times_and_for_rates() {
        let (results, find) =
            (example(), |contender: &'static str| (contender, "time per particle"));
        let record = |(contender, quantity)| results.find("3B 1000", contender, quantity).unwrap();
        let ratio = record(find("kiddo")).ratio_to(record(find("carom cold")));
        assert!(ratio.unwrap() > 11.0);
        let rate = |contender| results.find("mono-0.3 500", contender, "collisions per second");
        assert_eq!(rate("textbook").unwrap().ratio_to(rate("carom").unwrap()), Some(4.0));
    }

    #[test]
    fn the_fastest_library_is_on_one_thread_and_not_ours() {
        let results = example();
        let fastest = results.find("3B 1000", "fastest peer", "time per particle").unwrap();
        assert_eq!(fastest.contender, "kiddo");
        assert!(results.find("mono-0.3 500", "fastest peer", "collisions per second").is_none());
    }

    #[test]
    fn a_case_is_selected_if_every_part_fits() {
        assert!(selects("3B 1000000", "3B 1000000"));
        assert!(selects("2A|3B *", "3B 1000") && !selects("2A|3C *", "3B 1000"));
        assert!(selects("* >=400", "even 920") && !selects("* >=400", "even 20"));
        assert!(!selects("* >=400", "even odd"));
        assert!(!selects("*", "3B 1000") && !selects("3B * *", "3B 1000"));
    }

    #[test]
    fn numbers_have_six_digits_and_counts_all() {
        assert_eq!(rounded(1.0 / 3.0), "0.333333");
        assert_eq!(rounded(8_850_601.0), "8850601");
        assert_eq!(rounded(-2.5e-16), "-2.5e-16");
    }
}
