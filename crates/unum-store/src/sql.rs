//! The SQL statements. Everything here runs within a transaction.

use rusqlite::types::FromSql;
use rusqlite::{Connection, OptionalExtension as _, Row, named_params};

use crate::context::{Context, Faded};
use crate::failpoint::{self, Place};
use crate::{
    Batch, GuestRow, ListingChange, NewGuest, Part, Piece, RecordFacts, RecordHead, RecordRow, StoreError, TableRow,
    Unrecorded,
};

type Result<T> = std::result::Result<T, StoreError>;
type RowResult<T> = rusqlite::Result<T>;

/// What a row takes beside its body, about.
pub(crate) const ROW: u64 = 40;
/// What a table takes at least, with its indexes.
pub(crate) const LEAST: u64 = 4096;
/// What a table that is open counts for at least when its owner's tables are added up: as much as an ordinary match
/// needs, so that a match does not end because of other tables.
pub(crate) const RESERVED: u64 = 512 << 10;
/// How many tables of one guest are listed.
pub(crate) const LISTED: u32 = 1000;

/// Runs a prepared statement and returns how many rows it changed.
pub(crate) fn run(connection: &Connection, sql: &str, values: impl rusqlite::Params) -> Result<u64> {
    Ok(connection.prepare_cached(sql)?.execute(values)? as u64)
}

