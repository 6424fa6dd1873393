//! The same promises on PostgreSQL, and a few that only it has to keep.
//!
//! They share one server and run one after the other, each in a schema of its own. `UNUM_PROMISE=part_of_a_name` runs
//! some of them.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use std::sync::atomic::AtomicU64;

use unum_scratch::{Care, Scratch};

use super::*;
use crate::DatabaseAddress;
use crate::backup::{BackupError, Place, Step, back_up, restore};
use crate::copy::{CopyError, copy};
use crate::lease::{Lease, Membership, NodeState, Owner, Terms};

static SERVER: OnceLock<Scratch> = OnceLock::new();

thread_local! {
    /// The schema that was used last; 0 while the tests run on SQLite.
    static SCHEMA: Cell<u32> = const { Cell::new(0) };
    /// The schemas that stand for folders.
    static FOLDERS: RefCell<HashMap<PathBuf, u32>> = RefCell::default();
}

pub(super) fn is_on() -> bool {
    SCHEMA.get() > 0
}

/// Lets the server run something in the schema that was used last, if the tests run on PostgreSQL.
pub(super) fn sql(text: &str) -> Option<String> {
    let server = SERVER.get().filter(|_| is_on())?;
    Some(server.sql(&format!("SET search_path = s{}; {text}", SCHEMA.get())).unwrap())
}

fn next_schema() -> u32 {
    SCHEMA.set(SCHEMA.get() + 1);
    sql(&format!("CREATE SCHEMA s{}", SCHEMA.get())).unwrap();
    SCHEMA.get()
}

fn address(schema: u32) -> DatabaseAddress {
    SERVER.get().unwrap().address(&format!("s{schema}")).parse().unwrap()
}

fn connect(schema: u32) -> Store {
    Store::connect(&address(schema), Options::default()).unwrap()
}

fn lease(table: &str, epoch: u64) -> Lease {
    Lease { table: table.to_owned(), epoch }
}

pub(super) fn fresh(options: &Options) -> Option<Store> {
    is_on().then(|| Store::connect(&address(next_schema()), options.clone()).unwrap())
}

pub(super) fn open(folder: &Path) -> Option<Store> {
    if !is_on() {
        return None;
    }
    let known = FOLDERS.with_borrow(|folders| folders.get(folder).copied());
    let schema = known.unwrap_or_else(|| {
        let schema = next_schema();
        FOLDERS.with_borrow_mut(|folders| folders.insert(folder.to_owned(), schema));
        schema
    });
    Some(connect(schema))
}

macro_rules! promises {
    ($($name:ident)*) => { &[$((stringify!($name), $name as fn())),*] };
}

/// What both have to keep.
const SHARED: &[(&str, fn())] = promises! {
    what_was_told_to_be_written_is_there_after_reopening
    batches_are_told_in_the_order_of_the_calls_and_share_transactions
    a_batch_that_does_not_fit_fails_alone
    a_snapshot_replaces_the_entries_before_it_and_older_snapshots
    a_snapshot_of_less_leaves_what_comes_after_it
    journals_with_snapshots_do_not_grow
    a_table_is_shown_piece_by_piece_for_as_long_as_wanted
    a_table_takes_no_more_than_it_may
    missing_entries_are_noticed
    tables_are_listed_as_they_wish_until_they_are_closed
    guests_are_found_by_number_and_by_token
    the_number_of_a_guest_who_was_removed_is_not_given_again
    unfinished_games_are_found_by_guest
    a_record_is_stored_once
    parts_of_a_match_are_kept_until_its_record_is_made
    new_finished_games_take_the_place_of_the_oldest
    reviews_are_kept_with_their_games_and_count_for_the_quota
    a_season_has_the_games_with_figures_that_are_to_be_counted
    bans_and_mutes_hold_until_they_end_or_are_lifted
    reports_wait_until_they_are_dealt_with_and_nobody_sends_too_many
    the_audit_log_is_kept_in_order
    a_guest_blocks_others_until_either_is_deleted
    what_the_tables_of_a_guest_take_is_known
    a_match_grows_only_while_the_tables_of_its_owner_take_less_than_they_may
    of_very_many_tables_of_a_guest_the_last_are_listed
    what_was_said_is_found_until_it_is_forgotten
    records_know_who_may_read_them_and_are_read_in_parts
    a_guest_is_taken_out_of_records_one_by_one
    a_new_token_makes_the_old_one_void
    what_nobody_touches_is_forgotten_when_its_time_is_over
    much_is_forgotten_in_many_small_transactions
    a_clock_that_jumps_deletes_nothing
    a_clock_that_is_set_while_the_store_is_open_deletes_nothing
    a_clock_that_is_right_deletes_what_is_old
    a_panic_of_who_is_told_does_not_stop_the_writer
    a_full_disk_is_told_and_recovered_from
    a_renewed_code_invites_and_the_old_one_does_not
    what_was_said_is_forgotten_though_the_table_is_played_at
};

