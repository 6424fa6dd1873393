//! Connections by guest, so a guest can end their own.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use unum_protocol::ServerCode;
use unum_table::GuestId;

use crate::outbox::Outbox;

/// The WebSockets of every guest.
#[derive(Debug, Default)]
pub(crate) struct Connected(Mutex<HashMap<GuestId, Vec<Arc<Outbox>>>>);

/// A connection that is known, as long as this is kept.
#[derive(Debug)]
pub(crate) struct Known {
    all: Arc<Connected>,
    guest: GuestId,
    outbox: Arc<Outbox>,
}

impl Connected {
    /// Notes a connection of a guest.
    pub(crate) fn add(self: &Arc<Self>, guest: GuestId, outbox: &Arc<Outbox>) -> Known {
        self.lock().entry(guest).or_default().push(Arc::clone(outbox));
        Known { all: Arc::clone(self), guest, outbox: Arc::clone(outbox) }
    }

    /// Ends all connections of a guest.
    pub(crate) fn end(&self, guest: GuestId, why: ServerCode) {
        for outbox in self.lock().get(&guest).into_iter().flatten() {
            outbox.end(why);
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<GuestId, Vec<Arc<Outbox>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Known {
    fn drop(&mut self) {
        let mut all = self.all.lock();
        if let Some(own) = all.get_mut(&self.guest) {
            own.retain(|outbox| !Arc::ptr_eq(outbox, &self.outbox));
            if own.is_empty() {
                all.remove(&self.guest);
            }
        }
    }
}
