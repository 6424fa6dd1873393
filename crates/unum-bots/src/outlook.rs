//! Value function: who is likely to win a round whose cards are all known, without playing it to its end.
//!
//! A softmax over linear scores: every seat gets a sum of weights for features of its hand and place, and its chance to
//! win is in proportion to the exponential of that sum. The weights were fitted to who won millions of rounds, see docs/bots.md.

use std::sync::LazyLock;

use unum_rules::{Card, CardSet, Color, Hand, Round, SEATS, Seat};

use crate::appraisal::{CROWDS, crowd};
use crate::fitted::{self, Table};

/// A table of weights for each size of crowd.
pub type Weights = [[f32; WEIGHTS]; CROWDS];

/// Weights of one seat and of all others, where they play differently.
pub type Judge = [[f32; WEIGHTS]; 2];

/// Hand sizes distinguished on their own: 1 to 12 and more.
const LONG: usize = 12;
/// Hand sizes distinguished in combination with other features: 1 to 7 and more.
const OWN: usize = 7;
/// Hand sizes distinguished in combination with other hands: 1 to 5 and more.
const SHORT: usize = 5;
/// How many seats away the turn is: 0 to 5 and more.
const AWAY: usize = 6;

/// Where the features of each sort begin in the table of weights.
const SIZE: usize = 0;
const SHAPE: usize = SIZE + LONG * AWAY;
const IN_FORCE: usize = SHAPE + OWN * 4 * 5 * 5;
const FITS: usize = IN_FORCE + OWN * 5 * 2 * 3;
const ACTIONS: usize = FITS + SHORT * 4 * AWAY;
const DRAW_FOURS: usize = ACTIONS + OWN * 4 * 3;
const LINKS: usize = DRAW_FOURS + OWN * 3;
const BEFORE: usize = LINKS + SHORT * 4;
const AFTER: usize = BEFORE + SHORT * 4 * 3;
const BEHIND: usize = AFTER + SHORT * 3 * SHORT;
/// Number of weights.
pub const WEIGHTS: usize = BEHIND + SHORT * SHORT * 3;

/// The features of one hand.
#[derive(Clone, Copy, Default)]
struct Profile {
    size: usize,
    by_color: [u8; 4],
    wilds: usize,
    draw_fours: usize,
    draw_twos: usize,
    turners: usize,
    /// Cards that fit the one on top: none, only wilds, one, more.
    fits: usize,
    /// Pairs of cards that can follow each other by their face, in a small hand.
    links: usize,
}

impl Profile {
    fn of(hand: &Hand, matching: CardSet) -> Profile {
        let wilds = hand.count_in(CardSet::WILDS) as usize;
        let draw_twos = hand.count_in(CardSet::DRAW_TWOS) as usize;
        let colored = hand.count_in(matching.minus(CardSet::WILDS)) as usize;
        Profile {
            size: hand.len(),
            by_color: Color::ALL.map(|color| hand.count_in(CardSet::color(color)) as u8),
            wilds,
            draw_fours: usize::from(hand.count(Card::WILD_DRAW_FOUR)),
            draw_twos,
            turners: hand.count_in(CardSet::ACTIONS) as usize - draw_twos,
            fits: if colored > 0 { 1 + colored.min(2) } else { usize::from(wilds > 0) },
            links: links(hand),
        }
    }

    /// Cards that keep the next player from playing.
    fn attacks(&self) -> usize {
        self.draw_twos + self.draw_fours + self.turners
    }
}

fn links(hand: &Hand) -> usize {
    if hand.len() > SHORT {
        return 0;
    }
    let colored = hand.kinds().minus(CardSet::WILDS);
    let others = |card: Card| colored.and(CardSet::same_face(card)).len() as usize - 1;
    colored.iter().map(others).sum::<usize>() / 2
}

/// A round in which somebody is about to act, examined once for all seats.
pub struct Outlook {
    profiles: [Profile; SEATS],
    players: u8,
    /// The seats in the order of their turns.
    order: [Seat; SEATS],
    color: Option<Color>,
}

impl Outlook {
    /// Looks at all hands.
    pub fn new(round: &Round) -> Outlook {
        let players = round.players();
        let mut seat = round.awaited().unwrap_or(0);
        let matching = round.color().map_or(CardSet::EMPTY, |color| CardSet::matching(round.top(), color));
        let mut outlook =
            Outlook { profiles: [Profile::default(); SEATS], players, order: [0; SEATS], color: round.color() };
        for place in 0..usize::from(players) {
            outlook.order[place] = seat;
            outlook.profiles[place] = Profile::of(round.hand(seat), matching);
            seat = round.direction().next(seat, players);
        }
        outlook
    }

