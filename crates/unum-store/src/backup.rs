//! Backups: everything in one compressed file, in a format that SQLite and PostgreSQL share.
//!
//! A backup reads a snapshot of the database, so the server goes on meanwhile, and everything acknowledged before the backup
//! began is in it. Several databases have a snapshot each, all begun before the first is read. On PostgreSQL a snapshot is a
//! read transaction. On SQLite it is a plain copy next to the backup: while a transaction reads, the write-ahead log cannot
//! start over and grows, and copying takes a fraction of the time that compressing takes.
//!
//! The file is gzip. Inside are a first line, the number of databases, and for each of them frames: the rows in the order
//! of their keys, the entries of all journals, and at the end counts and a SHA-256 of all that.

use std::cell::Cell as Shared;
use std::fs::File;
use std::io::{BufRead as _, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;
use sha2::{Digest as _, Sha256};

use crate::copy::{
    Cell, CopyError, PAGE, SECTIONS, Section, check_empty, check_unused, each_page, each_table, is_empty,
};
use crate::lock::{FolderLock, leave_to_owner, private_file};
use crate::postgres::Glance;
use crate::{DATABASE, DatabaseAddress, Options, Store, StoreError, sharded};

/// The first line of every backup.
const HEAD: &[u8] = b"unum backup 1\n";
/// The longest frame that is read: far more than the largest row.
const LONGEST: u32 = 256 << 20;
/// The largest journal of one table that is read.
const LARGEST: u64 = 1 << 30;
/// The kind of a frame with an entry of a journal; smaller ones are the numbers of sections.
const ENTRY: u8 = 100;
/// The kind of the last frame of a database.
const END: u8 = 101;
/// The folder in which a data folder is made before its database is moved to where it belongs.
const UNFINISHED: &str = "restoring";

/// Why there is no backup, or nothing was restored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BackupError {
    /// The file cannot be read or written.
    #[error("{}: {reason}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// The folder has no database in it.
    #[error("{} has no database in it: name the data folder of the server with --data, or its databases with --database", folder.display())]
    Nothing {
        /// Which.
        folder: PathBuf,
    },
    /// The folder's database cannot be opened for reading.
    #[error("the database in {} cannot be read ({reason}): run this as the user that runs the server", folder.display())]
    Unreadable {
        /// Which.
        folder: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// It is no backup, or not a whole one.
    #[error("{} is damaged ({reason}): use another backup", path.display())]
    Damaged {
        /// Which.
        path: PathBuf,
        /// Where it stops making sense.
        reason: String,
    },
    /// There are more or fewer databases than in the backup.
    #[error("the backup holds {found} databases, not {wanted}: name as many with --database, in the same order")]
    Databases {
        /// How many are in the file.
        found: usize,
        /// How many were named.
        wanted: usize,
    },
    /// The database has the layout of another version.
    #[error("the database has layout {found}, this unum uses {known}: use the unum that serves it")]
    Layout {
        /// What was found.
        found: u32,
        /// What is known.
        known: u32,
    },
    /// A database refused or failed.
    #[error("{0}")]
    Copy(#[from] CopyError),
}

impl From<StoreError> for BackupError {
    fn from(error: StoreError) -> BackupError {
        BackupError::Copy(error.into())
    }
}

type Result<T> = std::result::Result<T, BackupError>;

/// How much is in a backup.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// How many databases.
    pub databases: usize,
    /// How many tables.
    pub tables: u64,
    /// How many entries of their journals.
    pub entries: u64,
    /// How many guests.
    pub guests: u64,
    /// How many records of finished games.
    pub records: u64,
}

impl Contents {
    fn count(&mut self, kind: u8) {
        match SECTIONS.get(usize::from(kind)).map(|section| section.name) {
            Some("tables") => self.tables += 1,
            Some("guests") => self.guests += 1,
            Some("records") => self.records += 1,
            None if kind == ENTRY => self.entries += 1,
            _ => {}
        }
    }
}

/// What is being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Bytes of the database are copied, to read the copy at leisure.
    Copying,
    /// Rows are written to the file.
    Writing,
    /// Bytes of the file are read and checked.
    Reading,
    /// Rows are stored in the database.
    Storing,
    /// Rows are read again and compared.
    Comparing,
    /// Tables are played again.
    Tables,
    /// Records are played again.
    Records,
}

