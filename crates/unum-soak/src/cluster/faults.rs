//! Faults of nodes: killed, stopped, cut off, restarted.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use rustix::process::Signal;
use strum::VariantArray as _;
use tokio::task::JoinSet;
use tokio::time::{sleep, sleep_until};
use unum_client::{Client, Patience};
use unum_protocol::ServerCode;
use unum_rules::{Chance as _, Seeded};

use super::Plan;
use super::game::{GIVE_UP, Game, Owners, Pauses, bounded, until_all_play};
use super::network::{Network, Peers};
use super::site::Setting;
use crate::verdict::Line;

/// Answers this soon after a fault may have been in flight before it.
const ON_ITS_WAY: Duration = Duration::from_millis(500);
/// The time within which the tables of a lost node must continue elsewhere.
const ELSEWHERE: Duration = Duration::from_secs(10);
/// The longest pause at other tables: people who were connected to the lost node reconnect elsewhere.
const OTHERS: Duration = Duration::from_secs(3);
/// The longest pause at a restart.
const RESTART: Duration = Duration::from_secs(1);
/// The number of onlookers at a stopped node, and how soon they must catch up.
const PATIENT: usize = 20;
const TOLD: Duration = Duration::from_secs(15);

fn several(plan: &Plan) -> usize {
    plan.nodes.max(2)
}

/// A random moment.
async fn moment(chance: &mut Seeded) {
    sleep(Duration::from_millis(chance.below(400).into())).await;
}

/// A random node that runs tables.
fn random_owner(owners: &Owners, chance: &mut Seeded) -> anyhow::Result<usize> {
    let mut nodes: Vec<usize> = owners.values().copied().collect();
    nodes.sort_unstable();
    nodes.dedup();
    ensure!(!nodes.is_empty(), "no node runs a table");
    Ok(nodes[chance.below(nodes.len() as u32) as usize])
}

/// Kills a random node, repeatedly.
pub(crate) async fn kill(plan: &Plan) -> anyhow::Result<Vec<Line>> {
    let mut game = Game::begin(plan, several(plan), &[]).await?;
    let (mut chance, mut pauses) = (Seeded::new(plan.seed), Pauses::default());
    for number in 1..=plan.kills {
        moment(&mut chance).await;
        game.crowd.check()?;
        let owners = game.owners()?;
        let victim = random_owner(&owners, &mut chance)?;
        game.crowd.watch_pauses();
        let begun = Instant::now();
        game.site.nodes[victim].process.kill()?;
        let back = until_all_play(&mut game.crowd, begun + ON_ITS_WAY, begun).await;
        let back = back.with_context(|| format!("kill {number}, of node {}", victim + 1))?;
        game.note(&owners, victim, &mut pauses);
        game.site.revive(victim).await?;
        eprintln!("kill {number} of {}: all play after {:.1} s", plan.kills, back.as_secs_f64());
    }
    let outcome = game.end().await?;
    Ok(vec![
        outcome.promises("kill", &format!("{} kills", plan.kills)),
        bounded("kill", "its tables play on elsewhere", &pauses.own, 99.0, ELSEWHERE),
        bounded("kill", "other tables", &pauses.others, 99.0, OTHERS),
    ])
}

/// Stops a random node for longer than its lease (SIGSTOP), then continues it.
pub(crate) async fn stop(plan: &Plan) -> anyhow::Result<Vec<Line>> {
    let mut game = Game::begin(plan, several(plan), &[]).await?;
    let (mut chance, mut pauses, mut told) = (Seeded::new(plan.seed), Pauses::default(), 0);
    for number in 1..=plan.stops {
        moment(&mut chance).await;
        game.crowd.check()?;
        let owners = game.owners()?;
        let victim = random_owner(&owners, &mut chance)?;
        let patient = Onlookers::at(&game, victim).await?;
        game.crowd.watch_pauses();
        let begun = Instant::now();
        game.site.nodes[victim].process.signal(Signal::STOP)?;
        let back = until_all_play(&mut game.crowd, begun + ON_ITS_WAY, begun).await;
        game.note(&owners, victim, &mut pauses);
        sleep_until((begun + plan.away).into()).await;
        game.site.nodes[victim].process.signal(Signal::CONT)?;
        let back = back.with_context(|| format!("stop {number}, of node {}", victim + 1))?;
        told += patient.are_told(&game).await.with_context(|| format!("stop {number}, of node {}", victim + 1))?;
        rejoin(&mut game, victim).await?;
        eprintln!("stop {number} of {}: all play after {:.1} s", plan.stops, back.as_secs_f64());
    }
    let outcome = game.end().await?;
    let away = plan.away.as_secs_f64();
    Ok(vec![
        outcome.promises("stop", &format!("{} stops of {away:.0} s", plan.stops)),
        bounded("stop", "its tables play on elsewhere", &pauses.own, 99.0, ELSEWHERE + OTHERS),
        Line {
            what: "stop",
            must: format!("clients that waited are told within {} s of its waking", TOLD.as_secs()),
            measured: format!("all {told} of them"),
            holds: told > 0,
            timed: false,
        },
    ])
}

