//! Everything that travels between a client and a table, in both directions, as JSON.
//!
//! Cards, actions, phases, views and events are written in the vocabulary of [`unum_rules::wire`]. The protocol for
//! somebody who writes a client is in docs/protocol.md.

use serde::{Deserialize, Serialize};
use unum_bots::Level;
use unum_rules::fair::{Commitment, Entropy, FairDeal};
use unum_rules::wire::{ActionForm, ChoiceForm, EventForm, ViewForm};
use unum_rules::{Edition, RulesSpec, Seat, Why};

use crate::Look;

/// The version of the protocol.
pub const VERSION: u32 = 1;
/// The longest message a client may send, in bytes.
pub const MAX_MESSAGE: usize = 4096;

/// Somebody at one table: a number that means nothing elsewhere, in order of arrival.
pub type Person = u32;

/// What a client sends.
#[derive(Clone, Debug, PartialEq)]
pub enum ClientMsg {
    /// The first message of a connection.
    Hello(Hello),
    /// Is anybody there?
    Ping,
    /// Something to be done.
    Request {
        /// Chosen by the client: greater than any it has used at this table. Who sends a request again (because the
        /// connection broke before the answer) uses the same number, and it is not carried out twice.
        id: u32,
        /// What.
        request: Request,
    },
}

/// Which table, as whom, and from where on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Hello {
    /// The client's [`VERSION`].
    pub version: u32,
    /// The code of the table, as in its invite link.
    pub table: String,
    /// The number of the last message the client has; it then gets the rest, if that is still at hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<u64>,
    /// The guest's token, for programs that cannot send it in a header.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
}

/// What somebody wants.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Request {
    /// Take a chair (in the lobby).
    Sit {},
    /// Give up one's chair and look on; in a match a bot takes over for good.
    Stand {},
    /// Leave the table.
    Leave {},
    /// Change what is agreed (host, in the lobby). Other rules than before have to be accepted anew by everybody.
    Settings {
        /// All of them.
        settings: Settings,
    },
    /// Accept the rules.
    Accept {
        /// The number of the agreement one has read.
        agreement: u32,
    },
    /// In the lobby: ready to begin. Between rounds: seen the scores. After a match: another one with the same people.
    Ready {
        /// Or not after all.
        ready: bool,
        /// One's part in the next shuffle.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        entropy: Option<Entropy>,
    },
    /// Deal (host, in the lobby, when everybody has accepted and is ready).
    Start {
        /// The host's part in the shuffle.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        entropy: Option<Entropy>,
    },
    /// Back to the lobby after a match, to change something (host).
    Reopen {},
    /// Seat a bot (host, in the lobby).
    AddBot {
        /// How well it plays.
        #[serde(with = "level_id")]
        #[cfg_attr(feature = "ts", ts(type = "Level"))]
        level: Level,
    },
    /// Send a bot away (host, in the lobby).
    RemoveBot {
        /// Which.
        seat: Seat,
    },
    /// Send somebody away, for good (host).
    Kick {
        /// Whom.
        person: Person,
    },
    /// Make somebody else the host.
    PassHost {
        /// Whom.
        person: Person,
    },
    /// Be called something else at this table.
    Rename {
        /// The new name.
        name: String,
    },
    /// Act in the game.
    Act {
        /// What one does.
        action: ActionForm,
        /// The number of moves ([`GameView::at`]) the player had seen: refused as stale if there were more since.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<u32>,
    },
    /// Let a bot play for oneself, or play again.
    Autopilot {
        /// Which.
        on: bool,
    },
    /// Say something.
    Chat {
        /// What.
        text: String,
    },
    /// A quick reaction.
    React {
        /// Which.
        reaction: Reaction,
    },
    /// Hear no more of somebody, or hear them again.
    Mute {
        /// Whom.
        person: Person,
        /// Which.
        muted: bool,
    },
    /// X1: accuse a player of suggesting a play.
    Accuse {
        /// Whom.
        seat: Seat,
    },
    /// Vote on an accusation.
    Judge {
        /// Whether it is upheld.
        yes: bool,
    },
}

/// What can be said with one tap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Reaction {
    Hello,
    Thanks,
    WellPlayed,
    Oops,
    Laugh,
    Wow,
    Think,
    Hurry,
    Sorry,
    Cheers,
}

