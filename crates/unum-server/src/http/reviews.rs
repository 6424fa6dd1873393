//! Reviews of finished games and rounds, and the season of a guest.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use bytes::Bytes;
use unum_protocol::rest::GameSummary;
use unum_protocol::review::{Analysis, GameFigures, MomentQuery, ReviewProgress, RoundQuery, Season, SeasonChange};
use unum_protocol::{Empty, ServerCode, read_code};
use unum_review::season::{SeasonGame, season};
use unum_rules::Seat;
use unum_store::SeasonRow;

use super::error::ApiError;
use super::extract::{JsonBody, Known, Params, Part, Reader};
use super::games::{charge, check_length, read, readable, rounds_so_far};
use super::packed::Packed;
use super::{Client, api};
use crate::app::App;
use crate::codes::Unavailable;
use crate::reviews::{Standing, Subject, Who, analyze, look};

/// How many games a season has at most, the newest ones.
const SEASON: u32 = 1_000;

/// The review of a finished game: the one that is kept, or one on its way.
pub(crate) async fn game(
    State(app): State<Arc<App>>,
    client: Client,
    reader: Reader,
    headers: HeaderMap,
    Part(id): Part,
) -> Result<Response, ApiError> {
    let facts = readable(&app, &id, &reader).await?;
    check_length(facts.length)?;
    let guest = reader.0.map(|guest| guest.id);
    let (asked, who) = (id.clone(), guest.map_or(u64::MAX, |guest| guest.0));
    let (kept, seat) = app.store(move |store| Ok((store.review(&asked)?, store.seat_in(&asked, who)?))).await?;
    let standing = match kept {
        Some(review) => Standing { progress: ReviewProgress::Done, review: Some(review.into()) },
        None => {
            let who = guest.map_or(Who::Address(client.0), Who::Guest);
            let (store, wanted) = (app.store.clone(), id.clone());
            look(&app, Subject::Game(id), (who, client.0), move || read(&store, &wanted)).await?
        }
    };
    Ok(answer(standing, seat, &headers))
}

/// The review of a round of a running match that is over, for those who are at the table.
pub(crate) async fn round(
    State(app): State<Arc<App>>,
    client: Client,
    Known(guest): Known,
    headers: HeaderMap,
    Part(code): Part,
    Params(query): Params<RoundQuery>,
) -> Result<Response, ApiError> {
    app.check_guessing(client.0)?;
    charge(&app, client)?;
    let (hub, id, invite) = (Arc::clone(&app.hub), guest.id, read_code(&code).ok_or(Unavailable::NoTable)?);
    let found = app.heavy.run(move || rounds_so_far(&hub, &invite, id)).await?;
    let (record, table, number) = api::noted(&app, client, &code, found)?;
    let last = record.deals_at().count() as u32;
    let round = query.round.unwrap_or(last);
    if !(1..=last).contains(&round) {
        let message = format!("rounds 1 to {last} of this match are over");
        return Err(ApiError::new(ServerCode::NotFound, message));
    }
    let subject = Subject::Round(table, number, round);
    let standing = look(&app, subject, (Who::Guest(guest.id), client.0), move || Ok(record)).await?;
    Ok(answer(standing, None, &headers))
}

/// What a moment of a finished game was worth to the player whose turn it was.
pub(crate) async fn game_analysis(
    State(app): State<Arc<App>>,
    client: Client,
    reader: Reader,
    Part(id): Part,
    Params(MomentQuery { step }): Params<MomentQuery>,
) -> Result<Json<Analysis>, ApiError> {
    let facts = readable(&app, &id, &reader).await?;
    charge(&app, client)?;
    check_length(facts.length)?;
    let who = reader.0.map_or(Who::Address(client.0), |guest| Who::Guest(guest.id));
    let store = app.store.clone();
    Ok(Json(analyze(&app, (who, client.0), move || read(&store, &id), step).await?))
}

/// The same for the rounds of a running match that are over.
pub(crate) async fn round_analysis(
    State(app): State<Arc<App>>,
    client: Client,
    Known(guest): Known,
    Part(code): Part,
    Params(MomentQuery { step }): Params<MomentQuery>,
) -> Result<Json<Analysis>, ApiError> {
    app.check_guessing(client.0)?;
    charge(&app, client)?;
    let (hub, id, invite) = (Arc::clone(&app.hub), guest.id, read_code(&code).ok_or(Unavailable::NoTable)?);
    let load = move || rounds_so_far(&hub, &invite, id).map(|(record, ..)| record);
    let made = analyze(&app, (Who::Guest(guest.id), client.0), load, step).await;
    api::noted(&app, client, &code, made).map(Json)
}

/// A `ServedReview`, whose review is JSON already.
fn answer(standing: Standing, seat: Option<Seat>, headers: &HeaderMap) -> Response {
    let progress = match standing.progress {
        ReviewProgress::Waiting => "waiting",
        ReviewProgress::Thinking => "thinking",
        ReviewProgress::Done => "done",
    };
    let seat = seat.map_or_else(|| "null".to_owned(), |seat| seat.to_string());
    let review = standing.review.unwrap_or(Bytes::from_static(b"null"));
    let mut body = format!(r#"{{"progress":"{progress}","seat":{seat},"review":"#).into_bytes();
    body.extend_from_slice(&review);
    body.push(b'}');
    Packed::quickly(body).answer(headers)
}

/// The season of a guest.
pub(crate) async fn my_season(
    State(app): State<Arc<App>>,
    client: Client,
    Known(guest): Known,
) -> Result<Json<Season>, ApiError> {
    charge(&app, client)?;
    let (store, id) = (app.store.clone(), guest.id.0);
    let work = move || {
        let on = store.guest(id)?.is_some_and(|row| row.season);
        let games = store.season(id, SEASON)?;
        Ok::<_, ApiError>(season(games.into_iter().filter_map(season_game).collect(), on))
    };
    Ok(Json(app.heavy.run(work).await??))
}

/// A game of a season; `None` if its figures cannot be read, which another version may have written.
fn season_game(row: SeasonRow) -> Option<SeasonGame> {
    let figures: GameFigures = serde_json::from_slice(&row.figures).ok()?;
    let summary: GameSummary = serde_json::from_str(&row.summary).ok()?;
    SeasonGame::of((row.id, row.stored), &figures, &summary.levels, row.seat)
}

/// Switches the season of a guest on or off, for games to come.
pub(crate) async fn change_season(
    State(app): State<Arc<App>>,
    Known(guest): Known,
    JsonBody(SeasonChange { on }): JsonBody<SeasonChange>,
) -> Result<Json<Empty>, ApiError> {
    app.store(move |store| store.set_season(guest.id.0, on)).await?;
    Ok(Json(Empty {}))
}

/// Deletes the season of a guest. The games stay.
pub(crate) async fn forget_season(State(app): State<Arc<App>>, Known(guest): Known) -> Result<Json<Empty>, ApiError> {
    app.store(move |store| store.forget_season(guest.id.0)).await?;
    Ok(Json(Empty {}))
}
