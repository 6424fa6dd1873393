//! The journal on PostgreSQL, for many machines: one writer with group commit, a pool for everything else.
//!
//! All of it runs on one thread of its own, which drives the connections; callers wait for its answer as with
//! SQLite. Every connection attempt and every statement has a time limit, and a connection that exceeds it is dropped.

mod address;
mod copy;
mod glance;
mod group;
mod lease;
mod link;
mod moderation;
mod pool;
mod reviews;
mod schema;
mod sql;
mod tls;
mod writer;

use std::path::PathBuf;
use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::JoinHandle;
use std::time::Instant;

use tokio::runtime::{Builder, Runtime};
use tokio::sync::{Semaphore, mpsc as channel};
use tokio::task::LocalSet;

pub use address::DatabaseAddress;
pub(crate) use glance::Glance;
use lease::{Tenancy, Tenure};
use link::{Connector, Fault, Link};
use pool::Pool;
use writer::{Desk, IN_FLIGHT, Job, Writer};

use crate::context::Context;
use crate::copy::{Cell, Section};
use crate::journal::{Figures, Health, Journal};
use crate::lease::{Lease, Membership, NodeRow, Owner, Terms};
use crate::queue::Done;
use crate::{
    ActRow, Batch, BlockRow, Change, GuestRow, NewGuest, Options, Piece, RecordFacts, RecordHead, RecordRow, ReportRow,
    ReviewRow, SanctionRow, SeasonRow, StoreError, TableRow, Unrecorded,
};

type Result<T> = std::result::Result<T, StoreError>;
/// A job for the thread of the connections.
type Ask = Box<dyn FnOnce(&Rc<Pool>) + Send>;

/// Entries read at a time.
const PAGE: u32 = 64;

/// A journal on PostgreSQL.
pub(crate) struct Postgres {
    context: Arc<Context>,
    desk: Arc<Desk>,
    jobs: Mutex<Option<channel::UnboundedSender<Job>>>,
    asks: channel::UnboundedSender<Ask>,
    /// The number of this node.
    node: i64,
    tenure: Tenure,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Postgres {
    /// Connects, brings the tables up to date and starts the writer.
    pub(crate) fn connect(address: &DatabaseAddress, mut options: Options) -> Result<(Postgres, Arc<Context>)> {
        let connector = Connector::new(address)?;
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| StoreError::Io(error.to_string()))?;
        let node = match options.membership.node {
            Some(node) => group::signed(node),
            None => random_number()?,
        };
        let latest = runtime.block_on(prepare(&connector, node, &mut options.membership))?;
        let context = Arc::new(Context::new(options, latest));
        let desk = Arc::new(Desk::default());
        desk.most.store(context.options.most_bytes.unwrap_or(0), Ordering::Relaxed);
        let (jobs, waiting) = channel::unbounded_channel();
        let (asks, asked) = channel::unbounded_channel();
        let (desk_of_writer, context_of_writer) = (Arc::clone(&desk), Arc::clone(&context));
        let work = move || {
            let connector = Rc::new(connector);
            let pool = Rc::new(Pool::new(Rc::clone(&connector)));
            let writing = Writer::new(connector, context_of_writer, desk_of_writer, waiting, node);
            drive(&runtime, &pool, writing, asked);
        };
        let thread = std::thread::Builder::new().name("unum-store".to_owned()).spawn(work);
        let thread = Mutex::new(Some(thread.map_err(|error| StoreError::Io(error.to_string()))?));
        let (jobs, tenure) = (Mutex::new(Some(jobs)), Tenure::default());
        let postgres = Postgres { context: Arc::clone(&context), desk, jobs, asks, node, tenure, thread };
        Ok((postgres, context))
    }

