//! Connections by guest: a guest can end their own, and operators see and end those of others.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use unum_protocol::ServerCode;
use unum_table::GuestId;

use crate::address::AddressKey;
use crate::outbox::Outbox;

/// The WebSockets of every guest.
#[derive(Debug, Default)]
pub(crate) struct Connected(Mutex<HashMap<GuestId, Vec<Connection>>>);

/// A WebSocket.
#[derive(Clone, Debug)]
pub(crate) struct Connection {
    pub(crate) outbox: Arc<Outbox>,
    pub(crate) name: String,
    pub(crate) client: AddressKey,
    /// The code they came with.
    pub(crate) table: String,
    /// Since when, in milliseconds since 1970.
    pub(crate) since: u64,
}

/// A connection that is known, as long as this is kept.
#[derive(Debug)]
pub(crate) struct Known {
    all: Arc<Connected>,
    guest: GuestId,
    outbox: Arc<Outbox>,
}

impl Connected {
    /// Notes a connection of a guest.
    pub(crate) fn add(self: &Arc<Self>, guest: GuestId, connection: Connection) -> Known {
        let outbox = Arc::clone(&connection.outbox);
        self.lock().entry(guest).or_default().push(connection);
        Known { all: Arc::clone(self), guest, outbox }
    }

    /// Ends all connections of a guest.
    pub(crate) fn end(&self, guest: GuestId, why: ServerCode) {
        for connection in self.lock().get(&guest).into_iter().flatten() {
            connection.outbox.end(why);
        }
    }

    /// Ends the connections of some guests or addresses, and says how many.
    pub(crate) fn end_where(&self, why: ServerCode, concerns: impl Fn(GuestId, AddressKey) -> bool) -> u64 {
        let all = self.lock();
        let concerned = all.iter().flat_map(|(guest, own)| own.iter().map(|connection| (*guest, connection)));
        let concerned = concerned.filter(|(guest, connection)| concerns(*guest, connection.client));
        concerned.map(|(_, connection)| connection.outbox.end(why)).count() as u64
    }

    /// Sends a frame over every connection, and says how many there are.
    pub(crate) fn tell(&self, frame: &Bytes) -> u64 {
        let all = self.lock();
        all.values().flatten().map(|connection| connection.outbox.push(frame, || frame.clone())).count() as u64
    }

    /// All connections.
    pub(crate) fn all(&self) -> Vec<(GuestId, Connection)> {
        let all = self.lock();
        all.iter().flat_map(|(guest, own)| own.iter().map(|connection| (*guest, connection.clone()))).collect()
    }

    /// How many connections there are.
    pub(crate) fn count(&self) -> u64 {
        self.lock().values().map(|own| own.len() as u64).sum()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<GuestId, Vec<Connection>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Known {
    fn drop(&mut self) {
        let mut all = self.all.lock();
        if let Some(own) = all.get_mut(&self.guest) {
            own.retain(|connection| !Arc::ptr_eq(&connection.outbox, &self.outbox));
            if own.is_empty() {
                all.remove(&self.guest);
            }
        }
    }
}
