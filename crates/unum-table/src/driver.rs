//! Runs one table without IO: connections, bots' thinking, and write-ahead journaling ("journal first, then messages").
//!
//! A server's task, a terminal's local game and a browser's worker differ in what a connection is, where bots think and
//! what a journal is; a [`World`] supplies that, and the driver does the rest. Inputs go in; their results are held
//! until [`Driver::take_batch`] has handed out the entries and [`Driver::deliver`] learns that they are durable. Only
//! then is anybody told.

use unum_protocol::{Refusal, Request, ServerMsg};

use unum_rules::order;

use crate::render::Codec;
use crate::{
    Blocked, Dice, Entry, Fact, GuestId, Idea, Input, MatchPart, Moment, Newcomer, Outcome, Reported, Snapshot, Table,
    Thought,
};

/// What surrounds a table: time, random bytes, connections, and a place where slow bots think.
pub trait World: Dice + Codec {
    /// One connection.
    type Line: Clone + PartialEq;

    /// The time.
    fn now(&self) -> Moment;

    /// Lets a slow bot think elsewhere; its decision comes back as an [`Input::Thought`].
    fn ponder(&mut self, thought: Thought);

    /// Lets a quick bot think right here.
    fn think(&mut self, thought: Thought) -> Idea {
        thought.think()
    }

    /// Passes a report on to the operator. Answers its request over the reporter's connection when that is done.
    fn report(&mut self, _line: &Self::Line, _report: Reported) {}

    /// Remembers for other tables whom somebody blocks.
    fn block(&mut self, _blocked: Blocked) {}

    /// How large a message is, in bytes.
    fn size(&self, frame: &Self::Frame) -> usize;
}

/// The most that a returning client is told of what they missed; beyond that, a snapshot is better.
const MISSED_BYTES: usize = 32 * 1024;

/// One table, driven.
#[derive(Debug)]
pub struct Driver<W: World> {
    /// The table.
    pub table: Box<Table>,
    /// What surrounds it.
    pub world: W,
    connected: Vec<(GuestId, W::Line)>,
    /// The number of the last entry that the journal holds.
    durable: u64,
    entries: Vec<Entry>,
    snapshot: Option<Snapshot>,
    parts: Vec<MatchPart>,
    left: Vec<GuestId>,
    frames: Vec<W::Frame>,
    /// Recipient, connection, and index of the frame.
    letters: Vec<(GuestId, W::Line, usize)>,
    endings: Vec<(W::Line, Ending)>,
}

/// How somebody is greeted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Greeting {
    /// With a welcome.
    Whole,
    /// With what is new alone, if that can be.
    News,
}

/// Whether a message of a greeting is understood without the ones that would have come before it. What was missed is told
/// with the lobby as it is in the end, so that a deal in between is not seen.
fn is_plain(message: &ServerMsg) -> bool {
    use ServerMsg::{Presence, Update, Welcome};
    matches!(message, Welcome { .. } | Presence { .. } | Update { lobby: None, .. })
}

/// Why a connection is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The guest has left or was removed.
    Dismissed,
    /// The guest has connected again.
    Replaced,
}

/// What has to be durable before anybody is told.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// The number of the last entry before.
    pub after: u64,
    /// The entries, in order.
    pub entries: Vec<Entry>,
    /// The table just after one of the entries. Entries up to that one are no longer needed.
    pub snapshot: Option<Snapshot>,
    /// The part of the current match that a snapshot includes, for its record.
    pub parts: Vec<MatchPart>,
    /// The code that invites to the table from now on, if it has changed.
    pub renewed: Option<String>,
    /// Guests who have joined.
    pub joined: Vec<GuestId>,
    /// Guests who have left or were turned away.
    pub left: Vec<GuestId>,
    /// Whether the table is closed for good.
    pub closed: bool,
}

/// Proof that a batch is durable, or that there was nothing to write.
#[derive(Debug)]
pub struct Written(());

impl Batch {
    /// The batch is durable.
    pub fn written(self) -> Written {
        Written(())
    }
}

/// Something to be sent.
pub enum Letter<'a, W: World> {
    /// All messages for a connection, in order.
    Frames(&'a W::Line, Frames<'a, W>),
    /// The end of a connection, after its last message.
    End(W::Line, Ending),
}

/// Messages for one connection: at least one.
pub struct Frames<'a, W: World> {
    letters: std::slice::Iter<'a, (GuestId, W::Line, usize)>,
    frames: &'a [W::Frame],
}

impl<'a, W: World> Iterator for Frames<'a, W> {
    type Item = &'a W::Frame;

    fn next(&mut self) -> Option<&'a W::Frame> {
        self.letters.next().map(|(_, _, frame)| &self.frames[*frame])
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.letters.size_hint()
    }
}

impl<W: World> ExactSizeIterator for Frames<'_, W> {}

