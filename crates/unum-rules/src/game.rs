//! A whole match: rounds, scores, winners.

use crate::Seat;
use crate::action::Action;
use crate::chance::{Chance, Seeded};
use crate::event::{Event, Sink, Viewer};
use crate::refusal::Refusal;
use crate::round::{Phase, Round};
use crate::rules::{Rules, RulesError, Scoring};
use crate::seat::{SEATS, SeatSet};
use crate::view::View;

/// What a round added to the scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundResult {
    /// Who went out; `None` when the round was blocked.
    pub winner: Option<Seat>,
    /// What each seat got, unused seats 0.
    pub points: [u32; SEATS],
}

/// Rounds until somebody has won.
///
/// A match owns its rules and its source of chance, by default a [`Seeded`] one: the same seed and actions give the
/// same match on every machine.
#[derive(Clone, Debug)]
pub struct Match<C = Seeded> {
    rules: Rules,
    round: Round,
    scores: [u32; SEATS],
    result: Option<RoundResult>,
    winners: Option<SeatSet>,
    chance: C,
}

impl Match<Seeded> {
    /// A new match: the dealer is found by D1 and the first round dealt.
    ///
    /// # Errors
    /// When that many cannot play by these rules.
    pub fn new(rules: Rules, players: u8, seed: u64) -> Result<Match, RulesError> {
        Match::start(rules, players, None, Seeded::new(seed), &mut ())
    }
}

impl<C: Chance> Match<C> {
    /// A new match with that dealer (or D1's choice) and that source of chance.
    ///
    /// # Errors
    /// When that many cannot play by these rules, or the dealer is not one of them.
    pub fn start<S: Sink>(
        rules: Rules,
        players: u8,
        dealer: Option<Seat>,
        mut chance: C,
        events: &mut S,
    ) -> Result<Match<C>, RulesError> {
        Round::check_setup(&rules, players, dealer.unwrap_or(0))?;
        let dealer = dealer.unwrap_or_else(|| Round::choose_dealer(&rules, players, &mut chance, events));
        let round = Round::deal(&rules, players, dealer, &mut chance, events)?;
        Ok(Match { rules, round, scores: [0; SEATS], result: None, winners: None, chance })
    }

    /// A match that goes on with a new round, dealt by that dealer with that source of chance.
    ///
    /// # Errors
    /// When that many cannot play by these rules (`scores` has one entry per player), or the dealer is not one of them.
    pub fn go_on<S: Sink>(
        rules: Rules,
        scores: &[u32],
        dealer: Seat,
        mut chance: C,
        events: &mut S,
    ) -> Result<Match<C>, RulesError> {
        let players = u8::try_from(scores.len()).unwrap_or(u8::MAX);
        let round = Round::deal(&rules, players, dealer, &mut chance, events)?;
        let mut all = [0; SEATS];
        all[..scores.len()].copy_from_slice(scores);
        Ok(Match { rules, round, scores: all, result: None, winners: None, chance })
    }

    /// The same match with its round replaced, for example by a determinization.
    pub fn with_round(self, round: Round) -> Match<C> {
        Match { round, ..self }
    }

    /// A match in the middle of things.
    pub(crate) fn resume(
        rules: Rules,
        round: Round,
        scores: [u32; SEATS],
        result: Option<RoundResult>,
        winners: Option<SeatSet>,
        chance: C,
    ) -> Match<C> {
        Match { rules, round, scores, result, winners, chance }
    }

    /// Lets a seat act.
    ///
    /// # Errors
    /// When the rules do not allow it; the match is then unchanged.
    pub fn apply<S: Sink>(&mut self, seat: Seat, action: &Action, events: &mut S) -> Result<(), Refusal> {
        self.round.apply(&self.rules, seat, action, &mut self.chance, events)?;
        self.score_if_over(events);
        Ok(())
    }

    /// X1: the referee's penalty for suggesting a play.
    ///
    /// # Errors
    /// When the rules know no such penalty, the seat has gone out or the round is over; the match is
    /// then unchanged.
    pub fn penalize<S: Sink>(&mut self, seat: Seat, events: &mut S) -> Result<(), Refusal> {
        self.round.penalize(&self.rules, seat, &mut self.chance, events)
    }

    /// Deals the next round (D3).
    ///
    /// # Errors
    /// While a round is being played, and after the match.
    pub fn next_round<S: Sink>(&mut self, events: &mut S) -> Result<(), NextRoundError> {
        self.check_next_round()?;
        let players = self.round.players();
        let dealer = (self.round.dealer() + 1) % players;
        self.round = Round::deal(&self.rules, players, dealer, &mut self.chance, events)
            .map_err(|_| NextRoundError::MatchOver)?;
        self.result = None;
        Ok(())
    }

