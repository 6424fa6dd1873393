//! Many players at many tables.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use futures_util::future::{AbortHandle, Abortable, Pending, pending};
use tokio::task::JoinSet;
use unum_client::{Client, Patience, Server};
use unum_protocol::rest::SignedIn;
use unum_protocol::{Level, MessageKind};

use crate::player::{Habits, Player, Tally};

/// How many sign in at the same time.
const AT_ONCE: usize = 64;

/// How a crowd is seated.
#[derive(Clone, Copy, Debug)]
pub struct Gathering {
    /// How many tables.
    pub tables: usize,
    /// How many people at each.
    pub people: usize,
    /// How many bots at each.
    pub bots: usize,
    /// How well bots play.
    pub level: Level,
    /// How long people think.
    pub think: Duration,
    /// Whether promises are noted.
    pub notes: bool,
}

/// A table and who has a token for it.
#[derive(Clone, Debug)]
pub(crate) struct Seats {
    /// The server, as these guests reach it.
    pub(crate) server: Server,
    /// Other nodes of the same site, for when that one is gone.
    pub(crate) others: Vec<Server>,
    pub(crate) code: String,
    pub(crate) guests: Vec<SignedIn>,
}

/// People at tables, playing until they are told to stop.
#[derive(Debug)]
pub struct Crowd {
    tasks: JoinSet<anyhow::Result<Report>>,
    /// One for each task, to wake it up when it is time to stop.
    stops: Vec<AbortHandle>,
    counts: Arc<Counts>,
    pulses: Vec<Arc<Pulse>>,
}

/// What all of them together have seen so far.
#[derive(Debug, Default)]
struct Counts {
    actions: AtomicU64,
    answers: AtomicU64,
    welcomes: AtomicU64,
}

/// The time of a table's last answer, the last change that was acknowledged, and its longest pause. Somebody there is always about to act, so anything longer
/// than a thought is a pause.
#[derive(Debug)]
struct Pulse {
    code: String,
    think: Duration,
    since: Instant,
    /// In microseconds since then.
    last: AtomicU64,
    longest: AtomicU64,
    /// Its number.
    acknowledged: AtomicU64,
}

impl Pulse {
    fn new(code: &str, think: Duration) -> Pulse {
        let [last, longest, acknowledged] = [0; 3].map(AtomicU64::new);
        Pulse { code: code.to_owned(), think, since: Instant::now(), last, longest, acknowledged }
    }

    fn now(&self) -> u64 {
        u64::try_from(self.since.elapsed().as_micros()).unwrap_or(u64::MAX)
    }

    /// Notes an answer.
    fn beat(&self) {
        let now = self.now();
        let gap = now.saturating_sub(self.last.swap(now, Ordering::Relaxed));
        self.longest.fetch_max(gap, Ordering::Relaxed);
    }

    fn last(&self) -> Duration {
        Duration::from_micros(self.last.load(Ordering::Relaxed))
    }

    /// The longest pause, one that goes on included.
    fn pause(&self) -> Duration {
        let current = self.now().saturating_sub(self.last.load(Ordering::Relaxed));
        let longest = self.longest.load(Ordering::Relaxed).max(current);
        Duration::from_micros(longest).saturating_sub(self.think)
    }
}

impl Seats {
    /// One of those who have a token for the table, with the nodes in an order of their own.
    pub(crate) fn client(&self, place: usize) -> Client {
        let mut servers: Vec<Server> = std::iter::once(&self.server).chain(&self.others).cloned().collect();
        let patience = if servers.len() > 1 { restless() } else { eager() };
        let count = servers.len();
        servers.rotate_left(place % count);
        let others = servers.split_off(1);
        let client = Client::new(servers.remove(0), &self.guests[place].token, &self.code);
        client.with_others(others).with_patience(patience)
    }
}

/// What somebody reports at the end.
#[derive(Clone, Debug)]
pub(crate) struct Report {
    pub(crate) code: String,
    pub(crate) person: u32,
    pub(crate) seen: u64,
    pub(crate) connections: u64,
    pub(crate) unanswered: u64,
    pub(crate) tally: Tally,
}

/// Comes back fast, as everything is on one machine.
pub(crate) fn eager() -> Patience {
    Patience {
        first: Duration::from_millis(20),
        longest: Duration::from_millis(400),
        total: Duration::from_secs(120),
        silence: Duration::from_secs(30),
    }
}

