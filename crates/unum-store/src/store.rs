//! The handle of a store.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, TryLockError, mpsc};
use std::thread::JoinHandle;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use crate::context::Context;
use crate::lock::{self, FolderLock};
use crate::queue::{Done, Job, Queue, Work};
use crate::writer::{Report, Writer};
use crate::{
    Batch, DATABASE, Forgotten, GuestRow, NewGuest, Options, Piece, RecordFacts, RecordHead, RecordRow, Retention,
    StoreError, StoredTable, TableRow, Unrecorded, schema, sql,
};

type Result<T> = std::result::Result<T, StoreError>;

/// How long to wait for another program that locks the database.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);
/// The writer's page cache: enough for the ends of the journals and the rows of a thousand busy tables. With the
/// default of 2 MiB, pages that are still needed are evicted and read again and again.
const CACHE_KIB: i64 = 4 << 10;
/// How many connections for reading there are.
const READERS: usize = 4;
/// How long the write-ahead log may get before it is truncated, for which it has to wait for readers.
const LONG_LOG: u64 = 256 << 20;
/// How many free pages the database keeps when it shrinks.
const KEPT_PAGES: u64 = 1024;
/// The largest database that is checked completely when it is opened.
const CHECKED_AT_START: u64 = 256 << 20;

/// Whether the last write succeeded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Health {
    /// It did, or there has been none.
    #[default]
    Ok,
    /// It failed; this sentence says why. The writer retries every second, whether or not anybody writes.
    Failing(String),
}

/// What the writer has done since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Transactions that are on the disk.
    pub commits: u64,
    /// Transactions that failed.
    pub failures: u64,
    /// Batches and other changes that were requested.
    pub jobs: u64,
    /// Time spent writing, in microseconds.
    pub micros: u64,
    /// Changes that wait.
    pub waiting: u64,
    /// Changes that panicked. Each failed, and the writer went on.
    pub panics: u64,
}

/// A store. Clones are handles to the same store and can be used from any thread. It closes when the last one is
/// dropped.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

struct Inner {
    context: Arc<Context>,
    /// The folder; `None` in memory.
    folder: Option<PathBuf>,
    /// Files and folders that other users can access.
    exposed: Vec<PathBuf>,
    queue: Arc<Queue>,
    report: Arc<Report>,
    readers: Vec<Arc<Mutex<Connection>>>,
    next: AtomicUsize,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Store {
    /// Opens the store in a folder, which is created if it is missing. Takes the folder's lock, checks and migrates the
    /// database, and starts the writer.
    ///
    /// # Errors
    /// If another server uses the folder, if it cannot be written, or if the database is damaged or newer.
    pub fn open(folder: &Path) -> Result<Store> {
        Store::open_with(folder, Options::default())
    }

    /// The same with limits.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub fn open_with(folder: &Path, options: Options) -> Result<Store> {
        let lock = FolderLock::take(folder)?;
        let path = folder.join(DATABASE);
        let unusable = |detail: String| StoreError::Folder { folder: folder.to_owned(), detail };
        // SQLite gives its other files the same permissions.
        lock::private_file(&path).map_err(|error| unusable(format!("{DATABASE}: {error}")))?;
        let exposed = lock::open_to_others(&[folder, &path]);
        let crashed = std::fs::metadata(log(&path)).is_ok_and(|log| log.len() > 0);
        let connection = connect(&path, OpenFlags::default(), options.vfs.as_deref())
            .map_err(|error| unusable(format!("{DATABASE}: {error}")))?;
        prepare(&connection)?;
        check(&connection, &path)?;
        schema::migrate(&connection, schema::STEPS)?;
        if crashed && !options.keep_journals {
            // They do no harm, so a failure, as on a full disk, is not an error.
            let _ = sql::sweep_all(&connection);
        }
        let readers = (0..READERS).map(|_| reader(&path, options.vfs.as_deref())).collect::<Result<_>>()?;
        let context = Context::new(options, sql::latest(&connection)?);
        let place =
            Place { folder: Some(folder.to_owned()), exposed, lock: Some(lock), log: Some((log(&path), LONG_LOG)) };
        Store::start(Arc::new(Mutex::new(connection)), readers, context, place)
    }