/// What is about files, SQLite's writer or no database at all.
const SQLITE_ALONE: &[&str] = &[
    // PostgreSQL deletes entries with their snapshot.
    "superfluous_entries_do_not_pile_up_while_others_are_written",
    "what_a_snapshot_does_not_hold_after_all_is_kept",
    "after_a_crash_superfluous_entries_and_those_of_deleted_tables_are_gone",
    "a_job_that_panics_fails_alone_and_the_writer_goes_on",
    "a_writer_that_is_gone_is_told_and_nobody_waits_for_it",
    "the_file_gets_smaller_again",
    "a_database_that_could_not_shrink_is_made_one_that_can",
    "files_are_made_for_their_owner_and_others_are_named",
    "free_space_is_known_where_there_is_a_disk",
    "a_long_log_is_cut_though_somebody_reads",
    "a_folder_is_used_by_one_store_at_a_time",
    "the_lock_is_given_back_with_the_last_handle",
    "the_last_handle_may_be_dropped_by_who_is_told",
    "a_file_in_place_of_the_folder_is_explained",
    "a_database_that_cannot_be_opened_is_explained",
    "garbage_is_no_database",
    "a_file_that_was_cut_off_is_noticed",
    "a_file_with_pages_overwritten_is_noticed",
    "a_newer_database_is_left_alone",
    // PostgreSQL's bound is counted by this program, before a transaction: it is everybody's.
    "a_failure_concerns_everything_in_its_transaction",
    "a_database_that_may_not_be_written_is_told_and_recovered_from",
    "a_database_held_by_another_program_is_told_and_recovered_from",
    "every_error_is_a_sentence_that_says_what_to_do",
    "a_database_grows_no_further_than_it_may",
];

/// What only PostgreSQL has to keep. The last one stops the server for a while.
const OWN: &[(&str, fn())] = promises! {
    nodes_that_start_together_make_the_tables_once
    a_newer_database_is_refused
    the_last_handle_may_be_dropped_by_the_writer
    a_large_database_takes_no_more
    two_writers_by_force_never_write_the_same_number
    lost_answers_are_found_again_and_never_doubled
    a_table_is_run_by_one_node_and_fenced_off_from_others
    a_node_that_is_silent_is_declared_dead_and_its_tables_are_taken
    a_node_that_was_given_up_takes_part_again_and_is_fenced_off
    a_table_of_a_newer_format_is_left_to_newer_nodes
    what_nodes_run_is_told_apart_and_not_deleted
    several_databases_are_one_store_and_know_their_places
    everything_is_copied_to_postgres_and_back
    backups_go_from_postgres_to_sqlite_and_back
    a_restore_that_is_cut_short_leaves_nothing_and_can_be_repeated
    a_restore_into_several_databases_goes_on_where_it_ended
    several_databases_are_backed_up_in_one_file
    a_database_that_crashed_is_waited_for
};

#[test]
fn postgres_keeps_what_a_store_promises() {
    let server = match Scratch::start(Care::None) {
        Ok(server) => server,
        Err(why) => return eprintln!("skipped: {why}"),
    };
    let server = SERVER.get_or_init(|| server);
    let wanted = std::env::var("UNUM_PROMISE").unwrap_or_default();
    // Away from zero: the tests run on PostgreSQL now.
    SCHEMA.set(1);
    let mut broken = Vec::new();
    for (name, promise) in SHARED.iter().chain(OWN).filter(|(name, _)| name.contains(&wanted)) {
        let begun = Instant::now();
        if catch_unwind(AssertUnwindSafe(promise)).is_err() {
            broken.push(*name);
        }
        println!("{name}: {:.0?}", begun.elapsed());
    }
    server.discard();
    assert!(broken.is_empty(), "on PostgreSQL: {}", broken.join(", "));
}

#[test]
fn every_promise_is_kept_on_both_or_says_why_not() {
    let source = include_str!("../tests.rs");
    let listed: Vec<&str> = SHARED.iter().map(|(name, _)| *name).chain(SQLITE_ALONE.iter().copied()).collect();
    let tests: Vec<&str> =
        source.split("#[test]\nfn ").skip(1).filter_map(|rest| rest.split_once('(').map(|(name, _)| name)).collect();
    assert!(tests.len() > 40);
    for name in &tests {
        assert!(listed.contains(name), "{name} has to be on a list in store/tests/postgres.rs");
    }
    assert_eq!(listed.len(), tests.len());
}

fn nodes_that_start_together_make_the_tables_once() {
    let schema = next_schema();
    let starting: Vec<_> = (0..4).map(|_| std::thread::spawn(move || connect(schema))).collect();
    let stores: Vec<Store> = starting.into_iter().map(|thread| thread.join().unwrap()).collect();
    append_now(&stores[0], batch("A", 0, 2)).unwrap();
    assert_eq!(seqs(&stores[3].load("A").unwrap().unwrap()), [1, 2]);
}

