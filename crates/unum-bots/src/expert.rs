//! Monte Carlo search over determinizations: every promising action is tried in many worlds consistent with what was
//! seen, by truncated rollouts that end in the value function ([`outlook`](crate::outlook)).

use std::time::{Duration, Instant};

use rand_core::SeedableRng;
use rand_pcg::Pcg64Mcg;
use unum_rules::{
    Action, Card, CardSet, Chance, Color, Event, Phase, Play, Round, Seat, SeenEvent, Sight, Sink, Viewer,
};

use crate::appraisal::{Appraisal, Blind, Choice, crowd};
use crate::hard::{Hard, character};
use crate::judgment::{Character, LONGEST_WAIT, carry_out, each_choice, happens, house_bonus, react};
use crate::manner::Deeds;
use crate::memory::Memory;
use crate::outlook::{self, Judge, Outlook};
use crate::world::Imagination;
use crate::{Bot, random};

/// How long an expert may think about one decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// Wall-clock time.
    Time(Duration),
    /// A number of imagined worlds; in each, every remaining action is tried once. The same seed then gives the same
    /// game on every machine.
    Worlds(u32),
}

impl Default for Budget {
    fn default() -> Budget {
        Budget::Time(Duration::from_millis(50))
    }
}

impl Budget {
    /// The default budget in studies: about as much as the default time allows, but counted in worlds, so the same seed
    /// gives the same figures on every machine.
    pub const STUDY: Budget = Budget::Worlds(2_000);

    /// Whether the same seed gives the same decisions on machines of any speed.
    pub fn is_repeatable(self) -> bool {
        matches!(self, Budget::Worlds(_))
    }

    /// Longest time that can be asked for.
    const LONGEST: Duration = Duration::from_secs(600);

    /// Reads a time such as `20ms` or `1.5s`, or a number of worlds such as `500w`.
    pub fn parse(text: &str) -> Option<Budget> {
        if let Some(worlds) = text.strip_suffix('w') {
            return worlds.parse().ok().filter(|worlds| *worlds > 0).map(Budget::Worlds);
        }
        let (number, unit) = match text.strip_suffix("ms") {
            Some(number) => (number, 1e-3),
            None => (text.strip_suffix('s')?, 1.0),
        };
        let time = Duration::try_from_secs_f64(number.parse::<f64>().ok()? * unit).ok()?;
        (!time.is_zero() && time <= Budget::LONGEST).then_some(Budget::Time(time))
    }
}

/// Most actions that are compared.
const MOST: usize = 24;
/// Worlds tried before anything is ruled out, and between checks of the ranking.
const LEAST_WORLDS: u32 = 32;
const WORLDS_BETWEEN: u32 = 8;
/// About how many turns a rollout lasts before it is evaluated; it always ends at the expert's own turn.
const HORIZON: u32 = 16;
/// The least number of its own turns in a rollout.
const LEAST_CIRCUITS: u32 = 2;
/// How many standard errors an action must be behind to be ruled out.
const RULED_OUT: f64 = 3.0;
/// Weight of the prior, in worlds, times the square of the number of players: the more players, the less a single
/// decision matters, and the longer it takes to see a difference.
const PRIOR: f64 = 6.25;
/// Weight of the prior regardless of the number of worlds, since the value function errs too.
const LASTING: f64 = 0.2;
/// Prior variance of the difference between two actions in one world.
const DOUBT: f64 = 0.05;
/// A loss smaller than this, in rounds won, is not worth more thought.
const INDIFFERENT: f64 = 0.000_05;
/// Temperature for bluffs and challenges: a lead of this much makes the odds e to one.
const INDECISION: f64 = 0.005;
/// Prior value of drawing while a colored card could be played, relative to the best play.
const HESITATION: f64 = 0.03;
/// A rollout that takes more actions counts as a draw.
const LONGEST: u32 = 2_000;

/// A candidate action and how it did.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// The action.
    pub action: Action,
    /// The choice behind it, in a turn.
    pub choice: Option<Choice>,
    /// Its mean value, in rounds won.
    pub value: f64,
    /// In how many worlds it was tried.
    pub worlds: u32,
}

