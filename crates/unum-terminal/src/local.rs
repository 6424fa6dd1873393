//! A table in this process: one person, bots, no server. The journal first, then the messages, as a server does it.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use unum_bots::Level;
use unum_client::{Message, entropy};
use unum_table::wire::{Request, ServerMsg, Settings};
use unum_table::{Dice, GuestId, Idea, Input, Look, Moment, Outcome, Table, Thought};

use crate::game::{Ending, Event, Game, Order, Sink};
use crate::saved::{Journal, SavedError, Shelf};

/// The one person at a local table.
pub(crate) const ME: GuestId = GuestId(1);
/// How many decisions of quick bots are written at once.
const DECISIONS: usize = 100;

/// What a new game is to be.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    /// What the person is called.
    pub name: String,
    /// What is played. There is one seat for each, and nobody looks on.
    pub settings: Settings,
    /// The bots, one for each other chair.
    pub opponents: Vec<Level>,
}

/// Why there is no game.
#[derive(Debug, thiserror::Error)]
pub enum LocalError {
    /// The table does not allow it; in words.
    #[error("{0}")]
    Refused(String),
    /// The game cannot be saved or read.
    #[error(transparent)]
    Saved(#[from] SavedError),
}

/// A table that is ready to be played at.
#[derive(Debug)]
pub struct Local {
    table: Box<Table>,
    journal: Journal,
    clock: Clock,
    last_id: u32,
}

/// The operating system's generator.
#[derive(Debug)]
pub(crate) struct OsDice;

impl Dice for OsDice {
    fn roll(&mut self) -> [u8; 32] {
        entropy().0
    }
}

/// The time of the world at the start, and from there on a clock that nobody sets.
#[derive(Clone, Copy, Debug)]
struct Clock {
    started: Instant,
    at: Duration,
}

impl Clock {
    fn start() -> Clock {
        Clock { started: Instant::now(), at: SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default() }
    }

    fn now(&self) -> Moment {
        Moment(u64::try_from((self.at + self.started.elapsed()).as_millis()).unwrap_or(u64::MAX))
    }
}

/// What comes in at a table.
enum Mail {
    Order(Order),
    Idea(Box<Idea>),
}

impl Local {
    /// A new game, dealt and saved.
    ///
    /// # Errors
    /// When there can be no such table, or no file for it.
    pub fn new(shelf: &Shelf, setup: &Setup) -> Result<Local, LocalError> {
        let clock = Clock::start();
        let seats = u8::try_from(setup.opponents.len() + 1).unwrap_or(u8::MAX);
        let settings = Settings { seats, spectators: false, ..setup.settings.clone() };
        let opened = Table::open("local", settings, clock.now(), &mut OsDice);
        let (mut table, opening) = opened.map_err(|refusal| LocalError::Refused(sentence(&refusal)))?;
        let mut entries = opening.entries;
        let mut put = |input| {
            let outcome = table.handle(input, clock.now(), &mut OsDice);
            entries.extend(outcome.entries);
            let refused = outcome.deliveries.iter().map(|delivery| &delivery.message);
            match refused
                .into_iter()
                .find(|message| matches!(message, ServerMsg::Refused { .. } | ServerMsg::Bye { .. }))
            {
                Some(refusal) => Err(LocalError::Refused(sentence(refusal))),
                None => Ok(()),
            }
        };
        put(Input::Arrived { guest: ME, name: setup.name.clone(), look: Look::default() })?;
        let bots = setup.opponents.iter().map(|level| Request::AddBot { level: *level });
        let rest = [Request::Accept { agreement: 1 }, Request::Start { entropy: Some(entropy()) }];
        for request in bots.chain(rest) {
            put(Input::Asked { guest: ME, id: 0, request })?;
        }
        let mut journal = shelf.create()?;
        journal.append(&entries)?;
        table.handle(Input::Gone { guest: ME }, clock.now(), &mut OsDice);
        Ok(Local { table: Box::new(table), journal, clock, last_id: 0 })
    }

    /// A saved game, to go on with.
    ///
    /// # Errors
    /// When there is none, or somebody plays it.
    pub fn resume(shelf: &Shelf, number: u32) -> Result<Local, LocalError> {
        let (journal, entries) = shelf.reopen(number)?;
        let table = Box::new(shelf.restore(number, entries)?);
        Ok(Local { table, journal, clock: Clock::start(), last_id: 0 })
    }

    /// The number under which it is saved.
    pub fn number(&self) -> u32 {
        self.journal.number()
    }

