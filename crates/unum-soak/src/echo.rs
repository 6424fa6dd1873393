//! The baseline: a server that only echoes, and a client that drives it.

use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use futures_util::{SinkExt as _, StreamExt as _};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Message as Frame, Utf8Bytes};
use unum_client::{Message, Socket};
use unum_protocol::ClientMsg;
use unum_rules::Seeded;

use crate::player::{answer, is_for_others};
use crate::process::{ServerProcess, free_port, own_processor_time};
use crate::timing::Times;

/// What an echo server does with a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Echo {
    /// Sends it back.
    Back,
    /// Sends it to all four of its group, as a table tells its players.
    Four,
}

/// Serves forever. Bare sockets without a framework or routes: the pure cost of a WebSocket.
///
/// # Errors
/// When the port cannot be listened on.
pub async fn serve(port: u16, echo: Echo) -> anyhow::Result<()> {
    let listener = TcpListener::bind(("127.0.0.1", port)).await?;
    let mut group = Vec::new();
    loop {
        let (tcp, _) = listener.accept().await?;
        let Some(stream) = answered_health(tcp).await else { continue };
        stream.set_nodelay(true)?;
        let Ok(socket) = tokio_tungstenite::accept_async_with_config(stream, Some(config())).await else { continue };
        match echo {
            Echo::Back => drop(tokio::spawn(send_back(socket))),
            Echo::Four => {
                group.push(socket);
                if group.len() == 4 {
                    send_to_four(std::mem::take(&mut group));
                }
            }
        }
    }
}

/// Answers a question about its health, so that it can be started like any server; gives other connections back. Nothing comes
/// of a connection that ends before it has said what it wants.
async fn answered_health(mut tcp: TcpStream) -> Option<TcpStream> {
    let mut head = [0; 12];
    loop {
        match tcp.peek(&mut head).await.ok()? {
            0 => return None,
            seen if seen == head.len() => break,
            _ => tokio::task::yield_now().await,
        }
    }
    if !head.starts_with(b"GET /healthz") {
        return Some(tcp);
    }
    let mut request = [0; 1024];
    let _ = tcp.read(&mut request).await;
    let _ = tcp.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").await;
    None
}

fn config() -> WebSocketConfig {
    WebSocketConfig::default().read_buffer_size(4096).write_buffer_size(4096)
}

async fn send_back(mut socket: WebSocketStream<TcpStream>) -> Option<()> {
    while let Some(Ok(frame)) = socket.next().await {
        if frame.is_text() {
            socket.send(frame).await.ok()?;
        }
    }
    None
}

/// Four connections, each with a task that reads and writes, as the server has them.
fn send_to_four(group: Vec<WebSocketStream<TcpStream>>) {
    let (outs, ins): (Vec<_>, Vec<_>) = (0..4).map(|_| mpsc::unbounded_channel::<Utf8Bytes>()).unzip();
    let outs = Arc::new(outs);
    for (mut socket, mut mine) in group.into_iter().zip(ins) {
        let outs = Arc::clone(&outs);
        tokio::spawn(async move {
            loop {
                tokio::select! {
                    Some(text) = mine.recv() => socket.send(Frame::Text(text)).await.ok()?,
                    frame = socket.next() => match frame?.ok()? {
                        Frame::Text(text) => outs.iter().for_each(|out| drop(out.send(text.clone()))),
                        Frame::Close(_) => return None::<()>,
                        _ => {}
                    },
                }
            }
        });
    }
}

/// What was measured.
#[derive(Debug)]
pub struct Pace {
    /// Messages sent and answered a second, over all connections.
    pub round_trips: f64,
    /// From sending a message to receiving it.
    pub times: Times,
    /// What a round trip takes of the server's processor.
    pub server: Duration,
    /// What it takes of the client's.
    pub client: Duration,
}

/// Drives an echo server in a process of its own: `tables` × 4 connections, one message at a time on its way per four.
///
/// # Errors
/// When the server cannot be started, or a connection fails.
pub async fn drive(soak: &Path, echo: Echo, tables: usize, text: &str, time: Duration) -> anyhow::Result<Pace> {
    let kind = if echo == Echo::Back { "back" } else { "four" };
    let arguments = ["echo", kind, "--port"].map(str::to_owned).into_iter().chain([free_port()?.to_string()]);
    let process = ServerProcess::run(soak, arguments.collect()).await?;
    let mut groups = Vec::new();
    for _ in 0..tables {
        let mut group = Vec::new();
        for _ in 0..4 {
            group.push(Socket::connect(process.server()).await?);
        }
        groups.push(group);
    }
    let before = [process.processor_time(), own_processor_time()];
    let (count, begun) = (Arc::new(AtomicU64::new(0)), Instant::now());
    let mut tasks = JoinSet::new();
    for group in groups {
        for (place, socket) in group.into_iter().enumerate() {
            tasks.spawn(talk(socket, echo, place as u64, text.to_owned(), begun + time, Arc::clone(&count)));
        }
    }
    let mut times = Times::default();
    while let Some(done) = tasks.join_next().await {
        times.extend(done??);
    }
    let count = count.load(Ordering::Relaxed);
    let each = |now: Duration, before: Duration| (now - before) / u32::try_from(count.max(1)).unwrap_or(u32::MAX);
    let (server, client) = (each(process.processor_time(), before[0]), each(own_processor_time(), before[1]));
    Ok(Pace { round_trips: count as f64 / time.as_secs_f64(), times, server, client })
}

/// Sends when it is this one's turn: always the first of four, or round the table. What comes is read as a player reads
/// it, and who is to send next decides on an action first, so that the client's work is the same as in a game.
async fn talk(
    mut socket: Socket,
    echo: Echo,
    place: u64,
    text: String,
    until: Instant,
    count: Arc<AtomicU64>,
) -> anyhow::Result<Times> {
    let (mut times, mut heard) = (Times::default(), 0);
    let (mut sent, mut chance) = (None, Seeded::new(place));
    let is_turn = |heard: u64| if echo == Echo::Back { place == 0 } else { heard % 4 == place };
    loop {
        let turn = is_turn(heard);
        if turn && sent.is_none() && Instant::now() < until {
            sent = Some(Instant::now());
            socket.send(&text).await?;
        }
        let Ok(received) = tokio::time::timeout_at((until + Duration::from_secs(1)).into(), socket.next()).await else {
            return Ok(times);
        };
        let message = Message::parse(received?.context("the echo server has closed a connection")?)?;
        anyhow::ensure!(message.head().seq.is_some(), "an echo is what was sent");
        heard += 1;
        if !is_for_others(&message)
            && is_turn(heard)
            && let Some(request) = answer(&message, &mut chance)?
        {
            black_box(ClientMsg::Request { id: 1, request }.to_json());
        }
        if let Some(began) = sent.filter(|_| turn) {
            sent = None;
            if Instant::now() < until {
                times.add(began.elapsed());
                count.fetch_add(1, Ordering::Relaxed);
            }
        }
    }
}
