//! Numbers as texts that a reader takes in at a glance.

/// A number with so many significant digits, without an exponent: `0.00312`, `1.25`, `15300`.
///
/// ```
/// use carom_papers::digits::significant;
/// assert_eq!(significant(0.0031249, 3), "0.00312");
/// assert_eq!(significant(15321.0, 3), "15300");
/// ```
pub fn significant(value: f64, digits: usize) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    // Rounded first: 9.996 has one digit before the point, but 10.0 has two.
    let rounded: f64 = format!("{value:.*e}", digits.max(1) - 1).parse().unwrap_or(value);
    let before_point = rounded.abs().log10().floor() as i64 + 1;
    let decimals = (digits as i64 - before_point).max(0) as usize;
    format!("{rounded:.decimals$}")
}

/// A whole number in groups of three digits: `12,345,678`.
///
/// ```
/// assert_eq!(carom_papers::digits::grouped(1234567), "1,234,567");
/// ```
pub fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
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
    fn digits_are_kept_over_all_sizes() {
        let cases = [(9.996, "10.0"), (0.1, "0.100"), (123.456, "123"), (1e6, "1000000")];
        for (value, text) in cases {
            assert_eq!(significant(value, 3), text);
        }
        assert_eq!(significant(0.0, 3), "0");
        assert_eq!(significant(-0.01234, 2), "-0.012");
    }

    #[test]
    fn groups_begin_at_the_right() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1000), "1,000");
        assert_eq!(grouped(100_000), "100,000");
    }
}