/// The rows of a query.
pub(crate) fn rows<T>(
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
pub(crate) fn row<T>(
    connection: &Connection,
    sql: &str,
    values: impl rusqlite::Params,
    read: impl FnOnce(&Row<'_>) -> RowResult<T>,
) -> Result<Option<T>> {
    Ok(connection.prepare_cached(sql)?.query_row(values, read).optional()?)
}

pub(crate) fn first<T: FromSql>(row: &Row<'_>) -> RowResult<T> {
    row.get(0)
}

// Tables.

/// Writes a batch if it fits, which is decided before anything is written.
pub(crate) fn append(connection: &Connection, batch: &Batch, context: &Context) -> Result<()> {
    failpoint::hit(Place::Writer, &batch.table);
    let last = batch.after + batch.entries.len() as u64;
    if batch.snapshot.as_ref().is_some_and(|(seq, _)| *seq > last) {
        return Err(StoreError::Rejected("a snapshot cannot contain entries that do not exist yet".to_owned()));
    }
    // Entries that the snapshot covers need not be written at all.
    let held = batch.snapshot.as_ref().filter(|_| !context.options.keep_journals).map_or(0, |(seq, _)| *seq);
    let fresh = (batch.after + 1..).zip(&batch.entries).filter(|(seq, _)| *seq > held);
    let bytes: u64 = fresh.clone().map(|(_, body)| body.len() as u64 + ROW).sum();
    let Head { table, tail, bytes: before } = head(connection, batch, bytes, context)?;
    if let Some(tail) = tail.filter(|_| held > 0) {
        context.fade(Faded { table, tail, bytes: before });
    }
    let tail = add_entries(connection, table, tail.filter(|_| held < batch.after), fresh)?;
    let snapshot = batch.snapshot.as_ref().map_or(0, |(_, body)| body.len() as u64 + ROW);
    let bytes = if held > 0 && held >= batch.after { snapshot + bytes } else { before + bytes };
    let advance = "UPDATE tables SET last = ?, bytes = ?, tail = ?, touched = iif(?, touched, ?) WHERE id = ?";
    run(connection, advance, (last, bytes, tail, batch.quiet, context.now(), table))?;
    if let Some((seq, body)) = &batch.snapshot {
        run(connection, "INSERT OR REPLACE INTO snapshots (table_id, seq, body) VALUES (?, ?, ?)", (table, seq, body))?;
    }
    for part in &batch.parts {
        add_part(connection, table, part)?;
    }
    if let Some(invite) = &batch.invite {
        run(connection, "UPDATE tables SET invite = ? WHERE id = ?", (invite, table))?;
    }
    note_people(connection, table, batch)?;
    list(connection, table, batch, context)
}

/// Adds entries after the one at `tail`, and returns the row of the last one.
fn add_entries<'a>(
    connection: &Connection,
    table: i64,
    mut tail: Option<i64>,
    entries: impl Iterator<Item = (u64, &'a Vec<u8>)>,
) -> Result<Option<i64>> {
    let add = "INSERT INTO journal (table_id, seq, previous, body) VALUES (?, ?, ?, ?)";
    for (seq, body) in entries {
        run(connection, add, (table, seq, tail, body))?;
        tail = Some(connection.last_insert_rowid());
    }
    Ok(tail)
}

/// Adds the journal of a table that was copied from elsewhere.
pub(crate) fn import_journal(connection: &Connection, table: i64, entries: &[(u64, Vec<u8>)]) -> Result<u64> {
    let tail = add_entries(connection, table, None, entries.iter().map(|(seq, body)| (*seq, body)))?;
    run(connection, "UPDATE tables SET tail = ? WHERE id = ?", (tail, table))
}

fn add_part(connection: &Connection, table: i64, part: &Part) -> Result<()> {
    if part.first {
        remove_parts(connection, table, part.number)?;
    }
    let add = "INSERT INTO parts (table_id, number, ended, body) VALUES (?, ?, ?, ?)";
    run(connection, add, (table, part.number, part.last, &part.body))?;
    let grow = "UPDATE tables SET part_bytes = part_bytes + ? WHERE id = ?";
    run(connection, grow, (part.body.len() as u64 + ROW, table))?;
    Ok(())
}

fn remove_parts(connection: &Connection, table: i64, number: u32) -> Result<()> {
    if run(connection, "DELETE FROM parts WHERE table_id = ? AND number = ?", (table, number))? > 0 {
        let count = "UPDATE tables SET part_bytes =
            (SELECT coalesce(sum(length(body) + ?2), 0) FROM parts WHERE table_id = ?1) WHERE id = ?1";
        run(connection, count, (table, ROW))?;
    }
    Ok(())
}

/// Notes who is at the table. A guest who left and came back within the batch is there.
fn note_people(connection: &Connection, table: i64, batch: &Batch) -> Result<()> {
    for guest in &batch.left {
        run(connection, "DELETE FROM people WHERE guest_id = ? AND table_id = ?", (guest, table))?;
    }
    for guest in &batch.people {
        run(connection, "INSERT OR IGNORE INTO people (guest_id, table_id) VALUES (?, ?)", (guest, table))?;
    }
    Ok(())
}

fn list(connection: &Connection, table: i64, batch: &Batch, context: &Context) -> Result<()> {
    match &batch.listing {
        ListingChange::Keep => 0,
        ListingChange::Hide => run(connection, "UPDATE tables SET listing = NULL WHERE id = ?", [table])?,
        ListingChange::Show(text) => run(connection, "UPDATE tables SET listing = ? WHERE id = ?", (text, table))?,
    };
    if let Some(talk) = batch.talk {
        let said = if talk { context.now() } else { 0 };
        run(connection, "UPDATE tables SET talk = ? WHERE id = ?", (said, table))?;
    }
    if batch.closed {
        let close = "UPDATE tables SET closed = ?, listing = NULL WHERE id = ? AND closed IS NULL";
        run(connection, close, (context.now(), table))?;
    }
    Ok(())
}

/// What a batch continues from.
#[derive(Default)]
struct Head {
    table: i64,
    /// The row of the last entry.
    tail: Option<i64>,
    /// The size of the table, without the parts of its matches.
    bytes: u64,
}

/// What the batch continues from, if it follows the last entry and there is room for its bytes. A new table is created.
/// If the batch does not fit, nothing is written.
fn head(connection: &Connection, batch: &Batch, bytes: u64, context: &Context) -> Result<Head> {
    let find = "SELECT id, tail, bytes, last, part_bytes, owner FROM tables WHERE code = ?";
    let read = |row: &Row<'_>| {
        let head = Head { table: row.get(0)?, tail: row.get(1)?, bytes: row.get(2)? };
        Ok((head, row.get::<_, u64>(3)?, row.get::<_, u64>(4)?, row.get::<_, Option<u64>>(5)?))
    };
    let Some((head, last, part_bytes, owner)) = row(connection, find, [&batch.table], read)? else {
        return make_table(connection, batch, context);
    };
    let table = head.table.unsigned_abs();
    if last != batch.after {
        return Err(StoreError::Conflict { table, after: batch.after, last });
    }
    let parts: u64 = batch.parts.iter().map(|part| part.body.len() as u64).sum();
    let room = context.options.table_bytes.unwrap_or(i64::MAX as u64).saturating_sub(bytes + parts);
    let grows = part_bytes / RESERVED != (part_bytes + parts) / RESERVED && !batch.parts.iter().any(|part| part.last);
    let too_much = head.bytes + part_bytes > room || (grows && is_over_quota(connection, owner, context)?);
    if too_much { Err(StoreError::OverQuota { table }) } else { Ok(head) }
}

/// Whether the tables of a guest exceed their quota. This is checked whenever a match has grown by [`RESERVED`] and is
/// not over; smaller ones are covered by what is reserved.
fn is_over_quota(connection: &Connection, owner: Option<u64>, context: &Context) -> Result<bool> {
    let (Some(owner), Some(most)) = (owner, context.options.guest_bytes) else { return Ok(false) };
    Ok(table_bytes(connection, owner)? > most)
}

fn make_table(connection: &Connection, batch: &Batch, context: &Context) -> Result<Head> {
    if batch.after != 0 {
        return Err(StoreError::Conflict { table: 0, after: batch.after, last: 0 });
    }
    let (code, now) = (&batch.table, context.now());
    let add = "INSERT INTO tables (code, opened, touched, last, owner) VALUES (?, ?, ?, 0, ?)";
    run(connection, add, (code, now, now, batch.owner))?;
    Ok(Head { table: connection.last_insert_rowid(), ..Head::default() })
}

const TABLE: &str = "SELECT code, opened, touched, closed, last, listing, tables.id, bytes + part_bytes, \
    coalesce(invite, code) FROM tables";

fn read_table(row: &Row<'_>) -> RowResult<TableRow> {
    Ok(TableRow {
        code: row.get(0)?,
        opened: row.get(1)?,
        touched: row.get(2)?,
        closed: row.get(3)?,
        last: row.get(4)?,
        listing: row.get(5)?,
        id: row.get(6)?,
        bytes: row.get(7)?,
        invite: row.get(8)?,
    })
}

/// Shows all that is needed to resume a table, piece by piece, while `show` returns `true`. Returns whether there is
/// such a table.
pub(crate) fn visit(connection: &Connection, code: &str, show: &mut dyn FnMut(Piece<'_>) -> bool) -> Result<bool> {
    let find = format!("{TABLE} WHERE code = ?");
    let Some(table) = row(connection, &find, [code], read_table)? else { return Ok(false) };
    let snapshot = "SELECT seq, body FROM snapshots WHERE table_id = ?";
    let read = |row: &Row<'_>| Ok((row.get::<_, u64>(0)?, row.get::<_, Vec<u8>>(1)?));
    let snapshot = row(connection, snapshot, [table.id], read)?;
    let from = snapshot.as_ref().map_or(0, |(seq, _)| *seq);
    let places = places(connection, table.id, from)?;
    if places.len() as u64 != table.last.saturating_sub(from) {
        return Err(StoreError::Gap { table: table.id });
    }
    let go_on = show(Piece::Table(&table));
    if !(go_on && snapshot.is_none_or(|(seq, body)| show(Piece::Snapshot(seq, &body)))) {
        return Ok(true);
    }
    let mut body = connection.prepare_cached("SELECT seq, body FROM journal WHERE id = ?")?;
    for (place, seq) in places.into_iter().rev() {
        let shown = body.query_row([place], |row| {
            Ok((row.get::<_, u64>(0)?, show(Piece::Entry(seq, row.get_ref(1)?.as_blob()?))))
        })?;
        if shown.0 != seq {
            return Err(StoreError::Gap { table: table.id });
        }
        if !shown.1 {
            break;
        }
    }
    Ok(true)
}

/// The id of the table with that code on its invitation. A code that was replaced finds nothing.
pub(crate) fn invited(connection: &Connection, invite: &str) -> Result<Option<String>> {
    let sql = "SELECT code FROM tables WHERE invite = ?1 OR invite IS NULL AND code = ?1";
    row(connection, sql, [invite], first)
}

/// The entries of table `?1` after number `?2`, from the last back to the first gap.
const CHAIN: &str = "WITH RECURSIVE chain (id, seq, previous) AS (
        SELECT journal.id, seq, previous FROM tables JOIN journal ON journal.id = tail
            WHERE tables.id = ?1 AND table_id = ?1 AND seq > ?2
        UNION ALL
        SELECT journal.id, journal.seq, journal.previous FROM chain JOIN journal ON journal.id = chain.previous
            WHERE table_id = ?1 AND journal.seq = chain.seq - 1 AND journal.seq > ?2
    )";

/// The rows of a table's entries after a number, and their numbers, last first. There are no gaps, but the chain may
/// end too early.
fn places(connection: &Connection, table: u64, after: u64) -> Result<Vec<(i64, u64)>> {
    let sql = format!("{CHAIN} SELECT id, seq FROM chain");
    rows(connection, &sql, (table, after), |row| Ok((row.get(0)?, row.get(1)?)))
}

/// The entries of table `?1`, from the one at `?2` back to the first gap, that a snapshot covers; all of them if the
/// table is gone.
const HELD: &str = "WITH RECURSIVE chain (id, seq, previous) AS (
        SELECT id, seq, previous FROM journal WHERE id = ?2 AND table_id = ?1
        UNION ALL
        SELECT journal.id, journal.seq, journal.previous FROM chain JOIN journal ON journal.id = chain.previous
            WHERE table_id = ?1 AND journal.seq = chain.seq - 1
    ) SELECT id FROM chain WHERE seq <= coalesce(
        (SELECT seq FROM snapshots WHERE table_id = ?1), (SELECT 0 FROM tables WHERE id = ?1), seq)";

