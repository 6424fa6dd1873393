//! The value of every action of a decision, by Monte Carlo over determinizations: worlds that fit what the seat knew.
//!
//! All actions are tried in the same worlds with the same luck (common random numbers), by rollouts of an [`Expert`]
//! that saw what the seat saw. The best action is chosen on one half of the worlds and valued on the other (sample
//! splitting), because the best of several noisy figures looks too good.

use std::sync::Arc;

use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use unum_bots::{Depth, Expert};
use unum_protocol::review::{Figure, Odds, Reason, Spot};
use unum_rules::{Action, CardSet, Phase, Round, Rules, SEATS, Seat, Sight};

use crate::value::{BySeat, chances};
use crate::words::reason;

/// A decision counts if its best and worst actions differ by this much, in rounds won.
pub const COUNTS: f64 = 0.005;
/// An error is marked if it is this many standard errors above zero.
pub const MARKED: f64 = 2.0;
/// An action counts as better if it is ahead by this many standard errors, in the half that chooses.
const CHOSEN: f64 = 1.0;
/// Actions compared at most.
const MOST: usize = 24;
/// An action this many standard errors behind is dropped, after at least [`LEAST_WORLDS`] worlds.
const RULED_OUT: f64 = 3.0;
const LEAST_WORLDS: u32 = 64;
const WORLDS_BETWEEN: u32 = 32;
/// Worlds in which the features that explain a difference are counted.
const EXPLAINED: u32 = 64;

/// What an action leads to immediately, on average over worlds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Features {
    pub(crate) worlds: f64,
    /// The round is won.
    pub(crate) wins: f64,
    /// Another player is next, holds one card, and it fits.
    pub(crate) next_out: f64,
    /// Another player is next and can follow with a colored card.
    pub(crate) next_follows: f64,
    /// It is the same player's turn again.
    pub(crate) own_turn: f64,
    /// Own cards that fit afterwards, without wilds.
    pub(crate) own_fits: f64,
    /// Own cards afterwards.
    pub(crate) own_cards: f64,
    /// Cards that the others gained.
    pub(crate) others_drew: f64,
    /// Wilds kept.
    pub(crate) wilds: f64,
}

/// Values of one action in one half of the worlds.
#[derive(Clone, Copy, Debug, Default)]
struct Half {
    count: f64,
    sum: BySeat,
    /// How far it was ahead of the action that was played, for the player who decided.
    ahead: f64,
    squares: f64,
    /// The sum of its squared values.
    own_squares: f64,
}

impl Half {
    fn mean(&self) -> f64 {
        if self.count > 0.0 { self.ahead / self.count } else { 0.0 }
    }

    fn error(&self) -> f64 {
        if self.count < 2.0 {
            return 1.0;
        }
        let variance = (self.squares / self.count - self.mean() * self.mean()).max(0.0);
        (variance / (self.count - 1.0)).sqrt()
    }

    fn and(&self, other: &Half) -> Half {
        let sum = std::array::from_fn(|seat| self.sum[seat] + other.sum[seat]);
        Half {
            count: self.count + other.count,
            sum,
            ahead: self.ahead + other.ahead,
            squares: self.squares + other.squares,
            own_squares: self.own_squares + other.own_squares,
        }
    }

    /// The standard error of the mean value of a seat.
    fn own_error(&self, seat: usize) -> f64 {
        let mean = self.sum[seat] / self.count.max(1.0);
        let variance = (self.own_squares / self.count.max(1.0) - mean * mean).max(0.0);
        (variance / (self.count - 1.0).max(1.0)).sqrt()
    }
}

#[derive(Clone, Debug)]
struct Tried {
    action: Action,
    halves: [Half; 2],
    running: bool,
    features: Features,
}

impl Tried {
    fn all(&self) -> Half {
        self.halves[0].and(&self.halves[1])
    }
}

/// The values of challenging and taking, split by whether it was a bluff.
#[derive(Clone, Copy, Debug, Default)]
struct Duel {
    /// Honest, bluff.
    worlds: [f64; 2],
    challenge: [f64; 2],
    take: [f64; 2],
}

