//! Measurements as plain data: numbers and words by name.
//!
//! An experiment returns a [`Record`] of everything that it measured. Tables, charts and verdicts select records by
//! their cells and take numbers by their names; a name that a record does not have is a mistake of the program.

use crate::digits;
use crate::fit;
use std::fmt;
use std::ops::Deref;

/// A cell of a record.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number.
    Number(f64),
    /// A word.
    Text(String),
    /// A number that was not, or could not be, measured.
    Missing,
}

/// Numbers measured together: cells by name, in the order of the columns of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record(Vec<(&'static str, Value)>);

/// Records with the same names, in the order in which they were measured.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Records(Vec<Record>);

/// A record of named cells: `record! { "bodies": 100, "system": "dense" }`.
macro_rules! record {
    ($($name:literal: $value:expr),* $(,)?) => {
        $crate::records::Record::new([$(($name, $crate::records::Value::from($value))),*])
    };
}
pub(crate) use record;

impl Record {
    /// A record of these cells.
    pub fn new(cells: impl IntoIterator<Item = (&'static str, Value)>) -> Self {
        Record(cells.into_iter().collect())
    }

    /// The cell of a name.
    ///
    /// # Panics
    ///
    /// If there is no such cell.
    pub fn value(&self, name: &str) -> &Value {
        let found = self.0.iter().find(|cell| cell.0 == name);
        &found.unwrap_or_else(|| panic!("no {name:?} among {:?}", self.names())).1
    }

    /// The number of a name; not a number where there is none.
    pub fn number(&self, name: &str) -> f64 {
        if let Value::Number(number) = self.value(name) { *number } else { f64::NAN }
    }

    /// The cell of a name as a text.
    pub fn text(&self, name: &str) -> String {
        self.value(name).to_string()
    }

    /// A text with the cells whose names stand in it in braces.
    pub fn filled(&self, text: &str) -> String {
        let mut parts = text.split('{');
        let start = parts.next().unwrap_or_default().to_owned();
        parts.fold(start, |filled, part| match part.split_once('}') {
            Some((name, rest)) => filled + &self.text(name) + rest,
            None => filled + part,
        })
    }

    /// This record with the cells of another behind its own.
    pub fn and(mut self, other: Record) -> Self {
        self.0.extend(other.0);
        self
    }

    /// This record without the cell of a name.
    pub fn without(mut self, name: &str) -> Self {
        self.0.retain(|cell| cell.0 != name);
        self
    }

    /// The names of all cells.
    pub fn names(&self) -> Vec<&'static str> {
        self.0.iter().map(|cell| cell.0).collect()
    }
}

impl Records {
    /// Reads lines of comma-separated cells, the first of which are the names. No cell has a comma.
    pub fn parse(text: &'static str) -> Self {
        let mut lines = text.lines();
        let names: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
        let record = |line: &'static str| {
            assert_eq!(line.split(',').count(), names.len(), "cells of {line:?}");
            Record::new(names.iter().copied().zip(line.split(',').map(Value::parsed)))
        };
        lines.map(record).collect()
    }

    /// The records with this cell.
    pub fn of(&self, name: &str, value: impl Into<Value>) -> Self {
        let value = value.into();
        self.iter().filter(|record| *record.value(name) == value).cloned().collect()
    }

    /// The records in groups that share the cells of these names, separated by ` | `.
    pub fn each(&self, names: &str) -> Vec<Records> {
        let cells = |record: &Record| -> Vec<Value> {
            names.split(" | ").map(|name| record.value(name).clone()).collect()
        };
        self.grouped(cells).into_iter().map(|(_, group)| group).collect()
    }

    /// The records in groups of the same key, in the order of their first ones.
    fn grouped<K: PartialEq>(&self, key: impl Fn(&Record) -> K) -> Vec<(K, Records)> {
        let mut groups: Vec<(K, Records)> = Vec::new();
        for record in self.iter() {
            let key = key(record);
            match groups.iter_mut().find(|group| group.0 == key) {
                Some((_, group)) => group.0.push(record.clone()),
                None => groups.push((key, Records(vec![record.clone()]))),
            }
        }
        groups
    }

    /// The number of a name in the first record; not a number where there is none.
    pub fn number(&self, name: &str) -> f64 {
        self.first().map_or(f64::NAN, |record| record.number(name))
    }

    /// The cell of a name in the first record as a text.
    pub fn text(&self, name: &str) -> String {
        self.first().map_or(String::new(), |record| record.text(name))
    }

    /// The numbers of a name.
    pub fn numbers(&self, name: &str) -> impl Iterator<Item = f64> {
        self.iter().map(move |record| record.number(name))
    }

    /// The least number of a name; not a number where there is none.
    pub fn least(&self, name: &str) -> f64 {
        self.numbers(name).fold(f64::NAN, f64::min)
    }

    /// The largest number of a name; not a number where there is none.
    pub fn most(&self, name: &str) -> f64 {
        self.numbers(name).fold(f64::NAN, f64::max)
    }

    /// One number over another.
    pub fn points(&self, x: &str, y: &str) -> Vec<(f64, f64)> {
        self.iter().map(|record| (record.number(x), record.number(y))).collect()
    }

    /// The power of `x` with which `y` grows over the upper two decades of `x`.
    pub fn power(&self, x: &str, y: &str) -> Option<f64> {
        fit::upper_exponent(&self.points(x, y))
    }

    /// The points of each different text of [`Record::filled`] for this one.
    pub fn lines(&self, text: &str, x: &str, y: &str) -> Vec<(String, Vec<(f64, f64)>)> {
        let groups = self.grouped(|record| record.filled(text)).into_iter();
        groups.map(|(label, group)| (label, group.points(x, y))).collect()
    }
}

