//! The levels by name.

use std::fmt;

use unum_rules::{Action, SeenEvent, Sight};

use crate::{Bot, Budget, Easy, Expert, Hard, Normal, Random};

/// How well a bot plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Level {
    /// The yardstick: plays any card that fits.
    Random,
    /// Makes the mistakes people make.
    Easy,
    /// Plays sensibly, without tricks.
    Normal,
    /// Counts cards, remembers, bluffs.
    Hard,
    /// Thinks ahead.
    Expert,
}

impl Level {
    /// All levels, weakest first.
    pub const ALL: [Level; 5] = [Level::Random, Level::Easy, Level::Normal, Level::Hard, Level::Expert];

    /// The name, as in `unum arena easy normal`.
    pub fn id(self) -> &'static str {
        match self {
            Level::Random => "random",
            Level::Easy => "easy",
            Level::Normal => "normal",
            Level::Hard => "hard",
            Level::Expert => "expert",
        }
    }

    /// The level of that name.
    pub fn parse(id: &str) -> Option<Level> {
        Level::ALL.into_iter().find(|level| level.id() == id)
    }

    /// A bot of this level with its own generator; an expert thinks as long as is usual.
    #[inline]
    pub fn bot(self, seed: u64) -> LevelBot {
        self.bot_with(seed, Budget::default())
    }

    /// A bot of this level with its own generator, and so long to think if it is one that does.
    #[inline]
    pub fn bot_with(self, seed: u64, budget: Budget) -> LevelBot {
        match self {
            Level::Random => LevelBot::Random(Random::new(seed)),
            Level::Easy => LevelBot::Easy(Easy::new(seed)),
            Level::Normal => LevelBot::Normal(Normal::new(seed)),
            Level::Hard => LevelBot::Hard(Box::new(Hard::new(seed))),
            Level::Expert => LevelBot::Expert(Box::new(Expert::new(seed, budget))),
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
    Easy(Easy),
    Normal(Normal),
    Hard(Box<Hard>),
    Expert(Box<Expert>),
}

/// Calls the same method of whichever bot it is.
macro_rules! whichever {
    ($self:ident, $bot:ident => $call:expr) => {
        match $self {
            LevelBot::Random($bot) => $call,
            LevelBot::Easy($bot) => $call,
            LevelBot::Normal($bot) => $call,
            LevelBot::Hard($bot) => $call,
            LevelBot::Expert($bot) => $call,
        }
    };
}

impl Bot for LevelBot {
    #[inline]
    fn begin(&mut self, sight: &Sight<'_>) {
        whichever!(self, bot => bot.begin(sight));
    }

    #[inline]
    fn listens(&self) -> bool {
        whichever!(self, bot => bot.listens())
    }

    #[inline]
    fn see(&mut self, event: &SeenEvent) {
        whichever!(self, bot => bot.see(event));
    }

    #[inline]
    fn act(&mut self, sight: &Sight<'_>) -> Action {
        whichever!(self, bot => bot.act(sight))
    }

    #[inline]
    fn react(&mut self, sight: &Sight<'_>) -> Option<Action> {
        whichever!(self, bot => bot.react(sight))
    }
}
