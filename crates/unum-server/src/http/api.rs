//! The interface for programs: guests, tables, rules, health and figures.

use std::sync::Arc;
use std::time::Instant;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::header::{CONTENT_TYPE, HOST, SET_COOKIE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::oneshot;
use unum_rules::rulebook::{self, Rule, SECTIONS, Section};
use unum_rules::{Card, CustomRule, Edition, Rules, RulesSpec};
use unum_store::{Health, NewGuest};
use unum_table::wire::Settings;
use unum_table::{Listing, Look, text};

use super::Client;
use super::error::ApiError;
use super::pages::OPENAPI;
use super::reading::{JsonBody, Known};
use crate::app::App;
use crate::codes::ApiCode;
use crate::guests::set_cookie;
use crate::hub::{OpenTrouble, Opener, Unreachable};
use crate::mail::{Mail, NewSettings, NotThere, TableSummary};
use crate::random::{guest_token, token_hash};

/// How many public tables a list has at most.
pub(crate) const LISTED: usize = 200;

type Answer<T> = Result<Json<T>, ApiError>;

// Health and figures.

pub(crate) async fn health() -> &'static str {
    "ok\n"
}

/// Whether the server can do its work; if not, a sentence says why.
pub(crate) async fn readiness(State(app): State<Arc<App>>) -> Response {
    if *app.stopping.borrow() {
        return ApiError::from(NotThere::Stopping).into_response();
    }
    match app.store.health() {
        Health::Ok => "ready\n".into_response(),
        Health::Failing(why) => ApiError::new(ApiCode::Storage, why).into_response(),
    }
}

