//! One table with a journal, virtual time and people who get messages.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::render::{Codec, Outgoing};
use crate::{
    AddressMark, Continued, Dice as _, Entry, GuestId, Input, MatchPart, Moment, Newcomer, Outcome, SeededDice,
    Snapshot, Table,
};
use unum_protocol::rest::Continuation;
use unum_protocol::{GameView, LobbyView, Look, OwnView, Refusal, Request, ServerMsg, Settings};
use unum_witness::{Verdict, Witness};

/// Writes every message straight from the state and as a value, and compares the two.
struct Twofold;

impl Codec for Twofold {
    type Frame = ServerMsg;

    fn encode(&mut self, message: &Outgoing<'_>) -> ServerMsg {
        let value = message.to_message();
        let (straight, written) = (serde_json::to_string(message), serde_json::to_string(&value));
        let (straight, written) = (straight.expect("a form in JSON"), written.expect("a form in JSON"));
        assert_eq!(straight, written, "a message is written as its value is");
        let read: ServerMsg = serde_json::from_str(&written).expect("a client can read what a table says");
        assert_eq!(read, value, "a message is read as it was written");
        value
    }
}

/// What an outcome tells, guest by guest.
fn letters(outcome: &Outcome) -> VecDeque<(GuestId, ServerMsg)> {
    let to = |delivery: &crate::Delivery| delivery.to.clone();
    outcome.deliveries.iter().flat_map(|told| to(told).into_iter().map(|guest| (guest, told.message.clone()))).collect()
}

/// What a table that lies makes of a message.
pub type Lie = fn(&mut ServerMsg);

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
    /// What snapshots took along of matches.
    pub parts: Vec<MatchPart>,
    /// What everybody was told, by guest, one change at a time.
    pub inboxes: BTreeMap<GuestId, Vec<ServerMsg>>,
    /// The greatest request number of each guest.
    ids: BTreeMap<GuestId, u32>,
    /// The look of the next person to arrive.
    pub look: Look,
    /// Where they come from.
    pub address: Option<AddressMark>,
    /// Everybody's client takes part in deals by itself, and checks them.
    pub witnesses: BTreeMap<GuestId, Witness>,
    /// Whose clients do not answer by themselves.
    pub silent: BTreeSet<GuestId>,
    /// What was found about deals.
    pub verdicts: Vec<(GuestId, Verdict)>,
    /// Somebody whose messages are changed on the way, as by a table that lies to them, and how.
    pub lies: Option<(GuestId, Lie)>,
    /// Where people's clients get their bytes from.
    rolls: SeededDice,
}

impl Trial {
    /// Opens a table for somebody.
    ///
    /// # Errors
    /// When the settings are not possible.
    pub fn open(opener: GuestId, settings: Settings, seed: u64) -> Result<Trial, Refusal> {
        let (now, mut dice) = (Moment(1_000_000), SeededDice::new(seed));
        let opened = Table::open("trial", opener, settings, now, &mut dice)?;
        Ok(Trial::around(opened, now, dice, seed))
    }

    /// Opens a table at which somebody goes on with a match.
    ///
    /// # Errors
    /// When it is not such a match.
    pub fn go_on(opener: GuestId, given: &Continuation, seed: u64) -> Result<Trial, Refusal> {
        let (now, mut dice) = (Moment(2_000_000), SeededDice::new(seed));
        let (settings, continued) = Continued::check(given, opener)?;
        let opened = Table::open_continued("trial", opener, settings, continued, now, &mut dice)?;
        Ok(Trial::around(opened, now, dice, seed))
    }

    fn around((table, opening): (Table, Entry), now: Moment, dice: SeededDice, seed: u64) -> Trial {
        Trial {
            table,
            now,
            dice,
            entries: vec![opening],
            snapshot: None,
            parts: Vec::new(),
            inboxes: BTreeMap::new(),
            ids: BTreeMap::new(),
            look: Look::default(),
            address: None,
            witnesses: BTreeMap::new(),
            silent: BTreeSet::new(),
            verdicts: Vec::new(),
            lies: None,
            rolls: SeededDice::new(!seed),
        }
    }

    /// Lets something happen, with what people's clients do about it by themselves.
    ///
    /// # Panics
    /// When somebody's client finds that a deal was not fair.
    pub fn input(&mut self, input: Input) -> Outcome {
        let outcome = self.input_alone(input);
        let told = letters(&outcome);
        self.witness(told, outcome)
    }

