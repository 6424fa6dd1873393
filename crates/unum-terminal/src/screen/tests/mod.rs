//! Screens as snapshots, keys as intents; no terminal is needed for any of it.
//!
//! The snapshots are text. `UPDATE_SNAPSHOTS=1 cargo nextest run -p unum-terminal` writes them again; look at the
//! difference before you keep it.

mod decisions;
mod fixture;
mod looks;
mod real;
