//! Regular files, opened so that nothing keeps the program waiting or leads it elsewhere.
//!
//! Opening a pipe waits for its writer, and a device may never end. A results folder may come from somebody else: a
//! symbolic link in it could lead to any file of the reader, whose contents would then be shown or quoted in a message.
//! Hence all files of a results folder are opened by [`open_results_file`].

use crate::{Error, excerpt};
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// Opens a regular file for reading; symbolic links are followed.
///
/// # Errors
///
/// For pipes, devices, sockets and folders, without waiting.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("scene.toml");
/// # std::fs::write(&path, "seed = 1")?;
/// use carom_io::open_regular_file;
/// assert_eq!(std::io::read_to_string(open_regular_file(&path)?)?, "seed = 1");
/// assert!(open_regular_file(folder.path()).is_err());
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn open_regular_file(path: &Path) -> io::Result<File> {
    open_regular(path, OpenOptions::new().read(true))
}

/// Opens a regular file of a results folder for reading; `name` is its path relative to the folder, such as `log.csv`.
///
/// # Errors
///
/// For symbolic links that lead out of the folder (links within it and to the folder itself are allowed), and for
/// pipes, devices, sockets and folders, without waiting.
///
/// ```
/// # let run = tempfile::tempdir()?;
/// use carom_io::open_results_file;
/// std::fs::write(run.path().join("log.csv"), "time\n")?;
/// assert_eq!(std::io::read_to_string(open_results_file(run.path(), "log.csv")?)?, "time\n");
/// let error = open_results_file(run.path(), "..").unwrap_err();
/// assert_eq!(error.to_string(), "it lies outside of the results folder");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn open_results_file(folder: &Path, name: impl AsRef<Path>) -> io::Result<File> {
    open_results_file_with(folder, name, OpenOptions::new().read(true))
}

/// As [`open_results_file`] with other options, to append for example.
pub fn open_results_file_with(
    folder: &Path,
    name: impl AsRef<Path>,
    options: &mut OpenOptions,
) -> io::Result<File> {
    open_regular(&results_path(folder, name)?, options)
}

/// Returns at most `most` bytes of a regular file of a results folder; errors as of [`open_results_file`].
pub fn read_results_file(
    folder: &Path,
    name: impl AsRef<Path>,
    most: u64,
) -> Result<Vec<u8>, Error> {
    let read = || {
        let mut bytes = Vec::new();
        open_results_file(folder, &name)?.take(most).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    read().map_err(|source| {
        let file = excerpt::file_name(&folder.join(name.as_ref()));
        Error::CannotRead { file, source }
    })
}

/// Whether a results folder has a file of this name; an error if it is one that [`open_results_file`] refuses.
pub fn is_results_file(folder: &Path, name: impl AsRef<Path>) -> Result<bool, Error> {
    let regular = || check_regular(&fs::metadata(results_path(folder, &name)?)?);
    match regular() {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(source) => {
            let file = excerpt::file_name(&folder.join(name.as_ref()));
            Err(Error::CannotRead { file, source })
        }
    }
}

/// Returns the path of a file or folder of a results folder, with all symbolic links resolved; an error if that is
/// outside of it.
pub fn results_path(folder: &Path, name: impl AsRef<Path>) -> io::Result<PathBuf> {
    // The folder of a bare file name is "".
    let folder = if folder == Path::new("") { Path::new(".") } else { folder };
    let path = folder.join(name);
    let is_link = fs::symlink_metadata(&path)?.is_symlink();
    let inside = fs::canonicalize(folder)?;
    // The message must not reveal where a link leads, nor whether something exists there.
    match fs::canonicalize(&path) {
        Ok(path) if path.starts_with(&inside) => Ok(path),
        Ok(_) | Err(_) if is_link => {
            refuse("it is a symbolic link that leads out of the results folder")
        }
        Ok(_) => refuse("it lies outside of the results folder"),
        Err(error) => Err(error),
    }
}

fn open_regular(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    // Before it is opened: opening alone has an effect on some devices.
    check_regular(&fs::metadata(path)?)?;
    let file = without_waiting(options).open(path)?;
    // Another file may have taken its place meanwhile.
    check_regular(&file.metadata()?)?;
    Ok(file)
}

fn check_regular(found: &Metadata) -> io::Result<()> {
    match () {
        () if found.is_dir() => Err(ErrorKind::IsADirectory.into()),
        () if !found.is_file() => refuse("it is not a regular file"),
        () => Ok(()),
    }
}

/// Opens pipes at once, whether or not somebody writes; regular files are not affected.
#[cfg(unix)]
fn without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    std::os::unix::fs::OpenOptionsExt::custom_flags(options, libc::O_NONBLOCK)
}

#[cfg(not(unix))]
fn without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

fn refuse<T>(reason: &str) -> io::Result<T> {
    Err(io::Error::new(ErrorKind::InvalidInput, reason))
}

#[cfg(test)]
mod tests;
