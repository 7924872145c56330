use super::*;
use crate::tests::{ContainerContents, ResultsFixture, SCENE, scattered};
use carom::io::{FrameFormat, FrameSeries};
use std::fs;

struct ServedRun {
    server: Server,
    results: ResultsFixture,
}

fn served() -> ServedRun {
    let frames = [scattered::<3>(30, 0.0), scattered(30, 1.0)];
    let results = ResultsFixture::new(SCENE, &frames, &[FrameFormat::Vtk]);
    fs::write(results.path().join("secret.txt"), "secret").unwrap();
    let server = Server::start(results.open(), 0).unwrap();
    ServedRun { server, results }
}

impl ServedRun {
    fn connect(&self) -> TcpStream {
        let client = TcpStream::connect(self.server.address).unwrap();
        client.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        client
    }

    /// The complete response to some bytes.
    fn say(&self, bytes: &[u8]) -> Vec<u8> {
        let mut client = self.connect();
        // The server may respond before it has read everything.
        let _ = client.write_all(bytes);
        let mut answer = Vec::new();
        let _ = client.read_to_end(&mut answer);
        answer
    }

    fn host(&self) -> String {
        format!("Host: 127.0.0.1:{}", self.server.address.port())
    }

    /// The request of a browser that has the complete address.
    fn head(&self) -> String {
        format!("{}\r\nX-Carom-Token: {}", self.host(), self.server.token.as_str())
    }

    fn get(&self, path: &str) -> (u16, String, Vec<u8>) {
        parted(&self.say(format!("GET {path} HTTP/1.1\r\n{}\r\n\r\n", self.head()).as_bytes()))
    }

    fn status(&self, request: &[u8]) -> u16 {
        parted(&self.say(request)).0
    }
}

/// Status, head and body of a response.
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
    assert_eq!(ContainerContents::of(&served.get("/frame/1").2).head["time"], 1.0);
    let json: serde_json::Value = serde_json::from_slice(&served.get("/run.json").2).unwrap();
    assert_eq!(json["frames"].as_array().unwrap().len(), 2);
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
fn bad_requests_get_a_status_and_the_server_continues() {
    let served = served();
    let host = served.head();
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
    let local = format!("{}\r\nX: 1", host.replace("Host: 127.0.0.1", "host:LOCALHOST"));
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
    // Half of a request, and an empty one.
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
        served.say(format!("HEAD /style.css HTTP/1.1\r\n{}\r\n\r\n", served.head()).as_bytes());
    let (status, head, body) = parted(&answer);
    assert_eq!((status, body.len()), (200, 0));
    assert!(head.contains(&format!("Content-Length: {}\r\n", crate::page::STYLE.len())));
}

#[test]
fn nothing_of_the_run_is_sent_without_the_token() {
    let served = served();
    fs::write(served.results.path().join("log.csv"), "time\n0\n").unwrap();
    let (host, token) = (served.host(), served.server.token.as_str());
    let paths =
        ["/", "/run.json", "/shapes.json", "/log.csv", "/frame/0", "/overlay/delaunay/0", "/none"];
    let get = |path: &str, head: &str| {
        parted(&served.say(format!("GET {path} HTTP/1.1\r\n{head}\r\n\r\n").as_bytes()))
    };
    let wrong = "0".repeat(32);
    for path in paths {
        for head in [
            host.clone(),
            format!("{host}\r\nX-Carom-Token:"),
            format!("{host}\r\nX-Carom-Token: {wrong}"),
            format!("{host}\r\nX-Carom-Token: {}", &token[..31]),
            format!("{host}\r\nX-Carom-Token: {token}0"),
            format!("{host}\r\nCookie: token={token}"),
        ] {
            let (status, _, body) = get(path, &head);
            assert_eq!(status, 403, "{path} {head}");
            let text = String::from_utf8(body).unwrap();
            assert!(text.contains("the whole address that carom view has printed"), "{text}");
        }
        for query in ["?", "?token", "?token=", &format!("?token={wrong}"), &format!("?x={token}")]
        {
            assert_eq!(get(&format!("{path}{query}"), &host).0, 403, "{path}{query}");
        }
        let expected = if path == "/none" { 404 } else { 200 };
        assert_eq!(get(&format!("{path}?token={token}"), &host).0, expected, "{path}");
        assert_eq!(get(&format!("{path}?frame=1&token={token}"), &host).0, expected, "{path}");
        let head = format!("{host}\r\nx-carom-token:{token}");
        assert_eq!(get(path, &head).0, expected, "{path}");
    }
    // Script and style are the same for every run.
    for path in ["/viewer.js", "/style.css"] {
        assert_eq!(get(path, &host).0, 200);
    }
    // The token does not help under another host name.
    let other = format!("Host: evil.example\r\nX-Carom-Token: {token}");
    assert_eq!(get("/run.json", &other).0, 403);
    let address = served.server.address();
    assert!(address.ends_with(&format!("/?token={token}")), "{address}");
}