    pub(crate) fn open(self, mut sink: Sink) -> Game {
        let (sender, receiver) = mpsc::channel();
        let own = sender.clone();
        let thread = std::thread::spawn(move || {
            let ending = match self.run(&receiver, &own, &mut sink) {
                Ok(()) => Ending::Closed,
                Err(error) => Ending::Failed(format!("the game cannot be saved: {error}")),
            };
            sink(Event::Ended(ending));
        });
        // A table that has ended hears nothing more.
        Game::new(Box::new(move |order| drop(sender.send(Mail::Order(order)))), thread)
    }

    fn run(mut self, mail: &Receiver<Mail>, own: &Sender<Mail>, sink: &mut Sink) -> Result<(), SavedError> {
        let arrival = self.handle(Input::Arrived { guest: ME, name: String::new(), look: Look::default() });
        let greeting = self.table.greet(ME, None, self.clock.now());
        if let Some(ServerMsg::Welcome { last_id, .. }) = greeting.first() {
            self.last_id = *last_id;
        }
        self.journal.append(&arrival.entries)?;
        sink(Event::Together(greeting.iter().map(event).collect()));
        loop {
            let mut outcomes = self.think(own);
            if outcomes.is_empty() {
                match self.wait(mail) {
                    Some(Mail::Order(Order::Stop)) => return Ok(()),
                    Some(Mail::Order(Order::Ask(request))) => outcomes.push(self.ask(request)),
                    Some(Mail::Idea(idea)) => outcomes.push(self.handle(Input::Thought(*idea))),
                    None => outcomes.push(self.handle(Input::Tick)),
                }
            }
            if self.finish(outcomes, sink)? {
                return Ok(());
            }
        }
    }

    /// Waits for mail; `None` when the table's time has come. Whoever went away without a word wants it to end, too.
    fn wait(&self, mail: &Receiver<Mail>) -> Option<Mail> {
        let Some(deadline) = self.table.deadline() else {
            return Some(mail.recv().unwrap_or(Mail::Order(Order::Stop)));
        };
        let pause = Duration::from_millis(deadline.0.saturating_sub(self.clock.now().0));
        match mail.recv_timeout(pause) {
            Ok(mail) => Some(mail),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Mail::Order(Order::Stop)),
        }
    }

    fn handle(&mut self, input: Input) -> Outcome {
        self.table.handle(input, self.clock.now(), &mut OsDice)
    }

    fn ask(&mut self, request: Request) -> Outcome {
        self.last_id = self.last_id.saturating_add(1);
        self.handle(Input::Asked { guest: ME, id: self.last_id, request })
    }

    /// Lets quick bots act, and slow ones think on threads of their own.
    fn think(&mut self, own: &Sender<Mail>) -> Vec<Outcome> {
        let mut outcomes = Vec::new();
        while outcomes.len() < DECISIONS {
            let thoughts = self.table.thoughts(self.clock.now());
            if thoughts.is_empty() {
                break;
            }
            for thought in thoughts {
                if thought.is_slow() {
                    ponder(thought, own.clone());
                } else {
                    outcomes.push(self.handle(Input::Thought(thought.think())));
                }
            }
        }
        outcomes
    }

    /// Saves what happened, then tells it. Says whether the person has left.
    fn finish(&mut self, outcomes: Vec<Outcome>, sink: &mut Sink) -> Result<bool, SavedError> {
        let entries: Vec<_> = outcomes.iter().flat_map(|outcome| outcome.entries.iter().cloned()).collect();
        if !entries.is_empty() {
            self.journal.append(&entries)?;
        }
        let left = outcomes.iter().any(|outcome| outcome.dismissed.contains(&ME));
        let told = outcomes.iter().flat_map(|outcome| &outcome.deliveries).map(|delivery| event(&delivery.message));
        sink(Event::Together(told.collect()));
        Ok(left)
    }
}

fn ponder(thought: Thought, own: Sender<Mail>) {
    // A table that has ended waits for no idea.
    std::thread::spawn(move || drop(own.send(Mail::Idea(Box::new(thought.think())))));
}

/// A message in the same form in which it comes from a server.
fn event(message: &ServerMsg) -> Event {
    let text = serde_json::to_string(message).expect("messages are made of names, numbers and lists");
    Event::Message(Box::new(Message::parse(text).expect("a client can read what a table says")))
}

fn sentence(message: &ServerMsg) -> String {
    match message {
        ServerMsg::Refused { message, .. } | ServerMsg::Bye { message, .. } => message.clone(),
        _ => String::new(),
    }
}