impl Value {
    fn parsed(text: &str) -> Self {
        match text.parse() {
            _ if text.is_empty() => Value::Missing,
            Ok(number) => Value::Number(number),
            Err(_) => Value::Text(text.to_owned()),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(number) => formatter.write_str(&digits::plain(*number)),
            Value::Text(text) => formatter.write_str(text),
            Value::Missing => Ok(()),
        }
    }
}

macro_rules! values_from_numbers {
    ($($number:ty)*) => {
        $(impl From<$number> for Value {
            fn from(number: $number) -> Self {
                Value::Number(number as f64)
            }
        })*
    };
}
values_from_numbers!(f64 usize u64 u32 i32);

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Value::Text(text)
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Value::Missing, Into::into)
    }
}

impl Deref for Records {
    type Target = [Record];

    fn deref(&self) -> &[Record] {
        &self.0
    }
}

impl FromIterator<Record> for Records {
    fn from_iter<I: IntoIterator<Item = Record>>(records: I) -> Self {
        Records(records.into_iter().collect())
    }
}

impl Extend<Record> for Records {
    fn extend<I: IntoIterator<Item = Record>>(&mut self, records: I) {
        self.0.extend(records);
    }
}

impl IntoIterator for Records {
    type Item = Record;
    type IntoIter = std::vec::IntoIter<Record>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs() -> Records {
        Records::parse("method,bodies,ms\ngrid,100,1\ngrid,1000,20\ntree,100,3\ntree,1000,\n")
    }

    #[test]
    fn records_are_selected_and_grouped_by_their_cells() {
        let grid = runs().of("method", "grid");
        assert_eq!((grid.len(), grid.number("ms"), grid.most("ms")), (2, 1.0, 20.0));
        let by_bodies = runs().each("bodies");
        assert_eq!(
            by_bodies.iter().map(|group| group.least("ms")).collect::<Vec<_>>(),
            [1.0, 20.0]
        );
        assert_eq!(runs().each("method | bodies").len(), 4);
        assert_eq!(runs()[3].value("ms"), &Value::Missing);
    }

    #[test]
    fn growth_and_lines_of_charts_come_from_numbers_by_name() {
        let power = runs().of("method", "grid").power("bodies", "ms").unwrap();
        assert!((power - 20f64.log10()).abs() < 1e-12);
        let lines = runs().lines("by {method}", "bodies", "ms");
        assert_eq!((lines.len(), lines[0].1[1]), (2, (1000.0, 20.0)));
        assert_eq!(lines[1].0, "by tree");
    }

    #[test]
    #[should_panic(expected = "no \"us\" among [\"method\", \"bodies\", \"ms\"]")]
    fn a_name_that_there_is_not_is_refused() {
        runs().number("us");
    }
}
