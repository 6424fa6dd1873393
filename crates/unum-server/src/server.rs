//! Starts and stops a server.

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use unum_store::lease::Terms;
use unum_store::{Store, StoreError};

use crate::app::App;
use crate::config::Config;
use crate::house::keep_house;
use crate::mail::Mail;
use crate::records::record_matches;
use crate::{http, listener};

/// A server that could not be started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Another program listens there.
    #[error("port {} is taken by another program: stop that one, or choose another port with --port", .0.port())]
    PortTaken(SocketAddr),
    /// The address cannot be listened on.
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
        "the database is used by another server, which listens on {0}: stop that one first; several servers on one database \
         are not supported yet"
    )]
    Shared(String),
    /// The file with the password cannot be read.
    #[error("{}: the file with the database's password cannot be read ({reason}): check its path and permissions", path.display())]
    Password {
        /// Which.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
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
        if config.seed.is_some() {
            if !config.ephemeral {
                return Err(StartError::Seeded);
            }
            tracing::warn!("the cards come from a seed: anybody can predict them; this server is for tests only");
        }
        // The port first: a start that fails for want of it leaves no files behind.
        let listener = listen(&config)?;
        let (wanted, address) = (config.clone(), listener.local_addr().unwrap_or(config.address()));
        let store = tokio::task::spawn_blocking(move || open(&wanted, address)).await;
        let store = store.unwrap_or_else(|error| Err(StoreError::Io(error.to_string()).into()))?;
        for path in store.exposed() {
            let path = path.display();
            tracing::warn!(%path, "other users can read this, and so the cards of running rounds: chmod go-rwx it");
        }
        Ok(Server::run(config, store, listener))
    }

    /// Starts a server on a store that is open already.
    ///
    /// # Errors
    /// When the port cannot be had.
    pub async fn start_with(config: Config, store: Store) -> Result<Running, StartError> {
        let listener = listen(&config)?;
        Ok(Server::run(config, store, listener))
    }

    fn run(config: Config, store: Store, listener: TcpListener) -> Running {
        let address = listener.local_addr().unwrap_or(config.address());
        let app = Arc::new(App::new(config, store));
        let (alive, ended) = mpsc::channel(1);
        let router = http::router(&app);
        tokio::spawn(keep_house(Arc::clone(&app)));
        tokio::spawn(record_matches(Arc::clone(&app)));
        let accepting = tokio::spawn(listener::listen(Arc::clone(&app), listener, router, alive));
        Running { address, app, accepting, ended }
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

/// Opens the store that a configuration asks for. A PostgreSQL database is told where this server listens.
fn open(config: &Config, address: SocketAddr) -> Result<Store, StartError> {
    let options = config.store_options();
    if config.ephemeral {
        return Ok(Store::in_memory_with(options)?);
    }
    let Some(database) = config.database.clone() else { return Ok(Store::open_with(&config.data, options)?) };
    let database = match &config.database_password_file {
        None => database,
        Some(path) => {
            let unreadable =
                |error: std::io::Error| StartError::Password { path: path.clone(), reason: error.to_string() };
            database.with_password(std::fs::read_to_string(path).map_err(unreadable)?.trim_end_matches(['\r', '\n']))
        }
    };
    let store = Store::connect(&database, options)?;
    claim(&store, &address.to_string(), Terms::default())?;
    Ok(store)
}

/// Joins the database as its only server. One that was killed is waited for until its lease has run out.
fn claim(store: &Store, address: &str, terms: Terms) -> Result<(), StartError> {
    store.join(address, terms)?;
    let begun = Instant::now();
    loop {
        let others = store.nodes()?.into_iter().find(|node| !node.is_this);
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
    app: Arc<App>,
    accepting: JoinHandle<()>,
    ended: mpsc::Receiver<()>,
}

impl Running {
    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// How many tables are in memory.
    pub fn tables(&self) -> usize {
        self.app.hub.count()
    }

    /// How many WebSockets are open.
    pub fn sessions(&self) -> usize {
        usize::try_from(self.app.metrics.sessions.get()).unwrap_or(0)
    }

    /// Stops in good order: no more connections, everything written, clients told to come back, all closed.
    pub async fn stop(mut self) {
        let patience = self.app.config.limits.stop_timeout;
        self.app.stopping.send_replace(true);
        let _ = timeout(patience, self.tell_tables()).await;
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

    /// Every table finishes what it writes, tells its people and leaves memory.
    async fn tell_tables(&self) {
        for mailbox in self.app.hub.stop() {
            // A table that has ended need not be told.
            let _ = mailbox.send(Mail::Stop).await;
        }
        while self.app.metrics.tables.get() > 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.app.stopping.send_replace(true);
    }
}
