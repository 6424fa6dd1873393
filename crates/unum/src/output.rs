//! Writing to standard output: colors vanish in pipes, and a reader who has seen enough is no error.

use std::io::{ErrorKind, Write};

use serde::Serialize;

/// Writes a text and flushes it.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    let mut stdout = anstream::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    Ok(stdout.flush()?)
}

/// Whether an error only says that nobody reads the output any more.
pub(crate) fn reader_is_gone(error: &anyhow::Error) -> bool {
    let kind = error.downcast_ref::<std::io::Error>().map(std::io::Error::kind);
    kind == Some(ErrorKind::BrokenPipe)
}

/// A document as JSON for programs.
pub(crate) fn to_json(document: &impl Serialize) -> anyhow::Result<String> {
    Ok(serde_json::to_string_pretty(document)? + "\n")
}
