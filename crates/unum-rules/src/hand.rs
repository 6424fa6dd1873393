//! Sets and multisets of cards as machine words.

use std::fmt;

use crate::card::{Card, Color, KINDS};
use crate::chance::Chance;

/// A set of card kinds: bit *i* stands for the card with index *i*.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct CardSet(u64);

const COLOR_BITS: u64 = (1 << 13) - 1;
const COLORED_BITS: u64 = (1 << 52) - 1;
/// One bit per color, at the color's lowest card.
const COLOR_STARTS: u64 = 1 | 1 << 13 | 1 << 26 | 1 << 39;

/// For every top card, the cards that match what is printed on it: color, face, and all wilds.
static MATCHING: [u64; 64] = {
    let mut table = [CardSet::WILDS.0; 64];
    let mut index = 0;
    while index < 52 {
        table[index] |= COLOR_STARTS << (index % 13) | COLOR_BITS << (index / 13 * 13);
        index += 1;
    }
    table
};

impl CardSet {
    /// No card.
    pub const EMPTY: CardSet = CardSet(0);
    /// Every wild.
    pub const WILDS: CardSet = CardSet(0xff << 52);
    /// Numbers of every color.
    pub const NUMBERS: CardSet = CardSet(COLOR_STARTS * 0x3ff);
    /// Skip, Reverse and Draw Two of every color.
    pub const ACTIONS: CardSet = CardSet(COLOR_STARTS * 0x1c00);

    /// Draw Two of every color.
    pub const DRAW_TWOS: CardSet = CardSet(COLOR_STARTS << 12);

    /// The set of just this card.
    #[inline]
    pub const fn of(card: Card) -> CardSet {
        CardSet(1 << card.index())
    }

    /// Every card of a color.
    #[inline]
    pub const fn color(color: Color) -> CardSet {
        CardSet(COLOR_BITS << (color as u32 * 13))
    }

    /// The colored cards with the same face as this one, itself included; of a wild, itself alone.
    #[inline]
    pub const fn same_face(card: Card) -> CardSet {
        if card.is_wild() { CardSet::of(card) } else { CardSet(COLOR_STARTS << (card.index() % 13)) }
    }

    /// What may be played on `top` while `color` is in force (T1, T3): the color, the same face, any wild.
    #[inline]
    pub fn matching(top: Card, color: Color) -> CardSet {
        CardSet(CardSet::color(color).0 | MATCHING[top.index() & 63])
    }

    /// What may be played on a colored card; on a wild, only wilds until a color is called.
    #[inline]
    pub(crate) fn matching_printed(top: Card) -> CardSet {
        CardSet(MATCHING[top.index() & 63])
    }

    /// The colored cards on which one of these could be played without a wild: those that share a color or a face with one.
    #[inline]
    pub const fn reach(self) -> CardSet {
        let colored = self.0 & COLORED_BITS;
        let faces = (colored | colored >> 13 | colored >> 26 | colored >> 39) & COLOR_BITS;
        let mut reach = faces * COLOR_STARTS;
        let mut color = COLOR_BITS;
        while color & COLORED_BITS != 0 {
            if colored & color != 0 {
                reach |= color;
            }
            color <<= 13;
        }
        CardSet(reach)
    }

    /// The cards in both sets.
    #[inline]
    pub const fn and(self, other: CardSet) -> CardSet {
        CardSet(self.0 & other.0)
    }

    /// The cards of this set that are not in the other.
    #[inline]
    pub const fn minus(self, other: CardSet) -> CardSet {
        CardSet(self.0 & !other.0)
    }

    /// All cards that are not in this set.
    #[inline]
    pub const fn complement(self) -> CardSet {
        CardSet(!self.0 & ((1 << KINDS) - 1))
    }

    /// The cards in either set.
    #[inline]
    pub const fn or(self, other: CardSet) -> CardSet {
        CardSet(self.0 | other.0)
    }

    /// This set without that card.
    #[inline]
    pub const fn without(self, card: Card) -> CardSet {
        CardSet(self.0 & !(1 << card.index()))
    }

    /// Whether the card is in the set.
    #[inline]
    pub const fn contains(self, card: Card) -> bool {
        self.0 >> card.index() & 1 == 1
    }

