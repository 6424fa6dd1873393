//! How people choose what to play, and what that says about the cards they kept.
//!
//! Every choice gets a score, a sum of weights for features of the card and of the hand it leaves; how often it is made
//! is in proportion to the exponential of its score. The weights were fitted to what bots of the level `hard` do in
//! millions of turns, see docs/bots.md.

use std::sync::LazyLock;

use unum_rules::{Card, CardSet, Color, Event, Face, Hand, SEATS, Seat, SeenEvent, Sight, Stacking};

use crate::appraisal::{CROWDS, Choice, crowd};
use crate::memory::Memory;

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
/// Number of weights.
pub const WEIGHTS: usize = BLUFF + 3;

/// A turn in which somebody played: what they could choose from is known but for their hand.
#[derive(Clone, Copy, Debug)]
pub struct Deed {
    /// What was played.
    pub card: Card,
    /// The color called, if it was a wild.
    pub color: Option<Color>,
    /// What fitted the card on top.
    pub matching: CardSet,
    /// The color in force.
    pub in_force: Option<Color>,
    /// The size of the smallest other hand.
    pub danger: usize,
}

impl Deed {
    const NONE: Deed = Deed { card: Card::WILD, color: None, matching: CardSet::EMPTY, in_force: None, danger: 7 };

    /// The choices somebody with this hand had.
    pub fn each_choice(&self, hand: &Hand, visit: &mut impl FnMut(Choice)) {
        for card in hand.kinds().and(self.matching.or(CardSet::WILDS)).iter() {
            if card.names_color() {
                Color::ALL.into_iter().for_each(|color| visit(Choice::Play(card, Some(color))));
            } else {
                visit(Choice::Play(card, None));
            }
        }
    }

    /// The choice that was made.
    pub fn choice(&self) -> Choice {
        Choice::Play(self.card, if self.card.names_color() { self.color } else { None })
    }

    /// Hands the features of a choice of somebody with this hand to `visit`.
    pub fn features(&self, hand: &Hand, choice: Choice, visit: &mut impl FnMut(usize)) {
        let Choice::Play(card, called) = choice else { return };
        let left = (hand.len() - 1).clamp(1, OWN) - 1;
        let kind = kind(card);
        visit(KIND + kind * OWN + left);
        visit(PRESSING + kind * 3 + self.danger.clamp(1, 3) - 1);
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
            visit(BLUFF + self.danger.clamp(1, 3) - 1);
        }
    }

    /// How likely somebody with this hand would have done it.
    fn likelihood(&self, hand: &Hand, weights: &[f32; WEIGHTS]) -> f32 {
        let made = self.choice();
        let (mut own, mut all) = (0.0, 0.0);
        self.each_choice(hand, &mut |choice| {
            let mut score = 0.0;
            self.features(hand, choice, &mut |feature| score += weights[feature]);
            let power: f32 = score.exp();
            all += power;
            if choice == made {
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

/// How many deeds of a seat are remembered.
const MOST: usize = 4;
/// Less than this nothing is unlikely: people are not that predictable.
const LEAST: f32 = 0.02;

/// What everybody played since they last drew.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deeds {
    deeds: [[Deed; MOST]; SEATS],
    counts: [usize; SEATS],
    /// Whether plays are chosen from all that fits. Where attacks are answered with cards, one cannot tell.
    telling: bool,
}

impl Deeds {
    pub(crate) fn new() -> Deeds {
        Deeds { deeds: [[Deed::NONE; MOST]; SEATS], counts: [0; SEATS], telling: true }
    }

    /// A round was dealt.
    pub(crate) fn begin(&mut self, sight: &Sight<'_>) {
        self.forget_all();
        self.telling = sight.rules().house().stacking == Stacking::Off;
    }

    /// Something happens to a table of which this is remembered.
    pub(crate) fn see(&mut self, event: &SeenEvent, memory: &Memory) {
        match *event.event() {
            Event::Played { seat, card, color, discarded, jumped_in } => {
                if jumped_in || !discarded.is_empty() {
                    self.forget(seat);
                } else if self.telling && !memory.has_drawn(seat) {
                    let deed = Deed {
                        card,
                        color,
                        matching: memory.matching(),
                        in_force: memory.color(),
                        danger: memory.smallest_but(seat),
                    };
                    self.note(seat, deed);
                }
            }
            Event::ColorCalled { seat, color } => {
                if let Some(last) = self.counts[seat as usize].checked_sub(1) {
                    self.deeds[seat as usize][last].color.get_or_insert(color);
                }
            }
            Event::Drew { seat, .. } | Event::Received { seat, .. } | Event::Discarded { seat, .. } => {
                self.forget(seat)
            }
            Event::HandsSwapped { .. } | Event::HandsPassed { .. } | Event::HandsShuffled { .. } => self.forget_all(),
            // The cards played may be in a hand again.
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

    fn note(&mut self, seat: Seat, deed: Deed) {
        let (deeds, count) = (&mut self.deeds[seat as usize], &mut self.counts[seat as usize]);
        if *count == MOST {
            deeds.rotate_left(1);
            *count -= 1;
        }
        deeds[*count] = deed;
        *count += 1;
    }

    /// Whether there is anything to go by.
    pub(crate) fn is_empty(&self, seat: Seat) -> bool {
        self.counts[seat as usize] == 0
    }

    /// How likely a seat with this hand now would have done what it did.
    pub(crate) fn likelihood(&self, seat: Seat, hand: &Hand, players: u8) -> f32 {
        let weights = &weights()[crowd(players)];
        let mut hand = *hand;
        let deeds = self.deeds[seat as usize][..self.counts[seat as usize]].iter().rev();
        let factors = deeds.map(|deed| {
            hand.add(deed.card);
            deed.likelihood(&hand, weights).max(LEAST)
        });
        factors.product()
    }
}

/// Fitted weights, in thousandths, a line for each size of crowd. `cargo run --release -p unum-lab --example foresee`
/// makes them.
const FITTED: &str = include_str!("manner.weights");

static WEIGHTS_FITTED: LazyLock<Box<Weights>> = LazyLock::new(|| {
    let mut weights = Box::new([[0.0; WEIGHTS]; CROWDS]);
    for (crowd, line) in weights.iter_mut().zip(FITTED.lines()) {
        for (weight, number) in crowd.iter_mut().zip(line.split_ascii_whitespace()) {
            *weight = number.parse::<f32>().unwrap_or(0.0) / 1_000.0;
        }
    }
    weights
});

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
    fn there_is_a_fitted_weight_for_every_feature() {
        let lines: Vec<usize> = FITTED.lines().map(|line| line.split_ascii_whitespace().count()).collect();
        assert_eq!(lines, [WEIGHTS; CROWDS]);
        assert!(FITTED.split_ascii_whitespace().all(|number| number.parse::<i16>().is_ok()));
    }

    #[test]
    fn whoever_changes_the_color_is_believed_to_have_more_of_it() {
        let (top, played) = (card("R5"), card("B5"));
        let matching = CardSet::matching(top, Color::Red);
        let deed = Deed { card: played, color: None, matching, in_force: Some(Color::Red), danger: 5 };
        let blue = hand(["B5", "B1", "B7", "R3"]);
        let red = hand(["B5", "R1", "R7", "R3"]);
        for weights in weights() {
            assert!(deed.likelihood(&blue, weights) > 2.0 * deed.likelihood(&red, weights));
        }
    }
}