    /// A store in memory, gone when it is closed.
    ///
    /// # Errors
    /// If there is no memory or no thread for it.
    pub fn in_memory() -> Result<Store> {
        Store::in_memory_with(Options::default())
    }

    /// The same with limits.
    ///
    /// # Errors
    /// As [`Store::in_memory`].
    pub fn in_memory_with(options: Options) -> Result<Store> {
        let connection = Connection::open_in_memory()?;
        connection.pragma_update(None, "foreign_keys", true)?;
        schema::migrate(&connection, schema::STEPS)?;
        let connection = Arc::new(Mutex::new(connection));
        Store::start(connection.clone(), vec![connection], Context::new(options, None), Place::default())
    }

    /// Starts the writer, and limits the size of the database if there is a limit.
    fn start(
        connection: Arc<Mutex<Connection>>,
        readers: Vec<Arc<Mutex<Connection>>>,
        context: Context,
        place: Place,
    ) -> Result<Store> {
        let (queue, report) = (Arc::new(Queue::default()), Arc::new(Report::default()));
        let Place { folder, exposed, lock, log } = place;
        let context = Arc::new(context);
        let (shared, told) = (queue.clone(), report.clone());
        let writer = Writer { connection, queue: shared, report: told, context: context.clone(), _lock: lock, log };
        let thread = std::thread::Builder::new()
            .name("unum-store".to_owned())
            .spawn(move || Writer::work(&writer))
            .map_err(|error| StoreError::Io(error.to_string()))?;
        let (thread, next) = (Mutex::new(Some(thread)), AtomicUsize::new(0));
        let most = context.options.most_bytes;
        let inner = Inner { context, folder, exposed, queue, report, readers, next, thread };
        let store = Store { inner: Arc::new(inner) };
        most.map_or(Ok(()), |most| store.limit_size(most))?;
        Ok(store)
    }

    /// The folder and the database, if users other than the owner can access them: they existed before, or were
    /// changed. They hold the cards of rounds in progress.
    pub fn exposed(&self) -> &[PathBuf] {
        &self.inner.exposed
    }

    /// How many bytes are free on the folder's disk; `None` if unknown.
    pub fn free_space(&self) -> Option<u64> {
        free_space(self.inner.folder.as_deref()?)
    }

