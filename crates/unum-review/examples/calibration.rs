//! Whether the value function means what it says: of the seats to which it gives a chance of 30 %, do 30 % win?
//!
//! ```sh
//! cargo run --release -p unum-review --example calibration -- 20000
//! cargo run --release -p unum-review --example calibration -- 20000 --edition frozen --players 4
//! ```
//!
//! The argument is the rounds of each edition and size of table, played by `hard` bots. Every eighth moment is looked at, taken by
//! lot: so many of each round would count what ends soon too often. All seats of a moment count. For every class of chances the table has the mean chance and the share won, in percent. The power is
//! that to which chances would have to be raised to fit best: 1 if they are right, less if they are too extreme.

use std::error::Error;

use rand_core::SeedableRng;
use rand_pcg::Pcg64Mcg;
use unum_bots::{Bot, Level, LevelBot};
use unum_review::value::{BySeat, chances};
use unum_rules::{Chance, Edition, Event, Phase, Round, Rules, SEATS, Seat, Sight, Sink, Viewer};

const PLAYERS: [u8; 6] = [2, 3, 4, 5, 7, 10];
/// Upper ends of the classes of chances.
const CLASSES: [f64; 6] = [0.05, 0.15, 0.3, 0.5, 0.75, 1.01];
/// One in so many moments is looked at.
const MOMENTS: u32 = 8;
const LONGEST: u32 = 5_000;

struct Everybody<'a>(&'a mut [LevelBot]);

impl Sink for Everybody<'_> {
    fn push(&mut self, event: Event) {
        for (seat, bot) in (0..).zip(self.0.iter_mut()) {
            bot.see(&event.seen_by(Viewer::Seat(seat)));
        }
    }
}

/// Plays a round; who won, and the chances at some of its moments.
fn play(rules: &Rules, players: u8, number: u64) -> Option<(Seat, Vec<BySeat>)> {
    let mut chance = Pcg64Mcg::seed_from_u64(number.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ u64::from(players) << 56);
    let mut bots: Vec<LevelBot> =
        (0..players).map(|seat| LevelBot::new(Level::Hard, number << 4 | u64::from(seat))).collect();
    let dealer = (number % u64::from(players)) as Seat;
    let mut round = Round::deal(rules, players, dealer, &mut chance, &mut ()).ok()?;
    for (seat, bot) in (0..).zip(&mut bots) {
        bot.begin(&Sight::new(&round, rules, seat, &[]));
    }
    let mut taken: Vec<Round> = Vec::new();
    for _ in 0..LONGEST {
        if chance.below(MOMENTS) == 0 {
            taken.push(round);
        }
        let Some(seat) = round.awaited() else { break };
        let action = bots[usize::from(seat)].act(&Sight::new(&round, rules, seat, &[]));
        round.apply(rules, seat, &action, &mut chance, &mut Everybody(&mut bots)).ok()?;
    }
    let Phase::Over { winner: Some(winner) } = *round.phase() else { return None };
    let open = |round: &&Round| !round.is_over();
    Some((winner, taken.iter().filter(open).map(|round| chances(rules, round)).collect()))
}

/// Chances that came true or not, by classes.
#[derive(Default)]
struct Table {
    count: [f64; CLASSES.len()],
    said: [f64; CLASSES.len()],
    won: [f64; CLASSES.len()],
    cases: Vec<(Seat, BySeat)>,
    rounds: f64,
}

impl Table {
    fn of(edition: Edition, players: u8, rounds: u64) -> Table {
        let (rules, mut table) = (Rules::of(edition), Table::default());
        for (winner, moments) in (0..rounds).filter_map(|number| play(&rules, players, number)) {
            moments.iter().for_each(|value| table.add(winner, value, players));
            table.rounds += 1.0;
        }
        table
    }

    fn add(&mut self, winner: Seat, value: &BySeat, players: u8) {
        for seat in 0..players {
            let chance = value[usize::from(seat)];
            let class = CLASSES.iter().position(|end| chance < *end).unwrap_or(CLASSES.len() - 1);
            self.count[class] += 1.0;
            self.said[class] += chance;
            self.won[class] += f64::from(u8::from(seat == winner));
        }
        self.cases.push((winner, *value));
    }

    /// The likeliest power and its standard error, by Newton's method.
    fn power(&self) -> (f64, f64) {
        let mut power = 1.0;
        let mut curvature = 1.0;
        for _ in 0..8 {
            let (mut slope, mut bend) = (0.0, 0.0);
            for (winner, value) in &self.cases {
                let logs: [f64; SEATS] = std::array::from_fn(|seat| value[seat].max(1e-9).ln());
                let weight = |seat: usize| if value[seat] > 0.0 { (power * logs[seat]).exp() } else { 0.0 };
                let sum: f64 = (0..SEATS).map(weight).sum();
                let mean: f64 = (0..SEATS).map(|seat| weight(seat) / sum * logs[seat]).sum();
                let square: f64 = (0..SEATS).map(|seat| weight(seat) / sum * logs[seat] * logs[seat]).sum();
                slope += logs[usize::from(*winner)] - mean;
                bend += square - mean * mean;
            }
            power += slope / bend;
            curvature = bend;
        }
        // Moments of one round are not independent: at worst they count as one.
        (power, (self.cases.len() as f64 / self.rounds / curvature).sqrt())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let rounds: u64 = arguments.first().ok_or("say how many rounds")?.parse()?;
    let option = |name: &str| arguments.iter().position(|one| one == name).and_then(|at| arguments.get(at + 1));
    let only: Option<u8> = option("--players").map(|players| players.parse()).transpose()?;
    let edition = option("--edition").map(|name| Edition::parse(name).ok_or("no such edition")).transpose()?;
    println!("| edition | players | < 5 | 5–15 | 15–30 | 30–50 | 50–75 | > 75 | power |");
    println!("| --- | ---: | --- | --- | --- | --- | --- | --- | --- |");
    for edition in Edition::ALL.into_iter().filter(|one| edition.is_none_or(|only| only == *one)) {
        for players in PLAYERS.into_iter().filter(|players| only.is_none_or(|only| only == *players)) {
            let table = Table::of(edition, players, rounds);
            let cell = |class: usize| match table.count[class] {
                count if count < 400.0 => "–".to_owned(),
                count => {
                    format!("{:.1} → {:.1}", 100.0 * table.said[class] / count, 100.0 * table.won[class] / count)
                }
            };
            let cells: Vec<String> = (0..CLASSES.len()).map(cell).collect();
            let (power, error) = table.power();
            println!("| {} | {players} | {} | {power:.2} ± {:.2} |", edition.id(), cells.join(" | "), 1.96 * error);
        }
    }
    Ok(())
}