/// Deletes entries that a snapshot covers, in the order in which they lie on disk. If that snapshot was not written
/// after all, its entries are kept.
pub(crate) fn sweep(connection: &Connection, faded: &[Faded]) -> Result<()> {
    let mut places: Vec<i64> = Vec::new();
    for Faded { table, tail, .. } in faded {
        places.extend(rows::<i64>(connection, HELD, (table, tail), first)?);
    }
    places.sort_unstable();
    for place in places {
        run(connection, "DELETE FROM journal WHERE id = ?", [place])?;
    }
    Ok(())
}

/// Deletes all entries that snapshots cover, and those of tables that are gone. After a crash, their rows are not
/// known.
pub(crate) fn sweep_all(connection: &Connection) -> Result<()> {
    let sql = "DELETE FROM journal WHERE seq <= coalesce(
        (SELECT seq FROM snapshots WHERE snapshots.table_id = journal.table_id),
        (SELECT 0 FROM tables WHERE tables.id = journal.table_id), seq)";
    run(connection, sql, ())?;
    Ok(())
}

/// Deletes all entries of a table.
fn delete_entries(connection: &Connection, table: i64) -> Result<u64> {
    let sql = format!("{CHAIN} DELETE FROM journal WHERE id IN (SELECT id FROM chain)");
    run(connection, &sql, (table, 0))
}

