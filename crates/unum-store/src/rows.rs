//! The rows of the database, as types.

use std::time::Duration;

/// What one step of a table adds to its journal. It is atomic.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// The table's id, which is its first code. The first batch, after number 0, creates the table.
    pub table: String,
    /// The new code on the table's invitation, if it has changed.
    pub invite: Option<String>,
    /// The number of the journal's last entry, as the table expects it.
    pub after: u64,
    /// The epoch of the lease under which it is written, if the table has ever had one: a fencing token. In any other epoch
    /// nothing is written.
    pub epoch: u64,
    /// The next entries, numbered from `after + 1` on.
    pub entries: Vec<Vec<u8>>,
    /// A number and the table as it was after the entry with that number. It replaces the last snapshot and the entries
    /// up to that number, which are deleted later.
    pub snapshot: Option<(u64, Vec<u8>)>,
    /// Parts of matches, kept until their records are made.
    pub parts: Vec<Part>,
    /// The guest who opened the table, in the batch that opens it. Its size counts toward their quota.
    pub owner: Option<u64>,
    /// Whether this does not count as use, so that the table does not live longer for it.
    pub quiet: bool,
    /// `Some(true)` if something was said, so that [`Store::talkative`](crate::Store::talkative) finds the table;
    /// `Some(false)` if all chat is forgotten.
    pub talk: Option<bool>,
    /// How the table is listed from now on.
    pub listing: ListingChange,
    /// Guests who joined, so that they find their unfinished games.
    pub people: Vec<u64>,
    /// Guests who left for good.
    pub left: Vec<u64>,
    /// Whether the table is closed for good.
    pub closed: bool,
}

impl Batch {
    /// Roughly how much memory it takes.
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
    /// The number of the match at its table.
    pub number: u32,
    /// Whether it replaces all earlier parts of that match.
    pub first: bool,
    /// Whether it is the last, after which the record can be made.
    pub last: bool,
    /// The content.
    pub body: Vec<u8>,
}

/// What is kept of a review with its record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReviewRow {
    /// The review.
    pub review: Vec<u8>,
    /// What seasons are made of, by seat.
    pub figures: Vec<u8>,
}

/// A game of a season.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeasonRow {
    /// The id of its record.
    pub id: String,
    /// When it was stored, in milliseconds since 1970.
    pub stored: u64,
    /// The guest's seat.
    pub seat: u8,
    /// What lists say of it, as JSON.
    pub summary: String,
    /// What was kept as [`ReviewRow::figures`].
    pub figures: Vec<u8>,
}

/// A finished match without a record yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unrecorded {
    /// The number of the table, for logs.
    pub id: u64,
    /// The code of the table.
    pub table: String,
    /// The number of the match at its table.
    pub number: u32,
}

/// How the list of public tables changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ListingChange {
    /// Not at all.
    #[default]
    Keep,
    /// The table is no longer listed.
    Hide,
    /// It is listed with this text.
    Show(String),
}

/// A table, without its journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableRow {
    /// A number that no other table ever gets. Logs may contain it, unlike the code, which is an invitation.
    pub id: u64,
    /// Roughly how many bytes it takes.
    pub bytes: u64,
    /// Its first code, by which the store knows it.
    pub code: String,
    /// The code on its invitation.
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

/// All that is needed to resume a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredTable {
    /// The table.
    pub row: TableRow,
    /// The last snapshot and its number.
    pub snapshot: Option<(u64, Vec<u8>)>,
    /// Every entry after the snapshot (or from the first), with its number, without gaps.
    pub entries: Vec<(u64, Vec<u8>)>,
}

/// A new guest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewGuest {
    /// A hash of the secret token; the token itself is never stored.
    pub token: [u8; 32],
    /// What they want to be called.
    pub name: String,
    /// How they want to look, in a form the store does not interpret; empty for no choice.
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
    /// How they want to look; empty for no choice.
    pub look: String,
    /// When they first came, in milliseconds since 1970.
    pub created: u64,
    /// When they were last seen.
    pub seen: u64,
    /// Whether games to come are counted in their season.
    pub season: bool,
}

/// A finished game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordRow {
    /// Its key, chosen by the caller, the same for the same game.
    pub id: String,
    /// The code of the table it was played at.
    pub table: String,
    /// A short description for lists.
    pub summary: String,
    /// The whole game.
    pub body: Vec<u8>,
    /// The guests who took part, by seat.
    pub people: Vec<Option<u64>>,
    /// Guests whose seat somebody else has taken since: it is also their game. Not read back.
    pub former: Vec<u64>,
    /// The number of the match at its table.
    pub number: u32,
    /// The versions of the program and of the rules that made it.
    pub made_by: String,
    /// What seasons are made of, if that is known already. Not read back.
    pub figures: Option<Vec<u8>>,
    /// Guests whose season leaves it out. Not read back.
    pub uncounted: Vec<u64>,
}

