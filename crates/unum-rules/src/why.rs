//! Refusals as data: everything a translation of their sentences needs.

use serde::{Deserialize, Serialize};

use crate::card::{CardName, ColorName};
use crate::custom::{MAX_EFFECTS, MAX_TEXT, MAX_TITLE};
use crate::refusal::{Deed, Obstacle, Reason, Refusal};
use crate::rules::{MAX_TARGET, RulesError};
use crate::seat::Seat;

/// What was wrong with an action or with rules, as JSON: a word for it, and what the sentence about it needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Why {
    NoSuchSeat { players: u8 },
    NotYourTurn { seat: Seat },
    AlreadyVoted {},
    WrongPhase { what: Deed, obstacle: Obstacle },
    NotInHand { card: CardName },
    DoesNotMatch { card: CardName, top: CardName, color: Option<ColorName> },
    DoesNotMatchColor { card: CardName, top: CardName, color: ColorName },
    NoAnswer { card: CardName, top: CardName },
    NotTheDrawnCard { card: CardName },
    ColorRequired { card: CardName },
    ColorOnColored { card: CardName },
    ColorOnShuffleHands {},
    DiscardWithoutOlaf { card: CardName },
    BadOlafDiscard {},
    WrongDiscardCount { count: u8, given: u8 },
    SwapOutOfPlace {},
    SwapMissing {},
    SwapWithSelf {},
    SwapWithNobody { players: u8 },
    MustPlay {},
    MustPlayDrawn {},
    BluffNotAllowed { color: ColorName },
    WildInHand {},
    NotLiable { seat: Seat },
    CatchingOneself {},
    NothingToCall {},
    UnoLeaves { left: u8 },
    NoSuggestionPenalty {},
    GoneOut { seat: Seat },
    PenaltyAfterEnd {},
    Over {},
    ExcludeEachOther {},
    BadTarget { most: u32 },
    TooFewCards { players: u8, hand_size: u8, deck: usize },
    NoTitle {},
    LongTitle { most: usize },
    LongText { most: usize },
    TooManyEffects { most: usize },
}

impl Refusal {
    /// What was wrong, as data.
    pub fn why(&self) -> Why {
        let name = |card: crate::Card| card.name(self.palette());
        let color = |color: crate::Color| color.name(self.palette());
        match self.reason {
            Reason::NoSuchSeat { players, .. } => Why::NoSuchSeat { players },
            Reason::NotYourTurn { turn } => Why::NotYourTurn { seat: turn },
            Reason::AlreadyVoted => Why::AlreadyVoted {},
            Reason::WrongPhase { what, why } => Why::WrongPhase { what, obstacle: why },
            Reason::NotInHand { card } => Why::NotInHand { card: name(card) },
            Reason::DoesNotMatch { card, top, color: Some(in_force) } if top.is_wild() => {
                Why::DoesNotMatchColor { card: name(card), top: name(top), color: color(in_force) }
            }
            Reason::DoesNotMatch { card, top, color: in_force } => {
                Why::DoesNotMatch { card: name(card), top: name(top), color: in_force.map(color) }
            }
            Reason::NoAnswer { card: crate::Card::FLITTERIFIC, .. } => {
                Why::WrongPhase { what: Deed::Play, obstacle: Obstacle::BlockInstead }
            }
            Reason::NoAnswer { card, top } => Why::NoAnswer { card: name(card), top: name(top) },
            Reason::NotTheDrawnCard { card } => Why::NotTheDrawnCard { card: name(card) },
            Reason::ColorRequired { card } => Why::ColorRequired { card: name(card) },
            Reason::ColorOnColored { card } => Why::ColorOnColored { card: name(card) },
            Reason::ColorOnShuffleHands => Why::ColorOnShuffleHands {},
            Reason::DiscardWithoutOlaf { card } => Why::DiscardWithoutOlaf { card: name(card) },
            Reason::BadOlafDiscard => Why::BadOlafDiscard {},
            Reason::WrongDiscardCount { count, given } => Why::WrongDiscardCount { count, given },
            Reason::SwapOutOfPlace => Why::SwapOutOfPlace {},
            Reason::SwapMissing => Why::SwapMissing {},
            Reason::SwapWithSelf => Why::SwapWithSelf {},
            Reason::SwapWithNobody { players } => Why::SwapWithNobody { players },
            Reason::MustPlay => Why::MustPlay {},
            Reason::MustPlayDrawn => Why::MustPlayDrawn {},
            Reason::BluffNotAllowed { color: in_force } => Why::BluffNotAllowed { color: color(in_force) },
            Reason::WildInHand => Why::WildInHand {},
            Reason::NotLiable { seat } => Why::NotLiable { seat },
            Reason::CatchingOneself => Why::CatchingOneself {},
            Reason::NothingToCall => Why::NothingToCall {},
            Reason::UnoLeaves { left } => Why::UnoLeaves { left },
            Reason::NoSuggestionPenalty => Why::NoSuggestionPenalty {},
            Reason::GoneOut { seat } => Why::GoneOut { seat },
            Reason::PenaltyAfterEnd => Why::PenaltyAfterEnd {},
            Reason::Over => Why::Over {},
        }
    }
}

impl RulesError {
    /// What was wrong, as data; `None` for what only programs get wrong.
    pub fn why(&self) -> Option<Why> {
        Some(match *self {
            RulesError::ExcludeEachOther => Why::ExcludeEachOther {},
            RulesError::BadTarget { .. } => Why::BadTarget { most: MAX_TARGET },
            RulesError::TooFewCards { players, hand_size, deck } => Why::TooFewCards { players, hand_size, deck },
            RulesError::NoTitle => Why::NoTitle {},
            RulesError::LongTitle => Why::LongTitle { most: MAX_TITLE },
            RulesError::LongText { .. } => Why::LongText { most: MAX_TEXT },
            RulesError::TooManyEffects => Why::TooManyEffects { most: MAX_EFFECTS },
            RulesError::OutOfRange { .. }
            | RulesError::NoCustomCards { .. }
            | RulesError::TooManyCustomCards { .. }
            | RulesError::NoSuchStarter { .. }
            | RulesError::TooDeep
            | RulesError::BadPlayers { .. }
            | RulesError::BadDealer { .. }
            | RulesError::Unreadable(_) => return None,
        })
    }
}