    /// Deals the next round (D3) with another source of chance, which is kept: what [`Match::go_on`] does with the
    /// scores of this match.
    ///
    /// # Errors
    /// As [`Match::next_round`]; the match then keeps its source of chance.
    pub fn next_round_with<S: Sink>(&mut self, chance: C, events: &mut S) -> Result<(), NextRoundError> {
        self.check_next_round()?;
        self.chance = chance;
        self.next_round(events)
    }

    fn check_next_round(&self) -> Result<(), NextRoundError> {
        if !self.round.is_over() {
            return Err(NextRoundError::RoundGoesOn);
        }
        if self.winners.is_some() {
            return Err(NextRoundError::MatchOver);
        }
        Ok(())
    }

    /// P2–P5.
    fn score_if_over<S: Sink>(&mut self, events: &mut S) {
        let Phase::Over { winner } = *self.round.phase() else { return };
        if self.result.is_some() {
            return;
        }
        let points = self.rules.scoring().points(&self.rules, &self.round, winner);
        for (score, points) in self.scores.iter_mut().zip(points) {
            *score += points;
        }
        self.result = Some(RoundResult { winner, points });
        self.winners = self.rules.scoring().winners(self.scores(), winner);
        let players = self.round.players();
        events.push(Event::RoundScored { winner, points, players });
        if let Some(winners) = self.winners {
            events.push(Event::MatchWon { winners });
        }
    }

    /// Where its shuffles come from.
    pub fn chance(&self) -> &C {
        &self.chance
    }

    /// The rules played.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The round being played, or just over.
    pub fn round(&self) -> &Round {
        &self.round
    }

    /// Number of players.
    pub fn players(&self) -> u8 {
        self.round.players()
    }

    /// The scores, by seat.
    pub fn scores(&self) -> &[u32] {
        &self.scores[..self.round.players() as usize]
    }

    /// What the round added, once it is over.
    pub fn result(&self) -> Option<&RoundResult> {
        self.result.as_ref()
    }

    /// Who has won the match, once it is over.
    pub fn winners(&self) -> Option<SeatSet> {
        self.winners
    }

    /// What somebody at the table may know.
    pub fn view(&self, viewer: Viewer) -> View {
        View::new(self, viewer)
    }
}

impl Scoring {
    /// What a round with that winner adds to the scores (P2–P4), unused seats 0.
    pub fn points(self, rules: &Rules, round: &Round, winner: Option<Seat>) -> [u32; SEATS] {
        let held: [u32; SEATS] = std::array::from_fn(|seat| rules.hand_points(round.hand(seat as Seat)));
        let mut points = [0; SEATS];
        match (self, winner) {
            (Scoring::FirstTo(_), Some(winner)) => points[winner as usize] = held.iter().sum(),
            (Scoring::LowestAt(_), _) => points = held,
            (Scoring::FirstTo(_), None) | (Scoring::SingleRound, _) => {}
        }
        points
    }

    /// Whether the cards that `of` was left with count for a seat, after a round with that winner: what
    /// [`Scoring::points`] adds up from.
    pub fn counts_for(self, seat: Seat, of: Seat, winner: Option<Seat>) -> bool {
        match self {
            Scoring::FirstTo(_) => winner == Some(seat),
            Scoring::LowestAt(_) => of == seat,
            Scoring::SingleRound => false,
        }
    }

    /// Who has won the match with these scores, after a round with that winner (P2–P5).
    pub fn winners(self, scores: &[u32], winner: Option<Seat>) -> Option<SeatSet> {
        let only = |seat: Seat| SeatSet::from_iter([seat]);
        match (self, winner) {
            (Scoring::SingleRound, winner) => winner.map(only),
            (Scoring::FirstTo(target), Some(winner)) => (scores[winner as usize] >= target).then(|| only(winner)),
            (Scoring::FirstTo(_), None) => None,
            (Scoring::LowestAt(target), _) => {
                let lowest = scores.iter().min();
                let reached = scores.iter().any(|score| *score >= target);
                reached.then(|| {
                    (0..).zip(scores).filter(|(_, score)| Some(*score) == lowest).map(|(seat, _)| seat).collect()
                })
            }
        }
    }
}

/// Why no next round can be dealt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NextRoundError {
    /// The round is not over.
    #[error("the round is not over yet")]
    RoundGoesOn,
    /// The match is over.
    #[error("the match is over: start a new one")]
    MatchOver,
    /// A record has no deal for it.
    #[error("no secret is given for this round: every round of a fair record has its deal")]
    NoDeal,
}
