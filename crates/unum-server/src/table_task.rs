//! The task of one table: inputs in, journal first, then messages out.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use unum_store::{Store, StoreError};
use unum_table::wire::{Request, ServerMsg};
use unum_table::{Entry, GuestId, Idea, Input, Listing, Outcome, Snapshot, Table, Thought};

use crate::alarm::Alarm;
use crate::clock::Clock;
use crate::codes::ByeCode;
use crate::frame::text_frame;
use crate::hub::{Hub, Opener};
use crate::mail::{Arrival, Ask, Mail, NewSettings, NotThere, TableSummary};
use crate::outbox::Outbox;
use crate::random::OsDice;
use crate::records::{keep_records, misses_records};
use crate::writing::{batch_of, write};

/// How many entries are put into one batch before it is written, though there would be more to do.
const BATCH: usize = 64;
/// How many quick decisions of bots go into one batch: what they lead to has to fit into every viewer's queue.
const DECISIONS: usize = 8;
/// How long bots wait at most for a viewer who has much to read.
const COURTESY: Duration = Duration::from_millis(250);
/// How often they look whether that is over.
const GLANCE: Duration = Duration::from_millis(5);
/// How long a table without people keeps what it can do without.
const SHRINK_AFTER: Duration = Duration::from_secs(5);

/// Where a table comes from.
#[derive(Debug)]
pub(crate) enum Start {
    /// It was just opened, by somebody whose limits it counts for.
    New(Box<Table>, Opener),
    /// From the journal.
    Stored,
}

impl Start {
    pub(crate) fn listing(&self) -> Option<Listing> {
        match self {
            Start::New(table, _) => table.listing(),
            Start::Stored => None,
        }
    }
}

/// One table in memory.
pub(crate) struct TableTask {
    hub: Arc<Hub>,
    code: Arc<str>,
    table: Box<Table>,
    own: mpsc::WeakSender<Mail>,
    connected: Vec<(GuestId, Arc<Outbox>)>,
    listing: Option<Listing>,
    /// The number of the last entry that the journal holds.
    durable: u64,
    /// Matches whose records are kept or being made.
    recorded: u32,
    /// Since when nobody is here, and whether the table has shrunk since.
    alone: Option<(Instant, bool)>,
    /// Since when bots wait for a viewer who has much to read.
    held_back: Option<Instant>,
    alarm: Alarm,
    _opener: Option<Opener>,
}

/// Why a task ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// Nobody is here.
    Unload,
    /// The journal cannot be written.
    Storage,
    /// The server stops.
    Stop,
}

/// What is to be sent once the journal has what it follows from, in order.
#[derive(Default)]
struct Step {
    outcomes: Vec<Outcome>,
    entries: usize,
    /// Messages, ready to be sent.
    frames: Vec<Bytes>,
    /// Which of them go to whom.
    letters: Vec<(Arc<Outbox>, usize)>,
    /// Who is to be let go after that.
    endings: Vec<(Arc<Outbox>, ByeCode)>,
    /// Who waits for an answer by HTTP.
    replies: Vec<Reply>,
}

type Reply = (tokio::sync::oneshot::Sender<Result<Option<ServerMsg>, NotThere>>, Option<ServerMsg>);

impl TableTask {
    /// Starts the task of a table.
    pub(crate) fn spawn(
        hub: Arc<Hub>,
        code: Arc<str>,
        start: Start,
        own: mpsc::WeakSender<Mail>,
        mail: mpsc::Receiver<Mail>,
    ) {
        match start {
            Start::New(table, opener) => {
                let task = TableTask::new(hub, code, own, table, Some(opener));
                tokio::spawn(task.run(mail));
            }
            Start::Stored => {
                tokio::spawn(load_and_run(hub, code, own, mail));
            }
        }
    }

