//! Runs through `carom view`: one that has ended, and one in progress that is then replaced.

use crate::browser::Browser;
use crate::viewer;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A scene that moves from the first frame on.
const SCENE: &str = "discs";

/// Discs that collide for longer than anybody looks.
const ENDLESS: &str = "engine = 'event-driven'\ndimension = 2\nuntil = 1e7\nbox.size = 20\n\
    output.interval = 300\noutput.picture = false\n\
    [[generate]]\nkind = 'random'\ncount = 50\nradius = 0.5\ntemperature = 1\n";

/// A program that ends with this value.
struct ChildProcess(Child);

impl Drop for ChildProcess {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn start(command: &mut Command) -> Result<ChildProcess, String> {
    let shown = format!("{command:?}");
    let child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    child.map(ChildProcess).map_err(|error| format!("{shown} cannot be started: {error}"))
}

/// Serves the run in a folder; returns its address too.
fn serve(program: &Path, run: &Path) -> Result<(ChildProcess, String), String> {
    let mut server = start(Command::new(program).args(["view", "--no-browser"]).arg(run))?;
    let output = server.0.stdout.take().ok_or("carom view has no output")?;
    let mut lines = BufReader::new(output).lines().map_while(Result::ok);
    let address = lines.find(|line| line.starts_with("http://127.0.0.1:"));
    Ok((server, address.ok_or("carom view prints no address")?))
}

/// Serves a run of the gallery and checks it as any page.
pub fn check(browser: &mut Browser, program: &Path, folder: &Path) -> Result<(), String> {
    let run = folder.join(format!("gallery/{SCENE}.quick.run"));
    let (_server, address) = serve(program, &run)?;
    viewer::check(browser, &address, true, &folder.join("served"))
}

/// Checks that a page grows with its run, reports that it was stopped, and shows the one that takes its place.
pub fn check_following(browser: &mut Browser, program: &Path, folder: &Path) -> Result<(), String> {
    let (scene, run) = (folder.join("endless.toml"), folder.join("endless.run"));
    std::fs::write(&scene, ENDLESS)
        .map_err(|error| format!("{} cannot be written: {error}", scene.display()))?;
    let simulate = |more: &[&str]| {
        start(Command::new(program).arg("run").arg(&scene).arg("--out").arg(&run).args(more))
    };
    let running = simulate(&[])?;
    wait_for_file(&run.join("frames/frame_000001.vtp"))?;
    let (_server, address) = serve(program, &run)?;
    browser.open(&address)?;
    browser.wait_for("document.documentElement.dataset.done === '1'")?;
    let known = browser.value("carom.state().frames")?;
    browser.wait_for(&format!("carom.state().frames > {known}"))?;
    let says =
        |text: &str| format!("document.getElementById('facts').textContent.includes('{text}')");
    browser.wait_for(&says("still running"))?;
    drop(running);
    browser.wait_for(&format!("!({})", says("still running")))?;
    let mut again = simulate(&["--force", "--set", "generate.0.count=60", "--until", "600"])?;
    again.0.wait().map_err(|error| format!("carom run is lost: {error}"))?;
    // The page polls by itself.
    browser.wait_for("window.carom?.state?.().frames === 3")?;
    browser.wait_for(&says("60 bodies"))?;
    viewer::nothing_is_wrong(browser)
}

/// Waits until a run has written a file.
fn wait_for_file(path: &Path) -> Result<(), String> {
    for _ in 0..600 {
        if path.exists() {
            return Ok(());
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    Err(format!("{} does not come", path.display()))
}
