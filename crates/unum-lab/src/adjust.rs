//! Luck adjustment for arenas and simulations: a control variate per chance event, by rollouts with clones of the bots
//! themselves.
//!
//! Before an action in which cards are drawn, the round is played on in pairs: once with the cards that come, once with
//! cards that could have come, everything else alike. The difference is luck. It is zero on average however good the
//! rollouts are, so subtracting it does not change the mean. The luck of a deal is measured in the same way, against other
//! deals. In duplicate deals it cancels by itself.

use std::time::Duration;

use rand_core::SeedableRng;
use rand_pcg::Pcg64Mcg;
use unum_bots::{Bot, Budget, LevelBot};
use unum_review::luck::Stir;
use unum_review::value::chances;
use unum_rules::{Action, Card, CardList, Chance, Event, Round, Rules, SEATS, Seat, Sight, Sink, Viewer};

use crate::seating::Watch;
use crate::seeds::derive;

/// A rollout that takes more actions is judged as it stands.
const LONGEST: u32 = 2_000;

/// An expert that thinks this long can afford more rollouts.
const LONG_WORLDS: u32 = 1_000;
const LONG_TIME: Duration = Duration::from_millis(20);

/// How luck is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Adjustment {
    /// Pairs of rollouts for every draw.
    pub pairs: u32,
    /// Rollouts end after this many draws besides the one in question.
    pub draws: u32,
    /// After how many of these draws, the last ones, a rollout is valued. Its value is their mean: early ones are less noisy,
    /// late ones know more of the players.
    pub values: u32,
    /// Pairs of rollouts for the deal; none where deals are played with all rotations.
    pub deals: u32,
}

impl Adjustment {
    /// Settings that pay off in arenas, by the budget of the expert who thinks longest, if there is one. Clones of fast
    /// bots predict well; stand-ins for experts less so, and rollouts should cost little compared with an expert's
    /// thinking.
    pub fn usual(players: u8, expert: Option<Budget>) -> Adjustment {
        let brief = match expert {
            None => false,
            Some(Budget::Worlds(worlds)) => worlds < LONG_WORLDS,
            Some(Budget::Time(time)) => time < LONG_TIME,
        };
        let (pairs, draws, values) = match (players, expert.is_some(), brief) {
            (2, false, _) => (64, 3, 1),
            (2, true, false) => (48, 3, 1),
            (2, true, true) => (32, 3, 1),
            (_, false, _) => (64, 6, 1),
            (_, true, false) => (64, 6, 3),
            (_, true, true) => (16, 4, 3),
        };
        Adjustment { pairs, draws, values, deals: 0 }
    }

    /// The same where a deal is played once, so that its luck counts.
    pub fn with_deal(self) -> Adjustment {
        Adjustment { deals: 2 * self.pairs, ..self }
    }
}

/// Sums the luck of every seat while a round is played.
pub(crate) struct LuckMeter {
    adjustment: Adjustment,
    seed: u64,
    events: u64,
    /// Luck by seat so far, in rounds won.
    pub(crate) luck: [f64; SEATS],
}

impl LuckMeter {
    pub(crate) fn new(adjustment: Adjustment, seed: u64) -> LuckMeter {
        LuckMeter { adjustment, seed, events: 0, luck: [0.0; SEATS] }
    }

    /// A generator for the next event.
    fn chance(&self) -> Pcg64Mcg {
        Pcg64Mcg::seed_from_u64(derive(self.seed, &[self.events]))
    }

    /// Counts that many pairs of values: with the cards that come, and with others.
    fn count(&mut self, pairs: u32, mut pair: impl FnMut() -> ([f64; SEATS], [f64; SEATS])) {
        self.events += 1;
        for _ in 0..pairs {
            let (came, other) = pair();
            for (luck, (came, other)) in self.luck.iter_mut().zip(came.iter().zip(other)) {
                *luck += (came - other) / f64::from(pairs);
            }
        }
    }
}

impl Watch for LuckMeter {
    fn began<B: Bot>(&mut self, round: &Round, rules: &Rules, bots: &[B]) {
        let Some(clones) = clones(bots).filter(|_| self.adjustment.deals > 0) else { return };
        let (mut chance, draws) = (self.chance(), self.adjustment.draws);
        let scene = Scene { rules, round, clones: &clones, draws, values: self.adjustment.values };
        self.count(self.adjustment.deals, || scene.deals(&mut chance));
    }

    fn about_to<B: Bot>(&mut self, round: &Round, rules: &Rules, seat: Seat, action: &Action, bots: &[B]) {
        let mut stir = Stir::default();
        let mut tried = *round;
        // The cards that come lie on the pile already; what a reshuffle brings is chance in all rollouts.
        let mut chance = self.chance();
        if tried.apply(rules, seat, action, &mut chance, &mut stir).is_err() || stir.is_nothing() {
            return;
        }
        let Some(clones) = clones(bots) else { return };
        let Adjustment { draws, values, .. } = self.adjustment;
        let scene = Scene { rules, round, clones: &clones, draws, values };
        let drawn = usize::from(stir.drawn).min(round.draw_pile().len());
        let mut others = Others::of(round, self.adjustment.pairs, &mut chance);
        self.count(self.adjustment.pairs, || scene.draws((seat, *action), drawn, others.next(), &mut chance));
    }
}

fn clones<B: Bot>(bots: &[B]) -> Option<Vec<LevelBot>> {
    bots.iter().map(Bot::stand_in).collect()
}

/// The cards that could have come instead: a systematic sample of the pile, so that pairs differ by little more than what
/// happens later. Each card of the pile is as likely as any other.
struct Others {
    cards: CardList,
    pairs: u32,
    next: u32,
}