/// All entries that the database still has of a table.
pub(crate) fn journal(connection: &Connection, code: &str) -> Result<Vec<(u64, Vec<u8>)>> {
    let Some(table) = row(connection, "SELECT id FROM tables WHERE code = ?", [code], first)? else {
        return Ok(Vec::new());
    };
    let body = |(place, seq): (i64, u64)| {
        let found = row(connection, "SELECT body FROM journal WHERE id = ?", [place], first)?;
        Ok((seq, found.unwrap_or_default()))
    };
    places(connection, table, 0)?.into_iter().rev().map(body).collect()
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
    let sql = format!("{TABLE} {joined} WHERE guest_id = ? AND closed IS NULL ORDER BY touched DESC LIMIT ?");
    rows(connection, &sql, (guest, LISTED), read_table)
}

/// The size of a guest's tables, with what is reserved for the open ones.
pub(crate) fn table_bytes(connection: &Connection, owner: u64) -> Result<u64> {
    let sql = "SELECT coalesce(sum(max(bytes + part_bytes, iif(closed IS NULL, ?, ?))), 0) FROM tables WHERE owner = ?";
    Ok(row(connection, sql, (RESERVED, LEAST, owner), first)?.unwrap_or(0))
}

/// The codes of tables at which something was said, but nothing since a date.
pub(crate) fn talkative(connection: &Connection, before: u64, most: u32) -> Result<Vec<String>> {
    let sql = "SELECT coalesce(invite, code) FROM tables WHERE talk > 0 AND talk <= ? ORDER BY talk LIMIT ?";
    rows(connection, sql, (before, most), first)
}

// Guests.

pub(crate) fn add_guest(connection: &Connection, guest: &NewGuest, now: u64) -> Result<u64> {
    let sql = "INSERT INTO guests (token, name, look, created, seen) VALUES (:token, :name, :look, :now, :now)";
    let values = named_params! { ":token": guest.token, ":name": guest.name, ":look": guest.look, ":now": now };
    run(connection, sql, values)?;
    Ok(connection.last_insert_rowid().unsigned_abs())
}

