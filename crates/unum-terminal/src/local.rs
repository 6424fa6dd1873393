//! A table in this process: one person, bots, no server. A [`Driver`] runs it, as on a server.

use std::collections::VecDeque;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};

use unum_client::{Witness, roll};
use unum_protocol::{Level, Refusal, Request, ServerMsg, Settings};
use unum_table::os::{Clock, OsDice};
use unum_table::{
    Codec, Dice, Driver, Entry, GuestId, Idea, Input, Letter, Moment, Newcomer, Outgoing, Table, Thought, World,
};

use crate::game::{Ending, Event, Game, Order, Sink};
use crate::saved::{Journal, SavedError, Shelf};

/// The one person at a local table.
pub(crate) const ME: GuestId = GuestId(1);
/// How many decisions of quick bots go into one batch.
const DECISIONS: usize = 100;

/// What to play in a new game.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Setup {
    /// The person's name.
    pub name: String,
    /// What is played. There is one seat for each, and no onlookers.
    pub settings: Settings,
    /// The bots, one for each other chair.
    pub opponents: Vec<Level>,
}

/// Why a game cannot start.
#[derive(Debug, thiserror::Error)]
pub enum LocalError {
    /// The table does not allow it.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The game cannot be saved or read.
    #[error(transparent)]
    Saved(#[from] SavedError),
}

/// A table that is ready to be played at.
#[derive(Debug)]
pub struct Local {
    driver: Driver<Home>,
    journal: Journal,
    mail: Receiver<Mail>,
    last_id: u32,
    /// Takes part in the deals, and checks them.
    witness: Witness,
}

/// The world of a local table: this machine's clock and random numbers, threads to think on, one connection.
#[derive(Debug)]
struct Home {
    clock: Clock,
    own: Sender<Mail>,
    /// How a lying table alters its messages, for tests.
    #[cfg(test)]
    lie: fn(&mut ServerMsg),
}

impl Home {
    fn new(own: Sender<Mail>) -> Home {
        Home {
            clock: Clock::start(),
            own,
            #[cfg(test)]
            lie: |_| (),
        }
    }
}

impl Dice for Home {
    fn roll(&mut self) -> [u8; 32] {
        OsDice.roll()
    }
}

impl Codec for Home {
    type Frame = ServerMsg;

    #[cfg(not(test))]
    fn encode(&mut self, message: &Outgoing<'_>) -> ServerMsg {
        message.to_message()
    }

    #[cfg(test)]
    fn encode(&mut self, message: &Outgoing<'_>) -> ServerMsg {
        let mut message = message.to_message();
        (self.lie)(&mut message);
        message
    }
}

impl World for Home {
    type Line = ();

    fn now(&self) -> Moment {
        self.clock.now()
    }

    fn ponder(&mut self, thought: Thought) {
        let own = self.own.clone();
        // A table that has ended no longer needs it.
        std::thread::spawn(move || drop(own.send(Mail::Idea(Box::new(thought.think())))));
    }

