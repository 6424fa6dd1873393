//! The table: inputs in, entries and messages out.

use std::collections::VecDeque;

use unum_protocol::rest::{Listing, Seated, TableSummary};
use unum_protocol::{Look, Person, Refusal, ReportBody, Request, ServerMsg, Settings, Stage, TableCode};

use crate::bots::{Idea, Plan, Thought};
use crate::budget::Budgets;
use crate::hint::Wanted;
use crate::lobby::check_settings;
use crate::post::Gathered;
use crate::quips::Quips;
use crate::race::Held;
use crate::render::{Codec, Owned};
use crate::state::{Member, State};
use crate::{AddressMark, Continued, Entry, Fact, GuestId, MatchPart, Moment, Seal};

/// A source of unguessable bytes: the operating system's generator, or a seeded one in tests.
pub trait Dice {
    /// 32 fresh bytes.
    fn roll(&mut self) -> [u8; 32];
}

/// Deterministic bytes from a seed: for tests, never for a game among people.
#[derive(Clone, Debug)]
pub struct SeededDice(unum_rules::Seeded);

impl SeededDice {
    /// From a number.
    pub fn new(seed: u64) -> SeededDice {
        SeededDice(unum_rules::Seeded::new(seed))
    }
}

impl Dice for SeededDice {
    fn roll(&mut self) -> [u8; 32] {
        std::array::from_fn(|_| unum_rules::Chance::below(&mut self.0, 256) as u8)
    }
}

/// An input to a table.
#[derive(Clone, Debug)]
pub enum Input {
    /// A guest has connected (again). A new guest joins as an onlooker, or in the lobby as a player.
    ///
    /// What the newcomer is told is not in the outcome's deliveries: call [`Table::greet`] before any other input, and
    /// deliver it together with them. Guests who cannot stay are in `dismissed`, with a last message in the deliveries.
    Arrived(Newcomer),
    /// A guest's connection is gone.
    Gone {
        /// Who.
        guest: GuestId,
    },
    /// A guest makes a request.
    Asked {
        /// Who.
        guest: GuestId,
        /// The number of the request; 0 for one that was not made over a connection: it is not acknowledged by number,
        /// and always carried out.
        id: u32,
        /// What.
        request: Request,
    },
    /// A bot has made up its mind.
    Thought(Idea),
    /// Time has passed: see [`Table::deadline`].
    Tick,
    /// Deletes the chat, if nobody is here.
    Hush,
    /// A guest was deleted: forgets their name and what they said.
    Forget {
        /// Who.
        guest: GuestId,
    },
    /// The operator of the server closes the table.
    Close,
}

/// Somebody who connects.
#[derive(Clone, Debug)]
pub struct Newcomer {
    /// Who.
    pub guest: GuestId,
    /// What they want to be called, if they are new here.
    pub name: String,
    /// How they want to look.
    pub look: Look,
    /// Where they connect from.
    pub address: Option<AddressMark>,
    /// Whom they have blocked, at this table or another.
    pub blocks: Vec<GuestId>,
}

impl Newcomer {
    /// A newcomer with only a name.
    pub fn named(guest: GuestId, name: impl Into<String>) -> Newcomer {
        Newcomer { guest, name: name.into(), look: Look::default(), address: None, blocks: Vec::new() }
    }
}

/// The result of an input; messages are encoded by a [`Codec`].
#[derive(Clone, Debug)]
pub struct Outcome<F = ServerMsg> {
    /// What the journal must hold before anything is delivered; empty if nothing changed.
    pub entries: Vec<Entry>,
    /// The table just after one of the entries. Entries up to that one are no longer needed.
    pub snapshot: Option<Snapshot>,
    /// The part of the current match that a snapshot includes, for its record.
    pub parts: Vec<MatchPart>,
    /// The messages, in order.
    pub deliveries: Vec<Delivery<F>>,
    /// What became of a request without a number.
    pub answer: Option<Result<(), Refusal>>,
    /// Whose connections end after the deliveries: kicked, left, or turned away.
    pub dismissed: Vec<GuestId>,
    /// What has to be reported to the operator. The requests are answered by whoever does that.
    pub reports: Vec<Reported>,
    /// Who is blocked everywhere from now on, or no longer.
    pub blocks: Vec<Blocked>,
}

