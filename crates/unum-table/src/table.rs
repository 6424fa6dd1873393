//! The table: inputs in, entries and messages out.

use std::collections::VecDeque;

use crate::bots::{Idea, Plan, Thought};
use crate::lobby::check_settings;
use crate::race::Held;
use crate::state::{Member, State};
use crate::trouble::{Trouble, TroubleCode};
use crate::wire::{Person, Request, ServerMsg, Settings, Stage};
use crate::{Entry, Fact, GuestId, Look, Moment};

/// Where a table gets bytes nobody can guess: the operating system's generator, or a seeded one in tests.
pub trait Dice {
    /// 32 fresh bytes.
    fn roll(&mut self) -> [u8; 32];
}

/// What happens to a table.
#[derive(Clone, Debug)]
pub enum Input {
    /// A guest has connected (again). Whoever is not known joins as an onlooker, or in the lobby as a player.
    ///
    /// What the newcomer is told is not in the outcome's deliveries: call [`Table::greet`] before any other input, and
    /// deliver it together with them. Who cannot stay is in `dismissed`, and has a last message in the deliveries.
    Arrived {
        /// Who.
        guest: GuestId,
        /// What they want to be called, if they are new here.
        name: String,
        /// How they want to look.
        look: Look,
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
        /// The number of the request; 0 for one that was not made over a connection, has no number to be acknowledged
        /// by, and is carried out whenever it comes.
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
    /// The table just before one of the entries, so that a long match reopens fast.
    pub snapshot: Option<Snapshot>,
    /// What to tell whom, in this order.
    pub deliveries: Vec<Delivery>,
    /// Who is not to be connected to this table any more, after the deliveries (kicked, left, or turned away).
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
    pub stage: Stage,
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

impl std::fmt::Display for RestoreError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "entry {} does not fit: {}", self.seq, self.message)
    }
}

impl std::error::Error for RestoreError {}

/// One table.
#[derive(Clone, Debug)]
pub struct Table {
    pub(crate) state: State,
    /// What the bots are up to.
    pub(crate) plan: Plan,
    /// What waits for the end of somebody's grace.
    pub(crate) held: VecDeque<Held>,
}

/// One input being handled.
pub(crate) struct Turn<'a> {
    pub(crate) now: Moment,
    pub(crate) dice: &'a mut dyn Dice,
    pub(crate) out: Outcome,
    /// Whose request it is and its number, until an entry carries them.
    pub(crate) by: Option<(Person, u32)>,
    /// The number of the last entry before.
    before: u64,
    /// Who is greeted instead of updated.
    pub(crate) newcomer: Option<GuestId>,
    /// Who has left, and why they are told to go.
    pub(crate) parting: Vec<(Member, Trouble)>,
    /// Whether somebody came or went.
    pub(crate) presence: bool,
}

impl<'a> Turn<'a> {
    fn new(before: u64, now: Moment, dice: &'a mut dyn Dice) -> Turn<'a> {
        let out = Outcome::default();
        Turn { now, dice, out, by: None, before, newcomer: None, parting: Vec::new(), presence: false }
    }

    pub(crate) fn tell(&mut self, guest: GuestId, message: ServerMsg) {
        self.out.deliveries.push(Delivery { to: vec![guest], message });
    }
}

impl Table {
    /// Opens a table; the host has still to arrive: whoever comes first is.
    ///
    /// # Errors
    /// When the settings are not possible, as the refusal of a request would say.
    pub fn open(
        code: &str,
        settings: Settings,
        now: Moment,
        dice: &mut dyn Dice,
    ) -> Result<(Table, Outcome), ServerMsg> {
        let settings = check_settings(settings, 0).map_err(|trouble| trouble.refusal(None))?;
        let secret = unum_rules::fair::Secret(dice.roll());
        let fact = Fact::Opened { code: code.to_owned(), settings, secret };
        let entry = Entry { seq: 1, at: now, by: None, fact };
        let state = State::opened(&entry).map_err(|trouble| trouble.refusal(None))?;
        Ok((Table::of(state), Outcome { entries: vec![entry], ..Outcome::default() }))
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
        let mut entries = entries.into_iter();
        let error = |seq: u64| move |trouble: Trouble| RestoreError { seq, message: trouble.to_string() };
        let mut state = match (snapshot, entries.by_ref()) {
            (Some(snapshot), _) => State::load(snapshot)?,
            (None, entries) => {
                let none = RestoreError { seq: 1, message: "there is no entry at all".to_owned() };
                let first = entries.next().ok_or(none)?;
                State::opened(&first).map_err(error(first.seq))?
            }
        };
        for entry in entries {
            state.apply(&entry, dice).map_err(error(entry.seq))?;
            state.forget_old_changes();
        }
        state.restart_clocks(now);
        Ok(Table::of(state))
    }

