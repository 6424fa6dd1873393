//! The task that writes journals (group commit): it gathers what waits, pipelines a few transactions, and finds out
//! what became of those whose answer was lost.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures_util::FutureExt as _;
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};

use super::group::{Attempt, Group, Prepared};
use super::link::{Connector, Fault, Link, int};
use crate::context::Context;
use crate::failpoint::{self, Place};
use crate::journal::Health;
use crate::queue::{Done, MAX_BYTES, MAX_JOBS};
use crate::writer::{Report, tell};
use crate::{Batch, StoreError};

/// Batches in a transaction at most, and its approximate limit in bytes.
const GROUP: usize = 512;
const GROUP_BYTES: usize = 8 << 20;
/// Transactions in flight at most: while one is synced, the next is sent.
pub(crate) const IN_FLIGHT: i64 = 2;
/// How long a batch waits for a database that is away before it fails.
const PATIENCE: Duration = Duration::from_secs(20);
/// How often to try a database that is away.
const AGAIN: Duration = Duration::from_millis(200);
/// How often to try a failed database when nobody writes.
const PROBE: Duration = Duration::from_secs(1);
/// How often to check the size of a limited database.
const MEASURED: Duration = Duration::from_secs(5);

/// A batch that waits.
pub(crate) struct Job {
    pub(crate) batch: Batch,
    pub(crate) done: Done,
    weight: usize,
    since: Instant,
}

/// The bounded queue of the writer, and the writer's state.
#[derive(Default)]
pub(crate) struct Desk {
    jobs: AtomicUsize,
    bytes: AtomicUsize,
    pub(crate) closed: AtomicBool,
    /// The size limit of the database in bytes; 0 for none.
    pub(crate) most: AtomicU64,
    pub(crate) report: Report,
}

impl Desk {
    /// Reserves room for a batch, unless too much waits already.
    pub(crate) fn admit(&self, batch: Batch, done: Done) -> Result<Job, (Done, StoreError)> {
        let weight = batch.weight();
        if self.closed.load(Ordering::SeqCst) {
            return Err((done, StoreError::Closed));
        }
        let (jobs, bytes) = (self.jobs.load(Ordering::Relaxed), self.bytes.load(Ordering::Relaxed));
        if jobs >= MAX_JOBS || (bytes + weight > MAX_BYTES && jobs > 0) {
            return Err((done, StoreError::Busy));
        }
        self.jobs.fetch_add(1, Ordering::Relaxed);
        self.bytes.fetch_add(weight, Ordering::Relaxed);
        Ok(Job { batch, done, weight, since: Instant::now() })
    }

    fn release(&self, job: &Job) {
        self.jobs.fetch_sub(1, Ordering::Relaxed);
        self.bytes.fetch_sub(job.weight, Ordering::Relaxed);
    }

    pub(crate) fn waiting(&self) -> u64 {
        self.jobs.load(Ordering::Relaxed) as u64
    }
}

/// Batches that are written together, and the attempt by which their outcome can be looked up.
struct Shipment {
    group: Rc<Group>,
    jobs: Vec<Job>,
    attempt: Attempt,
    begun: Instant,
}

type Flight = Pin<Box<dyn Future<Output = Result<Vec<bool>, Fault>>>>;
type Line = Rc<(Link, Prepared)>;

pub(crate) struct Writer {
    pub(crate) connector: Rc<Connector>,
    pub(crate) context: Arc<Context>,
    pub(crate) desk: Arc<Desk>,
    pub(crate) jobs: mpsc::UnboundedReceiver<Job>,
    /// The node's number, for attempts.
    pub(crate) writer: i64,
    line: Option<Line>,
    waiting: VecDeque<Job>,
    /// The transactions in flight, and their connection.
    flying: VecDeque<(Shipment, Flight, Line)>,
    /// The number of the last transaction.
    number: i64,
    /// The size of the database when last checked, the time of that, and what was written since.
    size: Option<(u64, Instant)>,
}

