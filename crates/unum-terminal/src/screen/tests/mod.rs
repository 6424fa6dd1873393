//! Screens as snapshots, keys as intents; no terminal is needed for any of it.
//!
//! The snapshots are text. `UPDATE_SNAPSHOTS=1 cargo nextest run -p unum-terminal` writes them anew; look at the
//! difference before it is kept.

mod decisions;
mod fixture;
mod looks;
mod real;
