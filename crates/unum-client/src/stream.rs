//! A connection to a server: plain, or encrypted and with a certificate that was checked.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::client::TlsStream;

use crate::{ClientError, Server, tls};

/// Bytes in both directions.
#[derive(Debug)]
pub(crate) enum Stream {
    /// As they are.
    Plain(TcpStream),
    /// Encrypted. In a box, because a program may have thousands of the other kind.
    Encrypted(Box<TlsStream<TcpStream>>),
}

impl Stream {
    /// Connects.
    pub(crate) async fn connect(server: &Server) -> Result<Stream, ClientError> {
        let failed = |source| ClientError::Connection { address: server.authority().to_owned(), source };
        let tcp = TcpStream::connect(server.authority()).await.map_err(failed)?;
        tcp.set_nodelay(true).map_err(failed)?;
        let Some(name) = server.certified_name() else { return Ok(Stream::Plain(tcp)) };
        let encrypted = tls::connector()?.connect(name.clone(), tcp).await;
        let encrypted = encrypted.map_err(|error| tls::explained(error, server.authority()))?;
        Ok(Stream::Encrypted(Box::new(encrypted)))
    }
}

impl AsyncRead for Stream {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Stream::Plain(stream) => Pin::new(stream).poll_read(context, into),
            Stream::Encrypted(stream) => Pin::new(stream).poll_read(context, into),
        }
    }
}

impl AsyncWrite for Stream {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Stream::Plain(stream) => Pin::new(stream).poll_write(context, bytes),
            Stream::Encrypted(stream) => Pin::new(stream).poll_write(context, bytes),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Stream::Plain(stream) => Pin::new(stream).poll_flush(context),
            Stream::Encrypted(stream) => Pin::new(stream).poll_flush(context),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Stream::Plain(stream) => Pin::new(stream).poll_shutdown(context),
            Stream::Encrypted(stream) => Pin::new(stream).poll_shutdown(context),
        }
    }
}
