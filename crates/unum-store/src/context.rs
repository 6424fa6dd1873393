//! What every statement needs: the limits, the date, and the list of entries to delete.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::Doubt;
use crate::lease::Membership;

/// The limits of a store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// How many bytes a table may take; `None` for any number.
    pub table_bytes: Option<u64>,
    /// How many bytes the tables of one guest may take. The finished games from these tables may take as many again:
    /// the oldest make room for new ones.
    pub guest_bytes: Option<u64>,
    /// How many bytes the database may take; `None` to be bounded by the disk alone.
    pub most_bytes: Option<u64>,
    /// Keeps entries behind snapshots, so that tests can look at whole journals.
    pub keep_journals: bool,
    /// The name of the SQLite VFS, for tests that bring their own; `None` for the default.
    pub vfs: Option<String>,
    /// How this node takes part in a cluster.
    pub membership: Membership,
}

/// How far the clock may be ahead of the latest stored date.
const LEAP: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// How far the clock may be set while the store is open. A clock that was set further is not trusted for [`CALM`].
const STEADY: Duration = Duration::from_secs(60 * 60);
const CALM: Duration = Duration::from_secs(5 * 60 * 60);

/// The clock at a moment, and when it last jumped.
#[derive(Clone, Copy, Debug)]
struct Watched {
    clock: u64,
    at: Instant,
    jumped: Option<Instant>,
}

/// Entries of a table that a snapshot has made superfluous: a chain from `tail` back to the first. They are scattered
/// among the entries of all other tables, so they are deleted many at a time, in disk order: a thousand touch as many
/// pages as sixty.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Faded {
    pub(crate) table: i64,
    pub(crate) tail: i64,
    /// An upper bound on their bytes.
    pub(crate) bytes: u64,
}

/// When superfluous entries take this many bytes, they are deleted even if other work waits.
const MUCH: u64 = 4 << 20;

/// The limits, the date, and the entries that can be deleted.
#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) options: Options,
    faded: Mutex<Vec<Faded>>,
    /// The latest date in the database when it was opened.
    latest: u64,
    opened: Instant,
    watched: Mutex<Watched>,
    /// For tests: the error of the clock, in milliseconds.
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

    /// Notes entries to delete when there is time, or when there are many.
    pub(crate) fn fade(&self, entries: Faded) {
        self.lock_faded().push(entries);
    }

    /// Whether there are entries to delete.
    pub(crate) fn has_faded(&self) -> bool {
        !self.lock_faded().is_empty()
    }

    /// Whether there are too many to wait for a quiet moment.
    pub(crate) fn has_faded_much(&self) -> bool {
        self.lock_faded().iter().map(|entries| entries.bytes).sum::<u64>() >= MUCH
    }

    /// Takes the list of entries to delete.
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

    /// The date for what is stored now. It is never before anything stored earlier, so a clock that went back makes
    /// nothing look old.
    pub(crate) fn now(&self) -> u64 {
        self.clock().max(self.latest)
    }

    /// Why the clock cannot be trusted, if so: then nothing is deleted by age.
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

    /// Whether the system clock and the monotonic clock have recently drifted apart, as they do when somebody sets the
    /// clock or the machine sleeps.
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

    /// For tests: a clock that was wrong from the beginning, by `skew` milliseconds.
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
