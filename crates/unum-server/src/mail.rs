//! What reaches a table's task.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::oneshot;
use unum_protocol::rest::TableSummary;
use unum_protocol::{Look, Refusal, Request, ServerCode, Settings};
use unum_table::{GuestId, Idea};

use crate::address::AddressKey;
use crate::cluster::Link;
use crate::codes::Unavailable;
use crate::hub::Mailbox;
use crate::outbox::Outbox;

/// How long carrying somebody over to the next task may take: about as long as the most impatient client waits.
pub(crate) const CARRIED: Duration = Duration::from_secs(1);

/// A message to a table's task. It is small, because every table has room for many.
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
    /// The operator closes the table.
    Close(oneshot::Sender<Result<(), Refusal>>),
    /// The table moves to another node.
    HandOver(Box<Heir>),
    /// The server stops.
    Stop,
}

/// Somebody who is connected.
#[derive(Clone, Debug)]
pub(crate) struct Visitor {
    pub(crate) guest: GuestId,
    pub(crate) name: String,
    pub(crate) look: Look,
    /// The code they came with: it may have been renewed meanwhile.
    pub(crate) code: String,
    pub(crate) address: AddressKey,
    /// Whether strangers are not let in, unless the table is public.
    pub(crate) guarded: bool,
    /// Whom they have blocked.
    pub(crate) blocks: Vec<GuestId>,
    pub(crate) outbox: Arc<Outbox>,
}

/// Somebody who arrives at a table.
#[derive(Debug)]
pub(crate) struct Arrival {
    pub(crate) visitor: Visitor,
    pub(crate) since: Since,
    /// Whether they are connected to another node: they are not passed on again.
    pub(crate) relayed: bool,
    /// Is told the mailbox of the task that took them in: not the one this was sent to, if that just left memory.
    /// `None` if they have it already, because the task behind it is another one now.
    pub(crate) taken_in: Option<oneshot::Sender<Mailbox>>,
}

impl Arrival {
    /// Themselves, unless they have left meanwhile, or are let go because carrying them over took long, as in a process that
    /// was stopped: they may have come back over another connection, which this one would replace.
    pub(crate) fn if_still_here(self) -> Option<Arrival> {
        let is_late = matches!(self.since, Since::Told { at, .. } if at.elapsed() > CARRIED);
        if is_late {
            self.visitor.outbox.end(ServerCode::Moved);
        }
        let has_left = self.visitor.outbox.has_left() || self.taken_in.as_ref().is_some_and(oneshot::Sender::is_closed);
        (!is_late && !has_left).then_some(self)
    }

    /// Somebody who is carried over from one task to the next one behind the same mailbox, since that moment.
    pub(crate) fn carried(visitor: Visitor, number: u64, at: Instant) -> Arrival {
        Arrival { visitor, since: Since::Told { number, at }, relayed: false, taken_in: None }
    }
}

/// What the arriving client knows of the table already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Since {
    /// What they say they have seen: they are welcomed, and told what came after that, or all of it.
    Seen(Option<u64>),
    /// What this very connection was told by another node until that moment: it goes on from there without a word.
    Told {
        /// The number of the last change.
        number: u64,
        /// The moment.
        at: Instant,
    },
}

/// The node that takes a table over.
#[derive(Debug)]
pub(crate) struct Heir {
    pub(crate) node: u64,
    pub(crate) link: Arc<Link>,
    /// When the table was to go there.
    pub(crate) at: Instant,
    /// Dropped once the other node runs the table, or cannot be given it.
    pub(crate) done: oneshot::Sender<()>,
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
    /// Whether the client is connected to another node, which is told that the table has it.
    pub(crate) relayed: bool,
}

/// Settings that came over HTTP.
#[derive(Debug)]
pub(crate) struct NewSettings {
    pub(crate) guest: GuestId,
    pub(crate) settings: Settings,
    pub(crate) reply: oneshot::Sender<Result<(), Refusal>>,
}
