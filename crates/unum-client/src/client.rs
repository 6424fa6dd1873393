//! A seat at one table that survives lost connections.

use std::collections::VecDeque;
use std::pin::Pin;
use std::time::Duration;

use tokio::time::{Instant, Sleep};
use tokio_tungstenite::tungstenite::Utf8Bytes;
use unum_protocol::{
    ClientMsg, Code, Head, Hello, MessageKind, Person, Request, ServerCode, ServerMsg, VERSION, WhatKind,
};

use unum_rules::text::printable;

use crate::http::LONGEST;
use crate::message::Message;
use crate::socket::Socket;
use crate::{ClientError, Server, Verdict, Witness, roll};

/// How long to wait after a request came too fast for the server.
const PAUSE: Duration = Duration::from_millis(250);

/// Timeouts and pauses between attempts to reconnect.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// The first pause before another attempt; it doubles from attempt to attempt.
    pub first: Duration,
    /// The longest pause.
    pub longest: Duration,
    /// How long to try before giving up.
    pub total: Duration,
    /// How long a server may be silent before it is pinged, and then how long it may take to answer.
    pub silence: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience {
            first: Duration::from_millis(100),
            longest: Duration::from_secs(5),
            total: Duration::from_secs(300),
            silence: Duration::from_secs(20),
        }
    }
}

/// A change of the connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Link {
    /// It is up, and the server has answered.
    Made,
    /// It is down, or another attempt to connect failed; the reason.
    Lost(String),
}

/// The listener for changes of the connection's state.
pub type Listener = Box<dyn FnMut(Link) + Send>;

/// A client at one table.
pub struct Client {
    server: Server,
    /// Other addresses of the same site, in the order in which they are tried.
    others: VecDeque<Server>,
    token: String,
    table: String,
    patience: Patience,
    socket: Option<Socket>,
    /// Whether the server has answered the hello of this connection.
    welcomed: bool,
    /// Whether to resend unanswered requests over this connection.
    resend: bool,
    /// When to resend what came too fast for the server.
    slowed: Option<Instant>,
    /// Since when the server has been silent, and whether it was pinged.
    silent: (Instant, bool),
    /// A timer for either. It is rarely re-armed, because messages come often.
    alarm: Option<Pin<Box<Sleep>>>,
    /// Why the server said goodbye, and when to come back.
    farewell: Option<Farewell>,
    /// Attempts to make a connection, while there is none: pauses go on though the waiting for a message is given up.
    attempts: Option<Attempts>,
    /// The number of the last update or snapshot.
    seen: Option<u64>,
    you: Option<Person>,
    next_id: u32,
    unanswered: VecDeque<(u32, Utf8Bytes)>,
    connections: u64,
    listener: Option<Listener>,
    witness: Witness,
    /// Verdicts on deals that have not been fetched yet.
    verdicts: VecDeque<Verdict>,
    /// An alarm that has not been reported yet.
    alarm_raised: Option<Verdict>,
    /// The last requests the client made on its own, and those not sent yet.
    automatic: VecDeque<u32>,
    unsent: VecDeque<u32>,
}

/// How many requests of its own, or verdicts, a client remembers.
const REMEMBERED: usize = 16;

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut debug = f.debug_struct("Client");
        debug.field("server", &self.server).field("table", &self.table).field("seen", &self.seen);
        debug.finish_non_exhaustive()
    }
}

impl Client {
    /// A client with this token at this table. The first [`Client::next`] connects.
    pub fn new(server: Server, token: &str, table: &str) -> Client {
        Client {
            server,
            others: VecDeque::new(),
            token: token.to_owned(),
            table: table.to_owned(),
            patience: Patience::default(),
            socket: None,
            welcomed: false,
            resend: false,
            slowed: None,
            silent: (Instant::now(), false),
            alarm: None,
            farewell: None,
            attempts: None,
            seen: None,
            you: None,
            next_id: 1,
            unanswered: VecDeque::new(),
            connections: 0,
            listener: None,
            witness: Witness::default(),
            verdicts: VecDeque::new(),
            alarm_raised: None,
            automatic: VecDeque::new(),
            unsent: VecDeque::new(),
        }
    }

    /// The same client with another patience.
    #[must_use]
    pub fn with_patience(mut self, patience: Patience) -> Client {
        self.patience = patience;
        self
    }

    /// The same client with further addresses of the site, such as the other nodes of a cluster. When a connection
    /// breaks or cannot be made, the next address is tried.
    #[must_use]
    pub fn with_others(mut self, others: impl IntoIterator<Item = Server>) -> Client {
        self.others = others.into_iter().collect();
        self
    }

