//! What a client wants: the little of HTTP that a browser needs.

use std::io::{ErrorKind, Read};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Browsers say less than this.
const LONGEST_HEAD: usize = 16 << 10;

/// The field of the head in which the page shows the token. Cookies would not do: browsers send them to every port.
const TOKEN_HEADER: &str = "x-carom-token";

/// A request that may be answered.
#[derive(Debug, PartialEq, Eq)]
pub struct HttpRequest {
    /// Without what follows a question mark.
    pub path: String,
    /// The token that it shows, in its address or its head.
    pub token: Option<String>,
    /// Whether more than the head of the answer is wanted.
    pub with_body: bool,
}

/// Why there is no request.
#[derive(Debug, PartialEq, Eq)]
pub enum HttpRequestError {
    /// The client went away.
    Disconnected,
    /// It is told why not.
    Invalid { status: u16, sentence: &'static str },
}

fn invalid_request(status: u16, sentence: &'static str) -> HttpRequestError {
    HttpRequestError::Invalid { status, sentence }
}

/// Reads the head of a request to a port, for as long as patience lasts, however slowly it comes.
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
            Ok(0) => return Err(invalid_request(400, "the request ends in its middle")),
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
        return Err(invalid_request(505, "only HTTP/1.1 is spoken here"));
    }
    let fields: Vec<(&str, &str)> = lines.filter_map(|line| line.split_once(':')).collect();
    let values = |wanted: &'static str| {
        let named = fields.iter().filter(move |(name, _)| name.eq_ignore_ascii_case(wanted));
        named.map(|(_, value)| value.trim())
    };
    let mut hosts = values("host");
    let host = hosts.next().ok_or_else(|| invalid_request(400, "the request names no host"))?;
    // A page from elsewhere, whose name was made to mean this machine, must not read the run.
    let own = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{port}"));
    // Browsers leave out the port that is meant without one.
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
        _ => return Err(invalid_request(405, "only GET and HEAD are known here")),
    };
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let in_query = || query.split('&').find_map(|entry| entry.strip_prefix("token="));
    let token = values(TOKEN_HEADER).next().or_else(in_query).map(str::to_owned);
    Ok(HttpRequest { path: path.to_owned(), token, with_body })
}