/// Imagines worlds and plays on in them.
#[derive(Clone, Debug)]
pub struct Expert {
    chance: Pcg64Mcg,
    memory: Memory,
    deeds: Deeds,
    character: Character<'static>,
    budget: Budget,
    others: Others,
    /// The evaluation of imagined rounds, if not the usual one.
    judge: Option<&'static Judge>,
}

/// How far a rollout goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// A few turns; then the value function takes over.
    Horizon,
    /// To the end of the round, where the value function knows too little of the rules.
    End,
}

/// How the others are imagined to play on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Others {
    /// As well as this expert would.
    #[default]
    Alike,
    /// Like the baseline.
    AtRandom,
}

impl Expert {
    /// An expert with its own generator and that budget.
    pub fn new(seed: u64, budget: Budget) -> Expert {
        Expert::with(seed, budget, character())
    }

    /// An expert that plays on as another character.
    pub fn with(seed: u64, budget: Budget, character: Character<'static>) -> Expert {
        Expert {
            chance: Pcg64Mcg::seed_from_u64(seed),
            memory: Memory::knowing_patience(),
            deeds: Deeds::new(),
            character,
            budget,
            others: Others::Alike,
            judge: None,
        }
    }

    /// How long it may think about one decision.
    pub fn budget(&self) -> Budget {
        self.budget
    }

    /// Gives it another budget from now on.
    pub fn set_budget(&mut self, budget: Budget) {
        self.budget = budget;
    }

    /// The same expert with another opponent model.
    pub fn among(self, others: Others) -> Expert {
        Expert { others, ..self }
    }

    /// The same expert with another evaluation of imagined rounds.
    pub fn judging_by(self, judge: &'static Judge) -> Expert {
        Expert { judge: Some(judge), ..self }
    }

    /// A player with the same memory that does not think ahead.
    pub fn at_first_sight(&self) -> Hard {
        Hard::remembering(self.memory, self.character, self.chance.clone())
    }

    /// What to do without thinking ahead.
    pub fn at_once(&mut self, sight: &Sight<'_>) -> Action {
        self.memory.look(sight);
        self.character.act(sight, &self.memory.recall(), &mut self.chance)
    }

    /// Hands every feature of a choice, with its size, to `visit`.
    pub fn features(&self, sight: &Sight<'_>, choice: Choice, visit: &mut impl FnMut(usize, f32)) {
        Appraisal::new(sight, &self.memory.recall()).features(choice, visit);
    }

    /// Compares the candidate actions; the best comes first. With `prune`, those clearly behind are dropped, and feints
    /// are candidates too.
    pub fn compare(&mut self, sight: &Sight<'_>, prune: bool) -> Vec<Candidate> {
        // A program that gives time itself may have no clock here: see `Comparison`.
        let begin = matches!(self.budget, Budget::Time(_)).then(Instant::now);
        let mut comparison = self.begin_comparing(sight, prune);
        let budget = self.budget;
        self.compare_while(sight, &mut comparison, |worlds| match (budget, begin) {
            (Budget::Time(time), Some(begin)) => begin.elapsed() < time,
            (Budget::Worlds(most), _) => worlds < most,
            (Budget::Time(_), None) => false,
        });
        comparison.candidates()
    }

    /// Begins a comparison that is made piece by piece, with [`Expert::compare_more`].
    pub fn begin_comparing(&mut self, sight: &Sight<'_>, prune: bool) -> Comparison {
        self.memory.look(sight);
        let first = self.character.act(sight, &self.memory.recall(), &mut self.chance);
        let mut candidates = candidates(sight, first, prune);
        let goes_out = sight.hand().len() == 1 && matches!(first, Action::Play(_));
        if candidates.len() < 2 || goes_out {
            return Comparison { race: Race::new(candidates, 0.0), prune, over: true };
        }
        self.expect(sight, &mut candidates);
        let judged = candidates.iter().all(|candidate| candidate.choice.is_some());
        let players = f64::from(sight.players());
        let prior = if judged && prune { PRIOR * players * players } else { 0.0 };
        Comparison { race: Race::new(candidates, prior), prune, over: false }
    }

