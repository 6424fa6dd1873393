//! A game review as data: luck and play told apart. docs/review.md says what the figures mean.

use serde::{Deserialize, Serialize, Serializer};
use unum_rules::wire::ActionForm;
use unum_rules::{ColorName, Seat};

use crate::Level;

/// The version of the JSON form.
pub const FORMAT: u32 = 1;

/// A figure, written with six decimals: beyond that, machines may differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Deserialize, unum_rules::json::Read)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(as = "f64"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(with = "f64"))]
pub struct Figure(pub f64);

impl Serialize for Figure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Adding nothing turns a negative zero into a plain one.
        serializer.serialize_f64((self.0 * 1e6).round() / 1e6 + 0.0)
    }
}

/// A whole review.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    /// Why the better action is better, in words.
    pub why: Option<String>,
    /// The same as data.
    pub reason: Option<Reason>,
    /// All actions with their values.
    pub actions: Vec<ActionReview>,
}

/// An action and what it is worth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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

/// A seat over all rounds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    /// Where that lies among the bots, in words.
    pub level: Option<String>,
    /// The same as data.
    pub standing: Option<Standing>,
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

/// Where in a record a decision was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Spot {
    /// The round, from 1.
    pub round: u32,
    /// The number of the move in the record.
    pub number: u32,
    /// Who decided.
    pub seat: Seat,
}

/// Odds of a challenge.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Odds {
    /// How likely the Wild Draw Four was a bluff, for all the seat knew.
    pub bluff: Figure,
    /// How likely it must be for a challenge to be as good as taking the cards.
    pub break_even: Option<Figure>,
}

/// Why one action is better than another: the feature that differs most, with what it is for both. Shares of worlds, or
/// numbers of cards on average.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Reason {
    /// How likely it was a bluff, and how likely it must be for a challenge.
    Odds {
        /// The share of worlds in which it was one.
        bluff: Figure,
        /// The share that a challenge needs, if both came up in the worlds.
        needed: Option<Figure>,
    },
    /// It wins the round at once.
    Wins,
    /// The next player goes out less often on the next turn.
    NextOut {
        /// The share of worlds with the better action.
        better: Figure,
        /// The share with the other one.
        played: Figure,
    },
    /// The next player can follow less often.
    NextFollows {
        /// The share of worlds with the better action.
        better: Figure,
        /// The share with the other one.
        played: Figure,
    },
    /// The turn comes straight back.
    OwnTurn,
    /// More own cards fit next.
    OwnFits {
        /// How many with the better action.
        better: Figure,
        /// How many with the other one.
        played: Figure,
    },
    /// Fewer own cards are left.
    OwnCards {
        /// How many with the better action.
        better: Figure,
        /// How many with the other one.
        played: Figure,
    },
    /// Others have to draw more.
    OthersDraw {
        /// How many cards with the better action.
        better: Figure,
        /// How many with the other one.
        played: Figure,
    },
    /// A wild is kept for later.
    KeepsWild,
}

/// Where an error rate lies among those of the bots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Standing {
    /// It is clearly higher than that of the weakest.
    Below {
        /// The weakest.
        level: Level,
    },
    /// It is clearly lower than that of the strongest.
    Above {
        /// The strongest.
        level: Level,
    },
    /// Only this level's is within the interval.
    Like {
        /// The level.
        level: Level,
    },
    /// No level's is within the interval.
    Between {
        /// The next weaker one.
        from: Level,
        /// The next stronger one.
        to: Level,
    },
    /// Several are within the interval.
    Range {
        /// The weakest of them.
        from: Level,
        /// The strongest of them.
        to: Level,
    },
}

/// What the value function does not know of the rules. Luck is still unbiased, but less precise; actions are
/// valued by rollouts to the end of the round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Gap {
    /// Customizable cards with effects.
    CustomCards,
    /// Hands change owners, by Wild Shuffle Hands or by sevens and zeros.
    HandsChange,
    /// Attacks can be passed on.
    Stacking,
    /// Cards may be played out of turn; whether to do so is not judged.
    JumpIn,
    /// Many cards can be drawn at once.
    DrawToMatch,
    /// The points in hand count for the match, and only the chance to win the round is judged.
    PointsInHand,
}

/// What a position is worth to the player who is to act.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Analysis {
    /// Who is to act.
    pub seat: Seat,
    /// Worlds imagined.
    pub worlds: u32,
    /// Every action worth comparing, the best first.
    pub actions: Vec<ActionReview>,
    /// Odds of a challenge, where one is possible.
    pub challenge: Option<Odds>,
    /// Why the best action is better than the second best, in words.
    pub why: Option<String>,
    /// The same as data.
    pub reason: Option<Reason>,
    /// What the others are likely to hold.
    pub hands: Vec<HandGuess>,
    /// What the evaluation does not know of these rules.
    pub gaps: Vec<Gap>,
}

/// What somebody is likely to hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HandGuess {
    /// Whose hand.
    pub seat: Seat,
    /// How many cards.
    pub cards: usize,
    /// Cards of each color on average.
    pub colors: Vec<(ColorName, Figure)>,
    /// Wilds on average.
    pub wilds: Figure,
    /// How likely a card fits the one on top.
    pub fits: Figure,
}

/// `GET /api/games/{id}/analysis` and `GET /api/tables/{code}/analysis`: which moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MomentQuery {
    /// The step of the replay: 0 is the first deal, 1 the first move; left out: 0.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(range(max = u32::MAX)))]
    pub step: u32,
}

/// `GET /api/games/{id}/review` and `GET /api/tables/{code}/review`: a review on its way or done. It names nobody, tells
/// no draws one by one, and of the decisions only each seat's clearest mistakes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ServedReview {
    /// How far it is.
    pub progress: ReviewProgress,
    /// The seat of the guest who asks, if they played in a finished game.
    pub seat: Option<Seat>,
    /// The review as it stands; `null` while nothing is known yet.
    pub review: Option<Review>,
}

