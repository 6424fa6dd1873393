//! Journal entries: facts in order. Applying them to an empty table yields the table.

use serde::{Deserialize, Serialize};
use unum_rules::fair::{Entropy, Pledge, Secret};
use unum_rules::record::Digest;
use unum_rules::wire::ActionForm;
use unum_rules::{Match, RULES_VERSION, Seat};

use unum_protocol::{Actor, Away, Level, Look, Pace, Person, Reaction, Settings};

use crate::{Continued, Moment};

/// A guest of the server: the same person at every table. Never revealed to others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, unum_rules::json::Read)]
pub struct GuestId(pub u64);

/// Where a guest connects from: a one-way number that distinguishes addresses. Never revealed, and stored only for
/// somebody who was removed together with their address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, unum_rules::json::Read)]
pub struct AddressMark(pub u64);

/// One change of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, unum_rules::json::Read)]
pub struct Entry {
    /// Its number, from 1, without gaps.
    pub seq: u64,
    /// When.
    pub at: Moment,
    /// Whose request it carries out, and the number of that request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<(Person, u32)>,
    /// What.
    pub fact: Fact,
    /// Who wrote it, and how the game stood afterwards; see [`Seal`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seal: Option<Box<Seal>>,
}

/// What an entry is checked by when it is applied again: on the first entry, on every deal, at the end of a round and
/// after every [`SEALED_MOVES`] moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, unum_rules::json::Read)]
pub struct Seal {
    /// The version of the program that wrote it.
    pub program: String,
    /// The version of the rules it was played by.
    pub rules: u32,
    /// The first 16 hex digits of the game's digest after the entry; `None` without a game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
}

/// How many moves of a round lie between two seals.
pub const SEALED_MOVES: u32 = 32;
/// The newest format of entries and snapshots that this version reads and writes. A change that earlier versions cannot
/// read takes the next number; servers of earlier versions then leave the table alone.
pub const FORMAT: u64 = 1;

/// The version of this program.
pub(crate) const PROGRAM: &str = env!("CARGO_PKG_VERSION");

impl Seal {
    /// The seal of a table that looks like this now.
    pub(crate) fn of(game: Option<&Match>) -> Seal {
        Seal { program: PROGRAM.to_owned(), rules: RULES_VERSION, game: game.map(fingerprint) }
    }
}

/// The beginning of a game's digest.
pub(crate) fn fingerprint(game: &Match) -> String {
    let mut digits = Digest::of_state(game).to_string();
    digits.truncate(16);
    digits
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, unum_rules::json::Read)]
#[serde(tag = "type", rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Fact {
    Opened {
        code: String,
        /// Whose table it is.
        opener: GuestId,
        settings: Settings,
        secret: Secret,
        /// The match that goes on here, if it was begun elsewhere.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        continued: Option<Box<Continued>>,
    },
    Joined {
        person: Person,
        guest: GuestId,
        name: String,
        #[serde(default, skip_serializing_if = "Look::is_none")]
        look: Look,
    },
    Sat {
        person: Person,
        /// A seat that was a bot's, or somebody's who is gone; left out: a new chair.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<Seat>,
    },
    /// Somebody wants a seat when the round is over; without one, a chair when the next match begins.
    Claimed {
        person: Person,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<Seat>,
    },
    /// They no longer want one, or cannot have it.
    Unclaimed {
        person: Person,
    },
    Stood {
        person: Person,
    },
    Left {
        person: Person,
        /// Whether their seat is kept for them.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        kept: bool,
    },
    /// A seat is no longer kept for a guest, and gets another name.
    Released {
        seat: Seat,
        name: String,
    },
    Kicked {
        person: Person,
        /// The address from which nobody new may come.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        address: Option<AddressMark>,
    },
    /// A removed person may come back.
    Unkicked {
        person: Person,
    },
    /// The table was locked to newcomers, or unlocked.
    Locked {
        locked: bool,
    },
    /// The table has another code.
    CodeRenewed {
        code: String,
    },
    /// Somebody was gone for so long that their chair is free again.
    ChairLost {
        person: Person,
    },
    Renamed {
        person: Person,
        name: String,
    },
    /// A guest was deleted: from now on they have this name, and what they said is gone.
    Forgotten {
        person: Person,
        name: String,
    },
    /// Somebody has come back with another look.
    Dressed {
        person: Person,
        look: Look,
    },
    HostPassed {
        person: Person,
        /// Whether they only stand in for the owner.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        acting: bool,
    },
    SettingsChanged {
        settings: Settings,
    },
    /// Somebody who plays only with bots changes their pace.
    PaceChanged {
        pace: Pace,
    },
    Accepted {
        person: Person,
    },
    Ready {
        person: Person,
        ready: bool,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pledge: Option<Pledge>,
    },
    BotAdded {
        level: Level,
        name: String,
    },
    BotRemoved {
        seat: Seat,
    },
    /// A new secret for the next deal, made when the last round was over.
    Committed {
        secret: Secret,
    },
    /// The next round is about to be dealt: see `dealing.rs`.
    DealBegun {},
    Pledged {
        person: Person,
        pledge: Pledge,
    },
    /// Everybody who plays has pledged.
    PledgesClosed {},
    PartOpened {
        person: Person,
        part: Entropy,
    },
    /// These seats pledged and did not open.
    Withheld {
        seats: Vec<Seat>,
    },
    /// A round is dealt with the secret committed to and the parts that were opened.
    Dealt {},
    Acted {
        seat: Seat,
        action: ActionForm,
        #[serde(rename = "hand")]
        actor: Actor,
    },
    StoodIn {
        seat: Seat,
        why: Away,
    },
    CameBack {
        seat: Seat,
    },
    Reopened {},
    /// The round could not be restored: the table falls back to where it was before the deal.
    RoundLost {},
    /// The chat is deleted, a while after the last person was here.
    Hushed {},
    Chatted {
        person: Person,
        text: String,
    },
    Reacted {
        person: Person,
        reaction: Reaction,
    },
    /// A bot has something to say.
    BotReacted {
        seat: Seat,
        reaction: Reaction,
    },
    Muted {
        person: Person,
        other: Person,
        muted: bool,
    },
    Accused {
        person: Person,
        seat: Seat,
        /// Who votes. It depends on addresses, which the journal does not hold.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        voters: Vec<Person>,
    },
    Judged {
        person: Person,
        yes: bool,
    },
    /// The vote is over; if it was upheld, the penalty is drawn with this.
    AccusationEnded {
        seat: Seat,
        upheld: bool,
    },
    Closed {},
}
