//! Client addresses: as limits count them, as networks, and as a trusted proxy reports them.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use sha2::{Digest, Sha256};
use unum_table::AddressMark;

/// An address as limits count it: a whole IPv4 address, or the first 64 bits of an IPv6 address, since a household or
/// machine has all the rest. Or a wider network of an IPv6 address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct AddressKey(IpAddr, u8);

/// The IPv6 networks that are counted, by length, each with its allowance as a multiple of an address's: one person can
/// easily have a /48.
const NETWORKS: [(u8, u32); 3] = [(64, 1), (56, 4), (48, 16)];

impl AddressKey {
    /// The key of an address.
    pub(crate) fn of(address: IpAddr) -> AddressKey {
        match address.to_canonical() {
            IpAddr::V6(address) => AddressKey::network(address, 64),
            address => AddressKey(address, 32),
        }
    }

    fn network(address: Ipv6Addr, length: u8) -> AddressKey {
        let mask = u128::MAX.checked_shl(128 - u32::from(length)).unwrap_or(0);
        AddressKey(IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & mask)), length)
    }

    /// The network that it is.
    pub(crate) fn as_network(self) -> Network {
        Network { address: self.0, length: self.1 }
    }

    /// An address with this key.
    pub(crate) fn ip(self) -> IpAddr {
        self.0
    }

    /// Everything the address counts toward: itself and its networks, each with its allowance as a multiple of an
    /// address's.
    pub(crate) fn counted(self) -> impl Iterator<Item = (AddressKey, u32)> + Clone {
        let of_v6 = match self.0 {
            IpAddr::V6(address) => Some(address),
            IpAddr::V4(_) => None,
        };
        let networks = NETWORKS.into_iter();
        let networks = networks.filter_map(move |(length, times)| Some((AddressKey::network(of_v6?, length), times)));
        networks.chain(of_v6.is_none().then_some((self, 1)))
    }
}

impl AddressKey {
    /// The address as a keyed hash, different at every table, which can only be reversed by trying every address. This
    /// machine's own address has none: everybody has it who comes through an undeclared proxy or plays on this machine.
    pub(crate) fn mark(self, table: &str) -> Option<AddressMark> {
        if [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)].map(AddressKey::of).contains(&self) {
            return None;
        }
        let hash: [u8; 32] = Sha256::digest(format!("unum address {table} {}", self.0)).into();
        let (first, _) = hash.split_first_chunk().unwrap_or((&[0; 8], &[]));
        Some(AddressMark(u64::from_le_bytes(*first)))
    }
}

/// A range of addresses, written `10.0.0.0/8`; a single address is a range of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Network {
    address: IpAddr,
    length: u8,
}

impl Network {
    /// The network without the bits beyond its length, which is at most 64 for IPv6.
    pub(crate) fn masked(self) -> Network {
        match self.address.to_canonical() {
            IpAddr::V4(address) => {
                // One that is written as an IPv6 address has 96 bits in front.
                let length = if self.address.is_ipv6() { self.length.saturating_sub(96) } else { self.length };
                let mask = u32::MAX.checked_shl(32 - u32::from(length)).unwrap_or(0);
                Network { address: Ipv4Addr::from_bits(address.to_bits() & mask).into(), length }
            }
            IpAddr::V6(address) => {
                let AddressKey(address, length) = AddressKey::network(address, self.length.min(64));
                Network { address, length }
            }
        }
    }

    /// The network of that length around an address of the same kind.
    pub(crate) fn of_length(self, address: IpAddr) -> Option<Network> {
        let same = self.address.is_ipv4() == address.is_ipv4();
        same.then(|| Network { address, length: self.length }.masked())
    }

    /// How many bits the addresses in it share.
    pub(crate) fn length(self) -> u8 {
        self.length
    }

    /// An address in it.
    pub(crate) fn address(self) -> IpAddr {
        self.address
    }

    /// Whether an address is in it.
    pub fn contains(&self, address: IpAddr) -> bool {
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(own), IpAddr::V4(other)) => {
                let mask = u32::MAX.checked_shl(32 - u32::from(self.length)).unwrap_or(0);
                own.to_bits() & mask == other.to_bits() & mask
            }
            (IpAddr::V6(own), IpAddr::V6(other)) => {
                let mask = u128::MAX.checked_shl(128 - u32::from(self.length)).unwrap_or(0);
                own.to_bits() & mask == other.to_bits() & mask
            }
            _ => false,
        }
    }
}

impl FromStr for Network {
    type Err = String;

    fn from_str(text: &str) -> Result<Network, String> {
        let wrong = || format!("a network is an address with a length, such as 10.0.0.0/8 or ::1/128; not {text:?}");
        let (address, length) = text.split_once('/').map_or((text, None), |(address, length)| (address, Some(length)));
        let address: IpAddr = address.trim().parse().map_err(|_| wrong())?;
        let most = if address.is_ipv4() { 32 } else { 128 };
        let length = match length {
            None => most,
            Some(length) => length.trim().parse().ok().filter(|length| *length <= most).ok_or_else(wrong)?,
        };
        Ok(Network { address, length })
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.length)
    }
}

