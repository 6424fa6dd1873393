//! Exhaustion: one stranger at one address, within all default limits, tries to use up memory, processor and disk.
//!
//! Others play meanwhile, each table from an address of its own, all of them on this machine's loopback network. Every
//! attack takes turns with peace, so that a machine that gets slower or faster does so for both.

use std::future::Future;
use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::task::JoinSet;
use unum_client::{Client, ClientError, Server};
use unum_protocol::{Level, MAX_PEOPLE, Request};

use crate::abuse::{play, report};
use crate::crowd::{Gathering, Seats, eager, gather};
use crate::player::Tally;
use crate::process::ServerProcess;
use crate::timing::{Times, millis};

/// What is to be run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The program `unum`.
    pub unum: PathBuf,
    /// Which attacks; all of them if none is named.
    pub attacks: Vec<Attack>,
    /// How many tables play on meanwhile.
    pub tables: usize,
    /// How often peace and attack take turns.
    pub turns: usize,
    /// How long a turn is, of each.
    pub time: Duration,
}

/// What the stranger does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum Attack {
    /// Matches between bots without end at one table.
    Matches,
    /// Many replays of the longest match, at once and again and again.
    Replays,
    /// A table full of onlookers who rename themselves and mute each other as fast as they may.
    Onlookers,
    /// As many tables with experts as one address may have.
    Experts,
}

/// How people at one address play.
const NEIGHBORS: Gathering =
    Gathering { tables: 1, people: 4, bots: 0, think: Duration::from_millis(60), notes: false, level: Level::Normal };
/// How long other people's bots may take at most.
const BOTS: Duration = Duration::from_secs(2);
/// How much memory an attack may add, in bytes.
const MEMORY: u64 = 64 << 20;
/// How much slower the slowest hundredth of the others' actions may become, in percent.
const SLOWER: f64 = 20.0;
/// How many replays are asked for at the same time.
const REPLAYS: usize = 64;
/// How many tables have experts.
const EXPERT_TABLES: usize = 100;
/// Just within 20 messages a second.
const PAUSE: Duration = Duration::from_millis(51);
/// Setting up within the default rates takes ten minutes for some attacks; what is attacked are the other limits.
const HURRY: &[&str] = &["--new-guests-per-minute=10000", "--new-tables-per-minute=10000"];

/// Runs the attacks, each against a server of its own, and prints what was measured.
///
/// # Errors
/// When something cannot be started, or costs more than it may.
pub async fn run(plan: &Plan) -> anyhow::Result<()> {
    let all = <Attack as strum::VariantArray>::VARIANTS;
    let attacks = if plan.attacks.is_empty() { all } else { &plan.attacks };
    let mut excess = Vec::new();
    for attack in attacks {
        let folder = TempDir::new()?;
        excess.extend(besiege(plan, *attack, folder.path()).await.with_context(|| format!("{attack:?}"))?);
    }
    ensure!(excess.is_empty(), "{}", excess.join("; "));
    Ok(())
}

/// One attack. What it cost too much.
async fn besiege(plan: &Plan, attack: Attack, data: &Path) -> anyhow::Result<Vec<String>> {
    let flags = HURRY.iter().map(|flag| (*flag).to_owned()).collect();
    let process = ServerProcess::start_with(&plan.unum, data, flags).await?;
    let others = match attack {
        Attack::Experts => Gathering { people: 1, bots: 3, level: Level::Expert, ..NEIGHBORS },
        _ => NEIGHBORS,
    };
    let tables = neighbors(process.server(), plan.tables, others).await?;
    let ground = Ground::prepare(process.server().clone(), attack).await?;
    let mut costs = Costs::default();
    let before = process.memory();
    for turn in 1..=plan.turns {
        costs.peace.push(play(&tables, others, plan.time).await?.times);
        let (sum, highest) = under_attack(&process, &ground, play(&tables, others, plan.time)).await?;
        costs.war.push(sum.times);
        costs.bots.extend(sum.bots);
        costs.memory.push(highest.saturating_sub(before));
        eprintln!("{attack:?}: {turn} of {}", plan.turns);
    }
    costs.disk = folder_size(data);
    Ok(costs.judge(attack))
}

/// Lets the stranger attack for as long as the others play. Also the most memory.
async fn under_attack(
    process: &ServerProcess,
    ground: &Ground,
    playing: impl Future<Output = anyhow::Result<Tally>>,
) -> anyhow::Result<(Tally, u64)> {
    let attack = ground.attack();
    tokio::pin!(playing, attack);
    let mut highest = process.memory();
    loop {
        tokio::select! {
            sum = &mut playing => return Ok((sum?, highest)),
            ended = &mut attack => return ended.and(Err(anyhow::anyhow!("the attack is over before its time"))),
            () = tokio::time::sleep(Duration::from_millis(50)) => highest = highest.max(process.memory()),
        }
    }
}

