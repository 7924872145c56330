//! The numbers of a summary that belong into the table of a sweep, by flat names.

use carom_simulate::QUANTITIES;
use serde_json::{Map, Number, Value};
use std::collections::BTreeMap;

/// Numbers by their names: those of the table of quantities, and with dots those of groups, such as
/// `means.temperature.error`. `None` stands for what is not finite.
pub(super) type SummaryNumbers = BTreeMap<String, Option<Number>>;

/// Groups of a summary that depend on the machine, the number of threads, and where the run was cut.
const GROUPS_OF_THE_MACHINE: [&str; 5] = ["seconds", "work", "memory", "neighbors", "provenance"];

/// Quantities of the neighbor structure, which depend on where the run was cut: most count from there, and a structure
/// that is built again may have other neighbors.
const STRUCTURE_STATISTICS: [&str; 6] = [
    "neighbor_pairs",
    "mean_neighbors",
    "most_neighbors",
    "changes_per_collision",
    "fresh_neighbors_per_change",
    "pair_tests_per_collision",
];

/// Returns the numbers of a summary, without those that two runs of the same scene may have different.
pub(super) fn summary_numbers(summary: &Value) -> SummaryNumbers {
    let mut numbers = SummaryNumbers::new();
    let Value::Object(content) = summary else { return numbers };
    let is_left_out =
        |name: &str| GROUPS_OF_THE_MACHINE.contains(&name) || STRUCTURE_STATISTICS.contains(&name);
    for (name, value) in content.iter().filter(|(name, _)| !is_left_out(name)) {
        put(name, value, &mut numbers);
    }
    numbers
}

fn put(name: &str, value: &Value, numbers: &mut SummaryNumbers) {
    match value {
        Value::Number(number) => drop(numbers.insert(name.to_owned(), Some(number.clone()))),
        Value::Null => drop(numbers.insert(name.to_owned(), None)),
        Value::Object(group) => {
            group.iter().for_each(|(key, value)| put(&format!("{name}.{key}"), value, numbers));
        }
        Value::Array(list) => {
            for (index, value) in list.iter().enumerate() {
                put(&format!("{name}.{}", entry_name(value, index)), value, numbers);
            }
        }
        Value::Bool(_) | Value::String(_) => {}
    }
}

/// The name of an entry of a list, such as that of a stage, or else its number.
fn entry_name(value: &Value, index: usize) -> String {
    let name = value.as_object().and_then(|group: &Map<_, _>| group.get("name")?.as_str());
    name.map_or_else(|| index.to_string(), str::to_owned)
}

/// Sorts names of numbers: quantities in the order of their table, then all others.
pub(super) fn sort_names(names: &mut [String]) {
    // Quantities of several axes, walls or bodies are found by their pattern.
    let place = |name: &str| {
        let known = carom_simulate::quantity(name);
        known.and_then(|known| QUANTITIES.iter().position(|it| it.name == known.name))
    };
    names.sort_by_cached_key(|name| (place(name).unwrap_or(usize::MAX), name.clone()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_have_flat_names_and_those_of_the_machine_are_left_out() {
        let summary = json!({
            "finished": true, "ending": "time", "time": 1.5, "collisions": 7, "kinetic_energy": null,
            "means": { "temperature": { "mean": 1.0, "error": null } },
            "stages": [{ "name": "fill", "begin": 0.0 }], "poured": [3, 4],
            "seconds": { "running": 0.1 }, "work": { "steps": 1 }, "memory": { "total": 1 },
            "pair_tests_per_collision": 3.0, "provenance": { "seed": 1 },
        });
        let numbers = summary_numbers(&summary);
        let mut names: Vec<String> = numbers.keys().cloned().collect();
        sort_names(&mut names);
        assert_eq!(
            names,
            [
                "time",
                "collisions",
                "kinetic_energy",
                "means.temperature.error",
                "means.temperature.mean",
                "poured.0",
                "poured.1",
                "stages.fill.begin"
            ]
        );
        assert_eq!(numbers["collisions"], Some(7.into()));
        assert_eq!(numbers["kinetic_energy"], None);
    }
}