/// Waits until a node that was away is ready again. Restarts it if it has exited.
async fn rejoin(game: &mut Game, number: usize) -> anyhow::Result<()> {
    if game.site.nodes[number].process.ended()?.is_some() {
        return game.site.revive(number).await;
    }
    game.site.is_ready(number).await
}

/// Onlookers who stay connected to a silent node.
struct Onlookers {
    /// The number each has seen last, with the table's code.
    seen: Vec<(String, Arc<AtomicU64>)>,
    tasks: JoinSet<anyhow::Result<()>>,
}

impl Onlookers {
    /// Connects them to a node.
    async fn at(game: &Game, node: usize) -> anyhow::Result<Onlookers> {
        let (mut tasks, mut seen) = (JoinSet::new(), Vec::new());
        let mut servers = game.site.servers();
        servers.rotate_left(node);
        let patience = Patience { silence: GIVE_UP, total: GIVE_UP, ..crate::crowd::eager() };
        for table in game.tables.iter().take(PATIENT) {
            let guest = servers[0].sign_in("Patience").await?;
            let client = Client::new(servers[0].clone(), &guest.token, &table.code);
            let mut client = client.with_others(servers[1..].to_vec()).with_patience(patience);
            let last = Arc::new(AtomicU64::new(0));
            seen.push((table.code.clone(), Arc::clone(&last)));
            tasks.spawn(async move {
                loop {
                    client.next().await?;
                    last.store(client.seen().unwrap_or(0), Ordering::Relaxed);
                }
            });
        }
        let mut onlookers = Onlookers { seen, tasks };
        onlookers.wait(|_| 1).await?;
        Ok(onlookers)
    }

    /// Waits until each has seen everything that the database has now, and returns how many there are.
    async fn are_told(mut self, game: &Game) -> anyhow::Result<u64> {
        let told = game.base.ask("SELECT invite, last FROM tables")?;
        let last = |code: &str| {
            let line = told.lines().find_map(|line| line.strip_prefix(code)?.strip_prefix('|'));
            line.and_then(|last| last.parse().ok()).unwrap_or(1)
        };
        self.wait(last).await?;
        self.tasks.shutdown().await;
        Ok(self.seen.len() as u64)
    }

    async fn wait(&mut self, last: impl Fn(&str) -> u64) -> anyhow::Result<()> {
        let begun = Instant::now();
        while self.seen.iter().any(|(code, seen)| seen.load(Ordering::Relaxed) < last(code)) {
            if let Some(ended) = self.tasks.try_join_next() {
                ended??;
            }
            let behind = self.seen.iter().filter(|(code, seen)| seen.load(Ordering::Relaxed) < last(code)).count();
            ensure!(begun.elapsed() < TOLD, "{behind} of {} onlookers were not told", self.seen.len());
            sleep(Duration::from_millis(10)).await;
        }
        Ok(())
    }
}

/// What a node is cut off from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum Cut {
    /// Node and database do not hear each other.
    Database,
    /// The database hears the node, but its answers are lost.
    AnswersOfDatabase,
    /// The database does not hear the node.
    WordsToDatabase,
    /// Node and other nodes do not hear each other.
    Nodes,
    /// The other nodes do not hear the node, but it hears them.
    WordsToNodes,
    /// The node does not hear the others, but they hear it.
    WordsOfNodes,
    /// The node hears nobody and is heard by nobody, except its clients.
    Both,
}

impl Cut {
    /// The cut in words.
    fn describe(self) -> &'static str {
        match self {
            Cut::Database => "the database",
            Cut::AnswersOfDatabase => "the database's answers",
            Cut::WordsToDatabase => "asking the database",
            Cut::Nodes => "the other nodes",
            Cut::WordsToNodes => "talking to the other nodes",
            Cut::WordsOfNodes => "hearing the other nodes",
            Cut::Both => "database and nodes",
        }
    }

    /// Which directions are cut: to the database, from it, to the other nodes, from them.
    fn lost(self) -> [bool; 4] {
        match self {
            Cut::Database => [true, true, false, false],
            Cut::AnswersOfDatabase => [false, true, false, false],
            Cut::WordsToDatabase => [true, false, false, false],
            Cut::Nodes => [false, false, true, true],
            Cut::WordsToNodes => [false, false, true, false],
            Cut::WordsOfNodes => [false, false, false, true],
            Cut::Both => [true; 4],
        }
    }

    /// Cuts, or mends the cut.
    fn set(self, game: &Game, network: Option<&Network>, node: usize, held: bool) -> anyhow::Result<()> {
        let [asking, answers, words, hearing] = self.lost();
        let others: Vec<usize> = (0..game.site.nodes.len()).filter(|other| *other != node).collect();
        if let Some(network) = network {
            if !held {
                return network.mend(node);
            }
            let addresses: Vec<_> = others.iter().map(|other| network.address(*other)).collect();
            let database = Peers { addresses: &[network.home()], out: asking, into: answers };
            let nodes = Peers { addresses: &addresses, out: words, into: hearing };
            return network.cut(node, (game.base.port(node), database), nodes);
        }
        let wire = &game.base.wires[node];
        if asking {
            wire.there.hold(held);
        }
        if answers {
            wire.back.hold(held);
        }
        for other in others {
            if words {
                game.site.way(node, other).hold(held);
            }
            if hearing {
                game.site.way(other, node).hold(held);
            }
        }
        Ok(())
    }
}

