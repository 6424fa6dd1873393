//! The writer thread: group commit for all tables.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rusqlite::Connection;

use crate::context::Context;
use crate::journal::{Figures, Health};
use crate::lock::FolderLock;
use crate::queue::{Done, Job, Queue, Work};
use crate::{StoreError, sql};

/// The most jobs in a transaction, so that the first does not wait too long for the last.
const GROUP: usize = 2048;
/// After a transaction with this many jobs, the writer gathers more for a while before the next: a commit costs about
/// the same however many share it. Where hundreds share one, they wait for the processor anyway.
const MANY: usize = 8;
const GATHERING: Duration = Duration::from_millis(5);
const HUNDREDS: usize = 100;
const LONG_GATHERING: Duration = Duration::from_millis(20);
/// How long to wait for readers before truncating the log.
const BRIEFLY: Duration = Duration::from_millis(100);
/// How long to leave a log alone that a reader kept from being truncated: every attempt makes all writes wait.
const AGAIN: Duration = Duration::from_secs(2);
/// Superfluous entries are deleted after this long without a write.
const QUIET: Duration = Duration::from_secs(1);
/// How often a failing database is retried.
const PROBE: Duration = Duration::from_secs(1);

/// What the writer reports about itself.
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

    pub(crate) fn health(&self) -> Health {
        self.health.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn is_failing(&self) -> bool {
        self.health() != Health::Ok
    }

    /// The figures, with how many changes wait.
    pub(crate) fn figures(&self, waiting: u64) -> Figures {
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        Figures {
            commits: read(&self.commits),
            failures: read(&self.failures),
            jobs: read(&self.jobs),
            micros: read(&self.micros),
            waiting,
            panics: read(&self.panics),
        }
    }
}

/// Waits for the end of a writer's thread, once.
pub(crate) fn join(thread: &Mutex<Option<JoinHandle<()>>>) {
    let thread = thread.lock().unwrap_or_else(PoisonError::into_inner).take();
    // A callback may drop the last handle on the writer's own thread, which must not join itself.
    if let Some(thread) = thread.filter(|thread| thread.thread().id() != std::thread::current().id()) {
        // If the writer panicked, its report says so.
        let _ = thread.join();
    }
}

/// Takes what waits, writes it in one transaction, and reports to everybody.
pub(crate) struct Writer {
    pub(crate) connection: Arc<Mutex<Connection>>,
    pub(crate) queue: Arc<Queue>,
    pub(crate) report: Arc<Report>,
    pub(crate) context: Arc<Context>,
    /// Released when the writer ends; `None` in memory.
    pub(crate) _lock: Option<FolderLock>,
    /// The write-ahead log; `None` in memory.
    pub(crate) log: Option<Log>,
}

/// The write-ahead log, which is truncated when it is long.
pub(crate) struct Log {
    path: PathBuf,
    most: u64,
    /// When truncating it failed.
    failed: Cell<Option<Instant>>,
}

impl Log {
    pub(crate) fn new(path: PathBuf, most: u64) -> Log {
        Log { path, most, failed: Cell::default() }
    }

    fn is_long(&self) -> bool {
        std::fs::metadata(&self.path).is_ok_and(|log| log.len() > self.most)
    }

    /// Whether to truncate it. While another program reads for minutes, not every commit waits for it.
    fn is_due(&self) -> bool {
        self.failed.get().is_none_or(|failed| failed.elapsed() >= AGAIN) && self.is_long()
    }
}

impl Writer {
    /// Writes until the queue is closed and empty. If that ever panics, waiting callers are told, the queue is closed,
    /// and the report says so.
    pub(crate) fn work(writer: &Writer) {
        if catch_unwind(AssertUnwindSafe(|| writer.run())).is_err() {
            writer.report.set(Health::Failing("the writer has failed: restart the server".to_owned()));
            writer.queue.close();
            // Dropping these jobs tells their callers that no answer will come.
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

    /// Writes jobs in one transaction. A job that fails by its own fault fails alone; any other failure fails them all.
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

    /// Deletes entries that snapshots have made superfluous. After a failure it is tried again; what a crash leaves behind
    /// is deleted at the next start.
    fn sweep(&self) {
        let faded = self.context.take_faded();
        if !faded.is_empty() && self.transact(|connection| sql::sweep(connection, &faded)).is_err() {
            faded.into_iter().for_each(|entries| self.context.fade(entries));
        }
    }

    /// Checks whether writing works again.
    fn probe(&self) {
        if self.transact(sql::probe).is_ok() {
            // This only frees space. If it fails, the next write will notice.
            let _ = self.transact(sql::unprobe);
        }
    }

    /// Runs work in a transaction and notes whether the disk took it.
    fn transact<T>(&self, work: impl FnOnce(&Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let before = connection.total_changes();
        let written = transaction(&connection, work);
        match &written {
            Ok(_) if connection.total_changes() > before => {
                self.report.commits.fetch_add(1, Ordering::Relaxed);
                self.report.set(Health::Ok);
            }
            // Nothing was written, so this says nothing about the disk.
            Ok(_) => {}
            Err(error) => {
                self.report.failures.fetch_add(1, Ordering::Relaxed);
                self.report.set(Health::Failing(error.to_string()));
            }
        }
        written
    }

    /// Truncates the write-ahead log when it is long: constant readers keep SQLite from doing so by itself. It waits
    /// for readers only briefly, and tries again later.
    fn cut_log(&self) {
        if let Some(log) = self.log.as_ref().filter(|log| log.is_due()) {
            let connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
            let _ = connection.busy_timeout(BRIEFLY);
            let _ = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", (), |_| Ok(()));
            let _ = connection.busy_timeout(crate::store::PATIENCE);
            log.failed.set(log.is_long().then(Instant::now));
        }
    }

    /// Runs one job among others. A job that does not fit, or panics, fails alone if it has not written anything yet.
    /// The outer error fails the whole transaction.
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

    /// Leaves one file instead of three where possible.
    fn tidy(&self) {
        let connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        // A failure does not matter: the next start would do it.
        let _ = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", (), |_| Ok(()));
    }
}

/// How long to gather jobs after a transaction that this many jobs shared.
fn gathering(jobs: usize) -> Duration {
    match jobs {
        ..MANY => Duration::ZERO,
        MANY..HUNDREDS => GATHERING,
        _ => LONG_GATHERING,
    }
}

/// Runs work atomically; it is on the disk when this returns.
fn transaction<T>(
    connection: &Connection,
    work: impl FnOnce(&Connection) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    connection.prepare_cached("BEGIN IMMEDIATE")?.execute(())?;
    let written = work(connection).and_then(|value| {
        connection.prepare_cached("COMMIT")?.execute(())?;
        Ok(value)
    });
    // SQLite rolls back some failed transactions by itself.
    if written.is_err() && !connection.is_autocommit() {
        connection.execute_batch("ROLLBACK")?;
    }
    written
}

/// A caller that is told may panic: the writer goes on for the others.
pub(crate) fn tell(done: Done, result: Result<u64, StoreError>) {
    let _ = catch_unwind(AssertUnwindSafe(|| done(result)));
}

fn micros(begun: Instant) -> u64 {
    u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX)
}
