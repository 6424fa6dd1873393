//! A table's state, as determined by the journal.

use std::collections::VecDeque;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use unum_bots::LevelBot;
use unum_rules::fair::{Commitment, Entropy, FairDeal, Pledge, Secret};
use unum_rules::{Edition, Event, Match, Phase, Rules, Seat, SeatSet};

use crate::dealing::Dealing;
use crate::records::Notes;
use crate::snapshot::Anchor;
use crate::tallies::Tallies;
use crate::{AddressMark, GuestId, Moment};
use unum_protocol::{Away, ChatLine, Happened, Level, Look, OwnView, Person, Settings, Stage, Standings};

/// The level of the bot that stands in for a person.
pub(crate) const STAND_IN: Level = Level::Normal;
/// How many changes are kept for clients that resume, and for the logs of newcomers.
pub(crate) const KEPT_CHANGES: usize = 96;
/// How many lines of chat are kept, and how many bytes of text, to keep a table small.
pub(crate) const KEPT_CHAT: usize = 30;
pub(crate) const KEPT_CHAT_BYTES: usize = 6_000;
/// How many removed people are kept out; beyond that, the earliest may come back.
pub(crate) const KEPT_OUT: usize = 50;
/// How many chairs people of one address may have at a public table.
pub(crate) const CHAIRS_PER_ADDRESS: usize = 2;
/// How many moves in a row bots make without a person before they wait for one.
pub(crate) const MOVES_ALONE: u32 = 1_000;

/// Everything that follows from the entries so far, and who is connected.
#[derive(Clone, Debug, Serialize, Deserialize, unum_rules::json::Read)]
pub(crate) struct State {
    pub(crate) code: String,
    pub(crate) seq: u64,
    pub(crate) settings: Settings,
    /// The settings' rules, checked.
    #[serde(skip, default = "some_rules")]
    pub(crate) rules: Arc<Rules>,
    pub(crate) agreement: u32,
    pub(crate) stage: Stage,
    /// The owner, here or not; `None` once they have left for good and nobody sits there.
    pub(crate) owner: Option<GuestId>,
    /// Whether the owner has ever been here.
    pub(crate) came: bool,
    /// Who decides: the owner, or a stand-in.
    pub(crate) host: Option<Person>,
    /// Since when the table has waited for a host: not decided by the journal.
    #[serde(skip)]
    pub(crate) hostless: Moment,
    /// The number the next newcomer gets.
    pub(crate) next_person: Person,
    pub(crate) people: Vec<Member>,
    pub(crate) kicked: Vec<Kicked>,
    /// Whether nobody new may enter.
    pub(crate) locked: bool,
    pub(crate) chairs: Vec<Chair>,
    /// For the next deal; while a round is played, what it was dealt with.
    pub(crate) secret: Secret,
    /// Whether a round was dealt with that secret.
    pub(crate) spent: bool,
    /// The next deal, once it has begun.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) dealing: Option<Dealing>,
    /// What is revealed of the round that was broken off last, until the next one is dealt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) aborted: Option<FairDeal>,
    /// Where the match stands between two rounds.
    pub(crate) standing: Option<Standing>,
    /// The round that is played or was played last.
    #[serde(skip)]
    pub(crate) game: Option<Box<Game>>,
    pub(crate) accusation: Option<Accusation>,
    pub(crate) chat: VecDeque<ChatLine>,
    /// How many rounds were dealt, in all matches.
    pub(crate) rounds: u32,
    /// How many matches have come to their end or were broken off.
    pub(crate) matches: u32,
    /// How many moves bots have made since a person had a hand in the match.
    pub(crate) alone: u32,
    /// The game as it was before this round was dealt, if there was a round before it: what the table falls back to
    /// when the round cannot be restored. In the form of a snapshot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) earlier: Option<Box<str>>,
    /// The part of the match that no snapshot includes yet.
    #[serde(skip)]
    pub(crate) notes: Notes,
    /// The number of the last entry in a snapshot.
    #[serde(skip)]
    pub(crate) saved: u64,
    /// Whether a round could not be restored and nobody has been told yet.
    #[serde(skip)]
    pub(crate) lost: bool,
    /// The last changes, oldest first.
    #[serde(skip)]
    pub(crate) recent: VecDeque<Arc<Change>>,
    /// Who sits where, shared by the changes made since.
    #[serde(skip)]
    pub(crate) seating: Arc<[Option<Person>]>,
}

