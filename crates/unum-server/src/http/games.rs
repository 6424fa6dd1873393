//! A guest's games: finished and unfinished.

use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::stream;
use tokio::sync::OwnedSemaphorePermit;
use unum_protocol::replay::PageError;
use unum_protocol::rest::{FinishedGame, Games, OpenGame, RecordFormat, RecordQuery, ReplayQuery};
use unum_protocol::{ServerCode, TableCode, read_code, replay};
use unum_rules::record::{MAX_RECORD, Record};
use unum_store::{Piece, RecordFacts, RecordHead, Store, StoreError, TableRow};
use unum_table::GuestId;

use super::error::ApiError;
use super::extract::{Known, Params, Part, Reader};
use super::packed::Packed;
use super::{Client, api};
use crate::app::App;
use crate::codes::Unavailable;
use crate::heavy::{self, Undone};
use crate::hub::Hub;
use crate::table_task::restore;

/// How many finished games a list has at most.
const LISTED: u32 = 100;
/// How many bytes of a record are read and sent at a time: every read goes through the record from its beginning.
const PART: u64 = 256 * 1024;

/// The games of a guest: unfinished ones to go on with, finished ones to look at.
pub(crate) async fn mine(State(app): State<Arc<App>>, Known(guest): Known) -> Result<Json<Games>, ApiError> {
    let id = guest.id.0;
    let (tables, records) = app.store(move |store| Ok((store.tables_of(id)?, store.records_of(id, LISTED)?))).await?;
    games(tables, records).map(Json)
}

/// Tables and records as they are told.
pub(super) fn games(tables: Vec<TableRow>, records: Vec<RecordHead>) -> Result<Games, ApiError> {
    let open = tables.into_iter().map(|row| OpenGame { table: row.invite, opened: row.opened, touched: row.touched });
    let finished = records.into_iter().map(|head| {
        let summary = serde_json::from_str(&head.summary).map_err(|_| unreadable())?;
        Ok(FinishedGame { id: head.id, table: head.table, summary })
    });
    Ok(Games { open: open.collect(), finished: finished.collect::<Result<_, ApiError>>()? })
}

/// A finished game as a record.
pub(crate) async fn record(
    State(app): State<Arc<App>>,
    client: Client,
    reader: Reader,
    Part(id): Part,
    Params(query): Params<RecordQuery>,
) -> Result<Response, ApiError> {
    let facts = readable(&app, &id, &reader).await?;
    charge(&app, client)?;
    match query.format {
        RecordFormat::Json => Ok(in_parts(app.store.clone(), id, facts.length)),
        RecordFormat::Text => as_text(&app, id, &facts).await,
    }
}

/// Some steps of a finished game: as one seat saw them, or with all cards open.
pub(crate) async fn replay(
    State(app): State<Arc<App>>,
    client: Client,
    reader: Reader,
    headers: HeaderMap,
    Part(id): Part,
    Params(query): Params<ReplayQuery>,
) -> Result<Response, ApiError> {
    let facts = readable(&app, &id, &reader).await?;
    charge(&app, client)?;
    check_length(facts.length)?;
    let store = app.store.clone();
    let page = app.heavy.run(move || Ok::<_, ApiError>(Packed::quickly(page(&read(&store, &id)?, &query)?))).await?;
    page.map(|page| page.answer(&headers))
}

/// Some steps of the rounds of a running match that are over, for those who are at the table.
pub(crate) async fn rounds(
    State(app): State<Arc<App>>,
    client: Client,
    Known(guest): Known,
    headers: HeaderMap,
    Part(code): Part,
    Params(query): Params<ReplayQuery>,
) -> Result<Response, ApiError> {
    app.check_guessing(client.0)?;
    charge(&app, client)?;
    let (hub, id, invite) = (Arc::clone(&app.hub), guest.id, read_code(&code).ok_or(Unavailable::NoTable)?);
    let work = move || Ok::<_, ApiError>(Packed::quickly(page(&rounds_so_far(&hub, &invite, id)?.0, &query)?));
    let page = app.heavy.run(work).await?;
    api::noted(&app, client, &code, page).map(|page| page.answer(&headers))
}

/// How often what is stored of a match is read again because the table was saved meanwhile.
const TRIES: usize = 5;

/// The rounds that are over, from what the journal has: those who play are not held up. With the id of the table and the
/// number of the match.
pub(super) fn rounds_so_far(hub: &Hub, invite: &str, guest: GuestId) -> Result<(Record, String, u32), ApiError> {
    let id = hub.store.invited(invite)?.ok_or(Unavailable::NoTable)?;
    for _ in 0..TRIES {
        let before = saved_at(&hub.store, &id)?;
        let table = restore(hub, &id)?.ok_or(Unavailable::NoTable)?;
        if !table.knows(guest) {
            return Err(ApiError::new(TableCode::NotHere, "join the table first"));
        }
        let parts = hub.store.parts(&id, table.match_number())?;
        if saved_at(&hub.store, &id)? != before {
            continue;
        }
        check_length(parts.iter().map(|part| part.len() as u64).sum())?;
        let parts = parts.into_iter().map(|part| String::from_utf8_lossy(&part).into_owned()).collect();
        let record = table.rounds_so_far(parts).map_err(|_| unreadable())?;
        let message = "no round of a match that is played at this table is over yet";
        let record = record.ok_or_else(|| ApiError::new(ServerCode::NotFound, message))?;
        return Ok((record, id, table.match_number()));
    }
    Err(Undone::Busy.into())
}