/// How far it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What is being done.
    pub step: Step,
    /// How much of it is done.
    pub done: u64,
    /// Of how much; `None` if that is not known.
    pub total: Option<u64>,
}

/// Where databases are.
#[derive(Clone, Debug)]
pub enum Place {
    /// A data folder.
    Folder(PathBuf),
    /// PostgreSQL databases that share the tables.
    Databases(Vec<DatabaseAddress>),
}

/// What rows can be read from.
pub(crate) trait Rows {
    fn rows(&self, section: &'static Section, after: Vec<Cell>) -> std::result::Result<Vec<Vec<Cell>>, StoreError>;
    fn entries(&self, code: &str) -> std::result::Result<Vec<(u64, Vec<u8>)>, StoreError>;

    /// How many rows there are in all, entries included, if that can be said quickly.
    fn count(&self) -> Option<u64> {
        None
    }
}

/// What rows can be put into.
trait Target: Rows {
    fn put_rows(&self, section: &'static Section, rows: Page) -> std::result::Result<(), StoreError>;
    fn put_journal(&self, table: i64, entries: Entries) -> std::result::Result<(), StoreError>;
    /// Sees to it that numbers that were stored are not given again.
    fn finish(&self) -> std::result::Result<(), StoreError>;
}

impl Target for Store {
    fn put_rows(&self, section: &'static Section, rows: Page) -> std::result::Result<(), StoreError> {
        self.import_rows(section, rows)
    }

    fn put_journal(&self, table: i64, entries: Entries) -> std::result::Result<(), StoreError> {
        self.import_journal(table, entries)
    }

    fn finish(&self) -> std::result::Result<(), StoreError> {
        self.finish_import()
    }
}

impl Target for Glance {
    fn put_rows(&self, section: &'static Section, rows: Page) -> std::result::Result<(), StoreError> {
        Glance::put_rows(self, section, &rows)
    }

    fn put_journal(&self, table: i64, entries: Entries) -> std::result::Result<(), StoreError> {
        Glance::put_journal(self, table, &entries)
    }

    fn finish(&self) -> std::result::Result<(), StoreError> {
        Glance::finish(self)
    }
}

impl Rows for Store {
    fn rows(&self, section: &'static Section, after: Vec<Cell>) -> std::result::Result<Vec<Vec<Cell>>, StoreError> {
        self.export_rows(section, after)
    }

