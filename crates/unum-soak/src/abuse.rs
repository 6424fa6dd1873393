//! Abuse: clients that break every rule, and strangers who stay within the rules to exhaust a server, while others
//! play.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use unum_client::Server;
use unum_protocol::Level;

use crate::crowd::{Crowd, Gathering, Seats, gather};
use crate::exhaust;
use crate::player::Tally;
use crate::process::{ServerProcess, raise_file_limit};
use crate::raw::{Ending, Raw};
use crate::timing::{Times, millis};
use crate::verdict::{self, Line};

/// How long a server may take to answer to abuse.
const PATIENCE: Duration = Duration::from_secs(20);
/// The most onlookers at a table, leaving room for the players.
const ONLOOKERS: usize = 80;
/// The receive buffer of a client that does not read: small.
const SMALL_BUFFER: u32 = 4096;

/// What to run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The program `unum`.
    pub unum: PathBuf,
    /// Which attacks; all of them if none is named.
    pub attacks: Vec<Attack>,
    /// How many tables play on meanwhile.
    pub tables: usize,
    /// How many times peace and attack alternate.
    pub turns: usize,
    /// How long a turn is, of each.
    pub time: Duration,
    /// How many connections do not read what they are sent.
    pub stalled: usize,
    /// How long matches are played without end, to see whether memory grows.
    pub long: Duration,
    /// How many changes the long journal has.
    pub changes: u64,
    /// How many moves the match has whose replays are asked for.
    pub moves: usize,
    /// How long all attacks go on together.
    pub together: Duration,
    /// How many finished matches there are to be reviewed.
    pub reviews: u64,
    /// How many onlookers there are, with the host, and how many tables with experts.
    pub crowd: usize,
    /// For how long, at most, the time experts take is compared with their hands.
    pub watching: Duration,
}

impl Plan {
    /// A run in full.
    pub fn new(unum: PathBuf) -> Plan {
        Plan {
            unum,
            attacks: Vec::new(),
            tables: 20,
            turns: 5,
            time: Duration::from_secs(8),
            stalled: 1000,
            long: Duration::from_secs(600),
            changes: 1_000_000,
            moves: crate::prepared::LONGEST,
            together: Duration::from_secs(120),
            reviews: 64,
            crowd: 100,
            watching: Duration::from_secs(120),
        }
    }
}

/// What is done to the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum Attack {
    /// Broken frames and floods, at ten times the limit.
    Frames,
    /// Connections that do not read what they are sent.
    Readers,
    /// Matches between bots without end at one table.
    Matches,
    /// A table with a million small changes is loaded.
    Journal,
    /// Many replays of the longest match, at once and again and again.
    Replays,
    /// Reviews of finished matches, one after the other, as many as one guest may have.
    Reviews,
    /// A table full of onlookers who rename themselves and mute each other as fast as they may.
    Onlookers,
    /// As many tables with experts as one address may have.
    Experts,
    /// Matches, replays, onlookers and experts together: what they take of the disk.
    Together,
}

/// The limits of a usual server, but for those by address: everybody here has the same.
const FLAGS: &[&str] = &[
    "--connections=100000",
    "--connections-per-address=100000",
    "--requests-per-minute=10000000",
    "--new-guests-per-minute=10000000",
    "--new-tables-per-minute=10000000",
    "--new-guests-in-all-per-minute=10000000",
    "--new-tables-in-all-per-minute=10000000",
    "--tables=100000",
    "--tables-per-address=100000",
    "--hello-timeout=2",
    "--request-timeout=2",
];

/// Runs the attacks, each against a server of its own, and prints what has to hold next to what was measured.
///
/// # Errors
/// When something cannot be started, or does not hold.
pub async fn run(plan: &Plan) -> anyhow::Result<()> {
    raise_file_limit(plan.stalled as u64 * 2 + plan.tables as u64 * 16 + 2000)?;
    let all = <Attack as strum::VariantArray>::VARIANTS;
    let attacks = if plan.attacks.is_empty() { all } else { &plan.attacks };
    let mut lines = Vec::new();
    for attack in attacks {
        let of_attack = match attack {
            Attack::Frames | Attack::Readers => break_rules(plan, *attack).await,
            _ => exhaust::run(plan, *attack).await,
        };
        lines.extend(of_attack.with_context(|| format!("{attack:?}"))?);
    }
    verdict::tell(&lines)
}