/// The same at a site of several nodes: a node that says nothing for this long is left for another.
fn restless() -> Patience {
    Patience { silence: Duration::from_secs(1), ..eager() }
}

/// Signs everybody in and opens the tables.
pub(crate) async fn gather(server: &Server, gathering: Gathering) -> anyhow::Result<Vec<Seats>> {
    gather_at(std::slice::from_ref(server), gathering).await
}

/// The same at a site of several nodes, whose tables are opened in turns.
pub(crate) async fn gather_at(servers: &[Server], gathering: Gathering) -> anyhow::Result<Vec<Seats>> {
    let mut tables = Vec::new();
    let numbers: Vec<usize> = (0..gathering.tables).collect();
    for chunk in numbers.chunks(AT_ONCE) {
        let mut opening = JoinSet::new();
        for number in chunk {
            let mut servers = servers.to_vec();
            let first = number % servers.len();
            servers.rotate_left(first);
            opening.spawn(open(servers, gathering, *number));
        }
        while let Some(opened) = opening.join_next().await {
            tables.push(opened??);
        }
    }
    Ok(tables)
}

async fn open(mut servers: Vec<Server>, gathering: Gathering, number: usize) -> anyhow::Result<Seats> {
    let server = servers.remove(0);
    let mut guests = Vec::new();
    for place in 0..gathering.people {
        guests.push(server.sign_in(&format!("Guest {number} {place}")).await?);
    }
    let host = guests.first().context("a table has people")?;
    let seats = (gathering.people + gathering.bots).max(2);
    let settings = serde_json::json!({"title": format!("Table {number}"), "seats": seats, "pace": "instant"});
    let code = server.open_table(&host.token, &settings).await?.code;
    Ok(Seats { server, others: servers, code, guests })
}

impl Crowd {
    /// Connects everybody to their tables, the host of each first.
    ///
    /// # Errors
    /// When somebody cannot connect.
    pub(crate) async fn begin(tables: &[Seats], gathering: Gathering) -> anyhow::Result<Crowd> {
        let pulses = tables.iter().map(|seats| Arc::new(Pulse::new(&seats.code, gathering.think))).collect();
        let mut crowd = Crowd { tasks: JoinSet::new(), stops: Vec::new(), counts: Arc::default(), pulses };
        let habits = Habits {
            chairs: gathering.people + gathering.bots,
            bots: gathering.bots,
            level: gathering.level,
            think: gathering.think,
            notes: gathering.notes,
        };
        for place in 0..gathering.people {
            for (number, seats) in (0..).zip(tables) {
                let client = seats.client(place);
                let player = Player::new(client, habits, number as u64 * 16 + place as u64);
                let pulse = Arc::clone(&crowd.pulses[number]);
                crowd.seat(player, seats.code.clone(), pulse);
            }
            crowd.wait_for(tables.len() * (place + 1)).await?;
        }
        Ok(crowd)
    }

    fn seat(&mut self, player: Player, code: String, pulse: Arc<Pulse>) {
        let (stop, stopped) = AbortHandle::new_pair();
        self.stops.push(stop);
        let stopped = Abortable::new(pending(), stopped);
        self.tasks.spawn(play(player, code, stopped, (self.counts.clone(), pulse)));
    }

    /// How often somebody was welcomed by the server so far.
    pub fn welcomes(&self) -> u64 {
        self.counts.welcomes.load(Ordering::Relaxed)
    }

    /// How many actions were carried out so far.
    pub fn actions(&self) -> u64 {
        self.counts.actions.load(Ordering::Relaxed)
    }

    /// How many requests were answered so far, those in the lobby and between rounds included.
    pub fn answers(&self) -> u64 {
        self.counts.answers.load(Ordering::Relaxed)
    }

    /// Begins to look for the longest pause of every table.
    pub(crate) fn watch_pauses(&self) {
        self.pulses.iter().for_each(|pulse| pulse.longest.store(0, Ordering::Relaxed));
    }

    /// The longest pause of every table since [`Crowd::watch_pauses`], by its code.
    pub(crate) fn pauses(&self) -> Vec<(String, Duration)> {
        self.pulses.iter().map(|pulse| (pulse.code.clone(), pulse.pause())).collect()
    }

    /// The number of the last change of every table that somebody was told is kept, by the table's code. Only if promises
    /// are noted.
    pub(crate) fn acknowledged(&self) -> Vec<(String, u64)> {
        let last = |pulse: &Pulse| pulse.acknowledged.load(Ordering::SeqCst);
        self.pulses.iter().map(|pulse| (pulse.code.clone(), last(pulse))).collect()
    }

