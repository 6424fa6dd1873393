//! Finished matches as records: made from what was noted of each match, one after the other, and kept in the store.
//!
//! The store knows which matches are over and have no record yet, in the same transaction that ended them. So one task
//! makes whatever is due, at the start and whenever a match ends.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::timeout;
use unum_protocol::rest::GameSummary;
use unum_review::serving::LONGEST;
use unum_review::{Reviewer, season};
use unum_rules::record::{Move, PlayerName, Record, Recorder};
use unum_rules::{RULES_VERSION, Seat};
use unum_store::{RecordRow, Store, StoreError, Unrecorded};
use unum_table::{Finished, GuestId, NOBODY, finished};

use crate::app::App;
use crate::reviews::write_figures;

/// How many matches are looked up at a time.
const AT_ONCE: u32 = 16;
/// How long to wait after the store has failed, and how often to look without being told.
const PAUSE: Duration = Duration::from_secs(60);

/// Makes records as long as the server runs.
pub(crate) async fn record_matches(app: Arc<App>) {
    loop {
        let due = app.store(|store| store.unrecorded(AT_ONCE)).await;
        let more = due.as_ref().is_ok_and(|due| !due.is_empty());
        let mut failed = due.as_ref().err().cloned();
        for game in due.unwrap_or_default() {
            if *app.stopping.borrow() {
                return;
            }
            // One at a time: the record of a long match takes a while, and memory.
            let made = app.store(move |store| keep(store, &game)).await;
            app.metrics.records.add(u64::from(made == Ok(true)));
            failed = made.err().or(failed);
        }
        if let Some(error) = &failed {
            tracing::warn!(%error, "finished matches could not be recorded; it is tried again in a minute");
        }
        if more && failed.is_none() {
            continue;
        }
        let wake = async {
            tokio::select! {
                () = app.hub.matches_over.notified(), if failed.is_none() => {}
                () = app.stopped() => {}
            }
        };
        // Nothing happened for a while: look again.
        let _ = timeout(PAUSE, wake).await;
        if *app.stopping.borrow() {
            return;
        }
    }
}

/// Makes and keeps the record of one match, and says whether it is new. A match that cannot be recorded is set aside.
pub(crate) fn keep(store: &Store, game: &Unrecorded) -> Result<bool, StoreError> {
    let parts = store.parts(&game.table, game.number)?;
    let parts: Vec<String> = parts.into_iter().map(|part| String::from_utf8_lossy(&part).into_owned()).collect();
    match finished(game.number, &parts) {
        Ok(made) => {
            drop(parts);
            let mut uncounted = Vec::new();
            let made = without_the_deleted(made, store, &mut uncounted)?;
            if made.record.setup.seeding.deals().iter().any(|deal| deal.device) {
                // Somebody could have made up its first rounds.
                uncounted.extend(made.guests.iter().flatten().map(|guest| guest.0));
            }
            let figures = luck(&made.record);
            store.put_record(RecordRow { figures, uncounted, ..row(&game.table, &made) })
        }
        Err(error) => {
            let (table, number, message) = (game.id, game.number, error.message);
            tracing::error!(table, number, %message, "a finished match cannot be recorded");
            store.give_up_record(&game.table, game.number).map(|()| false)
        }
    }
}

/// A match without the names of those who were deleted while it was played. Notes who has no season.
fn without_the_deleted(mut game: Finished, store: &Store, uncounted: &mut Vec<u64>) -> Result<Finished, StoreError> {
    for (seat, guest) in (0..).zip(&mut game.guests) {
        let Some(GuestId(id)) = *guest else { continue };
        match store.guest(id)? {
            Some(row) if row.season => {}
            Some(_) => uncounted.push(id),
            None => {
                *guest = None;
                game.record = nameless(&game.record, seat).unwrap_or(game.record);
            }
        }
    }
    Ok(game)
}

/// The same match without the name at a seat: names are part of the checks, so it is recorded again.
pub(crate) fn nameless(record: &Record, seat: Seat) -> Option<Record> {
    let mut setup = record.setup.clone();
    setup.names.resize(setup.names.len().max(setup.players.into()), None);
    *setup.names.get_mut(usize::from(seat))? = PlayerName::new(NOBODY).ok();
    let mut recorder = Recorder::start(setup, &mut ()).ok()?;
    for entry in &record.moves {
        match &entry.made {
            Move::Act { seat, action } => recorder.apply(*seat, action, &mut ()).ok()?,
            Move::Penalize { seat } => recorder.penalize(*seat, &mut ()).ok()?,
            Move::NextRound => recorder.next_round(&mut ()).ok()?,
        }
    }
    Some(recorder.into_record())
}

/// What seasons count of a match before anybody has looked at its review: luck alone.
fn luck(record: &Record) -> Option<Vec<u8>> {
    if record.moves.len() > LONGEST {
        return None;
    }
    let review = Reviewer::new(record).ok()?.review();
    write_figures(&season::figures(&review)).ok()
}

