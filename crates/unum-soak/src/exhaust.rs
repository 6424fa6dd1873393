//! Exhaustion: one stranger at one address, within all default limits, tries to use up memory, processor and disk.
//!
//! Others play meanwhile, each table from an address of its own, all of them on this machine's loopback network. Attack
//! and peace alternate, so changes in the machine's speed affect both.

use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use futures_util::future::try_join_all;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::task::JoinSet;
use unum_client::{Client, ClientError, Server};
use unum_protocol::{Level, MAX_PEOPLE, Request};

use crate::abuse::{Attack, Plan, medians, play, turns_of};
use crate::crowd::{Crowd, Gathering, Seats, eager, gather};
use crate::prepared::{CODE, Journal, id_of, keep_long_journal, keep_long_match, keep_usual_matches};
use crate::process::ServerProcess;
use crate::thinking::{Delays, watch};
use crate::timing::{Times, millis};
use crate::verdict::Line;

/// How people at one address play.
const NEIGHBORS: Gathering =
    Gathering { tables: 1, people: 4, bots: 0, think: Duration::from_millis(60), notes: false, level: Level::Normal };
/// How the stranger's experts are kept busy: the person at their table answers at once.
const THINKERS: Gathering = Gathering { people: 1, bots: 3, level: Level::Expert, think: Duration::ZERO, ..NEIGHBORS };
/// How long other people's bots may take at most.
const BOTS: Duration = Duration::from_secs(2);
/// How long the disk is filled for.
const HOUR: Duration = Duration::from_secs(3600);
/// How long a table may take to load.
const LOADING: Duration = Duration::from_secs(1);
/// How much memory an attack may add, in bytes.
const MEMORY: u64 = 64 << 20;
/// How much memory may go up and down after the first minute, in bytes.
const FLAT: u64 = 8 << 20;
/// How much slower the others' p99 may become, in percent.
const SLOWER: f64 = 20.0;
/// How many replays are asked for at the same time.
const REPLAYS: usize = 64;
/// How many reviews one guest may have on their way.
const REVIEWS: u64 = 2;
/// How often somebody who looks at a review asks how it stands.
const LOOKS: Duration = Duration::from_secs(1);
/// How many tables one guest may be connected to.
const TABLES_OF_ONE: usize = 8;
/// What a guest's tables and finished games may take by default, in bytes: `guest_megabytes` for each.
const QUOTA: u64 = 2 * (256 << 20);
/// Just within 20 messages a second.
const PAUSE: Duration = Duration::from_millis(51);
/// How long a server settles after an attack.
const SETTLE: Duration = Duration::from_secs(1);
/// Where the stranger is, with as many connections as an address may have.
const STRANGER: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 100);
/// From where somebody compares how long experts take with their hands.
const WATCHER: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 200);
/// Setting up within the default rates takes ten minutes for some attacks; what is attacked are the other limits.
const HURRY: &[&str] = &["--new-guests-per-minute=10000", "--new-tables-per-minute=10000"];

/// One attack, with what came of it and whether that holds.
pub(crate) async fn run(plan: &Plan, attack: Attack) -> anyhow::Result<Vec<Line>> {
    match attack {
        Attack::Journal => load_long_journal(plan).await.map(|loading| loading.judge()),
        Attack::Together => together(plan).await.map(|use_of_disk| use_of_disk.judge()),
        _ => {
            let mut lines = siege(plan, attack).await?.judge(attack);
            if attack == Attack::Matches && !plan.long.is_zero() {
                lines.push(endless(plan).await?);
            }
            Ok(lines)
        }
    }
}

async fn serve(plan: &Plan, data: &Path) -> anyhow::Result<ServerProcess> {
    ServerProcess::start_with(&plan.unum, data, HURRY.iter().map(|flag| (*flag).to_owned()).collect()).await
}

