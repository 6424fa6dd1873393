//! Reviews in SQLite: kept with the records they are about, and what a guest's season is made of.

use rusqlite::{Connection, Row};

use crate::sql::{first, row, rows, run};
use crate::{ReviewRow, SeasonRow, StoreError};

type Result<T> = std::result::Result<T, StoreError>;

pub(crate) fn review(connection: &Connection, id: &str) -> Result<Option<Vec<u8>>> {
    let found = row(connection, "SELECT review FROM records WHERE id = ?", [id], first::<Option<Vec<u8>>>)?;
    Ok(found.flatten())
}

pub(crate) fn put_review(connection: &Connection, id: &str, new: &ReviewRow) -> Result<u64> {
    let sql = "UPDATE records SET review = ?, figures = ? WHERE id = ?";
    run(connection, sql, (&new.review, &new.figures, id))
}

pub(crate) fn seat_in(connection: &Connection, id: &str, guest: u64) -> Result<Option<u8>> {
    let sql = "SELECT seat FROM players JOIN records ON number = record WHERE id = ? AND guest_id = ?";
    Ok(row(connection, sql, (id, guest), first::<Option<u8>>)?.flatten())
}

/// The games of a season, the newest first.
pub(crate) fn season(connection: &Connection, guest: u64, most: u32) -> Result<Vec<SeasonRow>> {
    let sql = "SELECT id, stored, seat, summary, figures FROM players JOIN records ON number = record
        WHERE guest_id = ? AND counted = 1 AND seat IS NOT NULL AND figures IS NOT NULL ORDER BY record DESC LIMIT ?";
    let read = |row: &Row<'_>| {
        let (id, stored, seat) = (row.get(0)?, row.get(1)?, row.get(2)?);
        Ok(SeasonRow { id, stored, seat, summary: row.get(3)?, figures: row.get(4)? })
    };
    rows(connection, sql, (guest, most), read)
}

pub(crate) fn set_season(connection: &Connection, guest: u64, on: bool) -> Result<u64> {
    run(connection, "UPDATE guests SET season = ? WHERE id = ?", (on, guest))
}

pub(crate) fn forget_season(connection: &Connection, guest: u64) -> Result<u64> {
    run(connection, "UPDATE players SET counted = 0 WHERE guest_id = ? AND counted = 1", [guest])
}
