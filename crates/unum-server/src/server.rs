//! Starts and stops a server.

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::timeout;
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
        let (folder, ephemeral, options) = (config.data.clone(), config.ephemeral, config.store_options());
        let opening =
            move || if ephemeral { Store::in_memory_with(options) } else { Store::open_with(&folder, options) };
        let store = tokio::task::spawn_blocking(opening).await;
        let store = store.unwrap_or_else(|error| Err(StoreError::Io(error.to_string())))?;
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
        let _ = tokio::task::spawn_blocking(move || store.close()).await;
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
