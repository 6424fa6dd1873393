//! Whether the value function means what it says: of the seats to which it gives a chance of 30 %, do 30 % win?
//!
//! ```sh
//! cargo run --release -p unum-review --example calibration -- 20000
//! cargo run --release -p unum-review --example calibration -- 20000 --edition frozen --players 4
//! cargo run --release -p unum-review --example calibration -- 60000 --fit > crates/unum-review/src/own_cards.txt
//! ```
//!
//! The argument is the rounds of each edition and size of table, played by `hard` bots. Every eighth moment is looked at, taken by
//! lot: so many of each round would count what ends soon too often. All seats of a moment count. For every class of chances the table
//! has the mean chance and the share won, in percent. The power is that to which chances would have to be raised to fit best: 1 if
//! they are right, less if they are too extreme. `--as-is` leaves out the correction for the edition's own card,
//! and `--rules '{"edition":"original","house":{"seven_zero":true}}'` plays by other rules.
//!
//! `--fit` fits that correction, by maximum likelihood to other rounds, and prints the data of `src/own_cards.txt`.

use std::error::Error;

use rand_core::SeedableRng;
use rand_pcg::Pcg64Mcg;
use unum_bots::{Bot, Level, LevelBot};
use unum_review::own_cards::{self, WEIGHTS};
use unum_review::value::{BySeat, chances, uncorrected};
use unum_rules::{
    Chance, Edition, Event, MAX_PLAYERS, MIN_PLAYERS, Phase, Round, Rules, RulesSpec, SEATS, Seat, Sight, Sink, Viewer,
};

const PLAYERS: [u8; 6] = [2, 3, 4, 5, 7, 10];
/// Upper ends of the classes of chances.
const CLASSES: [f64; 6] = [0.05, 0.15, 0.3, 0.5, 0.75, 1.01];
/// One in so many moments is looked at.
const MOMENTS: u32 = 8;
const LONGEST: u32 = 5_000;
/// Rounds to fit to are counted from here, so that no table is made of them.
const FITTED_TO: u64 = 1 << 40;
/// Newton steps of the fit.
const STEPS: usize = 12;
/// Weights of what hardly ever happens stay near zero: each has a prior with this precision (ridge).
const PRIOR: f64 = 4.0;

struct Everybody<'a>(&'a mut [LevelBot]);

impl Sink for Everybody<'_> {
    fn push(&mut self, event: Event) {
        for (seat, bot) in (0..).zip(self.0.iter_mut()) {
            bot.see(&event.seen_by(Viewer::Seat(seat)));
        }
    }
}

