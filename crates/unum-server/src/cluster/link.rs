//! The connection between two nodes: many streams with flow control by credit, one for each relayed client or question.
//!
//! Nothing here waits for a client. All output goes into one buffer, which a task writes as fast as the other node
//! reads. A stream without credit, or any stream while that buffer is long, takes no more for the moment.

use std::collections::HashMap;
use std::io::{self, ErrorKind};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use tokio::io::{AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::{Notify, mpsc, oneshot, watch};
use tokio::time::timeout;
use unum_protocol::ServerCode;
use unum_protocol::node::{End, FrameKind, MAX_BODY, Open, REQUESTS, WINDOW};

use super::frame::{self, Frame, wrong};
use crate::outbox::Outbox;

/// Streams on a link at most, in both directions together.
const STREAMS: usize = 100_000;
/// Bytes in the output buffer above which streams take no more, and above which the link is closed.
const CROWDED: usize = 4 << 20;
const MOST: usize = 64 << 20;
/// The interval of pings, and the silence after which the link is closed.
const PING: Duration = Duration::from_secs(1);
const SILENCE: Duration = Duration::from_secs(5);
/// How often clients that were behind are checked for progress.
const GLANCE: Duration = Duration::from_millis(5);
/// How long a closing link may take to write what is left.
const LAST_WORDS: Duration = Duration::from_millis(500);
/// The longest message that comes in parts.
const PIECE: usize = 4 << 20;
/// The size of the read buffer.
const BUFFER: usize = 64 << 10;

/// What a relay hears about its streams.
#[derive(Debug)]
pub(super) enum Event {
    /// The client is at the table.
    Accepted(u32),
    /// This many more requests may be sent.
    Credit(u32, u32),
    /// The stream has ended.
    Ended(u32, End),
}

/// One stream.
#[derive(Debug)]
enum Stream {
    /// A client of this node whose table the other node runs.
    Client(Client),
    /// A question to the other node.
    Question(oneshot::Sender<End>),
    /// A client of the other node at a table here, or a question from there.
    Guest { inbox: mpsc::Sender<Bytes>, credit: Arc<Credit>, outbox: Arc<Outbox> },
}

/// A client of this node.
#[derive(Debug)]
struct Client {
    outbox: Arc<Outbox>,
    /// The parts so far of a message that comes in parts.
    part: Vec<u8>,
    /// Bytes received for which no credit was given yet.
    owed: u32,
    /// Requests in flight, for which credit can come back, and whether the table has accepted the client. They bound
    /// the relay's queue, whatever the other node sends.
    asked: u32,
    accepted: bool,
    events: mpsc::UnboundedSender<Event>,
}

/// A link to another node.
#[derive(Debug)]
pub(crate) struct Link {
    /// The other node.
    pub(super) peer: u64,
    /// The next stream number. The node that dialed opens odd ones.
    next: AtomicU32,
    streams: Mutex<HashMap<u32, Stream>>,
    outgoing: Mutex<Vec<u8>>,
    wake: Notify,
    /// Streams of clients that are behind with reading.
    behind: Mutex<Vec<u32>>,
    closed: watch::Sender<bool>,
    heard: AtomicBool,
    /// Unanswered pings in a row.
    missed: AtomicU32,
}

/// The sending end of a stream to a client of another node, with its credit. Its [`Outbox`] writes here.
#[derive(Debug)]
pub(crate) struct Credit {
    link: Arc<Link>,
    stream: u32,
    left: AtomicI64,
}

impl Credit {
    /// Allows one more request.
    pub(crate) fn give_back(&self) {
        self.link.give_credit(self.stream, 1);
    }

    /// Writes a whole piece, or nothing while there is no credit. A piece may be larger than the credit left.
    pub(crate) fn try_write(&self, piece: &[u8]) -> io::Result<usize> {
        if self.link.is_closed() {
            return Err(ErrorKind::BrokenPipe.into());
        }
        if self.left.load(Ordering::Relaxed) <= 0 || self.link.waiting() > CROWDED {
            return Err(ErrorKind::WouldBlock.into());
        }
        self.left.fetch_sub(i64::try_from(piece.len()).unwrap_or(i64::MAX), Ordering::Relaxed);
        self.link.send_piece(self.stream, piece);
        Ok(piece.len())
    }
}

/// A stream opened by the other node.
#[derive(Debug)]
pub(super) struct Opened {
    pub(super) stream: u32,
    pub(super) open: Open,
    pub(super) inbox: mpsc::Receiver<Bytes>,
    pub(super) outbox: Arc<Outbox>,
}

impl Link {
    /// Starts a link over an authenticated connection. Streams that the other node opens are sent to `opened`.
    pub(super) fn start(
        socket: TcpStream,
        peer: u64,
        dialed: bool,
        bounds: crate::outbox::Bounds,
        opened: mpsc::UnboundedSender<(Arc<Link>, Opened)>,
    ) -> Arc<Link> {
        let link = Arc::new(Link {
            peer,
            next: AtomicU32::new(if dialed { 1 } else { 2 }),
            streams: Mutex::default(),
            outgoing: Mutex::default(),
            wake: Notify::new(),
            behind: Mutex::default(),
            closed: watch::channel(false).0,
            heard: AtomicBool::new(true),
            missed: AtomicU32::new(0),
        });
        let (reading, writing) = socket.into_split();
        tokio::spawn(Arc::clone(&link).write_all(writing));
        tokio::spawn(Arc::clone(&link).read_all(reading, bounds, opened));
        link
    }

    pub(super) fn is_closed(&self) -> bool {
        *self.closed.borrow()
    }

    /// Whether the other node has answered the last ping.
    pub(super) fn is_answering(&self) -> bool {
        !self.is_closed() && self.missed.load(Ordering::Relaxed) == 0
    }

    /// Returns when the link is closed.
    pub(super) async fn closed(&self) {
        // The sender lives as long as the link.
        let _ = self.closed.subscribe().wait_for(|closed| *closed).await;
    }

    /// Opens a stream for a client here.
    pub(super) fn open_client(
        &self,
        open: &Open,
        outbox: Arc<Outbox>,
        events: mpsc::UnboundedSender<Event>,
    ) -> Result<u32, ServerCode> {
        let client = Client { outbox, part: Vec::new(), owed: 0, asked: 0, accepted: false, events };
        self.open(open, Stream::Client(client))
    }

    /// Asks the other node a question. The channel closes without an answer if the link breaks.
    pub(crate) fn ask(&self, open: &Open) -> Result<oneshot::Receiver<End>, ServerCode> {
        let (tell, told) = oneshot::channel();
        self.open(open, Stream::Question(tell)).map(|_| told)
    }

    fn open(&self, open: &Open, stream: Stream) -> Result<u32, ServerCode> {
        let body = serde_json::to_vec(open).map_err(|_| ServerCode::TooLong)?;
        if body.len() > MAX_BODY {
            return Err(ServerCode::TooLong);
        }
        let number = {
            let mut streams = self.streams();
            if self.is_closed() {
                return Err(ServerCode::Moved);
            }
            if streams.len() >= STREAMS {
                return Err(ServerCode::TooMany);
            }
            // Numbers wrap around after two billion streams, and an old one may still be open.
            let number = loop {
                let number = self.next.fetch_add(2, Ordering::Relaxed);
                if !streams.contains_key(&number) {
                    break number;
                }
            };
            streams.insert(number, stream);
            number
        };
        self.send(FrameKind::Open, number, &body);
        Ok(number)
    }

    /// Sends a client's request to its table.
    pub(super) fn send_request(&self, stream: u32, text: &str) {
        if let Some(Stream::Client(client)) = self.streams().get_mut(&stream) {
            client.asked += 1;
        }
        self.send(FrameKind::Ask, stream, text.as_bytes());
    }

    /// Reports that a client of the other node is at its table.
    pub(super) fn accept(&self, stream: u32) {
        self.send(FrameKind::Accept, stream, &[]);
    }

    /// Grants more credit on a stream.
    fn give_credit(&self, stream: u32, more: u32) {
        self.send(FrameKind::Credit, stream, &more.to_le_bytes());
    }

    /// Ends a stream, unless it has ended already.
    pub(super) fn end(&self, stream: u32, end: &End) {
        if self.streams().remove(&stream).is_none() {
            return;
        }
        let body = serde_json::to_vec(end).ok().filter(|body| body.len() <= MAX_BODY);
        let lost = || serde_json::to_vec(&End::Code { code: ServerCode::TooLong }).unwrap_or_default();
        self.send(FrameKind::Close, stream, &body.unwrap_or_else(lost));
    }

    /// The number of open streams.
    pub(super) fn streams_open(&self) -> usize {
        self.streams().len()
    }

    fn send_piece(&self, stream: u32, piece: &[u8]) {
        let mut parts = piece.chunks(MAX_BODY).peekable();
        while let Some(part) = parts.next() {
            let kind = if parts.peek().is_some() { FrameKind::Part } else { FrameKind::Data };
            self.send(kind, stream, part);
        }
    }

    fn send(&self, kind: FrameKind, stream: u32, body: &[u8]) {
        let mut outgoing = self.lock(&self.outgoing);
        if outgoing.len() > MOST {
            drop(outgoing);
            return self.close();
        }
        let was_empty = outgoing.is_empty();
        frame::write(&mut outgoing, kind, stream, body);
        drop(outgoing);
        if was_empty {
            self.wake.notify_one();
        }
    }

    fn waiting(&self) -> usize {
        self.lock(&self.outgoing).len()
    }

    /// Writes the output buffer, and pings the other node from time to time.
    async fn write_all(self: Arc<Self>, mut socket: OwnedWriteHalf) {
        let mut ping = tokio::time::interval(PING);
        ping.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut bytes = Vec::new();
        let mut closed = std::pin::pin!(self.closed());
        let is_orderly = loop {
            let is_behind = !self.lock(&self.behind).is_empty();
            tokio::select! {
                biased;
                () = closed.as_mut() => break true,
                () = self.wake.notified() => {}
                _ = ping.tick() => {
                    let heard = self.heard.swap(false, Ordering::Relaxed);
                    let missed = if heard { 0 } else { self.missed.load(Ordering::Relaxed) + 1 };
                    self.missed.store(missed, Ordering::Relaxed);
                    if PING * missed >= SILENCE {
                        tracing::warn!(node = self.peer, "another node is silent; the connection to it ends");
                        break false;
                    }
                    self.send(FrameKind::Ping, 0, &[]);
                }
                () = tokio::time::sleep(GLANCE), if is_behind => self.look_after_readers(),
            }
            std::mem::swap(&mut *self.lock(&self.outgoing), &mut bytes);
            let was_crowded = bytes.len() > CROWDED;
            let written = timeout(SILENCE, socket.write_all(&bytes)).await;
            if !matches!(written, Ok(Ok(()))) {
                break false;
            }
            bytes.clear();
            bytes.shrink_to(BUFFER);
            if was_crowded {
                self.stir_all();
            }
        };
        self.close();
        if is_orderly {
            let rest = std::mem::take(&mut *self.lock(&self.outgoing));
            let _ = timeout(LAST_WORDS, socket.write_all(&rest)).await;
        }
    }

    /// Wakes the streams that had to wait for the link.
    fn stir_all(&self) {
        for stream in self.streams().values() {
            if let Stream::Guest { outbox, .. } = stream {
                outbox.stir();
            }
        }
    }

    /// Grants credit for what clients have read meanwhile.
    fn look_after_readers(&self) {
        let behind = std::mem::take(&mut *self.lock(&self.behind));
        let (mut still, mut given) = (Vec::new(), Vec::new());
        {
            let mut streams = self.streams();
            for number in behind {
                let Some(Stream::Client(Client { outbox, owed, .. })) = streams.get_mut(&number) else { continue };
                if outbox.is_crowded() {
                    still.push(number);
                } else {
                    given.push((number, std::mem::take(owed)));
                }
            }
        }
        given.into_iter().for_each(|(number, owed)| self.give_credit(number, owed));
        self.lock(&self.behind).extend(still);
    }

    async fn read_all(
        self: Arc<Self>,
        socket: OwnedReadHalf,
        bounds: crate::outbox::Bounds,
        opened: mpsc::UnboundedSender<(Arc<Link>, Opened)>,
    ) {
        let mut socket = BufReader::with_capacity(BUFFER, socket);
        let mut closed = std::pin::pin!(self.closed());
        let trouble = loop {
            let frame = tokio::select! {
                () = closed.as_mut() => return,
                frame = frame::read(&mut socket) => frame,
            };
            self.heard.store(true, Ordering::Relaxed);
            let received = match frame {
                Ok(frame) => self.receive(frame, bounds, &opened),
                Err(trouble) => Err(trouble),
            };
            if let Err(trouble) = received {
                break trouble;
            }
        };
        if trouble.kind() == ErrorKind::InvalidData {
            tracing::warn!(node = self.peer, %trouble, "another node does not keep to the protocol; the connection ends");
        }
        self.close();
    }

    fn receive(
        self: &Arc<Self>,
        frame: Frame,
        bounds: crate::outbox::Bounds,
        opened: &mpsc::UnboundedSender<(Arc<Link>, Opened)>,
    ) -> io::Result<()> {
        let Frame { kind, stream, body } = frame;
        match kind {
            FrameKind::Open => self.opened(stream, &body, bounds, opened)?,
            FrameKind::Data | FrameKind::Part => self.deliver(stream, &body, kind == FrameKind::Data)?,
            FrameKind::Ask => {
                let mut streams = self.streams();
                if let Some(Stream::Guest { inbox, .. }) = streams.get(&stream)
                    && let Err(mpsc::error::TrySendError::Full(_)) = inbox.try_send(body)
                {
                    // It has sent more than its credit allows.
                    streams.remove(&stream);
                }
            }
            FrameKind::Credit => {
                let more = body.as_ref().try_into().map(u32::from_le_bytes);
                self.credit(stream, more.map_err(|_| wrong("credit has four bytes"))?)?;
            }
            FrameKind::Accept => self.accepted(stream)?,
            FrameKind::Close => {
                let end = serde_json::from_slice(&body).map_err(|_| wrong("a stream ends for no reason"))?;
                let ended = self.streams().remove(&stream);
                match ended {
                    Some(Stream::Client(client)) => drop(client.events.send(Event::Ended(stream, end))),
                    Some(Stream::Question(tell)) => drop(tell.send(end)),
                    // Its inbox closes, and its task notices.
                    Some(Stream::Guest { outbox, .. }) => outbox.note_left(),
                    None => {}
                }
            }
            FrameKind::Ping => self.send(FrameKind::Pong, 0, &[]),
            FrameKind::Pong => {}
        }
        Ok(())
    }

    /// Handles a stream that the other node opens.
    fn opened(
        self: &Arc<Self>,
        stream: u32,
        body: &[u8],
        bounds: crate::outbox::Bounds,
        opened: &mpsc::UnboundedSender<(Arc<Link>, Opened)>,
    ) -> io::Result<()> {
        let open: Open = serde_json::from_slice(body).map_err(|_| wrong("a stream is opened for no reason"))?;
        let (sender, inbox) = mpsc::channel(REQUESTS as usize);
        let credit = Arc::new(Credit { link: Arc::clone(self), stream, left: AtomicI64::new(WINDOW.into()) });
        let outbox = Arc::new(Outbox::over(bounds, Arc::clone(&credit)));
        {
            let mut streams = self.streams();
            if stream % 2 == self.next.load(Ordering::Relaxed) % 2 || streams.contains_key(&stream) {
                return Err(wrong("a stream has a number that is not free"));
            }
            if streams.len() >= STREAMS {
                return Err(wrong("there are too many streams"));
            }
            streams.insert(stream, Stream::Guest { inbox: sender, credit, outbox: Arc::clone(&outbox) });
        }
        // Nobody listens any more while the server stops.
        let _ = opened.send((Arc::clone(self), Opened { stream, open, inbox, outbox }));
        Ok(())
    }

    /// Hands bytes to a client of this node, and grants credit for them unless the client is behind with reading.
    fn deliver(&self, number: u32, body: &Bytes, is_whole: bool) -> io::Result<()> {
        let mut streams = self.streams();
        let Some(Stream::Client(Client { outbox, part, owed, .. })) = streams.get_mut(&number) else { return Ok(()) };
        if part.len() + body.len() > PIECE {
            return Err(wrong("a piece is too long"));
        }
        let length = u32::try_from(body.len()).unwrap_or(u32::MAX);
        *owed = owed.saturating_add(length);
        if !is_whole {
            part.extend_from_slice(body);
            return Ok(());
        }
        if part.is_empty() {
            outbox.push(body, || body.clone());
        } else {
            part.extend_from_slice(body);
            let piece = Bytes::from(std::mem::take(part));
            outbox.push(&piece, || piece.clone());
        }
        if *owed < WINDOW / 4 {
            return Ok(());
        }
        if outbox.is_crowded() {
            let mut behind = self.lock(&self.behind);
            if !behind.contains(&number) {
                behind.push(number);
            }
            drop((behind, streams));
            self.wake.notify_one();
            return Ok(());
        }
        let more = std::mem::take(owed);
        drop(streams);
        self.give_credit(number, more);
        Ok(())
    }

    fn credit(&self, number: u32, more: u32) -> io::Result<()> {
        match self.streams().get_mut(&number) {
            Some(Stream::Guest { credit, outbox, .. }) => {
                credit.left.fetch_add(more.into(), Ordering::Relaxed);
                outbox.stir();
            }
            Some(Stream::Client(client)) => {
                let left = client.asked.checked_sub(more).filter(|_| more > 0);
                client.asked = left.ok_or_else(|| wrong("there is credit for requests that were not made"))?;
                // A relay that has ended has also ended its streams.
                let _ = client.events.send(Event::Credit(number, more));
            }
            _ => {}
        }
        Ok(())
    }

    fn accepted(&self, number: u32) -> io::Result<()> {
        if let Some(Stream::Client(client)) = self.streams().get_mut(&number) {
            if std::mem::replace(&mut client.accepted, true) {
                return Err(wrong("a client is taken in twice"));
            }
            let _ = client.events.send(Event::Accepted(number));
        }
        Ok(())
    }

    /// Closes the link and tells everybody who uses it.
    pub(super) fn close(&self) {
        if self.closed.send_replace(true) {
            return;
        }
        let streams = std::mem::take(&mut *self.streams());
        for (number, stream) in streams {
            match stream {
                Stream::Client(client) => {
                    let _ = client.events.send(Event::Ended(number, End::Code { code: ServerCode::Moved }));
                }
                Stream::Guest { outbox, .. } => outbox.note_left(),
                // They notice that nobody answers.
                Stream::Question(_) => {}
            }
        }
    }

    fn streams(&self) -> MutexGuard<'_, HashMap<u32, Stream>> {
        self.lock(&self.streams)
    }

    fn lock<'a, T>(&self, what: &'a Mutex<T>) -> MutexGuard<'a, T> {
        what.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
