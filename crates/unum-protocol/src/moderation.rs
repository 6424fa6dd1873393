//! Reports and blocks: what players tell of each other.

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

/// What somebody is reported for.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, unum_rules::json::Read, IntoStaticStr, VariantArray,
)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ReportKind {
    /// Insults, threats or hate.
    Abuse,
    /// An offensive name.
    Name,
    /// Spam.
    Spam,
    /// Cheating, or spoiling the game on purpose.
    Cheating,
    /// Anything else: the words say what.
    Other,
}

impl ReportKind {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// The kind that a word names.
    pub fn parse(word: &str) -> Option<ReportKind> {
        ReportKind::VARIANTS.iter().copied().find(|kind| kind.as_str() == word)
    }
}

/// Something that was said or done at a table, as a report has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReportLine {
    /// Whose name it was.
    pub name: String,
    /// What they did: `said`, `reacted`, `renamed`, `joined`, `left` or `kicked`.
    pub did: String,
    /// The words, the reaction or the new name; empty if there are none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
}

/// A report as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReportBody {
    /// What for.
    pub kind: ReportKind,
    /// The reporter's words; empty if there are none.
    #[serde(default)]
    pub text: String,
    /// What the reporter was called.
    pub by: String,
    /// What the person who is reported was called.
    pub name: String,
    /// The code of the table, as it was then.
    pub table: String,
    /// What was said and done there last, oldest first.
    pub lines: Vec<ReportLine>,
}

/// Somebody a guest has blocked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BlockedPerson {
    /// A number to unblock them by.
    pub id: u64,
    /// What they were called.
    pub name: String,
    /// When it was, in milliseconds since 1970.
    pub at: u64,
}
