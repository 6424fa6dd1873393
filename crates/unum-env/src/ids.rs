//! Sets of action ids as machine words.

use unum_rules::Chance;

/// More ids than any edition has.
pub const MAX_IDS: usize = 192;

/// For every byte, its bits as flags, the lowest first.
static FLAGS: [[bool; 8]; 256] = {
    let mut table = [[false; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[byte][bit] = byte >> bit & 1 == 1;
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// A set of action ids: what an action mask says, in three words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IdSet([u64; MAX_IDS / 64]);

impl IdSet {
    /// No action.
    pub const EMPTY: IdSet = IdSet([0; MAX_IDS / 64]);

    /// Puts an id in. One that no edition has is left out.
    #[inline]
    pub fn insert(&mut self, id: u16) {
        if let Some(word) = self.0.get_mut(usize::from(id / 64)) {
            *word |= 1 << (id % 64);
        }
    }

    /// The ids from `start` on for which a bit is set.
    #[inline]
    pub(crate) fn from_bits(start: u16, bits: u64) -> IdSet {
        let mut set = IdSet::EMPTY;
        let (word, shift) = (usize::from(start / 64), start % 64);
        if let Some(low) = set.0.get_mut(word) {
            *low = bits << shift;
        }
        if let Some(high) = set.0.get_mut(word + 1) {
            // In two steps, because a shift by 64 is none.
            *high = bits >> 1 >> (63 - shift);
        }
        set
    }

    /// The ids in either set.
    #[inline]
    pub(crate) fn or(self, other: IdSet) -> IdSet {
        IdSet(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }

    /// Whether the id is in it.
    #[inline]
    pub fn contains(&self, id: u16) -> bool {
        self.0.get(usize::from(id / 64)).is_some_and(|word| word >> (id % 64) & 1 == 1)
    }

    /// How many there are.
    #[inline]
    pub fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0 == [0; MAX_IDS / 64]
    }

    /// The ids in ascending order.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = u16> {
        (0u16..).zip(self.0).flat_map(|(number, word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = rest.trailing_zeros() as u16;
                rest &= rest.wrapping_sub(1);
                (bit < 64).then_some(number * 64 + bit)
            })
        })
    }

    /// One of the ids, each equally likely; `None` if there is none.
    #[inline]
    pub fn pick<C: Chance>(&self, chance: &mut C) -> Option<u16> {
        let [first, second, third] = self.0;
        let (before, until) = (first.count_ones(), first.count_ones() + second.count_ones());
        let len = until + third.count_ones();
        if len < 2 {
            return self.iter().next();
        }
        let n = chance.below(len);
        // The number is random: branches on it would only be mispredicted.
        let (mut word, mut start, mut passed) = (first, 0, 0);
        if n >= before {
            (word, start, passed) = (second, 64, before);
        }
        if n >= until {
            (word, start, passed) = (third, 128, until);
        }
        Some(start + nth(word, n - passed))
    }

    /// Writes the mask: one flag per id.
    #[inline]
    pub fn write(&self, mask: &mut [bool]) {
        let mut all = [[false; 8]; MAX_IDS / 8];
        for (eights, word) in all.chunks_exact_mut(8).zip(self.0) {
            eights.iter_mut().zip(word.to_le_bytes()).for_each(|(flags, byte)| *flags = FLAGS[usize::from(byte)]);
        }
        mask.copy_from_slice(&all.as_flattened()[..mask.len()]);
    }
}

/// The place of the *n*-th bit that is set, counting from 0, by halves.
#[inline]
fn nth(word: u64, n: u32) -> u16 {
    let (mut rest, mut left, mut place) = (word, n, 0);
    for half in [32, 16, 8, 4, 2, 1] {
        let here = (rest & ((1 << half) - 1)).count_ones();
        if left >= here {
            (rest, left, place) = (rest >> half, left - here, place + half);
        }
    }
    place
}

impl FromIterator<u16> for IdSet {
    fn from_iter<I: IntoIterator<Item = u16>>(ids: I) -> IdSet {
        let mut set = IdSet::EMPTY;
        ids.into_iter().for_each(|id| set.insert(id));
        set
    }
}

#[cfg(test)]
mod tests {
    use unum_rules::Seeded;

    use super::*;

    #[test]
    fn ids_come_out_as_they_went_in() {
        let ids = [0, 5, 63, 64, 100, 191];
        let set = IdSet::from_iter(ids);
        assert_eq!(set.iter().collect::<Vec<_>>(), ids);
        assert_eq!((set.len(), set.is_empty(), IdSet::EMPTY.is_empty()), (6, false, true));
        let mut mask = [true; MAX_IDS];
        set.write(&mut mask);
        assert!((0..192).all(|id| mask[id as usize] == set.contains(id) && set.contains(id) == ids.contains(&id)));
        assert!(!set.contains(192) && IdSet::from_iter([5000]).is_empty());
        let mut short = [true; 91];
        set.write(&mut short);
        assert_eq!(short, mask[..91]);
        for start in [0, 52, 64, 128, 150] {
            let ids = [0, 9, 21].map(|id| start + id);
            assert_eq!(IdSet::from_bits(start, 1 | 1 << 9 | 1 << 21), IdSet::from_iter(ids));
        }
    }

    #[test]
    fn every_id_is_picked_equally_often() {
        let set = IdSet::from_iter([3, 64, 130]);
        let word = 0x8000_0401_0030_0105;
        let places: Vec<u16> = (0..8).map(|n| nth(word, n)).collect();
        assert_eq!(places, [0, 2, 8, 20, 21, 32, 42, 63]);
        let mut chance = Seeded::new(1);
        let mut counts = [0; MAX_IDS];
        for _ in 0..30_000 {
            counts[usize::from(set.pick(&mut chance).unwrap())] += 1;
        }
        // Seven standard deviations around 10,000.
        assert!([3, 64, 130].iter().all(|id| (9_430..10_570).contains(&counts[*id])), "{counts:?}");
        assert_eq!(IdSet::EMPTY.pick(&mut chance), None);
    }
}
