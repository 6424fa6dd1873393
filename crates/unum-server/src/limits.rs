//! Limits per address or guest: how many at once, and how fast (token buckets).

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// How many there are of something, by key.
#[derive(Debug)]
pub(crate) struct Tally<K: Eq + Hash + Copy> {
    counts: Mutex<HashMap<K, usize>>,
}

impl<K: Eq + Hash + Copy> Tally<K> {
    pub(crate) fn new() -> Arc<Tally<K>> {
        Arc::new(Tally { counts: Mutex::new(HashMap::new()) })
    }

    /// Counts one more unless the limit is reached. It counts as long as the ticket is kept.
    pub(crate) fn admit(self: &Arc<Self>, key: K, most: usize) -> Option<Ticket<K>> {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(key).or_insert(0);
        if *count >= most {
            return None;
        }
        *count += 1;
        Some(Ticket { tally: Arc::clone(self), key })
    }

    /// How many there are.
    pub(crate) fn count(&self, key: K) -> usize {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner).get(&key).copied().unwrap_or(0)
    }

    /// Counts one more for each key, unless one has reached its limit: `most` times its multiple.
    pub(crate) fn admit_all(
        self: &Arc<Self>,
        keys: impl Iterator<Item = (K, u32)>,
        most: usize,
    ) -> Option<Vec<Ticket<K>>> {
        keys.map(|(key, times)| self.admit(key, most.saturating_mul(times as usize))).collect()
    }

    #[cfg(test)]
    fn keys(&self) -> usize {
        self.counts.lock().unwrap().len()
    }
}

/// One that is counted.
#[derive(Debug)]
pub(crate) struct Ticket<K: Eq + Hash + Copy> {
    tally: Arc<Tally<K>>,
    key: K,
}

impl<K: Eq + Hash + Copy> Drop for Ticket<K> {
    fn drop(&mut self) {
        let mut counts = self.tally.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.key) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.key);
            }
        }
    }
}

/// A supply that refills: `rate` a second, up to `burst`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bucket {
    left: f32,
    filled: Instant,
}

impl Bucket {
    pub(crate) fn full(burst: f32, now: Instant) -> Bucket {
        Bucket { left: burst, filled: now }
    }

    /// Takes one out, if there is one.
    pub(crate) fn take(&mut self, rate: f32, burst: f32, now: Instant) -> bool {
        self.fill(rate, burst, now);
        let enough = self.left >= 1.0;
        if enough {
            self.left -= 1.0;
        }
        enough
    }

    fn fill(&mut self, rate: f32, burst: f32, now: Instant) {
        let passed = now.saturating_duration_since(self.filled).as_secs_f32();
        self.left = (self.left + passed * rate).min(burst);
        self.filled = now;
    }
}

/// How many keys a [`Rates`] remembers before it forgets those whose buckets are full again.
const REMEMBERED: usize = 4096;

/// A rate limit by key: a number per minute, which may come all at once.
#[derive(Debug)]
pub(crate) struct Rates<K: Eq + Hash + Copy> {
    per_minute: f32,
    state: Mutex<(HashMap<K, Supply>, usize)>,
}

/// A bucket, and how many times what others get it gets.
#[derive(Debug)]
struct Supply {
    bucket: Bucket,
    times: f32,
}

impl Supply {
    fn fill(&mut self, per_minute: f32, now: Instant) -> bool {
        let burst = per_minute * self.times;
        self.bucket.fill(burst / 60.0, burst, now);
        self.bucket.left >= burst
    }
}

impl<K: Eq + Hash + Copy> Rates<K> {
    pub(crate) fn new(per_minute: u32) -> Rates<K> {
        Rates { per_minute: per_minute as f32, state: Mutex::new((HashMap::new(), REMEMBERED)) }
    }

    /// Whether one more is fine now; if so, it is counted.
    pub(crate) fn allow(&self, key: K, now: Instant) -> bool {
        self.allow_all(std::iter::once((key, 1)), 1, now)
    }

