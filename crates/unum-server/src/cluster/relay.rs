//! The proxy of a table that another node runs. Sessions and requests here see a mailbox like any other; its mail is
//! sent to the node that runs the table. When a third node takes the table over, clients continue there without
//! noticing.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;
use unum_protocol::node::{End, Open, REQUESTS};
use unum_protocol::{ClientMsg, Refusal, Request, ServerCode};

use super::link::{Event, Link};
use crate::codes::Unavailable;
use crate::hub::{Hub, Mailbox, Opener};
use crate::mail::{Arrival, Ask, Looking, Mail, NewSettings, Since, Visitor};
use crate::outbox::Outbox;
use crate::table_task::{End as Ending, Onward, pass_on, refuse};

/// How long a relay without clients stays, so that not every question must look the table up.
const IDLE: Duration = Duration::from_secs(2);
/// How soon a relay checks again whether it can end, while somebody is on the way to it.
const LINGER: Duration = Duration::from_millis(20);
/// Requests of one client that may wait here, in addition to those in flight.
const WAITING: usize = 128;
/// How long the other node may take to answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long a node that hands a table over may take to report each client's position.
const LAST_WORDS: Duration = Duration::from_millis(250);

/// A client of this node.
struct Client {
    visitor: Visitor,
    since: Since,
    stream: u32,
    /// Set until the table has accepted the client.
    taken_in: Option<oneshot::Sender<Mailbox>>,
    is_in: bool,
    /// Requests that the table may not have yet: in flight, and waiting for credit.
    sent: VecDeque<(u32, Request)>,
    waiting: VecDeque<(u32, Request)>,
}

/// The task of a table that another node runs.
pub(crate) struct Relay {
    hub: Arc<Hub>,
    invite: Arc<str>,
    own: mpsc::WeakSender<Mail>,
    link: Arc<Link>,
    events: mpsc::UnboundedSender<Event>,
    clients: Vec<Client>,
    /// Indices into `clients`, by stream.
    streams: HashMap<u32, usize>,
    /// Since when the table has been moving, and the clients that can continue elsewhere.
    moving: Option<Instant>,
    moved: Vec<Client>,
    /// The table's new code, if it was renewed.
    renewed: Option<Arc<str>>,
    opener: Opener,
}

impl Relay {
    /// Passes mail on until nobody needs it or the other node no longer runs the table. In that case, returns what is
    /// needed to look the table up again for those who wait.
    pub(crate) async fn run(hub: Arc<Hub>, way: Onward, link: Arc<Link>, opener: Opener) -> Option<(Onward, Opener)> {
        let Onward { invite, own, mut mail, backlog } = way;
        let metrics = Arc::clone(&hub.metrics);
        let _counted = metrics.relays.hold();
        let (events, mut told) = mpsc::unbounded_channel();
        let (clients, streams, moving, moved, renewed) = Default::default();
        let mut relay = Relay { hub, invite, own, link, events, clients, streams, moving, moved, renewed, opener };
        backlog.into_iter().for_each(|mail| relay.pass(mail));
        let end = relay.serve(&mut mail, &mut told).await;
        relay.end(mail, end)
    }

    fn end(mut self, mail: mpsc::Receiver<Mail>, end: Ending) -> Option<(Onward, Opener)> {
        for client in self.clients.drain(..) {
            self.link.end(client.stream, &End::Gone);
            match client.is_in {
                true => client.visitor.outbox.end(ServerCode::Moved),
                false => self.moved.push(client),
            }
        }
        let backlog: Vec<Mail> = self.moved.drain(..).flat_map(Client::into_mail).collect();
        if end == Ending::Moved && !backlog.is_empty() && !self.hub.is_stopping() {
            let invite = self.renewed.unwrap_or(self.invite);
            return Some((Onward { invite, own: self.own, mail, backlog }, self.opener));
        }
        self.hub.remove(&self.invite, &self.own);
        backlog.into_iter().for_each(|mail| refuse(mail, Unavailable::Moved));
        pass_on(&self.hub, &self.invite, mail, end, self.opener);
        None
    }

