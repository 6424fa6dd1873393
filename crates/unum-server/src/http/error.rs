//! Errors of the HTTP interface: always an [`ErrorBody`].

use axum::http::StatusCode;
use axum::http::header::RETRY_AFTER;
use axum::response::{IntoResponse, Response};
use unum_protocol::rest::ErrorBody;
use unum_protocol::{Code, Refusal, ServerCode};
use unum_store::StoreError;

use crate::codes::{Unavailable, status, storage};
use crate::heavy::Undone;
use crate::table_task::LoadError;

/// Why a request fails.
#[derive(Debug)]
pub(crate) struct ApiError(Refusal);

impl ApiError {
    pub(crate) fn new(code: impl Into<Code>, message: impl Into<std::borrow::Cow<'static, str>>) -> ApiError {
        ApiError(Refusal::new(code, message))
    }

    /// What kind of error it is.
    pub(crate) fn code(&self) -> Code {
        self.0.code
    }

    /// The client's address asks for too much.
    pub(crate) fn too_fast() -> ApiError {
        ApiError::new(ServerCode::TooFast, "too many requests from your address; wait a moment")
    }

    /// The operator has banned the guest or the address.
    pub(crate) fn banned() -> ApiError {
        ApiError::new(ServerCode::Banned, "whoever runs this server has banned you for a time")
    }

    /// Answering has failed.
    pub(crate) fn crashed() -> ApiError {
        ApiError::new(ServerCode::Crashed, "the server could not answer because of a bug; please report it")
    }
}

impl From<Undone> for ApiError {
    fn from(undone: Undone) -> ApiError {
        match undone {
            Undone::Busy => {
                ApiError::new(ServerCode::TooMany, "too many ask for this right now; try again in a moment")
            }
            Undone::Panicked => ApiError::crashed(),
        }
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> ApiError {
        ApiError(refusal)
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> ApiError {
        ApiError(storage(error))
    }
}

impl From<LoadError> for ApiError {
    fn from(error: LoadError) -> ApiError {
        match error {
            LoadError::Storage(_) => Unavailable::Storage.into(),
            LoadError::Damaged { .. } => Unavailable::Damaged.into(),
            LoadError::Newer { .. } => Unavailable::Newer.into(),
        }
    }
}

impl From<Unavailable> for ApiError {
    fn from(why: Unavailable) -> ApiError {
        ApiError(why.into())
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let number = status(self.0.code);
        let code = StatusCode::from_u16(number).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = (code, axum::Json(ErrorBody { error: self.0 })).into_response();
        if matches!(number, 429 | 503) {
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
        assert!(serde_json::from_str::<ErrorBody>(body).is_ok());
    }
}
