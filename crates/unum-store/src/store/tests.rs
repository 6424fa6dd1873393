//! The promises of a store, on real files.

use std::time::Instant;

use tempfile::TempDir;

use super::*;
use crate::context::Faded;
use crate::journal::Store;
use crate::{
    Doubt, Forgotten, ListingChange, MOST_BLOCKS, Part, REPORTS_OF_ONE, Retention, Sanction, SeasonRow, StoredTable,
};

mod backup;
mod postgres;

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
        people: people.iter().copied().map(Some).collect(),
        number: 1,
        made_by: "0.1.0, rules 1".to_owned(),
        ..RecordRow::default()
    }
}

fn seqs(table: &StoredTable) -> Vec<u64> {
    table.entries.iter().map(|(seq, _)| *seq).collect()
}

/// Appends, and waits for the disk.
fn append_now(store: &Store, batch: Batch) -> Result<()> {
    let (tell, told) = mpsc::channel();
    store.append(batch, move |result| tell.send(result).unwrap());
    told.recv().unwrap()
}

/// Waits until the writer has made a condition true.
fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{what} never happened");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// How many entries all journals have.
fn entries(store: &Store) -> i64 {
    rows_in(store, &["journal"])
}

/// Lets the database do something behind the store's back.
fn setting(store: &Store, sql: &'static str) {
    if postgres::sql(sql).is_some() {
        return;
    }
    let done = store.sqlite().write(0, move |connection| connection.execute_batch(sql).map(|()| 0).map_err(Into::into));
    done.unwrap();
}

/// How many rows some tables have together.
fn rows_in(store: &Store, tables: &[&str]) -> i64 {
    let counts: Vec<String> = tables.iter().map(|table| format!("(SELECT count(*) FROM {table})")).collect();
    let sql = format!("SELECT {}", counts.join(" + "));
    match postgres::sql(&sql) {
        Some(text) => text.parse().unwrap(),
        None => store.sqlite().read(|connection| Ok(connection.query_row(&sql, (), |row| row.get(0))?)).unwrap(),
    }
}

/// An empty store: in memory, or on PostgreSQL where the tests are run on it.
fn fresh() -> Store {
    fresh_with(Options::default())
}

fn fresh_with(options: Options) -> Store {
    postgres::fresh(&options).unwrap_or_else(|| Store::in_memory_with(options).unwrap())
}

/// The store in a folder, or the one on PostgreSQL that stands for it.
fn open(folder: &TempDir) -> Store {
    postgres::open(folder.path()).unwrap_or_else(|| Store::open(folder.path()).unwrap())
}

/// Fewer times on PostgreSQL, where every time is a round trip.
fn times(many: u64) -> u64 {
    if postgres::is_on() { many / 10 } else { many }
}

// The journal.

#[test]
fn what_was_told_to_be_written_is_there_after_reopening() {
    let folder = folder();
    let store = open(&folder);
    append_now(&store, batch("A", 0, 3)).unwrap();
    append_now(&store, batch("A", 3, 5)).unwrap();
    store.close();
    let store = open(&folder);
    let table = store.load("A").unwrap().unwrap();
    assert_eq!(table.entries, (1..=5).map(|seq| (seq, body(seq))).collect::<Vec<_>>());
    assert_eq!((table.row.last, table.row.closed, table.snapshot), (5, None, None));
    assert_eq!(store.load("B"), Ok(None));
    assert_eq!(store.journal("B"), Ok(Vec::new()));
}

#[test]
fn batches_are_told_in_the_order_of_the_calls_and_share_transactions() {
    let folder = folder();
    let store = open(&folder);
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
    let store = fresh();
    let (tell, told) = mpsc::channel();
    let send = |batch: Batch| {
        let tell = tell.clone();
        store.append(batch, move |result| tell.send(result).unwrap());
    };
    let doubled = Batch { people: vec![7], closed: true, ..batch("A", 0, 1) };
    for step in [batch("A", 0, 2), doubled, batch("B", 3, 4), batch("A", 2, 3)] {
        send(step);
    }
    let conflict = |table, after, last| Err(StoreError::Conflict { table, after, last });
    let answers: Vec<Result<()>> = told.iter().take(4).collect();
    // Where the journal ends is looked up when the batch has failed: the next one may be there by then.
    let last = if answers[1] == conflict(1, 0, 3) { 3 } else { 2 };
    assert_eq!(answers, [Ok(()), conflict(1, 0, last), conflict(0, 3, 0), Ok(())]);
    assert_eq!(seqs(&store.load("A").unwrap().unwrap()), [1, 2, 3]);
    assert_eq!(store.load("B"), Ok(None));
    assert_eq!(store.tables_of(7), Ok(Vec::new()));
    assert_eq!(store.health(), Health::Ok);
}

#[test]
fn a_snapshot_replaces_the_entries_before_it_and_older_snapshots() {
    let store = fresh();
    append_now(&store, Batch { snapshot: Some((2, b"two".to_vec())), ..batch("A", 0, 3) }).unwrap();
    append_now(&store, Batch { snapshot: Some((5, b"five".to_vec())), ..batch("A", 3, 7) }).unwrap();
    let table = store.load("A").unwrap().unwrap();
    assert_eq!(table.snapshot, Some((5, b"five".to_vec())));
    assert_eq!(seqs(&table), [6, 7]);
    assert_eq!(store.journal("A").unwrap().len(), 2, "what a snapshot holds is deleted");
    let early = Batch { snapshot: Some((9, b"nine".to_vec())), ..batch("A", 7, 8) };
    assert!(matches!(append_now(&store, early), Err(StoreError::Rejected(_))));
    assert_eq!(store.load("A").unwrap().unwrap().row.last, 7);
}

#[test]
fn a_snapshot_of_less_leaves_what_comes_after_it() {
    let store = fresh();
    append_now(&store, batch("A", 0, 4)).unwrap();
    append_now(&store, Batch { snapshot: Some((2, b"two".to_vec())), ..batch("A", 4, 6) }).unwrap();
    assert_eq!(seqs(&store.load("A").unwrap().unwrap()), [3, 4, 5, 6]);
    append_now(&store, Batch { snapshot: Some((6, b"six".to_vec())), ..batch("A", 6, 6) }).unwrap();
    assert_eq!(seqs(&store.load("A").unwrap().unwrap()), [0; 0]);
    append_now(&store, batch("A", 6, 8)).unwrap();
    assert_eq!(seqs(&store.load("A").unwrap().unwrap()), [7, 8]);
}

