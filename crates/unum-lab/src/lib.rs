//! Simulation and arenas for UNO: rounds by the million, bots against bots.

#![forbid(unsafe_code)]

mod adjust;
mod arena;
mod contestant;
mod control;
mod crew;
mod estimate;
mod external;
mod game;
mod histogram;
mod part;
mod rating;
mod recording;
mod seating;
mod seeds;
mod sequential;
mod simulation;
mod study;
mod tally;
mod tournament;

pub use adjust::Adjustment;
pub use arena::{Arena, ArenaResult, ArenaSums, SideResult, TracePoint};
pub use contestant::{Contestant, Entrant, EntrantBot, EntryError, LineUp, LineUpError, Side, Thinker};
pub use crew::Crew;
pub use estimate::{Estimate, Moments, REACH};
pub use external::{External, ExternalError, Failures};
pub use game::{Game, GameResult, Unit, WIN};
pub use histogram::{Bin, Histogram, Spread};
pub use part::{MergeError, Part};
pub use rating::{Pair, Ratings};
pub use recording::{RecordSink, RunError};
pub use seating::{Outcome, Seating, Watch};
pub use seeds::derive;
pub use sequential::{ERROR, Question, Verdict};
pub use simulation::{
    CardResult, Distribution, FaceResult, MeasureDifference, MeasureResult, ShareResult, SideShare, Simulation,
    SimulationResult, SimulationSums, Statistics, Variant,
};
pub use study::{Compared, Study, StudyResult, StudyRow, StudySums};
pub use tally::{Counter, Counts, Differences, Measure, Slot, Tally};
pub use tournament::{Field, FieldError, Fit, PairingResult, Standing, Tournament, TournamentResult, TournamentSums};
