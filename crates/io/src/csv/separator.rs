//! The separator of the fields of a line, found from the header.

use super::fields::CsvFields;
use crate::LineProblem;

/// The separator of the fields of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Separator {
    Comma,
    Semicolon,
    Tab,
    /// Any number of blanks and tabs.
    Blanks,
}

/// Separators of which each begins another field, even an empty one.
const STRICT: [Separator; 3] = [Separator::Comma, Separator::Semicolon, Separator::Tab];

impl Separator {
    /// Returns the separator by which the header names x and y; if none does, the one that occurs.
    pub(super) fn of_header(header: &[u8]) -> Result<Self, LineProblem> {
        let fits = |separator: &Separator| names_x_and_y(header, *separator);
        let mut fitting = STRICT.into_iter().filter(fits);
        if let Some(one) = fitting.next() {
            return fitting.next().map_or(Ok(one), |other| Err(one.or(other)));
        }
        if names_x_and_y(header, Separator::Blanks) {
            return Ok(Separator::Blanks);
        }
        let separates = |separator: &Separator| CsvFields::of(header, *separator).count() > 1;
        let mut found = STRICT.into_iter().filter(separates);
        match (found.next(), found.next()) {
            (Some(one), Some(other)) => Err(one.or(other)),
            (Some(one), None) => Ok(one),
            (None, _) if separates(&Separator::Blanks) => Ok(Separator::Blanks),
            (None, _) => Ok(Separator::Comma),
        }
    }

    #[inline(always)]
    pub(super) fn is(self, byte: u8) -> bool {
        match self {
            Separator::Comma => byte == b',',
            Separator::Semicolon => byte == b';',
            Separator::Tab => byte == b'\t',
            Separator::Blanks => matches!(byte, b' ' | b'\t'),
        }
    }

    /// Whether a byte before a field is part of neither the field nor its separator.
    #[inline(always)]
    pub(super) fn may_precede(self, byte: u8) -> bool {
        byte.is_ascii_whitespace() && (self == Separator::Blanks || !self.is(byte))
    }

    fn or(self, other: Self) -> LineProblem {
        LineProblem::Separators { first: self.name(), second: other.name() }
    }

    fn name(self) -> &'static str {
        match self {
            Separator::Comma => "commas",
            Separator::Semicolon => "semicolons",
            Separator::Tab => "tabs",
            Separator::Blanks => "blanks",
        }
    }
}

/// Whether a header has columns x and y, as every table of particles or points does.
pub(super) fn names_x_and_y(header: &[u8], separator: Separator) -> bool {
    let names = |axis: &[u8]| {
        let mut fields = CsvFields::of(header, separator).flatten();
        fields.any(|name| name.eq_ignore_ascii_case(axis))
    };
    names(b"x") && names(b"y")
}
