//! What every part of a running server shares.

use std::net::IpAddr;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use tokio::sync::watch;
use unum_protocol::{Look, ServerCode};
use unum_store::{Store, StoreError};
use unum_table::GuestId;

use crate::address::{AddressKey, client_address};
use crate::cluster::Cluster;
use crate::codes::Unavailable;
use crate::config::Config;
use crate::connected::Connected;
use crate::guests::{Cookie, Guest};
use crate::heavy::Heavy;
use crate::http::Packed;
use crate::hub::{Hub, Mailbox, Opener, Reach};
use crate::limits::{Rates, Tally, Ticket};
use crate::metrics::Metrics;
use crate::moderation::Sanctions;
use crate::random::token_hash;
use crate::reviews::Reviews;
use crate::tls::Tls;
use crate::traces::{self, Timed};

/// What every part of a running server shares.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) config: Config,
    pub(crate) store: Store,
    pub(crate) hub: Arc<Hub>,
    /// What encrypts, if the server does.
    pub(crate) tls: Option<Tls>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) address_connections: Arc<Tally<AddressKey>>,
    pub(crate) guest_connections: Arc<Tally<GuestId>>,
    pub(crate) address_tables: Arc<Tally<AddressKey>>,
    pub(crate) guest_tables: Arc<Tally<GuestId>>,
    pub(crate) requests: Rates<AddressKey>,
    new_guests: Rates<AddressKey>,
    new_tables_by_address: Rates<AddressKey>,
    new_tables_by_guest: Rates<GuestId>,
    new_guests_in_all: Rates<()>,
    new_tables_in_all: Rates<()>,
    wrong_codes: Rates<AddressKey>,
    wrong_codes_in_all: Rates<()>,
    /// Where replays and the like are made.
    pub(crate) heavy: Heavy,
    /// Where games are reviewed.
    pub(crate) reviews: Reviews,
    /// The WebSockets of every guest.
    pub(crate) connected: Arc<Connected>,
    /// Bans and mutes.
    pub(crate) sanctions: Sanctions,
    /// Tokens of operators that were wrong, by address.
    pub(crate) wrong_tokens: Rates<AddressKey>,
    /// When it was started, in milliseconds since 1970.
    pub(crate) started: u64,
    /// Whether an operator lets no new tables begin, because the server is about to stop.
    pub(crate) winding_down: AtomicBool,
    /// The description of the interface, once somebody has asked for it.
    pub(crate) interface: OnceLock<Packed>,
    /// True once the server stops.
    pub(crate) stopping: watch::Sender<bool>,
    /// True shortly before that, so that load balancers stop sending clients here.
    pub(crate) draining: AtomicBool,
    /// True once all tables are put away.
    pub(crate) over: watch::Sender<bool>,
}

/// Wrong tokens of operators that an address may try in a minute.
const WRONG_TOKENS: u32 = 10;
pub(crate) const TOO_MANY_NEW_TABLES: &str = "you are opening tables too fast; wait a minute";

/// Who asks another node for a table of this one.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Asker {
    /// Somebody whose limits it counts for.
    Guest(AddressKey, Option<GuestId>),
    /// Somebody who was at the table while another node ran it.
    Carried(AddressKey, GuestId),
    /// The node itself.
    Node,
}

/// How often a guest's visit is noted, in milliseconds: to know whom to forget, a day is precise enough.
const NOTED_EVERY: u64 = 24 * 60 * 60 * 1000;

impl App {
    #[cfg(test)]
    pub(crate) fn new(config: Config, store: Store) -> App {
        App::of_cluster(config, store, None, None)
    }

