//! A run through `carom view`.

use crate::browser::Browser;
use crate::viewer;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A scene that moves from the first frame on.
const SCENE: &str = "discs";

/// The server ends with this value.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Serves a run of the gallery and looks at it as at any page.
pub fn check(browser: &mut Browser, program: &Path, folder: &Path) -> Result<(), String> {
    let mut server = Command::new(program)
        .args(["view", "--no-browser"])
        .arg(folder.join(format!("gallery/{SCENE}.quick.run")))
        .stdout(Stdio::piped())
        .spawn()
        .map(Server)
        .map_err(|error| format!("{} cannot be started: {error}", program.display()))?;
    let output = server.0.stdout.take().ok_or("carom view has no output")?;
    let lines = BufReader::new(output).lines().map_while(Result::ok);
    let address = lines
        .flat_map(|line| {
            let words = line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            words.into_iter().find(|word| word.starts_with("http://127.0.0.1:"))
        })
        .next();
    let address = address.ok_or("carom view tells no address")?;
    viewer::check(browser, &address, true, &folder.join("served"))
}