impl<W: World> Clone for Frames<'_, W> {
    fn clone(&self) -> Self {
        Frames { letters: self.letters.clone(), frames: self.frames }
    }
}

impl<W: World> Driver<W> {
    /// Drives a table that nobody is connected to. `durable` is the number of its last entry in the journal.
    pub fn new(table: Box<Table>, durable: u64, world: W) -> Driver<W> {
        Driver {
            table,
            world,
            connected: Vec::new(),
            durable,
            entries: Vec::new(),
            snapshot: None,
            parts: Vec::new(),
            left: Vec::new(),
            frames: Vec::new(),
            letters: Vec::new(),
            endings: Vec::new(),
        }
    }

    /// The connections there are.
    pub fn lines(&self) -> impl Iterator<Item = &W::Line> {
        self.connected.iter().map(|(_, line)| line)
    }

    /// Whether nothing is waiting to be written or sent.
    pub fn is_settled(&self) -> bool {
        self.entries.is_empty() && self.letters.is_empty() && self.endings.is_empty()
    }

    /// How many entries wait to be written.
    pub fn unwritten(&self) -> usize {
        self.entries.len()
    }

    /// The connections there are, and whose they are.
    pub fn connected(&self) -> impl Iterator<Item = (GuestId, &W::Line)> {
        self.connected.iter().map(|(guest, line)| (*guest, line))
    }

    /// Somebody has connected. Another connection of theirs is closed.
    pub fn arrive(&mut self, newcomer: Newcomer, after: Option<u64>, line: W::Line) {
        self.admit(newcomer, after, line, Greeting::Whole);
    }

    /// Somebody comes over a connection on which another driver of this table has told them everything up to that number,
    /// and owes them no answer: see [`Table::told`]. They do not notice the change, unless the lobby has changed since: then they
    /// are welcomed again, so that they know of the gap.
    pub fn carry_on(&mut self, newcomer: Newcomer, told: u64, line: W::Line) {
        self.admit(newcomer, Some(told), line, Greeting::News);
    }

    fn admit(&mut self, newcomer: Newcomer, after: Option<u64>, line: W::Line, greeting: Greeting) {
        let guest = newcomer.guest;
        if let Some(at) = self.place_of(guest) {
            self.endings.push((self.connected.swap_remove(at).1, Ending::Replaced));
        }
        self.connected.push((guest, line.clone()));
        self.put(Input::Arrived(newcomer));
        if self.place_of(guest).is_some() {
            self.greet(guest, after, &line, greeting);
        }
    }

    /// Sends what was missed, or a snapshot if that is too much.
    fn greet(&mut self, guest: GuestId, after: Option<u64>, line: &W::Line, greeting: Greeting) {
        let mut frames = self.greeting(guest, after, greeting);
        let bytes: usize = frames.iter().map(|frame| self.world.size(frame)).sum();
        if after.is_some() && bytes > MISSED_BYTES {
            frames = self.greeting(guest, None, greeting);
        }
        for frame in frames {
            self.letters.push((guest, line.clone(), self.frames.len()));
            self.frames.push(frame);
        }
    }

    fn greeting(&mut self, guest: GuestId, after: Option<u64>, greeting: Greeting) -> Vec<W::Frame> {
        let mut messages = self.table.greet(guest, after, self.world.now());
        if greeting == Greeting::News && messages.iter().all(is_plain) {
            messages.retain(|message| !matches!(message, ServerMsg::Welcome { .. }));
        }
        messages.iter().map(|message| self.world.encode(&crate::Outgoing::Message(message))).collect()
    }

    /// A connection is gone. One that was already replaced is ignored.
    pub fn leave(&mut self, guest: GuestId, line: &W::Line) {
        if let Some(at) = self.place_of(guest).filter(|at| self.connected[*at].1 == *line) {
            self.connected.swap_remove(at);
            self.put(Input::Gone { guest });
        }
    }

    /// A request on a connection. One that was replaced or closed is ignored.
    pub fn ask(&mut self, guest: GuestId, line: &W::Line, id: u32, request: Request) {
        if self.place_of(guest).is_some_and(|at| self.connected[at].1 == *line) {
            self.put(Input::Asked { guest, id, request });
        }
    }

    /// A request that did not come over a connection: its answer is returned, to be told once it is durable.
    ///
    /// # Errors
    /// When it is refused.
    pub fn ask_once(&mut self, guest: GuestId, request: Request) -> Result<(), Refusal> {
        self.put(Input::Asked { guest, id: 0, request }).unwrap_or(Ok(()))
    }

