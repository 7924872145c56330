//! Serves a run at an address of this machine, for browsers on it.
//!
//! Other users of the machine can connect too: content of the run is sent only to clients that know the token in the
//! address. Every connection has a thread of its own for one request; their number is limited, each is closed when its
//! client is too slow, and unauthenticated clients make room for others (see [`connections`]). Responses come from the
//! run alone: paths in requests never become paths of files.

mod cached_run;
mod connections;
mod request;
mod response;
mod token;

use crate::{Error, Run};
use cached_run::CachedRun;
use connections::{ConnectionGuard, Connections};
use request::{HttpRequest, HttpRequestError};
use response::HttpResponse;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use token::AccessToken;

/// Largest number of connections; beyond it, unauthenticated ones are closed.
const MOST_CONNECTIONS: usize = 128;
/// Time within which a client must have sent its request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(5);
/// Time within which a client must have received its response.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(120);
/// Number of bytes written at once.
const CHUNK_BYTES: usize = 1 << 18;

/// Serves a run until it is dropped.
///
/// ```no_run
/// let run = carom_view::Run::open("drum.run".as_ref())?;
/// let server = carom_view::Server::start(run, 0)?;
/// println!("open {}", server.address());
/// # Ok::<(), carom_view::Error>(())
/// ```
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    token: AccessToken,
    stop: Arc<AtomicBool>,
}

impl Server {
    /// Starts to serve a run at a port of 127.0.0.1; port 0 takes any free one.
    pub fn start(run: Run, port: u16) -> Result<Self, Error> {
        let refuse = |source| Error::Port { port, source };
        let token = AccessToken::random()?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(refuse)?;
        let address = listener.local_addr().map_err(refuse)?;
        run.sample_column_ranges();
        let stop = Arc::new(AtomicBool::new(false));
        let server = Server { address, token: token.clone(), stop: stop.clone() };
        let state = Arc::new(ServerState { run: CachedRun::new(run), port: address.port(), token });
        let connections = Connections::new(MOST_CONNECTIONS);
        let listen = move || {
            for client in listener.incoming() {
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                match client {
                    Ok(client) => serve(&state, &connections, client),
                    // For example out of file descriptors; a pause lets others close theirs.
                    Err(_) => thread::sleep(Duration::from_millis(20)),
                }
            }
        };
        let thread = thread::Builder::new().name("carom view".to_owned()).spawn(listen);
        thread.map_err(|source| Error::Thread { source })?;
        Ok(server)
    }

    /// The address to open in a browser, with the token: everyone who has it can see the run.
    pub fn address(&self) -> String {
        format!("http://{}/?token={}", self.address, self.token.as_str())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        // The listener blocks until a client connects; this one wakes it.
        let _ = TcpStream::connect_timeout(&self.address, Duration::from_secs(1));
    }
}

/// State shared by all connections.
struct ServerState {
    run: CachedRun,
    port: u16,
    token: AccessToken,
}

fn serve(state: &Arc<ServerState>, connections: &Arc<Connections>, client: TcpStream) {
    match connections.admit(client) {
        Ok(connection) => {
            let state = state.clone();
            let builder = thread::Builder::new().name("carom view".to_owned());
            // If no thread can be started the connection is closed, and the browser tries again.
            let _ = builder.spawn(move || handle_connection(&state, &connection));
        }
        Err(mut client) => {
            let _ = client.set_write_timeout(Some(Duration::from_millis(100)));
            let answer =
                HttpResponse::error_response(503, "too many connections at once; try again");
            let _ = client.write_all(&[&answer.head(), answer.body()].concat());
        }
    }
}

/// Handles one request and its response.
fn handle_connection(state: &ServerState, connection: &ConnectionGuard) {
    let client = &connection.client;
    let (answer, with_body) = match request::read(client, REQUEST_TIMEOUT, state.port) {
        Ok(request) => {
            let knows = request.token.as_deref().is_some_and(|given| state.token.matches(given));
            if knows {
                connection.mark_authenticated();
            }
            (state.respond(&request, knows), request.with_body)
        }
        Err(HttpRequestError::Disconnected) => return,
        Err(HttpRequestError::Invalid { status, sentence }) => {
            (HttpResponse::error_response(status, sentence), true)
        }
    };
    let body = if with_body { answer.body() } else { &[] };
    if send(client, &answer.head(), body).is_some() {
        close_gracefully(client);
    }
}

impl ServerState {
    /// Sends content of the run only to clients with the token. Script and style, which a browser requests without it,
    /// are the same for every run.
    fn respond(&self, request: &HttpRequest, knows_token: bool) -> HttpResponse {
        match request.path.as_str() {
            path @ ("/viewer.js" | "/style.css") => self.run.respond(path),
            path if knows_token => self.run.respond(path),
            _ => HttpResponse::error_response(
                403,
                "this needs the token of the run; open the whole address that carom view has printed",
            ),
        }
    }
}

/// Sends a response; none if the client has disconnected or is too slow.
fn send(mut client: &TcpStream, head: &[u8], body: &[u8]) -> Option<()> {
    let end = Instant::now() + RESPONSE_TIMEOUT;
    for piece in std::iter::once(head).chain(body.chunks(CHUNK_BYTES)) {
        let mut rest = piece;
        while !rest.is_empty() {
            let left = end.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())?;
            client.set_write_timeout(Some(left)).ok()?;
            match client.write(rest) {
                Ok(0) => return None,
                Ok(count) => rest = &rest[count..],
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(_) => return None,
            }
        }
    }
    Some(())
}

/// Closes a connection so that the response arrives: with unread bytes in its buffer the system would reset the
/// connection and discard the response.
fn close_gracefully(mut client: &TcpStream) {
    let _ = client.shutdown(Shutdown::Write);
    let _ = client.set_read_timeout(Some(Duration::from_millis(200)));
    let end = Instant::now() + Duration::from_secs(1);
    let mut rest = [0; 4096];
    while Instant::now() < end && client.read(&mut rest).is_ok_and(|count| count > 0) {}
}

#[cfg(test)]
mod tests;
