//! Analysis of a single position for the player to act: the value of every action, and what the others may hold.

use std::sync::Arc;

use unum_bots::{Bot, Budget, Expert};
use unum_protocol::ServerCode;
use unum_protocol::review::{Analysis, Figure, Gap, HandGuess, Spot};
use unum_rules::record::{Record, RecordError, Step};
use unum_rules::{Action, CardSet, Chance, Color, Match, Palette, Round, Rules, Seat, Sight, Viewer};

use crate::decision::{Decision, Scene, Valued};
use crate::value::{depth, gaps};
use crate::words::{action_review, explain};

/// Worlds sampled to guess the other hands.
const LOOKS: u32 = 400;

/// Why there is nothing to analyze.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnalysisError {
    /// The round is over.
    Over,
    /// It is another seat's turn.
    NotAwaited {
        /// The seat to act.
        awaited: Seat,
    },
    /// No hidden cards fit the position.
    Unimaginable,
    /// The record has no such move.
    NoMove {
        /// The last one.
        last: u32,
    },
    /// The round is still being played: its hidden cards are nobody's business.
    Running,
    /// The record cannot be played.
    Damaged,
    /// The match has more moves than can be looked at while somebody waits.
    TooLong,
}

impl AnalysisError {
    /// The code for somebody who has asked a server.
    pub fn code(self) -> ServerCode {
        match self {
            AnalysisError::Damaged => ServerCode::Storage,
            AnalysisError::TooLong => ServerCode::TooLong,
            _ => ServerCode::NotFound,
        }
    }
}

impl std::fmt::Display for AnalysisError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            AnalysisError::Over => f.write_str("the round is over: there is nothing left to decide"),
            AnalysisError::NotAwaited { awaited } => {
                write!(f, "it is seat {awaited}'s turn: only the player who is to act can be advised")
            }
            AnalysisError::Unimaginable => f.write_str("no hidden cards fit this position: its deck has too few cards"),
            AnalysisError::NoMove { last } => write!(f, "there is no such move: moves go from 0 to {last}"),
            AnalysisError::Running => f.write_str("this round is still being played: ask when it is over"),
            AnalysisError::Damaged => f.write_str("the record is damaged"),
            AnalysisError::TooLong => f.write_str("this match is too long to be analyzed here"),
        }
    }
}

impl std::error::Error for AnalysisError {}

impl From<RecordError> for AnalysisError {
    fn from(_: RecordError) -> AnalysisError {
        AnalysisError::Damaged
    }
}

/// Analyzes the current position in `worlds` worlds, for `seat` or else for the seat to act. Uses only what that seat
/// can see.
///
/// # Errors
/// When the round is over, it is another seat's turn, or the position has too few cards.
pub fn analyze<C: Chance>(game: &Match<C>, seat: Option<Seat>, worlds: u32) -> Result<Analysis, AnalysisError> {
    let mut analyst = Analyst::new(game, seat)?;
    analyst.consider(worlds);
    Ok(analyst.analysis())
}

/// A seat's decision in a position, as if it had played `played`. `None` if there is nothing to decide or it cannot be
/// judged.
pub fn decision_at<C: Chance>(game: &Match<C>, seat: Seat, played: &Action) -> Option<Decision> {
    let at = At { rules: game.rules(), round: game.round(), scores: game.scores(), seat };
    at.decision(at.newcomer(), played)
}

/// An analysis in progress.
pub struct Analyst {
    seat: Seat,
    palette: Palette,
    first: Action,
    /// `None` if only one action is legal.
    decision: Option<Decision>,
    hands: Vec<HandGuess>,
    gaps: Vec<Gap>,
}

impl Analyst {
    /// Analyzes a position without its history.
    ///
    /// # Errors
    /// When the round is over, it is another seat's turn, or the position has too few cards.
    pub fn new<C: Chance>(game: &Match<C>, seat: Option<Seat>) -> Result<Analyst, AnalysisError> {
        let seat = to_act(game.round(), game.rules(), seat)?;
        let at = At { rules: game.rules(), round: game.round(), scores: game.scores(), seat };
        Analyst::at(&at, at.newcomer())
    }

    /// Analyzes a moment of a record, after `number` moves, for the player to act, who has seen the round so far.
    ///
    /// # Errors
    /// When there is no such move, nobody is to act, or the round does not end in the record.
    pub fn of_record(record: &Record, number: u32) -> Result<Analyst, AnalysisError> {
        let last = u32::try_from(record.moves.len()).unwrap_or(u32::MAX);
        let deal = record.deals_at().take_while(|deal| *deal <= number).last().filter(|_| number <= last);
        let mut steps = record.steps_from(deal.ok_or(AnalysisError::NoMove { last })?)?;
        let dealt = Seen::of(&steps.step()?.ok_or(AnalysisError::Damaged)?);
        let (mut events, mut moment) = (Vec::new(), (dealt.number == number).then(|| dealt.clone()));
        while moment.is_none() {
            let step = steps.step()?.ok_or(AnalysisError::NoMove { last })?;
            events.extend_from_slice(step.events);
            moment = (step.place.number == number).then(|| Seen::of(&step));
        }
        let moment = moment.ok_or(AnalysisError::Damaged)?;
        let mut over = moment.round.is_over();
        while !over {
            over = steps.step()?.ok_or(AnalysisError::Running)?.game.round().is_over();
        }
        let seat = to_act(&moment.round, &dealt.rules, None)?;
        let mut expert = dealt.at(seat).newcomer();
        events.iter().for_each(|event| expert.see(&event.seen_by(Viewer::Seat(seat))));
        Analyst::at(&moment.at(seat), expert)
    }

