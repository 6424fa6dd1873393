//! What each viewer is told: the one place where a table's state and changes become messages.
//!
//! Cards are redacted by the rules ([`unum_rules::View`], [`unum_rules::wire::seen_events`]); everything else here.

use std::cell::OnceCell;
use std::sync::Arc;

use serde::ser::{Error as _, SerializeSeq, SerializeStruct};
use serde::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};
use unum_protocol::{
    AccusationView, ChairView, Choice, ClockView, GameView, Happened, KickedView, LobbyView, OwnView, Past, Person,
    PersonView, Preset, RulesView, ServerMsg, Stage, Standings, Terms, VERSION,
};
use unum_rules::wire::{ChoiceForm, EventsWriter, ViewForm, ViewWriter, seen_events};
use unum_rules::{Action, Seat, Sight, Viewer};

use crate::state::{Change, Game, Member, State};
use crate::{Fact, Moment, clock};

/// The server's name and version, as the welcome tells them.
const SERVER: &str = concat!("unum ", env!("CARGO_PKG_VERSION"));

impl Change {
    /// Whether it must be hidden from a person: it is private, or said by somebody they have muted.
    pub(crate) fn is_hidden_from(&self, viewer: &Member) -> bool {
        let private = self.owner.is_some_and(|owner| owner != viewer.person);
        let unheard = match &self.what {
            Happened::Chatted { person, .. } | Happened::Reacted { person, .. } => viewer.muted.contains(person),
            _ => false,
        };
        private || unheard
    }

    /// The viewpoint from which a person saw it: the seat they had then.
    fn eyes_of(&self, person: Person) -> Viewer {
        let seat = self.seating.iter().position(|sitting| *sitting == Some(person));
        Viewer::from(seat.map(|seat| seat as Seat))
    }

    fn id_for(&self, person: Person) -> Option<u32> {
        self.by.filter(|(by, _)| *by == person).map(|(_, id)| id)
    }

    fn what_for(&self, viewer: &Member) -> &Happened {
        if self.is_hidden_from(viewer) { &Happened::Hidden {} } else { &self.what }
    }

    /// The change as one viewer may know it.
    fn to_past(&self, viewer: &Member, state: &State) -> Past {
        Past {
            seq: self.seq,
            id: self.id_for(viewer.person),
            what: self.what_for(viewer).clone(),
            events: seen_events(&self.events, self.eyes_of(viewer.person), &state.rules),
        }
    }

    /// Whether somebody may only learn that there was a change.
    pub(crate) fn is_nothing_to(&self, viewer: &Member) -> bool {
        self.is_hidden_from(viewer) && !self.terms && !self.lobby && !self.game
    }

    /// Whether it must be sent at once: a player's game, or the answer to the viewer's own request.
    pub(crate) fn is_urgent_for(&self, viewer: &Member) -> bool {
        let answers = self.id_for(viewer.person).is_some() && !self.is_share_of_deal();
        self.game || self.is_step_of_deal() || answers
    }

    /// Whether even players can wait for it a little: it only brings the next step of a deal closer.
    pub(crate) fn is_patient(&self) -> bool {
        matches!(self.what, Happened::Ready { .. }) || self.is_share_of_deal()
    }

    /// Whether it is a client's automatic share of a deal, which nobody waits for.
    fn is_share_of_deal(&self) -> bool {
        matches!(self.what, Happened::Pledged { .. } | Happened::PartOpened { .. })
    }

    /// Whether it is a step of a deal. Onlookers check what is published too, so they must see it.
    fn is_step_of_deal(&self) -> bool {
        matches!(self.what, Happened::DealBegun {} | Happened::PledgesClosed {} | Happened::Withheld { .. })
    }