    async fn serve(&mut self, mail: &mut mpsc::Receiver<Mail>, told: &mut mpsc::UnboundedReceiver<Event>) -> Ending {
        let mut idle_since = Instant::now();
        let link = Arc::clone(&self.link);
        let mut closed = std::pin::pin!(link.closed());
        loop {
            let wait = self.moving.map(|since| LAST_WORDS.saturating_sub(since.elapsed()));
            if wait.is_some_and(|wait| wait.is_zero() || self.clients.is_empty()) {
                return Ending::Moved;
            }
            let idle = self.clients.is_empty();
            let leave = (idle_since + IDLE).max(Instant::now() + LINGER);
            tokio::select! {
                biased;
                Some(event) = told.recv() => self.hear(event),
                received = mail.recv(), if wait.is_none() => match received {
                    None => return Ending::Unload,
                    Some(Mail::Stop) => {
                        self.stop();
                        return Ending::Moved;
                    }
                    Some(mail) => {
                        idle_since = Instant::now();
                        self.pass(mail);
                    }
                },
                // Each stream is told as well, until the time is up.
                () = closed.as_mut(), if wait.is_none() => self.moving = Some(Instant::now()),
                () = tokio::time::sleep(wait.unwrap_or_default()), if wait.is_some() => {}
                () = tokio::time::sleep_until(leave.into()), if idle && wait.is_none() => {
                    if self.hub.leave(&self.invite, &self.own, mail) {
                        return Ending::Unload;
                    }
                }
            }
            if !self.clients.is_empty() {
                idle_since = Instant::now();
            }
        }
    }

    /// The server stops: all clients reconnect elsewhere.
    fn stop(&mut self) {
        self.clients.iter().for_each(|client| client.visitor.outbox.end(ServerCode::Moved));
        for client in self.clients.drain(..) {
            self.link.end(client.stream, &End::Gone);
        }
        self.streams.clear();
    }

    /// Handles an event of a stream.
    fn hear(&mut self, event: Event) {
        match event {
            Event::Accepted(stream) => {
                let own = self.own.upgrade();
                if let Some(client) = self.client(stream) {
                    client.is_in = true;
                    if let Some((taken_in, own)) = client.taken_in.take().zip(own) {
                        // A client that has left meanwhile reports it to this mailbox, or sees it close.
                        let _ = taken_in.send(own);
                    }
                }
            }
            Event::Credit(stream, more) => {
                let link = Arc::clone(&self.link);
                if let Some(client) = self.client(stream) {
                    client.sent.drain(..(more as usize).min(client.sent.len()));
                    client.send(&link);
                }
            }
            Event::Ended(stream, end) => {
                if let Some(client) = self.remove(stream) {
                    self.part(client, end);
                }
            }
        }
    }

    /// Handles the end of a stream.
    fn part(&mut self, mut client: Client, end: End) {
        match end {
            End::Moved { told, code } => {
                self.moving.get_or_insert_with(Instant::now);
                if *code != *self.invite {
                    self.renewed = Some(code.as_str().into());
                }
                client.since = Since::Told { number: told, at: Instant::now() };
                client.visitor.code = code;
                self.moved.push(client);
            }
            End::Code { code: ServerCode::Moved } => {
                self.moving.get_or_insert_with(Instant::now);
                match client.is_in {
                    // Its position is unknown: the client reconnects and says which message it saw last.
                    true => client.visitor.outbox.end(ServerCode::Moved),
                    false => self.moved.push(client),
                }
            }
            End::Code { code } => client.visitor.outbox.end(code),
            _ => client.visitor.outbox.end(ServerCode::Crashed),
        }
    }

    fn client(&mut self, stream: u32) -> Option<&mut Client> {
        let at = *self.streams.get(&stream)?;
        self.clients.get_mut(at)
    }

    fn remove(&mut self, stream: u32) -> Option<Client> {
        let at = self.streams.remove(&stream)?;
        let gone = self.clients.swap_remove(at);
        if let Some(moved) = self.clients.get(at) {
            self.streams.insert(moved.stream, at);
        }
        Some(gone)
    }

    /// The stream of a connection.
    fn stream_of(&self, outbox: &Arc<Outbox>) -> Option<u32> {
        self.clients.iter().find(|client| Arc::ptr_eq(&client.visitor.outbox, outbox)).map(|client| client.stream)
    }

