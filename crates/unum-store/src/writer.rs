//! The one thread that writes.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::Connection;

use crate::lock::FolderLock;
use crate::queue::{Done, Job, Queue};
use crate::store::Health;
use crate::{StoreError, sql};

/// How many jobs share a transaction at most, so that the first does not wait too long for the last.
const GROUP: usize = 512;
/// From how many jobs in a transaction on there is much to do, and how long more are then gathered for the next: what a
/// commit costs does not depend on how many share it.
const MANY: usize = 8;
const GATHERING: Duration = Duration::from_millis(5);
/// How often a failing database is tried again.
const PROBE: Duration = Duration::from_secs(1);

/// What the writer tells about itself.
#[derive(Default)]
pub(crate) struct Report {
    pub(crate) health: Mutex<Health>,
    pub(crate) commits: AtomicU64,
    pub(crate) jobs: AtomicU64,
    pub(crate) failures: AtomicU64,
    pub(crate) micros: AtomicU64,
}

impl Report {
    fn set(&self, health: Health) {
        *self.health.lock().unwrap_or_else(PoisonError::into_inner) = health;
    }

    fn is_failing(&self) -> bool {
        *self.health.lock().unwrap_or_else(PoisonError::into_inner) != Health::Ok
    }
}

/// Takes what waits, writes it in one transaction, tells everybody.
pub(crate) struct Writer {
    pub(crate) connection: Arc<Mutex<Connection>>,
    pub(crate) queue: Arc<Queue>,
    pub(crate) report: Arc<Report>,
    /// Given back when the writer has ended; `None` in memory.
    pub(crate) lock: Option<FolderLock>,
}

impl Writer {
    /// Writes until the queue is closed and empty.
    pub(crate) fn run(self) {
        loop {
            let patience = self.report.is_failing().then_some(PROBE);
            match self.queue.take(GROUP, patience) {
                None => break,
                Some(jobs) if jobs.is_empty() => self.probe(),
                Some(jobs) => {
                    let many = jobs.len() >= MANY;
                    self.commit(jobs);
                    if many {
                        std::thread::sleep(GATHERING);
                    }
                }
            }
        }
        self.tidy();
        drop(self.lock);
    }

    /// Writes jobs in one transaction. A job whose own fault it is fails alone; any other failure is everybody's.
    fn commit(&self, jobs: Vec<Job>) {
        let begun = Instant::now();
        let (works, dones): (Vec<_>, Vec<Done>) = jobs.into_iter().map(|job| (job.work, job.done)).unzip();
        let written: Result<Vec<_>, _> =
            self.transact(|connection| works.into_iter().map(|work| apart(connection, work)).collect());
        self.report.jobs.fetch_add(dones.len() as u64, Ordering::Relaxed);
        self.report.micros.fetch_add(micros(begun), Ordering::Relaxed);
        match written {
            Ok(results) => dones.into_iter().zip(results).for_each(|(done, result)| tell(done, result)),
            Err(error) => dones.into_iter().for_each(|done| tell(done, Err(error.clone()))),
        }
    }

    /// Tries whether writing works again.
    fn probe(&self) {
        if self.transact(sql::probe).is_ok() {
            // What follows only gives room back: if it fails, the next write will tell.
            let _ = self.transact(sql::unprobe);
        }
    }

    /// Does something in a transaction and notes whether the disk took it.
    fn transact<T>(&self, work: impl FnOnce(&Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let before = connection.total_changes();
        let written = transaction(&connection, work);
        match &written {
            Ok(_) if connection.total_changes() > before => {
                self.report.commits.fetch_add(1, Ordering::Relaxed);
                self.report.set(Health::Ok);
            }
            // Nothing was written, which says nothing about the disk.
            Ok(_) => {}
            Err(error) => {
                self.report.failures.fetch_add(1, Ordering::Relaxed);
                self.report.set(Health::Failing(error.to_string()));
            }
        }
        written
    }

    /// Leaves one file instead of three where that is possible.
    fn tidy(&self) {
        let connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        // The next start would do it: not worth a word.
        let _ = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", (), |_| Ok(()));
    }
}

/// All or nothing, on the disk when this returns.
fn transaction<T>(
    connection: &Connection,
    work: impl FnOnce(&Connection) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    connection.prepare_cached("BEGIN IMMEDIATE")?.execute(())?;
    let written = work(connection).and_then(|value| {
        connection.prepare_cached("COMMIT")?.execute(())?;
        Ok(value)
    });
    // SQLite ends some transactions by itself when they fail.
    if written.is_err() && !connection.is_autocommit() {
        connection.execute_batch("ROLLBACK")?;
    }
    written
}

/// Does a job among others. One that finds out that it does not fit before it has written anything fails alone; the
/// outer error is one that concerns all, for it takes the transaction with it.
fn apart(connection: &Connection, work: crate::queue::Work) -> Result<Result<u64, StoreError>, StoreError> {
    let before = connection.total_changes();
    match work(connection) {
        Err(error) if !error.is_own_fault() || connection.total_changes() != before => Err(error),
        result => Ok(result),
    }
}

/// Whoever is told may panic: the writer goes on for the others.
fn tell(done: Done, result: Result<u64, StoreError>) {
    let _ = catch_unwind(AssertUnwindSafe(|| done(result)));
}

fn micros(begun: Instant) -> u64 {
    u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX)
}