    /// Whether it belongs in a log. Chat has a list of its own.
    fn is_told(&self) -> bool {
        let steps = matches!(
            self.what,
            Happened::Ready { .. }
                | Happened::Accepted { .. }
                | Happened::Committed { .. }
                | Happened::DealBegun {}
                | Happened::Pledged { .. }
                | Happened::PledgesClosed {}
                | Happened::PartOpened { .. }
                | Happened::Dressed { .. }
                | Happened::Chatted { .. }
                | Happened::Reacted { .. }
                | Happened::BotReacted { .. }
        );
        !steps || !self.events.is_empty()
    }

    /// Whether what concerns somebody alone may have changed with it: what they may do, whom they mute.
    fn is_personal(&self) -> bool {
        self.lobby || self.terms || self.owner.is_some()
    }
}

/// A value that is the same for every viewer, serialized to JSON once.
pub(crate) struct Once<T> {
    value: T,
    json: OnceCell<Option<Box<RawValue>>>,
}

impl<T: Serialize> Once<T> {
    fn new(value: T) -> Once<T> {
        Once { value, json: OnceCell::new() }
    }
}

impl<T: Serialize> Serialize for Once<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.json.get_or_init(|| to_raw_value(&self.value).ok()) {
            Some(json) => json.serialize(serializer),
            None => self.value.serialize(serializer),
        }
    }
}

/// What is the same for everybody, made on first use.
pub(crate) struct Shared<'a> {
    state: &'a State,
    now: Moment,
    terms: OnceCell<Once<Terms>>,
    lobby: OnceCell<Once<LobbyView>>,
}

impl<'a> Shared<'a> {
    pub(crate) fn new(state: &'a State, now: Moment) -> Shared<'a> {
        Shared { state, now, terms: OnceCell::new(), lobby: OnceCell::new() }
    }

    fn terms(&self) -> &Once<Terms> {
        self.terms.get_or_init(|| Once::new(self.state.terms()))
    }

    fn lobby(&self) -> &Once<LobbyView> {
        self.lobby.get_or_init(|| Once::new(self.state.lobby_view(self.now)))
    }
}

/// The combined consequences of several changes.
pub(crate) struct Consequences<'a> {
    terms: Option<&'a Once<Terms>>,
    lobby: Option<&'a Once<LobbyView>>,
    /// Whether what concerns each viewer alone may have changed.
    own: bool,
    /// Whether the game has changed; how it looks depends on the viewer.
    game: bool,
    now: Moment,
}

impl<'a> Consequences<'a> {
    /// The consequences of some changes.
    pub(crate) fn of(changes: &[&Change], shared: &'a Shared<'_>) -> Consequences<'a> {
        let any = |changed: fn(&Change) -> bool| changes.iter().any(|change| changed(change));
        Consequences {
            terms: any(|change| change.terms).then(|| shared.terms()),
            lobby: any(|change| change.lobby).then(|| shared.lobby()),
            own: any(Change::is_personal),
            game: any(|change| change.game),
            now: shared.now,
        }
    }

    /// Whether what concerns only that viewer must be computed, which is work per viewer.
    pub(crate) fn concerns(&self, viewer: &Member) -> bool {
        self.own || viewer.link.stale
    }
}

/// How messages leave a table: as values, as JSON, as frames of a socket.
pub trait Codec {
    /// A message, ready to be sent.
    type Frame;

    /// Makes one.
    fn encode(&mut self, message: &Outgoing<'_>) -> Self::Frame;
}

/// Messages as values.
#[derive(Clone, Copy, Debug, Default)]
pub struct Owned;

impl Codec for Owned {
    type Frame = ServerMsg;

    fn encode(&mut self, message: &Outgoing<'_>) -> ServerMsg {
        message.to_message()
    }
}

/// A message on its way out. It serializes exactly as its [`Outgoing::to_message`] would, but an update is written
/// straight from the table's state, without intermediate lists.
pub enum Outgoing<'a> {
    /// A whole message.
    Message(&'a ServerMsg),
    /// What one viewer has missed.
    Update(&'a Update<'a>),
}

impl Outgoing<'_> {
    /// The message as a value of its own.
    pub fn to_message(&self) -> ServerMsg {
        match self {
            Outgoing::Message(message) => (*message).clone(),
            Outgoing::Update(update) => update.to_message(),
        }
    }
}

