//! Fits the weights of the level `hard`.
//!
//! Bots play rounds of all kinds among themselves and against the yardstick. In every fourth turn each choice is
//! tried in imagined worlds by a rollout of the fast policy, as long as an expert's, and valued by all hands. Against
//! yardsticks the value function is fitted first, to rounds of that kind; among equals it is `outlook.weights`. The
//! weights are the least-squares fit of those values to the features of the choices, centered within a turn. They stay
//! close to what they were where there is little evidence. With the new weights the bots play better, so this can be
//! repeated.
//!
//! ```sh
//! cargo run --release -p unum-lab --example fit -- crates/unum-bots/src/hard.weights 1 300000
//! ```
//!
//! The arguments are the file, which is read first if it exists, the number of repetitions, and the turns for each size
//! of crowd; then, optionally, the sizes (`024` for two, four and six players) and the seed, to go on with other rounds.
//! 200,000 turns of one size take about 20 seconds on two cores.

#[path = "shared/odds.rs"]
mod odds;

use std::cell::RefCell;
use std::error::Error;
use std::fs;

use rand_core::SeedableRng;
use rand_pcg::Pcg64Mcg;
use unum_bots::appraisal::{CROWDS, Choice, WEIGHTS, sensible_weights};
use unum_bots::judgment::{Character, Weights, carry_out};
use unum_bots::outlook::{self, Judge, Outlook};
use unum_bots::{Bot, Budget, Expert, Hard, Level, LevelBot, Others, hard_character};
use unum_lab::{Seating, Watch};
use unum_rules::{Action, Chance, Edition, Phase, Round, Rules, RulesSpec, Seat, SeenEvent, Sight};

/// Worlds in which every choice of a turn is tried.
const WORLDS: u32 = 8;
/// Regularization: how much evidence it takes to change a weight.
const RIDGE: f64 = 50.0;
/// Rounds per thread for learning who wins among yardsticks.
const ROUNDS: u64 = 60_000;
/// One in this many of those positions is kept.
const KEPT: u32 = 5;
/// Threads that play.
const THREADS: u64 = 2;

/// A choice: its features and what it was worth.
type Row = (Vec<(usize, f32)>, f64);

/// Sums from which the least squares follow.
struct Fit {
    products: Vec<f64>,
    outcomes: Vec<f64>,
    turns: u64,
}

impl Fit {
    fn new() -> Fit {
        Fit { products: vec![0.0; WEIGHTS * WEIGHTS], outcomes: vec![0.0; WEIGHTS], turns: 0 }
    }

    /// Takes in the choices of one turn, each compared with their mean.
    fn add(&mut self, rows: &[Row]) {
        let share = 1.0 / rows.len() as f64;
        let mean: f64 = rows.iter().map(|(_, value)| value * share).sum();
        let mut common: Vec<(usize, f64)> = Vec::new();
        for (features, _) in rows {
            features.iter().for_each(|(place, size)| add_to(&mut common, *place, f64::from(*size) * share));
        }
        for (features, value) in rows {
            let mut row: Vec<(usize, f64)> = common.iter().map(|(place, size)| (*place, -size)).collect();
            features.iter().for_each(|(place, size)| add_to(&mut row, *place, f64::from(*size)));
            for (place, size) in &row {
                self.outcomes[*place] += size * (value - mean);
                row.iter().for_each(|(other, by)| self.products[place * WEIGHTS + other] += size * by);
            }
        }
        self.turns += 1;
    }

    fn merge(&mut self, other: &Fit) {
        self.products.iter_mut().zip(&other.products).for_each(|(own, other)| *own += other);
        self.outcomes.iter_mut().zip(&other.outcomes).for_each(|(own, other)| *own += other);
        self.turns += other.turns;
    }

