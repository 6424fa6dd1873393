//! What a server sends.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use strum::EnumDiscriminants;
use unum_rules::fair::Commitment;
use unum_rules::wire::{EventForm, WireError};
use unum_rules::{RulesError, Seat, Why};

use crate::{
    Actor, Away, ChatLine, Code, GameView, HintView, Level, LobbyView, OwnView, Pace, Person, PersonView, Reaction,
    SettingError, TableCode, Terms,
};

/// What a server sends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, EnumDiscriminants)]
#[strum_discriminants(
    name(MessageKind),
    doc = "A type of message to a client.",
    derive(Serialize, Deserialize),
    serde(rename_all = "snake_case"),
    allow(missing_docs)
)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(!try_from))]
#[serde(tag = "type", rename_all = "snake_case", try_from = "Envelope")]
pub enum ServerMsg {
    /// The answer to `hello`. What the client has missed follows as updates, or a snapshot does.
    Welcome {
        /// The version of the protocol.
        version: u32,
        /// The server's name and version.
        server: String,
        /// The code of the table.
        table: String,
        /// The client's person at this table.
        you: Person,
        /// The greatest request number that was carried out for this person.
        last_id: u32,
    },
    /// Everything this person may know.
    Snapshot {
        /// The number of the last change in it.
        seq: u64,
        /// What is agreed on.
        terms: Box<Terms>,
        /// Who sits where.
        lobby: Box<LobbyView>,
        /// What concerns only this person.
        own: Box<OwnView>,
        /// The game, once there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        game: Option<Box<GameView>>,
        /// The last lines of chat.
        chat: Vec<ChatLine>,
        /// What happened last, oldest first, as this person may know it: enough for a log.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "ts", ts(optional = nullable))]
        past: Vec<Past>,
    },
    /// A change, and those before it that had not been told yet. Numbers have no gaps; what this person may not know comes
    /// as `hidden`.
    Update {
        /// Its number.
        seq: u64,
        /// The changes just before it, oldest first, if they are told together.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "ts", ts(optional = nullable))]
        earlier: Vec<Past>,
        /// The request it carries out, for the client that made it: this is the acknowledgment.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        id: Option<u32>,
        /// What happened.
        what: Happened,
        /// What happened in the game.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "ts", ts(optional = nullable))]
        events: Vec<EventForm>,
        /// The agreement, if it changed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        terms: Option<Box<Terms>>,
        /// The lobby, if it changed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        lobby: Option<Box<LobbyView>>,
        /// What concerns only this person, if it changed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        own: Option<Box<OwnView>>,
        /// The game, if it changed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        game: Option<Box<GameView>>,
    },
    /// Who is connected: not numbered, and forgotten by a restart.
    Presence {
        /// Everybody at the table.
        people: Vec<PersonView>,
        /// What concerns only this person, if it changed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        own: Option<Box<OwnView>>,
    },
    /// A request had been carried out before, or changed nothing.
    Done {
        /// Its number.
        id: u32,
    },
    /// A request was refused; nothing has changed.
    Refused {
        /// Its number; left out when the message had no readable one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        id: Option<u32>,
        /// Why.
        #[serde(flatten)]
        refusal: Refusal,
    },
    /// What an expert would do; sent only to the person who asked.
    Hint {
        /// The number of the request.
        id: u32,
        /// What, and why.
        hint: Box<HintView>,
    },
    /// The answer to `ping`.
    Pong {},
    /// The operator of the server has something to say to everybody: not numbered, and not kept.
    Announcement {
        /// The words.
        text: String,
    },
    /// The connection is about to be closed.
    Bye {
        /// Why, for programs.
        code: Code,
        /// Why, for people.
        message: Cow<'static, str>,
        /// After how many milliseconds to come back, if at all.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        retry: Option<u32>,
    },
}

