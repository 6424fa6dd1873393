//! `unum bench lab`: how much of the engine's speed is left when bots play and everything is counted.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use rand_core::SeedableRng;
use rand_pcg::Pcg64Mcg;
use serde::Serialize;
use unum_bots::{Bot, Level, LevelBot};
use unum_lab::{Crew, Entrant, LineUp, Seating, Simulation, Unit};
use unum_rules::playout::Casual;
use unum_rules::{Action, Edition, Round, Rules, SeenEvent, Sight};

use super::bench::median;
use crate::crew::CrewArgs;
use crate::output::{print, to_json};
use crate::report::text::{Table, count};

/// Measure the laboratory next to the bare engine.
///
/// Measured alternately in one run: the bare engine in one thread, `unum simulate` with random bots and all its
/// statistics in one thread, and the same in all threads. Then every level against itself, in one thread: rounds per
/// second, and how long a decision takes. Rates are medians.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only this many players
    #[arg(long, value_parser = super::players_value)]
    players: Option<u8>,

    /// Seconds to measure each line
    #[arg(long, default_value_t = 2.0)]
    seconds: f64,

    /// Write JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    crew: CrewArgs,
}

/// Rounds of one turn of measuring, per thread.
const BATCH: u64 = 32_768;

/// Players of the tables at which the levels are measured.
const LEVEL_PLAYERS: [u8; 2] = [2, 4];

#[derive(Serialize)]
struct Report {
    lines: Vec<Line>,
    levels: Vec<LevelLine>,
}

/// Rounds per second.
#[derive(Serialize)]
struct Line {
    players: u8,
    bare: f64,
    simulate: f64,
    /// What is left of the bare engine's speed.
    share_of_bare: f64,
    threads: usize,
    simulate_all_threads: f64,
    /// All threads against one.
    speed_up: f64,
}

#[derive(Serialize)]
struct LevelLine {
    level: &'static str,
    players: u8,
    rounds_per_second: f64,
    decision: DecisionTimes,
}

/// How long decisions take, in microseconds. An expert decides at once where there is nothing to think about.
#[derive(Serialize)]
struct DecisionTimes {
    count: usize,
    mean: f64,
    median: f64,
    /// 999 of 1,000 are faster.
    slowest_but_one_in_1000: f64,
    slowest: f64,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    anyhow::ensure!(args.seconds > 0.0 && args.seconds <= 3600.0, "--seconds must be above 0 and at most 3600");
    let time = Duration::from_secs_f64(args.seconds);
    let players = args.players.map_or(vec![2, 4, 10], |players| vec![players]);
    let lines = players.iter().map(|players| measure(*players, args.crew.threads(), time));
    let lines = lines.collect::<anyhow::Result<Vec<_>>>()?;
    let tables = args.players.map_or(LEVEL_PLAYERS.to_vec(), |players| vec![players]);
    let cases = Level::ALL.iter().flat_map(|level| tables.iter().map(move |players| (*level, *players)));
    let levels = cases.map(|(level, players)| measure_level(level, players, time));
    let report = Report { lines, levels: levels.collect::<anyhow::Result<Vec<_>>>()? };
    print(&if args.json { to_json(&report)? } else { report.to_text() })
}

impl Report {
    fn to_text(&self) -> String {
        let mut table = Table::new(&["players", "bare", "simulate", "of bare", "threads", "simulate", "speed-up"]);
        for line in &self.lines {
            table.row([
                line.players.to_string(),
                count(line.bare as u64),
                count(line.simulate as u64),
                format!("{:.2}", line.share_of_bare),
                line.threads.to_string(),
                count(line.simulate_all_threads as u64),
                format!("{:.2}", line.speed_up),
            ]);
        }
        let mut levels =
            Table::new(&["level", "players", "rounds/s", "µs/decision", "median", "99.9 % below", "slowest"]);
        for line in &self.levels {
            let times = &line.decision;
            let [mean, median, most, slowest] =
                [times.mean, times.median, times.slowest_but_one_in_1000, times.slowest]
                    .map(|time| format!("{time:.2}"));
            let rate = count(line.rounds_per_second as u64);
            levels.row([line.level.to_owned(), line.players.to_string(), rate, mean, median, most, slowest]);
        }
        format!(
            "Rounds per second of edition original.\n\n{}\nEvery level against itself, in one thread.\n\n{}",
            table.to_text(),
            levels.to_text()
        )
    }
}

