//! Compares two ways of serving the same game, in alternating turns: PostgreSQL with SQLite, relayed tables with local
//! ones.

use std::time::{Duration, Instant};

use anyhow::ensure;
use tempfile::TempDir;
use unum_protocol::Level;

use super::Plan;
use super::base::Base;
use super::site::{OWNERS, Setting, Site};
use crate::crowd::{Crowd, Gathering, Seats, gather};
use crate::player::Tally;
use crate::process::{ServerProcess, own_processor_time, without_limits};
use crate::timing::{Times, millis};
use crate::verdict::Line;

/// The least speed of PostgreSQL, as a share of SQLite's, and how much longer its slowest answers may take.
const SHARE: f64 = 0.6;
const LONGER: f64 = 2.0;
/// How much longer a relayed answer may take, and how much more processor time it may use.
const RELAY: Duration = Duration::from_millis(5);
const MORE_WORK: f64 = 1.5;
/// How long people think when relayed tables are compared.
const THINK: Duration = Duration::from_millis(200);

/// How a turn went.
struct Measured {
    /// Actions a second.
    speed: f64,
    times: Times,
    /// Processor time per action, of the servers and of the players.
    processor: [Duration; 2],
}

/// Has everybody play for a while.
async fn measure(
    tables: &[Seats],
    gathering: Gathering,
    time: Duration,
    servers: &[&ServerProcess],
) -> anyhow::Result<Measured> {
    let mut crowd = Crowd::begin(tables, gathering).await?;
    let used = || servers.iter().map(|server| server.processor_time()).sum::<Duration>();
    let (begun, actions, processor, own) = (Instant::now(), crowd.actions(), used(), own_processor_time());
    while begun.elapsed() < time {
        tokio::time::sleep(Duration::from_millis(50)).await;
        crowd.check()?;
    }
    let (seconds, done) = (begun.elapsed().as_secs_f64(), (crowd.actions() - actions).max(1));
    let processor =
        [used() - processor, own_processor_time() - own].map(|time| time / u32::try_from(done).unwrap_or(1));
    let mut sum = Tally::default();
    for report in crowd.end().await? {
        ensure!(report.unanswered == 0, "somebody at {} has no answer", report.code);
        sum.merge(report.tally);
    }
    Ok(Measured { speed: done as f64 / seconds, times: sum.times, processor })
}

impl Measured {
    fn describe(&self) -> String {
        let [server, client] = self.processor.map(|time| time.as_secs_f64() * 1e6);
        let times = self.times.describe();
        format!(
            "{:.0} actions a second, {times}, {server:.0} µs of the server each, {client:.0} of the client",
            self.speed
        )
    }
}

/// One of the two sides.
struct Side<'a> {
    name: &'static str,
    tables: &'a [Seats],
    servers: Vec<&'a ServerProcess>,
}