/// Every field a message can have, read in one pass: a derived reader would copy each message first to look for its type.
#[derive(Deserialize)]
struct Envelope {
    #[serde(rename = "type")]
    kind: MessageKind,
    version: Option<u32>,
    server: Option<String>,
    table: Option<String>,
    you: Option<Person>,
    last_id: Option<u32>,
    seq: Option<u64>,
    earlier: Option<Vec<Past>>,
    id: Option<u32>,
    what: Option<Happened>,
    events: Option<Vec<EventForm>>,
    terms: Option<Box<Terms>>,
    lobby: Option<Box<LobbyView>>,
    own: Option<Box<OwnView>>,
    game: Option<Box<GameView>>,
    chat: Option<Vec<ChatLine>>,
    past: Option<Vec<Past>>,
    people: Option<Vec<PersonView>>,
    code: Option<Code>,
    message: Option<String>,
    rule: Option<String>,
    why: Option<Why>,
    retry: Option<u32>,
    hint: Option<Box<HintView>>,
    text: Option<String>,
}

impl TryFrom<Envelope> for ServerMsg {
    type Error = String;

    fn try_from(read: Envelope) -> Result<ServerMsg, String> {
        let kind = read.kind;
        ServerMsg::of(read).ok_or_else(|| format!("a field of `{kind:?}` is missing").to_lowercase())
    }
}

/// The small fields of any message to a client, for programs that read the large ones only when they need them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Head {
    /// Its type.
    #[serde(rename = "type")]
    pub kind: MessageKind,
    /// Its number, if it is an update or a snapshot.
    pub seq: Option<u64>,
    /// The changes that an update tells besides its own.
    #[serde(default)]
    pub earlier: Vec<PastHead>,
    /// The request it answers: acknowledged by an update or `done`, or refused.
    pub id: Option<u32>,
    /// The code of a refusal or a farewell.
    pub code: Option<Code>,
    /// The sentence of a refusal or a farewell.
    pub message: Option<String>,
    /// After how many milliseconds to come back, if a farewell says so.
    pub retry: Option<u32>,
    /// The client's person, in a welcome.
    pub you: Option<Person>,
    /// The greatest request that was carried out, in a welcome.
    pub last_id: Option<u32>,
    /// What happened, if it is an update that clients act on by themselves.
    pub what: Option<WhatHead>,
    /// Whether it carries the lobby.
    #[serde(default, deserialize_with = "is_there")]
    pub lobby: bool,
    /// Whether it carries what concerns only this client.
    #[serde(default, deserialize_with = "is_there")]
    pub own: bool,
}

/// The small fields of a change that is told with a later one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PastHead {
    /// The request it carries out.
    pub id: Option<u32>,
    /// What happened, if clients act on it by themselves.
    pub what: Option<WhatHead>,
}

impl Head {
    /// Whether it is the answer to that request.
    pub fn answers(&self, id: u32) -> bool {
        self.answered().any(|answered| answered == id)
    }

    /// The number of the change that carries out that request.
    pub fn number_of(&self, id: u32) -> Option<u64> {
        let before = self.earlier.iter().rev().position(|past| past.id == Some(id)).map(|place| place as u64 + 1);
        self.seq?.checked_sub(before.unwrap_or(0))
    }

    /// The requests it answers.
    pub fn answered(&self) -> impl Iterator<Item = u32> {
        self.earlier.iter().filter_map(|past| past.id).chain(self.id)
    }

    /// What an update tells, as far as clients act on it by themselves.
    pub fn happened(&self) -> impl Iterator<Item = WhatKind> {
        self.earlier.iter().filter_map(|past| past.what).chain(self.what).map(|what| what.kind)
    }
}

/// The type of what happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WhatHead {
    /// Its type.
    #[serde(rename = "type")]
    pub kind: WhatKind,
}

/// What clients act on by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WhatKind {
    /// [`Happened::Dealt`].
    Dealt,
    /// [`Happened::PartOpened`].
    PartOpened,
    /// [`Happened::Withheld`].
    Withheld,
    /// [`Happened::StoodIn`].
    StoodIn,
    /// [`Happened::CodeRenewed`].
    CodeRenewed,
    /// Anything else.
    #[serde(other)]
    Other,
}