    /// Tries the candidates in some more worlds. Says whether more of them could change anything.
    pub fn compare_more(&mut self, sight: &Sight<'_>, comparison: &mut Comparison, worlds: u32) -> bool {
        let most = comparison.race.worlds.saturating_add(worlds);
        self.compare_while(sight, comparison, |worlds| worlds < most);
        !comparison.over
    }

    /// What to do after a comparison with pruning.
    pub fn decide(&mut self, sight: &Sight<'_>, comparison: Comparison) -> Action {
        self.mix(sight, &comparison.candidates())
    }

    fn compare_while(&mut self, sight: &Sight<'_>, comparison: &mut Comparison, may_go_on: impl Fn(u32) -> bool) {
        let Comparison { race, prune, over } = comparison;
        let imagination = Imagination::new(sight, &self.memory, &self.deeds);
        while !*over {
            *over = *prune && race.is_settled();
            if *over || !may_go_on(race.worlds) {
                return;
            }
            let Some(world) = imagination.world(&mut self.chance) else {
                *over = true;
                return;
            };
            let luck = u64::from(self.chance.below(u32::MAX)) << 32 | u64::from(self.chance.below(u32::MAX));
            let worth = |action: &Action| self.play_on(&world, sight, action, luck);
            race.run(worth);
            if *prune {
                race.rule_out();
            }
        }
    }

    /// The candidate actions, feints among them, beginning with the best by the prior.
    pub fn candidates(&mut self, sight: &Sight<'_>) -> Vec<Action> {
        let first = self.at_once(sight);
        candidates(sight, first, true).into_iter().map(|candidate| candidate.action).collect()
    }

    /// A world consistent with everything seen; `None` if too little was seen to make one up.
    pub fn imagine(&mut self, sight: &Sight<'_>) -> Option<Round> {
        self.memory.look(sight);
        Imagination::new(sight, &self.memory, &self.deeds).world(&mut self.chance)
    }

    /// The prior value of each candidate, relative to the others.
    fn expect(&self, sight: &Sight<'_>, candidates: &mut [Candidate]) {
        let recall = self.memory.recall();
        let appraisal = Appraisal::new(sight, &recall);
        let weights = &self.character.weights[crowd(sight.players())];
        let mut best = f64::MIN;
        for candidate in candidates.iter_mut() {
            let Some(choice) = candidate.choice else { continue };
            candidate.value = f64::from(appraisal.score(weights, choice) + house_bonus(sight, choice));
            if choice != Choice::Pass {
                best = best.max(candidate.value);
            }
        }
        // There are no weights for drawing while a colored card fits: the fast policy never does that.
        if !sight.playable().minus(CardSet::WILDS).is_empty() {
            let passes = candidates.iter_mut().filter(|candidate| candidate.choice == Some(Choice::Pass));
            passes.for_each(|candidate| candidate.value = best - HESITATION);
        }
    }

    /// The best candidate. Where it makes little difference, bluffs and challenges are randomized by the odds, so
    /// opponents can rely on neither.
    fn mix(&mut self, sight: &Sight<'_>, candidates: &[Candidate]) -> Action {
        let best = candidates[0];
        let bluffs = sight.rules().challenges() && sight.would_bluff();
        let daring = |action: &Action| match action {
            Action::Challenge => true,
            Action::Play(play) => play.card == Card::WILD_DRAW_FOUR && bluffs,
            _ => false,
        };
        let side = daring(&best.action);
        let others = candidates.iter().filter(|candidate| daring(&candidate.action) != side);
        let Some(other) = others.max_by(|a, b| a.value.total_cmp(&b.value)) else { return best.action };
        let odds = 1.0 / (1.0 + ((best.value - other.value).max(0.0) / INDECISION).exp());
        if happens(odds as f32, &mut self.chance) { other.action } else { best.action }
    }

