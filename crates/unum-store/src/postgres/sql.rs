//! The statements that are not about appending to journals.

use tokio_postgres::Row;

use super::group::signed;
use super::link::{Fault, Link, Value, bytes, int, ints, maybe_int, text};
use crate::inspect::Waiting;
use crate::sql::{LEAST, LISTED, RESERVED, ROW, SLICE};
use crate::{GuestRow, NewGuest, RecordFacts, RecordHead, RecordRow, StoreError, TableRow, Unrecorded};

type Result<T> = std::result::Result<T, Fault>;

pub(crate) fn number(row: &Row, column: usize) -> u64 {
    row.get::<_, i64>(column).unsigned_abs()
}

fn maybe_number(row: &Row, column: usize) -> Option<u64> {
    row.get::<_, Option<i64>>(column).map(i64::unsigned_abs)
}

// Tables.

pub(crate) const TABLE: &str = "SELECT code, opened, touched, closed, last, listing, tables.id, bytes + part_bytes, \
    coalesce(invite, code) FROM tables";

pub(crate) fn table(row: &Row) -> TableRow {
    TableRow {
        code: row.get(0),
        opened: number(row, 1),
        touched: number(row, 2),
        closed: maybe_number(row, 3),
        last: number(row, 4),
        listing: row.get(5),
        id: number(row, 6),
        bytes: number(row, 7),
        invite: row.get(8),
    }
}

