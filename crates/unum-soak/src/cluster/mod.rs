//! Fault injection for a cluster under load: nodes, network and database fail, and nothing acknowledged may be lost.
//!
//! Every scenario starts its own database and nodes, has people play at all tables, and injects its faults. At the end
//! it compares what was acknowledged with the journals.

mod base;
mod compare;
mod faults;
mod game;
mod network;
mod patroni;
mod site;
mod storage;
mod up;
mod watch;
mod writers;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, ensure};

use crate::process::raise_file_limit;
use crate::verdict::{self, Line};

pub use faults::Cut;
pub use up::up;

/// What to run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The program `unum`.
    pub unum: PathBuf,
    /// Which scenarios; all of them if none is named.
    pub scenarios: Vec<Scenario>,
    /// How many nodes.
    pub nodes: usize,
    /// How many tables there are, with two people and two bots each.
    pub tables: usize,
    /// The length of leases; the default if not given.
    pub lease: Option<Duration>,
    /// How long people think.
    pub think: Duration,
    /// How often a node is killed.
    pub kills: u32,
    /// How often a node is stopped for longer than its lease.
    pub stops: u32,
    /// How often each kind of cut is made.
    pub cuts: u32,
    /// Which kinds; all of them if none is named.
    pub ways: Vec<Cut>,
    /// How often PostgreSQL is killed.
    pub crashes: u32,
    /// How often the primary is lost, in each way.
    pub failovers: u32,
    /// How often all nodes are restarted.
    pub rolls: u32,
    /// How long a node is stopped or cut off.
    pub away: Duration,
    /// How long the database is slow, full, or has no connection left.
    pub trouble: Duration,
    /// How many tables there are when speed is compared.
    pub compared: usize,
    /// How long a turn of a comparison takes.
    pub turn: Duration,
    /// How many turns a comparison has.
    pub turns: usize,
    /// How many numbers two writers fight for.
    pub tries: u64,
    /// The seed of random moments.
    pub seed: u64,
}

impl Plan {
    /// A full run.
    pub fn new(unum: PathBuf) -> Plan {
        Plan {
            unum,
            scenarios: Vec::new(),
            nodes: 3,
            tables: 200,
            lease: None,
            think: Duration::from_millis(250),
            kills: 100,
            stops: 50,
            cuts: 3,
            ways: Vec::new(),
            crashes: 20,
            failovers: 4,
            rolls: 10,
            away: Duration::from_secs(12),
            trouble: Duration::from_secs(10),
            compared: 1000,
            turn: Duration::from_secs(5),
            turns: 5,
            tries: 100_000,
            seed: 1,
        }
    }
}

/// A scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum Scenario {
    /// A node is killed.
    Kill,
    /// A node is stopped for longer than its lease, and goes on.
    Stop,
    /// A node is cut off from the database, from the others or from both, in one or both directions.
    Cuts,
    /// The same with every node in a network namespace of its own.
    Namespaces,
    /// PostgreSQL is killed and started again.
    Postgres,
    /// The primary is lost under Patroni: killed, stopped, cut off.
    Patroni,
    /// All nodes are restarted, one after the other.
    Rolling,
    /// The database is slow, full, or has no connection left.
    Slow,
    /// A node on PostgreSQL compared with one on SQLite.
    Compare,
    /// Relayed tables compared with local ones.
    Relay,
    /// Two writers for one table, without leases.
    Writers,
}

/// The programs that a scenario needs and that are not installed, in words.
pub fn missing(scenario: Scenario) -> Option<&'static str> {
    if unum_scratch::programs().is_none() {
        return Some("PostgreSQL is not installed (Debian: apt-get install postgresql)");
    }
    match scenario {
        Scenario::Patroni => patroni::missing(),
        Scenario::Namespaces => network::missing(),
        _ => None,
    }
}

/// Runs the scenarios one after the other, and prints the bounds next to what was measured.
///
/// # Errors
/// When something cannot be started, or a bound does not hold.
pub async fn run(plan: &Plan) -> anyhow::Result<()> {
    let all = <Scenario as strum::VariantArray>::VARIANTS;
    let scenarios = if plan.scenarios.is_empty() { all } else { &plan.scenarios };
    let mut lines = Vec::new();
    for scenario in scenarios {
        match missing(*scenario) {
            Some(why) => eprintln!("{}: left out, as {why}", <&str>::from(scenario)),
            None => lines.extend(judge(plan, *scenario).await?),
        }
    }
    ensure!(!lines.is_empty(), "nothing could be run");
    verdict::tell(&lines)
}

/// Runs one scenario, and returns its result and whether the bounds hold.
///
/// # Errors
/// When something cannot be started, or a table does not continue.
pub async fn judge(plan: &Plan, scenario: Scenario) -> anyhow::Result<Vec<Line>> {
    raise_file_limit(plan.tables.max(plan.compared) as u64 * 16 + 2000)?;
    let lines = match scenario {
        Scenario::Kill => faults::kill(plan).await,
        Scenario::Stop => faults::stop(plan).await,
        Scenario::Cuts => faults::cuts(plan).await,
        Scenario::Namespaces => faults::partitions(plan).await,
        Scenario::Rolling => faults::rolling(plan).await,
        Scenario::Postgres => storage::crashes(plan).await,
        Scenario::Patroni => storage::failovers(plan).await,
        Scenario::Slow => storage::troubles(plan).await,
        Scenario::Compare => compare::backends(plan).await,
        Scenario::Relay => compare::relayed(plan).await,
        Scenario::Writers => writers::race(plan).await,
    };
    lines.with_context(|| format!("{scenario:?}"))
}