    /// Whether every table has had an answer since then.
    pub(crate) fn plays_since(&self, moment: Instant) -> bool {
        self.pulses.iter().all(|pulse| pulse.since.checked_add(pulse.last()).is_some_and(|last| last > moment))
    }

    /// Waits until every table has had an answer since then.
    ///
    /// # Errors
    /// When somebody gave up, or a table does not play on.
    pub(crate) async fn play_on_since(&mut self, moment: Instant, patience: Duration) -> anyhow::Result<()> {
        let begun = Instant::now();
        while !self.plays_since(moment) {
            self.check()?;
            let silent = || {
                let last = |pulse: &&Arc<Pulse>| pulse.since + pulse.last() <= moment;
                let codes: Vec<&str> = self.pulses.iter().filter(last).map(|pulse| pulse.code.as_str()).collect();
                format!("{} tables do not play on, such as {:?}", codes.len(), codes.first())
            };
            anyhow::ensure!(begun.elapsed() < patience, "{}", silent());
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        Ok(())
    }

    /// Waits until there were that many welcomes.
    ///
    /// # Errors
    /// When somebody gave up, or nobody comes any more.
    pub async fn wait_for(&mut self, welcomes: usize) -> anyhow::Result<()> {
        let mut best = (0, Instant::now());
        while (self.welcomes() as usize) < welcomes {
            self.check()?;
            if self.welcomes() > best.0 {
                best = (self.welcomes(), Instant::now());
            }
            anyhow::ensure!(best.1.elapsed().as_secs() < 60, "only {} of {welcomes} were welcomed", self.welcomes());
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        Ok(())
    }

    /// Fails if somebody gave up.
    ///
    /// # Errors
    /// With what they say.
    pub fn check(&mut self) -> anyhow::Result<()> {
        match self.tasks.try_join_next() {
            Some(ended) => ended?.map(|report| anyhow::bail!("somebody at {} has stopped", report.code))?,
            None => Ok(()),
        }
    }

    /// Lets everybody wait for the answer they still expect, and leave.
    ///
    /// # Errors
    /// When somebody gave up.
    pub(crate) async fn end(mut self) -> anyhow::Result<Vec<Report>> {
        self.stops.iter().for_each(AbortHandle::abort);
        let mut reports = Vec::new();
        while let Some(ended) = self.tasks.join_next().await {
            reports.push(ended??);
        }
        Ok(reports)
    }
}

/// How long the last answers may take.
const LAST_ANSWERS: Duration = Duration::from_secs(30);

/// How often a client that waits for its last answer checks the time.
const GLANCE: Duration = Duration::from_millis(500);

async fn play(
    mut player: Player,
    code: String,
    mut stopped: Abortable<Pending<()>>,
    (counts, pulse): (Arc<Counts>, Arc<Pulse>),
) -> anyhow::Result<Report> {
    let about = || format!("somebody at table {code}");
    let mut stopping_since = None;
    loop {
        let stopping = stopped.is_aborted();
        if stopping {
            let since = *stopping_since.get_or_insert_with(Instant::now);
            if !player.is_waiting() || since.elapsed() > LAST_ANSWERS {
                break;
            }
        }
        let before = (player.tally.actions, player.tally.answered);
        let message = tokio::select! {
            biased;
            message = player.next() => message.with_context(about)?,
            _ = &mut stopped, if !stopping => continue,
            () = async { tokio::time::sleep(GLANCE).await }, if stopping => continue,
        };
        if player.tally.answered > before.1 {
            pulse.beat();
            let last = player.tally.acknowledged.last().map_or(0, |(_, seq)| *seq);
            pulse.acknowledged.fetch_max(last, Ordering::SeqCst);
            counts.answers.fetch_add(1, Ordering::Relaxed);
            counts.actions.fetch_add(player.tally.actions - before.0, Ordering::Relaxed);
        }
        if message.head().kind == MessageKind::Welcome {
            counts.welcomes.fetch_add(1, Ordering::Relaxed);
        }
        if !stopping {
            player.react(message).await.with_context(about)?;
        }
    }
    let (person, seen) = (player.client().you().unwrap_or(0), player.client().seen().unwrap_or(0));
    let (connections, unanswered) = (player.client().connections(), u64::from(player.is_waiting()));
    let tally = player.close().await;
    Ok(Report { code, person, seen, connections, unanswered, tally })
}
