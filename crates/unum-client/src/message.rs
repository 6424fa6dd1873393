//! What the server sends, read as far as somebody wants to know it.

use serde::{Deserialize, de::DeserializeOwned};
use tokio_tungstenite::tungstenite::Utf8Bytes;
use unum_rules::Seat;
use unum_rules::fair::Commitment;
use unum_rules::wire::{ActionForm, EventForm, ViewForm};
use unum_table::Look;
use unum_table::wire::{AccusationView, Away, ChatLine, ClockView, FairView, Person, PersonView, Settings, Stage};

use crate::ClientError;

/// The types of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Kind {
    Welcome,
    Snapshot,
    Update,
    Presence,
    Done,
    Refused,
    Pong,
    Bye,
    /// A type of a later version: to be passed over.
    #[serde(other)]
    Unknown,
}

/// One message. The small fields are read at once, the large ones when they are asked for.
#[derive(Clone, Debug)]
pub struct Message {
    head: Head,
    text: Utf8Bytes,
}

#[derive(Clone, Debug, Deserialize)]
struct Head {
    #[serde(rename = "type")]
    kind: Kind,
    seq: Option<u64>,
    id: Option<u32>,
    code: Option<String>,
    message: Option<String>,
    retry: Option<u32>,
    you: Option<Person>,
    last_id: Option<u32>,
}

/// The lobby, as `LobbyView` of the protocol.
#[derive(Clone, Debug, Deserialize)]
#[allow(missing_docs)]
pub struct Lobby {
    pub stage: Stage,
    pub settings: Settings,
    pub agreement: u32,
    pub host: Option<Person>,
    pub chairs: Vec<Chair>,
    pub people: Vec<PersonView>,
    pub accusation: Option<AccusationView>,
    pub commitment: Commitment,
    pub may: Vec<String>,
}

/// A chair, as `ChairView` of the protocol.
#[derive(Clone, Debug, Deserialize)]
#[allow(missing_docs)]
pub struct Chair {
    pub name: String,
    #[serde(default)]
    pub look: Look,
    pub person: Option<Person>,
    pub bot: Option<String>,
    pub away: Option<Away>,
    pub accepted: bool,
    pub ready: bool,
}

/// The game, as `GameView` of the protocol.
#[derive(Clone, Debug, Deserialize)]
#[allow(missing_docs)]
pub struct Game {
    pub round: u32,
    pub at: u32,
    pub view: ViewForm,
    pub legal: Vec<Choice>,
    pub clock: Option<ClockView>,
    pub fair: FairView,
}

/// Something one may do, as `ChoiceForm` of the protocol.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Choice {
    /// This.
    Action(ActionForm),
    /// Any discard of so many cards: there are too many to list.
    AnyDiscard {
        /// How many.
        count: u8,
    },
}

impl Message {
    /// Reads a message.
    ///
    /// # Errors
    /// When it is none.
    pub fn parse(text: impl Into<Utf8Bytes>) -> Result<Message, ClientError> {
        let text = text.into();
        let head = serde_json::from_str(&text).map_err(|error| unreadable(&error, &text))?;
        Ok(Message { head, text })
    }

    /// Its type.
    pub fn kind(&self) -> Kind {
        self.head.kind
    }

    /// Its number, if it is an update or a snapshot.
    pub fn seq(&self) -> Option<u64> {
        self.head.seq
    }

    /// The request it answers: acknowledged by an update or `done`, or refused.
    pub fn id(&self) -> Option<u32> {
        self.head.id
    }

    /// The code of a refusal or a farewell.
    pub fn code(&self) -> Option<&str> {
        self.head.code.as_deref()
    }

    /// The sentence of a refusal or a farewell.
    pub fn sentence(&self) -> Option<&str> {
        self.head.message.as_deref()
    }

    /// After how many milliseconds to come back, if a farewell says so.
    pub fn retry(&self) -> Option<u32> {
        self.head.retry
    }

    /// Who one is, in a welcome.
    pub fn you(&self) -> Option<Person> {
        self.head.you
    }

    /// The greatest request that was carried out, in a welcome.
    pub fn last_id(&self) -> Option<u32> {
        self.head.last_id
    }

    /// The whole message as it came.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What happened, in an update.
    ///
    /// # Errors
    /// When that is no part of the protocol, as for the other parts.
    pub fn what(&self) -> Result<Option<serde_json::Value>, ClientError> {
        #[derive(Deserialize)]
        struct Part {
            what: Option<serde_json::Value>,
        }
        Ok(self.part::<Part>()?.what)
    }

    /// What happened in the game, in an update.
    #[allow(clippy::missing_errors_doc)]
    pub fn events(&self) -> Result<Vec<EventForm>, ClientError> {
        #[derive(Deserialize)]
        struct Part {
            #[serde(default)]
            events: Vec<EventForm>,
        }
        Ok(self.part::<Part>()?.events)
    }

    /// The lobby, in a snapshot, or in an update if it changed.
    #[allow(clippy::missing_errors_doc)]
    pub fn lobby(&self) -> Result<Option<Lobby>, ClientError> {
        #[derive(Deserialize)]
        struct Part {
            lobby: Option<Lobby>,
        }
        Ok(self.part::<Part>()?.lobby)
    }

    /// The game, in a snapshot if there is one, or in an update if it changed.
    #[allow(clippy::missing_errors_doc)]
    pub fn game(&self) -> Result<Option<Game>, ClientError> {
        #[derive(Deserialize)]
        struct Part {
            game: Option<Game>,
        }
        Ok(self.part::<Part>()?.game)
    }

    /// What was said last, in a snapshot.
    #[allow(clippy::missing_errors_doc)]
    pub fn chat(&self) -> Result<Vec<ChatLine>, ClientError> {
        #[derive(Deserialize)]
        struct Part {
            #[serde(default)]
            chat: Vec<ChatLine>,
        }
        Ok(self.part::<Part>()?.chat)
    }

    /// Who is at the table, in a presence.
    #[allow(clippy::missing_errors_doc)]
    pub fn people(&self) -> Result<Vec<PersonView>, ClientError> {
        #[derive(Deserialize)]
        struct Part {
            #[serde(default)]
            people: Vec<PersonView>,
        }
        Ok(self.part::<Part>()?.people)
    }

    /// Reads some fields of the message, as a type that has just these.
    ///
    /// # Errors
    /// When they are not of that kind.
    pub fn part<T: DeserializeOwned>(&self) -> Result<T, ClientError> {
        serde_json::from_str(&self.text).map_err(|error| unreadable(&error, &self.text))
    }
}

impl Lobby {
    /// Where a person sits.
    pub fn seat_of(&self, person: Person) -> Option<Seat> {
        let place = self.chairs.iter().position(|chair| chair.person == Some(person))?;
        Seat::try_from(place).ok()
    }
}

fn unreadable(error: &serde_json::Error, text: &str) -> ClientError {
    let beginning: String = text.chars().take(200).collect();
    ClientError::Protocol(format!("a message cannot be read ({error}): {beginning}"))
}
