//! A client of a table on a server (docs/protocol.md).
//!
//! [`Server`] speaks HTTP or HTTPS: signing in as a guest, opening a table. [`Client`] sits at one table over a
//! WebSocket: it numbers requests, reconnects when the connection breaks, resends what was not answered, checks that no
//! message is missing, takes part in every deal and checks that it was fair.
//!
//! ```no_run
//! # async fn example() -> Result<(), unum_client::ClientError> {
//! use unum_client::{Client, Server};
//! use unum_protocol::{Level, Request, ServerMsg, Settings};
//!
//! let server = Server::new("http://localhost:8080")?;
//! let guest = server.sign_in("Ann").await?;
//! let table = server.open_table(&guest.token, &Settings { title: "Friday".to_owned(), ..Settings::default() }).await?;
//! let mut client = Client::new(server, &guest.token, &table.code);
//! client.request(Request::AddBot { level: Level::Hard }).await;
//! loop {
//!     if let ServerMsg::Update { game: Some(game), .. } = client.next().await?.read()? {
//!         println!("on top lies {}, and there are {} choices", game.view.top, game.legal.len());
//!     }
//! }
//! # }
//! ```

#![forbid(unsafe_code)]

mod client;
mod http;
mod message;
mod pin;
mod socket;
mod stream;
mod tls;

pub use client::{Client, Link, Listener, Patience};
pub use http::Server;
pub use message::Message;
pub use pin::Fingerprint;
pub use socket::Socket;
pub use tls::Distrust;
pub use unum_witness::{Finding, Verdict, Witness};

/// Final errors. Broken connections are not among them: a [`Client`] makes new ones.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// That is not the address of a server.
    #[error("{0:?} is not the address of a server: one looks like https://uno.example.org or http://localhost:8080")]
    Address(String),
    /// The server could not be reached, or the connection broke.
    #[error("the connection to {address} failed ({source}): check the address, and that a server is running there")]
    Connection {
        /// Where to.
        address: String,
        /// Why.
        source: std::io::Error,
    },
    /// The server's certificate is not trusted, so nothing was sent.
    #[error("the certificate of {address} is not trusted: {why}")]
    Certificate {
        /// Whose.
        address: String,
        /// Why.
        why: Distrust,
    },
    /// The machine has no trusted root certificates.
    #[error("this machine trusts no certificates at all ({0}): install them, or let SSL_CERT_FILE name a file of them")]
    NobodyTrusted(String),
    /// The address says `https`, but the server does not encrypt.
    #[error("the server at {address} does not speak https: write http:// instead, if you trust the network in between")]
    NotEncrypted {
        /// Where.
        address: String,
    },
    /// The server encrypts, but the address does not say `https`.
    #[error("the server at {address} speaks https only: write https:// instead of http://")]
    Encrypted {
        /// Where.
        address: String,
    },
    /// The server is elsewhere.
    #[error("{address} is not the server's address any more: it says {to}")]
    Moved {
        /// Where it was looked for.
        address: String,
        /// Where it says to be.
        to: String,
    },
    /// The server refused an HTTP request.
    #[error("the server answered {status}: {message}")]
    Refused {
        /// The HTTP status.
        status: u16,
        /// The server's code; `None` if something else answered, such as a proxy.
        code: Option<unum_protocol::Code>,
        /// The server's sentence.
        message: String,
    },
    /// The server sent something that is not the protocol.
    #[error("the server does not keep to the protocol: {0}")]
    Protocol(String),
    /// The server closed the connection for good.
    #[error("the server closed the connection ({code}): {message}")]
    Dismissed {
        /// The server's code.
        code: unum_protocol::Code,
        /// The server's sentence.
        message: String,
    },
    /// The table does not deal fairly. [`Client::next`] can be called again to go on nevertheless.
    #[error("{0}")]
    Unfair(Verdict),
    /// Every attempt to connect failed until patience ran out.
    #[error("the server at {address} could not be reached for {seconds} seconds: {message}")]
    Unreachable {
        /// Where.
        address: String,
        /// How long.
        seconds: u64,
        /// What happened the last time.
        message: String,
    },
}

impl ClientError {
    /// Whether trying again is pointless until somebody changes something.
    pub(crate) fn is_final(&self) -> bool {
        matches!(
            self,
            ClientError::Certificate { .. } | ClientError::NobodyTrusted(_) | ClientError::NotEncrypted { .. }
        )
    }
}

/// Fresh random bytes for a part of a deal, from the operating system.
pub fn roll() -> [u8; 32] {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).expect("the operating system has randomness");
    bytes
}
