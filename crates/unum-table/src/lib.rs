//! One table as a deterministic state machine: seats, settings, clocks, and who may know what. No sockets or threads.
//!
//! Inputs and the time go in; [`Entry`]s for the journal and redacted messages come out. Replaying the same entries
//! gives the same table. A [`Driver`] runs a table for a server, a terminal or a browser: it holds messages back until
//! the entries they follow from are durable.

#![forbid(unsafe_code)]

mod apply;
mod bots;
mod budget;
mod clock;
mod dealing;
mod driver;
mod entry;
mod handover;
mod hint;
mod lesson;
mod lobby;
#[cfg(feature = "os")]
pub mod os;
mod permissions;
mod play;
mod post;
mod quips;
mod race;
mod records;
mod render;
mod seats;
#[cfg(feature = "sim")]
pub mod sim;
mod snapshot;
mod state;
mod table;
mod talk;
mod tallies;
pub mod text;

pub use bots::{Idea, Pondering, Thought};
pub use driver::{Batch, Driver, Ending, Frames, Letter, World, Written};
pub use entry::{AddressMark, Entry, FORMAT, Fact, GuestId, SEALED_MOVES, Seal};
pub use handover::Continued;
pub use lobby::NOBODY;
pub use records::{Finished, MatchPart, finished, records};
pub use render::{Codec, Outgoing, Owned, Update};
pub use snapshot::SAVED_ENTRIES;
pub use table::*;

use serde::{Deserialize, Serialize};

/// A point in time: milliseconds since 1970, as the caller's clock has it.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, unum_rules::json::Read,
)]
pub struct Moment(pub u64);
