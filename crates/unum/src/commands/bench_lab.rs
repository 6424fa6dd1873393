//! `unum bench lab`: how much of the engine's speed is left when bots play and everything is counted.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use rand_core::SeedableRng;
use rand_pcg::Pcg64Mcg;
use serde::Serialize;
use unum_bots::Level;
use unum_lab::{Crew, Entrant, LineUp, Simulation, Unit};
use unum_rules::playout::Casual;
use unum_rules::{Edition, Round, Rules};

use super::bench::median;
use crate::crew::CrewArgs;
use crate::output::{print, to_json};
use crate::report::text::{Table, count};

/// Measure the laboratory next to the bare engine.
///
/// In turns, in one run: the bare engine in one thread, `unum simulate` with random bots and all its
/// statistics in one thread, and the same in all threads. Then every level against itself, in one thread.
/// Rates are medians.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only this number of players
    #[arg(long, value_parser = clap::value_parser!(u8).range(2..=10))]
    players: Option<u8>,

    /// How long to measure each line, in seconds
    #[arg(long, default_value_t = 2.0)]
    seconds: f64,

    #[command(flatten)]
    crew: CrewArgs,

    /// Write JSON
    #[arg(long)]
    json: bool,
}

/// Rounds of one turn of measuring, per thread.
const BATCH: u64 = 32_768;

/// Players of the table at which the levels are measured.
const LEVEL_PLAYERS: u8 = 4;

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
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    anyhow::ensure!(args.seconds > 0.0 && args.seconds <= 3600.0, "--seconds goes from above 0 to 3600");
    let time = Duration::from_secs_f64(args.seconds);
    let players = args.players.map_or(vec![2, 4, 10], |players| vec![players]);
    let lines = players.iter().map(|players| measure(*players, args.crew.threads(), time));
    let lines = lines.collect::<anyhow::Result<Vec<_>>>()?;
    let levels = Level::ALL.into_iter().map(|level| measure_level(level, args.players, time));
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
        let mut levels = Table::new(&["level", "players", "rounds/s"]);
        for line in &self.levels {
            levels.row([line.level.to_owned(), line.players.to_string(), format!("{:.0}", line.rounds_per_second)]);
        }
        format!("Rounds per second of edition original.\n\n{}\n{}", table.to_text(), levels.to_text())
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
fn measure_level(level: Level, players: Option<u8>, time: Duration) -> anyhow::Result<LevelLine> {
    let players = players.unwrap_or(LEVEL_PLAYERS);
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
    Ok(LevelLine { level: level.id(), players, rounds_per_second: median(&mut rates) })
}

fn same(level: Level, players: u8) -> anyhow::Result<LineUp<Entrant>> {
    Ok(LineUp::new((0..players).map(|_| (level.id().to_owned(), Entrant::Level(level))))?)
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
    let simulation = Simulation { rules, line_up, unit: Unit::Round, games, seed };
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
