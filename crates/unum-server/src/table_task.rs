//! The task of one table: mail in, journal first, then messages out.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use futures_util::FutureExt as _;
use tokio::sync::{mpsc, oneshot};
use tracing::Instrument as _;
use unum_protocol::node::Open;
use unum_protocol::rest::{Listing, TableSummary};
use unum_protocol::{Refusal, Request, ServerCode, ServerMsg};
use unum_store::failpoint::{self, Place};
use unum_store::lease::Owner;
use unum_store::{Change, Piece, Store, StoreError};
use unum_table::{
    Blocked, Codec, Dice, Driver, Ending, Entry, GuestId, Idea, Input, Letter, Moment, Newcomer, Outgoing, Reported,
    RestoreError, Restoring, Snapshot, Table, Thought, World,
};

use crate::address::AddressKey;
use crate::alarm::Alarm;
use crate::cluster::{Link, Relay};
use crate::codes::Unavailable;
use crate::frame::{Desk, Frame, frame_of};
use crate::hub::{Hub, Opener, Reach};
use crate::journal::{rows, write};
use crate::mail::{Arrival, Ask, CARRIED, Heir, Looking, Mail, NewSettings, Since, Visitor};
use crate::outbox::Outbox;
use crate::traces::Timed;

/// The most entries in one batch: then it is written, even if there is more to do.
const BATCH: usize = 64;
/// How many quick decisions of bots go into one batch: what they lead to has to fit into every viewer's queue.
const DECISIONS: usize = 8;
/// How long bots wait at most for a viewer who has much to read.
const COURTESY: Duration = Duration::from_millis(250);
/// How often they look whether that is over.
const GLANCE: Duration = Duration::from_millis(5);
/// How long a table without people keeps what it can do without.
const SHRINK_AFTER: Duration = Duration::from_secs(5);
/// How soon a table that somebody is on the way to looks again whether it can leave memory.
const LINGER: Duration = Duration::from_millis(20);

/// The pause before looking for a table again that two nodes hand to each other, or that the next one has not begun to
/// load.
const MOVING: Duration = Duration::from_millis(20);
/// After this long at one node, a table counts as settled there.
const SETTLED: Duration = Duration::from_secs(1);
/// How long a node looks for a table before those who wait for it are sent to try another node.
const SOUGHT: Duration = Duration::from_secs(3);
/// How long the database may take to pass a table on: its people wait for that.
const PASSING: Duration = Duration::from_secs(2);
/// How long the node that takes a table over is waited for before the next tables follow.
const LOADING: Duration = Duration::from_secs(2);
/// How often to check on a table of an unreachable node: its lease may have run out.
const WAIT_FOR_OWNER: Duration = Duration::from_millis(250);

/// Where a table comes from.
#[derive(Debug)]
pub(crate) enum Start {
    /// It was just opened, with that id, by somebody whose limits it counts for.
    New(Box<Table>, Arc<str>, Opener),
    /// From the journal, for somebody whose limits it counts for.
    Stored(Opener),
    /// The same for a client of another node: if a third one runs the table, it is not brought back.
    Relayed(Opener),
    /// It was here and was given to another node.
    Passed(Arc<Link>, Opener),
}

impl Start {
    pub(crate) fn listing(&self) -> Option<Listing> {
        match self {
            Start::New(table, ..) => table.listing(),
            Start::Stored(_) | Start::Relayed(_) | Start::Passed(..) => None,
        }
    }
}

/// What a task begins with.
enum Begun {
    /// This server runs the table.
    Here(Box<TableTask>),
    /// Another node does.
    Elsewhere(Arc<Link>, Opener),
}

/// The way to a table, from one task behind a mailbox to the next.
#[derive(Debug)]
pub(crate) struct Onward {
    /// The code by which the hub finds it.
    pub(crate) invite: Arc<str>,
    pub(crate) own: mpsc::WeakSender<Mail>,
    pub(crate) mail: mpsc::Receiver<Mail>,
    /// What comes before the mail: those who are carried over, and what they have asked for.
    pub(crate) backlog: Vec<Mail>,
}

/// One table in memory.
pub(crate) struct TableTask {
    hub: Arc<Hub>,
    /// The table's id: what is stored of it is kept by that.
    code: Arc<str>,
    /// The epoch of the lease under which this server runs it.
    epoch: u64,
    /// The code that invites to it, by which the hub finds it.
    invite: Arc<str>,
    own: mpsc::WeakSender<Mail>,
    driver: Driver<Surroundings>,
    listing: Option<Listing>,
    /// Since when nobody has been here, and whether the table has shrunk since.
    alone: Option<(Instant, bool)>,
    /// Since when bots wait for a viewer who has much to read.
    held_back: Option<Instant>,
    /// When what is being done began, for traces.
    begun: Instant,
    /// Answers over HTTP that wait until the journal has what they are about.
    replies: Vec<Reply>,
    alarm: Alarm,
    opener: Opener,
    /// What comes before the mail.
    backlog: VecDeque<Mail>,
    /// On a node: who is connected, to be carried over when another node takes the table.
    visitors: Vec<Visitor>,
    /// That node.
    heir: Option<Box<Heir>>,
}

type Reply = (oneshot::Sender<Result<(), unum_protocol::Refusal>>, Result<(), unum_protocol::Refusal>);

