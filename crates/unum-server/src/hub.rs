//! The registry of tables in memory: finds them, loads them, opens new ones.

use std::collections::{HashMap, VecDeque};
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{Notify, Semaphore, mpsc, oneshot};
use unum_protocol::rest::Listing;
use unum_protocol::{Refusal, Settings, is_table_code};
use unum_store::{Piece, Store};
use unum_table::os::Clock;
use unum_table::{Batch, Continued, GuestId, Table};

use crate::address::AddressKey;
use crate::cluster::Cluster;
use crate::codes::Unavailable;
use crate::http::Packed;
use crate::journal::{rows, write};
use crate::limits::Ticket;
use crate::mail::Mail;
use crate::metrics::Metrics;
use crate::random::Randomness;
use crate::table_task::{Start, TableTask};
use crate::thinkers::Thinkers;
use crate::traces::Traces;

/// How many inputs may wait at one table; further senders wait.
const MAILBOX: usize = 64;
/// How many tables are brought back into memory at the same time.
const LOADS: usize = 4;
/// How many public tables a list has at most.
const LISTED: usize = 200;

/// How many tables that cannot be restored are remembered, and how many that have failed.
const KNOWN_DAMAGED: usize = 1024;
/// How often a table may fail, with less than [`CALM`] between, before it is not tried again.
const CRASHES: u32 = 5;
/// After how long without a failure the earlier ones are forgotten.
const CALM: Duration = Duration::from_secs(10 * 60);

/// Who looks for a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Somebody here: it may run at any node.
    Anywhere,
    /// A client of another node: it runs here or can be taken, but nobody is sent on to a third node.
    Here,
}

/// A way to a table.
pub(crate) type Mailbox = mpsc::Sender<Mail>;

/// All tables in memory.
#[derive(Debug)]
pub(crate) struct Hub {
    pub(crate) store: Store,
    /// The other nodes, if there can be any.
    pub(crate) cluster: Option<Arc<Cluster>>,
    pub(crate) metrics: Arc<Metrics>,
    /// What is told to a collector, if there is one.
    pub(crate) traces: Option<Arc<Traces>>,
    pub(crate) clock: Clock,
    /// Searching bots think when it is their turn.
    pub(crate) thinkers: Arc<Thinkers>,
    /// Tables are loaded with one of these.
    pub(crate) loaders: Arc<Semaphore>,
    /// When a table without people leaves memory.
    pub(crate) unload_after: Duration,
    pub(crate) random: Randomness,
    /// Told whenever a match is over.
    pub(crate) matches_over: Notify,
    /// Tables that cannot be restored, the oldest first: they are not tried again.
    damaged: Mutex<VecDeque<Arc<str>>>,
    /// Tables that have failed, how often, and when for the last time; the one that failed first is the first.
    crashed: Mutex<VecDeque<(Arc<str>, u32, Instant)>>,
    most: usize,
    tables: Mutex<Tables>,
}

#[derive(Debug, Default)]
struct Tables {
    open: HashMap<Arc<str>, Place>,
    /// How many are about to be opened.
    reserved: usize,
    /// The list of public tables; `None` if it has changed.
    list: Option<Packed>,
    stopping: bool,
}

#[derive(Debug)]
struct Place {
    mailbox: Mailbox,
    listing: Option<Listing>,
    /// Whether another node runs the table.
    is_relay: bool,
    /// In which database the table is, and what puts it away at once when its lease is lost.
    evict: Option<(usize, oneshot::Sender<()>)>,
}

/// Whose table it is, as long as it is in memory, because they opened it or brought it back: it counts for their limits.
#[derive(Debug)]
pub(crate) struct Opener {
    pub(crate) address: AddressKey,
    pub(crate) _address: Vec<Ticket<AddressKey>>,
    pub(crate) _guest: Option<Ticket<GuestId>>,
}

impl Opener {
    /// The server itself, which has no limits.
    pub(crate) fn house() -> Opener {
        Opener { address: AddressKey::of(Ipv4Addr::LOCALHOST.into()), _address: Vec::new(), _guest: None }
    }
}

/// A place for a table that is about to be opened.
struct Reservation<'a>(&'a Hub);

impl Drop for Reservation<'_> {
    fn drop(&mut self) {
        self.0.lock().reserved -= 1;
    }
}

