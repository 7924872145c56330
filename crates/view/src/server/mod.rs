//! A run at an address of this machine, for browsers on it.
//!
//! Others may use the machine too: what tells anything of the run is answered only to who knows the token in the address.
//! Every connection has a thread of its own for one request; there are never more than some, each is given up when its
//! client is too slow, and strangers make room for others (see [`connections`]). Answers come from the run alone: paths
//! in requests never become paths of files.

mod answer;
mod connections;
mod kept;
mod request;
mod token;

use crate::{Error, Run};
use answer::Answer;
use connections::{Connection, Connections};
use kept::Kept;
use request::{Refusal, Request};
use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use token::Token;

/// Connections at one time; for more, strangers have to go.
const MOST_CONNECTIONS: usize = 128;
/// A client must have said what it wants by then.
const PATIENCE: Duration = Duration::from_secs(5);
/// A client must have taken its answer by then.
const LONGEST_ANSWER: Duration = Duration::from_secs(120);
/// So many bytes are handed over at once.
const PIECE: usize = 1 << 18;

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
    token: Token,
    stop: Arc<AtomicBool>,
}

impl Server {
    /// Starts to serve a run at a port of 127.0.0.1, any free one if that is zero.
    pub fn start(run: Run, port: u16) -> Result<Self, Error> {
        let refuse = |source| Error::Port { port, source };
        let token = Token::random()?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(refuse)?;
        let address = listener.local_addr().map_err(refuse)?;
        run.survey();
        let stop = Arc::new(AtomicBool::new(false));
        let server = Server { address, token: token.clone(), stop: stop.clone() };
        let shop = Arc::new(Shop { kept: Kept::new(run), port: address.port(), token });
        let connections = Connections::new(MOST_CONNECTIONS);
        let listen = move || {
            for client in listener.incoming() {
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                match client {
                    Ok(client) => serve(&shop, &connections, client),
                    // Out of files, say; a pause lets others close theirs.
                    Err(_) => thread::sleep(Duration::from_millis(20)),
                }
            }
        };
        let thread = thread::Builder::new().name("carom view".to_owned()).spawn(listen);
        thread.map_err(|source| Error::Thread { source })?;
        Ok(server)
    }

    /// The address to open in a browser, with the token: whoever has it can see the run.
    pub fn address(&self) -> String {
        format!("http://{}/?token={}", self.address, self.token.as_str())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        // The listener waits for a client; this is one.
        let _ = TcpStream::connect_timeout(&self.address, Duration::from_secs(1));
    }
}

/// What all connections share.
struct Shop {
    kept: Kept,
    port: u16,
    token: Token,
}

fn serve(shop: &Arc<Shop>, connections: &Arc<Connections>, client: TcpStream) {
    match connections.admit(client) {
        Ok(connection) => {
            let shop = shop.clone();
            let builder = thread::Builder::new().name("carom view".to_owned());
            // Without a thread to be had the connection is closed, and the browser tries again.
            let _ = builder.spawn(move || talk(&shop, &connection));
        }
        Err(mut client) => {
            let _ = client.set_write_timeout(Some(Duration::from_millis(100)));
            let answer = Answer::refusal(503, "too many connections at once; try again");
            let _ = client.write_all(&[&answer.head(), answer.body()].concat());
        }
    }
}

/// One request and its answer.
fn talk(shop: &Shop, connection: &Connection) {
    let client = &connection.client;
    let (answer, with_body) = match request::read(client, PATIENCE, shop.port) {
        Ok(request) => {
            let knows = request.token.as_deref().is_some_and(|given| shop.token.is(given));
            if knows {
                connection.trust();
            }
            (shop.answer(&request, knows), request.with_body)
        }
        Err(Refusal::Gone) => return,
        Err(Refusal::Bad { status, sentence }) => (Answer::refusal(status, sentence), true),
    };
    let body = if with_body { answer.body() } else { &[] };
    if send(client, &answer.head(), body).is_some() {
        part(client);
    }
}

impl Shop {
    /// Nothing of the run is sent to a client without the token. Script and style, which a browser asks for without
    /// it, are the same for every run.
    fn answer(&self, request: &Request, knows_token: bool) -> Answer {
        match request.path.as_str() {
            path @ ("/viewer.js" | "/style.css") => self.kept.answer(path),
            path if knows_token => self.kept.answer(path),
            _ => Answer::refusal(
                403,
                "this needs the token of the run; open the whole address that carom view has printed",
            ),
        }
    }
}

/// Hands over an answer; none if the client went away or is too slow.
fn send(mut client: &TcpStream, head: &[u8], body: &[u8]) -> Option<()> {
    let end = Instant::now() + LONGEST_ANSWER;
    for piece in std::iter::once(head).chain(body.chunks(PIECE)) {
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

/// Closes a connection so that the answer arrives: bytes that nobody has read would make the system take it
/// back.
fn part(mut client: &TcpStream) {
    let _ = client.shutdown(Shutdown::Write);
    let _ = client.set_read_timeout(Some(Duration::from_millis(200)));
    let end = Instant::now() + Duration::from_secs(1);
    let mut rest = [0; 4096];
    while Instant::now() < end && client.read(&mut rest).is_ok_and(|count| count > 0) {}
}

#[cfg(test)]
mod tests;
