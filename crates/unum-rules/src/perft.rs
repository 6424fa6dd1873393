//! Perft: counting the action sequences of a position, to check a rules engine against known numbers.
//!
//! A sequence of length 1 is any action that [`Round::legal_in_full`] lists, for any seat; a longer one goes on from
//! the round that action leads to. So the optional "UNO" with an action is not counted, and actions that differ only in
//! the order of cards count once. A round that is over has no continuation, and the next one is not dealt. Shuffles
//! along a sequence use a copy of the source of chance in the state the sequence left it in: the same position and seed
//! give the same number.
//!
//! ```
//! use unum_rules::perft;
//!
//! let reference = perft::references()?.into_iter().find(|reference| reference.name == "turn").unwrap();
//! let start = reference.start()?;
//! assert_eq!(start.perft(1), reference.counts[0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use serde::Deserialize;

use crate::Seat;
use crate::action::Action;
use crate::chance::{Chance, Seeded};
use crate::game::Match;
use crate::position::{Position, PositionError};
use crate::round::Round;
use crate::rules::{Rules, RulesError, RulesSpec};

/// The reference positions with their numbers, as JSON: a list of [`Reference`].
pub const REFERENCES: &str = include_str!("../perft.json");

/// How many sequences of `depth` actions there are, up to [`u64::MAX`]. One of length 0.
pub fn perft<C: Chance + Clone>(round: &Round, rules: &Rules, chance: &C, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => count_legal(round, rules),
        _ => sum_branches(round, rules, chance, depth),
    }
}

/// The last action of a sequence is counted, not applied: a listed action always applies, and the resulting round is
/// not needed. A test applies them all.
fn count_legal(round: &Round, rules: &Rules) -> u64 {
    let mut count = 0;
    for seat in 0..round.players() {
        round.legal_in_full(rules, seat, &mut |_| count += 1);
    }
    count
}

fn sum_branches<C: Chance + Clone>(round: &Round, rules: &Rules, chance: &C, depth: u32) -> u64 {
    let mut sum: u64 = 0;
    for seat in 0..round.players() {
        round.legal_in_full(rules, seat, &mut |action| {
            sum = sum.saturating_add(after(round, rules, chance, seat, action, depth));
        });
    }
    sum
}

/// How many sequences of `depth` actions begin with this one. A listed action that is refused anyway would begin none,
/// and the sum would show it.
fn after<C: Chance + Clone>(round: &Round, rules: &Rules, chance: &C, seat: Seat, action: &Action, depth: u32) -> u64 {
    let (mut round, mut chance) = (*round, chance.clone());
    match round.apply(rules, seat, action, &mut chance, &mut ()) {
        Ok(()) => perft(&round, rules, &chance, depth - 1),
        Err(_) => 0,
    }
}

/// A first action and how many sequences begin with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Who acts.
    pub seat: Seat,
    /// What they do.
    pub action: Action,
    /// How many sequences of the requested depth begin with it.
    pub count: u64,
}

/// The sequences counted by their first action, in the order of seats and of `legal`. None at depth 0.
pub fn divide<C: Chance + Clone>(round: &Round, rules: &Rules, chance: &C, depth: u32) -> Vec<Branch> {
    let mut branches = Vec::new();
    if depth == 0 {
        return branches;
    }
    for seat in 0..round.players() {
        round.legal_in_full(rules, seat, &mut |action| {
            let count = after(round, rules, chance, seat, action, depth);
            branches.push(Branch { seat, action: *action, count });
        });
    }
    branches
}

/// A position to count from, with the rules and the source of chance that belong to it.
#[derive(Clone, Debug)]
pub struct Start {
    game: Match,
    chance: Seeded,
}

impl Start {
    /// Checks rules and position.
    ///
    /// # Errors
    /// When one of them is refused.
    pub fn new(rules: RulesSpec, position: Position, seed: u64) -> Result<Start, StartError> {
        let rules = Rules::new(rules).map_err(StartError::Rules)?;
        let chance = Seeded::new(seed);
        let game = position.into_match(rules, chance.clone()).map_err(StartError::Position)?;
        Ok(Start { game, chance })
    }

    /// The rules, with the names of the deck.
    pub fn rules(&self) -> &Rules {
        self.game.rules()
    }

    /// The round at the beginning.
    pub fn round(&self) -> &Round {
        self.game.round()
    }

    /// [`perft`](perft()) from here.
    pub fn perft(&self, depth: u32) -> u64 {
        perft(self.round(), self.rules(), &self.chance, depth)
    }

    /// [`divide`] from here.
    pub fn divide(&self, depth: u32) -> Vec<Branch> {
        divide(self.round(), self.rules(), &self.chance, depth)
    }
}

/// Why counting cannot begin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// The rules are refused.
    #[error("the rules: {0}")]
    Rules(RulesError),
    /// The position is refused.
    #[error("the position: {0}")]
    Position(PositionError),
}

/// A position whose numbers are published.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reference {
    /// A short name.
    pub name: String,
    /// What it covers, in words.
    pub covers: String,
    /// The rules.
    pub rules: RulesSpec,
    /// The position.
    pub position: Position,
    /// The seed of everything shuffled on the way.
    #[serde(default)]
    pub seed: u64,
    /// The numbers for depth 1, 2, 3 and so on.
    pub counts: Vec<u64>,
}

