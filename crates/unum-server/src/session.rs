//! One WebSocket: reads requests, writes what the table says, ends with a reason.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use hyper_util::rt::TokioIo;
use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::error::{CapacityError, ProtocolError};
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Bytes, Error, Message, Utf8Bytes};
use unum_table::GuestId;
use unum_table::wire::{ClientMsg, Hello, MAX_MESSAGE, ServerMsg, VERSION};

use crate::app::App;
use crate::codes::{ByeCode, RefusalCode};
use crate::config::Limits;
use crate::guests::Guest;
use crate::hub::{Mailbox, Unreachable};
use crate::limits::{Bucket, Ticket};
use crate::mail::{Arrival, Ask, Mail};
use crate::outbox::{Bounds, Flow, Outbox, Wire};
use crate::table_task::refuse;

/// Bytes read at once, and collected before they are written.
const BUFFER: usize = 4 * 1024;
/// How long a client has to take its goodbye.
const FAREWELL: Duration = Duration::from_secs(1);
/// Messages over the limit after which a client is let go, as a multiple of what may come at once.
const PATIENCE: u32 = 3;

/// Frames as small as messages, no buffers beyond what one client may have waiting.
pub(crate) fn socket_config() -> WebSocketConfig {
    WebSocketConfig::default()
        .read_buffer_size(BUFFER)
        .write_buffer_size(BUFFER)
        .max_write_buffer_size(256 * 1024)
        .max_message_size(Some(MAX_MESSAGE))
        .max_frame_size(Some(MAX_MESSAGE))
}

type Socket = WebSocketStream<Wire>;

/// Someone at a table.
struct Seated {
    guest: GuestId,
    mailbox: Mailbox,
    outbox: Arc<Outbox>,
    _ticket: Ticket<GuestId>,
}

/// A connection after its `hello`.
struct Session<'a> {
    app: &'a App,
    socket: &'a mut Socket,
    seated: Seated,
    bucket: Bucket,
    /// Messages over the limit, less those within it.
    strikes: u32,
    heard: bool,
    missed: u32,
}

/// Serves a client until one of both has enough. `known` is the guest of the handshake's cookie or header.
pub(crate) async fn serve(app: &App, mut socket: Socket, known: Option<Guest>) {
    let _counted = app.metrics.sessions.hold();
    let outbox = Arc::clone(socket.get_ref().outbox());
    let bye = match greet(app, &mut socket, known).await {
        Ok(seated) => {
            let (guest, mailbox) = (seated.guest, seated.mailbox.clone());
            let bye = Session::new(app, &mut socket, seated).run().await;
            // A table that has ended knows that nobody is connected to it.
            let _ = mailbox.send(Mail::Gone(guest, Arc::clone(&outbox))).await;
            bye
        }
        Err(bye) => bye,
    };
    if bye == Some(ByeCode::Slow) {
        app.metrics.slow_readers.one();
    }
    // Whoever does not take the goodbye in time goes without; a client that closes gets its close frame back, and one
    // that is gone does not mind.
    let _ = match bye {
        Some(bye) => timeout(FAREWELL, part(socket, bye)).await,
        None => timeout(FAREWELL, async move { socket.close(None).await }).await,
    };
    outbox.close();
}

/// Reads the `hello` and takes the guest to the table. `None` as an error: the client has gone.
async fn greet(app: &App, socket: &mut Socket, known: Option<Guest>) -> Result<Seated, Option<ByeCode>> {
    let hello = tokio::select! {
        hello = timeout(app.config.limits.hello_timeout, read_hello(socket)) => hello,
        () = app.stopped() => return Err(Some(ByeCode::Stopping)),
    };
    let hello = hello.map_err(|_| Some(ByeCode::NoHello))??;
    if hello.version != VERSION {
        return Err(Some(ByeCode::BadVersion));
    }
    let guest = match &hello.token {
        Some(token) => app.guest_by_token(token).await.map_err(|_| Some(ByeCode::Storage))?,
        None => known,
    };
    let guest = guest.ok_or(Some(ByeCode::NoGuest))?;
    let most = app.config.limits.connections_per_guest;
    let ticket = app.guest_connections.admit(guest.id, most).ok_or(Some(ByeCode::TooMany))?;
    let outbox = Arc::clone(socket.get_ref().outbox());
    let mailbox = join(app, &hello, &guest, &outbox).await?;
    Ok(Seated { guest: guest.id, mailbox, outbox, _ticket: ticket })
}

async fn read_hello(socket: &mut Socket) -> Result<Hello, Option<ByeCode>> {
    loop {
        match socket.next().await {
            Some(Ok(Message::Text(text))) => {
                return match ClientMsg::parse(&text) {
                    Ok(ClientMsg::Hello(hello)) => Ok(hello),
                    Ok(_) => Err(Some(ByeCode::BadHello)),
                    Err(trouble) => {
                        // The sentence helps whoever writes a client; if it cannot be sent, so be it.
                        let _ = socket.send(Message::Text(text_of(&trouble.refusal()))).await;
                        Err(Some(ByeCode::BadHello))
                    }
                };
            }
            Some(Ok(Message::Binary(_))) => return Err(Some(ByeCode::NotText)),
            Some(Ok(Message::Close(_))) | None => return Err(None),
            Some(Ok(_)) => {}
            Some(Err(error)) => return Err(broken(&error)),
        }
    }
}

