//! Numbers as texts that a reader takes in at a glance.

use carom::io::{group_thousands, six_significant_digits};

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

/// A number with six significant digits, whole numbers with all of theirs.
pub fn plain(value: f64) -> String {
    // Adding zero takes the sign from a negative zero.
    let value = value + 0.0;
    if value.fract() == 0.0 { value.to_string() } else { six_significant_digits(value) }
}

/// A number of any size with three digits, whole numbers with all of theirs.
pub fn brief(value: f64) -> String {
    let value = value + 0.0;
    match value.abs() {
        size if value.fract() == 0.0 && size < 1e9 => value.to_string(),
        size if (1e-3..1e6).contains(&size) => significant(value, 3),
        _ => format!("{value:.2e}"),
    }
}

/// A number in a form that a table asks for:
///
/// | form | number |
/// |---|---|
/// | empty | six significant digits, whole numbers with all of theirs |
/// | `3` | three significant digits |
/// | `.3` | three decimals |
/// | `e3` | three decimals and a power of ten |
/// | `,` | whole, thousands in groups |
///
/// # Panics
///
/// If there is no such form.
pub fn formed(value: f64, form: &str) -> String {
    let count = |digits: &str| {
        let count: Result<usize, _> = digits.parse();
        count.unwrap_or_else(|_| panic!("a number has no form {form:?}"))
    };
    match form.as_bytes().first() {
        None => plain(value),
        Some(b',') => group_thousands(value as u64),
        Some(b'.') => format!("{value:.*}", count(&form[1..])),
        Some(b'e') => format!("{value:.*e}", count(&form[1..])),
        Some(_) => significant(value, count(form)),
    }
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
    fn numbers_take_the_form_that_is_asked_for() {
        let forms = ["", "2", ".1", "e2", ","].map(|form| formed(12_345.678_9, form));
        assert_eq!(forms, ["12345.7", "12000", "12345.7", "1.23e4", "12,345"]);
        assert_eq!([plain(1.0 / 3e4), plain(1e6)], ["3.33333e-5", "1000000"]);
        assert_eq!([brief(2e-4), brief(0.25), brief(-0.0)], ["2.00e-4", "0.250", "0"]);
    }
}
