//! Settings such as `bodies.0.radius=1`, applied to the tables of a scene.

use super::problem::{SceneProblem, SceneValidationError, ValidationResult};
use std::borrow::Cow;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Deeper than any key, and shallow enough for the stack.
const MOST_PARTS: usize = 16;

/// Lists of tables, whose entries have numbers; all other tables have names.
const LISTS: [&str; 2] = ["bodies", "generate"];

/// Applies the setting at `place` of the buffer to the tables.
///
/// The part before the first `=` is the key with its tables and list indices, separated by dots; missing tables are
/// created. The part behind it is a TOML value, or else a string.
pub(super) fn apply<'b>(
    tables: &mut DeTable<'b>,
    buffer: &'b str,
    place: &Range<usize>,
) -> ValidationResult<()> {
    let setting = buffer.get(place.clone()).unwrap_or_default();
    let (key, _) = setting
        .split_once('=')
        .ok_or_else(|| refuse(place, "it must be written key=value, for example seed=3"))?;
    let value = value(buffer, place.start + key.len() + 1..place.end);
    let names: Vec<&str> = key.split('.').map(str::trim).collect();
    if buffer.get(place.start + key.len() + 1..place.end).is_none_or(|it| it.trim().is_empty()) {
        return Err(refuse(place, "its value is empty; write it like seed=3"));
    }
    if names.iter().any(|name| name.is_empty()) {
        return Err(refuse(place, "its key has an empty part; write it like bodies.0.radius=1"));
    }
    if names.len() > MOST_PARTS {
        return Err(refuse(place, "its key has too many parts; write it like bodies.0.radius=1"));
    }
    put_into_table(tables, &names, value, place)
}

fn refuse(place: &Range<usize>, rule: impl Into<Cow<'static, str>>) -> SceneValidationError {
    SceneValidationError::at(place, SceneProblem::Setting { rule: rule.into() })
}

/// Parses the value at a place of the buffer.
fn value(buffer: &str, place: Range<usize>) -> Spanned<DeValue<'_>> {
    let text = buffer.get(place.clone()).unwrap_or_default();
    let start = place.start + (text.len() - text.trim_start().len());
    let text = text.trim();
    match DeValue::parse(text) {
        Ok(value) => shifted(value, start),
        // What is no TOML value is a word: shells take quotes away.
        Err(_) => Spanned::new(start..start + text.len(), DeValue::String(Cow::Borrowed(text))),
    }
}

/// Returns the value with its spans counted from `start` instead of zero.
fn shifted(value: Spanned<DeValue<'_>>, start: usize) -> Spanned<DeValue<'_>> {
    let move_span = |span: Range<usize>| span.start + start..span.end + start;
    let span = move_span(value.span());
    let value = match value.into_inner() {
        DeValue::Array(array) => {
            DeValue::Array(array.into_iter().map(|item| shifted(item, start)).collect())
        }
        DeValue::Table(table) => {
            let moved = |(name, value): (Spanned<_>, _)| {
                let name = Spanned::new(move_span(name.span()), name.into_inner());
                (name, shifted(value, start))
            };
            DeValue::Table(table.into_iter().map(moved).collect())
        }
        plain => plain,
    };
    Spanned::new(span, value)
}

fn put_into_table<'b>(
    table: &mut DeTable<'b>,
    names: &[&'b str],
    value: Spanned<DeValue<'b>>,
    place: &Range<usize>,
) -> ValidationResult<()> {
    let (name, rest) = names.split_first().expect("a key has at least one part");
    let key = Spanned::new(place.clone(), Cow::Borrowed(*name));
    if rest.is_empty() {
        table.insert(key, value);
        return Ok(());
    }
    let is_index = rest[0].bytes().all(|byte| byte.is_ascii_digit());
    if is_index && LISTS.contains(name) && !table.contains_key(*name) {
        let rule = format!("the scene has no [[{name}]], so entry {} does not exist", rest[0]);
        return Err(refuse(place, rule));
    }
    let empty = || Spanned::new(place.clone(), DeValue::Table(DeTable::new()));
    let inner = table.entry(key).or_insert_with(empty);
    put_into_value(inner, name, rest, value, place)
}

fn put_into_value<'b>(
    target: &mut Spanned<DeValue<'b>>,
    name: &str,
    rest: &[&'b str],
    value: Spanned<DeValue<'b>>,
    place: &Range<usize>,
) -> ValidationResult<()> {
    match target.get_mut() {
        DeValue::Table(table) => put_into_table(table, rest, value, place),
        DeValue::Array(array) => {
            let count = array.len();
            let item = rest[0].parse().ok().and_then(|index: usize| array.get_mut(index));
            let item = item.ok_or_else(|| {
                let rule = format!("{name} holds {count} entries; name one of them from zero");
                refuse(place, rule)
            })?;
            if rest.len() == 1 {
                *item = value;
                return Ok(());
            }
            put_into_value(item, rest[0], &rest[1..], value, place)
        }
        _ => Err(refuse(place, format!("{name} is a plain value; nothing can stand below it"))),
    }
}
