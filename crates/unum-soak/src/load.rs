//! Load: many tables at once, next to an echo server.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::ensure;
use tempfile::TempDir;
use unum_client::Socket;
use unum_protocol::{ClientMsg, Hello, Level, VERSION};

use crate::crowd::{Crowd, Gathering, Seats, gather};
use crate::echo::{Echo, drive};
use crate::player::Tally;
use crate::process::{ServerProcess, own_processor_time, raise_file_limit};

/// What to run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The program `unum`.
    pub unum: PathBuf,
    /// The program that has the echo server.
    pub soak: PathBuf,
    /// How many tables.
    pub tables: usize,
    /// How many people at each.
    pub people: usize,
    /// How many bots at each.
    pub bots: usize,
    /// How long to play, and how long to echo, in each turn.
    pub time: Duration,
    /// How many times the game and the echoes alternate.
    pub turns: usize,
    /// Where the database is kept; in a temporary folder if nowhere.
    pub data: Option<PathBuf>,
}

/// Runs it and prints what was measured. Game and echoes alternate, so changes in the machine's speed affect all of
/// them.
///
/// # Errors
/// When something cannot be started, an action has no answer, or a promise was broken.
pub async fn run(plan: &Plan) -> anyhow::Result<()> {
    let connections = plan.tables * plan.people;
    raise_file_limit(connections as u64 * 2 + 1000)?;
    println!("{} tables × {} people and {} bots over {connections} connections", plan.tables, plan.people, plan.bots);
    let mut turns = Vec::new();
    for number in 1..=plan.turns {
        println!("turn {number} of {}", plan.turns);
        let folder = TempDir::new()?;
        let data = plan.data.as_ref().map_or(folder.path().to_owned(), |data| data.join(format!("turn-{number}")));
        let game = play(plan, &data).await?;
        let echo = measure_echo(plan, &game, "echo", Echo::Back).await?;
        let four = measure_echo(plan, &game, "echo to four", Echo::Four).await?;
        turns.push(Turn { game, echo, four });
    }
    summary(&turns);
    Ok(())
}

/// What was measured in a turn, all of it per second.
struct Turn {
    game: Game,
    /// Round trips of an echo, each a message to a client.
    echo: f64,
    /// Round trips of an echo to four, each four messages.
    four: f64,
}

/// How the game went.
struct Game {
    actions: f64,
    /// Actions, and what people say between rounds: each of them is journaled and told to everybody.
    requests: f64,
    messages: f64,
    /// One of the updates, of average length.
    sample: String,
}

/// Opens the tables on a new server, and plays.
async fn play(plan: &Plan, data: &Path) -> anyhow::Result<Game> {
    let process = ServerProcess::start(&plan.unum, data).await?;
    let gathering = Gathering {
        tables: plan.tables,
        people: plan.people,
        bots: plan.bots,
        think: Duration::ZERO,
        notes: false,
        level: Level::Normal,
    };
    let (tables, before) = idle(&process, gathering).await?;
    let mut crowd = Crowd::begin(&tables, gathering).await?;

    let (begun, actions, answers) = (Instant::now(), crowd.actions(), crowd.answers());
    let (processor, own) = (process.processor_time(), own_processor_time());
    while begun.elapsed() < plan.time {
        tokio::time::sleep(Duration::from_millis(100)).await;
        crowd.check()?;
    }
    let (seconds, done, answered) =
        (begun.elapsed().as_secs_f64(), crowd.actions() - actions, crowd.answers() - answers);
    let (processor, own) = (process.processor_time() - processor, own_processor_time() - own);
    let playing = process.memory();
    let mut sum = Tally::default();
    let mut unanswered = 0;
    let mut samples = Vec::new();
    for mut report in crowd.end().await? {
        unanswered += report.unanswered;
        samples.push(std::mem::take(&mut report.tally.sample));
        sum.merge(report.tally);
    }
    let speed = done as f64 / seconds;
    report(&sum, speed, [processor, own].map(|time| time.as_secs_f64() / done.max(1) as f64));
    let each = playing.saturating_sub(before) / 1024 / plan.tables as u64;
    println!("memory          {each} KiB per table after playing, its connections included");
    ensure!(unanswered == 0, "{unanswered} requests were not answered");
    ensure!(sum.requests == sum.answered, "{} requests, {} answers", sum.requests, sum.answered);
    println!("answers         all {} requests were answered, none was lost", sum.requests);
    let average = (sum.bytes / sum.messages.max(1)) as usize;
    let sample = samples.into_iter().min_by_key(|sample| sample.len().abs_diff(average)).unwrap_or_default();
    let requests = answered as f64 / seconds;
    let messages = requests * sum.messages as f64 / sum.answered.max(1) as f64;
    Ok(Game { actions: speed, requests, messages, sample })
}