/// Lets others play in turns with and without an attack.
///
/// # Errors
/// When something cannot be started.
pub async fn siege(plan: &Plan, attack: Attack) -> anyhow::Result<Costs> {
    let folder = TempDir::new()?;
    prepare_database(folder.path(), attack, plan)?;
    let process = serve(plan, folder.path()).await?;
    let with_bots = Gathering { think: NEIGHBORS.think, ..THINKERS };
    let others = if attack == Attack::Experts { with_bots } else { NEIGHBORS };
    let tables = neighbors(process.server(), plan.tables, others).await?;
    let stranger = process.server().clone().from_address(STRANGER.into());
    let ground = Ground::prepare(stranger, attack, plan).await?;
    let mut costs = Costs { before: process.memory(), ..Costs::default() };
    for turn in 1..=plan.turns {
        let (sum, highest) = watched(&process, play(&tables, others, plan.time)).await?;
        costs.peace.push(sum.times);
        if turn == 1 {
            costs.before = highest;
        }
        let playing = async {
            let sum = play(&tables, others, plan.time).await?;
            ground.effort.succeeds().await?;
            Ok(sum)
        };
        let (sum, highest) = under_attack(&process, &ground, playing).await?;
        costs.war.push(sum.times);
        costs.bots.extend(sum.bots);
        costs.memory.push(highest.saturating_sub(costs.before));
        eprintln!("{attack:?}: {turn} of {}, {}", plan.turns, ground.effort.describe());
        tokio::time::sleep(SETTLE).await;
    }
    if attack == Attack::Experts && !plan.watching.is_zero() {
        let watching = watch(process.server().clone().from_address(WATCHER.into()), plan.watching);
        costs.delays = Some(under_attack(&process, &ground, watching).await?.0);
    }
    costs.effort = ground.effort.describe();
    (costs.done, costs.refused) = ground.effort.counts();
    costs.records = figure(&process, "unum_records_total").await?;
    costs.disk = folder_size(folder.path());
    Ok(costs)
}

/// What has to be in the database before the server starts.
fn prepare_database(data: &Path, attack: Attack, plan: &Plan) -> anyhow::Result<()> {
    if matches!(attack, Attack::Replays | Attack::Together) {
        let (_, bytes) = keep_long_match(data, plan.moves)?;
        eprintln!("the longest match: {} moves, {:.1} MiB", plan.moves, mebibytes(bytes as u64));
    }
    if attack == Attack::Reviews {
        keep_usual_matches(data, plan.reviews)?;
    }
    Ok(())
}

/// Lets the stranger attack for as long as the others play. Also the most memory.
async fn under_attack<T>(
    process: &ServerProcess,
    ground: &Ground,
    playing: impl Future<Output = anyhow::Result<T>>,
) -> anyhow::Result<(T, u64)> {
    let attack = ground.attack();
    let watching = watched(process, playing);
    tokio::pin!(watching, attack);
    tokio::select! {
        sum = &mut watching => sum,
        ended = &mut attack => ended.and(Err(anyhow::anyhow!("the attack is over before its time"))),
    }
}

/// Waits for something, and looks at the server's memory meanwhile: the most there was.
async fn watched<T>(
    process: &ServerProcess,
    work: impl Future<Output = anyhow::Result<T>>,
) -> anyhow::Result<(T, u64)> {
    tokio::pin!(work);
    let mut highest = process.memory();
    loop {
        tokio::select! {
            done = &mut work => return Ok((done?, highest.max(process.memory()))),
            () = tokio::time::sleep(Duration::from_millis(20)) => highest = highest.max(process.memory()),
        }
    }
}

/// What an attack costs.
#[derive(Clone, Debug, Default)]
pub struct Costs {
    /// How long others' actions took without it, turn by turn.
    pub peace: Vec<Times>,
    /// And beside it.
    pub war: Vec<Times>,
    /// How long others' bots took beside it.
    pub bots: Times,
    /// How long an expert took beside it, by how much it had to choose from.
    pub delays: Option<Delays>,
    /// The memory in the first turn of peace, in bytes.
    pub before: u64,
    /// The most memory that was added to it, turn by turn, in bytes.
    pub memory: Vec<u64>,
    /// What the database takes at the end, in bytes.
    pub disk: u64,
    /// What the stranger was granted, and what was refused.
    pub done: u64,
    /// What was refused.
    pub refused: u64,
    /// Both in words.
    pub effort: String,
    /// How many finished matches were recorded, those of others included.
    pub records: u64,
}

