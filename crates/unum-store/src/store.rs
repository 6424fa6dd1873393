//! The journal on SQLite.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, TryLockError, mpsc};
use std::thread::JoinHandle;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use crate::backup::{self, BackupError, Progress, Rows, Step};
use crate::context::Context;
use crate::copy::{self, Cell, Section};
use crate::inspect::{Content, Inspect, Waiting, collected};
use crate::journal::{Figures, Health, Journal, in_slices};
use crate::lock::{self, FolderLock};
use crate::queue::{Done, Job, Queue, Work};
use crate::writer::{self, Log, Report, Writer};
use crate::{
    ActRow, Batch, BlockRow, Change, DATABASE, GuestRow, NewGuest, Options, Piece, RecordFacts, RecordHead, RecordRow,
    ReportRow, ReviewRow, SanctionRow, SeasonRow, StoreError, TableRow, Unrecorded, moderation, reviews, schema, sql,
};

type Result<T> = std::result::Result<T, StoreError>;

/// How long to wait for another program that locks the database.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);
/// How often one looks how much has been copied.
const GLIMPSE: Duration = Duration::from_millis(100);
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

/// A journal on SQLite: one file in a folder, or memory.
pub(crate) struct Sqlite {
    pub(crate) context: Arc<Context>,
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

impl Sqlite {
    /// Opens the database in a folder; see [`Store::open`](crate::Store::open).
    pub(crate) fn open(folder: &Path, options: Options) -> Result<Sqlite> {
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
        let place = Place {
            folder: Some(folder.to_owned()),
            exposed,
            lock: Some(lock),
            log: Some(Log::new(log(&path), LONG_LOG)),
        };
        Sqlite::start(Arc::new(Mutex::new(connection)), readers, context, place)
    }

    /// A journal that is forgotten when it is closed.
    pub(crate) fn in_memory(options: Options) -> Result<Sqlite> {
        let connection = Connection::open_in_memory()?;
        connection.pragma_update(None, "foreign_keys", true)?;
        schema::migrate(&connection, schema::STEPS)?;
        let connection = Arc::new(Mutex::new(connection));
        Sqlite::start(connection.clone(), vec![connection], Context::new(options, None), Place::default())
    }

    /// Starts the writer, and limits the size of the database if there is a limit.
    fn start(
        connection: Arc<Mutex<Connection>>,
        readers: Vec<Arc<Mutex<Connection>>>,
        context: Context,
        place: Place,
    ) -> Result<Sqlite> {
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
        let sqlite = Sqlite { context, folder, exposed, queue, report, readers, next, thread };
        most.map_or(Ok(()), |most| sqlite.limit_size(most))?;
        Ok(sqlite)
    }

    /// Has the writer do something, and waits for it.
    fn write(&self, weight: usize, work: impl FnOnce(&Connection) -> Result<u64> + Send + 'static) -> Result<u64> {
        let (tell, told) = mpsc::channel();
        // The receiver is right here, so sending cannot fail.
        let done = Box::new(move |result| drop(tell.send(result)));
        self.enqueue(Box::new(work), done, weight + 256);
        told.recv().unwrap_or(Err(StoreError::Closed))
    }

    fn enqueue(&self, work: Work, done: Done, weight: usize) {
        if let Err((job, error)) = self.queue.push(Job { work, done, weight }) {
            (job.done)(Err(error));
        }
    }

