//! UNO in a terminal: the whole game for people who live in one, play over ssh or use a screen reader.
//!
//! The parts, from the table to the eyes:
//!
//! - [`Source`] is what can be played: [`Local`], a table in this process with bots, saved as it goes on a [`Shelf`]; or
//!   [`Remote`], a seat at a table on a server. [`Source::open`] begins it.
//! - [`Game`] takes requests, and sends [`Event`]s to a sink: messages of the table, the fate of the connection, the end.
//!   Both kinds of game speak the same messages, those of docs/protocol.md.
//! - [`Model`] keeps what follows from events: lobby, view, legal choices, log, chat, clock, refusals.
//! - [`settings`] lists what a table can agree on, and changes it by steps or by words.
//! - [`words`] parses commands (`play r7`, `why`), and lists the useful ones ([`words::hints`]).
//! - [`status`] describes the state in sentences; [`story`] tells what happens.
//! - [`plain`] is the interface line by line; [`screen`] the one that fills the screen.
//!
//! An interface is one loop over one channel: game events, what is typed and [`signals`] all come through it. For an
//! event call [`Model::take`] and show the lines it gives; for a command call [`words::parse`], and for
//! [`Command::Ask`](words::Command::Ask) call [`Model::asked`] and [`Game::send`] for each request. `plain.rs` is an
//! example of 200 lines. Texts that come out of the model are free of control characters.

#![forbid(unsafe_code)]

mod account;
mod game;
mod hint;
mod local;
mod model;
pub mod nearest;
pub mod plain;
mod remote;
mod saved;
#[cfg(test)]
mod scene;
pub mod screen;
pub mod settings;
pub mod signals;
pub mod status;
pub mod story;
mod text;
mod visits;
pub mod words;

pub use account::Account;
pub use game::{Ending, Event, Game, Sink, Source};
pub use local::{Local, LocalError, Setup};
pub use model::{Line, Model, Tone};
pub use remote::{Invite, Place, Remote, RemoteError, Wishes};
pub use saved::{Saved, SavedError, Score, Shelf, Unfinished, finished, is_saved_game};
pub use text::{Span, Text};
pub use visits::{Visit, Visits};
