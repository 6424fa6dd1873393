//! One table with a journal, virtual time and people who get messages.

use std::collections::BTreeMap;

use unum_rules::{Chance, Seeded};

use crate::wire::{GameView, LobbyView, Request, ServerMsg, Settings};
use crate::{Dice, Entry, GuestId, Input, Look, Moment, Outcome, Snapshot, Table};

/// Bytes from a seed: the same every time.
#[derive(Clone, Debug)]
pub struct SeededDice(Seeded);

impl SeededDice {
    /// From a number.
    pub fn new(seed: u64) -> SeededDice {
        SeededDice(Seeded::new(seed))
    }
}

impl Dice for SeededDice {
    fn roll(&mut self) -> [u8; 32] {
        std::array::from_fn(|_| self.0.below(256) as u8)
    }
}

/// A table, the time, the journal, and what everybody was told.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The table.
    pub table: Table,
    /// The time.
    pub now: Moment,
    /// Where the table gets its bytes from.
    pub dice: SeededDice,
    /// All entries so far.
    pub entries: Vec<Entry>,
    /// The last snapshot.
    pub snapshot: Option<Snapshot>,
    /// What everybody was told, by guest.
    pub inboxes: BTreeMap<GuestId, Vec<ServerMsg>>,
    /// The greatest request number of each guest.
    ids: BTreeMap<GuestId, u32>,
    /// How whoever arrives next wants to look.
    pub look: Look,
}

impl Trial {
    /// Opens a table.
    ///
    /// # Errors
    /// When the settings are not possible.
    pub fn open(settings: Settings, seed: u64) -> Result<Trial, ServerMsg> {
        let (now, mut dice) = (Moment(1_000_000), SeededDice::new(seed));
        let (table, outcome) = Table::open("trial", settings, now, &mut dice)?;
        let (inboxes, ids) = Default::default();
        let look = Look::default();
        Ok(Trial { table, now, dice, entries: outcome.entries, snapshot: None, inboxes, ids, look })
    }

    /// Lets something happen, and keeps the journal and everybody's messages.
    pub fn input(&mut self, input: Input) -> Outcome {
        let outcome = self.table.handle(input, self.now, &mut self.dice);
        self.entries.extend(outcome.entries.iter().cloned());
        if outcome.snapshot.is_some() {
            self.snapshot.clone_from(&outcome.snapshot);
        }
        for delivery in &outcome.deliveries {
            for guest in &delivery.to {
                self.inboxes.entry(*guest).or_default().push(delivery.message.clone());
            }
        }
        outcome
    }

    /// Somebody connects, and is greeted.
    pub fn arrive(&mut self, guest: GuestId, name: &str, after: Option<u64>) -> Outcome {
        let outcome = self.input(Input::Arrived { guest, name: name.to_owned(), look: self.look });
        if !outcome.dismissed.contains(&guest) {
            let greeting = self.table.greet(guest, after, self.now);
            self.inboxes.entry(guest).or_default().extend(greeting);
        }
        outcome
    }

    /// Somebody asks for something, under the next number.
    pub fn ask(&mut self, guest: GuestId, request: Request) -> Outcome {
        let id = self.ids.entry(guest).or_default();
        *id += 1;
        let id = *id;
        self.input(Input::Asked { guest, id, request })
    }

    /// Hands out what bots have to think about, and their ideas back, until they are all done for now.
    pub fn think(&mut self) {
        loop {
            let thoughts = self.table.thoughts(self.now);
            if thoughts.is_empty() {
                return;
            }
            for thought in thoughts {
                self.input(Input::Thought(thought.think()));
            }
        }
    }

    /// Lets so many milliseconds pass, with everything that happens in them.
    pub fn wait(&mut self, milliseconds: u64) {
        let end = Moment(self.now.0 + milliseconds);
        self.think();
        while let Some(due) = self.table.deadline().filter(|due| *due <= end) {
            self.now = self.now.max(due);
            self.input(Input::Tick);
            self.think();
        }
        self.now = end;
    }

    /// The table as the journal gives it back: from the last snapshot on, or from the beginning.
    ///
    /// # Errors
    /// When the journal does not fit.
    pub fn restored(&self, from_snapshot: bool) -> Result<Table, crate::RestoreError> {
        let snapshot = self.snapshot.as_ref().filter(|_| from_snapshot);
        let after = snapshot.map_or(0, |snapshot| snapshot.seq);
        let entries = self.entries.iter().filter(|entry| entry.seq > after).cloned();
        Table::restore(snapshot, entries, self.now, &mut SeededDice::new(1))
    }

    /// All that somebody may know now.
    pub fn snapshot_for(&self, guest: GuestId) -> Option<(LobbyView, Option<GameView>)> {
        self.table.greet(guest, None, self.now).into_iter().find_map(|message| match message {
            ServerMsg::Snapshot { lobby, game, .. } => Some((*lobby, game.map(|game| *game))),
            _ => None,
        })
    }
}

impl Table {
    /// Takes over from another table what no journal holds: who is connected, and since when clocks run.
    pub(crate) fn adopt_presence(&mut self, other: &Table) {
        for member in &mut self.state.people {
            member.link = other.state.member(member.person).map(|same| same.link).unwrap_or_default();
        }
        if let (Some(game), Some(same)) = (&mut self.state.game, &other.state.game) {
            game.since = same.since;
        }
        if let (Some(accusation), Some(same)) = (&mut self.state.accusation, &other.state.accusation) {
            accusation.since = same.since;
        }
    }
}
