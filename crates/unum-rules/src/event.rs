//! What happened, and how much of it each viewer may know.

use crate::Seat;
use crate::card::{Card, CardList, Cards, Color};
use crate::custom::TextId;
use crate::hand::Hand;
use crate::seat::{Direction, SEATS};

/// Who looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Viewer {
    /// A player.
    Seat(Seat),
    /// Somebody without a seat.
    Spectator,
}

impl From<Option<Seat>> for Viewer {
    fn from(seat: Option<Seat>) -> Viewer {
        seat.map_or(Viewer::Spectator, Viewer::Seat)
    }
}

/// Cards that only some may see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Veiled {
    /// The cards themselves.
    Open(CardList),
    /// How many there are.
    Closed(u8),
}

impl Veiled {
    /// Their number.
    pub fn count(&self) -> u8 {
        match self {
            Veiled::Open(cards) => cards.len() as u8,
            Veiled::Closed(count) => *count,
        }
    }

    fn close(&mut self) {
        *self = Veiled::Closed(self.count());
    }
}

/// Why cards were drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum DrawReason {
    /// Instead of playing (T2).
    Turn,
    /// A Draw Two or Wild Draw Four (A1, W1).
    Attack,
    /// A challenge won or lost (W5, W6).
    Challenge,
    /// Caught without "UNO" (U2).
    Caught,
    /// A suggestion (X1).
    Suggestion,
    /// A Customizable card (C3).
    Effect,
    /// A start card (S2).
    Start,
}

/// What became of a card turned up to start with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Turned {
    /// It is the start card.
    Start,
    /// It is ignored and lies under the start card.
    Ignored,
    /// It goes back into the pile.
    Returned,
}

/// One thing that happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Event {
    /// D1: a card drawn for the deal, shown to all.
    DrewForDealer {
        seat: Seat,
        card: Card,
    },
    DealerChosen {
        seat: Seat,
    },
    Dealt {
        seat: Seat,
        cards: Veiled,
    },
    /// S8: no start card could be turned up.
    DealtAgain,
    TurnedUp {
        card: Card,
        turned: Turned,
    },
    Played {
        seat: Seat,
        card: Card,
        color: Option<Color>,
        discarded: Cards<3>,
        jumped_in: bool,
    },
    Drew {
        seat: Seat,
        cards: Veiled,
        reason: DrawReason,
    },
    Kept {
        seat: Seat,
    },
    ColorCalled {
        seat: Seat,
        color: Color,
    },
    /// T4: the discards become the new draw pile.
    Reshuffled {
        count: u8,
    },
    Skipped {
        seat: Seat,
    },
    Reversed {
        direction: Direction,
    },
    Challenged {
        seat: Seat,
        challenged: Seat,
        guilty: bool,
    },
    /// W4: the hand, for the challenger alone.
    HandShown {
        seat: Seat,
        to: Seat,
        hand: Veiled,
    },
    Blocked {
        seat: Seat,
        color: Color,
    },
    UnoCalled {
        seat: Seat,
    },
    Caught {
        seat: Seat,
        by: Seat,
    },
    Penalized {
        seat: Seat,
    },
    HandsSwapped {
        seat: Seat,
        with: Seat,
    },
    HandsPassed {
        direction: Direction,
    },
    HandsShuffled {
        seat: Seat,
    },
    /// The hand somebody holds after a swap, a pass or a shuffle.
    Received {
        seat: Seat,
        cards: Veiled,
    },
    Discarded {
        seat: Seat,
        cards: CardList,
    },
    MustDrawMore {
        seat: Seat,
        count: u8,
    },
    ExtraTurn {
        seat: Seat,
    },
    FacedUp {
        seat: Seat,
        until: Seat,
    },
    BannerRaised {
        seat: Seat,
        text: TextId,
    },
    PerformanceBegan {
        seat: Seat,
        prompt: TextId,
    },
    Voted {
        seat: Seat,
        yes: bool,
    },
    PerformanceEnded {
        seat: Seat,
        success: bool,
    },
    Dared {
        seat: Seat,
        prompt: TextId,
    },
    DareAnswered {
        seat: Seat,
        accept: bool,
    },
    TurnCame {
        seat: Seat,
    },
    WentOut {
        seat: Seat,
    },
    RoundBlocked,
    RoundScored {
        winner: Option<Seat>,
        points: [u32; SEATS],
        players: u8,
    },
    MatchWon {
        winners: crate::seat::SeatSet,
    },
}

impl Event {
    /// Whether some seat may see more of it than a spectator.
    #[inline]
    pub fn is_private_to(&self, viewer: Seat) -> bool {
        match *self {
            Event::Dealt { seat, .. } | Event::Drew { seat, .. } | Event::Received { seat, .. } => seat == viewer,
            Event::HandShown { seat, to, .. } => seat == viewer || to == viewer,
            _ => false,
        }
    }

    /// The event as somebody may see it: the one place where events are redacted.
    #[inline]
    pub fn seen_by(mut self, viewer: Viewer) -> SeenEvent {
        let open = match viewer {
            Viewer::Seat(seat) => self.is_private_to(seat),
            Viewer::Spectator => false,
        };
        if !open {
            match &mut self {
                Event::Dealt { cards, .. } | Event::Drew { cards, .. } | Event::Received { cards, .. } => cards.close(),
                Event::HandShown { hand, .. } => hand.close(),
                _ => {}
            }
        }
        SeenEvent(self)
    }

    /// The event with nothing hidden, for the referee and for finished games.
    pub fn in_full(self) -> SeenEvent {
        SeenEvent(self)
    }
}

/// An event redacted for one viewer. Only this form can be serialized.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeenEvent(Event);

impl SeenEvent {
    /// The event, hidden cards replaced by their number.
    pub fn event(&self) -> &Event {
        &self.0
    }
}

/// Where events go. The simulator passes `&mut ()`, which costs nothing.
pub trait Sink {
    /// Whether anybody listens; if not, events are not even created.
    const LISTENS: bool = true;

    /// Takes one event.
    fn push(&mut self, event: Event);
}

impl Sink for () {
    const LISTENS: bool = false;

    #[inline]
    fn push(&mut self, _: Event) {}
}

impl Sink for Vec<Event> {
    fn push(&mut self, event: Event) {
        Vec::push(self, event);
    }
}

pub(crate) fn veiled(hand: &Hand) -> Veiled {
    Veiled::Open(CardList::try_from_iter(hand.iter()).unwrap_or(CardList::EMPTY))
}