/// What surrounds a table on a server.
struct Surroundings {
    hub: Arc<Hub>,
    code: Arc<str>,
    own: mpsc::WeakSender<Mail>,
    dice: Box<dyn Dice + Send>,
    /// What waits to be sent.
    desk: Desk,
    /// Who waits when the table's bots search.
    who: AddressKey,
    /// The number of the last entry that changed the round: bots that think about an earlier one need not go on.
    stamp: Arc<AtomicU64>,
}

/// One connection, equal to itself alone.
#[derive(Clone)]
struct Line(Arc<Outbox>);

impl PartialEq for Line {
    fn eq(&self, other: &Line) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Dice for Surroundings {
    fn roll(&mut self) -> [u8; 32] {
        self.dice.roll()
    }
}

impl Codec for Surroundings {
    type Frame = Frame;

    fn encode(&mut self, message: &Outgoing<'_>) -> Frame {
        match message {
            Outgoing::Message(ServerMsg::Refused { .. }) => self.hub.metrics.refused.one(),
            Outgoing::Update(update) => self.hub.metrics.carried_out.add(update.acknowledged() as u64),
            Outgoing::Message(_) => {}
        }
        self.desk.write(message)
    }
}

impl World for Surroundings {
    type Line = Line;

    fn now(&self) -> Moment {
        self.hub.clock.now()
    }

    fn ponder(&mut self, thought: Thought) {
        let Surroundings { hub, code, own, who, stamp, .. } = self;
        let (code, stamp) = (Arc::clone(code), Arc::clone(stamp));
        tokio::spawn(ponder(Arc::clone(hub), thought, Pondering { code, own: own.clone(), who: *who, stamp }));
    }

    /// A bot that fails does nothing, so that somebody else decides for it.
    fn think(&mut self, thought: Thought) -> Idea {
        let spare = thought.given_up();
        let thinking = || {
            failpoint::hit(Place::Bot, &self.code);
            thought.think()
        };
        catch_unwind(AssertUnwindSafe(thinking)).unwrap_or_else(|_| {
            self.hub.metrics.panics.one();
            spare
        })
    }

    /// The reporter is told when the report is stored, or why it is not.
    fn report(&mut self, line: &Line, report: Reported) {
        let (hub, Line(outbox)) = (Arc::clone(&self.hub), line.clone());
        tokio::task::spawn_blocking(move || {
            let id = report.id;
            let answer = store_report(&hub.store, report);
            let message = answer.map_or_else(|refusal| ServerMsg::refused(id, refusal), |()| ServerMsg::Done { id });
            let frame = frame_of(&message);
            outbox.push(&frame, || frame.clone());
        });
    }

    /// Somebody who is blocked stays muted at this table, even if it cannot be stored.
    fn block(&mut self, blocked: Blocked) {
        let hub = Arc::clone(&self.hub);
        tokio::task::spawn_blocking(move || {
            let Blocked { guest: GuestId(guest), other: GuestId(other), name, blocked } = blocked;
            let change = if blocked { Change::Block { guest, other, name } } else { Change::Unblock { guest, other } };
            if let Err(error) = hub.store.moderate(change) {
                tracing::warn!(%error, "whom a guest blocks could not be stored");
            }
        });
    }

    fn size(&self, frame: &Frame) -> usize {
        frame.len()
    }
}

/// Stores a report, unless the reporter has sent too many.
fn store_report(store: &Store, report: Reported) -> Result<(), Refusal> {
    let Reported { reporter: GuestId(reporter), guest: GuestId(guest), body, .. } = report;
    let body = serde_json::to_string(&body).expect("reports are made of names and lists");
    match store.moderate(Change::Report { reporter, guest, body }) {
        Ok(0) => Err(Refusal::new(ServerCode::TooFast, "you have reported a lot of people today; try again tomorrow")),
        Ok(_) => Ok(()),
        Err(error) => Err(crate::codes::storage(error)),
    }
}

/// Why a task ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// Nobody is here.
    Unload,
    /// Another node runs the table, or can take it.
    Moved,
    /// The table was given to another node, where everybody goes on.
    Passed,
    /// The journal cannot be written.
    Storage,
    /// The table takes as much room as it may.
    Full,
    /// The server stops.
    Stop,
    /// The task has panicked.
    Crash,
}

impl TableTask {
    /// Starts the task of a table.
    pub(crate) fn spawn(
        hub: Arc<Hub>,
        code: Arc<str>,
        start: Start,
        own: mpsc::WeakSender<Mail>,
        mail: mpsc::Receiver<Mail>,
    ) {
        tokio::spawn(async move {
            let mut next = Some((start, Onward { invite: code, own, mail, backlog: Vec::new() }));
            let mut moved = None;
            while let Some((start, way)) = next {
                let begun = Instant::now();
                next = TableTask::live(&hub, start, way).await;
                if begun.elapsed() > SETTLED {
                    moved = None;
                }
                let since = *moved.get_or_insert_with(Instant::now);
                if let Some((_, way)) = next.take_if(|_| since.elapsed() > hub.patience()) {
                    way.give_up(&hub, Unavailable::Storage).await;
                } else if next.is_some() && begun.elapsed() < MOVING {
                    tokio::time::sleep(MOVING).await;
                }
            }
        });
    }

