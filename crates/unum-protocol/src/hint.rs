//! What an expert would do, with a reason that fits into one sentence.

use serde::{Deserialize, Serialize};
use strum::VariantArray;
use unum_rules::wire::ActionForm;

/// A hint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HintView {
    /// The number of moves it is based on ([`GameView::at`](crate::GameView::at)).
    pub at: u32,
    /// What the expert would do.
    pub action: ActionForm,
    /// Why, in short.
    pub reason: HintReason,
}

/// Why an expert would do it, based only on what the seat can see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, VariantArray)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum HintReason {
    /// It wins the round.
    Wins,
    /// There is nothing else to do.
    OnlyChoice,
    /// Somebody forgot to call "UNO".
    Catches,
    /// It hits the next player, who has few cards left.
    StopsNext,
    /// It keeps a wild for later.
    KeepsWild,
    /// It continues with the color the player has most of.
    BestColor,
    /// It gets rid of a card that counts a lot.
    ShedsPoints,
    /// It changes the color although the old one could be followed.
    ChangesColor,
    /// Waiting is better than what could be played.
    Waits,
    /// The Wild Draw Four was probably a bluff.
    LikelyBluff,
    /// The Wild Draw Four was probably honest.
    LikelyHonest,
    /// It spares the player cards.
    Spares,
    /// It won most often when the expert thought ahead.
    WinsMost,
}
