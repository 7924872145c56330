//! The connections of a server: never more than some, and those who only wait make room for others.
//!
//! Anybody on the machine can connect and say nothing, or one byte at a time. As long as a client has not shown the
//! token it is a stranger; when all places are taken, the stranger who has been there longest has to go. Who has shown
//! it stays.

use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// All connections that are open.
pub struct Connections {
    most: usize,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    /// In the order in which they came.
    places: Vec<Place>,
    /// How many there have been.
    count: u64,
}

struct Place {
    number: u64,
    client: Arc<TcpStream>,
    is_stranger: bool,
}

/// A connection, which has its place as long as this value lives.
pub struct Connection {
    pub client: Arc<TcpStream>,
    number: u64,
    connections: Arc<Connections>,
}

impl Connections {
    pub fn new(most: usize) -> Arc<Self> {
        Arc::new(Connections { most, open: Mutex::default() })
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        // The list is whole at any moment.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives a client a place; gives it back if there is none to be had.
    pub fn admit(self: &Arc<Self>, client: TcpStream) -> Result<Connection, TcpStream> {
        let mut open = self.open();
        if open.places.len() >= self.most {
            let Some(oldest) = open.places.iter().position(|place| place.is_stranger) else {
                return Err(client);
            };
            // Its thread notices that and ends.
            let _ = open.places.remove(oldest).client.shutdown(Shutdown::Both);
        }
        let (number, client) = (open.count, Arc::new(client));
        open.count += 1;
        open.places.push(Place { number, client: client.clone(), is_stranger: true });
        Ok(Connection { client, number, connections: self.clone() })
    }
}

impl Connection {
    /// The client has shown the token.
    pub fn trust(&self) {
        let mut open = self.connections.open();
        if let Some(place) = open.places.iter_mut().find(|place| place.number == self.number) {
            place.is_stranger = false;
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.connections.open().places.retain(|place| place.number != self.number);
    }
}
