//! What a client sends.

use serde::{Deserialize, Serialize};
use strum::{EnumDiscriminants, IntoStaticStr, VariantArray};
use unum_rules::fair::{Entropy, Pledge};
use unum_rules::text::printable;
use unum_rules::wire::ActionForm;
use unum_rules::{Seat, json};

use crate::{
    Code, Level, MAX_MESSAGE, Pace, Person, Reaction, Refusal, ReportKind, ServerMsg, SettingId, SettingValue, Settings,
};

/// What a client sends: `{"hello":…}` first, then `{"id":…,"request":…}` and `{"ping":{}}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, unum_rules::json::Read)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(!try_from))]
#[serde(untagged, try_from = "Envelope")]
pub enum ClientMsg {
    /// The first message of a connection.
    Hello {
        /// Which table, as whom.
        hello: Hello,
    },
    /// Is anybody there?
    Ping {
        /// No fields.
        ping: Empty,
    },
    /// A request.
    Request {
        /// Chosen by the client, greater than any it has used at this table. A request that is resent because the
        /// connection broke before the answer keeps its number and is never carried out twice.
        id: u32,
        /// What to do.
        request: Request,
    },
}

/// An object without fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, unum_rules::json::Read)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct Empty {}

/// Every field a message can have, read in one pass. Which of them belong together is checked afterward.
#[derive(Serialize, Deserialize, unum_rules::json::Read)]
#[serde(deny_unknown_fields, remote = "Self")]
struct Envelope {
    hello: Option<Hello>,
    ping: Option<Empty>,
    id: Option<u32>,
    request: Option<Request>,
}

/// Just the number of a request, to refuse one that cannot be read.
#[derive(Deserialize, unum_rules::json::Read)]
struct Numbered {
    id: Option<u32>,
}

unum_rules::objects_only!(Empty, Envelope, Hello, Request);

const FORMS: &str = "a message is {\"hello\":…}, {\"ping\":{}} or {\"id\":…,\"request\":…}";
const IDS: &str = "the `id` of a request is a whole number from 1, greater than any used before at this table";

impl TryFrom<Envelope> for ClientMsg {
    type Error = &'static str;

    fn try_from(envelope: Envelope) -> Result<ClientMsg, &'static str> {
        match envelope {
            Envelope { hello: Some(hello), ping: None, id: None, request: None } => Ok(ClientMsg::Hello { hello }),
            Envelope { hello: None, ping: Some(ping), id: None, request: None } => Ok(ClientMsg::Ping { ping }),
            Envelope { hello: None, ping: None, id: None | Some(0), request: Some(_) } => Err(IDS),
            Envelope { hello: None, ping: None, id: Some(id), request: Some(request) } => {
                Ok(ClientMsg::Request { id, request })
            }
            _ => Err(FORMS),
        }
    }
}

/// Why a message could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ParseError {
    /// The number of the request, if that much could be read.
    pub id: Option<u32>,
    /// What was wrong and what would be right.
    pub message: String,
}

/// The longest sentence about a message that could not be read, in characters: it may quote the message.
const MAX_SENTENCE: usize = 300;

impl ParseError {
    fn new(id: Option<u32>, message: impl std::fmt::Display) -> ParseError {
        ParseError { id, message: printable(&message.to_string(), MAX_SENTENCE) }
    }

    /// What the client is told.
    pub fn refusal(self) -> ServerMsg {
        ServerMsg::Refused { id: self.id, refusal: Refusal::new(Code::UNREADABLE, self.message) }
    }
}

impl ClientMsg {
    /// The least that can be said.
    pub const PING: ClientMsg = ClientMsg::Ping { ping: Empty {} };

    /// Reads a message. Unknown and repeated fields are errors, so typos show.
    ///
    /// # Errors
    /// When the text is too long or is not a message.
    pub fn parse(text: &str) -> Result<ClientMsg, ParseError> {
        if text.len() > MAX_MESSAGE {
            let message = format!("a message has at most {MAX_MESSAGE} bytes, this one has {}", text.len());
            return Err(ParseError::new(None, message));
        }
        json::from_str(text).map_err(|error| {
            let numbered: Option<Numbered> = json::from_str(text).ok();
            ParseError::new(numbered.and_then(|numbered| numbered.id).filter(|id| *id > 0), error)
        })
    }

    /// Writes the message as [`ClientMsg::parse`] reads it.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("messages are made of names, numbers and lists")
    }
}

/// Which table, as whom, and what the client already has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, unum_rules::json::Read)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct Hello {
    /// The client's [`VERSION`](crate::VERSION).
    pub version: u32,
    /// The code of the table, as in its invite link.
    pub table: String,
    /// The number of the last change the client has; it then gets only the rest, if the table still has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub after: Option<u64>,
    /// The guest's token, for programs that cannot send it in a header.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub token: Option<String>,
}

