//! What every statement needs: the limits, and the date.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::Doubt;

/// What a store is to bear.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// How many bytes a table may take; `None` for any number.
    pub table_bytes: Option<u64>,
    /// How many bytes the tables of one guest may take, and how many the finished games of these: the oldest of those
    /// make room for new ones.
    pub guest_bytes: Option<u64>,
    /// How many bytes the database may take; `None` for as many as the disk has.
    pub most_bytes: Option<u64>,
    /// Keep entries behind snapshots, so that tests can look at whole journals.
    pub keep_journals: bool,
    /// The name of the file system that SQLite uses, for tests of it; `None` for the usual one.
    pub vfs: Option<String>,
}

/// How far ahead of all that is stored the clock may be.
const LEAP: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// By how much the clock may be set while the store is open, and for how long one that was set further is not believed.
const STEADY: Duration = Duration::from_secs(60 * 60);
const CALM: Duration = Duration::from_secs(5 * 60 * 60);

/// The clock at a moment, and when it was last found to have jumped.
#[derive(Clone, Copy, Debug)]
struct Watched {
    clock: u64,
    at: Instant,
    jumped: Option<Instant>,
}

/// Where the entries of a table begin that a snapshot has made superfluous, from the last back to the first. They lie
/// among those of all other tables: deleting a thousand in order writes as many pages as deleting sixty.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Faded {
    pub(crate) table: i64,
    pub(crate) tail: i64,
    /// How many bytes they take at most.
    pub(crate) bytes: u64,
}

/// From how many bytes on superfluous entries are deleted while others wait.
const MUCH: u64 = 4 << 20;

/// The limits and the date, and what can be deleted.
#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) options: Options,
    faded: Mutex<Vec<Faded>>,
    /// The latest date in the database when it was opened.
    latest: u64,
    opened: Instant,
    watched: Mutex<Watched>,
    /// For tests: how far the clock is off, in milliseconds.
    pub(crate) skew: AtomicI64,
}

impl Context {
    /// `latest` is the latest date in the database; `None` if there is none.
    pub(crate) fn new(options: Options, latest: Option<u64>) -> Context {
        let (skew, opened) = (AtomicI64::new(0), Instant::now());
        let watched = Mutex::new(Watched { clock: system_time(), at: opened, jumped: None });
        let faded = Mutex::default();
        Context { options, faded, latest: latest.unwrap_or_else(system_time), opened, watched, skew }
    }

    /// Notes entries that can be deleted when there is time, or when they have become many.
    pub(crate) fn fade(&self, entries: Faded) {
        self.lock_faded().push(entries);
    }

    /// Whether there are entries to be deleted.
    pub(crate) fn has_faded(&self) -> bool {
        !self.lock_faded().is_empty()
    }

    /// Whether they have become many.
    pub(crate) fn has_faded_much(&self) -> bool {
        self.lock_faded().iter().map(|entries| entries.bytes).sum::<u64>() >= MUCH
    }

    /// The entries to be deleted now.
    pub(crate) fn take_faded(&self) -> Vec<Faded> {
        std::mem::take(&mut self.lock_faded())
    }

    fn lock_faded(&self) -> MutexGuard<'_, Vec<Faded>> {
        self.faded.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the clock says, right or wrong.
    fn clock(&self) -> u64 {
        system_time().saturating_add_signed(self.skew.load(Ordering::Relaxed))
    }

    /// The date of what is stored now: never before anything that was stored earlier, so that a clock that went back
    /// makes nothing look old.
    pub(crate) fn now(&self) -> u64 {
        self.clock().max(self.latest)
    }

    /// Whether the clock cannot be believed, so that nothing is deleted by it.
    pub(crate) fn doubt(&self) -> Option<Doubt> {
        let clock = Duration::from_millis(self.clock());
        let latest = Duration::from_millis(self.latest);
        if clock < latest {
            return Some(Doubt::Behind);
        }
        if clock > latest + self.opened.elapsed() + LEAP {
            return Some(Doubt::Ahead);
        }
        self.has_jumped(Instant::now()).then_some(Doubt::Jumped)
    }

    /// Whether the clock and the time that passed have parted lately, as they do when somebody sets the clock or the
    /// machine sleeps.
    pub(crate) fn has_jumped(&self, now: Instant) -> bool {
        let mut watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
        let clock = Duration::from_millis(self.clock());
        let expected = Duration::from_millis(watched.clock) + now.saturating_duration_since(watched.at);
        if clock.abs_diff(expected) > STEADY {
            watched.jumped = Some(now);
        }
        (watched.clock, watched.at) = (self.clock(), now);
        watched.jumped.is_some_and(|jumped| now.saturating_duration_since(jumped) < CALM)
    }

    /// For tests: a clock that was off by so many milliseconds from the beginning.
    #[cfg(test)]
    pub(crate) fn begin_with(&self, skew: i64) {
        self.skew.store(skew, Ordering::Relaxed);
        self.watched.lock().unwrap_or_else(PoisonError::into_inner).clock = self.clock();
    }
}

/// Milliseconds since 1970.
fn system_time() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
