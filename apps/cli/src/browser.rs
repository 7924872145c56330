//! The user's own browser.

#[cfg(not(any(target_os = "macos", windows)))]
use std::env;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Whatever finds no browser says so within this time.
const PATIENCE: Duration = Duration::from_millis(500);

/// Opens an address in the browser; false if there is none to be seen, or nothing that could open it.
pub fn open(address: &str) -> bool {
    let Some(mut command) = opener() else { return false };
    command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let Ok(mut child) = command.spawn() else { return false };
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        match child.try_wait() {
            Ok(Some(status)) => return status.success(),
            _ => std::thread::sleep(PATIENCE / 25),
        }
    }
    // Some stay as long as the browser does; whoever waits for them must not be this program.
    std::thread::spawn(move || child.wait());
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