    fn of(state: State) -> Table {
        Table { state, plan: Plan::default(), held: VecDeque::new() }
    }

    /// Lets something happen.
    pub fn handle(&mut self, input: Input, now: Moment, dice: &mut dyn Dice) -> Outcome {
        let mut turn = Turn::new(self.state.seq, now, dice);
        match input {
            Input::Arrived { guest, name, look } => self.arrive(guest, &name, look, &mut turn),
            Input::Gone { guest } => self.go(guest, &mut turn),
            Input::Asked { guest, id, request } => self.ask(guest, id, request, &mut turn),
            Input::Thought(idea) => self.consider(idea, &mut turn),
            Input::Tick => self.tick(&mut turn),
        }
        self.settle(&mut turn);
        self.release(&mut turn);
        self.plan_bots(&mut turn);
        self.deliver(&mut turn);
        self.state.forget_old_changes();
        turn.out
    }

    /// What a guest who has just arrived is told: the welcome, then what came after that number, or all of it.
    pub fn greet(&self, guest: GuestId, after: Option<u64>, now: Moment) -> Vec<ServerMsg> {
        match self.state.guest(guest) {
            Some(member) => self.state.greeting(member, after, now),
            None => vec![Trouble::new(TroubleCode::NotHere, "you are not at this table").bye()],
        }
    }

    /// The number of the last entry.
    pub fn seq(&self) -> u64 {
        self.state.seq
    }

    /// The table's code.
    pub fn code(&self) -> &str {
        &self.state.code
    }

    /// Whether nobody is connected, so that nothing will happen until somebody comes: it may leave memory.
    pub fn is_idle(&self) -> bool {
        !self.state.is_watched()
    }

    /// Whether the table is closed for good.
    pub fn is_closed(&self) -> bool {
        self.state.stage == Stage::Closed
    }

    /// How many matches have been played to their end: each can be made a record of.
    pub fn matches(&self) -> u32 {
        self.state.matches
    }

    /// The guests who sit at the table, people who look on included.
    pub fn guests(&self) -> impl Iterator<Item = GuestId> + '_ {
        self.state.people.iter().map(|member| member.guest)
    }

    /// The table as the public list shows it, if it is public and open.
    pub fn listing(&self) -> Option<Listing> {
        let listed = self.state.settings.public && self.state.stage != Stage::Closed;
        listed.then(|| self.summary())
    }

    /// The table as anybody may know it who has its code.
    pub fn summary(&self) -> Listing {
        let state = &self.state;
        Listing {
            code: state.code.clone(),
            title: state.settings.title.clone(),
            edition: state.settings.rules.edition,
            people: state.chairs.iter().filter(|chair| chair.person.is_some()).count() as u8,
            bots: state.chairs.iter().filter(|chair| chair.person.is_none()).count() as u8,
            seats: state.settings.seats,
            stage: state.stage,
            spectators: state.settings.spectators,
        }
    }

    /// What is agreed.
    pub fn settings(&self) -> &Settings {
        &self.state.settings
    }

    /// Frees what an idle table can do without: a client who comes back then gets a snapshot.
    pub fn shrink(&mut self) {
        self.state.recent = VecDeque::new();
        self.state.chat.shrink_to_fit();
        self.state.people.shrink_to_fit();
        self.state.chairs.shrink_to_fit();
        self.plan = Plan::default();
        self.held = VecDeque::new();
    }

