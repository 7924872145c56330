//! One number of a particle file and the rules for it.

use crate::LineProblem;
use crate::excerpt;
use carom_detect::LARGEST_NUMBER;

/// The quantity in a cell; it decides the rule and the words of the message.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum CellQuantity {
    Coordinate,
    Velocity,
    Radius,
    Diameter,
    Mass,
    /// Any number.
    Number,
}

impl CellQuantity {
    fn must_be_number(self) -> &'static str {
        match self {
            CellQuantity::Coordinate => "a coordinate must be a number",
            CellQuantity::Velocity => "a velocity must be a number",
            CellQuantity::Radius => "a radius must be a number",
            CellQuantity::Diameter => "a diameter must be a number",
            CellQuantity::Mass => "a mass must be a number",
            CellQuantity::Number => "it must be a number",
        }
    }

    fn must_be_finite(self) -> &'static str {
        match self {
            CellQuantity::Coordinate => "a coordinate must be finite",
            CellQuantity::Velocity => "a velocity must be finite",
            CellQuantity::Radius => "a radius must be finite and not negative",
            CellQuantity::Diameter => "a diameter must be finite and not negative",
            CellQuantity::Mass => "a mass must be finite and greater than zero",
            CellQuantity::Number => "it must be finite",
        }
    }

    fn must_be_usable(self) -> &'static str {
        match self {
            CellQuantity::Coordinate => "a coordinate must lie between -1e100 and 1e100",
            CellQuantity::Velocity => "a velocity must lie between -1e100 and 1e100",
            CellQuantity::Radius => "a radius must not exceed 1e100",
            CellQuantity::Diameter => "a diameter must not exceed 1e100",
            CellQuantity::Mass => "a mass must not exceed 1e100",
            CellQuantity::Number => "it must lie between -1e100 and 1e100",
        }
    }

    #[inline(always)]
    fn is_size(self) -> bool {
        matches!(self, CellQuantity::Radius | CellQuantity::Diameter | CellQuantity::Mass)
    }

    /// Whether the number keeps every rule.
    #[inline(always)]
    pub(super) fn allows(self, number: f64) -> bool {
        number.abs() <= LARGEST_NUMBER && (!self.is_size() || number >= 0.0)
    }

    /// Returns the rule that a forbidden number breaks.
    fn broken_rule(self, number: f64, text: &[u8]) -> &'static str {
        let negative_size = self.is_size() && number < 0.0;
        // "1e999" becomes infinite only by parsing; its writer needs the limit.
        let spelt_out = !text.iter().any(u8::is_ascii_digit);
        if negative_size || (!number.is_finite() && spelt_out) {
            self.must_be_finite()
        } else {
            self.must_be_usable()
        }
    }
}

/// Returns the number in a cell, or what is wrong with it.
pub(super) fn parse_cell(
    text: &[u8],
    quantity: CellQuantity,
    column: &str,
) -> Result<f64, LineProblem> {
    let text = text.trim_ascii();
    if text.is_empty() {
        let rule = quantity.must_be_number();
        return Err(LineProblem::EmptyCell { column: column.to_owned(), rule });
    }
    parse_number(text, quantity).map_err(|rule| LineProblem::Cell {
        column: column.to_owned(),
        value: excerpt::value(text),
        rule,
    })
}

/// Returns the number that a word is, or the rule that it breaks.
pub(super) fn parse_number(word: &[u8], quantity: CellQuantity) -> Result<f64, &'static str> {
    match fast_float2::parse::<f64, _>(word) {
        Ok(number) if quantity.allows(number) => Ok(number),
        Ok(number) => Err(quantity.broken_rule(number, word)),
        Err(_) if has_decimal_comma(word) => Err(DECIMAL_POINT_RULE),
        Err(_) => Err(quantity.must_be_number()),
    }
}

const DECIMAL_POINT_RULE: &str =
    "decimals are written with a point, such as 0.5, and not with a comma";

/// Whether a word would be a number if its one comma were a point.
fn has_decimal_comma(word: &[u8]) -> bool {
    let mut parts = word.splitn(2, |&byte| byte == b',');
    let (Some(whole), Some(rest)) = (parts.next(), parts.next()) else { return false };
    let digits = whole.trim_ascii_start().strip_prefix(b"-").unwrap_or(whole);
    digits.iter().all(u8::is_ascii_digit)
        && rest.first().is_some_and(u8::is_ascii_digit)
        && fast_float2::parse::<f64, _>(rest).is_ok()
}

/// Returns the number itself, or the rule that it breaks.
#[inline]
pub(super) fn check(number: f64, quantity: CellQuantity) -> Result<f64, &'static str> {
    if quantity.allows(number) { Ok(number) } else { Err(quantity.broken_rule(number, b"")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_in_the_messages_is_the_limit_of_the_search() {
        assert_eq!(format!("{LARGEST_NUMBER:e}"), "1e100");
    }

    #[test]
    fn the_limit_itself_is_allowed() {
        for text in ["1e100", "-1e100"] {
            assert!(parse_cell(text.as_bytes(), CellQuantity::Coordinate, "x").is_ok());
        }
        assert!(parse_cell(b"1e100", CellQuantity::Radius, "r").is_ok());
        assert!(parse_cell(b"-0", CellQuantity::Radius, "r").is_ok());
    }
}
