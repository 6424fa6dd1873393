//! The handle to a store.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, TryLockError, mpsc};
use std::thread::JoinHandle;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use crate::lock::FolderLock;
use crate::queue::{Done, Job, Queue, Work};
use crate::writer::{Report, Writer};
use crate::{
    Batch, DATABASE, Forgotten, GuestRow, NewGuest, RecordHead, RecordRow, Retention, StoreError, StoredTable,
    TableRow, schema, sql,
};

type Result<T> = std::result::Result<T, StoreError>;

/// How long to wait for another program that holds the database.
const PATIENCE: Duration = Duration::from_secs(5);
/// How many may read at the same time.
const READERS: usize = 4;
/// The largest database that is looked through as a whole when it is opened.
const CHECKED_AT_START: u64 = 256 << 20;

/// Whether the last write succeeded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Health {
    /// It did, or there was none yet.
    #[default]
    Ok,
    /// It did not, and this sentence says why. It is tried again every second, whether anybody writes or not.
    Failing(String),
}

/// What the writer has done since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Transactions that the disk has.
    pub commits: u64,
    /// Transactions that failed.
    pub failures: u64,
    /// Batches and other changes that were asked for.
    pub jobs: u64,
    /// How long writing took, in microseconds.
    pub micros: u64,
    /// How many changes wait.
    pub waiting: u64,
}

/// A store. Clones are handles to the same one, for use in any thread; when the last is dropped it is closed.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

struct Inner {
    queue: Arc<Queue>,
    report: Arc<Report>,
    readers: Vec<Arc<Mutex<Connection>>>,
    next: AtomicUsize,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Store {
    /// Opens the store in a folder, which is made if there is none: takes the folder's lock, looks whether the database
    /// is whole, brings it up to date and starts the writer.
    ///
    /// # Errors
    /// When another server uses the folder, when it cannot be written, when the database is damaged or newer.
    pub fn open(folder: &Path) -> Result<Store> {
        let lock = FolderLock::take(folder)?;
        let path = folder.join(DATABASE);
        let connection = Connection::open(&path).map_err(|error| StoreError::Folder {
            folder: folder.to_owned(),
            detail: format!("{DATABASE}: {error}"),
        })?;
        prepare(&connection)?;
        check(&connection, &path)?;
        schema::migrate(&connection, schema::STEPS)?;
        let readers = (0..READERS).map(|_| reader(&path)).collect::<Result<_>>()?;
        Store::start(Arc::new(Mutex::new(connection)), readers, Some(lock))
    }

    /// A store that is forgotten when it is closed.
    ///
    /// # Errors
    /// When there is no memory or no thread for it.
    pub fn in_memory() -> Result<Store> {
        let connection = Connection::open_in_memory()?;
        connection.pragma_update(None, "foreign_keys", true)?;
        schema::migrate(&connection, schema::STEPS)?;
        let connection = Arc::new(Mutex::new(connection));
        Store::start(connection.clone(), vec![connection], None)
    }

    fn start(
        connection: Arc<Mutex<Connection>>,
        readers: Vec<Arc<Mutex<Connection>>>,
        lock: Option<FolderLock>,
    ) -> Result<Store> {
        let (queue, report) = (Arc::new(Queue::default()), Arc::new(Report::default()));
        let writer = Writer { connection, queue: queue.clone(), report: report.clone(), lock };
        let thread = std::thread::Builder::new()
            .name("unum-store".to_owned())
            .spawn(move || writer.run())
            .map_err(|error| StoreError::Io(error.to_string()))?;
        let thread = Mutex::new(Some(thread));
        Ok(Store { inner: Arc::new(Inner { queue, report, readers, next: AtomicUsize::new(0), thread }) })
    }

    /// Adds to a table's journal. Returns at once: `done` is called by the writer's thread when the disk has all of the
    /// batch, or with the reason why nothing of it was written. It should be quick, for everybody waits for it.
    ///
    /// When too much waits already, `done` is called right here with [`StoreError::Busy`]: memory does not grow
    /// without end while a disk is slow.
    ///
    /// Batches are written in the order of the calls. Those of one table need not wait for each other's `done`: if the
    /// first fails, so do the others, because they do not fit.
    pub fn append(&self, batch: Batch, done: impl FnOnce(Result<()>) + Send + 'static) {
        let weight = batch.weight();
        let work = Box::new(move |connection: &Connection| sql::append(connection, &batch).map(|()| 0));
        self.submit(work, Box::new(|result| done(result.map(drop))), weight);
    }

    /// [`Store::append`], waited for.
    ///
    /// # Errors
    /// When nothing was written.
    pub fn append_now(&self, batch: Batch) -> Result<()> {
        let weight = batch.weight();
        self.write(weight, move |connection| sql::append(connection, &batch).map(|()| 0)).map(drop)
    }

    /// The last snapshot of a table and all entries after it; `None` if there is no such table.
    ///
    /// # Errors
    /// When it cannot be read, or when entries are missing.
    pub fn load(&self, table: &str) -> Result<Option<StoredTable>> {
        self.read(|connection| sql::load(connection, table))
    }

    /// All entries of a table that are kept, with their numbers; none if there is no such table.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn journal(&self, table: &str) -> Result<Vec<(u64, Vec<u8>)>> {
        self.read(|connection| sql::journal(connection, table))
    }