async fn tables(link: &Link, condition: &str, values: &[Value<'_>]) -> Result<Vec<TableRow>> {
    Ok(link.rows(&format!("{TABLE} {condition}"), values).await?.iter().map(table).collect())
}

pub(crate) async fn open_tables(link: &Link) -> Result<Vec<TableRow>> {
    tables(link, "WHERE closed IS NULL ORDER BY id", &[]).await
}

pub(crate) async fn listed_tables(link: &Link, most: u32) -> Result<Vec<TableRow>> {
    tables(link, "WHERE listing IS NOT NULL ORDER BY id DESC LIMIT $1", &[int(&i64::from(most))]).await
}

/// Whether a table is run by a node of the cluster.
const RUNNING: &str = "EXISTS (SELECT 1 FROM nodes WHERE nodes.id = tables.node AND alive AND address <> '')";

pub(crate) async fn running(link: &Link, most: u32) -> Result<Vec<TableRow>> {
    let condition = format!("WHERE listing IS NOT NULL AND {RUNNING} ORDER BY id DESC LIMIT $1");
    tables(link, &condition, &[int(&i64::from(most))]).await
}

pub(crate) async fn running_of(link: &Link, owner: u64) -> Result<u64> {
    let sql = format!("SELECT count(*) FROM tables WHERE owner = $1 AND closed IS NULL AND {RUNNING}");
    Ok(link.row(&sql, &[int(&signed(owner))]).await?.map_or(0, |row| number(&row, 0)))
}

pub(crate) async fn opened_by(link: &Link, owner: u64, since: u64) -> Result<u64> {
    let sql = "SELECT count(*) FROM tables WHERE owner = $1 AND opened >= $2";
    Ok(link.row(sql, &[int(&signed(owner)), int(&signed(since))]).await?.map_or(0, |row| number(&row, 0)))
}

pub(crate) async fn tables_of(link: &Link, guest: u64) -> Result<Vec<TableRow>> {
    let joined = "JOIN people ON people.table_id = tables.id WHERE guest_id = $1 AND closed IS NULL
        ORDER BY touched DESC LIMIT $2";
    tables(link, joined, &[int(&signed(guest)), int(&i64::from(LISTED))]).await
}

pub(crate) async fn invited(link: &Link, invite: &str) -> Result<Option<String>> {
    let sql = "SELECT code FROM tables WHERE invite = $1 OR invite IS NULL AND code = $1";
    Ok(link.row(sql, &[text(&invite)]).await?.map(|row| row.get(0)))
}

/// A table with its last snapshot and the number of entries after it.
pub(crate) async fn head(link: &Link, code: &str) -> Result<Option<(TableRow, Option<(u64, Vec<u8>)>, u64)>> {
    let Some(found) = link.row(&format!("{TABLE} WHERE code = $1"), &[text(&code)]).await? else { return Ok(None) };
    let found = table(&found);
    let id = signed(found.id);
    let snapshot = link.row("SELECT seq, body FROM snapshots WHERE table_id = $1", &[int(&id)]).await?;
    let snapshot = snapshot.map(|row| (number(&row, 0), row.get::<_, Vec<u8>>(1)));
    let from = snapshot.as_ref().map_or(0, |(seq, _)| signed(*seq));
    let count = "SELECT count(*) FROM journal WHERE table_id = $1 AND seq > $2";
    let count = link.row(count, &[int(&id), int(&from)]).await?.map_or(0, |row| number(&row, 0));
    Ok(Some((found, snapshot, count)))
}

/// Some of the entries of a table after a number.
pub(crate) async fn entries(link: &Link, table: u64, after: u64, most: u32) -> Result<Vec<(u64, Vec<u8>)>> {
    let sql = "SELECT seq, body FROM journal WHERE table_id = $1 AND seq > $2 ORDER BY seq LIMIT $3";
    let rows = link.rows(sql, &[int(&signed(table)), int(&signed(after)), int(&i64::from(most))]).await?;
    Ok(rows.iter().map(|row| (number(row, 0), row.get(1))).collect())
}

pub(crate) async fn journal(link: &Link, code: &str) -> Result<Vec<(u64, Vec<u8>)>> {
    let sql = "SELECT seq, body FROM journal WHERE table_id = (SELECT id FROM tables WHERE code = $1) ORDER BY seq";
    Ok(link.rows(sql, &[text(&code)]).await?.iter().map(|row| (number(row, 0), row.get(1))).collect())
}

pub(crate) async fn table_bytes(link: &Link, owner: u64) -> Result<u64> {
    let sql = format!("{} $1", taken_by());
    Ok(link.row(&sql, &[int(&signed(owner))]).await?.map_or(0, |row| number(&row, 0)))
}

/// The size of a guest's tables, with the reservations of open ones. The guest's number follows.
pub(crate) fn taken_by() -> String {
    format!(
        "SELECT coalesce(sum(greatest(bytes + part_bytes, CASE WHEN closed IS NULL THEN {RESERVED} ELSE {LEAST} END)), \
         0)::int8 FROM tables AS owned WHERE owned.owner ="
    )
}

pub(crate) async fn talkative(link: &Link, before: u64, most: u32) -> Result<Vec<String>> {
    let sql = "SELECT coalesce(invite, code) FROM tables WHERE talk > 0 AND talk <= $1 ORDER BY talk LIMIT $2";
    let rows = link.rows(sql, &[int(&signed(before)), int(&i64::from(most))]).await?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}

// Guests.

pub(crate) async fn add_guest(link: &Link, guest: &NewGuest, now: u64) -> Result<u64> {
    let sql = "INSERT INTO guests (token, name, look, created, seen) VALUES ($1, $2, $3, $4, $4) RETURNING id";
    let (token, now) = (guest.token.as_slice(), signed(now));
    let values = [bytes(&token), text(&guest.name), text(&guest.look), int(&now)];
    Ok(link.row(sql, &values).await?.map_or(0, |row| number(&row, 0)))
}

pub(crate) async fn change_guest(link: &Link, id: u64, name: Option<&str>, look: Option<&str>) -> Result<u64> {
    let sql = "UPDATE guests SET name = coalesce($1, name), look = coalesce($2, look) WHERE id = $3";
    link.run(sql, &[text(&name), text(&look), int(&signed(id))]).await
}

pub(crate) async fn change_token(link: &Link, id: u64, token: &[u8; 32]) -> Result<u64> {
    let token = token.as_slice();
    link.run("UPDATE guests SET token = $1 WHERE id = $2", &[bytes(&token), int(&signed(id))]).await
}

pub(crate) async fn see_guest(link: &Link, id: u64, now: u64) -> Result<u64> {
    link.run("UPDATE guests SET seen = $1 WHERE id = $2", &[int(&signed(now)), int(&signed(id))]).await
}

pub(crate) async fn remove_guest(link: &Link, id: u64) -> Result<u64> {
    let id = signed(id);
    let sql = "WITH a AS (DELETE FROM people WHERE guest_id = $1), b AS (DELETE FROM players WHERE guest_id = $1),
        c AS (DELETE FROM blocks WHERE guest_id = $1 OR other_id = $1) DELETE FROM guests WHERE id = $1";
    link.run(sql, &[int(&id)]).await
}

const GUEST: &str = "SELECT id, token, name, look, created, seen, season FROM guests";

fn guest_of(row: &Row) -> Result<GuestRow> {
    let damaged = |_| Fault::Refused(StoreError::Corrupt("the token of a guest has not 32 bytes".to_owned()));
    Ok(GuestRow {
        id: number(row, 0),
        token: row.get::<_, Vec<u8>>(1).try_into().map_err(damaged)?,
        name: row.get(2),
        look: row.get(3),
        created: number(row, 4),
        seen: number(row, 5),
        season: number(row, 6) != 0,
    })
}

pub(crate) async fn guest_by_token(link: &Link, token: &[u8; 32]) -> Result<Option<GuestRow>> {
    let token = token.as_slice();
    link.row(&format!("{GUEST} WHERE token = $1"), &[bytes(&token)]).await?.as_ref().map(guest_of).transpose()
}

pub(crate) async fn guest(link: &Link, id: u64) -> Result<Option<GuestRow>> {
    link.row(&format!("{GUEST} WHERE id = $1"), &[int(&signed(id))]).await?.as_ref().map(guest_of).transpose()
}

// Records.

/// Other nodes record their own tables.
pub(crate) async fn unrecorded(link: &Link, node: i64, most: u32) -> Result<Vec<Unrecorded>> {
    let sql = format!(
        "SELECT tables.id, code, number FROM parts JOIN tables ON tables.id = table_id
        WHERE ended = 1 AND (node = $2 OR NOT {RUNNING}) ORDER BY parts.id LIMIT $1"
    );
    let read = |row: &Row| Unrecorded { id: number(row, 0), table: row.get(1), number: small(row, 2) };
    Ok(link.rows(&sql, &[int(&i64::from(most)), int(&node)]).await?.iter().map(read).collect())
}

fn small(row: &Row, column: usize) -> u32 {
    u32::try_from(row.get::<_, i64>(column)).unwrap_or(u32::MAX)
}

pub(crate) async fn parts(link: &Link, code: &str, number: u32) -> Result<Vec<Vec<u8>>> {
    let sql = "SELECT body FROM parts JOIN tables ON tables.id = table_id
        WHERE code = $1 AND number = $2 ORDER BY parts.id";
    Ok(link.rows(sql, &[text(&code), int(&i64::from(number))]).await?.iter().map(|row| row.get(0)).collect())
}

pub(crate) async fn give_up(link: &Link, code: &str, number: u32) -> Result<u64> {
    let sql = "UPDATE parts SET ended = 2 WHERE ended = 1 AND number = $1
        AND table_id = (SELECT id FROM tables WHERE code = $2)";
    link.run(sql, &[int(&i64::from(number)), text(&code)]).await
}

/// Replaces the parts of a match with its record. Idempotent: the same id again changes nothing.
pub(crate) async fn put_record(link: &Link, record: &RecordRow, now: u64, most: Option<u64>) -> Result<u64> {
    // The table's row is locked: parts that arrive meanwhile wait and are counted.
    let find = "SELECT id, owner, listing IS NOT NULL FROM tables WHERE code = $1 FOR UPDATE";
    let found = link.row(find, &[text(&record.table)]).await?;
    let (owner, public) = found.as_ref().map_or((None, false), |row| (row.get::<_, Option<i64>>(1), row.get(2)));
    let sql = "INSERT INTO records (id, table_code, stored, summary, body, owner, game, made_by, public, figures)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING RETURNING number";
    let RecordRow { id, table, summary, body, number: game, made_by, figures, .. } = record;
    let (stored, game) = (signed(now), i64::from(*game));
    let public = i64::from(public);
    let values = [
        text(id),
        text(table),
        int(&stored),
        text(summary),
        bytes(body),
        maybe_int(&owner),
        int(&game),
        text(made_by),
        int(&public),
        bytes(figures),
    ];
    let added: Option<i64> = link.row(sql, &values).await?.map(|row| row.get(0));
    if let Some(number) = added {
        add_players(link, number, record).await?;
    }
    if let Some(row) = found {
        remove_parts(link, row.get(0), record.number).await?;
    }
    if let (Some(owner), Some(most), Some(newest)) = (owner, most, added) {
        make_room(link, owner, signed(most), newest).await?;
    }
    Ok(u64::from(added.is_some()))
}

async fn add_players(link: &Link, number: i64, record: &RecordRow) -> Result<()> {
    let seated = (0_i64..).zip(&record.people).filter_map(|(seat, guest)| Some((seat, signed((*guest)?))));
    let (seats, guests): (Vec<i64>, Vec<i64>) = seated.unzip();
    let uncounted: Vec<i64> = record.uncounted.iter().copied().map(signed).collect();
    let add = "INSERT INTO players (guest_id, record, seat, counted)
        SELECT guest, $1, seat, CASE WHEN guest = ANY ($4) THEN 0 ELSE 1 END
        FROM unnest($2, $3) AS p (guest, seat) ON CONFLICT DO NOTHING";
    link.run(add, &[int(&number), ints(&guests), ints(&seats), ints(&uncounted)]).await?;
    let former: Vec<i64> = record.former.iter().copied().map(signed).collect();
    let add = "INSERT INTO players (guest_id, record) SELECT guest, $1 FROM unnest($2) AS p (guest)
        ON CONFLICT DO NOTHING";
    link.run(add, &[int(&number), ints(&former)]).await?;
    Ok(())
}

async fn remove_parts(link: &Link, table: i64, number: u32) -> Result<()> {
    let number = i64::from(number);
    let deleted =
        link.run("DELETE FROM parts WHERE table_id = $1 AND number = $2", &[int(&table), int(&number)]).await?;
    if deleted > 0 {
        let count = format!(
            "UPDATE tables SET part_bytes =
            (SELECT coalesce(sum(length(body) + {ROW}), 0)::int8 FROM parts WHERE table_id = $1) WHERE id = $1"
        );
        link.run(&count, &[int(&table)]).await?;
    }
    Ok(())
}

/// Deletes a guest's oldest finished games until the rest fits the quota. The newest always stays.
async fn make_room(link: &Link, owner: i64, most: i64, newest: i64) -> Result<()> {
    let sql = "WITH gone AS (
            DELETE FROM records WHERE number < $3 AND number IN (
                SELECT number FROM (SELECT number, sum(length(body) + coalesce(length(review), 0) + coalesce(length(figures), 0))
                    OVER (ORDER BY number DESC) AS taken
                    FROM records WHERE owner = $1) AS kept WHERE taken > $2)
            RETURNING number
        ) DELETE FROM players USING gone WHERE record = gone.number";
    link.run(sql, &[int(&owner), int(&most), int(&newest)]).await?;
    Ok(())
}

