//! Numbers as text for messages: counts with nouns, groups of digits, significant digits.

/// Formats a count with its noun, in the plural unless it is one.
///
/// ```
/// use carom_io::count_with_noun;
/// assert_eq!([1, 2].map(|count| count_with_noun(count, "edge")), ["1 edge", "2 edges"]);
/// ```
pub fn count_with_noun(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Formats a number with commas between groups of three digits.
///
/// ```
/// assert_eq!(carom_io::group_thousands(1_234_567), "1,234,567");
/// ```
pub fn group_thousands(number: u64) -> String {
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

/// Formats a number to six significant digits, without trailing zeros, and with an exponent if it is very large or
/// very small.
///
/// ```
/// use carom_io::six_significant_digits;
/// assert_eq!([2.0, 0.630_000_04, 1234.5678].map(six_significant_digits), ["2", "0.63", "1234.57"]);
/// assert_eq!([2.5e-7, -3.123_456_7e12].map(six_significant_digits), ["2.5e-7", "-3.12346e12"]);
/// ```
pub fn six_significant_digits(number: f64) -> String {
    let rounded: f64 = format!("{number:.5e}").parse().unwrap_or(number);
    let size = rounded.abs();
    if size == 0.0 || (1e-4..1e9).contains(&size) {
        rounded.to_string()
    } else {
        format!("{rounded:e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_digits_are_kept_over_all_sizes() {
        let cases = [
            (0.0, "0"),
            (-0.0, "-0"),
            (0.000_099_999_999, "0.0001"),
            (0.001_234_567_89, "0.00123457"),
            (123_456_789.0, "123457000"),
            (1e-300, "1e-300"),
        ];
        for (number, text) in cases {
            assert_eq!(six_significant_digits(number), text);
        }
    }

    #[test]
    fn digits_stand_in_threes() {
        let texts = [0, 12, 999, 1000, 123_456, u64::MAX].map(group_thousands);
        assert_eq!(texts, ["0", "12", "999", "1,000", "123,456", "18,446,744,073,709,551,615"]);
    }
}
