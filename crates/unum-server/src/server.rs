//! Starts and stops a server.

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use unum_store::{Forgotten, Retention, Store, StoreError};

use crate::app::App;
use crate::config::Config;
use crate::mail::Mail;
use crate::{http, listener};

/// How often the store is searched for what nobody has touched for long.
const FORGET_EVERY: Duration = Duration::from_secs(6 * 60 * 60);

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
    /// When the database or the port cannot be had.
    pub async fn start(config: Config) -> Result<Running, StartError> {
        let (folder, ephemeral) = (config.data.clone(), config.ephemeral);
        let opening = move || if ephemeral { Store::in_memory() } else { Store::open(&folder) };
        let store = tokio::task::spawn_blocking(opening).await;
        let store = store.unwrap_or_else(|error| Err(StoreError::Io(error.to_string())))?;
        Server::start_with(config, store).await
    }

    /// Starts a server on a store that is open already.
    ///
    /// # Errors
    /// When the port cannot be had.
    pub async fn start_with(config: Config, store: Store) -> Result<Running, StartError> {
        let address = config.address();
        let listener = listener::bind(address).map_err(|error| match error.kind() {
            ErrorKind::AddrInUse => StartError::PortTaken(address),
            _ => StartError::Address { address, reason: error.to_string() },
        })?;
        let address = listener.local_addr().unwrap_or(address);
        let app = Arc::new(App::new(config, store));
        let (alive, ended) = mpsc::channel(1);
        let router = http::router(&app);
        tokio::spawn(forget_now_and_then(Arc::clone(&app)));
        let accepting = tokio::spawn(listener::listen(Arc::clone(&app), listener, router, alive));
        Ok(Running { address, app, accepting, ended })
    }
}

/// Deletes what nobody has touched for long, as long as the server runs.
async fn forget_now_and_then(app: Arc<App>) {
    let limits = &app.config.limits;
    let days = |days: u32| Some(Duration::from_secs(u64::from(days) * 24 * 60 * 60));
    let (tables, guests) = (days(limits.forget_tables_days), days(limits.forget_guests_days));
    let retention = Retention { tables, guests, records: None };
    loop {
        match app.store(move |store| store.forget(retention)).await {
            Ok(Forgotten { tables: 0, guests: 0, .. }) => {}
            Ok(Forgotten { tables, guests, .. }) => {
                tracing::info!(tables, guests, "old tables and guests are forgotten")
            }
            Err(error) => tracing::warn!(%error, "old tables could not be deleted"),
        }
        if timeout(FORGET_EVERY, app.stopped()).await.is_ok() {
            return;
        }
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
        usize::try_from(self.app.metrics.tables.get()).unwrap_or(0)
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
            // A table that has ended already needs not be told.
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
