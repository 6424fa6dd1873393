//! One table: who sits where, what is agreed, whose time runs, who may know what. No sockets, threads or clocks.
//!
//! Inputs and the time go in; [`Entry`]s for the journal and redacted messages come out. A caller makes the entries
//! durable first and delivers the messages then. The same entries, applied again, give the same table.

#![forbid(unsafe_code)]

mod apply;
mod bots;
mod clock;
mod entry;
mod lobby;
mod look;
mod may;
mod parse;
mod play;
mod race;
mod records;
mod render;
#[cfg(feature = "sim")]
pub mod sim;
mod snapshot;
mod state;
mod table;
mod talk;
pub mod text;
mod trouble;
pub mod wire;

pub use bots::{Idea, Thought};
pub use entry::{Entry, Fact, GuestId};
pub use look::{Look, LookId};
pub use parse::ParseTrouble;
pub use records::{Finished, records};
pub use table::*;
pub use trouble::{Trouble, TroubleCode};

use serde::{Deserialize, Serialize};

/// A point in time: milliseconds since 1970, as the caller's clock has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Moment(pub u64);