/// However long a table lives, its journal has no more rows and bytes than fit between two snapshots.
#[test]
fn journals_with_snapshots_do_not_grow() {
    let store = fresh();
    let snapshot = |seq| (seq % 100 == 0).then(|| (seq, vec![7; 500]));
    let steps = times(5000);
    for step in 1..=steps {
        append_now(&store, Batch { snapshot: snapshot(step), ..batch("A", step - 1, step) }).unwrap();
        append_now(&store, Batch { snapshot: snapshot(step), ..batch("B", step - 1, step) }).unwrap();
    }
    append_now(&store, batch("A", steps, steps + 50)).unwrap();
    eventually("deleting", || entries(&store) == 50);
    assert!(store.load("A").unwrap().unwrap().row.bytes < 50 * 60 + 600);
    let whole = fresh_with(Options { keep_journals: true, ..Options::default() });
    append_now(&whole, Batch { snapshot: snapshot(100), ..batch("A", 0, 150) }).unwrap();
    assert_eq!(whole.journal("A").unwrap().len(), 150);
    assert_eq!(seqs(&whole.load("A").unwrap().unwrap()).len(), 50);
}

/// Superfluous entries wait for a quiet moment, but only while they are few.
#[test]
fn superfluous_entries_do_not_pile_up_while_others_are_written() {
    let store = Store::in_memory().unwrap();
    let mut most = 0;
    for step in 1..=1500 {
        let snapshot = (step % 100 == 0).then(|| (step, vec![7; 500]));
        append_now(&store, Batch { entries: vec![vec![7; 20_000]], snapshot, ..batch("A", step - 1, step - 1) })
            .unwrap();
        most = most.max(entries(&store));
    }
    assert!((150..500).contains(&most), "{most}");
}

#[test]
fn what_a_snapshot_does_not_hold_after_all_is_kept() {
    let store = Store::in_memory().unwrap();
    append_now(&store, batch("A", 0, 4)).unwrap();
    store.sqlite().context.fade(Faded { table: 1, tail: 4, bytes: 1 });
    append_now(&store, Batch { snapshot: Some((2, b"two".to_vec())), ..batch("B", 0, 4) }).unwrap();
    append_now(&store, Batch { snapshot: Some((3, b"three".to_vec())), ..batch("B", 4, 4) }).unwrap();
    eventually("deleting", || entries(&store) == 5);
    assert_eq!(seqs(&store.load("A").unwrap().unwrap()), [1, 2, 3, 4]);
    assert_eq!(seqs(&store.load("B").unwrap().unwrap()), [4]);
}

#[test]
fn after_a_crash_superfluous_entries_and_those_of_deleted_tables_are_gone() {
    let folder = folder();
    let copy = tempfile::tempdir().unwrap();
    {
        let store = Store::open(folder.path()).unwrap();
        append_now(&store, batch("A", 0, 4)).unwrap();
        append_now(&store, batch("B", 0, 4)).unwrap();
        append_now(&store, Batch { snapshot: Some((3, b"three".to_vec())), ..batch("A", 4, 5) }).unwrap();
        setting(&store, "INSERT INTO journal (table_id, seq, body) VALUES (77, 1, x'00')");
        for name in [DATABASE, "unum.db-wal"] {
            std::fs::copy(folder.path().join(name), copy.path().join(name)).unwrap();
        }
    }
    let store = Store::open(copy.path()).unwrap();
    assert_eq!(entries(&store), 6);
    assert_eq!(seqs(&store.load("A").unwrap().unwrap()), [4, 5]);
    assert_eq!(seqs(&store.load("B").unwrap().unwrap()), [1, 2, 3, 4]);
}

#[test]
fn a_table_is_shown_piece_by_piece_for_as_long_as_wanted() {
    let store = fresh();
    append_now(&store, Batch { snapshot: Some((2, b"two".to_vec())), ..batch("A", 0, 9) }).unwrap();
    let mut shown = Vec::new();
    let found = store.visit("A", &mut |piece| {
        shown.push(match piece {
            Piece::Table(row) => format!("table {} {}", row.id, row.last),
            Piece::Snapshot(seq, _) => format!("snapshot {seq}"),
            Piece::Entry(seq, body) => format!("{seq} {}", String::from_utf8_lossy(body)),
        });
        shown.len() < 4
    });
    assert_eq!((found, shown.join(", ").as_str()), (Ok(true), "table 1 9, snapshot 2, 3 entry 3, 4 entry 4"));
    assert_eq!(store.visit("B", &mut |_| true), Ok(false));
}

#[test]
fn a_table_takes_no_more_than_it_may() {
    let store = fresh_with(Options { table_bytes: Some(10_000), ..Options::default() });
    let large = |after| Batch { entries: vec![vec![7; 3000]], ..batch("A", after, after) };
    for after in 0..3 {
        append_now(&store, large(after)).unwrap();
    }
    assert_eq!(append_now(&store, large(3)), Err(StoreError::OverQuota { table: 1 }));
    append_now(&store, batch("B", 0, 1)).unwrap();
    assert_eq!(store.health(), Health::Ok, "it is nobody else's business");
    // A snapshot makes room.
    append_now(&store, Batch { snapshot: Some((4, body(4))), ..batch("A", 3, 4) }).unwrap();
    append_now(&store, large(4)).unwrap();
}

#[test]
fn missing_entries_are_noticed() {
    let store = fresh();
    append_now(&store, batch("A", 0, 4)).unwrap();
    setting(&store, "DELETE FROM journal WHERE seq = 2");
    assert_eq!(store.load("A"), Err(StoreError::Gap { table: 1 }));
}

#[test]
fn tables_are_listed_as_they_wish_until_they_are_closed() {
    let store = fresh();
    let listed = |store: &Store| -> Vec<(String, Option<String>)> {
        store.listed_tables(10).unwrap().into_iter().map(|row| (row.code, row.listing)).collect()
    };
    let show = |text: &str| ListingChange::Show(text.to_owned());
    append_now(&store, Batch { listing: show("a"), ..batch("A", 0, 1) }).unwrap();
    append_now(&store, Batch { listing: show("b"), ..batch("B", 0, 1) }).unwrap();
    append_now(&store, batch("C", 0, 1)).unwrap();
    append_now(&store, batch("A", 1, 2)).unwrap();
    let row = |code: &str| (code.to_owned(), Some(code.to_lowercase()));
    assert_eq!(listed(&store), [row("B"), row("A")]);
    append_now(&store, Batch { listing: ListingChange::Hide, ..batch("A", 2, 3) }).unwrap();
    assert_eq!(listed(&store), [row("B")]);
    append_now(&store, Batch { closed: true, ..batch("B", 1, 2) }).unwrap();
    assert_eq!(listed(&store), []);
    let open: Vec<String> = store.open_tables().unwrap().into_iter().map(|row| row.code).collect();
    assert_eq!(open, ["A", "C"]);
    assert!(store.load("B").unwrap().unwrap().row.closed.is_some());
}

// Guests and records.