impl Costs {
    /// Compares them with what has to hold.
    fn judge(&self, attack: Attack) -> Vec<Line> {
        let name: &str = attack.into();
        let line = |must: String, measured: String, holds| Line { what: name, must, measured, holds, timed: true };
        let turns: Vec<String> = self.memory.iter().map(|bytes| format!("{:.1}", mebibytes(*bytes))).collect();
        let most = self.memory.iter().copied().max().unwrap_or(0);
        let (base, p99) = (medians(&self.peace).1, medians(&self.war).1);
        let slower = 100.0 * p99.as_secs_f64() / base.as_secs_f64().max(1e-6) - 100.0;
        let slowness = format!("{} → {} ms, {slower:+.0} %, {}", millis(base), millis(p99), turns_of(&self.war));
        let mut lines = vec![
            line("memory + ≤ 64 MiB".into(), format!("+ {} MiB", turns.join(", ")), most <= MEMORY),
            line("p99 of others + ≤ 20 %".into(), slowness, slower <= SLOWER),
        ];
        if !self.bots.is_empty() {
            let slowest = self.bots.percentile(100.0);
            let measured = format!("{}, the slowest {} ms", self.bots.describe(), millis(slowest));
            lines.push(line("others' bots answer within 2 s".into(), measured, slowest <= BOTS));
        }
        if let Some(delays) = &self.delays {
            let must = "a choice takes an expert longer: 0.4–0.6".to_owned();
            lines.push(line(must, delays.describe(), delays.say_nothing()));
        }
        let effort = format!("{}; {} records; disk {:.1} MiB", self.effort, self.records, mebibytes(self.disk));
        lines.push(line("(what was tried)".into(), effort, self.done > 0));
        lines
    }
}

/// Matches without end for a long time, with nobody else there: memory has to stay as it is after the first minute.
async fn endless(plan: &Plan) -> anyhow::Result<Line> {
    let folder = TempDir::new()?;
    let process = serve(plan, folder.path()).await?;
    let ground = Ground::prepare(process.server().clone(), Attack::Matches, plan).await?;
    let before = process.memory();
    let minute = Duration::from_secs(60).min(plan.long / 4);
    let begun = Instant::now();
    let attack = ground.attack();
    tokio::pin!(attack);
    let mut minutes: Vec<u64> = Vec::new();
    while begun.elapsed() < plan.long {
        let (ended, highest) =
            watched(&process, async { Ok(tokio::time::timeout(minute, &mut attack).await.ok()) }).await?;
        ended.transpose()?;
        minutes.push(highest.saturating_sub(before));
    }
    let first = minutes.first().copied().unwrap_or(0);
    let later = minutes.iter().skip(1).copied().max().unwrap_or(0);
    let shown: Vec<String> = minutes.iter().map(|bytes| format!("{:.1}", mebibytes(*bytes))).collect();
    let records = figure(&process, "unum_records_total").await?;
    let seconds = plan.long.as_secs();
    Ok(Line {
        what: Attack::Matches.into(),
        must: format!("{seconds} s: + ≤ 64 MiB, flat after the first minute"),
        measured: format!("+ {} MiB by the minute; {records} matches", shown.join(", ")),
        holds: later <= MEMORY && later <= first + FLAT && records > 0,
        timed: false,
    })
}

/// What it takes to load a table with a long journal.
#[derive(Clone, Debug)]
pub struct Loading {
    /// What the journal has become.
    pub journal: Journal,
    /// How long the first request took, for which the table was loaded, each time with a server just started.
    pub times: Times,
    /// The most memory that was added by it.
    pub memory: u64,
}