    /// Solves the normal equations by Cholesky's method, for the difference to the weights before; those of features that
    /// never came up stay.
    fn improve(&self, weights: &mut [f32; WEIGHTS]) {
        let live: Vec<usize> = (0..WEIGHTS).filter(|place| self.products[place * (WEIGHTS + 1)] > 0.0).collect();
        let count = live.len();
        let mut lower = vec![0.0; count * count];
        for row in 0..count {
            for column in 0..=row {
                let (left, up) = (&lower[row * count..][..column], &lower[column * count..][..column]);
                let known: f64 = left.iter().zip(up).map(|(a, b)| a * b).sum();
                let ridge = if row == column { RIDGE } else { 0.0 };
                let rest = self.products[live[row] * WEIGHTS + live[column]] + ridge - known;
                lower[row * count + column] =
                    if row == column { rest.sqrt() } else { rest / lower[column * count + column] };
            }
        }
        let explained = |place: usize| {
            let products = &self.products[place * WEIGHTS..][..WEIGHTS];
            products.iter().zip(weights.iter()).map(|(product, weight)| product * f64::from(*weight)).sum::<f64>()
        };
        let mut solution: Vec<f64> = live.iter().map(|place| self.outcomes[*place] - explained(*place)).collect();
        for row in 0..count {
            let known: f64 = (0..row).map(|column| lower[row * count + column] * solution[column]).sum();
            solution[row] = (solution[row] - known) / lower[row * count + row];
        }
        for row in (0..count).rev() {
            let known: f64 = (row + 1..count).map(|below| lower[below * count + row] * solution[below]).sum();
            solution[row] = (solution[row] - known) / lower[row * count + row];
        }
        live.iter().zip(solution).for_each(|(place, change)| weights[*place] += change as f32);
    }
}

fn add_to(row: &mut Vec<(usize, f64)>, place: usize, size: f64) {
    match row.iter_mut().find(|(known, _)| *known == place) {
        Some((_, sum)) => *sum += size,
        None => row.push((place, size)),
    }
}

/// Plays at once, and now and then looks closely.
struct Student<'a> {
    expert: Expert,
    chance: Pcg64Mcg,
    fit: &'a RefCell<Fit>,
}

impl Student<'_> {
    /// The choices of a turn with their values.
    fn study(&mut self, sight: &Sight<'_>) -> Vec<(Choice, f64)> {
        let candidates = self.expert.compare(sight, false);
        let plain = candidates.iter().filter_map(|candidate| {
            let choice = candidate.choice?;
            (carry_out(sight, choice) == candidate.action).then_some((choice, candidate.value))
        });
        plain.collect()
    }

    fn act(&mut self, sight: &Sight<'_>) -> Action {
        let usual = self.expert.at_once(sight);
        let turn = matches!(sight.phase(), Phase::Turn { .. } | Phase::Drawn { .. });
        if !turn || sight.hand().len() == 1 || sight.playable().is_empty() || self.chance.below(4) != 0 {
            return usual;
        }
        let choices = self.study(sight);
        if choices.len() < 2 {
            return usual;
        }
        let rows: Vec<Row> = choices.iter().map(|(choice, value)| (self.features(sight, *choice), *value)).collect();
        self.fit.borrow_mut().add(&rows);
        // Exploration: sometimes something else is done, for positions that would not come up otherwise.
        if self.chance.below(8) == 0 {
            return carry_out(sight, choices[self.chance.below(choices.len() as u32) as usize].0);
        }
        usual
    }

    fn features(&self, sight: &Sight<'_>, choice: Choice) -> Vec<(usize, f32)> {
        let mut features = Vec::new();
        self.expert.features(sight, choice, &mut |place, size| features.push((place, size)));
        features
    }
}

enum Player<'a> {
    Student(Box<Student<'a>>),
    Tuned(Box<Hard>),
    Yardstick(LevelBot),
}

impl Bot for Player<'_> {
    fn begin(&mut self, sight: &Sight<'_>) {
        match self {
            Player::Student(student) => student.expert.begin(sight),
            Player::Tuned(bot) => bot.begin(sight),
            Player::Yardstick(_) => {}
        }
    }

    fn listens(&self) -> bool {
        !matches!(self, Player::Yardstick(_))
    }

    fn see(&mut self, event: &SeenEvent) {
        match self {
            Player::Student(student) => student.expert.see(event),
            Player::Tuned(bot) => bot.see(event),
            Player::Yardstick(_) => {}
        }
    }

    fn act(&mut self, sight: &Sight<'_>) -> Action {
        match self {
            Player::Student(student) => student.act(sight),
            Player::Tuned(bot) => bot.act(sight),
            Player::Yardstick(bot) => bot.act(sight),
        }
    }

    fn react(&mut self, sight: &Sight<'_>) -> Option<Action> {
        match self {
            Player::Student(student) => student.expert.react(sight),
            Player::Tuned(bot) => bot.react(sight),
            Player::Yardstick(bot) => bot.react(sight),
        }
    }
}

