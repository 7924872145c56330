//! Files that a scene names, and their copies in a results folder.
//!
//! A results folder holds copies of all files that its scene names, so that it can be shown, resumed and repeated
//! wherever it is taken. Its scene may not name files outside of it: a folder received from somebody else could
//! otherwise read, show and quote any file of its reader.

use super::as_run;
use super::problem::{SceneValidationError, ValidationResult};
use super::run_source;
use carom_io::{
    Error, RunFrameSelector, digest, excerpt, is_results_file, open_regular_file,
    read_results_file, results_path, write_atomically,
};
use std::borrow::Cow;
use std::fs;
use std::io::{self, ErrorKind, Read};
use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use toml::de::{DeTable, DeValue};
use toml::{Spanned, Table, Value};

/// Folder of the copies in a results folder.
const INPUTS: &str = "inputs";
/// Key of a file name, in any table.
const FILE: &str = "file";
const RULE: &str = "the scene of a results folder may name no file outside of it; copy the file there, or \
                    give the scene that was run";

/// Refuses a file that exists, is named in these tables of a scene and leads out of a results folder.
pub(super) fn check_within(run: &Path, tables: &DeTable, names: &[&str]) -> ValidationResult<()> {
    for (name, value) in tables {
        if names.contains(&name.get_ref().as_ref()) {
            check_value(run, value)?;
        }
    }
    Ok(())
}

fn check_value(run: &Path, value: &Spanned<DeValue>) -> ValidationResult<()> {
    match value.get_ref() {
        DeValue::Array(list) => list.iter().try_for_each(|value| check_value(run, value)),
        DeValue::Table(table) => table.iter().try_for_each(|(name, value)| match value.get_ref() {
            DeValue::String(file) if name.get_ref() == FILE => check_file(run, file, value.span()),
            _ => check_value(run, value),
        }),
        _ => Ok(()),
    }
}

fn check_file(run: &Path, file: &str, span: Range<usize>) -> ValidationResult<()> {
    // For a frame of a run the folder counts; reading it reports a frame that does not exist.
    let path = run.join(file);
    let moment = RunFrameSelector::of(&path).ok().flatten();
    match results_path(run, without_moment(file, moment.as_ref(), &path).0) {
        Ok(_) => Ok(()),
        // Reading it reports that it does not exist.
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(_) => Err(SceneValidationError::Value { span, rule: Cow::Borrowed(RULE) }),
    }
}

/// Returns the files that the tables of a scene name.
pub(super) fn named_files(tables: &Table) -> Vec<PathBuf> {
    let mut files = Vec::new();
    tables.values().for_each(|value| put_files(value, &mut files));
    files
}

fn put_files(value: &Value, files: &mut Vec<PathBuf>) {
    match value {
        Value::Array(list) => list.iter().for_each(|value| put_files(value, files)),
        Value::Table(table) => table.iter().for_each(|(name, value)| match value {
            Value::String(file) if name == FILE => files.push(file.into()),
            _ => put_files(value, files),
        }),
        _ => {}
    }
}

/// Copies the files that a scene names into the folder `inputs` of a results folder; returns the scene's text with
/// the names of the copies.
///
/// The name of a copy contains the digest of its bytes, so that a file is copied once and nothing is replaced.
/// Files that lie in the results folder already are named relative to it, and whatever is no regular file stays as
/// it is. Of another run, from which bodies come, only what is needed is copied: its scene, the meshes of its walls,
/// and its checkpoint or the one frame.
///
/// ```
/// # let whole = tempfile::tempdir()?;
/// # let (run, mesh) = (whole.path().join("a.run"), whole.path().join("floor.stl"));
/// # std::fs::create_dir(&run)?;
/// # std::fs::write(&mesh, "solid")?;
/// use carom_scene::scene::copy_inputs;
/// let text = format!("[[walls]]\nkind = 'mesh'\nfile = '{}' # of glass\n", mesh.display());
/// let copied = copy_inputs(&text, &run)?;
/// assert!(copied.starts_with("[[walls]]\nkind = 'mesh'\nfile = \"inputs/floor-"));
/// assert_eq!(copy_inputs(&copied, &run)?, copied);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn copy_inputs(text: &str, run: &Path) -> Result<String, Error> {
    let Ok(mut table) = toml::from_str::<Table>(text) else { return Ok(text.to_owned()) };
    let mut keys = Vec::new();
    for (name, value) in &mut table {
        copy_files(value, name, run, &mut keys)?;
    }
    if keys.is_empty() {
        return Ok(text.to_owned());
    }
    let edited = as_run::edited(text, &table, &keys);
    let written = || toml::to_string(&table).expect("what was read as a table can be written");
    Ok(edited.unwrap_or_else(written))
}

