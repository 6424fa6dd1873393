//! Administration: what the listener for operators answers (docs/server.md). Players never see it.

use serde::{Deserialize, Serialize};

use crate::ReportBody;
use crate::rest::Listing;

/// `GET /api/status`: how a server is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Status {
    /// The version of the program.
    pub version: String,
    /// When it was started, in milliseconds since 1970.
    pub started: u64,
    /// What keeps it from its work; left out while all is well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trouble: Option<String>,
    /// Whether it takes no new tables, because it is about to stop.
    pub draining: bool,
    /// Open connections.
    pub connections: u64,
    /// People at tables.
    pub people: u64,
    /// Tables in memory.
    pub tables: u64,
    /// Searching bots at work.
    pub thinking: u64,
    /// Bans in force.
    pub bans: u64,
    /// Mutes in force.
    pub mutes: u64,
    /// Reports that wait, up to a hundred.
    pub reports: u64,
    /// Bytes free on the disk, if that can be found out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub free_bytes: Option<u64>,
    /// Bytes by which the database may still grow, if that is limited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub room_bytes: Option<u64>,
    /// The nodes of the cluster, if the server is one of several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<NodeStatus>,
}

/// A node of the cluster.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeStatus {
    /// How other nodes reach it.
    pub address: String,
    /// How many tables it runs.
    pub tables: u64,
    /// Whether it is about to stop.
    pub draining: bool,
    /// Whether it is the one that answers.
    pub here: bool,
}

/// `GET /api/tables`: a table that this server runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunningTable {
    /// What it is.
    #[serde(flatten)]
    pub listing: Listing,
    /// Whether it is in the public list.
    pub public: bool,
    /// People who watch.
    pub onlookers: u8,
    /// The round that is played, from 1; left out before the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round: Option<u32>,
}

/// `GET /api/people`: somebody who is connected to this server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConnectedPerson {
    /// The guest's number.
    pub guest: u64,
    /// The guest's name; at the table they may have another.
    pub name: String,
    /// Where they are connected from: an IPv4 address or the /64 of an IPv6 address.
    pub address: String,
    /// The code of the table.
    pub table: String,
    /// Since when, in milliseconds since 1970.
    pub since: u64,
    /// Whether they are muted.
    pub muted: bool,
}

/// `POST /api/bans` and `POST /api/mutes`: keeps somebody away or quiet for a time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewSanction {
    /// A guest's number, or for a ban an address or a network such as 192.0.2.7, 192.0.2.0/24 or 2001:db8::/48.
    pub whom: String,
    /// For how many seconds.
    pub seconds: u64,
    /// Why, for the log; nobody else is told.
    #[serde(default)]
    pub why: String,
}

/// `POST /api/unban` and `POST /api/unmute`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lifted {
    /// As when it was made.
    pub whom: String,
}

/// `GET /api/bans` and `GET /api/mutes`: a ban or a mute in force.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SanctionView {
    /// A guest's number, an address or a network.
    pub whom: String,
    /// The guest's name, if it is about a guest who is still known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Since when, in milliseconds since 1970.
    pub since: u64,
    /// Until when.
    pub until: u64,
    /// Why.
    pub why: String,
}

/// `POST /api/announce`: a message that everybody who is connected is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewAnnouncement {
    /// The words.
    pub text: String,
}

/// `POST /api/drain`: the server is about to stop, or is not after all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Draining {
    /// Whether it is.
    pub on: bool,
}

/// How many were reached by something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reached {
    /// Connections at this server that an announcement was sent to, or that a ban has ended.
    pub connections: u64,
}

/// `GET /api/reports` and `GET /api/reports/{id}`: a report. The list leaves out what was said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReportView {
    /// Its number.
    pub id: u64,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// The number of the guest who reports.
    pub reporter: u64,
    /// The number of the guest who is reported.
    pub guest: u64,
    /// Whether it has been dealt with.
    pub done: bool,
    /// What it says.
    #[serde(flatten)]
    pub body: ReportBody,
}

/// `GET /api/log`: something that an operator has done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActView {
    /// Its number.
    pub id: u64,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// What was done.
    #[serde(flatten)]
    pub act: Act,
}

/// An act of an operator, as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Act {
    /// Who: `this machine`, or `token` and the address it came from.
    pub who: String,
    /// What: `ban`, `unban`, `mute`, `unmute`, `close`, `drain`, `undrain`, `announce`, `report` (looked at) or `done` (with a
    /// report).
    pub act: String,
    /// On whom or what.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub on: String,
    /// For how long, why, or which words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}
