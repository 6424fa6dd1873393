//! What a table has agreed on, complete: the settings as they were chosen, and the rules they come to.

use serde::{Deserialize, Serialize};
use unum_rules::{Card, CardName, Color, ColorName, Edition, MAX_PLAYERS, MIN_PLAYERS, Rules, Scoring};

use crate::Settings;

/// What is agreed on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Terms {
    /// The number of this agreement: other rules, another number.
    pub agreement: u32,
    /// The settings as they were chosen; rules that were left out are the edition's.
    pub settings: Settings,
    /// The rules in force, with nothing left out.
    pub rules: RulesView,
}

/// Rules with nothing left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RulesView {
    /// The sheet.
    pub edition: Edition,
    /// How rounds become a match.
    pub scoring: Scoring,
    /// Cards dealt to each player.
    pub hand_size: u8,
    /// Cards for being caught without "UNO"; 0: there is no race to call.
    pub uno_penalty: u8,
    /// Cards for suggesting a play; 0: nobody can be accused.
    pub suggestion_penalty: u8,
    /// Whether a Wild Draw Four can be challenged.
    pub challenges: bool,
    /// Whether attacks can be blocked.
    pub blocks: bool,
    /// How many can play with these hands and this deck.
    pub players: Players,
    /// The colors of the deck, in order.
    pub colors: Vec<ColorName>,
    /// The deck, sorted.
    pub deck: Vec<DeckCard>,
    /// What the Customizable cards in the deck carry.
    pub custom: Vec<CustomView>,
}

/// How many can play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Players {
    /// At least.
    pub least: u8,
    /// At most.
    pub most: u8,
}

/// One kind of card in a deck.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DeckCard {
    /// The card.
    pub card: CardName,
    /// How many there are.
    pub copies: u8,
    /// What it counts when it is left in a hand.
    pub points: u32,
}

/// What a Customizable card carries.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CustomView {
    /// The card.
    pub card: CardName,
    /// The rule on it; `None` for a plain wild.
    pub rule: Option<unum_rules::CustomRule>,
}

impl RulesView {
    /// Writes rules out.
    pub fn new(rules: &Rules) -> RulesView {
        let palette = rules.palette();
        let most = (MIN_PLAYERS..=MAX_PLAYERS).rev().find(|players| rules.check_players(*players).is_ok());
        let custom = Card::CUSTOMIZABLE.into_iter().enumerate().filter(|(_, card)| rules.deck().copies(*card) > 0);
        RulesView {
            edition: rules.edition(),
            scoring: rules.scoring(),
            hand_size: rules.hand_size(),
            uno_penalty: rules.uno_penalty(),
            suggestion_penalty: rules.suggestion_penalty(),
            challenges: rules.challenges(),
            blocks: rules.blocks(),
            players: Players { least: MIN_PLAYERS, most: most.unwrap_or(MIN_PLAYERS) },
            colors: Color::ALL.map(|color| color.name(palette)).to_vec(),
            deck: deck(rules),
            custom: custom
                .map(|(number, card)| CustomView { card: card.name(palette), rule: rules.custom_rule(number).cloned() })
                .collect(),
        }
    }
}

fn deck(rules: &Rules) -> Vec<DeckCard> {
    let named = |card: Card| card.name(rules.palette());
    let kinds = rules.deck().kinds();
    kinds.map(|(card, copies)| DeckCard { card: named(card), copies, points: rules.points(card) }).collect()
}
