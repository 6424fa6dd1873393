//! The five editions, as data.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::card::{Card, Color, Face, KINDS, MAX_DECK, Palette};
use crate::chance::Chance;
use crate::hand::{CardSet, Hand};
use crate::rules::{Scoring, USUAL_TARGET};

/// Which rule sheet is played.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    crate::json::Read,
    strum::IntoStaticStr,
)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase", remote = "Self")]
#[strum(serialize_all = "lowercase")]
pub enum Edition {
    /// The classic 108 cards; the default.
    #[default]
    Original,
    /// With Flitterific! cards that block.
    Fairies,
    /// Pink instead of red, with Olaf's Summertime.
    Frozen,
    /// With Wild Shuffle Hands and cards whose rules the players write.
    Custom,
    /// The sheet of 2025.
    Modern,
}

words_only!(Edition);

impl Edition {
    /// All five.
    pub const ALL: [Edition; 5] =
        [Edition::Original, Edition::Fairies, Edition::Frozen, Edition::Custom, Edition::Modern];

    /// The word for it in files and commands.
    pub fn id(self) -> &'static str {
        self.into()
    }

    /// The edition with that id.
    pub fn parse(id: &str) -> Option<Edition> {
        Edition::ALL.into_iter().find(|edition| edition.id() == id)
    }

    /// How many Wild Customizable cards its deck can have.
    pub fn customizable(self) -> usize {
        self.data().customizable
    }

    pub(crate) fn data(self) -> &'static EditionData {
        match self {
            Edition::Original => &ORIGINAL,
            Edition::Fairies => &FAIRIES,
            Edition::Frozen => &FROZEN,
            Edition::Custom => &CUSTOM,
            Edition::Modern => &MODERN,
        }
    }
}

impl fmt::Display for Edition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

/// How the first dealer is found (D1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DealerChoice {
    /// Everybody draws a card, the highest number deals.
    HighestCard,
    /// A seat at random.
    AnySeat,
}

/// What a start card other than a number does (S2–S6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartPolicy {
    /// It acts; a Wild Draw Four goes back into the pile.
    Acts,
    /// It is ignored and the next card is turned, until a number shows.
    Ignored,
}

/// Everything that distinguishes one sheet from another.
pub(crate) struct EditionData {
    pub(crate) palette: Palette,
    /// Copies of the 0 in each color.
    pub(crate) zeros: u8,
    /// Its own cards.
    pub(crate) extra: &'static [(Card, u8)],
    /// How many Wild Customizable cards there are at most.
    pub(crate) customizable: usize,
    pub(crate) dealer: DealerChoice,
    pub(crate) start: StartPolicy,
    /// W2: cards that make a Wild Draw Four a bluff, in addition to those of the color in force.
    pub(crate) also_matching: CardSet,
    pub(crate) scoring: Scoring,
    pub(crate) hand_size: u8,
    pub(crate) uno_penalty: u8,
    pub(crate) suggestion_penalty: u8,
    /// The starters on a new table's Wild Customizable cards; as printed they are blank.
    pub(crate) starters: &'static [u8],
}

const ORIGINAL: EditionData = EditionData {
    palette: Palette::Red,
    zeros: 1,
    extra: &[],
    customizable: 0,
    dealer: DealerChoice::HighestCard,
    start: StartPolicy::Acts,
    also_matching: CardSet::EMPTY,
    scoring: Scoring::FirstTo(USUAL_TARGET),
    hand_size: 7,
    uno_penalty: 2,
    suggestion_penalty: 4,
    starters: &[],
};

const FAIRIES: EditionData = EditionData { extra: &[(Card::FLITTERIFIC, 4)], suggestion_penalty: 0, ..ORIGINAL };

const FROZEN: EditionData =
    EditionData { palette: Palette::Pink, extra: &[(Card::OLAF, 4)], suggestion_penalty: 0, ..ORIGINAL };