pub(crate) async fn record(link: &Link, id: &str) -> Result<Option<RecordRow>> {
    let sql = "SELECT number, table_code, summary, body, game, made_by FROM records WHERE id = $1";
    let Some(row) = link.row(sql, &[text(&id)]).await? else { return Ok(None) };
    let find = "SELECT seat, guest_id FROM players WHERE record = $1 AND seat IS NOT NULL ORDER BY seat";
    let mut people = Vec::new();
    for player in link.rows(find, &[int(&row.get(0))]).await? {
        people.resize(usize::try_from(player.get::<_, i64>(0)).unwrap_or(0), None);
        people.push(Some(number(&player, 1)));
    }
    Ok(Some(RecordRow {
        id: id.to_owned(),
        table: row.get(1),
        summary: row.get(2),
        body: row.get(3),
        people,
        number: small(&row, 4),
        made_by: row.get(5),
        ..RecordRow::default()
    }))
}

pub(crate) async fn record_facts(link: &Link, id: &str) -> Result<Option<RecordFacts>> {
    let sql = "SELECT number, public, length(body)::int8 FROM records WHERE id = $1";
    let Some(row) = link.row(sql, &[text(&id)]).await? else { return Ok(None) };
    let find = "SELECT guest_id FROM players WHERE record = $1 ORDER BY guest_id";
    let people = link.rows(find, &[int(&row.get(0))]).await?.iter().map(|row| number(row, 0)).collect();
    Ok(Some(RecordFacts { public: row.get::<_, i64>(1) != 0, length: number(&row, 2), people }))
}