impl Serialize for Outgoing<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Outgoing::Message(message) => message.serialize(serializer),
            Outgoing::Update(update) => update.serialize(serializer),
        }
    }
}

/// What one viewer has missed, as they may know it: one or more changes, and the parts of the table that have changed.
pub struct Update<'a> {
    state: &'a State,
    last: &'a Change,
    /// Those before it, oldest first.
    earlier: &'a [&'a Change],
    viewer: &'a Member,
    consequences: Option<&'a Consequences<'a>>,
    own: Option<OwnView>,
    game: Option<GameWriter<'a>>,
}

/// What an update depends on apart from the changes: viewers with equal keys get the same message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    /// The seat, if the game is told as seen from there.
    seat: Option<Seat>,
    own: Option<OwnView>,
    last: Told,
    earlier: Vec<Told>,
}

/// How a change is told to one viewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Told {
    /// The viewpoint, if the change has events.
    then: Option<Viewer>,
    id: Option<u32>,
    hidden: bool,
}

impl<'a> Update<'a> {
    /// The changes that somebody has missed, if there are any, and what they led to.
    pub(crate) fn new(
        state: &'a State,
        missed: &'a [&'a Change],
        viewer: &'a Member,
        consequences: Option<&'a Consequences<'a>>,
    ) -> Option<Update<'a>> {
        let (last, earlier) = missed.split_last()?;
        let game = consequences.filter(|all| all.game).and_then(|all| state.game_writer(viewer, all.now));
        let own = consequences.filter(|all| all.concerns(viewer)).and_then(|_| state.news_for(viewer));
        Some(Update { state, last, earlier, viewer, consequences, own, game })
    }

    /// What is told of what concerns the viewer alone, if that is news.
    pub(crate) fn into_own(self) -> Option<OwnView> {
        self.own
    }

    /// How many requests of the viewer it answers.
    pub fn acknowledged(&self) -> usize {
        let changes = self.earlier.iter().copied().chain([self.last]);
        changes.filter(|change| change.id_for(self.viewer.person).is_some()).count()
    }

    pub(crate) fn key(&self) -> Key {
        let told = |change: &Change| Told {
            then: (!change.events.is_empty()).then(|| change.eyes_of(self.viewer.person)),
            id: change.id_for(self.viewer.person),
            hidden: change.is_hidden_from(self.viewer),
        };
        Key {
            seat: self.game.as_ref().and_then(|game| game.seat),
            own: self.own.clone(),
            last: told(self.last),
            earlier: self.earlier.iter().map(|change| told(change)).collect(),
        }
    }

    fn terms(&self) -> Option<&'a Once<Terms>> {
        self.consequences.and_then(|all| all.terms)
    }

    fn lobby(&self) -> Option<&'a Once<LobbyView>> {
        self.consequences.and_then(|all| all.lobby)
    }

    fn to_message(&self) -> ServerMsg {
        let Past { seq, id, what, events } = self.last.to_past(self.viewer, self.state);
        ServerMsg::Update {
            seq,
            earlier: self.earlier.iter().map(|change| change.to_past(self.viewer, self.state)).collect(),
            id,
            what,
            events,
            terms: self.terms().map(|terms| Box::new(terms.value.clone())),
            lobby: self.lobby().map(|lobby| Box::new(lobby.value.clone())),
            own: self.own.clone().map(Box::new),
            game: self.game.as_ref().map(|game| Box::new(game.to_view())),
        }
    }
}

impl Serialize for Update<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut update = serializer.serialize_struct("Update", 10)?;
        update.serialize_field("type", "update")?;
        update.serialize_field("seq", &self.last.seq)?;
        if !self.earlier.is_empty() {
            update.serialize_field("earlier", &EarlierWriter(self))?;
        }
        ChangeWriter { change: self.last, viewer: self.viewer, state: self.state }.write(&mut update)?;
        if let Some(terms) = self.terms() {
            update.serialize_field("terms", terms)?;
        }
        if let Some(lobby) = self.lobby() {
            update.serialize_field("lobby", lobby)?;
        }
        if let Some(own) = &self.own {
            update.serialize_field("own", own)?;
        }
        if let Some(game) = &self.game {
            update.serialize_field("game", game)?;
        }
        update.end()
    }
}

