//! The rows of the database as types.

use std::time::Duration;

/// What one step of a table adds to its journal: all of it is written, or nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// The table's id, which is its first code. The first batch, after number 0, makes the table.
    pub table: String,
    /// The code that invites to the table from now on, if it has changed.
    pub invite: Option<String>,
    /// The number of the last entry the journal is expected to have.
    pub after: u64,
    /// The epoch of the lease under which it is written, if the table has ever had one: a fencing token. In any other epoch
    /// nothing is written.
    pub epoch: u64,
    /// The next entries, numbered from `after + 1` on.
    pub entries: Vec<Vec<u8>>,
    /// A number and the table as it was after the entry of that number: it replaces the last snapshot, and the entries
    /// up to that number are deleted.
    pub snapshot: Option<(u64, Vec<u8>)>,
    /// What has to be kept of matches until their records are made.
    pub parts: Vec<Part>,
    /// The guest who opened the table, when it is opened: what it takes counts as theirs.
    pub owner: Option<u64>,
    /// Whether it does not count as somebody's doing: the table is forgotten no later for it.
    pub quiet: bool,
    /// Whether something was said, so that [`Store::talkative`](crate::Store::talkative) finds the table; `Some(false)` if
    /// all of it is forgotten.
    pub talk: Option<bool>,
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
        let parts: usize = self.parts.iter().map(|part| part.body.len()).sum();
        256 + entries + snapshot + parts
    }
}

/// A part of a match, kept until the match's record is made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// Which of the table's matches.
    pub number: u32,
    /// Whether it replaces all earlier parts of that number.
    pub first: bool,
    /// Whether it is the last, so that the record can be made.
    pub last: bool,
    /// What it says.
    pub body: Vec<u8>,
}

/// A match whose record is still to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unrecorded {
    /// The number of the table, for logs.
    pub id: u64,
    /// The code of the table.
    pub table: String,
    /// Which of its matches.
    pub number: u32,
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
    /// A number that no other table ever gets. It can be told in logs, unlike the code, which is the invitation.
    pub id: u64,
    /// About how many bytes it takes.
    pub bytes: u64,
    /// The first code it had, by which the store knows it.
    pub code: String,
    /// The code that invites to it.
    pub invite: String,
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
    /// The guests who took part, by seat.
    pub people: Vec<Option<u64>>,
    /// Guests who had a seat that somebody else has taken since: it is their game, too. Not read back.
    pub former: Vec<u64>,
    /// Which of the table's matches it is.
    pub number: u32,
    /// The versions of the program and of the rules that made it.
    pub made_by: String,
}

/// What there is to know of a finished game before it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordFacts {
    /// Whether its table was listed when the game was stored.
    pub public: bool,
    /// How many bytes it has.
    pub length: u64,
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
    /// Why nothing was deleted, if the clock cannot be believed.
    pub doubt: Option<Doubt>,
}

/// Why the clock cannot be believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// It is earlier than something that was stored.
    Behind,
    /// It is more than 30 days later than anything that was stored before this run, and the time since.
    Ahead,
    /// It was set by more than an hour in the last hours, or the machine slept for as long.
    Jumped,
}

/// What is in the journal of a table, piece by piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// The table; always the first.
    Table(&'a TableRow),
    /// The last snapshot and its number, if there is one.
    Snapshot(u64, &'a [u8]),
    /// An entry after it and its number, without gaps.
    Entry(u64, &'a [u8]),
}
