//! A connection to a server: plain, or encrypted and with a certificate that was checked.

use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpSocket, TcpStream};
use tokio_rustls::client::TlsStream;

use crate::{ClientError, Server, tls};

/// How a TLS server answers plain text: the beginning of an alert.
const ALERT: &[u8] = &[0x15, 0x03];

/// The server answered plain text with a TLS alert.
#[derive(Debug, thiserror::Error)]
#[error("the server speaks TLS")]
pub(crate) struct SpeaksTls;

impl SpeaksTls {
    /// Whether an I/O error is this one.
    pub(crate) fn is_in(error: &io::Error) -> bool {
        error.get_ref().is_some_and(|error| error.is::<SpeaksTls>())
    }
}

/// Bytes in both directions.
#[derive(Debug)]
pub(crate) enum Stream {
    /// Plain.
    Plain {
        /// The connection.
        tcp: TcpStream,
        /// Whether the server has said anything yet.
        heard: bool,
    },
    /// Encrypted. Boxed, because a program may have thousands of the other kind.
    Encrypted(Box<TlsStream<TcpStream>>),
}

impl Stream {
    /// Connects.
    pub(crate) async fn connect(server: &Server) -> Result<Stream, ClientError> {
        let failed = |source| ClientError::Connection { address: server.authority().to_owned(), source };
        let tcp = connect(server.authority(), server.local()).await.map_err(failed)?;
        tcp.set_nodelay(true).map_err(failed)?;
        let Some(name) = server.certified_name() else { return Ok(Stream::Plain { tcp, heard: false }) };
        let connector = match server.fingerprint() {
            Some(fingerprint) => fingerprint.connector(),
            None => tls::connector()?,
        };
        let encrypted = connector.connect(name.clone(), tcp).await;
        let encrypted = encrypted.map_err(|error| tls::explained(error, server.authority()))?;
        Ok(Stream::Encrypted(Box::new(encrypted)))
    }
}

/// Connects to the first of a server's addresses that answers, from `local` if given.
async fn connect(authority: &str, local: Option<IpAddr>) -> io::Result<TcpStream> {
    let Some(local) = local else { return TcpStream::connect(authority).await };
    let mut last = io::ErrorKind::AddrNotAvailable.into();
    for address in tokio::net::lookup_host(authority).await?.filter(|found| found.is_ipv4() == local.is_ipv4()) {
        let socket = if local.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
        socket.bind((local, 0).into())?;
        match socket.connect(address).await {
            Ok(tcp) => return Ok(tcp),
            Err(error) => last = error,
        }
    }
    Err(last)
}

impl AsyncRead for Stream {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Stream::Plain { tcp, heard } => {
                let before = into.filled().len();
                ready!(Pin::new(tcp).poll_read(context, into))?;
                if !std::mem::replace(heard, true) && into.filled()[before..].starts_with(ALERT) {
                    return Poll::Ready(Err(io::Error::new(io::ErrorKind::InvalidData, SpeaksTls)));
                }
                Poll::Ready(Ok(()))
            }
            Stream::Encrypted(stream) => Pin::new(stream).poll_read(context, into),
        }
    }
}

impl AsyncWrite for Stream {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Stream::Plain { tcp, .. } => Pin::new(tcp).poll_write(context, bytes),
            Stream::Encrypted(stream) => Pin::new(stream).poll_write(context, bytes),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Stream::Plain { tcp, .. } => Pin::new(tcp).poll_flush(context),
            Stream::Encrypted(stream) => Pin::new(stream).poll_flush(context),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Stream::Plain { tcp, .. } => Pin::new(tcp).poll_shutdown(context),
            Stream::Encrypted(stream) => Pin::new(stream).poll_shutdown(context),
        }
    }
}
