//! Stopping when the question is settled.
//!
//! The question is whether the first side wins more than an even share of its games, fewer, or neither. It is put as
//! two sequential probability ratio tests (Wald) at once, as Sobel and Wald proposed for three-way decisions: "even"
//! against "even + margin" and "even" against "even − margin". Each looks at how far the mean over the deals is from
//! even, measured by its own spread: the generalized test with a normal approximation, as engine testers use it. The
//! unit is the deal, so the rotations of a deal need not be independent of each other.

use serde::Serialize;

use crate::estimate::Moments;

/// The wrong answers allowed: to see a difference that is not there, or to miss one as large as the margin.
pub const ERROR: f64 = 0.05;

/// The first look comes after this many deals, when the spread is known well enough.
const FIRST_LOOK: u64 = 100;

/// How many deals lie between further looks.
const LOOK_EVERY: u64 = 10;

/// What was found out about the first side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It wins more than its even share.
    Better,
    /// It wins less than its even share.
    Worse,
    /// It is closer to its even share than the margin.
    Even,
    /// More deals are needed.
    Open,
}

/// A sequential test about the share of games the first side wins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Question {
    /// The difference that matters, as a share of games: 0.01 for one in a hundred.
    pub margin: f64,
}

impl Question {
    /// Whether the test looks at the results after that many deals. Fixed, so the verdict depends on the deals alone.
    pub fn looks_after(deals: u64) -> bool {
        deals >= FIRST_LOOK && deals.is_multiple_of(LOOK_EVERY)
    }

    /// What the results say so far: the first side's share of the games of each deal, in units of which `even`
    /// is the even share and `whole` all games.
    pub fn verdict(&self, shares: &Moments, even: f64, whole: f64) -> Verdict {
        let Some(variance) = shares.variance() else { return Verdict::Open };
        let (mean, even) = (shares.mean() / whole, even / whole);
        // Even when all deals so far went the same way, the next one might not.
        let variance = variance / (whole * whole) + even * (1.0 - even) / shares.count() as f64;
        let evidence = |margin: f64| margin * (mean - even - margin / 2.0) * shares.count() as f64 / variance;
        let (better, worse) = (evidence(self.margin), evidence(-self.margin));
        // Two ways to be wrong about "even", one way to miss a difference.
        let (accept, reject) = (((1.0 - ERROR) / (ERROR / 2.0)).ln(), (ERROR / (1.0 - ERROR / 2.0)).ln());
        if better >= accept {
            Verdict::Better
        } else if worse >= accept {
            Verdict::Worse
        } else if better <= reject && worse <= reject {
            Verdict::Even
        } else {
            Verdict::Open
        }
    }
}

#[cfg(test)]
mod tests {
    use rand_core::SeedableRng;
    use rand_pcg::Pcg64Mcg;
    use unum_rules::Chance;

    use super::*;

    /// Plays deals of two games each, every one won with that chance in a thousand, until the question is settled.
    fn settle(per_mille: u32, seed: u64) -> (Verdict, u64) {
        let question = Question { margin: 0.02 };
        let mut chance = Pcg64Mcg::seed_from_u64(seed);
        let mut shares = Moments::default();
        for deals in 1.. {
            let wins = (0..2).filter(|_| chance.below(1000) < per_mille).count();
            shares.add(wins as i64);
            if Question::looks_after(deals) {
                let verdict = question.verdict(&shares, 1.0, 2.0);
                if verdict != Verdict::Open {
                    return (verdict, deals);
                }
            }
        }
        (Verdict::Open, 0)
    }

    #[test]
    fn verdicts_are_wrong_as_rarely_as_promised() {
        for (per_mille, right) in [(500, Verdict::Even), (520, Verdict::Better), (480, Verdict::Worse)] {
            let wrong = (0..400).filter(|seed| settle(per_mille, *seed).0 != right).count();
            // 5 % of 400 are 20; 36 would be almost four standard deviations more.
            assert!(wrong < 36, "{per_mille}: {wrong} of 400 wrong");
        }
    }

    #[test]
    fn large_differences_are_settled_soon() {
        for seed in 0..20 {
            let (verdict, deals) = settle(700, seed);
            assert!(verdict == Verdict::Better && deals <= 300, "{verdict:?} {deals}");
            assert_eq!(settle(300, seed).0, Verdict::Worse);
        }
    }

    #[test]
    fn deals_that_all_go_the_same_way_are_settled_too() {
        let question = Question { margin: 0.01 };
        let all = |share: i64| {
            let mut shares = Moments::default();
            (0..100_000).for_each(|_| shares.add(share));
            question.verdict(&shares, 1.0, 2.0)
        };
        assert_eq!((all(0), all(1), all(2)), (Verdict::Worse, Verdict::Even, Verdict::Better));
        assert_eq!(question.verdict(&Moments::default(), 1.0, 2.0), Verdict::Open);
    }
}
