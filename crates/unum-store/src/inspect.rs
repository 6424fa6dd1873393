//! Looking through databases without changing them, and setting aside what is damaged.
//!
//! A server may run meanwhile: every table and every page of records is read in a transaction of its own, so that none of
//! them is long and each shows one state.

use std::collections::BTreeSet;
use std::path::Path;

use crate::backup::{self, BackupError, Contents, Place, Progress, Rows};
use crate::copy::{Cell, SECTIONS, Section, check_unused};
use crate::postgres::Glance;
use crate::{Piece, Store, StoreError, StoredTable, TableRow};

type Result<T> = std::result::Result<T, StoreError>;

/// A part of a match that is over and has no record yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Which of the table's matches, from 1.
    pub number: u32,
    /// What happened.
    pub body: Vec<u8>,
}

/// Everything about a table.
#[derive(Clone, Debug)]
pub struct Content {
    /// The table as a server would load it, or why it could not.
    pub table: Result<StoredTable>,
    /// The parts of its matches that are over and wait for their records, in order.
    pub waiting: Vec<Waiting>,
}

/// Collects a table from a visit.
pub(crate) fn collected(
    visit: impl FnOnce(&mut dyn FnMut(Piece<'_>) -> bool) -> Result<bool>,
) -> Result<Option<StoredTable>> {
    let (mut row, mut snapshot, mut entries): (Option<TableRow>, _, _) = (None, None, Vec::new());
    visit(&mut |piece| {
        match piece {
            Piece::Table(found) => row = Some(found.clone()),
            Piece::Snapshot(seq, body) => snapshot = Some((seq, body.to_vec())),
            Piece::Entry(seq, body) => entries.push((seq, body.to_vec())),
        }
        true
    })?;
    Ok(row.map(|row| StoredTable { row, snapshot, entries }))
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Its number.
    pub number: i64,
    /// Its id.
    pub id: String,
    /// What lists say of it.
    pub summary: String,
    /// The record.
    pub body: Vec<u8>,
}

/// What can be looked through.
pub(crate) trait Inspect: Rows {
    /// What the database itself says is wrong with it.
    fn faults(&self) -> Result<Vec<String>>;
    /// Reads a table in one transaction; `None` if it is gone.
    fn content(&self, code: &str) -> Result<Option<Content>>;
    /// How many rows a section has, if that can be said quickly.
    fn rows_in(&self, section: &Section) -> Option<u64>;
}

/// A database that is looked through.
pub struct Inspector(Box<dyn Inspect>);

impl std::fmt::Debug for Inspector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Inspector").finish_non_exhaustive()
    }
}

impl Inspector {
    /// Opens databases, in their order, for reading.
    ///
    /// # Errors
    /// When there is none, or one cannot be opened or has the layout of another version.
    pub fn open(place: &Place) -> std::result::Result<Vec<Inspector>, BackupError> {
        match place {
            Place::Folder(folder) => Ok(vec![Inspector(Box::new(crate::store::Glance::at(folder)?))]),
            Place::Databases(addresses) => {
                addresses.iter().map(|address| Ok(Inspector(Box::new(Glance::live(address)?)))).collect()
            }
        }
    }

    /// What the database itself says is wrong with it, at most a hundred sentences. PostgreSQL says nothing.
    ///
    /// # Errors
    /// When it cannot be read at all.
    pub fn faults(&self) -> Result<Vec<String>> {
        self.0.faults()
    }

    /// How many tables there are, if that can be said quickly.
    pub fn tables(&self) -> Option<u64> {
        self.0.rows_in(&SECTIONS[TABLES])
    }

    /// How many finished games there are, if that can be said quickly.
    pub fn games(&self) -> Option<u64> {
        self.0.rows_in(&SECTIONS[RECORDS])
    }