pub(crate) fn change_guest(connection: &Connection, id: u64, name: Option<&str>, look: Option<&str>) -> Result<u64> {
    let sql = "UPDATE guests SET name = coalesce(?, name), look = coalesce(?, look) WHERE id = ?";
    run(connection, sql, (name, look, id))
}

pub(crate) fn change_token(connection: &Connection, id: u64, token: &[u8; 32]) -> Result<u64> {
    run(connection, "UPDATE guests SET token = ? WHERE id = ?", (token, id))
}

pub(crate) fn see_guest(connection: &Connection, id: u64, now: u64) -> Result<u64> {
    run(connection, "UPDATE guests SET seen = ? WHERE id = ?", (now, id))
}

pub(crate) fn remove_guest(connection: &Connection, id: u64) -> Result<u64> {
    run(connection, "DELETE FROM people WHERE guest_id = ?", [id])?;
    run(connection, "DELETE FROM players WHERE guest_id = ?", [id])?;
    run(connection, "DELETE FROM blocks WHERE guest_id = ?1 OR other_id = ?1", [id])?;
    run(connection, "DELETE FROM guests WHERE id = ?", [id])
}

const GUEST: &str = "SELECT id, token, name, look, created, seen, season FROM guests";

fn read_guest(row: &Row<'_>) -> RowResult<GuestRow> {
    Ok(GuestRow {
        id: row.get(0)?,
        token: row.get(1)?,
        name: row.get(2)?,
        look: row.get(3)?,
        created: row.get(4)?,
        seen: row.get(5)?,
        season: row.get(6)?,
    })
}

pub(crate) fn guest_by_token(connection: &Connection, token: &[u8; 32]) -> Result<Option<GuestRow>> {
    row(connection, &format!("{GUEST} WHERE token = ?"), [token], read_guest)
}

pub(crate) fn guest(connection: &Connection, id: u64) -> Result<Option<GuestRow>> {
    row(connection, &format!("{GUEST} WHERE id = ?"), [id], read_guest)
}

// Records.

/// Finished matches without a record, oldest first.
pub(crate) fn unrecorded(connection: &Connection, most: u32) -> Result<Vec<Unrecorded>> {
    let sql = "SELECT tables.id, code, number FROM parts JOIN tables ON tables.id = table_id
        WHERE ended = 1 ORDER BY parts.id LIMIT ?";
    rows(connection, sql, [most], |row| Ok(Unrecorded { id: row.get(0)?, table: row.get(1)?, number: row.get(2)? }))
}

/// The parts of a match, in order.
pub(crate) fn parts(connection: &Connection, code: &str, number: u32) -> Result<Vec<Vec<u8>>> {
    let sql =
        "SELECT body FROM parts JOIN tables ON tables.id = table_id WHERE code = ? AND number = ? ORDER BY parts.id";
    rows(connection, sql, (code, number), first)
}

/// Marks a match that cannot be recorded, so that it is not tried again.
pub(crate) fn give_up(connection: &Connection, code: &str, number: u32) -> Result<u64> {
    let sql = "UPDATE parts SET ended = 2 WHERE ended = 1 AND number = ?
        AND table_id = (SELECT id FROM tables WHERE code = ?)";
    run(connection, sql, (number, code))
}

/// Stores a record in place of the parts it was made from. Storing the same id again changes nothing.
pub(crate) fn put_record(connection: &Connection, record: &RecordRow, context: &Context) -> Result<u64> {
    let find = "SELECT id, owner, listing IS NOT NULL FROM tables WHERE code = ?";
    let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
    let found: Option<(i64, Option<u64>, bool)> = row(connection, find, [&record.table], read)?;
    let (owner, public) = found.map_or((None, false), |(_, owner, public)| (owner, public));
    let sql =
        "INSERT OR IGNORE INTO records (id, table_code, stored, summary, body, owner, game, made_by, public, figures)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    let RecordRow { id, table, summary, body, number: game, made_by, figures, .. } = record;
    let added = run(connection, sql, (id, table, context.now(), summary, body, owner, game, made_by, public, figures))?;
    let number = connection.last_insert_rowid();
    let seated = (0_u64..).zip(&record.people).filter_map(|(seat, guest)| Some((seat, (*guest)?)));
    for (seat, guest) in seated.filter(|_| added == 1) {
        let add = "INSERT OR IGNORE INTO players (guest_id, record, seat, counted)
            VALUES (?, ?, ?, ?)";
        run(connection, add, (guest, number, seat, !record.uncounted.contains(&guest)))?;
    }
    for guest in record.former.iter().filter(|_| added == 1) {
        let add = "INSERT OR IGNORE INTO players (guest_id, record) VALUES (?, ?)";
        run(connection, add, (guest, number))?;
    }
    if let Some((table, ..)) = found {
        remove_parts(connection, table, record.number)?;
    }
    make_room(connection, owner, number, context)?;
    Ok(added)
}