    pub(crate) fn of_cluster(config: Config, store: Store, cluster: Option<Arc<Cluster>>, tls: Option<Tls>) -> App {
        let metrics = Arc::new(Metrics::new());
        let limits = &config.limits;
        let hub = Arc::new(Hub::new(store.clone(), cluster, Arc::clone(&metrics), &config));
        App {
            started: hub.clock.now().0,
            hub,
            sanctions: Sanctions::default(),
            wrong_tokens: Rates::new(WRONG_TOKENS),
            winding_down: AtomicBool::new(false),
            tls,
            heavy: Heavy::new(Arc::clone(&metrics)),
            reviews: Reviews::default(),
            connected: Arc::default(),
            metrics,
            address_connections: Tally::new(),
            guest_connections: Tally::new(),
            address_tables: Tally::new(),
            guest_tables: Tally::new(),
            requests: Rates::new(limits.requests_per_minute),
            new_guests: Rates::new(limits.new_guests_per_minute),
            new_tables_by_address: Rates::new(limits.new_tables_per_minute),
            new_tables_by_guest: Rates::new(limits.new_tables_per_minute),
            new_guests_in_all: Rates::new(limits.new_guests_in_all_per_minute),
            new_tables_in_all: Rates::new(limits.new_tables_in_all_per_minute),
            wrong_codes: Rates::new(limits.wrong_codes_per_minute),
            wrong_codes_in_all: Rates::new(limits.wrong_codes_in_all_per_minute),
            interface: OnceLock::new(),
            stopping: watch::channel(false).0,
            draining: AtomicBool::new(false),
            over: watch::channel(false).0,
            store,
            config,
        }
    }

    /// Returns when the server stops.
    pub(crate) async fn stopped(&self) {
        // The sender lives as long as the application.
        let _ = self.stopping.subscribe().wait_for(|stopping| *stopping).await;
    }

    /// Returns when all tables are put away.
    pub(crate) async fn ended(&self) {
        // The sender lives as long as the application.
        let _ = self.over.subscribe().wait_for(|over| *over).await;
    }

    /// Ends all connections of a guest, at all nodes.
    pub(crate) fn sign_out(&self, guest: GuestId) {
        self.connected.end(guest, ServerCode::SignedOut);
        if let Some(cluster) = &self.hub.cluster {
            cluster.sign_out(guest);
        }
    }

