//! Parts of a run: ranges of deals or games that can be played on other machines, and merged exactly.

use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};

/// One of several parts of a run, together all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Which one, from 1 on.
    pub number: u64,
    /// How many there are.
    pub of: u64,
}

impl Part {
    /// All of it.
    pub const WHOLE: Part = Part { number: 1, of: 1 };
    /// The most parts that a run can be cut into.
    pub const MOST: u64 = 10_000;

    /// Reads a part such as `3/16`.
    pub fn parse(text: &str) -> Option<Part> {
        let (number, of) = text.split_once('/')?;
        let part = Part { number: number.trim().parse().ok()?, of: of.trim().parse().ok()? };
        part.is_valid().then_some(part)
    }

    /// Whether there is such a part.
    pub fn is_valid(self) -> bool {
        (1..=Part::MOST).contains(&self.of) && (1..=self.of).contains(&self.number)
    }

    /// What it has of a run of that length: the lengths of parts differ by one at most, and in a short run some are empty.
    pub fn range(self, length: u64) -> Range<u64> {
        let up_to = |number: u64| (u128::from(length) * u128::from(number) / u128::from(self.of.max(1))) as u64;
        up_to(self.number.saturating_sub(1))..up_to(self.number)
    }

    /// How much it has of a run of that length.
    pub fn share_of(self, length: u64) -> u64 {
        let range = self.range(length);
        range.end - range.start
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

/// A part does not fit the run it is said to belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the sums of part {part} cannot be those of this run")]
pub struct MergeError {
    /// Its number, from 1 on.
    pub part: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cover_a_run_without_gaps() {
        for (length, of) in [(0, 1), (1, 1), (3, 16), (16, 16), (1_000, 7), (1_000_000_000_000, 10_000)] {
            let ranges: Vec<_> = (1..=of).map(|number| Part { number, of }.range(length)).collect();
            assert_eq!((ranges[0].start, ranges[ranges.len() - 1].end), (0, length));
            assert!(ranges.windows(2).all(|pair| pair[0].end == pair[1].start));
            let lengths = ranges.iter().map(|range| range.end - range.start);
            assert!(lengths.clone().max().unwrap() - lengths.min().unwrap() <= 1);
        }
    }

    #[test]
    fn parts_are_read_as_they_are_written() {
        let part = Part { number: 3, of: 16 };
        assert_eq!((Part::parse("3/16"), part.to_string().as_str()), (Some(part), "3/16"));
        for text in ["", "3", "0/4", "5/4", "1/0", "a/b", "-1/4", "1/1000000", "1/4/2"] {
            assert_eq!(Part::parse(text), None, "{text}");
        }
    }
}
