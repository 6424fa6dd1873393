//! Checks databases, with or without a server on them: every table is restored as a server would restore it, every record
//! is played again, and every match that waits for its record is made into one.

use unum_protocol::rest::GameSummary;
use unum_rules::record::Record;
use unum_store::StoreError;
use unum_store::backup::{BackupError, Place, Progress, Step};
use unum_store::copy::CopyError;
use unum_store::inspect::{Content, Game, Inspector, Picked, Waiting};
use unum_table::{Moment, RestoreError, Restoring, SeededDice, Table, finished};

use crate::table_task::{add, begin};

/// What is damaged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Damaged {
    /// The database as a whole.
    Database,
    /// A table, by its number and its id.
    Table(i64, String),
    /// A match that is over and has no record yet: the number and the id of its table, and which match it is.
    Match(i64, String, u32),
    /// A finished game, by its number and its id.
    Record(i64, String),
}

impl std::fmt::Display for Damaged {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Damaged::Database => write!(f, "the database"),
            Damaged::Table(number, id) => write!(f, "table {number} ({id})"),
            Damaged::Match(number, id, which) => {
                write!(f, "match {which} of table {number} ({id}), which has no record yet")
            }
            Damaged::Record(_, id) => write!(f, "finished game {id}"),
        }
    }
}

/// Something damaged, and why it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Which of the databases it is in, from 0.
    pub database: usize,
    /// What is damaged.
    pub what: Damaged,
    /// Why.
    pub why: String,
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// How many databases were looked through.
    pub databases: usize,
    /// How many tables were restored.
    pub tables: u64,
    /// From how many entries.
    pub entries: u64,
    /// How many of them have a round that does not replay, as after some updates, and will be dealt again.
    pub lost_rounds: u64,
    /// How many matches without a record were made into one.
    pub matches: u64,
    /// How many finished games were played again.
    pub records: u64,
    /// Everything that is damaged.
    pub damage: Vec<Damage>,
}

impl Findings {
    /// What can be taken out of each database, so that the rest is whole: damaged tables, with those of their matches that
    /// wait for records, and damaged records.
    pub fn picked(&self) -> Vec<Picked> {
        let mut picked = vec![Picked::default(); self.databases];
        for damage in &self.damage {
            let Some(picked) = picked.get_mut(damage.database) else { continue };
            match damage.what {
                Damaged::Table(number, _) | Damaged::Match(number, ..) => picked.tables.insert(number),
                Damaged::Record(number, _) => picked.games.insert(number),
                Damaged::Database => false,
            };
        }
        picked
    }

    /// Whether a database is damaged as a whole, so that nothing can be taken out of it.
    pub fn is_hopeless(&self) -> bool {
        self.damage.iter().any(|damage| damage.what == Damaged::Database)
    }
}

/// Looks through databases without changing them. A server may run meanwhile.
///
/// # Errors
/// When there is no database, or it cannot be reached or has the layout of another version. Damage is no error.
pub fn check(place: &Place, progress: &mut dyn FnMut(Progress)) -> Result<Findings, BackupError> {
    let databases = match Inspector::open(place) {
        Ok(databases) => databases,
        // Not even its beginning can be read.
        Err(BackupError::Copy(CopyError::Store(StoreError::Corrupt(why)))) => {
            let damage = vec![Damage { database: 0, what: Damaged::Database, why }];
            return Ok(Findings { databases: 1, damage, ..Findings::default() });
        }
        Err(error) => return Err(error),
    };
    let mut checking = Checking {
        findings: Findings { databases: databases.len(), ..Findings::default() },
        database: 0,
        done: 0,
        total: None,
        progress,
    };
    for (at, database) in databases.iter().enumerate() {
        checking.database = at;
        checking.look_through(database)?;
    }
    Ok(checking.findings)
}

struct Checking<'a> {
    findings: Findings,
    /// Which of the databases.
    database: usize,
    done: u64,
    total: Option<u64>,
    progress: &'a mut dyn FnMut(Progress),
}

