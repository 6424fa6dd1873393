//! Network namespaces: to the network, every node is a machine of its own, on a bridge with the database. The kernel
//! drops the packets of a cut, handshakes included. Needs root, `ip` and `nft`.

use std::io::Write as _;
use std::net::Ipv4Addr;
use std::process::{Command, Stdio};

use anyhow::{Context as _, ensure};

/// The port at which nodes reach each other.
pub(crate) const NODE_PORT: u16 = 7500;

/// A network with a namespace for every node, until it is dropped.
#[derive(Debug)]
pub(crate) struct Network {
    /// The prefix of its parts' names.
    name: String,
    /// The third number of its addresses.
    third: u8,
    nodes: usize,
}

/// A peer from which a node is cut off.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peers<'a> {
    pub(crate) addresses: &'a [Ipv4Addr],
    /// Whether what the node sends is dropped.
    pub(crate) out: bool,
    /// Whether what is sent to the node is dropped.
    pub(crate) into: bool,
}

/// What a network needs and is missing, in words.
pub(crate) fn missing() -> Option<&'static str> {
    let runs = |program: &str, argument: &str| {
        let mut command = Command::new(program);
        let status = command.arg(argument).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    };
    if !runs("ip", "-V") || !runs("nft", "--version") {
        return Some("ip or nft is not installed (Debian: apt-get install iproute2 nftables)");
    }
    (!runs("ip", "netns") || !rustix::process::geteuid().is_root()).then_some("network namespaces need root")
}

impl Network {
    /// Creates a network for a number of nodes.
    pub(crate) fn start(nodes: usize) -> anyhow::Result<Network> {
        let own = std::process::id();
        let network = Network { name: format!("unum{own}"), third: (own % 250) as u8, nodes };
        let bridge = network.name.clone();
        ip(&["link", "add", &bridge, "type", "bridge"])?;
        ip(&["addr", "add", &format!("{}/24", network.home()), "dev", &bridge])?;
        ip(&["link", "set", &bridge, "up"])?;
        for node in 0..nodes {
            let (space, cable) = (network.space(node), format!("{bridge}v{node}"));
            ip(&["netns", "add", &space])?;
            ip(&["link", "add", &cable, "type", "veth", "peer", "name", "eth0", "netns", &space])?;
            ip(&["link", "set", &cable, "master", &bridge, "up"])?;
            ip(&["-n", &space, "addr", "add", &format!("{}/24", network.address(node)), "dev", "eth0"])?;
            ip(&["-n", &space, "link", "set", "lo", "up"])?;
            ip(&["-n", &space, "link", "set", "eth0", "up"])?;
            network.rule(node, "")?;
        }
        Ok(network)
    }

    /// Where the driver, its clients and the database are.
    pub(crate) fn home(&self) -> Ipv4Addr {
        Ipv4Addr::new(10, 213, self.third, 1)
    }

    pub(crate) fn address(&self, node: usize) -> Ipv4Addr {
        Ipv4Addr::new(10, 213, self.third, 10 + node as u8)
    }

    /// The namespace of a node.
    pub(crate) fn space(&self, node: usize) -> String {
        format!("{}n{node}", self.name)
    }

    /// Cuts a node off from the database, at that port, and from other nodes. Everything else, such as its clients,
    /// stays connected.
    pub(crate) fn cut(&self, node: usize, database: (u16, Peers<'_>), nodes: Peers<'_>) -> anyhow::Result<()> {
        let (port, database) = database;
        let mut rules = lines(database, |way, address, side| {
            format!("add rule inet cut {way} ip {side}addr {address} tcp {side}port {port} drop\n")
        });
        rules += &lines(nodes, |way, address, side| format!("add rule inet cut {way} ip {side}addr {address} drop\n"));
        self.rule(node, &rules)
    }

    /// Mends all cuts of a node.
    pub(crate) fn mend(&self, node: usize) -> anyhow::Result<()> {
        self.rule(node, "")
    }

    /// Replaces a node's rules.
    fn rule(&self, node: usize, rules: &str) -> anyhow::Result<()> {
        let text = format!(
            "add table inet cut\ndelete table inet cut\nadd table inet cut\n\
             add chain inet cut in {{ type filter hook input priority 0; }}\n\
             add chain inet cut out {{ type filter hook output priority 0; }}\n{rules}"
        );
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.space(node), "nft", "-f", "-"]);
        let mut child = command.stdin(Stdio::piped()).spawn().context("nft cannot be run")?;
        child.stdin.take().context("nft takes rules")?.write_all(text.as_bytes())?;
        ensure!(child.wait()?.success(), "nft refuses the rules:\n{text}");
        Ok(())
    }
}

/// A rule for each peer and direction.
fn lines(peers: Peers<'_>, rule: impl Fn(&str, Ipv4Addr, char) -> String) -> String {
    let Peers { addresses, out, into } = peers;
    let ways = [(out, "out", 'd'), (into, "in", 's')];
    let ways = ways.into_iter().filter(|(cut, ..)| *cut);
    ways.flat_map(|(_, way, side)| addresses.iter().map(move |address| (way, *address, side)))
        .map(|(way, address, side)| rule(way, address, side))
        .collect()
}

fn ip(arguments: &[&str]) -> anyhow::Result<()> {
    let done = Command::new("ip").args(arguments).output().context("ip cannot be run")?;
    ensure!(done.status.success(), "ip {}: {}", arguments.join(" "), String::from_utf8_lossy(&done.stderr).trim());
    Ok(())
}

impl Drop for Network {
    fn drop(&mut self) {
        // Virtual cables go with their namespaces. Errors only mean that a part is gone already.
        for node in 0..self.nodes {
            let _ = ip(&["netns", "del", &self.space(node)]);
        }
        let _ = ip(&["link", "del", &self.name]);
    }
}