/// How much a decision cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loss {
    /// The better action, by its place in the list.
    pub best: usize,
    /// The loss, in rounds won.
    pub amount: f64,
    /// Its standard error.
    pub error: f64,
    /// The effect on everybody's chances; sums to zero.
    pub effect: BySeat,
}

impl Loss {
    /// Whether the error is clear enough to mention.
    pub fn is_marked(&self) -> bool {
        self.amount >= COUNTS && self.amount >= MARKED * self.error
    }
}

/// An action and its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Valued {
    /// The action.
    pub action: Action,
    /// The chance to win the round with it.
    pub value: f64,
    /// The standard error of that.
    pub value_error: f64,
    /// How far it is ahead of the action that was played.
    pub ahead: f64,
    /// The standard error of that.
    pub error: f64,
    /// In how many worlds it was tried.
    pub worlds: u32,
}

/// The table at the moment of a decision.
pub struct Scene {
    /// The rules.
    pub rules: Arc<Rules>,
    /// The round. Only what the seat sees is used.
    pub round: Round,
    /// The scores of the match.
    pub scores: Vec<u32>,
    /// An expert that saw what the seat saw.
    pub expert: Expert,
    /// Who decides.
    pub seat: Seat,
}

/// A decision with its alternatives.
pub struct Decision {
    scene: Scene,
    /// Where it was made.
    pub spot: Spot,
    tried: Vec<Tried>,
    played: usize,
    depth: Depth,
    chance: Pcg64Mcg,
    worlds: u32,
    /// Values over worlds before and right after the action, by the value function alone.
    known: [BySeat; 2],
    duel: Option<Duel>,
    unimaginable: bool,
}

impl Decision {
    /// A decision between at least two actions, one of which was played. `None` if there is nothing to decide or it
    /// cannot be judged (votes, plays out of turn, a move that wins).
    pub fn new(mut scene: Scene, spot: Spot, played: &Action, depth: Depth) -> Option<Decision> {
        let sight = Sight::new(&scene.round, &scene.rules, scene.seat, &scene.scores);
        let played = with_uno(&sight, played);
        let wins = scene.round.hand(scene.seat).len() == 1 && matches!(played, Action::Play(_));
        if !sight.is_awaited() || wins || matches!(sight.phase(), Phase::Vote { .. } | Phase::Over { .. }) {
            return None;
        }
        let mut actions = scene.expert.candidates(&sight);
        if matches!(sight.phase(), Phase::Discard { .. } | Phase::Dare { .. }) {
            sight.legal(&mut |action| {
                let action = with_uno(&sight, action);
                if !matches!(action, Action::Catch(_) | Action::CallUno) && !actions.contains(&action) {
                    actions.push(action);
                }
            });
        }
        actions.truncate(MOST);
        let place = actions.iter().position(|action| *action == played).unwrap_or_else(|| {
            actions.push(played);
            actions.len() - 1
        });
        if actions.len() < 2 {
            return None;
        }
        let duel = sight.can_challenge().then(Duel::default);
        let tried =
            |action| Tried { action, halves: [Half::default(); 2], running: true, features: Features::default() };
        let seed = u64::from(spot.number) << 8 | u64::from(spot.seat);
        Some(Decision {
            tried: actions.into_iter().map(tried).collect(),
            played: place,
            spot,
            depth,
            chance: Pcg64Mcg::seed_from_u64(seed),
            worlds: 0,
            known: [[0.0; SEATS]; 2],
            duel,
            unimaginable: false,
            scene,
        })
    }

    /// Tries all actions still in question in more worlds.
    pub fn consider(&mut self, worlds: u32) {
        for _ in 0..worlds {
            if self.unimaginable {
                return;
            }
            self.try_world();
            if self.worlds >= LEAST_WORLDS && self.worlds.is_multiple_of(WORLDS_BETWEEN) {
                self.rule_out();
            }
        }
    }