    /// One life of a task: this server runs the table, or another node does. When the table goes elsewhere and somebody
    /// needs it still, there is another.
    async fn live(hub: &Arc<Hub>, start: Start, mut way: Onward) -> Option<(Start, Onward)> {
        let invite = Arc::clone(&way.invite);
        let beginning = TableTask::begin(Arc::clone(hub), &invite, start, way.own.clone());
        // In boxes: a table lives long, and its future need not have room for loading, for relaying and for a lease.
        let mut beginning = Box::pin(AssertUnwindSafe(beginning).catch_unwind());
        let since = Instant::now();
        let begun = loop {
            match tokio::time::timeout(CARRIED, beginning.as_mut()).await {
                Ok(begun) => break begun,
                Err(_) => way.let_go(hub.cluster.is_some() && since.elapsed() > SOUGHT),
            }
        };
        drop(beginning);
        let begun = begun.unwrap_or_else(|_| {
            hub.note_crash(&way.invite);
            Err(Unavailable::Crashed)
        });
        match begun {
            Ok(Begun::Here(task)) => task.run(way).await,
            Ok(Begun::Elsewhere(link, opener)) => {
                hub.mark_relay(&way.invite, true);
                let old = Arc::clone(&way.invite);
                let (way, opener) = Box::pin(Relay::run(Arc::clone(hub), way, link, opener)).await?;
                if way.invite != old && !hub.rename(&old, Arc::clone(&way.invite)) {
                    // Others have found the table by its new code.
                    hub.remove(&old, &way.own);
                    way.give_up(hub, Unavailable::Moved).await;
                    return None;
                }
                hub.mark_relay(&way.invite, false);
                Some((Start::Stored(opener), way))
            }
            Err(why) => {
                way.give_up(hub, why).await;
                None
            }
        }
    }

    async fn begin(
        hub: Arc<Hub>,
        invite: &Arc<str>,
        start: Start,
        own: mpsc::WeakSender<Mail>,
    ) -> Result<Begun, Unavailable> {
        let (opener, is_relayed) = match start {
            Start::New(table, id, opener) => {
                let lease = Leased { epoch: hub.store.first_epoch(), code: id };
                return Ok(Begun::Here(TableTask::new(hub, lease, own, table, opener)));
            }
            Start::Stored(opener) => (opener, false),
            Start::Relayed(opener) => (opener, true),
            Start::Passed(link, opener) => return Ok(Begun::Elsewhere(link, opener)),
        };
        let begun = Instant::now();
        loop {
            match bring_back(&hub, invite).await? {
                Found::Here(lease, table) => {
                    let task = TableTask::new(hub, lease, own, table, opener);
                    task.hub.list(&task.invite, task.listing.clone());
                    return Ok(Begun::Here(task));
                }
                Found::Elsewhere(..) | Found::Later if is_relayed => return Err(Unavailable::Moved),
                Found::Elsewhere(node, address) => {
                    let Some(cluster) = &hub.cluster else { return Err(Unavailable::Storage) };
                    // If it is dead, the table can be taken when its lease has run out.
                    if let Some(link) = cluster.link(node, &address).await {
                        return Ok(Begun::Elsewhere(link, opener));
                    }
                }
                Found::Later => {}
            }
            if begun.elapsed() > hub.patience() || hub.is_stopping() {
                return Err(if hub.is_stopping() { Unavailable::Moved } else { Unavailable::Storage });
            }
            tokio::time::sleep(WAIT_FOR_OWNER).await;
        }
    }

    /// A task in a box, so that the future around it need not have room for several copies of it.
    fn new(
        hub: Arc<Hub>,
        lease: Leased,
        own: mpsc::WeakSender<Mail>,
        table: Box<Table>,
        opener: Opener,
    ) -> Box<TableTask> {
        let Leased { code, epoch } = lease;
        let invite = table.code().into();
        let (listing, durable) = (table.listing(), table.seq());
        let surroundings = Surroundings {
            hub: Arc::clone(&hub),
            code: Arc::clone(&code),
            own: own.clone(),
            dice: hub.random.table_dice(&code, "play"),
            desk: Desk::default(),
            who: opener.address,
            stamp: Arc::default(),
        };
        Box::new(TableTask {
            hub,
            code,
            epoch,
            invite,
            own,
            driver: Driver::new(table, durable, surroundings),
            listing,
            alone: Some((Instant::now(), false)),
            held_back: None,
            begun: Instant::now(),
            replies: Vec::new(),
            alarm: Alarm::default(),
            opener,
            backlog: VecDeque::new(),
            visitors: Vec::new(),
            heir: None,
        })
    }

