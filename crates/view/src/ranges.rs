//! Ranges of columns over all frames that were read.

use crate::columns::{FrameColumn, is_categorical};
use crate::quantize::extent;
use serde::Serialize;
use std::collections::BTreeMap;

/// Name and range of a column in the manifest.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ColumnRange {
    pub name: String,
    pub unit: &'static str,
    pub low: f64,
    pub high: f64,
    pub categorical: bool,
}

/// The ranges of all columns, ordered by name, so that the order of frames does not matter.
#[derive(Clone, Debug, Default)]
pub struct ColumnRanges(BTreeMap<String, [f64; 2]>);

impl ColumnRanges {
    /// Widens the ranges to the values of one more frame; columns with values that are not finite do not count.
    pub fn include(&mut self, columns: &[FrameColumn]) {
        for column in columns {
            if let Some([low, high]) = extent(column.values.iter().copied()) {
                let range = self.0.entry(column.name.to_owned()).or_insert([low, high]);
                *range = [range[0].min(low), range[1].max(high)];
            }
        }
    }

    /// All ranges, that of the column `first` first.
    pub fn list(&self, first: &str) -> Vec<ColumnRange> {
        let range = |(name, &[low, high]): (&String, &[f64; 2])| ColumnRange {
            name: name.clone(),
            unit: "",
            low,
            high,
            categorical: is_categorical(name),
        };
        let mut list: Vec<ColumnRange> = self.0.iter().map(range).collect();
        list.sort_by_key(|range| range.name != first);
        list
    }
}