fn a_newer_database_is_refused() {
    let schema = next_schema();
    connect(schema).close();
    sql("UPDATE unum_version SET version = 1000").unwrap();
    let error = Store::connect(&address(schema), Options::default()).unwrap_err();
    assert!(matches!(error, StoreError::Newer { found: 1000, .. }), "{error}");
}

fn the_last_handle_may_be_dropped_by_the_writer() {
    let store = connect(next_schema());
    let (tell, told) = mpsc::channel();
    let handle = store.clone();
    store.append(batch("A", 0, 1), move |_| {
        drop(handle);
        tell.send(()).unwrap();
    });
    drop(store);
    told.recv().unwrap();
}

fn a_large_database_takes_no_more() {
    let schema = next_schema();
    let store = Store::connect(&address(schema), Options { most_bytes: Some(1 << 40), ..Options::default() }).unwrap();
    let used = (1 << 40) - store.room_left().unwrap().unwrap();
    store.limit_size(used + (4 << 20)).unwrap();
    append_now(&store, batch("A", 0, 1)).unwrap();
    let huge = Batch { entries: vec![vec![7; 8 << 20]], ..batch("B", 0, 0) };
    assert_eq!(append_now(&store, huge), Err(StoreError::Full));
    append_now(&store, batch("A", 1, 2)).unwrap();
    assert_eq!(connect(schema).room_left(), Ok(None));
}

/// Several stores race for the same numbers: exactly one wins each, and the journal has what the winner wrote.
fn two_writers_by_force_never_write_the_same_number() {
    let schema = next_schema();
    let rounds = 300;
    let race = move |who: u8| {
        let store = connect(schema);
        let mut won = Vec::new();
        for after in 0..rounds {
            let attempt = Batch { table: "A".to_owned(), after, entries: vec![vec![who]], ..Batch::default() };
            match append_now(&store, attempt) {
                Ok(()) => won.push((after + 1, vec![who])),
                Err(StoreError::Conflict { .. }) => {}
                Err(error) => panic!("{error}"),
            }
            // Nobody runs ahead by more than a number.
            eventually("the number", || store.load("A").unwrap().unwrap().row.last > after);
        }
        won
    };
    let racers: Vec<_> = (0..2).map(|who| std::thread::spawn(move || race(who))).collect();
    let mut won: Vec<(u64, Vec<u8>)> = racers.into_iter().flat_map(|racer| racer.join().unwrap()).collect();
    won.sort();
    assert_eq!(won.len() as u64, rounds, "every number is won once");
    assert_eq!(connect(schema).journal("A").unwrap(), won);
}

/// A proxy that cuts connections, some of them between a request and its answer.
struct Cutter {
    port: u16,
    /// How many bytes of answers pass until the next cut; counted down.
    left: Arc<AtomicU64>,
}

impl Cutter {
    fn before(port: u16) -> Cutter {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let cutter = Cutter { port: listener.local_addr().unwrap().port(), left: Arc::new(AtomicU64::new(u64::MAX)) };
        let left = Arc::clone(&cutter.left);
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let Ok(server) = TcpStream::connect(("127.0.0.1", port)) else { continue };
                let (to_server, to_client) = (server.try_clone().unwrap(), client.try_clone().unwrap());
                std::thread::spawn(move || pump(client, to_server, None));
                let left = Arc::clone(&left);
                std::thread::spawn(move || pump(server, to_client, Some(&left)));
            }
        });
        cutter
    }

    fn address(&self, schema: u32) -> DatabaseAddress {
        let options = format!("options=-csearch_path%3Ds{schema}");
        format!("postgres://postgres@127.0.0.1:{}/postgres?{options}", self.port).parse().unwrap()
    }
}

fn pump(mut from: TcpStream, mut to: TcpStream, left: Option<&AtomicU64>) {
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = from.read(&mut buffer) {
        let is_cut = left.is_some_and(|left| {
            let before = left.load(Ordering::Relaxed);
            left.store(before.saturating_sub(count as u64), Ordering::Relaxed);
            before <= count as u64
        });
        if is_cut {
            // The answer is swallowed; the next ones pass.
            left.unwrap().store(u64::MAX, Ordering::Relaxed);
            break;
        }
        if to.write_all(&buffer[..count]).is_err() {
            break;
        }
    }
    let _ = (from.shutdown(Shutdown::Both), to.shutdown(Shutdown::Both));
}