fn measure(players: u8, threads: usize, time: Duration) -> anyhow::Result<Line> {
    let rules = [Rules::of(Edition::Original)];
    let line_up = same(Level::Random, players)?;
    let [mut bare, mut alone, mut together] = [const { Vec::new() }; 3];
    let begin = Instant::now();
    while begin.elapsed() < time || bare.is_empty() {
        let seed = bare.len() as u64;
        bare.push(rate(BATCH, || play_bare(&rules[0], players, seed)));
        alone.push(simulate(&rules, &line_up, BATCH, seed, 1)?);
        together.push(simulate(&rules, &line_up, BATCH * threads as u64, seed, threads)?);
    }
    let (bare, simulate, all) = (median(&mut bare), median(&mut alone), median(&mut together));
    Ok(Line {
        players,
        bare,
        simulate,
        share_of_bare: simulate / bare,
        threads,
        simulate_all_threads: all,
        speed_up: all / simulate,
    })
}

/// Batches get larger until one takes long enough to be measured.
fn measure_level(level: Level, players: u8, time: Duration) -> anyhow::Result<LevelLine> {
    let rules = [Rules::of(Edition::Original)];
    let line_up = same(level, players)?;
    let (mut rounds, mut rates) = (1, Vec::new());
    let begin = Instant::now();
    while begin.elapsed() < time || rates.is_empty() {
        let rate = simulate(&rules, &line_up, rounds, rates.len() as u64, 1)?;
        if rounds as f64 / rate < time.as_secs_f64() / 20.0 {
            rounds *= 2;
            rates.clear();
        }
        rates.push(rate);
    }
    let decision = measure_decisions(level, players, time, &rules[0])?;
    Ok(LevelLine { level: level.id(), players, rounds_per_second: median(&mut rates), decision })
}

/// A bot with a stop watch.
struct Timed {
    bot: LevelBot,
    times: Vec<f64>,
}

impl Bot for Timed {
    fn begin(&mut self, sight: &Sight<'_>) {
        self.bot.begin(sight);
    }

    fn listens(&self) -> bool {
        self.bot.listens()
    }

    fn see(&mut self, event: &SeenEvent) {
        self.bot.see(event);
    }

    fn act(&mut self, sight: &Sight<'_>) -> Action {
        let begin = Instant::now();
        let action = self.bot.act(sight);
        self.times.push(begin.elapsed().as_nanos() as f64 / 1e3);
        action
    }

    fn react(&mut self, sight: &Sight<'_>) -> Option<Action> {
        self.bot.react(sight)
    }
}

fn measure_decisions(level: Level, players: u8, time: Duration, rules: &Rules) -> anyhow::Result<DecisionTimes> {
    let mut bots: Vec<Timed> =
        (0..players).map(|seat| Timed { bot: LevelBot::new(level, u64::from(seat)), times: Vec::new() }).collect();
    let mut chance = Pcg64Mcg::seed_from_u64(1);
    let begin = Instant::now();
    for number in 0.. {
        let dealer = (number % u64::from(players)) as u8;
        let mut round = Round::deal(rules, players, dealer, &mut chance, &mut ())?;
        Seating { rules, bots: &mut bots, scores: &[] }.play(&mut round, &mut chance, &mut ());
        if begin.elapsed() >= time {
            break;
        }
    }
    let mut times: Vec<f64> = bots.into_iter().flat_map(|bot| bot.times).collect();
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    let median = median(&mut times);
    let at = |share: f64| times[(times.len() as f64 * share) as usize];
    let (most, slowest) = (at(0.999), times[times.len() - 1]);
    Ok(DecisionTimes { count: times.len(), mean, median, slowest_but_one_in_1000: most, slowest })
}

fn same(level: Level, players: u8) -> anyhow::Result<LineUp<Entrant>> {
    Ok(LineUp::new((0..players).map(|_| (level.id().to_owned(), Entrant::from(level))))?)
}

/// What the rules crate can do without bots and statistics.
fn play_bare(rules: &Rules, players: u8, seed: u64) {
    let mut chance = Pcg64Mcg::seed_from_u64(seed);
    for number in 0..BATCH {
        let dealer = (number % u64::from(players)) as u8;
        if let Ok(mut round) = Round::deal(rules, players, dealer, &mut chance, &mut ()) {
            Casual.finish(&mut round, rules, &mut chance);
        }
    }
}

fn simulate(rules: &[Rules], line_up: &LineUp<Entrant>, games: u64, seed: u64, threads: usize) -> anyhow::Result<f64> {
    let simulation = Simulation { rules, line_up, unit: Unit::Round, games, seed, adjustment: None, recorded: false };
    let mut crew = Crew { threads, stop: &AtomicBool::new(false), progress: &mut |_| {} };
    let begin = Instant::now();
    simulation.run(&mut crew)?;
    Ok(games as f64 / begin.elapsed().as_secs_f64())
}

/// Rounds per second.
fn rate(rounds: u64, work: impl FnOnce()) -> f64 {
    let begin = Instant::now();
    work();
    rounds as f64 / begin.elapsed().as_secs_f64()
}