    /// The bots whose time to think has come; each is handed out once. Their ideas come back as inputs.
    pub fn thoughts(&mut self, now: Moment) -> Vec<Thought> {
        if self.is_idle() { Vec::new() } else { self.plan.hand_out(&self.state, now) }
    }

    /// Makes an entry of a fact and carries it out; it is the one that carries out the request, if there is one.
    ///
    /// # Errors
    /// When it is refused; nothing has changed then.
    pub(crate) fn commit(&mut self, fact: Fact, turn: &mut Turn<'_>) -> Result<(), Trouble> {
        let entry = Entry { seq: self.state.seq + 1, at: turn.now, by: turn.by, fact };
        let snapshot = self.state.worth_saving(&entry.fact).then(|| self.state.save());
        self.state.apply(&entry, turn.dice)?;
        turn.by = None;
        turn.out.entries.push(entry);
        turn.out.snapshot = snapshot.or(turn.out.snapshot.take());
        Ok(())
    }

    /// The same for a fact that is not what was asked for but has to come before.
    pub(crate) fn commit_first(&mut self, fact: Fact, turn: &mut Turn<'_>) -> Result<(), Trouble> {
        let by = turn.by.take();
        let done = self.commit(fact, turn);
        turn.by = by;
        done
    }

    /// Everything that follows from what happened.
    pub(crate) fn settle(&mut self, turn: &mut Turn<'_>) {
        turn.by = None;
        while let Some(fact) = self.consequence(turn) {
            if self.commit(fact, turn).is_err() {
                return;
            }
        }
    }

    fn consequence(&self, turn: &mut Turn<'_>) -> Option<Fact> {
        let state = &self.state;
        if state.stage == Stage::Closed {
            return None;
        }
        if state.people.is_empty() && state.next_person > 1 {
            return Some(Fact::Closed {});
        }
        if state.host.is_none() && !state.people.is_empty() {
            return state.successor(None).map(|person| Fact::HostPassed { person });
        }
        if let Some(ended) = state.verdict() {
            return Some(ended);
        }
        if state.spent && state.stage != Stage::Playing {
            return Some(Fact::Committed { secret: unum_rules::fair::Secret(turn.dice.roll()) });
        }
        state.is_next_deal_due(turn.now).then_some(Fact::Dealt {})
    }

    /// Tells everybody who is connected what has changed.
    fn deliver(&self, turn: &mut Turn<'_>) {
        let viewers = || self.state.people.iter().filter(|member| member.link.connected);
        let viewers = || viewers().filter(|member| Some(member.guest) != turn.newcomer);
        let mut columns: Vec<Vec<Delivery>> = Vec::new();
        for viewer in viewers() {
            let updates = self.state.updates(viewer, turn.before, turn.now);
            let presence = turn.presence.then(|| self.state.presence(viewer));
            for (column, message) in updates.into_iter().chain(presence).enumerate() {
                if columns.len() == column {
                    columns.push(Vec::new());
                }
                add(&mut columns[column], viewer.guest, message);
            }
        }
        turn.out.deliveries.extend(columns.into_iter().flatten());
        for (gone, why) in std::mem::take(&mut turn.parting) {
            self.part(&gone, why, turn);
        }
    }

    /// The last messages to somebody who has left or was sent away.
    fn part(&self, gone: &Member, why: Trouble, turn: &mut Turn<'_>) {
        if gone.link.connected {
            let farewell = self.state.farewell(gone, turn.before);
            farewell.into_iter().for_each(|update| turn.tell(gone.guest, update));
            turn.tell(gone.guest, why.bye());
        }
        turn.out.dismissed.push(gone.guest);
    }
}

/// Adds a message to those of its place; who gets the same as somebody else shares it.
fn add(column: &mut Vec<Delivery>, guest: GuestId, message: ServerMsg) {
    match column.iter_mut().find(|delivery| delivery.message == message) {
        Some(delivery) => delivery.to.push(guest),
        None => column.push(Delivery { to: vec![guest], message }),
    }
}
