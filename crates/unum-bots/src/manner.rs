//! Opponent model: how people choose what to play, and what that says about the cards they kept.
//!
//! A softmax over linear scores: every choice gets a sum of weights for features of the card and of the hand it leaves,
//! and is made in proportion to the exponential of that sum. Bayes' rule then weighs the hands that explain a choice. The
//! weights were fitted to what bots of the level `hard` do in millions of turns, see docs/bots.md.

use std::sync::LazyLock;

use unum_rules::{Card, CardSet, Color, DrawReason, Event, Face, Hand, SEATS, Seat, SeenEvent, Sight, Stacking};

use crate::appraisal::{CROWDS, Choice, crowd};
use crate::fitted::{self, Table};
use crate::memory::{GROUPS, Memory};

/// A table of weights for each size of crowd.
pub type Weights = [[f32; WEIGHTS]; CROWDS];

/// Sizes of the hand that is left: 0 and 1, 2, 3 … 7 and more.
const OWN: usize = 7;
/// Kinds of card that are played alike.
const KINDS: usize = 7;

/// Where the features of each sort begin in the table of weights.
const KIND: usize = 0;
const PRESSING: usize = KIND + KINDS * OWN;
const OF_COLOR: usize = PRESSING + KINDS * 3;
const SAME_FACE: usize = OF_COLOR + 5 * OWN;
const COLORS: usize = SAME_FACE + 3 * OWN;
const NUMBER: usize = COLORS + 5 * OWN;
const BLUFF: usize = NUMBER + 10 * 3;
const WAIT: usize = BLUFF + 3;
/// Number of weights.
pub const WEIGHTS: usize = WAIT + 2 * OWN * 3;

/// A turn somebody took. All they could choose from is known, except their hand.
#[derive(Clone, Copy, Debug)]
pub struct Deed {
    /// What they chose.
    pub choice: Choice,
    /// What fitted the card on top.
    pub matching: CardSet,
    /// The color in force.
    pub in_force: Option<Color>,
    /// The size of the smallest other hand.
    pub danger: usize,
}

impl Deed {
    const NONE: Deed = Deed { choice: Choice::Pass, matching: CardSet::EMPTY, in_force: None, danger: 7 };

    /// The choices somebody with this hand had.
    pub fn each_choice(&self, hand: &Hand, visit: &mut impl FnMut(Choice)) {
        for card in hand.kinds().and(self.matching.or(CardSet::WILDS)).iter() {
            if card.names_color() {
                Color::ALL.into_iter().for_each(|color| visit(Choice::Play(card, Some(color))));
            } else {
                visit(Choice::Play(card, None));
            }
        }
        if hand.kinds().and(self.matching.minus(CardSet::WILDS)).is_empty() {
            visit(Choice::Pass);
        }
    }

    /// Hands the features of a choice of somebody with this hand to `visit`.
    pub fn features(&self, hand: &Hand, choice: Choice, visit: &mut impl FnMut(usize)) {
        let pressing = self.danger.clamp(1, 3) - 1;
        let Choice::Play(card, called) = choice else {
            let wilds = (hand.count_in(CardSet::WILDS) as usize).clamp(1, 2) - 1;
            visit(WAIT + (wilds * OWN + hand.len().clamp(1, OWN) - 1) * 3 + pressing);
            return;
        };
        let left = (hand.len() - 1).clamp(1, OWN) - 1;
        let kind = kind(card);
        visit(KIND + kind * OWN + left);
        visit(PRESSING + kind * 3 + pressing);
        let printed = card.color();
        if let Face::Number(number) = card.face() {
            visit(NUMBER + usize::from(number) * 3 + (left / 2).min(2));
        }
        let Some(color) = printed.or(called) else { return };
        let of_color = hand.count_in(CardSet::color(color)) as usize - usize::from(printed.is_some());
        visit(OF_COLOR + of_color.min(4) * OWN + left);
        if printed.is_some() {
            let same = hand.count_in(CardSet::same_face(card)) as usize - 1;
            visit(SAME_FACE + same.min(2) * OWN + left);
        }
        let rest = hand.kinds_without(card);
        let colors = Color::ALL.into_iter().filter(|color| !rest.and(CardSet::color(*color)).is_empty()).count();
        visit(COLORS + colors * OWN + left);
        if card == Card::WILD_DRAW_FOUR
            && self.in_force.is_some_and(|color| !rest.and(CardSet::color(color)).is_empty())
        {
            visit(BLUFF + pressing);
        }
    }

    /// The likelihood of that choice with this hand.
    fn likelihood(&self, hand: &Hand, weights: &[f32; WEIGHTS]) -> f32 {
        let (mut own, mut all) = (0.0, 0.0);
        self.each_choice(hand, &mut |choice| {
            let mut score = 0.0;
            self.features(hand, choice, &mut |feature| score += weights[feature]);
            let power: f32 = score.exp();
            all += power;
            if choice == self.choice {
                own = power;
            }
        });
        if all > 0.0 { own / all } else { 0.0 }
    }
}