impl Writer {
    pub(crate) fn new(
        connector: Rc<Connector>,
        context: Arc<Context>,
        desk: Arc<Desk>,
        jobs: mpsc::UnboundedReceiver<Job>,
        writer: i64,
    ) -> Writer {
        let (waiting, flying) = (VecDeque::new(), VecDeque::new());
        Writer { connector, context, desk, jobs, writer, line: None, waiting, flying, number: 0, size: None }
    }

    /// Writes until the channel is closed and empty.
    pub(crate) async fn run(mut self) {
        while self.wait().await {
            while let Ok(job) = self.jobs.try_recv() {
                self.waiting.push_back(job);
            }
            self.launch().await;
        }
    }

    /// Waits for something to do. Returns `false` once nothing is left and no more can come.
    async fn wait(&mut self) -> bool {
        let has_room = self.flying.len() < IN_FLIGHT as usize && !self.jobs.is_closed();
        let Some((_, flight, _)) = self.flying.front_mut() else { return self.wait_for_job().await };
        let landed = if has_room {
            tokio::select! {
                biased;
                result = flight => Ok(result),
                job = self.jobs.recv() => Err(job),
            }
        } else {
            Ok(flight.await)
        };
        match landed {
            Ok(result) => self.land(result).await,
            Err(job) => self.waiting.extend(job),
        }
        true
    }

    async fn wait_for_job(&mut self) -> bool {
        if !self.waiting.is_empty() {
            return true;
        }
        let failing = self.desk.report.is_failing();
        let job = match timeout(if failing { PROBE } else { Duration::MAX }, self.jobs.recv()).await {
            Ok(job) => job,
            Err(_) => {
                self.probe().await;
                return true;
            }
        };
        let is_open = job.is_some();
        self.waiting.extend(job);
        is_open
    }

    /// Sends what is queued, up to its limits.
    async fn launch(&mut self) {
        while self.may_launch() {
            let Some(shipment) = self.gather() else { continue };
            if self.is_full(&shipment.group).await {
                self.conclude(shipment, Err(StoreError::Full));
            } else if let Ok(line) = self.line().await {
                let mut flight = fly(&shipment, Rc::clone(&line));
                // Polled once, so that it is sent before the next one.
                let flight = match (&mut flight).now_or_never() {
                    Some(result) => Box::pin(std::future::ready(result)),
                    None => flight,
                };
                self.flying.push_back((shipment, flight, line));
            } else {
                self.insist(shipment).await;
            }
        }
    }

    /// Whether more can be sent. Not while earlier ones are on a connection that may be lost: those come first.
    fn may_launch(&self) -> bool {
        let has_room = self.flying.len() < IN_FLIGHT as usize && !self.waiting.is_empty();
        let is_current = |line: &Line| self.line.as_ref().is_some_and(|current| Rc::ptr_eq(current, line));
        has_room && self.flying.iter().all(|(_, _, line)| is_current(line) && line.0.is_usable())
    }

    /// Takes waiting batches of different tables, in order.
    fn gather(&mut self) -> Option<Shipment> {
        let (mut group, mut jobs) = (Group::new(&self.context), Vec::new());
        while let Some(job) = self.waiting.pop_front() {
            if jobs.len() == GROUP || group.weight() > GROUP_BYTES || group.holds(&job.batch.table) {
                self.waiting.push_front(job);
                break;
            }
            match self.enter(&mut group, &job.batch) {
                Ok(()) => jobs.push(job),
                Err(error) => self.answer(job, Err(error)),
            }
        }
        self.number += 1;
        let attempt =
            Attempt { writer: self.writer, slot: self.number % IN_FLIGHT, number: self.number * GROUP as i64 * 2 };
        (!jobs.is_empty()).then(|| Shipment { group: Rc::new(group), jobs, attempt, begun: Instant::now() })
    }

