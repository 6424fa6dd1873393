//! Moderation in PostgreSQL: what `moderation.rs` does in SQLite. An answer can be lost and a change repeated, so what adds
//! rows adds none that is there already.

use tokio_postgres::Row;

use super::group::signed;
use super::link::{Fault, Link, int, text};
use super::sql::number;
use crate::moderation::{
    ACTS_KEPT, MOST_ACTS, MOST_BLOCKS, MOST_REPORTS, MOST_SANCTIONS, REPORTS_COUNT_FOR, REPORTS_KEPT, REPORTS_OF_ONE,
};
use crate::{ActRow, BlockRow, Change, ReportRow, Sanction, SanctionRow};

type Result<T> = std::result::Result<T, Fault>;

/// Makes a change and says how many rows it concerned; for a new report, its number.
pub(crate) async fn change(link: &Link, change: &Change, now: u64) -> Result<u64> {
    let at = signed(now);
    match change {
        Change::Sanction { kind, subject, until, note } => {
            let (kind, until) = (kind.number(), signed(*until));
            link.run("DELETE FROM sanctions WHERE until <= $1", &[int(&at)]).await?;
            let count = "SELECT count(*) FROM sanctions WHERE NOT (kind = $1 AND subject = $2)";
            let count = link.row(count, &[int(&kind), text(subject)]).await?.map_or(0, |row| number(&row, 0));
            if count >= MOST_SANCTIONS {
                return Ok(0);
            }
            let put = "INSERT INTO sanctions (kind, subject, made, until, note) VALUES ($1, $2, $3, $4, $5)
                ON CONFLICT (kind, subject) DO UPDATE SET made = excluded.made, until = excluded.until,
                note = excluded.note";
            link.run(put, &[int(&kind), text(subject), int(&at), int(&until), text(note)]).await
        }
        Change::Lift { kind, subject } => {
            let sql = "DELETE FROM sanctions WHERE kind = $1 AND subject = $2";
            link.run(sql, &[int(&kind.number()), text(subject)]).await
        }
        Change::Report { reporter, guest, body } => {
            report_somebody(link, signed(*reporter), signed(*guest), body, at).await
        }
        Change::Done { id } => link.run("UPDATE reports SET done = 1 WHERE id = $1", &[int(&signed(*id))]).await,
        Change::Act { body } => {
            let room = "DELETE FROM acts WHERE id <= (SELECT max(id) FROM acts) - $1";
            link.run(room, &[int(&signed(MOST_ACTS - 1))]).await?;
            let put = "INSERT INTO acts (at, body) SELECT $1, $2
                WHERE NOT EXISTS (SELECT 1 FROM acts WHERE at = $1 AND body = $2)";
            link.run(put, &[int(&at), text(body)]).await
        }
        Change::Block { guest, other, name } => {
            let (guest, other, most) = (signed(*guest), signed(*other), signed(MOST_BLOCKS - 1));
            let room = "DELETE FROM blocks WHERE guest_id = $1 AND other_id IN (SELECT other_id FROM blocks
                WHERE guest_id = $1 AND other_id <> $2 ORDER BY at DESC, other_id OFFSET $3)";
            link.run(room, &[int(&guest), int(&other), int(&most)]).await?;
            let put = "INSERT INTO blocks (guest_id, other_id, at, name) VALUES ($1, $2, $3, $4)
                ON CONFLICT (guest_id, other_id) DO UPDATE SET at = excluded.at, name = excluded.name";
            link.run(put, &[int(&guest), int(&other), int(&at), text(name)]).await
        }
        Change::Unblock { guest, other } => {
            let sql = "DELETE FROM blocks WHERE guest_id = $1 AND other_id = $2";
            link.run(sql, &[int(&signed(*guest)), int(&signed(*other))]).await
        }
        Change::Tidy => {
            let old = |kept| signed(now.saturating_sub(kept));
            let sanctions = link.run("DELETE FROM sanctions WHERE until <= $1", &[int(&at)]).await?;
            let reports = link.run("DELETE FROM reports WHERE at <= $1", &[int(&old(REPORTS_KEPT))]).await?;
            Ok(sanctions + reports + link.run("DELETE FROM acts WHERE at <= $1", &[int(&old(ACTS_KEPT))]).await?)
        }
    }
}

