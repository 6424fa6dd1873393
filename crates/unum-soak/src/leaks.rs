//! Leaks: searches everything tables send for what the receiver may not know.
//!
//! In memory, every message is compared with that of a table which differs in everything hidden from the receiver
//! ([`sim::veil`]); over sockets, every place where a card could be is examined ([`Scanner`]).

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::ScopedJoinHandle;
use std::time::{Duration, Instant};

use anyhow::{anyhow, ensure};
use tempfile::TempDir;
use unum_client::Client;
use unum_protocol::{Level, MessageKind};
use unum_rules::{Chance as _, Seeded};
use unum_table::sim;

use crate::crowd::{Gathering, eager, gather};
use crate::player::{Habits, Player};
use crate::process::{ServerProcess, raise_file_limit};
use crate::scan::Scanner;

/// What to run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The program `unum`, for the part over sockets; left out without it.
    pub unum: Option<PathBuf>,
    /// How many rounds are played at tables in memory.
    pub rounds: u64,
    /// How many rounds over sockets.
    pub socket_rounds: u64,
    /// What decides everything.
    pub seed: u64,
}

/// Runs it and prints what was looked at.
///
/// # Errors
/// With the first leak.
pub async fn run(plan: &Plan) -> anyhow::Result<()> {
    let begun = Instant::now();
    let all = rounds(plan.rounds, plan.seed)?;
    let sim::Report { rounds, matches, messages, bytes, compared, redealt, restored, offered, actions, .. } = all;
    println!(
        "in memory      {rounds} rounds of {matches} matches, {actions} actions, in {:.0} s",
        begun.elapsed().as_secs_f64()
    );
    println!("               {messages} messages, {} MB, searched for secrets", bytes / 1_000_000);
    println!(
        "               {compared} compared byte for byte with a table that differs in what is hidden from the receiver,"
    );
    println!(
        "               in {redealt} of them by cards; {restored} tables rebuilt from their journals and compared"
    );
    println!("               {offered} times requests of every type were tried, and compared with what was offered");
    let sim::Report { witnessed, withheld, broken_off, .. } = all;
    println!("               {witnessed} deals checked by clients, all fair; {withheld} times a part was withheld,");
    println!("               {broken_off} times the table was reopened and what was broken off revealed");
    println!("               no leak");
    if let Some(unum) = &plan.unum {
        let (rounds, seen) = over_sockets(unum, plan.socket_rounds).await?;
        let Scanner { messages, bytes, cards, .. } = seen;
        println!("over sockets   {rounds} rounds at 10 tables of four people and two onlookers, some coming and going");
        println!(
            "               {messages} messages, {} MB, with {cards} cards: all where they may be",
            bytes / 1_000_000
        );
    }
    Ok(())
}

/// How many rounds are played at each table in memory.
const ROUNDS_EACH: u64 = 10;

/// Plays rounds at random tables on all cores, and looks at every message to everybody.
///
/// # Errors
/// With the first leak.
fn rounds(rounds: u64, seed: u64) -> anyhow::Result<sim::Report> {
    let (done, next) = (AtomicU64::new(0), AtomicU64::new(seed));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let work = || {
        let mut seen = sim::Report::default();
        while done.load(Ordering::Relaxed) < rounds {
            let table = sim::run(next.fetch_add(1, Ordering::Relaxed), ROUNDS_EACH).map_err(|leak| {
                // The other workers need not go on.
                done.store(rounds, Ordering::Relaxed);
                anyhow!(leak)
            })?;
            done.fetch_add(table.rounds, Ordering::Relaxed);
            seen += table;
        }
        anyhow::Ok(seen)
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        tell_progress(&done, rounds, || workers.iter().all(ScopedJoinHandle::is_finished));
        let mut seen = sim::Report::default();
        for worker in workers {
            seen += worker.join().map_err(|_| anyhow!("a worker panicked"))??;
        }
        Ok(seen)
    })
}

/// How often it is told how far the search is.
const PROGRESS: Duration = Duration::from_secs(10);

/// Says on the standard error how many rounds are done, until all is.
fn tell_progress(done: &AtomicU64, rounds: u64, is_over: impl Fn() -> bool) {
    let (begun, mut told) = (Instant::now(), Instant::now());
    while !is_over() {
        std::thread::sleep(Duration::from_millis(50));
        if told.elapsed() >= PROGRESS {
            told = Instant::now();
            let (done, seconds) = (done.load(Ordering::Relaxed), begun.elapsed().as_secs_f64());
            let left = rounds.saturating_sub(done) as f64 * seconds / done.max(1) as f64;
            eprintln!("{done} of {rounds} rounds, {:.0} a second, {left:.0} s left", done as f64 / seconds);
        }
    }
}

/// Ten tables of a real server with four people, two of them often away, and two onlookers.
async fn over_sockets(unum: &Path, rounds: u64) -> anyhow::Result<(u64, Scanner)> {
    raise_file_limit(1000)?;
    let folder = TempDir::new()?;
    let process = ServerProcess::start(unum, folder.path()).await?;
    let gathering =
        Gathering { tables: 10, people: 4, bots: 0, think: Duration::ZERO, notes: false, level: Level::Normal };
    let tables = gather(process.server(), gathering).await?;
    let mut tasks = tokio::task::JoinSet::new();
    let counted = Arc::new(AtomicU64::new(0));
    for place in 0..6 {
        for (number, seats) in tables.iter().enumerate() {
            let token = match seats.guests.get(place) {
                Some(guest) => guest.token.clone(),
                None => process.server().sign_in("Onlooker").await?.token,
            };
            let client = Client::new(process.server().clone(), &token, &seats.code).with_patience(eager());
            let habits = Habits { chairs: 4, bots: 0, think: Duration::ZERO, notes: false, level: Level::Normal };
            let player = Player::new(client, habits, (number * 8 + place) as u64);
            tasks.spawn(scanned(player, counted.clone(), rounds, place));
        }
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
    let mut seen = Scanner::default();
    while let Some(scanner) = tasks.join_next().await {
        seen.merge(&scanner??);
    }
    let played = counted.load(Ordering::Relaxed);
    ensure!(played >= rounds, "only {played} rounds");
    Ok((played, seen))
}

/// Plays until all tables together have played enough rounds; the second and fourth come and go.
async fn scanned(mut player: Player, counted: Arc<AtomicU64>, rounds: u64, place: usize) -> anyhow::Result<Scanner> {
    let mut scanner = Scanner::default();
    let mut chance = Seeded::new(place as u64);
    while counted.load(Ordering::Relaxed) < rounds {
        let Ok(message) = tokio::time::timeout(Duration::from_millis(300), player.next()).await else { continue };
        let message = message?;
        scanner.scan(message.text()).map_err(|leak| anyhow!(leak))?;
        let over = message.head().kind == MessageKind::Update && message.text().contains(r#""type":"round_scored""#);
        if over && place == 0 {
            counted.fetch_add(1, Ordering::Relaxed);
        }
        player.react(message).await?;
        if place % 2 == 1 && chance.below(50) == 0 {
            player.hang_up();
        }
    }
    Ok(scanner)
}
