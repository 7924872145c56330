//! Headless Chromium, controlled over its DevTools protocol through a pair of pipes.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Names under which Chromium and its derivatives are installed.
const NAMES: [&str; 5] =
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
/// Pictures are drawn without a graphics card, so that every machine draws the same.
const FLAGS: [&str; 13] = [
    "--headless=new",
    "--remote-debugging-pipe",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--force-device-scale-factor=1",
    "--window-size=900,640",
    "--hide-scrollbars",
    "--no-first-run",
    "--disable-extensions",
    "--disable-background-networking",
    "--disable-dev-shm-usage",
    // Tests run as root in containers, where Chromium's own sandbox cannot start.
    "--no-sandbox",
];
/// Longest time for an answer; a frame drawn by one busy core takes seconds.
const PATIENCE: Duration = Duration::from_secs(120);

/// A browser that ends with this value.
pub struct Browser {
    child: Child,
    input: ChildStdin,
    answers: Receiver<Value>,
    /// Complaints of pages since the last call of [`Browser::take_complaints`].
    complaints: Vec<String>,
    calls: u64,
    /// Session of the one page that is open.
    session: Option<String>,
    _profile: tempfile::TempDir,
}

/// Returns the browser of the environment variable `CHROMIUM`, or the first that is installed.
pub fn installed() -> Option<String> {
    let wanted = std::env::var("CHROMIUM").ok();
    let names = wanted.into_iter().chain(NAMES.map(str::to_owned));
    let runs = |name: &String| {
        let output = Command::new(name).arg("--version").output();
        output.is_ok_and(|output| output.status.success())
    };
    names.into_iter().find(runs)
}

impl Browser {
    /// Starts a browser with an empty profile.
    pub fn start(program: &str) -> Result<Self, String> {
        let profile =
            tempfile::tempdir().map_err(|error| format!("no folder for a profile: {error}"))?;
        // The protocol uses descriptors 3 and 4.
        let mut child = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1", program])
            .args(FLAGS)
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{program} cannot be started: {error}"))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(format!("{program} has no pipes"));
        };
        let (sender, answers) = channel();
        std::thread::spawn(move || {
            for message in BufReader::new(output).split(0).map_while(Result::ok) {
                let parsed = serde_json::from_slice(&message);
                if parsed.is_ok_and(|value: Value| sender.send(value).is_err()) {
                    break;
                }
            }
        });
        let complaints = Vec::new();
        let mut browser = Browser {
            child,
            input,
            answers,
            complaints,
            calls: 0,
            session: None,
            _profile: profile,
        };
        browser.attach()?;
        Ok(browser)
    }

    /// Attaches to the page that is open from the start.
    fn attach(&mut self) -> Result<(), String> {
        let target = self.call("Target.createTarget", json!({ "url": "about:blank" }))?;
        let settings = json!({ "targetId": target["targetId"], "flatten": true });
        let attached = self.call("Target.attachToTarget", settings)?;
        self.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            self.call(&format!("{domain}.enable"), json!({}))?;
        }
        Ok(())
    }

    /// Calls a method of the protocol and waits for its result.
    pub fn call(&mut self, method: &str, parameters: Value) -> Result<Value, String> {
        self.calls += 1;
        let mut message = json!({ "id": self.calls, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            message["sessionId"] = session.as_str().into();
        }
        let written = write!(self.input, "{message}\0").and_then(|()| self.input.flush());
        written.map_err(|error| format!("the browser does not listen to {method}: {error}"))?;
        loop {
            let answer = self.answers.recv_timeout(PATIENCE);
            let answer = answer.map_err(|error| format!("no answer to {method}: {error}"))?;
            if answer["id"] == self.calls {
                return match answer.get("error") {
                    Some(error) => Err(format!("{method}: {error}")),
                    None => Ok(answer["result"].clone()),
                };
            }
            self.complaints.extend(complaint(&answer));
        }
    }

    /// Returns the complaints of pages since the last call: exceptions, blocked or missing resources.
    pub fn take_complaints(&mut self) -> Vec<String> {
        std::mem::take(&mut self.complaints)
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.session = None;
        if self.call("Browser.close", json!({})).is_err() {
            let _ = self.child.kill();
        }
        let _ = self.child.wait();
    }
}

fn complaint(event: &Value) -> Option<String> {
    let parameters = &event["params"];
    match event["method"].as_str()? {
        "Runtime.exceptionThrown" => Some(parameters["exceptionDetails"].to_string()),
        "Log.entryAdded" if parameters["entry"]["level"] == "error" => {
            Some(parameters["entry"].to_string())
        }
        _ => None,
    }
}