    /// The value of a round to the seat if it begins with this action: a truncated rollout, then the value function over all
    /// hands. The seat plays on with its memory, the others without.
    fn play_on(&self, world: &Round, sight: &Sight<'_>, action: &Action, luck: u64) -> f64 {
        let own = sight.seat();
        let Some(round) = self.roll_out(world, sight, action, luck, Depth::Horizon) else { return 0.0 };
        if round.awaited().is_none() {
            return worth(&round, own);
        }
        let outlook = Outlook::new(&round);
        f64::from(match self.judge {
            Some(judge) => outlook.chance_of(own, judge),
            None => outlook.chances(outlook::weights())[usize::from(own)],
        })
    }

    /// A rollout: the round some turns after an action, or at its end. The seat plays on with its memory, the others
    /// without. The same `luck` shuffles alike for every action. `None` when the action is refused or the round does
    /// not end.
    pub fn roll_out(
        &self,
        world: &Round,
        sight: &Sight<'_>,
        action: &Action,
        luck: u64,
        depth: Depth,
    ) -> Option<Round> {
        let mut chance = Pcg64Mcg::seed_from_u64(luck);
        let (mut round, rules, own) = (*world, sight.rules(), sight.seat());
        let mut listener = Listener { memory: self.memory, seat: own };
        let (mut seat, mut action) = (own, *action);
        let mut circuits = match depth {
            Depth::Horizon => (HORIZON / u32::from(sight.players())).max(LEAST_CIRCUITS),
            Depth::End => LONGEST,
        };
        for _ in 0..LONGEST {
            round.apply(rules, seat, &action, &mut chance, &mut listener).ok()?;
            let Some(next) = round.awaited() else { return Some(round) };
            circuits -= u32::from(next == own && matches!(round.phase(), Phase::Turn { .. }));
            if circuits == 0 {
                return Some(round);
            }
            seat = next;
            let sight = Sight::new(&round, rules, seat, &[]);
            action = if seat == own {
                listener.memory.look(&sight);
                self.character.act(&sight, &listener.memory.recall(), &mut chance)
            } else if self.others == Others::Alike {
                self.character.act(&sight, &Blind, &mut chance)
            } else {
                random::act(&sight, &mut chance)
            };
        }
        Some(round).filter(|_| depth == Depth::Horizon)
    }
}

/// Remembers what happens in an imagined world.
struct Listener {
    memory: Memory,
    seat: Seat,
}

impl Sink for Listener {
    #[inline]
    fn push(&mut self, event: Event) {
        self.memory.see(&event.seen_by(Viewer::Seat(self.seat)));
    }
}

/// A round won counts one, a blocked round what everybody's chance was, and one that does not end nothing.
fn worth(round: &Round, seat: Seat) -> f64 {
    match *round.phase() {
        Phase::Over { winner: Some(winner) } => f64::from(u8::from(winner == seat)),
        Phase::Over { winner: None } => 1.0 / f64::from(round.players()),
        _ => 0.0,
    }
}

/// The actions worth comparing, beginning with the one that looks best at first sight.
fn candidates(sight: &Sight<'_>, first: Action, feints: bool) -> Vec<Candidate> {
    let mut list = vec![Candidate { action: first, choice: None, value: 0.0, worlds: 0 }];
    let mut add = |action: Action, choice: Option<Choice>| {
        if let Some(known) = list.iter_mut().find(|known| known.action == action) {
            known.choice = choice;
        } else if list.len() < MOST {
            list.push(Candidate { action, choice, value: 0.0, worlds: 0 });
        }
    };
    match sight.phase() {
        Phase::Turn { .. } | Phase::Drawn { .. } => {
            each_choice(sight, sight.playable(), &mut |choice| {
                let action = carry_out(sight, choice);
                add(action, Some(choice));
                each_variant(sight, &action, &mut |variant| add(variant, Some(choice)));
            });
            if feints {
                each_feint(sight, &mut |choice| add(carry_out(sight, choice), Some(choice)));
            }
        }
        Phase::CallColor { .. } => Color::ALL.into_iter().for_each(|color| add(Action::CallColor(color), None)),
        Phase::Respond { .. } => sight.legal(&mut |action| {
            let uno = sight.hand().len() == 2;
            match action {
                Action::Play(_) | Action::Block { .. } if uno => add(action.with_uno(), None),
                Action::Catch(_) | Action::CallUno => {}
                action => add(*action, None),
            }
        }),
        _ => {}
    }
    list
}

