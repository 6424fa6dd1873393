//! The bots behind the levels.

use unum_protocol::Level;
use unum_rules::{Action, SeenEvent, Sight};

use crate::{Bot, Budget, Easy, Expert, Hard, Normal, Random};

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

impl LevelBot {
    /// A bot of that level with its own generator; an expert gets the default budget.
    #[inline]
    pub fn new(level: Level, seed: u64) -> LevelBot {
        LevelBot::with_budget(level, seed, Budget::default())
    }

    /// A bot of that level with its own generator; the budget is for an expert.
    #[inline]
    pub fn with_budget(level: Level, seed: u64, budget: Budget) -> LevelBot {
        match level {
            Level::Random => LevelBot::Random(Random::new(seed)),
            Level::Easy => LevelBot::Easy(Easy::new(seed)),
            Level::Normal => LevelBot::Normal(Normal::new(seed)),
            Level::Hard => LevelBot::Hard(Box::new(Hard::new(seed))),
            Level::Expert => LevelBot::Expert(Box::new(Expert::new(seed, budget))),
        }
    }
}

/// Calls the same method of the bot inside.
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

    fn stand_in(&self) -> Option<LevelBot> {
        match self {
            LevelBot::Expert(expert) => Some(LevelBot::Hard(Box::new(expert.at_first_sight()))),
            fast => Some(fast.clone()),
        }
    }
}