fn some_rules() -> Arc<Rules> {
    Arc::new(Rules::of(Edition::Original))
}

/// Somebody at the table.
#[derive(Clone, Debug, Serialize, Deserialize, unum_rules::json::Read)]
pub(crate) struct Member {
    pub(crate) person: Person,
    pub(crate) guest: GuestId,
    pub(crate) name: String,
    #[serde(default, skip_serializing_if = "Look::is_none")]
    pub(crate) look: Look,
    /// The number of the entry by which they joined.
    pub(crate) joined: u64,
    /// Their greatest request number that was carried out.
    pub(crate) last_id: u32,
    /// Whom they have muted.
    pub(crate) muted: Vec<Person>,
    /// The first round, in all matches, in which they may accuse somebody (again).
    pub(crate) accuses_from: u32,
    /// The last round, in all matches, in which somebody accused them.
    pub(crate) accused_in: u32,
    /// Whether they lost their chair because they were gone, and get it back if one is free when they return.
    pub(crate) lost_chair: bool,
    /// Whether they sit down when the next match begins.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) waiting: bool,
    /// Not decided by the journal.
    #[serde(skip)]
    pub(crate) link: Link,
}

/// A member's connection, and what was sent over it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Link {
    pub(crate) connected: bool,
    /// Since when they are, or are not.
    pub(crate) since: Moment,
    /// Where they connected from last.
    pub(crate) address: Option<AddressMark>,
    /// The number of the last change they were told.
    pub(crate) told: u64,
    /// What they were last told about themselves.
    pub(crate) own: OwnView,
    /// Whether that may have changed by who came and went, and is told with the changes they wait for.
    pub(crate) stale: bool,
    /// Whom they have blocked.
    pub(crate) blocks: Vec<GuestId>,
}

/// Somebody who was removed from the table and is kept out.
#[derive(Clone, Debug, Serialize, Deserialize, unum_rules::json::Read)]
pub(crate) struct Kicked {
    pub(crate) person: Person,
    pub(crate) guest: GuestId,
    pub(crate) name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) address: Option<AddressMark>,
}

/// A chair: a person's, a bot's, or one that a person left to a bot.
#[derive(Clone, Debug, Serialize, Deserialize, unum_rules::json::Read)]
pub(crate) struct Chair {
    pub(crate) name: String,
    /// The look of the person who sits or sat there.
    #[serde(default, skip_serializing_if = "Look::is_none")]
    pub(crate) look: Look,
    pub(crate) person: Option<Person>,
    /// The bot's level; `None` if the chair is or was a person's.
    pub(crate) level: Option<Level>,
    /// Why a bot stands in.
    pub(crate) away: Option<Away>,
    pub(crate) accepted: bool,
    pub(crate) ready: bool,
    /// What the person has published for the next deal, and the part itself once it is opened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) pledge: Option<Pledge>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) part: Option<Entropy>,
    /// How many turns in a row ran out of time.
    pub(crate) timeouts: u8,
    /// Who left it during a match and can have it back unless somebody else has taken it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) kept: Option<GuestId>,
    /// Who takes it when the round is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) claim: Option<Person>,
    /// Whether its person was gone when the round was dealt, and has not been back since.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) missed: bool,
    /// The bot that plays for this chair in this round.
    #[serde(skip)]
    pub(crate) bot: Option<LevelBot>,
}

impl Chair {
    /// Who plays the chair's cards, if it is not a person.
    pub(crate) fn player(&self) -> Option<Level> {
        self.level.or(self.away.map(|_| STAND_IN))
    }

    /// Whether somebody left it behind.
    pub(crate) fn is_abandoned(&self) -> bool {
        self.away == Some(Away::Left)
    }