fn lost_answers_are_found_again_and_never_doubled() {
    let schema = next_schema();
    let cutter = Cutter::before(SERVER.get().unwrap().port());
    let store = Store::connect(&cutter.address(schema), Options::default()).unwrap();
    let other = connect(schema);
    for round in 0..25_u64 {
        // Cut somewhere within the answers to this round.
        cutter.left.store(1 + round * 37 % 400, Ordering::Relaxed);
        let (tell, told) = mpsc::channel();
        for table in 0..6 {
            let tell = tell.clone();
            let name = format!("T{table}");
            store.append(batch(&name, 2 * round, 2 * round + 2), move |result| tell.send(result).unwrap());
        }
        // One that cannot be written is told so, though its answer is lost as well.
        store.append(batch("T0", 1, 2), move |result| tell.send(result).unwrap());
        let answers: Vec<Result<()>> = told.iter().take(7).collect();
        assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 6, "{answers:?}");
        assert!(matches!(answers[6], Err(StoreError::Conflict { .. })), "{answers:?}");
        let guest = NewGuest { token: [round as u8; 32], ..guest(0, "Ann") };
        cutter.left.store(1 + round * 53 % 200, Ordering::Relaxed);
        let id = store.add_guest(guest.clone()).unwrap();
        assert_eq!(other.guest_by_token(&guest.token).unwrap().unwrap().id, id);
    }
    for table in 0..6 {
        let stored = other.load(&format!("T{table}")).unwrap().unwrap();
        assert_eq!(stored.entries, (1..=50).map(|seq| (seq, body(seq))).collect::<Vec<_>>());
    }
    assert_eq!(sql("SELECT count(*) FROM guests").unwrap(), "25");
    assert_eq!(store.health(), Health::Ok);
}

/// A node's journal, joined under terms that do not end within a test.
fn node(schema: u32, address: &str) -> Store {
    let store = connect(schema);
    store.join(address, Terms { term: Duration::from_secs(3600) }).unwrap();
    store
}

fn epoch_of(store: &Store, table: &str) -> u64 {
    match store.take(table).unwrap() {
        Owner::Here { epoch } => epoch,
        other => panic!("{other:?}"),
    }
}

fn a_table_is_run_by_one_node_and_fenced_off_from_others() {
    let schema = next_schema();
    assert!(!connect(schema).may_serve(0), "it has not joined");
    let (one, two) = (node(schema, "one:1"), node(schema, "two:2"));
    assert!(one.may_serve(0));
    append_now(&one, Batch { epoch: one.first_epoch(), ..batch("A", 0, 1) }).unwrap();
    assert_eq!(two.take("B"), Ok(Owner::Nobody));
    let nodes = one.nodes().unwrap();
    let id = nodes.iter().find(|node| node.is_this).unwrap().id;
    assert_eq!((nodes.len(), nodes.iter().map(|node| node.tables).sum::<u64>()), (2, 1));
    assert_eq!(two.take("A"), Ok(Owner::Elsewhere { node: id, address: "one:1".to_owned() }));
    let fenced = Err(StoreError::Fenced { table: 1 });
    assert_eq!(append_now(&two, Batch { epoch: 2, ..batch("A", 1, 2) }), fenced);
    // Handed over: the old owner writes nothing any more, though it knows the last number.
    let other = nodes.iter().find(|node| !node.is_this).unwrap().id;
    append_now(&one, Batch { epoch: 1, ..batch("C", 0, 1) }).unwrap();
    let leases = [lease("C", 7), lease("A", 1), lease("B", 1)];
    assert_eq!(one.hand_over(&leases, Some(other)), Ok(vec![false, true, false]), "each by its own epoch");
    assert_eq!(one.hand_over(&[lease("A", 1)], Some(other)), Ok(vec![false]));
    assert_eq!(append_now(&one, Batch { epoch: 1, ..batch("A", 1, 2) }), fenced);
    let epoch = epoch_of(&two, "A");
    assert_eq!(epoch, 3);
    append_now(&two, Batch { epoch, ..batch("A", 1, 2) }).unwrap();
    // A node that leaves gives everything back at once.
    two.leave().unwrap();
    assert!(!two.may_serve(0));
    let epoch = epoch_of(&one, "A");
    append_now(&one, Batch { epoch, ..batch("A", 2, 3) }).unwrap();
    assert_eq!(append_now(&two, Batch { epoch: 3, ..batch("A", 3, 4) }), fenced);
    assert_eq!(seqs(&one.load("A").unwrap().unwrap()), [1, 2, 3]);
}

