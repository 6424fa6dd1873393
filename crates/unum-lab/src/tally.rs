//! What is counted while games are played.
//!
//! A game becomes one vector of whole numbers, [`Counts`], and the statistics are sums over these vectors and
//! their squares. Nothing is allocated and no event is made: a [`Counter`] looks at every action before it is
//! carried out.

use serde::{Deserialize, Serialize};
use unum_rules::{Action, Card, KINDS, Phase, Play, Round, Rules, SEATS, Seat, Sight};

use crate::estimate::Moments;
use crate::game::GameResult;
use crate::histogram::Histogram;
use crate::seating::{Outcome, Watch};

/// Something that is counted in every game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Measure {
    Rounds,
    Turns,
    Actions,
    Points,
    CardsDrawn,
    DrawTurns,
    Reshuffles,
    Blocked,
    WildDrawFours,
    Bluffs,
    Challenges,
    ChallengesWon,
    UnoCalled,
    UnoForgotten,
    UnoCaught,
    JumpIns,
    Refused,
}

impl Measure {
    /// All of them.
    pub const ALL: [Measure; 17] = [
        Measure::Rounds,
        Measure::Turns,
        Measure::Actions,
        Measure::Points,
        Measure::CardsDrawn,
        Measure::DrawTurns,
        Measure::Reshuffles,
        Measure::Blocked,
        Measure::WildDrawFours,
        Measure::Bluffs,
        Measure::Challenges,
        Measure::ChallengesWon,
        Measure::UnoCalled,
        Measure::UnoForgotten,
        Measure::UnoCaught,
        Measure::JumpIns,
        Measure::Refused,
    ];

    /// A short name for files.
    pub fn id(self) -> &'static str {
        match self {
            Measure::Rounds => "rounds",
            Measure::Turns => "turns",
            Measure::Actions => "actions",
            Measure::Points => "points",
            Measure::CardsDrawn => "cards_drawn",
            Measure::DrawTurns => "draw_turns",
            Measure::Reshuffles => "reshuffles",
            Measure::Blocked => "blocked",
            Measure::WildDrawFours => "wild_draw_fours",
            Measure::Bluffs => "bluffs",
            Measure::Challenges => "challenges",
            Measure::ChallengesWon => "challenges_won",
            Measure::UnoCalled => "uno_called",
            Measure::UnoForgotten => "uno_forgotten",
            Measure::UnoCaught => "uno_caught",
            Measure::JumpIns => "jump_ins",
            Measure::Refused => "refused",
        }
    }

    /// What it is, in a few words.
    pub fn title(self) -> &'static str {
        match self {
            Measure::Rounds => "rounds",
            Measure::Turns => "turns",
            Measure::Actions => "actions",
            Measure::Points => "points for the winner",
            Measure::CardsDrawn => "cards drawn",
            Measure::DrawTurns => "turns that began with a draw",
            Measure::Reshuffles => "reshuffles",
            Measure::Blocked => "blocked rounds",
            Measure::WildDrawFours => "Wild Draw Fours played",
            Measure::Bluffs => "of these bluffs",
            Measure::Challenges => "challenges",
            Measure::ChallengesWon => "of these successful",
            Measure::UnoCalled => "\"UNO\" called with the play",
            Measure::UnoForgotten => "\"UNO\" forgotten",
            Measure::UnoCaught => "of these caught",
            Measure::JumpIns => "plays out of turn",
            Measure::Refused => "actions refused",
        }
    }
}

/// The faces that exist in four colors.
pub(crate) const FACES: usize = 13;

// Where everything has its place in the vector of a game.
const FACE: usize = KINDS;
const MEASURE: usize = FACE + FACES;
const POSITION: usize = MEASURE + Measure::ALL.len();
const SIDE: usize = POSITION + SEATS;
const SLOTS: usize = (SIDE + SEATS).next_multiple_of(4);

/// Something that is a number in every game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// How often a card was played.
    Card(Card),
    /// How often a face was played in any color: 0–9, Skip, Reverse, Draw Two.
    Face(usize),
    /// A measure.
    Measure(Measure),
    /// The share of the win by place after the (first) dealer, 0 being the left neighbor.
    Position(usize),
    /// The share of the win of a side of the line-up.
    Side(usize),
}