const CUSTOM: EditionData = EditionData {
    extra: &[(Card::SHUFFLE_HANDS, 1)],
    customizable: 3,
    suggestion_penalty: 0,
    starters: &[4, 7, 1],
    ..ORIGINAL
};

const MODERN: EditionData = EditionData {
    zeros: 2,
    dealer: DealerChoice::AnySeat,
    start: StartPolicy::Ignored,
    also_matching: CardSet::WILDS,
    scoring: Scoring::SingleRound,
    suggestion_penalty: 0,
    ..ORIGINAL
};

/// The cards a game is played with.
#[derive(Clone, PartialEq, Eq)]
pub struct Deck {
    cards: [Card; MAX_DECK],
    len: usize,
    copies: [u8; KINDS],
    all: Hand,
}

impl Deck {
    /// The deck of an edition with that many Customizable cards.
    pub(crate) fn new(data: &EditionData, customizable: usize) -> Deck {
        let mut deck = Deck { cards: [Card::WILD; MAX_DECK], len: 0, copies: [0; KINDS], all: Hand::EMPTY };
        for card in Card::all() {
            let own = data.extra.iter().find(|(own, _)| *own == card);
            let copies = match card.face() {
                Face::Number(0) => data.zeros,
                Face::Number(_) | Face::Skip | Face::Reverse | Face::DrawTwo => 2,
                Face::Wild | Face::WildDrawFour => 4,
                Face::Customizable(n) => u8::from((n as usize) < customizable),
                _ => own.map_or(0, |(_, copies)| *copies),
            };
            deck.copies[card.index()] = copies;
            for _ in 0..copies {
                deck.cards[deck.len] = card;
                deck.len += 1;
                deck.all.add(card);
            }
        }
        deck
    }

    /// How many cards there are.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// How many copies of a card there are.
    pub fn copies(&self, card: Card) -> u8 {
        self.copies[card.index()]
    }

    /// The kinds of card with their number of copies, sorted.
    pub fn kinds(&self) -> impl Iterator<Item = (Card, u8)> + '_ {
        Card::all().map(|card| (card, self.copies(card))).filter(|(_, copies)| *copies > 0)
    }

    /// All cards, sorted.
    pub fn cards(&self) -> &[Card] {
        &self.cards[..self.len]
    }

    /// All cards, as if somebody held them.
    #[inline]
    pub fn as_hand(&self) -> &Hand {
        &self.all
    }

    /// D1 by cards: who deals first, and what everybody drew to decide it.
    pub(crate) fn draw_for_dealer(&self, players: u8, chance: &mut impl Chance, mut drew: impl FnMut(u8, Card)) -> u8 {
        let mut cards = self.cards;
        let mut left = 0;
        let mut contenders: u16 = (1 << players) - 1;
        loop {
            if left < contenders.count_ones() as usize {
                cards = self.cards;
                left = self.len;
                chance.shuffle(&mut cards[..left]);
            }
            let mut best = (0, 0u16);
            for seat in (0..players).filter(|seat| contenders >> seat & 1 == 1) {
                left -= 1;
                drew(seat, cards[left]);
                let number = match cards[left].face() {
                    Face::Number(number) => number,
                    _ => 0,
                };
                if best.1 == 0 || number > best.0 {
                    best = (number, 1 << seat);
                } else if number == best.0 {
                    best.1 |= 1 << seat;
                }
            }
            contenders = best.1;
            if contenders.is_power_of_two() {
                return contenders.trailing_zeros() as u8;
            }
        }
    }
}

impl fmt::Debug for Deck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.kinds()).finish()
    }
}

impl Color {
    /// O1: the colors Olaf's Summertime may take along, pink and yellow.
    pub const SUMMER: [Color; 2] = [Color::Red, Color::Yellow];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decks_have_the_number_of_cards_on_the_sheet() {
        let sizes = Edition::ALL.map(|edition| {
            let data = edition.data();
            Deck::new(data, data.customizable).len()
        });
        assert_eq!(sizes, [108, 112, 112, 112, 112]);
        assert_eq!(Deck::new(&CUSTOM, 0).len(), 109);
    }
}
