//! The full-screen interface.
//!
//! `Screen` is the state, `view` draws it, `keys` turns keys into intents and `Screen::apply` carries them out: all
//! without a terminal, so that tests can check it. [`run`] is the loop around it, `terminal.rs` takes the terminal over
//! and gives it back, `backend.rs` writes, `input.rs` and `decode.rs` read.

mod app;
mod backend;
#[cfg(unix)]
mod decode;
mod draft;
mod film;
mod form;
mod input;
mod keys;
mod look;
mod markup;
mod prompt;
mod start;
mod state;
mod terminal;
#[cfg(test)]
mod tests;
mod update;
mod view;

pub use app::{Comfort, Opening, run, watch};
pub use film::{Critic, Film, Frame, Moment, Notes};
pub(crate) use markup::width;

/// How wide the terminal is that is written to; `None` where the output goes somewhere else.
pub fn columns() -> Option<usize> {
    let is_terminal = std::io::IsTerminal::is_terminal(&std::io::stdout());
    is_terminal.then(backend::size)?.ok().map(|size| size.width.into()).filter(|columns| *columns > 0)
}