impl Slot {
    #[inline]
    fn index(self) -> usize {
        match self {
            Slot::Card(card) => card.index(),
            Slot::Face(face) => FACE + face,
            Slot::Measure(measure) => MEASURE + measure as usize,
            Slot::Position(position) => POSITION + position,
            Slot::Side(side) => SIDE + side,
        }
    }
}

/// The numbers of one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts([u32; SLOTS]);

impl Counts {
    const NONE: Counts = Counts([0; SLOTS]);

    /// One of the numbers.
    #[inline]
    pub fn get(&self, slot: Slot) -> u32 {
        self.0[slot.index()]
    }

    /// Counts up, or down if `by` is one less than zero.
    #[inline]
    fn count(&mut self, slot: Slot, by: u32) {
        let number = &mut self.0[slot.index()];
        *number = number.wrapping_add(by);
    }

    #[inline]
    fn measure(&mut self, measure: Measure, by: u32) {
        self.count(Slot::Measure(measure), by);
    }
}

/// An observer that counts.
#[derive(Clone, Debug)]
pub struct Counter {
    counts: Counts,
    /// Cards in the discard pile when it was last looked at.
    discards: u32,
    /// Cards that the last action laid on it.
    laid: u32,
}

impl Default for Counter {
    fn default() -> Counter {
        Counter { counts: Counts::NONE, discards: 0, laid: 0 }
    }
}

impl Counter {
    /// The numbers of a game that is over, dealt first by that seat; the next game begins with zeros.
    #[inline]
    pub fn finish(
        &mut self,
        game: &GameResult,
        players: usize,
        dealer: Seat,
        side_at: impl Fn(usize) -> usize,
    ) -> Counts {
        let mut counts = std::mem::replace(&mut self.counts, Counts::NONE);
        for face in 0..FACES {
            counts.0[FACE + face] = (0..4).map(|color| counts.0[color * FACES + face]).sum();
        }
        counts.measure(Measure::Rounds, game.rounds);
        counts.measure(Measure::Blocked, game.blocked);
        counts.measure(Measure::Points, game.won[..players].iter().sum());
        counts.measure(Measure::Refused, game.refused[..players].iter().sum());
        for seat in 0..players {
            let position = (seat + players - 1 - dealer as usize) % players;
            counts.count(Slot::Position(position), game.wins[seat]);
            counts.count(Slot::Side(side_at(seat)), game.wins[seat]);
        }
        counts
    }

    #[inline]
    fn count(&mut self, round: &Round, rules: &Rules, seat: Seat, action: &Action, by: u32) {
        self.laid = 0;
        match action {
            Action::Play(play) => self.count_play(round, rules, seat, play, by),
            Action::Draw => {
                self.counts.measure(Measure::Turns, by);
                self.counts.measure(Measure::DrawTurns, by);
            }
            Action::Challenge => {
                let bluff = matches!(*round.phase(), Phase::Respond { bluff: true, .. });
                self.counts.measure(Measure::Challenges, by);
                self.counts.measure(Measure::ChallengesWon, if bluff { by } else { 0 });
            }
            Action::Block { uno, .. } => {
                self.laid = 1;
                self.counts.count(Slot::Card(Card::FLITTERIFIC), by);
                self.counts.measure(Measure::Turns, by);
                self.count_uno(rules, round.hand(seat).len() - 1, *uno, by);
            }
            Action::Discard { cards, uno } => {
                self.laid = cards.len() as u32;
                self.count_uno(rules, round.hand(seat).len().saturating_sub(cards.len()), *uno, by);
            }
            Action::Catch(_) => self.counts.measure(Measure::UnoCaught, by),
            Action::Keep
            | Action::CallColor(_)
            | Action::Take
            | Action::CallUno
            | Action::Vote(_)
            | Action::Dare { .. } => {}
        }
    }