/// Everything that breaks a rule once, then much of it, while others play.
async fn break_rules(plan: &Plan, attack: Attack) -> anyhow::Result<Vec<Line>> {
    let folder = TempDir::new()?;
    let process = start(&plan.unum, folder.path()).await?;
    let server = process.server();
    if attack == Attack::Frames {
        for (name, answer) in answers(server).await? {
            println!("{name:<28} {answer}");
        }
    }
    let others = others(plan);
    let tables = gather(server, others).await?;
    let before = process.memory();
    let (mut peace, mut war, mut count, mut highest) = (Vec::new(), Vec::new(), 0, before);
    // Alternating, so other load on the machine affects both.
    for turn in 1..=plan.turns {
        peace.push(play(&tables, others, plan.time).await?.times);
        if attack == Attack::Frames {
            let attackers = tokio::spawn(attackers(server.clone(), plan.time));
            war.push(play(&tables, others, plan.time).await?.times);
            count += attackers.await??;
        } else {
            let (times, memory) = stall(&process, &tables, others, plan).await?;
            war.push(times);
            (count, highest) = (plan.stalled as u64, highest.max(memory));
        }
        eprintln!("{attack:?}: {turn} of {}", plan.turns);
    }
    let mut lines = vec![slowness(attack, &peace, &war, count)];
    if attack == Attack::Readers {
        let added = highest.saturating_sub(before) >> 20;
        let measured = format!("+ {added} MiB by {count} connections");
        lines.push(Line {
            what: attack.into(),
            must: "memory + ≤ 100 MiB".to_owned(),
            measured,
            holds: added <= 100,
            timed: false,
        });
    }
    Ok(lines)
}

/// How much longer the others' p99 may get while attackers work on the same machine.
const SLOWER: f64 = 20.0;

fn slowness(attack: Attack, peace: &[Times], war: &[Times], count: u64) -> Line {
    let (base, p99) = (medians(peace).1, medians(war).1);
    let slower = 100.0 * p99.as_secs_f64() / base.as_secs_f64().max(1e-6) - 100.0;
    let turns = turns_of(war);
    let measured = format!("{} → {} ms, {slower:+.0} %, {turns}, by {count} connections", millis(base), millis(p99));
    Line {
        what: attack.into(),
        must: "p99 of others + ≤ 20 %".to_owned(),
        measured,
        holds: slower <= SLOWER,
        timed: true,
    }
}

/// How many turns a median is made of, and whether those are enough to rely on it.
pub(crate) fn turns_of(turns: &[Times]) -> String {
    let few = if turns.len() < ENOUGH_TURNS { " only" } else { "" };
    format!("{} turns{few}", turns.len())
}

/// How many turns a median needs.
const ENOUGH_TURNS: usize = 5;

/// The medians of each turn's 50th and 99th percentile.
pub(crate) fn medians(turns: &[Times]) -> (Duration, Duration) {
    let median = |percent: f64| {
        let mut times: Vec<Duration> = turns.iter().map(|times| times.percentile(percent)).collect();
        times.sort_unstable();
        times.get(times.len() / 2).copied().unwrap_or_default()
    };
    (median(50.0), median(99.0))
}

fn others(plan: &Plan) -> Gathering {
    Gathering {
        tables: plan.tables,
        people: 4,
        bots: 0,
        think: Duration::from_millis(60),
        notes: false,
        level: Level::Normal,
    }
}

/// Starts a server for [`answers`].
///
/// # Errors
/// When it cannot be started.
pub async fn start(unum: &Path, data: &Path) -> anyhow::Result<ServerProcess> {
    ServerProcess::start_with(unum, data, FLAGS.iter().map(|flag| (*flag).to_owned()).collect()).await
}

/// The others play for a while.
pub(crate) async fn play(tables: &[Seats], others: Gathering, time: Duration) -> anyhow::Result<Tally> {
    let mut crowd = Crowd::begin(tables, others).await?;
    let begun = Instant::now();
    while begun.elapsed() < time {
        tokio::time::sleep(Duration::from_millis(100)).await;
        crowd.check()?;
    }
    let mut sum = Tally::default();
    crowd.end().await?.into_iter().for_each(|report| sum.merge(report.tally));
    Ok(sum)
}

/// Somebody with a table of their own, where two sit and one looks on.
struct Ground {
    server: Server,
    code: String,
    host: String,
    guest: String,
}

impl Ground {
    async fn new(server: &Server) -> anyhow::Result<Ground> {
        let host = server.sign_in("Host").await?.token;
        let guest = server.sign_in("Guest").await?.token;
        let code = server.open_table(&host, &json!({"seats": 2, "pace": "instant"})).await?.code;
        Ok(Ground { server: server.clone(), code, host, guest })
    }

    async fn join(&self) -> anyhow::Result<Raw> {
        let mut raw = Raw::join(&self.server, &self.host, &self.code, None).await?;
        raw.hear("snapshot", PATIENCE).await?;
        Ok(raw)
    }

    /// What follows upon a frame.
    async fn after_frame(&self, first: u8, payload: &[u8]) -> anyhow::Result<Ending> {
        let mut raw = self.join().await?;
        raw.frame(first, payload).await?;
        Ok(raw.ending(PATIENCE).await)
    }

