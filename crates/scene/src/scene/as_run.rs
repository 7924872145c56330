//! The text that runs the same scene again.

use super::problem::Checked;
use super::source::Source;
use super::written::Written;
use serde::Deserialize;
use std::path::Path;
use toml::de::Deserializer;
use toml::{Table, Value};

/// The scene with its settings and its seed written in, and its files found from anywhere.
///
/// The text itself, with all its comments, if there is nothing to add but a seed.
pub(super) fn text(
    source: &Source,
    written: &Written,
    seed: u64,
    folder: &Path,
) -> Checked<String> {
    let tables = source.tables()?;
    let mut table = Table::deserialize(Deserializer::from(tables))
        .expect("tables that were read once can be read again");
    let moved = make_files_absolute(&mut table, folder);
    if !source.has_settings() && !moved {
        return Ok(match written.has_seed() {
            true => source.text().to_owned(),
            false => format!("seed = {seed}\n{}", source.text()),
        });
    }
    table.insert("seed".to_owned(), Value::Integer(seed as i64));
    Ok(toml::to_string(&table).expect("a table of plain values can be written"))
}

/// Whether any file had to be changed.
fn make_files_absolute(table: &mut Table, folder: &Path) -> bool {
    let bodies = table.get_mut("bodies").and_then(Value::as_array_mut);
    let mut moved = false;
    for body in bodies.into_iter().flatten() {
        let Some(Value::String(file)) = body.get_mut("file") else { continue };
        let path = std::path::absolute(folder.join(file.as_str()));
        if let Some(path) = path.ok().as_deref().and_then(Path::to_str)
            && path != file
        {
            *file = path.to_owned();
            moved = true;
        }
    }
    moved
}
