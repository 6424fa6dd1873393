//! What handlers take from a request: who asks, and a JSON body within limits.

use std::sync::Arc;

use axum::body::{Body, HttpBody, to_bytes};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use super::error::ApiError;
use super::{Client, Peer};
use crate::app::App;
use crate::codes::ApiCode;
use crate::guests::{Guest, token_in};

/// The guest whose token the request carries.
pub(crate) struct Known(pub(crate) Guest);

impl FromRequestParts<Arc<App>> for Known {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Known, ApiError> {
        let missing = || {
            let message =
                "a guest's token is needed, as cookie or as `Authorization: Bearer TOKEN`; POST /api/guests gives one";
            ApiError::new(ApiCode::NoGuest, message)
        };
        let token = token_in(&parts.headers).ok_or_else(missing)?;
        app.guest_by_token(token).await?.map(Known).ok_or_else(missing)
    }
}

impl FromRequestParts<Arc<App>> for Client {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &Arc<App>) -> Result<Client, ApiError> {
        let client = parts.extensions.get().copied();
        client.ok_or_else(|| ApiError::new(ApiCode::BadRequest, "the connection has no address"))
    }
}

impl FromRequestParts<Arc<App>> for Peer {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &Arc<App>) -> Result<Peer, ApiError> {
        let peer = parts.extensions.get().cloned();
        peer.ok_or_else(|| ApiError::new(ApiCode::BadRequest, "the connection has no address"))
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
            return Err(ApiError::new(ApiCode::NotJson, message));
        }
        let bytes = read(request.into_body(), app).await?;
        let value = serde_json::from_slice(&bytes);
        value.map(JsonBody).map_err(|error| {
            let message: String = format!("the body is not what is expected here: {error}").chars().take(300).collect();
            ApiError::new(ApiCode::BadRequest, message)
        })
    }
}

async fn read(body: Body, app: &App) -> Result<axum::body::Bytes, ApiError> {
    let limits = &app.config.limits;
    let too_long = || ApiError::new(ApiCode::TooLong, format!("a body has at most {} bytes", limits.body_bytes));
    if body.size_hint().lower() > limits.body_bytes as u64 {
        return Err(too_long());
    }
    match tokio::time::timeout(limits.request_timeout, to_bytes(body, limits.body_bytes)).await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(_)) => Err(too_long()),
        Err(_) => Err(ApiError::new(ApiCode::TooSlow, "the body did not arrive in time")),
    }
}
