//! The most informative numbers of a `summary.json`.

use carom::io::group_thousands;
use serde_json::Value;

/// Labels of the figures, and their JSON pointers in the summary.
const KEY_FIGURES: [(&str, &str); 13] = [
    ("bodies", "/bodies"),
    ("particles", "/particles"),
    ("springs", "/springs"),
    ("time", "/time"),
    ("collisions", "/collisions"),
    ("steps", "/steps"),
    ("packing fraction", "/packing_fraction"),
    ("contacts", "/contacts"),
    ("fragments", "/fragments"),
    ("broken springs", "/broken_springs"),
    ("seconds", "/seconds/running"),
    ("collisions per second", "/work/collisions_per_second"),
    ("body steps per second", "/work/body_steps_per_second"),
];

/// Labels and values of the figures that a summary has and that are not zero.
///
/// ```
/// let summary = serde_json::json!({ "bodies": 12_000, "time": 0.25, "contacts": 0, "digest": "a" });
/// let figures = carom_view::gallery::key_figures(&summary);
/// assert_eq!(figures[0], ("bodies".to_owned(), "12,000".to_owned()));
/// assert_eq!(figures.len(), 2);
/// ```
pub fn key_figures(summary: &Value) -> Vec<(String, String)> {
    let shown =
        |(name, place): &(&str, &str)| Some(((*name).to_owned(), number(summary.pointer(place)?)?));
    KEY_FIGURES.iter().filter_map(shown).collect()
}

/// Formats integers in groups of three, other numbers with three digits.
fn number(value: &Value) -> Option<String> {
    if value.as_f64() == Some(0.0) {
        return None;
    }
    if let Some(whole) = value.as_u64() {
        return Some(group_thousands(whole));
    }
    let number = value.as_f64()?;
    Some(match number.abs() {
        size if size >= 1000.0 => {
            format!(
                "{}{}",
                if number < 0.0 { "-" } else { "" },
                group_thousands(size.round() as u64)
            )
        }
        size if size >= 0.001 => {
            let decimals = (2 - size.log10().floor() as i32).max(0) as usize;
            let text = format!("{number:.decimals$}");
            if text.contains('.') {
                text.trim_end_matches('0').trim_end_matches('.').to_owned()
            } else {
                text
            }
        }
        _ => format!("{number:.2e}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_have_three_digits_and_no_more() {
        let cases =
            [(json!(1.30000001), "1.3"), (json!(0.29845), "0.298"), (json!(123.456), "123")];
        for (value, text) in cases {
            assert_eq!(number(&value).as_deref(), Some(text));
        }
        assert_eq!(number(&json!(1191936.54)).as_deref(), Some("1,191,937"));
        assert_eq!(number(&json!(0.0000012)).as_deref(), Some("1.20e-6"));
        assert_eq!(number(&json!("text")), None);
    }
}
