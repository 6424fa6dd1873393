//! What a store promises, on real files.

use std::time::Instant;

use tempfile::TempDir;

use super::*;
use crate::ListingChange;

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn body(seq: u64) -> Vec<u8> {
    format!("entry {seq}").into_bytes()
}

/// The entries after a number, up to another.
fn batch(table: &str, after: u64, last: u64) -> Batch {
    Batch { table: table.to_owned(), after, entries: (after + 1..=last).map(body).collect(), ..Batch::default() }
}

fn guest(token: u8, name: &str) -> NewGuest {
    NewGuest { token: [token; 32], name: name.to_owned(), look: String::new() }
}

fn record(id: &str, people: &[u64]) -> RecordRow {
    RecordRow {
        id: id.to_owned(),
        table: "K7QX".to_owned(),
        summary: format!("game {id}"),
        body: b"moves".to_vec(),
        people: people.to_vec(),
    }
}

fn seqs(table: &StoredTable) -> Vec<u64> {
    table.entries.iter().map(|(seq, _)| *seq).collect()
}

/// Waits until something holds that the writer brings about.
fn eventually(what: &str, holds: impl Fn() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{what} never happened");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Lets the writer's connection do something.
fn setting(store: &Store, sql: &'static str) {
    store.write(0, move |connection| connection.execute_batch(sql).map(|()| 0).map_err(Into::into)).unwrap();
}

// The journal.

#[test]
fn what_was_told_to_be_written_is_there_after_reopening() {
    let folder = folder();
    let store = Store::open(folder.path()).unwrap();
    store.append_now(batch("A", 0, 3)).unwrap();
    store.append_now(batch("A", 3, 5)).unwrap();
    store.close();
    let store = Store::open(folder.path()).unwrap();
    let table = store.load("A").unwrap().unwrap();
    assert_eq!(table.entries, (1..=5).map(|seq| (seq, body(seq))).collect::<Vec<_>>());
    assert_eq!((table.row.last, table.row.closed, table.snapshot), (5, None, None));
    assert_eq!(store.load("B"), Ok(None));
    assert_eq!(store.journal("B"), Ok(Vec::new()));
}

#[test]
fn batches_are_told_in_the_order_of_the_calls_and_share_transactions() {
    let folder = folder();
    let store = Store::open(folder.path()).unwrap();
    let (tell, told) = mpsc::channel();
    for step in 0..2000_u64 {
        let tell = tell.clone();
        let table = format!("T{}", step % 10);
        store.append(batch(&table, step / 10, step / 10 + 1), move |result| tell.send((step, result)).unwrap());
    }
    let answers: Vec<(u64, Result<()>)> = told.iter().take(2000).collect();
    assert!(answers.iter().all(|(_, result)| result.is_ok()));
    assert!(answers.is_sorted_by_key(|(step, _)| *step));
    let figures = store.figures();
    assert_eq!((figures.jobs, figures.failures, figures.waiting), (2000, 0, 0));
    assert!(figures.commits < 1000, "{} transactions for 2000 batches", figures.commits);
    for table in 0..10 {
        assert_eq!(store.journal(&format!("T{table}")).unwrap().len(), 200);
    }
}

#[test]
fn a_batch_that_does_not_fit_fails_alone() {
    let store = Store::in_memory().unwrap();
    let (tell, told) = mpsc::channel();
    let send = |batch: Batch| {
        let tell = tell.clone();
        store.append(batch, move |result| tell.send(result).unwrap());
    };
    let doubled = Batch { people: vec![7], closed: true, ..batch("A", 0, 1) };
    for step in [batch("A", 0, 2), doubled, batch("B", 3, 4), batch("A", 2, 3)] {
        send(step);
    }
    let conflict = |table: &str, after, last| Err(StoreError::Conflict { table: table.to_owned(), after, last });
    let answers: Vec<Result<()>> = told.iter().take(4).collect();
    assert_eq!(answers, [Ok(()), conflict("A", 0, 2), conflict("B", 3, 0), Ok(())]);
    assert_eq!(seqs(&store.load("A").unwrap().unwrap()), [1, 2, 3]);
    assert_eq!(store.table("B"), Ok(None));
    assert_eq!(store.tables_of(7), Ok(Vec::new()));
    assert_eq!(store.health(), Health::Ok);
}

#[test]
fn a_snapshot_replaces_the_entries_before_it_and_older_snapshots() {
    let store = Store::in_memory().unwrap();
    store.append_now(Batch { snapshot: Some((2, b"two".to_vec())), ..batch("A", 0, 3) }).unwrap();
    store.append_now(Batch { snapshot: Some((5, b"five".to_vec())), ..batch("A", 3, 7) }).unwrap();
    let table = store.load("A").unwrap().unwrap();
    assert_eq!(table.snapshot, Some((5, b"five".to_vec())));
    assert_eq!(seqs(&table), [6, 7]);
    assert_eq!(store.journal("A").unwrap().len(), 7);
    let early = Batch { snapshot: Some((9, b"nine".to_vec())), ..batch("A", 7, 8) };
    assert!(matches!(store.append_now(early), Err(StoreError::Rejected(_))));
    assert_eq!(store.table("A").unwrap().unwrap().last, 7);
}

#[test]
fn pruning_never_takes_what_loading_needs() {
    let store = Store::in_memory().unwrap();
    store.append_now(batch("A", 0, 4)).unwrap();
    assert_eq!(store.prune("A", 4), Ok(0));
    store.append_now(Batch { snapshot: Some((6, b"six".to_vec())), ..batch("A", 4, 9) }).unwrap();
    assert_eq!(store.prune("A", 3), Ok(2));
    assert_eq!(store.prune("A", 100), Ok(4));
    assert_eq!(seqs(&store.load("A").unwrap().unwrap()), [7, 8, 9]);
    assert_eq!(store.prune("B", 100), Ok(0));
}

#[test]
fn missing_entries_are_noticed() {
    let store = Store::in_memory().unwrap();
    store.append_now(batch("A", 0, 4)).unwrap();
    setting(&store, "DELETE FROM journal WHERE seq = 2");
    assert!(matches!(store.load("A"), Err(StoreError::Corrupt(_))));
}

#[test]
fn tables_are_listed_as_they_wish_until_they_are_closed() {
    let store = Store::in_memory().unwrap();
    let listed = |store: &Store| -> Vec<(String, Option<String>)> {
        store.listed_tables(10).unwrap().into_iter().map(|row| (row.code, row.listing)).collect()
    };
    let show = |text: &str| ListingChange::Show(text.to_owned());
    store.append_now(Batch { listing: show("a"), ..batch("A", 0, 1) }).unwrap();
    store.append_now(Batch { listing: show("b"), ..batch("B", 0, 1) }).unwrap();
    store.append_now(batch("C", 0, 1)).unwrap();
    store.append_now(batch("A", 1, 2)).unwrap();
    let row = |code: &str| (code.to_owned(), Some(code.to_lowercase()));
    assert_eq!(listed(&store), [row("B"), row("A")]);
    store.append_now(Batch { listing: ListingChange::Hide, ..batch("A", 2, 3) }).unwrap();
    assert_eq!(listed(&store), [row("B")]);
    store.append_now(Batch { closed: true, ..batch("B", 1, 2) }).unwrap();
    assert_eq!(listed(&store), []);
    let open: Vec<String> = store.open_tables().unwrap().into_iter().map(|row| row.code).collect();
    assert_eq!(open, ["A", "C"]);
    assert!(store.table("B").unwrap().unwrap().closed.is_some());
}

// Guests and records.

#[test]
fn guests_are_found_by_number_and_by_token() {
    let store = Store::in_memory().unwrap();
    let ann = store.add_guest(guest(1, "Ann")).unwrap();
    assert!(matches!(store.add_guest(guest(1, "Eve")), Err(StoreError::Rejected(_))));
    let bob = store.add_guest(guest(2, "Bob")).unwrap();
    assert!(bob > ann);
    let found = store.guest_by_token(&[1; 32]).unwrap().unwrap();
    assert_eq!((found.id, found.name.as_str(), found.token), (ann, "Ann", [1; 32]));
    assert_eq!(store.guest_by_token(&[3; 32]), Ok(None));
    assert_eq!(store.change_guest(ann, Some("Anna".to_owned()), None), Ok(true));
    assert_eq!(store.change_guest(ann, None, Some("fox".to_owned())), Ok(true));
    assert_eq!(store.see_guest(ann), Ok(true));
    let renamed = store.guest(ann).unwrap().unwrap();
    assert_eq!(renamed.name, "Anna");
    assert!(renamed.seen >= found.seen && renamed.created == found.created);
    assert_eq!((store.change_guest(99, None, None), store.see_guest(99)), (Ok(false), Ok(false)));
}

#[test]
fn the_number_of_a_guest_who_was_removed_is_not_given_again() {
    let store = Store::in_memory().unwrap();
    let ann = store.add_guest(guest(1, "Ann")).unwrap();
    assert_eq!(store.remove_guest(ann), Ok(true));
    assert_eq!(store.remove_guest(ann), Ok(false));
    assert!(store.add_guest(guest(1, "Eve")).unwrap() > ann);
}

#[test]
fn unfinished_games_are_found_by_guest() {
    let store = Store::in_memory().unwrap();
    store.append_now(Batch { people: vec![7, 8], ..batch("A", 0, 1) }).unwrap();
    store.append_now(Batch { people: vec![7], ..batch("B", 0, 1) }).unwrap();
    store.append_now(Batch { people: vec![7], left: vec![8], ..batch("A", 1, 2) }).unwrap();
    let codes = |guest| -> Vec<String> {
        let mut codes: Vec<String> = store.tables_of(guest).unwrap().into_iter().map(|row| row.code).collect();
        codes.sort();
        codes
    };
    assert_eq!(codes(7), ["A", "B"]);
    assert_eq!(codes(8), [""; 0]);
    store.append_now(Batch { closed: true, ..batch("B", 1, 2) }).unwrap();
    assert_eq!(codes(7), ["A"]);
}

#[test]
fn a_record_is_stored_once() {
    let store = Store::in_memory().unwrap();
    assert_eq!(store.put_record(record("one", &[7, 8])), Ok(true));
    assert_eq!(store.put_record(RecordRow { body: b"other".to_vec(), ..record("one", &[9]) }), Ok(false));
    assert_eq!(store.put_record(record("two", &[7])), Ok(true));
    assert_eq!(store.record("one"), Ok(Some(record("one", &[7, 8]))));
    assert_eq!(store.record("three"), Ok(None));
    let ids = |guest, most| -> Vec<String> {
        store.records_of(guest, most).unwrap().into_iter().map(|head| head.id).collect()
    };
    assert_eq!(ids(7, 10), ["two", "one"]);
    assert_eq!(ids(7, 1), ["two"]);
    assert_eq!(ids(9, 10), [""; 0]);
}

#[test]
fn what_nobody_touches_is_forgotten_when_its_time_is_over() {
    let store = Store::in_memory().unwrap();
    let ann = store.add_guest(guest(1, "Ann")).unwrap();
    store.append_now(Batch { people: vec![ann], snapshot: Some((1, body(1))), ..batch("A", 0, 2) }).unwrap();
    store.put_record(record("one", &[ann])).unwrap();
    let all = |age: Duration| Retention { tables: Some(age), guests: Some(age), records: Some(age) };
    assert_eq!(store.forget(Retention::default()), Ok(Forgotten::default()));
    assert_eq!(store.forget(all(Duration::from_secs(3600))), Ok(Forgotten::default()));
    let guests = Retention { guests: Some(Duration::ZERO), ..Retention::default() };
    assert_eq!(store.forget(guests), Ok(Forgotten::default()), "somebody with a game is kept");
    assert_eq!(store.forget(all(Duration::ZERO)), Ok(Forgotten { tables: 1, guests: 1, records: 1 }));
    let left: i64 = store
        .read(|connection| {
            let counts = "SELECT (SELECT count(*) FROM tables) + (SELECT count(*) FROM journal)
                + (SELECT count(*) FROM snapshots) + (SELECT count(*) FROM people) + (SELECT count(*) FROM guests)
                + (SELECT count(*) FROM records) + (SELECT count(*) FROM players)";
            Ok(connection.query_row(counts, (), |row| row.get(0))?)
        })
        .unwrap();
    assert_eq!(left, 0);
}

// Faults.

#[test]
fn a_folder_is_used_by_one_store_at_a_time() {
    let folder = folder();
    let store = Store::open(folder.path()).unwrap();
    let error = Store::open(folder.path()).unwrap_err();
    let process = Some(std::process::id());
    assert_eq!(error, StoreError::Locked { folder: folder.path().to_owned(), process });
    assert!(error.to_string().contains(&format!("process {}", std::process::id())), "{error}");
    let other = store.clone();
    store.close();
    let again = Store::open(folder.path()).unwrap();
    again.append_now(batch("A", 0, 1)).unwrap();
    assert_eq!(other.append_now(batch("B", 0, 1)), Err(StoreError::Closed));
}

#[test]
fn the_lock_is_given_back_with_the_last_handle() {
    let folder = folder();
    let store = Store::open(folder.path()).unwrap();
    let handle = store.clone();
    drop(store);
    assert!(Store::open(folder.path()).is_err());
    drop(handle);
    Store::open(folder.path()).unwrap();
}

#[test]
fn the_last_handle_may_be_dropped_by_who_is_told() {
    let folder = folder();
    let store = Store::open(folder.path()).unwrap();
    let handle = store.clone();
    store.append(batch("A", 0, 1), move |_| drop(handle));
    drop(store);
    eventually("the lock's release", || Store::open(folder.path()).is_ok());
}

#[test]
fn a_panic_of_who_is_told_does_not_stop_the_writer() {
    let store = Store::in_memory().unwrap();
    store.append(batch("A", 0, 1), |_| panic!("on purpose"));
    store.append_now(batch("A", 1, 2)).unwrap();
}

#[test]
fn a_file_in_place_of_the_folder_is_explained() {
    let folder = folder();
    let path = folder.path().join("file");
    std::fs::write(&path, "no folder").unwrap();
    for path in [path.clone(), path.join("below")] {
        let error = Store::open(&path).unwrap_err();
        assert!(matches!(&error, StoreError::Folder { folder, .. } if *folder == path), "{error}");
    }
}

#[test]
fn a_database_that_cannot_be_opened_is_explained() {
    let folder = folder();
    std::fs::create_dir(folder.path().join(DATABASE)).unwrap();
    let error = Store::open(folder.path()).unwrap_err();
    assert!(matches!(&error, StoreError::Folder { detail, .. } if detail.contains(DATABASE)), "{error}");
}

#[test]
fn garbage_is_no_database() {
    let folder = folder();
    let path = folder.path().join(DATABASE);
    std::fs::write(&path, "this is a shopping list\n".repeat(400)).unwrap();
    let error = Store::open(folder.path()).unwrap_err();
    assert!(matches!(error, StoreError::Corrupt(_)), "{error}");
    assert!(std::fs::read_to_string(&path).unwrap().starts_with("this is a shopping list"), "it is left alone");
}

fn filled() -> TempDir {
    let folder = folder();
    let store = Store::open(folder.path()).unwrap();
    for table in 0..200 {
        store.append_now(batch(&format!("T{table}"), 0, 20)).unwrap();
    }
    store.close();
    folder
}

#[test]
fn a_file_that_was_cut_off_is_noticed() {
    let folder = filled();
    let path = folder.path().join(DATABASE);
    let length = std::fs::metadata(&path).unwrap().len();
    for kept in [length / 2, 4096, 1000] {
        std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(kept).unwrap();
        let error = Store::open(folder.path()).unwrap_err();
        assert!(matches!(error, StoreError::Corrupt(_)), "{kept} bytes: {error}");
    }
}

#[test]
fn a_file_with_pages_overwritten_is_noticed() {
    let folder = filled();
    let path = folder.path().join(DATABASE);
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2 / 4096 * 4096;
    bytes[middle..middle + 8192].fill(0xa5);
    std::fs::write(&path, bytes).unwrap();
    let error = Store::open(folder.path()).unwrap_err();
    assert!(matches!(error, StoreError::Corrupt(_)), "{error}");
}

#[test]
fn a_newer_database_is_left_alone() {
    let folder = filled();
    let path = folder.path().join(DATABASE);
    Connection::open(&path).unwrap().pragma_update(None, "user_version", 1000).unwrap();
    let known = schema::STEPS.len() as u32;
    let error = Store::open(folder.path()).unwrap_err();
    assert_eq!(error, StoreError::Newer { found: 1000, known });
}

#[test]
fn a_full_disk_is_told_and_recovered_from() {
    let folder = folder();
    let store = Store::open(folder.path()).unwrap();
    store.append_now(batch("A", 0, 1)).unwrap();
    store.limit_size(0).unwrap();
    let large = |after| Batch { entries: vec![vec![7; 1 << 20]], ..batch("A", after, after) };
    assert_eq!(store.append_now(large(1)), Err(StoreError::Full));
    assert_eq!(store.health(), Health::Failing(StoreError::Full.to_string()));
    assert_eq!(seqs(&store.load("A").unwrap().unwrap()), [1]);
    // As long as there is no room, asking again does not help.
    assert_eq!(store.append_now(large(1)), Err(StoreError::Full));
    store.limit_size(1 << 40).unwrap();
    eventually("recovery without a write", || store.health() == Health::Ok);
    store.append_now(large(1)).unwrap();
    assert_eq!(seqs(&store.load("A").unwrap().unwrap()), [1, 2]);
}

#[test]
fn a_failure_concerns_everything_in_its_transaction() {
    let folder = folder();
    let store = Store::open(folder.path()).unwrap();
    store.append_now(batch("A", 0, 1)).unwrap();
    store.limit_size(0).unwrap();
    let (tell, told) = mpsc::channel();
    // The writer is held up, so that all that follows waits for one transaction.
    let (go, gone) = mpsc::channel::<()>();
    store.append(batch("A", 0, 1), move |_| gone.recv().unwrap());
    for step in [batch("A", 1, 2), Batch { entries: vec![vec![7; 1 << 20]], ..batch("B", 0, 0) }, batch("A", 2, 3)] {
        let tell = tell.clone();
        store.append(step, move |result| tell.send(result).unwrap());
    }
    go.send(()).unwrap();
    let answers: Vec<Result<()>> = told.iter().take(3).collect();
    assert_eq!(answers, [Err(StoreError::Full), Err(StoreError::Full), Err(StoreError::Full)]);
    assert_eq!(store.table("A").unwrap().unwrap().last, 1);
    store.append_now(batch("A", 1, 2)).unwrap();
    assert_eq!(store.health(), Health::Ok, "a write that succeeds says that all is well");
}

#[test]
fn a_database_that_may_not_be_written_is_told_and_recovered_from() {
    let connection = Connection::open_in_memory().unwrap();
    schema::migrate(&connection, schema::STEPS).unwrap();
    let connection = Arc::new(Mutex::new(connection));
    let forbid = |on: bool| connection.lock().unwrap().pragma_update(None, "query_only", on).unwrap();
    let store = Store::start(connection.clone(), vec![connection.clone()], None).unwrap();
    forbid(true);
    assert_eq!(store.append_now(batch("A", 0, 1)), Err(StoreError::ReadOnly));
    assert_eq!(store.health(), Health::Failing(StoreError::ReadOnly.to_string()));
    assert_eq!(store.load("A"), Ok(None));
    forbid(false);
    eventually("recovery", || store.health() == Health::Ok);
    store.append_now(batch("A", 0, 1)).unwrap();
}

#[test]
fn a_database_held_by_another_program_is_told_and_recovered_from() {
    let folder = folder();
    let store = Store::open(folder.path()).unwrap();
    setting(&store, "PRAGMA busy_timeout = 20");
    let other = Connection::open(folder.path().join(DATABASE)).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert_eq!(store.append_now(batch("A", 0, 1)), Err(StoreError::Occupied));
    assert_eq!(store.load("A"), Ok(None), "reading goes on");
    other.execute_batch("COMMIT").unwrap();
    eventually("recovery", || store.health() == Health::Ok);
    store.append_now(batch("A", 0, 1)).unwrap();
}

#[test]
fn every_error_is_a_sentence_that_says_what_to_do() {
    let folder = std::path::PathBuf::from("data");
    let errors = [
        StoreError::Locked { folder: folder.clone(), process: None },
        StoreError::Folder { folder, detail: "no space".to_owned() },
        StoreError::Corrupt("page 3".to_owned()),
        StoreError::Newer { found: 2, known: 1 },
        StoreError::ReadOnly,
        StoreError::Full,
        StoreError::Occupied,
        StoreError::Io("broken".to_owned()),
        StoreError::Conflict { table: "A".to_owned(), after: 1, last: 2 },
        StoreError::Busy,
        StoreError::Closed,
    ];
    for error in errors {
        assert!(error.to_string().contains(": "), "{error}");
    }
}
