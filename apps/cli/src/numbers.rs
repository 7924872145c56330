//! Numbers and lists of numbers as people write them in options.

use crate::failure::Failure;
use carom::scene::nearest;

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
    fn the_nearest_name_is_suggested() {
        let names = ["auto", "linked-cells", "hierarchical-grid"];
        assert_eq!(nearest("linkedcells", names), Some("linked-cells"));
        assert_eq!(nearest("hierachical", names), Some("hierarchical-grid"));
        assert_eq!(nearest("zzz", names), None);
    }
}