    /// Runs something with a connection, and waits for it. Also returns whether an answer was lost meanwhile.
    fn ask<T: Send + 'static>(
        &self,
        work: impl AsyncFn(&Link) -> std::result::Result<T, Fault> + Send + 'static,
    ) -> Result<(T, bool)> {
        let (tell, told) = mpsc::channel();
        self.send(move |pool| {
            let pool = Rc::clone(pool);
            tokio::task::spawn_local(async move {
                // The caller is waiting, so it cannot be gone.
                let _ = tell.send(pool.with(work).await);
            });
        })?;
        Ok(told.recv().map_err(|_| StoreError::Closed)??)
    }

    fn send(&self, ask: impl FnOnce(&Rc<Pool>) + Send + 'static) -> Result<()> {
        self.asks.send(Box::new(ask)).map_err(|_| StoreError::Closed)
    }

    fn read<T: Send + 'static>(
        &self,
        work: impl AsyncFn(&Link) -> std::result::Result<T, Fault> + Send + 'static,
    ) -> Result<T> {
        self.ask(work).map(|(value, _)| value)
    }

    /// Makes a change in a transaction, and returns how many rows it affected. If the answer is lost, it is repeated;
    /// if nothing is left to change then, the first attempt took effect.
    fn change(&self, work: impl AsyncFn(&Link) -> std::result::Result<u64, Fault> + Send + 'static) -> Result<u64> {
        if self.desk.closed.load(Ordering::SeqCst) {
            return Err(StoreError::Closed);
        }
        let begun = Instant::now();
        let result = self.ask(async move |link: &Link| link.transact(async |link| work(link).await).await);
        let report = &self.desk.report;
        report.jobs.fetch_add(1, Ordering::Relaxed);
        report.micros.fetch_add(u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX), Ordering::Relaxed);
        match result {
            Ok((count, lost)) => {
                report.commits.fetch_add(u64::from(count > 0), Ordering::Relaxed);
                Ok(count.max(u64::from(lost)))
            }
            Err(error) => {
                report.failures.fetch_add(u64::from(!error.is_own_fault()), Ordering::Relaxed);
                Err(error)
            }
        }
    }

    fn tenancy(&self) -> Tenancy {
        *self.tenure.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts to renew the leases. `asked`: when they were requested.
    fn keep(&self, asked: Instant, terms: Terms) -> Result<()> {
        let (node, tenure) = (self.node, Arc::clone(&self.tenure));
        let tenancy = Tenancy { until: Some(asked + terms.served_for()), is_over: false };
        *self.tenure.lock().unwrap_or_else(PoisonError::into_inner) = tenancy;
        self.send(move |pool| {
            tokio::task::spawn_local(lease::keep(pool.connector(), node, terms, tenure));
        })
    }

    fn stop(&self) {
        self.desk.closed.store(true, Ordering::SeqCst);
        drop(self.jobs.lock().unwrap_or_else(PoisonError::into_inner).take());
        crate::writer::join(&self.thread);
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A unique number for this node.
fn random_number() -> Result<i64> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(|error| StoreError::Io(error.to_string()))?;
    Ok(i64::from_le_bytes(bytes) & i64::MAX)
}

/// Migrates the tables and registers the node. Returns the latest date stored.
async fn prepare(connector: &Connector, node: i64, membership: &mut Membership) -> Result<Option<u64>> {
    let link = connector.connect().await?;
    schema::migrate(&link, schema::STEPS).await?;
    if let Some(shard) = membership.shard {
        let (given, new) = (membership.cluster.map(group::signed), random_number()?);
        let cluster = link.transact(async |link| schema::place(link, shard, given, new).await).await?;
        membership.cluster = Some(cluster.unsigned_abs());
    }
    link.transact(async |link| lease::register(link, node, IN_FLIGHT).await).await?;
    Ok(sql::latest(&link).await?)
}

/// Drives the connections until the writer ends.
fn drive(runtime: &Runtime, pool: &Rc<Pool>, writer: Writer, mut asked: channel::UnboundedReceiver<Ask>) {
    let local = LocalSet::new();
    let pool = Rc::clone(pool);
    local.spawn_local(async move {
        while let Some(ask) = asked.recv().await {
            ask(&pool);
        }
    });
    let desk = Arc::clone(&writer.desk);
    let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        local.block_on(runtime, writer.run());
    }));
    if ended.is_err() {
        desk.closed.store(true, Ordering::SeqCst);
        desk.report.set(Health::Failing("the writer has failed: restart the server".to_owned()));
    }
}

/// The size of the database in bytes.
async fn size(link: &Link) -> std::result::Result<u64, Fault> {
    let row = link.row("SELECT pg_database_size(current_database())", &[]).await?;
    Ok(row.map_or(0, |row| row.get::<_, i64>(0).unsigned_abs()))
}

