//! Moderation in SQLite: bans and mutes, reports, the log of what operators did (an audit log), and whom guests block.

use rusqlite::{Connection, Row};

use crate::sql::{first, row, rows, run};
use crate::{ActRow, BlockRow, Change, ReportRow, Sanction, SanctionRow, StoreError};

type Result<T> = std::result::Result<T, StoreError>;

/// Most bans and mutes at a time.
pub const MOST_SANCTIONS: u64 = 10_000;
/// Most reports that are kept: those that are dealt with make room first, then the oldest.
pub const MOST_REPORTS: u64 = 1_000;
/// Most reports of one guest within a day.
pub const REPORTS_OF_ONE: u64 = 10;
/// Most entries of the audit log: the oldest make room.
pub const MOST_ACTS: u64 = 10_000;
/// Most people whom a guest blocks: the first make room.
pub const MOST_BLOCKS: u64 = 200;
const DAY: u64 = 24 * 60 * 60 * 1000;
/// For how long a report counts toward its author's share, in milliseconds.
pub(crate) const REPORTS_COUNT_FOR: u64 = DAY;
/// How long reports are kept, in milliseconds.
pub(crate) const REPORTS_KEPT: u64 = 90 * DAY;
/// How long the audit log goes back, in milliseconds.
pub(crate) const ACTS_KEPT: u64 = 400 * DAY;

/// Makes a change and says how many rows it concerned; for a new report, its number.
pub(crate) fn change(connection: &Connection, change: &Change, now: u64) -> Result<u64> {
    match change {
        Change::Sanction { kind, subject, until, note } => {
            let count = "SELECT count(*) FROM sanctions WHERE NOT (kind = ? AND subject = ?)";
            run(connection, "DELETE FROM sanctions WHERE until <= ?", [now])?;
            if row(connection, count, (kind.number(), subject), first::<u64>)?.unwrap_or(0) >= MOST_SANCTIONS {
                return Ok(0);
            }
            let put = "INSERT INTO sanctions (kind, subject, made, until, note) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (kind, subject) DO UPDATE SET made = excluded.made, until = excluded.until,
                note = excluded.note";
            run(connection, put, (kind.number(), subject, now, until, note))
        }
        Change::Lift { kind, subject } => {
            run(connection, "DELETE FROM sanctions WHERE kind = ? AND subject = ?", (kind.number(), subject))
        }
        Change::Report { reporter, guest, body } => report_somebody(connection, *reporter, *guest, body, now),
        Change::Done { id } => run(connection, "UPDATE reports SET done = 1 WHERE id = ?", [id]),
        Change::Act { body } => {
            run(connection, "DELETE FROM acts WHERE id <= (SELECT max(id) FROM acts) - ?", [MOST_ACTS - 1])?;
            run(connection, "INSERT INTO acts (at, body) VALUES (?, ?)", (now, body))
        }
        Change::Block { guest, other, name } => {
            let room = "DELETE FROM blocks WHERE guest_id = ?1 AND other_id IN (SELECT other_id FROM blocks
                WHERE guest_id = ?1 AND other_id <> ?2 ORDER BY at DESC, other_id LIMIT -1 OFFSET ?3)";
            run(connection, room, (guest, other, MOST_BLOCKS - 1))?;
            let put = "INSERT OR REPLACE INTO blocks (guest_id, other_id, at, name) VALUES (?, ?, ?, ?)";
            run(connection, put, (guest, other, now, name))
        }
        Change::Unblock { guest, other } => {
            run(connection, "DELETE FROM blocks WHERE guest_id = ? AND other_id = ?", (guest, other))
        }
        Change::Tidy => {
            let sanctions = run(connection, "DELETE FROM sanctions WHERE until <= ?", [now])?;
            let old = now.saturating_sub(REPORTS_KEPT);
            let reports = run(connection, "DELETE FROM reports WHERE at <= ?", [old])?;
            let old = now.saturating_sub(ACTS_KEPT);
            Ok(sanctions + reports + run(connection, "DELETE FROM acts WHERE at <= ?", [old])?)
        }
    }
}

fn report_somebody(connection: &Connection, reporter: u64, guest: u64, body: &str, now: u64) -> Result<u64> {
    let count = "SELECT count(*) FROM reports WHERE reporter = ? AND at > ?";
    let since = now.saturating_sub(REPORTS_COUNT_FOR);
    if row(connection, count, (reporter, since), first::<u64>)?.unwrap_or(0) >= REPORTS_OF_ONE {
        return Ok(0);
    }
    let room = "DELETE FROM reports WHERE id IN (SELECT id FROM reports ORDER BY done, id DESC LIMIT -1 OFFSET ?)";
    run(connection, room, [MOST_REPORTS - 1])?;
    let put = "INSERT INTO reports (at, reporter, guest, body) VALUES (?, ?, ?, ?)";
    run(connection, put, (now, reporter, guest, body))?;
    Ok(connection.last_insert_rowid().unsigned_abs())
}

pub(crate) fn sanctions(connection: &Connection, now: u64) -> Result<Vec<SanctionRow>> {
    let sql = "SELECT kind, subject, made, until, note FROM sanctions WHERE until > ? ORDER BY id";
    let read = |row: &Row<'_>| {
        let kind = Sanction::of(row.get(0)?);
        Ok(SanctionRow { kind, subject: row.get(1)?, made: row.get(2)?, until: row.get(3)?, note: row.get(4)? })
    };
    rows(connection, sql, [now], read)
}

const REPORT: &str = "SELECT id, at, reporter, guest, body, done FROM reports";

fn read_report(row: &Row<'_>) -> rusqlite::Result<ReportRow> {
    let (id, at, reporter) = (row.get(0)?, row.get(1)?, row.get(2)?);
    Ok(ReportRow { id, at, reporter, guest: row.get(3)?, body: row.get(4)?, done: row.get(5)? })
}

/// Those that wait first, then the newest.
pub(crate) fn reports(connection: &Connection, most: u32) -> Result<Vec<ReportRow>> {
    rows(connection, &format!("{REPORT} ORDER BY done, id DESC LIMIT ?"), [most], read_report)
}

pub(crate) fn report(connection: &Connection, id: u64) -> Result<Option<ReportRow>> {
    row(connection, &format!("{REPORT} WHERE id = ?"), [id], read_report)
}

pub(crate) fn acts(connection: &Connection, most: u32) -> Result<Vec<ActRow>> {
    let read = |row: &Row<'_>| Ok(ActRow { id: row.get(0)?, at: row.get(1)?, body: row.get(2)? });
    rows(connection, "SELECT id, at, body FROM acts ORDER BY id DESC LIMIT ?", [most], read)
}

pub(crate) fn blocks_of(connection: &Connection, guest: u64) -> Result<Vec<BlockRow>> {
    let read = |row: &Row<'_>| Ok(BlockRow { other: row.get(0)?, at: row.get(1)?, name: row.get(2)? });
    let sql = "SELECT other_id, at, name FROM blocks WHERE guest_id = ? ORDER BY at DESC, other_id";
    rows(connection, sql, [guest], read)
}