/// Mostly the original sheet, a third without challenges, and some of everything else.
fn any_rules(chance: &mut Pcg64Mcg) -> Result<Rules, Box<dyn Error>> {
    let original = chance.below(10) < 7;
    let mut spec = RulesSpec::of(if original { Edition::Original } else { Edition::ALL[chance.below(5) as usize] });
    spec.house.no_challenges = chance.below(3) == 0;
    spec.house.reverse_skips_with_two = chance.below(4) == 0;
    Ok(Rules::new(spec)?)
}

fn any_players(crowd: usize, chance: &mut Pcg64Mcg) -> u8 {
    match crowd {
        0..=3 => crowd as u8 + 2,
        4 => [6, 6, 6, 7][chance.below(4) as usize],
        _ => [8, 9, 10][chance.below(3) as usize],
    }
}

/// Keeps positions of a round of one bot among yardsticks: the seats in the order of their turns, each with its features.
struct Notes {
    own: Seat,
    chance: Pcg64Mcg,
    kept: Vec<(Vec<Seat>, Vec<Vec<usize>>)>,
}

impl Watch for Notes {
    fn before(&mut self, round: &Round, _rules: &Rules, _seat: Seat, _action: &Action) {
        if !matches!(round.phase(), Phase::Turn { .. }) || self.chance.below(KEPT) > 0 {
            return;
        }
        let outlook = Outlook::new(round);
        let features = outlook.order().iter().enumerate().map(|(place, seat)| {
            let table = if *seat == self.own { 0 } else { outlook::WEIGHTS };
            let mut list = Vec::new();
            outlook.features(place, &mut |feature| list.push(table + feature));
            list
        });
        self.kept.push((outlook.order().to_vec(), features.collect()));
    }
}

/// Finds out who wins when one bot plays among yardsticks: its weights and theirs.
fn foresee(character: Character<'static>, crowd: usize, chance: &mut Pcg64Mcg) -> Result<Judge, Box<dyn Error>> {
    let mut fit = odds::Fit::new(2 * outlook::WEIGHTS);
    for number in 0..ROUNDS {
        let players = any_players(crowd, chance);
        let rules = any_rules(chance)?;
        let own = chance.below(u32::from(players)) as Seat;
        let mut bots: Vec<Player<'_>> = (0..players)
            .map(|seat| {
                let seed = u64::from(chance.below(u32::MAX));
                if seat == own {
                    Player::Tuned(Box::new(Hard::with(seed, character)))
                } else {
                    Player::Yardstick(LevelBot::new(Level::Random, seed))
                }
            })
            .collect();
        let mut round = Round::deal(&rules, players, chance.below(u32::from(players)) as u8, chance, &mut ())?;
        let whims = Pcg64Mcg::seed_from_u64(u64::from(chance.below(u32::MAX)));
        let mut notes = Notes { own, chance: whims, kept: Vec::new() };
        let outcome = Seating { rules: &rules, bots: &mut bots, scores: &[] }.play(&mut round, chance, &mut notes);
        let Some(winner) = outcome.winner else { continue };
        for (order, features) in &notes.kept {
            if let Some(place) = order.iter().position(|seat| *seat == winner) {
                fit.learn(features, place, number >= ROUNDS / 10 * 9);
            }
        }
    }
    let positions = fit.positions as f64;
    eprintln!("crowd {crowd}, winners: {:.4}, among equals {:.4}", fit.surprise / positions, fit.equals / positions);
    let mut judge = [[0.0; outlook::WEIGHTS]; 2];
    judge.as_flattened_mut().copy_from_slice(&fit.weights);
    Ok(judge)
}

/// Plays until that many turns were looked at.
fn collect(character: Character<'static>, crowd: usize, turns: u64, seed: u64) -> Result<Fit, String> {
    let fit = RefCell::new(Fit::new());
    let mut chance = Pcg64Mcg::seed_from_u64(seed);
    let among_yardsticks = foresee(character, crowd, &mut chance).map_err(|error| error.to_string())?;
    let judges = Judges {
        among_yardsticks: Box::leak(Box::new(among_yardsticks)),
        alike: Box::leak(Box::new([outlook::weights()[crowd]; 2])),
    };
    while fit.borrow().turns < turns {
        play_one(character, crowd, judges, &fit, &mut chance).map_err(|error| error.to_string())?;
    }
    Ok(fit.into_inner())
}