    /// Runs a store operation on a thread that may block.
    pub(crate) async fn store<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Store) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let store = self.store.clone();
        let mut part = traces::part("store");
        let done = tokio::task::spawn_blocking(move || work(&store)).await;
        let done = done.unwrap_or_else(|error| Err(StoreError::Io(error.to_string())));
        part.iter_mut().filter(|_| done.is_err()).for_each(Timed::fail);
        done
    }

    /// The guest with this token.
    pub(crate) async fn guest_by_token(&self, token: &str) -> Result<Option<Guest>, StoreError> {
        let hash = token_hash(token);
        let Some(row) = self.store(move |store| store.guest_by_token(&hash)).await? else { return Ok(None) };
        let id = row.id;
        if self.hub.clock.now().0.saturating_sub(row.seen) > NOTED_EVERY {
            self.store(move |store| store.see_guest(id)).await?;
        }
        Ok(Some(Guest { id: GuestId(id), name: row.name, look: Look::from_text(&row.look) }))
    }

    /// The way to a table. If it must be loaded, it counts toward the limits of the guest who asked.
    pub(crate) fn find(&self, code: &str, who: AddressKey, guest: Option<GuestId>) -> Result<Mailbox, Unavailable> {
        self.hub.find(code, Reach::Anywhere, || self.opener(who, guest))
    }

    /// The way to a table for a client of another node, or for that node itself.
    pub(crate) fn find_here(&self, code: &str, who: Asker) -> Result<Mailbox, Unavailable> {
        self.hub.find(code, Reach::Here, || match who {
            Asker::Guest(address, guest) => self.opener(address, guest),
            Asker::Carried(address, guest) => Some(self.opener_beyond_limits(address, guest)),
            Asker::Node => Some(Opener::house()),
        })
    }

    /// Counts one more connection of a guest, unless they have as many at all nodes together.
    pub(crate) async fn admit_connection(&self, guest: GuestId) -> Option<Ticket<GuestId>> {
        let most = self.config.limits.connections_per_guest;
        let ticket = self.guest_connections.admit(guest, most)?;
        let Some(cluster) = &self.hub.cluster else { return Some(ticket) };
        let own = self.guest_connections.count(guest);
        // A guest below the share of one node cannot be above the limit in total, so no node is asked.
        if own * cluster.nodes().len() <= most {
            return Some(ticket);
        }
        (own + cluster.connections_of(guest).await <= most).then_some(ticket)
    }

    /// Whether an address may try a code: not after too many wrong ones.
    pub(crate) fn check_guessing(&self, who: AddressKey) -> Result<(), Unavailable> {
        if self.wrong_codes.has_left(who.counted(), Instant::now()) {
            return Ok(());
        }
        self.metrics.turned_away.one();
        Err(Unavailable::Guarded)
    }

    /// Whether there are so many wrong codes in total that a right one may be a lucky guess: then private tables admit
    /// only guests they know.
    pub(crate) fn is_guarded(&self) -> bool {
        !self.wrong_codes_in_all.has_left(std::iter::once(((), 1)), Instant::now())
    }

    /// Somebody has tried a code that no table has.
    pub(crate) fn note_wrong_code(&self, who: AddressKey) {
        let now = Instant::now();
        self.wrong_codes.charge(who.counted(), now);
        self.wrong_codes_in_all.charge(std::iter::once(((), 1)), now);
    }

    /// Counts a new guest, unless too many come from the address, the networks it is in, or everywhere: a sentence says so.
    pub(crate) fn check_new_guest(&self, who: AddressKey, now: Instant) -> Result<(), &'static str> {
        let from_there = self.new_guests.allow_all(who.counted(), 1, now);
        self.admits(from_there, "too many new guests from your address; wait a minute")?;
        self.admits(self.new_guests_in_all.allow((), now), "there are too many new guests right now; wait a minute")
    }

    /// Counts a new table, unless the guest opens too many, or all of the address and its networks do.
    pub(crate) fn check_new_table(&self, who: AddressKey, guest: GuestId, now: Instant) -> Result<(), &'static str> {
        let by_address = || self.new_tables_by_address.allow_all(who.counted(), 1, now);
        let allowed = self.new_tables_by_guest.allow(guest, now) && by_address();
        self.admits(allowed, TOO_MANY_NEW_TABLES)
    }

    /// Counts a new table, unless too many are opened from everywhere.
    pub(crate) fn check_new_tables_in_all(&self, now: Instant) -> Result<(), &'static str> {
        self.admits(self.new_tables_in_all.allow((), now), "too many tables are being opened right now; wait a minute")
    }

    /// Somebody who is not admitted is turned away with a sentence.
    fn admits(&self, admitted: bool, why: &'static str) -> Result<(), &'static str> {
        if !admitted {
            self.metrics.turned_away.one();
        }
        admitted.then_some(()).ok_or(why)
    }

    /// Counts one more table, unless that is one too many.
    pub(crate) fn opener(&self, who: AddressKey, guest: Option<GuestId>) -> Option<Opener> {
        let limits = &self.config.limits;
        let opener = (|| {
            let _address = self.address_tables.admit_all(who.counted(), limits.tables_per_address)?;
            let _guest = match guest {
                Some(guest) => Some(self.guest_tables.admit(guest, limits.tables_per_guest)?),
                None => None,
            };
            Some(Opener { address: who, _address, _guest })
        })();
        if opener.is_none() {
            self.metrics.turned_away.one();
        }
        opener
    }

    /// Counts one more table that was within the limits where it was before.
    fn opener_beyond_limits(&self, who: AddressKey, guest: GuestId) -> Opener {
        let _address = self.address_tables.admit_all(who.counted(), usize::MAX).unwrap_or_default();
        Opener { address: who, _address, _guest: self.guest_tables.admit(guest, usize::MAX) }
    }

    /// Whether a request of this cost is within the rate limit.
    pub(crate) fn allows(&self, client: AddressKey, cost: u32) -> bool {
        let allowed = self.requests.allow_all(client.counted(), cost, Instant::now());
        if !allowed {
            self.metrics.turned_away.one();
        }
        allowed
    }

    /// Whether the connection of a client of a proxy is encrypted, according to a trusted one or else the public address.
    pub(crate) fn is_secure(&self, peer: IpAddr, headers: &axum::http::HeaderMap) -> bool {
        let told = headers.get("x-forwarded-proto").filter(|_| self.is_proxy(peer));
        match told.and_then(|told| told.to_str().ok()) {
            Some(scheme) => scheme.trim().eq_ignore_ascii_case("https"),
            None => self.config.public_url.as_ref().is_some_and(|url| url.starts_with("https://")),
        }
    }

    /// The cookie for guests on a connection that is encrypted or not.
    pub(crate) fn cookie(&self, secure: bool) -> Cookie<'_> {
        Cookie { secure, base: self.config.base_path() }
    }

    /// Whether a request comes from this very machine, and not through a proxy on it.
    pub(crate) fn is_here(&self, peer: IpAddr, headers: &axum::http::HeaderMap) -> bool {
        let forwarded = headers.contains_key("x-forwarded-for") || headers.contains_key("forwarded");
        peer.to_canonical().is_loopback() && !forwarded
    }

    /// The address of a client behind a peer.
    pub(crate) fn client(&self, peer: IpAddr, headers: &axum::http::HeaderMap) -> IpAddr {
        let forwarded = headers.get_all("x-forwarded-for");
        let forwarded: Vec<&str> = forwarded.iter().filter_map(|value| value.to_str().ok()).collect();
        client_address(peer, &self.config.trusted_proxies, forwarded.into_iter())
    }

    /// Whether a peer is a proxy that is believed.
    pub(crate) fn is_proxy(&self, peer: IpAddr) -> bool {
        self.config.trusted_proxies.iter().any(|network| network.contains(peer))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers four networks of 64 bits in one of 56, a fifth, and then others, all in one network of 48 bits.
    fn subnet(number: u16) -> AddressKey {
        let low = if number < 5 { number } else { number << 8 };
        AddressKey::of([0x2001, 0xdb8, 7, low, 0, 0, 0, number].into())
    }

    /// Who of these is admitted where an address is admitted once.
    fn assert_limited_by_networks(mut admits: impl FnMut(AddressKey) -> bool) {
        assert!(admits(subnet(0)));
        assert!(!admits(AddressKey::of([0x2001, 0xdb8, 7, 0, 0xffff, 0, 0, 9].into())), "the same 64 bits");
        assert!((1..4).all(|number| admits(subnet(number))));
        assert!(!admits(subnet(4)), "56 bits have four times as much");
        assert!((5..17).all(|number| admits(subnet(number))));
        assert!(!admits(subnet(17)), "48 bits have sixteen times as much");
        assert!(admits(AddressKey::of([0x2001, 0xdb8, 8, 0, 0, 0, 0, 1].into())), "elsewhere there is more");
    }

    #[test]
    fn new_guests_and_new_tables_are_limited_by_networks_of_ipv6() {
        let mut config = Config { ephemeral: true, ..Config::default() };
        (config.limits.new_guests_per_minute, config.limits.new_tables_per_minute) = (1, 1);
        let app = App::new(config, Store::in_memory().unwrap());
        let now = Instant::now();
        assert_limited_by_networks(|who| app.check_new_guest(who, now).is_ok());
        let mut guests = (1..).map(GuestId);
        assert_limited_by_networks(|who| app.check_new_table(who, guests.next().unwrap(), now).is_ok());
    }

    #[test]
    fn tables_in_memory_are_limited_by_networks_of_ipv6() {
        let mut config = Config { ephemeral: true, ..Config::default() };
        (config.limits.tables_per_address, config.limits.tables_per_guest) = (1, 100);
        let app = App::new(config, Store::in_memory().unwrap());
        let mut openers = Vec::new();
        assert_limited_by_networks(|who| {
            let before = openers.len();
            openers.extend(app.opener(who, None));
            openers.len() > before
        });
        openers.clear();
        assert!(app.opener(subnet(0), None).is_some(), "what is gone does not count");
    }
}
