//! Formats numbers for people.

use std::time::Duration;

/// A duration in milliseconds.
pub fn milliseconds_text(duration: Duration) -> String {
    format!("{:.3} ms", duration.as_secs_f64() * 1e3)
}

/// A count with its noun, in the plural unless it is one.
pub fn count_with_noun(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