    /// Whether its person is not playing, without having handed over to a bot.
    pub(crate) fn is_gone(&self) -> bool {
        matches!(self.away, Some(Away::Disconnected | Away::TimedOut))
    }

    /// Whether somebody who came later can have it after this round: it is a bot's, was left behind, or its person has
    /// been gone for a whole round.
    pub(crate) fn is_takeable(&self) -> bool {
        self.person.is_none() || self.missed && self.is_gone()
    }

    /// How much it would be missed: the least missed is claimed first.
    pub(crate) fn rank(&self) -> u8 {
        match (self.is_abandoned(), self.kept, self.person) {
            (true, None, _) => 0,
            (false, _, None) => 1,
            (true, Some(_), _) => 2,
            (false, _, Some(_)) => 3,
        }
    }
}

/// A match between two rounds.
#[derive(Clone, Debug, Serialize, Deserialize, unum_rules::json::Read)]
pub(crate) struct Standing {
    pub(crate) scores: Vec<u32>,
    pub(crate) dealer: Seat,
    pub(crate) round: u32,
}

/// A round, as part of its match.
#[derive(Clone, Debug)]
pub(crate) struct Game {
    pub(crate) play: Match,
    /// The number of the round in the match, from 1.
    pub(crate) round: u32,
    /// How many moves there were in the round.
    pub(crate) at: u32,
    pub(crate) fair: FairDeal,
    /// What was published of it beforehand.
    pub(crate) commitment: Commitment,
    /// The number of the last entry that changed the round.
    pub(crate) stamp: u64,
    /// Since when the table has been waiting for the current action.
    pub(crate) since: Moment,
    /// Who owes an "UNO", and since when.
    pub(crate) race: Vec<(Seat, Moment)>,
    /// Where a snapshot begins while the round is in a state that has no notation.
    pub(crate) anchor: Option<Box<Anchor>>,
    /// What everybody has done in the match so far.
    pub(crate) tallies: Tallies,
    /// How the match stands, once the round is over.
    pub(crate) standings: Option<Box<Standings>>,
}

impl Game {
    /// The seats the table waits for.
    pub(crate) fn awaited(&self) -> SeatSet {
        match *self.play.round().phase() {
            Phase::Vote { waiting, .. } => waiting,
            phase => phase.seat().into_iter().collect(),
        }
    }

    /// Since when a seat owes an "UNO".
    pub(crate) fn liable_since(&self, seat: Seat) -> Option<Moment> {
        self.race.iter().find(|(liable, _)| *liable == seat).map(|(_, since)| *since)
    }

    /// Notes who owes an "UNO" now, and who no longer does.
    pub(crate) fn watch_race(&mut self, now: Moment) {
        let liable = self.play.round().liable();
        self.race.retain(|(seat, _)| liable.contains(*seat));
        for seat in liable.iter() {
            if self.liable_since(seat).is_none() {
                self.race.push((seat, now));
            }
        }
    }
}

/// An accusation by X1 that is voted on.
#[derive(Clone, Debug, Serialize, Deserialize, unum_rules::json::Read)]
pub(crate) struct Accusation {
    pub(crate) by: Person,
    pub(crate) seat: Seat,
    /// Who may vote, and what they said.
    pub(crate) voters: Vec<(Person, Option<bool>)>,
    pub(crate) since: Moment,
}

impl Accusation {
    /// The result of the vote, once it is certain: more than half of those who may vote have to say yes.
    pub(crate) fn verdict(&self) -> Option<bool> {
        let count = |vote| self.voters.iter().filter(|(_, cast)| *cast == Some(vote)).count();
        if 2 * count(true) > self.voters.len() {
            Some(true)
        } else {
            (2 * count(false) >= self.voters.len()).then_some(false)
        }
    }
}

