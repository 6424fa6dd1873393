//! Means of results less luck (a control variate), where luck is known game by game and its mean is zero.
//!
//! How much of the luck to take out is fitted: as much as makes the spread smallest. The games are divided into two halves,
//! and each half takes what fits the other. So it does not depend on the games it is taken from, and the mean stays what
//! it is. All sums are of whole numbers: it does not matter which thread counted what.

use serde::{Deserialize, Serialize};
use unum_rules::SEATS;

use crate::estimate::{Estimate, REACH};

/// Sums over half of the games, of one result and its luck.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sums {
    result: i128,
    luck: i128,
    results: i128,
    lucks: i128,
    products: i128,
}

/// The results of several seats or sides, which share one fit so that shares still add up.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Controlled {
    games: [u64; 2],
    sums: [[Sums; SEATS]; 2],
}

impl Controlled {
    /// Takes a game in: results and luck, in the same unit.
    pub(crate) fn add(&mut self, number: u64, game: impl Iterator<Item = (i64, i64)>) {
        // Balanced whatever repeats every few games, such as who deals (the sequence of Thue and Morse).
        let half = (number.count_ones() % 2) as usize;
        self.games[half] += 1;
        for (sums, (result, luck)) in self.sums[half].iter_mut().zip(game) {
            let (result, luck) = (i128::from(result), i128::from(luck));
            sums.result += result;
            sums.luck += luck;
            sums.results += result * result;
            sums.lucks += luck * luck;
            sums.products += result * luck;
        }
    }

    /// Merges another one in.
    pub(crate) fn merge(&mut self, other: &Controlled) {
        for half in 0..2 {
            // Some come from files that may hold anything.
            self.games[half] = self.games[half].saturating_add(other.games[half]);
            for (own, other) in self.sums[half].iter_mut().zip(&other.sums[half]) {
                own.result = own.result.saturating_add(other.result);
                own.luck = own.luck.saturating_add(other.luck);
                own.results = own.results.saturating_add(other.results);
                own.lucks = own.lucks.saturating_add(other.lucks);
                own.products = own.products.saturating_add(other.products);
            }
        }
    }

    /// How much of the luck is best taken out, by one half.
    fn share(&self, half: usize) -> f64 {
        let count = self.games[half].max(1) as f64;
        let of = |sums: &Sums| {
            let (result, luck) = (sums.result as f64, sums.luck as f64);
            (sums.products as f64 - result * luck / count, sums.lucks as f64 - luck * luck / count)
        };
        let add = |(a, b): (f64, f64), (c, d): (f64, f64)| (a + c, b + d);
        let (products, squares) = self.sums[half].iter().map(of).fold((0.0, 0.0), add);
        if self.games[half] > 1 && squares > 0.0 { (products / squares).clamp(0.0, 2.0) } else { 1.0 }
    }

    /// The mean of one of them less luck, with its interval.
    pub(crate) fn estimate(&self, place: usize) -> Estimate {
        let all = self.games[0].saturating_add(self.games[1]).max(1) as f64;
        let (mut mean, mut variance, mut known) = (0.0, 0.0, true);
        for half in 0..2 {
            let (sums, count, share) = (&self.sums[half][place], self.games[half] as f64, self.share(1 - half));
            let sum = sums.result as f64 - share * sums.luck as f64;
            let squares = sums.results as f64 - 2.0 * share * sums.products as f64 + share * share * sums.lucks as f64;
            mean += sum / all;
            known &= count > 1.0;
            if known {
                // That of the sum of this half.
                variance += ((squares - sum * sum / count) / (count - 1.0)).max(0.0) * count;
            }
        }
        Estimate::new(mean, known.then(|| REACH * variance.sqrt() / all))
    }

    /// How many times more games the same accuracy would take without it.
    pub(crate) fn worth(&self, place: usize) -> Option<f64> {
        let both =
            |figure: fn(&Sums) -> i128| figure(&self.sums[0][place]).saturating_add(figure(&self.sums[1][place]));
        let count = self.games[0].saturating_add(self.games[1]) as f64;
        let (sum, squares) = (both(|sums| sums.result) as f64, both(|sums| sums.results) as f64);
        let variance = (squares - sum * sum / count) / (count - 1.0);
        let plain = REACH * (variance / count).sqrt();
        self.estimate(place).margin().filter(|margin| *margin > 0.0).map(|margin| (plain / margin).powi(2))
    }
}

#[cfg(test)]
mod tests {
    use rand_core::SeedableRng;
    use rand_pcg::Pcg64Mcg;
    use unum_rules::Chance as _;

    use super::*;

    /// Results that are half luck: two players, one win of a thousand parts.
    fn games(count: u64, noise: u32) -> Controlled {
        let mut chance = Pcg64Mcg::seed_from_u64(5);
        let mut all = Controlled::default();
        for number in 0..count {
            let luck = i64::from(chance.below(1001)) - 500;
            let won = i64::from(i64::from(chance.below(1000)) < 600 + luck) * 1000;
            let seen = luck + i64::from(chance.below(2 * noise + 1)) - i64::from(noise);
            all.add(number, [(won, seen), (1000 - won, -seen)].into_iter());
        }
        all
    }

    #[test]
    fn the_mean_stays_and_the_interval_gets_tighter() {
        let [exact, noisy] = [0, 700].map(|noise| games(20_000, noise));
        for all in [&exact, &noisy] {
            let (first, second) = (all.estimate(0), all.estimate(1));
            let truth = 1000.0 * (0..=1000).map(|luck| (0.1 + f64::from(luck) / 1000.0).min(1.0)).sum::<f64>() / 1001.0;
            assert!((first.mean - truth).abs() < 2.0 * first.margin().unwrap(), "{first:?} {truth}");
            assert!((first.mean + second.mean - 1000.0).abs() < 1e-9, "shares add up");
        }
        let (best, some) = (exact.worth(0).unwrap(), noisy.worth(0).unwrap());
        assert!(best > 1.3 && best > some && some > 1.0, "{best} {some}");
    }

    #[test]
    fn parts_merge_to_the_whole_and_too_few_games_have_no_interval() {
        let mut merged = games(100, 0);
        merged.merge(&games(100, 0));
        assert_eq!(merged.games, games(100, 0).games.map(|count| 2 * count));
        assert_eq!(merged.estimate(0).mean, games(100, 0).estimate(0).mean);
        assert_eq!((games(2, 0).estimate(0).margin(), games(0, 0).worth(0)), (None, None));
    }
}
