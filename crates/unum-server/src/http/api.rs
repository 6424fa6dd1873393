//! The interface for programs: guests, tables, rules, health and figures.

use std::sync::atomic::Ordering;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State;
use axum::http::header::{HOST, SET_COOKIE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use tokio::sync::oneshot;
use unum_protocol::rest::{Continuation, Editions, NewGuest, Opened, SignedIn, TableSummary};
use unum_protocol::rulebook::RuleBook;
use unum_protocol::{Code, Empty, MAX_NAME, ServerCode, Settings, TableCode, read_code};
use unum_rules::Edition;
use unum_table::{Continued, GuestId, text};

use super::Client;
use super::error::ApiError;
use super::extract::{JsonBody, Known, Part, Reader, Secure};
use super::games::charge;
use super::packed::Packed;
use crate::app::App;
use crate::codes::Unavailable;
use crate::hub::Opener;
use crate::mail::{Looking, Mail, NewSettings};
use crate::random::{guest_token, token_hash};

type Answer<T> = Result<Json<T>, ApiError>;

// Health and figures.

pub(crate) async fn health() -> &'static str {
    "ok\n"
}

/// Whether the server can do its work. Why not is for operators, who have a listener of their own.
pub(crate) async fn readiness(State(app): State<Arc<App>>) -> Response {
    match app.trouble() {
        None => "ready\n".into_response(),
        Some(_) => (StatusCode::SERVICE_UNAVAILABLE, "not ready\n").into_response(),
    }
}

pub(crate) async fn openapi(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    let made = || Packed::quickly(super::openapi::document(app.config.base_path()).into());
    app.interface.get_or_init(made).answer(&headers)
}

// Rules.

pub(crate) async fn editions(headers: HeaderMap) -> Response {
    static EDITIONS: LazyLock<Packed> = LazyLock::new(|| Packed::of(&Editions::all()));
    EDITIONS.answer(&headers)
}

/// The rule book as a whole, and that of every edition.
static BOOKS: LazyLock<Vec<(Option<Edition>, Packed)>> = LazyLock::new(|| {
    let books = std::iter::once(None).chain(Edition::ALL.into_iter().map(Some));
    books.map(|edition| (edition, Packed::of(&RuleBook::of(edition, |_| true)))).collect()
});

fn book(edition: Option<Edition>, headers: &HeaderMap) -> Option<Response> {
    BOOKS.iter().find(|(of, _)| *of == edition).map(|(_, book)| book.answer(headers))
}

pub(crate) async fn rules(headers: HeaderMap) -> Response {
    book(None, &headers).unwrap_or_else(|| ApiError::crashed().into_response())
}

pub(crate) async fn rules_of(Part(id): Part, headers: HeaderMap) -> Result<Response, ApiError> {
    let known = Edition::ALL.map(Edition::id).join(", ");
    let book = Edition::parse(&id).and_then(|edition| book(Some(edition), &headers));
    book.ok_or_else(|| ApiError::new(ServerCode::NotFound, format!("there is no such edition; there are {known}")))
}

// Guests.

pub(super) fn cleaned(name: &str) -> Result<String, ApiError> {
    text::clean(name, MAX_NAME).map_err(|error| ApiError::new(TableCode::BadName, format!("the name {error}")))
}

pub(crate) async fn new_guest(
    State(app): State<Arc<App>>,
    client: Client,
    Secure(secure): Secure,
    JsonBody(NewGuest { name, look }): JsonBody<NewGuest>,
) -> Result<Response, ApiError> {
    let name = cleaned(&name)?;
    app.check_new_guest(client.0, Instant::now()).map_err(|why| ApiError::new(ServerCode::TooFast, why))?;
    admit_anything(&app).await?;
    let token = guest_token();
    let guest = unum_store::NewGuest { token: token_hash(&token), name: name.clone(), look: look.to_text() };
    let id = app.store(move |store| store.add_guest(guest)).await?;
    let cookie = app.cookie(secure).set(&token);
    let body = SignedIn { id, name, look, token };
    Ok((StatusCode::CREATED, [(SET_COOKIE, cookie)], Json(body)).into_response())
}

// Tables.

pub(crate) async fn new_table(
    State(app): State<Arc<App>>,
    client: Client,
    Secure(secure): Secure,
    Known(guest): Known,
    headers: HeaderMap,
    JsonBody(settings): JsonBody<Settings>,
) -> Result<Response, ApiError> {
    let opener = admit_new(&app, client, &guest).await?;
    let code = app.hub.open(guest.id, settings, None, opener).await?;
    Ok(opened(&code, &base_url(&app, &headers, secure)))
}

