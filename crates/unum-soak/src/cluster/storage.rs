//! Faults of the database: crash, failover, slow, full, out of connections.

use std::time::{Duration, Instant};

use anyhow::{Context as _, anyhow, ensure};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::sleep;
use unum_rules::{Chance as _, Seeded};

use super::Plan;
use super::game::{GIVE_UP, Game, Outcome, bounded, finish, seat, until_all_play};
use super::patroni::{Loss, Patroni};
use super::site::{Setting, Site, keeping_everything};
use crate::timing::{Times, millis};
use crate::verdict::Line;

/// The time within which play must continue once PostgreSQL is back.
const RESTARTED: Duration = Duration::from_secs(3);
/// Answers this soon after a fault may have been in flight before it.
const ON_ITS_WAY: Duration = Duration::from_millis(500);
/// How long a commit takes on a slow database.
const SLOW: Duration = Duration::from_millis(100);
/// How soon play must be back to normal after the trouble.
const RECOVERED: Duration = Duration::from_secs(10);
/// How much a node's memory may grow while its database is in trouble, in bytes.
const MEMORY: u64 = 64 << 20;
/// The connections of a database that runs out of them.
const SMALL_POOL: usize = 60;
/// The size limit of a database that fills up, in megabytes.
const BOUND: u64 = 256;

/// Kills PostgreSQL and starts it again.
pub(crate) async fn crashes(plan: &Plan) -> anyhow::Result<Vec<Line>> {
    let mut game = Game::begin(plan, plan.nodes, &[]).await?;
    let (mut chance, mut back) = (Seeded::new(plan.seed), Times::default());
    for number in 1..=plan.crashes {
        sleep(Duration::from_millis(chance.below(2000).into())).await;
        game.crowd.check()?;
        let server = &game.base.server;
        tokio::task::block_in_place(|| server.kill().and_then(|()| server.begin())).map_err(|why| anyhow!(why))?;
        let restarted = Instant::now();
        back.add(until_all_play(&mut game.crowd, restarted, restarted).await?);
        eprintln!("crash {number} of {}: all play after {:.2} s", plan.crashes, restarted.elapsed().as_secs_f64());
    }
    let outcome = game.end().await?;
    Ok(vec![
        outcome.promises("postgres", &format!("{} crashes of PostgreSQL", plan.crashes)),
        bounded("postgres", "all tables play on after a restart", &back, 100.0, RESTARTED),
    ])
}

/// Loses the primary under Patroni, in every way.
pub(crate) async fn failovers(plan: &Plan) -> anyhow::Result<Vec<Line>> {
    let folder = TempDir::new()?;
    let mut patroni = Patroni::start(folder.path()).await?;
    let addresses = vec![patroni.address(); plan.nodes];
    let site = Site::start(&plan.unum, folder.path(), &addresses, &Setting::default()).await?;
    let (tables, mut crowd) = seat(plan, &site.servers()).await?;
    let mut lines = Vec::new();
    for (loss, name, most) in Loss::ALL {
        let mut times = Times::default();
        for number in 1..=plan.failovers {
            crowd.check()?;
            let primary = patroni.primary().await?;
            crowd.watch_pauses();
            let begun = Instant::now();
            patroni.lose(primary, loss)?;
            let back = until_all_play(&mut crowd, begun + ON_ITS_WAY, begun).await;
            let back = back.with_context(|| format!("the primary was {name}"))?;
            crowd.pauses().into_iter().for_each(|(_, pause)| times.add(pause));
            patroni.give_back(primary, loss).await?;
            eprintln!("{name} {number} of {}: all play after {:.1} s", plan.failovers, back.as_secs_f64());
        }
        lines.push(bounded("patroni", &format!("primary {name}: tables play on"), &times, 100.0, most));
    }
    let outcome = finish(crowd, tables.len(), async || patroni.journals().await).await?;
    let count = plan.failovers as usize * Loss::ALL.len();
    lines.insert(0, outcome.promises("patroni", &format!("the primary lost {count} times")));
    drop(site);
    patroni.stop().await;
    Ok(lines)
}