    /// Nothing is cut short for the one person here.
    fn size(&self, _: &ServerMsg) -> usize {
        0
    }
}

/// What comes in at a table.
#[derive(Debug)]
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
        let (own, mail) = mpsc::channel();
        let home = Home::new(own);
        let seats = u8::try_from(setup.opponents.len() + 1).unwrap_or(u8::MAX);
        let settings = Settings { seats, spectators: false, ..setup.settings.clone() };
        let (table, opening) = Table::open("local", ME, settings, home.now(), &mut OsDice)?;
        let mut driver = Driver::new(Box::new(table), opening.seq, home);
        let mut entries = vec![opening];
        let mut witness = Witness::default();
        entries.extend(begin(&mut driver, setup, &mut witness)?);
        let mut journal = shelf.create()?;
        journal.append(&entries)?;
        Ok(Local { driver, journal, mail, last_id: 0, witness })
    }

    /// A saved game, resumed.
    ///
    /// # Errors
    /// When there is none, or somebody plays it.
    pub fn resume(shelf: &Shelf, number: u32) -> Result<Local, LocalError> {
        let (journal, entries) = shelf.reopen(number)?;
        let table = Box::new(shelf.restore(number, entries)?);
        let (own, mail) = mpsc::channel();
        let driver = Driver::new(table, 0, Home::new(own));
        Ok(Local { driver, journal, mail, last_id: 0, witness: Witness::default() })
    }

    /// The number under which it is saved.
    pub fn number(&self) -> u32 {
        self.journal.number()
    }

    pub(crate) fn open(self, mut sink: Sink) -> Game {
        let sender = self.driver.world.own.clone();
        let thread = std::thread::spawn(move || {
            let ending = match self.run(&mut sink) {
                Ok(()) => Ending::Closed,
                Err(error) => Ending::Failed(format!("the game cannot be saved: {error}")),
            };
            sink(Event::Ended(ending));
        });
        // A table that has ended takes no more mail.
        Game::new(Box::new(move |order| drop(sender.send(Mail::Order(order)))), thread)
    }

    fn run(mut self, sink: &mut Sink) -> Result<(), SavedError> {
        self.driver.arrive(me(String::new()), None, ());
        loop {
            if self.finish(sink)? {
                return Ok(());
            }
            self.driver.think(DECISIONS);
            if self.driver.is_settled() {
                match self.wait() {
                    Some(Mail::Order(Order::Stop)) => return Ok(()),
                    Some(Mail::Order(Order::Ask(request))) => self.ask(request),
                    Some(Mail::Idea(idea)) => drop(self.driver.put(Input::Thought(*idea))),
                    None => drop(self.driver.put(Input::Tick)),
                }
            }
        }
    }

    /// Waits for mail; `None` when the table's deadline has come.
    fn wait(&self) -> Option<Mail> {
        let Some(deadline) = self.driver.table.deadline() else {
            return Some(self.mail.recv().unwrap_or(Mail::Order(Order::Stop)));
        };
        match self.mail.recv_timeout(self.driver.world.clock.until(deadline)) {
            Ok(mail) => Some(mail),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Mail::Order(Order::Stop)),
        }
    }

    fn ask(&mut self, request: Request) {
        self.last_id = self.last_id.saturating_add(1);
        let request = self.witness.prepare(request, &mut roll);
        self.driver.ask(ME, &(), self.last_id, request);
    }

    /// Makes a request whose answer nobody waits for.
    fn ask_quietly(&mut self, request: Request) {
        let request = self.witness.prepare(request, &mut roll);
        // Updates tell the result.
        let _ = self.driver.ask_once(ME, request);
    }

    /// Saves what happened, then delivers it. Returns whether the person has left.
    fn finish(&mut self, sink: &mut Sink) -> Result<bool, SavedError> {
        let written = match self.driver.take_batch() {
            Ok(batch) => {
                self.journal.append(&batch.entries)?;
                batch.written()
            }
            Err(nothing) => nothing,
        };
        let (mut told, mut requests, mut left) = (Vec::new(), Vec::new(), false);
        self.driver.deliver(written, |_, letter| match letter {
            Letter::Frames((), messages) => messages.for_each(|message| {
                if let ServerMsg::Welcome { last_id, .. } = message {
                    self.last_id = *last_id;
                }
                let heard = self.witness.hear(message, &mut roll);
                requests.extend(heard.requests);
                told.push(Event::Message(Box::new(message.clone())));
                told.extend(heard.verdict.map(Event::Checked));
            }),
            Letter::End(..) => left = true,
        });
        sink(Event::Together(told));
        requests.into_iter().for_each(|request| self.ask_quietly(request));
        Ok(left)
    }
}

/// The one person, without an address.
fn me(name: String) -> Newcomer {
    Newcomer::named(ME, name)
}

/// Seats the person and the bots, and deals. Returns what to save.
fn begin(driver: &mut Driver<Home>, setup: &Setup, witness: &mut Witness) -> Result<Vec<Entry>, Refusal> {
    driver.arrive(me(setup.name.clone()), None, ());
    let bots = setup.opponents.iter().map(|level| Request::AddBot { level: *level });
    let accept = Request::Accept { agreement: driver.table.agreement() };
    let mut requests: VecDeque<Request> = bots.chain([accept, Request::Start { pledge: None }]).collect();
    let mut begun = Vec::new();
    pass_on(driver, witness, &mut requests, &mut begun)?;
    while let Some(request) = requests.pop_front() {
        driver.ask_once(ME, witness.prepare(request, &mut roll))?;
        pass_on(driver, witness, &mut requests, &mut begun)?;
    }
    driver.leave(ME, &());
    pass_on(driver, witness, &mut requests, &mut begun)?;
    Ok(begun)
}

