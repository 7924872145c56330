//! Opens the user's browser.

#[cfg(not(any(target_os = "macos", windows)))]
use std::env;
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::NamedTempFile;

/// Time within which a failing opener has exited.
const PATIENCE: Duration = Duration::from_millis(500);

/// A page that redirects a browser to an address with a token. Everybody on the machine sees the arguments of programs,
/// so the address must not be one; only the user may read the file, which is removed with this value.
pub struct RedirectPage {
    file: NamedTempFile,
}

impl RedirectPage {
    /// Creates the page; `address` must need no escapes in HTML.
    pub fn new(address: &str) -> io::Result<Self> {
        let mut file = tempfile::Builder::new().prefix("carom-view-").suffix(".html").tempfile()?;
        write!(
            file,
            "<!doctype html>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"refresh\" content=\"0; url={address}\">\n\
             <title>carom view</title>\n<a href=\"{address}\">carom view</a>\n"
        )?;
        Ok(RedirectPage { file })
    }

    /// Opens the page in the browser; false if there is no display, or nothing that could open it.
    pub fn open(&self) -> bool {
        open(self.file.path())
    }
}

fn open(page: &Path) -> bool {
    let Some(mut command) = opener() else { return false };
    command.arg(page).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let Ok(mut child) = command.spawn() else { return false };
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        match child.try_wait() {
            Ok(Some(status)) => return status.success(),
            _ => std::thread::sleep(PATIENCE / 25),
        }
    }
    // Some openers run as long as the browser; a thread waits for them. If none can be started, the child stays a
    // zombie until this program ends.
    let _ = std::thread::Builder::new().spawn(move || child.wait());
    true
}

#[cfg(target_os = "macos")]
fn opener() -> Option<Command> {
    Some(Command::new("open"))
}

#[cfg(windows)]
fn opener() -> Option<Command> {
    let mut command = Command::new("cmd");
    command.args(["/C", "start", ""]);
    Some(command)
}

#[cfg(not(any(target_os = "macos", windows)))]
fn opener() -> Option<Command> {
    let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    let has_display = ["DISPLAY", "WAYLAND_DISPLAY"].into_iter().any(is_set);
    has_display.then(|| Command::new("xdg-open"))
}
