use super::*;
use crate::tests::{Contents, Results, SCENE, scattered};
use carom::scene::files::{FrameFormat, FrameSeries};
use std::fs;

struct Served {
    server: Server,
    results: Results,
}

fn served() -> Served {
    let frames = [scattered::<3>(30, 0.0), scattered(30, 1.0)];
    let results = Results::new(SCENE, &frames, &[FrameFormat::Vtk]);
    fs::write(results.path().join("secret.txt"), "secret").unwrap();
    let server = Server::start(results.open(), 0).unwrap();
    Served { server, results }
}

impl Served {
    fn connect(&self) -> TcpStream {
        let client = TcpStream::connect(self.server.address).unwrap();
        client.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        client
    }

    /// Everything that comes back for some bytes.
    fn say(&self, bytes: &[u8]) -> Vec<u8> {
        let mut client = self.connect();
        // The server may have heard enough before the end.
        let _ = client.write_all(bytes);
        let mut answer = Vec::new();
        let _ = client.read_to_end(&mut answer);
        answer
    }

    fn host(&self) -> String {
        format!("Host: 127.0.0.1:{}", self.server.address.port())
    }

    fn get(&self, path: &str) -> (u16, String, Vec<u8>) {
        parted(&self.say(format!("GET {path} HTTP/1.1\r\n{}\r\n\r\n", self.host()).as_bytes()))
    }

    fn status(&self, request: &[u8]) -> u16 {
        parted(&self.say(request)).0
    }
}

/// Status, head and body of an answer.
fn parted(answer: &[u8]) -> (u16, String, Vec<u8>) {
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").expect("a head") + 4;
    let head = String::from_utf8(answer[..end].to_vec()).unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    let length = head.split("Content-Length: ").nth(1).unwrap().split('\r').next().unwrap();
    let body = answer[end..].to_vec();
    if !body.is_empty() {
        assert_eq!(body.len().to_string(), length);
    }
    (status, head, body)
}

#[test]
fn a_page_gets_what_it_asks_for_under_a_policy() {
    let served = served();
    for (path, kind) in [
        ("/", "text/html; charset=utf-8"),
        ("/?frame=1&still=1", "text/html; charset=utf-8"),
        ("/viewer.js", "text/javascript; charset=utf-8"),
        ("/style.css", "text/css; charset=utf-8"),
        ("/run.json", "application/json"),
        ("/shapes.json", "application/json"),
        ("/frame/1", "application/octet-stream"),
        ("/overlay/delaunay/0", "application/octet-stream"),
    ] {
        let (status, head, body) = served.get(path);
        assert_eq!(status, 200, "{path}");
        assert!(!body.is_empty() && head.contains(&format!("Content-Type: {kind}\r\n")), "{head}");
        assert!(head.contains("Content-Security-Policy: default-src 'none'; script-src 'self';"));
        assert!(head.contains("X-Content-Type-Options: nosniff\r\n"));
        assert!(head.contains("Cache-Control: no-store\r\n"));
    }
    assert_eq!(Contents::of(&served.get("/frame/1").2).head["time"], 1.0);
    let told: serde_json::Value = serde_json::from_slice(&served.get("/run.json").2).unwrap();
    assert_eq!(told["frames"].as_array().unwrap().len(), 2);
    assert_eq!(served.get("/log.csv").0, 404);
    fs::write(served.results.path().join("log.csv"), "time\n0\n").unwrap();
    assert_eq!(served.get("/log.csv").2, b"time\n0\n");
}

