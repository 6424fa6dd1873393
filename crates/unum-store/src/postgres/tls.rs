//! TLS connections to PostgreSQL, by rustls.

use std::future::Future;
use std::io;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{CertificateError, ClientConfig, Error, RootCertStore};
use tokio_rustls::{TlsConnector, client};

use crate::StoreError;

/// Opens encrypted connections to servers with trusted certificates.
#[derive(Clone)]
pub(crate) struct Encrypted(TlsConnector);

impl Encrypted {
    /// Trusts the certificates in a file, or else those of the machine.
    pub(crate) fn trusting(root: Option<&Path>) -> Result<Encrypted, StoreError> {
        let unusable = |why: String| StoreError::Away(format!("no certificates can be checked: {why}"));
        let mut roots = RootCertStore::empty();
        match root {
            Some(path) => {
                let named = |error: &dyn std::fmt::Display| unusable(format!("{}: {error}", path.display()));
                for certificate in CertificateDer::pem_file_iter(path).map_err(|error| named(&error))? {
                    let certificate = certificate.map_err(|error| named(&error))?;
                    roots.add(certificate).map_err(|error| named(&error))?;
                }
            }
            None => drop(roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs)),
        }
        let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
        let builder = builder.with_safe_default_protocol_versions().map_err(|error| unusable(error.to_string()))?;
        let config = builder.with_root_certificates(roots).with_no_client_auth();
        Ok(Encrypted(TlsConnector::from(Arc::new(config))))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> MakeTlsConnect<S> for Encrypted {
    type Stream = Stream<S>;
    type TlsConnect = Connect;
    type Error = io::Error;

    fn make_tls_connect(&mut self, domain: &str) -> io::Result<Connect> {
        let name = ServerName::try_from(domain.to_owned()).map_err(io::Error::other)?;
        Ok(Connect(self.0.clone(), name))
    }
}

/// A connection before its handshake, and the name expected in the certificate.
pub(crate) struct Connect(TlsConnector, ServerName<'static>);

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> TlsConnect<S> for Connect {
    type Stream = Stream<S>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Stream<S>>> + Send>>;

    fn connect(self, stream: S) -> Self::Future {
        Box::pin(async move { self.0.connect(self.1, stream).await.map(Stream).map_err(explained) })
    }
}

/// What is wrong with a certificate, in words: the library's names for it are internal.
fn explained(error: io::Error) -> io::Error {
    let Some(Error::InvalidCertificate(why)) = error.get_ref().and_then(|inner| inner.downcast_ref()) else {
        return error;
    };
    let why = match why {
        CertificateError::UnknownIssuer => {
            "its certificate is from an authority that is not trusted here: name the authority's file with sslrootcert"
        }
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => "its certificate has expired",
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "its certificate is not valid yet"
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            "its certificate is for another name than the one in the address"
        }
        // The library has no public name for it.
        CertificateError::Other(other) if other.to_string().contains("CaUsedAsEndEntity") => {
            "its certificate is that of an authority: the server needs one signed by it"
        }
        _ => return error,
    };
    io::Error::new(error.kind(), why)
}

/// An encrypted connection.
pub(crate) struct Stream<S>(client::TlsStream<S>);

impl<S: AsyncRead + AsyncWrite + Unpin> TlsStream for Stream<S> {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Stream<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(cx, buffer)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Stream<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(cx)
    }
}
