//! TLS inside the server: which certificate is shown, and how connections are encrypted.

mod files;
mod own;
mod sealed;
mod stream;
mod validity;

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};

use sha2::{Digest as _, Sha256};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;

use crate::app::App;
use crate::config::Config;

pub(crate) use sealed::Sealed;
pub(crate) use stream::Transport;

/// How a TLS connection begins; anything else is not encrypted.
pub(crate) const HANDSHAKE: u8 = 0x16;

/// Why there can be no TLS.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A certificate without its key, or the other way round.
    #[error("tls_cert and tls_key belong together: set both, or neither")]
    Half,
    /// Two certificates.
    #[error("tls_self_made makes a certificate of its own: leave it out, or leave out tls_cert and tls_key")]
    Both,
    /// An address that says something else.
    #[error("public_url begins with http://, but the server would encrypt: write https:// there")]
    PlainUrl,
    /// A file cannot be read.
    #[error("{}: the file with the {what} cannot be read ({reason}): check its path and permissions", path.display())]
    Unreadable {
        /// What is in it.
        what: &'static str,
        /// Which.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// A file has something else in it.
    #[error("{}: there is no {what} in this file: it has to be in PEM, with lines such as -----BEGIN {label}-----", path.display())]
    Empty {
        /// What should be in it.
        what: &'static str,
        /// How that begins.
        label: &'static str,
        /// Which.
        path: PathBuf,
    },
    /// The key is another certificate's.
    #[error("{}: this key does not belong to the certificate in {}", key.display(), cert.display())]
    Mismatch {
        /// The file with the key.
        key: PathBuf,
        /// The file with the certificate.
        cert: PathBuf,
    },
    /// The library refuses it.
    #[error("{}: it cannot be used ({reason}): renew the certificate with a key of a usual kind (ECDSA, Ed25519, RSA)", path.display())]
    Unusable {
        /// Which.
        path: PathBuf,
        /// What the library says.
        reason: String,
    },
    /// The server's own authority is damaged.
    #[error(
        "{}: the certificate that this server made for itself cannot be used ({reason}): remove that folder to have a new one, \
         which every phone has to trust again",
        folder.display()
    )]
    Own {
        /// Where it is.
        folder: PathBuf,
        /// What is wrong.
        reason: String,
    },
}

/// What people need to know about the certificate of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The SHA-256 of the certificate, or of the authority behind a self-made one.
    pub fingerprint: [u8; 32],
    /// Whether the server made it, so that it has to be trusted by hand.
    pub is_self_made: bool,
}

/// The fingerprint by which a program on the same machine knows the server that runs with a configuration; `None` if nothing
/// is encrypted, or the certificate is kept nowhere.
///
/// # Errors
/// When the files cannot be read.
pub fn fingerprint_of(config: &Config) -> Result<Option<[u8; 32]>, TlsError> {
    match (&config.tls_cert, &config.tls_key) {
        (Some(cert), Some(key)) => {
            let key = files::Files::new(cert, key).load()?;
            Ok(key.cert.first().map(|certificate| digest(certificate)))
        }
        _ if config.tls_self_made => own::fingerprint_of(config),
        _ => Ok(None),
    }
}

fn digest(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// The certificate that is shown from now on.
#[derive(Debug)]
struct Shown(RwLock<Arc<CertifiedKey>>);

impl Shown {
    fn new(key: CertifiedKey) -> Arc<Shown> {
        Arc::new(Shown(RwLock::new(Arc::new(key))))
    }

    fn replace(&self, key: CertifiedKey) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(key);
    }
}

impl ResolvesServerCert for Shown {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner)))
    }
}

/// Where the certificate comes from.
#[derive(Debug)]
enum Source {
    Files(files::Files),
    Own(Box<own::Own>),
}

/// Encrypts connections.
pub(crate) struct Tls {
    shown: Arc<Shown>,
    acceptor: TlsAcceptor,
    source: Source,
}

impl std::fmt::Debug for Tls {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tls").field("source", &self.source).finish_non_exhaustive()
    }
}

impl Tls {
    /// What a configuration asks for; `None` if nothing is encrypted. A self-made certificate is made if there is none yet.
    pub(crate) fn of(config: &Config) -> Result<Option<Tls>, TlsError> {
        Tls::check_settings(config)?;
        let (key, source) = match (&config.tls_cert, &config.tls_key) {
            (Some(cert), Some(key)) => {
                let files = files::Files::new(cert, key);
                (files.load()?, Source::Files(files))
            }
            _ if config.tls_self_made => {
                let own = own::Own::of(config)?;
                (own.certified()?, Source::Own(Box::new(own)))
            }
            _ => return Ok(None),
        };
        let shown = Shown::new(key);
        Ok(Some(Tls { acceptor: acceptor(Arc::clone(&shown)), shown, source }))
    }

    /// What [`Tls::of`] would refuse, as far as that shows without making anything.
    pub(crate) fn check(config: &Config) -> Result<(), TlsError> {
        Tls::check_settings(config)?;
        match (&config.tls_cert, &config.tls_key) {
            (Some(cert), Some(key)) => files::Files::new(cert, key).load().map(drop),
            _ if config.tls_self_made => own::check(config),
            _ => Ok(()),
        }
    }

    fn check_settings(config: &Config) -> Result<(), TlsError> {
        let named = (config.tls_cert.is_some(), config.tls_key.is_some());
        let encrypts = named.0 || config.tls_self_made;
        match named {
            (true, false) | (false, true) => Err(TlsError::Half),
            (true, true) if config.tls_self_made => Err(TlsError::Both),
            _ if encrypts && config.public_url.as_ref().is_some_and(|url| url.starts_with("http://")) => {
                Err(TlsError::PlainUrl)
            }
            _ => Ok(()),
        }
    }

    /// What people need to know about the certificate.
    pub(crate) fn certificate(&self) -> Certificate {
        match &self.source {
            Source::Own(own) => Certificate { fingerprint: own.fingerprint(), is_self_made: true },
            Source::Files(_) => {
                let shown = Arc::clone(&self.shown.0.read().unwrap_or_else(PoisonError::into_inner));
                let first = shown.cert.first().map(|certificate| digest(certificate));
                Certificate { fingerprint: first.unwrap_or_default(), is_self_made: false }
            }
        }
    }

    /// The certificate of the server's own authority, in PEM, for people to trust; `None` if it has none.
    pub(crate) fn authority(&self) -> Option<&str> {
        match &self.source {
            Source::Own(own) => Some(own.authority()),
            Source::Files(_) => None,
        }
    }

    /// The server's side of the handshake.
    ///
    /// # Errors
    /// When the client does not keep to the protocol, or does not trust the certificate.
    pub(crate) async fn accept(&self, stream: TcpStream) -> io::Result<Transport> {
        if let Source::Own(own) = &self.source {
            // A self-made certificate is for every address under which this machine was reached.
            let local = stream.local_addr().map(|address| address.ip()).ok();
            if let Some(key) = own.renewed(local) {
                self.shown.replace(key);
            }
        }
        self.acceptor.accept(stream).await.map(|stream| Transport::Encrypted(Box::new(stream)))
    }

    /// Looks after the files until the server stops.
    pub(crate) async fn keep(&self, app: &App) {
        if let Source::Files(files) = &self.source {
            files.watch(&self.shown, app).await;
        }
    }
}

fn acceptor(shown: Arc<Shown>) -> TlsAcceptor {
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let config = config.with_safe_default_protocol_versions().expect("the provider knows the versions it comes with");
    let mut config = config.with_no_client_auth().with_cert_resolver(shown);
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    TlsAcceptor::from(Arc::new(config))
}