    /// What follows upon a first message.
    async fn after_hello(&self, hello: &Value) -> anyhow::Result<Ending> {
        let mut raw = Raw::connect(&self.server, None).await?;
        raw.say(hello).await?;
        Ok(raw.ending(PATIENCE).await)
    }
}

fn expect(ending: &Ending, bye: &str, close: u16) -> anyhow::Result<String> {
    ensure!(ending.bye.as_deref() == Some(bye) && ending.close == Some(close), "{bye} ({close}) expected: {ending:?}");
    Ok(ending.describe())
}

/// Every kind of abuse once, with what the server says to it.
///
/// # Errors
/// When it is not what docs/protocol.md says.
pub async fn answers(server: &Server) -> anyhow::Result<Vec<(&'static str, String)>> {
    let ground = Ground::new(server).await?;
    let mut answers = Vec::new();
    let long = format!("{:x<4097}", r#"{"type":"chat","id":1,"text":"#);
    for (name, first, payload, bye, close) in [
        ("4 KiB and a byte", 0x81, long.as_bytes(), "too_long", 1009),
        ("not UTF-8", 0x81, &[0xff, 0xfe, 0xfd][..], "not_utf8", 1007),
        ("binary", 0x82, b"{}", "not_text", 1003),
        ("compressed", 0xc1, b"\xaa\x56\x2a\xa9\x2c\x48", "protocol", 1002),
        ("an unknown kind of frame", 0x83, b"{}", "protocol", 1002),
        ("a continuation of nothing", 0x80, b"{}", "protocol", 1002),
    ] {
        let ending = ground.after_frame(first, payload).await.with_context(|| name.to_owned())?;
        answers.push((name, expect(&ending, bye, close).with_context(|| name.to_owned())?));
    }
    let hello =
        |version: u32, table: &str, token: &str| json!({"hello": {"version": version, "table": table, "token": token}});
    for (name, hello, bye, close) in [
        ("no hello", json!({"ping": {}}), "bad_hello", 4006),
        ("another version", hello(99, &ground.code, &ground.host), "bad_version", 4007),
        ("a made-up token", hello(1, &ground.code, "0123456789abcdef"), "no_guest", 4008),
        ("a made-up table", hello(1, "nowhere", &ground.host), "no_table", 4009),
    ] {
        let ending = ground.after_hello(&hello).await.with_context(|| name.to_owned())?;
        answers.push((name, expect(&ending, bye, close).with_context(|| name.to_owned())?));
    }
    answers.push(("fragments without end", fragments(&ground).await.context("fragments without end")?));
    answers.push(("half a message, then silence", half_open(&ground).await.context("half-open")?));
    answers.push(("unmasked frames", unmasked(&ground).await.context("unmasked")?));
    answers.push(("10 × the limit", flood(&ground).await.context("flood")?));
    answers.push(("an old message again", replay(&ground).await.context("replay")?));
    answers.push(("another seat's action", foreign_action(&ground).await.context("another seat")?));
    Ok(answers)
}

async fn fragments(ground: &Ground) -> anyhow::Result<String> {
    let mut raw = ground.join().await?;
    raw.frame(0x01, &[b'x'; 1000]).await?;
    for _ in 0..8 {
        // The server may have closed already.
        let _ = raw.frame(0x00, &[b'x'; 1000]).await;
    }
    expect(&raw.ending(PATIENCE).await, "too_long", 1009)
}

async fn unmasked(ground: &Ground) -> anyhow::Result<String> {
    let mut raw = ground.join().await?;
    raw.bytes(b"\x81\x0f{\"type\":\"ping\"}").await?;
    expect(&raw.ending(PATIENCE).await, "protocol", 1002)
}

/// A handshake that never ends, and a WebSocket without a hello.
async fn half_open(ground: &Ground) -> anyhow::Result<String> {
    let mut tcp = TcpStream::connect(ground.server.authority()).await?;
    tcp.write_all(b"GET /ws HTTP/1.1\r\nHost: x\r\n").await?;
    let mut rest = Vec::new();
    let closed = tokio::time::timeout(PATIENCE, tcp.read_to_end(&mut rest)).await;
    ensure!(closed.is_ok(), "half a handshake is kept open");
    let mut raw = Raw::connect(&ground.server, None).await?;
    let silent = expect(&raw.ending(PATIENCE).await, "no_hello", 4005)?;
    Ok(format!("handshake closed; without hello {silent}"))
}

/// Two hundred messages a second until the server disconnects.
async fn flood(ground: &Ground) -> anyhow::Result<String> {
    let mut raw = ground.join().await?;
    let text = json!({"id": 1_000_000, "request": {"type": "chat", "text": "buy"}});
    for _ in 0..400 {
        for _ in 0..2 {
            if raw.say(&text).await.is_err() {
                break;
            }
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let ending = raw.ending(PATIENCE).await;
    let refused = ending.heard.get("too_fast").copied().unwrap_or(0);
    ensure!(refused > 0, "nothing was refused as too fast: {ending:?}");
    Ok(format!("{refused} × too_fast, then {}", expect(&ending, "flood", 4004)?))
}

async fn replay(ground: &Ground) -> anyhow::Result<String> {
    let mut raw = ground.join().await?;
    let text = json!({"id": 2_000_000, "request": {"type": "chat", "text": "once"}});
    raw.say(&text).await?;
    raw.hear("update", PATIENCE).await?;
    raw.say(&text).await?;
    raw.say(&json!({"id": 7, "request": {"type": "chat", "text": "old"}})).await?;
    for id in [2_000_000, 7] {
        let done = raw.hear("done", PATIENCE).await?;
        ensure!(done["id"] == id, "{done}");
    }
    Ok("done, not carried out again".to_owned())
}

/// In a game of two: whose turn it is not, and a request that names another seat.
async fn foreign_action(ground: &Ground) -> anyhow::Result<String> {
    let mut host = ground.join().await?;
    let mut guest = Raw::join(&ground.server, &ground.guest, &ground.code, None).await?;
    guest.hear("snapshot", PATIENCE).await?;
    host.say(&json!({"id": 3_000_000, "request": {"type": "accept", "agreement": 1}})).await?;
    guest.say(&json!({"id": 1, "request": {"type": "accept", "agreement": 1}})).await?;
    guest.say(&json!({"id": 2, "request": {"type": "ready", "ready": true}})).await?;
    host.hear("ready", PATIENCE).await?;
    host.say(&json!({"id": 3_000_001, "request": {"type": "start"}})).await?;
    let mut seats = [host, guest];
    for raw in &mut seats {
        raw.hear("dealt", PATIENCE).await?;
    }
    let mut codes = Vec::new();
    for raw in &mut seats {
        raw.say(&json!({"id": 4_000_000, "request": {"type": "act", "action": {"type": "draw"}, "seat": 0}})).await?;
        let refused = raw.hear("refused", PATIENCE).await?;
        ensure!(refused["code"] == "bad_request", "{refused}");
        raw.say(&json!({"id": 4_000_000, "request": {"type": "act", "action": {"type": "keep"}}})).await?;
        codes.push(raw.hear("refused", PATIENCE).await?["code"].as_str().unwrap_or_default().to_owned());
    }
    ensure!(codes.contains(&"not_your_turn".to_owned()), "{codes:?}");
    Ok("refused: not_your_turn; with a seat in it bad_request".to_owned())
}

/// Attacks one after the other, some at a time, for as long as that takes. How many connections there were.
async fn attackers(server: Server, time: Duration) -> anyhow::Result<u64> {
    let begun = Instant::now();
    let mut crowd = JoinSet::new();
    for _ in 0..8 {
        let server = server.clone();
        crowd.spawn(async move {
            let mut count = 0;
            while begun.elapsed() < time {
                let ground = Ground::new(&server).await?;
                let long = [b'x'; 5000];
                for (first, payload) in [(0x81, &long[..]), (0x81, &[0xff; 20]), (0x82, &[0; 20]), (0xc1, &[0; 20])] {
                    ground.after_frame(first, payload).await?;
                    count += 1;
                }
                ground.after_hello(&json!({"hello": {"version": 1, "table": "x"}})).await?;
                flood(&ground).await?;
                count += 2;
            }
            anyhow::Ok(count)
        });
    }
    let mut count = 0;
    while let Some(done) = crowd.join_next().await {
        count += done??;
    }
    Ok(count)
}

/// Connections that never read, at tables where much is said. The times of the others, and the most memory.
async fn stall(
    process: &ServerProcess,
    tables: &[Seats],
    others: Gathering,
    plan: &Plan,
) -> anyhow::Result<(Times, u64)> {
    let stages = plan.stalled.div_ceil(ONLOOKERS);
    let busy = Gathering { tables: stages, think: Duration::from_millis(100), ..others };
    let seats = gather(process.server(), busy).await?;
    let talking = Crowd::begin(&seats, busy).await?;
    let mut stalled = Vec::new();
    for number in 0..plan.stalled {
        let token = process.server().sign_in("Snail").await?.token;
        let code = &seats[number % stages].code;
        stalled.push(Raw::join(process.server(), &token, code, Some(SMALL_BUFFER)).await?);
    }
    let playing = play(tables, others, plan.time);
    tokio::pin!(playing);
    let mut highest = process.memory();
    let times = loop {
        tokio::select! {
            sum = &mut playing => break sum?.times,
            () = tokio::time::sleep(Duration::from_millis(50)) => highest = highest.max(process.memory()),
        }
    };
    talking.end().await?;
    Ok((times, highest))
}