/// A change as one viewer may know it, written as its [`Past`] would be.
struct ChangeWriter<'a> {
    change: &'a Change,
    viewer: &'a Member,
    state: &'a State,
}

impl ChangeWriter<'_> {
    /// All fields but the number.
    fn write<S: SerializeStruct>(&self, fields: &mut S) -> Result<(), S::Error> {
        let (events, viewer) = (&*self.change.events, self.change.eyes_of(self.viewer.person));
        if let Some(id) = self.change.id_for(self.viewer.person) {
            fields.serialize_field("id", &id)?;
        }
        fields.serialize_field("what", self.change.what_for(self.viewer))?;
        if !events.is_empty() {
            fields.serialize_field("events", &EventsWriter { events, viewer, rules: &self.state.rules })?;
        }
        Ok(())
    }
}

impl Serialize for ChangeWriter<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut past = serializer.serialize_struct("Past", 4)?;
        past.serialize_field("seq", &self.change.seq)?;
        self.write(&mut past)?;
        past.end()
    }
}

/// The earlier changes of an update, as a list.
struct EarlierWriter<'a>(&'a Update<'a>);

impl Serialize for EarlierWriter<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let &Update { viewer, state, earlier, .. } = self.0;
        serializer.collect_seq(earlier.iter().map(|change| ChangeWriter { change, viewer, state }))
    }
}

/// The game as one viewer may know it, written as its [`GameView`] would be.
#[derive(Clone, Copy)]
struct GameWriter<'a> {
    state: &'a State,
    game: &'a Game,
    seat: Option<Seat>,
    clock: Option<ClockView>,
    standings: Option<&'a Standings>,
}

impl GameWriter<'_> {
    fn sight(&self, seat: Seat) -> Sight<'_> {
        Sight::new(self.game.play.round(), &self.state.rules, seat, self.game.play.scores())
    }

    /// Calls `visit` with everything the viewer can do now.
    fn each_choice(&self, visit: &mut impl FnMut(Choice)) {
        let Some(seat) = self.seat.filter(|seat| self.state.check_not_excluded(*seat).is_ok()) else { return };
        let sight = self.sight(seat);
        let expected = self.state.expected(self.game);
        let is_open = |meant: &Action| match &expected {
            None => true,
            Some((other, wanted)) => *other == seat && (*wanted == *meant || *wanted == meant.with_uno()),
        };
        ChoiceForm::each(&sight, &mut |action, meant| {
            if meant.is_some_and(|meant| !is_open(meant)) {
                return;
            }
            let stakes = meant.map_or_else(Default::default, |meant| sight.stakes(meant));
            visit(Choice { action, stakes });
        });
    }

    fn to_view(self) -> GameView {
        let mut legal = Vec::new();
        self.each_choice(&mut |choice| legal.push(choice));
        GameView {
            round: self.game.round,
            at: self.game.at,
            view: ViewForm::new(&self.game.play.view(Viewer::from(self.seat)), &self.state.rules),
            legal,
            clock: self.clock,
            standings: self.standings.cloned(),
            lesson: self.state.lesson_view(self.game, self.seat),
        }
    }
}

impl Serialize for GameWriter<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let view = self.game.play.view(Viewer::from(self.seat));
        let mut game = serializer.serialize_struct("GameView", 6)?;
        game.serialize_field("round", &self.game.round)?;
        game.serialize_field("at", &self.game.at)?;
        game.serialize_field("view", &ViewWriter { view: &view, rules: &self.state.rules })?;
        game.serialize_field("legal", &LegalWriter(self))?;
        if let Some(clock) = &self.clock {
            game.serialize_field("clock", clock)?;
        }
        if let Some(standings) = &self.standings {
            game.serialize_field("standings", standings)?;
        }
        if let Some(lesson) = self.state.lesson_view(self.game, self.seat) {
            game.serialize_field("lesson", &lesson)?;
        }
        game.end()
    }
}