/// Somebody reports somebody else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reported {
    /// The number of the request.
    pub id: u32,
    /// Who reports.
    pub reporter: GuestId,
    /// Whom.
    pub guest: GuestId,
    /// What, with what was said and done last.
    pub body: ReportBody,
}

/// Somebody blocks somebody else at every table, or no longer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocked {
    /// Who.
    pub guest: GuestId,
    /// Whom.
    pub other: GuestId,
    /// What the other is called.
    pub name: String,
    /// Whether they are blocked.
    pub blocked: bool,
}

/// A message for some guests, all of whom may know what is in it.
#[derive(Clone, Debug)]
pub struct Delivery<F = ServerMsg> {
    /// For whom. Only guests who are connected.
    pub to: Vec<GuestId>,
    /// What.
    pub message: F,
}

/// A whole table, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The number of the last entry it contains.
    pub seq: u64,
    /// The table.
    pub body: String,
}

/// Why a table could not be restored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("entry {seq} does not fit: {message}")]
pub struct RestoreError {
    /// The number of the entry that did not fit.
    pub seq: u64,
    /// What was wrong with it.
    pub message: String,
}

/// A table being restored from the journal, entry by entry.
#[derive(Debug)]
pub struct Restoring {
    state: Option<State>,
}

impl Restoring {
    /// Begins with the last snapshot, if there is one.
    ///
    /// # Errors
    /// When the snapshot cannot be read.
    pub fn begin(snapshot: Option<&Snapshot>, dice: &mut dyn Dice) -> Result<Restoring, RestoreError> {
        Ok(Restoring { state: snapshot.map(|snapshot| State::load(snapshot, dice)).transpose()? })
    }

    /// Applies the next entry.
    ///
    /// # Errors
    /// When it does not fit.
    pub fn add(&mut self, entry: &Entry, dice: &mut dyn Dice) -> Result<(), RestoreError> {
        match &mut self.state {
            Some(state) => {
                state.replay(entry, dice)?;
                state.forget_old_changes();
            }
            None => {
                let error = |refusal: Refusal| RestoreError { seq: entry.seq, message: refusal.to_string() };
                self.state = Some(State::opened(entry).map_err(error)?);
            }
        }
        Ok(())
    }

    /// The table. Nobody is connected to it.
    ///
    /// # Errors
    /// When there was neither a snapshot nor an entry.
    pub fn finish(self, now: Moment) -> Result<Table, RestoreError> {
        let none = RestoreError { seq: 1, message: "there is no entry at all".to_owned() };
        let mut state = self.state.ok_or(none)?;
        state.restart_clocks(now);
        Ok(Table::of(state))
    }
}

/// One table.
#[derive(Clone, Debug)]
pub struct Table {
    pub(crate) state: State,
    /// The bots' plans.
    pub(crate) plan: Plan,
    /// Requests held until the end of a grace period.
    pub(crate) held: VecDeque<Held>,
    /// Everybody's remaining budgets.
    pub(crate) budgets: Budgets,
    /// Changes waiting to be sent together.
    pub(crate) gathered: Gathered,
    /// What a bot is about to say.
    pub(crate) quips: Quips,
    /// The pending hint.
    pub(crate) wanted: Option<Wanted>,
}

/// One input being handled.
pub(crate) struct Turn<'a> {
    pub(crate) now: Moment,
    pub(crate) dice: &'a mut dyn Dice,
    /// Whose request it is and its number, until an entry carries them.
    pub(crate) by: Option<(Person, u32)>,
    pub(crate) out: Effects,
}

/// The results of an input so far, apart from the changes sent to everybody.
#[derive(Default)]
pub(crate) struct Effects {
    pub(crate) now: Moment,
    pub(crate) entries: Vec<Entry>,
    pub(crate) snapshot: Option<Snapshot>,
    pub(crate) parts: Vec<MatchPart>,
    pub(crate) told: Vec<(GuestId, ServerMsg)>,
    answer: Option<Result<(), Refusal>>,
    pub(crate) dismissed: Vec<GuestId>,
    /// Who is greeted instead of updated.
    pub(crate) newcomer: Option<GuestId>,
    /// Who has left, and why they are told to go.
    pub(crate) parting: Vec<(Member, Refusal)>,
    /// Whether somebody came or went.
    pub(crate) presence: bool,
    pub(crate) reports: Vec<Reported>,
    pub(crate) blocks: Vec<Blocked>,
}