    #[inline]
    fn count_play(&mut self, round: &Round, rules: &Rules, seat: Seat, play: &Play, by: u32) {
        self.laid = 1 + play.discard.len() as u32;
        self.counts.count(Slot::Card(play.card), by);
        // To draw a card and play it is one turn, and was counted when it was drawn.
        let drawn = matches!(round.phase(), Phase::Drawn { .. });
        self.counts.measure(Measure::Turns, if drawn { 0 } else { by });
        let left = round.hand(seat).len().wrapping_sub(1 + play.discard.len());
        if left == 1 {
            self.count_uno(rules, left, play.uno, by);
        }
        if play.card == Card::WILD_DRAW_FOUR {
            let bluff = round.would_bluff(rules, seat);
            self.counts.measure(Measure::WildDrawFours, by);
            self.counts.measure(Measure::Bluffs, if bluff { by } else { 0 });
        }
        if rules.house().jump_in {
            let jumped_in = matches!(*round.phase(), Phase::Turn { seat: turn } if turn != seat);
            self.counts.measure(Measure::JumpIns, if jumped_in { by } else { 0 });
        }
    }

    #[inline]
    fn count_uno(&mut self, rules: &Rules, left: usize, called: bool, by: u32) {
        if left == 1 && rules.uno_penalty() > 0 {
            let measure = if called { Measure::UnoCalled } else { Measure::UnoForgotten };
            self.counts.measure(measure, by);
        }
    }

    /// Looks at the discard pile: if it got smaller, all but its top card became the draw pile.
    #[inline]
    fn look_at_piles(&mut self, round: &Round, rules: &Rules) {
        let discards = Sight::new(round, rules, 0, &[]).discards().len() as u32;
        if discards < self.discards + self.laid {
            self.counts.measure(Measure::Reshuffles, 1);
            self.counts.measure(Measure::CardsDrawn, self.discards + self.laid - 1);
        }
        self.discards = discards;
    }
}

impl Watch for Counter {
    #[inline]
    fn dealt(&mut self, round: &Round, rules: &Rules) {
        (self.discards, self.laid) = (0, 0);
        self.look_at_piles(round, rules);
        self.counts.measure(Measure::CardsDrawn, round.draw_pile().len() as u32);
    }

    #[inline]
    fn before(&mut self, round: &Round, rules: &Rules, seat: Seat, action: &Action) {
        self.look_at_piles(round, rules);
        self.count(round, rules, seat, action, 1);
    }

    #[inline]
    fn refused(&mut self, round: &Round, rules: &Rules, seat: Seat, action: &Action) {
        self.count(round, rules, seat, action, u32::MAX);
        self.laid = 0;
    }

    #[inline]
    fn ended(&mut self, round: &Round, rules: &Rules, outcome: &Outcome) {
        self.look_at_piles(round, rules);
        self.counts.measure(Measure::CardsDrawn, (round.draw_pile().len() as u32).wrapping_neg());
        self.counts.measure(Measure::Actions, outcome.actions);
    }
}

/// A number for every slot, written as a list.
mod slots {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

    use super::SLOTS;

    pub(super) fn serialize<T: Serialize, S: Serializer>(numbers: &[T; SLOTS], to: S) -> Result<S::Ok, S::Error> {
        numbers.as_slice().serialize(to)
    }

    pub(super) fn deserialize<'a, T: Deserialize<'a>, D: Deserializer<'a>>(from: D) -> Result<[T; SLOTS], D::Error> {
        let numbers = Vec::deserialize(from)?;
        let wrong = |numbers: Vec<T>| de::Error::invalid_length(numbers.len(), &"a number for every slot");
        numbers.try_into().map_err(wrong)
    }
}

/// Sums over games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tally {
    games: u64,
    #[serde(with = "slots")]
    sums: [u64; SLOTS],
    #[serde(with = "slots")]
    squares: [u64; SLOTS],
    /// Turns per game.
    pub turns: Histogram,
    /// Points for the winners, per game.
    pub points: Histogram,
    /// Rounds per game.
    pub rounds: Histogram,
}

impl Default for Tally {
    fn default() -> Tally {
        let [turns, points, rounds] = Default::default();
        Tally { games: 0, sums: [0; SLOTS], squares: [0; SLOTS], turns, points, rounds }
    }
}

impl Tally {
    /// Takes a game in.
    #[inline]
    pub fn add(&mut self, counts: &Counts) {
        self.games += 1;
        for ((sum, square), number) in self.sums.iter_mut().zip(&mut self.squares).zip(counts.0) {
            let number = u64::from(number);
            *sum += number;
            *square += number * number;
        }
        self.turns.add(counts.get(Slot::Measure(Measure::Turns)));
        self.points.add(counts.get(Slot::Measure(Measure::Points)));
        self.rounds.add(counts.get(Slot::Measure(Measure::Rounds)));
    }

