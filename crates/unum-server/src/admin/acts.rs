//! What operators do. An act is in the audit log before it takes effect: nothing happens that the log does not have.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::extract::State;
use axum::{Extension, Json};
use tokio::sync::oneshot;
use unum_protocol::admin::{Act, Draining, Lifted, NewAnnouncement, NewSanction, Reached, ReportView};
use unum_protocol::node::Open;
use unum_protocol::{Code, Empty, MAX_CHAT, ServerCode, TableCode, read_code};
use unum_store::{Change, Sanction};
use unum_table::text::clean;

use super::looks::report_view;
use super::{Answer, Who};
use crate::app::App;
use crate::codes::Unavailable;
use crate::http::{ApiError, JsonBody, Part, Patience};
use crate::hub::{Opener, Reach};
use crate::mail::Mail;
use crate::moderation::Subject;

/// The longest ban or mute, in seconds: ten years.
const LONGEST: u64 = 10 * 365 * 24 * 60 * 60;
/// The longest reason, in characters.
const REASON: usize = 300;

/// Writes an act to the audit log.
async fn note(app: &App, Who(who): Who, act: &str, on: String, note: String) -> Result<(), ApiError> {
    let act = Act { who, act: act.to_owned(), on, note };
    tracing::info!(act = act.act, "an operator acts");
    let body = serde_json::to_string(&act).expect("acts are made of words");
    app.store(move |store| store.moderate(Change::Act { body })).await?;
    Ok(())
}

fn unreadable(message: impl Into<std::borrow::Cow<'static, str>>) -> ApiError {
    ApiError::new(Code::UNREADABLE, message)
}

fn subject(text: &str) -> Result<Subject, ApiError> {
    text.parse().map_err(unreadable)
}

/// A reason on one line, or none.
fn reason(text: &str) -> String {
    clean(text, REASON).unwrap_or_else(|_| text.chars().filter(|c| !c.is_control()).take(REASON).collect())
}

pub(super) async fn ban(
    State(app): State<Arc<App>>,
    Extension(who): Extension<Who>,
    JsonBody(new): JsonBody<NewSanction>,
) -> Answer<Reached> {
    sanction(&app, who, Sanction::Ban, new).await
}

pub(super) async fn mute(
    State(app): State<Arc<App>>,
    Extension(who): Extension<Who>,
    JsonBody(new): JsonBody<NewSanction>,
) -> Answer<Reached> {
    sanction(&app, who, Sanction::Mute, new).await
}

async fn sanction(app: &App, who: Who, kind: Sanction, new: NewSanction) -> Answer<Reached> {
    let NewSanction { whom, seconds, why } = new;
    let whom = subject(&whom)?;
    check_subject(app, kind, whom).await?;
    if !(1..=LONGEST).contains(&seconds) {
        return Err(unreadable(format!("a ban or mute lasts from 1 to {LONGEST} seconds")));
    }
    let (why, word) = (reason(&why), if kind == Sanction::Ban { "ban" } else { "mute" });
    let told = if why.is_empty() { format!("{seconds} s") } else { format!("{seconds} s: {why}") };
    note(app, who, word, whom.to_string(), told).await?;
    let until = app.hub.clock.now().0.saturating_add(seconds.saturating_mul(1000));
    let change = Change::Sanction { kind, subject: whom.to_string(), until, note: why };
    if app.store(move |store| store.moderate(change)).await? == 0 {
        return Err(ApiError::new(ServerCode::TooMany, "there are too many bans and mutes; end some of them first"));
    }
    renewed(app).await.map(|connections| Json(Reached { connections }))
}

/// Whether it makes sense to keep somebody away or quiet.
async fn check_subject(app: &App, kind: Sanction, whom: Subject) -> Result<(), ApiError> {
    match whom {
        Subject::Network(_) if kind == Sanction::Mute => {
            Err(unreadable("only guests can be muted; ban addresses instead"))
        }
        Subject::Network(network)
            if app.config.trusted_proxies.iter().any(|proxy| network.contains(proxy.address())) =>
        {
            Err(unreadable("that is the address of your own proxy: everybody comes from there"))
        }
        Subject::Network(_) => Ok(()),
        Subject::Guest(guest) => match app.store(move |store| store.guest(guest.0)).await? {
            Some(_) => Ok(()),
            None => {
                Err(ApiError::new(ServerCode::NotFound, "there is no guest with that number; see the list of people"))
            }
        },
    }
}

/// Bans and mutes have changed: this server applies them at once, and the other nodes are told.
async fn renewed(app: &App) -> Result<u64, ApiError> {
    let ended = app.renew_sanctions().await?;
    if let Some(cluster) = &app.hub.cluster {
        cluster.tell_all(Open::Sanctions);
    }
    Ok(ended)
}

pub(super) async fn unban(
    State(app): State<Arc<App>>,
    Extension(who): Extension<Who>,
    JsonBody(Lifted { whom }): JsonBody<Lifted>,
) -> Answer<Empty> {
    lift(&app, who, Sanction::Ban, &whom).await
}