/// Alternates both sides, which is fair on a machine whose speed varies. Calls `check` after each turn.
async fn take_turns(
    plan: &Plan,
    gathering: Gathering,
    sides: [Side<'_>; 2],
    check: impl Fn() -> anyhow::Result<()>,
) -> anyhow::Result<[Vec<Measured>; 2]> {
    let mut turns = [Vec::new(), Vec::new()];
    for number in 1..=plan.turns {
        for (side, turns) in sides.iter().zip(&mut turns) {
            let measured = measure(side.tables, gathering, plan.turn, &side.servers).await?;
            eprintln!("turn {number}, {}: {}", side.name, measured.describe());
            turns.push(measured);
            check()?;
        }
    }
    Ok(turns)
}

/// The median turn.
fn median(turns: &[Measured], figure: impl Fn(&Measured) -> f64) -> f64 {
    let mut figures: Vec<f64> = turns.iter().map(figure).collect();
    figures.sort_unstable_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or_default()
}

fn p99(turn: &Measured) -> f64 {
    turn.times.percentile(99.0).as_secs_f64()
}

/// Compares a node on PostgreSQL with one on SQLite, with as many tables as one at a time can take.
pub(crate) async fn backends(plan: &Plan) -> anyhow::Result<Vec<Line>> {
    let folder = TempDir::new()?;
    let base = Base::start(1, &[]).await?;
    let address = base.server.address("unum");
    let on_postgres: Vec<String> = without_limits().into_iter().chain(["--database".to_owned(), address]).collect();
    let embedded = ServerProcess::start(&plan.unum, &folder.path().join("embedded")).await?;
    let far = ServerProcess::start_with(&plan.unum, &folder.path().join("far"), on_postgres).await?;
    let gathering = Gathering {
        tables: plan.compared,
        people: 4,
        bots: 0,
        think: Duration::ZERO,
        notes: false,
        level: Level::Normal,
    };
    let tables = [gather(embedded.server(), gathering).await?, gather(far.server(), gathering).await?];
    let sides = [
        Side { name: "SQLite", tables: &tables[0], servers: vec![&embedded] },
        Side { name: "PostgreSQL", tables: &tables[1], servers: vec![&far] },
    ];
    let turns = take_turns(plan, gathering, sides, || Ok(())).await?;
    let [speeds, slowest] =
        [|turn: &Measured| turn.speed, p99].map(|figure| [0, 1].map(|at| median(&turns[at], figure)));
    let (share, longer) = (speeds[1] / speeds[0], slowest[1] / slowest[0].max(1e-6));
    Ok(vec![
        Line {
            what: "compare",
            must: format!("actions a second on PostgreSQL ≥ {:.0} % of SQLite", 100.0 * SHARE),
            measured: format!("{:.0} of {:.0}, {:.0} %, {} turns", speeds[1], speeds[0], 100.0 * share, plan.turns),
            holds: share >= SHARE,
            timed: true,
        },
        Line {
            what: "compare",
            must: format!("p99 on PostgreSQL ≤ {LONGER:.0} × SQLite's"),
            measured: format!("{:.0} and {:.0} ms, {longer:.2} ×", 1e3 * slowest[1], 1e3 * slowest[0]),
            holds: longer <= LONGER,
            timed: true,
        },
    ])
}

/// Compares the same tables with people connected to the node that runs them, and to another one.
pub(crate) async fn relayed(plan: &Plan) -> anyhow::Result<Vec<Line>> {
    let folder = TempDir::new()?;
    let base = Base::start(2, &[]).await?;
    // The node that runs all tables keeps them.
    let flags = without_limits().into_iter().chain(["--hold-tables".to_owned()]).collect();
    let setting = Setting { flags: Some(flags), ..Setting::default() };
    let site = Site::start(&plan.unum, folder.path(), &base.addresses(), &setting).await?;
    let gathering =
        Gathering { tables: plan.tables, people: 2, bots: 2, think: THINK, notes: false, level: Level::Normal };
    let servers = site.servers();
    let local = gather(&servers[0], gathering).await?;
    let far: Vec<Seats> = local.iter().map(|seats| Seats { server: servers[1].clone(), ..seats.clone() }).collect();
    let processes: Vec<&ServerProcess> = site.nodes.iter().map(|node| &node.process).collect();
    let sides = [
        Side { name: "local", tables: &local, servers: processes.clone() },
        Side { name: "relayed", tables: &far, servers: processes },
    ];
    let turns = take_turns(plan, gathering, sides, || {
        let owners = site.owners(&base.ask(OWNERS)?);
        ensure!(owners.values().all(|node| *node == 0), "tables have moved to the other node");
        Ok(())
    })
    .await?;
    let work = |turn: &Measured| turn.processor[0].as_secs_f64();
    let (slow, works) = ([0, 1].map(|at| median(&turns[at], p99)), [0, 1].map(|at| median(&turns[at], work)));
    let added = Duration::from_secs_f64((slow[1] - slow[0]).max(0.0));
    let ratio = works[1] / works[0].max(1e-9);
    Ok(vec![
        Line {
            what: "relay",
            must: format!("p99 of relayed tables + ≤ {} ms", millis(RELAY)),
            measured: format!("{:.1} and {:.1} ms, + {} ms", 1e3 * slow[0], 1e3 * slow[1], millis(added)),
            holds: added <= RELAY,
            timed: true,
        },
        Line {
            what: "relay",
            must: format!("processor per action ≤ {MORE_WORK} ×"),
            measured: format!("{:.0} and {:.0} µs, {ratio:.2} ×", 1e6 * works[0], 1e6 * works[1]),
            holds: ratio <= MORE_WORK,
            timed: true,
        },
    ])
}
