//! Percentiles of luck: how many of a hundred rounds were less lucky.
//!
//! Luck is not normally distributed: a lucky round is soon over, an unlucky one goes on. So a deviation is compared
//! with those of rounds with about the same spread. The quantiles are stored by number of players and class of spread,
//! made by `cargo run --release -p unum-review --example unbiased -- ROUNDS --quantiles`.
//!
//! They come from edition `original`. Where luck comes in other portions, because an edition has cards of its own, a second
//! table says what share of rounds really lies below each of these percentiles; `--edition EDITION` makes it.

use std::sync::LazyLock;

use unum_rules::{Edition, Seat};

use crate::decimal;
use crate::luck::RoundLuck;

/// Classes of spread.
const CLASSES: usize = 12;
/// Quantiles stored for each class.
const QUANTILES: usize = 64;

/// By line: the number of players, the bound of the spread, the first quantile in thousandths, and how much greater each of the others
/// is than the one before. Differences are half as long as the quantiles, in a module that every visitor of the page loads.
const DATA: &str = include_str!("percentiles.txt");

/// By line: the edition, the number of players, the percentile in thousandths below which the first part of its rounds lies, and how
/// much greater each of the others is than the one before.
const EDITIONS: &str = include_str!("percentiles_by_edition.txt");
/// Parts that this table divides rounds into.
const PARTS: usize = 32;

/// Rounds with a spread up to this bound, and the quantiles of their deviations.
struct Class {
    players: u8,
    bound: f64,
    quantiles: Vec<f64>,
}

type Mended = (Edition, u8, Vec<f64>);

static MENDED: LazyLock<Vec<Mended>> = LazyLock::new(|| EDITIONS.lines().filter_map(read_mended).collect());

fn read_mended(line: &str) -> Option<Mended> {
    let mut words = line.split(' ');
    let (edition, players) = (Edition::parse(words.next()?)?, words.next()?.parse().ok()?);
    let bounds = sums(&words.map(str::parse).collect::<Result<Vec<_>, _>>().ok()?);
    (bounds.len() == PARTS - 1).then_some((edition, players, bounds))
}

static CLASSES_KEPT: LazyLock<Vec<Class>> = LazyLock::new(|| DATA.lines().filter_map(read).collect());

fn read(line: &str) -> Option<Class> {
    let mut words = line.split(' ');
    let (players, bound) = (words.next()?.parse().ok()?, decimal(words.next()?)?);
    let quantiles = sums(&words.map(str::parse).collect::<Result<Vec<_>, _>>().ok()?);
    (quantiles.len() == QUANTILES).then_some(Class { players, bound, quantiles })
}

/// What differences in thousandths add up to.
fn sums(steps: &[i32]) -> Vec<f64> {
    let sums = steps.iter().scan(0, |sum, step| {
        *sum += step;
        Some(f64::from(*sum) / 1_000.0)
    });
    sums.collect()
}

/// Figures in thousandths, as differences.
fn steps(figures: impl Iterator<Item = f64>) -> String {
    let mut before = 0;
    let step = |figure: f64| {
        let thousandths = (figure * 1_000.0).round() as i32;
        (thousandths - std::mem::replace(&mut before, thousandths)).to_string()
    };
    figures.map(step).collect::<Vec<_>>().join(" ")
}

/// The share of rounds that were less lucky for a seat, from 0 to 1.
pub fn of(luck: &RoundLuck, seat: Seat) -> f64 {
    let usual = in_original(luck, seat);
    let mended = MENDED.iter().find(|mended| (mended.0, mended.1) == (luck.edition, luck.players));
    mended.map_or(usual, |(_, _, bounds)| mend(bounds, usual))
}

/// The share if luck came in such portions as in `original`.
pub fn in_original(luck: &RoundLuck, seat: Seat) -> f64 {
    let (spread, figure) = (luck.spread(seat), luck.deviations(seat));
    let classes = || CLASSES_KEPT.iter().filter(|class| class.players == luck.players);
    let class = classes().find(|class| spread <= class.bound).or_else(|| classes().next_back());
    class.map_or(0.5, |class| place(&class.quantiles, figure))
}

/// Between two bounds, shares grow evenly.
fn mend(bounds: &[f64], usual: f64) -> f64 {
    let part = bounds.partition_point(|bound| *bound < usual);
    let low = part.checked_sub(1).map_or(0.0, |below| bounds[below]);
    let high = bounds.get(part).copied().unwrap_or(1.0);
    let within = if high > low { (usual - low) / (high - low) } else { 0.5 };
    (part as f64 + within) / PARTS as f64
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
        format!("{players} {bound:.5} {}", steps((0..QUANTILES).map(at)))
    };
    figures.chunks_mut(size).map(line).collect()
}

/// A line of the table for editions, from the shares of many of its rounds as they would be in `original`.
pub fn write_edition(edition: Edition, players: u8, shares: &mut [f64]) -> String {
    shares.sort_by(f64::total_cmp);
    let bound = |part: usize| shares[part * shares.len() / PARTS];
    format!("{} {players} {}", edition.id(), steps((1..PARTS).map(bound)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_of_editions_increase_and_shares_grow_evenly_between_them() {
        assert_eq!(MENDED.len(), EDITIONS.lines().count());
        for (edition, players, bounds) in MENDED.iter() {
            let increase = bounds.windows(2).all(|pair| pair[0] < pair[1]);
            assert!(increase && bounds[0] > 0.0 && bounds[PARTS - 2] < 1.0, "{edition} {players}");
        }
        let even: Vec<f64> = (1..PARTS).map(|part| part as f64 / PARTS as f64).collect();
        for share in [0.0, 0.01, 0.3, 0.5, 0.99, 1.0] {
            assert!((mend(&even, share) - share).abs() < 1e-9);
        }
    }
}