/// What a client asks for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, unum_rules::json::Read, EnumDiscriminants)]
#[strum_discriminants(
    name(RequestKind),
    doc = "A type of request, as `may` lists those that somebody can make now.",
    derive(Hash, PartialOrd, Ord, Serialize, Deserialize, IntoStaticStr, VariantArray),
    serde(rename_all = "snake_case"),
    strum(serialize_all = "snake_case"),
    cfg_attr(feature = "ts", derive(ts_rs::TS)),
    cfg_attr(feature = "schema", derive(schemars::JsonSchema)),
    allow(missing_docs)
)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields, remote = "Self")]
pub enum Request {
    /// Take a chair.
    Sit {},
    /// In a match: take a seat that a bot plays. It becomes theirs when the round is over.
    Take {
        /// Which one; left out: any that can be taken, or a free one when the next match begins.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        seat: Option<Seat>,
    },
    /// Give up the chair, or the wish for one, and watch; in a match a bot plays on.
    Stand {},
    /// Leave the table. In a match a bot plays on, and the seat is kept until somebody else takes it.
    Leave {},
    /// Leave the table and give up the seat.
    Quit {},
    /// Change one setting. If the rules change, everybody must accept them again.
    Set {
        /// The setting.
        setting: SettingId,
        /// Its new value; `null` for the edition's own, or for none.
        value: SettingValue,
    },
    /// Change all settings at once.
    Settings {
        /// All of them.
        settings: Settings,
    },
    /// Accept the rules.
    Accept {
        /// The number of the agreement the person has read.
        agreement: u32,
    },
    /// In the lobby: ready to begin. Between rounds: seen the scores. After a match: another one with the same people.
    Ready {
        /// Whether the person is ready.
        ready: bool,
        /// What the person pledges for the next deal.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pledge: Option<Pledge>,
    },
    /// Deal, when everybody has accepted and is ready.
    Start {
        /// What the host pledges for the deal.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pledge: Option<Pledge>,
    },
    /// Pledge a part, when the table waits for it.
    Pledge {
        /// The hash of the part.
        pledge: Pledge,
    },
    /// Open the part that was pledged, when all pledges are published.
    Open {
        /// The part.
        part: Entropy,
    },
    /// End the match and go back to the lobby.
    Reopen {},
    /// Seat a bot.
    AddBot {
        /// How well it plays.
        level: Level,
    },
    /// Remove a bot.
    RemoveBot {
        /// Its seat.
        seat: Seat,
    },
    /// Remove somebody from the table and keep them out.
    Kick {
        /// The person.
        person: Person,
        /// Whether nobody new may come from their address either: a household or a school shares one.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(feature = "ts", ts(optional = nullable))]
        address: bool,
    },
    /// Let a removed person back in.
    Unkick {
        /// The number they had.
        person: Person,
    },
    /// Lock the table to newcomers, or unlock it. People already at the table come and go as before.
    Lock {
        /// Whether nobody new may enter.
        locked: bool,
    },
    /// Give the table a new code: the old one and its link stop working.
    NewCode {},
    /// Make somebody else the host.
    PassHost {
        /// The person.
        person: Person,
    },
    /// Take another name at this table.
    Rename {
        /// The new name.
        name: String,
    },
    /// Act in the game.
    Act {
        /// The action.
        action: ActionForm,
        /// The number of moves ([`GameView::at`](crate::GameView::at)) the player had seen: refused as stale if there
        /// were more since.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        at: Option<u32>,
    },
    /// Ask what an expert would do, at a table where all opponents are bots.
    Hint {
        /// The number of moves the player had seen, as for [`Request::Act`].
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        at: Option<u32>,
    },
    /// Let a bot take over, or take back control.
    Autopilot {
        /// Whether the bot plays.
        on: bool,
    },
    /// How fast bots act from now on, for somebody who plays only with bots.
    Pace {
        /// How fast.
        pace: Pace,
    },
    /// Say something.
    Chat {
        /// The words.
        text: String,
    },
    /// A quick reaction.
    React {
        /// The reaction.
        reaction: Reaction,
    },
    /// Mute somebody, or unmute them.
    Mute {
        /// The person.
        person: Person,
        /// Whether they are muted.
        muted: bool,
        /// Whether that is so at every table from now on: they are blocked. Unmuting always ends that.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(feature = "ts", ts(optional = nullable))]
        always: bool,
    },
    /// Report somebody to the operator of the server, with what was said and done at the table last.
    Report {
        /// The person.
        person: Person,
        /// What for.
        kind: ReportKind,
        /// More about it.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        #[cfg_attr(feature = "ts", ts(optional = nullable))]
        text: String,
    },
    /// X1: accuse a player of suggesting a play.
    Accuse {
        /// The player's seat.
        seat: Seat,
    },
    /// Vote on an accusation.
    Judge {
        /// Whether it is upheld.
        yes: bool,
    },
}

impl Request {
    /// Its type.
    pub fn kind(&self) -> RequestKind {
        self.into()
    }
}

