//! A table inside a page: what the page's worker asks the module that runs it, and what it is answered.
//!
//! Requests and messages of people stay what they are over a socket, as texts. So do entries, snapshots, parts and records:
//! the caller stores them and gives them back, and need not read them.

use serde::{Deserialize, Serialize};
use unum_rules::fair::{Commitment, FairDeal, Pledge};
use unum_rules::{CardName, Edition, RulesSpec, Seat};

use crate::rest::{FinishedGame, RecordFormat, Seated};
use crate::{Level, Look, ServerCode, Settings, Stage};

/// The longest question, in bytes: a record, or a whole table.
pub const MAX_ASK: usize = 32 << 20;
/// What the codes of tables inside a page begin with.
pub const LOCAL_CODE: &str = "local-";

/// What the module can be asked.
///
/// Those about a table are answered with a [`Step`]. There is one table at a time: another takes its place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, unum_rules::json::Read)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Ask {
    /// Opens a table, as `POST /api/tables` does.
    Open {
        /// What is played.
        #[cfg_attr(feature = "ts", ts(type = "Partial<Settings>"))]
        settings: Box<Settings>,
    },
    /// Brings a table back from what was stored.
    Restore {
        /// The last snapshot.
        snapshot: Option<Saved>,
        /// Every entry after it.
        entries: Vec<String>,
        /// The parts of the match that is being played.
        parts: Vec<String>,
    },
    /// The person connects.
    Arrive {
        /// The first message on the connection.
        hello: String,
        /// What they want to be called, if they are new here.
        name: String,
        /// How they want to look.
        look: Look,
    },
    /// The person sends a message.
    Send {
        /// The message.
        text: String,
    },
    /// The person's connection is gone.
    Leave {},
    /// Changes what is agreed on, as `PUT /api/tables/{code}/settings` does.
    Settings {
        /// What is played from now on.
        settings: Box<Settings>,
    },
    /// The batch of the last step is durable.
    Stored {},
    /// The table cannot go on here: people are told why, and it is forgotten.
    GiveUp {
        /// Why.
        code: ServerCode,
    },
    /// It is the time the table wanted to be woken at, or later.
    Tick {},
    /// Lets a bot think on for a moment.
    Think {
        /// How long the last such moment took, in milliseconds.
        spent: f64,
    },
    /// `GET /api/tables/{code}`, answered with a `TableSummary`.
    Table {},
    /// The match between two rounds, as a server can go on with it: answered with a `Continuation`.
    HandOver {},
    /// `GET /api/editions`, answered with `Editions`.
    Editions {},
    /// `GET /api/rules/{edition}`, answered with a `RuleBook`.
    Rules {
        /// Of which edition.
        edition: Edition,
    },
    /// A name as a table would have it, answered with a `Named`.
    Name {
        /// As it was typed.
        name: String,
    },
    /// Some steps of a record, answered with a `Replay`.
    Replay {
        /// The record; left out: the rounds of the table's match that are over.
        record: Option<String>,
        /// As seen from there; left out: all cards are open.
        seat: Option<Seat>,
        /// The first step.
        from: u32,
    },
    /// Begins a review, or tells how it stands, answered with a `ServedReview`. There is one at a time.
    Review {
        /// What the caller calls it: another name means another review.
        key: String,
        /// The record; left out: the rounds of the table's match that are over.
        record: Option<String>,
        /// One round alone.
        round: Option<u32>,
        /// The seat of the person who asks.
        seat: Option<Seat>,
    },
    /// Goes on with the review for a moment, answered with `More`.
    ReviewMore {},
    /// What a season keeps of the game under review, as far as it has come: answered with a `Text`.
    Figures {},
    /// Luck and play over many games, answered with a `Season`.
    Season {
        /// Whether games to come are counted.
        on: bool,
        /// The games, in any order. Those with figures that cannot be read are left out.
        games: Vec<SeasonEntry>,
    },
    /// Begins to analyze a moment, answered with `More`. There is one at a time.
    Look {
        /// The record; left out: the rounds of the table's match that are over.
        record: Option<String>,
        /// After which move.
        step: u32,
    },
    /// Goes on with that for a moment, answered with `More`.
    LookMore {},
    /// What was found, answered with an `Analysis`.
    Analysis {},
    /// A record in another form, answered with a `Text`.
    Record {
        /// The record.
        record: String,
        /// In which form.
        format: RecordFormat,
    },
    /// Plays a record again, answered with a `Verified`.
    Verify {
        /// The record.
        record: String,
    },
    /// What follows from a deal, answered with a `DealAgain`.
    Deal {
        /// What the round was dealt from.
        deal: FairDeal,
        /// By which rules.
        rules: RulesSpec,
        /// Who dealt, unless it was the first round of a match.
        dealer: Option<Seat>,
    },
    /// Plays random rounds, answered with a `Played`: the caller has the clock.
    Bench {
        /// Of which edition.
        edition: Edition,
        /// How many play.
        players: u8,
        /// How many rounds, at most 100,000.
        rounds: u32,
    },
}