#[test]
fn nothing_but_the_run_is_served() {
    let served = served();
    for path in [
        "/secret.txt",
        "/../secret.txt",
        "/frames/frame_000000.vtp",
        "/scene.toml",
        "//",
        "/frame/",
        "/frame/2",
        "/frame/-1",
        "/frame/+1",
        "/frame/0x1",
        "/frame/1/",
        "/frame/1/../../secret.txt",
        "/frame/%2e%2e",
        "/frame/99999999999999999999",
        "/frame/999999999",
        "/overlay/delaunay",
        "/overlay/../0",
        "/overlay/delaunay/..%2f..%2fsecret.txt",
        "/overlay/none/0",
        "..",
        "",
        "/./run.json",
        "http://127.0.0.1/run.json",
        "/RUN.JSON",
        "/run.json/",
        "*",
        "\\",
        "/frame/\u{661}",
    ] {
        let (status, _, body) = served.get(path);
        let is_refused = status == 404 || status == 400 && path.is_empty();
        assert!(is_refused, "{path}: {status} {}", String::from_utf8_lossy(&body));
        assert!(!String::from_utf8_lossy(&body).contains("secret"));
    }
    let (_, _, body) = served.get("/frame/2");
    assert_eq!(body, b"there is no frame 2; the run has 2, from 0\n");
}

#[test]
fn bad_requests_get_a_status_and_the_server_goes_on() {
    let served = served();
    let host = served.host();
    let request = |line: &str, head: &str| format!("{line}\r\n{head}\r\n\r\n").into_bytes();
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "get"] {
        let (status, head, _) =
            parted(&served.say(&request(&format!("{method} / HTTP/1.1"), &host)));
        assert_eq!(status, 405, "{method}");
        assert!(head.contains("Allow: GET, HEAD\r\n"));
    }
    let port = served.server.address.port();
    for other in [
        "Host: evil.example".to_owned(),
        format!("Host: evil.example:{port}"),
        "Host: 127.0.0.1".to_owned(),
        format!("Host: 127.0.0.1:{port}.evil.example"),
        format!("{host}\r\nHost: evil.example"),
        "Host:".to_owned(),
        format!("Host: [::1]:{port}"),
        "Host: 127.0.0.1:1".to_owned(),
    ] {
        assert_eq!(served.status(&request("GET /run.json HTTP/1.1", &other)), 403, "{other}");
    }
    let local = format!("host:LOCALHOST:{port}");
    assert_eq!(served.status(&request("GET / HTTP/1.1", &local)), 200);
    assert_eq!(served.status(&request("GET / HTTP/1.1", "Accept: */*")), 400);
    assert_eq!(served.status(&request("GET / HTTP/2", &host)), 505);
    assert_eq!(served.status(&request("GET /", &host)), 400);
    assert_eq!(served.status(&request("", &host)), 400);
    assert_eq!(served.status(&request("GET  / HTTP/1.1", &host)), 400);
    assert_eq!(served.status(b"\xff\xfe\x00 / HTTP/1.1\r\nHost: x\r\n\r\n"), 400);
    assert_eq!(
        served.status(&request("GET / HTTP/1.1", &format!("{host}\r\nX: {}", "a".repeat(20_000)))),
        431
    );
    assert_eq!(served.status(&vec![b'a'; 1 << 20]), 431);
    // Half a request, and none.
    let mut half = served.connect();
    half.write_all(b"GET / HT").unwrap();
    half.shutdown(Shutdown::Write).unwrap();
    let mut answer = Vec::new();
    half.read_to_end(&mut answer).unwrap();
    assert_eq!(parted(&answer).0, 400);
    drop(served.connect());
    assert_eq!(served.get("/run.json").0, 200);
}

#[test]
fn a_head_has_no_body() {
    let served = served();
    let answer =
        served.say(format!("HEAD /style.css HTTP/1.1\r\n{}\r\n\r\n", served.host()).as_bytes());
    let (status, head, body) = parted(&answer);
    assert_eq!((status, body.len()), (200, 0));
    assert!(head.contains(&format!("Content-Length: {}\r\n", crate::page::STYLE.len())));
}