pub(crate) async fn record_part(link: &Link, id: &str, from: u64, most: u64) -> Result<Option<(u64, Vec<u8>)>> {
    let sql = "SELECT length(body)::int8, substr(body, $2::int4, $3::int4) FROM records WHERE id = $1";
    // A body has less than a gigabyte.
    let short = |number: u64| i64::try_from(number).unwrap_or(i64::MAX).min(1 << 30);
    let row = link.row(sql, &[text(&id), int(&(short(from) + 1)), int(&short(most))]).await?;
    Ok(row.map(|row| (number(&row, 0), row.get(1))))
}

pub(crate) async fn seats_of(link: &Link, guest: u64, most: u32) -> Result<Vec<(String, Option<u8>)>> {
    let sql =
        "SELECT id, seat FROM players JOIN records ON number = record WHERE guest_id = $1 ORDER BY number LIMIT $2";
    let rows = link.rows(sql, &[int(&signed(guest)), int(&i64::from(most))]).await?;
    let seat = |row: &Row| row.get::<_, Option<i64>>(1).and_then(|seat| u8::try_from(seat).ok());
    Ok(rows.iter().map(|row| (row.get(0), seat(row))).collect())
}

pub(crate) async fn rewrite_record(link: &Link, id: &str, guest: u64, new: Option<&(String, Vec<u8>)>) -> Result<u64> {
    if let Some((summary, body)) = new {
        let sql = "UPDATE records SET summary = $1, body = $2 WHERE id = $3";
        link.run(sql, &[text(summary), bytes(body), text(&id)]).await?;
    }
    let sql = "DELETE FROM players WHERE guest_id = $1 AND record = (SELECT number FROM records WHERE id = $2)";
    link.run(sql, &[int(&signed(guest)), text(&id)]).await
}

