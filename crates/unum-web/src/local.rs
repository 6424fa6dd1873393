//! The table: one person, bots, no server. A [`Driver`] runs it, as on a server.

use std::collections::VecDeque;
use std::time::Duration;

use unum_protocol::local::{self, LOCAL_CODE, Listed, Saved, Step};
use unum_protocol::rest::{Continuation, FinishedGame, GameSummary, TableSummary};
use unum_protocol::{
    CODE_ALPHABET, CODE_LENGTH, ClientMsg, Look, Refusal, Request, ServerCode, ServerMsg, Settings, TableCode, VERSION,
};
use unum_rules::record::Record;
use unum_rules::{Seat, json};
use unum_table::{
    Batch, Codec, Dice as _, Driver, Ending, Entry, GuestId, Input, Letter, Moment, Newcomer, Outgoing, Pondering,
    Restoring, Snapshot, Table, Thought, World, Written, finished,
};

use crate::dice::Dice;
use crate::study;

/// The one person at the table.
const ME: GuestId = GuestId(1);
/// How many decisions of quick bots go into one batch.
const DECISIONS: usize = 8;
/// How many worlds a bot imagines before others may do something: about a millisecond.
const WORLDS: u32 = 16;

/// What surrounds the table: what came with the question.
#[derive(Debug)]
struct Surroundings {
    now: Moment,
    dice: Dice,
    /// What slow bots are to think about.
    slow: VecDeque<Thought>,
}

impl unum_table::Dice for Surroundings {
    fn roll(&mut self) -> [u8; 32] {
        self.dice.roll()
    }
}

impl Codec for Surroundings {
    type Frame = String;

    fn encode(&mut self, message: &Outgoing<'_>) -> String {
        // Messages are made of names, numbers and lists: they can be written.
        serde_json::to_string(message).unwrap_or_default()
    }
}

impl World for Surroundings {
    /// Connections are counted.
    type Line = u32;

    fn now(&self) -> Moment {
        self.now
    }

    fn ponder(&mut self, thought: Thought) {
        self.slow.push_back(thought);
    }

    fn size(&self, frame: &String) -> usize {
        frame.len()
    }
}

/// What waits for its batch to be stored.
#[derive(Debug)]
enum Stage {
    /// Nothing: whatever there is can be told.
    Free,
    /// A batch that was not handed out yet.
    Due(Box<local::Batch>, Written),
    /// A batch that the caller stores.
    Stores(Written),
}

/// A table and its surroundings.
#[derive(Debug)]
pub(crate) struct Local {
    /// The code it was opened with, by which the caller stores it.
    code: String,
    driver: Driver<Surroundings>,
    /// The person's connection.
    line: Option<u32>,
    lines: u32,
    stage: Stage,
    told: Vec<String>,
    ended: bool,
    /// What a slow bot thinks about, and how long it has.
    pondering: Option<(Pondering, Duration)>,
    /// What snapshots have taken along of the match that is being played.
    parts: Vec<String>,
}

impl Local {
    /// Opens a table.
    pub(crate) fn open(settings: Settings, now: Moment, mut dice: Dice) -> Result<Box<Local>, Refusal> {
        let code = new_code(&mut dice);
        let (table, opening) = Table::open(&code, ME, settings, now, &mut dice)?;
        let mut local = Local::new(Box::new(table), opening.seq, now, dice);
        let batch = Batch { entries: vec![opening], ..Batch::default() };
        local.hold(batch)?;
        Ok(local)
    }

    /// Brings a table back.
    pub(crate) fn restore(
        snapshot: Option<Saved>,
        entries: &[String],
        parts: Vec<String>,
        now: Moment,
        mut dice: Dice,
    ) -> Result<Box<Local>, Refusal> {
        let damaged = |why: &dyn std::fmt::Display| Refusal::new(ServerCode::Damaged, why.to_string());
        let snapshot = snapshot.map(|Saved { seq, body }| Snapshot { seq, body });
        let mut restoring = Restoring::begin(snapshot.as_ref(), &mut dice).map_err(|why| damaged(&why))?;
        for entry in entries {
            let entry: Entry = json::from_str(entry).map_err(|why| damaged(&why))?;
            restoring.add(&entry, &mut dice).map_err(|why| damaged(&why))?;
        }
        let table = restoring.finish(now).map_err(|why| damaged(&why))?;
        let durable = table.seq();
        Ok(Local { parts, ..*Local::new(Box::new(table), durable, now, dice) }.into())
    }

