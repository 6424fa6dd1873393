//! Luck adjustment for arenas: a control variate per chance event, by rollouts with clones of the bots themselves.
//!
//! Before an action in which cards are drawn, the round is played on in pairs: once with the cards that come, once with
//! cards that could have come, everything else alike. The difference is luck. It is zero on average however good the
//! rollouts are, so subtracting it does not change the mean. In duplicate deals the luck of the deal cancels by itself.

use rand_core::SeedableRng;
use rand_pcg::Pcg64Mcg;
use unum_bots::{Bot, LevelBot};
use unum_review::luck::Stir;
use unum_review::value::chances;
use unum_rules::{Action, Chance, Event, Round, Rules, SEATS, Seat, Sight, Sink, Viewer};

use crate::seating::Watch;
use crate::seeds::derive;

/// A rollout that takes more actions is judged as it stands.
const LONGEST: u32 = 2_000;

/// How luck is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Adjustment {
    /// Pairs of rollouts for every draw.
    pub pairs: u32,
    /// Rollouts end before this draw after the one in question.
    pub draws: u32,
}

impl Adjustment {
    /// Settings that pay off: clones of fast bots predict well, stand-ins for experts less so, and experts are slow.
    pub fn usual(players: u8, experts: bool) -> Adjustment {
        Adjustment { pairs: if experts { 8 } else { 64 }, draws: if players == 2 { 3 } else { 6 } }
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
}

impl Watch for LuckMeter {
    fn about_to<B: Bot>(&mut self, round: &Round, rules: &Rules, seat: Seat, action: &Action, bots: &[B]) {
        let mut stir = Stir::default();
        let mut tried = *round;
        // The cards that come lie on the pile already; what a reshuffle brings is chance in all rollouts.
        let mut chance = Pcg64Mcg::seed_from_u64(derive(self.seed, &[self.events]));
        if tried.apply(rules, seat, action, &mut chance, &mut stir).is_err() || stir.is_nothing() {
            return;
        }
        let Some(clones) = bots.iter().map(Bot::stand_in).collect::<Option<Vec<LevelBot>>>() else { return };
        self.events += 1;
        let scene = Scene { rules, round, seat, action, clones: &clones, draws: self.adjustment.draws };
        let drawn = usize::from(stir.drawn).min(round.draw_pile().len());
        for _ in 0..self.adjustment.pairs {
            let (came, other) = scene.pair(drawn, &mut chance);
            for (luck, (came, other)) in self.luck.iter_mut().zip(came.iter().zip(other)) {
                *luck += (came - other) / f64::from(self.adjustment.pairs);
            }
        }
    }
}

/// A chance event about to happen.
struct Scene<'a> {
    rules: &'a Rules,
    round: &'a Round,
    seat: Seat,
    action: &'a Action,
    clones: &'a [LevelBot],
    draws: u32,
}

impl Scene<'_> {
    /// The values with the cards that come and with others, all else alike.
    ///
    /// The rest of the pile is shuffled, since nobody knows it. Then each card drawn changes places with one drawn by
    /// lot from those below it: both orders are equally likely before anybody has looked.
    fn pair(&self, drawn: usize, chance: &mut Pcg64Mcg) -> ([f64; SEATS], [f64; SEATS]) {
        let mut came = *self.round;
        came.reorder_draw_pile(|pile| {
            let rest = pile.len() - drawn;
            chance.shuffle(&mut pile[..rest]);
        });
        let mut other = came;
        other.reorder_draw_pile(|pile| {
            let count = pile.len();
            for place in (count - drawn..count).rev() {
                let with = chance.below(place as u32 + 1) as usize;
                pile.swap(place, with);
            }
        });
        let luck = u64::from(chance.below(u32::MAX));
        (self.roll_out(came, luck), self.roll_out(other, luck))
    }

    /// The value some draws later.
    fn roll_out(&self, mut round: Round, luck: u64) -> [f64; SEATS] {
        let mut bots = self.clones.to_vec();
        let mut chance = Pcg64Mcg::seed_from_u64(luck);
        let (mut seat, mut action, mut left) = (self.seat, *self.action, self.draws);
        for _ in 0..LONGEST {
            let mut table = Table { bots: &mut bots, drew: false };
            if round.apply(self.rules, seat, &action, &mut chance, &mut table).is_err() {
                break;
            }
            if table.drew {
                if left == 0 {
                    break;
                }
                left -= 1;
            }
            let Some(next) = round.awaited() else { break };
            seat = next;
            action = bots[usize::from(seat)].act(&Sight::new(&round, self.rules, seat, &[]));
        }
        chances(self.rules, &round)
    }
}

/// Tells clones what happens.
struct Table<'a> {
    bots: &'a mut [LevelBot],
    drew: bool,
}

impl Sink for Table<'_> {
    fn push(&mut self, event: Event) {
        self.drew |= matches!(event, Event::Drew { cards, .. } if cards.count() > 0);
        for (seat, bot) in (0..).zip(self.bots.iter_mut()) {
            if bot.listens() {
                bot.see(&event.seen_by(Viewer::Seat(seat)));
            }
        }
    }
}
