//! The schema of the database, and its migrations.

use rusqlite::Connection;

use crate::StoreError;

/// Every migration from one version to the next, in order; their number is the version. A released step never changes:
/// a new version is a new step.
pub(crate) const STEPS: &[&str] = &[
    // 1. Numbers of tables and guests are never reused, because journals contain them.
    "CREATE TABLE tables (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        code TEXT NOT NULL UNIQUE,
        opened INTEGER NOT NULL,
        touched INTEGER NOT NULL,
        closed INTEGER,
        last INTEGER NOT NULL,
        listing TEXT
    ) STRICT;
    CREATE INDEX tables_open ON tables (id) WHERE closed IS NULL;
    CREATE INDEX tables_listed ON tables (id) WHERE listing IS NOT NULL;
    CREATE TABLE journal (
        id INTEGER PRIMARY KEY,
        table_id INTEGER NOT NULL REFERENCES tables ON DELETE CASCADE,
        seq INTEGER NOT NULL,
        body BLOB NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX journal_by_table ON journal (table_id, seq);
    CREATE TABLE snapshots (
        table_id INTEGER PRIMARY KEY REFERENCES tables ON DELETE CASCADE,
        seq INTEGER NOT NULL,
        body BLOB NOT NULL
    ) STRICT;
    CREATE TABLE guests (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        token BLOB NOT NULL UNIQUE,
        name TEXT NOT NULL,
        created INTEGER NOT NULL,
        seen INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE people (
        guest_id INTEGER NOT NULL,
        table_id INTEGER NOT NULL REFERENCES tables ON DELETE CASCADE,
        PRIMARY KEY (guest_id, table_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX people_by_table ON people (table_id);
    CREATE TABLE records (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        table_code TEXT NOT NULL,
        stored INTEGER NOT NULL,
        summary TEXT NOT NULL,
        body BLOB NOT NULL
    ) STRICT;
    CREATE TABLE players (
        guest_id INTEGER NOT NULL,
        record INTEGER NOT NULL REFERENCES records ON DELETE CASCADE,
        PRIMARY KEY (guest_id, record)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX players_by_record ON players (record);
    CREATE TABLE probe (filler BLOB NOT NULL) STRICT;",
    // 2. Guests have a look.
    "ALTER TABLE guests ADD COLUMN look TEXT NOT NULL DEFAULT '';",
    // 3. The journal has no index. Every entry points to the one before it from the same table, and the table to its
    // last. An index by table would have as many places to write to as there are tables: a page for every small entry.
    "ALTER TABLE tables ADD COLUMN tail INTEGER;
    UPDATE tables SET tail = (SELECT journal.id FROM journal WHERE table_id = tables.id AND seq = last);
    CREATE TABLE log (
        id INTEGER PRIMARY KEY,
        table_id INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        previous INTEGER,
        body BLOB NOT NULL
    ) STRICT;
    INSERT INTO log (id, table_id, seq, previous, body)
        SELECT id, table_id, seq, lag(id) OVER (PARTITION BY table_id ORDER BY seq), body FROM journal ORDER BY id;
    DROP TABLE journal;
    ALTER TABLE log RENAME TO journal;",
    // 4. Tables have owners and sizes. Matches are kept in parts until their records are made. Records have owners and
    // the version that made them. The size of a guest's finished games is kept with the guest.
    "ALTER TABLE tables ADD COLUMN owner INTEGER;
    ALTER TABLE tables ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE tables ADD COLUMN part_bytes INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE tables ADD COLUMN talk INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX tables_by_owner ON tables (owner) WHERE owner IS NOT NULL;
    CREATE INDEX tables_talkative ON tables (id) WHERE talk = 1;
    CREATE TABLE parts (
        id INTEGER PRIMARY KEY,
        table_id INTEGER NOT NULL REFERENCES tables ON DELETE CASCADE,
        number INTEGER NOT NULL,
        ended INTEGER NOT NULL,
        body BLOB NOT NULL
    ) STRICT;
    CREATE INDEX parts_by_table ON parts (table_id, number);
    CREATE INDEX parts_ended ON parts (ended) WHERE ended = 1;
    ALTER TABLE records ADD COLUMN owner INTEGER;
    ALTER TABLE records ADD COLUMN game INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE records ADD COLUMN made_by TEXT NOT NULL DEFAULT '';
    CREATE INDEX records_by_owner ON records (owner) WHERE owner IS NOT NULL;
    ALTER TABLE guests ADD COLUMN record_bytes INTEGER NOT NULL DEFAULT 0;
    CREATE TRIGGER record_kept AFTER INSERT ON records WHEN new.owner IS NOT NULL BEGIN
        UPDATE guests SET record_bytes = record_bytes + length(new.body) WHERE id = new.owner;
    END;
    CREATE TRIGGER record_changed AFTER UPDATE OF body ON records WHEN new.owner IS NOT NULL BEGIN
        UPDATE guests SET record_bytes = record_bytes + length(new.body) - length(old.body) WHERE id = new.owner;
    END;
    CREATE TRIGGER record_gone AFTER DELETE ON records WHEN old.owner IS NOT NULL BEGIN
        UPDATE guests SET record_bytes = record_bytes - length(old.body) WHERE id = old.owner;
    END;",
    // 5. Records know whether their table was public, which decides who may read them. Players know their seat, which
    // decides whose name is whose.
    "ALTER TABLE records ADD COLUMN public INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE players ADD COLUMN seat INTEGER;",
    // 6. A table can get a new code; the first one stays its id.
    "ALTER TABLE tables ADD COLUMN invite TEXT;
    CREATE UNIQUE INDEX tables_by_invite ON tables (invite) WHERE invite IS NOT NULL;",
    // 7. `talk` is the date of the last chat message, 0 once chat is forgotten. Playing does not keep chat alive.
    "DROP INDEX tables_talkative;
    CREATE INDEX tables_talkative ON tables (talk) WHERE talk > 0;",
    // 8. Records have reviews, which count for their owner, and figures for the players' seasons. A guest can switch the
    // season off, or take games out of it.
    "ALTER TABLE records ADD COLUMN review BLOB;
    ALTER TABLE records ADD COLUMN figures BLOB;
    ALTER TABLE guests ADD COLUMN season INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE players ADD COLUMN counted INTEGER NOT NULL DEFAULT 1;
    DROP TRIGGER record_kept;
    DROP TRIGGER record_gone;
    CREATE TRIGGER record_kept AFTER INSERT ON records WHEN new.owner IS NOT NULL BEGIN
        UPDATE guests SET record_bytes = record_bytes + length(new.body)
            + coalesce(length(new.review), 0) + coalesce(length(new.figures), 0) WHERE id = new.owner;
    END;
    CREATE TRIGGER record_gone AFTER DELETE ON records WHEN old.owner IS NOT NULL BEGIN
        UPDATE guests SET record_bytes = record_bytes - length(old.body)
            - coalesce(length(old.review), 0) - coalesce(length(old.figures), 0) WHERE id = old.owner;
    END;
    CREATE TRIGGER record_reviewed AFTER UPDATE OF review, figures ON records WHEN new.owner IS NOT NULL BEGIN
        UPDATE guests SET record_bytes = record_bytes
            + coalesce(length(new.review), 0) + coalesce(length(new.figures), 0)
            - coalesce(length(old.review), 0) - coalesce(length(old.figures), 0) WHERE id = new.owner;
    END;",
    // 9. Moderation: bans and mutes, reports, what operators did, and whom guests block.
    "CREATE TABLE sanctions (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        kind INTEGER NOT NULL,
        subject TEXT NOT NULL,
        made INTEGER NOT NULL,
        until INTEGER NOT NULL,
        note TEXT NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX sanctions_by_subject ON sanctions (kind, subject);
    CREATE TABLE reports (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        at INTEGER NOT NULL,
        reporter INTEGER NOT NULL,
        guest INTEGER NOT NULL,
        body TEXT NOT NULL,
        done INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX reports_by_reporter ON reports (reporter, at);
    CREATE TABLE acts (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        at INTEGER NOT NULL,
        body TEXT NOT NULL
    ) STRICT;
    CREATE TABLE blocks (
        guest_id INTEGER NOT NULL,
        other_id INTEGER NOT NULL,
        at INTEGER NOT NULL,
        name TEXT NOT NULL,
        PRIMARY KEY (guest_id, other_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX blocks_by_other ON blocks (other_id);",
];

/// Marks a file as unum's database: "unum" in ASCII.
const APPLICATION: i64 = 0x756e_756d;

/// Migrates a database to the newest version, each step in its own transaction. An empty file becomes a new database.
pub(crate) fn migrate(connection: &Connection, steps: &[&str]) -> Result<(), StoreError> {
    let known = u32::try_from(steps.len()).unwrap_or(u32::MAX);
    let found = version(connection)?;
    if found > known {
        return Err(StoreError::Newer { found, known });
    }
    for (number, step) in (1..).zip(steps).skip(found as usize) {
        let transaction = connection.unchecked_transaction()?;
        transaction.execute_batch(step)?;
        transaction.pragma_update(None, "application_id", APPLICATION)?;
        transaction.pragma_update(None, "user_version", number)?;
        transaction.commit()?;
    }
    Ok(())
}

/// The version of one of unum's databases; 0 for an empty one.
pub(crate) fn version(connection: &Connection) -> Result<u32, StoreError> {
    let number = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let (application, version) = (number("application_id")?, number("user_version")?);
    let things: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", (), |row| row.get(0))?;
    match u32::try_from(version) {
        Ok(0) if application == 0 && things == 0 => Ok(0),
        Ok(version) if application == APPLICATION => Ok(version),
        _ => Err(StoreError::Corrupt("another program made it".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEXT: &str = "ALTER TABLE guests ADD COLUMN color TEXT NOT NULL DEFAULT 'none'";

    fn fresh() -> Connection {
        let connection = Connection::open_in_memory().unwrap();
        migrate(&connection, STEPS).unwrap();
        connection
    }

    fn with_next(step: &'static str) -> Vec<&'static str> {
        STEPS.iter().copied().chain([step]).collect()
    }

    #[test]
    fn an_older_database_is_brought_up_to_date_and_keeps_its_rows() {
        let connection = fresh();
        connection
            .execute("INSERT INTO guests (id, token, name, created, seen) VALUES (7, x'00', 'Ann', 1, 2)", ())
            .unwrap();
        migrate(&connection, &with_next(NEXT)).unwrap();
        let row: (i64, String, String) = connection
            .query_row("SELECT id, name, color FROM guests", (), |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
            .unwrap();
        assert_eq!(row, (7, "Ann".to_owned(), "none".to_owned()));
        assert_eq!(version(&connection), Ok(STEPS.len() as u32 + 1));
        migrate(&connection, &with_next(NEXT)).unwrap();
    }

    #[test]
    fn guests_of_the_first_version_have_no_look_yet() {
        let connection = Connection::open_in_memory().unwrap();
        migrate(&connection, &STEPS[..1]).unwrap();
        connection
            .execute("INSERT INTO guests (id, token, name, created, seen) VALUES (7, x'00', 'Ann', 1, 2)", ())
            .unwrap();
        migrate(&connection, STEPS).unwrap();
        let row: (String, String) =
            connection.query_row("SELECT name, look FROM guests", (), |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        assert_eq!(row, ("Ann".to_owned(), String::new()));
    }

    #[test]
    fn journals_of_older_versions_are_chained() {
        let connection = Connection::open_in_memory().unwrap();
        migrate(&connection, &STEPS[..2]).unwrap();
        let rows = "INSERT INTO tables (id, code, opened, touched, last) VALUES (1, 'A', 1, 1, 3), (2, 'B', 1, 1, 1);
            INSERT INTO journal VALUES (10, 1, 1, x'00'), (11, 2, 1, x'01'), (12, 1, 2, x'02'), (13, 1, 3, x'03');";
        connection.execute_batch(rows).unwrap();
        migrate(&connection, STEPS).unwrap();
        let chained = "SELECT group_concat(id || '<' || coalesce(previous, ''), ' ' ORDER BY id) FROM journal";
        let chained: String = connection.query_row(chained, (), |row| row.get(0)).unwrap();
        assert_eq!(chained, "10< 11< 12<10 13<12");
        let tails = "SELECT group_concat(tail, ' ' ORDER BY id) FROM tables";
        let tails: String = connection.query_row(tails, (), |row| row.get(0)).unwrap();
        assert_eq!(tails, "13 11");
    }

    #[test]
    fn a_step_that_fails_leaves_the_older_version() {
        let connection = fresh();
        let step = "CREATE TABLE half (a INTEGER); INSERT INTO nowhere VALUES (1);";
        assert!(migrate(&connection, &with_next(step)).is_err());
        assert_eq!(version(&connection), Ok(STEPS.len() as u32));
        let half: i64 = connection
            .query_row("SELECT count(*) FROM sqlite_schema WHERE name = 'half'", (), |row| row.get(0))
            .unwrap();
        assert_eq!(half, 0);
    }

    #[test]
    fn a_newer_database_is_refused() {
        let connection = fresh();
        migrate(&connection, &with_next(NEXT)).unwrap();
        let known = STEPS.len() as u32;
        assert_eq!(migrate(&connection, STEPS), Err(StoreError::Newer { found: known + 1, known }));
    }

    #[test]
    fn the_database_of_another_program_is_refused() {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE recipes (name TEXT)").unwrap();
        assert!(matches!(migrate(&connection, STEPS), Err(StoreError::Corrupt(_))));
    }
}
