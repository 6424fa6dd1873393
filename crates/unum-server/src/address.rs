//! Who is at the other end: addresses as limits count them, networks, and what a trusted proxy says.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};
use std::str::FromStr;

/// An address as limits count it: a whole one of IPv4, the first 64 bits of one of IPv6, since a household or a
/// machine has all the rest of those.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct AddressKey(IpAddr);

impl AddressKey {
    /// The key of an address.
    pub(crate) fn of(address: IpAddr) -> AddressKey {
        match address.to_canonical() {
            IpAddr::V6(address) => {
                AddressKey(IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX))))
            }
            address => AddressKey(address),
        }
    }
}

/// A range of addresses, written `10.0.0.0/8`; a single address is a range of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    length: u8,
}

impl Network {
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

/// The address of a client: the peer's own, unless the peer is a trusted proxy. Then the right-most address of the
/// `X-Forwarded-For` headers that is not a trusted proxy counts: what stands left of it could be the client's invention.
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
