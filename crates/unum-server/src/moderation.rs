//! Bans and mutes as they are asked for with every request: a copy in memory of what the store has.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::net::Ipv6Addr;
use std::str::FromStr;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;

use tokio::time::timeout;
use unum_protocol::{ServerCode, ServerMsg};
use unum_store::{Health, Sanction, SanctionRow, Store};
use unum_table::GuestId;

use crate::address::{AddressKey, Network};
use crate::app::App;
use crate::frame::frame_of;

/// How often a node looks whether another one has changed something, if it was not told.
const EVERY: Duration = Duration::from_secs(5);
/// The widest networks that can be banned: a typo must not ban a continent.
const WIDEST: (u8, u8) = (16, 32);

/// Whom a ban or a mute concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Subject {
    /// A guest.
    Guest(GuestId),
    /// Everybody who connects from there.
    Network(Network),
}

impl FromStr for Subject {
    type Err = String;

    fn from_str(text: &str) -> Result<Subject, String> {
        let text = text.trim();
        let wrong = || {
            "expected the number of a guest, an address such as 192.0.2.7, or a network such as 192.0.2.0/24 or 2001:db8::/48"
                .to_owned()
        };
        if let Ok(guest) = text.parse() {
            return Ok(Subject::Guest(GuestId(guest)));
        }
        let network: Network = match text.parse() {
            Ok(address) => AddressKey::of(address).as_network(),
            Err(_) => text.parse::<Network>().map_err(|_| wrong())?.masked(),
        };
        let (address, length) = (network.address(), network.length());
        let (v4, v6) = WIDEST;
        if length < if address.is_ipv4() { v4 } else { v6 } {
            return Err(format!("a network that wide holds too many people: ban at most a /{v4}, or a /{v6} of IPv6"));
        }
        // The /64 of ::1 begins at another address.
        if address.is_loopback() || network.contains(Ipv6Addr::LOCALHOST.into()) {
            return Err("this machine's own address cannot be banned".to_owned());
        }
        Ok(Subject::Network(network))
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Subject::Guest(GuestId(guest)) => write!(f, "{guest}"),
            Subject::Network(network) if network.address().is_ipv4() && network.length() == 32 => {
                write!(f, "{}", network.address())
            }
            Subject::Network(network) => write!(f, "{network}"),
        }
    }
}

/// The bans and mutes in force.
#[derive(Debug, Default)]
pub(crate) struct Sanctions(RwLock<Known>);

#[derive(Debug, Default)]
struct Known {
    /// Until when, in milliseconds since 1970.
    banned: HashMap<GuestId, u64>,
    muted: HashMap<GuestId, u64>,
    networks: HashMap<Network, u64>,
    /// A network of each length there is, so that an address is looked up once for each.
    lengths: Vec<Network>,
}

impl Sanctions {
    /// Takes over what the store has.
    pub(crate) fn replace(&self, rows: &[SanctionRow]) {
        let mut known = Known::default();
        let mut lengths = HashSet::new();
        for row in rows {
            match (row.kind, row.subject.parse()) {
                (Sanction::Ban, Ok(Subject::Guest(guest))) => drop(known.banned.insert(guest, row.until)),
                (Sanction::Mute, Ok(Subject::Guest(guest))) => drop(known.muted.insert(guest, row.until)),
                (Sanction::Ban, Ok(Subject::Network(network))) => {
                    if lengths.insert((network.address().is_ipv4(), network.length())) {
                        known.lengths.push(network);
                    }
                    known.networks.insert(network, row.until);
                }
                _ => tracing::warn!("a ban or mute in the database cannot be read"),
            }
        }
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = known;
    }

    /// Whether a guest is banned at a date.
    pub(crate) fn ban(&self, guest: GuestId, now: u64) -> bool {
        self.read().banned.get(&guest).is_some_and(|until| now < *until)
    }

    /// Whether a guest is muted.
    pub(crate) fn mute(&self, guest: GuestId, now: u64) -> bool {
        self.read().muted.get(&guest).is_some_and(|until| now < *until)
    }

    /// Whether an address is banned.
    pub(crate) fn bar(&self, client: AddressKey, now: u64) -> bool {
        let known = self.read();
        let mut networks = known.lengths.iter().filter_map(|length| length.of_length(client.ip()));
        networks.any(|network| known.networks.get(&network).is_some_and(|until| now < *until))
    }

    /// How many bans and mutes there are.
    pub(crate) fn count(&self) -> (u64, u64) {
        let known = self.read();
        ((known.banned.len() + known.networks.len()) as u64, known.muted.len() as u64)
    }

    fn read(&self) -> RwLockReadGuard<'_, Known> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }
}

impl App {
    /// Whether a guest or the address they come from is banned.
    pub(crate) fn is_banned(&self, guest: GuestId, client: AddressKey) -> bool {
        let now = self.hub.clock.now().0;
        self.sanctions.ban(guest, now) || self.sanctions.bar(client, now)
    }