/// `seconds` of the server's and the client's processor go into an action.
fn report(sum: &Tally, speed: f64, seconds: [f64; 2]) {
    println!("actions         {speed:.0} a second ({} rounds ended)", sum.rounds / 4);
    println!("times           {} from sending an action to its update", sum.times.describe());
    let [server, client] = seconds.map(|seconds| seconds * 1e6);
    println!("processor       {server:.0} µs of the server per action, {client:.0} µs of the client");
    println!("messages        {} of {} bytes on average", sum.messages, sum.bytes / sum.messages.max(1));
    if !sum.refusals.is_empty() {
        println!("refusals        {:?}", sum.refusals);
    }
}

/// Opens the tables and lets everybody come without doing anything, to see what that takes. Also the memory before.
async fn idle(process: &ServerProcess, gathering: Gathering) -> anyhow::Result<(Vec<Seats>, u64)> {
    let warm_up = Gathering { tables: 64, people: 1, ..gathering };
    gather(process.server(), warm_up).await?;
    let before = process.memory();
    let tables = gather(process.server(), gathering).await?;
    let opened = process.memory();
    let mut sockets = Vec::new();
    for (seats, guest) in tables.iter().flat_map(|seats| seats.guests.iter().map(move |guest| (seats, guest))) {
        let mut socket = Socket::connect(process.server()).await?;
        let (version, table, token) = (VERSION, seats.code.clone(), Some(guest.token.clone()));
        socket.send(&ClientMsg::Hello { hello: Hello { version, table, after: None, token } }.to_json()).await?;
        sockets.push(socket);
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    let connected = process.memory();
    let each = |from: u64, to: u64, count: usize| to.saturating_sub(from) as f64 / 1024.0 / count as f64;
    println!(
        "memory          {:.1} KiB per idle table, {:.1} KiB per idle connection at a table",
        each(before, opened, tables.len()),
        each(opened, connected, sockets.len())
    );
    Ok((tables, before))
}

/// The same client and as many connections, on a server that only echoes; its round trips a second.
async fn measure_echo(plan: &Plan, game: &Game, name: &str, echo: Echo) -> anyhow::Result<f64> {
    let pace = drive(&plan.soak, echo, plan.tables, &game.sample, plan.time).await?;
    println!(
        "{name:<15} {:.0} round trips a second of {} bytes, {}, {:.0} µs of the server each, {:.0} µs of the client",
        pace.round_trips,
        game.sample.len(),
        pace.times.describe(),
        pace.server.as_secs_f64() * 1e6,
        pace.client.as_secs_f64() * 1e6
    );
    println!("                actions are {:.0} % of that", 100.0 * game.actions / pace.round_trips);
    Ok(pace.round_trips)
}

/// One of the figures of a turn.
type Figure = fn(&Turn) -> f64;

/// The middle one of all turns, for each figure, and the ratios of every turn.
fn summary(turns: &[Turn]) {
    let middle = |figure: Figure| {
        let mut figures: Vec<f64> = turns.iter().map(figure).collect();
        figures.sort_unstable_by(f64::total_cmp);
        figures.get(figures.len() / 2).copied().unwrap_or_default()
    };
    let each = |figure: Figure| {
        let figures: Vec<String> = turns.iter().map(|turn| format!("{:.0}", 100.0 * figure(turn))).collect();
        figures.join(", ")
    };
    println!("median of all turns");
    println!(
        "throughput      {:.0} actions a second, {:.0} requests with those between rounds, {:.0} messages to clients",
        middle(|turn| turn.game.actions),
        middle(|turn| turn.game.requests),
        middle(|turn| turn.game.messages)
    );
    let ratios: [(&str, Figure); 5] = [
        ("actions to round trips of an echo to four", |turn| turn.game.actions / turn.four),
        ("requests to round trips of an echo to four", |turn| turn.game.requests / turn.four),
        ("messages to messages of an echo to four", |turn| turn.game.messages / (4.0 * turn.four)),
        ("actions to round trips of an echo to one", |turn| turn.game.actions / turn.echo),
        ("messages to messages of an echo to one", |turn| turn.game.messages / turn.echo),
    ];
    for (of, ratio) in ratios {
        println!("                {:.0} %, {of} (turns: {})", 100.0 * middle(ratio), each(ratio));
    }
}
