//! A bounded queue to one client. Frames go straight into its socket; what the socket does not take waits here, and a
//! queue that grows too long ends the connection with a reason.

use std::collections::VecDeque;
use std::io::{self, ErrorKind};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::Notify;

use crate::cluster::Credit;
use crate::meter::Meter;
use crate::tls::{Sealed, Transport};
use unum_protocol::ServerCode;

/// The bounds of an [`Outbox`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub(crate) messages: usize,
    pub(crate) bytes: usize,
}

/// Where a table and a session put frames for one connection. Pushing never blocks: while the socket keeps up, a frame
/// is written at once and nobody else is woken; otherwise the session writes it. A client that does not read is
/// disconnected.
#[derive(Debug)]
pub(crate) struct Outbox {
    bounds: Bounds,
    queue: Mutex<Queue>,
    /// Notified when something is left to write, or the connection ends.
    wake: Notify,
    /// Whether the client has gone, even if not everybody knows yet.
    left: AtomicBool,
}

#[derive(Debug)]
struct Queue {
    /// `None` once the connection is closed or broken.
    socket: Option<Sink>,
    waiting: VecDeque<Bytes>,
    bytes: usize,
    /// Whether the client has the beginning of the first that waits.
    begun: bool,
    end: Option<ServerCode>,
    /// If another node runs the table now: what the client was told last, and the table's code.
    passed_on: Option<Box<(u64, String)>>,
}

/// What takes the bytes of a connection.
#[derive(Debug)]
enum Sink {
    Socket(OwnedWriteHalf),
    Sealed(Arc<Sealed>),
    /// The node that the client is connected to. It takes a piece as a whole.
    Stream(Arc<Credit>),
}

impl Sink {
    fn try_write(&self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Sink::Socket(socket) => socket.try_write(bytes),
            Sink::Sealed(sealed) => sealed.try_write(bytes),
            Sink::Stream(credit) => credit.try_write(bytes),
        }
    }

    /// Passes on what it keeps itself; whether that was all.
    fn flush(&self) -> io::Result<bool> {
        match self {
            Sink::Sealed(sealed) => sealed.flush(),
            Sink::Socket(_) | Sink::Stream(_) => Ok(true),
        }
    }

    /// Whether it keeps something that was written.
    fn is_behind(&self) -> bool {
        match self {
            Sink::Sealed(sealed) => sealed.is_behind(),
            Sink::Socket(_) | Sink::Stream(_) => false,
        }
    }
}

/// How far writing has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    /// Nothing waits.
    Done,
    /// The socket takes no more at the moment.
    Full,
    /// There is no connection any more.
    Broken,
}

impl Outbox {
    /// To a client that is connected to another node.
    pub(crate) fn over(bounds: Bounds, credit: Arc<Credit>) -> Outbox {
        Outbox::new(bounds, Sink::Stream(credit))
    }

    fn new(bounds: Bounds, socket: Sink) -> Outbox {
        let queue = Queue {
            socket: Some(socket),
            waiting: VecDeque::new(),
            bytes: 0,
            begun: false,
            end: None,
            passed_on: None,
        };
        Outbox { bounds, queue: Mutex::new(queue), wake: Notify::new(), left: AtomicBool::new(false) }
    }

    /// Sends a frame or lets it wait. One always fits into an empty queue. A client with too much waiting already is
    /// dropped as slow, and its queue is thrown away.
    /// `kept` makes a copy of it that can wait.
    pub(crate) fn push(&self, frame: &[u8], kept: impl FnOnce() -> Bytes) {
        let mut queue = self.lock();
        if queue.end.is_some() {
            return;
        }
        if queue.waiting.len() >= self.bounds.messages || queue.bytes >= self.bounds.bytes {
            queue.give_up();
        } else if queue.send(frame, kept) == Flow::Done {
            return;
        }
        drop(queue);
        self.wake.notify_one();
    }

    /// The same for what a session says itself, which may come after an end.
    fn append(&self, frame: &[u8]) -> io::Result<()> {
        let mut queue = self.lock();
        if queue.bytes >= self.bounds.bytes {
            queue.give_up();
            return Err(ErrorKind::OutOfMemory.into());
        }
        let flow = queue.send(frame, || Bytes::copy_from_slice(frame));
        drop(queue);
        match flow {
            Flow::Done => {}
            Flow::Full => self.wake.notify_one(),
            Flow::Broken => return Err(ErrorKind::BrokenPipe.into()),
        }
        Ok(())
    }

