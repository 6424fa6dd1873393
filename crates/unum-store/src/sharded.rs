//! Several databases as one journal (sharding). Each is independent: losing one stops only its tables.
//!
//! A table's id names its database. The numbers of guests and tables do, too: each database has a range of its own.
//! Codes and tokens do not, so the databases are asked in turn, the likeliest first. Questions to all are answered by
//! those that can be reached.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use crate::copy::{Cell, Section};
use crate::journal::{Figures, Health, Journal, Store};
use crate::lease::{Lease, NodeRow, NodeState, Owner, Terms};
use crate::queue::Done;
use crate::{
    ActRow, Batch, BlockRow, Change, DatabaseAddress, GuestRow, NewGuest, Options, Piece, RecordFacts, RecordHead,
    RecordRow, ReportRow, ReviewRow, SanctionRow, SeasonRow, StoreError, TableRow, Unrecorded,
};

type Result<T> = std::result::Result<T, StoreError>;

/// Databases at most.
pub(crate) const MOST: usize = 100;
/// Bits of a number that count within one database. All numbers stay below 2⁵³, which every JSON parser can read.
pub(crate) const BITS: u32 = 46;
/// The separator between a table's id and the number of its database.
const MARK: char = '.';
/// How long a failed database is left alone.
const PAUSE: Duration = Duration::from_secs(1);

/// Several databases.
pub(crate) struct Sharded {
    shards: Vec<Shard>,
}

pub(crate) struct Shard {
    /// Empty until the database was reached for the first time.
    store: OnceLock<Store>,
    address: DatabaseAddress,
    options: Options,
    /// Whether it was away at the start and has not been joined yet.
    is_late: AtomicBool,
    gate: Mutex<Gate>,
}

/// A circuit breaker: a database that is away is tried by one caller at a time, so that not everybody waits for it.
#[derive(Clone, Debug, Default)]
struct Gate {
    failed: Option<(Instant, StoreError)>,
    trying: bool,
}

impl Shard {
    /// A database that was reached, or that is connected to later with these options.
    pub(crate) fn new(store: Option<Store>, address: DatabaseAddress, options: Options) -> Shard {
        let failed = store.is_none().then(|| (Instant::now(), never_reached()));
        let is_late = AtomicBool::new(store.is_none());
        let store = store.map_or_else(OnceLock::new, OnceLock::from);
        Shard { store, address, options, is_late, gate: Mutex::new(Gate { failed, trying: false }) }
    }

    /// The database, if it was ever reached.
    fn reached(&self) -> Option<&Store> {
        self.store.get()
    }

    /// The database, connected if it was never reached. Only one caller at a time passes the gate.
    fn store(&self) -> Result<&Store> {
        if self.reached().is_none() {
            let store = Store::connect(&self.address, self.options.clone())?;
            // Another caller may have connected meanwhile.
            let _ = self.store.set(store);
        }
        self.reached().ok_or_else(never_reached)
    }

    /// Asks the database, unless it is known to be away.
    fn ask<T>(&self, work: impl FnOnce(&Store) -> Result<T>) -> Result<T> {
        {
            let mut gate = self.gate();
            if let Some((at, error)) = &gate.failed {
                if gate.trying || at.elapsed() < PAUSE {
                    return Err(error.clone());
                }
                gate.trying = true;
            }
        }
        let result = self.store().and_then(work);
        let is_failure = |error: &&StoreError| {
            matches!(error, StoreError::Away(_) | StoreError::Io(_) | StoreError::Login(_)) || self.reached().is_none()
        };
        let failure = result.as_ref().err().filter(is_failure);
        *self.gate() = Gate { failed: failure.map(|error| (Instant::now(), error.clone())), trying: false };
        result
    }

    fn is_given_up(&self) -> bool {
        self.is_late.load(Ordering::Relaxed) || self.reached().is_some_and(|store| store.is_given_up(0))
    }

    /// Joins again, or for the first time.
    fn rejoin(&self, address: &str, terms: Terms) -> Result<()> {
        self.ask(|store| store.rejoin(address, terms))?;
        self.is_late.store(false, Ordering::Relaxed);
        Ok(())
    }

    fn is_away(&self) -> bool {
        self.gate().failed.is_some()
    }

