//! What a review says, as data.

use serde::{Serialize, Serializer};
use unum_rules::wire::ActionForm;
use unum_rules::{Palette, Seat};

use crate::decision::{Odds, Spot, Valued};
use crate::value::Gap;
use crate::words::describe;

/// The version of the JSON form.
pub const FORMAT: u32 = 1;

/// A figure, written with six decimals: beyond that, machines may differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Figure(pub f64);

impl Serialize for Figure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Adding nothing turns a negative zero into a plain one.
        serializer.serialize_f64((self.0 * 1e6).round() / 1e6 + 0.0)
    }
}

/// A whole review.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Review {
    /// The version of this form.
    pub format: u32,
    /// Number of players.
    pub players: u8,
    /// Their names, by seat.
    pub names: Vec<String>,
    /// What the evaluation does not know of these rules.
    pub gaps: Vec<Gap>,
    /// Whether chances to win the match are told as well.
    pub is_match: bool,
    /// Worlds imagined for decisions, all together.
    pub worlds: u64,
    /// The rounds that were finished.
    pub rounds: Vec<RoundReview>,
    /// All rounds together, by seat.
    pub seats: Vec<SeatReview>,
    /// Every decision that was judged, in order.
    pub decisions: Vec<DecisionReview>,
}

/// One round.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RoundReview {
    /// Its number, from 1.
    pub round: u32,
    /// Who won it.
    pub winner: Option<Seat>,
    /// Everybody's account, by seat.
    pub seats: Vec<Account>,
    /// The chances after every move.
    pub line: Vec<LinePoint>,
    /// Every chance event.
    pub strokes: Vec<StrokeReview>,
    /// Every "UNO" that was forgotten.
    pub unos: Vec<UnoReview>,
}

/// Where a seat's result in a round came from. All terms from `place` on add up to `result` less an even share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Account {
    /// 1 for a win, 0 for a loss, an even share if nobody won.
    pub result: Figure,
    /// The result without luck.
    pub adjusted: Figure,
    /// What the place behind the dealer is worth.
    pub place: Figure,
    /// Luck of the deal.
    pub deal: Figure,
    /// Luck of the cards drawn.
    pub own_draws: Figure,
    /// What others' cards did.
    pub others_draws: Figure,
    /// What hidden cards did to good and bad choices alike.
    pub fog: Figure,
    /// What own choices lost; at most zero but for noise.
    pub own_errors: Figure,
    /// What others' choices gave.
    pub others_errors: Figure,
    /// What penalties for a forgotten "UNO" did.
    pub attention: Figure,
    /// What is left: players are not the ones the evaluation has in mind.
    pub rest: Figure,
    /// All luck together.
    pub luck: Figure,
    /// The standard deviation of luck.
    pub spread: Figure,
    /// The share of rounds that were less lucky.
    pub percentile: Figure,
    /// Chance to win the match before the round, and after it; luck and own errors in the same chances.
    pub in_match: Option<MatchAccount>,
}

/// A round in chances to win the match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct MatchAccount {
    /// Before the deal.
    pub before: Figure,
    /// After the round.
    pub after: Figure,
    /// Luck.
    pub luck: Figure,
    /// What own choices lost.
    pub own_errors: Figure,
    /// The change without luck.
    pub adjusted: Figure,
}

/// How things stood after a move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LinePoint {
    /// The number of the move; the deal is 0 or the move that dealt.
    pub number: u32,
    /// Who moved.
    pub seat: Option<Seat>,
    /// The move as the record writes it.
    pub text: String,
    /// What the change came from.
    pub cause: Cause,
    /// Chances with all cards open, by seat.
    pub open: Vec<Figure>,
    /// The mover's own chance before the move as they saw it, if it was a decision that was judged.
    pub seen: Option<Figure>,
}

/// What moved the chances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// The deal.
    Deal,
    /// Cards drawn or shuffled.
    Luck,
    /// A choice or a forced move.
    Play,
    /// A choice that was clearly a mistake.
    Error,
}

