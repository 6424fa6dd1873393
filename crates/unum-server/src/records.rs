//! Finished matches as records: made from the journal, away from the table, and kept in the store.

use std::sync::Arc;

use serde_json::{Value, json};
use unum_rules::Seat;
use unum_store::{RecordRow, Store};
use unum_table::{Finished, records};

use crate::hub::Hub;
use crate::table_task::decode;

/// The id of the record of a table's match, counted from 1.
fn record_id(code: &str, number: u32) -> String {
    format!("{code}-{number}")
}

/// Whether the record of a table's last match is missing: the server may have been killed just after that match.
pub(crate) fn misses_records(store: &Store, code: &str, matches: u32) -> bool {
    matches > 0 && matches!(store.record(&record_id(code, matches)), Ok(None))
}

/// Makes the records of a table's finished matches, in a thread of its own. What is kept already stays as it is.
pub(crate) fn keep_records(hub: &Arc<Hub>, code: &Arc<str>) {
    let (hub, code) = (Arc::clone(hub), Arc::clone(code));
    tokio::task::spawn_blocking(move || {
        if let Err(message) = keep(&hub, &code) {
            tracing::error!(%message, "a finished match could not be recorded");
        }
    });
}

fn keep(hub: &Hub, code: &str) -> Result<(), String> {
    let journal = hub.store.journal(code).map_err(|error| error.to_string())?;
    let finished = records(decode(&journal)?).map_err(|error| format!("entry {}: {}", error.seq, error.message))?;
    for game in finished {
        let is_new = hub.store.put_record(row(code, &game)).map_err(|error| error.to_string())?;
        hub.metrics.records.add(u64::from(is_new));
    }
    Ok(())
}

fn row(code: &str, game: &Finished) -> RecordRow {
    RecordRow {
        id: record_id(code, game.number),
        table: code.to_owned(),
        summary: summary(game).to_string(),
        body: game.record.to_json().into_bytes(),
        people: game.guests.iter().flatten().map(|guest| guest.0).collect(),
    }
}

/// What a list says of a match.
fn summary(game: &Finished) -> Value {
    let (setup, outcome) = (&game.record.setup, &game.record.outcome);
    let names = (0..setup.players).map(|seat: Seat| setup.name(seat).map(|name| name.as_str().to_owned()));
    json!({
        "edition": setup.rules.edition.id(),
        "players": names.collect::<Vec<_>>(),
        "rounds": game.record.rounds(),
        "scores": outcome.scores,
        "winners": outcome.winners,
        "ended": game.at.0,
    })
}