/// The address of a client: the peer's own, unless the peer is a trusted proxy. Then it is the right-most address of
/// the `X-Forwarded-For` headers that is not a trusted proxy: the client could have made up anything left of it.
pub(crate) fn client_address<'a>(
    peer: IpAddr,
    trusted: &[Network],
    forwarded_for: impl DoubleEndedIterator<Item = &'a str>,
) -> IpAddr {
    let is_trusted = |address: IpAddr| trusted.iter().any(|network| network.contains(address));
    let mut nearest = peer.to_canonical();
    let hops = forwarded_for.flat_map(|value| value.split(',')).rev();
    for hop in hops {
        if !is_trusted(nearest) {
            break;
        }
        let Ok(address) = hop.trim().parse::<IpAddr>() else { break };
        nearest = address.to_canonical();
    }
    nearest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn an_ipv6_household_counts_as_one() {
        assert_eq!(AddressKey::of(ip("2001:db8:1:2:3::4")), AddressKey::of(ip("2001:db8:1:2:ffff::9")));
        assert_ne!(AddressKey::of(ip("2001:db8:1:2::4")), AddressKey::of(ip("2001:db8:1:3::4")));
        assert_ne!(AddressKey::of(ip("10.0.0.1")), AddressKey::of(ip("10.0.0.2")));
        assert_eq!(AddressKey::of(ip("::ffff:10.0.0.1")), AddressKey::of(ip("10.0.0.1")));
    }

    #[test]
    fn an_ipv6_address_counts_for_its_networks_too() {
        let counted = |text: &str| AddressKey::of(ip(text)).counted().collect::<Vec<_>>();
        let (one, near, far) = (counted("2001:db8:1:2::1"), counted("2001:db8:1:3::1"), counted("2001:db8:1:102::1"));
        assert_eq!(one.iter().map(|(_, times)| *times).collect::<Vec<_>>(), [1, 4, 16]);
        assert_eq!(one[0].0, AddressKey::of(ip("2001:db8:1:2::1")));
        assert!(one[0] != near[0] && one[1..] == near[1..]);
        assert!(one[..2] != far[..2] && one[2] == far[2]);
        assert_eq!(counted("10.0.0.1"), [(AddressKey::of(ip("10.0.0.1")), 1)]);
        let zeros = counted("2001:db8::1");
        assert!(zeros[0].0 != zeros[1].0 && zeros[1].0 != zeros[2].0, "networks of other lengths are others");
    }

    #[test]
    fn a_mark_is_the_same_for_a_household_and_another_one_at_another_table() {
        let mark = |address: &str, table| AddressKey::of(ip(address)).mark(table);
        assert_eq!(mark("2001:db8:1:2:3::4", "a"), mark("2001:db8:1:2:ffff::9", "a"));
        assert_ne!(mark("10.0.0.1", "a"), mark("10.0.0.2", "a"));
        assert_ne!(mark("10.0.0.1", "a"), mark("10.0.0.1", "b"));
        assert!(mark("10.0.0.1", "a").is_some() && mark("127.0.0.2", "a").is_some());
        assert_eq!([mark("127.0.0.1", "a"), mark("::1", "a"), mark("::ffff:127.0.0.1", "a")], [None; 3]);
    }

    #[test]
    fn networks_are_read_and_compared_bit_by_bit() {
        let network: Network = "10.1.0.0/15".parse().unwrap();
        assert!(network.contains(ip("10.0.255.1")) && network.contains(ip("::ffff:10.1.2.3")));
        assert!(!network.contains(ip("10.2.0.0")) && !network.contains(ip("::1")));
        assert!("0.0.0.0/0".parse::<Network>().unwrap().contains(ip("8.8.8.8")));
        assert!("fd00::/8".parse::<Network>().unwrap().contains(ip("fd12::1")));
        assert_eq!("::1".parse::<Network>().unwrap().to_string(), "::1/128");
        for wrong in ["", "10.0.0.0/33", "10.0.0/8", "::/129", "host/8", "10.0.0.0/-1"] {
            assert!(wrong.parse::<Network>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn only_trusted_proxies_are_believed() {
        let trusted = ["10.0.0.0/8".parse().unwrap()];
        let found = |peer: &str, headers: &[&str]| client_address(ip(peer), &trusted, headers.iter().copied());
        assert_eq!(found("8.8.8.8", &["1.1.1.1"]), ip("8.8.8.8"), "a stranger's header means nothing");
        assert_eq!(found("10.0.0.1", &[]), ip("10.0.0.1"));
        assert_eq!(found("10.0.0.1", &["1.1.1.1"]), ip("1.1.1.1"));
        assert_eq!(found("10.0.0.1", &["9.9.9.9, 1.1.1.1, 10.0.0.2"]), ip("1.1.1.1"), "the right-most stranger");
        assert_eq!(found("10.0.0.1", &["9.9.9.9", "1.1.1.1"]), ip("1.1.1.1"), "several headers are one list");
        assert_eq!(found("10.0.0.1", &["9.9.9.9, rubbish"]), ip("10.0.0.1"));
    }
}