    /// Ends the connection, after what waits already. The first reason counts.
    pub(crate) fn end(&self, why: ServerCode) {
        self.lock().end.get_or_insert(why);
        self.wake.notify_one();
    }

    /// Another node runs the table now, and the node that the client is connected to takes it there: it was told everything
    /// up to that number.
    pub(crate) fn pass_on(&self, told: u64, code: &str) {
        let mut queue = self.lock();
        if queue.end.is_none() {
            queue.passed_on = Some(Box::new((told, code.to_owned())));
        }
        drop(queue);
        self.end(ServerCode::Moved);
    }

    /// What the client was told last, and the table's code, if another node runs the table now.
    pub(crate) fn passed_on(&self) -> Option<(u64, String)> {
        self.lock().passed_on.as_deref().cloned()
    }

    /// Whether the client is connected to another node.
    pub(crate) fn is_relayed(&self) -> bool {
        matches!(self.lock().socket, Some(Sink::Stream(_)))
    }

    /// The table has a request of a client that is connected to another node: it may send another.
    pub(crate) fn note_taken(&self) {
        if let Some(Sink::Stream(credit)) = &self.lock().socket {
            credit.give_back();
        }
    }

    /// The client has gone, and must not be taken to a table any more: it may have come back over another connection.
    pub(crate) fn note_left(&self) {
        self.left.store(true, Ordering::Relaxed);
    }

    /// Whether the client has gone.
    pub(crate) fn has_left(&self) -> bool {
        self.left.load(Ordering::Relaxed)
    }

    /// Why the connection should end, if it should.
    pub(crate) fn ended(&self) -> Option<ServerCode> {
        self.lock().end
    }

    /// Whether the client has still much to read: a quarter of what it may have waiting.
    pub(crate) fn is_crowded(&self) -> bool {
        let queue = self.lock();
        queue.end.is_none() && (queue.waiting.len() * 4 >= self.bounds.messages || queue.bytes * 4 >= self.bounds.bytes)
    }

    /// Whether the socket has not taken everything yet.
    pub(crate) fn is_behind(&self) -> bool {
        let queue = self.lock();
        !queue.waiting.is_empty() || queue.socket.as_ref().is_some_and(Sink::is_behind)
    }

    /// Writes what is queued, as much as the socket takes.
    pub(crate) fn flush(&self) -> Flow {
        self.lock().flush()
    }

    /// Waits until there may be something for [`Outbox::flush`], or an end. Wake-ups may be spurious.
    pub(crate) async fn changed(&self) {
        self.wake.notified().await;
    }

    /// There may be something to write again.
    pub(crate) fn stir(&self) {
        self.wake.notify_one();
    }

    /// Waits until the client has been given up as too slow.
    pub(crate) async fn given_up(&self) {
        while self.ended() != Some(ServerCode::Slow) {
            self.wake.notified().await;
        }
    }