#[test]
fn guests_are_found_by_number_and_by_token() {
    let store = fresh();
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
    let renamed = store.guest_by_token(&[1; 32]).unwrap().unwrap();
    assert_eq!(renamed.name, "Anna");
    assert!(renamed.seen >= found.seen && renamed.created == found.created);
    assert_eq!((store.change_guest(99, None, None), store.see_guest(99)), (Ok(false), Ok(false)));
}

#[test]
fn the_number_of_a_guest_who_was_removed_is_not_given_again() {
    let store = fresh();
    let ann = store.add_guest(guest(1, "Ann")).unwrap();
    assert_eq!(store.remove_guest(ann), Ok(true));
    assert_eq!(store.remove_guest(ann), Ok(false));
    assert!(store.add_guest(guest(1, "Eve")).unwrap() > ann);
}

#[test]
fn unfinished_games_are_found_by_guest() {
    let store = fresh();
    append_now(&store, Batch { people: vec![7, 8], ..batch("A", 0, 1) }).unwrap();
    append_now(&store, Batch { people: vec![7], ..batch("B", 0, 1) }).unwrap();
    append_now(&store, Batch { people: vec![7], left: vec![8, 7], ..batch("A", 1, 2) }).unwrap();
    let codes = |guest| -> Vec<String> {
        let mut codes: Vec<String> = store.tables_of(guest).unwrap().into_iter().map(|row| row.code).collect();
        codes.sort();
        codes
    };
    assert_eq!(codes(7), ["A", "B"]);
    assert_eq!(codes(8), [""; 0]);
    append_now(&store, Batch { closed: true, ..batch("B", 1, 2) }).unwrap();
    assert_eq!(codes(7), ["A"]);
}

