//! Simulation and arenas for UNO: rounds by the million, bots against bots.

#![forbid(unsafe_code)]

mod seating;

pub use seating::{Outcome, Seating, Watch};