    /// Merges another one in.
    pub fn merge(&mut self, other: &Tally) {
        // Some come from files that may hold anything.
        self.games = self.games.saturating_add(other.games);
        self.sums.iter_mut().zip(&other.sums).for_each(|(own, other)| *own = own.saturating_add(*other));
        self.squares.iter_mut().zip(&other.squares).for_each(|(own, other)| *own = own.saturating_add(*other));
        self.turns.merge(&other.turns);
        self.points.merge(&other.points);
        self.rounds.merge(&other.rounds);
    }

    /// Whether figures can be worked out from these sums.
    pub(crate) fn is_plausible(&self, games: u64) -> bool {
        let moments =
            (0..SLOTS).map(|slot| Moments::from_sums(self.games, self.sums[slot].into(), self.squares[slot].into()));
        let counted = [&self.turns, &self.points, &self.rounds].iter().all(|numbers| numbers.total() == games);
        self.games == games && counted && moments.into_iter().all(|moments| moments.is_plausible())
    }

    /// Number of games.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The sums of one number.
    pub fn moments(&self, slot: Slot) -> Moments {
        let index = slot.index();
        Moments::from_sums(self.games, self.sums[index].into(), self.squares[index].into())
    }

    /// How much there was of a measure over all games.
    pub fn total(&self, measure: Measure) -> u64 {
        self.sums[Slot::Measure(measure).index()]
    }
}

/// Sums over differences between pairs of games on the same deal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Differences {
    games: u64,
    #[serde(with = "slots")]
    sums: [i64; SLOTS],
    #[serde(with = "slots")]
    squares: [i64; SLOTS],
}

impl Default for Differences {
    fn default() -> Differences {
        Differences { games: 0, sums: [0; SLOTS], squares: [0; SLOTS] }
    }
}

impl Differences {
    /// Takes a pair of games in.
    #[inline]
    pub fn add(&mut self, base: &Counts, variant: &Counts) {
        self.games += 1;
        for (slot, (base, variant)) in base.0.iter().zip(&variant.0).enumerate() {
            let difference = i64::from(*variant) - i64::from(*base);
            self.sums[slot] += difference;
            self.squares[slot] += difference * difference;
        }
    }

    /// Merges another one in.
    pub fn merge(&mut self, other: &Differences) {
        self.games = self.games.saturating_add(other.games);
        self.sums.iter_mut().zip(&other.sums).for_each(|(own, other)| *own = own.saturating_add(*other));
        self.squares.iter_mut().zip(&other.squares).for_each(|(own, other)| *own = own.saturating_add(*other));
    }

    /// Whether figures can be worked out from these sums.
    pub(crate) fn is_plausible(&self, games: u64) -> bool {
        let moments =
            (0..SLOTS).map(|slot| Moments::from_sums(self.games, self.sums[slot].into(), self.squares[slot].into()));
        self.games == games && moments.into_iter().all(|moments| moments.is_plausible())
    }