/// The luck of one chance event.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StrokeReview {
    /// The number of the move.
    pub number: u32,
    /// Who drew, if it was one player.
    pub drawer: Option<Seat>,
    /// How many cards.
    pub cards: u16,
    /// Luck, by seat.
    pub luck: Vec<Figure>,
    /// Its standard deviation, by seat.
    pub spread: Vec<Figure>,
}

/// An "UNO" that was forgotten.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct UnoReview {
    /// The number of the move.
    pub number: u32,
    /// Who forgot.
    pub seat: Seat,
    /// Who caught them.
    pub caught_by: Option<Seat>,
    /// Whether it was called late, in time.
    pub called_late: bool,
    /// What being caught costs on average.
    pub cost: Figure,
}

/// A decision.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DecisionReview {
    /// Where it was made.
    #[serde(flatten)]
    pub spot: Spot,
    /// Whether it makes a difference what is done.
    pub counts: bool,
    /// Worlds imagined.
    pub worlds: u32,
    /// What was played, by its place among the actions.
    pub played: usize,
    /// What was better, by its place among the actions.
    pub best: usize,
    /// What was lost, in rounds won.
    pub error: Figure,
    /// Its standard error.
    pub standard_error: Figure,
    /// Whether it is clear enough to be told.
    pub marked: bool,
    /// What was lost, in chances to win the match.
    pub match_error: Option<Figure>,
    /// What hidden cards did, for the one who decided.
    pub fog: Figure,
    /// Odds of a challenge.
    pub challenge: Option<Odds>,
    /// Why the better action is better.
    pub why: Option<String>,
    /// All actions with their values.
    pub actions: Vec<ActionReview>,
}

/// An action and what it is worth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ActionReview {
    /// The action.
    pub action: ActionForm,
    /// The same in words.
    pub words: String,
    /// The chance to win the round with it.
    pub value: Figure,
    /// The standard error of that.
    pub value_error: Figure,
    /// How far it is ahead of the action played.
    pub ahead: Figure,
    /// The standard error of that: smaller than the value's, as both are tried in the same worlds.
    pub ahead_error: Figure,
    /// Worlds it was tried in.
    pub worlds: u32,
}

impl ActionReview {
    pub(crate) fn new(valued: &Valued, palette: Palette) -> ActionReview {
        ActionReview {
            action: ActionForm::new(&valued.action, palette),
            words: describe(&valued.action, palette),
            value: Figure(valued.value),
            value_error: Figure(valued.value_error),
            ahead: Figure(valued.ahead),
            ahead_error: Figure(valued.error),
            worlds: valued.worlds,
        }
    }
}

/// A seat over all rounds.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SeatReview {
    /// Rounds won, a blocked one shared.
    pub won: Figure,
    /// The same without luck.
    pub adjusted: Figure,
    /// All luck.
    pub luck: Figure,
    /// Its standard deviation.
    pub spread: Figure,
    /// The mean percentile of luck over rounds; of the round itself if there is one.
    pub percentile: Figure,
    /// Decisions that count.
    pub decisions: u32,
    /// What was lost by them, in rounds.
    pub lost: Figure,
    /// The standard error of that.
    pub lost_error: Figure,
    /// Thousandths of a round lost per decision that counts.
    pub error_rate: Option<Figure>,
    /// Its standard error.
    pub error_rate_error: Option<Figure>,
    /// Where that lies among the bots.
    pub level: Option<String>,
    /// UNOs forgotten.
    pub unos_forgotten: u32,
    /// Of these, caught.
    pub unos_caught: u32,
    /// Challenges that hit a bluff.
    pub challenges_right: u32,
    /// Challenges that hit an honest play.
    pub challenges_wrong: u32,
    /// Wild Draw Fours that were bluffs.
    pub bluffs: u32,
    /// Of these, challenged.
    pub bluffs_caught: u32,
}
