//! Requests to the viewer: malformed, hostile, slow and many. It must keep answering, and show nothing but the run.

use crate::campaign::{Attack, AttackSite};
use crate::outcome::{AttackFinding, AttemptOutcome, AttemptResult};
use crate::program::{Program, ProgramOutput};
use carom_attack::mutation;
use carom_attack::random::AttackRandom;
use std::ffi::OsStr;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::Child;
use std::time::{Duration, Instant};

/// A valid request must be answered by then, whatever others do.
const PATIENCE: Duration = Duration::from_secs(20);
const SECRET: &str = "the-secret-beside-the-run";
const SCENE: &str = "engine = \"event-driven\"\ndimension = 2\nuntil = 0.5\n[[generate]]\nkind = \"random\"\ncount = 30\n\
                     radius = 0.5\npacking_fraction = 0.2\ntemperature = 1.0\n[output]\ninterval = 0.1\n";

/// Requests to one server, which is started once.
#[derive(Debug, Default)]
pub struct Requests {
    server: Option<AttackedServer>,
}

impl Attack for Requests {
    fn name(&self) -> String {
        "requests".into()
    }

    fn attempt_description(&self) -> String {
        "a malformed, hostile or slow request to carom view, then a valid one".into()
    }

    fn attempt(&mut self, random: &mut AttackRandom, site: &AttackSite) -> AttemptResult {
        let found = |sentence: String| {
            AttackFinding::new(sentence, "carom view run --no-browser")
                .with_file("scene.toml", SCENE)
        };
        if self.server.is_none() {
            self.server = Some(AttackedServer::start(&site.program).map_err(found)?);
        }
        let Some(server) = &mut self.server else { return Err(found("no server".into())) };
        let bytes = request(server, random);
        let tried = server.attack(&bytes, random);
        tried.map_err(|sentence| {
            self.server = None;
            found(sentence).with_file("request.bin", bytes)
        })
    }
}

#[derive(Debug)]
struct AttackedServer {
    child: Child,
    output: ProgramOutput,
    address: SocketAddr,
    /// Prefix of every path, such as a token.
    base: String,
    /// Connections that send nothing and are kept open.
    idle: Vec<TcpStream>,
    _folder: tempfile::TempDir,
}

impl Drop for AttackedServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl AttackedServer {
    fn start(program: &Program) -> Result<Self, String> {
        let message = |error: io::Error| error.to_string();
        let folder = tempfile::tempdir().map_err(message)?;
        std::fs::write(folder.path().join("scene.toml"), SCENE).map_err(message)?;
        std::fs::write(folder.path().join("secret.txt"), SECRET).map_err(message)?;
        let words = ["run", "scene.toml", "--out", "run", "--quiet"];
        program.run(folder.path(), "", &words, PATIENCE).map_err(message)?.outcome()?;
        let output = ProgramOutput::new().map_err(message)?;
        let words = ["view", "run", "--no-browser"].map(OsStr::new);
        let child = program.start(folder.path(), "", &words, &output).map_err(message)?;
        let (address, base) = address(output.stdout.path())?;
        Ok(AttackedServer { child, output, address, base, idle: Vec::new(), _folder: folder })
    }

    /// Sends bytes, now and then slowly, and checks the server.
    fn attack(
        &mut self,
        bytes: &[u8],
        random: &mut AttackRandom,
    ) -> Result<AttemptOutcome, String> {
        if random.once_in(50) {
            self.idle.extend(
                (0..random.between(1, 30)).filter_map(|_| TcpStream::connect(self.address).ok()),
            );
        }
        if random.once_in(30) {
            self.idle.clear();
        }
        let pieces = if random.once_in(40) { random.between(2, 5) } else { 1 };
        let answer = exchange(self.address, bytes, pieces).unwrap_or_default();
        let text = String::from_utf8_lossy(&answer);
        if text.contains(SECRET) || text.contains("root:x:0") {
            return Err("a file outside of the run was shown".into());
        }
        self.check()?;
        let status = text.split(' ').nth(1).and_then(|status| status.parse::<u16>().ok());
        Ok(match status {
            Some(200..=299) => AttemptOutcome::Accepted,
            Some(500) => AttemptOutcome::Failed,
            Some(503) => AttemptOutcome::Stopped,
            _ => AttemptOutcome::Refused,
        })
    }

