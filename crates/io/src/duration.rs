//! Wall-clock times as options state them.

use std::time::Duration;

/// Parses a wall-clock time as people write it: `500ms`, `10s`, `5min` or `5m`, `2h`, and seconds without a unit.
/// Returns `None` for anything else, and for a time that is negative or too long.
///
/// ```
/// use std::time::Duration;
/// assert_eq!(carom_io::parse_duration("1.5min"), Some(Duration::from_secs(90)));
/// assert_eq!(carom_io::parse_duration("1e3s"), Some(Duration::from_secs(1000)));
/// assert_eq!(carom_io::parse_duration("soon"), None);
/// ```
pub fn parse_duration(text: &str) -> Option<Duration> {
    let text = text.trim();
    // From the end, since the letter of 1e3 is not part of the unit.
    let number = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = match &text[number.len()..] {
        "" | "s" => 1.0,
        "ms" => 1e-3,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return None,
    };
    let number: f64 = number.trim_end().parse().ok()?;
    Duration::try_from_secs_f64(unit * number).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_a_number_and_a_unit() {
        for (text, seconds) in [
            ("10s", 10.0),
            ("500ms", 0.5),
            ("5m", 300.0),
            (" 5 min ", 300.0),
            ("2h", 7200.0),
            ("0", 0.0),
            ("1e3s", 1000.0),
            ("1e3", 1000.0),
        ] {
            assert_eq!(parse_duration(text), Some(Duration::from_secs_f64(seconds)), "{text}");
        }
    }

    #[test]
    fn all_else_is_none() {
        for text in ["", "s", "-1s", "1e300h", "nan", "inf", "5 days", "5 s s", "1e", "1e3x"] {
            assert_eq!(parse_duration(text), None, "{text}");
        }
    }
}
