//! The luck of a chance event: the value after the cards that came, less its mean over the cards that could have come.
//!
//! This is a control variate, known from backgammon and, as AIVAT, from poker. Nobody has seen the order of the draw
//! pile, so given all hands, each of its cards is equally likely to come. The luck of an event therefore has mean zero,
//! whatever the value function and the players, and a result without luck is unbiased.

use rand_core::SeedableRng;
use rand_pcg::Pcg64Mcg;
use unum_rules::{Action, Card, Chance, Edition, Event, KINDS, Round, Rules, SEATS, Seat, Sink};

use crate::baseline::Baseline;
use crate::value::{BySeat, chances};

/// Alternatives sampled at least where there are too many to try them all.
const SAMPLES: usize = 32;

/// The luck of one event, for everybody.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// The change of the chances; sums to zero.
    pub luck: BySeat,
    /// The variance of the luck: how much was at stake.
    pub variance: BySeat,
}

/// What is done to a round.
#[derive(Clone, Copy, Debug)]
pub enum Deed<'a> {
    /// A player acts.
    Act(&'a Action),
    /// X1: the referee's penalty.
    Penalize,
}

impl Deed<'_> {
    /// Does it. Returns `false` if the rules refuse it.
    pub fn carry_out<C: Chance, S: Sink>(
        &self,
        (rules, round, seat): (&Rules, &mut Round, Seat),
        chance: &mut C,
        events: &mut S,
    ) -> bool {
        match self {
            Deed::Act(action) => round.apply(rules, seat, action, chance, events).is_ok(),
            Deed::Penalize => round.penalize(rules, seat, chance, events).is_ok(),
        }
    }
}

/// What chance did during one deed. It is a sink: push the deed's events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stir {
    /// The number of cards drawn.
    pub drawn: u16,
    /// Who drew, if it was one player.
    pub drawer: Option<Seat>,
    /// Whether all hands were shuffled.
    pub hands_shuffled: bool,
    /// Whether the discards became the draw pile.
    pub reshuffled: bool,
}

impl Stir {
    /// Whether chance did nothing.
    pub fn is_nothing(&self) -> bool {
        self.drawn == 0 && !self.hands_shuffled
    }
}

impl Sink for Stir {
    fn push(&mut self, event: Event) {
        match event {
            Event::Drew { seat, cards, .. } if cards.count() > 0 => {
                let alone = self.drawn == 0 || self.drawer == Some(seat);
                self.drawer = alone.then_some(seat);
                self.drawn += u16::from(cards.count());
            }
            Event::HandsShuffled { .. } => self.hands_shuffled = true,
            Event::Reshuffled { .. } => self.reshuffled = true,
            _ => {}
        }
    }
}

/// A deed and what chance did in it.
#[derive(Clone, Copy, Debug)]
pub struct Happening<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// The round before it.
    pub before: &'a Round,
    /// The round after it.
    pub after: &'a Round,
    /// Who did it.
    pub seat: Seat,
    /// What was done.
    pub deed: Deed<'a>,
    /// What chance did.
    pub stir: Stir,
    /// Its place in the game. It seeds the sampling and does not depend on the cards.
    pub number: u64,
}

impl Happening<'_> {
    /// Its luck; `None` if chance did nothing.
    pub fn stroke(&self) -> Option<Stroke> {
        if self.stir.is_nothing() {
            return None;
        }
        let mut mean = Mean::default();
        if self.draws_one() {
            self.each_card(&mut mean)
        } else {
            self.sample(&mut mean)
        }
        (mean.weight > 0.0).then(|| mean.stroke(chances(self.rules, self.after)))
    }

    /// Whether exactly one card comes off the pile, whichever it is. This is the most frequent case, and can be
    /// computed exactly.
    fn draws_one(&self) -> bool {
        let plain = !self.rules.house().draw_to_match && self.before.draw_more(self.seat).is_none();
        matches!(self.deed, Deed::Act(Action::Draw)) && plain && self.stir.drawn == 1 && !self.stir.reshuffled
    }

    /// Tries every kind of card in the pile, weighted by its number.
    fn each_card(&self, mean: &mut Mean) {
        let mut counts = [0_u8; KINDS];
        let mut places = [0_usize; KINDS];
        for (place, card) in self.before.draw_pile().iter().enumerate() {
            counts[card.index()] += 1;
            places[card.index()] = place;
        }
        let last = self.before.draw_pile().len() - 1;
        for (count, place) in counts.into_iter().zip(places).filter(|(count, _)| *count > 0) {
            let mut round = *self.before;
            round.reorder_draw_pile(|pile| pile.swap(place, last));
            // The generator is not used, since the pile has a card.
            self.try_one(round, f64::from(count), &mut Pcg64Mcg::new(self.number.into()), mean);
        }
    }

    /// Stratified sampling: shuffles the pile and cuts it into pieces of as many cards as were drawn; each piece comes
    /// on top once. Every card is then drawn about equally often, so only the combinations of cards are left to chance.
    fn sample(&self, mean: &mut Mean) {
        mean.sampled = true;
        let mut chance = Pcg64Mcg::seed_from_u64(0x51_7CC1 ^ self.number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let (count, size) = (self.before.draw_pile().len(), usize::from(self.stir.drawn.max(1)));
        let pieces = (count / size).max(1);
        for number in 0..SAMPLES.div_ceil(pieces) * pieces {
            if number.is_multiple_of(pieces) {
                mean.begin_pass();
            }
            let mut round = *self.before;
            let offset = (number % pieces) * size;
            let order = &mut mean.order;
            round.reorder_draw_pile(|pile| {
                if offset == 0 {
                    chance.shuffle(pile);
                    order.clear();
                    order.extend_from_slice(pile);
                }
                pile.copy_from_slice(order);
                pile.rotate_right(offset);
            });
            self.try_one(round, 1.0, &mut chance, mean);
        }
    }

    fn try_one(&self, mut round: Round, weight: f64, chance: &mut Pcg64Mcg, mean: &mut Mean) {
        if self.deed.carry_out((self.rules, &mut round, self.seat), chance, &mut ()) {
            mean.add(&chances(self.rules, &round), weight);
        }
    }
}

