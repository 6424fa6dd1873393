//! The table.

use unum_bots::LevelBot;
use unum_rules::{Action, Round, Rules, Seat};

use crate::wire::{Request, ServerMsg, Settings};
use crate::{Entry, GuestId, Moment};

/// Where a table gets bytes nobody can guess: the operating system's generator, or a seeded one in tests.
pub trait Dice {
    /// 32 fresh bytes.
    fn roll(&mut self) -> [u8; 32];
}

/// What happens to a table.
#[derive(Clone, Debug)]
pub enum Input {
    /// A guest has connected (again). Whoever is not known joins as an onlooker, or in the lobby as a player.
    Arrived {
        /// Who.
        guest: GuestId,
        /// What they want to be called, if they are new here.
        name: String,
    },
    /// A guest's connection is gone.
    Gone {
        /// Who.
        guest: GuestId,
    },
    /// A guest wants something.
    Asked {
        /// Who.
        guest: GuestId,
        /// The number of the request.
        id: u32,
        /// What.
        request: Request,
    },
    /// A bot has made up its mind.
    Thought(Idea),
    /// Time has passed: see [`Table::deadline`].
    Tick,
}

/// What an input led to.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// What the journal must hold before anything is delivered; empty if nothing changed.
    pub entries: Vec<Entry>,
    /// The table just before its entry of that number, so that a long match reopens fast.
    pub snapshot: Option<Snapshot>,
    /// What to tell whom.
    pub deliveries: Vec<Delivery>,
    /// Who is not to be connected to this table any more, after the deliveries (kicked, or left).
    pub dismissed: Vec<GuestId>,
}

/// A message for some guests, all of whom may know what is in it.
#[derive(Clone, Debug)]
pub struct Delivery {
    /// For whom. Only guests who are connected.
    pub to: Vec<GuestId>,
    /// What.
    pub message: ServerMsg,
}

/// A whole table between two rounds, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The number of the last entry it contains.
    pub seq: u64,
    /// The table.
    pub body: String,
}

/// A bot who has to make up its mind: all it needs to do so elsewhere.
#[derive(Clone, Debug)]
pub struct Thought {
    seat: Seat,
    bot: LevelBot,
    round: Round,
    rules: std::sync::Arc<Rules>,
    scores: Vec<u32>,
    at: u64,
}

/// What a bot has in mind.
#[derive(Clone, Debug)]
pub struct Idea {
    /// The bot's seat.
    pub seat: Seat,
    /// What it would do; `None` if it would rather not do anything.
    pub action: Option<Action>,
    /// The number of the last entry it knew.
    pub at: u64,
}

impl Thought {
    /// Whether this can take milliseconds, and should not hold anybody up.
    pub fn is_slow(&self) -> bool {
        todo!()
    }

    /// Thinks.
    pub fn think(self) -> Idea {
        todo!()
    }
}

/// A public table, as the lobby lists it.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[allow(missing_docs)]
pub struct Listing {
    pub code: String,
    pub title: String,
    pub edition: unum_rules::Edition,
    pub people: u8,
    pub bots: u8,
    pub seats: u8,
    pub stage: crate::wire::Stage,
    pub spectators: bool,
}

/// Why a table could not be restored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RestoreError {
    /// The number of the entry that did not fit.
    pub seq: u64,
    /// What was wrong with it.
    pub message: String,
}

/// One table.
#[derive(Debug)]
pub struct Table {}

impl Table {
    /// Opens a table; the host has still to arrive.
    ///
    /// # Errors
    /// When the settings are not possible, as the refusal of a request would say.
    pub fn open(
        code: &str,
        settings: Settings,
        now: Moment,
        dice: &mut dyn Dice,
    ) -> Result<(Table, Outcome), ServerMsg> {
        let _ = (code, settings, now, dice);
        todo!()
    }

    /// Builds a table from what the journal holds: the last snapshot, if there is one, and every entry after it.
    /// Nobody is connected to it.
    ///
    /// # Errors
    /// When an entry does not fit.
    pub fn restore(
        snapshot: Option<&Snapshot>,
        entries: impl IntoIterator<Item = Entry>,
        now: Moment,
        dice: &mut dyn Dice,
    ) -> Result<Table, RestoreError> {
        let _ = (snapshot, entries.into_iter().count(), now, dice);
        todo!()
    }

    /// Lets something happen.
    pub fn handle(&mut self, input: Input, now: Moment, dice: &mut dyn Dice) -> Outcome {
        let _ = (input, now, dice);
        todo!()
    }

    /// What a guest who has just arrived is told: the welcome, then what came after that number, or all of it.
    pub fn greet(&self, guest: GuestId, after: Option<u64>, now: Moment) -> Vec<ServerMsg> {
        let _ = (guest, after, now);
        todo!()
    }

    /// When to come back with a [`Input::Tick`], if nothing else happens before.
    pub fn deadline(&self) -> Option<Moment> {
        todo!()
    }

    /// The bots whose time to think has come; each is handed out once. Their ideas come back as inputs.
    pub fn thoughts(&mut self, now: Moment) -> Vec<Thought> {
        let _ = now;
        todo!()
    }

    /// The number of the last entry.
    pub fn seq(&self) -> u64 {
        todo!()
    }

    /// The table's code.
    pub fn code(&self) -> &str {
        todo!()
    }

    /// Whether nobody is connected, so that nothing will happen until somebody comes: it may leave memory.
    pub fn is_idle(&self) -> bool {
        todo!()
    }

    /// Whether the table is closed for good.
    pub fn is_closed(&self) -> bool {
        todo!()
    }

    /// How many matches have been played to their end: each can be made a record of.
    pub fn matches(&self) -> u32 {
        todo!()
    }

    /// The table as the public list shows it, if it is public and open.
    pub fn listing(&self) -> Option<Listing> {
        todo!()
    }

    /// Frees what an idle table can do without: a client who comes back then gets a snapshot.
    pub fn shrink(&mut self) {
        todo!()
    }
}
