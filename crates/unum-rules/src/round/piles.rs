//! The draw pile and the discard pile, in one array.

use std::fmt;

use crate::card::{Card, CardList, MAX_DECK};
use crate::chance::Chance;

/// Both piles share one array, since a deck is never larger than that: the draw pile grows from the
/// front (its last card is drawn next), the discard pile from the back (its first card is the top).
#[derive(Clone, Copy)]
pub(crate) struct Piles {
    cards: [Card; MAX_DECK],
    draw: u8,
    discard: u8,
}

impl Piles {
    /// All cards in the draw pile, the last one on top.
    #[inline]
    pub(crate) fn new(draw: &[Card]) -> Piles {
        let mut cards = [Card::WILD; MAX_DECK];
        cards[..draw.len()].copy_from_slice(draw);
        Piles { cards, draw: draw.len() as u8, discard: 0 }
    }

    /// How many cards can be drawn before a reshuffle.
    #[inline]
    pub(crate) fn draw_count(&self) -> usize {
        self.draw as usize
    }

    /// The draw pile, next card last.
    #[inline]
    pub(crate) fn draw_pile(&self) -> &[Card] {
        &self.cards[..self.draw as usize]
    }

    /// The draw pile, mutable.
    pub(crate) fn draw_pile_mut(&mut self) -> &mut [Card] {
        &mut self.cards[..self.draw as usize]
    }

    /// The discard pile, top card first.
    #[inline]
    pub(crate) fn discard_pile(&self) -> &[Card] {
        &self.cards[self.top_index()..]
    }

    /// The discard pile as a list, oldest card first.
    pub(crate) fn discard_list(&self) -> CardList {
        CardList::try_from_iter(self.discard_pile().iter().rev().copied()).unwrap_or(CardList::EMPTY)
    }

    /// The card everybody matches.
    #[inline]
    pub(crate) fn top(&self) -> Card {
        self.cards[self.top_index().min(MAX_DECK - 1)]
    }

    #[inline]
    fn top_index(&self) -> usize {
        MAX_DECK - self.discard as usize
    }

    /// The next card of the draw pile.
    #[inline]
    pub(crate) fn draw(&mut self) -> Option<Card> {
        self.draw = self.draw.checked_sub(1)?;
        Some(self.cards[self.draw as usize])
    }

    /// Leaves `count` cards in the draw pile, after the others were dealt out.
    pub(crate) fn leave(&mut self, count: usize) {
        self.draw = self.draw.min(count as u8);
    }

    /// Lays a card on the discard pile.
    #[inline]
    pub(crate) fn discard(&mut self, card: Card) {
        self.discard += 1;
        let top = self.top_index();
        self.cards[top] = card;
    }

    /// Puts a card directly under the top card.
    pub(crate) fn discard_under_top(&mut self, card: Card) {
        let top = self.top();
        let index = self.top_index();
        self.cards[index] = card;
        self.discard(top);
    }

    /// T4: everything under the top card becomes the draw pile. Returns how many cards that is.
    #[cold]
    #[inline(never)]
    pub(crate) fn reshuffle(&mut self, chance: &mut impl Chance) -> u8 {
        let top = self.top();
        let under = self.top_index() + 1;
        if self.discard <= 1 {
            return 0;
        }
        self.cards.copy_within(under.., 0);
        self.draw = self.discard - 1;
        self.discard = 1;
        self.cards[MAX_DECK - 1] = top;
        chance.shuffle(self.draw_pile_mut());
        self.draw
    }
}

impl PartialEq for Piles {
    fn eq(&self, other: &Piles) -> bool {
        self.draw_pile() == other.draw_pile() && self.discard_pile() == other.discard_pile()
    }
}

impl Eq for Piles {}

impl fmt::Debug for Piles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "draw {:?} discard {:?}", self.draw_pile(), self.discard_pile())
    }
}