    async fn run(mut self: Box<TableTask>, way: Onward) -> Option<(Start, Onward)> {
        let Onward { own, mut mail, backlog, .. } = way;
        self.backlog = backlog.into();
        let hub = Arc::clone(&self.hub);
        let _counted = hub.metrics.tables.hold();
        // The id invites nobody, unlike the code.
        let span = tracing::error_span!("table", table_id = &*self.code);
        let end = match hub.cluster.is_some() {
            true => Box::pin(self.serve_leased(&mut mail)).instrument(span).await,
            false => {
                let serving = AssertUnwindSafe(self.serve(&mut mail)).catch_unwind();
                serving.instrument(span).await.unwrap_or(End::Crash)
            }
        };
        if end == End::Crash {
            hub.note_crash(&self.invite);
        }
        hub.metrics.unloads.one();
        if let (End::Passed, Some(heir)) = (end, self.heir.take()) {
            return Some(self.go_on(*heir, own, mail));
        }
        hub.remove(&self.invite, &self.own);
        let bye = match end {
            End::Moved | End::Passed => ServerCode::Moved,
            End::Storage => ServerCode::Storage,
            End::Full => ServerCode::Quota,
            End::Crash => ServerCode::Crashed,
            End::Stop | End::Unload => ServerCode::Stopping,
        };
        for Line(outbox) in self.driver.lines() {
            outbox.end(bye);
        }
        self.backlog.drain(..).for_each(|mail| refuse(mail, Unavailable::of(bye)));
        pass_on(&hub, &self.invite, mail, end, self.opener);
        None
    }

    /// The same on a node of a cluster: the table is put away at once when its lease is lost, and the lease is given back
    /// at the end, for others to take, or to one of them.
    async fn serve_leased(&mut self, mail: &mut mpsc::Receiver<Mail>) -> End {
        let hub = Arc::clone(&self.hub);
        let (evict, evicted) = oneshot::channel();
        let shard = hub.store.shard_of(&self.code);
        hub.mark_leased(&self.invite, shard, evict);
        if !hub.store.may_serve(shard) {
            return End::Moved;
        }
        let end = tokio::select! {
            biased;
            end = AssertUnwindSafe(self.serve(mail)).catch_unwind() => end.unwrap_or(End::Crash),
            Ok(()) = evicted => {
                hub.metrics.evicted.one();
                return End::Moved;
            }
        };
        if !matches!(end, End::Stop | End::Unload | End::Passed) {
            return end;
        }
        // Without people the first node that is asked for it takes it.
        self.heir.take_if(|_| self.driver.lines().next().is_none());
        let to = self.heir.as_ref().map(|heir| heir.node);
        let Some(cluster) = &hub.cluster else { return end };
        // Whether it was passed on is not known if the database does not answer; nothing is written here any more either way.
        let passed = tokio::time::timeout(PASSING, cluster.pass(&self.code, self.epoch, to)).await.unwrap_or(false);
        if passed {
            hub.metrics.handed_over.one();
        }
        match end {
            End::Unload => End::Unload,
            End::Passed if passed && to.is_some() => End::Passed,
            _ => End::Moved,
        }
    }

    /// The table is another node's now. Those who are connected here go on there by way of this node; those of other nodes
    /// by way of theirs. Somebody who waits for an answer that only this table knew of has to come back.
    fn go_on(mut self, heir: Heir, own: mpsc::WeakSender<Mail>, mail: mpsc::Receiver<Mail>) -> (Start, Onward) {
        let Heir { link, at: since, done, .. } = heir;
        self.hub.list(&self.invite, None);
        let mut backlog: Vec<Mail> = Vec::new();
        for (guest, Line(outbox)) in self.driver.connected() {
            let at = self.visitors.iter().position(|visitor| Arc::ptr_eq(&visitor.outbox, outbox));
            match (self.driver.table.told(guest), at) {
                (Some(told), _) if outbox.is_relayed() => outbox.pass_on(told, &self.invite),
                (Some(told), Some(at)) => {
                    let visitor = Visitor { code: self.invite.to_string(), ..self.visitors.swap_remove(at) };
                    backlog.push(Mail::Arrive(Box::new(Arrival::carried(visitor, told, since))));
                }
                _ => outbox.end(ServerCode::Moved),
            }
        }
        let code = self.invite.to_string();
        let look = Open::Look { code, guest: None, guarded: false, address: self.opener.address.ip() };
        let asked = link.ask(&look);
        tokio::spawn(async move {
            // It has loaded the table when it answers, whatever it says.
            if let Ok(told) = asked {
                let _ = tokio::time::timeout(LOADING, told).await;
            }
            drop(done);
        });
        (Start::Passed(link, self.opener), Onward { invite: self.invite, own, mail, backlog })
    }

    /// Goes on until there is a reason to end.
    async fn serve(&mut self, mail: &mut mpsc::Receiver<Mail>) -> End {
        while let Some(first) = self.backlog.pop_front() {
            self.take(first);
            if self.driver.unwritten() >= BATCH
                && let Some(end) = self.settle().await
            {
                return end;
            }
        }
        loop {
            self.think();
            let mut stopping = false;
            if self.driver.is_settled() {
                let waited = self.wait(mail).await;
                self.begun = Instant::now();
                match waited {
                    Ok(Some(first)) => stopping = self.receive(first, mail),
                    Ok(None) => drop(self.driver.put(Input::Tick)),
                    Err(end) => return end,
                }
                self.think();
            } else if let Ok(first) = mail.try_recv() {
                self.begun = Instant::now();
                // Bots that always have something to do must not keep anybody waiting.
                stopping = self.receive(first, mail);
            }
            if let Some(end) = self.settle().await {
                return end;
            }
            if stopping {
                return if self.heir.is_some() { End::Passed } else { End::Stop };
            }
            if self.driver.table.is_closed() && self.driver.lines().next().is_none() {
                return End::Unload;
            }
        }
    }

