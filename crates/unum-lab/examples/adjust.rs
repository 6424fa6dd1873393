//! Measures what `unum arena --adjust-luck` is worth, and what it costs.
//!
//! ```sh
//! cargo run --release -p unum-lab --example adjust -- 400 64 3 hard hard=hard
//! cargo run --release -p unum-lab --example adjust -- 100 8 6 expert:100w '3*hard'
//! ```
//!
//! The arguments are the deals, the pairs of rollouts for every draw, after how many draws rollouts end, and the line-up.

use std::error::Error;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use unum_lab::{Adjustment, Arena, ArenaResult, Crew, Entrant, External, LineUp, Unit};
use unum_rules::{Edition, Rules};

fn run(arena: &Arena<'_, Entrant>) -> Result<(ArenaResult, f64), Box<dyn Error>> {
    let begin = Instant::now();
    let mut crew = Crew { threads: 1, stop: &AtomicBool::new(false), progress: &mut |_| {} };
    let result = arena.run(&mut crew)?;
    let time = begin.elapsed().as_secs_f64() * 1e3 / result.rounds as f64;
    Ok((result, time))
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [deals, pairs, draws, bots @ ..] = &arguments[..] else { return Err("say DEALS PAIRS DRAWS BOT...".into()) };
    let line_up = LineUp::parse(bots, External::TIMEOUT)?;
    let rules = Rules::of(Edition::Original);
    let adjustment = Adjustment { pairs: pairs.parse()?, draws: draws.parse()? };
    let plain = Arena {
        rules: &rules,
        line_up: &line_up,
        unit: Unit::Round,
        deals: deals.parse()?,
        seed: 1,
        question: None,
        adjustment: None,
    };
    let ((before, time), (after, longer)) = (run(&plain)?, run(&Arena { adjustment: Some(adjustment), ..plain })?);
    for (side, other) in before.sides.iter().zip(&after.sides) {
        let points = |estimate: &unum_lab::Estimate| {
            format!("{:.2} ± {:.2}", estimate.mean * 100.0, estimate.margin().unwrap_or(0.0) * 100.0)
        };
        println!("{}: {} points, without luck {}", side.name, points(&side.wins), points(&other.wins));
    }
    let worth = after.worth_of_adjustment.unwrap_or(1.0);
    println!("as good as {worth:.2} times as many deals; {time:.2} ms a round, {longer:.2} ms with it");
    Ok(())
}