impl RequestKind {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let hello = Hello { version: 1, table: "abc".to_owned(), after: Some(7), token: None };
        for (message, json) in [
            (ClientMsg::PING, r#"{"ping":{}}"#),
            (ClientMsg::Hello { hello }, r#"{"hello":{"version":1,"table":"abc","after":7}}"#),
            (ClientMsg::Request { id: 1, request: Request::Sit {} }, r#"{"id":1,"request":{"type":"sit"}}"#),
        ] {
            assert_eq!(message.to_json(), json);
            assert_eq!(json::read(json).as_ref(), Ok(&message), "the page's module reads the same");
            assert_eq!(ClientMsg::parse(json), Ok(message));
        }
        let settings = Request::Settings { settings: Settings::default() };
        let message = ClientMsg::Request { id: u32::MAX, request: settings };
        assert_eq!(json::read(&message.to_json()).as_ref(), Ok(&message));
        assert_eq!(ClientMsg::parse(&message.to_json()), Ok(message));
    }

    #[test]
    fn every_type_of_request_has_the_name_it_is_sent_with() {
        let requests = [Request::Sit {}, Request::PassHost { person: 1 }, Request::Start { pledge: None }];
        for request in requests {
            let json = serde_json::to_value(&request).unwrap();
            assert_eq!(json["type"], request.kind().as_str());
            assert_eq!(json["type"], serde_json::to_value(request.kind()).unwrap());
        }
    }

    #[test]
    fn anything_else_is_refused_in_words() {
        let unclosed = format!(r#"{{"id":3,"request":{{"type":"act","action":{}"#, "[".repeat(4000));
        let nested =
            format!(r#"{{"id":3,"request":{{"type":"act","action":{}{}}}}}"#, "[".repeat(1900), "]".repeat(1900));
        for (text, id, words) in [
            ("", None, "EOF"),
            ("7", None, "expected an object"),
            ("[]", None, "expected an object"),
            ("{}", None, "a message is"),
            (r#"{"ping":{}} {}"#, None, "trailing"),
            (r#"{"ping":[]}"#, None, "expected an object"),
            (r#"{"ping":{},"id":1}"#, Some(1), "a message is"),
            (r#"{"ping":{},"ping":{}}"#, None, "duplicate field `ping`"),
            (r#"{"type":"ping"}"#, None, "unknown field `type`"),
            (r#"{"hello":{"version":1}}"#, None, "missing field `table`"),
            (r#"{"hello":{"version":1,"table":"a","id":4}}"#, None, "unknown field `id`"),
            (r#"{"hello":[1,"a",null,null]}"#, None, "expected an object"),
            (r#"{"request":{"type":"sit"}}"#, None, "from 1"),
            (r#"{"id":0,"request":{"type":"sit"}}"#, None, "from 1"),
            (r#"{"id":-1,"request":{"type":"sit"}}"#, None, "invalid value"),
            (r#"{"id":"1","request":{"type":"sit"}}"#, None, "invalid type"),
            (r#"{"id":4294967296,"request":{"type":"sit"}}"#, None, "invalid value"),
            (r#"{"id":1,"id":2,"request":{"type":"sit"}}"#, None, "duplicate field `id`"),
            (r#"{"id":1}"#, Some(1), "a message is"),
            (r#"{"id":1,"request":{"type":7}}"#, Some(1), "invalid type"),
            (r#"{"id":1,"request":["sit"]}"#, Some(1), "expected an object"),
            (r#"{"id":1,"request":{"type":"fly"}}"#, Some(1), "unknown variant `fly`, expected one of `sit`"),
            (r#"{"id":1,"request":{"type":"sit","chair":2}}"#, Some(1), "unknown field `chair`"),
            (r#"{"request":{"type":"kick"},"id":1}"#, Some(1), "missing field `person`"),
            (r#"{"id":1,"request":{"type":"kick","person":1,"person":2}}"#, Some(1), "duplicate field `person`"),
            (r#"{"id":1,"request":{"type":"act","action":{"type":"play","card":"X7"}}}"#, Some(1), "a card such as"),
            (r#"{"id":1,"request":{"type":"act","action":["draw"]}}"#, Some(1), "expected an object"),
            (r#"{"id":1,"request":{"type":"settings","settings":[]}}"#, Some(1), "expected an object"),
            (
                r#"{"id":1,"request":{"type":"settings","settings":{"rules":["modern"]}}}"#,
                Some(1),
                "expected an object",
            ),
            (r#"{"id":1,"request":{"type":"add_bot","level":"best"}}"#, Some(1), "expected one of `random`"),
            (&unclosed, None, "recursion limit"),
            (&nested, Some(3), "recursion limit"),
        ] {
            let error = ClientMsg::parse(text).unwrap_err();
            assert!(error.message.contains(words), "{text}: {error}");
            assert_eq!(error.id, id, "{text}: {error}");
            let other = json::read::<ClientMsg>(text).unwrap_err().to_string();
            assert!(other.contains(words), "the page's module: {text}: {other}");
            assert!(error.message.chars().count() <= MAX_SENTENCE);
        }
        let long = format!(r#"{{"id":1,"request":{{"type":"chat","text":"{}"}}}}"#, "x".repeat(MAX_MESSAGE));
        assert!(ClientMsg::parse(&long).unwrap_err().message.contains("at most 4096 bytes"));
    }
}
