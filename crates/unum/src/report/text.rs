//! Numbers and tables for people.

use unum_lab::{Estimate, Failures};

/// A whole number with commas: 1,234,567.
pub(crate) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A mean with half the width of its interval: `12.34 ±0.56`.
pub(crate) fn estimate(estimate: &Estimate) -> String {
    let decimals = decimals(estimate);
    format!("{:.decimals$}{}", estimate.mean, margin(estimate, decimals))
}

/// The same with a sign: `+12.34 ±0.56`.
pub(crate) fn difference(estimate: &Estimate) -> String {
    let decimals = decimals(estimate);
    format!("{:+.decimals$}{}", estimate.mean, margin(estimate, decimals))
}

/// The same as percentage: `12.34 % ±0.56`.
pub(crate) fn percent(estimate: &Estimate) -> String {
    let percent = estimate.times(100.0);
    let decimals = decimals(&percent);
    format!("{:.decimals$} %{}", percent.mean, margin(&percent, decimals))
}

/// As many decimals as leave the interval two significant digits.
pub(crate) fn decimals(estimate: &Estimate) -> usize {
    match estimate.margin() {
        Some(margin) if margin > 0.0 => (1.0 - margin.log10().floor()).clamp(0.0, 6.0) as usize,
        _ if estimate.mean.fract() == 0.0 => 0,
        _ => 2,
    }
}

/// Nothing to say about what is always the same.
fn margin(estimate: &Estimate, decimals: usize) -> String {
    let margin = estimate.margin().filter(|margin| *margin > 0.0);
    margin.map_or(String::new(), |margin| format!(" ±{margin:.decimals$}"))
}

/// What went wrong, in a sentence or two.
pub(crate) fn failures(name: &str, refused: u64, failures: &Failures, last_error: Option<&str>) -> String {
    let failed = refused + failures.total();
    let answered = count(failures.asked.saturating_sub(failed));
    let (asked, times) = (count(failures.asked), count(failed));
    let details = if failures.total() > 0 { format!(" ({failures})") } else { String::new() };
    let last = last_error.map_or(String::new(), |error| format!(" The last time it {error}"));
    let what = match failures.asked {
        0 => format!("{name} failed {times} times"),
        _ => format!("{name} answered {answered} of {asked} questions and failed {times} times"),
    };
    format!("{what}{details}: a random bot decided in its place, so these figures are not its own.{last}")
}

/// How many characters of a row fit into half a page.
const MOST_NARROW: usize = 56;

/// Rows of words, aligned in columns: the first to the left, the others to the right.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these headings.
    pub(crate) fn new(headings: &[&str]) -> Table {
        Table { rows: vec![headings.iter().map(|word| (*word).to_owned()).collect()] }
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, cells: impl Into<Vec<String>>) {
        self.rows.push(cells.into());
    }

    /// The rows, headings first.
    pub(crate) fn rows(&self) -> &[Vec<String>] {
        &self.rows
    }

    /// Whether it wants the whole width of a page.
    pub(crate) fn is_wide(&self) -> bool {
        self.widths().iter().sum::<usize>() > MOST_NARROW
    }

    fn widths(&self) -> Vec<usize> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width =
            |column: usize| self.rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
        (0..columns).map(|column| width(column).unwrap_or(0)).collect()
    }

    /// The table as text.
    pub(crate) fn to_text(&self) -> String {
        let widths = self.widths();
        self.rows.iter().map(|row| line(row, &widths)).collect()
    }
}

fn line(row: &[String], widths: &[usize]) -> String {
    let mut text = String::new();
    for (column, (cell, width)) in row.iter().zip(widths).enumerate() {
        text += &if column == 0 { format!("{cell:<width$}") } else { format!("   {cell:>width$}") };
    }
    text.trim_end().to_owned() + "\n"
}

/// A command line that a shell reads as these words.
pub(crate) fn command_line(words: &[String]) -> String {
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// The same for the words of a command of this program.
pub(crate) fn command_of(words: &[String]) -> String {
    format!("unum {}", command_line(words))
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=.,:/+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_readable() {
        assert_eq!(["0", "12", "123", "1,234", "1,234,567"], [0, 12, 123, 1234, 1_234_567].map(count));
        let share = Estimate::new(0.703, Some(0.004));
        assert_eq!(percent(&share), "70.30 % ±0.40");
        assert_eq!(difference(&share), "+0.7030 ±0.0040");
        assert_eq!(estimate(&Estimate::new(2.5, None)), "2.50");
        assert_eq!(estimate(&Estimate::new(0.0, Some(0.0))), "0");
        assert_eq!(estimate(&Estimate::new(1234.5, Some(321.0))), "1234 ±321");
    }

    #[test]
    fn failures_say_how_much_was_answered() {
        let broken = Failures { asked: 258, crashes: 5, missed: 253, ..Failures::default() };
        let told = failures("me", 0, &broken, Some("crashed"));
        assert!(told.starts_with("me answered 0 of 258 questions and failed 258 times (crashes 5,"), "{told}");
        assert!(told.ends_with("The last time it crashed"), "{told}");
    }

    #[test]
    fn columns_are_aligned() {
        let mut table = Table::new(&["name", "wins"]);
        table.row(["b".to_owned(), "1".to_owned()]);
        table.row(["longer".to_owned(), "±100".to_owned()]);
        assert_eq!(table.to_text(), "name     wins\nb           1\nlonger   ±100\n");
    }

    #[test]
    fn shells_read_what_was_meant() {
        let words = ["unum", "--rules", r#"{"a":1}"#, "it's", "", "random*3"].map(str::to_owned);
        assert_eq!(command_line(&words), r#"unum --rules '{"a":1}' 'it'\''s' '' 'random*3'"#);
    }
}
