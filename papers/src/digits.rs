//! Numbers as texts that a reader takes in at a glance.

/// A number with this many significant digits, without an exponent: `0.00312`, `1.25`, `15300`.
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
}