    /// The same client with a listener that is told when the connection is lost and restored.
    #[must_use]
    pub fn with_listener(mut self, listener: Listener) -> Client {
        self.listener = Some(listener);
        self
    }

    /// The same client with what an earlier one has seen of this table's deals.
    #[must_use]
    pub fn with_witness(mut self, witness: Witness) -> Client {
        self.witness = witness;
        self
    }

    /// What was seen of the table's deals: keep it for the next client.
    pub fn witness(&self) -> &Witness {
        &self.witness
    }

    /// The verdicts on the last deals, oldest first; each is returned once. [`Client::next`] also returns alarms.
    pub fn verdicts(&mut self) -> impl Iterator<Item = Verdict> {
        self.verdicts.drain(..)
    }

    /// Whether the client made this request on its own, to take part in a deal.
    pub fn is_automatic(&self, id: u32) -> bool {
        self.automatic.contains(&id)
    }

    /// The client's person at the table, once connected.
    pub fn you(&self) -> Option<Person> {
        self.you
    }

    /// The number of the last update or snapshot.
    pub fn seen(&self) -> Option<u64> {
        self.seen
    }

    /// Where the client is connected, or tries to be.
    pub fn server(&self) -> &Server {
        &self.server
    }

    /// How many requests have no answer yet.
    pub fn unanswered(&self) -> usize {
        self.unanswered.len()
    }

    /// How often a connection was made.
    pub fn connections(&self) -> u64 {
        self.connections
    }

    /// Makes a request and returns its number. It is sent now, or once there is a connection again. The pledges of
    /// `ready` and `start` are filled in.
    pub async fn request(&mut self, request: Request) -> u32 {
        let request = self.witness.prepare(request, &mut roll);
        let (id, text) = self.number(request);
        if self.welcomed && !self.resend {
            self.send(text).await;
        }
        id
    }

    /// Gives a request its number, and keeps it until it is answered.
    fn number(&mut self, request: Request) -> (u32, Utf8Bytes) {
        let id = self.next_id;
        self.next_id += 1;
        let text = Utf8Bytes::from(ClientMsg::Request { id, request }.to_json());
        self.unanswered.push_back((id, text.clone()));
        (id, text)
    }

    /// Waits for the next message, over as many connections as it takes. Cancel safe.
    ///
    /// # Errors
    /// When the server sends us away, cannot be reached for too long, or breaks the protocol: a sequence number is missing,
    /// or earlier updates are gone. Also when the table did not deal fairly, once for each deal: the message that showed it
    /// came just before.
    pub async fn next(&mut self) -> Result<Message, ClientError> {
        if let Some(alarm) = self.alarm_raised.take() {
            return Err(ClientError::Unfair(alarm));
        }
        loop {
            if self.socket.is_none() {
                self.connect().await?;
            }
            if self.resend {
                self.send_again().await;
            }
            self.send_own().await;
            match self.receive().await {
                Received::Text(text) => {
                    let mut message = Message::parse(text)?;
                    self.take_note(message.head())?;
                    if message.is_about_dealing() {
                        self.bear_witness(&mut message);
                    }
                    self.note_code(&mut message);
                    return Ok(message);
                }
                Received::Nothing => continue,
                Received::End => {}
            }
            self.disconnect();
            self.turn_elsewhere();
            match self.farewell.take() {
                Some(Farewell { code, message, retry: None }) => return Err(ClientError::Dismissed { code, message }),
                Some(farewell) => {
                    self.tell(Link::Lost(farewell.message.clone()));
                    self.farewell = Some(farewell);
                }
                None => self.tell(Link::Lost("the connection broke".to_owned())),
            }
        }
    }

    /// Takes part in a deal, and checks what the table reveals.
    fn bear_witness(&mut self, message: &mut Message) {
        let Some(message) = message.look() else { return };
        let heard = self.witness.hear(message, &mut roll);
        if let Some(verdict) = heard.verdict {
            self.alarm_raised = Some(verdict.clone()).filter(Verdict::is_alarm).or(self.alarm_raised.take());
            self.verdicts.push_back(verdict);
            self.verdicts.drain(..self.verdicts.len().saturating_sub(REMEMBERED));
        }
        for request in heard.requests {
            let (id, _) = self.number(request);
            self.automatic.push_back(id);
            self.automatic.drain(..self.automatic.len().saturating_sub(REMEMBERED));
            self.unsent.push_back(id);
        }
    }

    /// Closes the connection; the seat stays ours.
    pub async fn close(mut self) {
        if let Some(socket) = self.socket.take() {
            socket.close().await;
        }
    }

