//! One WebSocket: reads requests, writes what the table says, ends with a reason.

use std::io;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::{FutureExt as _, SinkExt, StreamExt};
use hyper_util::rt::TokioIo;
use tokio::io::AsyncReadExt;
use tokio::sync::oneshot;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::error::{CapacityError, ProtocolError};
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Bytes, Error, Message, Utf8Bytes};
use unum_protocol::{ClientMsg, Code, Hello, MAX_MESSAGE, Refusal, Request, ServerCode, ServerMsg, VERSION, read_code};
use unum_store::failpoint::{self, Place};
use unum_table::GuestId;

use crate::address::AddressKey;
use crate::app::App;
use crate::codes::{Unavailable, bye, closing};
use crate::config::Limits;
use crate::connected::{Connection, Known};
use crate::guests::Guest;
use crate::hub::Mailbox;
use crate::limits::{Bucket, Ticket};
use crate::mail::{Arrival, Ask, Mail, Since, Visitor};
use crate::meter::Meter;
use crate::outbox::{Bounds, Flow, Outbox, Wire};
use crate::table_task::refuse;
use crate::tls::Transport;

/// Bytes read at once, and collected before they are written.
const BUFFER: usize = 4 * 1024;
/// How long a client has to take its goodbye.
const FAREWELL: Duration = Duration::from_secs(1);
/// How many pings a client may send before a table has taken it in; more of them wait.
const EARLY_PINGS: u32 = 64;
/// Messages over the limit after which a client is disconnected, as a multiple of what may come at once.
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
    table: String,
    /// What the client said before it was taken in.
    early: Option<Utf8Bytes>,
    _ticket: Ticket<GuestId>,
    _known: Known,
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

/// How a session ends that has panicked.
fn crashed(app: &App) -> Option<ServerCode> {
    app.metrics.panics.one();
    tracing::error!("a session has failed");
    Some(ServerCode::Crashed)
}

/// Runs the session until either side ends it, and says why; `None` if the client has gone. `known` is the guest of the
/// handshake's cookie or header.
pub(crate) async fn serve(
    app: &App,
    mut socket: Socket,
    known: Option<Guest>,
    client: AddressKey,
) -> Option<ServerCode> {
    let _counted = app.metrics.sessions.hold();
    let outbox = Arc::clone(socket.get_ref().outbox());
    let greeting = AssertUnwindSafe(greet(app, &mut socket, known, client)).catch_unwind().await;
    let bye = match greeting.unwrap_or_else(|_| Err(crashed(app))) {
        Ok(seated) => {
            let (guest, mailbox) = (seated.guest, seated.mailbox.clone());
            let running = AssertUnwindSafe(Session::new(app, &mut socket, seated).run()).catch_unwind().await;
            let bye = running.unwrap_or_else(|_| crashed(app));
            outbox.note_left();
            // A table that has ended knows that nobody is connected to it.
            let _ = mailbox.send(Mail::Gone(guest, Arc::clone(&outbox))).await;
            bye
        }
        Err(bye) => bye,
    };
    if bye == Some(ServerCode::Slow) {
        app.metrics.slow_readers.one();
    }
    // A client that does not take the goodbye in time gets none. One that closes gets its close frame back, and one
    // that is gone does not mind.
    let _ = match bye {
        Some(bye) => timeout(FAREWELL, part(socket, bye)).await,
        None => timeout(FAREWELL, async move { socket.close(None).await }).await,
    };
    outbox.close();
    bye
}

/// Reads the `hello` and takes the guest to the table. `None` as an error: the client has gone.
async fn greet(
    app: &App,
    socket: &mut Socket,
    known: Option<Guest>,
    client: AddressKey,
) -> Result<Seated, Option<ServerCode>> {
    let hello = tokio::select! {
        hello = timeout(app.config.limits.hello_timeout, read_hello(socket)) => hello,
        () = app.stopped() => return Err(Some(ServerCode::Stopping)),
    };
    let hello = hello.map_err(|_| Some(ServerCode::NoHello))??;
    if hello.version != VERSION {
        return Err(Some(ServerCode::BadVersion));
    }
    let guest = match &hello.token {
        Some(token) => app.guest_by_token(token).await.map_err(|_| Some(ServerCode::Storage))?,
        None => known,
    };
    let guest = guest.ok_or(Some(ServerCode::NoGuest))?;
    let ticket = app.admit_connection(guest.id).await.ok_or(Some(ServerCode::TooMany))?;
    let outbox = Arc::clone(socket.get_ref().outbox());
    let connection = Connection {
        outbox: Arc::clone(&outbox),
        name: guest.name.clone(),
        client,
        table: hello.table.clone(),
        since: app.hub.clock.now().0,
    };
    let known = app.connected.add(guest.id, connection);
    // After it is known: whoever is banned at this very moment is ended by that.
    if app.is_banned(guest.id, client) {
        return Err(Some(ServerCode::Banned));
    }
    let mut asked = None;
    let joined = taken_in(socket, join(app, &hello, &guest, &outbox, client, &mut asked)).await;
    if let (Err(None), Some(asked)) = (&joined, asked) {
        // It may have been taken in at this very moment. A task that has ended need not be told.
        let _ = asked.send(Mail::Gone(guest.id, Arc::clone(&outbox))).await;
    }
    // A well-formed code that no table has counts as a guess; anything else does not.
    if joined.as_ref().err() == Some(&Some(ServerCode::NoTable)) && read_code(&hello.table).is_some() {
        app.note_wrong_code(client);
    }
    let (mailbox, early) = joined?;
    Ok(Seated { guest: guest.id, mailbox, outbox, table: hello.table, early, _ticket: ticket, _known: known })
}