/// Skips a value: only its presence matters.
fn is_there<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    serde::de::IgnoredAny::deserialize(deserializer).map(|_| true)
}

/// Why something was refused.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Refusal {
    /// For programs.
    pub code: Code,
    /// For people: what was wrong, and what would be right.
    pub message: Cow<'static, str>,
    /// The id of the rule behind it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub rule: Option<Cow<'static, str>>,
    /// The sentence as data, for translation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub why: Option<Why>,
    /// After how many milliseconds to try again, if it came too fast.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub retry: Option<u32>,
}

impl Refusal {
    /// A refusal not based on a rule of the game.
    pub fn new(code: impl Into<Code>, message: impl Into<Cow<'static, str>>) -> Refusal {
        Refusal { code: code.into(), message: message.into(), rule: None, why: None, retry: None }
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refusal {}

impl From<unum_rules::Refusal> for Refusal {
    fn from(refusal: unum_rules::Refusal) -> Refusal {
        let (rule, why) = (refusal.rule().map(Cow::Borrowed), Some(refusal.why()));
        Refusal { rule, why, ..Refusal::new(refusal.code(), refusal.to_string()) }
    }
}

impl From<WireError> for Refusal {
    fn from(error: WireError) -> Refusal {
        Refusal::new(error.code, error.message)
    }
}

impl From<RulesError> for Refusal {
    fn from(error: RulesError) -> Refusal {
        Refusal { why: error.why(), ..Refusal::new(TableCode::BadSettings, error.to_string()) }
    }
}

impl From<SettingError> for Refusal {
    fn from(error: SettingError) -> Refusal {
        Refusal::new(TableCode::BadSettings, error.to_string())
    }
}

impl ServerMsg {
    /// The message with these fields, if all that its type needs are there.
    fn of(read: Envelope) -> Option<ServerMsg> {
        Some(match read.kind {
            MessageKind::Welcome => ServerMsg::Welcome {
                version: read.version?,
                server: read.server?,
                table: read.table?,
                you: read.you?,
                last_id: read.last_id?,
            },
            MessageKind::Snapshot => ServerMsg::Snapshot {
                seq: read.seq?,
                terms: read.terms?,
                lobby: read.lobby?,
                own: read.own?,
                game: read.game,
                chat: read.chat?,
                past: read.past.unwrap_or_default(),
            },
            MessageKind::Update => ServerMsg::Update {
                seq: read.seq?,
                earlier: read.earlier.unwrap_or_default(),
                id: read.id,
                what: read.what?,
                events: read.events.unwrap_or_default(),
                terms: read.terms,
                lobby: read.lobby,
                own: read.own,
                game: read.game,
            },
            MessageKind::Presence => ServerMsg::Presence { people: read.people?, own: read.own },
            MessageKind::Done => ServerMsg::Done { id: read.id? },
            MessageKind::Refused => {
                let (message, rule) = (read.message?.into(), read.rule.map(Cow::Owned));
                let refusal = Refusal { code: read.code?, message, rule, why: read.why, retry: read.retry };
                ServerMsg::Refused { id: read.id, refusal }
            }
            MessageKind::Hint => ServerMsg::Hint { id: read.id?, hint: read.hint? },
            MessageKind::Pong => ServerMsg::Pong {},
            MessageKind::Announcement => ServerMsg::Announcement { text: read.text? },
            MessageKind::Bye => ServerMsg::Bye { code: read.code?, message: read.message?.into(), retry: read.retry },
        })
    }

    /// An update of several changes as one update for each, the last with what they led to; any other message as it is.
    pub fn unfold(mut self) -> impl Iterator<Item = ServerMsg> {
        let earlier = match &mut self {
            ServerMsg::Update { earlier, .. } => std::mem::take(earlier),
            _ => Vec::new(),
        };
        let alone = |Past { seq, id, what, events }| {
            let (earlier, terms, lobby, own, game) = Default::default();
            ServerMsg::Update { seq, earlier, id, what, events, terms, lobby, own, game }
        };
        earlier.into_iter().map(alone).chain([self])
    }

    /// Whether it is the answer to that request.
    pub fn answers(&self, request: u32) -> bool {
        match self {
            ServerMsg::Update { earlier, id, .. } => {
                *id == Some(request) || earlier.iter().any(|past| past.id == Some(request))
            }
            ServerMsg::Refused { id, .. } => *id == Some(request),
            ServerMsg::Done { id } | ServerMsg::Hint { id, .. } => *id == request,
            _ => false,
        }
    }

    /// The changes that an update tells: what happened, and what happened in the game.
    pub fn changes(&self) -> impl Iterator<Item = (&Happened, &[EventForm])> {
        let (earlier, last): (&[Past], _) = match self {
            ServerMsg::Update { earlier, what, events, .. } => (earlier, Some((what, &**events))),
            _ => (&[], None),
        };
        earlier.iter().map(|past| (&past.what, &*past.events)).chain(last)
    }

    /// The table's new code, if it tells one.
    pub fn renewed_code(&self) -> Option<&str> {
        let happened = self.changes().map(|(what, _)| what);
        let codes = happened.filter_map(|what| match what {
            Happened::CodeRenewed { code } => Some(code.as_str()),
            _ => None,
        });
        codes.last()
    }

    /// The answer to a request that was refused.
    pub fn refused(id: u32, refusal: Refusal) -> ServerMsg {
        ServerMsg::Refused { id: (id > 0).then_some(id), refusal }
    }

    /// The last message to somebody who must go.
    pub fn dismissed(refusal: Refusal) -> ServerMsg {
        ServerMsg::Bye { code: refusal.code, message: refusal.message, retry: refusal.retry }
    }
}

/// Something that happened before, as a client's person may know it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Past {
    /// The number of the change.
    pub seq: u64,
    /// The request it carries out, in an update for the client that made it: this is the acknowledgment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub id: Option<u32>,
    /// What happened.
    pub what: Happened,
    /// What happened in the game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "ts", ts(optional = nullable))]
    pub events: Vec<EventForm>,
}

/// What happened, as one viewer may know it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Happened {
    Opened {},
    Joined {
        person: Person,
        name: String,
    },
    Sat {
        person: Person,
        seat: Seat,
    },
    Stood {
        person: Person,
    },
    /// Somebody takes a seat when the round is over; without one, they sit down when the next match begins.
    SeatClaimed {
        person: Person,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        seat: Option<Seat>,
    },
    /// They no longer want one, or cannot have it.
    ClaimDropped {
        person: Person,
    },
    /// A seat is no longer kept for anybody.
    SeatReleased {
        seat: Seat,
    },
    Left {
        person: Person,
        /// Their name, which is no longer in the lobby.
        name: String,
    },
    Kicked {
        person: Person,
        name: String,
    },
    /// A removed person may come back.
    Unkicked {
        person: Person,
    },
    /// The table was locked to newcomers, or unlocked.
    Locked {
        locked: bool,
    },
    /// The table has a new code; the old one no longer works.
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
    /// They look different now.
    Dressed {
        person: Person,
    },
    HostPassed {
        person: Person,
    },
    SettingsChanged {},
    /// The pace of the bots was changed by the only person who plays.
    PaceChanged {
        /// How fast they act now.
        pace: Pace,
    },
    Accepted {
        person: Person,
    },
    Ready {
        person: Person,
        ready: bool,
    },
    BotAdded {
        seat: Seat,
        level: Level,
    },
    BotRemoved {
        seat: Seat,
    },
    /// The table is bound to a new secret.
    Committed {
        commitment: Commitment,
    },
    /// The next round is about to be dealt: seats stay as they are, clients pledge and open their parts.
    DealBegun {},
    Pledged {
        person: Person,
    },
    /// All pledges are published.
    PledgesClosed {},
    PartOpened {
        seat: Seat,
    },
    /// These seats pledged a part and did not open it in time. The others pledge `again`, or the deal goes on without.
    Withheld {
        seats: Vec<Seat>,
        again: bool,
    },
    Dealt {
        round: u32,
    },
    Acted {
        seat: Seat,
        by: Actor,
    },
    /// A bot plays for a person.
    StoodIn {
        seat: Seat,
        why: Away,
    },
    /// A player is back.
    CameBack {
        seat: Seat,
    },
    Reopened {},
    /// The round could not be restored after the server was updated: it is dealt again.
    RoundLost {},
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
    /// A change this viewer may not know about.
    Hidden {},
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_as_they_are_written() {
        for json in [
            r#"{"type":"welcome","version":1,"server":"unum 0","table":"t","you":2,"last_id":7}"#,
            r#"{"type":"update","seq":9,"id":3,"what":{"type":"chatted","person":1,"text":"hi"}}"#,
            r#"{"type":"update","seq":9,"earlier":[{"seq":8,"id":2,"what":{"type":"opened"}}],"what":{"type":"closed"}}"#,
            r#"{"type":"presence","people":[]}"#,
            r#"{"type":"presence","people":[],"own":{"may":["sit"],"muted":[2],"kicked":[]}}"#,
            r#"{"type":"refused","id":3,"code":"too_soon","message":"wait","retry":900}"#,
            r#"{"type":"done","id":3}"#,
            r#"{"type":"refused","id":3,"code":"not_host","message":"no","rule":"X1"}"#,
            r#"{"type":"refused","code":"bad_request","message":"what?"}"#,
            r#"{"type":"pong"}"#,
            r#"{"type":"announcement","text":"Back in a minute"}"#,
            r#"{"type":"bye","code":"stopping","message":"soon","retry":500}"#,
        ] {
            let message: ServerMsg = serde_json::from_str(json).unwrap();
            assert_eq!(serde_json::to_string(&message).unwrap(), json);
        }
    }