fn kind(card: Card) -> usize {
    match card.face() {
        Face::Number(_) => 0,
        Face::Skip => 1,
        Face::Reverse => 2,
        Face::DrawTwo => 3,
        Face::Wild => 4,
        Face::WildDrawFour => 5,
        _ => 6,
    }
}

/// How many actions of a seat are remembered.
const MOST: usize = 8;
/// The lowest likelihood of anything: people are not that predictable.
const LEAST: f32 = 0.02;

/// An action and its time.
#[derive(Clone, Copy, Debug)]
struct Dated {
    deed: Deed,
    /// How many turns its owner had taken before.
    turn: u8,
    /// The turn before which the card played had reached the hand.
    since: u8,
}

/// What everybody did.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deeds {
    deeds: [[Dated; MOST]; SEATS],
    counts: [usize; SEATS],
    /// Whether plays are chosen from everything that fits. With stacking, that is not known.
    telling: bool,
}

impl Deeds {
    pub(crate) fn new() -> Deeds {
        let none = Dated { deed: Deed::NONE, turn: 0, since: 0 };
        Deeds { deeds: [[none; MOST]; SEATS], counts: [0; SEATS], telling: true }
    }

    /// A round was dealt.
    pub(crate) fn begin(&mut self, sight: &Sight<'_>) {
        self.forget_all();
        self.telling = sight.rules().house().stacking == Stacking::Off;
    }

    /// Learns from an event, given what is remembered of the table.
    pub(crate) fn see(&mut self, event: &SeenEvent, memory: &Memory) {
        match *event.event() {
            Event::Played { seat, card, color, discarded, jumped_in } => {
                if jumped_in || !discarded.is_empty() {
                    self.forget(seat);
                } else if !memory.has_drawn(seat) {
                    let color = if card.names_color() { color } else { None };
                    self.note(seat, Choice::Play(card, color), memory);
                }
            }
            Event::ColorCalled { seat, color } => {
                if let Some(last) = self.counts[seat as usize].checked_sub(1)
                    && let Choice::Play(card, called @ None) = &mut self.deeds[seat as usize][last].deed.choice
                    && card.names_color()
                {
                    *called = Some(color);
                }
            }
            Event::Drew { seat, reason: DrawReason::Turn, .. } if memory.has_patience() => {
                self.note(seat, Choice::Pass, memory);
            }
            Event::Received { seat, .. } | Event::Discarded { seat, .. } | Event::HandShown { seat, .. } => {
                self.forget(seat)
            }
            Event::HandsSwapped { .. } | Event::HandsPassed { .. } | Event::HandsShuffled { .. } => self.forget_all(),
            // The cards played may be back in a hand.
            Event::Reshuffled { .. } => self.forget_all(),
            _ => {}
        }
    }

    fn forget_all(&mut self) {
        self.counts = [0; SEATS];
    }

    fn forget(&mut self, seat: Seat) {
        self.counts[seat as usize] = 0;
    }

    fn note(&mut self, seat: Seat, choice: Choice, memory: &Memory) {
        if !self.telling {
            return;
        }
        let dossier = memory.dossier(seat);
        let deed =
            Deed { choice, matching: memory.matching(), in_force: memory.color(), danger: memory.smallest_but(seat) };
        let since = if let Choice::Play(card, _) = choice { dossier.since(card) } else { 0 };
        let (deeds, count) = (&mut self.deeds[seat as usize], &mut self.counts[seat as usize]);
        if *count == MOST {
            deeds.rotate_left(1);
            *count -= 1;
        }
        deeds[*count] = Dated { deed, turn: dossier.turns, since };
        *count += 1;
    }

    /// Whether there is any evidence.
    pub(crate) fn is_empty(&self, seat: Seat) -> bool {
        self.counts[seat as usize] == 0
    }

    /// The card a seat played last, if that is remembered and it has not drawn since.
    pub(crate) fn last_play(&self, seat: Seat) -> Option<Card> {
        match self.deeds[seat as usize][..self.counts[seat as usize]].last()?.deed.choice {
            Choice::Play(card, _) => Some(card),
            Choice::Pass => None,
        }
    }

    /// The likelihood of what a seat did, if it holds this hand now.
    pub(crate) fn likelihood(&self, seat: Seat, holding: &Holding, players: u8) -> f32 {
        let weights = &weights()[crowd(players)];
        let deeds = &self.deeds[seat as usize][..self.counts[seat as usize]];
        let mut product = 1.0;
        // Working backward, later cards are taken away and played ones given back.
        let mut hand = holding.hand;
        let mut horizon = u8::MAX;
        for (place, dated) in deeds.iter().enumerate().rev() {
            let came_since = |since: u8| dated.turn < since && since <= horizon;
            holding.parts().filter(|(since, _)| came_since(*since)).for_each(|(_, part)| hand.remove_all(part));
            for later in deeds[place + 1..].iter().filter(|later| came_since(later.since)) {
                if let Choice::Play(card, _) = later.deed.choice {
                    hand.remove(card);
                }
            }
            horizon = dated.turn;
            if let Choice::Play(card, _) = dated.deed.choice {
                hand.add(card);
            }
            product *= dated.deed.likelihood(&hand, weights).max(LEAST);
        }
        product
    }
}

