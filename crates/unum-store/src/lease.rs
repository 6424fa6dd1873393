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
        Terms { term: Duration::from_secs(9) }
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
    /// There is no such table.
    Nobody,
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
}

#[cfg(test)]
mod model;