/// What the viewer can do now, as a list.
struct LegalWriter<'a>(&'a GameWriter<'a>);

impl Serialize for LegalWriter<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        let mut done = Ok(());
        self.0.each_choice(&mut |choice| {
            if done.is_ok() {
                done = list.serialize_element(&choice);
            }
        });
        done.map_err(S::Error::custom)?;
        list.end()
    }
}

impl State {
    /// The changes after that number that are still kept. Numbers have no gaps, so older ones need not be searched.
    pub(crate) fn changes_after(&self, after: u64) -> Vec<&Change> {
        let missed = usize::try_from(self.seq.saturating_sub(after)).unwrap_or(usize::MAX);
        let first = self.recent.len().saturating_sub(missed);
        self.recent.range(first..).map(|change| &**change).collect()
    }

    /// The changes after that number, and what they led to.
    fn missed(&self, viewer: &Member, after: u64, now: Moment) -> Option<ServerMsg> {
        let missed = self.changes_after(after);
        let shared = Shared::new(self, now);
        let all = Consequences::of(&missed, &shared);
        Update::new(self, &missed, viewer, Some(&all)).map(|update| update.to_message())
    }

    /// The last changes that somebody who has just left may know: those after that number, up to their leaving.
    pub(crate) fn farewell(&self, gone: &Member, after: u64) -> Vec<&Change> {
        let left = |what: &Happened| matches!(what, Happened::Left { person, .. } | Happened::Kicked { person, .. } if *person == gone.person);
        let last = self.recent.iter().rev().find(|change| left(&change.what)).map_or(0, |change| change.seq);
        let missed = self.recent.iter().map(|change| &**change);
        missed.filter(|change| change.seq > after && change.seq <= last).collect()
    }

    /// What an arriving or returning client is told: the welcome, what they missed or a snapshot, who is here.
    pub(crate) fn greeting(&self, viewer: &Member, after: Option<u64>, now: Moment) -> Vec<ServerMsg> {
        let mut messages = vec![ServerMsg::Welcome {
            version: VERSION,
            server: SERVER.to_owned(),
            table: self.code.clone(),
            you: viewer.person,
            last_id: viewer.last_id,
        }];
        match after.filter(|after| self.can_resume(viewer, *after)) {
            Some(after) => {
                messages.extend(self.missed(viewer, after, now));
                messages.push(self.presence(Some(self.own_view(viewer))));
            }
            None => messages.push(self.snapshot(viewer, now)),
        }
        messages
    }

    /// Whether all changes after that number are kept, and this person may see them.
    fn can_resume(&self, viewer: &Member, after: u64) -> bool {
        let first_kept = self.recent.front().map_or(self.seq + 1, |change| change.seq);
        (viewer.joined..=self.seq).contains(&after) && after + 1 >= first_kept
    }

    fn snapshot(&self, viewer: &Member, now: Moment) -> ServerMsg {
        let heard = self.chat.iter().filter(|line| !viewer.muted.contains(&line.person));
        ServerMsg::Snapshot {
            seq: self.seq,
            terms: Box::new(self.terms()),
            lobby: Box::new(self.lobby_view(now)),
            own: Box::new(self.own_view(viewer)),
            game: self.game_writer(viewer, now).map(|game| Box::new(game.to_view())),
            chat: heard.cloned().collect(),
            past: self.past(viewer),
        }
    }

    /// What happened last under the current terms, from the viewpoint somebody had at the time.
    fn past(&self, viewer: &Member) -> Vec<Past> {
        let agreed = |change: &&Arc<Change>| !matches!(change.what, Happened::SettingsChanged {});
        let since = self.recent.iter().rev().take_while(agreed).count();
        let changes = self.recent.range(self.recent.len() - since..);
        let known = changes.filter(|change| !change.is_hidden_from(viewer) && change.is_told());
        known.map(|change| Past { id: None, ..change.to_past(viewer, self) }).collect()
    }

