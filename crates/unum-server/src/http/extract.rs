//! What handlers take from a request: who asks, and a JSON body within limits.

use std::sync::Arc;

use axum::body::{Body, HttpBody, to_bytes};
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;
use serde_json::Value;
use unum_protocol::{Code, ServerCode};
use unum_rules::text::printable;

use super::error::ApiError;
use super::{Client, Peer};
use crate::app::App;
use crate::guests::{Guest, token_in};

/// Whether the client's connection is encrypted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Secure(pub(crate) bool);

impl FromRequestParts<Arc<App>> for Secure {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &Arc<App>) -> Result<Secure, Self::Rejection> {
        Ok(parts.extensions.get().copied().unwrap_or(Secure(false)))
    }
}

/// The guest whose token the request carries, if it has a valid one.
pub(crate) struct Reader(pub(crate) Option<Guest>);

impl FromRequestParts<Arc<App>> for Reader {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Reader, ApiError> {
        let guest = guest_in(parts, app).await?;
        let now = app.hub.clock.now().0;
        match guest.as_ref().is_some_and(|guest| app.sanctions.ban(guest.id, now)) {
            true => Err(ApiError::banned()),
            false => Ok(Reader(guest)),
        }
    }
}

/// The guest whose token a request carries, banned or not.
async fn guest_in(parts: &Parts, app: &App) -> Result<Option<Guest>, ApiError> {
    let secure = parts.extensions.get().is_some_and(|Secure(secure)| *secure);
    match token_in(&parts.headers, app.cookie(secure)) {
        Some(token) => Ok(app.guest_by_token(token).await?),
        None => Ok(None),
    }
}

fn no_guest() -> ApiError {
    let message =
        "a guest's token is needed, as cookie or as `Authorization: Bearer TOKEN`; POST /api/guests gives one";
    ApiError::new(ServerCode::NoGuest, message)
}

/// The same, also for somebody who is banned: what is stored about them stays theirs.
pub(crate) struct Account(pub(crate) Guest);

impl FromRequestParts<Arc<App>> for Account {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Account, ApiError> {
        guest_in(parts, app).await?.map(Account).ok_or_else(no_guest)
    }
}

/// The guest whose token the request carries.
pub(crate) struct Known(pub(crate) Guest);

impl FromRequestParts<Arc<App>> for Known {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Known, ApiError> {
        let Reader(guest) = Reader::from_request_parts(parts, app).await?;
        guest.map(Known).ok_or_else(no_guest)
    }
}

impl FromRequestParts<Arc<App>> for Client {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &Arc<App>) -> Result<Client, ApiError> {
        let client = parts.extensions.get().copied();
        client.ok_or_else(|| ApiError::new(Code::UNREADABLE, "the connection has no address"))
    }
}

impl FromRequestParts<Arc<App>> for Peer {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &Arc<App>) -> Result<Peer, ApiError> {
        let peer = parts.extensions.get().cloned();
        peer.ok_or_else(|| ApiError::new(Code::UNREADABLE, "the connection has no address"))
    }
}

/// The part of a path that names a thing: a code, an id, an edition.
pub(crate) struct Part(pub(crate) String);

impl FromRequestParts<Arc<App>> for Part {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Part, ApiError> {
        let read = Path::<String>::from_request_parts(parts, app).await;
        read.map(|Path(part)| Part(part))
            .map_err(|_| ApiError::new(ServerCode::NotFound, "there is nothing at a path that is not valid UTF-8"))
    }
}

/// The query string.
pub(crate) struct Params<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequestParts<Arc<App>> for Params<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Params<T>, ApiError> {
        let read = Query::<T>::from_request_parts(parts, app).await;
        read.map(|Query(query)| Params(query)).map_err(|error| {
            let message = format!("the query is not what is expected here: {}", error.body_text());
            ApiError::new(Code::UNREADABLE, printable(&message, 300))
        })
    }
}

/// A JSON body: of the right type (which no form of another site can have), not too long, in time.
pub(crate) struct JsonBody<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<Arc<App>> for JsonBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<JsonBody<T>, ApiError> {
        let kind = request.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim();
        if !kind.eq_ignore_ascii_case("application/json") {
            let message = "the body has to be JSON, with `content-type: application/json`";
            return Err(ApiError::new(ServerCode::NotJson, message));
        }
        let bytes = read(request.into_body(), app).await?;
        parse(&bytes).map(JsonBody).map_err(|error| {
            let message = format!("the body is not what is expected here: {error}");
            ApiError::new(Code::UNREADABLE, printable(&message, 300))
        })
    }
}

/// Reads JSON, which has one kind of number: 2.0 is the integer 2.
fn parse<T: DeserializeOwned>(bytes: &[u8]) -> serde_json::Result<T> {
    serde_json::from_slice(bytes).or_else(|error| {
        let mut value: Value = serde_json::from_slice(bytes)?;
        if make_whole(&mut value) { serde_json::from_value(value) } else { Err(error) }
    })
}

/// Makes integers of floats without a fraction, and says whether there were any.
fn make_whole(value: &mut Value) -> bool {
    match value {
        Value::Number(number) => {
            let float = number.as_f64().filter(|float| number.is_f64() && float.fract() == 0.0 && float.abs() < 1e15);
            float.map(|float| *value = (float as i64).into()).is_some()
        }
        Value::Array(items) => items.iter_mut().fold(false, |found, item| make_whole(item) | found),
        Value::Object(fields) => fields.values_mut().fold(false, |found, field| make_whole(field) | found),
        Value::Null | Value::Bool(_) | Value::String(_) => false,
    }
}

async fn read(body: Body, app: &App) -> Result<axum::body::Bytes, ApiError> {
    let limits = &app.config.limits;
    let too_long = || ApiError::new(ServerCode::TooLong, format!("a body has at most {} bytes", limits.body_bytes));
    if body.size_hint().lower() > limits.body_bytes as u64 {
        return Err(too_long());
    }
    match tokio::time::timeout(limits.request_timeout, to_bytes(body, limits.body_bytes)).await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(_)) => Err(too_long()),
        Err(_) => Err(ApiError::new(ServerCode::TooSlow, "the body did not arrive in time")),
    }
}