impl Checking<'_> {
    fn look_through(&mut self, database: &Inspector) -> Result<(), StoreError> {
        match database.faults() {
            Ok(faults) => faults.into_iter().for_each(|fault| self.note(Damaged::Database, fault)),
            Err(error) => self.note_or_fail(Damaged::Database, error)?,
        }
        self.begin(database.tables());
        if let Err(error) = self.tables(database) {
            self.note_or_fail(Damaged::Database, error)?;
        }
        self.begin(database.games());
        match self.games(database) {
            Err(error) => self.note_or_fail(Damaged::Database, error),
            Ok(()) => Ok(()),
        }
    }

    fn begin(&mut self, total: Option<u64>) {
        (self.done, self.total) = (0, total);
    }

    fn advance(&mut self, step: Step) {
        self.done += 1;
        // Some may have been added meanwhile.
        let total = self.total.map(|total| total.max(self.done));
        (self.progress)(Progress { step, done: self.done, total });
    }

    fn note(&mut self, what: Damaged, why: String) {
        self.findings.damage.push(Damage { database: self.database, what, why });
    }

    /// A database that is damaged is a finding, one that is away is not.
    fn note_or_fail(&mut self, what: Damaged, error: StoreError) -> Result<(), StoreError> {
        match error {
            StoreError::Corrupt(why) | StoreError::Io(why) => self.note(what, why),
            error @ StoreError::Gap { .. } => self.note(what, error.to_string()),
            error => return Err(error),
        }
        Ok(())
    }

    fn tables(&mut self, database: &Inspector) -> Result<(), StoreError> {
        let mut after = 0;
        loop {
            let tables = database.tables_after(after)?;
            let Some((last, _)) = tables.last() else { return Ok(()) };
            after = *last;
            for (number, id) in tables {
                match database.content(&id) {
                    Ok(content) => content.map_or(Ok(()), |content| self.table(number, &id, content))?,
                    Err(error) => self.note_or_fail(Damaged::Table(number, id), error)?,
                }
                self.advance(Step::Tables);
            }
        }
    }

    fn table(&mut self, number: i64, id: &str, content: Content) -> Result<(), StoreError> {
        let mut matches: Vec<(u32, Vec<String>)> = Vec::new();
        for Waiting { number, body } in content.waiting {
            let body = String::from_utf8_lossy(&body).into_owned();
            match matches.last_mut().filter(|(last, _)| *last == number) {
                Some((_, parts)) => parts.push(body),
                None => matches.push((number, vec![body])),
            }
        }
        for (which, parts) in matches {
            match finished(which, &parts) {
                Ok(_) => self.findings.matches += 1,
                Err(error) => self.note(Damaged::Match(number, id.to_owned(), which), error.to_string()),
            }
        }
        match content.table {
            Ok(stored) => {
                let count = stored.entries.len() as u64;
                match restored(stored.snapshot, stored.entries) {
                    Ok(table) => {
                        self.findings.tables += 1;
                        self.findings.entries += count;
                        self.findings.lost_rounds += u64::from(table.has_lost_round());
                    }
                    Err(error) => self.note(Damaged::Table(number, id.to_owned()), error.to_string()),
                }
                Ok(())
            }
            Err(error) => self.note_or_fail(Damaged::Table(number, id.to_owned()), error),
        }
    }

    fn games(&mut self, database: &Inspector) -> Result<(), StoreError> {
        let mut after = 0;
        loop {
            let games = database.games_after(after)?;
            let Some(last) = games.last() else { return Ok(()) };
            after = last.number;
            for game in games {
                match played_again(&game) {
                    Ok(()) => self.findings.records += 1,
                    Err(why) => self.note(Damaged::Record(game.number, game.id), why),
                }
                self.advance(Step::Records);
            }
        }
    }
}

/// Restores a table as the server does.
fn restored(snapshot: Option<(u64, Vec<u8>)>, entries: Vec<(u64, Vec<u8>)>) -> Result<Table, RestoreError> {
    // Nobody will play at it, so its dice need not be secret.
    let mut dice = SeededDice::new(0);
    let mut restoring = match snapshot {
        Some((seq, body)) => begin(seq, &body, &mut dice)?,
        None => Restoring::begin(None, &mut dice)?,
    };
    entries.into_iter().try_for_each(|(seq, body)| add(&mut restoring, seq, &body, &mut dice))?;
    restoring.finish(Moment(0))
}