    /// Closes the connection in this direction; what still waits is lost.
    pub(crate) fn close(&self) {
        self.lock().break_off();
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Queue {
    /// Writes a frame, or lets what is left of it wait; `kept` makes it something that can.
    fn send(&mut self, frame: &[u8], kept: impl FnOnce() -> Bytes) -> Flow {
        let mut written = 0;
        if self.waiting.is_empty() {
            written = match self.write(frame) {
                Ok(written) => written,
                Err(flow) => return flow,
            };
            if written == frame.len() {
                return if self.socket.as_ref().is_some_and(Sink::is_behind) { Flow::Full } else { Flow::Done };
            }
            self.begun = written > 0;
        }
        self.bytes += frame.len() - written;
        self.waiting.push_back(kept().slice(written..));
        Flow::Full
    }

    fn flush(&mut self) -> Flow {
        while let Some(frame) = self.waiting.pop_front() {
            let written = match self.write(&frame) {
                Ok(written) => written,
                Err(flow) => return flow,
            };
            self.bytes -= written;
            if written < frame.len() {
                self.begun |= written > 0;
                self.waiting.push_front(frame.slice(written..));
                return Flow::Full;
            }
            self.begun = false;
        }
        // Most connections have nothing waiting most of the time.
        self.waiting = VecDeque::new();
        match self.socket.as_ref().map(Sink::flush) {
            Some(Ok(true)) => Flow::Done,
            Some(Ok(false)) => Flow::Full,
            Some(Err(_)) => {
                self.break_off();
                Flow::Broken
            }
            None => Flow::Broken,
        }
    }

    /// As many bytes as the socket takes now.
    fn write(&mut self, frame: &[u8]) -> Result<usize, Flow> {
        let Some(socket) = &self.socket else { return Err(Flow::Broken) };
        match socket.try_write(frame) {
            Ok(written) => Ok(written),
            Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(0),
            Err(_) => {
                self.break_off();
                Err(Flow::Broken)
            }
        }
    }

    /// Throws away what waits, except the rest of a frame that was begun.
    fn give_up(&mut self) {
        self.waiting.truncate(usize::from(self.begun));
        self.waiting.shrink_to_fit();
        self.bytes = self.waiting.iter().map(Bytes::len).sum();
        self.end = Some(ServerCode::Slow);
    }

    fn break_off(&mut self) {
        if let Some(Sink::Sealed(sealed)) = self.socket.take() {
            sealed.close();
        }
        self.waiting = VecDeque::new();
        self.bytes = 0;
    }
}

/// Where a connection is read.
#[derive(Debug)]
enum Reading {
    Socket(OwnedReadHalf),
    Sealed(Arc<Sealed>),
}

/// A connection as a session sees it: reads from the socket, writes by way of the outbox, so that frames of the table and
/// of the session do not get mixed up.
#[derive(Debug)]
pub(crate) struct Wire {
    socket: Reading,
    outbox: Arc<Outbox>,
    meter: Meter,
}

impl Wire {
    /// `read` has been read from the socket already.
    pub(crate) fn new(transport: Transport, bounds: Bounds, mut meter: Meter, read: &[u8]) -> Wire {
        // What came with the handshake is too little to exceed a limit.
        let _ = meter.look(read);
        let (socket, sink) = match transport {
            Transport::Plain(socket) => {
                let (reading, writing) = socket.into_split();
                (Reading::Socket(reading), Sink::Socket(writing))
            }
            Transport::Encrypted(stream) => {
                let sealed = Arc::new(Sealed::new(*stream));
                (Reading::Sealed(Arc::clone(&sealed)), Sink::Sealed(sealed))
            }
        };
        Wire { socket, outbox: Arc::new(Outbox::new(bounds, sink)), meter }
    }

    pub(crate) fn outbox(&self) -> &Arc<Outbox> {
        &self.outbox
    }

    /// Waits until the socket takes more.
    pub(crate) async fn writable(&self) -> io::Result<()> {
        match &self.socket {
            Reading::Socket(socket) => socket.ready(Interest::WRITABLE).await.map(drop),
            Reading::Sealed(sealed) => sealed.writable().await,
        }
    }
}

impl AsyncRead for Wire {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, to: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = to.filled().len();
        match &mut self.socket {
            Reading::Socket(socket) => ready!(Pin::new(socket).poll_read(context, to))?,
            Reading::Sealed(sealed) => {
                let read = sealed.poll_read(context, to);
                // The protocol itself may have had something to say.
                if sealed.is_behind() {
                    self.outbox.stir();
                }
                ready!(read)?;
            }
        }
        let read = to.filled().get(before..).unwrap_or_default();
        Poll::Ready(self.meter.look(read))
    }
}

impl AsyncWrite for Wire {
    /// Invariant: every call carries whole frames, and all of them are taken. The WebSocket library encodes a frame into
    /// its buffer before it writes and hands over the whole buffer; since no write is ever partial, it never comes back
    /// with the rest of one. So a frame of the table, pushed by another thread, can only land between two frames.
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, frame: &[u8]) -> Poll<io::Result<usize>> {
        Poll::Ready(self.outbox.append(frame).map(|()| frame.len()))
    }

