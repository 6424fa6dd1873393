//! UNO as an environment for reinforcement learning: numbered actions with masks, observations as arrays of bytes, and a
//! vectorized environment that steps thousands of rounds at once.
//!
//! ```
//! use unum_env::{Payoff, Setting, Unos};
//! use unum_rules::{Edition, Rules};
//!
//! let setting = Setting::new(Rules::of(Edition::Original), 3, Unos::Called)?;
//! let mut table = setting.deal(7, 0);
//! while let Some(seat) = table.seat() {
//!     let id = table.legal().iter().next().unwrap_or(0); // the first legal action
//!     assert!(seat < 3);
//!     table.step(&setting, id)?;
//! }
//! let mut rewards = [0.0; 3];
//! table.pay(&setting, Payoff::Win, &mut rewards);
//! assert_eq!(rewards.iter().sum::<f32>(), 0.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The numbers are those of an [`Encoding`], one per edition and [versioned](ENCODING_VERSION); docs/encoding.md lists
//! them. Observations are written from a [`Sight`](unum_rules::Sight), so nothing can be in them that the seat may not
//! know.

#![forbid(unsafe_code)]

mod decision;
mod encoding;
mod explicit;
mod ids;
mod observe;
mod table;
mod transcript;
mod vector;

pub use decision::{Decision, NotLegal, Progress, Stage, Unos};
pub use encoding::{Choice, ENCODING_VERSION, Encoding, Section};
pub use explicit::{Explicit, Script};
pub use ids::{IdSet, MAX_IDS};
pub use table::{EnvError, Payoff, Setting, Table};
pub use transcript::{Transcript, TranscriptError};
pub use vector::{Buffers, StepError, Vector};