    /// Who is here, and what that changes for one person.
    pub(crate) fn presence(&self, own: Option<OwnView>) -> ServerMsg {
        ServerMsg::Presence { people: self.people_views(), own: own.map(Box::new) }
    }

    /// What concerns somebody alone.
    pub(crate) fn own_view(&self, viewer: &Member) -> OwnView {
        let kicked = self.kicked.iter().filter(|_| self.host == Some(viewer.person));
        let kicked = kicked.map(|kicked| KickedView {
            person: kicked.person,
            name: kicked.name.clone(),
            address: kicked.address.is_some(),
        });
        OwnView { may: self.may(viewer), muted: viewer.muted.clone(), kicked: kicked.collect() }
    }

    /// The same, if it is not what they were last told.
    pub(crate) fn news_for(&self, viewer: &Member) -> Option<OwnView> {
        Some(self.own_view(viewer)).filter(|own| *own != viewer.link.own)
    }

    /// What is agreed on.
    pub(crate) fn terms(&self) -> Terms {
        let (agreement, settings) = (self.agreement, self.settings.clone());
        Terms { agreement, rules: RulesView::new(&self.rules), preset: Preset::in_force(&settings), settings }
    }

    fn people_views(&self) -> Vec<PersonView> {
        let view = |member: &Member| PersonView {
            person: member.person,
            name: member.name.clone(),
            look: member.look,
            seat: self.seat_of(member.person),
            connected: member.link.connected,
            waiting: member.waiting,
        };
        self.people.iter().map(view).collect()
    }

    fn chair_views(&self) -> Vec<ChairView> {
        let chairs = self.chairs.iter().map(|chair| ChairView {
            name: chair.name.clone(),
            look: chair.look,
            person: chair.person,
            bot: chair.player(),
            away: chair.away,
            accepted: chair.accepted,
            ready: chair.ready,
            takeable: self.is_open(chair),
            claim: chair.claim,
        });
        chairs.collect()
    }

    fn lobby_view(&self, now: Moment) -> LobbyView {
        LobbyView {
            stage: self.stage,
            code: self.code.clone(),
            host: self.host,
            acting: self.is_acting(),
            locked: self.locked,
            paused: self.is_paused(),
            chairs: self.chair_views(),
            people: self.people_views(),
            accusation: self.accusation_view(now),
            fair: self.fair_view(now),
        }
    }

    fn accusation_view(&self, now: Moment) -> Option<AccusationView> {
        let accusation = self.accusation.as_ref()?;
        let waiting = accusation.voters.iter().filter(|(_, vote)| vote.is_none());
        Some(AccusationView {
            by: accusation.by,
            seat: accusation.seat,
            waiting: waiting.map(|(voter, _)| *voter).collect(),
            left: clock::left(accusation.since, clock::JUDGING, now),
        })
    }

    fn game_writer(&self, viewer: &Member, now: Moment) -> Option<GameWriter<'_>> {
        let game = self.game.as_ref()?;
        let (seat, clock) = (self.seat_of(viewer.person), self.clock_view(now));
        let standings = game.standings.as_deref();
        Some(GameWriter { state: self, game, seat, clock, standings })
    }

    fn clock_view(&self, now: Moment) -> Option<ClockView> {
        let of = self.turn_time().filter(|_| self.stage == Stage::Playing && !self.awaited_people().is_empty())?;
        let since = self.game.as_ref()?.since;
        Some(ClockView { left: clock::left(since, of, now), of: of as u32 })
    }
}