/// Makes the database slow, full, and out of connections, each on a site of its own.
pub(crate) async fn troubles(plan: &Plan) -> anyhow::Result<Vec<Line>> {
    let mut lines = slow(plan).await?;
    lines.extend(full(plan).await?);
    lines.extend(exhausted(plan).await?);
    Ok(lines)
}

/// The memory of the largest node.
fn memory(game: &Game) -> u64 {
    game.site.nodes.iter().map(|node| node.process.memory()).max().unwrap_or(0)
}

/// Has people play for a while, and returns the most memory of a node meanwhile.
async fn endure(game: &mut Game, time: Duration) -> anyhow::Result<u64> {
    let (begun, mut most) = (Instant::now(), 0);
    while begun.elapsed() < time {
        game.crowd.check()?;
        most = most.max(memory(game));
        sleep(Duration::from_millis(100)).await;
    }
    Ok(most)
}

/// Reports what people were told meanwhile, how much memory it took, and how soon all played again.
fn trouble_lines(name: &str, outcome: &Outcome, memory: (u64, u64), back: Duration) -> Vec<Line> {
    let grown = memory.1.saturating_sub(memory.0);
    vec![
        outcome.promises("slow", name),
        Line {
            what: "slow",
            must: format!("{name}: memory of a node + ≤ {} MiB", MEMORY >> 20),
            measured: format!("+ {:.1} MiB", grown as f64 / (1 << 20) as f64),
            holds: grown <= MEMORY,
            timed: false,
        },
        Line {
            what: "slow",
            must: format!("{name}: all play within {} s afterwards", RECOVERED.as_secs()),
            measured: format!("{:.2} s; actions {}", back.as_secs_f64(), outcome.times.describe()),
            holds: back <= RECOVERED,
            timed: true,
        },
    ]
}

async fn slow(plan: &Plan) -> anyhow::Result<Vec<Line>> {
    let mut game = Game::begin(plan, plan.nodes, &[]).await?;
    let before = endure(&mut game, plan.trouble / 4).await?;
    let actions = game.crowd.actions();
    game.base.delay(SLOW);
    let most = endure(&mut game, plan.trouble).await?;
    let done = game.crowd.actions() - actions;
    game.base.delay(Duration::ZERO);
    let over = Instant::now();
    let back = until_all_play(&mut game.crowd, over, over).await?;
    let outcome = game.end().await?;
    let mut lines = trouble_lines("a commit takes 100 ms", &outcome, (before, most), back);
    // A table waits for one commit at a time, and its people think between actions.
    let fair = plan.tables as f64 / (plan.think + 4 * SLOW).as_secs_f64();
    let speed = done as f64 / plan.trouble.as_secs_f64();
    lines.push(Line {
        what: "slow",
        must: format!("a commit takes 100 ms: ≥ {fair:.0} actions a second"),
        measured: format!("{speed:.0} a second, p99 {} ms over the whole run", millis(outcome.times.percentile(99.0))),
        holds: speed >= fair,
        timed: true,
    });
    Ok(lines)
}

/// A database with a size limit that something else fills.
async fn full(plan: &Plan) -> anyhow::Result<Vec<Line>> {
    let bound = ["--max-database-megabytes".to_owned(), BOUND.to_string()];
    let flags = Some(keeping_everything().into_iter().chain(bound).collect());
    let mut game = Game::begin_with(plan, plan.nodes, &[], &Setting { flags, ..Setting::default() }).await?;
    let before = endure(&mut game, plan.trouble / 4).await?;
    let blocks = BOUND * 1000;
    game.base.ask(&format!(
        "CREATE TABLE ballast (body text); ALTER TABLE ballast ALTER body SET STORAGE EXTERNAL;
         INSERT INTO ballast SELECT repeat('x', 1000) FROM generate_series(1, {blocks})"
    ))?;
    let until = Instant::now() + plan.trouble.max(Duration::from_secs(8));
    let mut most = 0;
    let mut told = None;
    while Instant::now() < until {
        most = most.max(endure(&mut game, Duration::from_millis(500)).await?);
        told = told.or(unready(&game).await);
    }
    game.base.ask("DROP TABLE ballast")?;
    let over = Instant::now();
    let back = until_all_play(&mut game.crowd, over, over).await?;
    let outcome = game.end().await?;
    let mut lines = trouble_lines("a full database", &outcome, (before, most), back);
    lines.push(clear("a full database", told));
    Ok(lines)
}