/// What a table has agreed on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// What the table is called.
    pub title: String,
    /// What is played.
    pub rules: RulesSpec,
    /// How many may sit, 2–10.
    pub seats: u8,
    /// Whether the table is listed for all.
    pub public: bool,
    /// Whether people may look on.
    pub spectators: bool,
    /// Whether people may write.
    pub chat: bool,
    /// Seconds for a turn, 5–600; `None` for no limit (private tables only).
    pub clock: Option<u16>,
    /// How fast bots act.
    pub pace: Pace,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            title: String::new(),
            rules: RulesSpec::of(Edition::Original),
            seats: 10,
            public: false,
            spectators: true,
            chat: true,
            clock: Some(30),
            pace: Pace::default(),
        }
    }
}

/// How fast bots act.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Pace {
    /// At once: for programs.
    Instant,
    /// Like people in a hurry.
    Brisk,
    /// Like people.
    #[default]
    Relaxed,
}

/// What a client is sent.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerMsg {
    /// The answer to `hello`. What the client has missed follows as updates, or a snapshot does.
    Welcome {
        /// The protocol's version.
        version: u32,
        /// The server's name and version.
        server: String,
        /// The code of the table.
        table: String,
        /// Who one is at this table.
        you: Person,
        /// The greatest request number that was carried out for this person.
        last_id: u32,
    },
    /// All one may know.
    Snapshot {
        /// The number of the last change in it.
        seq: u64,
        /// Who sits where, what is agreed.
        lobby: Box<LobbyView>,
        /// The game, once there is one.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        game: Option<Box<GameView>>,
        /// The last things said.
        chat: Vec<ChatLine>,
    },
    /// One change. Numbers have no gaps; what one may not know comes as `hidden`.
    Update {
        /// Its number.
        seq: u64,
        /// The request it carries out, for whoever made it: this is the acknowledgement.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        id: Option<u32>,
        /// What happened.
        what: Happened,
        /// What happened in the game.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "ts", ts(optional = nullable))]
        events: Vec<EventForm>,
        /// The lobby afterwards, if it changed.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        lobby: Option<Box<LobbyView>>,
        /// The game afterwards, if it changed. Of several updates sent at once, only the last carries it.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        game: Option<Box<GameView>>,
    },
    /// Who is connected: not numbered, and forgotten by a restart.
    Presence {
        /// Everybody's state, by person.
        people: Vec<PersonView>,
    },
    /// A request was carried out before, or changed nothing.
    Done {
        /// Which.
        id: u32,
    },
    /// A request was refused; nothing has changed.
    Refused {
        /// Which; `None` when the message had no readable number.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        id: Option<u32>,
        /// For programs.
        code: String,
        /// For people: what was wrong, and what would be right.
        message: String,
        /// The id of the rule behind it.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        rule: Option<String>,
        /// What the sentence says, as data, for whoever writes it in another language.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        why: Option<Why>,
    },
    /// Yes, somebody is there.
    Pong {},
    /// The connection is about to be closed.
    Bye {
        /// Why, for programs.
        code: String,
        /// Why, for people.
        message: String,
        /// Whether it is worth coming back, and after how many milliseconds.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        retry: Option<u32>,
    },
}

/// What happened, as one viewer may know it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Happened {
    Opened {},
    Joined {
        person: Person,
    },
    Sat {
        person: Person,
        seat: Seat,
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
    /// They look different now.
    Dressed {
        person: Person,
    },
    HostPassed {
        person: Person,
    },
    SettingsChanged {},
    Accepted {
        person: Person,
    },
    Ready {
        person: Person,
        ready: bool,
    },
    BotAdded {
        seat: Seat,
        #[serde(with = "level_id")]
        #[cfg_attr(feature = "ts", ts(type = "Level"))]
        level: Level,
    },
    BotRemoved {
        seat: Seat,
    },
    /// The table is bound to a new secret.
    Committed {
        commitment: Commitment,
    },
    Dealt {
        round: u32,
    },
    Acted {
        seat: Seat,
        by: Hand,
    },
    /// A player goes on as a bot.
    StoodIn {
        seat: Seat,
        why: Away,
    },
    /// A player is back.
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
    AccusationEnded {
        seat: Seat,
        upheld: bool,
    },
    Closed {},
    /// Something this viewer may not know.
    Hidden {},
}

/// Who moved a seat's cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Hand {
    /// The person in that seat.
    Person,
    /// The bot in that seat.
    Bot,
    /// A bot for a person who is away or out of time.
    Autopilot,
}

/// Why a bot plays for a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Away {
    /// They wished so.
    Asked,
    /// Too many turns ran out of time.
    TimedOut,
    /// The connection was lost.
    Disconnected,
    /// They have left for good.
    Left,
}