    /// Adds a batch to a group. A panic fails that batch alone.
    fn enter(&self, group: &mut Group, batch: &Batch) -> Result<(), StoreError> {
        let added = catch_unwind(AssertUnwindSafe(|| {
            failpoint::hit(Place::Writer, &batch.table);
            group.add(batch, &self.context)
        }));
        added.unwrap_or_else(|_| {
            self.desk.report.panics.fetch_add(1, Ordering::Relaxed);
            Err(StoreError::Panicked)
        })
    }

    /// Handles the end of the oldest transaction.
    async fn land(&mut self, result: Result<Vec<bool>, Fault>) {
        let Some((shipment, ..)) = self.flying.pop_front() else { return };
        match result {
            Ok(written) => self.settle(shipment, written).await,
            Err(fault) => self.recover(shipment, fault).await,
        }
    }

    /// Handles a failed transaction. If the connection failed, so have all in flight: they are repeated, in order.
    async fn recover(&mut self, shipment: Shipment, fault: Fault) {
        self.note(&fault);
        if matches!(fault, Fault::Own(_)) {
            return self.one_by_one(shipment).await;
        }
        let mut lost = vec![shipment];
        if fault != Fault::Again {
            self.line = None;
            lost.extend(self.flying.drain(..).map(|(shipment, ..)| shipment));
        }
        for shipment in lost {
            self.insist(shipment).await;
        }
    }

    /// Repeats an attempt until its outcome is known or the time is up.
    async fn insist(&mut self, shipment: Shipment) {
        loop {
            let fault = match self.line().await {
                Ok(line) => match fly(&shipment, line).await {
                    Ok(written) => return self.settle(shipment, written).await,
                    Err(fault) => fault,
                },
                Err(fault) => fault,
            };
            self.note(&fault);
            match fault {
                Fault::Own(_) => return self.one_by_one(shipment).await,
                Fault::Again => {}
                fault if shipment.begun.elapsed() > PATIENCE => return self.give_up(shipment, fault.into()),
                _ => {
                    self.line = None;
                    sleep(AGAIN).await;
                }
            }
        }
    }

    /// Fails the batches that have waited too long.
    fn give_up(&mut self, shipment: Shipment, error: StoreError) {
        self.conclude(shipment, Err(error.clone()));
        while self.waiting.front().is_some_and(|job| job.since.elapsed() > PATIENCE) {
            let job = self.waiting.pop_front().expect("there is one");
            self.answer(job, Err(error.clone()));
        }
    }

    /// One of several batches cannot be written, for example because its code is taken: tries each alone.
    async fn one_by_one(&mut self, shipment: Shipment) {
        let Shipment { jobs, mut attempt, begun, .. } = shipment;
        for job in jobs {
            attempt.number += 1;
            let mut group = Group::new(&self.context);
            if let Err(error) = group.add(&job.batch, &self.context) {
                self.answer(job, Err(error));
                continue;
            }
            let single = Shipment { group: Rc::new(group), jobs: vec![job], attempt, begun };
            self.alone(single).await;
        }
    }

    async fn alone(&mut self, shipment: Shipment) {
        loop {
            let fault = match self.line().await {
                Ok(line) => match fly(&shipment, line).await {
                    Ok(written) => return self.settle(shipment, written).await,
                    Err(Fault::Own(error)) => return self.conclude(shipment, Err(error)),
                    Err(fault) => fault,
                },
                Err(fault) => fault,
            };
            if fault != Fault::Again {
                self.note(&fault);
                self.line = None;
                if shipment.begun.elapsed() > PATIENCE {
                    return self.give_up(shipment, fault.into());
                }
                sleep(AGAIN).await;
            }
        }
    }