/// Plays a record, which compares every state with its check, and looks whether its summary belongs to it.
fn played_again(game: &Game) -> Result<(), String> {
    let summary: GameSummary =
        serde_json::from_str(&game.summary).map_err(|error| format!("its summary cannot be read: {error}"))?;
    let body = std::str::from_utf8(&game.body).map_err(|error| error.to_string())?;
    let record = Record::parse(body).map_err(|error| error.to_string())?;
    record.replay().map_err(|error| error.to_string())?;
    // Names are left out: they are deleted one by one. The record does not say which bots played.
    let facts = |of: &GameSummary| (of.edition, of.players.len(), of.rounds, of.scores.clone());
    match facts(&summary) == facts(&GameSummary::of(&record, Vec::new(), summary.ended)) {
        true => Ok(()),
        false => Err("its summary is that of another game".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Seek as _, SeekFrom, Write as _};
    use std::path::Path;

    use tempfile::TempDir;
    use unum_scratch::{Care, Scratch};
    use unum_store::inspect::set_aside;
    use unum_store::{DATABASE, DatabaseAddress, Options, Store, backup};

    use super::*;
    use crate::records::keep;
    use crate::records::tests::play_a_match;

    const WHOLE: &str = "0000000000000000";
    const BROKEN: &str = "1111111111111111";

    /// Two tables with a match and a record each.
    fn fill(store: &Store) {
        for code in [WHOLE, BROKEN] {
            play_a_match(store, code);
            let game = store.unrecorded(9).unwrap().remove(0);
            assert_eq!(keep(store, &game), Ok(true));
        }
    }

    fn checked(place: &Place) -> Findings {
        check(place, &mut |_| {}).unwrap()
    }

    fn damaged(place: &Place) -> Vec<Damaged> {
        checked(place).damage.into_iter().map(|damage| damage.what).collect()
    }

    fn table(id: &str) -> Damaged {
        Damaged::Table(if id == WHOLE { 1 } else { 2 }, id.to_owned())
    }

    fn game() -> Damaged {
        Damaged::Record(2, format!("{BROKEN}-1"))
    }

    fn sqlite(folder: &Path, sql: &str) {
        rusqlite::Connection::open(folder.join(DATABASE)).unwrap().execute_batch(sql).unwrap();
    }

    /// A folder with that in it, and no server.
    fn filled() -> (TempDir, Place) {
        let folder = TempDir::new().unwrap();
        let store = Store::open(folder.path()).unwrap();
        fill(&store);
        store.close();
        let place = Place::Folder(folder.path().to_owned());
        (folder, place)
    }

    #[test]
    fn what_is_whole_is_said_to_be_while_a_server_runs() {
        let folder = TempDir::new().unwrap();
        let store = Store::open(folder.path()).unwrap();
        play_a_match(&store, WHOLE);
        let place = Place::Folder(folder.path().to_owned());
        let found = checked(&place);
        assert_eq!((found.tables, found.matches, found.records), (1, 1, 0));
        assert_eq!(found.damage, []);
        keep(&store, &store.unrecorded(9).unwrap().remove(0)).unwrap();
        let mut told = Vec::new();
        let found = check(&place, &mut |progress| told.push(progress)).unwrap();
        assert_eq!((found.tables, found.matches, found.records, found.damage.len()), (1, 0, 1, 0));
        let one = |step| Progress { step, done: 1, total: Some(1) };
        assert_eq!(told, [one(Step::Tables), one(Step::Records)]);
        let nowhere = folder.path().join("nowhere");
        let refused = check(&Place::Folder(nowhere.clone()), &mut |_| {});
        assert_eq!(refused, Err(BackupError::Nothing { folder: nowhere }));
    }

    /// Kinds of damage that SQL can do on both kinds of database, and what is found.
    fn damages() -> Vec<(String, Vec<Damaged>)> {
        let of_table = format!("(SELECT id FROM tables WHERE code = '{BROKEN}')");
        let record = format!("WHERE id = '{BROKEN}-1'");
        vec![
            (
                format!("UPDATE snapshots SET body = substr(body, 1, 9) WHERE table_id = {of_table}"),
                vec![table(BROKEN)],
            ),
            (format!("UPDATE tables SET last = last + 1 WHERE code = '{BROKEN}'"), vec![table(BROKEN)]),
            (format!("UPDATE records SET body = substr(body, 1, length(body) - 9) {record}"), vec![game()]),
            (format!("UPDATE records SET summary = substr(summary, 1, 5) {record}"), vec![game()]),
            (
                format!("UPDATE records SET summary = replace(summary, '\"original\"', '\"frozen\"') {record}"),
                vec![game()],
            ),
            (
                format!(
                    "UPDATE records SET body = substr(body, 5) {record};
                    DELETE FROM snapshots WHERE table_id = {of_table}"
                ),
                vec![table(BROKEN), game()],
            ),
        ]
    }

    #[test]
    fn what_is_damaged_is_named_and_the_rest_is_not() {
        for (sql, expected) in damages() {
            let (folder, place) = filled();
            sqlite(folder.path(), &sql);
            assert_eq!(damaged(&place), expected, "{sql}");
            assert_eq!(checked(&place).tables + checked(&place).records, 4 - expected.len() as u64, "{sql}");
        }
    }

    #[test]
    fn a_move_that_was_changed_is_noticed() {
        let (folder, place) = filled();
        let database = rusqlite::Connection::open(folder.path().join(DATABASE)).unwrap();
        let body: Vec<u8> =
            database.query_row("SELECT body FROM records WHERE number = 2", (), |row| row.get(0)).unwrap();
        let text = String::from_utf8(body).unwrap();
        // The last move but one is left out.
        let mut record = Record::parse(&text).unwrap();
        record.moves.remove(record.moves.len() - 2);
        database.execute("UPDATE records SET body = ? WHERE number = 2", [record.to_json().into_bytes()]).unwrap();
        drop(database);
        assert_eq!(damaged(&place), [game()]);
    }

    #[test]
    fn a_match_that_can_have_no_record_is_named() {
        let folder = TempDir::new().unwrap();
        let store = Store::open(folder.path()).unwrap();
        play_a_match(&store, WHOLE);
        store.close();
        sqlite(folder.path(), "UPDATE parts SET body = substr(body, 9)");
        let place = Place::Folder(folder.path().to_owned());
        assert_eq!(damaged(&place), [Damaged::Match(1, WHOLE.to_owned(), 1)]);
    }

    #[test]
    fn a_file_that_is_damaged_itself_is_hopeless() {
        let (folder, place) = filled();
        let mut file = std::fs::File::options().write(true).open(folder.path().join(DATABASE)).unwrap();
        let length = file.metadata().unwrap().len();
        // The last pages, whatever they hold: the first has to be whole for it to be a database at all.
        file.seek(SeekFrom::Start(length / 2)).unwrap();
        file.write_all(&vec![0xa5; (length / 2) as usize]).unwrap();
        let found = checked(&place);
        assert!(found.is_hopeless(), "{found:?}");
    }

    #[test]
    fn what_is_damaged_can_be_set_aside() {
        let (folder, place) = filled();
        let (sql, expected) = damages().pop().unwrap();
        sqlite(folder.path(), &sql);
        let (picked, aside) = (checked(&place).picked(), folder.path().join("aside.gz"));
        let running = Store::open(folder.path()).unwrap();
        let refused = set_aside(&place, &picked, &aside, &mut |_| {});
        assert!(matches!(refused, Err(BackupError::Copy(CopyError::Store(StoreError::Locked { .. })))), "{refused:?}");
        running.close();
        let moved = set_aside(&place, &picked, &aside, &mut |_| {}).unwrap();
        assert_eq!((moved.tables, moved.records, moved.guests), (1, 1, 0));
        let found = checked(&place);
        assert_eq!((found.tables, found.records, found.damage.len()), (1, 1, 0));
        assert!(matches!(set_aside(&place, &picked, &aside, &mut |_| {}), Err(BackupError::File { .. })), "it is kept");
        // Nothing is lost: the file is a backup of what was damaged.
        let other = Place::Folder(folder.path().join("other"));
        backup::restore(&aside, &other, &Options::default(), &mut |_| {}).unwrap();
        let found: Vec<String> = damaged(&other).iter().map(ToString::to_string).collect();
        assert_eq!(found, expected.iter().map(ToString::to_string).collect::<Vec<_>>());
    }

    #[test]
    fn postgres_is_checked_and_relieved_of_what_is_damaged_in_the_same_way() {
        let server = match Scratch::start(Care::None) {
            Ok(server) => server,
            Err(why) => return eprintln!("skipped: {why}"),
        };
        let (folder, all) = (TempDir::new().unwrap(), damages());
        for (number, (sql, expected)) in all.iter().enumerate() {
            let schema = format!("s{number}");
            server.sql(&format!("CREATE SCHEMA {schema}")).unwrap();
            let address: DatabaseAddress = server.address(&schema).parse().unwrap();
            let place = Place::Databases(vec![address.clone()]);
            let store = Store::connect(&address, Options::default()).unwrap();
            fill(&store);
            assert_eq!(damaged(&place), [], "while it is in use");
            drop(store);
            server.sql(&format!("SET search_path = {schema}; {sql}")).unwrap();
            assert_eq!(damaged(&place), *expected, "{sql}");
            if number + 1 == all.len() {
                let aside = folder.path().join("aside.gz");
                let moved = set_aside(&place, &checked(&place).picked(), &aside, &mut |_| {}).unwrap();
                assert_eq!((moved.tables, moved.records), (1, 1));
                let found = checked(&place);
                assert_eq!((found.tables, found.records, found.damage.len()), (1, 1, 0));
            }
        }
    }
}