/// Cuts a random node off, in every way.
pub(crate) async fn cuts(plan: &Plan) -> anyhow::Result<Vec<Line>> {
    cut_off("cuts", plan, None).await
}

/// The same with every node in a network namespace of its own, where the kernel drops packets.
pub(crate) async fn partitions(plan: &Plan) -> anyhow::Result<Vec<Line>> {
    let network = Arc::new(Network::start(several(plan))?);
    cut_off("namespaces", plan, Some(network)).await
}

async fn cut_off(what: &'static str, plan: &Plan, network: Option<Arc<Network>>) -> anyhow::Result<Vec<Line>> {
    let setting = Setting { lease: plan.lease, network: network.clone(), ..Setting::default() };
    let mut game = Game::begin_with(plan, several(plan), &[], &setting).await?;
    let mut chance = Seeded::new(plan.seed);
    let mut lines = Vec::new();
    let ways = if plan.ways.is_empty() { Cut::VARIANTS } else { &plan.ways };
    for cut in ways {
        let name = cut.describe();
        let mut pauses = Pauses::default();
        for _ in 0..plan.cuts {
            moment(&mut chance).await;
            let owners = game.owners()?;
            let victim = random_owner(&owners, &mut chance)?;
            let run = owners.values().filter(|node| **node == victim).count();
            game.crowd.watch_pauses();
            let begun = Instant::now();
            cut.set(&game, network.as_deref(), victim, true)?;
            let back = until_all_play(&mut game.crowd, begun + ON_ITS_WAY, begun).await;
            game.note(&owners, victim, &mut pauses);
            sleep_until((begun + plan.away).into()).await;
            cut.set(&game, network.as_deref(), victim, false)?;
            let back = back.with_context(|| format!("node {} cut off from {name}", victim + 1))?;
            rejoin(&mut game, victim).await?;
            let back = back.as_secs_f64();
            eprintln!("node {} with {run} tables cut off from {name}: all play after {back:.1} s", victim + 1);
        }
        pauses.own.extend(pauses.others);
        lines.push(bounded(what, &format!("without {name}: tables play on"), &pauses.own, 99.0, ELSEWHERE + OTHERS));
    }
    let outcome = game.end().await?;
    lines.insert(0, outcome.promises(what, &format!("{} cuts", plan.cuts as usize * ways.len())));
    Ok(lines)
}

/// Restarts all nodes one after the other, as in a rolling update.
pub(crate) async fn rolling(plan: &Plan) -> anyhow::Result<Vec<Line>> {
    let mut game = Game::begin(plan, several(plan), &[]).await?;
    let mut pauses = Pauses::default();
    for number in 1..=plan.rolls {
        for node in 0..game.site.nodes.len() {
            game.crowd.check()?;
            let owners = game.owners()?;
            game.crowd.watch_pauses();
            game.site.stop(node).await?;
            let stopped = Instant::now();
            game.site.revive(node).await?;
            until_all_play(&mut game.crowd, stopped, stopped).await?;
            game.note(&owners, node, &mut pauses);
        }
        eprintln!("restart {number} of {}", plan.rolls);
    }
    let outcome = game.end().await?;
    let refused = outcome.refusals.clone();
    pauses.own.extend(pauses.others);
    let mut lines = vec![
        outcome.promises("rolling", &format!("{} restarts of all nodes", plan.rolls)),
        bounded("rolling", "pauses of all tables", &pauses.own, 100.0, RESTART),
    ];
    // Races for the same turn are part of the game; refusals by a server are not.
    let is_of_server = |code: &str| ServerCode::VARIANTS.iter().any(|of_server| <&str>::from(of_server) == code);
    let count: u64 = refused.iter().filter(|(code, _)| is_of_server(code)).map(|(_, count)| count).sum();
    lines.push(Line {
        what: "rolling",
        must: "no request refused by a server that restarts".to_owned(),
        measured: format!("{count} refused"),
        holds: count == 0,
        timed: false,
    });
    Ok(lines)
}
