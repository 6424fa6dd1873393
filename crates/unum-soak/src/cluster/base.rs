//! One PostgreSQL server under a cluster, with a wire of its own to every node.

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
    /// Where they begin.
    address: Ipv4Addr,
    proxies: Vec<Proxy>,
}

impl Base {
    /// Starts one for that many nodes. Settings of PostgreSQL can be added.
    pub(crate) async fn start(nodes: usize, settings: &[(&str, &str)]) -> anyhow::Result<Base> {
        Base::start_at(Ipv4Addr::LOCALHOST, nodes, settings).await
    }

    /// The same where nodes reach it under another address of this machine.
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

    /// How each node reaches it.
    pub(crate) fn addresses(&self) -> Vec<String> {
        let over = |proxy: &Proxy| {
            let options = format!("options=-csearch_path%3D{SCHEMA}&sslmode=disable");
            format!("postgres://postgres@{}:{}/postgres?{options}", self.address, proxy.port())
        };
        self.proxies.iter().map(over).collect()
    }

    /// The port under which a node reaches it.
    pub(crate) fn port(&self, node: usize) -> u16 {
        self.proxies[node].port()
    }

    /// Asks it something, past all proxies.
    pub(crate) fn ask(&self, sql: &str) -> anyhow::Result<String> {
        self.server.sql(&format!("SET search_path = {SCHEMA}; {sql}")).map_err(|why| anyhow!(why))
    }

    /// The journals, past all proxies.
    pub(crate) async fn journals(&self) -> anyhow::Result<Store> {
        let address = self.server.address(SCHEMA).parse().map_err(|why: String| anyhow!(why))?;
        Ok(tokio::task::spawn_blocking(move || Store::connect(&address, promises::keeping())).await??)
    }

    /// Lets every answer of the database take that much longer.
    pub(crate) fn delay(&self, by: Duration) {
        self.wires.iter().for_each(|wire| wire.back.delay(by));
    }
}