impl Turn<'_> {
    pub(crate) fn tell(&mut self, guest: GuestId, message: ServerMsg) {
        self.out.told.push((guest, message));
    }

    /// Whether that request is answered when the report has been passed on.
    pub(crate) fn reports(&self, guest: GuestId, id: u32) -> bool {
        self.out.reports.iter().any(|report| (report.reporter, report.id) == (guest, id))
    }

    /// Answers a request that no update acknowledges.
    pub(crate) fn answer(&mut self, guest: GuestId, id: u32, done: Result<(), Refusal>) {
        match done {
            done if id == 0 => self.out.answer = Some(done),
            Ok(()) => self.tell(guest, ServerMsg::Done { id }),
            Err(refusal) => self.tell(guest, ServerMsg::refused(id, refusal)),
        }
    }
}

impl Table {
    /// Opens a table, by the entry that is the first of its journal. The opener is its host, even if others arrive first.
    ///
    /// # Errors
    /// When the settings are not possible.
    pub fn open(
        code: &str,
        opener: GuestId,
        settings: Settings,
        now: Moment,
        dice: &mut dyn Dice,
    ) -> Result<(Table, Entry), Refusal> {
        Table::begin(code, opener, check_settings(settings, 0)?, None, now, dice)
    }

    /// Opens a table at which a match goes on, see [`Continued::check`]. The opener's seat is kept for them.
    ///
    /// # Errors
    /// When the match does not fit the settings.
    pub fn open_continued(
        code: &str,
        opener: GuestId,
        settings: Settings,
        continued: Continued,
        now: Moment,
        dice: &mut dyn Dice,
    ) -> Result<(Table, Entry), Refusal> {
        Table::begin(code, opener, settings, Some(Box::new(continued)), now, dice)
    }

    fn begin(
        code: &str,
        opener: GuestId,
        settings: Settings,
        continued: Option<Box<Continued>>,
        now: Moment,
        dice: &mut dyn Dice,
    ) -> Result<(Table, Entry), Refusal> {
        let secret = unum_rules::fair::Secret(dice.roll());
        let fact = Fact::Opened { code: code.to_owned(), opener, settings, secret, continued };
        let mut entry = Entry { seq: 1, at: now, by: None, fact, seal: None };
        let state = State::opened(&entry)?;
        entry.seal = Some(Box::new(Seal::of(state.game.as_ref().map(|game| &game.play))));
        Ok((Table::of(state), entry))
    }

    /// Builds a table from what the journal holds: the last snapshot, if there is one, and every entry after it.
    /// Nobody is connected to it.
    ///
    /// A round that cannot be played again is given up: see [`Table::has_lost_round`].
    ///
    /// # Errors
    /// When an entry does not fit.
    pub fn restore(
        snapshot: Option<&Snapshot>,
        entries: impl IntoIterator<Item = Entry>,
        now: Moment,
        dice: &mut dyn Dice,
    ) -> Result<Table, RestoreError> {
        let mut restoring = Restoring::begin(snapshot, dice)?;
        for entry in entries {
            restoring.add(&entry, dice)?;
        }
        restoring.finish(now)
    }

    /// Whether a round could not be restored, which everybody is told as soon as somebody comes.
    pub fn has_lost_round(&self) -> bool {
        self.state.lost
    }

    /// The program and the rules that wrote an entry or a snapshot, and a digest of the game as it is now.
    pub fn seal(&self) -> Seal {
        Seal::of(self.state.game.as_ref().map(|game| &game.play))
    }

    fn of(state: State) -> Table {
        let (plan, held, budgets, gathered, quips) = Default::default();
        Table { state, plan, held, budgets, gathered, quips, wanted: None }
    }

    /// Handles an input.
    pub fn handle(&mut self, input: Input, now: Moment, dice: &mut dyn Dice) -> Outcome {
        let effects = self.take(input, now, dice);
        self.tell(effects, &mut Owned)
    }