    fn new(
        hub: Arc<Hub>,
        code: Arc<str>,
        own: mpsc::WeakSender<Mail>,
        table: Box<Table>,
        opener: Option<Opener>,
    ) -> TableTask {
        let (listing, durable, recorded) = (table.listing(), table.seq(), table.matches());
        let (connected, alone) = (Vec::new(), Some((Instant::now(), false)));
        TableTask {
            hub,
            code,
            table,
            own,
            connected,
            listing,
            durable,
            recorded,
            alone,
            held_back: None,
            alarm: Alarm::default(),
            _opener: opener,
        }
    }

    async fn run(mut self, mut mail: mpsc::Receiver<Mail>) {
        let hub = Arc::clone(&self.hub);
        let _counted = hub.metrics.tables.hold();
        let end = self.serve(&mut mail).await;
        hub.remove(&self.code, &self.own);
        hub.metrics.unloads.one();
        let bye = match end {
            End::Storage => ByeCode::Storage,
            End::Stop | End::Unload => ByeCode::Stopping,
        };
        for (_, outbox) in &self.connected {
            outbox.end(bye);
        }
        pass_on(&hub, &self.code, mail, end);
    }

    /// Goes on until there is a reason to end.
    async fn serve(&mut self, mail: &mut mpsc::Receiver<Mail>) -> End {
        let mut step = Step::default();
        loop {
            self.think(&mut step);
            let mut stopping = false;
            if step.outcomes.is_empty() {
                match self.wait(mail).await {
                    Ok(Some(first)) => stopping = self.receive(first, mail, &mut step),
                    Ok(None) => self.put(Input::Tick, &mut step),
                    Err(end) => return end,
                }
                self.think(&mut step);
            } else if let Ok(first) = mail.try_recv() {
                // Bots that always have something to do keep nobody waiting.
                stopping = self.receive(first, mail, &mut step);
            }
            if let Err(error) = self.finish(&mut step).await {
                tracing::warn!(%error, "a table is put away until the journal can be written");
                return End::Storage;
            }
            if stopping {
                return End::Stop;
            }
            if self.table.is_closed() && self.connected.is_empty() {
                return End::Unload;
            }
        }
    }