    /// Makes what happened durable and tells everybody; why the task ends if that fails.
    async fn settle(&mut self) -> Option<End> {
        self.driver.world.stamp.fetch_max(self.driver.table.stamp(), Ordering::Relaxed);
        match self.finish().await {
            Ok(()) => None,
            Err(StoreError::OverQuota { .. }) => Some(End::Full),
            Err(StoreError::Fenced { .. }) => Some(End::Moved),
            Err(error) => {
                tracing::warn!(%error, "a table is put away until the journal can be written");
                Some(End::Storage)
            }
        }
    }

    /// Waits for something to happen: mail, or `None` when time has passed that the table waits for.
    async fn wait(&mut self, mail: &mut mpsc::Receiver<Mail>) -> Result<Option<Mail>, End> {
        loop {
            let now = Instant::now();
            // While bots wait for a reader, what is due for them is not what is waited for.
            let deadline = self.driver.table.deadline().filter(|_| self.held_back.is_none());
            let deadline = deadline.map(|moment| now + self.hub.clock.until(moment));
            let leave = self.leave_at(now, mail)?;
            let glance = self.held_back.map(|_| now + GLANCE);
            let until = deadline.into_iter().chain(leave).chain(glance).min();
            let Some(until) = until else { return mail.recv().await.map(Some).ok_or(End::Unload) };
            tokio::select! {
                biased;
                received = mail.recv() => return received.map(Some).ok_or(End::Unload),
                () = self.alarm.ring_by(until) => {}
            }
            let over = Instant::now() >= until;
            if over && (deadline == Some(until) || glance == Some(until)) {
                return Ok(None);
            }
        }
    }

    /// When an empty table shrinks or leaves next.
    fn leave_at(&mut self, now: Instant, mail: &mpsc::Receiver<Mail>) -> Result<Option<Instant>, End> {
        if self.driver.lines().next().is_some() || !self.driver.table.is_idle() {
            self.alone = None;
            return Ok(None);
        }
        let (since, shrunk) = self.alone.get_or_insert((now, false));
        // Somebody who has left is not expected back soon, and may open other tables meanwhile.
        let stay = if self.driver.table.is_left() { Duration::ZERO } else { self.hub.unload_after };
        let unload = *since + stay;
        if now >= unload {
            return if self.hub.leave(&self.invite, &self.own, mail) {
                Err(End::Unload)
            } else {
                Ok(Some(now + LINGER))
            };
        }
        if !*shrunk && now >= *since + SHRINK_AFTER {
            *shrunk = true;
            self.driver.table.shrink();
            self.driver.world.desk.shrink();
        }
        Ok(Some(if *shrunk { unload } else { unload.min(*since + SHRINK_AFTER) }))
    }

    /// Takes what has come in, up to a batch. Returns whether the task should end.
    fn receive(&mut self, first: Mail, mail: &mut mpsc::Receiver<Mail>) -> bool {
        let mut next = Some(first);
        while let Some(received) = next {
            if self.take(received) {
                return true;
            }
            next = if self.driver.unwritten() < BATCH { mail.try_recv().ok() } else { None };
        }
        false
    }

    /// Takes one thing. Returns whether the task should end.
    fn take(&mut self, received: Mail) -> bool {
        match received {
            Mail::Arrive(arrival) => self.arrive(*arrival),
            Mail::Gone(guest, outbox) => {
                self.visitors.retain(|visitor| !Arc::ptr_eq(&visitor.outbox, &outbox));
                self.driver.leave(guest, &Line(outbox));
            }
            Mail::Ask(ask) => {
                let Ask { guest, outbox, id, request, relayed } = *ask;
                failpoint::hit(Place::Table, &self.invite);
                if relayed {
                    outbox.note_taken();
                }
                self.driver.ask(guest, &Line(outbox), id, request);
            }
            Mail::Thought(idea) => drop(self.driver.put(Input::Thought(*idea))),
            Mail::Settings(new) => {
                let NewSettings { guest, settings, reply } = *new;
                let answer = self.driver.ask_once(guest, Request::Settings { settings });
                self.replies.push((reply, answer));
            }
            Mail::Forget(guest, reply) => {
                let answer = self.driver.put(Input::Forget { guest }).unwrap_or(Ok(()));
                self.replies.push((reply, answer));
            }
            Mail::Look(looking) => {
                let Looking { guest, guarded, reply } = *looking;
                // The client that asked may be gone.
                let _ = reply.send(self.summary(guest, guarded));
            }
            Mail::Hush => drop(self.driver.put(Input::Hush)),
            Mail::Close(reply) => {
                let answer = self.driver.put(Input::Close).unwrap_or(Ok(()));
                self.replies.push((reply, answer));
            }
            Mail::HandOver(heir) => {
                self.heir = Some(heir);
                return true;
            }
            Mail::Stop => return true,
        }
        false
    }

