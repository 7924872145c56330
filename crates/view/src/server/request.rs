//! Parses the little of HTTP/1.1 that a browser needs.

use std::io::{ErrorKind, Read};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Longest request head, in bytes; browsers send less.
const LONGEST_HEAD: usize = 16 << 10;

/// Header field with the token of the page. Cookies would not do: browsers send them to every port.
const TOKEN_HEADER: &str = "x-carom-token";

/// A valid request.
#[derive(Debug, PartialEq, Eq)]
pub struct HttpRequest {
    /// Path of the address, without the query.
    pub path: String,
    /// Token in the query or the header field.
    pub token: Option<String>,
    /// Whether the body of the response is wanted (GET, not HEAD).
    pub with_body: bool,
}

/// Why there is no request.
#[derive(Debug, PartialEq, Eq)]
pub enum HttpRequestError {
    /// The client has disconnected.
    Disconnected,
    /// The request is refused with a status and a sentence.
    Invalid { status: u16, sentence: &'static str },
}

fn invalid_request(status: u16, sentence: &'static str) -> HttpRequestError {
    HttpRequestError::Invalid { status, sentence }
}

/// Reads the head of a request to a port within the time `patience`, however slowly it arrives.
pub fn read(
    mut client: &TcpStream,
    patience: Duration,
    port: u16,
) -> Result<HttpRequest, HttpRequestError> {
    let end = Instant::now() + patience;
    let late = || invalid_request(408, "the request did not come in time");
    let (mut head, mut piece) = (Vec::new(), [0; 4096]);
    loop {
        let left = end.checked_duration_since(Instant::now()).filter(|left| !left.is_zero());
        client
            .set_read_timeout(Some(left.ok_or_else(late)?))
            .map_err(|_| HttpRequestError::Disconnected)?;
        match client.read(&mut piece) {
            Ok(0) if head.is_empty() => return Err(HttpRequestError::Disconnected),
            Ok(0) => return Err(invalid_request(400, "the request is incomplete")),
            Ok(count) => head.extend_from_slice(&piece[..count]),
            Err(error) => match error.kind() {
                ErrorKind::WouldBlock | ErrorKind::TimedOut => return Err(late()),
                ErrorKind::Interrupted => {}
                _ => return Err(HttpRequestError::Disconnected),
            },
        }
        let end = head.windows(4).position(|four| four == b"\r\n\r\n");
        if end.unwrap_or(head.len()) > LONGEST_HEAD {
            return Err(invalid_request(431, "the head of the request is longer than 16 kB"));
        }
        if let Some(end) = end {
            return parse(&head[..end], port);
        }
    }
}

fn parse(head: &[u8], port: u16) -> Result<HttpRequest, HttpRequestError> {
    let head = str::from_utf8(head).map_err(|_| invalid_request(400, "the request is not text"))?;
    let mut lines = head.split("\r\n");
    let first: Vec<&str> = lines.next().unwrap_or_default().split(' ').collect();
    let [method, target, version] = first[..] else {
        return Err(invalid_request(
            400,
            "the request does not begin with a method, a path and a version",
        ));
    };
    if !version.starts_with("HTTP/1.") {
        return Err(invalid_request(505, "only HTTP/1.1 is supported"));
    }
    let fields: Vec<(&str, &str)> = lines.filter_map(|line| line.split_once(':')).collect();
    let values = |wanted: &'static str| {
        let named = fields.iter().filter(move |(name, _)| name.eq_ignore_ascii_case(wanted));
        named.map(|(_, value)| value.trim())
    };
    let mut hosts = values("host");
    let host = hosts.next().ok_or_else(|| invalid_request(400, "the request names no host"))?;
    // DNS rebinding: a page from elsewhere, whose name was made to resolve to this machine, must not read the run.
    let own = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{port}"));
    // Browsers omit the default port 80.
    let host = if host.contains(':') { host.to_owned() } else { format!("{host}:80") };
    if hosts.next().is_some() || !own.iter().any(|name| name.eq_ignore_ascii_case(&host)) {
        return Err(invalid_request(
            403,
            "only 127.0.0.1 and localhost are served here, under the port that carom view reported",
        ));
    }
    let with_body = match method {
        "GET" => true,
        "HEAD" => false,
        _ => return Err(invalid_request(405, "only GET and HEAD are supported")),
    };
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let in_query = || query.split('&').find_map(|entry| entry.strip_prefix("token="));
    let token = values(TOKEN_HEADER).next().or_else(in_query).map(str::to_owned);
    Ok(HttpRequest { path: path.to_owned(), token, with_body })
}