    /// Drops the connection without closing it, as a failing network would; the next message comes over a new one.
    pub fn hang_up(&mut self) {
        self.disconnect();
    }

    fn tell(&mut self, link: Link) {
        if let Some(listener) = &mut self.listener {
            listener(link);
        }
    }

    fn disconnect(&mut self) {
        self.socket = None;
        self.welcomed = false;
        self.resend = false;
        self.slowed = None;
    }

    /// Waits for the next text, or until there is something else to do.
    async fn receive(&mut self) -> Received {
        let Some(socket) = &mut self.socket else { return Received::End };
        let due = self.slowed.unwrap_or(self.silent.0 + self.patience.silence);
        let alarm = self.alarm.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(due)));
        if alarm.deadline() > due {
            alarm.as_mut().reset(due);
        }
        tokio::select! {
            biased;
            received = socket.next() => match received {
                Ok(Some(text)) => {
                    self.silent = (Instant::now(), false);
                    return Received::Text(text);
                }
                _ => return Received::End,
            },
            () = alarm.as_mut() => self.alarm = None,
        }
        if Instant::now() < due {
            return Received::Nothing;
        }
        if self.slowed.take().is_some() {
            self.resend = true;
        } else if self.silent.1 || socket.send(&ClientMsg::PING.to_json()).await.is_err() {
            return Received::End;
        } else {
            self.silent = (Instant::now(), true);
        }
        Received::Nothing
    }

    async fn send(&mut self, text: Utf8Bytes) {
        if let Some(socket) = &mut self.socket
            && socket.send(text).await.is_err()
        {
            self.disconnect();
        }
    }

    /// Connects and says hello, again and again. If this is cancelled, the next call goes on with the pause.
    async fn connect(&mut self) -> Result<(), ClientError> {
        loop {
            let attempts = self.attempts();
            tokio::time::sleep_until(attempts.next).await;
            let tried = self.try_connect().await;
            // A server that accepts connections and says nothing is not there yet: only its welcome ends the attempts.
            let (pause, next) = (attempts.pause * 2, Instant::now() + jittered(attempts.pause));
            self.attempts = Some(Attempts { pause: pause.min(self.patience.longest), next, ..attempts });
            let error = match tried {
                Ok(()) => return Ok(()),
                // After a first success it keeps trying: a certificate can be renewed, a network can be left.
                Err(error) if error.is_final() && self.connections == 0 => return Err(error),
                Err(error) => error,
            };
            if attempts.since.elapsed() >= self.patience.total {
                let address = self.server.authority().to_owned();
                let seconds = attempts.since.elapsed().as_secs();
                self.attempts = None;
                return Err(ClientError::Unreachable { address, seconds, message: error.to_string() });
            }
            self.turn_elsewhere();
            self.tell(Link::Lost(error.to_string()));
        }
    }

    /// The attempts so far. The first one is made at once; one after a farewell when the server asked to come back.
    fn attempts(&mut self) -> Attempts {
        let (now, first) = (Instant::now(), self.patience.first);
        let attempts = self.attempts.get_or_insert(Attempts { since: now, pause: first, next: now });
        if let Some(retry) = self.farewell.take().and_then(|farewell| farewell.retry) {
            // The pause is for that address: another can be tried sooner.
            let retry = Duration::from_millis(retry.into()).min(self.patience.longest);
            let wait = jittered(if self.others.is_empty() { retry } else { retry.min(first) });
            attempts.next = attempts.next.max(now + wait);
        }
        *attempts
    }

    /// The next attempt is made at another address of the site, if there is one.
    fn turn_elsewhere(&mut self) {
        if let Some(next) = self.others.pop_front() {
            self.others.push_back(std::mem::replace(&mut self.server, next));
        }
    }

    async fn try_connect(&mut self) -> Result<(), ClientError> {
        // The system still accepts connections for a hung process, but nothing answers on them.
        let silent = || ClientError::Connection {
            address: self.server.authority().to_owned(),
            source: std::io::ErrorKind::TimedOut.into(),
        };
        let connecting = tokio::time::timeout(self.patience.silence, Socket::connect(&self.server));
        let mut socket = connecting.await.map_err(|_| silent())??;
        let hello =
            Hello { version: VERSION, table: self.table.clone(), after: self.seen, token: Some(self.token.clone()) };
        let sent = socket.send(&ClientMsg::Hello { hello }.to_json()).await;
        sent.map_err(|source| ClientError::Connection { address: self.server.authority().to_owned(), source })?;
        self.socket = Some(socket);
        self.silent = (Instant::now(), false);
        self.connections += 1;
        Ok(())
    }

    fn take_note(&mut self, head: &Head) -> Result<(), ClientError> {
        match head.kind {
            MessageKind::Welcome => self.welcome(head),
            MessageKind::Update => self.count(head)?,
            MessageKind::Snapshot => self.start_from(head)?,
            MessageKind::Refused if head.code == Some(Code::Server(ServerCode::TooFast)) => {
                self.slowed.get_or_insert_with(|| Instant::now() + PAUSE);
            }
            MessageKind::Done | MessageKind::Refused | MessageKind::Hint => self.answered(head),
            MessageKind::Bye => {
                let code = head.code.ok_or_else(|| ClientError::Protocol("a bye without a code".to_owned()))?;
                let message = printable(head.message.as_deref().unwrap_or_default(), LONGEST);
                self.farewell = Some(Farewell { code, message, retry: head.retry });
            }
            MessageKind::Presence | MessageKind::Pong | MessageKind::Announcement => {}
        }
        Ok(())
    }

    /// A table whose code was renewed is found by the new one when the connection breaks.
    fn note_code(&mut self, message: &mut Message) {
        if message.head().happened().any(|kind| kind == WhatKind::CodeRenewed)
            && let Some(code) = message.look().and_then(ServerMsg::renewed_code)
        {
            code.clone_into(&mut self.table);
        }
    }

    /// The code of the table, as it is now.
    pub fn table(&self) -> &str {
        &self.table
    }

    /// Forgets requests that the server has carried out, and resends the rest.
    fn welcome(&mut self, head: &Head) {
        self.you = head.you;
        self.welcomed = true;
        self.attempts = None;
        self.tell(Link::Made);
        let last = head.last_id.unwrap_or(0);
        self.next_id = self.next_id.max(last.saturating_add(1));
        self.unanswered.retain(|(id, _)| *id > last);
        self.resend = !self.unanswered.is_empty();
    }

    /// Sends unanswered requests. If canceled halfway, some are sent twice, which is harmless.
    async fn send_again(&mut self) {
        for (_, text) in self.unanswered.clone() {
            self.send(text).await;
        }
        self.resend = false;
    }

    /// Sends the client's own requests. If canceled halfway, the rest is sent next time.
    async fn send_own(&mut self) {
        while let Some(id) = self.unsent.front().copied() {
            if let Some((_, text)) = self.unanswered.iter().find(|(other, _)| *other == id).cloned() {
                self.send(text).await;
            }
            self.unsent.pop_front();
        }
    }

    fn count(&mut self, head: &Head) -> Result<(), ClientError> {
        let (Some(seen), Some(seq)) = (self.seen, head.seq) else {
            return Err(ClientError::Protocol("an update before any snapshot, or without a number".to_owned()));
        };
        if seq != seen + 1 + head.earlier.len() as u64 {
            return Err(ClientError::Protocol(format!("update {seq} came after {seen}: numbers have no gaps")));
        }
        self.seen = Some(seq);
        self.answered(head);
        Ok(())
    }

    fn start_from(&mut self, head: &Head) -> Result<(), ClientError> {
        let seq = head.seq.unwrap_or(0);
        if let Some(seen) = self.seen.filter(|seen| *seen > seq) {
            let sentence = format!("a snapshot of {seq} came after {seen}: what was told is gone");
            return Err(ClientError::Protocol(sentence));
        }
        self.seen = Some(seq);
        Ok(())
    }

    fn answered(&mut self, head: &Head) {
        for answered in head.answered() {
            self.unanswered.retain(|(id, _)| *id != answered);
        }
    }
}

/// Attempts to make a connection.
#[derive(Clone, Copy)]
struct Attempts {
    since: Instant,
    /// The pause after the next one that fails.
    pause: Duration,
    /// When the next one is made.
    next: Instant,
}

/// Why the server said goodbye, and after how many milliseconds to come back.
struct Farewell {
    code: Code,
    message: String,
    retry: Option<u32>,
}

/// The outcome of waiting for a message.
enum Received {
    Text(Utf8Bytes),
    /// Nothing came yet, but there may be something to send.
    Nothing,
    /// The connection is broken.
    End,
}

/// Jitter: between half and all of it, so a thousand clients do not come back at the same moment.
fn jittered(pause: Duration) -> Duration {
    let mut byte = [0];
    // Without randomness the pause is a little short, which is harmless.
    let _ = getrandom::fill(&mut byte);
    pause / 2 + pause / 2 * u32::from(byte[0]) / 255
}