/// Makes a table with very many small changes and has a server load it, once in each turn.
///
/// # Errors
/// When something cannot be started.
pub async fn load_long_journal(plan: &Plan) -> anyhow::Result<Loading> {
    let folder = TempDir::new()?;
    let (data, changes) = (folder.path().to_owned(), plan.changes);
    let journal = tokio::task::spawn_blocking(move || keep_long_journal(&data, changes)).await??;
    let (mut times, mut memory) = (Times::default(), 0);
    for _ in 0..plan.turns.max(1) {
        let process = serve(plan, folder.path()).await?;
        let before = process.memory();
        let begun = Instant::now();
        let path = format!("/api/tables/{CODE}");
        let looking = async { Ok(process.server().call::<Value>("GET", &path, None, None).await?) };
        let (_, highest) = watched(&process, looking).await?;
        times.add(begun.elapsed());
        memory = memory.max(highest.saturating_sub(before));
    }
    Ok(Loading { journal, times, memory })
}

impl Loading {
    fn judge(&self) -> Vec<Line> {
        let Journal { changes, kept, bytes } = self.journal;
        let slowest = self.times.percentile(100.0);
        let measured = format!(
            "+ {:.1} MiB, {} ms; {kept} entries kept of {changes}, {bytes} bytes",
            mebibytes(self.memory),
            millis(slowest)
        );
        let holds = self.memory <= MEMORY && slowest <= LOADING;
        let must = "loaded with + ≤ 64 MiB in ≤ 1 s".to_owned();
        vec![Line { what: Attack::Journal.into(), must, measured, holds, timed: true }]
    }
}

/// What all attacks together take of the disk.
#[derive(Clone, Copy, Debug)]
pub struct DiskUse {
    /// How long they went on.
    pub time: Duration,
    /// How many guests own tables.
    pub owners: u64,
    /// What the folder had at the beginning, after a third of the time, and at the end, in bytes.
    pub bytes: [u64; 3],
    /// The most memory that was added, in bytes.
    pub memory: u64,
}

/// All attacks at once, each from an address of its own, with nobody else there.
///
/// # Errors
/// When something cannot be started.
pub async fn together(plan: &Plan) -> anyhow::Result<DiskUse> {
    let folder = TempDir::new()?;
    prepare_database(folder.path(), Attack::Together, plan)?;
    let process = serve(plan, folder.path()).await?;
    let mut grounds = Vec::new();
    for (number, attack) in (2..).zip([Attack::Matches, Attack::Replays, Attack::Onlookers, Attack::Experts]) {
        let address = IpAddr::V4(Ipv4Addr::new(127, 0, 0, number));
        grounds.push(Ground::prepare(process.server().clone().from_address(address), attack, plan).await?);
    }
    let (before, first) = (process.memory(), folder_size(folder.path()));
    let third = plan.together / 3;
    let watching = async {
        tokio::time::sleep(third).await;
        let then = folder_size(folder.path());
        tokio::time::sleep(plan.together - third).await;
        Ok(then)
    };
    let attacks = try_join_all(grounds.iter().map(Ground::attack));
    let (then, highest) = tokio::select! {
        watched = watched(&process, watching) => watched?,
        ended = attacks => return ended.and(Err(anyhow::anyhow!("an attack is over before its time"))),
    };
    for ground in &grounds {
        eprintln!("together, {:?}: {}", ground.attack, ground.effort.describe());
    }
    let owners = grounds.iter().map(|ground| ground.owners).sum();
    let bytes = [first, then, folder_size(folder.path())];
    Ok(DiskUse { time: plan.together, owners, bytes, memory: highest.saturating_sub(before) })
}

impl DiskUse {
    /// What an hour takes, if it goes on as in the last two thirds of the time. The write-ahead log, which is emptied at
    /// its own bound, is in it.
    pub fn in_an_hour(&self) -> u64 {
        let [first, then, last] = self.bytes;
        let rate = last.saturating_sub(then) as f64 / (self.time * 2 / 3).as_secs_f64().max(1e-3);
        let rest = HOUR.saturating_sub(self.time).as_secs_f64();
        last.saturating_sub(first) + (rate * rest) as u64
    }

