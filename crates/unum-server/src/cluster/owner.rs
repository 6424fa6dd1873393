//! The other end of a relay: clients and questions from other nodes at tables of this one. Such a client is a
//! connection like any other, except that its outbox writes into a stream.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use tokio::sync::{mpsc, oneshot};
use unum_protocol::node::{End, Open};
use unum_protocol::{ClientMsg, Refusal, ServerCode};
use unum_table::GuestId;

use super::link::{Link, Opened};
use crate::address::AddressKey;
use crate::app::{App, Asker};
use crate::codes::Unavailable;
use crate::hub::Mailbox;
use crate::mail::{Arrival, Ask, Looking, Mail, NewSettings, Since, Visitor};
use crate::outbox::{Flow, Outbox};

/// Attempts to reach a table that is just leaving memory.
const TRIES: usize = 3;

/// Serves the streams that other nodes open, until the server stops.
pub(super) async fn serve(app: Arc<App>, mut opened: mpsc::UnboundedReceiver<(Arc<Link>, Opened)>) {
    while let Some((link, stream)) = opened.recv().await {
        let app = Arc::clone(&app);
        tokio::spawn(async move {
            let number = stream.stream;
            let end = attend(&app, &link, stream).await;
            link.end(number, &end);
        });
    }
}

/// Does what a stream was opened for, and returns how it ends.
async fn attend(app: &App, link: &Link, opened: Opened) -> End {
    let Opened { stream, open, inbox, outbox } = opened;
    let end = match open {
        Open::Arrive { guest, .. } => {
            let _counted = app.metrics.relayed.hold();
            match arrive(app, open, &outbox).await {
                Ok(mailbox) => {
                    link.accept(stream);
                    let client = Guest { app, guest: GuestId(guest), mailbox, outbox: &outbox };
                    client.run(inbox).await
                }
                Err(code) => Err(code),
            }
        }
        Open::Look { code, guest, guarded, address } => {
            let guest = guest.map(GuestId);
            let mail = |reply| Mail::Look(Box::new(Looking { guest, guarded, reply }));
            match asked(app, &code, guest_at(address, None), mail).await {
                Ok(Ok(summary)) => return End::Summary { summary },
                Ok(Err(why)) | Err(why) => Err(why.code()),
            }
        }
        Open::Settings { code, guest, settings, address } => {
            let guest = GuestId(guest);
            let mail = |reply| Mail::Settings(Box::new(NewSettings { guest, settings: (*settings).clone(), reply }));
            return done(asked(app, &code, guest_at(address, Some(guest)), mail).await);
        }
        Open::Forget { code, guest, address } => {
            let mail = |reply| Mail::Forget(GuestId(guest), reply);
            return done(asked(app, &code, guest_at(address, None), mail).await);
        }
        Open::Hush { code } => {
            if let Ok(mailbox) = app.find_here(&code, Asker::Node) {
                // A table that is gone has nothing to forget.
                let _ = mailbox.send(Mail::Hush).await;
            }
            return End::Done;
        }
        Open::CloseTable { code } => return done(asked(app, &code, Asker::Node, Mail::Close).await),
        Open::Announce { text } => {
            app.announce_here(text);
            return End::Done;
        }
        Open::Sanctions => {
            // What it could not read now, it reads soon.
            let _ = app.renew_sanctions().await;
            return End::Done;
        }
        Open::Connections { guest } => return End::Count { count: app.guest_connections.count(GuestId(guest)) },
        Open::SignOut { guest } => {
            app.connected.end(GuestId(guest), ServerCode::SignedOut);
            return End::Done;
        }
    };
    outbox.close();
    match (end, outbox.passed_on()) {
        (Ok(()), _) => End::Gone,
        (Err(ServerCode::Moved), Some((told, code))) => End::Moved { told, code },
        (Err(code), _) => End::Code { code },
    }
}

fn guest_at(address: IpAddr, guest: Option<GuestId>) -> Asker {
    Asker::Guest(AddressKey::of(address), guest)
}

fn done(answer: Result<Result<(), Refusal>, Unavailable>) -> End {
    match answer {
        Ok(Ok(())) => End::Done,
        Ok(Err(refusal)) => End::Refused { refusal },
        Err(why) => End::Code { code: why.code() },
    }
}

