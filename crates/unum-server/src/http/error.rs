//! Errors of the HTTP interface: always `{"error":{"code","message"}}`.

use axum::http::StatusCode;
use axum::http::header::RETRY_AFTER;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use unum_rules::Why;
use unum_store::StoreError;
use unum_table::wire::ServerMsg;

use crate::codes::ApiCode;
use crate::mail::NotThere;

/// Why a request is not answered as wished.
#[derive(Debug)]
pub(crate) struct ApiError {
    status: u16,
    body: Body,
}

#[derive(Debug, Serialize)]
struct Body {
    error: Inner,
}

#[derive(Debug, Serialize)]
struct Inner {
    code: String,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<Why>,
}

impl ApiError {
    pub(crate) fn new(code: ApiCode, message: impl Into<String>) -> ApiError {
        let error = Inner { code: code.id().to_owned(), message: message.into(), rule: None, why: None };
        ApiError { status: code.status(), body: Body { error } }
    }

    /// What a table refused, with its own code.
    pub(crate) fn refused(refusal: ServerMsg) -> ApiError {
        let ServerMsg::Refused { code, message, rule, why, .. } = refusal else {
            return ApiError::new(ApiCode::BadRequest, "the table refused this");
        };
        ApiError { status: 422, body: Body { error: Inner { code, message, rule, why } } }
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> ApiError {
        match error {
            StoreError::Closed => NotThere::Stopping.into(),
            error => ApiError::new(ApiCode::Storage, error.to_string()),
        }
    }
}

impl From<NotThere> for ApiError {
    fn from(why: NotThere) -> ApiError {
        match why {
            NotThere::NoTable => ApiError::new(ApiCode::NotFound, "there is no open table with that code"),
            NotThere::Storage => ApiError::new(ApiCode::Storage, "the journal cannot be used at the moment; try again"),
            NotThere::Stopping => ApiError::new(ApiCode::Stopping, "the server is stopping; try again in a moment"),
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = (status, axum::Json(self.body)).into_response();
        if matches!(self.status, 429 | 503) {
            response.headers_mut().insert(RETRY_AFTER, 2.into());
        }
        response
    }
}

/// A whole answer for connections that are turned away before they are heard.
pub(crate) fn refusal_bytes() -> &'static [u8] {
    b"HTTP/1.1 429 Too Many Requests\r\ncontent-type: application/json\r\nconnection: close\r\nretry-after: 10\r\n\
      content-length: 80\r\n\r\n{\"error\":{\"code\":\"too_many\",\"message\":\"too many connections from your address\"}}"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prepared_answer_is_as_long_as_it_says() {
        let text = std::str::from_utf8(refusal_bytes()).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        assert!(head.ends_with(&format!("content-length: {}", body.len())), "{head} {}", body.len());
        assert!(serde_json::from_str::<serde_json::Value>(body).is_ok());
    }
}
