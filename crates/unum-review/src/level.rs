//! Compares an error rate with those of the bots.

use std::sync::LazyLock;

use unum_protocol::Level;
use unum_protocol::review::Standing;
use unum_rules::order;

use crate::decimal;

/// Error rates by number of players and level, with standard errors. `examples/levels.rs` makes them.
const DATA: &str = include_str!("levels.txt");

/// The measured error rate of a level at a table of one size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    /// Number of players.
    pub players: u8,
    /// The level.
    pub level: Level,
    /// Its error rate, in thousandths of a round per decision.
    pub rate: f64,
    /// The standard error of that.
    pub error: f64,
}

static MARKS: LazyLock<Vec<Mark>> = LazyLock::new(|| DATA.lines().filter_map(read).collect());

fn read(line: &str) -> Option<Mark> {
    let words: Vec<&str> = line.split(' ').collect();
    let [players, level, rate, error] = words[..] else { return None };
    let (players, rate, error) = (players.parse().ok()?, decimal(rate)?, decimal(error)?);
    Some(Mark { players, level: Level::parse(level)?, rate, error })
}

/// The marks of a table size, or of the nearest one measured, with the highest error rate first.
pub fn marks(players: u8) -> Vec<&'static Mark> {
    let nearest = MARKS.iter().map(|mark| mark.players).min_by_key(|size| (size.abs_diff(players), *size));
    let mut marks: Vec<&Mark> = MARKS.iter().filter(|mark| Some(mark.players) == nearest).collect();
    order::sort_by(&mut marks, |a, b| b.rate.total_cmp(&a.rate));
    marks
}

/// Where an error rate stands, given its standard error.
pub fn standing(players: u8, rate: f64, error: f64) -> Option<Standing> {
    let marks = marks(players);
    let (first, last) = (marks.first()?, marks.last()?);
    let reach = 2.0 * error;
    if rate - reach > first.rate {
        return Some(Standing::Below { level: first.level });
    }
    if rate + reach < last.rate {
        return Some(Standing::Above { level: last.level });
    }
    let within: Vec<&&Mark> = marks.iter().filter(|mark| (mark.rate - rate).abs() <= reach).collect();
    Some(match &within[..] {
        [] => {
            let upper = marks.iter().rev().find(|mark| mark.rate >= rate).unwrap_or(first);
            let lower = marks.iter().find(|mark| mark.rate < rate).unwrap_or(last);
            Standing::Between { from: upper.level, to: lower.level }
        }
        [one] => Standing::Like { level: one.level },
        [from, .., to] => Standing::Range { from: from.level, to: to.level },
    })
}