impl Hub {
    pub(crate) fn new(
        store: Store,
        cluster: Option<Arc<Cluster>>,
        metrics: Arc<Metrics>,
        config: &crate::config::Config,
    ) -> Hub {
        let limits = &config.limits;
        Hub {
            store,
            cluster,
            traces: config
                .otlp
                .clone()
                .map(|collector| Traces::new(collector, limits.traces_per_second, Arc::clone(&metrics))),
            metrics,
            clock: Clock::start(),
            thinkers: Thinkers::new(limits.bot_threads),
            loaders: Arc::new(Semaphore::new(LOADS)),
            unload_after: limits.unload_after,
            random: Randomness::new(config.seed),
            matches_over: Notify::new(),
            damaged: Mutex::default(),
            crashed: Mutex::default(),
            most: limits.tables,
            tables: Mutex::default(),
        }
    }

    /// The way to a table. A table that is not in memory starts loading, charged to the opener; the table's task
    /// reports whether it exists.
    pub(crate) fn find(
        self: &Arc<Self>,
        code: &str,
        reach: Reach,
        opener: impl FnOnce() -> Option<Opener>,
    ) -> Result<Mailbox, Unavailable> {
        if !is_table_code(code) {
            return Err(Unavailable::NoTable);
        }
        let mut tables = self.lock();
        match tables.open.get(code) {
            Some(place) if place.is_relay && reach == Reach::Here => return Err(Unavailable::Moved),
            Some(place) => return Ok(place.mailbox.clone()),
            None => {}
        }
        if self.known_damaged().iter().any(|damaged| **damaged == *code) {
            return Err(Unavailable::Damaged);
        }
        let opener = opener().ok_or(Unavailable::TooMany)?;
        let start = match reach {
            Reach::Anywhere => Start::Stored(opener),
            Reach::Here => Start::Relayed(opener),
        };
        self.begin(&mut tables, code.into(), start)
    }

    /// How long a table is looked for that another node runs or has run.
    pub(crate) fn patience(&self) -> Duration {
        self.cluster.as_ref().map_or(Duration::ZERO, |cluster| cluster.patience())
    }

    /// Whether another node runs the table.
    pub(crate) fn mark_relay(&self, code: &str, is_relay: bool) {
        if let Some(place) = self.lock().open.get_mut(code) {
            (place.is_relay, place.evict) = (is_relay, None);
        }
    }

    /// The tables that this node runs.
    pub(crate) fn leased(&self) -> Vec<Mailbox> {
        let tables = self.lock();
        tables.open.values().filter(|place| place.evict.is_some()).map(|place| place.mailbox.clone()).collect()
    }

    /// This node runs a table of a database: `evict` is told when its lease is lost.
    pub(crate) fn mark_leased(&self, code: &str, shard: usize, evict: oneshot::Sender<()>) {
        if let Some(place) = self.lock().open.get_mut(code) {
            place.evict = Some((shard, evict));
        }
    }

    /// The leases of a database are lost: its tables are put away at once, in the middle of a write if need be.
    pub(crate) fn evict(&self, shard: usize) {
        for place in self.lock().open.values_mut() {
            if let Some((_, evict)) = place.evict.take_if(|(of, _)| *of == shard) {
                // The table may have ended already.
                let _ = evict.send(());
            }
        }
    }

    /// The tables that this server runs, by code, with whether each is in the public list; up to a number.
    pub(crate) fn run_here(&self, most: usize) -> Vec<(Arc<str>, Mailbox, bool)> {
        let tables = self.lock();
        let here = tables.open.iter().filter(|(_, place)| !place.is_relay).take(most);
        here.map(|(code, place)| (Arc::clone(code), place.mailbox.clone(), place.listing.is_some())).collect()
    }

    /// Whether no table begins any more.
    pub(crate) fn is_stopping(&self) -> bool {
        self.lock().stopping
    }

    /// Why a stopping server gives no table: another node will run it soon.
    pub(crate) fn farewell(&self) -> Unavailable {
        if self.cluster.is_some() { Unavailable::Moved } else { Unavailable::Stopping }
    }

    /// How many tables are in memory, or on their way there.
    pub(crate) fn count(&self) -> usize {
        self.lock().open.len()
    }

    /// Whether a table is in memory, or on its way there.
    pub(crate) fn holds(&self, code: &str) -> bool {
        self.lock().open.contains_key(code)
    }

    /// A table cannot be restored, which will not change while the server runs.
    pub(crate) fn note_damaged(&self, code: &Arc<str>) {
        let mut damaged = self.known_damaged();
        if damaged.len() == KNOWN_DAMAGED {
            damaged.pop_front();
        }
        damaged.push_back(Arc::clone(code));
    }

