//! A table of UNO inside a page: the [`Driver`](unum_table::Driver) of `unum-table`, reviews and checks of deals, as a
//! WebAssembly module for a browser's worker.
//!
//! The module has one function. It is asked in JSON ([`Ask`]) and answers in JSON: what was asked for, or a refusal. It has no
//! clock, no source of chance and no storage: the caller hands over the time and 32 random bytes with every question, and
//! stores what a [`Batch`](unum_protocol::local::Batch) has before it asks on. What people send and are told stays as it is
//! over a socket.
//!
//! In a browser the functions of [`abi`] are called; everything else can be used and tested in Rust:
//!
//! ```
//! use unum_web::Module;
//!
//! let mut module = Module::default();
//! let answer = module.answer(r#"{"name":{"name":"  Ann "}}"#, 0.0, [7; 32]);
//! assert_eq!(answer, r#"{"answer":{"name":"Ann"}}"#);
//! let answer = module.answer(r#"{"nonsense":{}}"#, 0.0, [7; 32]);
//! assert!(answer.starts_with(r#"{"error":{"code":"bad_request""#));
//! ```
//!
//! Nothing that comes from outside makes it panic. If a bug does, the module stops with a trap; the caller starts another one
//! and brings the table back from what was stored.

#![deny(unsafe_code)]

pub mod abi;
mod deals;
mod dice;
mod local;
mod study;

use serde::Serialize;
use unum_protocol::local::{Ask, MAX_ASK, Named, Played};
use unum_protocol::rest::Editions;
use unum_protocol::rulebook::RuleBook;
use unum_protocol::{Code, MAX_NAME, Refusal, ServerCode, TableCode};
use unum_rules::playout::Casual;
use unum_rules::{Edition, Round, Rules, Seeded, json};
use unum_table::{Moment, text};

use dice::Dice;
use local::Local;
use study::Study;

/// Most rounds that are played at once to measure.
const MOST_ROUNDS: u32 = 100_000;

/// Everything the module knows.
#[derive(Default)]
pub struct Module {
    table: Option<Box<Local>>,
    study: Study,
    /// The latest time there was: it never goes back.
    now: u64,
}

impl Module {
    /// Answers a question, at a time in milliseconds since 1970, with 32 bytes that nobody can guess.
    pub fn answer(&mut self, question: &str, now: f64, random: [u8; 32]) -> String {
        // A time that is NaN, negative or too large becomes the nearest valid one.
        self.now = self.now.max(now.clamp(0.0, 9e15) as u64);
        let mut answer = Answer(b"{\"answer\":".to_vec());
        match self.carry_out(question, Dice::new(random), &mut answer) {
            Ok(()) => answer.0.push(b'}'),
            Err(error) => {
                answer.0.clear();
                // A refusal is made of names, numbers and texts: it can be written.
                let _ = serde_json::to_writer(&mut answer.0, &unum_protocol::rest::ErrorBody { error });
            }
        }
        String::from_utf8(answer.0).unwrap_or_default()
    }

