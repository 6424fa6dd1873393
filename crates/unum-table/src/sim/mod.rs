//! Tables in virtual time, for tests and long trial runs: nothing here is needed to serve a table.
//!
//! A [`Trial`] is a table with a journal and a clock of its own. [`run`] fills one with people who play, chat, leave,
//! lose their connection and come back, and checks everything that must hold; [`veil`] is the check that nobody is
//! told what they may not know.

mod crowd;
mod offers;
mod trial;
pub mod veil;

pub use crowd::{Report, run};
pub use trial::{Lie, Trial};