    /// Whether there is no card in the set.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The set as a machine word: bit *i* stands for the card with index *i*.
    #[inline]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// How many kinds are in the set.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// A card of the set, each equally likely.
    #[inline]
    pub fn pick<C: Chance>(self, chance: &mut C) -> Option<Card> {
        if self.is_empty() { None } else { self.nth(chance.below(self.len())) }
    }

    /// The *n*-th card of the set, counting from 0 in sorted order.
    ///
    /// Sets are small and the number is random, so up to the fourth card branches would only be mispredicted.
    #[inline]
    pub fn nth(self, n: u32) -> Option<Card> {
        let second = self.without_first();
        let third = second.without_first();
        let fourth = third.without_first();
        let mut rest = if n == 0 { self } else { second };
        rest = if n > 1 { third } else { rest };
        rest = if n > 2 { fourth } else { rest };
        for _ in 3..n {
            rest = rest.without_first();
        }
        rest.first()
    }

    #[inline]
    const fn without_first(self) -> CardSet {
        CardSet(self.0 & self.0.wrapping_sub(1))
    }

    /// The lowest card of the set.
    #[inline]
    pub fn first(self) -> Option<Card> {
        Card::from_index(self.0.trailing_zeros() as usize)
    }

    /// The cards in sorted order.
    pub fn iter(self) -> impl Iterator<Item = Card> + Clone {
        let mut rest = self;
        std::iter::from_fn(move || {
            let card = rest.first()?;
            rest = rest.without(card);
            Some(card)
        })
    }
}

impl fmt::Debug for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// For every byte, its bits as bytes of 0 and 1 in one word, the lowest bit first.
static SPREAD: [u64; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[byte] |= (byte as u64 >> bit & 1) << (8 * bit);
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// A multiset of cards: a player's hand.
///
/// `kinds` has a bit for every kind held, which makes "what can I play" a single AND. `extra` has a bit for every
/// further copy: the second of a colored card in the card's own place, and for the wilds that come in fours the second,
/// third and fourth in bits 52, 56 and 60 onward. The remaining wilds exist once.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Hand {
    kinds: u64,
    extra: u64,
    len: u8,
}

/// The places of further copies of the wild at bit 52.
const FURTHER_WILDS: u64 = 1 << 52 | 1 << 56 | 1 << 60;

/// The places in `extra` for the further copies of a wild.
#[inline]
const fn further(card: Card) -> u64 {
    match card.index() {
        index @ 52..56 => FURTHER_WILDS << (index - 52),
        _ => 0,
    }
}

impl Hand {
    /// No card.
    pub const EMPTY: Hand = Hand { kinds: 0, extra: 0, len: 0 };

    /// Just this card.
    #[inline]
    pub const fn of(card: Card) -> Hand {
        Hand { kinds: 1 << card.index(), extra: 0, len: 1 }
    }

    /// How many copies of a card a hand has room for.
    pub const fn capacity(card: Card) -> u8 {
        match card.index() {
            0..52 => 2,
            52..56 => 4,
            _ => 1,
        }
    }

    /// Number of cards.
    #[inline]
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether the player has gone out.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The kinds held.
    #[inline]
    pub const fn kinds(&self) -> CardSet {
        CardSet(self.kinds)
    }

    /// The kinds held after taking one copy of `card` out.
    #[inline]
    pub const fn kinds_without(&self, card: Card) -> CardSet {
        let places = if card.is_wild() { further(card) } else { 1 << card.index() };
        if self.extra & places != 0 { CardSet(self.kinds) } else { CardSet(self.kinds).without(card) }
    }

    /// Whether at least one copy is held.
    #[inline]
    pub const fn contains(&self, card: Card) -> bool {
        CardSet(self.kinds).contains(card)
    }

    /// How many copies are held.
    #[inline]
    pub const fn count(&self, card: Card) -> u8 {
        let bit = 1 << card.index();
        let places = if card.is_wild() { further(card) } else { bit };
        ((self.kinds & bit).count_ones() + (self.extra & places).count_ones()) as u8
    }