    fn try_world(&mut self) {
        let Scene { rules, round, scores, expert, seat } = &mut self.scene;
        let sight = Sight::new(round, rules, *seat, scores);
        let Some(world) = expert.imagine(&sight) else {
            self.unimaginable = true;
            return;
        };
        let luck = self.chance.next_u64();
        let half = (self.worlds % 2) as usize;
        let mut values = [[0.0; SEATS]; MOST + 1];
        for (tried, value) in self.tried.iter().zip(&mut values).filter(|(tried, _)| tried.running) {
            let end = expert.roll_out(&world, &sight, &tried.action, luck, self.depth);
            *value = end.map_or_else(|| even(world.players()), |end| chances(rules, &end));
        }
        let own = usize::from(*seat);
        let base = values[self.played][own];
        for (tried, value) in self.tried.iter_mut().zip(&values).filter(|(tried, _)| tried.running) {
            let half = &mut tried.halves[half];
            let ahead = value[own] - base;
            half.count += 1.0;
            half.ahead += ahead;
            half.squares += ahead * ahead;
            half.own_squares += value[own] * value[own];
            half.sum.iter_mut().zip(value).for_each(|(sum, value)| *sum += value);
        }
        self.note_duel(&world, &values);
        self.look_at(&world, luck);
        self.worlds += 1;
    }

    /// Adds the estimate of the value function alone and, in the first worlds, the features that tell actions apart.
    fn look_at(&mut self, world: &Round, luck: u64) {
        let rules = Arc::clone(&self.scene.rules);
        let explained = self.worlds < EXPLAINED;
        for (place, tried) in self.tried.iter_mut().enumerate() {
            if place != self.played && !explained {
                continue;
            }
            let mut after = *world;
            let mut chance = Pcg64Mcg::seed_from_u64(luck);
            if after.apply(&rules, self.scene.seat, &tried.action, &mut chance, &mut ()).is_err() {
                continue;
            }
            if explained {
                tried.features.count(world, &after, self.scene.seat);
            }
            if place == self.played {
                let values = [chances(&rules, world), chances(&rules, &after)];
                for (sum, value) in self.known.iter_mut().zip(values) {
                    sum.iter_mut().zip(value).for_each(|(sum, value)| *sum += value);
                }
            }
        }
    }

    fn note_duel(&mut self, world: &Round, values: &[BySeat; MOST + 1]) {
        let (Some(duel), Phase::Respond { bluff, .. }) = (&mut self.duel, *world.phase()) else { return };
        let (own, side) = (usize::from(self.scene.seat), usize::from(bluff));
        let find = |wanted| self.tried.iter().position(|tried| tried.action == wanted && tried.running);
        if let (Some(challenge), Some(take)) = (find(Action::Challenge), find(Action::Take)) {
            duel.worlds[side] += 1.0;
            duel.challenge[side] += values[challenge][own];
            duel.take[side] += values[take][own];
        }
    }

    fn rule_out(&mut self) {
        let all: Vec<Half> = self.tried.iter().map(Tried::all).collect();
        let running = |place: &usize| self.tried[*place].running;
        let leader = (0..all.len()).filter(running).max_by(|a, b| all[*a].mean().total_cmp(&all[*b].mean()));
        let Some(leader) = leader else { return };
        for (place, tried) in self.tried.iter_mut().enumerate() {
            let duels = self.duel.is_some() && matches!(tried.action, Action::Challenge | Action::Take);
            let error = all[leader].error().hypot(all[place].error());
            let behind = all[leader].mean() - all[place].mean() > RULED_OUT * error;
            tried.running &= place == self.played || place == leader || duels || !behind;
        }
    }

    /// The number of worlds so far.
    pub fn worlds(&self) -> u32 {
        self.worlds
    }

    /// Whether no world fits what the seat knew.
    pub fn is_unimaginable(&self) -> bool {
        self.unimaginable
    }

    /// The action played, by its place in the list.
    pub fn played(&self) -> usize {
        self.played
    }