    #[test]
    fn changes_that_are_told_together_are_updates_of_their_own() {
        let together = r#"{"type":"update","seq":9,"earlier":[{"seq":8,"id":2,"what":{"type":"dealt","round":1}}],"id":3,"what":{"type":"closed"}}"#;
        let message: ServerMsg = serde_json::from_str(together).unwrap();
        let alone: Vec<String> = message.unfold().map(|message| serde_json::to_string(&message).unwrap()).collect();
        let [first, last] = [
            r#"{"type":"update","seq":8,"id":2,"what":{"type":"dealt","round":1}}"#,
            r#"{"type":"update","seq":9,"id":3,"what":{"type":"closed"}}"#,
        ];
        assert_eq!(alone, [first, last]);
        assert_eq!(ServerMsg::Done { id: 3 }.unfold().collect::<Vec<_>>(), [ServerMsg::Done { id: 3 }]);
        let head: Head = serde_json::from_str(together).unwrap();
        assert_eq!(head.answered().collect::<Vec<_>>(), [2, 3]);
        assert!(head.answers(2) && head.answers(3) && !head.answers(8));
        assert_eq!((head.number_of(2), head.number_of(3)), (Some(8), Some(9)));
        assert_eq!(head.happened().collect::<Vec<_>>(), [WhatKind::Dealt, WhatKind::Other]);
    }

    #[test]
    fn what_is_no_message_is_refused() {
        for (json, why) in [
            (r#"{"type":"hug"}"#, "unknown variant `hug`"),
            (r#"{"seq":1}"#, "missing field `type`"),
            (r#"{"type":"update","seq":1}"#, "a field of `update` is missing"),
            (r#"{"type":"bye","code":"bored","message":""}"#, "did not match"),
        ] {
            let error = serde_json::from_str::<ServerMsg>(json).unwrap_err().to_string();
            assert!(error.contains(why), "{json}: {error}");
        }
    }
}
