//! Parses numbers, lists of numbers and names in options.

use crate::failure::CommandFailure;
use carom::io::excerpt::nearest_name;
use std::time::Duration;

/// Counts must be below this.
const BEYOND_ALL: f64 = (1u64 << 63) as f64;

/// Parses a whole number that may be written like `1e6` or `10_000`. Its upper limit is checked by the caller.
pub fn count(option: &str, text: &str) -> Result<usize, CommandFailure> {
    let plain = text.replace('_', "");
    let wrong = || {
        CommandFailure::input(format!(
            "{option} is {text:?}; it must be a whole number such as 1000 or 1e6"
        ))
    };
    if let Ok(count) = plain.parse() {
        return Ok(count);
    }
    let value: f64 = plain.parse().map_err(|_| wrong())?;
    let whole = value >= 0.0 && value.fract() == 0.0 && value < BEYOND_ALL;
    if whole { Ok(value as usize) } else { Err(wrong()) }
}

/// Parses `N` numbers separated by commas; `names` describes them in the error.
pub fn list<const N: usize>(
    option: &str,
    text: &str,
    names: &str,
) -> Result<[f64; N], CommandFailure> {
    let wrong =
        || CommandFailure::input(format!("{option} is {text:?}; it must be {N} numbers {names}"));
    let numbers: Result<Vec<f64>, _> = text.split(',').map(|part| part.trim().parse()).collect();
    numbers.ok().and_then(|numbers| numbers.try_into().ok()).ok_or_else(wrong)
}

/// The error for a name that is none of `names`: "x is y; did you mean z? it must be one of …".
pub fn unknown<'a>(
    option: &str,
    text: &str,
    names: impl IntoIterator<Item = &'a str> + Clone,
) -> CommandFailure {
    let guess = nearest_name(text, names.clone())
        .map(|name| format!("did you mean {name}? "))
        .unwrap_or_default();
    let names: Vec<_> = names.into_iter().collect();
    CommandFailure::input(format!(
        "{option} is {text:?}; {guess}it must be one of {}",
        names.join(", ")
    ))
}

/// Returns an error if an option was given that this kind does not take.
pub fn refuse_others(
    kind: &str,
    known: &[&str],
    given: impl IntoIterator<Item = (&'static str, bool)>,
) -> Result<(), CommandFailure> {
    let foreign = given.into_iter().find(|(option, given)| *given && !known.contains(option));
    match foreign {
        None => Ok(()),
        Some((option, _)) => Err(CommandFailure::input(format!(
            "{option} does not apply to {kind}, which takes {}",
            known.join(", ")
        ))),
    }
}

/// Parses a wall-clock time such as 500ms, 10s, 5min, 2h or 90.
pub fn wall_time(option: &str, text: &str) -> Result<Duration, CommandFailure> {
    carom::io::parse_duration(text).ok_or_else(|| {
        CommandFailure::input(format!(
            "{option} is {text:?}; it must be a time such as 10s, 5min or 2h"
        ))
    })
}

/// Parses a simulated time at which a run may end.
pub fn end_time(option: &str, text: &str) -> Result<f64, CommandFailure> {
    let time: Option<f64> = text.trim().parse().ok();
    time.filter(|time| (0.0..=1e100).contains(time)).ok_or_else(|| {
        CommandFailure::input(format!("{option} is {text:?}; it must be a time from 0 to 1e100"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_may_be_written_in_three_ways() {
        for text in ["1000000", "1e6", "1_000_000"] {
            assert_eq!(count("--count", text).unwrap(), 1_000_000);
        }
        for text in ["", "-1", "1.5", "1e30", "nan", "many"] {
            assert!(count("--count", text).is_err(), "{text}");
        }
    }

    #[test]
    fn an_end_is_a_number() {
        assert_eq!(end_time("--until", "1e3").unwrap(), 1000.0);
        for text in ["", "soon", "-1", "nan", "inf", "1e101"] {
            assert!(end_time("--until", text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_nearest_name_is_suggested() {
        let names = ["auto", "linked-cells", "hierarchical-grid"];
        assert_eq!(nearest_name("linkedcells", names), Some("linked-cells"));
        assert_eq!(nearest_name("hierachical", names), Some("hierarchical-grid"));
        assert_eq!(nearest_name("zzz", names), None);
    }
}