#[test]
fn slow_clients_keep_nobody_waiting() {
    let served = served();
    let mut slow: Vec<TcpStream> = (0..MOST_CONNECTIONS - 4).map(|_| served.connect()).collect();
    for client in &mut slow {
        client.write_all(b"GET /").unwrap();
    }
    let start = Instant::now();
    assert_eq!(served.get("/frame/0").0, 200);
    assert!(start.elapsed() < PATIENCE, "{:?}", start.elapsed());
    // One that drips on and one that never reads are given up too.
    let mut answer = Vec::new();
    slow[0].write_all(b"f").unwrap();
    slow[0].read_to_end(&mut answer).unwrap();
    assert_eq!(parted(&answer).0, 408);
    assert!(start.elapsed() < 3 * PATIENCE);
}

#[test]
fn too_many_clients_are_told_and_others_come_back_later() {
    let served = served();
    let crowd: Vec<TcpStream> = (0..3 * MOST_CONNECTIONS).map(|_| served.connect()).collect();
    drop(crowd);
    let end = Instant::now() + 4 * PATIENCE;
    let request = format!("GET / HTTP/1.1\r\n{}\r\n\r\n", served.host());
    let is_served = || served.say(request.as_bytes()).starts_with(b"HTTP/1.1 200");
    while !is_served() {
        assert!(Instant::now() < end, "the server has recovered");
        thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_damaged_frame_is_a_sentence_and_a_status() {
    let served = served();
    fs::write(served.results.frame("frame_000001.vtp"), "<?xml").unwrap();
    let (status, head, body) = served.get("/frame/1");
    assert_eq!(status, 422);
    assert!(head.contains("Content-Type: text/plain; charset=utf-8"));
    let sentence = String::from_utf8(body).unwrap();
    assert!(sentence.contains("frame_000001.vtp is cut short"), "{sentence}");
    assert_eq!(served.get("/frame/0").0, 200);
    assert!(String::from_utf8(served.get("/run.json").2).unwrap().contains("cut short"));
    // Mended, it is shown.
    fs::copy(served.results.frame("frame_000000.vtp"), served.results.frame("frame_000001.vtp"))
        .unwrap();
    assert_eq!(served.get("/frame/1").0, 200);
}

#[test]
fn a_run_that_is_made_anew_is_another_edition() {
    let served = served();
    let told =
        || -> serde_json::Value { serde_json::from_slice(&served.get("/run.json").2).unwrap() };
    assert_eq!(told()["edition"], 0);
    let path = served.results.path();
    fs::remove_dir_all(path.join("frames")).unwrap();
    // As long as there is no frame of the new one, the old one has none.
    fs::write(path.join("scene.toml"), SCENE.replace("size = 10", "size = 12")).unwrap();
    let between = told();
    assert_eq!((&between["edition"], &between["frames"]), (&0.into(), &serde_json::json!([])));
    let mut series = FrameSeries::create(&path, &[FrameFormat::Vtk]).unwrap();
    series.write(&scattered::<3>(7, 0.25)).unwrap();
    let after = told();
    assert_eq!(after["edition"], 1);
    assert_eq!(after["box"]["high"][0], 12.0);
    assert_eq!(after["frames"], serde_json::json!([{ "time": 0.25, "bodies": 7 }]));
    assert_eq!(Contents::of(&served.get("/frame/0").2).head["bodies"], 7);
    assert_eq!(told()["edition"], 1);
}

#[test]
fn only_this_machine_can_reach_it_and_a_port_in_use_is_refused() {
    let served = served();
    assert!(served.server.address.ip().is_loopback());
    assert!(served.server.address().starts_with("http://127.0.0.1:"));
    let port = served.server.address.port();
    let message = Server::start(served.results.open(), port).unwrap_err().to_string();
    assert!(message.contains(&format!("127.0.0.1:{port} cannot be listened at")), "{message}");
    let address = served.server.address;
    drop(served.server);
    let end = Instant::now() + PATIENCE;
    while TcpStream::connect(address).is_ok() {
        assert!(Instant::now() < end, "the server has stopped");
        thread::sleep(Duration::from_millis(20));
    }
}
