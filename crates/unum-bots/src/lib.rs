//! Players for UNO, from a random yardstick to a searching expert.

#![forbid(unsafe_code)]

pub mod appraisal;
mod easy;
mod expert;
mod hard;
pub mod judgment;
mod level;
mod memory;
mod normal;
mod random;
mod world;

pub use easy::Easy;
pub use expert::{Budget, Candidate, Expert, Others};
pub use hard::{Hard, character as hard_character};
pub use level::{Level, LevelBot};
pub use normal::Normal;
pub use random::Random;

use unum_rules::{Action, SeenEvent, Sight};

/// Somebody who plays.
///
/// A bot gets what a person in its seat gets: a [`Sight`] of the table and the events as that seat may see
/// them, never the state. It brings its own generator, so the same seed plays the same game.
pub trait Bot {
    /// A round was dealt. What a bot remembers of earlier rounds is of the same match.
    fn begin(&mut self, _sight: &Sight<'_>) {}

    /// Whether the bot wants to [`see`](Bot::see) events.
    fn listens(&self) -> bool {
        false
    }

    /// Something happened.
    fn see(&mut self, _event: &SeenEvent) {}

    /// The table waits for this seat: what does it do?
    fn act(&mut self, sight: &Sight<'_>) -> Action;

    /// The seat may do something the table does not wait for: call "UNO" late, catch, jump in. It is asked once
    /// after every action, as long as there is something of the kind to do.
    fn react(&mut self, sight: &Sight<'_>) -> Option<Action>;
}
