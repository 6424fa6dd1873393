//! The guest's own account: profile, export, new token, deletion.

use std::collections::HashSet;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, SET_COOKIE};
use axum::response::{IntoResponse, Response};
use tokio::sync::oneshot;
use unum_protocol::rest::{Export, GameSummary, Games, Guest, GuestChange, Said, SignedIn};
use unum_protocol::{BlockedPerson, Empty, ServerCode};
use unum_rules::Seat;
use unum_rules::record::Record;
use unum_store::{BlockRow, Change, Store, TableRow};
use unum_table::{GuestId, NOBODY};

use super::Client;
use super::api::{Patience, cleaned};
use super::error::ApiError;
use super::extract::{Account, JsonBody, Known, Part, Secure};
use super::games::{charge, games};
use crate::app::App;
use crate::codes::Unavailable;
use crate::hub::Hub;
use crate::mail::Mail;
use crate::random::{guest_token, token_hash};
use crate::records::nameless;
use crate::table_task::restore;

/// How many finished games an export has at most, the newest; and how many tables, with what was said there.
const EXPORTED: u32 = 10_000;
const TALKED_AT: usize = 1_000;
/// How many records are looked for at once when a guest is taken out of them.
const AT_ONCE: u32 = 16;

pub(crate) async fn me(Account(guest): Account) -> Json<Guest> {
    Json(Guest { id: guest.id.0, name: guest.name, look: guest.look })
}

pub(crate) async fn change(
    State(app): State<Arc<App>>,
    Known(guest): Known,
    JsonBody(change): JsonBody<GuestChange>,
) -> Result<Json<Guest>, ApiError> {
    let name = change.name.as_deref().map(cleaned).transpose()?;
    let (id, new, look) = (guest.id.0, name.clone(), change.look.map(|look| look.to_text()));
    app.store(move |store| store.change_guest(id, new, look)).await?;
    let (name, look) = (name.unwrap_or(guest.name), change.look.unwrap_or(guest.look));
    Ok(Json(Guest { id, name, look }))
}

/// Everything stored about a guest.
pub(crate) async fn export(
    State(app): State<Arc<App>>,
    client: Client,
    Account(guest): Account,
) -> Result<Response, ApiError> {
    charge(&app, client)?;
    let (hub, id) = (Arc::clone(&app.hub), guest.id);
    let export = app.heavy.run(move || exported(&hub, id)).await??;
    let named = [(CONTENT_DISPOSITION, "attachment; filename=\"unum.json\"")];
    Ok((named, Json(export)).into_response())
}

fn exported(hub: &Hub, GuestId(id): GuestId) -> Result<Export, ApiError> {
    let store = &hub.store;
    let row = store.guest(id)?.ok_or_else(|| ApiError::new(ServerCode::NoGuest, "the guest was deleted just now"))?;
    let guest = Guest { id, name: row.name, look: unum_protocol::Look::from_text(&row.look) };
    let (tables, mut records) = (store.tables_of(id)?, store.records_of(id, EXPORTED + 1)?);
    let all_games = records.len() <= EXPORTED as usize;
    records.truncate(EXPORTED as usize);
    let (chat, all_chat) = said(hub, GuestId(id), &tables);
    let Games { open, finished } = games(tables, records)?;
    let complete = all_games && all_chat;
    let blocked = store.blocks_of(id)?.into_iter().map(blocked_person).collect();
    Ok(Export { guest, created: row.created, seen: row.seen, open, finished, chat, blocked, complete })
}

fn blocked_person(BlockRow { other: id, at, name }: BlockRow) -> BlockedPerson {
    BlockedPerson { id, name, at }
}

/// Whom a guest has blocked, the latest first.
pub(crate) async fn blocked(
    State(app): State<Arc<App>>,
    Known(guest): Known,
) -> Result<Json<Vec<BlockedPerson>>, ApiError> {
    let rows = app.store(move |store| store.blocks_of(guest.id.0)).await?;
    Ok(Json(rows.into_iter().map(blocked_person).collect()))
}

/// A guest blocks somebody no longer.
pub(crate) async fn unblock(
    State(app): State<Arc<App>>,
    Known(guest): Known,
    Part(other): Part,
) -> Result<Json<Empty>, ApiError> {
    let missing = || ApiError::new(ServerCode::NotFound, "you have blocked nobody with that number");
    let (guest, other) = (guest.id.0, other.parse().map_err(|_| missing())?);
    match app.store(move |store| store.moderate(Change::Unblock { guest, other })).await? {
        0 => Err(missing()),
        _ => Ok(Json(Empty {})),
    }
}