    /// Waits for something to happen: mail, or `None` when time has passed that the table waits for.
    async fn wait(&mut self, mail: &mut mpsc::Receiver<Mail>) -> Result<Option<Mail>, End> {
        loop {
            let now = Instant::now();
            let deadline = self.table.deadline().map(|moment| now + self.hub.clock.until(moment));
            let leave = self.leave_at(now)?;
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
    fn leave_at(&mut self, now: Instant) -> Result<Option<Instant>, End> {
        if !self.connected.is_empty() || !self.table.is_idle() {
            self.alone = None;
            return Ok(None);
        }
        let (since, shrunk) = self.alone.get_or_insert((now, false));
        let unload = *since + self.hub.unload_after;
        if now >= unload {
            return Err(End::Unload);
        }
        if !*shrunk && now >= *since + SHRINK_AFTER {
            *shrunk = true;
            self.table.shrink();
        }
        Ok(Some(if *shrunk { unload } else { unload.min(*since + SHRINK_AFTER) }))
    }

    /// Takes what has come in, up to a batch. Says whether the server stops.
    fn receive(&mut self, first: Mail, mail: &mut mpsc::Receiver<Mail>, step: &mut Step) -> bool {
        let mut next = Some(first);
        while let Some(received) = next {
            match received {
                Mail::Arrive(arrival) => self.arrive(*arrival, step),
                Mail::Gone(guest, outbox) => self.gone(guest, &outbox, step),
                Mail::Ask(ask) => self.ask(*ask, step),
                Mail::Thought(idea) => self.put(Input::Thought(*idea), step),
                Mail::Settings(new) => self.settings(*new, step),
                Mail::Look(reply) => {
                    // Whoever asked may be gone.
                    let _ = reply.send(self.summary());
                }
                Mail::Stop => return true,
            }
            next = if step.entries < BATCH { mail.try_recv().ok() } else { None };
        }
        false
    }

    /// Lets fast bots act at once and slow ones think elsewhere.
    fn think(&mut self, step: &mut Step) {
        if self.holds_back() {
            return;
        }
        let mut decisions = 0;
        while decisions < DECISIONS && step.entries < BATCH {
            let thoughts = self.table.thoughts(self.hub.clock.now());
            if thoughts.is_empty() {
                return;
            }
            for thought in thoughts {
                if thought.is_slow() {
                    tokio::spawn(ponder(Arc::clone(&self.hub), thought, self.own.clone()));
                } else {
                    decisions += 1;
                    self.put(Input::Thought(thought.think()), step);
                }
            }
        }
    }

    /// Whether bots wait, so that those who read as fast as they can are not let go as slow. They do not wait for long:
    /// whoever does not read at all is let go soon.
    fn holds_back(&mut self) -> bool {
        if !self.connected.iter().any(|(_, outbox)| outbox.is_crowded()) {
            self.held_back = None;
            return false;
        }
        let waits = self.held_back.get_or_insert_with(Instant::now).elapsed() < COURTESY;
        if !waits {
            self.held_back = None;
        }
        waits
    }

    /// Lets something happen at the table.
    fn put(&mut self, input: Input, step: &mut Step) {
        let outcome = self.table.handle(input, self.hub.clock.now(), &mut OsDice);
        self.address(outcome, step);
    }

    /// Notes what is to be written, and what to be sent to whom after that.
    fn address(&mut self, mut outcome: Outcome, step: &mut Step) {
        step.entries += outcome.entries.len();
        for delivery in std::mem::take(&mut outcome.deliveries) {
            self.count(&delivery.message);
            let (frame, before) = (step.frames.len(), step.letters.len());
            let receivers = delivery.to.iter().filter_map(|guest| self.outbox(*guest));
            step.letters.extend(receivers.map(|outbox| (outbox, frame)));
            if step.letters.len() > before {
                step.frames.push(text_frame(&delivery.message));
            }
        }
        for guest in &outcome.dismissed {
            if let Some(at) = self.connected.iter().position(|(other, _)| other == guest) {
                step.endings.push((self.connected.swap_remove(at).1, ByeCode::Dismissed));
            }
        }
        step.outcomes.push(outcome);
    }

    fn count(&self, message: &ServerMsg) {
        match message {
            ServerMsg::Refused { .. } => self.hub.metrics.refused.one(),
            ServerMsg::Update { id: Some(_), .. } => self.hub.metrics.carried_out.one(),
            _ => {}
        }
    }

    fn outbox(&self, guest: GuestId) -> Option<Arc<Outbox>> {
        self.connected.iter().find(|(other, _)| *other == guest).map(|(_, outbox)| Arc::clone(outbox))
    }

    fn arrive(&mut self, arrival: Arrival, step: &mut Step) {
        let Arrival { guest, name, look, after, outbox } = arrival;
        if let Some(at) = self.connected.iter().position(|(other, _)| *other == guest) {
            step.endings.push((self.connected.swap_remove(at).1, ByeCode::Replaced));
        }
        self.connected.push((guest, Arc::clone(&outbox)));
        self.put(Input::Arrived { guest, name, look }, step);
        if self.outbox(guest).is_some() {
            for frame in self.greeting(guest, after) {
                step.letters.push((Arc::clone(&outbox), step.frames.len()));
                step.frames.push(frame);
            }
        }
    }

    /// What was missed, or, if that would fill the client's queue, all of it in one message.
    fn greeting(&self, guest: GuestId, after: Option<u64>) -> Vec<Bytes> {
        let now = self.hub.clock.now();
        let missed: Vec<Bytes> = self.table.greet(guest, after, now).iter().map(text_frame).collect();
        let bytes: usize = missed.iter().map(Bytes::len).sum();
        if missed.len() > 64 || (bytes > 32 * 1024 && after.is_some()) {
            return self.table.greet(guest, None, now).iter().map(text_frame).collect();
        }
        missed
    }

    fn gone(&mut self, guest: GuestId, outbox: &Arc<Outbox>, step: &mut Step) {
        let found = self.connected.iter().position(|(other, own)| *other == guest && Arc::ptr_eq(own, outbox));
        if let Some(at) = found {
            self.connected.swap_remove(at);
            self.put(Input::Gone { guest }, step);
        }
    }

    /// Whoever was replaced or sent away has nothing to say any more.
    fn ask(&mut self, ask: Ask, step: &mut Step) {
        let Ask { guest, outbox, id, request } = ask;
        if self.outbox(guest).is_some_and(|own| Arc::ptr_eq(&own, &outbox)) {
            self.put(Input::Asked { guest, id, request }, step);
        }
    }

    fn settings(&mut self, new: NewSettings, step: &mut Step) {
        let NewSettings { guest, settings, reply } = new;
        let input = Input::Asked { guest, id: 0, request: Request::Settings { settings } };
        let mut outcome = self.table.handle(input, self.hub.clock.now(), &mut OsDice);
        let is_answer = |message: &ServerMsg| matches!(message, ServerMsg::Refused { .. } | ServerMsg::Done { .. });
        let answer = outcome.deliveries.iter().position(|delivery| is_answer(&delivery.message));
        let answer = answer.map(|at| outcome.deliveries.remove(at).message);
        step.replies.push((reply, answer.filter(|answer| matches!(answer, ServerMsg::Refused { .. }))));
        self.address(outcome, step);
    }

    fn summary(&self) -> Result<Box<TableSummary>, NotThere> {
        if self.table.is_closed() {
            return Err(NotThere::NoTable);
        }
        Ok(Box::new(TableSummary { listing: self.table.summary(), settings: self.table.settings().clone() }))
    }

    /// Makes a step durable, then tells everybody.
    async fn finish(&mut self, step: &mut Step) -> Result<(), StoreError> {
        if std::mem::take(&mut step.entries) > 0 {
            self.make_durable(&mut step.outcomes).await?;
        }
        step.outcomes.clear();
        for (outbox, frame) in step.letters.drain(..) {
            let frame = &step.frames[frame];
            self.hub.metrics.sent_messages.one();
            self.hub.metrics.sent.add(frame.len() as u64);
            outbox.push(frame);
        }
        step.frames.clear();
        for (outbox, why) in step.endings.drain(..) {
            outbox.end(why);
        }
        for (reply, refusal) in step.replies.drain(..) {
            // Whoever asked may be gone.
            let _ = reply.send(Ok(refusal));
        }
        Ok(())
    }

    async fn make_durable(&mut self, outcomes: &mut Vec<Outcome>) -> Result<(), StoreError> {
        let listing = self.table.listing();
        let listed = listing != self.listing;
        let batch = batch_of(&self.code, self.durable, outcomes.drain(..), &self.table, listed);
        self.durable += batch.entries.len() as u64;
        write(&self.hub.store, &self.hub.metrics, batch).await?;
        if listed {
            self.hub.list(&self.code, listing.clone());
            self.listing = listing;
        }
        if self.table.matches() > self.recorded {
            self.recorded = self.table.matches();
            keep_records(&self.hub, &self.code);
        }
        Ok(())
    }
}

/// Thinks for a slow bot, away from the table.
async fn ponder(hub: Arc<Hub>, thought: Thought, own: mpsc::WeakSender<Mail>) {
    let Ok(permit) = Arc::clone(&hub.thinkers).acquire_owned().await else { return };
    let _counted = hub.metrics.thinking.hold();
    let idea = tokio::task::spawn_blocking(move || think(thought, permit)).await;
    // The table may be gone; then nobody waits for the idea.
    if let (Ok(idea), Some(own)) = (idea, own.upgrade()) {
        let _ = own.send(Mail::Thought(Box::new(idea))).await;
    }
}

fn think(thought: Thought, _permit: OwnedSemaphorePermit) -> Idea {
    thought.think()
}

async fn load_and_run(hub: Arc<Hub>, code: Arc<str>, own: mpsc::WeakSender<Mail>, mail: mpsc::Receiver<Mail>) {
    let begun = Instant::now();
    let missing = match load(&hub, &code).await {
        Ok(Some(table)) => {
            hub.metrics.loads.one();
            hub.metrics.load_time.record_time(begun.elapsed());
            let task = TableTask::new(hub, code, own, table, None);
            task.hub.list(&task.code, task.listing.clone());
            return task.run(mail).await;
        }
        Ok(None) => NotThere::NoTable,
        Err(message) => {
            tracing::error!(%message, "a table could not be loaded");
            NotThere::Storage
        }
    };
    hub.remove(&code, &own);
    turn_away(mail, missing).await;
}

async fn load(hub: &Arc<Hub>, code: &Arc<str>) -> Result<Option<Box<Table>>, String> {
    let Ok(_permit) = hub.loaders.acquire().await else { return Ok(None) };
    let (hub, code) = (Arc::clone(hub), Arc::clone(code));
    let work = move || {
        let table = restore(&hub.store, &code, &hub.clock)?;
        if table.as_ref().is_some_and(|table| misses_records(&hub.store, &code, table.matches())) {
            keep_records(&hub, &code);
        }
        Ok(table)
    };
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|error| Err(error.to_string()))
}

fn restore(store: &Store, code: &str, clock: &Clock) -> Result<Option<Box<Table>>, String> {
    let Some(stored) = store.load(code).map_err(|error| error.to_string())? else { return Ok(None) };
    if stored.row.closed.is_some() {
        return Ok(None);
    }
    let snapshot = match stored.snapshot {
        Some((seq, body)) => Some(Snapshot { seq, body: String::from_utf8(body).map_err(|error| error.to_string())? }),
        None => None,
    };
    let entries = decode(&stored.entries)?;
    let table = Table::restore(snapshot.as_ref(), entries, clock.now(), &mut OsDice);
    let table = table.map_err(|error| format!("entry {}: {}", error.seq, error.message))?;
    Ok(Some(Box::new(table)))
}

/// The entries that the journal holds.
pub(crate) fn decode(entries: &[(u64, Vec<u8>)]) -> Result<Vec<Entry>, String> {
    let read = |(seq, body): &(u64, Vec<u8>)| {
        serde_json::from_slice(body).map_err(|error| format!("entry {seq} cannot be read: {error}"))
    };
    entries.iter().map(read).collect()
}

/// What is still in the mailbox of a task that has ended: a table that only left memory is brought back for it.
fn pass_on(hub: &Arc<Hub>, code: &Arc<str>, mut mail: mpsc::Receiver<Mail>, end: End) {
    mail.close();
    let (hub, code) = (Arc::clone(hub), Arc::clone(code));
    match end {
        End::Storage => drop(tokio::spawn(turn_away(mail, NotThere::Storage))),
        End::Stop => drop(tokio::spawn(turn_away(mail, NotThere::Stopping))),
        End::Unload => drop(tokio::spawn(async move {
            while let Some(left) = mail.recv().await {
                match hub.find(&code) {
                    Ok(mailbox) => drop(mailbox.send(left).await),
                    Err(_) => refuse(left, NotThere::Stopping),
                }
            }
        })),
    }
}

async fn turn_away(mut mail: mpsc::Receiver<Mail>, why: NotThere) {
    mail.close();
    while let Some(left) = mail.recv().await {
        refuse(left, why);
    }
}

/// Tells the sender of a mail that there is no table. Whoever asked may be gone.
pub(crate) fn refuse(mail: Mail, why: NotThere) {
    match mail {
        Mail::Arrive(arrival) => arrival.outbox.end(why.bye()),
        Mail::Ask(ask) => ask.outbox.end(why.bye()),
        Mail::Settings(new) => drop(new.reply.send(Err(why))),
        Mail::Look(reply) => drop(reply.send(Err(why))),
        Mail::Gone(..) | Mail::Thought(_) | Mail::Stop => {}
    }
}