async fn report_somebody(link: &Link, reporter: i64, guest: i64, body: &str, at: i64) -> Result<u64> {
    let count = "SELECT count(*) FROM reports WHERE reporter = $1 AND at > $2";
    let since = at.saturating_sub(signed(REPORTS_COUNT_FOR));
    let count = link.row(count, &[int(&reporter), int(&since)]).await?.map_or(0, |row| number(&row, 0));
    if count >= REPORTS_OF_ONE {
        return Ok(0);
    }
    let room = "DELETE FROM reports WHERE id IN (SELECT id FROM reports ORDER BY done, id DESC OFFSET $1)";
    link.run(room, &[int(&signed(MOST_REPORTS - 1))]).await?;
    let put = "INSERT INTO reports (at, reporter, guest, body) SELECT $1, $2, $3, $4
        WHERE NOT EXISTS (SELECT 1 FROM reports WHERE at = $1 AND reporter = $2 AND body = $4) RETURNING id";
    let added = link.row(put, &[int(&at), int(&reporter), int(&guest), text(&body)]).await?;
    Ok(added.map_or(0, |row| number(&row, 0)))
}

pub(crate) async fn sanctions(link: &Link, now: u64) -> Result<Vec<SanctionRow>> {
    let sql = "SELECT kind, subject, made, until, note FROM sanctions WHERE until > $1 ORDER BY id";
    let read = |row: &Row| SanctionRow {
        kind: Sanction::of(row.get(0)),
        subject: row.get(1),
        made: number(row, 2),
        until: number(row, 3),
        note: row.get(4),
    };
    Ok(link.rows(sql, &[int(&signed(now))]).await?.iter().map(read).collect())
}

const REPORT: &str = "SELECT id, at, reporter, guest, body, done FROM reports";

fn report_of(row: &Row) -> ReportRow {
    ReportRow {
        id: number(row, 0),
        at: number(row, 1),
        reporter: number(row, 2),
        guest: number(row, 3),
        body: row.get(4),
        done: number(row, 5) != 0,
    }
}

pub(crate) async fn reports(link: &Link, most: u32) -> Result<Vec<ReportRow>> {
    let sql = format!("{REPORT} ORDER BY done, id DESC LIMIT $1");
    Ok(link.rows(&sql, &[int(&i64::from(most))]).await?.iter().map(report_of).collect())
}

pub(crate) async fn report(link: &Link, id: u64) -> Result<Option<ReportRow>> {
    Ok(link.row(&format!("{REPORT} WHERE id = $1"), &[int(&signed(id))]).await?.as_ref().map(report_of))
}

pub(crate) async fn acts(link: &Link, most: u32) -> Result<Vec<ActRow>> {
    let sql = "SELECT id, at, body FROM acts ORDER BY id DESC LIMIT $1";
    let read = |row: &Row| ActRow { id: number(row, 0), at: number(row, 1), body: row.get(2) };
    Ok(link.rows(sql, &[int(&i64::from(most))]).await?.iter().map(read).collect())
}

pub(crate) async fn blocks_of(link: &Link, guest: u64) -> Result<Vec<BlockRow>> {
    let sql = "SELECT other_id, at, name FROM blocks WHERE guest_id = $1 ORDER BY at DESC, other_id";
    let read = |row: &Row| BlockRow { other: number(row, 0), at: number(row, 1), name: row.get(2) };
    Ok(link.rows(sql, &[int(&signed(guest))]).await?.iter().map(read).collect())
}