/// A match that somebody has begun on their own device goes on at a table.
pub(crate) async fn continued_table(
    State(app): State<Arc<App>>,
    client: Client,
    Secure(secure): Secure,
    Known(guest): Known,
    headers: HeaderMap,
    JsonBody(given): JsonBody<Continuation>,
) -> Result<Response, ApiError> {
    let opener = admit_new(&app, client, &guest).await?;
    // Playing it again takes as long as a replay.
    charge(&app, client)?;
    let id = guest.id;
    let (settings, continued) = app.heavy.run(move || Continued::check(&given, id)).await??;
    let code = app.hub.open(id, settings, Some(continued), opener).await?;
    Ok(opened(&code, &base_url(&app, &headers, secure)))
}

fn opened(code: &str, base: &str) -> Response {
    let link = format!("{base}/t/{code}");
    (StatusCode::CREATED, Json(Opened { code: code.to_owned(), link })).into_response()
}

/// Whether a guest may open a table now, which is counted.
async fn admit_new(app: &App, client: Client, guest: &crate::guests::Guest) -> Result<Opener, ApiError> {
    if app.winding_down.load(Ordering::Relaxed) {
        return Err(Unavailable::Stopping.into());
    }
    admit_anything(app).await?;
    let opener = admit_table(app, client, guest)?;
    admit_another(app, guest).await?;
    admit_size(app, guest).await?;
    Ok(opener)
}

/// On a nearly full disk or database nothing new begins, so running games can end.
async fn admit_anything(app: &App) -> Result<(), ApiError> {
    let least = u64::from(app.config.limits.free_megabytes) << 20;
    // A small database must not reserve all of its space.
    let reserve = least.min((u64::from(app.config.limits.max_database_megabytes) << 20) / 4);
    let room = app.store(move |store| store.room_left()).await?;
    if app.store.free_space().is_none_or(|free| free >= least) && room.is_none_or(|room| room >= reserve) {
        return Ok(());
    }
    app.metrics.turned_away.one();
    Err(ApiError::new(ServerCode::NoRoom, "the server is short of disk space; games go on, but no new ones begin"))
}

/// Whether a guest has too many tables that any node runs, or has recently opened too many at all nodes. What this one
/// runs and has opened is counted already.
async fn admit_another(app: &App, guest: &crate::guests::Guest) -> Result<(), ApiError> {
    if app.hub.cluster.is_none() {
        return Ok(());
    }
    let (id, since) = (guest.id.0, app.hub.clock.now().0.saturating_sub(60_000));
    let asked = app.store(move |store| Ok((store.running_of(id)?, store.opened_by(id, since)?)));
    let (running, opened) = asked.await?;
    let limits = &app.config.limits;
    let why = if running >= limits.tables_per_guest as u64 {
        ApiError::new(ServerCode::TooMany, TOO_MANY_TABLES)
    } else if opened >= u64::from(limits.new_tables_per_minute) {
        ApiError::new(ServerCode::TooFast, crate::app::TOO_MANY_NEW_TABLES)
    } else {
        return Ok(());
    };
    app.metrics.turned_away.one();
    Err(why)
}

const TOO_MANY_TABLES: &str = "you have as many tables open as you may; leave one first";

/// Whether the tables of a guest leave room for another.
async fn admit_size(app: &App, guest: &crate::guests::Guest) -> Result<(), ApiError> {
    let (id, most) = (guest.id.0, u64::from(app.config.limits.guest_megabytes) << 20);
    if app.store(move |store| store.table_bytes(id)).await? < most {
        return Ok(());
    }
    app.metrics.turned_away.one();
    Err(ApiError::new(ServerCode::Quota, "your tables take as much room as they may; close some of them first"))
}

fn admit_table(app: &App, client: Client, guest: &crate::guests::Guest) -> Result<Opener, ApiError> {
    let too_fast = |why: &'static str| ApiError::new(ServerCode::TooFast, why);
    let now = Instant::now();
    app.check_new_table(client.0, guest.id, now).map_err(too_fast)?;
    let too_many = || ApiError::new(ServerCode::TooMany, TOO_MANY_TABLES);
    let opener = app.opener(client.0, Some(guest.id)).ok_or_else(too_many)?;
    app.check_new_tables_in_all(now).map_err(too_fast)?;
    Ok(opener)
}

