//! Analysis of a single position, for the player who is to act.

use std::sync::Arc;

use serde::Serialize;
use unum_bots::{Bot, Budget, Depth, Expert};
use unum_rules::{CardSet, Chance, Color, Match, Seat, Sight};

use crate::decision::{Decision, Odds, Scene, Spot, Valued};
use crate::report::{ActionReview, Figure};
use crate::value::Gap;

/// In how many worlds the hands of the others are looked at.
const LOOKS: u32 = 400;

/// What a position is worth to the player who is to act.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Analysis {
    /// Who is to act.
    pub seat: Seat,
    /// Worlds imagined.
    pub worlds: u32,
    /// Every action worth comparing, the best first.
    pub actions: Vec<ActionReview>,
    /// Odds of a challenge, where one is possible.
    pub challenge: Option<Odds>,
    /// What the others are likely to hold.
    pub hands: Vec<HandGuess>,
    /// What the evaluation does not know of these rules.
    pub gaps: Vec<Gap>,
}

/// What somebody is likely to hold.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HandGuess {
    /// Whose hand.
    pub seat: Seat,
    /// How many cards.
    pub cards: usize,
    /// Cards of each color on average, by the color's name.
    pub colors: Vec<(String, Figure)>,
    /// Wilds on average.
    pub wilds: Figure,
    /// How likely a card fits the one on top.
    pub fits: Figure,
}

/// Why there is nothing to analyze.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnalysisError {
    /// The round is over.
    Over,
    /// The table does not wait for that seat but for another.
    NotAwaited {
        /// The one it waits for.
        awaited: Seat,
    },
    /// No hidden cards can be made up that fit the position.
    Unimaginable,
}

impl std::fmt::Display for AnalysisError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            AnalysisError::Over => f.write_str("the round is over: there is nothing left to decide"),
            AnalysisError::NotAwaited { awaited } => {
                write!(f, "it is seat {awaited}'s turn: only the player who is to act can be advised")
            }
            AnalysisError::Unimaginable => f.write_str("no hidden cards fit this position: its deck has too few cards"),
        }
    }
}

impl std::error::Error for AnalysisError {}

/// Analyzes the position of a match for a seat, or for the one the table waits for, in that many worlds. Only what the
/// seat can see now is used.
///
/// # Errors
/// When nobody, or somebody else, is to act, or the position has too few cards.
pub fn analyze<C: Chance>(game: &Match<C>, seat: Option<Seat>, worlds: u32) -> Result<Analysis, AnalysisError> {
    let awaited = game.round().awaited().ok_or(AnalysisError::Over)?;
    let seat = seat.unwrap_or(awaited);
    if !Sight::new(game.round(), game.rules(), seat, game.scores()).is_awaited() {
        return Err(AnalysisError::NotAwaited { awaited });
    }
    let mut expert = Expert::new(u64::from(seat), Budget::STUDY);
    expert.begin(&Sight::new(game.round(), game.rules(), seat, game.scores()));
    let hands = guess_hands(game, seat, expert.clone())?;
    let gaps = Gap::of(game.rules());
    let depth = if gaps.iter().any(|gap| gap.needs_rollouts()) { Depth::End } else { Depth::Horizon };
    let first = expert.at_once(&Sight::new(game.round(), game.rules(), seat, game.scores()));
    let scene = Scene {
        rules: Arc::new(game.rules().clone()),
        round: *game.round(),
        scores: game.scores().to_vec(),
        expert,
        seat,
    };
    let palette = game.rules().palette();
    let spot = Spot { round: 1, number: 0, seat };
    let Some(mut decision) = Decision::new(scene, spot, &first, depth) else {
        let only = Valued { action: first, value: 0.0, value_error: 0.0, ahead: 0.0, error: 0.0, worlds: 0 };
        return Ok(Analysis {
            seat,
            worlds: 0,
            actions: vec![ActionReview::new(&only, palette)],
            challenge: None,
            hands,
            gaps,
        });
    };
    decision.consider(worlds);
    let mut valued = decision.valued();
    valued.sort_by(|a, b| b.value.total_cmp(&a.value));
    let actions = valued.iter().map(|one| ActionReview::new(one, palette)).collect();
    Ok(Analysis { seat, worlds: decision.worlds(), actions, challenge: decision.odds(), hands, gaps })
}

fn guess_hands<C: Chance>(game: &Match<C>, seat: Seat, mut expert: Expert) -> Result<Vec<HandGuess>, AnalysisError> {
    let sight = Sight::new(game.round(), game.rules(), seat, game.scores());
    let palette = game.rules().palette();
    let others: Vec<Seat> = (0..sight.players()).filter(|other| *other != seat).collect();
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
        colors: Color::ALL
            .iter()
            .zip(count)
            .map(|(color, sum)| (color.name(palette).to_string(), mean(*sum)))
            .collect(),
        wilds: mean(count[4]),
        fits: mean(count[5]),
    };
    Ok(counts.iter().zip(&others).map(guess).collect())
}
