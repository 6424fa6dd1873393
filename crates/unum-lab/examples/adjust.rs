//! Measures what `--adjust-luck` is worth, and what it costs.
//!
//! ```sh
//! cargo run --release -p unum-lab --example adjust -- arena 10 100 16 4 3 expert:100w '3*hard'
//! cargo run --release -p unum-lab --example adjust -- simulate 10 1000 64 3 1 '2*hard'
//! ```
//!
//! The arguments are what is run and how many of them, the deals or rounds of each, the pairs of rollouts for every draw,
//! after how many draws rollouts end, after how many of these they are valued, and the line-up. For what it costs, a third of every run is made without it as well,
//! right before, on the same thread. Where the system tells it, times are those of the processor. The interval of the
//! factor is that over the runs.

use std::error::Error;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use unum_lab::{Adjustment, Arena, Crew, Entrant, External, LineUp, REACH, Simulation, Unit};
use unum_rules::{Edition, Rules};

/// What a run says of the first side, in percent, what the adjustment was worth, and milliseconds per round.
struct Said {
    wins: f64,
    worth: f64,
    time: f64,
}

fn run(
    line_up: &LineUp<Entrant>,
    (arena, count, seed): (bool, u64, u64),
    adjustment: Option<Adjustment>,
) -> Result<Said, Box<dyn Error>> {
    let rules = [Rules::of(Edition::Original)];
    let mut crew = Crew { threads: 1, stop: &AtomicBool::new(false), progress: &mut |_| {} };
    let (begin, worked, unit) = (Instant::now(), worked(), Unit::Round);
    let (wins, worth, rounds) = if arena {
        let rules = &rules[0];
        let arena = Arena { rules, line_up, unit, deals: count, seed, question: None, adjustment, recorded: false };
        let result = arena.run(&mut crew)?;
        (result.sides[0].wins.mean, result.worth_of_adjustment, result.rounds)
    } else {
        let adjustment = adjustment.map(Adjustment::with_deal);
        let result = Simulation { rules: &rules, line_up, unit, games: count, seed, adjustment, recorded: false }
            .run(&mut crew)?;
        (result.base.positions[0].mean, result.worth_of_adjustment, result.games)
    };
    let seconds = worked.zip(self::worked()).map_or(begin.elapsed().as_secs_f64(), |(then, now)| now - then);
    let time = seconds * 1e3 / rounds as f64;
    Ok(Said { wins: wins * 100.0, worth: worth.unwrap_or(1.0), time })
}

/// Seconds that all threads of this process have computed for, on systems that tell: fields 14 and 15 of `stat`, in
/// hundredths.
fn worked() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields = text.rsplit_once(") ")?.1.split(' ');
    let ticks = fields.skip(11).take(2).map(str::parse::<f64>).sum::<Result<f64, _>>().ok()?;
    Some(ticks / 100.0)
}

/// A mean and half its interval.
fn mean(values: impl ExactSizeIterator<Item = f64> + Clone) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.clone().sum::<f64>() / count;
    let variance = values.map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    (mean, REACH * (variance / count).sqrt())
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [what, runs, count, pairs, draws, values, bots @ ..] = &arguments[..] else {
        return Err("say arena or simulate, RUNS DEALS PAIRS DRAWS VALUES BOT...".into());
    };
    let line_up = LineUp::parse(bots, External::TIMEOUT)?;
    let (pairs, draws, values) = (pairs.parse()?, draws.parse()?, values.parse()?);
    let adjustment = Adjustment { pairs, draws, values, deals: 0 };
    let (arena, count): (bool, u64) = (what == "arena", count.parse()?);
    let (mut plain, mut fair): (Vec<Said>, Vec<Said>) = (Vec::new(), Vec::new());
    for seed in 1..=runs.parse()? {
        plain.push(run(&line_up, (arena, count.div_ceil(3), seed), None)?);
        fair.push(run(&line_up, (arena, count, seed), Some(adjustment))?);
    }
    let (wins, margin) = mean(fair.iter().map(|said| said.wins));
    println!("{}: {wins:.2} ± {margin:.2} % without luck", bots.join(" "));
    let (worth, spread) = mean(fair.iter().map(|said| said.worth.ln()));
    let (time, more) = (mean(plain.iter().map(|said| said.time)).0, mean(fair.iter().map(|said| said.time)).0);
    println!(
        "as good as {:.2} times as many ({:.2}–{:.2}); {time:.3} ms a round, {more:.3} ms with it: {:+.1} %",
        worth.exp(),
        (worth - spread).exp(),
        (worth + spread).exp(),
        100.0 * (more / time - 1.0)
    );
    Ok(())
}
