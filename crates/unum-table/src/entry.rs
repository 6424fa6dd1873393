//! What the journal holds: facts, in order. Whoever applies them to an empty table has the table.

use serde::{Deserialize, Serialize};
use unum_bots::Level;
use unum_rules::Seat;
use unum_rules::fair::{Entropy, Secret};
use unum_rules::wire::ActionForm;

use crate::wire::{Away, Hand, Person, Reaction, Settings, level_id};
use crate::{Look, Moment};

/// A guest of the server: the same person at every table. Never told to others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct GuestId(pub u64);

/// One change of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Fact {
    Opened {
        code: String,
        settings: Settings,
        secret: Secret,
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
    },
    Stood {
        person: Person,
    },
    Left {
        person: Person,
    },
    Kicked {
        person: Person,
    },
    Renamed {
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
    },
    SettingsChanged {
        settings: Settings,
    },
    Accepted {
        person: Person,
    },
    Ready {
        person: Person,
        ready: bool,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        entropy: Option<Entropy>,
    },
    BotAdded {
        #[serde(with = "level_id")]
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
    /// A round is dealt with the secret committed to and what the chairs added.
    Dealt {},
    Acted {
        seat: Seat,
        action: ActionForm,
        hand: Hand,
    },
    StoodIn {
        seat: Seat,
        why: Away,
    },
    CameBack {
        seat: Seat,
    },
    Reopened {},
    Chatted {
        person: Person,
        text: String,
    },
    Reacted {
        person: Person,
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
