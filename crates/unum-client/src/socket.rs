//! One WebSocket connection to a server.

use std::io;
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error, Message as Frame, Utf8Bytes};
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

use crate::stream::Stream;
use crate::{ClientError, Server};

/// The longest message a server may send, in bytes.
const MAX_MESSAGE: usize = 1 << 20;
/// How long connecting may take.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A connection, with nothing said yet.
#[derive(Debug)]
pub struct Socket {
    stream: WebSocketStream<Stream>,
}

impl Socket {
    /// Connects.
    ///
    /// # Errors
    /// When the server cannot be reached or does not want a connection.
    pub async fn connect(server: &Server) -> Result<Socket, ClientError> {
        let failed = |source| ClientError::Connection { address: server.authority().to_owned(), source };
        let opened = tokio::time::timeout(TIMEOUT, async {
            let stream = Stream::connect(server).await?;
            let request = server.socket_url().into_client_request().map_err(|error| failed(as_io(error)))?;
            let opened = client_async_with_config(request, stream, Some(config())).await;
            opened.map_err(|error| failed(as_io(error)))
        });
        let (stream, _) = opened.await.unwrap_or_else(|_| Err(failed(io::ErrorKind::TimedOut.into())))?;
        Ok(Socket { stream })
    }

    /// Sends a message.
    ///
    /// # Errors
    /// When the connection is broken.
    pub async fn send(&mut self, text: impl Into<Utf8Bytes>) -> io::Result<()> {
        self.stream.send(Frame::text(text)).await.map_err(as_io)
    }

    /// Waits for the next message; `None` once the connection is closed. Cancel safe.
    ///
    /// # Errors
    /// When the connection is broken.
    pub async fn next(&mut self) -> io::Result<Option<Utf8Bytes>> {
        loop {
            match self.stream.next().await {
                Some(Ok(Frame::Text(text))) => return Ok(Some(text)),
                Some(Ok(Frame::Close(_))) | None => return Ok(None),
                Some(Ok(_)) => {}
                Some(Err(Error::ConnectionClosed)) => return Ok(None),
                Some(Err(error)) => return Err(as_io(error)),
            }
        }
    }

    /// Says good-bye.
    pub async fn close(mut self) {
        // It does not matter whether it arrives.
        let _ = self.stream.close(None).await;
    }
}

/// Small buffers: a program may have thousands of connections.
fn config() -> WebSocketConfig {
    WebSocketConfig::default()
        .read_buffer_size(4096)
        .write_buffer_size(0)
        .max_message_size(Some(MAX_MESSAGE))
        .max_frame_size(Some(MAX_MESSAGE))
}

fn as_io(error: Error) -> io::Error {
    match error {
        Error::Io(error) => error,
        other => io::Error::other(other),
    }
}
