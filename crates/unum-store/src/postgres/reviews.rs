//! Reviews in PostgreSQL, stored with their records, and the figures of a guest's season.

use tokio_postgres::Row;

use super::group::signed;
use super::link::{Fault, Link, bytes, int, text};
use super::sql::number;
use crate::{ReviewRow, SeasonRow};

type Result<T> = std::result::Result<T, Fault>;

pub(crate) async fn review(link: &Link, id: &str) -> Result<Option<Vec<u8>>> {
    let found = link.row("SELECT review FROM records WHERE id = $1", &[text(&id)]).await?;
    Ok(found.and_then(|row| row.get(0)))
}

pub(crate) async fn put_review(link: &Link, id: &str, new: &ReviewRow) -> Result<u64> {
    let sql = "UPDATE records SET review = $1, figures = $2 WHERE id = $3";
    link.run(sql, &[bytes(&new.review), bytes(&new.figures), text(&id)]).await
}

pub(crate) async fn seat_in(link: &Link, id: &str, guest: u64) -> Result<Option<u8>> {
    let sql = "SELECT seat FROM players JOIN records ON number = record WHERE id = $1 AND guest_id = $2";
    let found = link.row(sql, &[text(&id), int(&signed(guest))]).await?;
    Ok(found.and_then(|row| row.get::<_, Option<i64>>(0)).and_then(|seat| u8::try_from(seat).ok()))
}

pub(crate) async fn season(link: &Link, guest: u64, most: u32) -> Result<Vec<SeasonRow>> {
    let guest = signed(guest);
    let sql = "SELECT id, stored, seat, summary, figures FROM players JOIN records ON number = record
        WHERE guest_id = $1 AND counted = 1 AND seat IS NOT NULL AND figures IS NOT NULL ORDER BY record DESC LIMIT $2";
    let rows = link.rows(sql, &[int(&guest), int(&i64::from(most))]).await?;
    let game = |row: &Row| SeasonRow {
        id: row.get(0),
        stored: number(row, 1),
        seat: u8::try_from(row.get::<_, i64>(2)).unwrap_or(u8::MAX),
        summary: row.get(3),
        figures: row.get(4),
    };
    Ok(rows.iter().map(game).collect())
}

pub(crate) async fn set_season(link: &Link, guest: u64, on: bool) -> Result<u64> {
    link.run("UPDATE guests SET season = $1 WHERE id = $2", &[int(&i64::from(on)), int(&signed(guest))]).await
}

pub(crate) async fn forget_season(link: &Link, guest: u64) -> Result<u64> {
    let sql = "UPDATE players SET counted = 0 WHERE guest_id = $1 AND counted = 1";
    link.run(sql, &[int(&signed(guest))]).await
}
