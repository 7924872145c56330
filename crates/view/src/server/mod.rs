//! A run at an address of this machine, for browsers on it.
//!
//! Every connection has a thread of its own for one request; there are never more than some dozens, and each is given
//! up when its client is too slow. Answers come from the run alone: paths in requests never become paths of files.

mod answer;
mod kept;
mod request;

use crate::{Error, Run};
use answer::Answer;
use kept::Kept;
use request::{Refusal, Request};
use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Connections at one time; more are told to come back.
const MOST_CONNECTIONS: usize = 64;
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
    stop: Arc<AtomicBool>,
}

impl Server {
    /// Starts to serve a run at a port of 127.0.0.1, any free one if that is zero.
    pub fn start(run: Run, port: u16) -> Result<Self, Error> {
        let refuse = |source| Error::Port { port, source };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(refuse)?;
        let address = listener.local_addr().map_err(refuse)?;
        run.survey();
        let stop = Arc::new(AtomicBool::new(false));
        let server = Server { address, stop: stop.clone() };
        let shop = Arc::new(Shop { kept: Kept::new(run), port: address.port(), open: 0.into() });
        thread::spawn(move || {
            for client in listener.incoming() {
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                match client {
                    Ok(client) => serve(&shop, client),
                    // Out of files, say; a pause lets others close theirs.
                    Err(_) => thread::sleep(Duration::from_millis(20)),
                }
            }
        });
        Ok(server)
    }

    /// The address to open in a browser.
    pub fn address(&self) -> String {
        format!("http://{}/", self.address)
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
    /// Connections at present.
    open: AtomicUsize,
}

/// Counts a connection as long as it is there, however its thread ends.
struct Guest(Arc<Shop>);

impl Guest {
    fn new(shop: &Arc<Shop>) -> Option<Self> {
        let guest = Guest(shop.clone());
        let before = shop.open.fetch_add(1, Ordering::Relaxed);
        (before < MOST_CONNECTIONS).then_some(guest)
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Ordering::Relaxed);
    }
}

fn serve(shop: &Arc<Shop>, mut client: TcpStream) {
    let Some(guest) = Guest::new(shop) else {
        let _ = client.set_write_timeout(Some(Duration::from_millis(100)));
        let answer = Answer::refusal(503, "too many connections at once; try again");
        let _ = client.write_all(&[&answer.head(), answer.body()].concat());
        return;
    };
    let builder = thread::Builder::new().name("carom view".to_owned());
    // Without a thread to be had the connection is closed, and the browser tries again.
    let _ = builder.spawn(move || talk(&guest.0, client));
}

/// One request and its answer.
fn talk(shop: &Shop, mut client: TcpStream) {
    let (answer, with_body) = match request::read(&mut client, PATIENCE, shop.port) {
        Ok(Request { path, with_body }) => (shop.kept.answer(&path), with_body),
        Err(Refusal::Gone) => return,
        Err(Refusal::Bad { status, sentence }) => (Answer::refusal(status, sentence), true),
    };
    let body = if with_body { answer.body() } else { &[] };
    if send(&mut client, &answer.head(), body).is_some() {
        part(client);
    }
}

/// Hands over an answer; none if the client went away or is too slow.
fn send(client: &mut TcpStream, head: &[u8], body: &[u8]) -> Option<()> {
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
fn part(mut client: TcpStream) {
    let _ = client.shutdown(Shutdown::Write);
    let _ = client.set_read_timeout(Some(Duration::from_millis(200)));
    let end = Instant::now() + Duration::from_secs(1);
    let mut rest = [0; 4096];
    while Instant::now() < end && client.read(&mut rest).is_ok_and(|count| count > 0) {}
}

#[cfg(test)]
mod tests;
