//! A table that another node runs, as sessions and requests here see it: a mailbox like any other, whose mail is sent to
//! the node that runs the table.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;
use unum_protocol::node::{End, Open, REQUESTS};
use unum_protocol::{ClientMsg, Refusal, ServerCode};

use super::link::{Event, Link};
use crate::address::AddressKey;
use crate::codes::Unavailable;
use crate::hub::{Hub, Mailbox, Opener};
use crate::mail::{Arrival, Ask, Looking, Mail, NewSettings};
use crate::outbox::Outbox;
use crate::table_task::{End as Ending, pass_on, refuse};

/// How long a relay without clients stays, so that not every question has to look for the table.
const IDLE: Duration = Duration::from_secs(2);
/// How soon a relay that somebody is on the way to looks again whether it can end.
const LINGER: Duration = Duration::from_millis(20);
/// How many requests of one client wait for the other node, beyond those on their way.
const WAITING: usize = 128;
/// How long the other node may take for an answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// A client here.
struct Client {
    stream: u32,
    outbox: Arc<Outbox>,
    /// Until the table has taken them in.
    taken_in: Option<oneshot::Sender<Mailbox>>,
    credit: u32,
    waiting: VecDeque<String>,
}

/// The task of a table that another node runs.
pub(crate) struct Relay {
    hub: Arc<Hub>,
    invite: Arc<str>,
    own: mpsc::WeakSender<Mail>,
    link: Arc<Link>,
    events: mpsc::UnboundedSender<Event>,
    clients: Vec<Client>,
    /// The places of clients among them, by stream.
    streams: HashMap<u32, usize>,
    opener: Opener,
}

impl Relay {
    /// Passes mail on until nobody needs it, or the other node does not run the table any more.
    pub(crate) async fn run(
        hub: Arc<Hub>,
        invite: Arc<str>,
        own: mpsc::WeakSender<Mail>,
        mut mail: mpsc::Receiver<Mail>,
        link: Arc<Link>,
        opener: Opener,
    ) {
        let metrics = Arc::clone(&hub.metrics);
        let _counted = metrics.relays.hold();
        let (events, mut told) = mpsc::unbounded_channel();
        let (clients, streams) = (Vec::new(), HashMap::new());
        let mut relay = Relay { hub, invite, own, link, events, clients, streams, opener };
        let end = relay.serve(&mut mail, &mut told).await;
        relay.hub.remove(&relay.invite, &relay.own);
        for client in &relay.clients {
            client.outbox.end(ServerCode::Moved);
            relay.link.end(client.stream, &End::Gone);
        }
        pass_on(&relay.hub, &relay.invite, mail, end, relay.opener);
    }

    async fn serve(&mut self, mail: &mut mpsc::Receiver<Mail>, told: &mut mpsc::UnboundedReceiver<Event>) -> Ending {
        let mut idle_since = Instant::now();
        let link = Arc::clone(&self.link);
        let mut closed = std::pin::pin!(link.closed());
        loop {
            let idle = self.clients.is_empty();
            let leave = (idle_since + IDLE).max(Instant::now() + LINGER);
            tokio::select! {
                biased;
                Some(event) = told.recv() => if self.hear(event) {
                    return Ending::Moved;
                },
                received = mail.recv() => match received {
                    None => return Ending::Unload,
                    Some(Mail::Stop) => return Ending::Moved,
                    Some(mail) => {
                        idle_since = Instant::now();
                        self.pass(mail);
                    }
                },
                () = closed.as_mut() => return Ending::Moved,
                () = tokio::time::sleep_until(leave.into()), if idle => {
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

    /// Hears of a stream. Says whether the table is elsewhere now.
    fn hear(&mut self, event: Event) -> bool {
        match event {
            Event::Accepted(stream) => {
                let own = self.own.upgrade();
                if let Some(client) = self.client(stream)
                    && let Some((taken_in, own)) = client.taken_in.take().zip(own)
                {
                    // A client that is gone by now says so to this mailbox, or sees it close.
                    let _ = taken_in.send(own);
                }
            }
            Event::Credit(stream, more) => {
                let link = Arc::clone(&self.link);
                if let Some(client) = self.client(stream) {
                    client.credit = client.credit.saturating_add(more).min(REQUESTS);
                    client.send(&link);
                }
            }
            Event::Ended(stream, end) => {
                let code = match end {
                    End::Code { code } => code,
                    _ => ServerCode::Crashed,
                };
                if let Some(client) = self.remove(stream) {
                    client.outbox.end(code);
                }
                return code == ServerCode::Moved;
            }
        }
        false
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
        self.clients.iter().find(|client| Arc::ptr_eq(&client.outbox, outbox)).map(|client| client.stream)
    }

    fn pass(&mut self, mail: Mail) {
        match mail {
            // Nobody is passed on twice.
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
            Mail::Hush => self.question(&Open::Hush { code: self.invite.to_string() }, drop),
            Mail::Thought(_) | Mail::Stop => {}
        }
    }

    fn arrive(&mut self, arrival: Arrival) {
        let Arrival { guest, name, look, code, address, after, guarded, outbox, taken_in, .. } = arrival;
        if taken_in.is_closed() {
            // They have left, and may have come back over another connection.
            return;
        }
        let address = address.ip();
        let open = Open::Arrive { code, guest: guest.0, name, look, address, after, guarded };
        match self.link.open_client(&open, Arc::clone(&outbox), self.events.clone()) {
            Ok(stream) => {
                self.streams.insert(stream, self.clients.len());
                let (taken_in, waiting) = (Some(taken_in), VecDeque::new());
                self.clients.push(Client { stream, outbox, taken_in, credit: REQUESTS, waiting });
            }
            Err(code) => outbox.end(code),
        }
    }

    fn ask(&mut self, ask: Ask) {
        let Ask { outbox, id, request, .. } = ask;
        let Some(stream) = self.stream_of(&outbox) else { return };
        let link = Arc::clone(&self.link);
        let Some(client) = self.client(stream) else { return };
        client.waiting.push_back(ClientMsg::Request { id, request }.to_json());
        client.send(&link);
        if client.waiting.len() > WAITING {
            // The table cannot keep up; the client sends again what was not answered.
            client.outbox.end(ServerCode::Storage);
            self.remove(stream);
            self.link.end(stream, &End::Gone);
        }
    }

    /// Asks the table something, and lets somebody have the answer.
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
    /// Sends what waits, as far as there is credit.
    fn send(&mut self, link: &Link) {
        while self.credit > 0
            && let Some(text) = self.waiting.pop_front()
        {
            self.credit -= 1;
            link.send_request(self.stream, &text);
        }
    }
}

fn unavailable(end: &End) -> Unavailable {
    match end {
        End::Code { code } => Unavailable::of(*code),
        _ => Unavailable::Crashed,
    }
}

/// What a request over HTTP is answered with.
fn done(end: End) -> Result<(), Refusal> {
    match end {
        End::Done => Ok(()),
        End::Refused { refusal } => Err(refusal),
        end => Err(unavailable(&end).into()),
    }
}

/// Where a client is, as another node counts it.
pub(super) fn key(address: std::net::IpAddr) -> AddressKey {
    AddressKey::of(address)
}
