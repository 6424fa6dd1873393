//! Leases with fencing: which of several nodes runs a table.
//!
//! A table has an owner and an epoch, and every append names the epoch: once another node has taken the table, nothing
//! of the old owner is written any more, whatever clocks, pauses or networks do. When a node may take a table is decided
//! by time, the database's: every node renews one row of its own, and one that has not for a whole [`Terms::term`] is
//! declared dead by the others. Time decides only when play goes on elsewhere; the epoch decides what is written.

use std::time::Duration;

/// Under which terms a node holds its tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// For how long a node that is silent keeps its tables.
    pub term: Duration,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms { term: Duration::from_secs(6) }
    }
}

impl Terms {
    /// How often a node renews.
    pub fn renewed_every(self) -> Duration {
        self.term / 6
    }

    /// If no node has renewed for so long, it was the database that was away: nobody is to blame, and all leases begin
    /// again.
    pub fn gap(self) -> Duration {
        self.term / 2
    }

    /// For how long after it asked for the last renewal it got a node goes on serving its tables.
    pub fn served_for(self) -> Duration {
        self.term * 5 / 6
    }
}

/// Who runs a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Owner {
    /// This node does, in this epoch, which its appends have to name.
    Here {
        /// The fencing token.
        epoch: u64,
    },
    /// Another node does.
    Elsewhere {
        /// Which.
        node: u64,
        /// How the others reach it.
        address: String,
    },
    /// This node cannot: a newer version has written to it in a format that this node does not know.
    Newer {
        /// The format.
        format: u64,
    },
    /// There is no such table.
    Nobody,
}

/// The right of a node to run a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// The table.
    pub table: String,
    /// The fencing token.
    pub epoch: u64,
}

/// A node of a cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeRow {
    /// A number that no other node ever gets: a program that is started again is another node.
    pub id: u64,
    /// How the others reach it.
    pub address: String,
    /// How many tables it runs.
    pub tables: u64,
    /// Whether it is this one.
    pub is_this: bool,
    /// The version of its program.
    pub version: String,
    /// Whether it wants the database for itself.
    pub is_alone: bool,
    /// What it is doing.
    pub state: NodeState,
    /// How long ago it renewed its leases.
    pub silent_for: Duration,
}

/// What a node is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeState {
    /// It runs tables.
    Alive,
    /// It is about to stop, and gives its tables away.
    Draining,
    /// Its lease has run out. The next node that looks declares it dead, unless the database was away meanwhile.
    Silent,
    /// It has left, or was declared dead.
    Gone,
}

impl NodeState {
    /// A word for it.
    pub fn id(self) -> &'static str {
        match self {
            NodeState::Alive => "alive",
            NodeState::Draining => "draining",
            NodeState::Silent => "silent",
            NodeState::Gone => "gone",
        }
    }
}

/// How a node takes part in a cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Membership {
    /// Its number, if it has one already: the same on all databases of a cluster.
    pub node: Option<u64>,
    /// The version of its program.
    pub version: String,
    /// The newest format of entries that it reads and writes.
    pub format: u64,
    /// Which of the databases of a cluster this is; `None` if that does not matter.
    pub shard: Option<usize>,
    /// The cluster, if it is known already.
    pub cluster: Option<u64>,
    /// Whether it wants the database for itself.
    pub is_alone: bool,
}

#[cfg(test)]
mod model;