    /// Everybody's chance to win, by seat.
    pub fn chances(&self, weights: &Weights) -> [f32; SEATS] {
        let weights = &weights[crowd(self.players)];
        let mut chances = [0.0; SEATS];
        let mut sum = 0.0;
        for place in 0..usize::from(self.players) {
            let mut score = 0.0;
            self.features(place, &mut |feature| score += weights[feature]);
            let power = score.clamp(-30.0, 30.0).exp();
            chances[usize::from(self.order[place])] = power;
            sum += power;
        }
        chances.map(|chance| chance / sum)
    }

    /// The chance of one seat to win, with weights of its own and others for everybody else.
    pub fn chance_of(&self, seat: Seat, [own, others]: &Judge) -> f32 {
        let (mut power, mut sum) = (0.0, 0.0);
        for (place, other) in self.order().iter().enumerate() {
            let weights = if *other == seat { own } else { others };
            let mut score: f32 = 0.0;
            self.features(place, &mut |feature| score += weights[feature]);
            let strength = score.clamp(-30.0, 30.0).exp();
            sum += strength;
            if *other == seat {
                power = strength;
            }
        }
        power / sum
    }

    /// The seats in the order of their turns, beginning with the one that is about to act.
    pub fn order(&self) -> &[Seat] {
        &self.order[..usize::from(self.players)]
    }

    /// Hands the features of the seat that many places on to `visit`.
    #[inline]
    pub fn features(&self, place: usize, visit: &mut impl FnMut(usize)) {
        let players = usize::from(self.players);
        let own = &self.profiles[place];
        let before = &self.profiles[(place + players - 1) % players];
        let after = &self.profiles[(place + 1) % players];
        let away = place.min(AWAY - 1);
        let size = up_to(own.size, OWN);
        let short = up_to(own.size, SHORT);
        let colors = own.by_color.iter().filter(|count| **count > 0).count();
        let best = own.by_color.iter().copied().max().unwrap_or(0).min(4) as usize;
        let in_force = self.color.map_or(0, |color| own.by_color[color as usize].min(4) as usize);
        visit(SIZE + up_to(own.size, LONG) * AWAY + away);
        visit(SHAPE + ((size * 4 + own.wilds.min(3)) * 5 + colors) * 5 + best);
        visit(IN_FORCE + ((size * 5 + in_force) * 2 + own.wilds.min(1)) * 3 + away.min(2));
        visit(FITS + (short * 4 + own.fits) * AWAY + away);
        visit(ACTIONS + (size * 4 + own.turners.min(3)) * 3 + own.draw_twos.min(2));
        visit(DRAW_FOURS + size * 3 + own.draw_fours.min(2));
        visit(LINKS + short * 4 + own.links.min(3));
        visit(BEFORE + (short * 4 + before.attacks().min(3)) * 3 + away.min(2));
        visit(AFTER + (short * 3 + own.attacks().min(2)) * SHORT + up_to(after.size, SHORT));
        visit(BEHIND + (short * SHORT + up_to(before.size, SHORT)) * 3 + away.min(2));
    }
}

/// The class of a size, from 0.
#[inline]
fn up_to(size: usize, most: usize) -> usize {
    size.clamp(1, most) - 1
}

/// Fitted weights, in thousandths, a line for each size of crowd. `cargo run --release -p unum-lab --example foresee`
/// makes them.
#[allow(long_running_const_eval)]
static FITTED: Table<WEIGHTS> = fitted::read(include_str!("outlook.weights"));

static WEIGHTS_FITTED: LazyLock<Box<Weights>> = LazyLock::new(|| fitted::weights(&FITTED, 1_000.0));

/// The fitted weights.
pub fn weights() -> &'static Weights {
    &WEIGHTS_FITTED
}

#[cfg(test)]
mod tests {
    use unum_rules::{Edition, Rules, Seeded, Sight};

    use super::*;
    use crate::{Bot, Random};

    #[test]
    fn chances_add_up_and_a_short_hand_is_ahead() {
        let rules = Rules::of(Edition::Original);
        let mut chance = Seeded::new(3);
        for players in 2..=10 {
            let mut round = Round::deal(&rules, players, 0, &mut chance, &mut ()).expect("there are enough cards");
            while !round.is_over() {
                let chances = Outlook::new(&round).chances(weights());
                assert!((chances.iter().sum::<f32>() - 1.0).abs() < 1e-4);
                let last = (0..players).find(|seat| round.hand(*seat).len() == 1);
                let longest =
                    (0..players).max_by_key(|seat| round.hand(*seat).len()).filter(|seat| round.hand(*seat).len() > 7);
                if let (Some(last), Some(longest)) = (last, longest) {
                    assert!(chances[usize::from(last)] > chances[usize::from(longest)]);
                }
                let seat = round.awaited().expect("the round goes on");
                let action = Random::new(7).act(&Sight::new(&round, &rules, seat, &[]));
                round.apply(&rules, seat, &action, &mut chance, &mut ()).expect("bots make legal moves");
            }
        }
    }
}