fn a_node_that_is_silent_is_declared_dead_and_its_tables_are_taken() {
    let schema = next_schema();
    let silent = node(schema, "silent:1");
    append_now(&silent, Batch { epoch: 1, ..batch("A", 0, 1) }).unwrap();
    let keeper = connect(schema);
    keeper.join("keeper:1", Terms { term: Duration::from_millis(600) }).unwrap();
    // As if it had been silent for an hour.
    sql("UPDATE nodes SET renewed = renewed - interval '1 hour', expires = now() - interval '1 second'
        WHERE address = 'silent:1'")
    .unwrap();
    eventually("the end of its lease", || matches!(keeper.take("A"), Ok(Owner::Here { .. })));
    assert_eq!(append_now(&silent, Batch { epoch: 1, ..batch("A", 1, 2) }), Err(StoreError::Fenced { table: 1 }));
    assert_eq!(keeper.nodes().unwrap().len(), 1);
    assert_eq!(silent.take("A").map(|owner| matches!(owner, Owner::Elsewhere { .. })), Ok(true));
}

fn a_node_that_was_given_up_takes_part_again_and_is_fenced_off() {
    let schema = next_schema();
    let (one, two) = (node(schema, "one:1"), node(schema, "two:2"));
    for table in ["A", "B"] {
        append_now(&one, Batch { epoch: 1, ..batch(table, 0, 1) }).unwrap();
    }
    sql("UPDATE nodes SET alive = false WHERE address = 'one:1'").unwrap();
    let epoch = epoch_of(&two, "A");
    let terms = Terms { term: Duration::from_secs(3600) };
    one.rejoin("one:1", terms).unwrap();
    assert_eq!(two.nodes().unwrap().len(), 2);
    assert_eq!(append_now(&one, Batch { epoch: 1, ..batch("A", 1, 2) }), Err(StoreError::Fenced { table: 1 }));
    assert_eq!(one.take("A"), Ok(Owner::Elsewhere { node: two.node(), address: "two:2".to_owned() }));
    append_now(&two, Batch { epoch, ..batch("A", 1, 2) }).unwrap();
    assert_eq!(epoch_of(&one, "B"), 2, "what nobody has taken is its own again");
    // Given up for so long that its notes are gone.
    sql(&format!("DELETE FROM attempts WHERE writer = {0}; DELETE FROM nodes WHERE id = {0}", one.node())).unwrap();
    one.rejoin("one:1", terms).unwrap();
    let epoch = epoch_of(&one, "B");
    append_now(&one, Batch { epoch, ..batch("B", 1, 2) }).unwrap();
    assert_eq!(seqs(&two.load("B").unwrap().unwrap()), [1, 2]);
}

/// A node that reads and writes entries up to a format.
fn node_of_format(schema: u32, address: &str, format: u64) -> Store {
    let membership = Membership { format, ..Membership::default() };
    let store =
        Store::connect(&super::postgres::address(schema), Options { membership, ..Options::default() }).unwrap();
    store.join(address, Terms { term: Duration::from_secs(3600) }).unwrap();
    store
}

fn a_table_of_a_newer_format_is_left_to_newer_nodes() {
    let schema = next_schema();
    let (old, new) = (node_of_format(schema, "old:1", 3), node_of_format(schema, "new:2", 4));
    append_now(&new, Batch { epoch: 1, ..batch("A", 0, 1) }).unwrap();
    append_now(&old, Batch { epoch: 1, ..batch("B", 0, 1) }).unwrap();
    assert_eq!(old.take("A"), Ok(Owner::Elsewhere { node: new.node(), address: "new:2".to_owned() }));
    assert_eq!(old.hand_over(&[lease("B", 1)], None), Ok(vec![true]));
    assert_eq!(epoch_of(&new, "B"), 3);
    new.leave().unwrap();
    for table in ["A", "B"] {
        assert_eq!(old.take(table), Ok(Owner::Newer { format: 4 }), "it may have written to it");
    }
    assert!(matches!(node_of_format(schema, "newer:3", 5).take("A"), Ok(Owner::Here { .. })));
}

fn what_nodes_run_is_told_apart_and_not_deleted() {
    let schema = next_schema();
    let (one, two) = (node(schema, "one:1"), node(schema, "two:2"));
    let listing = ListingChange::Show("{}".to_owned());
    let ended = vec![part(1, true, true, b"one")];
    append_now(&one, Batch { epoch: 1, owner: Some(7), listing, parts: ended, ..batch("A", 0, 1) }).unwrap();
    let count = |store: &Store| (store.running(9).unwrap().len(), store.running_of(7).unwrap());
    assert_eq!(count(&two), (1, 1));
    assert_eq!((one.unrecorded(9).unwrap().len(), two.unrecorded(9).unwrap().len()), (1, 0), "each its own");
    assert_eq!(two.delete_tables(vec![1], u64::MAX >> 1), Ok(0));
    assert_eq!(one.hand_over(&[lease("A", 1)], None), Ok(vec![true]));
    assert_eq!(count(&two), (0, 0));
    assert_eq!(two.unrecorded(9).unwrap().len(), 1, "nobody's is everybody's");
    one.drain().unwrap();
    let states: Vec<NodeState> = two.roster().unwrap().iter().map(|node| node.state).collect();
    assert!(states.contains(&NodeState::Draining) && states.contains(&NodeState::Alive), "{states:?}");
    one.leave().unwrap();
    assert_eq!((two.nodes().unwrap().len(), two.roster().unwrap().len()), (1, 2));
    assert_eq!(two.delete_tables(vec![1], u64::MAX >> 1), Ok(1));
}

fn several_databases_are_one_store_and_know_their_places() {
    let addresses = [address(next_schema()), address(next_schema()), address(next_schema())];
    let store = Store::connect_all(&addresses, Options::default()).unwrap();
    store.join("one:1", Terms { term: Duration::from_secs(3600) }).unwrap();
    let (mut tables, mut guests) = (Vec::new(), Vec::new());
    for number in 0..30_u8 {
        let ann = store.add_guest(NewGuest { token: [number; 32], ..guest(0, "Ann") }).unwrap();
        let id = store.placed(format!("T{number}"));
        let parts = vec![part(1, true, true, b"one")];
        let full = Batch { people: vec![ann], owner: Some(ann), epoch: 1, parts, ..batch(&id, 0, 2) };
        append_now(&store, Batch { invite: Some(format!("I{number}")), ..full }).unwrap();
        // Everybody is also in a game of the first guest's, wherever that is.
        let people = [ann, *guests.first().unwrap_or(&ann)];
        let figures = Some(b"figures".to_vec());
        let record = RecordRow { table: id.clone(), figures, ..record(&format!("{id}-1"), &people) };
        assert_eq!(store.put_record(record), Ok(true));
        tables.push(id);
        guests.push(ann);
    }
    for shard in 0..3 {
        assert!(tables.iter().any(|id| store.shard_of(id) == shard), "{tables:?}");
        assert!(guests.iter().any(|guest| guest >> crate::sharded::BITS == shard as u64), "{guests:?}");
    }
    let mut numbers = guests.clone();
    numbers.sort_unstable();
    numbers.dedup();
    assert_eq!(numbers.len(), 30, "no number is given twice");
    for number in 0..30_u8 {
        let (id, ann) = (&tables[usize::from(number)], guests[usize::from(number)]);
        assert_eq!(store.invited(&format!("I{number}")).unwrap().as_ref(), Some(id));
        assert_eq!(seqs(&store.load(id).unwrap().unwrap()), [1, 2]);
        assert_eq!(store.guest_by_token(&[number; 32]).unwrap().unwrap().id, ann);
        assert_eq!(store.guest(ann).unwrap().unwrap().id, ann);
        let games = if number == 0 { 9 } else { 1 };
        assert_eq!((store.tables_of(ann).unwrap().len(), store.records_of(ann, 9).unwrap().len()), (1, games));
        assert!(store.record(&format!("{id}-1")).unwrap().is_some());
        let review = ReviewRow { review: vec![number], figures: vec![number] };
        assert_eq!(store.put_review(&format!("{id}-1"), review), Ok(true));
        assert_eq!(store.review(&format!("{id}-1")), Ok(Some(vec![number])));
        assert_eq!(store.seat_in(&format!("{id}-1"), ann), Ok(Some(0)));
        assert_eq!((store.set_season(ann, false), store.guest(ann).unwrap().unwrap().season), (Ok(true), false));
        assert_eq!(store.running_of(ann), Ok(1));
        assert_eq!(epoch_of(&store, id), 2);
    }
    assert_eq!((store.season(guests[0], 99).unwrap().len(), store.season(guests[1], 99).unwrap().len()), (30, 1));
    assert_eq!(store.season(guests[0], 7).unwrap().len(), 7);
    assert_eq!((store.forget_season(guests[0]), store.season(guests[0], 99)), (Ok(30), Ok(Vec::new())));
    assert_eq!((store.invited("nothing"), store.guest_by_token(&[99; 32])), (Ok(None), Ok(None)));
    // Another token leads elsewhere; the guest is found all the same.
    assert_eq!(store.change_token(guests[0], [77; 32]), Ok(true));
    assert_eq!(store.guest_by_token(&[77; 32]).unwrap().unwrap().id, guests[0]);
    assert_eq!(store.remove_guest(guests[0]), Ok(true));
    assert_eq!(store.tables_of(guests[0]).unwrap().len(), 0);
    assert_eq!(store.roster().unwrap().iter().map(|node| node.tables).collect::<Vec<_>>(), [30]);
    store.leave().unwrap();
    let retention = Retention { tables: Some(Duration::ZERO), ..Retention::default() };
    assert_eq!(store.forget(retention, |_| false).unwrap().tables, 30);
    store.close();
    let [first, second, third] = addresses;
    let open = |addresses: &[DatabaseAddress]| Store::connect_all(addresses, Options::default()).map(drop);
    let misplaced = |found, wanted| Err(StoreError::Misplaced { found, wanted, is_other: false });
    assert_eq!(open(&[second.clone(), first.clone(), third.clone()]), misplaced(1, 0));
    assert_eq!(open(&[first.clone(), third.clone()]), misplaced(2, 1));
    let stranger = address(next_schema());
    assert_eq!(open(std::slice::from_ref(&stranger)), Ok(()));
    assert!(matches!(open(&[first.clone(), stranger]), Err(StoreError::Misplaced { is_other: true, .. })));
    assert_eq!(open(&[first, second, third, address(next_schema())]), Ok(()), "more can be added");
}

fn everything_is_copied_to_postgres_and_back() {
    let source = Store::in_memory().unwrap();
    for number in 0..70_u8 {
        let ann = source.add_guest(guest(number, "Ann \u{fc}")).unwrap();
        let parts = vec![part(1, true, true, b"one"), part(2, true, false, b"two")];
        let snapshot = (number % 3 == 0).then(|| (2, vec![number; 70]));
        let full =
            Batch { people: vec![ann, 7], parts, snapshot, owner: Some(ann), ..batch(&format!("T{number}"), 0, 5) };
        append_now(&source, Batch { invite: Some(format!("I{number}")), talk: Some(true), ..full }).unwrap();
        let record = RecordRow { table: format!("T{number}"), ..record(&format!("R{number}"), &[ann]) };
        source.put_record(record).unwrap();
    }
    let target = connect(next_schema());
    let copied = copy(&source, &target).unwrap();
    assert_eq!((copied.tables, copied.guests, copied.records), (70, 70, 70));
    assert_eq!(copy(&source, &target), Err(CopyError::NotEmpty));
    assert_eq!(target.load("T3"), source.load("T3"));
    assert_eq!(target.records_of(3, 9).unwrap().len(), 1);
    // New numbers do not collide with old ones, and the journal goes on.
    assert_eq!(target.add_guest(guest(200, "Bob")).unwrap(), source.add_guest(guest(200, "Bob")).unwrap());
    append_now(&target, batch("T3", 5, 6)).unwrap();
    append_now(&source, batch("T3", 5, 6)).unwrap();
    let back = Store::in_memory().unwrap();
    copy(&target, &back).unwrap();
    for table in ["T3", "T4"] {
        assert_eq!(back.load(table).unwrap().unwrap().entries, source.load(table).unwrap().unwrap().entries);
    }
    append_now(&back, Batch { snapshot: Some((7, body(7))), ..batch("T3", 6, 8) }).unwrap();
    assert_eq!(seqs(&back.load("T3").unwrap().unwrap()), [8]);
    assert_eq!(back.journal("T3").unwrap().len(), 1, "the entries that came with it are pruned");
    target.join("here:1", Terms::default()).unwrap();
    assert_eq!(copy(&target, &Store::in_memory().unwrap()), Err(CopyError::InUse("here:1".to_owned())));
}

fn backups_go_from_postgres_to_sqlite_and_back() {
    let (first, target, files, data) =
        (next_schema(), next_schema(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let store = connect(first);
    store.join("here:1", Terms::default()).unwrap();
    let ann = store.add_guest(guest(1, "Ann")).unwrap();
    append_now(&store, Batch { people: vec![ann], owner: Some(ann), ..batch("T1", 0, 5) }).unwrap();
    store.put_record(RecordRow { table: "T1".to_owned(), ..record("T1-1", &[ann]) }).unwrap();
    let (file, other) = (files.path().join("one"), files.path().join("two"));
    let at = |schema| Place::Databases(vec![address(schema)]);
    let written = back_up(&at(first), &file, &mut |_| {}).unwrap();
    assert_eq!((written.tables, written.entries, written.guests, written.records), (1, 5, 1, 1));
    let folder = Place::Folder(data.path().to_owned());
    assert_eq!(restore(&file, &folder, &Options::default(), &mut |_| {}), Ok(written));
    assert_eq!(back_up(&folder, &other, &mut |_| {}), Ok(written));
    assert_eq!(restore(&other, &at(target), &Options::default(), &mut |_| {}), Ok(written));
    assert_eq!(restore(&other, &at(target), &Options::default(), &mut |_| {}), Err(CopyError::NotEmpty.into()));
    let back = connect(target);
    assert_eq!(back.load("T1").unwrap().unwrap().entries, store.load("T1").unwrap().unwrap().entries);
    assert!(back.add_guest(guest(2, "Bob")).unwrap() > ann);
    let two = Place::Databases(vec![address(next_schema()), address(next_schema())]);
    let refused = restore(&file, &two, &Options::default(), &mut |_| {});
    assert_eq!(refused, Err(BackupError::Databases { found: 1, wanted: 2 }));
}

/// Cuts a restore short by leaving its thread behind at a moment when some rows are stored.
fn cut_short(file: &Path, place: &Place) {
    let stopped = catch_unwind(AssertUnwindSafe(|| {
        let mut stored = 0;
        restore(file, place, &Options::default(), &mut |progress| {
            stored += u32::from(progress.step == Step::Storing);
            assert!(stored < 120, "killed");
        })
    }));
    assert!(stopped.is_err(), "it was cut short");
}

fn a_restore_that_is_cut_short_leaves_nothing_and_can_be_repeated() {
    let files = tempfile::tempdir().unwrap();
    let (first, file) = (next_schema(), files.path().join("one"));
    let store = connect(first);
    for token in 0..200 {
        store.add_guest(guest(token, "Ann")).unwrap();
    }
    append_now(&store, batch("T1", 0, 5)).unwrap();
    let written = back_up(&Place::Databases(vec![address(first)]), &file, &mut |_| {}).unwrap();
    let target = Place::Databases(vec![address(next_schema())]);
    cut_short(&file, &target);
    assert_eq!(sql("SELECT count(*) FROM guests").unwrap(), "0", "nobody sees half of it");
    assert_eq!(restore(&file, &target, &Options::default(), &mut |_| {}), Ok(written));
    assert_eq!(sql("SELECT count(*) FROM guests").unwrap(), "200");
}

fn a_restore_into_several_databases_goes_on_where_it_ended() {
    let files = tempfile::tempdir().unwrap();
    let file = files.path().join("all");
    let from = [address(next_schema()), address(next_schema())];
    let store = Store::connect_all(&from, Options::default()).unwrap();
    append_now(&store, batch("A", 0, 2)).unwrap();
    append_now(&store, batch("B.1", 0, 3)).unwrap();
    let written = back_up(&Place::Databases(from.to_vec()), &file, &mut |_| {}).unwrap();
    let into = |schemas: [u32; 2]| {
        restore(&file, &Place::Databases(schemas.map(address).to_vec()), &Options::default(), &mut |_| {})
    };
    // The first database of another target got everything, and then the machine stopped.
    let (one, two) = (next_schema(), next_schema());
    assert_eq!(into([one, two]), Ok(written));
    sql(&format!("DROP SCHEMA s{two} CASCADE; CREATE SCHEMA s{two}")).unwrap();
    assert_eq!(sql(&format!("SELECT cluster > 0 FROM s{one}.shard")).unwrap(), "t");
    assert_eq!(into([one, two]), Ok(written));
    assert_eq!(into([one, two]), Err(CopyError::NotEmpty.into()));
    // What is in the way is not what is in the backup.
    sql(&format!("UPDATE s{one}.tables SET touched = touched + 1")).unwrap();
    sql(&format!("DROP SCHEMA s{two} CASCADE; CREATE SCHEMA s{two}")).unwrap();
    assert_eq!(into([one, two]), Err(CopyError::NotEmpty.into()));
    assert_eq!(sql(&format!("SELECT count(*) FROM s{two}.tables")).unwrap(), "0");
}

fn several_databases_are_backed_up_in_one_file() {
    let files = tempfile::tempdir().unwrap();
    let file = files.path().join("all");
    let pair = || vec![address(next_schema()), address(next_schema())];
    let (from, to) = (pair(), pair());
    let store = Store::connect_all(&from, Options::default()).unwrap();
    append_now(&store, batch("A", 0, 2)).unwrap();
    append_now(&store, batch("B.1", 0, 3)).unwrap();
    let written = back_up(&Place::Databases(from), &file, &mut |_| {}).unwrap();
    assert_eq!((written.databases, written.tables, written.entries), (2, 2, 5));
    let folder = Place::Folder(files.path().join("data"));
    let refused = restore(&file, &folder, &Options::default(), &mut |_| {});
    assert_eq!(refused, Err(BackupError::Databases { found: 2, wanted: 1 }));
    assert_eq!(restore(&file, &Place::Databases(to.clone()), &Options::default(), &mut |_| {}), Ok(written));
    let back = Store::connect_all(&to, Options::default()).unwrap();
    assert_eq!(
        (seqs(&back.load("A").unwrap().unwrap()).len(), seqs(&back.load("B.1").unwrap().unwrap()).len()),
        (2, 3)
    );
    // Numbers stay in the range of their database, though none had been given in it.
    let guests: Vec<u64> = (0..40).map(|token| back.add_guest(guest(token, "Ann")).unwrap()).collect();
    assert!(guests.iter().any(|guest| guest >> crate::sharded::BITS == 1));
    assert!(guests.iter().all(|guest| back.guest(*guest).unwrap().is_some()));
}

fn a_database_that_crashed_is_waited_for() {
    let server = SERVER.get().unwrap();
    let store = connect(next_schema());
    append_now(&store, batch("A", 0, 1)).unwrap();
    server.crash().unwrap();
    let (tell, told) = mpsc::channel();
    let tell_other = tell.clone();
    store.append(batch("A", 1, 2), move |result| tell.send(result).unwrap());
    store.append(batch("B", 0, 1), move |result| tell_other.send(result).unwrap());
    eventually("the failure", || store.health() != Health::Ok);
    server.begin().unwrap();
    assert_eq!(told.iter().take(2).collect::<Vec<_>>(), [Ok(()), Ok(())]);
    eventually("recovery", || store.health() == Health::Ok);
    assert_eq!(seqs(&store.load("A").unwrap().unwrap()), [1, 2]);
}