/// One change, kept for viewers who have missed it.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub(crate) seq: u64,
    pub(crate) by: Option<(Person, u32)>,
    /// What happened; [`Change::what_for`] hides it from those who may not know.
    pub(crate) what: Happened,
    /// The only person who may know, if it is private.
    pub(crate) owner: Option<Person>,
    pub(crate) events: Box<[Event]>,
    /// Who sat where when it happened.
    pub(crate) seating: Arc<[Option<Person>]>,
    /// Whether it changed the agreement.
    pub(crate) terms: bool,
    /// Whether it changed the lobby.
    pub(crate) lobby: bool,
    /// Whether it changed the game.
    pub(crate) game: bool,
}

impl State {
    pub(crate) fn member(&self, person: Person) -> Option<&Member> {
        self.people.iter().find(|member| member.person == person)
    }

    pub(crate) fn member_mut(&mut self, person: Person) -> Option<&mut Member> {
        self.people.iter_mut().find(|member| member.person == person)
    }

    pub(crate) fn guest(&self, guest: GuestId) -> Option<&Member> {
        self.people.iter().find(|member| member.guest == guest)
    }

    pub(crate) fn seat_of(&self, person: Person) -> Option<Seat> {
        self.chairs.iter().position(|chair| chair.person == Some(person)).map(|seat| seat as Seat)
    }

    pub(crate) fn chair(&self, seat: Seat) -> Option<&Chair> {
        self.chairs.get(usize::from(seat))
    }

    pub(crate) fn chair_mut(&mut self, seat: Seat) -> Option<&mut Chair> {
        self.chairs.get_mut(usize::from(seat))
    }

    pub(crate) fn chair_of_mut(&mut self, person: Person) -> Option<&mut Chair> {
        self.chairs.iter_mut().find(|chair| chair.person == Some(person))
    }

    /// The seat that is kept for a guest who left it.
    pub(crate) fn kept_for(&self, guest: GuestId) -> Option<Seat> {
        self.chairs.iter().position(|chair| chair.kept == Some(guest)).map(|seat| seat as Seat)
    }

    pub(crate) fn is_connected(&self, person: Person) -> bool {
        self.member(person).is_some_and(|member| member.link.connected)
    }

    /// The owner, if they are at the table.
    pub(crate) fn owner(&self) -> Option<&Member> {
        self.owner.and_then(|owner| self.guest(owner))
    }

    /// Whether the host is only a stand-in for the owner.
    pub(crate) fn is_acting(&self) -> bool {
        self.host.and_then(|host| self.member(host)).is_some_and(|host| Some(host.guest) != self.owner)
    }

    /// Whether a match is played or waits for its next round.
    pub(crate) fn is_match_on(&self) -> bool {
        matches!(self.stage, Stage::Playing | Stage::Scores)
    }

    /// Whether a person plays their own cards.
    pub(crate) fn has_people(&self) -> bool {
        self.chairs.iter().any(|chair| chair.person.is_some() && chair.away.is_none())
    }

    /// Whether bots have played among themselves for so long that they wait for a person.
    pub(crate) fn is_paused(&self) -> bool {
        self.is_match_on() && self.alone >= MOVES_ALONE
    }

    /// Whether anybody is connected.
    pub(crate) fn is_watched(&self) -> bool {
        self.people.iter().any(|member| member.link.connected)
    }

    /// Whether a bot plays the seat's cards.
    pub(crate) fn is_bot_run(&self, seat: Seat) -> bool {
        self.chair(seat).is_some_and(|chair| chair.player().is_some())
    }

    /// The seated people who are here: connected, and playing themselves.
    pub(crate) fn present(&self) -> impl Iterator<Item = &Chair> {
        self.chairs
            .iter()
            .filter(|chair| chair.away.is_none() && chair.person.is_some_and(|person| self.is_connected(person)))
    }

    /// The seats of the people the table waits for.
    pub(crate) fn awaited_people(&self) -> SeatSet {
        match &self.game {
            Some(game) if self.stage == Stage::Playing => {
                game.awaited().iter().filter(|seat| !self.is_bot_run(*seat)).collect()
            }
            _ => SeatSet::default(),
        }
    }

    pub(crate) fn note_seating(&mut self) {
        self.seating = self.chairs.iter().map(|chair| chair.person).collect();
    }
}
