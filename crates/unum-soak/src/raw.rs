//! Connections that do not keep to the protocol.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpSocket, TcpStream};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message as Frame;
use unum_client::Server;

/// How a connection ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ending {
    /// The code of the `bye`, or else the reason in the close frame.
    pub(crate) bye: Option<String>,
    /// The number of the close frame.
    pub(crate) close: Option<u16>,
    /// How many answers there were of each kind: types, and codes of refusals.
    pub(crate) heard: BTreeMap<String, u64>,
}

/// A WebSocket over which anything can be sent.
pub(crate) struct Raw {
    socket: WebSocketStream<TcpStream>,
}

impl Raw {
    /// Connects; a small buffer makes it a slow reader soon.
    pub(crate) async fn connect(server: &Server, buffer: Option<u32>) -> anyhow::Result<Raw> {
        let address = server.authority().parse()?;
        let tcp = TcpSocket::new_v4()?;
        if let Some(bytes) = buffer {
            tcp.set_recv_buffer_size(bytes)?;
        }
        let tcp = tcp.connect(address).await?;
        tcp.set_nodelay(true)?;
        let url = format!("ws://{}/ws", server.authority());
        let (socket, _) = tokio_tungstenite::client_async(url, tcp).await?;
        Ok(Raw { socket })
    }

    /// Connects and says hello.
    pub(crate) async fn join(server: &Server, token: &str, table: &str, buffer: Option<u32>) -> anyhow::Result<Raw> {
        let mut raw = Raw::connect(server, buffer).await?;
        raw.say(&json!({"hello": {"version": 1, "table": table, "token": token}})).await?;
        Ok(raw)
    }

    pub(crate) async fn say(&mut self, message: &Value) -> anyhow::Result<()> {
        self.socket.send(Frame::text(message.to_string())).await?;
        Ok(())
    }

    /// Sends a frame whose first byte says what it pretends to be.
    pub(crate) async fn frame(&mut self, first: u8, payload: &[u8]) -> std::io::Result<()> {
        let stream = self.socket.get_mut();
        stream.write_all(&masked(first, payload)).await?;
        stream.flush().await
    }

    /// Sends bytes as they are.
    pub(crate) async fn bytes(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.socket.get_mut().write_all(bytes).await
    }

    /// Waits for a message of that kind: by its type, its code, or the type of what happened.
    pub(crate) async fn hear(&mut self, kind: &str, within: Duration) -> anyhow::Result<Value> {
        let waiting = async {
            while let Some(frame) = self.socket.next().await {
                if let Frame::Text(text) = frame? {
                    let message: Value = serde_json::from_str(&text)?;
                    if [&message["type"], &message["code"], &message["what"]["type"]].iter().any(|word| **word == kind)
                    {
                        return Ok(message);
                    }
                }
            }
            anyhow::bail!("the connection ended before a {kind} came")
        };
        tokio::time::timeout(within, waiting).await?
    }

    /// Reads until the connection ends, or the time is over.
    pub(crate) async fn ending(&mut self, within: Duration) -> Ending {
        let mut ending = Ending::default();
        let reading = async {
            while let Some(Ok(frame)) = self.socket.next().await {
                match frame {
                    Frame::Text(text) => ending.note(&text),
                    Frame::Close(Some(close)) => {
                        ending.close = Some(close.code.into());
                        ending.bye.get_or_insert_with(|| close.reason.to_string());
                    }
                    _ => {}
                }
            }
        };
        // A connection that is not closed in time has no ending, which is an answer, too.
        let _ = tokio::time::timeout(within, reading).await;
        ending
    }
}

impl Ending {
    fn note(&mut self, text: &str) {
        let message: Value = serde_json::from_str(text).unwrap_or_default();
        let field = |name: &str| message[name].as_str().unwrap_or_default().to_owned();
        if message["type"] == "bye" {
            self.bye = Some(field("code"));
        }
        for word in [field("type"), field("code")] {
            *self.heard.entry(word).or_default() += 1;
        }
    }

    /// The ending in a few words.
    pub(crate) fn describe(&self) -> String {
        match (&self.bye, self.close) {
            (None, None) => "stays connected".to_owned(),
            (bye, close) => {
                let close = close.map_or_else(|| "no close frame".to_owned(), |number| number.to_string());
                format!("{} ({close})", bye.as_deref().unwrap_or("no bye"))
            }
        }
    }
}

/// A frame of a client.
fn masked(first: u8, payload: &[u8]) -> Vec<u8> {
    let mask = [1, 2, 3, 4];
    let mut frame = vec![first];
    match u16::try_from(payload.len()) {
        Ok(length @ 0..=125) => frame.push(0x80 | length as u8),
        Ok(length) => {
            frame.push(0x80 | 126);
            frame.extend(length.to_be_bytes());
        }
        Err(_) => {
            frame.push(0x80 | 127);
            frame.extend((payload.len() as u64).to_be_bytes());
        }
    }
    frame.extend(mask);
    frame.extend(payload.iter().zip(mask.iter().cycle()).map(|(byte, mask)| byte ^ mask));
    frame
}
