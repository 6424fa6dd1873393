//! What is played: an edition, a way of scoring, house rules and Customizable cards.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::action::MAX_ALONG;
use crate::card::{Card, Color, Face, KINDS, Palette};
use crate::custom::{self, CustomRule, MAX_DEPTH, MAX_EFFECTS, MAX_TEXT, MAX_TITLE, Op, TextId};
use crate::edition::{DealerChoice, Deck, Edition, StartPolicy};
use crate::hand::{CardSet, Hand};
use crate::json::{Kind, Node, Read, Wrong};
use crate::seat::Seat;

/// Fewest players of a game.
pub const MIN_PLAYERS: u8 = 2;
/// Most players of a game.
pub const MAX_PLAYERS: u8 = 10;
/// Most points a match can be played for.
pub const MAX_TARGET: u32 = 10_000;
/// The default target of a match, in points.
pub const USUAL_TARGET: u32 = 500;
/// Most cards that can be dealt to each player, drawn as a penalty or named by an effect.
pub const MAX_CARDS: u8 = 20;

/// How rounds become a match (P2–P4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, crate::json::Read)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "ts", ts(as = "ScoringForm"))]
#[serde(try_from = "ScoringForm", into = "ScoringForm")]
pub enum Scoring {
    /// The winner of a round scores what the others hold; first to the target wins.
    FirstTo(u32),
    /// Everybody adds what they hold; when someone reaches the target the lowest total wins.
    LowestAt(u32),
    /// The player who goes out wins; no points.
    SingleRound,
}

#[derive(Serialize, Deserialize, crate::json::Read)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "ts", ts(rename = "Scoring"))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields, remote = "Self")]
enum ScoringForm {
    FirstTo {
        #[serde(default = "default_target")]
        #[cfg_attr(feature = "schema", schemars(range(min = 1, max = MAX_TARGET)))]
        target: u32,
    },
    LowestAt {
        #[serde(default = "default_target")]
        #[cfg_attr(feature = "schema", schemars(range(min = 1, max = MAX_TARGET)))]
        target: u32,
    },
    SingleRound {},
}

objects_only!(ScoringForm, House, RulesSpec);
words_only!(Stacking);

fn default_target() -> u32 {
    USUAL_TARGET
}

impl TryFrom<ScoringForm> for Scoring {
    type Error = String;

    fn try_from(form: ScoringForm) -> Result<Scoring, String> {
        let scoring = match form {
            ScoringForm::FirstTo { target } => Scoring::FirstTo(target),
            ScoringForm::LowestAt { target } => Scoring::LowestAt(target),
            ScoringForm::SingleRound {} => Scoring::SingleRound,
        };
        scoring.check().map(|()| scoring).map_err(|error| error.to_string())
    }
}

impl From<Scoring> for ScoringForm {
    fn from(scoring: Scoring) -> ScoringForm {
        match scoring {
            Scoring::FirstTo(target) => ScoringForm::FirstTo { target },
            Scoring::LowestAt(target) => ScoringForm::LowestAt { target },
            Scoring::SingleRound => ScoringForm::SingleRound {},
        }
    }
}

impl Scoring {
    /// The score that ends a match, where one does.
    pub fn target(self) -> Option<u32> {
        match self {
            Scoring::FirstTo(target) | Scoring::LowestAt(target) => Some(target),
            Scoring::SingleRound => None,
        }
    }

    fn check(self) -> Result<(), RulesError> {
        match self {
            Scoring::FirstTo(1..=MAX_TARGET) | Scoring::LowestAt(1..=MAX_TARGET) | Scoring::SingleRound => Ok(()),
            Scoring::FirstTo(target) | Scoring::LowestAt(target) => Err(RulesError::BadTarget { target }),
        }
    }
}

/// Which attack may be answered by which (house rule `stacking`).
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    crate::json::Read,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase", remote = "Self")]
#[strum(serialize_all = "lowercase")]
pub enum Stacking {
    /// None.
    #[default]
    Off,
    /// A Draw Two by a Draw Two, a Wild Draw Four by a Wild Draw Four.
    Same,
    /// Either by either.
    Any,
}