    /// How many copies of every card are held: [`count`](Hand::count) for all at once, a byte for every index, eight of them in
    /// a word, the lowest first.
    #[inline]
    pub fn counts(&self) -> [u64; 8] {
        // First copies and the second ones of colored cards lie in the same places.
        let (kinds, extra) = (self.kinds.to_le_bytes(), (self.extra & COLORED_BITS).to_le_bytes());
        let spread = |byte: u8| SPREAD[byte as usize];
        let mut counts = std::array::from_fn(|eight| spread(kinds[eight]) + spread(extra[eight]));
        let further = self.extra >> 52;
        counts[6] +=
            [further, further >> 4, further >> 8].map(|copies| spread(copies as u8 & 0xf)).iter().sum::<u64>() << 32;
        counts
    }

    /// Adds one copy. A hand built from one deck never holds more than its [`capacity`](Hand::capacity).
    #[inline]
    pub fn add(&mut self, card: Card) {
        debug_assert!(self.count(card) < Hand::capacity(card));
        let bit = 1 << card.index();
        if card.is_wild() && self.kinds & bit != 0 {
            let free = further(card) & !self.extra;
            self.extra |= free & free.wrapping_neg();
        } else {
            self.extra |= self.kinds & bit;
            self.kinds |= bit;
        }
        self.len += 1;
    }

    /// Takes one copy out; `false` (and no change) when none is held.
    #[inline]
    pub fn remove(&mut self, card: Card) -> bool {
        let bit = 1 << card.index();
        if self.kinds & bit == 0 {
            return false;
        }
        if card.is_wild() {
            self.remove_wild(card);
        } else {
            let second = self.extra & bit;
            self.extra ^= second;
            self.kinds ^= bit ^ second;
        }
        self.len -= 1;
        true
    }

    #[inline]
    fn remove_wild(&mut self, card: Card) {
        match self.extra & further(card) {
            0 => self.kinds &= !(1 << card.index()),
            copies => self.extra ^= 1 << copies.ilog2(),
        }
    }

    /// Takes out every card of another multiset that is held.
    pub fn remove_all(&mut self, cards: &Hand) {
        for card in cards.kinds().iter() {
            for _ in 0..cards.count(card) {
                self.remove(card);
            }
        }
    }

    /// How many cards are in the set.
    #[inline]
    pub const fn count_in(&self, set: CardSet) -> u32 {
        let wilds = CardSet(set.0 & CardSet::WILDS.0);
        // Further copies of wilds sit in three groups of four bits above the first.
        let further = ((wilds.0 >> 52 & 0xf) * 0x111) << 52;
        (self.kinds & set.0).count_ones() + (self.extra & (set.0 & COLORED_BITS | further)).count_ones()
    }

    /// Whether all cards of the slice can be taken out together.
    pub fn contains_all(&self, cards: &[Card]) -> bool {
        let mut rest = *self;
        cards.iter().all(|&card| rest.remove(card))
    }

    /// The cards of the hand that are in the set.
    pub fn only(&self, set: CardSet) -> Hand {
        let mut hand = *self;
        for card in self.kinds().iter().filter(|card| !set.contains(*card)) {
            while hand.remove(card) {}
        }
        hand
    }

    /// The cards, sorted, with repeats.
    pub fn iter(&self) -> impl Iterator<Item = Card> + Clone + use<> {
        let hand = *self;
        hand.kinds().iter().flat_map(move |card| std::iter::repeat_n(card, hand.count(card) as usize))
    }

    /// The multiset of these cards, or `None` when a card comes more often than any deck has it.
    pub fn try_from_iter(cards: impl IntoIterator<Item = Card>) -> Option<Hand> {
        let mut hand = Hand::EMPTY;
        for card in cards {
            if hand.count(card) == Hand::capacity(card) {
                return None;
            }
            hand.add(card);
        }
        Some(hand)
    }

    /// The sum of `value` over all cards.
    #[inline]
    pub fn sum(&self, value: impl Fn(Card) -> u32) -> u32 {
        let singles: u32 = CardSet(self.kinds).iter().map(&value).sum();
        let doubles: u32 = CardSet(self.extra & COLORED_BITS).iter().map(&value).sum();
        let wilds = CardSet(self.kinds).and(CardSet::WILDS).iter();
        singles + doubles + wilds.map(|w| u32::from(self.count(w) - 1) * value(w)).sum::<u32>()
    }
}