    fn new(table: Box<Table>, durable: u64, now: Moment, dice: Dice) -> Box<Local> {
        let code = table.code().to_owned();
        let surroundings = Surroundings { now, dice, slow: VecDeque::new() };
        Box::new(Local {
            code,
            driver: Driver::new(table, durable, surroundings),
            line: None,
            lines: 0,
            stage: Stage::Free,
            told: Vec::new(),
            ended: false,
            pondering: None,
            parts: Vec::new(),
        })
    }

    /// The time and the random bytes of a question.
    pub(crate) fn wake(&mut self, now: Moment, dice: Dice) {
        (self.driver.world.now, self.driver.world.dice) = (now, dice);
    }

    /// While something is being stored, nothing else can happen.
    fn check_free(&self) -> Result<(), Refusal> {
        match self.stage {
            Stage::Free => Ok(()),
            Stage::Due(..) | Stage::Stores(_) => {
                let message = "the last batch has to be stored first: say so with `stored`, or give the table up";
                Err(Refusal::new(TableCode::WrongStage, message))
            }
        }
    }

    /// The person connects, with the first message of the connection.
    pub(crate) fn arrive(&mut self, hello: &str, name: String, look: Look) -> Result<(), Refusal> {
        self.check_free()?;
        let hello = match ClientMsg::parse(hello) {
            Ok(ClientMsg::Hello { hello }) => hello,
            Ok(_) => return self.turn_away(ServerCode::BadHello),
            Err(why) => {
                self.say(&why.refusal());
                return self.turn_away(ServerCode::BadHello);
            }
        };
        if hello.version != VERSION {
            return self.turn_away(ServerCode::BadVersion);
        }
        if hello.table != self.code || self.driver.table.is_closed() {
            return self.turn_away(ServerCode::NoTable);
        }
        self.lines = self.lines.wrapping_add(1);
        self.line = Some(self.lines);
        let newcomer = Newcomer { look, ..Newcomer::named(ME, name) };
        self.driver.arrive(newcomer, hello.after, self.lines);
        self.go_on()
    }

    /// Somebody who cannot come in.
    fn turn_away(&mut self, code: ServerCode) -> Result<(), Refusal> {
        self.say(&bye(code));
        self.ended = true;
        Ok(())
    }

    /// The person says something.
    pub(crate) fn receive(&mut self, text: &str) -> Result<(), Refusal> {
        self.check_free()?;
        let Some(line) = self.line else {
            return Err(Refusal::new(TableCode::NotHere, "nobody is connected: `arrive` comes first"));
        };
        match ClientMsg::parse(text) {
            Ok(ClientMsg::Request { id, request: Request::NewCode {} }) => {
                let message = "this table is in your browser alone: nobody else can come here by any code";
                self.say(&ServerMsg::refused(id, Refusal::new(TableCode::WrongStage, message)));
            }
            Ok(ClientMsg::Request { id, request }) => self.driver.ask(ME, &line, id, request),
            Ok(ClientMsg::Ping { .. }) => self.say(&ServerMsg::Pong {}),
            Ok(ClientMsg::Hello { .. }) => {
                let message = "hello is the first message only; connect again to change the table";
                let refusal = Refusal::new(unum_protocol::Code::UNREADABLE, message);
                self.say(&ServerMsg::Refused { id: None, refusal });
            }
            Err(why) => self.say(&why.refusal()),
        }
        self.go_on()
    }

    /// The person's connection is gone.
    pub(crate) fn leave(&mut self) -> Result<(), Refusal> {
        self.check_free()?;
        if let Some(line) = self.line.take() {
            self.driver.leave(ME, &line);
        }
        self.go_on()
    }

    /// Changes what is agreed on.
    pub(crate) fn change_settings(&mut self, settings: Settings) -> Result<(), Refusal> {
        self.check_free()?;
        self.driver.ask_once(ME, Request::Settings { settings })?;
        self.go_on()
    }

