//! The page for playing in a browser, as the binary carries it.

use std::borrow::Cow;
use std::sync::Arc;

use axum::extract::State;
use axum::http::header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, VARY};
use axum::http::{HeaderMap, Uri};
use axum::response::{IntoResponse, Response};
use unum_page::File;
use unum_protocol::{ServerCode, read_code};

use super::api::base_url;
use super::error::ApiError;
use super::extract::{Part, Secure};
use super::preview;
use crate::app::App;

/// The page, whatever it will show; it looks at the address itself.
pub(crate) async fn index(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    let base = app.config.base_path();
    match unum_page::index() {
        Some(page) if base.is_empty() => send(page, &headers),
        Some(page) => send_html(page, unum_page::below(&text(page), base)),
        None => NOT_BUILT.into_response(),
    }
}

/// The page as text, to put something in.
fn text(page: &File) -> Cow<'static, str> {
    String::from_utf8_lossy(page.plain)
}

fn send_html(page: &File, html: String) -> Response {
    ([(CONTENT_TYPE, page.content_type()), (CACHE_CONTROL, page.cache_control())], html).into_response()
}

/// The page of a table, with what other programs show of its link.
pub(crate) async fn table(
    State(app): State<Arc<App>>,
    Secure(secure): Secure,
    Part(part): Part,
    headers: HeaderMap,
) -> Response {
    let Some(page) = unum_page::index() else { return NOT_BUILT.into_response() };
    let code = read_code(&part);
    let listing = match (code.as_deref(), &app.hub.cluster) {
        (Some(code), Some(cluster)) => cluster.listed(&app, code).await,
        (Some(code), None) => app.hub.listed(code),
        (None, _) => None,
    };
    let html = unum_page::below(&text(page), app.config.base_path());
    let html = preview::with_tags(&html, &base_url(&app, &headers, secure), code.as_deref(), listing.as_ref());
    send_html(page, html)
}

/// What a binary says that was built without Node.
const NOT_BUILT: &str = "This unum was built without its page. Install Node 20 or newer and build it again.\n\
                         Programs and terminals can play here all the same: see /api.\n";

/// A file of the page.
pub(crate) async fn file(uri: Uri, headers: HeaderMap) -> Response {
    match unum_page::file(uri.path()) {
        Some(file) => send(file, &headers),
        None => missing(),
    }
}

fn missing() -> Response {
    ApiError::new(ServerCode::NotFound, "the page has no such file").into_response()
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
