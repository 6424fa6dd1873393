//! Reads what a client sends: strictly, in one go, and with a sentence about what was wrong.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::{CowStrDeserializer, MapAccessDeserializer};
use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, de};
use serde_json::value::RawValue;

use crate::wire::{ClientMsg, Hello, MAX_MESSAGE, Request, ServerMsg};

/// Longest sentence about a message that could not be read, in characters: it may quote the message.
const MAX_SENTENCE: usize = 300;

/// Why a message could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseTrouble {
    /// The number of the request, if that much could be read.
    pub id: Option<u32>,
    /// What was wrong and what would be right.
    pub message: String,
}

impl ParseTrouble {
    /// The code that goes with it.
    pub const CODE: &'static str = "bad_request";

    fn new(id: Option<u32>, message: impl fmt::Display) -> ParseTrouble {
        ParseTrouble { id, message: message.to_string().chars().take(MAX_SENTENCE).collect() }
    }

    /// What the client is told.
    pub fn refusal(self) -> ServerMsg {
        ServerMsg::Refused { id: self.id, code: Self::CODE.to_owned(), message: self.message, rule: None, why: None }
    }
}

impl fmt::Display for ParseTrouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ParseTrouble {}

impl ClientMsg {
    /// Reads a message: one JSON object with a `type`, and with an `id` beside the fields of a request. Unknown and
    /// repeated fields are errors, so that typing mistakes show.
    ///
    /// # Errors
    /// When the text is too long or is no message.
    pub fn parse(text: &str) -> Result<ClientMsg, ParseTrouble> {
        if text.len() > MAX_MESSAGE {
            let message = format!("a message has at most {MAX_MESSAGE} bytes, this one has {}", text.len());
            return Err(ParseTrouble::new(None, message));
        }
        let head: Head = serde_json::from_str(text).map_err(|error| {
            ParseTrouble::new(None, format_args!("a message is a JSON object such as {{\"type\":\"ping\"}}: {error}"))
        })?;
        match head.kind.as_deref() {
            None => Err(ParseTrouble::new(None, "a message has a `type`, such as \"ping\"")),
            Some("hello") => without::<Hello>(text, "type").map(ClientMsg::Hello).map_err(told(None)),
            Some("ping") => without::<Nothing>(text, "type").map(|Nothing {}| ClientMsg::Ping).map_err(told(None)),
            Some(_) => {
                let id = head.id()?;
                let request = without::<Request>(text, "id").map_err(told(Some(id)))?;
                Ok(ClientMsg::Request { id, request })
            }
        }
    }

    /// Writes the message as [`ClientMsg::parse`] reads it.
    pub fn to_json(&self) -> String {
        let value = match self {
            ClientMsg::Hello(hello) => tagged("type", "hello", serde_json::to_value(hello)),
            ClientMsg::Ping => Ok(serde_json::json!({"type": "ping"})),
            ClientMsg::Request { id, request } => tagged("id", *id, serde_json::to_value(request)),
        };
        value.expect("messages are made of names, numbers and lists").to_string()
    }
}

/// An object with one more field.
fn tagged(
    name: &str,
    value: impl Into<serde_json::Value>,
    object: serde_json::Result<serde_json::Value>,
) -> serde_json::Result<serde_json::Value> {
    let mut object = object?;
    object[name] = value.into();
    Ok(object)
}

/// What decides how the rest is read.
#[derive(Deserialize)]
struct Head<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<Cow<'a, str>>,
    #[serde(borrow)]
    id: Option<&'a RawValue>,
}

impl Head<'_> {
    fn id(&self) -> Result<u32, ParseTrouble> {
        let right = "a request has an `id`: a whole number from 1, greater than any used before at this table";
        let given = self.id.ok_or_else(|| ParseTrouble::new(None, right))?.get();
        let number = given.parse().ok().filter(|id| *id > 0);
        number.ok_or_else(|| ParseTrouble::new(None, format_args!("{right}; not {given}")))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

fn told(id: Option<u32>) -> impl Fn(serde_json::Error) -> ParseTrouble {
    move |error| ParseTrouble::new(id, error)
}

/// Reads an object as if it had no field of that name.
fn without<T: DeserializeOwned>(text: &str, hidden: &'static str) -> serde_json::Result<T> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = reader.deserialize_map(Whole { hidden, kind: PhantomData })?;
    reader.end()?;
    Ok(value)
}

struct Whole<T> {
    hidden: &'static str,
    kind: PhantomData<T>,
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for Whole<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        T::deserialize(MapAccessDeserializer::new(Without { map, hidden: self.hidden }))
    }
}

