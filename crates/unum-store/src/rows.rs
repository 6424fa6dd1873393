//! What is stored.

use std::time::Duration;

/// What one step of a table adds to its journal: all of it is written, or nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// The table's code. The first batch, after number 0, makes the table.
    pub table: String,
    /// The number of the last entry the journal is expected to have.
    pub after: u64,
    /// The next entries, numbered from `after + 1` on.
    pub entries: Vec<Vec<u8>>,
    /// A number and the table as it was after the entry of that number: it replaces the last snapshot.
    pub snapshot: Option<(u64, Vec<u8>)>,
    /// How the table is listed from now on.
    pub listing: ListingChange,
    /// The guests who joined, to find their unfinished games.
    pub people: Vec<u64>,
    /// The guests who left for good.
    pub left: Vec<u64>,
    /// Whether nothing more will come.
    pub closed: bool,
}

impl Batch {
    /// About how much memory it takes.
    pub(crate) fn weight(&self) -> usize {
        let entries: usize = self.entries.iter().map(|body| body.len() + 32).sum();
        let snapshot = self.snapshot.as_ref().map_or(0, |(_, body)| body.len());
        256 + entries + snapshot
    }
}

/// How the list of public tables changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ListingChange {
    /// Not at all.
    #[default]
    Keep,
    /// The table is not listed any more.
    Hide,
    /// It is listed with this text.
    Show(String),
}

/// A table, without what happened at it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableRow {
    /// Its code.
    pub code: String,
    /// When it was opened, in milliseconds since 1970.
    pub opened: u64,
    /// When something was last written to it.
    pub touched: u64,
    /// When it was closed for good.
    pub closed: Option<u64>,
    /// The number of the last entry.
    pub last: u64,
    /// How it is listed, if it is.
    pub listing: Option<String>,
}

/// All that is needed to go on with a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredTable {
    /// The table.
    pub row: TableRow,
    /// The last snapshot and its number.
    pub snapshot: Option<(u64, Vec<u8>)>,
    /// Every entry after the snapshot (or from the first on), with its number, without gaps.
    pub entries: Vec<(u64, Vec<u8>)>,
}

/// Somebody new.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewGuest {
    /// A hash of the secret token; the token itself is never stored.
    pub token: [u8; 32],
    /// What they want to be called.
    pub name: String,
    /// How they want to look, in whatever words; empty for no wish.
    pub look: String,
}

/// A guest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GuestRow {
    /// A number that no other guest ever gets.
    pub id: u64,
    /// The hash of the secret token.
    pub token: [u8; 32],
    /// What they want to be called.
    pub name: String,
    /// How they want to look; empty for no wish.
    pub look: String,
    /// When they first came, in milliseconds since 1970.
    pub created: u64,
    /// When they were last seen.
    pub seen: u64,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordRow {
    /// What to fetch it by: chosen by who stores it, the same for the same game.
    pub id: String,
    /// The code of the table it was played at.
    pub table: String,
    /// A short description for lists.
    pub summary: String,
    /// The whole game.
    pub body: Vec<u8>,
    /// The guests who took part.
    pub people: Vec<u64>,
}

/// A finished game in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordHead {
    /// What to fetch it by.
    pub id: String,
    /// The code of the table it was played at.
    pub table: String,
    /// When it was stored, in milliseconds since 1970.
    pub stored: u64,
    /// A short description.
    pub summary: String,
}

/// How long things are kept that nobody touches. `None` keeps them for ever.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Retention {
    /// Tables with their journals, since the last entry.
    pub tables: Option<Duration>,
    /// Guests who sit at no table that is kept, since they were last seen.
    pub guests: Option<Duration>,
    /// Records of finished games, since they were stored.
    pub records: Option<Duration>,
}

/// How much was deleted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Forgotten {
    /// How many tables.
    pub tables: u64,
    /// How many guests.
    pub guests: u64,
    /// How many records.
    pub records: u64,
}
