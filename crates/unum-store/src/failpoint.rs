//! Failpoints: places where a test can make the program panic. Without the feature `failpoints` they do nothing.

/// A place that can be made to panic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The store's writer, while it writes a batch of the table.
    Writer,
    /// The table's task.
    Table,
    /// The table's task, while it loads the table.
    Loading,
    /// A bot's thinking.
    Bot,
    /// A session, when its client sends a message.
    Session,
}

/// Panics, once, if a test has armed the place for that table.
#[cfg(not(feature = "failpoints"))]
#[inline]
pub fn hit(_place: Place, _table: &str) {}

#[cfg(feature = "failpoints")]
mod armed {
    use std::sync::{Mutex, PoisonError};

    use super::Place;

    static ARMED: Mutex<Vec<(Place, String)>> = Mutex::new(Vec::new());

    /// Arms a place: the next time it is reached for that table, it panics. The writer and bots know a table by its id,
    /// the others by the code on its invitation.
    pub fn arm(place: Place, table: &str) {
        ARMED.lock().unwrap_or_else(PoisonError::into_inner).push((place, table.to_owned()));
    }

    /// Panics, once, if a test has armed the place for that table.
    pub fn hit(place: Place, table: &str) {
        let mut armed = ARMED.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(at) = armed.iter().position(|(other, name)| *other == place && name == table) else { return };
        armed.swap_remove(at);
        drop(armed);
        panic!("failpoint {place:?}");
    }
}

#[cfg(feature = "failpoints")]
pub use armed::{arm, hit};