    /// It is time.
    pub(crate) fn tick(&mut self) -> Result<(), Refusal> {
        self.check_free()?;
        self.driver.put(Input::Tick);
        self.go_on()
    }

    /// A bot keeps thinking; its last slice took this many milliseconds.
    pub(crate) fn think(&mut self, spent: f64) -> Result<(), Refusal> {
        self.check_free()?;
        if let Some((mut pondering, left)) = self.pondering.take() {
            let is_stale = pondering.at() != self.driver.table.stamp();
            // NaN is not a time.
            let left = left.saturating_sub(Duration::try_from_secs_f64(spent / 1000.0).unwrap_or_default());
            if !is_stale && !left.is_zero() && pondering.go_on(WORLDS) {
                self.pondering = Some((pondering, left));
                return Ok(());
            }
            self.driver.put(Input::Thought(pondering.decide()));
        }
        self.go_on()
    }

    /// The batch is durable: what it is about can be told.
    pub(crate) fn stored(&mut self) -> Result<(), Refusal> {
        match std::mem::replace(&mut self.stage, Stage::Free) {
            Stage::Stores(written) => {
                self.deliver(written);
                self.go_on()
            }
            other => {
                self.stage = other;
                Err(Refusal::new(TableCode::WrongStage, "there is no batch to be stored"))
            }
        }
    }

    /// The table cannot go on here.
    pub(crate) fn give_up(self: Box<Local>, code: ServerCode) -> Step {
        let told = serde_json::to_string(&bye(code)).into_iter().collect();
        Step { code: self.code, told, ended: true, ..Step::default() }
    }

    /// Lets bots act and think, and takes what has to be stored.
    fn go_on(&mut self) -> Result<(), Refusal> {
        self.driver.think(DECISIONS);
        if self.pondering.is_none() {
            let next = self.driver.world.slow.pop_front().map(Thought::slowly);
            self.pondering = next.map(|pondering| {
                let time = pondering.time();
                (pondering, time)
            });
        }
        match self.driver.take_batch() {
            Ok(batch) => self.hold(batch),
            Err(nothing) => {
                self.deliver(nothing);
                Ok(())
            }
        }
    }

    /// Holds everything back until a batch is stored.
    fn hold(&mut self, mut batch: Batch) -> Result<(), Refusal> {
        let odd = |why: &dyn std::fmt::Display| Refusal::new(ServerCode::Crashed, why.to_string());
        let entries = batch.entries.iter().map(serde_json::to_string).collect::<Result<_, _>>();
        let (mut parts, mut all) = (Vec::new(), Vec::new());
        for part in std::mem::take(&mut batch.parts) {
            if part.first {
                self.parts.clear();
            }
            self.parts.push(part.body.clone());
            if part.last {
                // A match that cannot be recorded, because of a bug, must not keep the table from going on.
                all.extend(self.finish(part.number).ok());
                self.parts.clear();
            }
            let unum_table::MatchPart { number, first, last, body } = part;
            parts.push(local::Part { number, first, last, body });
        }
        let stored = local::Batch {
            after: batch.after,
            entries: entries.map_err(|why: serde_json::Error| odd(&why))?,
            snapshot: batch.snapshot.take().map(|Snapshot { seq, body }| Saved { seq, body }),
            parts,
            finished: all,
            summary: self.listed(),
            closed: self.driver.table.is_closed(),
        };
        self.stage = Stage::Due(Box::new(stored), batch.written());
        Ok(())
    }

    /// The record of a match that has come to its end.
    fn finish(&self, number: u32) -> Result<local::Finished, unum_table::RestoreError> {
        let game = finished(number, &self.parts)?;
        let (id, table) = (format!("{}-{number}", self.code), self.code.clone());
        let summary = GameSummary::of(&game.record, game.levels.clone(), game.at.0);
        Ok(local::Finished {
            game: FinishedGame { id, table, summary },
            seat: game.guests.iter().position(|guest| *guest == Some(ME)).map(|seat| seat as Seat),
            record: game.record.to_json(),
            // What a lesson deals is arranged.
            figures: (!self.driver.table.settings().lesson).then(|| study::luck(&game.record)).flatten(),
        })
    }