#[test]
fn slow_clients_are_given_up_in_time() {
    let served = served();
    let start = Instant::now();
    let (mut half, mut silent) = (served.connect(), served.connect());
    half.write_all(b"GET /f").unwrap();
    let mut answer = Vec::new();
    half.read_to_end(&mut answer).unwrap();
    assert_eq!(parted(&answer).0, 408);
    answer.clear();
    silent.read_to_end(&mut answer).unwrap();
    assert_eq!(parted(&answer).0, 408);
    assert!(start.elapsed() < 4 * REQUEST_TIMEOUT, "{:?}", start.elapsed());
}

#[test]
fn clients_that_say_nothing_or_little_keep_nobody_out() {
    let served = served();
    // More clients than slots, which read no response and send a byte at a time.
    let mut slow = Vec::new();
    for _ in 0..4 * MOST_CONNECTIONS {
        let mut client = served.connect();
        let _ = client.write_all(b"GET /");
        slow.push(client);
        if slow.len().is_multiple_of(MOST_CONNECTIONS) {
            slow.iter_mut().for_each(|client| drop(client.write_all(b"f")));
            let start = Instant::now();
            assert_eq!(served.get("/frame/0").0, 200);
            assert_eq!(served.get("/run.json").0, 200);
            // Far less than the time until slow clients are closed.
            assert!(start.elapsed() < REQUEST_TIMEOUT, "{:?}", start.elapsed());
        }
    }
    // The first were closed, the last can still send a request.
    let mut first = slow.swap_remove(0);
    let mut answer = Vec::new();
    let _ = first.read_to_end(&mut answer);
    assert_eq!(answer, b"");
}

#[test]
fn who_has_shown_the_token_keeps_a_place() {
    let connections = Connections::new(2);
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let mut clients = Vec::new();
    let mut arrive = || {
        clients.push(TcpStream::connect(listener.local_addr().unwrap()).unwrap());
        connections.admit(listener.accept().unwrap().0)
    };
    let is_open = |connection: &ConnectionGuard| (&*connection.client).write_all(b"x").is_ok();
    let trusted = arrive().ok().unwrap();
    trusted.mark_authenticated();
    let stranger = arrive().ok().unwrap();
    let second = arrive().ok().unwrap();
    assert!(is_open(&trusted) && !is_open(&stranger) && is_open(&second));
    // A closed connection does not free the slot of another one when its thread ends.
    drop(stranger);
    second.mark_authenticated();
    assert!(arrive().is_err());
    drop(second);
    assert!(arrive().is_ok());
    assert!(is_open(&trusted));
}

#[test]
fn a_crowd_that_has_gone_is_forgotten() {
    let served = served();
    let crowd: Vec<TcpStream> = (0..3 * MOST_CONNECTIONS).map(|_| served.connect()).collect();
    drop(crowd);
    assert_eq!(served.get("/run.json").0, 200);
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
    // Once repaired, it is shown.
    fs::copy(served.results.frame("frame_000000.vtp"), served.results.frame("frame_000001.vtp"))
        .unwrap();
    assert_eq!(served.get("/frame/1").0, 200);
}

#[test]
fn a_run_that_is_replaced_is_another_edition() {
    let served = served();
    let manifest =
        || -> serde_json::Value { serde_json::from_slice(&served.get("/run.json").2).unwrap() };
    assert_eq!(manifest()["edition"], 0);
    let path = served.results.path();
    fs::remove_dir_all(path.join("frames")).unwrap();
    // As long as the new run has no frame, the old one has none either.
    fs::write(path.join("scene.toml"), SCENE.replace("size = 10", "size = 12")).unwrap();
    let between = manifest();
    assert_eq!((&between["edition"], &between["frames"]), (&0.into(), &serde_json::json!([])));
    let mut series = FrameSeries::create(&path, &[FrameFormat::Vtk]).unwrap();
    series.write(&scattered::<3>(7, 0.25)).unwrap();
    let after = manifest();
    assert_eq!(after["edition"], 1);
    assert_eq!(after["box"]["high"][0], 12.0);
    assert_eq!(after["frames"], serde_json::json!([{ "time": 0.25, "bodies": 7 }]));
    assert_eq!(ContainerContents::of(&served.get("/frame/0").2).head["bodies"], 7);
    assert_eq!(manifest()["edition"], 1);
}

#[test]
fn only_this_machine_can_reach_it_and_a_port_in_use_is_refused() {
    let served = served();
    assert!(served.server.address.ip().is_loopback());
    assert!(served.server.address().starts_with("http://127.0.0.1:"));
    let port = served.server.address.port();
    let message = Server::start(served.results.open(), port).unwrap_err().to_string();
    assert!(message.contains(&format!("cannot listen on 127.0.0.1:{port}")), "{message}");
    let address = served.server.address;
    drop(served.server);
    let end = Instant::now() + REQUEST_TIMEOUT;
    while TcpStream::connect(address).is_ok() {
        assert!(Instant::now() < end, "the server has stopped");
        thread::sleep(Duration::from_millis(20));
    }
}
