//! Ratings from results of pairs: the Bradley–Terry model, by maximum likelihood.
//!
//! A side beats another with a chance of 1 / (1 + 10^(d/400)), where d is how far it is behind. Intervals are those of a sandwich
//! estimator: they rest on how much the measured shares vary from deal to deal, not on a binomial formula, because games of one
//! deal are not independent.

use crate::arena::ELO_SCALE;
use crate::estimate::{Estimate, REACH};

/// What two sides did against each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// The first side, by number.
    pub first: usize,
    /// The second side.
    pub second: usize,
    /// Games they played, the weight of this result.
    pub games: f64,
    /// Share of them that the first side won.
    pub share: f64,
    /// Variance of that share; `None` when there is too little to tell.
    pub variance: Option<f64>,
}

/// Ratings that explain some results best. Their mean is 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// By side, in points of Elo.
    elo: Vec<f64>,
    /// Their covariances, row by row; `None` when there is too little to tell.
    covariances: Option<Vec<Vec<f64>>>,
}

/// Steps of Newton's method: it takes about ten.
const STEPS: usize = 200;
/// A step of more natural logarithms of strength than this is shortened.
const LONGEST_STEP: f64 = 2.0;

impl Ratings {
    /// The ratings of that many sides. `None` where no ratings are the likeliest: not everybody has, directly or by way of
    /// others, both won and lost something against everybody else.
    pub fn fit(sides: usize, pairs: &[Pair]) -> Option<Ratings> {
        if sides < 2 || !is_connected(sides, pairs) {
            return None;
        }
        let mut strengths = vec![0.0; sides];
        for _ in 0..STEPS {
            let (gradient, information) = slope(&strengths, pairs);
            let step = solve(&information, &gradient)?;
            let longest = step.iter().fold(0.0f64, |longest, one| longest.max(one.abs()));
            let factor = if longest > LONGEST_STEP { LONGEST_STEP / longest } else { 1.0 };
            strengths.iter_mut().zip(&step).for_each(|(strength, step)| *strength += factor * step);
            if longest < 1e-12 {
                break;
            }
        }
        let mean = strengths.iter().sum::<f64>() / sides as f64;
        let unit = ELO_SCALE / std::f64::consts::LN_10;
        let covariances = covariances(&strengths, pairs, unit);
        Some(Ratings { elo: strengths.iter().map(|strength| (strength - mean) * unit).collect(), covariances })
    }

    /// The rating of a side.
    pub fn of(&self, side: usize) -> Estimate {
        let variance = self.covariances.as_ref().map(|matrix| matrix[side][side]);
        Estimate::new(self.elo[side], margin(variance))
    }

    /// How far a side is ahead of another.
    pub fn ahead(&self, side: usize, other: usize) -> Estimate {
        let variance = self
            .covariances
            .as_ref()
            .map(|matrix| matrix[side][side] + matrix[other][other] - 2.0 * matrix[side][other]);
        Estimate::new(self.elo[side] - self.elo[other], margin(variance))
    }

    /// The share of games that a side should win against another.
    pub fn expected(&self, side: usize, other: usize) -> f64 {
        chance((self.elo[side] - self.elo[other]) * std::f64::consts::LN_10 / ELO_SCALE)
    }
}

fn margin(variance: Option<f64>) -> Option<f64> {
    variance.map(|variance| REACH * variance.max(0.0).sqrt())
}

