//! The level `normal`: the policy with hand-made weights and no memory.

use std::sync::LazyLock;

use rand_core::SeedableRng;
use rand_pcg::Pcg64Mcg;
use unum_rules::{Action, Sight};

use crate::Bot;
use crate::appraisal::{Blind, sensible_weights};
use crate::judgment::{Character, Weights, react};

/// Plays its longest color, saves its wilds, aims attacks at players who are about to go out. Never bluffs, hardly ever
/// challenges, remembers nothing.
#[derive(Clone, Debug)]
pub struct Normal {
    chance: Pcg64Mcg,
}

static WEIGHTS: LazyLock<Weights> = LazyLock::new(sensible_weights);

/// How a sensible player decides.
pub(crate) fn character() -> Character<'static> {
    Character { weights: &WEIGHTS, bluff: 0.0, suspicion: 0.9, doubt: 0.15, laughs: 0.75 }
}

impl Normal {
    /// With a generator of its own.
    pub fn new(seed: u64) -> Normal {
        Normal { chance: Pcg64Mcg::seed_from_u64(seed) }
    }
}

impl Bot for Normal {
    fn act(&mut self, sight: &Sight<'_>) -> Action {
        character().act(sight, &Blind, &mut self.chance)
    }

    fn react(&mut self, sight: &Sight<'_>) -> Option<Action> {
        react(sight)
    }
}
