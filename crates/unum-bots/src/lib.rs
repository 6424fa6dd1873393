//! Players for UNO, from a random yardstick to a searching expert.
//!
//! A [`Bot`] gets a [`Sight`] and returns an [`Action`]. The [`Level`]s are bots by name:
//!
//! ```
//! use unum_bots::{Bot, Level, LevelBot};
//! use unum_rules::{Edition, Round, Rules, Seeded, Sight};
//!
//! let rules = Rules::of(Edition::Original);
//! let mut chance = Seeded::new(1);
//! let mut round = Round::deal(&rules, 3, 0, &mut chance, &mut ())?;
//! let mut bots: Vec<_> = [Level::Hard, Level::Normal, Level::Easy].map(|level| LevelBot::new(level, 7)).into();
//! for (seat, bot) in (0..).zip(&mut bots) {
//!     bot.begin(&Sight::new(&round, &rules, seat, &[]));
//! }
//! while let Some(seat) = round.phase().seat() {
//!     let action = bots[seat as usize].act(&Sight::new(&round, &rules, seat, &[]));
//!     round.apply(&rules, seat, &action, &mut chance, &mut ())?;
//! }
//! assert!(round.is_over());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A bot that [`listens`](Bot::listens) plays better if it is told what happens, by [`see`](Bot::see). `unum-lab` seats bots
//! around a table and does all of this.
//!
//! In the terms of the field:
//! - [`appraisal`] is a linear evaluation of actions over hand-made features; [`judgment`] is the policy made of it.
//! - `memory` is the belief state: what a seat can infer about hidden hands.
//! - [`manner`] is the opponent model, a softmax over actions; [`outlook`] is the value function of states.
//! - `world` samples determinizations; [`Expert`] is a flat Monte Carlo search over them with truncated rollouts.

#![forbid(unsafe_code)]

pub mod appraisal;
mod easy;
mod expert;
mod fitted;
mod hard;
pub mod judgment;
mod level;
pub mod manner;
mod memory;
mod normal;
pub mod outlook;
mod random;
mod reason;
mod world;

pub use easy::Easy;
pub use expert::{Budget, Candidate, Comparison, Depth, Expert, Others};
pub use hard::{Hard, character as hard_character};
pub use level::LevelBot;
pub use normal::Normal;
pub use random::Random;
pub use reason::reason;
pub use unum_protocol::Level;

use unum_rules::{Action, SeenEvent, Sight};

/// A player.
///
/// A bot gets what a person in its seat would get, a [`Sight`] of the table and the events visible to that seat, never
/// the state. It brings its own generator, so the same seed plays the same game.
pub trait Bot {
    /// A round was dealt. Earlier rounds a bot remembers belong to the same match.
    fn begin(&mut self, _sight: &Sight<'_>) {}

    /// Whether the bot wants to [`see`](Bot::see) events.
    fn listens(&self) -> bool {
        false
    }

    /// Something happened.
    fn see(&mut self, _event: &SeenEvent) {}

    /// The table waits for this seat: what does it do?
    fn act(&mut self, sight: &Sight<'_>) -> Action;

    /// The seat may do something the table does not wait for: call "UNO" late, catch, jump in. It is asked once after
    /// every action while there is such a thing to do.
    fn react(&mut self, sight: &Sight<'_>) -> Option<Action>;

    /// A player for rollouts: a clone with memory and generator, or for slow bots a fast player with the same memory.
    /// `None` where there is none.
    fn stand_in(&self) -> Option<LevelBot> {
        None
    }
}
