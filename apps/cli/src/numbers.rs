//! Numbers and lists of numbers as people write them in options.

use crate::failure::Failure;
use carom::scene::nearest;
use std::time::Duration;

/// A whole number that may be written like `1e6` or `10_000`.
pub fn count(option: &str, text: &str) -> Result<usize, Failure> {
    let plain = text.replace('_', "");
    let wrong = || {
        Failure::input(format!(
            "{option} is {text:?}; it must be a whole number such as 1000 or 1e6"
        ))
    };
    if let Ok(count) = plain.parse() {
        return Ok(count);
    }
    let value: f64 = plain.parse().map_err(|_| wrong())?;
    let whole = value >= 0.0 && value.fract() == 0.0 && value <= f64::from(u32::MAX);
    if whole { Ok(value as usize) } else { Err(wrong()) }
}

/// Numbers separated by commas, of which there must be as many as `names` has.
pub fn list<const N: usize>(option: &str, text: &str, names: &str) -> Result<[f64; N], Failure> {
    let wrong = || Failure::input(format!("{option} is {text:?}; it must be {N} numbers {names}"));
    let numbers: Result<Vec<f64>, _> = text.split(',').map(|part| part.trim().parse()).collect();
    numbers.ok().and_then(|numbers| numbers.try_into().ok()).ok_or_else(wrong)
}

/// "x is y; did you mean z? Possible: …", for a word that is none of `names`.
pub fn unknown<'a>(
    option: &str,
    text: &str,
    names: impl IntoIterator<Item = &'a str> + Clone,
) -> Failure {
    let guess = nearest(text, names.clone())
        .map(|name| format!("did you mean {name}? "))
        .unwrap_or_default();
    let names: Vec<_> = names.into_iter().collect();
    Failure::input(format!("{option} is {text:?}; {guess}it must be one of {}", names.join(", ")))
}

/// A wall-clock time such as 10s, 5m, 2h or 90.
pub fn wall_time(text: &str) -> Result<Duration, Failure> {
    let unit = text.find(|letter: char| letter.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(unit);
    let seconds = match unit {
        "" | "s" => Some(1.0),
        "ms" => Some(1e-3),
        "m" | "min" => Some(60.0),
        "h" => Some(3600.0),
        _ => None,
    };
    let time = seconds.zip(number.trim().parse::<f64>().ok()).map(|(unit, number)| unit * number);
    time.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).ok_or_else(|| {
        Failure::input(format!(
            "--max-walltime is {text:?}; it must be a time such as 10s, 5m or 2h"
        ))
    })
}

/// With commas between groups of three digits.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
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
    fn wall_times_have_units() {
        for (text, seconds) in [("10s", 10), ("5m", 300), ("5min", 300), ("2h", 7200), ("0", 0)] {
            assert_eq!(wall_time(text).unwrap(), Duration::from_secs(seconds));
        }
        for text in ["", "s", "-1s", "1e300h", "nan", "5 days"] {
            assert!(wall_time(text).is_err(), "{text}");
        }
    }

    #[test]
    fn long_numbers_are_grouped() {
        let texts = [0, 12, 999, 1000, 1_234_567].map(grouped);
        assert_eq!(texts, ["0", "12", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn the_nearest_name_is_suggested() {
        let names = ["auto", "linked-cells", "hierarchical-grid"];
        assert_eq!(nearest("linkedcells", names), Some("linked-cells"));
        assert_eq!(nearest("hierachical", names), Some("hierarchical-grid"));
        assert_eq!(nearest("zzz", names), None);
    }
}
