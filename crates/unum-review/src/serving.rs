//! Reviews and analyses for somebody who waits: bounded, made in pieces, and told without what a page does not show.

use std::collections::VecDeque;
use std::ops::RangeInclusive;

use unum_protocol::ServerCode;
use unum_protocol::review::{Analysis, MOMENTS, Review};
use unum_rules::order;
use unum_rules::record::Record;

use crate::{AnalysisError, Analyst, Reviewer, Task};

/// Longer matches are not reviewed: moves.
pub const LONGEST: usize = 4_000;
/// Worlds per decision on average, and worlds in all.
const WORLDS: u64 = 400;
const MOST_WORLDS: u64 = 400_000;
/// Worlds for the analysis of a single moment.
const ANALYZED: u32 = 1_000;
/// Worlds between two looks at the clock.
const STEP: u32 = 8;

/// Why there is no review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServingError {
    /// There are too many moves.
    TooLong,
    /// The record contradicts itself.
    Damaged,
    /// No round of these is over.
    NoRound,
}

impl ServingError {
    /// The code for it, and the sentence.
    pub fn tell(self) -> (ServerCode, &'static str) {
        match self {
            ServingError::TooLong => {
                (ServerCode::TooLong, "this match is too long to be reviewed; `unum review` can do it")
            }
            ServingError::Damaged => (ServerCode::Storage, "the record is damaged"),
            ServingError::NoRound => (ServerCode::NotFound, "there is no such round, or it is still being played"),
        }
    }
}

/// A review being made.
pub struct Sitting {
    reviewer: Reviewer,
    tasks: VecDeque<Task>,
    left: u64,
}

impl Sitting {
    /// Begins the review of some rounds of a record, by their numbers from 1 on. Luck is known at once.
    ///
    /// # Errors
    /// When there is nothing to review, too much, or the record is wrong.
    pub fn new(record: &Record, rounds: RangeInclusive<u32>) -> Result<Sitting, ServingError> {
        if record.moves.len() > LONGEST {
            return Err(ServingError::TooLong);
        }
        let reviewer = Reviewer::of_rounds(record, rounds).map_err(|_| ServingError::Damaged)?;
        if reviewer.review().rounds.is_empty() {
            return Err(ServingError::NoRound);
        }
        let left = (reviewer.decisions() as u64 * WORLDS).min(MOST_WORLDS);
        Ok(Sitting { reviewer, tasks: VecDeque::new(), left })
    }

    /// Thinks until a look at the clock says that it is enough, at least once. Says whether there is more to think about. In
    /// what pieces it is done makes no difference to the review.
    pub fn think(&mut self, mut is_enough: impl FnMut() -> bool) -> bool {
        loop {
            if self.tasks.is_empty() {
                self.tasks = self.reviewer.plan(self.left, None).into();
                self.left -= self.tasks.iter().map(|task| u64::from(task.worlds)).sum::<u64>().min(self.left);
            }
            let Some(mut task) = self.tasks.pop_front() else { return false };
            let worlds = task.worlds.min(STEP);
            self.reviewer.decisions_mut()[task.decision].consider(worlds);
            task.worlds -= worlds;
            if task.worlds > 0 {
                self.tasks.push_front(task);
            }
            if is_enough() {
                return true;
            }
        }
    }

    /// The whole review as it stands.
    pub fn review(&self) -> Review {
        self.reviewer.review()
    }
}

/// A review as it is told: without names, which belong to the record, and with the clearest mistakes only.
pub fn served(mut review: Review) -> Review {
    review.names = Vec::new();
    review.rounds.iter_mut().for_each(|round| round.strokes = Vec::new());
    review.decisions.retain(|decision| decision.marked);
    order::sort_by(&mut review.decisions, |a, b| b.error.0.total_cmp(&a.error.0));
    let mut told = vec![0; usize::from(review.players)];
    review.decisions.retain(|decision| {
        let count = &mut told[usize::from(decision.spot.seat)];
        *count += 1;
        *count <= MOMENTS
    });
    review
}

/// The analysis of one moment, being made.
pub struct Look {
    analyst: Analyst,
    worlds: u32,
}

impl Look {
    /// Begins with a moment of a record, after that many moves.
    ///
    /// # Errors
    /// When there is no such moment, or the match is too long.
    pub fn new(record: &Record, step: u32) -> Result<Look, AnalysisError> {
        if record.moves.len() > LONGEST {
            return Err(AnalysisError::TooLong);
        }
        Ok(Look { analyst: Analyst::of_record(record, step)?, worlds: 0 })
    }

    /// Thinks until a look at the clock says that it is enough, at least once. Says whether there is more to think about.
    pub fn think(&mut self, mut is_enough: impl FnMut() -> bool) -> bool {
        while self.worlds < ANALYZED {
            let before = self.worlds;
            self.worlds = self.analyst.consider(STEP);
            if self.worlds == before {
                // There is nothing to compare.
                self.worlds = ANALYZED;
            } else if is_enough() {
                break;
            }
        }
        self.worlds < ANALYZED
    }

    /// What is known by now.
    pub fn analysis(&self) -> Analysis {
        self.analyst.analysis()
    }
}
