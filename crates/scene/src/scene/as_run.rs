//! The text of a scene that repeats its run: settings and seed written in, file names absolute.

use super::problem::{SceneValidationError, ValidationResult};
use super::source::SceneSource;
use serde::Deserialize;
use std::ops::Range;
use std::path::Path;
use toml::de::{DeTable, DeValue, Deserializer};
use toml::{Spanned, Table, Value};

/// `toml` parses integers up to `u64::MAX` where a number is expected, but a TOML value holds `i64` only.
const NO_INTEGER: &str =
    "it has an integer above 9223372036854775807; write such a number with a decimal point";

/// Returns the scene's text with its settings and its seed written in and its file names made absolute.
///
/// Values are replaced at their places in the text, so that comments are kept. Only if a setting needs a new line
/// within a table is the whole text written from the parsed table, without comments.
pub(super) fn text(source: &SceneSource, seed: u64, folder: &Path) -> ValidationResult<String> {
    let tables = source.tables()?;
    let mut table = Table::deserialize(Deserializer::from(tables))
        .map_err(|_| SceneValidationError::whole(NO_INTEGER))?;
    let mut keys = source.setting_keys();
    keys.extend(make_files_absolute(&mut table, folder));
    if !table.contains_key("seed") {
        table.insert("seed".to_owned(), Value::Integer(seed as i64));
        keys.push("seed".to_owned());
    }
    match edited(source.text(), &table, &keys) {
        Some(text) => Ok(text),
        None => toml::to_string(&table).map_err(|_| SceneValidationError::whole(NO_INTEGER)),
    }
}

/// Returns the text with one more key in a table of the scene; comments are kept if possible.
pub(super) fn with_key(text: &str, table: &str, key: &str, value: Value) -> String {
    let mut whole: Table = toml::from_str(text).expect("the text that runs a scene again is TOML");
    let line = format!("{key} = {value}\n");
    let inner = whole.entry(table).or_insert_with(|| Value::Table(Table::new()));
    if let Value::Table(inner) = inner {
        inner.insert(key.to_owned(), value);
    }
    let header = format!("[{table}]");
    let mut below = String::new();
    for old in text.split_inclusive('\n') {
        below += old;
        if old.trim_start().starts_with(&header) {
            below += &line;
        }
    }
    let candidates = [format!("{table}.{line}{text}"), below];
    let same = |text: &String| toml::from_str::<Table>(text).is_ok_and(|table| table == whole);
    let written = || toml::to_string(&whole).expect("what was read as a table can be written");
    // An edited text keeps the user's comments; it is taken only if it means the same as the edited table.
    candidates.into_iter().find(same).unwrap_or_else(written)
}

/// Makes file names absolute and returns the keys of those that had to be changed.
fn make_files_absolute(table: &mut Table, folder: &Path) -> Vec<String> {
    let mut keys = Vec::new();
    for name in ["bodies", "walls"] {
        let list = table.get_mut(name).and_then(Value::as_array_mut);
        for (index, one) in list.into_iter().flatten().enumerate() {
            if make_absolute(one, folder) {
                keys.push(format!("{name}.{index}.file"));
            }
        }
    }
    for (name, key) in [("generate", "region"), ("pour", "region"), ("outlets", "return_to")] {
        let list = table.get_mut(name).and_then(Value::as_array_mut);
        for (index, one) in list.into_iter().flatten().enumerate() {
            let mesh = one.get_mut(key).and_then(|region| region.get_mut("mesh"));
            if mesh.is_some_and(|mesh| make_absolute(mesh, folder)) {
                keys.push(format!("{name}.{index}.{key}.mesh.file"));
            }
        }
    }
    if table.get_mut("start").is_some_and(|start| make_absolute(start, folder)) {
        keys.push("start.file".to_owned());
    }
    let shapes = table.get_mut("shapes").and_then(Value::as_table_mut);
    for (name, one) in shapes.into_iter().flatten() {
        if make_absolute(one, folder) {
            keys.push(format!("shapes.{name}.file"));
        }
    }
    let solids = table.get_mut("solids").and_then(Value::as_array_mut);
    for (index, solid) in solids.into_iter().flatten().enumerate() {
        if solid.get_mut("mesh").is_some_and(|mesh| make_absolute(mesh, folder)) {
            keys.push(format!("solids.{index}.mesh.file"));
        }
        let holes = solid.get_mut("holes").and_then(Value::as_array_mut);
        for (number, hole) in holes.into_iter().flatten().enumerate() {
            if hole.get_mut("mesh").is_some_and(|mesh| make_absolute(mesh, folder)) {
                keys.push(format!("solids.{index}.holes.{number}.mesh.file"));
            }
        }
    }
    keys
}

/// Makes the `file` of a table absolute, and says whether it had to be changed.
fn make_absolute(table: &mut Value, folder: &Path) -> bool {
    let Some(Value::String(file)) = table.get_mut("file") else { return false };
    let path = std::path::absolute(folder.join(file.as_str()));
    match path.ok().as_deref().and_then(Path::to_str) {
        Some(path) if path != file => {
            *file = path.to_owned();
            true
        }
        _ => false,
    }
}

/// Returns the text with the values of these keys taken from the table; `None` if that is not possible.
pub(super) fn edited(text: &str, table: &Table, keys: &[String]) -> Option<String> {
    let original = DeTable::parse(text).ok()?;
    let (mut front, mut edits) = (String::new(), Vec::new());
    for key in keys {
        let names: Vec<&str> = key.split('.').map(str::trim).collect();
        let value = value(table, &names)?;
        match (place(original.get_ref(), &names), &names[..]) {
            (Some(span), _) => edits.push((span, value.to_string())),
            (None, [name]) => front += &format!("{name} = {value}\n"),
            (None, _) => return None,
        }
    }
    let text = front + &replaced(text, edits)?;
    // A replaced range may have been more, or less, than the value: compare with the table.
    (toml::from_str::<Table>(&text).ok()? == *table).then_some(text)
}

/// Returns the text after the replacements; `None` if their ranges overlap.
fn replaced(text: &str, mut edits: Vec<(Range<usize>, String)>) -> Option<String> {
    edits.sort_by_key(|(span, _)| span.start);
    edits.dedup();
    let (mut result, mut end) = (String::new(), 0);
    for (span, value) in edits {
        result += text.get(end..span.start)?;
        result += &value;
        end = span.end;
    }
    Some(result + text.get(end..)?)
}

/// Returns the value of a key.
fn value<'t>(table: &'t Table, names: &[&str]) -> Option<&'t Value> {
    let (first, rest) = names.split_first()?;
    rest.iter().try_fold(table.get(*first)?, |value, name| match value {
        Value::Array(array) => array.get(name.parse::<usize>().ok()?),
        value => value.get(*name),
    })
}

/// Returns the byte range of a key's value in the text.
fn place(table: &DeTable, names: &[&str]) -> Option<Range<usize>> {
    let (first, rest) = names.split_first()?;
    place_in(table.get(*first)?, rest)
}

fn place_in(value: &Spanned<DeValue>, names: &[&str]) -> Option<Range<usize>> {
    let Some((first, rest)) = names.split_first() else { return Some(value.span()) };
    match value.get_ref() {
        DeValue::Table(table) => place_in(table.get(*first)?, rest),
        DeValue::Array(array) => place_in(array.get(first.parse::<usize>().ok()?)?, rest),
        _ => None,
    }
}