/// The chance of a side that is that much stronger.
fn chance(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

/// Whether everybody can be reached from everybody by going from winners to losers.
fn is_connected(sides: usize, pairs: &[Pair]) -> bool {
    let played = || pairs.iter().filter(|pair| pair.games > 0.0);
    let first_won = played().filter(|pair| pair.share > 0.0).map(|pair| (pair.first, pair.second));
    let second_won = played().filter(|pair| pair.share < 1.0).map(|pair| (pair.second, pair.first));
    let wins: Vec<_> = first_won.chain(second_won).collect();
    let losses: Vec<_> = wins.iter().map(|(winner, loser)| (*loser, *winner)).collect();
    reaches_all(sides, &wins) && reaches_all(sides, &losses)
}

/// Whether every side can be reached from the first one.
fn reaches_all(sides: usize, steps: &[(usize, usize)]) -> bool {
    let mut seen = vec![false; sides];
    let mut open = vec![0];
    while let Some(side) = open.pop() {
        if !std::mem::replace(&mut seen[side], true) {
            open.extend(steps.iter().filter(|(from, _)| *from == side).map(|(_, to)| to));
        }
    }
    seen.into_iter().all(|seen| seen)
}

/// The slope of the likelihood, and its information matrix. That is made invertible: all strengths can be moved together.
fn slope(strengths: &[f64], pairs: &[Pair]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let sides = strengths.len();
    let mut gradient = vec![0.0; sides];
    let mut information = vec![vec![0.0; sides]; sides];
    for pair in pairs {
        let expected = chance(strengths[pair.first] - strengths[pair.second]);
        let surprise = pair.games * (pair.share - expected);
        gradient[pair.first] += surprise;
        gradient[pair.second] -= surprise;
        between(&mut information, pair, pair.games * expected * (1.0 - expected));
    }
    let scale = information.iter().enumerate().map(|(side, row)| row[side]).sum::<f64>() / (sides * sides) as f64;
    information.iter_mut().flatten().for_each(|entry| *entry += scale);
    (gradient, information)
}

/// Adds what ties two sides together to a matrix.
fn between(matrix: &mut [Vec<f64>], pair: &Pair, weight: f64) {
    matrix[pair.first][pair.first] += weight;
    matrix[pair.second][pair.second] += weight;
    matrix[pair.first][pair.second] -= weight;
    matrix[pair.second][pair.first] -= weight;
}

/// The covariances of ratings: what the measured variances of the shares do to the fit.
fn covariances(strengths: &[f64], pairs: &[Pair], unit: f64) -> Option<Vec<Vec<f64>>> {
    let sides = strengths.len();
    let (_, information) = slope(strengths, pairs);
    let mut covariances = vec![vec![0.0; sides]; sides];
    for pair in pairs.iter().filter(|pair| pair.games > 0.0) {
        // A surprise of one game in this pair moves the ratings by this much.
        let mut surprise = vec![0.0; sides];
        surprise[pair.first] = 1.0;
        surprise[pair.second] = -1.0;
        let moved = solve(&information, &surprise)?;
        let variance = pair.games * pair.games * pair.variance?;
        for (row, one) in covariances.iter_mut().zip(&moved) {
            row.iter_mut().zip(&moved).for_each(|(entry, other)| *entry += one * other * variance * unit * unit);
        }
    }
    Some(covariances)
}

/// Solves linear equations by elimination; `None` if they have no single solution.
fn solve(matrix: &[Vec<f64>], right: &[f64]) -> Option<Vec<f64>> {
    let size = right.len();
    let mut rows: Vec<Vec<f64>> = matrix.iter().zip(right).map(|(row, right)| [&row[..], &[*right]].concat()).collect();
    for column in 0..size {
        let best = (column..size).max_by(|a, b| rows[*a][column].abs().total_cmp(&rows[*b][column].abs()))?;
        rows.swap(column, best);
        let pivot = rows[column].clone();
        if pivot[column].abs() < 1e-300 {
            return None;
        }
        for row in rows.iter_mut().skip(column + 1) {
            let factor = row[column] / pivot[column];
            row.iter_mut().zip(&pivot).for_each(|(entry, pivot)| *entry -= factor * pivot);
        }
    }
    let mut solution = vec![0.0; size];
    for line in (0..size).rev() {
        let known: f64 = (line + 1..size).map(|column| rows[line][column] * solution[column]).sum();
        solution[line] = (rows[line][size] - known) / rows[line][line];
    }
    solution.iter().all(|value| value.is_finite()).then_some(solution)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(first: usize, second: usize, games: f64, share: f64) -> Pair {
        // As if all games were independent.
        Pair { first, second, games, share, variance: Some(share * (1.0 - share) / games) }
    }

    #[test]
    fn two_sides_are_as_far_apart_as_their_results_say() {
        let ratings = Ratings::fit(2, &[pair(0, 1, 1000.0, 10.0 / 11.0)]).unwrap();
        let ahead = ratings.ahead(0, 1);
        assert!((ahead.mean - 400.0).abs() < 1e-9);
        assert!((ratings.of(0).mean - 200.0).abs() < 1e-9 && (ratings.of(1).mean + 200.0).abs() < 1e-9);
        // The textbook's error of a logit: 1 / sqrt(n p (1 - p)).
        let error = 400.0 / std::f64::consts::LN_10 / (1000.0 * 10.0 / 121.0f64).sqrt();
        assert!((ahead.margin().unwrap() - REACH * error).abs() < 1e-9);
        assert!((ratings.of(0).margin().unwrap() * 2.0 - ahead.margin().unwrap()).abs() < 1e-9);
        assert!((ratings.expected(0, 1) - 10.0 / 11.0).abs() < 1e-12);
    }

    #[test]
    fn strengths_come_back_from_the_shares_they_make() {
        let elo = [150.0, 40.0, 0.0, -190.0];
        let share = |a: usize, b: usize| 1.0 / (1.0 + 10f64.powf((elo[b] - elo[a]) / 400.0));
        let pairs: Vec<Pair> = (0..4)
            .flat_map(|a| (a + 1..4).map(move |b| (a, b)))
            .filter(|pair| *pair != (1, 3))
            .map(|(a, b)| pair(a, b, 100.0 * (1 + a + b) as f64, share(a, b)))
            .collect();
        let ratings = Ratings::fit(4, &pairs).unwrap();
        for (side, elo) in elo.into_iter().enumerate() {
            assert!((ratings.of(side).mean - elo).abs() < 1e-6, "{:?}", ratings.of(side));
        }
        assert!((ratings.expected(1, 3) - share(1, 3)).abs() < 1e-9);
        // Those who never met are compared less exactly than those who did.
        assert!(ratings.ahead(1, 3).margin() > ratings.ahead(2, 3).margin());
    }

    #[test]
    fn intervals_hold_what_they_promise() {
        // Three sides of known strength play 400 independent games per pair, a thousand times.
        let elo = [60.0, 0.0, -60.0];
        let mut state = 7u64;
        let mut random = || {
            state = crate::seeds::derive(state, &[1]);
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        let (mut held, trials) = (0, 1000);
        for _ in 0..trials {
            let pairs: Vec<Pair> = [(0, 1), (0, 2), (1, 2)]
                .into_iter()
                .map(|(a, b): (usize, usize)| {
                    let chance = 1.0 / (1.0 + 10f64.powf((elo[b] - elo[a]) / 400.0));
                    let won = (0..400).filter(|_| random() < chance).count();
                    pair(a, b, 400.0, won as f64 / 400.0)
                })
                .collect();
            let ratings = Ratings::fit(3, &pairs).unwrap();
            held += usize::from(!ratings.of(0).excludes(60.0));
        }
        assert!((930..=970).contains(&held), "{held} of {trials}");
    }

    #[test]
    fn there_are_no_ratings_where_any_would_be_too_low() {
        assert_eq!(Ratings::fit(2, &[pair(0, 1, 10.0, 1.0)]), None);
        assert_eq!(Ratings::fit(3, &[pair(0, 1, 10.0, 0.5)]), None);
        assert_eq!(Ratings::fit(3, &[pair(0, 1, 10.0, 0.5), pair(1, 2, 10.0, 1.0), pair(0, 2, 10.0, 1.0)]), None);
        // Everybody has lost to somebody, around a circle.
        assert!(Ratings::fit(3, &[pair(0, 1, 10.0, 1.0), pair(1, 2, 10.0, 1.0), pair(0, 2, 10.0, 0.0)]).is_some());
        assert_eq!(Ratings::fit(1, &[]), None);
    }
}
