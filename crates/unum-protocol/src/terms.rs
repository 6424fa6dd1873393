//! The terms of a table: the settings as chosen, and the complete rules that follow.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use strum::{EnumDiscriminants, IntoStaticStr, VariantArray};
use unum_rules::{
    Card, CardName, Color, ColorName, Edition, Face, MAX_ALONG, MAX_PLAYERS, MIN_PLAYERS, Rules, Scoring, Stacking,
    UNO_FROM,
};

use crate::{PresetId, Settings};

/// What is agreed on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Terms {
    /// The number of this agreement, which changes with the rules.
    pub agreement: u32,
    /// The settings as they were chosen; rules that were left out are the edition's.
    pub settings: Settings,
    /// The rules in force, with nothing left out.
    pub rules: RulesView,
    /// The preset that the settings come to, if they do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub preset: Option<PresetId>,
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
    /// With this many cards in hand, "UNO" can be called along with the next one played.
    pub uno_from: u8,
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DeckCard {
    /// The card.
    pub card: CardName,
    /// How many there are.
    pub copies: u8,
    /// What it counts when it is left in a hand.
    pub points: u32,
    /// What it does when it is played, in order; nothing for a plain number.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "ts", ts(optional = nullable))]
    pub does: Vec<CardFact>,
    /// The id of the rule that explains it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub rule: Option<Cow<'static, str>>,
}

/// Something a card does by the rules in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, EnumDiscriminants)]
#[strum_discriminants(
    name(CardFactKind),
    doc = "A type of fact.",
    derive(VariantArray, IntoStaticStr),
    strum(serialize_all = "snake_case"),
    allow(missing_docs)
)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum CardFact {
    /// It goes on anything.
    Anywhere {},
    /// Its player chooses the color.
    Color {},
    /// The next player draws and loses the turn.
    Draw {
        /// How many cards.
        count: u16,
    },
    /// The next player may challenge it.
    Challenge {},
    /// It may be played only when it is honest.
    Honest {},
    /// The next player loses the turn.
    Skip {},
    /// The direction of play changes.
    Reverse {},
    /// With two players, the other one loses the turn.
    SkipForTwo {},
    /// A draw card of the same kind can answer it.
    StackSame {},
    /// Any draw card can answer it.
    StackAny {},
    /// It blocks an attack.
    Block {},
    /// Cards of one of two colors can be discarded along with it.
    Along {
        /// How many at most.
        most: u8,
    },
    /// All hands are shuffled and dealt again.
    ShuffleHands {},
    /// It carries a rule of the table's own: see [`RulesView::custom`].
    Custom {},
    /// Its player swaps hands with another one.
    Swap {},
    /// All hands are passed on.
    PassHands {},
    /// The same card can be played out of turn.
    JumpIn {},
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
            uno_from: UNO_FROM,
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
    let kind = |(card, copies): (Card, u8)| DeckCard {
        card: card.name(rules.palette()),
        copies,
        points: rules.points(card),
        does: facts(rules, card),
        rule: rule_of(card).map(Cow::Borrowed),
    };
    rules.deck().kinds().map(kind).collect()
}

/// What a card does by these rules.
fn facts(rules: &Rules, card: Card) -> Vec<CardFact> {
    let house = rules.house();
    let mut facts = Vec::new();
    if card.is_wild() {
        facts.push(CardFact::Anywhere {});
    }
    if card.face() == Face::ShuffleHands {
        facts.push(CardFact::ShuffleHands {});
    }
    if card.is_wild() {
        facts.push(CardFact::Color {});
    }
    if card.attack() > 0 {
        facts.push(CardFact::Draw { count: card.attack() });
        match house.stacking {
            Stacking::Off => {}
            Stacking::Same => facts.push(CardFact::StackSame {}),
            Stacking::Any => facts.push(CardFact::StackAny {}),
        }
    }
    match card.face() {
        Face::Skip => facts.push(CardFact::Skip {}),
        Face::Reverse => {
            facts.push(CardFact::Reverse {});
            facts.extend(house.reverse_skips_with_two.then_some(CardFact::SkipForTwo {}));
        }
        Face::WildDrawFour => {
            facts.extend(rules.challenges().then_some(CardFact::Challenge {}));
            facts.extend(house.no_bluffing.then_some(CardFact::Honest {}));
        }
        Face::Flitterific => facts.push(CardFact::Block {}),
        Face::Olaf => facts.push(CardFact::Along { most: MAX_ALONG as u8 }),
        Face::Customizable(number) if rules.custom_rule(usize::from(number)).is_some() => {
            facts.push(CardFact::Custom {})
        }
        Face::Number(7) if house.seven_zero => facts.push(CardFact::Swap {}),
        Face::Number(0) if house.seven_zero => facts.push(CardFact::PassHands {}),
        _ => {}
    }
    facts.extend(house.jump_in.then_some(CardFact::JumpIn {}));
    facts
}

/// The rule that explains a card.
fn rule_of(card: Card) -> Option<&'static str> {
    match card.face() {
        Face::Number(_) => None,
        Face::DrawTwo => Some("A1"),
        Face::Reverse => Some("A2"),
        Face::Skip => Some("A3"),
        Face::Wild => Some("A4"),
        Face::WildDrawFour => Some("W1"),
        Face::Flitterific => Some("F1"),
        Face::Olaf => Some("O1"),
        Face::ShuffleHands => Some("H1"),
        Face::Customizable(_) => Some("C1"),
    }
}