    /// Lets somebody come, unless the code they came with was renewed meanwhile.
    fn arrive(&mut self, arrival: Arrival) {
        let Some(Arrival { visitor, since, taken_in, relayed }) = arrival.if_still_here() else { return };
        if visitor.code != self.driver.table.code() {
            return visitor.outbox.end(Unavailable::NoTable.code());
        }
        if visitor.guarded && self.is_stranger(Some(visitor.guest)) {
            return visitor.outbox.end(Unavailable::Guarded.code());
        }
        let carried = (self.hub.cluster.is_some() && !relayed).then(|| visitor.clone());
        self.visitors.extend(carried);
        let Visitor { guest, name, look, address, outbox, blocks, .. } = visitor;
        let newcomer = Newcomer { guest, name, look, address: address.mark(&self.code), blocks };
        match since {
            Since::Seen(after) => self.driver.arrive(newcomer, after, Line(outbox)),
            Since::Told { number, .. } => self.driver.carry_on(newcomer, number, Line(outbox)),
        }
        if let Some((taken_in, own)) = taken_in.zip(self.own.upgrade()) {
            // A client that is gone by now says so to this mailbox, or sees it close.
            let _ = taken_in.send(own);
        }
    }

    /// Lets bots think, unless a viewer has to catch up first.
    fn think(&mut self) {
        if !self.holds_back() && self.driver.unwritten() < BATCH {
            self.driver.think(DECISIONS);
        }
    }

    /// Whether bots wait, so that clients that read as fast as they can are not let go as slow. They do not wait for
    /// long: a client that does not read at all is disconnected soon.
    fn holds_back(&mut self) -> bool {
        if !self.driver.lines().any(|Line(outbox)| outbox.is_crowded()) {
            self.held_back = None;
            return false;
        }
        let waits = self.held_back.get_or_insert_with(Instant::now).elapsed() < COURTESY;
        if !waits {
            self.held_back = None;
        }
        waits
    }

    /// Whether the guest has never been at the table, and the table is not public.
    fn is_stranger(&self, guest: Option<GuestId>) -> bool {
        self.listing.is_none() && !guest.is_some_and(|guest| self.driver.table.knows(guest))
    }

    fn summary(&self, guest: Option<GuestId>, guarded: bool) -> Result<Box<TableSummary>, Unavailable> {
        if guarded && self.is_stranger(guest) {
            return Err(Unavailable::Guarded);
        }
        if self.driver.table.is_closed() {
            return Err(Unavailable::NoTable);
        }
        Ok(Box::new(self.driver.table.summary(guest)))
    }

    /// Makes what happened durable, then tells everybody.
    async fn finish(&mut self) -> Result<(), StoreError> {
        let mut trace = None;
        let written = match self.driver.take_batch() {
            Ok(batch) => {
                trace = self.trace(batch.entries.len());
                let mut journal = trace.as_ref().map(|trace| trace.part("journal"));
                let durable = self.make_durable(&batch).await;
                if durable.is_err() {
                    journal.iter_mut().chain(&mut trace).for_each(Timed::fail);
                }
                durable?;
                batch.written()
            }
            Err(nothing) => nothing,
        };
        let _delivery = trace.as_ref().map(|trace| trace.part("deliver"));
        let metrics = &self.hub.metrics;
        self.driver.deliver(written, |world, letter| match letter {
            Letter::Frames(Line(outbox), frames) => {
                metrics.sent_messages.add(frames.len() as u64);
                metrics.sent.add(send(&world.desk, outbox, frames.copied()) as u64);
            }
            Letter::End(Line(outbox), Ending::Dismissed) => outbox.end(ServerCode::Dismissed),
            Letter::End(Line(outbox), Ending::Replaced) => outbox.end(ServerCode::Replaced),
        });
        self.driver.world.desk.clear();
        if self.driver.table.stamp() == 0 {
            // Before the first round little is said.
            self.driver.world.desk.shrink();
        }
        for (reply, answer) in self.replies.drain(..) {
            // The client that asked may be gone.
            let _ = reply.send(answer);
        }
        Ok(())
    }

    /// What a collector is told of a turn that has been decided and is to be written, if there is one.
    fn trace(&self, entries: usize) -> Option<Timed> {
        let mut trace = self.hub.traces.as_ref()?.since("turn", self.begun)?;
        trace.note("unum.table_id", &*self.code);
        trace.note("unum.entries", entries as u64);
        drop(trace.part_since("decide", self.begun));
        Some(trace)
    }

    async fn make_durable(&mut self, batch: &unum_table::Batch) -> Result<(), StoreError> {
        let table = &self.driver.table;
        let listing = table.listing();
        let change = (listing != self.listing).then_some(listing.as_ref());
        let rows = unum_store::Batch { epoch: self.epoch, ..rows(&self.code, batch, change) };
        write(&self.hub.store, &self.hub.metrics, rows).await?;
        if let Some(invite) = &batch.renewed {
            let old = std::mem::replace(&mut self.invite, invite.as_str().into());
            self.hub.rename(&old, Arc::clone(&self.invite));
        }
        if change.is_some() {
            self.hub.list(&self.invite, listing.clone());
            self.listing = listing;
        }
        if batch.parts.iter().any(|part| part.last) {
            self.hub.matches_over.notify_one();
        }
        Ok(())
    }
}

/// Sends frames to one client, and says how many bytes that is. Several go in one piece, unless the client does not read
/// fast enough: then they wait one by one, as copies that all share who have to wait.
fn send(desk: &Desk, outbox: &Outbox, frames: impl ExactSizeIterator<Item = Frame> + Clone) -> usize {
    if frames.len() > 1 && !outbox.is_behind() {
        let piece = desk.gather(frames);
        outbox.push(&piece, || piece.clone());
        return piece.len();
    }
    frames.clone().for_each(|frame| outbox.push(desk.get(frame), || desk.copy(frame)));
    frames.map(Frame::len).sum()
}