    /// The numbers and ids of the next tables after a number; none at the end.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn tables_after(&self, number: i64) -> Result<Vec<(i64, String)>> {
        let rows = self.0.rows(&SECTIONS[TABLES], key(number))?;
        let read = |row: Vec<Cell>| match row.as_slice() {
            [Cell::Int(id), Cell::Text(code), ..] => Some((*id, code.clone())),
            _ => None,
        };
        Ok(rows.into_iter().filter_map(read).collect())
    }

    /// Everything about a table; `None` if it is gone.
    ///
    /// # Errors
    /// When the database cannot be read. That this table cannot be is no error: see [`Content::table`].
    pub fn content(&self, id: &str) -> Result<Option<Content>> {
        self.0.content(id)
    }

    /// The next finished games after a number; none at the end.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn games_after(&self, number: i64) -> Result<Vec<Game>> {
        let rows = self.0.rows(&SECTIONS[RECORDS], key(number))?;
        let read = |row: Vec<Cell>| match row.as_slice() {
            [Cell::Int(number), Cell::Text(id), _, _, Cell::Text(summary), Cell::Bytes(body), ..] => {
                Some(Game { number: *number, id: id.clone(), summary: summary.clone(), body: body.clone() })
            }
            _ => None,
        };
        Ok(rows.into_iter().filter_map(read).collect())
    }
}

/// Where tables and records are among the sections.
const TABLES: usize = 1;
const RECORDS: usize = 5;

/// What comes after this number; numbers begin with 1.
fn key(number: i64) -> Vec<Cell> {
    if number > 0 { vec![Cell::Int(number)] } else { Vec::new() }
}

/// What to take out of a database.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picked {
    /// Numbers of tables.
    pub tables: BTreeSet<i64>,
    /// Numbers of finished games.
    pub games: BTreeSet<i64>,
}

impl Picked {
    fn is_empty(&self) -> bool {
        self.tables.is_empty() && self.games.is_empty()
    }

    /// Whether a row belongs to something that is taken out.
    fn has(&self, section: &Section, row: &[Cell]) -> bool {
        let among = |numbers: &BTreeSet<i64>, column: usize| matches!(row.get(column), Some(Cell::Int(number)) if numbers.contains(number));
        match section.name {
            "tables" | "snapshots" => among(&self.tables, 0),
            "parts" | "people" => among(&self.tables, 1),
            "records" => among(&self.games, 0),
            "players" => among(&self.games, 1),
            _ => false,
        }
    }
}

/// Moves tables and finished games out of databases that no server uses, into a new file in the form of a backup. Deletes
/// nothing before the file is written and read again. `picked` has an item for every database.
///
/// # Errors
/// When a database is in use or damaged as a whole, when the file exists or cannot be written.
pub fn set_aside(
    place: &Place,
    picked: &[Picked],
    path: &Path,
    progress: &mut dyn FnMut(Progress),
) -> std::result::Result<Contents, BackupError> {
    if path.exists() {
        let reason = "it exists, and nothing is overwritten: choose another name".to_owned();
        return Err(BackupError::File { path: path.to_owned(), reason });
    }
    let stores = match place {
        Place::Folder(folder) => vec![Store::open(folder)?],
        Place::Databases(addresses) => Store::connect_each(addresses, &crate::Options::default())?,
    };
    stores.iter().try_for_each(check_unused)?;
    let sources: Vec<Box<dyn Rows>> = stores.iter().map(|store| Box::new(store.clone()) as Box<dyn Rows>).collect();
    let is_picked =
        |at: usize, section: &Section, row: &[Cell]| picked.get(at).is_some_and(|all| all.has(section, row));
    let written = backup::write_file(&sources, &is_picked, path, progress)?;
    if backup::verify(path, progress)? != written {
        return Err(backup::damaged(path, "it does not hold what was written"));
    }
    for (store, picked) in stores.iter().zip(picked).filter(|(_, picked)| !picked.is_empty()) {
        let numbers = |numbers: &BTreeSet<i64>| numbers.iter().copied().collect();
        store.discard(numbers(&picked.tables), numbers(&picked.games))?;
    }
    stores.into_iter().for_each(Store::close);
    Ok(written)
}
