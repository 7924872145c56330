//! Formats numbers for people.

use std::time::Duration;

/// A duration in milliseconds.
pub fn milliseconds_text(duration: Duration) -> String {
    format!("{:.3} ms", duration.as_secs_f64() * 1e3)
}
