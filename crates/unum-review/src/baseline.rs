//! Means over all deals: what a place at the table is worth before the cards are dealt, and what losers hold at the
//! end.
//!
//! The editions' means, over a million deals each, are stored as data, made by
//! `cargo run --release -p unum-review --example baseline`. Rules that deal differently are measured when needed.

use std::sync::LazyLock;

use rand_core::SeedableRng;
use rand_pcg::Pcg64Mcg;
use unum_bots::{Bot, Level, LevelBot};
use unum_rules::{Edition, MAX_PLAYERS, MIN_PLAYERS, Round, Rules, SEATS, Sight, order};

use crate::decimal;
use crate::luck::place_of;
use crate::value::{BySeat, chances};

/// Stored quantiles of the points in a loser's hand.
pub const QUANTILES: usize = 16;
/// Deals sampled for rules without data. The error of the means is then below 0.1 points.
const DEALS: u32 = 40_000;
/// Rounds played to measure the points that losers hold.
const ROUNDS: u32 = 1_500;
/// Longer rounds are left out.
const LONGEST: u32 = 5_000;

/// Expectations before any card is seen.
#[derive(Clone, Debug, PartialEq)]
pub struct Baseline {
    /// The mean chance to win, by place behind the dealer: the seat to the left first.
    pub mean: BySeat,
    /// Its variance over deals.
    pub variance: BySeat,
    /// Points in the hand of somebody who did not win, by their middle quantiles.
    pub points: [f64; QUANTILES],
}

const DATA: &str = include_str!("baseline.txt");

type Key = (Edition, u8);

static KEPT: LazyLock<Vec<(Key, Baseline)>> = LazyLock::new(|| DATA.lines().filter_map(read).collect());

impl Baseline {
    /// The baseline of these rules: stored if they deal like an edition, else measured with a fixed seed.
    pub fn of(rules: &Rules, players: u8) -> Baseline {
        Baseline::kept(rules, players).unwrap_or_else(|| Baseline::measure(rules, players, DEALS, ROUNDS, 1))
    }

    /// The stored baseline of these rules.
    pub fn kept(rules: &Rules, players: u8) -> Option<Baseline> {
        let usual = Rules::of(rules.edition());
        let changed = rules.hand_size() != usual.hand_size()
            || rules.house().reverse_skips_with_two != usual.house().reverse_skips_with_two
            || rules.deck().cards() != usual.deck().cards();
        let key = (rules.edition(), players);
        let found = KEPT.iter().find(|(other, _)| *other == key).filter(|_| !changed);
        found.map(|(_, baseline)| baseline.clone())
    }

    /// Measures `deals` deals, and plays `rounds` rounds among `hard` bots.
    pub fn measure(rules: &Rules, players: u8, deals: u32, rounds: u32, seed: u64) -> Baseline {
        let mut chance = Pcg64Mcg::seed_from_u64(seed);
        let (mut sum, mut squares) = ([0.0; SEATS], [0.0; SEATS]);
        for number in 0..deals {
            let dealer = (number % u32::from(players)) as u8;
            let Ok(round) = Round::deal(rules, players, dealer, &mut chance, &mut ()) else { break };
            let value = chances(rules, &round);
            for seat in 0..players {
                let (place, value) = (place_of(seat, dealer, players), value[usize::from(seat)]);
                sum[place] += value;
                squares[place] += value * value;
            }
        }
        let mean = sum.map(|sum| sum / f64::from(deals.max(1)));
        let square = |place: usize| squares[place] / f64::from(deals.max(1)) - mean[place] * mean[place];
        let variance = std::array::from_fn(|place| square(place).max(0.0));
        Baseline { mean, variance, points: held_points(rules, players, rounds, &mut chance) }
    }

    /// This baseline as a line of the data file.
    pub fn write(&self, edition: Edition, players: u8) -> String {
        let seats = usize::from(players);
        let figures =
            |numbers: &[f64]| numbers.iter().map(|number| format!("{number:.6}")).collect::<Vec<_>>().join(" ");
        let points = self.points.map(|points| format!("{points:.0}")).join(" ");
        format!(
            "{} {players} | {} | {} | {points}",
            edition.id(),
            figures(&self.mean[..seats]),
            figures(&self.variance[..seats])
        )
    }
}

fn read(line: &str) -> Option<(Key, Baseline)> {
    let mut parts = line.split(" | ");
    let (edition, players) = parts.next()?.split_once(' ')?;
    let key = (Edition::parse(edition)?, players.parse().ok()?);
    let mut numbers = || parts.next()?.split(' ').map(decimal).collect::<Option<Vec<_>>>();
    let (means, variances, held) = (numbers()?, numbers()?, numbers()?);
    let spread = |list: &[f64]| std::array::from_fn(|place| list.get(place).copied().unwrap_or(0.0));
    let points = held.try_into().ok()?;
    // Rounded figures add up to one only roughly, and luck must sum to zero.
    let sum: f64 = means.iter().sum();
    let mean = spread(&means).map(|mean: f64| mean / sum);
    Some((key, Baseline { mean, variance: spread(&variances), points }))
}

/// The quantiles of what losers hold when a round among `hard` bots ends.
fn held_points(rules: &Rules, players: u8, rounds: u32, chance: &mut Pcg64Mcg) -> [f64; QUANTILES] {
    let mut held: Vec<u32> = Vec::new();
    for number in 0..rounds {
        let Ok(mut round) = Round::deal(rules, players, (number % u32::from(players)) as u8, chance, &mut ()) else {
            break;
        };
        let seed = u64::from(number) * SEATS as u64;
        let mut bots: Vec<LevelBot> =
            (0..players).map(|seat| LevelBot::new(Level::Hard, seed + u64::from(seat))).collect();
        for _ in 0..LONGEST {
            let Some(seat) = round.awaited() else { break };
            let action = bots[usize::from(seat)].act(&Sight::new(&round, rules, seat, &[]));
            if round.apply(rules, seat, &action, chance, &mut ()).is_err() {
                break;
            }
        }
        if round.is_over() {
            held.extend(round.hands().iter().filter(|hand| !hand.is_empty()).map(|hand| rules.hand_points(hand)));
        }
    }
    order::sort(&mut held);
    let at = |number: usize| held.get((2 * number + 1) * held.len() / (2 * QUANTILES)).copied();
    std::array::from_fn(|number| at(number).map_or(0.0, f64::from))
}

/// All tables with stored data: every edition with every number of players.
pub fn tables() -> impl Iterator<Item = (Edition, u8)> {
    let players = |edition: Edition| {
        let rules = Rules::of(edition);
        (MIN_PLAYERS..=MAX_PLAYERS).filter(move |players| rules.check_players(*players).is_ok())
    };
    Edition::ALL.into_iter().flat_map(move |edition| players(edition).map(move |players| (edition, players)))
}