/// What is sent to the visitor of a table.
enum Shown {
    Head(TableRow, Option<(u64, Vec<u8>)>),
    Page(Vec<(u64, Vec<u8>)>),
}

/// Limits how far ahead a table is read. The reader notices when nobody takes it any more, even after a panic.
struct Credit(Arc<Semaphore>);

impl Drop for Credit {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Reads a table in one transaction and sends it piece by piece, as fast as it is taken.
async fn show_table(
    link: &Link,
    code: &str,
    send: &mpsc::Sender<Result<Shown>>,
    credit: &Semaphore,
) -> std::result::Result<bool, Fault> {
    link.batch("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
    let result = show_pages(link, code, send, credit).await;
    link.batch("COMMIT").await?;
    result
}

async fn show_pages(
    link: &Link,
    code: &str,
    send: &mpsc::Sender<Result<Shown>>,
    credit: &Semaphore,
) -> std::result::Result<bool, Fault> {
    let Some((row, snapshot, count)) = sql::head(link, code).await? else { return Ok(false) };
    let mut after = snapshot.as_ref().map_or(0, |(seq, _)| *seq);
    let (id, last) = (row.id, row.last);
    if count != last.saturating_sub(after) {
        return Err(Fault::Own(StoreError::Gap { table: id }));
    }
    let mut taken = send.send(Ok(Shown::Head(row, snapshot))).is_ok();
    while taken && after < last {
        let Ok(permit) = credit.acquire().await else { return Ok(true) };
        permit.forget();
        // From here on, it cannot be restarted.
        let begun = |fault: Fault| Fault::Own(fault.into());
        let page = sql::entries(link, id, after, PAGE).await.map_err(begun)?;
        let Some((seq, _)) = page.last() else { return Err(Fault::Own(StoreError::Gap { table: id })) };
        after = *seq;
        taken = send.send(Ok(Shown::Page(page))).is_ok();
    }
    Ok(true)
}

impl Journal for Postgres {
    fn submit(&self, batch: Batch, done: Done) {
        let job = match self.desk.admit(batch, done) {
            Ok(job) => job,
            Err((done, error)) => return done(Err(error)),
        };
        let sent = match &*self.jobs.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(jobs) => jobs.send(job).map_err(|unsent| unsent.0),
            None => Err(job),
        };
        if let Err(job) = sent {
            (job.done)(Err(StoreError::Closed));
        }
    }

    fn visit(&self, table: &str, show: &mut dyn FnMut(Piece<'_>) -> bool) -> Result<bool> {
        let (send, receive) = mpsc::channel();
        let credit = Credit(Arc::new(Semaphore::new(1)));
        let (code, granted) = (table.to_owned(), Arc::clone(&credit.0));
        let end = send.clone();
        let (tell, told) = mpsc::channel();
        self.send(move |pool| {
            let pool = Rc::clone(pool);
            tokio::task::spawn_local(async move {
                let result = pool.with(async |link: &Link| show_table(link, &code, &send, &granted).await).await;
                let _ = tell.send(result);
                drop(end);
            });
        })?;
        let mut go_on = true;
        for shown in &receive {
            match shown? {
                Shown::Head(row, snapshot) => {
                    go_on = show(Piece::Table(&row));
                    go_on = go_on && snapshot.is_none_or(|(seq, body)| show(Piece::Snapshot(seq, &body)));
                }
                Shown::Page(entries) => {
                    go_on = entries.iter().all(|(seq, body)| show(Piece::Entry(*seq, body)));
                }
            }
            if !go_on {
                break;
            }
            credit.0.add_permits(1);
        }
        drop((receive, credit));
        let ended = told.recv().map_err(|_| StoreError::Closed)?;
        if go_on { Ok(ended?.0) } else { Ok(true) }
    }

    fn exposed(&self) -> &[PathBuf] {
        &[]
    }

    fn free_space(&self) -> Option<u64> {
        None
    }

    fn room_left(&self) -> Result<Option<u64>> {
        let most = self.desk.most.load(Ordering::Relaxed);
        if most == 0 {
            return Ok(None);
        }
        Ok(Some(most.saturating_sub(self.read(async |link: &Link| size(link).await)?)))
    }

    fn limit_size(&self, bytes: u64) -> Result<()> {
        self.desk.most.store(bytes.max(1), Ordering::Relaxed);
        Ok(())
    }

    fn shrink(&self) -> Result<u64> {
        Ok(0)
    }

    fn invited(&self, code: &str) -> Result<Option<String>> {
        let code = code.to_owned();
        self.read(async move |link: &Link| sql::invited(link, &code).await)
    }

    fn journal(&self, table: &str) -> Result<Vec<(u64, Vec<u8>)>> {
        let table = table.to_owned();
        self.read(async move |link: &Link| sql::journal(link, &table).await)
    }

    fn open_tables(&self) -> Result<Vec<TableRow>> {
        self.read(async |link: &Link| sql::open_tables(link).await)
    }

    fn listed_tables(&self, most: u32) -> Result<Vec<TableRow>> {
        self.read(async move |link: &Link| sql::listed_tables(link, most).await)
    }

    fn tables_of(&self, guest: u64) -> Result<Vec<TableRow>> {
        self.read(async move |link: &Link| sql::tables_of(link, guest).await)
    }

    fn table_bytes(&self, owner: u64) -> Result<u64> {
        self.read(async move |link: &Link| sql::table_bytes(link, owner).await)
    }

    fn talkative_before(&self, date: u64, most: u32) -> Result<Vec<String>> {
        self.read(async move |link: &Link| sql::talkative(link, date, most).await)
    }

    fn add_guest(&self, guest: NewGuest) -> Result<u64> {
        let now = self.context.now();
        // The random bytes are unique: if they are there after a lost answer, they are this guest's.
        let token = guest.token;
        let added = self.ask(async move |link: &Link| match sql::add_guest(link, &guest, now).await {
            Err(Fault::Own(error)) => match sql::guest_by_token(link, &token).await? {
                Some(row) => Ok(Err((error, row.id))),
                None => Err(Fault::Own(error)),
            },
            added => added.map(Ok),
        });
        let report = &self.desk.report;
        report.jobs.fetch_add(1, Ordering::Relaxed);
        match added? {
            (Ok(id), _) | (Err((_, id)), true) => {
                report.commits.fetch_add(1, Ordering::Relaxed);
                Ok(id)
            }
            (Err((error, _)), false) => Err(error),
        }
    }

    fn guest_by_token(&self, hash: &[u8; 32]) -> Result<Option<GuestRow>> {
        let hash = *hash;
        self.read(async move |link: &Link| sql::guest_by_token(link, &hash).await)
    }

    fn guest(&self, id: u64) -> Result<Option<GuestRow>> {
        self.read(async move |link: &Link| sql::guest(link, id).await)
    }

    fn change_guest(&self, id: u64, name: Option<String>, look: Option<String>) -> Result<bool> {
        let change = async move |link: &Link| sql::change_guest(link, id, name.as_deref(), look.as_deref()).await;
        self.change(change).map(|count| count == 1)
    }

    fn change_token(&self, id: u64, hash: [u8; 32]) -> Result<bool> {
        self.change(async move |link: &Link| sql::change_token(link, id, &hash).await).map(|count| count == 1)
    }

    fn see_guest(&self, id: u64) -> Result<bool> {
        let now = self.context.now();
        self.change(async move |link: &Link| sql::see_guest(link, id, now).await).map(|count| count == 1)
    }

    fn remove_guest(&self, id: u64) -> Result<bool> {
        self.change(async move |link: &Link| sql::remove_guest(link, id).await).map(|count| count == 1)
    }

    fn unrecorded(&self, most: u32) -> Result<Vec<Unrecorded>> {
        let node = self.node;
        self.read(async move |link: &Link| sql::unrecorded(link, node, most).await)
    }

    fn parts(&self, table: &str, number: u32) -> Result<Vec<Vec<u8>>> {
        let table = table.to_owned();
        self.read(async move |link: &Link| sql::parts(link, &table, number).await)
    }

    fn give_up_record(&self, table: &str, number: u32) -> Result<()> {
        let table = table.to_owned();
        self.change(async move |link: &Link| sql::give_up(link, &table, number).await).map(drop)
    }

    fn put_record(&self, record: RecordRow) -> Result<bool> {
        let (now, most) = (self.context.now(), self.context.options.guest_bytes);
        self.change(async move |link: &Link| sql::put_record(link, &record, now, most).await).map(|count| count == 1)
    }

    fn record(&self, id: &str) -> Result<Option<RecordRow>> {
        let id = id.to_owned();
        self.read(async move |link: &Link| sql::record(link, &id).await)
    }

    fn record_facts(&self, id: &str) -> Result<Option<RecordFacts>> {
        let id = id.to_owned();
        self.read(async move |link: &Link| sql::record_facts(link, &id).await)
    }

    fn record_part(&self, id: &str, from: u64, most: u64) -> Result<Option<(u64, Vec<u8>)>> {
        let id = id.to_owned();
        self.read(async move |link: &Link| sql::record_part(link, &id, from, most).await)
    }

    fn seats_of(&self, guest: u64, most: u32) -> Result<Vec<(String, Option<u8>)>> {
        self.read(async move |link: &Link| sql::seats_of(link, guest, most).await)
    }

    fn rewrite_record(&self, id: &str, guest: u64, new: Option<(String, Vec<u8>)>) -> Result<bool> {
        let id = id.to_owned();
        let change = async move |link: &Link| sql::rewrite_record(link, &id, guest, new.as_ref()).await;
        self.change(change).map(|count| count == 1)
    }

    fn records_of(&self, guest: u64, most: u32) -> Result<Vec<RecordHead>> {
        self.read(async move |link: &Link| sql::records_of(link, guest, most).await)
    }

    fn review(&self, id: &str) -> Result<Option<Vec<u8>>> {
        let id = id.to_owned();
        self.read(async move |link: &Link| reviews::review(link, &id).await)
    }

    fn put_review(&self, id: &str, review: ReviewRow) -> Result<bool> {
        let id = id.to_owned();
        self.change(async move |link: &Link| reviews::put_review(link, &id, &review).await).map(|count| count == 1)
    }

    fn seat_in(&self, id: &str, guest: u64) -> Result<Option<u8>> {
        let id = id.to_owned();
        self.read(async move |link: &Link| reviews::seat_in(link, &id, guest).await)
    }

    fn season(&self, guest: u64, most: u32) -> Result<Vec<SeasonRow>> {
        self.read(async move |link: &Link| reviews::season(link, guest, most).await)
    }

    fn set_season(&self, guest: u64, on: bool) -> Result<bool> {
        self.change(async move |link: &Link| reviews::set_season(link, guest, on).await).map(|count| count == 1)
    }

    fn forget_season(&self, guest: u64) -> Result<u64> {
        self.change(async move |link: &Link| reviews::forget_season(link, guest).await)
    }

    fn moderate(&self, change: Change) -> Result<u64> {
        let now = self.context.now();
        self.change(async move |link: &Link| moderation::change(link, &change, now).await)
    }

    fn sanctions(&self) -> Result<Vec<SanctionRow>> {
        let now = self.context.now();
        self.read(async move |link: &Link| moderation::sanctions(link, now).await)
    }

    fn reports(&self, most: u32) -> Result<Vec<ReportRow>> {
        self.read(async move |link: &Link| moderation::reports(link, most).await)
    }

    fn report(&self, id: u64) -> Result<Option<ReportRow>> {
        self.read(async move |link: &Link| moderation::report(link, id).await)
    }

    fn acts(&self, most: u32) -> Result<Vec<ActRow>> {
        self.read(async move |link: &Link| moderation::acts(link, most).await)
    }

    fn blocks_of(&self, guest: u64) -> Result<Vec<BlockRow>> {
        self.read(async move |link: &Link| moderation::blocks_of(link, guest).await)
    }

    fn old_tables(&self, before: u64, after: u64) -> Result<Vec<(u64, String)>> {
        self.read(async move |link: &Link| sql::old_tables(link, before, after).await)
    }

    fn delete_tables(&self, tables: Vec<u64>, before: u64) -> Result<u64> {
        self.change(async move |link: &Link| sql::delete_tables(link, &tables, before).await)
    }

    fn delete_records(&self, before: u64) -> Result<u64> {
        self.change(async move |link: &Link| sql::delete_records(link, before).await)
    }

    fn delete_guests(&self, before: u64) -> Result<u64> {
        self.change(async move |link: &Link| sql::delete_guests(link, before).await)
    }

    fn join(&self, address: &str, terms: Terms) -> Result<()> {
        let (node, address, asked) = (self.node, address.to_owned(), Instant::now());
        let membership = self.context.options.membership.clone();
        self.change(async move |link: &Link| lease::join(link, node, &address, terms, &membership).await)?;
        self.keep(asked, terms)
    }

    fn rejoin(&self, address: &str, terms: Terms) -> Result<()> {
        let (node, address, asked) = (self.node, address.to_owned(), Instant::now());
        let membership = self.context.options.membership.clone();
        let rejoin = async move |link: &Link| lease::rejoin(link, node, &address, terms, IN_FLIGHT, &membership).await;
        self.change(rejoin)?;
        self.keep(asked, terms)
    }

    fn may_serve(&self, _shard: usize) -> bool {
        self.tenancy().until.is_some_and(|until| Instant::now() < until)
    }

    fn is_given_up(&self, _shard: usize) -> bool {
        self.tenancy().is_over
    }

    fn node(&self) -> u64 {
        self.node.unsigned_abs()
    }

    fn first_epoch(&self) -> u64 {
        1
    }

    fn take(&self, table: &str) -> Result<Owner> {
        let (node, table) = (self.node, table.to_owned());
        let format = self.context.options.membership.format;
        self.read(async move |link: &Link| lease::take(link, node, &table, format).await)
    }

    fn hand_over(&self, leases: &[Lease], to: Option<u64>) -> Result<Vec<bool>> {
        let (node, leases, count) = (self.node, leases.to_vec(), leases.len());
        // One statement is a transaction by itself.
        let (passed, lost) = self.ask(async move |link: &Link| lease::pass(link, node, &leases, to).await)?;
        // After a lost answer, tables that are no longer this node's were handed over by it.
        Ok(if lost { vec![true; count] } else { passed })
    }

    fn drain(&self) -> Result<()> {
        let node = self.node;
        self.change(async move |link: &Link| lease::drain(link, node).await).map(drop)
    }

    fn leave(&self) -> Result<()> {
        *self.tenure.lock().unwrap_or_else(PoisonError::into_inner) = Tenancy::default();
        let node = self.node;
        self.change(async move |link: &Link| lease::leave(link, node).await).map(drop)
    }

    fn running(&self, most: u32) -> Result<Vec<TableRow>> {
        self.read(async move |link: &Link| sql::running(link, most).await)
    }

    fn running_of(&self, owner: u64) -> Result<u64> {
        self.read(async move |link: &Link| sql::running_of(link, owner).await)
    }

    fn opened_by(&self, owner: u64, since: u64) -> Result<u64> {
        self.read(async move |link: &Link| sql::opened_by(link, owner, since).await)
    }

    fn roster(&self) -> Result<Vec<NodeRow>> {
        let node = self.node;
        self.read(async move |link: &Link| lease::nodes(link, node).await)
    }

    fn bury_silent(&self) -> Result<()> {
        self.change(async |link: &Link| lease::bury_silent(link).await).map(drop)
    }

    fn export_rows(&self, section: &'static Section, after: Vec<Cell>) -> Result<Vec<Vec<Cell>>> {
        self.read(async move |link: &Link| copy::export(link, section, &after).await)
    }

    fn import_rows(&self, section: &'static Section, rows: Vec<Vec<Cell>>) -> Result<()> {
        self.change(async move |link: &Link| copy::import(link, section, &rows).await).map(drop)
    }

    fn import_journal(&self, table: i64, entries: Vec<(u64, Vec<u8>)>) -> Result<()> {
        self.change(async move |link: &Link| copy::import_journal(link, table, &entries).await).map(drop)
    }

    fn discard(&self, tables: Vec<i64>, records: Vec<i64>) -> Result<()> {
        self.change(async move |link: &Link| sql::discard(link, &tables, &records).await).map(drop)
    }

    fn finish_import(&self) -> Result<()> {
        self.change(async |link: &Link| copy::finish(link).await).map(drop)
    }

    fn health(&self) -> Health {
        self.desk.report.health()
    }

    fn figures(&self) -> Figures {
        self.desk.report.figures(self.desk.waiting())
    }

    fn close(&self) {
        self.stop();
    }
}
