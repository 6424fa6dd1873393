//! All tables that are in memory: finds them, brings them back, opens new ones.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{Semaphore, mpsc};
use unum_store::{Store, StoreError};
use unum_table::wire::{ServerMsg, Settings};
use unum_table::{GuestId, Listing, Table};

use crate::address::AddressKey;
use crate::clock::Clock;
use crate::limits::Ticket;
use crate::mail::Mail;
use crate::metrics::Metrics;
use crate::random::{OsDice, is_code, table_code};
use crate::table_task::{Start, TableTask};
use crate::writing::{batch_of, write};

/// How many inputs may wait at one table. Whoever has more to say waits.
const MAILBOX: usize = 64;
/// How many tables are brought back into memory at the same time.
const LOADS: usize = 4;

/// A way to a table.
pub(crate) type Mailbox = mpsc::Sender<Mail>;

/// All tables in memory.
#[derive(Debug)]
pub(crate) struct Hub {
    pub(crate) store: Store,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) clock: Clock,
    /// Slow bots think with one of these.
    pub(crate) thinkers: Arc<Semaphore>,
    /// Tables are loaded with one of these.
    pub(crate) loaders: Arc<Semaphore>,
    /// When a table without people leaves memory.
    pub(crate) unload_after: Duration,
    most: usize,
    tables: Mutex<Tables>,
}

#[derive(Debug, Default)]
struct Tables {
    open: HashMap<Arc<str>, Place>,
    stopping: bool,
}

#[derive(Debug)]
struct Place {
    mailbox: Mailbox,
    listing: Option<Listing>,
}

/// Why there is no way to a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unreachable {
    /// Nothing like that can be a code.
    NoTable,
    /// There are as many tables in memory as there may be.
    TooMany,
    /// The server is stopping.
    Stopping,
}

/// Why a table could not be opened.
#[derive(Debug)]
pub(crate) enum OpenTrouble {
    Settings(Box<ServerMsg>),
    Storage(StoreError),
    Unreachable(Unreachable),
}

/// Whose table it is, as long as it is in memory: it counts for their limits.
#[derive(Debug)]
pub(crate) struct Opener {
    pub(crate) _address: Ticket<AddressKey>,
    pub(crate) _guest: Ticket<GuestId>,
}

impl Hub {
    pub(crate) fn new(store: Store, metrics: Arc<Metrics>, limits: &crate::config::Limits) -> Hub {
        Hub {
            store,
            metrics,
            clock: Clock::start(),
            thinkers: Arc::new(Semaphore::new(limits.bot_threads)),
            loaders: Arc::new(Semaphore::new(LOADS)),
            unload_after: limits.unload_after,
            most: limits.tables,
            tables: Mutex::default(),
        }
    }

    /// The way to a table. If it is not in memory, it begins to be loaded; whether it exists at all is told by the
    /// table's task.
    pub(crate) fn find(self: &Arc<Self>, code: &str) -> Result<Mailbox, Unreachable> {
        if !is_code(code) {
            return Err(Unreachable::NoTable);
        }
        let mut tables = self.lock();
        if let Some(place) = tables.open.get(code) {
            return Ok(place.mailbox.clone());
        }
        self.begin(&mut tables, code.into(), Start::Stored)
    }

    /// Opens a new table and tells its code, once it is durable.
    pub(crate) async fn open(self: &Arc<Self>, settings: Settings, opener: Opener) -> Result<Arc<str>, OpenTrouble> {
        let code: Arc<str> = table_code().into();
        let now = self.clock.now();
        let opened = Table::open(&code, settings, now, &mut OsDice);
        let (table, outcome) = opened.map_err(|refusal| OpenTrouble::Settings(Box::new(refusal)))?;
        let batch = batch_of(&code, 0, [outcome], &table, true);
        write(&self.store, &self.metrics, batch).await.map_err(OpenTrouble::Storage)?;
        let start = Start::New(Box::new(table), opener);
        self.begin(&mut self.lock(), Arc::clone(&code), start).map_err(OpenTrouble::Unreachable)?;
        Ok(code)
    }

    fn begin(self: &Arc<Self>, tables: &mut Tables, code: Arc<str>, start: Start) -> Result<Mailbox, Unreachable> {
        if tables.stopping {
            return Err(Unreachable::Stopping);
        }
        if tables.open.len() >= self.most {
            self.metrics.turned_away.one();
            return Err(Unreachable::TooMany);
        }
        let (mailbox, mail) = mpsc::channel(MAILBOX);
        let place = Place { mailbox: mailbox.clone(), listing: start.listing() };
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
            tables.open.remove(code);
        }
    }

    /// Notes how a table is listed.
    pub(crate) fn list(&self, code: &str, listing: Option<Listing>) {
        if let Some(place) = self.lock().open.get_mut(code) {
            place.listing = listing;
        }
    }

    /// The public tables in memory, those with most people first.
    pub(crate) fn listings(&self, most: usize) -> Vec<Listing> {
        let mut listings: Vec<Listing> = self.lock().open.values().filter_map(|place| place.listing.clone()).collect();
        listings.sort_by(|a, b| b.people.cmp(&a.people).then_with(|| a.code.cmp(&b.code)));
        listings.truncate(most);
        listings
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