impl Reference {
    /// The position to count from.
    ///
    /// # Errors
    /// When rules or position are refused: never, for those of [`references`].
    pub fn start(&self) -> Result<Start, StartError> {
        Start::new(self.rules.clone(), self.position.clone(), self.seed)
    }

    /// The depth up to which the numbers are known.
    pub fn depth(&self) -> u32 {
        self.counts.len() as u32
    }

    /// The known number for a depth.
    pub fn count(&self, depth: u32) -> Option<u64> {
        match depth {
            0 => Some(1),
            _ => self.counts.get(depth as usize - 1).copied(),
        }
    }
}

/// Reads [`REFERENCES`].
///
/// # Errors
/// When the file is not a list of references: never, in a build whose tests pass.
pub fn references() -> Result<Vec<Reference>, serde_json::Error> {
    serde_json::from_str(REFERENCES)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::edition::Edition;
    use crate::round::Phase;

    fn all() -> Vec<Reference> {
        references().expect("perft.json is a list of references")
    }

    fn start(reference: &Reference) -> Start {
        reference.start().unwrap_or_else(|why| panic!("{}: {why}", reference.name))
    }

    fn named(name: &str) -> Start {
        start(all().iter().find(|reference| reference.name == name).expect(name))
    }

    #[test]
    fn the_reference_numbers_hold() {
        for reference in all() {
            let start = start(&reference);
            let counts: Vec<u64> = (1..=reference.depth()).map(|depth| start.perft(depth)).collect();
            assert_eq!(counts, reference.counts, "{}", reference.name);
        }
    }

    #[test]
    fn names_are_unique_and_numbers_large_but_quick() {
        let references = all();
        let names: BTreeSet<&str> = references.iter().map(|reference| reference.name.as_str()).collect();
        assert_eq!(names.len(), references.len());
        for Reference { name, counts, .. } in &references {
            let deepest = counts.last().copied().unwrap_or(0);
            let ends = counts.contains(&0);
            assert!(ends || (10_000..=1_000_000).contains(&deepest), "{name}: {deepest}");
        }
    }

    #[test]
    fn a_division_adds_up() {
        for reference in all() {
            let (start, depth) = (start(&reference), reference.depth().min(3));
            let sum: u64 = start.divide(depth).iter().map(|branch| branch.count).sum();
            assert_eq!(Some(sum), reference.count(depth), "{}", reference.name);
        }
    }

    #[test]
    fn depth_0_counts_the_empty_sequence() {
        let over = named("round-over");
        assert_eq!((over.perft(0), over.perft(1), over.perft(5)), (1, 0, 0));
        assert_eq!(named("turn").perft(0), 1);
        assert!(named("turn").divide(0).is_empty());
    }

    /// What a walk through all sequences has met.
    #[derive(Default)]
    struct Walk {
        leaves: u64,
        phases: BTreeSet<&'static str>,
        editions: BTreeSet<&'static str>,
    }

    impl Walk {
        /// Counts like [`perft`](perft()), but carries out every action, the last one too.
        fn go(&mut self, round: &Round, rules: &Rules, chance: &Seeded, depth: u32) {
            self.phases.insert(phase_name(round.phase()));
            self.leaves += u64::from(depth == 0);
            for seat in (0..round.players()).filter(|_| depth > 0) {
                round.legal_in_full(rules, seat, &mut |action| {
                    let (mut next, mut chance) = (*round, chance.clone());
                    let applied = next.apply(rules, seat, action, &mut chance, &mut ());
                    applied.unwrap_or_else(|why| panic!("listed but refused: {seat} {action:?}: {why}"));
                    self.go(&next, rules, &chance, depth - 1);
                });
            }
        }
    }

    fn phase_name(phase: &Phase) -> &'static str {
        match phase {
            Phase::Turn { .. } => "turn",
            Phase::Drawn { .. } => "drawn",
            Phase::CallColor { .. } => "call_color",
            Phase::Respond { .. } => "respond",
            Phase::Discard { .. } => "discard",
            Phase::Vote { .. } => "vote",
            Phase::Dare { .. } => "dare",
            Phase::Over { winner: Some(_) } => "over",
            Phase::Over { winner: None } => "blocked",
        }
    }

    #[test]
    fn every_listed_action_applies_and_every_phase_and_edition_is_covered() {
        let mut walk = Walk::default();
        for reference in all() {
            let start = start(&reference);
            let depth =
                (1..=reference.depth()).rev().find(|depth| reference.count(*depth) <= Some(200_000)).unwrap_or(0);
            walk.leaves = 0;
            walk.editions.insert(start.rules().edition().id());
            walk.go(start.round(), start.rules(), &start.chance, depth);
            assert_eq!(Some(walk.leaves), reference.count(depth), "{}", reference.name);
        }
        let phases = ["blocked", "call_color", "dare", "discard", "drawn", "over", "respond", "turn", "vote"];
        assert!(walk.phases.iter().eq(&phases), "{:?}", walk.phases);
        assert_eq!(walk.editions.len(), Edition::ALL.len(), "{:?}", walk.editions);
    }
}
