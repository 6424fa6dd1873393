//! What players can do.

use crate::Seat;
use crate::card::{Card, CardList, Cards, Color};

/// One thing a player does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Play a card; where house rules allow it, also out of turn or to answer an attack.
    Play(Play),
    /// Draw instead of playing.
    Draw,
    /// Keep the card just drawn.
    Keep,
    /// Call the color of a start card or of Wild Shuffle Hands.
    CallColor(Color),
    /// Take the cards of an attack.
    Take,
    /// Challenge a Wild Draw Four.
    Challenge,
    /// Block an attack with Flitterific!
    Block {
        /// The color to continue with.
        color: Color,
        /// Call "UNO" with it.
        uno: bool,
    },
    /// Call "UNO" afterwards.
    CallUno,
    /// Catch somebody who forgot to.
    Catch(Seat),
    /// Discard by choice through a card's effect.
    Discard {
        /// Which cards, in the order they go under the top card.
        cards: CardList,
        /// Call "UNO" with it.
        uno: bool,
    },
    /// Judge a performance.
    Vote(bool),
    /// Accept a dare, or refuse it.
    Dare {
        /// Whether it is accepted.
        accept: bool,
    },
}

/// How many cards Olaf's Summertime takes along at most (O1).
pub const MAX_ALONG: usize = 3;

/// The card played, and everything declared with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Play {
    /// The card.
    pub card: Card,
    /// The color called, for every wild but Shuffle Hands.
    pub color: Option<Color>,
    /// Call "UNO": the play leaves exactly one card.
    pub uno: bool,
    /// What Olaf's Summertime takes along, in order. The length is [`MAX_ALONG`], spelled out because rustc 1.95 fails
    /// on the name.
    pub discard: Cards<3>,
    /// The player a 7 swaps hands with under `seven_zero`.
    pub swap_with: Option<Seat>,
}

impl Play {
    /// A card by itself.
    #[inline]
    pub const fn card(card: Card) -> Play {
        Play { card, color: None, uno: false, discard: Cards::EMPTY, swap_with: None }
    }

    /// A wild with its color.
    #[inline]
    pub const fn wild(card: Card, color: Color) -> Play {
        Play { color: Some(color), ..Play::card(card) }
    }
}

impl From<Play> for Action {
    fn from(play: Play) -> Action {
        Action::Play(play)
    }
}

impl Action {
    /// The same action with "UNO" called along with it, where an action can carry the call.
    pub fn with_uno(self) -> Action {
        match self {
            Action::Play(play) => Action::Play(Play { uno: true, ..play }),
            Action::Block { color, .. } => Action::Block { color, uno: true },
            Action::Discard { cards, .. } => Action::Discard { cards, uno: true },
            other => other,
        }
    }
}