pub(crate) async fn records_of(link: &Link, guest: u64, most: u32) -> Result<Vec<RecordHead>> {
    let sql = "SELECT id, table_code, stored, summary FROM players JOIN records ON number = record
        WHERE guest_id = $1 ORDER BY record DESC LIMIT $2";
    let rows = link.rows(sql, &[int(&signed(guest)), int(&i64::from(most))]).await?;
    let head =
        |row: &Row| RecordHead { id: row.get(0), table: row.get(1), stored: number(row, 2), summary: row.get(3) };
    Ok(rows.iter().map(head).collect())
}

// Housekeeping.

/// The latest date in the database.
pub(crate) async fn latest(link: &Link) -> Result<Option<u64>> {
    let sql = "SELECT max(at) FROM (SELECT max(touched) AS at FROM tables
        UNION ALL SELECT max(seen) FROM guests UNION ALL SELECT max(stored) FROM records) AS dates";
    Ok(link.row(sql, &[]).await?.and_then(|row| maybe_number(&row, 0)))
}

pub(crate) async fn old_tables(link: &Link, before: u64, after: u64) -> Result<Vec<(u64, String)>> {
    let sql = "SELECT id, coalesce(invite, code) FROM tables WHERE touched <= $1 AND id > $2 ORDER BY id LIMIT $3";
    let rows = link.rows(sql, &[int(&signed(before)), int(&signed(after)), int(&i64::from(SLICE))]).await?;
    Ok(rows.iter().map(|row| (number(row, 0), row.get(1))).collect())
}

