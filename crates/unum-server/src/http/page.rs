//! The page for playing in a browser, as the binary carries it.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, VARY};
use axum::http::{HeaderMap, Uri};
use axum::response::{IntoResponse, Response};
use unum_page::File;

use super::error::ApiError;
use super::pages;
use crate::app::App;
use crate::codes::ApiCode;

/// The page, whatever it will show; it looks at the address itself.
pub(crate) async fn index(headers: HeaderMap) -> Response {
    match unum_page::index() {
        Some(page) => send(page, &headers),
        None => missing(),
    }
}

/// The page, or plain words where the binary was built without it.
pub(crate) async fn home(state: State<Arc<App>>, headers: HeaderMap) -> Response {
    match unum_page::index() {
        Some(page) => send(page, &headers),
        None => pages::home(state).await.into_response(),
    }
}

/// The page at a table, or an invitation in plain words where the binary was built without it.
pub(crate) async fn table(state: State<Arc<App>>, code: Path<String>, headers: HeaderMap) -> Response {
    match unum_page::index() {
        Some(page) => send(page, &headers),
        None => pages::table(state, code).await,
    }
}

/// A file of the page.
pub(crate) async fn file(uri: Uri, headers: HeaderMap) -> Response {
    match unum_page::file(uri.path()) {
        Some(file) => send(file, &headers),
        None => missing(),
    }
}

fn missing() -> Response {
    ApiError::new(ApiCode::NotFound, "the page has no such file").into_response()
}

fn send(file: &'static File, headers: &HeaderMap) -> Response {
    let accepted = headers.get(ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let (bytes, encoding) = file.for_encodings(accepted);
    let named = [(CONTENT_TYPE, file.content_type()), (CACHE_CONTROL, file.cache_control()), (VARY, "accept-encoding")];
    match encoding {
        Some(encoding) => (named, [(CONTENT_ENCODING, encoding)], bytes).into_response(),
        None => (named, bytes).into_response(),
    }
}