/// Whose bot thinks.
struct Pondering {
    code: Arc<str>,
    own: mpsc::WeakSender<Mail>,
    who: AddressKey,
    stamp: Arc<AtomicU64>,
}

/// Thinks for a searching bot, away from the table, when it is its turn.
async fn ponder(hub: Arc<Hub>, thought: Thought, table: Pondering) {
    let Some(permit) = hub.thinkers.turn(table.who).await else { return };
    let moved_on = table.stamp.load(Ordering::Relaxed) > thought.at();
    if moved_on || table.own.upgrade().is_none_or(|own| own.is_closed()) {
        hub.metrics.stale_thoughts.one();
        return;
    }
    let _counted = hub.metrics.thinking.hold();
    let (begun, budget, spare) = (tokio::time::Instant::now(), hub.thinkers.budget(), thought.given_up());
    let thinking = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        failpoint::hit(Place::Bot, &table.code);
        thought.think_within(budget)
    });
    let idea = thinking.await.unwrap_or_else(|_| {
        hub.metrics.panics.one();
        spare
    });
    // The time is the same however little there was to think about, so it reveals nothing about the hand.
    tokio::time::sleep_until(begun + budget).await;
    // The table may be gone; then nobody waits for the idea.
    if let Some(own) = table.own.upgrade() {
        let _ = own.send(Mail::Thought(Box::new(idea))).await;
    }
}

/// A stored table.
enum Found {
    /// It is here now, with its lease.
    Here(Leased, Box<Table>),
    /// Another node runs it.
    Elsewhere(u64, String),
    /// This node cannot take tables at the moment, because its leases are not renewed.
    Later,
}

/// A table from the journal, unless another node runs it.
async fn bring_back(hub: &Arc<Hub>, invite: &Arc<str>) -> Result<Found, Unavailable> {
    let begun = Instant::now();
    match load(hub, invite).await {
        Ok(Some(found)) => {
            if let Found::Here(..) = found {
                failpoint::hit(Place::Loading, invite);
                hub.metrics.loads.one();
                hub.metrics.load_time.record_time(begun.elapsed());
            }
            Ok(found)
        }
        Ok(None) => Err(Unavailable::NoTable),
        Err(LoadError::Newer { format }) => {
            tracing::warn!(format, "a table was written by a newer version; it is left alone");
            Err(Unavailable::Newer)
        }
        Err(LoadError::Storage(error)) => {
            tracing::error!(%error, "a table could not be loaded");
            Err(Unavailable::Storage)
        }
        Err(LoadError::Damaged { table, message }) => {
            tracing::error!(table, %message, "a table cannot be restored; it is not tried again until the next start");
            hub.note_damaged(invite);
            Err(Unavailable::Damaged)
        }
    }
}

/// Why a table could not be brought back.
#[derive(Debug)]
pub(crate) enum LoadError {
    /// The store does not work right now.
    Storage(String),
    /// A newer version has written to it.
    Newer { format: u64 },
    /// What it holds of the table cannot be read, now or later. The table's number is for logs: its code is the
    /// invitation.
    Damaged { table: u64, message: String },
}

impl From<StoreError> for LoadError {
    fn from(error: StoreError) -> LoadError {
        match error {
            StoreError::Gap { table } => LoadError::Damaged { table, message: error.to_string() },
            error => LoadError::Storage(error.to_string()),
        }
    }
}

/// The id of a table that this server runs, and the epoch of its lease.
struct Leased {
    code: Arc<str>,
    epoch: u64,
}

/// Takes a table for this server and loads it, by the code that invites to it. Taken first: what is loaded then cannot
/// be changed by anybody else.
async fn load(hub: &Arc<Hub>, invite: &Arc<str>) -> Result<Option<Found>, LoadError> {
    let Ok(_permit) = hub.loaders.acquire().await else { return Ok(None) };
    let (hub, invite) = (Arc::clone(hub), Arc::clone(invite));
    let work = move || {
        if hub.cluster.is_some() && !(0..hub.store.shards()).any(|shard| hub.store.may_serve(shard)) {
            return Ok(Some(Found::Later));
        }
        let Some(code) = hub.store.invited(&invite)? else { return Ok(None) };
        if hub.cluster.is_some() && !hub.store.may_serve(hub.store.shard_of(&code)) {
            return Ok(Some(Found::Later));
        }
        let epoch = match hub.store.take(&code)? {
            Owner::Here { epoch } => epoch,
            Owner::Nobody => return Ok(None),
            Owner::Newer { format } => return Err(LoadError::Newer { format }),
            Owner::Elsewhere { node, address } if hub.cluster.is_some() && node != 0 => {
                return Ok(Some(Found::Elsewhere(node, address)));
            }
            Owner::Elsewhere { .. } => return Err(LoadError::Storage("another server runs the table".to_owned())),
        };
        Ok(restore(&hub, &code)?.map(|table| Found::Here(Leased { code: code.into(), epoch }, table)))
    };
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|error| Err(LoadError::Storage(error.to_string())))
}

