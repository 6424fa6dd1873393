//! Why an action is not allowed.

use std::fmt;

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use crate::Seat;
use crate::card::{Card, Color, Palette};

/// A stable code for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, IntoStaticStr, VariantArray)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "GameCode"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "GameCode"))]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[allow(missing_docs)]
pub enum Code {
    BadRequest,
    BadRules,
    BadPosition,
    BadSeat,
    NotYourTurn,
    WrongPhase,
    NotInHand,
    DoesNotMatch,
    NotTheDrawnCard,
    ColorRequired,
    NoSuchColor,
    BadDiscard,
    BadSwap,
    MustPlay,
    BluffNotAllowed,
    NotLiable,
    NothingToCall,
    Over,
}

impl Code {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What somebody tried to do at the wrong moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, VariantArray)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Deed {
    Play,
    Draw,
    Keep,
    CallColor,
    Take,
    Challenge,
    Block,
    Discard,
    Vote,
    AnswerDare,
}

impl Deed {
    fn as_str(self) -> &'static str {
        match self {
            Deed::Play => "playing a card",
            Deed::Draw => "drawing",
            Deed::Keep => "keeping a card",
            Deed::CallColor => "calling a color",
            Deed::Take => "taking cards",
            Deed::Challenge => "a challenge",
            Deed::Block => "a block",
            Deed::Discard => "discarding",
            Deed::Vote => "a vote",
            Deed::AnswerDare => "answering a dare",
        }
    }
}

/// What prevents it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, VariantArray)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Obstacle {
    Turn,
    DrawnCard,
    ColorToCall,
    ColorAfterMixing,
    Attack,
    AttackOnGoingOut,
    BlockInstead,
    Discards,
    Votes,
    Dare,
    NoWildDrawFour,
    NoBluffing,
    NoChallenges,
    LastCard,
    NoBlocker,
}

impl Obstacle {
    /// The reason in words, and the rule behind it.
    fn explain(self) -> (&'static str, &'static str) {
        match self {
            Obstacle::Turn => ("it is your turn to play a card or to draw", "T2"),
            Obstacle::DrawnCard => ("the card just drawn has to be played or kept", "T2"),
            Obstacle::ColorToCall => ("a color has to be called first", "S5"),
            Obstacle::ColorAfterMixing => ("a color has to be called first", "H2"),
            Obstacle::Attack => ("the attack has to be answered first", "W1"),
            Obstacle::AttackOnGoingOut => ("the attack was a last card, it can only be taken or blocked", "F4"),
            Obstacle::BlockInstead => ("a Flitterific! answers an attack as a block: send `block` with a color", "F1"),
            Obstacle::Discards => ("cards have to be discarded first", "C4"),
            Obstacle::Votes => ("the votes on a performance come first", "C4"),
            Obstacle::Dare => ("a dare has to be answered first", "C4"),
            Obstacle::NoWildDrawFour => ("only a Wild Draw Four can be challenged", "W4"),
            Obstacle::NoBluffing => ("without bluffs there is nothing to challenge", "no_bluffing"),
            Obstacle::NoChallenges => ("a house rule switches challenges off", "no_challenges"),
            Obstacle::LastCard => ("it was the last card, and with an empty hand it cannot be a bluff", "W8"),
            Obstacle::NoBlocker => ("there is no Flitterific! in this deck", "F1"),
        }
    }
}

/// What was wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Reason {
    NoSuchSeat { seat: Seat, players: u8 },
    NotYourTurn { turn: Seat },
    AlreadyVoted,
    WrongPhase { what: Deed, why: Obstacle },
    NotInHand { card: Card },
    DoesNotMatch { card: Card, top: Card, color: Option<Color> },
    NoAnswer { card: Card, top: Card },
    NotTheDrawnCard { card: Card },
    ColorRequired { card: Card },
    ColorOnColored { card: Card },
    ColorOnShuffleHands,
    DiscardWithoutOlaf { card: Card },
    BadOlafDiscard,
    WrongDiscardCount { count: u8, given: u8 },
    SwapOutOfPlace,
    SwapMissing,
    SwapWithSelf,
    SwapWithNobody { players: u8 },
    MustPlay,
    MustPlayDrawn,
    BluffNotAllowed { color: Color },
    WildInHand,
    NotLiable { seat: Seat },
    CatchingOneself,
    NothingToCall,
    UnoLeaves { left: u8 },
    NoSuggestionPenalty,
    GoneOut { seat: Seat },
    PenaltyAfterEnd,
    Over,
}