    /// What the socket has not taken is the session's to write; see [`Outbox::flush`].
    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.outbox.close();
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use futures_util::{SinkExt as _, StreamExt as _};
    use tokio::io::AsyncReadExt as _;
    use tokio::net::{TcpListener, TcpStream};
    use tokio_tungstenite::WebSocketStream;
    use tokio_tungstenite::tungstenite::Message;
    use tokio_tungstenite::tungstenite::protocol::Role;

    use super::*;

    /// Both ends of a connection.
    async fn connected(bounds: Bounds) -> (Wire, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (server, _) = listener.accept().await.unwrap();
        server.writable().await.unwrap();
        (Wire::new(Transport::Plain(server), bounds, Meter::new(1_000_000, 1_000_000), &[]), client)
    }

    /// The same, encrypted.
    async fn sealed(bounds: Bounds) -> (Wire, tokio_rustls::client::TlsStream<TcpStream>) {
        use tokio_rustls::rustls::crypto::ring;
        use tokio_rustls::rustls::pki_types::{CertificateDer, pem::PemObject as _};
        use tokio_rustls::rustls::{ClientConfig, RootCertStore};
        let config = crate::Config { ephemeral: true, tls_self_made: true, ..crate::Config::default() };
        let tls = crate::tls::Tls::of(&config).unwrap().unwrap();
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from_pem_slice(tls.authority().unwrap().as_bytes()).unwrap()).unwrap();
        let client = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
        let client = client.with_safe_default_protocol_versions().unwrap();
        let client = client.with_root_certificates(roots).with_no_client_auth();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let stream = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (server, _) = listener.accept().await.unwrap();
        let connector = tokio_rustls::TlsConnector::from(Arc::new(client));
        let (client, server) =
            tokio::join!(connector.connect("127.0.0.1".try_into().unwrap(), stream), tls.accept(server));
        let meter = Meter::new(1_000_000, 1_000_000);
        (Wire::new(server.unwrap(), bounds, meter, &[]), client.unwrap())
    }

    fn push(outbox: &Outbox, frame: &Bytes) {
        outbox.push(frame, || frame.clone());
    }

    /// Fills the socket until something waits.
    fn fill(outbox: &Outbox, frame: &Bytes) {
        while outbox.lock().waiting.is_empty() {
            push(outbox, frame);
            assert_eq!(outbox.ended(), None);
        }
    }

    #[tokio::test]
    async fn what_is_pushed_is_on_its_way_at_once() {
        let (wire, mut client) = connected(Bounds { messages: 3, bytes: 100 }).await;
        for frame in ["a", "b", "c", "d", "e"] {
            push(&wire.outbox, &frame.into());
        }
        wire.outbox.end(ServerCode::Stopping);
        wire.outbox.end(ServerCode::Replaced);
        push(&wire.outbox, &"f".into());
        assert_eq!((wire.outbox.flush(), wire.outbox.ended()), (Flow::Done, Some(ServerCode::Stopping)));
        wire.outbox.close();
        let mut text = String::new();
        client.read_to_string(&mut text).await.unwrap();
        assert_eq!(text, "abcde");
        assert_eq!(wire.outbox.flush(), Flow::Broken);
    }

    #[tokio::test]
    async fn what_the_socket_does_not_take_is_written_later_and_in_order() {
        let (wire, mut client) = connected(Bounds { messages: 100, bytes: 1 << 30 }).await;
        let frame = Bytes::from(vec![b'x'; 1 << 20]);
        fill(&wire.outbox, &frame);
        wire.outbox.append(b"last").unwrap();
        let reading = tokio::spawn(async move {
            let mut all = Vec::new();
            client.read_to_end(&mut all).await.unwrap();
            all
        });
        while wire.outbox.flush() == Flow::Full {
            wire.writable().await.unwrap();
        }
        assert_eq!(wire.outbox.lock().bytes, 0);
        wire.outbox.close();
        let all = reading.await.unwrap();
        assert!(all.ends_with(b"xlast"));
        assert_eq!((all.len() - 4) % frame.len(), 0);
    }

    #[tokio::test]
    async fn what_is_encrypted_is_written_later_too_and_in_order() {
        let (wire, mut client) = sealed(Bounds { messages: 100, bytes: 1 << 30 }).await;
        let frame = Bytes::from(vec![b'x'; 1 << 20]);
        fill(&wire.outbox, &frame);
        assert!(wire.outbox.is_behind());
        wire.outbox.append(b"last").unwrap();
        let reading = tokio::spawn(async move {
            let mut all = Vec::new();
            // Fails unless the end is announced.
            client.read_to_end(&mut all).await.unwrap();
            all
        });
        while wire.outbox.flush() == Flow::Full {
            wire.writable().await.unwrap();
        }
        assert!(!wire.outbox.is_behind());
        wire.outbox.close();
        let all = reading.await.unwrap();
        assert!(all.ends_with(b"xlast"));
        assert_eq!((all.len() - 4) % frame.len(), 0);
        assert_eq!(wire.outbox.flush(), Flow::Broken);
    }

    #[tokio::test]
    async fn an_encrypted_client_that_hangs_up_is_noticed() {
        use tokio::io::AsyncWriteExt as _;
        let (mut wire, mut client) = sealed(Bounds { messages: 3, bytes: 100 }).await;
        client.write_all(b"hello").await.unwrap();
        let mut read = [0; 5];
        wire.read_exact(&mut read).await.unwrap();
        assert_eq!(&read, b"hello");
        drop(client);
        // It had not read everything, so the system may have told of it as a reset.
        let gone = wire.read(&mut read).await;
        assert!(
            gone.as_ref().map_or_else(|why| why.kind() == ErrorKind::ConnectionReset, |count| *count == 0),
            "{gone:?}"
        );
    }

    #[tokio::test]
    async fn a_pong_comes_between_frames_of_the_table_never_within_one() {
        let bounds = Bounds { messages: 1 << 20, bytes: 1 << 30 };
        let (wire, client) = connected(bounds).await;
        frames_and_pongs(wire, client).await;
        let (wire, client) = sealed(bounds).await;
        frames_and_pongs(wire, client).await;
    }

    async fn frames_and_pongs(wire: Wire, client: impl AsyncRead + AsyncWrite + Unpin + Send + 'static) {
        let outbox = Arc::clone(wire.outbox());
        let mut session =
            WebSocketStream::from_raw_socket(wire, Role::Server, Some(crate::session::socket_config())).await;
        let mut client = WebSocketStream::from_raw_socket(client, Role::Client, None).await;
        let rounds = 200;
        // More than the socket takes at once, so that frames are cut wherever it is full.
        let text = "x".repeat(50_000);
        let mut desk = crate::frame::Desk::default();
        let written = desk.write(&text);
        let frame = desk.copy(written);
        let table = std::thread::spawn({
            let outbox = Arc::clone(&outbox);
            move || (0..rounds).for_each(|_| push(&outbox, &frame))
        });
        let reading = tokio::spawn(async move {
            let (mut texts, mut pongs) = (0, 0);
            while (texts, pongs) != (rounds, rounds) {
                match client.next().await.unwrap().unwrap() {
                    Message::Text(found) => {
                        assert_eq!(found.as_str(), format!("{text:?}"));
                        texts += 1;
                    }
                    Message::Pong(found) => {
                        assert_eq!(found, Bytes::from("here"));
                        pongs += 1;
                    }
                    other => panic!("{other:?}"),
                }
            }
        });
        for _ in 0..rounds {
            session.send(Message::Pong("here".into())).await.unwrap();
            while outbox.flush() == Flow::Full {
                session.get_ref().writable().await.unwrap();
            }
        }
        while !table.is_finished() || outbox.flush() == Flow::Full {
            tokio::time::sleep(std::time::Duration::from_millis(1)).await;
        }
        reading.await.unwrap();
    }

    #[tokio::test]
    async fn too_many_messages_or_bytes_end_a_client_and_free_what_waits() {
        for bounds in [Bounds { messages: 3, bytes: 1 << 30 }, Bounds { messages: 90, bytes: 2 << 20 }] {
            let (wire, _client) = connected(bounds).await;
            let frame = Bytes::from(vec![b'x'; 1 << 20]);
            fill(&wire.outbox, &frame);
            for _ in 0..3 {
                push(&wire.outbox, &frame);
            }
            assert_eq!(wire.outbox.ended(), Some(ServerCode::Slow));
            // Only the rest of the frame that was begun waits.
            assert!(wire.outbox.lock().bytes < frame.len());
        }
    }
}