    fn at(at: &At<'_>, expert: Expert) -> Result<Analyst, AnalysisError> {
        let hands = at.guess_hands(expert.clone())?;
        let first = at.first_thought(expert.clone());
        let decision = at.decision(expert, &first);
        let (seat, palette, gaps) = (at.seat, at.rules.palette(), gaps(at.rules));
        Ok(Analyst { seat, palette, first, decision, hands, gaps })
    }

    /// Tries the actions in more worlds and returns the number of worlds so far: 0 if there is nothing to compare.
    pub fn consider(&mut self, worlds: u32) -> u32 {
        let Some(decision) = &mut self.decision else { return 0 };
        decision.consider(worlds);
        decision.worlds()
    }

    /// The analysis so far.
    pub fn analysis(&self) -> Analysis {
        let mut analysis = Analysis {
            seat: self.seat,
            worlds: 0,
            actions: Vec::new(),
            challenge: None,
            why: None,
            reason: None,
            hands: self.hands.clone(),
            gaps: self.gaps.clone(),
        };
        let Some(decision) = &self.decision else {
            let only = Valued { action: self.first, value: 0.0, value_error: 0.0, ahead: 0.0, error: 0.0, worlds: 0 };
            analysis.actions.push(action_review(&only, self.palette));
            return analysis;
        };
        let valued = decision.valued();
        let mut order: Vec<usize> = (0..valued.len()).collect();
        unum_rules::order::sort_by(&mut order, |a, b| valued[*b].value.total_cmp(&valued[*a].value));
        if let [best, second, ..] = order[..] {
            analysis.reason = decision.reason(best, second);
        }
        analysis.worlds = decision.worlds();
        analysis.actions = order.iter().map(|place| action_review(&valued[*place], self.palette)).collect();
        analysis.challenge = decision.odds();
        analysis.why = analysis.reason.as_ref().map(explain);
        analysis
    }
}

/// The seat to act. A given seat must be the one the table waits for.
fn to_act(round: &Round, rules: &Rules, seat: Option<Seat>) -> Result<Seat, AnalysisError> {
    let awaited = round.awaited().ok_or(AnalysisError::Over)?;
    let seat = seat.unwrap_or(awaited);
    let sight = Sight::new(round, rules, seat, &[]);
    if sight.is_awaited() { Ok(seat) } else { Err(AnalysisError::NotAwaited { awaited }) }
}

/// A step of a record.
#[derive(Clone)]
struct Seen {
    number: u32,
    rules: Rules,
    round: Round,
    scores: Vec<u32>,
}

impl Seen {
    fn of(step: &Step<'_>) -> Seen {
        let (number, game) = (step.place.number, step.game);
        Seen { number, rules: game.rules().clone(), round: *game.round(), scores: game.scores().to_vec() }
    }

    fn at(&self, seat: Seat) -> At<'_> {
        At { rules: &self.rules, round: &self.round, scores: &self.scores, seat }
    }
}

/// A position, for one of its seats.
struct At<'a> {
    rules: &'a Rules,
    round: &'a Round,
    scores: &'a [u32],
    seat: Seat,
}

impl At<'_> {
    fn sight(&self) -> Sight<'_> {
        Sight::new(self.round, self.rules, self.seat, self.scores)
    }

    /// An expert that sees the position and knows nothing of its history.
    fn newcomer(&self) -> Expert {
        let mut expert = Expert::new(u64::from(self.seat), Budget::STUDY);
        expert.begin(&self.sight());
        expert
    }

    /// The action to compare with: a catch if there is one, else what looks best at first sight.
    fn first_thought(&self, mut expert: Expert) -> Action {
        let sight = self.sight();
        let others = self.round.liable().iter().filter(|other| *other != self.seat);
        let catch = others.map(Action::Catch).find(|catch| sight.check(catch).is_ok());
        catch.unwrap_or_else(|| expert.at_once(&sight))
    }

    fn decision(&self, expert: Expert, played: &Action) -> Option<Decision> {
        let scene = Scene {
            rules: Arc::new(self.rules.clone()),
            round: *self.round,
            scores: self.scores.to_vec(),
            expert,
            seat: self.seat,
        };
        Decision::new(scene, Spot { round: 1, number: 0, seat: self.seat }, played, depth(&gaps(self.rules)))
    }

    fn guess_hands(&self, mut expert: Expert) -> Result<Vec<HandGuess>, AnalysisError> {
        let sight = self.sight();
        let palette = self.rules.palette();
        let others: Vec<Seat> = (0..sight.players()).filter(|other| *other != self.seat).collect();
        let mut counts = vec![[0_u32; 6]; others.len()];
        for _ in 0..LOOKS {
            let world = expert.imagine(&sight).ok_or(AnalysisError::Unimaginable)?;
            for (count, other) in counts.iter_mut().zip(&others) {
                let hand = world.hand(*other);
                for (sum, color) in count.iter_mut().zip(Color::ALL) {
                    *sum += hand.count_in(CardSet::color(color));
                }
                count[4] += hand.count_in(CardSet::WILDS);
                count[5] += u32::from(!world.matching(*other).is_empty());
            }
        }
        let mean = |sum: u32| Figure(f64::from(sum) / f64::from(LOOKS));
        let guess = |(count, other): (&[u32; 6], &Seat)| HandGuess {
            seat: *other,
            cards: sight.hand_size(*other),
            colors: Color::ALL.iter().zip(count).map(|(color, sum)| (color.name(palette), mean(*sum))).collect(),
            wilds: mean(count[4]),
            fits: mean(count[5]),
        };
        Ok(counts.iter().zip(&others).map(guess).collect())
    }
}
