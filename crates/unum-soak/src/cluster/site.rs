//! The nodes of a cluster, each behind proxies that can cut it off.

use std::collections::HashMap;
use std::fs;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};
use rustix::process::Signal;
use unum_client::Server;

use super::network::{NODE_PORT, Network};
use crate::process::{ServerProcess, Surroundings, free_port, without_limits};
use crate::proxy::{Proxy, Way, Wire};

/// How long a node may take to start, to stop, or to be ready again.
const PATIENCE: Duration = Duration::from_secs(60);
/// How often that is checked.
const GLANCE: Duration = Duration::from_millis(10);
/// It is no secret: nodes on one machine use it for minutes.
const SECRET: &str = "a-secret-between-the-nodes-of-a-test";
/// How often the list of sockets is read before a connection counts as unknown.
const LOOKS: usize = 5;

/// How nodes are started.
#[derive(Clone, Debug, Default)]
pub(crate) struct Setting {
    /// The ports of the nodes; any free ones if empty.
    pub(crate) ports: Vec<u16>,
    /// Flags in addition to those of a node. If there are none, limits are off and journals are kept.
    pub(crate) flags: Option<Vec<String>>,
    /// Whether they are shielded from Ctrl-C.
    pub(crate) apart: bool,
    /// The length of leases; the default if not given.
    pub(crate) lease: Option<Duration>,
    /// The network they are on; loopback if there is none.
    pub(crate) network: Option<Arc<Network>>,
}

/// A server of the cluster.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) process: ServerProcess,
    /// How the others reach it.
    pub(crate) address: String,
    _gate: Option<Proxy>,
}

/// All nodes.
#[derive(Debug)]
pub(crate) struct Site {
    pub(crate) nodes: Vec<Node>,
    /// Wires from one node to another.
    ways: Arc<Vec<Vec<Arc<Way>>>>,
    /// The nodes' processes, by which proxies identify callers.
    processes: Arc<Mutex<Vec<u32>>>,
}

impl Site {
    /// Starts a node for each of these addresses of the database. A single one is a plain server, not a node.
    pub(crate) async fn start(
        unum: &Path,
        folder: &Path,
        databases: &[String],
        setting: &Setting,
    ) -> anyhow::Result<Site> {
        let count = databases.len();
        let row = || (0..count).map(|_| Arc::default()).collect();
        let ways: Arc<Vec<Vec<Arc<Way>>>> = Arc::new((0..count).map(|_| row()).collect());
        let mut site = Site { nodes: Vec::new(), ways, processes: Arc::default() };
        let secret = folder.join("node-secret");
        write_secret(&secret)?;
        for (number, database) in databases.iter().enumerate() {
            let mut flags = setting.flags.clone().unwrap_or_else(keeping_everything);
            flags.extend(["--database".to_owned(), database.clone()]);
            let place = setting.network.as_ref().map(|network| (network.space(number), network.address(number)));
            let port = if place.is_some() { NODE_PORT } else { free_port()? };
            let gate = if count > 1 && place.is_none() { Some(site.gate(number, port).await?) } else { None };
            let own = place.as_ref().map_or(Ipv4Addr::LOCALHOST, |(_, address)| *address);
            let address = format!("{own}:{}", gate.as_ref().map_or(port, Proxy::port));
            if count > 1 {
                let listen = format!("{own}:{port}");
                let secret = secret.display().to_string();
                let own =
                    [("--node-listen", listen), ("--node-address", address.clone()), ("--node-secret-file", secret)];
                flags.extend(own.into_iter().flat_map(|(flag, value)| [flag.to_owned(), value]));
                let lease = setting.lease.map(|lease| lease.as_secs().to_string());
                flags.extend(lease.into_iter().flat_map(|seconds| ["--lease-term".to_owned(), seconds]));
            }
            let log = Some(folder.join(format!("node-{}.log", number + 1)));
            let data = folder.join(format!("node-{}", number + 1));
            let surroundings = Surroundings { log, apart: setting.apart, place };
            let public = setting.ports.get(number).copied().map_or_else(free_port, Ok)?;
            let process = ServerProcess::launch(unum, (&data, public), flags, surroundings)?;
            site.processes().push(process.id());
            site.nodes.push(Node { process, address, _gate: gate });
        }
        for number in 0..count {
            site.is_ready(number).await?;
        }
        Ok(site)
    }

    /// The proxy through which the others reach a node, each over a wire of its own.
    async fn gate(&self, number: usize, port: u16) -> anyhow::Result<Proxy> {
        let (ways, processes) = (Arc::clone(&self.ways), Arc::clone(&self.processes));
        let choose = move |caller: u16| {
            let processes = processes.lock().unwrap_or_else(PoisonError::into_inner).clone();
            match processes.iter().position(|process| has_port(*process, caller)) {
                Some(from) => Wire { there: Arc::clone(&ways[from][number]), back: Arc::clone(&ways[number][from]) },
                // An unknown caller, such as one that has already exited.
                None => Wire::default(),
            }
        };
        Proxy::choosing(port, Box::new(choose)).await
    }

