//! Sorting short lists.
//!
//! The sorts of the standard library are made for long lists, and take 4 KiB for every type they are used with. That is too much
//! in the page's module, where no list is long; there it is an insertion sort.

use std::cmp::Ordering;

/// Sorts a list. What compares as equal stays in its order.
pub fn sort_by<T>(list: &mut [T], compare: impl FnMut(&T, &T) -> Ordering) {
    if cfg!(target_family = "wasm") { insert(list, compare) } else { list.sort_by(compare) }
}

/// Sorts a list by a key. What has the same key stays in its order.
pub fn sort_by_key<T, K: Ord>(list: &mut [T], mut key: impl FnMut(&T) -> K) {
    sort_by(list, |one, other| key(one).cmp(&key(other)));
}

/// Sorts a list.
pub fn sort<T: Ord>(list: &mut [T]) {
    sort_by(list, T::cmp);
}

fn insert<T>(list: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    for end in 2..=list.len() {
        let sorted = &mut list[..end];
        let mut place = end - 1;
        while place > 0 && compare(&sorted[place - 1], &sorted[place]).is_gt() {
            sorted.swap(place - 1, place);
            place -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Chance as _, Seeded};

    #[test]
    fn an_insertion_sort_sorts_and_keeps_the_order_of_equals() {
        let mut chance = Seeded::new(1);
        for length in 0..200 {
            let mut list: Vec<(u32, usize)> = (0..length).map(|place| (chance.below(20), place)).collect();
            let mut other = list.clone();
            insert(&mut list, |a, b| b.0.cmp(&a.0));
            other.sort_by_key(|(key, _)| std::cmp::Reverse(*key));
            assert_eq!(list, other);
        }
    }
}