/// Feints, which only search considers: calling a color that is not in the hand, drawing though a colored card fits.
fn each_feint(sight: &Sight<'_>, visit: &mut impl FnMut(Choice)) {
    for card in sight.playable().iter().filter(|card| card.names_color()) {
        Color::ALL.into_iter().for_each(|color| visit(Choice::Play(card, Some(color))));
    }
    let house = sight.rules().house();
    if !house.force_play && !house.draw_to_match && sight.hand().len() <= LONGEST_WAIT {
        visit(Choice::Pass);
    }
}

/// Other ways to play the same card: Olaf alone, or swapping hands with somebody else.
fn each_variant(sight: &Sight<'_>, action: &Action, visit: &mut impl FnMut(Action)) {
    let Action::Play(play) = *action else { return };
    if play.card == Card::OLAF && !play.discard.is_empty() {
        let left = sight.hand().len() - 1;
        visit(Action::Play(Play { uno: left == 1, color: play.color, ..Play::card(play.card) }));
    }
    if play.swap_with.is_some() {
        for with in (0..sight.players()).filter(|with| *with != sight.seat()) {
            visit(Action::Play(Play { swap_with: Some(with), ..play }));
        }
    }
}

/// A comparison of actions that is made piece by piece, by a caller that looks at the clock in between: in a browser, where
/// this program has none, and where nothing may take long.
#[derive(Clone, Debug)]
pub struct Comparison {
    race: Race,
    prune: bool,
    /// Whether more worlds change nothing.
    over: bool,
}

impl Comparison {
    /// The candidates as they stand, the best first.
    pub fn candidates(self) -> Vec<Candidate> {
        self.race.candidates()
    }
}

/// A race: candidates tried in the same worlds until it is clear which is best.
#[derive(Clone, Debug)]
struct Race {
    candidates: Vec<Candidate>,
    /// The candidates still in it.
    running: Vec<usize>,
    sums: [f64; MOST],
    /// Sums of the products of two values: all that is needed to compare any two fairly.
    products: Box<[[f64; MOST]; MOST]>,
    worlds: u32,
    /// The weight of the prior, in worlds.
    prior: f64,
}

impl Race {
    fn new(candidates: Vec<Candidate>, prior: f64) -> Race {
        let running = (0..candidates.len()).collect();
        Race { candidates, running, sums: [0.0; MOST], products: Box::new([[0.0; MOST]; MOST]), worlds: 0, prior }
    }

    fn run(&mut self, worth: impl Fn(&Action) -> f64) {
        self.worlds += 1;
        let mut values = [0.0; MOST];
        for &place in &self.running {
            values[place] = worth(&self.candidates[place].action);
            self.sums[place] += values[place];
            self.candidates[place].worlds += 1;
        }
        for &a in &self.running {
            for &b in self.running.iter().filter(|b| **b <= a) {
                self.products[a][b] += values[a] * values[b];
            }
        }
    }

    /// The leader, taking the prior into account.
    fn leader(&self) -> usize {
        let standing = |place: usize| self.sums[place] + self.candidates[place].value * self.first_impression();
        let mut best = self.running[0];
        for &place in &self.running {
            if standing(place) > standing(best) {
                best = place;
            }
        }
        best
    }

