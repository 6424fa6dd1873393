//! A TCP proxy that simulates a bad network: it delays, holds or breaks traffic, each direction separately.
//!
//! What is held is delivered later, as TCP sends again what a broken network lost. Only the handshake differs from a real
//! partition: the system answers it, so a caller gets a connection on which nothing is said.

use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::Context as _;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};
use tokio::task::AbortHandle;
use tokio::time::{Instant, sleep_until};

/// How many bytes are passed on at once, and how many such pieces are on their way at most.
const PIECE: usize = 16 << 10;
const PIECES: usize = 64;

/// One direction.
#[derive(Debug)]
pub(crate) struct Way {
    held: watch::Sender<bool>,
    /// In microseconds.
    delay: AtomicU64,
}

impl Default for Way {
    fn default() -> Way {
        Way { held: watch::Sender::new(false), delay: AtomicU64::new(0) }
    }
}

impl Way {
    /// Lets nothing pass from now on, or what waits and all that follows.
    pub(crate) fn hold(&self, held: bool) {
        self.held.send_replace(held);
    }

    /// Lets everything take that much longer.
    pub(crate) fn delay(&self, by: Duration) {
        self.delay.store(u64::try_from(by.as_micros()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    async fn opens(&self) {
        // The sender is right here, so the waiting cannot fail.
        let _ = self.held.subscribe().wait_for(|held| !held).await;
    }
}

/// Both directions, seen from those who call.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wire {
    pub(crate) there: Arc<Way>,
    pub(crate) back: Arc<Way>,
}

impl Wire {
    /// Cuts both directions, or mends them.
    pub(crate) fn hold(&self, held: bool) {
        self.there.hold(held);
        self.back.hold(held);
    }
}

/// Which wire a caller gets, by the port it calls from.
type Choice = Box<dyn Fn(u16) -> Wire + Send + Sync>;

/// A proxy, until it is dropped.
#[derive(Debug)]
pub(crate) struct Proxy {
    port: u16,
    accepting: AbortHandle,
}

impl Proxy {
    /// In front of a port of this machine, over one wire for all who call.
    pub(crate) async fn over(wire: &Wire, target: u16) -> anyhow::Result<Proxy> {
        Proxy::at(Ipv4Addr::LOCALHOST, wire, target).await
    }

    /// The same on another address of this machine.
    pub(crate) async fn at(address: Ipv4Addr, wire: &Wire, target: u16) -> anyhow::Result<Proxy> {
        let wire = wire.clone();
        Proxy::listening(address, target, Box::new(move |_| wire.clone())).await
    }

    /// The same with a wire for each caller.
    pub(crate) async fn choosing(target: u16, choice: Choice) -> anyhow::Result<Proxy> {
        Proxy::listening(Ipv4Addr::LOCALHOST, target, choice).await
    }

    async fn listening(address: Ipv4Addr, target: u16, choice: Choice) -> anyhow::Result<Proxy> {
        let listener = TcpListener::bind((address, 0)).await.context("a proxy has no port")?;
        let port = listener.local_addr()?.port();
        let accepting = tokio::spawn(async move {
            while let Ok((caller, address)) = listener.accept().await {
                tokio::spawn(connect(caller, choice(address.port()), target));
            }
        });
        Ok(Proxy { port, accepting: accepting.abort_handle() })
    }

    /// Where it listens on this machine.
    pub(crate) fn port(&self) -> u16 {
        self.port
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

/// Passes on what two sides say until both have ended, or one is gone.
async fn connect(caller: TcpStream, wire: Wire, target: u16) {
    wire.there.opens().await;
    wire.back.opens().await;
    let Ok(called) = TcpStream::connect((Ipv4Addr::LOCALHOST, target)).await else { return };
    // A proxy adds no delay that was not asked for.
    let _ = (caller.set_nodelay(true), called.set_nodelay(true));
    let (from_caller, to_caller) = caller.into_split();
    let (from_called, to_called) = called.into_split();
    tokio::join!(pass(from_caller, to_called, wire.there), pass(from_called, to_caller, wire.back));
}

/// What is on its way, and when it arrives at the earliest.
type Parcel = (Instant, Vec<u8>);

async fn pass(from: OwnedReadHalf, to: OwnedWriteHalf, way: Arc<Way>) {
    let (send, receive) = mpsc::channel(PIECES);
    tokio::join!(take(from, send, &way), deliver(to, receive, &way));
}

async fn take(mut from: OwnedReadHalf, send: mpsc::Sender<Parcel>, way: &Way) {
    let mut buffer = vec![0; PIECE];
    while let Ok(count @ 1..) = from.read(&mut buffer).await {
        let due = Instant::now() + Duration::from_micros(way.delay.load(Ordering::Relaxed));
        if send.send((due, buffer[..count].to_vec())).await.is_err() {
            return;
        }
    }
}

async fn deliver(mut to: OwnedWriteHalf, mut receive: mpsc::Receiver<Parcel>, way: &Way) {
    while let Some((due, bytes)) = receive.recv().await {
        sleep_until(due).await;
        way.opens().await;
        if to.write_all(&bytes).await.is_err() {
            return;
        }
    }
    way.opens().await;
    // The other side may be gone already.
    let _ = to.shutdown().await;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Somebody who says everything again.
    async fn parrot() -> u16 {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(async move {
                    let (mut from, mut to) = stream.into_split();
                    let _ = tokio::io::copy(&mut from, &mut to).await;
                });
            }
        });
        port
    }

    async fn said(stream: &mut TcpStream, text: &str) -> String {
        stream.write_all(text.as_bytes()).await.unwrap();
        let mut answer = vec![0; text.len()];
        stream.read_exact(&mut answer).await.unwrap();
        String::from_utf8(answer).unwrap()
    }

    #[tokio::test]
    async fn what_is_held_comes_later_and_in_order() {
        let wire = Wire::default();
        let proxy = Proxy::over(&wire, parrot().await).await.unwrap();
        let mut stream = TcpStream::connect(("127.0.0.1", proxy.port())).await.unwrap();
        assert_eq!(said(&mut stream, "one").await, "one");
        for way in [&wire.there, &wire.back] {
            way.hold(true);
            stream.write_all(b"two").await.unwrap();
            let mut answer = [0; 3];
            let waiting = tokio::time::timeout(Duration::from_millis(50), stream.read_exact(&mut answer));
            assert!(waiting.await.is_err(), "it is held");
            way.hold(false);
            stream.read_exact(&mut answer).await.unwrap();
            assert_eq!(&answer, b"two");
        }
    }

    #[tokio::test]
    async fn a_delay_is_at_least_what_was_asked_for() {
        let wire = Wire::default();
        let proxy = Proxy::over(&wire, parrot().await).await.unwrap();
        let mut stream = TcpStream::connect(("127.0.0.1", proxy.port())).await.unwrap();
        wire.back.delay(Duration::from_millis(80));
        let begun = Instant::now();
        assert_eq!(said(&mut stream, "slow").await, "slow");
        assert!(begun.elapsed() >= Duration::from_millis(80));
    }
}
