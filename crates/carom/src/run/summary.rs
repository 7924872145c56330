//! The summary of a run, as JSON.

use super::{Ending, Timing};
use carom_simulate::observe::BlockAverage;
use carom_simulate::{Value, Values};
use serde_json::{Map, json};

/// Results of a run at its end or pause: the content of `summary.json`, without the names of `tables`.
///
/// Quantities have the names of the log's columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Why the run ended.
    pub ending: Ending,
    /// Wall-clock time by phase.
    pub timing: Timing,
    content: Map<String, serde_json::Value>,
}

impl Summary {
    pub(super) fn new(
        ending: Ending,
        timing: Timing,
        engine: &'static str,
        dimension: usize,
        provenance: serde_json::Value,
    ) -> Self {
        let mut content = Map::new();
        content.insert("finished".into(), (ending != Ending::Stopped).into());
        content.insert("ending".into(), json!(ending));
        content.insert("engine".into(), engine.into());
        content.insert("dimension".into(), dimension.into());
        let seconds = json!({
            "initialization": timing.initialization.as_secs_f64(),
            "running": timing.running.as_secs_f64(),
            "measuring": timing.measuring.as_secs_f64(),
            "output": timing.output.as_secs_f64(),
        });
        content.insert("seconds".into(), seconds);
        content.insert("provenance".into(), provenance);
        Summary { ending, timing, content }
    }

    pub(super) fn add(&mut self, values: &Values) {
        let values = values.iter().map(|(name, value)| (name.to_owned(), value_json(value)));
        self.content.extend(values);
    }

    /// Adds values of observables, which may be a program's own: they replace nothing.
    pub(super) fn add_new(&mut self, values: &Values) {
        for (name, value) in values.iter() {
            self.content.entry(name).or_insert_with(|| value_json(value));
        }
    }

    /// Adds mean and standard error of every column.
    pub(super) fn add_means(&mut self, means: &[(String, BlockAverage)]) {
        self.content.insert("means".into(), means_json(means));
    }

    /// Adds begin, end and means of every stage that has begun.
    pub(super) fn add_stages(&mut self, stages: &[StageSummary<'_>]) {
        let stage = |stage: &StageSummary<'_>| {
            json!({
                "name": stage.name,
                "begin": stage.begin,
                "end": stage.end,
                "means": means_json(stage.means),
            })
        };
        let stages: Vec<serde_json::Value> = stages.iter().map(stage).collect();
        self.content.insert("stages".into(), stages.into());
    }

    pub(super) fn content_mut(&mut self) -> &mut Map<String, serde_json::Value> {
        &mut self.content
    }

    /// Returns the number of a name; those in groups have the name of the group before, as in `work.steps`.
    pub fn number(&self, name: &str) -> Option<f64> {
        let mut parts = name.split('.');
        let first = self.content.get(parts.next()?)?;
        parts.try_fold(first, |value, part| value.get(part))?.as_f64()
    }

    /// Returns the text of a name.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.content.get(name)?.as_str()
    }

    /// Returns the content of `summary.json`; numbers that are not finite are null there.
    pub fn json(&self) -> serde_json::Value {
        serde_json::Value::Object(self.content.clone())
    }
}

fn value_json(value: Value) -> serde_json::Value {
    match value {
        Value::Number(number) => number.into(),
        Value::Count(count) => count.into(),
    }
}

/// A stage that has begun.
pub(super) struct StageSummary<'a> {
    /// Name of the stage.
    pub name: &'a str,
    /// When it began.
    pub begin: f64,
    /// When it ended, or the present time.
    pub end: f64,
    /// Mean of each column over its rows.
    pub means: &'a [(String, BlockAverage)],
}

/// Mean and standard error of columns, as JSON; columns without a value are left out.
fn means_json(means: &[(String, BlockAverage)]) -> serde_json::Value {
    let known = means.iter().filter(|(_, mean)| mean.count() > 0);
    let entry = |(name, mean): &(String, BlockAverage)| {
        (name.clone(), json!({ "mean": mean.mean(), "error": mean.error() }))
    };
    serde_json::Value::Object(known.map(entry).collect())
}