/// The weighted values of alternatives.
#[derive(Default)]
struct Mean {
    weight: f64,
    sum: BySeat,
    squares: BySeat,
    sampled: bool,
    order: Vec<Card>,
}

impl Mean {
    fn begin_pass(&mut self) {
        self.order.clear();
    }

    fn add(&mut self, value: &BySeat, weight: f64) {
        self.weight += weight;
        for (seat, value) in value.iter().enumerate() {
            self.sum[seat] += weight * value;
            self.squares[seat] += weight * value * value;
        }
    }

    fn stroke(&self, actual: BySeat) -> Stroke {
        let mean = self.sum.map(|sum| sum / self.weight);
        // The variance of a sample is too small (Bessel's correction).
        let wider = if self.sampled && self.weight > 1.5 { self.weight / (self.weight - 1.0) } else { 1.0 };
        Stroke {
            luck: std::array::from_fn(|seat| actual[seat] - mean[seat]),
            variance: std::array::from_fn(|seat| {
                wider * (self.squares[seat] / self.weight - mean[seat] * mean[seat]).max(0.0)
            }),
        }
    }
}

/// The luck of a round so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoundLuck {
    /// The edition.
    pub edition: Edition,
    /// Number of players.
    pub players: u8,
    /// The luck of the place at the table: its mean chance less an equal share.
    pub place: BySeat,
    /// The luck of the deal.
    pub deal: BySeat,
    /// The luck of the cards that a seat drew itself.
    pub own: BySeat,
    /// What other luck did to a seat: cards that others drew, hands that were shuffled.
    pub others: BySeat,
    /// The variance of all of it.
    pub variance: BySeat,
}

impl RoundLuck {
    /// Starts with the luck of the deal.
    pub fn dealt(rules: &Rules, round: &Round, baseline: &Baseline) -> RoundLuck {
        let value = chances(rules, round);
        let players = round.players();
        let mut luck = RoundLuck {
            edition: rules.edition(),
            players,
            place: [0.0; SEATS],
            deal: [0.0; SEATS],
            own: [0.0; SEATS],
            others: [0.0; SEATS],
            variance: [0.0; SEATS],
        };
        for (seat, value) in value.iter().enumerate().take(players.into()) {
            let place = place_of(seat as Seat, round.dealer(), players);
            luck.place[seat] = baseline.mean[place] - 1.0 / f64::from(players);
            luck.deal[seat] = value - baseline.mean[place];
            luck.variance[seat] = baseline.variance[place];
        }
        luck
    }

    /// Adds an event.
    pub fn count(&mut self, stroke: &Stroke, drawer: Option<Seat>) {
        for seat in 0..usize::from(self.players) {
            let sum = if drawer == Some(seat as Seat) { &mut self.own } else { &mut self.others };
            sum[seat] += stroke.luck[seat];
            self.variance[seat] += stroke.variance[seat];
        }
    }

    /// A seat's total luck.
    pub fn total(&self, seat: Seat) -> f64 {
        let seat = usize::from(seat);
        self.deal[seat] + self.own[seat] + self.others[seat]
    }

    /// A result without luck. It is unbiased whatever the players and the value function.
    pub fn adjusted(&self, seat: Seat, result: f64) -> f64 {
        result - self.total(seat)
    }

    /// The standard deviation of a seat's luck.
    pub fn spread(&self, seat: Seat) -> f64 {
        self.variance[usize::from(seat)].sqrt()
    }

    /// A seat's luck in standard deviations.
    pub fn deviations(&self, seat: Seat) -> f64 {
        let spread = self.spread(seat);
        if spread > 0.0 { self.total(seat) / spread } else { 0.0 }
    }
}

/// A seat's place behind the dealer: 0 for the one to the left.
pub(crate) fn place_of(seat: Seat, dealer: Seat, players: u8) -> usize {
    usize::from((seat + 2 * players - dealer - 1) % players)
}
