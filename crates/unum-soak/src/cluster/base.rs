//! One PostgreSQL server for a cluster, reached by every node through a proxy of its own.

use std::net::Ipv4Addr;
use std::time::Duration;

use anyhow::anyhow;
use unum_scratch::{Care, Scratch};
use unum_store::Store;

use crate::promises;
use crate::proxy::{Proxy, Wire};

/// The schema of the tables.
const SCHEMA: &str = "unum";

/// The database.
#[derive(Debug)]
pub(crate) struct Base {
    pub(crate) server: Scratch,
    /// One for every node.
    pub(crate) wires: Vec<Wire>,
    /// The address of the proxies.
    address: Ipv4Addr,
    proxies: Vec<Proxy>,
}

impl Base {
    /// Starts one for a number of nodes, with additional settings of PostgreSQL.
    pub(crate) async fn start(nodes: usize, settings: &[(&str, &str)]) -> anyhow::Result<Base> {
        Base::start_at(Ipv4Addr::LOCALHOST, nodes, settings).await
    }

    /// The same, reached by nodes at another address of this machine.
    pub(crate) async fn start_at(address: Ipv4Addr, nodes: usize, settings: &[(&str, &str)]) -> anyhow::Result<Base> {
        let server = tokio::task::spawn_blocking(|| Scratch::start(Care::Synced)).await?.map_err(|why| anyhow!(why))?;
        for (name, value) in settings {
            server.set(name, value)?;
        }
        if !settings.is_empty() {
            server.crash().and_then(|()| server.begin()).map_err(|why| anyhow!(why))?;
        }
        server.sql(&format!("CREATE SCHEMA {SCHEMA}")).map_err(|why| anyhow!(why))?;
        let (mut wires, mut proxies) = (Vec::new(), Vec::new());
        for _ in 0..nodes {
            let wire = Wire::default();
            proxies.push(Proxy::at(address, &wire, server.port()).await?);
            wires.push(wire);
        }
        Ok(Base { server, wires, address, proxies })
    }

    /// The address each node uses.
    pub(crate) fn addresses(&self) -> Vec<String> {
        let over = |proxy: &Proxy| {
            let options = format!("options=-csearch_path%3D{SCHEMA}&sslmode=disable");
            format!("postgres://postgres@{}:{}/postgres?{options}", self.address, proxy.port())
        };
        self.proxies.iter().map(over).collect()
    }

    /// The port at which a node reaches it.
    pub(crate) fn port(&self, node: usize) -> u16 {
        self.proxies[node].port()
    }

    /// Runs a query, bypassing the proxies.
    pub(crate) fn ask(&self, sql: &str) -> anyhow::Result<String> {
        self.server.sql(&format!("SET search_path = {SCHEMA}; {sql}")).map_err(|why| anyhow!(why))
    }

    /// Opens the journals, bypassing the proxies.
    pub(crate) async fn journals(&self) -> anyhow::Result<Store> {
        let address = self.server.address(SCHEMA).parse().map_err(|why: String| anyhow!(why))?;
        Ok(tokio::task::spawn_blocking(move || Store::connect(&address, promises::keeping())).await??)
    }

    /// Delays every answer of the database.
    pub(crate) fn delay(&self, by: Duration) {
        self.wires.iter().for_each(|wire| wire.back.delay(by));
    }
}
