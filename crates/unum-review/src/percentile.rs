//! Percentiles of luck: how many of a hundred rounds were less lucky.
//!
//! Luck is not normally distributed: a lucky round is soon over, an unlucky one goes on. So a deviation is compared
//! with those of rounds with about the same spread. The quantiles are stored by number of players and class of spread,
//! made by `cargo run --release -p unum-review --example unbiased -- ROUNDS --quantiles`.

use std::sync::LazyLock;

use unum_rules::Seat;

use crate::decimal;
use crate::luck::RoundLuck;

/// Classes of spread.
const CLASSES: usize = 12;
/// Quantiles stored for each class.
const QUANTILES: usize = 64;

/// By line: the number of players, the bound of the spread, the first quantile in thousandths, and how much greater each of the others
/// is than the one before. Differences are half as long as the quantiles, in a module that every visitor of the page loads.
const DATA: &str = include_str!("percentiles.txt");

/// Rounds with a spread up to this bound, and the quantiles of their deviations.
struct Class {
    players: u8,
    bound: f64,
    quantiles: Vec<f64>,
}

static CLASSES_KEPT: LazyLock<Vec<Class>> = LazyLock::new(|| DATA.lines().filter_map(read).collect());

fn read(line: &str) -> Option<Class> {
    let mut words = line.split(' ');
    let (players, bound) = (words.next()?.parse().ok()?, decimal(words.next()?)?);
    let steps = words.map(str::parse::<i32>).collect::<Result<Vec<_>, _>>().ok()?;
    let sums = steps.iter().scan(0, |sum, step| {
        *sum += step;
        Some(f64::from(*sum) / 1_000.0)
    });
    let quantiles: Vec<f64> = sums.collect();
    (quantiles.len() == QUANTILES).then_some(Class { players, bound, quantiles })
}

/// The share of rounds that were less lucky for a seat, from 0 to 1.
pub fn of(luck: &RoundLuck, seat: Seat) -> f64 {
    let (spread, figure) = (luck.spread(seat), luck.deviations(seat));
    let classes = || CLASSES_KEPT.iter().filter(|class| class.players == luck.players);
    let class = classes().find(|class| spread <= class.bound).or_else(|| classes().next_back());
    class.map_or(0.5, |class| place(&class.quantiles, figure))
}

/// The interpolated rank of a figure among quantiles.
fn place(quantiles: &[f64], figure: f64) -> f64 {
    let count = quantiles.len() as f64;
    let below = quantiles.partition_point(|quantile| *quantile < figure);
    let at = |place: usize| (place as f64 + 0.5) / count;
    if below == 0 {
        // Beyond the first quantile, the share falls off like that of a normal distribution.
        return at(0) * (-(quantiles[0] - figure) * 2.0).exp();
    }
    if below == quantiles.len() {
        return 1.0 - at(0) * (-(figure - quantiles[below - 1]) * 2.0).exp();
    }
    let (low, high) = (quantiles[below - 1], quantiles[below]);
    let part = if high > low { (figure - low) / (high - low) } else { 0.5 };
    at(below - 1) + part / count
}

/// The lines of the data file for one number of players, from the spreads and deviations of many rounds.
pub fn write(players: u8, figures: &mut [(f64, f64)]) -> Vec<String> {
    figures.sort_by(|a, b| a.0.total_cmp(&b.0));
    let size = figures.len().div_ceil(CLASSES).max(1);
    let line = |class: &mut [(f64, f64)]| {
        let bound = class.last().map_or(0.0, |figure| figure.0);
        class.sort_by(|a, b| a.1.total_cmp(&b.1));
        let at = |number: usize| class[(2 * number + 1) * class.len() / (2 * QUANTILES)].1;
        let mut before = 0;
        let steps: Vec<String> = (0..QUANTILES)
            .map(|number| {
                let quantile = (at(number) * 1_000.0).round() as i32;
                (quantile - std::mem::replace(&mut before, quantile)).to_string()
            })
            .collect();
        format!("{players} {bound:.5} {}", steps.join(" "))
    };
    figures.chunks_mut(size).map(line).collect()
}