    /// Handles an input; call [`Table::tell`] for the result before the next input.
    pub(crate) fn take(&mut self, input: Input, now: Moment, dice: &mut dyn Dice) -> Effects {
        let mut turn = Turn { now, dice, by: None, out: Effects { now, ..Effects::default() } };
        let before = self.state.seq;
        match input {
            Input::Arrived(newcomer) => self.arrive(&newcomer, &mut turn),
            Input::Gone { guest } => self.go(guest, &mut turn),
            Input::Asked { guest, id, request } => self.ask(guest, id, request, &mut turn),
            Input::Thought(idea) => self.consider(idea, &mut turn),
            Input::Tick => self.tick(&mut turn),
            Input::Hush if self.is_idle() => drop(self.commit(Fact::Hushed {}, &mut turn)),
            Input::Hush => {}
            Input::Forget { guest } => turn.out.answer = Some(self.forget(guest, &mut turn)),
            Input::Close => turn.out.answer = Some(self.close(&mut turn)),
        }
        self.settle(&mut turn);
        self.release(&mut turn);
        self.drop_stale_hint(&mut turn);
        self.plan_bots(&mut turn);
        self.plan_quip(before, &mut turn);
        turn.out
    }

    /// The result of an input, with messages encoded by a codec.
    pub(crate) fn tell<C: Codec>(&mut self, mut effects: Effects, codec: &mut C) -> Outcome<C::Frame> {
        let deliveries = self.deliver(&mut effects, codec);
        self.state.forget_old_changes();
        let Effects { entries, snapshot, parts, answer, dismissed, reports, blocks, .. } = effects;
        Outcome { entries, snapshot, parts, deliveries, answer, dismissed, reports, blocks }
    }

    /// What a guest who has just arrived is told: the welcome, then what came after that number, or all of it.
    pub fn greet(&self, guest: GuestId, after: Option<u64>, now: Moment) -> Vec<ServerMsg> {
        match self.state.guest(guest) {
            Some(member) => self.state.greeting(member, after, now),
            None => vec![ServerMsg::dismissed(Refusal::new(TableCode::NotHere, "you are not at this table"))],
        }
    }

    /// The number of the last change that somebody who is connected was told. `None` if they wait for an answer that only
    /// this table in memory knows of: a request held until the end of a grace, or a hint.
    pub fn told(&self, guest: GuestId) -> Option<u64> {
        let member = self.state.guest(guest).filter(|member| member.link.connected)?;
        let waits = self.holds_from(member.person) || self.wanted.as_ref().is_some_and(|wanted| wanted.is_of(guest));
        (!waits).then_some(member.link.told)
    }

    /// What a guest has said here, as long as it is kept, oldest first.
    pub fn said_by(&self, guest: GuestId) -> Vec<String> {
        let Some(person) = self.state.guest(guest).map(|member| member.person) else { return Vec::new() };
        let lines = self.state.chat.iter().filter(|line| line.person == person);
        lines.map(|line| line.text.clone()).collect()
    }

    /// The number of the last entry.
    pub fn seq(&self) -> u64 {
        self.state.seq
    }

    /// The number of the last entry that changed the round; 0 without a game. See [`Thought::at`].
    pub fn stamp(&self) -> u64 {
        self.state.game.as_ref().map_or(0, |game| game.stamp)
    }

    /// The table's code.
    pub fn code(&self) -> &str {
        &self.state.code
    }

    /// Whether nobody is connected: nothing will happen until somebody comes, so it may be unloaded.
    pub fn is_idle(&self) -> bool {
        !self.state.is_watched()
    }

    /// Whether the table is closed for good.
    pub fn is_closed(&self) -> bool {
        self.state.stage == Stage::Closed
    }

    /// How many matches have been played to their end or were broken off: each can be made a record of.
    pub fn matches(&self) -> u32 {
        self.state.matches
    }