/// Waits until a table has taken a client in, which can take as long as the lease of a node that is gone. A client that
/// leaves meanwhile is not taken in any more: it may have come back over another connection, which it would replace.
/// Pings are answered; the first other message waits, and everything behind it.
async fn taken_in(
    socket: &mut Socket,
    joining: impl Future<Output = Result<Mailbox, Option<ServerCode>>>,
) -> Result<(Mailbox, Option<Utf8Bytes>), Option<ServerCode>> {
    tokio::pin!(joining);
    let (mut early, mut pings) = (None, 0);
    loop {
        let received = tokio::select! {
            biased;
            // First: a client whose hello was read late, by a process that was stopped, may be long gone.
            received = socket.next(), if early.is_none() && pings < EARLY_PINGS => received,
            joined = &mut joining => return joined.map(|mailbox| (mailbox, early)),
        };
        match received {
            Some(Ok(Message::Text(text))) if matches!(ClientMsg::parse(&text), Ok(ClientMsg::Ping { .. })) => {
                pings += 1;
                socket.send(Message::Text(text_of(&ServerMsg::Pong {}))).await.map_err(|error| broken(&error))?;
            }
            Some(Ok(Message::Text(text))) => early = Some(text),
            Some(Ok(Message::Binary(_))) => return Err(Some(ServerCode::NotText)),
            Some(Ok(Message::Close(_))) | None => return Err(None),
            Some(Ok(_)) => pings += 1,
            Some(Err(error)) => return Err(broken(&error)),
        }
    }
}

async fn read_hello(socket: &mut Socket) -> Result<Hello, Option<ServerCode>> {
    loop {
        match socket.next().await {
            Some(Ok(Message::Text(text))) => {
                return match ClientMsg::parse(&text) {
                    Ok(ClientMsg::Hello { hello }) => Ok(hello),
                    Ok(_) => Err(Some(ServerCode::BadHello)),
                    Err(trouble) => {
                        // The sentence helps authors of clients; if it cannot be sent, nothing is lost.
                        let _ = socket.send(Message::Text(text_of(&trouble.refusal()))).await;
                        Err(Some(ServerCode::BadHello))
                    }
                };
            }
            Some(Ok(Message::Binary(_))) => return Err(Some(ServerCode::NotText)),
            Some(Ok(Message::Close(_))) | None => return Err(None),
            Some(Ok(_)) => {}
            Some(Err(error)) => return Err(broken(&error)),
        }
    }
}

/// Sends the guest to the table, and returns the mailbox of the task that took them in. A table that leaves memory at
/// this very moment is found again. Which task was asked is told as soon as one was.
async fn join(
    app: &App,
    hello: &Hello,
    guest: &Guest,
    outbox: &Arc<Outbox>,
    client: AddressKey,
    asked: &mut Option<Mailbox>,
) -> Result<Mailbox, Option<ServerCode>> {
    app.check_guessing(client).map_err(|why| Some(why.code()))?;
    let Some(code) = read_code(&hello.table) else { return Err(Some(ServerCode::NoTable)) };
    let Guest { id, name, look } = guest.clone();
    let (taken_in, mailbox) = oneshot::channel();
    let (address, guarded, ended) = (client, app.is_guarded(), outbox);
    // Without them the guest still plays, and can mute by hand.
    let blocks = app.store(move |store| store.blocks_of(id.0)).await.unwrap_or_default();
    let blocks = blocks.into_iter().map(|row| GuestId(row.other)).collect();
    let outbox = Arc::clone(outbox);
    let visitor = Visitor { guest: id, name, look, code: code.clone(), address, guarded, blocks, outbox };
    let arrival = Arrival { visitor, since: Since::Seen(hello.after), relayed: false, taken_in: Some(taken_in) };
    let mut mail = Mail::Arrive(Box::new(arrival));
    for _ in 0..3 {
        let way = app.find(&code, client, Some(id)).map_err(|why| Some(why.code()))?;
        match way.send(mail).await {
            // A table that ends without taking anybody in says why, unless it has failed.
            Ok(()) => {
                *asked = Some(way);
                let joined = mailbox.await.map_err(|_| Some(ended.ended().unwrap_or(ServerCode::Crashed)));
                return joined.inspect(|_| tracing::debug!("a guest joined a table"));
            }
            Err(back) => mail = back.0,
        }
    }
    refuse(mail, Unavailable::Storage);
    Err(Some(ServerCode::Storage))
}