/// Sends the guest to the table; a table that leaves memory at this very moment is found again.
async fn join(app: &App, hello: &Hello, guest: &Guest, outbox: &Arc<Outbox>) -> Result<Mailbox, Option<ByeCode>> {
    let Guest { id, name, look } = guest.clone();
    let arrival = Arrival { guest: id, name, look, after: hello.after, outbox: Arc::clone(outbox) };
    let mut mail = Mail::Arrive(Box::new(arrival));
    for _ in 0..3 {
        let mailbox = app.hub.find(&hello.table).map_err(|why| {
            Some(match why {
                Unreachable::NoTable => ByeCode::NoTable,
                Unreachable::TooMany => ByeCode::TooMany,
                Unreachable::Stopping => ByeCode::Stopping,
            })
        })?;
        match mailbox.send(mail).await {
            Ok(()) => return Ok(mailbox),
            Err(back) => mail = back.0,
        }
    }
    refuse(mail, crate::mail::NotThere::Storage);
    Err(Some(ByeCode::Storage))
}

impl<'a> Session<'a> {
    fn new(app: &'a App, socket: &'a mut Socket, seated: Seated) -> Session<'a> {
        let bucket = Bucket::full(app.config.limits.messages_at_once as f32, Instant::now());
        Session { app, socket, seated, bucket, strikes: 0, heard: true, missed: 0 }
    }

    /// Goes on until there is a reason to end; `None` if the client has gone.
    async fn run(mut self) -> Option<ByeCode> {
        let mut ping = tokio::time::interval(self.app.config.limits.ping_interval);
        ping.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        ping.tick().await;
        let outbox = Arc::clone(&self.seated.outbox);
        loop {
            let done = tokio::select! {
                biased;
                () = outbox.changed() => self.write_all().await,
                received = self.socket.next() => match received {
                    Some(received) => self.receive(received).await,
                    None => Err(None),
                },
                _ = ping.tick() => self.ping().await,
            };
            if let Err(bye) = done {
                return bye;
            }
        }
    }

    /// Writes what waits. Whoever does not take it is given up when the queue is full, or after some pings.
    async fn write_all(&mut self) -> Result<(), Option<ByeCode>> {
        let outbox = &self.seated.outbox;
        loop {
            match (outbox.flush(), outbox.ended()) {
                (_, Some(ByeCode::Slow)) => return Err(Some(ByeCode::Slow)),
                (Flow::Full, _) => patient(self.app, outbox, self.socket.get_ref().writable()).await?,
                (Flow::Broken, _) => return Err(None),
                (Flow::Done, Some(bye)) => return Err(Some(bye)),
                (Flow::Done, None) => return Ok(()),
            }
        }
    }

    /// Says something that is not the table's; what the socket does not take at once is written before more is read.
    async fn send(&mut self, message: Message) -> Result<(), Option<ByeCode>> {
        self.socket.send(message).await.map_err(|error| broken(&error))
    }

    async fn receive(&mut self, received: Result<Message, Error>) -> Result<(), Option<ByeCode>> {
        self.heard = true;
        self.missed = 0;
        match received {
            Ok(Message::Text(text)) => self.read(&text).await,
            Ok(Message::Binary(_)) => Err(Some(ByeCode::NotText)),
            Ok(Message::Close(_)) => Err(None),
            // Pings are answered by the library; too many of them are too many messages.
            Ok(_) => self.admit().map(drop),
            Err(error) => Err(broken(&error)),
        }
    }

    async fn read(&mut self, text: &str) -> Result<(), Option<ByeCode>> {
        let metrics = &self.app.metrics;
        metrics.messages.one();
        metrics.received.add(text.len() as u64);
        let admitted = self.admit()?;
        match ClientMsg::parse(text) {
            Ok(message) if !admitted => {
                let id = if let ClientMsg::Request { id, .. } = message { Some(id) } else { None };
                self.refuse_as_too_fast(id).await
            }
            Err(trouble) if !admitted => self.refuse_as_too_fast(trouble.id).await,
            Ok(ClientMsg::Request { id, request }) => {
                let (guest, outbox) = (self.seated.guest, Arc::clone(&self.seated.outbox));
                let ask = Mail::Ask(Box::new(Ask { guest, outbox, id, request }));
                // A table that has ended has told the outbox why.
                let _ = self.seated.mailbox.send(ask).await;
                Ok(())
            }
            Ok(ClientMsg::Ping) => self.send(Message::Text(text_of(&ServerMsg::Pong {}))).await,
            Ok(ClientMsg::Hello(_)) => {
                self.refuse(
                    None,
                    RefusalCode::BadRequest,
                    "hello is the first message only; to change the table, connect anew",
                )
                .await
            }
            Err(trouble) => self.send(Message::Text(text_of(&trouble.refusal()))).await,
        }
    }

    /// Whether a message comes at an allowed speed. Whoever goes on and on is let go.
    fn admit(&mut self) -> Result<bool, Option<ByeCode>> {
        let limits = &self.app.config.limits;
        let (rate, burst) = (limits.messages_per_second as f32, limits.messages_at_once as f32);
        if self.bucket.take(rate, burst, Instant::now()) {
            self.strikes = self.strikes.saturating_sub(1);
            return Ok(true);
        }
        self.app.metrics.too_fast.one();
        self.strikes += 1;
        if self.strikes > PATIENCE * limits.messages_at_once { Err(Some(ByeCode::Flood)) } else { Ok(false) }
    }

    async fn refuse_as_too_fast(&mut self, id: Option<u32>) -> Result<(), Option<ByeCode>> {
        let message = "too many messages in a short time; send this one again in a moment";
        self.refuse(id, RefusalCode::TooFast, message).await
    }

    async fn refuse(&mut self, id: Option<u32>, code: RefusalCode, message: &str) -> Result<(), Option<ByeCode>> {
        let (code, message) = (code.id().to_owned(), message.to_owned());
        let refusal = ServerMsg::Refused { id, code, message, rule: None, why: None };
        self.send(Message::Text(text_of(&refusal))).await
    }

    /// Asks a silent client whether it is still there; at the third time it is given up.
    async fn ping(&mut self) -> Result<(), Option<ByeCode>> {
        if !std::mem::take(&mut self.heard) {
            self.missed += 1;
            if self.missed > 2 {
                return Err(Some(ByeCode::Silent));
            }
        }
        self.send(Message::Ping(Bytes::new())).await
    }
}