pub(crate) async fn metrics(State(app): State<Arc<App>>) -> Response {
    let mut text = app.metrics.text();
    let figures = app.store.figures();
    let seconds = figures.micros as f64 / 1e6;
    for (name, help, kind, value) in [
        ("store_commits_total", "Transactions that the disk has.", "counter", figures.commits as f64),
        ("store_failures_total", "Transactions that failed.", "counter", figures.failures as f64),
        ("store_jobs_total", "Batches and other changes that were asked for.", "counter", figures.jobs as f64),
        ("store_write_seconds_total", "How long writing took.", "counter", seconds),
        ("store_waiting", "Changes that wait to be written.", "gauge", figures.waiting as f64),
    ] {
        crate::metrics::write_plain(&mut text, name, help, kind, value);
    }
    ([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response()
}

pub(crate) async fn openapi() -> Response {
    ([(CONTENT_TYPE, "application/json")], OPENAPI).into_response()
}

// Rules.

pub(crate) async fn editions() -> Json<Vec<Value>> {
    Json(Edition::ALL.into_iter().map(edition).collect())
}

fn edition(edition: Edition) -> Value {
    let (notes, rules) = (rulebook::edition_notes(edition), Rules::of(edition));
    json!({
        "id": edition.id(),
        "title": notes.title,
        "summary": notes.summary,
        "differences": notes.differences,
        "rulings": notes.rulings,
        "cards": rules.deck().len(),
        "deck": deck(&rules),
        "starters": if edition == Edition::Custom { CustomRule::starters().collect() } else { Vec::new() },
        "players": {"least": 2, "most": 10},
        "rules": RulesSpec::of(edition),
    })
}

/// The kinds of card with their copies and what each counts when it is left in a hand.
fn deck(rules: &Rules) -> Vec<Value> {
    let named = |card: Card| card.name(rules.palette());
    let kinds = rules.deck().kinds();
    let kinds =
        kinds.map(|(card, copies)| json!({ "card": named(card), "copies": copies, "points": rules.points(card) }));
    kinds.collect()
}

pub(crate) async fn rules() -> Json<Value> {
    let sections: Vec<Value> = SECTIONS.iter().map(|section| section_of(section, None)).collect();
    Json(json!({ "sections": sections }))
}

pub(crate) async fn rules_of(Path(id): Path<String>) -> Answer<Value> {
    let known = Edition::ALL.map(Edition::id).join(", ");
    let edition = Edition::parse(&id);
    let edition = edition
        .ok_or_else(|| ApiError::new(ApiCode::NotFound, format!("there is no such edition; there are {known}")))?;
    let sections: Vec<Value> = SECTIONS.iter().map(|section| section_of(section, Some(edition))).collect();
    Ok(Json(json!({ "edition": self::edition(edition), "sections": sections })))
}

fn section_of(section: &Section, lens: Option<Edition>) -> Value {
    let rules = section.rules.iter().filter(|rule| lens.is_none_or(|edition| rule.applies_in(edition)));
    let rules: Vec<Value> = rules.map(|rule| rule_of(rule, lens)).collect();
    json!({ "letter": section.letter, "title": section.title, "rules": rules })
}

fn rule_of(rule: &Rule, lens: Option<Edition>) -> Value {
    let mut value = json!({ "id": rule.id, "title": rule.title, "text": rule.text, "rulings": rule.rulings });
    match lens {
        Some(edition) => value["difference"] = json!(rule.difference_in(edition)),
        None => {
            value["editions"] = rule.editions.iter().map(|edition| edition.id()).collect();
            let differences = rule.differences.iter().map(|(edition, text)| (edition.id().to_owned(), (*text).into()));
            value["differences"] = Value::Object(differences.collect());
        }
    }
    value
}

// Guests.

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewcomerBody {
    name: String,
    #[serde(default)]
    look: Look,
}

/// What a guest wants to change.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChangeBody {
    name: Option<String>,
    look: Option<Look>,
}

fn cleaned(name: &str) -> Result<String, ApiError> {
    text::clean(name, text::MAX_NAME)
        .map_err(|error| ApiError::new(ApiCode::BadName, format!("this cannot be a name: {error}")))
}

#[derive(Serialize)]
pub(crate) struct GuestBody {
    id: u64,
    name: String,
    #[serde(skip_serializing_if = "Look::is_none")]
    look: Look,
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<String>,
}

pub(crate) async fn new_guest(
    State(app): State<Arc<App>>,
    client: Client,
    JsonBody(NewcomerBody { name, look }): JsonBody<NewcomerBody>,
) -> Result<Response, ApiError> {
    let name = cleaned(&name)?;
    if !app.new_guests.allow(client.0, Instant::now()) {
        app.metrics.turned_away.one();
        return Err(ApiError::new(ApiCode::TooFast, "too many new guests from your address; wait a minute"));
    }
    let token = guest_token();
    let guest = NewGuest { token: token_hash(&token), name: name.clone(), look: look.to_text() };
    let id = app.store(move |store| store.add_guest(guest)).await?;
    let secure = app.config.public_url.as_ref().is_some_and(|url| url.starts_with("https://"));
    let cookie = set_cookie(&token, secure);
    let body = GuestBody { id, name, look, token: Some(token) };
    Ok((StatusCode::CREATED, [(SET_COOKIE, cookie)], Json(body)).into_response())
}

pub(crate) async fn me(Known(guest): Known) -> Json<GuestBody> {
    Json(GuestBody { id: guest.id.0, name: guest.name, look: guest.look, token: None })
}

pub(crate) async fn change_me(
    State(app): State<Arc<App>>,
    Known(guest): Known,
    JsonBody(change): JsonBody<ChangeBody>,
) -> Answer<GuestBody> {
    if change.name.is_none() && change.look.is_none() {
        return Err(ApiError::new(ApiCode::BadRequest, "nothing is to change: give a `name`, a `look`, or both"));
    }
    let name = change.name.as_deref().map(cleaned).transpose()?;
    let (id, new, look) = (guest.id.0, name.clone(), change.look.map(|look| look.to_text()));
    app.store(move |store| store.change_guest(id, new, look)).await?;
    let (name, look) = (name.unwrap_or(guest.name), change.look.unwrap_or(guest.look));
    Ok(Json(GuestBody { id, name, look, token: None }))
}

// Tables.

#[derive(Serialize)]
pub(crate) struct Opened {
    code: String,
    link: String,
}

pub(crate) async fn new_table(
    State(app): State<Arc<App>>,
    client: Client,
    Known(guest): Known,
    headers: HeaderMap,
    JsonBody(settings): JsonBody<Settings>,
) -> Result<Response, ApiError> {
    let opener = admit_table(&app, client, &guest)?;
    let code = app.hub.open(settings, opener).await.map_err(|trouble| match trouble {
        OpenTrouble::Settings(refusal) => ApiError::refused(*refusal),
        OpenTrouble::Storage(error) => error.into(),
        OpenTrouble::Unreachable(why) => unreachable(why),
    })?;
    let link = format!("{}/t/{code}", base_url(&app, &headers));
    Ok((StatusCode::CREATED, Json(Opened { code: code.to_string(), link })).into_response())
}

fn admit_table(app: &App, client: Client, guest: &crate::guests::Guest) -> Result<Opener, ApiError> {
    let limits = &app.config.limits;
    let now = Instant::now();
    let turned_away = |code, message: &str| {
        app.metrics.turned_away.one();
        ApiError::new(code, message)
    };
    if !app.new_tables_by_guest.allow(guest.id, now) || !app.new_tables_by_address.allow(client.0, now) {
        return Err(turned_away(ApiCode::TooFast, "you open tables too fast; wait a minute"));
    }
    let address = app.address_tables.admit(client.0, limits.tables_per_address);
    let guest = app.guest_tables.admit(guest.id, limits.tables_per_guest);
    match (address, guest) {
        (Some(address), Some(guest)) => Ok(Opener { _address: address, _guest: guest }),
        _ => Err(turned_away(ApiCode::TooMany, "you have as many tables open as you may; leave one first")),
    }
}

/// How the client reaches this server, for links.
pub(crate) fn base_url(app: &App, headers: &HeaderMap) -> String {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or("localhost");
    app.config.public_url.clone().unwrap_or_else(|| format!("http://{host}"))
}

pub(crate) async fn tables(State(app): State<Arc<App>>) -> Json<Vec<Listing>> {
    Json(app.hub.listings(LISTED))
}

pub(crate) async fn table(State(app): State<Arc<App>>, Path(code): Path<String>) -> Answer<TableSummary> {
    look(&app, &code).await.map(|summary| Json(*summary))
}

/// What a table is, if there is one with that code.
pub(crate) async fn look(app: &Arc<App>, code: &str) -> Result<Box<TableSummary>, ApiError> {
    let (reply, answer) = oneshot::channel();
    let mailbox = app.hub.find(code).map_err(unreachable)?;
    // If the table is gone at this moment, the answer says so.
    let _ = mailbox.send(Mail::Look(reply)).await;
    Ok(answer.await.unwrap_or(Err(NotThere::Storage))?)
}

pub(crate) async fn settings(
    State(app): State<Arc<App>>,
    Path(code): Path<String>,
    Known(guest): Known,
    JsonBody(settings): JsonBody<Settings>,
) -> Answer<Value> {
    let (reply, answer) = oneshot::channel();
    let mailbox = app.hub.find(&code).map_err(unreachable)?;
    let new = NewSettings { guest: guest.id, settings, reply };
    // If the table is gone at this moment, the answer says so.
    let _ = mailbox.send(Mail::Settings(Box::new(new))).await;
    match answer.await.unwrap_or(Err(NotThere::Storage))? {
        Some(refusal) => Err(ApiError::refused(refusal)),
        None => Ok(Json(json!({}))),
    }
}

fn unreachable(why: Unreachable) -> ApiError {
    match why {
        Unreachable::NoTable => NotThere::NoTable.into(),
        Unreachable::Stopping => NotThere::Stopping.into(),
        Unreachable::TooMany => {
            ApiError::new(ApiCode::TooMany, "there are too many tables at the moment; try again later")
        }
    }
}
