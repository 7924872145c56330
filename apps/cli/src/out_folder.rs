//! The folder that `--out` names.

use crate::failure::CommandFailure;
use carom::io::Error;
use std::path::Path;

/// Creates a folder and its parents, unless it exists.
pub fn make(folder: &Path) -> Result<(), CommandFailure> {
    if folder.is_file() {
        let folder = folder.display();
        return Err(CommandFailure::input(format!("{folder} is a file; name a folder by --out")));
    }
    std::fs::create_dir_all(folder).map_err(|source| Error::cannot_write(folder, source).into())
}
