//! Moves everything from one store to another, of either kind, and compares both afterwards.

use crate::backup::Rows;
use crate::journal::Store;
use crate::lease::{NodeState, Terms};
use crate::{Piece, StoreError};

pub(crate) mod sqlite;

/// How many rows are moved at a time.
pub(crate) const PAGE: i64 = 50;

/// What could not be copied, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CopyError {
    /// A server uses one of them.
    #[error("a server on {0} uses the database: stop it first")]
    InUse(String),
    /// The target has something in it.
    #[error("the target is not empty: choose an empty folder or database, nothing is overwritten")]
    NotEmpty,
    /// What arrived is not what was sent.
    #[error("{0} differ after copying: keep the original, and report this as a bug")]
    Differs(&'static str),
    /// One of them failed.
    #[error("{0}")]
    Store(#[from] StoreError),
}

/// How much was copied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Copied {
    /// How many tables.
    pub tables: u64,
    /// How many entries of their journals.
    pub entries: u64,
    /// How many guests.
    pub guests: u64,
    /// How many records of finished games.
    pub records: u64,
}

/// A value of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Cell {
    Null,
    Int(i64),
    Text(String),
    Bytes(Vec<u8>),
}

/// The kind of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Kind {
    Int,
    Text,
    Bytes,
}

/// A table of the database as both kinds of store have it. Its first columns are its key.
#[derive(Debug)]
pub struct Section {
    pub(crate) name: &'static str,
    /// How many columns the key has.
    pub(crate) key: usize,
    pub(crate) columns: &'static [(&'static str, Kind)],
}

impl Section {
    /// The names of the columns.
    pub(crate) fn names(&self) -> String {
        let names: Vec<&str> = self.columns.iter().map(|(name, _)| *name).collect();
        names.join(", ")
    }

    /// The rows after a key, if one is given, in order; `mark` makes the place of a value.
    pub(crate) fn query(&self, is_first: bool, mark: impl Fn(usize) -> String) -> String {
        let keys: Vec<&str> = self.columns[..self.key].iter().map(|(name, _)| *name).collect();
        let marks: Vec<String> = (1..=self.key).map(mark).collect();
        let (keys, marks) = (keys.join(", "), marks.join(", "));
        let condition = if is_first { String::new() } else { format!("WHERE ({keys}) > ({marks}) ") };
        format!("SELECT {} FROM {} {condition}ORDER BY {keys} LIMIT {PAGE}", self.names(), self.name)
    }
}

const INT: Kind = Kind::Int;
const TEXT: Kind = Kind::Text;
const BYTES: Kind = Kind::Bytes;

/// Guests come before the records that count for them, tables before all that belongs to them. Journals are copied table
/// by table. Leases are not copied: the target has not been served yet.
pub(crate) static SECTIONS: [Section; 11] = [
    Section {
        name: "guests",
        key: 1,
        columns: &[
            ("id", INT),
            ("token", BYTES),
            ("name", TEXT),
            ("look", TEXT),
            ("created", INT),
            ("seen", INT),
            ("season", INT),
        ],
    },
    Section {
        name: "tables",
        key: 1,
        columns: &[
            ("id", INT),
            ("code", TEXT),
            ("invite", TEXT),
            ("opened", INT),
            ("touched", INT),
            ("closed", INT),
            ("last", INT),
            ("listing", TEXT),
            ("owner", INT),
            ("bytes", INT),
            ("part_bytes", INT),
            ("talk", INT),
        ],
    },
    Section { name: "snapshots", key: 1, columns: &[("table_id", INT), ("seq", INT), ("body", BYTES)] },
    Section {
        name: "parts",
        key: 1,
        columns: &[("id", INT), ("table_id", INT), ("number", INT), ("ended", INT), ("body", BYTES)],
    },
    Section { name: "people", key: 2, columns: &[("guest_id", INT), ("table_id", INT)] },
    Section {
        name: "records",
        key: 1,
        columns: &[
            ("number", INT),
            ("id", TEXT),
            ("table_code", TEXT),
            ("stored", INT),
            ("summary", TEXT),
            ("body", BYTES),
            ("owner", INT),
            ("game", INT),
            ("made_by", TEXT),
            ("public", INT),
            ("review", BYTES),
            ("figures", BYTES),
        ],
    },
    Section {
        name: "players",
        key: 2,
        columns: &[("guest_id", INT), ("record", INT), ("seat", INT), ("counted", INT)],
    },
    Section {
        name: "sanctions",
        key: 1,
        columns: &[("id", INT), ("kind", INT), ("subject", TEXT), ("made", INT), ("until", INT), ("note", TEXT)],
    },
    Section {
        name: "reports",
        key: 1,
        columns: &[("id", INT), ("at", INT), ("reporter", INT), ("guest", INT), ("body", TEXT), ("done", INT)],
    },
    Section { name: "acts", key: 1, columns: &[("id", INT), ("at", INT), ("body", TEXT)] },
    Section { name: "blocks", key: 2, columns: &[("guest_id", INT), ("other_id", INT), ("at", INT), ("name", TEXT)] },
];