    /// A table, without what happened at it.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn table(&self, code: &str) -> Result<Option<TableRow>> {
        self.read(|connection| sql::table(connection, code))
    }

    /// The tables that are not closed, oldest first.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn open_tables(&self) -> Result<Vec<TableRow>> {
        self.read(sql::open_tables)
    }

    /// The tables that are listed, newest first, not more than so many.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn listed_tables(&self, most: u32) -> Result<Vec<TableRow>> {
        self.read(|connection| sql::listed_tables(connection, most))
    }

    /// The tables that are not closed at which a guest is, the last touched first.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn tables_of(&self, guest: u64) -> Result<Vec<TableRow>> {
        self.read(|connection| sql::tables_of(connection, guest))
    }

    /// Deletes the entries of a table before a number, and says how many. Entries that the table needs to be loaded,
    /// those after its last snapshot, stay in any case.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn prune(&self, table: &str, before: u64) -> Result<u64> {
        let table = table.to_owned();
        self.write(table.len(), move |connection| sql::prune(connection, &table, before))
    }

    /// Adds a guest and tells the number they got.
    ///
    /// # Errors
    /// When it cannot be written; [`StoreError::Rejected`] if somebody has that token.
    pub fn add_guest(&self, guest: NewGuest) -> Result<u64> {
        self.write(guest.name.len() + guest.look.len(), move |connection| sql::add_guest(connection, &guest))
    }

    /// A guest by number.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn guest(&self, id: u64) -> Result<Option<GuestRow>> {
        self.read(|connection| sql::guest(connection, id))
    }

    /// A guest by the hash of their token.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn guest_by_token(&self, hash: &[u8; 32]) -> Result<Option<GuestRow>> {
        self.read(|connection| sql::guest_by_token(connection, hash))
    }

    /// Gives a guest another name, another look, or both, and tells whether there is such a guest.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn change_guest(&self, id: u64, name: Option<String>, look: Option<String>) -> Result<bool> {
        let weight = name.as_ref().map_or(0, String::len) + look.as_ref().map_or(0, String::len);
        let change = move |connection: &_| sql::change_guest(connection, id, name.as_deref(), look.as_deref());
        self.write(weight, change).map(|count| count == 1)
    }

    /// Notes that a guest was here now, and tells whether there is such a guest.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn see_guest(&self, id: u64) -> Result<bool> {
        self.write(0, move |connection| sql::see_guest(connection, id)).map(|count| count == 1)
    }

    /// Deletes a guest, and tells whether there was one. Games they played stay, but are not listed as theirs.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn remove_guest(&self, id: u64) -> Result<bool> {
        self.write(0, move |connection| sql::remove_guest(connection, id)).map(|count| count == 1)
    }

    /// Keeps a finished game, and tells whether it is new: the same id again changes nothing, so that storing can be
    /// repeated when it is not known whether it succeeded.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn put_record(&self, record: RecordRow) -> Result<bool> {
        let weight = record.body.len() + record.summary.len();
        self.write(weight, move |connection| sql::put_record(connection, &record)).map(|count| count == 1)
    }

    /// A finished game.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn record(&self, id: &str) -> Result<Option<RecordRow>> {
        self.read(|connection| sql::record(connection, id))
    }

    /// The finished games of a guest, newest first, not more than so many.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn records_of(&self, guest: u64, most: u32) -> Result<Vec<RecordHead>> {
        self.read(|connection| sql::records_of(connection, guest, most))
    }

    /// Deletes what nobody has touched for long, tables with all that belongs to them, and says how much it was.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn forget(&self, retention: Retention) -> Result<Forgotten> {
        let (tell, told) = mpsc::channel();
        self.write(0, move |connection| {
            let forgotten = sql::forget(connection, &retention)?;
            // Nobody waits any more if this fails.
            let _ = tell.send(forgotten);
            Ok(0)
        })?;
        told.recv().map_err(|_| StoreError::Closed)
    }

    /// Lets the database grow to so many bytes and no further: then writes fail with [`StoreError::Full`]. It never
    /// gets smaller than it is.
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

    /// Whether the last write succeeded. After a failure it is found out within about a second when writing works again.
    pub fn health(&self) -> Health {
        self.inner.report.health.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What the writer has done so far.
    pub fn figures(&self) -> Figures {
        let report = &self.inner.report;
        Figures {
            commits: report.commits.load(Ordering::Relaxed),
            failures: report.failures.load(Ordering::Relaxed),
            jobs: report.jobs.load(Ordering::Relaxed),
            micros: report.micros.load(Ordering::Relaxed),
            waiting: self.inner.queue.len() as u64,
        }
    }

    /// Writes what waits, then stops and gives the folder back. Other handles get [`StoreError::Closed`] when they
    /// write from now on.
    pub fn close(self) {
        self.inner.close();
    }

    /// Lets the writer do something and waits for it.
    fn write(&self, weight: usize, work: impl FnOnce(&Connection) -> Result<u64> + Send + 'static) -> Result<u64> {
        let (tell, told) = mpsc::channel();
        // Who waits here cannot be gone.
        let done = Box::new(move |result| drop(tell.send(result)));
        self.submit(Box::new(work), done, weight + 256);
        told.recv().unwrap_or(Err(StoreError::Closed))
    }

    fn submit(&self, work: Work, done: Done, weight: usize) {
        if let Err((job, error)) = self.inner.queue.push(Job { work, done, weight }) {
            (job.done)(Err(error));
        }
    }

    /// Reads in one transaction, so that everything read fits together.
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
        // Whoever is told by the writer may drop the last handle: the writer does not wait for itself.
        if let Some(thread) = thread.filter(|thread| thread.thread().id() != std::thread::current().id()) {
            // The writer does not panic; if it did, there is nothing to be done here.
            let _ = thread.join();
        }
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.close();
    }
}

/// Every commit is on the disk before it is told.
fn prepare(connection: &Connection) -> Result<()> {
    connection.busy_timeout(PATIENCE)?;
    connection.set_prepared_statement_cache_capacity(64);
    connection.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(()))?;
    connection.pragma_update(None, "synchronous", "full")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "wal_autocheckpoint", 4000)?;
    connection.pragma_update_and_check(None, "journal_size_limit", 64 << 20, |_| Ok(()))?;
    Ok(())
}

/// Looks whether the file is as long as it has to be and, unless it is large, whether all in it is in order.
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

fn reader(path: &Path) -> Result<Arc<Mutex<Connection>>> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(PATIENCE)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(Arc::new(Mutex::new(connection)))
}

#[cfg(test)]
mod tests;
