//! The open connections of a server: a limited number, in which idle clients make room for others.
//!
//! Anybody on the machine can connect and send nothing, or one byte at a time. A client is unauthenticated until it has
//! shown the token; when all slots are taken, the oldest unauthenticated connection is closed. Authenticated ones stay.

use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// All open connections.
pub struct Connections {
    limit: usize,
    open: Mutex<OpenConnections>,
}

#[derive(Default)]
struct OpenConnections {
    /// Open connections, oldest first.
    slots: Vec<ConnectionSlot>,
    /// Number of connections so far.
    count: u64,
}

struct ConnectionSlot {
    number: u64,
    client: Arc<TcpStream>,
    is_unauthenticated: bool,
}

/// A connection that holds its slot as long as this value lives.
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
        // Every update leaves the list consistent, so a poisoned lock is no problem.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a slot for a client; returns the client if there is none.
    pub fn admit(self: &Arc<Self>, client: TcpStream) -> Result<ConnectionGuard, TcpStream> {
        let mut open = self.open();
        if open.slots.len() >= self.limit {
            let Some(oldest) = open.slots.iter().position(|place| place.is_unauthenticated) else {
                return Err(client);
            };
            // Its thread gets an error and ends.
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
    /// Marks the client as authenticated: it has shown the token.
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
