//! Simulation and arenas for UNO: rounds by the million, bots against bots.

#![forbid(unsafe_code)]

mod external;
mod seating;

pub use external::{External, ExternalError, Failures};
pub use seating::{Outcome, Seating, Watch};