/// What became of a question about the table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Step {
    /// The code of the table.
    pub code: String,
    /// What has to be durable before anything else is asked about the table; `stored` then tells what follows from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub batch: Option<Batch>,
    /// Messages for the person, in order: what they are about is durable.
    pub told: Vec<String>,
    /// Whether the connection ends after them.
    pub ended: bool,
    /// When the table wants to be woken, in milliseconds since 1970.
    pub wake: Option<u64>,
    /// Whether a bot thinks.
    pub thinks: bool,
}

/// What has to be stored in one piece.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Batch {
    /// The number of the last entry before. Entries are numbered from 1, without gaps.
    pub after: u64,
    /// The entries, in order.
    pub entries: Vec<String>,
    /// The table just after one of them. Entries up to that one, and earlier snapshots, are no longer needed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub snapshot: Option<Saved>,
    /// Parts of the match that is being played, to be kept in order until it is finished.
    pub parts: Vec<Part>,
    /// Matches that have come to their end. Their parts are no longer needed.
    pub finished: Vec<Finished>,
    /// The table as a list shows it.
    pub summary: Listed,
    /// Whether the table is closed for good: nothing of it is needed but its finished matches.
    pub closed: bool,
}

/// A whole table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, unum_rules::json::Read)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Saved {
    /// The number of the last entry it contains.
    pub seq: u64,
    /// The table.
    pub body: String,
}

/// A part of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Part {
    /// Which of the table's matches, from 1.
    pub number: u32,
    /// Whether the match begins with it: what was kept before belongs to one that was broken off.
    pub first: bool,
    /// Whether the match ends with it.
    pub last: bool,
    /// What happened.
    pub body: String,
}

/// A match that has come to its end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Finished {
    /// As lists have it. Its id is that of the record.
    pub game: FinishedGame,
    /// Where the person sat.
    pub seat: Option<Seat>,
    /// The record, as JSON.
    pub record: String,
    /// What a season keeps of it, with its luck alone; left out if it cannot be told.
    pub figures: Option<String>,
}

/// A game of a season.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, unum_rules::json::Read)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct SeasonEntry {
    /// The id of its record.
    pub id: String,
    /// When it ended, in milliseconds since 1970.
    pub ended: u64,
    /// Where the person sat.
    pub seat: Seat,
    /// The levels of the bots, by seat; none for people.
    pub levels: Vec<Option<Level>>,
    /// What is kept of it.
    pub figures: String,
}

/// A table in a list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Listed {
    /// Its code.
    pub code: String,
    /// Its title.
    pub title: String,
    /// What is played.
    pub edition: Edition,
    /// What the table is doing.
    pub stage: Stage,
    /// Who sits there, by seat.
    pub players: Vec<Seated>,
    /// The scores, by seat; empty before the first deal.
    pub scores: Vec<u32>,
    /// The number of the current or last round.
    pub round: Option<u32>,
    /// Whether it is the lesson.
    pub lesson: bool,
    /// When something last happened, in milliseconds since 1970.
    pub touched: u64,
}

/// A name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Named {
    /// As others see it.
    pub name: String,
}

/// A text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Text {
    /// The text.
    pub text: String,
}

/// Whether there is more to think about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct More {
    /// Whether there is.
    pub more: bool,
}

/// What a record proves: every card follows from its deals and its moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Verified {
    /// Whether there was a secret and a commitment for every round, or a plain seed.
    pub fair: bool,
    /// How many rounds there are.
    pub rounds: u32,
    /// How many moves.
    pub moves: u32,
    /// The rounds to which nobody added anything, from 1.
    pub unaided: Vec<u32>,
    /// The digest of the last state.
    #[serde(rename = "final")]
    pub final_state: String,
}

/// What follows from a deal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct DealAgain {
    /// What the table had to publish before.
    pub commitment: Commitment,
    /// The key of the generator.
    pub key: String,
    /// What the players had to publish before anybody opened a part, by seat.
    pub pledges: Vec<Option<Pledge>>,
    /// Who dealt.
    pub dealer: Seat,
    /// The hands as they were dealt, by seat.
    pub hands: Vec<Vec<CardName>>,
}

/// Rounds that were played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Played {
    /// How many.
    pub rounds: u32,
    /// How many actions that took.
    pub actions: u32,
}