/// How far a served review is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ReviewProgress {
    /// It waits for its turn. Ask again in a second, or it is given up.
    Waiting,
    /// It gets better. Ask again in a second, or it is given up.
    Thinking,
    /// It is done.
    Done,
}

/// How many moments of each seat a served review tells.
pub const MOMENTS: usize = 3;

/// `GET /api/tables/{code}/review`: which round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RoundQuery {
    /// The number of a finished round of the match, from 1; left out: the last one.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(range(max = u32::MAX)))]
    pub round: Option<u32>,
}

/// What a season keeps of a game, by seat.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, unum_rules::json::Read)]
pub struct GameFigures {
    /// Everybody's figures, by seat.
    pub seats: Vec<SeatFigures>,
}

/// What a season keeps of one player in a game. Sums over rounds; squares are for intervals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, unum_rules::json::Read)]
#[serde(default)]
pub struct SeatFigures {
    /// Rounds played.
    pub rounds: u32,
    /// Rounds won, a blocked one shared, and the sum of the squares.
    pub won: [Figure; 2],
    /// The same without luck.
    pub adjusted: [Figure; 2],
    /// Luck, and its variance.
    pub luck: [Figure; 2],
    /// Decisions that count.
    pub decisions: u32,
    /// What was lost by them, and the sum of the squares.
    pub lost: [Figure; 2],
    /// Challenges that hit a bluff, and that did not.
    pub challenges: [u32; 2],
    /// Bluffs, and those that were challenged.
    pub bluffs: [u32; 2],
    /// UNOs forgotten, and those that were caught.
    pub unos: [u32; 2],
    /// The luckiest card.
    pub best: Option<SeasonMoment>,
    /// The dearest mistake.
    pub worst: Option<SeasonMoment>,
}

/// A moment to look at again.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, unum_rules::json::Read)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SeasonMoment {
    /// The number of the move.
    pub number: u32,
    /// What it did to the chance to win the round.
    pub change: Figure,
}

/// A mean with the half width of its 95 % interval, where there is enough to tell one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Measured {
    /// The mean.
    pub mean: Figure,
    /// Half the width of the interval.
    pub margin: Option<Figure>,
}

/// `GET /api/me/season`: luck and play over many games.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Season {
    /// Whether games to come are counted.
    pub on: bool,
    /// How many games are counted, the newest ones if there are very many.
    pub games: u32,
    /// All rounds, whatever the table size.
    pub rounds: u32,
    /// All luck, in rounds.
    pub luck: Figure,
    /// How far all luck is from nothing by chance: its standard deviation.
    pub luck_spread: Figure,
    /// By number of players, the fewest first, and by opponents, the weakest bots first and people last.
    pub sizes: Vec<SeasonSize>,
    /// The error rate over time, the oldest games first.
    pub over_time: Vec<SeasonStretch>,
    /// Challenges that hit a bluff, and that did not.
    pub challenges: [u32; 2],
    /// Bluffs, and those that were challenged.
    pub bluffs: [u32; 2],
    /// UNOs forgotten, and those that were caught.
    pub unos: [u32; 2],
    /// The luckiest cards, the best first.
    pub best: Vec<SeasonPick>,
    /// The dearest mistakes, the worst first.
    pub worst: Vec<SeasonPick>,
}

/// Who the others at a table were.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Opponents {
    /// Bots of one level.
    Bots {
        /// The level.
        level: Level,
    },
    /// Bots of several levels.
    Mixed,
    /// People, perhaps with bots among them.
    People,
    /// Nobody noted it.
    Unknown,
}

impl Opponents {
    /// The opponents of a seat, from the levels of all bots by seat, which are `None` for people.
    pub fn of(levels: &[Option<Level>], seat: Seat) -> Opponents {
        let mut others = (0..).zip(levels).filter(|(other, _)| *other != seat).map(|(_, level)| *level);
        match others.next() {
            None => Opponents::Unknown,
            Some(first) => {
                others.fold(first.map_or(Opponents::People, |level| Opponents::Bots { level }), Opponents::with)
            }
        }
    }

    /// The same with one more.
    fn with(self, other: Option<Level>) -> Opponents {
        match (self, other) {
            (Opponents::People, _) | (_, None) => Opponents::People,
            (Opponents::Bots { level }, Some(other)) if level == other => self,
            _ => Opponents::Mixed,
        }
    }
}

/// A season at tables of one size, against opponents of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SeasonSize {
    /// Number of players.
    pub players: u8,
    /// The others.
    pub against: Opponents,
    /// Rounds played.
    pub rounds: u32,
    /// The share of rounds won.
    pub won: Measured,
    /// The same without luck.
    pub adjusted: Measured,
    /// Decisions that count.
    pub decisions: u32,
    /// Thousandths of a round lost per decision that counts.
    pub error_rate: Option<Measured>,
    /// Where that lies among the bots.
    pub standing: Option<Standing>,
}

/// Some games in a row.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SeasonStretch {
    /// When the last of them ended, in milliseconds since 1970.
    pub until: u64,
    /// How many games.
    pub games: u32,
    /// Thousandths of a round lost per decision that counts.
    pub error_rate: Option<Measured>,
    /// Luck per round.
    pub luck: Figure,
}

/// A moment of one of the games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SeasonPick {
    /// The game.
    pub game: String,
    /// The moment.
    #[serde(flatten)]
    pub moment: SeasonMoment,
}

/// `PUT /api/me/season`: whether games to come are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct SeasonChange {
    /// Whether they are.
    pub on: bool,
}

unum_rules::objects_only!(SeasonChange);