    fn judge(&self) -> Vec<Line> {
        let (hour, quota) = (self.in_an_hour(), self.owners * QUOTA);
        let (added, seconds) = (mebibytes(self.bytes[2].saturating_sub(self.bytes[0])), self.time.as_secs());
        let in_an_hour = match self.time >= HOUR {
            true => format!("measured: {added:.0} MiB in {seconds} s"),
            false => format!("EXTRAPOLATED from {added:.1} MiB in {seconds} s: {:.0} MiB", mebibytes(hour)),
        };
        let line = |must: String, measured: String, holds| Line {
            what: Attack::Together.into(),
            must,
            measured,
            holds,
            timed: true,
        };
        let must = format!("disk in an hour ≤ {:.0} MiB, the quota of {}", mebibytes(quota), self.owners);
        vec![
            line(must, in_an_hour, hour <= quota),
            line("(memory of all of them)".into(), format!("+ {:.1} MiB", mebibytes(self.memory)), true),
        ]
    }
}

fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

fn folder_size(folder: &Path) -> u64 {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    files.filter_map(|file| file.metadata().ok()).map(|about| about.len()).sum()
}

/// The value of one of the server's own figures.
async fn figure(process: &ServerProcess, name: &str) -> anyhow::Result<u64> {
    let (_, text) = process.look("/metrics").await?;
    let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    Ok(value.with_context(|| format!("there is no {name}"))?.parse()?)
}

/// Tables of four, each at an address of its own.
async fn neighbors(server: &Server, tables: usize, others: Gathering) -> anyhow::Result<Vec<Seats>> {
    let mut all = Vec::new();
    for number in 0..tables {
        let [.., high, low] = (number as u32 + 2).to_be_bytes();
        let address = IpAddr::V4(Ipv4Addr::new(127, 0, high + 1, low));
        all.extend(gather(&server.clone().from_address(address), others).await?);
    }
    Ok(all)
}

/// How often the stranger got what they asked for.
#[derive(Debug, Default)]
struct Effort {
    done: AtomicU64,
    refused: AtomicU64,
}

impl Effort {
    fn note(&self, done: bool) {
        let count = if done { &self.done } else { &self.refused };
        count.fetch_add(1, Ordering::Relaxed);
    }

    /// Waits until something was granted, so that an attack on a slow machine is one.
    async fn succeeds(&self) -> anyhow::Result<()> {
        let begun = Instant::now();
        while self.counts().0 == 0 {
            anyhow::ensure!(begun.elapsed() < Duration::from_secs(60), "nothing was granted at all: {self:?}");
            tokio::time::sleep(PAUSE).await;
        }
        Ok(())
    }

    fn counts(&self) -> (u64, u64) {
        (self.done.load(Ordering::Relaxed), self.refused.load(Ordering::Relaxed))
    }

    fn describe(&self) -> String {
        let (done, refused) = self.counts();
        format!("{done} requests granted, {refused} refused")
    }
}

/// What the stranger has prepared.
struct Ground {
    server: Server,
    attack: Attack,
    /// The guests whose clients attack.
    tokens: Vec<String>,
    /// The table that is attacked.
    code: String,
    /// How many finished matches there are to be reviewed, and the next of them.
    reviews: u64,
    next: Arc<AtomicU64>,
    /// Tables with experts.
    tables: Vec<Seats>,
    /// How many guests own tables.
    owners: u64,
    effort: Arc<Effort>,
}

impl Ground {
    async fn prepare(server: Server, attack: Attack, plan: &Plan) -> anyhow::Result<Ground> {
        let (tokens, code, next, tables, owners, effort) = Default::default();
        let mut ground = Ground { server, attack, tokens, code, reviews: plan.reviews, next, tables, owners, effort };
        match attack {
            Attack::Matches => ground.open(1).await?,
            Attack::Onlookers => ground.open(plan.crowd.min(MAX_PEOPLE)).await?,
            Attack::Experts => ground.open_many(plan.crowd).await?,
            Attack::Reviews => ground.tokens.push(ground.server.sign_in("Reader").await?.token),
            _ => {}
        }
        Ok(ground)
    }

