//! The levels by name.

use std::fmt;

use unum_rules::{Action, SeenEvent, Sight};

use crate::{Bot, Random};

/// How well a bot plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Level {
    /// The yardstick: plays any card that fits.
    Random,
}

impl Level {
    /// All levels, weakest first.
    pub const ALL: [Level; 1] = [Level::Random];

    /// The name, as in `--bot easy`.
    pub fn id(self) -> &'static str {
        match self {
            Level::Random => "random",
        }
    }

    /// The level of that name.
    pub fn parse(id: &str) -> Option<Level> {
        Level::ALL.into_iter().find(|level| level.id() == id)
    }

    /// A bot of this level with its own generator.
    #[inline]
    pub fn bot(self, seed: u64) -> LevelBot {
        match self {
            Level::Random => LevelBot::Random(Random::new(seed)),
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

/// A bot of one of the levels.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum LevelBot {
    Random(Random),
}

impl Bot for LevelBot {
    fn begin(&mut self, sight: &Sight<'_>) {
        match self {
            LevelBot::Random(bot) => bot.begin(sight),
        }
    }

    fn listens(&self) -> bool {
        match self {
            LevelBot::Random(bot) => bot.listens(),
        }
    }

    fn see(&mut self, event: &SeenEvent) {
        match self {
            LevelBot::Random(bot) => bot.see(event),
        }
    }

    #[inline]
    fn act(&mut self, sight: &Sight<'_>) -> Action {
        match self {
            LevelBot::Random(bot) => bot.act(sight),
        }
    }

    #[inline]
    fn react(&mut self, sight: &Sight<'_>) -> Option<Action> {
        match self {
            LevelBot::Random(bot) => bot.react(sight),
        }
    }
}
