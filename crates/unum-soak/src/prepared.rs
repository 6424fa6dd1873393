//! Databases that an attacker would need hours or days for, made directly: the longest match that is shown, many usual
//! ones, and a table with a million changes.

use std::path::Path;
use std::sync::mpsc::{Receiver, channel};

use anyhow::Context as _;
use unum_protocol::rest::GameSummary;
use unum_protocol::{Request, Settings};
use unum_rules::playout::Casual;
use unum_rules::record::{Record, Recorder, Setup};
use unum_rules::{Action, Chance as _, Edition, RULES_VERSION, RulesSpec, Scoring, Seeded};
use unum_store::{Batch, ListingChange, RecordRow, Store, StoreError};
use unum_table::{GuestId, Input, Moment, Newcomer, Outcome, SeededDice, Table};

/// The table whose journal is long.
pub(crate) const CODE: &str = "0000000000000000";
/// How many moves the longest match has: as many as fit into a record that is shown step by step.
pub const LONGEST: usize = 100_000;
/// How many entries a server writes at once.
const AT_ONCE: usize = 64;
/// How many batches are on their way to the disk.
const ON_THEIR_WAY: usize = 256;

/// Keeps the record of a match of that many moves, which everybody may see. Its id, and how many bytes it has.
///
/// # Errors
/// When it cannot be written.
pub fn keep_long_match(data: &Path, moves: usize) -> anyhow::Result<(String, usize)> {
    let record = long_match(moves).context("a match of that length")?;
    let length = record.to_json().len();
    keep_matches(data, &[record])?;
    Ok((id_of(1), length))
}

/// Keeps the records of that many usual matches of four, which everybody may see.
///
/// # Errors
/// When they cannot be written.
pub fn keep_usual_matches(data: &Path, count: u64) -> anyhow::Result<()> {
    let records = (1..=count).map(usual_match).collect::<Option<Vec<Record>>>();
    keep_matches(data, &records.context("matches")?)
}

/// The id of a match that was kept, by its number from 1 on.
pub(crate) fn id_of(number: u64) -> String {
    format!("{CODE}-{number}")
}

fn keep_matches(data: &Path, records: &[Record]) -> anyhow::Result<()> {
    let store = Store::open(data)?;
    let listed = Batch {
        table: CODE.to_owned(),
        entries: vec![Vec::new()],
        listing: ListingChange::Show(String::new()),
        ..Batch::default()
    };
    let (tell, told) = channel();
    store.append(listed, move |done| drop(tell.send(done)));
    told.recv()??;
    for (number, record) in (1..).zip(records) {
        store.put_record(RecordRow {
            id: id_of(number.into()),
            table: CODE.to_owned(),
            summary: serde_json::to_string(&summary(record))?,
            body: record.to_json().into_bytes(),
            people: Vec::new(),
            number,
            made_by: format!("unum-soak, rules {RULES_VERSION}"),
            ..RecordRow::default()
        })?;
    }
    store.close();
    Ok(())
}

/// A match of four to 500 points.
fn usual_match(seed: u64) -> Option<Record> {
    let mut recorder = Recorder::start(Setup::new(RulesSpec::of(Edition::Original), 4, seed), &mut ()).ok()?;
    let mut chance = Seeded::new(seed);
    while recorder.game().winners().is_none() {
        if recorder.game().round().is_over() {
            recorder.next_round(&mut ()).ok()?;
            continue;
        }
        let (seat, action) = Casual.choose(recorder.game().round(), recorder.game().rules(), &mut chance);
        recorder.apply(seat, &action, &mut ()).ok()?;
    }
    Some(recorder.into_record())
}

/// Ten players who would rather draw than play, so that nobody ever has enough points.
fn long_match(moves: usize) -> Option<Record> {
    let rules = RulesSpec { scoring: Some(Scoring::FirstTo(10_000)), ..RulesSpec::of(Edition::Original) };
    let mut recorder = Recorder::start(Setup::new(rules, 10, 7), &mut ()).ok()?;
    let mut chance = Seeded::new(1);
    while recorder.len() < moves && recorder.game().winners().is_none() {
        if recorder.game().round().is_over() {
            recorder.next_round(&mut ()).ok()?;
            continue;
        }
        let (seat, action) = Casual.choose(recorder.game().round(), recorder.game().rules(), &mut chance);
        let lazy = chance.below(4) > 0 && recorder.apply(seat, &Action::Draw, &mut ()).is_ok();
        if !lazy {
            recorder.apply(seat, &action, &mut ()).ok()?;
        }
    }
    Some(recorder.into_record())
}

fn summary(record: &Record) -> GameSummary {
    GameSummary {
        edition: record.setup.rules.edition,
        players: vec![None; record.setup.players.into()],
        levels: Vec::new(),
        rounds: record.rounds(),
        scores: record.outcome.scores.clone(),
        winners: record.outcome.winners.clone(),
        ended: 0,
    }
}