/// The house rules, all off by default. Numbers left out are the edition's.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, crate::json::Read)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, remote = "Self")]
pub struct House {
    /// With two players a Reverse acts as a Skip.
    #[serde(default, skip_serializing_if = "is_default")]
    pub reverse_skips_with_two: bool,
    /// Attacks may be answered by attacks.
    #[serde(default, skip_serializing_if = "is_default")]
    pub stacking: Stacking,
    /// A 7 swaps hands, a 0 passes all hands on.
    #[serde(default, skip_serializing_if = "is_default")]
    pub seven_zero: bool,
    /// An identical colored card may be played out of turn.
    #[serde(default, skip_serializing_if = "is_default")]
    pub jump_in: bool,
    /// A player who draws keeps drawing until a card can be played.
    #[serde(default, skip_serializing_if = "is_default")]
    pub draw_to_match: bool,
    /// A player who can play must.
    #[serde(default, skip_serializing_if = "is_default")]
    pub force_play: bool,
    /// A Wild Draw Four only when allowed; no challenges.
    #[serde(default, skip_serializing_if = "is_default")]
    pub no_bluffing: bool,
    /// A Wild Draw Four at any time; no challenges.
    #[serde(default, skip_serializing_if = "is_default")]
    pub no_challenges: bool,
    /// Cards dealt to each player, 1–20.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = crate::MAX_CARDS)))]
    pub hand_size: Option<u8>,
    /// Cards for being caught without "UNO", 0–20; 0 switches the race off.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = crate::MAX_CARDS)))]
    pub uno_penalty: Option<u8>,
    /// Cards for suggesting a play, 0–20; 0 switches it off.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = crate::MAX_CARDS)))]
    pub suggestion_penalty: Option<u8>,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// What one Customizable card carries.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "ts", ts(type = "CustomRule | number | null"))]
pub enum CustomCard {
    /// Nothing: a plain wild.
    Plain,
    /// A starter of the sheet, 1–10.
    Starter(u8),
    /// A rule of the players' own.
    Rule(CustomRule),
}

impl CustomCard {
    fn rule(&self) -> Result<Option<CustomRule>, RulesError> {
        match self {
            CustomCard::Plain => Ok(None),
            CustomCard::Starter(number) => {
                let starter = CustomRule::starter(usize::from(*number));
                starter.map(Some).ok_or(RulesError::NoSuchStarter { number: *number })
            }
            CustomCard::Rule(rule) => rule.check().map(|()| Some(rule.clone())),
        }
    }
}

impl Serialize for CustomCard {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            CustomCard::Plain => serializer.serialize_unit(),
            CustomCard::Starter(number) => serializer.serialize_u8(*number),
            CustomCard::Rule(rule) => rule.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for CustomCard {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = CustomCard;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a rule, null for a plain wild, or the number 1-10 of a starter")
            }

            fn visit_unit<E>(self) -> Result<CustomCard, E> {
                Ok(CustomCard::Plain)
            }

            fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<CustomCard, E> {
                let unexpected = serde::de::Unexpected::Unsigned(number);
                u8::try_from(number).map(CustomCard::Starter).map_err(|_| E::invalid_value(unexpected, &self))
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(self, map: A) -> Result<CustomCard, A::Error> {
                let rule = serde::de::value::MapAccessDeserializer::new(map);
                CustomRule::deserialize(rule).map(CustomCard::Rule)
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

impl<'a> Read<'a> for CustomCard {
    fn read(node: &Node<'a>) -> Result<CustomCard, Wrong<'a>> {
        let expected = "a rule, null for a plain wild, or the number 1-10 of a starter";
        match node.kind() {
            Kind::Null => Ok(CustomCard::Plain),
            Kind::Whole(number) => match u8::try_from(number) {
                Ok(number) => Ok(CustomCard::Starter(number)),
                Err(_) => Err(node.invalid(expected)),
            },
            Kind::Object => CustomRule::read(node).map(CustomCard::Rule),
            Kind::Other => Err(node.mismatch(expected)),
        }
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for CustomCard {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "CustomCard".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let starters = CustomRule::starters().count();
        let rule = generator.subschema_for::<CustomRule>();
        schemars::json_schema!({
            "anyOf": [rule, { "type": "integer", "minimum": 1, "maximum": starters }, { "type": "null" }]
        })
    }
}

/// Rules as a table agrees on them: an edition and what is different from its sheet.
///
/// This is the loose form, as in files and requests; [`Rules::new`] checks it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, crate::json::Read)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct RulesSpec {
    /// The sheet.
    pub edition: Edition,
    /// Scoring, if it differs from the sheet's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scoring: Option<Scoring>,
    /// House rules.
    #[serde(default, skip_serializing_if = "is_default")]
    pub house: House,
    /// What the Customizable cards carry (`custom` only), one entry per card in the deck.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub custom_cards: Option<Vec<CustomCard>>,
}

impl RulesSpec {
    /// An edition as it is printed.
    pub fn of(edition: Edition) -> RulesSpec {
        RulesSpec { edition, scoring: None, house: House::default(), custom_cards: None }
    }

    /// What a table of this edition begins with: as printed, with starters on the Customizable cards.
    pub fn suggested(edition: Edition) -> RulesSpec {
        let starters = edition.data().starters;
        let cards = starters.iter().map(|number| CustomCard::Starter(*number)).collect();
        RulesSpec { custom_cards: (!starters.is_empty()).then_some(cards), ..RulesSpec::of(edition) }
    }
}

/// Why rules are refused: what is wrong and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum RulesError {
    #[error("`no_bluffing` and `no_challenges` exclude each other: choose one")]
    ExcludeEachOther,
    #[error("`target` goes from 1 to {MAX_TARGET}, not {target}")]
    BadTarget { target: u32 },
    #[error("`{field}` goes from {least} to {MAX_CARDS}, not {given}")]
    OutOfRange { field: &'static str, least: u8, given: u8 },
    /// Customizable cards in another edition.
    #[error("`custom_cards` belongs to the edition `custom`, not `{edition}`")]
    NoCustomCards { edition: Edition },
    #[error("the deck has room for {most} Customizable cards, not {given}")]
    TooManyCustomCards { most: usize, given: usize },
    #[error("starters go from 1 to {}, not {number}", CustomRule::starters().count())]
    NoSuchStarter { number: u8 },
    #[error("a rule needs a title")]
    NoTitle,
    #[error("a title has at most {MAX_TITLE} characters")]
    LongTitle,
    #[error("a text or prompt has at most {MAX_TEXT} characters, not {given}")]
    LongText { given: usize },
    #[error("effects nest at most {MAX_DEPTH} lists deep")]
    TooDeep,
    #[error("a rule has at most {MAX_EFFECTS} effects, nested ones included")]
    TooManyEffects,
    #[error(
        "{players} hands of {hand_size} and a start card need {} cards, the deck has {deck}: choose a smaller `hand_size`",
        usize::from(*players) * usize::from(*hand_size) + 1
    )]
    TooFewCards { players: u8, hand_size: u8, deck: usize },
    #[error("{MIN_PLAYERS} to {MAX_PLAYERS} can play, not {players}")]
    BadPlayers { players: u8 },
    #[error("the dealer is one of the {players} players, not seat {dealer}")]
    BadDealer { players: u8, dealer: Seat },
    /// What only files can get wrong.
    #[error("{0}")]
    Unreadable(String),
}

/// One Customizable card of the deck.
#[derive(Clone, Debug)]
struct Customized {
    rule: Option<CustomRule>,
    program: Vec<Op>,
}

/// Checked rules, with everything the engine needs precomputed.
///
/// Editions are values of this type: the game logic never asks which edition it plays.
#[derive(Clone, Debug)]
pub struct Rules {
    spec: RulesSpec,
    deck: Deck,
    palette: Palette,
    pub(crate) dealer: DealerChoice,
    pub(crate) start: StartPolicy,
    pub(crate) also_matching: CardSet,
    points: [u8; KINDS],
    scoring: Scoring,
    pub(crate) hand_size: u8,
    pub(crate) uno_penalty: u8,
    pub(crate) suggestion_penalty: u8,
    /// Cards that need no declaration: no color to call, no partner to name.
    pub(crate) plain_cards: CardSet,
    /// No house rule changes drawing.
    pub(crate) plain_draw: bool,
    /// F1: there is a card that blocks attacks.
    pub(crate) blockable: bool,
    /// A Draw Two waits for the victim's answer.
    pub(crate) draw_two_waits: bool,
    /// A Wild Draw Four waits for the victim's answer.
    pub(crate) wild_draw_four_waits: bool,
    custom: Vec<Customized>,
    texts: Vec<Box<str>>,
}

impl Rules {
    /// An edition as it is printed. In `custom` the three Customizable cards are blank.
    pub fn of(edition: Edition) -> Rules {
        Rules::new(RulesSpec::of(edition)).expect("the printed editions are valid")
    }

    /// Checks what a table agreed on.
    pub fn new(spec: RulesSpec) -> Result<Rules, RulesError> {
        let data = spec.edition.data();
        let house = &spec.house;
        if house.no_bluffing && house.no_challenges {
            return Err(RulesError::ExcludeEachOther);
        }
        let scoring = spec.scoring.unwrap_or(data.scoring);
        scoring.check()?;
        let (custom, texts) = customize(&spec, data.customizable)?;
        let deck = Deck::new(data, custom.len());
        let blockable = deck.copies(Card::FLITTERIFIC) > 0;
        let answers = blockable || house.stacking != Stacking::Off;
        Ok(Rules {
            palette: data.palette,
            dealer: data.dealer,
            start: data.start,
            also_matching: also_matching(data.also_matching, house),
            points: std::array::from_fn(|index| Card::from_index(index).map_or(0, printed_points)),
            scoring,
            hand_size: number("hand_size", house.hand_size, data.hand_size, 1)?,
            uno_penalty: number("uno_penalty", house.uno_penalty, data.uno_penalty, 0)?,
            suggestion_penalty: number("suggestion_penalty", house.suggestion_penalty, data.suggestion_penalty, 0)?,
            plain_cards: plain_cards(house),
            plain_draw: !(house.force_play || house.draw_to_match),
            blockable,
            draw_two_waits: answers,
            wild_draw_four_waits: answers || !(house.no_bluffing || house.no_challenges),
            custom,
            texts,
            deck,
            spec,
        })
    }

    /// Checks that there are enough cards to deal to this many players and to start with.
    pub fn check_players(&self, players: u8) -> Result<(), RulesError> {
        let needed = players as usize * self.hand_size as usize + 1;
        if needed > self.deck.len() {
            return Err(RulesError::TooFewCards { players, hand_size: self.hand_size, deck: self.deck.len() });
        }
        Ok(())
    }

    /// The loose form these rules came from.
    pub fn spec(&self) -> &RulesSpec {
        &self.spec
    }

    /// The sheet.
    pub fn edition(&self) -> Edition {
        self.spec.edition
    }

    /// The house rules.
    #[inline]
    pub fn house(&self) -> &House {
        &self.spec.house
    }

    /// How rounds become a match.
    pub fn scoring(&self) -> Scoring {
        self.scoring
    }

    /// The cards.
    #[inline]
    pub fn deck(&self) -> &Deck {
        &self.deck
    }

    /// Whether the first color is called red or pink.
    #[inline]
    pub fn palette(&self) -> Palette {
        self.palette
    }

    /// How many cards each player is dealt.
    pub fn hand_size(&self) -> u8 {
        self.hand_size
    }

    /// How many cards it costs to be caught (U2).
    pub fn uno_penalty(&self) -> u8 {
        self.uno_penalty
    }

    /// How many cards a suggestion costs (X1).
    pub fn suggestion_penalty(&self) -> u8 {
        self.suggestion_penalty
    }

    /// Whether a Wild Draw Four can be challenged (W4).
    #[inline]
    pub fn challenges(&self) -> bool {
        !self.spec.house.no_bluffing && !self.spec.house.no_challenges
    }

    /// Whether attacks can be blocked (F1).
    pub fn blocks(&self) -> bool {
        self.blockable
    }

    /// W2: the cards that make a Wild Draw Four a bluff if one is left in the hand, while that color is in force.
    #[inline]
    pub fn shows_bluff(&self, color: Color) -> CardSet {
        CardSet::color(color).or(self.also_matching)
    }

    /// O1: how many cards of a hand Olaf's Summertime could take along.
    #[inline]
    pub fn most_along(&self, hand: &Hand) -> usize {
        MAX_ALONG.min(hand.len().saturating_sub(1))
    }

    /// What a card counts at the end of a round (P1).
    #[inline]
    pub fn points(&self, card: Card) -> u32 {
        u32::from(self.points[card.index()])
    }

    /// What a hand counts at the end of a round.
    #[inline]
    pub fn hand_points(&self, hand: &Hand) -> u32 {
        hand.sum(|card| self.points(card))
    }

    /// The rule written on Customizable card 0, 1 or 2.
    pub fn custom_rule(&self, number: usize) -> Option<&CustomRule> {
        self.custom.get(number)?.rule.as_ref()
    }

    pub(crate) fn program(&self, number: usize) -> &[Op] {
        self.custom.get(number).map_or(&[], |custom| &custom.program)
    }

    /// The text a banner or a prompt shows.
    pub(crate) fn text(&self, id: TextId) -> &str {
        self.texts.get(id as usize).map_or("", |text| text)
    }

    /// The number of a text, added if it is new; `None` when there are too many.
    pub(crate) fn intern(&mut self, text: &str) -> Option<TextId> {
        intern(&mut self.texts, text)
    }
}

fn intern(texts: &mut Vec<Box<str>>, text: &str) -> Option<TextId> {
    let place = texts.iter().position(|known| **known == *text);
    let id = TextId::try_from(place.unwrap_or(texts.len())).ok()?;
    if place.is_none() {
        texts.push(text.into());
    }
    Some(id)
}

fn customize(spec: &RulesSpec, available: usize) -> Result<(Vec<Customized>, Vec<Box<str>>), RulesError> {
    let blank = vec![CustomCard::Plain; available];
    let cards = match &spec.custom_cards {
        None => &blank,
        Some(_) if available == 0 => {
            return Err(RulesError::NoCustomCards { edition: spec.edition });
        }
        Some(cards) if cards.len() > available => {
            return Err(RulesError::TooManyCustomCards { most: available, given: cards.len() });
        }
        Some(cards) => cards,
    };
    let mut texts = Vec::new();
    let mut customized = Vec::new();
    for card in cards {
        let rule = card.rule()?;
        let effects = rule.as_ref().map_or(&[][..], |rule| &rule.effects);
        let mut intern = |text: &str| intern(&mut texts, text).expect("three rules have at most 60 texts");
        let program = custom::compile(effects, &mut intern);
        customized.push(Customized { rule, program });
    }
    Ok((customized, texts))
}

fn number(field: &'static str, given: Option<u8>, default: u8, least: u8) -> Result<u8, RulesError> {
    match given.unwrap_or(default) {
        value if (least..=MAX_CARDS).contains(&value) => Ok(value),
        given => Err(RulesError::OutOfRange { field, least, given }),
    }
}

fn plain_cards(house: &House) -> CardSet {
    let needs_partner = |card: &Card| house.seven_zero && card.face() == Face::Number(7);
    let plain = Card::all().filter(|card| !card.is_wild() && !needs_partner(card));
    plain.fold(CardSet::EMPTY, |set, card| set.or(CardSet::of(card)))
}

/// W2, beyond the color in force. Under `no_bluffing` a second Wild Draw Four does not count: neither could be played
/// while the other is there, and a round whose players all hold two would never end.
fn also_matching(printed: CardSet, house: &House) -> CardSet {
    if house.no_bluffing { printed.without(Card::WILD_DRAW_FOUR) } else { printed }
}

/// P1, the same on all sheets.
fn printed_points(card: Card) -> u8 {
    match card.face() {
        Face::Number(number) => number,
        Face::Skip | Face::Reverse | Face::DrawTwo => 20,
        Face::Wild | Face::WildDrawFour | Face::Olaf | Face::Flitterific => 50,
        Face::ShuffleHands | Face::Customizable(_) => 40,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(json: &str) -> Result<Rules, String> {
        let spec = serde_json::from_str(json).map_err(|e| e.to_string())?;
        Rules::new(spec).map_err(|e| e.to_string())
    }

    #[test]
    fn bad_rules_are_refused_in_words() {
        for (json, words) in [
            (r#"{"edition":"classic"}"#, "unknown variant"),
            (r#"{"edition":"original","color":1}"#, "unknown field"),
            (r#"{"edition":"original","house":{"stack":"any"}}"#, "unknown field"),
            (r#"{"edition":"original","house":{"hand_size":0}}"#, "1 to 20"),
            (r#"{"edition":"original","house":{"uno_penalty":21}}"#, "0 to 20"),
            (r#"{"edition":"original","house":{"no_bluffing":true,"no_challenges":true}}"#, "exclude"),
            (r#"{"edition":"original","custom_cards":[]}"#, "belongs to"),
            (r#"{"edition":"custom","custom_cards":[11]}"#, "1 to 10"),
            (r#"{"edition":"custom","custom_cards":[null,null,null,null]}"#, "room for 3"),
            (r#"{"edition":"original","scoring":{"type":"first_to","target":0}}"#, "1 to 10000"),
            (r#"{"edition":"original","scoring":{"type":"single_round","target":5}}"#, "unknown field"),
        ] {
            let error = rules(json).unwrap_err();
            assert!(error.contains(words), "{json}: {error}");
        }
    }

    #[test]
    fn a_spec_writes_only_what_differs() {
        let json = r#"{"edition":"custom","house":{"stacking":"any","hand_size":5},"custom_cards":[null,4]}"#;
        let rules = rules(json).unwrap();
        assert_eq!(serde_json::to_string(rules.spec()).unwrap(), json);
        assert_eq!(rules.deck().len(), 111);
    }

    #[test]
    fn hands_must_leave_a_start_card() {
        let rules = rules(r#"{"edition":"original","house":{"hand_size":20}}"#).unwrap();
        assert!(rules.check_players(5).is_ok());
        assert!(rules.check_players(6).is_err());
    }
}
