//! One table seen by one person: requests go in, events come out, and it makes no difference where the table is.

use std::thread::JoinHandle;

use unum_client::Verdict;
use unum_protocol::{Request, ServerMsg};

use crate::local::Local;
use crate::remote::Remote;

/// Something an interface must know. [`Model::take`](crate::Model::take) applies it.
#[derive(Clone, Debug)]
pub enum Event {
    /// The table says something. The first one is a welcome, the second a snapshot.
    Message(Box<ServerMsg>),
    /// Several that happened at once, in order, with no questions in between. Never contains the end.
    Together(Vec<Event>),
    /// The connection is lost; the program keeps reconnecting.
    Lost {
        /// Why, or why the last attempt failed.
        why: String,
    },
    /// There is a connection again. Nothing was lost.
    Back,
    /// A deal was checked.
    Checked(Verdict),
    /// The end; nothing comes after this.
    Ended(Ending),
}

/// How it came to an end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// On request: closed, or left the table.
    Closed,
    /// Against the user's wish: removed, unreachable, disk full. In words.
    Failed(String),
}

/// Where events go, usually a channel that also carries input. It is called from another thread.
pub type Sink = Box<dyn FnMut(Event) + Send>;

/// What can be played: made by `unum play` or a start screen, opened by an interface.
#[derive(Debug)]
pub enum Source {
    /// A table in this process, with bots; saved as it goes.
    Local(Box<Local>),
    /// A table on a server.
    Remote(Box<Remote>),
}

impl Source {
    /// Begins. Events go to the sink from now on, the last one being [`Event::Ended`].
    pub fn open(self, sink: Sink) -> Game {
        match self {
            Source::Local(local) => local.open(sink),
            Source::Remote(remote) => remote.open(sink),
        }
    }

    /// The link that lets others join, for a table on a server.
    pub fn link(&self) -> Option<String> {
        match self {
            Source::Local(_) => None,
            Source::Remote(remote) => Some(remote.link().to_owned()),
        }
    }

    /// The number under which the game is saved; `None` for one on a server, which saves it itself.
    pub fn saved_as(&self) -> Option<u32> {
        match self {
            Source::Local(local) => Some(local.number()),
            Source::Remote(_) => None,
        }
    }
}

/// What an interface can do to a game.
#[derive(Debug)]
pub(crate) enum Order {
    Ask(Request),
    Stop,
}

/// An open game.
///
/// ```no_run
/// use std::sync::mpsc;
/// use unum_terminal::{Ending, Event, Model, Source};
///
/// fn watch(source: Source) {
///     let (sender, receiver) = mpsc::channel();
///     let game = source.open(Box::new(move |event| drop(sender.send(event))));
///     let mut model = Model::default();
///     for event in receiver {
///         for line in model.take(&event) {
///             println!("{}", line.text);
///         }
///     }
///     game.close();
/// }
/// ```
pub struct Game {
    order: Box<dyn Fn(Order) + Send>,
    thread: Option<JoinHandle<()>>,
}

impl Game {
    pub(crate) fn new(order: Box<dyn Fn(Order) + Send>, thread: JoinHandle<()>) -> Game {
        Game { order, thread: Some(thread) }
    }

    /// Makes a request. The answer is a message with an id: an update, `done` or `refused`. Without a connection, the
    /// request waits until there is one.
    pub fn send(&self, request: Request) {
        (self.order)(Order::Ask(request));
    }

    /// Ends it. The game is saved; a seat on a server is kept.
    pub fn close(mut self) {
        self.end();
    }

    fn end(&mut self) {
        (self.order)(Order::Stop);
        if let Some(thread) = self.thread.take() {
            // It panicked. Nothing can be done here, and the hook has reported it.
            let _ = thread.join();
        }
    }
}

impl Drop for Game {
    fn drop(&mut self) {
        if self.thread.is_some() {
            self.end();
        }
    }
}

impl std::fmt::Debug for Game {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Game").finish_non_exhaustive()
    }
}