/// Plays a round; who won, and some of its moments.
fn play(rules: &Rules, players: u8, number: u64) -> Option<(Seat, Vec<Round>)> {
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
        if chance.below(MOMENTS) == 0 && !round.is_over() {
            taken.push(round);
        }
        let Some(seat) = round.awaited() else { break };
        let action = bots[usize::from(seat)].act(&Sight::new(&round, rules, seat, &[]));
        round.apply(rules, seat, &action, &mut chance, &mut Everybody(&mut bots)).ok()?;
    }
    let Phase::Over { winner: Some(winner) } = *round.phase() else { return None };
    Some((winner, taken))
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
    fn of(rules: &Rules, players: u8, rounds: u64, value: fn(&Rules, &Round) -> BySeat) -> Table {
        let mut table = Table::default();
        for (winner, moments) in (0..rounds).filter_map(|number| play(rules, players, number)) {
            moments.iter().for_each(|moment| table.add(winner, &value(rules, moment), players));
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

    fn print(&self, edition: Edition, players: u8) {
        let cell = |class: usize| match self.count[class] {
            count if count < 400.0 => "–".to_owned(),
            count => format!("{:.1} → {:.1}", 100.0 * self.said[class] / count, 100.0 * self.won[class] / count),
        };
        let cells: Vec<String> = (0..CLASSES.len()).map(cell).collect();
        let (power, error) = self.power();
        println!("| {} | {players} | {} | {power:.2} ± {:.2} |", edition.id(), cells.join(" | "), 1.96 * error);
    }
}

/// A moment to fit to: who won, and everybody's features.
struct Case {
    winner: usize,
    features: Vec<Vec<(u8, f32)>>,
}

impl Case {
    fn new(rules: &Rules, round: &Round, winner: Seat) -> Option<Case> {
        let table = own_cards::Table::new(rules.edition(), round)?;
        let value = uncorrected(rules, round);
        let of_seat = |seat: Seat| {
            let mut features = Vec::new();
            table.features(seat, value[usize::from(seat)], &mut |place, value| {
                features.push((place as u8, value as f32))
            });
            features
        };
        Some(Case { winner: winner.into(), features: (0..round.players()).map(of_seat).collect() })
    }

    /// Adds the slope of the log-likelihood, and its negative curvature.
    fn add_to(&self, weights: &[f64; WEIGHTS], slope: &mut [f64; WEIGHTS], bend: &mut [[f64; WEIGHTS]; WEIGHTS]) {
        let score = |list: &Vec<(u8, f32)>| -> f64 {
            list.iter().map(|(place, value)| weights[usize::from(*place)] * f64::from(*value)).sum()
        };
        let chances: Vec<f64> = self.features.iter().map(|list| score(list).exp()).collect();
        let sum: f64 = chances.iter().sum();
        let mut mean = [0.0; WEIGHTS];
        for (seat, list) in self.features.iter().enumerate() {
            let chance = chances[seat] / sum;
            for (place, value) in list.iter().map(|(place, value)| (usize::from(*place), f64::from(*value))) {
                slope[place] += if seat == self.winner { value } else { 0.0 };
                mean[place] += chance * value;
                for (other, second) in list {
                    bend[place][usize::from(*other)] += chance * value * f64::from(*second);
                }
            }
        }
        let touched: Vec<usize> = (0..WEIGHTS).filter(|place| mean[*place] != 0.0).collect();
        for place in &touched {
            slope[*place] -= mean[*place];
            touched.iter().for_each(|other| bend[*place][*other] -= mean[*place] * mean[*other]);
        }
    }
}

/// The likeliest weights, by Newton's method. The likelihood is concave, so steps are only kept from being wild.
fn fit(cases: &[Case]) -> [f64; WEIGHTS] {
    // A feature below zero is the logarithm of a chance: its weight is a power, which begins with 1.
    let mut powers = [false; WEIGHTS];
    let features = || cases.iter().flat_map(|case| case.features.iter().flatten());
    features().filter(|(_, value)| *value < 0.0).for_each(|(place, _)| powers[usize::from(*place)] = true);
    let prior = powers.map(|power| if power { 1.0 } else { 0.0 });
    let mut weights = prior;
    for _ in 0..STEPS {
        let (mut slope, mut bend) = ([0.0; WEIGHTS], [[0.0; WEIGHTS]; WEIGHTS]);
        cases.iter().for_each(|case| case.add_to(&weights, &mut slope, &mut bend));
        for place in 0..WEIGHTS {
            slope[place] -= PRIOR * (weights[place] - prior[place]);
            bend[place][place] += PRIOR;
        }
        let step = solve(bend, slope);
        weights.iter_mut().zip(step).for_each(|(weight, step)| *weight += step.clamp(-0.7, 0.7));
    }
    weights
}

/// Solves a system of linear equations that is positive definite, by elimination.
fn solve(mut left: [[f64; WEIGHTS]; WEIGHTS], mut right: [f64; WEIGHTS]) -> [f64; WEIGHTS] {
    for place in 0..WEIGHTS {
        let (row, value) = (left[place], right[place]);
        for below in place + 1..WEIGHTS {
            let times = left[below][place] / row[place];
            left[below].iter_mut().zip(row).for_each(|(cell, above)| *cell -= times * above);
            right[below] -= times * value;
        }
    }
    for place in (0..WEIGHTS).rev() {
        let known: f64 = (place + 1..WEIGHTS).map(|after| left[place][after] * right[after]).sum();
        right[place] = (right[place] - known) / left[place][place];
    }
    right
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let rounds: u64 = arguments.first().ok_or("say how many rounds")?.parse()?;
    let option = |name: &str| arguments.iter().position(|one| one == name).and_then(|at| arguments.get(at + 1));
    let flag = |name: &str| arguments.iter().any(|one| one == name);
    let only: Option<u8> = option("--players").map(|players| players.parse()).transpose()?;
    let edition = option("--edition").map(|name| Edition::parse(name).ok_or("no such edition")).transpose()?;
    let editions = || Edition::ALL.into_iter().filter(|one| edition.is_none_or(|only| only == *one));
    let wanted = |players: &u8| only.is_none_or(|only| only == *players);
    if flag("--fit") {
        for edition in editions().filter(|edition| own_cards::own_card(*edition).is_some()) {
            let rules = Rules::of(edition);
            for players in (MIN_PLAYERS..=MAX_PLAYERS).filter(wanted) {
                let played = (0..rounds).filter_map(|number| play(&rules, players, number | FITTED_TO));
                let cases: Vec<Case> = played
                    .flat_map(|(winner, moments)| moments.into_iter().map(move |moment| (winner, moment)))
                    .filter_map(|(winner, moment)| Case::new(&rules, &moment, winner))
                    .collect();
                println!("{}", own_cards::write(edition, players, &fit(&cases)));
            }
        }
        return Ok(());
    }
    let value = if flag("--as-is") { uncorrected } else { chances };
    println!("| edition | players | < 5 | 5–15 | 15–30 | 30–50 | 50–75 | > 75 | power |");
    println!("| --- | ---: | --- | --- | --- | --- | --- | --- | --- |");
    let specs: Vec<RulesSpec> = match option("--rules") {
        Some(rules) => vec![serde_json::from_str(rules)?],
        None => editions().map(RulesSpec::of).collect(),
    };
    for spec in specs {
        let (edition, rules) = (spec.edition, Rules::new(spec)?);
        for players in PLAYERS.into_iter().filter(wanted) {
            Table::of(&rules, players, rounds, value).print(edition, players);
        }
    }
    Ok(())
}