    /// How many bytes the database may still grow by; `None` if only the disk bounds it. Deleted data counts as free,
    /// even if the file has not shrunk yet.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn room_left(&self) -> Result<Option<u64>> {
        let Some(most) = self.inner.context.options.most_bytes else { return Ok(None) };
        self.read(|connection| {
            let number = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, u64>(0));
            let used = number("page_count")?.saturating_sub(number("freelist_count")?) * number("page_size")?;
            Ok(Some(most.saturating_sub(used)))
        })
    }

    /// Adds to a table's journal, and returns at once. The writer's thread calls `done` when the disk has the whole
    /// batch, or with the reason why nothing of it was written. `done` should be quick, because everybody waits for it.
    ///
    /// If the queue is full, `done` is called right here with [`StoreError::Busy`], so a slow disk does not make memory
    /// grow without bound.
    ///
    /// Batches are written in the order of the calls. A table need not wait for `done` before its next batch: if the
    /// first fails, so do the others, because they no longer fit.
    pub fn append(&self, batch: Batch, done: impl FnOnce(Result<()>) + Send + 'static) {
        let weight = batch.weight();
        let context = Arc::clone(&self.inner.context);
        let work = Box::new(move |connection: &Connection| sql::append(connection, &batch, &context).map(|()| 0));
        self.submit(work, Box::new(|result| done(result.map(drop))), weight);
    }

    /// The last snapshot of a table and all entries after it; `None` if there is no such table. For large ones see
    /// [`Store::visit`].
    ///
    /// # Errors
    /// When it cannot be read, or when entries are missing.
    pub fn load(&self, table: &str) -> Result<Option<StoredTable>> {
        let (mut row, mut snapshot, mut entries) = (None, None, Vec::new());
        self.visit(table, &mut |piece| {
            match piece {
                Piece::Table(found) => row = Some(found.clone()),
                Piece::Snapshot(seq, body) => snapshot = Some((seq, body.to_vec())),
                Piece::Entry(seq, body) => entries.push((seq, body.to_vec())),
            }
            true
        })?;
        Ok(row.map(|row| StoredTable { row, snapshot, entries }))
    }

    /// Shows a table, its last snapshot and all entries after it, one by one, while `show` returns `true`. Only one of
    /// them is in memory at a time. Returns whether there is such a table.
    ///
    /// # Errors
    /// When it cannot be read, or when entries are missing.
    pub fn visit(&self, table: &str, show: &mut dyn FnMut(Piece<'_>) -> bool) -> Result<bool> {
        self.read(|connection| sql::visit(connection, table, show))
    }

    /// The id of the table with that code on its invitation. The id is the table's first code.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn invited(&self, code: &str) -> Result<Option<String>> {
        self.read(|connection| sql::invited(connection, code))
    }

    /// All entries that the database still has of a table, with their numbers; none if there is no such table.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn journal(&self, table: &str) -> Result<Vec<(u64, Vec<u8>)>> {
        self.read(|connection| sql::journal(connection, table))
    }

    /// The open tables, oldest first.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn open_tables(&self) -> Result<Vec<TableRow>> {
        self.read(sql::open_tables)
    }

    /// The public tables, newest first, up to `most`.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn listed_tables(&self, most: u32) -> Result<Vec<TableRow>> {
        self.read(|connection| sql::listed_tables(connection, most))
    }

    /// The open tables of a guest, latest use first, up to a thousand.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn tables_of(&self, guest: u64) -> Result<Vec<TableRow>> {
        self.read(|connection| sql::tables_of(connection, guest))
    }

    /// How many bytes the tables take that a guest has opened. An open table counts for at least 512 KiB, which are
    /// reserved for its match.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn table_bytes(&self, owner: u64) -> Result<u64> {
        self.read(|connection| sql::table_bytes(connection, owner))
    }

    /// Tables whose chat has expired: nobody said anything for that long, though people may have played. Up to `most`,
    /// and none while the clock cannot be trusted.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn talkative(&self, age: Duration, most: u32) -> Result<Vec<String>> {
        let context = &self.inner.context;
        if context.doubt().is_some() {
            return Ok(Vec::new());
        }
        self.read(|connection| sql::talkative(connection, sql::before(context.now(), age), most))
    }

    /// Adds a guest and returns their number.
    ///
    /// # Errors
    /// When it cannot be written; [`StoreError::Rejected`] if somebody has that token.
    pub fn add_guest(&self, guest: NewGuest) -> Result<u64> {
        let now = self.inner.context.now();
        self.write(guest.name.len() + guest.look.len(), move |connection| sql::add_guest(connection, &guest, now))
    }

    /// A guest by the hash of their token.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn guest_by_token(&self, hash: &[u8; 32]) -> Result<Option<GuestRow>> {
        self.read(|connection| sql::guest_by_token(connection, hash))
    }

    /// Changes a guest's name, look, or both. Returns whether there is such a guest.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn change_guest(&self, id: u64, name: Option<String>, look: Option<String>) -> Result<bool> {
        let weight = name.as_ref().map_or(0, String::len) + look.as_ref().map_or(0, String::len);
        let change = move |connection: &_| sql::change_guest(connection, id, name.as_deref(), look.as_deref());
        self.write(weight, change).map(|count| count == 1)
    }

    /// A guest by number.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn guest(&self, id: u64) -> Result<Option<GuestRow>> {
        self.read(|connection| sql::guest(connection, id))
    }

    /// Replaces a guest's token, given the new one's hash. The old one is void. Returns whether there is such a guest.
    ///
    /// # Errors
    /// When it cannot be written; [`StoreError::Rejected`] if somebody has that token.
    pub fn change_token(&self, id: u64, hash: [u8; 32]) -> Result<bool> {
        self.write(32, move |connection| sql::change_token(connection, id, &hash)).map(|count| count == 1)
    }

    /// Notes that a guest was seen now. Returns whether there is such a guest.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn see_guest(&self, id: u64) -> Result<bool> {
        let now = self.inner.context.now();
        self.write(0, move |connection| sql::see_guest(connection, id, now)).map(|count| count == 1)
    }

    /// Deletes a guest, and returns whether there was one. Their games stay, but are no longer listed as theirs.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn remove_guest(&self, id: u64) -> Result<bool> {
        self.write(0, move |connection| sql::remove_guest(connection, id)).map(|count| count == 1)
    }

    /// Finished matches without a record, oldest first, up to `most`.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn unrecorded(&self, most: u32) -> Result<Vec<Unrecorded>> {
        self.read(|connection| sql::unrecorded(connection, most))
    }

    /// The parts of a match, in order; none once its record is made.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn parts(&self, table: &str, number: u32) -> Result<Vec<Vec<u8>>> {
        self.read(|connection| sql::parts(connection, table, number))
    }

    /// Marks a match that cannot be recorded. [`Store::unrecorded`] no longer lists it, but its parts stay.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn give_up_record(&self, table: &str, number: u32) -> Result<()> {
        let table = table.to_owned();
        self.write(0, move |connection| sql::give_up(connection, &table, number)).map(drop)
    }

    /// Stores a finished game in place of its parts, and returns whether it is new. It is idempotent: storing the same
    /// id again changes nothing. If the finished games of the table's owner exceed their quota, the oldest are deleted.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn put_record(&self, record: RecordRow) -> Result<bool> {
        let weight = record.body.len() + record.summary.len();
        let context = Arc::clone(&self.inner.context);
        self.write(weight, move |connection| sql::put_record(connection, &record, &context)).map(|count| count == 1)
    }

    /// A finished game.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn record(&self, id: &str) -> Result<Option<RecordRow>> {
        self.read(|connection| sql::record(connection, id))
    }

    /// Facts about a finished game, without its content.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn record_facts(&self, id: &str) -> Result<Option<RecordFacts>> {
        self.read(|connection| sql::record_facts(connection, id))
    }

    /// Bytes of a finished game from an offset on, and its whole length.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn record_part(&self, id: &str, from: u64, most: u64) -> Result<Option<(u64, Vec<u8>)>> {
        self.read(|connection| sql::record_part(connection, id, from, most))
    }

    /// A page of a guest's finished games, with the guest's seat in each.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn seats_of(&self, guest: u64, most: u32) -> Result<Vec<(String, Option<u8>)>> {
        self.read(|connection| sql::seats_of(connection, guest, most))
    }

    /// Removes a guest from a finished game, which gets this summary and body if they are given and is no longer one of
    /// the guest's games. Returns whether it was one.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn rewrite_record(&self, id: &str, guest: u64, new: Option<(String, Vec<u8>)>) -> Result<bool> {
        let (id, weight) = (id.to_owned(), new.as_ref().map_or(0, |(summary, body)| summary.len() + body.len()));
        let change = move |connection: &_| sql::rewrite_record(connection, &id, guest, new.as_ref());
        self.write(weight, change).map(|count| count == 1)
    }

    /// A guest's finished games, newest first, up to `most`.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn records_of(&self, guest: u64, most: u32) -> Result<Vec<RecordHead>> {
        self.read(|connection| sql::records_of(connection, guest, most))
    }

    /// Deletes data that has expired, tables with all that belongs to them, and returns how much. Tables that `in_use`
    /// names are skipped. It takes many small transactions, so that others can write in between. While the clock cannot
    /// be trusted, nothing is deleted: [`Forgotten::doubt`] says why.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn forget(&self, retention: Retention, in_use: impl Fn(&str) -> bool) -> Result<Forgotten> {
        let context = &self.inner.context;
        let mut forgotten = Forgotten { doubt: context.doubt(), ..Forgotten::default() };
        if forgotten.doubt.is_some() {
            return Ok(forgotten);
        }
        let before = |age: Duration| sql::before(context.now(), age);
        if let Some(age) = retention.tables {
            forgotten.tables = self.forget_tables(before(age), in_use)?;
        }
        if let Some(before) = retention.records.map(before) {
            forgotten.records = self.in_slices(move |connection| sql::delete_records(connection, before))?;
        }
        if let Some(before) = retention.guests.map(before) {
            forgotten.guests = self.in_slices(move |connection| sql::delete_guests(connection, before))?;
        }
        Ok(forgotten)
    }

    fn forget_tables(&self, before: u64, in_use: impl Fn(&str) -> bool) -> Result<u64> {
        let (mut after, mut deleted) = (0, 0);
        loop {
            let old = self.read(|connection| sql::old_tables(connection, before, after))?;
            let Some((last, _)) = old.last() else { return Ok(deleted) };
            after = *last;
            let unused: Vec<u64> = old.iter().filter(|(_, code)| !in_use(code)).map(|(table, _)| *table).collect();
            deleted += self.write(0, move |connection| sql::delete_tables(connection, &unused, before))?;
        }
    }

    /// Repeats a small deletion until nothing is left to delete.
    fn in_slices(&self, delete: impl Fn(&Connection) -> Result<u64> + Clone + Send + 'static) -> Result<u64> {
        let mut deleted = 0;
        loop {
            match self.write(0, delete.clone())? {
                0 => return Ok(deleted),
                some => deleted += some,
            }
        }
    }

    /// Returns free pages of the database to the disk, a few at a time, and says how many. Some are kept for new data.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn shrink(&self) -> Result<u64> {
        self.in_slices(|connection| sql::shrink(connection, KEPT_PAGES))
    }

    /// Limits the size of the database. Beyond it, writes fail with [`StoreError::Full`]. The limit never shrinks the
    /// database.
    ///
    /// # Errors
    /// When the store is closed.
    pub fn limit_size(&self, bytes: u64) -> Result<()> {
        self.write(0, move |connection| {
            let page: i64 = connection.pragma_query_value(None, "page_size", |row| row.get(0))?;
            let pages = i64::try_from(bytes).unwrap_or(i64::MAX) / page.max(1);
            connection.pragma_update_and_check(None, "max_page_count", pages.max(1), |_| Ok(()))?;
            Ok(0)
        })
        .map(drop)
    }

    /// Whether the last write succeeded. After a failure, recovery is noticed within about a second.
    pub fn health(&self) -> Health {
        self.inner.report.health.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What the writer has done so far.
    pub fn figures(&self) -> Figures {
        let report = &self.inner.report;
        Figures {
            panics: report.panics.load(Ordering::Relaxed),
            commits: report.commits.load(Ordering::Relaxed),
            failures: report.failures.load(Ordering::Relaxed),
            jobs: report.jobs.load(Ordering::Relaxed),
            micros: report.micros.load(Ordering::Relaxed),
            waiting: self.inner.queue.len() as u64,
        }
    }

    /// Writes what waits, then stops and releases the folder. From now on, writes through other handles get
    /// [`StoreError::Closed`].
    pub fn close(self) {
        self.inner.close();
    }

    /// Has the writer do something, and waits for it.
    fn write(&self, weight: usize, work: impl FnOnce(&Connection) -> Result<u64> + Send + 'static) -> Result<u64> {
        let (tell, told) = mpsc::channel();
        // The receiver is right here, so sending cannot fail.
        let done = Box::new(move |result| drop(tell.send(result)));
        self.submit(Box::new(work), done, weight + 256);
        told.recv().unwrap_or(Err(StoreError::Closed))
    }

    fn submit(&self, work: Work, done: Done, weight: usize) {
        if let Err((job, error)) = self.inner.queue.push(Job { work, done, weight }) {
            (job.done)(Err(error));
        }
    }

    /// Reads in one transaction, so that everything read is consistent.
    fn read<T>(&self, work: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        let readers = &self.inner.readers;
        let next = self.inner.next.fetch_add(1, Ordering::Relaxed);
        let free = (0..readers.len()).find_map(|offset| match readers[(next + offset) % readers.len()].try_lock() {
            Ok(guard) => Some(guard),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        });
        let connection =
            free.unwrap_or_else(|| readers[next % readers.len()].lock().unwrap_or_else(PoisonError::into_inner));
        let transaction = connection.unchecked_transaction()?;
        let value = work(&transaction)?;
        transaction.commit()?;
        Ok(value)
    }
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Store").field("health", &self.health()).finish_non_exhaustive()
    }
}

