//! The connections of a server: never more than some, and those who only wait make room for others.
//!
//! Anybody on the machine can connect and say nothing, or one byte at a time. As long as a client has not shown the
//! token it is a stranger; when all places are taken, the stranger who has been there longest has to go. Who has shown
//! it stays.

use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// All connections that are open.
pub struct Connections {
    limit: usize,
    open: Mutex<OpenConnections>,
}

#[derive(Default)]
struct OpenConnections {
    /// In the order in which they came.
    slots: Vec<ConnectionSlot>,
    /// How many there have been.
    count: u64,
}

struct ConnectionSlot {
    number: u64,
    client: Arc<TcpStream>,
    is_unauthenticated: bool,
}

/// A connection, which has its place as long as this value lives.
pub struct ConnectionGuard {
    pub client: Arc<TcpStream>,
    number: u64,
    connections: Arc<Connections>,
}

impl Connections {
    pub fn new(most: usize) -> Arc<Self> {
        Arc::new(Connections { limit: most, open: Mutex::default() })
    }

    fn open(&self) -> MutexGuard<'_, OpenConnections> {
        // The list is whole at any moment.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives a client a place; gives it back if there is none to be had.
    pub fn admit(self: &Arc<Self>, client: TcpStream) -> Result<ConnectionGuard, TcpStream> {
        let mut open = self.open();
        if open.slots.len() >= self.limit {
            let Some(oldest) = open.slots.iter().position(|place| place.is_unauthenticated) else {
                return Err(client);
            };
            // Its thread notices that and ends.
            let _ = open.slots.remove(oldest).client.shutdown(Shutdown::Both);
        }
        let (number, client) = (open.count, Arc::new(client));
        open.count += 1;
        open.slots.push(ConnectionSlot {
            number,
            client: client.clone(),
            is_unauthenticated: true,
        });
        Ok(ConnectionGuard { client, number, connections: self.clone() })
    }
}

impl ConnectionGuard {
    /// The client has shown the token.
    pub fn mark_authenticated(&self) {
        let mut open = self.connections.open();
        if let Some(place) = open.slots.iter_mut().find(|place| place.number == self.number) {
            place.is_unauthenticated = false;
        }
    }
}

impl Drop for ConnectionGuard {
    fn drop(&mut self) {
        self.connections.open().slots.retain(|place| place.number != self.number);
    }
}