fn row(code: &str, game: &Finished) -> RecordRow {
    RecordRow {
        id: format!("{code}-{}", game.number),
        table: code.to_owned(),
        summary: serde_json::to_string(&GameSummary::of(&game.record, game.levels.clone(), game.at.0))
            .expect("a summary is made of names and numbers"),
        body: game.record.to_json().into_bytes(),
        people: game.guests.iter().map(|guest| guest.map(|guest| guest.0)).collect(),
        former: game.former.iter().map(|guest| guest.0).collect(),
        number: game.number,
        made_by: format!("unum {}, rules {RULES_VERSION}", env!("CARGO_PKG_VERSION")),
        ..RecordRow::default()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::time::Instant;

    use unum_protocol::{Level, Pace, Request, Settings};
    use unum_rules::{Edition, RulesSpec, Scoring};
    use unum_store::NewGuest;
    use unum_table::{Batch, Input, Moment, Newcomer, Outcome, SeededDice, Table};

    use super::*;
    use crate::config::Config;
    use crate::journal::rows;

    const CODE: &str = "0000000000000000";

    /// A store as a server leaves it that was killed just after a match: the match has no record yet.
    fn store_after_a_kill() -> Store {
        let store = Store::in_memory().unwrap();
        let ann = NewGuest { token: [1; 32], name: "Ann".to_owned(), look: String::new() };
        assert_eq!(store.add_guest(ann), Ok(1));
        play_a_match(&store, CODE);
        store
    }

    /// Stores a table at which guest 1 has just played a match, without its record.
    pub(crate) fn play_a_match(store: &Store, code: &str) {
        let mut dice = SeededDice::new(1);
        let guest = GuestId(1);
        let rules = RulesSpec { scoring: Some(Scoring::SingleRound), ..RulesSpec::of(Edition::Original) };
        let settings = Settings { rules, pace: Pace::Instant, ..Settings::default() };
        let (mut table, opening) = Table::open(code, guest, settings, Moment(1), &mut dice).unwrap();
        let mut batch = Batch { entries: vec![opening], ..Batch::default() };
        let mut keep = |outcome: Outcome| {
            batch.entries.extend(outcome.entries);
            batch.parts.extend(outcome.parts);
            batch.snapshot = outcome.snapshot.or(batch.snapshot.take());
        };
        let arrived = Input::Arrived(Newcomer::named(guest, "Ann"));
        keep(table.handle(arrived, Moment(2), &mut dice));
        let requests =
            [Request::AddBot { level: Level::Easy }, Request::Start { pledge: None }, Request::Autopilot { on: true }];
        for (id, request) in (1..).zip(requests) {
            keep(table.handle(Input::Asked { guest, id, request }, Moment(3), &mut dice));
        }
        let begun = Instant::now();
        while table.matches() == 0 {
            assert!(begun.elapsed() < Duration::from_secs(60), "the match does not end");
            let now = table.deadline().unwrap_or(Moment(4));
            for thought in table.thoughts(now) {
                keep(table.handle(Input::Thought(thought.think()), now, &mut dice));
            }
            keep(table.handle(Input::Tick, now, &mut dice));
        }
        let (tell, told) = std::sync::mpsc::channel();
        let batch = unum_store::Batch { epoch: store.first_epoch(), ..rows(code, &batch, None) };
        store.append(batch, move |result| tell.send(result).unwrap());
        told.recv().unwrap().unwrap();
    }

    #[tokio::test]
    async fn records_that_a_kill_has_prevented_are_made_at_the_start() {
        let store = store_after_a_kill();
        assert_eq!(store.unrecorded(9).unwrap().len(), 1);
        let app = Arc::new(App::new(Config { ephemeral: true, ..Config::default() }, store.clone()));
        let task = tokio::spawn(record_matches(Arc::clone(&app)));
        let begun = Instant::now();
        while !store.unrecorded(9).unwrap().is_empty() {
            assert!(begun.elapsed() < Duration::from_secs(60), "it is never made");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let record = store.record(&format!("{CODE}-1")).unwrap().unwrap();
        assert_eq!(record.people, [Some(1)], "bots at the end of the table are left out");
        assert!(unum_rules::record::Record::parse(&String::from_utf8(record.body).unwrap()).is_ok());
        app.stopping.send_replace(true);
        task.await.unwrap();
    }

    #[test]
    fn a_guest_who_was_deleted_before_the_record_was_made_is_nobody_in_it() {
        let store = store_after_a_kill();
        assert_eq!(store.remove_guest(1), Ok(true));
        let game = store.unrecorded(9).unwrap().remove(0);
        assert_eq!(keep(&store, &game), Ok(true));
        let record = store.record(&format!("{CODE}-1")).unwrap().unwrap();
        assert_eq!(record.people, []);
        let body = String::from_utf8(record.body).unwrap();
        assert!(!body.contains("Ann") && !record.summary.contains("Ann") && body.contains(NOBODY), "{body}");
        assert!(Record::parse(&body).unwrap().replay().is_ok());
    }

    #[tokio::test]
    async fn a_match_of_which_none_can_be_made_is_put_aside() {
        let store = Store::in_memory().unwrap();
        let part = unum_store::Part { number: 1, first: true, last: true, body: b"nonsense".to_vec() };
        let batch = unum_store::Batch {
            table: CODE.to_owned(),
            entries: vec![vec![0]],
            parts: vec![part],
            ..Default::default()
        };
        let (tell, told) = std::sync::mpsc::channel();
        store.append(batch, move |result| tell.send(result).unwrap());
        told.recv().unwrap().unwrap();
        let game = store.unrecorded(9).unwrap().remove(0);
        assert_eq!(keep(&store, &game), Ok(false));
        assert_eq!(store.unrecorded(9), Ok(Vec::new()));
    }
}