/// Brings a client of another node to a table here.
async fn arrive(app: &App, open: Open, outbox: &Arc<Outbox>) -> Result<Mailbox, ServerCode> {
    let Open::Arrive { code, guest, name, look, address, after, told, guarded, blocks } = open else {
        return Err(ServerCode::Crashed);
    };
    let (guest, address) = (GuestId(guest), AddressKey::of(address));
    let since = match after {
        Some(number) if told => Since::Told { number, at: Instant::now() },
        after => Since::Seen(after),
    };
    let who = if told { Asker::Carried(address, guest) } else { Asker::Guest(address, Some(guest)) };
    let (code_given, blocks) = (code.clone(), blocks.into_iter().map(GuestId).collect());
    let outbox_given = Arc::clone(outbox);
    let visitor = Visitor { guest, name, look, code: code_given, address, guarded, blocks, outbox: outbox_given };
    for _ in 0..TRIES {
        let (taken_in, taken) = oneshot::channel();
        let arrival = Arrival { visitor: visitor.clone(), since, relayed: true, taken_in: Some(taken_in) };
        let way = app.find_here(&code, who).map_err(Unavailable::code)?;
        if way.send(Mail::Arrive(Box::new(arrival))).await.is_ok() {
            return taken.await.map_err(|_| outbox.ended().unwrap_or(ServerCode::Crashed));
        }
    }
    Err(ServerCode::Moved)
}

/// Asks a table here and waits for its answer.
async fn asked<T>(
    app: &App,
    code: &str,
    who: Asker,
    mut mail: impl FnMut(oneshot::Sender<T>) -> Mail,
) -> Result<T, Unavailable> {
    for _ in 0..TRIES {
        let (reply, answer) = oneshot::channel();
        let sent = app.find_here(code, who)?.send(mail(reply)).await;
        match answer.await {
            Ok(answer) => return Ok(answer),
            Err(_) if sent.is_ok() => return Err(Unavailable::Crashed),
            Err(_) => {}
        }
    }
    Err(Unavailable::Moved)
}

/// A client of another node at a table here.
struct Guest<'a> {
    app: &'a App,
    guest: GuestId,
    mailbox: Mailbox,
    outbox: &'a Arc<Outbox>,
}

impl Guest<'_> {
    /// Runs until there is a reason to end. No reason means that the client has left.
    async fn run(self, mut inbox: mpsc::Receiver<Bytes>) -> Result<(), ServerCode> {
        let end = self.serve(&mut inbox).await;
        // A table that has ended has no connections to remove.
        let _ = self.mailbox.send(Mail::Gone(self.guest, Arc::clone(self.outbox))).await;
        end
    }

    async fn serve(&self, inbox: &mut mpsc::Receiver<Bytes>) -> Result<(), ServerCode> {
        let mut closed = std::pin::pin!(self.mailbox.closed());
        let longest = self.app.config.limits.ping_interval * 2;
        let mut stuck: Option<Instant> = None;
        loop {
            let glance = stuck.map_or(Duration::from_secs(60), |since| longest.saturating_sub(since.elapsed()));
            tokio::select! {
                biased;
                () = self.outbox.changed() => {}
                () = closed.as_mut() => {
                    self.outbox.flush();
                    // A task that ends in order closes its mailbox after telling everybody.
                    return Err(self.outbox.ended().unwrap_or(ServerCode::Crashed));
                }
                received = inbox.recv() => match received {
                    Some(text) => self.ask(&text).await?,
                    None => return Ok(()),
                },
                () = tokio::time::sleep(glance), if stuck.is_some() => return Err(ServerCode::Slow),
            }
            match (self.outbox.flush(), self.outbox.ended()) {
                (_, Some(ServerCode::Slow)) => return Err(ServerCode::Slow),
                (Flow::Full, _) => drop(stuck.get_or_insert_with(Instant::now)),
                (Flow::Broken, _) => return Ok(()),
                (Flow::Done, Some(code)) => return Err(code),
                (Flow::Done, None) => stuck = None,
            }
        }
    }

    /// Passes on a request that the client's own node has parsed and admitted.
    async fn ask(&self, text: &[u8]) -> Result<(), ServerCode> {
        let Ok(ClientMsg::Request { id, request }) = serde_json::from_slice(text) else {
            return Err(ServerCode::Protocol);
        };
        let ask = Ask { guest: self.guest, outbox: Arc::clone(self.outbox), id, request, relayed: true };
        // If the table has ended, the loop notices next. The table grants credit once it has the request.
        let _ = self.mailbox.send(Mail::Ask(Box::new(ask))).await;
        Ok(())
    }
}
