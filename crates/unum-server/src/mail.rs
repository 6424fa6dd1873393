//! What reaches a table's task.

use std::sync::Arc;

use tokio::sync::oneshot;
use unum_protocol::rest::TableSummary;
use unum_protocol::{Look, Refusal, Request, Settings};
use unum_table::{GuestId, Idea};

use crate::address::AddressKey;
use crate::codes::Unavailable;
use crate::hub::Mailbox;
use crate::outbox::Outbox;

/// A message to a table's task. It is small, since every table has room for many.
#[derive(Debug)]
pub(crate) enum Mail {
    /// Somebody has connected.
    Arrive(Box<Arrival>),
    /// A connection is gone.
    Gone(GuestId, Arc<Outbox>),
    /// A request.
    Ask(Box<Ask>),
    /// A bot has made up its mind.
    Thought(Box<Idea>),
    /// Settings that are too long for a message.
    Settings(Box<NewSettings>),
    /// A guest is deleted: they leave, and lose their name.
    Forget(GuestId, oneshot::Sender<Result<(), Refusal>>),
    /// What is this table?
    Look(Box<Looking>),
    /// What was said is forgotten, if nobody is here.
    Hush,
    /// The server stops.
    Stop,
}

/// Somebody who has connected.
#[derive(Debug)]
pub(crate) struct Arrival {
    pub(crate) guest: GuestId,
    pub(crate) name: String,
    pub(crate) look: Look,
    /// The code they came with: it may have been renewed meanwhile.
    pub(crate) code: String,
    pub(crate) address: AddressKey,
    pub(crate) after: Option<u64>,
    /// Whether strangers are not let in, unless the table is public.
    pub(crate) guarded: bool,
    /// Whether they are connected to another node: they are not passed on again.
    pub(crate) relayed: bool,
    pub(crate) outbox: Arc<Outbox>,
    /// Receives the mailbox of the task that took them in, which differs from the one this was sent to if the table
    /// just left memory.
    pub(crate) taken_in: oneshot::Sender<Mailbox>,
}

/// Somebody who asks what a table is before they come.
#[derive(Debug)]
pub(crate) struct Looking {
    pub(crate) guest: Option<GuestId>,
    /// Whether strangers are told nothing, unless the table is public.
    pub(crate) guarded: bool,
    pub(crate) reply: oneshot::Sender<Result<Box<TableSummary>, Unavailable>>,
}

/// A request on a connection.
#[derive(Debug)]
pub(crate) struct Ask {
    pub(crate) guest: GuestId,
    pub(crate) outbox: Arc<Outbox>,
    pub(crate) id: u32,
    pub(crate) request: Request,
}

/// Settings that came over HTTP.
#[derive(Debug)]
pub(crate) struct NewSettings {
    pub(crate) guest: GuestId,
    pub(crate) settings: Settings,
    pub(crate) reply: oneshot::Sender<Result<(), Refusal>>,
}