/// Copies the files that a value names and collects the keys of the names that have changed.
fn copy_files(
    value: &mut Value,
    key: &str,
    run: &Path,
    keys: &mut Vec<String>,
) -> Result<(), Error> {
    match value {
        Value::Array(list) => {
            for (index, value) in list.iter_mut().enumerate() {
                copy_files(value, &format!("{key}.{index}"), run, keys)?;
            }
        }
        Value::Table(table) => {
            for (name, value) in table {
                let key = format!("{key}.{name}");
                match value {
                    Value::String(file) if name == FILE => {
                        let copy = copy_of(file, run)?;
                        if let Some(copy) = copy.filter(|copy| copy != file) {
                            *file = copy;
                            keys.push(key);
                        }
                    }
                    _ => copy_files(value, &key, run, keys)?,
                }
            }
        }
        _ => {}
    }
    Ok(())
}

/// Returns the name of a file's copy relative to the results folder; `None` if it cannot be copied.
fn copy_of(file: &str, run: &Path) -> Result<Option<String>, Error> {
    let refuse =
        |source| Error::CannotRead { file: excerpt::escape_control_characters(file), source };
    let path = run.join(file);
    let moment = RunFrameSelector::of(&path)?;
    let (name, which) = without_moment(file, moment.as_ref(), &path);
    if let Some(name) = name_within(run, name) {
        return Ok(Some(name + which));
    }
    if let Some(moment) = &moment {
        return Ok(Some(copy_of_run(moment, run)? + which));
    }
    if !fs::metadata(file).map_err(refuse)?.is_file() {
        return Ok(None);
    }
    let bytes = bytes_of(Path::new(file)).map_err(refuse)?;
    let name = format!("{INPUTS}/{}", copy_name(Path::new(file), digest(&bytes)));
    write_copy(run, &name, &bytes)?;
    Ok(Some(name))
}

/// Splits what a scene writes into the file or run and the suffix that selects a frame, such as `@12`.
fn without_moment<'f>(
    file: &'f str,
    moment: Option<&RunFrameSelector>,
    path: &Path,
) -> (&'f str, &'f str) {
    let which = moment.map_or("", |moment| moment.suffix(path));
    file.split_at(file.len() - which.len())
}

/// Returns the name relative to the results folder of a file that lies in it.
fn name_within(run: &Path, file: &str) -> Option<String> {
    let (path, run) = (results_path(run, file).ok()?, results_path(run, "").ok()?);
    path.strip_prefix(run).ok()?.to_str().map(|name| name.replace('\\', "/"))
}

/// Copies what is needed of another run; returns the name of the new folder.
fn copy_of_run(moment: &RunFrameSelector, run: &Path) -> Result<String, Error> {
    let mut files = Vec::new();
    for name in run_source::files(moment)? {
        let bytes = read_results_file(&moment.folder, &name, u64::MAX)?;
        files.push((name, bytes));
    }
    let sums: Vec<u8> = files.iter().flat_map(|(_, bytes)| digest(bytes).to_le_bytes()).collect();
    let folder = format!("{INPUTS}/{}", copy_name(&moment.folder, digest(&sums)));
    for (name, bytes) in files {
        write_copy(run, Path::new(&folder).join(name), &bytes)?;
    }
    Ok(folder)
}

/// Writes a file into the results folder if it does not exist.
fn write_copy(run: &Path, name: impl AsRef<Path>, bytes: &[u8]) -> Result<(), Error> {
    let name = name.as_ref();
    if is_results_file(run, name)? {
        return Ok(());
    }
    make_folders(run, name.parent().unwrap_or(name))?;
    write_atomically(&run.join(name), |out| out.write_all(bytes))
}

/// Creates folders one by one, so that none is created where a link leads out of the results.
fn make_folders(run: &Path, name: &Path) -> Result<(), Error> {
    let mut folder = PathBuf::new();
    for part in name.components() {
        folder.push(part);
        let path = run.join(&folder);
        let refuse = |source| Error::cannot_write(&path, source);
        if !matches!(part, Component::Normal(_)) {
            return Err(refuse(ErrorKind::InvalidFilename.into()));
        }
        match fs::create_dir(&path) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(refuse(error)),
            _ => results_path(run, &folder).map_err(refuse)?,
        };
    }
    Ok(())
}

fn bytes_of(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_regular_file(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns `floor-0123456789abcdef.stl` for `floor.stl`.
fn copy_name(path: &Path, digest: u64) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    match path.extension() {
        Some(extension) => format!("{stem}-{digest:016x}.{}", extension.to_string_lossy()),
        None => format!("{stem}-{digest:016x}"),
    }
}