impl fmt::Debug for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hand_counts_copies_up_to_the_deck() {
        for card in Card::all() {
            let mut hand = Hand::EMPTY;
            for copies in 1..=Hand::capacity(card) {
                hand.add(card);
                assert_eq!(hand.count(card), copies);
                let counts = hand.counts().map(u64::to_le_bytes);
                let counts = counts.as_flattened();
                assert_eq!((counts[card.index()], counts.iter().sum()), (copies, copies));
                assert_eq!(hand.iter().count(), copies as usize);
                assert_eq!(hand.sum(|_| 5), 5 * u32::from(copies));
                assert_eq!(hand.kinds_without(card).contains(card), copies > 1);
            }
            for _ in 0..Hand::capacity(card) {
                assert!(hand.remove(card));
            }
            assert!(!hand.remove(card));
            assert_eq!(hand, Hand::EMPTY);
        }
    }

    #[test]
    fn a_set_reaches_what_one_of_its_cards_matches() {
        for first in Card::all() {
            for second in Card::all() {
                let cards = CardSet::of(first).or(CardSet::of(second));
                let on_top = |top: &Card| {
                    top.color().is_some_and(|color| {
                        let fits = CardSet::matching(*top, color).minus(CardSet::WILDS);
                        fits.contains(first) || fits.contains(second)
                    })
                };
                assert!(Card::all().all(|top| cards.reach().contains(top) == on_top(&top)));
            }
        }
    }

    #[test]
    fn wild_counters_do_not_disturb_each_other() {
        let wilds = [Card::WILD, Card::WILD_DRAW_FOUR, Card::OLAF, Card::FLITTERIFIC];
        let mut hand = Hand::EMPTY;
        for card in wilds.iter().cycle().take(16) {
            hand.add(*card);
        }
        assert!(hand.remove(Card::OLAF));
        assert_eq!(wilds.map(|w| hand.count(w)), [4, 4, 3, 4]);
        assert_eq!(hand.len(), 15);
    }

    #[test]
    fn cards_of_a_set_are_counted_with_all_their_copies() {
        let mut hand = Hand::EMPTY;
        for card in Card::all() {
            (0..Hand::capacity(card)).for_each(|_| hand.add(card));
        }
        let sets = [CardSet::WILDS, CardSet::NUMBERS, CardSet::color(Color::Green), CardSet::of(Card::SHUFFLE_HANDS)];
        for set in sets.into_iter().chain(Card::all().map(CardSet::same_face)).chain(Card::all().map(CardSet::of)) {
            let by_hand = hand.iter().filter(|card| set.contains(*card)).count();
            assert_eq!(hand.count_in(set) as usize, by_hand, "{set:?}");
            let rest = hand.only(set.complement());
            assert_eq!(rest.len() + by_hand, hand.len());
            assert!(rest.kinds().and(set).is_empty());
        }
    }

    #[test]
    fn more_copies_than_any_deck_has_make_no_hand() {
        let seven = Card::from_index(7).unwrap();
        assert!(Hand::try_from_iter([seven; 2]).is_some());
        assert!(Hand::try_from_iter([seven; 3]).is_none());
        assert!(Hand::try_from_iter([Card::SHUFFLE_HANDS; 2]).is_none());
    }

    /// Yields 0, 1, 2 … in turn.
    struct Counting(u32);

    impl Chance for Counting {
        fn below(&mut self, bound: u32) -> u32 {
            assert!(self.0 < bound);
            self.0 += 1;
            self.0 - 1
        }
    }

    #[test]
    fn every_card_of_a_set_can_be_picked() {
        for mask in [CardSet::WILDS, CardSet::NUMBERS, CardSet::ACTIONS, CardSet::DRAW_TWOS] {
            for skip in Card::all() {
                let set = mask.without(skip);
                let mut counting = Counting(0);
                let picked: Vec<Card> = (0..set.len()).map(|_| set.pick(&mut counting).unwrap()).collect();
                assert_eq!(picked, set.iter().collect::<Vec<_>>());
            }
        }
        assert_eq!(CardSet::EMPTY.pick(&mut Counting(0)), None);
    }

    #[test]
    fn matching_follows_color_face_and_wildness() {
        let red_seven = Card::from_index(7).unwrap();
        let set = CardSet::matching(red_seven, Color::Red);
        assert_eq!(set.len(), 13 + 3 + 8);
        assert!(set.contains(Card::from_index(7 + 39).unwrap()));
        let set = CardSet::matching(Card::WILD, Color::Blue);
        assert_eq!(set.len(), 13 + 8);
        assert!(!set.contains(red_seven));
    }
}
