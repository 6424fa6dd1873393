//! Cards, colors and their names.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::json::{Node, Read, Wrong};

/// The number of kinds of card across all editions: 4 × 13 colored cards and 8 wilds.
pub const KINDS: usize = 60;

/// The largest deck of any edition.
pub const MAX_DECK: usize = 112;

const FACES: u8 = 13;
const FIRST_WILD: u8 = 52;

/// One of the four colors of a deck.
///
/// In the `frozen` edition the first color is printed pink; it plays exactly like red elsewhere, so the engine has one
/// value for both, and a [`Palette`] picks the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Color {
    /// Red, or pink in `frozen`.
    Red,
    /// Yellow.
    Yellow,
    /// Green.
    Green,
    /// Blue.
    Blue,
}

impl Color {
    /// All four, in the order hands are sorted.
    pub const ALL: [Color; 4] = [Color::Red, Color::Yellow, Color::Green, Color::Blue];

    /// The name of this color in a deck with that palette.
    pub fn name(self, palette: Palette) -> ColorName {
        match self {
            Color::Red if palette == Palette::Pink => ColorName::Pink,
            Color::Red => ColorName::Red,
            Color::Yellow => ColorName::Yellow,
            Color::Green => ColorName::Green,
            Color::Blue => ColorName::Blue,
        }
    }
}

/// Whether the first color of the deck is red or pink.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Palette {
    /// Red, yellow, green, blue.
    #[default]
    Red,
    /// Pink, yellow, green, blue.
    Pink,
}

/// A color as people and files write it.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    Deserialize,
    crate::json::Read,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
#[allow(missing_docs)]
pub enum ColorName {
    Red,
    Pink,
    Yellow,
    Green,
    Blue,
}

impl ColorName {
    /// The color this name stands for in a deck with that palette, if it has one.
    pub fn color(self, palette: Palette) -> Option<Color> {
        Color::ALL.into_iter().find(|color| color.name(palette) == self)
    }

    /// The lower-case word.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

impl fmt::Display for ColorName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What a card shows apart from its color.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Face {
    /// 0 to 9.
    Number(u8),
    /// The next player loses the turn.
    Skip,
    /// The direction of play changes.
    Reverse,
    /// The next player draws two and loses the turn.
    DrawTwo,
    /// A plain wild.
    Wild,
    /// The next player draws four or challenges.
    WildDrawFour,
    /// Olaf's Summertime (`frozen`).
    Olaf,
    /// Flitterific! (`fairies`).
    Flitterific,
    /// Wild Shuffle Hands (`custom`).
    ShuffleHands,
    /// Wild Customizable number 0, 1 or 2 (`custom`).
    Customizable(u8),
}

/// The face as people say it: `7`, `Draw Two`, `Olaf's Summertime`.
impl fmt::Display for Face {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Face::Number(number) => return write!(f, "{number}"),
            Face::Skip => "Skip",
            Face::Reverse => "Reverse",
            Face::DrawTwo => "Draw Two",
            Face::Wild => "Wild",
            Face::WildDrawFour => "Wild Draw Four",
            Face::Olaf => "Olaf's Summertime",
            Face::Flitterific => "Flitterific!",
            Face::ShuffleHands => "Wild Shuffle Hands",
            Face::Customizable(number) => return write!(f, "Wild Customizable {}", number + 1),
        })
    }
}