    /// Whether one more of this cost is fine for all of the keys, each with its multiple of the usual supply;
    /// if so, it is counted for all of them.
    pub(crate) fn allow_all(&self, keys: impl Iterator<Item = (K, u32)> + Clone, cost: u32, now: Instant) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (supplies, purge_at) = &mut *state;
        self.purge(supplies, purge_at, now);
        // A cost above the burst is capped at the burst.
        let cost = (cost as f32).min(self.per_minute);
        let enough = keys.clone().all(|key| self.supply(supplies, key, now).bucket.left >= cost);
        for (key, _) in keys.filter(|_| enough) {
            if let Some(supply) = supplies.get_mut(&key) {
                supply.bucket.left -= cost;
            }
        }
        enough
    }

    /// Forgets supplies that are full again, once there are many.
    fn purge(&self, supplies: &mut HashMap<K, Supply>, purge_at: &mut usize, now: Instant) {
        if supplies.len() >= *purge_at {
            supplies.retain(|_, supply| !supply.fill(self.per_minute, now));
            *purge_at = (supplies.len() * 2).max(REMEMBERED);
        }
    }

    /// The supply of a key as it is now.
    fn supply<'a>(&self, supplies: &'a mut HashMap<K, Supply>, (key, times): (K, u32), now: Instant) -> &'a mut Supply {
        let times = times as f32;
        let full = || Supply { bucket: Bucket::full(self.per_minute * times, now), times };
        let supply = supplies.entry(key).or_insert_with(full);
        supply.fill(self.per_minute, now);
        supply
    }

    /// Whether something is left for all of the keys. Nothing is counted.
    pub(crate) fn has_left(&self, mut keys: impl Iterator<Item = (K, u32)>, now: Instant) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        keys.all(|(key, _)| {
            let Some(supply) = state.0.get_mut(&key) else { return true };
            supply.fill(self.per_minute, now);
            supply.bucket.left >= 1.0
        })
    }

    /// Charges one to all of the keys, even if none is left: an overdrawn bucket must fill up first.
    pub(crate) fn charge(&self, keys: impl Iterator<Item = (K, u32)>, now: Instant) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (supplies, purge_at) = &mut *state;
        self.purge(supplies, purge_at, now);
        for (key, times) in keys {
            self.supply(supplies, (key, times), now).bucket.left -= 1.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_tally_counts_tickets_and_forgets_empty_keys() {
        let tally = Tally::new();
        let first = tally.admit(1, 2).unwrap();
        let second = tally.admit(1, 2).unwrap();
        assert!(tally.admit(1, 2).is_none());
        assert!(tally.admit(2, 2).is_some(), "others are not concerned");
        drop(first);
        assert!(tally.admit(1, 2).is_some());
        drop(second);
        assert_eq!(tally.keys(), 0);
    }

    #[test]
    fn a_bucket_gives_its_burst_and_then_its_rate() {
        let start = Instant::now();
        let mut bucket = Bucket::full(3.0, start);
        let mut taken = |at: u64| bucket.take(2.0, 3.0, start + Duration::from_millis(at));
        assert_eq!([taken(0), taken(0), taken(0), taken(0)], [true, true, true, false]);
        assert_eq!([taken(500), taken(500)], [true, false]);
        assert_eq!([taken(9000), taken(9000), taken(9000), taken(9000)], [true, true, true, false]);
    }

    #[test]
    fn a_network_is_counted_with_all_that_is_in_it() {
        let start = Instant::now();
        let rates = Rates::new(3);
        let allow = |key: u32| rates.allow_all([(key, 1), (1_000, 2)].into_iter(), 1, start);
        assert_eq!([1, 1, 1, 1].map(allow), [true, true, true, false], "its own supply is used up");
        assert_eq!([2, 2, 2, 2].map(allow), [true, true, true, false], "then that of the network");
        assert!(!allow(3), "others in it have nothing left");
        assert!(rates.allow(2_000, start), "elsewhere there is");
        let tally = Tally::new();
        let admit = |key: u32| tally.admit_all([(key, 1), (1_000, 2)].into_iter(), 1);
        let (first, second) = (admit(1).unwrap(), admit(2));
        assert!(second.is_some() && admit(3).is_none() && admit(1).is_none());
        drop((first, second));
        assert_eq!(tally.keys(), 0, "what was refused leaves nothing");
    }

    #[test]
    fn heavy_things_cost_more() {
        let (start, rates) = (Instant::now(), Rates::new(10));
        let allow = |cost| rates.allow_all(std::iter::once((1, 1)), cost, start);
        assert_eq!([7, 4, 3, 1].map(allow), [true, false, true, false]);
        assert!(Rates::new(3).allow_all(std::iter::once((1, 1)), 10, start), "never impossible");
    }

    #[test]
    fn what_is_charged_afterwards_is_paid_back_before_there_is_more() {
        let (start, rates) = (Instant::now(), Rates::new(2));
        let keys = || [(1, 1), (1_000, 4)].into_iter();
        let left = |seconds| rates.has_left(keys(), start + Duration::from_secs(seconds));
        assert!(left(0) && rates.state.lock().unwrap().0.is_empty(), "asking costs nothing");
        for _ in 0..5 {
            rates.charge(keys(), start);
        }
        assert!(!left(0) && !left(60) && !left(119), "five of two: three are overdrawn");
        assert!(left(121));
        assert!(rates.has_left([(1_000, 4)].into_iter(), start), "the network has more");
    }

    #[test]
    fn rates_are_kept_by_key_and_forgotten_when_they_do_not_matter() {
        let start = Instant::now();
        let rates = Rates::new(2);
        assert_eq!([0; 3].map(|_| rates.allow(7, start)), [true, true, false]);
        for key in 100..100 + 2 * REMEMBERED {
            assert!(rates.allow(key, start + Duration::from_secs(if key < 100 + REMEMBERED { 0 } else { 300 })));
        }
        assert!(rates.state.lock().unwrap().0.len() <= REMEMBERED + 1);
    }
}
