//! The source of randomness: the engine asks for shuffles and never generates its own.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use crate::card::Card;

/// A source of chance, supplied by the caller.
///
/// Every `rand` generator is one. A test can script its own, and a served table can derive one from a seed it has
/// committed to.
pub trait Chance {
    /// A number below `bound` (at least 1), each equally likely.
    fn below(&mut self, bound: u32) -> u32;

    /// Shuffles the cards. The **last** card of the slice is the first to be drawn.
    #[inline]
    fn shuffle(&mut self, cards: &mut [Card]) {
        for last in (1..cards.len()).rev() {
            let other = self.below(last as u32 + 1) as usize;
            cards.swap(last, other);
        }
    }
}

impl<R: Rng> Chance for R {
    /// Lemire's method: the high half of a 32 × 32 bit product, redrawn in the rare case where the low half would
    /// introduce bias.
    #[inline]
    fn below(&mut self, bound: u32) -> u32 {
        let mut product = u64::from(self.next_u32()) * u64::from(bound);
        if (product as u32) < bound {
            let threshold = bound.wrapping_neg() % bound;
            while (product as u32) < threshold {
                product = u64::from(self.next_u32()) * u64::from(bound);
            }
        }
        (product >> 32) as u32
    }
}

/// The standard way from a seed to shuffles: identical on every machine and in every version.
///
/// ChaCha with 8 rounds, nonce 0, the key being the seed (a number seed: its 8 bytes, lowest first,
/// then 24 zeros). Output words are taken as little-endian 32-bit numbers, turned into numbers below
/// a bound by Lemire's method, and into orders by Fisher–Yates from the last place down, as
/// [`Chance::shuffle`] does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seeded(ChaCha8Rng);

impl Seeded {
    /// From a number.
    pub fn new(seed: u64) -> Seeded {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        Seeded::from_key(key)
    }

    /// From a whole key.
    pub fn from_key(key: [u8; 32]) -> Seeded {
        Seeded(ChaCha8Rng::from_seed(key))
    }

    /// How many output words were taken so far: with the same key, [`Seeded::skip_to`] goes on from there.
    pub fn words(&self) -> u64 {
        u64::try_from(self.0.get_word_pos()).unwrap_or(u64::MAX)
    }

    /// The same generator after that many output words.
    pub fn skip_to(mut self, words: u64) -> Seeded {
        self.0.set_word_pos(u128::from(words));
        self
    }
}

impl Chance for Seeded {
    fn below(&mut self, bound: u32) -> u32 {
        self.0.below(bound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Test vectors for other implementations.
    #[test]
    fn seeds_give_the_published_numbers() {
        let mut chance = Seeded::new(7);
        let numbers: Vec<u32> = (0..8).map(|_| chance.below(1000)).collect();
        assert_eq!(numbers, [172, 764, 916, 465, 447, 5, 58, 301]);
        let mut cards: Vec<Card> = Card::all().take(10).collect();
        Seeded::new(7).shuffle(&mut cards);
        let order: Vec<usize> = cards.iter().map(|card| card.index()).collect();
        assert_eq!(order, [5, 9, 8, 4, 0, 2, 3, 7, 6, 1]);
    }

    #[test]
    fn a_generator_goes_on_where_it_was() {
        let mut chance = Seeded::new(7);
        for taken in [0, 1, 15, 16, 17, 100] {
            (0..taken).for_each(|_| {
                chance.below(1000);
            });
            let mut other = Seeded::new(7).skip_to(chance.words());
            assert_eq!(other.below(1_000_000), chance.clone().below(1_000_000));
        }
    }

    #[test]
    fn every_order_of_three_cards_comes_equally_often() {
        let mut counts = std::collections::HashMap::new();
        let mut chance = Seeded::new(1);
        for _ in 0..60_000 {
            let mut cards: Vec<Card> = Card::all().take(3).collect();
            chance.shuffle(&mut cards);
            *counts.entry(cards).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 6);
        // Ten standard deviations around 10,000.
        assert!(counts.values().all(|n| (9_087..10_913).contains(n)), "{counts:?}");
    }
}