impl Others {
    fn of(round: &Round, pairs: u32, chance: &mut Pcg64Mcg) -> Others {
        let mut cards = CardList::try_from_iter(round.draw_pile().iter().copied()).unwrap_or(CardList::EMPTY);
        cards.as_mut_slice().sort_unstable();
        let turn = chance.below(cards.len().max(1) as u32) as usize;
        cards.as_mut_slice().rotate_left(turn);
        Others { cards, pairs, next: 0 }
    }

    /// The next one, if the pile has any.
    fn next(&mut self) -> Option<Card> {
        let place = self.next as usize * self.cards.len() / self.pairs as usize;
        self.next += 1;
        self.cards.get(place).copied()
    }
}

/// A chance event about to happen, or one that has just happened if it is the deal.
struct Scene<'a> {
    rules: &'a Rules,
    round: &'a Round,
    clones: &'a [LevelBot],
    draws: u32,
    values: u32,
}

impl Scene<'_> {
    /// The values with the cards that come and with others, all else alike.
    ///
    /// The rest of the pile is shuffled, since nobody knows it. Then each card drawn changes places with one drawn by
    /// lot from those below it: both orders are equally likely before anybody has looked. For the first one, the kind of
    /// card is given, and which of its copies is drawn by lot.
    fn draws(
        &self,
        first: (Seat, Action),
        drawn: usize,
        instead: Option<Card>,
        chance: &mut Pcg64Mcg,
    ) -> ([f64; SEATS], [f64; SEATS]) {
        let mut came = *self.round;
        came.reorder_draw_pile(|pile| {
            let rest = pile.len() - drawn;
            chance.shuffle(&mut pile[..rest]);
        });
        let mut other = came;
        other.reorder_draw_pile(|pile| {
            let count = pile.len();
            for place in (count - drawn..count).rev() {
                let copy = instead.filter(|_| place + 1 == count).and_then(|card| any_copy(pile, card, chance));
                let with = copy.unwrap_or_else(|| chance.below(place as u32 + 1) as usize);
                pile.swap(place, with);
            }
        });
        let luck = u64::from(chance.below(u32::MAX));
        let value = |round| self.roll_out(round, self.clones.to_vec(), Some(first), luck);
        (value(came), value(other))
    }

    /// The values of this deal and of another.
    fn deals(&self, chance: &mut Pcg64Mcg) -> ([f64; SEATS], [f64; SEATS]) {
        let (players, dealer) = (self.round.players(), self.round.dealer());
        let mut came = *self.round;
        came.reorder_draw_pile(|pile| chance.shuffle(pile));
        let Ok(other) = Round::deal(self.rules, players, dealer, chance, &mut ()) else {
            return ([0.0; SEATS], [0.0; SEATS]);
        };
        let mut strangers = self.clones.to_vec();
        for (seat, bot) in (0..).zip(&mut strangers) {
            bot.begin(&Sight::new(&other, self.rules, seat, &[]));
        }
        let luck = u64::from(chance.below(u32::MAX));
        (self.roll_out(came, self.clones.to_vec(), None, luck), self.roll_out(other, strangers, None, luck))
    }

    /// The value some draws later, beginning with that action: the mean after the last of these draws.
    fn roll_out(
        &self,
        mut round: Round,
        mut bots: Vec<LevelBot>,
        mut next: Option<(Seat, Action)>,
        luck: u64,
    ) -> [f64; SEATS] {
        let mut chance = Pcg64Mcg::seed_from_u64(luck);
        let mut left = self.draws;
        let mut sum = [0.0; SEATS];
        let mut values = self.values.max(1);
        let mut value = |round: &Round, times: u32| {
            let now = chances(self.rules, round);
            sum.iter_mut().zip(now).for_each(|(sum, now)| *sum += now * f64::from(times));
        };
        for _ in 0..LONGEST {
            let (seat, action) = match next.take() {
                Some(first) => first,
                None => {
                    let Some(seat) = round.awaited() else { break };
                    (seat, bots[usize::from(seat)].act(&Sight::new(&round, self.rules, seat, &[])))
                }
            };
            let mut table = Table { bots: &mut bots, drew: false };
            if round.apply(self.rules, seat, &action, &mut chance, &mut table).is_err() {
                break;
            }
            if table.drew {
                if left == 0 {
                    break;
                }
                if left < values {
                    value(&round, 1);
                    values -= 1;
                }
                left -= 1;
            }
        }
        // A round that is over stays as it is.
        value(&round, values);
        sum.map(|sum| sum / f64::from(self.values.max(1)))
    }
}

/// The place of one of the copies of a card in a pile.
fn any_copy(pile: &[Card], card: Card, chance: &mut Pcg64Mcg) -> Option<usize> {
    let copies = || pile.iter().enumerate().filter(|(_, other)| **other == card).map(|(place, _)| place);
    let count = copies().count() as u32;
    copies().nth(chance.below(count.max(1)) as usize)
}

/// Tells clones what happens.
struct Table<'a> {
    bots: &'a mut [LevelBot],
    drew: bool,
}

impl Sink for Table<'_> {
    fn push(&mut self, event: Event) {
        self.drew |= matches!(event, Event::Drew { cards, .. } if cards.count() > 0);
        let public = event.seen_by(Viewer::Spectator);
        for (seat, bot) in (0..).zip(self.bots.iter_mut()).filter(|(_, bot)| bot.listens()) {
            if event.is_private_to(seat) {
                bot.see(&event.seen_by(Viewer::Seat(seat)));
            } else {
                bot.see(&public);
            }
        }
    }
}
