//! The handshake of a WebSocket.

use std::sync::Arc;
use std::time::Instant;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{CONNECTION, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_VERSION, UPGRADE};
use axum::http::{HeaderMap, HeaderName, Response, StatusCode};
use hyper::upgrade::OnUpgrade;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tracing::Instrument as _;

use super::error::ApiError;
use super::extract::Secure;
use super::{Client, Peer, RequestId};
use crate::app::App;
use crate::config::ACCESS;
use crate::guests::token_in;
use crate::session;
use unum_protocol::ServerCode;

/// Answers the handshake and lets a session begin.
pub(crate) async fn open(
    State(app): State<Arc<App>>,
    peer: Peer,
    client: Client,
    Secure(secure): Secure,
    mut request: Request,
) -> Result<Response<Body>, ApiError> {
    let accept = accept_key(request.headers())?;
    let upgrade = request.extensions_mut().remove::<OnUpgrade>().ok_or_else(not_a_socket)?;
    let known = match token_in(request.headers(), app.cookie(secure)) {
        Some(token) => app.guest_by_token(token).await?,
        None => None,
    };
    let ticket = admission(&app, &peer, client)?;
    let number = request.extensions().get().map_or(0, |RequestId(number)| *number);
    let session = async move {
        let Ok(upgraded) = upgrade.await else { return };
        if let Some(socket) = session::socket_of(upgraded, &app.config.limits).await {
            let begun = Instant::now();
            let ended = session::serve(&app, socket, known, client.0).await;
            if app.config.access_log {
                let (code, seconds) = (ended.map_or("gone", Into::into), begun.elapsed().as_secs());
                tracing::info!(target: ACCESS, code, seconds, "a WebSocket has ended");
            }
        }
        drop((ticket, peer));
    };
    tokio::spawn(session.instrument(tracing::error_span!("session", request = number)));
    let response = Response::builder()
        .status(StatusCode::SWITCHING_PROTOCOLS)
        .header(CONNECTION, "upgrade")
        .header(UPGRADE, "websocket")
        .header(SEC_WEBSOCKET_ACCEPT, accept)
        .body(Body::empty());
    response.map_err(|_| not_a_socket())
}

/// Connections through a proxy are counted here, where the client's address is known.
fn admission(app: &App, peer: &Peer, client: Client) -> Result<Option<impl Send + use<>>, ApiError> {
    if !app.is_proxy(peer.address) {
        return Ok(None);
    }
    let ticket = app.address_connections.admit_all(client.0.counted(), app.config.limits.connections_per_address);
    let ticket = ticket.ok_or_else(|| {
        app.metrics.turned_away.one();
        ApiError::new(ServerCode::TooMany, "too many connections from your address")
    });
    ticket.map(Some)
}

fn accept_key(headers: &HeaderMap) -> Result<String, ApiError> {
    let has = |name: HeaderName, word: &str| {
        let values = headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
        values.flat_map(|value| value.split(',')).any(|part| part.trim().eq_ignore_ascii_case(word))
    };
    let key = headers.get(SEC_WEBSOCKET_KEY);
    let wanted = has(CONNECTION, "upgrade") && has(UPGRADE, "websocket") && has(SEC_WEBSOCKET_VERSION, "13");
    match key {
        Some(key) if wanted => Ok(derive_accept_key(key.as_bytes())),
        _ => Err(not_a_socket()),
    }
}

fn not_a_socket() -> ApiError {
    ApiError::new(ServerCode::UpgradeRequired, "expected a WebSocket handshake (version 13); see docs/protocol.md")
}