/// Waits for something to be written, but not for ever.
async fn patient(
    app: &App,
    outbox: &Outbox,
    writing: impl Future<Output = io::Result<()>>,
) -> Result<(), Option<ByeCode>> {
    let longest = app.config.limits.ping_interval * 2;
    tokio::select! {
        biased;
        written = writing => written.map_err(|_| None),
        () = outbox.given_up() => Err(Some(ByeCode::Slow)),
        () = tokio::time::sleep(longest) => Err(Some(ByeCode::Slow)),
    }
}

/// What a broken connection is ended with; `None` if there is nobody to tell.
fn broken(error: &Error) -> Option<ByeCode> {
    match error {
        Error::Capacity(CapacityError::MessageTooLong { .. }) => Some(ByeCode::TooLong),
        Error::Utf8(_) => Some(ByeCode::BadText),
        Error::Protocol(ProtocolError::ResetWithoutClosingHandshake) => None,
        Error::Protocol(_) => Some(ByeCode::Protocol),
        Error::WriteBufferFull(_) => Some(ByeCode::Slow),
        _ => None,
    }
}

fn text_of(message: &ServerMsg) -> Utf8Bytes {
    serde_json::to_string(message).expect("messages are made of names, numbers and lists").into()
}

/// Says goodbye and closes; what the client has already sent is read, so that the goodbye is not lost with it.
async fn part(mut socket: Socket, bye: ByeCode) -> Result<(), Error> {
    tracing::debug!(code = bye.id(), "a connection is ended");
    let message = ServerMsg::Bye { code: bye.id().to_owned(), message: bye.message().to_owned(), retry: bye.retry() };
    // A slow client has no room for it; whoever leaves a table has been told why by the table.
    if !matches!(bye, ByeCode::Slow | ByeCode::Dismissed) {
        socket.feed(Message::Text(text_of(&message))).await?;
    }
    let frame = CloseFrame { code: bye.close_code().into(), reason: bye.id().into() };
    socket.send(Message::Close(Some(frame))).await?;
    let wire = socket.get_mut();
    while wire.outbox().flush() == Flow::Full {
        wire.writable().await?;
    }
    wire.outbox().close();
    let mut rest = [0; 512];
    while wire.read(&mut rest).await? > 0 {}
    Ok(())
}

/// The socket under an upgraded connection, and what was read of it already.
pub(crate) async fn socket_of(upgraded: hyper::upgrade::Upgraded, limits: &Limits) -> Option<Socket> {
    let parts = upgraded.downcast::<TokioIo<TcpStream>>().ok()?;
    let bounds = Bounds { messages: limits.queue_messages, bytes: limits.queue_bytes };
    let wire = Wire::new(parts.io.into_inner(), bounds);
    let role = tokio_tungstenite::tungstenite::protocol::Role::Server;
    Some(WebSocketStream::from_partially_read(wire, parts.read_buf.to_vec(), role, Some(socket_config())).await)
}
