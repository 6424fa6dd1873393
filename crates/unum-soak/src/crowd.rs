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
}

/// What all of them together have seen so far.
#[derive(Debug, Default)]
struct Counts {
    actions: AtomicU64,
    answers: AtomicU64,
    welcomes: AtomicU64,
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

/// Signs everybody in and opens the tables.
pub(crate) async fn gather(server: &Server, gathering: Gathering) -> anyhow::Result<Vec<Seats>> {
    let mut tables = Vec::new();
    let numbers: Vec<usize> = (0..gathering.tables).collect();
    for chunk in numbers.chunks(AT_ONCE) {
        let mut opening = JoinSet::new();
        for number in chunk {
            opening.spawn(open(server.clone(), gathering, *number));
        }
        while let Some(opened) = opening.join_next().await {
            tables.push(opened??);
        }
    }
    Ok(tables)
}

async fn open(server: Server, gathering: Gathering, number: usize) -> anyhow::Result<Seats> {
    let mut guests = Vec::new();
    for place in 0..gathering.people {
        guests.push(server.sign_in(&format!("Guest {number} {place}")).await?);
    }
    let host = guests.first().context("a table has people")?;
    let seats = (gathering.people + gathering.bots).max(2);
    let settings = serde_json::json!({"title": format!("Table {number}"), "seats": seats, "pace": "instant"});
    let code = server.open_table(&host.token, &settings).await?.code;
    Ok(Seats { server, code, guests })
}

impl Crowd {
    /// Sends everybody to their tables; the first of each is there first.
    ///
    /// # Errors
    /// When somebody cannot connect.
    pub(crate) async fn begin(tables: &[Seats], gathering: Gathering) -> anyhow::Result<Crowd> {
        let mut crowd = Crowd { tasks: JoinSet::new(), stops: Vec::new(), counts: Arc::default() };
        let habits = Habits {
            chairs: gathering.people + gathering.bots,
            bots: gathering.bots,
            level: gathering.level,
            think: gathering.think,
            notes: gathering.notes,
        };
        for place in 0..gathering.people {
            for (number, seats) in (0..).zip(tables) {
                let client = Client::new(seats.server.clone(), &seats.guests[place].token, &seats.code);
                let player = Player::new(client.with_patience(eager()), habits, number * 16 + place as u64);
                crowd.seat(player, seats.code.clone());
            }
            crowd.wait_for(tables.len() * (place + 1)).await?;
        }
        Ok(crowd)
    }

    fn seat(&mut self, player: Player, code: String) {
        let (stop, stopped) = AbortHandle::new_pair();
        self.stops.push(stop);
        let stopped = Abortable::new(pending(), stopped);
        self.tasks.spawn(play(player, code, stopped, self.counts.clone()));
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
    counts: Arc<Counts>,
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