/// Takes all connections of the database and ends those of the nodes.
async fn exhausted(plan: &Plan) -> anyhow::Result<Vec<Line>> {
    let mut game = Game::begin(plan, plan.nodes, &[("max_connections", &SMALL_POOL.to_string())]).await?;
    let before = endure(&mut game, plan.trouble / 4).await?;
    let taken = occupy_all(&game).await?;
    let until = Instant::now() + plan.trouble;
    let (mut most, mut told) = (0, None);
    while Instant::now() < until {
        most = most.max(endure(&mut game, Duration::from_millis(200)).await?);
        told = told.or(unready(&game).await);
    }
    let count = taken.len();
    drop(taken);
    let over = Instant::now();
    let back = until_all_play(&mut game.crowd, over, over).await?;
    let outcome = game.end().await?;
    let name = "no connection left";
    eprintln!("{name}: {count} of {SMALL_POOL} were taken");
    let mut lines = trouble_lines(name, &outcome, (before, most), back);
    lines.push(clear(name, told));
    Ok(lines)
}

/// Ends the connections of the nodes and takes all available ones before the nodes notice.
async fn occupy_all(game: &Game) -> anyhow::Result<Vec<TcpStream>> {
    game.base.wires.iter().for_each(|wire| wire.hold(true));
    game.base.ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'unum'")?;
    let (mut taken, begun) = (Vec::new(), Instant::now());
    while taken.len() < SMALL_POOL {
        match occupy(game.base.server.port()).await? {
            Some(stream) => taken.push(stream),
            // The last ones may still be closing.
            None => sleep(Duration::from_millis(20)).await,
        }
        ensure!(begun.elapsed() < GIVE_UP, "only {} of {SMALL_POOL} connections could be taken", taken.len());
    }
    game.base.wires.iter().for_each(|wire| wire.hold(false));
    Ok(taken)
}

/// The message of the first node that is not ready.
async fn unready(game: &Game) -> Option<String> {
    for node in &game.site.nodes {
        if let Ok((503, why)) = node.process.look("/readyz").await {
            return Some(why);
        }
    }
    None
}

fn clear(name: &str, told: Option<String>) -> Line {
    let must = format!("{name}: /readyz says so in words");
    let measured = told.clone().unwrap_or_else(|| "nothing".to_owned());
    Line { what: "slow", must, measured, holds: told.is_some_and(|words| !words.is_empty()), timed: false }
}

/// Takes a connection; `None` if there is none left.
async fn occupy(port: u16) -> anyhow::Result<Option<TcpStream>> {
    let begun = Instant::now();
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await?;
    let words = b"\0\x03\0\0user\0postgres\0database\0postgres\0\0";
    stream.write_all(&(words.len() as u32 + 4).to_be_bytes()).await?;
    stream.write_all(words).await?;
    loop {
        let mut head = [0; 5];
        if stream.read_exact(&mut head).await.is_err() {
            return Ok(None);
        }
        let length = u32::from_be_bytes([head[1], head[2], head[3], head[4]]).clamp(4, 1 << 16) - 4;
        stream.read_exact(&mut vec![0; length as usize]).await?;
        match head[0] {
            b'Z' => return Ok(Some(stream)),
            b'E' => return Ok(None),
            _ => ensure!(begun.elapsed() < GIVE_UP, "the database does not answer"),
        }
    }
}
