//! What operators see: health with reasons, figures, tables, people, bans, reports, and the audit log.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use futures_util::StreamExt as _;
use futures_util::stream;
use tokio::sync::oneshot;
use unum_protocol::ReportBody;
use unum_protocol::admin::{Act, ActView, ConnectedPerson, NodeStatus, ReportView, RunningTable, SanctionView, Status};
use unum_store::lease::NodeState;
use unum_store::{ReportRow, Sanction};
use unum_table::GuestId;

use super::{Answer, plain};
use crate::app::App;
use crate::http::ApiError;
use crate::hub::Mailbox;
use crate::mail::{Looking, Mail};
use crate::moderation::Subject;

/// How many tables are listed at most, and how many are asked at a time.
const TABLES: usize = 1_000;
const ASKED_AT_ONCE: usize = 32;
/// How many reports and entries of the log are listed at most.
const REPORTS: u32 = 100;
const ACTS: u32 = 500;

pub(super) async fn readiness(State(app): State<Arc<App>>) -> Response {
    match app.trouble() {
        None => plain(StatusCode::OK, "ready\n".to_owned()),
        Some(why) => plain(StatusCode::SERVICE_UNAVAILABLE, format!("not ready: {why}\n")),
    }
}

pub(super) async fn metrics(State(app): State<Arc<App>>) -> Response {
    let mut text = app.metrics.text();
    let figures = app.store.figures();
    let seconds = figures.micros as f64 / 1e6;
    let [commits, failures, jobs] = [figures.commits, figures.failures, figures.jobs].map(|count| count as f64);
    let values = [commits, failures, jobs, seconds, figures.panics as f64, figures.waiting as f64];
    crate::metrics::write_each(&mut text, &crate::metrics::STORE, values);
    if let Some(cluster) = &app.hub.cluster {
        cluster.write_figures(&mut text);
    }
    plain(StatusCode::OK, text)
}

pub(super) async fn status(State(app): State<Arc<App>>) -> Answer<Status> {
    let asked = app.store(|store| Ok((store.reports(REPORTS)?, store.room_left()?))).await;
    // A database that is away is what the status has to tell.
    let (reports, room_bytes) = asked.unwrap_or_default();
    let (bans, mutes) = app.sanctions.count();
    let gauge = |value: i64| u64::try_from(value).unwrap_or(0);
    Ok(Json(Status {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        started: app.started,
        trouble: app.trouble(),
        draining: app.winding_down.load(Ordering::Relaxed) || app.draining.load(Ordering::Relaxed),
        connections: gauge(app.metrics.connections.get()),
        people: app.connected.count(),
        tables: gauge(app.metrics.tables.get()),
        thinking: gauge(app.metrics.thinking.get()),
        bans,
        mutes,
        reports: reports.iter().filter(|report| !report.done).count() as u64,
        free_bytes: app.store.free_space(),
        room_bytes,
        nodes: nodes(&app),
    }))
}

fn nodes(app: &App) -> Vec<NodeStatus> {
    let Some(cluster) = &app.hub.cluster else { return Vec::new() };
    let status = |node: unum_store::lease::NodeRow| NodeStatus {
        here: node.id == cluster.node(),
        address: node.address,
        tables: node.tables,
        draining: node.state == NodeState::Draining,
    };
    cluster.nodes().into_iter().map(status).collect()
}

pub(super) async fn tables(State(app): State<Arc<App>>) -> Answer<Vec<RunningTable>> {
    let asked = app.hub.run_here(TABLES).into_iter().map(|(_, mailbox, public)| look(mailbox, public));
    let mut tables: Vec<RunningTable> =
        stream::iter(asked).buffer_unordered(ASKED_AT_ONCE).filter_map(async |table| table).collect().await;
    tables.sort_by(|a, b| b.listing.people.cmp(&a.listing.people).then_with(|| a.listing.code.cmp(&b.listing.code)));
    Ok(Json(tables))
}

/// What a table is; `None` if it has just ended.
async fn look(mailbox: Mailbox, public: bool) -> Option<RunningTable> {
    let (reply, answer) = oneshot::channel();
    mailbox.send(Mail::Look(Box::new(Looking { guest: None, guarded: false, reply }))).await.ok()?;
    let summary = answer.await.ok()?.ok()?;
    let (onlookers, round) = (summary.onlookers, summary.round);
    Some(RunningTable { listing: summary.listing, public, onlookers, round })
}

pub(super) async fn people(State(app): State<Arc<App>>) -> Json<Vec<ConnectedPerson>> {
    let mut people: Vec<ConnectedPerson> = app
        .connected
        .all()
        .into_iter()
        .map(|(guest, connection)| ConnectedPerson {
            guest: guest.0,
            name: connection.name,
            address: Subject::Network(connection.client.as_network()).to_string(),
            table: connection.table,
            since: connection.since,
            muted: app.is_muted(guest),
        })
        .collect();
    people.sort_by(|a, b| a.table.cmp(&b.table).then_with(|| a.guest.cmp(&b.guest)));
    Json(people)
}

pub(super) async fn bans(State(app): State<Arc<App>>) -> Answer<Vec<SanctionView>> {
    sanctions(&app, Sanction::Ban).await
}

pub(super) async fn mutes(State(app): State<Arc<App>>) -> Answer<Vec<SanctionView>> {
    sanctions(&app, Sanction::Mute).await
}

async fn sanctions(app: &App, kind: Sanction) -> Answer<Vec<SanctionView>> {
    let found = app.store(move |store| {
        let rows = store.sanctions()?.into_iter().filter(|row| row.kind == kind);
        let view = |row: unum_store::SanctionRow| {
            let name = match row.subject.parse() {
                Ok(Subject::Guest(GuestId(guest))) => store.guest(guest)?.map(|guest| guest.name),
                _ => None,
            };
            Ok(SanctionView { whom: row.subject, name, since: row.made, until: row.until, why: row.note })
        };
        rows.map(view).collect()
    });
    Ok(Json(found.await?))
}

/// A report as operators read it. One that cannot be read is left out.
pub(super) fn report_view(row: ReportRow) -> Option<ReportView> {
    let ReportRow { id, at, reporter, guest, body, done } = row;
    let body: ReportBody = serde_json::from_str(&body).ok()?;
    Some(ReportView { id, at, reporter, guest, done, body })
}

pub(super) async fn reports(State(app): State<Arc<App>>) -> Answer<Vec<ReportView>> {
    let rows = app.store(|store| store.reports(REPORTS)).await?;
    let mut reports: Vec<ReportView> = rows.into_iter().filter_map(report_view).collect();
    // What was said is looked at one by one, which the log has.
    reports.iter_mut().for_each(|report| report.body.lines.clear());
    Ok(Json(reports))
}

pub(super) async fn log(State(app): State<Arc<App>>) -> Result<Json<Vec<ActView>>, ApiError> {
    let rows = app.store(|store| store.acts(ACTS)).await?;
    let view = |row: unum_store::ActRow| {
        let act: Act = serde_json::from_str(&row.body).ok()?;
        Some(ActView { id: row.id, at: row.at, act })
    };
    Ok(Json(rows.into_iter().filter_map(view).collect()))
}