    fn gate(&self) -> MutexGuard<'_, Gate> {
        self.gate.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Sharded {
    pub(crate) fn new(shards: Vec<Shard>) -> Sharded {
        Sharded { shards }
    }

    /// The databases that were ever reached.
    fn reached(&self) -> impl Iterator<Item = &Store> {
        self.shards.iter().filter_map(Shard::reached)
    }

    /// The first database, which has what concerns the whole server.
    fn head(&self) -> Result<&Shard> {
        self.shards.first().ok_or_else(unknown)
    }

    /// The database whose range contains a number.
    fn of_number(&self, number: u64) -> Result<&Shard> {
        usize::try_from(number >> BITS).ok().and_then(|at| self.shards.get(at)).ok_or_else(unknown)
    }

    fn of_table(&self, table: &str) -> Result<&Shard> {
        self.shards.get(self.shard_of(table)).ok_or_else(unknown)
    }

    fn of_record(&self, id: &str) -> Result<&Shard> {
        self.of_table(id.rsplit_once('-').map_or(id, |(table, _)| table))
    }

    /// All databases, with one of them first and those that are away last.
    fn from(&self, first: usize) -> impl Iterator<Item = &Shard> {
        let count = self.shards.len();
        let all = move |away| {
            let turned = (0..count).map(move |step| &self.shards[(first + step) % count]);
            turned.filter(move |shard| shard.is_away() == away)
        };
        // Decide which are away before asking the first.
        let all: Vec<&Shard> = all(false).chain(all(true)).collect();
        all.into_iter()
    }

    /// The first answer found. If there is none and a database did not answer, that is an error: it may have had it.
    fn first<T>(&self, first: usize, ask: impl Fn(&Store) -> Result<Option<T>>) -> Result<Option<T>> {
        let mut failure = None;
        for shard in self.from(first) {
            match shard.ask(&ask) {
                Ok(Some(found)) => return Ok(Some(found)),
                Ok(None) => {}
                Err(error) => failure = Some(error),
            }
        }
        failure.map_or(Ok(None), Err)
    }

    /// The answers of all that can be reached; an error only if none can.
    fn all<T>(&self, ask: impl Fn(&Store) -> Result<T>) -> Result<Vec<T>> {
        let (mut answers, mut failure) = (Vec::new(), None);
        for shard in &self.shards {
            match shard.ask(&ask) {
                Ok(answer) => answers.push(answer),
                Err(error) => failure = Some(error),
            }
        }
        match failure {
            Some(error) if answers.is_empty() => Err(error),
            _ => Ok(answers),
        }
    }

    /// Does something in all of them. Fails if any of them failed.
    fn everywhere<T>(&self, work: impl Fn(&Store) -> Result<T>) -> Result<Vec<T>> {
        // All are tried, whatever becomes of the first.
        let results: Vec<Result<T>> = self.shards.iter().map(|shard| shard.ask(&work)).collect();
        results.into_iter().collect()
    }

    fn merged<T>(&self, ask: impl Fn(&Store) -> Result<Vec<T>>) -> Result<Vec<T>> {
        Ok(self.all(ask)?.into_iter().flatten().collect())
    }
}

fn never_reached() -> StoreError {
    StoreError::Away("it has not been reachable since the start".to_owned())
}

fn unknown() -> StoreError {
    StoreError::Rejected("it is in a database that this server does not know: add its --database".to_owned())
}

/// The database where a token is looked up first.
fn home(token: &[u8; 32], shards: usize) -> usize {
    let (first, _) = token.split_first_chunk().unwrap_or((&[0; 8], &[]));
    usize::try_from(u64::from_le_bytes(*first) % shards as u64).unwrap_or(0)
}

impl Journal for Sharded {
    fn submit(&self, batch: Batch, done: Done) {
        let shard = self.of_table(&batch.table);
        match shard.and_then(|shard| shard.reached().ok_or_else(never_reached)) {
            Ok(store) => store.journal.submit(batch, done),
            Err(error) => done(Err(error)),
        }
    }

    fn exposed(&self) -> &[PathBuf] {
        &[]
    }

    fn free_space(&self) -> Option<u64> {
        None
    }

    fn room_left(&self) -> Result<Option<u64>> {
        Ok(self.all(|store| store.room_left())?.into_iter().flatten().max())
    }

