//! The stakes of an action: what players want to know before they decide.

use serde::{Deserialize, Serialize};

use crate::action::Action;
use crate::card::Card;
use crate::round::Phase;
use crate::sight::Sight;

/// How many cards more than the attack a failed challenge costs (W6).
pub(crate) const FAILED_CHALLENGE: u16 = 2;

/// With this many cards in a hand, the next card played leaves one, and "UNO" can be called with it (U1).
pub const UNO_FROM: u8 = 2;

/// The stakes of an action; empty where there are none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Stakes {
    /// It leaves one card: "UNO" must be called, and can be called with it (U1).
    #[serde(default, skip_serializing_if = "is_false")]
    #[cfg_attr(feature = "ts", ts(optional = nullable))]
    pub uno: bool,
    /// It is a bluff that can be challenged: a Wild Draw Four that breaks W2.
    #[serde(default, skip_serializing_if = "is_false")]
    #[cfg_attr(feature = "ts", ts(optional = nullable))]
    pub bluff: bool,
    /// How many cards the player draws by it; for a challenge, if it fails.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub draws: Option<u16>,
    /// How many cards the other player draws if a challenge succeeds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub wins: Option<u16>,
    /// It is a race: several can do it, at any time, and it does not depend on whose turn it is.
    #[serde(default, skip_serializing_if = "is_false")]
    #[cfg_attr(feature = "ts", ts(optional = nullable))]
    pub race: bool,
}

fn is_false(value: &bool) -> bool {
    !value
}

impl Stakes {
    /// What an action of a seat would mean.
    pub(crate) fn of(sight: &Sight<'_>, action: &Action) -> Stakes {
        let hand = sight.hand().len();
        let leaves_one = |gone: usize| hand == gone + 1;
        match action {
            Action::Play(play) => Stakes {
                uno: leaves_one(1 + play.discard.len()),
                bluff: play.card == Card::WILD_DRAW_FOUR
                    && !leaves_one(0)
                    && sight.rules().challenges()
                    && sight.would_bluff(),
                ..Stakes::default()
            },
            Action::Block { .. } => Stakes { uno: leaves_one(1), ..Stakes::default() },
            Action::Discard { cards, .. } => Stakes { uno: leaves_one(cards.len()), ..Stakes::default() },
            Action::Draw => Stakes { draws: sight.turn_draw(), ..Stakes::default() },
            Action::Take => Stakes { draws: attack(sight), ..Stakes::default() },
            Action::Challenge => {
                let cards = attack(sight);
                Stakes { draws: cards.map(|cards| cards + FAILED_CHALLENGE), wins: cards, ..Stakes::default() }
            }
            Action::CallUno | Action::Catch(_) | Action::Vote(_) => Stakes { race: true, ..Stakes::default() },
            Action::Keep | Action::CallColor(_) | Action::Dare { .. } => Stakes::default(),
        }
    }
}

/// How many cards the attack on the seat has piled up.
fn attack(sight: &Sight<'_>) -> Option<u16> {
    match sight.phase() {
        Phase::Respond { cards, .. } => Some(cards),
        _ => None,
    }
}