/// Restores a table entry by entry: no more than one of them is in memory at a time.
pub(crate) fn restore(hub: &Hub, code: &str) -> Result<Option<Box<Table>>, LoadError> {
    let mut dice = hub.random.table_dice(code, "restore");
    let (mut id, mut closed) = (0, false);
    let mut restoring = Restoring::begin(None, &mut *dice);
    let found = hub.store.visit(code, &mut |piece| {
        match piece {
            Piece::Table(row) => (id, closed) = (row.id, row.closed.is_some()),
            Piece::Snapshot(seq, body) => restoring = begin(seq, body, &mut *dice),
            Piece::Entry(seq, body) => {
                let added = restoring.as_mut().map(|restoring| add(restoring, seq, body, &mut *dice));
                if let Ok(Err(error)) = added {
                    restoring = Err(error);
                }
            }
        }
        !closed && restoring.is_ok()
    })?;
    if !found || closed {
        return Ok(None);
    }
    let table = restoring.and_then(|restoring| restoring.finish(hub.clock.now()));
    let table = table.map_err(|error| LoadError::Damaged { table: id, message: error.to_string() })?;
    if table.has_lost_round() {
        hub.metrics.lost_rounds.one();
        tracing::warn!(table = id, "a round could not be restored and is dealt again");
    }
    Ok(Some(Box::new(table)))
}

pub(crate) fn begin(seq: u64, body: &[u8], dice: &mut dyn Dice) -> Result<Restoring, RestoreError> {
    let body = String::from_utf8(body.to_vec()).map_err(|error| RestoreError { seq, message: error.to_string() })?;
    Restoring::begin(Some(&Snapshot { seq, body }), dice)
}

pub(crate) fn add(restoring: &mut Restoring, seq: u64, body: &[u8], dice: &mut dyn Dice) -> Result<(), RestoreError> {
    let entry: Entry =
        serde_json::from_slice(body).map_err(|error| RestoreError { seq, message: error.to_string() })?;
    restoring.add(&entry, dice)
}

/// What is still in the mailbox of a task that has ended: a table that only left memory is brought back for it.
pub(crate) fn pass_on(hub: &Arc<Hub>, code: &Arc<str>, mut mail: mpsc::Receiver<Mail>, end: End, opener: Opener) {
    mail.close();
    let (hub, code) = (Arc::clone(hub), Arc::clone(code));
    match end {
        End::Storage => drop(tokio::spawn(turn_away(mail, Unavailable::Storage))),
        End::Full => drop(tokio::spawn(turn_away(mail, Unavailable::Full))),
        End::Stop => drop(tokio::spawn(turn_away(mail, Unavailable::Stopping))),
        End::Crash => drop(tokio::spawn(turn_away(mail, Unavailable::Crashed))),
        End::Unload | End::Moved | End::Passed => drop(tokio::spawn(async move {
            let mut opener = Some(opener);
            while let Some(left) = mail.recv().await {
                // Who was here comes back, and asks again.
                let is_of_a_client =
                    matches!(left, Mail::Ask(_) | Mail::Gone(..) | Mail::Thought(_) | Mail::HandOver(_) | Mail::Stop);
                if end == End::Moved && is_of_a_client {
                    refuse(left, Unavailable::Moved);
                    continue;
                }
                match hub.find(&code, Reach::Anywhere, || opener.take()) {
                    Ok(mailbox) => drop(mailbox.send(left).await),
                    Err(_) => refuse(left, hub.farewell()),
                }
            }
        })),
    }
}

impl Onward {
    /// Lets those go who are carried over, and in the end everybody who waits: another node may find the table sooner.
    fn let_go(&mut self, everybody: bool) {
        self.backlog.drain(..).for_each(|mail| refuse(mail, Unavailable::Moved));
        while everybody && let Ok(mail) = self.mail.try_recv() {
            refuse(mail, Unavailable::Moved);
        }
    }

    /// There is no table for those who wait.
    async fn give_up(self, hub: &Hub, why: Unavailable) {
        // Off the map first: those who are answered and ask again find another task.
        hub.remove(&self.invite, &self.own);
        self.backlog.into_iter().for_each(|mail| refuse(mail, why));
        turn_away(self.mail, why).await;
    }
}

async fn turn_away(mut mail: mpsc::Receiver<Mail>, why: Unavailable) {
    mail.close();
    while let Some(left) = mail.recv().await {
        refuse(left, why);
    }
}

/// Tells the sender of a mail, who may be gone, that there is no table.
pub(crate) fn refuse(mail: Mail, why: Unavailable) {
    match mail {
        Mail::Arrive(arrival) => arrival.visitor.outbox.end(why.code()),
        Mail::Ask(ask) => ask.outbox.end(why.code()),
        Mail::Settings(new) => drop(new.reply.send(Err(why.into()))),
        Mail::Forget(_, reply) if why == Unavailable::Moved => drop(reply.send(Err(why.into()))),
        Mail::Close(reply) => drop(reply.send(Err(why.into()))),
        Mail::Look(looking) => drop(looking.reply.send(Err(why))),
        Mail::Gone(..) | Mail::Thought(_) | Mail::Forget(..) | Mail::Hush | Mail::HandOver(_) | Mail::Stop => {}
    }
}