impl<'a> Session<'a> {
    fn new(app: &'a App, socket: &'a mut Socket, seated: Seated) -> Session<'a> {
        let bucket = Bucket::full(app.config.limits.messages_at_once as f32, Instant::now());
        Session { app, socket, seated, bucket, strikes: 0, heard: true, missed: 0 }
    }

    /// Goes on until there is a reason to end; `None` if the client has gone.
    async fn run(mut self) -> Option<ServerCode> {
        let mut ping = tokio::time::interval(self.app.config.limits.ping_interval);
        ping.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        ping.tick().await;
        let (outbox, mailbox) = (Arc::clone(&self.seated.outbox), self.seated.mailbox.clone());
        let mut closed = std::pin::pin!(mailbox.closed());
        if let Some(early) = self.seated.early.take()
            && let Err(bye) = self.read(&early).await
        {
            return bye;
        }
        loop {
            let done = tokio::select! {
                biased;
                () = outbox.changed() => self.write_all().await,
                () = closed.as_mut() => self.leave().await,
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

    /// Writes what waits. A client that does not take it is given up when the queue is full, or after some pings.
    async fn write_all(&mut self) -> Result<(), Option<ServerCode>> {
        let outbox = &self.seated.outbox;
        loop {
            match (outbox.flush(), outbox.ended()) {
                (_, Some(ServerCode::Slow)) => return Err(Some(ServerCode::Slow)),
                (Flow::Full, _) => patient(self.app, outbox, self.socket.get_ref().writable()).await?,
                (Flow::Broken, _) => return Err(None),
                (Flow::Done, Some(bye)) => return Err(Some(bye)),
                (Flow::Done, None) => return Ok(()),
            }
        }
    }

    /// The table has ended; it has told the outbox why, unless it has failed in a way that it could not.
    async fn leave(&mut self) -> Result<(), Option<ServerCode>> {
        self.write_all().await?;
        // A task that ends in good order closes its mailbox after it has told everybody.
        Err(Some(self.seated.outbox.ended().unwrap_or(ServerCode::Crashed)))
    }

    /// Says something that is not the table's; what the socket does not take at once is written before more is read.
    async fn send(&mut self, message: Message) -> Result<(), Option<ServerCode>> {
        self.socket.send(message).await.map_err(|error| broken(&error))
    }

    async fn receive(&mut self, received: Result<Message, Error>) -> Result<(), Option<ServerCode>> {
        self.heard = true;
        self.missed = 0;
        match received {
            Ok(Message::Text(text)) => self.read(&text).await,
            Ok(Message::Binary(_)) => Err(Some(ServerCode::NotText)),
            Ok(Message::Close(_)) => Err(None),
            // Pings are answered by the library; too many of them are too many messages.
            Ok(_) => self.admit().map(drop),
            Err(error) => Err(broken(&error)),
        }
    }

    async fn read(&mut self, text: &str) -> Result<(), Option<ServerCode>> {
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
            Ok(ClientMsg::Request { id, request }) if is_heard(&request) && self.app.is_muted(self.seated.guest) => {
                let message = "whoever runs this server has muted you for a time";
                self.refuse(Some(id), Refusal::new(ServerCode::Muted, message)).await
            }
            Ok(ClientMsg::Request { id, request }) => {
                failpoint::hit(Place::Session, &self.seated.table);
                let (guest, outbox) = (self.seated.guest, Arc::clone(&self.seated.outbox));
                let ask = Mail::Ask(Box::new(Ask { guest, outbox, id, request, relayed: false }));
                match self.seated.mailbox.send(ask).await {
                    Ok(()) => Ok(()),
                    Err(_) => self.leave().await,
                }
            }
            Ok(ClientMsg::Ping { .. }) => self.send(Message::Text(text_of(&ServerMsg::Pong {}))).await,
            Ok(ClientMsg::Hello { .. }) => {
                let message = "hello is the first message only; connect again to change the table";
                self.refuse(None, Refusal::new(Code::UNREADABLE, message)).await
            }
            Err(trouble) => self.send(Message::Text(text_of(&trouble.refusal()))).await,
        }
    }

    /// Whether a message is within the rate limit. A client that keeps exceeding it is disconnected.
    fn admit(&mut self) -> Result<bool, Option<ServerCode>> {
        let limits = &self.app.config.limits;
        let (rate, burst) = (limits.messages_per_second as f32, limits.messages_at_once as f32);
        if self.bucket.take(rate, burst, Instant::now()) {
            self.strikes = self.strikes.saturating_sub(1);
            return Ok(true);
        }
        self.app.metrics.too_fast.one();
        self.strikes += 1;
        if self.strikes > PATIENCE * limits.messages_at_once { Err(Some(ServerCode::Flood)) } else { Ok(false) }
    }

    async fn refuse_as_too_fast(&mut self, id: Option<u32>) -> Result<(), Option<ServerCode>> {
        let message = "too many messages in a short time; send this one again in a moment";
        self.refuse(id, Refusal::new(ServerCode::TooFast, message)).await
    }

    async fn refuse(&mut self, id: Option<u32>, refusal: Refusal) -> Result<(), Option<ServerCode>> {
        self.send(Message::Text(text_of(&ServerMsg::Refused { id, refusal }))).await
    }

    /// Asks a silent client whether it is still there; at the third time it is given up.
    async fn ping(&mut self) -> Result<(), Option<ServerCode>> {
        if !std::mem::take(&mut self.heard) {
            self.missed += 1;
            if self.missed > 2 {
                return Err(Some(ServerCode::Silent));
            }
        }
        self.send(Message::Ping(Bytes::new())).await
    }
}

/// Whether others would hear or read it.
fn is_heard(request: &Request) -> bool {
    matches!(request, Request::Chat { .. } | Request::React { .. } | Request::Rename { .. })
}

/// Waits for something to be written, within a time limit.
async fn patient(
    app: &App,
    outbox: &Outbox,
    writing: impl Future<Output = io::Result<()>>,
) -> Result<(), Option<ServerCode>> {
    let longest = app.config.limits.ping_interval * 2;
    tokio::select! {
        biased;
        written = writing => written.map_err(|_| None),
        () = outbox.given_up() => Err(Some(ServerCode::Slow)),
        () = tokio::time::sleep(longest) => Err(Some(ServerCode::Slow)),
    }
}

/// What a broken connection is ended with; `None` if there is nobody to tell.
fn broken(error: &Error) -> Option<ServerCode> {
    match error {
        Error::Io(error) if Meter::is_flood(error) => Some(ServerCode::Flood),
        Error::Capacity(CapacityError::MessageTooLong { .. }) => Some(ServerCode::TooLong),
        Error::Utf8(_) => Some(ServerCode::NotUtf8),
        Error::Protocol(ProtocolError::ResetWithoutClosingHandshake) => None,
        Error::Protocol(_) => Some(ServerCode::Protocol),
        Error::WriteBufferFull(_) => Some(ServerCode::Slow),
        _ => None,
    }
}

fn text_of(message: &ServerMsg) -> Utf8Bytes {
    serde_json::to_string(message).expect("messages are made of names, numbers and lists").into()
}

/// Says goodbye and closes; what the client has already sent is read, so that the goodbye is not lost with it.
async fn part(mut socket: Socket, code: ServerCode) -> Result<(), Error> {
    let word: &str = code.into();
    tracing::debug!(code = word, "a connection is ended");
    // A slow client has no room for it; the table has told those who leave it why.
    if !matches!(code, ServerCode::Slow | ServerCode::Dismissed) {
        socket.feed(Message::Text(text_of(&bye(code)))).await?;
    }
    let number = closing(code).map_or(1000, |closing| closing.number);
    let frame = CloseFrame { code: number.into(), reason: word.into() };
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
    let parts = upgraded.downcast::<TokioIo<Transport>>().ok()?;
    let bounds = Bounds { messages: limits.queue_messages, bytes: limits.queue_bytes };
    let meter = Meter::new(limits.messages_per_second, limits.messages_at_once);
    let wire = Wire::new(parts.io.into_inner(), bounds, meter, &parts.read_buf);
    let role = tokio_tungstenite::tungstenite::protocol::Role::Server;
    Some(WebSocketStream::from_partially_read(wire, parts.read_buf.to_vec(), role, Some(socket_config())).await)
}
