//! What reaches a table's task.

use std::sync::Arc;

use tokio::sync::oneshot;
use unum_table::wire::{Request, ServerMsg, Settings};
use unum_table::{GuestId, Idea, Look};

use crate::codes::ByeCode;
use crate::outbox::Outbox;

/// A message to a table's task. It is small, since every table has room for many.
#[derive(Debug)]
pub(crate) enum Mail {
    /// Somebody has connected.
    Arrive(Box<Arrival>),
    /// A connection is gone.
    Gone(GuestId, Arc<Outbox>),
    /// Somebody wants something.
    Ask(Box<Ask>),
    /// A bot has made up its mind.
    Thought(Box<Idea>),
    /// Settings that are too long for a message.
    Settings(Box<NewSettings>),
    /// What is this table?
    Look(oneshot::Sender<Result<Box<TableSummary>, NotThere>>),
    /// The server stops.
    Stop,
}

/// Somebody who has connected.
#[derive(Debug)]
pub(crate) struct Arrival {
    pub(crate) guest: GuestId,
    pub(crate) name: String,
    pub(crate) look: Look,
    pub(crate) after: Option<u64>,
    pub(crate) outbox: Arc<Outbox>,
}

/// A request on a connection.
#[derive(Debug)]
pub(crate) struct Ask {
    pub(crate) guest: GuestId,
    pub(crate) outbox: Arc<Outbox>,
    pub(crate) id: u32,
    pub(crate) request: Request,
}

/// Settings that came by HTTP.
#[derive(Debug)]
pub(crate) struct NewSettings {
    pub(crate) guest: GuestId,
    pub(crate) settings: Settings,
    /// Gets the refusal, if there is one.
    pub(crate) reply: oneshot::Sender<Result<Option<ServerMsg>, NotThere>>,
}

/// Why a table cannot answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotThere {
    /// There is no such table, or it is closed.
    NoTable,
    /// It cannot be read or written at the moment.
    Storage,
    /// The server stops.
    Stopping,
}

impl NotThere {
    /// What a client who waits for the table is told.
    pub(crate) fn bye(self) -> ByeCode {
        match self {
            NotThere::NoTable => ByeCode::NoTable,
            NotThere::Storage => ByeCode::Storage,
            NotThere::Stopping => ByeCode::Stopping,
        }
    }
}

/// What anybody who has the code may know of a table.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub(crate) struct TableSummary {
    #[serde(flatten)]
    pub(crate) listing: unum_table::Listing,
    pub(crate) settings: Settings,
}