/// Facts about a finished game, without its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordFacts {
    /// Whether its table was listed when the game was stored.
    pub public: bool,
    /// Its length in bytes.
    pub length: u64,
    /// The guests who took part.
    pub people: Vec<u64>,
}

/// A finished game in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordHead {
    /// Its key.
    pub id: String,
    /// The code of the table it was played at.
    pub table: String,
    /// When it was stored, in milliseconds since 1970.
    pub stored: u64,
    /// A short description.
    pub summary: String,
}

/// How long untouched data is kept; `None` means forever.
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
    /// Why nothing was deleted, if the clock cannot be trusted.
    pub doubt: Option<Doubt>,
}

/// Why the clock cannot be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// It is earlier than a stored date.
    Behind,
    /// It is more than 30 days ahead: of the latest date stored before this run plus the time since the start.
    Ahead,
    /// It was set by more than an hour within the last five hours, or the machine slept that long.
    Jumped,
}

/// A stored table, piece by piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// The table; always the first.
    Table(&'a TableRow),
    /// The last snapshot and its number, if there is one.
    Snapshot(u64, &'a [u8]),
    /// A later entry and its number, without gaps.
    Entry(u64, &'a [u8]),
}

// Moderation.

/// What somebody is kept from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sanction {
    /// Coming at all.
    Ban,
    /// Being heard.
    Mute,
}

impl Sanction {
    /// The number it is stored as.
    pub(crate) fn number(self) -> i64 {
        match self {
            Sanction::Ban => 0,
            Sanction::Mute => 1,
        }
    }

    /// What a stored number means.
    pub(crate) fn of(number: i64) -> Sanction {
        if number == 0 { Sanction::Ban } else { Sanction::Mute }
    }
}

/// A ban or a mute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SanctionRow {
    /// Which of them.
    pub kind: Sanction,
    /// Whom it concerns, in the server's words.
    pub subject: String,
    /// When it was made, in milliseconds since 1970.
    pub made: u64,
    /// When it ends.
    pub until: u64,
    /// Why.
    pub note: String,
}

/// What somebody has reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportRow {
    /// Its number.
    pub id: u64,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// Who reports.
    pub reporter: u64,
    /// Whom.
    pub guest: u64,
    /// What, in the server's words.
    pub body: String,
    /// Whether it has been dealt with.
    pub done: bool,
}

/// An entry of the audit log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActRow {
    /// Its number.
    pub id: u64,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// What, in the server's words.
    pub body: String,
}

/// Somebody whom a guest blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockRow {
    /// Who.
    pub other: u64,
    /// Since when, in milliseconds since 1970.
    pub at: u64,
    /// What they were called then.
    pub name: String,
}

/// A change of bans, mutes, reports, the audit log or blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Bans or mutes somebody, or changes for how long. Concerns nothing if there are too many.
    Sanction {
        /// Which of them.
        kind: Sanction,
        /// Whom.
        subject: String,
        /// Until when, in milliseconds since 1970.
        until: u64,
        /// Why.
        note: String,
    },
    /// Ends a ban or a mute early.
    Lift {
        /// Which of them.
        kind: Sanction,
        /// Whose.
        subject: String,
    },
    /// Reports somebody. Concerns nothing if there are too many of that reporter.
    Report {
        /// Who reports.
        reporter: u64,
        /// Whom.
        guest: u64,
        /// What.
        body: String,
    },
    /// A report has been dealt with.
    Done {
        /// Its number.
        id: u64,
    },
    /// Adds to the audit log.
    Act {
        /// What was done.
        body: String,
    },
    /// A guest blocks another.
    Block {
        /// The guest.
        guest: u64,
        /// The other.
        other: u64,
        /// What the other is called.
        name: String,
    },
    /// A guest blocks another no longer.
    Unblock {
        /// The guest.
        guest: u64,
        /// The other.
        other: u64,
    },
    /// Deletes what has run out.
    Tidy,
}

impl Change {
    /// Bytes of memory, about.
    pub(crate) fn weight(&self) -> usize {
        match self {
            Change::Sanction { subject, note, .. } => subject.len() + note.len(),
            Change::Report { body, .. } | Change::Act { body } => body.len(),
            Change::Block { name, .. } => name.len(),
            Change::Lift { .. } | Change::Done { .. } | Change::Unblock { .. } | Change::Tidy => 0,
        }
    }
}