    /// The sums of one difference.
    pub fn moments(&self, slot: Slot) -> Moments {
        let index = slot.index();
        Moments::from_sums(self.games, self.sums[index].into(), self.squares[index].into())
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;

    use rand_core::SeedableRng;
    use rand_pcg::Pcg64Mcg;
    use unum_bots::Bot;
    use unum_rules::{Chance, CustomCard, DrawReason, Edition, Event, House, RulesSpec, SeenEvent, Stacking};

    use super::*;
    use crate::game::{Game, Unit};

    /// Does anything legal, sometimes something illegal, and records what the table hears.
    struct Wild {
        chance: Pcg64Mcg,
        heard: Option<Rc<RefCell<Heard>>>,
    }

    #[derive(Default)]
    struct Heard {
        cards: Vec<Card>,
        drawn: u32,
        reshuffles: u32,
        challenges: u32,
        challenges_won: u32,
        caught: u32,
        jump_ins: u32,
    }

    impl Wild {
        fn any(&mut self, sight: &Sight<'_>) -> Option<Action> {
            let (mut chosen, mut seen) = (None, 0);
            sight.legal(&mut |action| {
                seen += 1;
                if self.chance.below(seen) == 0 {
                    chosen = Some(*action);
                }
            });
            chosen
        }
    }

    impl Bot for Wild {
        fn listens(&self) -> bool {
            self.heard.is_some()
        }

        fn see(&mut self, event: &SeenEvent) {
            let Some(heard) = &self.heard else { return };
            let mut heard = heard.borrow_mut();
            match *event.event() {
                Event::Played { card, jumped_in, .. } => {
                    heard.cards.push(card);
                    heard.jump_ins += u32::from(jumped_in);
                }
                Event::Blocked { .. } => heard.cards.push(Card::FLITTERIFIC),
                Event::Drew { cards, reason, .. } if reason != DrawReason::Start => {
                    heard.drawn += u32::from(cards.count())
                }
                Event::Reshuffled { .. } => heard.reshuffles += 1,
                Event::Challenged { guilty, .. } => {
                    heard.challenges += 1;
                    heard.challenges_won += u32::from(guilty);
                }
                Event::Caught { .. } => heard.caught += 1,
                _ => {}
            }
        }

        fn act(&mut self, sight: &Sight<'_>) -> Action {
            let illegal = [Action::Challenge, Action::Keep, Play::card(Card::WILD_DRAW_FOUR).into()];
            match self.chance.below(30) {
                mistake @ 0..3 => illegal[mistake as usize],
                _ => self.any(sight).unwrap_or(Action::Draw),
            }
        }

        fn react(&mut self, sight: &Sight<'_>) -> Option<Action> {
            if self.chance.below(2) == 0 { self.any(sight).filter(|_| !sight.is_awaited()) } else { None }
        }
    }

    fn count(rules: &Rules, players: usize, seed: u64) -> (Counts, Heard) {
        let heard = Rc::new(RefCell::new(Heard::default()));
        let mut bots: Vec<Wild> = (0..players as u64)
            .map(|seat| Wild {
                chance: Pcg64Mcg::seed_from_u64(seed * 10 + seat),
                heard: (seat == 0).then(|| heard.clone()),
            })
            .collect();
        let mut counter = Counter::default();
        let result = Game { rules, unit: Unit::Round, seed, dealer: 0, recorded: false }.play(&mut bots, &mut counter);
        let counts = counter.finish(&result, players, 0, |_| 0);
        drop(bots);
        (counts, Rc::into_inner(heard).unwrap().into_inner())
    }

    /// The engine's own events say the same as what is counted from outside.
    #[test]
    fn what_is_counted_is_what_happened() {
        let wild = House { stacking: Stacking::Any, jump_in: true, seven_zero: true, ..House::default() };
        let mut reshuffles = 0;
        for edition in Edition::ALL {
            for house in [House::default(), wild.clone()] {
                let custom_cards =
                    (edition == Edition::Custom).then(|| vec![CustomCard::Starter(4), CustomCard::Plain]);
                let rules = Rules::new(RulesSpec { house, custom_cards, ..RulesSpec::of(edition) }).unwrap();
                for seed in 0..40 {
                    let (counts, heard) = count(&rules, 2 + seed as usize % 9, seed);
                    let measure = |measure| counts.get(Slot::Measure(measure));
                    let plays = |card: Card| heard.cards.iter().filter(|played| **played == card).count() as u32;
                    assert!(Card::all().all(|card| counts.get(Slot::Card(card)) == plays(card)), "{edition} {seed}");
                    assert_eq!(measure(Measure::CardsDrawn), heard.drawn, "{edition} {seed}");
                    assert_eq!(measure(Measure::Reshuffles), heard.reshuffles, "{edition} {seed}");
                    assert_eq!(measure(Measure::Challenges), heard.challenges);
                    assert_eq!(measure(Measure::ChallengesWon), heard.challenges_won);
                    assert_eq!(measure(Measure::UnoCaught), heard.caught);
                    assert_eq!(measure(Measure::JumpIns), heard.jump_ins);
                    assert!(measure(Measure::Bluffs) <= measure(Measure::WildDrawFours));
                    reshuffles += heard.reshuffles;
                }
            }
        }
        assert!(reshuffles > 100, "{reshuffles}");
    }

    #[test]
    fn every_measure_has_its_own_place_and_name() {
        for (index, measure) in Measure::ALL.into_iter().enumerate() {
            assert_eq!(measure as usize, index);
            assert_eq!(serde_json::to_value(measure).unwrap(), measure.id());
        }
    }
}