    /// Reads in one transaction, so that everything read is consistent.
    fn read<T>(&self, work: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        let readers = &self.readers;
        let next = self.next.fetch_add(1, Ordering::Relaxed);
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

impl Journal for Sqlite {
    fn submit(&self, batch: Batch, done: Done) {
        let weight = batch.weight();
        let context = Arc::clone(&self.context);
        let work = Box::new(move |connection: &Connection| sql::append(connection, &batch, &context).map(|()| 0));
        self.enqueue(work, done, weight);
    }

    fn talkative_before(&self, date: u64, most: u32) -> Result<Vec<String>> {
        self.read(|connection| sql::talkative(connection, date, most))
    }

    fn old_tables(&self, before: u64, after: u64) -> Result<Vec<(u64, String)>> {
        self.read(|connection| sql::old_tables(connection, before, after))
    }

    fn delete_tables(&self, tables: Vec<u64>, before: u64) -> Result<u64> {
        self.write(0, move |connection| sql::delete_tables(connection, &tables, before))
    }

    fn delete_records(&self, before: u64) -> Result<u64> {
        self.write(0, move |connection| sql::delete_records(connection, before))
    }

    fn delete_guests(&self, before: u64) -> Result<u64> {
        self.write(0, move |connection| sql::delete_guests(connection, before))
    }

    fn export_rows(&self, section: &'static Section, after: Vec<Cell>) -> Result<Vec<Vec<Cell>>> {
        self.read(|connection| copy::sqlite::export(connection, section, &after))
    }

    fn import_rows(&self, section: &'static Section, rows: Vec<Vec<Cell>>) -> Result<()> {
        self.write(0, move |connection| copy::sqlite::import(connection, section, rows)).map(drop)
    }

    fn import_journal(&self, table: i64, entries: Vec<(u64, Vec<u8>)>) -> Result<()> {
        self.write(0, move |connection| sql::import_journal(connection, table, &entries)).map(drop)
    }

    fn discard(&self, tables: Vec<i64>, records: Vec<i64>) -> Result<()> {
        self.write(0, move |connection| sql::discard(connection, &tables, &records)).map(drop)
    }

    #[cfg(test)]
    fn sqlite(&self) -> &Sqlite {
        self
    }

    fn exposed(&self) -> &[PathBuf] {
        &self.exposed
    }

    fn free_space(&self) -> Option<u64> {
        free_space(self.folder.as_deref()?)
    }

    fn room_left(&self) -> Result<Option<u64>> {
        let Some(most) = self.context.options.most_bytes else { return Ok(None) };
        self.read(|connection| {
            let number = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, u64>(0));
            let used = number("page_count")?.saturating_sub(number("freelist_count")?) * number("page_size")?;
            Ok(Some(most.saturating_sub(used)))
        })
    }

    fn visit(&self, table: &str, show: &mut dyn FnMut(Piece<'_>) -> bool) -> Result<bool> {
        self.read(|connection| sql::visit(connection, table, show))
    }

    fn invited(&self, code: &str) -> Result<Option<String>> {
        self.read(|connection| sql::invited(connection, code))
    }

    fn journal(&self, table: &str) -> Result<Vec<(u64, Vec<u8>)>> {
        self.read(|connection| sql::journal(connection, table))
    }

    fn open_tables(&self) -> Result<Vec<TableRow>> {
        self.read(sql::open_tables)
    }

    fn listed_tables(&self, most: u32) -> Result<Vec<TableRow>> {
        self.read(|connection| sql::listed_tables(connection, most))
    }

    fn tables_of(&self, guest: u64) -> Result<Vec<TableRow>> {
        self.read(|connection| sql::tables_of(connection, guest))
    }

    fn table_bytes(&self, owner: u64) -> Result<u64> {
        self.read(|connection| sql::table_bytes(connection, owner))
    }

    fn add_guest(&self, guest: NewGuest) -> Result<u64> {
        let now = self.context.now();
        self.write(guest.name.len() + guest.look.len(), move |connection| sql::add_guest(connection, &guest, now))
    }

    fn guest_by_token(&self, hash: &[u8; 32]) -> Result<Option<GuestRow>> {
        self.read(|connection| sql::guest_by_token(connection, hash))
    }

    fn change_guest(&self, id: u64, name: Option<String>, look: Option<String>) -> Result<bool> {
        let weight = name.as_ref().map_or(0, String::len) + look.as_ref().map_or(0, String::len);
        let change = move |connection: &_| sql::change_guest(connection, id, name.as_deref(), look.as_deref());
        self.write(weight, change).map(|count| count == 1)
    }

    fn guest(&self, id: u64) -> Result<Option<GuestRow>> {
        self.read(|connection| sql::guest(connection, id))
    }

    fn change_token(&self, id: u64, hash: [u8; 32]) -> Result<bool> {
        self.write(32, move |connection| sql::change_token(connection, id, &hash)).map(|count| count == 1)
    }

    fn see_guest(&self, id: u64) -> Result<bool> {
        let now = self.context.now();
        self.write(0, move |connection| sql::see_guest(connection, id, now)).map(|count| count == 1)
    }

    fn remove_guest(&self, id: u64) -> Result<bool> {
        self.write(0, move |connection| sql::remove_guest(connection, id)).map(|count| count == 1)
    }

    fn unrecorded(&self, most: u32) -> Result<Vec<Unrecorded>> {
        self.read(|connection| sql::unrecorded(connection, most))
    }

    fn parts(&self, table: &str, number: u32) -> Result<Vec<Vec<u8>>> {
        self.read(|connection| sql::parts(connection, table, number))
    }

    fn give_up_record(&self, table: &str, number: u32) -> Result<()> {
        let table = table.to_owned();
        self.write(0, move |connection| sql::give_up(connection, &table, number)).map(drop)
    }

    fn put_record(&self, record: RecordRow) -> Result<bool> {
        let weight = record.body.len() + record.summary.len();
        let context = Arc::clone(&self.context);
        self.write(weight, move |connection| sql::put_record(connection, &record, &context)).map(|count| count == 1)
    }

    fn record(&self, id: &str) -> Result<Option<RecordRow>> {
        self.read(|connection| sql::record(connection, id))
    }

    fn record_facts(&self, id: &str) -> Result<Option<RecordFacts>> {
        self.read(|connection| sql::record_facts(connection, id))
    }

    fn record_part(&self, id: &str, from: u64, most: u64) -> Result<Option<(u64, Vec<u8>)>> {
        self.read(|connection| sql::record_part(connection, id, from, most))
    }

    fn seats_of(&self, guest: u64, most: u32) -> Result<Vec<(String, Option<u8>)>> {
        self.read(|connection| sql::seats_of(connection, guest, most))
    }

    fn rewrite_record(&self, id: &str, guest: u64, new: Option<(String, Vec<u8>)>) -> Result<bool> {
        let (id, weight) = (id.to_owned(), new.as_ref().map_or(0, |(summary, body)| summary.len() + body.len()));
        let change = move |connection: &_| sql::rewrite_record(connection, &id, guest, new.as_ref());
        self.write(weight, change).map(|count| count == 1)
    }

    fn records_of(&self, guest: u64, most: u32) -> Result<Vec<RecordHead>> {
        self.read(|connection| sql::records_of(connection, guest, most))
    }

    fn review(&self, id: &str) -> Result<Option<Vec<u8>>> {
        self.read(|connection| reviews::review(connection, id))
    }

    fn put_review(&self, id: &str, review: ReviewRow) -> Result<bool> {
        let (id, weight) = (id.to_owned(), review.review.len() + review.figures.len());
        self.write(weight, move |connection| reviews::put_review(connection, &id, &review)).map(|count| count == 1)
    }

    fn seat_in(&self, id: &str, guest: u64) -> Result<Option<u8>> {
        self.read(|connection| reviews::seat_in(connection, id, guest))
    }

    fn season(&self, guest: u64, most: u32) -> Result<Vec<SeasonRow>> {
        self.read(|connection| reviews::season(connection, guest, most))
    }

    fn set_season(&self, guest: u64, on: bool) -> Result<bool> {
        self.write(0, move |connection| reviews::set_season(connection, guest, on)).map(|count| count == 1)
    }

    fn forget_season(&self, guest: u64) -> Result<u64> {
        self.write(0, move |connection| reviews::forget_season(connection, guest))
    }

    fn moderate(&self, change: Change) -> Result<u64> {
        let now = self.context.now();
        self.write(change.weight(), move |connection| moderation::change(connection, &change, now))
    }

    fn sanctions(&self) -> Result<Vec<SanctionRow>> {
        let now = self.context.now();
        self.read(|connection| moderation::sanctions(connection, now))
    }

    fn reports(&self, most: u32) -> Result<Vec<ReportRow>> {
        self.read(|connection| moderation::reports(connection, most))
    }

    fn report(&self, id: u64) -> Result<Option<ReportRow>> {
        self.read(|connection| moderation::report(connection, id))
    }

    fn acts(&self, most: u32) -> Result<Vec<ActRow>> {
        self.read(|connection| moderation::acts(connection, most))
    }

    fn blocks_of(&self, guest: u64) -> Result<Vec<BlockRow>> {
        self.read(|connection| moderation::blocks_of(connection, guest))
    }

    fn shrink(&self) -> Result<u64> {
        in_slices(|| self.write(0, |connection| sql::shrink(connection, KEPT_PAGES)))
    }

    fn limit_size(&self, bytes: u64) -> Result<()> {
        self.write(0, move |connection| {
            let page: i64 = connection.pragma_query_value(None, "page_size", |row| row.get(0))?;
            let pages = i64::try_from(bytes).unwrap_or(i64::MAX) / page.max(1);
            connection.pragma_update_and_check(None, "max_page_count", pages.max(1), |_| Ok(()))?;
            Ok(0)
        })
        .map(drop)
    }

    fn health(&self) -> Health {
        self.report.health()
    }

    fn figures(&self) -> Figures {
        self.report.figures(self.queue.len() as u64)
    }

    fn close(&self) {
        self.stop();
    }
}

impl Sqlite {
    fn stop(&self) {
        self.queue.close();
        writer::join(&self.thread);
    }
}

impl Drop for Sqlite {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A database that is only read, though a server may be writing to it: this never blocks the writer.
pub(crate) struct Glance {
    // Closed before its file is removed.
    connection: Connection,
    _copy: Option<Copy>,
}

/// A file that is removed in the end.
struct Copy(PathBuf);

impl Drop for Copy {
    fn drop(&mut self) {
        // The next copy replaces it.
        let _ = std::fs::remove_file(&self.0);
    }
}

impl Glance {
    /// The database as it is at every moment; each read is a transaction.
    pub(crate) fn at(folder: &Path) -> std::result::Result<Glance, BackupError> {
        let path = folder.join(DATABASE);
        let unreadable = |reason: &dyn std::fmt::Display| BackupError::Unreadable {
            folder: folder.to_owned(),
            reason: reason.to_string(),
        };
        // A mistyped folder is not created.
        if let Err(error) = std::fs::metadata(&path) {
            return Err(match error.kind() {
                ErrorKind::NotFound | ErrorKind::NotADirectory => BackupError::Nothing { folder: folder.to_owned() },
                _ => unreadable(&error),
            });
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = connect(&path, flags, None).map_err(|error| unreadable(&error))?;
        connection.busy_timeout(PATIENCE).map_err(StoreError::from)?;
        let found = schema::version(&connection).map_err(|error| match error {
            StoreError::Io(reason) => unreadable(&reason),
            error => error.into(),
        })?;
        let known = u32::try_from(schema::STEPS.len()).unwrap_or(u32::MAX);
        if found != known {
            return Err(BackupError::Layout { found, known });
        }
        Ok(Glance { connection, _copy: None })
    }

    /// The database as it is now: a copy, made in one read transaction.
    pub(crate) fn copied(
        folder: &Path,
        to: &Path,
        progress: &mut dyn FnMut(Progress),
    ) -> std::result::Result<Glance, BackupError> {
        let source = Glance::at(folder)?.connection;
        // It is made for its owner alone before there is anything in it.
        lock::private_file(to).and_then(|file| file.set_len(0)).map_err(|error| backup::file(to, &error))?;
        let copy = Copy(to.to_owned());
        let name = to.to_str().ok_or_else(|| BackupError::File {
            path: to.to_owned(),
            reason: "SQLite cannot use such a name: choose one in UTF-8".to_owned(),
        })?;
        let total = std::fs::metadata(folder.join(DATABASE)).map(|file| file.len()).ok();
        let mut show = || {
            let done = std::fs::metadata(to).map_or(0, |file| file.len());
            progress(Progress { step: Step::Copying, done: done.min(total.unwrap_or(done)), total });
        };
        let vacuum = move || source.execute("VACUUM INTO ?", [name]).map(drop);
        watched(vacuum, &mut show).map_err(|error| match StoreError::from(error) {
            StoreError::Full => {
                let reason = "the disk is full: next to the backup, the database needs its own size for a moment";
                BackupError::File { path: to.to_owned(), reason: reason.to_owned() }
            }
            error => error.into(),
        })?;
        let connection = connect(to, OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX, None);
        Ok(Glance { connection: connection.map_err(StoreError::from)?, _copy: Some(copy) })
    }
}

/// Does something that says nothing of its progress, while somebody else looks how far it is.
fn watched<T: Send>(work: impl FnOnce() -> T + Send, look: &mut dyn FnMut()) -> T {
    std::thread::scope(|scope| {
        let (working, is_done) = mpsc::channel::<()>();
        let worker = scope.spawn(move || {
            let _working = working;
            work()
        });
        loop {
            look();
            if is_done.recv_timeout(GLIMPSE) != Err(mpsc::RecvTimeoutError::Timeout) {
                return worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            }
        }
    })
}

impl Rows for Glance {
    fn rows(&self, section: &'static Section, after: Vec<Cell>) -> Result<Vec<Vec<Cell>>> {
        copy::sqlite::export(&self.connection, section, &after)
    }

    fn entries(&self, code: &str) -> Result<Vec<(u64, Vec<u8>)>> {
        sql::journal(&self.connection, code)
    }

    fn count(&self) -> Option<u64> {
        let names = copy::SECTIONS.iter().map(|section| section.name).chain(["journal"]);
        let counts: Vec<String> = names.map(|name| format!("(SELECT count(*) FROM {name})")).collect();
        let sql = format!("SELECT {}", counts.join(" + "));
        self.connection.query_row(&sql, (), |row| row.get(0)).ok()
    }
}

impl Inspect for Glance {
    fn faults(&self) -> Result<Vec<String>> {
        let found = sql::rows(&self.connection, "PRAGMA integrity_check(100)", (), sql::first::<String>)?;
        Ok(found.into_iter().filter(|line| line != "ok").collect())
    }

    fn content(&self, code: &str) -> Result<Option<Content>> {
        let transaction = self.connection.unchecked_transaction()?;
        let table = collected(|show| sql::visit(&transaction, code, show));
        let table = match table {
            Ok(None) => return Ok(None),
            Ok(Some(table)) => Ok(table),
            Err(error) => Err(error),
        };
        let waiting = "SELECT number, body FROM parts WHERE table_id = (SELECT id FROM tables WHERE code = ?)
            AND number IN (SELECT number FROM parts AS ends WHERE ends.table_id = parts.table_id AND ended = 1)
            ORDER BY parts.id";
        let read = |row: &rusqlite::Row<'_>| Ok(Waiting { number: row.get(0)?, body: row.get(1)? });
        Ok(Some(Content { table, waiting: sql::rows(&transaction, waiting, [code], read)? }))
    }

    fn rows_in(&self, section: &Section) -> Option<u64> {
        self.connection.query_row(&format!("SELECT count(*) FROM {}", section.name), (), |row| row.get(0)).ok()
    }
}

/// Where a store lives.
#[derive(Default)]
struct Place {
    folder: Option<PathBuf>,
    exposed: Vec<PathBuf>,
    lock: Option<FolderLock>,
    log: Option<Log>,
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
