//! The writer thread: group commit for all tables.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::Connection;

use crate::context::Context;
use crate::journal::Health;
use crate::lock::FolderLock;
use crate::queue::{Done, Job, Queue, Work};
use crate::{StoreError, sql};

/// How many jobs share a transaction at most, so that the first does not wait too long for the last.
const GROUP: usize = 2048;
/// From how many jobs in a transaction on more are gathered for the next, and for how long: what a commit costs hardly
/// depends on how many share it. Where hundreds do, they wait for the processor anyway.
const MANY: usize = 8;
const GATHERING: Duration = Duration::from_millis(5);
const HUNDREDS: usize = 100;
const LONG_GATHERING: Duration = Duration::from_millis(20);
/// How long readers are waited for to cut the log.
const BRIEFLY: Duration = Duration::from_millis(100);
/// How long nothing is written before superfluous entries are deleted.
const QUIET: Duration = Duration::from_secs(1);
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
    pub(crate) panics: AtomicU64,
}

impl Report {
    pub(crate) fn set(&self, health: Health) {
        *self.health.lock().unwrap_or_else(PoisonError::into_inner) = health;
    }

    pub(crate) fn is_failing(&self) -> bool {
        *self.health.lock().unwrap_or_else(PoisonError::into_inner) != Health::Ok
    }
}

/// Takes what waits, writes it in one transaction, tells everybody.
pub(crate) struct Writer {
    pub(crate) connection: Arc<Mutex<Connection>>,
    pub(crate) queue: Arc<Queue>,
    pub(crate) report: Arc<Report>,
    pub(crate) context: Arc<Context>,
    /// Given back when the writer has ended; `None` in memory.
    pub(crate) _lock: Option<FolderLock>,
    /// The write-ahead log, and how long it may get; `None` in memory.
    pub(crate) log: Option<(PathBuf, u64)>,
}

impl Writer {
    /// Writes until the queue is closed and empty. Should that ever panic, those who wait are told, nothing more is taken,
    /// and the report says so.
    pub(crate) fn work(writer: &Writer) {
        if catch_unwind(AssertUnwindSafe(|| writer.run())).is_err() {
            writer.report.set(Health::Failing("the writer has failed: restart the server".to_owned()));
            writer.queue.close();
            // Whoever waits for one of these hears that nobody will answer.
            drop(writer.queue.take(usize::MAX, None));
        }
    }

    fn run(&self) {
        loop {
            let (failing, untidy) = (self.report.is_failing(), self.context.has_faded());
            let patience = if failing { Some(PROBE) } else { untidy.then_some(QUIET) };
            match self.queue.take(GROUP, patience) {
                None => break,
                Some(jobs) if jobs.is_empty() && failing => self.probe(),
                Some(jobs) if jobs.is_empty() => self.sweep(),
                Some(jobs) => {
                    let count = jobs.len();
                    self.commit(jobs);
                    if self.context.has_faded_much() {
                        self.sweep();
                    }
                    self.cut_log();
                    std::thread::sleep(gathering(count));
                }
            }
        }
        self.sweep();
        self.tidy();
    }

    /// Writes jobs in one transaction. A job whose own fault it is fails alone; any other failure is everybody's.
    fn commit(&self, jobs: Vec<Job>) {
        let begun = Instant::now();
        let (works, dones): (Vec<_>, Vec<Done>) = jobs.into_iter().map(|job| (job.work, job.done)).unzip();
        let written: Result<Vec<_>, _> =
            self.transact(|connection| works.into_iter().map(|work| self.apart(connection, work)).collect());
        self.report.jobs.fetch_add(dones.len() as u64, Ordering::Relaxed);
        self.report.micros.fetch_add(micros(begun), Ordering::Relaxed);
        match written {
            Ok(results) => dones.into_iter().zip(results).for_each(|(done, result)| tell(done, result)),
            Err(error) => dones.into_iter().for_each(|done| tell(done, Err(error.clone()))),
        }
    }

    /// Deletes entries that snapshots have made superfluous. If that fails, the next start does it.
    fn sweep(&self) {
        let faded = self.context.take_faded();
        if !faded.is_empty() {
            let _ = self.transact(|connection| sql::sweep(connection, &faded));
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

    /// Begins the write-ahead log from the front when it has got long: those who read all the time keep SQLite from
    /// doing so by itself. Readers are waited for only briefly; it is tried again after the next commit.
    fn cut_log(&self) {
        let Some((path, most)) = &self.log else { return };
        if std::fs::metadata(path).is_ok_and(|log| log.len() > *most) {
            let connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
            // Whether it succeeds is seen by the length of the log.
            let _ = connection.busy_timeout(BRIEFLY);
            let _ = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", (), |_| Ok(()));
            let _ = connection.busy_timeout(crate::store::PATIENCE);
        }
    }

    /// Does a job among others. One that does not fit, or panics, before it has written anything fails alone; the outer
    /// error is one that concerns all, for it takes the transaction with it.
    fn apart(&self, connection: &Connection, work: Work) -> Result<Result<u64, StoreError>, StoreError> {
        let before = connection.total_changes();
        let done = catch_unwind(AssertUnwindSafe(|| work(connection))).unwrap_or_else(|_| {
            self.report.panics.fetch_add(1, Ordering::Relaxed);
            Err(StoreError::Panicked)
        });
        match done {
            Err(error) if !error.is_own_fault() || connection.total_changes() != before => Err(error),
            result => Ok(result),
        }
    }

    /// Leaves one file instead of three where that is possible.
    fn tidy(&self) {
        let connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        // The next start would do it: not worth a word.
        let _ = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", (), |_| Ok(()));
    }
}

/// How long to wait for company after a transaction that so many have shared.
fn gathering(jobs: usize) -> Duration {
    match jobs {
        ..MANY => Duration::ZERO,
        MANY..HUNDREDS => GATHERING,
        _ => LONG_GATHERING,
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

/// Whoever is told may panic: the writer goes on for the others.
pub(crate) fn tell(done: Done, result: Result<u64, StoreError>) {
    let _ = catch_unwind(AssertUnwindSafe(|| done(result)));
}

fn micros(begun: Instant) -> u64 {
    u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX)
}
