//! Games of the past, and those one is in.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};
use unum_rules::record::{Record, Step};
use unum_rules::wire::{ViewForm, full_events, seen_events};
use unum_rules::{Position, Seat, Viewer};

use super::error::ApiError;
use super::reading::Known;
use crate::app::App;
use crate::codes::ApiCode;

/// How many finished games a list has at most.
const LISTED: u32 = 100;

/// The games of a guest: unfinished ones to go on with, finished ones to look at.
pub(crate) async fn mine(State(app): State<Arc<App>>, Known(guest): Known) -> Result<Json<Value>, ApiError> {
    let id = guest.id.0;
    let (tables, records) = app.store(move |store| Ok((store.tables_of(id)?, store.records_of(id, LISTED)?))).await?;
    let open = tables.into_iter().map(|row| json!({ "table": row.code, "opened": row.opened, "touched": row.touched }));
    let finished = records.into_iter().map(|head| {
        let summary = serde_json::from_str(&head.summary).unwrap_or(Value::Null);
        json!({ "id": head.id, "table": head.table, "ended": head.stored, "summary": summary })
    });
    Ok(Json(json!({ "open": open.collect::<Value>(), "finished": finished.collect::<Value>() })))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Format {
    #[serde(default)]
    format: Kind,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    #[default]
    Json,
    Text,
}

/// A finished game as a record.
pub(crate) async fn record(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Query(format): Query<Format>,
) -> Result<Response, ApiError> {
    let text = stored(&app, id).await?;
    Ok(match format.format {
        Kind::Json => ([(CONTENT_TYPE, "application/json")], text).into_response(),
        Kind::Text => ([(CONTENT_TYPE, "text/plain; charset=utf-8")], parse(&text)?.to_text()).into_response(),
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Chosen {
    seat: Option<Seat>,
}

/// A finished game step by step: as one seat saw it, or with all cards open.
pub(crate) async fn replay(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Query(chosen): Query<Chosen>,
) -> Result<Response, ApiError> {
    let text = stored(&app, id).await?;
    let steps = tokio::task::spawn_blocking(move || steps(&parse(&text)?, chosen.seat)).await;
    let steps = steps.map_err(|_| ApiError::new(ApiCode::Storage, "the record could not be replayed"))??;
    Ok(([(CONTENT_TYPE, "application/json")], steps).into_response())
}

async fn stored(app: &App, id: String) -> Result<String, ApiError> {
    let row = app.store(move |store| store.record(&id)).await?;
    let row = row.ok_or_else(|| ApiError::new(ApiCode::NotFound, "there is no finished game with that id"))?;
    String::from_utf8(row.body).map_err(|_| unreadable())
}

fn parse(text: &str) -> Result<Record, ApiError> {
    Record::parse(text).map_err(|_| unreadable())
}

fn unreadable() -> ApiError {
    ApiError::new(ApiCode::Storage, "the record is damaged")
}

fn steps(record: &Record, seat: Option<Seat>) -> Result<String, ApiError> {
    if seat.is_some_and(|seat| seat >= record.setup.players) {
        let message = format!("there are seats 0 to {}", record.setup.players - 1);
        return Err(ApiError::new(ApiCode::BadRequest, message));
    }
    let mut replay = record.steps();
    let mut steps: Vec<Value> = Vec::new();
    while let Some(step) = replay.step().map_err(|_| unreadable())? {
        steps.push(step_of(&step, seat));
    }
    Ok(json!({ "players": record.setup.players, "steps": steps }).to_string())
}

fn step_of(step: &Step<'_>, seat: Option<Seat>) -> Value {
    let (game, place) = (step.game, &step.place);
    let mut value = json!({ "round": place.round, "number": place.number, "seat": place.seat, "move": place.text });
    match seat {
        Some(seat) => {
            value["events"] = json!(seen_events(step.events, Viewer::Seat(seat), game.rules()));
            value["view"] = json!(ViewForm::new(&game.view(Viewer::Seat(seat)), game.rules()));
        }
        None => {
            value["events"] = json!(full_events(step.events, game.rules()));
            value["state"] = json!(Position::of(game));
        }
    }
    value
}