    /// Whether everybody at an address is banned.
    pub(crate) fn is_barred(&self, client: AddressKey) -> bool {
        self.sanctions.bar(client, self.hub.clock.now().0)
    }

    /// Whether what a guest says is not passed on.
    pub(crate) fn is_muted(&self, guest: GuestId) -> bool {
        self.sanctions.mute(guest, self.hub.clock.now().0)
    }

    /// What keeps this server from its work, if anything does.
    pub(crate) fn trouble(&self) -> Option<String> {
        if *self.stopping.borrow() || self.draining.load(Ordering::Relaxed) {
            return Some("the server is stopping".to_owned());
        }
        if self.winding_down.load(Ordering::Relaxed) {
            return Some("the server takes no new tables: an operator lets it drain".to_owned());
        }
        match self.store.health() {
            Health::Ok => None,
            Health::Failing(why) => Some(why),
        }
    }

    /// Shows everybody who is connected to this server a message, and says how many connections that is.
    pub(crate) fn announce_here(&self, text: String) -> u64 {
        self.connected.tell(&frame_of(&ServerMsg::Announcement { text }))
    }

    /// Reads bans and mutes again, and ends the connections of those who are banned now. Says how many those are.
    pub(crate) async fn renew_sanctions(&self) -> Result<u64, unum_store::StoreError> {
        let rows = self.store(|store| store.sanctions()).await?;
        self.sanctions.replace(&rows);
        Ok(self.connected.end_where(ServerCode::Banned, |guest, client| self.is_banned(guest, client)))
    }
}

/// What the store has at the start. A database that is away is asked again later.
pub(crate) fn at_start(store: &Store) -> Option<Vec<SanctionRow>> {
    store.sanctions().inspect_err(|error| tracing::warn!(%error, "bans and mutes cannot be read yet")).ok()
}

/// Keeps up with what other nodes change, or with the database if it was away at the start.
pub(crate) async fn keep_up(app: Arc<App>, mut is_known: bool) {
    while app.hub.cluster.is_some() || !is_known {
        if timeout(EVERY, app.stopped()).await.is_ok() {
            return;
        }
        is_known |= app.renew_sanctions().await.is_ok();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(kind: Sanction, subject: &str, until: u64) -> SanctionRow {
        SanctionRow { kind, subject: subject.to_owned(), made: 0, until, note: String::new() }
    }

    fn key(address: &str) -> AddressKey {
        AddressKey::of(address.parse().unwrap())
    }

    #[test]
    fn subjects_are_written_as_they_are_read() {
        for (text, written) in [
            ("17", "17"),
            (" 192.0.2.7 ", "192.0.2.7"),
            ("192.0.2.7/24", "192.0.2.0/24"),
            ("2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
            ("2001:db8:1:2:3::4/128", "2001:db8:1:2::/64"),
            ("2001:db8:1:2::/48", "2001:db8:1::/48"),
            ("::ffff:192.0.2.7", "192.0.2.7"),
        ] {
            let subject: Subject = text.parse().unwrap();
            assert_eq!(subject.to_string(), written);
            assert_eq!(written.parse(), Ok(subject));
        }
        for wrong in
            ["", "-1", "Ann", "192.0.2.0/33", "10.0.0.0/8", "0.0.0.0/0", "::/0", "2001::/16", "127.0.0.1", "::1"]
        {
            assert!(wrong.parse::<Subject>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn who_is_banned_or_muted_is_so_until_it_ends() {
        let sanctions = Sanctions::default();
        let rows = [
            row(Sanction::Ban, "7", 100),
            row(Sanction::Mute, "8", 100),
            row(Sanction::Ban, "192.0.2.7", 100),
            row(Sanction::Ban, "198.51.100.0/24", 100),
            row(Sanction::Ban, "2001:db8:1:2::/64", 100),
            row(Sanction::Ban, "2001:db8:7::/48", 50),
            row(Sanction::Ban, "nonsense", 100),
        ];
        sanctions.replace(&rows);
        let (seven, eight) = (GuestId(7), GuestId(8));
        assert!(sanctions.ban(seven, 99) && !sanctions.ban(seven, 100) && !sanctions.ban(eight, 1));
        assert!(sanctions.mute(eight, 99) && !sanctions.mute(seven, 99));
        for (address, barred) in [
            ("192.0.2.7", true),
            ("192.0.2.8", false),
            ("198.51.100.200", true),
            ("198.51.101.1", false),
            ("2001:db8:1:2:ffff::9", true),
            ("2001:db8:1:3::1", false),
            ("2001:db8:7:99::1", true),
        ] {
            assert_eq!(sanctions.bar(key(address), 49), barred, "{address}");
        }
        assert!(!sanctions.bar(key("2001:db8:7:99::1"), 50), "that one has ended");
        assert_eq!(sanctions.count(), (5, 1));
        sanctions.replace(&[]);
        assert_eq!(sanctions.count(), (0, 0));
    }
}