    /// Signs that many guests in, of whom the first opens a table.
    async fn open(&mut self, guests: usize) -> anyhow::Result<()> {
        for number in 0..guests {
            self.tokens.push(self.server.sign_in(&format!("Stranger {number}")).await?.token);
        }
        let settings = json!({"rules": {"edition": "modern"}, "seats": 2, "pace": "instant"});
        self.code = self.server.open_table(&self.tokens[0], &settings).await?.code;
        self.owners = 1;
        Ok(())
    }

    /// Opens as many tables as one address may have in memory.
    async fn open_many(&mut self, tables: usize) -> anyhow::Result<()> {
        for number in 0..tables {
            if number % TABLES_OF_ONE == 0 {
                let guest = self.server.sign_in(&format!("Thinker {number}")).await?;
                self.tokens.push(guest.token.clone());
                self.owners += 1;
            }
            let token = self.tokens.last().context("somebody")?;
            let guest: unum_protocol::rest::Guest = self.server.call("GET", "/api/me", Some(token), None).await?;
            let settings = json!({"seats": 4, "pace": "instant"});
            let code = self.server.open_table(token, &settings).await?.code;
            let guest = unum_protocol::rest::SignedIn {
                id: guest.id,
                name: guest.name,
                look: guest.look,
                token: token.clone(),
            };
            self.tables.push(Seats { server: self.server.clone(), others: Vec::new(), code, guests: vec![guest] });
        }
        Ok(())
    }

    async fn attack(&self) -> anyhow::Result<()> {
        match self.attack {
            Attack::Matches => self.play_without_end().await,
            Attack::Replays => self.ask_for_replays().await,
            Attack::Reviews => self.ask_for_reviews().await,
            Attack::Onlookers => self.look_on().await,
            Attack::Experts => self.think_hard().await,
            other => anyhow::bail!("{other:?} is not an attack of its own"),
        }
    }

    /// Starts a match of bots, and the next one as soon as it may.
    async fn play_without_end(&self) -> anyhow::Result<()> {
        let mut client = Client::new(self.server.clone(), &self.tokens[0], &self.code).with_patience(eager());
        listen(&mut client, &self.effort, PAUSE).await?;
        client.request(Request::AddBot { level: Level::Random }).await;
        loop {
            for request in [start(), ready(), Request::Autopilot { on: true }] {
                client.request(request).await;
                listen(&mut client, &self.effort, PAUSE).await?;
            }
        }
    }

    /// Asks for every page of the replay, many times at once, again and again.
    async fn ask_for_replays(&self) -> anyhow::Result<()> {
        let mut readers = JoinSet::new();
        for _ in 0..REPLAYS {
            readers.spawn(page_through(self.server.clone(), Arc::clone(&self.effort)));
        }
        while let Some(ended) = readers.join_next().await {
            ended??;
        }
        Ok(())
    }

    /// Looks at one review after the other, as many at once as one guest may.
    async fn ask_for_reviews(&self) -> anyhow::Result<()> {
        let mut readers = JoinSet::new();
        for _ in 0..REVIEWS {
            let (server, token, effort) = (self.server.clone(), self.tokens[0].clone(), Arc::clone(&self.effort));
            readers.spawn(read_reviews(server, token, Arc::clone(&self.next), self.reviews, effort));
        }
        while let Some(ended) = readers.join_next().await {
            ended??;
        }
        anyhow::bail!("all {} matches are reviewed: give the driver more of them", self.reviews)
    }