impl Inner {
    fn close(&self) {
        self.queue.close();
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        // A callback may drop the last handle on the writer's own thread, which must not join itself.
        if let Some(thread) = thread.filter(|thread| thread.thread().id() != std::thread::current().id()) {
            // If the writer panicked, its report says so.
            let _ = thread.join();
        }
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.close();
    }
}

/// Where a store lives.
#[derive(Default)]
struct Place {
    folder: Option<PathBuf>,
    exposed: Vec<PathBuf>,
    lock: Option<FolderLock>,
    log: Option<(PathBuf, u64)>,
}

/// The file of the write-ahead log.
fn log(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push("-wal");
    name.into()
}

#[cfg(unix)]
fn free_space(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

#[cfg(not(unix))]
fn free_space(_: &Path) -> Option<u64> {
    None
}

fn connect(path: &Path, flags: OpenFlags, vfs: Option<&str>) -> rusqlite::Result<Connection> {
    match vfs {
        None => Connection::open_with_flags(path, flags),
        Some(name) => Connection::open_with_flags_and_vfs(path, flags, name),
    }
}

/// Sets up the writer's connection: a commit is on the disk before it is confirmed.
fn prepare(connection: &Connection) -> Result<()> {
    connection.busy_timeout(PATIENCE)?;
    connection.set_prepared_statement_cache_capacity(64);
    enable_shrinking(connection)?;
    let mode: String = connection.pragma_update_and_check(None, "journal_mode", "wal", |row| row.get(0))?;
    if mode != "wal" {
        return Err(StoreError::Io(format!("the file system does not allow a write-ahead log, only {mode}")));
    }
    connection.pragma_update(None, "synchronous", "full")?;
    // Where a sync may stop at the disk's own cache (macOS), flush that as well; elsewhere this does nothing.
    connection.pragma_update(None, "fullfsync", true)?;
    connection.pragma_update(None, "checkpoint_fullfsync", true)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // Overwrite deleted data where that costs no extra page.
    connection.pragma_update_and_check(None, "secure_delete", "fast", |_| Ok(()))?;
    connection.pragma_update(None, "wal_autocheckpoint", 4000)?;
    connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
    connection.pragma_update_and_check(None, "journal_size_limit", 64 << 20, |_| Ok(()))?;
    Ok(())
}

/// Lets the file shrink. This has to be set before the first page is written; an older database is rewritten once,
/// which takes as much space again.
fn enable_shrinking(connection: &Connection) -> Result<()> {
    let number = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    if number("auto_vacuum")? == 2 {
        return Ok(());
    }
    connection.pragma_update(None, "auto_vacuum", "incremental")?;
    if number("page_count")? > 0 {
        connection.execute_batch("VACUUM")?;
    }
    Ok(())
}

/// Checks the length of the file and, unless it is large, its integrity.
fn check(connection: &Connection, path: &Path) -> Result<()> {
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", (), |_| Ok(()))?;
    let number = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let expected = (number("page_count")? * number("page_size")?).unsigned_abs();
    let found = std::fs::metadata(path).map_err(|error| StoreError::Io(error.to_string()))?.len();
    if found < expected {
        return Err(StoreError::Corrupt(format!("it has {found} bytes instead of {expected}")));
    }
    if found <= CHECKED_AT_START {
        let answer: String = connection.query_row("PRAGMA quick_check(1)", (), |row| row.get(0))?;
        if answer != "ok" {
            return Err(StoreError::Corrupt(answer));
        }
    }
    Ok(())
}

fn reader(path: &Path, vfs: Option<&str>) -> Result<Arc<Mutex<Connection>>> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = connect(path, flags, vfs)?;
    connection.busy_timeout(PATIENCE)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(Arc::new(Mutex::new(connection)))
}

#[cfg(test)]
mod power;
#[cfg(test)]
mod tests;