    /// Handles an input. Returns the answer to a request without a number.
    pub fn put(&mut self, input: Input) -> Option<Result<(), Refusal>> {
        let now = self.world.now();
        // Somebody whose seat was taken while they were away has left the table.
        let kept: Vec<GuestId> = self.table.kept().collect();
        let effects = self.table.take(input, now, &mut self.world);
        self.left.extend(kept.into_iter().filter(|guest| !self.table.knows(*guest)));
        let outcome = self.table.tell(effects, &mut self.world);
        let Outcome { entries, snapshot, parts, deliveries, answer, dismissed, reports, blocks } = outcome;
        self.entries.extend(entries);
        self.parts.extend(parts);
        self.snapshot = snapshot.or(self.snapshot.take());
        for delivery in deliveries {
            let (frame, before) = (self.frames.len(), self.letters.len());
            let lines = delivery.to.iter().filter_map(|guest| self.connected.iter().find(|(other, _)| other == guest));
            self.letters.extend(lines.map(|(guest, line)| (*guest, line.clone(), frame)));
            if self.letters.len() > before {
                self.frames.push(delivery.message);
            }
        }
        for report in reports {
            if let Some(at) = self.place_of(report.reporter) {
                self.world.report(&self.connected[at].1, report);
            }
        }
        blocks.into_iter().for_each(|blocked| self.world.block(blocked));
        for guest in dismissed {
            if let Some(at) = self.place_of(guest) {
                self.endings.push((self.connected.swap_remove(at).1, Ending::Dismissed));
            }
            self.left.push(guest);
        }
        answer
    }

    fn place_of(&self, guest: GuestId) -> Option<usize> {
        self.connected.iter().position(|(other, _)| *other == guest)
    }

    /// Lets quick bots act, up to a number of decisions, and slow ones think elsewhere.
    pub fn think(&mut self, most: usize) {
        let mut decisions = 0;
        while decisions < most {
            let thoughts = self.table.thoughts(self.world.now());
            if thoughts.is_empty() {
                return;
            }
            for thought in thoughts {
                if thought.is_slow() {
                    self.world.ponder(thought);
                } else {
                    decisions += 1;
                    let idea = self.world.think(thought);
                    self.put(Input::Thought(idea));
                }
            }
        }
    }

    /// What has to be durable before [`Driver::deliver`].
    ///
    /// # Errors
    /// When there is nothing to write: it can be delivered at once.
    pub fn take_batch(&mut self) -> Result<Batch, Written> {
        let (entries, left) = (std::mem::take(&mut self.entries), std::mem::take(&mut self.left));
        if entries.is_empty() {
            return Err(Written(()));
        }
        let after = self.durable;
        self.durable += entries.len() as u64;
        let here = |guest: &GuestId| self.table.knows(*guest);
        let joined = entries.iter().filter_map(|entry| match entry.fact {
            Fact::Joined { guest, .. } => Some(guest),
            _ => None,
        });
        // Somebody may come and go, or go and come back, within one batch.
        let (joined, left) = (joined.filter(here).collect(), left.into_iter().filter(|guest| !here(guest)).collect());
        let renewed = entries.iter().rev().find_map(|entry| match &entry.fact {
            Fact::CodeRenewed { code } => Some(code.clone()),
            _ => None,
        });
        let (snapshot, parts) = (self.snapshot.take(), std::mem::take(&mut self.parts));
        Ok(Batch { after, renewed, joined, entries, snapshot, parts, left, closed: self.table.is_closed() })
    }

    /// Hands out the messages whose causes are now durable, grouped by connection so several can be sent in one piece.
    pub fn deliver(&mut self, _: Written, mut send: impl FnMut(&W, Letter<'_, W>)) {
        // Stable: what one guest is told stays in order, over an old connection first.
        order::sort_by_key(&mut self.letters, |(guest, ..)| *guest);
        for letters in self.letters.chunk_by(|(_, one, _), (_, other, _)| one == other) {
            let frames = Frames { letters: letters.iter(), frames: &self.frames };
            send(&self.world, Letter::Frames(&letters[0].1, frames));
        }
        self.letters.clear();
        self.frames.clear();
        for (line, ending) in self.endings.drain(..) {
            send(&self.world, Letter::End(line, ending));
        }
    }
}

#[cfg(test)]
mod tests {
    use unum_protocol::Settings;

    use super::*;
    use crate::{Outgoing, SeededDice};

    const ANN: GuestId = GuestId(1);
    const BOB: GuestId = GuestId(2);

    /// A world in which nothing happens.
    struct Still(SeededDice);

    impl Dice for Still {
        fn roll(&mut self) -> [u8; 32] {
            self.0.roll()
        }
    }

    impl Codec for Still {
        type Frame = ServerMsg;

        fn encode(&mut self, message: &Outgoing<'_>) -> ServerMsg {
            message.to_message()
        }
    }

    impl World for Still {
        type Line = u32;

        fn now(&self) -> Moment {
            Moment(5)
        }

        fn ponder(&mut self, _: Thought) {}

