//! Shows that luck is measured without bias: over many rounds of every kind of table, the mean luck-adjusted result
//! equals the mean result, mean luck is zero, and percentiles are uniform.
//!
//! ```sh
//! cargo run --release -p unum-review --example unbiased -- 100000
//! cargo run --release -p unum-review --example unbiased -- 240000 --quantiles > crates/unum-review/src/percentiles.txt
//! cargo run --release -p unum-review --example unbiased -- 20000 --quantiles --edition custom
//! ```
//!
//! The argument is the number of rounds for each table. `--quantiles` prints the data for percentiles instead, or,
//! of another edition, its lines of `src/percentiles_by_edition.txt`. `--players 4` measures one table size only, and
//! `--edition custom` another edition than `original`.

#[path = "shared/table.rs"]
mod table;

use std::error::Error;
use std::time::Instant;

use unum_review::baseline::Baseline;
use unum_review::luck::RoundLuck;
use unum_rules::{Edition, Rules};

/// The tables measured.
const TABLES: [&str; 4] = ["random", "normal", "hard", "mixed"];
const PLAYERS: [u8; 3] = [2, 4, 7];

/// A mean with its standard error.
#[derive(Default)]
struct Mean {
    sum: f64,
    squares: f64,
    count: f64,
}

impl Mean {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.squares += value * value;
        self.count += 1.0;
    }

    fn mean(&self) -> f64 {
        self.sum / self.count
    }

    fn variance(&self) -> f64 {
        self.squares / self.count - self.mean().powi(2)
    }

    fn error(&self) -> f64 {
        (self.variance() / self.count).sqrt()
    }
}

/// The Kolmogorov–Smirnov distance to the uniform distribution.
fn kolmogorov_smirnov(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    let count = figures.len() as f64;
    let distance = |(place, figure): (usize, &f64)| {
        (figure - place as f64 / count).abs().max((figure - (place + 1) as f64 / count).abs())
    };
    figures.iter().enumerate().map(distance).fold(0.0, f64::max)
}

struct Study {
    result: Mean,
    adjusted: Mean,
    luck: Mean,
    percentiles: Vec<f64>,
    unbalanced: f64,
}

fn study(rules: &Rules, table: &str, players: u8, rounds: u64) -> Study {
    let baseline = Baseline::of(rules, players);
    let mut study = Study {
        result: Mean::default(),
        adjusted: Mean::default(),
        luck: Mean::default(),
        percentiles: Vec::new(),
        unbalanced: 0.0,
    };
    for number in 0..rounds {
        let (winner, luck) = table::play(rules, players, table, number, &baseline);
        let seat = seat_in(number, players);
        let result = winner.map_or(1.0 / f64::from(players), |winner| f64::from(u8::from(winner == seat)));
        study.result.add(result);
        study.adjusted.add(luck.adjusted(seat, result));
        study.luck.add(luck.total(seat));
        study.percentiles.push(percentile(&luck, seat));
        let sum: f64 = (0..players).map(|seat| luck.total(seat)).sum();
        study.unbalanced = study.unbalanced.max(sum.abs());
    }
    study
}

/// One seat a round, since seats of one round are not independent. Its place behind the dealer changes.
fn seat_in(number: u64, players: u8) -> u8 {
    (number / u64::from(players) % u64::from(players)) as u8
}

fn percentile(luck: &RoundLuck, seat: u8) -> f64 {
    unum_review::percentile::of(luck, seat)
}

fn quantiles(rounds: u64, sizes: &[u8]) {
    for players in sizes.iter().copied() {
        let rules = Rules::of(Edition::Original);
        let baseline = Baseline::of(&rules, players);
        let per_table = rounds / TABLES.len() as u64;
        let mut figures: Vec<(f64, f64)> = TABLES
            .into_iter()
            .flat_map(|table| (0..per_table).map(move |number| (table, number)))
            .map(|(table, number)| {
                let (_, luck) = table::play(&rules, players, table, number | 1 << 41, &baseline);
                let seat = seat_in(number, players);
                (luck.spread(seat), luck.deviations(seat))
            })
            .collect();
        unum_review::percentile::write(players, &mut figures).iter().for_each(|line| println!("{line}"));
    }
}

/// The same for an edition in which luck comes in other portions. It is about shares of rounds, so all seats can count.
fn shares(rules: &Rules, rounds: u64, sizes: &[u8]) {
    for players in sizes.iter().copied() {
        let baseline = Baseline::of(rules, players);
        let lucks = (0..rounds).map(|number| {
            let table = TABLES[(number / u64::from(players)) as usize % TABLES.len()];
            table::play(rules, players, table, number | 1 << 41, &baseline).1
        });
        let shares =
            lucks.flat_map(|luck| (0..players).map(move |seat| unum_review::percentile::in_original(&luck, seat)));
        let mut shares: Vec<f64> = shares.collect();
        println!("{}", unum_review::percentile::write_edition(rules.edition(), players, &mut shares));
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let rounds: u64 = arguments.first().ok_or("say how many rounds")?.parse()?;
    let option = |name: &str| arguments.iter().position(|one| one == name).and_then(|at| arguments.get(at + 1));
    let edition = option("--edition").map_or(Some(Edition::Original), |name| Edition::parse(name));
    let rules = Rules::of(edition.ok_or("no such edition")?);
    let sizes = option("--players").map(|players| players.parse::<u8>()).transpose()?.map(|players| vec![players]);
    if arguments.iter().any(|argument| argument == "--quantiles") {
        let sizes = sizes.unwrap_or_else(|| (2..=10).collect());
        match rules.edition() {
            Edition::Original => quantiles(rounds, &sizes),
            _ => shares(&rules, rounds, &sizes),
        }
        return Ok(());
    }
    println!("{rounds} rounds of each table, one seat of each; means with standard errors, in points");
    println!("table    players  result         adjusted       luck          factor  KS     sum       a round");
    for players in sizes.unwrap_or_else(|| PLAYERS.to_vec()) {
        for table in TABLES {
            let begin = Instant::now();
            let study = study(&rules, table, players, rounds);
            let time = begin.elapsed().as_secs_f64() * 1e6 / rounds as f64;
            let points = |mean: &Mean| format!("{:6.2} ± {:.2}", mean.mean() * 100.0, mean.error() * 100.0);
            println!(
                "{table:8} {players:7}  {}  {}  {}  {:6.2}  {:.4} {:.0e}  {time:.0} µs",
                points(&study.result),
                points(&study.adjusted),
                points(&study.luck),
                study.result.variance() / study.adjusted.variance(),
                kolmogorov_smirnov(study.percentiles),
                study.unbalanced,
            );
        }
    }
    Ok(())
}
