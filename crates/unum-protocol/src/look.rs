//! How people look to others at the table: an avatar and a card back, by ids that only clients know.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use unum_rules::json::{Node, Read, Wrong};

/// Longest id, in letters.
const LONGEST: usize = 12;
/// What an id is.
const RIGHT: &str = "the id of a look has up to 12 lowercase letters, digits and underscores";

/// An id: up to twelve lowercase letters, digits and underscores; empty for no preference.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct LookId([u8; LONGEST]);

/// How somebody wants to look. A client that does not know an id shows a default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, unum_rules::json::Read)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct Look {
    /// The picture beside the name.
    #[serde(default, skip_serializing_if = "LookId::is_none")]
    #[cfg_attr(feature = "ts", ts(type = "string", optional = nullable))]
    pub avatar: LookId,
    /// The back of the cards.
    #[serde(default, skip_serializing_if = "LookId::is_none")]
    #[cfg_attr(feature = "ts", ts(type = "string", optional = nullable))]
    pub back: LookId,
}

unum_rules::objects_only!(Look);

impl Look {
    /// Whether no preference is set.
    pub fn is_none(&self) -> bool {
        *self == Look::default()
    }

    /// As one text, to be stored.
    pub fn to_text(&self) -> String {
        if self.is_none() { String::new() } else { format!("{} {}", self.avatar.as_str(), self.back.as_str()) }
    }

    /// From the stored text; unreadable text means no preference.
    pub fn from_text(text: &str) -> Look {
        let (avatar, back) = text.split_once(' ').unwrap_or((text, ""));
        let id = |text| LookId::parse(text).unwrap_or_default();
        Look { avatar: id(avatar), back: id(back) }
    }
}

impl LookId {
    /// Reads an id.
    pub fn parse(text: &str) -> Option<LookId> {
        let fits = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'_';
        let mut id = LookId::default();
        id.0.get_mut(..text.len())?.copy_from_slice(text.as_bytes());
        text.as_bytes().iter().all(fits).then_some(id)
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        let length = self.0.iter().position(|byte| *byte == 0).unwrap_or(LONGEST);
        self.0.get(..length).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default()
    }

    /// Whether there is none.
    pub fn is_none(&self) -> bool {
        *self == LookId::default()
    }
}

impl fmt::Debug for LookId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl Serialize for LookId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for LookId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<LookId, D::Error> {
        let text = String::deserialize(deserializer)?;
        LookId::parse(&text).ok_or_else(|| serde::de::Error::custom(RIGHT))
    }
}

impl<'a> Read<'a> for LookId {
    fn read(node: &Node<'a>) -> Result<LookId, Wrong<'a>> {
        LookId::parse(node.str("a string")?).ok_or_else(|| node.wrong(RIGHT.to_owned()))
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for LookId {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "LookId".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "pattern": "^[a-z0-9_]{0,12}$" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(avatar: &str, back: &str) -> Look {
        Look { avatar: LookId::parse(avatar).unwrap(), back: LookId::parse(back).unwrap() }
    }

    #[test]
    fn looks_are_written_and_read_without_what_is_not_wished_for() {
        for (wished, json, text) in [
            (look("fox", "lattice"), r#"{"avatar":"fox","back":"lattice"}"#, "fox lattice"),
            (look("", "night_2"), r#"{"back":"night_2"}"#, " night_2"),
            (look("abcdefghijkl", ""), r#"{"avatar":"abcdefghijkl"}"#, "abcdefghijkl "),
            (Look::default(), "{}", ""),
        ] {
            assert_eq!(serde_json::to_string(&wished).unwrap(), json);
            assert_eq!(serde_json::from_str::<Look>(json).unwrap(), wished);
            assert_eq!(wished.to_text(), text);
            assert_eq!(Look::from_text(text), wished);
        }
    }

    #[test]
    fn only_short_plain_ids_are_taken() {
        for text in ["abcdefghijklm", "Fox", "a b", "<b>", "é", "a-b", "\u{0}", "狐"] {
            assert_eq!(LookId::parse(text), None, "{text}");
            let json = serde_json::json!({ "avatar": text }).to_string();
            assert!(serde_json::from_str::<Look>(&json).is_err(), "{text}");
        }
        assert!(serde_json::from_str::<Look>(r#"{"hat":"red"}"#).is_err());
        assert_eq!(Look::from_text("Fox night"), look("", "night"));
    }

    #[test]
    fn a_look_is_small() {
        assert_eq!(size_of::<Look>(), 24);
    }
}
