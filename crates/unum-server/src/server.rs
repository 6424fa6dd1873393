//! Starts and stops a server.

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use unum_store::lease::Terms;
use unum_store::{DatabaseAddress, Store, StoreError};

use crate::admin::{self, AdminToken};
use crate::app::App;
use crate::cluster::{self, Cluster, Doors, Entry, NodeSecret};
use crate::config::Config;
use crate::house::keep_house;
use crate::mail::Mail;
use crate::outbox::Bounds;
use crate::records::record_matches;
use crate::tls::{Certificate, Tls, TlsError};
use crate::{http, listener, moderation, traces};

/// A server that could not be started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Another program listens there.
    #[error("port {} is taken by another program: stop that one, or choose another port with --port", .0.port())]
    PortTaken(SocketAddr),
    /// The address cannot be bound.
    #[error("{address} cannot be listened on ({reason}): choose another with --listen and --port")]
    Address {
        /// Which.
        address: SocketAddr,
        /// What the system says.
        reason: String,
    },
    /// The seed gives the cards away.
    #[error("a seed is for tests only, as anybody can predict the cards: it needs --ephemeral")]
    Seeded,
    /// Another server uses the PostgreSQL database.
    #[error(
        "the database is used by another server, which listens on {0}: stop that one first, or let both be nodes of a \
         cluster (--node-listen, docs/scale.md)"
    )]
    Shared(String),
    /// The configuration of a node is incomplete.
    #[error("{0}")]
    Node(String),
    /// The listener for operators cannot be had, or would be open to anybody.
    #[error("admin: {0}")]
    Admin(String),
    /// The socket that was passed on cannot be used.
    #[error("the socket that was passed on (LISTEN_FDS) cannot be used: {0}")]
    Socket(String),
    /// The data folder is something else.
    #[error("data: {} is not a folder: name a folder, which is made if it is missing", .0.display())]
    NoFolder(PathBuf),
    /// The file with a password or secret cannot be read.
    #[error("{}: the file with the {what} cannot be read ({reason}): check its path and permissions", path.display())]
    Password {
        /// What is in it.
        what: &'static str,
        /// Which.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// It cannot encrypt.
    #[error("{0}")]
    Tls(#[from] TlsError),
    /// The database cannot be used.
    #[error("{0}")]
    Store(#[from] StoreError),
}

/// A way to start servers.
#[derive(Debug)]
pub struct Server;

impl Server {
    /// Starts a server and returns when it can be connected to.
    ///
    /// # Errors
    /// When the database or the port cannot be had, or games that are kept would be dealt from a seed.
    pub async fn start(config: Config) -> Result<Running, StartError> {
        Server::start_on(config, None).await
    }

    /// The same on a socket that listens already, such as one that a supervisor keeps open between restarts.
    ///
    /// # Errors
    /// Like [`Server::start`].
    pub async fn start_on(config: Config, socket: Option<std::net::TcpListener>) -> Result<Running, StartError> {
        if config.seed.is_some() {
            if !config.ephemeral {
                return Err(StartError::Seeded);
            }
            tracing::warn!("the cards come from a seed: anybody can predict them; this server is for tests only");
        }
        // The port first: a start that fails because it is taken leaves no files behind.
        let listener = match socket {
            Some(socket) => listener::adopt(socket).map_err(|error| StartError::Socket(error.to_string()))?,
            None => listen(&config)?,
        };
        let desk = Desk::of(&config)?;
        let tls = Tls::of(&config)?;
        let (wanted, address) = (config.clone(), listener.local_addr().unwrap_or(config.address()));
        let plan = Plan::of(&config)?;
        let address = plan.as_ref().map_or_else(|| address.to_string(), |plan| plan.address.clone());
        let store = tokio::task::spawn_blocking(move || open(&wanted, &address)).await;
        let store = store.unwrap_or_else(|error| Err(StoreError::Io(error.to_string()).into()))?;
        for path in store.exposed() {
            let path = path.display();
            tracing::warn!(%path, "other users can read this, and so the cards of running rounds: chmod go-rwx it");
        }
        Ok(Server::run(config, store, listener, plan, desk, tls).await)
    }

    /// Whether a server could start with a configuration, as far as that shows without starting one: no port is taken, no
    /// database opened, nothing written. So it can be asked while a server runs.
    ///
    /// # Errors
    /// What [`Server::start`] would refuse.
    pub fn check(config: &Config) -> Result<(), StartError> {
        if config.seed.is_some() && !config.ephemeral {
            return Err(StartError::Seeded);
        }
        let kept_here = !config.ephemeral && config.database.is_empty();
        if kept_here && config.data.exists() && !config.data.is_dir() {
            return Err(StartError::NoFolder(config.data.clone()));
        }
        databases(config)?;
        Desk::token(config)?;
        Tls::check(config)?;
        if let Some(listen) = config.node_listen {
            Plan::secret(config)?;
            Plan::address(config, listen)?;
        }
        Ok(())
    }

    /// Starts a server on a store that is open already.
    ///
    /// # Errors
    /// When the port cannot be had.
    pub async fn start_with(config: Config, store: Store) -> Result<Running, StartError> {
        let listener = listen(&config)?;
        let (desk, tls) = (Desk::of(&config)?, Tls::of(&config)?);
        Ok(Server::run(config, store, listener, None, desk, tls).await)
    }

    async fn run(
        config: Config,
        store: Store,
        listener: TcpListener,
        plan: Option<Plan>,
        desk: Option<Desk>,
        tls: Option<Tls>,
    ) -> Running {
        let asked = store.clone();
        let sanctions = tokio::task::spawn_blocking(move || moderation::at_start(&asked)).await.ok().flatten();
        let address = listener.local_addr().unwrap_or(config.address());
        let (cluster, doors) = plan.map(|plan| plan.carry_out(&config, store.node())).unzip();
        let app = Arc::new(App::of_cluster(config, store, cluster.clone(), tls));
        if let Some((cluster, doors)) = cluster.zip(doors) {
            cluster.begin(&app, doors);
        }
        let (alive, ended) = mpsc::channel(1);
        app.sanctions.replace(sanctions.as_deref().unwrap_or_default());
        tokio::spawn(moderation::keep_up(Arc::clone(&app), sanctions.is_some()));
        let admin = desk.as_ref().and_then(|desk| desk.listener.local_addr().ok());
        if let Some(Desk { listener, token }) = desk {
            tokio::spawn(admin::serve(Arc::clone(&app), listener, token));
        }
        let router = http::router(&app);
        tokio::spawn(keep_house(Arc::clone(&app)));
        tokio::spawn(record_matches(Arc::clone(&app)));
        tokio::spawn(keep_certificate(Arc::clone(&app)));
        tokio::spawn(traces::export(Arc::clone(&app), alive.clone()));
        let accepting = tokio::spawn(listener::listen(Arc::clone(&app), listener, router, alive));
        Running { address, admin, app, accepting, ended }
    }
}

/// Shows a new certificate when there is one.
async fn keep_certificate(app: Arc<App>) {
    if let Some(tls) = &app.tls {
        tls.keep(&app).await;
    }
}

/// Takes the port.
fn listen(config: &Config) -> Result<TcpListener, StartError> {
    let address = config.address();
    listener::bind(address).map_err(|error| match error.kind() {
        ErrorKind::AddrInUse => StartError::PortTaken(address),
        _ => StartError::Address { address, reason: error.to_string() },
    })
}

/// Where operators reach a server.
struct Desk {
    listener: TcpListener,
    token: Option<AdminToken>,
}

impl Desk {
    /// What a configuration asks for; `None` if operators cannot reach the server.
    fn of(config: &Config) -> Result<Option<Desk>, StartError> {
        let token = Desk::token(config)?;
        let Some(address) = config.admin else { return Ok(None) };
        let listener = listener::bind(address).map_err(|error| {
            StartError::Admin(format!("{address} cannot be listened on ({error}): choose another with --admin"))
        })?;
        Ok(Some(Desk { listener, token }))
    }

    /// What operators have to know.
    fn token(config: &Config) -> Result<Option<AdminToken>, StartError> {
        let token = match (&config.admin_token_file, &config.admin_token) {
            (Some(path), _) => Some(AdminToken::new(&secret_in(path, "operators' token")?).map_err(StartError::Admin)?),
            (None, token) => token.clone(),
        };
        match config.admin {
            Some(address) if !address.ip().to_canonical().is_loopback() && token.is_none() => Err(StartError::Admin(
                format!("others can reach {address}: operators need a token there, in a file that --admin-token-file names"),
            )),
            None if config.metrics_token.is_some() => Err(StartError::Admin(
                "metrics_token is for the listener of operators, which has the figures now: say where it is, with --admin PORT"
                    .to_owned(),
            )),
            _ => Ok(token),
        }
    }
}

/// How a server takes part in a cluster.
struct Plan {
    listener: TcpListener,
    address: String,
    secret: NodeSecret,
}

impl Plan {
    /// What a configuration asks for; `None` if the server is alone.
    fn of(config: &Config) -> Result<Option<Plan>, StartError> {
        let Some(listen) = config.node_listen else { return Ok(None) };
        let secret = Plan::secret(config)?;
        let listener = listener::bind(listen).map_err(|error| match error.kind() {
            ErrorKind::AddrInUse => StartError::PortTaken(listen),
            _ => StartError::Address { address: listen, reason: error.to_string() },
        })?;
        let address = Plan::address(config, listener.local_addr().unwrap_or(listen))?;
        Ok(Some(Plan { listener, address, secret }))
    }

    /// What all nodes know.
    fn secret(config: &Config) -> Result<NodeSecret, StartError> {
        let wrong = |message: &str| Err(StartError::Node(message.to_owned()));
        if config.database.is_empty() || config.ephemeral {
            return wrong("a node shares a PostgreSQL database with others: name it with --database");
        }
        match (&config.node_secret, &config.node_secret_file) {
            (_, Some(path)) => NodeSecret::new(&secret_in(path, "secret of the nodes")?).map_err(StartError::Node),
            (Some(secret), None) => Ok(secret.clone()),
            (None, None) => wrong("a node needs the secret that all nodes share: --node-secret-file"),
        }
    }

    /// How other nodes reach one that listens there.
    fn address(config: &Config, bound: SocketAddr) -> Result<String, StartError> {
        match &config.node_address {
            Some(address) => Ok(address.clone()),
            None if bound.ip().is_unspecified() => {
                Err(StartError::Node("say how other nodes reach this one, with --node-address HOST:PORT".to_owned()))
            }
            None => Ok(bound.to_string()),
        }
    }

    fn carry_out(self, config: &Config, node: u64) -> (Arc<Cluster>, Doors) {
        let Plan { listener, address, secret } = self;
        let bounds = Bounds { messages: config.limits.queue_messages, bytes: config.limits.queue_bytes };
        Cluster::new(Entry { node, address, secret, terms: terms(config), bounds, listener })
    }
}

fn terms(config: &Config) -> Terms {
    config.lease_term.map_or_else(Terms::default, |term| Terms { term })
}

/// The first line of a file with a secret.
fn secret_in(path: &Path, what: &'static str) -> Result<String, StartError> {
    let unreadable =
        |error: std::io::Error| StartError::Password { what, path: path.to_owned(), reason: error.to_string() };
    Ok(std::fs::read_to_string(path).map_err(unreadable)?.trim_end_matches(['\r', '\n']).to_owned())
}

/// Opens the store that a configuration asks for. A PostgreSQL database is told where this server listens.
fn open(config: &Config, address: &str) -> Result<Store, StartError> {
    let options = config.store_options();
    if config.ephemeral {
        return Ok(Store::in_memory_with(options)?);
    }
    if config.database.is_empty() {
        return Ok(Store::open_with(&config.data, options)?);
    }
    let store = Store::connect_all(&databases(config)?, options)?;
    claim(&store, address, terms(config), config.node_listen.is_none())?;
    Ok(store)
}

/// The databases of a configuration, with their passwords.
///
/// # Errors
/// When the file with the password cannot be read.
pub fn databases(config: &Config) -> Result<Vec<DatabaseAddress>, StartError> {
    let Some(path) = &config.database_password_file else { return Ok(config.database.clone()) };
    let password = secret_in(path, "database's password")?;
    Ok(config.database.iter().map(|database| database.clone().with_password(&password)).collect())
}

/// Joins the database, alone or as one of several nodes. One that is not a node but was killed is waited for until its
/// lease has run out.
fn claim(store: &Store, address: &str, terms: Terms, is_alone: bool) -> Result<(), StartError> {
    store.join(address, terms)?;
    let begun = Instant::now();
    loop {
        let others = store.nodes()?.into_iter().find(|node| !node.is_this && (is_alone || node.is_alone));
        let Some(other) = others else { return Ok(()) };
        if begun.elapsed() > terms.term * 3 {
            store.leave()?;
            return Err(StartError::Shared(other.address));
        }
        std::thread::sleep(terms.renewed_every());
    }
}

/// A server that runs until it is stopped or dropped.
#[derive(Debug)]
pub struct Running {
    address: SocketAddr,
    admin: Option<SocketAddr>,
    app: Arc<App>,
    accepting: JoinHandle<()>,
    ended: mpsc::Receiver<()>,
}

impl Running {
    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where operators reach it, if they do.
    pub fn admin_address(&self) -> Option<SocketAddr> {
        self.admin
    }

    /// What people need to know about its certificate; `None` if it does not encrypt.
    pub fn certificate(&self) -> Option<Certificate> {
        self.app.tls.as_ref().map(Tls::certificate)
    }

    /// How many tables are in memory.
    pub fn tables(&self) -> usize {
        self.app.hub.count()
    }

    /// How many WebSockets are open.
    pub fn sessions(&self) -> usize {
        usize::try_from(self.app.metrics.sessions.get()).unwrap_or(0)
    }

    /// Shuts down gracefully: no new connections, everything written, clients told to come back, all closed.
    pub async fn stop(mut self) {
        let patience = self.app.config.limits.stop_timeout;
        if let Some(cluster) = &self.app.hub.cluster {
            self.drain(cluster).await;
        }
        self.app.stopping.send_replace(true);
        let _ = timeout(patience, self.tell_tables()).await;
        self.app.over.send_replace(true);
        if let Some(cluster) = &self.app.hub.cluster {
            cluster.hang_up();
        }
        let _ = timeout(patience, self.ended.recv()).await;
        let _ = (&mut self.accepting).await;
        let store = self.app.store.clone();
        // Closing waits for the disk.
        let _ = tokio::task::spawn_blocking(move || {
            // Others need not wait for the lease to run out.
            let _ = store.leave();
            store.close();
        })
        .await;
    }

    /// A stopping node says so, hands its tables over, and keeps relaying to them for a while, until load balancers
    /// send nobody here any more.
    async fn drain(&self, cluster: &Cluster) {
        let until = Instant::now() + self.app.config.drain_time;
        self.app.draining.store(true, Ordering::Relaxed);
        // If the database is unreachable, the others notice soon enough.
        let _ = self.app.store(|store| store.drain()).await;
        let _ = timeout(self.app.config.limits.stop_timeout, cluster.give_all_away(&self.app)).await;
        tokio::time::sleep_until(until.into()).await;
    }

    /// Every table finishes what it writes, tells its people and leaves memory. A node gives away what has come to it
    /// meanwhile, and then lets those go who are connected to it.
    async fn tell_tables(&self) {
        let Some(cluster) = &self.app.hub.cluster else {
            for mailbox in self.app.hub.stop() {
                // A table that has ended need not be told.
                let _ = mailbox.send(Mail::Stop).await;
            }
            return self.wait_for(|| self.app.metrics.tables.get() == 0).await;
        };
        // What was asked for over HTTP before is answered.
        let _ = timeout(Duration::from_secs(1), self.wait_for(|| self.app.metrics.answering.get() == 0)).await;
        let mailboxes = self.app.hub.stop();
        cluster.give_all_away(&self.app).await;
        cluster::stop_all(&mailboxes).await;
        self.wait_for(|| self.app.metrics.tables.get() == 0).await;
    }

    async fn wait_for(&self, is_over: impl Fn() -> bool) {
        while !is_over() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.app.stopping.send_replace(true);
        self.app.over.send_replace(true);
    }
}