        fn size(&self, _: &ServerMsg) -> usize {
            0
        }
    }

    #[test]
    fn who_leaves_and_comes_back_within_a_batch_is_there() {
        let (table, _) = Table::open("t", ANN, Settings::default(), Moment(1), &mut SeededDice::new(1)).unwrap();
        let mut driver = Driver::new(Box::new(table), 1, Still(SeededDice::new(2)));
        let arrive = |driver: &mut Driver<Still>, guest, line| {
            let newcomer = Newcomer::named(guest, "Name");
            driver.arrive(newcomer, None, line);
        };
        arrive(&mut driver, ANN, 1);
        arrive(&mut driver, BOB, 2);
        assert_eq!(driver.take_batch().unwrap().joined, [ANN, BOB]);
        driver.ask(BOB, &2, 1, Request::Leave {});
        arrive(&mut driver, BOB, 3);
        let batch = driver.take_batch().unwrap();
        assert_eq!((batch.joined, batch.left), (vec![BOB], vec![]));
        arrive(&mut driver, GuestId(3), 4);
        driver.ask(GuestId(3), &4, 1, Request::Leave {});
        let batch = driver.take_batch().unwrap();
        assert_eq!((batch.joined, batch.left), (vec![], vec![GuestId(3)]));
    }

    #[test]
    fn who_is_carried_over_is_welcomed_only_after_missing_more_than_talk() {
        let (table, _) = Table::open("t", ANN, Settings::default(), Moment(1), &mut SeededDice::new(1)).unwrap();
        let mut driver = Driver::new(Box::new(table), 1, Still(SeededDice::new(2)));
        driver.arrive(Newcomer::named(ANN, "Ann"), None, 1);
        driver.arrive(Newcomer::named(BOB, "Bob"), None, 2);
        let kinds = |driver: &mut Driver<Still>, line| {
            let written = driver.take_batch().map_or_else(|written| written, Batch::written);
            let mut kinds: Vec<&str> = Vec::new();
            driver.deliver(written, |_, letter| match letter {
                Letter::Frames(to, frames) if *to == line => kinds.extend(frames.map(|frame| match frame {
                    ServerMsg::Welcome { .. } => "welcome",
                    ServerMsg::Update { .. } => "update",
                    ServerMsg::Presence { .. } => "presence",
                    _ => "other",
                })),
                _ => {}
            });
            kinds
        };
        kinds(&mut driver, 2);
        let told = driver.table.told(BOB).unwrap();
        driver.carry_on(Newcomer::named(BOB, "Bob"), told, 3);
        assert_eq!(kinds(&mut driver, 3), ["presence"], "nothing was missed");
        driver.ask(ANN, &1, 1, Request::Chat { text: "Hello".to_owned() });
        kinds(&mut driver, 3);
        driver.carry_on(Newcomer::named(BOB, "Bob"), told, 4);
        assert_eq!(kinds(&mut driver, 4), ["update", "presence"]);
        driver.ask(ANN, &1, 2, Request::AddBot { level: unum_protocol::Level::Easy });
        kinds(&mut driver, 4);
        driver.carry_on(Newcomer::named(BOB, "Bob"), told, 5);
        assert_eq!(kinds(&mut driver, 5)[..1], ["welcome"], "the lobby has changed");
    }

    #[test]
    fn messages_are_handed_out_connection_by_connection_in_order() {
        let (table, _) = Table::open("t", ANN, Settings::default(), Moment(1), &mut SeededDice::new(1)).unwrap();
        let mut driver = Driver::new(Box::new(table), 1, Still(SeededDice::new(2)));
        let arrive = |driver: &mut Driver<Still>, guest, line| {
            let newcomer = Newcomer::named(guest, "Name");
            driver.arrive(newcomer, None, line);
        };
        arrive(&mut driver, BOB, 1);
        arrive(&mut driver, ANN, 2);
        for id in 1..4 {
            driver.ask(BOB, &1, id, Request::Chat { text: "Hello".to_owned() });
        }
        arrive(&mut driver, BOB, 3);
        let written = driver.take_batch().unwrap().written();
        let mut told: Vec<(u32, Vec<u64>)> = Vec::new();
        driver.deliver(written, |_, letter| {
            let Letter::Frames(line, frames) = letter else { return };
            let numbers = frames.filter_map(|frame| match frame {
                ServerMsg::Update { seq, .. } | ServerMsg::Snapshot { seq, .. } => Some(*seq),
                _ => None,
            });
            told.push((*line, numbers.collect()));
        });
        let lines: Vec<u32> = told.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [2, 1, 3], "each connection once, and the newer one of a guest later");
        assert!(told.iter().all(|(_, numbers)| numbers.is_sorted() && !numbers.is_empty()), "{told:?}");
        assert!(driver.is_settled());
    }
}