/// A refused action: nothing has changed.
///
/// It carries a stable [`code`](Refusal::code), the [`rule`](Refusal::rule) behind it (see
/// [`rulebook`](crate::rulebook)), and reads, as [`Display`](fmt::Display), as a sentence that says
/// what was wrong and what would be right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What was wrong.
    pub reason: Reason,
    palette: Palette,
}

impl Refusal {
    #[cold]
    pub(crate) fn new(reason: Reason, palette: Palette) -> Refusal {
        Refusal { reason, palette }
    }

    /// The deck's color names.
    pub(crate) fn palette(&self) -> Palette {
        self.palette
    }

    /// The code for programs.
    pub fn code(&self) -> Code {
        match self.reason {
            Reason::NoSuchSeat { .. } => Code::BadSeat,
            Reason::NotYourTurn { .. } | Reason::AlreadyVoted => Code::NotYourTurn,
            Reason::WrongPhase { .. } | Reason::GoneOut { .. } | Reason::PenaltyAfterEnd => Code::WrongPhase,
            Reason::NotInHand { .. } => Code::NotInHand,
            Reason::DoesNotMatch { .. } | Reason::NoAnswer { .. } => Code::DoesNotMatch,
            Reason::NotTheDrawnCard { .. } => Code::NotTheDrawnCard,
            Reason::ColorRequired { .. } => Code::ColorRequired,
            Reason::ColorOnColored { .. } | Reason::ColorOnShuffleHands | Reason::DiscardWithoutOlaf { .. } => {
                Code::BadRequest
            }
            Reason::BadOlafDiscard | Reason::WrongDiscardCount { .. } => Code::BadDiscard,
            Reason::SwapOutOfPlace | Reason::SwapMissing | Reason::SwapWithSelf | Reason::SwapWithNobody { .. } => {
                Code::BadSwap
            }
            Reason::MustPlay | Reason::MustPlayDrawn => Code::MustPlay,
            Reason::BluffNotAllowed { .. } | Reason::WildInHand => Code::BluffNotAllowed,
            Reason::NotLiable { .. } | Reason::CatchingOneself => Code::NotLiable,
            Reason::NothingToCall | Reason::UnoLeaves { .. } => Code::NothingToCall,
            Reason::NoSuggestionPenalty => Code::BadRules,
            Reason::Over => Code::Over,
        }
    }

