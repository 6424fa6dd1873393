//! Counting: how many there are at once, and how fast they come, per address or guest.

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

    /// One more, unless there are as many already. It counts as long as the ticket is kept.
    pub(crate) fn admit(self: &Arc<Self>, key: K, most: usize) -> Option<Ticket<K>> {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(key).or_insert(0);
        if *count >= most {
            return None;
        }
        *count += 1;
        Some(Ticket { tally: Arc::clone(self), key })
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

/// How fast something comes, by key: so many a minute, all of them at once if they like.
#[derive(Debug)]
pub(crate) struct Rates<K: Eq + Hash + Copy> {
    per_minute: f32,
    state: Mutex<(HashMap<K, Bucket>, usize)>,
}

impl<K: Eq + Hash + Copy> Rates<K> {
    pub(crate) fn new(per_minute: u32) -> Rates<K> {
        Rates { per_minute: per_minute as f32, state: Mutex::new((HashMap::new(), REMEMBERED)) }
    }

    /// Whether one more is fine now; if so, it is counted.
    pub(crate) fn allow(&self, key: K, now: Instant) -> bool {
        let (rate, burst) = (self.per_minute / 60.0, self.per_minute);
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (buckets, purge_at) = &mut *state;
        if buckets.len() >= *purge_at {
            buckets.retain(|_, bucket| {
                bucket.fill(rate, burst, now);
                bucket.left < burst
            });
            *purge_at = (buckets.len() * 2).max(REMEMBERED);
        }
        buckets.entry(key).or_insert_with(|| Bucket::full(burst, now)).take(rate, burst, now)
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