    /// All actions with their values.
    pub fn valued(&self) -> Vec<Valued> {
        let own = usize::from(self.scene.seat);
        let played = self.tried[self.played].all();
        let base = if played.count > 0.0 { played.sum[own] / played.count } else { 0.0 };
        let value = |tried: &Tried| {
            let all = tried.all();
            let (ahead, error) = (all.mean(), all.error());
            Valued {
                action: tried.action,
                value: base + ahead,
                value_error: all.own_error(own),
                ahead,
                error,
                worlds: all.count as u32,
            }
        };
        self.tried.iter().map(value).collect()
    }

    /// Whether the choice matters.
    pub fn counts(&self) -> bool {
        if self.worlds < 2 {
            return false;
        }
        let values = self.valued();
        let most = values.iter().map(|valued| valued.ahead).fold(f64::MIN, f64::max);
        let least = values.iter().map(|valued| valued.ahead).fold(f64::MAX, f64::min);
        most - least >= COUNTS
    }

    /// What the decision cost. Not biased upwards: see the head of this file.
    pub fn loss(&self) -> Option<Loss> {
        if self.worlds < 4 {
            return None;
        }
        let sides = [self.loss_by(0, 1), self.loss_by(1, 0)];
        let all = |place: usize| self.tried[place].all().mean();
        let best = sides.iter().map(|side| side.0).max_by(|a, b| all(*a).total_cmp(&all(*b)))?;
        Some(Loss {
            best,
            amount: (sides[0].1 + sides[1].1) / 2.0,
            error: sides[0].2.hypot(sides[1].2) / 2.0,
            effect: std::array::from_fn(|seat| (sides[0].3[seat] + sides[1].3[seat]) / 2.0),
        })
    }

    /// The best action of one half of the worlds. From the other half: its lead, the standard error of that, and what
    /// the played action did to everybody in comparison.
    fn loss_by(&self, chosen: usize, valued: usize) -> (usize, f64, f64, BySeat) {
        let running = |place: &usize| self.tried[*place].running;
        // An alternative must lead by more than noise; otherwise the played action counts as the best.
        let mean = |place: usize| {
            let half = &self.tried[place].halves[chosen];
            if place == self.played { 0.0 } else { half.mean() - CHOSEN * half.error() }
        };
        let best = (0..self.tried.len()).filter(running).max_by(|a, b| {
            let played = |place: usize| place == self.played;
            mean(*a).total_cmp(&mean(*b)).then(played(*a).cmp(&played(*b)))
        });
        let best = best.unwrap_or(self.played);
        let (better, played) = (&self.tried[best].halves[valued], &self.tried[self.played].halves[valued]);
        let effect = std::array::from_fn(|seat| (played.sum[seat] - better.sum[seat]) / played.count.max(1.0));
        let error = if best == self.played { 0.0 } else { better.error() };
        (best, better.mean(), error, effect)
    }

    /// How uncertain the loss is. Decides who gets more worlds, as an action that looks best may still turn out worse.
    pub fn doubt(&self) -> f64 {
        let Some(loss) = self.loss() else { return f64::MAX };
        let behind = |tried: &&Tried| tried.running && tried.action != self.tried[self.played].action;
        let open = self.tried.iter().filter(behind).map(|tried| {
            let all = tried.all();
            let far = all.mean().abs() / all.error().max(1e-9);
            if far > MARKED * MARKED { all.error() / 2.0 } else { all.error() }
        });
        loss.error.max(open.fold(0.0, f64::max))
    }

    /// The chances before the action as the seat saw them, by the value function.
    pub fn seen_before(&self) -> BySeat {
        self.known[0].map(|sum| sum / f64::from(self.worlds.max(1)))
    }

    /// The effect of hidden cards: the change of the chances with all cards open, without luck, less the change that
    /// the seat could expect.
    pub fn fog(&self, open_before: &BySeat, open_after: &BySeat) -> BySeat {
        let worlds = f64::from(self.worlds.max(1));
        std::array::from_fn(|seat| {
            let expected = (self.known[1][seat] - self.known[0][seat]) / worlds;
            if self.worlds == 0 { 0.0 } else { open_after[seat] - open_before[seat] - expected }
        })
    }

