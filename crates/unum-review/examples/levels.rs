//! Measures the error rates of the bots at tables of their own kind, and prints the data of `src/levels.txt`.
//!
//! ```sh
//! cargo run --release -p unum-review --example levels -- 40 400 > crates/unum-review/src/levels.txt
//! ```
//!
//! The arguments are the rounds for each level and number of players, and the worlds per decision. `--players 4`
//! measures one table size only, `--from 40` starts at another round, and `--sums` prints sums that can be added to
//! those of other runs.

use std::error::Error;

use unum_bots::{Bot, Budget, Level, LevelBot};
use unum_review::Reviewer;
use unum_rules::record::{Record, Recorder, Setup};
use unum_rules::{Edition, Event, RulesSpec, Scoring, Sight, Viewer};

/// Table sizes to measure; others use the nearest one.
const SIZES: [u8; 6] = [2, 3, 4, 5, 7, 10];
/// A round with more actions is abandoned.
const LONGEST: u32 = 5_000;

fn play(level: Level, players: u8, seed: u64) -> Result<Record, Box<dyn Error>> {
    let rules = RulesSpec { scoring: Some(Scoring::SingleRound), ..RulesSpec::of(Edition::Original) };
    let mut recorder = Recorder::start(Setup::new(rules, players, seed), &mut ())?;
    let bot = |seat: u8| LevelBot::with_budget(level, seed << 8 | u64::from(seat), Budget::Worlds(500));
    let mut bots: Vec<LevelBot> = (0..players).map(bot).collect();
    for (seat, bot) in (0..).zip(&mut bots) {
        bot.begin(&Sight::new(recorder.game().round(), recorder.game().rules(), seat, &[]));
    }
    for _ in 0..LONGEST {
        let game = recorder.game();
        let sight = |seat| Sight::new(game.round(), game.rules(), seat, game.scores());
        let late = game.round().liable().iter().next();
        let reaction = late.and_then(|late| bots[usize::from(late)].react(&sight(late)).map(|action| (late, action)));
        let Some((seat, action)) = reaction.or_else(|| {
            let seat = game.round().awaited()?;
            Some((seat, bots[usize::from(seat)].act(&sight(seat))))
        }) else {
            break;
        };
        let mut events: Vec<Event> = Vec::new();
        recorder.apply(seat, &action, &mut events)?;
        for event in &events {
            (0..).zip(&mut bots).for_each(|(seat, bot)| bot.see(&event.seen_by(Viewer::Seat(seat))));
        }
    }
    Ok(recorder.into_record())
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [rounds, worlds, ..] = &arguments[..] else { return Err("say how many rounds and worlds".into()) };
    let (rounds, worlds): (u64, u64) = (rounds.parse()?, worlds.parse()?);
    let option = |name: &str| arguments.iter().position(|one| one == name).and_then(|at| arguments.get(at + 1));
    let only: Option<u8> = option("--players").map(|players| players.parse()).transpose()?;
    let from: u64 = option("--from").map_or(Ok(0), |from| from.parse())?;
    let sums = arguments.iter().any(|one| one == "--sums");
    for players in SIZES.into_iter().filter(|players| only.is_none_or(|only| only == *players)) {
        for level in Level::ALL.iter().copied() {
            // The larger the table, the more decisions a round has.
            let mut losses: Vec<f64> = Vec::new();
            for seed in (0..(rounds * 4).div_ceil(u64::from(players))).map(|seed| seed + from) {
                let mut reviewer = Reviewer::new(&play(level, players, seed)?)?;
                reviewer.think(worlds * reviewer.decisions() as u64, None);
                let review = reviewer.review();
                losses.extend(review.decisions.iter().filter(|one| one.counts).map(|one| one.error.0 * 1_000.0));
            }
            let count = losses.len() as f64;
            let mean = losses.iter().sum::<f64>() / count;
            let variance = losses.iter().map(|loss| (loss - mean).powi(2)).sum::<f64>() / count;
            if sums {
                let (sum, squares) = (mean * count, losses.iter().map(|loss| loss * loss).sum::<f64>());
                println!("{players} {} {count} {sum:.6} {squares:.6}", level.id());
                continue;
            }
            println!("{players} {} {mean:.2} {:.2}", level.id(), (variance / count).sqrt());
        }
    }
    Ok(())
}