pub(super) async fn unmute(
    State(app): State<Arc<App>>,
    Extension(who): Extension<Who>,
    JsonBody(Lifted { whom }): JsonBody<Lifted>,
) -> Answer<Empty> {
    lift(&app, who, Sanction::Mute, &whom).await
}

async fn lift(app: &App, who: Who, kind: Sanction, whom: &str) -> Answer<Empty> {
    let subject = subject(whom)?.to_string();
    let word = if kind == Sanction::Ban { "unban" } else { "unmute" };
    note(app, who, word, subject.clone(), String::new()).await?;
    let lifted = app.store(move |store| store.moderate(Change::Lift { kind, subject })).await?;
    renewed(app).await?;
    if lifted == 0 {
        return Err(ApiError::new(ServerCode::NotFound, "nobody is banned or muted by that name; see the list"));
    }
    Ok(Json(Empty {}))
}

pub(super) async fn announce(
    State(app): State<Arc<App>>,
    Extension(who): Extension<Who>,
    JsonBody(NewAnnouncement { text }): JsonBody<NewAnnouncement>,
) -> Answer<Reached> {
    let bad = |error| ApiError::new(TableCode::BadText, format!("the announcement {error}"));
    let text = clean(&text, MAX_CHAT).map_err(bad)?;
    note(&app, who, "announce", String::new(), text.clone()).await?;
    if let Some(cluster) = &app.hub.cluster {
        cluster.tell_all(Open::Announce { text: text.clone() });
    }
    Ok(Json(Reached { connections: app.announce_here(text) }))
}

pub(super) async fn close(
    State(app): State<Arc<App>>,
    Extension(who): Extension<Who>,
    Part(code): Part,
) -> Answer<Empty> {
    let code = read_code(&code).ok_or(Unavailable::NoTable)?;
    // The log outlives the table, and its code is the way to it.
    let wanted = code.clone();
    let number = app.store(move |store| match store.invited(&wanted)? {
        Some(id) => {
            let mut number = 0;
            store.visit(&id, &mut |piece| {
                if let unum_store::Piece::Table(row) = piece {
                    number = row.id;
                }
                false
            })?;
            Ok(Some(number))
        }
        None => Ok(None),
    });
    let number = number.await?.ok_or(Unavailable::NoTable)?;
    note(&app, who, "close", format!("table {number}"), String::new()).await?;
    let patience = Patience::new();
    loop {
        let (reply, answer) = oneshot::channel();
        let mailbox = app.hub.find(&code, Reach::Anywhere, || Some(Opener::house()))?;
        // A table that ends meanwhile drops the question.
        let _ = mailbox.send(Mail::Close(reply)).await;
        let closed = match answer.await {
            Ok(answer) => answer.map_err(ApiError::from),
            Err(_) => Err(Unavailable::Moved.into()),
        };
        if !patience.lasts(&closed).await {
            return closed.map(|()| Json(Empty {}));
        }
    }
}

pub(super) async fn drain(
    State(app): State<Arc<App>>,
    Extension(who): Extension<Who>,
    JsonBody(Draining { on }): JsonBody<Draining>,
) -> Answer<Empty> {
    if !on && app.hub.cluster.is_some() {
        return Err(unreadable("a node that drains has told the others so; restart it to take it back"));
    }
    note(&app, who, if on { "drain" } else { "undrain" }, String::new(), String::new()).await?;
    app.winding_down.store(on, Ordering::Relaxed);
    if let Some(cluster) = app.hub.cluster.as_ref().filter(|_| on) {
        app.store(|store| store.drain()).await?;
        let (cluster, app) = (Arc::clone(cluster), Arc::clone(&app));
        // Many tables take a while; the status tells how many are left.
        tokio::spawn(async move { cluster.give_all_away(&app).await });
    }
    Ok(Json(Empty {}))
}

pub(super) async fn report(
    State(app): State<Arc<App>>,
    Extension(who): Extension<Who>,
    Part(id): Part,
) -> Answer<ReportView> {
    let id = report_number(&id)?;
    let row = app.store(move |store| store.report(id)).await?.and_then(report_view).ok_or_else(no_report)?;
    note(&app, who, "report", format!("report {id}"), String::new()).await?;
    Ok(Json(row))
}

pub(super) async fn done(State(app): State<Arc<App>>, Extension(who): Extension<Who>, Part(id): Part) -> Answer<Empty> {
    let id = report_number(&id)?;
    app.store(move |store| store.report(id)).await?.ok_or_else(no_report)?;
    note(&app, who, "done", format!("report {id}"), String::new()).await?;
    app.store(move |store| store.moderate(Change::Done { id })).await?;
    Ok(Json(Empty {}))
}

fn report_number(text: &str) -> Result<u64, ApiError> {
    text.parse().map_err(|_| no_report())
}

fn no_report() -> ApiError {
    ApiError::new(ServerCode::NotFound, "there is no report with that number")
}