    fn visit(&self, table: &str, show: &mut dyn FnMut(Piece<'_>) -> bool) -> Result<bool> {
        self.of_table(table)?.ask(|store| store.visit(table, show))
    }

    fn invited(&self, code: &str) -> Result<Option<String>> {
        self.first(0, |store| store.invited(code))
    }

    fn journal(&self, table: &str) -> Result<Vec<(u64, Vec<u8>)>> {
        self.of_table(table)?.ask(|store| store.journal.journal(table))
    }

    fn open_tables(&self) -> Result<Vec<TableRow>> {
        self.merged(|store| store.open_tables())
    }

    fn listed_tables(&self, most: u32) -> Result<Vec<TableRow>> {
        newest(self.merged(|store| store.listed_tables(most))?, most, |row| row.opened)
    }

    fn tables_of(&self, guest: u64) -> Result<Vec<TableRow>> {
        newest(self.merged(|store| store.tables_of(guest))?, crate::sql::LISTED, |row| row.touched)
    }

    fn table_bytes(&self, owner: u64) -> Result<u64> {
        Ok(self.all(|store| store.table_bytes(owner))?.into_iter().sum())
    }

    fn add_guest(&self, guest: NewGuest) -> Result<u64> {
        let home = home(&guest.token, self.shards.len());
        let shard = self.from(home).next().ok_or_else(unknown)?;
        shard.ask(|store| store.add_guest(guest))
    }

    fn guest_by_token(&self, hash: &[u8; 32]) -> Result<Option<GuestRow>> {
        self.first(home(hash, self.shards.len()), |store| store.guest_by_token(hash))
    }

    fn change_guest(&self, id: u64, name: Option<String>, look: Option<String>) -> Result<bool> {
        self.of_number(id)?.ask(|store| store.change_guest(id, name, look))
    }

    fn guest(&self, id: u64) -> Result<Option<GuestRow>> {
        self.of_number(id)?.ask(|store| store.guest(id))
    }

    fn change_token(&self, id: u64, hash: [u8; 32]) -> Result<bool> {
        self.of_number(id)?.ask(|store| store.change_token(id, hash))
    }

    fn see_guest(&self, id: u64) -> Result<bool> {
        self.of_number(id)?.ask(|store| store.see_guest(id))
    }

    /// Everywhere, since the guest may have played anywhere.
    fn remove_guest(&self, id: u64) -> Result<bool> {
        Ok(self.everywhere(|store| store.remove_guest(id))?.contains(&true))
    }

    fn unrecorded(&self, most: u32) -> Result<Vec<Unrecorded>> {
        self.merged(|store| store.unrecorded(most))
    }

    fn parts(&self, table: &str, number: u32) -> Result<Vec<Vec<u8>>> {
        self.of_table(table)?.ask(|store| store.parts(table, number))
    }

    fn give_up_record(&self, table: &str, number: u32) -> Result<()> {
        self.of_table(table)?.ask(|store| store.give_up_record(table, number))
    }

    fn put_record(&self, record: RecordRow) -> Result<bool> {
        self.of_table(&record.table)?.ask(|store| store.put_record(record))
    }

    fn record(&self, id: &str) -> Result<Option<RecordRow>> {
        self.of_record(id)?.ask(|store| store.record(id))
    }

    fn record_facts(&self, id: &str) -> Result<Option<RecordFacts>> {
        self.of_record(id)?.ask(|store| store.record_facts(id))
    }

    fn record_part(&self, id: &str, from: u64, most: u64) -> Result<Option<(u64, Vec<u8>)>> {
        self.of_record(id)?.ask(|store| store.record_part(id, from, most))
    }

    fn seats_of(&self, guest: u64, most: u32) -> Result<Vec<(String, Option<u8>)>> {
        // A database that is away cannot be skipped: its rows would stay.
        let seats = self.everywhere(|store| store.seats_of(guest, most))?;
        Ok(seats.into_iter().flatten().take(most as usize).collect())
    }

    fn rewrite_record(&self, id: &str, guest: u64, new: Option<(String, Vec<u8>)>) -> Result<bool> {
        self.of_record(id)?.ask(|store| store.rewrite_record(id, guest, new))
    }

    fn records_of(&self, guest: u64, most: u32) -> Result<Vec<RecordHead>> {
        newest(self.merged(|store| store.records_of(guest, most))?, most, |head| head.stored)
    }

    fn review(&self, id: &str) -> Result<Option<Vec<u8>>> {
        self.of_record(id)?.ask(|store| store.review(id))
    }

    fn put_review(&self, id: &str, review: ReviewRow) -> Result<bool> {
        self.of_record(id)?.ask(|store| store.put_review(id, review))
    }

    fn seat_in(&self, id: &str, guest: u64) -> Result<Option<u8>> {
        self.of_record(id)?.ask(|store| store.seat_in(id, guest))
    }

    fn season(&self, guest: u64, most: u32) -> Result<Vec<SeasonRow>> {
        newest(self.merged(|store| store.season(guest, most))?, most, |game| game.stored)
    }

    fn set_season(&self, guest: u64, on: bool) -> Result<bool> {
        self.of_number(guest)?.ask(|store| store.set_season(guest, on))
    }

    /// Everywhere, since the guest may have played anywhere.
    fn forget_season(&self, guest: u64) -> Result<u64> {
        Ok(self.everywhere(|store| store.forget_season(guest))?.into_iter().sum())
    }

    fn moderate(&self, change: Change) -> Result<u64> {
        match change {
            Change::Block { guest, .. } | Change::Unblock { guest, .. } => {
                self.of_number(guest)?.ask(|store| store.moderate(change))
            }
            change => self.head()?.ask(|store| store.moderate(change)),
        }
    }

    fn sanctions(&self) -> Result<Vec<SanctionRow>> {
        self.head()?.ask(|store| store.sanctions())
    }

    fn reports(&self, most: u32) -> Result<Vec<ReportRow>> {
        self.head()?.ask(|store| store.reports(most))
    }

    fn report(&self, id: u64) -> Result<Option<ReportRow>> {
        self.head()?.ask(|store| store.report(id))
    }

    fn acts(&self, most: u32) -> Result<Vec<ActRow>> {
        self.head()?.ask(|store| store.acts(most))
    }

    fn blocks_of(&self, guest: u64) -> Result<Vec<BlockRow>> {
        self.of_number(guest)?.ask(|store| store.blocks_of(guest))
    }

    fn shrink(&self) -> Result<u64> {
        Ok(self.all(|store| store.shrink())?.into_iter().sum())
    }

    fn limit_size(&self, bytes: u64) -> Result<()> {
        self.everywhere(|store| store.limit_size(bytes)).map(drop)
    }

    /// Works as long as one of them does: its tables continue.
    fn health(&self) -> Health {
        let mut all = self.reached().map(|store| store.health());
        let first = all.next().unwrap_or_default();
        if first == Health::Ok { first } else { all.find(|health| *health == Health::Ok).unwrap_or(first) }
    }

    fn figures(&self) -> Figures {
        self.reached().map(|store| store.figures()).fold(Figures::default(), |sum, one| Figures {
            commits: sum.commits + one.commits,
            failures: sum.failures + one.failures,
            jobs: sum.jobs + one.jobs,
            micros: sum.micros + one.micros,
            waiting: sum.waiting + one.waiting,
            panics: sum.panics + one.panics,
        })
    }

    fn close(&self) {
        self.reached().for_each(|store| store.journal.close());
    }

    fn talkative_before(&self, date: u64, most: u32) -> Result<Vec<String>> {
        self.merged(|store| store.talkative_before(date, most))
    }

    /// One database after the other, in the order of their ranges.
    fn old_tables(&self, before: u64, after: u64) -> Result<Vec<(u64, String)>> {
        let first = usize::try_from(after >> BITS).unwrap_or(MOST);
        for (at, shard) in self.shards.iter().enumerate().skip(first) {
            let after = after.max((at as u64) << BITS);
            // One that is away is cleaned up later.
            let old = shard.ask(|store| store.old_tables(before, after)).unwrap_or_default();
            if !old.is_empty() {
                return Ok(old);
            }
        }
        Ok(Vec::new())
    }

    fn delete_tables(&self, tables: Vec<u64>, before: u64) -> Result<u64> {
        let mut deleted = 0;
        for (at, shard) in self.shards.iter().enumerate() {
            let own: Vec<u64> = tables.iter().copied().filter(|table| table >> BITS == at as u64).collect();
            if !own.is_empty() {
                deleted += shard.ask(|store| store.delete_tables(own, before))?;
            }
        }
        Ok(deleted)
    }

    fn delete_records(&self, before: u64) -> Result<u64> {
        Ok(self.all(|store| store.delete_records(before))?.into_iter().sum())
    }

    /// A guest whose tables are all in another database counts as one without tables.
    fn delete_guests(&self, before: u64) -> Result<u64> {
        Ok(self.all(|store| store.delete_guests(before))?.into_iter().sum())
    }

    /// An unreachable database is joined later: see [`Journal::is_given_up`].
    fn join(&self, address: &str, terms: Terms) -> Result<()> {
        self.reached().try_for_each(|store| store.join(address, terms))
    }

    fn rejoin(&self, address: &str, terms: Terms) -> Result<()> {
        let given_up = self.shards.iter().filter(|shard| shard.is_given_up());
        // All are tried, whatever becomes of the first.
        let tried: Vec<Result<()>> = given_up.map(|shard| shard.rejoin(address, terms)).collect();
        tried.into_iter().collect()
    }

    fn shards(&self) -> usize {
        self.shards.len()
    }

    /// Spreads evenly over the databases that can be reached.
    fn placed(&self, id: String) -> String {
        let sum = id.bytes().fold(0_usize, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
        let candidates: Vec<usize> = (0..self.shards.len()).filter(|at| self.may_serve(*at)).collect();
        let at = candidates.get(sum % candidates.len().max(1)).copied().unwrap_or(sum % self.shards.len());
        if at == 0 { id } else { format!("{id}{MARK}{at}") }
    }

    fn shard_of(&self, table: &str) -> usize {
        table.rsplit_once(MARK).map_or(0, |(_, number)| number.parse().unwrap_or(usize::MAX))
    }

    fn may_serve(&self, shard: usize) -> bool {
        self.shards.get(shard).and_then(Shard::reached).is_some_and(|store| store.may_serve(0))
    }

    fn is_given_up(&self, shard: usize) -> bool {
        self.shards.get(shard).is_some_and(Shard::is_given_up)
    }

    fn node(&self) -> u64 {
        self.reached().next().map_or(0, |store| store.node())
    }

    fn first_epoch(&self) -> u64 {
        self.reached().next().map_or(0, |store| store.first_epoch())
    }

    fn take(&self, table: &str) -> Result<Owner> {
        self.of_table(table)?.ask(|store| store.take(table))
    }

    fn hand_over(&self, leases: &[Lease], to: Option<u64>) -> Result<Vec<bool>> {
        let mut passed = vec![false; leases.len()];
        let mut failure = None;
        for (at, shard) in self.shards.iter().enumerate() {
            let places: Vec<usize> = (0..leases.len()).filter(|i| self.shard_of(&leases[*i].table) == at).collect();
            let own: Vec<Lease> = places.iter().map(|place| leases[*place].clone()).collect();
            if own.is_empty() {
                continue;
            }
            match shard.ask(|store| store.hand_over(&own, to)) {
                Ok(done) => places.into_iter().zip(done).for_each(|(place, done)| passed[place] = done),
                Err(error) => failure = Some(error),
            }
        }
        // What could be handed over stays handed over.
        failure.filter(|_| !passed.contains(&true)).map_or(Ok(passed), Err)
    }

    fn drain(&self) -> Result<()> {
        self.everywhere(|store| store.drain()).map(drop)
    }

    fn running(&self, most: u32) -> Result<Vec<TableRow>> {
        newest(self.merged(|store| store.running(most))?, most, |row| row.opened)
    }

    fn running_of(&self, owner: u64) -> Result<u64> {
        Ok(self.all(|store| store.running_of(owner))?.into_iter().sum())
    }

    fn opened_by(&self, owner: u64, since: u64) -> Result<u64> {
        Ok(self.all(|store| store.opened_by(owner, since))?.into_iter().sum())
    }

    fn leave(&self) -> Result<()> {
        self.everywhere(|store| store.leave()).map(drop)
    }

    /// A node takes part if it does in any database.
    fn roster(&self) -> Result<Vec<NodeRow>> {
        let mut nodes: Vec<NodeRow> = Vec::new();
        for row in self.merged(|store| store.roster())? {
            match nodes.iter_mut().find(|node| node.id == row.id) {
                None => nodes.push(row),
                Some(node) => {
                    node.tables += row.tables;
                    node.silent_for = node.silent_for.min(row.silent_for);
                    node.state = if node.state == NodeState::Gone { row.state } else { node.state };
                }
            }
        }
        Ok(nodes)
    }

    fn export_rows(&self, _: &'static Section, _: Vec<Cell>) -> Result<Vec<Vec<Cell>>> {
        Err(one_at_a_time())
    }

    fn discard(&self, _: Vec<i64>, _: Vec<i64>) -> Result<()> {
        Err(one_at_a_time())
    }

    fn import_rows(&self, _: &'static Section, _: Vec<Vec<Cell>>) -> Result<()> {
        Err(one_at_a_time())
    }

    fn import_journal(&self, _: i64, _: Vec<(u64, Vec<u8>)>) -> Result<()> {
        Err(one_at_a_time())
    }
}

fn one_at_a_time() -> StoreError {
    StoreError::Rejected("databases are copied one at a time".to_owned())
}

fn newest<T>(mut rows: Vec<T>, most: u32, date: impl Fn(&T) -> u64) -> Result<Vec<T>> {
    rows.sort_by_key(|row| std::cmp::Reverse(date(row)));
    rows.truncate(most as usize);
    Ok(rows)
}