    fn entries(&self, code: &str) -> std::result::Result<Vec<(u64, Vec<u8>)>, StoreError> {
        self.journal(code)
    }
}

/// Writes a backup of databases that may be in use, and reads it again. It appears under its name only when it is whole.
///
/// # Errors
/// When a database cannot be read, or the file cannot be written or reads differently.
pub fn back_up(place: &Place, path: &Path, progress: &mut dyn FnMut(Progress)) -> Result<Contents> {
    let unfinished = path.with_added_extension("part");
    let written = snapshots(place, &path.with_added_extension("copy"), progress)
        .and_then(|sources| write_file(&sources, &everything, &unfinished, progress))
        .and_then(|written| {
            if verify(&unfinished, progress)? != written {
                return Err(damaged(&unfinished, "it does not hold what was written"));
            }
            std::fs::rename(&unfinished, path).map_err(|error| file(path, &error))?;
            Ok(written)
        });
    if written.is_err() {
        // What is left of it helps nobody.
        let _ = std::fs::remove_file(&unfinished);
    }
    written
}

/// A snapshot of every database, all begun before this returns. `beside` is where a copy may be made.
fn snapshots(place: &Place, beside: &Path, progress: &mut dyn FnMut(Progress)) -> Result<Vec<Box<dyn Rows>>> {
    match place {
        Place::Folder(folder) => Ok(vec![Box::new(crate::store::Glance::copied(folder, beside, progress)?)]),
        Place::Databases(addresses) => {
            addresses.iter().map(|address| Ok(Box::new(Glance::at(address)?) as Box<dyn Rows>)).collect()
        }
    }
}

/// Says of a row of one of the databases whether it is wanted.
pub(crate) type Wanted<'a> = &'a dyn Fn(usize, &Section, &[Cell]) -> bool;

/// Everything is wanted.
fn everything(_: usize, _: &Section, _: &[Cell]) -> bool {
    true
}

/// Writes wanted rows, and the journals of wanted tables, into a new file.
pub(crate) fn write_file(
    sources: &[Box<dyn Rows>],
    wanted: Wanted<'_>,
    path: &Path,
    progress: &mut dyn FnMut(Progress),
) -> Result<Contents> {
    let to = private_file(path).and_then(|to| to.set_len(0).map(|()| to)).map_err(|error| file(path, &error))?;
    let mut out = GzEncoder::new(BufWriter::new(to), Compression::default());
    let mut write = |bytes: &[u8]| out.write_all(bytes).map_err(|error| file(path, &error));
    let mut contents = Contents { databases: sources.len(), ..Contents::default() };
    let (mut done, total) = (0, sources.iter().map(|source| source.count()).sum());
    write(HEAD)?;
    write(&u32::try_from(sources.len()).unwrap_or(u32::MAX).to_le_bytes())?;
    for (at, source) in sources.iter().enumerate() {
        let wanted = |section: &Section, row: &[Cell]| wanted(at, section, row);
        let digest = frames(source.as_ref(), wanted, |kind, frame| {
            contents.count(kind);
            done += 1;
            progress(Progress { step: Step::Writing, done, total });
            write(frame)
        })?;
        write(&framed(END, &digest))?;
    }
    let finished = out.finish().and_then(|out| out.into_inner().map_err(|error| error.into_error()));
    finished.and_then(|to| to.sync_all()).map_err(|error| file(path, &error))?;
    Ok(contents)
}

/// Puts wanted rows of a database into frames, and returns their SHA-256.
fn frames(
    source: &dyn Rows,
    wanted: impl Fn(&Section, &[Cell]) -> bool,
    mut put: impl FnMut(u8, &[u8]) -> Result<()>,
) -> Result<[u8; 32]> {
    let mut hash = Sha256::new();
    let mut add = |kind: u8, body: &[u8]| {
        let frame = framed(kind, body);
        hash.update(&frame);
        put(kind, &frame)
    };
    for (kind, section) in (0..).zip(&SECTIONS) {
        each_page(source, section, |rows| {
            rows.iter().filter(|row| wanted(section, row)).try_for_each(|row| add(kind, &row_bytes(row)))
        })?;
    }
    each_table(source, |row, id, code| {
        if !wanted(&SECTIONS[1], row) {
            return Ok(());
        }
        source.entries(code)?.iter().try_for_each(|(seq, body)| {
            let mut bytes = [id.to_le_bytes(), seq.to_le_bytes()].concat();
            bytes.extend(body);
            add(ENTRY, &bytes)
        })
    })?;
    Ok(hash.finalize().into())
}

fn framed(kind: u8, body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len()).unwrap_or(u32::MAX);
    [&length.to_le_bytes()[..], &[kind], body].concat()
}

fn row_bytes(row: &[Cell]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for cell in row {
        let (kind, body): (u8, &[u8]) = match cell {
            Cell::Null => (0, &[]),
            Cell::Int(number) => (1, &number.to_le_bytes()),
            Cell::Text(text) => (2, text.as_bytes()),
            Cell::Bytes(body) => (3, body),
        };
        bytes.extend(framed(kind, body));
    }
    bytes
}

fn row_of(mut bytes: &[u8]) -> Option<Vec<Cell>> {
    let mut row = Vec::new();
    while let Some((head, rest)) = bytes.split_first_chunk::<5>() {
        let [length @ .., kind] = *head;
        let (body, rest) = rest.split_at_checked(u32::from_le_bytes(length) as usize)?;
        row.push(match kind {
            0 => Cell::Null,
            1 => Cell::Int(i64::from_le_bytes(body.try_into().ok()?)),
            2 => Cell::Text(String::from_utf8(body.to_vec()).ok()?),
            3 => Cell::Bytes(body.to_vec()),
            _ => return None,
        });
        bytes = rest;
    }
    bytes.is_empty().then_some(row)
}

/// What a backup consists of.
enum Item {
    Row(&'static Section, Vec<Cell>),
    Entry(i64, u64, Vec<u8>),
    /// A database ends here; everything of it has this SHA-256.
    End([u8; 32]),
}

/// Reads a backup from the beginning to the end without storing it, and says how much is in it.
///
/// # Errors
/// When it cannot be read or is not whole.
pub fn verify(path: &Path, progress: &mut dyn FnMut(Progress)) -> Result<Contents> {
    let total = std::fs::metadata(path).map(|found| found.len()).ok();
    read(path, &mut |_, _, done| {
        progress(Progress { step: Step::Reading, done, total });
        Ok(())
    })
}

/// A file that counts what was read of it.
struct Counted {
    file: File,
    count: Rc<Shared<u64>>,
}

impl Read for Counted {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let read = self.file.read(into)?;
        self.count.set(self.count.get() + read as u64);
        Ok(read)
    }
}

/// Reads a backup; `take` gets every item with the number of its database, and how many bytes of the file were read.
fn read(path: &Path, take: &mut dyn FnMut(usize, Item, u64) -> Result<()>) -> Result<Contents> {
    let count = Rc::new(Shared::new(0));
    let from = File::open(path).map_err(|error| file(path, &error))?;
    let from = Counted { file: from, count: Rc::clone(&count) };
    let mut from = GzDecoder::new(BufReader::new(from));
    let broken = |error: std::io::Error| damaged(path, &error.to_string());
    let mut head = [0; HEAD.len() + 4];
    from.read_exact(&mut head).map_err(|_| damaged(path, "it is not a backup of unum"))?;
    let (first, databases) = head.split_at(HEAD.len());
    let databases = databases.try_into().map_or(0, u32::from_le_bytes) as usize;
    if first != HEAD || !(1..=sharded::MOST).contains(&databases) {
        return Err(damaged(path, "it is not a backup of this version of unum"));
    }
    let (mut contents, mut at, mut hash) = (Contents { databases, ..Contents::default() }, 0, Sha256::new());
    while at < databases {
        let (kind, frame) = read_frame(&mut from).map_err(broken)?;
        let item = item_of(kind, &frame[5..]).ok_or_else(|| damaged(path, "a row makes no sense"))?;
        let is_end = matches!(item, Item::End(_));
        if let Item::End(digest) = &item {
            if *digest != <[u8; 32]>::from(std::mem::take(&mut hash).finalize()) {
                return Err(damaged(path, "its checksum is wrong"));
            }
        } else {
            hash.update(&frame);
            contents.count(kind);
        }
        take(at, item, count.get())?;
        at += usize::from(is_end);
    }
    // The decoder compares its own checksum when it reaches the end; what comes after that is not its concern.
    let more = from.read(&mut [0]).map_err(broken)? > 0;
    match more || !from.into_inner().fill_buf().map_err(broken)?.is_empty() {
        false => Ok(contents),
        true => Err(damaged(path, "something follows its end")),
    }
}

fn read_frame(from: &mut impl Read) -> std::io::Result<(u8, Vec<u8>)> {
    let mut head = [0; 5];
    from.read_exact(&mut head)?;
    let [length @ .., kind] = head;
    let length = u32::from_le_bytes(length);
    if length > LONGEST {
        return Err(std::io::Error::other("a row is too long"));
    }
    let mut frame = head.to_vec();
    // What is not there takes no memory.
    from.take(length.into()).read_to_end(&mut frame)?;
    match frame.len() == head.len() + length as usize {
        true => Ok((kind, frame)),
        false => Err(std::io::ErrorKind::UnexpectedEof.into()),
    }
}

fn item_of(kind: u8, body: &[u8]) -> Option<Item> {
    match kind {
        END => Some(Item::End(body.try_into().ok()?)),
        ENTRY => {
            let (table, rest) = body.split_first_chunk()?;
            let (seq, body) = rest.split_first_chunk()?;
            Some(Item::Entry(i64::from_le_bytes(*table), u64::from_le_bytes(*seq), body.to_vec()))
        }
        _ => {
            let section = SECTIONS.get(usize::from(kind))?;
            let row = row_of(body)?;
            (row.len() == section.columns.len()).then_some(Item::Row(section, row))
        }
    }
}

/// Restores a backup into an empty place: checks the whole file first, then stores everything, reads it again and compares.
/// A data folder gets its database at the very end, and PostgreSQL commits at the very end, so one that fails leaves the place
/// as it was. Of several databases, some may have committed and others not: the next try goes on with the others.
///
/// # Errors
/// When the file is damaged, the place is in use or not empty, or something cannot be written.
pub fn restore(path: &Path, place: &Place, options: &Options, progress: &mut dyn FnMut(Progress)) -> Result<Contents> {
    let contents = verify(path, progress)?;
    match place {
        Place::Folder(folder) => restore_folder(path, folder, options, contents.databases, progress)?,
        Place::Databases(addresses) => {
            same_number(contents.databases, addresses.len())?;
            restore_databases(path, addresses, options, progress)?;
        }
    }
    Ok(contents)
}

fn same_number(found: usize, wanted: usize) -> Result<()> {
    if found == wanted { Ok(()) } else { Err(BackupError::Databases { found, wanted }) }
}

fn restore_folder(
    path: &Path,
    folder: &Path,
    options: &Options,
    databases: usize,
    progress: &mut dyn FnMut(Progress),
) -> Result<()> {
    same_number(databases, 1)?;
    let _lock = FolderLock::take(folder)?;
    let database = folder.join(DATABASE);
    if database.exists() {
        return Err(CopyError::NotEmpty.into());
    }
    let unfinished = folder.join(UNFINISHED);
    // Left over from an attempt that was killed.
    let _ = std::fs::remove_dir_all(&unfinished);
    let target = Store::open_with(&unfinished, options.clone())?;
    let filled = check_unused(&target)
        .and_then(|()| check_empty(&target))
        .map_err(BackupError::from)
        .and_then(|()| fill(path, &[(&target, true)], progress));
    target.close();
    let moved = filled.and_then(|()| {
        let log = |of: &Path| of.with_file_name(format!("{DATABASE}-wal"));
        let made = unfinished.join(DATABASE);
        let place = |from: &Path, to: &Path| {
            private_file(from).and_then(|made| leave_to_owner(folder, &made)).and_then(|()| std::fs::rename(from, to))
        };
        if log(&made).exists() {
            place(&log(&made), &log(&database)).map_err(|error| file(&database, &error))?;
        }
        place(&made, &database).map_err(|error| file(&database, &error))
    });
    let _ = std::fs::remove_dir_all(&unfinished);
    moved
}

fn restore_databases(
    path: &Path,
    addresses: &[DatabaseAddress],
    options: &Options,
    progress: &mut dyn FnMut(Progress),
) -> Result<()> {
    let stores = Store::connect_each(addresses, options)?;
    stores.iter().try_for_each(check_unused)?;
    let empty = stores.iter().map(is_empty).collect::<std::result::Result<Vec<bool>, _>>()?;
    if !empty.contains(&true) {
        return Err(CopyError::NotEmpty.into());
    }
    let glances = addresses.iter().map(Glance::filling).collect::<std::result::Result<Vec<_>, _>>()?;
    let targets: Vec<(&Glance, bool)> = glances.iter().zip(empty.iter().copied()).collect();
    fill(path, &targets, progress)?;
    // Only now does anybody see anything of it.
    Ok(targets.iter().filter(|(_, is_new)| *is_new).try_for_each(|(target, _)| target.commit())?)
}

/// Stores a backup in new databases, and compares what all of them hold with it.
fn fill<T: Target>(path: &Path, targets: &[(&T, bool)], progress: &mut dyn FnMut(Progress)) -> Result<()> {
    let (mut waiting, mut rows) = (Waiting::default(), 0);
    let total = std::fs::metadata(path).map(|found| found.len()).ok();
    read(path, &mut |at, item, done| {
        let (target, is_new) = *targets.get(at).ok_or_else(|| damaged(path, "it has too many databases"))?;
        progress(Progress { step: Step::Storing, done, total });
        match item {
            Item::End(digest) => {
                waiting.flush(target)?;
                if is_new {
                    target.finish()?;
                }
                compare(target, (&digest, is_new), std::mem::take(&mut rows), progress)?;
            }
            _ if !is_new => rows += 1,
            Item::Row(section, row) => {
                rows += 1;
                waiting.add_row(target, section, row)?;
            }
            Item::Entry(table, seq, body) => {
                rows += 1;
                if !waiting.add_entry(target, table, seq, body)? {
                    return Err(damaged(path, "the journal of a table is too long"));
                }
            }
        }
        Ok(())
    })
    .map(drop)
}

/// Reads a database that was filled, now or by an earlier try, and compares it with what was in the backup.
fn compare(
    target: &impl Target,
    (digest, is_new): (&[u8; 32], bool),
    rows: u64,
    progress: &mut dyn FnMut(Progress),
) -> Result<()> {
    let mut done = 0;
    let found = frames(
        target,
        |_, _| true,
        |_, _| {
            done += 1;
            progress(Progress { step: Step::Comparing, done, total: Some(rows) });
            Ok(())
        },
    )?;
    match found == *digest {
        true => Ok(()),
        false if is_new => Err(CopyError::Differs("databases").into()),
        false => Err(CopyError::NotEmpty.into()),
    }
}

type Page = Vec<Vec<Cell>>;
type Entries = Vec<(u64, Vec<u8>)>;

/// Rows of one section, or entries of one table, that are stored together.
#[derive(Default)]
struct Waiting {
    rows: Option<(&'static Section, Page)>,
    entries: Option<(i64, Entries)>,
    bytes: u64,
}

impl Waiting {
    fn add_row(&mut self, target: &dyn Target, section: &'static Section, row: Vec<Cell>) -> Result<()> {
        let fits = |(found, rows): &(&Section, Vec<_>)| std::ptr::eq(*found, section) && rows.len() < PAGE as usize;
        if !self.rows.as_ref().is_some_and(fits) {
            self.flush(target)?;
        }
        self.rows.get_or_insert_with(|| (section, Vec::new())).1.push(row);
        Ok(())
    }

    /// Returns whether a table's journal is still of a possible size.
    fn add_entry(&mut self, target: &dyn Target, table: i64, seq: u64, body: Vec<u8>) -> Result<bool> {
        if self.entries.as_ref().is_none_or(|(found, _)| *found != table) {
            self.flush(target)?;
        }
        self.bytes += body.len() as u64;
        self.entries.get_or_insert_with(|| (table, Vec::new())).1.push((seq, body));
        Ok(self.bytes <= LARGEST)
    }

    fn flush(&mut self, target: &dyn Target) -> Result<()> {
        self.bytes = 0;
        if let Some((section, rows)) = self.rows.take() {
            target.put_rows(section, rows)?;
        }
        if let Some((table, entries)) = self.entries.take() {
            target.put_journal(table, entries)?;
        }
        Ok(())
    }
}

pub(crate) fn file(path: &Path, error: &std::io::Error) -> BackupError {
    BackupError::File { path: path.to_owned(), reason: error.to_string() }
}

pub(crate) fn damaged(path: &Path, reason: &str) -> BackupError {
    BackupError::Damaged { path: path.to_owned(), reason: reason.to_owned() }
}