    /// Takes over what can be told.
    fn deliver(&mut self, written: Written) {
        let (mut told, mut gone) = (Vec::new(), None);
        let own = self.line;
        self.driver.deliver(written, |_, letter| match letter {
            Letter::Frames(line, frames) if Some(*line) == own => told.extend(frames.cloned()),
            Letter::End(line, ending) if Some(line) == own => gone = Some(ending),
            // A connection that the same page has replaced.
            _ => {}
        });
        self.told.append(&mut told);
        if let Some(ending) = gone {
            self.line = None;
            let said = self.told.last().is_some_and(|last| last.starts_with(r#"{"type":"bye""#));
            if !said {
                self.say(&bye(match ending {
                    Ending::Dismissed => ServerCode::Dismissed,
                    Ending::Replaced => ServerCode::Replaced,
                }));
            }
            self.ended = true;
        }
    }

    fn say(&mut self, message: &ServerMsg) {
        self.told.extend(serde_json::to_string(message));
    }

    /// What became of a question.
    pub(crate) fn step(&mut self) -> Step {
        let batch = match std::mem::replace(&mut self.stage, Stage::Free) {
            Stage::Due(batch, written) => {
                self.stage = Stage::Stores(written);
                Some(*batch)
            }
            other => {
                self.stage = other;
                None
            }
        };
        Step {
            code: self.code.clone(),
            batch,
            told: std::mem::take(&mut self.told),
            ended: std::mem::take(&mut self.ended),
            wake: self.driver.table.deadline().map(|moment| moment.0),
            thinks: self.pondering.is_some(),
        }
    }

    /// The match, as a server can go on with it.
    pub(crate) fn hand_over(&self) -> Result<Continuation, Refusal> {
        self.check_free()?;
        self.driver.table.hand_over(ME, self.parts.clone())
    }

    /// Which of the table's matches is being played.
    pub(crate) fn match_number(&self) -> u32 {
        self.driver.table.match_number()
    }

    pub(crate) fn summary(&self) -> TableSummary {
        self.driver.table.summary(Some(ME))
    }

    /// The rounds of the match that is being played that are over.
    pub(crate) fn rounds_so_far(&self) -> Result<Record, Refusal> {
        let record = self.driver.table.rounds_so_far(self.parts.clone());
        let record = record.map_err(|why| Refusal::new(ServerCode::Damaged, why.to_string()))?;
        let message = "no round of a match that is played at this table is over yet";
        record.ok_or_else(|| Refusal::new(ServerCode::NotFound, message))
    }

    /// The table as a list shows it.
    fn listed(&self) -> Listed {
        let table = &self.driver.table;
        let TableSummary { listing, players, round, .. } = table.summary(Some(ME));
        Listed {
            code: self.code.clone(),
            title: listing.title,
            edition: listing.edition,
            stage: listing.stage,
            players,
            scores: table.scores().to_vec(),
            round,
            lesson: table.settings().lesson,
            touched: self.driver.world.now.0,
        }
    }
}

/// A code for a table inside a page.
fn new_code(dice: &mut Dice) -> String {
    let bytes = dice.roll();
    let letters = bytes.iter().take(CODE_LENGTH).map(|byte| char::from(CODE_ALPHABET[usize::from(byte % 32)]));
    LOCAL_CODE.chars().chain(letters).collect()
}

/// The last message of a connection that ends.
fn bye(code: ServerCode) -> ServerMsg {
    let (message, retry) = match code {
        ServerCode::Replaced => ("You play this game in another tab.", None),
        ServerCode::Dismissed => ("You have left the table.", None),
        ServerCode::NoTable => ("There is no such game on this device.", None),
        ServerCode::Storage => ("This device cannot store the game.", None),
        ServerCode::Damaged => ("What is stored of this game cannot be read.", None),
        ServerCode::BadHello => ("The first message must be hello.", None),
        ServerCode::BadVersion => {
            ("The page and its module speak different versions of the protocol: reload it.", None)
        }
        _ => ("Something went wrong at this table. Nothing that was shown is lost; come back.", Some(1_000)),
    };
    ServerMsg::Bye { code: code.into(), message: message.into(), retry }
}
