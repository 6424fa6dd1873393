//! The first round that teaches the game: where the learner is in it.

use serde::{Deserialize, Serialize};
use strum::VariantArray;

/// Where a learner is in the lesson.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LessonView {
    /// What the learner does next; `None` when everything is done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub step: Option<LessonStep>,
    /// What the learner has done last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub done: Option<LessonStep>,
    /// How many steps are done.
    pub number: u8,
    /// How many there are.
    pub of: u8,
}

/// One idea of the lesson, learned by doing it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, VariantArray)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum LessonStep {
    /// A card goes on its own color.
    MatchColor,
    /// A card goes on its own number.
    MatchNumber,
    /// An action card does something to the next player.
    Attack,
    /// Somebody has one card left and forgot to say so.
    Catch,
    /// Nothing fits: draw.
    Draw,
    /// A wild goes on anything and changes the color.
    Wild,
    /// "UNO" is called with the last card but one.
    Uno,
    /// The last card wins.
    Last,
}
