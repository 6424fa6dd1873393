//! The statements. Everything here is called within a transaction.

use std::time::Duration;

use rusqlite::types::FromSql;
use rusqlite::{Connection, OptionalExtension as _, Row, named_params};

use crate::{
    Batch, Forgotten, GuestRow, ListingChange, NewGuest, RecordHead, RecordRow, Retention, StoreError, StoredTable,
    TableRow, now,
};

type Result<T> = std::result::Result<T, StoreError>;
type RowResult<T> = rusqlite::Result<T>;
/// An entry or a snapshot with its number.
type Numbered = (u64, Vec<u8>);

/// Runs a prepared statement and says how many rows it changed.
fn run(connection: &Connection, sql: &str, values: impl rusqlite::Params) -> Result<u64> {
    Ok(connection.prepare_cached(sql)?.execute(values)? as u64)
}

/// The rows of a query.
fn rows<T>(
    connection: &Connection,
    sql: &str,
    values: impl rusqlite::Params,
    read: impl FnMut(&Row<'_>) -> RowResult<T>,
) -> Result<Vec<T>> {
    let mut statement = connection.prepare_cached(sql)?;
    let found = statement.query_map(values, read)?.collect::<RowResult<Vec<T>>>()?;
    Ok(found)
}

/// The row of a query, if there is one.
fn row<T>(
    connection: &Connection,
    sql: &str,
    values: impl rusqlite::Params,
    read: impl FnOnce(&Row<'_>) -> RowResult<T>,
) -> Result<Option<T>> {
    Ok(connection.prepare_cached(sql)?.query_row(values, read).optional()?)
}

fn first<T: FromSql>(row: &Row<'_>) -> RowResult<T> {
    row.get(0)
}

// Tables.

/// Writes a batch, if it fits. Whether it does is decided before anything is written.
pub(crate) fn append(connection: &Connection, batch: &Batch) -> Result<()> {
    let last = batch.after + batch.entries.len() as u64;
    if batch.snapshot.as_ref().is_some_and(|(seq, _)| *seq > last) {
        return Err(StoreError::Rejected("a snapshot cannot contain entries that do not exist yet".to_owned()));
    }
    let (table, mut tail) = advance(connection, batch, last)?;
    let add = "INSERT INTO journal (table_id, seq, previous, body) VALUES (?, ?, ?, ?)";
    for (seq, body) in (batch.after + 1..).zip(&batch.entries) {
        run(connection, add, (table, seq, tail, body))?;
        tail = Some(connection.last_insert_rowid());
    }
    run(connection, "UPDATE tables SET tail = ? WHERE id = ?", (tail, table))?;
    if let Some((seq, body)) = &batch.snapshot {
        run(connection, "INSERT OR REPLACE INTO snapshots (table_id, seq, body) VALUES (?, ?, ?)", (table, seq, body))?;
    }
    for guest in &batch.people {
        run(connection, "INSERT OR IGNORE INTO people (guest_id, table_id) VALUES (?, ?)", (guest, table))?;
    }
    for guest in &batch.left {
        run(connection, "DELETE FROM people WHERE guest_id = ? AND table_id = ?", (guest, table))?;
    }
    match &batch.listing {
        ListingChange::Keep => 0,
        ListingChange::Hide => run(connection, "UPDATE tables SET listing = NULL WHERE id = ?", [table])?,
        ListingChange::Show(text) => run(connection, "UPDATE tables SET listing = ? WHERE id = ?", (text, table))?,
    };
    if batch.closed {
        let close = "UPDATE tables SET closed = ?, listing = NULL WHERE id = ? AND closed IS NULL";
        run(connection, close, (now(), table))?;
    }
    Ok(())
}

/// Moves the batch's table on to its new last entry, if the batch comes after the one it has; a new table is made.
/// The number of the table, and where its last entry so far is.
fn advance(connection: &Connection, batch: &Batch, last: u64) -> Result<(i64, Option<i64>)> {
    let (code, now) = (&batch.table, now());
    let fitting = "UPDATE tables SET last = ?, touched = ? WHERE code = ? AND last = ? RETURNING id, tail";
    let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
    if let Some(found) = row(connection, fitting, (last, now, code, batch.after), read)? {
        return Ok(found);
    }
    let found = row(connection, "SELECT last FROM tables WHERE code = ?", [code], first)?;
    if found.is_some() || batch.after != 0 {
        let last = found.unwrap_or(0);
        return Err(StoreError::Conflict { table: code.clone(), after: batch.after, last });
    }
    let add = "INSERT INTO tables (code, opened, touched, last) VALUES (?, ?, ?, ?)";
    run(connection, add, (code, now, now, last))?;
    Ok((connection.last_insert_rowid(), None))
}

const TABLE: &str = "SELECT code, opened, touched, closed, last, listing, id FROM tables";

fn read_table(row: &Row<'_>) -> RowResult<TableRow> {
    Ok(TableRow {
        code: row.get(0)?,
        opened: row.get(1)?,
        touched: row.get(2)?,
        closed: row.get(3)?,
        last: row.get(4)?,
        listing: row.get(5)?,
    })
}

/// A table with what is needed to go on.
pub(crate) fn load(connection: &Connection, code: &str) -> Result<Option<StoredTable>> {
    let find = format!("{TABLE} WHERE code = ?");
    let found = row(connection, &find, [code], |row| Ok((read_table(row)?, row.get::<_, i64>(6)?)))?;
    let Some((row, table)) = found else { return Ok(None) };
    let snapshot = snapshot(connection, table)?;
    let from = snapshot.as_ref().map_or(0, |(seq, _)| *seq);
    let entries = entries(connection, table, from)?;
    check_gaps(&row, from, &entries)?;
    Ok(Some(StoredTable { row, snapshot, entries }))
}

fn snapshot(connection: &Connection, table: i64) -> Result<Option<Numbered>> {
    let sql = "SELECT seq, body FROM snapshots WHERE table_id = ?";
    row(connection, sql, [table], |row| Ok((row.get(0)?, row.get(1)?)))
}

/// The entries of table `?1` after number `?2`, from the last one back to where one is missing.
const CHAIN: &str = "WITH RECURSIVE chain (id, seq, previous) AS (
        SELECT journal.id, seq, previous FROM tables JOIN journal ON journal.id = tail
            WHERE tables.id = ?1 AND table_id = ?1 AND seq > ?2
        UNION ALL
        SELECT journal.id, journal.seq, journal.previous FROM chain JOIN journal ON journal.id = chain.previous
            WHERE table_id = ?1 AND journal.seq = chain.seq - 1 AND journal.seq > ?2
    )";

fn entries(connection: &Connection, table: i64, after: u64) -> Result<Vec<Numbered>> {
    let sql = format!("{CHAIN} SELECT chain.seq, body FROM chain JOIN journal USING (id) ORDER BY chain.seq");
    rows(connection, &sql, (table, after), |row| Ok((row.get(0)?, row.get(1)?)))
}

/// Deletes the entries of a table before a number.
fn delete_entries(connection: &Connection, table: i64, before: u64) -> Result<u64> {
    let sql = format!("{CHAIN} DELETE FROM journal WHERE id IN (SELECT id FROM chain WHERE seq < ?3)");
    run(connection, &sql, (table, 0, before))
}

/// A journal with a gap must not be played on.
fn check_gaps(row: &TableRow, from: u64, entries: &[Numbered]) -> Result<()> {
    let whole = entries.iter().map(|(seq, _)| *seq).eq(from + 1..=row.last);
    let message = || format!("entries of table {} are missing", row.code);
    if whole { Ok(()) } else { Err(StoreError::Corrupt(message())) }
}

/// All entries of a table that are kept.
pub(crate) fn journal(connection: &Connection, code: &str) -> Result<Vec<Numbered>> {
    let table = row(connection, "SELECT id FROM tables WHERE code = ?", [code], first)?;
    table.map_or(Ok(Vec::new()), |table| entries(connection, table, 0))
}

pub(crate) fn table(connection: &Connection, code: &str) -> Result<Option<TableRow>> {
    row(connection, &format!("{TABLE} WHERE code = ?"), [code], read_table)
}

pub(crate) fn open_tables(connection: &Connection) -> Result<Vec<TableRow>> {
    rows(connection, &format!("{TABLE} WHERE closed IS NULL ORDER BY id"), (), read_table)
}

pub(crate) fn listed_tables(connection: &Connection, most: u32) -> Result<Vec<TableRow>> {
    let sql = format!("{TABLE} WHERE listing IS NOT NULL ORDER BY id DESC LIMIT ?");
    rows(connection, &sql, [most], read_table)
}

pub(crate) fn tables_of(connection: &Connection, guest: u64) -> Result<Vec<TableRow>> {
    let joined = "JOIN people ON people.table_id = tables.id";
    let sql = format!("{TABLE} {joined} WHERE guest_id = ? AND closed IS NULL ORDER BY touched DESC");
    rows(connection, &sql, [guest], read_table)
}

/// Deletes entries before a number, as far as the last snapshot makes them dispensable.
pub(crate) fn prune(connection: &Connection, code: &str, before: u64) -> Result<u64> {
    let find = "SELECT id, seq FROM tables JOIN snapshots ON table_id = id WHERE code = ?";
    let found: Option<(i64, u64)> = row(connection, find, [code], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let Some((table, snapshot)) = found else { return Ok(0) };
    delete_entries(connection, table, before.min(snapshot + 1))
}

// Guests.

pub(crate) fn add_guest(connection: &Connection, guest: &NewGuest) -> Result<u64> {
    let sql = "INSERT INTO guests (token, name, look, created, seen) VALUES (:token, :name, :look, :now, :now)";
    let values = named_params! { ":token": guest.token, ":name": guest.name, ":look": guest.look, ":now": now() };
    run(connection, sql, values)?;
    Ok(connection.last_insert_rowid().unsigned_abs())
}

pub(crate) fn change_guest(connection: &Connection, id: u64, name: Option<&str>, look: Option<&str>) -> Result<u64> {
    let sql = "UPDATE guests SET name = coalesce(?, name), look = coalesce(?, look) WHERE id = ?";
    run(connection, sql, (name, look, id))
}

pub(crate) fn see_guest(connection: &Connection, id: u64) -> Result<u64> {
    run(connection, "UPDATE guests SET seen = ? WHERE id = ?", (now(), id))
}

pub(crate) fn remove_guest(connection: &Connection, id: u64) -> Result<u64> {
    run(connection, "DELETE FROM people WHERE guest_id = ?", [id])?;
    run(connection, "DELETE FROM players WHERE guest_id = ?", [id])?;
    run(connection, "DELETE FROM guests WHERE id = ?", [id])
}

const GUEST: &str = "SELECT id, token, name, look, created, seen FROM guests";

fn read_guest(row: &Row<'_>) -> RowResult<GuestRow> {
    Ok(GuestRow {
        id: row.get(0)?,
        token: row.get(1)?,
        name: row.get(2)?,
        look: row.get(3)?,
        created: row.get(4)?,
        seen: row.get(5)?,
    })
}

pub(crate) fn guest(connection: &Connection, id: u64) -> Result<Option<GuestRow>> {
    row(connection, &format!("{GUEST} WHERE id = ?"), [id], read_guest)
}

pub(crate) fn guest_by_token(connection: &Connection, token: &[u8; 32]) -> Result<Option<GuestRow>> {
    row(connection, &format!("{GUEST} WHERE token = ?"), [token], read_guest)
}

// Records.

/// Stores a record once: the same id again changes nothing.
pub(crate) fn put_record(connection: &Connection, record: &RecordRow) -> Result<u64> {
    let sql = "INSERT OR IGNORE INTO records (id, table_code, stored, summary, body) VALUES (?, ?, ?, ?, ?)";
    let values = (&record.id, &record.table, now(), &record.summary, &record.body);
    let added = run(connection, sql, values)?;
    let number = connection.last_insert_rowid();
    for guest in record.people.iter().filter(|_| added == 1) {
        run(connection, "INSERT OR IGNORE INTO players (guest_id, record) VALUES (?, ?)", (guest, number))?;
    }
    Ok(added)
}

pub(crate) fn record(connection: &Connection, id: &str) -> Result<Option<RecordRow>> {
    let sql = "SELECT number, table_code, summary, body FROM records WHERE id = ?";
    let read = |row: &Row<'_>| Ok((row.get::<_, i64>(0)?, row.get(1)?, row.get(2)?, row.get(3)?));
    let Some((number, table, summary, body)) = row(connection, sql, [id], read)? else { return Ok(None) };
    let people = rows(connection, "SELECT guest_id FROM players WHERE record = ?", [number], first)?;
    Ok(Some(RecordRow { id: id.to_owned(), table, summary, body, people }))
}

pub(crate) fn records_of(connection: &Connection, guest: u64, most: u32) -> Result<Vec<RecordHead>> {
    let sql = "SELECT id, table_code, stored, summary FROM players JOIN records ON number = record
        WHERE guest_id = ? ORDER BY record DESC LIMIT ?";
    rows(connection, sql, (guest, most), |row| {
        Ok(RecordHead { id: row.get(0)?, table: row.get(1)?, stored: row.get(2)?, summary: row.get(3)? })
    })
}

// Housekeeping.

/// Deletes what nobody has touched for long.
pub(crate) fn forget(connection: &Connection, retention: &Retention) -> Result<Forgotten> {
    let now = now();
    let before = |age: Duration| now.saturating_sub(u64::try_from(age.as_millis()).unwrap_or(u64::MAX));
    let delete = |age: Option<Duration>, sql: &str| match age {
        None => Ok(0),
        Some(age) => run(connection, sql, [before(age)]),
    };
    let old = retention.tables.map_or(Ok(Vec::new()), |age| {
        rows(connection, "SELECT id FROM tables WHERE touched <= ?", [before(age)], first::<i64>)
    })?;
    for table in &old {
        delete_entries(connection, *table, i64::MAX as u64)?;
        run(connection, "DELETE FROM tables WHERE id = ?", [table])?;
    }
    let tables = old.len() as u64;
    let records = delete(retention.records, "DELETE FROM records WHERE stored <= ?")?;
    let absent = "DELETE FROM guests WHERE seen <= ? AND id NOT IN (SELECT guest_id FROM people)";
    let guests = delete(retention.guests, absent)?;
    if guests > 0 {
        run(connection, "DELETE FROM players WHERE guest_id NOT IN (SELECT id FROM guests)", ())?;
    }
    Ok(Forgotten { tables, guests, records })
}

/// Writes something that needs room, to find out whether writing works.
pub(crate) fn probe(connection: &Connection) -> Result<()> {
    run(connection, "INSERT INTO probe VALUES (zeroblob(65536))", ())?;
    Ok(())
}

/// Gives the room of the probe back, for others to use.
pub(crate) fn unprobe(connection: &Connection) -> Result<()> {
    run(connection, "DELETE FROM probe", ())?;
    Ok(())
}