    fn carry_out(&mut self, question: &str, dice: Dice, answer: &mut Answer) -> Result<(), Refusal> {
        if question.len() > MAX_ASK {
            return Err(Refusal::new(ServerCode::TooLong, format!("a question has at most {MAX_ASK} bytes")));
        }
        let ask: Ask = json::from_str(question).map_err(|why| Refusal::new(Code::UNREADABLE, why.to_string()))?;
        let now = Moment(self.now);
        match ask {
            Ask::Open { settings } => {
                let opened = Local::open(*settings, now, dice)?;
                answer.write(&self.table.insert(opened).step())
            }
            Ask::Restore { snapshot, entries, parts } => {
                let restored = Local::restore(snapshot, &entries, parts, now, dice)?;
                answer.write(&self.table.insert(restored).step())
            }
            Ask::GiveUp { code } => {
                let table = self.table.take().ok_or_else(no_table)?;
                answer.write(&table.give_up(code))
            }
            Ask::Arrive { hello, name, look } => {
                let table = self.table(now, dice)?;
                table.arrive(&hello, name, look)?;
                answer.write(&table.step())
            }
            Ask::Send { text } => {
                let table = self.table(now, dice)?;
                table.receive(&text)?;
                answer.write(&table.step())
            }
            Ask::Leave {} => {
                let table = self.table(now, dice)?;
                table.leave()?;
                answer.write(&table.step())
            }
            Ask::Settings { settings } => {
                let table = self.table(now, dice)?;
                table.change_settings(*settings)?;
                answer.write(&table.step())
            }
            Ask::Stored {} => {
                let table = self.table(now, dice)?;
                table.stored()?;
                answer.write(&table.step())
            }
            Ask::Tick {} => {
                let table = self.table(now, dice)?;
                table.tick()?;
                answer.write(&table.step())
            }
            Ask::Think { spent } => {
                let table = self.table(now, dice)?;
                table.think(spent)?;
                answer.write(&table.step())
            }
            Ask::Table {} => answer.write(&self.table(now, dice)?.summary()),
            Ask::HandOver {} => answer.write(&self.table(now, dice)?.hand_over()?),
            Ask::Editions {} => answer.write(&Editions::all()),
            Ask::Rules { edition } => answer.write(&RuleBook::of(Some(edition), |_| true)),
            Ask::Name { name } => {
                let bad = |why| Refusal::new(TableCode::BadName, format!("the name {why}"));
                answer.write(&Named { name: text::clean(&name, MAX_NAME).map_err(bad)? })
            }
            Ask::Replay { record, seat, from } => {
                answer.write_json(&study::replay(&self.record(record)?, seat, from)?);
                Ok(())
            }
            Ask::Review { mut key, record, round, seat } => {
                if record.is_none() {
                    // The rounds of the next match have the same numbers.
                    key += &format!(" {}", self.table.as_ref().ok_or_else(no_table)?.match_number());
                }
                if !self.study.reviews(&key) {
                    let record = self.record(record)?;
                    self.study.begin_review(key, &record, round)?;
                }
                answer.write(&self.study.review(seat)?)
            }
            Ask::Figures {} => answer.write(&self.study.figures()?),
            Ask::Season { on, games } => answer.write(&study::season(on, games)),
            Ask::ReviewMore {} => answer.write(&self.study.review_more()),
            Ask::Look { record, step } => {
                let record = self.record(record)?;
                answer.write(&self.study.look(&record, step)?)
            }
            Ask::LookMore {} => answer.write(&self.study.look_more()),
            Ask::Analysis {} => answer.write(&self.study.analysis()?),
            Ask::Record { record, format } => answer.write(&study::write(&record, format)?),
            Ask::Verify { record } => answer.write(&study::verify(&record)?),
            Ask::Deal { deal, rules, dealer } => answer.write(&deals::deal(&deal, rules, dealer)?),
            Ask::Bench { edition, players, rounds } => answer.write(&bench(edition, players, rounds)?),
        }
    }

    /// The table, at a time and with fresh dice.
    fn table(&mut self, now: Moment, dice: Dice) -> Result<&mut Local, Refusal> {
        let table = self.table.as_deref_mut().ok_or_else(no_table)?;
        table.wake(now, dice);
        Ok(table)
    }

    /// The record that was handed over, or the rounds of the table's match that are over.
    fn record(&self, given: Option<String>) -> Result<unum_rules::record::Record, Refusal> {
        match given {
            Some(text) => study::read(&text),
            None => self.table.as_ref().ok_or_else(no_table)?.rounds_so_far(),
        }
    }
}

fn no_table() -> Refusal {
    Refusal::new(ServerCode::NoTable, "there is no table: open or restore one first")
}

/// The answer, as it is written.
struct Answer(Vec<u8>);

impl Answer {
    fn write<T: Serialize>(&mut self, value: &T) -> Result<(), Refusal> {
        let odd = |why: serde_json::Error| Refusal::new(ServerCode::Crashed, why.to_string());
        serde_json::to_writer(&mut self.0, value).map_err(odd)
    }

    fn write_json(&mut self, json: &[u8]) {
        self.0.extend_from_slice(json);
    }
}

/// Random rounds, as `unum bench` plays them.
fn bench(edition: Edition, players: u8, rounds: u32) -> Result<Played, Refusal> {
    let (rules, mut chance) = (Rules::of(edition), Seeded::new(1));
    let rounds = rounds.min(MOST_ROUNDS);
    let mut actions = 0_u32;
    for number in 0..rounds {
        let dealer = (number % u32::from(players.max(1))) as u8;
        let round = Round::deal(&rules, players, dealer, &mut chance, &mut ());
        let mut round = round.map_err(|why| Refusal::new(TableCode::BadSettings, why.to_string()))?;
        actions = actions.wrapping_add(Casual.finish(&mut round, &rules, &mut chance));
    }
    Ok(Played { rounds, actions })
}