    fn pass(&mut self, mail: Mail) {
        match mail {
            // Relays do not chain.
            Mail::Arrive(arrival) if arrival.relayed => refuse(Mail::Arrive(arrival), Unavailable::Moved),
            Mail::Arrive(arrival) => self.arrive(*arrival),
            Mail::Gone(_, outbox) => {
                if let Some(client) = self.stream_of(&outbox).and_then(|stream| self.remove(stream)) {
                    self.link.end(client.stream, &End::Gone);
                }
            }
            Mail::Ask(ask) => self.ask(*ask),
            Mail::Look(looking) => {
                let Looking { guest, guarded, reply } = *looking;
                let (code, guest) = (self.invite.to_string(), guest.map(|guest| guest.0));
                let open = Open::Look { code, guest, guarded, address: self.opener.address.ip() };
                self.question(&open, move |end| {
                    // The client that asked may be gone.
                    let _ = reply.send(match end {
                        End::Summary { summary } => Ok(summary),
                        end => Err(unavailable(&end)),
                    });
                });
            }
            Mail::Settings(new) => {
                let NewSettings { guest, settings, reply } = *new;
                let (code, address) = (self.invite.to_string(), self.opener.address.ip());
                let open = Open::Settings { code, guest: guest.0, settings: Box::new(settings), address };
                self.question(&open, move |end| drop(reply.send(done(end))));
            }
            Mail::Forget(guest, reply) => {
                let (code, address) = (self.invite.to_string(), self.opener.address.ip());
                let open = Open::Forget { code, guest: guest.0, address };
                self.question(&open, move |end| drop(reply.send(done(end))));
            }
            Mail::Close(reply) => {
                let open = Open::CloseTable { code: self.invite.to_string() };
                self.question(&open, move |end| drop(reply.send(done(end))));
            }
            Mail::Hush => self.question(&Open::Hush { code: self.invite.to_string() }, drop),
            // Mail from when the table was here.
            Mail::Thought(_) | Mail::HandOver(_) | Mail::Stop => {}
        }
    }

    fn arrive(&mut self, arrival: Arrival) {
        let Some(Arrival { visitor, since, taken_in, .. }) = arrival.if_still_here() else { return };
        let Visitor { guest, name, look, code, address, guarded, blocks, outbox } = visitor.clone();
        let (after, told) = match since {
            Since::Seen(after) => (after, false),
            Since::Told { number, .. } => (Some(number), true),
        };
        let (guest, address) = (guest.0, address.ip());
        let blocks = blocks.into_iter().map(|other| other.0).collect();
        let open = Open::Arrive { code, guest, name, look, address, after, told, guarded, blocks };
        match self.link.open_client(&open, outbox, self.events.clone()) {
            Ok(stream) => {
                self.streams.insert(stream, self.clients.len());
                let (is_in, sent, waiting) = Default::default();
                self.clients.push(Client { visitor, since, stream, taken_in, is_in, sent, waiting });
            }
            Err(code) => visitor.outbox.end(code),
        }
    }

    fn ask(&mut self, ask: Ask) {
        let Ask { outbox, id, request, .. } = ask;
        let Some(stream) = self.stream_of(&outbox) else { return };
        let link = Arc::clone(&self.link);
        let Some(client) = self.client(stream) else { return };
        client.waiting.push_back((id, request));
        client.send(&link);
        if client.waiting.len() > WAITING {
            // The table cannot keep up. The client resends what was not answered.
            outbox.end(ServerCode::Storage);
            self.remove(stream);
            self.link.end(stream, &End::Gone);
        }
    }

    /// Asks the table, and forwards its answer.
    fn question(&self, open: &Open, answer: impl FnOnce(End) + Send + 'static) {
        let told = match self.link.ask(open) {
            Ok(told) => told,
            Err(code) => return answer(End::Code { code }),
        };
        tokio::spawn(async move {
            let end = timeout(PATIENCE, told).await;
            answer(end.ok().and_then(Result::ok).unwrap_or(End::Code { code: ServerCode::Moved }));
        });
    }
}

impl Client {
    /// Sends waiting requests, as far as credit allows.
    fn send(&mut self, link: &Link) {
        while self.sent.len() < REQUESTS as usize
            && let Some((id, request)) = self.waiting.pop_front()
        {
            let message = ClientMsg::Request { id, request };
            link.send_request(self.stream, &message.to_json());
            let ClientMsg::Request { request, .. } = message else { return };
            self.sent.push_back((id, request));
        }
    }

    /// The mail that brings the client and its open requests to the next task behind the same mailbox.
    fn into_mail(self) -> impl Iterator<Item = Mail> {
        let Client { visitor, since, taken_in, sent, waiting, .. } = self;
        let (guest, outbox) = (visitor.guest, Arc::clone(&visitor.outbox));
        let arrival = Arrival { visitor, since, relayed: false, taken_in };
        let ask = move |(id, request)| {
            Mail::Ask(Box::new(Ask { guest, outbox: Arc::clone(&outbox), id, request, relayed: false }))
        };
        std::iter::once(Mail::Arrive(Box::new(arrival))).chain(sent.into_iter().chain(waiting).map(ask))
    }
}

fn unavailable(end: &End) -> Unavailable {
    match end {
        End::Code { code } => Unavailable::of(*code),
        _ => Unavailable::Crashed,
    }
}

/// The answer to a request over HTTP.
fn done(end: End) -> Result<(), Refusal> {
    match end {
        End::Done => Ok(()),
        End::Refused { refusal } => Err(refusal),
        end => Err(unavailable(&end).into()),
    }
}
