//! How well a bot plays, by name.

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

/// How well a bot plays, weakest first.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    unum_rules::json::Read,
    Display,
    EnumString,
    IntoStaticStr,
    VariantArray,
)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Level {
    /// The baseline: plays any card that fits.
    Random,
    /// Makes the mistakes people make.
    Easy,
    /// Plays sensibly, without tricks.
    #[default]
    Normal,
    /// Counts cards, remembers, bluffs.
    Hard,
    /// Thinks ahead.
    Expert,
}

impl Level {
    /// All levels, weakest first.
    pub const ALL: &[Level] = Level::VARIANTS;

    /// The name, as in `unum arena easy normal`.
    pub fn id(self) -> &'static str {
        self.into()
    }

    /// The level of that name.
    pub fn parse(id: &str) -> Option<Level> {
        id.parse().ok()
    }

    /// All names, for a sentence.
    pub fn names() -> String {
        Level::ALL.iter().map(|level| level.id()).collect::<Vec<_>>().join(", ")
    }
}