/// What a long journal takes.
#[derive(Clone, Copy, Debug)]
pub struct Journal {
    /// How many changes there were.
    pub changes: u64,
    /// How many of them are in the database, beside a snapshot.
    pub kept: u64,
    /// How many bytes those take, with the snapshot.
    pub bytes: u64,
}

/// Lets two people make many small changes at a table, as fast as their budgets allow by a clock that runs ahead, and
/// keeps the journal as a server does.
///
/// # Errors
/// When it cannot be written.
pub fn keep_long_journal(data: &Path, changes: u64) -> anyhow::Result<Journal> {
    let store = Store::open(data)?;
    let mut writing = Writing::begin(&store)?;
    for number in 0.. {
        if writing.written >= changes {
            break;
        }
        writing.ask(number)?;
    }
    writing.flush()?;
    writing.wait(0)?;
    let stored = store.load(CODE)?.context("the table")?;
    let snapshot = stored.snapshot.map_or(0, |(_, body)| body.len() as u64);
    let bytes = snapshot + stored.entries.iter().map(|(_, body)| body.len() as u64).sum::<u64>();
    let journal = Journal { changes: stored.row.last, kept: stored.entries.len() as u64, bytes };
    store.close();
    Ok(journal)
}

/// A table, and what of it is on its way to the disk.
struct Writing<'a> {
    store: &'a Store,
    table: Table,
    dice: SeededDice,
    batch: Batch,
    written: u64,
    pending: std::collections::VecDeque<Receiver<Result<(), StoreError>>>,
}

impl<'a> Writing<'a> {
    fn begin(store: &'a Store) -> anyhow::Result<Writing<'a>> {
        let mut dice = SeededDice::new(1);
        let (table, opening) = Table::open(CODE, GuestId(1), Settings::default(), Moment(1), &mut dice)
            .map_err(|refusal| anyhow::anyhow!("{}", refusal.message))?;
        let batch = Batch { table: CODE.to_owned(), entries: vec![serde_json::to_vec(&opening)?], ..Batch::default() };
        let mut writing = Writing { store, table, dice, batch, written: 1, pending: Default::default() };
        for guest in [1, 2].map(GuestId) {
            let name = format!("Guest {}", guest.0);
            let arrived = Input::Arrived(Newcomer::named(guest, name));
            let outcome = writing.table.handle(arrived, Moment(2), &mut writing.dice);
            writing.keep(outcome)?;
        }
        Ok(writing)
    }

    fn ask(&mut self, number: u64) -> anyhow::Result<()> {
        let guest = GuestId(1 + number % 2);
        let (name, muted) = (format!("Guest {}", number % 7 + 10 * guest.0), number % 8 < 4);
        let request = match number % 4 {
            0 | 1 => Request::Rename { name },
            _ => Request::Mute { person: 2 - (number % 2) as u32, muted, always: false },
        };
        let id = u32::try_from(number + 1)?;
        let now = Moment(1_000 + number * 1_000);
        let outcome = self.table.handle(Input::Asked { guest, id, request }, now, &mut self.dice);
        self.keep(outcome)
    }

    fn keep(&mut self, outcome: Outcome) -> anyhow::Result<()> {
        for entry in &outcome.entries {
            self.batch.entries.push(serde_json::to_vec(entry)?);
            self.written += 1;
        }
        if let Some(snapshot) = outcome.snapshot {
            self.batch.snapshot = Some((snapshot.seq, snapshot.body.into_bytes()));
        }
        if self.batch.entries.len() >= AT_ONCE {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> anyhow::Result<()> {
        let next = Batch { table: CODE.to_owned(), after: self.written, ..Batch::default() };
        let (tell, told) = channel();
        let batch = std::mem::replace(&mut self.batch, next);
        self.store.append(batch, move |done| drop(tell.send(done)));
        self.pending.push_back(told);
        self.wait(ON_THEIR_WAY)
    }

    /// Waits until at most `most` are on their way.
    fn wait(&mut self, most: usize) -> anyhow::Result<()> {
        while self.pending.len() > most {
            if let Some(told) = self.pending.pop_front() {
                told.recv()??;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use unum_rules::record::MAX_RECORD;
    use unum_table::SAVED_ENTRIES;

    use super::*;

    #[test]
    fn a_journal_does_not_grow_with_the_age_of_its_table() {
        let of = |changes| {
            let folder = tempfile::tempdir().unwrap();
            keep_long_journal(folder.path(), changes).unwrap()
        };
        let (short, long) = (of(1_000), of(10_000));
        assert!(long.changes >= 10_000, "{long:?}");
        for journal in [short, long] {
            assert!(journal.kept <= SAVED_ENTRIES + AT_ONCE as u64, "{journal:?}");
            assert!(journal.bytes < 64 << 10, "{journal:?}");
        }
    }

    #[test]
    fn a_long_match_is_one_that_can_be_shown() {
        let record = long_match(LONGEST).unwrap();
        assert_eq!(record.moves.len(), LONGEST);
        let bytes = record.to_json().len();
        assert!((MAX_RECORD * 3 / 4..MAX_RECORD).contains(&bytes), "{bytes} bytes");
    }
}
