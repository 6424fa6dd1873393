//! Random play.

use std::fmt::Display;

use serde_json::to_string;
use unum_rules::playout::Casual;
use unum_rules::{Action, Card, Chance, House, KINDS, Match, Position, Round, Rules, Seat, Seeded};

use crate::tables::{Table, one_in, pick};

/// Steps that no round needs, played as printed.
const MOST_STEPS: u32 = 20_000;
/// Steps after which a round is given up. House rules or Customizable cards may fill hands faster than they are played,
/// so that it never ends.
const ENOUGH_STEPS: u32 = 5_000;
/// Penalties in one round: without a limit, large ones could keep it from ending.
const MOST_PENALTIES: u32 = 4;
/// Rounds of one match that are played at most.
const MOST_ROUNDS: u64 = 3;

/// What can be done to a match.
#[derive(Clone, Copy, Debug)]
enum Move {
    Act(Seat, Action),
    Penalize(Seat),
    NextRound,
}

/// A match on its way, with all that is needed to play it again.
pub(super) struct Walk {
    game: Match,
    /// The match as it was dealt.
    dealt: Match,
    moves: Vec<Move>,
    steps: u32,
    penalties: u32,
    /// For decisions only: the match has its own source of chance.
    rng: Seeded,
    /// How many decisions in sixteen are any action of any seat, not just a sensible one of the seat to act.
    whims: u32,
}

impl Walk {
    /// Deals a match to be played at random.
    pub(super) fn start(table: Table, mut rng: Seeded) -> Walk {
        let seed = u64::from(rng.below(u32::MAX));
        let whims = pick(&[0, 1, 4, 8], &mut rng);
        let deal = || Match::new(table.rules.clone(), table.players, seed).expect("the table can be dealt");
        Walk { game: deal(), dealt: deal(), moves: Vec::new(), steps: 0, penalties: 0, rng, whims }
    }

    pub(super) fn game(&self) -> &Match {
        &self.game
    }

    pub(super) fn round(&self) -> &Round {
        self.game.round()
    }

    pub(super) fn rules(&self) -> &Rules {
        self.game.rules()
    }

    /// Steps of this round.
    pub(super) fn steps(&self) -> u32 {
        self.steps
    }

    /// Plays a few rounds to their ends and `check`s every step; how many rounds.
    pub(super) fn finish(&mut self, check: &mut impl FnMut(&Walk)) -> u64 {
        let mut rounds = 0;
        while self.finish_round(check) {
            rounds += 1;
            if rounds == MOST_ROUNDS || self.game.winners().is_some() {
                break;
            }
            self.make(Move::NextRound);
            check(self);
        }
        self.check_played_again();
        rounds
    }

    /// Whether the round came to its end.
    fn finish_round(&mut self, check: &mut impl FnMut(&Walk)) -> bool {
        (self.steps, self.penalties) = (0, 0);
        while !self.round().is_over() {
            if self.steps == ENOUGH_STEPS && !is_printed(self.rules()) {
                return false;
            }
            let next = self.choose();
            self.make(next);
            check(self);
            self.steps += 1;
            self.ensure(self.steps < MOST_STEPS, "the round does not end");
        }
        true
    }

    fn make(&mut self, next: Move) {
        let made = make(&mut self.game, &next);
        self.moves.push(next);
        self.ensure(made.is_ok(), made.err().unwrap_or_default());
    }

    fn choose(&mut self) -> Move {
        if let Some(seat) = self.somebody_suggests_a_play() {
            self.penalties += 1;
            return Move::Penalize(seat);
        }
        if self.rng.below(16) < self.whims {
            let seat = self.any_seat();
            if let Some(action) = any_listed(self.game.round(), self.game.rules(), seat, &mut self.rng) {
                return Move::Act(seat, action);
            }
        }
        let (seat, action) = Casual.choose(self.game.round(), self.game.rules(), &mut self.rng);
        Move::Act(seat, action)
    }

    fn somebody_suggests_a_play(&mut self) -> Option<Seat> {
        let punished = self.rules().suggestion_penalty() > 0 && self.penalties < MOST_PENALTIES;
        let seat = (punished && one_in(64, &mut self.rng)).then(|| self.any_seat())?;
        (!self.round().hand(seat).is_empty()).then_some(seat)
    }

    fn any_seat(&mut self) -> Seat {
        self.rng.below(u32::from(self.game.players())) as Seat
    }

    /// Every card of the deck is in a hand or on a pile.
    pub(super) fn check_cards(&self) {
        let counts = count_cards(self.round());
        let deck = self.rules().deck();
        let conserved = Card::all().all(|card| counts[card.index()] == deck.copies(card));
        self.ensure(conserved, "cards appeared or vanished");
    }

    /// Same seed, same actions: same match.
    fn check_played_again(&self) {
        let mut again = self.dealt.clone();
        let made = self.moves.iter().try_for_each(|next| make(&mut again, next));
        self.ensure(made.is_ok(), "played again, an action was refused");
        self.ensure(again.round() == self.game.round(), "played again, the round ended otherwise");
        let [first, second] = [&self.game, &again].map(|game| to_string(&Position::of(game)).expect("a state"));
        self.ensure(first == second, "played again, the match ended otherwise");
    }

    /// Fails with all that is needed to look into it.
    pub(super) fn ensure(&self, holds: bool, what: impl Display) {
        if !holds {
            let rules = to_string(self.rules().spec()).unwrap_or_default();
            let state = to_string(&Position::of(&self.game)).unwrap_or_default();
            panic!("{what}\n rules {rules}\n last move {:?}\n state {state}", self.moves.last());
        }
    }
}

/// No house rules, nothing on Customizable cards.
fn is_printed(rules: &Rules) -> bool {
    *rules.house() == House::default() && (0..3).all(|card| rules.custom_rule(card).is_none())
}

fn make(game: &mut Match, next: &Move) -> Result<(), String> {
    let made = match next {
        Move::Act(seat, action) => game.apply(*seat, action, &mut ()),
        Move::Penalize(seat) => game.penalize(*seat, &mut ()),
        Move::NextRound => return game.next_round(&mut ()).map_err(|error| error.to_string()),
    };
    made.map_err(|refusal| refusal.to_string())
}

/// One of the listed actions of a seat, each equally likely, with "UNO" by a coin toss where it can be called.
pub(super) fn any_listed(round: &Round, rules: &Rules, seat: Seat, rng: &mut Seeded) -> Option<Action> {
    let mut chosen = None;
    let mut listed = 0;
    round.legal(rules, seat, &mut |action| {
        listed += 1;
        if one_in(listed, rng) {
            chosen = Some(*action);
        }
    });
    let action = chosen?;
    Some(if leaves_one(round, seat, &action) && one_in(2, rng) { action.with_uno() } else { action })
}

/// Whether it is an action that "UNO" can be called with: one that leaves exactly one card.
pub(super) fn leaves_one(round: &Round, seat: Seat, action: &Action) -> bool {
    let held = round.hand(seat).len();
    match action {
        Action::Play(play) => held == play.discard.len() + 2,
        Action::Block { .. } => held == 2,
        Action::Discard { cards, .. } => held == cards.len() + 1,
        _ => false,
    }
}

/// How many copies of each card there are, wherever they lie.
fn count_cards(round: &Round) -> [u8; KINDS] {
    let mut counts = [0; KINDS];
    for hand in round.hands() {
        hand.kinds().iter().for_each(|card| counts[card.index()] += hand.count(card));
    }
    let discards = round.discard_pile();
    round.draw_pile().iter().chain(discards.iter()).for_each(|card| counts[card.index()] += 1);
    counts
}