/// Shows the witness what a table that is about to be saved has said.
fn pass_on(
    driver: &mut Driver<Home>,
    witness: &mut Witness,
    requests: &mut VecDeque<Request>,
    begun: &mut Vec<Entry>,
) -> Result<(), Refusal> {
    let written = match driver.take_batch() {
        Ok(batch) => {
            begun.extend(batch.entries.iter().cloned());
            batch.written()
        }
        Err(nothing) => nothing,
    };
    let mut refused = None;
    driver.deliver(written, |_, letter| {
        let Letter::Frames((), messages) = letter else { return };
        for message in messages {
            if let ServerMsg::Bye { code, message, .. } = message {
                refused = Some(Refusal::new(*code, message.clone()));
            }
            requests.extend(witness.hear(message, &mut roll).requests);
        }
    });
    refused.map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn revealed(message: &mut ServerMsg) -> Option<&mut unum_rules::fair::FairDeal> {
        match message {
            ServerMsg::Update { lobby: Some(lobby), .. } => lobby.fair.revealed.as_mut(),
            _ => None,
        }
    }

    /// What a person reads about a round that is dealt, and broken off, by a table that lies from then on.
    fn lines_after(lie: fn(&mut ServerMsg), forgets: bool) -> (crate::Model, Vec<String>) {
        let folder = tempfile::tempdir().unwrap();
        let setup = Setup { name: "Ann".to_owned(), settings: Settings::default(), opponents: vec![Level::Easy] };
        let mut local = Local::new(&Shelf::new(folder.path()), &setup).unwrap();
        local.driver.world.lie = lie;
        if forgets {
            local.witness = Witness::default();
        }
        let (sender, receiver) = mpsc::channel();
        let game = local.open(Box::new(move |event| drop(sender.send(event))));
        game.send(Request::Reopen {});
        let (mut model, mut lines) = (crate::Model::default(), Vec::new());
        while !lines.iter().any(|line: &String| line.contains("lobby")) {
            let event = receiver.recv_timeout(std::time::Duration::from_secs(60)).unwrap();
            lines.extend(model.take(&event).iter().map(|line| line.text.to_string()));
        }
        game.close();
        (model, lines)
    }

    #[test]
    fn a_table_that_lies_is_told_so_that_nobody_can_miss_it() {
        let lies: [fn(&mut ServerMsg); 3] = [
            |message| revealed(message).into_iter().for_each(|deal| deal.secret.0[0] ^= 1),
            |message| revealed(message).into_iter().for_each(|deal| deal.entropy[0] = None),
            |message| {
                if let ServerMsg::Update { lobby: Some(lobby), .. } = message {
                    (lobby.fair.dealt, lobby.fair.revealed) = (None, None);
                }
            },
        ];
        for (number, lie) in lies.into_iter().enumerate() {
            let (model, lines) = lines_after(lie, false);
            assert!(lines.iter().any(|line| line.contains("NOT FAIR")), "lie {number}: {lines:?}");
            assert!(model.alarm.is_some(), "lie {number}");
        }
        let (model, lines) = lines_after(|_| (), false);
        assert!(model.alarm.is_none() && lines.iter().all(|line| !line.contains("deal of")), "{lines:?}");
        let (model, lines) = lines_after(|_| (), true);
        assert!(model.alarm.is_none() && lines.iter().any(|line| line.contains("not compared")), "{lines:?}");
    }

    #[test]
    fn a_game_that_cannot_be_is_refused_before_there_is_a_file() {
        let shelf = Shelf::new(std::path::Path::new("/no/such/folder"));
        let setup = Setup { name: "Ann".to_owned(), settings: Settings::default(), opponents: vec![Level::Easy; 9] };
        let mut twenty = setup.clone();
        twenty.settings.rules.house.hand_size = Some(20);
        for (setup, words) in [(twenty, "20"), (Setup { name: "\u{200b}".to_owned(), ..setup }, "letter")] {
            match Local::new(&shelf, &setup) {
                Err(LocalError::Refused(refusal)) => assert!(refusal.message.contains(words), "{refusal}"),
                other => panic!("{other:?}"),
            }
        }
    }
}