/// Deletes the oldest finished games of a guest's tables until the rest fits the quota.
fn make_room(connection: &Connection, owner: Option<u64>, newest: i64, context: &Context) -> Result<()> {
    let (Some(owner), Some(most)) = (owner, context.options.guest_bytes) else { return Ok(()) };
    let taken = "SELECT record_bytes FROM guests WHERE id = ?";
    while row(connection, taken, [owner], first)?.is_some_and(|bytes: u64| bytes > most) {
        let oldest = "DELETE FROM records WHERE number =
            (SELECT number FROM records WHERE owner = ? AND number < ? ORDER BY number LIMIT 1)";
        if run(connection, oldest, (owner, newest))? == 0 {
            break;
        }
    }
    Ok(())
}

pub(crate) fn record(connection: &Connection, id: &str) -> Result<Option<RecordRow>> {
    let sql = "SELECT number, table_code, summary, body, game, made_by FROM records WHERE id = ?";
    let read = |row: &Row<'_>| {
        let (table, summary, body) = (row.get(1)?, row.get(2)?, row.get(3)?);
        let (number, made_by) = (row.get(4)?, row.get(5)?);
        let record = RecordRow { id: id.to_owned(), table, summary, body, number, made_by, ..RecordRow::default() };
        Ok((row.get::<_, i64>(0)?, record))
    };
    let Some((number, mut record)) = row(connection, sql, [id], read)? else { return Ok(None) };
    let find = "SELECT seat, guest_id FROM players WHERE record = ? AND seat IS NOT NULL ORDER BY seat";
    for (seat, guest) in rows(connection, find, [number], |row| Ok((row.get::<_, u64>(0)?, row.get(1)?)))? {
        record.people.resize(seat as usize, None);
        record.people.push(Some(guest));
    }
    Ok(Some(record))
}

pub(crate) fn record_facts(connection: &Connection, id: &str) -> Result<Option<RecordFacts>> {
    let sql = "SELECT number, public, length(body) FROM records WHERE id = ?";
    let read = |row: &Row<'_>| Ok((row.get::<_, i64>(0)?, row.get(1)?, row.get(2)?));
    let Some((number, public, length)) = row(connection, sql, [id], read)? else { return Ok(None) };
    let people = rows(connection, "SELECT guest_id FROM players WHERE record = ?", [number], first)?;
    Ok(Some(RecordFacts { public, length, people }))
}

/// Bytes of a record from an offset on, and its whole length.
pub(crate) fn record_part(connection: &Connection, id: &str, from: u64, most: u64) -> Result<Option<(u64, Vec<u8>)>> {
    let sql = "SELECT length(body), substr(body, ?, ?) FROM records WHERE id = ?";
    row(connection, sql, (from + 1, most, id), |row| Ok((row.get(0)?, row.get(1)?)))
}

/// A page of a guest's games, with the guest's seat in each.
pub(crate) fn seats_of(connection: &Connection, guest: u64, most: u32) -> Result<Vec<(String, Option<u8>)>> {
    let sql = "SELECT id, seat FROM players JOIN records ON number = record WHERE guest_id = ? LIMIT ?";
    rows(connection, sql, (guest, most), |row| Ok((row.get(0)?, row.get(1)?)))
}

/// Rewrites a record without one of its guests.
pub(crate) fn rewrite_record(
    connection: &Connection,
    id: &str,
    guest: u64,
    new: Option<&(String, Vec<u8>)>,
) -> Result<u64> {
    if let Some((summary, body)) = new {
        run(connection, "UPDATE records SET summary = ?, body = ? WHERE id = ?", (summary, body, id))?;
    }
    let sql = "DELETE FROM players WHERE guest_id = ? AND record = (SELECT number FROM records WHERE id = ?)";
    run(connection, sql, (guest, id))
}

