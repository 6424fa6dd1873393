//! Game review for UNO: luck and play told apart, for any number of players and with hidden cards.
//!
//! A [`Reviewer`] reads a record. The luck of every finished round is known at once. Decisions are judged for as long
//! as there are worlds to spend, the most doubtful first:
//!
//! ```
//! use unum_review::Reviewer;
//! use unum_rules::record::{Recorder, Setup};
//! use unum_rules::{Edition, RulesSpec, Seeded, playout::Casual};
//!
//! let mut recorder = Recorder::start(Setup::new(RulesSpec::of(Edition::Original), 3, 7), &mut ())?;
//! let mut chance = Seeded::new(1);
//! while !recorder.game().round().is_over() {
//!     let (seat, action) = Casual.choose(recorder.game().round(), recorder.game().rules(), &mut chance);
//!     recorder.apply(seat, &action, &mut ()).expect("players keep to the rules");
//! }
//! let mut reviewer = Reviewer::new(&recorder.into_record())?;
//! let luck: f64 = reviewer.review().seats.iter().map(|seat| seat.luck.0).sum();
//! assert!(luck.abs() < 1e-9);
//! reviewer.think(500, None);
//! assert!(!reviewer.review().decisions.is_empty());
//! # Ok::<(), unum_rules::record::RecordError>(())
//! ```
//!
//! In the terms of the field:
//! - [`luck`] is a control variate per chance event, as in backgammon's luck analysis and in AIVAT.
//! - [`decision`] is a Monte Carlo evaluation over determinizations with common random numbers and sample splitting.
//! - [`stakes`] is match equity.
//!
//! What is said about a decision uses nothing that was hidden from the player who made it.

#![forbid(unsafe_code)]

mod analysis;
pub mod baseline;
pub mod decision;
pub mod level;
pub mod luck;
pub mod own_cards;
pub mod percentile;
mod reviewer;
pub mod season;
pub mod serving;
pub mod stakes;
pub mod value;
mod words;

pub use analysis::{AnalysisError, Analyst, analyze, decision_at};
pub use reviewer::{LEAST_WORLDS, Reviewer, Task, cost_of_catch};
pub use unum_protocol::review::*;
pub use words::{describe, explain, tell_standing};

/// Reads a number of the data files, such as `12` or `0.0508`: exactly as the standard library does, whose tables are larger than
/// the data.
fn decimal(text: &str) -> Option<f64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let digits: u32 = format!("{whole}{part}").parse().ok()?;
    // Both are exact, so the quotient is the nearest number to the one that is written.
    Some(f64::from(digits) / 10_f64.powi(part.len() as i32))
}

#[cfg(test)]
mod tests {
    #[test]
    fn numbers_of_the_data_files_are_read_exactly() {
        for data in [include_str!("baseline.txt"), include_str!("levels.txt"), include_str!("percentiles.txt")] {
            let numbers =
                data.split_whitespace().filter(|word| word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'));
            for number in numbers {
                assert_eq!(super::decimal(number), number.parse().ok(), "{number}");
            }
        }
        assert!(super::decimal("1.x").is_none());
    }
}
