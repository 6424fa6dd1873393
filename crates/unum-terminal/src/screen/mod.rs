//! The full-screen interface.
//!
//! `unum play` calls [`run`] when input and output are terminals and `--plain` was not asked for. It gets the game that
//! was chosen by flags; whatever it needs of the table it gets through [`Source::open`] and [`Model`](crate::Model), and
//! commands are read by [`words::parse`](crate::words::parse).

use std::io;

use crate::game::Source;
use crate::plain::{self, Farewell, Lines};

/// Plays full screen until somebody quits, and leaves the terminal as it was.
///
/// # Errors
/// When the terminal cannot be read or written.
pub fn run(source: Source, lines: Lines<'_>) -> io::Result<Farewell> {
    plain::run(source, lines)
}