/// The number of the last entry in a table's snapshot: while it stays the same, so do the parts of its matches.
fn saved_at(store: &Store, id: &str) -> Result<Option<u64>, StoreError> {
    let mut saved = None;
    store.visit(id, &mut |piece| {
        if let Piece::Snapshot(seq, _) = piece {
            saved = Some(seq);
        }
        matches!(piece, Piece::Table(_))
    })?;
    Ok(saved)
}

/// What is known of a finished game, if the reader may read it: games of public tables are everybody's, others belong to
/// those who played them.
pub(super) async fn readable(app: &App, id: &str, reader: &Reader) -> Result<RecordFacts, ApiError> {
    let id = id.to_owned();
    let facts = app.store(move |store| store.record_facts(&id)).await?;
    let mine = |facts: &RecordFacts| reader.0.as_ref().is_some_and(|guest| facts.people.contains(&guest.id.0));
    facts.filter(|facts| facts.public || mine(facts)).ok_or_else(|| {
        let message = "there is no finished game with that id, or only its players may see it";
        ApiError::new(ServerCode::NotFound, message)
    })
}

/// Heavy requests count for more than one.
pub(super) fn charge(app: &App, client: Client) -> Result<(), ApiError> {
    if app.allows(client.0, heavy::COST - 1) { Ok(()) } else { Err(ApiError::too_fast()) }
}

pub(super) fn check_length(length: u64) -> Result<(), ApiError> {
    if length <= MAX_RECORD as u64 {
        return Ok(());
    }
    let message = "this match is too long to be shown step by step; GET /api/games/ID has it as a record";
    Err(ApiError::new(ServerCode::TooLong, message))
}

/// A record as it is stored, read while it is sent: a slow reader holds one part of it in memory.
fn in_parts(store: Store, id: String, length: u64) -> Response {
    let parts = stream::try_unfold(0, move |from| {
        let (store, id) = (store.clone(), id.clone());
        async move {
            if from >= length {
                return Ok(None);
            }
            let part = tokio::task::spawn_blocking(move || part(&store, &id, from, length)).await;
            let part = part.unwrap_or_else(|error| Err(StoreError::Io(error.to_string())))?;
            let next = from + part.len() as u64;
            Ok::<_, StoreError>(Some((Bytes::from(part), next)))
        }
    });
    let named = [(CONTENT_TYPE, "application/json".to_owned()), (CONTENT_LENGTH, length.to_string())];
    (named, Body::from_stream(parts)).into_response()
}

/// The next part of a record. If it has changed, reading cannot continue.
fn part(store: &Store, id: &str, from: u64, length: u64) -> Result<Vec<u8>, StoreError> {
    match store.record_part(id, from, PART)? {
        Some((now, part)) if now == length && !part.is_empty() => Ok(part),
        _ => Err(StoreError::Io("the record has changed".to_owned())),
    }
}

async fn as_text(app: &App, id: String, facts: &RecordFacts) -> Result<Response, ApiError> {
    check_length(facts.length)?;
    let store = app.store.clone();
    let text = app.heavy.run(move || read(&store, &id).map(|record| record.to_text())).await??;
    let room = app.heavy.room(text.len())?;
    Ok(([(CONTENT_TYPE, "text/plain; charset=utf-8")], slowly(text.into(), room)).into_response())
}

/// A body that takes up room as long as it is being sent.
fn slowly(text: Bytes, room: OwnedSemaphorePermit) -> Body {
    Body::from_stream(stream::unfold((text, room), |(mut text, room)| async move {
        let next = text.split_to(text.len().min(PART as usize));
        (!next.is_empty()).then_some((Ok::<_, std::convert::Infallible>(next), (text, room)))
    }))
}

pub(super) fn read(store: &Store, id: &str) -> Result<Record, ApiError> {
    let row = store.record(id)?.ok_or_else(|| ApiError::new(ServerCode::NotFound, "the game was deleted just now"))?;
    let text = std::str::from_utf8(&row.body).map_err(|_| unreadable())?;
    Record::parse(text).map_err(|_| unreadable())
}

pub(super) fn unreadable() -> ApiError {
    ApiError::new(ServerCode::Storage, "the record is damaged")
}

/// Some steps as JSON.
fn page(record: &Record, query: &ReplayQuery) -> Result<Vec<u8>, ApiError> {
    replay::page(record, query).map_err(|why| match why {
        PageError::NoSeat { .. } => ApiError::new(TableCode::NoSuchSeat, why.to_string()),
        PageError::Damaged => unreadable(),
    })
}