/// What an attack costs.
#[derive(Default)]
struct Costs {
    /// How long others' actions took without it, turn by turn.
    peace: Vec<Times>,
    /// And beside it.
    war: Vec<Times>,
    /// How long others' bots took beside it.
    bots: Times,
    /// The most memory that was added, turn by turn, in bytes.
    memory: Vec<u64>,
    /// What the database takes at the end, in bytes.
    disk: u64,
}

impl Costs {
    /// Prints them, and says what of them is too much.
    fn judge(&self, attack: Attack) -> Vec<String> {
        let name: &str = attack.into();
        println!("{name}");
        let base = report("  others in peace", &self.peace, None);
        let p99 = report("  others under attack", &self.war, Some(base));
        let mebibytes = |bytes: u64| bytes as f64 / f64::from(1 << 20);
        let most = self.memory.iter().copied().max().unwrap_or(0);
        let turns: Vec<String> = self.memory.iter().map(|bytes| format!("{:.1}", mebibytes(*bytes))).collect();
        println!("  memory added, MiB          {} by turn", turns.join(", "));
        println!("  disk, MiB                  {:.1}", mebibytes(self.disk));
        let mut excess = Vec::new();
        if most > MEMORY {
            excess.push(format!("{name} added {:.0} MiB of memory", mebibytes(most)));
        }
        let slower = 100.0 * p99.as_secs_f64() / base.as_secs_f64().max(1e-6) - 100.0;
        // A few tenths of a millisecond are the machine's own: both have to be exceeded.
        if slower > SLOWER && p99 > base + Duration::from_millis(2) {
            excess.push(format!("{name} made others slower by {slower:.0} %"));
        }
        if !self.bots.is_empty() {
            let slowest = self.bots.percentile(100.0);
            println!("  others' bots answer after  {}, the slowest {} ms", self.bots.describe(), millis(slowest));
            if slowest > BOTS {
                excess.push(format!("{name} let others wait for bots for more than {BOTS:?}"));
            }
        }
        excess
    }
}

