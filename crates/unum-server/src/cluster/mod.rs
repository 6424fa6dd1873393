//! Several servers (nodes) on one database: links between them, relays for tables that another node runs, and what a
//! node knows of the cluster. The leases in the database alone decide which node runs a table.

mod frame;
mod handshake;
mod link;
mod owner;
mod relay;
mod sharing;
mod tenure;

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Mutex as Turn, Semaphore, mpsc};
use tokio::time::timeout;
use unum_protocol::node::{End, Open};
use unum_protocol::rest::Listing;
use unum_store::lease::{NodeRow, NodeState, Terms};
use unum_store::{Store, StoreError};
use unum_table::GuestId;

use crate::app::App;
use crate::http::Packed;
use crate::outbox::Bounds;
use link::Opened;
use sharing::Pass;

pub(crate) use link::{Credit, Link};
pub(crate) use relay::Relay;
pub(crate) use sharing::stop_all;

/// The time limit for dialing and authentication.
const GREETING: Duration = Duration::from_secs(3);
/// Connections that may be in authentication at the same time.
const GREETINGS: usize = 64;
/// How soon an unreachable node is tried again.
const AGAIN: Duration = Duration::from_millis(200);
/// How long a node may take to count a guest's connections.
const COUNTING: Duration = Duration::from_millis(500);
/// How old the list of public tables may be.
const FRESH: Duration = Duration::from_secs(1);
/// Public tables read at most (the newest), and listed at most.
const LOOKED_AT: u32 = 1000;
const LISTED: usize = 200;

/// A secret that is never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct NodeSecret(String);

impl NodeSecret {
    /// A secret of at least 16 characters.
    ///
    /// # Errors
    /// When it is shorter.
    pub fn new(text: &str) -> Result<NodeSecret, String> {
        let text = text.trim();
        if text.len() < 16 {
            return Err("a secret of at least 16 characters, the same on every node".to_owned());
        }
        Ok(NodeSecret(text.to_owned()))
    }
}

impl fmt::Debug for NodeSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NodeSecret(…)")
    }
}

/// What a node knows of the others.
#[derive(Debug)]
pub(crate) struct Cluster {
    /// This node.
    node: u64,
    /// The address at which the others reach it.
    pub(crate) address: String,
    secret: NodeSecret,
    pub(crate) terms: Terms,
    bounds: Bounds,
    peers: Mutex<HashMap<u64, Arc<Peer>>>,
    opened: mpsc::UnboundedSender<(Arc<Link>, Opened)>,
    passes: mpsc::UnboundedSender<Pass>,
    /// The nodes as last read.
    nodes: Mutex<Vec<NodeRow>>,
    list: Turn<Option<Listed>>,
}

/// Another node.
#[derive(Debug, Default)]
struct Peer {
    link: Mutex<Option<Arc<Link>>>,
    /// Held while it is dialed. Holds the time of the last failure.
    dialing: Turn<Option<Instant>>,
}

impl Peer {
    fn link(&self) -> Option<Arc<Link>> {
        let link = self.link.lock().unwrap_or_else(PoisonError::into_inner);
        link.as_ref().filter(|link| !link.is_closed()).map(Arc::clone)
    }

    fn keep(&self, link: &Arc<Link>) {
        *self.link.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(link));
    }
}

/// The public tables of the cluster.
#[derive(Debug)]
struct Listed {
    at: Instant,
    packed: Packed,
    listings: Vec<Listing>,
}

/// How a node takes part.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) node: u64,
    pub(crate) address: String,
    pub(crate) secret: NodeSecret,
    pub(crate) terms: Terms,
    pub(crate) bounds: Bounds,
    pub(crate) listener: TcpListener,
}

/// A node about to start: its socket, and the channel of streams that other nodes open.
#[derive(Debug)]
pub(crate) struct Doors {
    listener: TcpListener,
    opened: mpsc::UnboundedReceiver<(Arc<Link>, Opened)>,
    passes: mpsc::UnboundedReceiver<Pass>,
}

impl Cluster {
    pub(crate) fn new(entry: Entry) -> (Arc<Cluster>, Doors) {
        let Entry { node, address, secret, terms, bounds, listener } = entry;
        let (sender, opened) = mpsc::unbounded_channel();
        let (passes, asked) = mpsc::unbounded_channel();
        let cluster = Cluster {
            node,
            address,
            secret,
            terms,
            bounds,
            peers: Mutex::default(),
            opened: sender,
            passes,
            nodes: Mutex::default(),
            list: Turn::default(),
        };
        (Arc::new(cluster), Doors { listener, opened, passes: asked })
    }