pub(crate) fn records_of(connection: &Connection, guest: u64, most: u32) -> Result<Vec<RecordHead>> {
    let sql = "SELECT id, table_code, stored, summary FROM players JOIN records ON number = record
        WHERE guest_id = ? ORDER BY record DESC LIMIT ?";
    rows(connection, sql, (guest, most), |row| {
        Ok(RecordHead { id: row.get(0)?, table: row.get(1)?, stored: row.get(2)?, summary: row.get(3)? })
    })
}

// Housekeeping.

/// How many tables, guests or records one transaction deletes.
pub(crate) const SLICE: u32 = 50;

/// The latest date in the database.
pub(crate) fn latest(connection: &Connection) -> Result<Option<u64>> {
    let sql = "SELECT max(at) FROM (SELECT max(touched) AS at FROM tables
        UNION ALL SELECT max(seen) FROM guests UNION ALL SELECT max(stored) FROM records)";
    Ok(row(connection, sql, (), first)?.flatten())
}

/// The next tables, after a number, that were not touched since a date: their numbers and codes.
pub(crate) fn old_tables(connection: &Connection, before: u64, after: u64) -> Result<Vec<(u64, String)>> {
    let sql = "SELECT id, coalesce(invite, code) FROM tables WHERE touched <= ? AND id > ? ORDER BY id LIMIT ?";
    rows(connection, sql, (before, after, SLICE), |row| Ok((row.get(0)?, row.get(1)?)))
}

/// Deletes tables with all that belongs to them, unless they were touched in the meantime.
pub(crate) fn delete_tables(connection: &Connection, tables: &[u64], before: u64) -> Result<u64> {
    let mut deleted = 0;
    for table in tables {
        let old = row(connection, "SELECT id FROM tables WHERE id = ? AND touched <= ?", (table, before), first)?;
        if let Some(table) = old {
            delete_entries(connection, table)?;
            deleted += run(connection, "DELETE FROM tables WHERE id = ?", [table])?;
        }
    }
    Ok(deleted)
}

/// Deletes a slice of the guests who have not been seen since a date and are at no table.
pub(crate) fn delete_guests(connection: &Connection, before: u64) -> Result<u64> {
    let absent = "SELECT id FROM guests WHERE seen <= ?
        AND NOT EXISTS (SELECT 1 FROM people WHERE guest_id = guests.id) LIMIT ?";
    let absent: Vec<u64> = rows(connection, absent, (before, SLICE), first)?;
    absent.iter().map(|guest| remove_guest(connection, *guest)).sum()
}

/// Deletes a slice of the records that were stored before a date.
pub(crate) fn delete_records(connection: &Connection, before: u64) -> Result<u64> {
    let sql = "DELETE FROM records WHERE number IN (SELECT number FROM records WHERE stored <= ? LIMIT ?)";
    run(connection, sql, (before, SLICE))
}

/// Deletes tables and records, whole or not. The chain of a damaged journal may be broken, so all entries are looked at.
pub(crate) fn discard(connection: &Connection, tables: &[i64], records: &[i64]) -> Result<u64> {
    for table in tables {
        run(connection, "DELETE FROM journal WHERE table_id = ?", [table])?;
        run(connection, "DELETE FROM tables WHERE id = ?", [table])?;
    }
    for record in records {
        run(connection, "DELETE FROM records WHERE number = ?", [record])?;
    }
    Ok(0)
}

/// Returns a slice of the free pages to the disk, if it is worth it, and says how many.
pub(crate) fn shrink(connection: &Connection, worth: u64) -> Result<u64> {
    let free: u64 = connection.pragma_query_value(None, "freelist_count", |row| row.get(0))?;
    if free <= worth {
        return Ok(0);
    }
    let slice = (free - worth).min(256);
    // The pragma answers with a row per page.
    let mut statement = connection.prepare(&format!("PRAGMA incremental_vacuum({slice})"))?;
    let mut pages = statement.query(())?;
    while pages.next()?.is_some() {}
    Ok(slice)
}

/// Writes something that needs space, to find out whether writing works.
pub(crate) fn probe(connection: &Connection) -> Result<()> {
    run(connection, "INSERT INTO probe VALUES (zeroblob(65536))", ())?;
    Ok(())
}

/// Frees the space of the probe.
pub(crate) fn unprobe(connection: &Connection) -> Result<()> {
    run(connection, "DELETE FROM probe", ())?;
    Ok(())
}
