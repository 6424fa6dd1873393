//! The journal behind one trait, and the handle to it that everybody uses.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::context::Context;
use crate::copy::{Cell, Section};
use crate::inspect::collected;
use crate::lease::{Lease, NodeRow, NodeState, Owner, Terms};
use crate::postgres::Postgres;
use crate::queue::Done;
use crate::sharded::{self, Sharded};
use crate::store::Sqlite;
use crate::{
    ActRow, Batch, BlockRow, Change, DatabaseAddress, Forgotten, GuestRow, NewGuest, Options, Piece, RecordFacts,
    RecordHead, RecordRow, ReportRow, Retention, ReviewRow, SanctionRow, SeasonRow, StoreError, StoredTable, TableRow,
    Unrecorded,
};

type Result<T> = std::result::Result<T, StoreError>;

/// Whether the last write succeeded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Health {
    /// It did, or there was none yet.
    #[default]
    Ok,
    /// It did not, and this sentence says why. Writing is retried every second, whether or not anybody writes.
    Failing(String),
}

/// What the writer has done since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Transactions that the disk has.
    pub commits: u64,
    /// Transactions that failed.
    pub failures: u64,
    /// Batches and other changes that were asked for.
    pub jobs: u64,
    /// How long writing took, in microseconds.
    pub micros: u64,
    /// How many changes wait.
    pub waiting: u64,
    /// How many changes panicked; each failed, and the writer went on.
    pub panics: u64,
}

/// What a journal can do, whatever keeps it. Everything here may block; nothing needs an asynchronous runtime.
pub trait Journal: Send + Sync {
    /// See [`Store::append`].
    #[doc(hidden)]
    fn submit(&self, batch: Batch, done: Done);

    /// The folder and files that users other than the owner can read. They hold the cards of rounds in progress.
    fn exposed(&self) -> &[PathBuf];

    /// How many bytes are free on the disk of the folder; `None` if that cannot be found out.
    fn free_space(&self) -> Option<u64>;

    /// How many bytes the database may still grow by; `None` if only the disk limits it. Deleted data counts as free,
    /// though the file may not have shrunk yet.
    ///
    /// # Errors
    /// When it cannot be read.
    fn room_left(&self) -> Result<Option<u64>>;