    /// The id of the rule behind it, a key of the [`rulebook`](crate::rulebook).
    pub fn rule(&self) -> Option<&'static str> {
        Some(match self.reason {
            Reason::NoSuchSeat { .. } => return None,
            Reason::NotYourTurn { .. } | Reason::DoesNotMatch { .. } | Reason::NotInHand { .. } => "T1",
            Reason::AlreadyVoted | Reason::WrongDiscardCount { .. } => "C4",
            Reason::WrongPhase { what: Deed::Challenge, why: Obstacle::Turn | Obstacle::DrawnCard } => "W4",
            Reason::WrongPhase { why, .. } => why.explain().1,
            Reason::NoAnswer { card: Card::FLITTERIFIC, .. } => Obstacle::BlockInstead.explain().1,
            Reason::NoAnswer { .. } => "stacking",
            Reason::NotTheDrawnCard { .. } => "T2",
            Reason::ColorRequired { .. } | Reason::ColorOnColored { .. } => "A4",
            Reason::ColorOnShuffleHands => "H2",
            Reason::DiscardWithoutOlaf { .. } | Reason::BadOlafDiscard => "O1",
            Reason::SwapOutOfPlace | Reason::SwapMissing | Reason::SwapWithSelf | Reason::SwapWithNobody { .. } => {
                "seven_zero"
            }
            Reason::MustPlay | Reason::MustPlayDrawn => "force_play",
            Reason::BluffNotAllowed { .. } | Reason::WildInHand => "no_bluffing",
            Reason::NotLiable { .. } | Reason::CatchingOneself | Reason::NothingToCall => "U5",
            Reason::UnoLeaves { .. } => "U1",
            Reason::NoSuggestionPenalty | Reason::GoneOut { .. } | Reason::PenaltyAfterEnd => "X1",
            Reason::Over => "G1",
        })
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |card: Card| card.name(self.palette);
        let color = |color: Color| color.name(self.palette);
        match self.reason {
            // Numbers too large for a seat all arrive as the largest one.
            Reason::NoSuchSeat { seat: Seat::MAX, players } => {
                write!(f, "there is no such seat: seats are numbered 0 to {}", players - 1)
            }
            Reason::NoSuchSeat { seat, players } => {
                write!(f, "there is no seat {seat}: seats are numbered 0 to {}", players - 1)
            }
            Reason::NotYourTurn { turn } => write!(f, "seat {turn} has to act first"),
            Reason::AlreadyVoted => f.write_str("only seats that have not voted yet can vote, and not the performer"),
            Reason::WrongPhase { what, why } => {
                write!(f, "{} is not possible now: {}", what.as_str(), why.explain().0)
            }
            Reason::NotInHand { card } => write!(f, "{} is not in the hand", name(card)),
            Reason::DoesNotMatch { card, top, color: Some(in_force) } if top.is_wild() => {
                write!(f, "{} does not match {}: play {} or a wild", name(card), name(top), color(in_force))
            }
            Reason::DoesNotMatch { card, top, color: Some(in_force) } => write!(
                f,
                "{} does not match {}: play {}, the same number or symbol, or a wild",
                name(card),
                name(top),
                color(in_force)
            ),
            Reason::DoesNotMatch { card, top, color: None } => {
                write!(f, "{} does not match {}", name(card), name(top))
            }
            Reason::NoAnswer { card: Card::FLITTERIFIC, .. } => f.write_str(Obstacle::BlockInstead.explain().0),
            Reason::NoAnswer { card, top } => {
                write!(f, "{} cannot answer {}: take the cards, or answer as the rules allow", name(card), name(top))
            }
            Reason::NotTheDrawnCard { card } => {
                write!(f, "{} is not a drawn card that can be played: play one of those, or keep", name(card))
            }
            Reason::ColorRequired { card } => write!(f, "{} needs a color to be called with it", name(card)),
            Reason::ColorOnColored { card } => write!(f, "{} has a color of its own: leave `color` out", name(card)),
            Reason::ColorOnShuffleHands => f.write_str(
                "the color for Wild Shuffle Hands is called after the new hands are dealt: leave `color` out",
            ),
            Reason::DiscardWithoutOlaf { card } => {
                write!(f, "{} takes no cards along: leave `discard` out", name(card))
            }
            Reason::BadOlafDiscard => {
                f.write_str("Olaf's Summertime takes up to three pink or up to three yellow cards along")
            }
            Reason::WrongDiscardCount { count, given } => {
                write!(f, "cards to discard: exactly {count}, not {given}")
            }
            Reason::SwapOutOfPlace => f.write_str(
                "`swap_with` belongs to a 7 under the house rule seven_zero that is not the last card: leave it out",
            ),
            Reason::SwapMissing => f.write_str("a 7 swaps hands: name another seat with `swap_with`"),
            Reason::SwapWithSelf => f.write_str("a 7 swaps hands with another seat, not with oneself"),
            Reason::SwapWithNobody { players } => {
                write!(f, "a 7 swaps hands with another seat: seats are numbered 0 to {}", players - 1)
            }
            Reason::MustPlay => f.write_str("a card in the hand can be played, so it must be"),
            Reason::MustPlayDrawn => f.write_str("the drawn card can be played, so it must be"),
            Reason::BluffNotAllowed { color: in_force } => write!(
                f,
                "a Wild Draw Four may be played only without a matching card in the hand, and there is one for {}",
                color(in_force)
            ),
            Reason::WildInHand => f.write_str(
                "a Wild Draw Four may be played only without a matching card in the hand, and another wild counts as one",
            ),
            Reason::NotLiable { seat } => write!(f, "seat {seat} owes no \"UNO\""),
            Reason::CatchingOneself => f.write_str("nobody can catch themselves: call \"UNO\" instead"),
            Reason::NothingToCall => f.write_str("there is no \"UNO\" to call"),
            Reason::UnoLeaves { left } => {
                write!(f, "\"UNO\" is called with an action that leaves one card, this one leaves {left}")
            }
            Reason::NoSuggestionPenalty => {
                f.write_str("these rules have no penalty for suggestions: set `suggestion_penalty`")
            }
            Reason::GoneOut { seat } => write!(f, "seat {seat} has gone out"),
            Reason::PenaltyAfterEnd => f.write_str("the round is over, nobody draws any more"),
            Reason::Over => f.write_str("the round is over"),
        }
    }
}

impl std::error::Error for Refusal {}