/// What a table is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Agreeing on rules, taking chairs.
    #[default]
    Lobby,
    /// A round is being played.
    Playing,
    /// A round is over: the scores are looked at.
    Scores,
    /// The match is over.
    Over,
    /// Everybody has left.
    Closed,
}

/// Who sits where and what is agreed, as one viewer may know it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct LobbyView {
    /// What the table is doing.
    pub stage: Stage,
    /// What is agreed.
    pub settings: Settings,
    /// The number of this agreement: other rules, another number.
    pub agreement: u32,
    /// Who decides.
    pub host: Option<Person>,
    /// The chairs, by seat.
    pub chairs: Vec<ChairView>,
    /// Everybody at the table.
    pub people: Vec<PersonView>,
    /// The accusation that is voted on.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub accusation: Option<AccusationView>,
    /// What the table is bound to for the next deal, before anybody adds entropy.
    pub commitment: Commitment,
    /// The types of requests this viewer may make now.
    #[cfg_attr(feature = "ts", ts(type = "Array<Request[\"type\"]>"))]
    pub may: Vec<&'static str>,
}

/// A chair.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ChairView {
    /// Whose name is on it.
    pub name: String,
    /// How they want to look.
    #[serde(skip_serializing_if = "Look::is_none")]
    #[cfg_attr(feature = "ts", ts(optional = nullable))]
    pub look: Look,
    /// The person; `None` for a bot.
    pub person: Option<Person>,
    /// The bot that sits there, or plays for the person at the moment.
    #[serde(with = "level_id::option")]
    #[cfg_attr(feature = "ts", ts(type = "Level | null"))]
    pub bot: Option<Level>,
    /// Why it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub away: Option<Away>,
    /// Whether the rules are accepted.
    pub accepted: bool,
    /// Whether they are ready.
    pub ready: bool,
}

/// Somebody at the table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct PersonView {
    /// Their number.
    pub person: Person,
    /// Their name.
    pub name: String,
    /// How they want to look.
    #[serde(default, skip_serializing_if = "Look::is_none")]
    #[cfg_attr(feature = "ts", ts(optional = nullable))]
    pub look: Look,
    /// Where they sit; `None` for onlookers.
    pub seat: Option<Seat>,
    /// Whether they are connected.
    pub connected: bool,
    /// Whether the viewer does not want to hear them.
    pub muted: bool,
}

/// An accusation by X1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct AccusationView {
    /// Who accuses.
    pub by: Person,
    /// Whom.
    pub seat: Seat,
    /// Who has still to vote.
    pub waiting: Vec<Person>,
    /// Milliseconds left to vote.
    pub left: u32,
}

/// The game as one viewer may know it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct GameView {
    /// The number of the round in the match, from 1.
    pub round: u32,
    /// How many moves there were in the round.
    pub at: u32,
    /// What one sees.
    pub view: ViewForm,
    /// What one may do now; the optional `uno` is left out.
    pub legal: Vec<ChoiceForm>,
    /// The clock that runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub clock: Option<ClockView>,
    /// How the cards came about.
    pub fair: FairView,
}

/// A clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ClockView {
    /// Milliseconds left.
    pub left: u32,
    /// Of so many.
    pub of: u32,
}

/// How the cards of a round came about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct FairView {
    /// What was published before the deal.
    pub commitment: Commitment,
    /// All that decided the cards, once the round is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub revealed: Option<FairDeal>,
}

/// Something said.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ChatLine {
    /// The number of the change.
    pub seq: u64,
    /// Who.
    pub person: Person,
    /// What they were called then.
    pub name: String,
    /// What.
    pub text: String,
}

/// Levels by name.
pub(crate) mod level_id {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use unum_bots::Level;

    pub(crate) fn serialize<S: Serializer>(level: &Level, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(level.id())
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Level, D::Error> {
        let id = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        let known = Level::ALL.map(Level::id).join(", ");
        Level::parse(&id).ok_or_else(|| D::Error::custom(format!("there is no level of that name: there are {known}")))
    }

    pub(crate) mod option {
        use serde::{Deserialize, Deserializer, Serializer};
        use unum_bots::Level;

        pub(crate) fn serialize<S: Serializer>(level: &Option<Level>, serializer: S) -> Result<S::Ok, S::Error> {
            match level {
                Some(level) => serializer.serialize_some(level.id()),
                None => serializer.serialize_none(),
            }
        }

        pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Level>, D::Error> {
            #[derive(Deserialize)]
            struct Known(#[serde(with = "super")] Level);
            Ok(Option::<Known>::deserialize(deserializer)?.map(|known| known.0))
        }
    }
}
