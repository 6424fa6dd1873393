//! `unum bench`: how fast the engine is on this machine, next to a bare shuffle.

use std::time::{Duration, Instant};

use rand_core::SeedableRng;
use rand_pcg::Pcg64Mcg;
use serde::Serialize;
use unum_rules::playout::Casual;
use unum_rules::record::Digest;
use unum_rules::{Card, Chance, Edition, Match, Round, Rules, Seeded};

use crate::output::{print, to_json};
use crate::report::text::count;

/// Measure random rounds per second, next to a bare shuffle.
///
/// Rounds are played by the full rules: a random playable card, or a draw if there is none; challenges, calls and
/// catches at random. The baseline is one Fisher-Yates shuffle of 108 cards with the same generator. Both are measured
/// alternately in one thread, and their medians compared, so the last column means the same on a busy machine and an
/// idle one.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: Option<What>,
    /// Only this edition
    #[arg(long, value_parser = super::edition_value(), hide_possible_values = true)]
    edition: Option<Edition>,
    /// Only this many players
    #[arg(long, value_parser = super::players_value)]
    players: Option<u8>,
    /// Only this random generator: the fast one of simulations, or the standard one of matches and records
    #[arg(long, value_enum)]
    generator: Option<Generator>,
    /// Seconds to measure each line
    #[arg(long, default_value_t = 0.5)]
    seconds: f64,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

#[derive(clap::Subcommand)]
enum What {
    Lab(super::bench_lab::Args),
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
enum Generator {
    /// PCG, 64 bits
    Fast,
    /// ChaCha8
    Standard,
}

/// Rounds and shuffles of one turn of measuring.
const BATCH: u32 = 500;

#[derive(Serialize)]
struct Line {
    generator: Generator,
    edition: Edition,
    players: u8,
    rounds_per_second: f64,
    nanoseconds_per_round: f64,
    nanoseconds_per_shuffle: f64,
    shuffles_per_round: f64,
    actions_per_round: f64,
}

#[derive(Serialize)]
struct Report {
    /// One number over fixed games: it changes when the rules do.
    signature: String,
    lines: Vec<Line>,
}

pub(crate) fn run(args: Args) -> anyhow::Result<()> {
    if let Some(What::Lab(args)) = &args.what {
        return super::bench_lab::run(args);
    }
    anyhow::ensure!(args.seconds > 0.0 && args.seconds <= 3600.0, "--seconds must be above 0 and at most 3600");
    let editions = args.edition.map_or(Edition::ALL.to_vec(), |edition| vec![edition]);
    let players = args.players.map_or(vec![2, 4, 10], |players| vec![players]);
    let mut report = Report { signature: signature()?, lines: Vec::new() };
    if !args.json {
        print("generator  edition   players     rounds/s   ns/round  ns/shuffle  shuffles/round\n")?;
    }
    let generators = args.generator.map_or(vec![Generator::Fast, Generator::Standard], |generator| vec![generator]);
    for &generator in &generators {
        for &edition in &editions {
            for &players in &players {
                let line = generator.measure(edition, players, Duration::from_secs_f64(args.seconds));
                if !args.json {
                    print(&line.to_text())?;
                }
                report.lines.push(line);
            }
        }
    }
    print(&if args.json { to_json(&report)? } else { format!("signature {}\n", report.signature) })
}

impl Generator {
    fn measure(self, edition: Edition, players: u8, time: Duration) -> Line {
        match self {
            Generator::Fast => measure(self, edition, players, time, Pcg64Mcg::seed_from_u64(1)),
            Generator::Standard => measure(self, edition, players, time, Seeded::new(1)),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Generator::Fast => "fast",
            Generator::Standard => "standard",
        }
    }
}

impl Line {
    fn to_text(&self) -> String {
        format!(
            "{:<10} {:<9} {:>7} {:>12} {:>10} {:>11} {:>15.1}\n",
            self.generator.name(),
            self.edition,
            self.players,
            count(self.rounds_per_second.round() as u64),
            count(self.nanoseconds_per_round.round() as u64),
            count(self.nanoseconds_per_shuffle.round() as u64),
            self.shuffles_per_round
        )
    }
}

fn measure<C: Chance>(generator: Generator, edition: Edition, players: u8, time: Duration, mut chance: C) -> Line {
    let rules = Rules::of(edition);
    let mut cards = Rules::of(Edition::Original).deck().cards().to_vec();
    let (mut shuffles, mut rounds) = (Vec::new(), Vec::new());
    let (mut actions, mut dealt) = (0, 0u32);
    let begin = Instant::now();
    while begin.elapsed() < time || rounds.is_empty() {
        shuffles.push(clock(|| shuffle(&mut cards, &mut chance)));
        rounds.push(clock(|| {
            dealt += 1;
            let dealer = (dealt % u32::from(players)) as u8;
            if let Ok(mut round) = Round::deal(&rules, players, dealer, &mut chance, &mut ()) {
                actions += u64::from(Casual.finish(&mut round, &rules, &mut chance));
            }
        }));
    }
    let (shuffle, round) = (median(&mut shuffles), median(&mut rounds));
    Line {
        generator,
        edition,
        players,
        rounds_per_second: 1e9 / round,
        nanoseconds_per_round: round,
        nanoseconds_per_shuffle: shuffle,
        shuffles_per_round: round / shuffle,
        actions_per_round: actions as f64 / f64::from(dealt),
    }
}

/// The baseline.
#[inline(never)]
fn shuffle(cards: &mut [Card], chance: &mut impl Chance) {
    chance.shuffle(cards);
}

/// Nanoseconds per call over a batch of calls.
fn clock(mut call: impl FnMut()) -> f64 {
    let begin = Instant::now();
    for _ in 0..BATCH {
        call();
    }
    begin.elapsed().as_nanos() as f64 / f64::from(BATCH)
}

pub(super) fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// The digest of the digests of the final states of fixed rounds in every edition.
fn signature() -> anyhow::Result<String> {
    let mut states = Vec::new();
    for edition in Edition::ALL {
        for seed in 0..50 {
            states.push(final_state(edition, 2 + (seed % 9) as u8, seed)?);
        }
    }
    let states: Vec<&str> = states.iter().map(String::as_str).collect();
    Ok(Digest::of(&states).to_string()[..16].to_owned())
}

fn final_state(edition: Edition, players: u8, seed: u64) -> anyhow::Result<String> {
    let mut game = Match::new(Rules::of(edition), players, seed)?;
    let mut chance = Seeded::new(seed);
    while game.result().is_none() {
        let (seat, action) = Casual.choose(game.round(), game.rules(), &mut chance);
        game.apply(seat, &action, &mut ())?;
    }
    Ok(Digest::of_state(&game).to_string())
}
