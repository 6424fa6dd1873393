//! Sets of action ids as machine words.

use unum_rules::Chance;

/// More ids than any edition has.
pub const MAX_IDS: usize = 192;

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
        let len = self.len();
        if len == 0 {
            return None;
        }
        let mut left = if len == 1 { 0 } else { chance.below(len) };
        for (number, word) in (0u16..).zip(self.0) {
            let here = word.count_ones();
            if left < here {
                let mut rest = word;
                for _ in 0..left {
                    rest &= rest - 1;
                }
                return Some(number * 64 + rest.trailing_zeros() as u16);
            }
            left -= here;
        }
        None
    }

    /// Writes the mask: one flag per id.
    #[inline]
    pub fn write(&self, mask: &mut [bool]) {
        mask.fill(false);
        for id in self.iter() {
            if let Some(flag) = mask.get_mut(usize::from(id)) {
                *flag = true;
            }
        }
    }
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
    }

    #[test]
    fn every_id_is_picked_equally_often() {
        let set = IdSet::from_iter([3, 64, 130]);
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