/// A possible hand, with the times its cards arrived.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Holding {
    pub(crate) hand: Hand,
    parts: [(u8, Hand); GROUPS],
    count: usize,
}

impl Holding {
    /// Cards that have been there from the start.
    pub(crate) fn of(hand: Hand) -> Holding {
        Holding { hand, ..Holding::default() }
    }

    /// Cards that arrived before this turn of their owner.
    pub(crate) fn add(&mut self, since: u8, part: Hand) {
        part.iter().for_each(|card| self.hand.add(card));
        if since > 0 && self.count < GROUPS {
            self.parts[self.count] = (since, part);
            self.count += 1;
        }
    }

    fn parts(&self) -> impl Iterator<Item = (u8, &Hand)> {
        self.parts[..self.count].iter().map(|(since, part)| (*since, part))
    }
}

/// Fitted weights, in thousandths, a line for each size of crowd. `cargo run --release -p unum-lab --example foresee`
/// makes them.
#[allow(long_running_const_eval)]
static FITTED: Table<WEIGHTS> = fitted::read(include_str!("manner.weights"));

static WEIGHTS_FITTED: LazyLock<Box<Weights>> = LazyLock::new(|| fitted::weights(&FITTED, 1_000.0));

/// The fitted weights.
pub fn weights() -> &'static Weights {
    &WEIGHTS_FITTED
}

#[cfg(test)]
mod tests {
    use unum_rules::{CardName, Palette};

    use super::*;

    fn card(name: &str) -> Card {
        CardName::parse(name).and_then(|name| name.card(Palette::Red)).expect("there is such a card")
    }

    fn hand(names: [&str; 4]) -> Hand {
        Hand::try_from_iter(names.map(card)).expect("one deck has them")
    }

    #[test]
    fn a_player_who_changes_the_color_is_believed_to_have_more_of_it() {
        let (top, played) = (card("R5"), card("B5"));
        let matching = CardSet::matching(top, Color::Red);
        let deed = Deed { choice: Choice::Play(played, None), matching, in_force: Some(Color::Red), danger: 5 };
        let blue = hand(["B5", "B1", "B7", "R3"]);
        let red = hand(["B5", "R1", "R7", "R3"]);
        // With two players it says little, since the turn is back at once.
        for (weights, times) in weights().iter().zip([1.0, 2.0, 2.0, 2.0, 2.0, 2.0]) {
            assert!(deed.likelihood(&blue, weights) > times * deed.likelihood(&red, weights));
        }
    }

    #[test]
    fn a_player_who_draws_with_a_small_hand_has_no_wild_and_with_a_large_one_may_keep_it() {
        let matching = CardSet::matching(card("R5"), Color::Red);
        let small = Hand::try_from_iter(["B1", "W"].map(card)).expect("one deck has them");
        let large =
            Hand::try_from_iter(["B1", "B2", "B3", "G1", "G2", "Y1", "W"].map(card)).expect("one deck has them");
        let without = Hand::try_from_iter(["B1", "B2"].map(card)).expect("one deck has them");
        let deed = Deed { choice: Choice::Pass, matching, in_force: Some(Color::Red), danger: 5 };
        for weights in weights() {
            assert!(deed.likelihood(&small, weights) < 0.1);
            assert!(deed.likelihood(&large, weights) > 4.0 * deed.likelihood(&small, weights));
            assert!(deed.likelihood(&without, weights) > 0.99);
        }
        let red = hand(["R1", "B1", "B2", "B3"]);
        assert_eq!(deed.likelihood(&red, &weights()[0]), 0.0);
    }

    #[test]
    fn what_came_to_a_hand_later_says_nothing_about_an_earlier_turn() {
        let matching = CardSet::matching(card("R5"), Color::Red);
        let deed = Deed { choice: Choice::Play(card("B5"), None), matching, in_force: Some(Color::Red), danger: 5 };
        let mut deeds = Deeds::new();
        deeds.deeds[1][0] = Dated { deed, turn: 2, since: 0 };
        deeds.counts[1] = 1;
        let (blue, red) = (Hand::of(card("B1")), Hand::of(card("R1")));
        let likelihood = |since: u8, drawn: Hand| {
            let mut holding = Holding::of(blue);
            holding.add(since, drawn);
            deeds.likelihood(1, &holding, 4)
        };
        assert!(likelihood(2, red) < likelihood(3, red), "a red card would have been another choice");
        assert_eq!(likelihood(3, red), likelihood(3, Hand::EMPTY));
    }
}
