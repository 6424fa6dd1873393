//! Writing to standard output: colors vanish in pipes, and a closed pipe is not an error.

use std::io::{ErrorKind, Write};

use serde::Serialize;
use unum_rules::text::printable;

/// Writes a text and flushes it.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    let mut stdout = anstream::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    Ok(stdout.flush()?)
}

/// Whether an error only means that nobody reads the output any more.
pub(crate) fn reader_is_gone(error: &anyhow::Error) -> bool {
    let kind = error.downcast_ref::<std::io::Error>().map(std::io::Error::kind);
    kind == Some(ErrorKind::BrokenPipe)
}

/// A text that may quote untrusted words, without control characters; line breaks stay.
pub(crate) fn tame(text: &str) -> String {
    text.lines().map(|line| printable(line, usize::MAX)).collect::<Vec<_>>().join("\n")
}

/// What every document begins with.
#[derive(Serialize)]
struct Stamped<'a, T> {
    /// The version of this program.
    version: &'static str,
    #[serde(flatten)]
    document: &'a T,
}

/// A document, which is an object, as JSON for programs: with the version of this program.
pub(crate) fn to_json(document: &impl Serialize) -> anyhow::Result<String> {
    Ok(serde_json::to_string_pretty(&Stamped { version: env!("CARGO_PKG_VERSION"), document })? + "\n")
}

#[cfg(test)]
mod tests {
    use super::tame;

    #[test]
    fn what_steers_a_terminal_is_left_out_and_lines_stay() {
        assert_eq!(tame("gone\x1b]52;c;cm0\x07\n  caused by \u{202e}x"), "gone]52;c;cm0\n  caused by x");
    }
}
