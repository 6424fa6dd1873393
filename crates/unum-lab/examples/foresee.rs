//! Fits the weights by which an expert tells who is likely to win an imagined round, and how people choose their plays.
//!
//! Bots of the level `hard` play rounds among themselves. Of every round some positions are kept, with all hands, and
//! who won in the end; and of every play what else could have been played. The weights are the fit of the winners to the
//! features of the seats, and of the plays to the features of the choices, by gradient descent on the logarithm of
//! their chances. Two threads fit on rounds of their own, and the mean of their weights is kept.
//!
//! ```sh
//! cargo run --release -p unum-lab --example foresee -- crates/unum-bots/src 400000
//! ```
//!
//! The arguments are the folder for `outlook.weights` and `manner.weights`, and the number of rounds for each size of
//! crowd. It says how well the last tenth of the rounds was foreseen before it was learned from: minus the mean
//! logarithm of the chance of what happened, and what that would be if everything were as likely. It takes about two
//! minutes on two cores.

#[path = "shared/odds.rs"]
mod odds;

use std::error::Error;
use std::fs;
use std::path::Path;

use odds::Fit;
use rand_core::SeedableRng;
use rand_pcg::Pcg64Mcg;
use unum_bots::appraisal::{CROWDS, Choice};
use unum_bots::manner::{self, Deed};
use unum_bots::outlook::{self, Outlook};
use unum_bots::{Level, LevelBot};
use unum_lab::{Outcome, Seating, Watch};
use unum_rules::{Action, CardSet, Chance, Edition, Phase, Round, Rules, RulesSpec, Seat};

/// Threads that play and fit.
const THREADS: u64 = 2;
/// One position in this many is kept.
const KEPT: u32 = 5;
/// Keeps positions of a round: the seats in the order of their turns, each with its features.
struct Notes<'a> {
    chance: &'a mut Pcg64Mcg,
    kept: Vec<(Vec<Seat>, Vec<Vec<usize>>)>,
    manner: &'a mut Fit,
    counts: bool,
}

impl Notes<'_> {
    /// Learns from what somebody chose to play.
    fn learn(&mut self, round: &Round, seat: Seat, choice: Choice) {
        let (Some(color), hand) = (round.color(), round.hand(seat)) else { return };
        let sizes = (0..round.players()).filter(|other| *other != seat).map(|other| round.hand(other).len());
        let deed = Deed {
            choice,
            matching: CardSet::matching(round.top(), color),
            in_force: Some(color),
            danger: sizes.min().unwrap_or(0),
        };
        let (mut choices, mut made) = (Vec::new(), None);
        deed.each_choice(hand, &mut |choice| {
            if choice == deed.choice {
                made = Some(choices.len());
            }
            let mut list = Vec::new();
            deed.features(hand, choice, &mut |feature| list.push(feature));
            choices.push(list);
        });
        if let (Some(made), true) = (made, choices.len() > 1) {
            self.manner.learn(&choices, made, self.counts);
        }
    }
}

impl Watch for Notes<'_> {
    fn before(&mut self, round: &Round, _rules: &Rules, seat: Seat, action: &Action) {
        match (round.phase(), action) {
            (Phase::Turn { .. }, Action::Play(play)) => self.learn(round, seat, Choice::Play(play.card, play.color)),
            (Phase::Turn { .. }, Action::Draw) => self.learn(round, seat, Choice::Pass),
            _ => {}
        }
        if !matches!(round.phase(), Phase::Turn { .. }) || self.chance.below(KEPT) > 0 {
            return;
        }
        let outlook = Outlook::new(round);
        let features = (0..usize::from(round.players())).map(|place| {
            let mut list = Vec::new();
            outlook.features(place, &mut |feature| list.push(feature));
            list
        });
        self.kept.push((outlook.order().to_vec(), features.collect()));
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

/// Plays some rounds and learns from them.
fn collect(crowd: usize, rounds: u64, seed: u64) -> Result<[Fit; 2], String> {
    let mut fits = [Fit::new(outlook::WEIGHTS), Fit::new(manner::WEIGHTS)];
    let mut chance = Pcg64Mcg::seed_from_u64(seed);
    for number in 0..rounds {
        let counts = number >= rounds / 10 * 9;
        play_one(crowd, &mut fits, &mut chance, counts).map_err(|error| error.to_string())?;
    }
    Ok(fits)
}

fn play_one(
    crowd: usize,
    [outlook, manner]: &mut [Fit; 2],
    chance: &mut Pcg64Mcg,
    counts: bool,
) -> Result<(), Box<dyn Error>> {
    let players = any_players(crowd, chance);
    let rules = any_rules(chance)?;
    let mut bots: Vec<LevelBot> =
        (0..players).map(|_| LevelBot::new(Level::Hard, u64::from(chance.below(u32::MAX)))).collect();
    let mut round = Round::deal(&rules, players, chance.below(u32::from(players)) as u8, chance, &mut ())?;
    let mut whims = Pcg64Mcg::seed_from_u64(u64::from(chance.below(u32::MAX)));
    let mut notes = Notes { chance: &mut whims, kept: Vec::new(), manner, counts };
    let outcome: Outcome = Seating { rules: &rules, bots: &mut bots, scores: &[] }.play(&mut round, chance, &mut notes);
    let Some(winner) = outcome.winner else { return Ok(()) };
    for (order, features) in &notes.kept {
        if let Some(place) = order.iter().position(|seat| *seat == winner) {
            outlook.learn(features, place, counts);
        }
    }
    Ok(())
}

/// The mean of several fits as a line of text, and how well they foresaw.
fn line(fits: &[Fit]) -> (String, f64, f64) {
    let mean = |place: usize| fits.iter().map(|fit| fit.weights[place]).sum::<f32>() / fits.len() as f32;
    let number = |place: usize| ((mean(place) * 1_000.0).round() as i32).to_string();
    let numbers: Vec<String> = (0..fits[0].weights.len()).map(number).collect();
    let positions: u64 = fits.iter().map(|fit| fit.positions).sum();
    let mean = |of: fn(&Fit) -> f64| fits.iter().map(of).sum::<f64>() / positions as f64;
    (numbers.join(" ") + "\n", mean(|fit| fit.surprise), mean(|fit| fit.equals))
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, rounds] = &arguments[..] else {
        return Err("say the folder, and how many rounds".into());
    };
    let rounds = rounds.parse::<u64>()?;
    let mut texts = [String::new(), String::new()];
    for crowd in 0..CROWDS {
        let fits: Vec<Result<[Fit; 2], String>> = std::thread::scope(|scope| {
            let run = |thread| scope.spawn(move || collect(crowd, rounds / THREADS, crowd as u64 * THREADS + thread));
            let threads: Vec<_> = (0..THREADS).map(run).collect();
            threads.into_iter().map(|thread| thread.join().unwrap_or(Err("a thread failed".to_owned()))).collect()
        });
        let fits: Vec<[Fit; 2]> = fits.into_iter().collect::<Result<_, String>>()?;
        let (outlooks, manners): (Vec<Fit>, Vec<Fit>) =
            fits.into_iter().map(|[outlook, manner]| (outlook, manner)).unzip();
        for ((text, fits), what) in texts.iter_mut().zip([outlooks, manners]).zip(["winners", "plays"]) {
            let (line, surprise, equals) = line(&fits);
            *text += &line;
            eprintln!("crowd {crowd}, {what}: {surprise:.4}, among equals {equals:.4}");
        }
    }
    for (text, name) in texts.iter().zip(["outlook.weights", "manner.weights"]) {
        fs::write(Path::new(folder).join(name), text)?;
    }
    Ok(())
}