    /// The mean lead of one over another, and its standard error.
    fn lead(&self, ahead: usize, behind: usize) -> (f64, f64) {
        let worlds = f64::from(self.worlds);
        let product = self.products[ahead.max(behind)][ahead.min(behind)];
        let squares = self.products[ahead][ahead] + self.products[behind][behind] - 2.0 * product;
        let mean = (self.sums[ahead] - self.sums[behind]) / worlds;
        // One pseudo-world in which they differ, so a few unanimous worlds prove little.
        let variance = (squares / worlds - mean * mean).max(0.0) + DOUBT / worlds;
        (mean, (variance / worlds).sqrt())
    }

    /// Drops candidates that are clearly behind.
    fn rule_out(&mut self) {
        if !self.is_time_to_look() {
            return;
        }
        let leader = self.leader();
        let running = std::mem::take(&mut self.running);
        let behind = |place: usize| {
            let (mean, error) = self.lead(leader, place);
            mean > RULED_OUT * error
        };
        let kept = running.into_iter().filter(|place| *place == leader || !behind(*place)).collect();
        self.running = kept;
    }

    /// The weight of the prior by now, in worlds.
    fn first_impression(&self) -> f64 {
        self.prior + if self.prior > 0.0 { LASTING * f64::from(self.worlds) } else { 0.0 }
    }

    /// Whether to stop: one candidate is left, or choosing the leader costs little even if it is not the best.
    fn is_settled(&self) -> bool {
        self.running.len() == 1 || self.is_time_to_look() && self.regret() < INDIFFERENT
    }

    fn is_time_to_look(&self) -> bool {
        self.worlds >= LEAST_WORLDS && self.worlds.is_multiple_of(WORLDS_BETWEEN)
    }

    /// The expected loss of choosing the leader.
    fn regret(&self) -> f64 {
        let leader = self.leader();
        let worlds = f64::from(self.worlds);
        let share = worlds / (worlds + self.first_impression());
        let others = self.running.iter().filter(|place| **place != leader);
        let losses = others.map(|place| {
            let (mean, error) = self.lead(leader, *place);
            let at_first = self.candidates[leader].value - self.candidates[*place].value;
            expected_loss(share * mean + (1.0 - share) * at_first, share.sqrt() * error)
        });
        losses.fold(0.0, f64::max)
    }

    /// All candidates with their values, the best first.
    fn candidates(mut self) -> Vec<Candidate> {
        let leader = self.leader();
        for (candidate, sum) in self.candidates.iter_mut().zip(self.sums) {
            if candidate.worlds > 0 {
                candidate.value = sum / f64::from(candidate.worlds);
            }
        }
        self.candidates.swap(0, leader);
        self.candidates
    }
}

/// The expected shortfall of a lead below zero, if it is normally distributed with this mean and error.
fn expected_loss(lead: f64, error: f64) -> f64 {
    let far = lead / error;
    let density = (-far * far / 2.0).exp() / std::f64::consts::TAU.sqrt();
    // The share of a normal distribution beyond `far` standard errors, to three digits.
    let beyond = 1.0 / (1.0 + (1.5976 * far + 0.07056 * far.powi(3)).exp());
    (error * density - lead * beyond).max(0.0)
}

impl Bot for Expert {
    fn begin(&mut self, sight: &Sight<'_>) {
        self.memory.begin(sight);
        self.deeds.begin(sight);
    }

    fn listens(&self) -> bool {
        true
    }

    fn see(&mut self, event: &SeenEvent) {
        self.deeds.see(event, &self.memory);
        self.memory.see(event);
    }

    fn act(&mut self, sight: &Sight<'_>) -> Action {
        let candidates = self.compare(sight, true);
        self.mix(sight, &candidates)
    }

    fn react(&mut self, sight: &Sight<'_>) -> Option<Action> {
        react(sight)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clear_lead_loses_little_and_a_narrow_one_some() {
        assert!(expected_loss(0.05, 0.01) < 1e-6);
        // Half of a normal distribution with mean 0 and error 0.01.
        assert!((expected_loss(0.0, 0.01) - 0.003_989).abs() < 1e-5);
        assert!((expected_loss(0.01, 0.01) - 0.000_833).abs() < 1e-5);
        assert!((expected_loss(-0.05, 0.01) - 0.05).abs() < 1e-5);
    }
}