impl State {
    /// What happened, in the words of the protocol. What only some may know is hidden by [`Change::what_for`].
    /// Somebody who has just left cannot be looked up any more: `gone` is their name.
    pub(crate) fn told(&self, fact: &Fact, gone: String) -> Happened {
        match fact {
            Fact::Opened { .. } => Happened::Opened {},
            Fact::Joined { person, name, .. } => Happened::Joined { person: *person, name: name.clone() },
            Fact::Sat { person, .. } => {
                Happened::Sat { person: *person, seat: self.seat_of(*person).unwrap_or_default() }
            }
            Fact::Claimed { person, seat } => Happened::SeatClaimed { person: *person, seat: *seat },
            Fact::Unclaimed { person } => Happened::ClaimDropped { person: *person },
            Fact::Released { seat, .. } => Happened::SeatReleased { seat: *seat },
            Fact::Stood { person } => Happened::Stood { person: *person },
            Fact::Left { person, .. } => Happened::Left { person: *person, name: gone },
            Fact::Kicked { person, .. } => Happened::Kicked { person: *person, name: gone },
            Fact::Unkicked { person } => Happened::Unkicked { person: *person },
            Fact::Locked { locked } => Happened::Locked { locked: *locked },
            Fact::CodeRenewed { code } => Happened::CodeRenewed { code: code.clone() },
            Fact::ChairLost { person } => Happened::ChairLost { person: *person },
            Fact::Renamed { person, name } | Fact::Forgotten { person, name } => {
                Happened::Renamed { person: *person, name: name.clone() }
            }
            Fact::Dressed { person, .. } => Happened::Dressed { person: *person },
            Fact::HostPassed { person, .. } => Happened::HostPassed { person: *person },
            Fact::SettingsChanged { .. } => Happened::SettingsChanged {},
            Fact::PaceChanged { pace } => Happened::PaceChanged { pace: *pace },
            Fact::Accepted { person } => Happened::Accepted { person: *person },
            Fact::Ready { person, ready, .. } => Happened::Ready { person: *person, ready: *ready },
            Fact::BotAdded { level, .. } => {
                Happened::BotAdded { seat: self.chairs.len().saturating_sub(1) as Seat, level: *level }
            }
            Fact::BotRemoved { seat } => Happened::BotRemoved { seat: *seat },
            Fact::Committed { secret } => Happened::Committed { commitment: secret.commitment() },
            Fact::DealBegun {} => Happened::DealBegun {},
            Fact::Pledged { person, .. } => Happened::Pledged { person: *person },
            Fact::PledgesClosed {} => Happened::PledgesClosed {},
            Fact::PartOpened { person, .. } => Happened::PartOpened { seat: self.seat_of(*person).unwrap_or_default() },
            Fact::Withheld { seats } => {
                let again = self.dealing.as_ref().is_some_and(|dealing| !dealing.opening);
                Happened::Withheld { seats: seats.clone(), again }
            }
            Fact::Dealt {} => Happened::Dealt { round: self.game.as_ref().map_or(1, |game| game.round) },
            Fact::Acted { seat, actor, .. } => Happened::Acted { seat: *seat, by: *actor },
            Fact::StoodIn { seat, why } => Happened::StoodIn { seat: *seat, why: *why },
            Fact::CameBack { seat } => Happened::CameBack { seat: *seat },
            Fact::Reopened {} => Happened::Reopened {},
            Fact::RoundLost {} => Happened::RoundLost {},
            Fact::Hushed {} => Happened::Hidden {},
            Fact::Chatted { person, text } => Happened::Chatted { person: *person, text: text.clone() },
            Fact::Reacted { person, reaction } => Happened::Reacted { person: *person, reaction: *reaction },
            Fact::BotReacted { seat, reaction } => Happened::BotReacted { seat: *seat, reaction: *reaction },
            Fact::Muted { other, muted, .. } => Happened::Muted { person: *other, muted: *muted },
            Fact::Accused { person, seat, .. } => Happened::Accused { person: *person, seat: *seat },
            Fact::Judged { person, yes } => Happened::Judged { person: *person, yes: *yes },
            Fact::AccusationEnded { seat, upheld } => Happened::AccusationEnded { seat: *seat, upheld: *upheld },
            Fact::Closed {} => Happened::Closed {},
        }
    }
}