/// Deletes tables and everything that belongs to them, unless they were used meanwhile or a node runs them.
pub(crate) async fn delete_tables(link: &Link, tables: &[u64], before: u64) -> Result<u64> {
    let numbers: Vec<i64> = tables.iter().copied().map(signed).collect();
    let sql = format!("DELETE FROM tables WHERE id = ANY($1) AND touched <= $2 AND NOT {RUNNING} RETURNING id");
    let gone = link.rows(&sql, &[ints(&numbers), int(&signed(before))]).await?;
    let gone: Vec<i64> = gone.iter().map(|row| row.get(0)).collect();
    for table in ["journal", "snapshots", "parts", "people"] {
        link.run(&format!("DELETE FROM {table} WHERE table_id = ANY($1)"), &[ints(&gone)]).await?;
    }
    Ok(gone.len() as u64)
}

pub(crate) async fn delete_guests(link: &Link, before: u64) -> Result<u64> {
    let sql = "WITH gone AS (
            DELETE FROM guests WHERE id IN (SELECT id FROM guests WHERE seen <= $1
                AND NOT EXISTS (SELECT 1 FROM people WHERE guest_id = guests.id) LIMIT $2)
            RETURNING id
        ), games AS (DELETE FROM players USING gone WHERE guest_id = gone.id),
        blocked AS (DELETE FROM blocks USING gone WHERE guest_id = gone.id OR other_id = gone.id)
        SELECT count(*) FROM gone";
    let row = link.row(sql, &[int(&signed(before)), int(&i64::from(SLICE))]).await?;
    Ok(row.map_or(0, |row| number(&row, 0)))
}

/// Deletes tables and records, whole or not.
pub(crate) async fn discard(link: &Link, tables: &Vec<i64>, records: &Vec<i64>) -> Result<u64> {
    for table in ["journal", "snapshots", "parts", "people"] {
        link.run(&format!("DELETE FROM {table} WHERE table_id = ANY($1)"), &[ints(tables)]).await?;
    }
    link.run("DELETE FROM tables WHERE id = ANY($1)", &[ints(tables)]).await?;
    link.run("DELETE FROM players WHERE record = ANY($1)", &[ints(records)]).await?;
    link.run("DELETE FROM records WHERE number = ANY($1)", &[ints(records)]).await?;
    Ok(0)
}

/// The parts of matches of a table that are over and have no record yet.
pub(crate) async fn waiting(link: &Link, code: &str) -> Result<Vec<Waiting>> {
    let sql = "SELECT number, body FROM parts WHERE table_id = (SELECT id FROM tables WHERE code = $1)
        AND number IN (SELECT number FROM parts AS ends WHERE ends.table_id = parts.table_id AND ended = 1)
        ORDER BY parts.id";
    let read = |row: &Row| Waiting { number: small(row, 0), body: row.get(1) };
    Ok(link.rows(sql, &[text(&code)]).await?.iter().map(read).collect())
}

pub(crate) async fn delete_records(link: &Link, before: u64) -> Result<u64> {
    let sql = "WITH gone AS (
            DELETE FROM records WHERE number IN (SELECT number FROM records WHERE stored <= $1 LIMIT $2)
            RETURNING number
        ), games AS (DELETE FROM players USING gone WHERE record = gone.number)
        SELECT count(*) FROM gone";
    let row = link.row(sql, &[int(&signed(before)), int(&i64::from(SLICE))]).await?;
    Ok(row.map_or(0, |row| number(&row, 0)))
}