    /// The odds, where a Wild Draw Four could be challenged.
    pub fn odds(&self) -> Option<Odds> {
        let duel = self.duel?;
        let all = duel.worlds[0] + duel.worlds[1];
        if all < 1.0 {
            return None;
        }
        // The gain of challenging over taking, if it was honest and if it was a bluff.
        let gain = |side: usize| (duel.challenge[side] - duel.take[side]) / duel.worlds[side];
        let known = duel.worlds[0] > 0.0 && duel.worlds[1] > 0.0;
        let break_even = known.then(|| -gain(0) / (gain(1) - gain(0))).filter(|share| (0.0..=1.0).contains(share));
        Some(Odds { bluff: Figure(duel.worlds[1] / all), break_even: break_even.map(Figure) })
    }

    /// Why one action (by its place in the list) is better than another. `None` if no feature differs much.
    pub fn reason(&self, better: usize, played: usize) -> Option<Reason> {
        reason(self, better, played)
    }

    pub(crate) fn features(&self, place: usize) -> Features {
        self.tried[place].features.mean()
    }

    /// The action at a place of the list.
    pub fn action(&self, place: usize) -> &Action {
        &self.tried[place].action
    }

    /// The table as the seat saw it.
    pub fn sight(&self) -> Sight<'_> {
        Sight::new(&self.scene.round, &self.scene.rules, self.scene.seat, &self.scene.scores)
    }
}

impl Features {
    fn count(&mut self, before: &Round, after: &Round, seat: Seat) {
        let next = after.awaited();
        let colored = |seat: Seat| after.matching(seat).minus(CardSet::WILDS);
        let cards = |round: &Round| -> usize {
            (0..round.players()).filter(|other| *other != seat).map(|other| round.hand(other).len()).sum()
        };
        let flag = |holds: bool| f64::from(u8::from(holds));
        let turn = matches!(after.phase(), Phase::Turn { .. });
        let goes_out = |next: Seat| after.hand(next).len() == 1 && !after.matching(next).is_empty();
        self.worlds += 1.0;
        self.wins += flag(matches!(*after.phase(), Phase::Over { winner: Some(winner) } if winner == seat));
        self.next_out += flag(turn && next.is_some_and(|next| next != seat && goes_out(next)));
        self.next_follows += flag(next.is_some_and(|next| next != seat && !colored(next).is_empty()));
        self.own_turn += flag(turn && next == Some(seat));
        self.own_fits += f64::from(after.hand(seat).count_in(colored(seat)));
        self.own_cards += after.hand(seat).len() as f64;
        self.others_drew += cards(after) as f64 - cards(before) as f64 + attack(after);
        self.wilds += f64::from(after.hand(seat).count_in(CardSet::WILDS));
    }

    fn mean(&self) -> Features {
        let worlds = self.worlds.max(1.0);
        Features {
            worlds: self.worlds,
            wins: self.wins / worlds,
            next_out: self.next_out / worlds,
            next_follows: self.next_follows / worlds,
            own_turn: self.own_turn / worlds,
            own_fits: self.own_fits / worlds,
            own_cards: self.own_cards / worlds,
            others_drew: self.others_drew / worlds,
            wilds: self.wilds / worlds,
        }
    }
}

/// The size of an attack that awaits an answer.
fn attack(round: &Round) -> f64 {
    match *round.phase() {
        Phase::Respond { cards, .. } => f64::from(cards),
        _ => 0.0,
    }
}

fn even(players: u8) -> BySeat {
    crate::value::outcome(players, None)
}

/// The same action, with "UNO" called if due: forgetting it is counted separately.
fn with_uno(sight: &Sight<'_>, action: &Action) -> Action {
    let called = action.with_uno();
    if called != *action && sight.check(&called).is_ok() { called } else { *action }
}
