//! Simulation and arenas for UNO: rounds by the million, bots against bots.

#![forbid(unsafe_code)]

mod arena;
mod contestant;
mod crew;
mod estimate;
mod game;
mod seating;
mod seeds;
mod sequential;

pub use arena::{Arena, ArenaResult, SideResult, TracePoint};
pub use contestant::{Contestant, Entrant, EntrantBot, EntryError, LineUp, LineUpError, Side};
pub use crew::Crew;
pub use estimate::{Estimate, Moments, REACH};
pub use game::{Game, GameResult, Unit, WIN};
pub use seating::{Outcome, Seating, Watch};
pub use seeds::derive;
pub use sequential::{ERROR, Question, Verdict};