#[derive(Clone, Copy)]
struct Judges {
    among_yardsticks: &'static Judge,
    alike: &'static Judge,
}

fn play_one(
    character: Character<'static>,
    crowd: usize,
    judges: Judges,
    fit: &RefCell<Fit>,
    chance: &mut Pcg64Mcg,
) -> Result<(), Box<dyn Error>> {
    let players = any_players(crowd, chance);
    let rules = any_rules(chance)?;
    // Against the yardstick there is one student; two thirds of all rounds are such.
    let alone = (chance.below(3) > 0).then(|| chance.below(u32::from(players)) as u8);
    let mut bots: Vec<Player<'_>> = (0..players)
        .map(|seat| {
            let seed = u64::from(chance.below(u32::MAX));
            if alone.is_some_and(|alone| alone != seat) {
                return Player::Yardstick(LevelBot::new(Level::Random, seed));
            }
            let expert = Expert::with(seed, Budget::Worlds(WORLDS), character);
            let expert = match alone {
                Some(_) => expert.among(Others::AtRandom).judging_by(judges.among_yardsticks),
                None => expert.judging_by(judges.alike),
            };
            Player::Student(Box::new(Student { expert, chance: Pcg64Mcg::seed_from_u64(!seed), fit }))
        })
        .collect();
    let mut round = Round::deal(&rules, players, chance.below(u32::from(players)) as u8, chance, &mut ())?;
    Seating { rules: &rules, bots: &mut bots, scores: &[] }.play(&mut round, chance, &mut ());
    Ok(())
}

fn read(path: &str) -> Option<Weights> {
    let text = fs::read_to_string(path).ok()?;
    let mut weights = [[0.0; WEIGHTS]; CROWDS];
    for (crowd, line) in weights.iter_mut().zip(text.lines()) {
        for (weight, number) in crowd.iter_mut().zip(line.split_whitespace()) {
            *weight = number.parse::<f32>().ok()? / 10_000.0;
        }
    }
    Some(weights)
}

fn write(path: &str, weights: &Weights) -> std::io::Result<()> {
    let lines = weights.iter().map(|crowd| {
        let numbers: Vec<String> = crowd.iter().map(|weight| format!("{:.0}", weight * 10_000.0)).collect();
        numbers.join(" ").replace("-0 ", "0 ") + "\n"
    });
    fs::write(path, lines.collect::<String>())
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, times, turns, more @ ..] = &arguments[..] else {
        return Err("say the file, how many times, how many turns, and for which sizes of crowd and which seed".into());
    };
    let asked = |crowd: usize| more.first().is_none_or(|crowds| crowds.contains(&crowd.to_string()));
    let first = more.get(1).map_or(Ok(0), |seed| seed.parse::<u64>())?;
    let (times, turns) = (times.parse::<u64>()?, turns.parse::<u64>()?);
    let mut weights = read(path).unwrap_or_else(sensible_weights);
    for time in 0..times {
        let current: &'static Weights = Box::leak(Box::new(weights));
        let character = Character { weights: current, ..hard_character() };
        for (crowd, weights) in weights.iter_mut().enumerate().filter(|(crowd, _)| asked(*crowd)) {
            let fits: Vec<Result<Fit, String>> = std::thread::scope(|scope| {
                let seed = |thread: u64| ((first + time) * 100 + crowd as u64) * THREADS + thread;
                let run = |thread| scope.spawn(move || collect(character, crowd, turns / THREADS, seed(thread)));
                let threads: Vec<_> = (0..THREADS).map(run).collect();
                threads.into_iter().map(|thread| thread.join().unwrap_or(Err("a thread failed".to_owned()))).collect()
            });
            let mut all = Fit::new();
            for fit in fits {
                all.merge(&fit?);
            }
            all.improve(weights);
            eprintln!("time {time}, crowd {crowd}: {} turns", all.turns);
        }
        write(path, &weights)?;
    }
    Ok(())
}