fn folder_size(folder: &Path) -> u64 {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    files.filter_map(|file| file.metadata().ok()).map(|about| about.len()).sum()
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

/// What the stranger has prepared.
struct Ground {
    server: Server,
    attack: Attack,
    token: String,
    code: String,
    /// The game whose replay is asked for.
    game: String,
}

impl Ground {
    async fn prepare(server: Server, attack: Attack) -> anyhow::Result<Ground> {
        let token = server.sign_in("Stranger").await?.token;
        let settings = match attack {
            Attack::Replays => longest_match(),
            _ => json!({"rules": {"edition": "modern"}, "seats": 10, "pace": "instant"}),
        };
        let code = server.open_table(&token, &settings).await?.code;
        let mut ground = Ground { server, attack, token, code, game: String::new() };
        if attack == Attack::Replays {
            ground.game = ground.play_longest().await?;
        }
        Ok(ground)
    }

    fn client(&self, token: &str, code: &str) -> Client {
        Client::new(self.server.clone(), token, code).with_patience(eager())
    }

    async fn attack(&self) -> anyhow::Result<()> {
        match self.attack {
            Attack::Matches => self.play_without_end().await,
            Attack::Replays => self.ask_for_replays().await,
            Attack::Onlookers => self.look_on().await,
            Attack::Experts => self.think_hard().await,
        }
    }

    /// Starts a match of bots, and the next one as soon as it may.
    async fn play_without_end(&self) -> anyhow::Result<()> {
        let mut client = self.client(&self.token, &self.code);
        listen(&mut client, PAUSE).await?;
        client.request(Request::AddBot { level: Level::Random }).await;
        loop {
            for request in [start(), ready(), Request::Autopilot { on: true }] {
                client.request(request).await;
                listen(&mut client, PAUSE).await?;
            }
        }
    }

    /// Has nine bots and an autopilot play the longest match there is. The id of its record.
    async fn play_longest(&self) -> anyhow::Result<String> {
        let mut client = self.client(&self.token, &self.code);
        listen(&mut client, PAUSE).await?;
        for _ in 0..9 {
            client.request(Request::AddBot { level: Level::Random }).await;
            listen(&mut client, PAUSE).await?;
        }
        let begun = Instant::now();
        loop {
            for request in [start(), ready(), Request::Autopilot { on: true }] {
                client.request(request).await;
                listen(&mut client, 4 * PAUSE).await?;
            }
            let games: Value = self.server.call("GET", "/api/games", Some(&self.token), None).await?;
            if let Some(id) = games["finished"][0]["id"].as_str() {
                client.close().await;
                return Ok(id.to_owned());
            }
            ensure!(begun.elapsed() < Duration::from_secs(600), "the longest match has no end");
        }
    }

    /// Asks for every page of the replay, many times at once, again and again.
    async fn ask_for_replays(&self) -> anyhow::Result<()> {
        let mut readers = JoinSet::new();
        for _ in 0..REPLAYS {
            let (server, token, game) = (self.server.clone(), self.token.clone(), self.game.clone());
            readers.spawn(async move {
                let mut from = 0;
                loop {
                    let path = format!("/api/games/{game}/replay?from={from}");
                    // A refusal is an answer as well: there are limits.
                    match server.call::<Value>("GET", &path, Some(&token), None).await {
                        Ok(page) => {
                            let steps = page["steps"].as_array().map_or(0, |steps| steps.len() as u64);
                            let end = page["total"].as_u64().unwrap_or(0);
                            from = if from + steps < end { from + steps } else { 0 };
                        }
                        Err(ClientError::Refused { .. }) => tokio::time::sleep(PAUSE).await,
                        Err(error) => return Err::<(), _>(error),
                    }
                }
            });
        }
        while let Some(ended) = readers.join_next().await {
            ended??;
        }
        Ok(())
    }

    /// Fills the table, and everybody does small things as fast as they may.
    async fn look_on(&self) -> anyhow::Result<()> {
        let mut crowd = JoinSet::new();
        for number in 0..MAX_PEOPLE as u32 - 1 {
            // The limits allow for so many and no more.
            let Ok(guest) = self.server.sign_in("Onlooker").await else { break };
            let token = guest.token;
            let (server, code) = (self.server.clone(), self.code.clone());
            crowd.spawn(async move {
                loop {
                    let client = Client::new(server.clone(), &token, &code).with_patience(eager());
                    // Somebody who is sent away comes again.
                    let _ = fidget(client, number).await;
                    tokio::time::sleep(20 * PAUSE).await;
                }
            });
        }
        crowd.join_next().await.map_or(Ok(()), |ended: Result<(), _>| ended.context("an onlooker"))
    }

    /// Bots that think for long, at as many tables as there may be.
    async fn think_hard(&self) -> anyhow::Result<()> {
        let mut tables = JoinSet::new();
        for number in 0..EXPERT_TABLES {
            let (server, number) = (self.server.clone(), number % 20);
            tables.spawn(async move {
                let token = server.sign_in(&format!("Thinker {number}")).await?.token;
                let settings = json!({"seats": 10, "pace": "instant"});
                let code = server.open_table(&token, &settings).await?.code;
                let mut client = Client::new(server, &token, &code).with_patience(eager());
                listen(&mut client, PAUSE).await?;
                for _ in 0..3 {
                    client.request(Request::AddBot { level: Level::Expert }).await;
                    listen(&mut client, PAUSE).await?;
                }
                loop {
                    for request in [start(), ready(), Request::Autopilot { on: true }] {
                        client.request(request).await;
                        listen(&mut client, 10 * PAUSE).await?;
                    }
                }
            });
        }
        while let Some(ended) = tables.join_next().await {
            let ended: anyhow::Result<()> = ended?;
            ended?;
        }
        Ok(())
    }
}

/// Does small things as fast as one may, until the server has enough.
async fn fidget(mut client: Client, number: u32) -> anyhow::Result<()> {
    let other = 1 + number % 7;
    loop {
        for request in [
            Request::Rename { name: format!("Onlooker {number}") },
            Request::Mute { person: other, muted: true },
            Request::Rename { name: format!("Guest {number}") },
            Request::Mute { person: other, muted: false },
            ready(),
        ] {
            client.request(request).await;
            listen(&mut client, PAUSE).await?;
        }
    }
}

/// Ten players, and as many points as a match can be played for.
fn longest_match() -> Value {
    json!({"rules": {"edition": "original", "scoring": {"type": "first_to", "target": 10_000}}, "seats": 10, "pace": "instant"})
}

fn start() -> Request {
    Request::Start { pledge: None }
}

fn ready() -> Request {
    Request::Ready { ready: true, pledge: None }
}

/// Reads whatever comes for a while.
async fn listen(client: &mut Client, time: Duration) -> anyhow::Result<()> {
    let until = tokio::time::Instant::now() + time;
    while let Ok(message) = tokio::time::timeout_at(until, client.next()).await {
        message?;
    }
    Ok(())
}