    /// Starts to take part: accepts other nodes, serves their streams, watches the leases.
    pub(crate) fn begin(self: &Arc<Self>, app: &Arc<App>, doors: Doors) {
        let Doors { listener, opened, passes } = doors;
        tokio::spawn(Arc::clone(self).listen(Arc::clone(app), listener));
        tokio::spawn(owner::serve(Arc::clone(app), opened));
        tokio::spawn(sharing::pass_leases(Arc::clone(app), passes));
        tokio::spawn(tenure::watch(Arc::clone(app), Arc::clone(self)));
        tokio::spawn(Arc::clone(self).look_around(Arc::clone(app)));
    }

    /// How long a table waits for an unreachable node: until its lease has run out.
    pub(crate) fn patience(&self) -> Duration {
        self.terms.term * 2 + Duration::from_secs(5)
    }

    /// The link to a node, opened if there is none.
    pub(crate) async fn link(&self, node: u64, address: &str) -> Option<Arc<Link>> {
        if node == self.node || address.is_empty() {
            return None;
        }
        let peer = Arc::clone(self.peers().entry(node).or_default());
        if let Some(link) = peer.link() {
            return Some(link);
        }
        let mut failed = peer.dialing.lock().await;
        if let Some(link) = peer.link() {
            return Some(link);
        }
        if failed.is_some_and(|at| at.elapsed() < AGAIN) {
            return None;
        }
        let dialed = timeout(GREETING, self.dial(node, address)).await;
        match dialed.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into())) {
            Ok(link) => {
                *failed = None;
                peer.keep(&link);
                Some(link)
            }
            Err(error) => {
                tracing::warn!(%error, address, "another node cannot be reached");
                *failed = Some(Instant::now());
                None
            }
        }
    }

    async fn dial(&self, node: u64, address: &str) -> io::Result<Arc<Link>> {
        let mut socket = TcpStream::connect(address).await?;
        socket.set_nodelay(true)?;
        let found = handshake::dial(&mut socket, self.node, &self.secret.0).await?;
        if found != node {
            return Err(frame::wrong("another node has that address now"));
        }
        Ok(Link::start(socket, node, true, self.bounds, self.opened.clone()))
    }

    /// Accepts other nodes that know the secret.
    async fn listen(self: Arc<Self>, app: Arc<App>, listener: TcpListener) {
        let room = Arc::new(Semaphore::new(GREETINGS));
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                () = app.ended() => return,
            };
            let Ok((socket, from)) = accepted else {
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            let Ok(permit) = Arc::clone(&room).try_acquire_owned() else { continue };
            let (cluster, app) = (Arc::clone(&self), Arc::clone(&app));
            tokio::spawn(async move {
                let _permit = permit;
                cluster.admit(&app, socket, from).await;
            });
        }
    }

    async fn admit(&self, app: &App, mut socket: TcpStream, from: SocketAddr) {
        // Without it, answers are only slower.
        let _ = socket.set_nodelay(true);
        let greeted = timeout(GREETING, handshake::answer(&mut socket, self.node, &self.secret.0)).await;
        match greeted.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into())) {
            Ok(node) => {
                let link = Link::start(socket, node, false, self.bounds, self.opened.clone());
                let peer = Arc::clone(self.peers().entry(node).or_default());
                if peer.link().is_none() {
                    peer.keep(&link);
                }
            }
            Err(error) => {
                app.metrics.refused_nodes.one();
                tracing::warn!(%error, %from, "a connection to the port for nodes was refused");
            }
        }
    }

    /// Reads the list of nodes from time to time, and gives them their share of the tables.
    async fn look_around(self: Arc<Self>, app: Arc<App>) {
        let mut looks = 0;
        loop {
            if let Ok(nodes) = app.store(|store| store.nodes()).await {
                self.peers().retain(|node, peer| peer.link().is_some() || nodes.iter().any(|row| row.id == *node));
                *self.lock(&self.nodes) = nodes;
                if !app.config.hold_tables {
                    self.share(&app, &mut looks).await;
                }
            }
            if timeout(self.terms.renewed_every(), app.ended()).await.is_ok() {
                return;
            }
        }
    }

    /// The nodes as last read.
    pub(crate) fn nodes(&self) -> Vec<NodeRow> {
        self.lock(&self.nodes).clone()
    }

    /// The number of links, and of the streams on them.
    pub(crate) fn traffic(&self) -> (usize, usize) {
        let links: Vec<Arc<Link>> = self.peers().values().filter_map(|peer| peer.link()).collect();
        (links.len(), links.iter().map(|link| link.streams_open()).sum())
    }

    /// The cluster's figures, as far as this node knows.
    pub(crate) fn write_figures(&self, text: &mut String) {
        let nodes = self.nodes();
        let (links, streams) = self.traffic();
        let draining = nodes.iter().filter(|node| node.state == NodeState::Draining).count();
        let own = nodes.iter().find(|node| node.id == self.node);
        let values = [
            nodes.len() as f64,
            draining as f64,
            nodes.iter().map(|node| node.tables).sum::<u64>() as f64,
            own.map_or(0, |node| node.tables) as f64,
            own.map_or(0.0, |node| node.silent_for.as_secs_f64()),
            links as f64,
            streams as f64,
        ];
        crate::metrics::write_each(text, &crate::metrics::CLUSTER, values);
    }

    /// Has all nodes end a guest's connections. Does not wait for unreachable nodes.
    pub(crate) fn sign_out(self: &Arc<Self>, guest: GuestId) {
        self.tell_all(Open::SignOut { guest: guest.0 });
    }

    /// Tells all other nodes something that needs no answer. Does not wait for unreachable nodes.
    pub(crate) fn tell_all(self: &Arc<Self>, what: Open) {
        for node in self.nodes().into_iter().filter(|node| node.id != self.node) {
            let (cluster, what) = (Arc::clone(self), what.clone());
            tokio::spawn(async move {
                if let Some(link) = cluster.link(node.id, &node.address).await {
                    // No answer is needed.
                    let _ = link.ask(&what);
                }
            });
        }
    }

    /// This node.
    pub(crate) fn node(&self) -> u64 {
        self.node
    }

    /// The number of connections a guest has at other nodes. A node that does not answer in time counts as none.
    pub(crate) async fn connections_of(&self, guest: GuestId) -> usize {
        let ask = async |node: NodeRow| {
            let link = self.link(node.id, &node.address).await?;
            let told = link.ask(&Open::Connections { guest: guest.0 }).ok()?;
            match timeout(COUNTING, told).await {
                Ok(Ok(End::Count { count })) => Some(count),
                _ => None,
            }
        };
        let others = self.nodes().into_iter().filter(|node| node.id != self.node);
        join_all(others.map(ask)).await.into_iter().flatten().sum()
    }

    /// The public tables that nodes run, as JSON, with the most people first. At most a second old.
    pub(crate) async fn public(&self, app: &App) -> Result<Packed, StoreError> {
        let mut list = self.list.lock().await;
        Ok(self.refreshed(app, &mut list).await?.packed.clone())
    }

    /// A public table's entry in the list.
    pub(crate) async fn listed(&self, app: &App, code: &str) -> Option<Listing> {
        let mut list = self.list.lock().await;
        let listed = self.refreshed(app, &mut list).await.ok()?;
        listed.listings.iter().find(|listing| listing.code == code).cloned()
    }

    async fn refreshed<'a>(&self, app: &App, list: &'a mut Option<Listed>) -> Result<&'a Listed, StoreError> {
        match list.take().filter(|listed| listed.at.elapsed() < FRESH) {
            Some(listed) => Ok(list.insert(listed)),
            None => {
                let listings = app.store(public_tables).await?;
                let packed = Packed::of(&listings.iter().take(LISTED).collect::<Vec<_>>());
                Ok(list.insert(Listed { at: Instant::now(), packed, listings }))
            }
        }
    }

    /// Ends all links.
    pub(crate) fn hang_up(&self) {
        let links: Vec<Arc<Link>> = self.peers().values().filter_map(|peer| peer.link()).collect();
        links.iter().for_each(|link| link.close());
    }

    fn peers(&self) -> MutexGuard<'_, HashMap<u64, Arc<Peer>>> {
        self.lock(&self.peers)
    }

    fn lock<'a, T>(&self, what: &'a Mutex<T>) -> MutexGuard<'a, T> {
        what.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The public tables as the database has them, with the most people first.
fn public_tables(store: &Store) -> Result<Vec<Listing>, StoreError> {
    let rows = store.running(LOOKED_AT)?;
    let listing = |row: &unum_store::TableRow| serde_json::from_str::<Listing>(row.listing.as_deref()?).ok();
    let mut listings: Vec<Listing> = rows.iter().filter_map(listing).collect();
    listings.sort_by(|a, b| b.people.cmp(&a.people).then_with(|| a.code.cmp(&b.code)));
    Ok(listings)
}