    /// Reports the outcome of each batch, with a reason for those that were not written.
    async fn settle(&mut self, shipment: Shipment, written: Vec<bool>) {
        let report = &self.desk.report;
        report.micros.fetch_add(micros(shipment.begun), Ordering::Relaxed);
        if written.contains(&true) {
            report.commits.fetch_add(1, Ordering::Relaxed);
            report.set(Health::Ok);
        }
        let group = Rc::clone(&shipment.group);
        for (at, (job, written)) in shipment.jobs.into_iter().zip(written).enumerate() {
            let result = if written { Ok(0) } else { Err(self.reason(&group, at).await) };
            self.answer(job, result);
        }
    }

    /// Why a batch was not written. Can be repeated if the connection is lost.
    async fn reason(&mut self, group: &Group, at: usize) -> StoreError {
        let begun = Instant::now();
        loop {
            let fault = match self.line().await {
                Ok(line) => match group.explain(&line.0, at).await {
                    Ok(reason) => return reason,
                    Err(fault) => fault,
                },
                Err(fault) => fault,
            };
            if begun.elapsed() > PATIENCE {
                return fault.into();
            }
            sleep(AGAIN).await;
        }
    }

    /// Gives all batches of a transaction the same outcome.
    fn conclude(&mut self, shipment: Shipment, result: Result<u64, StoreError>) {
        if let Err(error) = &result
            && !error.is_own_fault()
        {
            self.desk.report.failures.fetch_add(1, Ordering::Relaxed);
            self.desk.report.set(Health::Failing(error.to_string()));
        }
        for job in shipment.jobs {
            self.answer(job, result.clone());
        }
    }

    fn answer(&self, job: Job, result: Result<u64, StoreError>) {
        self.desk.release(&job);
        self.desk.report.jobs.fetch_add(1, Ordering::Relaxed);
        tell(job.done, result);
    }

    fn note(&self, fault: &Fault) {
        if let Fault::Lost(_) | Fault::Refused(_) = fault {
            let error: StoreError = fault.clone().into();
            self.desk.report.set(Health::Failing(error.to_string()));
        }
    }

    /// The connection, opened if there is none.
    async fn line(&mut self) -> Result<Line, Fault> {
        if let Some(line) = self.line.as_ref().filter(|line| line.0.is_usable()) {
            return Ok(Rc::clone(line));
        }
        let link = self.connector.connect().await.inspect_err(|fault| self.note(fault))?;
        let prepared = Prepared::on(&link, self.context.options.membership.format).await?;
        let line = Rc::new((link, prepared));
        self.line = Some(Rc::clone(&line));
        Ok(line)
    }

    /// Tries whether writing works again.
    async fn probe(&mut self) {
        let most = self.desk.most.load(Ordering::Relaxed);
        if most > 0 && self.measure().await >= most {
            return;
        }
        let Ok(line) = self.line().await else { return };
        let sql = "UPDATE attempts SET number = number WHERE writer = $1 AND slot = 0";
        match line.0.run(sql, &[int(&self.writer)]).await {
            Ok(_) => self.desk.report.set(Health::Ok),
            Err(fault) => self.note(&fault),
        }
    }

    /// Whether a group would exceed the size limit of the database.
    async fn is_full(&mut self, group: &Group) -> bool {
        let most = self.desk.most.load(Ordering::Relaxed);
        if most == 0 {
            return false;
        }
        let known = self.size.filter(|(_, when)| when.elapsed() < MEASURED);
        let (size, when) = match known {
            Some(size) => size,
            None => (self.measure().await, Instant::now()),
        };
        let grown = size + group.weight() as u64;
        self.size = Some((if grown > most { size } else { grown }, when));
        grown > most
    }

    /// The size of the database in bytes; 0 if it does not say.
    async fn measure(&mut self) -> u64 {
        let Ok(line) = self.line().await else { return 0 };
        super::size(&line.0).await.unwrap_or(0)
    }
}

fn fly(shipment: &Shipment, line: Line) -> Flight {
    let (group, attempt) = (Rc::clone(&shipment.group), shipment.attempt);
    Box::pin(async move { group.write(&line.0, &line.1, attempt).await })
}

fn micros(begun: Instant) -> u64 {
    u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX)
}