    /// A table's task has panicked. One that keeps doing so is not tried again: returning clients would never get
    /// anywhere.
    pub(crate) fn note_crash(self: &Arc<Self>, code: &Arc<str>) {
        self.metrics.panics.one();
        let given_up = self.count_crash(code, Instant::now()) >= CRASHES;
        if given_up {
            self.note_damaged(code);
        }
        let (hub, code) = (Arc::clone(self), Arc::clone(code));
        drop(tokio::task::spawn_blocking(move || {
            let table = hub.number_of(&code);
            match given_up {
                true => tracing::error!(table, "a table fails again and again; it is not tried until the next start"),
                false => tracing::error!(table, "a table has failed; it is loaded again when somebody comes back"),
            }
        }));
    }

    /// How often a table has failed of late, with this time.
    fn count_crash(&self, code: &Arc<str>, now: Instant) -> u32 {
        let mut crashed = self.crashed.lock().unwrap_or_else(PoisonError::into_inner);
        crashed.retain(|(_, _, last)| now.saturating_duration_since(*last) < CALM);
        if let Some((_, count, last)) = crashed.iter_mut().find(|(other, ..)| other == code) {
            (*count, *last) = (*count + 1, now);
            return *count;
        }
        if crashed.len() == KNOWN_DAMAGED {
            crashed.pop_front();
        }
        crashed.push_back((Arc::clone(code), 1, now));
        1
    }