    /// Everybody at the table, onlookers included.
    pub fn guests(&self) -> impl Iterator<Item = GuestId> + '_ {
        self.state.people.iter().map(|member| member.guest)
    }

    /// The table as the public list shows it, if it is public and open and its opener has come.
    pub fn listing(&self) -> Option<Listing> {
        let state = &self.state;
        let listed = state.settings.public && state.stage != Stage::Closed && state.came && !state.locked;
        listed.then(|| self.public_facts())
    }

    /// The table as anybody who has its code may know it, and whether it knows who asks.
    pub fn summary(&self, asking: Option<GuestId>) -> TableSummary {
        let state = &self.state;
        let players = state.chairs.iter().map(|chair| Seated {
            name: chair.name.clone(),
            look: chair.look,
            bot: chair.player().is_some(),
        });
        let seated = state.chairs.iter().filter(|chair| chair.person.is_some()).count();
        TableSummary {
            listing: self.public_facts(),
            terms: state.terms(),
            players: players.collect(),
            onlookers: state.people.len().saturating_sub(seated) as u8,
            round: state.game.as_ref().map(|game| game.round),
            known: asking.is_some_and(|guest| self.knows(guest)),
        }
    }

    fn public_facts(&self) -> Listing {
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
            locked: state.locked,
            host: state.host.and_then(|host| state.member(host)).map(|host| host.name.clone()),
            free: state.free_seats(),
            entry: state.entry(),
        }
    }

    /// The scores of the match that is being played or was played last, by seat.
    pub fn scores(&self) -> &[u32] {
        self.state.game.as_ref().map_or(&[], |game| game.play.scores())
    }

    /// The number of the agreement that is on the table.
    pub fn agreement(&self) -> u32 {
        self.state.agreement
    }

    /// What is agreed.
    pub fn settings(&self) -> &Settings {
        &self.state.settings
    }

    /// Frees what an idle table does not need: a client that comes back then gets a snapshot.
    pub fn shrink(&mut self) {
        self.state.recent = VecDeque::new();
        self.state.chat.shrink_to_fit();
        self.state.people.shrink_to_fit();
        self.state.chairs.shrink_to_fit();
        self.plan = Plan::default();
        self.held = VecDeque::new();
        self.wanted = None;
    }

    /// The bots whose time to think has come; each is handed out once. Their ideas come back as inputs.
    pub fn thoughts(&mut self, now: Moment) -> Vec<Thought> {
        if self.is_idle() {
            return Vec::new();
        }
        let mut thoughts = self.plan.hand_out(&self.state, now);
        thoughts.extend(self.hint_thought());
        thoughts
    }

    /// Makes an entry of a fact and carries it out; it is the one that carries out the request, if there is one.
    ///
    /// # Errors
    /// When it is refused; nothing has changed then.
    pub(crate) fn commit(&mut self, fact: Fact, turn: &mut Turn<'_>) -> Result<(), Refusal> {
        let mut entry = Entry { seq: self.state.seq + 1, at: turn.now, by: turn.by, fact, seal: None };
        self.state.apply(&entry, turn.dice)?;
        turn.by = None;
        entry.seal = self.state.seal(&entry.fact);
        if self.state.is_save_due(&entry.fact) {
            turn.out.parts.extend(self.state.notes.take(self.state.matches));
            turn.out.snapshot = Some(self.state.save());
        }
        turn.out.entries.push(entry);
        Ok(())
    }

    /// The same for a fact that was not requested but must come first.
    pub(crate) fn commit_first(&mut self, fact: Fact, turn: &mut Turn<'_>) -> Result<(), Refusal> {
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
        if state.lost {
            return Some(Fact::RoundLost {});
        }
        if state.people.is_empty() && state.came && self.kept().next().is_none() {
            return Some(Fact::Closed {});
        }
        if let Some(fact) = state.host_settled().or_else(|| state.deserted()) {
            return Some(fact);
        }
        if let Some(ended) = state.verdict() {
            return Some(ended);
        }
        if state.spent && state.stage != Stage::Playing {
            return Some(Fact::Committed { secret: unum_rules::fair::Secret(turn.dice.roll()) });
        }
        if let Some(fact) = state.seat_settled() {
            return Some(fact);
        }
        if state.dealing.is_some() {
            return state.dealing_goes_on(turn.now);
        }
        if let Some(seat) = state.returning() {
            return Some(Fact::CameBack { seat });
        }
        state.is_next_deal_due(turn.now).then_some(Fact::DealBegun {})
    }
}
