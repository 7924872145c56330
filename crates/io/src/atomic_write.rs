//! Atomic writing: a file is replaced as a whole or not at all.

use crate::Error;
use crate::excerpt;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

/// Writes a file so that its name never shows half of it.
///
/// The bytes are written to a hidden file in the same folder, which is renamed only when all is on the disk; the
/// folder is synchronized too. On any failure the old file stays as it was. The permissions of the old file are kept,
/// a symbolic link is followed, and what is no regular file (a pipe, `/dev/null`, `/dev/stdout`) is written directly.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("greeting.txt");
/// use carom_io::write_atomically;
/// write_atomically(&path, |out| out.write_all(b"hello"))?;
/// assert_eq!(std::fs::read(&path)?, b"hello");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_atomically(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Error> {
    let result = match WriteTarget::of(path) {
        Ok(WriteTarget::StandardOutput) => write_through(io::stdout().lock(), write),
        Ok(WriteTarget::Stream) => append(path, write),
        Ok(WriteTarget::File { path, permissions }) => write_and_rename(&path, permissions, write),
        Err(error) => Err(error),
    };
    result.map_err(|source| {
        let file = excerpt::file_name(path);
        match source.kind() {
            ErrorKind::BrokenPipe => Error::BrokenPipe { file },
            _ => Error::CannotWrite { file, source },
        }
    })
}

/// The kind of file at a path.
enum WriteTarget {
    /// Our standard output, under one of its names in the file system.
    StandardOutput,
    /// A pipe or a device.
    Stream,
    File {
        /// End of the chain of symbolic links.
        path: PathBuf,
        /// Permissions of the existing file.
        permissions: Option<Permissions>,
    },
}

impl WriteTarget {
    fn of(path: &Path) -> io::Result<Self> {
        if is_standard_output(path) {
            return Ok(WriteTarget::StandardOutput);
        }
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => Err(ErrorKind::IsADirectory.into()),
            Ok(found) if !found.is_file() => Ok(WriteTarget::Stream),
            Ok(found) => {
                // A rename needs no write permission for the old file; require it all the same.
                OpenOptions::new().write(true).open(path)?;
                let path = fs::canonicalize(path)?;
                Ok(WriteTarget::File { path, permissions: Some(found.permissions()) })
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                Ok(WriteTarget::File { path: follow_links(path)?, permissions: None })
            }
            Err(error) => Err(error),
        }
    }
}

/// Whether a path names standard output. It may lead to a regular file that others write too, such as one the shell
/// opened with `>`; that file must be neither replaced nor opened a second time.
fn is_standard_output(path: &Path) -> bool {
    let names = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];
    names.iter().any(|name| path == Path::new(name))
}

/// Returns the end of a chain of links whose end does not exist.
fn follow_links(path: &Path) -> io::Result<PathBuf> {
    const LONGEST_CHAIN: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..LONGEST_CHAIN {
        match fs::read_link(&path) {
            Ok(leads_to) => path = folder_of(&path).join(leads_to),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("its symbolic links lead in a circle"))
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

fn append(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    write_through(OpenOptions::new().append(true).open(path)?, write)
}

fn write_through(
    stream: impl Write,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut out = BufWriter::new(stream);
    write(&mut out)?;
    out.flush()
}

fn write_and_rename(
    target: &Path,
    permissions: Option<Permissions>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    if target.file_name().is_none() {
        return Err(ErrorKind::IsADirectory.into());
    }
    let (partial, file) = PartialFile::create_in(folder_of(target))?;
    if let Some(permissions) = permissions {
        file.set_permissions(permissions)?;
    }
    let mut out = BufWriter::new(file);
    write(&mut out)?;
    let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    // Some file systems report only here that the disk is full.
    file.sync_all()?;
    fs::rename(&partial.path, target)?;
    sync_folder(folder_of(target));
    Ok(())
}

/// Waits until the names in a folder are on the disk, so that a rename survives a loss of power. Where folders cannot
/// be synchronized, the system writes them in its own time.
fn sync_folder(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

/// Paths of the files being written at present.
static PARTIAL_FILES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn partial_files() -> MutexGuard<'static, Vec<PathBuf>> {
    PARTIAL_FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes what [`write_atomically`] has begun and not finished; for a program about to end in the middle of it, at a
/// signal for example.
///
/// Allocates no memory, and waits at most a second for a thread that is just beginning a file.
pub fn remove_partial_files() {
    for _ in 0..1000 {
        match PARTIAL_FILES.try_lock() {
            Ok(mut partial_files) => return partial_files.drain(..).for_each(remove),
            Err(TryLockError::Poisoned(error)) => {
                return error.into_inner().drain(..).for_each(remove);
            }
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(1)),
        }
    }
}

fn remove(path: PathBuf) {
    let _ = fs::remove_file(&path);
    // The program is about to end, perhaps for lack of memory: the allocator is not called.
    std::mem::forget(path);
}

/// A file that is removed with this value; after it is renamed there is nothing left to remove.
struct PartialFile {
    path: PathBuf,
}

impl PartialFile {
    fn create_in(folder: &Path) -> io::Result<(Self, File)> {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = folder.join(format!(".carom-{}-{number}.partial", std::process::id()));
            // All memory is allocated before the file exists, and none while others wait for the list.
            let (kept, mut longer) = (path.clone(), Vec::with_capacity(partial_files().len() + 8));
            let mut partial_files = partial_files();
            if partial_files.len() == partial_files.capacity() {
                longer.append(&mut partial_files);
                std::mem::swap(&mut longer, &mut *partial_files);
            }
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                // Left behind by an earlier process that happened to have our id.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(error),
                Ok(file) => {
                    partial_files.push(kept);
                    return Ok((PartialFile { path }, file));
                }
            }
        }
    }
}

impl Drop for PartialFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
        partial_files().retain(|path| *path != self.path);
    }
}

#[cfg(test)]
mod tests;
