//! Crashes: the server is killed at random moments under load, and must keep what it acknowledged.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use tempfile::TempDir;
use unum_protocol::Level;
use unum_rules::{Chance as _, Seeded};
use unum_store::Store;

use crate::crowd::{Crowd, Gathering, gather};
use crate::process::{ServerProcess, raise_file_limit};
use crate::promises::{self, Verdict};

/// What to run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The program `unum`.
    pub unum: PathBuf,
    /// How many times the server is killed.
    pub kills: u32,
    /// How many tables are played at meanwhile, with two people and two bots each.
    pub tables: usize,
    /// How many open tables the time to resume is measured with; none if zero.
    pub resume: usize,
    /// What decides the moments.
    pub seed: u64,
}

/// Runs it and prints what was found.
///
/// # Errors
/// When something cannot be started, somebody could not come back, or a promise was broken.
pub async fn run(plan: &Plan) -> anyhow::Result<()> {
    let (verdict, slowest) = kill_and_compare(plan).await?;
    println!("kills           {}, with {} tables of two people and two bots", plan.kills, plan.tables);
    println!("acknowledged    {} requests: {} lost, {} doubled", verdict.acknowledged, verdict.lost, verdict.doubled);
    println!("journal         {} entries; {} of {} tables restored", verdict.entries, verdict.restored, plan.tables);
    println!("back again      everybody, at most {:.2} s after the server was started", slowest.as_secs_f64());
    if plan.resume > 0 {
        let (started, everybody) = resume(&plan.unum, plan.resume).await?;
        println!(
            "resume          {} open tables: server up after {:.2} s, everybody back at a table after {:.2} s",
            plan.resume,
            started.as_secs_f64(),
            everybody.as_secs_f64()
        );
    }
    Ok(())
}

/// Kills, restarts, and compares what was promised with what the journal has. Also the slowest return of everybody.
///
/// # Errors
/// When something cannot be started, somebody could not come back, or a promise was broken.
pub async fn kill_and_compare(plan: &Plan) -> anyhow::Result<(Verdict, Duration)> {
    let gathering =
        Gathering { tables: plan.tables, people: 2, bots: 2, think: Duration::ZERO, notes: true, level: Level::Normal };
    raise_file_limit(plan.tables as u64 * 6 + 500)?;
    let folder = TempDir::new()?;
    let mut process = ServerProcess::start_keeping(&plan.unum, folder.path()).await?;
    let tables = gather(process.server(), gathering).await?;
    let mut crowd = Crowd::begin(&tables, gathering).await?;
    let mut chance = Seeded::new(plan.seed);
    let mut slowest = Duration::ZERO;
    for number in 1..=plan.kills {
        tokio::time::sleep(Duration::from_millis(chance.below(400).into())).await;
        crowd.check()?;
        let welcomes = crowd.welcomes();
        process.kill()?;
        let begun = Instant::now();
        process.restart().await?;
        crowd.wait_for(welcomes as usize + plan.tables * 2).await.with_context(|| format!("after kill {number}"))?;
        slowest = slowest.max(begun.elapsed());
        if number % 20 == 0 {
            eprintln!("{number} kills, {} actions", crowd.actions());
        }
    }
    wait_for_progress(&mut crowd, plan.tables).await?;
    let reports = crowd.end().await?;
    let waiting: u64 = reports.iter().map(|report| report.unanswered).sum();
    ensure!(waiting == 0, "{waiting} requests were not answered");
    let stragglers = reports.iter().filter(|report| report.connections <= u64::from(plan.kills)).count();
    ensure!(stragglers == 0, "{stragglers} people did not come back after every kill");
    process.kill()?;
    let store = Store::open_with(folder.path(), promises::keeping())?;
    let verdict = promises::compare(&store, &reports)?;
    store.close();
    ensure!(verdict.holds(plan.tables), "{verdict:?}");
    Ok((verdict, slowest))
}

/// Lets the tables play on a bit after the last kill.
pub(crate) async fn wait_for_progress(crowd: &mut Crowd, tables: usize) -> anyhow::Result<()> {
    let (goal, begun) = (crowd.actions() + 2 * tables as u64, Instant::now());
    while crowd.actions() < goal {
        crowd.check()?;
        ensure!(begun.elapsed().as_secs() < 60, "the tables do not play on");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    Ok(())
}

/// How long a server takes to be back with its open tables in the middle of a game, and everybody at them.
async fn resume(unum: &Path, tables: usize) -> anyhow::Result<(Duration, Duration)> {
    let gathering =
        Gathering { tables, people: 1, bots: 3, think: Duration::from_millis(500), notes: false, level: Level::Normal };
    raise_file_limit(tables as u64 * 2 + 500)?;
    let folder = TempDir::new()?;
    let mut process = ServerProcess::start(unum, folder.path()).await?;
    let seats = gather(process.server(), gathering).await?;
    let mut crowd = Crowd::begin(&seats, gathering).await?;
    wait_for_progress(&mut crowd, tables * 5).await?;
    let welcomes = crowd.welcomes();
    process.kill()?;
    let begun = Instant::now();
    process.restart().await?;
    let started = begun.elapsed();
    crowd.wait_for(welcomes as usize + tables).await?;
    let everybody = begun.elapsed();
    crowd.end().await?;
    Ok((started, everybody))
}
