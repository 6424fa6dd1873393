//! Tables in virtual time, for tests and long trial runs: nothing here is needed to serve a table.

mod trial;

pub use trial::{SeededDice, Trial};