/// A map that passes over one key.
struct Without<A> {
    map: A,
    hidden: &'static str,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Without<A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        while let Some(key) = self.map.next_key::<Cow<'de, str>>()? {
            if key != self.hidden {
                let key: CowStrDeserializer<'_, A::Error> = de::IntoDeserializer::into_deserializer(key);
                return seed.deserialize(key).map(Some);
            }
            self.map.next_value::<IgnoredAny>()?;
        }
        Ok(None)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.map.next_value_seed(seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Settings;

    #[test]
    fn what_is_written_is_read() {
        let settings = Settings::default();
        for message in [
            ClientMsg::Ping,
            ClientMsg::Hello(Hello { version: 1, table: "abc".to_owned(), after: Some(7), token: None }),
            ClientMsg::Request { id: 1, request: Request::Sit {} },
            ClientMsg::Request { id: u32::MAX, request: Request::Settings { settings } },
        ] {
            assert_eq!(ClientMsg::parse(&message.to_json()), Ok(message));
        }
    }

    #[test]
    fn the_fields_of_a_request_and_its_number_stand_side_by_side_in_any_order() {
        for text in [
            r#"{"type":"act","id":7,"action":{"type":"play","card":"R7","uno":true}}"#,
            r#" {"action":{"card":"R7","type":"play","uno":true},"\u0069d":7,"type":"act"} "#,
        ] {
            let ClientMsg::Request { id: 7, request: Request::Act { .. } } = ClientMsg::parse(text).unwrap() else {
                panic!("{text}");
            };
        }
    }

    #[test]
    fn anything_else_is_refused_in_words() {
        let unclosed = format!(r#"{{"type":"act","id":3,"action":{}"#, "[".repeat(4000));
        let nested = format!(r#"{{"type":"act","id":3,"action":{}{}}}"#, "[".repeat(1900), "]".repeat(1900));
        for (text, id, words) in [
            ("", None, "JSON object"),
            ("7", None, "JSON object"),
            ("[]", None, "JSON object"),
            ("{}", None, "has a `type`"),
            (r#"{"type":7}"#, None, "expected a string"),
            (r#"{"type":"ping"} {}"#, None, "trailing"),
            (r#"{"type":"ping","id":1}"#, None, "unknown field `id`"),
            (r#"{"type":"ping","type":"ping"}"#, None, "duplicate field `type`"),
            (r#"{"type":"hello","version":1}"#, None, "missing field `table`"),
            (r#"{"type":"hello","version":1,"table":"a","id":4}"#, None, "unknown field `id`"),
            (r#"{"type":"sit"}"#, None, "has an `id`"),
            (r#"{"type":"sit","id":0}"#, None, "from 1"),
            (r#"{"type":"sit","id":-1}"#, None, "not -1"),
            (r#"{"type":"sit","id":"1"}"#, None, "whole number"),
            (r#"{"type":"sit","id":4294967296}"#, None, "whole number"),
            (r#"{"type":"sit","id":1,"id":2}"#, None, "duplicate field `id`"),
            (r#"{"type":"fly","id":1}"#, Some(1), "unknown variant `fly`, expected one of `sit`"),
            (r#"{"type":"sit","id":1,"chair":2}"#, Some(1), "unknown field `chair`"),
            (r#"{"type":"kick","id":1}"#, Some(1), "missing field `person`"),
            (r#"{"type":"kick","id":1,"person":1,"person":2}"#, Some(1), "duplicate field `person`"),
            (r#"{"type":"act","id":1,"action":{"type":"play","card":"X7"}}"#, Some(1), "a card such as"),
            (r#"{"type":"add_bot","id":1,"level":"best"}"#, Some(1), "there are"),
            (&unclosed, None, "EOF"),
            (&nested, Some(3), "recursion limit"),
        ] {
            let trouble = ClientMsg::parse(text).unwrap_err();
            assert_eq!(trouble.id, id, "{text}: {trouble}");
            assert!(trouble.message.contains(words), "{text}: {trouble}");
            assert!(trouble.message.chars().count() <= MAX_SENTENCE);
        }
        let long = format!(r#"{{"type":"chat","id":1,"text":"{}"}}"#, "x".repeat(MAX_MESSAGE));
        assert!(ClientMsg::parse(&long).unwrap_err().message.contains("at most 4096 bytes"));
    }
}