/// One kind of card, as a number below 64. Two copies of a card are equal.
///
/// The numbers follow the order in which hands are sorted: by color, each 0–9, Skip, Reverse,
/// Draw Two; then the wilds. The color called for a wild is part of the game's state, never of the card.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// Wild.
    pub const WILD: Card = Card(52);
    /// Wild Draw Four.
    pub const WILD_DRAW_FOUR: Card = Card(53);
    /// Olaf's Summertime.
    pub const OLAF: Card = Card(54);
    /// Flitterific!
    pub const FLITTERIFIC: Card = Card(55);
    /// Wild Shuffle Hands.
    pub const SHUFFLE_HANDS: Card = Card(56);
    /// The three Wild Customizable cards.
    pub const CUSTOMIZABLE: [Card; 3] = [Card(57), Card(58), Card(59)];

    /// A colored card; `None` for a wild face or a number above 9.
    pub const fn colored(color: Color, face: Face) -> Option<Card> {
        let face = match face {
            Face::Number(n) if n < 10 => n,
            Face::Skip => 10,
            Face::Reverse => 11,
            Face::DrawTwo => 12,
            _ => return None,
        };
        Some(Card(color as u8 * FACES + face))
    }

    /// The card with this number, below [`KINDS`].
    pub const fn from_index(index: usize) -> Option<Card> {
        if index < KINDS { Some(Card(index as u8)) } else { None }
    }

    /// All kinds of card, sorted.
    pub fn all() -> impl Iterator<Item = Card> {
        (0..KINDS as u8).map(Card)
    }

    /// The card's number, below [`KINDS`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The printed color; `None` for a wild.
    #[inline]
    pub fn color(self) -> Option<Color> {
        PRINTED[self.0 as usize & 63].0
    }

    /// What the card shows.
    #[inline]
    pub fn face(self) -> Face {
        PRINTED[self.0 as usize & 63].1
    }

    const fn printed_color(self) -> Option<Color> {
        match self.0 {
            0..13 => Some(Color::Red),
            13..26 => Some(Color::Yellow),
            26..39 => Some(Color::Green),
            39..52 => Some(Color::Blue),
            _ => None,
        }
    }

    const fn printed_face(self) -> Face {
        match self.0 {
            52 => Face::Wild,
            53 => Face::WildDrawFour,
            54 => Face::Olaf,
            55 => Face::Flitterific,
            56 => Face::ShuffleHands,
            57.. => Face::Customizable(self.0 - 57),
            colored => match colored % FACES {
                10 => Face::Skip,
                11 => Face::Reverse,
                12 => Face::DrawTwo,
                number => Face::Number(number),
            },
        }
    }

    /// Whether this is a wild of any kind.
    #[inline]
    pub const fn is_wild(self) -> bool {
        self.0 >= FIRST_WILD
    }

    /// Whether a color is named as the card is played: every wild but Shuffle Hands.
    #[inline]
    pub fn names_color(self) -> bool {
        self.is_wild() && self != Card::SHUFFLE_HANDS
    }

    /// How many cards it makes the next player draw: 2, 4, or 0 if it is not an attack.
    #[inline]
    pub fn attack(self) -> u16 {
        match self.face() {
            Face::DrawTwo => 2,
            Face::WildDrawFour => 4,
            _ => 0,
        }
    }

    /// The name of this card in a deck with that palette.
    pub fn name(self, palette: Palette) -> CardName {
        CardName { card: self, pink: palette == Palette::Pink && self.color() == Some(Color::Red) }
    }
}

/// Color and face of every card, computed once because the engine looks them up constantly.
static PRINTED: [(Option<Color>, Face); 64] = {
    let mut printed = [(None, Face::Wild); 64];
    let mut index = 0;
    while index < KINDS {
        let card = Card(index as u8);
        printed[index] = (card.printed_color(), card.printed_face());
        index += 1;
    }
    printed
};

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.name(Palette::Red), f)
    }
}

/// A card as people and files write it: `R7`, `P0`, `B+2`, `W+4`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "ts", ts(type = "string"))]
pub struct CardName {
    card: Card,
    pink: bool,
}

impl CardName {
    /// Reads a name.
    pub fn parse(text: &str) -> Option<CardName> {
        let (color, face) = text.as_bytes().split_first()?;
        let color = match color {
            b'R' | b'P' => Color::Red,
            b'Y' => Color::Yellow,
            b'G' => Color::Green,
            b'B' => Color::Blue,
            _ => {
                return Card::all()
                    .skip(FIRST_WILD.into())
                    .map(|card| card.name(Palette::Red))
                    .find(|name| name.as_str() == text);
            }
        };
        let face = match face {
            [digit @ b'0'..=b'9'] => digit - b'0',
            b"S" => 10,
            b"R" => 11,
            b"+2" => 12,
            _ => return None,
        };
        Some(CardName { card: Card(color as u8 * FACES + face), pink: text.starts_with('P') })
    }

    /// The card this name stands for in a deck with that palette, if it can have such a card.
    pub fn card(self, palette: Palette) -> Option<Card> {
        (self.card.name(palette) == self).then_some(self.card)
    }

    /// The kind of card, whatever its deck calls the first color.
    pub fn kind(self) -> Card {
        self.card
    }

    /// The printed color; `None` for a wild.
    pub fn color(self) -> Option<ColorName> {
        let palette = if self.pink { Palette::Pink } else { Palette::Red };
        self.card.color().map(|color| color.name(palette))
    }

    /// The card as people say it: `red 7`, `Wild Draw Four`.
    pub fn spoken(self) -> String {
        match self.color() {
            Some(color) => format!("{color} {}", self.card.face()),
            None => self.card.face().to_string(),
        }
    }

    /// The name itself.
    pub fn as_str(self) -> &'static str {
        if self.pink { PINK_NAMES[self.card.index()] } else { NAMES[self.card.index()] }
    }
}

