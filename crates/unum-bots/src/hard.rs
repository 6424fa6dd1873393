//! The level `hard`: the policy with fitted weights and a belief state.

use std::sync::LazyLock;

use rand_core::SeedableRng;
use rand_pcg::Pcg64Mcg;
use unum_rules::{Action, SeenEvent, Sight};

use crate::Bot;
use crate::appraisal;
use crate::fitted::{self, Table};
use crate::judgment::{Character, Weights, react};
use crate::memory::Memory;

/// Counts cards, remembers who could not follow what, and weighs every play.
#[derive(Clone, Debug)]
pub struct Hard {
    chance: Pcg64Mcg,
    memory: Memory,
    character: Character<'static>,
}

impl Hard {
    /// With its own generator.
    pub fn new(seed: u64) -> Hard {
        Hard::with(seed, character())
    }

    /// One with this memory.
    pub(crate) fn remembering(memory: Memory, character: Character<'static>, chance: Pcg64Mcg) -> Hard {
        Hard { chance, memory, character }
    }

    /// One with another character.
    pub fn with(seed: u64, character: Character<'static>) -> Hard {
        Hard { chance: Pcg64Mcg::seed_from_u64(seed), memory: Memory::new(), character }
    }
}

impl Bot for Hard {
    fn begin(&mut self, sight: &Sight<'_>) {
        self.memory.begin(sight);
    }

    fn listens(&self) -> bool {
        true
    }

    #[inline]
    fn see(&mut self, event: &SeenEvent) {
        self.memory.see(event);
    }

    fn act(&mut self, sight: &Sight<'_>) -> Action {
        if let Some(action) = Character::obvious(sight) {
            return action;
        }
        self.memory.look(sight);
        self.character.act(sight, &self.memory.recall(), &mut self.chance)
    }

    fn react(&mut self, sight: &Sight<'_>) -> Option<Action> {
        react(sight)
    }
}

/// Fitted weights, in ten-thousandths, a line for each size of crowd. `cargo run --release -p unum-lab --example fit`
/// makes them.
#[allow(long_running_const_eval)]
static FITTED: Table<{ appraisal::WEIGHTS }> = fitted::read(include_str!("hard.weights"));

static WEIGHTS: LazyLock<Box<Weights>> = LazyLock::new(|| fitted::weights(&FITTED, 10_000.0));

/// How the tuned player decides, here and in an expert's rollouts.
pub fn character() -> Character<'static> {
    Character { weights: &WEIGHTS, bluff: 0.8, suspicion: 0.4, doubt: 0.05, laughs: 0.25 }
}
