//! What the nodes of a cluster say to each other (docs/scale.md). Clients never see it.
//!
//! A connection carries streams. A node opens one for each of its clients whose table another node runs, and one for
//! each question to such a table. There is a single version: nodes of different versions do not talk to each other.

use std::net::IpAddr;

use serde::{Deserialize, Serialize};

use crate::rest::TableSummary;
use crate::{Look, Refusal, ServerCode, Settings};

/// The version of the protocol between nodes.
pub const NODE_VERSION: u32 = 2;
/// The longest body of a frame, in bytes. Longer messages come in parts.
pub const MAX_BODY: usize = 64 << 10;
/// Bytes that may be sent to a client before its own node grants more credit.
pub const WINDOW: u32 = 128 << 10;
/// Requests of one client that may be in flight to its table.
pub const REQUESTS: u32 = 16;

/// The kinds of frames. A frame is the length of its body, its kind, the number of its stream, and its body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum FrameKind {
    /// Opens a stream: an [`Open`].
    Open = 1,
    /// The client is at the table.
    Accept = 2,
    /// Bytes for the client: with the parts before them, whole WebSocket frames.
    Data = 3,
    /// A part of such bytes; more follows.
    Part = 4,
    /// A request of the client, as the client sent it.
    Ask = 5,
    /// More credit: a number of bytes to a client, or of requests to a table, which has processed as many.
    Credit = 6,
    /// Closes a stream: an [`End`].
    Close = 7,
    /// Are you there?
    Ping = 8,
    /// Yes.
    Pong = 9,
}

impl FrameKind {
    /// The kind with this number, if there is one.
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
        /// Their address, as limits count it.
        address: IpAddr,
        /// The last number they have seen.
        after: Option<u64>,
        /// Whether another node sent that number to this very connection: then they get no second welcome.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        told: bool,
        /// Whether strangers are kept out.
        guarded: bool,
        /// Guests whom they have blocked.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        blocks: Vec<u64>,
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
    /// Settings sent over HTTP.
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
    /// A guest is being deleted and leaves the table.
    Forget {
        /// The table's code.
        code: String,
        /// The guest.
        guest: u64,
        /// From where.
        address: IpAddr,
    },
    /// The chat of a table is deleted.
    Hush {
        /// The table's code.
        code: String,
    },
    /// How many connections does a guest have there?
    Connections {
        /// The guest.
        guest: u64,
    },
    /// All connections of a guest end.
    SignOut {
        /// The guest.
        guest: u64,
    },
    /// The operator closes a table.
    CloseTable {
        /// Its code.
        code: String,
    },
    /// The operator says something to everybody.
    Announce {
        /// The words.
        text: String,
    },
    /// Bans and mutes have changed: the database has them.
    Sanctions,
}

/// How a stream ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum End {
    /// The client has left.
    Gone,
    /// The client's connection ends, or the question cannot be answered.
    Code {
        /// The reason.
        code: ServerCode,
    },
    /// Another node runs the table now. The client was told everything up to that number, and every request for which
    /// credit came back was answered: it can continue there without noticing.
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
    /// A count.
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
