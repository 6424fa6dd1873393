//! The full-screen interface.
//!
//! `Screen` is all there is to know, `view` draws it, `keys` tells what a key means and `Screen::apply` does it:
//! all of that without a terminal, so that tests can look at it. [`run`] is the loop around it, `terminal.rs` takes the
//! terminal over and gives it back, `backend.rs` writes, `input.rs` and `decode.rs` read.

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
pub use film::{Film, Frame};
