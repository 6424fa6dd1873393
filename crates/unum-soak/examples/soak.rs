//! The long runs: `cargo xtask load | crash | drill | cluster | abuse | leaks` build and call this. An example and not a program of its
//! own, so that `cargo run` starts unum.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, ValueEnum};
use strum::VariantArray as _;
use unum_soak::abuse::{Attack, Plan};
use unum_soak::cluster::{Cut, Scenario};
use unum_soak::echo::Echo;
use unum_soak::{abuse, cluster, crash, drill, echo, leaks, load};

/// Loads, kills and abuses a server, and looks for leaks.
#[derive(Parser)]
#[command(name = "soak", max_term_width = 100)]
enum Soak {
    /// Many tables at once, next to an echo server.
    Load {
        /// The program unum.
        #[arg(long)]
        unum: PathBuf,
        /// Tables.
        #[arg(long, default_value_t = 1000)]
        tables: usize,
        /// People at each table.
        #[arg(long, default_value_t = 4)]
        people: usize,
        /// Bots at each table.
        #[arg(long, default_value_t = 0)]
        bots: usize,
        /// Seconds to play, and to echo, in each turn.
        #[arg(long, default_value_t = 10)]
        seconds: u64,
        /// How often game and echoes take turns.
        #[arg(long, default_value_t = 3)]
        turns: usize,
        /// Where the databases are kept, a folder for each turn, rather than in a temporary folder.
        #[arg(long)]
        data: Option<PathBuf>,
    },
    /// The server is killed again and again.
    Crash {
        /// The program unum.
        #[arg(long)]
        unum: PathBuf,
        /// How often.
        #[arg(long, default_value_t = 200)]
        kills: u32,
        /// Tables.
        #[arg(long, default_value_t = 100)]
        tables: usize,
        /// Open tables with which the time to resume is measured.
        #[arg(long, default_value_t = 1000)]
        resume: usize,
        /// What decides the moments.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Backups are made of a server that is played at, and restored.
    Drill {
        /// The program unum.
        #[arg(long)]
        unum: PathBuf,
        /// How many.
        #[arg(long, default_value_t = 50)]
        drills: u32,
        /// Tables.
        #[arg(long, default_value_t = 100)]
        tables: usize,
        /// What decides the moments.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Keep everything in a PostgreSQL of its own instead of folders.
        #[arg(long)]
        postgres: bool,
    },
    /// Nodes, network and database fail under a cluster.
    Cluster(Box<Cluster>),
    /// Clients that break every rule, and strangers who use up what the limits leave them.
    Abuse {
        /// The program unum.
        #[arg(long)]
        unum: PathBuf,
        /// Only these attacks: frames, readers, matches, journal, replays, reviews, onlookers, experts, together.
        #[arg(long, visible_alias = "attacks", value_name = "NAMES", value_delimiter = ',', value_parser = attack)]
        only: Vec<Attack>,
        /// Tables that play on meanwhile.
        #[arg(long, default_value_t = 20)]
        tables: usize,
        /// How often peace and attack take turns.
        #[arg(long, default_value_t = 5)]
        turns: usize,
        /// Seconds of each.
        #[arg(long, default_value_t = 8)]
        seconds: u64,
        /// Connections that do not read.
        #[arg(long, default_value_t = 1000)]
        stalled: usize,
        /// Seconds of matches without end, beside the turns; 0 for none.
        #[arg(long, default_value_t = 600)]
        long: u64,
        /// Changes in the long journal.
        #[arg(long, default_value_t = 1_000_000)]
        changes: u64,
        /// Seconds of all attacks together, from which an hour is worked out; 3600 measures it.
        #[arg(long, default_value_t = 120)]
        together: u64,
    },
    /// Everything that is sent is looked at.
    Leaks {
        /// The program unum, for the part over sockets.
        #[arg(long)]
        unum: Option<PathBuf>,
        /// Rounds at tables in memory.
        #[arg(long, default_value_t = 100_000)]
        rounds: u64,
        /// Rounds over sockets.
        #[arg(long, default_value_t = 500)]
        socket_rounds: u64,
        /// What decides everything.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Serve as an echo server: the yardstick of `load`.
    Echo {
        /// To whom.
        kind: EchoKind,
        /// The port.
        #[arg(long)]
        port: u16,
    },
}

#[derive(clap::Args)]
struct Cluster {
    /// The program unum.
    #[arg(long)]
    unum: PathBuf,
    /// Start nodes, load balancer and database for a person to play with, until Ctrl-C.
    #[arg(long)]
    up: bool,
    /// Only these scenarios: kill, stop, cuts, namespaces, postgres, patroni, rolling, slow, compare, relay, writers.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = scenario)]
    only: Vec<Scenario>,
    /// Nodes.
    #[arg(long, default_value_t = 3)]
    nodes: usize,
    /// Tables, with two people and two bots each.
    #[arg(long, default_value_t = 200)]
    tables: usize,
    /// Milliseconds that people think.
    #[arg(long, default_value_t = 250)]
    think: u64,
    /// How often a node is killed.
    #[arg(long, default_value_t = 100)]
    kills: u32,
    /// How often a node is stopped for longer than its lease.
    #[arg(long, default_value_t = 50)]
    stops: u32,
    /// How often each of the seven cuts is made.
    #[arg(long, default_value_t = 3)]
    cuts: u32,
    /// Only these cuts: database, answers_of_database, words_to_database, nodes, words_to_nodes, words_of_nodes, both.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = cut)]
    ways: Vec<Cut>,
    /// How often PostgreSQL is killed.
    #[arg(long, default_value_t = 20)]
    crashes: u32,
    /// How often the primary is lost, in each of three ways.
    #[arg(long, default_value_t = 4)]
    failovers: u32,
    /// How often all nodes are restarted.
    #[arg(long, default_value_t = 10)]
    rolls: u32,
    /// Seconds that a node is stopped or cut off.
    #[arg(long, default_value_t = 12)]
    away: u64,
    /// Seconds that the database is slow, full, or has no connection left.
    #[arg(long, default_value_t = 10)]
    trouble: u64,
    /// Tables of four people where PostgreSQL is compared with SQLite.
    #[arg(long, default_value_t = 1000)]
    compared: usize,
    /// Seconds of each turn of a comparison.
    #[arg(long, default_value_t = 5)]
    seconds: u64,
    /// Turns of a comparison.
    #[arg(long, default_value_t = 5)]
    turns: usize,
    /// Numbers that two writers fight for.
    #[arg(long, default_value_t = 100_000)]
    tries: u64,
    /// What decides the moments.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Cluster {
    fn plan(self) -> cluster::Plan {
        cluster::Plan {
            unum: self.unum,
            scenarios: self.only,
            nodes: self.nodes,
            tables: self.tables,
            lease: None,
            think: Duration::from_millis(self.think),
            kills: self.kills,
            stops: self.stops,
            cuts: self.cuts,
            ways: self.ways,
            crashes: self.crashes,
            failovers: self.failovers,
            rolls: self.rolls,
            away: Duration::from_secs(self.away),
            trouble: Duration::from_secs(self.trouble),
            compared: self.compared,
            turn: Duration::from_secs(self.seconds),
            turns: self.turns,
            tries: self.tries,
            seed: self.seed,
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum EchoKind {
    /// Back to the sender.
    Back,
    /// To all four of a group.
    Four,
}

fn attack(name: &str) -> Result<Attack, String> {
    let names: Vec<&str> = Attack::VARIANTS.iter().map(|attack| attack.into()).collect();
    name.parse().map_err(|_| format!("there are {}", names.join(", ")))
}

fn cut(name: &str) -> Result<Cut, String> {
    let names: Vec<&str> = Cut::VARIANTS.iter().map(|cut| cut.into()).collect();
    name.parse().map_err(|_| format!("there are {}", names.join(", ")))
}

fn scenario(name: &str) -> Result<Scenario, String> {
    let names: Vec<&str> = Scenario::VARIANTS.iter().map(|scenario| scenario.into()).collect();
    name.parse().map_err(|_| format!("there are {}", names.join(", ")))
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    match Soak::parse() {
        Soak::Load { unum, tables, people, bots, seconds, turns, data } => {
            let (soak, time) = (std::env::current_exe()?, Duration::from_secs(seconds));
            load::run(&load::Plan { unum, soak, tables, people, bots, time, turns, data }).await
        }
        Soak::Crash { unum, kills, tables, resume, seed } => {
            crash::run(&crash::Plan { unum, kills, tables, resume, seed }).await
        }
        Soak::Drill { unum, drills, tables, seed, postgres } => {
            drill::run(&drill::Plan { unum, drills, tables, seed, postgres }).await
        }
        Soak::Cluster(args) if args.up => cluster::up(&args.plan()).await,
        Soak::Cluster(args) => cluster::run(&args.plan()).await,
        Soak::Abuse { unum, only, tables, turns, seconds, stalled, long, changes, together } => {
            let [time, long, together] = [seconds, long, together].map(Duration::from_secs);
            let plan = Plan { attacks: only, tables, turns, time, stalled, long, changes, together, ..Plan::new(unum) };
            abuse::run(&plan).await
        }
        Soak::Leaks { unum, rounds, socket_rounds, seed } => {
            leaks::run(&leaks::Plan { unum, rounds, socket_rounds, seed }).await
        }
        Soak::Echo { kind, port } => {
            let kind = match kind {
                EchoKind::Back => Echo::Back,
                EchoKind::Four => Echo::Four,
            };
            echo::serve(port, kind).await
        }
    }
}