/// How the client reaches this server, for links.
pub(super) fn base_url(app: &App, headers: &HeaderMap, secure: bool) -> String {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or("localhost");
    app.config.public_url.clone().unwrap_or_else(|| format!("{}://{host}", if secure { "https" } else { "http" }))
}

pub(crate) async fn tables(State(app): State<Arc<App>>, headers: HeaderMap) -> Result<Response, ApiError> {
    let list = match &app.hub.cluster {
        Some(cluster) => cluster.public(&app).await?,
        None => app.hub.public(),
    };
    Ok(list.answer_if_new(&headers))
}

/// What a table is, if there is one with that code.
pub(crate) async fn table(
    State(app): State<Arc<App>>,
    client: Client,
    Reader(guest): Reader,
    Part(code): Part,
) -> Answer<TableSummary> {
    let (guest, guarded) = (guest.map(|guest| guest.id), app.is_guarded());
    let patience = Patience::new();
    let summary = loop {
        let mail = |reply| Mail::Look(Box::new(Looking { guest, guarded, reply }));
        let summary = asked(&app, &code, client, None, mail).await;
        let summary = summary.and_then(|summary| summary.map_err(ApiError::from));
        if !patience.lasts(&summary).await {
            break summary;
        }
    };
    let summary = noted(&app, client, &code, summary)?;
    Ok(Json(*summary))
}

/// A well-formed code that no table has counts as a guess; anything else does not.
pub(super) fn noted<T>(app: &App, client: Client, code: &str, answer: Result<T, ApiError>) -> Result<T, ApiError> {
    let missing = answer.as_ref().is_err_and(|error| error.code() == Code::from(ServerCode::NoTable));
    if missing && read_code(code).is_some() {
        app.note_wrong_code(client.0);
    }
    answer
}

/// How often to ask a table that is just leaving memory.
const TRIES: usize = 3;

/// How long, and how often, to ask again while a table moves to another node.
const MOVING: Duration = Duration::from_secs(5);
const AGAIN: Duration = Duration::from_millis(50);

/// Patience with a table that moves from one node to another.
pub(crate) struct Patience(Instant);

impl Patience {
    pub(crate) fn new() -> Patience {
        Patience(Instant::now())
    }

    /// Whether to ask again, after a moment: the table moves, and has not done so for long.
    pub(crate) async fn lasts<T>(&self, answer: &Result<T, ApiError>) -> bool {
        let moves = answer.as_ref().is_err_and(|error| error.code() == Code::from(ServerCode::Moved));
        let lasts = moves && self.0.elapsed() < MOVING;
        if lasts {
            tokio::time::sleep(AGAIN).await;
        }
        lasts
    }
}

/// Asks a table something and waits for its answer.
async fn asked<T>(
    app: &App,
    code: &str,
    client: Client,
    guest: Option<GuestId>,
    mut mail: impl FnMut(oneshot::Sender<T>) -> Mail,
) -> Result<T, ApiError> {
    app.check_guessing(client.0)?;
    let code = read_code(code).ok_or(Unavailable::NoTable)?;
    for _ in 0..TRIES {
        let (reply, answer) = oneshot::channel();
        let mailbox = app.find(&code, client.0, guest)?;
        let sent = mailbox.send(mail(reply)).await;
        match answer.await {
            Ok(answer) => return Ok(answer),
            // It failed while handling the question.
            Err(_) if sent.is_ok() => return Err(Unavailable::Crashed.into()),
            Err(_) => {}
        }
    }
    Err(Unavailable::Storage.into())
}

pub(crate) async fn settings(
    State(app): State<Arc<App>>,
    client: Client,
    Part(code): Part,
    Known(guest): Known,
    JsonBody(settings): JsonBody<Settings>,
) -> Answer<Empty> {
    let patience = Patience::new();
    let changed = loop {
        let mail = |reply| Mail::Settings(Box::new(NewSettings { guest: guest.id, settings: settings.clone(), reply }));
        let changed = asked(&app, &code, client, Some(guest.id), mail).await;
        let changed = changed.and_then(|changed| changed.map_err(ApiError::from));
        if !patience.lasts(&changed).await {
            break changed;
        }
    };
    noted(&app, client, &code, changed)?;
    Ok(Json(Empty {}))
}