/// Makes sure that no server uses a store. One that was killed has not signed off: if its lease has run out and it stays
/// silent, it is declared dead.
///
/// # Errors
/// When one does, or the store cannot be read.
pub fn check_unused(store: &Store) -> Result<(), CopyError> {
    let user = || {
        let nodes = store.nodes()?;
        let user = nodes.iter().find(|node| node.state != NodeState::Silent);
        user.map_or(Ok(!nodes.is_empty()), |node| Err(CopyError::InUse(node.address.clone())))
    };
    if user()? {
        // If it was the database that was away, a server is heard of again by then.
        std::thread::sleep(Terms::default().gap());
        if user()? {
            store.bury_silent()?;
        }
    }
    Ok(())
}

/// Makes sure that a store has nothing in it.
///
/// # Errors
/// When it has, or cannot be read.
pub(crate) fn check_empty(store: &Store) -> Result<(), CopyError> {
    if is_empty(store)? { Ok(()) } else { Err(CopyError::NotEmpty) }
}

/// Whether a store has nothing in it.
pub(crate) fn is_empty(store: &Store) -> Result<bool, StoreError> {
    for section in &SECTIONS {
        if !store.export_rows(section, Vec::new())?.is_empty() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Copies everything into an empty store, then reads both again and compares them. Nobody may use either meanwhile.
///
/// # Errors
/// When one is in use, cannot be read or written, when the target has something in it, or when both differ at the end.
pub fn copy(from: &Store, to: &Store) -> Result<Copied, CopyError> {
    check_unused(from)?;
    check_unused(to)?;
    check_empty(to)?;
    let mut copied = Copied::default();
    for section in &SECTIONS {
        let count = each_page(from, section, |rows| Ok::<_, CopyError>(to.import_rows(section, rows)?))?;
        match section.name {
            "guests" => copied.guests = count,
            "tables" => copied.tables = count,
            "records" => copied.records = count,
            _ => {}
        }
    }
    each_table(from, |_, id, code| {
        let entries = from.journal(code)?;
        copied.entries += entries.len() as u64;
        Ok::<_, CopyError>(to.import_journal(id, entries)?)
    })?;
    to.finish_import()?;
    compare(from, to)?;
    Ok(copied)
}

/// Reads both from the beginning to the end.
fn compare(from: &Store, to: &Store) -> Result<(), CopyError> {
    for section in &SECTIONS {
        let mut after = Vec::new();
        loop {
            let (left, right) = (from.export_rows(section, after.clone())?, to.export_rows(section, after)?);
            if left != right {
                return Err(CopyError::Differs(section.name));
            }
            let Some(last) = left.last() else { break };
            after = last[..section.key].to_vec();
        }
    }
    each_table(from, |_, _, code| {
        if from.journal(code)? != to.journal(code)? {
            return Err(CopyError::Differs("journals"));
        }
        // What can be loaded from the one can be loaded from the other.
        let whole = |store: &Store| store.visit(code, &mut |piece| !matches!(piece, Piece::Entry(..)));
        if whole(from) != whole(to) { Err(CopyError::Differs("journals")) } else { Ok(()) }
    })
}

/// Goes through the rows of a section, and says how many there were.
pub(crate) fn each_page<E: From<StoreError>>(
    store: &dyn Rows,
    section: &'static Section,
    mut work: impl FnMut(Vec<Vec<Cell>>) -> Result<(), E>,
) -> Result<u64, E> {
    let (mut after, mut count) = (Vec::new(), 0);
    loop {
        let rows = store.rows(section, after)?;
        let Some(last) = rows.last() else { return Ok(count) };
        after = last[..section.key].to_vec();
        count += rows.len() as u64;
        work(rows)?;
    }
}

/// Goes through all tables: their rows, numbers and codes.
pub(crate) fn each_table<E: From<StoreError>>(
    store: &dyn Rows,
    mut work: impl FnMut(&[Cell], i64, &str) -> Result<(), E>,
) -> Result<(), E> {
    each_page(store, &SECTIONS[1], |rows| {
        for row in rows {
            if let [Cell::Int(id), Cell::Text(code), ..] = row.as_slice() {
                work(&row, *id, code)?;
            }
        }
        Ok(())
    })
    .map(drop)
}