/// What a guest has said at these tables, one after the other as their journals have it, and whether that is all.
fn said(hub: &Hub, guest: GuestId, tables: &[TableRow]) -> (Vec<Said>, bool) {
    // The store lists no more: there may be others.
    let (mut chat, mut complete) = (Vec::new(), tables.len() < TALKED_AT);
    for row in tables.iter().take(TALKED_AT) {
        match restore(hub, &row.code) {
            Ok(Some(table)) => {
                let said = |text| Said { table: row.invite.clone(), text };
                chat.extend(table.said_by(guest).into_iter().map(said));
            }
            Ok(None) => {}
            Err(_) => complete = false,
        }
    }
    (chat, complete)
}

/// Gives a guest a new token. The old one is void, and its connections are closed.
pub(crate) async fn new_token(
    State(app): State<Arc<App>>,
    Secure(secure): Secure,
    Known(guest): Known,
    JsonBody(Empty {}): JsonBody<Empty>,
) -> Result<Response, ApiError> {
    let (id, token) = (guest.id.0, guest_token());
    let hash = token_hash(&token);
    app.store(move |store| store.change_token(id, hash)).await?;
    app.sign_out(guest.id);
    let body = SignedIn { id, name: guest.name, look: guest.look, token };
    Ok(([(SET_COOKIE, app.cookie(secure).set(&body.token))], Json(body)).into_response())
}

/// Ends all WebSockets of a guest.
pub(crate) async fn disconnect(State(app): State<Arc<App>>, Known(guest): Known) -> Json<Empty> {
    app.sign_out(guest.id);
    Json(Empty {})
}

/// Deletes a guest, and their name where it is stored. If interrupted, what is done stays done, and the request can be
/// repeated.
pub(crate) async fn delete(
    State(app): State<Arc<App>>,
    client: Client,
    Secure(secure): Secure,
    Account(guest): Account,
) -> Result<Response, ApiError> {
    charge(&app, client)?;
    app.sign_out(guest.id);
    leave_tables(&app, client, guest.id).await?;
    leave_records(&app, guest.id).await?;
    let id = guest.id.0;
    app.store(move |store| store.remove_guest(id)).await?;
    app.sign_out(guest.id);
    Ok(([(SET_COOKIE, app.cookie(secure).unset())], Json(Empty {})).into_response())
}

/// The guest leaves every table without a name.
async fn leave_tables(app: &App, client: Client, guest: GuestId) -> Result<(), ApiError> {
    let mut asked = HashSet::new();
    loop {
        // Tables that were left are not listed any more, except those that cannot be loaded.
        let tables = app.store(move |store| store.tables_of(guest.0)).await?;
        let fresh: Vec<TableRow> = tables.into_iter().filter(|table| asked.insert(table.id)).collect();
        if fresh.is_empty() {
            return Ok(());
        }
        for table in fresh {
            leave_table(app, client, guest, &table.invite).await?;
        }
    }
}

async fn leave_table(app: &App, client: Client, guest: GuestId, invite: &str) -> Result<(), ApiError> {
    let patience = Patience::new();
    loop {
        let (done, told) = oneshot::channel();
        let left = match app.find(invite, client.0, None) {
            Ok(mailbox) => {
                // A table that cannot be loaded cannot tell the name to anybody either.
                let _ = mailbox.send(Mail::Forget(guest, done)).await;
                match told.await {
                    Ok(Err(refusal)) if refusal.code == ServerCode::Moved.into() => Err(ApiError::from(refusal)),
                    _ => Ok(()),
                }
            }
            Err(Unavailable::NoTable | Unavailable::Damaged) => Ok(()),
            Err(why) => Err(why.into()),
        };
        if !patience.lasts(&left).await {
            return left;
        }
    }
}

/// Removes the guest's name from finished games.
async fn leave_records(app: &App, guest: GuestId) -> Result<(), ApiError> {
    loop {
        let records = app.store(move |store| store.seats_of(guest.0, AT_ONCE)).await?;
        if records.is_empty() {
            return Ok(());
        }
        for (id, seat) in records {
            let store = app.store.clone();
            app.heavy.run(move || leave_record(&store, &id, guest, seat)).await??;
        }
    }
}

fn leave_record(store: &Store, id: &str, guest: GuestId, seat: Option<Seat>) -> Result<(), ApiError> {
    let row = store.record(id)?;
    // A record that cannot be read is of no use without its names either.
    let new = row.zip(seat).and_then(|(row, seat)| without(&row.summary, &row.body, seat));
    store.rewrite_record(id, guest.0, new)?;
    Ok(())
}

/// A record and its summary without the name at a seat.
fn without(summary: &str, body: &[u8], seat: Seat) -> Option<(String, Vec<u8>)> {
    let mut summary: GameSummary = serde_json::from_str(summary).ok()?;
    *summary.players.get_mut(usize::from(seat))? = Some(NOBODY.to_owned());
    let record = Record::parse(std::str::from_utf8(body).ok()?).ok()?;
    let record = nameless(&record, seat)?;
    Some((serde_json::to_string(&summary).ok()?, record.to_json().into_bytes()))
}