    /// Shows messages to people's clients, in order, and lets them answer.
    fn witness(&mut self, mut told: VecDeque<(GuestId, ServerMsg)>, mut outcome: Outcome) -> Outcome {
        while let Some((guest, mut message)) = told.pop_front() {
            let lied_to = self.lies.filter(|(victim, _)| *victim == guest);
            if let Some((_, lie)) = lied_to {
                lie(&mut message);
            }
            let heard = self.witnesses.entry(guest).or_default().hear(&message, &mut || self.rolls.roll());
            if let Some(verdict) = heard.verdict {
                // The cards of a lesson are not dealt by chance, and a client that did not open it says so.
                assert!(
                    lied_to.is_some() || self.table.settings().lesson || !verdict.is_alarm(),
                    "a fair table is accused by {guest:?}: {verdict}\n{message:?}"
                );
                self.verdicts.push((guest, verdict));
            }
            let requests = heard.requests.into_iter().filter(|_| !self.silent.contains(&guest));
            for request in requests.collect::<Vec<_>>() {
                let more = self.ask_alone(guest, request);
                told.extend(letters(&more));
                outcome.entries.extend(more.entries);
                outcome.deliveries.extend(more.deliveries);
                outcome.dismissed.extend(more.dismissed);
                outcome.parts.extend(more.parts);
                outcome.snapshot = more.snapshot.or(outcome.snapshot.take());
            }
        }
        outcome
    }

    /// Lets something happen, and keeps the journal and everybody's messages.
    fn input_alone(&mut self, input: Input) -> Outcome {
        let effects = self.table.take(input, self.now, &mut self.dice);
        let outcome = self.table.tell(effects, &mut Twofold);
        self.entries.extend(outcome.entries.iter().cloned());
        if outcome.snapshot.is_some() {
            self.snapshot.clone_from(&outcome.snapshot);
        }
        self.parts.extend(outcome.parts.iter().cloned());
        for delivery in &outcome.deliveries {
            for guest in &delivery.to {
                self.inboxes.entry(*guest).or_default().extend(delivery.message.clone().unfold());
            }
        }
        outcome
    }

    /// Somebody connects, and is greeted.
    pub fn arrive(&mut self, guest: GuestId, name: &str, after: Option<u64>) -> Outcome {
        let (look, address) = (self.look, self.address);
        let outcome = self.input_alone(Input::Arrived(Newcomer { look, address, ..Newcomer::named(guest, name) }));
        let mut told = VecDeque::new();
        if !outcome.dismissed.contains(&guest) {
            let greeting = self.table.greet(guest, after, self.now);
            let alone = greeting.iter().cloned().flat_map(ServerMsg::unfold);
            self.inboxes.entry(guest).or_default().extend(alone);
            told.extend(greeting.into_iter().map(|message| (guest, message)));
        }
        told.extend(letters(&outcome));
        self.witness(told, outcome)
    }

    /// Somebody asks for something, under the next number; their client adds what belongs to it.
    pub fn ask(&mut self, guest: GuestId, request: Request) -> Outcome {
        let witness = self.witnesses.entry(guest).or_default();
        let request = witness.prepare(request, &mut || self.rolls.roll());
        let outcome = self.ask_alone(guest, request);
        let told = letters(&outcome);
        self.witness(told, outcome)
    }

    fn ask_alone(&mut self, guest: GuestId, request: Request) -> Outcome {
        let id = self.ids.entry(guest).or_default();
        *id += 1;
        let id = *id;
        self.input_alone(Input::Asked { guest, id, request })
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

    /// Lets time pass, with everything that happens in it.
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

    /// What snapshots took along of one match, as a store keeps it.
    pub fn parts_of(&self, number: u32) -> Vec<&str> {
        let mut bodies = Vec::new();
        for part in self.parts.iter().filter(|part| part.number == number) {
            if part.first {
                bodies.clear();
            }
            bodies.push(part.body.as_str());
        }
        bodies
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

    /// What concerns somebody alone.
    pub fn own_for(&self, guest: GuestId) -> Option<OwnView> {
        self.table.greet(guest, None, self.now).into_iter().find_map(|message| match message {
            ServerMsg::Snapshot { own, .. } => Some(*own),
            _ => None,
        })
    }

    /// Refills everybody's budgets; no time passes for anything else.
    pub fn refill(&mut self) {
        self.table.budgets = Default::default();
    }
}

impl Table {
    /// Takes over from another table what no journal holds: who is connected, since when clocks run, and the
    /// changes before the last snapshot.
    pub(crate) fn adopt_presence(&mut self, other: &Table) {
        for member in &mut self.state.people {
            member.link = other.state.member(member.person).map(|same| same.link.clone()).unwrap_or_default();
        }
        self.state.hostless = other.state.hostless;
        // A restored table knows the changes since its snapshot only.
        self.state.recent.clone_from(&other.state.recent);
        if let (Some(game), Some(same)) = (&mut self.state.game, &other.state.game) {
            game.since = same.since;
            game.race.clone_from(&same.race);
        }
        if let (Some(dealing), Some(same)) = (&mut self.state.dealing, &other.state.dealing) {
            dealing.since = same.since;
        }
        if let (Some(accusation), Some(same)) = (&mut self.state.accusation, &other.state.accusation) {
            accusation.since = same.since;
        }
    }
}