    /// The number of a table, for logs: its code is the invitation. 0 if it is unknown.
    fn number_of(&self, invite: &str) -> u64 {
        let mut number = 0;
        if let Ok(Some(code)) = self.store.invited(invite) {
            let mut show = |piece: Piece<'_>| {
                if let Piece::Table(row) = piece {
                    number = row.id;
                }
                false
            };
            // A table whose journal has a gap has no number here.
            let _ = self.store.visit(&code, &mut show);
        }
        number
    }

    fn known_damaged(&self) -> MutexGuard<'_, VecDeque<Arc<str>>> {
        self.damaged.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens a new table, at which a match may go on, and tells its code, once it is durable.
    pub(crate) async fn open(
        self: &Arc<Self>,
        guest: GuestId,
        settings: Settings,
        continued: Option<Continued>,
        opener: Opener,
    ) -> Result<Arc<str>, Refusal> {
        // At the limit no table is written that nobody could play at.
        let reservation = self.reserve()?;
        let (id, code) = self.random.table_names();
        let id = self.store.placed(id);
        if self.cluster.is_some() && !self.store.may_serve(self.store.shard_of(&id)) {
            return Err(Unavailable::Storage.into());
        }
        let (id, code): (Arc<str>, Arc<str>) = (id.into(), code.into());
        let mut dice = self.random.table_dice(&id, "open");
        let now = self.clock.now();
        let (table, opening) = match continued {
            None => Table::open(&code, guest, settings, now, &mut *dice),
            Some(continued) => Table::open_continued(&code, guest, settings, continued, now, &mut *dice),
        }?;
        let batch = Batch { entries: vec![opening], renewed: Some(code.to_string()), ..Batch::default() };
        let epoch = self.store.first_epoch();
        let rows =
            unum_store::Batch { owner: Some(guest.0), epoch, ..rows(&id, &batch, Some(table.listing().as_ref())) };
        write(&self.store, &self.metrics, rows).await.map_err(crate::codes::storage)?;
        tracing::debug!(table = &*id, "a table was opened");
        let start = Start::New(Box::new(table), id, opener);
        let mut tables = self.lock();
        // The table takes the place that was kept for it.
        std::mem::forget(reservation);
        tables.reserved -= 1;
        self.begin(&mut tables, Arc::clone(&code), start)?;
        Ok(code)
    }

    fn reserve(&self) -> Result<Reservation<'_>, Unavailable> {
        let mut tables = self.lock();
        self.check_room(&tables)?;
        tables.reserved += 1;
        Ok(Reservation(self))
    }

    fn check_room(&self, tables: &Tables) -> Result<(), Unavailable> {
        if tables.stopping {
            return Err(self.farewell());
        }
        if tables.open.len() + tables.reserved >= self.most {
            self.metrics.turned_away.one();
            return Err(Unavailable::TooMany);
        }
        Ok(())
    }

    fn begin(self: &Arc<Self>, tables: &mut Tables, code: Arc<str>, start: Start) -> Result<Mailbox, Unavailable> {
        self.check_room(tables)?;
        let (mailbox, mail) = mpsc::channel(MAILBOX);
        let (mailbox_kept, listing) = (mailbox.clone(), start.listing());
        let place = Place { mailbox: mailbox_kept, listing, is_relay: false, evict: None };
        tables.list = tables.list.take().filter(|_| place.listing.is_none());
        tables.open.insert(Arc::clone(&code), place);
        TableTask::spawn(Arc::clone(self), code, start, mailbox.downgrade(), mail);
        Ok(mailbox)
    }

    /// Takes a table off the map. Nobody finds it any more, so it can be brought back by another task.
    pub(crate) fn remove(&self, code: &str, mailbox: &mpsc::WeakSender<Mail>) {
        let mut tables = self.lock();
        let own = mailbox.upgrade();
        let place = tables.open.get(code);
        if place.zip(own).is_some_and(|(place, own)| place.mailbox.same_channel(&own)) {
            let left = tables.open.remove(code).and_then(|place| place.listing);
            tables.list = tables.list.take().filter(|_| left.is_none());
        }
    }

    /// Takes a table off the map, unless somebody is on the way to it: mail in its mailbox is always read.
    pub(crate) fn leave(&self, code: &str, mailbox: &mpsc::WeakSender<Mail>, mail: &mpsc::Receiver<Mail>) -> bool {
        let mut tables = self.lock();
        // The map itself has one.
        if mailbox.strong_count() > 1 || !mail.is_empty() {
            return false;
        }
        let left = tables.open.remove(code).and_then(|place| place.listing);
        tables.list = tables.list.take().filter(|_| left.is_none());
        true
    }

    /// A table has another code: the old one leads nowhere any more. Says whether it is found by the new one now.
    pub(crate) fn rename(&self, old: &str, new: Arc<str>) -> bool {
        let mut tables = self.lock();
        if tables.open.contains_key(&new) {
            return false;
        }
        match tables.open.remove(old) {
            Some(place) => tables.open.insert(new, place).is_none(),
            None => false,
        }
    }

    /// Notes how a table is listed.
    pub(crate) fn list(&self, code: &str, listing: Option<Listing>) {
        let tables = &mut *self.lock();
        if let Some(place) = tables.open.get_mut(code).filter(|place| place.listing != listing) {
            place.listing = listing;
            tables.list = None;
        }
    }

    /// How a public table in memory is listed.
    pub(crate) fn listed(&self, code: &str) -> Option<Listing> {
        self.lock().open.get(code).and_then(|place| place.listing.clone())
    }

    /// The public tables in memory as JSON, those with most people first. Built once per change, not per visitor.
    pub(crate) fn public(&self) -> Packed {
        let tables = &mut *self.lock();
        if let Some(list) = &tables.list {
            return list.clone();
        }
        let mut listings: Vec<&Listing> = tables.open.values().filter_map(|place| place.listing.as_ref()).collect();
        listings.sort_by(|a, b| b.people.cmp(&a.people).then_with(|| a.code.cmp(&b.code)));
        listings.truncate(LISTED);
        let list = Packed::of(&listings);
        tables.list.insert(list).clone()
    }

    /// Tells every table to stop; no table begins any more.
    pub(crate) fn stop(&self) -> Vec<Mailbox> {
        let mut tables = self.lock();
        tables.stopping = true;
        tables.open.values().map(|place| place.mailbox.clone()).collect()
    }

    fn lock(&self) -> MutexGuard<'_, Tables> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    #[test]
    fn failures_count_only_if_they_follow_each_other() {
        let config = Config { ephemeral: true, ..Config::default() };
        let hub = Hub::new(Store::in_memory().unwrap(), None, Arc::new(Metrics::new()), &config);
        let (now, code): (_, Arc<str>) = (Instant::now(), "0000000000000000".into());
        assert_eq!([1, 2, 3].map(|_| hub.count_crash(&code, now)), [1, 2, 3]);
        assert_eq!(hub.count_crash(&"1111111111111111".into(), now), 1, "others have their own");
        assert_eq!(hub.count_crash(&code, now + CALM), 1, "that was long ago");
        for number in 0..2 * KNOWN_DAMAGED {
            hub.count_crash(&format!("{number:016}").into(), now + CALM);
        }
        assert!(hub.crashed.lock().unwrap().len() <= KNOWN_DAMAGED);
    }
}