    /// Fills the table, and everybody does small things as fast as they may.
    async fn look_on(&self) -> anyhow::Result<()> {
        let mut crowd = JoinSet::new();
        for (number, token) in (0..).zip(&self.tokens) {
            let (server, token, code) = (self.server.clone(), token.clone(), self.code.clone());
            let effort = Arc::clone(&self.effort);
            crowd.spawn(async move {
                loop {
                    let client = Client::new(server.clone(), &token, &code).with_patience(eager());
                    // Somebody who is sent away comes again.
                    let _ = fidget(client, number, &effort).await;
                    tokio::time::sleep(20 * PAUSE).await;
                }
            });
        }
        crowd.join_next().await.map_or(Ok(()), |ended: Result<(), _>| ended.context("an onlooker"))
    }

    /// Bots that think for long, at as many tables as there may be, and somebody at each who answers at once.
    async fn think_hard(&self) -> anyhow::Result<()> {
        let mut crowd = Crowd::begin(&self.tables, THINKERS).await?;
        let mut before = crowd.answers();
        loop {
            tokio::time::sleep(PAUSE).await;
            crowd.check()?;
            let now = crowd.answers();
            self.effort.done.fetch_add(now - before, Ordering::Relaxed);
            before = now;
        }
    }
}

/// Reads the longest match page by page, and from the beginning again.
async fn page_through(server: Server, effort: Arc<Effort>) -> Result<(), ClientError> {
    let mut from = 0;
    loop {
        let path = format!("/api/games/{CODE}-1/replay?from={from}");
        let answer = server.call::<Value>("GET", &path, None, None).await;
        effort.note(answer.is_ok());
        match answer {
            Ok(page) => {
                let steps = page["steps"].as_array().map_or(0, |steps| steps.len() as u64);
                let end = page["total"].as_u64().unwrap_or(0);
                from = if from + steps < end { from + steps } else { 0 };
            }
            // A refusal is an answer as well, and so is a connection that is not taken: there are limits.
            Err(ClientError::Refused { .. } | ClientError::Connection { .. }) => tokio::time::sleep(10 * PAUSE).await,
            Err(error) => return Err(error),
        }
    }
}

/// Looks at the reviews of matches that nobody has looked at, each until it is done.
async fn read_reviews(
    server: Server,
    token: String,
    next: Arc<AtomicU64>,
    count: u64,
    effort: Arc<Effort>,
) -> Result<(), ClientError> {
    loop {
        let number = 1 + next.fetch_add(1, Ordering::Relaxed);
        if number > count {
            return Ok(());
        }
        let path = format!("/api/games/{}/review", id_of(number));
        loop {
            let answer = server.call::<Value>("GET", &path, Some(&token), None).await;
            effort.note(answer.is_ok());
            match answer {
                Ok(review) if review["progress"] == "done" => break,
                Ok(_) | Err(ClientError::Refused { .. } | ClientError::Connection { .. }) => {
                    tokio::time::sleep(LOOKS).await;
                }
                Err(error) => return Err(error),
            }
        }
    }
}

/// Sends small requests as fast as allowed, until the server refuses.
async fn fidget(mut client: Client, number: u32, effort: &Effort) -> anyhow::Result<()> {
    let other = 1 + number % 7;
    loop {
        for request in [
            Request::Rename { name: format!("Onlooker {number}") },
            Request::Mute { person: other, muted: true, always: false },
            Request::Rename { name: format!("Guest {number}") },
            Request::Mute { person: other, muted: false, always: false },
            ready(),
        ] {
            client.request(request).await;
            listen(&mut client, effort, PAUSE).await?;
        }
    }
}

fn start() -> Request {
    Request::Start { pledge: None }
}

fn ready() -> Request {
    Request::Ready { ready: true, pledge: None }
}

/// Reads all that comes for a while.
async fn listen(client: &mut Client, effort: &Effort, time: Duration) -> anyhow::Result<()> {
    let until = tokio::time::Instant::now() + time;
    while let Ok(message) = tokio::time::timeout_at(until, client.next()).await {
        let message = match message {
            // Somebody who says that they are ready before they are asked may pledge for the round that is over.
            Err(ClientError::Unfair(_)) => continue,
            message => message?,
        };
        let head = message.head();
        for _ in head.answered() {
            effort.note(head.kind != unum_protocol::MessageKind::Refused);
        }
    }
    Ok(())
}