    fn processes(&self) -> std::sync::MutexGuard<'_, Vec<u32>> {
        self.processes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The addresses for clients.
    pub(crate) fn servers(&self) -> Vec<Server> {
        self.nodes.iter().map(|node| node.process.server().clone()).collect()
    }

    /// The wire from one node to another.
    pub(crate) fn way(&self, from: usize, to: usize) -> &Way {
        &self.ways[from][to]
    }

    /// Waits until a node reports that it is ready.
    pub(crate) async fn is_ready(&mut self, number: usize) -> anyhow::Result<()> {
        let begun = Instant::now();
        let node = &mut self.nodes[number];
        loop {
            if let Ok((200, _)) = node.process.server().fetch("GET", "/readyz", None, None).await {
                return Ok(());
            }
            if let Some(how) = node.process.ended()? {
                bail!("node {} ended, {how}", number + 1);
            }
            ensure!(begun.elapsed() < PATIENCE, "node {} is not ready", number + 1);
            tokio::time::sleep(GLANCE).await;
        }
    }

    /// Restarts a node that has ended.
    pub(crate) async fn revive(&mut self, number: usize) -> anyhow::Result<()> {
        self.nodes[number].process.relaunch()?;
        let process = self.nodes[number].process.id();
        self.processes()[number] = process;
        self.is_ready(number).await
    }

    /// Asks a node to stop, and waits until it has.
    pub(crate) async fn stop(&mut self, number: usize) -> anyhow::Result<()> {
        let process = &mut self.nodes[number].process;
        process.signal(Signal::TERM)?;
        let begun = Instant::now();
        while process.ended()?.is_none() {
            ensure!(begun.elapsed() < PATIENCE, "node {} does not stop", number + 1);
            tokio::time::sleep(GLANCE).await;
        }
        Ok(())
    }

    /// Which node runs each table, by its code, from the database's answer (codes with addresses).
    pub(crate) fn owners(&self, told: &str) -> HashMap<String, usize> {
        let by_address = |address: &str| self.nodes.iter().position(|node| node.address == address);
        let owner = |line: &str| {
            let (code, address) = line.split_once('|')?;
            Some((code.to_owned(), by_address(address)?))
        };
        told.lines().filter_map(owner).collect()
    }
}

/// The statement whose answer [`Site::owners`] reads.
pub(crate) const OWNERS: &str =
    "SELECT invite, address FROM tables JOIN nodes ON nodes.id = tables.node WHERE invite IS NOT NULL AND alive";

/// Switches limits off and keeps every entry.
pub(crate) fn keeping_everything() -> Vec<String> {
    let more = ["--keep-journals", "--table-megabytes", "10000", "--guest-megabytes", "10000"];
    without_limits().into_iter().chain(more.map(str::to_owned)).collect()
}

fn write_secret(path: &PathBuf) -> anyhow::Result<()> {
    fs::write(path, SECRET).with_context(|| format!("{} cannot be written", path.display()))?;
    let private = std::os::unix::fs::PermissionsExt::from_mode(0o600);
    fs::set_permissions(path, private).with_context(|| format!("{} cannot be made private", path.display()))
}

/// Whether a process has a connection from a local port.
fn has_port(process: u32, port: u16) -> bool {
    // The system lists sockets piece by piece, and misses some while others come and go.
    (0..LOOKS).any(|_| {
        let wanted: Vec<_> = inodes_of(port).iter().map(|inode| format!("socket:[{inode}]")).collect();
        let files = fs::read_dir(format!("/proc/{process}/fd")).into_iter().flatten().flatten();
        let mut targets = files.filter_map(|file| fs::read_link(file.path()).ok());
        !wanted.is_empty() && targets.any(|target| wanted.iter().any(|wanted| target.as_os_str() == wanted.as_str()))
    })
}

/// The inodes of all connections from a local port, as the system lists them: connections to different places can share a port,
/// and those that are already closed have no inode.
fn inodes_of(port: u16) -> Vec<u64> {
    let own = format!("{:08X}:{port:04X}", u32::from(Ipv4Addr::LOCALHOST).swap_bytes());
    let listed = fs::read_to_string("/proc/net/tcp").unwrap_or_default();
    let rows = listed.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let own = rows.filter(|row| row.get(1) == Some(&own.as_str()));
    own.filter_map(|row| row.get(9)?.parse().ok()).filter(|inode| *inode != 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_is_known_by_its_process() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let stream = std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let port = stream.local_addr().unwrap().port();
        assert!(has_port(std::process::id(), port));
        assert!(!has_port(1, port));
        drop(stream);
    }
}