    /// Returns an error unless it runs, has reported no panic, and answers a browser.
    fn check(&mut self) -> Result<(), String> {
        if let Some(status) = self.child.try_wait().map_err(|error| error.to_string())? {
            return Err(format!("the server ended with {status}"));
        }
        let stderr = std::fs::read_to_string(self.output.stderr.path()).unwrap_or_default();
        if stderr.contains("panicked") {
            return Err(format!("it panicked: {stderr}"));
        }
        let request = format!("GET {} HTTP/1.1\r\nHost: {}\r\n\r\n", self.base, self.address);
        let end = Instant::now() + PATIENCE;
        loop {
            let answer = exchange(self.address, request.as_bytes(), 1).unwrap_or_default();
            match answer.starts_with(b"HTTP/1.1 200") || answer.starts_with(b"HTTP/1.1 30") {
                true => return Ok(()),
                // With many idle connections it may answer that it is busy.
                false if Instant::now() < end => std::thread::sleep(Duration::from_millis(50)),
                false => {
                    return Err(format!(
                        "a valid request was not answered in {PATIENCE:?}: {}",
                        String::from_utf8_lossy(&answer)
                    ));
                }
            }
        }
    }
}

/// The address that the program prints when it serves.
fn address(path: &Path) -> Result<(SocketAddr, String), String> {
    let end = Instant::now() + PATIENCE;
    while Instant::now() < end {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        if let Some(line) =
            text.split_inclusive('\n').find(|line| line.ends_with('\n') && line.contains("http://"))
        {
            let rest = line.split("http://").nth(1).unwrap_or_default();
            let rest = rest.split_whitespace().next().unwrap_or_default();
            let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
            let address = host.parse().map_err(|_| format!("no address in {line:?}"))?;
            return Ok((address, format!("/{path}")));
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    Err("it printed no address".into())
}

/// Sends bytes in pieces and reads the answer.
fn exchange(address: SocketAddr, bytes: &[u8], pieces: usize) -> io::Result<Vec<u8>> {
    let mut client = TcpStream::connect_timeout(&address, PATIENCE)?;
    client.set_read_timeout(Some(PATIENCE))?;
    client.set_write_timeout(Some(PATIENCE))?;
    for piece in bytes.chunks(bytes.len().div_ceil(pieces).max(1)) {
        client.write_all(piece)?;
        if pieces > 1 {
            std::thread::sleep(Duration::from_millis(30));
        }
    }
    client.shutdown(std::net::Shutdown::Write)?;
    let mut answer = Vec::new();
    client.take(1 << 22).read_to_end(&mut answer)?;
    Ok(answer)
}

const PATHS: [&str; 29] = [
    "",
    "viewer.js",
    "style.css",
    "run.json",
    "shapes.json",
    "overlay/delaunay/0",
    "overlay/none/0",
    "manifest",
    "manifest.json",
    "frame/0",
    "frame/1",
    "frame/99999999999999999999",
    "frame/-1",
    "frame/0x1",
    "log",
    "log.csv",
    "overlay/0",
    "overlay/voronoi/1",
    "../secret.txt",
    "..%2fsecret.txt",
    "%2e%2e/secret.txt",
    "/etc/passwd",
    "....//secret.txt",
    "scene.toml",
    "checkpoint.bin",
    "page/main.js",
    "main.js",
    "viewer.css",
    "\\..\\secret.txt",
];

fn request(server: &AttackedServer, random: &mut AttackRandom) -> Vec<u8> {
    let base = match random.below(3) {
        0 => "/".to_owned(),
        _ => server.base.clone(),
    };
    let path = random.choose(&PATHS);
    let method = random
        .choose(&["GET", "GET", "GET", "HEAD", "POST", "OPTIONS", "PUT", "get", "", "CONNECT"]);
    let version = random.choose(&["HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/2", "HTTP/9.9", ""]);
    let host = match random.below(6) {
        0 => "evil.example".to_owned(),
        1 => "127.0.0.1".to_owned(),
        _ => server.address.to_string(),
    };
    let more = match random.below(6) {
        0 => "Range: bytes=0-99999999999999999999\r\n".to_owned(),
        1 => "Content-Length: 18446744073709551615\r\n".to_owned(),
        2 => "Transfer-Encoding: chunked\r\n".to_owned(),
        3 => format!("X: {}\r\n", "y".repeat(random.between(1, 40_000))),
        _ => "If-None-Match: \"x\"\r\nAccept-Encoding: gzip\r\nOrigin: http://evil.example\r\n"
            .to_owned(),
    };
    let whole =
        format!("{method} {base}{path} {version}\r\nHost: {host}\r\n{more}\r\n").into_bytes();
    match random.below(3) {
        0 => mutation::text(&whole, &[], random),
        1 => mutation::binary(&whole, &[], random),
        _ => whole,
    }
}