#[test]
fn a_record_is_stored_once() {
    let store = fresh();
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

fn part(number: u32, first: bool, last: bool, body: &[u8]) -> Part {
    Part { number, first, last, body: body.to_vec() }
}

#[test]
fn parts_of_a_match_are_kept_until_its_record_is_made() {
    let store = fresh();
    append_now(&store, Batch { parts: vec![part(1, true, false, b"broken off")], ..batch("A", 0, 1) }).unwrap();
    append_now(&store, Batch { parts: vec![part(1, true, false, b"one")], ..batch("A", 1, 2) }).unwrap();
    assert_eq!(store.unrecorded(9), Ok(Vec::new()));
    let ends = vec![part(1, false, true, b"two"), part(2, true, false, b"next")];
    append_now(&store, Batch { parts: ends, ..batch("A", 2, 3) }).unwrap();
    assert_eq!(store.parts("A", 1), Ok(vec![b"one".to_vec(), b"two".to_vec()]));
    let due = Unrecorded { id: 1, table: "A".to_owned(), number: 1 };
    assert_eq!(store.unrecorded(9), Ok(vec![due]));
    let before = store.load("A").unwrap().unwrap().row.bytes;
    assert_eq!(store.put_record(RecordRow { table: "A".to_owned(), ..record("A-1", &[7]) }), Ok(true));
    assert_eq!((store.parts("A", 1), store.unrecorded(9)), (Ok(Vec::new()), Ok(Vec::new())));
    assert_eq!(store.parts("A", 2), Ok(vec![b"next".to_vec()]));
    assert!(store.load("A").unwrap().unwrap().row.bytes < before);
    append_now(&store, Batch { parts: vec![part(2, false, true, b"nonsense")], ..batch("A", 3, 4) }).unwrap();
    store.give_up_record("A", 2).unwrap();
    assert_eq!(store.unrecorded(9), Ok(Vec::new()), "it is not tried for ever");
}

#[test]
fn new_finished_games_take_the_place_of_the_oldest() {
    let store = fresh_with(Options { guest_bytes: Some(10_000), ..Options::default() });
    let ann = store.add_guest(guest(1, "Ann")).unwrap();
    append_now(&store, Batch { owner: Some(ann), ..batch("A", 0, 1) }).unwrap();
    let game = |number: u32| RecordRow {
        table: "A".to_owned(),
        body: vec![7; 3000],
        number,
        ..record(&format!("A-{number}"), &[ann])
    };
    for number in 1..=20 {
        store.put_record(game(number)).unwrap();
    }
    let ids: Vec<String> = store.records_of(ann, 99).unwrap().into_iter().map(|head| head.id).collect();
    assert_eq!(ids, ["A-20", "A-19", "A-18"]);
    store.put_record(RecordRow { body: vec![7; 20_000], ..game(21) }).unwrap();
    assert_eq!(store.records_of(ann, 99).unwrap().len(), 1, "one is kept in any case");
    store.put_record(record("elsewhere", &[])).unwrap();
    assert!(store.record("elsewhere").unwrap().is_some());
}

#[test]
fn reviews_are_kept_with_their_games_and_count_for_the_quota() {
    let store = fresh_with(Options { guest_bytes: Some(10_000), ..Options::default() });
    let ann = store.add_guest(guest(1, "Ann")).unwrap();
    append_now(&store, Batch { owner: Some(ann), ..batch("A", 0, 1) }).unwrap();
    let game = |number: u32| RecordRow {
        table: "A".to_owned(),
        body: vec![7; 1000],
        number,
        ..record(&format!("A-{number}"), &[ann])
    };
    let review = |length: usize| ReviewRow { review: vec![1; length], figures: b"figures".to_vec() };
    store.put_record(game(1)).unwrap();
    assert_eq!((store.review("A-1"), store.review("A-2")), (Ok(None), Ok(None)));
    assert_eq!((store.put_review("A-1", review(20)), store.put_review("A-2", review(20))), (Ok(true), Ok(false)));
    assert_eq!(store.put_review("A-1", review(8000)), Ok(true), "a better one takes its place");
    assert_eq!(store.review("A-1"), Ok(Some(vec![1; 8000])));
    assert_eq!(
        (store.seat_in("A-1", ann), store.seat_in("A-1", 99), store.seat_in("B", ann)),
        (Ok(Some(0)), Ok(None), Ok(None))
    );
    store.put_record(game(2)).unwrap();
    let ids =
        |store: &Store| -> Vec<String> { store.records_of(ann, 99).unwrap().into_iter().map(|head| head.id).collect() };
    assert_eq!(ids(&store), ["A-2"], "the review takes room like the game");
    for number in 3..=10 {
        store.put_record(game(number)).unwrap();
    }
    assert_eq!(ids(&store).len(), 9, "what is deleted takes none");
}

#[test]
fn a_season_has_the_games_with_figures_that_are_to_be_counted() {
    let store = fresh();
    let (ann, bob) = (store.add_guest(guest(1, "Ann")).unwrap(), store.add_guest(guest(2, "Bob")).unwrap());
    let season = |guest| -> Vec<(String, u8)> {
        store.season(guest, 9).unwrap().into_iter().map(|SeasonRow { id, seat, .. }| (id, seat)).collect()
    };
    let game = |id: &str| RecordRow { figures: Some(id.into()), ..record(id, &[bob, ann]) };
    store.put_record(record("bare", &[ann, bob])).unwrap();
    store.put_record(game("one")).unwrap();
    store.put_record(RecordRow { uncounted: vec![bob], ..game("two") }).unwrap();
    assert_eq!(season(ann), [("two".to_owned(), 1), ("one".to_owned(), 1)]);
    assert_eq!(season(bob), [("one".to_owned(), 0)]);
    store.put_review("bare", ReviewRow { review: b"all".to_vec(), figures: b"now known".to_vec() }).unwrap();
    assert_eq!(store.season(ann, 9).unwrap()[2].figures, b"now known");
    assert_eq!(store.season(ann, 9).unwrap()[0].summary, game("two").summary);
    assert_eq!(store.season(ann, 2).unwrap().len(), 2);
    assert!(store.guest(ann).unwrap().unwrap().season, "it is on unless it is switched off");
    assert_eq!((store.set_season(ann, false), store.set_season(99, false)), (Ok(true), Ok(false)));
    assert!(!store.guest(ann).unwrap().unwrap().season);
    assert_eq!(season(ann).len(), 3, "what was counted stays");
    assert_eq!((store.forget_season(ann), store.forget_season(ann)), (Ok(3), Ok(0)));
    assert_eq!((season(ann).len(), season(bob).len(), store.records_of(ann, 9).unwrap().len()), (0, 2, 3));
}

fn sanction(kind: Sanction, subject: &str, until: u64) -> Change {
    Change::Sanction { kind, subject: subject.to_owned(), until, note: "why".to_owned() }
}

#[test]
fn bans_and_mutes_hold_until_they_end_or_are_lifted() {
    let store = fresh();
    let now = store.context.now();
    let subjects = || -> Vec<(Sanction, String)> {
        store.sanctions().unwrap().into_iter().map(|row| (row.kind, row.subject)).collect()
    };
    for (kind, subject) in [(Sanction::Ban, "guest 7"), (Sanction::Mute, "guest 7"), (Sanction::Ban, "guest 8")] {
        assert_eq!(store.moderate(sanction(kind, subject, now + 60_000)), Ok(1));
    }
    assert_eq!(store.moderate(sanction(Sanction::Ban, "guest 7", now + 90_000)), Ok(1), "longer");
    let row = store.sanctions().unwrap().swap_remove(0);
    assert_eq!((row.until, row.note.as_str(), row.made >= now), (now + 90_000, "why", true));
    let lift = |kind| Change::Lift { kind, subject: "guest 7".to_owned() };
    assert_eq!((store.moderate(lift(Sanction::Ban)), store.moderate(lift(Sanction::Ban))), (Ok(1), Ok(0)));
    assert_eq!(subjects(), [(Sanction::Mute, "guest 7".to_owned()), (Sanction::Ban, "guest 8".to_owned())]);
    assert_eq!(store.moderate(sanction(Sanction::Ban, "guest 9", now.saturating_sub(1))), Ok(1));
    assert_eq!(subjects().len(), 2, "it has ended already");
    assert_eq!(store.moderate(Change::Tidy), Ok(1));
}

#[test]
fn reports_wait_until_they_are_dealt_with_and_nobody_sends_too_many() {
    let store = fresh();
    let report =
        |reporter, body: &str| store.moderate(Change::Report { reporter, guest: 9, body: body.to_owned() }).unwrap();
    let ids: Vec<u64> = (0..REPORTS_OF_ONE).map(|number| report(1, &number.to_string())).collect();
    assert!(ids.is_sorted() && ids[0] > 0);
    assert_eq!(report(1, "one too many"), 0);
    let other = report(2, "others may");
    assert!(other > ids[9]);
    assert_eq!(store.reports(2).unwrap().iter().map(|row| row.id).collect::<Vec<_>>(), [other, ids[9]]);
    assert_eq!((store.moderate(Change::Done { id: other }), store.moderate(Change::Done { id: 999 })), (Ok(1), Ok(0)));
    assert_eq!(store.reports(99).unwrap().last().map(|row| (row.id, row.done)), Some((other, true)));
    let row = store.report(ids[3]).unwrap().unwrap();
    assert_eq!((row.reporter, row.guest, row.body.as_str(), row.done), (1, 9, "3", false));
    assert_eq!(store.report(999), Ok(None));
}

#[test]
fn the_audit_log_is_kept_in_order() {
    let store = fresh();
    for body in ["ban", "close", "drain"] {
        assert_eq!(store.moderate(Change::Act { body: body.to_owned() }), Ok(1));
    }
    let bodies: Vec<String> = store.acts(2).unwrap().into_iter().map(|row| row.body).collect();
    assert_eq!(bodies, ["drain", "close"]);
}

#[test]
fn a_guest_blocks_others_until_either_is_deleted() {
    let store = fresh();
    let [ann, bob, eve] = [1, 2, 3].map(|token| store.add_guest(guest(token, "Name")).unwrap());
    let block = |guest, other| store.moderate(Change::Block { guest, other, name: format!("{other}") });
    for (guest, other) in [(ann, bob), (ann, eve), (bob, eve), (ann, eve)] {
        assert_eq!(block(guest, other), Ok(1));
    }
    let others = |guest| -> Vec<u64> {
        let mut others: Vec<u64> = store.blocks_of(guest).unwrap().into_iter().map(|row| row.other).collect();
        others.sort_unstable();
        others
    };
    assert_eq!((others(ann), others(bob), others(eve)), (vec![bob, eve], vec![eve], vec![]));
    assert_eq!(store.blocks_of(bob).unwrap()[0].name, format!("{eve}"));
    let unblock = || store.moderate(Change::Unblock { guest: ann, other: bob });
    assert_eq!((unblock(), unblock(), others(ann)), (Ok(1), Ok(0), vec![eve]));
    store.remove_guest(eve).unwrap();
    assert_eq!((others(ann), others(bob)), (vec![], vec![]));
    (0..MOST_BLOCKS + 5).for_each(|other| drop(block(ann, 1000 + other)));
    assert_eq!(others(ann).len() as u64, MOST_BLOCKS);
    store.remove_guest(ann).unwrap();
    assert_eq!(others(ann), []);
}

#[test]
fn what_the_tables_of_a_guest_take_is_known() {
    let store = fresh();
    let large = 2 * sql::RESERVED;
    append_now(&store, Batch { owner: Some(7), entries: vec![vec![1; large as usize]], ..batch("A", 0, 0) }).unwrap();
    append_now(&store, Batch { owner: Some(7), ..batch("B", 0, 1) }).unwrap();
    append_now(&store, Batch { owner: Some(8), ..batch("C", 0, 1) }).unwrap();
    let bytes = store.table_bytes(7).unwrap() - sql::RESERVED;
    assert!((large..large + 200).contains(&bytes), "{bytes}");
    assert_eq!((store.table_bytes(8), store.table_bytes(9)), (Ok(sql::RESERVED), Ok(0)));
}

/// A quarter of what is reserved for a table.
fn quarter(number: u32, first: bool, last: bool) -> Vec<Part> {
    vec![part(number, first, last, &vec![7; sql::RESERVED as usize / 4])]
}

#[test]
fn a_match_grows_only_while_the_tables_of_its_owner_take_less_than_they_may() {
    let most = 4 * sql::RESERVED;
    let store = fresh_with(Options { guest_bytes: Some(most), ..Options::default() });
    let owned = |table: &str| Batch { owner: Some(7), ..batch(table, 0, 1) };
    for table in ["A", "B"] {
        append_now(&store, owned(table)).unwrap();
    }
    assert_eq!(store.table_bytes(7), Ok(2 * sql::RESERVED), "what is reserved counts");
    let grow = |table: &str, after: u64, last: bool| {
        append_now(&store, Batch { parts: quarter(1, after == 1, last), ..batch(table, after, after + 1) })
    };
    // One table alone at the limit: three times what is reserved, and a little.
    let grown = (1..100).take_while(|after| grow("A", *after, false).is_ok()).count();
    assert_eq!(grown, 15, "quarters of what is reserved");
    assert!(store.table_bytes(7).unwrap() <= most + sql::RESERVED);
    assert_eq!(grow("A", 16, false), Err(StoreError::OverQuota { table: 1 }));
    for after in 1..4 {
        grow("B", after, false).unwrap();
    }
    assert!(grow("B", 4, false).is_err(), "an ordinary match needs no more than is reserved for it");
    grow("B", 4, true).unwrap();
    assert!(append_now(&store, Batch { owner: Some(8), ..batch("C", 0, 1) }).is_ok());
    append_now(&store, Batch { closed: true, ..batch("A", 16, 17) }).unwrap();
    append_now(&store, Batch { closed: true, ..batch("C", 1, 2) }).unwrap();
    assert_eq!(store.table_bytes(8), Ok(4096), "nothing is reserved for a table that is closed");
}

#[test]
fn of_very_many_tables_of_a_guest_the_last_are_listed() {
    let store = fresh();
    for table in 0..1_010 {
        store.append(Batch { people: vec![7], ..batch(&format!("T{table}"), 0, 1) }, |_| ());
    }
    append_now(&store, Batch { people: vec![7], ..batch("last", 0, 1) }).unwrap();
    let tables = store.tables_of(7).unwrap();
    assert_eq!(tables.len(), sql::LISTED as usize);
    let (first, last) = (tables[0].touched, tables[tables.len() - 1].touched);
    assert!(first >= last);
}

#[test]
fn what_was_said_is_found_until_it_is_forgotten() {
    let store = fresh();
    append_now(&store, Batch { talk: Some(true), ..batch("A", 0, 1) }).unwrap();
    append_now(&store, batch("B", 0, 1)).unwrap();
    assert_eq!(store.talkative(Duration::from_secs(3600), 9), Ok(Vec::new()));
    assert_eq!(store.talkative(Duration::ZERO, 9), Ok(vec!["A".to_owned()]));
    append_now(&store, batch("A", 1, 2)).unwrap();
    assert_eq!(store.talkative(Duration::ZERO, 9), Ok(vec!["A".to_owned()]), "what is played changes nothing");
    let touched = store.load("A").unwrap().unwrap().row.touched;
    std::thread::sleep(Duration::from_millis(5));
    append_now(&store, Batch { talk: Some(false), quiet: true, ..batch("A", 2, 3) }).unwrap();
    assert_eq!(store.talkative(Duration::ZERO, 9), Ok(Vec::new()));
    assert_eq!(store.load("A").unwrap().unwrap().row.touched, touched);
}

fn all(age: Duration) -> Retention {
    Retention { tables: Some(age), guests: Some(age), records: Some(age) }
}

fn nobody(_: &str) -> bool {
    false
}

#[test]
fn records_know_who_may_read_them_and_are_read_in_parts() {
    let store = fresh();
    store.put_record(record("secret", &[7])).unwrap();
    let listed = Batch { table: "K7QX".to_owned(), listing: ListingChange::Show("x".to_owned()), ..batch("A", 0, 1) };
    append_now(&store, listed).unwrap();
    let seats = vec![None, Some(7), None, Some(8)];
    store.put_record(RecordRow { people: seats.clone(), former: vec![9], ..record("open", &[]) }).unwrap();
    let facts = |id| store.record_facts(id).unwrap();
    assert_eq!(facts("secret"), Some(RecordFacts { public: false, length: 5, people: vec![7] }));
    assert_eq!(facts("open"), Some(RecordFacts { public: true, length: 5, people: vec![7, 8, 9] }));
    assert_eq!(store.seats_of(9, 9), Ok(vec![("open".to_owned(), None)]), "who had a seat before has the game, too");
    assert_eq!(facts("none"), None);
    assert_eq!(store.record("open").unwrap().unwrap().people, seats);
    assert_eq!(store.record_part("open", 1, 3), Ok(Some((5, b"ove".to_vec()))));
    assert_eq!(store.record_part("open", 4, 3), Ok(Some((5, b"s".to_vec()))));
    assert_eq!(store.record_part("none", 0, 3), Ok(None));
}

#[test]
fn a_guest_is_taken_out_of_records_one_by_one() {
    let store = fresh();
    store.put_record(record("one", &[7, 8])).unwrap();
    store.put_record(record("two", &[9, 8])).unwrap();
    assert_eq!(store.seats_of(8, 9), Ok(vec![("one".to_owned(), Some(1)), ("two".to_owned(), Some(1))]));
    let new = ("nobody".to_owned(), b"else".to_vec());
    assert_eq!(store.rewrite_record("one", 8, Some(new)), Ok(true));
    assert_eq!(store.rewrite_record("two", 8, None), Ok(true));
    assert_eq!(store.rewrite_record("two", 8, None), Ok(false));
    assert_eq!(store.seats_of(8, 9), Ok(Vec::new()));
    let left = store.record("one").unwrap().unwrap();
    assert_eq!((left.summary.as_str(), &left.body[..], left.people), ("nobody", &b"else"[..], vec![Some(7)]));
    assert_eq!(store.record("two").unwrap().unwrap().body, b"moves");
}

#[test]
fn a_new_token_makes_the_old_one_void() {
    let store = fresh();
    let ann = store.add_guest(guest(1, "Ann")).unwrap();
    store.add_guest(guest(2, "Bob")).unwrap();
    assert_eq!(store.change_token(ann, [3; 32]), Ok(true));
    assert_eq!(store.guest_by_token(&[1; 32]), Ok(None));
    assert_eq!(store.guest_by_token(&[3; 32]).unwrap().map(|row| row.id), Some(ann));
    assert_eq!(store.guest(ann).unwrap().map(|row| row.name), Some("Ann".to_owned()));
    assert!(matches!(store.change_token(ann, [2; 32]), Err(StoreError::Rejected(_))));
    assert_eq!(store.change_token(99, [4; 32]), Ok(false));
}

#[test]
fn a_job_that_panics_fails_alone_and_the_writer_goes_on() {
    let store = fresh();
    let panicked = store.sqlite().write(0, |_| panic!("on purpose"));
    assert_eq!(panicked, Err(StoreError::Panicked));
    assert_eq!((store.health(), store.figures().panics), (Health::Ok, 1));
    append_now(&store, batch("A", 0, 1)).unwrap();
    // One that has written something already takes its transaction with it.
    let panicked = store.sqlite().write(0, |connection| {
        connection.execute("DELETE FROM tables", ()).unwrap();
        panic!("on purpose")
    });
    assert_eq!(panicked, Err(StoreError::Panicked));
    append_now(&store, batch("A", 1, 2)).unwrap();
    assert_eq!(seqs(&store.load("A").unwrap().unwrap()), [1, 2]);
}

#[test]
fn a_writer_that_is_gone_is_told_and_nobody_waits_for_it() {
    let store = fresh();
    store.sqlite().queue.fail();
    eventually("the failure", || store.health() != Health::Ok);
    assert!(matches!(store.health(), Health::Failing(why) if why.contains("restart")));
    assert_eq!(append_now(&store, batch("A", 0, 1)), Err(StoreError::Closed));
}

#[test]
fn what_nobody_touches_is_forgotten_when_its_time_is_over() {
    let store = fresh();
    let ann = store.add_guest(guest(1, "Ann")).unwrap();
    let parts = vec![part(1, true, true, b"moves")];
    append_now(&store, Batch { people: vec![ann], parts, snapshot: Some((1, body(1))), ..batch("A", 0, 2) }).unwrap();
    store.put_record(record("one", &[ann])).unwrap();
    assert_eq!(store.forget(Retention::default(), nobody), Ok(Forgotten::default()));
    assert_eq!(store.forget(all(Duration::from_secs(3600)), nobody), Ok(Forgotten::default()));
    let guests = Retention { guests: Some(Duration::ZERO), ..Retention::default() };
    assert_eq!(store.forget(guests, nobody), Ok(Forgotten::default()), "somebody with a game is kept");
    let tables = Retention { tables: Some(Duration::ZERO), ..Retention::default() };
    assert_eq!(store.forget(tables, |code| code == "A"), Ok(Forgotten::default()), "a table in memory is kept");
    let gone = Forgotten { tables: 1, guests: 1, records: 1, doubt: None };
    assert_eq!(store.forget(all(Duration::ZERO), nobody), Ok(gone));
    let tables = ["tables", "journal", "snapshots", "people", "guests", "records", "players", "parts"];
    assert_eq!(rows_in(&store, &tables), 0);
}

#[test]
fn much_is_forgotten_in_many_small_transactions() {
    let store = fresh();
    for table in 0..130 {
        append_now(&store, batch(&format!("T{table}"), 0, 3)).unwrap();
        store.put_record(record(&format!("R{table}"), &[])).unwrap();
        store.add_guest(guest(table, "Ann")).unwrap();
    }
    let before = store.figures().commits;
    let gone = store.forget(all(Duration::ZERO), nobody).unwrap();
    assert_eq!((gone.tables, gone.records, gone.guests), (130, 130, 130));
    assert_eq!(store.figures().commits - before, 9, "fifty at a time");
}

const DAY: i64 = 24 * 60 * 60 * 1000;

/// Reopens a closed store with a clock that is wrong by `skew` milliseconds.
fn with_clock(folder: &TempDir, skew: i64) -> Store {
    let store = open(folder);
    store.context.begin_with(skew);
    store
}

#[test]
fn a_clock_that_jumps_deletes_nothing() {
    let folder = folder();
    let store = open(&folder);
    append_now(&store, batch("A", 0, 1)).unwrap();
    store.add_guest(guest(1, "Ann")).unwrap();
    store.put_record(record("one", &[])).unwrap();
    store.close();
    let days = |days: u64| all(Duration::from_secs(days * 24 * 60 * 60));
    for (skew, doubt) in [(-DAY, Doubt::Behind), (-20_000 * DAY, Doubt::Behind), (100 * DAY, Doubt::Ahead)] {
        let store = with_clock(&folder, skew);
        let nothing = Forgotten { doubt: Some(doubt), ..Forgotten::default() };
        assert_eq!(store.forget(days(1), nobody), Ok(nothing), "{skew}");
        // Not even after a guest was seen: new dates are as wrong as the clock.
        append_now(&store, batch(&format!("B{skew}"), 0, 1)).unwrap();
        assert_eq!(store.forget(days(1), nobody), Ok(nothing), "{skew}");
        assert_eq!(store.talkative(Duration::ZERO, 9), Ok(Vec::new()));
        store.close();
        if doubt == Doubt::Behind {
            let store = with_clock(&folder, 0);
            let row = store.load(&format!("B{skew}")).unwrap().unwrap().row;
            assert!(row.touched >= store.load("A").unwrap().unwrap().row.touched, "nothing is dated back");
            store.close();
        }
    }
}

/// After the clock was set, or the machine slept, nothing is deleted by age for some hours.
#[test]
fn a_clock_that_is_set_while_the_store_is_open_deletes_nothing() {
    const HOUR: i64 = DAY / 24;
    for (skew, doubt) in [(5 * HOUR, Doubt::Jumped), (20 * DAY, Doubt::Jumped), (-5 * HOUR, Doubt::Behind)] {
        let folder = folder();
        let store = open(&folder);
        append_now(&store, Batch { talk: Some(true), ..batch("A", 0, 1) }).unwrap();
        store.close();
        let store = with_clock(&folder, 0);
        let context = &store.context;
        context.skew.store(skew, Ordering::Relaxed);
        let nothing = Forgotten { doubt: Some(doubt), ..Forgotten::default() };
        for _ in 0..2 {
            assert_eq!(store.forget(all(Duration::from_secs(60)), nobody), Ok(nothing), "{skew}");
            assert_eq!(store.talkative(Duration::ZERO, 9), Ok(Vec::new()));
        }
    }
    // It is trusted again once it has run evenly for a while; small corrections happen every day.
    let context = Context::new(Options::default(), None);
    let begun = std::time::Instant::now();
    let at = |hours: u64| begun + Duration::from_secs(hours * 60 * 60);
    let jumped = |hours: i64, set: i64| {
        context.skew.store((hours + set) * HOUR, Ordering::Relaxed);
        context.has_jumped(at(hours as u64))
    };
    assert!(!jumped(1, 0) && jumped(2, 5) && jumped(6, 5) && !jumped(8, 5));
    assert!(jumped(9, 0), "and back again");
}

#[test]
fn a_clock_that_is_right_deletes_what_is_old() {
    let folder = folder();
    let store = open(&folder);
    append_now(&store, batch("A", 0, 1)).unwrap();
    store.close();
    let store = with_clock(&folder, 20 * DAY);
    let gone = store.forget(all(Duration::from_secs(10 * 24 * 60 * 60)), nobody).unwrap();
    assert_eq!((gone.tables, gone.doubt), (1, None));
}

#[test]
fn the_file_gets_smaller_again() {
    let folder = folder();
    let store = open(&folder);
    for table in 0..40 {
        let entries = (0..10).map(|_| vec![7; 60_000]).collect();
        append_now(&store, Batch { entries, ..batch(&format!("T{table}"), 0, 0) }).unwrap();
    }
    let pages = |store: &Store| -> u64 {
        store
            .sqlite()
            .read(|connection| Ok(connection.pragma_query_value(None, "page_count", |row| row.get(0))?))
            .unwrap()
    };
    let before = pages(&store);
    assert_eq!(store.shrink(), Ok(0), "nothing is free");
    store.forget(all(Duration::ZERO), nobody).unwrap();
    assert_eq!(pages(&store), before);
    let freed = store.shrink().unwrap();
    assert!(freed > 4000 && pages(&store) < 1200, "{freed} of {before}, {} are left", pages(&store));
    store.close();
    let length = std::fs::metadata(folder.path().join(DATABASE)).unwrap().len();
    assert!(length < 1200 * 4096, "{length} bytes");
}

#[test]
fn a_database_that_could_not_shrink_is_made_one_that_can() {
    let folder = folder();
    let path = folder.path().join(DATABASE);
    let old = Connection::open(&path).unwrap();
    schema::migrate(&old, &schema::STEPS[..3]).unwrap();
    drop(old);
    let store = open(&folder);
    let mode: i64 = store
        .sqlite()
        .read(|connection| Ok(connection.pragma_query_value(None, "auto_vacuum", |row| row.get(0))?))
        .unwrap();
    assert_eq!(mode, 2);
}

#[cfg(unix)]
#[test]
fn files_are_made_for_their_owner_and_others_are_named() {
    use std::os::unix::fs::PermissionsExt as _;
    let outer = folder();
    let inner = outer.path().join("data");
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let store = Store::open(&inner).unwrap();
    append_now(&store, batch("A", 0, 1)).unwrap();
    assert_eq!(mode(&inner), 0o700);
    for file in std::fs::read_dir(&inner).unwrap() {
        let path = file.unwrap().path();
        assert_eq!(mode(&path), 0o600, "{}", path.display());
    }
    assert!(store.exposed().is_empty());
    store.close();
    std::fs::set_permissions(&inner, std::fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(Store::open(&inner).unwrap().exposed(), [inner]);
}

#[test]
fn free_space_is_known_where_there_is_a_disk() {
    let folder = folder();
    let store = open(&folder);
    assert_eq!(store.free_space().is_some_and(|bytes| bytes > 0), cfg!(unix));
    assert_eq!(fresh().free_space(), None);
}

#[test]
fn a_long_log_is_cut_though_somebody_reads() {
    let folder = folder();
    let path = folder.path().join(DATABASE);
    let database = connect(&path, OpenFlags::default(), None).unwrap();
    prepare(&database).unwrap();
    // SQLite does not checkpoint by itself here.
    database.pragma_update(None, "wal_autocheckpoint", 0).unwrap();
    schema::migrate(&database, schema::STEPS).unwrap();
    let reader = reader(&path, None).unwrap();
    let place = Place { log: Some(Log::new(log(&path), 1 << 20)), ..Place::default() };
    let context = Context::new(Options::default(), None);
    let store = Store::of_sqlite(Sqlite::start(Arc::new(Mutex::new(database)), vec![reader], context, place).unwrap());
    let length = || std::fs::metadata(log(&path)).unwrap().len();
    for after in 0..20 {
        append_now(&store, Batch { entries: vec![vec![7; 300_000]], ..batch("A", after, after) }).unwrap();
        assert!(length() < 2 << 20, "{} bytes", length());
    }
    // While a reader looks at an old state the log has to grow.
    let guard = store.sqlite().readers[0].lock().unwrap();
    guard.execute_batch("BEGIN; SELECT count(*) FROM tables").unwrap();
    for after in 20..30 {
        append_now(&store, Batch { entries: vec![vec![7; 300_000]], ..batch("A", after, after) }).unwrap();
    }
    assert!(length() > 2 << 20);
    guard.execute_batch("COMMIT").unwrap();
    // A reader is not waited for with every commit.
    let mut after = 30;
    eventually("a short log", || {
        append_now(&store, batch("A", after, after + 1)).unwrap();
        after += 1;
        length() < 2 << 20
    });
}

// Faults.

#[test]
fn a_folder_is_used_by_one_store_at_a_time() {
    let folder = folder();
    let store = open(&folder);
    let error = Store::open(folder.path()).unwrap_err();
    let process = Some(std::process::id());
    assert_eq!(error, StoreError::Locked { folder: folder.path().to_owned(), process });
    assert!(error.to_string().contains(&format!("process {}", std::process::id())), "{error}");
    let other = store.clone();
    store.close();
    let again = open(&folder);
    append_now(&again, batch("A", 0, 1)).unwrap();
    assert_eq!(append_now(&other, batch("B", 0, 1)), Err(StoreError::Closed));
}

#[test]
fn the_lock_is_given_back_with_the_last_handle() {
    let folder = folder();
    let store = open(&folder);
    let handle = store.clone();
    drop(store);
    assert!(Store::open(folder.path()).is_err());
    drop(handle);
    open(&folder);
}

#[test]
fn the_last_handle_may_be_dropped_by_who_is_told() {
    let folder = folder();
    let store = open(&folder);
    let handle = store.clone();
    store.append(batch("A", 0, 1), move |_| drop(handle));
    drop(store);
    eventually("the lock's release", || Store::open(folder.path()).is_ok());
}

#[test]
fn a_panic_of_who_is_told_does_not_stop_the_writer() {
    let store = fresh();
    store.append(batch("A", 0, 1), |_| panic!("on purpose"));
    append_now(&store, batch("A", 1, 2)).unwrap();
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
    let store = open(&folder);
    for table in 0..200 {
        append_now(&store, batch(&format!("T{table}"), 0, 20)).unwrap();
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
    let store = open(&folder);
    append_now(&store, batch("A", 0, 1)).unwrap();
    store.limit_size(0).unwrap();
    let large = |after| Batch { entries: vec![vec![7; 1 << 20]], ..batch("A", after, after) };
    assert_eq!(append_now(&store, large(1)), Err(StoreError::Full));
    assert_eq!(store.health(), Health::Failing(StoreError::Full.to_string()));
    assert_eq!(seqs(&store.load("A").unwrap().unwrap()), [1]);
    // As long as there is no space, retrying does not help.
    assert_eq!(append_now(&store, large(1)), Err(StoreError::Full));
    store.limit_size(1 << 40).unwrap();
    eventually("recovery without a write", || store.health() == Health::Ok);
    append_now(&store, large(1)).unwrap();
    assert_eq!(seqs(&store.load("A").unwrap().unwrap()), [1, 2]);
}

#[test]
fn a_failure_concerns_everything_in_its_transaction() {
    let folder = folder();
    let store = open(&folder);
    append_now(&store, batch("A", 0, 1)).unwrap();
    store.limit_size(0).unwrap();
    let (tell, told) = mpsc::channel();
    // The writer is held up, so everything that follows ends up in one transaction.
    let (go, gone) = mpsc::channel::<()>();
    store.append(batch("A", 0, 1), move |_| gone.recv().unwrap());
    for step in [batch("A", 1, 2), Batch { entries: vec![vec![7; 1 << 20]], ..batch("B", 0, 0) }, batch("A", 2, 3)] {
        let tell = tell.clone();
        store.append(step, move |result| tell.send(result).unwrap());
    }
    go.send(()).unwrap();
    let answers: Vec<Result<()>> = told.iter().take(3).collect();
    assert_eq!(answers, [Err(StoreError::Full), Err(StoreError::Full), Err(StoreError::Full)]);
    assert_eq!(store.load("A").unwrap().unwrap().row.last, 1);
    append_now(&store, batch("A", 1, 2)).unwrap();
    assert_eq!(store.health(), Health::Ok, "a write that succeeds says that all is well");
}

#[test]
fn a_database_that_may_not_be_written_is_told_and_recovered_from() {
    let connection = Connection::open_in_memory().unwrap();
    schema::migrate(&connection, schema::STEPS).unwrap();
    let connection = Arc::new(Mutex::new(connection));
    let forbid = |on: bool| connection.lock().unwrap().pragma_update(None, "query_only", on).unwrap();
    let context = Context::new(Options::default(), None);
    let store = Store::of_sqlite(
        Sqlite::start(connection.clone(), vec![connection.clone()], context, Place::default()).unwrap(),
    );
    forbid(true);
    assert_eq!(append_now(&store, batch("A", 0, 1)), Err(StoreError::ReadOnly));
    assert_eq!(store.health(), Health::Failing(StoreError::ReadOnly.to_string()));
    assert_eq!(store.load("A"), Ok(None));
    forbid(false);
    eventually("recovery", || store.health() == Health::Ok);
    append_now(&store, batch("A", 0, 1)).unwrap();
}

#[test]
fn a_database_held_by_another_program_is_told_and_recovered_from() {
    let folder = folder();
    let store = open(&folder);
    setting(&store, "PRAGMA busy_timeout = 20");
    let other = Connection::open(folder.path().join(DATABASE)).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert_eq!(append_now(&store, batch("A", 0, 1)), Err(StoreError::Occupied));
    assert_eq!(store.load("A"), Ok(None), "reading goes on");
    other.execute_batch("COMMIT").unwrap();
    eventually("recovery", || store.health() == Health::Ok);
    append_now(&store, batch("A", 0, 1)).unwrap();
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
        StoreError::Conflict { table: 7, after: 1, last: 2 },
        StoreError::Gap { table: 7 },
        StoreError::Fenced { table: 7 },
        StoreError::Away("refused".to_owned()),
        StoreError::OverQuota { table: 7 },
        StoreError::Busy,
        StoreError::Closed,
    ];
    for error in errors {
        assert!(error.to_string().contains(": "), "{error}");
    }
}

#[test]
fn a_renewed_code_invites_and_the_old_one_does_not() {
    let store = fresh();
    append_now(&store, Batch { people: vec![7], ..batch("A", 0, 1) }).unwrap();
    append_now(&store, batch("B", 0, 1)).unwrap();
    assert_eq!(store.invited("A").unwrap().as_deref(), Some("A"));
    for (after, invite) in [(1, "C"), (2, "D")] {
        append_now(&store, Batch { invite: Some(invite.to_owned()), ..batch("A", after, after + 1) }).unwrap();
    }
    for gone in ["A", "C", "E"] {
        assert_eq!(store.invited(gone).unwrap(), None, "{gone}");
    }
    assert_eq!(store.invited("D").unwrap().as_deref(), Some("A"));
    assert_eq!(store.invited("B").unwrap().as_deref(), Some("B"));
    assert_eq!(store.load("A").unwrap().unwrap().row.invite, "D");
    assert_eq!(store.tables_of(7).unwrap()[0].invite, "D");
    let taken = Batch { invite: Some("D".to_owned()), ..batch("B", 1, 2) };
    assert!(append_now(&store, taken).is_err(), "two tables never have the same code");
    assert_eq!(store.load("B").unwrap().unwrap().row.last, 1);
}

#[test]
fn what_was_said_is_forgotten_though_the_table_is_played_at() {
    let folder = folder();
    let store = with_clock(&folder, 0);
    append_now(&store, Batch { talk: Some(true), ..batch("A", 0, 1) }).unwrap();
    store.close();
    let store = with_clock(&folder, 8 * DAY);
    append_now(&store, batch("A", 1, 2)).unwrap();
    let week = Duration::from_secs(7 * 24 * 60 * 60);
    assert_eq!(store.talkative(week, 9), Ok(vec!["A".to_owned()]));
    append_now(&store, Batch { talk: Some(true), ..batch("A", 2, 3) }).unwrap();
    assert_eq!(store.talkative(week, 9), Ok(Vec::new()), "something was said since");
}

#[test]
fn a_database_grows_no_further_than_it_may() {
    let store = fresh_with(Options { most_bytes: Some(1 << 20), ..Options::default() });
    let before = store.room_left().unwrap().unwrap();
    assert!(before < 1 << 20, "{before}");
    append_now(&store, Batch { entries: vec![vec![7; 100_000]], ..batch("A", 0, 0) }).unwrap();
    let after = store.room_left().unwrap().unwrap();
    assert!((90_000..120_000).contains(&(before - after)), "{before} {after}");
    let huge = Batch { entries: vec![vec![7; 2 << 20]], ..batch("B", 0, 0) };
    assert!(matches!(append_now(&store, huge), Err(StoreError::Full)));
    assert_eq!(fresh().room_left(), Ok(None));
}