#[rustfmt::skip]
const NAMES: [&str; KINDS] = [
    "R0", "R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8", "R9", "RS", "RR", "R+2",
    "Y0", "Y1", "Y2", "Y3", "Y4", "Y5", "Y6", "Y7", "Y8", "Y9", "YS", "YR", "Y+2",
    "G0", "G1", "G2", "G3", "G4", "G5", "G6", "G7", "G8", "G9", "GS", "GR", "G+2",
    "B0", "B1", "B2", "B3", "B4", "B5", "B6", "B7", "B8", "B9", "BS", "BR", "B+2",
    "W", "W+4", "WO", "WF", "WH", "WC1", "WC2", "WC3",
];

#[rustfmt::skip]
const PINK_NAMES: [&str; FACES as usize] = [
    "P0", "P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8", "P9", "PS", "PR", "P+2",
];

impl fmt::Display for CardName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for CardName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for CardName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for CardName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = CardName;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a card such as \"R7\", \"B+2\" or \"W+4\"")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<CardName, E> {
                CardName::parse(text).ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(text), &self))
            }
        }
        deserializer.deserialize_str(Visitor)
    }
}

impl<'a> Read<'a> for CardName {
    fn read(node: &Node<'a>) -> Result<CardName, Wrong<'a>> {
        let expected = "a card such as \"R7\", \"B+2\" or \"W+4\"";
        CardName::parse(node.str(expected)?).ok_or_else(|| node.invalid(expected))
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for CardName {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "CardName".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "pattern": "^([RPYGB]([0-9SR]|\\+2)|W(\\+4|[OFH]|C[123])?)$" })
    }
}

/// A list of cards in order, without heap memory.
#[derive(Clone, Copy)]
pub struct Cards<const N: usize> {
    len: u8,
    cards: [Card; N],
}

/// Room for every card of a deck.
pub type CardList = Cards<MAX_DECK>;

impl<const N: usize> Cards<N> {
    /// The empty list.
    pub const EMPTY: Cards<N> = Cards { len: 0, cards: [Card(0); N] };

    /// Adds a card at the end; `false` (and no change) when the list is full.
    pub fn push(&mut self, card: Card) -> bool {
        let fits = (self.len as usize) < N;
        if fits {
            self.cards[self.len as usize] = card;
            self.len += 1;
        }
        fits
    }

    /// Takes the last card off.
    pub fn pop(&mut self) -> Option<Card> {
        self.len = self.len.checked_sub(1)?;
        Some(self.cards[self.len as usize])
    }

    /// The cards in order, mutable.
    pub fn as_mut_slice(&mut self) -> &mut [Card] {
        &mut self.cards[..self.len as usize]
    }

    /// The list of these cards, or `None` when they do not fit.
    pub fn try_from_iter(cards: impl IntoIterator<Item = Card>) -> Option<Self> {
        let mut list = Self::EMPTY;
        cards.into_iter().all(|card| list.push(card)).then_some(list)
    }
}

impl<const N: usize> std::ops::Deref for Cards<N> {
    type Target = [Card];

    fn deref(&self) -> &[Card] {
        &self.cards[..self.len as usize]
    }
}

impl<const N: usize> PartialEq for Cards<N> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<const N: usize> Eq for Cards<N> {}

impl<const N: usize> fmt::Debug for Cards<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back_as_its_card() {
        for palette in [Palette::Red, Palette::Pink] {
            for card in Card::all() {
                let name = CardName::parse(card.name(palette).as_str()).unwrap();
                assert_eq!(name.card(palette), Some(card));
            }
        }
    }

    #[test]
    fn a_red_card_does_not_exist_in_a_pink_deck() {
        assert_eq!(CardName::parse("R7").unwrap().card(Palette::Pink), None);
        assert_eq!(CardName::parse("P7").unwrap().card(Palette::Red), None);
        assert_eq!(ColorName::Red.color(Palette::Pink), None);
    }

    #[test]
    fn names_that_are_no_cards_are_refused() {
        for text in ["", "R", "R10", "r7", "W5", "WC4", "X1", "P", "R+4", "W+2"] {
            assert_eq!(CardName::parse(text), None, "{text}");
        }
    }

    #[test]
    fn colored_cards_know_color_and_face() {
        let card = Card::colored(Color::Blue, Face::DrawTwo).unwrap();
        assert_eq!(card.name(Palette::Red).as_str(), "B+2");
        assert_eq!(card.color(), Some(Color::Blue));
        assert_eq!(card.face(), Face::DrawTwo);
        assert_eq!(Card::colored(Color::Red, Face::Wild), None);
        assert_eq!(Card::colored(Color::Red, Face::Number(10)), None);
    }
}