    /// Passes a table, its last snapshot and all later entries to `show`, one at a time, while it returns `true`. Only
    /// one of them is in memory. Returns whether there is such a table.
    ///
    /// # Errors
    /// When it cannot be read, or when entries are missing.
    fn visit(&self, table: &str, show: &mut dyn FnMut(Piece<'_>) -> bool) -> Result<bool>;

    /// The id of the table that a code invites to: its own first code, unless the code was renewed.
    ///
    /// # Errors
    /// When it cannot be read.
    fn invited(&self, code: &str) -> Result<Option<String>>;

    /// All entries of a table that are kept, with their numbers; none if there is no such table.
    ///
    /// # Errors
    /// When it cannot be read.
    fn journal(&self, table: &str) -> Result<Vec<(u64, Vec<u8>)>>;

    /// The tables that are not closed, oldest first.
    ///
    /// # Errors
    /// When they cannot be read.
    fn open_tables(&self) -> Result<Vec<TableRow>>;

    /// The listed tables, newest first, up to a limit.
    ///
    /// # Errors
    /// When they cannot be read.
    fn listed_tables(&self, most: u32) -> Result<Vec<TableRow>>;

    /// The open tables a guest is at, most recently touched first, up to a thousand.
    ///
    /// # Errors
    /// When they cannot be read.
    fn tables_of(&self, guest: u64) -> Result<Vec<TableRow>>;

    /// How many bytes a guest's own tables take. An open one counts as at least 512 KiB, which is reserved for its
    /// match.
    ///
    /// # Errors
    /// When it cannot be read.
    fn table_bytes(&self, owner: u64) -> Result<u64>;

    /// Adds a guest and returns their number.
    ///
    /// # Errors
    /// When it cannot be written; [`StoreError::Rejected`] if somebody has that token.
    fn add_guest(&self, guest: NewGuest) -> Result<u64>;

    /// A guest by the hash of their token.
    ///
    /// # Errors
    /// When it cannot be read.
    fn guest_by_token(&self, hash: &[u8; 32]) -> Result<Option<GuestRow>>;

    /// Changes a guest's name, look, or both, and returns whether there is such a guest.
    ///
    /// # Errors
    /// When it cannot be written.
    fn change_guest(&self, id: u64, name: Option<String>, look: Option<String>) -> Result<bool>;

    /// A guest by number.
    ///
    /// # Errors
    /// When it cannot be read.
    fn guest(&self, id: u64) -> Result<Option<GuestRow>>;

    /// Replaces a guest's token, by its hash, and returns whether there is such a guest. The old one becomes void.
    ///
    /// # Errors
    /// When it cannot be written; [`StoreError::Rejected`] if somebody has that token.
    fn change_token(&self, id: u64, hash: [u8; 32]) -> Result<bool>;

    /// Notes a guest's visit, and returns whether there is such a guest.
    ///
    /// # Errors
    /// When it cannot be written.
    fn see_guest(&self, id: u64) -> Result<bool>;

    /// Deletes a guest, and returns whether there was one. Games they played stay, but are not listed as theirs.
    ///
    /// # Errors
    /// When it cannot be written.
    fn remove_guest(&self, id: u64) -> Result<bool>;

    /// Finished matches without a record yet, oldest first, up to a limit.
    ///
    /// # Errors
    /// When they cannot be read.
    fn unrecorded(&self, most: u32) -> Result<Vec<Unrecorded>>;

    /// The parts of a match, in order; none once its record is made.
    ///
    /// # Errors
    /// When they cannot be read.
    fn parts(&self, table: &str, number: u32) -> Result<Vec<Vec<u8>>>;

    /// Marks a match that cannot be recorded: it is no longer among [`Journal::unrecorded`], but its parts stay.
    ///
    /// # Errors
    /// When it cannot be written.
    fn give_up_record(&self, table: &str, number: u32) -> Result<()>;

    /// Stores a finished game in place of its parts, and returns whether it is new. Idempotent: storing the same id
    /// again changes nothing, so it can be retried. If the finished games of the table's owner exceed their quota, the
    /// oldest are deleted.
    ///
    /// # Errors
    /// When it cannot be written.
    fn put_record(&self, record: RecordRow) -> Result<bool>;

    /// A finished game.
    ///
    /// # Errors
    /// When it cannot be read.
    fn record(&self, id: &str) -> Result<Option<RecordRow>>;

    /// Facts about a finished game, without its content.
    ///
    /// # Errors
    /// When it cannot be read.
    fn record_facts(&self, id: &str) -> Result<Option<RecordFacts>>;

    /// The length of a finished game, and a range of its bytes.
    ///
    /// # Errors
    /// When it cannot be read.
    fn record_part(&self, id: &str, from: u64, most: u64) -> Result<Option<(u64, Vec<u8>)>>;

    /// Some of the finished games of a guest, with the guest's seat in them.
    ///
    /// # Errors
    /// When they cannot be read.
    fn seats_of(&self, guest: u64, most: u32) -> Result<Vec<(String, Option<u8>)>>;

    /// Removes a guest from a finished game, with a new summary and body if given. Returns whether it was one of their
    /// games.
    ///
    /// # Errors
    /// When it cannot be written.
    fn rewrite_record(&self, id: &str, guest: u64, new: Option<(String, Vec<u8>)>) -> Result<bool>;

    /// The finished games of a guest, newest first, up to a limit.
    ///
    /// # Errors
    /// When they cannot be read.
    fn records_of(&self, guest: u64, most: u32) -> Result<Vec<RecordHead>>;

    /// The review kept with a finished game, if there is one.
    ///
    /// # Errors
    /// When it cannot be read.
    fn review(&self, id: &str) -> Result<Option<Vec<u8>>>;

    /// Keeps a review with a finished game, and tells whether there is such a game.
    ///
    /// # Errors
    /// When it cannot be written.
    fn put_review(&self, id: &str, review: ReviewRow) -> Result<bool>;

    /// The seat of a guest in a finished game.
    ///
    /// # Errors
    /// When it cannot be read.
    fn seat_in(&self, id: &str, guest: u64) -> Result<Option<u8>>;

    /// The games of a guest's season, the newest first, at most `limit`. Games without figures are left out.
    ///
    /// # Errors
    /// When they cannot be read.
    fn season(&self, guest: u64, most: u32) -> Result<Vec<SeasonRow>>;

    /// Whether games to come are counted in a guest's season. Tells whether there is such a guest.
    ///
    /// # Errors
    /// When it cannot be written.
    fn set_season(&self, guest: u64, on: bool) -> Result<bool>;

    /// Takes all games out of a guest's season, and tells how many. The games stay.
    ///
    /// # Errors
    /// When it cannot be written.
    fn forget_season(&self, guest: u64) -> Result<u64>;

    /// Changes bans, mutes, reports, the audit log or blocks. Says how many rows that concerned, for a new report its
    /// number; 0 if a limit is reached. In several databases, all but blocks are in the first.
    ///
    /// # Errors
    /// When it cannot be written.
    fn moderate(&self, change: Change) -> Result<u64>;

    /// The bans and mutes that have not run out.
    ///
    /// # Errors
    /// When they cannot be read.
    fn sanctions(&self) -> Result<Vec<SanctionRow>>;

    /// Reports, up to a limit: first those that wait, the newest first.
    ///
    /// # Errors
    /// When they cannot be read.
    fn reports(&self, most: u32) -> Result<Vec<ReportRow>>;

    /// A report.
    ///
    /// # Errors
    /// When it cannot be read.
    fn report(&self, id: u64) -> Result<Option<ReportRow>>;

    /// The audit log, newest first, up to a limit.
    ///
    /// # Errors
    /// When it cannot be read.
    fn acts(&self, most: u32) -> Result<Vec<ActRow>>;

    /// Whom a guest blocks, newest first.
    ///
    /// # Errors
    /// When it cannot be read.
    fn blocks_of(&self, guest: u64) -> Result<Vec<BlockRow>>;

    /// Returns free pages of the database to the disk, a few at a time, and says how many. Some are kept for new data.
    ///
    /// # Errors
    /// When it cannot be written.
    fn shrink(&self) -> Result<u64>;

    /// Limits the database to that many bytes: beyond it, writes fail with [`StoreError::Full`]. The limit is never
    /// below the current size.
    ///
    /// # Errors
    /// When the store is closed.
    fn limit_size(&self, bytes: u64) -> Result<()>;

    /// Whether the last write succeeded. After a failure, recovery is noticed within about a second.
    fn health(&self) -> Health;

    /// What the writer has done so far.
    fn figures(&self) -> Figures;

    /// Writes what is queued, then stops and releases the folder. From then on other handles get [`StoreError::Closed`]
    /// when they write.
    fn close(&self);

    /// The codes that invite to tables at which something was said, and nothing since a date; see [`Store::talkative`].
    ///
    /// # Errors
    /// When they cannot be read.
    fn talkative_before(&self, date: u64, most: u32) -> Result<Vec<String>>;

    /// The next tables after a number that nobody has touched since a date: their numbers and codes.
    ///
    /// # Errors
    /// When they cannot be read.
    fn old_tables(&self, before: u64, after: u64) -> Result<Vec<(u64, String)>>;

    /// Deletes tables with everything that belongs to them, unless they were touched since a date. Returns how many.
    ///
    /// # Errors
    /// When it cannot be written.
    fn delete_tables(&self, tables: Vec<u64>, before: u64) -> Result<u64>;

    /// Deletes some of the records stored before a date. Returns how many; 0 once there are none left.
    ///
    /// # Errors
    /// When it cannot be written.
    fn delete_records(&self, before: u64) -> Result<u64>;

    /// Deletes some of the guests not seen since a date who are at no table. Returns how many.
    ///
    /// # Errors
    /// When it cannot be written.
    fn delete_guests(&self, before: u64) -> Result<u64>;

    /// Takes part in a cluster under an address by which other nodes reach this one, and renews the leases of all its
    /// tables from now on. A journal on SQLite is alone: it always has all of its tables.
    ///
    /// # Errors
    /// When it cannot be written.
    fn join(&self, _address: &str, _terms: Terms) -> Result<()> {
        Ok(())
    }

    /// Takes part again under the same number, after this node was declared dead and has put its tables away.
    ///
    /// # Errors
    /// When it cannot be written.
    fn rejoin(&self, _address: &str, _terms: Terms) -> Result<()> {
        Ok(())
    }

    /// How many databases there are.
    fn shards(&self) -> usize {
        1
    }

    /// The id of a new table, made from one that nobody has: it says in which of the databases the table will be.
    fn placed(&self, id: String) -> String {
        id
    }

    /// Which of the databases a table is in.
    fn shard_of(&self, _table: &str) -> usize {
        0
    }

    /// Whether the leases of this node's tables in one of the databases last: not before it has joined, and not after it
    /// could not renew them for most of a term or was declared dead. Then its tables are about to be run elsewhere.
    fn may_serve(&self, _shard: usize) -> bool {
        true
    }

    /// Whether this node was declared dead in one of the databases.
    fn is_given_up(&self, _shard: usize) -> bool {
        false
    }

    /// The number of this node; 0 where there are no nodes.
    fn node(&self) -> u64 {
        0
    }

    /// The epoch of a table that this node opens.
    fn first_epoch(&self) -> u64 {
        0
    }

    /// Takes a table for this node, unless another node that is alive has it.
    ///
    /// # Errors
    /// When it cannot be written.
    fn take(&self, _table: &str) -> Result<Owner> {
        Ok(Owner::Here { epoch: 0 })
    }

    /// Gives tables of this node to another, or to the first that takes them. Nothing of this node is written to them from
    /// then on. Says for each whether it was this node's in that epoch.
    ///
    /// # Errors
    /// When it cannot be written.
    fn hand_over(&self, leases: &[Lease], _to: Option<u64>) -> Result<Vec<bool>> {
        Ok(vec![false; leases.len()])
    }

    /// Tells the others that this node is about to stop.
    ///
    /// # Errors
    /// When it cannot be written.
    fn drain(&self) -> Result<()> {
        Ok(())
    }

    /// The public tables that are run by a node, newest first, up to a limit.
    ///
    /// # Errors
    /// When they cannot be read.
    fn running(&self, most: u32) -> Result<Vec<TableRow>> {
        self.listed_tables(most)
    }

    /// How many tables that a guest has opened are run by a node.
    ///
    /// # Errors
    /// When they cannot be read.
    fn running_of(&self, _owner: u64) -> Result<u64> {
        Ok(0)
    }

    /// How many tables a guest has opened at any node since that date.
    ///
    /// # Errors
    /// When they cannot be read.
    fn opened_by(&self, _owner: u64, _since: u64) -> Result<u64> {
        Ok(0)
    }

    /// Gives all tables of this node back at once, for others to take.
    ///
    /// # Errors
    /// When it cannot be written.
    fn leave(&self) -> Result<()> {
        Ok(())
    }

    /// The nodes of the cluster, with those that are gone as long as they are remembered; none if there is no cluster.
    ///
    /// # Errors
    /// When they cannot be read.
    fn roster(&self) -> Result<Vec<NodeRow>> {
        Ok(Vec::new())
    }

    /// The nodes that take part in the cluster.
    ///
    /// # Errors
    /// When they cannot be read.
    fn nodes(&self) -> Result<Vec<NodeRow>> {
        Ok(self.roster()?.into_iter().filter(|node| node.state != NodeState::Gone).collect())
    }

    /// Declares nodes dead whose leases have run out. Only for somebody who has seen that they stay silent, and is no node.
    ///
    /// # Errors
    /// When it cannot be written.
    fn bury_silent(&self) -> Result<()> {
        Ok(())
    }

    /// The next rows of a table of the database after a key, for [`copy`](crate::copy::copy).
    #[doc(hidden)]
    fn export_rows(&self, section: &'static Section, after: Vec<Cell>) -> Result<Vec<Vec<Cell>>>;

    /// Adds rows to a table of the database.
    #[doc(hidden)]
    fn import_rows(&self, section: &'static Section, rows: Vec<Vec<Cell>>) -> Result<()>;

    /// Adds the whole journal of a table that has none.
    #[doc(hidden)]
    fn import_journal(&self, table: i64, entries: Vec<(u64, Vec<u8>)>) -> Result<()>;

    /// Deletes tables and records by their numbers, with everything that belongs to them, whole or not.
    #[doc(hidden)]
    fn discard(&self, tables: Vec<i64>, records: Vec<i64>) -> Result<()>;

    /// Sees to it that numbers that were imported are not given again.
    #[doc(hidden)]
    fn finish_import(&self) -> Result<()> {
        Ok(())
    }

    /// What only SQLite has, for its own tests.
    #[cfg(test)]
    #[doc(hidden)]
    #[allow(private_interfaces)]
    fn sqlite(&self) -> &Sqlite {
        panic!("this test is about SQLite")
    }
}

/// A store. Clones are handles to the same one, for use in any thread; when the last is dropped it is closed.
#[derive(Clone)]
pub struct Store {
    pub(crate) journal: Arc<dyn Journal>,
    pub(crate) context: Arc<Context>,
}

impl Deref for Store {
    type Target = dyn Journal;

    fn deref(&self) -> &Self::Target {
        &*self.journal
    }
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Store").field("health", &self.health()).finish_non_exhaustive()
    }
}

impl Store {
    /// Opens the store in a folder, which is made if there is none: takes the folder's lock, looks whether the database
    /// is whole, brings it up to date and starts the writer.
    ///
    /// # Errors
    /// When another server uses the folder, when it cannot be written, when the database is damaged or newer.
    pub fn open(folder: &Path) -> Result<Store> {
        Store::open_with(folder, Options::default())
    }

    /// The same with limits.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub fn open_with(folder: &Path, options: Options) -> Result<Store> {
        Sqlite::open(folder, options).map(Store::of_sqlite)
    }

    /// Connects to a PostgreSQL database, brings its tables up to date and starts the writer.
    ///
    /// # Errors
    /// When the database cannot be reached or written, or is newer.
    pub fn connect(address: &DatabaseAddress, options: Options) -> Result<Store> {
        let (postgres, context) = Postgres::connect(address, options)?;
        Ok(Store { journal: Arc::new(postgres), context })
    }

    /// Connects to several PostgreSQL databases that share the tables. With a single one, it is as if there could never be
    /// others, but they can be added later.
    ///
    /// # Errors
    /// When none of them can be reached, or one cannot be written, is newer, or is named in another place than before.
    pub fn connect_all(addresses: &[DatabaseAddress], options: Options) -> Result<Store> {
        if addresses.is_empty() || addresses.len() > sharded::MOST {
            return Err(StoreError::Rejected(format!("there are 1 to {} databases", sharded::MOST)));
        }
        let (mut options, mut found, mut failure) = (options, Vec::new(), StoreError::Closed);
        for (at, address) in addresses.iter().enumerate() {
            options.membership.shard = Some(at);
            match Store::connect(address, options.clone()) {
                Ok(store) => {
                    options.membership.node = Some(store.node());
                    options.membership.cluster = store.context.options.membership.cluster;
                    found.push(Some(store));
                }
                // Its tables are missing until it is back.
                Err(error @ StoreError::Away(_)) => {
                    failure = error;
                    found.push(None);
                }
                Err(error) => return Err(error),
            }
        }
        let Some(first) = found.iter().flatten().next() else { return Err(failure) };
        if found.len() == 1 {
            return Ok(first.clone());
        }
        let context = Arc::clone(&first.context);
        let shard = |(at, (store, address)): (usize, (Option<Store>, &DatabaseAddress))| {
            let mut options = options.clone();
            options.membership.shard = Some(at);
            sharded::Shard::new(store, address.clone(), options)
        };
        let shards = found.into_iter().zip(addresses).enumerate().map(shard).collect();
        Ok(Store { journal: Arc::new(Sharded::new(shards)), context })
    }

    /// Connects to each of several databases that share the tables, all of which have to be reachable.
    pub(crate) fn connect_each(addresses: &[DatabaseAddress], options: &Options) -> Result<Vec<Store>> {
        let mut options = options.clone();
        let mut found = Vec::new();
        for (at, address) in addresses.iter().enumerate() {
            options.membership.shard = Some(at);
            let store = Store::connect(address, options.clone())?;
            options.membership.node = Some(store.node());
            options.membership.cluster = store.context.options.membership.cluster;
            found.push(store);
        }
        Ok(found)
    }

    /// A store in memory, lost when it is closed.
    ///
    /// # Errors
    /// When there is no memory or no thread for it.
    pub fn in_memory() -> Result<Store> {
        Store::in_memory_with(Options::default())
    }

    /// The same with limits.
    ///
    /// # Errors
    /// As [`Store::in_memory`].
    pub fn in_memory_with(options: Options) -> Result<Store> {
        Sqlite::in_memory(options).map(Store::of_sqlite)
    }

    pub(crate) fn of_sqlite(sqlite: Sqlite) -> Store {
        Store { context: Arc::clone(&sqlite.context), journal: Arc::new(sqlite) }
    }

    /// Adds to a table's journal. Returns at once: the writer's thread calls `done` when the whole batch is on disk, or
    /// with the reason why none of it was written. It should be quick, because everybody waits for it.
    ///
    /// When the queue is full, `done` is called right here with [`StoreError::Busy`]: a slow disk does not make memory
    /// grow without bound.
    ///
    /// Batches are written in the order of the calls. Batches of one table need not wait for each other's `done`: if
    /// the first fails, so do the others, because they do not fit.
    pub fn append(&self, batch: Batch, done: impl FnOnce(Result<()>) + Send + 'static) {
        self.journal.submit(batch, Box::new(|result| done(result.map(drop))));
    }

    /// The last snapshot of a table and all entries after it; `None` if there is no such table. For large ones see
    /// [`Journal::visit`].
    ///
    /// # Errors
    /// When it cannot be read, or when entries are missing.
    pub fn load(&self, table: &str) -> Result<Option<StoredTable>> {
        collected(|show| self.visit(table, show))
    }

    /// Tables at which something was said that has to be forgotten, since nobody said anything there for that time,
    /// though people may have played; up to a limit. None while the clock cannot be trusted.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn talkative(&self, age: Duration, most: u32) -> Result<Vec<String>> {
        if self.context.doubt().is_some() {
            return Ok(Vec::new());
        }
        self.talkative_before(before(self.context.now(), age), most)
    }

    /// Deletes expired data, tables with everything that belongs to them, and says how much. Tables named by `in_use`
    /// are skipped. It takes many small transactions, so others can write meanwhile. Nothing is deleted while the clock
    /// cannot be trusted: [`Forgotten::doubt`] says why.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn forget(&self, retention: Retention, in_use: impl Fn(&str) -> bool) -> Result<Forgotten> {
        let context = &self.context;
        let mut forgotten = Forgotten { doubt: context.doubt(), ..Forgotten::default() };
        if forgotten.doubt.is_some() {
            return Ok(forgotten);
        }
        let before = |age: Duration| before(context.now(), age);
        if let Some(age) = retention.tables {
            forgotten.tables = self.forget_tables(before(age), in_use)?;
        }
        if let Some(before) = retention.records.map(before) {
            forgotten.records = in_slices(|| self.delete_records(before))?;
        }
        if let Some(before) = retention.guests.map(before) {
            forgotten.guests = in_slices(|| self.delete_guests(before))?;
        }
        Ok(forgotten)
    }

    fn forget_tables(&self, before: u64, in_use: impl Fn(&str) -> bool) -> Result<u64> {
        let (mut after, mut deleted) = (0, 0);
        loop {
            let old = self.old_tables(before, after)?;
            let Some((last, _)) = old.last() else { return Ok(deleted) };
            after = *last;
            let unused: Vec<u64> = old.iter().filter(|(_, code)| !in_use(code)).map(|(table, _)| *table).collect();
            deleted += self.delete_tables(unused, before)?;
        }
    }

    /// Writes what waits, then stops and gives the journal back. Other handles get [`StoreError::Closed`] when they
    /// write from now on.
    pub fn close(self) {
        self.journal.close();
    }
}

/// Repeats a small deletion until nothing is left.
pub(crate) fn in_slices(mut delete: impl FnMut() -> Result<u64>) -> Result<u64> {
    let mut deleted = 0;
    loop {
        match delete()? {
            0 => return Ok(deleted),
            some => deleted += some,
        }
    }
}

/// The date before which things are that old.
fn before(now: u64, age: Duration) -> u64 {
    now.saturating_sub(u64::try_from(age.as_millis()).unwrap_or(u64::MAX))
}
