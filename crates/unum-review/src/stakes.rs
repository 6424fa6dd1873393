//! Match equity: what winning a round is worth for the match, given the scores.
//!
//! Later rounds are simulated by chance: everybody is equally likely to win one, and losers hold what they usually hold
//! ([`Baseline::points`]). The same seed makes the same table on every machine.

use rand_core::SeedableRng;
use rand_pcg::Pcg64Mcg;
use unum_rules::{Chance, Rules, SEATS, Scoring, Seat};

use crate::baseline::{Baseline, QUANTILES};
use crate::value::BySeat;

/// Simulated matches for each winner of the round.
const SAMPLES: u32 = 1_000;
/// A match that takes longer is shared by all.
const LONGEST: u32 = 400;

/// What each outcome of a round means for the match.
#[derive(Clone, Debug, PartialEq)]
pub struct Stakes {
    /// Everybody's chance to win the match, by the winner of the round.
    if_won: Vec<BySeat>,
    /// The same if nobody wins it.
    blocked: BySeat,
    players: usize,
}

impl Stakes {
    /// The stakes of a round at these scores.
    pub fn of(rules: &Rules, baseline: &Baseline, scores: &[u32]) -> Stakes {
        let players = scores.len();
        if rules.scoring() == Scoring::SingleRound {
            let only = |winner: usize| std::array::from_fn(|seat| f64::from(u8::from(seat == winner)));
            let blocked = std::array::from_fn(|seat| if seat < players { 1.0 / players as f64 } else { 0.0 });
            return Stakes { if_won: (0..players).map(only).collect(), blocked, players };
        }
        let future = Future { scoring: rules.scoring(), points: &baseline.points, players };
        let if_won = (0..players).map(|winner| future.equity(scores, Some(winner as Seat))).collect();
        Stakes { if_won, blocked: future.equity(scores, None), players }
    }

    /// Turns chances to win the round into chances to win the match. Works for changes of chances, too.
    pub fn in_match(&self, chances: &BySeat) -> BySeat {
        let mut equity = [0.0; SEATS];
        for (chance, if_won) in chances.iter().zip(&self.if_won) {
            equity.iter_mut().zip(if_won).for_each(|(sum, value)| *sum += chance * value);
        }
        equity
    }

    /// The chances if all are equally likely to win the round.
    pub fn even(&self) -> BySeat {
        let chance: BySeat =
            std::array::from_fn(|seat| if seat < self.players { 1.0 / self.players as f64 } else { 0.0 });
        self.in_match(&chance)
    }

    /// The chances after `winner` has won the round, over all points.
    pub fn after(&self, winner: Option<Seat>) -> &BySeat {
        winner.and_then(|winner| self.if_won.get(usize::from(winner))).unwrap_or(&self.blocked)
    }
}

struct Future<'a> {
    scoring: Scoring,
    points: &'a [f64; QUANTILES],
    players: usize,
}

impl Future<'_> {
    /// Everybody's share of the matches that continue after `first` has won the round.
    fn equity(&self, scores: &[u32], first: Option<Seat>) -> BySeat {
        let mut won = [0.0; SEATS];
        for sample in 0..SAMPLES {
            let mut chance = Pcg64Mcg::seed_from_u64(0xE9_0172 + u64::from(sample));
            self.play(scores, first, &mut chance, &mut won);
        }
        won.map(|won| won / f64::from(SAMPLES))
    }

    fn play(&self, scores: &[u32], first: Option<Seat>, chance: &mut Pcg64Mcg, won: &mut BySeat) {
        let mut all = [0; SEATS];
        all[..self.players].copy_from_slice(scores);
        let mut winner = first;
        for _ in 0..LONGEST {
            self.score(&mut all[..self.players], winner, chance);
            if let Some(winners) = self.scoring.winners(&all[..self.players], winner) {
                let share = 1.0 / winners.iter().count().max(1) as f64;
                winners.iter().for_each(|seat| won[usize::from(seat)] += share);
                return;
            }
            winner = Some(chance.below(self.players as u32) as Seat);
        }
        won[..self.players].iter_mut().for_each(|won| *won += 1.0 / self.players as f64);
    }

    fn score(&self, scores: &mut [u32], winner: Option<Seat>, chance: &mut Pcg64Mcg) {
        let mut pot = 0;
        for (seat, score) in (0..).zip(scores.iter_mut()) {
            let held = self.points[chance.below(QUANTILES as u32) as usize] as u32;
            let loses = winner != Some(seat);
            match self.scoring {
                Scoring::FirstTo(_) if loses => pot += held,
                Scoring::LowestAt(_) if loses => *score += held,
                _ => {}
            }
        }
        if let (Scoring::FirstTo(_), Some(winner)) = (self.scoring, winner) {
            scores[usize::from(winner)] += pot;
        }
    }
}
