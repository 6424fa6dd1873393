//! What the nodes of a cluster say to each other (docs/scale.md). Clients never see it.
//!
//! A connection carries streams. A node opens one for every client of its own whose table another node runs, and for
//! every question to such a table. It has a single version: nodes of another version are not understood.

use std::net::IpAddr;

use serde::{Deserialize, Serialize};

use crate::rest::TableSummary;
use crate::{Look, Refusal, ServerCode, Settings};

/// The version of what nodes say to each other.
pub const NODE_VERSION: u32 = 1;
/// The longest body of a frame, in bytes; what is longer comes in parts.
pub const MAX_BODY: usize = 64 << 10;
/// How many bytes a client may be sent before the node it is connected to has given credit for more.
pub const WINDOW: u32 = 128 << 10;
/// How many requests of a client may be on their way to its table.
pub const REQUESTS: u32 = 16;

/// The kinds of frames. A frame is the length of its body, its kind, the number of its stream, and its body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum FrameKind {
    /// Opens a stream: an [`Open`].
    Open = 1,
    /// The client is at the table.
    Accept = 2,
    /// Bytes for the client; together with the parts before, whole WebSocket frames.
    Data = 3,
    /// A part of such bytes; more follows.
    Part = 4,
    /// A request of the client, as the client sent it.
    Ask = 5,
    /// More may be sent: so many bytes to a client, or so many requests to a table, which has taken as many.
    Credit = 6,
    /// Closes a stream: an [`End`].
    Close = 7,
    /// Are you there?
    Ping = 8,
    /// Yes.
    Pong = 9,
}

impl FrameKind {
    /// The kind of a frame, if there is one with that number.
    pub fn of(number: u8) -> Option<FrameKind> {
        use FrameKind::*;
        [Open, Accept, Data, Part, Ask, Credit, Close, Ping, Pong].into_iter().find(|kind| *kind as u8 == number)
    }
}

/// Why a stream is opened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Open {
    /// A client comes to a table.
    Arrive {
        /// The code they came with.
        code: String,
        /// The guest.
        guest: u64,
        /// Their name.
        name: String,
        /// Their look.
        look: Look,
        /// Where they are, as limits count it.
        address: IpAddr,
        /// The last number they have seen.
        after: Option<u64>,
        /// Whether that is what another node has told this very connection: then they are not welcomed again.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        told: bool,
        /// Whether strangers are not let in.
        guarded: bool,
    },
    /// What is this table?
    Look {
        /// Its code.
        code: String,
        /// Who asks.
        guest: Option<u64>,
        /// Whether strangers are told nothing.
        guarded: bool,
        /// From where.
        address: IpAddr,
    },
    /// Settings that came over HTTP.
    Settings {
        /// The table's code.
        code: String,
        /// Who sets them.
        guest: u64,
        /// The settings.
        settings: Box<Settings>,
        /// From where.
        address: IpAddr,
    },
    /// A guest is deleted, and leaves the table.
    Forget {
        /// The table's code.
        code: String,
        /// The guest.
        guest: u64,
        /// From where.
        address: IpAddr,
    },
    /// What was said at a table is forgotten.
    Hush {
        /// The table's code.
        code: String,
    },
    /// How many connections has a guest there?
    Connections {
        /// The guest.
        guest: u64,
    },
    /// A guest ends all their connections.
    SignOut {
        /// The guest.
        guest: u64,
    },
}

/// How a stream ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum End {
    /// The client has gone.
    Gone,
    /// The connection of the client ends, or the question cannot be answered, for this reason.
    Code {
        /// The reason.
        code: ServerCode,
    },
    /// Another node runs the table now. This client was told everything up to that number and is owed no answer, but to
    /// requests for which no credit has come back: it can go on there without noticing.
    Moved {
        /// The number.
        told: u64,
        /// The table's code.
        code: String,
    },
    /// What a table is.
    Summary {
        /// What it is.
        summary: Box<TableSummary>,
    },
    /// So many there are.
    Count {
        /// How many.
        count: usize,
    },
    /// It is done.
    Done,
    /// The table refuses.
    Refused {
        /// Why.
        refusal: Refusal,
    },
}
